package kairos

import "math"

// code is a compiled expression: a closure that gives its value in a frame of local values.
type code func(fr *frame) (value, error)

// frame holds the arguments of one call; up is the frame of the text around the lambda.
type frame struct {
	vals []value
	up   *frame
}

// locals are the names of a frame's values, as known when code is compiled.
type locals struct {
	names []string
	up    *locals
}

// find gives how many frames up a name is, and where in it.
func (l *locals) find(name string) (depth, index int, ok bool) {
	for ; l != nil; l = l.up {
		for i := len(l.names) - 1; i >= 0; i-- {
			if l.names[i] == name {
				return depth, i, true
			}
		}
		depth++
	}
	return 0, 0, false
}

// compiler turns expressions into code for one scope and one set of local names. Names are looked up when the code first
// needs them, since a branch that is not taken must not fail, and then kept.
type compiler struct {
	ev   *evaluation
	sc   *scope
	loc  *locals
	unit *body // the parametrised definition whose text this is; nil outside of one
	// mentions keeps for parts of the text whether they mention a local name, which each part around them asks again.
	mentions map[Expr]bool
	final    *Pipe // the whole of a body expression, of which only the points within the range are asked for
	// external is set for the text of a premise's definition, where data from outside may be declared.
	external *externalPlace
}

// expr compiles an expression.
func (c *compiler) expr(e Expr) code {
	ev := c.ev
	switch e := e.(type) {
	case *NumberLit:
		return constant(number(e.Value))
	case *StringLit:
		return constant(text(e.Value))
	case *TimeLit:
		return constant(value{kind: kindTime, int: e.Time})
	case *WidthLit:
		return constant(value{kind: kindWidth, ref: e})
	case *DateLit:
		return c.kept(e, func(*frame) (value, error) {
			z, err := ev.scopeZone(e.span, c.sc)
			if err != nil {
				return value{}, err
			}
			ms, err := ev.anchorDate(e, z)
			return point(ms), err
		})
	case *NameRef:
		return c.name(e.Name, e.span)
	case *Wildcard:
		return c.name("_", e.span)
	case *QualifiedRef:
		return c.kept(e, func(*frame) (value, error) { return ev.qualified(e, c.sc) })
	case *Lambda:
		return c.lambda(e)
	case *ListLit:
		return c.kept(e, c.list(e))
	case *Index:
		return c.index(e)
	case *Unary:
		return c.unary(e)
	case *Binary:
		return c.binary(e)
	case *Cond:
		cond, then, other := c.test(e.C), c.expr(e.Then), c.expr(e.Else)
		return func(fr *frame) (value, error) {
			ok, err := cond(fr)
			if err != nil {
				return value{}, err
			}
			if ok {
				return then(fr)
			}
			return other(fr)
		}
	case *Call:
		return c.keptPoints(e, c.call(e))
	case *Pipe:
		return c.kept(e, c.pipe(e))
	case *Combine:
		return c.kept(e, c.combine(e))
	case *Generate:
		return c.kept(e, c.generate(e))
	}
	return func(*frame) (value, error) { return value{}, fail(e.Span(), "value.not-value") }
}

func constant(v value) code { return func(*frame) (value, error) { return v, nil } }

// kept makes code keep its value when the expression depends on no local name: an expression has one value in one scope.
// Warnings come again with every use, as if it had been evaluated again; except those of the names in it.
func (c *compiler) kept(e Expr, run code) code { return c.keep(e, run, false) }

// keptPoints is kept for values that hold points, such as the days of month(7) within a predicate. What else a call gives
// may depend on the filter around it, since zones are compared with that.
func (c *compiler) keptPoints(e Expr, run code) code { return c.keep(e, run, true) }

func (c *compiler) keep(e Expr, run code, pointsOnly bool) code {
	if c.usesLocals(e) {
		return run
	}
	var kept value
	var warnings []Warning
	done := false
	ev := c.ev
	return func(fr *frame) (value, error) {
		if done {
			if len(warnings) > 0 {
				const weight = 6 // of a warning's six words, in points
				if err := ev.hold(weight * len(warnings)); err != nil {
					return value{}, err
				}
				ev.kept++
				ev.warnings = append(ev.warnings, warnings...)
			}
			return kept, nil
		}
		n := len(ev.warnings)
		v, err := run(fr)
		if err != nil {
			return v, err
		}
		if pointsOnly && v.kind != kindStream && v.kind != kindWindows {
			return v, nil
		}
		kept, warnings, done = v, nil, true
		for _, w := range ev.warnings[n:] {
			if !w.once {
				warnings = append(warnings, w)
			}
		}
		ev.kept++
		return v, nil
	}
}

// usesLocals says whether e mentions a local name; a name that a lambda inside e binds again counts too.
func (c *compiler) usesLocals(e Expr) bool {
	if c.loc == nil {
		return false
	}
	if found, known := c.mentions[e]; known {
		return found
	}
	found := false
	switch x := e.(type) {
	case *NameRef:
		_, _, found = c.loc.find(x.Name)
	case *Wildcard:
		_, _, found = c.loc.find("_")
	default:
		children(e, func(x Expr) { found = c.usesLocals(x) || found })
		if c.mentions == nil {
			c.mentions = map[Expr]bool{}
		}
		c.mentions[e] = found
	}
	return found
}

// name compiles a bare name. The names that a calendar reserves come before local ones.
func (c *compiler) name(name string, at Span) code {
	ev, sc := c.ev, c.sc
	depth, index, local := c.loc.find(name)
	if reservedWord(name) && sc.members.has("calendar") {
		return c.keptName(func() (value, error) {
			if local || ev.bound(name, sc) {
				return value{}, fail(at, reservedCode(name), name)
			}
			return ev.derived(at, name, sc)
		})
	}
	if local {
		switch depth {
		case 0:
			return func(fr *frame) (value, error) { return fr.vals[index], nil }
		case 1:
			return func(fr *frame) (value, error) { return fr.up.vals[index], nil }
		}
		return func(fr *frame) (value, error) {
			for range depth {
				fr = fr.up
			}
			return fr.vals[index], nil
		}
	}
	return c.keptName(func() (value, error) { return ev.resolve(at, name, sc) })
}

func (c *compiler) keptName(get func() (value, error)) code {
	var kept value
	done := false
	return func(*frame) (value, error) {
		if done {
			return kept, nil
		}
		v, err := get()
		if err == nil {
			kept, done = v, true
			c.ev.kept++
		}
		return v, err
	}
}

func (c *compiler) index(e *Index) code {
	list, index := c.expr(e.X), c.expr(e.I)
	return func(fr *frame) (value, error) {
		l, err := list(fr)
		if err != nil {
			return value{}, err
		}
		if l.kind != kindList {
			return value{}, fail(e.X.Span(), "value.index-non-list", l.kind)
		}
		i, err := index(fr)
		if err != nil {
			return value{}, err
		}
		n, err := asNumber(i, e.I.Span())
		if err != nil {
			return value{}, err
		}
		elems := l.ref.([]value)
		if n < 0 || n >= float64(len(elems)) || n != math.Trunc(n) {
			return value{}, fail(e.I.Span(), "value.index-range", formatNumber(n), len(elems))
		}
		return elems[int(n)], nil
	}
}
