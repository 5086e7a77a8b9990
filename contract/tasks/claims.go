package tasks

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/assaybench/assay/bench"
)

// Claims hold the tasks of a bench against each other: each asks for something of its own. What authors should look at are
// warnings.
func (s *Set) Claims(ctx context.Context) (*bench.Claims, error) {
	c := &bench.Claims{}
	seen := map[string]string{}
	apart, soundTasks, shownTasks := 0, 0, 0
	for _, t := range s.frozenFirst() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		sound := true
		for i := range t.Lints {
			l := &t.Lints[i]
			if !l.Fault {
				c.Warnings = append(c.Warnings, l.String())
				continue
			}
			sound = false
			c.Faults = append(c.Faults, bench.ClaimFault{Item: t.ID, Msg: l.Err.Msg + " [" + l.Code + "]", Place: fmt.Sprintf("%s:%d", l.Err.File, l.Err.Line)})
		}
		if sound {
			soundTasks++
		}
		traces, err := t.traceFaults(ctx)
		if err != nil {
			return nil, err
		}
		guessed, err := t.guessed(ctx)
		if err != nil {
			return nil, err
		}
		if guessed != "" {
			traces = append(traces, bench.ClaimFault{Item: t.ID, Msg: guessed + " [guessable]", Place: t.File})
		}
		if len(traces) == 0 {
			shownTasks++
		}
		c.Faults = append(c.Faults, traces...)
		mark := t.contract.Fingerprint(t.expected)
		if first, ok := seen[mark]; ok {
			c.Faults = append(c.Faults, bench.ClaimFault{Item: t.ID, Msg: fmt.Sprintf("it asserts what %s asserts, so the two are one task under two names", first), Place: t.File})
			continue
		}
		seen[mark] = t.ID
		apart++
	}
	worlds, err := s.worldFaults(ctx)
	if err != nil {
		return nil, err
	}
	c.Faults = append(c.Faults, worlds...)
	c.Warnings = append(c.Warnings, s.alike()...)
	if len(s.tasks) > 0 && !slices.ContainsFunc(s.tasks, func(t *Task) bool {
		return slices.ContainsFunc(t.controls, func(c bench.Control) bool { return !c.Accept })
	}) {
		c.Warnings = append(c.Warnings, "no task has a control of its own that must be refused, so that nothing shows what the contracts refuse but what is made of the references; write one as sealed/controls/NAME.jsonl with a line \"# breaks: CRITERION\" [no-negative-control]")
	}
	c.Counts = []bench.Claim{
		{Name: "contracts", Says: "contracts without a fault against their world", OK: soundTasks, Of: len(s.tasks)},
		{Name: "traces", Says: "tasks whose traces do what they show and whose answer cannot be guessed", OK: shownTasks, Of: len(s.tasks)},
		{Name: "tasks", Says: "tasks that each assert something of their own", OK: apart, Of: len(s.tasks)},
	}
	return c, nil
}

// leastAlike is from how many tasks on a field that is the same in all of them is worth a word.
const leastAlike = 3

// alike names fields of the answer that are the same in every frozen task that has them: whoever learns the bench, or guesses
// once, has them right everywhere, so that they tell nothing of an agent.
func (s *Set) alike() []string {
	type field struct {
		tasks int
		same  bool
		key   string
	}
	fields := map[string]*field{}
	for _, t := range s.tasks {
		if !t.Frozen {
			continue
		}
		for name, key := range t.contract.AnswerKeys(t.expected) {
			f := fields[name]
			if f == nil {
				f = &field{same: true, key: key}
				fields[name] = f
			}
			f.tasks++
			f.same = f.same && f.key == key
		}
	}
	var out []string
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if f := fields[name]; f.same && f.tasks >= leastAlike {
			out = append(out, fmt.Sprintf("the answer's field %q is the same in all %d tasks that have it, and tells nothing of an agent; vary it, or do not grade it [constant-field]", name, f.tasks))
		}
	}
	return out
}
