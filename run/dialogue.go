package run

import (
	"context"
	"fmt"

	"github.com/assaybench/assay/agent"
	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/store"
)

// dialogue is what was said in an attempt before its last call: replies that did not validate, and what the model was told
// about them. A fault ends a call, not the dialogue: the next try goes on where it stands.
type dialogue struct {
	turns   []record.Turn
	natives [][]byte
	calls   []record.Exchange
	usage   record.Usage
	timing  record.Timing
	closed  bool        // the reply is a recorded attempt's, whole
	loop    *agent.Loop // of an agent task: what was said, and done, stands there
	last    model.Reply // the reply that the loop takes
	host    *agent.Host // where a program from outside works
}

// after gives the messages of a call: what the bench asks, and then what was said.
func (d *dialogue) after(asked []model.Message) []model.Message {
	if d.loop != nil {
		return d.loop.Messages(asked)
	}
	if len(d.turns) == 0 {
		return asked
	}
	out := append([]model.Message(nil), asked...)
	for i, t := range d.turns {
		out = append(out, model.Message{Role: "assistant", Text: t.Answer, Thinking: t.Thinking, Native: d.natives[i]}, model.Message{Role: "user", Text: t.Told})
	}
	return out
}

// add notes a reply that was not the last one.
func (d *dialogue) add(t *record.Transcript, native []byte, told string) {
	d.turns = append(d.turns, record.Turn{Answer: t.Answer, Thinking: t.Thinking, Told: told})
	d.natives = append(d.natives, native)
	d.calls = append(d.calls, t.Calls...)
	if len(d.turns) == 1 {
		d.usage, d.timing = t.Usage, t.Timing
		return
	}
	d.usage, d.timing = d.usage.Add(t.Usage), d.timing.Add(t.Timing)
}

// whole puts what was said before into the transcript of the last call. Tokens and times are sums.
func (d *dialogue) whole(t record.Transcript) record.Transcript {
	if len(d.turns) == 0 {
		return t
	}
	t.Turns = append([]record.Turn(nil), d.turns...)
	t.Calls = append(append([]record.Exchange(nil), d.calls...), t.Calls...)
	t.Usage, t.Timing = d.usage.Add(t.Usage), d.timing.Add(t.Timing)
	return t
}

// converse makes calls until a reply is the last one: it validates, or no more may be mended. The error is ctx's.
func (c *Caller) converse(ctx context.Context, task store.Task, said *dialogue) (record.Transcript, *model.Fault, error) {
	if w, ok := c.Set.(Worker); ok {
		return c.work(ctx, w, task, said)
	}
	conv, ok := c.Set.(Converser)
	for {
		t, native, fault, err := c.admitted(ctx, task, said)
		if err != nil || fault != nil || !ok || said.closed || t.Outcome != record.Answered {
			return said.whole(t), fault, err
		}
		told, again, err := again(ctx, conv, task.Key.Item, len(said.turns), t.Answer)
		if err != nil {
			t, fault, err := broken(ctx, task, t, "its reply could not be looked at", err)
			return said.whole(t), fault, err
		}
		if !again {
			return said.whole(t), nil, nil
		}
		said.add(&t, native, told)
	}
}

// again asks the bench, and keeps its panic from taking the run down.
func again(ctx context.Context, conv Converser, item string, earlier int, answer string) (told string, ok bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return conv.Again(ctx, item, earlier, answer)
}
