package kairos

// Many predicates ask for nothing but the label of one cycle: weekday(d) == Sat or weekday(d) == Sun. Such a part of a
// predicate is decided once for each label.

// keyed compiles a truth value that depends on the points through the label of one cycle alone; nil when it does not.
func (c *columnCompiler) keyed(e Expr) columnCode {
	call := c.key(e)
	if call == nil {
		return nil
	}
	arg := c.expr(call.Args[0].Value)
	plain := c.plain(e)
	out := make([]bool, blockSize)
	var cy *cycle
	var table []bool
	var seat seat
	given := false // the callee is no cycle, or a part fails: the general form decides
	return func(b *block, sel []int32) (column, error) {
		if len(sel) == 0 {
			return column{kind: columnBools, bools: out}, nil
		}
		if !given && cy == nil {
			if cy, table = c.decide(e, call); cy == nil {
				given = true
			}
			b.came.came(sel[0])
			seat.what = "cycle"
		}
		if given {
			if plain == nil {
				return column{}, errScalar
			}
			return plain(b, sel)
		}
		col, err := arg(b, sel)
		if err != nil || col.kind != columnPoints {
			return col, orScalar(err)
		}
		if seat.check(b.ev, call.span, cy.grain) != nil {
			return col, errScalar
		}
		n := int32(len(cy.labels))
		shift := int32(cy.anchor % len(cy.labels))
		last, k := int32(-2), int32(0)
		windows := b.in(cy.spans)
		for _, i := range sel {
			w := windows[i]
			switch {
			case w == last:
			case w < 0:
				b.drop(i, fail(call.span, "apply.cycle-outside", b.ev.format(b.pts[i]), call.Fn.(*NameRef).Name))
				continue
			case w == last+1:
				if k++; k == n {
					k = 0
				}
			default:
				if k = (w - shift) % n; k < 0 {
					k += n
				}
			}
			last = w
			out[i] = table[k]
		}
		return column{kind: columnBools, bools: out}, nil
	}
}

// key gives the one call, by text, through which a truth value depends on the points; nil when there is not just one.
func (c *columnCompiler) key(e Expr) *Call {
	var found *Call
	single := true
	var visit func(e Expr, truth bool)
	visit = func(e Expr, truth bool) {
		if !c.depends(e) {
			return
		}
		switch e := e.(type) {
		case *Binary:
			switch e.Op {
			case "and", "or":
				visit(e.L, true)
				visit(e.R, true)
				return
			case "==", "!=":
				visit(e.L, false)
				visit(e.R, false)
				return
			case "in":
				visit(e.L, false)
				single = single && !c.depends(e.R)
				return
			}
		case *Unary:
			if e.Op == "not" {
				visit(e.X, true)
				return
			}
		case *Call:
			fn, ok := e.Fn.(*NameRef)
			if !ok || truth || len(e.Args) != 1 || c.register(fn.Name) != nil || coreWords[fn.Name] {
				break
			}
			arg, ok := e.Args[0].Value.(*NameRef)
			if !ok {
				break
			}
			if found == nil {
				found = e
				return
			}
			if found.Fn.(*NameRef).Name == fn.Name && found.Args[0].Value.(*NameRef).Name == arg.Name {
				return
			}
		}
		single = false
	}
	visit(e, true)
	if !single {
		return nil
	}
	return found
}

// decide evaluates a truth value for each label of the cycle that it asks for; without a cycle when that cannot be done.
func (c *columnCompiler) decide(e Expr, call *Call) (*cycle, []bool) {
	v, err := c.c.expr(call.Fn)(c.fr)
	if err != nil || v.kind != kindCycle {
		return nil, nil
	}
	cy := v.ref.(*cycle)
	table := make([]bool, len(cy.labels))
	fixed := map[Expr]value{}
	for k, label := range cy.labels {
		b, ok := c.decideFor(e, label, fixed)
		if !ok || b.kind != kindBool {
			return nil, nil
		}
		table[k] = b.int != 0
	}
	return cy, table
}

// decideFor evaluates e with the label in place of the call.
func (c *columnCompiler) decideFor(e Expr, label value, fixed map[Expr]value) (value, bool) {
	if !c.depends(e) {
		if v, ok := fixed[e]; ok {
			return v, true
		}
		v, err := c.c.expr(e)(c.fr)
		fixed[e] = v
		return v, err == nil
	}
	switch e := e.(type) {
	case *Call:
		return label, true
	case *Unary:
		v, ok := c.decideFor(e.X, label, fixed)
		return boolean(v.int == 0), ok && v.kind == kindBool
	case *Binary:
		l, ok := c.decideFor(e.L, label, fixed)
		if !ok {
			return value{}, false
		}
		if e.Op == "and" || e.Op == "or" {
			if l.kind != kindBool {
				return value{}, false
			}
			if (l.int != 0) == (e.Op == "or") {
				return l, true
			}
			r, ok := c.decideFor(e.R, label, fixed)
			return r, ok && r.kind == kindBool
		}
		r, ok := c.decideFor(e.R, label, fixed)
		switch {
		case !ok:
			return value{}, false
		case e.Op == "==":
			return boolean(same(l, r)), true
		case e.Op == "!=":
			return boolean(!same(l, r)), true
		case r.kind == kindList:
			for _, x := range r.ref.([]value) {
				if same(l, x) {
					return boolean(true), true
				}
			}
			return boolean(false), true
		}
	}
	return value{}, false
}
