package control

import (
	"math/big"
	"slices"

	"github.com/assaybench/assay/contract"
	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/contract/tasks"
	"github.com/assaybench/assay/world"
)

// nullAnswer answers nought, none and nothing everywhere.
func (s *Subject) nullAnswer() plan {
	return s.constants("null_answer", func(f *world.Field) any { return constant(f, 0, s.task.Public.AsOf) })
}

// bestConstant answers each field by what is most often right of it in the other tasks of the bench; where no other task has
// the field, by a guess.
func (s *Subject) bestConstant() plan {
	return s.constants("constant_answer", func(f *world.Field) any {
		if v := s.mostOften(f); v != nil {
			return v
		}
		return constant(f, 1, s.task.Public.AsOf)
	})
}

// constants does the work right and answers what somebody would who found nothing out.
func (s *Subject) constants(name string, guess func(*world.Field) any) plan {
	p := plan{name: name, exact: true}
	if s.roles.Submit == 0 {
		p.why = "the reference hands in no answer"
		return p
	}
	p.steps = slices.Clone(s.steps)
	at := s.roles.Submit - 1
	was := s.steps[at].Args
	for i := range s.task.Public.Answer {
		f := &s.task.Public.Answer[i]
		v := guess(f)
		p.steps[at] = p.steps[at].with(f.Name, v)
		switch {
		case exact.Equal(v, was[f.Name]):
		case s.c.Decision != nil && s.c.Decision.Answer == f.Name:
			p.also = append(p.also, "decision")
		default:
			p.also = append(p.also, "answer."+f.Name)
		}
	}
	// A value that is worded otherwise may be right all the same, so that one that must differ is all that is asked.
	for _, rule := range s.rules {
		field := fieldOf(rule, s.c)
		if v, ok := s.c.AnswerUnder(s.x, s.roles)[field]; ok && slices.Contains(p.also, rule) && !exact.Equal(v, p.steps[at].Args[field]) {
			p.breaks = append(p.breaks, rule)
		}
	}
	return p
}

// mostOften gives the value that is right in most other tasks that have a field of the same name and type, nil without one.
func (s *Subject) mostOften(f *world.Field) any {
	count := map[string]int{}
	value := map[string]any{}
	for _, t := range s.set.Tasks() {
		if t.ID == s.task.ID || !t.Frozen || !hasField(t, f) {
			continue
		}
		if v, ok := t.Contract().AnswerUnder(t.Expected(), &contract.Roles{})[f.Name]; ok {
			k := exact.Text(v)
			count[k]++
			value[k] = v
		}
	}
	best := ""
	for _, k := range sortedKeys(count) {
		if best == "" || count[k] > count[best] {
			best = k
		}
	}
	return value[best]
}

func hasField(t *tasks.Task, f *world.Field) bool {
	return slices.ContainsFunc(t.Public.Answer, func(g world.Field) bool {
		return g.Name == f.Name && g.Type == f.Type && slices.Equal(g.Values, f.Values)
	})
}

// constant is what somebody says of a field who knows nothing: the k-th guess.
func constant(f *world.Field, k int, today string) any {
	switch f.Type {
	case world.Integer, world.Decimal:
		return big.NewRat(int64(k), 1)
	case world.Boolean:
		return k%2 == 1
	case world.Date:
		return today
	case world.Enum:
		return f.Values[k%len(f.Values)]
	case world.Set:
		list := f.Values
		if f.Of != nil {
			list = f.Of.Values
		}
		if k > 0 && len(list) > 0 {
			return []any{list[0]}
		}
		return []any{}
	}
	return "none"
}
