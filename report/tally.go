package report

import (
	"cmp"
	"errors"
	"iter"
	"math"
	"slices"

	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/stats"
)

// tally counts items of one basis. Its only way in is count, one item at a time, and a builder picks the tally by the
// item's basis: two tallies cannot be put together.
type tally struct {
	items, judged, passed, unstable int
	passes                          []int // judged items by their number of passing repeats; nil in families
	open                            map[openKey]int
}

type openKey struct {
	kind   class
	reason string
}

func (t *tally) count(marks []stats.Mark) {
	t.items++
	result := stats.All(marks...)
	if result == stats.Open {
		return
	}
	t.judged++
	if result == stats.Passed {
		t.passed++
	}
	if stats.Disagree(marks...) {
		t.unstable++
	}
	if t.passes != nil {
		n := 0
		for _, m := range marks {
			if m == stats.Passed {
				n++
			}
		}
		t.passes[n]++
	}
}

func (t *tally) score(basis record.Basis) (Score, error) {
	iv, err := stats.Wilson(t.passed, t.judged)
	if err != nil {
		return Score{}, err
	}
	return Score{Basis: basis, Passed: t.passed, Items: t.items, Judged: t.judged, Interval: [2]float64{round4(iv.Lo), round4(iv.Hi)}}, nil
}

// passK estimates pass^1 to pass^repeats, and pass@1 to pass@repeats, as means over the judged items; empty where there are none.
func (t *tally) passK(repeats int) (all, some []float64, err error) {
	all, some = []float64{}, []float64{}
	for k := 1; k <= repeats && t.judged > 0; k++ {
		var sumAll, sumAny float64
		for c, items := range t.passes {
			p, err1 := stats.PassAll(repeats, c, k)
			q, err2 := stats.PassAny(repeats, c, k)
			if err := errors.Join(err1, err2); err != nil {
				return nil, nil, err
			}
			sumAll, sumAny = sumAll+p*float64(items), sumAny+q*float64(items)
		}
		all, some = append(all, round4(sumAll/float64(t.judged))), append(some, round4(sumAny/float64(t.judged)))
	}
	return all, some, nil
}

// opens lists the open items by kind and reason, the most frequent first.
func (t *tally) opens() []Open {
	out := []Open{}
	for k, n := range t.open {
		out = append(out, Open{Kind: k.kind.kind(), Reason: k.reason, Items: n})
	}
	slices.SortFunc(out, func(a, b Open) int {
		return cmp.Or(-cmp.Compare(a.Items, b.Items), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Reason, b.Reason))
	})
	return out
}

// whyOpen picks the kind and the reason for which an item is open: the gravest class among its repeats (an attempt without a
// row before an error, an error before a missing grader), and the reason of the first repeat of that class.
func (b *builder) whyOpen(cell int) openKey {
	worst, at := classPassed, cell
	for i := range b.run.Repeats {
		c := b.codes[b.attempts[cell+i]].class
		if c == classAbsent {
			c = classMissing
		}
		if c < worst {
			worst, at = c, cell+i
		}
	}
	var no uint32
	if b.why != nil {
		no = b.why[at]
	}
	return openKey{worst, b.reasons.of(no)}
}

// groups goes through the answers to the items of one basis, leaving out items of which a repeat brought none.
func (b *builder) groups(s int, basis uint8) iter.Seq[[]uint64] {
	return func(yield func([]uint64) bool) {
		if b.answers == nil {
			return
		}
		for i := range b.items.len() {
			if b.items.basis[i] != basis {
				continue
			}
			cell := b.cell(s, i)
			g := b.answers[cell : cell+b.run.Repeats]
			if !slices.Contains(g, 0) && !yield(g) {
				return
			}
		}
	}
}

func round4(x float64) float64 { return math.Round(x*1e4) / 1e4 }
