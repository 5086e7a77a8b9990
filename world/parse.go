package world

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	jsonv2 "github.com/go-json-experiment/json"
)

// notJSON says in words of JSON why something could not be read, without the names that this program has for it inside.
func notJSON(err error) string {
	var se *jsonv2.SemanticError
	if !errors.As(err, &se) {
		return oneLine(err.Error(), 200)
	}
	at := ""
	if p := string(se.JSONPointer); p != "" {
		at = oneLine(p, 100) + ": "
	}
	switch {
	case errors.Is(se.Err, jsonv2.ErrUnknownName):
		return at + "there is no such member"
	case se.JSONKind != 0:
		return at + "a " + se.JSONKind.String() + " does not belong here"
	case se.Err != nil:
		return at + oneLine(se.Err.Error(), 200)
	}
	return at + "it is not what belongs here"
}

// ParseEvent reads one event as events.jsonl has it. Rows come back with the types that the store gave: integers, reals,
// texts, bytes.
func ParseEvent(b []byte) (*Event, error) {
	var e Event
	if err := jsonv2.Unmarshal(b, &e, jsonv2.RejectUnknownMembers(true)); err != nil {
		return nil, errors.New("no event: " + notJSON(err))
	}
	if e.Effect == nil {
		e.Effect = []Change{}
	}
	return &e, nil
}

// ReadEvents reads a log, one event a line.
func ReadEvents(r io.Reader) ([]Event, error) {
	b, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	var out []Event
	for n := 1; len(b) > 0; n++ {
		line, rest, ended := bytes.Cut(b, []byte("\n"))
		if !ended {
			return nil, fmt.Errorf("line %d: the last line has no end; the log is torn", n)
		}
		e, err := ParseEvent(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		out, b = append(out, *e), rest
	}
	return out, nil
}

// UnmarshalJSON reads a row's values back as the store gave them.
func (r *Row) UnmarshalJSON(b []byte) error {
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber()
	var m map[string]any
	if err := dec.Decode(&m); err != nil {
		return err
	}
	if m == nil {
		*r = nil
		return nil
	}
	out := make(Row, len(m))
	for k, v := range m {
		x, err := storedJSON(v)
		if err != nil {
			return fmt.Errorf("column %s: %w", k, err)
		}
		out[k] = x
	}
	*r = out
	return nil
}

func storedJSON(v any) (any, error) {
	switch x := v.(type) {
	case nil, string:
		return x, nil
	case json.Number:
		if n, err := x.Int64(); err == nil {
			return n, nil
		}
		return x.Float64() // 1e20 is written as a whole number
	case map[string]any:
		if s, ok := x["$blob"].(string); ok && len(x) == 1 {
			b, err := base64.StdEncoding.DecodeString(s)
			return Blob(b), err
		}
	}
	return nil, errors.New("a value is null, a number, a text or {\"$blob\": base64}")
}
