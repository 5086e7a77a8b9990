package kairos

// sugar compiles a stage that the program or a premise defines. Its name is looked up when the stage first runs; local
// names do not count.
func (c *compiler) sugar(st *Stage) step {
	ev := c.ev
	var run step
	return func(fr *frame, in *stream) (*stream, error) {
		if run == nil {
			d, root, err := ev.lookup(st.Span, st.Name, c.sc)
			if err != nil {
				return nil, err
			}
			if d == nil {
				return nil, fail(st.Span, "name.unknown-stage", st.Name, nearest(st.Name, ev.stageNames(c.sc)), ev.aboutName(st.Name))
			}
			sc := c.sc
			if root != nil {
				sc = ev.scopeOf(root, sc.members)
			}
			run = c.callStage(st, d, ev.body(d, sc))
		}
		return run(fr, in)
	}
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
		if ev.depth++; ev.depth > ev.opts.Limits.Depth {
			ev.depth--
			return nil, fail(st.Span, "limit.depth", ev.opts.Limits.Depth)
		}
		defer func() { ev.depth-- }()
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
		if n, ok := e.Fn.(*NameRef); ok {
			return c.stage(&Stage{Span: e.span, Name: n.Name, HasArgs: true, Args: e.Args})
		}
	case *NameRef:
		return c.stage(&Stage{Span: e.span, Name: e.Name})
	}
	return refusing(fail(at, "sugar.not-transform"))
}
