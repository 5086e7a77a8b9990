package tasks

import (
	"context"
	"fmt"
	"slices"

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/assaybench/assay/contract"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/world"
)

// Grade judges an episode by its task's contract. A transcript without one holds a trace as its answer, which is replayed in
// a world of its own and then judged: so a control, or a trace from a file, is judged as any episode is.
func (s *Set) Grade(ctx context.Context, item string, t record.Transcript) (record.Verdict, error) {
	task, err := s.Task(item)
	if err != nil {
		return record.Verdict{}, err
	}
	var v *record.Verdict
	if t.Episode == nil {
		v, err = task.replayed(ctx, t)
	} else {
		v, err = task.judge(ctx, t.Episode, t.Outcome)
	}
	if err != nil {
		return record.Verdict{}, err
	}
	v.Bench, v.Item, v.Grader, v.Frozen, v.Basis = s.bench.Name(), task.ID, s.digest, task.Frozen, task.Basis
	if v.Agent != nil {
		v.Agent.Task = task.digest
		v.Agent.Unsealed = t.Episode != nil && !t.Episode.Sealed
	}
	if t.Outcome != record.Answered && v.Reason == "" {
		v.Reason = t.Reason
	}
	return *v, context.Cause(ctx)
}

// replayed makes an episode of a trace and judges it.
func (t *Task) replayed(ctx context.Context, tr record.Transcript) (*record.Verdict, error) {
	trace, err := world.ReadTrace([]byte(tr.Answer))
	if err != nil {
		return &record.Verdict{State: record.Unread, Letter: record.LetterUnread, Reason: "this is no trace: " + err.Error(), Findings: []record.Finding{},
			Diagnostics: map[string]any{}}, nil
	}
	s, err := t.Session(ctx, "replay")
	if err != nil {
		return nil, err
	}
	defer s.Close()
	if err := world.Replay(ctx, s, trace); err != nil {
		return nil, fmt.Errorf("%s: %w", t.ID, err)
	}
	ep, err := world.Bundle(ctx, s, "replay")
	if err != nil {
		return nil, err
	}
	return t.judge(ctx, ep, tr.Outcome)
}

// judge judges what the world recorded. An episode that began as another state, or whose log is not whole, is ours to
// explain and never a failure of the agent's.
func (t *Task) judge(ctx context.Context, ep *record.Episode, outcome record.Outcome) (*record.Verdict, error) {
	no := func(format string, args ...any) (*record.Verdict, error) {
		return &record.Verdict{State: record.Ungradable, Letter: record.LetterUngradable, Reason: fmt.Sprintf(format, args...), Findings: []record.Finding{},
			Diagnostics: map[string]any{}}, nil
	}
	seed, err := t.World.Seed(ctx, t.Public, t.staged)
	if err != nil {
		return nil, err
	}
	if ep.Task != t.ID || ep.World != t.World.ID {
		return no("the episode is of %s/%s", ep.World, ep.Task)
	}
	if ep.Seed != seed.SHA256 {
		return no("the episode began as another state than the task's world has now (%.12s, not %.12s)", ep.Seed, seed.SHA256)
	}
	e := contract.Episode{Outcome: outcome, TaskDigest: t.digest, StateDigest: ep.State}
	if err := jsonv2.Unmarshal(ep.Events, &e.Events); err != nil {
		return no("the episode's events cannot be read: %v", err)
	}
	if err := jsonv2.Unmarshal(ep.Changes, &e.Final); err != nil {
		return no("the episode's changes cannot be read: %v", err)
	}
	if err := world.VerifyChain(world.Genesis(ep.Session, ep.Seed), e.Events); err != nil {
		return no("%v", err)
	}
	if state, err := t.World.StateAfter(seed, e.Final); err != nil {
		return no("%v", err)
	} else if state != ep.State {
		return no("the state at the end is not what the episode's changes make of its beginning")
	}
	if why := t.otherwise(e.Events); why != "" {
		return no("%s", why)
	}
	for i := range e.Events {
		if e.Events[i].Status == world.Fault {
			return no("event %d: the world failed: %s", e.Events[i].Seq, e.Events[i].Error.Message)
		}
	}
	return t.contract.Judge(t.expected, &e)
}

// otherwise says what of an episode is of another version of the task than the key follows from: the day on which it began, or an
// evidence file that was read. "" for nothing. Files that are rows of the world belong to the state that it began as.
func (t *Task) otherwise(events []world.Event) string {
	if len(events) > 0 && events[0].At != t.begins {
		return fmt.Sprintf("the episode began at %s, and the task begins at %s now", events[0].At, t.begins)
	}
	for i := range events {
		e := &events[i]
		if e.Tool != world.ToolEvidence || !e.OK() {
			continue
		}
		var got struct{ Path, SHA256 string }
		if err := jsonv2.Unmarshal(e.Result, &got, jsonv2.MatchCaseInsensitiveNames(true)); err != nil {
			return fmt.Sprintf("event %d: the evidence file cannot be read: %v", e.Seq, err)
		}
		k := slices.IndexFunc(t.Public.Evidence, func(f world.File) bool { return f.Path == got.Path })
		if k < 0 || t.Public.Evidence[k].SHA256 != got.SHA256 {
			return fmt.Sprintf("event %d read the evidence file %s as another one than the task has now", e.Seq, got.Path)
		}
	}
	return ""
}
