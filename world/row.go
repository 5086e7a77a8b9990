package world

import (
	"bytes"
	"maps"
	"math"
	"slices"
)

func keys(r Row) []string { return slices.Sorted(maps.Keys(r)) }

// sameValue compares two values of columns; types never cross.
func sameValue(a, b any) bool {
	switch x := a.(type) {
	case Blob:
		y, ok := b.(Blob)
		return ok && bytes.Equal(x, y)
	case float64:
		y, ok := b.(float64)
		return ok && math.Float64bits(x) == math.Float64bits(y)
	}
	return a == b
}

func sameRow(a, b Row) bool {
	if len(a) != len(b) {
		return false
	}
	for k, v := range a {
		w, ok := b[k]
		if !ok || !sameValue(v, w) {
			return false
		}
	}
	return true
}
