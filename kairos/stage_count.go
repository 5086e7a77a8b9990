package kairos

// counting compiles stride, take and takeLast: a number of points, counted from or until an instant.
func (a *stageArgs) counting() step {
	ev, at, name := a.c.ev, a.st.Span, a.st.Name
	n := a.first(name + ".arg")
	edge := "from"
	if name == "takeLast" {
		edge = "until"
	}
	anchor := failing(fail(at, name+"."+edge))
	anchorSpan := at
	if e := a.named(edge); e != nil {
		anchor, anchorSpan = a.c.expr(e), e.Span()
	}
	return func(fr *frame, in *stream) (*stream, error) {
		if name != "stride" && len(in.levels) > 0 {
			return nil, fail(at, name+".windowed")
		}
		k, err := a.count(fr, n, name+".n")
		if err != nil {
			return nil, err
		}
		if k < 1 {
			return nil, fail(a.span(0), name+".n", k)
		}
		v, err := anchor(fr)
		if err != nil {
			return nil, err
		}
		t, err := asPoint(v, anchorSpan)
		if err != nil {
			return nil, err
		}
		if in.lost > 0 && t < in.lost {
			return nil, errWhole
		}
		switch name {
		case "stride":
			return ev.stride(at, in, k, t)
		case "take":
			return ev.take(at, in, k, t)
		}
		if kept := upperBound(in.pts, t) - lowerBound(in.pts, in.lost); in.lost > 0 && int64(kept) < k {
			return nil, errWhole
		}
		return ev.takeLast(at, in, k, t)
	}
}

func (a *stageArgs) strideBy() step {
	ev, at := a.c.ev, a.st.Span
	args := a.tickArgs()
	return func(fr *frame, in *stream) (*stream, error) {
		w, t, z, err := args(fr)
		if err != nil {
			return nil, err
		}
		if cut := a.cut(); !w.Civil && cut != everything {
			s, ticks, err := ev.ticks(at, w, t, cut)
			if err != nil {
				return nil, err
			}
			s.pts, err = ticks.rest(ev)
			return s, err
		}
		s, err := ev.strideBy(at, w, t, z)
		if err != nil {
			return nil, err
		}
		s.pts, s.lost = ev.near(s.pts), ev.lost
		return s, nil
	}
}

// filteredTicks compiles strideBy with a filter after it, so that the ticks of a short width are never held all at once.
func (a *stageArgs) filteredTicks(f *stageArgs) step {
	ev, at := a.c.ev, a.st.Span
	args, pred := a.tickArgs(), f.c.expr(f.positional[0])
	return func(fr *frame, in *stream) (*stream, error) {
		w, t, z, err := args(fr)
		if err != nil {
			return nil, err
		}
		var s *stream
		var points *ticks
		if w.Civil {
			if s, err = ev.strideBy(at, w, t, z); err == nil {
				s.pts, s.lost = ev.near(s.pts), ev.lost
			}
		} else {
			s, points, err = ev.ticks(at, w, t, interval{ev.floor, plusInf})
			if err == nil {
				s.lost = ev.lost
			}
		}
		if err != nil {
			return nil, err
		}
		p, err := pred(fr)
		if err != nil {
			return nil, placed(err, f.st.Span)
		}
		s, err = ev.filterBy(f.span(0), s, points, p, f.cut())
		return s, placed(err, f.st.Span)
	}
}

// ticks gives the stream of strideBy with an elapsed width, without its points, and the ticks that are its points within
// an interval.
func (ev *evaluation) ticks(at Span, w *WidthLit, from int64, within interval) (*stream, *ticks, error) {
	step, err := strideStep(at, w)
	if err != nil {
		return nil, nil, err
	}
	t := &ticks{from: from, step: step, end: min(ev.horizon, within.to)}
	if within.from > from {
		t.from += (within.from - from + step - 1) / step * step
	}
	return &stream{align: align{kind: alignElapsed, step: step, phase: floorMod(from, step)}, endless: true}, t, nil
}

// tickArgs compiles the width and the anchor of strideBy.
func (a *stageArgs) tickArgs() func(fr *frame) (*WidthLit, int64, *zone, error) {
	ev, at, sc := a.c.ev, a.st.Span, a.c.sc
	width := a.first("strideBy.arg")
	from := failing(fail(at, "strideBy.from"))
	fromSpan := at
	if e := a.named("from"); e != nil {
		from, fromSpan = a.c.expr(e), e.Span()
	}
	return func(fr *frame) (*WidthLit, int64, *zone, error) {
		v, err := width(fr)
		if err != nil {
			return nil, 0, nil, err
		}
		w, ok := v.ref.(*WidthLit)
		if !ok {
			return nil, 0, nil, fail(a.span(0), "strideBy.width", v.kind)
		}
		f, err := from(fr)
		if err != nil {
			return nil, 0, nil, err
		}
		z, err := ev.scopeZone(at, sc)
		if err != nil {
			return nil, 0, nil, err
		}
		if f.kind != kindTime {
			t, err := asPoint(f, fromSpan)
			return w, t, z, err
		}
		if !w.Civil || w.Amount != 1 {
			return nil, 0, nil, fail(fromSpan, "strideBy.time-literal")
		}
		t, k := z.anchor(f.int)
		if k != anchorUnique {
			return nil, 0, nil, fail(fromSpan, "tz.time-literal-anchor", z.name)
		}
		return w, t, z, nil
	}
}
