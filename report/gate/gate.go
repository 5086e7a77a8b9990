// Package gate holds results against conditions such as exact>=0.9, for continuous use. A condition is compared in fractions,
// without rounding, and no run passes one whose attempts are not all there.
package gate

import (
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/report"
)

// Gate is one condition.
type Gate struct {
	Text   string // as it was written
	Metric string
	op     string
	value  *big.Rat
}

// Subject is what a gate is held against: a model at a posture in a run.
type Subject struct {
	Name    string // for people
	Figures []report.Figure
	// Families are the figures by family, for gates such as exact/FAMILY.
	Families []report.FamilyFigure
	Part     string               // why this is no whole run; "" where it is one
	Pairs    map[string][2]string // what only a comparison has, by metric: a fraction, and how it is shown
}

// Metrics of a run. The share of items that pass is by basis, and counts of attempts are over both.
var Metrics = []string{"exact", "proxy", "exact-answered", "proxy-answered", "exact-unstable", "proxy-unstable", "errors", "missing", "undelivered", "ungraded", "truncated", "refused", "timeouts", "unread"}

// PairMetrics are those that a comparison has beside them.
var PairMetrics = []string{"exact-regressions", "proxy-regressions", "exact-improvements", "proxy-improvements", "exact-difference", "proxy-difference"}

var form = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^ *([a-z][a-z-]*)(?:/([A-Za-z0-9][A-Za-z0-9._-]{0,99}))? *(>=|<=|==|!=|>|<) *([+-]?[0-9]{1,12}(?:\.[0-9]{1,12})?)(?: *(%)|/([1-9][0-9]{0,11}))? *$`)
})

// Parse reads a condition: a metric of those known, one of >= <= == != > <, and a number: 0.9, 90% or 9/10.
func Parse(text string, known []string) (Gate, error) {
	m := form().FindStringSubmatch(text)
	if m == nil {
		return Gate{}, fmt.Errorf("%s is no gate; write one like exact>=0.9 or errors==0", report.Printable(fmt.Sprintf("%.60q", text)))
	}
	metric, op, number, percent, under := m[1], m[3], m[4], m[5], m[6]
	if !slices.Contains(known, metric) {
		return Gate{}, fmt.Errorf("the gate %s names %q; known here: %s", m[0], metric, strings.Join(known, ", "))
	}
	if m[2] != "" {
		if !record.Basis(metric).Valid() {
			return Gate{}, fmt.Errorf("the gate %s names a family; only exact/FAMILY and proxy/FAMILY do", m[0])
		}
		metric += "/" + m[2]
	}
	v, ok := new(big.Rat).SetString(number)
	if !ok {
		return Gate{}, fmt.Errorf("the gate %s has no number", m[0])
	}
	if percent != "" {
		v.Quo(v, big.NewRat(100, 1))
	}
	if under != "" {
		d, ok := new(big.Rat).SetString(under)
		if !ok || strings.Contains(number, ".") {
			return Gate{}, fmt.Errorf("the gate %s has no fraction of whole numbers", m[0])
		}
		v.Quo(v, d)
	}
	return Gate{strings.ReplaceAll(strings.TrimSpace(text), " ", ""), metric, op, v}, nil
}

// Check gives one line for each gate and subject that does not pass, in that order; none means that everything passes. A
// subject with attempts missing, in an error, undelivered or not graded passes no gate, and neither does a part of a run.
func Check(gates []Gate, subjects []Subject) []string {
	var out []string
	for _, g := range gates {
		if len(subjects) == 0 {
			out = append(out, fmt.Sprintf("gate %s: nothing was run", g.Text))
		}
		for i := range subjects {
			if why := g.fails(&subjects[i]); why != "" {
				out = append(out, fmt.Sprintf("gate %s: %s %s", g.Text, report.Printable(subjects[i].Name), why))
			}
		}
	}
	return out
}

func (g *Gate) fails(s *Subject) string {
	value, shown := s.value(g.Metric)
	if value != nil && !g.holds(value) {
		return "has " + shown
	}
	if s.Part != "" {
		return "is no whole run: " + s.Part
	}
	open, planned := 0, 0
	for _, f := range s.Figures {
		a := f.Attempts
		open += a.Missing + a.Error + a.Undelivered + a.Ungradable
		planned += a.Planned
	}
	if open > 0 || planned == 0 {
		return fmt.Sprintf("is not complete: %d of %d attempts have no result", open, planned)
	}
	if value == nil {
		return shown
	}
	return ""
}

func (g *Gate) holds(v *big.Rat) bool {
	switch c := v.Cmp(g.value); g.op {
	case ">=":
		return c >= 0
	case "<=":
		return c <= 0
	case "==":
		return c == 0
	case "!=":
		return c != 0
	case ">":
		return c > 0
	}
	return v.Cmp(g.value) < 0 // <
}

// value gives what a metric comes to and how it is shown; nil with the reason where it comes to nothing.
func (s *Subject) value(metric string) (*big.Rat, string) {
	if p, ok := s.Pairs[metric]; ok {
		v, ok := new(big.Rat).SetString(p[0])
		if !ok {
			return nil, p[1]
		}
		return v, p[1]
	}
	if basis, family, ok := strings.Cut(metric, "/"); ok {
		for i := range s.Families {
			if f := &s.Families[i]; f.Family == family && string(f.Basis) == basis && f.Items > 0 {
				return portion(f.Passed, f.Items)
			}
		}
		return nil, "has no " + basis + " items of the family " + family
	}
	name, part, _ := strings.Cut(metric, "-")
	if basis := record.Basis(name); basis.Valid() {
		i := slices.IndexFunc(s.Figures, func(f report.Figure) bool { return f.Basis == basis })
		if i < 0 {
			return nil, "has no " + name + " items"
		}
		f := &s.Figures[i]
		passed, of := f.Passed, f.Items
		switch part {
		case "unstable":
			return big.NewRat(int64(f.Unstable), 1), fmt.Sprintf("%d", f.Unstable)
		case "answered":
			passed, of = f.Answered.Passed, f.Answered.Items
		case "regressions", "improvements", "difference":
			return nil, "has no " + name + " items to compare"
		}
		if of == 0 {
			return nil, "has no " + name + " items that were answered"
		}
		return portion(passed, of)
	}
	n := 0
	for _, f := range s.Figures {
		a := f.Attempts
		counts := map[string]int{"errors": a.Error, "missing": a.Missing, "undelivered": a.Undelivered, "ungraded": a.Ungradable, "truncated": a.Truncated,
			"refused": a.Refused, "timeouts": a.Timeout, "unread": a.Unread}
		have, ok := counts[metric]
		if !ok {
			return nil, "knows no " + metric
		}
		n += have
	}
	return big.NewRat(int64(n), 1), fmt.Sprintf("%d", n)
}

func portion(passed, of int) (*big.Rat, string) {
	return big.NewRat(int64(passed), int64(of)), fmt.Sprintf("%d of %d (%.4f)", passed, of, float64(passed)/float64(of))
}

// Subjects are a run's models at their postures.
func Subjects(r *report.Result, part string) []Subject {
	var out []Subject
	for _, st := range r.Attempts.Settings {
		s := Subject{Name: st.Model + " at " + st.Posture, Part: part}
		for _, f := range r.Figures {
			if f.Model == st.Model && f.Posture == st.Posture {
				s.Figures = append(s.Figures, f)
			}
		}
		for _, f := range r.Families {
			if f.Model == st.Model && f.Posture == st.Posture {
				s.Families = append(s.Families, f)
			}
		}
		out = append(out, s)
	}
	return out
}

// shownMost is how many reasons stand in one line.
const shownMost = 3

// Line puts reasons into one line; "" for none.
func Line(reasons []string) string {
	if n := len(reasons) - shownMost; n > 0 {
		return fmt.Sprintf("%s; and %d more", strings.Join(reasons[:shownMost], "; "), n)
	}
	return strings.Join(reasons, "; ")
}
