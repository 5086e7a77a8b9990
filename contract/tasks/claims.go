package tasks

import (
	"context"
	"fmt"

	"github.com/assaybench/assay/bench"
)

// Claims hold the tasks of a bench against each other: each asks for something of its own. What authors should look at are
// warnings.
func (s *Set) Claims(ctx context.Context) (*bench.Claims, error) {
	c := &bench.Claims{}
	seen := map[string]string{}
	apart, soundTasks, shownTasks := 0, 0, 0
	for _, t := range s.tasks {
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
	c.Counts = []bench.Claim{
		{Name: "contracts", Says: "contracts without a fault against their world", OK: soundTasks, Of: len(s.tasks)},
		{Name: "traces", Says: "tasks whose traces do what they show and whose answer cannot be guessed", OK: shownTasks, Of: len(s.tasks)},
		{Name: "tasks", Says: "tasks that each assert something of their own", OK: apart, Of: len(s.tasks)},
	}
	return c, nil
}
