package contract

import (
	"maps"
	"math/big"
	"slices"
	"strings"
	"unicode"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/contract/derive"
	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/contract/prose"
)

// graded is a value that an episode must come to, with the words that name it.
type graded struct {
	what   string // "the answer's field gap"
	own    string // where its own description stands, "" for none
	node   *bench.Node
	value  any
	field  *Field
	names  map[string]bool // stems of the words that name it
	plain  map[string]bool // of these, the ones that do not come from its own description
	ref    string
	others []string   // of a choice: what else might be chosen
	from   []*big.Rat // the numbers that it is worked out of
}

// leaks finds graded values that can be read off the request or a description: of the answer, of what changes must hold, of what
// messages must say.
func (l *seedLinter) leaks() {
	about := map[string]string{"the request": l.c.task.Request}
	for _, f := range l.c.task.Answer {
		about[fieldText(f.Name)] = f.Description
	}
	for name, t := range l.c.tools {
		about["the text of the tool "+name] = t.text
	}
	for _, g := range l.graded() {
		for _, where := range slices.Sorted(maps.Keys(about)) {
			put := l.fault
			if where == "the request" {
				put = l.warn // an employee may say what he knows
			}
			switch {
			case g.stands(about[where], g.value, g.field, where == g.own):
				put("leak", g.node, "%s can be read off %s; take it out there, or do not grade it", g.what, where)
			case where == g.own && len(g.others) > 0 && prose.Only(about[where], plain(g.value), g.others):
				l.warn("leak", g.node, "%s names the right value and none of the others; name all of them, or none", where)
			}
		}
	}
}

func fieldText(name string) string { return "the description of the answer's field " + name }

// answerWords are how a text speaks of any answer.
var answerWords = map[string]bool{"answer": true, "result": true, "solution": true}

// graded gathers what is graded, each value once: a field of the answer before the change that holds the same.
func (l *seedLinter) graded() []graded {
	var out []graded
	seen := map[string]bool{}
	add := func(g graded, m Term, words ...string) {
		v, ok := l.s.resolve(m)
		if !ok || m.Ref != "" && seen[m.Ref] || v.json == nil {
			return
		}
		seen[m.Ref] = true
		g.value, g.ref, g.names = v.json, m.Ref, maps.Clone(answerWords)
		maps.Copy(g.names, named(words...))
		if g.plain = g.names; g.own != "" {
			g.plain = maps.Clone(answerWords)
			maps.Copy(g.plain, named(g.field.Name, g.field.Unit))
		}
		g.from = l.numbersBehind(m.Ref, v.json)
		out = append(out, g)
	}
	for _, r := range l.c.Answer {
		f := r.Field
		g := graded{what: "the answer's field " + f.Name, own: fieldText(f.Name), node: r.node, field: f}
		if r.Term != nil {
			g.others = slices.DeleteFunc(slices.Clone(f.Values), func(s string) bool { return s == plain(r.Term.Literal) })
			if v, ok := l.s.resolve(*r.Term); ok {
				g.others = slices.DeleteFunc(g.others, func(s string) bool { return s == plain(v.json) })
			}
			add(g, *r.Term, f.Name, f.Unit, f.Description)
		}
		g.field = &Field{Name: f.Name, Type: TextField}
		for _, k := range r.Facts {
			add(g, k.Term, f.Name, f.Description)
		}
	}
	if d := l.c.Decision; d != nil && d.Answer != "" {
		g := graded{what: "the answer's field " + d.Answer, own: fieldText(d.Answer), node: d.node, field: &Field{Name: d.Answer, Type: EnumField}}
		for _, o := range l.c.Options {
			if o.ID != l.s.x.Chosen {
				g.others = append(g.others, o.ID)
			}
		}
		add(g, Term{Literal: l.s.x.Chosen})
	}
	for _, ch := range l.c.Changes {
		t := l.c.tools[ch.Tool]
		for _, a := range ch.Args {
			sub, _, _ := schemaAt(t.input, a.At)
			for _, m := range a.Want.terms() {
				if l.secret(m, sub) {
					name := a.At[len(a.At)-1].Name
					add(graded{what: "what the change " + ch.ID + " must give as " + name, node: a.Want.node}, m, m.Ref, name, descriptions(sub), l.unit(m.Ref))
				}
			}
		}
		for _, r := range ch.Rows {
			for _, p := range r.Pins {
				sub, _, _ := schemaAt(t.input, columnPointer(p.Column))
				for _, m := range p.Want.terms() {
					if l.secret(m, sub) {
						add(graded{what: "what the change " + ch.ID + " must leave as " + p.Column, node: p.Want.node}, m, m.Ref, p.Column, l.unit(m.Ref))
					}
				}
			}
		}
	}
	for _, m := range l.c.Messages {
		for _, f := range m.Facts {
			if l.secret(f.Term, nil) {
				add(graded{what: "what the message " + m.ID + " must say", node: f.node}, f.Term, f.Term.Ref, l.unit(f.Term.Ref))
			}
		}
	}
	return out
}

func named(words ...string) map[string]bool {
	return prose.Names(strings.ReplaceAll(strings.Join(words, " "), "_", " "))
}

// secret says whether a term of a change or a message is something to be found out: a value by name, or a name with digits that
// neither the request nor the schema gives. The day of the task is none.
func (l *seedLinter) secret(m Term, schema any) bool {
	if m.Ref != "" {
		return m.Ref != AsOf
	}
	s := plain(m.Literal)
	return len(s) > 2 && strings.ContainsFunc(s, unicode.IsDigit) && strings.ContainsFunc(s, unicode.IsLetter) && enumOf(schema) == nil && !prose.Contains(l.c.task.Request, s)
}

func (l *seedLinter) unit(ref string) string {
	t, _ := l.c.Program.Type(ref)
	return strings.ReplaceAll(t.Unit.String(), "/", " ")
}

// numbersBehind gives the numbers of inputs and derivations that a value stands on; of a literal, all of the contract's.
func (l *seedLinter) numbersBehind(ref string, v any) []*big.Rat {
	mine, ok := v.(*big.Rat)
	if !ok {
		return nil
	}
	if part, ok := strings.CutPrefix(ref, "chosen."); ok {
		ref = l.s.x.Chosen + "." + part
	}
	names := l.c.Program.Names()
	if l.c.Program.Has(ref) {
		names = l.c.Program.Reach(ref)
	}
	var out []*big.Rat
	for _, name := range names {
		r, ok := l.s.x.Values[name].JSON().(*big.Rat)
		if ok && r.Cmp(mine) != 0 && !slices.ContainsFunc(out, func(o *big.Rat) bool { return o.Cmp(r) == 0 }) {
			out = append(out, r)
		}
	}
	return out
}

// stands says whether a text gives a value away. Small whole numbers stand everywhere: they count beside the words that name them,
// or at the end of a sum; a choice counts where a text calls it right; of a list any one member is enough. own: the text is the
// field's own description, every word of which is about the field.
func (g *graded) stands(text string, v any, f *Field, own bool) bool {
	switch x := v.(type) {
	case *big.Rat:
		if f != nil && (x.Cmp(big.NewRat(20, 1)) > 0 || !x.IsInt()) {
			return prose.Mentioned(prose.Prepare(text), prose.Fact{Text: exact.Decimal(x), Number: x})
		}
		names := g.names
		if own {
			names = g.plain
		}
		return prose.Beside(text, x, names) || prose.Worked(text, x, g.from)
	case string:
		d, isDay := derive.ParseDay(x)
		switch {
		case isDay:
			return prose.Mentioned(prose.Prepare(text), prose.Fact{Text: x, Day: &d})
		case len(g.others) > 0:
			return prose.Judged(text, x, g.others)
		case f != nil && f.Type == IDField || len(prose.Tokens(x)) > 1 || strings.ContainsFunc(x, unicode.IsDigit):
			return prose.Contains(text, x)
		}
	case []any:
		of := &Field{Type: IDField}
		if f != nil && f.Of != nil {
			of = f.Of
		}
		return slices.ContainsFunc(x, func(e any) bool { return g.stands(text, e, of, own) })
	}
	return false
}

// descriptions gives all prose of a schema.
func descriptions(schema any) string {
	var b strings.Builder
	var walk func(v any)
	walk = func(v any) {
		switch x := v.(type) {
		case map[string]any:
			for _, k := range slices.Sorted(maps.Keys(x)) {
				if s, ok := x[k].(string); ok && (k == "description" || k == "title") {
					b.WriteString(s + "\n")
					continue
				}
				walk(x[k])
			}
		case []any:
			for _, e := range x {
				walk(e)
			}
		}
	}
	walk(schema)
	return b.String()
}
