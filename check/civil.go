package check

import (
	"strconv"
	"strings"
)

// civil is a calendar date of the proleptic Gregorian calendar; dates are arithmetic here, never a clock's or a zone's.
type civil struct{ year, month, day int }

var monthNames = []string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"}

var weekdayNames = []string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"}

func (d civil) valid() bool {
	return d.year >= 1 && d.year <= 9999 && d.month >= 1 && d.month <= 12 && d.day >= 1 && d.day <= daysIn(d.year, d.month)
}

func daysIn(year, month int) int {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}

// weekday is Sakamoto's rule, shifted so that Monday is first.
func (d civil) weekday() string {
	t := [...]int{0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4}
	y := d.year
	if d.month < 3 {
		y--
	}
	return weekdayNames[(y+y/4-y/100+y/400+t[d.month-1]+d.day+6)%7]
}

// next gives the following day.
func (d civil) next() civil {
	d.day++
	if d.day > daysIn(d.year, d.month) {
		d.day = 1
		if d.month++; d.month > 12 {
			d.month = 1
			d.year++
		}
	}
	return d
}

func (d civil) String() string {
	pad := func(n, width int) string {
		s := strconv.Itoa(n)
		return strings.Repeat("0", max(0, width-len(s))) + s
	}
	return pad(d.year, 4) + "-" + pad(d.month, 2) + "-" + pad(d.day, 2)
}

// parseISO reads YYYY-MM-DD and nothing else.
func parseISO(s string) (civil, bool) {
	if len(s) != 10 || s[4] != '-' || s[7] != '-' {
		return civil{}, false
	}
	y, ok1 := small(s[:4])
	m, ok2 := small(s[5:7])
	d, ok3 := small(s[8:])
	c := civil{y, m, d}
	return c, ok1 && ok2 && ok3 && c.valid()
}

// small reads a number of one to four digits.
func small(s string) (int, bool) {
	if s == "" || len(s) > 4 {
		return 0, false
	}
	n := 0
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + int(s[i]-'0')
	}
	return n, true
}

// readDate reads a date with its weekday. The asked form is "2026-01-31 Saturday"; with any, also "Saturday, 31 January
// 2026", "January 31st, 2026 (Sat)" and the like, for items whose wording asked for no form.
func readDate(s string, any bool) (d civil, weekday string, ok bool) {
	if !any {
		f := strings.Fields(s)
		if len(f) != 2 {
			return civil{}, "", false
		}
		d, ok = parseISO(f[0])
		weekday = fullWeekday(f[1], false)
		return d, weekday, ok && weekday != ""
	}
	var rest []string
	for _, w := range strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" \t,;()*_", r) || r == '\u00a0' }) {
		w = strings.TrimSuffix(w, ".")
		if day := fullWeekday(w, true); day != "" {
			if weekday != "" && weekday != day {
				return civil{}, "", false
			}
			weekday = day
			continue
		}
		if l := strings.ToLower(w); l != "the" && l != "of" && l != "and" && l != "on" && l != "a" && l != "is" && w != "" {
			rest = append(rest, l)
		}
	}
	d, ok = longDate(rest)
	return d, weekday, ok && weekday != ""
}

func longDate(w []string) (civil, bool) {
	switch len(w) {
	case 1:
		return parseISO(w[0])
	case 3:
		year, okY := small(w[2])
		for _, p := range [][2]string{{w[0], w[1]}, {w[1], w[0]}} {
			day, okD := small(strings.TrimRight(p[0], "stndrh"))
			if m := monthNumber(p[1]); m > 0 && okD && okY {
				d := civil{year, m, day}
				return d, d.valid()
			}
		}
	}
	return civil{}, false
}

func monthNumber(s string) int {
	for i, name := range monthNames {
		if s == name || len(s) >= 3 && len(s) <= 4 && strings.HasPrefix(name, s) {
			return i + 1
		}
	}
	return 0
}

// fullWeekday gives a weekday's name in its usual spelling, or "".
func fullWeekday(s string, short bool) string {
	for _, name := range weekdayNames {
		if strings.EqualFold(s, name) || short && len(s) >= 3 && len(s) <= 5 && strings.EqualFold(s, name[:min(len(s), len(name))]) {
			return name
		}
	}
	return ""
}
