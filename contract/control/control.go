package control

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/world"
)

// Names of the ten negative controls, in the order in which they are reported.
var Ten = []string{"noop", "shortcut", "state_only", "incomplete_read", "write_before_read", "missing_readback", "unauthorized_write", "wrong_value", "wrong_decision", "wrong_evidence"}

// MaxGated is the most that a negative control may earn.
const MaxGated = 49

// plan is a control before it is run.
type plan struct {
	name, form string
	steps      []Step
	breaks     []string // criteria that it must break, every one
	exact      bool     // and no others, but for those of also
	also       []string
	accept     bool   // it must be accepted: another right way
	changes    bool   // the world must end otherwise than it does by the reference
	loose      bool   // calls may come to nothing that succeed in the reference
	why        string // why it could not be generated; then it has no steps
}

// Result is a control with what came of it.
type Result struct {
	Name        string   `json:"name"`
	Form        string   `json:"form"` // what it does, where the name does not say it
	Accept      bool     `json:"accept"`
	Steps       int      `json:"steps"`
	StepsDigest string   `json:"steps_digest"`
	Effect      string   `json:"effect"` // what it left in the world
	Strict      bool     `json:"strict"`
	Gated       int      `json:"gated"` // rounded up
	Breaks      []string `json:"breaks"`
	Broke       []string `json:"broke"`
	Fault       string   `json:"fault"` // "" where it is as it must be
	Kind        string   `json:"kind"`  // of the fault: false accept, false reject, other reason, score, no effect, equal, inconclusive, not generated
}

// Kinds of faults of a control.
const (
	FalseAccept  = "false accept"
	FalseReject  = "false reject"
	OtherReason  = "other reason"
	Score        = "score"
	NoEffect     = "no effect"
	Equal        = "equal"
	NotGenerated = "not generated"
	Inconclusive = "inconclusive"
)

// judge runs a control and holds what came of it against what it says of itself.
func (s *Subject) judge(ctx context.Context, p plan, capped bool) (Result, error) {
	r := Result{Name: p.name, Form: p.form, Accept: p.accept, Steps: len(p.steps), Breaks: p.breaks, Broke: []string{}}
	if r.Breaks == nil {
		r.Breaks = []string{}
	}
	if p.why != "" {
		r.Kind, r.Fault = NotGenerated, p.why
		return r, nil
	}
	ran, err := s.run(ctx, p.steps)
	if err != nil {
		return r, err
	}
	r.StepsDigest, r.Effect, r.Strict = digest(p.steps), effectText(ran.Final), ran.Verdict.Strict
	r.Broke, r.Gated = broke(ran), gated(ran)
	s.hold(&r, p, ran, capped)
	return r, nil
}

// hold says what is wrong with a control's outcome.
func (s *Subject) hold(r *Result, p plan, ran *Ran, capped bool) {
	fault := func(kind, format string, args ...any) {
		if r.Fault == "" {
			r.Kind, r.Fault = kind, fmt.Sprintf(format, args...)
		}
	}
	var missing, beside []string
	for _, b := range p.breaks {
		if !slices.Contains(r.Broke, b) {
			missing = append(missing, b)
		}
	}
	for _, b := range r.Broke {
		if !slices.Contains(p.breaks, b) && !slices.Contains(p.also, b) {
			beside = append(beside, b)
		}
	}
	switch {
	case r.StepsDigest == digest(s.steps):
		fault(NoEffect, "it does what the reference does, so it tries nothing")
	case p.accept && !r.Strict:
		fault(FalseReject, "another right way is refused for %s", strings.Join(r.Broke, ", "))
	case p.accept:
	case r.Strict:
		fault(FalseAccept, "it is accepted%s", andShould(p.breaks))
	case len(p.breaks) == 0:
		fault(OtherReason, "no criterion speaks of what it does; it breaks %s", strings.Join(r.Broke, ", "))
	case len(missing) > 0:
		fault(OtherReason, "it must break %s, and breaks %s", strings.Join(missing, ", "), strings.Join(r.Broke, ", "))
	case p.exact && len(beside) > 0:
		fault(OtherReason, "it breaks %s besides, which it says nothing of", strings.Join(beside, ", "))
	}
	if call := s.refused(p, ran); call != "" && !p.loose {
		fault(Inconclusive, "the world refuses %s, so that what it tries was never judged", call)
	}
	if p.changes && sameFinal(s.final, ran.Final) {
		fault(NoEffect, "the world ends as it does by the reference")
	}
	if capped && r.Gated > MaxGated {
		fault(Score, "it earns %d of 100, and %d is the most", r.Gated, MaxGated)
	}
}

// refused gives the first call of a control that came to nothing and does not in the reference, "" without one.
func (s *Subject) refused(p plan, ran *Ran) string {
	for i, st := range p.steps {
		if st.ref > 0 && s.ref[st.ref-1].OK() && !ran.Events[i].OK() {
			return st.Tool + " (" + ran.Events[i].Error.Message + ")"
		}
	}
	return ""
}

func andShould(breaks []string) string {
	if len(breaks) == 0 {
		return ", and no criterion speaks of what it does"
	}
	return ", and must break " + strings.Join(breaks, ", ")
}

// broke gives the criteria that failed, sorted.
func broke(ran *Ran) []string {
	out := []string{}
	for _, f := range ran.Verdict.Findings {
		if !f.Pass {
			out = append(out, f.Rule)
		}
	}
	slices.Sort(out)
	return out
}

// gated gives the gated score, rounded up, so that no cap is met by rounding.
func gated(ran *Ran) int {
	if ran.Verdict.Agent == nil || ran.Verdict.Agent.GatedScore == nil {
		return 0
	}
	r, ok := exact.Rat(*ran.Verdict.Agent.GatedScore)
	if !ok {
		return 100
	}
	n := new(big.Int).Quo(new(big.Int).Add(r.Num(), new(big.Int).Sub(r.Denom(), big.NewInt(1))), r.Denom())
	return int(n.Int64())
}

func sameFinal(a, b []world.Change) bool {
	return slices.EqualFunc(a, b, func(x, y world.Change) bool {
		return x.Table == y.Table && x.Op == y.Op && rowText(x.Key) == rowText(y.Key) && rowText(x.After) == rowText(y.After)
	})
}

func rowText(r world.Row) string {
	m := make(map[string]any, len(r))
	for k, v := range r {
		m[k] = exact.Column(v)
	}
	return exact.Text(m)
}

// effectText says what stands at the end: "insert bookings BK-0001; update slots SL-4".
func effectText(final []world.Change) string {
	const most = 6
	var parts []string
	for i, c := range final {
		if i == most {
			parts = append(parts, fmt.Sprintf("and %d more", len(final)-most))
			break
		}
		var key []string
		exact.Scalars(keyOf(c.Key), func(v any) { key = append(key, strings.Trim(exact.Text(v), `"`)) })
		parts = append(parts, strings.Join([]string{c.Op, c.Table, strings.Join(key, "/")}, " "))
	}
	if len(parts) == 0 {
		return "nothing"
	}
	return strings.Join(parts, "; ")
}

func keyOf(r world.Row) map[string]any {
	m := make(map[string]any, len(r))
	for k, v := range r {
		m[k] = exact.Column(v)
	}
	return m
}
