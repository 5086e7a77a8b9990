package kairos

// stride keeps every n-th point from the first one at or after from on.
func (ev *evaluation) stride(at Span, in *stream, n int64, from int64) (*stream, error) {
	if n < 1 {
		return nil, fail(at, "stride.n", n)
	}
	pts := in.pts[lowerBound(in.pts, from):]
	if n > 1 && len(pts) > 0 {
		count := (int64(len(pts))-1)/n + 1
		if err := ev.step(count); err != nil {
			return nil, err
		}
		if err := ev.hold(int(count)); err != nil {
			return nil, err
		}
		kept := make([]int64, count)
		for i := range kept {
			kept[i] = pts[i*int(n)]
		}
		pts = kept
	}
	out := *in
	out.pts = pts
	out.notes = joinNotes(in.notes, fromAnchor(in.notes, from))
	return &out, nil
}

// fromAnchor gives, for each annotation that does not end before counting begins at anchor, all time after it: what is
// counted there depends on how many points the unknown time has.
func fromAnchor(notes []note, anchor int64) []note {
	var out []note
	for _, n := range notes {
		if n.to > anchor {
			out = append(out, note{max(n.from, anchor), plusInf, n.src})
		}
	}
	return out
}

// take keeps the first n points at or after from.
func (ev *evaluation) take(at Span, in *stream, n int64, from int64) (*stream, error) {
	if len(in.levels) > 0 {
		return nil, fail(at, "take.windowed")
	}
	if n < 1 {
		return nil, fail(at, "take.n", n)
	}
	pts := in.pts[lowerBound(in.pts, from):]
	settled := int64(plusInf) // no later point matters
	if n <= int64(len(pts)) {
		pts = pts[:n]
		settled = pts[n-1]
	}
	var notes []note
	for _, a := range in.notes {
		if a.from <= settled {
			notes = append(notes, a)
		}
	}
	out := *in
	out.pts = pts
	out.notes = joinNotes(notes, fromAnchor(notes, from))
	out.endless = false
	return &out, nil
}

// takeLast keeps the last n points at or before until.
func (ev *evaluation) takeLast(at Span, in *stream, n int64, until int64) (*stream, error) {
	if len(in.levels) > 0 {
		return nil, fail(at, "takeLast.windowed")
	}
	if n < 1 {
		return nil, fail(at, "takeLast.n", n)
	}
	if in.endless && until >= ev.horizon {
		ev.warn("horizon-clip", clipTail, "takeLast", ev.format(until))
	}
	pts := in.pts[:upperBound(in.pts, until)]
	settled := int64(minusInf) // no earlier point matters
	if k := int64(len(pts)); n <= k {
		pts = pts[k-n:]
		settled = pts[0]
	} else if in.endless {
		ev.warn("horizon-clip", clipFew, "takeLast", ev.format(until), n, k)
	}
	var notes, before []note
	for _, a := range in.notes {
		if a.to >= settled {
			notes = append(notes, a)
			if a.from <= until {
				before = append(before, note{minusInf, min(a.to, until), a.src})
			}
		}
	}
	out := *in
	out.pts = pts
	out.notes = joinNotes(notes, before)
	out.endless = false
	return &out, nil
}
