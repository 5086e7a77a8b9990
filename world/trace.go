package world

import (
	"bytes"
	"context"
	"errors"
	"fmt"

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
		c := TraceCall{Line: n}
		if err := jsonv2.Unmarshal(line, &c, jsonv2.RejectUnknownMembers(true)); err != nil {
			return nil, fmt.Errorf("line %d: a call is {\"tool\": …, \"args\": {…}}: %s", n, oneLine(err.Error(), 200))
		}
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
