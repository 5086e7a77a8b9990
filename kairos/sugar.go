package kairos

// sugar compiles a stage that the program or a premise defines. Its name is looked up when the stage first runs; local
// names do not count.
func (c *compiler) sugar(st *Stage) step {
	ev := c.ev
	var run step
	return func(fr *frame, in *stream) (*stream, error) {
		if run == nil {
			d, root, err := ev.stageWord(st, c.sc)
			if err != nil {
				return nil, err
			}
			if d == nil {
				return nil, fail(st.Span, "name.unknown-stage", st.Name, nearest(st.Name, ev.stageNames(c.sc)), ev.aboutName(st.Name))
			}
			sc := c.sc
			if root != nil {
				m := sc.members
				if st.Premise != "" {
					m = ev.overlay(m, root)
				}
				sc = ev.scopeOf(root, m)
			}
			run = c.callStage(st, d, ev.body(d, sc))
		}
		return run(fr, in)
	}
}

// stageWord finds the definition of a stage. A qualified one is that of its premise, evaluated as that premise itself.
func (ev *evaluation) stageWord(st *Stage, sc *scope) (d *Binding, root *premise, err error) {
	if st.Premise == "" {
		return ev.lookup(st.Span, st.Name, sc)
	}
	if root = ev.premises[st.Premise]; root == nil {
		return nil, nil, fail(st.Span, "premise.undefined", st.Premise, nearest(st.Premise, ev.premiseNames()), aside{})
	}
	if d, _ = root.find(st.Name); d == nil {
		return nil, nil, fail(st.Span, "name.qualified-undefined", st.Premise, st.Name, nearest(st.Name, wordsOf(root)))
	}
	return d, root, nil
}

// callStage binds a stage's arguments to a definition's parameters and compiles the definition as a transformation.
func (c *compiler) callStage(st *Stage, d *Binding, b *body) step {
	ev := c.ev
	args := c.parameters(d, st.Args, st.Span)
	circular := c.calls(st.Span, b)
	var run step
	return func(fr *frame, in *stream) (*stream, error) {
		vals, err := args(fr)
		if err != nil {
			return nil, err
		}
		if circular != nil {
			return nil, circular
		}
		if err := ev.enterCall(st.Span, b.size); err != nil {
			return nil, err
		}
		defer ev.leaveCall(b.size)
		if run == nil {
			run = b.compiler(ev).transform(d.Value, st.Span)
		}
		return run(&frame{vals: vals}, in)
	}
}

// transform compiles the text of a definition as something that is done to a stream: a function of it, stages, or the
// name or call of a stage.
func (c *compiler) transform(e Expr, at Span) step {
	ev := c.ev
	switch e := e.(type) {
	case *Lambda:
		make := c.lambda(e)
		return func(fr *frame, in *stream) (*stream, error) {
			f, err := make(fr)
			if err != nil {
				return nil, err
			}
			v, err := ev.call(at, f.ref.(*lambda), "", value{kind: kindStream, ref: in})
			if err != nil {
				return nil, err
			}
			return ev.stream(v, "", e.Body.Span())
		}
	case *Pipe:
		head, rest := c.transform(e.Head, at), c.steps(e.Stages, false)
		return func(fr *frame, in *stream) (*stream, error) {
			s, err := head(fr, in)
			if err != nil {
				return nil, err
			}
			return rest(fr, s)
		}
	case *Call:
		switch n := e.Fn.(type) {
		case *NameRef:
			return c.stage(&Stage{Span: e.span, Name: n.Name, HasArgs: true, Args: e.Args})
		case *QualifiedRef:
			return c.stage(&Stage{Span: e.span, Premise: n.Premise, Name: n.Name, HasArgs: true, Args: e.Args})
		}
	case *NameRef:
		return c.stage(&Stage{Span: e.span, Name: e.Name})
	case *QualifiedRef:
		return c.stage(&Stage{Span: e.span, Premise: e.Premise, Name: e.Name})
	}
	return refusing(fail(at, "sugar.not-transform"))
}
