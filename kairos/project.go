package kairos

import "sort"

// seat remembers, for one place in the text that reads windows, where the last point was found, and that the zones were
// compared for the filter that is running.
type seat struct {
	cur     cursor
	checked *align
	what    string
}

// find gives the window of t, or -1.
func (s *seat) find(w *spans, t int64) int {
	if s.cur.s != w {
		s.cur = cursor{s: w}
	}
	return s.cur.find(t)
}

// check compares the zone of the points that the running filter asks about with that of windows, once for each filter.
func (s *seat) check(ev *evaluation, at Span, grain align) error {
	if ev.pred == nil || s.checked == ev.pred {
		return nil
	}
	if err := checkZone(at, s.what, *ev.pred, grain); err != nil {
		return err
	}
	s.checked = ev.pred
	return nil
}

// missing classifies the failure of a lookup at t: a signal where the data that it depends on do not reach, else a hard
// error.
func (ev *evaluation) missing(at Span, t int64, notes []note, code string, more ...any) error {
	if err := ev.noted(len(notes) / nodesPerStep); err != nil {
		return err
	}
	if hit := notesAt(notes, t); len(hit) > 0 {
		return &signal{what: unknownPoint, at: at, t: t, notes: hit}
	}
	return fail(at, code, append([]any{ev.format(t)}, more...)...)
}

// known refuses to read a window whose borders depend on data beyond their coverage.
func (ev *evaluation) known(at Span, w interval, notes []note) error {
	if len(notes) == 0 {
		return nil
	}
	hit, err := ev.overlapping(notes, w)
	if err != nil {
		return err
	}
	if len(hit) > 0 {
		return &signal{what: unknownWindow, at: at, t: w.from, notes: hit, window: w, hasWindow: true}
	}
	return nil
}

// overlapping gives the annotations that overlap a window; without copying them where they stand together.
func (ev *evaluation) overlapping(notes []note, w interval) ([]note, error) {
	if err := ev.noted(len(notes) / nodesPerStep); err != nil {
		return nil, err
	}
	first, last, n := -1, -1, 0
	for i := range notes {
		if notes[i].from >= w.to {
			break
		}
		if w.from < notes[i].to {
			if first < 0 {
				first = i
			}
			last = i
			n++
		}
	}
	if n == 0 {
		return nil, nil
	}
	if n == last-first+1 {
		return notes[first : last+1 : last+1], nil
	}
	return notesOverlapping(notes, w), nil
}

// uncovered makes an error of a signal that no filter caught.
func (ev *evaluation) uncovered(err error) error {
	s, ok := err.(*signal)
	if !ok {
		return err
	}
	t, src := ev.format(s.t), s.notes[0].src
	switch s.what {
	case unknownWindow:
		return fail(s.at, "ooc.window", t, src.name, src.covering)
	case unknownMeeting:
		return fail(s.at, "ooc.coincides", t, src.name, src.covering)
	case unknownOpening:
		return fail(s.at, "ooc.isOpen", t, src.name, src.covering)
	}
	return fail(s.at, "ooc.reference", t, src.name, src.covering)
}

func (s *spans) at(i int) interval { return interval{s.start[i], s.end[i]} }

// argument gives the code of the i-th of so many arguments, by position whatever their names.
func (c *compiler) argument(e *Call, i, of int) code {
	if i < len(e.Args) {
		return c.expr(e.Args[i].Value)
	}
	return failing(fail(e.span, "args.missing", e.Fn.(*NameRef).Name, of, len(e.Args), aside{}))
}

// ordinalIn(u, w, d) is the number, from 1, of the window of u that holds d among those that begin within d's window of w.
func (c *compiler) ordinalIn(e *Call) code {
	ev := c.ev
	uc, wc, dc := c.argument(e, 0, 3), c.argument(e, 1, 3), c.argument(e, 2, 3)
	unit, frame0 := seat{what: "ordinalIn"}, seat{what: "ordinalIn"}
	var lastU, lastW any
	var in *ordinalWindows
	framed, first := -1, 0 // the frame window that was read last, and the first unit that begins in it
	return func(fr *frame) (value, error) {
		u, err := uc(fr)
		if err != nil {
			return u, err
		}
		w, err := wc(fr)
		if err != nil {
			return w, err
		}
		dv, err := dc(fr)
		if err != nil {
			return dv, err
		}
		d, err := asPoint(dv, e.Args[2].Span)
		if err != nil {
			return value{}, err
		}
		if in == nil || u.ref != lastU || w.ref != lastW {
			frame0.checked = nil
			if in, err = ev.ordinalWindows(e, &frame0, u, w); err != nil {
				return value{}, err
			}
			lastU, lastW, framed = u.ref, w.ref, -1
		} else if err := frame0.check(ev, e.span, in.frameGrain); err != nil {
			return value{}, err
		}
		if err := ev.read(in.bound, d); err != nil {
			return value{}, err
		}
		wi := frame0.find(in.frames, d)
		if wi < 0 {
			return value{}, ev.missing(e.span, d, in.frameNotes, "ordinalIn.outside-frame")
		}
		ui := unit.find(in.units, d)
		if ui < 0 {
			return value{}, ev.missing(e.span, d, in.unitNotes, "ordinalIn.outside-unit")
		}
		if err := ev.known(e.span, in.frames.at(wi), in.frameNotes); err != nil {
			return value{}, err
		}
		if err := ev.known(e.span, in.units.at(ui), in.unitNotes); err != nil {
			return value{}, err
		}
		if start := in.frames.start[wi]; in.offGrid(start) {
			return value{}, fail(e.span, "ordinalIn.off-grid", ev.format(start))
		}
		if wi != framed {
			framed, first = wi, in.firstUnit(wi)
		}
		return number(float64(ui - min(first, ui) + 1)), nil
	}
}

// ordinalWindows are the windows that a call of ordinalIn reads: units, counted within frames.
type ordinalWindows struct {
	units, frames         *spans
	unitGrain, frameGrain align
	unitNotes, frameNotes []note
	bound                 int64 // in a local evaluation, from when on answers are right; else 0
}

// ordinalWindows takes the first two arguments of ordinalIn as windows.
func (ev *evaluation) ordinalWindows(e *Call, at *seat, u, w value) (*ordinalWindows, error) {
	in := &ordinalWindows{unitGrain: grainOf(u), frameGrain: grainOf(w), unitNotes: windowNotes(u), frameNotes: windowNotes(w)}
	if err := checkZone(e.span, "ordinalIn", in.unitGrain, in.frameGrain); err != nil {
		return nil, err
	}
	if err := at.check(ev, e.span, in.frameGrain); err != nil {
		return nil, err
	}
	var err error
	if in.units, err = spansOf(u, e.Args[0].Span); err != nil {
		return nil, err
	}
	if in.frames, err = spansOf(w, e.Args[1].Span); err != nil {
		return nil, err
	}
	in.bound = max(boundWithin(windowLost(u), in.frames), boundWithin(windowLost(w), in.frames), boundWithin(windowLost(u), in.units))
	if ev.cut(in.bound) {
		return nil, errWhole
	}
	ev.reading(in.frames, in.frameNotes, in.unitNotes)
	return in, nil
}

// offGrid says whether units of an elapsed length do not begin where a frame does, so that they cannot be counted in it.
func (in *ordinalWindows) offGrid(start int64) bool {
	return in.unitGrain.kind == alignElapsed && floorMod(start-in.unitGrain.phase, in.unitGrain.step) != 0
}

// firstUnit is the first unit that begins in a frame.
func (in *ordinalWindows) firstUnit(frame int) int {
	start := in.frames.start[frame]
	return sort.Search(len(in.units.start), func(i int) bool { return in.units.start[i] >= start })
}

// epochOrdinal(u, d) is the number, from 0, of the window of u that holds d.
func (c *compiler) epochOrdinal(e *Call) code {
	ev := c.ev
	uc, dc := c.argument(e, 0, 2), c.argument(e, 1, 2)
	s := seat{what: "epochOrdinal"}
	return func(fr *frame) (value, error) {
		u, err := uc(fr)
		if err != nil {
			return u, err
		}
		dv, err := dc(fr)
		if err != nil {
			return dv, err
		}
		d, err := asPoint(dv, e.Args[1].Span)
		if err != nil {
			return value{}, err
		}
		if err := s.check(ev, e.span, grainOf(u)); err != nil {
			return value{}, err
		}
		us, err := spansOf(u, e.Args[0].Span)
		if err != nil {
			return value{}, err
		}
		if u.kind == kindStream && ev.floor != minusInf {
			return value{}, errWhole
		}
		notes := windowNotes(u)
		i := s.find(us, d)
		if i < 0 {
			return value{}, ev.missing(e.span, d, notes, "epochOrdinal.outside")
		}
		if err := ev.known(e.span, us.at(i), notes); err != nil {
			return value{}, err
		}
		return number(float64(i)), nil
	}
}

// coincides(S, w, d) says whether a point of S lies in d's window of w.
func (c *compiler) coincides(e *Call) code {
	if len(e.Args) != 3 {
		return failing(fail(e.span, "coincides.arity", len(e.Args)))
	}
	ev := c.ev
	sc, wc, dc := c.expr(e.Args[0].Value), c.expr(e.Args[1].Value), c.expr(e.Args[2].Value)
	var st *meeting
	seat := seat{}
	var lastS, lastW any
	var ws *spans
	var wnotes []note
	var bound int64
	window := -1
	var answer bool
	var failure error
	return func(fr *frame) (value, error) {
		sv, err := sc(fr)
		if err != nil {
			return sv, err
		}
		m, windows := st, ws
		fresh := sv.kind != kindStream || sv.ref != lastS
		if fresh {
			if m, err = ev.meeting(e, sv); err != nil {
				return value{}, err
			}
		}
		wv, err := wc(fr)
		if err != nil {
			return wv, err
		}
		if fresh = fresh || wv.ref != lastW; fresh {
			if windows, err = meetingWindows(e, wv); err != nil {
				return value{}, err
			}
		}
		dv, err := dc(fr)
		if err != nil {
			return dv, err
		}
		d, err := asPoint(dv, e.Args[2].Span)
		if err != nil {
			return value{}, err
		}
		if fresh {
			if err := m.checkZone(e, wv); err != nil {
				return value{}, err
			}
			if bound, err = ev.meetingBound(m, wv, windows); err != nil {
				return value{}, err
			}
			st, ws, wnotes, lastS, lastW, window = m, windows, windowNotes(wv), sv.ref, wv.ref, -1
		}
		if err := ev.read(bound, d); err != nil {
			return value{}, err
		}
		i := seat.find(ws, d)
		if i < 0 {
			return value{}, ev.missing(e.span, d, wnotes, "coincides.outside")
		}
		if i != window {
			window = i
			answer, failure = ev.meets(e.span, st, ws.at(i), wnotes)
		}
		return boolean(answer), failure
	}
}

// meeting looks for the points of a stream in windows that mostly come in order.
type meeting struct {
	s    *stream
	next int // where the search begins
}

// meeting takes the first argument of coincides.
func (ev *evaluation) meeting(e *Call, v value) (*meeting, error) {
	if v.kind == kindWindows {
		return nil, fail(e.Args[0].Span, "coincides.window-S")
	}
	s, err := ev.stream(v, "", e.Args[0].Span)
	return &meeting{s: s}, err
}

// meetingBound gives from when on a meeting's answers are right in a local evaluation; else 0.
func (ev *evaluation) meetingBound(m *meeting, windows value, s *spans) (int64, error) {
	bound := max(boundWithin(m.s.lost, s), boundWithin(windowLost(windows), s))
	if ev.cut(bound) {
		return 0, errWhole
	}
	ev.reading(s, m.s.notes, windowNotes(windows))
	return bound, nil
}

// meetingWindows takes the second argument of coincides.
func meetingWindows(e *Call, v value) (*spans, error) {
	if v.kind == kindCycle {
		return nil, fail(e.Args[1].Span, "coincides.cycle-w")
	}
	return spansOf(v, e.Args[1].Span)
}

// checkZone fails when the stream has days of another zone than the windows.
func (m *meeting) checkZone(e *Call, windows value) error {
	if g := grainOf(windows); m.s.align.kind == alignCivil && g.kind == alignCivil && m.s.align.zone != g.zone {
		return fail(e.span, "align.coincides-tz", m.s.align.zone, g.zone)
	}
	return nil
}

// meets says whether a point of the stream lies in the window at an instant that is covered. Without one, the answer is
// no where the window is covered, and unknown elsewhere.
func (ev *evaluation) meets(at Span, m *meeting, w interval, wnotes []note) (bool, error) {
	if err := ev.known(at, w, wnotes); err != nil {
		return false, err
	}
	pts := m.s.pts
	i := m.next
	if i > len(pts) || i > 0 && pts[i-1] >= w.from || i+32 < len(pts) && pts[i+32] < w.from {
		i = sort.Search(len(pts), func(k int) bool { return pts[k] >= w.from })
	}
	for i < len(pts) && pts[i] < w.from {
		i++
	}
	m.next = i
	for ; i < len(pts) && pts[i] < w.to; i++ {
		if !notedAt(m.s.notes, pts[i]) {
			return true, nil
		}
	}
	hit, err := ev.overlapping(m.s.notes, w)
	if err != nil {
		return false, err
	}
	if len(hit) > 0 {
		return false, &signal{what: unknownMeeting, at: at, t: w.from, notes: hit, window: w, hasWindow: true}
	}
	return false, nil
}
