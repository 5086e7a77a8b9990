package stats

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
)

// ErrEmpty is the error for a summary of no values: there is no number for it.
var ErrEmpty = errors.New("stats: no values to summarise")

// exactBits holds any sum of 2^32 float64 values without rounding: 2098 bits from the least subnormal to the greatest
// finite number, and 32 for carries.
const exactBits = 2130

// Mean gives the arithmetic mean, exact until its last rounding: the order of the values does not matter and large ones do
// not overflow. NaN and infinities are refused, as are no values (ErrEmpty).
func Mean(xs []float64) (float64, error) {
	if err := finite(xs); err != nil {
		return 0, err
	}
	sum := new(big.Float).SetPrec(exactBits)
	for _, x := range xs {
		sum.Add(sum, new(big.Float).SetFloat64(x))
	}
	mean, _ := sum.Quo(sum, new(big.Float).SetInt64(int64(len(xs)))).Float64()
	return mean, nil
}

// Median is the middle value, or the mean of the two in the middle. It refuses what Mean refuses.
func Median(xs []float64) (float64, error) { return Quantile(xs, 0.5) }

// Quantile gives the value below which the share q (0 to 1) of the values lies, by linear interpolation between the two
// order statistics around (n-1)q: Hyndman and Fan's type 7, which NumPy and R use unless told otherwise. It leaves xs as
// it is and refuses what Mean refuses.
func Quantile(xs []float64, q float64) (float64, error) {
	if math.IsNaN(q) || q < 0 || q > 1 {
		return 0, fmt.Errorf("stats: the quantile %v is not within 0 to 1", q)
	}
	if err := finite(xs); err != nil {
		return 0, err
	}
	sorted := slices.Clone(xs)
	slices.Sort(sorted)
	at := float64(len(sorted)-1) * q
	i := int(math.Floor(at))
	f := at - float64(i)
	if f == 0 {
		return sorted[i], nil
	}
	// Weights rather than a difference, which could overflow; the result never leaves the two neighbours.
	v := sorted[i]*(1-f) + sorted[i+1]*f
	return min(max(v, sorted[i]), sorted[i+1]), nil
}

func finite(xs []float64) error {
	if len(xs) == 0 {
		return ErrEmpty
	}
	for i, x := range xs {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("stats: value %d of %d is %v, not a finite number", i+1, len(xs), x)
		}
	}
	return nil
}
