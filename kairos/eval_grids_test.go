package kairos

import "testing"

// 1970-01-01 was a Thursday, and 2026-01-01 is one: 20454 days later, that is 2922 weeks. 20454 is even, a multiple of 3
// and of 7, and 4 modulo 10.
func TestGrid(t *testing.T) {
	runCases(t, []evalCase{
		{name: "two days", src: "(chronos grid 2d) |> first", rng: "2026-01-01 2026-01-06", want: "2026-01-01 2026-01-03 2026-01-05"},
		{name: "head without name", src: "two = chronos grid 2d\ntwo |> first", rng: "2026-01-01 2026-01-06", want: "2026-01-01 2026-01-03 2026-01-05"},
		{name: "ten days", src: "g = chronos grid 10d\ng", want: "2026-01-07 2026-01-17 2026-01-27"},
		{name: "anchor", src: "g = chronos grid 10d anchor: 2026-01-02\ng", want: "2026-01-02 2026-01-12 2026-01-22"},
		{name: "anchor of another year", src: "g = chronos grid 7d anchor: 2031-06-04\ng", rng: "2026-01-01 2026-01-16", want: "2026-01-07 2026-01-14"},
		{name: "anchor with a time", src: "g = chronos grid 1d anchor: 2026-01-01T09:00\ng", rng: "2026-01-01 2026-01-03", want: "2026-01-01T09:00 2026-01-02T09:00"},
		{name: "wall time across a change of the clock", head: ny, src: "g = chronos grid 1d anchor: 2026-01-01T09:00\ng", tz: "America/New_York",
			rng: "2026-03-07 2026-03-10", want: "2026-03-07T09:00 2026-03-08T09:00 2026-03-09T09:00"},
		{name: "wall time that the clock leaps over", head: ny, src: "g = chronos grid 1d anchor: 2026-01-01T02:30\ng", tz: "America/New_York",
			rng: "2026-03-07 2026-03-10", want: "2026-03-07T02:30 2026-03-08T03:00 2026-03-09T02:30"},
		{name: "hours", src: "g = chronos grid 8h\ng", rng: "2026-01-01 2026-01-02", want: "2026-01-01 2026-01-01T08:00 2026-01-01T16:00"},
		{name: "hours are elapsed", head: ny, src: "g = chronos grid 6h\ng", tz: "America/New_York",
			rng: "2026-03-08 2026-03-09", want: "2026-03-08 2026-03-08T07:00 2026-03-08T13:00 2026-03-08T19:00"},
		{name: "hours from an anchor", src: "g = chronos grid 1h30m anchor: 2026-01-01T00:20\ng", rng: "2026-01-01 2026-01-02",
			want: "2026-01-01T00:20 2026-01-01T01:50 2026-01-01T03:20 2026-01-01T04:50 2026-01-01T06:20 2026-01-01T07:50 2026-01-01T09:20 2026-01-01T10:50 " +
				"2026-01-01T12:20 2026-01-01T13:50 2026-01-01T15:20 2026-01-01T16:50 2026-01-01T18:20 2026-01-01T19:50 2026-01-01T21:20 2026-01-01T22:50"},
		{name: "anchor before 1970", src: "g = chronos grid 12h anchor: 1969-12-01T06:00\ng", rng: "1970-01-01 1970-01-02", want: "1970-01-01T06:00 1970-01-01T18:00"},
		{name: "time before the anchor's first is in no window", src: "g = chronos grid 10d anchor: 1970-01-05\n([1970-01-03] covering: ..) |> ^snapTo(g)", rng: "1970-01-01 1970-02-01", err: "snapTo.outside"},
		{name: "label", src: "g = chronos grid 7d label: (p => dayNo(p))\ng(8)", want: "2026-01-08"},
		{name: "of something else", src: "g = ^day grid 2d\ng", err: "gen.grid-operand"},
		{name: "no width", src: "g = chronos grid (^5)\ng", err: "gen.grid-width"},
		{name: "no days", src: "g = chronos grid ^0d\ng", err: "gen.grid-step"},
		{name: "half days", src: "g = chronos grid ^1.5d\ng", err: "gen.grid-step"},
		{name: "no time", src: "g = chronos grid ^0s\ng", err: "gen.grid-step"},
		{name: "days beyond any calendar", src: "g = chronos grid ^9999999d\ng", err: "gen.grid-step"},
		{name: "unknown argument", src: "g = chronos grid 1d ^phase: 3\ng", err: "args.unknown-named"},
		{name: "anchor no point", src: "g = chronos grid 1d anchor: ^5\ng", err: "value.not-point"},
		{name: "label no function", src: "g = chronos grid 1d label: ^5\ng", err: "gen.label-lambda"},
	})
}

// January to June 2026 have 31, 28, 31, 30, 31 and 30 days.
func TestSpan(t *testing.T) {
	runCases(t, []evalCase{
		{name: "weeks from Thursday", src: "w = day span (_ => 7)\nw |> first", rng: "2026-01-01 2026-01-20", want: "2026-01-01 2026-01-08 2026-01-15"},
		{name: "weeks from Monday", src: "w = day span (_ => 7) phase: 4\nw |> first", rng: "2026-01-01 2026-01-20", want: "2026-01-05 2026-01-12 2026-01-19"},
		{name: "last of each", src: "w = day span (_ => 7) phase: 4\nw |> last", rng: "2026-01-01 2026-01-20", want: "2026-01-04 2026-01-11 2026-01-18"},
		{name: "the head counts as a window", src: "w = day span (_ => 7) phase: 4\neveryDay |> filter(d => epochOrdinal(w, d) == 1)", rng: "1970-01-01 1970-02-01",
			want: "1970-01-05 1970-01-06 1970-01-07 1970-01-08 1970-01-09 1970-01-10 1970-01-11"},
		{name: "the function does not count it", src: "w = day span (n => n + 1) phase: 2\nw |> first", rng: "1970-01-01 1970-01-20",
			want: "1970-01-01 1970-01-03 1970-01-04 1970-01-06 1970-01-09 1970-01-13 1970-01-18"},
		{name: "alternating", src: "w = month span (n => n mod 2 == 0 ? 1 : 2)\nw |> first", rng: "2026-01-01 2026-09-01", want: "2026-01-01 2026-02-01 2026-04-01 2026-05-01 2026-07-01 2026-08-01"},
		{name: "of spans", src: "half = month span (_ => 6)\ndecade = half span (_ => 20)\ndecade |> first", rng: "2009-01-01 2031-01-01", want: "2010-01-01 2020-01-01 2030-01-01"},
		{name: "units are those of the operand", src: "w = month span (_ => 2)\n(w |> nth(32))", rng: "2026-01-01 2026-07-01", want: "2026-02-01 2026-04-01 2026-06-01"},
		{name: "phase beyond everything", src: "w = year span (_ => 2) phase: 5000\neveryDay |> filter(d => epochOrdinal(w, d) == 0)", rng: "2026-01-01 2026-01-03", want: "2026-01-01 2026-01-02"},
		{name: "function of the standard premises", src: "m = day span daysInMonth\nm |> first", want: "2026-01-01"},
		{name: "negative phase", src: "w = day span (_ => 7) phase: ^-1\nw", err: "gen.span-phase"},
		{name: "none at a time", src: "w = day span (^_ => 0)\nw", err: "gen.span-count"},
		{name: "half at a time", src: "w = day span (^_ => 1.5)\nw", err: "gen.span-count"},
		{name: "no number", src: "w = day span (^_ => Mon)\nw", err: "value.not-number"},
		{name: "of a stream", src: "w = ^week span (_ => 2)\nw", err: "value.not-partition"},
		{name: "of a cycle", src: "w = ^weekday span (_ => 2)\nw", err: "value.not-partition"},
		{name: "unknown argument", src: "w = day span (_ => 7) ^by: day\nw", err: "args.unknown-named"},
	})
}

func TestSplit(t *testing.T) {
	runCases(t, []evalCase{
		{name: "quarters", src: "quarter |> first", rng: "2026-01-01 2027-01-01", want: "2026-01-01 2026-04-01 2026-07-01 2026-10-01"},
		{name: "unequal", src: "p = year split (_ => [1, 3, 8]) by: month\np |> first", rng: "2026-01-01 2027-01-01", want: "2026-01-01 2026-02-01 2026-05-01"},
		{name: "by the number of the parent", src: "p = year split (y => y mod 2 == 0 ? [6, 6] : [12]) by: month\np |> first", rng: "2026-01-01 2028-01-01", want: "2026-01-01 2026-07-01 2027-01-01"},
		{name: "label", src: "h = year split (_ => [6, 6]) by: month label: (p => monthNo(p) == 1 ? \"a\" : \"b\")\nh(\"b\") |> within(month) |> first", rng: "2026-01-01 2027-01-01",
			want: "2026-07-01 2026-08-01 2026-09-01 2026-10-01 2026-11-01 2026-12-01"},
		{name: "of windows of a stream", src: "p = isoYear split (y => ISOWeek.isoWeekNo(2026-12-30) == 53 ? [1, 52] : [1, 51]) by: isoWeek\np", head: "-", err: "name.unresolved"},
		{name: "of ISO years", head: "-", rng: "2026-01-01 2026-03-01", want: "2026-01-26 2026-02-23",
			src: "premise W { calendar-system: ISOWeek }\n@W\np = isoYear split (y => y in [0, 6, 11, 17, 22, 28, 34, 39, 45, 50, 56, 62] ? [4, 4, 5, 4, 4, 5, 4, 4, 5, 4, 4, 6] : [4, 4, 5, 4, 4, 5, 4, 4, 5, 4, 4, 5]) by: isoWeek\n(p |> first) & (p |> first |> filter(d => isoWeekNo(d) in [5, 9]))"},
		{name: "without by", src: "p = ^year split (_ => [12])\np", err: "gen.split-by"},
		{name: "too little", src: "p = ^year split (_ => [3, 8]) by: month\np", err: "gen.split-sum"},
		{name: "too much", src: "p = ^year split (_ => [3, 10]) by: month\np", err: "gen.split-sum"},
		{name: "no list", src: "p = year split (^_ => 12) by: month\np", err: "gen.split-list"},
		{name: "nothing", src: "p = year split (^_ => [0, 12]) by: month\np", err: "gen.split-width"},
		{name: "no numbers", src: "p = year split (^_ => [Mon]) by: month\np", err: "value.not-number"},
		{name: "borders that do not meet", src: "w = day span (_ => 7)\np = ^month split (_ => [4]) by: w\np", err: "gen.split-boundary"},
		{name: "of a cycle", src: "p = ^weekday split (_ => [1]) by: day\np", err: "value.not-partition"},
		{name: "of data", src: "m = [2026-01-05, 2026-01-12] covering: 2026..2026\ns = day |> segmentBy(m, edges: drop, empties: keep)\np = ^s split (_ => [7]) by: day\np", err: "gen.split-data-parent"},
		{name: "of windows with gaps", src: "s = (everyDay |> filter(d => dayNo(d) < 5)) |> segmentBy(weekStart, edges: drop, empties: drop)\np = ^s split (_ => [7]) by: day\np", err: "gen.split-gap-parent"},
		{name: "fiscal quarters of a zone west of the run's", head: "-", src: "premise F { calendar-system: Fiscal; tz: \"America/New_York\" }\n@F\nquarter |> first", rng: "2026-01-01 2026-08-01",
			want: "2026-01-01T14:00 2026-04-01T13:00 2026-07-01T13:00"},
	})
}

func TestCycle(t *testing.T) {
	runCases(t, []evalCase{
		{name: "over days", src: "c = day cycle [A, B, C] anchor: 2026-01-02\neveryDay |> filter(d => c(d) == A)", rng: "2026-01-01 2026-01-10", want: "2026-01-02 2026-01-05 2026-01-08"},
		{name: "before the anchor", src: "c = day cycle [A, B, C] anchor: 2026-01-02\neveryDay |> filter(d => c(d) == C)", rng: "2026-01-01 2026-01-05", want: "2026-01-01 2026-01-04"},
		{name: "over months", src: "c = month cycle [A, B] anchor: 2026-01-20\nmonthStart |> filter(d => c(d) == B)", rng: "2026-01-01 2026-07-01", want: "2026-02-01 2026-04-01 2026-06-01"},
		{name: "as windows", src: "(everyDay |> within(weekday) |> last)", rng: "2026-01-01 2026-01-03", want: "2026-01-01 2026-01-02"},
		{name: "anchor beyond what is computed", src: "everyDay |> filter(d => weekday(d) == Thu)", rng: "1980-01-01 1980-01-12", want: "1980-01-03 1980-01-10"},
		{name: "anchor of hours beyond", src: "c = hour cycle [A, B] anchor: 2031-01-01\n(hour |> first) |> filter(d => c(d) == A)", rng: "2026-01-01 2026-01-02",
			want: "2026-01-01 2026-01-01T02:00 2026-01-01T04:00 2026-01-01T06:00 2026-01-01T08:00 2026-01-01T10:00 2026-01-01T12:00 2026-01-01T14:00 2026-01-01T16:00 2026-01-01T18:00 2026-01-01T20:00 2026-01-01T22:00"},
		{name: "no anchor", src: "c = ^day cycle [A, B]\nc", err: "gen.cycle-anchor"},
		{name: "anchor before time", src: "c = day cycle [A, B] anchor: ^1969-05-05\nc", err: "gen.cycle-anchor-outside"},
		{name: "anchor in a later month than is computed", src: "c = month cycle [A, B] anchor: ^2031-01-01\nc", err: "gen.cycle-anchor-outside"},
		{name: "no list", src: "n = 5\nc = day cycle ^n anchor: 2026-01-01\nc", err: "gen.cycle-list"},
		{name: "numbers", src: "c = day cycle ^[1, 2] anchor: 2026-01-01\nc", err: "gen.cycle-label-name"},
		{name: "nothing", src: "c = day cycle ^[] anchor: 2026-01-01\nc", err: "gen.cycle-empty"},
		{name: "label", src: "c = day cycle [A, B] anchor: 2026-01-01 label: (^p => 1)\nc", err: "gen.cycle-label"},
		{name: "selected by label", src: "^weekday(Mon)", err: "apply.value-arg-cycle"},
		{name: "points before the first window", src: "g = chronos grid 7d anchor: 1970-01-05\nc = g cycle [A, B] anchor: 2026-01-05\nweekStart |> filter(d => c(d) == A)", want: "2026-01-05 2026-01-19"},
	})
}

func TestStandardCalendars(t *testing.T) {
	iso := "premise W { calendar-system: ISOWeek; tz: \"Asia/Tokyo\" }\n@W\n"
	runCases(t, []evalCase{
		{name: "first week of a year", head: iso, src: "isoYear |> first", rng: "2019-12-01 2027-02-01",
			want: "2019-12-30 2021-01-04 2022-01-03 2023-01-02 2024-01-01 2024-12-30 2025-12-29 2027-01-04"},
		{name: "week 53", head: iso, src: "everyDay |> filter(d => isoWeekNo(d) == 53 and isoWeekday(d) == 7)", rng: "2015-01-01 2027-02-01", want: "2016-01-03 2021-01-03 2027-01-03"},
		{name: "week year", head: iso, src: "everyDay |> filter(d => isoYearNo(d) != yearNo(d))", rng: "2024-12-20 2026-01-10",
			want: "2024-12-30 2024-12-31 2025-12-29 2025-12-30 2025-12-31"},
		{name: "fiscal year", head: "-", src: "premise F { calendar-system: Fiscal }\n@F\neveryDay |> filter(d => fiscalYearNo(d) == 2025 and fiscalMonthNo(d) == 12 and dayNo(d) == 31)", rng: "2025-01-01 2027-01-01", want: "2026-03-31"},
		{name: "label of the fiscal year", head: "-", src: "premise F { calendar-system: Fiscal }\n@F\nmonthEnd |> filter(d => year(d) == 2025) |> filter(d => monthNo(d) in [3, 4])", rng: "2025-01-01 2027-01-01", want: "2025-04-30 2026-03-31"},
		{name: "leap years", src: "yearStart |> filter(d => isLeap(yearNo(d)))", rng: "1999-01-01 2030-01-01", want: "2000-01-01 2004-01-01 2008-01-01 2012-01-01 2016-01-01 2020-01-01 2024-01-01 2028-01-01"},
		{name: "1900 and 2100", src: "everyDay |> filter(d => dayNo(d) == 9 and not isLeap(1900) and not isLeap(2100) and isLeap(2000))", want: "2026-01-09"},
		{name: "29 February", src: "everyDay |> filter(d => monthNo(d) == 2 and dayNo(d) == 29)", rng: "2095-01-01 2105-01-01", want: "2096-02-29 2104-02-29"},
		{name: "days in months", src: "monthEnd |> filter(d => daysInMonthOf(d) == dayNo(d) and dayNo(d) < 31)", rng: "2026-01-01 2027-01-01", want: "2026-02-28 2026-04-30 2026-06-30 2026-09-30 2026-11-30"},
		{name: "hours of the day", src: "g = hour |> within(day) |> nth(24)\ng", rng: "2026-01-01 2026-01-03", want: "2026-01-01T23:00 2026-01-02T23:00"},
		{name: "no 24th hour in spring", head: ny, src: "hour |> within(day) |> nth(24)", tz: "America/New_York", rng: "2026-03-07 2026-03-10", want: "2026-03-07T23:00 2026-03-09T23:00"},
		{name: "a 25th hour in autumn", head: ny, src: "hour |> within(day) |> nth(25)", tz: "America/New_York", rng: "2026-10-31 2026-11-03", want: "2026-11-01T23:00"},
		{name: "week without wkst", head: "-", src: "premise P { calendar-system: Gregorian }\n@P\n^week |> first", err: "name.unresolved"},
	})
	names, sources := StandardPremises()
	if len(names) != 3 || len(sources) != 3 {
		t.Fatal(names)
	}
	for _, n := range names {
		if f, err := Parse(sources[n]); err != nil || len(f.Stmts) != 1 {
			t.Errorf("%s: %v", n, err)
		}
	}
}
