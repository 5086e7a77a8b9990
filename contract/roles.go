package contract

import (
	"slices"
	"strings"

	"github.com/assaybench/assay/contract/pointer"
	"github.com/assaybench/assay/contract/prose"
	"github.com/assaybench/assay/world"
)

// Roles says what the calls of an episode did for a contract: what negative controls are made from. Numbers are the events'
// numbers.
type Roles struct {
	sealed
	Changes map[string]int   // each change that was made, with the event that made it
	Shows   map[string][]int // each investigation, with the events that show it in time
	Looks   map[string][]int // each readback, with the events that look in time
	Reads   map[string][]int // each input, with the reads of it before the first change of the world, however narrowed
	Submit  int              // the last submission, 0 without one

	calls map[string]*call
}

// Roles finds what each call of an episode did. The expected values must be those of this contract.
func (c *Contract) Roles(x *Expected, e *Episode) *Roles {
	j := c.judge(x, e)
	r := &Roles{Changes: map[string]int{}, Shows: map[string][]int{}, Looks: map[string][]int{}, Reads: map[string][]int{}, calls: j.s.calls}
	for id, call := range j.s.calls {
		r.Changes[id] = call.Seq
	}
	for _, v := range c.Investigations {
		cut := j.answered
		if v.Before == "change" {
			cut = min(cut, j.firstChange)
		}
		for _, call := range j.calls {
			if call.Seq < cut && slices.ContainsFunc(v.AnyOf, func(s *Selector) bool { return s.matches(call, j.s) }) {
				r.Shows[v.ID] = append(r.Shows[v.ID], call.Seq)
			}
		}
	}
	for _, b := range c.Readbacks {
		w := j.s.calls[b.After]
		if w == nil {
			continue
		}
		last := j.lastTouch(c.change(b.After), w)
		for _, call := range j.calls {
			if call.Seq > last && slices.ContainsFunc(b.AnyOf, func(l *Look) bool { return l.sees(call, w, j.s) }) {
				r.Looks[b.ID] = append(r.Looks[b.ID], call.Seq)
			}
		}
	}
	for i := range e.Events {
		ev := &e.Events[i]
		for _, in := range c.Inputs {
			if ev.Seq < j.firstChange && in.read(x, []world.Event{*ev}) {
				r.Reads[in.Name] = append(r.Reads[in.Name], ev.Seq)
			}
		}
		if ev.Tool == SubmitTool && ev.OK() {
			r.Submit = ev.Seq
		}
	}
	return r
}

// Choose gives the same values with another option chosen.
func (x *Expected) Choose(option string) *Expected {
	y := *x
	y.Chosen = option
	return &y
}

// AnswerUnder gives the fields of the answer whose value the contract fixes, as other expected values make them. What an
// episode's own changes gave is taken from it.
func (c *Contract) AnswerUnder(x *Expected, r *Roles) map[string]any {
	s := &scope{x: x, calls: r.calls}
	out := map[string]any{}
	for _, rule := range c.Answer {
		if rule.Term == nil || rule.Free {
			continue
		}
		if v, ok := s.resolve(*rule.Term); ok {
			out[rule.Field.Name] = v.json
		}
	}
	if d := c.Decision; d != nil && d.Answer != "" {
		out[d.Answer] = x.Chosen
	}
	return out
}

// Given is an argument with the value that a contract gives it.
type Given struct {
	sealed
	At    pointer.Pointer
	Value any
}

// ArgsUnder gives the arguments of a change that are fixed by value, as other expected values make them. A column that must
// hold a value counts for the argument of its name.
func (c *Contract) ArgsUnder(ch *Change, x *Expected, r *Roles) []Given {
	s := &scope{x: x, calls: r.calls}
	var out []Given
	fixed := func(p *Predicate) (any, bool) {
		if len(p.Tests) != 1 || p.Tests[0].Op != "is" {
			return nil, false
		}
		v, ok := s.resolve(p.Tests[0].Terms[0])
		return v.json, ok
	}
	for _, a := range ch.Args {
		if v, ok := fixed(a.Want); ok && a.At.Stars() == 0 {
			out = append(out, Given{At: a.At, Value: v})
		}
	}
	for _, row := range ch.Rows {
		for _, p := range row.Pins {
			at := pointer.Pointer{{Name: p.Column}}
			if v, ok := fixed(p.Want); ok && !slices.ContainsFunc(out, func(g Given) bool { return slices.Equal(g.At, at) }) {
				out = append(out, Given{At: at, Value: v})
			}
		}
	}
	return out
}

// FactsUnder gives what a message must say and must not, as other expected values make it.
func (c *Contract) FactsUnder(m *Message, x *Expected, r *Roles) (facts, forbid []prose.Fact) {
	s := &scope{x: x, calls: r.calls}
	for i := range m.Facts {
		if f, ok := m.Facts[i].resolve(s); ok {
			facts = append(facts, f)
		}
	}
	for i := range m.Forbid {
		if f, ok := m.Forbid[i].resolve(s); ok {
			forbid = append(forbid, f)
		}
	}
	return facts, forbid
}

// MaterialInputs gives the inputs that a graded value stands on, in the contract's order.
func (c *Contract) MaterialInputs() []string {
	var from []string
	add := func(terms []Term) {
		for _, t := range terms {
			from = append(from, t.Ref)
		}
	}
	for _, r := range c.Answer {
		if r.Term != nil && !r.Free {
			from = append(from, r.Term.Ref)
		}
		add(factTerms(r.Facts))
	}
	for _, o := range c.Options {
		from = append(from, o.Outcome, o.Cost, o.Limit, o.Supported)
		for _, m := range o.Measures {
			from = append(from, m)
		}
	}
	for _, ch := range c.Changes {
		add(argTerms(ch.Args))
		for _, r := range ch.Rows {
			add(pinTerms(r.Pins))
		}
	}
	for _, m := range c.Messages {
		add(factTerms(m.Facts))
	}
	reach := c.Program.Reach(slices.DeleteFunc(from, func(n string) bool { return !c.Program.Has(n) })...)
	var out []string
	for _, in := range c.Inputs {
		if slices.Contains(reach, in.Name) {
			out = append(out, in.Name)
		}
	}
	return out
}

// BeforeChange says whether a piece of evidence belongs before the first change of the world: the contract says so, or what is
// recommended and done follows from it.
func (c *Contract) BeforeChange(v *Investigation) bool {
	path := c.onPath()
	return v.Before == "change" || slices.ContainsFunc(v.Feeds, func(n string) bool { return path[n] })
}

// Graded says whether a field of the answer has a criterion.
func (c *Contract) Graded(field string) bool {
	if c.Decision != nil && c.Decision.Answer == field {
		return true
	}
	return slices.ContainsFunc(c.Answer, func(r *AnswerRule) bool { return r.Field.Name == field && !r.Free })
}

// Wants gives what a change asks of one argument beyond its being there: texts that it must hold, and words at least.
func (ch *Change) Wants(arg string) (contains []string, words int) {
	for _, a := range ch.Args {
		if strings.TrimPrefix(a.At.String(), "/") != arg {
			continue
		}
		for _, t := range a.Want.Tests {
			switch t.Op {
			case "contains":
				for _, m := range t.Terms {
					if text, ok := m.Literal.(string); ok && m.Ref == "" {
						contains = append(contains, text)
					}
				}
			case "words":
				words = max(words, t.Words)
			}
		}
	}
	return contains, words
}
