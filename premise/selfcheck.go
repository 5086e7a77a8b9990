package premise

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/assaybench/assay/record"
)

// Least controls that a problem must carry, of each letter.
var (
	leastUnstated = map[record.Letter]int{record.LetterPass: 2, record.LetterSilent: 2, record.LetterDeclaredWrong: 1, record.LetterUndeclaredWrong: 1, record.LetterInvalid: 1}
	leastPlain    = map[record.Letter]int{record.LetterPass: 2, record.LetterDeclaredWrong: 1, record.LetterInvalid: 1}
)

// Least says how many answers to accept and to refuse an item must carry.
func (s *Set) Least(item string) (accept, reject int) {
	p, err := s.Problem(item)
	if err != nil || !p.plain() {
		return 2, 4
	}
	return 2, 2
}

// SelfCheck is what a bench of this shape shows of itself without a model: every reading's body gives its points, and
// every control has its letter.
type SelfCheck struct {
	Problems   int `json:"problems"`
	ProblemsOK int `json:"problems_ok"`
	Pairs      int `json:"pairs"` // of a body and its points
	PairsOK    int `json:"pairs_ok"`
	Controls   int `json:"controls"`
	ControlsOK int `json:"controls_ok"`

	Faults   []Fault  `json:"-"`
	Warnings []string `json:"-"`
}

// Fault is one thing that is wrong with a problem.
type Fault struct{ Item, Control, Msg, Place string }

// SelfCheck evaluates every reading and judges every control. Readings that cannot be told apart are warned of.
func (s *Set) SelfCheck(ctx context.Context) (*SelfCheck, error) {
	c := &SelfCheck{Problems: len(s.problems)}
	for _, p := range s.problems {
		ok := true
		for _, r := range p.Readings {
			c.Pairs++
			msg, err := s.pair(ctx, p, r)
			switch {
			case err != nil:
				return nil, err
			case msg != "":
				ok = false
				c.Faults = append(c.Faults, Fault{Item: p.ID, Msg: fmt.Sprintf("reading %s: %s", r.Key, msg), Place: fmt.Sprintf("%s:%d", r.File, r.Line)})
			default:
				c.PairsOK++
			}
		}
		if ok {
			c.ProblemsOK++
		}
		if err := s.checkControls(ctx, p, c); err != nil {
			return nil, err
		}
		if err := s.lint(ctx, p, c); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// pair says what is wrong with a reading, "" when its body gives its points.
func (s *Set) pair(ctx context.Context, p *Problem, r Reading) (string, error) {
	points, err := s.spec.points(ctx, r.Body, p.From, p.To)
	if err != nil {
		if d := (*Diagnostic)(nil); errors.As(err, &d) {
			return "its body does not evaluate: " + oneLine(d.Error()), nil
		}
		return "", err
	}
	if slices.Equal(points, r.Expected) {
		return "", nil
	}
	one := Problem{Readings: []Reading{r}}
	return fmt.Sprintf("its body gives other points than its expected ones (%d, %d): %s", len(points), len(r.Expected), one.difference(points)), nil
}

func (s *Set) checkControls(ctx context.Context, p *Problem, c *SelfCheck) error {
	have := map[record.Letter]int{}
	for _, ctl := range p.controls {
		c.Controls++
		j, err := s.spec.judge(ctx, p, ctl.Answer)
		if err != nil {
			return err
		}
		have[ctl.letter]++
		place := fmt.Sprintf("%s:%d", ctl.File, ctl.Line)
		switch over := max(ctl.over, 0); {
		case j.letter != ctl.letter:
			c.Faults = append(c.Faults, Fault{p.ID, ctl.Name, fmt.Sprintf("has the letter %s, and should have %s%s", j.letter, ctl.letter, because(j)), place})
		case ctl.over >= 0 && j.over != over:
			c.Faults = append(c.Faults, Fault{p.ID, ctl.Name, fmt.Sprintf("declares %d kinds too many, and should declare %d", j.over, over), place})
		default:
			c.ControlsOK++
		}
	}
	if len(p.controls) == 0 {
		return nil // the common check tells of it
	}
	least := leastUnstated
	if p.plain() {
		least = leastPlain
	}
	for _, l := range controlLetters {
		if n := least[record.Letter(l)]; have[record.Letter(l)] < n {
			c.Faults = append(c.Faults, Fault{Item: p.ID, Msg: fmt.Sprintf("%d controls with the letter %s; at least %d are wanted", have[record.Letter(l)], l, n), Place: p.File})
		}
	}
	return nil
}

func because(j judgement) string {
	if j.invalid != nil {
		return " (" + oneLine(j.invalid.Error()) + ")"
	}
	return ""
}

// lint warns of readings that the range cannot tell apart.
func (s *Set) lint(ctx context.Context, p *Problem, c *SelfCheck) error {
	for i, a := range p.Readings {
		for _, b := range p.Readings[i+1:] {
			if slices.Equal(a.Expected, b.Expected) {
				c.Warnings = append(c.Warnings, fmt.Sprintf("%s: the readings %s and %s have the same points from %v to %v, so they cannot be told apart", p.ID, a.Key, b.Key, p.From, p.To))
			}
		}
	}
	return s.lintClauses(ctx, p, c)
}
