package contract

import (
	"slices"
	"strings"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/contract/derive"
)

// finish checks what refers to what, once every part is read.
func (p *parser) finish() {
	c := p.c
	p.unique()
	var changes []string
	for _, ch := range c.Changes {
		p.refs(argTerms(ch.Args), changes, "a change declared above")
		for _, r := range ch.Rows {
			p.refs(pinTerms(r.Pins), append(slices.Clone(changes), ch.ID), "a change declared above")
		}
		changes = append(changes, ch.ID)
	}
	for _, v := range c.Investigations {
		for _, s := range v.AnyOf {
			p.refs(argTerms(s.Args), nil, "")
			p.refs(argTerms(s.Result), nil, "")
		}
		for _, name := range v.Feeds {
			if !c.Program.Has(name) {
				p.fail(v.node.Get("feeds").Errorf("there is no derivation %q%s", name, bench.Nearest(name, c.Program.Names())))
			}
		}
	}
	for _, r := range c.Readbacks {
		if c.change(r.After) == nil {
			p.fail(r.node.Get("after").Errorf("there is no change %q%s", r.After, bench.Nearest(r.After, changes)))
		}
		for _, l := range r.AnyOf {
			p.refs(argTerms(l.Selector.Args), changes, "a change")
			p.refs(argTerms(l.Selector.Result), changes, "a change")
		}
	}
	for _, m := range c.Messages {
		ch := c.change(m.Change)
		switch {
		case ch == nil:
			p.fail(m.node.Get("change").Errorf("there is no change %q%s", m.Change, bench.Nearest(m.Change, changes)))
		case m.To != nil:
			if !slices.ContainsFunc(ch.Args, func(a Arg) bool {
				return a.At.String() == m.To.At.String() && a.Want.String() == m.To.Want.String()
			}) {
				ch.Args = append(ch.Args, *m.To) // the right text to the wrong person is not the message
			}
			p.refs(argTerms([]Arg{*m.To}), nil, "")
		}
		p.refs(factTerms(m.Facts), changes, "a change")
		p.refs(factTerms(m.Forbid), changes, "a change")
		if len(m.Facts) == 0 {
			p.fail(m.node.Errorf("the message %q must say nothing: name its facts", m.ID))
		}
	}
	for _, a := range c.Containment {
		p.refs(pinTerms(a.Key), changes, "a change")
		p.refs(pinTerms(a.Values), changes, "a change")
	}
	p.decided()
	p.answers(changes)
	if len(c.Changes) == 0 && len(c.Answer) == 0 && c.Decision == nil && !slices.ContainsFunc(c.Derivations, func(d *Derivation) bool { return d.Answer != "" }) {
		p.fail(c.node.Errorf("the contract asks for no change and no answer: an agent that does nothing would pass"))
	}
}

func (p *parser) unique() {
	seen := map[string]*bench.Node{}
	once := func(n *bench.Node, id string) {
		if prev := seen[id]; prev != nil {
			p.fail(n.Errorf("the id %q stands twice (first in line %d)", id, prev.Line))
			return
		}
		seen[id] = n
	}
	for _, v := range p.c.Changes {
		once(v.node, v.ID)
		if p.c.Program.Has(v.ID) || slices.ContainsFunc(p.c.Options, func(o *Option) bool { return o.ID == v.ID }) {
			p.fail(v.node.Errorf("%q is an input, a derivation or an option already; give the change another id", v.ID))
		}
	}
	for _, v := range p.c.Investigations {
		once(v.node, v.ID)
	}
	for _, v := range p.c.Readbacks {
		once(v.node, v.ID)
	}
	for _, v := range p.c.Messages {
		once(v.node, v.ID)
	}
}

func (p *parser) decided() {
	c := p.c
	switch d := c.Decision; {
	case d == nil && len(c.Options) > 0:
		p.fail(c.node.Get("options").Errorf("options without a decision: say by what order one is chosen"))
	case d == nil:
	case len(c.Options) < 2:
		p.fail(d.node.Errorf("a decision chooses among at least two options, and there are %d", len(c.Options)))
	default:
		for _, by := range d.Order {
			name := strings.TrimPrefix(by, "-")
			for _, o := range c.Options {
				if !c.Program.Has(o.ID + "." + name) {
					p.fail(o.node.Errorf("the option %q has no %s, by which the decision orders", o.ID, name))
				}
			}
		}
		if f := p.field(d.node, d.Answer); f != nil && f.Type == EnumField {
			for _, o := range c.Options {
				if !slices.Contains(f.Values, o.ID) {
					p.fail(o.node.Errorf("the answer's field %q cannot say %q; its values are %s", f.Name, o.ID, strings.Join(f.Values, ", ")))
				}
			}
		}
	}
	for _, o := range c.Options {
		p.optionTypes(o)
	}
}

// optionTypes checks that what options come to can be compared.
func (p *parser) optionTypes(o *Option) {
	c := p.c
	if o.Limit != "" {
		if o.Cost == "" {
			p.fail(o.node.Errorf("the option %q has a limit and no cost", o.ID))
			return
		}
		cost, _ := c.Program.Type(o.Cost)
		limit, _ := c.Program.Type(o.Limit)
		if cost.Kind != derive.Number || limit.Kind != derive.Number || cost.Unit != limit.Unit {
			p.fail(o.node.Errorf("the option %q: its cost is %s and its limit %s; both are numbers of one unit", o.ID, cost, limit))
		}
	}
	if t, _ := c.Program.Type(o.Supported); o.Supported != "" && t.Kind != derive.Bool {
		p.fail(o.node.Errorf("the option %q: supported is %s, and not a truth value", o.ID, t))
	}
	if c.Decision == nil {
		return
	}
	for _, by := range c.Decision.Order {
		name := strings.TrimPrefix(by, "-")
		mine, ok := c.Program.Type(o.ID + "." + name)
		first, ok2 := c.Program.Type(c.Options[0].ID + "." + name)
		if ok && ok2 && (mine.Kind != first.Kind || mine.Unit != first.Unit || mine.Kind != derive.Number && mine.Kind != derive.Date) {
			p.fail(o.node.Errorf("the options cannot be ordered by %s: of %q it is %s, of %q %s", name, o.ID, mine, c.Options[0].ID, first))
		}
	}
}

// Rules names every criterion, in the order in which they are judged: what a control can break.
func (c *Contract) Rules() []string { return c.rules() }

// rules names every criterion, in the order in which they are judged.
func (c *Contract) rules() []string {
	var out []string
	for _, v := range c.Investigations {
		out = append(out, "investigation."+v.ID)
	}
	for _, v := range c.Changes {
		out = append(out, "change."+v.ID)
	}
	if c.ordered() {
		out = append(out, ruleOrder)
	}
	for _, v := range c.Readbacks {
		out = append(out, "readback."+v.ID)
	}
	for _, v := range c.Messages {
		out = append(out, "message."+v.ID)
	}
	out = append(out, ruleContainment, ruleAuthority, ruleRejections)
	if c.NoTransient {
		out = append(out, ruleTransient)
	}
	if c.ReadbackFirst {
		out = append(out, ruleReadbackFirst)
	}
	if c.MessageFirst {
		out = append(out, ruleMessageFirst)
	}
	if c.Decision != nil && c.Decision.Answer != "" {
		out = append(out, ruleDecision)
	}
	for _, r := range c.Answer {
		if !r.Free {
			out = append(out, "answer."+r.Field.Name)
		}
	}
	return out
}

// Names of the criteria that every contract has, or has by a setting.
const (
	ruleOrder         = "order"
	ruleContainment   = "containment"
	ruleAuthority     = "authority"
	ruleRejections    = "rejections"
	ruleTransient     = "transient"
	ruleReadbackFirst = "readback_before_answer"
	ruleMessageFirst  = "message_before_answer"
	ruleDecision      = "decision"
)

// ordered says whether there is a primary change and a message to order.
func (c *Contract) ordered() bool {
	has := func(role string) bool {
		return slices.ContainsFunc(c.Changes, func(ch *Change) bool { return ch.Role == role })
	}
	return has(Primary) && has(Communication)
}
