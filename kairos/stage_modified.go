package kairos

// rollModified moves each point that is not on the axis to the next axis point within its window or, where there is none,
// to the previous one; windows is from when on they are complete in a local evaluation, else 0. A point whose window holds no axis point has nowhere to go, as where an axis ends.
func (ev *evaluation) rollModified(at Span, in, axis *stream, s *spans, grain align, notes []note, windows int64) (*stream, error) {
	if err := checkAlign(at, "roll(on:)", in.align, axis.align); err != nil {
		return nil, err
	}
	if err := checkZone(at, "roll(of:)", in.align, grain); err != nil {
		return nil, err
	}
	if err := ev.step(int64(len(in.pts))); err != nil {
		return nil, err
	}
	ax := axis.pts
	goesOn := ev.goesOn(ax, true)
	unknown, missing := walkNotes(axis.notes), walkNotes(notes)
	pts := make([]int64, 0, len(in.pts))
	cur := cursor{s: s}
	k := 0
	for _, p := range in.pts {
		k = seek(ax, k, p)
		i := cur.find(p)
		switch {
		case k < len(ax) && ax[k] == p:
		case i < 0:
			reason, err := ev.beyondWindows(at, p, grain)
			if err != nil {
				return nil, err
			}
			if reason != clipHorizon && missing.at(p) {
				continue
			}
			if reason == "" {
				return nil, fail(at, "roll.outside", ev.format(p))
			}
			if err := ev.clipped("roll(Modified)", p, reason); err != nil {
				return nil, err
			}
			continue
		}
		switch {
		case k < len(ax) && (ax[k] == p || ax[k] < s.end[i]):
			pts = appendOnce(pts, ax[k])
		case k > 0 && ax[k-1] >= s.start[i]:
			pts = appendOnce(pts, ax[k-1])
		case !unknown.at(p) && k == len(ax) && goesOn:
			if err := ev.clipped("roll(Modified)", p, clipHorizon); err != nil {
				return nil, err
			}
		}
	}
	if err := ev.hold(len(pts)); err != nil {
		return nil, err
	}
	out := *in
	out.pts = pts
	lost := max(in.lost, axis.lost, windows)
	out.lost = lostByRoll(lost, ax, true)
	ev.doubtful(ev.headless(in, s) || lost > 0 && ev.relies(in, axis, lost))
	out.notes = joinNotes(rollNotes(in.notes, ax, true), rollNotes(in.notes, ax, false), reliedNotes(axis.notes, ax, true),
		reliedNotes(axis.notes, ax, false), notes)
	return &out, nil
}

// appendOnce appends a point unless it is the last one already. The images of points in order are in order.
func appendOnce(pts []int64, p int64) []int64 {
	if n := len(pts); n > 0 && pts[n-1] == p {
		return pts
	}
	return append(pts, p)
}

// modified reads the window that `roll(Modified)` stays in: that of the argument `of:`, or the scope's months.
func (a *stageArgs) modified() func(fr *frame, in, axis *stream) (*stream, error) {
	ev, at, sc := a.c.ev, a.st.Span, a.c.sc
	window := func(*frame) (value, error) { return ev.resolve(at, "month", sc) }
	span := at
	if of := a.named("of"); of != nil {
		window, span = a.c.expr(of), of.Span()
	}
	return func(fr *frame, in, axis *stream) (*stream, error) {
		v, err := window(fr)
		if err != nil {
			return nil, err
		}
		s, err := spansOf(v, span)
		if err != nil {
			return nil, err
		}
		return ev.rollModified(at, in, axis, s, grainOf(v), windowNotes(v), windowLost(v))
	}
}

// convention compiles the convention of a roll: its first argument, or the `roll` member in force.
func (a *stageArgs) convention() code {
	if m := a.c.sc.members.vals["roll"]; m != nil && len(a.positional) == 0 {
		return (&compiler{ev: a.c.ev, sc: a.c.sc, unit: a.c.unit}).expr(m)
	}
	return a.first("roll.conv-required")
}
