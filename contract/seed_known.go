package contract

import (
	"math/big"
	"slices"
	"strings"

	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/contract/pointer"
	"github.com/assaybench/assay/contract/prose"
)

// literals finds figures, names and texts that an episode must give and that stand neither in the request, nor in a schema or
// a description, nor in any read.
func (l *seedLinter) literals() {
	for _, ch := range l.c.Changes {
		t := l.c.tools[ch.Tool]
		if t == nil {
			continue
		}
		for _, a := range ch.Args {
			sub, _, _ := schemaAt(t.input, a.At)
			l.destination(a.Want, sub, "the change "+ch.ID, true)
		}
		for _, r := range ch.Rows {
			for _, p := range r.Pins {
				sub, given, known := schemaAt(t.input, pointer.Pointer{{Name: p.Column}})
				given = given && known
				if !given && !slices.ContainsFunc(p.Want.terms(), func(m Term) bool { return strings.ContainsAny(plain(m.Literal), "0123456789") }) {
					continue // what the tool itself writes, such as a state
				}
				l.destination(p.Want, sub, "the "+r.Op+" of "+r.Table+" by the change "+ch.ID, given)
			}
		}
	}
	for _, m := range l.c.Messages {
		for _, f := range m.Facts {
			l.revealed(f.Term, nil, "the message "+m.ID)
		}
	}
	for _, r := range l.c.Answer {
		if r.Term != nil && !slices.Contains(r.Field.Values, plain(r.Term.Literal)) {
			l.revealed(*r.Term, nil, "the answer "+r.Field.Name)
		}
		for _, f := range r.Facts {
			l.revealed(f.Term, nil, "the answer "+r.Field.Name)
		}
	}
}

// destination checks what an argument or a column must be; of several that will do, one that can be known is enough. Where the
// agent does not give the value itself (a column that no argument is called by), the tool may make it, and it is a warning.
func (l *seedLinter) destination(p *Predicate, schema any, what string, given bool) {
	for _, test := range p.Tests {
		if test.Op != "is" && test.Op != "contains" && test.Op != "one_of" {
			continue
		}
		if test.Op == "one_of" && slices.ContainsFunc(test.Terms, func(m Term) bool { return m.Ref != "" || l.knowable(m.Literal, schema) }) {
			continue
		}
		for _, m := range test.Terms {
			if given {
				l.revealed(m, schema, what)
			} else if m.Ref == "" && !l.knowable(m.Literal, schema) {
				l.warn("unrevealed", m.node, "%s must hold %s, which stands neither in the request nor in any read that the contract makes; where the agent has to give it, it could not know it", what, exact.Text(m.Literal))
			}
		}
	}
}

func (l *seedLinter) knowable(v, schema any) bool {
	yes := true
	exact.Scalars(v, func(v any) { yes = yes && l.known(v, schema, func(*asked) bool { return true }) })
	return yes
}

func plain(v any) string { s, _ := v.(string); return s }

func (l *seedLinter) revealed(m Term, schema any, what string) {
	if m.Ref != "" {
		return
	}
	exact.Scalars(m.Literal, func(v any) {
		if l.known(v, schema, func(*asked) bool { return true }) {
			return
		}
		l.fault("unrevealed", m.node, "%s must give %s, which stands neither in the request nor in any read that the contract makes: an agent could not know it; derive it from an input", what, exact.Text(v))
	})
}

// known says whether an agent can see a value: in the request, in a schema that lists it, or in a result.
func (l *seedLinter) known(v, schema any, of func(*asked) bool) bool {
	if slices.ContainsFunc(enumOf(schema), func(e any) bool { return exact.Equal(e, v) }) {
		return true
	}
	switch v.(type) {
	case nil, bool:
		return true // one of two: nothing to learn
	}
	in := func(s string) bool {
		if w, ok := v.(string); ok {
			return prose.Contains(s, w)
		}
		r, ok := v.(*big.Rat)
		return ok && prose.Mentioned(prose.Prepare(s), prose.Fact{Number: r})
	}
	if in(l.c.task.Request) {
		return true
	}
	for _, t := range l.c.tools {
		if in(t.text) {
			return true
		}
	}
	found := false
	for _, a := range l.reads {
		if !of(a) {
			continue
		}
		exact.Scalars(a.result, func(got any) {
			s, isText := got.(string)
			found = found || exact.Equal(got, v) || isText && in(s)
		})
	}
	return found
}
