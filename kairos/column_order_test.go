package kairos

import "testing"

// A predicate is evaluated by parts, each for many points, but sources and warnings are listed as if it had been asked point
// by point.
func TestOrderOfParts(t *testing.T) {
	const tables = "a = [2026-01-05] covering: ..\nb = [2026-01-15] covering: ..\nc = [2026-01-16] labels: [A] covering: ..\n"
	runCases(t, []evalCase{
		// 1970-01-01 is a Thursday: it asks for b before any Monday asks for a.
		{name: "right side first", src: tables + "everyDay |> filter(d => weekday(d) == Mon and coincides(a, week, d) or coincides(b, day, d))",
			want: "2026-01-05 2026-01-15", cover: []string{"b [..] ∞!", "a [..] ∞!"}},
		{name: "left side first", src: tables + "everyDay |> filter(d => weekday(d) == Thu and coincides(a, week, d) or coincides(b, day, d))",
			want: "2026-01-08 2026-01-15", cover: []string{"a [..] ∞!", "b [..] ∞!"}},
		{name: "second branch first", src: tables + "everyDay |> filter(d => dayNo(d) == 5 ? coincides(a, day, d) : coincides(b, day, d))",
			want: "2026-01-05 2026-01-15", cover: []string{"b [..] ∞!", "a [..] ∞!"}},
		{name: "in a function", src: tables + "f = d => coincides(a, day, d)\ng(d) = coincides(b, day, d)\neveryDay |> filter(d => dayNo(d) == 5 and f(d) or g(d))",
			want: "2026-01-05 2026-01-15", cover: []string{"b [..] ∞!", "a [..] ∞!"}},
		{name: "in a filter within", src: tables + "everyDay |> filter(d => dayNo(d) == 5 and coincides(a, day, d) or coincides(everyDay |> filter(e => dayNo(e) == 9 and coincides(c, month, e) or coincides(b, day, e)), day, d))",
			want: "2026-01-05 2026-01-09 2026-01-15", cover: []string{"b [..] ∞!", "c [..] ∞!", "a [..] ∞!"}},
		// The labels of a table have no form by columns, so that the first block is asked point by point after all.
		{name: "one by one after all", src: tables + "everyDay |> filter(d => dayNo(d) == 5 and coincides(a, day, d) or coincides(b, month, d) and dayNo(d) == 16 and c(d) == A)",
			want: "2026-01-05 2026-01-16", cover: []string{"b [..] ∞!", "a [..] ∞!", "c [..] ∞!"}},
		{name: "one by one, of names", src: tables + "x = a |> shift(0, unit: everyDay)\neveryDay |> filter(d => dayNo(d) == 5 and coincides(x, day, d) or coincides(b, month, d) and dayNo(d) == 16 and c(d) == A)",
			want: "2026-01-05 2026-01-16", cover: []string{"b [..] ∞!", "a [..] ∞!", "c [..] ∞!"}},
	})
}

// The zone of the points that a filter asks about is not compared within the words of segmentBy.
func TestWeeksInAForeignFilter(t *testing.T) {
	runCases(t, []evalCase{
		{name: "week", head: ny, src: "x = [2026-01-14T08:00] covering: ..\neveryDay |> take(2, from: 2026-01-12) |> rebase(to: \"Asia/Kathmandu\") |> filter(d => coincides(x, week, d))",
			tz: "Asia/Kathmandu", want: "2026-01-12 2026-01-13"},
	})
}

// What is written out in a predicate warns with every point that asks, a name once.
func TestWarningsOfParts(t *testing.T) {
	// The last month that is computed begins on 2027-03-01, so that a shift by a month warns of it.
	const (
		march = "horizon-clip: shift 2027-03-01"
		feb   = "horizon-clip: shift 2027-02-01"
		two   = "everyDay |> filter(d => yearNo(d) == 2026 and monthNo(d) == 1 and dayNo(d) < 3 and "
		later = "monthStart |> shift(1, unit: month)"
	)
	runCases(t, []evalCase{
		{name: "written out", src: two + "coincides(" + later + ", day, d))", want: "2026-01-01", warn: []string{march, march}},
		{name: "a name", src: "m = " + later + "\n" + two + "coincides(m, day, d))", want: "2026-01-01", warn: []string{march}},
		{name: "a name in what is written out", src: "m = " + later + "\n" + two + "coincides(m |> shift(2, unit: month), day, d))",
			want: "2026-01-01", warn: []string{march, feb, march, feb, march}},
		{name: "written out in a function", src: "f = d => coincides(" + later + ", day, d)\n" + two + "f(d))", want: "2026-01-01", warn: []string{march, march}},
		{name: "windows written out", src: two + "ordinalIn(day, (everyDay |> segmentBy(" + later + ", edges: clip, empties: keep)), d) == 2)",
			want: "2026-01-02", warn: []string{march, march}},
		{name: "one point by name, then one by one", src: "m = " + later + "\n" + two + "(dayNo(d) == 1 and coincides(m, day, d) or coincides(" + later + ", month, d)))",
			want: "2026-01-01 2026-01-02", warn: []string{march, march}},
	})
}
