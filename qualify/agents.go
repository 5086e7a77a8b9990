package qualify

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/assaybench/assay/contract"
	"github.com/assaybench/assay/contract/control"
	"github.com/assaybench/assay/contract/tasks"
	"github.com/assaybench/assay/grade"
)

// Engine is the version of what judges episodes and of what is tried; a qualification holds for one alone.
const Engine = contract.Version + " " + control.Version

// Executions is how many executions a task is qualified by: the oracle, its replay, and the ten negative controls. Whatever
// is tried beside them is counted apart.
const Executions = 12

// What is known of a task, and of one thing that was tried.
type (
	TaskProof = control.Proof
	Execution = control.Execution
	Control   = control.Result
	Omission  = control.Omission
)

// AgentReport is what qualification found of a bench of agent tasks: facts of the bench alone, without a time or a machine.
type AgentReport struct {
	Bench   string      `json:"bench"`
	Digest  string      `json:"digest"` // of the bench
	Grader  string      `json:"grader"`
	Engine  string      `json:"engine"`
	Tasks   []TaskProof `json:"tasks"`
	Summary Summary     `json:"summary"`
}

// Summary counts a report. Every figure is recomputed from the records.
type Summary struct {
	Tasks             int `json:"tasks"`
	Executions        int `json:"executions"`    // that were made, of the twelve of each task
	FalseAccepts      int `json:"false_accepts"` // of everything that had to be refused, omissions among it
	FalseRejects      int `json:"false_rejects"` // of other right ways
	Untargeted        int `json:"untargeted"`    // refused for another reason than the one that it is made for
	NotGenerated      int `json:"not_generated"`
	Omissions         int `json:"omissions"`
	OmissionsDetected int `json:"omissions_detected"`
	Beside            int `json:"beside"`
	MaxGated          int `json:"max_gated"` // the most that one of the ten negative controls earned
	Faults            int `json:"faults"`    // of any kind
}

// AgentOptions says what is qualified. Kept may be empty; then nothing is taken from before, and nothing is kept.
type AgentOptions struct {
	Only     []string // tasks; nil for all
	Kept     Dir      // where the proofs of tasks are taken from and left, by the task's digest
	Again    bool     // make what is kept anew
	Workers  int      // 0: as many as there are processors
	Progress func(task string, done, total int, kept bool)
}

// Agents qualifies the frozen tasks of a bench of agent tasks. What was kept of a task with the same digest is not made again,
// so that an interrupted qualification goes on where it stopped. digest is the bench's. The error is a fault of ours, or a
// cancelled context; what is wrong with the bench is in the report.
func Agents(ctx context.Context, set grade.Set, digest string, o AgentOptions) (*AgentReport, error) {
	s, ok := set.(*tasks.Set)
	if !ok {
		return nil, errors.New("what is qualified are agent tasks, and this bench has none")
	}
	var list []*tasks.Task
	for _, t := range s.Tasks() {
		if t.Frozen && (o.Only == nil || slices.Contains(o.Only, t.ID)) {
			list = append(list, t)
		}
	}
	proofs := make([]*TaskProof, len(list))
	errs := make([]error, len(list))
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var wg sync.WaitGroup
	var mu sync.Mutex
	next, done := 0, 0
	workers := o.Workers
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	for range min(workers, len(list)) {
		wg.Go(func() {
			for {
				mu.Lock()
				i := next
				next++
				mu.Unlock()
				if i >= len(list) || ctx.Err() != nil {
					return
				}
				var kept bool
				proofs[i], kept, errs[i] = qualified(ctx, s, list[i], o)
				if errs[i] != nil {
					stop(errs[i])
					return
				}
				mu.Lock()
				done++
				if o.Progress != nil {
					o.Progress(list[i].ID, done, len(list), kept)
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	r := &AgentReport{Bench: s.Bench().Name(), Digest: digest, Grader: s.Digest(), Engine: Engine, Tasks: []TaskProof{}}
	for _, p := range proofs {
		r.Tasks = append(r.Tasks, *p)
	}
	r.Summary = r.count()
	return r, nil
}

// qualified takes a task's proof from before, or makes it and keeps it.
func qualified(ctx context.Context, s *tasks.Set, t *tasks.Task, o AgentOptions) (p *TaskProof, kept bool, err error) {
	if o.Kept != "" && !o.Again {
		digest, err := control.Digest(ctx, s, t)
		if err != nil {
			return nil, false, err
		}
		if p := o.Kept.loadTask(digest); p != nil && p.Task == t.ID {
			return p, true, nil
		}
	}
	if p, err = control.Qualify(ctx, s, t); err != nil {
		return nil, false, err
	}
	if o.Kept != "" {
		err = o.Kept.saveTask(p)
	}
	return p, false, err
}

// count computes the summary from the records.
func (r *AgentReport) count() Summary {
	var n Summary
	n.Tasks = len(r.Tasks)
	control := func(c *Control) {
		switch c.Kind {
		case "":
			return
		case "false accept":
			n.FalseAccepts++
		case "false reject":
			n.FalseRejects++
		case "other reason", "inconclusive":
			n.Untargeted++
		case "not generated":
			n.NotGenerated++
		}
		n.Faults++
	}
	for i := range r.Tasks {
		t := &r.Tasks[i]
		for _, e := range []*Execution{&t.Oracle, &t.Replay} {
			if e.EpisodeDigest != "" {
				n.Executions++
			}
			if e.Fault != "" {
				n.Faults++
			}
		}
		for k := range t.Controls {
			c := &t.Controls[k]
			if c.StepsDigest != "" {
				n.Executions++
			}
			n.MaxGated = max(n.MaxGated, c.Gated)
			control(c)
		}
		for k := range t.Beside {
			control(&t.Beside[k])
		}
		n.Beside += len(t.Beside)
		for k := range t.Omissions {
			o := &t.Omissions[k]
			n.Omissions++
			switch {
			case o.Strict:
				n.FalseAccepts++
				n.Faults++
			case o.Fault != "":
				n.Untargeted++
				n.Faults++
			default:
				n.OmissionsDetected++
			}
		}
	}
	return n
}

// Clean reports whether every task went through its twelve executions, and nothing was wrong with anything that was tried.
func (r *AgentReport) Clean() bool {
	return r.Summary.Tasks > 0 && r.Summary.Faults == 0 && r.Summary.Executions == Executions*r.Summary.Tasks
}

// Faults gives every fault in one line each, in the order of the tasks.
func (r *AgentReport) Faults() []string {
	var out []string
	for i := range r.Tasks {
		t := &r.Tasks[i]
		for k, e := range []*Execution{&t.Oracle, &t.Replay} {
			if e.Fault != "" {
				out = append(out, fmt.Sprintf("%s: %s: %s", t.Task, []string{"oracle", "replay"}[k], e.Fault))
			}
		}
		for _, c := range slices.Concat(t.Controls, t.Beside) {
			if c.Fault != "" {
				out = append(out, fmt.Sprintf("%s: %s: %s: %s", t.Task, ControlName(&c), c.Kind, c.Fault))
			}
		}
		for _, o := range t.Omissions {
			if o.Fault != "" {
				out = append(out, fmt.Sprintf("%s: without call %d (%s %s): %s", t.Task, o.Step, o.What, o.Call, o.Fault))
			}
		}
	}
	return out
}

// ControlName is a control with what it does.
func ControlName(c *Control) string {
	if c.Form == "" {
		return c.Name
	}
	return c.Name + " (" + c.Form + ")"
}
