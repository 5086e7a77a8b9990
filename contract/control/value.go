package control

import (
	"context"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/assaybench/assay/contract/derive"
	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/contract/pointer"
	"github.com/assaybench/assay/world"
)

func cutAnswer(rule string) (string, bool) { return strings.CutPrefix(rule, "answer.") }

// as gives a value in the form that another has: a number as a text of digits where the other is a text.
func as(like, v any) any {
	r, number := v.(*big.Rat)
	if _, text := like.(string); text && number {
		return exact.Decimal(r)
	}
	return v
}

// set gives a copy of arguments with one place replaced; ok is false where there is no such place.
func set(args map[string]any, at pointer.Pointer, v any) (map[string]any, bool) {
	out := mapped(args, func(x any) any { return x }).(map[string]any)
	if len(at) == 0 {
		return out, false
	}
	var in any = out
	for _, part := range at[:len(at)-1] {
		next, ok := pointer.Step(in, part)
		if !ok {
			return out, false
		}
		in = next
	}
	m, ok := in.(map[string]any)
	if !ok {
		return out, false
	}
	name := at[len(at)-1].Name
	old, there := m[name]
	if !there {
		return out, false
	}
	m[name] = as(old, v)
	return out, true
}

// callText names a call of the reference for people: stores.lots.list {"part":"RP-12"}.
func (s *Subject) callText(i int) string {
	const most = 100
	t := s.steps[i].Tool + " " + string(exact.JSON(s.steps[i].Args))
	if len(t) > most {
		t = strings.ToValidUTF8(t[:most], "") + "…"
	}
	return t
}

// corrupted gives the reference with one field of its answer wrong, and everything else right. n takes another wrong value.
func (s *Subject) corrupted(ctx context.Context, field string, n int) (plan, error) {
	p := plan{name: "wrong_field", form: field, exact: true, breaks: []string{"answer." + field}}
	if s.c.Decision != nil && field == s.c.Decision.Answer {
		p.breaks = []string{"decision"}
	}
	if s.roles.Submit == 0 {
		p.why = "the reference hands in no answer"
		return p, nil
	}
	i := slices.IndexFunc(s.task.Public.Answer, func(f world.Field) bool { return f.Name == field })
	at := s.roles.Submit - 1
	was, there := s.steps[at].Args[field]
	if i < 0 || !there {
		p.why = "the reference's answer has no " + field
		return p, nil
	}
	wrong := s.wrongs(&s.task.Public.Answer[i], was)
	var tries []Step
	for k := range wrong {
		tries = append(tries, s.steps[at].with(field, wrong[(k+n)%len(wrong)]))
	}
	// The answer's own schema takes an answer or refuses it, whatever was done before.
	k, err := s.probe(ctx, nil, tries, func(*world.Event) bool { return true })
	if err != nil {
		return p, err
	}
	if k >= 0 {
		p.steps = slices.Clone(s.steps)
		p.steps[at] = tries[k]
		return p, nil
	}
	p.why = fmt.Sprintf("no wrong value of %s is one that the answer's schema takes", field)
	return p, nil
}

// wrongs gives wrong values of a field, of the field's type.
func (s *Subject) wrongs(f *world.Field, was any) []any {
	switch f.Type {
	case world.Integer, world.Decimal:
		r, ok := was.(*big.Rat)
		if text, isText := was.(string); isText {
			r, ok = exact.Rat(text)
		}
		if !ok {
			return nil
		}
		up, down := new(big.Rat).Add(r, big.NewRat(1, 1)), new(big.Rat).Sub(r, big.NewRat(1, 1))
		return []any{as(was, down), as(was, up)}
	case world.Date:
		text, _ := was.(string)
		if d, ok := derive.ParseDay(text); ok {
			return []any{(d - 1).String(), (d + 1).String()}
		}
	case world.Boolean:
		b, _ := was.(bool)
		return []any{!b}
	case world.Enum:
		var out []any
		for _, v := range f.Values {
			if v != was {
				out = append(out, v)
			}
		}
		return out
	case world.Set:
		return s.wrongSets(f, was)
	case world.IDOf:
		out, _ := s.siblings(world.ToolSubmit, f.Column, was)
		for _, tr := range s.rows {
			for _, r := range tr.Rows {
				if v := exact.Column(r[f.Column]); tr.Table == f.Table && v != nil && !exact.Equal(v, was) {
					out = append(out, v)
				}
			}
		}
		return append(out, fmt.Sprint(was)+"0")
	}
	text, _ := was.(string)
	if strings.Contains(strings.TrimSpace(text), " ") {
		return []any{"Something else was found out here, which another reader would not agree with.", "This is left open for now."}
	}
	out, _ := s.siblings(world.ToolSubmit, f.Name, was)
	return append(out, text+"x")
}

// wrongSets leaves a member out, or takes one in that does not belong.
func (s *Subject) wrongSets(f *world.Field, was any) []any {
	list, _ := was.([]any)
	var out []any
	if len(list) > 0 {
		out = append(out, slices.Clone(list[1:]))
	}
	if f.Of == nil {
		return append(out, append(slices.Clone(list), "other"))
	}
	var member any = "other"
	if len(list) > 0 {
		member = list[0]
	} else if f.Of.Table != "" {
		for _, tr := range s.rows {
			if tr.Table == f.Of.Table && len(tr.Rows) > 0 {
				member = exact.Column(tr.Rows[0][f.Of.Column])
			}
		}
		return append(out, []any{member})
	} else if len(f.Of.Values) > 0 {
		return append(out, []any{f.Of.Values[0]})
	}
	for _, w := range s.wrongs(f.Of, member) {
		if !slices.ContainsFunc(list, func(x any) bool { return exact.Equal(x, w) }) {
			return append(out, append(slices.Clone(list), w))
		}
	}
	return out
}

// near gives values beside one: a number more and less, the day before and after.
func near(v any) []any {
	switch x := v.(type) {
	case *big.Rat:
		return []any{new(big.Rat).Add(x, big.NewRat(1, 1)), new(big.Rat).Sub(x, big.NewRat(1, 1))}
	case bool:
		return []any{!x}
	case string:
		if d, ok := derive.ParseDay(x); ok {
			return []any{(d + 1).String(), (d - 1).String()}
		}
	}
	return nil
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// measure says whether a value is a figure or a date.
func measure(v any) bool {
	switch x := v.(type) {
	case *big.Rat:
		return true
	case string:
		if _, ok := exact.Rat(x); ok {
			return true
		}
		_, ok := derive.ParseDay(x[:min(len(x), 10)])
		return ok
	}
	return false
}
