package kairos

// segmentArgs are the evaluated arguments of segmentBy.
type segmentArgs struct {
	marker         *stream
	edges, empties string
	label          *lambda // of label:, or nil
	// labels: as a list, or as a list that repeats, so that the window of anchor has its first element.
	hasLabels bool
	labels    []value
	cycle     bool
	anchor    int64
	labelSpan Span
	// evaluate fills labels and anchor in, once everything that comes before them is known to be right; nil when they are.
	evaluate func(*segmentArgs) error
}

// segmentBy lays windows over a stream that go from one point of a marker to the next.
func (ev *evaluation) segmentBy(at Span, in *stream, a segmentArgs) (*stream, error) {
	m := a.marker.pts
	if len(m) == 0 {
		return nil, fail(at, "segment.marker-empty")
	}
	if a.edges != "error" && a.edges != "clip" && a.edges != "drop" {
		return nil, fail(at, "segment.edges-unknown", a.edges)
	}
	if a.empties != "error" && a.empties != "keep" && a.empties != "drop" {
		return nil, fail(at, "segment.empties-unknown", a.empties)
	}
	if err := ev.step(int64(len(m) + len(in.pts) + len(in.levels))); err != nil {
		return nil, err
	}
	cover := complement(a.marker.notes)
	l := &level{grain: a.marker.align, labels: labels{fn: a.label}}
	if a.hasLabels {
		var err error
		if l.labels, err = ev.segmentLabels(at, a, cover); err != nil {
			return nil, err
		}
	}
	first, known := m[0], m[0] // no marker is missing from known up to first
	if c, ok := intervalAt(cover, first); ok {
		known = c.from
	}
	known = max(known, ev.epoch)
	if a.edges == "error" {
		if i := lowerBound(in.pts, known); i < len(in.pts) && in.pts[i] < first {
			return nil, fail(at, "segment.edges-error", ev.format(in.pts[i]), ev.format(first))
		}
	}
	windows, end, err := ev.segments(m, cover, a.edges == "clip")
	if err != nil {
		return nil, err
	}
	l.lost = lostSegments(a.marker, windows, in.lost, a.empties == "drop")
	l.thinned = l.lost > 0 && a.empties == "drop"
	if a.empties != "keep" {
		if windows, err = ev.withoutEmpty(at, windows, in.pts, a.empties == "drop"); err != nil {
			return nil, err
		}
	}
	l.spans = windows
	l.notes = segmentNotes(a.marker.notes, windows, known)

	out := *in
	if a.marker.lost > 0 {
		out.lost = max(in.lost, firstKept(a.marker))
	}
	if a.edges == "drop" {
		i := lowerBound(in.pts, first)
		out.pts = in.pts[i:max(i, lowerBound(in.pts, end))]
	}
	l.over = out.pts
	out.levels = pushLevel(in.levels, l)
	out.notes = joinNotes(in.notes, a.marker.notes)
	return &out, nil
}

// segments makes the windows between markers and, where the cover says that no marker follows, the one after the last.
// With clip, windows from the epoch and to the horizon are added. end is where the last window without clip ends.
func (ev *evaluation) segments(m []int64, cover []interval, clip bool) (s *spans, end int64, err error) {
	last := m[len(m)-1]
	end = last
	if c, ok := intervalAt(cover, last); ok {
		end = max(last, min(c.to, ev.horizon))
	}
	tail := clip && end < ev.horizon
	if end == last && !clip {
		return tiles(m), end, nil
	}
	if err := ev.hold(len(m) + 3); err != nil {
		return nil, 0, err
	}
	bounds := make([]int64, 0, len(m)+3)
	if clip {
		// A marker may lie before the epoch, in a zone east of that of the run. Then this window ends before it
		// starts and contains nothing.
		bounds = append(bounds, ev.epoch)
	}
	bounds = append(bounds, m...)
	if end > last {
		bounds = append(bounds, end)
	}
	if tail {
		bounds = append(bounds, ev.horizon)
	}
	return tiles(bounds), end, nil
}

// withoutEmpty drops the windows without points, or fails when there is one.
func (ev *evaluation) withoutEmpty(at Span, s *spans, pts []int64, drop bool) (*spans, error) {
	n, missing := 0, -1
	eachFilled(s, pts, func(w int) {
		if w != n && missing < 0 {
			missing = n
		}
		n++
	})
	if n == s.len() {
		return s, nil
	}
	if missing < 0 {
		missing = n
	}
	if !drop {
		return nil, fail(at, "segment.empties-error", s.len()-n, ev.format(s.start[missing]), ev.format(s.end[missing]))
	}
	if err := ev.hold(n); err != nil {
		return nil, err
	}
	out := &spans{start: make([]int64, 0, n), end: make([]int64, 0, n), tiled: true}
	eachFilled(s, pts, func(w int) {
		if k := len(out.end); k > 0 && out.end[k-1] != s.start[w] {
			out.tiled = false
		}
		out.start = append(out.start, s.start[w])
		out.end = append(out.end, s.end[w])
	})
	return out, nil
}

// eachFilled calls f with the index of each window that contains a point, in order.
func eachFilled(s *spans, pts []int64, f func(w int)) {
	for i, w := 0, 0; i < len(pts); {
		if w = seek(s.end, w, pts[i]+1); w == s.len() {
			return
		}
		if pts[i] < s.start[w] {
			i = seek(pts, i, min(s.start[w], s.end[w]))
			continue
		}
		f(w)
		i = seek(pts, i, s.end[w])
	}
}

// segmentNotes gives the annotations of a level of windows: those of its markers and, when there are any, the time from
// known on that no window covers, for it is as good as unknown what its windows would be.
func segmentNotes(notes []note, s *spans, known int64) []note {
	if len(notes) == 0 || s.len() == 0 {
		return notes
	}
	like := notes[0]
	for _, n := range notes {
		if n.to <= s.start[0] {
			like = n
			break
		}
	}
	var gaps []note
	for i, prev := 0, known; i < s.len(); i++ {
		if prev < s.start[i] {
			gaps = append(gaps, note{prev, s.start[i], like.src})
		}
		if s.tiled {
			break // no more gaps
		}
		prev = max(prev, s.end[i])
	}
	if len(gaps) == 0 {
		return notes
	}
	return joinNotes(notes, gaps)
}
