package world

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assaybench/assay/record"
)

// TableRows is the content of one table, sorted by key.
type TableRows struct {
	Table string `json:"table"`
	Rows  []Row  `json:"rows"`
}

// dump reads every table of the world.
func (d *database) dump(ctx context.Context, tables []*Table) ([]TableRows, error) {
	out := make([]TableRows, 0, len(tables))
	for _, t := range tables {
		var cols []string
		for _, c := range t.Columns {
			cols = append(cols, quoteName(c.Name))
		}
		s, err := d.prepare(ctx, engine, "SELECT "+strings.Join(cols, ", ")+" FROM "+quoteName(t.Name))
		if err != nil {
			return nil, err
		}
		rows, err := s.QueryContext(ctx)
		if err != nil {
			return nil, sqlError(err)
		}
		tr := TableRows{Table: t.Name, Rows: []Row{}}
		values, to := make([]any, len(cols)), make([]any, len(cols))
		for i := range values {
			to[i] = &values[i]
		}
		for rows.Next() {
			if err := rows.Scan(to...); err != nil {
				rows.Close()
				return nil, err
			}
			tr.Rows = append(tr.Rows, t.row(values))
		}
		if err := rows.Err(); err != nil {
			return nil, sqlError(err)
		}
		slices.SortFunc(tr.Rows, func(a, b Row) int { return strings.Compare(ident(t.key(a)), ident(t.key(b))) })
		out = append(out, tr)
	}
	return out, nil
}

// StateDigest is the SHA-256 of the canonical JSON of a world's tables.
func StateDigest(state []TableRows) (string, error) {
	b, err := record.Canonical(state)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:]), nil
}

// Diff gives the changes from one state to another, ordered by table and key.
func (w *World) Diff(before, after []TableRows) []Change {
	rows := map[string]*Change{}
	for i, side := range [2][]TableRows{before, after} {
		for _, tr := range side {
			t := w.table(tr.Table)
			if t == nil {
				continue
			}
			for _, r := range tr.Rows {
				k := t.key(r)
				at := t.Name + "\x00" + ident(k)
				c := rows[at]
				if c == nil {
					c = &Change{Table: t.Name, Key: k}
					rows[at] = c
				}
				if i == 0 {
					c.Before = r
				} else {
					c.After = r
				}
			}
		}
	}
	out := []Change{}
	for _, at := range slices.Sorted(maps.Keys(rows)) {
		if c := rows[at]; c.name() {
			out = append(out, *c)
		}
	}
	return out
}

func (w *World) table(name string) *Table {
	for _, t := range w.Tables {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// StateAfter gives the digest of the state that changes make of a seed. It is an error when they do not follow from it.
func (w *World) StateAfter(seed *Seed, changes []Change) (string, error) {
	rows := map[string]*Change{}
	for i := range changes {
		c := &changes[i]
		if w.table(c.Table) == nil {
			return "", fmt.Errorf("a change of the unknown table %s", c.Table)
		}
		rows[c.Table+"\x00"+ident(c.Key)] = c
	}
	after := make([]TableRows, 0, len(seed.base))
	for _, tr := range seed.base {
		t := w.table(tr.Table)
		out := TableRows{Table: tr.Table, Rows: []Row{}}
		for _, r := range tr.Rows {
			at := tr.Table + "\x00" + ident(t.key(r))
			c := rows[at]
			if c == nil {
				out.Rows = append(out.Rows, r)
				continue
			}
			delete(rows, at)
			if ident(c.Before) != ident(r) {
				return "", fmt.Errorf("a change of %s %s begins as another row than the seed's", c.Table, ident(c.Key))
			}
			if c.After != nil {
				out.Rows = append(out.Rows, c.After)
			}
		}
		for _, c := range rows {
			if c.Table == tr.Table && c.Before == nil && c.After != nil {
				out.Rows = append(out.Rows, c.After)
				delete(rows, c.Table+"\x00"+ident(c.Key))
			}
		}
		slices.SortFunc(out.Rows, func(a, b Row) int { return strings.Compare(ident(t.key(a)), ident(t.key(b))) })
		after = append(after, out)
	}
	if len(rows) > 0 {
		return "", fmt.Errorf("%d changes are of rows that the seed does not have", len(rows))
	}
	return StateDigest(after)
}

// Mounted gives the tools of the servers that a task mounts, sorted by name.
func (w *World) Mounted(t *Task) []*Tool {
	var out []*Tool
	for _, tl := range w.Tools {
		if slices.Contains(t.Servers, tl.Server) {
			out = append(out, tl)
		}
	}
	return out
}
