package realism

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/assaybench/assay/contract/control"
	"github.com/assaybench/assay/qualify"
)

// Qualify lets the audit execute what qualification executes: the tasks' proofs are taken from kept, and made where they are not
// there. Without it, what needs a negative control is not measured.
func (r *Release) Qualify(kept qualify.Dir, progress func(task string, done, total int)) {
	r.qualified = func(ctx context.Context) (*qualify.AgentReport, error) {
		return once(&r.facts, "qualified", func() (*qualify.AgentReport, error) {
			o := qualify.AgentOptions{Kept: kept}
			if progress != nil {
				o.Progress = func(task string, done, total int, _ bool) { progress(task, done, total) }
			}
			return qualify.Agents(ctx, r.Set, r.State.Digest, o)
		})
	}
	r.Proofs = func(ctx context.Context, s *Subject) (*control.Proof, error) {
		all, err := r.qualified(ctx)
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(all.Tasks, func(p control.Proof) bool { return p.Task == s.ID })
		if i < 0 {
			return nil, fmt.Errorf("%s was not qualified", s.ID)
		}
		return &all.Tasks[i], nil
	}
	r.Controls = func(ctx context.Context, s *Subject) ([]ControlRow, error) {
		p, err := r.Proofs(ctx, s)
		if err != nil {
			return nil, err
		}
		var out []ControlRow
		for _, c := range p.Controls {
			out = append(out, ControlRow{Name: qualify.ControlName(&c), Strict: c.Strict, Score: fmt.Sprint(c.Gated), Breaks: c.Breaks, Broke: c.Broke, Fault: c.Fault})
		}
		return out, nil
	}
}

// agents gives the whole qualification; nil where nobody asked for it.
func (r *Release) agents(ctx context.Context) (*qualify.AgentReport, error) {
	if r.qualified == nil {
		return nil, errors.New("the bench was not qualified: assay qualify")
	}
	return r.qualified(ctx)
}
