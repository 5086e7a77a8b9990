package kairos

// lambda is a function value: a lambda of the text with the frame around it, or a definition with parameters.
type lambda struct {
	code  *lambdaCode
	outer *frame
	def   *body // set instead of code for a definition's function

	// As the label function of windows: it is running; and the labels that it gave, by window.
	labelling bool
	labelled  *spans
	labels    []value
}

// lambdaCode is what all values of one lambda of the text in one scope share.
type lambdaCode struct {
	e     *Lambda
	c     *compiler // for the body
	run   code      // compiled at the first use
	test  func(*frame) (bool, error)
	guard *guard
	// free: the body holds no lambda, so that its frame can serve the next call.
	free  bool
	frame *frame
	size  measure // of the body
}

// guard is set while a lambda's body is being applied.
type guard struct {
	active bool
	name   string
}

// body is the text of a definition in a scope, compiled at its first use.
type body struct {
	d     *Binding
	sc    *scope
	run   code
	size  measure
	calls map[*body]bool // the definitions that its text calls
}

// lambda compiles a function value. One that mentions no local name is one value, however often it is evaluated.
func (c *compiler) lambda(e *Lambda) code {
	names := make([]string, len(e.Params))
	for i, p := range e.Params {
		names[i] = p.Name
	}
	inner := &compiler{ev: c.ev, sc: c.sc, unit: c.unit, loc: &locals{names: names, up: c.loc}}
	lc := &lambdaCode{e: e, c: inner, guard: c.ev.guardOf(e), free: true, size: measureOf(e.Body)}
	children(e, func(x Expr) {
		Walk(x, func(x Expr) {
			if _, ok := x.(*Lambda); ok {
				lc.free = false
			}
		})
	})
	if c.loc == nil {
		v := value{kind: kindLambda, ref: &lambda{code: lc}}
		return constant(v)
	}
	return func(fr *frame) (value, error) { return value{kind: kindLambda, ref: &lambda{code: lc, outer: fr}}, nil }
}

func (ev *evaluation) guardOf(e *Lambda) *guard {
	g := ev.guards[e]
	if g == nil {
		g = &guard{}
		ev.guards[e] = g
	}
	return g
}

// call applies a function to values; surplus values are ignored. name is for messages.
func (ev *evaluation) call(at Span, f *lambda, name string, args ...value) (value, error) {
	if f.def != nil {
		return ev.callBody(at, f.def, args)
	}
	fr, err := ev.open(at, f, name, args)
	if err != nil {
		return value{}, err
	}
	lc := f.code
	if lc.run == nil {
		lc.run = lc.c.expr(lc.e.Body)
	}
	v, err := lc.run(fr)
	ev.close(lc)
	return v, err
}

// open makes the frame of a call of a lambda of the text, and guards against applying its body within itself until close.
func (ev *evaluation) open(at Span, f *lambda, name string, args []value) (*frame, error) {
	lc := f.code
	if lc.guard.active {
		if name == "" {
			name = lc.guard.name
		}
		return nil, fail(at, "name.sugar-cycle", name)
	}
	if len(args) < len(lc.e.Params) {
		return nil, fail(at, "args.missing", name, len(lc.e.Params), len(args), aside{})
	}
	if err := ev.enterCall(at, lc.size); err != nil {
		return nil, err
	}
	fr := lc.frame
	if fr == nil {
		fr = &frame{vals: make([]value, len(lc.e.Params))}
		if lc.free {
			lc.frame = fr
		}
	}
	fr.up = f.outer
	copy(fr.vals, args)
	lc.guard.active, lc.guard.name = true, name
	return fr, nil
}

func (ev *evaluation) close(lc *lambdaCode) {
	lc.guard.active = false
	ev.leaveCall(lc.size)
}

// body gives the compiled form of a definition in a scope.
func (ev *evaluation) body(d *Binding, sc *scope) *body {
	b := sc.bodies[d]
	if b == nil {
		b = &body{d: d, sc: sc, size: measureOf(d.Value)}
		if sc.bodies == nil {
			sc.bodies = map[*Binding]*body{}
		}
		sc.bodies[d] = b
	}
	return b
}

// callBody applies a definition to the values of its parameters.
func (ev *evaluation) callBody(at Span, b *body, args []value) (value, error) {
	n := len(b.d.Params)
	if len(args) < n {
		return value{}, fail(at, "args.missing", b.d.Name, n, len(args), aside{})
	}
	if err := ev.enterCall(at, b.size); err != nil {
		return value{}, err
	}
	if b.run == nil {
		b.run = b.compiler(ev).expr(b.d.Value)
	}
	fr := &frame{vals: make([]value, n)}
	copy(fr.vals, args)
	v, err := b.run(fr)
	ev.leaveCall(b.size)
	return v, err
}

func (b *body) compiler(ev *evaluation) *compiler {
	c := &compiler{ev: ev, sc: b.sc, unit: b}
	if len(b.d.Params) > 0 {
		names := make([]string, len(b.d.Params))
		for i, p := range b.d.Params {
			names[i] = p.Name
		}
		c.loc = &locals{names: names}
	}
	return c
}

// calls notes that the text of one definition calls another; definitions that call each other in a circle have no
// finite expansion.
func (c *compiler) calls(at Span, b *body) error {
	if c.unit == nil || c.unit.calls[b] {
		return nil
	}
	circular, visited := b.reaches(c.unit, map[*body]bool{})
	if circular {
		return fail(at, "name.sugar-cycle", b.d.Name)
	}
	if err := c.ev.step(int64(visited)); err != nil { // the same in whatever order the calls were looked at
		return placed(err, at)
	}
	if c.unit.calls == nil {
		c.unit.calls = map[*body]bool{}
	}
	c.unit.calls[b] = true
	return nil
}

// reaches says whether a definition calls another, directly or through others, and how many calls were looked at.
func (b *body) reaches(to *body, seen map[*body]bool) (found bool, visited int) {
	if b == to {
		return true, 1
	}
	if seen[b] {
		return false, 1
	}
	seen[b] = true
	for next := range b.calls {
		found, n := next.reaches(to, seen)
		if visited += n; found {
			return true, visited
		}
	}
	return false, visited + 1
}

// parameters compiles the arguments of a call of a definition, in the order of its parameters: positional ones by
// position, and `on: p` from the argument named on.
func (c *compiler) parameters(d *Binding, args []Arg, at Span) func(*frame) ([]value, error) {
	var positional []Arg
	named := map[string]Arg{}
	for _, a := range args {
		if a.Name == "" {
			positional = append(positional, a)
		} else {
			named[a.Name] = a
		}
	}
	codes := make([]code, len(d.Params))
	next := 0
	known := map[string]bool{}
	for i, p := range d.Params {
		if p.Label != "" {
			known[p.Label] = true
			if a, ok := named[p.Label]; ok {
				codes[i] = c.expr(a.Value)
			} else {
				codes[i] = failing(fail(at, "args.named-missing", d.Name, p.Label))
			}
			continue
		}
		if next < len(positional) {
			codes[i] = c.expr(positional[next].Value)
			next++
		} else {
			codes[i] = failing(fail(at, "args.missing", d.Name, len(d.Params), len(positional), aboutMissing(args)))
		}
	}
	var after error
	for _, a := range args {
		if a.Name != "" && !known[a.Name] {
			after = fail(a.Span, "args.unknown-named", d.Name, a.Name, nearest(a.Name, sortedKeys(known)), sortedKeys(known))
			break
		}
	}
	if after == nil && next < len(positional) {
		after = fail(positional[next].Span, "args.too-many", d.Name, len(positional), next, aside{})
	}
	return func(fr *frame) ([]value, error) {
		vals := make([]value, len(codes))
		for i, run := range codes {
			v, err := run(fr)
			if err != nil {
				return nil, err
			}
			vals[i] = v
		}
		return vals, after
	}
}

func failing(err error) code { return func(*frame) (value, error) { return value{}, err } }

// call compiles FN(args).
func (c *compiler) call(e *Call) code {
	n, bare := e.Fn.(*NameRef)
	if bare {
		switch n.Name {
		case "external":
			return c.externalCall(e)
		case "ordinalIn":
			return c.ordinalIn(e)
		case "epochOrdinal":
			return c.epochOrdinal(e)
		case "coincides":
			return c.coincides(e)
		case "isOpen":
			if c.sc.members.has("calendar") {
				return c.isOpen(e)
			}
		}
		if _, _, local := c.loc.find(n.Name); !local {
			return c.callName(e, n)
		}
	}
	return c.apply(e, "")
}

// callName compiles the call of a name that is not local: a definition with parameters, or else the value of the name.
func (c *compiler) callName(e *Call, n *NameRef) code {
	ev := c.ev
	var run code
	return func(fr *frame) (value, error) {
		if run == nil {
			d, root, err := ev.lookup(n.span, n.Name, c.sc)
			if err != nil {
				return value{}, placed(err, e.span)
			}
			switch {
			case d == nil || len(d.Params) == 0 || reservedWord(n.Name) && c.sc.members.has("calendar"):
				run = c.apply(e, n.Name)
			default:
				run = c.callDefinition(e, d, root)
			}
		}
		return run(fr)
	}
}

// callDefinition compiles the call of a definition with parameters. Its text is evaluated under the premise that it comes
// from, with the members of the caller.
func (c *compiler) callDefinition(e *Call, d *Binding, root *premise) code {
	ev, sc := c.ev, c.sc
	if root != nil {
		sc = ev.scopeOf(root, sc.members)
	}
	b := ev.body(d, sc)
	args := c.parameters(d, e.Args, e.span)
	circular := c.calls(e.span, b)
	return func(fr *frame) (value, error) {
		vals, err := args(fr)
		if err != nil {
			return value{}, err
		}
		if circular != nil {
			return value{}, circular
		}
		v, err := ev.callBody(e.span, b, vals)
		if err != nil {
			return v, placed(err, e.span)
		}
		return v, nil
	}
}
