package control

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/contract/prose"
	"github.com/assaybench/assay/contract/tasks"
)

// permuted gives the reference with its reads before the first change in other orders: reversed, and shuffled by fixed seeds.
// A read that asks by what another one showed stays behind it, and calls that are the same stay in their order.
func (s *Subject) permuted() []plan {
	const shuffles = 3
	var out []plan
	seen := map[string]bool{digest(s.steps): true}
	try := func(form string, order []int) {
		steps := make([]Step, 0, len(s.steps))
		for _, i := range order {
			steps = append(steps, s.steps[i])
		}
		steps = append(steps, s.steps[s.first:]...)
		if d := digest(steps); !seen[d] {
			seen[d] = true
			out = append(out, plan{name: "other_order", form: form, accept: true, steps: steps})
		}
	}
	needs := s.flow()
	try("reads reversed", ordered(s.first, needs, func(ready []int) int { return ready[len(ready)-1] }))
	for seed := uint32(1); seed <= 40 && len(out) < shuffles+1; seed++ {
		state := seed * 2654435761
		try(fmt.Sprintf("reads shuffled by %d", seed), ordered(s.first, needs, func(ready []int) int {
			state = state*1664525 + 1013904223
			return ready[int(state>>8)%len(ready)]
		}))
	}
	if len(out) == 0 {
		out = append(out, plan{name: "other_order", why: "the reference's reads can stand in one order only, so that free order is never put to the test"})
	}
	return out
}

// ordered gives the indexes up to n, each after what it needs, by the choices that pick makes.
func ordered(n int, needs map[int][]int, pick func(ready []int) int) []int {
	var out []int
	done := map[int]bool{}
	for len(out) < n {
		var ready []int
		for i := range n {
			if !done[i] && !slices.ContainsFunc(needs[i], func(k int) bool { return !done[k] }) {
				ready = append(ready, i)
			}
		}
		i := pick(ready)
		done[i] = true
		out = append(out, i)
	}
	return out
}

// flow gives, for each read before the first change, the reads that must stand before it.
func (s *Subject) flow() map[int][]int {
	request := prose.Prepare(s.task.Public.Title + "\n" + tasks.Brief(s.task.World, s.task.Public))
	out := map[int][]int{}
	for i := range s.first {
		for k := range i {
			if s.steps[k].Tool == s.steps[i].Tool && exact.Equal(s.steps[k].Args, s.steps[i].Args) || !s.ref[k].OK() || !s.ref[i].OK() {
				out[i] = append(out[i], k) // a repeated call, and a refusal: where they stand may be their meaning
			}
		}
		exact.Scalars(s.steps[i].Args, func(v any) {
			text, ok := v.(string)
			if !ok || prose.Mentioned(request, prose.Fact{Text: text}) {
				return
			}
			for k := range i {
				if shows(string(s.ref[k].Result), text) {
					out[i] = append(out[i], k)
					return
				}
			}
		})
	}
	return out
}

func shows(result, text string) bool { return strings.Contains(result, text) }

// extraReads reads more than is needed: the same again, and what stands beside it.
func (s *Subject) extraReads() plan {
	p := plan{name: "extra_reads", accept: true}
	var extra []Step
	for i := range s.first {
		if len(extra) >= 6 {
			break
		}
		if !s.isRead(i) || !s.ref[i].OK() {
			continue
		}
		same := s.steps[i]
		same.ref = 0
		extra = append(extra, same)
		for _, arg := range sortedKeys(same.Args) {
			if vals, _ := s.siblings(same.Tool, arg, same.Args[arg]); len(vals) > 0 {
				extra = append(extra, same.with(arg, vals[0]))
				break
			}
		}
	}
	if len(extra) == 0 {
		p.why = "the reference reads nothing"
		return p
	}
	p.form = fmt.Sprintf("%d more", len(extra))
	p.steps = slices.Concat(s.steps[:s.first], extra, s.steps[s.first:])
	return p
}

// failedRead asks once for a record that does not exist.
func (s *Subject) failedRead() plan {
	p := plan{name: "failed_read", accept: true}
	for _, m := range s.materials() {
		st := s.steps[m.steps[0]]
		for _, arg := range sortedKeys(st.Args) {
			if text, ok := st.Args[arg].(string); ok && text != "" {
				wrong := st.with(arg, text+"-0")
				wrong.ref = 0
				p.form = st.Tool + " of " + text + "-0"
				p.steps = slices.Insert(slices.Clone(s.steps), m.steps[0], wrong)
				return p
			}
		}
	}
	p.why = "no material read asks for anything by name"
	return p
}
