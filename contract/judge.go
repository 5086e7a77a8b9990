package contract

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/world"
)

// judge is one judgement under way.
type judge struct {
	c           *Contract
	x           *Expected
	s           *scope
	calls       []*call // the agent's events
	final       []*change
	answer      map[string]any
	answered    int // the number of the last submission's event; MaxInt without one
	submissions int
	firstChange int // the number of the first event that changed the world; MaxInt without one
	findings    []record.Finding
}

// Judge judges an episode. The verdict's bench, item, grader and basis are left to the caller. The error says that the
// expected values are those of another contract, or that the episode cannot be written down; an episode that contradicts
// itself is ungradable, and no fault of the agent's.
func (c *Contract) Judge(x *Expected, e *Episode) (*record.Verdict, error) {
	if x == nil || x.contract != c.digest {
		return nil, fmt.Errorf("the expected values are those of another contract; derive them anew")
	}
	trace, err := traceDigest(e.Events)
	if err != nil {
		return nil, err
	}
	state := e.StateDigest
	if state == "" {
		if state, err = digestOf(e.Final); err != nil {
			return nil, err
		}
	}
	v := &record.Verdict{State: record.Graded, Agent: &record.Agent{
		Task: e.TaskDigest, Contract: c.digest, Engine: Version, Trace: trace, FinalState: state}}
	switch e.Outcome {
	case record.Answered, record.Refused, record.Truncated, record.Timeout:
	default:
		return ungradable(v, record.LetterOf(e.Outcome), "the episode ended as "+string(e.Outcome)+", which is not the agent's"), nil
	}
	if why := inconsistent(e); why != "" {
		return ungradable(v, record.LetterUngradable, why), nil
	}
	j := c.judge(x, e)
	j.weigh(c.untouched(x))
	v.Findings = j.findings
	gates := j.failedGates()
	strict := !slices.ContainsFunc(j.findings, func(f record.Finding) bool { return !f.Pass })
	caps := j.brokenCaps()
	gated, process := j.gatedScore(gates, caps), j.processScore()
	v.Diagnostics = j.diagnostics(gates, caps)
	if e.Outcome != record.Answered {
		v.Letter = record.LetterOf(e.Outcome)
		v.Diagnostics["had_it_ended"] = map[string]any{"strict": strict, "gated_score": gated, "process_score": process}
		return v, nil
	}
	v.Strict, v.GatedScore, v.ProcessScore = strict, &gated, process
	v.Pass, v.Score, v.Letter = strict, &gated, record.LetterWrong
	if strict {
		v.Letter = record.LetterPass
	}
	return v, nil
}

func ungradable(v *record.Verdict, letter record.Letter, why string) *record.Verdict {
	v.State, v.Letter, v.Reason = record.Ungradable, letter, why
	return v
}

// judge finds what holds and what does not.
func (c *Contract) judge(x *Expected, e *Episode) *judge {
	j := &judge{c: c, x: x, s: &scope{x: x, calls: map[string]*call{}}, firstChange: math.MaxInt}
	for i := range e.Events {
		if e.Events[i].Actor == world.Agent {
			j.calls = append(j.calls, newCall(&e.Events[i]))
		}
	}
	for i := range e.Final {
		if !ours(e.Final[i].Table) {
			j.final = append(j.final, newChange(&e.Final[i]))
		}
	}
	for _, call := range j.calls {
		if len(call.effect) > 0 {
			j.firstChange = call.Seq
			break
		}
	}
	j.answer, j.answered, j.submissions = submission(e, j.calls)
	j.bind()
	j.investigations()
	j.changes()
	j.order()
	j.readbacks()
	j.messages()
	j.contained()
	j.rejections()
	j.answers()
	return j
}

// untouched gives the criteria that hold of a world that nobody touched, without an answer.
func (c *Contract) untouched(x *Expected) map[string]bool {
	out := map[string]bool{}
	for _, f := range c.judge(x, &Episode{Outcome: record.Answered}).findings {
		out[f.Rule] = f.Pass
	}
	return out
}

func (j *judge) add(f record.Finding) {
	j.findings = append(j.findings, f)
}

// weigh marks what holds of an untouched world and writes each criterion's weight.
func (j *judge) weigh(untouched map[string]bool) {
	for i := range j.findings {
		f := &j.findings[i]
		f.Vacuous = untouched[f.Rule]
		f.Weight = exact.Decimal(j.c.weight(f.Rule))
	}
}

func (c *Contract) weight(rule string) *big.Rat {
	if w := c.weights[rule]; w != nil {
		return w
	}
	return big.NewRat(1, 1)
}

// happened says whether the agent did what the task is about: every primary change; an answer where there is none to make.
func (j *judge) happened() bool {
	primary := 0
	for _, ch := range j.c.Changes {
		if ch.Role == Primary {
			primary++
			if j.s.calls[ch.ID] == nil {
				return false
			}
		}
	}
	return primary > 0 || j.answer != nil
}
