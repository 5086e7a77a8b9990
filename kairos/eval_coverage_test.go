package kairos

import "testing"

// Annotations say where a result may depend on data beyond their coverage; each case gives what a stage makes of those of
// its input and its axis.
func TestAnnotations(t *testing.T) {
	x := "x = [2026-01-06, 2026-01-14] covering: 2026-01-05..2026-01-20\n"
	src := "x [2026-01-05..2026-01-20]"
	head, tail := "2026-01-01..2026-01-05 "+src, "2026-01-21..2026-02-01 "+src
	both := []string{head, tail}
	all := []string{"2026-01-01..2026-02-01 " + src}
	runCases(t, []evalCase{
		{name: "a table", src: x + "x", want: "2026-01-06 2026-01-14", notes: both},
		{name: "within", src: x + "x |> within(month)", want: "2026-01-06 2026-01-14", notes: both},
		{name: "selectors look at whole windows", src: x + "x |> within(week) |> first", want: "2026-01-06 2026-01-14",
			notes: []string{head, "2026-01-19..2026-02-01 " + src}},
		{name: "and at whole months", src: x + "x |> within(month) |> first", want: "2026-01-06", notes: all},
		{name: "snap", src: x + "x |> snapTo(week)", want: "2026-01-05 2026-01-12", notes: []string{head, "2026-01-19..2026-02-01 " + src}},
		{name: "filter on", src: x + "everyDay |> filter(on: x)", want: "2026-01-06 2026-01-14", notes: both},
		{name: "union", src: x + "x | monthStart", want: "2026-01-01 2026-01-06 2026-01-14", notes: both},
		{name: "intersection", src: x + "x & everyDay", want: "2026-01-06 2026-01-14", notes: both},
		{name: "roll following", src: x + "([2026-01-08] covering: ..) |> roll(Following, on: x)", want: "2026-01-14",
			notes: []string{head, "2026-01-14..2026-02-01 " + src}},
		{name: "roll preceding", src: x + "([2026-01-08] covering: ..) |> roll(Preceding, on: x)", want: "2026-01-06",
			notes: []string{"2026-01-01..2026-01-06 " + src, tail}},
		{name: "roll to unknown days", src: x + "([2026-01-25] covering: ..) |> roll(Following, on: x)", want: "", notes: []string{head, "2026-01-14..2026-02-01 " + src}},
		{name: "roll of the annotated", src: x + "x |> roll(Following, on: weekStart)", want: "2026-01-12 2026-01-19",
			notes: []string{head, tail}},
		{name: "shift by weeks", src: x + "x |> shift(1, unit: week)", want: "2026-01-13 2026-01-21", notes: []string{"2026-01-01..2026-01-12 " + src, tail}},
		{name: "shift by days", src: x + "x |> shift(2, unit: day)", want: "2026-01-08 2026-01-16", notes: []string{"2026-01-01..2026-01-07 " + src, tail}},
		{name: "shift back", src: x + "x |> shift(-2, unit: day)", want: "2026-01-04 2026-01-12", notes: []string{head, "2026-01-19..2026-02-01 " + src}},
		{name: "shift along the axis", src: x + "x |> shift(1, unit: everyDay)", want: "2026-01-07 2026-01-15", notes: both},
		{name: "shift off the known axis", src: x + "([2026-01-14, 2026-01-28] covering: ..) |> shift(1, unit: x)", want: "", notes: []string{tail}},
		{name: "stride", src: x + "x |> stride(2, from: 2026-01-06)", want: "2026-01-06", notes: both},
		{name: "stride counts over the unknown", src: x + "x |> stride(2, from: 2026-01-02)", want: "2026-01-06", notes: all},
		{name: "take", src: x + "x |> take(2, from: 2026-01-06)", want: "2026-01-06 2026-01-14", notes: []string{head}},
		{name: "take too many", src: x + "x |> take(3, from: 2026-01-06)", want: "2026-01-06 2026-01-14", notes: both},
		{name: "take over the unknown", src: x + "x |> take(2, from: 2026-01-02)", want: "2026-01-06 2026-01-14", notes: all},
		{name: "take last", src: x + "x |> takeLast(2, until: 2026-01-20)", want: "2026-01-06 2026-01-14", notes: []string{tail}},
		{name: "take last of too few", src: x + "x |> takeLast(3, until: 2026-01-20)", want: "2026-01-06 2026-01-14", notes: both},
		{name: "take last over the unknown", src: x + "x |> takeLast(1, until: 2026-01-25)", want: "2026-01-14",
			notes: []string{"2026-01-01..2026-02-01 " + src}},
		{name: "strideBy has none", src: x + "x |> strideBy(20d, from: 2026-01-01)", want: "2026-01-01 2026-01-21"},
		{name: "a point has none", src: "2026-01-05", want: "2026-01-05"},
		{name: "coincides in known weeks", src: x + "weekStart |> filter(d => coincides(x, week, d))", want: "2026-01-05 2026-01-12",
			notes: []string{"2026-01-01..2026-01-05 " + src, "2026-01-19..2026-02-01 " + src}},
		{name: "a witness is enough for its window", src: x + "monthStart |> filter(d => coincides(x, month, d))", want: "2026-01-01", notes: both},
		{name: "without one the window is annotated", src: x + "monthStart |> filter(d => coincides(x \\ x, month, d))", want: "", notes: all},
		{name: "what is true already does not ask", src: x + "everyDay |> filter(d => dayNo(d) <= 31 or coincides(x, day, d))", rng: "2026-01-01 2026-01-03", want: "2026-01-01 2026-01-02"},
		{name: "several sources", src: x + "y = [2026-01-10] covering: 2026-01-08..\nx | y", want: "2026-01-06 2026-01-10 2026-01-14",
			notes: []string{head, "2026-01-01..2026-01-08 y [2026-01-08..]", tail}},
	})
}

// Segments whose borders are data are unknown where the data are.
func TestUnknownWindows(t *testing.T) {
	m := "m = [2026-01-05, 2026-01-19] covering: 2026-01-01..2026-01-25\n"
	seg := m + "s = everyDay |> segmentBy(m, edges: drop, empties: keep, label: (p => dayNo(p)))\n"
	src := "m [2026-01-01..2026-01-25]"
	runCases(t, []evalCase{
		{name: "read in a predicate", src: seg + "everyDay |> filter(d => s(d) == 19)", want: "2026-01-19 2026-01-20 2026-01-21 2026-01-22 2026-01-23 2026-01-24 2026-01-25",
			notes: []string{"2026-01-01..2026-01-05 " + src, "2026-01-26..2026-02-01 " + src}},
		{name: "number in a predicate", src: seg + "everyDay |> filter(d => ordinalIn(day, s, d) == 2)", want: "2026-01-06 2026-01-20",
			notes: []string{"2026-01-01..2026-01-05 " + src, "2026-01-26..2026-02-01 " + src}},
		{name: "running number in a predicate", src: seg + "everyDay |> filter(d => epochOrdinal(s, d) == 1)", want: "2026-01-19 2026-01-20 2026-01-21 2026-01-22 2026-01-23 2026-01-24 2026-01-25",
			notes: []string{"2026-01-01..2026-01-05 " + src, "2026-01-26..2026-02-01 " + src}},
		{name: "coincidence in a predicate", src: seg + "everyDay |> filter(d => dayNo(d) in [1, 9, 28] and coincides(weekStart, s, d))", want: "2026-01-09",
			notes: []string{"2026-01-01..2026-01-05 " + src, "2026-01-26..2026-02-01 " + src}},
		{name: "snap where windows are unknown", src: seg + "([2026-01-10, 2026-01-28] covering: ..) |> snapTo(s)", want: "2026-01-05", notes: []string{"2026-01-26..2026-02-01 " + src}},
		{name: "outside of a predicate", src: seg + "n = ^s(2026-01-28)\n(everyDay |> stride(n, from: 2026-01-01))", err: "ooc.reference"},
		{name: "window whose end is unknown", src: "a = [2026-01-05, 2026-01-19] covering: 2026-01-01..2026-01-10, 2026-01-15..2026-01-25\ns = everyDay |> segmentBy(a, edges: drop, empties: keep, label: (p => dayNo(p)))\nn = ^s(2026-01-07)\neveryDay |> stride(n, from: 2026-01-01)", err: "ooc.window"},
		{name: "coincidence outside of a predicate", src: m + "n = ^coincides(m, day, 2026-01-28) ? 1 : 2\neveryDay |> stride(n, from: 2026-01-01)", err: "ooc.coincides"},
		{name: "label outside of a predicate in place", src: m + "x = [2026-01-05] labels: [A] covering: 2026..2026\nn = ^x(2027-01-01) == A ? 1 : 2\neveryDay |> stride(n, from: 2026-01-01)", err: "ooc.reference"},
	})
}
