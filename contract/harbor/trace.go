package harbor

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/world"
)

// Trace is what was read of a foreign trace: its calls, and those of them that failed in the protocol.
type Trace struct {
	Calls  []world.TraceCall
	Failed []string // one line each: calls that a protocol error answered, which were no successes
}

const maxTraceCalls = 10_000

// line is one line of a foreign trace; every dialect uses some of the fields.
type traceLine struct {
	Type      string          `json:"type"`
	ID        json.RawMessage `json:"id"`
	Tool      string          `json:"tool"`
	Name      string          `json:"name"`
	Args      json.RawMessage `json:"args"`
	Arguments json.RawMessage `json:"arguments"`
	Input     json.RawMessage `json:"input"`
	Method    string          `json:"method"`
	Params    json.RawMessage `json:"params"`
	Error     json.RawMessage `json:"error"`
	Result    json.RawMessage `json:"result"`
	Function  *struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
	ToolCalls []json.RawMessage `json:"tool_calls"`
	Message   json.RawMessage   `json:"message"`
	Content   json.RawMessage   `json:"content"`
}

type traceReader struct {
	Trace
	byID map[string]int // an MCP request's id, to its call
	line int
}

// ReadTrace reads a trace of JSON lines in any of these forms: {"tool", "args"} or {"tool", "arguments"}, {"name",
// "arguments"}, a message with "tool_calls", an MCP tools/call request or its answer, and a message with "tool_use" parts.
// An answer that is a protocol error marks its call as failed.
func ReadTrace(b []byte) (*Trace, error) {
	r := &traceReader{byID: map[string]int{}}
	for raw := range bytes.Lines(b) {
		r.line++
		raw = bytes.TrimSpace(raw)
		if len(raw) == 0 || raw[0] == '#' {
			continue
		}
		if err := r.read(raw, 0); err != nil {
			return nil, fmt.Errorf("line %d: %s", r.line, oneLine(err))
		}
	}
	return &r.Trace, nil
}

func (r *traceReader) read(raw []byte, depth int) error {
	if depth > 3 {
		return errors.New("messages stand in messages too deeply")
	}
	var l traceLine
	if err := json.Unmarshal(raw, &l); err != nil {
		return err
	}
	n := len(r.Calls)
	switch {
	case l.Method == "tools/call":
		var p struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		}
		if err := json.Unmarshal(l.Params, &p); err != nil {
			return fmt.Errorf("params of tools/call: %w", err)
		}
		if len(l.ID) > 0 {
			r.byID[string(l.ID)] = n
		}
		if err := r.add(p.Name, p.Arguments); err != nil {
			return err
		}
	case l.Method != "":
		return nil // another request of the protocol is no call of a tool
	case l.Function != nil:
		return r.add(l.Function.Name, l.Function.Arguments)
	case len(l.ToolCalls) > 0:
		for _, c := range l.ToolCalls {
			if err := r.read(c, depth+1); err != nil {
				return err
			}
		}
		return nil
	case len(l.Message) > 0 && l.Message[0] == '{':
		return r.read(l.Message, depth+1)
	case len(l.Content) > 0 && l.Content[0] == '[':
		var parts []json.RawMessage
		if err := json.Unmarshal(l.Content, &parts); err != nil {
			return err
		}
		for _, p := range parts {
			var k struct{ Type string }
			if json.Unmarshal(p, &k) == nil && k.Type == "tool_use" {
				if err := r.read(p, depth+1); err != nil {
					return err
				}
			}
		}
		return nil
	case l.Type == "tool_use":
		return r.add(l.Name, l.Input)
	case l.Tool != "":
		if err := r.add(l.Tool, first(l.Args, l.Arguments)); err != nil {
			return err
		}
	case l.Name != "":
		if err := r.add(l.Name, first(l.Arguments, l.Args, l.Input)); err != nil {
			return err
		}
	case len(l.ID) > 0 && (some(l.Error) || some(l.Result)):
		if i, ok := r.byID[string(l.ID)]; ok && failed(l) {
			r.fail(i, l)
		}
		return nil
	default:
		if some(l.Error) || depth > 0 || l.Content == nil {
			return errors.New("no known form of a tool call")
		}
		return nil // a message that calls nothing
	}
	if failed(l) {
		r.fail(n, l)
	}
	return nil
}

func some(b json.RawMessage) bool { return len(b) > 0 && string(b) != "null" }

func first(of ...json.RawMessage) json.RawMessage {
	for _, b := range of {
		if some(b) {
			return b
		}
	}
	return nil
}

// failed looks at the protocol's own error before the result's: an answer with an error at the top has no result at all.
func failed(l traceLine) bool {
	var res struct {
		IsError bool `json:"isError"`
	}
	return some(l.Error) || some(l.Result) && json.Unmarshal(l.Result, &res) == nil && res.IsError
}

func (r *traceReader) fail(i int, l traceLine) {
	why := "the tool answered with an error"
	if some(l.Error) {
		why = "the protocol answered with an error"
	}
	r.Failed = append(r.Failed, fmt.Sprintf("call %d (%s): %s", i+1, r.Calls[i].Tool, why))
}

// add takes a call. Arguments may be an object, or a text that holds one; text that is no object is a fault, never {}.
func (r *traceReader) add(tool string, args json.RawMessage) error {
	if tool == "" {
		return errors.New("the call names no tool")
	}
	if len(r.Calls) == maxTraceCalls {
		return fmt.Errorf("more than %d calls", maxTraceCalls)
	}
	if !some(args) {
		args = json.RawMessage("{}")
	}
	if args[0] == '"' {
		var s string
		if err := json.Unmarshal(args, &s); err != nil {
			return err
		}
		if args = json.RawMessage(strings.TrimSpace(s)); len(args) == 0 {
			args = json.RawMessage("{}")
		}
	}
	v := jsontext.Value(bytes.Clone(args))
	if err := v.Compact(); err != nil {
		return fmt.Errorf("the arguments of %s are not JSON: %w", tool, err)
	}
	if v.Kind() != '{' {
		return fmt.Errorf("the arguments of %s are no JSON object", tool)
	}
	r.Calls = append(r.Calls, world.TraceCall{Tool: tool, Args: v, Line: r.line})
	return nil
}

// Bytes writes the calls as a trace of ours, one {"tool", "args"} a line.
func (t *Trace) Bytes() ([]byte, error) {
	var b bytes.Buffer
	for _, c := range t.Calls {
		name, err := jsontext.AppendQuote(nil, c.Tool)
		if err != nil {
			return nil, fmt.Errorf("line %d: the tool's name is not UTF-8", c.Line)
		}
		fmt.Fprintf(&b, "{\"tool\":%s,\"args\":%s}\n", name, c.Args)
	}
	return b.Bytes(), nil
}
