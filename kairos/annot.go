package kairos

import (
	"cmp"
	"slices"
)

// A list of annotations is in normal form when those of one source neither overlap nor touch, none is empty, and all are
// in order of their starts, then of their ends. Annotations with equal ends stand in the order in which their sources
// first appeared in what was put together, so that order is part of what the functions here keep.

// sourceKey is what tells sources apart.
type sourceKey struct{ name, covering, asof string }

func (s *source) key() sourceKey { return sourceKey{s.name, s.covering, s.asof} }

func sameSource(a, b *source) bool {
	return a == b || a.asof == b.asof && a.name == b.name && a.covering == b.covering
}

// joinNotes puts lists of annotations together. The result may be one of the lists.
func joinNotes(lists ...[]note) []note {
	total, parts, first := 0, 0, -1
	for i, l := range lists {
		if len(l) == 0 {
			continue
		}
		total += len(l)
		parts++
		if first < 0 {
			first = i
		}
	}
	if parts == 0 {
		return nil
	}
	if l := lists[first]; settled(l) && (parts == 1 || absorbs(l, lists[first+1:])) {
		return l
	}
	all := make([]note, 0, total)
	for _, l := range lists {
		all = append(all, l...)
	}
	return normalise(all)
}

// settled says whether normalising a list would surely leave it as it is. It may say no of a long list of several
// sources that is in normal form.
func settled(l []note) bool {
	for i := range l {
		n := &l[i]
		if n.from >= n.to {
			return false
		}
		if i == 0 {
			continue
		}
		// Normalising can swap annotations with equal ends.
		p := &l[i-1]
		if p.from > n.from || p.from == n.from && p.to >= n.to {
			return false
		}
		if p.src == n.src && p.to >= n.from {
			return false
		}
		if i >= 8 && p.src != n.src {
			return false
		}
		for j := min(i, 8) - 1; j >= 0; j-- {
			if l[j].to >= n.from && sameSource(l[j].src, n.src) {
				return false
			}
		}
	}
	return true
}

// absorbs says whether every annotation of the lists lies within one of l.
func absorbs(l []note, lists [][]note) bool {
	const most = 32 // a longer list is cheaper to sort than to search for each annotation
	for _, other := range lists {
		if len(other) > 0 && len(l) > most {
			return false
		}
		for i := range other {
			if !absorbsOne(l, &other[i]) {
				return false
			}
		}
	}
	return true
}

func absorbsOne(l []note, n *note) bool {
	if n.from >= n.to {
		return true
	}
	for i := range l {
		if l[i].from <= n.from && n.to <= l[i].to && sameSource(l[i].src, n.src) {
			return true
		}
	}
	return false
}

// normalise brings a list into normal form, in its own memory.
func normalise(l []note) []note {
	kept := l[:0]
	one := true
	for _, n := range l {
		if n.from < n.to {
			kept = append(kept, n)
			one = one && sameSource(n.src, kept[0].src)
		}
	}
	switch {
	case len(kept) == 0:
		return nil
	case len(kept) == 1:
		return kept
	case one:
		slices.SortStableFunc(kept, func(a, b note) int { return cmp.Compare(a.from, b.from) })
		return mergeTouching(kept)
	}
	return normaliseSources(kept)
}

// mergeTouching merges the annotations of one source, which are in order of their starts.
func mergeTouching(l []note) []note {
	out := l[:1]
	for _, n := range l[1:] {
		if last := &out[len(out)-1]; n.from <= last.to {
			last.to = max(last.to, n.to)
		} else {
			out = append(out, n)
		}
	}
	return out
}

// normaliseSources brings a list of several sources into normal form.
func normaliseSources(l []note) []note {
	ids := numberSources(l)
	type numbered struct {
		note
		id int
	}
	all := make([]numbered, len(l))
	for i, n := range l {
		all[i] = numbered{n, ids[i]}
	}
	slices.SortStableFunc(all, func(a, b numbered) int {
		return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(a.from, b.from))
	})
	out := l[:0]
	for i := range all {
		n := &all[i]
		if i > 0 && n.id == all[i-1].id {
			if last := &out[len(out)-1]; n.from <= last.to {
				last.to = max(last.to, n.to)
				continue
			}
		}
		out = append(out, n.note)
	}
	slices.SortStableFunc(out, func(a, b note) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to))
	})
	return out
}

// numberSources gives for each annotation the number of its source, in order of first appearance.
func numberSources(l []note) []int {
	ids := make([]int, len(l))
	byPointer := map[*source]int{}
	byKey := map[sourceKey]int{}
	for i, n := range l {
		if i > 0 && n.src == l[i-1].src {
			ids[i] = ids[i-1]
			continue
		}
		id, ok := byPointer[n.src]
		if !ok {
			if id, ok = byKey[n.src.key()]; !ok {
				id = len(byKey)
				byKey[n.src.key()] = id
			}
			byPointer[n.src] = id
		}
		ids[i] = id
	}
	return ids
}
