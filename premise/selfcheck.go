package premise

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

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

	moot map[string][]string // by item, the controls that rest on a reading or a prelude that is wrong
}

// Fault is one thing that is wrong with a problem. Bare is Msg without a word of what the problem holds.
type Fault struct{ Item, Control, Msg, Bare, Place string }

// Claims gives the self-check in the form that benches of all shapes have.
func (s *Set) Claims(ctx context.Context) (*bench.Claims, error) { return claims(s.SelfCheck(ctx)) }

func claims(c *SelfCheck, err error) (*bench.Claims, error) {
	if err != nil {
		return nil, err
	}
	out := &bench.Claims{Warnings: c.Warnings, Moot: c.moot, Counts: []bench.Claim{{Name: "problems", Says: "problems", OK: c.ProblemsOK, Of: c.Problems},
		{Name: "pairs", Says: "pairs", OK: c.PairsOK, Of: c.Pairs}, {Name: "controls", Says: "controls have their letter", OK: c.ControlsOK, Of: c.Controls}}}
	for _, f := range c.Faults {
		out.Faults = append(out.Faults, bench.ClaimFault{Item: f.Item, Control: f.Control, Msg: f.Msg, Place: f.Place})
	}
	return out, nil
}

// SelfCheck evaluates every reading and judges every control. Readings that cannot be told apart are warned of. A fault is
// told once: what rests on a reading or a prelude that is wrong is left out.
func (s *Set) SelfCheck(ctx context.Context) (*SelfCheck, error) {
	c := &SelfCheck{Problems: len(s.problems), moot: map[string][]string{}}
	prelude := map[[2]int]*preludeFault{}
	wrong := make([]map[string]bool, len(s.problems)) // readings by key
	type pair struct {
		msg, bare string
		d         *Diagnostic
	}
	pairs := make([][]pair, len(s.problems))
	if err := s.each(func(n int) error {
		p := s.problems[n]
		pairs[n] = make([]pair, len(p.Readings))
		for i, r := range p.Readings {
			x := &pairs[n][i]
			var err error
			if x.msg, x.bare, x.d, err = s.pair(ctx, p, r); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return nil, err
	}
	for n, p := range s.problems {
		wrong[n] = map[string]bool{}
		for i, r := range p.Readings {
			c.Pairs++
			msg, bare, d := pairs[n][i].msg, pairs[n][i].bare, pairs[n][i].d
			if msg == "" {
				c.PairsOK++
				continue
			}
			wrong[n][r.Key] = true
			if d != nil && d.prelude != [2]int{} {
				f := prelude[d.prelude]
				if f == nil {
					f = &preludeFault{Diagnostic: d, first: fmt.Sprintf("%s, reading %s", p.ID, r.Key)}
					prelude[d.prelude] = f
				}
				f.readings++
				continue
			}
			c.Faults = append(c.Faults, Fault{Item: p.ID, Msg: fmt.Sprintf("reading %s: %s", r.Key, msg), Bare: fmt.Sprintf("reading %d: %s", i+1, bare), Place: fmt.Sprintf("%s:%d", r.File, r.Line)})
		}
		if len(wrong[n]) == 0 {
			c.ProblemsOK++
		}
	}
	for _, at := range slices.SortedFunc(maps.Keys(prelude), func(a, b [2]int) int { return slices.Compare(a[:], b[:]) }) {
		c.Faults = append(c.Faults, prelude[at].fault(s.preludeFile()))
	}
	parts := make([]SelfCheck, len(s.problems))
	if err := s.each(func(n int) error {
		parts[n].moot = map[string][]string{}
		return errors.Join(s.checkControls(ctx, s.problems[n], &parts[n], wrong[n], prelude), s.lint(ctx, s.problems[n], &parts[n]))
	}); err != nil {
		return nil, err
	}
	for _, part := range parts {
		c.Controls += part.Controls
		c.ControlsOK += part.ControlsOK
		c.Faults = append(c.Faults, part.Faults...)
		c.Warnings, c.Bare = append(c.Warnings, part.Warnings...), append(c.Bare, part.Bare...)
		maps.Copy(c.moot, part.moot)
	}
	return c, nil
}

// each calls f for the number of every problem, on all processors, and gives the error of the first problem that has one.
func (s *Set) each(f func(n int) error) error {
	errs := make([]error, len(s.problems))
	var next atomic.Int64
	var stopped atomic.Bool
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for n := int(next.Add(1)) - 1; n < len(errs) && !stopped.Load(); n = int(next.Add(1)) - 1 {
				if errs[n] = f(n); errs[n] != nil {
					stopped.Store(true)
				}
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// preludeFault is a fault of the prelude, which all the readings share that come upon it.
type preludeFault struct {
	*Diagnostic
	first    string // the reading that came upon it first
	readings int
}

func (f *preludeFault) fault(file string) Fault {
	bare := fmt.Sprintf("the prelude does not evaluate: [%s]; %s upon it", f.Code, many(f.readings, "reading")+map[bool]string{true: " comes", false: " come"}[f.readings == 1])
	msg := fmt.Sprintf("the prelude does not evaluate: %s; %s upon it, %s first", oneLine(f.Error()), many(f.readings, "reading")+map[bool]string{true: " comes", false: " come"}[f.readings == 1], f.first)
	return Fault{Msg: msg, Bare: bare, Place: fmt.Sprintf("%s:%d:%d", file, f.prelude[0], f.prelude[1])}
}

// pair says what is wrong with a reading, "" when its body gives its points; bare is the same without the problem's words, and
// d the diagnostic of a body that does not evaluate.
func (s *Set) pair(ctx context.Context, p *Problem, r Reading) (msg, bare string, d *Diagnostic, err error) {
	points, err := s.spec.points(ctx, r.Body, p.From, p.To)
	if err != nil {
		if errors.As(err, &d) {
			msg = "its body does not evaluate: "
			return msg + oneLine(d.Error()), msg + d.bare(), d, nil
		}
		return "", "", nil, err
	}
	if slices.Equal(points, r.Expected) {
		return "", "", nil, nil
	}
	one := Problem{Readings: []Reading{r}}
	bare = fmt.Sprintf("its body gives %s, and not the %d expected", count(len(points)), len(r.Expected))
	if len(points) == len(r.Expected) {
		bare = fmt.Sprintf("its body gives %s, as many as expected, but not the same ones", count(len(points)))
	}
	return bare + ": " + one.difference(points), bare, nil, nil
}

func (s *Set) checkControls(ctx context.Context, p *Problem, c *SelfCheck, wrong map[string]bool, prelude map[[2]int]*preludeFault) error {
	have := map[record.Letter]int{}
	for _, ctl := range p.controls {
		c.Controls++
		j, _, err := s.spec.judge(ctx, p, ctl.Answer)
		if err != nil {
			return err
		}
		have[ctl.letter]++
		broken := j.invalid != nil && prelude[j.invalid.prelude] != nil && ctl.letter != record.LetterInvalid
		if wrong[ctl.of] || broken || j.reading != nil && wrong[j.reading.Key] {
			c.moot[p.ID] = append(c.moot[p.ID], ctl.Name)
			continue
		}
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
