package kairos

import "slices"

// lowerBound gives the index of the first point at or after t, or len(pts).
func lowerBound(pts []int64, t int64) int {
	i, _ := slices.BinarySearch(pts, t)
	return i
}

// upperBound gives the index of the first point after t, or len(pts).
func upperBound(pts []int64, t int64) int {
	if t == plusInf {
		return len(pts)
	}
	return lowerBound(pts, t+1)
}

// seek gives the index of the first of pts[i:] at or after t, or len(pts). It is fast when that is near i.
func seek(pts []int64, i int, t int64) int {
	if i >= len(pts) || pts[i] >= t {
		return i
	}
	lo, hi := i, i+1 // pts[lo] is before t
	for step := 2; hi < len(pts) && pts[hi] < t; step *= 2 {
		lo, hi = hi, hi+step
	}
	hi = min(hi, len(pts))
	for hi-lo > 1 {
		if m := int(uint(lo+hi) >> 1); pts[m] < t {
			lo = m
		} else {
			hi = m
		}
	}
	return hi
}

// sparseRatio is how many times longer one list must be than another so that the points of the shorter are looked up in it
// rather than both walked through.
const sparseRatio = 16

// unionPoints gives the points of both lists; a point that a list has several times appears as often as in the list
// that has it more often. The result may be one of the lists.
func unionPoints(a, b []int64) []int64 {
	switch {
	case len(a) == 0:
		return b
	case len(b) == 0:
		return a
	}
	out := make([]int64, 0, len(a)+len(b))
	switch {
	case a[len(a)-1] < b[0]:
		return append(append(out, a...), b...)
	case b[len(b)-1] < a[0]:
		return append(append(out, b...), a...)
	case len(a) < len(b):
		a, b = b, a
	}
	i := 0
	for _, p := range b {
		if len(a) > sparseRatio*len(b) {
			k := seek(a, i, p)
			out = append(out, a[i:k]...)
			i = k
		} else {
			for i < len(a) && a[i] < p {
				out = append(out, a[i])
				i++
			}
		}
		if i < len(a) && a[i] == p {
			i++
		}
		out = append(out, p)
	}
	return append(out, a[i:]...)
}

// intersectPoints gives the points that are in both lists, each as often as in the list that has it less often.
func intersectPoints(a, b []int64) []int64 {
	if len(a) < len(b) {
		a, b = b, a
	}
	if len(b) == 0 || a[len(a)-1] < b[0] || b[len(b)-1] < a[0] {
		return nil
	}
	out := make([]int64, 0, len(b))
	if len(a) > sparseRatio*len(b) {
		i := 0
		for _, p := range b {
			if i = seek(a, i, p); i < len(a) && a[i] == p {
				out = append(out, p)
				i++
			}
		}
		return out
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch x, y := a[i], b[j]; {
		case x < y:
			i++
		case y < x:
			j++
		default:
			out = append(out, x)
			i++
			j++
		}
	}
	return out
}

// subtractPoints gives the points of a that are not in b. The result may be a.
func subtractPoints(a, b []int64) []int64 {
	if len(a) == 0 || len(b) == 0 || a[len(a)-1] < b[0] || b[len(b)-1] < a[0] {
		return a
	}
	out := make([]int64, 0, len(a))
	if len(a) > sparseRatio*len(b) {
		i := 0
		for _, p := range b {
			k := seek(a, i, p)
			out = append(out, a[i:k]...)
			for i = k; i < len(a) && a[i] == p; i++ {
			}
		}
		return append(out, a[i:]...)
	}
	j := 0
	for i, p := range a {
		for j < len(b) && b[j] < p {
			j++
		}
		if j == len(b) {
			return append(out, a[i:]...)
		}
		if b[j] != p {
			out = append(out, p)
		}
	}
	return out
}

// retainPoints gives the points of a that are on the axis, as often as a has them.
func retainPoints(a, axis []int64) []int64 {
	if len(a) == 0 || len(axis) == 0 {
		return nil
	}
	out := make([]int64, 0, len(a))
	j := seek(axis, 0, a[0])
	for _, p := range a {
		if j < len(axis) && axis[j] < p {
			if j++; j < len(axis) && axis[j] < p {
				j = seek(axis, j, p)
			}
		}
		if j == len(axis) {
			break
		}
		if axis[j] == p {
			out = append(out, p)
		}
	}
	return out
}

// sortDedupe gives the points in order, each once. The result may be pts.
func sortDedupe(pts []int64) []int64 {
	for i := 1; i < len(pts); i++ {
		if pts[i] <= pts[i-1] {
			out := slices.Clone(pts)
			slices.Sort(out)
			return slices.Compact(out)
		}
	}
	return pts
}
