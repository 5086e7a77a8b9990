package stats

import (
	"fmt"
	"math/big"
	"math/bits"
	"slices"
)

// Resamples is how often a bootstrap draws. With 9,999 draws the ends of a 95 % interval are order statistics (the 250th
// from below and the 250th from above) and nothing is interpolated.
const Resamples = 9999

const outside = 250 // (Resamples+1) × 2.5 %

// Cluster is a group of paired items that are drawn together, since they are alike: a family. Difference is the items that
// only the second one passed less those that only the first one passed.
type Cluster struct{ Difference, Items int }

// Bootstrap gives the 95 % percentile interval of the difference for each item, second less first, over all clusters. Each
// of its Resamples draws as many clusters as there are, with replacement, and takes the sum of their differences over the
// sum of their items. Ends are fractions that are compared as such: the same clusters in the same order and the same seed
// give the same ends on any machine. It needs two clusters, each with an item; fewer than two have no spread to draw from.
func Bootstrap(clusters []Cluster, seed uint64) (lo, hi *big.Rat, err error) {
	if len(clusters) < 2 {
		return nil, nil, fmt.Errorf("stats: a bootstrap needs at least two clusters, and there are %d", len(clusters))
	}
	for i, c := range clusters {
		if c.Items < 1 || c.Items > pairsMax || c.Difference > c.Items || c.Difference < -c.Items {
			return nil, nil, fmt.Errorf("stats: cluster %d has a difference of %d in %d items", i+1, c.Difference, c.Items)
		}
	}
	if len(clusters) > pairsMax { // sums stay far below what an int64 holds, and so do their products
		return nil, nil, fmt.Errorf("stats: %d clusters; at most %d", len(clusters), pairsMax)
	}
	g := generator(seed)
	draws := make([][2]int64, Resamples)
	for i := range draws {
		var d, n int64
		for range clusters {
			c := clusters[g.below(uint64(len(clusters)))]
			d, n = d+int64(c.Difference), n+int64(c.Items)
		}
		draws[i] = [2]int64{d, n}
	}
	slices.SortFunc(draws, func(a, b [2]int64) int { return compareFractions(a[0], a[1], b[0], b[1]) })
	a, b := draws[outside-1], draws[Resamples-outside]
	return big.NewRat(a[0], a[1]), big.NewRat(b[0], b[1]), nil
}

// compareFractions compares a/b with c/d, where b and d are above 0, without rounding.
func compareFractions(a, b, c, d int64) int {
	switch {
	case a < 0 && c >= 0:
		return -1
	case a >= 0 && c < 0:
		return 1
	case a < 0:
		return compareFractions(-c, d, -a, b)
	}
	h1, l1 := bits.Mul64(uint64(a), uint64(d))
	h2, l2 := bits.Mul64(uint64(c), uint64(b))
	switch {
	case h1 < h2 || h1 == h2 && l1 < l2:
		return -1
	case h1 == h2 && l1 == l2:
		return 0
	}
	return 1
}

// generator is SplitMix64 (Steele, Lea and Flood 2014): the state grows by the odd constant 0x9e3779b97f4a7c15, and each
// value is the state mixed by two multiplications and three shifts.
type generator uint64

func (g *generator) next() uint64 {
	*g += 0x9e3779b97f4a7c15
	z := uint64(*g)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below gives each number from 0 to n-1 the same chance: the high word of the product of n and a value (Lemire 2019). Values
// whose low word lies below 2^64 mod n would favour some numbers, and are drawn again.
func (g *generator) below(n uint64) int {
	for {
		hi, lo := bits.Mul64(g.next(), n)
		if lo >= -n%n {
			return int(hi)
		}
	}
}
