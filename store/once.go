package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"github.com/assaybench/assay/record"
)

// The statements that keep an attempt from being recorded twice. What an attempt is follows from its last try: a try is let
// in only after an error, under a higher number, and takes over the life of the one before it; any other has no life, which
// the table refuses (NOT NULL). The unique index tries_final stands behind this. The life is a value and not a SELECT that is
// inserted, for which SQLite would make a table of its own at each try.
const (
	tryFields = `run, n, try, outcome, reason, prompt_tokens, output_tokens, thinking_tokens, cached_tokens,
	started, total_ns, load_ns, queue_ns, prompt_ns, output_ns, delivery, answer_bytes, thinking_bytes, answer_sum, transcript, life`
	insertTry = `INSERT INTO tries (` + tryFields + `)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20,
	CASE WHEN EXISTS (SELECT 1 FROM tries WHERE run = ?1 AND n = ?2)
	THEN (SELECT CASE WHEN outcome = 'error' AND ?3 > try THEN life END FROM tries WHERE run = ?1 AND n = ?2 ORDER BY try DESC LIMIT 1)
	ELSE 0 END)`
	// The transcript is recorded before its verdict, and only an answered attempt can pass.
	insertVerdict = `INSERT INTO verdicts (set_id, n, try, pass, state, letter, body)
SELECT ?1, ?2, t.try, ?3, ?4, ?5, ?6 FROM tries t WHERE t.run = ?7 AND t.n = ?2
AND t.try = (SELECT max(try) FROM tries WHERE run = ?7 AND n = ?2) AND t.outcome <> 'error' AND (t.outcome = 'answered' OR ?3 = 0)`
	// Only an ungradable verdict of the last try makes room for another.
	dropVerdict = `DELETE FROM verdicts WHERE set_id = ?1 AND n = ?2 AND state = 'ungradable'
AND try = (SELECT max(t.try) FROM tries t WHERE t.run = (SELECT run FROM sets WHERE id = ?1) AND t.n = ?2) RETURNING body`
	dropVerdictBody = `DELETE FROM verdict_bodies WHERE id = ?`

	// Attempts of a model (?2) whose final try was recorded within two marks.
	recordedWithin = `FROM tries t JOIN attempts a ON a.run = t.run AND a.n = t.n
WHERE t.run = ?1 AND a.model = ?2 AND t.outcome <> 'error' AND t.transcript > ?3 AND t.transcript <= ?4
AND t.try = (SELECT max(x.try) FROM tries x WHERE x.run = t.run AND x.n = t.n)`
	insertInvalid = `INSERT INTO tries (run, n, try, outcome, reason, started, total_ns, load_ns, queue_ns, prompt_ns, output_ns,
	delivery, answer_bytes, thinking_bytes, answer_sum, transcript, life)
SELECT t.run, t.n, t.try + 1, 'error', ?5, ?6, 0, 0, 0, 0, 0, ?7, 0, 0, ?8, ?9, t.life + 1 ` + recordedWithin
)

// Invalidity says that the attempts of a model that were recorded within two marks are no results.
type Invalidity struct {
	Model       int       `json:"-"`           // index into Plan.Models
	After       int64     `json:"after"`       // mark: what was recorded later than this…
	Upto        int64     `json:"upto"`        // …and not later than this
	Reason      string    `json:"reason"`      // one line; the attempts' own from now on
	Differences []string  `json:"differences"` // one line each
	Attempts    int       `json:"attempts"`    // filled in by Invalidate
	From        time.Time `json:"from"`        // the first of their calls, filled in by Invalidate
	To          time.Time `json:"to"`          // the last of them
}

// Mark implements Store.
func (db *DB) Mark(ctx context.Context) (int64, error) {
	var mark int64
	err := db.r.QueryRowContext(ctx, "SELECT coalesce(max(id), 0) FROM transcripts").Scan(&mark)
	return mark, db.fault("read the record's end", err)
}

// Recorded implements Store.
func (db *DB) Recorded(ctx context.Context, r *Run, model int, after, upto int64) (n int, err error) {
	err = db.r.QueryRowContext(ctx, "SELECT count(*) "+recordedWithin, r.key, model, after, upto).Scan(&n)
	return n, db.fault("count the attempts", err)
}

// Invalidate implements Store.
func (db *DB) Invalidate(ctx context.Context, r *Run, inv *Invalidity, taken time.Time) error {
	if inv.Reason == "" || inv.Model < 0 || inv.Model >= len(r.Plan.Models) {
		return db.misuse(r, 0, "an invalidity without a reason, or of a model that the plan does not have")
	}
	what := record.Transcript{Outcome: record.Error, Reason: inv.Reason, Delivery: record.Delivery{State: "not provable", Reason: "the attempt is invalid"}, Calls: []record.Exchange{}}
	try, err := NewTry(0, 1, what)
	if err != nil {
		return err
	}
	return db.write(context.WithoutCancel(ctx), "declare attempts invalid", func(ctx context.Context, tx *sql.Tx) error {
		var first, last sql.NullInt64
		err := tx.QueryRowContext(ctx, "SELECT count(*), min(nullif(t.started, 0)), max(nullif(t.started, 0)) "+recordedWithin, r.key, inv.Model, inv.After, inv.Upto).
			Scan(&inv.Attempts, &first, &last)
		if err != nil || inv.Attempts == 0 {
			return err
		}
		inv.From, inv.To = fromNanos(first.Int64), fromNanos(last.Int64)
		st := statements{ctx: ctx, tx: tx}
		defer st.close()
		id, err := st.insertBodies("transcripts", 1, func(int) any { return try.body })
		if err != nil {
			return err
		}
		res, err := tx.ExecContext(ctx, insertInvalid, r.key, inv.Model, inv.After, inv.Upto, try.Reason, nanos(taken), try.Delivery, try.AnswerSum[:], id)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n != int64(inv.Attempts) {
			return fmt.Errorf("%d attempts of %d were declared invalid: %v", n, inv.Attempts, err)
		}
		fact, err := NewFact(FactInvalid, inv.Model, NoIndex, taken, inv)
		if err != nil {
			return err
		}
		return db.insertFacts(ctx, tx, r, []Fact{fact})
	})
}

// String is the invalidity on one line.
func (inv *Invalidity) String() string {
	s := fmt.Sprintf("%d attempts are invalid: %s", inv.Attempts, inv.Reason)
	if len(inv.Differences) > 0 && !strings.Contains(s, inv.Differences[0]) {
		s += " (" + strings.Join(inv.Differences, "; ") + ")"
	}
	return s
}
