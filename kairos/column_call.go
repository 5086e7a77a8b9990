package kairos

import "slices"

// call compiles a call by columns: a projection, a function that is compiled in place, or a binding that reads a label.
// What a name means is found out when the first point needs it.
func (c *columnCompiler) call(e *Call) columnCode {
	n, bare := e.Fn.(*NameRef)
	if bare {
		switch n.Name {
		case "external":
			return nil
		case "ordinalIn":
			return c.ordinalIn(e)
		case "epochOrdinal":
			return c.epochOrdinal(e)
		case "coincides":
			return c.coincides(e)
		case "isOpen":
			if c.c.sc.members.has("calendar") {
				return nil
			}
		}
	}
	if c.depends(e.Fn) {
		return nil
	}
	args := make([]columnCode, len(e.Args))
	for i, a := range e.Args {
		if args[i] = c.expr(a.Value); args[i] == nil {
			return nil
		}
	}
	var run columnCode
	return func(b *block, sel []int32) (column, error) {
		if len(sel) == 0 {
			return column{}, nil
		}
		if run == nil {
			found, err := c.callee(e, args)
			b.came.came(sel[0])
			if err != nil {
				err = placed(err, e.span)
				for _, i := range sel {
					b.drop(i, err)
				}
				return column{}, nil
			}
			if found == nil {
				return column{}, errScalar
			}
			run = found
		}
		if err := b.ev.step(int64(len(sel))); err != nil {
			return column{}, err
		}
		before := b.failed
		col, err := run(b, sel)
		if b.failed != before {
			for _, i := range sel {
				if b.failure[i] != nil {
					placed(b.failure[i], e.span)
				}
			}
		}
		return col, err
	}
}

// callee finds what a call applies and compiles the application; nil when it has no form by columns.
func (c *columnCompiler) callee(e *Call, args []columnCode) (columnCode, error) {
	ev := c.ev
	if n, ok := e.Fn.(*NameRef); ok {
		if _, _, local := c.c.loc.find(n.Name); !local && !(reservedWord(n.Name) && c.c.sc.members.has("calendar")) {
			d, root, err := ev.lookup(n.span, n.Name, c.c.sc)
			if err != nil {
				return nil, err
			}
			if d != nil && len(d.Params) > 0 {
				sc := c.c.sc
				if root != nil {
					sc = ev.scopeOf(root, sc.members)
				}
				b := ev.body(d, sc)
				for _, a := range e.Args {
					if a.Name != "" {
						return nil, nil
					}
				}
				if len(args) != len(d.Params) || c.c.calls(e.span, b) != nil {
					return nil, nil // point by point the error is the same
				}
				return c.inline(b.compiler(ev), nil, d.Params, d.Value, d.Value, args), nil
			}
		}
	}
	f, err := c.c.expr(e.Fn)(c.fr)
	if err != nil {
		return nil, err
	}
	if f.kind == kindLambda {
		l := f.ref.(*lambda)
		if l.def != nil {
			return c.inline(l.def.compiler(ev), nil, l.def.d.Params, l.def.d.Value, l.def.d.Value, args), nil
		}
		if l.code.guard.active {
			return nil, nil
		}
		return c.inline(l.code.c, l.outer, l.code.e.Params, l.code.e.Body, l.code.e, args), nil
	}
	if len(args) != 1 {
		return nil, nil
	}
	name := ""
	if n, ok := e.Fn.(*NameRef); ok {
		name = n.Name
	}
	return c.label(&application{ev: ev, at: e.span, name: name}, f, args[0]), nil
}

// inline compiles the text of a function with its parameters in registers.
func (c *columnCompiler) inline(in *compiler, outer *frame, params []Param, text, key Expr, args []columnCode) columnCode {
	const deepest = 40
	if len(args) < len(params) || len(c.inside) > deepest || slices.Contains(c.inside, key) {
		return nil
	}
	inner := &columnCompiler{ev: c.ev, c: in, fr: &frame{vals: make([]value, len(params)), up: outer}, inside: append(slices.Clone(c.inside), key), room: c.room}
	for _, p := range params {
		inner.regs = append(inner.regs, &register{name: p.Name})
	}
	more := measureOf(text).steps() - 1 // the call itself is accounted for
	// A parameter that holds the points themselves can be read as such; what an argument is shows when it is evaluated.
	var run columnCode
	return func(b *block, sel []int32) (column, error) {
		for i, arg := range args {
			before := b.failed
			col, err := arg(b, sel)
			if err != nil {
				return col, err
			}
			if i < len(inner.regs) {
				inner.regs[i].col, inner.regs[i].points = col, col.kind == columnPoints
			}
			sel = b.alive(sel, before)
		}
		if len(sel) == 0 {
			return column{}, nil
		}
		if err := b.ev.step(int64(len(sel)) * more); err != nil {
			return column{}, err
		}
		if run == nil {
			if run = inner.expr(text); run == nil {
				return column{}, errScalar
			}
		}
		return run(b, sel)
	}
}

// label compiles the reading of a label of the points' windows: of a cycle, or of windows with labels.
func (c *columnCompiler) label(a *application, f value, arg columnCode) columnCode {
	switch f.kind {
	case kindCycle:
		return a.cycleColumn(f.ref.(*cycle), arg)
	case kindWindows:
		if w := f.ref.(*windows); w.label != nil {
			return a.labelColumn(labels{fn: w.label}, w.spans, w.grain, nil, arg, 0)
		}
	case kindStream:
		if s := f.ref.(*stream); len(s.levels) > 0 {
			if top := s.levels[len(s.levels)-1]; !top.labels.none() {
				bound := boundWithin(top.lost, top.spans)
				if c.ev.cut(bound) {
					return nil
				}
				c.ev.reading(top.spans, top.notes)
				return a.labelColumn(top.labels, top.spans, top.grain, top.notes, arg, bound)
			}
		}
	}
	return nil
}

func (a *application) cycleColumn(cy *cycle, arg columnCode) columnCode {
	codes := make([]int32, blockSize)
	n := int32(len(cy.labels))
	shift := int32(cy.anchor % len(cy.labels))
	a.seat.what = "cycle"
	return func(b *block, sel []int32) (column, error) {
		col, err := arg(b, sel)
		if err != nil || col.kind != columnPoints {
			return col, orScalar(err)
		}
		if err := a.seat.check(b.ev, a.at, cy.grain); err != nil {
			return col, errScalar
		}
		w := b.in(cy.spans)
		for _, i := range sel {
			if w[i] < 0 {
				b.drop(i, fail(a.at, "apply.cycle-outside", b.ev.format(b.pts[i]), a.title("")))
				continue
			}
			k := (w[i] - shift) % n
			if k < 0 {
				k += n
			}
			codes[i] = k
		}
		return column{kind: columnCodes, codes: codes, dict: cy.labels}, nil
	}
}

func orScalar(err error) error {
	if err == nil {
		return errScalar
	}
	return err
}

// labelColumn reads the labels of windows, which it looks at once for each window; they are right from bound on.
func (a *application) labelColumn(l labels, s *spans, grain align, notes []note, arg columnCode, bound int64) columnCode {
	const most = 4096 // values that a column's codes tell apart
	codes := make([]int32, blockSize)
	var dict []value
	a.seat.what = "label"
	window, code := int32(-1), int32(0)
	var failure error
	return func(b *block, sel []int32) (column, error) {
		col, err := arg(b, sel)
		if err != nil || col.kind != columnPoints {
			return col, orScalar(err)
		}
		if a.seat.check(b.ev, a.at, grain) != nil || l.fn != nil && l.fn.labelling {
			return col, errScalar
		}
		b.behindBlock(bound, sel)
		w := b.in(s)
		for _, i := range sel {
			if w[i] < 0 {
				which := "apply.labels-outside"
				if l.fn != nil {
					which = "apply.label-outside"
				}
				b.drop(i, b.ev.missing(a.at, b.pts[i], notes, which, a.title("")))
				continue
			}
			if w[i] != window {
				var v value
				window = w[i]
				v, failure = a.labelOf(l, s, int(window), notes)
				b.came.came(i)
				if failure == nil {
					if err := b.ev.comparing(v, len(dict)); err != nil {
						return col, err
					}
					if code = codeOf(dict, v); code < 0 {
						if len(dict) >= most {
							return col, errScalar
						}
						code = int32(len(dict))
						dict = append(dict, v)
					}
				}
			}
			if failure != nil {
				b.drop(i, failure)
				continue
			}
			codes[i] = code
		}
		return column{kind: columnCodes, codes: codes, dict: dict}, nil
	}
}

// codeOf finds a value in a list, or gives -1. Labels mostly come again soon, so the search begins at the end.
func codeOf(dict []value, v value) int32 {
	for k := len(dict) - 1; k >= 0; k-- {
		if same(dict[k], v) {
			return int32(k)
		}
	}
	return -1
}
