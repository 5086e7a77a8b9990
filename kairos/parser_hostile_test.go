package kairos

import (
	"fmt"
	"strings"
	"testing"
)

// hostileSources nest, or seem to, as deep as a source of a megabyte allows.
var hostileSources = []string{
	strings.Repeat("(", 1_000_000),
	strings.Repeat("[", 1_000_000),
	strings.Repeat("-", 1_000_000),
	strings.Repeat("+", 1_000_000),
	strings.Repeat("not ", 250_000),
	strings.Repeat("f(", 500_000),
	strings.Repeat("f(x: ", 200_000),
	strings.Repeat("a[", 500_000),
	strings.Repeat("x => ", 200_000),
	strings.Repeat("(a, b) => ", 100_000),
	strings.Repeat("(a, ", 250_000),
	strings.Repeat("((a, b), ", 100_000),
	strings.Repeat("a ? ", 250_000),
	strings.Repeat("a ? b : ", 125_000),
	strings.Repeat("[a] covering: ", 70_000),
	strings.Repeat("@A {", 250_000),
	strings.Repeat("day span (", 100_000),
	strings.Repeat("day span n => ", 70_000),
	"1" + strings.Repeat(" + 1", 250_000),
	"1" + strings.Repeat(" or 1", 200_000),
	"a" + strings.Repeat(" | a", 250_000),
	"a" + strings.Repeat("(1)", 300_000),
	"a" + strings.Repeat("[1]", 300_000),
	strings.Repeat("a => ", 400) + "b" + strings.Repeat("\n", 900_000) + ")",
}

func TestParseHostile(t *testing.T) {
	for _, src := range hostileSources {
		_, err := parseSource(src)
		if err == nil {
			t.Errorf("%.20q… parses", src)
			continue
		}
		want := "parse.nesting"
		if strings.HasSuffix(src, "\n)") {
			want = "parse.expression-expected"
		}
		if strings.HasPrefix(src, "(a, (a") || strings.HasPrefix(src, "((a, b), ") {
			want = "parse.token-expected"
		}
		if err.Code != want {
			t.Errorf("%.20q…: %s, want %s", src, err.Code, want)
		}
	}
}

func TestParseLimits(t *testing.T) {
	for _, c := range []struct {
		src, want string
	}{
		{strings.Repeat("(", 500) + "a" + strings.Repeat(")", 500), ""},
		{strings.Repeat("(", 501) + "a" + strings.Repeat(")", 501), "parse.nesting 500"},
		{strings.Repeat("not ", 500) + "a", ""},
		{strings.Repeat("not ", 501) + "a", "parse.nesting 2000"},
		{strings.Repeat("a ? b : ", 500) + "c", ""},
		{strings.Repeat("a ? b : ", 501) + "c", "parse.nesting 4002"},
		{strings.Repeat("@A {", 501), "parse.nesting 2000"},
		{"a" + strings.Repeat("+a", 9_999), ""},
		{"a" + strings.Repeat("+a", 10_000), "parse.nesting 20000"},
		{"a" + strings.Repeat("(a)", 9_999), ""},
		{"(a" + strings.Repeat("+a", 6_000) + ")" + strings.Repeat("|a", 6_000), "parse.nesting 20002"},
		{"a" + strings.Repeat("|>f(a)", 50_000), ""},
		{"[" + strings.Repeat("1+1,", 50_000) + "1]", ""},
		{strings.Repeat("a\n", 50_000), ""},
	} {
		got := ""
		if _, err := parseSource(c.src); err != nil {
			got = fmt.Sprint(err.Code, " ", err.Span.Start)
		}
		if got != c.want {
			t.Errorf("%.12q… of %d bytes: %q, want %q", c.src, len(c.src), got, c.want)
		}
	}
}

// A panic that is no *Error is a fault of the parser and must not pass for one of the program.
func TestParseWithPassesPanics(t *testing.T) {
	defer func() {
		if r := recover(); r != "a fault" {
			t.Errorf("recovered %v, want the panic of the parser", r)
		}
	}()
	parseWith(&parser{}, func(*parser) { panic("a fault") })
	t.Error("the panic got lost")
}
