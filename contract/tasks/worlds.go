package tasks

import (
	"context"
	"errors"
	"fmt"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/world"
)

// worldFaults measures each world of the bench once, with the traces of its tasks: what its tools do against what they are
// declared to do, and what they enforce against what their schemas say.
func (s *Set) worldFaults(ctx context.Context) ([]bench.ClaimFault, error) {
	var order []*world.World
	trials := map[*world.World][]world.Trial{}
	for _, t := range s.tasks {
		if _, ok := trials[t.World]; !ok {
			order = append(order, t.World)
		}
		for _, c := range t.controls {
			trace, err := world.ReadTrace([]byte(c.Answer))
			if err != nil {
				return nil, err
			}
			trials[t.World] = append(trials[t.World], world.Trial{Name: c.File, Task: t.Public, Staged: t.staged, Trace: trace})
		}
	}
	var out []bench.ClaimFault
	for _, w := range order {
		_, err := w.Exercise(ctx, trials[w])
		for _, e := range each(errors.Join(w.Lint(ctx), err)) {
			be, ok := e.(*bench.Error)
			if !ok {
				return nil, e
			}
			out = append(out, bench.ClaimFault{Msg: be.Msg, Place: fmt.Sprintf("%s:%d", be.File, be.Line)})
		}
	}
	return out, nil
}

// each takes joined errors apart.
func each(err error) []error {
	if err == nil {
		return nil
	}
	j, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []error{err}
	}
	var out []error
	for _, e := range j.Unwrap() {
		out = append(out, each(e)...)
	}
	return out
}
