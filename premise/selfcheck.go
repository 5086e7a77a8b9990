package premise

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/assaybench/assay/bench"
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
	// Bare are the warnings without a word of what the problems hold, for sets of which nothing may be shown.
	Bare []string `json:"-"`
}

// Fault is one thing that is wrong with a problem. Bare is Msg without a word of what the problem holds.
type Fault struct{ Item, Control, Msg, Bare, Place string }

// Claims gives the self-check in the form that benches of all shapes have.
func (s *Set) Claims(ctx context.Context) (*bench.Claims, error) { return claims(s.SelfCheck(ctx)) }

func claims(c *SelfCheck, err error) (*bench.Claims, error) {
	if err != nil {
		return nil, err
	}
	out := &bench.Claims{Warnings: c.Warnings, Counts: []bench.Claim{{Name: "problems", Says: "problems", OK: c.ProblemsOK, Of: c.Problems},
		{Name: "pairs", Says: "pairs", OK: c.PairsOK, Of: c.Pairs}, {Name: "controls", Says: "controls have their letter", OK: c.ControlsOK, Of: c.Controls}}}
	for _, f := range c.Faults {
		out.Faults = append(out.Faults, bench.ClaimFault{Item: f.Item, Control: f.Control, Msg: f.Msg, Place: f.Place})
	}
	return out, nil
}

// SelfCheck evaluates every reading and judges every control. Readings that cannot be told apart are warned of.
func (s *Set) SelfCheck(ctx context.Context) (*SelfCheck, error) {
	c := &SelfCheck{Problems: len(s.problems)}
	for _, p := range s.problems {
		ok := true
		for i, r := range p.Readings {
			c.Pairs++
			msg, bare, err := s.pair(ctx, p, r)
			switch {
			case err != nil:
				return nil, err
			case msg != "":
				ok = false
				c.Faults = append(c.Faults, Fault{Item: p.ID, Msg: fmt.Sprintf("reading %s: %s", r.Key, msg), Bare: fmt.Sprintf("reading %d: %s", i+1, bare), Place: fmt.Sprintf("%s:%d", r.File, r.Line)})
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

// pair says what is wrong with a reading, "" when its body gives its points; bare is the same without the problem's words.
func (s *Set) pair(ctx context.Context, p *Problem, r Reading) (msg, bare string, err error) {
	points, err := s.spec.points(ctx, r.Body, p.From, p.To)
	if err != nil {
		if d := (*Diagnostic)(nil); errors.As(err, &d) {
			msg = "its body does not evaluate: "
			return msg + oneLine(d.Error()), msg + d.bare(), nil
		}
		return "", "", err
	}
	if slices.Equal(points, r.Expected) {
		return "", "", nil
	}
	one := Problem{Readings: []Reading{r}}
	bare = fmt.Sprintf("its body gives %s, and not the %d expected", count(len(points)), len(r.Expected))
	if len(points) == len(r.Expected) {
		bare = fmt.Sprintf("its body gives %s, as many as expected, but not the same ones", count(len(points)))
	}
	return bare + ": " + one.difference(points), bare, nil
}

func (s *Set) checkControls(ctx context.Context, p *Problem, c *SelfCheck) error {
	have := map[record.Letter]int{}
	for _, ctl := range p.controls {
		c.Controls++
		j, _, err := s.spec.judge(ctx, p, ctl.Answer)
		if err != nil {
			return err
		}
		have[ctl.letter]++
		place := fmt.Sprintf("%s:%d", ctl.File, ctl.Line)
		switch over := max(ctl.over, 0); {
		case j.letter != ctl.letter:
			msg := fmt.Sprintf("has the letter %s, and should have %s", j.letter, ctl.letter)
			c.Faults = append(c.Faults, Fault{p.ID, ctl.Name, msg + because(j), msg, place})
		case ctl.over >= 0 && j.over != over:
			msg := fmt.Sprintf("declares %s too many, and should declare %d", many(j.over, "kind"), over)
			c.Faults = append(c.Faults, Fault{p.ID, ctl.Name, msg, msg, place})
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
			msg := fmt.Sprintf("%s with the letter %s; at least %d %s wanted", many(have[record.Letter(l)], "control"), l, n, map[bool]string{true: "is", false: "are"}[n == 1])
			c.Faults = append(c.Faults, Fault{Item: p.ID, Msg: msg, Bare: msg, Place: p.File})
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
		for k, b := range p.Readings[i+1:] {
			if slices.Equal(a.Expected, b.Expected) {
				c.warn(fmt.Sprintf("%s: the readings %s and %s have the same points from %v to %v, so they cannot be told apart", p.ID, a.Key, b.Key, p.From, p.To),
					fmt.Sprintf("%s: the readings %d and %d have the same points, so they cannot be told apart", p.ID, i+1, i+2+k))
			}
		}
	}
	return s.lintClauses(ctx, p, c)
}

// warn adds a warning in both its forms.
func (c *SelfCheck) warn(msg, bare string) {
	c.Warnings, c.Bare = append(c.Warnings, msg), append(c.Bare, bare)
}
