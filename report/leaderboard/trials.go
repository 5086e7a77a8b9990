package leaderboard

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/assaybench/assay/contract/tasks"
	"github.com/assaybench/assay/realism"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/world"
)

// Trials puts runs of this release before the leaderboard, one of each kind that must or must not have a row, and says what it
// made of them. The complete run is the reference with one look more, under a name that is nobody's.
func Trials(ctx context.Context, rel Release) ([]realism.BoardTrial, error) {
	whole, err := rel.played(ctx, true)
	if err != nil {
		return nil, err
	}
	same, err := rel.played(ctx, false)
	if err != nil {
		return nil, err
	}
	copied := func(edit func(r *Run)) Run {
		r := whole
		r.Attempts = slices.Clone(whole.Attempts)
		edit(&r)
		return r
	}
	cases := []struct {
		name string
		run  Run
	}{
		{realism.BoardComplete, whole},
		{realism.BoardPartial, copied(func(r *Run) { r.Attempts = r.Attempts[1:] })},
		{realism.BoardErrors, copied(func(r *Run) { r.Attempts[0].Outcome = record.Error })},
		{realism.BoardStale, copied(func(r *Run) { r.Digest = "0" + r.Digest[1:] + "0" })},
		{realism.BoardSpliced, copied(func(r *Run) { r.Attempts[0].Run = "another" })},
		{realism.BoardUnopened, copied(func(r *Run) { r.Attempts[0].Transcript = nil })},
		{realism.BoardTampered, copied(func(r *Run) {
			r.Attempts[0].Verdict = bytes.Replace(r.Attempts[0].Verdict, []byte(`"strict":true`), []byte(`"strict":false`), 1)
		})},
		{realism.BoardControl, copied(func(r *Run) { r.Model = "control/reference" })},
		{realism.BoardDisguised, same},
	}
	var out []realism.BoardTrial
	for _, c := range cases {
		row, err := Admit(ctx, rel, c.run)
		if cause := context.Cause(ctx); cause != nil {
			return nil, cause
		}
		t := realism.BoardTrial{Case: c.name, Row: err == nil, Shown: row.Shown(), Why: "has a row"}
		if err != nil {
			t.Why = err.Error()
		}
		out = append(out, t)
	}
	return out, nil
}

// played makes a run by the references, each task once; more adds one look at the brief to each.
func (rel Release) played(ctx context.Context, more bool) (Run, error) {
	r := Run{ID: "trial", Model: "trial/nobody", Posture: "plain", Digest: rel.Digest, Grader: rel.Set.Digest(), Repeats: 1}
	for _, t := range rel.Set.Tasks() {
		if !t.Frozen {
			continue
		}
		a, err := rel.attempt(ctx, t, r.ID, more)
		if err != nil {
			return r, err
		}
		r.Attempts = append(r.Attempts, a)
	}
	if len(r.Attempts) == 0 {
		return r, fmt.Errorf("%s has no task to try the leaderboard with", rel.Set.Bench().Name())
	}
	return r, nil
}

func (rel Release) attempt(ctx context.Context, t *tasks.Task, run string, more bool) (Attempt, error) {
	trace, err := t.Reference()
	if err != nil {
		return Attempt{}, err
	}
	if more {
		trace = append([]world.TraceCall{{Tool: world.ToolContext, Args: []byte("{}")}}, trace...)
	}
	s, err := t.Session(ctx, "trial")
	if err != nil {
		return Attempt{}, err
	}
	defer s.Close()
	if err := world.Replay(ctx, s, trace); err != nil {
		return Attempt{}, err
	}
	ep, err := world.Bundle(ctx, s, "answer")
	if err != nil {
		return Attempt{}, err
	}
	ep.Sealed = true // made here, and shown to nobody
	tr := &record.Transcript{Outcome: record.Answered, Episode: ep}
	v, err := rel.Set.Grade(ctx, t.ID, *tr)
	if err != nil {
		return Attempt{}, err
	}
	b, err := record.Canonical(v)
	return Attempt{Run: run, Task: t.ID, Repeat: 1, Outcome: record.Answered, Transcript: tr, Verdict: b}, err
}
