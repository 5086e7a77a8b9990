// Package stats holds the arithmetic of figures: intervals for proportions, the reduction of repeats to one result for an
// item, and summaries of measurements. Everything is a pure function; what is not a number is refused with an error and
// never carried into a result.
package stats

import (
	"fmt"
	"math"
)

// z95 is the 0.975 quantile of the normal distribution, which makes a two-sided 95 % interval.
const z95 = 1.959963984540054

// Interval is a closed range of a proportion, within 0 to 1. Empty marks an interval that stands on nothing: the range is
// then the whole of 0 to 1.
type Interval struct {
	Lo, Hi float64
	Empty  bool
}

// Wilson gives the 95 % score interval (Wilson 1927, without continuity correction) of k out of n. Its ends are exact:
// Lo is 0 for k = 0 and Hi is 1 for k = n. The error is for counts that are no proportion.
func Wilson(k, n int) (Interval, error) {
	if k < 0 || n < 0 || k > n {
		return Interval{}, fmt.Errorf("stats: %d of %d is not a proportion", k, n)
	}
	if n == 0 {
		return Interval{Lo: 0, Hi: 1, Empty: true}, nil
	}
	nf, p := float64(n), float64(k)/float64(n)
	denom := 1 + z95*z95/nf
	centre := (p + z95*z95/(2*nf)) / denom
	half := z95 / denom * math.Sqrt(p*(1-p)/nf+z95*z95/(4*nf*nf))
	iv := Interval{Lo: max(0, centre-half), Hi: min(1, centre+half)}
	if k == 0 {
		iv.Lo = 0
	}
	if k == n {
		iv.Hi = 1
	}
	return iv, nil
}
