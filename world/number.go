package world

import (
	"errors"
	"math/big"
	"strconv"
	"strings"
)

var errNumber = errors.New("a number is larger or finer than any that is kept here")

// number takes a JSON number as the store keeps it: whole numbers (25, 25.0, 2.5e1) as integers, others as the nearest
// double.
func number(s string) (any, error) {
	if i, err := strconv.ParseInt(s, 10, 64); err == nil {
		return i, nil
	}
	if !kept(s) {
		return nil, errNumber
	}
	if r, ok := new(big.Rat).SetString(s); ok && r.IsInt() {
		if !r.Num().IsInt64() {
			return nil, errNumber
		}
		return r.Num().Int64(), nil
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return nil, errNumber
	}
	return f, nil
}

// realNumber takes a JSON number of a property that may hold fractions: beyond the whole numbers that fit, as the nearest
// double.
func realNumber(s string) (any, error) {
	if v, err := number(s); err == nil {
		return v, nil
	}
	if f, err := strconv.ParseFloat(s, 64); err == nil {
		return f, nil
	}
	return nil, errNumber
}

// kept says whether a number is one that can be worked with at all: not so long or so far from 0 that only working it out
// would take the machine.
func kept(s string) bool {
	if len(s) > 400 || exponent(s) > 400 {
		return false
	}
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}

func exponent(s string) int {
	i := strings.IndexAny(s, "eE")
	if i < 0 {
		return 0
	}
	n, err := strconv.Atoi(strings.TrimPrefix(s[i+1:], "+"))
	if err != nil {
		return 1 << 30
	}
	return max(n, -n)
}
