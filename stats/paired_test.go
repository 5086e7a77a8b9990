package stats_test

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/assaybench/assay/stats"
)

func float(r *big.Rat) float64 { f, _ := r.Float64(); return f }

func TestMcNemarPublished(t *testing.T) {
	for _, c := range []struct {
		first, second int
		p, mid, tol   float64
		source        string
	}{
		{1, 5, 0.21875, 0.125, 0, "14/64 and 8/64, by hand"},
		{0, 0, 1, 1, 0, "nothing differs"},
		{3, 3, 1, 1 - 20.0/128, 0, "evenly split: 1 less half of 20/64"},
		{0, 5, 0.0625, 0.03125, 0, "2/32"},
		{0, 6, 0.03125, 0.015625, 0, "2/64: the least that is told apart at 5 %"},
		{1, 7, 0.0703125, 0.0390625, 0, "Fagerland, Lydersen and Laake 2013, table 1 (airway hyper-responsiveness): 0.070 and 0.039"},
		{6, 16, 0.05248, 0.03469, 5e-6, "R: binom.test(6, 22)"},
		{59, 121, 4.434e-6, 3.4e-6, 5e-7, "R: binom.test(59, 180)"},
	} {
		got, err := stats.McNemar(c.first, c.second)
		if err != nil || math.Abs(float(got.P)-c.p) > c.tol {
			t.Errorf("McNemar(%d, %d) = %v, %v; want %v (%s)", c.first, c.second, float(got.P), err, c.p, c.source)
			continue
		}
		if math.Abs(float(got.MidP)-c.mid) > c.tol {
			t.Errorf("McNemar(%d, %d): mid-p %v, want %v (%s)", c.first, c.second, float(got.MidP), c.mid, c.source)
		}
	}
	for _, bad := range [][2]int{{-1, 0}, {0, -1}, {1_000_001, 0}, {600_000, 600_000}, {math.MaxInt, math.MaxInt}} {
		if got, err := stats.McNemar(bad[0], bad[1]); err == nil {
			t.Errorf("McNemar(%v) = %v without an error", bad, got)
		}
	}
}

// The definition, with nothing of the closed form: of all ways in which the items that differ could have fallen, the share of
// those that are no likelier than what was seen. At one half "no likelier" and "at least as uneven" are the same.
func TestMcNemarCountsOutcomes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.IntRange(0, 7).Draw(t, "a"), rapid.IntRange(0, 7).Draw(t, "b")
		uneven := func(x, y int) int { return max(x-y, y-x) }
		as, equal := 0, 0
		for way := range 1 << (a + b) {
			ones := 0
			for i := range a + b {
				ones += way >> i & 1
			}
			switch u := uneven(ones, a+b-ones); {
			case u == uneven(a, b):
				equal++
				as++
			case u > uneven(a, b):
				as++
			}
		}
		if a+b == 0 {
			return // a convention
		}
		got, err := stats.McNemar(a, b)
		if err != nil {
			t.Fatal(err)
		}
		if want := big.NewRat(int64(as), 1<<(a+b)); got.P.Cmp(want) != 0 {
			t.Fatalf("McNemar(%d, %d) = %v, counting gives %v", a, b, got.P, want)
		}
		if want := big.NewRat(int64(2*as-equal), 2<<(a+b)); got.MidP.Cmp(want) != 0 {
			t.Fatalf("McNemar(%d, %d): mid-p %v, counting gives %v", a, b, got.MidP, want)
		}
		other, err := stats.McNemar(b, a)
		if err != nil || other.P.Cmp(got.P) != 0 || other.MidP.Cmp(got.MidP) != 0 {
			t.Fatalf("McNemar(%d, %d) is not McNemar(%d, %d)", a, b, b, a)
		}
	})
}

// Whatever the number of items that differ, the exact test raises a false alarm no oftener than its level says: exactly,
// by enumeration. That holds for a fixed number, and so for any mixture of numbers. Mid-p exceeds its level by a little: never
// by more than the likeliest single split that it rejects. At 5 % that comes to 7.7 % at the most, with 16 items that differ.
func TestMcNemarIsValid(t *testing.T) {
	levels := []*big.Rat{big.NewRat(1, 1000), big.NewRat(1, 100), big.NewRat(1, 40), big.NewRat(1, 20), big.NewRat(1, 10), big.NewRat(1, 5), big.NewRat(1, 2)}
	worst := 0.0
	for n := 1; n <= 120; n++ {
		ps := make([]stats.Paired, n+1)
		chance := make([]*big.Rat, n+1)
		for k := range ps {
			var err error
			if ps[k], err = stats.McNemar(k, n-k); err != nil {
				t.Fatal(err)
			}
			chance[k] = new(big.Rat).SetFrac(new(big.Int).Binomial(int64(n), int64(k)), new(big.Int).Lsh(big.NewInt(1), uint(n)))
		}
		for _, level := range levels {
			exact, mid, most := new(big.Rat), new(big.Rat), new(big.Rat)
			for k := range ps {
				if ps[k].P.Cmp(level) <= 0 {
					exact.Add(exact, chance[k])
				}
				if ps[k].MidP.Cmp(level) <= 0 {
					mid.Add(mid, chance[k])
					if chance[k].Cmp(most) > 0 {
						most = chance[k]
					}
				}
			}
			if exact.Cmp(level) > 0 {
				t.Errorf("%d items: the exact test at %v is wrong with the chance %v", n, float(level), float(exact))
			}
			if mid.Cmp(exact) < 0 {
				t.Errorf("%d items: mid-p at %v rejects less than the exact test", n, float(level))
			}
			// The rejected splits beside the last one have the chance mid - 2·most, and mid-p counts half of the last one.
			bound := new(big.Rat).Add(level, most)
			if mid.Cmp(bound) > 0 {
				t.Errorf("%d items: mid-p at %v is wrong with the chance %v, above its bound %v", n, float(level), float(mid), float(bound))
			}
			if level.Cmp(stats.Level()) == 0 {
				worst = max(worst, float(mid))
			}
		}
	}
	if math.Abs(worst-0.076812744140625) > 1e-12 {
		t.Errorf("mid-p at 5 %% is wrong with the chance %v at the most", worst)
	}
}

func TestHolm(t *testing.T) {
	rat := func(xs ...int64) (out []*big.Rat) {
		for _, x := range xs {
			out = append(out, big.NewRat(x, 1000))
		}
		return out
	}
	for _, c := range []struct {
		name     string
		in, want []*big.Rat
	}{
		{"R: p.adjust(c(.01, .04, .03, .005), 'holm')", rat(10, 40, 30, 5), rat(30, 60, 60, 20)},
		{"one", rat(40), rat(40)},
		{"none", nil, nil},
		{"at most 1", rat(600, 700, 900), rat(1000, 1000, 1000)},
		{"equal ones", rat(20, 20, 20), rat(60, 60, 60)},
	} {
		got := stats.Holm(c.in)
		if !slices.EqualFunc(got, c.want, func(a, b *big.Rat) bool { return a.Cmp(b) == 0 }) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// Holm's procedure as it is first told: step down from the least, and stop at the first that is above level/(tests left).
func TestHolmStepsDown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.SliceOfN(rapid.Int64Range(0, 60), 1, 8).Draw(t, "thousandths")
		var ps []*big.Rat
		for _, x := range in {
			ps = append(ps, big.NewRat(x, 1000))
		}
		adjusted := stats.Holm(ps)
		told := 0
		left := slices.Clone(in)
		slices.Sort(left)
		for i, x := range left {
			if x*int64(len(left)-i)*20 > 1000 {
				break
			}
			told++
		}
		got := 0
		for i, a := range adjusted {
			if a.Cmp(ps[i]) < 0 {
				t.Fatalf("adjusting lowered %v to %v", ps[i], a)
			}
			if a.Cmp(stats.Level()) <= 0 {
				got++
			}
		}
		if got != told {
			t.Fatalf("%v: %d are told apart, stepping down gives %d", in, got, told)
		}
	})
}
