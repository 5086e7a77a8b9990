package kairos

import (
	"errors"
	"strings"
)

// A local evaluation makes the points of rules only from some time before the range on. Streams and windows know from
// when on they are what the whole evaluation would make them; where the range depends on what was before that, the
// evaluation starts again with the whole past. Where its points are right, but annotations, sources or warnings may not
// be, the whole evaluation decides, unless it fails far away from the range.

// errWhole ends a local evaluation of a program whose points depend on what was left out.
var errWhole = errors.New("the whole past is needed")

// locality is what a local evaluation knows of itself. Its zero value is that of a whole one, but for the floor.
type locality struct {
	floor int64 // where the neighbourhood begins; minusInf in a whole evaluation
	lost  int64 // the same; 0 in a whole evaluation
	doubt bool  // annotations, sources or warnings may differ from those of the whole evaluation
	// behind is from when on the answers of the predicate that is running are right: it has read something that is
	// complete only from there on.
	behind int64
	asked  int64 // the point that the predicate is asked about, when it is asked point by point
}

// needsWhole says whether the whole evaluation has to follow a local one that ended so. One that met a limit would only
// meet it again.
func (ev *evaluation) needsWhole(err error) bool {
	if err == nil {
		return ev.doubt
	}
	return !limited(err)
}

func limited(err error) bool {
	e, ok := err.(*Error)
	return ok && strings.HasPrefix(e.Code, "limit.")
}

// near leaves out, in a local evaluation, the points of a rule that lie before the neighbourhood.
func (ev *evaluation) near(pts []int64) []int64 {
	if ev.floor == minusInf {
		return pts
	}
	return pts[lowerBound(pts, ev.floor):]
}

// cut says whether what is complete only from lost on lacks something of the range.
func (ev *evaluation) cut(lost int64) bool { return lost > 0 && lost > ev.from }

// doubtful notes that something is not known to be as in the whole evaluation.
func (ev *evaluation) doubtful(unsure bool) {
	if unsure {
		ev.doubt = true
	}
}

// read is called where a projection reads windows or points that are right only from bound on, at t: for the point that
// the predicate is asked about, the answer is then right from bound on; for any other, the whole past is needed.
func (ev *evaluation) read(bound, t int64) error {
	if bound == 0 || t >= bound {
		return nil
	}
	if t != ev.asked {
		return errWhole
	}
	ev.behind = max(ev.behind, bound)
	return nil
}

// behindBlock is read for all points of a block.
func (b *block) behindBlock(bound int64, sel []int32) {
	if bound > 0 && len(sel) > 0 && b.pts[sel[0]] < bound {
		b.ev.behind = max(b.ev.behind, bound)
	}
}

// boundWithin gives from when on what is read of whole windows is right, where parts of them are from lost on.
func boundWithin(lost int64, s *spans) int64 {
	if lost == 0 {
		return 0
	}
	if i := lowerBound(s.start, lost) - 1; i >= 0 {
		return max(lost, s.end[i])
	}
	return lost
}

// asks is called where annotations come to a result because a point asks for them, and not all as they are. Of those
// that hold in the time before the range, it is then in doubt whether a point that was left out asks for them.
func (ev *evaluation) asks(notes []note) {
	if ev.lost == 0 || ev.doubt {
		return
	}
	for i := range notes {
		ev.doubtful(notes[i].from < ev.from && notes[i].to > ev.floor)
	}
}

// reading is asks where a predicate begins to read windows: a point asks for all annotations of its window, and the whole
// window is annotated.
func (ev *evaluation) reading(s *spans, notes ...[]note) {
	if ev.lost == 0 || ev.doubt {
		return
	}
	for _, n := range notes {
		if len(n) > 0 {
			ev.asks(n)
			i := s.find(ev.floor)
			ev.doubtful(i >= 0 && s.end[i] > ev.from)
		}
	}
}

// windowLost gives from when on a value's windows are complete; 0 when they are.
func windowLost(v value) int64 {
	if v.kind == kindStream {
		if s := v.ref.(*stream); len(s.levels) > 0 {
			return s.levels[len(s.levels)-1].lost
		}
	}
	return 0
}

// thinned says whether windows of a value may be missing in the middle.
func thinned(v value) bool {
	s, ok := v.ref.(*stream)
	return ok && len(s.levels) > 0 && s.levels[len(s.levels)-1].thinned
}

// relies says whether an annotation that is moved along an axis may reach back to a point of it that was left out.
func (ev *evaluation) relies(in, axis *stream, lost int64) bool {
	return len(in.notes)+len(axis.notes) > 0 && lowerBound(axis.pts, lost) == upperBound(axis.pts, ev.from)
}

// headless says whether points of a stream may lie before the first of some windows where the whole evaluation warns of
// them.
func (ev *evaluation) headless(in *stream, s *spans) bool {
	if in.lost == 0 {
		return false
	}
	first := int64(plusInf) // of all points that rules make
	if z := ev.zones[in.align.zone]; z != nil && in.align.kind == alignCivil {
		first = z.dayStart(1970, 1, 1)
	} else {
		for _, z := range ev.zones {
			first = min(first, z.dayStart(1970, 1, 1))
		}
	}
	return s.len() == 0 || s.start[0] > first
}

// asking begins a filter: what its predicate reads, it reads for the points of this filter. The function that it gives
// ends the filter.
func (ev *evaluation) asking(in *stream, none bool) (done func(out *stream)) {
	if ev.lost == 0 {
		return func(*stream) {}
	}
	// Without points, the predicate is not evaluated; with the points left out it may be.
	ev.doubtful(none && in.lost > 0)
	behind, asked := ev.behind, ev.asked
	ev.behind, ev.asked = 0, minusInf
	sources, warnings := len(ev.coverage), len(ev.warnings)
	return func(out *stream) {
		out.lost = max(in.lost, ev.behind)
		ev.behind, ev.asked = behind, asked
		// In which order sources come, and whether a warning is given, depends on the points.
		ev.doubtful(len(ev.coverage) > sources+1 || len(ev.warnings) > warnings)
	}
}
