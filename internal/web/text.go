package web

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/assaybench/assay/premise"
	"github.com/assaybench/assay/record"
)

// marksMost is how many combining marks in a row are let through, so that a stack of them cannot cover what is beside it.
const marksMost = 3

// visible writes out what a reader of a text could not see: control characters by their picture, invisible and bidi marks by
// their code point, and bytes that are no UTF-8 by their value. Line ends and tabs stay what they are.
func visible(s string) string {
	if plainText(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + len(s)/16)
	marks := 0
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			fmt.Fprintf(&b, "⟦%02X⟧", s[i])
			i, marks = i+1, 0
			continue
		}
		i += n
		if unicode.Is(unicode.Mn, r) {
			marks++
		} else {
			marks = 0
		}
		switch {
		case r == '\n' || r == '\t' || r == ' ':
			b.WriteRune(r)
		case r == '\r' && strings.HasPrefix(s[i:], "\n"):
			b.WriteString("␍") // the line end itself follows
		case r < 0x20:
			b.WriteRune(0x2400 + r)
		case r == 0x7f:
			b.WriteRune('␡')
		case marks > marksMost || !unicode.IsPrint(r):
			fmt.Fprintf(&b, "⟦U+%04X⟧", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// plainText says whether a text is made of what an ASCII terminal shows, which most is and which is decided quickly.
func plainText(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= 0x7f || c < 0x20 && c != '\n' && c != '\t' {
			return false
		}
	}
	return true
}

// count writes a number with its noun.
func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return thousands(int64(n)) + " " + noun
}

func thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// size writes a number of bytes.
func size(n int64) string {
	switch {
	case n >= 10<<20:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 10<<10:
		return fmt.Sprintf("%d KiB", n>>10)
	case n == 1:
		return "1 byte"
	}
	return thousands(n) + " bytes"
}

// seconds writes nanoseconds; "" for none.
func seconds(ns int64) string {
	switch d := time.Duration(ns); {
	case ns <= 0:
		return ""
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < 100*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	default:
		return d.Round(time.Second).String()
	}
}

func percent(v float64) string { return fmt.Sprintf("%.1f %%", 100*v) }

// letterClass names a letter's colours in the style sheet.
func letterClass(l record.Letter) string {
	switch l {
	case record.LetterPass:
		return "pass"
	case record.LetterWrong, record.LetterSilent, record.LetterDeclaredWrong, record.LetterUndeclaredWrong:
		return "wrong"
	case record.LetterMissing:
		return "missing"
	case record.LetterUndelivered, record.LetterError, record.LetterUngradable:
		return "ours"
	}
	return "cut"
}

// meaning says a letter in words.
func meaning(l record.Letter) string {
	switch l {
	case record.LetterPass:
		return "passed"
	case record.LetterWrong:
		return "wrong"
	case record.LetterUnread:
		return "unread: not as the item asked for it"
	case record.LetterTimeout:
		return "timed out"
	case record.LetterTruncated:
		return "cut off at a limit"
	case record.LetterRefused:
		return "refused"
	case record.LetterUndelivered:
		return "undelivered: the prompt did not reach the model whole"
	case record.LetterError:
		return "error of ours or the provider's"
	case record.LetterMissing:
		return "not made yet"
	case record.LetterUngradable:
		return "not graded"
	}
	if m := premise.MeaningOf(l); m != "" {
		return m
	}
	return "letter " + string(l)
}

// letters are all that an attempt of a shape can have, in the order of the filter.
func letters(shape string) []record.Letter {
	out := []record.Letter{record.LetterPass, record.LetterWrong, record.LetterUnread}
	if shape == "premise" {
		out = []record.Letter{record.LetterPass, record.LetterSilent, record.LetterDeclaredWrong, record.LetterUndeclaredWrong, record.LetterInvalid}
	}
	return append(out, record.LetterTruncated, record.LetterTimeout, record.LetterRefused, record.LetterUndelivered, record.LetterError, record.LetterUngradable, record.LetterMissing)
}
