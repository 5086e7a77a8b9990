package kairos

import "sort"

// apply compiles the application of a value to arguments: a function; or a binding to a point, which reads a label; or
// windows to a scalar, which selects the windows of that label. Names of arguments are ignored.
func (c *compiler) apply(e *Call, name string) code {
	ev := c.ev
	fn := c.expr(e.Fn)
	args := make([]code, len(e.Args))
	for i, a := range e.Args {
		args[i] = c.expr(a.Value)
	}
	if name == "" {
		switch f := e.Fn.(type) {
		case *NameRef:
			name = f.Name
		case *QualifiedRef:
			name = f.Premise + "." + f.Name
		}
	}
	a := &application{ev: ev, at: e.span, name: name}
	if len(args) == 1 {
		arg := args[0]
		return func(fr *frame) (value, error) {
			f, err := fn(fr)
			if err != nil {
				return f, placed(err, e.span)
			}
			x, err := arg(fr)
			if err != nil {
				return x, err
			}
			v, err := a.one(f, x)
			if err != nil {
				return v, placed(err, e.span)
			}
			return v, nil
		}
	}
	return func(fr *frame) (value, error) {
		f, err := fn(fr)
		if err != nil {
			return f, placed(err, e.span)
		}
		vals := make([]value, len(args))
		for i, run := range args {
			if vals[i], err = run(fr); err != nil {
				return value{}, err
			}
		}
		var v value
		switch {
		case f.kind == kindLambda:
			v, err = ev.call(e.span, f.ref.(*lambda), name, vals...)
		case len(vals) == 0:
			v, err = a.one(f, value{})
		default:
			v, err = a.one(f, vals[0])
		}
		if err != nil {
			return v, placed(err, e.span)
		}
		return v, nil
	}
}

// application is one place in the text, or one use, of a value as a function.
type application struct {
	ev   *evaluation
	at   Span
	name string
	seat seat
	last any // the value that was applied last
}

// one applies a value to one argument.
func (a *application) one(f, x value) (value, error) {
	if f.kind == kindLambda {
		return a.ev.call(a.at, f.ref.(*lambda), a.name, x)
	}
	if f.ref != a.last {
		a.last, a.seat.checked = f.ref, nil
	}
	switch f.kind {
	case kindCycle:
		return a.cycle(f.ref.(*cycle), x)
	case kindTable:
		return a.table(f.ref.(*table), x)
	case kindWindows:
		w := f.ref.(*windows)
		l := labels{fn: w.label}
		if x.scalar() {
			if w.label == nil {
				return value{}, fail(a.at, "apply.no-label-source", a.title(w.name))
			}
			return a.instance(instanceArgs{labels: l, spans: w.spans, pts: a.ev.near(w.units), align: w.grain, endless: true, lost: a.ev.lost}, x)
		}
		if w.label != nil {
			return a.label(l, w.spans, w.grain, nil, x)
		}
	case kindStream:
		s := f.ref.(*stream)
		if n := len(s.levels); n > 0 {
			top := s.levels[n-1]
			if x.scalar() {
				if top.labels.none() {
					return value{}, fail(a.at, "apply.no-label-source", a.title(top.name))
				}
				return a.instance(instanceArgs{top.labels, top.spans, s.pts, s.align, top.notes, s.notes, s.endless, max(s.lost, top.lost)}, x)
			}
			if !top.labels.none() {
				bound := boundWithin(top.lost, top.spans)
				if a.ev.cut(bound) {
					return value{}, errWhole
				}
				if a.ev.lost > 0 && x.kind == kindPoint {
					a.ev.reading(top.spans, top.notes)
					if err := a.ev.read(bound, x.int); err != nil {
						return value{}, err
					}
				}
				return a.label(top.labels, top.spans, top.grain, top.notes, x)
			}
		}
		if x.scalar() {
			return value{}, fail(a.at, "apply.value-arg-stream", a.title(""))
		}
	}
	return value{}, fail(a.at, "apply.not-applicable", a.title(""), f.kind, aboutUncallable(f.kind))
}

func (a *application) title(name string) string {
	if a.name != "" {
		return a.name
	}
	return name
}

// cycle reads the label of the point's window.
func (a *application) cycle(c *cycle, x value) (value, error) {
	if x.scalar() {
		return value{}, fail(a.at, "apply.value-arg-cycle", a.title(""))
	}
	a.seat.what = "cycle"
	if err := a.seat.check(a.ev, a.at, c.grain); err != nil {
		return value{}, err
	}
	t, err := asPoint(x, a.at)
	if err != nil {
		return value{}, err
	}
	i := a.seat.find(c.spans, t)
	if i < 0 {
		return value{}, fail(a.at, "apply.cycle-outside", a.ev.format(t), a.title(""))
	}
	n := len(c.labels)
	k := (i - c.anchor) % n
	if k < 0 {
		k += n
	}
	return c.labels[k], nil
}

// table reads the label of a point of the table.
func (a *application) table(t *table, x value) (value, error) {
	if x.scalar() {
		return value{}, fail(a.at, "apply.value-arg-table", a.title(t.src.name))
	}
	if t.labels == nil {
		return value{}, fail(a.at, "apply.table-no-labels", a.title(t.src.name))
	}
	a.ev.use(t.src, t.concluded)
	a.ev.asks(t.notes())
	ms, err := asPoint(x, a.at)
	if err != nil {
		return value{}, err
	}
	i := sort.Search(len(t.pts), func(i int) bool { return t.pts[i] >= ms })
	if i == len(t.pts) || t.pts[i] != ms {
		return value{}, a.ev.missing(a.at, ms, t.notes(), "apply.table-miss", a.title(t.src.name))
	}
	return t.labels[i], nil
}

// label reads the label of the point's window.
func (a *application) label(l labels, w *spans, grain align, notes []note, x value) (value, error) {
	if x.kind != kindPoint {
		return value{}, fail(a.at, "apply.arg-kind", a.title(""), x.kind)
	}
	a.seat.what = "label"
	if err := a.seat.check(a.ev, a.at, grain); err != nil {
		return value{}, err
	}
	if l.fn != nil && l.fn.labelling {
		return value{}, fail(a.at, "apply.label-self-projection", a.title(""))
	}
	i := a.seat.find(w, x.int)
	if i < 0 {
		code := "apply.labels-outside"
		if l.fn != nil {
			code = "apply.label-outside"
		}
		return value{}, a.ev.missing(a.at, x.int, notes, code, a.title(""))
	}
	return a.labelOf(l, w, i, notes)
}

// labelOf gives the label of window i.
func (a *application) labelOf(l labels, w *spans, i int, notes []note) (value, error) {
	if err := a.ev.known(a.at, w.at(i), notes); err != nil {
		return value{}, err
	}
	switch {
	case l.fn != nil:
		return a.computed(l.fn, w, i)
	case l.cycle:
		return l.list[int(floorMod(int64(i-l.first), int64(len(l.list))))], nil
	case i >= len(l.list):
		return value{}, fail(a.at, "apply.labels-outside", a.ev.format(w.start[i]), a.title(""))
	}
	return l.list[i], nil
}

// computed gives the label that a function has for the start of window i. Labels are kept for the windows that they
// were computed for.
func (a *application) computed(fn *lambda, w *spans, i int) (value, error) {
	if fn.labelling {
		return value{}, fail(a.at, "apply.label-self-projection", a.title(""))
	}
	if fn.labelled != w {
		fn.labelled, fn.labels = w, nil
	}
	if i < len(fn.labels) && fn.labels[i].kind != kindNone {
		return fn.labels[i], nil
	}
	fn.labelling = true
	asked := a.ev.asked
	a.ev.asked = minusInf // a label is kept for all points
	v, err := a.ev.call(a.at, fn, a.name, point(w.start[i]))
	fn.labelling, a.ev.asked = false, asked
	if err != nil {
		return v, err
	}
	if !v.scalar() {
		return value{}, fail(a.at, "apply.label-value-kind", v.kind)
	}
	if i >= len(fn.labels) {
		grown := make([]value, max(i+1, min(2*i, w.len())))
		copy(grown, fn.labels)
		fn.labels = grown
	}
	fn.labels[i] = v
	return v, nil
}

// instanceArgs is what the selection of windows by label works on.
type instanceArgs struct {
	labels  labels
	spans   *spans
	pts     []int64 // the points that the windows hold
	align   align
	notes   []note // of the windows
	base    []note // of the points
	endless bool
	lost    int64
}

// instance gives the points in the windows that have a label.
func (a *application) instance(in instanceArgs, v value) (value, error) {
	l := in.labels
	if l.fn != nil && l.fn.labelling {
		return value{}, fail(a.at, "apply.label-self-instance", a.title(""))
	}
	checked := false
	if l.list != nil {
		if l.list[0].kind != v.kind {
			return value{}, fail(a.at, "apply.label-type", a.title(""), v.kind, l.list[0].kind)
		}
		found := false
		for _, x := range l.list {
			found = found || same(x, v)
		}
		if !found {
			return value{}, fail(a.at, "apply.label-domain", a.title(""), v, l.list)
		}
		checked = true
	}
	var held []int64
	w := in.spans
	k := 0
	for _, p := range in.pts {
		for k < w.len() && p >= w.end[k] {
			k++
		}
		if k == w.len() {
			break
		}
		if p >= w.start[k] {
			held = append(held, p)
		}
	}
	if err := a.ev.hold(len(held)); err != nil {
		return value{}, err
	}
	elements := &stream{pts: held, align: in.align, notes: joinNotes(in.base, in.notes), endless: in.endless, lost: in.lost}
	cur := cursor{s: w}
	window, match := -1, false
	var failure error
	s, err := a.ev.filter(elements, func(t int64) (bool, error) {
		i := cur.find(t)
		if i < 0 {
			return false, nil
		}
		if i == window {
			return match, failure
		}
		window, match = i, false
		var label value
		if label, failure = a.labelOf(l, w, i, in.notes); failure != nil {
			return false, failure
		}
		if !checked && label.kind != v.kind {
			failure = fail(a.at, "apply.label-type", a.title(""), v.kind, label.kind)
			return false, failure
		}
		checked = true
		match = same(label, v)
		return match, nil
	})
	return value{kind: kindStream, ref: s}, err
}
