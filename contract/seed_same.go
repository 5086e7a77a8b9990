package contract

import (
	"slices"
	"strings"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/contract/exact"
)

// same finds criteria that ask what another asks already, by what they mean: values in place of their names, arguments in any order,
// a selector that another implies. What is written alike was found without the seed.
func (l *seedLinter) same() {
	c := l.c
	twice := func(n *bench.Node, kind, id, prev string) {
		l.fault("same-criterion", n, "%s %q asks nothing that %q does not ask; keep one", kind, id, prev)
	}
	for i, v := range c.Investigations {
		for _, o := range c.Investigations[:i] {
			if fingerprint(v.node, "any_of", "before") != fingerprint(o.node, "any_of", "before") && (l.implied(v, o) || l.implied(o, v)) {
				twice(v.node, "the investigation", v.ID, o.ID)
				break
			}
		}
	}
	for i, v := range c.Changes {
		for _, o := range c.Changes[:i] {
			if fingerprint(v.node, "tool", "args", "rows") != fingerprint(o.node, "tool", "args", "rows") && l.changePrint(v) == l.changePrint(o) {
				twice(v.node, "the change", v.ID, o.ID)
				break
			}
		}
	}
	looks := []string{"after", "any_of", "tool", "args", "identity", "result"}
	for i, v := range c.Readbacks {
		for _, o := range c.Readbacks[:i] {
			if fingerprint(v.node, looks...) != fingerprint(o.node, looks...) && v.After == o.After && l.lookPrint(v) == l.lookPrint(o) {
				twice(v.node, "the readback", v.ID, o.ID)
				break
			}
		}
	}
	parts := []string{"change", "to", "body", "facts", "forbid", "form"}
	for i, v := range c.Messages {
		for _, o := range c.Messages[:i] {
			if fingerprint(v.node, parts...) != fingerprint(o.node, parts...) && v.Change == o.Change && v.Body == o.Body &&
				l.factPrint(v.Facts) == l.factPrint(o.Facts) && l.factPrint(v.Forbid) == l.factPrint(o.Forbid) {
				twice(v.node, "the message", v.ID, o.ID)
				break
			}
		}
	}
	l.sameAnswers()
	l.sameAllowances()
}

// sameAnswers finds two fields of one value: whoever has the one has the other.
func (l *seedLinter) sameAnswers() {
	seen := map[string]string{}
	for _, r := range l.c.Answer {
		if r.Term == nil {
			continue
		}
		key := l.meaning(r.Term.Ref)
		if list, ok := r.Term.Literal.([]any); ok && len(list) > 0 {
			key = "the list " + exact.Text(list)
		}
		if key == "" {
			continue
		}
		if prev, ok := seen[key]; ok {
			l.fault("same-criterion", r.node, "the answer's fields %q and %q are one value; ask for it once", prev, r.Field.Name)
			continue
		}
		seen[key] = r.Field.Name
	}
}

// meaning gives what a name comes to, whatever it is called: its expression where it has one.
func (l *seedLinter) meaning(ref string) string {
	for range 32 { // names of names
		x := l.c.Program.Expr(ref)
		if x == nil || x.Op != "name" {
			break
		}
		ref = x.Name
	}
	x := l.c.Program.Expr(ref)
	switch {
	case x == nil:
		return ref
	case len(l.c.Program.Inputs(ref)) == 0:
		return "" // a constant of its own: two options may both cost nothing
	}
	return exprText(x)
}

func (l *seedLinter) sameAllowances() {
	pins := func(list []Pin) string {
		var parts []string
		for _, p := range list {
			parts = append(parts, p.Column+"="+l.print(p.Want))
		}
		slices.Sort(parts)
		return strings.Join(parts, ";")
	}
	seen := map[string]bool{}
	for _, a := range l.c.Containment {
		key := strings.Join([]string{a.Table, a.Op, pins(a.Key), pins(a.Values)}, "\x00")
		if seen[key] {
			l.fault("same-criterion", a.node, "the %s of %s is allowed twice, which allows it twice as often; keep one, and count with most", a.Op, a.Table)
		}
		seen[key] = true
	}
}

// print says what a predicate asks, with values in place of names.
func (l *seedLinter) print(p *Predicate) string {
	var parts []string
	for _, t := range p.Tests {
		var terms []string
		for _, m := range t.Terms {
			if v, ok := l.s.resolve(m); ok {
				terms = append(terms, exact.Text(v.json))
			} else {
				terms = append(terms, "‹"+m.Ref+"›")
			}
		}
		slices.Sort(terms)
		parts = append(parts, t.Op+" "+strings.Join(terms, ",")+strings.Repeat("+", t.Words))
	}
	slices.Sort(parts)
	return strings.Join(parts, "&")
}

func (l *seedLinter) argPrints(args []Arg) []string {
	out := make([]string, len(args))
	for i, a := range args {
		out[i] = a.At.String() + "=" + l.print(a.Want)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (l *seedLinter) changePrint(ch *Change) string {
	parts := []string{ch.Tool, strings.Join(l.argPrints(ch.Args), ";")}
	var rows []string
	for _, r := range ch.Rows {
		var pins []Arg
		for _, p := range r.Pins {
			pins = append(pins, Arg{At: columnPointer(p.Column), Want: p.Want})
		}
		rows = append(rows, r.Table+" "+r.Op+" "+strings.Join(l.argPrints(pins), ";"))
	}
	slices.Sort(rows)
	return strings.Join(append(parts, rows...), "\x00")
}

func (l *seedLinter) lookPrint(r *Readback) string {
	var parts []string
	for _, k := range r.AnyOf {
		p := k.Selector.Tool + "\x00" + strings.Join(l.argPrints(k.Selector.Args), ";") + "\x00" + strings.Join(l.argPrints(k.Selector.Result), ";")
		var ids []string
		for _, id := range k.Identity {
			ids = append(ids, id.Read.String()+"="+id.Write.String())
		}
		slices.Sort(ids)
		parts = append(parts, p+"\x00"+strings.Join(ids, ";"))
	}
	slices.Sort(parts)
	return strings.Join(parts, "\x01")
}

func (l *seedLinter) factPrint(facts []Fact) string {
	var parts []string
	for _, f := range facts {
		parts = append(parts, l.print(&Predicate{Tests: []Test{{Op: "is", Terms: []Term{f.Term}}}}))
	}
	slices.Sort(parts)
	return strings.Join(slices.Compact(parts), ";")
}

// implied says whether whatever establishes o establishes v as well: each way of o asks all that some way of v asks.
func (l *seedLinter) implied(v, o *Investigation) bool {
	if v.Before != o.Before && v.Before != "answer" {
		return false
	}
	return !slices.ContainsFunc(o.AnyOf, func(b *Selector) bool {
		return !slices.ContainsFunc(v.AnyOf, func(a *Selector) bool {
			return a.Tool == b.Tool && a.Refused == b.Refused && subset(l.argPrints(a.Args), l.argPrints(b.Args)) && subset(l.argPrints(a.Result), l.argPrints(b.Result))
		})
	})
}

func subset(a, b []string) bool {
	return !slices.ContainsFunc(a, func(s string) bool { return !slices.Contains(b, s) })
}
