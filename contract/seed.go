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
	"github.com/assaybench/assay/world"
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
		l.routes(v)
	}
	l.strong(reads)
	l.discoverable()
	l.literals()
	l.worded()
	l.same()
	l.leaks()
	return l.lints
}

// gather makes every read whose arguments the contract pins, each once; the lists and the brief that anybody can ask for; and every
// evidence file that the brief names.
func (l *seedLinter) gather(reads Reads) {
	seen := map[string]bool{}
	make1 := func(n *bench.Node, tool string, m map[string]any) {
		key := tool + "\x00" + exact.Text(m)
		if seen[key] || !l.c.reads(tool) {
			return
		}
		seen[key] = true
		l.reads = append(l.reads, l.ask(reads, tool, m, n))
	}
	try := func(n *bench.Node, tool string, args []Arg) {
		for _, m := range l.pinnedArgs(args) {
			make1(n, tool, m)
		}
	}
	for _, in := range l.c.Inputs {
		try(in.node, in.Tool, in.Args)
	}
	for _, v := range l.c.Investigations {
		for _, s := range v.AnyOf {
			try(s.node, s.Tool, s.Args)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(l.c.tools)) {
		if m, ok := l.c.tools[name].input.(map[string]any); ok {
			if need, _ := m["required"].([]any); len(need) == 0 {
				try(nil, name, nil)
			}
		}
	}
	for _, a := range l.reads {
		if a.tool != world.ToolContext {
			continue
		}
		for _, path := range (pointer.Pointer{{Name: "evidence"}, {Star: true}, {Name: "path"}}).All(a.result) {
			make1(nil, world.ToolEvidence, map[string]any{"path": path})
		}
	}
}

// ask makes a read on the seed.
func (l *seedLinter) ask(reads Reads, tool string, m map[string]any, n *bench.Node) *asked {
	a := &asked{tool: tool, args: m, node: n}
	raw, err := reads.Read(tool, jsontext.Value(exact.JSON(m)))
	if err == nil {
		a.result, err = exact.Decode(raw)
	}
	if brief, ok := a.result.(map[string]any); ok && tool == world.ToolContext {
		delete(brief, "answer") // the form of the answer is no fact of the world
	}
	a.failed = err != nil
	return a
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

// maxAlternatives bounds the questions that are made of one selector's one_of.
const maxAlternatives = 16

// pinnedArgs gives the arguments when each is pinned to one value or to one of several: a question for each.
func (l *seedLinter) pinnedArgs(args []Arg) []map[string]any {
	all := [][]any{}
	n := 1
	for _, a := range args {
		if len(a.Want.Tests) != 1 || a.Want.Tests[0].Op != "is" && a.Want.Tests[0].Op != "one_of" || a.At.Stars() > 0 || len(a.At) == 0 {
			return nil
		}
		var values []any
		for _, m := range a.Want.Tests[0].Terms {
			v, ok := l.s.resolve(m)
			if !ok {
				return nil
			}
			values = append(values, v.json)
		}
		all = append(all, values)
		n *= len(values)
		if n > maxAlternatives {
			return nil
		}
	}
	var out []map[string]any
	for k := range n {
		m := map[string]any{}
		for i, a := range args {
			put(m, a, all[i][k%len(all[i])])
			k /= len(all[i])
		}
		out = append(out, m)
	}
	return out
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
