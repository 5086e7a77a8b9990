package kairos

import (
	"math"
	"slices"
	"sort"
)

// horizonDays is how far beyond the range everything is computed.
const horizonDays = 400

// generatorArgs are the names of the arguments that each generator takes.
var generatorArgs = map[string][]string{
	"grid": {"anchor", "label"}, "span": {"phase", "label"}, "split": {"by", "label"}, "cycle": {"anchor", "label"},
}

// generate compiles OPERAND grid|span|split|cycle ….
func (c *compiler) generate(e *Generate) code {
	ev := c.ev
	named := map[string]code{}
	spans := map[string]Span{}
	var unknown error
	for _, a := range e.Named {
		if !slices.Contains(generatorArgs[e.Word], a.Name) && unknown == nil {
			unknown = fail(a.Span, "args.unknown-named", e.Word, a.Name, nearest(a.Name, generatorArgs[e.Word]), generatorArgs[e.Word])
		}
		named[a.Name], spans[a.Name] = c.expr(a.Value), a.Value.Span()
	}
	operand, arg := c.expr(e.Operand), c.expr(e.Arg)
	g := &generator{ev: ev, e: e, sc: c.sc}
	return func(fr *frame) (value, error) {
		if unknown != nil {
			return value{}, unknown
		}
		var label *lambda
		if run, ok := named["label"]; ok {
			if e.Word == "cycle" {
				return value{}, fail(spans["label"], "gen.cycle-label")
			}
			v, err := run(fr)
			if err != nil {
				return v, err
			}
			if label, err = labelFunction(v, spans["label"]); err != nil {
				return value{}, err
			}
		}
		on, err := operand(fr)
		if err != nil {
			return on, err
		}
		get := func(name string) (value, bool, error) {
			run, ok := named[name]
			if !ok {
				return value{}, false, nil
			}
			v, err := run(fr)
			return v, true, err
		}
		var v value
		switch e.Word {
		case "grid":
			v, err = g.grid(on, arg, fr, get, label)
		case "span":
			v, err = g.span(on, arg, fr, get, label)
		case "split":
			v, err = g.split(on, arg, fr, get, label)
		default:
			v, err = g.cycle(on, arg, fr, get)
		}
		return v, placed(err, e.span)
	}
}

func labelFunction(v value, at Span) (*lambda, error) {
	l, ok := v.ref.(*lambda)
	if v.kind != kindLambda || !ok {
		return nil, fail(at, "gen.label-lambda", v.kind)
	}
	return &lambda{code: l.code, outer: l.outer, def: l.def}, nil
}

// generator makes windows for one place in the text.
type generator struct {
	ev *evaluation
	e  *Generate
	sc *scope
}

// at is the place of the value of an argument with a name, or of all when there is none.
func (g *generator) at(name string) Span {
	for _, a := range g.e.Named {
		if a.Name == name {
			return a.Value.Span()
		}
	}
	return g.e.span
}

type namedArg func(name string) (value, bool, error)

func (g *generator) anchor(get namedArg) (int64, bool, error) {
	v, ok, err := get("anchor")
	if err != nil || !ok {
		return 0, false, err
	}
	t, err := asPoint(v, g.at("anchor"))
	return t, true, err
}

// grid divides time into windows of one width.
func (g *generator) grid(on value, arg code, fr *frame, get namedArg, label *lambda) (value, error) {
	ev := g.ev
	if on.kind != kindChronos {
		return value{}, fail(g.e.Operand.span, "gen.grid-operand", on.kind)
	}
	v, err := arg(fr)
	if err != nil {
		return v, err
	}
	w, ok := v.ref.(*WidthLit)
	if !ok {
		return value{}, fail(g.e.Arg.Span(), "gen.grid-width", v.kind)
	}
	z, err := ev.scopeZone(g.e.span, g.sc)
	if err != nil {
		return value{}, err
	}
	anchor, anchored, err := g.anchor(get)
	if err != nil {
		return value{}, err
	}
	var out *windows
	if w.Civil {
		out, err = g.civilGrid(w, z, anchor, anchored)
	} else {
		out, err = g.elapsedGrid(w, z, anchor, anchored)
	}
	if err != nil {
		return value{}, err
	}
	out.label = label
	return value{kind: kindWindows, ref: out}, nil
}

// civilGrid makes windows of whole days from day to day; an anchor gives their phase and the wall time that they begin at.
func (g *generator) civilGrid(w *WidthLit, z *zone, anchor int64, anchored bool) (*windows, error) {
	ev := g.ev
	if w.Amount < 1 || w.Amount != math.Trunc(w.Amount) || w.Amount > 1e6 {
		return nil, fail(g.e.Arg.Span(), "gen.grid-step", w.Text)
	}
	step := int(w.Amount)
	until := ev.horizon + int64(step+2)*dayMs
	if err := ev.hold(int((until - ev.epoch) / dayMs)); err != nil {
		return nil, err
	}
	days := z.dates(until)
	if err := ev.step(int64(len(days))); err != nil {
		return nil, err
	}
	phase, off := 0, int64(0)
	if anchored {
		day := z.floorDay(anchor)
		if anchor != day {
			off = z.wall(anchor)
		}
		phase = int(floorMod(z.date(day), int64(step)))
	}
	grain := align{kind: alignCivil, step: int64(step), phase: int64(phase), off: off, zone: ev.zoneName(g.sc)}
	bounds := days
	if step > 1 || phase > 0 || off != 0 {
		bounds = make([]int64, 0, len(days)/step+1)
		for i := phase; i < len(days); i += step {
			t := days[i]
			if off != 0 {
				t = z.atWall(t, off)
			}
			bounds = append(bounds, t)
		}
	}
	// The last window begins before the horizon.
	n := sort.Search(len(bounds), func(i int) bool { return bounds[i] >= ev.horizon })
	bounds = bounds[:min(n+1, len(bounds))]
	s := tiles(bounds)
	units := s.start
	if len(z.skips) > 0 {
		units = slices.Compact(slices.Clone(units))
		s.skips = len(units) < len(s.start)
	}
	return &windows{spans: s, units: units, grain: grain, grid: true}, nil
}

// elapsedGrid makes windows of a fixed length from 1970-01-01 of the zone, or from the first tick of the anchor after it.
func (g *generator) elapsedGrid(w *WidthLit, z *zone, anchor int64, anchored bool) (*windows, error) {
	ev := g.ev
	step := int64(math.Round(min(w.Amount, 1e15)))
	if step <= 0 {
		return nil, fail(g.e.Arg.Span(), "gen.grid-step", w.Text)
	}
	t0 := z.dayStart(1970, 1, 1)
	if anchored {
		t0 += floorMod(anchor-t0, step)
	}
	n := max(0, (ev.horizon-t0+step-1)/step)
	if n > ev.points {
		return nil, ev.hold(int(min(n, math.MaxInt32)))
	}
	if err := ev.hold(int(n) + 1); err != nil {
		return nil, err
	}
	if err := ev.step(n); err != nil {
		return nil, err
	}
	bounds := make([]int64, n+1)
	for i := range bounds {
		bounds[i] = t0 + int64(i)*step
	}
	s := tiles(bounds)
	return &windows{spans: s, units: s.start, grid: true, grain: align{kind: alignElapsed, step: step, phase: floorMod(t0, step)}}, nil
}

// span bundles consecutive windows: the n-th bundle has f(n) of them. The first `phase` windows are a bundle of their own.
func (g *generator) span(on value, arg code, fr *frame, get namedArg, label *lambda) (value, error) {
	ev := g.ev
	u, err := partition(on, g.e.Operand.span)
	if err != nil {
		return value{}, err
	}
	f, err := arg(fr)
	if err != nil {
		return f, err
	}
	phase := int64(0)
	if v, ok, err := get("phase"); err != nil {
		return v, err
	} else if ok {
		if phase, err = asCount(v, g.at("phase"), "gen.span-phase"); err != nil {
			return value{}, err
		}
	}
	if phase < 0 {
		return value{}, fail(g.at("phase"), "gen.span-phase", phase)
	}
	us := u.spans
	out := &spans{tiled: us.tiled}
	add := func(from, to int) {
		out.start = append(out.start, us.start[from])
		out.end = append(out.end, us.end[to])
	}
	total := us.len()
	if phase > 0 && total > 0 {
		add(0, int(min(phase, int64(total)))-1)
	}
	counts := ev.sequence(f, g.e.Arg.Span())
	n := 0
	for i := int(min(phase, int64(total))); i < total; n++ {
		v, err := counts(n)
		if err != nil {
			return v, err
		}
		k, err := asCount(v, g.e.Arg.Span(), "gen.span-count")
		if err != nil {
			return value{}, err
		}
		if k < 1 {
			return value{}, fail(g.e.Arg.Span(), "gen.span-count", k)
		}
		last := int(min(int64(i)+k, int64(total))) - 1
		add(i, last)
		i = last + 1
	}
	if err := ev.hold(out.len()); err != nil {
		return value{}, err
	}
	return value{kind: kindWindows, ref: &windows{spans: out, units: u.units, label: label, grain: u.grain}}, nil
}

// divisible takes a value as windows that split can work on: a partition, or a stream's windows that depend on no data and
// have no gaps.
func (g *generator) divisible(v value, at Span, name string) (*windows, error) {
	if v.kind == kindWindows {
		return v.ref.(*windows), nil
	}
	s, _ := v.ref.(*stream)
	if v.kind != kindStream || len(s.levels) == 0 {
		return nil, fail(at, "value.not-partition", v.kind)
	}
	top := s.levels[len(s.levels)-1]
	if len(top.notes) > 0 {
		return nil, fail(at, "gen.split-data-parent", name)
	}
	for i := 1; i < top.spans.len(); i++ {
		if top.spans.start[i] != top.spans.end[i-1] {
			return nil, fail(at, "gen.split-gap-parent", name)
		}
	}
	return &windows{spans: top.spans, units: s.pts, label: top.labels.fn, grain: top.grain}, nil
}

// split divides each parent window into runs of unit windows of the given lengths.
func (g *generator) split(on value, arg code, fr *frame, get namedArg, label *lambda) (value, error) {
	ev := g.ev
	parent, err := g.divisible(on, g.e.Operand.span, g.e.Operand.Name)
	if err != nil {
		return value{}, err
	}
	f, err := arg(fr)
	if err != nil {
		return f, err
	}
	by, ok, err := get("by")
	if err != nil {
		return by, err
	}
	if !ok {
		return value{}, fail(g.e.span, "gen.split-by")
	}
	unit, err := g.divisible(by, g.at("by"), "by:")
	if err != nil {
		return value{}, err
	}
	out := &spans{}
	us, ps := unit.spans, parent.spans
	a := &application{ev: ev, at: g.e.Arg.Span()}
	// The head fragment of a phased parent begins with the zone's own 1970, which the run's zone may put later.
	edge := ev.epoch
	if parent.grain.kind == alignCivil {
		z, err := ev.zone(g.e.span, parent.grain.zone)
		if err != nil {
			return value{}, err
		}
		edge = max(edge, z.dayStart(1970, 1, 1))
	}
	for y := range ps.len() {
		p := ps.at(y)
		within := p.from > edge && p.to < ev.horizon
		if within && !(us.boundary(p.from) && us.boundary(p.to)) {
			return value{}, fail(g.e.span, "gen.split-boundary", ev.format(p.from), ev.format(p.to))
		}
		v, err := a.one(f, number(float64(y)))
		if err != nil {
			return v, err
		}
		if v.kind != kindList {
			return value{}, fail(g.e.Arg.Span(), "gen.split-list", v.kind)
		}
		first := sort.Search(us.len(), func(i int) bool { return us.start[i] >= p.from })
		last := first
		for last < us.len() && us.start[last] < p.to && us.end[last] <= p.to {
			last++
		}
		if err := g.parts(out, us, v.ref.([]value), first, last, within, p); err != nil {
			return value{}, err
		}
	}
	if err := ev.hold(out.len()); err != nil {
		return value{}, err
	}
	return value{kind: kindWindows, ref: &windows{spans: out, units: parent.units, label: label, grain: parent.grain}}, nil
}

// parts appends the windows of one parent, whose units are [first, last).
func (g *generator) parts(out, us *spans, widths []value, first, last int, within bool, p interval) error {
	total := int64(0)
	counts := make([]int64, len(widths))
	for i, w := range widths {
		k, err := asCount(w, g.e.Arg.Span(), "gen.split-width")
		if err != nil {
			return err
		}
		if k < 1 {
			return fail(g.e.Arg.Span(), "gen.split-width", k)
		}
		counts[i] = k
		total += k
	}
	if within && total != int64(last-first) {
		return fail(g.e.span, "gen.split-sum", total, last-first, g.ev.format(p.from), g.ev.format(p.to))
	}
	add := func(from, to int) {
		out.start = append(out.start, us.start[from])
		out.end = append(out.end, us.end[to])
	}
	i := first
	for _, k := range counts {
		if int64(i)+k > int64(last) {
			break
		}
		add(i, i+int(k)-1)
		i += int(k)
	}
	if i < last {
		add(i, last-1)
	}
	return nil
}

// boundary says whether t is where a window begins or ends.
func (s *spans) boundary(t int64) bool {
	i := sort.Search(len(s.start), func(i int) bool { return s.start[i] >= t })
	if i < len(s.start) && s.start[i] == t {
		return true
	}
	return i > 0 && s.end[i-1] == t
}

// cycle lays labels over windows, again and again from the window that holds the anchor.
func (g *generator) cycle(on value, arg code, fr *frame, get namedArg) (value, error) {
	ev := g.ev
	w, err := partition(on, g.e.Operand.span)
	if err != nil {
		return value{}, err
	}
	list, err := arg(fr)
	if err != nil {
		return list, err
	}
	if list.kind != kindList {
		return value{}, fail(g.e.Arg.Span(), "gen.cycle-list", list.kind)
	}
	names := list.ref.([]value)
	for _, v := range names {
		if v.kind != kindString {
			return value{}, fail(g.e.Arg.Span(), "gen.cycle-label-name", v.kind)
		}
	}
	if len(names) == 0 {
		return value{}, fail(g.e.Arg.Span(), "gen.cycle-empty")
	}
	anchor, ok, err := g.anchor(get)
	if err != nil {
		return value{}, err
	}
	if !ok {
		return value{}, fail(g.e.span, "gen.cycle-anchor")
	}
	i := w.spans.find(anchor)
	if i < 0 {
		if i, err = g.beyond(w, anchor); err != nil {
			return value{}, err
		}
	}
	if i < 0 {
		return value{}, fail(g.at("anchor"), "gen.cycle-anchor-outside", ev.format(anchor))
	}
	s := w.spans
	if first := g.firstDay(w.grain); s.tiled && s.len() > 0 && s.start[0] > first {
		// The windows of an anchored grid begin later than the days do; the label before the first one is as certain.
		if err := ev.hold(s.len() + 2); err != nil {
			return value{}, err
		}
		bounds := append(make([]int64, 0, s.len()+2), first)
		s = tiles(append(append(bounds, s.start...), s.end[s.len()-1]))
		i++
	}
	return value{kind: kindCycle, ref: &cycle{spans: s, labels: names, anchor: i, grain: w.grain}}, nil
}

// firstDay is where the days of a grain begin.
func (g *generator) firstDay(grain align) int64 {
	if z := g.ev.zones[grain.zone]; grain.kind == alignCivil && z != nil {
		return z.dayStart(1970, 1, 1)
	}
	return g.ev.epoch
}

// beyond gives the index that the window of t would have in a grid that went on beyond the horizon, or -1: whether an
// anchor can be used must not depend on the range asked for.
func (g *generator) beyond(w *windows, t int64) (int, error) {
	n := w.spans.len()
	if n == 0 || t < w.spans.end[n-1] || !w.grid {
		return -1, nil
	}
	switch w.grain.kind {
	case alignElapsed:
		return int((t - w.spans.start[0]) / w.grain.step), nil
	case alignCivil:
		z, err := g.ev.zone(g.e.span, w.grain.zone)
		if err != nil {
			return -1, err
		}
		day := z.floorDay(t)
		i := int(z.date(day))
		if w.grain.off != 0 && t < z.atWall(day, w.grain.off) {
			i--
		}
		return (i - int(w.grain.phase)) / int(w.grain.step), nil
	}
	return -1, nil
}
