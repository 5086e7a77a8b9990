package token

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Folded is a text made ready for substring matching: invisible characters left out, typographic quotes and hyphens made
// plain, every run of white space one space and, when asked, case folded (Unicode's simple folding). It remembers
// where each of its bytes came from.
type Folded struct {
	Text string
	from []int32 // for each byte of Text its byte offset in the raw text, and one more for the end; nil: the same
}

// Fold makes a text ready. Texts are bounded by the caller (an answer has at most a few MiB).
func Fold(s string, foldCase bool) Folded {
	if plain(s, foldCase) {
		return Folded{Text: s}
	}
	var b strings.Builder
	b.Grow(len(s))
	from := make([]int32, 0, len(s)+1)
	gap := false
	put := func(r rune, at int) {
		n := b.Len()
		b.WriteRune(r)
		for range b.Len() - n {
			from = append(from, int32(at))
		}
	}
	for i, r := range s {
		switch {
		case Invisible(r):
			continue
		case space(r):
			if !gap {
				put(' ', i)
			}
			gap = true
			continue
		case foldCase:
			put(foldRune(typographic(r)), i)
		default:
			put(typographic(r), i)
		}
		gap = false
	}
	return Folded{Text: b.String(), from: append(from, int32(len(s)))}
}

// plain reports whether folding would change nothing.
func plain(s string, foldCase bool) bool {
	gap := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= utf8.RuneSelf || c < ' ' || c == 0x7f || foldCase && 'A' <= c && c <= 'Z' || c == ' ' && gap {
			return false
		}
		gap = c == ' '
	}
	return true
}

// typographic makes the quotes and hyphens that word processors and models write plain.
func typographic(r rune) rune {
	switch r {
	case '‘', '’', 'ʼ', '‛', '´':
		return '\''
	case '“', '”', '‟':
		return '"'
	case '‐', '‑':
		return '-'
	}
	return r
}

// foldRune gives one representative of a rune's case variants.
func foldRune(r rune) rune {
	if r < utf8.RuneSelf {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}
	low := r
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		low = min(low, f)
	}
	// An ASCII letter in the cycle (the Kelvin sign's K) is represented by its lower case, as above.
	if 'A' <= low && low <= 'Z' {
		low += 'a' - 'A'
	}
	return low
}

// Plain makes a text ready for patterns and whole comparison: invisible characters left out, every line break a line feed,
// every other Unicode space character a plain space (tabs stay), and nothing at either end that shows nothing.
func Plain(s string) Folded {
	whole := TrimSpan(s, Span{0, len(s)})
	var b strings.Builder
	b.Grow(whole.End - whole.Start)
	from := make([]int32, 0, whole.End-whole.Start+1)
	for i := whole.Start; i < whole.End; {
		r, n := utf8.DecodeRuneInString(s[i:])
		at := b.Len()
		switch brk := lineEnd(s, i); {
		case brk > 0:
			b.WriteByte('\n')
			n = brk
		case Invisible(r):
		case unicode.Is(unicode.Zs, r):
			b.WriteByte(' ')
		default:
			b.WriteString(s[i : i+n])
		}
		for range b.Len() - at {
			from = append(from, int32(i))
		}
		i += n
	}
	return Folded{Text: b.String(), from: append(from, int32(whole.End))}
}

// Unmarked leaves out the marks of emphasis that chat models write around words (runs of * _ ` ~ with something else than a
// letter or a digit on at least one side), so that "there is **no** such" holds "there is no such". "2*12" and
// "unit_convert" stay as they are. It gives false where there is nothing to leave out.
func (f Folded) Unmarked() (Folded, bool) {
	if !strings.ContainsAny(f.Text, marks) {
		return f, false
	}
	var b strings.Builder
	b.Grow(len(f.Text))
	from := make([]int32, 0, len(f.Text)+1)
	at := func(i int) int32 {
		if f.from == nil {
			return int32(i)
		}
		return f.from[i]
	}
	for i := 0; i < len(f.Text); {
		n := len(f.Text[i:]) - len(strings.TrimLeft(f.Text[i:], marks))
		if n > 0 && !(alphanumericBefore(f.Text[:i]) && alphanumericAfter(f.Text[i+n:])) {
			i += n
			continue
		}
		for n = max(n, 1); n > 0; n-- {
			b.WriteByte(f.Text[i])
			from = append(from, at(i))
			i++
		}
	}
	return Folded{Text: b.String(), from: append(from, at(len(f.Text)))}, true
}

const marks = "*_`~"

func alphanumericBefore(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return s != "" && (unicode.IsLetter(r) || unicode.IsNumber(r))
}

func alphanumericAfter(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return s != "" && (unicode.IsLetter(r) || unicode.IsNumber(r))
}

// Raw converts a span of the folded text into one of the raw text.
func (f Folded) Raw(p Span) Span {
	if f.from == nil {
		return p
	}
	return Span{int(f.from[p.Start]), int(f.from[p.End])}
}

// Match is how a needle must stand in a text.
type Match int

const (
	Substring    Match = iota // anywhere
	WholeNumbers              // anywhere, but a needle's digits at its ends must not be part of a longer number
	WholeWords                // with no letter, digit or underscore directly before or after
)

// Index gives the first place at or after from where needle, itself folded, stands.
func (f Folded) Index(needle string, how Match, from int) (Span, bool) {
	if needle == "" {
		return Span{}, false
	}
	for at := from; at <= len(f.Text); {
		i := strings.Index(f.Text[at:], needle)
		if i < 0 {
			return Span{}, false
		}
		p := Span{at + i, at + i + len(needle)}
		if f.stands(p, how) {
			return p, true
		}
		_, n := utf8.DecodeRuneInString(f.Text[p.Start:])
		at = p.Start + n
	}
	return Span{}, false
}

// Count counts the places where needle stands, without overlaps.
func (f Folded) Count(needle string, how Match) []Span {
	var out []Span
	for at := 0; ; {
		p, ok := f.Index(needle, how, at)
		if !ok {
			return out
		}
		out = append(out, p)
		at = p.End
	}
}

func (f Folded) stands(p Span, how Match) bool {
	before, after := f.Text[:p.Start], f.Text[p.End:]
	switch how {
	case WholeWords:
		b, _ := utf8.DecodeLastRuneInString(before)
		a, _ := utf8.DecodeRuneInString(after)
		return !wordRune(b, before) && !wordRune(a, after)
	case WholeNumbers:
		needle := f.Text[p.Start:p.End]
		return (!digit(needle[0]) || !endsInNumber(before, groupOf(f.Text[p.Start:]))) && (!digit(needle[len(needle)-1]) || !continuesNumber(after))
	}
	return true
}

func wordRune(r rune, side string) bool {
	return side != "" && (unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) || r == '_')
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

// endsInNumber reports whether a number runs up to the end of s: "1", "1,", "1." before more digits, and the bare point of
// ".5". group says whether three digits follow a comma: "212,1847" is a list, "1,212" a number.
func endsInNumber(s string, group bool) bool {
	n := len(s)
	switch {
	case n == 0:
		return false
	case s[n-1] == '.' && (n == 1 || s[n-2] == ' '):
		return true
	case s[n-1] == '.':
		return digit(s[n-2])
	case s[n-1] == ',':
		return n > 1 && digit(s[n-2]) && group
	}
	return digit(s[n-1])
}

// groupOf reports whether s begins with a group of three digits and no more, as a comma would set off in a number.
func groupOf(s string) bool {
	return len(s) >= 3 && digit(s[0]) && digit(s[1]) && digit(s[2]) && (len(s) == 3 || !digit(s[3]))
}

func continuesNumber(s string) bool {
	if s == "" {
		return false
	}
	switch s[0] {
	case '.':
		return len(s) > 1 && digit(s[1])
	case ',':
		return groupOf(s[1:])
	}
	return digit(s[0])
}
