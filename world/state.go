package world

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/assaybench/assay/record"
)

// TableRows is the content of one table, sorted by key.
type TableRows struct {
	Table string `json:"table"`
	Rows  []Row  `json:"rows"`

	idents []string // of the rows, where they are known
}

// sort puts rows into the order of their keys. A key's text is made once a row: comparing made most of the cost of tables with
// thousands of rows.
func (tr *TableRows) sort(t *Table) {
	type keyed struct {
		ident string
		row   Row
	}
	rows := make([]keyed, len(tr.Rows))
	for i, r := range tr.Rows {
		rows[i] = keyed{ident(t.key(r)), r}
	}
	slices.SortFunc(rows, func(a, b keyed) int { return strings.Compare(a.ident, b.ident) })
	tr.idents = make([]string, len(rows))
	for i := range rows {
		tr.idents[i], tr.Rows[i] = rows[i].ident, rows[i].row
	}
}

// maxState bounds the texts and bytes of a state that is read, of which the seeds are a small part.
const maxState = 1 << 30

// dump reads every table of the world.
func (d *database) dump(ctx context.Context, tables []*Table) ([]TableRows, error) {
	out := make([]TableRows, 0, len(tables))
	size := 0
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
			if size += sizeOf(values) + 64; size > maxState {
				rows.Close()
				return nil, fmt.Errorf("the state is larger than %d bytes", maxState)
			}
			tr.Rows = append(tr.Rows, t.row(values))
		}
		if err := rows.Err(); err != nil {
			return nil, sqlError(err)
		}
		tr.sort(t)
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

// sizeOf is how many bytes the texts and blobs of values have, and eight of each other.
func sizeOf(values []any) int {
	n := 0
	for _, v := range values {
		switch x := v.(type) {
		case string:
			n += len(x)
		case []byte:
			n += len(x)
		default:
			n += 8
		}
	}
	return n
}

// Diff gives the changes from one state to another, ordered by table and key. Both are sorted by key, as dump gives them.
func (w *World) Diff(before, after []TableRows) []Change {
	out := []Change{}
	for _, t := range w.Tables {
		a, b := rowsOf(before, t), rowsOf(after, t)
		for i, j := 0, 0; i < len(a.Rows) || j < len(b.Rows); {
			c := Change{Table: t.Name}
			if j == len(b.Rows) || i < len(a.Rows) && a.idents[i] <= b.idents[j] {
				c.Before = a.Rows[i]
			}
			if i == len(a.Rows) || j < len(b.Rows) && b.idents[j] <= a.idents[i] {
				c.After = b.Rows[j]
			}
			if c.Before != nil {
				i++
			}
			if c.After != nil {
				j++
			}
			if c.name() {
				c.Key = t.key(c.Before)
				if c.After != nil {
					c.Key = t.key(c.After)
				}
				out = append(out, c)
			}
		}
	}
	return out
}

func rowsOf(state []TableRows, t *Table) TableRows {
	for i := range state {
		if state[i].Table == t.Name {
			tr := state[i]
			if len(tr.idents) != len(tr.Rows) {
				tr.Rows = slices.Clone(tr.Rows)
				tr.sort(t)
			}
			return tr
		}
	}
	return TableRows{}
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
	if len(changes) == 0 {
		return seed.state()
	}
	said, err := record.Canonical(changes)
	if err != nil {
		return "", err
	}
	return seed.follows.of(said, func() (string, error) { return w.stateAfter(seed, changes) })
}

func (w *World) stateAfter(seed *Seed, changes []Change) (string, error) {
	rows := map[string]*Change{}
	for i := range changes {
		c := &changes[i]
		if w.table(c.Table) == nil {
			return "", fmt.Errorf("a change of the unknown table %s", c.Table)
		}
		rows[c.Table+"\x00"+ident(c.Key)] = c
	}
	after := make([]TableRows, 0, len(seed.base))
	for i := range seed.base {
		t := w.table(seed.base[i].Table)
		tr := rowsOf(seed.base, t)
		out := TableRows{Table: tr.Table, Rows: []Row{}}
		for k, r := range tr.Rows {
			at := tr.Table + "\x00" + tr.idents[k]
			c := rows[at]
			if c == nil {
				out.Rows, out.idents = append(out.Rows, r), append(out.idents, tr.idents[k])
				continue
			}
			delete(rows, at)
			if ident(c.Before) != ident(r) {
				return "", fmt.Errorf("a change of %s %s begins as another row than the seed's", c.Table, ident(c.Key))
			}
			if c.After != nil {
				out.Rows, out.idents = append(out.Rows, c.After), append(out.idents, tr.idents[k])
			}
		}
		for at, c := range rows {
			if c.Table == tr.Table && c.Before == nil && c.After != nil {
				id := ident(c.Key)
				k, _ := slices.BinarySearch(out.idents, id)
				out.Rows, out.idents = slices.Insert(out.Rows, k, c.After), slices.Insert(out.idents, k, id)
				delete(rows, at)
			}
		}
		after = append(after, out)
	}
	if len(rows) > 0 {
		return "", fmt.Errorf("%d changes are of rows that the seed does not have", len(rows))
	}
	return StateDigest(after)
}

// state is the digest of the state that sessions begin as.
func (s *Seed) state() (string, error) {
	s.once.Do(func() { s.digest, s.failed = StateDigest(s.base) })
	return s.digest, s.failed
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
