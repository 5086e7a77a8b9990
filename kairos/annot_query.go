package kairos

import (
	"cmp"
	"slices"
)

// coverGaps collects the time that lies in none of the intervals that it is shown in order of their starts.
type coverGaps struct {
	reached int64
	out     []interval
}

func (o *coverGaps) pass(from, to int64) {
	if from >= to {
		return
	}
	if from > o.reached {
		o.out = append(o.out, interval{o.reached, from})
	}
	o.reached = max(o.reached, to)
}

func (o *coverGaps) rest() []interval {
	if o.reached < plusInf {
		o.out = append(o.out, interval{o.reached, plusInf})
	}
	return o.out
}

// complement gives the time outside all annotations, in order.
func complement(notes []note) []interval {
	o := coverGaps{reached: minusInf}
	for i := range notes {
		o.pass(notes[i].from, notes[i].to)
	}
	return o.rest()
}

// uncoveredNotes gives the annotations of data that reach over cover: the time outside it.
func uncoveredNotes(cover []interval, src *source) []note {
	byStart := func(a, b interval) int { return cmp.Compare(a.from, b.from) }
	if !slices.IsSortedFunc(cover, byStart) {
		cover = slices.Clone(cover)
		slices.SortFunc(cover, byStart)
	}
	o := coverGaps{reached: minusInf}
	for _, c := range cover {
		o.pass(c.from, c.to)
	}
	gaps := o.rest()
	if len(gaps) == 0 {
		return nil
	}
	out := make([]note, len(gaps))
	for i, g := range gaps {
		out[i] = note{g.from, g.to, src}
	}
	return out
}

// intervalAt gives the interval that contains t.
func intervalAt(list []interval, t int64) (interval, bool) {
	for _, v := range list {
		if v.from <= t && t < v.to {
			return v, true
		}
	}
	return interval{}, false
}

// notedAt says whether an annotation holds at t.
func notedAt(notes []note, t int64) bool {
	for i := range notes {
		if notes[i].from > t {
			return false
		}
		if t < notes[i].to {
			return true
		}
	}
	return false
}

// notesAt gives the annotations that hold at t.
func notesAt(notes []note, t int64) []note {
	var out []note
	for _, n := range notes {
		if n.from > t {
			break
		}
		if t < n.to {
			out = append(out, n)
		}
	}
	return out
}

func (n *note) overlaps(w interval) bool { return n.from < w.to && w.from < n.to }

// notesOverlapping gives the annotations that share time with w.
func notesOverlapping(notes []note, w interval) []note {
	var out []note
	for _, n := range notes {
		if n.from >= w.to {
			break
		}
		if n.overlaps(w) {
			out = append(out, n)
		}
	}
	return out
}

// anyOverlap says whether an annotation shares time with w.
func anyOverlap(notes []note, w interval) bool {
	for i := range notes {
		if notes[i].from >= w.to {
			return false
		}
		if notes[i].overlaps(w) {
			return true
		}
	}
	return false
}

// clipNotes cuts annotations to [from, to).
func clipNotes(notes []note, from, to int64) []note {
	if len(notes) == 0 {
		return nil
	}
	out := make([]note, len(notes))
	for i, n := range notes {
		out[i] = note{max(n.from, from), min(n.to, to), n.src}
	}
	return normalise(out)
}

// noteWalk finds what holds at points that come in order, and collects it.
type noteWalk struct {
	notes []note
	next  int // the first annotation that starts later
	reach int64
	hit   []bool // of each annotation, whether it held at a point that was asked for; nil before the first did

	asked  bool // of reaches
	last   int64
	answer bool
}

func walkNotes(notes []note) noteWalk { return noteWalk{notes: notes, reach: minusInf} }

// at says whether an annotation holds at t, and marks those that do. t must not decrease.
func (w *noteWalk) at(t int64) bool {
	// One that starts at or before t holds either now or at no later point, unless it has been marked already.
	for w.next < len(w.notes) && w.notes[w.next].from <= t {
		if to := w.notes[w.next].to; t < to {
			w.mark(w.next)
			w.reach = max(w.reach, to)
		}
		w.next++
	}
	return t < w.reach
}

// reaches is at for points in no order, of which there are few different ones.
func (w *noteWalk) reaches(t int64) bool {
	if w.asked && w.last == t {
		return w.answer
	}
	w.asked, w.last, w.answer = true, t, false
	for i := range w.notes {
		if w.notes[i].from > t {
			break
		}
		if t < w.notes[i].to {
			w.mark(i)
			w.answer = true
		}
	}
	return w.answer
}

func (w *noteWalk) mark(i int) {
	if w.hit == nil {
		w.hit = make([]bool, len(w.notes))
	}
	w.hit[i] = true
}

// marked gives the annotations that have been marked.
func (w *noteWalk) marked() []note { return w.with(w) }

// with gives the annotations that have been marked in either of two walks of the same list.
func (w *noteWalk) with(v *noteWalk) []note {
	if w.hit == nil && v.hit == nil {
		return nil
	}
	var out []note
	for i, n := range w.notes {
		if w.hit != nil && w.hit[i] || v.hit != nil && v.hit[i] {
			out = append(out, n)
		}
	}
	return out
}
