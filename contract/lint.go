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

// Format prints a lint as its one line: it is for the author, whose contract it is.
func (l Lint) Format(f fmt.State, _ rune) { fmt.Fprint(f, l.String()) }

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
		k.text = t.Description + "\n" + descriptions(k.input) + "\n" + descriptions(k.output)
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
			l.identity(r, k)
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
	for _, r := range c.Answer {
		if (r.Field.Type == TextField || r.Field.Type == NoneField) && r.Term != nil {
			l.freeText(&Predicate{Tests: []Test{{Op: "is", Terms: []Term{*r.Term}}}}, "text", false)
		}
	}
	l.parts()
	if len(l.errs) == 0 {
		l.forms()
		l.looks()
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
