package control

import (
	"cmp"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/assaybench/assay/contract/derive"
	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/world"
)

// maxSiblings bounds how many other values are tried in the place of one.
const maxSiblings = 40

// siblings gives other values that stand where a value of an argument stands: in the argument's list of values, and in the
// columns of the world's rows that hold it, first those of rows that look most like its own. id says that one of the columns
// is a key, so that the value names a record.
func (s *Subject) siblings(tool, arg string, v any) (out []any, id bool) {
	seen := map[string]bool{exact.Text(v): true}
	add := func(w any) {
		if k := exact.Text(w); !seen[k] && len(out) < maxSiblings {
			seen[k] = true
			out = append(out, w)
		}
	}
	for _, w := range s.listed(tool, arg) {
		add(w)
	}
	named := false // neither of a list, nor a figure, a date or words
	if text, ok := v.(string); ok && len(out) == 0 {
		_, day := derive.ParseDay(text)
		named = !day && !strings.ContainsRune(text, ' ')
	}
	for _, col := range s.columnsOf(arg, v) {
		id = id || col.key || named
		for _, w := range col.others {
			add(w)
		}
	}
	if text, ok := v.(string); ok && slices.Contains(s.users, text) {
		id = true
		for _, u := range s.users {
			add(u)
		}
	}
	return out, id
}

// listed gives the values that a tool's schema lists for an argument.
func (s *Subject) listed(tool, arg string) []any {
	t := s.task.World.Tool(tool)
	if t == nil {
		return nil
	}
	schema, err := exact.Decode(t.Input.JSON)
	if err != nil {
		return nil
	}
	m, _ := schema.(map[string]any)
	props, _ := m["properties"].(map[string]any)
	prop, _ := props[arg].(map[string]any)
	list, _ := prop["enum"].([]any)
	return list
}

type column struct {
	rank   int
	key    bool
	others []any
}

// columnsOf gives the columns that hold a value, those of the argument's name first, then keys.
func (s *Subject) columnsOf(arg string, v any) []column {
	switch x := v.(type) {
	case string:
		if x == "" || strings.Count(x, " ") > 3 {
			return nil // a text, not a name
		}
	case *big.Rat:
	default:
		return nil
	}
	var out []column
	for _, tr := range s.rows {
		t := s.table(tr.Table)
		if t == nil {
			continue
		}
		for _, c := range t.Columns {
			if _, number := v.(*big.Rat); number && c.Name != arg {
				continue // figures are alike by chance
			}
			if col, ok := columnWith(tr, c.Name, v); ok {
				col.key = len(t.Key) == 1 && t.Key[0] == c.Name
				switch {
				case c.Name == arg:
					col.rank = 2
				case col.key:
					col.rank = 1
				}
				out = append(out, col)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b column) int { return cmp.Compare(b.rank, a.rank) })
	return out
}

func (s *Subject) table(name string) *world.Table {
	for _, t := range s.task.World.Tables {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// columnWith gives the other values of a column that holds v, those of rows most like v's first.
func columnWith(tr world.TableRows, name string, v any) (column, bool) {
	own := slices.IndexFunc(tr.Rows, func(r world.Row) bool { return exact.Equal(exact.Column(r[name]), v) })
	if own < 0 {
		return column{}, false
	}
	type rival struct {
		v    any
		like int
	}
	var rivals []rival
	for _, r := range tr.Rows {
		w := exact.Column(r[name])
		if w == nil || exact.Equal(w, v) {
			continue
		}
		rivals = append(rivals, rival{w, alike(tr.Rows[own], r)})
	}
	slices.SortStableFunc(rivals, func(a, b rival) int { return cmp.Compare(b.like, a.like) })
	col := column{}
	for _, r := range rivals {
		col.others = append(col.others, r.v)
	}
	return col, true
}

// alike counts the columns in which two rows are equal.
func alike(a, b world.Row) int {
	n := 0
	for k, v := range a {
		if v != nil && exact.Equal(exact.Column(v), exact.Column(b[k])) {
			n++
		}
	}
	return n
}

// stale gives the keys of rows that were the record before v's. sure are those that v's row superseded by name, or that are of
// its subject and say themselves that they no longer hold; perhaps are others that say so, and older ones of its subject.
func (s *Subject) stale(v any) (sure, perhaps []any) {
	for _, tr := range s.rows {
		t := s.table(tr.Table)
		if t == nil || len(t.Key) != 1 {
			continue
		}
		key := t.Key[0]
		own := slices.IndexFunc(tr.Rows, func(r world.Row) bool { return exact.Equal(exact.Column(r[key]), v) })
		if own < 0 {
			continue
		}
		for _, r := range tr.Rows {
			w := exact.Column(r[key])
			switch {
			case exact.Equal(w, v):
			case superseded(r, key, v) || pastWord(r) && alike(tr.Rows[own], r) > 0:
				sure = append(sure, w)
			case pastWord(r) || older(tr.Rows[own], r):
				perhaps = append(perhaps, w)
			}
		}
	}
	return sure, perhaps
}

var past = []string{"superseded", "withdrawn", "expired", "obsolete", "stale", "replaced", "retired", "old", "archived", "previous", "cancelled", "revoked", "outdated", "lapsed"}

// pastWord says whether a short column of a row says that the row no longer holds.
func pastWord(r world.Row) bool {
	for _, k := range slices.Sorted(maps.Keys(r)) {
		if text, ok := r[k].(string); ok && len(text) <= 60 {
			for _, w := range strings.FieldsFunc(strings.ToLower(text), func(c rune) bool { return c < 'a' || c > 'z' }) {
				if slices.Contains(past, w) {
					return true
				}
			}
		}
	}
	return false
}

// superseded says whether a row names v's as what came after it.
func superseded(r world.Row, key string, v any) bool {
	for k, w := range r {
		if k != key && (strings.Contains(k, "supersed") || strings.Contains(k, "replaced")) && exact.Equal(exact.Column(w), v) {
			return true
		}
	}
	return false
}

// older says whether a row is of the same subject as another, and its own date or revision is earlier.
func older(current, r world.Row) bool {
	same, earlier := 0, false
	for k, v := range current {
		a, ok := v.(string)
		b, ok2 := r[k].(string)
		if !ok || !ok2 {
			continue
		}
		switch {
		case a == b && len(a) > 1:
			same++
		case dated(k) && b < a:
			earlier = true
		}
	}
	return earlier && same > 0
}

func dated(column string) bool {
	return slices.ContainsFunc([]string{"valid", "effective", "from", "issued", "revis", "version", "dated", "sent", "as_of", "until", "date", "modified", "created", "rev"}, func(w string) bool { return strings.Contains(column, w) })
}
