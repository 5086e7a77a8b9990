package stats

import (
	"fmt"
	"iter"
)

// Mark is what one repeat, or an item after all its repeats, came to. The zero value is Open, so that a result which
// never came cannot count as one.
type Mark uint8

const (
	Open   Mark = iota // no result: missing, not graded, or a fault that is not the model's
	Failed             // judged, not passed
	Passed             // judged, passed
)

// All reduces the repeats of an item by the conjunctive rule: it passes only if every repeat passes. One open repeat leaves
// the item open, even beside a failed one: closing only those that happen to fail early would bias the closed items
// against the model. No repeats at all are open.
func All(repeats ...Mark) Mark {
	out := Passed
	for _, m := range repeats {
		switch m {
		case Passed:
		case Failed:
			out = Failed
		default:
			return Open
		}
	}
	if len(repeats) == 0 {
		return Open
	}
	return out
}

// Disagree reports whether some repeats passed and some failed; open ones say nothing.
func Disagree(repeats ...Mark) bool {
	var passed, failed bool
	for _, m := range repeats {
		passed = passed || m == Passed
		failed = failed || m == Failed
	}
	return passed && failed
}

// PassAll estimates pass^k, the chance that k independent repeats of an item all pass, from c passes in n repeats. It is
// the unbiased estimator C(c,k)/C(n,k): the share of the k-subsets of the repeats in which all pass. It needs
// 1 <= k <= n and 0 <= c <= n.
func PassAll(n, c, k int) (float64, error) {
	if k < 1 || k > n || c < 0 || c > n {
		return 0, fmt.Errorf("stats: pass^%d cannot be estimated from %d passes in %d repeats", k, c, n)
	}
	p := 1.0
	for i := range k {
		if c <= i {
			return 0, nil
		}
		p *= float64(c-i) / float64(n-i)
	}
	return p, nil
}

// PassAny estimates pass@k, the chance that at least one of k independent repeats of an item passes, from c passes in n
// repeats. It is the unbiased estimator 1-C(n-c,k)/C(n,k): the share of the k-subsets of the repeats in which one passes. It
// needs what PassAll needs.
func PassAny(n, c, k int) (float64, error) {
	none, err := PassAll(n, n-c, k)
	if err != nil {
		return 0, fmt.Errorf("stats: pass@%d cannot be estimated from %d passes in %d repeats", k, c, n)
	}
	return 1 - none, nil
}

// IdenticalRate counts the groups of repeated outputs that are all alike (same) among those with two members or more (of).
// A group with fewer has nothing to agree with and is not counted. The caller leaves out groups that lack an output.
func IdenticalRate[T comparable](groups iter.Seq[[]T]) (same, of int) {
	for g := range groups {
		if len(g) < 2 {
			continue
		}
		of++
		alike := true
		for _, x := range g[1:] {
			alike = alike && x == g[0]
		}
		if alike {
			same++
		}
	}
	return same, of
}
