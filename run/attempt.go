package run

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/price"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/store"
)

// Caller carries out attempts of one run. It knows nothing of the store, the executor or other attempts, so that a
// worker in another process can use it just so.
type Caller struct {
	Set    Set
	Models []model.Model // by the plan's index
	Retry  Retry
	Rand   func() uint64
	// NoSchema leaves the form of replies to the prompt, where the bench has a schema for it.
	NoSchema bool
	Prices   []*price.Price // by the plan's index; nil, or short of a model: not known
	// Calling, if set, is told of each call before it is made (1) and after it ended (-1), and of each retry.
	Calling func(calls, retries int)
	Hooks
}

// Tried is one try as it ended.
type Tried struct {
	Task       store.Task
	Try        int // its number, from 1
	Transcript record.Transcript
	Final      bool // the attempt has its outcome; otherwise it ended in an error, and may be tried again

	weight int64 // of the memory that it holds, while a writer has it
}

// Attempt makes the calls of one attempt: one, or more after faults that are declared retryable, and where the bench lets a
// model mend a reply that does not validate. A reply is never asked for again for being wrong. Each try is given to emit as
// it ends; nothing is given for a call that ctx ended, which is then ctx's cause. The fault is the last try's, nil when the
// model or the set-up decided the outcome. A fault that every further call would meet is a *StopError, after its try was
// given to emit.
func (c *Caller) Attempt(ctx context.Context, task store.Task, emit func(Tried) error) (*model.Fault, error) {
	retry := c.Retry.orDefault()
	var said dialogue
	defer said.close()
	for try, failed := 1, 1; ; try++ {
		if going := c.going(ctx); going.Err() != nil {
			return nil, context.Cause(going)
		}
		before := said.progress()
		t, fault, err := c.converse(ctx, task, &said)
		if err != nil {
			return nil, err
		}
		if said.progress() > before {
			failed = 1 // an episode of many calls may meet more faults than one call: each has tries of its own
		}
		if fault != nil && ctx.Err() != nil && !errors.Is(fault.Err, model.ErrTimeLimit) {
			return nil, context.Cause(ctx) // interrupted: whatever the fault says, it is not this attempt's outcome
		}
		final := t.Outcome != record.Error
		if err := emit(Tried{Task: task, Try: task.Tries + try, Transcript: t, Final: final}); err != nil {
			return nil, err
		}
		switch {
		case final:
			return nil, nil
		case fault == nil: // a reply that is neither whole nor says why; a second call would ask for another answer
			return nil, nil
		case fault.Terminal():
			return fault, &StopError{Model: task.Key.Model, Fault: fault}
		case !fault.Retryable() || failed >= retry.of(fault):
			return fault, nil
		}
		c.tell(0, 1)
		if err := c.rest(ctx, retry.delay(failed, fault.RetryAfter, c.Rand())); err != nil {
			return nil, err
		}
		failed++
	}
}

// call makes one call under the posture's limits, after what has been said already. native is the reply as its provider
// takes it back.
func (c *Caller) call(ctx context.Context, task store.Task, said *dialogue) (t record.Transcript, native []byte, f *model.Fault) {
	req, limits, err := c.request(task)
	if err != nil {
		return model.Transcribe(req, model.Reply{}, err), nil, model.AsFault(err)
	}
	req.Messages = said.after(req.Messages)
	if said.loop != nil {
		req.Tools = said.loop.Tools()
		if left, ok := said.loop.Left(); ok {
			limits.Timeout = min(limits.Timeout, left)
		}
	}
	if said.host != nil {
		req.World, limits.Timeout = &said.host.World, said.host.Limit(limits.Timeout)
		var end func()
		ctx, end = said.host.Work(ctx, limits.Timeout)
		defer end()
	}
	c.tell(1, 0)
	reply, fault := callWithin(ctx, c.Models[task.Model], req, limits.Timeout, func(p any) *model.Fault {
		return ours(task, "panic in the provider of "+task.Key.Model, p)
	})
	c.tell(-1, 0)
	if fault == nil {
		said.closed, said.last = reply.Recorded != nil, reply
		return model.Transcribe(req, reply, nil), reply.Native, nil
	}
	schemaRefused(&req, fault)
	t = model.Transcribe(req, model.Reply{}, fault)
	underLoad(&t)
	return t, nil, fault
}

func (c *Caller) tell(calls, retries int) {
	if c.Calling != nil {
		c.Calling(calls, retries)
	}
}

// request asks the bench for the prompt and the protocol for everything else.
func (c *Caller) request(task store.Task) (req model.Request, q bench.Posture, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = ours(task, "panic while its prompt was made", p)
		}
	}()
	proto := &c.Set.Bench().Protocol
	q, ok := proto.Posture(task.Key.Posture)
	if !ok || task.Model < 0 || task.Model >= len(c.Models) {
		return req, q, ours(task, "the plan and the bench disagree", fmt.Sprintf("posture %q, model %d", task.Key.Posture, task.Model))
	}
	messages, err := c.Set.Prompt(task.Key.Item)
	if err != nil {
		return req, q, ours(task, "no prompt", err)
	}
	req = requestFor(proto, q, messages)
	req.Key, req.Probed = task.Key, c.probed(task)
	if conv, ok := c.Set.(Converser); ok && !c.NoSchema {
		req.Schema = conv.Schema(task.Key.Item)
	}
	return req, q, nil
}

// callWithin makes one call of a model within a time that is the protocol's. A provider's panic does not take the run down: it
// becomes the fault that panicked makes of it, with the stack.
func callWithin(ctx context.Context, m model.Model, req model.Request, limit time.Duration, panicked func(any) *model.Fault) (reply model.Reply, fault *model.Fault) {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, model.ErrTimeLimit)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			fault = panicked(p)
			fault.Exchange.Error = string(debug.Stack())
		}
	}()
	reply, err := m.Call(ctx, req)
	if err == nil {
		return reply, nil
	}
	fault = model.AsFault(err)
	if fault.Kind == model.FaultCancelled && !errors.Is(fault.Err, model.ErrTimeLimit) && model.TimedOut(ctx) {
		fault.Err = errors.Join(model.ErrTimeLimit, fault.Err) // the provider dropped the cause; the limit was the protocol's all the same
	}
	return reply, fault
}

// ours is a fault of this program, with the item named.
func ours(task store.Task, what string, why any) *model.Fault {
	return &model.Fault{Kind: model.FaultOurs, Msg: fmt.Sprintf("item %s: %s: %s", task.Key.Item, what, model.OneLine(fmt.Sprint(why), 0))}
}

// Pack makes the try's record for the store, which takes longer than most of a call's own work and is therefore left to
// whoever records it. A transcript that is too large to keep becomes an error that says so, without its bodies.
func (t *Tried) Pack() (store.Try, error) {
	packed, err := store.NewTry(t.Task.N, t.Try, t.Transcript)
	if store.KindOf(err) == store.TooLarge {
		was := &t.Transcript
		t.Transcript = record.Transcript{Outcome: record.Error, Reason: fmt.Sprintf("item %s: %v", t.Task.Key.Item, err), Timing: was.Timing, Usage: was.Usage, Delivery: was.Delivery}
		t.Final = false
		packed, err = store.NewTry(t.Task.N, t.Try, t.Transcript)
	}
	return packed, err
}

// gradable reports whether a final try has something to grade: it answered, or it left an answer text or an episode behind,
// whose findings are then a diagnostic.
func gradable(t record.Transcript) bool {
	return t.Outcome != record.Error && (t.Outcome == record.Answered || t.Answer != "" || t.Episode != nil)
}
