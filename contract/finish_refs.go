package contract

import (
	"slices"
	"strings"

	"github.com/assaybench/assay/bench"
)

// refs checks the names that terms speak of. changes are the changes whose results may be spoken of.
func (p *parser) refs(terms []Term, changes []string, which string) {
	for _, t := range terms {
		if t.Ref == "" || p.c.refers(t.Ref) {
			continue
		}
		head, _, dotted := strings.Cut(t.Ref, ".")
		if dotted && slices.Contains(changes, head) {
			continue
		}
		if dotted && p.c.change(head) != nil {
			if which == "" {
				which = "no change"
			}
			p.fail(t.node.Errorf("%q cannot be used here, where only inputs, derivations, options and %s can", t.Ref, which))
			continue
		}
		known := append(p.c.Program.Names(), "chosen.id", "chosen.outcome", "chosen.cost")
		p.fail(t.node.Errorf("there is no value %q%s", t.Ref, bench.Nearest(t.Ref, known)))
	}
}

// refers says whether a name is that of an input, a derivation, or a part of an option.
func (c *Contract) refers(name string) bool {
	if c.Program.Has(name) {
		return true
	}
	head, part, dotted := strings.Cut(name, ".")
	if !dotted || c.Decision == nil && head == "chosen" {
		return false
	}
	for _, o := range c.Options {
		if head != o.ID && head != "chosen" {
			continue
		}
		if part != "id" && part != "authority" && !c.Program.Has(o.ID+"."+part) {
			return false
		}
		if head == o.ID {
			return true
		}
	}
	return head == "chosen" && len(c.Options) > 0
}

func (c *Contract) change(id string) *Change {
	for _, ch := range c.Changes {
		if ch.ID == id {
			return ch
		}
	}
	return nil
}

func argTerms(args []Arg) []Term {
	var out []Term
	for _, a := range args {
		out = append(out, a.Want.terms()...)
	}
	return out
}

func pinTerms(pins []Pin) []Term {
	var out []Term
	for _, a := range pins {
		out = append(out, a.Want.terms()...)
	}
	return out
}

func factTerms(facts []Fact) []Term {
	out := make([]Term, len(facts))
	for i, f := range facts {
		out[i] = f.Term
	}
	return out
}
