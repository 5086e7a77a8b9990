package kairos

import "testing"

func TestWithinAndSelect(t *testing.T) {
	runCases(t, []evalCase{
		{name: "first", src: "everyDay |> within(month) |> first", rng: "2026-01-01 2026-04-01", want: "2026-01-01 2026-02-01 2026-03-01"},
		{name: "last", src: "everyDay |> within(month) |> last", rng: "2026-01-01 2026-04-01", want: "2026-01-31 2026-02-28 2026-03-31"},
		{name: "nth", src: "everyDay |> within(month) |> nth(30)", rng: "2026-01-01 2026-04-01", want: "2026-01-30 2026-03-30"},
		{name: "nth of none", src: "everyDay |> within(month) |> nth(0)", want: ""},
		{name: "nth from the end", src: "everyDay |> within(month) |> nth(-1)", want: ""},
		{name: "nth of a part", src: "everyDay |> within(month) |> nth(^1.5)", err: "select.nth-whole"},
		{name: "nth without", src: "everyDay |> within(month) |> ^nth", err: "select.nth-arg"},
		{name: "nth of a label", src: "everyDay |> within(month) |> nth(^Mon)", err: "value.not-number"},
		{name: "first takes no number", src: "everyDay |> within(month) |> first(^3)", err: "args.too-many"},
		{name: "third Friday", src: "everyDay |> filter(d => weekday(d) == Fri) |> within(month) |> nth(3)", rng: "2026-01-01 2026-04-01", want: "2026-01-16 2026-02-20 2026-03-20"},
		{name: "the innermost goes first", src: "everyDay |> within(year) |> within(month) |> first |> last", rng: "2026-01-01 2027-01-01", want: "2026-12-01"},
		{name: "of the outer", src: "everyDay |> within(year) |> within(month) |> last(of: year)", rng: "2026-01-01 2027-01-01", want: "2026-12-31"},
		{name: "of the outer uses the inner up", src: "everyDay |> within(year) |> within(month) |> last(of: year) |> ^last", err: "select.no-window"},
		{name: "of the outermost of one name", src: "everyDay |> within(month) |> within(week) |> within(month) |> first(of: month) |> ^first", err: "select.no-window"},
		{name: "of unknown", src: "everyDay |> within(month) |> ^first(of: year)", err: "select.of-unknown"},
		{name: "of no name", src: "everyDay |> within(month) |> first(of: ^5)", err: "select.of-name"},
		{name: "of the head", src: "month |> within(year) |> first(of: month)", rng: "2026-01-01 2026-03-01", want: "2026-01-01 2026-02-01"},
		{name: "no window", src: "everyDay |> ^first", err: "select.no-window"},
		{name: "combinators drop windows", src: "((everyDay |> within(month)) | everyDay) |> ^first", err: "select.no-window"},
		{name: "unknown argument", src: "everyDay |> within(month) |> first(^from: 1)", err: "args.unknown-named"},
		{name: "within nothing", src: "everyDay |> ^within", err: "within.arg"},
		{name: "within a number", src: "everyDay |> within(^5)", err: "value.not-window"},
		{name: "within a stream", src: "everyDay |> within(^monthStart)", err: "value.not-window"},
		{name: "within an unknown", src: "everyDay |> within(^nobody)", err: "name.unresolved"},
		{name: "within windows of a stream", src: "monthEnd |> within(week) |> first", rng: "2026-01-01 2026-04-01", want: "2026-01-31 2026-02-28 2026-03-31"},
		{name: "within with gaps warns", src: "s = (everyDay |> filter(d => dayNo(d) < 5)) |> segmentBy(weekStart, edges: drop, empties: drop)\neveryDay |> within(s) |> first", want: "2026-01-26", warn: []string{"I5"}},
		{name: "days of another zone", head: ny, src: "premise Asia = Gregorian with { tz: \"Asia/Tokyo\" }\neveryDay |> ^within(Asia.month) |> first", err: "align.tz-membership"},
	})
}

func TestFilterOnRoll(t *testing.T) {
	run := "m = ([2026-01-03, 2026-01-05, 2026-01-11, 2026-01-14] covering: ..)\n"
	runCases(t, []evalCase{
		{name: "filter on", src: run + "m |> filter(on: weekStart)", want: "2026-01-05"},
		{name: "both", src: run + "m |> ^filter(d => 1 == 1, on: weekStart)", err: "filter.both"},
		{name: "following", src: run + "m |> roll(Following, on: weekStart)", want: "2026-01-05 2026-01-12 2026-01-19"},
		{name: "preceding", src: run + "m |> roll(Preceding, on: weekStart)", rng: "2025-12-01 2026-02-01", want: "2025-12-29 2026-01-05 2026-01-12"},
		{name: "modified", src: "([2026-01-14, 2026-01-31] covering: ..) |> roll(Modified, on: weekStart)", want: "2026-01-19 2026-01-26"},
		{name: "unknown convention", src: run + "m |> roll(^Mon, on: weekStart)", err: "roll.conv-unknown"},
		{name: "number for a convention", src: run + "m |> roll(^5, on: weekStart)", err: "value.not-label"},
		{name: "no convention", src: run + "m |> ^roll(on: weekStart)", err: "roll.conv-required"},
		{name: "no more data", src: run + "x = [2026-01-10] covering: ..\nm |> roll(Following, on: x)", want: "2026-01-10"},
		{name: "empty axis", src: run + "x = [] covering: ..\nm |> roll(Following, on: x)", want: ""},
		{name: "axis that ends before the range does", src: "x = everyDay |> take(10, from: 2026-01-01)\n([2026-01-20] covering: ..) |> roll(Following, on: x)", want: ""},
		{name: "axis that ends after it", src: "x = everyDay |> take(40, from: 2026-01-01)\n([2026-02-20] covering: ..) |> roll(Following, on: x)", want: "", warn: []string{"horizon-clip: roll(Following) 2026-02-20"}},
		{name: "axis that goes on beyond", src: "([2027-03-06] covering: ..) |> roll(Following, on: yearStart)", want: "", warn: []string{"horizon-clip: roll(Following) 2027-03-06"}},
		{name: "axis that goes on before", src: "([1969-12-20] covering: ..) |> roll(Preceding, on: everyDay)", want: "", warn: []string{"horizon-clip: roll(Preceding) 1969-12-20"}},
		{name: "other grid", src: "(everyDay |> at(T09:00)) |> ^roll(Following, on: everyDay)", err: "align.mismatch"},
		{name: "filter on another grid", src: "(everyDay |> at(T09:00)) |> ^filter(on: everyDay)", err: "align.mismatch"},
	})
}

// In 2026 January has 31 days and February 28.
func TestShiftAndSnap(t *testing.T) {
	runCases(t, []evalCase{
		{name: "days", src: "([2026-01-30] covering: ..) |> shift(3, unit: day)", rng: "2026-02-01 2026-03-01", want: "2026-02-02"},
		{name: "months keep the distance", src: "([2026-01-15] covering: ..) |> shift(1, unit: month)", rng: "2026-02-01 2026-03-01", want: "2026-02-15"},
		{name: "beyond the end of the month", src: "([2026-01-31] covering: ..) |> shift(1, unit: month)", rng: "2026-02-01 2026-04-01", want: "2026-03-03"},
		{name: "points can meet", src: "([2026-01-31, 2026-02-03] covering: ..) |> shift(1, unit: month)", rng: "2026-03-01 2026-04-01", want: "2026-03-03 2026-03-03"},
		{name: "order after points passed each other", src: "([2026-01-31, 2026-02-01] covering: ..) |> shift(1, unit: month)", rng: "2026-03-01 2026-04-01", want: "2026-03-01 2026-03-03"},
		{name: "elapsed time of day", head: ny, src: "([2026-03-07T23:30] covering: ..) |> shift(1, unit: day)", tz: "America/New_York", rng: "2026-03-01 2026-04-01", want: "2026-03-09T00:30"},
		{name: "backwards", src: "([2026-01-15] covering: ..) |> shift(-2, unit: week)", want: "2026-01-01"},
		{name: "steps of an axis", src: "([2026-01-12] covering: ..) |> shift(-1, unit: weekStart)", want: "2026-01-05"},
		{name: "off the axis", src: "([2026-01-13] covering: ..) |> ^shift(1, unit: weekStart)", err: "shift.off-axis"},
		{name: "no n", src: "everyDay |> ^shift(unit: day)", err: "shift.arg"},
		{name: "part of a step", src: "everyDay |> shift(^0.5, unit: day)", err: "shift.whole"},
		{name: "width for n", src: "everyDay |> shift(^3d, unit: day)", err: "value.not-number"},
		{name: "unit of a cycle", src: "everyDay |> ^shift(1, unit: weekday)", err: "value.not-stream"},
		{name: "before the first window", src: "([2026-01-13] covering: ..) |> shift(-600, unit: year)", want: "", warn: []string{"horizon-clip: shift 2026-01-13"}},
		{name: "beyond the last window", src: "([2026-01-13] covering: ..) |> shift(2, unit: year)", want: "", warn: []string{"horizon-clip: shift 2026-01-13"}},
		{name: "point before all windows", src: "([1969-06-01] covering: ..) |> shift(1, unit: day)", want: "", warn: []string{"horizon-clip: shift 1969-06-01"}},
		{name: "axis that is used up", src: "x = [2026-01-05, 2026-01-06] covering: ..\nx |> shift(1, unit: x)", want: "2026-01-06"},
		{name: "axis used up before", src: "x = [2026-01-05, 2026-01-06] covering: ..\nx |> shift(-1, unit: x)", want: "2026-01-05"},
		{name: "point in no unit window", src: "g = chronos grid 7d anchor: 1970-01-05\n([1970-01-03] covering: ..) |> ^shift(1, unit: g)", rng: "1970-01-01 1970-02-01", err: "shift.outside-unit"},
		{name: "snap", src: "([2026-01-15, 2026-01-20, 2026-02-03] covering: ..) |> snapTo(month)", rng: "2026-01-01 2026-03-01", want: "2026-01-01 2026-02-01"},
		{name: "snap of times", src: "([2026-01-15T10:20] covering: ..) |> snapTo(hour)", want: "2026-01-15T10:00"},
		{name: "snap then equal", src: "(([2026-01-15T10:20] covering: ..) |> snapTo(day)) & everyDay", want: "2026-01-15"},
		{name: "snap nothing", src: "everyDay |> ^snapTo", err: "snapTo.arg"},
		{name: "snap to a number", src: "everyDay |> snapTo(^5)", err: "value.not-window"},
		{name: "snap beyond", src: "([2050-01-15] covering: ..) |> snapTo(month)", want: "", warn: []string{"horizon-clip: snapTo 2050-01-15"}},
		{name: "snap before", src: "([1960-01-15] covering: ..) |> snapTo(month)", want: "", warn: []string{"horizon-clip: snapTo 1960-01-15"}},
		{name: "snap before the zone's first day", head: ny, src: "premise Far = Gregorian with { tz: \"Pacific/Honolulu\" }\n([1970-01-01T00:00, 1970-01-01T05:00] covering: ..) |> snapTo(Far.day)",
			rng: "1970-01-01 1970-02-01", tz: "UTC", want: "1970-01-01T10:00", warn: []string{"horizon-clip: snapTo 1970-01-01T05:00"}},
		{name: "shift before the zone's first day", head: ny, src: "premise Far = Gregorian with { tz: \"Pacific/Honolulu\" }\n([1970-01-01T00:00, 1970-01-01T05:00] covering: ..) |> shift(1, unit: Far.day)",
			rng: "1970-01-01 1970-02-01", tz: "UTC", want: "1970-01-02T10:00", warn: []string{"horizon-clip: shift 1970-01-01T05:00"}},
	})
}

func TestStridesAndTakes(t *testing.T) {
	runCases(t, []evalCase{
		{name: "stride", src: "everyDay |> stride(10, from: 2026-01-04)", want: "2026-01-04 2026-01-14 2026-01-24"},
		{name: "stride from between", src: "weekStart |> stride(2, from: 2026-01-06)", rng: "2026-01-01 2026-02-20", want: "2026-01-12 2026-01-26 2026-02-09"},
		{name: "stride from beyond", src: "everyDay |> stride(2, from: 2050-01-01)", want: ""},
		{name: "stride keeps windows", src: "month |> stride(10, from: 2026-01-01) |> first", rng: "2026-01-01 2026-04-01", want: "2026-01-01 2026-02-10 2026-03-02"},
		{name: "stride by none", src: "everyDay |> stride(^0, from: 2026-01-04)", err: "stride.n"},
		{name: "stride by a part", src: "everyDay |> stride(^1.5, from: 2026-01-04)", err: "stride.n"},
		{name: "stride without n", src: "everyDay |> ^stride(from: 2026-01-04)", err: "stride.arg"},
		{name: "stride without from", src: "everyDay |> ^stride(2)", err: "stride.from"},
		{name: "stride from a number", src: "everyDay |> stride(2, from: ^5)", err: "value.not-point"},
		{name: "take", src: "everyDay |> take(3, from: 2026-01-30)", rng: "2026-01-01 2026-03-01", want: "2026-01-30 2026-01-31 2026-02-01"},
		{name: "take more than there are", src: "([2026-01-05] covering: ..) |> take(3, from: 2026-01-01)", want: "2026-01-05"},
		{name: "take none", src: "everyDay |> take(^0, from: 2026-01-30)", err: "take.n"},
		{name: "take without n", src: "everyDay |> ^take(from: 2026-01-30)", err: "take.arg"},
		{name: "take without from", src: "everyDay |> ^take(3)", err: "take.from"},
		{name: "take until", src: "everyDay |> take(3, ^until: 2026-01-30)", err: "args.take-until"},
		{name: "take of windows", src: "month |> ^take(3, from: 2026-01-30)", err: "take.windowed"},
		{name: "take last", src: "everyDay |> takeLast(2, until: 2026-01-10)", want: "2026-01-09 2026-01-10"},
		{name: "take last of few", src: "([2026-01-05] covering: ..) |> takeLast(3, until: 2026-01-10)", want: "2026-01-05"},
		{name: "take last of the first", src: "everyDay |> takeLast(3, until: 1970-01-02)", rng: "1970-01-01 1970-02-01", want: "1970-01-01 1970-01-02", warn: []string{"horizon-clip: takeLast 1970-01-02"}},
		{name: "take last from beyond", src: "yearStart |> takeLast(3, until: 2040-01-01)", rng: "2026-01-01 2028-01-01", want: "2027-01-01", warn: []string{"horizon-clip: takeLast until 2040-01-01"}},
		{name: "take last none", src: "everyDay |> takeLast(^-1, until: 2026-01-10)", err: "takeLast.n"},
		{name: "take last without n", src: "everyDay |> ^takeLast(until: 2026-01-10)", err: "takeLast.arg"},
		{name: "take last without until", src: "everyDay |> ^takeLast(3)", err: "takeLast.until"},
		{name: "take last from", src: "everyDay |> takeLast(3, ^from: 2026-01-30)", err: "args.takeLast-from"},
		{name: "take last of windows", src: "month |> ^takeLast(3, until: 2026-01-30)", err: "takeLast.windowed"},
		{name: "take ends what goes on", src: "m = everyDay |> take(2, from: 2026-01-05)\ns = everyDay |> segmentBy(m, edges: drop, empties: keep, labels: [1, 2])\ns(1)", want: "2026-01-05"},
	})
}

func TestStrideBy(t *testing.T) {
	by := func(args string) string { return "everyInstant |> strideBy(" + args + ")" }
	runCases(t, []evalCase{
		{name: "days", src: by("10d, from: 2026-01-04"), want: "2026-01-04 2026-01-14 2026-01-24"},
		{name: "days at a time", src: by("10d, from: 2026-01-04T18:00"), want: "2026-01-04T18:00 2026-01-14T18:00 2026-01-24T18:00"},
		{name: "wall time", head: ny, src: by("1d, from: T02:30"), tz: "America/New_York", rng: "2026-03-07 2026-03-10", want: "2026-03-07T02:30 2026-03-08T03:00 2026-03-09T02:30"},
		{name: "wall time that comes twice", head: ny, src: by("1d, from: T01:30"), tz: "America/New_York", rng: "2026-10-31 2026-11-03", want: "2026-10-31T01:30 2026-11-01T01:30 2026-11-02T01:30"},
		{name: "elapsed", head: ny, src: by("6h, from: 2026-03-07T22:00"), tz: "America/New_York", rng: "2026-03-08 2026-03-09", want: "2026-03-08T05:00 2026-03-08T11:00 2026-03-08T17:00 2026-03-08T23:00"},
		{name: "24h is no day", head: ny, src: by("24h, from: 2026-03-07T09:00"), tz: "America/New_York", rng: "2026-03-07 2026-03-10", want: "2026-03-07T09:00 2026-03-08T10:00 2026-03-09T10:00"},
		{name: "units together", src: by("1h30m, from: 2026-01-01"), rng: "2026-01-01 2026-01-01", want: ""},
		{name: "seconds", src: by("45s, from: 2026-01-01T23:58"), rng: "2026-01-01 2026-01-02", want: "2026-01-01T23:58 2026-01-01T23:58:45 2026-01-01T23:59:30"},
		{name: "the input does not matter", src: "([2026-01-09] covering: ..) |> strideBy(20d, from: 2026-01-04)", want: "2026-01-04 2026-01-24"},
		{name: "before 1970 begins in 1970", src: by("2d, from: 1969-12-30"), rng: "1970-01-01 1970-01-06", want: "1970-01-01 1970-01-03 1970-01-05"},
		{name: "from beyond", src: by("2h, from: 2050-01-01"), want: ""},
		{name: "from beyond in days", src: by("2d, from: 2050-01-01"), want: ""},
		{name: "no width", src: "everyInstant |> ^strideBy(from: 2026-01-01)", err: "strideBy.arg"},
		{name: "a number for a width", src: by("^3, from: 2026-01-01"), err: "strideBy.width"},
		{name: "no from", src: "everyInstant |> ^strideBy(1d)", err: "strideBy.from"},
		{name: "time with another width", src: by("2d, from: ^T09:00"), err: "strideBy.time-literal"},
		{name: "time with hours", src: by("24h, from: ^T09:00"), err: "strideBy.time-literal"},
		{name: "from a number", src: by("1d, from: ^5"), err: "value.not-point"},
		{name: "nothing wide", src: "everyInstant |> ^strideBy(0d, from: 2026-01-01)", err: "strideBy.zero"},
		{name: "less than a millisecond", src: "everyInstant |> ^strideBy(0.0004s, from: 2026-01-01)", err: "strideBy.zero"},
		{name: "half a day", src: "everyInstant |> ^strideBy(0.5d, from: 2026-01-01)", err: "strideBy.fraction"},
	})
}

func TestRebase(t *testing.T) {
	runCases(t, []evalCase{
		{name: "to the east", head: ny, src: "([2026-01-05] covering: ..) |> rebase(to: \"Asia/Tokyo\")", want: "2026-01-05"},
		{name: "to the west", src: "([2026-01-05] covering: ..) |> rebase(to: \"America/New_York\")", want: "2026-01-05T14:00"},
		{name: "to itself", src: "monthEnd |> rebase(to: \"Asia/Tokyo\")", want: "2026-01-31"},
		{name: "nothing", src: "x = [] covering: ..\nx |> rebase(to: \"Mars/Olympus\")", want: ""},
		{name: "times", src: "(everyDay |> at(T09:00)) |> ^rebase(to: \"UTC\")", err: "rebase.input-align"},
		{name: "two days", src: "g = chronos grid 2d\ng |> ^rebase(to: \"UTC\")", err: "rebase.input-align"},
		{name: "no to", src: "everyDay |> ^rebase", err: "rebase.to-required"},
		{name: "no string", src: "everyDay |> rebase(to: ^5)", err: "rebase.to-string"},
		{name: "unknown zone", src: "everyDay |> ^rebase(to: \"Mars/Olympus\")", err: "tz.unknown"},
		{name: "a date that does not exist there", src: "([2011-12-30] covering: ..) |> ^rebase(to: \"Pacific/Apia\")", err: "rebase.missing-date"},
		{name: "coverage moves with the dates", src: "x = [2026-01-05] covering: 2026-01-03..2026-01-10\nx |> rebase(to: \"UTC\")", want: "2026-01-05T09:00",
			notes: []string{"2026-01-01..2026-01-03T09:00 x [2026-01-03..2026-01-10]", "2026-01-11T09:00..2026-02-01 x [2026-01-03..2026-01-10]"}},
		{name: "then it meets the days there", head: ny, src: "premise T { calendar-system: Gregorian; tz: \"Asia/Tokyo\"; x = [2026-01-05] covering: .. }\n(T.x |> rebase(to: \"America/New_York\")) & everyDay", tz: "America/New_York", want: "2026-01-05"},
	})
}
