package leaderboard

import (
	"context"
	"fmt"
	"slices"

	"github.com/assaybench/assay/contract/tasks"
	"github.com/assaybench/assay/realism"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/report/publication"
	"github.com/assaybench/assay/store"
	"github.com/assaybench/assay/world"
)

const trialModel = "trial/model"

// Trial puts runs of a release before the leaderboard: one that must have a row, and each kind that must not. They are made
// of the references, with a further look at the brief where they play a model, and judged as any run is.
func Trial(ctx context.Context, set *tasks.Set, digest string) ([]realism.BoardTrial, error) {
	r, err := Open(set, digest)
	if err != nil {
		return nil, err
	}
	whole, err := r.played(ctx, true)
	if err != nil {
		return nil, err
	}
	bare, err := r.played(ctx, false)
	if err != nil {
		return nil, err
	}
	stale, spliced := *whole, *whole
	stale.Plan.Digest = "0" + digest[1:]
	if stale.Plan.Digest == digest {
		stale.Plan.Digest = "1" + digest[1:]
	}
	spliced.Episodes = slices.Clone(whole.Episodes)
	first := *spliced.Episodes[0].Transcript
	ep := *first.Episode
	ep.Session = "another"
	first.Episode = &ep
	spliced.Episodes[0].Transcript = &first
	partial := *whole
	partial.Episodes = whole.Episodes[1:]
	failed := *whole
	failed.Episodes = slices.Clone(whole.Episodes)
	a := *failed.Episodes[0].Attempt
	a.Outcome, a.Pass = record.Error, false
	failed.Episodes[0].Attempt = &a
	unopened := *whole
	unopened.Episodes = slices.Clone(whole.Episodes)
	unopened.Episodes[0].Transcript = nil
	tampered := *whole
	tampered.Episodes = slices.Clone(whole.Episodes)
	b := *tampered.Episodes[0].Attempt
	b.Pass = !b.Pass
	tampered.Episodes[0].Attempt = &b
	if tampered.Faults, err = r.again(ctx, &tampered); err != nil {
		return nil, err
	}
	control := *whole
	control.Plan.Models = []store.PlanModel{{Name: trialModel, Postures: []int{0}, Control: true}}
	var out []realism.BoardTrial
	for _, c := range []struct {
		name string
		run  *Run
	}{{realism.BoardComplete, whole}, {realism.BoardPartial, &partial}, {realism.BoardErrors, &failed}, {realism.BoardStale, &stale}, {realism.BoardSpliced, &spliced},
		{realism.BoardUnopened, &unopened}, {realism.BoardTampered, &tampered}, {realism.BoardControl, &control}, {realism.BoardDisguised, bare}} {
		rows, refused := r.Admit(c.run)
		line := r.Table(rows, refused).Lines()[0]
		t := realism.BoardTrial{Case: c.name, Row: len(rows) > 0, Shown: line.Strict}
		if len(line.Why) > 0 {
			t.Why = line.Why[0]
		}
		out = append(out, t)
	}
	return out, nil
}

// played makes a run of the references; look puts a call before each that the reference does not have.
func (r *Release) played(ctx context.Context, look bool) (*Run, error) {
	run := &Run{ID: "trial", Publication: "trial", Plan: store.Plan{Bench: r.set.Bench().ID, Version: r.set.Bench().Version, Digest: r.Digest, Grader: r.set.Digest(), Postures: []string{"plain"},
		Models: []store.PlanModel{{Name: trialModel, Postures: []int{0}}}, Repeats: 1, Items: len(r.tasks), Attempts: len(r.tasks), Proof: "proven"}}
	for n, id := range r.tasks {
		t, err := r.set.Task(id)
		if err != nil {
			return nil, err
		}
		trace, err := t.Reference()
		if err != nil {
			return nil, err
		}
		if look {
			trace = append([]world.TraceCall{{Tool: world.ToolContext, Args: []byte("{}")}, {Tool: world.ToolContext, Args: []byte("{}")}}, trace...)
		}
		key := record.Key{Model: trialModel, Posture: "plain", Item: id, Repeat: 1}
		s, err := r.set.Begin(ctx, key)
		if err != nil {
			return nil, err
		}
		if err := world.Replay(ctx, s, trace); err != nil {
			s.Close()
			return nil, err
		}
		ep, err := world.Bundle(ctx, s, "answer")
		s.Close()
		if err != nil {
			return nil, err
		}
		ep.Sealed = true
		tr := &record.Transcript{Outcome: record.Answered, Episode: ep}
		v, err := r.set.Grade(ctx, id, *tr)
		if err != nil {
			return nil, err
		}
		raw, err := record.Canonical(v)
		if err != nil {
			return nil, err
		}
		if !v.Pass {
			return nil, fmt.Errorf("the reference of %s does not pass: %s", id, v.Reason)
		}
		run.Episodes = append(run.Episodes, Episode{&publication.Attempt{N: n, Key: key, Tries: 1, Outcome: record.Answered, Letter: v.Letter, Pass: v.Pass, Verdict: raw}, tr})
	}
	return run, nil
}

// again grades a run's episodes again, as verifying a publication does.
func (r *Release) again(ctx context.Context, run *Run) (faults []string, err error) {
	for _, e := range run.Episodes {
		v, err := r.set.Grade(ctx, e.Attempt.Key.Item, *e.Transcript)
		if err != nil {
			return nil, err
		}
		raw, err := record.Canonical(v)
		if err != nil {
			return nil, err
		}
		if string(raw) != string(e.Attempt.Verdict) || v.Pass != e.Attempt.Pass {
			faults = append(faults, fmt.Sprintf("attempt %d: graded again, %s gets another verdict", e.Attempt.N, e.Attempt.Key.Item))
		}
	}
	return faults, nil
}
