package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Record implements Store. It goes on when ctx ends: what was paid for is written down.
func (db *DB) Record(ctx context.Context, r *Run, b Batch) error {
	if len(b.Tries) == 0 && len(b.Verdicts) == 0 {
		return nil
	}
	ctx = context.WithoutCancel(ctx)
	if err := db.keep(ctx, b.statements()); err != nil {
		return err
	}
	return oneByOne(func(many bool) error {
		return db.write(ctx, "record a batch", func(ctx context.Context, tx *sql.Tx) error {
			if len(b.Tries) > 0 {
				if err := db.recordTries(ctx, tx, r, b.Tries, many); err != nil {
					return err
				}
			}
			if len(b.Verdicts) > 0 {
				return db.recordVerdicts(ctx, tx, r, b.Verdicts, many)
			}
			return nil
		})
	})
}

// write runs fn in one transaction, which takes the write lock at once.
func (db *DB) write(ctx context.Context, doing string, fn func(context.Context, *sql.Tx) error) error {
	if db.w == nil {
		return &Error{Kind: ReadOnly, Path: db.path, Msg: doing + ": the store was opened to read"}
	}
	tx, err := db.w.BeginTx(ctx, nil)
	if err != nil {
		return db.fault(doing, err)
	}
	if err := fn(ctx, tx); err != nil {
		tx.Rollback()
		return db.fault(doing, err)
	}
	return db.fault(doing, tx.Commit())
}

func (db *DB) recordTries(ctx context.Context, tx *sql.Tx, r *Run, tries []Try, many bool) error {
	st := statements{ctx: ctx, tx: tx, db: db}
	defer st.close()
	row := st.prepare(insertTry)
	if st.err != nil {
		return st.err
	}
	for i := range tries {
		if t := &tries[i]; len(t.body) == 0 || t.Try < 1 || !t.Outcome.Valid() {
			return db.misuse(r, t.N, "a try that NewTry did not make")
		}
	}
	first, err := st.insertBodies("transcripts", len(tries), func(i int) any { return tries[i].body })
	if err != nil {
		return err
	}
	var args []any
	for i := 0; i < len(tries); i++ {
		t, id := &tries[i], first+int64(i)
		if k := firstTries(tries[i:]); many && k > 1 {
			if err := st.tryRows(r, tries[i:i+k], id); err != nil {
				return err
			}
			i += k - 1
			continue
		}
		runtime.Gosched() // a batch takes milliseconds; calls that are ready to go on come first
		args = t.appendRow(args[:0], r, id)
		_, err := row.ExecContext(ctx, args...)
		if isConstraint(err, sqlite3.SQLITE_CONSTRAINT_NOTNULL) {
			return db.duplicate(r, t.N, "a final try")
		}
		if err != nil {
			return db.broken(err, r, t.N, "a try")
		}
	}
	return nil
}

func (db *DB) recordVerdicts(ctx context.Context, tx *sql.Tx, r *Run, verdicts []Verdict, many bool) error {
	st := statements{ctx: ctx, tx: tx, db: db}
	defer st.close()
	row := st.prepare(insertVerdict)
	if st.err != nil {
		return st.err
	}
	for i := range verdicts {
		if v := &verdicts[i]; len(v.body) == 0 || v.Grader == "" {
			return db.misuse(r, v.N, "a verdict that NewVerdict did not make, or without a grader's digest")
		}
	}
	first, err := st.insertBodies("verdict_bodies", len(verdicts), func(i int) any { return string(verdicts[i].body) })
	if err != nil {
		return err
	}
	sets := map[string]int64{}
	for i := 0; i < len(verdicts); i++ {
		v, id := &verdicts[i], first+int64(i)
		set, ok := sets[v.Grader]
		if !ok {
			var err error
			if set, err = setID(ctx, tx, r, v); err != nil {
				return err
			}
			sets[v.Grader] = set
		}
		if k := sameSet(verdicts[i:]); many && k > 1 {
			if err := st.verdictRows(r, set, verdicts[i:i+k], id); err != nil {
				return err
			}
			i += k - 1
			continue
		}
		runtime.Gosched()
		args := []any{set, v.N, v.Pass, string(v.State), string(v.Letter), id, r.key}
		res, err := row.ExecContext(ctx, args...)
		if err != nil && KindOf(db.broken(err, r, v.N, "")) == Duplicate {
			// There is one already: it makes room if it is ungradable, which is rare, and else the key refuses again.
			if err := makeRoom(ctx, tx, set, v.N); err != nil {
				return err
			}
			res, err = row.ExecContext(ctx, args...)
		}
		if err != nil {
			return db.broken(err, r, v.N, "a verdict")
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return cmp.Or(err, db.misuse(r, v.N, "a verdict before the final try, or a pass of one that did not answer"))
		}
	}
	return nil
}

// makeRoom drops an ungradable verdict with its body.
func makeRoom(ctx context.Context, tx *sql.Tx, set int64, n int) error {
	var body int64
	err := tx.QueryRowContext(ctx, dropVerdict, set, n).Scan(&body)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err == nil {
		_, err = tx.ExecContext(ctx, dropVerdictBody, body)
	}
	return err
}

// setID gives the set of verdicts of a grader, making it at its first verdict.
func setID(ctx context.Context, tx *sql.Tx, r *Run, v *Verdict) (int64, error) {
	_, err := tx.ExecContext(ctx, "INSERT INTO sets (run, grader, digest, created) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
		r.key, v.Grader, v.Digest, v.Created)
	if err != nil {
		return 0, err
	}
	var id int64
	err = tx.QueryRowContext(ctx, "SELECT id FROM sets WHERE run = ? AND grader = ?", r.key, v.Grader).Scan(&id)
	return id, err
}

func (db *DB) duplicate(r *Run, n int, what string) error {
	return &Error{Kind: Duplicate, Path: db.path, Msg: fmt.Sprintf("attempt %d of run %s has %s already; nothing was recorded twice", n, r.ID, what)}
}

func (db *DB) misuse(r *Run, n int, what string) error {
	return &Error{Kind: Misuse, Path: db.path, Msg: fmt.Sprintf("attempt %d of run %s: %s", n, r.ID, what)}
}

func isConstraint(err error, code int) bool {
	se, ok := errors.AsType[*sqlite.Error](err)
	return ok && se.Code() == code
}

// broken sorts what a broken constraint means: a key that is taken, or a row that breaks a rule of the schema.
func (db *DB) broken(err error, r *Run, n int, what string) error {
	se, ok := errors.AsType[*sqlite.Error](err)
	if !ok || se.Code()&0xff != sqlite3.SQLITE_CONSTRAINT {
		return err
	}
	switch se.Code() {
	case sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_UNIQUE:
		return db.duplicate(r, n, what)
	}
	return db.misuse(r, n, fmt.Sprintf("%s that the schema refuses (%v)", what, err))
}

func null(v *int64) any {
	if v == nil {
		return nil
	}
	return *v
}

// nanos is a time as it is stored; the zero time is 0.
func nanos(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

func fromNanos(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.Unix(0, n).UTC()
}
