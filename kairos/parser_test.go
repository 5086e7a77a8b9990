package kairos

import (
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"", ""},
		{"\n\n# nothing\n", ""},
		{"a b\nc; d;;\n;e", "a; b; c; d; e"},

		// operators
		{"1 + 2 * 3 - -4 mod 5", "(- (+ 1 (* 2 3)) (mod (- 4) 5))"},
		{"a or b and not c == d", "(or a (and b (not (== c d))))"},
		{"not(a) == b", "(not (== a b))"},
		{"not not a and b", "(and (not (not a)) b)"},
		{"a == not b", "(== a not); b"},
		{"1 + not * 2", "(+ 1 (* not 2))"},
		{"not a or b == c", "(or (not a) (== b c))"},
		{"a in [1, 2] ? b : c ? d : e", "(if (in a [1 2]) b (if c d e))"},
		{"x ? 10:30", "(if x 10 30)"},
		{"(1 + 2) * 3 div 4 / +5", "(/ (div (* (+ 1 2) 3) 4) 5)"},
		{"a < b\n-c", "(< a b); (- c)"},
		{"a <= b + 1", "(<= a (+ b 1))"},
		{"a != b >= c", "parse.expression-expected@1:8"},
		{"or or or", "(or or or)"},

		// atoms and what follows them
		{`"x" 2026-01-05 2026-01-05T00:00 T09:30 7d 90s _`, `"x"; 2026/1/5; 2026/1/5+0; +34200000; 7days; 90000ms; _`},
		{"P.w(1, on: x)[2]", "(index (call P.w 1 on:x) 2)"},
		{"a.b + c.d..e", "parse.expression-expected@1:10"},
		{"a.b.c", "parse.expression-expected@1:2"},
		{"f\n(x)", "f; x"},
		{"(f\n(x))", "(call f x)"},
		{"f()(a b: c)", "parse.token-expected@1:7"},
		{"f(a: 1, b: 2)", "(call f a:1 b:2)"},
		{`f("(", "[", "_")`, `(call f "(" "[" "_")`},

		// lambdas
		{"d => d |> f", "{(d) (pipe d |>f)}"},
		{"_ => 1", "{(_) 1}"},
		{"() => 1", "{() 1}"},
		{"(a, on: b) => a + b", "{(a b) (+ a b)}"},
		{"(a)", "a"},
		{"(a, b)", "parse.token-expected@1:3"},
		{"(a: 1) => a", "parse.token-expected@1:3"},
		{"d => 1 < x < 3", "(< {(d) (< 1 x)} 3)"},
		{"d => x |> f + 1", "(+ {(d) (pipe x |>f)} 1)"},
		{"a == d => x |> f [3]", "(== a (index {(d) (pipe x |>f)} 3))"},

		// lists
		{"[]", "[]"},
		{"[a, 1..2, (x | y)]", "[a 1..2 (| x y)]"},
		{"[a] covering: 2026..2027, 2028-01-01.. labels: [b, c]", "[a covers 2026..2027 2028/1/1.. labels b c]"},
		{"[a]\n  labels: [b]\n\n  covering: ..", "[a covers .. labels b]"},
		{"[a] labels: []", "[a labels ]"},
		{"f([a] covering: 2026.., b)", "(call f [a covers 2026..] b)"},
		{"f([a] covering: 2026.., 3)", "parse.token-expected@1:26"},
		{"[a] covering: b..2026 + 1", "[a covers b..(+ 2026 1)]"},
		{"[a] covering: 2026", "parse.token-expected@1:19"},
		{"[a] covering: .. covering: ..", "parse.covering-twice@1:18"},
		{"[a]\nlabels: [b]\nlabels: [c]", "parse.labels-twice@3:1"},
		{"[a] labels: b", "parse.token-expected@1:13"},
		{"[a,]", "parse.expression-expected@1:4"},

		// pipes and combinators
		{"a |> f |> P.g(1) |> h()", "(pipe a |>f |>P.g(1) |>h())"},
		{"a\n# c\n\n|>\n f\n | b &\n\n c \\ d", "(\\ (& (| (pipe a |>f) b) c) d)"},
		{"(a | b) |> f", "(pipe (| a b) |>f)"},
		{"a |>", "parse.token-expected@1:5"},
		{"a || b", "parse.expression-expected@1:4"},
		{"| a", "parse.expression-expected@1:1"},
		{"a |> f(x: 1, x: 2)", "parse.duplicate-named-arg@1:14"},
		{"a |> f(1,)", "parse.expression-expected@1:10"},

		// generators
		{"day span 7d phase: 3 label: m => m", "(span day 7days phase:3 label:{(m) m})"},
		{"(day) grid f\nx: 1", "parse.expression-expected@2:2"},
		{"+day split [3, 3] x: 1 wkst: 2", "parse.expression-expected@1:28"},
		{"_ cycle _ + 1", "(cycle _ (+ _ 1) )"},
		{"day span n => f(n) |> g", "(span day {(n) (pipe (call f n) |>g)} )"},
		{"day span (f)(x)", "(span day f ); x"},
		{"day span f(x)", "(span day f ); x"},
		{"P.day span 7d", "P.day; span; 7days"},
		{"day span 7", "parse.gen-arg@1:10"},
		{"day cycle [a] labels: [b] anchor: 1", "(cycle day [a labels b] anchor:1)"},
		{"f(labels: cycle [a, b] anchor: 2026-01-05)", "(call f labels:(cycle [a b] at 2026/1/5))"},
		{"f(labels: cycle names anchor: 1, x: cycle)", "(call f labels:(cycle names at 1) x:cycle)"},
		{"f(labels: (cycle))", "(call f labels:cycle)"},
		{"f(labels: cycle 3)", "parse.cycle-labels-list@1:17"},
		{"f(labels: cycle [a], anchor: 1)", "parse.cycle-labels-comma@1:20"},
		{"f(labels: cycle [a])", "parse.cycle-labels-anchor@1:20"},

		// bindings
		{"f(a, on: b) = a", "f(a on:b) = a"},
		{"f() = 1", "f = 1"},
		{"f(a, 1)", "(call f a 1)"},
		{"f(a:) = 1", "parse.expression-expected@1:5"},
		{"x = a |> f\n  covering: 2026..", "x = (pipe a |>f) covers 2026.."},
		{"x = ([a]) covering: ..", "x = [a] covers .."},
		{"x = [a] covering: ..", "x = [a covers ..]"},
		{"x = a | [b] covering: ..", "x = (| a [b covers ..])"},
		{"x =\n1", "parse.expression-expected@1:4"},
		{"(a | a) covering: ..", "parse.expression-expected@1:17"},
		{"x = a\nlabels: [b]", "parse.expression-expected@2:7"},

		// premises
		{"premise P { tz: \"Z\"; wkst: Mon asof: 2026-01-05\n epoch: 1 x = a; f(on: b) = c covering: .. ; ; }", `premise P:{tz:"Z", wkst:Mon, asof:2026/1/5, epoch:1, x = a, f(on:b) = c covers ..}`},
		{"premise P = Q with { x = 1 }\n|> f(1) |> g", "premise P:Q{x = 1} |>f(1) |>g"},
		{"premise P = Q\nwith", "premise P:Q{}; with"},
		{"premise { tz: a; x = 1 }", "premise{tz:a, x = 1}"},
		{"premise P {}", "premise P:{}"},
		{"premise P\n{}", "parse.token-expected@1:10"},
		{"premise P = Q |>\n f", "parse.token-expected@1:17"},
		{"premise 1", "parse.token-expected@1:9"},
		{"premise P { timezone: a }", "parse.token-expected@1:21"},
		{"premise P { tz: (a) }", "parse.member-value@1:17"},
		{"premise P { f(1) = 2 }", "parse.params-expected@1:14"},
		{"premise P { 1 }", "parse.token-expected@1:13"},
		{"premise P { a = 1", "parse.token-expected@1:18"},
		{"1 + premise", "(+ 1 premise)"},
		{"@P", "@P{}"},
		{"@P tz: a wkst: b\nx", "@P{tz:a, wkst:b}; x"},
		{"@P axis: a { x = 1\n @Q { y } z }", "@P{axis:a}{x = 1; @Q{}{y}; z}"},
		{"@P { x; }", "parse.expression-expected@1:7"},
		{"@P\n{ x }", "parse.expression-expected@2:1"},
		{"@P { x", "parse.expression-expected@1:7"},
		{"@1", "parse.token-expected@1:2"},
		{"; a", "parse.expression-expected@1:1"},
		{`a = ""; : `, "parse.expression-expected@1:9"},
		{`tz: ""`, "parse.expression-expected@1:3"},
		{`f(a "")`, "parse.token-expected@1:5"},
		{`f(a "b")`, "parse.token-expected@1:5"},

		// a fault in the tokens wins over any in the grammar
		{") ) )\n2026-02-30", "lex.date-not-real@2:1"},
	} {
		if got := show(c.src); got != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.src, got, c.want)
		}
	}
}

func TestParseSpans(t *testing.T) {
	src := "premise P = Q with {\n  tz: a\n  f(x) = (x + 1) # c\n} |> g(1)\n\n  x = (a) |> f # c\n  | b\n@P { c }"
	f, err := parseSource(src)
	if err != nil {
		t.Fatal(err.Code)
	}
	at := func(s Span) string { return src[s.Start:s.End] }
	d := f.Stmts[0].(*PremiseDef)
	b := f.Stmts[1].(*Binding)
	u := b.Value.(*Combine)
	for _, c := range []struct{ got, want string }{
		{at(d.BaseSpan), "Q"},
		{at(d.Members[0].Span), "tz: a"},
		{at(d.Defs[0].Span), "f(x) = (x + 1)"},
		{at(d.Defs[0].NameSpan), "f"},
		{at(d.Defs[0].Value.Span()), "x + 1"},
		{at(d.Stages[0].Span), "g(1)"},
		{at(d.Stages[0].Args[0].Span), "1"},
		{at(d.Span), src[:strings.Index(src, "\n\n")]},
		{at(b.Span), "x = (a) |> f # c\n  | b"},
		{at(u.L.Span()), "(a) |> f"},
		{at(u.R.Span()), "b"},
		{at(u.L.(*Pipe).Stages[0].Span), "f"},
		{at(f.Stmts[2].(*Preamble).Span), "@P { c }"},
	} {
		if c.got != c.want {
			t.Errorf("a span covers %q, want %q", c.got, c.want)
		}
	}
	checkSpans(t, f)
}

func TestParseCovering(t *testing.T) {
	for s, want := range map[string]string{
		"2026..2026":                            "2026..2026",
		"2026-01-01..":                          "2026/1/1..",
		"..":                                    "..",
		"2026..2026, 2028-01-01..2028-03-31":    "2026..2026 2028/1/1..2028/3/31",
		"\n ..2026, .. # open\n":                "..2026 ..",
		"2026..2026,\n2028..":                   "none",
		"(a)..2026 + 1":                         "a..(+ 2026 1)",
		"":                                      "none",
		"2026":                                  "none",
		"2026..2026,":                           "none",
		"2026..2026, a":                         "none",
		"2026..2026 2027":                       "none",
		"2026..a":                               "none",
		"2026-02-30..":                          "none",
		"..\x00":                                "none",
		".." + strings.Repeat(" ", MaxSource):   "none",
		strings.Repeat("(", 501) + "1) .. 2026": "none",
	} {
		got := "none"
		if list, ok := parseCovering(s); ok {
			got = showAll(list, " ", showRange)
		}
		if got != want {
			t.Errorf("%.40q: %s, want %s", s, got, want)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	src := `premise TSE {
  calendar-system: Gregorian
  tz: "Asia/Tokyo"
  source: "example.com/calendar"
  asof: 2026-01-05
  nonWorking = satSun | closed
}
premise JP { calendar-system: Gregorian; calendar: TSE; tz: "Asia/Tokyo"; wkst: Mon }
@JP
closed = [2026-01-01, 2026-01-12, 2026-02-11, 2026-02-23, 2026-03-20, 2026-04-29, 2026-05-03, 2026-05-04, 2026-05-05,
  2026-05-06, 2026-07-20, 2026-08-11, 2026-09-21, 2026-09-22, 2026-09-23, 2026-10-12] covering: 2026..2026
satSun = everyDay |> filter(d => weekday(d) == Sat or weekday(d) == Sun)
`
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := parseSource(src); err != nil {
			b.Fatal(err)
		}
	}
}
