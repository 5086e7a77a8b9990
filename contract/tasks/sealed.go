package tasks

import (
	"context"

	"github.com/assaybench/assay/contract"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/world"
)

// What an auditor needs of a task beside its public part. All of it is sealed: these types can be neither written as JSON
// nor printed.

// Contract gives the task's compiled contract.
func (t *Task) Contract() *contract.Contract { return t.contract }

// Expected gives every value that the contract derives from the task's seed.
func (t *Task) Expected() *contract.Expected { return t.expected }

// Staged gives what the sealed part puts into the world.
func (t *Task) Staged() *world.Staged { return t.staged }

// Reference gives the calls of the reference, in order. The bench was compiled, so that they can be read.
func (t *Task) Reference() ([]world.TraceCall, error) {
	return world.ReadTrace([]byte(t.controls[0].Answer))
}

// Reads makes the contract's reads on a world of its own, as the harness; end closes it.
func (t *Task) Reads() (reads contract.Reads, end func(), err error) {
	s, err := t.Session(context.Background(), "derive")
	if err != nil {
		return nil, nil, err
	}
	return readsOf(s), func() { s.Close() }, nil
}

// Played is what a trace did in a fresh world of a task.
type Played struct {
	Events  []world.Event
	Final   []world.Change // what they came to
	Verdict *record.Verdict
}

// Play makes a trace's calls in a fresh world and judges what they did. A call that the world refuses is part of a trace; the
// error is ours.
func (t *Task) Play(ctx context.Context, trace []world.TraceCall) (*Played, error) {
	s, err := t.Session(ctx, "replay")
	if err != nil {
		return nil, err
	}
	defer s.Close()
	if err := world.Replay(ctx, s, trace); err != nil {
		return nil, err
	}
	p := &Played{Events: s.Events()}
	if p.Final, err = s.Changes(ctx); err != nil {
		return nil, err
	}
	ep, err := world.Bundle(ctx, s, "replay")
	if err != nil {
		return nil, err
	}
	p.Verdict, err = t.judge(ctx, ep, record.Answered)
	return p, err
}

// PublicDigest is the digest of the task's public files.
func (t *Task) PublicDigest() string { return t.digest }

// PlayEnds makes a trace's calls once in a fresh world, and then each of the ends, one after the other and each taken back
// before the next: what a task's verdict is when only the last calls are others.
func (t *Task) PlayEnds(ctx context.Context, trace []world.TraceCall, ends [][]world.TraceCall) ([]*record.Verdict, error) {
	s, err := t.Session(ctx, "replay")
	if err != nil {
		return nil, err
	}
	defer s.Close()
	if err := world.Replay(ctx, s, trace); err != nil {
		return nil, err
	}
	out := make([]*record.Verdict, len(ends))
	for i, end := range ends {
		err := s.Trial(ctx, nil, func() error {
			if err := world.Replay(ctx, s, end); err != nil {
				return err
			}
			ep, err := world.Bundle(ctx, s, "replay")
			if err != nil {
				return err
			}
			out[i], err = t.judge(ctx, ep, record.Answered)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}
