package store

import (
	"context"
	"database/sql"
	"strings"
)

// keep prepares statements for as long as the store is open: a batch of a few rows takes less time than preparing its
// statements. It is called outside of any transaction, which would have the one connection that writes.
func (db *DB) keep(ctx context.Context, queries []string) error {
	for _, q := range queries {
		if _, ok := db.kept.Load(q); ok || db.w == nil {
			continue
		}
		st, err := db.w.PrepareContext(ctx, q)
		if err != nil {
			return db.fault("prepare a statement", err)
		}
		if _, ok := db.kept.LoadOrStore(q, st); ok {
			st.Close() // somebody was quicker
		}
	}
	return nil
}

// statements are the ones that recording a batch runs.
func (b *Batch) statements() []string {
	var out []string
	if len(b.Tries) > 0 {
		out = append(out, bodies("transcripts", len(b.Tries))...)
		out = append(out, insertTry)
	}
	if len(b.Verdicts) > 0 {
		out = append(out, bodies("verdict_bodies", len(b.Verdicts))...)
		out = append(out, insertVerdict)
	}
	return out
}

// statements prepares several statements with one error to look at; those that are kept are prepared already.
type statements struct {
	ctx context.Context
	tx  *sql.Tx
	db  *DB // nil: none is kept
	all []*sql.Stmt
	err error
}

func (s *statements) prepare(query string) *sql.Stmt {
	if s.err != nil {
		return nil
	}
	if s.db != nil {
		if st, ok := s.db.kept.Load(query); ok {
			st := s.tx.StmtContext(s.ctx, st.(*sql.Stmt))
			s.all = append(s.all, st)
			return st
		}
	}
	st, err := s.tx.PrepareContext(s.ctx, query)
	if err != nil {
		s.err = err
		return nil
	}
	s.all = append(s.all, st)
	return st
}

func (s *statements) close() {
	for _, st := range s.all {
		st.Close()
	}
}

// bodiesAtOnce is how many bodies one statement inserts: running a statement costs more than a small body.
const bodiesAtOnce = 32

// bodies are the statements that insert n bodies into a table: the next id, one row and, where it pays, many rows.
func bodies(table string, n int) []string {
	const row = "(?, ?)"
	one := "INSERT INTO " + table + " (id, body) VALUES " + row
	out := []string{"SELECT coalesce(max(id), 0) + 1 FROM " + table, one}
	if n >= bodiesAtOnce {
		out = append(out, one+strings.Repeat(", "+row, bodiesAtOnce-1))
	}
	return out
}

// insertBodies inserts n bodies under consecutive ids and gives the first. The transaction holds the write lock, so nobody
// else takes an id meanwhile.
func (s *statements) insertBodies(table string, n int, body func(int) any) (first int64, err error) {
	var prepared [3]*sql.Stmt
	for i, q := range bodies(table, n) {
		prepared[i] = s.prepare(q)
	}
	if s.err != nil {
		return 0, s.err
	}
	next, one, many := prepared[0], prepared[1], prepared[2]
	if err := next.QueryRowContext(s.ctx).Scan(&first); err != nil {
		return 0, err
	}
	args := make([]any, 0, 2*bodiesAtOnce)
	for i := 0; i < n; {
		st, k := one, 1
		if n-i >= bodiesAtOnce {
			st, k = many, bodiesAtOnce
		}
		args = args[:0]
		for range k {
			args = append(args, first+int64(i), body(i))
			i++
		}
		if _, err := st.ExecContext(s.ctx, args...); err != nil {
			return 0, err
		}
	}
	return first, nil
}
