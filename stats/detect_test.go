package stats_test

import (
	"math/big"
	"testing"

	"github.com/assaybench/assay/stats"
)

// The least difference by the words of the definition, in fractions: all ways in which the items can fall between the two,
// each with its chance, and the exact test on each.
func usual(t *testing.T, items, comparisons int) int {
	level := new(big.Rat).Quo(stats.Level(), big.NewRat(int64(comparisons), 1))
	told := map[[2]int]bool{}
	for a := range items + 1 {
		for b := range items + 1 - a {
			p, err := stats.McNemar(a, b)
			if err != nil {
				t.Fatal(err)
			}
			told[[2]int{a, b}] = a > b && p.P.Cmp(level) <= 0
		}
	}
	for k := 1; k <= items; k++ {
		pa, pb := big.NewRat(int64(items+k), int64(2*items)), big.NewRat(int64(items-k), int64(2*items))
		better, worse := new(big.Rat).Mul(pa, pa), new(big.Rat).Mul(pb, pb)
		same := new(big.Rat).Sub(big.NewRat(1, 1), new(big.Rat).Add(better, worse))
		power := new(big.Rat)
		for way, ok := range told {
			if !ok {
				continue
			}
			a, b := int64(way[0]), int64(way[1])
			n := int64(items)
			ways := new(big.Int).Mul(new(big.Int).Binomial(n, a), new(big.Int).Binomial(n-a, b))
			p := new(big.Rat).SetInt(ways)
			for i := range n {
				switch {
				case i < a:
					p.Mul(p, better)
				case i < a+b:
					p.Mul(p, worse)
				default:
					p.Mul(p, same)
				}
			}
			power.Add(power, p)
		}
		if power.Cmp(big.NewRat(4, 5)) >= 0 {
			return k
		}
	}
	return 0
}

func TestDetectAgainstFractions(t *testing.T) {
	for _, c := range []struct{ items, comparisons, floor int }{{6, 1, 6}, {7, 1, 6}, {10, 1, 6}, {13, 1, 6}, {20, 1, 6}, {20, 3, 7}, {12, 10, 9}} {
		got, err := stats.Detect(c.items, c.comparisons)
		if err != nil || got.Floor != c.floor || got.Usual != usual(t, c.items, c.comparisons) {
			t.Errorf("Detect(%d, %d) = %+v, %v; want the floor %d and usually %d", c.items, c.comparisons, got, err, c.floor, usual(t, c.items, c.comparisons))
		}
	}
}

func TestDetect(t *testing.T) {
	for _, c := range []struct {
		items, comparisons int
		want               stats.Detectable
	}{
		{0, 1, stats.Detectable{Items: 0, Comparisons: 1}},
		{5, 1, stats.Detectable{Items: 5, Comparisons: 1}},
		{6, 2, stats.Detectable{Items: 6, Comparisons: 2}},
	} {
		if got, err := stats.Detect(c.items, c.comparisons); err != nil || got != c.want {
			t.Errorf("Detect(%d, %d) = %+v, %v; want %+v", c.items, c.comparisons, got, err, c.want)
		}
	}
	// Both ways of reckoning meet where one takes over from the other: the normal distribution puts it a few items lower.
	summed, err1 := stats.Detect(500, 1)
	normal, err2 := stats.Detect(501, 1)
	if err1 != nil || err2 != nil || summed.Usual < 40 || summed.Usual > 50 || summed.Usual-normal.Usual > 3 || normal.Usual > summed.Usual {
		t.Errorf("500 items: %+v, %v; 501: %+v, %v", summed, err1, normal, err2)
	}
	big, err := stats.Detect(100_000, 1)
	if err != nil || big.Floor != 6 || big.Usual < 580 || big.Usual > 660 { // (1.96+0.84)·sqrt(0.5·100,000) = 626
		t.Errorf("100,000 items: %+v, %v", big, err)
	}
	last := stats.Detectable{}
	for n := 6; n < 200; n++ {
		d, err := stats.Detect(n, 1)
		if err != nil || d.Usual < d.Floor || d.Usual > n || d.Usual < last.Usual {
			t.Errorf("Detect(%d, 1) = %+v, %v after %+v", n, d, err, last)
		}
		last = d
	}
	for _, bad := range [][2]int{{-1, 1}, {5, 0}, {5, -1}} {
		if d, err := stats.Detect(bad[0], bad[1]); err == nil {
			t.Errorf("Detect(%v) = %+v without an error", bad, d)
		}
	}
}

// Nothing below the floor is ever told apart, however the items fall, and the floor itself can be: by enumeration.
func TestNothingBelowTheFloor(t *testing.T) {
	for _, comparisons := range []int{1, 3, 10} {
		level := new(big.Rat).Quo(stats.Level(), big.NewRat(int64(comparisons), 1))
		d, err := stats.Detect(40, comparisons)
		if err != nil {
			t.Fatal(err)
		}
		reached := false
		for better := range 41 {
			for worse := 0; better+worse <= 40; worse++ {
				p, err := stats.McNemar(better, worse)
				if err != nil {
					t.Fatal(err)
				}
				told := p.P.Cmp(level) <= 0
				if apart := max(better-worse, worse-better); told && apart < d.Floor {
					t.Errorf("%d against %d is told apart in %d comparisons, below the floor of %d", better, worse, comparisons, d.Floor)
				} else if told && apart == d.Floor {
					reached = true
				}
			}
		}
		if !reached {
			t.Errorf("no difference of %d is ever told apart in %d comparisons", d.Floor, comparisons)
		}
	}
}
