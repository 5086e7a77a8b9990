// Package items looks at the items of a bench through the results of runs: which ones nobody passes, which everybody does,
// whose repeats disagree, which read otherwise by the tolerant reading, and how well each tells results apart.
package items

import (
	"fmt"

	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/report"
)

// Report is what runs say of a bench's items. Items are in the bench's order. Exact and proxy items stand in the same
// lists and are named by their basis; nothing is added up over both.
type Report struct {
	Bench  string `json:"bench"`
	Digest string `json:"digest"`
	Grader string `json:"grader"`
	Sides  []Side `json:"sides"`
	Items  []Item `json:"items"`
}

// Side is a model at a posture in a run. Controls are none.
type Side struct {
	Run     string `json:"run"`
	Model   string `json:"model"`
	Posture string `json:"posture"`
}

// Item is one item over all sides. Judged counts the sides for which all repeats have a result, Passed those of them that
// passed. Tolerant counts attempts that do not pass and would by the tolerant reading, of Attempts.
type Item struct {
	Item     string       `json:"item"`
	Family   string       `json:"family"`
	Basis    record.Basis `json:"basis"`
	Judged   int          `json:"judged"`
	Passed   int          `json:"passed"`
	Unstable int          `json:"unstable"` // sides whose repeats disagree
	Tolerant int          `json:"tolerant"`
	Attempts int          `json:"attempts"`
	// Agreeing and Opposed count the pairs of sides of which one passed the item and the other did not, and one passed more of
	// the other items of that basis: that one the item's passer, or the other. Tied pairs passed as many others.
	// Discrimination is (Agreeing - Opposed) of all these pairs; null where there are none.
	Agreeing       int              `json:"agreeing"`
	Opposed        int              `json:"opposed"`
	Tied           int              `json:"tied"`
	Discrimination *float64         `json:"discrimination"`
	Letters        []report.Letters `json:"letters"` // by side; empty where its run did not plan the item
}

// state is what a side came to on an item.
type state uint8

const (
	open state = iota
	failed
	passed
)

// New makes the report. The error says why the runs cannot be looked at together.
func New(runs []*report.Result) (*Report, error) {
	r := &Report{Bench: runs[0].Bench, Digest: runs[0].Digest, Grader: runs[0].Grader, Sides: []Side{}, Items: []Item{}}
	index := map[string]int{}
	seen := map[string]bool{}
	var states [][]state // by item and side
	for _, run := range runs {
		switch {
		case seen[run.Run]:
			return nil, fmt.Errorf("run %s is named twice", report.Printable(run.Run))
		case run.Digest != r.Digest:
			return nil, fmt.Errorf("run %s is of %s (%.12s) and run %s of %s (%.12s); items of different benches are not put together", report.Printable(runs[0].Run), report.Printable(r.Bench), r.Digest, report.Printable(run.Run), report.Printable(run.Bench), run.Digest)
		case run.Grader != r.Grader:
			return nil, fmt.Errorf("runs %s and %s were graded by different graders; grade both again by one (assay grade --run)", report.Printable(runs[0].Run), report.Printable(run.Run))
		}
		seen[run.Run] = true
		at := map[[2]string]int{}
		for _, st := range run.Attempts.Settings {
			if !st.Control {
				at[[2]string{st.Model, st.Posture}] = len(r.Sides)
				r.Sides = append(r.Sides, Side{run.Run, st.Model, st.Posture})
			}
		}
		for i := range run.Items {
			it := &run.Items[i]
			n, ok := index[it.Item]
			if !ok {
				n = len(r.Items)
				index[it.Item] = n
				r.Items = append(r.Items, Item{Item: it.Item, Family: it.Family, Basis: it.Basis})
				states = append(states, nil)
			}
			for len(states[n]) < len(r.Sides) {
				states[n] = append(states[n], open)
				r.Items[n].Letters = append(r.Items[n].Letters, report.Letters{})
			}
			for j := range it.Settings {
				s := &it.Settings[j]
				if side, ok := at[[2]string{s.Model, s.Posture}]; ok {
					states[n][side] = r.Items[n].add(side, s)
				}
			}
		}
	}
	if len(r.Sides) == 0 {
		return nil, fmt.Errorf("only controls were run; they prove the graders and say nothing of items")
	}
	for n := range states { // items that later runs did not plan
		for len(states[n]) < len(r.Sides) {
			states[n] = append(states[n], open)
			r.Items[n].Letters = append(r.Items[n].Letters, report.Letters{})
		}
	}
	r.discriminate(states)
	return r, nil
}

// add takes what a side came to on the item.
func (it *Item) add(side int, s *report.ModelLetters) state {
	it.Letters[side] = s.Letters
	it.Tolerant += s.Tolerant
	it.Attempts += len(s.Letters)
	if s.Passed == nil {
		return open
	}
	it.Judged++
	if *s.Passed {
		it.Passed++
		return passed
	}
	if s.Unstable {
		it.Unstable++
	}
	return failed
}

// discriminate counts pairs of sides for each item. A pair is compared on the other items of the same basis for which both have a
// result, so that a part of a run is never held against a whole one.
func (r *Report) discriminate(states [][]state) {
	for a := range r.Sides {
		for b := range a {
			lead := map[record.Basis]int{} // items that a passed and b did not, less the reverse
			for i := range states {
				lead[r.Items[i].Basis] += ahead(states[i][a], states[i][b])
			}
			for i := range states {
				own := ahead(states[i][a], states[i][b])
				if own == 0 {
					continue
				}
				switch rest := (lead[r.Items[i].Basis] - own) * own; {
				case rest > 0:
					r.Items[i].Agreeing++
				case rest < 0:
					r.Items[i].Opposed++
				default:
					r.Items[i].Tied++
				}
			}
		}
	}
	for i := range r.Items {
		it := &r.Items[i]
		if n := it.Agreeing + it.Opposed + it.Tied; n > 0 {
			it.Discrimination = new(float64(it.Agreeing-it.Opposed) / float64(n))
		}
	}
}

// ahead is 1 where only the first passed, -1 where only the second did, and 0 elsewhere.
func ahead(a, b state) int {
	switch {
	case a == open || b == open || a == b:
		return 0
	case a == passed:
		return 1
	}
	return -1
}
