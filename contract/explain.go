package contract

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assaybench/assay/contract/derive"
	"github.com/assaybench/assay/contract/exact"
)

// Explain says the contract in words, a line each, in the order in which it is judged. With expected values (they may be
// nil) names are followed by what they come to. The text is sealed, as everything here: it is for authors and reviewers.
func Explain(c *Contract, x *Expected) []string {
	e := &explainer{c: c, x: x}
	if x != nil {
		e.s = &scope{x: x, calls: map[string]*call{}}
	}
	for _, in := range c.Inputs {
		e.say("%s is read from %s%s at %s%s", in.Name, in.Tool, e.args(" where ", in.Args), pathText(in.At.String())+in.In.String(), e.value(in.Name))
	}
	if slices.Contains(c.Program.Reach(c.roots()...), AsOf) {
		e.say("%s is the day of the task%s", AsOf, e.value(AsOf))
	}
	for _, d := range c.Derivations {
		filled := ""
		if d.Answer != "" {
			filled = ", which is the answer's " + d.Answer
		}
		e.say("%s is %s%s%s", d.Name, exprText(c.Program.Expr(d.Name)), filled, e.value(d.Name))
	}
	e.options()
	for _, v := range c.Investigations {
		what := "before the first change of the world"
		if v.Before == "answer" {
			what = "before the answer"
		}
		for i, s := range v.AnyOf {
			if i == 0 {
				e.say("evidence %s (weight %s): %s, read %s, by %s", v.ID, e.weight("investigation."+v.ID), v.Says, what, e.selector(s))
			} else {
				e.say("  or by %s", e.selector(s))
			}
		}
	}
	for _, ch := range c.Changes {
		only := ""
		if ch.OnlyArgs {
			only = " and no other argument"
		}
		e.say("%s change %s (weight %s): %s%s%s", ch.Role, ch.ID, e.weight("change."+ch.ID), ch.Tool, e.args(" with ", ch.Args), only)
		for _, r := range ch.Rows {
			e.say("  which leaves one %s of %s%s", r.Op, r.Table, e.pins(" where ", r.Pins))
		}
	}
	if c.ordered() {
		e.say("every primary change stands before the first message")
	}
	for _, r := range c.Readbacks {
		for _, l := range r.AnyOf {
			var ids []string
			for _, id := range l.Identity {
				ids = append(ids, id.Read.String()+" is the "+id.Write.String()+" of "+r.After)
			}
			e.say("look %s (weight %s): after the last change of what %s left, %s, where %s", r.ID, e.weight("readback."+r.ID), r.After, e.selector(l.Selector), strings.Join(ids, " and "))
		}
	}
	for _, m := range c.Messages {
		e.say("text %s (weight %s): the %s of %s has %s and %s at least, and says %s%s", m.ID, e.weight("message."+m.ID), m.Body, m.Change, plural(m.Form.Sentences, "sentence"), plural(m.Form.Words, "word"), e.facts(m.Facts), e.forbidden(m.Forbid))
	}
	for _, a := range c.Containment {
		most := "any number of rows"
		if a.Most > 0 {
			most = "at most " + plural(a.Most, "row")
		}
		cols := ""
		if a.Columns != nil {
			cols = ", in " + strings.Join(a.Columns, ", ") + " only"
		}
		e.say("allowed: %s of %s%s%s%s: %s", a.Op, a.Table, e.pins(" with the key ", a.Key), e.pins(" where ", a.Values), cols, most)
	}
	e.say("nothing else may differ at the end; what is refused for lack of authority fails; %s whose arguments no schema takes are forgiven", plural(c.SchemaErrors, "write"))
	if c.NoTransient {
		e.say("no change may be taken back")
	}
	for _, r := range c.Answer {
		e.say("answer %s (weight %s): %s", r.Field.Name, e.weight("answer."+r.Field.Name), e.rule(r))
	}
	e.say("the gated score is 0 when one of these fails: %s", strings.Join(c.Gates, ", "))
	e.say("and at most %s when evidence, an order, a look or the answer is missing%s", mostBroken, e.pathText())
	return e.lines
}

// pathText names the fields that stand on the path to the recommendation.
func (e *explainer) pathText() string {
	if fields := e.c.PathFields(); len(fields) > 0 {
		return ", or one of these is wrong: " + strings.Join(fields, ", ")
	}
	return ""
}

type explainer struct {
	c     *Contract
	x     *Expected
	s     *scope
	lines []string
}

func (e *explainer) say(format string, args ...any) {
	e.lines = append(e.lines, fmt.Sprintf(format, args...))
}

func (e *explainer) value(name string) string {
	if e.x == nil {
		return ""
	}
	return ": " + e.x.Values[name].String()
}

func (e *explainer) weight(rule string) string { return exact.Decimal(e.c.weight(rule)) }

func pathText(s string) string {
	if s == "" {
		return "the whole result"
	}
	return s
}

func (e *explainer) predicate(p *Predicate) string {
	if e.s == nil {
		return p.String()
	}
	return p.shown(e.s)
}

func (e *explainer) args(lead string, args []Arg) string {
	if len(args) == 0 {
		return ""
	}
	parts := make([]string, len(args))
	for i, a := range args {
		parts[i] = strings.TrimPrefix(a.At.String(), "/") + " is " + e.predicate(a.Want)
	}
	return lead + strings.Join(parts, " and ")
}

func (e *explainer) pins(lead string, pins []Pin) string {
	if len(pins) == 0 {
		return ""
	}
	parts := make([]string, len(pins))
	for i, p := range pins {
		parts[i] = p.Column + " is " + e.predicate(p.Want)
	}
	return lead + strings.Join(parts, " and ")
}

func (e *explainer) selector(s *Selector) string {
	switch {
	case s.Refused != "":
		return s.Tool + e.args(" with ", s.Args) + ", which is refused as " + s.Refused
	case len(s.Result) == 0:
		return s.Tool + e.args(" with ", s.Args)
	}
	lead := " whose result has "
	if stars := slices.ContainsFunc(s.Result, func(a Arg) bool { return a.At.Stars() > 0 }); stars {
		lead = " whose result has, in one element, "
	}
	return s.Tool + e.args(" with ", s.Args) + e.args(lead, s.Result)
}

func (e *explainer) facts(facts []Fact) string {
	names := make([]string, len(facts))
	for i := range facts {
		names[i] = facts[i].Term.String()
		if e.s != nil {
			if w, ok := facts[i].resolve(e.s); ok {
				names[i] = w.Text
			}
		}
	}
	return strings.Join(names, ", ")
}

func (e *explainer) forbidden(facts []Fact) string {
	if len(facts) == 0 {
		return ""
	}
	return ", and does not say " + e.facts(facts)
}

func (e *explainer) rule(r *AnswerRule) string {
	var parts []string
	switch {
	case r.Free:
		return "not graded"
	case r.None:
		parts = append(parts, "a plain no")
	case r.Term != nil:
		t := r.Term.String()
		if e.s != nil {
			if w, ok := e.s.resolve(*r.Term); ok {
				t = w.text()
			}
		}
		parts = append(parts, strings.TrimSpace(t+" "+r.Field.Unit))
	}
	if r.Want != nil {
		parts = append(parts, e.predicate(r.Want))
	}
	if len(r.Facts) > 0 {
		parts = append(parts, "says "+e.facts(r.Facts))
	}
	return strings.Join(parts, ", ") + e.forbidden(r.Forbid)
}

func (e *explainer) options() {
	for _, o := range e.c.Options {
		var parts []string
		for _, p := range []struct{ what, name string }{{"outcome", o.Outcome}, {"cost", o.Cost}, {"limit", o.Limit}, {"supported by", o.Supported}} {
			if p.name != "" {
				parts = append(parts, p.what+" "+exprText(e.c.Program.Expr(p.name))+e.value(p.name))
			}
		}
		for _, k := range slices.Sorted(maps.Keys(o.Measures)) {
			parts = append(parts, k+" "+exprText(e.c.Program.Expr(o.Measures[k]))+e.value(o.Measures[k]))
		}
		authority := ""
		if e.x != nil {
			authority = "; " + strings.ReplaceAll(string(e.x.Option(o.ID).Authority), "_", " ")
		}
		e.say("option %s, %s: %s%s", o.ID, o.Says, strings.Join(parts, ", "), authority)
	}
	if d := e.c.Decision; d != nil {
		chosen := ""
		if e.x != nil {
			chosen = ": " + e.x.Chosen
		}
		among := map[string]string{"approved": "the approved options", "supported": "the supported options", "all": "all options"}[d.Among]
		e.say("the right option is the first by %s among %s (weight %s)%s", strings.Join(d.Order, ", then "), among, e.weight(ruleDecision), chosen)
	}
}

// exprText writes an expression as a reader says it.
func exprText(x *derive.Expr) string {
	switch x.Op {
	case "name":
		return x.Name
	case "const":
		if x.Why != "" {
			return x.Const.String() + " (" + x.Why + ")"
		}
		return x.Const.String()
	case "literal":
		return exact.Text(exact.FromNode(x.Node()))
	}
	args := make([]string, len(x.Args))
	for i, a := range x.Args {
		args[i] = exprText(a)
	}
	out := x.Op + "(" + strings.Join(args, ", ") + ")"
	if q := x.Query; q != nil {
		what := q.Of.Name
		if q.Field != "" {
			what = q.Field + " of " + what
		}
		out = x.Op + " of the " + what
		for i, c := range q.Where {
			word := " and "
			if i == 0 {
				word = " where "
			}
			to := make([]string, len(c.To))
			for k, t := range c.To {
				to[k] = exprText(t)
			}
			out += word + c.Field + " " + c.Op + " " + strings.Join(to, " or ")
		}
		if len(args) > 0 {
			out += " from " + args[0]
		}
	}
	if x.Mode != "" {
		out += fmt.Sprintf(" rounded %s to %s", x.Mode, plural(x.Place, "place"))
	}
	return out
}
