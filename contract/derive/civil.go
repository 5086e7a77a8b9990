package derive

import (
	"fmt"
	"strings"
)

// Day is a date as a count of days in the proleptic Gregorian calendar, years 1 to 9999. Day 0 is 0001-01-01, a Monday.
type Day int

// maxDay is 9999-12-31.
const maxDay = Day(3652058)

var weekdays = [...]string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}

// ParseDay reads YYYY-MM-DD.
func ParseDay(s string) (Day, bool) {
	if len(s) != 10 || s[4] != '-' || s[7] != '-' {
		return 0, false
	}
	y, ok1 := small(s[:4])
	m, ok2 := small(s[5:7])
	d, ok3 := small(s[8:])
	if !ok1 || !ok2 || !ok3 || y < 1 || m < 1 || m > 12 || d < 1 || d > daysIn(y, m) {
		return 0, false
	}
	return Day(before(y) + yearDay(y, m) + d - 1), true
}

func small(s string) (n int, ok bool) {
	if strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	for i := range len(s) {
		n = n*10 + int(s[i]-'0')
	}
	return n, true
}

func leap(y int) bool { return y%4 == 0 && (y%100 != 0 || y%400 == 0) }

func daysIn(y, m int) int {
	switch m {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if leap(y) {
			return 29
		}
		return 28
	}
	return 31
}

// before counts the days of the years before y.
func before(y int) int { y--; return 365*y + y/4 - y/100 + y/400 }

// yearDay counts the days of a year before a month.
func yearDay(y, m int) int {
	n := 0
	for i := 1; i < m; i++ {
		n += daysIn(y, i)
	}
	return n
}

// Date gives year, month and day.
func (d Day) Date() (year, month, day int) {
	y := int(d)/366 + 1
	for before(y+1) <= int(d) {
		y++
	}
	rest := int(d) - before(y)
	m := 1
	for rest >= daysIn(y, m) {
		rest -= daysIn(y, m)
		m++
	}
	return y, m, rest + 1
}

// String gives YYYY-MM-DD.
func (d Day) String() string {
	y, m, day := d.Date()
	return fmt.Sprintf("%04d-%02d-%02d", y, m, day)
}

// Weekday gives the day's English name in small letters.
func (d Day) Weekday() string { return weekdays[int(d)%7] }

func (d Day) valid() bool { return d >= 0 && d <= maxDay }
