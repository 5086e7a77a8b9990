package compare

import (
	"fmt"

	"github.com/assaybench/assay/report/gate"
)

// Subjects are what gates are held against: the compared side of each pair, with what only a comparison has. A pair of which
// either side is a part of a run, or that has open items, passes no gate.
func (c *Comparison) Subjects() []gate.Subject {
	var out []gate.Subject
	for i := range c.Pairs {
		p := &c.Pairs[i]
		s := gate.Subject{Name: p.Other.name(), Figures: p.Other.Figures, Families: p.Other.families, Part: p.Other.Part, Pairs: map[string][2]string{}}
		switch {
		case s.Part == "" && p.Base.Part != "":
			s.Part = "of the baseline " + p.Base.Part
		case s.Part == "" && len(p.Open) > 0:
			s.Part = fmt.Sprintf("%d of the paired items have no result on one side", len(p.Open))
		}
		for j := range p.Bases {
			b := &p.Bases[j]
			s.Pairs[string(b.Basis)+"-regressions"] = [2]string{fmt.Sprint(b.Regressions), fmt.Sprint(b.Regressions)}
			s.Pairs[string(b.Basis)+"-improvements"] = [2]string{fmt.Sprint(b.Improvements), fmt.Sprint(b.Improvements)}
			if b.difference != nil {
				s.Pairs[string(b.Basis)+"-difference"] = [2]string{b.difference.RatString(), points(b.difference) + " points"}
			}
		}
		out = append(out, s)
	}
	return out
}
