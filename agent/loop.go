// Package agent is what works on an agent task: the tool-using loop over a model, programs from outside, the reference's
// own trace, and the controls. Whoever works, the record is the world's: its events, not what an agent says of itself.
package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/price"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/world"
)

// How an episode ended.
const (
	EndedAnswer  = "answer"  // the answer was handed in
	EndedSilent  = "silent"  // the agent stopped without one
	EndedTurns   = "turns"   // a limit was reached
	EndedCalls   = "calls"   //
	EndedTokens  = "tokens"  //
	EndedTime    = "time"    //
	EndedCost    = "cost"    //
	EndedContext = "context" // the conversation outgrew the model's context
	EndedReply   = "reply"   // a reply was cut off or refused; the outcome says which
)

// Surface is the name that events of the built-in loop carry.
const Surface = "loop"

// Loop is a model at work in a session: what was said so far, and what it came to. It is not safe for concurrent use.
type Loop struct {
	s      *world.Session
	limits world.Limits
	names  map[string]string // what the model is offered → the tool's own name
	tools  []model.Tool

	messages []model.Message
	turns    []record.Turn
	calls    []record.Exchange
	usage    record.Usage
	timing   record.Timing
	worked   time.Duration // in the world
	made     int           // calls of tools
	ended    string
	why      string
	through  bool // an answer does not end it

	price  *price.Price // nil: what replies cost is not known
	output int64        // tokens of one reply at the most
	cost   price.Amount // of all replies
}

// NewLoop begins at a session's first call.
func NewLoop(s *world.Session, l world.Limits) *Loop {
	lo := &Loop{s: s, limits: l, names: map[string]string{}}
	for _, t := range s.Tools() {
		name := wireName(t.Name)
		lo.names[name] = t.Name
		lo.tools = append(lo.tools, model.Tool{Name: name, Description: t.Description, Input: t.Input.JSON})
	}
	return lo
}

// PlayThrough lets the episode go on after an answer until the agent stops, as a trace does that is replayed: of several
// submissions the last one counts. It is for controls, which are such traces; a model's work ends with its answer.
func (l *Loop) PlayThrough() { l.through = true }

// Priced holds the episode to the bench's limit of cost, by what a model's tokens cost. output is how many one reply may have:
// a reply whose tokens the server does not count is taken to cost the most that it can have cost.
func (l *Loop) Priced(p price.Price, output int64) { l.price, l.output = &p, output }

// charge adds the cost of a reply.
func (l *Loop) charge(t *record.Transcript) {
	if l.price == nil || !price.Charged(t.Outcome, t.Usage) {
		return
	}
	cost, counted := l.price.OfUsage(t.Usage)
	if !counted {
		sent := 0
		for _, x := range t.Calls {
			sent = max(sent, len(x.RequestBody))
		}
		cost = l.price.Ceiling(int64(sent), l.output)
	}
	l.cost = l.cost.Plus(cost)
}

// wireName is a tool's name as providers take it: letters, digits, _ and -. A tool's own name has no -, so that two never
// become one.
func wireName(name string) string { return strings.ReplaceAll(name, ".", "-") }

// Tools gives what the model may call.
func (l *Loop) Tools() []model.Tool { return l.tools }

// Turns is how many replies were taken.
func (l *Loop) Turns() int { return len(l.turns) }

// Session is the world that the loop works in.
func (l *Loop) Session() *world.Session { return l.s }

// Messages gives the messages of the next call: what the bench asks, and what was said since.
func (l *Loop) Messages(asked []model.Message) []model.Message {
	return append(append([]model.Message(nil), asked...), l.messages...)
}

// Left is the time that the episode still has; ok is false where it has no limit.
func (l *Loop) Left() (left time.Duration, ok bool) {
	if l.limits.Time == 0 {
		return 0, false
	}
	return max(0, l.limits.Time-time.Duration(l.timing.Total)-l.worked), true
}

// Take takes a reply that came back whole or badly, answers the calls in it, and says whether the model is to be called
// again. The error is ours: the world failed.
func (l *Loop) Take(ctx context.Context, t *record.Transcript, reply model.Message) (more bool, err error) {
	l.count(t)
	if t.Outcome != record.Answered {
		l.end(EndedReply, t.Reason)
		if t.Outcome == record.Undelivered && len(l.turns) > 0 {
			l.end(EndedContext, fmt.Sprintf("the conversation outgrew the model's context after %d turns", len(l.turns)))
		}
		return false, nil
	}
	l.turns = append(l.turns, record.Turn{Answer: t.Answer, Thinking: t.Thinking, Tools: t.Tools})
	if len(t.Tools) == 0 {
		if l.ended == "" {
			l.end(EndedSilent, "the agent stopped without handing in an answer")
		}
		return false, nil
	}
	l.messages = append(l.messages, reply)
	started := time.Now()
	for _, c := range t.Tools {
		if err := l.call(ctx, c); err != nil {
			return false, err
		}
	}
	l.worked += time.Since(started)
	return l.goesOn(), nil
}

// call answers one call of a tool. Its arguments go to the world as they came: what is no JSON is refused there, told to
// the model and counted.
func (l *Loop) call(ctx context.Context, c record.ToolCall) error {
	if l.limits.Calls > 0 && l.made >= l.limits.Calls {
		l.end(EndedCalls, fmt.Sprintf("the limit of %d calls was reached", l.limits.Calls))
		return nil
	}
	l.made++
	name, ok := l.names[c.Name]
	if !ok {
		name = c.Name
	}
	e, err := l.s.Call(ctx, world.Call{Actor: world.Agent, Surface: Surface, Tool: name, Args: []byte(c.Arguments)})
	if err != nil {
		return err
	}
	m := model.Message{Role: "tool", CallID: c.ID, Tool: c.Name, Text: string(e.Result)}
	if e.Error != nil {
		b, err := json.Marshal(map[string]any{"error": e.Error})
		if err != nil {
			return err
		}
		m.Text, m.Failed = string(b), true
	}
	if e.Status == world.Fault {
		return fmt.Errorf("the world failed: %s", e.Error.Message)
	}
	l.messages = append(l.messages, m)
	if e.OK() && e.Tool == world.ToolSubmit {
		l.end(EndedAnswer, "")
	}
	return nil
}

// goesOn holds the episode against its limits. An answer that was handed in ends it with the turn that it stood in, unless it
// is played through.
func (l *Loop) goesOn() bool {
	if l.ended != "" && (l.ended != EndedAnswer || !l.through) {
		return false
	}
	left, timed := l.Left()
	switch {
	case l.limits.Turns > 0 && len(l.turns) >= l.limits.Turns:
		l.end(EndedTurns, fmt.Sprintf("the limit of %d turns was reached", l.limits.Turns))
	case l.limits.Tokens > 0 && l.tokens() >= l.limits.Tokens:
		l.end(EndedTokens, fmt.Sprintf("the limit of %d tokens was reached", l.limits.Tokens))
	case l.limits.Cost > 0 && l.cost >= l.limits.Cost:
		l.end(EndedCost, fmt.Sprintf("the limit of %s %s was reached", l.limits.Cost, l.limits.Currency))
	case timed && left == 0:
		l.end(EndedTime, fmt.Sprintf("the limit of %s was reached", l.limits.Time))
	case l.ended == EndedAnswer && l.limits.Calls > 0 && l.made >= l.limits.Calls:
	default:
		return true
	}
	return false
}

// end notes how the episode ended. An answer is the better reason: a limit that is met after it changes nothing.
func (l *Loop) end(how, why string) {
	if l.ended != EndedAnswer {
		l.ended, l.why = how, why
	}
}

func (l *Loop) tokens() (n int64) {
	for _, v := range []*int64{l.usage.Prompt, l.usage.Output} {
		if v != nil {
			n += *v
		}
	}
	return n
}

func (l *Loop) count(t *record.Transcript) {
	l.charge(t)
	l.calls = append(l.calls, t.Calls...)
	if len(l.calls) == len(t.Calls) {
		l.usage, l.timing = t.Usage, t.Timing
		return
	}
	l.usage, l.timing = t.Usage.Add(l.usage), l.timing.Add(t.Timing)
}

// outcome is how the attempt ended, by the table of the design: an answer or the agent's own end is answered, a limit is
// truncated, and a reply that ended badly is what it is.
func (l *Loop) outcome(last *record.Transcript) (record.Outcome, string) {
	switch l.ended {
	case EndedAnswer, EndedSilent:
		return record.Answered, l.why
	case EndedReply:
		return last.Outcome, last.Reason
	}
	return record.Truncated, l.why
}

// Whole makes the attempt's transcript: the last reply's, with everything said before it and the episode as the world
// recorded it. Tokens and times are sums.
func (l *Loop) Whole(ctx context.Context, last record.Transcript) (record.Transcript, error) {
	ep, err := world.Bundle(ctx, l.s, l.ended)
	if err != nil {
		return last, err
	}
	t := last
	t.Outcome, t.Reason = l.outcome(&last)
	t.Usage, t.Timing, t.Calls, t.Episode = l.usage, l.timing, l.calls, ep
	t.Turns = l.turns
	if n := len(l.turns); n > 0 && last.Outcome == record.Answered && l.turns[n-1].Answer == last.Answer {
		t.Turns = l.turns[:n-1]
	}
	if t.Outcome == record.Answered && t.Delivery.State == model.Undelivered {
		t.Delivery.State = model.NotProvable
	}
	return t, nil
}
