package world

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// TraceCall is one line of a trace: a call that is to be made. A trace is written beforehand; what an episode did stands
// in its events.
type TraceCall struct {
	Tool string         `json:"tool"`
	Args jsontext.Value `json:"args"`
	Line int            `json:"-"`
}

const maxTrace = 10_000

// ReadTrace reads a trace: one JSON object {"tool", "args"} a line. Empty lines and lines that begin with # are left out.
func ReadTrace(b []byte) ([]TraceCall, error) {
	var out []TraceCall
	n := 0
	for line := range bytes.Lines(b) {
		n++
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		c, err := readCall(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		c.Line = n
		if c.Tool == "" {
			return nil, fmt.Errorf("line %d: the call names no tool", n)
		}
		if len(out) == maxTrace {
			return nil, fmt.Errorf("line %d: more than %d calls", n, maxTrace)
		}
		out = append(out, c)
	}
	return out, nil
}

// ErrEvents is what a log of events is, which is given as a trace.
var ErrEvents = errors.New("this is the log of an episode, and no trace")

// NoTrace says why a text is no trace; nil where it is one.
func NoTrace(text string) error {
	_, err := ReadTrace([]byte(text))
	return err
}

// readCall reads one line of a trace. Its errors are for people who write traces.
func readCall(line []byte) (c TraceCall, err error) {
	const form = `a call is {"tool": "…", "args": {…}}`
	var members map[string]jsontext.Value
	if err := jsonv2.Unmarshal(line, &members); err != nil {
		if !jsontext.Value(line).IsValid() {
			return c, fmt.Errorf("not JSON, and %s", form)
		}
		return c, fmt.Errorf("no JSON object, and %s", form)
	}
	if members["seq"] != nil && members["prev"] != nil && members["hash"] != nil {
		return c, ErrEvents
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		switch v := members[name]; {
		case name == "args":
			c.Args = v
		case name != "tool":
			return c, fmt.Errorf("%q is nothing that a call has; %s", oneLine(name, 60), form)
		case jsonv2.Unmarshal(v, &c.Tool) != nil:
			return c, fmt.Errorf("the tool is no text; %s", form)
		}
	}
	return c, nil
}

// Replay makes a trace's calls as the agent. A call that the world refuses or rejects is part of a trace, as it is of an
// episode; a fault of the world is ours.
func Replay(ctx context.Context, s *Session, trace []TraceCall) error {
	for _, c := range trace {
		e, err := s.Call(ctx, Call{Actor: Agent, Surface: "replay", Tool: c.Tool, Args: c.Args})
		if err != nil {
			return err
		}
		if e.Status == Fault {
			return fmt.Errorf("line %d: %w", c.Line, errors.New(e.Error.Message))
		}
	}
	return nil
}
