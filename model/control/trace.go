package control

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
)

// step gives the next call of a control that is a trace, one call {"tool", "args"} a line: that after as many as the
// conversation holds already; none at the trace's end.
func step(trace string, said []model.Message) ([]record.ToolCall, error) {
	made := 0
	for _, m := range said {
		if m.Role == "assistant" {
			made++
		}
	}
	n := 0
	for line := range strings.Lines(trace) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if n++; n <= made {
			continue
		}
		var c struct {
			Tool string          `json:"tool"`
			Args json.RawMessage `json:"args"`
		}
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			return nil, fmt.Errorf("call %d of the trace: %w", n, err)
		}
		// Tools are offered under names without points, as providers want them.
		return []record.ToolCall{{ID: fmt.Sprintf("call-%d", n), Name: strings.ReplaceAll(c.Tool, ".", "-"), Arguments: string(c.Args)}}, nil
	}
	return nil, nil
}
