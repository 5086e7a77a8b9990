package contract

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/contract/pointer"
	"github.com/assaybench/assay/contract/prose"
	"github.com/assaybench/assay/world"
)

// Lint is something that an author should look at. A fault makes the task unfit to be published; a warning does not.
type Lint struct {
	sealed
	Code  string
	Fault bool
	Err   *bench.Error // file, line, and what to do
}

func (l *Lint) String() string { return l.Err.Error() + " [" + l.Code + "]" }

// linter checks a contract against a world.
type linter struct {
	c     *Contract
	errs  []error
	lints []Lint
}

func (l *linter) fault(code string, n *bench.Node, format string, args ...any) {
	l.lints = append(l.lints, Lint{Code: code, Fault: true, Err: n.Errorf(format, args...)})
}

func (l *linter) warn(code string, n *bench.Node, format string, args ...any) {
	l.lints = append(l.lints, Lint{Code: code, Err: n.Errorf(format, args...)})
}

// against checks names against the world and looks for what an author gets wrong.
func (c *Contract) against(w World) ([]Lint, error) {
	l := &linter{c: c}
	c.tools, c.tables = map[string]*tool{}, w.Tables()
	for _, t := range w.Tools() {
		k := &tool{Tool: t}
		for _, s := range []struct {
			raw []byte
			to  *any
		}{{t.Input, &k.input}, {t.Output, &k.output}} {
			if len(s.raw) == 0 {
				continue
			}
			v, err := exact.Decode(s.raw)
			if err != nil {
				return nil, fmt.Errorf("the schema of the tool %s: %w", t.Name, err)
			}
			*s.to = v
		}
		c.tools[t.Name] = k
	}
	for _, in := range c.Inputs {
		if t := l.tool(in.node, in.Tool); t != nil {
			if t.Write {
				l.errs = append(l.errs, in.node.Errorf("the input %q is read by %s, which writes; name a tool that reads", in.Name, in.Tool))
			}
			l.args(t, in.Args)
			l.place(t, in.At, in.node)
		}
	}
	for _, v := range c.Investigations {
		for _, s := range v.AnyOf {
			l.selector(s)
			l.strength(s)
		}
	}
	for _, ch := range c.Changes {
		l.change(ch)
	}
	for _, r := range c.Readbacks {
		for _, k := range r.AnyOf {
			l.selector(k.Selector)
			if len(k.Selector.Result) == 0 {
				l.fault("weak-readback", k.Selector.node, "the readback %q looks at no value of the record; name what must be seen under result", r.ID)
			}
		}
	}
	for _, m := range c.Messages {
		l.message(m)
	}
	for _, a := range c.Containment {
		l.columns(a.node, a.Table, a.Key)
		l.columns(a.node, a.Table, a.Values)
		for _, name := range a.Columns {
			l.column(a.node, a.Table, name)
		}
		if a.Op == world.Update && a.Columns == nil {
			l.warn("open-columns", a.node, "an update of %s may change any column; name those that may change under columns", a.Table)
		}
		if len(a.Key)+len(a.Values) == 0 && a.Most == 0 {
			l.fault("open-rows", a.node, "every %s of %s is allowed; pin the rows by key or values, or count them with most", a.Op, a.Table)
		}
	}
	l.twice()
	l.unused()
	if len(l.errs) > 0 {
		return nil, errors.Join(l.errs...)
	}
	slices.SortStableFunc(l.lints, func(a, b Lint) int { return cmp.Or(a.Err.Line-b.Err.Line, a.Err.Column-b.Err.Column) })
	return l.lints, nil
}

func (l *linter) tool(n *bench.Node, name string) *tool {
	t := l.c.tools[name]
	if t == nil {
		l.errs = append(l.errs, n.Errorf("the world has no tool %q%s", name, bench.Nearest(name, slices.Sorted(maps.Keys(l.c.tools)))))
	}
	return t
}

func (l *linter) selector(s *Selector) {
	if t := l.tool(s.node, s.Tool); t != nil {
		l.args(t, s.Args)
		for _, r := range s.Result {
			l.place(t, r.At, r.Want.node)
		}
	}
}

// args checks that a tool has the arguments, and that literals are of a type and value that it takes.
func (l *linter) args(t *tool, args []Arg) {
	for _, a := range args {
		sub, found, known := schemaAt(t.input, a.At)
		if !found {
			l.errs = append(l.errs, a.Want.node.Errorf("%s has no argument %q%s", t.Name, a.At, bench.Nearest(strings.TrimPrefix(a.At.String(), "/"), properties(t.input))))
			continue
		}
		if !known {
			continue
		}
		for _, test := range a.Want.Tests {
			if test.Op != "is" && test.Op != "one_of" {
				continue
			}
			for _, term := range test.Terms {
				if term.Ref == "" && !fits(sub, term.Literal) {
					l.errs = append(l.errs, term.node.Errorf("%s takes no %s as %s; write a value that its schema allows (a text of digits in quotes)", t.Name, exact.Text(term.Literal), a.At))
				}
			}
		}
	}
}

// place checks that a tool's result can have something there.
func (l *linter) place(t *tool, at pointer.Pointer, n *bench.Node) {
	if t.output == nil {
		return
	}
	if _, found, _ := schemaAt(t.output, at); !found {
		l.errs = append(l.errs, n.Errorf("the result of %s has nothing at %s; its schema has %s", t.Name, at, strings.Join(properties(t.output), ", ")))
	}
}

func (l *linter) columns(n *bench.Node, table string, pins []Pin) {
	for _, p := range pins {
		l.column(p.Want.node, table, p.Column)
	}
	if len(pins) == 0 {
		l.column(n, table, "")
	}
}

func (l *linter) column(n *bench.Node, table, column string) {
	t, ok := l.c.tables[table]
	switch {
	case !ok:
		l.errs = append(l.errs, n.Errorf("the world has no table %q%s", table, bench.Nearest(table, slices.Sorted(maps.Keys(l.c.tables)))))
	case column != "" && !slices.Contains(t.Columns, column):
		l.errs = append(l.errs, n.Errorf("the table %s has no column %q%s", table, column, bench.Nearest(column, t.Columns)))
	}
}

func (l *linter) change(ch *Change) {
	t := l.tool(ch.node, ch.Tool)
	if t == nil {
		return
	}
	if !t.Write {
		l.errs = append(l.errs, ch.node.Errorf("the change %q is made by %s, which only reads", ch.ID, ch.Tool))
	}
	l.args(t, ch.Args)
	for _, a := range ch.Args {
		sub, _, _ := schemaAt(t.input, a.At)
		l.freeText(a.Want, a.At.String(), constrained(sub))
	}
	for _, r := range ch.Rows {
		l.columns(r.node, r.Table, r.Pins)
		for _, p := range r.Pins {
			l.freeText(p.Want, p.Column, false)
		}
		if !slices.ContainsFunc(l.c.Containment, func(a *Allowance) bool { return a.Table == r.Table && a.Op == r.Op }) {
			l.fault("not-contained", r.node, "the %s of %s that the change %q must make is not allowed under containment: no episode could pass", r.Op, r.Table, ch.ID)
		}
	}
	if len(ch.Args) == 0 && len(ch.Rows) == 0 {
		l.fault("weak-change", ch.node, "any call of %s satisfies the change %q; pin its args or its rows", ch.Tool, ch.ID)
	}
}

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
			if n := prose.Words(s); n >= 3 || n >= 1 && slices.Contains(proseNames, last) {
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

// roots gives the names that criteria speak of.
func (c *Contract) roots() []string {
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
