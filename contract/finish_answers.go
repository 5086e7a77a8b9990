package contract

import (
	"slices"

	"github.com/assaybench/assay/bench"
)

// field finds a field of the answer; "" names none.
func (p *parser) field(n *bench.Node, name string) *Field {
	if name == "" {
		return nil
	}
	var known []string
	for i := range p.task.Answer {
		if p.task.Answer[i].Name == name {
			return &p.task.Answer[i]
		}
		known = append(known, p.task.Answer[i].Name)
	}
	p.fail(n.Errorf("the task's answer has no field %q%s", name, bench.Nearest(name, known)))
	return nil
}

// answers gathers what fills each field, once, and finds fields that nothing fills.
func (p *parser) answers(changes []string) {
	c := p.c
	filled := map[string]*bench.Node{}
	fill := func(n *bench.Node, name string) bool {
		if prev := filled[name]; prev != nil {
			p.fail(n.Errorf("the answer's field %q is filled twice (first in line %d)", name, prev.Line))
			return false
		}
		filled[name] = n
		return true
	}
	for _, r := range c.Answer {
		fill(r.node, r.Field.Name)
		if r.Term != nil {
			p.refs([]Term{*r.Term}, changes, "a change")
		}
		p.refs(factTerms(r.Facts), changes, "a change")
		p.refs(factTerms(r.Forbid), changes, "a change")
		if r.None && r.Field.Type != NoneField {
			p.fail(r.node.Errorf("none is the answer of a field of type none-or-text, and %q is %s", r.Field.Name, r.Field.Type))
		}
	}
	if c.Decision != nil && c.Decision.Answer != "" {
		fill(c.Decision.node, c.Decision.Answer)
	}
	for _, d := range c.Derivations {
		if f := p.field(d.node, d.Answer); f != nil && fill(d.node, f.Name) {
			c.Answer = append(c.Answer, &AnswerRule{Field: f, Term: &Term{Ref: d.Name, node: d.node}, node: d.node})
		}
	}
	for i := range p.task.Answer {
		if f := &p.task.Answer[i]; filled[f.Name] == nil {
			p.fail(c.node.Errorf("nothing says what the answer's field %q must be; write it under answer (any: true when it is not graded)", f.Name))
		}
	}
	slices.SortStableFunc(c.Answer, func(a, b *AnswerRule) int { return p.place(a.Field) - p.place(b.Field) })
}

func (p *parser) place(f *Field) int {
	return slices.IndexFunc(p.task.Answer, func(g Field) bool { return g.Name == f.Name })
}
