package contract

import (
	"slices"
	"strings"
)

// onPath gives the names whose values lead to what is recommended and done: everything that the options' comparison stands
// on, and everything that a primary change must hold.
func (c *Contract) onPath() map[string]bool {
	var from []string
	for _, o := range c.Options {
		from = append(from, o.Outcome, o.Cost, o.Limit, o.Supported)
		if c.Decision == nil {
			continue
		}
		for _, by := range c.Decision.Order {
			from = append(from, o.Measures[strings.TrimPrefix(by, "-")])
		}
	}
	for _, ch := range c.Changes {
		if ch.Role != Primary {
			continue
		}
		terms := argTerms(ch.Args)
		for _, r := range ch.Rows {
			terms = append(terms, pinTerms(r.Pins)...)
		}
		for _, t := range terms {
			from = append(from, t.Ref)
		}
	}
	out := map[string]bool{}
	for _, name := range c.Program.Reach(slices.DeleteFunc(from, func(n string) bool { return !c.Program.Has(n) })...) {
		out[name] = true
	}
	return out
}

// PathFields gives the fields of the answer whose values stand on the path to the recommendation, in the answer's order.
// What the chosen option comes to is the end of that path.
func (c *Contract) PathFields() []string {
	path := c.onPath()
	var out []string
	for _, r := range c.Answer {
		if r.Term == nil || r.Free {
			continue
		}
		head, _, _ := strings.Cut(r.Term.Ref, ".")
		option := slices.ContainsFunc(c.Options, func(o *Option) bool { return o.ID == head })
		if path[r.Term.Ref] || head == "chosen" || option && c.refers(r.Term.Ref) {
			out = append(out, r.Field.Name)
		}
	}
	return out
}
