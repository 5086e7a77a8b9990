package stats_test

import (
	"errors"
	"math"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/assaybench/assay/stats"
)

func TestWilsonPublished(t *testing.T) {
	for _, c := range []struct {
		k, n   int
		lo, hi float64
		tol    float64
		source string
	}{
		{13, 20, 0.4329, 0.8188, 5e-5, "R: prop.test(13, 20, correct = FALSE)"},
		{81, 263, 0.2553, 0.3662, 5e-5, "Newcombe 1998, table I, method 3"},
		{15, 148, 0.0624, 0.1605, 5e-5, "Newcombe 1998, table I, method 3"},
		{0, 20, 0.0000, 0.1611, 5e-5, "Newcombe 1998, table I, method 3"},
		{1, 29, 0.0061, 0.1718, 5e-5, "Newcombe 1998, table I, method 3"},
		{29, 29, 0.8830, 1.0000, 5e-5, "Newcombe 1998, table I, method 3, mirrored from 0/29"},
		{13, 13, 0.7719, 1, 5e-5, "n/(n+z²)"},
		{0, 7, 0, 0.3543, 5e-5, "z²/(n+z²)"},
	} {
		iv, err := stats.Wilson(c.k, c.n)
		if err != nil || iv.Empty || math.Abs(iv.Lo-c.lo) > c.tol || math.Abs(iv.Hi-c.hi) > c.tol {
			t.Errorf("Wilson(%d, %d) = %+v, %v; want %.4f..%.4f (%s)", c.k, c.n, iv, err, c.lo, c.hi, c.source)
		}
	}
}

func TestWilsonEnds(t *testing.T) {
	iv, err := stats.Wilson(0, 0)
	if want := (stats.Interval{Lo: 0, Hi: 1, Empty: true}); err != nil || iv != want {
		t.Errorf("Wilson(0, 0) = %+v, %v; want %+v", iv, err, want)
	}
	for _, bad := range [][2]int{{-1, 5}, {6, 5}, {0, -1}, {1, 0}} {
		if iv, err := stats.Wilson(bad[0], bad[1]); err == nil {
			t.Errorf("Wilson(%d, %d) = %+v without an error", bad[0], bad[1], iv)
		}
	}
}

// The interval is by definition the set of rates p with (k/n-p)² <= z² p(1-p)/n: find its ends by bisection of the score
// statistic, which shares nothing with the closed form.
func TestWilsonInvertsTheScoreTest(t *testing.T) {
	const z = 1.959963984540054
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 3000).Draw(t, "n")
		k := rapid.IntRange(0, n).Draw(t, "k")
		iv, err := stats.Wilson(k, n)
		if err != nil {
			t.Fatal(err)
		}
		x := float64(k) / float64(n)
		inside := func(p float64) bool { return (x-p)*(x-p) <= z*z*p*(1-p)/float64(n) }
		bisect := func(in, out float64) float64 {
			for range 200 {
				if mid := (in + out) / 2; inside(mid) {
					in = mid
				} else {
					out = mid
				}
			}
			return in
		}
		lo, hi := 0.0, 1.0
		if k > 0 {
			lo = bisect(x, 0)
		}
		if k < n {
			hi = bisect(x, 1)
		}
		if math.Abs(iv.Lo-lo) > 1e-9 || math.Abs(iv.Hi-hi) > 1e-9 {
			t.Fatalf("Wilson(%d, %d) = %+v; the score test gives %v..%v", k, n, iv, lo, hi)
		}
		if iv.Lo > x || iv.Hi < x || (k == 0) != (iv.Lo == 0) || (k == n) != (iv.Hi == 1) {
			t.Fatalf("Wilson(%d, %d) = %+v: wrong at its ends", k, n, iv)
		}
		mirror, err := stats.Wilson(n-k, n)
		if err != nil || math.Abs(mirror.Lo-(1-iv.Hi)) > 1e-12 {
			t.Fatalf("Wilson(%d, %d) does not mirror Wilson(%d, %d)", n-k, n, k, n)
		}
	})
}

func TestAll(t *testing.T) {
	const o, f, p = stats.Open, stats.Failed, stats.Passed
	for _, c := range []struct {
		in       []stats.Mark
		want     stats.Mark
		disagree bool
	}{
		{nil, o, false},
		{[]stats.Mark{p}, p, false},
		{[]stats.Mark{p, p, p}, p, false},
		{[]stats.Mark{p, f}, f, true},
		{[]stats.Mark{f, f}, f, false},
		{[]stats.Mark{p, o}, o, false},
		{[]stats.Mark{f, o}, o, false},
		{[]stats.Mark{f, p, o}, o, true},
		{[]stats.Mark{o}, o, false},
		{[]stats.Mark{p, 7}, o, false}, // a mark that nobody defined is no result
	} {
		if got := stats.All(c.in...); got != c.want {
			t.Errorf("All(%v) = %v, want %v", c.in, got, c.want)
		}
		if got := stats.Disagree(c.in...); got != c.disagree {
			t.Errorf("Disagree(%v) = %v, want %v", c.in, got, c.disagree)
		}
	}
}

func TestPassAll(t *testing.T) {
	for _, c := range []struct {
		n, c, k int
		want    float64
	}{
		{2, 2, 2, 1}, {2, 1, 2, 0}, {2, 1, 1, 0.5}, {2, 0, 1, 0},
		{8, 6, 1, 0.75}, {8, 6, 2, 15.0 / 28}, {8, 6, 4, 15.0 / 70}, {8, 6, 7, 0}, // C(6,k)/C(8,k)
	} {
		got, err := stats.PassAll(c.n, c.c, c.k)
		if err != nil || math.Abs(got-c.want) > 1e-12 {
			t.Errorf("PassAll(%d, %d, %d) = %v, %v; want %v", c.n, c.c, c.k, got, err, c.want)
		}
	}
	for _, bad := range [][3]int{{0, 0, 1}, {2, 1, 0}, {2, 1, 3}, {2, 3, 1}, {2, -1, 1}} {
		if got, err := stats.PassAll(bad[0], bad[1], bad[2]); err == nil {
			t.Errorf("PassAll(%v) = %v without an error", bad, got)
		}
	}
}

// The estimator is the share of k-subsets of the repeats that pass throughout: count them all.
func TestPassAllCountsSubsets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		repeats := rapid.SliceOfN(rapid.Bool(), 1, 10).Draw(t, "repeats")
		k := rapid.IntRange(1, len(repeats)).Draw(t, "k")
		var subsets, passing, passes int
		for set := range 1 << len(repeats) {
			size, all := 0, true
			for i, ok := range repeats {
				if set>>i&1 == 1 {
					size++
					all = all && ok
				}
			}
			if size == k {
				subsets++
				if all {
					passing++
				}
			}
		}
		for _, ok := range repeats {
			if ok {
				passes++
			}
		}
		got, err := stats.PassAll(len(repeats), passes, k)
		if want := float64(passing) / float64(subsets); err != nil || math.Abs(got-want) > 1e-12 {
			t.Fatalf("PassAll(%d, %d, %d) = %v, %v; counting gives %v", len(repeats), passes, k, got, err, want)
		}
	})
}

func TestIdenticalRate(t *testing.T) {
	same, of := stats.IdenticalRate(slices.Values([][]string{{"a", "a"}, {"a", "b"}, {"a", "a", "b"}, {"", "", ""}, {"alone"}, {}}))
	if same != 2 || of != 4 {
		t.Errorf("IdenticalRate = %d of %d, want 2 of 4", same, of)
	}
}

func TestSummaries(t *testing.T) {
	for _, c := range []struct {
		xs             []float64
		mean, med, p95 float64
	}{
		{xs: []float64{3}, mean: 3, med: 3, p95: 3},
		{xs: []float64{1, 2, 3, 4}, mean: 2.5, med: 2.5, p95: 3.85},                                  // numpy.quantile([1,2,3,4], .95)
		{xs: []float64{5, 1, 3}, mean: 3, med: 3, p95: 4.8},                                          // numpy.quantile([1,3,5], .95)
		{xs: []float64{1e308, 1.5e308, 1e308, 1.5e308}, mean: 1.25e308, med: 1.25e308, p95: 1.5e308}, // sums beyond float64
		{xs: []float64{1e16, 1, -1e16, 1}, mean: 0.5, med: 1, p95: 0.85*1e16 + 0.15},                 // naive summing gives 0 or 0.25
	} {
		mean, err1 := stats.Mean(c.xs)
		med, err2 := stats.Median(c.xs)
		p95, err3 := stats.Quantile(c.xs, 0.95)
		if err := errors.Join(err1, err2, err3); err != nil {
			t.Errorf("%v: %v", c.xs, err)
		}
		if mean != c.mean || med != c.med || math.Abs(p95-c.p95) > 1e-12*math.Abs(c.p95) {
			t.Errorf("%v: mean %v, median %v, p95 %v; want %v, %v, %v", c.xs, mean, med, p95, c.mean, c.med, c.p95)
		}
	}
}

func TestSummariesRefuse(t *testing.T) {
	for _, xs := range [][]float64{nil, {}, {1, math.NaN()}, {math.Inf(1)}, {math.Inf(-1), math.Inf(1)}} {
		for name, f := range map[string]func([]float64) (float64, error){"Mean": stats.Mean, "Median": stats.Median} {
			v, err := f(xs)
			if err == nil {
				t.Errorf("%s(%v) = %v without an error", name, xs, v)
			}
			if (len(xs) == 0) != errors.Is(err, stats.ErrEmpty) {
				t.Errorf("%s(%v): %v", name, xs, err)
			}
		}
	}
	for _, q := range []float64{-0.1, 1.1, math.NaN()} {
		if v, err := stats.Quantile([]float64{1}, q); err == nil {
			t.Errorf("Quantile(_, %v) = %v without an error", q, v)
		}
	}
}

func TestSummaryProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ints := rapid.SliceOfN(rapid.Int64Range(-1_000_000, 1_000_000), 1, 60).Draw(t, "xs")
		var sum int64
		xs := make([]float64, len(ints))
		for i, v := range ints {
			xs[i], sum = float64(v), sum+v
		}
		given := slices.Clone(xs)
		mean, err := stats.Mean(xs)
		if want := float64(sum) / float64(len(xs)); err != nil || mean != want {
			t.Fatalf("Mean = %v, %v; want %v", mean, err, want)
		}
		// The median has as many values on either side.
		med, err := stats.Median(xs)
		if err != nil {
			t.Fatal(err)
		}
		var below, above int
		for _, x := range xs {
			if x < med {
				below++
			}
			if x > med {
				above++
			}
		}
		if below > len(xs)/2 || above > len(xs)/2 {
			t.Fatalf("Median %v has %d below and %d above of %d", med, below, above, len(xs))
		}
		// Quantiles grow with q, from the least to the greatest value.
		a, b := rapid.Float64Range(0, 1).Draw(t, "a"), rapid.Float64Range(0, 1).Draw(t, "b")
		qa, err1 := stats.Quantile(xs, min(a, b))
		qb, err2 := stats.Quantile(xs, max(a, b))
		q0, err3 := stats.Quantile(xs, 0)
		q1, err4 := stats.Quantile(xs, 1)
		if err := errors.Join(err1, err2, err3, err4); err != nil {
			t.Fatal(err)
		}
		if qa > qb+1e-6 || q0 != slices.Min(xs) || q1 != slices.Max(xs) {
			t.Fatalf("quantiles out of order: %v, %v within %v..%v", qa, qb, q0, q1)
		}
		if !slices.Equal(xs, given) {
			t.Fatal("a summary changed its input")
		}
		for i := range xs {
			j := rapid.IntRange(0, i).Draw(t, "swap")
			xs[i], xs[j] = xs[j], xs[i]
		}
		if again, err := stats.Mean(xs); err != nil || again != mean {
			t.Fatalf("Mean depends on the order: %v, then %v", mean, again)
		}
	})
}

// The interval covers a rate p for those counts k that the score test does not refuse. For n of 5, 20 and 100 and rates from
// 0.01 to 0.99 these counts are found by whole numbers alone, and the chance of drawing one of them, which is the coverage, is
// the same fraction for both. Its least and its mean are those of the exact enumeration.
func TestWilsonCoverage(t *testing.T) {
	z, _ := new(big.Rat).SetString("1.959963984540054")
	z2 := new(big.Rat).Mul(z, z)
	for _, c := range []struct {
		n           int
		least, mean float64 // over the grid
	}{{5, 0.8587, 0.9553}, {20, 0.9245, 0.9538}, {100, 0.9206, 0.9492}} {
		least, sum := 1.0, 0.0
		for hundredths := int64(1); hundredths < 100; hundredths++ {
			p := big.NewRat(hundredths, 100)
			q := new(big.Rat).Sub(big.NewRat(1, 1), p)
			limit := new(big.Rat).Mul(z2, new(big.Rat).Mul(p, q))
			limit.Quo(limit, big.NewRat(int64(c.n), 1))
			got, want := new(big.Rat), new(big.Rat)
			rate, _ := p.Float64()
			for k := range c.n + 1 {
				chance := new(big.Rat).SetInt(new(big.Int).Binomial(int64(c.n), int64(k)))
				for i := range c.n {
					if i < k {
						chance.Mul(chance, p)
					} else {
						chance.Mul(chance, q)
					}
				}
				iv, err := stats.Wilson(k, c.n)
				if err != nil {
					t.Fatal(err)
				}
				if iv.Lo <= rate && rate <= iv.Hi {
					got.Add(got, chance)
				}
				off := new(big.Rat).Sub(big.NewRat(int64(k), int64(c.n)), p)
				if off.Mul(off, off).Cmp(limit) <= 0 {
					want.Add(want, chance)
				}
			}
			if got.Cmp(want) != 0 {
				t.Errorf("n=%d, p=%v: covered with the chance %v, exactly %v", c.n, rate, float(got), float(want))
			}
			least, sum = min(least, float(got)), sum+float(got)
		}
		if math.Abs(least-c.least) > 5e-5 || math.Abs(sum/99-c.mean) > 5e-5 {
			t.Errorf("n=%d: least coverage %.4f, mean %.4f; want %.4f, %.4f", c.n, least, sum/99, c.least, c.mean)
		}
	}
}

func TestPassAny(t *testing.T) {
	for _, c := range []struct {
		n, c, k int
		want    float64
	}{
		{2, 2, 2, 1}, {2, 1, 2, 1}, {2, 1, 1, 0.5}, {2, 0, 2, 0},
		{10, 3, 5, 1 - 21.0/252}, {200, 1, 100, 0.5}, // 1-C(7,5)/C(10,5); one pass lies in half of the halves
	} {
		got, err := stats.PassAny(c.n, c.c, c.k)
		if err != nil || math.Abs(got-c.want) > 1e-12 {
			t.Errorf("PassAny(%d, %d, %d) = %v, %v; want %v", c.n, c.c, c.k, got, err, c.want)
		}
	}
	for _, bad := range [][3]int{{0, 0, 1}, {2, 1, 0}, {2, 1, 3}, {2, 3, 1}, {2, -1, 1}} {
		if got, err := stats.PassAny(bad[0], bad[1], bad[2]); err == nil {
			t.Errorf("PassAny(%v) = %v without an error", bad, got)
		}
	}
	// Unbiased: for any rate the mean of the estimates over all that n repeats can bring is the chance itself.
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "n")
		k := rapid.IntRange(1, n).Draw(t, "k")
		p := rapid.Float64Range(0, 1).Draw(t, "p")
		var any, all float64
		for c := range n + 1 {
			chance := math.Pow(p, float64(c)) * math.Pow(1-p, float64(n-c))
			b, _ := new(big.Rat).SetInt(new(big.Int).Binomial(int64(n), int64(c))).Float64()
			x, err1 := stats.PassAny(n, c, k)
			y, err2 := stats.PassAll(n, c, k)
			if err1 != nil || err2 != nil {
				t.Fatal(err1, err2)
			}
			any, all = any+b*chance*x, all+b*chance*y
		}
		if math.Abs(any-(1-math.Pow(1-p, float64(k)))) > 1e-9 || math.Abs(all-math.Pow(p, float64(k))) > 1e-9 {
			t.Fatalf("n=%d k=%d p=%v: pass@k %v, pass^k %v", n, k, p, any, all)
		}
	})
}
