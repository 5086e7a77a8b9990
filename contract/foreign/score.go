package foreign

import (
	"fmt"
	"math/big"
)

type scored struct {
	list   []MilestoneResult
	strict bool
	score  string
}

// milestones weighs the checks: "every atomic id must belong to exactly one milestone", earned = weight × passed / all, to six
// places; score = 100 × earned / weight, to two. Halves go to the even digit, as in that engine's language.
func (c *Contract) milestones(v *Verdict) (*scored, error) {
	pass := map[string]bool{}
	for _, k := range v.Checks {
		pass[k.ID] = k.Pass
	}
	owner := map[string]string{}
	out := &scored{strict: true}
	earned, all := new(big.Rat), new(big.Rat)
	for _, m := range c.Milestones {
		n := 0
		for _, id := range m.Criteria {
			if _, ok := pass[id]; !ok {
				return nil, fmt.Errorf("%w: %s counts %.80q, which is no check", errMilestones, m.ID, id)
			}
			if owner[id] != "" {
				return nil, fmt.Errorf("%w: %.80q belongs to %s and to %s", errMilestones, id, owner[id], m.ID)
			}
			owner[id] = m.ID
			if pass[id] {
				n++
			}
		}
		if len(m.Criteria) == 0 {
			return nil, fmt.Errorf("%w: %s counts nothing", errMilestones, m.ID)
		}
		weight, ok := new(big.Rat).SetString(m.Weight)
		if !ok {
			return nil, fmt.Errorf("%w: %s has no weight", errMilestones, m.ID)
		}
		got := rounded(new(big.Rat).Mul(weight, big.NewRat(int64(n), int64(len(m.Criteria)))), 6)
		earned.Add(earned, got)
		all.Add(all, weight)
		whole := n == len(m.Criteria)
		out.strict = out.strict && whole
		out.list = append(out.list, MilestoneResult{m.ID, plain(weight), plain(got), whole})
	}
	for _, k := range v.Checks {
		if owner[k.ID] == "" {
			return nil, fmt.Errorf("%w: no milestone counts %.80q", errMilestones, k.ID)
		}
	}
	if all.Sign() <= 0 {
		return nil, fmt.Errorf("%w weigh nothing", errMilestones)
	}
	out.score = plain(rounded(earned.Mul(earned, big.NewRat(100, 1)).Quo(earned, all), 2))
	return out, nil
}

// rounded keeps places decimal digits, halves to even.
func rounded(r *big.Rat, places int) *big.Rat {
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(places)), nil)
	n := new(big.Int).Mul(r.Num(), scale)
	q, rest := new(big.Int).QuoRem(n, r.Denom(), new(big.Int))
	twice := new(big.Int).Lsh(rest.Abs(rest), 1)
	if k := twice.Cmp(r.Denom()); k > 0 || k == 0 && q.Bit(0) == 1 {
		q.Add(q, big.NewInt(int64(r.Sign())))
	}
	return new(big.Rat).SetFrac(q, scale)
}

// plain writes a decimal of at most six places without zeros at its end.
func plain(r *big.Rat) string {
	s := r.FloatString(6)
	for s[len(s)-1] == '0' {
		s = s[:len(s)-1]
	}
	if s[len(s)-1] == '.' {
		s = s[:len(s)-1]
	}
	return s
}
