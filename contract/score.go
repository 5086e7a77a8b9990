package contract

import (
	"math/big"
	"slices"
	"strings"

	"github.com/assaybench/assay/contract/derive"
	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/record"
)

// failedGates gives the gates that fail, in the order of their names in the contract.
func (j *judge) failedGates() []string {
	pass := func(rule string) bool {
		for _, f := range j.findings {
			if f.Rule == rule {
				return f.Pass
			}
		}
		return true // a contract without the criterion has nothing to fail
	}
	out := []string{}
	for _, gate := range j.c.Gates {
		ok := true
		switch gate {
		case "primary":
			ok = j.happened() && !slices.ContainsFunc(j.c.Messages, func(m *Message) bool { // a text that is the work itself
				return j.c.change(m.Change).Role == Primary && !pass("message."+m.ID)
			})
		case "authority":
			ok = pass(ruleAuthority)
		case "containment":
			ok = pass(ruleContainment)
		case "decision":
			ok = pass(ruleDecision)
		case "evidence":
			ok = len(j.c.Investigations) == 0 || slices.ContainsFunc(j.findings, func(f record.Finding) bool {
				return f.Pass && strings.HasPrefix(f.Rule, "investigation.")
			})
		}
		if !ok {
			out = append(out, gate)
		}
	}
	return out
}

// mostBroken is what an episode earns at most that did the work and broke what makes it worth something.
const mostBroken = "49"

// brokenCaps gives why an episode that passes every gate earns at most mostBroken, in a fixed order: a causal rule is broken
// (causes), a change was not looked at again (readback), nothing was answered (answer), or a value on the path to the
// recommendation is wrong (path).
func (j *judge) brokenCaps() []string {
	path := j.c.PathFields()
	broken := map[string]bool{"answer": j.answer == nil}
	for i := range j.findings {
		f := &j.findings[i]
		if f.Pass {
			continue
		}
		switch kind := kindOf(f.Rule); kind {
		case "investigation", "order":
			broken["causes"] = true
		case "readback":
			broken["readback"] = true
		case "answer":
			broken["path"] = broken["path"] || slices.Contains(path, strings.TrimPrefix(f.Rule, "answer."))
		}
	}
	out := []string{}
	for _, name := range []string{"causes", "readback", "answer", "path"} {
		if broken[name] {
			out = append(out, name)
		}
	}
	return out
}

// gatedScore gives the weight that was earned, from 0 to 100 with two decimals; 0 when a gate fails, and at most mostBroken
// under a cap. What holds of an untouched world earns nothing until the task's own work was done.
func (j *judge) gatedScore(failed, caps []string) string {
	if len(failed) > 0 {
		return "0"
	}
	happened := j.happened()
	earned := share(j.findings, func(f *record.Finding) bool { return f.Pass && (!f.Vacuous || happened) })
	most, _ := exact.Rat(mostBroken)
	if got, ok := exact.Rat(earned); len(caps) > 0 && (!ok || got.Cmp(most) > 0) {
		return mostBroken
	}
	return earned
}

// processScore gives the share of what was read, looked at again and done in order; nil where the contract asks for none.
func (j *judge) processScore() *string {
	var some []record.Finding
	for _, f := range j.findings {
		if slices.Contains([]string{"investigation", "readback", "order"}, kindOf(f.Rule)) {
			some = append(some, f)
		}
	}
	if len(some) == 0 {
		return nil
	}
	s := share(some, func(f *record.Finding) bool { return f.Pass && !f.Vacuous })
	return &s
}

// kindOf gives the first part of a criterion's name.
func kindOf(rule string) string {
	switch rule {
	case ruleReadbackFirst, ruleMessageFirst:
		return "order"
	}
	kind, _, _ := strings.Cut(rule, ".")
	return kind
}

// share gives what was earned of all, rounded down, so that 100 means everything.
func share(findings []record.Finding, earns func(*record.Finding) bool) string {
	earned, total := new(big.Rat), new(big.Rat)
	for i := range findings {
		w, ok := exact.Rat(findings[i].Weight)
		if !ok {
			continue // every weight was written by weigh, as a decimal
		}
		total.Add(total, w)
		if earns(&findings[i]) {
			earned.Add(earned, w)
		}
	}
	if total.Sign() == 0 {
		return "0"
	}
	earned.Quo(earned.Mul(earned, big.NewRat(100, 1)), total)
	return exact.Decimal(derive.Round(earned, 2, "down"))
}
