package kairos

import (
	"slices"
	"sort"
)

// arrivals keeps the order of what the parts of a predicate leave behind when they are first evaluated: the sources that
// they use and the warnings that they give. Both are listed in a result in the order of asking point by point, while a
// block evaluates one part for all points before the next part.
type arrivals struct {
	ev                *evaluation
	sources, warnings int     // how many of each there were before the block
	sourceFor         []int32 // for each that has come since, the index of the point that needed it
	warningFor        []int32
	due               []arrival // taken back, to come again with their points
}

// arrival is a source or a warning and the index of the point that it comes with.
type arrival struct {
	at      int32
	source  *coverageEntry
	warning *Warning
}

// begin starts a block.
func (a *arrivals) begin() {
	a.sources, a.warnings = len(a.ev.coverage), len(a.ev.warnings)
	a.sourceFor, a.warningFor = a.sourceFor[:0], a.warningFor[:0]
}

// came notes that what is new came with a point.
func (a *arrivals) came(i int32) {
	for len(a.sourceFor) < len(a.ev.coverage)-a.sources {
		a.sourceFor = append(a.sourceFor, i)
	}
	for len(a.warningFor) < len(a.ev.warnings)-a.warnings {
		a.warningFor = append(a.warningFor, i)
	}
}

// settle brings what came with a block into the order of its points.
func (a *arrivals) settle() {
	a.ev.coverage = inOrder(a.ev.coverage, a.sources, a.sourceFor)
	a.ev.warnings = inOrder(a.ev.warnings, a.warnings, a.warningFor)
}

// inOrder sorts the elements from n on by their keys; what is a part of the list elsewhere keeps its order.
func inOrder[T any](list []T, n int, keys []int32) []T {
	if slices.IsSorted(keys) {
		return list
	}
	order := make([]int, len(keys))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(x, y int) bool { return keys[order[x]] < keys[order[y]] })
	out := slices.Clone(list[:n])
	for _, i := range order {
		out = append(out, list[n+i])
	}
	slices.Sort(keys)
	return out
}

// takeBack takes back what came with a block whose points will be asked one by one.
func (a *arrivals) takeBack() {
	a.settle()
	for i, at := range a.sourceFor {
		e := a.ev.coverage[a.sources+i]
		a.due = append(a.due, arrival{at: at, source: &e})
		delete(a.ev.covered, keyOf(e.src))
	}
	for i, at := range a.warningFor {
		w := a.ev.warnings[a.warnings+i]
		a.due = append(a.due, arrival{at: at, warning: &w})
	}
	a.ev.coverage = slices.Clip(a.ev.coverage[:a.sources])
	a.ev.warnings = slices.Clip(a.ev.warnings[:a.warnings])
}

// released makes a test of points, from the first of the block on, with which what was taken back comes again. The warnings
// are those of named values, which the rest of what a point needs builds upon; sources come in the order that the test
// itself uses them in, where it does.
func (a *arrivals) released(test func(t int64) (bool, error)) func(t int64) (bool, error) {
	if len(a.due) == 0 {
		return test
	}
	next := int32(0)
	return func(t int64) (bool, error) {
		for _, d := range a.due {
			if d.at == next && d.warning != nil {
				a.ev.warnings = append(a.ev.warnings, *d.warning)
			}
		}
		ok, err := test(t)
		for _, d := range a.due {
			if d.at == next && d.source != nil {
				a.ev.use(d.source.src, d.source.concluded)
			}
		}
		next++
		return ok, err
	}
}

// warnsAgain says whether a part whose evaluation gave the warnings from n on gives some with every evaluation. Those are
// taken back: the points are to be asked one by one, each with its warnings.
func (ev *evaluation) warnsAgain(n int) bool {
	again := func(w Warning) bool { return !w.once }
	if !slices.ContainsFunc(ev.warnings[n:], again) {
		return false
	}
	once := slices.DeleteFunc(slices.Clone(ev.warnings[n:]), again)
	ev.warnings = append(slices.Clone(ev.warnings[:n]), once...)
	return true
}
