package realism

import (
	"fmt"
	"reflect"
)

// Result is what a requirement came to.
type Result string

// Results. Warn says that the requirement holds and something about it should be looked at.
const (
	Pass        Result = "PASS"
	Fail        Result = "FAIL"
	Warn        Result = "WARN"
	NotMeasured Result = "NOT_MEASURED"
)

// Ways of measuring.
const (
	Static = "static" // from the release's files alone
	Trace  = "trace"  // from the recorded calls of the references
	Replay = "replay" // from playing changed worlds or changed traces
)

// Scopes of a requirement.
const (
	OfTask    = "task"
	OfPair    = "pair"
	OfRelease = "release"
)

// Row is one requirement with what was found.
type Row struct {
	Key       string       `json:"key"`
	Scope     string       `json:"scope"`
	Result    Result       `json:"result"`
	Measured  any          `json:"measured"`  // number, text, list or map of them; null where nothing was measured
	Threshold any          `json:"threshold"` // the standard's value
	Evidence  []Evidence   `json:"evidence"`
	How       string       `json:"how"`
	Reason    string       `json:"reason,omitzero"` // one sentence: what decided, or why nothing was measured
	Tasks     []TaskResult `json:"tasks,omitzero"`  // of scope task: one for each task, in the bench's order
	Joins     []string     `json:"joins,omitzero"`  // of a requirement that is made of others: their keys; it fails where one of them does
	Reproduce string       `json:"reproduce"`
}

// TaskResult is a requirement's result for one task.
type TaskResult struct {
	Task     string `json:"task"`
	Result   Result `json:"result"`
	Measured any    `json:"measured"`
}

// Evidence is where something was seen. Line is 0 where there is none; Span is the text itself, clipped; Pair names the two
// tasks of a comparison.
type Evidence struct {
	Task string `json:"task,omitzero"`
	File string `json:"file,omitzero"`
	Line int    `json:"line,omitzero"`
	Cell string `json:"cell,omitzero"`
	Span string `json:"span,omitzero"`
	Pair string `json:"pair,omitzero"`
	Note string `json:"note,omitzero"`
}

// Worse gives the graver of two results: FAIL, then NOT_MEASURED, then WARN, then PASS.
func Worse(a, b Result) Result {
	rank := map[Result]int{Pass: 0, Warn: 1, NotMeasured: 2, Fail: 3}
	if rank[b] > rank[a] {
		return b
	}
	return a
}

// unmeasured is a row that says why nothing could be measured.
func unmeasured(reason string) Row { return Row{Result: NotMeasured, Reason: reason} }

// judged makes a row of what was measured.
func judged(ok bool, measured any, reason string, ev ...Evidence) Row {
	r := Row{Result: Fail, Measured: measured, Reason: reason, Evidence: ev}
	if ok {
		r.Result = Pass
	}
	return r
}

// byTask measures every task and joins the results: the row is as bad as its worst task.
func byTask(r *Release, measure func(s *Subject) Row) Row {
	if len(r.Tasks) == 0 {
		return unmeasured("the release has no task")
	}
	out := Row{Scope: OfTask, Result: Pass}
	var measured []any
	var reasons []string // of each task, beside out.Tasks
	for _, s := range r.Tasks {
		one := measure(s)
		out.Result = Worse(out.Result, one.Result)
		out.Tasks = append(out.Tasks, TaskResult{Task: s.ID, Result: one.Result, Measured: one.Measured})
		measured, reasons = append(measured, one.Measured), append(reasons, one.Reason)
		for _, e := range one.Evidence {
			if e.Task == "" {
				e.Task = s.ID
			}
			out.Evidence = append(out.Evidence, e)
		}
	}
	more := 0
	for i, t := range out.Tasks {
		switch {
		case t.Result != out.Result || reasons[i] == "":
		case out.Reason == "":
			out.Reason = t.Task + ": " + reasons[i]
		default:
			more++
		}
	}
	if more > 0 {
		out.Reason += fmt.Sprintf(" (and %d more)", more)
	}
	out.Measured = summary(measured)
	return out
}

// summary is what many tasks measured, for one row: the one value that they share, the range of whole numbers, of maps the
// same for each of their keys, or nothing beside the tasks' own values.
func summary(list []any) any {
	if len(list) == 0 {
		return nil
	}
	same, whole, maps := true, true, true
	var least, most int
	for i, v := range list {
		n, isInt := v.(int)
		_, isMap := v.(map[string]any)
		same, whole, maps = same && reflect.DeepEqual(v, list[0]), whole && isInt, maps && isMap
		if i == 0 {
			least, most = n, n
		}
		least, most = min(least, n), max(most, n)
	}
	switch {
	case same:
		return list[0]
	case whole:
		return map[string]any{"min": least, "max": most}
	case !maps:
		return nil
	}
	out := map[string]any{}
	for k := range list[0].(map[string]any) {
		var values []any
		for _, m := range list {
			if v, ok := m.(map[string]any)[k]; ok {
				values = append(values, v)
			}
		}
		out[k] = summary(values)
	}
	return out
}
