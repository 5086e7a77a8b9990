package stats

import (
	"fmt"
	"math"
	"math/big"
)

// Detectable says how large a difference between two results on the same items must be for the exact paired test to tell
// it apart, in items.
//
// Floor assumes nothing: even where one passes all that the other passes, the two must differ by so many items, or the test
// cannot tell them apart. It is the least m with 2·(1/2)^m not above the level.
//
// Usual is the least difference that is told apart four times in five, where the two pass or fail an item independently of
// each other and their rates lie around one half, which is where the most items differ by chance. Results that are more
// alike (two versions of a model) are told apart sooner, but never below Floor. For up to 500 items it is summed up over all
// ways in which the items can fall; beyond, the normal distribution stands for that sum.
//
// Either is 0 where no difference is enough.
type Detectable struct{ Items, Comparisons, Floor, Usual int }

// usualPower is how often Usual is to be found.
const usualPower = 0.8

const detectSummed = 500 // items; it takes some milliseconds

// Detect reckons for so many items and so many comparisons of two at once, by whose number the level is divided as Holm's
// first step does. Repeats are no argument: they are reduced to one result for each item, and add no items.
func Detect(items, comparisons int) (Detectable, error) {
	if items < 0 || items > 1<<40 || comparisons < 1 || comparisons > 1_000_000 {
		return Detectable{}, fmt.Errorf("stats: nothing can be said of %d items in %d comparisons", items, comparisons)
	}
	d := Detectable{Items: items, Comparisons: comparisons}
	level := new(big.Rat).Quo(Level(), big.NewRat(int64(comparisons), 1))
	floor := 1
	for new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), uint(floor-1))).Cmp(level) > 0 {
		floor++
	}
	if floor > items {
		return d, nil
	}
	d.Floor = floor
	power := func(k int) float64 { return normalPower(items, k, level) }
	if items <= detectSummed {
		critical, factorials := criticals(items, level), logFactorials(items)
		power = func(k int) float64 { return summedPower(items, k, critical, factorials) }
	}
	lo, hi := floor, items // of two that differ on every item power is 1, and it grows with the difference
	for lo < hi {
		if mid := lo + (hi-lo)/2; power(mid) >= usualPower {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	d.Usual = lo
	return d, nil
}

// criticals gives for each number of items that differ the most of them that may go to the worse one for the test to tell
// the two apart; -1 where even none is too many.
func criticals(items int, level *big.Rat) []int {
	out := make([]int, items+1)
	c := -1
	sum, last := new(big.Int), new(big.Int) // C(m,0)+…+C(m,c), and C(m,c)
	for m := range out {
		if m > 0 && c >= 0 {
			sum.Sub(sum.Lsh(sum, 1), last) // by Pascal's rule
			last.Mul(last, big.NewInt(int64(m)))
			last.Quo(last, big.NewInt(int64(m-c)))
		}
		for c < m {
			next := big.NewInt(1)
			if c >= 0 {
				next.Mul(last, big.NewInt(int64(m-c)))
				next.Quo(next, big.NewInt(int64(c+1)))
			}
			more := new(big.Int).Add(sum, next)
			p := new(big.Rat).SetFrac(new(big.Int).Lsh(more, 1), new(big.Int).Lsh(big.NewInt(1), uint(m)))
			if p.Cmp(level) > 0 {
				break
			}
			c++
			sum, last = more, next
		}
		out[m] = c
	}
	return out
}

// shares gives how likely an item is to go to the better one alone, and to the worse one alone.
func shares(items, k int) (better, worse float64) {
	half := float64(k) / float64(items) / 2
	return (0.5 + half) * (0.5 + half), (0.5 - half) * (0.5 - half)
}

// summedPower sums up how likely it is that a difference of k items in truth is told apart, and the right way round.
func summedPower(items, k int, critical []int, factorials []float64) float64 {
	better, worse := shares(items, k)
	if worse == 0 {
		return 1
	}
	differ := better + worse
	total := 0.0
	for m, c := range critical {
		if c < 0 {
			continue
		}
		pm := binomialPart(factorials, items, m, differ)
		if pm < 1e-12 {
			continue
		}
		q, sum := worse/differ, 0.0
		for i := c; i >= 0; i-- {
			p := binomialPart(factorials, m, i, q)
			sum += p
			if p < 1e-12 && float64(i) < q*float64(m) { // and less from here on
				break
			}
		}
		total += pm * sum
	}
	return total
}

// logFactorials gives the logarithms of 0! to n!.
func logFactorials(n int) []float64 {
	out := make([]float64, n+1)
	for i := range out {
		out[i], _ = math.Lgamma(float64(i + 1))
	}
	return out
}

// binomialPart is the chance of k in n at a rate between 0 and 1, neither of them reached.
func binomialPart(factorials []float64, n, k int, p float64) float64 {
	return math.Exp(factorials[n] - factorials[k] - factorials[n-k] + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p))
}

// normalPower is summedPower by the normal distribution.
func normalPower(items, k int, level *big.Rat) float64 {
	better, worse := shares(items, k)
	differ, d, n := better+worse, better-worse, float64(items)
	l, _ := level.Float64()
	z := math.Sqrt2 * math.Erfinv(1-l)
	spread := math.Sqrt(differ - d*d)
	if spread == 0 {
		return 1
	}
	x := (d*math.Sqrt(n) - z*math.Sqrt(differ)) / spread
	return 0.5 * math.Erfc(-x/math.Sqrt2)
}
