package kairos

import (
	"math"
	"slices"
	"sort"
)

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
	if n >= ev.points {
		return nil, fail(Span{}, "limit.points", ev.opts.Limits.Points)
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
