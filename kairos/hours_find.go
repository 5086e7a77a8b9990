package kairos

// lastAt gives the index of the last point at or before t, or -1. It begins at *near, which it then sets.
func lastAt(pts []int64, t int64, near *int) int {
	i := *near
	if i >= len(pts) || pts[i] > t {
		i = upperBound(pts, t) - 1
	} else if i+1 < len(pts) && pts[i+1] <= t {
		i = seek(pts, i+1, t+1) - 1
	}
	*near = max(i, 0)
	return i
}

// dayFinder finds the days of instants that come in order.
type dayFinder struct {
	days []int64 // of the zone
	z    *zone
	near int
}

// floor gives the start of the day of t.
func (f *dayFinder) floor(t int64) int64 {
	i := lastAt(f.days, t, &f.near)
	// On a day of another length the clock changes, perhaps back to the day before.
	if i >= 0 && i+1 < len(f.days) && f.days[i+1]-f.days[i] == dayMs {
		return f.days[i]
	}
	return f.z.floorDay(t)
}

// pointFinder finds points that are asked for mostly in order.
type pointFinder struct {
	pts  []int64
	near int
}

func (f *pointFinder) has(t int64) bool {
	i := lastAt(f.pts, t, &f.near)
	return i >= 0 && f.pts[i] == t
}

// noteReach answers which annotations hold in a time, without looking at all of them when none does.
type noteReach struct {
	notes []note
	from  []int64 // starts
	reach []int64 // the latest end of the annotations up to each
	near  int
}

func newNoteReach(notes []note) noteReach {
	r := noteReach{notes: notes}
	if len(notes) == 0 {
		return r
	}
	r.from, r.reach = make([]int64, len(notes)), make([]int64, len(notes))
	reach := int64(minusInf)
	for i, n := range notes {
		reach = max(reach, n.to)
		r.from[i], r.reach[i] = n.from, reach
	}
	return r
}

// any says whether an annotation holds at some time after since, up to and including t, or at t when both are the same.
func (r *noteReach) any(since, t int64) bool {
	i := lastAt(r.from, t, &r.near)
	return i >= 0 && r.reach[i] > since
}

// all gives the annotations of which any speaks.
func (r *noteReach) all(since, t int64) []note {
	var out []note
	for _, n := range r.notes {
		if n.from > t {
			break
		}
		if n.to > since {
			out = append(out, n)
		}
	}
	return out
}
