package contract

import (
	"maps"
	"slices"
	"strings"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/contract/derive"
	"github.com/assaybench/assay/contract/pointer"
)

// typeNames are the types that an input or a field of rows can have.
var typeNames = map[string]derive.Type{
	"integer": {Kind: derive.Number, Integer: true},
	"decimal": {Kind: derive.Number},
	"text":    {Kind: derive.Text},
	"id":      {Kind: derive.Text},
	"date":    {Kind: derive.Date},
	"boolean": {Kind: derive.Bool},
	"rows":    {Kind: derive.Rows},
	"set":     {Kind: derive.Set, Of: &derive.Type{Kind: derive.Text}},
}

func (p *parser) typeOf(n *bench.Node, name, unit string) derive.Type {
	t, ok := typeNames[name]
	if !ok {
		p.fail(n.Errorf("unknown type %q%s", name, bench.Nearest(name, slices.Sorted(maps.Keys(typeNames)))))
		return t
	}
	if unit == "" {
		return t
	}
	if t.Kind != derive.Number {
		p.fail(n.Errorf("only an integer or a decimal has a unit; leave it out"))
		return t
	}
	u, err := derive.ParseUnit(unit)
	if err != nil {
		p.fail(n.Errorf("%s", err))
	}
	t.Unit = u
	return t
}

func (p *parser) input(k, v *bench.Node) {
	p.name(k, k.Text)
	f := bench.NewFields(v)
	in := &Input{Name: k.Text, Tool: f.NeedText("tool"), node: k}
	args, at, typ, unit, fields, within := f.Node("args"), f.Text("at"), f.NeedText("type"), f.Text("unit"), f.Node("fields"), f.Node("within")
	if p.fail(f.Done()) {
		return
	}
	in.Args = p.args(args)
	in.Type = p.typeOf(v.Get("type"), typ, unit)
	ptr, err := pointer.Parse(at)
	switch {
	case err != nil:
		p.fail(v.Get("at").Errorf("%s", err))
	case ptr.Stars() > 0 && in.Type.Kind != derive.Set:
		p.fail(v.Get("at").Errorf("an input is one value, and * stands for many; take the list with type: rows, or type: set"))
	}
	in.At = ptr
	switch {
	case in.Type.Kind == derive.Rows:
		in.Type.Fields = p.fields(fields)
	case fields != nil:
		p.fail(fields.Errorf("only rows have fields"))
	}
	if within != nil {
		in.In = p.within(within, in)
	}
	var deps []string
	for _, a := range in.Args {
		for _, t := range a.Want.Tests {
			if t.Op != "is" {
				p.fail(a.Want.node.Errorf("the arguments of an input are what is asked: literals or {value: NAME}, no %s", t.Op))
			}
		}
		if a.At.Stars() > 0 {
			p.fail(a.Want.node.Errorf("the argument %s: * cannot be asked", a.At))
		}
		for _, t := range a.Want.terms() {
			if t.Ref != "" {
				deps = append(deps, t.Ref)
			}
		}
	}
	p.c.Inputs = append(p.c.Inputs, in)
	p.inputs = append(p.inputs, derive.Input{Name: in.Name, Type: in.Type, Deps: deps, Node: k})
}

// fields reads the types of the fields of rows: {qty: {type: integer, unit: set}, status: text}.
func (p *parser) fields(n *bench.Node) map[string]derive.Type {
	out := map[string]derive.Type{}
	p.mapping(n, func(k, v *bench.Node) {
		name, unit := v.Text, ""
		if v.Kind == bench.Map {
			f := bench.NewFields(v)
			name, unit = f.NeedText("type"), f.Text("unit")
			if p.fail(f.Done()) {
				return
			}
		}
		t := p.typeOf(v, name, unit)
		if t.Kind == derive.Rows {
			p.fail(v.Errorf("a field of rows is no rows itself; take it as an input of its own"))
		}
		out[k.Text] = t
	})
	return out
}

func (p *parser) derivation(k, v *bench.Node) {
	p.name(k, k.Text)
	f := bench.NewFields(v)
	do, answer, unit := f.Need("do"), f.Text("answer"), f.Node("unit")
	f.Text("says")
	if p.fail(f.Done()) {
		return
	}
	d := derive.Def{Name: k.Text, Node: k}
	if unit != nil {
		u, err := derive.ParseUnit(unit.Text)
		if err != nil {
			p.fail(unit.Errorf("%s", err))
			return
		}
		d.Unit = &u
	}
	e, err := derive.Parse(do)
	if p.fail(err) {
		return
	}
	d.Expr = e
	p.defs = append(p.defs, d)
	p.c.Derivations = append(p.c.Derivations, &Derivation{Name: k.Text, Answer: answer, node: k})
}

func (p *parser) option(n *bench.Node) {
	f := bench.NewFields(n)
	o := &Option{ID: f.NeedText("id"), Says: f.Text("says"), Measures: map[string]string{}, node: n}
	parts := map[string]*string{"outcome": &o.Outcome, "cost": &o.Cost, "limit": &o.Limit, "supported": &o.Supported}
	nodes := map[string]*bench.Node{}
	for name := range parts {
		nodes[name] = f.Node(name)
	}
	measures := f.Node("measures")
	if p.fail(f.Done()) {
		return
	}
	if strings.ContainsAny(o.ID, ". \t\n") || o.ID == "chosen" {
		p.fail(n.Get("id").Errorf("the option's id %q cannot be referred to; write one word without points", o.ID))
	}
	for _, prev := range p.c.Options {
		if prev.ID == o.ID {
			p.fail(n.Get("id").Errorf("the option %q stands twice", o.ID))
			return
		}
	}
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		if v := nodes[name]; v != nil {
			*parts[name] = p.part(o.ID+"."+name, v)
		}
	}
	p.mapping(measures, func(k, v *bench.Node) {
		if parts[k.Text] != nil || k.Text == "id" || k.Text == "authority" {
			p.fail(k.Errorf("%q is no measure but a key of the option itself", k.Text))
			return
		}
		o.Measures[k.Text] = p.part(o.ID+"."+k.Text, v)
	})
	p.c.Options = append(p.c.Options, o)
}

// part makes a derivation of an option's part, so that it can be referred to as OPTION.part.
func (p *parser) part(name string, n *bench.Node) string {
	e, err := derive.Parse(n)
	if p.fail(err) {
		return ""
	}
	p.defs = append(p.defs, derive.Def{Name: name, Expr: e, Node: n})
	return name
}

func (p *parser) decision(n *bench.Node) {
	f := bench.NewFields(n)
	d := &Decision{Answer: f.Text("answer"), Order: f.Texts("order"), Among: f.Text("among"), node: n}
	if d.Among == "" {
		d.Among = "approved"
	}
	if p.fail(f.Done()) {
		return
	}
	if !slices.Contains([]string{"approved", "supported", "all"}, d.Among) {
		p.fail(n.Get("among").Errorf("among is approved, supported or all, and not %q", d.Among))
	}
	if len(d.Order) == 0 {
		p.fail(n.Errorf("the key \"order\" is missing: by what is the first option chosen?"))
	}
	p.c.Decision = d
}

func (p *parser) answerRule(k, v *bench.Node) {
	var field *Field
	var known []string
	for i := range p.task.Answer {
		known = append(known, p.task.Answer[i].Name)
		if p.task.Answer[i].Name == k.Text {
			field = &p.task.Answer[i]
		}
	}
	if field == nil {
		p.fail(k.Errorf("the task's answer has no field %q%s", k.Text, bench.Nearest(k.Text, known)))
		return
	}
	r := &AnswerRule{Field: field, node: k}
	p.c.Answer = append(p.c.Answer, r)
	if v.Kind != bench.Map {
		t, err := parseTerm2(v)
		p.fail(err)
		r.Term = &t
		return
	}
	f := bench.NewFields(v)
	ref, is, none, free := f.Text("value"), f.Node("is"), f.Bool("none", false), f.Bool("any", false)
	forbid, facts, fold, want := f.Node("forbid"), f.Node("facts"), f.Text("case"), f.Node("text")
	if p.fail(f.Done()) {
		return
	}
	switch {
	case ref != "":
		r.Term = &Term{Ref: ref, node: v}
	case is != nil:
		t, err := parseTerm2(is)
		p.fail(err)
		r.Term = &t
	}
	r.None, r.Free = none, free
	r.Facts, r.Forbid = p.facts(facts), p.facts(forbid)
	if want != nil {
		t, err := parseTest(&bench.Node{Text: "text", File: want.File, Line: want.Line, Column: want.Column}, want)
		p.fail(err)
		r.Want = &Predicate{Tests: []Test{t}, node: want}
	}
	switch fold {
	case "", "exact":
	case "fold":
		r.Fold = true
	default:
		p.fail(v.Get("case").Errorf("case is exact or fold, and not %q", fold))
	}
	if r.Term == nil && !r.None && !r.Free && r.Want == nil && len(r.Facts) == 0 && len(r.Forbid) == 0 {
		p.fail(v.Errorf("the field %q is graded by nothing; write is, value, none, facts, text, or any: true", k.Text))
	}
}

// parseTerm2 reads a literal of an answer, which may be a list.
func parseTerm2(n *bench.Node) (Term, error) {
	if n.Kind == bench.Map {
		return parseTerm(n)
	}
	p, err := parsePredicate(n)
	if err != nil {
		return Term{}, err
	}
	return p.Tests[0].Terms[0], nil
}
