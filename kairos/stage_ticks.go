package kairos

import "math"

// strideBy makes the points from, from + w, from + 2w, … up to the horizon. In civil days, the steps are days of the
// zone and keep the time of day that the wall clock shows at from.
func (ev *evaluation) strideBy(at Span, w *WidthLit, from int64, zone *zone) (*stream, error) {
	step, err := strideStep(at, w)
	if err != nil {
		return nil, err
	}
	if w.Civil {
		return ev.dayTicks(step, from, zone)
	}
	out, t, err := ev.ticks(at, w, from, everything)
	if err != nil {
		return nil, err
	}
	if out.pts, err = t.rest(ev); err != nil {
		return nil, err
	}
	return out, nil
}

// strideStep gives a width as whole days or milliseconds, at least one.
func strideStep(at Span, w *WidthLit) (int64, error) {
	const most = 1 << 53 // further than any two instants are apart
	amount := w.Amount
	if !w.Civil {
		amount = math.Round(amount)
	}
	switch {
	case amount == 0:
		return 0, fail(at, "strideBy.zero", w.Text)
	case amount < 0 || amount != math.Trunc(amount):
		return 0, fail(at, "strideBy.fraction", w.Text)
	}
	return int64(math.Min(amount, most)), nil
}

// holdTicks accounts for points before they are made: a short width makes more than memory can hold.
func (ev *evaluation) holdTicks(count int64) error {
	if err := ev.hold(int(count)); err != nil {
		return err
	}
	return ev.step(count)
}

// dayTicks makes a point every step days.
func (ev *evaluation) dayTicks(step, from int64, z *zone) (*stream, error) {
	day := z.floorDay(from)
	var off int64
	if from != day {
		off = z.wall(from)
	}
	date := z.date(day)
	out := &stream{endless: true, align: align{kind: alignCivil, step: step, phase: floorMod(date, step), off: off,
		zone: z.name}}
	first, days := int(date), z.dates(ev.horizon+dayMs)
	if date < 0 {
		first = int(floorMod(date, step)) // the first step in 1970: there are no days before it
	}
	if first >= len(days) {
		return out, nil
	}
	if err := ev.holdTicks((int64(len(days)-first)-1)/step + 1); err != nil {
		return nil, err
	}
	if step == 1 && off == 0 && len(z.skips) == 0 {
		out.pts = days[first:max(first, lowerBound(days, ev.horizon))]
		return out, nil
	}
	out.pts = make([]int64, 0, (int64(len(days)-first)-1)/step+1)
	for i := int64(first); i < int64(len(days)); i += step {
		t := days[i]
		if i+1 < int64(len(days)) && days[i+1] == t {
			continue // a date that the zone leaps over
		}
		switch {
		case off == 0:
		case i+1 < int64(len(days)) && days[i+1]-t == dayMs:
			t += off // no change of the clock on this day
		default:
			t = z.atWall(t, off)
		}
		if t >= ev.horizon {
			break
		}
		out.pts = append(out.pts, t)
	}
	return out, nil
}

// floorMod gives a modulo b, with the sign of b.
func floorMod(a, b int64) int64 {
	if r := a % b; r < 0 {
		return r + b
	} else {
		return r
	}
}
