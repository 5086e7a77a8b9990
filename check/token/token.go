// Package token decides, for every rule, what a word, a sentence, a line and a paragraph is, and how two texts are
// compared without regard to case. Nothing else in Assay splits an answer. All spans are byte offsets into the raw
// answer, half open. docs/rules.md holds the same decisions in prose, and the tests the table of edge cases.
package token

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Span is a part of a text by byte offsets, half open.
type Span struct{ Start, End int }

// Of gives the part of s.
func (p Span) Of(s string) string { return s[p.Start:p.End] }

// Invisible reports whether a rune shows nothing and separates nothing: Unicode's default ignorable characters (zero-width
// space and joiners, byte order mark, soft hyphen, bidi marks, variation selectors, Hangul fillers, tags) and the control
// characters that are no white space. Every rule reads as if they were not there.
func Invisible(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return (r < ' ' || r == 0x7f) && !space(r)
	case r < 0x300: // the blocks of most texts, without a table
		return r <= 0x9f && r != 0x85 || r == 0xad
	case unicode.Is(unicode.Cf, r):
		// These are format characters that do show: numbers' and verses' signs, annotations, hieroglyph joiners.
		return !unicode.Is(unicode.Prepended_Concatenation_Mark, r) && (r < 0xfff9 || r > 0xfffb) && (r < 0x13430 || r > 0x1343f)
	}
	return unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// space is Unicode White_Space, which includes the no-break space.
func space(r rune) bool { return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f }

// Blank reports whether a text shows nothing at all. The empty Braille pattern shows nothing either.
func Blank(s string) bool {
	for _, r := range s {
		if !space(r) && !Invisible(r) && r != '\u2800' {
			return false
		}
	}
	return true
}

// Trim cuts white space and invisible characters off both ends.
func Trim(s string) string {
	return strings.TrimFunc(s, func(r rune) bool { return space(r) || Invisible(r) })
}

// TrimSpan is Trim on a part of s.
func TrimSpan(s string, p Span) Span {
	t := p.Of(s)
	left := len(t) - len(strings.TrimLeftFunc(t, func(r rune) bool { return space(r) || Invisible(r) }))
	p.Start += left
	p.End = p.Start + len(Trim(t))
	return p
}

// Visible gives s without its invisible characters.
func Visible(s string) string {
	return strings.Map(func(r rune) rune {
		if Invisible(r) {
			return -1
		}
		return r
	}, s)
}

// Words gives the runs of characters between white space. A run of invisible characters alone is no word.
func Words(s string) []Span {
	var out []Span
	start, seen := -1, false
	flush := func(end int) {
		if start >= 0 && seen {
			out = append(out, Span{start, end})
		}
		start, seen = -1, false
	}
	for i, r := range s {
		if space(r) {
			flush(i)
			continue
		}
		if start < 0 {
			start = i
		}
		seen = seen || !Invisible(r)
	}
	flush(len(s))
	return out
}

// lineEnd gives the length of the line break at s[i:], 0 when there is none. CR LF is one break.
func lineEnd(s string, i int) int {
	switch c := s[i]; {
	case c == '\n':
		return 1
	case c == '\r':
		if i+1 < len(s) && s[i+1] == '\n' {
			return 2
		}
		return 1
	case c != 0xe2 && c != 0xc2: // how the others begin
		return 0
	case strings.HasPrefix(s[i:], "\u2028"), strings.HasPrefix(s[i:], "\u2029"):
		return 3
	case strings.HasPrefix(s[i:], "\u0085"):
		return 2
	}
	return 0
}

// AllLines gives every line, blank ones included, without its line break. A break at the very end opens no further line.
func AllLines(s string) []Span {
	var out []Span
	start := 0
	for i := 0; i < len(s); {
		if n := lineEnd(s, i); n > 0 {
			out = append(out, Span{start, i})
			i += n
			start = i
			continue
		}
		i++
	}
	if start < len(s) {
		out = append(out, Span{start, len(s)})
	}
	return out
}

// Lines gives the lines that show something. "Blank lines are ignored before counting."
func Lines(s string) []Span {
	var out []Span
	for _, l := range AllLines(s) {
		if !Blank(l.Of(s)) {
			out = append(out, l)
		}
	}
	return out
}

// Paragraphs gives the runs of lines between blank lines.
func Paragraphs(s string) []Span {
	var out []Span
	open := false
	for _, l := range AllLines(s) {
		switch {
		case Blank(l.Of(s)):
			open = false
		case open:
			out[len(out)-1].End = l.End
		default:
			out = append(out, l)
			open = true
		}
	}
	return out
}

// Runes counts the characters (code points) of s, invisible ones left out. A line break is one, CR LF too.
func Runes(s string) int {
	n := 0
	var prev rune
	for _, r := range s {
		if !Invisible(r) && (r != '\n' || prev != '\r') {
			n++
		}
		prev = r
	}
	return n
}

// RuneOffset converts a byte offset into a count of code points.
func RuneOffset(s string, at int) int { return utf8.RuneCountInString(s[:min(at, len(s))]) }
