package token

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestFold(t *testing.T) {
	for _, c := range []struct{ name, in, want, exact string }{
		{"ASCII", "Hello World", "hello world", "Hello World"},
		{"Kelvin sign", "\u212aelvin", "kelvin", "\u212aelvin"},
		{"long s", "\u017ftone", "stone", "\u017ftone"},
		{"Angstrom sign", "\u212b", "\u00c5", "\u212b"},
		{"sharp s is not ss", "Straße", "straße", "Straße"},
		{"dotted capital I stands for itself", "İ", "İ", "İ"},
		{"dotless i is not i", "ı", "ı", "ı"},
		{"curly apostrophe", "Doesn’t", "doesn't", "Doesn't"},
		{"curly quotes", "“a” ‘b’", `"a" 'b'`, `"a" 'b'`},
		{"hyphen and non-breaking hyphen", "double\u2010six double\u2011six", "double-six double-six", "double-six double-six"},
		{"a dash is no hyphen", "a–b", "a–b", "a–b"},
		{"white-space runs", "a \t\r\n\u00a0 b", "a b", "a b"},
		{"invisible", "d\u200bo\u00adg\ufeff", "dog", "dog"},
		{"control", "d\x00o\x7fg", "dog", "dog"},
		{"empty", "", "", ""},
		{"only white space", "\n\n", " ", " "},
	} {
		// Case variants outside ASCII are represented by one of them; what counts is that both sides agree.
		if got := Fold(c.in, true).Text; got != Fold(c.want, true).Text {
			t.Errorf("%s: Fold(%q) = %q, want that of %q", c.name, c.in, got, c.want)
		}
		if got := Fold(c.in, false).Text; got != c.exact {
			t.Errorf("%s: Fold(%q) without case = %q, want %q", c.name, c.in, got, c.exact)
		}
	}
	for _, pair := range [][2]string{{"ß", "ss"}, {"İ", "i"}, {"ı", "i"}, {"é", "e"}, {"a", "b"}} {
		if Fold(pair[0], true).Text == Fold(pair[1], true).Text {
			t.Errorf("%q and %q fold to the same", pair[0], pair[1])
		}
	}
	for _, pair := range [][2]string{{"ẞ", "ß"}, {"Σ", "ς"}, {"Ǆ", "ǅ"}, {"К", "к"}} {
		if Fold(pair[0], true).Text != Fold(pair[1], true).Text {
			t.Errorf("%q and %q are variants of one letter", pair[0], pair[1])
		}
	}
}

func TestPlain(t *testing.T) {
	for in, want := range map[string]string{
		"  a b \n": "a b", "a\r\nb\rc\u2028d": "a\nb\nc\nd", "a\u00a0\u2009b\tc": "a  b\tc", "\u200ba\u200bb\u200b": "ab",
		"": "", " \u200b ": "", "a\n\n b": "a\n\n b", "“A”": "“A”",
	} {
		if got := Plain(in).Text; got != want {
			t.Errorf("Plain(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestIndex(t *testing.T) {
	for _, c := range []struct {
		name, in, needle string
		how              Match
		raw              string // what stands in the raw text; "" for not found
	}{
		{"substring", "The Hotdogs", "dog", Substring, "dog"},
		{"folded offsets", "x\u200bDo\u00adG!", "dog", Substring, "Do\u00adG"},
		{"Kelvin", "a \u212aing", "king", Substring, "\u212aing"},
		{"curly", "it doesn’t say", "doesn't", Substring, "doesn’t"},
		{"across white space", "no\r\n  such thing", "no such", Substring, "no\r\n  such"},
		{"absent", "cat", "dog", Substring, ""},
		{"empty needle", "cat", "", Substring, ""},

		{"number alone", "it is 212 today", "212", WholeNumbers, "212"},
		{"grouped", "1,212", "212", WholeNumbers, ""},
		{"longer behind", "2125", "212", WholeNumbers, ""},
		{"longer before", "9212", "212", WholeNumbers, ""},
		{"decimal behind", "212.5", "212", WholeNumbers, ""},
		{"grouped behind", "212,000", "212", WholeNumbers, ""},
		{"decimal before", "0.212", "212", WholeNumbers, ""},
		{"bare point before", "a .212 b", "212", WholeNumbers, ""},
		{"a unit", "212lb", "212", WholeNumbers, "212"},
		{"full stop behind", "it is 212. Yes", "212", WholeNumbers, "212"},
		{"comma behind", "212, or so", "212", WholeNumbers, "212"},
		{"comma before", "so,212", "212", WholeNumbers, "212"},
		{"second place", "2125 and 212", "212", WholeNumbers, "212"},
		{"March 3", "on March 3", "march 3", WholeNumbers, "March 3"},
		{"March 30", "on March 30", "march 3", WholeNumbers, ""},
		{"March 3rd", "on March 3rd", "march 3", WholeNumbers, "March 3"},
		{"letters have no such bound", "marches", "march", WholeNumbers, "march"},

		{"whole word", "the tide turns", "tide", WholeWords, "tide"},
		{"longer word", "the tides turn", "tide", WholeWords, ""},
		{"in hyphens", "ebb-tide-time", "tide", WholeWords, "tide"},
		{"possessive", "the tide’s end", "tide", WholeWords, "tide"},
		{"underscore", "tide_1", "tide", WholeWords, ""},
		{"digit", "tide2", "tide", WholeWords, ""},
		{"combining mark behind", "tide\u0301", "tide", WholeWords, ""},
		{"zero-width inside", "ti\u200bde", "tide", WholeWords, "ti\u200bde"},
		{"zero-width does not part words", "high\u200btide", "tide", WholeWords, ""},
		{"markdown", "**tide**", "tide", WholeWords, "tide"},
		{"at both ends", "tide", "tide", WholeWords, "tide"},
	} {
		f := Fold(c.in, true)
		p, ok := f.Index(c.needle, c.how, 0)
		if !ok {
			if c.raw != "" {
				t.Errorf("%s: %q not found in %q", c.name, c.needle, c.in)
			}
			continue
		}
		if got := f.Raw(p).Of(c.in); got != c.raw {
			t.Errorf("%s: Index(%q, %q) stands at %q, want %q", c.name, c.in, c.needle, got, c.raw)
		}
	}
	if f := Fold("tide, Tide tides TIDE", true); len(f.Count("tide", WholeWords)) != 3 || len(f.Count("tide", Substring)) != 4 {
		t.Error("Count counts whole words and substrings")
	}
	if f := Fold("aaaa", true); len(f.Count("aa", Substring)) != 2 {
		t.Error("Count counts without overlaps")
	}
}

// checkFold holds what the way back owes: spans that are inside the raw text, in order, on character boundaries.
func checkFold(t fataler, s string, foldCase bool) {
	for _, f := range []Folded{Fold(s, foldCase), Plain(s)} {
		last := 0
		for i := range f.Text {
			_, n := utf8.DecodeRuneInString(f.Text[i:])
			p := f.Raw(Span{i, i + n})
			if p.Start < last || p.End <= p.Start || p.End > len(s) {
				t.Fatalf("%q: the character at %d of %q comes from %v, after %d", s, i, f.Text, p, last)
			}
			if utf8.ValidString(s) && (!utf8.RuneStart(s[p.Start]) || p.End < len(s) && !utf8.RuneStart(s[p.End])) {
				t.Fatalf("%q: %v cuts a character", s, p)
			}
			last = p.End
		}
		if again := Fold(Fold(s, foldCase).Text, foldCase).Text; again != Fold(s, foldCase).Text {
			t.Fatalf("%q folds to %q, and that to %q", s, Fold(s, foldCase).Text, again)
		}
	}
}

func TestFoldKeepsPlaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := hostile().Draw(t, "text")
		checkFold(t, s, true)
		checkFold(t, s, false)
		f := Fold(s, true)
		needle := Fold(hostile().Draw(t, "needle"), true).Text
		for _, how := range []Match{Substring, WholeNumbers, WholeWords} {
			end := 0
			for _, p := range f.Count(needle, how) {
				if f.Text[p.Start:p.End] != needle || p.Start < end {
					t.Fatalf("Count(%q, %q) found %v", f.Text, needle, p)
				}
				end = p.End
			}
			if how == Substring && needle != "" && len(f.Count(needle, how)) != strings.Count(f.Text, needle) {
				t.Fatalf("Count(%q, %q) differs from strings.Count", f.Text, needle)
			}
		}
	})
}
