package perturb

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/assaybench/assay/contract/derive"
	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/world"
)

const (
	maxThresholds = 60 // values that one cell is moved to because of what was compared
	maxWords      = 12 // a column of no more values is a fixed set
	maxRivals     = 6
)

// Edits gives the family of changes of one row: of each cell but the key, and the row gone. near are plain steps, by which
// most evidence moves; far are those to thresholds and to the values of rivals.
func (l *Lab) Edits(table string, row world.Row) (near, far []*Edit) {
	t := l.table(table)
	if t == nil {
		return nil, nil
	}
	key := world.Row{}
	var names []string
	for _, k := range t.Key {
		key[k] = row[k]
		names = append(names, fmt.Sprint(row[k]))
	}
	fileTable, textColumn := l.s.World().EvidenceTable("text")
	add := func(to *[]*Edit, kind, column string, before, after any) {
		*to = append(*to, &Edit{Kind: kind, Table: table, Key: strings.Join(names, "/"), Says: fmt.Sprintf("%s %s %s: %s → %s", table, strings.Join(names, "/"), column, short(before), short(after)),
			Edits: []world.Edit{{Table: table, Key: key, Column: column, Value: after}}})
	}
	for _, c := range t.Columns {
		v, isKey := row[c.Name], slices.Contains(t.Key, c.Name)
		if isKey || v == nil {
			continue
		}
		if s, ok := v.(string); ok && (table == fileTable && c.Name == textColumn || prose(s)) {
			for _, e := range l.texts(s) {
				to := &near
				if e.far {
					to = &far
				}
				add(to, e.kind, c.Name, e.before, e.after)
				last := (*to)[len(*to)-1]
				last.Edits[0].Value = e.whole
			}
			continue
		}
		for i, to := range l.values(v) {
			if i < 4 {
				add(&near, kindOf(v), c.Name, v, to)
			} else {
				add(&far, "threshold", c.Name, v, to)
			}
		}
		if s, ok := v.(string); ok && kindOf(v) == "word" {
			for _, to := range l.others(table, c.Name, s) {
				add(&near, "status", c.Name, v, to)
			}
		}
		for _, rival := range l.rivals(table, t, row) {
			if to := rival[c.Name]; to != nil && to != v {
				add(&far, "rival", c.Name, v, to)
				last := far[len(far)-1]
				rk := world.Row{}
				for _, k := range t.Key {
					rk[k] = rival[k]
				}
				last.Edits = append(last.Edits, world.Edit{Table: table, Key: rk, Column: c.Name, Value: v})
			}
		}
	}
	gone := &Edit{Kind: "removed", Table: table, Key: strings.Join(names, "/"), Says: fmt.Sprintf("%s %s is gone", table, strings.Join(names, "/")), Edits: []world.Edit{{Table: table, Key: key}}}
	return append(near, gone), far
}

// prose tells a text with figures in it, such as the body of a mail, from a word.
func prose(s string) bool {
	return len(s) >= 40 && strings.Contains(s, " ") && strings.ContainsAny(s, "0123456789")
}

func (l *Lab) table(name string) *world.Table {
	for _, t := range l.s.World().Tables {
		if t.Name == name {
			return t
		}
	}
	return nil
}

func short(v any) string {
	s := strings.Join(strings.Fields(fmt.Sprint(v)), " ")
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return s
}

// kindOf tells a number and a date from a word.
func kindOf(v any) string {
	switch x := v.(type) {
	case int64, float64:
		return "number"
	case string:
		if _, _, ok := dated(x); ok {
			return "date"
		}
		if _, ok := exact.Rat(x); ok {
			return "number"
		}
	}
	return "word"
}

// dated takes a date, and what follows it (a time of day), out of a text.
func dated(s string) (d derive.Day, rest string, ok bool) {
	if len(s) > 10 && s[10] != 'T' && s[10] != ' ' || len(s) < 10 {
		return 0, "", false
	}
	d, ok = derive.ParseDay(s[:10])
	return d, s[10:], ok
}

// values gives other values of a number or date, as the column would hold them: the nearest four first, then thresholds.
func (l *Lab) values(v any) []any {
	switch x := v.(type) {
	case int64:
		var out []any
		for _, r := range l.numbers(new(big.Rat).SetInt64(x), 0) {
			if r.IsInt() && r.Num().IsInt64() {
				out = append(out, r.Num().Int64())
			}
		}
		return out
	case float64:
		r := new(big.Rat).SetFloat64(x)
		if r == nil {
			return nil
		}
		var out []any
		for _, n := range l.numbers(r, 2) {
			f, _ := n.Float64()
			out = append(out, f)
		}
		return out
	case string:
		if d, rest, ok := dated(x); ok {
			var out []any
			for _, n := range l.days(d) {
				out = append(out, n.String()+rest)
			}
			return out
		}
		if r, ok := exact.Rat(x); ok {
			_, frac, _ := strings.Cut(x, ".")
			var out []any
			for _, n := range l.numbers(r, len(frac)) {
				out = append(out, n.FloatString(len(frac)))
			}
			return out
		}
	}
	return nil
}

// numbers gives a number's neighbours: one up and down, the last decimal place up and down, and what would make it, or a
// sum that it is part of, equal to something that it was compared with, and one beside.
func (l *Lab) numbers(v *big.Rat, places int) []*big.Rat {
	one := big.NewRat(1, 1)
	step := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(places)), nil))
	out := []*big.Rat{new(big.Rat).Add(v, one), new(big.Rat).Sub(v, one), new(big.Rat).Add(v, step), new(big.Rat).Sub(v, step)}
	var far []*big.Rat
	for _, gap := range l.gaps {
		for _, target := range []*big.Rat{new(big.Rat).Add(v, gap), new(big.Rat).Sub(v, gap)} {
			far = append(far, target, new(big.Rat).Add(target, step), new(big.Rat).Sub(target, step))
		}
	}
	slices.SortStableFunc(far, func(a, b *big.Rat) int {
		return new(big.Rat).Abs(new(big.Rat).Sub(a, v)).Cmp(new(big.Rat).Abs(new(big.Rat).Sub(b, v)))
	})
	far = slices.CompactFunc(far, func(a, b *big.Rat) bool { return a.Cmp(b) == 0 })
	far = slices.DeleteFunc(far, func(r *big.Rat) bool { return r.Cmp(v) == 0 })
	if len(far) > maxThresholds {
		far = far[:maxThresholds]
	}
	return append(out, far...)
}

// days gives a date's neighbours in the same way; the steps of a number's last place are a week for it.
func (l *Lab) days(v derive.Day) []derive.Day {
	out := []derive.Day{v + 1, v - 1, v + 7, v - 7}
	var far []derive.Day
	for _, n := range l.spans {
		far = append(far, v+n, v+n+1, v+n-1, v-n, v-n+1, v-n-1)
	}
	slices.SortStableFunc(far, func(a, b derive.Day) int { return abs(int(a-v)) - abs(int(b-v)) })
	far = slices.Compact(far)
	far = slices.DeleteFunc(far, func(d derive.Day) bool { return d == v || d < 0 })
	if len(far) > maxThresholds {
		far = far[:maxThresholds]
	}
	return append(out, far...)
}

func abs(n int) int { return max(n, -n) }

// others gives the other words of a column that takes few.
func (l *Lab) others(table, column, word string) []string {
	var out []string
	for _, r := range l.rows[table].Rows {
		if s, ok := r[column].(string); ok && s != word && !slices.Contains(out, s) {
			if out = append(out, s); len(out) > maxWords {
				return nil
			}
		}
	}
	slices.Sort(out)
	return out
}

// rivals gives rows of the same subject: those that share a word with the row, the nearest first.
func (l *Lab) rivals(table string, t *world.Table, row world.Row) []world.Row {
	type rival struct {
		row    world.Row
		common int
	}
	var all []rival
	for _, r := range l.rows[table].Rows {
		n, same := 0, true
		for _, k := range t.Key {
			same = same && r[k] == row[k]
		}
		if same {
			continue
		}
		for _, c := range t.Columns {
			if s, ok := r[c.Name].(string); ok && s == row[c.Name] {
				n++
			}
		}
		if n > 0 {
			all = append(all, rival{r, n})
		}
	}
	slices.SortStableFunc(all, func(a, b rival) int { return b.common - a.common })
	var out []world.Row
	for i := range min(len(all), maxRivals) {
		out = append(out, all[i].row)
	}
	return out
}

func itoa(n int) string { return strconv.Itoa(n) }
