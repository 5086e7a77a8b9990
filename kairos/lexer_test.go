package kairos

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// tokens gives the kinds and texts of the tokens of a source, or the error.
func tokens(src string) string {
	toks, _, err := lex(src)
	if err != nil {
		line, column := lineColumn(src, lineStarts(src), err.Span.Start)
		return fmt.Sprintf("%s@%d:%d", err.Code, line, column)
	}
	var parts []string
	for _, t := range toks[:len(toks)-1] {
		text := src[t.start:t.end]
		if t.kind.String() == text {
			parts = append(parts, text)
		} else {
			parts = append(parts, fmt.Sprintf("%s(%s)", t.kind, text))
		}
	}
	return strings.Join(parts, " ")
}

func TestLex(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"", ""},
		{" \t\r", ""},
		{"a b1 日本 ー々 é", "name(a) name(b1) name(日本) name(ー々) name(é)"},
		{"a_b", "name(a) _ name(b)"},
		{"calendar-system calendar-systems calendar -system", "name(calendar-system) name(calendar-system) name(s) name(calendar) - name(system)"},
		{"|>..==!=<=>==>", "|> .. == != <= >= =>"},
		{"()[]{},:?@|&\\=<>+-*/._;", "( ) [ ] { } , : ? @ | & \\ = < > + - * / . _ ;"},
		{"1 0.5 1. .5 1e0 2026..2027", "number(1) number(0.5) number(1) . . number(5) number(1) name(e0) number(2026) .. number(2027)"},
		{"1d 1.5h 30m5h 5min 1w 1day 1h.5m", "width(1d) width(1.5h) width(30m5h) width(5m) name(in) number(1) name(w) width(1d) name(ay) width(1h) . width(5m)"},
		{"2026-01-05 2026-1-05 2026-01-011", "date(2026-01-05) number(2026) - number(1) - number(05) date(2026-01-01) number(1)"},
		{"2026-01-05T09:00 2026-01-05T09:00:30 2026-01-05T09:00:30.25Z", "date(2026-01-05T09:00) date(2026-01-05T09:00:30) date(2026-01-05T09:00:30.25) name(Z)"},
		{"2026-01-05T9:00", "date(2026-01-05) name(T9) : number(00)"},
		{"T09:30 T09:30:15 T09:30:15.5 T12 T7:00 T123:00", "time(T09:30) time(T09:30:15) time(T09:30:15.5) name(T12) name(T7) : number(00) name(T123) : number(00)"},
		{"T09:30:5 T09:30:15.x 10:30", "time(T09:30) : number(5) time(T09:30:15) . name(x) number(10) : number(30)"},
		{`"a # b\" "" "日"`, `string("a # b\") string("") string("日")`},
		{"2000-02-29 0000-02-29 1900-03-01", "date(2000-02-29) date(0000-02-29) date(1900-03-01)"},
		{"a#b\nc", "name(a) newline(#b\n) name(c)"},
		{"a\n\n# x\n\nb", "name(a) newline(\n) name(b)"},
		{"(a\n[\n)\n]\n)\n", "( name(a) [ ) ] newline(\n) ) newline(\n)"},
		{"{\n}", "{ newline(\n) }"},

		{`a "b`, "lex.string-unclosed@1:3"},
		{"\"b\n\"", "lex.string-unclosed@1:1"},
		{"2026-01-05T24:00", "lex.time-range@1:1"},
		{"2026-02-30T23:60", "lex.time-range@1:1"},
		{"2026-01-05T23:59:60.5", "lex.time-range@1:1"},
		{"\n T25:00", "lex.time-range@2:2"},
		{"2026-02-30T23:59", "lex.date-not-real@1:1"},
		{"1900-02-29", "lex.date-not-real@1:1"},
		{"2026-13-01", "lex.date-not-real@1:1"},
		{"2026-01-00", "lex.date-not-real@1:1"},
		{"x 1d12h", "lex.width-mixed@1:3"},
		{"2026-01-05T09:0", "lex.time-malformed@1:11"},
		{"T07:x", "lex.time-malformed@1:1"},
		{"日 ¥", "lex.yen-sign@1:3"},
		{"a !b", "lex.unknown-char@1:3"},
		{"a\u3000b", "lex.unknown-char@1:2"},
		{"\uFEFFa", "lex.unknown-char@1:1"},
		{"a\u0304", "lex.unknown-char@1:2"},
		{"〇", "lex.unknown-char@1:1"},
		{`"𠮷" a𠮷`, "lex.unknown-char@1:7"},
		{"a\xff", `lex.unknown-char@1:2`},
		{"# \xc3\n", `lex.unknown-char@1:3`},
		{"\"\uFFFD\xe3\x81\"", `lex.unknown-char@1:3`},
		{"\uFFFD", "lex.unknown-char@1:1"},
		{"a\x00", "lex.unknown-char@1:2"},
	} {
		if got := tokens(c.src); got != c.want {
			t.Errorf("%q: %s, want %s", c.src, got, c.want)
		}
	}
}

func TestLexComments(t *testing.T) {
	_, comments, err := lex("# one\r\na # two\n\"#\"\n#\n# last")
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, c := range comments {
		texts = append(texts, fmt.Sprintf("%d-%d %q", c.Span.Start, c.Span.End, c.Text))
	}
	want := `0-6 "# one\r", 9-14 "# two", 19-20 "#", 21-27 "# last"`
	if got := strings.Join(texts, ", "); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Where a line ends in a comment, what is missing there is missing before the comment.
func TestLexLineStop(t *testing.T) {
	for src, want := range map[string]string{
		"a + # c":        "parse.expression-expected@1:5",
		"a + # c\n":      "parse.expression-expected@1:5",
		"a +\n# c\n":     "parse.expression-expected@1:4",
		"(a # c\n":       "parse.token-expected@2:1",
		"(a\n  # c":      "parse.token-expected@2:3",
		"x = [1,\n\"\":": "parse.token-expected@2:3",
	} {
		if got := show(src); got != want {
			t.Errorf("%q: %s, want %s", src, got, want)
		}
	}
}

func TestClockOf(t *testing.T) {
	for s, want := range map[string]int64{
		"T00:00":                                0,
		"T09:30":                                34_200_000,
		"T09:30:15":                             34_215_000,
		"T00:00:00.5":                           500,
		"T00:00:01.0004":                        1000,
		"T00:00:01.0006":                        1001,
		"T00:00:59.9999":                        60_000,
		"T23:59:59.9999":                        86_400_000,
		"T00:00:59.9999999":                     60_000,
		"T00:00:59." + strings.Repeat("9", 400): 60_000,
	} {
		if got := clockOf(s); got != want {
			t.Errorf("%s: %d, want %d", s, got, want)
		}
	}
}

func TestWidthOf(t *testing.T) {
	for s, want := range map[string]string{
		"7d":                              "true 7",
		"1d1.5d":                          "true 2.5",
		"1h30m":                           "false 5.4e+06",
		"24h39m35.244s":                   "false 8.8775244e+07",
		"0.1s":                            "false 100",
		"5m1h5m":                          "false 4.2e+06",
		strings.Repeat("9", 400) + "d":    "true +Inf",
		strings.Repeat("0", 400) + "1h":   "false 3.6e+06",
		"1h" + strings.Repeat("1m", 1000): "false 6.36e+07",
	} {
		civil, amount := widthOf(s)
		if got := fmt.Sprint(civil, " ", amount); got != want {
			t.Errorf("%s: %s, want %s", s, got, want)
		}
	}
	if n := parseNumber(strings.Repeat("9", 400)); !math.IsInf(n, 1) {
		t.Errorf("400 nines are %v, want infinity", n)
	}
}
