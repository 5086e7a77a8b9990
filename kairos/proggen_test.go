package kairos

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// generator of programs that read well typed: choose gives a number below n.
type programs struct {
	choose func(n int) int
	tz     string
	// steady leaves out what counts from the ends of what is computed.
	steady bool
	// thin adds what depends on long ago: days that are years apart, decades, business hours.
	thin bool
}

func seededPrograms(seed uint64) *programs {
	r := rand.New(rand.NewPCG(seed, seed^0x9e3779b97f4a7c15))
	return &programs{choose: r.IntN}
}

func (g *programs) one(of ...string) string { return of[g.choose(len(of))] }

func (g *programs) chance(percent int) bool { return g.choose(100) < percent }

// date is a day from November 2025 to November 2026.
func (g *programs) date() string {
	return time.Date(2025, 11, 1+g.choose(365), 0, 0, 0, 0, time.UTC).Format("2006-01-02")
}

func (g *programs) dates(n int) []string {
	var out []string
	for range n {
		out = append(out, g.date())
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (g *programs) covering() string {
	return g.one(" covering: ..", " covering: 2025..2027", " covering: 2025-10-01..2026-12-01", " covering: 2025-10-15..", "")
}

func (g *programs) table() string {
	return "[" + strings.Join(g.dates(1+g.choose(8)), ", ") + "]" + g.covering()
}

func (g *programs) weekday() string { return g.one("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun") }

func (g *programs) window() string { return g.one("week", "month", "quarter", "year", "day", "sp") }

func (g *programs) number(most int) string { return fmt.Sprint(1 + g.choose(most)) }

// head is what all generated programs begin with.
func (g *programs) head() string {
	if g.tz == "" {
		g.tz = g.one("Asia/Tokyo", "UTC", "America/New_York", "Europe/London", "Australia/Lord_Howe", "Pacific/Auckland")
	}
	thin, hours := "", ""
	if g.thin {
		hours = "  sessionOpens = everyDay |> at(T09:00)\n  sessionCloses = everyDay |> at(T15:00)\n"
		thin = "thin = everyDay |> filter(d => dayNo(d) == 29 and monthNo(d) == 2)\ndecade = year span (_ => 10)\n" +
			"by = everyDay |> segmentBy(" + g.one("thin", "monthStart", "yearStart", "late") + ", edges: " + g.one("drop", "clip") + ", empties: " + g.one("keep", "drop") + ", label: (p => yearNo(p) mod 2))\n" +
			"late = everyDay |> shift(" + g.one("200", "390", "-40", "450") + ", unit: day)\n"
	}
	return "premise C {\n  calendar-system: Gregorian\n  tz: \"" + g.tz + "\"\n  hol = " + g.table() +
		"\n  nonWorking = (everyDay |> filter(d => weekday(d) in [Sat, Sun])) | hol\n" + hours + "}\n" +
		"premise U { calendar-system: " + g.one("Gregorian", "Fiscal", "ISOWeek") + "; calendar: C; tz: \"" + g.tz + "\"; wkst: " + g.weekday() + " }\n@U\n" +
		"ta = " + g.table() + "\ntb = " + g.table() + "\n" +
		"sp = day span (n => n mod 3 + " + g.number(9) + ") phase: " + g.number(9) + " label: (p => dayNo(p) mod 3)\n" +
		"sg = everyDay |> segmentBy(tb, edges: drop, empties: keep, label: (p => dayNo(p) mod 2))\n" + thin
}

// days is a stream on the grid of days.
func (g *programs) days(depth int) string {
	s := g.one("everyDay", "bizDay", "ta", "tb", "monthEnd", "(month |> first)", "(week |> last)", "month("+g.number(12)+")", "sp("+g.one("0", "1", "2")+")",
		"(everyDay |> filter(d => "+g.predicate(1)+"))")
	for range g.choose(3 - min(depth, 2)) {
		s += " |> " + g.stage(depth)
	}
	if depth < 2 && g.chance(30) {
		s = "(" + s + ") " + g.one("|", "&", "\\") + " (" + g.days(depth+1) + ")"
	}
	return s
}

func (g *programs) axis() string {
	return g.one("everyDay", "bizDay", "ta", "tb", "C", "(everyDay |> filter(x => weekday(x) == "+g.weekday()+"))")
}

func (g *programs) stage(depth int) string {
	steady := []func() string{
		func() string { return "filter(d => " + g.predicate(depth) + ")" },
		func() string { return "filter(on: " + g.axis() + ")" },
		func() string { return "roll(" + g.one("Following", "Preceding") + ", on: " + g.axis() + ")" },
		func() string { return "shift(" + g.one("-7", "-2", "-1", "1", "3", "10") + ", unit: everyDay)" },
		func() string {
			return "shift(" + g.one("-2", "-1", "1", "2") + ", unit: " + g.one("day", "month") + ")"
		},
		func() string { return "snapTo(" + g.window() + ")" },
		func() string {
			return "within(" + g.window() + ") |> " + g.one("first", "last", "nth("+g.number(6)+")")
		},
		func() string {
			return "segmentBy(" + g.one("ta", "tb", "weekStart") + ", edges: " + g.one("drop", "clip") + ", empties: " + g.one("keep", "drop") + ") |> " + g.one("first", "last")
		},
		func() string { return "stride(" + g.number(4) + ", from: " + g.date() + ")" },
	}
	if !g.steady {
		steady = append(steady,
			func() string { return "take(" + g.number(5) + ", from: " + g.date() + ")" },
			func() string { return "takeLast(" + g.number(5) + ", until: " + g.date() + ")" },
			func() string { return "rebase(to: \"" + g.one("UTC", "Asia/Tokyo", "Europe/London") + "\")" },
			func() string { return "at(T" + g.one("09:00", "02:30", "23:45") + ")" })
	}
	if g.thin {
		steady = append(steady,
			func() string {
				return "shift(" + g.one("-1", "1", "2") + ", unit: " + g.one("thin", "year", "sg", "week") + ")"
			},
			func() string {
				return "shift(" + g.one("300", "-300") + ", unit: " + g.one("day", "everyDay", "bizDay") + ")"
			},
			func() string { return "roll(" + g.one("Following", "Preceding") + ", on: thin)" },
			func() string { return "roll(Modified, on: " + g.axis() + g.one("", ", of: week", ", of: decade") + ")" },
			func() string { return "snapTo(" + g.one("decade", "by") + ")" },
			func() string { return "filter(d => " + g.thinPredicate() + ")" },
			func() string {
				return "within(" + g.one("decade", "by", "week") + ") |> " + g.one("first", "last", "nth("+g.number(40)+")", "within(month) |> last(of: decade)")
			},
			func() string {
				return "segmentBy(" + g.one("thin", "monthStart", "bizDay") + ", edges: " + g.one("drop", "clip") + ", empties: " + g.one("keep", "drop") + ") |> " + g.one("first", "last", "nth(3)", "within(week) |> first")
			},
			func() string { return "take(" + g.number(900) + ", from: 2022-05-05)" },
			func() string { return "takeLast(" + g.number(90) + ", until: " + g.date() + ")" })
	}
	return steady[g.choose(len(steady))]()
}

// thinPredicate reads what depends on long ago.
func (g *programs) thinPredicate() string {
	p := g.one("coincides(thin, decade, d)", "coincides(thin, by, d)", "ordinalIn(by, decade, d) mod 2 == 1", "ordinalIn(day, by, d) mod 7 == 3", "by(d) == "+g.one("0", "1"),
		"coincides(late, "+g.window()+", d)", "coincides(everyDay, by, d)", "isOpen(d)", "coincides(bizOpen, day, d)", "coincides(bizClose, week, d)",
		"coincides(ta, decade, d)", "coincides(everyDay |> shift(40, unit: day), month, d)", "coincides(ta, month, 2024-05-05)", "ordinalIn(day, by, 2020-02-03) == 2")
	if g.chance(30) {
		return "yearNo(d) " + g.one("<", ">", "==") + " " + g.one("1990", "2025") + g.one(" and ", " or ") + p
	}
	return p
}

func (g *programs) predicate(depth int) string {
	p := g.one(
		"weekday(d) == "+g.weekday(), "weekday(d) in [Mon, "+g.weekday()+"]", "dayNo(d) <= "+g.number(31), "monthNo(d) mod 3 == "+g.one("0", "1", "2"),
		"coincides("+g.one("ta", "tb", "bizDay", "monthEnd")+", "+g.window()+", d)", "ordinalIn(day, "+g.window()+", d) == "+g.number(9),
		"epochOrdinal("+g.one("week", "month", "sp")+", d) mod 2 == 0", "sp(d) == "+g.one("0", "1"), "sg(d) == "+g.one("0", "1"), "month(d) > "+g.number(12),
		"daysInMonthOf(d) == "+g.one("30", "31"))
	if depth < 2 && g.chance(25) {
		return g.one("not ", "") + "(" + p + " " + g.one("and", "or") + " " + g.predicate(depth+1) + ")"
	}
	return p
}

// program is a head and one body.
func (g *programs) program() string { return g.head() + g.days(0) + "\n" }
