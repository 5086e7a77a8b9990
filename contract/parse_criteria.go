package contract

import (
	"slices"
	"strings"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/contract/pointer"
	"github.com/assaybench/assay/contract/prose"
	"github.com/assaybench/assay/world"
)

func (p *parser) selector(n *bench.Node, more ...string) (*Selector, *bench.Fields) {
	f := bench.NewFields(n)
	s := &Selector{Tool: f.NeedText("tool"), Refused: f.Text("refused"), node: n}
	args, result := f.Node("args"), f.Node("result")
	for _, k := range more {
		f.Node(k)
	}
	s.Args, s.Result = p.args(args), p.result(result)
	if s.Refused != "" && s.Result != nil {
		f.Fault(n.Errorf("a refusal has no result; write either refused or result"))
	}
	return s, f
}

func (p *parser) investigation(n *bench.Node) {
	f := bench.NewFields(n)
	v := &Investigation{ID: p.id(f, n), Says: f.NeedText("says"), Feeds: f.Texts("feeds"), Before: f.Text("before"), Category: f.Text("category"), node: n}
	any := f.Need("any_of")
	p.keepWeight(f, "investigation."+v.ID)
	if p.fail(f.Done()) {
		return
	}
	if v.Before == "" {
		v.Before = "change"
	}
	if v.Before != "change" && v.Before != "answer" {
		p.fail(n.Get("before").Errorf("before is change (the first change of state) or answer, and not %q", v.Before))
	}
	p.list(any, func(s *bench.Node) {
		sel, f := p.selector(s)
		p.fail(f.Done())
		v.AnyOf = append(v.AnyOf, sel)
	})
	if len(v.AnyOf) == 0 && any.Kind == bench.List {
		p.fail(any.Errorf("no selector: nothing could establish this"))
	}
	p.c.Investigations = append(p.c.Investigations, v)
}

func (p *parser) change(n *bench.Node) {
	f := bench.NewFields(n)
	c := &Change{ID: p.id(f, n), Role: f.NeedText("role"), Says: f.Text("says"), Tool: f.NeedText("tool"), OnlyArgs: f.Bool("only_args", false), node: n}
	args, rows := f.Node("args"), f.Node("rows")
	p.keepWeight(f, "change."+c.ID)
	if p.fail(f.Done()) {
		return
	}
	roles := []string{Primary, Supporting, Communication}
	if !slices.Contains(roles, c.Role) {
		p.fail(n.Get("role").Errorf("unknown role %q%s", c.Role, bench.Nearest(c.Role, roles)))
	}
	c.Args = p.args(args)
	p.list(rows, func(v *bench.Node) {
		f := bench.NewFields(v)
		r := &RowSpec{Table: f.NeedText("table"), Op: f.NeedText("op"), node: v}
		values := f.Node("values")
		if p.fail(f.Done()) {
			return
		}
		p.op(v, r.Op)
		r.Pins = p.pins(values)
		c.Rows = append(c.Rows, r)
	})
	p.c.Changes = append(p.c.Changes, c)
}

func (p *parser) op(n *bench.Node, op string) {
	ops := []string{world.Insert, world.Update, world.Delete}
	if !slices.Contains(ops, op) {
		p.fail(n.Get("op").Errorf("unknown op %q%s", op, bench.Nearest(op, ops)))
	}
}

func (p *parser) readback(n *bench.Node) {
	f := bench.NewFields(n)
	r := &Readback{ID: p.id(f, n), After: f.NeedText("after"), node: n}
	any := f.Node("any_of")
	p.keepWeight(f, "readback."+r.ID)
	look := func(v *bench.Node, more ...string) {
		sel, lf := p.selector(v, append(more, "identity")...)
		if p.fail(lf.Done()) {
			return
		}
		l := &Look{Selector: sel}
		id := v.Get("identity")
		if id == nil || id.Kind != bench.Map || len(id.Keys) == 0 {
			p.fail(v.Errorf("the key \"identity\" is missing: which part of the read is the record that was written? Write {args.booking_id: result.booking_id}"))
			return
		}
		for i, k := range id.Keys {
			from, err := parsePlace(k, k.Text)
			p.fail(err)
			to, err2 := parsePlace(id.Values[i], id.Values[i].Text)
			p.fail(err2)
			switch {
			case err != nil || err2 != nil:
			case from.Part == "effect":
				p.fail(k.Errorf("a read has no effect; name a part of its args or its result"))
			case to.Part == "args":
				p.fail(id.Values[i].Errorf("the record is known by what the write gave back or changed, and not by what was asked; name result.NAME or effect.TABLE.COLUMN"))
			case to.At.Stars() > 0:
				p.fail(id.Values[i].Errorf("what was written is one value, and * stands for many"))
			}
			l.Identity = append(l.Identity, Identity{Read: from, Write: to, node: k})
		}
		r.AnyOf = append(r.AnyOf, l)
	}
	if any != nil {
		p.list(any, func(v *bench.Node) { look(v) })
		p.fail(f.Done())
	} else {
		look(n, "id", "after", "weight")
	}
	p.c.Readbacks = append(p.c.Readbacks, r)
}

// parsePlace reads args.NAME, result.NAME, result/pointer, effect.TABLE.COLUMN.
func parsePlace(n *bench.Node, s string) (Place, error) {
	i := strings.IndexAny(s, "./")
	if i < 0 {
		return Place{}, n.Errorf("%q names no part of a call; write args.NAME, result.NAME, result/pointer or effect.TABLE.COLUMN", s)
	}
	pl := Place{Part: s[:i]}
	rest := s[i:]
	if !slices.Contains([]string{"args", "result", "effect"}, pl.Part) {
		return Place{}, n.Errorf("unknown part %q of a call; write args, result or effect", pl.Part)
	}
	if pl.Part == "effect" {
		table, column, ok := strings.Cut(rest[1:], ".")
		if !ok || rest[0] != '.' || table == "" || column == "" {
			return Place{}, n.Errorf("an effect is named as effect.TABLE.COLUMN, and this is %q", s)
		}
		pl.Table, pl.At = table, pointer.Pointer{{Name: column}}
		return pl, nil
	}
	if rest[0] == '.' {
		rest = "/" + strings.ReplaceAll(rest[1:], ".", "/")
	}
	at, err := pointer.Parse(rest)
	if err != nil {
		return Place{}, n.Errorf("%s", err)
	}
	pl.At = at
	return pl, nil
}

func (p *parser) message(n *bench.Node) {
	f := bench.NewFields(n)
	m := &Message{ID: p.id(f, n), Change: f.NeedText("change"), Body: f.NeedText("body"), Form: Form{Sentences: 1, Words: 8}, node: n}
	to, facts, forbid, form, column := f.Node("to"), f.Node("facts"), f.Node("forbid"), f.Node("form"), f.Node("column")
	p.keepWeight(f, "message."+m.ID)
	if p.fail(f.Done()) {
		return
	}
	if to != nil {
		tf := bench.NewFields(to)
		arg, is := tf.NeedText("arg"), tf.Need("is")
		if !p.fail(tf.Done()) {
			want, err := parsePredicate(is)
			p.fail(err)
			m.To = &Arg{At: pointer.Pointer{{Name: arg}}, Want: want}
		}
	}
	if form != nil {
		ff := bench.NewFields(form)
		if ff.Node("sentences") != nil {
			m.Form.Sentences = ff.Int("sentences")
		}
		if ff.Node("words") != nil {
			m.Form.Words = ff.Int("words")
		}
		p.fail(ff.Done())
		if m.Form.Sentences < 1 || m.Form.Words < 1 {
			p.fail(form.Errorf("a message has at least one sentence and one word"))
		}
	}
	if column != nil {
		cf := bench.NewFields(column)
		m.Column = &ColumnRef{cf.NeedText("table"), cf.NeedText("column")}
		p.fail(cf.Done())
	}
	m.Facts, m.Forbid = p.facts(facts), p.facts(forbid)
	p.c.Messages = append(p.c.Messages, m)
}

// facts reads texts, {text: …} or {value: NAME, forms: date}.
func (p *parser) facts(n *bench.Node) []Fact {
	var out []Fact
	p.list(n, func(v *bench.Node) {
		fact := Fact{node: v, Form: "text"}
		if v.Kind != bench.Map {
			fact.Term = Term{Literal: v.Text, node: v}
			if v.Kind == bench.List {
				p.fail(v.Errorf("a fact is a text or {value: NAME}"))
				return
			}
		} else {
			f := bench.NewFields(v)
			text, ref := f.Node("text"), f.Text("value")
			form := f.Text("forms")
			fact.Mention = f.Bool("mention", false)
			if p.fail(f.Done()) {
				return
			}
			switch {
			case text != nil && ref == "":
				fact.Term = Term{Literal: exact.FromNode(text), node: v}
				if _, ok := fact.Term.Literal.(string); !ok {
					fact.Term.Literal = text.Text
				}
			case text == nil && ref != "":
				fact.Term = Term{Ref: ref, node: v}
				fact.Form = ""
			default:
				p.fail(v.Errorf("a fact is either {text: …} or {value: NAME}"))
				return
			}
			switch form {
			case "":
			case "text", "date", "number":
				fact.Form = form
			default:
				p.fail(v.Get("forms").Errorf("forms is text, date or number, and not %q", form))
			}
		}
		if s, ok := fact.Term.Literal.(string); ok && fact.Term.Ref == "" && len(prose.Tokens(s)) == 0 {
			p.fail(v.Errorf("the fact %q holds no letter and no digit: it would be found nowhere", s))
		}
		out = append(out, fact)
	})
	return out
}

func (p *parser) allowance(n *bench.Node) {
	f := bench.NewFields(n)
	a := &Allowance{Table: f.NeedText("table"), Op: f.NeedText("op"), Columns: f.Texts("columns"), Most: f.Int("most"), node: n}
	key, values := f.Node("key"), f.Node("values")
	if p.fail(f.Done()) {
		return
	}
	p.op(n, a.Op)
	a.Key, a.Values = p.pins(key), p.pins(values)
	if n.Get("most") != nil && a.Most < 1 {
		p.fail(n.Get("most").Errorf("most counts from 1; leave the entry out when nothing of it may change"))
	}
	if a.Op != world.Update && a.Columns != nil {
		p.fail(n.Get("columns").Errorf("columns are those an update may change; pin the others with values"))
	}
	p.c.Containment = append(p.c.Containment, a)
}
