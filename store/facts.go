package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Kinds of facts. What their bodies hold is said by whoever writes them.
const (
	FactReady       = "ready"       // what became of a posture's settings, and the context that is loaded
	FactProbe       = "probe"       // whether a long prompt reaches the model whole
	FactConcurrency = "concurrency" // how many calls were made at once, and why that changed
	FactContention  = "contention"  // what the run did to other services, and they to it
	FactCost        = "cost"        // what the calls cost
	FactInvalid     = "invalid"     // an Invalidity
	FactNames       = "names"       // the names that answered
	FactLink        = "link"        // a Link
)

// MaxFact bounds a fact's JSON in bytes, both ways.
const MaxFact = 16 << 20

// NoIndex is the Model or Posture of a fact that is of none in particular.
const NoIndex = -1

// Fact is something that was learnt of a run beside its attempts. NewFact makes it; it is written once and never changed.
type Fact struct {
	Seq     int // in the run, from 1; filled in when it is recorded
	Kind    string
	Model   int // index into Plan.Models, or NoIndex
	Posture int // index into Plan.Postures, or NoIndex
	Taken   time.Time

	body []byte // zstd of its JSON
}

// NewFact packs a fact's body, any value that JSON can hold. Kind TooLarge for one beyond MaxFact.
func NewFact(kind string, model, posture int, taken time.Time, body any) (Fact, error) {
	b, err := json.Marshal(body, json.Deterministic(true), json.FormatNilSliceAsNull(false), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return Fact{}, &Error{Kind: Misuse, Msg: fmt.Sprintf("a fact (%s) is not JSON: %v", kind, err), Err: err}
	}
	if len(b) > MaxFact {
		return Fact{}, &Error{Kind: TooLarge, Msg: fmt.Sprintf("a fact (%s) has %d bytes and at most %d can be kept", kind, len(b), MaxFact)}
	}
	return Fact{Kind: kind, Model: model, Posture: posture, Taken: taken.UTC(), body: encoder().EncodeAll(b, nil)}, nil
}

// Decode reads the fact's body.
func (f *Fact) Decode(into any) error {
	b, err := f.JSON()
	if err == nil {
		err = json.Unmarshal(b, into, jsontext.AllowInvalidUTF8(true))
	}
	if err != nil {
		return &Error{Kind: Corrupt, Msg: fmt.Sprintf("fact %d (%s) cannot be read: %v", f.Seq, f.Kind, err), Err: err}
	}
	return nil
}

// JSON is the fact's body as it was recorded.
func (f *Fact) JSON() ([]byte, error) {
	b, err := decoder().DecodeAll(f.body, nil)
	if err == nil && len(b) > MaxFact {
		err = fmt.Errorf("it has %d bytes", len(b))
	}
	if err != nil {
		return nil, &Error{Kind: Corrupt, Msg: fmt.Sprintf("fact %d (%s) is damaged (%v); restore the file from a copy", f.Seq, f.Kind, err), Err: err}
	}
	return b, nil
}

// AddFacts implements Store.
func (db *DB) AddFacts(ctx context.Context, r *Run, facts ...Fact) error {
	if len(facts) == 0 {
		return nil
	}
	return db.write(context.WithoutCancel(ctx), "record what was learnt", func(ctx context.Context, tx *sql.Tx) error {
		return db.insertFacts(ctx, tx, r, facts)
	})
}

func (db *DB) insertFacts(ctx context.Context, tx *sql.Tx, r *Run, facts []Fact) error {
	for i := range facts {
		f := &facts[i]
		if len(f.body) == 0 || f.Kind == "" || f.Model >= len(r.Plan.Models) || f.Posture >= len(r.Plan.Postures) {
			return &Error{Kind: Misuse, Path: db.path, Msg: fmt.Sprintf("run %s: a fact (%s) that NewFact did not make, or of a model or posture that the plan does not have", r.ID, f.Kind)}
		}
		err := tx.QueryRowContext(ctx, `INSERT INTO facts (run, seq, kind, model, posture, taken, body)
SELECT ?1, coalesce(max(seq), 0) + 1, ?2, ?3, ?4, ?5, ?6 FROM facts WHERE run = ?1 RETURNING seq`,
			r.key, f.Kind, index(f.Model), index(f.Posture), nanos(f.Taken), f.body).Scan(&f.Seq)
		if err != nil {
			return err
		}
	}
	return nil
}

// Facts implements Store.
func (db *DB) Facts(ctx context.Context, r *Run, kind string) ([]Fact, error) {
	rows, err := db.r.QueryContext(ctx, "SELECT seq, kind, coalesce(model, -1), coalesce(posture, -1), taken, body FROM facts WHERE run = ?1 AND (?2 = '' OR kind = ?2) ORDER BY seq", r.key, kind)
	if err != nil {
		return nil, db.fault("read the facts", err)
	}
	defer rows.Close()
	var out []Fact
	for rows.Next() {
		var f Fact
		var taken int64
		if err := rows.Scan(&f.Seq, &f.Kind, &f.Model, &f.Posture, &taken, &f.body); err != nil {
			return nil, db.fault("read the facts", err)
		}
		f.Taken = fromNanos(taken)
		out = append(out, f)
	}
	return out, db.fault("read the facts", rows.Err())
}

// index is an index as it is stored; NoIndex is NULL.
func index(i int) any {
	if i < 0 {
		return nil
	}
	return i
}
