package kairos

import "strings"

// within lays the windows w over a stream. The points stay, also those in no window. name is empty when w was not
// written as a bare name; such a level cannot be addressed.
func (ev *evaluation) within(at Span, in *stream, name string, w *spans, grain align, notes []note) (*stream, error) {
	if err := checkZone(at, "within", in.align, grain); err != nil {
		return nil, err
	}
	if !w.tiled {
		if err := ev.step(int64(w.len())); err != nil {
			return nil, err
		}
		for i := 1; i < w.len(); i++ {
			if w.start[i] != w.end[i-1] {
				shown := name
				if shown == "" {
					shown = "within"
				}
				ev.warn("I5", shown, ev.format(w.end[i-1]))
				break
			}
		}
	}
	if err := ev.step(int64(len(in.levels))); err != nil {
		return nil, err
	}
	out := *in
	out.levels = pushLevel(in.levels, &level{name: name, spans: w, grain: grain, notes: notes})
	return &out, nil
}

// pushLevel adds an innermost level; the streams that share levels do not see it.
func pushLevel(levels []*level, l *level) []*level {
	return append(levels[:len(levels):len(levels)], l)
}

// selector is one of the stages first, last and nth.
type selector uint8

const (
	selFirst selector = iota
	selLast
	selNth
)

func (s selector) String() string { return [...]string{"first", "last", "nth"}[s] }

// selectPoints takes at most one point of each window of a level, the innermost one or, when hasOf, the outermost one
// named of. n is for selNth and counts from 1. The level and those within it are used up.
func (ev *evaluation) selectPoints(at Span, in *stream, which selector, n int64, of string, hasOf bool) (*stream, error) {
	k := len(in.levels) - 1
	if k < 0 {
		return nil, fail(at, "select.no-window", which.String())
	}
	if hasOf {
		for k = 0; k < len(in.levels) && in.levels[k].name != of; k++ {
		}
		if k == len(in.levels) {
			return nil, fail(at, "select.of-unknown", of, levelNames(in.levels))
		}
	}
	l := in.levels[k]
	if err := checkZone(at, which.String(), in.align, l.grain); err != nil {
		return nil, err
	}
	if err := ev.step(int64(min(len(in.pts), l.spans.len()))); err != nil {
		return nil, err
	}
	out := *in
	out.pts = pickPoints(in.pts, l.spans, which, n)
	if err := ev.hold(len(out.pts)); err != nil {
		return nil, err
	}
	out.levels = in.levels[:k:k]
	out.notes = stretchToWindows(joinNotes(in.notes, l.notes), l.spans)
	out.lost = lostBySelection(max(in.lost, l.lost), l.spans, which, out.notes)
	return &out, nil
}

// levelNames lists the names that of: can mean, outermost first; it takes no name with a point.
func levelNames(levels []*level) []string {
	var names []string
	for _, l := range levels {
		if l.name != "" && !strings.Contains(l.name, ".") {
			names = append(names, l.name)
		}
	}
	return names
}

// pickPoints takes the first, last or n-th point of each window that has it.
func pickPoints(pts []int64, s *spans, which selector, n int64) []int64 {
	if which == selNth && n < 1 {
		return nil
	}
	start, end := s.start, s.end
	out := make([]int64, 0, min(len(pts), len(start)))
	for i, w := 0, 0; i < len(pts) && w < len(start); {
		// The start comes first, for a head window that starts after its end: the points before it are in no window.
		if pts[i] < start[w] {
			i = seek(pts, i, start[w])
			continue
		}
		if pts[i] >= end[w] {
			w = seek(end, w, pts[i]+1)
			continue
		}
		next := seek(pts, i+1, end[w])
		switch which {
		case selFirst:
			out = append(out, pts[i])
		case selLast:
			out = append(out, pts[next-1])
		case selNth:
			if n <= int64(next-i) {
				out = append(out, pts[i+int(n)-1])
			}
		}
		i = next
		w++
	}
	return out
}
