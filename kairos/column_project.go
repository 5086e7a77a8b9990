package kairos

// projection is a call that reads the windows of a point: the values of its other arguments, found when the first point
// needs them.
type projection struct {
	seat  seat
	fixed []code     // all arguments but the last
	arg   columnCode // the last, which must be the points themselves
	ready bool
}

// projection compiles the arguments of a call of n; nil when it has no form by columns: when the other arguments depend on
// the points.
func (c *columnCompiler) projection(e *Call, n int, what string) *projection {
	if len(e.Args) != n {
		return nil
	}
	p := &projection{seat: seat{what: what}, fixed: make([]code, n-1)}
	for i := range p.fixed {
		if c.depends(e.Args[i].Value) {
			return nil
		}
		p.fixed[i] = c.c.expr(e.Args[i].Value)
	}
	if p.arg = c.expr(e.Args[n-1].Value); p.arg == nil {
		return nil
	}
	return p
}

// begin evaluates the fixed arguments once, by setup, and then the last; it fails the whole selection when setup fails. It
// gives false when no point is left.
func (p *projection) begin(b *block, sel []int32, setup func() error) (bool, error) {
	if len(sel) == 0 {
		return false, nil
	}
	if !p.ready {
		n := len(b.ev.warnings)
		err := setup()
		again := b.ev.warnsAgain(n)
		b.came.came(sel[0])
		if again {
			return false, errScalar
		}
		if err != nil {
			for _, i := range sel {
				b.drop(i, err)
			}
			return false, nil
		}
		p.ready = true
	}
	col, err := p.arg(b, sel)
	if err != nil || col.kind != columnPoints {
		return false, orScalar(err)
	}
	return true, nil
}

// ordinalIn by columns; see compiler.ordinalIn.
func (c *columnCompiler) ordinalIn(e *Call) columnCode {
	p := c.projection(e, 3, "ordinalIn")
	if p == nil {
		return nil
	}
	var in *ordinalWindows
	out := make([]float64, blockSize)
	framed, first := int32(-1), 0
	var framedErr error
	known := int32(-1)
	var knownErr error
	setup := func() error {
		u, err := p.fixed[0](c.fr)
		if err != nil {
			return err
		}
		w, err := p.fixed[1](c.fr)
		if err != nil {
			return err
		}
		in, err = c.ev.ordinalWindows(e, &p.seat, u, w)
		return err
	}
	return func(b *block, sel []int32) (column, error) {
		ev := b.ev
		col := column{kind: columnNums, nums: out}
		if len(sel) > 0 && !p.ready {
			if err := ev.step(1); err != nil {
				return col, err
			}
		}
		if some, err := p.begin(b, sel, setup); !some {
			return col, err
		}
		b.behindBlock(in.bound, sel)
		ui, wi := b.in(in.units), b.in(in.frames)
		for _, i := range sel {
			w, u := wi[i], ui[i]
			if w < 0 {
				b.drop(i, ev.missing(e.span, b.pts[i], in.frameNotes, "ordinalIn.outside-frame"))
				continue
			}
			if u < 0 {
				b.drop(i, ev.missing(e.span, b.pts[i], in.unitNotes, "ordinalIn.outside-unit"))
				continue
			}
			if w != framed {
				framed = w
				framedErr = ev.known(e.span, in.frames.at(int(w)), in.frameNotes)
				if framedErr == nil && in.offGrid(in.frames.start[w]) {
					// The unit's own window is checked before the grid; one by one the order comes out right.
					return col, errScalar
				}
				first = in.firstUnit(int(w))
			}
			if framedErr != nil {
				b.drop(i, framedErr)
				continue
			}
			if len(in.unitNotes) > 0 {
				if u != known {
					known, knownErr = u, ev.known(e.span, in.units.at(int(u)), in.unitNotes)
				}
				if knownErr != nil {
					b.drop(i, knownErr)
					continue
				}
			}
			out[i] = float64(int(u) - min(first, int(u)) + 1)
		}
		return col, nil
	}
}

// epochOrdinal by columns; see compiler.epochOrdinal.
func (c *columnCompiler) epochOrdinal(e *Call) columnCode {
	p := c.projection(e, 2, "epochOrdinal")
	if p == nil {
		return nil
	}
	var us *spans
	var notes []note
	whole := false
	out := make([]float64, blockSize)
	setup := func() error {
		u, err := p.fixed[0](c.fr)
		if err != nil {
			return err
		}
		if err := p.seat.check(c.ev, e.span, grainOf(u)); err != nil {
			return err
		}
		if us, err = spansOf(u, e.Args[0].Span); err != nil {
			return err
		}
		whole = u.kind == kindStream && c.ev.floor != minusInf
		notes = windowNotes(u)
		return nil
	}
	return func(b *block, sel []int32) (column, error) {
		col := column{kind: columnNums, nums: out}
		if some, err := p.begin(b, sel, setup); !some {
			return col, err
		}
		if whole {
			return col, errWhole
		}
		w := b.in(us)
		for _, i := range sel {
			if w[i] < 0 {
				b.drop(i, b.ev.missing(e.span, b.pts[i], notes, "epochOrdinal.outside"))
				continue
			}
			if len(notes) > 0 {
				if err := b.ev.known(e.span, us.at(int(w[i])), notes); err != nil {
					b.drop(i, err)
					continue
				}
			}
			out[i] = float64(w[i])
		}
		return col, nil
	}
}

// coincides by columns; see compiler.coincides.
func (c *columnCompiler) coincides(e *Call) columnCode {
	p := c.projection(e, 3, "")
	if p == nil {
		return nil
	}
	var m *meeting
	var ws *spans
	var notes []note
	var bound int64
	out := make([]bool, blockSize)
	window, answer := int32(-1), false
	var failure error
	setup := func() error {
		sv, err := p.fixed[0](c.fr)
		if err != nil {
			return err
		}
		if m, err = c.ev.meeting(e, sv); err != nil {
			return err
		}
		wv, err := p.fixed[1](c.fr)
		if err != nil {
			return err
		}
		if ws, err = meetingWindows(e, wv); err != nil {
			return err
		}
		notes = windowNotes(wv)
		if err := m.checkZone(e, wv); err != nil {
			return err
		}
		bound, err = c.ev.meetingBound(m, wv, ws)
		return err
	}
	return func(b *block, sel []int32) (column, error) {
		col := column{kind: columnBools, bools: out}
		if some, err := p.begin(b, sel, setup); !some {
			return col, err
		}
		b.behindBlock(bound, sel)
		w := b.in(ws)
		for _, i := range sel {
			if w[i] < 0 {
				b.drop(i, b.ev.missing(e.span, b.pts[i], notes, "coincides.outside"))
				continue
			}
			if w[i] != window {
				window = w[i]
				answer, failure = b.ev.meets(e.span, m, ws.at(int(window)), notes)
			}
			if failure != nil {
				b.drop(i, failure)
				continue
			}
			out[i] = answer
		}
		return col, nil
	}
}
