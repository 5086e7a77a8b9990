package kairos

import "testing"

func TestCombinators(t *testing.T) {
	x := "a = [2026-01-05, 2026-01-07] covering: ..\nb = [2026-01-07, 2026-01-09] covering: ..\n"
	runCases(t, []evalCase{
		{name: "union", src: x + "a | b", want: "2026-01-05 2026-01-07 2026-01-09"},
		{name: "intersection", src: x + "a & b", want: "2026-01-07"},
		{name: "difference", src: x + "a \\ b", want: "2026-01-05"},
		{name: "from the left", src: x + "a | b \\ a", want: "2026-01-09"},
		{name: "brackets", src: x + "a | (b \\ a)", want: "2026-01-05 2026-01-07 2026-01-09"},
		{name: "pipes bind tighter", src: x + "a | b |> filter(d => dayNo(d) == 9)", want: "2026-01-05 2026-01-07 2026-01-09"},
		{name: "windows are their units", src: "month & ([2026-01-09] covering: ..)", want: "2026-01-09"},
		{name: "union of any grids", src: "(everyDay |> at(T09:00)) | everyDay", rng: "2026-01-01 2026-01-02", want: "2026-01-01 2026-01-01T09:00"},
		{name: "intersection of different grids", src: "^(everyDay |> at(T09:00)) & everyDay", err: "align.mismatch"},
		{name: "difference of different grids", src: "^everyDay \\ (everyDay |> at(T09:00))", err: "align.mismatch"},
		{name: "tables with times have no grid", src: "a = [2026-01-05T09:00]\n^a & a", err: "align.mismatch"},
		{name: "a literal midnight is no day", src: "a = [2026-01-05T00:00] covering: ..\n^a & everyDay", err: "align.mismatch"},
		{name: "names of days are no days", src: "x = 2026-01-05\na = [x] covering: ..\n^a & everyDay", err: "align.mismatch"},
		{name: "an empty table fits any grid", src: "e = [] covering: ..\n((everyDay |> at(T09:00)) \\ e) & (everyDay |> at(T09:00))", rng: "2026-01-01 2026-01-02", want: "2026-01-01T09:00"},
		{name: "an empty table leaves the other's grid", src: "e = [] covering: ..\n(e | everyDay) & everyDay", rng: "2026-01-01 2026-01-02", want: "2026-01-01"},
		{name: "empty and empty", src: "e = [] covering: ..\n(e & e) | e", want: ""},
		{name: "grids of two phases", src: "a = chronos grid 2d\nb = chronos grid 2d anchor: 2026-01-02\n^a & b", err: "align.mismatch"},
		{name: "grids that are one", src: "a = chronos grid 2d\nb = chronos grid 2d anchor: 2026-01-05\na & b", rng: "2026-01-01 2026-01-05", want: "2026-01-01 2026-01-03"},
		{name: "elapsed grids that are one", src: "a = chronos grid 12h\nb = chronos grid 12h anchor: 2026-01-05T12:00\na & b", rng: "2026-01-01 2026-01-02", want: "2026-01-01 2026-01-01T12:00"},
		{name: "elapsed grids of two phases", src: "a = chronos grid 12h\nb = chronos grid 12h anchor: 2026-01-05T01:00\n^a & b", err: "align.mismatch"},
		{name: "hours and days", src: "^hour & day", err: "align.mismatch"},
		{name: "days of two zones", head: ny, src: "premise T = Gregorian with { tz: \"Asia/Tokyo\" }\n^day & T.day", err: "align.mismatch"},
	})
}

func TestProjections(t *testing.T) {
	far := "premise T = Gregorian with { tz: \"America/New_York\" }\n"
	runCases(t, []evalCase{
		{name: "day of the month", src: "everyDay |> filter(d => ordinalIn(day, month, d) == 9)", want: "2026-01-09"},
		{name: "month of the year", src: "monthEnd |> filter(d => ordinalIn(month, year, d) == 5)", rng: "2026-01-01 2027-01-01", want: "2026-05-31"},
		{name: "a unit that began before the frame does not count", src: "everyDay |> filter(d => ordinalIn(week, month, d) == 1)", rng: "2026-04-01 2026-05-01",
			want: "2026-04-01 2026-04-02 2026-04-03 2026-04-04 2026-04-05 2026-04-06 2026-04-07 2026-04-08 2026-04-09 2026-04-10 2026-04-11 2026-04-12"},
		{name: "hour of the day", src: "hour |> filter(d => ordinalIn(hour, day, d) == 10)", rng: "2026-01-01 2026-01-03", want: "2026-01-01T09:00 2026-01-02T09:00"},
		{name: "hours that do not meet the days", head: "-", src: "premise K { calendar-system: Gregorian; tz: \"Asia/Kathmandu\" }\n@K\neveryDay |> filter(d => ^ordinalIn(hour, day, d) == 1)", tz: "Asia/Kathmandu", err: "ordinalIn.off-grid"},
		{name: "frame of another zone", src: far + "everyDay |> filter(d => ^ordinalIn(day, T.month, d) == 1)", err: "align.tz-membership"},
		{name: "points of another zone", src: far + "everyDay |> filter(d => ^ordinalIn(T.day, T.month, d) == 1)", err: "align.tz-membership"},
		{name: "point outside the frame", src: "g = chronos grid 7d anchor: 1970-01-05\neveryDay |> filter(d => ^ordinalIn(day, g, d) == 1)", err: "ordinalIn.outside-frame"},
		{name: "point outside the unit", src: "g = chronos grid 7d anchor: 1970-01-05\neveryDay |> filter(d => ^ordinalIn(g, month, d) == 1)", err: "ordinalIn.outside-unit"},
		{name: "unit no window", src: "everyDay |> filter(d => ordinalIn(^5, month, d) == 1)", err: "value.not-window"},
		{name: "frame no window", src: "everyDay |> filter(d => ordinalIn(day, ^everyDay, d) == 1)", err: "value.not-window"},
		{name: "no point", src: "everyDay |> filter(d => ordinalIn(day, month, ^5) == 1)", err: "value.not-point"},
		{name: "too few", src: "everyDay |> filter(d => ^ordinalIn(day, month) == 1)", err: "args.missing"},
		{name: "running number", src: "everyDay |> filter(d => epochOrdinal(day, d) == 20454)", want: "2026-01-01"},
		{name: "number of the year", src: "yearStart |> filter(d => epochOrdinal(year, d) == 56)", want: "2026-01-01"},
		{name: "number among data", src: "m = [2026-01-05, 2026-01-12] covering: ..\ns = everyDay |> segmentBy(m, edges: drop, empties: keep)\ns |> filter(d => epochOrdinal(s, d) == 0)", rng: "2026-01-01 2026-01-20",
			want: "2026-01-05 2026-01-06 2026-01-07 2026-01-08 2026-01-09 2026-01-10 2026-01-11"},
		{name: "number outside", src: "g = chronos grid 7d anchor: 1970-01-05\neveryDay |> filter(d => ^epochOrdinal(g, d) == 1)", err: "epochOrdinal.outside"},
		{name: "number in another zone", src: far + "everyDay |> filter(d => ^epochOrdinal(T.day, d) == 1)", err: "align.tz-membership"},
		{name: "number of no window", src: "everyDay |> filter(d => epochOrdinal(^5, d) == 1)", err: "value.not-window"},
		{name: "coincides", src: "x = [2026-01-14] covering: ..\nweekStart |> filter(d => coincides(x, week, d))", want: "2026-01-12"},
		{name: "does not coincide", src: "x = [2026-01-14] covering: ..\nweekStart |> filter(d => not coincides(x, week, d))", want: "2026-01-05 2026-01-19 2026-01-26"},
		{name: "two arguments", src: "everyDay |> filter(d => ^coincides(everyDay, d))", err: "coincides.arity"},
		{name: "windows for points", src: "everyDay |> filter(d => coincides(^month, week, d))", err: "coincides.window-S"},
		{name: "cycle for windows", src: "everyDay |> filter(d => coincides(everyDay, ^weekday, d))", err: "coincides.cycle-w"},
		{name: "number for windows", src: "everyDay |> filter(d => coincides(everyDay, ^5, d))", err: "value.not-window"},
		{name: "number for points", src: "everyDay |> filter(d => coincides(^5, day, d))", err: "value.not-stream"},
		{name: "number for the point", src: "everyDay |> filter(d => coincides(everyDay, day, ^5))", err: "value.not-point"},
		{name: "points and windows of two zones", src: far + "everyDay |> filter(d => ^coincides(everyDay, T.day, d))", err: "align.coincides-tz"},
		{name: "no window there", src: "g = chronos grid 7d anchor: 1970-01-05\neveryDay |> filter(d => ^coincides(everyDay, g, d))", err: "coincides.outside"},
		{name: "weekday of another zone", src: far + "everyDay |> filter(d => ^T.weekday(d) == Mon)", err: "align.tz-membership"},
		{name: "label of another zone", src: far + "everyDay |> filter(d => ^T.month(d) == 1)", err: "align.tz-membership"},
		{name: "different zones in two filters", src: far + "(everyDay |> filter(d => dayNo(d) == 9)) | (T.day |> filter(d => T.dayNo(d) == 9))", want: "2026-01-09 2026-01-09T14:00"},
	})
}

func TestLabels(t *testing.T) {
	seg := "m = [2026-01-05, 2026-01-10, 2026-01-12] covering: 2026..2026\n"
	lab := seg + "s = everyDay |> segmentBy(m, edges: drop, empties: keep, labels: [A, B, C])\n"
	runCases(t, []evalCase{
		{name: "month by its label", src: "month(2)", rng: "2026-02-27 2027-02-03", want: "2026-02-27 2026-02-28 2027-02-01 2027-02-02"},
		{name: "label of a month", src: "monthStart |> filter(d => month(d) in [2, 5])", rng: "2026-01-01 2027-01-01", want: "2026-02-01 2026-05-01"},
		{name: "year by its label", src: "year(2026) |> take(1, from: 1970-01-01)", want: "2026-01-01"},
		{name: "no label to select", src: "^quarter(1)", err: "apply.no-label-source"},
		{name: "no label to read", src: "everyDay |> filter(d => ^quarter(d) == 1)", err: "apply.not-applicable"},
		{name: "label of another type", src: "^month(Mon)", err: "apply.label-type"},
		{name: "no such label of a function", src: "month(13)", want: ""},
		{name: "stream for a label", src: "^month(everyDay)", err: "apply.arg-kind"},
		{name: "nothing for a label", src: "^month()", err: "apply.arg-kind"},
		{name: "function that reads its own label", src: "w = day span (_ => 7) label: (p => ^w(p))\neveryDay |> filter(d => w(d) == 1)", err: "apply.label-self-projection"},
		{name: "function that selects its own windows", src: "w = day span (_ => 7) label: (p => coincides(^w(1), day, p))\nw(1)", err: "apply.label-self-instance"},
		{name: "label that is a point", src: "w = day span (_ => 7) label: (p => p)\neveryDay |> filter(d => ^w(d) == 1)", err: "apply.label-value-kind"},
		{name: "selected by a point's label", src: "w = day span (_ => 7) label: (p => p)\n^w(1)", err: "apply.label-value-kind"},
		{name: "point in no window", src: "g = chronos grid 7d anchor: 1970-01-05 label: (p => 1)\neveryDay |> filter(d => ^g(d) == 1)", err: "apply.label-outside"},
		{name: "labels from a list", src: lab + "s(B)", want: "2026-01-10 2026-01-11", notes: []string{"2026-01-01..2026-01-05 m [2026-01-01..2026-12-31]"}},
		{name: "read", src: lab + "([2026-01-09, 2026-01-11] covering: ..) |> filter(d => s(d) == B)", want: "2026-01-11"},
		{name: "no such label in the list", src: lab + "s(^D)", err: "name.unresolved"},
		{name: "no such value in the list", src: lab + "^s(\"D\")", err: "apply.label-domain"},
		{name: "other type than the list", src: lab + "^s(1)", err: "apply.label-type"},
		{name: "stream for a label of the list", src: lab + "^s(everyDay)", err: "apply.arg-kind"},
		{name: "outside of the segments", src: "m = [2026-01-05, 2026-01-10] covering: ..\ns = everyDay |> segmentBy(m, edges: drop, empties: keep, labels: [1, 2])\neveryDay |> filter(d => ^s(d) == 1)", err: "apply.labels-outside"},
		{name: "beyond the coverage", src: lab + "everyDay |> filter(d => s(d) == A)", rng: "2025-12-20 2026-01-20", want: "2026-01-05 2026-01-06 2026-01-07 2026-01-08 2026-01-09",
			notes: []string{"2025-12-20..2026-01-05 m [2026-01-01..2026-12-31]"}},
		{name: "labels that repeat", src: seg + "s = everyDay |> segmentBy(m, edges: drop, empties: keep, labels: cycle [A, B] anchor: 2026-01-11)\ns(B)", rng: "2026-01-01 2026-01-14",
			want: "2026-01-05 2026-01-06 2026-01-07 2026-01-08 2026-01-09 2026-01-12 2026-01-13", notes: []string{"2026-01-01..2026-01-05 m [2026-01-01..2026-12-31]"}},
		{name: "labels by a function", src: seg + "s = everyDay |> segmentBy(m, edges: drop, empties: keep, label: (p => dayNo(p)))\ns(10)", want: "2026-01-10 2026-01-11", notes: []string{"2026-01-01..2026-01-05 m [2026-01-01..2026-12-31]"}},
		{name: "points without windows", src: "^everyDay(1)", err: "apply.value-arg-stream"},
		{name: "points without windows and a point", src: "everyDay |> filter(d => ^everyDay(d))", err: "apply.not-applicable"},
		{name: "windows without labels", src: "^week(1)", err: "apply.no-label-source"},
		{name: "anonymous windows", src: "^(chronos grid 2d)(1)", err: "apply.no-label-source"},
		{name: "qualified windows", src: "^Gregorian.quarter(1)", err: "apply.no-label-source"},
	})
}

func TestSegmentBy(t *testing.T) {
	seg := func(args string) string {
		return "m = [2026-01-05, 2026-01-10, 2026-01-12] covering: 2026-01-03..2026-01-20\neveryDay |> segmentBy(m, " + args + ") |> last"
	}
	two := func(args string) string {
		return "m = [2026-01-05, 2026-01-10] covering: 2026..2026\neveryDay |> ^segmentBy(m, edges: drop, empties: keep, " + args + ")"
	}
	note := "m [2026-01-03..2026-01-20]"
	runCases(t, []evalCase{
		{name: "drop", src: seg("edges: drop, empties: keep"), want: "2026-01-09 2026-01-11 2026-01-20",
			notes: []string{"2026-01-01..2026-01-05 " + note, "2026-01-21..2026-02-01 " + note}},
		{name: "clip", src: seg("edges: clip, empties: keep"), want: "2026-01-04 2026-01-09 2026-01-11 2026-01-20",
			notes: []string{"2026-01-01..2026-01-05 " + note, "2026-01-21..2026-02-01 " + note}},
		{name: "error", src: "m = [2026-01-05] covering: 2026-01-03..2026-01-20\neveryDay |> ^segmentBy(m, edges: error, empties: keep)", err: "segment.edges-error"},
		{name: "no error", src: "m = [2026-01-05] covering: 2026-01-05..2026-01-20\neveryDay |> segmentBy(m, edges: error, empties: keep) |> first", want: "2026-01-05",
			notes: []string{"2026-01-01..2026-01-05 m [2026-01-05..2026-01-20]", "2026-01-21..2026-02-01 m [2026-01-05..2026-01-20]"}},
		{name: "an empty segment", src: "m = [2026-01-06, 2026-01-10] covering: ..\nweekStart |> ^segmentBy(m, edges: drop, empties: error)", err: "segment.empties-error"},
		{name: "empty segments dropped", src: "m = [2026-01-06, 2026-01-10, 2026-01-13, 2026-01-21] covering: ..\ns = weekStart |> segmentBy(m, edges: drop, empties: drop)\ns |> first", want: "2026-01-12 2026-01-19 2026-01-26"},
		{name: "no edges", src: "everyDay |> ^segmentBy(weekStart, empties: keep)", err: "segment.edges-required"},
		{name: "no empties", src: "everyDay |> ^segmentBy(weekStart, edges: drop)", err: "segment.empties-required"},
		{name: "no marker", src: "everyDay |> ^segmentBy(edges: drop, empties: keep)", err: "segment.marker-required"},
		{name: "empty marker", src: "m = [] covering: ..\neveryDay |> ^segmentBy(m, edges: drop, empties: keep)", err: "segment.marker-empty"},
		{name: "unknown edges", src: "everyDay |> ^segmentBy(weekStart, edges: keep, empties: keep)", err: "segment.edges-unknown"},
		{name: "unknown empties", src: "everyDay |> ^segmentBy(weekStart, edges: drop, empties: clip)", err: "segment.empties-unknown"},
		{name: "number for edges", src: "everyDay |> segmentBy(weekStart, edges: ^1, empties: keep)", err: "value.not-label"},
		{name: "function for labels", src: "everyDay |> segmentBy(weekStart, edges: drop, empties: keep, label: ^1)", err: "gen.label-lambda"},
		{name: "both label and labels", src: two("label: (p => 1), labels: [1, 2]"), err: "segment.labels-and-label"},
		{name: "labels and clip", src: "everyDay |> ^segmentBy(monthStart, edges: clip, empties: keep, labels: [1])", err: "segment.labels-clip"},
		{name: "labels and dropped", src: "everyDay |> ^segmentBy(monthStart, edges: drop, empties: drop, labels: [1])", err: "segment.labels-drop"},
		{name: "labels on a rule", src: "everyDay |> ^segmentBy(monthStart, edges: drop, empties: keep, labels: [1])", err: "segment.labels-endless"},
		{name: "labels over a gap", src: "m = [2025-01-05, 2026-01-10] covering: 2025-01-01..2025-02-01, 2026..2026\neveryDay |> ^segmentBy(m, edges: drop, empties: keep, labels: [1, 2])", err: "segment.labels-coverage"},
		{name: "number for labels", src: "m = [2026-01-05] covering: 2026..2026\neveryDay |> segmentBy(m, edges: drop, empties: keep, labels: ^5)", err: "segment.labels-kind"},
		{name: "empty labels", src: "m = [2026-01-05] covering: 2026..2026\neveryDay |> segmentBy(m, edges: drop, empties: keep, labels: ^[])", err: "segment.labels-empty"},
		{name: "points for labels", src: "m = [2026-01-05] covering: 2026..2026\neveryDay |> segmentBy(m, edges: drop, empties: keep, labels: ^[everyDay, everyDay])", err: "segment.labels-value"},
		{name: "mixed labels", src: "m = [2026-01-05, 2026-01-06] covering: 2026..2026\neveryDay |> segmentBy(m, edges: drop, empties: keep, labels: ^[1, Mon])", err: "segment.labels-mixed"},
		{name: "too many labels", src: "m = [2026-01-05] covering: 2026..2026\neveryDay |> segmentBy(m, edges: drop, empties: keep, labels: ^[1, 2])", err: "segment.labels-length"},
		{name: "anchor before the first", src: "m = [2026-01-05] covering: 2026..2026\neveryDay |> segmentBy(m, edges: drop, empties: keep, labels: ^cycle [1, 2] anchor: 2026-01-04)", err: "segment.labels-anchor"},
		{name: "anchor beyond the coverage", src: "m = [2026-01-05] covering: 2026..2026\neveryDay |> segmentBy(m, edges: drop, empties: keep, labels: ^cycle [1, 2] anchor: 2027-01-01)", err: "segment.labels-anchor"},
		{name: "anchor no point", src: "m = [2026-01-05] covering: 2026..2026\neveryDay |> segmentBy(m, edges: drop, empties: keep, labels: ^cycle [1, 2] anchor: 5)", err: "value.not-point"},
		{name: "labels by a name", src: "m = [2026-01-05, 2026-01-07] covering: 2026..2026\nnames = [1, 2]\ns = everyDay |> segmentBy(m, edges: drop, empties: keep, labels: cycle names anchor: 2026-01-05)\ns(1)", want: "2026-01-05 2026-01-06",
			notes: []string{"2026-01-01..2026-01-05 m [2026-01-01..2026-12-31]"}},
		{name: "unknown argument", src: "everyDay |> segmentBy(weekStart, edges: drop, empties: keep, ^from: 1)", err: "args.unknown-named"},
	})
}
