package kairos

// everything is the interval of all instants.
var everything = interval{minusInf, plusInf}

// filterBy keeps the points for which a predicate is true. The points are those of in, or, when t is not nil, those
// ticks. Of the points kept only those within an interval are given.
func (ev *evaluation) filterBy(at Span, in *stream, t *ticks, f value, within interval) (*stream, error) {
	const few = 24 // points for which columns do not pay
	l, _ := f.ref.(*lambda)
	var run columnCode
	if f.kind == kindLambda && (t != nil || len(in.pts) > few) {
		if run = ev.columns(l); run != nil {
			if err := ev.step(int64(l.code.size.nodes)); err != nil { // for its columns
				return nil, err
			}
		}
	}
	out := *in
	src := pointSource(t)
	list := &pointList{pts: in.pts}
	if t == nil {
		src = list
	}
	err := errScalar
	b := ev.newBlock()
	done := ev.asking(in, t == nil && len(in.pts) == 0)
	if run != nil && !l.code.guard.active {
		outer := ev.pred
		ev.pred = &in.align
		l.code.guard.active = true
		out.pts, out.notes, err = ev.filterColumns(b, src, run, l.code.size, within, make([]int64, 0, keepGuess(len(in.pts))), in.notes)
		l.code.guard.active = false
		ev.pred = outer
		if err == errScalar {
			b.came.takeBack()
		}
	} else {
		out.pts = nil
	}
	if err != nil && err != errScalar {
		return nil, err
	}
	if err == nil {
		done(&out)
		return &out, ev.hold(len(out.pts))
	}
	rest := *in
	rest.notes = out.notes
	if t == nil {
		rest.pts = in.pts[list.at:]
	} else if rest.pts, err = t.rest(ev); err != nil {
		return nil, err
	}
	r, err := ev.filter(&rest, b.came.released(ev.predicate(at, f)))
	if err != nil {
		return nil, err
	}
	out.pts, out.notes = append(out.pts, cutTo(r.pts, within)...), r.notes
	done(&out)
	out.lost = max(out.lost, r.lost)
	return &out, nil
}

// cutTo gives the points within an interval.
func cutTo(pts []int64, within interval) []int64 {
	if within == everything {
		return pts
	}
	lo, hi := lowerBound(pts, within.from), lowerBound(pts, within.to)
	return pts[min(lo, hi):hi]
}

// filter keeps the points that pass a test. A point whose test depends on data beyond their coverage is dropped and
// annotated; where a window was read, the whole window is.
func (ev *evaluation) filter(in *stream, test func(t int64) (bool, error)) (*stream, error) {
	outer := ev.pred
	ev.pred = &in.align
	defer func() { ev.pred = outer }()
	out := *in
	kept := make([]int64, 0, keepGuess(len(in.pts)))
	var last *signal
	finish := ev.asking(in, len(in.pts) == 0)
	for _, t := range in.pts {
		ev.asked = t
		points, values := ev.points, ev.kept
		ok, err := test(t)
		if ev.kept == values && ev.points >= 0 {
			ev.points = points // nothing that the test made is held any longer
		}
		if err != nil {
			s, ok := err.(*signal)
			if !ok {
				return nil, err
			}
			if s != last {
				last = s
				if out.notes, err = ev.addSignal(out.notes, s); err != nil {
					return nil, err
				}
			}
			continue
		}
		if ok {
			kept = append(kept, t)
		}
	}
	if err := ev.step(int64(len(in.pts))); err != nil {
		return nil, err
	}
	if err := ev.hold(len(kept)); err != nil {
		return nil, err
	}
	out.pts = kept
	finish(&out)
	return &out, nil
}

// keepGuess is how much room a filter's result starts with.
func keepGuess(n int) int { return min(n, 64+n/4) }

// addSignal adds what a caught signal says to annotations: its own, and these again over the whole window that was read.
func (ev *evaluation) addSignal(notes []note, s *signal) ([]note, error) {
	if err := ev.noted(len(notes) * len(s.notes) / nodesPerStep); err != nil {
		return notes, err
	}
	new := false
	for _, n := range s.notes {
		new = new || !holds(notes, n) || s.hasWindow && !holds(notes, note{s.window.from, s.window.to, n.src})
	}
	if !new {
		return notes, nil
	}
	if err := ev.noted(len(notes) + len(s.notes)); err != nil {
		return notes, err
	}
	extra := make([]note, 0, 2*len(s.notes))
	extra = append(extra, s.notes...)
	if s.hasWindow {
		for _, n := range s.notes {
			extra = append(extra, note{s.window.from, s.window.to, n.src})
		}
	}
	return joinNotes(notes, extra), nil
}

// holds says whether an annotation of the same source covers n already.
func holds(notes []note, n note) bool {
	for _, m := range notes {
		if m.src == n.src && m.from <= n.from && n.to <= m.to {
			return true
		}
	}
	return false
}

// predicate makes a test of the code of a filter's argument.
func (ev *evaluation) predicate(at Span, f value) func(t int64) (bool, error) {
	l, _ := f.ref.(*lambda)
	if f.kind != kindLambda || l.def != nil || len(l.code.e.Params) != 1 {
		a := &application{ev: ev, at: at}
		return func(t int64) (bool, error) {
			v, err := a.one(f, point(t))
			if err != nil {
				return false, err
			}
			if v.kind != kindBool {
				return false, fail(at, "value.not-bool", v.kind)
			}
			return v.int != 0, nil
		}
	}
	lc := l.code
	if lc.test == nil {
		lc.test = lc.c.test(lc.e.Body)
	}
	arg := make([]value, 1)
	return func(t int64) (bool, error) {
		arg[0] = point(t)
		fr, err := ev.open(at, l, "", arg)
		if err != nil {
			return false, err
		}
		ok, err := lc.test(fr)
		ev.close(lc)
		return ok, err
	}
}
