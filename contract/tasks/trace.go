package tasks

import (
	"context"
	"fmt"
	"strings"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/world"
)

// refusedMark stands in a line of its own right before a call that the world is meant to refuse: "# refused: not_found".
const refusedMark = "# refused:"

// trial is a control's trace as a world of its own answered it. Lines are those of the calls in the file.
type trial struct {
	events []world.Event
	lines  []int
}

func (t *Task) try(ctx context.Context, c *bench.Control) (*trial, error) {
	trace, err := world.ReadTrace([]byte(c.Answer))
	if err != nil {
		return nil, &bench.Error{File: c.File, Msg: err.Error()}
	}
	s, err := t.Session(ctx, "check")
	if err != nil {
		return nil, err
	}
	defer s.Close()
	tr := &trial{}
	for _, call := range trace {
		e, err := s.Call(ctx, world.Call{Actor: world.Agent, Surface: "replay", Tool: call.Tool, Args: call.Args})
		if err != nil {
			return nil, err
		}
		tr.events, tr.lines = append(tr.events, *e), append(tr.lines, call.Line)
	}
	return tr, nil
}

// marks gives the code that each call is meant to be refused with, by the line of the call.
func marks(text string) map[int]string {
	out := map[int]string{}
	code, n := "", 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSpace(line)
		if c, ok := strings.CutPrefix(line, refusedMark); ok {
			code = strings.TrimSpace(c)
			continue
		}
		if line != "" && line[0] != '#' && code != "" {
			out[n] = code
		}
		code = ""
	}
	return out
}

// refusals finds calls of a trace that came to nothing and were not meant to: a reference with one did not do what it shows,
// and a control with one was never judged for what it tries.
func (t *Task) refusals(c *bench.Control, tr *trial) []bench.ClaimFault {
	var out []bench.ClaimFault
	meant := marks(c.Answer)
	for i := range tr.events {
		e := &tr.events[i]
		line := tr.lines[i]
		fault := func(format string, args ...any) {
			out = append(out, bench.ClaimFault{Item: t.ID, Msg: fmt.Sprintf(format, args...), Place: fmt.Sprintf("%s:%d", c.File, line)})
		}
		code := meant[line]
		switch {
		case e.OK() && code != "":
			fault("the call of %s is said to be refused (%s), and the world took it", e.Tool, code)
		case e.OK():
		case e.Status == world.Fault:
			fault("the world failed at %s: %s", e.Tool, e.Error.Message)
		case code != "" && code != e.Error.Code:
			fault("the call of %s is said to be refused as %s, and it was %s: %s: %s", e.Tool, code, e.Status, e.Error.Code, e.Error.Message)
		case code != "":
		case c.Accept:
			fault("%s was %s (%s: %s): a call that comes to nothing shows nothing; correct it, or put \"%s %s\" before it where that is meant",
				e.Tool, e.Status, e.Error.Code, e.Error.Message, refusedMark, e.Error.Code)
		default:
			fault("INCONCLUSIVE: %s was %s (%s: %s), so that what the control tries was never judged; make it a call that the world takes, or put \"%s %s\" before it where the refusal is what is tried",
				e.Tool, e.Status, e.Error.Code, e.Error.Message, refusedMark, e.Error.Code)
		}
	}
	return out
}

// sameAsReference says whether a control does just what the reference does: it tries nothing.
func sameAsReference(ref, c *trial) bool {
	if len(ref.events) != len(c.events) {
		return false
	}
	for i := range ref.events {
		a, b := &ref.events[i], &c.events[i]
		if a.Tool != b.Tool || string(a.Args) != string(b.Args) {
			return false
		}
	}
	return true
}

// traceFaults holds a task's reference and controls against the world: what they call is there and is taken, the reference
// knows nothing that an agent could not, and each control tries something.
func (t *Task) traceFaults(ctx context.Context) ([]bench.ClaimFault, error) {
	var out []bench.ClaimFault
	var ref *trial
	for i := range t.controls {
		c := &t.controls[i]
		tr, err := t.try(ctx, c)
		if err != nil {
			return nil, err
		}
		out = append(out, t.refusals(c, tr)...)
		if i == 0 {
			ref = tr
			for _, f := range t.contract.LintTrace(t.expected, tr.events) {
				out = append(out, bench.ClaimFault{Item: t.ID, Msg: f.Msg + " [unread-literal]", Place: fmt.Sprintf("%s:%d", c.File, tr.lines[f.Seq-1])})
			}
		} else if sameAsReference(ref, tr) {
			out = append(out, bench.ClaimFault{Item: t.ID, Msg: "the control does what the reference does, so it tries nothing", Place: c.File + ":1"})
		}
	}
	return out, nil
}
