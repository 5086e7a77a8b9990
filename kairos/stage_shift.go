package kairos

import (
	"cmp"
	"slices"
)

// shiftWindows moves each point by n windows; it keeps its distance from the start of its window, also where that takes
// it beyond the end of the other one. Points can meet, and then stay as many. name is that of the windows, for messages.
func (ev *evaluation) shiftWindows(at Span, in *stream, n int64, s *spans, grain align, name string) (*stream, error) {
	if err := ev.step(int64(len(in.pts))); err != nil {
		return nil, err
	}
	pts := make([]int64, 0, len(in.pts))
	sorted := true
	i := -1 // the last window that starts at or before p
	for _, p := range in.pts {
		if i+1 < len(s.start) && s.start[i+1] <= p {
			i = seek(s.start, i+1, p+1) - 1
		}
		if i < 0 || p >= s.end[i] {
			reason, err := ev.beyondWindows(at, p, grain)
			if err != nil {
				return nil, err
			}
			if reason == "" {
				return nil, fail(at, "shift.outside-unit", ev.format(p), name)
			}
			if err := ev.clipped("shift", p, reason); err != nil {
				return nil, err
			}
			continue
		}
		if n < -int64(i) || n >= int64(s.len()-i) {
			if err := ev.clipped("shift", p, clipHorizon); err != nil {
				return nil, err
			}
			continue
		}
		j := i + int(n)
		for s.skips && s.start[j] == s.end[j] && n != 0 && j > 0 && j+1 < s.len() {
			j += cmp.Compare(n, 0) // on from a date that does not exist
		}
		q := s.start[j] + (p - s.start[i])
		sorted = sorted && (len(pts) == 0 || pts[len(pts)-1] <= q)
		pts = append(pts, q)
	}
	if err := ev.hold(len(pts)); err != nil {
		return nil, err
	}
	if !sorted {
		slices.Sort(pts)
	}
	out := *in
	out.pts = pts
	out.lost = lostByWindows(in.lost, s, n)
	ev.doubtful(in.lost > 0 && (n < 0 || out.lost == plusInf) || ev.headless(in, s))
	if !in.align.same(grain) {
		out.align = align{}
	}
	out.notes = joinNotes(in.notes, shiftNotesByWindows(in.notes, s, n))
	return &out, nil
}

// shiftSegments moves each point by n windows that segmentBy made, such as weeks. Where data say how far the windows are
// known, a point outside of them is left out, and the result is annotated like the windows.
func (ev *evaluation) shiftSegments(at Span, in *stream, n int64, l *level, name string) (*stream, error) {
	if l.lost > in.lost {
		late := *in
		late.lost = l.lost
		in = &late
	}
	if len(l.notes) == 0 {
		return ev.shiftWindows(at, in, n, l.spans, l.grain, name)
	}
	ev.asks(l.notes)
	unknown := walkNotes(l.notes)
	cur := cursor{s: l.spans}
	known := *in
	known.notes = joinNotes(in.notes, l.notes)
	known.pts = make([]int64, 0, len(in.pts))
	for _, p := range in.pts {
		if cur.find(p) >= 0 || !unknown.at(p) {
			known.pts = append(known.pts, p)
		}
	}
	return ev.shiftWindows(at, &known, n, l.spans, l.grain, name)
}

// beyondWindows says why a point can be in no window of a grain: it lies outside what is computed. The reason is empty
// when the windows could have contained it.
func (ev *evaluation) beyondWindows(at Span, p int64, grain align) (reason string, err error) {
	if p >= ev.horizon || p < ev.epoch {
		return clipHorizon, nil
	}
	// The first day of a zone west of the run's starts after the epoch.
	if grain.kind == alignCivil && grain.zone != "" {
		z, err := ev.zone(at, grain.zone)
		if err != nil {
			return "", err
		}
		if p < z.dayStart(1970, 1, 1) {
			return clipFloor, nil
		}
	}
	return "", nil
}

// shiftAxis moves each point, which must be on the axis, by n axis points. name is that of the axis, for messages.
func (ev *evaluation) shiftAxis(at Span, in *stream, n int64, axis *stream, name string) (*stream, error) {
	if err := checkAlign(at, "shift(unit:)", in.align, axis.align); err != nil {
		return nil, err
	}
	if err := ev.step(int64(len(in.pts))); err != nil {
		return nil, err
	}
	ax := axis.pts
	ev.asks(axis.notes)
	unknown, ends := walkNotes(axis.notes), walkNotes(axis.notes)
	pts := make([]int64, 0, len(in.pts))
	i := 0
	for _, p := range in.pts {
		if i < len(ax) && ax[i] < p {
			if i++; i < len(ax) && ax[i] < p {
				i = seek(ax, i, p)
			}
		}
		if i == len(ax) || ax[i] != p {
			if !unknown.at(p) {
				return nil, fail(at, "shift.off-axis", ev.format(p), name)
			}
			continue
		}
		if n >= -int64(i) && n < int64(len(ax)-i) {
			pts = append(pts, ax[i+int(n)])
			continue
		}
		forward, beyond := n > 0, ax[0]-1
		if forward {
			beyond = ax[len(ax)-1] + 1
		}
		if ends.reaches(beyond) || !ev.goesOn(ax, forward) {
			continue
		}
		if err := ev.clipped("shift", p, clipHorizon); err != nil {
			return nil, err
		}
	}
	if err := ev.hold(len(pts)); err != nil {
		return nil, err
	}
	out := *in
	out.pts = pts
	lost := max(in.lost, axis.lost)
	out.lost = lostByAxis(lost, ax, n)
	ev.doubtful(lost > 0 && (n < 0 || out.lost == plusInf || ev.relies(in, axis, lost)))
	out.align = axis.align
	out.notes = joinNotes(in.notes, shiftNotesByAxis(in.notes, ax, n), unknown.with(&ends))
	return &out, nil
}

// snapTo moves each point to the start of its window.
func (ev *evaluation) snapTo(at Span, in *stream, s *spans, grain align, notes []note) (*stream, error) {
	if err := ev.step(int64(len(in.pts))); err != nil {
		return nil, err
	}
	ev.asks(notes)
	unknown := walkNotes(notes)
	pts := make([]int64, 0, min(len(in.pts), s.len()))
	i := -1 // the last window that starts at or before p
	for _, p := range in.pts {
		if i+1 < len(s.start) && s.start[i+1] <= p {
			i = seek(s.start, i+1, p+1) - 1
		}
		if i >= 0 && p < s.end[i] {
			if q := s.start[i]; len(pts) == 0 || pts[len(pts)-1] != q {
				pts = append(pts, q)
			}
			continue
		}
		reason, err := ev.beyondWindows(at, p, grain)
		if err != nil {
			return nil, err
		}
		// Unknown windows explain a missing one better than that the zone's first day is later.
		if reason != clipHorizon && unknown.at(p) {
			continue
		}
		if reason == "" {
			return nil, fail(at, "snapTo.outside", ev.format(p))
		}
		if err := ev.clipped("snapTo", p, reason); err != nil {
			return nil, err
		}
	}
	if err := ev.hold(len(pts)); err != nil {
		return nil, err
	}
	out := *in
	out.pts = pts
	ev.doubtful(ev.headless(in, s))
	out.align = grain
	out.notes = joinNotes(snapNotes(in.notes, s), unknown.marked())
	return &out, nil
}
