package kairos

// hours are the business hours of an entity: what its session markers and business days make of time.
type hours struct {
	open, close *stream

	// Sessions from an opening to the next closing, in order; they do not overlap.
	start, end []int64
	day        []int64 // the day on which a session opens
	kept       []bool  // that day is a business day

	markers   []int64 // openings and closings
	unknown   noteReach
	dayless   noteReach // where business days are unknown
	epoch     int64
	inSession int // where the last question led to in start
	inMarkers int // and in markers
}

// newHours checks that openings and closings alternate wherever both are known, and pairs them. days are the business
// days of the entity, z is its zone.
func (ev *evaluation) newHours(at Span, opens, closes, days *stream, z *zone) (*hours, error) {
	size := len(opens.pts) + len(closes.pts)
	if err := ev.step(int64(2*size + len(days.pts))); err != nil {
		return nil, err
	}
	notes := joinNotes(opens.notes, closes.notes)
	for _, known := range complement(notes) {
		known.from, known.to = max(known.from, ev.epoch), min(known.to, ev.horizon)
		if err := ev.checkAlternation(at, opens.pts, closes.pts, known); err != nil {
			return nil, err
		}
	}
	if err := ev.hold(2*size + 3*len(opens.pts)); err != nil {
		return nil, err
	}
	all := joinNotes(notes, days.notes)
	h := &hours{
		markers: unionPoints(opens.pts, closes.pts),
		unknown: newNoteReach(notes),
		dayless: newNoteReach(days.notes),
		epoch:   ev.epoch,
		open:    &stream{notes: all, endless: opens.endless},
		close:   &stream{notes: all, endless: closes.endless},
	}
	h.open.lost = lostHours(max(opens.lost, closes.lost, days.lost), h.markers)
	h.close.lost = h.open.lost
	h.pair(opens.pts, closes.pts, dayFinder{days: z.days(ev.horizon), z: z}, days.pts, ev.horizon)
	return h, nil
}

// checkAlternation fails when two openings or two closings follow each other within known. What was before known is
// not known, so it may begin with either.
func (ev *evaluation) checkAlternation(at Span, opens, closes []int64, known interval) error {
	if known.from >= known.to {
		return nil
	}
	opens = opens[lowerBound(opens, known.from):]
	closes = closes[lowerBound(closes, known.from):]
	const none, open, closed = 0, 1, 2
	state := none
	for len(opens) > 0 || len(closes) > 0 {
		o, c := int64(plusInf), int64(plusInf)
		if len(opens) > 0 {
			o = opens[0]
		}
		if len(closes) > 0 {
			c = closes[0]
		}
		switch {
		case min(o, c) >= known.to:
			return nil
		case o == c: // closes and opens again, or opens for no time
			opens, closes = opens[1:], closes[1:]
		case o < c:
			if state == open {
				return fail(at, "hours.alternation", "sessionOpens", "sessionCloses", ev.format(o))
			}
			state, opens = open, opens[1:]
		default:
			if state == closed {
				return fail(at, "hours.alternation", "sessionCloses", "sessionOpens", ev.format(c))
			}
			state, closes = closed, closes[1:]
		}
	}
	return nil
}

// pair makes the sessions, and from them the points of open and close.
func (h *hours) pair(opens, closes []int64, find dayFinder, days []int64, horizon int64) {
	h.start = make([]int64, 0, len(opens))
	h.end = make([]int64, 0, len(opens))
	h.day = make([]int64, 0, len(opens))
	h.kept = make([]bool, 0, len(opens))
	openPts := make([]int64, 0, len(opens))
	business := pointFinder{pts: days}
	var day int64 // of the session that is open
	var kept bool
	// An opening before 1970-01-01T00:00Z opens no session, although it is a point of open.
	since := int64(-1)
	finish := func(end int64) {
		if end > since {
			h.start, h.end = append(h.start, since), append(h.end, end)
			h.day, h.kept = append(h.day, day), append(h.kept, kept)
		}
	}
	j := 0
	for _, o := range opens {
		for ; j < len(closes) && closes[j] < o; j++ {
			if since >= 0 {
				finish(closes[j])
				since = -1
			}
		}
		paired := j < len(closes) && closes[j] == o
		if paired {
			j++
		}
		d := find.floor(o)
		isBusiness := business.has(d)
		if isBusiness {
			openPts = append(openPts, o)
		}
		switch {
		case paired && since >= 0:
			finish(o)
			since, day, kept = o, d, isBusiness
		case !paired && since < 0:
			since, day, kept = o, d, isBusiness
		}
	}
	for ; j < len(closes) && since >= 0; j++ {
		finish(closes[j])
		since = -1
	}
	running := since >= 0 && horizon > since
	if running {
		finish(horizon)
	}
	h.open.pts = openPts
	h.close.pts = h.closings(running)
}

// closings gives the ends of the kept sessions, those that touch taken as one. When the last session is running, it has
// no closing yet.
func (h *hours) closings(running bool) []int64 {
	out := make([]int64, 0, len(h.end))
	last := -1 // the kept session before k
	for k := range h.end {
		if !h.kept[k] {
			continue
		}
		if last >= 0 && h.start[k] > h.end[last] {
			out = append(out, h.end[last])
		}
		last = k
	}
	if last >= 0 && !(running && last == len(h.end)-1) {
		out = append(out, h.end[last])
	}
	return out
}

// bizOpen gives the openings on business days.
func (h *hours) bizOpen() *stream { return h.open }

// bizClose gives the closings of sessions that opened on business days.
func (h *hours) bizClose() *stream { return h.close }

// isOpen says whether t is in a session that opened on a business day. The answer is a signal when markers or business
// days that it depends on are unknown.
func (h *hours) isOpen(t int64) (bool, *signal) {
	i := lastAt(h.start, t, &h.inSession)
	if i >= 0 && t < h.end[i] {
		if since := h.start[i]; h.unknown.any(since, t) || h.dayless.any(h.day[i], h.day[i]) {
			notes := append(h.unknown.all(since, t), h.dayless.all(h.day[i], h.day[i])...)
			return false, &signal{notes: notes}
		}
		return h.kept[i], nil
	}
	since := h.epoch
	if m := lastAt(h.markers, t, &h.inMarkers); m >= 0 {
		since = h.markers[m]
	}
	if h.unknown.any(since, t) {
		return false, &signal{notes: h.unknown.all(since, t)}
	}
	return false, nil
}
