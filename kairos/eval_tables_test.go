package kairos

import "testing"

func TestTables(t *testing.T) {
	runCases(t, []evalCase{
		{name: "points and the ends of their coverage", src: "x = [2026-01-05, 2026-01-20]\nx", want: "2026-01-05 2026-01-20",
			notes: []string{"2026-01-01..2026-01-05 x [2026-01-05..2026-01-20]", "2026-01-20..2026-02-01 x [2026-01-05..2026-01-20]"},
			cover: []string{"x [2026-01-05..2026-01-20] -12"}},
		{name: "never bound", src: "[2026-01-05] covering: 2026..2026", want: "2026-01-05", cover: []string{"(無名テーブル) [2026-01-01..2026-12-31] 334"}},
		{name: "bound in a premise", head: "-", src: "premise P { calendar-system: Gregorian; tz: \"UTC\"; x = [2026-01-05] covering: 2026.. }\n@P\nx", tz: "UTC", want: "2026-01-05", cover: []string{"P.x [2026-01-01..] ∞!"}},
		{name: "first name counts", src: "x = [2026-01-05] covering: ..2026\ny = x\ny", want: "2026-01-05", cover: []string{"x [..2026-12-31] 334!"}},
		{name: "range", src: "[2026-01-30..2026-02-02] covering: ..", rng: "2026-01-01 2026-03-01", want: "2026-01-30 2026-01-31 2026-02-01 2026-02-02"},
		{name: "range backwards adds nothing", src: "[2026-01-05, 2026-01-09..2026-01-07] covering: ..", want: "2026-01-05"},
		{name: "range over a change of the clock", head: ny, src: "[2026-03-07..2026-03-09] covering: ..", tz: "America/New_York", rng: "2026-03-01 2026-04-01", want: "2026-03-07 2026-03-08 2026-03-09"},
		{name: "computed", src: "a = 2026-01-05\nx = [a, 2026-01-07] covering: ..\nx", want: "2026-01-05 2026-01-07"},
		{name: "unsorted", src: "^[2026-01-05, 2026-01-04]", err: "table.order"},
		{name: "twice", src: "^[2026-01-05, 2026-01-05]", err: "table.order"},
		{name: "range of numbers", src: "[^1..5]", err: "value.not-point"},
		{name: "range to a number", src: "[2026-01-05..^5]", err: "value.not-point"},
		{name: "mixed is a list", src: "^[2026-01-05, 5]", err: "value.not-stream"},
		{name: "list of tables is a list", src: "a = [2026-01-05]\n^[a]", err: "value.not-stream"},
		{name: "postfix on a list", src: "^[1, 2] covering: 2026..2026", err: "table.postfix-on-list"},
		{name: "empty", src: "x = [] covering: 2026-01-10..2026-01-20\nx", want: "",
			notes: []string{"2026-01-01..2026-01-10 x [2026-01-10..2026-01-20]", "2026-01-21..2026-02-01 x [2026-01-10..2026-01-20]"}},
		{name: "empty with labels only", src: "^[] labels: []", err: "table.empty-needs-covering"},
		{name: "empty with too many labels", src: "^[] covering: .. labels: [A]", err: "table.labels-length"},
		{name: "empty with no labels", src: "x = [] covering: .. labels: []\neveryDay \\ x", rng: "2026-01-01 2026-01-02", want: "2026-01-01"},
		{name: "labels", src: "x = [2026-01-05, 2026-01-06] labels: [Hot, Cold] covering: ..\nx |> filter(d => x(d) == Cold)", want: "2026-01-06"},
		{name: "labels and points differ in number", src: "^[2026-01-05] labels: [A, B]", err: "table.labels-length"},
		{name: "labels are names", src: "[2026-01-05] labels: [^\"A\"]", err: "table.labels-name"},
		{name: "no labels to read", src: "x = [2026-01-05] covering: ..\nx |> filter(d => ^x(d) == 1)", err: "apply.table-no-labels"},
		{name: "no such point", src: "x = [2026-01-05] labels: [A] covering: ..\neveryDay |> filter(d => ^x(d) == A)", err: "apply.table-miss"},
		{name: "no such point beyond the coverage", src: "x = [2026-01-05] labels: [A] covering: 2026..2026\n([2025-12-31, 2026-01-05] covering: ..) |> filter(d => x(d) == A)", want: "2026-01-05",
			rng: "2025-12-01 2026-02-01", notes: []string{"2025-12-01..2026-01-01 x [2026-01-01..2026-12-31]"}},
		{name: "selected by label", src: "x = [2026-01-05] labels: [A] covering: ..\n^x(A)", err: "apply.value-arg-table"},
		{name: "asof", src: "@JP asof: \"seen today\"\nx = [2026-01-05]\nx", want: "2026-01-05", cover: []string{"x [2026-01-05..2026-01-05] seen today -27"},
			notes: []string{"2026-01-01..2026-01-05 x [2026-01-05..2026-01-05] seen today", "2026-01-05..2026-02-01 x [2026-01-05..2026-01-05] seen today"}},
		{name: "asof as a date in the run's clock", head: ny, src: "@NY asof: 2026-01-03\nx = [2026-01-05] covering: ..\nx", want: "2026-01-05T14:00", cover: []string{"x [..] 2026-01-03 ∞!"}},
		{name: "asof with a time", src: "@JP asof: 2026-01-03T09:30\nx = [2026-01-05] covering: ..\nx", want: "2026-01-05", cover: []string{"x [..] 2026-01-03T09:30 ∞!"}},
		{name: "asof as a number", src: "@JP asof: 7\nx = [2026-01-05] covering: ..\nx", want: "2026-01-05", cover: []string{"x [..] 7 ∞!"}},
	})
}

func TestCovering(t *testing.T) {
	at := func(covering string) string { return "x = [2026-01-05] covering: " + covering + "\nx" }
	runCases(t, []evalCase{
		{name: "open", src: at(".."), want: "2026-01-05", cover: []string{"x [..] ∞!"}},
		{name: "from a day", src: at("2026-01-03.."), want: "2026-01-05", cover: []string{"x [2026-01-03..] ∞!"}, notes: []string{"2026-01-01..2026-01-03 x [2026-01-03..]"}},
		{name: "to a day", src: at("..2026-01-30"), want: "2026-01-05", cover: []string{"x [..2026-01-30] -1!"}, notes: []string{"2026-01-31..2026-02-01 x [..2026-01-30]"}},
		{name: "days", src: at("2026-01-05..2026-01-05"), want: "2026-01-05", cover: []string{"x [2026-01-05..2026-01-05] -26"},
			notes: []string{"2026-01-01..2026-01-05 x [2026-01-05..2026-01-05]", "2026-01-06..2026-02-01 x [2026-01-05..2026-01-05]"}},
		{name: "years", src: at("2025..2027"), want: "2026-01-05", cover: []string{"x [2025-01-01..2027-12-31] 699"}},
		{name: "from an instant to a day", src: at("2026-01-04T12:00..2026-02-10T12:00"), want: "2026-01-05", cover: []string{"x [2026-01-04..2026-02-10] 10"},
			notes: []string{"2026-01-01..2026-01-04T12:00 x [2026-01-04..2026-02-10]"}},
		{name: "with a gap", src: at("2025..2025, 2026-01-04..2026-01-08, 2026-01-20.."), want: "2026-01-05", cover: []string{"x [2025-01-01..2025-12-31, 2026-01-04..2026-01-08, 2026-01-20..] ∞!"},
			notes: []string{"2026-01-01..2026-01-04 x [2025-01-01..2025-12-31, 2026-01-04..2026-01-08, 2026-01-20..]",
				"2026-01-09..2026-01-20 x [2025-01-01..2025-12-31, 2026-01-04..2026-01-08, 2026-01-20..]"}},
		{name: "touching", src: at("2025..2025, 2026..2026"), want: "2026-01-05", cover: []string{"x [2025-01-01..2025-12-31, 2026-01-01..2026-12-31] 334"}},
		{name: "leaves a point out", src: "x = ^[2026-01-05] covering: 2027..2027\nx", err: "table.outside-covering"},
		{name: "reversed", src: "x = [2026-01-05] covering: ^2026-01-09..2026-01-04\nx", err: "covering.reversed"},
		{name: "overlapping", src: "x = [2026-01-05] covering: 2026..2026, ^2026-06-01..\nx", err: "covering.order"},
		{name: "descending", src: "x = [2026-01-05] covering: 2026..2026, ^2025..2025\nx", err: "covering.order"},
		{name: "edge that is a label", src: "x = [2026-01-05] covering: ^Mon..\nx", err: "covering.edge"},
		{name: "edge that is half a year", src: "x = [2026-01-05] covering: ^2025.5..\nx", err: "covering.edge"},
		{name: "edge beyond any calendar", src: "x = [2026-01-05] covering: ^99999..\nx", err: "covering.edge"},
		{name: "edge of another kind", src: "x = [2026-01-05] covering: ^T09:00..\nx", err: "covering.edge"},
		{name: "edge that is unknown", src: "x = [2026-01-05] covering: ^nobody..\nx", err: "name.unresolved"},
		{name: "days of the scope's zone", head: ny, src: at("2026-01-03..2026-01-06"), want: "2026-01-05T14:00", cover: []string{"x [2026-01-03..2026-01-06] -24"},
			notes: []string{"2026-01-01..2026-01-03T14:00 x [2026-01-03..2026-01-06]", "2026-01-07T14:00..2026-02-01 x [2026-01-03..2026-01-06]"}},
	})
}

func TestClaims(t *testing.T) {
	runCases(t, []evalCase{
		{name: "two years are one", src: "a = [2025-12-30] covering: 2025..2025\nb = [2026-01-05] covering: 2026..2026\nx = (a | b) covering: 2025..2026\nx", rng: "2025-12-01 2026-02-01",
			want: "2025-12-30 2026-01-05", cover: []string{"a [2025-01-01..2025-12-31] -31", "b [2026-01-01..2026-12-31] 334", "x [2025-01-01..2026-12-31] 334"}},
		{name: "without it both are annotated", src: "a = [2025-12-30] covering: 2025..2025\nb = [2026-01-05] covering: 2026..2026\nx = a | b\nx", rng: "2025-12-01 2026-02-01",
			want: "2025-12-30 2026-01-05", notes: []string{"2025-12-01..2026-01-01 b [2026-01-01..2026-12-31]", "2026-01-01..2026-02-01 a [2025-01-01..2025-12-31]"}},
		{name: "narrower", src: "a = [2026-01-05] covering: ..\nx = a |> filter(d => 1 == 1) covering: 2026-01-02..2026-01-20\nx", want: "2026-01-05",
			notes: []string{"2026-01-01..2026-01-02 x [2026-01-02..2026-01-20]", "2026-01-21..2026-02-01 x [2026-01-02..2026-01-20]"}},
		{name: "of a rule", src: "x = monthEnd covering: ..\nx", want: "2026-01-31", cover: []string{"x [..] ∞!"}},
		{name: "in a premise", head: "-", src: "premise P { calendar-system: Gregorian; tz: \"UTC\"; x = monthEnd covering: 2026..2026 }\n@P\nx", tz: "UTC", want: "2026-01-31", cover: []string{"P.x [2026-01-01..2026-12-31] 334"}},
		{name: "too wide", src: "a = [2026-01-05] covering: 2026..2026\n^x = (a | a) covering: 2026..2027\nx", err: "claim.too-wide"},
		{name: "on a function", src: "^x = (d => 1) covering: 2026..2026\nx", err: "claim.on-lambda"},
		{name: "on a number", src: "x = (^5) covering: 2026..2026\nx", err: "value.not-stream"},
	})
}
