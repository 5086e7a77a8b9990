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
	apart := 0
	for _, t := range s.tasks {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for i := range t.Lints {
			c.Warnings = append(c.Warnings, t.Lints[i].String())
		}
		mark := t.contract.Fingerprint(t.expected)
		if first, ok := seen[mark]; ok {
			c.Faults = append(c.Faults, bench.ClaimFault{Item: t.ID, Msg: fmt.Sprintf("it asserts what %s asserts, so the two are one task under two names", first), Place: t.File})
			continue
		}
		seen[mark] = t.ID
		apart++
	}
	c.Counts = []bench.Claim{{Name: "tasks", Says: "tasks that each assert something of their own", OK: apart, Of: len(s.tasks)}}
	return c, nil
}
