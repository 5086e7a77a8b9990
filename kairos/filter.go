package kairos

// filter keeps the points that pass a test. A point whose test depends on data beyond their coverage is dropped and
// annotated; where a window was read, the whole window is.
func (ev *evaluation) filter(in *stream, test func(t int64) (bool, error)) (*stream, error) {
	outer := ev.pred
	ev.pred = &in.align
	defer func() { ev.pred = outer }()
	out := *in
	kept := make([]int64, 0, keepGuess(len(in.pts)))
	var last *signal
	for _, t := range in.pts {
		points, values := ev.points, ev.kept
		ok, err := test(t)
		if ev.kept == values && ev.points >= 0 {
			ev.points = points // nothing that the test made is held any longer
		}
		if err != nil {
			e, _ := err.(*Error)
			if e == nil || e.ooc == nil {
				return nil, err
			}
			if e.ooc != last {
				last = e.ooc
				out.notes = addSignal(out.notes, e.ooc)
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
	return &out, nil
}

// keepGuess is how much room a filter's result starts with.
func keepGuess(n int) int { return min(n, 64+n/4) }

// addSignal adds what a caught signal says to annotations: its own, and these again over the whole window that was read.
func addSignal(notes []note, s *signal) []note {
	extra := s.notes
	if s.hasWindow {
		extra = make([]note, 0, 2*len(s.notes))
		extra = append(extra, s.notes...)
		for _, n := range s.notes {
			extra = append(extra, note{s.window.from, s.window.to, n.src})
		}
	}
	for _, n := range extra {
		if !holds(notes, n) {
			return joinNotes(notes, extra)
		}
	}
	return notes
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
