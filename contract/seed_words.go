package contract

import (
	"slices"
	"strings"

	"github.com/assaybench/assay/contract/pointer"
	"github.com/assaybench/assay/contract/prose"
	"github.com/assaybench/assay/world"
)

func columnPointer(name string) pointer.Pointer { return pointer.Pointer{{Name: name}} }

// worded finds texts that the contract makes up by derivations and then compares word for word: a sentence is no fact, wherever it
// was written. A text that the request or a read shows whole may be compared.
func (l *seedLinter) worded() {
	for _, ch := range l.c.Changes {
		t := l.c.tools[ch.Tool]
		if t == nil {
			continue
		}
		for _, a := range ch.Args {
			sub, _, _ := schemaAt(t.input, a.At)
			l.madeUp(a.Want, a.At.String(), constrained(sub))
		}
		for _, r := range ch.Rows {
			for _, p := range r.Pins {
				l.madeUp(p.Want, p.Column, false)
			}
		}
	}
	for _, r := range l.c.Answer {
		if (r.Field.Type == TextField || r.Field.Type == NoneField) && r.Term != nil {
			l.madeUp(&Predicate{Tests: []Test{{Op: "is", Terms: []Term{*r.Term}}}}, "text", false)
		}
		l.longFacts(r.Facts)
	}
	for _, m := range l.c.Messages {
		l.longFacts(m.Facts)
	}
}

// mostFact is from how many words on a derived fact is a sentence of its own.
const mostFact = 6

func (l *seedLinter) longFacts(facts []Fact) {
	for _, f := range facts {
		l.madeUp(&Predicate{Tests: []Test{{Op: "contains", Terms: []Term{f.Term}}}}, "", false)
	}
}

func (l *seedLinter) madeUp(p *Predicate, name string, bound bool) {
	last := name[strings.LastIndexByte(name, '/')+1:]
	for _, t := range p.Tests {
		if bound || t.Op != "is" && t.Op != "one_of" && t.Op != "contains" {
			continue
		}
		for _, m := range t.Terms {
			v, ok := l.s.resolve(m)
			s, isText := v.json.(string)
			if m.Ref == "" || !ok || !isText || l.known(s, nil, func(*asked) bool { return true }) {
				continue
			}
			n := prose.Lettered(s)
			if t.Op == "contains" && n >= mostFact || t.Op != "contains" && (n >= 3 || n >= 1 && slices.Contains(proseNames, last)) {
				l.fault("exact-free-text", m.node, "%s is a text that the contract makes up (%s), and the agent words its own; name its facts one by one", m.Ref, clip(s))
			}
		}
	}
}

// routes finds investigations that take a file by a tool of the world alone, where the program's own tool shows the same file:
// whoever reads it there, as a resource or in the console, would have read nothing.
func (l *seedLinter) routes(v *Investigation) {
	if slices.ContainsFunc(v.AnyOf, func(s *Selector) bool { return s.Tool == world.ToolEvidence }) {
		return
	}
	for _, s := range v.AnyOf {
		for _, a := range l.reads {
			if a.failed || a.tool != s.Tool || !pattern(s.Args, l.s).Match(a.args) || !pattern(s.Result, l.s).Match(a.result) {
				continue
			}
			if path := l.sameFile(a); path != "" {
				l.warn("one-route", v.node, "%q counts only when it is read by %s, and %s shows the same file, as do the MCP resource and the console: add {tool: %s, args: {path: %s}, result: …} to any_of", v.ID, s.Tool, world.ToolEvidence, world.ToolEvidence, path)
				return
			}
		}
	}
}

// sameFile gives the path of an evidence file whose text stands in a read's result, "" for none.
func (l *seedLinter) sameFile(a *asked) string {
	for _, e := range l.reads {
		file, ok := e.result.(map[string]any)
		if e.tool != world.ToolEvidence || e.failed || !ok {
			continue
		}
		text := strings.TrimSpace(plain(file["text"]))
		found := false
		eachText(a.result, func(s string) {
			found = found || text != "" && strings.TrimSpace(s) == text || s == plain(file["sha256"])
		})
		if found {
			return plain(file["path"])
		}
	}
	return ""
}

func eachText(v any, yield func(string)) {
	switch x := v.(type) {
	case string:
		yield(x)
	case []any:
		for _, e := range x {
			eachText(e, yield)
		}
	case map[string]any:
		for _, e := range x {
			eachText(e, yield)
		}
	}
}
