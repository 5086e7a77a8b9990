package web

import (
	"fmt"

	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/store"
)

// repeats counts how many of an item's repeats passed while rows go by in the plan's order.
type repeats struct {
	of     int
	places map[repeatKey]int
	seen   []repeatSeen
	basis  []record.Basis
	keys   []repeatKey
}

type repeatKey struct{ model, posture, item string }

type repeatSeen struct{ judged, passed uint16 }

// repeatsMost bounds how many repeats and items are told apart.
const (
	repeatsMost = 100
	itemsMost   = 500_000
)

func newRepeats(of int) *repeats { return &repeats{of: of, places: map[repeatKey]int{}} }

func (r *repeats) add(row *store.Row) {
	if r.of < 2 || r.of > repeatsMost {
		return
	}
	k := repeatKey{row.Key.Model, row.Key.Posture, row.Key.Item}
	i, ok := r.places[k]
	if !ok {
		if len(r.seen) == itemsMost {
			return
		}
		i = len(r.seen)
		r.places[k], r.seen, r.basis, r.keys = i, append(r.seen, repeatSeen{}), append(r.basis, row.Basis), append(r.keys, k)
	}
	if !row.Outcome.OfModel() || row.Outcome == record.Answered && (row.State == "" || row.State == record.Ungradable) {
		return
	}
	r.seen[i].judged++
	if row.Pass {
		r.seen[i].passed++
	}
}

// close gives what was counted, in the order in which models came.
func (r *repeats) close() []agreement {
	var out []agreement
	at := map[string]int{}
	for i, k := range r.keys {
		if int(r.seen[i].judged) != r.of {
			continue
		}
		name := k.model + "\x00" + k.posture + "\x00" + string(r.basis[i])
		j, ok := at[name]
		if !ok {
			j = len(out)
			at[name] = j
			out = append(out, agreement{k.model, k.posture, r.basis[i], make([]int, r.of+1)})
		}
		out[j].items[r.seen[i].passed]++
	}
	return out
}

// chart draws one agreement: a bar for each number of repeats that can pass. A model that is sure of itself has its bars at
// both ends.
func (a *agreement) chart(i int) *chart {
	const wide, high = 240.0, 80.0
	c := &chart{ID: fmt.Sprintf("repeats-%d", i), Title: fmt.Sprintf("%s, %s, %s", clipped(modelName(a.model), 24), clipped(a.posture, 10), a.basis), W: wide + 20, H: int(high) + 40,
		Desc: "How many of an item's repeats passed, over the items whose every repeat is judged: none on the left, all on the right. Items in the middle are those whose repeats disagree.", Head: []string{"repeats that passed", "items"}}
	most := 0
	for _, n := range a.items {
		most = max(most, n)
	}
	step := wide / float64(len(a.items))
	for k, n := range a.items {
		c.Rows = append(c.Rows, []string{fmt.Sprintf("%d of %d", k, len(a.items)-1), fmt.Sprint(n)})
		x, h := 10+step*float64(k), 0.0
		if most > 0 {
			h = high * float64(n) / float64(most)
		}
		c.rect("bar "+string(a.basis), x+1, 14+high-h, step-2, h)
		if step > 28 {
			c.text("tick", x+step/2, 10+high-h, fmt.Sprint(n))
			c.text("tick", x+step/2, high+30, fmt.Sprint(k))
		}
	}
	c.line("track", 10, 14+high, 10+wide, 14+high)
	return c
}
