package foreign

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assaybench/assay/contract/compat"
	"github.com/assaybench/assay/contract/exact"
)

// Check is one criterion. Judged is false where it could not be decided from what is known, and Pass is false then, too.
type Check struct {
	ID     string `json:"id"`
	Kind   string `json:"kind"` // investigation, readback, assertion, answer, write_scope, no_rejected_mutation
	Pass   bool   `json:"pass"`
	Judged bool   `json:"judged"`
	Why    string `json:"why"`
}

// Verdict is what the foreign contract says of an episode. Score and Strict are null where a check was not judged or the file
// has no milestones.
type Verdict struct {
	Engine     string            `json:"engine"`
	Task       string            `json:"task"`
	Contract   string            `json:"contract_sha256"`
	Passed     int               `json:"passed"`
	Judged     int               `json:"judged"`
	Planned    int               `json:"checks_planned"`
	Strict     *bool             `json:"strict"`
	Score      *string           `json:"score"`
	Milestones []MilestoneResult `json:"milestones"`
	Checks     []Check           `json:"checks"`
	Opaque     []string          `json:"opaque"`
}

// MilestoneResult is a milestone with what was earned of it.
type MilestoneResult struct {
	ID     string `json:"id"`
	Weight string `json:"weight"`
	Earned string `json:"earned"`
	Pass   bool   `json:"pass"`
}

// Judge judges an episode. digest is the SHA-256 of the contract's file. The error is ours: the context's end, or a contract whose
// milestones do not name every check once.
func (c *Contract) Judge(ctx context.Context, digest string, e *Episode, t *Tools) (*Verdict, error) {
	j := &judge{c: c, e: e, t: t, first: len(e.Calls)}
	for i, call := range e.Calls {
		if call.Success && j.writes(call.Tool) {
			j.first = i
			break
		}
	}
	steps := []func(){}
	for i := range c.Investigations {
		steps = append(steps, func() { j.investigation(&c.Investigations[i]) })
	}
	for i := range c.Readbacks {
		steps = append(steps, func() { j.readback(&c.Readbacks[i]) })
	}
	for i := range c.Assertions {
		steps = append(steps, func() { j.assertion(&c.Assertions[i]) })
	}
	for i := range c.Answers {
		steps = append(steps, func() { j.answer(&c.Answers[i]) })
	}
	for _, do := range append(steps, j.writeScope, j.rejected) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		do()
	}
	v := &Verdict{Engine: Engine, Task: c.Task, Contract: digest, Planned: len(j.out), Checks: j.out, Opaque: append([]string{}, c.Opaque...), Milestones: []MilestoneResult{}}
	for _, k := range v.Checks {
		if k.Judged {
			v.Judged++
		}
		if k.Pass {
			v.Passed++
		}
	}
	return v, c.score(v)
}

type judge struct {
	c     *Contract
	e     *Episode
	t     *Tools
	first int // of the first successful write
	out   []Check
}

func (j *judge) writes(tool string) bool { return answers(tool) || j.t.writes[tool] }

func (j *judge) say(id, kind string, pass bool, format string, args ...any) {
	j.out = append(j.out, Check{id, kind, pass, true, fmt.Sprintf(format, args...)})
}

func (j *judge) open(id, kind, why string) {
	j.out = append(j.out, Check{id, kind, false, false, "not judged: " + why})
}

func (s *Selector) matches(c *Call) bool {
	if c.Tool != s.Tool {
		return false
	}
	switch s.Match {
	case "result_contains":
		return compat.ResultContains(c.Result, s.Fragment)
	case "successful_tool_call":
		return true
	}
	if _, none := s.Args.(NoArgs); none {
		return true
	}
	return exact.Equal(c.Args, s.Args)
}

func (j *judge) investigation(v *Investigation) {
	for i := range j.e.Calls[:j.first] {
		c := &j.e.Calls[i]
		if c.Success && slices.ContainsFunc(v.AnyOf, func(s Selector) bool { return s.matches(c) }) {
			j.say(v.ID, "investigation", true, "call %d", i+1)
			return
		}
	}
	j.say(v.ID, "investigation", false, "no successful call before the first write matches")
}

func (j *judge) readback(r *Readback) {
	m := slices.IndexFunc(j.e.Calls, func(c Call) bool { return c.Success && c.Tool == r.AfterTool })
	if m < 0 {
		j.say(r.ID, "readback", false, "%s was not called with success", r.AfterTool)
		return
	}
	for i := m + 1; i < len(j.e.Calls); i++ {
		c := &j.e.Calls[i]
		if !c.Success || !slices.ContainsFunc(r.AnyOf, func(s Selector) bool { return s.matches(c) }) || r.Has && !compat.ResultContains(c.Result, r.Contains) {
			continue
		}
		if r.projects(j.e.Calls[m].Args, c.Result) {
			j.say(r.ID, "readback", true, "call %d after call %d", i+1, m+1)
			return
		}
	}
	j.say(r.ID, "readback", false, "no successful look after call %d matches", m+1)
}

// projects says whether what was written stands somewhere in what was looked at.
func (r *Readback) projects(args, result any) bool {
	for _, path := range r.Projected {
		v, ok := at(args, path)
		if !ok || !anywhere(result, v) {
			return false
		}
	}
	return true
}

func at(v any, path string) (any, bool) {
	for _, k := range strings.Split(path, ".") {
		m, ok := v.(map[string]any)
		if !ok {
			return nil, false
		}
		if v, ok = m[k]; !ok {
			return nil, false
		}
	}
	return v, true
}

func anywhere(v, want any) bool {
	if exact.Equal(v, want) {
		return true
	}
	switch v := v.(type) {
	case map[string]any:
		for _, e := range v {
			if anywhere(e, want) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, func(e any) bool { return anywhere(e, want) })
	}
	return false
}

func (j *judge) writeScope() {
	rows, ok := j.e.Tables["audit_log"]
	switch {
	case j.c.WriteTables == nil:
		j.open(WriteScope, WriteScope, "the contract does not say which tables may change")
	case !ok:
		j.open(WriteScope, WriteScope, "the final state has no table audit_log")
	default:
		for _, r := range rows {
			if name, _ := r["table_name"].(string); !slices.Contains(j.c.WriteTables, name) {
				j.say(WriteScope, WriteScope, false, "the table %.80q was changed", name)
				return
			}
		}
		j.say(WriteScope, WriteScope, true, "%d changes, all in allowed tables", len(rows))
	}
}

func (j *judge) rejected() {
	for i, c := range j.e.Calls {
		if !c.Success && j.writes(c.Tool) && !answers(c.Tool) && !c.retryable() {
			j.say(NoRejected, NoRejected, false, "call %d, %s, was refused", i+1, c.Tool)
			return
		}
	}
	j.say(NoRejected, NoRejected, true, "no write was refused")
}

// score adds up the milestones as that engine does.
func (c *Contract) score(v *Verdict) error {
	if len(c.Milestones) == 0 {
		return nil
	}
	r, err := c.milestones(v)
	if err != nil {
		return err
	}
	v.Milestones = r.list
	if v.Judged == v.Planned {
		v.Strict, v.Score = &r.strict, &r.score
	}
	return nil
}

var errMilestones = errors.New("the contract's milestones")
