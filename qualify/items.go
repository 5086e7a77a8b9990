package qualify

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/grade"
	"github.com/assaybench/assay/record"
)

type itemResult struct {
	ItemReport
	faults []Fault
	slow   int
	err    error
}

// checkItem judges the controls of an item, but for those of which nothing can be said (bench.Claims).
func checkItem(ctx context.Context, set grade.Set, h bench.Head, slow bool, moot []string) itemResult {
	c := checker{ctx: ctx, set: set, head: h, res: itemResult{ItemReport: ItemReport{Item: h.ID, Frozen: h.Frozen}}}
	controls, err := set.Controls(h.ID)
	if err != nil {
		return itemResult{err: err}
	}
	accept, reject := 0, 0
	generated := true
	for _, ctl := range controls {
		if ctl.Accept {
			accept++
		} else {
			reject++
		}
		if slices.Contains(moot, ctl.Name) {
			generated = generated && (!ctl.Accept || accept > 1)
			continue
		}
		if ctl.Slow && !slow {
			c.res.slow++
			continue
		}
		c.control(ctl)
	}
	wantAccept, wantReject := leastAccept, leastReject
	if b, ok := set.(grade.Bounded); ok {
		wantAccept, wantReject = b.Least(h.ID)
	}
	if accept < wantAccept || reject < wantReject {
		c.fault("", "", "controls", fmt.Sprintf("%d answers to accept and %d to refuse; at least %d and %d are wanted", accept, reject, wantAccept, wantReject))
	}
	mutants, err := set.Mutants(h.ID)
	if err != nil {
		return itemResult{err: err}
	}
	for _, m := range mutants {
		if generated {
			c.mutant(m)
		}
	}
	return c.res
}

// checker judges the controls of one item.
type checker struct {
	ctx  context.Context
	set  grade.Set
	head bench.Head
	res  itemResult
}

// twice judges an answer two times; graders have no clock and no chance, so both must agree to the byte.
func (c *checker) twice(name, place, answer string) (record.Verdict, bool) {
	var first []byte
	var v, before record.Verdict
	for i := range 2 {
		var err error
		v, err = c.set.Grade(c.ctx, c.head.ID, record.Transcript{Outcome: record.Answered, Answer: answer})
		if err != nil {
			c.res.err = err
			return v, false
		}
		if v.State == record.Ungradable {
			c.res.NotGraded++
			c.fault(name, place, "not graded", v.Reason)
			return v, false
		}
		b, err := record.Canonical(v)
		if err != nil {
			c.res.err = err
			return v, false
		}
		if i == 1 && !bytes.Equal(first, b) {
			c.fault(name, place, "unstable", fmt.Sprintf("two gradings of the same answer differ: %s%s, then %s%s", before.Letter, why(before), v.Letter, why(v)))
		}
		first, before = b, v
	}
	return v, true
}

func (c *checker) control(ctl bench.Control) {
	place := fmt.Sprintf("%s:%d", ctl.File, ctl.Line)
	v, ok := c.twice(ctl.Name, place, ctl.Answer)
	if ctl.Accept {
		c.res.Accept++
	} else {
		c.res.Reject++
	}
	switch {
	case !ok:
	case ctl.Accept && !v.Pass:
		c.res.FalseRejects++
		c.fault(ctl.Name, place, "false reject", "refused for "+broken(v)+why(v))
	case ctl.Accept:
	case v.Pass:
		c.res.FalseAccepts++
		c.fault(ctl.Name, place, "false accept", fmt.Sprintf("accepted, and should break %v", ctl.Breaks))
	default:
		want := slices.Sorted(slices.Values(ctl.Breaks))
		if got := brokenRules(v); !slices.Equal(got, want) {
			c.fault(ctl.Name, place, "other reason", fmt.Sprintf("breaks %v, and says that it breaks %v%s", got, want, why(v)))
		}
	}
}

func (c *checker) mutant(m bench.Mutant) {
	v, ok := c.twice(m.Name, "", m.Answer)
	c.res.Generated++
	switch {
	case !ok:
	case m.Breaks == bench.NoRule && !v.Pass:
		c.res.FalseRejects++
		c.fault(m.Name, "", "false reject", "a change that means nothing is refused for "+broken(v)+why(v))
	case m.Breaks == bench.NoRule:
	case v.Pass:
		c.res.FalseAccepts++
		c.fault(m.Name, "", "false accept", fmt.Sprintf("the generated answer %q is accepted", head(m.Answer)))
	case m.Breaks != bench.AnyRule && !slices.Contains(brokenRules(v), m.Breaks):
		c.fault(m.Name, "", "other reason", fmt.Sprintf("breaks %v, and should break %s", brokenRules(v), m.Breaks))
	}
}

// brokenRules gives the names of the rules that refused an answer, sorted.
func brokenRules(v record.Verdict) []string {
	out := []string{}
	for _, f := range v.Findings {
		if !f.Pass && !f.Skipped {
			out = append(out, f.Rule)
		}
	}
	slices.Sort(out)
	return out
}

func broken(v record.Verdict) string { return fmt.Sprint(brokenRules(v)) }

// why quotes the first reason.
func why(v record.Verdict) string {
	for _, f := range v.Findings {
		if !f.Pass && !f.Skipped {
			return " (" + f.Why + ")"
		}
	}
	if v.Reason != "" {
		return " (" + v.Reason + ")"
	}
	return ""
}

// head gives an answer's beginning.
func head(s string) string {
	const most = 60
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}
