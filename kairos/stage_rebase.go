package kairos

import "fmt"

// rebase moves each point, the start of a day, to the start of the same date in the zone to.
func (ev *evaluation) rebase(at Span, in *stream, to string) (*stream, error) {
	g := in.align
	if g.kind == alignVacuous {
		return in, nil
	}
	if g.kind != alignCivil || g.step != 1 || g.off != 0 || g.zone == "" {
		return nil, fail(at, "rebase.input-align", g)
	}
	if g.zone == to {
		return in, nil
	}
	src, err := ev.zone(at, g.zone)
	if err != nil {
		return nil, err
	}
	dst, err := ev.zone(at, to)
	if err != nil {
		return nil, err
	}
	if err := ev.step(int64(len(in.pts))); err != nil {
		return nil, err
	}
	out := *in
	if out.pts, err = ev.rebasePoints(at, in.pts, src, dst); err != nil {
		return nil, err
	}
	if err := ev.hold(len(out.pts)); err != nil {
		return nil, err
	}
	if in.lost > 0 && in.lost != plusInf {
		out.lost = in.lost + 2*dayMs
	}
	out.align = align{kind: alignCivil, step: 1, zone: to}
	out.notes = moveNotes(in.notes, func(from, to int64) (int64, int64) {
		return rebaseEdge(from, src, dst, false), rebaseEdge(to, src, dst, true)
	})
	return &out, nil
}

// rebasePoints gives the same dates in another zone, up to the horizon.
func (ev *evaluation) rebasePoints(at Span, pts []int64, src, dst *zone) ([]int64, error) {
	if len(pts) == 0 {
		return nil, nil
	}
	// The n-th days of two zones are the same date unless one of them skips a date before it. The lists are used as far
	// as points and both zones go; all else is looked up.
	var from, to []int64
	if last := min(pts[len(pts)-1], ev.horizon); last >= 0 {
		from, to = src.days(last), dst.days(last+2*dayMs)
		n := min(len(from), len(to))
		if src.date(from[n-1]) == int64(n-1) && dst.date(to[n-1]) == int64(n-1) {
			from, to = from[:n], to[:n]
		} else {
			from, to = nil, nil
		}
	}
	out := make([]int64, 0, len(pts))
	i := 0
	for _, p := range pts {
		i = seek(from, i, p)
		var q int64
		if i < len(from) && from[i] == p {
			q = to[i]
		} else {
			var ok bool
			if q, ok = sameDate(p, src, dst); !ok {
				y, m, d, _ := src.local(p)
				return nil, fail(at, "rebase.missing-date", fmt.Sprintf("%04d-%02d-%02d", y, m, d), dst.name)
			}
		}
		if q < ev.horizon {
			out = append(out, q)
		}
	}
	return out, nil
}

// sameDate gives the start of the date of p in another zone; ok is false if that zone skips the date.
func sameDate(p int64, src, dst *zone) (start int64, ok bool) {
	y, m, d, _ := src.local(p)
	start = dst.dayStart(y, m, d)
	y2, m2, d2, _ := dst.local(start)
	return start, y == y2 && m == m2 && d == d2
}

// rebaseEdge moves an end of an annotation outwards to the edge of a day and from there to the same date in another
// zone, or, where that skips it, to the next date further out.
func rebaseEdge(t int64, src, dst *zone, up bool) int64 {
	if t == minusInf || t == plusInf {
		return t
	}
	day, further, none := src.floorDay(t), -1, int64(minusInf)
	if up {
		further, none = 1, plusInf
		if day < t {
			day = src.addDays(day, 1)
		}
	}
	for range 3 {
		if q, ok := sameDate(day, src, dst); ok {
			return q
		}
		day = src.addDays(day, further)
	}
	return none
}
