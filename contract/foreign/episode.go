package foreign

import (
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/assaybench/assay/contract/exact"
)

// Call is one recorded call.
type Call struct {
	Tool    string
	Args    any
	Success bool
	Result  any
}

// retryable says whether a failed call was a staged fault.
func (c *Call) retryable() bool {
	m, _ := c.Result.(map[string]any)
	b, _ := m["retryable"].(bool)
	return b
}

// Row is one row of a table, by column; NULL is nil.
type Row map[string]any

// Episode is what was recorded. Tables is nil where only the calls are known; what needs the final state is then not judged.
type Episode struct {
	Calls  []Call
	Tables map[string][]Row
}

// ReadTrace reads recorded calls: a JSON list of objects with tool, arguments, success and result, in the order of index.
func ReadTrace(data []byte) ([]Call, error) {
	if len(data) > MaxTrace {
		return nil, fmt.Errorf("it has more than %d bytes", MaxTrace)
	}
	v, err := exact.Decode(data)
	if err != nil {
		return nil, fmt.Errorf("it is no JSON: %w", err)
	}
	list, ok := v.([]any)
	if !ok {
		return nil, errors.New("it is no JSON list of calls")
	}
	var out []Call
	var last *big.Rat
	for i, e := range list {
		o, ok := e.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("call %d is no object", i+1)
		}
		c := Call{Args: o["arguments"], Result: o["result"]}
		var good bool
		if c.Tool, ok = o["tool"].(string); !ok || c.Tool == "" {
			return nil, fmt.Errorf("call %d names no tool", i+1)
		}
		if c.Success, good = o["success"].(bool); !good {
			return nil, fmt.Errorf("call %d does not say whether it was a success", i+1)
		}
		if n, ok := o["index"].(*big.Rat); ok {
			if last != nil && n.Cmp(last) <= 0 {
				return nil, fmt.Errorf("call %d has the index %s after %s: the calls are not in order", i+1, n.RatString(), last.RatString())
			}
			last = n
		}
		out = append(out, c)
	}
	return out, nil
}

// TraceTable is the table of a world that holds its calls, beside those of the state.
const TraceTable = "call_trace"

// OfTables makes an episode of a world's tables, with the calls that stand in them.
func OfTables(tables map[string][]Row) (*Episode, error) {
	rows, ok := tables[TraceTable]
	if !ok {
		return nil, errors.New("it has no table " + TraceTable)
	}
	e := &Episode{Tables: tables}
	for i, r := range rows {
		c := Call{}
		if c.Tool, ok = r["tool"].(string); !ok || c.Tool == "" {
			return nil, fmt.Errorf("%s, row %d names no tool", TraceTable, i+1)
		}
		s, ok := r["success"].(*big.Rat)
		if !ok {
			return nil, fmt.Errorf("%s, row %d does not say whether it was a success", TraceTable, i+1)
		}
		c.Success = s.Sign() != 0
		var err error
		if c.Args, err = jsonIn(r["arguments_json"]); err == nil {
			c.Result, err = jsonIn(r["result_json"])
		}
		if err != nil {
			return nil, fmt.Errorf("%s, row %d: %w", TraceTable, i+1, err)
		}
		e.Calls = append(e.Calls, c)
	}
	return e, nil
}

func jsonIn(v any) (any, error) {
	s, ok := v.(string)
	if !ok {
		return nil, nil
	}
	out, err := exact.Decode([]byte(s))
	if err != nil {
		return nil, fmt.Errorf("it holds no JSON: %w", err)
	}
	return out, nil
}

// Tools says which tools write. A tool whose last name is submit_answer hands the answer in.
type Tools struct{ writes map[string]bool }

// ParseTools reads a list of tools as a server of tools gives it: objects with a name, and a hint in annotations.readOnlyHint.
func ParseTools(data []byte) (*Tools, error) {
	if len(data) > MaxContract {
		return nil, fmt.Errorf("it has more than %d bytes", MaxContract)
	}
	v, err := exact.Decode(data)
	if err != nil {
		return nil, fmt.Errorf("it is no JSON: %w", err)
	}
	if o, ok := v.(map[string]any); ok {
		v = o["tools"]
	}
	list, ok := v.([]any)
	if !ok {
		return nil, errors.New("it is no list of tools")
	}
	t := &Tools{map[string]bool{}}
	for i, e := range list {
		o, _ := e.(map[string]any)
		name, _ := o["name"].(string)
		notes, _ := o["annotations"].(map[string]any)
		reads, said := notes["readOnlyHint"].(bool)
		hint, _ := o["hint"].(string)
		switch {
		case name == "":
			return nil, fmt.Errorf("tool %d has no name", i+1)
		case said:
			t.writes[name] = !reads
		case hint == "read" || hint == "write":
			t.writes[name] = hint == "write"
		default:
			return nil, fmt.Errorf("tool %.80q does not say whether it reads or writes (annotations.readOnlyHint)", name)
		}
	}
	return t, nil
}

func answers(tool string) bool {
	return tool == "submit_answer" || strings.HasSuffix(tool, ".submit_answer")
}
