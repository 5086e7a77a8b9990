package kairos

import (
	"slices"
	"strconv"
)

// zone maps instants to wall clocks and back. It does not change after it has been made.
type zone struct {
	name string // as written in the program
	// From starts[i] on, up to starts[i+1], the wall clock shows the instant plus offs[i]. starts[0] is minusInf.
	starts []int64
	offs   []int64
	// With a rule, the last entry above holds only until the rule's next change, and so on for ever.
	hasRule bool
	rule    yearRule
	skips   []skip // in order
}

// anchorKind says how often a wall clock shows a date and time.
type anchorKind uint8

const (
	anchorUnique anchorKind = iota
	anchorGap
	anchorOverlap
)

// maxInstant bounds instants and wall times, so that sums with offsets and days cannot overflow.
const maxInstant = 100_000_000 * dayMs

func bounded(ms int64) int64 { return min(max(ms, -maxInstant), maxInstant) }

// segment is a time [from, to) of one offset.
type segment struct{ from, to, off int64 }

// segmentAt gives the segment that contains an instant.
func (z *zone) segmentAt(ms int64) segment {
	i := z.index(ms)
	if i+1 < len(z.starts) {
		return segment{z.starts[i], z.starts[i+1], z.offs[i]}
	}
	s := segment{z.starts[i], plusInf, z.offs[i]}
	if !z.hasRule {
		return s
	}
	// The table ends in winter or summer of some year; go on from the year before the instant's.
	ms = min(ms, maxInstant+2*dayMs)
	year, _, _ := civilFromDays(floorDiv(ms, dayMs))
	for y := year - 1; ; y++ {
		for _, c := range [2]*yearChange{&z.rule.first, &z.rule.second} {
			t := c.in(y)
			if t <= s.from {
				continue
			}
			if t > ms {
				s.to = t
				return s
			}
			s.from, s.off = t, c.off
		}
	}
}

// index gives the entry of the table that is in force at an instant.
func (z *zone) index(ms int64) int {
	lo, hi := 0, len(z.starts)
	for hi-lo > 1 {
		m := int(uint(lo+hi) >> 1)
		if z.starts[m] <= ms {
			lo = m
		} else {
			hi = m
		}
	}
	return lo
}

// offset gives what the wall clock shows beyond UTC at an instant, in milliseconds.
func (z *zone) offset(ms int64) int64 {
	if i := z.index(ms); i+1 < len(z.starts) || !z.hasRule {
		return z.offs[i]
	}
	return z.segmentAt(ms).off
}

// shown gives the wall clock at an instant, in milliseconds as if it were UTC.
func (z *zone) shown(ms int64) int64 {
	ms = bounded(ms)
	return ms + z.offset(ms)
}

// date gives the number of the date that the wall clock shows at an instant.
func (z *zone) date(ms int64) int64 { return floorDiv(z.shown(ms), dayMs) }

// local gives the date and the time of day in milliseconds that the wall clock shows at an instant.
func (z *zone) local(ms int64) (y, m, d int, tod int64) {
	shown := z.shown(ms)
	n := floorDiv(shown, dayMs)
	y, m, d = civilFromDays(n)
	return y, m, d, shown - n*dayMs
}

// wall gives the time of day that the wall clock shows at an instant, in milliseconds.
func (z *zone) wall(ms int64) int64 {
	shown := z.shown(ms)
	return shown - floorDiv(shown, dayMs)*dayMs
}

// anchor finds the instant at which the wall clock shows local, milliseconds as if UTC. Where it does so more than once,
// it is the first; where it leaps over it, it is the instant of the leap.
func (z *zone) anchor(local int64) (ms int64, k anchorKind) {
	local = bounded(local)
	// Offsets are well below a day, so only the segments within a day of local can show it.
	s := z.segmentAt(local - dayMs)
	if s.to > local+dayMs {
		return local - s.off, anchorUnique
	}
	k = anchorGap
	leap := false
	for {
		if u := local - s.off; s.from <= u && u < s.to {
			if k == anchorUnique {
				return ms, anchorOverlap
			}
			ms, k = u, anchorUnique
		}
		if s.to > local+dayMs {
			return ms, k
		}
		next := z.segmentAt(s.to)
		if k == anchorGap && !leap && s.to+s.off <= local && local < s.to+next.off {
			ms, leap = s.to, true
		}
		s = next
	}
}

// startOf gives the first instant of the date with a number; of a date that the zone skips, that of the next one.
func (z *zone) startOf(date int64) int64 {
	const most = maxInstant / dayMs
	ms, _ := z.anchor(min(max(date, -most), most) * dayMs)
	return ms
}

// dayStart gives the first instant of a date. Days beyond the month's end count on.
func (z *zone) dayStart(y, m, d int) int64 { return z.startOf(daysFromCivil(y, m, d)) }

// addDays gives the start of the day n dates after the one that starts at dayStart.
func (z *zone) addDays(dayStart int64, n int) int64 {
	const most = 2 * maxInstant / dayMs // from one end of time to the other
	return z.startOf(z.date(dayStart) + min(max(int64(n), -most), most))
}

// floorDay gives the start of the day that an instant belongs to.
func (z *zone) floorDay(ms int64) int64 {
	date := z.date(ms)
	if start := z.startOf(date); start <= ms {
		return start
	}
	return z.startOf(date - 1)
}

// atWall gives the first instant at which the wall clock shows the time of day tod, or a later one, on the day that
// starts at dayStart.
func (z *zone) atWall(dayStart, tod int64) int64 {
	if tod == 0 {
		return dayStart
	}
	ms, _ := z.anchor(z.date(dayStart)*dayMs + bounded(tod))
	return ms
}

// days gives the starts of the days from 1970-01-01 on, up to and including the first one at or after until. Each is
// one date after the one before it; a date that the zone skips has none. The slice is the caller's.
func (z *zone) days(until int64) []int64 {
	until = bounded(until)
	prev := z.startOf(0)
	// Starts drift against multiples of 24 hours by no more than the span of offsets, some 27 hours.
	out := append(make([]int64, 0, max(until-prev, 0)/dayMs+4), prev)
	s := z.segmentAt(prev)
	plain := z.plainFrom(s)
	for prev < until {
		local := (floorDiv(prev+s.off, dayMs) + 1) * dayMs
		next := local - s.off
		switch {
		case next < s.to && local >= plain:
		case next >= s.to && s.from <= s.to-2*dayMs && z.follows(&s, local):
			// The first midnight after a change: no segment before the change shows it.
			next, plain = local-s.off, local
		default:
			prev = z.startOf(local / dayMs)
			out = append(out, prev)
			s = z.segmentAt(prev)
			plain = z.plainFrom(s)
			continue
		}
		// All midnights from here to the end of the segment are 24 hours apart.
		n := (s.to-1-next)/dayMs + 1
		if next >= until {
			n = 1
		} else {
			n = min(n, (until-1-next)/dayMs+2)
		}
		run := len(out)
		out = slices.Grow(out, int(n))[:run+int(n)]
		same := out[run:]
		for i := range same {
			same[i] = next
			next += dayMs
		}
		prev = next - dayMs
	}
	return out
}

// follows replaces a segment by the next one if that shows a wall time.
func (z *zone) follows(s *segment, local int64) bool {
	next := z.segmentAt(s.to)
	if u := local - next.off; u < next.from || u >= next.to {
		return false
	}
	*s = next
	return true
}

// plainFrom gives the wall time from which on no wall time of the segment has been shown in an earlier one.
func (z *zone) plainFrom(s segment) int64 {
	if s.from == minusInf {
		return minusInf
	}
	before := z.segmentAt(s.from - 1)
	if before.from > s.from-2*dayMs {
		return s.from + dayMs // a short segment: others before it may matter too
	}
	return s.from + before.off
}

// dayIndex gives the index, in the list that days gives, of the last day that starts at or before an instant, at least
// 0.
func (z *zone) dayIndex(dayStart int64) int {
	ms := bounded(dayStart)
	i := z.index(ms)
	n := floorDiv(ms+z.offset(ms), dayMs)
	if ms-3*dayMs < z.starts[i] || i+1 == len(z.starts) && z.hasRule {
		// Near a change the date need not be that of the last start.
		for z.startOf(n+1) <= ms {
			n++
		}
		for z.startOf(n) > ms {
			n--
		}
	}
	index := n
	for _, s := range z.skips {
		if n >= s.date {
			index -= s.count
		}
	}
	return int(max(index, 0))
}

// format prints an instant as the wall clock shows it: 2026-01-05, 2026-01-05T09:30 or 2026-01-05T09:30:15.
func (z *zone) format(ms int64) string { return string(z.appendFormat(nil, ms)) }

// appendFormat appends what format gives.
func (z *zone) appendFormat(b []byte, ms int64) []byte {
	y, m, d, tod := z.local(ms)
	if y < 0 || y > 9999 {
		if y < 0 {
			b = append(b, '-')
			y = -y
		}
		for limit := 1000; limit > y; limit /= 10 {
			b = append(b, '0')
		}
		b = strconv.AppendInt(b, int64(y), 10)
	} else {
		b = append(b, byte('0'+y/1000), byte('0'+y/100%10), byte('0'+y/10%10), byte('0'+y%10))
	}
	b = append(b, '-', byte('0'+m/10), byte('0'+m%10), '-', byte('0'+d/10), byte('0'+d%10))
	if tod == 0 {
		return b
	}
	s := uint32(tod / 1000)
	h, mi := s/3600, s/60%60
	s %= 60
	b = append(b, 'T', byte('0'+h/10), byte('0'+h%10), ':', byte('0'+mi/10), byte('0'+mi%10))
	if s != 0 {
		b = append(b, ':', byte('0'+s/10), byte('0'+s%10))
	}
	return b
}
