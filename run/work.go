package run

import (
	"context"
	"errors"

	"github.com/assaybench/assay/agent"
	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/store"
)

// work makes an episode's calls until it ends. A fault ends a call, not the episode: the next try goes on in the same world
// where it stands, so that a provider's hiccup costs an agent nothing.
func (c *Caller) work(ctx context.Context, w Worker, task store.Task, said *dialogue) (record.Transcript, *model.Fault, error) {
	if p, ok := c.Models[task.Model].(model.Program); ok && p.Program() {
		return c.hosted(ctx, w, task, said, p.Sealed())
	}
	if said.loop == nil {
		s, err := w.Begin(ctx, task.Key)
		if err != nil {
			return broken(ctx, task, record.Transcript{}, "no world could be made for it", err)
		}
		said.loop = agent.NewLoop(s, w.Limits())
		if ctl, ok := c.Models[task.Model].(model.Control); ok && ctl.Control() {
			said.loop.PlayThrough()
		}
		if q, ok := c.Set.Bench().Protocol.Posture(task.Key.Posture); ok && task.Model < len(c.Prices) && c.Prices[task.Model] != nil {
			said.loop.Priced(*c.Prices[task.Model], int64(q.MaxOutput))
		}
	}
	for {
		t, _, fault, err := c.admitted(ctx, task, said)
		if err != nil || said.closed {
			return t, fault, err
		}
		if fault != nil && t.Outcome == record.Error {
			return t, fault, nil
		}
		more, err := said.loop.Take(ctx, &t, said.last.Turn())
		if err != nil {
			return broken(ctx, task, t, "its world failed", err)
		}
		if more {
			continue
		}
		if t, err = said.loop.Whole(ctx, t); err != nil {
			return broken(ctx, task, t, "its episode could not be kept", err)
		}
		return t, nil, nil
	}
}

// hosted lets a program from outside work on a task: it is told where its world is, and the world keeps the record. A program
// that fails before its first call never began, which is nobody's answer; each try begins in a new world.
func (c *Caller) hosted(ctx context.Context, w Worker, task store.Task, said *dialogue, sealed bool) (record.Transcript, *model.Fault, error) {
	said.close()
	s, err := w.Begin(ctx, task.Key)
	if err != nil {
		return broken(ctx, task, record.Transcript{}, "no world could be made for it", err)
	}
	asked, err := c.Set.Prompt(task.Key.Item)
	if err == nil {
		said.host, err = agent.NewHost(s, asked, w.Limits())
	}
	if err != nil {
		s.Close()
		return broken(ctx, task, record.Transcript{}, "its world could not be served", err)
	}
	t, _, fault, err := c.admitted(ctx, task, said)
	if err != nil {
		return t, nil, err
	}
	if ctx.Err() != nil && (fault == nil || !errors.Is(fault.Err, model.ErrTimeLimit)) {
		return t, nil, context.Cause(ctx)
	}
	if fault != nil && t.Outcome != record.Timeout && !said.host.Begun() {
		return t, fault, nil
	}
	if t, err = said.host.Whole(ctx, t, c.Models[task.Model].Name(), sealed); err != nil {
		return broken(ctx, task, t, "its world failed", err)
	}
	return t, nil, nil
}

// broken ends a try by a fault of ours; where ctx ended, that is the reason of whatever failed.
func broken(ctx context.Context, task store.Task, t record.Transcript, what string, err error) (record.Transcript, *model.Fault, error) {
	if ctx.Err() != nil {
		return t, nil, context.Cause(ctx)
	}
	f := ours(task, what, err)
	t.Outcome, t.Reason = record.Error, f.Msg
	return t, f, nil
}

// close gives back what an episode holds.
func (d *dialogue) close() {
	if d.host != nil {
		d.host.Close()
		d.host = nil
	}
	if d.loop != nil {
		d.loop.Session().Close() // in memory: nothing is lost with it
	}
}

// progress grows with every reply that an episode took.
func (d *dialogue) progress() int {
	if d.loop == nil {
		return 0
	}
	return d.loop.Turns()
}
