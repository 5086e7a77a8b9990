package kairos

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// An oracle computes a schedule with the time package alone. day gives midnight of a date in the schedule's zone.
type oracle struct {
	name  string
	src   string
	zones []string
	want  func(loc *time.Location) []time.Time
}

// eachDay calls f with every day from 1990 to 2060 and collects what it keeps.
func eachDay(loc *time.Location, f func(d time.Time) (time.Time, bool)) []time.Time {
	var out []time.Time
	for i := 0; ; i++ {
		d := time.Date(1990, 1, 1+i, 0, 0, 0, 0, loc)
		if d.Year() > 2060 {
			return out
		}
		if t, ok := f(d); ok {
			out = append(out, t)
		}
	}
}

func eachMonth(f func(y int, m time.Month) time.Time) []time.Time {
	var out []time.Time
	for y := 1990; y <= 2060; y++ {
		for m := time.January; m <= time.December; m++ {
			out = append(out, f(y, m))
		}
	}
	return out
}

func at(loc *time.Location, y int, m time.Month, d int) time.Time {
	return time.Date(y, m, d, 0, 0, 0, 0, loc)
}

func workday(d time.Time) bool { return d.Weekday() != time.Saturday && d.Weekday() != time.Sunday }

func nextWorkday(d time.Time, step int) time.Time {
	for !workday(d) {
		d = d.AddDate(0, 0, step)
	}
	return d
}

// plain are zones whose days all begin at midnight in the years that are compared.
var plain = []string{"Asia/Tokyo", "UTC", "America/New_York", "Europe/London", "Australia/Lord_Howe", "Pacific/Auckland"}

const workdays = "work = everyDay |> filter(d => not (weekday(d) in [Sat, Sun]))\n"

var oracles = []oracle{
	{"third Friday", "everyDay |> filter(d => weekday(d) == Fri) |> within(month) |> nth(3)", plain,
		func(loc *time.Location) []time.Time {
			return eachMonth(func(y int, m time.Month) time.Time {
				first := at(loc, y, m, 1)
				return at(loc, y, m, 1+(int(time.Friday-first.Weekday())+7)%7+14)
			})
		}},
	{"last business day", workdays + "work |> within(month) |> last", plain,
		func(loc *time.Location) []time.Time {
			return eachMonth(func(y int, m time.Month) time.Time { return nextWorkday(at(loc, y, m+1, 0), -1) })
		}},
	{"the 25th or the business day before", workdays + "everyDay |> within(month) |> nth(25) |> roll(Preceding, on: work)", plain,
		func(loc *time.Location) []time.Time {
			return eachMonth(func(y int, m time.Month) time.Time { return nextWorkday(at(loc, y, m, 25), -1) })
		}},
	{"the 10th or the business day after", workdays + "everyDay |> within(month) |> nth(10) |> roll(Following, on: work)", plain,
		func(loc *time.Location) []time.Time {
			return eachMonth(func(y int, m time.Month) time.Time { return nextWorkday(at(loc, y, m, 10), 1) })
		}},
	{"every second Friday from an anchor", "everyDay |> filter(d => weekday(d) == Fri) |> stride(2, from: 1992-02-29)", plain,
		func(loc *time.Location) []time.Time {
			var out []time.Time
			for d := at(loc, 1992, time.March, 6); d.Year() <= 2060; d = d.AddDate(0, 0, 14) {
				out = append(out, d)
			}
			return out
		}},
	{"ends of quarters", "quarter |> last", plain,
		func(loc *time.Location) []time.Time {
			var out []time.Time
			for _, d := range eachMonth(func(y int, m time.Month) time.Time { return at(loc, y, m+1, 0) }) {
				if d.Month()%3 == 0 {
					out = append(out, d)
				}
			}
			return out
		}},
	{"fridays of ISO week 53 and mondays of week 1", "everyDay |> filter(d => ISOWeek.isoWeekNo(d) == 53 and weekday(d) == Fri or ISOWeek.isoWeekNo(d) == 1 and weekday(d) == Mon)", plain[:3],
		func(loc *time.Location) []time.Time {
			return eachDay(loc, func(d time.Time) (time.Time, bool) {
				_, w := d.ISOWeek()
				return d, w == 53 && d.Weekday() == time.Friday || w == 1 && d.Weekday() == time.Monday
			})
		}},
	{"years that begin in April", "Fiscal.year |> first", plain,
		func(loc *time.Location) []time.Time {
			return eachDay(loc, func(d time.Time) (time.Time, bool) { return d, d.Month() == time.April && d.Day() == 1 })
		}},
	{"last but one Tuesday", "everyDay |> filter(d => weekday(d) == Tue and daysInMonthOf(d) - dayNo(d) in [7, 8, 9, 10, 11, 12, 13])", plain,
		func(loc *time.Location) []time.Time {
			return eachMonth(func(y int, m time.Month) time.Time {
				last := at(loc, y, m+1, 0)
				return at(loc, y, m+1, -(int(last.Weekday()-time.Tuesday)+7)%7-7)
			})
		}},
	{"the 31st or the end of the month", "(everyDay |> filter(d => dayNo(d) == 31)) | (monthEnd |> filter(d => dayNo(d) < 31))", plain,
		func(loc *time.Location) []time.Time {
			return eachMonth(func(y int, m time.Month) time.Time { return at(loc, y, m+1, 0) })
		}},
	{"leap days", "everyDay |> filter(d => monthNo(d) == 2 and dayNo(d) == 29)", plain,
		func(loc *time.Location) []time.Time {
			return eachDay(loc, func(d time.Time) (time.Time, bool) { return d, d.Month() == time.February && d.Day() == 29 })
		}},
	{"first business day at half past nine", workdays + "work |> within(month) |> first |> at(T09:30)", plain,
		func(loc *time.Location) []time.Time {
			return eachMonth(func(y int, m time.Month) time.Time {
				d := nextWorkday(at(loc, y, m, 1), 1)
				return time.Date(y, m, d.Day(), 9, 30, 0, 0, loc)
			})
		}},
	{"every 90 minutes in the weeks around changes of the clock", "(everyInstant |> strideBy(90m, from: 1990-01-01)) |> filter(t => monthNo(t) in [3, 11] and dayNo(t) < 15 and yearNo(t) mod 10 == 6)", plain[:3],
		func(loc *time.Location) []time.Time {
			var out []time.Time
			for t := at(loc, 1990, time.January, 1); t.Year() <= 2060; t = t.Add(90 * time.Minute) {
				if (t.Month() == time.March || t.Month() == time.November) && t.Day() < 15 && t.Year()%10 == 6 {
					out = append(out, t)
				}
			}
			return out
		}},
	{"noon of the day after the second Sunday of March", "everyDay |> filter(d => weekday(d) == Sun and monthNo(d) == 3) |> within(year) |> nth(2) |> shift(1, unit: everyDay) |> at(T12:00)", plain,
		func(loc *time.Location) []time.Time {
			var out []time.Time
			for y := 1990; y <= 2060; y++ {
				first := at(loc, y, time.March, 1)
				out = append(out, time.Date(y, time.March, 1+(7-int(first.Weekday()))%7+8, 12, 0, 0, 0, loc))
			}
			return out
		}},
}

func TestOracles(t *testing.T) {
	for _, o := range oracles {
		for _, zone := range o.zones {
			t.Run(strings.ReplaceAll(o.name, " ", "-")+"/"+strings.ReplaceAll(zone, "/", "-"), func(t *testing.T) {
				loc, err := time.LoadLocation(zone)
				if err != nil {
					t.Skipf("the system does not know the zone: %v", err)
				}
				from, to := at(loc, 1991, time.May, 17), at(loc, 2059, time.August, 3)
				var want []int64
				for _, w := range o.want(loc) {
					if !w.Before(from) && w.Before(to) {
						want = append(want, w.UnixMilli())
					}
				}
				src := "premise P { calendar-system: Gregorian; tz: \"" + zone + "\"; wkst: Mon }\n@P\n" + o.src
				for _, local := range []bool{false, true} {
					r, err := evalSource(src, "1991-05-17 2059-08-03", Options{TZ: zone, Local: local})
					if err != nil {
						t.Fatal(err)
					}
					if got := r.Listings[0].Points; !slices.Equal(got, want) {
						i := 0
						for i < len(got) && i < len(want) && got[i] == want[i] {
							i++
						}
						t.Fatalf("%d points, want %d; they differ from number %d on: %v, want %v", len(got), len(want), i, r.Texts(got[i:min(i+3, len(got))]), r.Texts(want[i:min(i+3, len(want))]))
					}
				}
			})
		}
	}
}
