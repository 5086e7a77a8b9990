package contention

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// naive is the definition: the value of rank ceil(n*num/den).
func naive(values []int64, num, den int) int64 {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	rank := 0
	for rank*den < len(sorted)*num {
		rank++
	}
	return sorted[max(rank, 1)-1]
}

func TestQuantileDefinition(t *testing.T) {
	tests := []struct {
		values      []int64
		median, p95 int64
	}{
		{[]int64{7}, 7, 7},
		{[]int64{1, 2}, 1, 2},
		{[]int64{3, 1, 2}, 2, 3},
		{[]int64{4, 3, 2, 1}, 2, 4},
		{[]int64{5, 5, 1, 9, 7}, 5, 9},
		{[]int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}, 10, 19},
		{[]int64{-5, 0}, 0, 0},
		{[]int64{math.MaxInt64, 1, math.MaxInt64}, math.MaxInt64, math.MaxInt64},
	}
	for _, tt := range tests {
		var s sketch
		for _, v := range tt.values {
			s.add(v)
		}
		if got := s.median(); got != tt.median {
			t.Errorf("median of %v is %d, want %d", tt.values, got, tt.median)
		}
		if got := s.quantile(95, 100); got != tt.p95 {
			t.Errorf("95th percentile of %v is %d, want %d", tt.values, got, tt.p95)
		}
	}
	var none sketch
	if none.median() != 0 || none.spread() != nil {
		t.Error("a sketch of nothing has figures")
	}
}

func TestQuantilesAgainstNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.OneOf(rapid.Int64Range(0, 2000), rapid.Int64Range(0, 60_000_000_000), rapid.Int64Range(0, math.MaxInt64))
		some := rapid.SliceOfN(value, 1, 40).Draw(t, "values")
		times := rapid.SampledFrom([]int{1, 1, 13, 60}).Draw(t, "times")
		var values []int64
		for i := range times {
			for _, v := range some {
				values = append(values, v/int64(i+1))
			}
		}
		var s sketch
		for _, v := range values {
			s.add(v)
		}
		if s.n != int64(len(values)) || s.least != slices.Min(values) || s.most != slices.Max(values) {
			t.Fatalf("n, least, most are %d, %d, %d", s.n, s.least, s.most)
		}
		for _, q := range [][2]int{{1, 2}, {95, 100}, {99, 100}, {1, 1000}, {1, 1}} {
			want, got := naive(values, q[0], q[1]), s.quantile(int64(q[0]), int64(q[1]))
			switch {
			case len(values) <= exactMax && got != want:
				t.Fatalf("quantile %v of %d values is %d, want exactly %d", q, len(values), got, want)
			case got < want:
				t.Fatalf("quantile %v of %d values is %d, below %d", q, len(values), got, want)
			case uint64(got-want)*256 >= uint64(want) && got != want && uint64(got-want) < 1<<55:
				t.Fatalf("quantile %v of %d values is %d, more than 1/256 above %d", q, len(values), got, want)
			}
		}
		rng := rand.New(rand.NewPCG(1, 2))
		rng.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
		var other sketch
		for _, v := range values {
			other.add(v)
		}
		for q := range int64(21) {
			if a, b := s.quantile(q, 20), other.quantile(q, 20); a != b {
				t.Fatalf("quantile %d/20 depends on the order: %d and %d", q, a, b)
			}
		}
	})
}

func TestBucketsCoverEverything(t *testing.T) {
	for _, v := range []int64{0, 1, 255, 256, 257, 511, 512, 513, 1023, 1024, 1 << 20, 1<<20 - 1, 60_000_000_000, math.MaxInt64 - 1, math.MaxInt64} {
		row, at := bucket(v)
		if at < 0 || at >= rowSize || row < 0 || row >= 56 {
			t.Fatalf("%d is in bucket %d of row %d", v, at, row)
		}
		if got := top(row, at); got < v || v >= 256 && uint64(got-v) >= uint64(v)/256+1 {
			t.Errorf("the bucket of %d ends at %d", v, got)
		}
	}
}

func TestSketchMemoryIsBounded(t *testing.T) {
	var s sketch
	for i := range int64(200_000) {
		s.add(i * i * i * 911)
	}
	rows := 0
	for _, r := range s.rows {
		if r != nil {
			rows++
		}
	}
	if s.exact != nil || rows > 56 || len(s.rows) > 56 {
		t.Errorf("%d rows and %d exact values after 200,000 values", rows, len(s.exact))
	}
}
