package kairos

import "testing"

func TestNames(t *testing.T) {
	runCases(t, []evalCase{
		{name: "unresolved", src: "^nobody", err: "name.unresolved"},
		{name: "within a predicate", src: "everyDay |> filter(d => ^nobody(d) == 1)", err: "name.unresolved"},
		{name: "top-level", src: "x = 2026-01-09\nx", want: "2026-01-09"},
		{name: "defined after its use", src: "x = y\ny = 2026-01-09\nx", want: "2026-01-09"},
		{name: "used before it is defined", src: "^y\ny = 2026-01-09", err: "name.unresolved"},
		{name: "word of the premise before a binding", src: "monthStart = 2026-01-09\nmonthStart", want: "2026-01-01"},
		{name: "word of the premise before its calendar system", head: "-", want: "2026-01-09",
			src: "premise P { calendar-system: Gregorian; monthStart = 2026-01-09 }\n@P\nmonthStart"},
		{name: "binding before a label, in the cycle's list too", src: "Mon = Tue\neveryDay |> filter(d => weekday(d) == Mon)", rng: "2026-01-01 2026-01-10", want: "2026-01-05 2026-01-06"},
		{name: "label of a cycle of the program", src: "c = day cycle [Red, Green] anchor: 2026-01-01\neveryDay |> filter(d => c(d) == Green)", rng: "2026-01-01 2026-01-06", want: "2026-01-02 2026-01-04"},
		{name: "a label needs its cycle", src: "everyDay |> filter(d => weekday(d) == ^Red)", err: "name.unresolved"},
		{name: "a string is the label", src: "everyDay |> filter(d => weekday(d) == \"Fri\")", rng: "2026-01-01 2026-01-10", want: "2026-01-02 2026-01-09"},
		{name: "rebinding before use", src: "x = 2026-01-09\nx = 2026-01-10\nx", want: "2026-01-10"},
		{name: "rebinding after use means the new", src: "x = 2026-01-09\nx\nx = 2026-01-10\nx", want: "2026-01-10"},
		{name: "rebinding reaches what used it", src: "x = 2026-01-09\ny = x\ny\nx = 2026-01-10\ny", want: "2026-01-10"},
		{name: "qualified", src: "Fiscal.yearStart", rng: "2026-01-01 2027-01-01", want: "2026-04-01"},
		{name: "qualified of the base", src: "ISOWeek.monthEnd", want: "2026-01-31"},
		{name: "qualified unknown premise", src: "^Nobody.x", err: "premise.undefined"},
		{name: "qualified unknown word", src: "^Gregorian.decade", err: "name.qualified-undefined"},
		{name: "inherited words see the override", head: "-", rng: "2026-01-01 2027-01-01", want: "2026-10-01",
			src: "premise P = Gregorian with { year = month span (_ => 12) phase: 9 }\n@P calendar-system: P\nyearStart"},
		{name: "qualified pins the original", head: "-", rng: "2026-01-01 2027-01-01", want: "2026-01-01",
			src: "premise P = Gregorian with { year = month span (_ => 12) phase: 9 }\n@P calendar-system: P\nGregorian.yearStart"},
		{name: "two refer to each other", src: "a = b\nb = ^a\na", err: "name.binding-cycle"},
		{name: "one refers to itself", src: "a = ^a |> first\na", err: "name.binding-cycle"},
		{name: "premise words in a circle", head: "-", src: "premise P { calendar-system: Gregorian; a = b; b = ^a }\n@P\na", err: "name.binding-cycle"},
		{name: "parameters need a call", src: "f(x) = x\n^f", err: "name.needs-call"},
		{name: "no parameters is a plain binding", src: "f() = 2026-01-09\nf", want: "2026-01-09"},
		{name: "everyDay where day is no window", src: "premise P { day = 1 }\n@P\n^everyDay", err: "type.everyDay-day"},
		{name: "parameter named like a standard word", src: "everyDay |> filter(day => dayNo(day) == 9)", want: "2026-01-09"},
		{name: "axis that is a premise and a word", head: biz, src: "C = everyDay\neveryDay |> roll(Following, on: ^C)", err: "name.axis-ambiguous"},
		{name: "axis that is a calendar", head: biz, src: "([2026-01-10] covering: ..) |> roll(Following, on: C)", want: "2026-01-13"},
		{name: "axis premise without nonWorking", src: "everyDay |> roll(Following, on: ^Fiscal)", err: "entity.not-an-entity"},
	})
}

func TestCalls(t *testing.T) {
	runCases(t, []evalCase{
		{name: "definition with parameters", src: "f(a, b) = a * 10 + b\neveryDay |> filter(d => dayNo(d) == f(1, 2))", want: "2026-01-12"},
		{name: "parameter from a named argument", src: "f(a, by: b) = a * b\neveryDay |> filter(d => dayNo(d) == f(by: 7, 2))", want: "2026-01-14"},
		{name: "too few", src: "f(a, b) = a\neveryDay |> filter(d => ^f(1) == 1)", err: "args.missing"},
		{name: "too many", src: "f(a) = a\neveryDay |> filter(d => f(1, ^2) == 1)", err: "args.too-many"},
		{name: "named missing", src: "f(on: a) = a\neveryDay |> filter(d => ^f() == 1)", err: "args.named-missing"},
		{name: "unknown named", src: "f(a) = a\neveryDay |> filter(d => f(1, ^b: 2) == 1)", err: "args.unknown-named"},
		{name: "lambda value", src: "f = x => x + 1\neveryDay |> filter(d => f(dayNo(d)) == 10)", want: "2026-01-09"},
		{name: "surplus of a lambda is ignored", src: "f = x => x\neveryDay |> filter(d => f(dayNo(d), 5) == 9)", want: "2026-01-09"},
		{name: "too few for a lambda", src: "f = (x, y) => x\neveryDay |> filter(d => ^f(1) == 9)", err: "args.missing"},
		{name: "lambda in place", src: "everyDay |> filter(d => (x => x * 3)(dayNo(d)) == 27)", want: "2026-01-09"},
		{name: "higher order", src: "twice = f => x => f(f(x))\neveryDay |> filter(d => twice(x => x + 5)(dayNo(d)) == 19)", want: "2026-01-09"},
		{name: "closure keeps what was around it", src: "add = k => x => x + k\nfive = add(5)\neveryDay |> filter(d => five(dayNo(d)) == 14)", want: "2026-01-09"},
		{name: "definition as a function value", head: "-",
			src:  "premise P { calendar-system: Gregorian; plus(a) = a + 1 }\n@P\napply = f => f(8)\neveryDay |> filter(d => dayNo(d) == apply(P.plus))",
			want: "2026-01-09"},
		{name: "function that applies itself", src: "f = x => ^f(x)\neveryDay |> filter(d => f(d))", err: "name.sugar-cycle"},
		{name: "definition that calls itself", src: "f(x) = x < 1 ? 0 : ^f(x - 1)\neveryDay |> filter(d => f(3) == 0)", err: "name.sugar-cycle"},
		{name: "definitions in a circle", src: "f(x) = g(x)\ng(x) = ^f(x)\neveryDay |> filter(d => f(3) == 0)", err: "name.sugar-cycle"},
		{name: "a definition sees no name of its caller", src: "f(a) = a + ^k\ng(k) = f(1)\neveryDay |> filter(d => g(1) == 2)", err: "name.unresolved"},
		{name: "number applied", src: "everyDay |> filter(d => ^dayNo(d)(1))", err: "apply.not-applicable"},
		{name: "names of arguments do not matter to functions", src: "f = x => x\neveryDay |> filter(d => f(any: dayNo(d)) == 9)", want: "2026-01-09"},
		{name: "words of the language come first", src: "ordinalIn = 5\neveryDay", err: "premise.core-word"},
	})
}

func TestSugar(t *testing.T) {
	runCases(t, []evalCase{
		{name: "lambda", src: "firsts = s => s |> within(month) |> first\neveryDay |> firsts", want: "2026-01-01"},
		{name: "lambda called", src: "firsts = s => s |> within(month) |> first\nfirsts(everyDay)", want: "2026-01-01"},
		{name: "stages", src: "sundays = filter(d => weekday(d) == Sun) |> within(month) |> last\neveryDay |> sundays", want: "2026-01-25"},
		{name: "stages are no function", src: "sundays = ^filter(d => weekday(d) == Sun) |> first\nsundays(everyDay)", err: "name.unresolved"},
		{name: "call", src: "fridays = filter(d => weekday(d) == Fri)\neveryDay |> fridays", rng: "2026-01-01 2026-01-10", want: "2026-01-02 2026-01-09"},
		{name: "name", src: "f = within(month)\ng = f |> first\nh = g\neveryDay |> h", want: "2026-01-01"},
		{name: "parameters", src: "wd(w) = filter(d => weekday(d) == w)\neveryDay |> wd(Fri)", rng: "2026-01-01 2026-01-10", want: "2026-01-02 2026-01-09"},
		{name: "named parameter", src: "to(on: x) = roll(Following, on: x)\n([2026-01-03] covering: ..) |> to(on: weekStart)", want: "2026-01-05"},
		{name: "of a premise", head: "-", src: "premise P { calendar-system: Gregorian; last1 = within(month) |> last }\n@P\neveryDay |> last1", want: "2026-01-31"},
		{name: "a namespace that is not there", src: "x = within(month) |> first\neveryDay |> ^Nobody.x", err: "premise.undefined"},
		{name: "unknown", src: "everyDay |> ^nobody(1)", err: "name.unknown-stage"},
		{name: "local names are no stages", src: "f(g) = s => s |> ^g\neveryDay |> f(Mon)", err: "name.unknown-stage"},
		{name: "a number is no stage", src: "x = 5\neveryDay |> ^x", err: "sugar.not-transform"},
		{name: "arguments missing", src: "f(a) = filter(d => dayNo(d) == a)\neveryDay |> ^f", err: "args.missing"},
		{name: "stage that uses itself", src: "f = filter(d => 1 == 1) |> ^f\neveryDay |> f", err: "name.sugar-cycle"},
		{name: "result that is no stream", src: "f = s => ^5\neveryDay |> f", err: "value.not-stream"},
		{name: "at is a stage of the standard premises", src: "everyDay |> at(T09:30)", rng: "2026-01-30 2026-02-01", want: "2026-01-30T09:30 2026-01-31T09:30"},
	})
}
