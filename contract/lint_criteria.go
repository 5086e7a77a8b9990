package contract

import (
	"maps"
	"slices"
	"strings"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/contract/derive"
	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/contract/pointer"
	"github.com/assaybench/assay/contract/prose"
)

// proseNames are arguments and columns that people write sentences into.
var proseNames = []string{"body", "comment", "comments", "description", "details", "memo", "message", "note", "notes", "purpose", "reason", "remarks", "subject", "summary", "text", "title"}

// freeText finds exact comparison with a text that an agent words by itself.
func (l *linter) freeText(p *Predicate, name string, bound bool) {
	if bound {
		return
	}
	last := name[strings.LastIndexByte(name, '/')+1:]
	for _, t := range p.Tests {
		if t.Op != "is" && t.Op != "one_of" {
			continue
		}
		for _, m := range t.Terms {
			s, ok := m.Literal.(string)
			if m.Ref != "" || !ok || s == "" || strings.Contains(prepare(l.c.task.Request), prepare(s)) {
				continue
			}
			if n := prose.Lettered(s); n >= 3 || n >= 1 && slices.Contains(proseNames, last) {
				l.fault("exact-free-text", m.node, "%s is compared word for word with a text that the agent words by itself; name its facts with contains, or a least length with {text: {min_words: …}}", strings.TrimPrefix(name, "/"))
			}
		}
	}
}

func (l *linter) message(m *Message) {
	t := l.c.tools[l.c.change(m.Change).Tool]
	if t == nil {
		return
	}
	at := pointer.Pointer{{Name: m.Body}}
	if _, found, _ := schemaAt(t.input, at); !found {
		l.errs = append(l.errs, m.node.Get("body").Errorf("%s has no argument %q%s", t.Name, m.Body, bench.Nearest(m.Body, properties(t.input))))
	}
	if m.Column != nil {
		l.column(m.node.Get("column"), m.Column.Table, m.Column.Column)
	}
}

// twice finds criteria that ask the same.
func (l *linter) twice() {
	seen := map[string]string{}
	same := func(n *bench.Node, kind, id, print string) {
		if prev, ok := seen[kind+print]; ok {
			l.fault("same-criterion", n, "%s %q asks exactly what %q asks; keep one", kind, id, prev)
			return
		}
		seen[kind+print] = id
	}
	for _, v := range l.c.Investigations {
		same(v.node, "the investigation", v.ID, fingerprint(v.node, "any_of", "before"))
	}
	for _, v := range l.c.Changes {
		same(v.node, "the change", v.ID, fingerprint(v.node, "tool", "args", "rows"))
	}
	for _, v := range l.c.Readbacks {
		same(v.node, "the readback", v.ID, fingerprint(v.node, "after", "any_of", "tool", "args", "identity", "result"))
	}
	for _, v := range l.c.Messages {
		same(v.node, "the message", v.ID, fingerprint(v.node, "change", "to", "body", "facts", "forbid", "form"))
	}
}

func fingerprint(n *bench.Node, keys ...string) string {
	m := map[string]any{}
	for _, k := range keys {
		if v := n.Get(k); v != nil {
			m[k] = exact.FromNode(v)
		}
	}
	return exact.Text(m)
}

// unused finds inputs and derivations that decide nothing, inputs that no investigation asks for, and investigations that
// feed nothing.
func (l *linter) unused() {
	c := l.c
	reach := map[string]bool{}
	for _, name := range c.Program.Reach(c.roots()...) {
		reach[name] = true
	}
	for _, in := range c.Inputs {
		if !reach[in.Name] {
			l.warn("unused-input", in.node, "nothing that is judged stands on the input %q; use it or leave it out", in.Name)
		}
	}
	for _, d := range c.Derivations {
		if !reach[d.Name] {
			l.warn("unused-derivation", d.node, "nothing that is judged stands on the derivation %q; use it or leave it out", d.Name)
		}
	}
	for _, name := range c.Program.Names() {
		if x := c.Program.Expr(name); x != nil && name != AsOf {
			x.Walk(func(e *derive.Expr) {
				if e.Op == "const" && e.Const.Kind() == derive.Date && e.Const.String() == c.task.AsOf {
					l.warn("const-as-of", e.Node(), "the constant %s is the task's own day, and goes stale when that moves; write as_of", c.task.AsOf)
				}
			})
		}
	}
	fed := map[string]bool{}
	for _, v := range c.Investigations {
		if len(v.Feeds) == 0 {
			l.warn("feeds-nothing", v.node, "the investigation %q feeds no derivation; name those that stand on it under feeds", v.ID)
		}
		for _, name := range c.Program.Reach(v.Feeds...) {
			fed[name] = true
		}
	}
	for _, in := range c.Inputs {
		if reach[in.Name] && !fed[in.Name] {
			l.warn("unfed", in.node, "no investigation feeds what stands on the input %q: it could be guessed without a read", in.Name)
		}
	}
}

// terms gives every term that criteria hold.
func (c *Contract) terms() []Term {
	var terms []Term
	for _, v := range c.Investigations {
		for _, s := range v.AnyOf {
			terms = append(append(terms, argTerms(s.Args)...), argTerms(s.Result)...)
		}
	}
	for _, ch := range c.Changes {
		terms = append(terms, argTerms(ch.Args)...)
		for _, r := range ch.Rows {
			terms = append(terms, pinTerms(r.Pins)...)
		}
	}
	for _, r := range c.Readbacks {
		for _, k := range r.AnyOf {
			terms = append(append(terms, argTerms(k.Selector.Args)...), argTerms(k.Selector.Result)...)
		}
	}
	for _, m := range c.Messages {
		terms = append(append(terms, factTerms(m.Facts)...), factTerms(m.Forbid)...)
	}
	for _, a := range c.Containment {
		terms = append(append(terms, pinTerms(a.Key)...), pinTerms(a.Values)...)
	}
	for _, r := range c.Answer {
		if r.Term != nil {
			terms = append(terms, *r.Term)
		}
		terms = append(append(terms, factTerms(r.Facts)...), factTerms(r.Forbid)...)
	}
	return terms
}

// roots gives the names that criteria speak of.
func (c *Contract) roots() []string {
	terms := c.terms()
	var out []string
	for _, t := range terms {
		if t.Ref != "" {
			out = append(out, t.Ref)
		}
	}
	for _, o := range c.Options { // the decision stands on every option
		for _, name := range []string{o.Outcome, o.Cost, o.Limit, o.Supported} {
			if name != "" {
				out = append(out, name)
			}
		}
		out = append(out, slices.Sorted(maps.Values(o.Measures))...)
	}
	return out
}
