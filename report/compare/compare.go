// Package compare holds results against each other on the same items: what passed and does not any more comes first. Two
// results are paired item by item and told apart by an exact test; exact and proxy items are counted apart throughout. Runs of
// different benches, protocols, graders or numbers of repeats are refused: their results answer different questions.
package compare

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/report"
)

// Run is a run to be compared. Its results list every item.
type Run struct {
	Result   *report.Result
	Protocol string // digest
	Repeats  int
	Part     string // why it is no whole run; "" where it is one
}

// Options choose the sides.
type Options struct {
	Baseline         int // index of the run that the others are held against
	Models, Postures []string
}

// Refused says why runs are not compared.
type Refused struct{ Why string }

func (r *Refused) Error() string { return r.Why }

func refuse(format string, args ...any) error {
	return &Refused{report.Printable(fmt.Sprintf(format, args...))}
}

// Side is a model at a posture in a run, with its figures by basis.
type Side struct {
	Run     string          `json:"run"`
	Model   string          `json:"model"`
	Posture string          `json:"posture"`
	Control bool            `json:"control"` // it proves the graders, and is ranked nowhere
	Part    string          `json:"part"`    // why its run is no whole one; "" where it is
	Figures []report.Figure `json:"figures"`

	items    map[string]*report.ModelLetters
	families []report.FamilyFigure
}

// Comparison is every other side against one of the baseline's.
type Comparison struct {
	Bench    string   `json:"bench"`
	Digest   string   `json:"digest"`
	Grader   string   `json:"grader"`
	Protocol string   `json:"protocol"`
	Repeats  int      `json:"repeats"`
	Pairs    []Pair   `json:"pairs"`
	Notes    []string `json:"notes"` // what a reader must know beside the figures
}

// Pair is two sides on the same items, Base the baseline's.
type Pair struct {
	Base         Side     `json:"base"`
	Other        Side     `json:"other"`
	Differs      []string `json:"differs"` // beside the results: models, what their servers say of them, postures, choices of items
	Regressions  []Change `json:"regressions"`
	Improvements []Change `json:"improvements"`
	Open         []Change `json:"open"` // items that one side or both have no result for
	Bases        []Basis  `json:"by_basis"`
	OnlyBase     int      `json:"only_base"` // items that the other side did not plan
	OnlyOther    int      `json:"only_other"`
}

// Change is an item with the letters of its repeats on both sides.
type Change struct {
	Item   string         `json:"item"`
	Family string         `json:"family"`
	Basis  record.Basis   `json:"basis"`
	Base   report.Letters `json:"base"`
	Other  report.Letters `json:"other"`
}

// New pairs the runs' sides and compares them. The error is a *Refused, or the arithmetic's.
func New(runs []Run, o Options) (*Comparison, error) {
	if err := comparable(runs); err != nil {
		return nil, err
	}
	base := &runs[o.Baseline]
	c := &Comparison{Bench: base.Result.Bench, Digest: base.Result.Digest, Grader: base.Result.Grader, Protocol: base.Protocol, Repeats: base.Repeats, Notes: []string{}}
	baseSides, err := sides(base, o)
	if err != nil {
		return nil, err
	}
	if len(runs) == 1 {
		if len(baseSides) < 2 {
			return nil, refuse("run %s has one model at one posture; name another run to compare it with", base.Result.Run)
		}
		for _, s := range baseSides[1:] {
			c.Pairs = append(c.Pairs, pair(base.Result, base.Result, baseSides[0], s))
		}
	}
	for i := range runs {
		if i == o.Baseline {
			continue
		}
		others, err := sides(&runs[i], o)
		if err != nil {
			return nil, err
		}
		for _, s := range others {
			b, err := counterpart(baseSides, s)
			if err != nil {
				return nil, err
			}
			c.Pairs = append(c.Pairs, pair(base.Result, runs[i].Result, b, s))
		}
	}
	c.notes(runs)
	return c, c.test()
}

// comparable refuses runs that answer different questions.
func comparable(runs []Run) error {
	seen := map[string]bool{}
	for i := range runs {
		r, first := &runs[i], &runs[0]
		if seen[r.Result.Run] {
			return refuse("run %s is named twice", r.Result.Run)
		}
		seen[r.Result.Run] = true
		var why []string
		differ := func(what, a, b string) {
			if a != b {
				why = append(why, fmt.Sprintf("%s %.24s and %.24s", what, a, b))
			}
		}
		differ("bench", first.Result.Bench, r.Result.Bench)
		differ("bench digest", first.Result.Digest, r.Result.Digest)
		differ("protocol", first.Protocol, r.Protocol)
		differ("grader", first.Result.Grader, r.Result.Grader)
		differ("repeats", fmt.Sprint(first.Repeats), fmt.Sprint(r.Repeats))
		if len(why) == 1 && strings.HasPrefix(why[0], "grader") {
			return refuse("runs %s and %s were graded by different graders (%s); grade both again by one (assay grade --run), and name it with --grader", first.Result.Run, r.Result.Run, why[0])
		}
		if len(why) > 0 {
			return refuse("runs %s and %s are not compared, since they differ in what was asked: %s", first.Result.Run, r.Result.Run, strings.Join(why, "; "))
		}
	}
	return nil
}

// sides lists a run's models at their postures, without those that were not chosen.
func sides(r *Run, o Options) ([]*Side, error) {
	var out []*Side
	at := map[[2]string]*Side{}
	for _, st := range r.Result.Attempts.Settings {
		if len(o.Models) > 0 && !slices.Contains(o.Models, st.Model) || len(o.Postures) > 0 && !slices.Contains(o.Postures, st.Posture) {
			continue
		}
		s := &Side{Run: r.Result.Run, Model: st.Model, Posture: st.Posture, Control: st.Control, Part: r.Part, items: map[string]*report.ModelLetters{}}
		for _, f := range r.Result.Figures {
			if f.Model == st.Model && f.Posture == st.Posture {
				s.Figures = append(s.Figures, f)
			}
		}
		for _, f := range r.Result.Families {
			if f.Model == st.Model && f.Posture == st.Posture {
				s.families = append(s.families, f)
			}
		}
		at[[2]string{st.Model, st.Posture}] = s
		out = append(out, s)
	}
	if len(out) == 0 {
		return nil, refuse("run %s has none of the chosen models and postures", r.Result.Run)
	}
	for i := range r.Result.Items {
		it := &r.Result.Items[i]
		for j := range it.Settings {
			if s := at[[2]string{it.Settings[j].Model, it.Settings[j].Posture}]; s != nil {
				s.items[it.Item] = &it.Settings[j]
			}
		}
	}
	return out, nil
}

// counterpart finds what a side is held against: the same model at the same posture, else the baseline's only side, else its
// only one of the same model or else of the same posture.
func counterpart(base []*Side, s *Side) (*Side, error) {
	for _, same := range []func(*Side) bool{
		func(b *Side) bool { return b.Model == s.Model && b.Posture == s.Posture },
		func(*Side) bool { return true },
		func(b *Side) bool { return b.Model == s.Model },
		func(b *Side) bool { return b.Posture == s.Posture },
	} {
		var found []*Side
		for _, b := range base {
			if same(b) {
				found = append(found, b)
			}
		}
		if len(found) == 1 {
			return found[0], nil
		}
	}
	return nil, refuse("run %s has %s at %s, and of the %d models and postures of the baseline %s none is its counterpart; choose them with --model and --posture", s.Run, s.Model, s.Posture, len(base), base[0].Run)
}

func pair(base, other *report.Result, b, s *Side) Pair {
	p := Pair{Base: *b, Other: *s, Differs: []string{}, Regressions: []Change{}, Improvements: []Change{}, Open: []Change{}}
	if b.Model != s.Model {
		p.Differs = append(p.Differs, fmt.Sprintf("model: %s and %s", b.Model, s.Model))
	}
	if b.Posture != s.Posture {
		p.Differs = append(p.Differs, fmt.Sprintf("posture: %s and %s", b.Posture, s.Posture))
	}
	p.Differs = append(p.Differs, identities(identity(base, b.Model), identity(other, s.Model), b.Model == s.Model)...)
	counts := map[record.Basis]*count{record.Exact: {}, record.Proxy: {}}
	for i := range base.Items {
		it := &base.Items[i]
		x, y := b.items[it.Item], s.items[it.Item]
		if y == nil {
			p.OnlyBase++
			continue
		}
		ch := Change{it.Item, it.Family, it.Basis, x.Letters, y.Letters}
		switch c := counts[it.Basis]; {
		case x.Passed == nil || y.Passed == nil:
			c.open++
			p.Open = append(p.Open, ch)
		case *x.Passed && !*y.Passed:
			c.add(it.Family, -1)
			p.Regressions = append(p.Regressions, ch)
		case !*x.Passed && *y.Passed:
			c.add(it.Family, 1)
			p.Improvements = append(p.Improvements, ch)
		case *x.Passed:
			c.both++
			c.add(it.Family, 0)
		default:
			c.neither++
			c.add(it.Family, 0)
		}
	}
	for i := range other.Items {
		if b.items[other.Items[i].Item] == nil {
			p.OnlyOther++
		}
	}
	if p.OnlyBase+p.OnlyOther > 0 {
		p.Differs = append(p.Differs, fmt.Sprintf("choice of items: %d are in the baseline alone and %d in the other alone; they are left out", p.OnlyBase, p.OnlyOther))
	}
	for _, basis := range []record.Basis{record.Exact, record.Proxy} {
		if c := counts[basis]; c.paired()+c.open > 0 {
			p.Bases = append(p.Bases, c.basis(basis))
		}
	}
	return p
}

// identity is what a run's model and its server said of themselves first; nil where they said nothing.
func identity(r *report.Result, model string) *report.Identity {
	for i := range r.Servers {
		if r.Servers[i].Model == model {
			return r.Servers[i].Start
		}
	}
	return nil
}

// identities lists in what two models and their servers say that they differ, digests where they have the same name. What one of
// them does not say is nothing.
func identities(a, b *report.Identity, named bool) []string {
	if a == nil || b == nil {
		return nil
	}
	var out []string
	differ := func(what, x, y string) {
		if x != y && x != "" && y != "" {
			out = append(out, fmt.Sprintf("%s: %.40s and %.40s", what, x, y))
		}
	}
	if named {
		differ("model's digest", a.Digest, b.Digest)
	}
	differ("server", a.Server, b.Server)
	if a.Context > 0 && b.Context > 0 {
		differ("context", fmt.Sprint(a.Context), fmt.Sprint(b.Context))
	}
	return out
}

// notes are what the runs say of themselves; what all of them say is said once and for all.
func (c *Comparison) notes(runs []Run) {
	add := func(s string) {
		if !slices.Contains(c.Notes, s) {
			c.Notes = append(c.Notes, s)
		}
	}
	for i := range runs {
		for _, n := range runs[i].Result.Notes {
			all := true
			for j := range runs {
				all = all && slices.Contains(runs[j].Result.Notes, n)
			}
			if !all {
				n = "run " + runs[i].Result.Run + ": " + n
			}
			add(n)
		}
	}
	for i := range c.Pairs {
		for _, s := range []*Side{&c.Pairs[i].Base, &c.Pairs[i].Other} {
			if s.Control {
				add(s.Model + " is a control: it proves the graders, and is ranked nowhere")
			}
		}
	}
}

func rational(r *big.Rat) *float64 {
	if r == nil {
		return nil
	}
	f, _ := r.Float64()
	return &f
}
