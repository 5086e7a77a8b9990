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
	if n := len(b.Tries); n > 0 {
		out = append(append(out, bodies("transcripts", n)...), insertTry)
		for _, k := range manyAtOnce {
			if n >= k {
				out = append(out, countTries(k), insertTries(k))
			}
		}
	}
	if n := len(b.Verdicts); n > 0 {
		out = append(append(out, bodies("verdict_bodies", n)...), insertVerdict)
		for _, k := range manyAtOnce {
			if n >= k {
				out = append(out, insertVerdicts(k))
			}
		}
	}
	return out
}

// statements prepares several statements with one error to look at; those that are kept are prepared already.
type statements struct {
	ctx context.Context
	tx  *sql.Tx
	db  *DB // nil: none is kept
	all map[string]*sql.Stmt
	err error
}

func (s *statements) prepare(query string) *sql.Stmt {
	if s.err != nil {
		return nil
	}
	if st, ok := s.all[query]; ok {
		return st
	}
	var st *sql.Stmt
	if s.db != nil {
		if kept, ok := s.db.kept.Load(query); ok {
			st = s.tx.StmtContext(s.ctx, kept.(*sql.Stmt))
		}
	}
	if st == nil {
		if st, s.err = s.tx.PrepareContext(s.ctx, query); s.err != nil {
			return nil
		}
	}
	if s.all == nil {
		s.all = map[string]*sql.Stmt{}
	}
	s.all[query] = st
	return st
}

func (s *statements) close() {
	for _, st := range s.all {
		st.Close()
	}
}

// manyAtOnce are the numbers of rows that one statement inserts, beside single ones, the largest first: running a statement
// costs more than a small row.
var manyAtOnce = [...]int{32, 8}

// portion is how many of n rows the next statement inserts.
func portion(n int) int {
	for _, k := range manyAtOnce {
		if n >= k {
			return k
		}
	}
	return 1
}

// bodies are the statements that insert n bodies into a table: the next id, one row and, where it pays, many rows.
func bodies(table string, n int) []string {
	out := []string{nextBody(table), insertBody(table, 1)}
	for _, k := range manyAtOnce {
		if n >= k {
			out = append(out, insertBody(table, k))
		}
	}
	return out
}

func nextBody(table string) string { return "SELECT coalesce(max(id), 0) + 1 FROM " + table }

func insertBody(table string, n int) string {
	return "INSERT INTO " + table + " (id, body) VALUES " + rows("(?, ?)", n)
}

// rows is a row of parameters, so many times.
func rows(row string, n int) string { return row + strings.Repeat(", "+row, n-1) }

// insertBodies inserts n bodies under consecutive ids and gives the first. The transaction holds the write lock, so nobody
// else takes an id meanwhile.
func (s *statements) insertBodies(table string, n int, body func(int) any) (first int64, err error) {
	next := s.prepare(nextBody(table))
	if s.err != nil {
		return 0, s.err
	}
	if err := next.QueryRowContext(s.ctx).Scan(&first); err != nil {
		return 0, err
	}
	args := make([]any, 0, 2*manyAtOnce[0])
	for i := 0; i < n; {
		k := portion(n - i)
		st := s.prepare(insertBody(table, k))
		if s.err != nil {
			return 0, s.err
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
