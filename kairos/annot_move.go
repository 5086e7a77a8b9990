package kairos

import "sort"

// stretchToWindows gives the annotations together with copies stretched to every window that they overlap.
func stretchToWindows(notes []note, s *spans) []note {
	if len(notes) == 0 {
		return nil
	}
	start, end := s.start, s.end
	if len(start) > 0 && start[0] >= end[0] {
		start, end = start[1:], end[1:] // a head window that starts after its end contains nothing
	}
	out := make([]note, len(notes))
	for i, n := range notes {
		// The windows that overlap n follow each other, and n fills what is between them: together they are one
		// interval.
		first := sort.Search(len(end), func(k int) bool { return end[k] > n.from })
		last := sort.Search(len(start), func(k int) bool { return start[k] >= n.to }) - 1
		if first <= last {
			n.from, n.to = min(n.from, start[first]), max(n.to, end[last])
		}
		out[i] = n
	}
	return normalise(out)
}

// moveNotes gives the annotations with their ends moved.
func moveNotes(notes []note, move func(from, to int64) (int64, int64)) []note {
	if len(notes) == 0 {
		return nil
	}
	out := make([]note, len(notes))
	for i, n := range notes {
		n.from, n.to = move(n.from, n.to)
		out[i] = n
	}
	return normalise(out)
}

// upTo gives the end of an interval that reaches over the first axis point at or after to.
func upTo(axis []int64, to int64) int64 {
	if to == plusInf {
		return plusInf
	}
	if i := lowerBound(axis, to); i < len(axis) {
		return max(to, axis[i]+1)
	}
	return plusInf
}

// rollNotes moves the annotations of a stream as rolling moves its points: all that lies in one lands in its image.
func rollNotes(notes []note, axis []int64, following bool) []note {
	if len(axis) == 0 {
		return joinNotes(notes)
	}
	return moveNotes(notes, func(from, to int64) (int64, int64) {
		if following {
			return from, upTo(axis, to)
		}
		if from == minusInf {
			return from, to
		}
		if i := upperBound(axis, from); i > 0 {
			return min(from, axis[i-1]), to
		}
		return minusInf, to
	})
}

// reliedNotes gives, for the annotations of an axis, where points may be that could have rolled to an unknown axis
// point.
func reliedNotes(notes []note, axis []int64, following bool) []note {
	return moveNotes(notes, func(from, to int64) (int64, int64) {
		if !following {
			return from, upTo(axis, to)
		}
		if from == minusInf {
			return from, to
		}
		if i := lowerBound(axis, from); i > 0 {
			return min(from, axis[i-1]), to
		}
		return minusInf, to
	})
}

// shiftNotesByWindows moves annotations by n windows, each end with its distance from the start of its window. An end
// outside all windows moves to a bound of where it could have been moved to.
func shiftNotesByWindows(notes []note, s *spans, n int64) []note {
	n = clampSteps(n)
	size := int64(s.len())
	moved := func(t int64, i int) int64 {
		j := int64(i) + n
		switch {
		case j < 0:
			return minusInf
		case j >= size:
			return plusInf
		}
		return s.start[j] + (t - s.start[i])
	}
	return moveNotes(notes, func(from, to int64) (int64, int64) {
		if from != minusInf {
			if i := s.find(from); i >= 0 {
				from = moved(from, i)
			} else if n < 0 {
				if j := size + n; size > 0 && from >= s.end[size-1] && j >= 0 {
					from = s.start[j]
				} else {
					from = minusInf
				}
			}
		}
		if to != plusInf {
			if i := s.find(to); i >= 0 {
				to = moved(to, i)
			} else if n > 0 {
				if size > 0 && to < s.start[0] && n < size {
					to = s.start[n]
				} else {
					to = plusInf
				}
			}
		}
		return from, to
	})
}

// shiftNotesByAxis moves annotations by n points of an axis: from the first axis point in one to just after the last.
func shiftNotesByAxis(notes []note, axis []int64, n int64) []note {
	if len(axis) == 0 {
		return joinNotes(notes)
	}
	n = clampSteps(n)
	// after is added to an axis point, not to the ends of time.
	point := func(i, after int64) int64 {
		switch {
		case i < 0:
			return minusInf
		case i >= int64(len(axis)):
			return plusInf
		}
		return axis[i] + after
	}
	return moveNotes(notes, func(from, to int64) (int64, int64) {
		if from != minusInf {
			from = point(int64(lowerBound(axis, from))+n, 0)
		}
		if to != plusInf {
			to = point(int64(lowerBound(axis, to))-1+n, 1)
		}
		return from, to
	})
}

// snapNotes moves both ends of annotations to the starts of their windows; ends outside all windows stay.
func snapNotes(notes []note, s *spans) []note {
	floor := func(t int64) int64 {
		if t == minusInf || t == plusInf {
			return t
		}
		if i := s.find(t); i >= 0 {
			return s.start[i]
		}
		return t
	}
	return moveNotes(notes, func(from, to int64) (int64, int64) { return floor(from), floor(to) })
}

// clampSteps keeps a number of steps so small that it can be added to an index.
func clampSteps(n int64) int64 {
	const most = 1 << 50
	return min(max(n, -most), most)
}
