package contract

import (
	"maps"
	"math/big"
	"slices"

	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/contract/pointer"
)

const (
	maxSamples = 8 // values of an argument that are tried
	nowhere    = "zz-no-such-record"
)

// sampler makes further reads of a tool, to see what a predicate does on other records.
type sampler struct {
	l      *seedLinter
	reads  Reads
	values map[string][]string // texts that results hold, by the name of their field
	made   map[string][]*asked // by tool
}

// strong holds each selector against other records of the same tool, and against a question that finds nothing. What holds of
// every record, or where nothing is, proves nothing.
func (l *seedLinter) strong(reads Reads) {
	p := &sampler{l: l, reads: reads, values: map[string][]string{}, made: map[string][]*asked{}}
	p.learn()
	for _, v := range l.c.Investigations {
		for _, s := range v.AnyOf {
			if s.Refused == "" && len(s.Result) > 0 {
				l.proves(s, p)
			}
		}
	}
}

// proves finds selectors that any successful read would satisfy.
func (l *seedLinter) proves(s *Selector, p *sampler) {
	if slices.ContainsFunc(l.lints, func(k Lint) bool {
		return k.Code == "weak-selector" && k.Err.Line == s.node.Line && k.Err.Column == s.node.Column
	}) {
		return
	}
	all := p.of(s.Tool)
	for _, a := range all {
		if a.failed || !a.nothing() || !pattern(s.Args, l.s).Match(a.args) || !pattern(s.Result, l.s).Match(a.result) {
			continue
		}
		l.fault("weak-selector", s.node, "%s gives what the selector asks also where nothing is found (%s): it shows a call and no content; name a value of the record, or pin what is asked", s.Tool, clip(exact.Text(a.args)))
		return
	}
	solid, absent := false, false
	var loose []Arg
	for _, r := range s.Result {
		switch l.kind(r.Want, s) {
		case "solid":
			solid = true
		case "absent":
			absent = true
		case "loose":
			loose = append(loose, r)
		}
	}
	if solid || absent && s.asksSomething() {
		return
	}
	if absent {
		l.fault("weak-selector", s.node, "the selector of %s shows an absence without its question; pin the arguments that were asked", s.Tool)
		return
	}
	if len(loose) > 0 && !slices.ContainsFunc(loose, func(r Arg) bool { return l.canFail(r, all) }) {
		l.fault("weak-selector", s.node, "what the selector of %s asks of %s holds of every record that the seed has: it cannot fail, and shows a call and no content; name a value", s.Tool, loose[0].At)
	}
}

// kind says what a predicate proves on the seed: a value that came back (solid), an absence, a bound (loose), or nothing.
func (l *seedLinter) kind(p *Predicate, s *Selector) string {
	out := ""
	for _, t := range p.Tests {
		switch t.Op {
		case "empty", "absent":
			return "absent"
		case "lt", "le", "gt", "ge", "one_of":
			if !slices.ContainsFunc(t.Terms, func(m Term) bool { return s.holds(m) }) {
				out = "loose"
			}
		case "is", "contains":
			v, ok := l.s.resolve(t.Terms[0])
			if ok && t.Op == "is" && (&Predicate{Tests: []Test{{Op: "is", Terms: []Term{{Literal: v.json}}}}}).absence() {
				return "absent"
			}
			if !slices.ContainsFunc(t.Terms, func(m Term) bool { return s.holds(m) }) {
				return "solid"
			}
		}
	}
	return out
}

// canFail says whether a predicate is false of some other record. Where the seed has one value only, a number is held against
// nought; another value is taken on trust.
func (l *seedLinter) canFail(r Arg, all []*asked) bool {
	var values []any
	for _, a := range all {
		if a.failed {
			continue
		}
		got := []any{}
		if r.At.Stars() > 0 {
			got = r.At.All(a.result)
		} else if v, ok := r.At.Get(a.result); ok {
			got = append(got, v)
		}
		for _, v := range got {
			if v != nil && !slices.ContainsFunc(values, func(w any) bool { return exact.Equal(v, w) }) {
				values = append(values, v)
			}
		}
	}
	if slices.ContainsFunc(values, func(v any) bool { return !r.Want.holds(v, true, l.s, inJSON) }) {
		return true
	}
	if len(values) != 1 {
		return false
	}
	_, number := values[0].(*big.Rat)
	return !number || !r.Want.holds(new(big.Rat), true, l.s, inJSON)
}

// nothing says whether a question was made so that it finds nothing.
func (a *asked) nothing() bool {
	found := false
	exact.Scalars(a.args, func(v any) { found = found || v == nowhere })
	return found
}

// learn gathers what fields hold, from what was read and from searches for anything.
func (p *sampler) learn() {
	for _, a := range p.l.reads {
		p.keep(a)
	}
	for _, name := range slices.Sorted(maps.Keys(p.l.c.tools)) {
		if !p.l.c.reads(name) {
			continue
		}
		args := map[string]any{}
		ok := true
		for _, k := range required(p.l.c.tools[name].input) {
			sub, _, _ := schemaAt(p.l.c.tools[name].input, columnPointer(k))
			ok = ok && slices.Equal(typesOf(sub), []string{"string"}) && !constrained(sub)
			args[k] = ""
		}
		if ok && len(args) > 0 {
			p.keep(p.l.ask(p.reads, name, args, nil))
		}
	}
}

func (p *sampler) keep(a *asked) {
	if a.failed {
		return
	}
	p.made[a.tool] = append(p.made[a.tool], a)
	var walk func(name string, v any)
	walk = func(name string, v any) {
		switch x := v.(type) {
		case string:
			if len(p.values[name]) < maxSamples && x != "" && !slices.Contains(p.values[name], x) {
				p.values[name] = append(p.values[name], x)
			}
		case []any:
			for _, e := range x {
				walk(name, e)
			}
		case map[string]any:
			for _, k := range slices.Sorted(maps.Keys(x)) {
				walk(k, x[k])
			}
		}
	}
	walk("", a.result)
}

func required(schema any) []string {
	m, _ := schema.(map[string]any)
	list, _ := m["required"].([]any)
	var out []string
	for _, v := range list {
		if s, ok := v.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

// of gives what a tool answers on the seed: to the contract's own questions, to those questions with one name put for another of
// its kind, and to questions that find nothing.
func (p *sampler) of(tool string) []*asked {
	key := "all " + tool
	if list, ok := p.made[key]; ok {
		return list
	}
	t := p.l.c.tools[tool]
	out := slices.Clone(p.made[tool])
	seen := map[string]bool{}
	var bases []map[string]any
	for _, a := range out {
		seen[exact.Text(a.args)] = true
		bases = append(bases, a.args)
	}
	names := properties(t.input)
	if len(bases) == 0 {
		base := map[string]any{}
		for _, k := range required(t.input) {
			base[k] = nowhere
		}
		bases = append(bases, base)
	}
	for i, base := range bases[:min(len(bases), 3)] {
		for _, k := range names {
			sub, _, _ := schemaAt(t.input, pointer.Pointer{{Name: k}})
			if !slices.Contains(typesOf(sub), "string") || enumOf(sub) != nil {
				continue
			}
			for _, v := range append(slices.Clone(p.values[k]), nowhere) {
				m := maps.Clone(base)
				m[k] = v
				if text := exact.Text(m); !seen[text] {
					seen[text] = true
					a := p.l.ask(p.reads, tool, m, nil)
					if v == nowhere && i < len(p.made[tool]) && !a.failed && exact.Equal(a.result, p.made[tool][i].result) {
						continue // the argument makes no difference to the tool, so that it asks nothing
					}
					out = append(out, a)
				}
			}
		}
	}
	p.made[key] = out
	return out
}
