package export

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/report"
	"github.com/assaybench/assay/store"
)

// Format names what is written, for readers that come later.
const Format = "assay-run-v1"

type head struct {
	Record string         `json:"record"` // "run"
	Format string         `json:"format"`
	Run    string         `json:"run"`
	Made   string         `json:"created"`
	Bench  string         `json:"bench"`
	Digest string         `json:"digest"`
	Grader string         `json:"grader"`
	Plan   *store.Plan    `json:"plan"`
	Result *report.Result `json:"result"`
}

type attempt struct {
	Record string `json:"record"` // "attempt"
	N      int    `json:"n"`      // its number in the plan
	record.Key
	Family   string            `json:"family"`
	Basis    record.Basis      `json:"basis"`
	Outcome  record.Outcome    `json:"outcome"` // "" was not made
	Reason   string            `json:"reason"`
	State    record.State      `json:"state"`
	Letter   string            `json:"letter"`
	Pass     *bool             `json:"pass"` // null: not known
	Tries    int               `json:"tries"`
	Answer   string            `json:"answer"`
	Thinking string            `json:"thinking"`
	Finish   string            `json:"finish"`
	Server   string            `json:"answered_as"`
	Delivery record.Delivery   `json:"delivery"`
	Usage    record.Usage      `json:"usage"`
	Timing   record.Timing     `json:"timing"`
	Settings []record.Setting  `json:"settings"`
	Tools    []record.ToolCall `json:"tools"`
	Turns    []record.Turn     `json:"turns"`
	Verdict  jsontext.Value    `json:"verdict"` // null: none
}

func (r *Run) head() head {
	return head{"run", Format, r.Run.ID, instant(r.Run.Created), r.bench(), r.Run.Plan.Digest, r.Grader, &r.Run.Plan, r.Result}
}

func (a *Attempt) json() attempt {
	out := attempt{Record: "attempt", N: a.N, Key: a.Key, Family: a.Family, Basis: a.Basis, Outcome: a.Outcome, Reason: a.Reason, State: a.State, Letter: a.letter(), Tries: a.Try,
		Usage: a.Usage, Timing: a.Timing, Verdict: jsontext.Value("null")}
	if p, ok := a.passed(); ok {
		out.Pass = &p
	}
	if t := a.Transcript; t != nil {
		out.Answer, out.Thinking, out.Finish, out.Server, out.Delivery, out.Settings, out.Tools, out.Turns = t.Answer, t.Thinking, t.Finish, t.Model, t.Delivery, t.Settings, t.Tools, t.Turns
	}
	if a.Raw != nil {
		out.Verdict = a.Raw
	}
	return out
}

// marshal writes one value on one line. Characters that a terminal acts on are escapes, and bytes that are not UTF-8 become U+FFFD.
func marshal(v any) ([]byte, error) {
	b, err := json.Marshal(v, json.Deterministic(true), json.FormatNilSliceAsNull(false), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return nil, fmt.Errorf("this does not fit JSON: %w", err)
	}
	return report.EscapeHidden(b), nil
}

// JSONL writes the run on the first line, with its plan and its results, and each planned attempt on one of its own.
func (r *Run) JSONL(ctx context.Context, w io.Writer) error {
	return r.lines(ctx, func(b []byte) error {
		_, err := w.Write(append(b, '\n'))
		return err
	})
}

func (r *Run) lines(ctx context.Context, write func([]byte) error) error {
	b, err := marshal(r.head())
	if err != nil {
		return err
	}
	if err := write(b); err != nil {
		return err
	}
	for a, err := range r.Attempts(ctx) {
		if err != nil {
			return err
		}
		if b, err = marshal(a.json()); err != nil {
			return fmt.Errorf("attempt %d: %w", a.N, err)
		}
		if err := write(b); err != nil {
			return err
		}
	}
	return nil
}

// JSON writes the same as one value, the attempts as its last member.
func (r *Run) JSON(ctx context.Context, w io.Writer) error {
	n := 0
	err := r.lines(ctx, func(b []byte) error {
		n++
		switch n {
		case 1:
			b = append(bytes.TrimSuffix(b, []byte("}")), `,"attempts":[`...)
		case 2:
			b = append([]byte("\n"), b...)
		default:
			b = append([]byte(",\n"), b...)
		}
		_, err := w.Write(b)
		return err
	})
	if err == nil {
		_, err = io.WriteString(w, "\n]}\n")
	}
	return err
}
