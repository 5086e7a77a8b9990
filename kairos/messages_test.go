package kairos

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

var placeholder = regexp.MustCompile(`%\[(\d)\]v|\{(\d)[?!]`)

// placeholders gives the arguments that templates use, sorted.
func placeholders(templates ...string) []string {
	var out []string
	for _, t := range templates {
		for _, m := range placeholder.FindAllStringSubmatch(t, -1) {
			out = append(out, m[1]+m[2])
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func TestTemplates(t *testing.T) {
	seen := map[string]bool{}
	for _, area := range catalogue {
		for code, e := range area {
			if seen[code] {
				t.Errorf("%s stands twice in the catalogue", code)
			}
			seen[code] = true
			words := e.words()
			en, ja := placeholders(e.en, e.hint), placeholders(e.ja)
			for _, p := range append(en, ja...) {
				if int(p[0]-'0') > len(words) || p == "0" {
					t.Errorf("%s uses argument %s of %d", code, p, len(words))
				}
			}
			if !slices.Equal(en, ja) {
				t.Errorf("%s: English uses the arguments %v, Japanese %v", code, en, ja)
			}
			if (e.hint == "") == strings.Contains(e.ja, "（") {
				t.Errorf("%s: one language has a hint and the other has none", code)
			}
			if strings.HasSuffix(e.en, ".") || strings.HasSuffix(e.hint, ".") || strings.HasSuffix(e.ja, "。") {
				t.Errorf("%s ends with a full stop, which would stand within a line", code)
			}
			if first, _ := utf8.DecodeRuneInString(e.en); e.en == "" || unicode.IsUpper(first) {
				t.Errorf("%s: %q does not begin as the middle of a line", code, e.en)
			}
			if !strings.ContainsFunc(e.ja, func(r rune) bool { return unicode.In(r, unicode.Hiragana) }) {
				t.Errorf("%s: %q is not Japanese", code, e.ja)
			}
			optional := map[string]bool{} // the arguments that may be empty
			for _, m := range placeholder.FindAllStringSubmatch(e.en+e.hint+e.ja, -1) {
				optional[m[2]] = true
			}
			full, least := make([]string, len(words)), make([]string, len(words))
			for i := range full {
				full[i] = "X"
				if !optional[string(rune('1'+i))] {
					least[i] = "X"
				}
			}
			for _, args := range [][]string{full, least} {
				for _, template := range []string{e.en, e.hint, e.ja} {
					s := expand(template, args)
					if placeholder.MatchString(s) || strings.Contains(s, "%!") || strings.Contains(s, "  ") || strings.TrimSpace(s) != s ||
						strings.Count(s, "{") != strings.Count(s, "}") || strings.Contains(s, "（）") {
						t.Errorf("%s with %q: %q", code, args, s)
					}
				}
			}
		}
	}
}

func TestExpand(t *testing.T) {
	for _, c := range []struct {
		template string
		args     []string
		want     string
	}{
		{"a %[2]v b %[1]v", []string{"1", "2"}, "a 2 b 1"},
		{"%[1]v", []string{"%[1]v {1?x}"}, "%[1]v {1?x}"}, // what an argument holds is not expanded
		{"{1?is %[1]v}{1!is not}", []string{"x"}, "is x"},
		{"{1?is %[1]v}{1!is not}", []string{""}, "is not"},
		{"{1?a{2?b}{2!c}}{1!d{2?e}}", []string{"x", ""}, "ac"},
		{"{1?a{2?b}{2!c}}{1!d{2?e}}", []string{"", "x"}, "de"},
		{"{1?premise P { … }}", []string{"x"}, "premise P { … }"},
		{"premise { … } 50% %[", nil, "premise { … } 50% %["},
		{"%[1]v|{1?x}|{1!y}", nil, "||y"},
		{"{1?never closed", []string{"x"}, "never closed"},
	} {
		if got := expand(c.template, c.args); got != c.want {
			t.Errorf("expand(%q, %q) = %q, want %q", c.template, c.args, got, c.want)
		}
	}
}

func TestFinished(t *testing.T) {
	const src = "a\n𠮷 = b"
	e := fail(Span{7, 8}, "name.unresolved", "bizday", []string{"bizDay"}, aside{})
	for range 2 { // the second time changes nothing
		if finished(e, src) != error(e) {
			t.Error("finished gives another error")
		}
		want := "2:4: nothing is called `bizday` here (did you mean `bizDay`?) [name.unresolved]"
		if e.Error() != want || e.Class != EvalError || e.Japanese != "bizday という名前は定義されていません（「bizDay」のことですか）" {
			t.Errorf("got %q, %v, %q", e.Error(), e.Class, e.Japanese)
		}
	}
	for _, at := range []Span{{}, {-1, -1}} {
		e := fail(at, "limit.points", int64(7))
		finished(e, src)
		if want := "the evaluation makes more than 7 points and windows (use longer widths or fewer windows) [limit.points]"; e.Error() != want || e.Line != 0 || e.Column != 0 {
			t.Errorf("%v: %q at %d:%d", at, e.Error(), e.Line, e.Column)
		}
	}
	if e := fail(Span{}, "no.such\ncode", 1, 2); finished(e, "") == nil || e.Message != `an error of the code no.such\u000Acode` || e.Japanese != `コード no.such\u000Acode のエラーです` {
		t.Errorf("an unknown code: %q, %q", e.Message, e.Japanese)
	}
	if e := fail(Span{}, "name.unresolved"); finished(e, "") == nil || e.Message != "nothing is called `` here" {
		t.Errorf("without arguments: %q", e.Message)
	}
	brought := &Error{Code: "supply.missing-key", Message: "no key P.h"}
	if finished(brought, ""); brought.Message != "no key P.h" || brought.Japanese != "no key P.h" || brought.Class != SupplyError {
		t.Errorf("an error that brings its message: %+v", brought)
	}
	if plain := errors.New("x"); finished(plain, "") != plain {
		t.Error("an error of another package is changed")
	}
}

func TestClasses(t *testing.T) {
	for code, want := range map[string]Class{"lex.yen-sign": LexError, "parse.nesting": ParseError, "supply.failed": SupplyError, "ooc.window": Uncovered,
		"limit.depth": LimitError, "contract.order": EvalError, "name.unresolved": EvalError, "lexical": EvalError} {
		if got := classOf(code); got != want {
			t.Errorf("%s: %v, want %v", code, got, want)
		}
	}
}

func TestCodes(t *testing.T) {
	list := Codes()
	if !slices.IsSortedFunc(list, func(a, b Code) int { return strings.Compare(a.Code, b.Code) }) {
		t.Error("codes are not sorted")
	}
	found := map[string]Code{}
	for _, c := range list {
		found[c.Code] = c
		if placeholder.MatchString(c.Message + c.Hint) {
			t.Errorf("%s: %q, %q", c.Code, c.Message, c.Hint)
		}
	}
	for _, want := range []Code{
		{"shift.off-axis", EvalError, "`shift` cannot move TIME, which is no point of `NAME`",
			"bring all points onto it first, with roll(Following, on: NAME) or filter(on: NAME); points since 1970 count too"},
		{"name.unresolved", EvalError, "nothing is called `NAME` here", "did you mean NEAR?"},
		{"parse.token-expected", ParseError, "EXPECTED is expected here, not FOUND", ""},
		{"ooc.window", Uncovered, "the window that begins at TIME is not fully known, since SOURCE covers only COVERING",
			"widen the `covering:` of the data, or ask within a filter, which leaves such points out"},
	} {
		if found[want.Code] != want {
			t.Errorf("got %+v\nwant %+v", found[want.Code], want)
		}
	}
}

func TestWarningTexts(t *testing.T) {
	for _, c := range []struct {
		code   string
		args   []any
		en, ja string
	}{
		{"I5", []any{"w", "2026-01-05"}, "I5: the windows of w have a gap at 2026-01-05 (points in the gap belong to no window, and selectors leave them out)",
			"I5: 窓 w は連続でない（2026-01-05 付近）"},
		{"horizon-clip", []any{clipHorizon, "shift", "2026-01-05"},
			"horizon-clip: shift 2026-01-05 (the point is left out, since it would go beyond what is computed, from 1970 to 400 days after the range)",
			"horizon-clip: shift 2026-01-05（計算範囲 to+400日 の実体化地平線——言語の地平線ではない。ADR-37 判断 8）"},
		{"horizon-clip", []any{clipTail, "takeLast", "2026-01-05"},
			"horizon-clip: takeLast until 2026-01-05 (points are computed up to 400 days after the range only; they are counted back from the last of those)",
			"horizon-clip: takeLast until 2026-01-05（計算範囲 to+400日 の実体化地平線——実体化済みの末尾から数える。言語の地平線ではない。ADR-37 判断 8）"},
		{"horizon-clip", []any{clipFew, "takeLast", "2026-01-05", int64(5), int64(3)},
			"horizon-clip: takeLast 2026-01-05 (only 3 of 5 points, since no point is computed before 1970)",
			"horizon-clip: takeLast 2026-01-05（実体化下限で切れ——n=5 個中 3 個のみ。紀元は tz 相対・言語の地平線ではない。ADR-37 判断 8・F107）"},
		{"horizon-clip", []any{clipFloor, "snapTo", "1970-01-01"},
			"horizon-clip: snapTo 1970-01-01 (the point is left out, since its windows begin with 1970-01-01 of their zone only)",
			"horizon-clip: snapTo 1970-01-01（対象窓列の実体化下限より前——紀元は tz 相対・言語の地平線ではない。ADR-37 判断 8・F107）"},
		{"horizon-clip", []any{clipFloor, "shift", "1970-01-01"},
			"horizon-clip: shift 1970-01-01 (the point is left out, since its windows begin with 1970-01-01 of their zone only)",
			"horizon-clip: shift 1970-01-01（単位窓列の実体化下限より前——紀元は tz 相対・言語の地平線ではない。ADR-37 判断 8・F107）"},
	} {
		en, ja := warningText(c.code, c.args...)
		if en != c.en || ja != c.ja {
			t.Errorf("%v:\n%s\n%s\nwant\n%s\n%s", c.args, en, ja, c.en, c.ja)
		}
	}
}

// failure evaluates a program over January 2026 and gives its error.
func failure(t *testing.T, src string, o Options) *Error {
	t.Helper()
	p, err := Compile(src)
	if err == nil {
		_, err = p.Eval(context.Background(), Range{Date{2026, 1, 1}, Date{2026, 2, 1}}, o)
	}
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("%q gives %v and no *Error", src, err)
	}
	return e
}
