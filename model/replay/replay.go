// Package replay answers from recorded transcripts in place of a model, so that a run can be graded again, or against
// other rules, without asking anything of anyone. An attempt comes back exactly as it was recorded, outcome included.
package replay

import (
	"context"
	"fmt"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
)

// Lookup finds what was recorded for a key; false means that nothing was. It is called concurrently.
type Lookup func(ctx context.Context, key record.Key) (record.Transcript, bool, error)

type replay struct {
	name    string
	control bool
	lookup  Lookup
}

var (
	_ model.Model   = (*replay)(nil)
	_ model.Control = (*replay)(nil)
)

// New makes the model replay/NAME of a recorded run. Attempts are looked up by the key as the request has it: mapping
// this run's model and posture to the recorded ones is lookup's business.
func New(name string, lookup func(ctx context.Context, key record.Key) (record.Transcript, bool, error)) model.Model {
	return &replay{name: "replay/" + name, lookup: lookup}
}

// NewOfControl is New for a run of a control: what is replayed of it is no model's either, and never ranked.
func NewOfControl(name string, lookup Lookup) model.Model {
	return &replay{name: "replay/" + name, control: true, lookup: lookup}
}

// Control says whether a control was recorded.
func (r *replay) Control() bool { return r.control }

// Name is replay/NAME.
func (r *replay) Name() string { return r.name }

// Call gives the recorded attempt back as Reply.Recorded, whatever its outcome: a recorded error is a part of the record
// and not a fault of this call, and is never retried. The other fields repeat what the transcript has of them. A key
// that was not recorded is our own fault: the plan asks for what the run does not hold.
func (r *replay) Call(ctx context.Context, req model.Request) (model.Reply, error) {
	x := record.Exchange{Endpoint: r.name}
	if ctx.Err() != nil {
		return model.Reply{}, model.Cancelled(ctx, x)
	}
	t, found, err := r.lookup(ctx, req.Key)
	k := req.Key
	switch {
	case err != nil && ctx.Err() != nil:
		return model.Reply{}, model.Cancelled(ctx, x)
	case err != nil:
		x.Error = model.OneLine(err.Error(), 0)
		return model.Reply{}, &model.Fault{Kind: model.FaultOurs, Exchange: x, Err: err,
			Msg: fmt.Sprintf("%s, item %q, posture %q, repeat %d: %s", r.name, k.Item, k.Posture, k.Repeat, x.Error)}
	case !found:
		x.Error = "not recorded"
		return model.Reply{}, &model.Fault{Kind: model.FaultOurs, Exchange: x,
			Msg: fmt.Sprintf("%s holds no attempt at item %q, posture %q, repeat %d: choose items with --only, or record them first", r.name, k.Item, k.Posture, k.Repeat)}
	}
	if n := len(t.Calls); n > 0 {
		x = t.Calls[n-1]
	}
	return model.Reply{Answer: t.Answer, Thinking: t.Thinking, Finish: finishOf(t), FinishRaw: t.Finish, Model: t.Model,
		Usage: t.Usage, Timing: t.Timing, Exchange: x, Recorded: &t}, nil
}

// finishOf is the nearest finish to a recorded outcome, for those who look at the reply alone.
func finishOf(t record.Transcript) model.Finish {
	switch t.Outcome {
	case record.Answered:
		return model.FinishStop
	case record.Refused:
		return model.FinishRefusal
	case record.Truncated:
		return model.FinishLength
	}
	return model.FinishAborted
}
