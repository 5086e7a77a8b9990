package kairos

// filterOn keeps the points that are on an axis.
func (ev *evaluation) filterOn(at Span, in, axis *stream) (*stream, error) {
	if err := checkAlign(at, "filter(on:)", in.align, axis.align); err != nil {
		return nil, err
	}
	if err := ev.step(int64(len(in.pts))); err != nil {
		return nil, err
	}
	out := *in
	out.pts = retainPoints(in.pts, axis.pts)
	if err := ev.hold(len(out.pts)); err != nil {
		return nil, err
	}
	out.notes = joinNotes(in.notes, axis.notes)
	out.endless = in.endless && axis.endless
	out.lost = max(in.lost, axis.lost)
	return &out, nil
}

// roll moves each point that is not on the axis to the next axis point, or to the previous one unless following. A point
// for which there is none is dropped; if the axis goes on beyond what is computed, a warning says so.
func (ev *evaluation) roll(at Span, in *stream, following bool, axis *stream) (*stream, error) {
	if err := checkAlign(at, "roll(on:)", in.align, axis.align); err != nil {
		return nil, err
	}
	if err := ev.step(int64(len(in.pts))); err != nil {
		return nil, err
	}
	ax := axis.pts
	stage := "roll(Preceding)"
	if following {
		stage = "roll(Following)"
	}
	goesOn := ev.goesOn(ax, following)
	unknown := walkNotes(axis.notes)
	pts := make([]int64, 0, len(in.pts))
	j := 0
	for _, p := range in.pts {
		if j < len(ax) && ax[j] < p {
			if j++; j < len(ax) && ax[j] < p {
				j = seek(ax, j, p)
			}
		}
		k := j
		if !following && (k == len(ax) || ax[k] != p) {
			k--
		}
		if k >= 0 && k < len(ax) {
			// The images are in order, so equal ones follow each other.
			if q := ax[k]; len(pts) == 0 || pts[len(pts)-1] != q {
				pts = append(pts, q)
			}
			continue
		}
		if unknown.at(p) || !goesOn {
			continue
		}
		if err := ev.clipped(stage, p, clipHorizon); err != nil {
			return nil, err
		}
	}
	if err := ev.hold(len(pts)); err != nil {
		return nil, err
	}
	out := *in
	out.pts = pts
	lost := max(in.lost, axis.lost)
	out.lost = lostByRoll(lost, ax, following)
	ev.doubtful(lost > 0 && (!following || ev.relies(in, axis, lost)))
	out.notes = joinNotes(rollNotes(in.notes, ax, following), reliedNotes(axis.notes, ax, following))
	return &out, nil
}

// goesOn says whether an axis reaches the edge of the range, so that it ends because no more of it is computed, and not
// because there are no more points.
func (ev *evaluation) goesOn(axis []int64, forward bool) bool {
	if len(axis) == 0 {
		return false
	}
	if forward {
		return axis[len(axis)-1] >= ev.to
	}
	return axis[0] <= ev.from
}

// Why a point was left out, as warnings of the code horizon-clip tell it.
const (
	clipHorizon = "horizon" // it lies, or would land, outside what is computed
	clipFloor   = "floor"   // it lies before the first day that the windows' zone has
	clipTail    = "tail"    // takeLast counts from the horizon, not from its until:
	clipFew     = "few"     // takeLast found fewer points than it was to take
)

// clipped warns that a stage left a point out.
func (ev *evaluation) clipped(stage string, t int64, reason string) error {
	ev.doubtful(ev.lost > 0 && t < ev.to)
	const weight = 32 // of a warning, in points: its texts are some hundred bytes
	if err := ev.hold(weight); err != nil {
		return err
	}
	ev.warn("horizon-clip", reason, stage, ev.format(t))
	return nil
}
