package kairos

import "slices"

// skip says that the count dates before date do not exist in a zone.
type skip struct{ date, count int64 }

// yearRule is a pair of changes that recurs every year.
type yearRule struct{ first, second yearChange }

// yearChange changes to an offset on the week-th weekday (0 is Sunday) of a month; week 5 is the last one.
type yearChange struct {
	month, week, weekday int
	at                   int64 // milliseconds from 00:00Z of that day
	off                  int64 // milliseconds; the new offset
}

// in gives the instant of the change in a year.
func (c *yearChange) in(year int) int64 {
	month := c.month
	if c.week == 5 {
		month++ // the last one is seven days before the first one on or after the next month's first day
	}
	first := daysFromCivil(year, month, 1)
	weekday := (first+4)%7 + 7 // 1970-01-01 was a Thursday
	day := first + (int64(c.weekday)+14-weekday)%7
	if c.week == 5 {
		day -= 7
	} else {
		day += int64(c.week-1) * 7
	}
	return day*dayMs + c.at
}

// lastTableYear is the last year for which the table of a zone with a rule is written out; later changes are worked out when asked for.
const lastTableYear = 2100

// decodeZone makes a zone, without its name, of its data: the number of offsets and each in minutes, two bytes signed;
// the number of changes and for each the minutes since the one before, or since 1969-01-01T00:00Z, and the index of the
// new offset, the first offset being in force before all of them; the number of changes of the yearly rule, 0 or 2. With
// 2, there follow the minutes from the last change to the instant after which the rule holds, and for each change of the
// rule the month, the week, the weekday, the minutes from 00:00Z and the offset. Numbers without a sign are varints.
func decodeZone(data string) *zone {
	d := zoneDecoder{data}
	offs := make([]int64, d.number())
	for i := range offs {
		offs[i] = d.minutes()
	}
	changes := d.number()
	z := &zone{starts: make([]int64, 1, changes+1), offs: make([]int64, 1, changes+1)}
	z.starts[0], z.offs[0] = minusInf, offs[0]
	t := daysFromCivil(1969, 1, 1) * dayMs
	for range changes {
		t += int64(d.number()) * minuteMs
		z.starts, z.offs = append(z.starts, t), append(z.offs, offs[d.number()])
	}
	if z.hasRule = d.number() == 2; z.hasRule {
		from := t + int64(d.number())*minuteMs
		z.rule = yearRule{d.change(), d.change()}
		z.extend(from)
	}
	z.findSkips()
	return z
}

// extend writes the rule's changes after an instant into the table.
func (z *zone) extend(from int64) {
	off := z.offs[len(z.offs)-1]
	year, _, _ := civilFromDays(floorDiv(from, dayMs))
	z.starts = slices.Grow(z.starts, 2*(lastTableYear+1-year))
	z.offs = slices.Grow(z.offs, 2*(lastTableYear+1-year))
	for ; year <= lastTableYear; year++ {
		for _, c := range [2]*yearChange{&z.rule.first, &z.rule.second} {
			if t := c.in(year); t > from && c.off != off {
				z.starts, z.offs = append(z.starts, t), append(z.offs, c.off)
				off = c.off
			}
		}
	}
}

// findSkips lists the dates that the table's changes leap over.
func (z *zone) findSkips() {
	for i := 1; i < len(z.starts); i++ {
		if z.offs[i]-z.offs[i-1] < dayMs {
			continue
		}
		missing := floorDiv(z.starts[i]+z.offs[i-1]+dayMs-1, dayMs)
		date := floorDiv(z.starts[i]+z.offs[i], dayMs)
		if date > 0 && date > missing {
			z.skips = append(z.skips, skip{date, date - max(missing, 0)})
		}
	}
}

// dates gives what days gives with the dates that the zone leaps over in it, each with the start of the next day: the
// date with number i is at i.
func (z *zone) dates(until int64) []int64 {
	days := z.days(until)
	for _, s := range z.skips {
		if at := int(s.date - s.count); at < len(days) {
			days = slices.Insert(days, at, slices.Repeat(days[at:at+1], int(s.count))...)
		}
	}
	return days
}

// skipped says whether the zone leaps over a date, from 1970 on.
func (z *zone) skipped(date int64) bool {
	for _, s := range z.skips {
		if s.date-s.count <= date && date < s.date {
			return true
		}
	}
	return false
}

// zoneDecoder reads a zone's data.
type zoneDecoder struct{ rest string }

func (d *zoneDecoder) number() int {
	n := 0
	for shift := 0; ; shift += 7 {
		b := d.rest[0]
		d.rest = d.rest[1:]
		n |= int(b&0x7F) << shift
		if b < 0x80 {
			return n
		}
	}
}

// minutes reads a number of minutes and gives it in milliseconds.
func (d *zoneDecoder) minutes() int64 {
	n := int16(uint16(d.rest[0]) | uint16(d.rest[1])<<8)
	d.rest = d.rest[2:]
	return int64(n) * minuteMs
}

func (d *zoneDecoder) change() yearChange {
	return yearChange{month: d.number(), week: d.number(), weekday: d.number(), at: d.minutes(), off: d.minutes()}
}
