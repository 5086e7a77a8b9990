package realism

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/assaybench/assay/contract/derive"
	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/contract/prose"
	"github.com/assaybench/assay/realism/wording"
	"github.com/assaybench/assay/world"
)

// The scan for what lies ready. Looked for is each value that must be derived: what a graded field or an option comes to, and
// that no read gives by itself. It must stand nowhere that an agent can look: not in a text, a file, a description or a cell.
// A day, a number of four digits or one with decimals tells by itself. Two and three digits stand everywhere, and tell only
// where the words around them are those of the value, or its unit.

// derived is a value that must be worked out.
type derived struct {
	name  string
	fact  prose.Fact
	json  any
	words []string // of its name and of the field that it fills
	unit  string
	plain bool // it tells without words around it
}

// generic are words of names that say nothing of which value is meant.
var generic = map[string]bool{"date": true, "day": true, "days": true, "id": true, "no": true, "number": true, "value": true, "total": true, "count": true, "cost": true,
	"quantity": true, "qty": true, "outcome": true, "option": true, "a": true, "b": true, "c": true, "d": true, "the": true, "of": true, "to": true, "is": true, "in": true, "and": true, "per": true, "record": true, "status": true}

func (s *Subject) derived() []derived {
	c, x := s.Contract(), s.Expected()
	fields := map[string]string{}
	for _, r := range c.Answer {
		if r.Term != nil && r.Term.Ref != "" {
			name := r.Term.Ref
			if part, ok := strings.CutPrefix(name, "chosen."); ok {
				name = x.Chosen + "." + part
			}
			fields[name] = r.Field.Name
		}
	}
	var out []derived
	for _, n := range s.Derivations().Nodes {
		v, ok := x.Values[n.Name]
		if n.Kind == "input" || n.Kind == "decision" || !ok || !n.Graded && n.Kind != "option" {
			continue
		}
		d := derived{name: n.Name, json: v.JSON(), unit: v.Unit().String()}
		switch v.Kind() {
		case derive.Date:
			day, _ := v.Day()
			d.fact, d.plain = prose.Fact{Text: day.String(), Day: &day}, true
		case derive.Number:
			r := v.Rat()
			digits := len(strings.Trim(strings.TrimLeft(exact.Decimal(new(big.Rat).Abs(r)), "0."), ""))
			if digits < 2 {
				continue
			}
			d.fact = prose.Fact{Text: exact.Decimal(r), Number: r}
			d.plain = !r.IsInt() || r.Cmp(big.NewRat(1000, 1)) >= 0 && !round(r)
		default:
			continue
		}
		if s.given(n.Name, v) {
			continue
		}
		for _, w := range wording.Words(strings.NewReplacer("_", " ", ".", " ").Replace(n.Name + " " + fields[n.Name])) {
			if !generic[w] && len(w) > 2 && !slices.Contains(d.words, w) {
				d.words = append(d.words, w)
			}
		}
		out = append(out, d)
	}
	return out
}

// round says whether a whole number ends in so many noughts that it stands everywhere.
func round(r *big.Rat) bool {
	return strings.HasSuffix(r.Num().String(), "000") || strings.HasSuffix(r.Num().String(), "500")
}

// given says whether a value only repeats what one of its own reads gives: a day that is chosen among slots, a price.
func (s *Subject) given(name string, v derive.Value) bool {
	c, x := s.Contract(), s.Expected()
	found := false
	for _, in := range inputsOf(c, name) {
		exact.Scalars(x.Values[in].JSON(), func(got any) { found = found || sameValue(got, v.JSON()) })
	}
	return found
}

// sameValue compares values that may be written as texts: a price of two decimals, a day with a time behind it.
func sameValue(got, want any) bool {
	if exact.Equal(got, want) {
		return true
	}
	t, ok := got.(string)
	if !ok {
		return false
	}
	switch w := want.(type) {
	case *big.Rat:
		r, ok := exact.Rat(t)
		return ok && r.Cmp(w) == 0
	case string:
		_, day := derive.ParseDay(w)
		return day && strings.HasPrefix(t, w)
	}
	return false
}

// leaks finds every place where a derived value lies ready.
func (s *Subject) leaks(ctx context.Context) ([]Evidence, int, error) {
	type found struct {
		ev     []Evidence
		values int
	}
	f, err := once(&s.facts, "leaks", func() (found, error) {
		list := s.derived()
		var out found
		out.values = len(list)
		for _, t := range s.visible() {
			if err := context.Cause(ctx); err != nil {
				return out, err
			}
			out.ev = append(out.ev, leaksIn(t, list)...)
		}
		cells, err := s.cells(ctx)
		if err != nil {
			return out, err
		}
		for _, c := range cells {
			out.ev = append(out.ev, s.leaksInCell(c, list)...)
		}
		return out, nil
	})
	return f.ev, f.values, err
}

// contextWithin is how many words around a figure may say what it is.
const contextWithin = 8

// leaksIn looks line by line, so that a finding has its line; dates do not break over lines in what is rendered here.
func leaksIn(t text, list []derived) []Evidence {
	var out []Evidence
	n := 0
	for line := range strings.Lines(t.Text) {
		n++
		if strings.TrimSpace(line) == "" {
			continue
		}
		var p *prose.Text
		for i := range list {
			d := &list[i]
			if !mayHold(line, d) {
				continue
			}
			if p == nil {
				p = prose.Prepare(line)
			}
			if !prose.Mentioned(p, d.fact) || !d.plain && !d.near(line) {
				continue
			}
			at := t.Line
			if t.Field == "" {
				at = n
			}
			out = append(out, Evidence{File: t.Where, Line: at, Cell: t.Field, Span: clip(strings.TrimSpace(line), 160), Note: d.name + " is " + d.fact.Text})
		}
	}
	return out
}

// mayHold is a quick look before the real one: some digit group of the value stands in the line.
func mayHold(line string, d *derived) bool {
	if d.fact.Day != nil {
		y, _, day := d.fact.Day.Date()
		return strings.Contains(line, fmt.Sprint(y)) || strings.Contains(line, fmt.Sprint(day))
	}
	return strings.ContainsAny(line, "0123456789")
}

// near says whether words around the figure are those of the value.
func (d *derived) near(line string) bool {
	tokens := wording.Words(line)
	digits := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, d.fact.Text)
	for i, t := range tokens {
		if t != digits && t != d.fact.Text {
			continue
		}
		around := tokens[max(0, i-contextWithin):min(len(tokens), i+contextWithin+1)]
		hits := 0
		for _, w := range d.words {
			if slices.Contains(around, w) {
				hits++
			}
		}
		if hits >= 2 || hits >= 1 && len(d.words) == 1 {
			return true
		}
	}
	return false
}

// leaksInCell finds a derived value in a live record: where the column is named as the value is, and texts as any text.
func (s *Subject) leaksInCell(c liveCell, list []derived) []Evidence {
	where := c.table + " " + c.key
	if t, ok := c.value.(string); ok && strings.ContainsAny(strings.TrimSpace(t), " \n") {
		out := leaksIn(text{Where: where, Field: c.column, Text: t}, list)
		for i := range out {
			out[i].Line = 0
		}
		return out
	}
	var out []Evidence
	named := wording.Words(strings.ReplaceAll(c.column, "_", " "))
	for i := range list {
		d := &list[i]
		if !sameValue(c.value, d.json) {
			continue
		}
		if slices.ContainsFunc(d.words, func(w string) bool { return slices.Contains(named, w) }) && s.ofSubject(c.row) {
			out = append(out, Evidence{File: where, Cell: c.column, Span: strings.Trim(exact.Text(c.value), `"`), Note: d.name + " is " + d.fact.Text})
		}
	}
	return out
}

// ofSubject says whether a row names what the task is about.
func (s *Subject) ofSubject(r world.Row) bool {
	for _, h := range s.Public.Handles {
		for _, v := range r {
			if v == h.Value {
				return true
			}
		}
	}
	return false
}

func precomputedRow(ctx context.Context, r *Release, l Leaf) Row {
	if l.Value == true {
		return allowed(nil)
	}
	return byTask(r, func(s *Subject) Row {
		ev, values, err := s.leaks(ctx)
		if err != nil {
			return unmeasured(oneLine(err.Error()))
		}
		leaked := map[string]bool{}
		for _, e := range ev {
			name, _, _ := strings.Cut(e.Note, " is ")
			leaked[name] = true
		}
		measured := map[string]any{"derived": values, "leaked": len(leaked)}
		return judged(len(leaked) == 0, measured, fmt.Sprintf("%d of %d derived values lie ready", len(leaked), values), ev...)
	})
}
