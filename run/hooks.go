package run

import (
	"context"
	"time"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/store"
)

// Hooks are what an executor of many attempts puts between an attempt and its calls. The zero value is a Caller by itself.
type Hooks struct {
	Gate *Gate // bounds the calls at once; nil: no bound
	// Probed gives Request.Probed of a model (by the plan's index) and a posture; nil: no probe was made.
	Probed func(model int, posture string) int64
	// Going, if set, ends when no further call is to be begun, while one that is under way is still to be finished.
	Going context.Context
	// Resting, if set, is told when an attempt begins to wait before its next try (1) and when the wait is over (-1).
	Resting func(change int)
}

// admitted makes one call when the gate lets it through. The time before the gate is not the model's: the posture's limit
// begins after it.
func (c *Caller) admitted(ctx context.Context, task store.Task, said *dialogue) (t record.Transcript, native []byte, f *model.Fault, err error) {
	going := c.going(ctx)
	p, err := c.Gate.enter(going, task.Model)
	if err == nil && going.Err() != nil { // let through at the same moment
		c.Gate.leave(p, &model.Fault{Kind: model.FaultCancelled})
		err = context.Cause(going)
	}
	if err != nil {
		return t, nil, nil, err
	}
	t, native, f = c.call(ctx, task, said)
	c.Gate.leave(p, f)
	return t, native, f, nil
}

// rest waits before the next try. No place at the gate is held meanwhile.
func (c *Caller) rest(ctx context.Context, d time.Duration) error {
	if c.Resting != nil {
		c.Resting(1)
		defer c.Resting(-1)
	}
	going := c.going(ctx)
	if wait(going, d) != nil {
		return context.Cause(going)
	}
	return nil
}

func (c *Caller) going(ctx context.Context) context.Context {
	if c.Going == nil {
		return ctx
	}
	return c.Going
}

// probed is the weight of the largest prompt of which it was shown that it reaches the model whole.
func (c *Caller) probed(task store.Task) int64 {
	if c.Probed == nil {
		return 0
	}
	return c.Probed(task.Model, task.Key.Posture)
}
