package contention

import (
	"math/bits"
	"slices"
)

// sketch keeps enough of any number of values, none below zero, to give their quantiles (see the package comment for the
// definition and the error). It holds the values themselves up to exactMax, then counts in buckets: the values of each
// power of two are split into 256 buckets of equal width, and a power's row is made when the first value falls into it.
// So it never holds more than 56 rows of 2 KiB, and the same values in any order give the same sketch.
type sketch struct {
	n, least, most int64
	exact          []int64   // sorted; nil once there are rows
	rows           [][]int64 // rows[0] counts 0 to 255; rows[r] the values of 2^(r+7) to 2^(r+8)-1
}

const (
	exactMax = 512
	rowBits  = 8
	rowSize  = 1 << rowBits
)

func (s *sketch) add(v int64) {
	v = max(v, 0)
	if s.n == 0 {
		s.least, s.most = v, v
	}
	s.least, s.most = min(s.least, v), max(s.most, v)
	s.n++
	if s.rows == nil && len(s.exact) < exactMax {
		at, _ := slices.BinarySearch(s.exact, v)
		s.exact = slices.Insert(s.exact, at, v)
		return
	}
	for _, x := range s.exact {
		s.count(x)
	}
	s.exact = nil
	s.count(v)
}

func (s *sketch) count(v int64) {
	row, at := bucket(v)
	for len(s.rows) <= row {
		s.rows = append(s.rows, nil)
	}
	if s.rows[row] == nil {
		s.rows[row] = make([]int64, rowSize)
	}
	s.rows[row][at]++
}

// bucket gives the place of a value.
func bucket(v int64) (row, at int) {
	if v < rowSize {
		return 0, int(v)
	}
	shift := bits.Len64(uint64(v)) - 1 - rowBits
	return shift + 1, int(v>>shift) - rowSize
}

// top is the greatest value of a bucket.
func top(row, at int) int64 {
	if row == 0 {
		return int64(at)
	}
	return int64(uint64(rowSize+at+1)<<(row-1) - 1)
}

// quantile gives the value of rank ceil(n*num/den); 0 without values.
func (s *sketch) quantile(num, den int64) int64 {
	if s.n == 0 {
		return 0
	}
	rank := min(max((s.n*num+den-1)/den, 1), s.n)
	if s.rows == nil {
		return s.exact[rank-1]
	}
	seen := int64(0)
	for row, counts := range s.rows {
		for at, c := range counts {
			if seen += c; seen >= rank {
				return min(top(row, at), s.most)
			}
		}
	}
	return s.most
}

func (s *sketch) median() int64 { return s.quantile(1, 2) }

// spread sums the values up; nil without values.
func (s *sketch) spread() *Spread {
	if s.n == 0 {
		return nil
	}
	return &Spread{N: s.n, Min: s.least, Median: s.median(), Max: s.most}
}
