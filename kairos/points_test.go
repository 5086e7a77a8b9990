package kairos

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestPointLists(t *testing.T) {
	long := make([]int64, 100)
	for i := range long {
		long[i] = int64(i)
	}
	tests := []struct {
		name              string
		a, b              []int64
		union, both, less []int64
	}{
		{"empty", nil, nil, nil, nil, nil},
		{"right empty", []int64{1, 2}, nil, []int64{1, 2}, nil, []int64{1, 2}},
		{"left empty", nil, []int64{1, 2}, []int64{1, 2}, nil, nil},
		{"mixed", []int64{1, 3, 5, 7}, []int64{2, 3, 6, 7, 9}, []int64{1, 2, 3, 5, 6, 7, 9}, []int64{3, 7}, []int64{1, 5}},
		{"after each other", []int64{1, 2}, []int64{5, 6}, []int64{1, 2, 5, 6}, nil, []int64{1, 2}},
		{"before each other", []int64{5, 6}, []int64{1, 2}, []int64{1, 2, 5, 6}, nil, []int64{5, 6}},
		{"repeated on one side", []int64{4, 4, 4}, []int64{4}, []int64{4, 4, 4}, []int64{4}, nil},
		{"repeated on both", []int64{4, 4}, []int64{3, 4, 4, 4}, []int64{3, 4, 4, 4}, []int64{4, 4}, nil},
		{"few of many", long, []int64{-1, 5, 99, 200}, slices.Concat([]int64{-1}, long, []int64{200}), []int64{5, 99},
			slices.Concat(long[:5], long[6:99])},
		{"many of few", []int64{-1, 5}, long, slices.Concat([]int64{-1}, long), []int64{5}, []int64{-1}},
	}
	for _, tt := range tests {
		a, b := slices.Clone(tt.a), slices.Clone(tt.b)
		if got := unionPoints(tt.a, tt.b); !slices.Equal(got, tt.union) {
			t.Errorf("%s: union %v, want %v", tt.name, got, tt.union)
		}
		if got := intersectPoints(tt.a, tt.b); !slices.Equal(got, tt.both) {
			t.Errorf("%s: intersection %v, want %v", tt.name, got, tt.both)
		}
		if got := subtractPoints(tt.a, tt.b); !slices.Equal(got, tt.less) {
			t.Errorf("%s: difference %v, want %v", tt.name, got, tt.less)
		}
		if !slices.Equal(a, tt.a) || !slices.Equal(b, tt.b) {
			t.Errorf("%s: the operands changed", tt.name)
		}
	}
}

// somePoints makes up to n points below span in order; repeated points only if wanted.
func somePoints(r *rand.Rand, n int, span int64, repeats bool) []int64 {
	pts := make([]int64, r.IntN(n+1))
	for i := range pts {
		pts[i] = r.Int64N(span)
	}
	slices.Sort(pts)
	if !repeats {
		pts = slices.Compact(pts)
	}
	return pts
}

func TestPointLaws(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	eq := func(law string, a, b, x, y []int64) {
		if !slices.Equal(x, y) {
			t.Fatalf("%s fails for %v and %v: %v, %v", law, a, b, x, y)
		}
	}
	for i := range 4000 {
		n, m := 12, 12
		if i%3 == 0 {
			n, m = 200, 4
		} else if i%3 == 1 {
			n, m = 4, 200
		}
		a, b, c := somePoints(r, n, 250, false), somePoints(r, m, 250, false), somePoints(r, 20, 250, false)
		u, x, d, e := unionPoints(a, b), intersectPoints(a, b), subtractPoints(a, b), subtractPoints(b, a)
		eq("a|b = b|a", a, b, u, unionPoints(b, a))
		eq("a&b = b&a", a, b, x, intersectPoints(b, a))
		eq("(a\\b)|(a&b) = a", a, b, unionPoints(d, x), a)
		eq("a|b = (a\\b)|(b\\a)|(a&b)", a, b, unionPoints(unionPoints(d, e), x), u)
		eq("(a\\b)&b = nothing", a, b, intersectPoints(d, b), nil)
		eq("a&(a|b) = a", a, b, intersectPoints(a, u), a)
		eq("a retained on b = a&b", a, b, retainPoints(a, b), x)
		eq("a\\(b|c) = (a\\b)&(a\\c)", a, b, subtractPoints(a, unionPoints(b, c)), intersectPoints(d, subtractPoints(a, c)))
		if !slices.IsSorted(u) || len(u) != len(a)+len(b)-len(x) {
			t.Fatalf("union of %v and %v is %v", a, b, u)
		}
	}
}

func TestRepeatedPoints(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for i := range 3000 {
		n, m := 12, 12
		if i%2 == 0 {
			n, m = 300, 5
		}
		a, b := somePoints(r, n, 20, true), somePoints(r, m, 20, true)
		count := func(l []int64, p int64) int { return upperBound(l, p) - lowerBound(l, p) }
		u, x, d, k := unionPoints(a, b), intersectPoints(a, b), subtractPoints(a, b), retainPoints(a, b)
		for p := range int64(20) {
			ca, cb := count(a, p), count(b, p)
			left, kept := ca, 0
			if cb > 0 {
				left, kept = 0, ca
			}
			if count(u, p) != max(ca, cb) || count(x, p) != min(ca, cb) || count(d, p) != left || count(k, p) != kept {
				t.Fatalf("%d in %v and %v: union %v, intersection %v, difference %v, retained %v", p, a, b, u, x, d, k)
			}
		}
	}
}

func TestSeek(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 5000 {
		pts := somePoints(r, 50, 60, true)
		i, p := r.IntN(len(pts)+1), r.Int64N(64)-2
		if got, want := seek(pts, i, p), max(i, lowerBound(pts, p)); got != want {
			t.Fatalf("seek(%v, %d, %d) = %d, want %d", pts, i, p, got, want)
		}
		near := r.IntN(52)
		if got, want := lastAt(pts, p, &near), upperBound(pts, p)-1; got != want || near != max(want, 0) {
			t.Fatalf("lastAt(%v, %d) = %d with %d left, want %d", pts, p, got, near, want)
		}
	}
	if got := upperBound([]int64{1, 2}, plusInf); got != 2 {
		t.Errorf("upperBound at the end of time = %d", got)
	}
}

func TestSortDedupe(t *testing.T) {
	in := []int64{3, 1, 3, 2}
	if got := sortDedupe(in); !slices.Equal(got, []int64{1, 2, 3}) || !slices.Equal(in, []int64{3, 1, 3, 2}) {
		t.Errorf("got %v of %v", got, in)
	}
	sorted := []int64{1, 2, 5}
	if got := sortDedupe(sorted); &got[0] != &sorted[0] || len(got) != 3 {
		t.Errorf("a sorted list gave %v", got)
	}
	if got := sortDedupe([]int64{1, 1}); !slices.Equal(got, []int64{1}) {
		t.Errorf("equal points gave %v", got)
	}
	if got := sortDedupe(nil); got != nil {
		t.Errorf("nothing gave %v", got)
	}
}
