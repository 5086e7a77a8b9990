package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/assaybench/assay/record"
)

// CreateRun implements Store.
func (db *DB) CreateRun(ctx context.Context, r *Run, attempts iter.Seq[Attempt]) error {
	plan, err := record.Canonical(&r.Plan)
	if err != nil {
		return &Error{Kind: Misuse, Msg: "the plan is not JSON: " + err.Error(), Err: err}
	}
	return db.write(ctx, "record the plan", func(ctx context.Context, tx *sql.Tx) error {
		res, err := tx.ExecContext(ctx, "INSERT INTO runs (id, created, request, plan) VALUES (?, ?, ?, ?)", r.ID, nanos(r.Created), r.Request, string(plan))
		if KindOf(db.broken(err, r, 0, "")) == Duplicate {
			return &Error{Kind: Duplicate, Path: db.path, Msg: "there is a run " + r.ID + " already", Err: err}
		}
		if err != nil {
			return err
		}
		if r.key, err = res.LastInsertId(); err != nil {
			return err
		}
		// Cancelling is asked for now and then, not by a goroutine for each row.
		return db.insertAttempts(ctx, tx, r, attempts)
	})
}

func (db *DB) insertAttempts(ctx context.Context, tx *sql.Tx, r *Run, attempts iter.Seq[Attempt]) error {
	quiet := context.WithoutCancel(ctx)
	st := statements{ctx: quiet, tx: tx}
	defer st.close()
	const row = "(?, ?, ?, ?, ?, ?, ?, ?)"
	one := st.prepare("INSERT INTO attempts VALUES " + row)
	many := st.prepare("INSERT INTO attempts VALUES " + row + strings.Repeat(", "+row, attemptsAtOnce-1))
	if st.err != nil {
		return st.err
	}
	n := 0
	args := make([]any, 0, 8*attemptsAtOnce)
	for a := range attempts {
		if n%1000 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if _, ok := r.attemptKey(a.Model, a.Posture, a.Item, a.Repeat); !ok {
			return db.misuse(r, n, "a model or posture that the plan does not name")
		}
		args = append(args, r.key, n, a.Model, a.Posture, a.Repeat, a.Item, a.Family, string(a.Basis))
		n++
		if len(args) == cap(args) {
			if _, err := many.ExecContext(quiet, args...); err != nil {
				return db.broken(err, r, n-1, "an attempt")
			}
			args = args[:0]
		}
	}
	for ; len(args) > 0; args = args[8:] {
		if _, err := one.ExecContext(quiet, args[:8]...); err != nil {
			return db.broken(err, r, n-len(args)/8, "an attempt")
		}
	}
	if n != r.Plan.Attempts {
		return db.misuse(r, n, fmt.Sprintf("the plan says %d attempts and lists %d", r.Plan.Attempts, n))
	}
	return nil
}

// attemptsAtOnce is how many attempts one statement inserts: running a statement costs more than a row.
const attemptsAtOnce = 64

const selectRun = "SELECT run, id, created, request, plan FROM runs "

func (db *DB) scanRun(row interface{ Scan(...any) error }) (*Run, error) {
	var r Run
	var created int64
	var plan []byte
	if err := row.Scan(&r.key, &r.ID, &created, &r.Request, &plan); err != nil {
		return nil, err
	}
	r.Created = fromNanos(created)
	// Members that this version does not know were written by a newer one under the same schema, and change nothing here.
	if err := json.Unmarshal(plan, &r.Plan); err != nil {
		return nil, &Error{Kind: Corrupt, Path: db.path, Msg: fmt.Sprintf("the plan of run %s cannot be read: %v", r.ID, err), Err: err}
	}
	return &r, nil
}

// FindRun implements Store.
func (db *DB) FindRun(ctx context.Context, ref string) (*Run, error) {
	if ref == "latest" {
		r, err := db.scanRun(db.r.QueryRowContext(ctx, selectRun+"ORDER BY created DESC, run DESC LIMIT 1"))
		if errors.Is(err, sql.ErrNoRows) {
			return nil, &Error{Kind: NotFound, Path: db.path, Msg: "no runs yet; make one with: assay run BENCH --model M"}
		}
		return r, db.fault("find the run", err)
	}
	rows, err := db.r.QueryContext(ctx, selectRun+"WHERE id >= ?1 AND substr(id, 1, length(?1)) = ?1 ORDER BY id LIMIT 4", ref)
	if err != nil {
		return nil, db.fault("find the run", err)
	}
	defer rows.Close()
	var found []*Run
	for rows.Next() {
		r, err := db.scanRun(rows)
		if err != nil {
			return nil, db.fault("find the run", err)
		}
		if r.ID == ref {
			return r, nil
		}
		found = append(found, r)
	}
	if err := rows.Err(); err != nil {
		return nil, db.fault("find the run", err)
	}
	switch {
	case ref == "" || len(found) == 0:
		return nil, &Error{Kind: NotFound, Path: db.path, Msg: fmt.Sprintf("no run %q; assay runs lists them", ref)}
	case len(found) == 1:
		return found[0], nil
	}
	ids := make([]string, len(found))
	for i, r := range found {
		ids[i] = r.ID
	}
	return nil, &Error{Kind: Ambiguous, Path: db.path, Msg: fmt.Sprintf("%q begins the ids of several runs (%s …); give more of it", ref, strings.Join(ids, ", "))}
}

// FindByRequest implements Store.
func (db *DB) FindByRequest(ctx context.Context, key string) (*Run, error) {
	r, err := db.scanRun(db.r.QueryRowContext(ctx, selectRun+"WHERE request = ? ORDER BY created DESC, run DESC LIMIT 1", key))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, &Error{Kind: NotFound, Path: db.path, Msg: "no run of that request"}
	}
	return r, db.fault("find the run", err)
}

// Runs implements Store.
func (db *DB) Runs(ctx context.Context) iter.Seq2[*Run, error] {
	return func(yield func(*Run, error) bool) {
		rows, err := db.r.QueryContext(ctx, selectRun+"ORDER BY created DESC, run DESC")
		if err != nil {
			yield(nil, db.fault("list the runs", err))
			return
		}
		defer rows.Close()
		for rows.Next() {
			r, err := db.scanRun(rows)
			if !yield(r, db.fault("list the runs", err)) || err != nil {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(nil, db.fault("list the runs", err))
		}
	}
}

// SetIdentity implements Store.
func (db *DB) SetIdentity(ctx context.Context, r *Run, id Identity) error {
	body, err := record.Canonical(&id.Identity)
	if err != nil {
		return &Error{Kind: Misuse, Msg: "an identity is not JSON: " + err.Error(), Err: err}
	}
	return db.write(context.WithoutCancel(ctx), "record an identity", func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "INSERT INTO identities (run, model, phase, taken, identity, mark) VALUES (?, ?, ?, ?, ?, ?)",
			r.key, id.Model, id.Phase, nanos(id.Taken), string(body), id.Mark)
		return err
	})
}

// Identities implements Store.
func (db *DB) Identities(ctx context.Context, r *Run) ([]Identity, error) {
	rows, err := db.r.QueryContext(ctx, "SELECT model, phase, taken, identity, mark FROM identities WHERE run = ? ORDER BY id", r.key)
	if err != nil {
		return nil, db.fault("read the identities", err)
	}
	defer rows.Close()
	var out []Identity
	for rows.Next() {
		var id Identity
		var taken int64
		var body []byte
		if err := rows.Scan(&id.Model, &id.Phase, &taken, &body, &id.Mark); err != nil {
			return nil, db.fault("read the identities", err)
		}
		id.Taken = fromNanos(taken)
		if err := json.Unmarshal(body, &id.Identity); err != nil {
			return nil, &Error{Kind: Corrupt, Path: db.path, Msg: fmt.Sprintf("an identity of run %s cannot be read: %v", r.ID, err), Err: err}
		}
		out = append(out, id)
	}
	return out, db.fault("read the identities", rows.Err())
}

// Sets implements Store.
func (db *DB) Sets(ctx context.Context, r *Run) ([]Set, error) {
	rows, err := db.r.QueryContext(ctx, "SELECT grader, digest, created FROM sets WHERE run = ? ORDER BY id", r.key)
	if err != nil {
		return nil, db.fault("read the sets", err)
	}
	defer rows.Close()
	var out []Set
	for rows.Next() {
		var s Set
		var created int64
		if err := rows.Scan(&s.Grader, &s.Digest, &created); err != nil {
			return nil, db.fault("read the sets", err)
		}
		s.Created = fromNanos(created)
		out = append(out, s)
	}
	return out, db.fault("read the sets", rows.Err())
}
