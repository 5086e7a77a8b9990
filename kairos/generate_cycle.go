package kairos

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
