package token

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func texts(s string, spans []Span) []string {
	out := []string{}
	for _, p := range spans {
		out = append(out, p.Of(s))
	}
	return out
}

func TestSentences(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     []string
		rest     string
	}{
		{"two", "Boats bob. Bells ring!", []string{"Boats bob.", "Bells ring!"}, ""},
		{"three full stops are one end", "Wait... Now.", []string{"Wait...", "Now."}, ""},
		{"the ellipsis character", "Wait… Now.", []string{"Wait…", "Now."}, ""},
		{"spaced full stops are one end", "Wait. . . Now.", []string{"Wait. . .", "Now."}, ""},
		{"question and exclamation", "Really?! Yes!!!", []string{"Really?!", "Yes!!!"}, ""},
		{"interrobang characters", "Really⁈ Yes‼", []string{"Really⁈", "Yes‼"}, ""},
		{"a number with a point", "It costs 48.20 today. Fine.", []string{"It costs 48.20 today.", "Fine."}, ""},
		{"a version with points", "Version 1.2.3 is out.", []string{"Version 1.2.3 is out."}, ""},
		{"a number ends a sentence", "We saw 15. Then 16.", []string{"We saw 15.", "Then 16."}, ""},
		{"a point before digits only", "It was .5 high.", []string{"It was .", "5 high."}, ""},
		{"a full-width number", "值３．５。", []string{"值３．５。"}, ""},
		{"abbreviations end sentences as the wording says", "See e.g. this.", []string{"See e.", "g.", "this."}, ""},
		{"no white space after", "One.Two.", []string{"One.", "Two."}, ""},
		{"CJK", "今日は。はい！そう？", []string{"今日は。", "はい！", "そう？"}, ""},
		{"half-width CJK and full-width stop", "はい｡そう．", []string{"はい｡", "そう．"}, ""},
		{"CR LF inside a sentence", "One\r\ntwo. Three.\r\n", []string{"One\r\ntwo.", "Three."}, ""},
		{"lone CR", "One.\rTwo.", []string{"One.", "Two."}, ""},
		{"no-break space", "One.\u00a0Two.", []string{"One.", "Two."}, ""},
		{"zero-width space behind the end", "One.\u200b Two.\u200b", []string{"One.\u200b", "Two.\u200b"}, ""},
		{"zero-width space inside a decimal", "It is 4\u200b.5 high.", []string{"It is 4\u200b.5 high."}, ""},
		{"line separator", "One.\u2028Two.", []string{"One.", "Two."}, ""},
		{"straight quotes around", `"One." "Two."`, []string{`"One."`, `"Two."`}, ""},
		{"curly quotes around", "“One.” ‘Two.’", []string{"“One.”", "‘Two.’"}, ""},
		{"guillemets with spaces", "« Un. » Deux.", []string{"« Un.", "» Deux."}, ""},
		{"guillemets with spaces at the end", "« Un. »", []string{"« Un. »"}, ""},
		{"bold", "**One.** _Two._", []string{"**One.**", "_Two._"}, ""},
		{"brackets", "(One.) [Two.]", []string{"(One.)", "[Two.]"}, ""},
		{"rest", "One. And then", []string{"One."}, "And then"},
		{"a lone sign is a rest", "One. ☺", []string{"One."}, "☺"},
		{"no end at all", "One", []string{}, "One"},
		{"only marks", "...", []string{}, "..."},
		{"only a bracket", ")", []string{}, ")"},
		{"marks first", "... One.", []string{"... One."}, ""},
		{"marks between dashes", "One. - . Two.", []string{"One. - .", "Two."}, ""},
		{"empty", "", []string{}, ""},
		{"white space", " \n\t", []string{}, ""},
		{"leading blank line", "\n\nOne.", []string{"One."}, ""},
	} {
		got, rest := Sentences(c.in)
		if !slices.Equal(texts(c.in, got), c.want) || rest.Of(c.in) != c.rest {
			t.Errorf("%s: Sentences(%q) = %q, rest %q; want %q, rest %q", c.name, c.in, texts(c.in, got), rest.Of(c.in), c.want, c.rest)
		}
	}
}

func TestWords(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     []string
	}{
		{"plain", "one two  three", []string{"one", "two", "three"}},
		{"punctuation stays", "one, two - three.", []string{"one,", "two", "-", "three."}},
		{"no-break space separates", "one\u00a0two", []string{"one", "two"}},
		{"ideographic space separates", "一\u3000二", []string{"一", "二"}},
		{"zero-width space does not", "one\u200btwo", []string{"one\u200btwo"}},
		{"zero-width alone is no word", "one \u200b two", []string{"one", "two"}},
		{"soft hyphen does not", "lan\u00adtern", []string{"lan\u00adtern"}},
		{"CR LF and tabs", "one\r\ntwo\tthree\vfour", []string{"one", "two", "three", "four"}},
		{"line separator", "one\u2028two\u0085three", []string{"one", "two", "three"}},
		{"CJK is one run", "今日は晴れ", []string{"今日は晴れ"}},
		{"empty", "", []string{}},
		{"blank", "\u00a0\n", []string{}},
	} {
		if got := texts(c.in, Words(c.in)); !slices.Equal(got, c.want) {
			t.Errorf("%s: Words(%q) = %q, want %q", c.name, c.in, got, c.want)
		}
	}
}

func TestLinesAndParagraphs(t *testing.T) {
	for _, c := range []struct {
		name, in               string
		all, lines, paragraphs []string
	}{
		{"LF", "a\nb\n", []string{"a", "b"}, []string{"a", "b"}, []string{"a\nb"}},
		{"CR LF", "a\r\nb\r\n", []string{"a", "b"}, []string{"a", "b"}, []string{"a\r\nb"}},
		{"lone CR", "a\rb", []string{"a", "b"}, []string{"a", "b"}, []string{"a\rb"}},
		{"mixed", "a\r\n\rb", []string{"a", "", "b"}, []string{"a", "b"}, []string{"a", "b"}},
		{"U+2028, U+2029, U+0085", "a\u2028b\u2029c\u0085d", []string{"a", "b", "c", "d"}, []string{"a", "b", "c", "d"}, []string{"a\u2028b\u2029c\u0085d"}},
		{"no break at vertical tab", "a\vb\fc", []string{"a\vb\fc"}, []string{"a\vb\fc"}, []string{"a\vb\fc"}},
		{"blank first line", "\na\n\nb", []string{"", "a", "", "b"}, []string{"a", "b"}, []string{"a", "b"}},
		{"several blank lines", "a\n\n \n\t\nb", []string{"a", "", " ", "\t", "b"}, []string{"a", "b"}, []string{"a", "b"}},
		{"a zero-width line is blank", "a\n\u200b\nb", []string{"a", "\u200b", "b"}, []string{"a", "b"}, []string{"a", "b"}},
		{"a no-break space line is blank", "a\n\u00a0\nb", []string{"a", "\u00a0", "b"}, []string{"a", "b"}, []string{"a", "b"}},
		{"empty", "", []string{}, []string{}, []string{}},
		{"one break", "\n", []string{""}, []string{}, []string{}},
	} {
		for what, got := range map[string]struct{ got, want []string }{
			"AllLines":   {texts(c.in, AllLines(c.in)), c.all},
			"Lines":      {texts(c.in, Lines(c.in)), c.lines},
			"Paragraphs": {texts(c.in, Paragraphs(c.in)), c.paragraphs},
		} {
			if !slices.Equal(got.got, got.want) {
				t.Errorf("%s: %s(%q) = %q, want %q", c.name, what, c.in, got.got, got.want)
			}
		}
	}
}

func TestInvisibleAndBlank(t *testing.T) {
	for _, r := range []rune{0x200b, 0x200c, 0x200d, 0x2060, 0xfeff, 0xad, 0x202e, 0x034f, 0x115f, 0x3164, 0xffa0, 0xfe0f, 0xe0041, 0, 7, 0x7f, 0x9b} {
		if !Invisible(r) || !Blank(string(r)) || Visible("a"+string(r)+"b") != "ab" {
			t.Errorf("U+%04X must be invisible", r)
		}
	}
	for _, r := range []rune{' ', '\n', '\r', '\t', 0x0b, 0x1c, 0xa0, 0x85, 0x2028, 0x3000} {
		if Invisible(r) || !Blank(string(r)) {
			t.Errorf("U+%04X must be white space", r)
		}
	}
	for _, r := range []rune{'a', '-', '。', 0x0301, 0x0600, 0xfffc, utf8.RuneError, '☺'} {
		if Invisible(r) || Blank(string(r)) {
			t.Errorf("U+%04X must show", r)
		}
	}
	if !Blank("\u2800") || Invisible(0x2800) {
		t.Error("the empty Braille pattern is blank")
	}
}

func TestRunes(t *testing.T) {
	for in, want := range map[string]int{"": 0, "abc": 3, "é": 1, "e\u0301": 2, "a\u200bb": 2, "a\r\nb": 3, "a\n\rb": 4, "今日": 2, "👩‍👧": 2} {
		if got := Runes(in); got != want {
			t.Errorf("Runes(%q) = %d, want %d", in, got, want)
		}
	}
	if RuneOffset("aé今b", 6) != 3 || RuneOffset("ab", 9) != 2 {
		t.Error("RuneOffset counts code points up to the end")
	}
}

func TestHeadTailFoot(t *testing.T) {
	for _, c := range []struct{ in, head, word, sentence string }{
		{"“Boats,”", "Boats,”", "“Boats", "“Boats,"},
		{`("Bell.")`, `Bell.")`, `("Bell`, `("Bell.`},
		{"plain", "plain", "plain", "plain"},
		{"\u200b\u00a0x", "x", "\u200b\u00a0x", "\u200b\u00a0x"},
		{"**Bold.**", "**Bold.**", "**Bold", "**Bold."},
		{`"`, "", "", ""},
	} {
		p := Span{0, len(c.in)}
		if got := c.in[Head(c.in, p):]; got != c.head {
			t.Errorf("Head of %q leaves %q, want %q", c.in, got, c.head)
		}
		if got := c.in[:Tail(c.in, p)]; got != c.word {
			t.Errorf("Tail of %q leaves %q, want %q", c.in, got, c.word)
		}
		if got := c.in[:Foot(c.in, p)]; got != c.sentence {
			t.Errorf("Foot of %q leaves %q, want %q", c.in, got, c.sentence)
		}
	}
}

// checkSpans holds what every splitter owes: spans inside the text, in order, without overlaps, not blank where asked.
func checkSpans(t fataler, what, s string, spans []Span, shows bool) {
	end := 0
	for _, p := range spans {
		if p.Start < end || p.End < p.Start || p.End > len(s) {
			t.Fatalf("%s(%q): the span %v is out of order or outside (after %d)", what, s, p, end)
		}
		if shows && Trim(p.Of(s)) == "" {
			t.Fatalf("%s(%q): the span %v shows nothing", what, s, p)
		}
		end = p.End
	}
}

func checkSplitters(t fataler, s string) {
	sentences, rest := Sentences(s)
	checkSpans(t, "Sentences", s, append(slices.Clip(sentences), rest)[:len(sentences)+min(1, rest.End-rest.Start)], true)
	checkSpans(t, "Words", s, Words(s), true)
	checkSpans(t, "Lines", s, Lines(s), true)
	checkSpans(t, "AllLines", s, AllLines(s), false)
	checkSpans(t, "Paragraphs", s, Paragraphs(s), true)
	if Trim(s) != "" && len(sentences) == 0 && rest.End <= rest.Start {
		t.Fatalf("%q shows something and has neither a sentence nor a rest", s)
	}
	for _, p := range append(Words(s), sentences...) {
		for _, at := range []int{Head(s, p), Tail(s, p), Foot(s, p)} {
			if at < p.Start || at > p.End {
				t.Fatalf("%q: %d is outside %v", s, at, p)
			}
		}
	}
	// A line break of another kind is the same line break.
	if crlf := strings.ReplaceAll(s, "\n", "\r\n"); !strings.Contains(s, "\r") {
		if a, b := len(Lines(s)), len(Lines(crlf)); a != b {
			t.Fatalf("%q has %d lines, and %d with CR LF", s, a, b)
		}
		if a, b := Runes(s), Runes(crlf); a != b {
			t.Fatalf("%q has %d characters, and %d with CR LF", s, a, b)
		}
	}
}

// hostile draws texts out of the characters that decide something.
func hostile() *rapid.Generator[string] {
	return rapid.StringOf(rapid.OneOf(rapid.SampledFrom([]rune(".?!…。 \t\n\r\u00a0\u200b\ufeff\u2028\u0085\"'“”’()*_-,;:aBeKſß1234567890Ḱ｡．☺")), rapid.Rune()))
}

func TestSplittersKeepTheirWord(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkSplitters(t, hostile().Draw(t, "text")) })
}

func FuzzSplit(f *testing.F) {
	for _, s := range []string{"One. Two?! “Three…” 4.5", "a\r\nb\rc\u2028d", "\xff.\xfe", "« Un. »", ". . .", "\u200b", "B.B.B."} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		checkSplitters(t, s)
		checkFold(t, s, true)
		checkFold(t, s, false)
	})
}

// fataler is what a check needs of a test, a fuzz target or a property.
type fataler interface{ Fatalf(string, ...any) }
