package contract

import (
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/contract/derive"
	"github.com/assaybench/assay/contract/exact"
)

// Stakes is everything that a judgement turns on, by name: answer.FIELD, option.ID.outcome, .cost and .authority, chosen,
// and the values in what changes, messages and evidence must hold. What cannot be derived is "?".
type Stakes map[string]string

// Moved gives the names whose value is another in g, sorted.
func (g Stakes) Moved(other Stakes) []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(g)) {
		if other[name] != g[name] {
			out = append(out, name)
		}
	}
	return out
}

// Known says whether a name's value could be derived.
func (g Stakes) Known(name string) bool {
	v, ok := g[name]
	return ok && v != "?" && !strings.HasPrefix(v, "?\n") && !strings.Contains(v, "\n?\n")
}

// Stakes derives from reads, as Derive does, what a judgement turns on and nothing else: an input that feeds nothing is never read.
// A value that cannot be derived makes what stands on it "?", and is no error: that is what a trial wants to see. compared,
// if any, is told of every two values that were compared on the way.
func (c *Contract) Stakes(reads Reads, compared func(a, b derive.Value)) Stakes {
	x := &Expected{Values: map[string]derive.Value{}, contract: c.digest}
	inputs := map[string]*Input{}
	for _, in := range c.Inputs {
		inputs[in.Name] = in
	}
	var run *derive.Run
	run = c.Program.Run(func(name string) (derive.Value, error) { return inputs[name].value(run, reads) })
	run.Compared = compared
	get := func(name string) (derive.Value, bool) {
		v, err := run.Value(name)
		if err == nil {
			x.Values[name] = v
		}
		return v, err == nil
	}
	g, decidable := Stakes{}, true
	for _, o := range c.Options {
		whole := true
		for _, part := range []string{o.Outcome, o.Cost, o.Limit, o.Supported} {
			if part != "" {
				_, ok := get(part)
				whole = whole && ok
			}
		}
		for name := range o.Measures {
			_, ok := get(o.ID + "." + name)
			whole = whole && ok
		}
		at := "option." + o.ID
		g[at+".authority"] = "?"
		if whole {
			v := OptionValue{ID: o.ID, Authority: x.authority(o)}
			x.Options = append(x.Options, v)
			g[at+".authority"] = string(v.Authority)
			if compared != nil && o.Limit != "" {
				compared(x.Values[o.Cost], x.Values[o.Limit])
			}
		}
		decidable = decidable && whole
		for part, name := range map[string]string{"outcome": o.Outcome, "cost": o.Cost} {
			if name != "" {
				g[at+"."+part] = "?"
				if v, ok := x.Values[name]; ok {
					g[at+"."+part] = exact.Text(v.JSON())
				}
			}
		}
	}
	if c.Decision != nil {
		g["chosen"] = "?"
		if decidable {
			if id, err := c.decide(x); err == nil {
				x.Chosen, g["chosen"] = id, id
			}
			c.ranking(x, compared)
		}
	}
	s := &scope{x: x, calls: map[string]*call{}}
	c.stakes(func(at string, t Term) {
		if t.Ref == "" {
			return
		}
		if c.Program.Has(t.Ref) {
			get(t.Ref)
		}
		if r, ok := s.resolve(t); ok {
			g[at] += exact.Text(r.json) + "\n"
		} else if c.Program.Has(t.Ref) || strings.HasPrefix(t.Ref, "chosen.") {
			g[at] += "?\n"
		}
	})
	return g
}

// ranking tells what the decision compares.
func (c *Contract) ranking(x *Expected, compared func(a, b derive.Value)) {
	if compared == nil {
		return
	}
	for i := range x.Options {
		for _, other := range x.Options[:i] {
			for _, by := range c.Decision.Order {
				name := strings.TrimPrefix(by, "-")
				compared(x.Values[x.Options[i].ID+"."+name], x.Values[other.ID+"."+name])
			}
		}
	}
}

// stakes yields every term that a criterion of the contract compares with, with the criterion's name. Evidence is left out:
// that a selector changes with what it selects is no effect of it.
func (c *Contract) stakes(yield func(at string, t Term)) {
	pred := func(at string, p *Predicate) {
		if p != nil {
			for _, t := range p.terms() {
				yield(at, t)
			}
		}
	}
	for _, r := range c.Answer {
		at := "answer." + r.Field.Name
		if r.Term != nil {
			yield(at, *r.Term)
		}
		pred(at, r.Want)
		for _, f := range r.Facts {
			yield(at, f.Term)
		}
	}
	for _, ch := range c.Changes {
		for _, a := range ch.Args {
			pred("change."+ch.ID, a.Want)
		}
		for _, r := range ch.Rows {
			for _, p := range r.Pins {
				pred("change."+ch.ID, p.Want)
			}
		}
	}
	for _, m := range c.Messages {
		for _, f := range m.Facts {
			yield("message."+m.ID, f.Term)
		}
	}
}

// Asked gives the read that an input is, with the arguments that it has on the seed.
func (c *Contract) Asked(x *Expected, in *Input) (jsontext.Value, error) {
	args := map[string]any{}
	for _, a := range in.Args {
		term := a.Want.Tests[0].Terms[0]
		v := term.Literal
		if term.Ref != "" {
			d, ok := x.Values[term.Ref]
			if !ok {
				return nil, in.node.Errorf("the input %q asks by %q, which has no value", in.Name, term.Ref)
			}
			v = d.JSON()
		}
		put(args, a, v)
	}
	return encode(args)
}

// ChangeRefs yields the names of the values that a change's arguments and rows must hold.
func (c *Contract) ChangeRefs(ch *Change, yield func(ref string)) {
	each := func(p *Predicate) {
		if p == nil {
			return
		}
		for _, t := range p.terms() {
			if t.Ref != "" {
				yield(t.Ref)
			}
		}
	}
	for _, a := range ch.Args {
		each(a.Want)
	}
	for _, r := range ch.Rows {
		for _, p := range r.Pins {
			each(p.Want)
		}
	}
}

// ChangeTexts yields the texts that an argument of a change must equal, literal or derived, with the argument's place.
func (c *Contract) ChangeTexts(ch *Change, x *Expected, yield func(at, text string)) {
	s := &scope{x: x, calls: map[string]*call{}}
	for _, a := range ch.Args {
		if a.Want == nil {
			continue
		}
		for _, t := range a.Want.Tests {
			if t.Op != "is" && t.Op != "one_of" {
				continue
			}
			for _, m := range t.Terms {
				if r, ok := s.resolve(m); ok {
					if text, ok := r.json.(string); ok {
						yield(a.At.String(), text)
					}
				}
			}
		}
	}
}
