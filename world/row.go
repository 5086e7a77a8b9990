package world

import (
	"bytes"
	"maps"
	"slices"
)

func keys(r Row) []string { return slices.Sorted(maps.Keys(r)) }

// sameValue compares two values of columns. Types never cross, but for a whole number and a real one of the same value,
// which are one in JSON.
func sameValue(a, b any) bool {
	switch x := a.(type) {
	case Blob:
		y, ok := b.(Blob)
		return ok && bytes.Equal(x, y)
	case float64:
		switch y := b.(type) {
		case float64:
			return x == y
		case int64:
			return x < 1<<63 && x == float64(y) && int64(x) == y
		}
		return false
	case int64:
		if y, ok := b.(float64); ok {
			return sameValue(y, x)
		}
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
