package kairos

// From when on the results of stages are complete in a local evaluation; 0 when they are.

// lostByRoll does so for a rolled stream, whose points and whose axis are complete from lost on.
func lostByRoll(lost int64, axis []int64, following bool) int64 {
	if lost > 0 && following {
		if i := lowerBound(axis, lost); i < len(axis) {
			return axis[i] + 1
		}
	}
	return lost
}

// lostByAxis does so for a shift by n points of an axis.
func lostByAxis(lost int64, axis []int64, n int64) int64 {
	if lost == 0 || n <= 0 {
		return lost
	}
	i := lowerBound(axis, lost)
	if n >= int64(len(axis)-i) {
		return plusInf
	}
	return axis[i+int(n)]
}

// lostByWindows does so for a shift by n windows. A point keeps its distance from the start of its window, even beyond
// the end of the other, and beyond the window after that.
func lostByWindows(lost int64, s *spans, n int64) int64 {
	if lost == 0 || n <= 0 {
		return lost
	}
	i := s.find(lost)
	if i < 0 || n >= int64(s.len()-i) {
		return plusInf
	}
	out := s.start[i+int(n)]
	for k := range i + 1 {
		j := k + int(n)
		for s.skips && s.start[j] == s.end[j] && j+1 < s.len() {
			j++
		}
		out = max(out, s.start[j]+s.end[k]-s.start[k])
	}
	return out
}

// lostBySelection does so for a selection of one point of each window: a window that is cut may have had an earlier one.
// Annotations are stretched to whole windows.
func lostBySelection(lost int64, s *spans, which selector, notes []note) int64 {
	if lost == 0 || which == selLast && len(notes) == 0 {
		return lost
	}
	if i := s.find(lost); i >= 0 && s.start[i] < lost {
		return s.end[i]
	}
	return lost
}

// firstKept gives the first point of a stream that is complete only from some time on, from there.
func firstKept(s *stream) int64 {
	if i := lowerBound(s.pts, s.lost); i < len(s.pts) {
		return s.pts[i]
	}
	return plusInf
}

// lostSegments gives from when on the windows between markers are complete: those that begin before the first marker that
// is right are not, and, where empty ones are dropped, one that was laid over points that were left out.
func lostSegments(marker *stream, s *spans, points int64, drop bool) int64 {
	lost := int64(0)
	if marker.lost > 0 {
		lost = firstKept(marker)
	}
	if points > 0 && drop {
		lost = max(lost, boundWithin(points, s))
	}
	return lost
}

// lostHours gives from when on business hours are known, where markers and days are from lost on: whether the first
// marker ends a session is not, and a session belongs to the day on which it opens.
func lostHours(lost int64, markers []int64) int64 {
	if lost == 0 {
		return 0
	}
	if lost == plusInf {
		return plusInf
	}
	i := lowerBound(markers, lost+2*dayMs)
	if i+1 >= len(markers) {
		return plusInf
	}
	return markers[i+1]
}
