package kairos

import "slices"

// coreStages are the stages of the language and the names of the arguments that they take.
var coreStages = map[string][]string{
	"within": nil, "segmentBy": {"edges", "empties", "label", "labels"}, "first": {"of"}, "nth": {"of"}, "last": {"of"},
	"filter": {"on"}, "roll": {"on", "of"}, "shift": {"unit"}, "snapTo": nil, "rebase": {"to"}, "stride": {"from"},
	"strideBy": {"from"}, "take": {"from"}, "takeLast": {"until"},
}

// step is a compiled stage: what it makes of a stream in a frame.
type step func(fr *frame, in *stream) (*stream, error)

// pipe compiles HEAD |> stage |> stage.
func (c *compiler) pipe(e *Pipe) code {
	ev := c.ev
	head := c.expr(e.Head)
	name := ""
	if n, ok := e.Head.(*NameRef); ok {
		name = n.Name
	}
	final := c.final == e
	steps := c.steps(e.Stages, final)
	return func(fr *frame) (value, error) {
		v, err := head(fr)
		if err != nil {
			return v, err
		}
		var s *stream
		if v.kind == kindInstant {
			if e.Stages[0].Name != "strideBy" {
				return value{}, fail(e.Head.Span(), "value.everyInstant")
			}
			s = &stream{endless: true}
		} else {
			if s, err = ev.stream(v, name, e.Head.Span()); err != nil {
				return value{}, err
			}
			ev.traced(e.Head.Span(), "", s)
		}
		s, err = steps(fr, s)
		return value{kind: kindStream, ref: s}, err
	}
}

// steps compiles stages that follow each other. After the final ones nothing is asked of the stream but its points
// within the range.
func (c *compiler) steps(stages []Stage, final bool) step {
	var compiled []step
	var last []*Stage
	for i := 0; i < len(stages); i++ {
		a, err := c.stageArgs(&stages[i])
		if err == nil && a != nil {
			a.final = final && i == len(stages)-1
			if next := i + 1; a.st.Name == "strideBy" && next < len(stages) && c.ev.trace == nil {
				if f, err := c.stageArgs(&stages[next]); err == nil && f != nil && f.byPredicate() {
					f.final = final && next == len(stages)-1
					compiled, last = append(compiled, a.filteredTicks(f)), append(last, &stages[next])
					i = next
					continue
				}
			}
		}
		var run step
		switch {
		case err != nil:
			run = refusing(err)
		case a != nil:
			run = coreStep(a)
		default:
			run = c.sugar(&stages[i])
		}
		compiled, last = append(compiled, run), append(last, &stages[i])
	}
	return func(fr *frame, s *stream) (*stream, error) {
		for i, run := range compiled {
			next, err := run(fr, s)
			if err != nil {
				return nil, placed(err, last[i].Span)
			}
			if err := c.ev.holdNotes(next, s); err != nil {
				return nil, placed(err, last[i].Span)
			}
			s = next
			c.ev.traced(last[i].Span, last[i].Name, s)
		}
		return s, nil
	}
}

// combine compiles L | R, L & R and L \ R.
func (c *compiler) combine(e *Combine) code {
	ev := c.ev
	l, r := c.expr(e.L), c.expr(e.R)
	return func(fr *frame) (value, error) {
		a, err := l(fr)
		if err != nil {
			return a, err
		}
		left, err := ev.stream(a, "", e.L.Span())
		if err != nil {
			return value{}, err
		}
		b, err := r(fr)
		if err != nil {
			return b, err
		}
		right, err := ev.stream(b, "", e.R.Span())
		if err != nil {
			return value{}, err
		}
		s, err := ev.combine(e.span, e.Op, left, right)
		if err != nil {
			return value{}, placed(mismatched(err, e, left, right), e.span)
		}
		ev.traced(e.L.Span(), "", left)
		ev.traced(e.R.Span(), "", right)
		ev.traced(e.span, string(e.Op), s)
		return value{kind: kindStream, ref: s}, nil
	}
}

// stage compiles one stage.
func (c *compiler) stage(st *Stage) step { return c.steps([]Stage{*st}, false) }

// stageArgs reads the arguments of a core stage; it gives nil for a stage that is not the language's own.
func (c *compiler) stageArgs(st *Stage) (*stageArgs, error) {
	known, core := coreStages[st.Name]
	if !core || st.Premise != "" {
		return nil, nil
	}
	a := &stageArgs{c: c, st: st}
	for _, arg := range st.Args {
		if arg.Name == "" {
			a.positional = append(a.positional, arg.Value)
			continue
		}
		if !slices.Contains(known, arg.Name) {
			return nil, unknownArgument(st, arg, known)
		}
	}
	return a, nil
}

func refusing(err error) step { return func(*frame, *stream) (*stream, error) { return nil, err } }

func unknownArgument(st *Stage, arg Arg, known []string) error {
	switch {
	case st.Name == "takeLast" && arg.Name == "from":
		return fail(arg.Span, "args.takeLast-from")
	case st.Name == "take" && arg.Name == "until":
		return fail(arg.Span, "args.take-until")
	}
	return fail(arg.Span, "args.unknown-named", st.Name, arg.Name, nearest(arg.Name, known), known)
}

// stageArgs are the arguments of a core stage.
type stageArgs struct {
	c          *compiler
	st         *Stage
	positional []Expr
	final      bool // nothing follows but the cut to the range
}

// cut is what of a stage's points is asked for: of a final one, those within the range.
func (a *stageArgs) cut() interval {
	if a.final && a.c.ev.trace == nil {
		return interval{a.c.ev.from, a.c.ev.to}
	}
	return everything
}

// byPredicate says whether a stage is a filter by a predicate.
func (a *stageArgs) byPredicate() bool {
	return a.st.Name == "filter" && len(a.positional) > 0 && a.named("on") == nil
}

// first compiles the first argument without a name; code is the error when there is none.
func (a *stageArgs) first(code string) code {
	if len(a.positional) == 0 {
		return failing(fail(a.st.Span, code))
	}
	return a.c.expr(a.positional[0])
}

func (a *stageArgs) named(name string) Expr {
	for _, arg := range a.st.Args {
		if arg.Name == name {
			return arg.Value
		}
	}
	return nil
}

// axis compiles the argument that names an axis, or the `axis` member in force.
func (a *stageArgs) axis(name string) code {
	ev := a.c.ev
	if e := a.named(name); e != nil {
		return ev.axis(a.c, e)
	}
	if e := a.c.sc.members.vals["axis"]; e != nil {
		return ev.axis(&compiler{ev: ev, sc: a.c.sc, unit: a.c.unit}, e)
	}
	return failing(fail(a.st.Span, "axis.missing", a.st.Name, name, aboutAxis(a.st.Name)))
}

// axisName is the bare name that an axis is written as, for messages, or empty.
func (a *stageArgs) axisName(name string) string {
	e := a.named(name)
	if e == nil {
		e = a.c.sc.members.vals["axis"]
	}
	switch e := e.(type) {
	case *NameRef:
		return e.Name
	case *QualifiedRef:
		return e.Premise + "." + e.Name
	}
	return ""
}

func (a *stageArgs) span(i int) Span {
	if i < len(a.positional) {
		return a.positional[i].Span()
	}
	return a.st.Span
}

// count gives the first argument as a whole number.
func (a *stageArgs) count(fr *frame, run code, bad string) (int64, error) {
	v, err := run(fr)
	if err != nil {
		return 0, err
	}
	return asCount(v, a.span(0), bad)
}

func coreStep(a *stageArgs) step {
	switch a.st.Name {
	case "within":
		return a.within()
	case "segmentBy":
		return a.segmentBy()
	case "first", "last", "nth":
		return a.selector()
	case "filter":
		return a.filter()
	case "roll":
		return a.roll()
	case "shift":
		return a.shift()
	case "snapTo":
		return a.snapTo()
	case "rebase":
		return a.rebase()
	case "stride", "take", "takeLast":
		return a.counting()
	}
	return a.strideBy()
}

func (a *stageArgs) within() step {
	ev, at := a.c.ev, a.st.Span
	window := a.first("within.arg")
	name := ""
	if len(a.positional) > 0 {
		if n, ok := a.positional[0].(*NameRef); ok {
			name = n.Name
		}
	}
	return func(fr *frame, in *stream) (*stream, error) {
		v, err := window(fr)
		if err != nil {
			return nil, err
		}
		s, err := spansOf(v, a.span(0))
		if err != nil {
			return nil, err
		}
		out, err := ev.within(at, in, name, s, grainOf(v), windowNotes(v))
		if err == nil {
			l := out.levels[len(out.levels)-1]
			l.lost = windowLost(v)
			ev.doubtful(l.lost > 0 && (!s.tiled || thinned(v)))
		}
		return out, err
	}
}

func (a *stageArgs) selector() step {
	ev, at := a.c.ev, a.st.Span
	which, n := selFirst, failing(nil)
	switch a.st.Name {
	case "last":
		which = selLast
	case "nth":
		which, n = selNth, a.first("select.nth-arg")
	}
	of := a.named("of")
	return func(fr *frame, in *stream) (*stream, error) {
		if len(in.levels) == 0 {
			return nil, fail(at, "select.no-window", a.st.Name)
		}
		k := int64(1)
		if which == selNth {
			var err error
			if k, err = a.count(fr, n, "select.nth-whole"); err != nil {
				return nil, err
			}
		} else if len(a.positional) > 0 {
			return nil, fail(a.span(0), "args.too-many", a.st.Name, len(a.positional), 0, aboutSelector())
		}
		if of == nil {
			return ev.selectPoints(at, in, which, k, "", false)
		}
		name, ok := of.(*NameRef)
		if !ok {
			return nil, fail(of.Span(), "select.of-name")
		}
		return ev.selectPoints(at, in, which, k, name.Name, true)
	}
}

func (a *stageArgs) filter() step {
	ev, at := a.c.ev, a.st.Span
	if a.named("on") != nil && len(a.positional) > 0 {
		return refusing(fail(at, "filter.both"))
	}
	if len(a.positional) == 0 {
		axis := a.axis("on")
		return func(fr *frame, in *stream) (*stream, error) {
			s, err := a.axisStream(fr, axis)
			if err != nil {
				return nil, err
			}
			return ev.filterOn(at, in, s)
		}
	}
	pred := a.c.expr(a.positional[0])
	return func(fr *frame, in *stream) (*stream, error) {
		f, err := pred(fr)
		if err != nil {
			return nil, err
		}
		return ev.filterBy(a.span(0), ev.computed(in), nil, f, a.cut())
	}
}

// computed leaves out the points of tables that lie where nothing is computed: a predicate cannot ask about their windows,
// and the range is far away from them. A zone's first day may begin a day before the epoch of the run.
func (ev *evaluation) computed(in *stream) *stream {
	lo, hi := lowerBound(in.pts, ev.epoch-dayMs), lowerBound(in.pts, ev.horizon)
	if lo == 0 && hi == len(in.pts) {
		return in
	}
	out := *in
	out.pts = in.pts[lo:max(lo, hi)]
	return &out
}

// axisStream evaluates an axis as a stream.
func (a *stageArgs) axisStream(fr *frame, axis code) (*stream, error) {
	v, err := axis(fr)
	if err != nil {
		return nil, err
	}
	return a.c.ev.stream(v, "", a.st.Span)
}

func (a *stageArgs) roll() step {
	ev, at := a.c.ev, a.st.Span
	conv, axis, modified := a.convention(), a.axis("on"), a.modified()
	return func(fr *frame, in *stream) (*stream, error) {
		v, err := conv(fr)
		if err != nil {
			return nil, err
		}
		name, err := asLabel(v, a.span(0))
		if err != nil {
			return nil, err
		}
		on, err := a.axisStream(fr, axis)
		if err != nil {
			return nil, err
		}
		switch name {
		case "Following", "Preceding":
			if of := a.named("of"); of != nil {
				return nil, fail(of.Span(), "args.unknown-named", "roll("+name+")", "of", []string(nil), []string{"on"})
			}
			return ev.roll(at, in, name == "Following", on)
		case "Modified":
			return modified(fr, in, on)
		}
		return nil, fail(a.span(0), "roll.conv-unknown", name)
	}
}

func (a *stageArgs) shift() step {
	ev, at := a.c.ev, a.st.Span
	n, unit := a.first("shift.arg"), a.axis("unit")
	return func(fr *frame, in *stream) (*stream, error) {
		k, err := a.count(fr, n, "shift.whole")
		if err != nil {
			return nil, err
		}
		v, err := unit(fr)
		if err != nil {
			return nil, err
		}
		if v.kind == kindWindows {
			w := v.ref.(*windows)
			return ev.shiftWindows(at, in, k, w.spans, w.grain, a.axisName("unit"))
		}
		axis, err := ev.stream(v, "", at)
		if err != nil {
			return nil, err
		}
		name := a.axisName("unit")
		if l := axis.windowed(); l != nil {
			return ev.shiftSegments(at, in, k, l, name)
		}
		return ev.shiftAxis(at, in, k, axis, name)
	}
}

func (a *stageArgs) snapTo() step {
	ev, at := a.c.ev, a.st.Span
	window := a.first("snapTo.arg")
	return func(fr *frame, in *stream) (*stream, error) {
		v, err := window(fr)
		if err != nil {
			return nil, err
		}
		s, err := spansOf(v, a.span(0))
		if err != nil {
			return nil, err
		}
		out, err := ev.snapTo(at, in, s, grainOf(v), windowNotes(v))
		if err == nil {
			out.lost = max(out.lost, windowLost(v))
		}
		return out, err
	}
}

func (a *stageArgs) rebase() step {
	ev, at := a.c.ev, a.st.Span
	to := a.named("to")
	if to == nil {
		return refusing(fail(at, "rebase.to-required"))
	}
	run := a.c.expr(to)
	return func(fr *frame, in *stream) (*stream, error) {
		v, err := run(fr)
		if err != nil {
			return nil, err
		}
		if v.kind != kindString {
			return nil, fail(to.Span(), "rebase.to-string", v.kind)
		}
		return ev.rebase(at, in, v.ref.(string))
	}
}

// counting compiles stride, take and takeLast: a number of points, counted from or until an instant.
func (a *stageArgs) counting() step {
	ev, at, name := a.c.ev, a.st.Span, a.st.Name
	n := a.first(name + ".arg")
	edge := "from"
	if name == "takeLast" {
		edge = "until"
	}
	anchor := failing(fail(at, name+"."+edge))
	anchorSpan := at
	if e := a.named(edge); e != nil {
		anchor, anchorSpan = a.c.expr(e), e.Span()
	}
	return func(fr *frame, in *stream) (*stream, error) {
		if name != "stride" && len(in.levels) > 0 {
			return nil, fail(at, name+".windowed")
		}
		k, err := a.count(fr, n, name+".n")
		if err != nil {
			return nil, err
		}
		if k < 1 {
			return nil, fail(a.span(0), name+".n", k)
		}
		v, err := anchor(fr)
		if err != nil {
			return nil, err
		}
		t, err := asPoint(v, anchorSpan)
		if err != nil {
			return nil, err
		}
		if in.lost > 0 && t < in.lost {
			return nil, errWhole
		}
		switch name {
		case "stride":
			return ev.stride(at, in, k, t)
		case "take":
			return ev.take(at, in, k, t)
		}
		if kept := upperBound(in.pts, t) - lowerBound(in.pts, in.lost); in.lost > 0 && int64(kept) < k {
			return nil, errWhole
		}
		return ev.takeLast(at, in, k, t)
	}
}

func (a *stageArgs) strideBy() step {
	ev, at := a.c.ev, a.st.Span
	args := a.tickArgs()
	return func(fr *frame, in *stream) (*stream, error) {
		w, t, z, err := args(fr)
		if err != nil {
			return nil, err
		}
		if cut := a.cut(); !w.Civil && cut != everything {
			s, ticks, err := ev.ticks(at, w, t, cut)
			if err != nil {
				return nil, err
			}
			s.pts, err = ticks.rest(ev)
			return s, err
		}
		s, err := ev.strideBy(at, w, t, z)
		if err != nil {
			return nil, err
		}
		s.pts, s.lost = ev.near(s.pts), ev.lost
		return s, nil
	}
}

// filteredTicks compiles strideBy with a filter after it, so that the ticks of a short width are never held all at once.
func (a *stageArgs) filteredTicks(f *stageArgs) step {
	ev, at := a.c.ev, a.st.Span
	args, pred := a.tickArgs(), f.c.expr(f.positional[0])
	return func(fr *frame, in *stream) (*stream, error) {
		w, t, z, err := args(fr)
		if err != nil {
			return nil, err
		}
		var s *stream
		var points *ticks
		if w.Civil {
			if s, err = ev.strideBy(at, w, t, z); err == nil {
				s.pts, s.lost = ev.near(s.pts), ev.lost
			}
		} else {
			s, points, err = ev.ticks(at, w, t, interval{ev.floor, plusInf})
			if err == nil {
				s.lost = ev.lost
			}
		}
		if err != nil {
			return nil, err
		}
		p, err := pred(fr)
		if err != nil {
			return nil, placed(err, f.st.Span)
		}
		s, err = ev.filterBy(f.span(0), s, points, p, f.cut())
		return s, placed(err, f.st.Span)
	}
}

// ticks gives the stream of strideBy with an elapsed width, without its points, and the ticks that are its points within
// an interval.
func (ev *evaluation) ticks(at Span, w *WidthLit, from int64, within interval) (*stream, *ticks, error) {
	step, err := strideStep(at, w)
	if err != nil {
		return nil, nil, err
	}
	t := &ticks{from: from, step: step, end: min(ev.horizon, within.to)}
	if within.from > from {
		t.from += (within.from - from + step - 1) / step * step
	}
	return &stream{align: align{kind: alignElapsed, step: step, phase: floorMod(from, step)}, endless: true}, t, nil
}

// tickArgs compiles the width and the anchor of strideBy.
func (a *stageArgs) tickArgs() func(fr *frame) (*WidthLit, int64, *zone, error) {
	ev, at, sc := a.c.ev, a.st.Span, a.c.sc
	width := a.first("strideBy.arg")
	from := failing(fail(at, "strideBy.from"))
	fromSpan := at
	if e := a.named("from"); e != nil {
		from, fromSpan = a.c.expr(e), e.Span()
	}
	return func(fr *frame) (*WidthLit, int64, *zone, error) {
		v, err := width(fr)
		if err != nil {
			return nil, 0, nil, err
		}
		w, ok := v.ref.(*WidthLit)
		if !ok {
			return nil, 0, nil, fail(a.span(0), "strideBy.width", v.kind)
		}
		f, err := from(fr)
		if err != nil {
			return nil, 0, nil, err
		}
		z, err := ev.scopeZone(at, sc)
		if err != nil {
			return nil, 0, nil, err
		}
		if f.kind != kindTime {
			t, err := asPoint(f, fromSpan)
			return w, t, z, err
		}
		if !w.Civil || w.Amount != 1 {
			return nil, 0, nil, fail(fromSpan, "strideBy.time-literal")
		}
		t, k := z.anchor(f.int)
		if k != anchorUnique {
			return nil, 0, nil, fail(fromSpan, "tz.time-literal-anchor", z.name)
		}
		return w, t, z, nil
	}
}
