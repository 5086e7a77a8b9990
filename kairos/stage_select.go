package kairos

func (a *stageArgs) within() step {
	ev, at := a.c.ev, a.st.Span
	window := a.first("within.arg")
	name := ""
	if len(a.positional) > 0 {
		if n, ok := a.positional[0].(*NameRef); ok {
			name = n.Name
		}
	}
	return func(fr *frame, in *stream) (*stream, error) {
		v, err := window(fr)
		if err != nil {
			return nil, err
		}
		s, err := spansOf(v, a.span(0))
		if err != nil {
			return nil, err
		}
		out, err := ev.within(at, in, name, s, grainOf(v), windowNotes(v))
		if err == nil {
			l := out.levels[len(out.levels)-1]
			l.lost = windowLost(v)
			ev.doubtful(l.lost > 0 && (!s.tiled || thinned(v)))
		}
		return out, err
	}
}

func (a *stageArgs) selector() step {
	ev, at := a.c.ev, a.st.Span
	which, n := selFirst, failing(nil)
	switch a.st.Name {
	case "last":
		which = selLast
	case "nth":
		which, n = selNth, a.first("select.nth-arg")
	}
	of := a.named("of")
	return func(fr *frame, in *stream) (*stream, error) {
		if len(in.levels) == 0 {
			return nil, fail(at, "select.no-window", a.st.Name)
		}
		k := int64(1)
		if which == selNth {
			var err error
			if k, err = a.count(fr, n, "select.nth-whole"); err != nil {
				return nil, err
			}
		} else if len(a.positional) > 0 {
			return nil, fail(a.span(0), "args.too-many", a.st.Name, len(a.positional), 0, aboutSelector())
		}
		if of == nil {
			return ev.selectPoints(at, in, which, k, "", false)
		}
		name, ok := of.(*NameRef)
		if !ok {
			return nil, fail(of.Span(), "select.of-name")
		}
		return ev.selectPoints(at, in, which, k, name.Name, true)
	}
}

func (a *stageArgs) filter() step {
	ev, at := a.c.ev, a.st.Span
	if a.named("on") != nil && len(a.positional) > 0 {
		return refusing(fail(at, "filter.both"))
	}
	if len(a.positional) == 0 {
		axis := a.axis("on")
		return func(fr *frame, in *stream) (*stream, error) {
			s, err := a.axisStream(fr, axis)
			if err != nil {
				return nil, err
			}
			return ev.filterOn(at, in, s)
		}
	}
	pred := a.c.expr(a.positional[0])
	return func(fr *frame, in *stream) (*stream, error) {
		f, err := pred(fr)
		if err != nil {
			return nil, err
		}
		return ev.filterBy(a.span(0), ev.computed(in), nil, f, a.cut())
	}
}

// computed leaves out the points of tables that lie where nothing is computed: a predicate cannot ask about their windows,
// and the range is far away from them. A zone's first day may begin a day before the epoch of the run.
func (ev *evaluation) computed(in *stream) *stream {
	lo, hi := lowerBound(in.pts, ev.epoch-dayMs), lowerBound(in.pts, ev.horizon)
	if lo == 0 && hi == len(in.pts) {
		return in
	}
	out := *in
	out.pts = in.pts[lo:max(lo, hi)]
	return &out
}
