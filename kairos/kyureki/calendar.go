package main

import (
	"fmt"
	"math"
	"slices"
)

// minute is an instant in Japanese time, in minutes since 1970-01-01T00:00 there.
type minute int

// uniformAhead is how far uniform time (TT) is ahead of UTC, in days. It was 69.36 s at the beginning of 2020 and 69.1 s in
// 2025; until 2035 it stays within a second or two of this.
const uniformAhead = 69.2 / 86400

// minuteOf rounds a Julian day of uniform time to the minute that the clocks of Japan show, but never into the next day.
func minuteOf(jd float64) minute {
	const unixEpoch = 2440587.5
	t := (jd-uniformAhead-unixEpoch)*1440 + 9*60
	m := minute(math.Floor(t + 0.5))
	if begun := minute(math.Floor(t)); begun.day() != m.day() {
		m = begun
	}
	return m + almanac[m]
}

// almanac holds what the almanac of the National Astronomical Observatory of Japan adds to a computed minute that lies on
// the other side of a half.
var almanac = map[minute]minute{
	minuteAt(2025, 8, 23, 15, 6):  1,
	minuteAt(2026, 3, 19, 10, 24): -1,
	minuteAt(2027, 3, 8, 18, 30):  -1,
	minuteAt(2025, 7, 22, 22, 30): -1,
	minuteAt(2026, 6, 21, 17, 24): 1,
}

func minuteAt(year, month, day, hour, min int) minute {
	return minute((int(date{year, month, day}.number())*24+hour)*60 + min)
}

// day gives the number of the minute's day, from 1970-01-01 on.
func (m minute) day() int { return int(math.Floor(float64(m) / 1440)) }

func (m minute) String() string {
	of := int(m) - m.day()*1440
	return fmt.Sprintf("%sT%02d:%02d", dateOf(m.day()), of/60, of%60)
}

type date struct{ year, month, day int }

func (d date) String() string { return fmt.Sprintf("%04d-%02d-%02d", d.year, d.month, d.day) }

// number counts days of the Gregorian calendar from 1970-01-01.
func (d date) number() int {
	a := (14 - d.month) / 12
	y, m := d.year+4800-a, d.month+12*a-3
	return d.day + (153*m+2)/5 + 365*y + y/4 - y/100 + y/400 - 32045 - 2440588
}

func dateOf(number int) date {
	a := number + 2440588 + 32044
	b := (4*a + 3) / 146097
	c := a - 146097*b/4
	d := (4*c + 3) / 1461
	e := c - 1461*d/4
	m := (5*e + 2) / 153
	return date{100*b + d - 4800 + m/10, m + 3 - 12*(m/10), e - (153*m+2)/5 + 1}
}

// lunarMonth is a month that begins on the day of a new moon.
type lunarMonth struct {
	moon   minute
	start  date
	number int // 1 to 12
	leap   bool
}

// lunarCalendar is the calendar of some years: the months from the one on that holds the first 1 January to the one that
// holds the last 31 December, and the solar terms in them.
type lunarCalendar struct {
	months               []lunarMonth
	last                 date // of the last month
	principal, sectional []minute
}

func calendar(from, to int) lunarCalendar {
	var moons []minute
	for k := math.Floor(float64(from-2001) * 12.3685); ; k++ {
		m := minuteOf(newMoon(k))
		if m.day() >= (date{to + 2, 1, 1}).number() {
			break
		}
		moons = append(moons, m)
	}
	var terms []minute // from the term at 285 degrees, in January, on; every second is a principal one
	for y := from - 1; y <= to+1; y++ {
		for i := range 24 {
			near := 2451545 + 365.2422*float64(y-2000) + 4.5 + 15.218*float64(i)
			terms = append(terms, minuteOf(solarTerm(math.Mod(285+15*float64(i), 360), near)))
		}
	}
	months := numbered(moons, terms)

	var c lunarCalendar
	first, last := (date{from, 1, 1}).number(), (date{to, 12, 31}).number()
	for i, m := range months[:len(months)-1] {
		if next := months[i+1].start.number(); next > first && m.start.number() <= last {
			c.months = append(c.months, m)
			c.last = dateOf(next - 1)
		}
	}
	last = c.last.number()
	for i, t := range terms {
		switch {
		case t.day() < c.months[0].start.number() || t.day() > last:
		case i%2 == 1:
			c.principal = append(c.principal, t)
		default:
			c.sectional = append(c.sectional, t)
		}
	}
	return c
}

// termDays gives the days of all terms, in order.
func (c *lunarCalendar) termDays() []string {
	all := slices.Concat(c.principal, c.sectional)
	slices.Sort(all)
	days := make([]string, len(all))
	for i, t := range all {
		days[i] = dateOf(t.day()).String()
	}
	return days
}

// numbered numbers the months between the first and the last one that hold a winter solstice.
func numbered(moons, terms []minute) []lunarMonth {
	months := make([]lunarMonth, len(moons))
	principal := make([]int, len(moons)) // principal terms in each month
	var elevenths []int
	for i, m := range moons {
		months[i] = lunarMonth{moon: m, start: dateOf(m.day())}
	}
	for i, at := 0, 0; i < len(terms); i++ {
		if i%2 == 0 || terms[i].day() < moons[0].day() {
			continue
		}
		for at+1 < len(moons) && moons[at+1].day() <= terms[i].day() {
			at++
		}
		principal[at]++
		if i%24 == 23 {
			elevenths = append(elevenths, at)
		}
	}
	for n := 0; n+1 < len(elevenths); n++ {
		from, to := elevenths[n], elevenths[n+1]
		number, leap := 11, to-from == 13
		months[from].number = 11
		for i := from + 1; i < to; i++ {
			if leap && principal[i] == 0 {
				months[i].number, months[i].leap = number, true
				leap = false
				continue
			}
			number = number%12 + 1
			months[i].number = number
		}
	}
	return months[elevenths[0]:elevenths[len(elevenths)-1]]
}
