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

// The scan for what lies ready. Looked for is each value that must be derived: what a graded field or an option comes to. It must
// stand nowhere that an agent can look: not in a text, a file, a description or a cell. A day, a number of four digits or one with
// decimals tells by itself. Two and three digits stand everywhere, and tell only where the words around them are those of the
// value, or its unit.
//
// Many a value stands in what it is derived from: a day among the days of a calendar, a price among prices. It is not read off
// there, since which one it is must be found out; it is leaked where somebody singles it out. What is said of the task, of its
// tools and of the bench lists nothing that a value would be derived from, and may hold none.

// derived is a value that must be worked out.
type derived struct {
	name  string
	fact  prose.Fact
	json  any
	words []string // of its name and of the field that it fills
	unit  string
	plain bool // it tells without words around it
	// listed values stand among others in what they are derived from, and told ones are graded or an option's outcome.
	listed, told, record bool
	from                 map[string]bool // the files that it is derived from, by path
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
			// A record is found out as a day is, and stands in its table and in papers all the same: it is leaked where something is said.
			id, ok := v.JSON().(string)
			if !ok || id == "" || recordName.FindString(id) != id || s.handled(id) {
				continue
			}
			d.fact, d.plain, d.record = prose.Fact{Text: id}, true, true
		}
		if s.readOff(n.Name) || len(inputsOf(c, n.Name)) == 0 {
			continue // it is asked whether it was read, or is a constant of the contract
		}
		d.listed, d.told, d.from = d.record || s.listed(n.Name, v), n.Graded || s.graded(n.Name) || strings.HasSuffix(n.Name, ".outcome"), s.filesOf(n.Name)
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

// handled says whether the request itself names a record.
func (s *Subject) handled(id string) bool {
	return slices.ContainsFunc(s.Public.Handles, func(h world.Handle) bool { return h.Value == id })
}

// readOff says whether a value is a read under another name.
func (s *Subject) readOff(name string) bool { return s.Contract().Program.IsInput(s.alias(name)) }

func (s *Subject) graded(name string) bool { return len(s.gradedBy(name)) > 0 }

// listed says whether one of the reads that a value stands on shows it, too: as a day among those of a calendar, or a price.
func (s *Subject) listed(name string, v derive.Value) bool {
	c, x := s.Contract(), s.Expected()
	found := false
	for _, in := range inputsOf(c, name) {
		exact.Scalars(x.Values[in].JSON(), func(got any) { found = found || sameValue(got, v.JSON()) })
	}
	return found
}

// filesOf are the paths of the evidence files that a value is derived from.
func (s *Subject) filesOf(name string) map[string]bool {
	out := map[string]bool{}
	list, err := s.stands(name)
	if err != nil {
		return out // then it is looked for in all of them
	}
	for _, src := range list {
		if src.file != "" {
			out[s.whereOf(src.file)] = true
		}
	}
	return out
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
