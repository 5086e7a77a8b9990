package kairos

// axisStream evaluates an axis as a stream.
func (a *stageArgs) axisStream(fr *frame, axis code) (*stream, error) {
	v, err := axis(fr)
	if err != nil {
		return nil, err
	}
	return a.c.ev.stream(v, "", a.st.Span)
}

func (a *stageArgs) roll() step {
	ev, at := a.c.ev, a.st.Span
	conv, axis, modified := a.convention(), a.axis("on"), a.modified()
	return func(fr *frame, in *stream) (*stream, error) {
		v, err := conv(fr)
		if err != nil {
			return nil, err
		}
		name, err := asLabel(v, a.span(0))
		if err != nil {
			return nil, err
		}
		on, err := a.axisStream(fr, axis)
		if err != nil {
			return nil, err
		}
		switch name {
		case "Following", "Preceding":
			if of := a.named("of"); of != nil {
				return nil, fail(of.Span(), "args.unknown-named", "roll("+name+")", "of", []string(nil), []string{"on"})
			}
			return ev.roll(at, in, name == "Following", on)
		case "Modified":
			return modified(fr, in, on)
		}
		return nil, fail(a.span(0), "roll.conv-unknown", name)
	}
}

func (a *stageArgs) shift() step {
	ev, at := a.c.ev, a.st.Span
	n, unit := a.first("shift.arg"), a.axis("unit")
	return func(fr *frame, in *stream) (*stream, error) {
		k, err := a.count(fr, n, "shift.whole")
		if err != nil {
			return nil, err
		}
		v, err := unit(fr)
		if err != nil {
			return nil, err
		}
		if v.kind == kindWindows {
			w := v.ref.(*windows)
			return ev.shiftWindows(at, in, k, w.spans, w.grain, a.axisName("unit"))
		}
		axis, err := ev.stream(v, "", at)
		if err != nil {
			return nil, err
		}
		name := a.axisName("unit")
		if l := axis.windowed(); l != nil {
			return ev.shiftSegments(at, in, k, l, name)
		}
		return ev.shiftAxis(at, in, k, axis, name)
	}
}

func (a *stageArgs) snapTo() step {
	ev, at := a.c.ev, a.st.Span
	window := a.first("snapTo.arg")
	return func(fr *frame, in *stream) (*stream, error) {
		v, err := window(fr)
		if err != nil {
			return nil, err
		}
		s, err := spansOf(v, a.span(0))
		if err != nil {
			return nil, err
		}
		out, err := ev.snapTo(at, in, s, grainOf(v), windowNotes(v))
		if err == nil {
			out.lost = max(out.lost, windowLost(v))
		}
		return out, err
	}
}

func (a *stageArgs) rebase() step {
	ev, at := a.c.ev, a.st.Span
	to := a.named("to")
	if to == nil {
		return refusing(fail(at, "rebase.to-required"))
	}
	run := a.c.expr(to)
	return func(fr *frame, in *stream) (*stream, error) {
		v, err := run(fr)
		if err != nil {
			return nil, err
		}
		if v.kind != kindString {
			return nil, fail(to.Span(), "rebase.to-string", v.kind)
		}
		return ev.rebase(at, in, v.ref.(string))
	}
}
