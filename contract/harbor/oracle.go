package harbor

import (
	"encoding/json"
	"fmt"
	"path"
	"strings"
)

// OracleCall is one call of a package's own solution.
type OracleCall struct {
	Tool string         `yaml:"tool"`
	Args map[string]any `yaml:"args,omitempty"`
}

// readOracle takes the calls of solutions that are data. A script's calls are not parsed: it is named opaque.
func (u *Understood) readOracle(files Files) error {
	for _, n := range u.Sealed {
		if !strings.HasPrefix(n, "solution/") {
			continue
		}
		switch base := path.Base(n); {
		case base == "oracle.json" || base == "steps.json":
			calls, err := oracleSteps(files[n].Data)
			if err != nil {
				u.Warnings = append(u.Warnings, fmt.Sprintf("%s: %s", n, oneLine(err)))
				continue
			}
			u.Oracle = append(u.Oracle, calls...)
		case base == "reference.jsonl":
			trace, err := ReadTrace(files[n].Data)
			if err != nil {
				u.Warnings = append(u.Warnings, fmt.Sprintf("%s: %s", n, oneLine(err)))
				continue
			}
			for _, c := range trace.Calls {
				var args map[string]any
				if err := json.Unmarshal(c.Args, &args); err != nil {
					return fmt.Errorf("%s: %w", n, err)
				}
				u.Oracle = append(u.Oracle, OracleCall{c.Tool, args})
			}
		case path.Ext(base) == ".sh" || path.Ext(base) == ".py":
			u.Opaque = append(u.Opaque, n)
		}
	}
	return nil
}

func oracleSteps(b []byte) ([]OracleCall, error) {
	type step struct {
		Tool      string         `json:"tool"`
		Name      string         `json:"name"`
		Args      map[string]any `json:"args"`
		Arguments map[string]any `json:"arguments"`
	}
	var steps []step
	if json.Unmarshal(b, &steps) != nil {
		var o struct {
			Steps []step `json:"steps"`
		}
		if err := json.Unmarshal(b, &o); err != nil {
			return nil, err
		}
		steps = o.Steps
	}
	var out []OracleCall
	for i, s := range steps {
		c := OracleCall{s.Tool, s.Args}
		if c.Tool == "" {
			c.Tool = s.Name
		}
		if c.Args == nil {
			c.Args = s.Arguments
		}
		if c.Tool == "" {
			return nil, fmt.Errorf("step %d names no tool", i+1)
		}
		out = append(out, c)
	}
	return out, nil
}
