package contract

import (
	"fmt"
	"maps"
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
		p.fail(t.node.Errorf("there is no value %q%s", t.Ref, p.known(t.Ref, changes)))
	}
}

// known says what a name could have meant: the parts of an option, the changes and options that have parts, or what is named by
// one word alone.
func (p *parser) known(ref string, changes []string) string {
	c := p.c
	head, _, dotted := strings.Cut(ref, ".")
	parts := map[string][]string{}
	for _, o := range c.Options {
		own := []string{"id", "authority"}
		for _, name := range c.Program.Names() {
			if last, ok := strings.CutPrefix(name, o.ID+"."); ok {
				own = append(own, last)
			}
		}
		for _, last := range own {
			parts[o.ID] = append(parts[o.ID], o.ID+"."+last)
			if c.Decision != nil && !slices.Contains(parts["chosen"], "chosen."+last) {
				parts["chosen"] = append(parts["chosen"], "chosen."+last)
			}
		}
	}
	if dotted && parts[head] != nil {
		return bench.Nearest(ref, parts[head])
	}
	heads := append(slices.Clone(changes), slices.Sorted(maps.Keys(parts))...)
	if dotted {
		if len(heads) == 0 {
			return fmt.Sprintf(": nothing that has parts is called %q, since the contract has no options, and no change can be named here", head)
		}
		return fmt.Sprintf(": no change or option is called %q%s", head, bench.Nearest(head, heads))
	}
	if slices.Contains(heads, ref) {
		return "; it has parts: name one, as " + ref + ".NAME"
	}
	names := slices.DeleteFunc(c.Program.Names(), func(s string) bool { return strings.Contains(s, ".") })
	for _, h := range heads {
		names = append(names, h+".NAME")
	}
	return bench.Nearest(ref, names)
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
