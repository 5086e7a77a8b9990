package report

import (
	"fmt"
	"iter"
	"slices"

	"github.com/assaybench/assay/record"
)

// chairTrials is a run over items of the shape of the shipped bench: 13 exact and 7 proxy in three families.
func chairTrials(repeats int, models ...Model) Run {
	var items []Item
	for i := range 20 {
		it := Item{ID: fmt.Sprintf("c%d-xx-%d", i/7+1, i%7+1), Family: []string{"calculation", "tools", "prose"}[i/7], Basis: record.Exact}
		if i >= 13 {
			it.Basis = record.Proxy
		}
		items = append(items, it)
	}
	postures := 0
	for _, m := range models {
		postures += len(m.Postures)
	}
	return Run{
		ID: "01k3f7", Bench: "chair-trials@1.0.0", Digest: "b0f3", Grader: "9a11", Models: models, Repeats: repeats,
		Planned: 20 * repeats * postures, Proven: true,
		Families: []Family{{"calculation", "Calculation"}, {"tools", "Tools and code"}, {"prose", "Prose under rules"}},
		Items:    slices.Values(items),
	}
}

// answers makes a row for every planned attempt; edit changes it, and drops it by returning false.
func answers(run Run, edit func(*Row) bool) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for _, m := range run.Models {
			for _, p := range m.Postures {
				for it := range run.Items {
					for rep := 1; rep <= run.Repeats; rep++ {
						r := Row{
							Key:     record.Key{Model: m.Name, Posture: p, Item: it.ID, Repeat: rep},
							Outcome: record.Answered, State: record.Graded, Pass: true, AnswerHash: it.ID, Tries: 1,
							Delivery: "delivered", Detail: &Detail{Proof: "refuses"},
						}
						if edit != nil && !edit(&r) {
							continue
						}
						if !yield(r, nil) {
							return
						}
					}
				}
			}
		}
	}
}
