package report

import (
	"fmt"
	"strings"

	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/stats"
)

// Detectable is how far two results on the items of one basis must lie apart to be told apart, as package stats reckons it.
// Repeats are reduced to one result for each item and add no items, so they do not bring it down.
type Detectable struct {
	Basis       record.Basis `json:"basis"`
	Items       int          `json:"items"`
	Repeats     int          `json:"repeats"`
	Comparisons int          `json:"comparisons"` // of two models at their postures, whose number the level is divided by
	// Floor: a smaller difference is never told apart. Usual: a difference of unlike models that is told apart four times in
	// five. In items, and in points of a hundred (the floor rounded down, the other up); null where no difference is enough.
	FloorItems  *int     `json:"floor_items"`
	FloorPoints *float64 `json:"floor_points"`
	UsualItems  *int     `json:"usual_items"`
	UsualPoints *float64 `json:"usual_points"`
}

// Detect reckons what a run can tell apart: items by basis (exact, proxy), and how many models at postures are compared with
// each other, controls left out. A run of one is one comparison, with another run.
func Detect(items [2]int, repeats, settings int) ([]Detectable, error) {
	out := []Detectable{}
	for i, n := range items {
		if n == 0 {
			continue
		}
		d := Detectable{Basis: bases[i], Items: n, Repeats: repeats, Comparisons: max(1, settings*(settings-1)/2)}
		s, err := stats.Detect(n, d.Comparisons)
		if err != nil {
			return nil, err
		}
		if s.Floor > 0 {
			d.FloorItems, d.FloorPoints = &s.Floor, new(float64(1000*s.Floor/n)/10)
			d.UsualItems, d.UsualPoints = &s.Usual, new(float64((1000*s.Usual+n-1)/n)/10)
		}
		out = append(out, d)
	}
	return out, nil
}

// DetectWords says it in one line: "with 20 items and 2 repeats, differences under 30 points cannot be told apart; …"; "" for
// no items.
func DetectWords(list []Detectable) string {
	var parts []string
	for _, d := range list {
		head := plural(d.Items, "item")
		if len(list) > 1 {
			head = plural(d.Items, string(d.Basis)+" item")
		}
		if d.Repeats > 1 {
			head += " and " + plural(d.Repeats, "repeat")
		}
		if d.Comparisons > 1 {
			head += fmt.Sprintf(" in %d comparisons", d.Comparisons)
		}
		if d.FloorPoints == nil {
			parts = append(parts, "with "+head+", no difference can be told apart")
			continue
		}
		parts = append(parts, fmt.Sprintf("with %s, differences under %v points cannot be told apart, and of unlike models it usually takes %v", head, *d.FloorPoints, *d.UsualPoints))
	}
	return strings.Join(parts, "; ")
}

func plural(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return thousands(int64(n)) + " " + what
}
