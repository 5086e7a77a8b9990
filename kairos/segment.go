package kairos

// segmentBy compiles the stage that cuts a stream at the points of a marker. Order of evaluation: the label function, the
// presence and then the values of edges and empties, the marker, the labels.
func (a *stageArgs) segmentBy() step {
	ev, at := a.c.ev, a.st.Span
	optional := func(name string) code {
		if e := a.named(name); e != nil {
			return a.c.expr(e)
		}
		return nil
	}
	label, edges, empties := optional("label"), optional("edges"), optional("empties")
	marker := a.first("segment.marker-required")
	list := a.segmentLabels()
	return func(fr *frame, in *stream) (*stream, error) {
		var args segmentArgs
		if label != nil {
			v, err := label(fr)
			if err != nil {
				return nil, err
			}
			if args.label, err = labelFunction(v, a.named("label").Span()); err != nil {
				return nil, err
			}
		}
		if edges == nil {
			return nil, fail(at, "segment.edges-required")
		}
		if empties == nil {
			return nil, fail(at, "segment.empties-required")
		}
		var err error
		if args.edges, err = a.labelArg(fr, edges, "edges"); err != nil {
			return nil, err
		}
		if args.empties, err = a.labelArg(fr, empties, "empties"); err != nil {
			return nil, err
		}
		v, err := marker(fr)
		if err != nil {
			return nil, err
		}
		if args.marker, err = ev.stream(v, "", a.span(0)); err != nil {
			return nil, err
		}
		if list != nil {
			args.hasLabels = true
			if err := list(fr, &args); err != nil {
				return nil, err
			}
		}
		return ev.segmentBy(at, in, args)
	}
}

// labelArg evaluates an argument that is a word. It says how to divide, and nothing of the points that a filter around this
// may be asking about, so that their zone does not matter.
func (a *stageArgs) labelArg(fr *frame, run code, name string) (string, error) {
	ev := a.c.ev
	outer := ev.pred
	ev.pred = nil
	v, err := run(fr)
	ev.pred = outer
	if err != nil {
		return "", err
	}
	return asLabel(v, a.named(name).Span())
}

// segmentLabels compiles the `labels:` argument: a list, or a list that repeats from an anchor.
func (a *stageArgs) segmentLabels() func(fr *frame, args *segmentArgs) error {
	e := a.named("labels")
	if e == nil {
		return nil
	}
	at := e.Span()
	var anchor code
	if cl, ok := e.(*CycleLabels); ok {
		e, anchor = cl.List, a.c.expr(cl.Anchor)
	}
	list := a.c.expr(e)
	return func(fr *frame, args *segmentArgs) error {
		args.labelSpan, args.cycle = at, anchor != nil
		args.evaluate = func(args *segmentArgs) error {
			v, err := list(fr)
			if err != nil {
				return err
			}
			if v.kind != kindList {
				return fail(at, "segment.labels-kind", v.kind)
			}
			args.labels = v.ref.([]value)
			if anchor == nil || len(args.labels) == 0 {
				return nil
			}
			if v, err = anchor(fr); err != nil {
				return err
			}
			args.anchor, err = asPoint(v, at)
			return err
		}
		return nil
	}
}
