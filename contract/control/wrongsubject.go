package control

import (
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/contract/exact"
)

// wrongSubject looks into the record of a look-alike wherever the reference looks into its own, and answers what follows. taken
// are the digests of controls that it must not equal.
func (s *Subject) wrongSubject(taken map[string]bool) plan {
	p := plan{name: "wrong_subject"}
	for _, subject := range s.subjects() {
		for _, other := range s.lookAlikes(subject) {
			if q, ok := s.about(subject, other); ok && !taken[digest(q.steps)] {
				return q
			}
		}
	}
	p.why = "no record looks like the one that the task is about: whoever takes the wrong one cannot be shown to fail"
	return p
}

// about gives the reference with each read of one subject made of another.
func (s *Subject) about(subject, other any) (plan, bool) {
	p := plan{name: "wrong_subject", loose: true, form: fmt.Sprintf("%s in place of %s", exact.Text(other), exact.Text(subject))}
	steps := slices.Clone(s.steps)
	var moved []int
	for i := range s.first {
		if !s.isRead(i) {
			continue
		}
		args := mapped(steps[i].Args, func(v any) any {
			if exact.Equal(v, subject) {
				return other
			}
			return v
		}).(map[string]any)
		if !exact.Equal(args, steps[i].Args) {
			steps[i].Args = args
			moved = append(moved, i)
		}
	}
	p.breaks = s.shownOnlyBy(moved)
	x, ok := s.derive(func(tool string, raw jsontext.Value) (string, jsontext.Value) {
		args, err := decodeArgs(raw)
		if err != nil {
			return tool, raw
		}
		return tool, exact.JSON(mapped(args, func(v any) any {
			if exact.Equal(v, subject) {
				return other
			}
			return v
		}))
	}, nil)
	if ok {
		var breaks []string
		steps, breaks = s.answering(steps, x)
		p.breaks = append(p.breaks, breaks...)
	}
	p.steps = steps
	return p, len(p.breaks) > 0
}

// subjects gives what the task is about: the handles that an employee holds, and what most material reads ask for.
func (s *Subject) subjects() []any {
	asked := map[string]int{}
	var order []any
	for _, m := range s.materials() {
		exact.Scalars(s.steps[m.steps[0]].Args, func(v any) {
			if _, ok := v.(string); !ok {
				return
			}
			k := exact.Text(v)
			if asked[k] == 0 {
				order = append(order, v)
			}
			asked[k]++
		})
	}
	slices.SortStableFunc(order, func(a, b any) int {
		if p, q := s.isSubject(a), s.isSubject(b); p != q {
			if p {
				return -1
			}
			return 1
		}
		return asked[exact.Text(b)] - asked[exact.Text(a)]
	})
	return order
}

// isSubject says whether a value is one of the task's handles.
func (s *Subject) isSubject(v any) bool {
	for _, h := range s.task.Public.Handles {
		if v == h.Value {
			return true
		}
	}
	return false
}

// lookAlikes gives look-alikes of a subject: what stands beside it in the columns that hold it.
func (s *Subject) lookAlikes(subject any) []any {
	out, _ := s.siblings("", "", subject)
	return out
}
