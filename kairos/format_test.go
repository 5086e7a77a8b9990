package kairos

import (
	"strings"
	"testing"
)

var manyDates = "2026-01-01, 2026-01-12, 2026-02-11, 2026-02-23, 2026-03-20, 2026-04-29, 2026-05-03, 2026-05-04, 2026-05-05"

// formatCases are programs and their canonical layout.
var formatCases = []struct{ src, want string }{
	{"", ""},
	{"\n\n# only a comment \t\n\n\n# another", "# only a comment\n\n# another\n"},
	{"a b\n\n\n\n;c;d # e\n", "a\nb\n\nc\nd # e\n"},
	{"\r\n\r\na\r\n\t\r\n\r\nb # c\r\n", "a\n\nb # c\n"},

	// blocks
	{
		"premise P{tz:\"Z\";wkst:Mon x=1\n\n\n# about f\nf(a,on:b)=a # f\n# last\n} # end\n@P",
		"premise P {\n  tz: \"Z\"\n  wkst: Mon\n  x = 1\n\n  # about f\n  f(a, on: b) = a # f\n  # last\n} # end\n@P\n",
	},
	{"premise P { # first\n\n tz: a }", "premise P { # first\n  tz: a\n}\n"},
	{"premise P{\n\n}\npremise Q { # c\n}\npremise {tz:5}", "premise P {}\npremise Q { # c\n}\npremise {\n  tz: 5\n}\n"},
	{
		"premise P = Q with { x = 1 } |> rephase(1, on: month)\npremise R = P\n# c\n|> f |> g # d\npremise S=R with { }",
		"premise P = Q with {\n  x = 1\n} |> rephase(1, on: month)\npremise R = P\n  # c\n  |> f\n  |> g # d\npremise S = R\n",
	},
	{"@P axis:a wkst:Mon\n{x}", ""},
	{"@P axis:a source:\"{\"{x # c\n@Q{y=1}}\nz", "@P axis: a source: \"{\" {\n  x # c\n  @Q {\n    y = 1\n  }\n}\nz\n"},

	// literals
	{
		"[2026-01-05T00:00, 0075-03-01T09:30:00, T09:30:15.250, T00:00:59.9999, T23:59:59.9999, 1.50, 007, 30m5h, 2026-01-05T23:59:59.9996, \"a # b\"]",
		"[\n  2026-01-05T00:00, 0075-03-01T09:30, T09:30:15.25, T00:01, T23:59:59.9999, 1.50, 007, 30m5h,\n  2026-01-05T23:59:59.9999, \"a # b\"\n]\n",
	},

	// parentheses: only where they are needed
	{"x=((a+b))*(c*d)-(-e)", "x = (a + b) * (c * d) - -e\n"},
	{"(a == b) == (not c) and (d or e)", "(a == b) == (not c) and (d or e)\n"},
	{"not (a == b)", "not a == b\n"},
	{"(a ? b : c) ? (d ? e : f) : (g | h)", "(a ? b : c) ? d ? e : f : (g | h)\n"},
	{"(a | b) | (c | d) |> f", "a | b | (c | d) |> f\n"},
	{"((a |> f) |> g) & (day span f)", "(a |> f) |> g & day span f\n"},
	{"(f)(x)[(i)]", "f(x)[i]\n"},
	{"(d => d) + (d => d)", "(d => d) + d => d\n"},
	{"(d => d)(1) d => (d |> f)", "(d => d)(1)\nd => d |> f\n"},
	{"d => 1 < x < 3", "(d => 1 < x) < 3\n"},
	{"(a, on: b) => a\n() => b\n(a) => c\n_ => d", "(a, b) => a\n() => b\na => c\n_ => d\n"},
	{"[(a | b), (c..d)..e]", ""},
	{"[(a | b), (c)..(d => e)]", "[(a | b), c..d => e]\n"},
	{"[+1, -+-2]", "[1, --2]\n"},

	// what an open end would take
	{"x = ([a]) covering: ..", "x = ([a]) covering: ..\n"},
	{"x = (day span f) covering: ..2026", "x = (day span f) covering: ..2026\n"},
	{"x = (a | [b]) covering: ..", "x = a | ([b]) covering: ..\n"},
	{"x = ([a] covering: 2026..) + 1", "x = ([a] covering: 2026..) + 1\n"},
	{"f(([a] covering: 2026..), 3, ([b] covering: ..), c)", "f(([a] covering: 2026..), 3, [b] covering: .., c)\n"},
	{"[a] labels: [b] covering: 2026.., 2028..2029 + 1", "[a] covering: 2026.., 2028..2029 + 1 labels: [b]\n"},
	{"[a] covering: ..2026 + (d => [b]) labels: [c]", "[a] covering: ..2026 + d => ([b]) labels: [c]\n"},
	{"[a] covering: ..2026 + ([b] covering: ..), 2027..", "[a] covering: ..2026 + ([b] covering: ..), 2027..\n"},
	{"day span (n => f(n)) |> g", "day span (n => f(n)) |> g\n"},
	{"day span n => f(n) phase: (d => d) label: 2", "day span n => f(n) phase: d => d label: 2\n"},
	{"day span ((a, b) => a) x: 1", "day span ((a, b) => a) x: 1\n"},
	{"day cycle ([a]) labels: ([b]) covering: 1", "day cycle ([a]) labels: ([b]) covering: 1\n"},
	{"day cycle ([a]) x: (d => (day span f)) y: (d => (z)) span: 1", "day cycle [a] x: d => (day span f) y: (d => z) span: 1\n"},
	{"day cycle (_) or: a == (d => x) in: (1)", "day cycle (_) or: a == (d => x) in: 1\n"},
	{"day grid (f(x)) y: 1", "day grid (f(x)) y: 1\n"},
	{"day grid 7d grid: z", "day grid 7d grid: z\n"},

	// names that mean something else at some places
	{"1 + not", "1 + +not\n"},
	{"+not.x == -not |> f(not: 1)", "+not.x == -+not |> f(not: 1)\n"},
	{"(not) => x", "(not) => x\n"},
	{"(premise) |> f\n(premise) => a", "(premise) |> f\n(premise) => a\n"},
	{"+not span not (premise) grid premise", "+not span not\n(premise) grid premise\n"},
	{"1 + premise.x", "1 + (premise.x)\n"},
	{"f(T12 : 1, x ? T12 : T13) g(T12 : a, T1: b) = 1", "f(T12 : 1, x ? T12 : T13)\ng(T12 : a, T1: b) = 1\n"},
	{"f(labels: (cycle.x), labelx: cycle, g: 1) f(labels: (cycle => 1))", "f(labels: (cycle.x), labelx: cycle, g: 1)\nf(labels: (cycle => 1))\n"},
	{"f(labels: (cycle(1) + 2)) f(labels: 1 + cycle)", "f(labels: (cycle(1) + 2))\nf(labels: 1 + cycle)\n"},
	{"f(labels: cycle not anchor: a ? b : c)", "f(labels: cycle not anchor: a ? b : c)\n"},
	{"f(labels: cycle [ a,b ] anchor: 1)", "f(labels: cycle [a, b] anchor: 1)\n"},
	{"calendar - system calendar-system", "calendar - system\ncalendar-system\n"},

	// long lines
	{
		"closed = [" + manyDates + ", 2026-05-06] covering: 2026..2026",
		"closed = [\n  2026-01-01, 2026-01-12, 2026-02-11, 2026-02-23, 2026-03-20, 2026-04-29, 2026-05-03, 2026-05-04,\n  2026-05-05, 2026-05-06\n] covering: 2026..2026\n",
	},
	{
		"everyDay |> filter(d => weekday(d) == Mon) |> shift(1, unit: month) |> roll(Following, on: bizDay) |> P.first",
		"everyDay\n  |> filter(d => weekday(d) == Mon)\n  |> shift(1, unit: month)\n  |> roll(Following, on: bizDay)\n  |> P.first\n",
	},
	{
		"everyDay |> filter(d => weekday(d) == Mon) | everyDay |> filter(d => weekday(d) == Tue) \\ [2026-01-05, 2026-01-06]",
		"everyDay |> filter(d => weekday(d) == Mon)\n  | everyDay |> filter(d => weekday(d) == Tue)\n  \\ [2026-01-05, 2026-01-06]\n",
	},
	{
		"everyDay |> filter(d => weekday(d) == Mon or weekday(d) == Tue or weekday(d) == Wed or weekday(d) == Thu and dayNo(d) == 1)",
		"everyDay\n  |> filter(\n    d => weekday(d) == Mon\n      or weekday(d) == Tue\n      or weekday(d) == Wed\n      or weekday(d) == Thu and dayNo(d) == 1\n  )\n",
	},
	{
		"x = f(ordinalIn(month, year, d) == ordinalIn(month, year, e) ? ordinalIn(day, month, d) : ordinalIn(day, month, e))",
		"x = f(\n  ordinalIn(month, year, d) == ordinalIn(month, year, e)\n    ? ordinalIn(day, month, d)\n    : ordinalIn(day, month, e)\n)\n",
	},
	{
		"x = table[ordinalIn(month, year, dayOfTheMonthThatIsMeant) + ordinalIn(month, year, dayOfAnotherMonth)] + 1",
		"x = table[\n  ordinalIn(month, year, dayOfTheMonthThatIsMeant) + ordinalIn(month, year, dayOfAnotherMonth)\n] + 1\n",
	},
	{
		strings.Repeat("長", 60) + " + " + strings.Repeat("長", 60),
		strings.Repeat("長", 60) + " + " + strings.Repeat("長", 60) + "\n",
	},

	// comments within expressions
	{
		"x = [ # a\n 1, # one\n # two\n 2, 3 # three\n # end\n] covering: ..",
		"x = [\n  # a\n  1, # one\n  # two\n  2,\n  3 # three\n  # end\n] covering: ..\n",
	},
	{"f( # none\n)", "f(\n  # none\n)\n"},
	{"a # one\n |> f # two\n\n # three\n |> g(x, # four\n y) # five", "a # one\n  |> f # two\n  # three\n  |> g(\n    x, # four\n    y\n  ) # five\n"},
	{"a # one\n # two\n | # three\n b # four\n \\ (c # five\n) # six", "a # one\n  # two\n  # three\n  | b # four\n  # five\n  \\ c # six\n"},
	{"x = (a + # why\n b) * 2", "# why\nx = (a + b) * 2\n"},
	{"# lead\n\nx = (a +\n # why\n b) # end\n\n# tail", "# lead\n\n# why\nx = a + b # end\n\n# tail\n"},
	{"f(a + # why\n g(b), c)", "f(\n  # why\n  a + g(b),\n  c\n)\n"},
	{"[a] # one\n covering: .. # two\n labels: [ # three\n b]", "[a] covering: .. labels: [\n  # one\n  # two\n  # three\n  b\n]\n"},
	{"(a # one\n |> f # two\n) # three\n |> g", "# two\n(\n  a # one\n    |> f\n) # three\n  |> g\n"},
}

// formatSources are the sources of formatCases, for other tests.
var formatSources = func() []string {
	list := make([]string, len(formatCases))
	for i, c := range formatCases {
		list[i] = c.src
	}
	return list
}()

func TestFormat(t *testing.T) {
	for _, c := range formatCases {
		f, err := parseSource(c.src)
		if err != nil {
			if c.want != "" {
				t.Errorf("%q: %s %v", c.src, err.Code, err.args)
			}
			continue
		}
		if got := checkFormat(t, f); got != c.want {
			t.Errorf("%q:\n%s\nwant\n%s", c.src, got, c.want)
		}
	}
}

// A source as large and as deep as may be is formatted without trouble.
func TestFormatLarge(t *testing.T) {
	for _, src := range []string{
		strings.Repeat("(", 498) + "[a]" + strings.Repeat(")[1]", 498),
		strings.Repeat("f(", 500) + "a" + strings.Repeat(")", 500),
		strings.Repeat("f(a, ", 490) + "a # deep\n" + strings.Repeat(")", 490),
		"x = a" + strings.Repeat(" + a", 9_000),
		"f(a" + strings.Repeat(" or a", 9_000) + ")",
		"a" + strings.Repeat("(1)", 9_000),
		"a" + strings.Repeat(" | a", 9_000),
		"a" + strings.Repeat(" |> f(1) # c\n", 50_000),
		"[1" + strings.Repeat(", 1", 200_000) + "]",
		"f(1" + strings.Repeat(", 1 # c\n", 50_000) + ")",
		strings.Repeat("a\n\n# c\n", 50_000),
		"premise P {" + strings.Repeat("a = 1; ", 50_000) + "}",
	} {
		f, err := parseSource(src)
		if err != nil {
			t.Errorf("%.20q…: %s", src, err.Code)
			continue
		}
		checkFormat(t, f)
	}
}

func TestFormatShared(t *testing.T) {
	n := 0
	for _, c := range sharedCases(t) {
		f, err := parseSource(c.source)
		if err != nil {
			continue
		}
		n++
		for line := range strings.Lines(checkFormat(t, f)) {
			if strings.TrimRight(line, " \n")+"\n" != line {
				t.Errorf("%s: white space at the end of %q", c.id, line)
			}
		}
	}
	if n < 1500 {
		t.Errorf("only %d programs", n)
	}
}
