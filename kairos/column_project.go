package kairos

import "sort"

// projection is a call that reads the windows of a point: the values of its other arguments, found when the first point
// needs them.
type projection struct {
	c     *columnCompiler
	e     *Call
	seat  seat
	ready bool
}

// fixedArgs compiles all arguments but the last, which must not depend on the points; nil when one does.
func (c *columnCompiler) fixedArgs(e *Call, n int) []code {
	if len(e.Args) != n {
		return nil
	}
	out := make([]code, n-1)
	for i := range out {
		if c.depends(e.Args[i].Value) {
			return nil
		}
		out[i] = c.c.expr(e.Args[i].Value)
	}
	return out
}

// begin evaluates the fixed arguments once; it fails the whole selection when one fails.
func (p *projection) begin(b *block, sel []int32, setup func() error) bool {
	if p.ready || len(sel) == 0 {
		return len(sel) > 0
	}
	if err := setup(); err != nil {
		for _, i := range sel {
			b.drop(i, err)
		}
		return false
	}
	p.ready = true
	return true
}

// ordinalIn by columns; see compiler.ordinalIn.
func (c *columnCompiler) ordinalIn(e *Call) columnCode {
	fixed := c.fixedArgs(e, 3)
	if fixed == nil {
		return nil
	}
	arg := c.expr(e.Args[2].Value)
	if arg == nil {
		return nil
	}
	p := &projection{c: c, e: e, seat: seat{what: "ordinalIn"}}
	var us, ws *spans
	var ugrain, wgrain align
	var unotes, wnotes []note
	out := make([]float64, blockSize)
	framed, first := int32(-1), 0
	var framedErr error
	known := int32(-1)
	var knownErr error
	setup := func() error {
		u, err := fixed[0](c.fr)
		if err != nil {
			return err
		}
		w, err := fixed[1](c.fr)
		if err != nil {
			return err
		}
		ugrain, wgrain = grainOf(u), grainOf(w)
		if err := checkZone(e.span, "ordinalIn", ugrain, wgrain); err != nil {
			return err
		}
		if err := p.seat.check(c.ev, e.span, wgrain); err != nil {
			return err
		}
		if us, err = spansOf(u, e.Args[0].Span); err != nil {
			return err
		}
		if ws, err = spansOf(w, e.Args[1].Span); err != nil {
			return err
		}
		unotes, wnotes = windowNotes(u), windowNotes(w)
		return nil
	}
	return func(b *block, sel []int32) (column, error) {
		ev := b.ev
		if len(sel) > 0 && !p.ready {
			if err := ev.step(1); err != nil {
				return column{}, err
			}
		}
		if !p.begin(b, sel, setup) {
			return column{kind: columnNums, nums: out}, nil
		}
		col, err := arg(b, sel)
		if err != nil || col.kind != columnPoints {
			return col, orScalar(err)
		}
		ui, wi := b.in(us), b.in(ws)
		for _, i := range sel {
			w, u := wi[i], ui[i]
			if w < 0 {
				b.drop(i, ev.missing(e.span, b.pts[i], wnotes, "ordinalIn.outside-frame"))
				continue
			}
			if u < 0 {
				b.drop(i, ev.missing(e.span, b.pts[i], unotes, "ordinalIn.outside-unit"))
				continue
			}
			if w != framed {
				framed = w
				start := ws.start[w]
				framedErr = ev.known(e.span, ws.at(int(w)), wnotes)
				if framedErr == nil && ugrain.kind == alignElapsed && floorMod(start-ugrain.phase, ugrain.step) != 0 {
					// The unit's own window is checked before the grid; one by one the order comes out right.
					return col, errScalar
				}
				first = sort.Search(len(us.start), func(k int) bool { return us.start[k] >= start })
			}
			if framedErr != nil {
				b.drop(i, framedErr)
				continue
			}
			if len(unotes) > 0 {
				if u != known {
					known, knownErr = u, ev.known(e.span, us.at(int(u)), unotes)
				}
				if knownErr != nil {
					b.drop(i, knownErr)
					continue
				}
			}
			out[i] = float64(int(u) - min(first, int(u)) + 1)
		}
		return column{kind: columnNums, nums: out}, nil
	}
}

// epochOrdinal by columns; see compiler.epochOrdinal.
func (c *columnCompiler) epochOrdinal(e *Call) columnCode {
	fixed := c.fixedArgs(e, 2)
	if fixed == nil {
		return nil
	}
	arg := c.expr(e.Args[1].Value)
	if arg == nil {
		return nil
	}
	p := &projection{c: c, e: e, seat: seat{what: "epochOrdinal"}}
	var us *spans
	var notes []note
	whole := false
	out := make([]float64, blockSize)
	setup := func() error {
		u, err := fixed[0](c.fr)
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
		if !p.begin(b, sel, setup) {
			return column{kind: columnNums, nums: out}, nil
		}
		col, err := arg(b, sel)
		if err != nil || col.kind != columnPoints {
			return col, orScalar(err)
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
		return column{kind: columnNums, nums: out}, nil
	}
}

// coincides by columns; see compiler.coincides.
func (c *columnCompiler) coincides(e *Call) columnCode {
	fixed := c.fixedArgs(e, 3)
	if fixed == nil {
		return nil
	}
	arg := c.expr(e.Args[2].Value)
	if arg == nil {
		return nil
	}
	p := &projection{c: c, e: e}
	m := &meeting{}
	var ws *spans
	var notes []note
	out := make([]bool, blockSize)
	window, answer := int32(-1), false
	var failure error
	setup := func() error {
		sv, err := fixed[0](c.fr)
		if err != nil {
			return err
		}
		if sv.kind == kindWindows {
			return fail(e.Args[0].Span, "coincides.window-S")
		}
		if m.s, err = c.ev.stream(sv, "", e.Args[0].Span); err != nil {
			return err
		}
		wv, err := fixed[1](c.fr)
		if err != nil {
			return err
		}
		if wv.kind == kindCycle {
			return fail(e.Args[1].Span, "coincides.cycle-w")
		}
		if ws, err = spansOf(wv, e.Args[1].Span); err != nil {
			return err
		}
		if g := grainOf(wv); m.s.align.kind == alignCivil && g.kind == alignCivil && m.s.align.zone != g.zone {
			return fail(e.span, "align.coincides-tz", m.s.align.zone, g.zone)
		}
		notes = windowNotes(wv)
		return nil
	}
	return func(b *block, sel []int32) (column, error) {
		if !p.begin(b, sel, setup) {
			return column{kind: columnBools, bools: out}, nil
		}
		col, err := arg(b, sel)
		if err != nil || col.kind != columnPoints {
			return col, orScalar(err)
		}
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
		return column{kind: columnBools, bools: out}, nil
	}
}
