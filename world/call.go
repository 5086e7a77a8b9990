package world

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/bench"
)

// Call is one call of a tool.
type Call struct {
	Actor   Actor
	Surface string
	Server  string // when the caller speaks to one server only, its id; tools of others are not mounted there
	Tool    string
	Args    []byte // JSON; nothing stands for {}
}

// callLimit ends a tool's statements that run away; those of a sound world take milliseconds. What keeps the log and the
// store in step is not under it.
var callLimit = 10 * time.Second

// Call answers a call and records it with what it changed. The event says how it ended; the error is ours alone (the
// session is closed, the store failed), and then nothing was recorded or changed.
func (s *Session) Call(ctx context.Context, c Call) (*Event, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.broken != nil {
		return nil, s.broken
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	// A call that has begun is finished whatever becomes of its caller: half an answer would leave the log behind the world.
	ctx = context.WithoutCancel(ctx)
	at := s.clock()
	e := &Event{Seq: len(s.events) + 1, Actor: c.Actor, Surface: c.Surface, Session: s.id, At: at.Format(clockLayout), Tool: toolText(c.Tool),
		Args: rawArgs(c.Args), Effect: []Change{}}
	if len(c.Args) == 0 {
		e.Args = jsontext.Value("{}")
	}
	if len(c.Args) > maxArgs { // refused below; the log keeps its beginning
		e.Args = rawArgs(append(slices.Clone(c.Args[:1000]), "…"...))
	}
	err := s.answer(ctx, e, c, at)
	if err != nil {
		s.broken = fmt.Errorf("the session's store failed: %w", err)
		return nil, s.broken
	}
	return e, nil
}

// toolText keeps the name of an unknown tool within bounds.
func toolText(name string) string {
	if len(name) > 200 {
		return strings.ToValidUTF8(name[:200], "") + "…"
	}
	return strings.ToValidUTF8(name, "\uFFFD")
}

// answer finds the tool, checks the arguments, runs it and records the event.
func (s *Session) answer(ctx context.Context, e *Event, c Call, at time.Time) error {
	t, no := s.resolve(c)
	var args map[string]any
	if no == nil {
		var err error
		args, err = decodeArgs(c.Args)
		if err == nil {
			err = t.Input.check(args)
		}
		if err != nil {
			no = &CallError{Code: InvalidArguments, Message: t.Name + ": " + err.Error()}
		}
	}
	if no != nil {
		return s.record(ctx, e.end(Rejected, no))
	}
	if say, ok := s.fails(t, args, e.Actor); ok {
		return s.record(ctx, e.end(Refused, &CallError{Code: Transient, Message: say, Retryable: true}))
	}
	if t.Server == BuiltinServer {
		return s.record(ctx, s.builtin(t, args, e))
	}
	params, err := s.params(t, args, at)
	if err != nil {
		return s.record(ctx, e.end(Rejected, &CallError{Code: InvalidArguments, Message: t.Name + ": " + err.Error()}))
	}
	k := &call{d: s.d, tool: t, args: args, params: params, highest: s.highest}
	if t.Access == Read {
		return s.read(ctx, e, k)
	}
	return s.write(ctx, e, k)
}

// end closes an event with an error.
func (e *Event) end(st Status, err *CallError) *Event {
	e.Status, e.Error, e.Result = st, err, nil
	return e
}

func (s *Session) resolve(c Call) (*Tool, *CallError) {
	i, ok := slices.BinarySearchFunc(s.tools, c.Tool, func(t *Tool, name string) int { return strings.Compare(t.Name, name) })
	if !ok {
		var have []string
		for _, t := range s.tools {
			have = append(have, t.Name)
		}
		return nil, &CallError{Code: UnknownTool, Message: fmt.Sprintf("there is no tool %q%s", oneLine(c.Tool, 200), bench.Nearest(c.Tool, have))}
	}
	if t := s.tools[i]; c.Server == "" || t.Server == c.Server {
		return t, nil
	}
	return nil, &CallError{Code: NotMounted, Message: fmt.Sprintf("the tool %s belongs to another server than %s", c.Tool, c.Server)}
}

// fails says whether a staged fault takes a call, and counts it. Faults are the episode's own: they meet the agent alone.
func (s *Session) fails(t *Tool, args map[string]any, a Actor) (say string, ok bool) {
	if s.staged == nil || a != Agent {
		return "", false
	}
	for i := range s.staged.faults {
		f := &s.staged.faults[i]
		if s.failed[i] < f.failures && f.matches(t.Name, args) {
			s.failed[i]++
			return f.say, true
		}
	}
	return "", false
}

func (s *Session) builtin(t *Tool, args map[string]any, e *Event) *Event {
	var out map[string]any
	var err error
	switch t.Name {
	case ToolContext:
		out = s.brief()
	case ToolEvidence:
		out, err = s.readEvidence(args["path"].(string))
	default:
		_, n := Answer(s.events)
		out = map[string]any{"accepted": true, "submissions": int64(n + 1)}
	}
	return e.finish(t, out, err)
}

// finish closes an event with what a tool gave.
func (e *Event) finish(t *Tool, out map[string]any, err error) *Event {
	var no *CallError
	switch {
	case errors.As(err, &no):
		return e.end(Refused, no)
	case brokenRule(err) != nil:
		return e.end(Refused, brokenRule(err))
	case err != nil:
		return e.end(Fault, &CallError{Code: WorldFault, Message: t.Name + ": " + oneLine(err.Error(), 500)})
	}
	if err := t.Output.check(out); err != nil {
		return e.end(Fault, &CallError{Code: WorldFault, Message: t.Name + ": the result is not what its schema says: " + err.Error()})
	}
	b, err := appendJSON(nil, out)
	if err != nil {
		return e.end(Fault, &CallError{Code: WorldFault, Message: t.Name + ": " + oneLine(err.Error(), 500)})
	}
	if len(b) > maxResult && t.Server != BuiltinServer {
		return e.end(Refused, errLarge)
	}
	e.Status, e.Result = OK, b
	return e
}

func (s *Session) params(t *Tool, args map[string]any, at time.Time) (map[string]any, error) {
	p := map[string]any{"now": at.Format(clockLayout), "today": at.Format(time.DateOnly), "user": nil, "task": s.task.ID}
	if s.task.User != "" {
		p["user"] = s.task.User
	}
	for k, v := range args {
		x, err := plain(v)
		if n, ok := v.(json.Number); ok && t.Input.kinds[k].is("number") {
			x, err = realNumber(string(n))
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", k, err)
		}
		p[k] = x
	}
	return p, nil
}

func (s *Session) read(ctx context.Context, e *Event, k *call) error {
	if err := s.d.queryOnly(ctx, true); err != nil {
		return err
	}
	out, err := k.within(ctx, func(ctx context.Context) (map[string]any, error) {
		if err := k.steps(ctx); err != nil {
			return nil, err
		}
		return k.give(ctx)
	})
	return s.record(ctx, e.finish(k.tool, out, k.missing(err)))
}

// within runs a tool's statements under their limit.
func (c *call) within(ctx context.Context, run func(context.Context) (map[string]any, error)) (map[string]any, error) {
	ctx, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	out, err := run(ctx)
	if err != nil && ctx.Err() != nil {
		return nil, fmt.Errorf("the statements took longer than %v", callLimit)
	}
	return out, err
}

// missing says what a caller is told where there is no row to show.
func (c *call) missing(err error) error {
	if err != errMissing {
		return err
	}
	text := c.tool.result.missing
	if text == "" {
		text = "There is no such record."
	}
	say, _ := fill(text, c.value)
	return &CallError{Code: NotFound, Message: oneLine(say, 1000)}
}

// value gives what stands for a name in a message: as JSON would write it, without quotes.
func (c *call) value(name string) (any, bool) {
	switch x := c.params[name].(type) {
	case int64:
		if b, ok := c.args[name].(bool); ok {
			return b, true
		}
		return x, true
	case float64:
		return strconv.FormatFloat(x, 'f', -1, 64), true
	default:
		return x, true
	}
}
