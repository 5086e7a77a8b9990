package contract

import (
	"maps"
	"math/big"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/contract/derive"
	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/contract/pointer"
	"github.com/assaybench/assay/contract/prose"
)

// asked is a read that can be made on the seed.
type asked struct {
	tool   string
	args   map[string]any
	result any
	failed bool
	node   *bench.Node // nil of a read that asks nothing
	found  bool        // an agent can come to ask it
}

// seedLinter looks for what only the seed can tell.
type seedLinter struct {
	linter
	s     *scope
	reads []*asked
}

// LintSeed checks the contract against the seed: evidence that no read gives, literals that an agent could learn nowhere,
// answers that stand in the request or in a description. It makes every read that the contract pins.
func (c *Contract) LintSeed(x *Expected, reads Reads) []Lint {
	l := &seedLinter{linter: linter{c: c}, s: &scope{x: x, calls: map[string]*call{}}}
	l.gather(reads)
	for _, v := range c.Investigations {
		l.evidence(v)
	}
	l.discoverable()
	l.literals()
	l.leaks()
	return l.lints
}

// gather makes every read whose arguments the contract pins, each once.
func (l *seedLinter) gather(reads Reads) {
	seen := map[string]bool{}
	try := func(n *bench.Node, tool string, args []Arg) {
		m, ok := l.pinnedArgs(args)
		key := tool + "\x00" + exact.Text(m)
		if !ok || seen[key] || !l.c.reads(tool) {
			return
		}
		seen[key] = true
		a := &asked{tool: tool, args: m, node: n}
		raw, err := reads.Read(tool, jsontext.Value(exact.JSON(m)))
		if err == nil {
			a.result, err = exact.Decode(raw)
		}
		a.failed = err != nil
		l.reads = append(l.reads, a)
	}
	for _, in := range l.c.Inputs {
		try(in.node, in.Tool, in.Args)
	}
	for _, v := range l.c.Investigations {
		for _, s := range v.AnyOf {
			try(s.node, s.Tool, s.Args)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(l.c.tools)) { // lists, and the brief, that anybody can ask for
		if m, ok := l.c.tools[name].input.(map[string]any); ok {
			if need, _ := m["required"].([]any); len(need) == 0 {
				try(nil, name, nil)
			}
		}
	}
}

// discoverable finds reads whose arguments an agent could not come to know: each must stand in the request, in a schema, or
// in the result of a read that can itself be come to.
func (l *seedLinter) discoverable() {
	for more := true; more; {
		more = false
		for _, a := range l.reads {
			if !a.found && l.askable(a) {
				a.found, more = true, true
			}
		}
	}
	for _, a := range l.reads {
		if !a.found {
			l.fault("undiscoverable", a.node, "an agent could not know what to ask %s: %s stands neither in the request nor in any read that leads here", a.tool, l.unknown(a))
		}
	}
}

func (l *seedLinter) askable(a *asked) bool { return l.unknown(a) == "" }

// unknown gives the first argument that an agent cannot know yet.
func (l *seedLinter) unknown(a *asked) string {
	t := l.c.tools[a.tool]
	for _, k := range slices.Sorted(maps.Keys(a.args)) {
		sub, _, _ := schemaAt(t.input, pointer.Pointer{{Name: k}})
		out := ""
		optional := !needs(t.input, k)
		exact.Scalars(a.args[k], func(v any) {
			if optional && ofSpan(v) {
				return // how much to list and from when is anybody's choice
			}
			if out == "" && !l.known(v, sub, func(b *asked) bool { return b.found }) {
				out = k + " " + exact.Text(v)
			}
		})
		if out != "" {
			return out
		}
	}
	return ""
}

// needs says whether a schema requires a property.
func needs(schema any, name string) bool {
	m, _ := schema.(map[string]any)
	list, _ := m["required"].([]any)
	return slices.ContainsFunc(list, func(v any) bool { return v == any(name) })
}

// ofSpan says whether a value is a number or a date.
func ofSpan(v any) bool {
	switch x := v.(type) {
	case *big.Rat:
		return true
	case string:
		_, ok := derive.ParseDay(x)
		return ok
	}
	return false
}

// pinnedArgs gives the arguments when each is pinned to one value.
func (l *seedLinter) pinnedArgs(args []Arg) (map[string]any, bool) {
	m := map[string]any{}
	for _, a := range args {
		if len(a.Want.Tests) != 1 || a.Want.Tests[0].Op != "is" || a.At.Stars() > 0 || len(a.At) == 0 {
			return nil, false
		}
		v, ok := l.s.resolve(a.Want.Tests[0].Terms[0])
		if !ok {
			return nil, false
		}
		put(m, a, v.json)
	}
	return m, true
}

// evidence wants one way at least to establish what must be established.
func (l *seedLinter) evidence(v *Investigation) {
	tried := false
	for _, s := range v.AnyOf {
		for _, a := range l.reads {
			if a.tool != s.Tool || !pattern(s.Args, l.s).Match(a.args) {
				continue
			}
			tried = true
			if s.Refused != "" && a.failed || s.Refused == "" && !a.failed && pattern(s.Result, l.s).Match(a.result) {
				return
			}
		}
	}
	if !tried {
		l.warn("unproved", v.node, "no read that the contract pins could show %q; pin the arguments, or make an input of it", v.ID)
		return
	}
	l.fault("unreachable", v.node, "no read on the seed gives the evidence that %q asks for; correct the selector or the seed", v.ID)
}

// literals finds figures, names and texts that an episode must give and that stand neither in the request, nor in a schema,
// nor in any read.
func (l *seedLinter) literals() {
	for _, ch := range l.c.Changes {
		t := l.c.tools[ch.Tool]
		for _, a := range ch.Args {
			var sub any
			if t != nil {
				sub, _, _ = schemaAt(t.input, a.At)
			}
			for _, test := range a.Want.Tests {
				if test.Op != "is" && test.Op != "contains" {
					continue
				}
				for _, m := range test.Terms {
					l.revealed(m, sub, "the change "+ch.ID)
				}
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
