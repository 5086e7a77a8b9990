package kairos

import "sort"

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
