package kairos

// combine joins two streams: op is | (union), & (intersection) or \ (difference). Levels of windows end here.
func (ev *evaluation) combine(at Span, op byte, l, r *stream) (*stream, error) {
	out := &stream{notes: joinNotes(l.notes, r.notes), lost: max(l.lost, r.lost)}
	if op != '|' {
		if err := checkAlign(at, string(op), l.align, r.align); err != nil {
			return nil, err
		}
	}
	if err := ev.step(int64(len(l.pts) + len(r.pts))); err != nil {
		return nil, err
	}
	switch {
	case l.align.kind == alignVacuous:
		out.align = r.align
	case r.align.kind == alignVacuous || l.align.same(r.align):
		out.align = l.align
	}
	switch op {
	case '|':
		out.pts = unionPoints(l.pts, r.pts)
		out.endless = l.endless || r.endless
	case '&':
		out.pts = intersectPoints(l.pts, r.pts)
		out.endless = l.endless && r.endless
	default:
		out.pts = subtractPoints(l.pts, r.pts)
		out.endless = l.endless
	}
	if err := ev.hold(len(out.pts)); err != nil {
		return nil, err
	}
	return out, ev.holdNotes(out, l, r)
}

// checkAlign fails unless a and b are the same grid, as points must be on that are compared for equality.
func checkAlign(at Span, what string, a, b align) error {
	if a.same(b) {
		return nil
	}
	return fail(at, "align.mismatch", what, a, b, aside{})
}

// checkZone fails when a and b count civil days of different zones: the days of one do not fit the windows of the other.
func checkZone(at Span, what string, a, b align) error {
	if a.kind == alignCivil && b.kind == alignCivil && a.zone != b.zone && a.zone != "" && b.zone != "" {
		return fail(at, "align.tz-membership", what, a.zone, b.zone)
	}
	return nil
}

// mismatched tells of stages that stand behind the right side of a combination and were meant for both, where they may be
// why the sides lie on different grids: days on the left, times of day on the right.
func mismatched(err error, e *Combine, l, r *stream) error {
	_, staged := e.R.(*Pipe)
	if m, ok := err.(*Error); ok && m.Code == "align.mismatch" && staged && l.align.off == 0 && (r.align.off != 0 || r.align.kind == alignNone) {
		m.args[len(m.args)-1] = aboutStages(e.Op)
	}
	return err
}
