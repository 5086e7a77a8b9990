package kairos

import "testing"

// day9 keeps the ninth of the month if the expression X is true there, so that a value can be looked at.
func day9(x string) string { return "everyDay |> filter(d => dayNo(d) == 9 and " + x + ")" }

func TestValues(t *testing.T) {
	truths := []string{
		"1 + 2 * 3 == 7", "(1 + 2) * 3 == 9", "7 / 2 == 3.5", "7 div 2 == 3", "-7 div 2 == -4", "7 mod 3 == 1", "-7 mod 3 == 2",
		"7 mod -3 == -2", "7.5 mod 2 == 1.5", "1 div 0 > 1000000", "not (1 mod 0 == 1 mod 0)", "0 / 0 != 0 / 0", "+3 == 3", "- - 3 == 3",
		"1 < 2", "2 <= 2", "3 > 2", "3 >= 3", "not (2 > 3)", "1 != 2", "1 == 1.0", "not (1 == \"1\")", "Mon == \"Mon\"", "not (d == 1)",
		"d == 2026-01-09", "T09:00 == T09:00", "T09:00 != T09:30", "3 in [1, 2, 3]", "not (3 in [])", "Mon in [Mon, Tue]", "not (\"3\" in [3])",
		"[4, 5, 6][1] == 5", "[[1, 2], [3]][1][0] == 3", "[7, d][1] == d", "(true or nobody)", "not (false and nobody)", "(true ? 1 : nobody) == 1",
		"(false ? nobody : 2) == 2", "true != false", "(1 == 1) == (2 == 2)", "not ([1] == [1])", "(x => x == x)(chronos)", "not (1d == 1d)",
		"9007199254740993 == 9007199254740992", "0.1 + 0.2 != 0.3", "1e == 1 or true",
	}
	var cases []evalCase
	for _, x := range truths[:len(truths)-1] {
		cases = append(cases, evalCase{name: x, src: "true = 1 == 1\nfalse = 1 == 2\n" + day9(x), want: "2026-01-09"})
	}
	runCases(t, cases)
}

func TestValueErrors(t *testing.T) {
	runCases(t, []evalCase{
		{name: "plus", src: day9("1 + ^Mon == 2"), err: "value.not-number"},
		{name: "minus", src: day9("-^Mon == 2"), err: "value.not-number"},
		{name: "times", src: day9("^d * 2 == 2"), err: "value.not-number"},
		{name: "less", src: day9("^d < 2026-01-10"), err: "value.not-number"},
		{name: "less right", src: day9("1 < ^d"), err: "value.not-number"},
		{name: "and", src: day9("^1"), err: "value.not-bool"},
		{name: "or", src: day9("(1 == 2 or ^Mon)"), err: "value.not-bool"},
		{name: "not", src: day9("not ^5"), err: "value.not-bool"},
		{name: "condition", src: day9("(^5 ? 1 : 2) == 1"), err: "value.not-bool"},
		{name: "predicate", src: "everyDay |> filter(d => ^1)", err: "value.not-bool"},
		{name: "predicate that is no function", src: "everyDay |> filter(^1)", err: "apply.not-applicable"},
		{name: "in", src: day9("1 in ^5"), err: "value.in-non-list"},
		{name: "in a table", src: day9("d in ^[2026-01-09]"), err: "value.in-non-list"},
		{name: "index", src: day9("^5[0] == 1"), err: "value.index-non-list"},
		{name: "index beyond", src: day9("[1][^1] == 1"), err: "value.index-range"},
		{name: "index below", src: day9("[1][^-1] == 1"), err: "value.index-range"},
		{name: "index between", src: day9("[1, 2][^0.5] == 1"), err: "value.index-range"},
		{name: "index no number", src: day9("[1][^Mon] == 1"), err: "value.not-number"},
		{name: "stream as a number", src: day9("^year(2026) + 1 == 1"), err: "value.not-number"},
		{name: "time as a point", src: day9("^dayNo(T09:00) == 1"), err: "value.time-literal-position"},
		{name: "number as a point", src: day9("epochOrdinal(day, ^5) == 1"), err: "value.not-point"},
		{name: "number as a stream", src: "^5", err: "value.not-stream"},
		{name: "label as a stream", src: "everyDay | ^Mon", err: "value.not-stream"},
		{name: "function as a stream", src: "(^x => x)", err: "value.not-stream"},
		{name: "list as a stream", src: "^[1, 2]", err: "value.not-stream"},
		{name: "empty list as a stream", src: "^[]", err: "value.not-stream"},
		{name: "cycle as a stream", src: "^weekday |> first", err: "value.not-stream"},
		{name: "everyInstant", src: "^everyInstant", err: "value.everyInstant"},
		{name: "everyInstant before another stage", src: "^everyInstant |> within(day)", err: "value.everyInstant"},
		{name: "everyInstant in a combinator", src: "^everyInstant & everyDay", err: "value.everyInstant"},
		{name: "wildcard", src: "everyDay |> filter(_ => ^_)", err: "value.not-bool"},
	})
}

func TestDateLiterals(t *testing.T) {
	runCases(t, []evalCase{
		{name: "day", head: ny, src: "2026-01-05", tz: "America/New_York", want: "2026-01-05"},
		{name: "the scope's day in the run's clock", head: ny, src: "2026-01-05", want: "2026-01-05T14:00"},
		{name: "time", src: "2026-01-05T09:30", want: "2026-01-05T09:30"},
		{name: "seconds", src: "2026-01-05T09:30:15", want: "2026-01-05T09:30:15"},
		{name: "fraction rounds up", src: "2026-01-05T23:59:59.9999", want: "2026-01-06"},
		{name: "below a second is not printed", src: "2026-01-05T00:00:00.5", want: "2026-01-05T00:00"},
		{name: "leap over", head: ny, src: "^2026-03-08T02:30", err: "tz.gap"},
		{name: "shown twice", head: ny, src: "^2026-11-01T01:30", err: "tz.overlap"},
		{name: "midnight that does not exist", head: "-", src: "premise S { calendar-system: Gregorian; tz: \"America/Santiago\" }\n@S\n^2026-09-06T00:00", err: "tz.gap"},
		{name: "its day begins at one", head: "-", src: "premise S { calendar-system: Gregorian; tz: \"America/Santiago\" }\n@S\n2026-09-06",
			tz: "America/Santiago", rng: "2026-09-01 2026-09-10", want: "2026-09-06T01:00"},
	})
}

func TestZonesOfPremises(t *testing.T) {
	runCases(t, []evalCase{
		{name: "unknown", head: "-", src: "premise P { calendar-system: Gregorian; tz: ^\"Mars/Olympus\" }\n@P\neveryDay", err: "tz.unknown"},
		{name: "empty means the run's", head: "-", src: "premise P { calendar-system: Gregorian; tz: \"\" }\n@P\nmonthStart", tz: "UTC", want: "2026-01-01"},
		{name: "offset without colon", head: "-", src: "premise P { calendar-system: Gregorian; tz: ^\"+0900\" }\n@P\neveryDay", err: "tz.offset-form"},
		{name: "Z", head: "-", src: "premise P { calendar-system: Gregorian; tz: ^\"Z\" }\n@P\neveryDay", err: "tz.offset-form"},
		{name: "offset", head: "-", src: "premise P { calendar-system: Gregorian; tz: \"+05:30\" }\n@P\nmonthStart", tz: "UTC",
			rng: "2026-01-15 2026-02-15", want: "2026-01-31T18:30"},
		{name: "name without quotes", head: "-", src: "premise P { calendar-system: Gregorian; tz: UTC }\n@P\nmonthStart", want: "2026-01-01T09:00"},
		{name: "run's zone where none is declared", head: "-", src: "premise P { calendar-system: Gregorian }\n@P\nmonthStart", tz: "Europe/Paris", want: "2026-01-01"},
		{name: "names are compared as written", head: "-",
			src: "premise A { calendar-system: Gregorian; tz: \"UTC\" }\npremise B { calendar-system: Gregorian; tz: \"Etc/UTC\"; x = everyDay }\n@A\n^everyDay & B.x", err: "align.mismatch"},
		{name: "a day that the zone skipped", head: "-", src: "premise P { calendar-system: Gregorian; tz: \"Pacific/Apia\" }\n@P\neveryDay", tz: "Pacific/Apia",
			rng: "2011-12-29 2012-01-02", want: "2011-12-29 2011-12-31 2012-01-01"},
	})
}
