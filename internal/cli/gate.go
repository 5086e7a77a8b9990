package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/assaybench/assay/report"
	"github.com/assaybench/assay/report/gate"
	"github.com/assaybench/assay/report/stored"
	"github.com/assaybench/assay/store"
)

const gateHelp = "a condition on the results, such as exact>=0.9 or errors==0; exit 1 where it does not hold, repeatable (docs/compare.md)"

// gates reads the conditions of a command line.
func gates(texts []string, known ...string) ([]gate.Gate, error) {
	var out []gate.Gate
	for _, t := range texts {
		g, err := gate.Parse(t, known)
		if err != nil {
			return nil, usage("--gate: %v", err)
		}
		out = append(out, g)
	}
	return out, nil
}

// partOf says why a run is a part of one; "" for a whole run.
func partOf(r *store.Run) string {
	switch {
	case len(r.Plan.Only) > 0:
		return fmt.Sprintf("only %s (--only)", counted(r.Plan.Items, "item"))
	case r.Plan.Shard != (store.Shard{}):
		return "it is a part of one"
	}
	return ""
}

// gated holds a run against its gates: exit 1 with the reasons in one line.
func (p *Process) gated(r *store.Run, db store.Store, grader string, list []gate.Gate) error {
	if len(list) == 0 {
		return nil
	}
	res, err := stored.Result(context.WithoutCancel(p.Context), db, r, stored.Options{Grader: grader})
	if err != nil {
		if store.KindOf(err) != "" {
			return storeError(err)
		}
		return fault(err)
	}
	return unmet(list, gate.Subjects(res, partOf(r)))
}

func unmet(list []gate.Gate, subjects []gate.Subject) error {
	if line := gate.Line(gate.Check(list, subjects)); line != "" {
		return &coded{code: exitFail, err: errors.New(report.Printable(line))}
	}
	return nil
}
