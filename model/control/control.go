// Package control answers with a bench's own controls in place of a model: control/reference gives every item's
// reference answer, control/NAME the negative control of that name, control/empty nothing. It shows that a bench and its
// graders do what they say, and is never ranked.
package control

import (
	"context"
	"fmt"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
)

// Empty is the name of the control that answers nothing and needs no answers.
const Empty = "empty"

type control struct {
	name   string
	answer func(item string) (string, error)
}

var (
	_ model.Model   = (*control)(nil)
	_ model.Control = (*control)(nil)
)

// New makes the model control/NAME from the answers of its items; for "empty" answer is not used and may be nil. An
// error of answer, such as an item without that control, is our own fault and never the model's.
func New(name string, answer func(item string) (text string, err error)) model.Model {
	if name == Empty {
		answer = func(string) (string, error) { return "", nil }
	}
	return &control{name: "control/" + name, answer: answer}
}

// Name is control/NAME.
func (c *control) Name() string { return c.name }

// Control says that this is no model.
func (c *control) Control() bool { return true }

// Call answers by the item of the request's key. Time and token counts are zero: nothing was generated.
func (c *control) Call(ctx context.Context, req model.Request) (model.Reply, error) {
	x := record.Exchange{Endpoint: c.name}
	if ctx.Err() != nil {
		return model.Reply{}, model.Cancelled(ctx, x)
	}
	fault := func(msg string, err error) (model.Reply, error) {
		x.Error = msg
		return model.Reply{}, &model.Fault{Kind: model.FaultOurs, Msg: msg, Exchange: x, Err: err}
	}
	if c.answer == nil {
		return fault(fmt.Sprintf("%s has no answers to give", c.name), nil)
	}
	text, err := c.answer(req.Key.Item)
	if err != nil {
		return fault(fmt.Sprintf("%s, item %q: %s", c.name, req.Key.Item, model.OneLine(err.Error(), 0)), err)
	}
	reply := model.Reply{Answer: text, Finish: model.FinishStop, FinishRaw: "stop", Model: c.name, Exchange: x}
	if len(req.Tools) > 0 {
		if reply.Calls, err = step(text, req.Messages); err != nil {
			return fault(fmt.Sprintf("%s, item %q: %s", c.name, req.Key.Item, model.OneLine(err.Error(), 0)), err)
		}
		if reply.Answer = ""; len(reply.Calls) > 0 {
			reply.Finish, reply.FinishRaw = model.FinishTool, "tool"
		}
	}
	return reply, nil
}
