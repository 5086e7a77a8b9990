package token

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// terminator: "a run of . ? ! ends one sentence"; the ellipsis and the full-width marks are the same marks written as one
// character.
func terminator(r rune) bool {
	switch r {
	case '.', '?', '!', '…', '。', '？', '！', '．', '｡', '⁇', '⁈', '⁉', '‼':
		return true
	}
	return false
}

// closer is what may stand between a terminator and the white space after it and still belongs to the sentence.
func closer(r rune) bool {
	return strings.ContainsRune("\"'”’»)]}*_", r) || unicode.Is(unicode.Pe, r) || unicode.Is(unicode.Pf, r)
}

// opener is what may stand before a sentence's or a word's first letter without being it.
func opener(r rune) bool {
	return strings.ContainsRune("\"'“‘«([{", r) || unicode.Is(unicode.Ps, r) || unicode.Is(unicode.Pi, r)
}

// Sentences gives the sentences and, when some text after the last terminator shows something, that rest (a fault for
// rules about sentences; empty otherwise).
//
// A run of terminators ends one sentence, so an ellipsis or "?!" ends one, not three or two. A point with a digit on each
// side is a decimal point and ends nothing. Line breaks are white space. A run of marks with no letter and no digit before
// it belongs to the sentence before (". . ." is one end), or opens the next one where there is none before. Closing quotes
// and brackets belong to the sentence before them.
func Sentences(s string) (sentences []Span, rest Span) {
	start, content := -1, false
	var prev rune
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case terminator(r) && !decimalPoint(s, i, n, prev):
			end := sentenceEnd(s, i)
			switch {
			case content:
				sentences = append(sentences, Span{start, end})
				start, content = -1, false
			case len(sentences) > 0:
				sentences[len(sentences)-1].End = end
				start = -1
			case start < 0:
				start = i // marks before any sentence open the first
			}
			prev, _ = utf8.DecodeLastRuneInString(s[:end])
			i = end
			continue
		case space(r) || Invisible(r):
		default:
			if start < 0 {
				start = i
			}
			content = content || unicode.IsLetter(r) || unicode.IsNumber(r)
		}
		if !Invisible(r) {
			prev = r
		}
		i += n
	}
	if start >= 0 {
		rest = TrimSpan(s, Span{start, len(s)})
		if len(sentences) > 0 && onlyClosers(rest.Of(s)) { // « Enough. »
			sentences[len(sentences)-1].End, rest = rest.End, Span{}
		}
	}
	return sentences, rest
}

func onlyClosers(s string) bool {
	return strings.TrimFunc(s, func(r rune) bool { return closer(r) || space(r) || Invisible(r) }) == ""
}

func decimalPoint(s string, i, n int, prev rune) bool {
	if mark := s[i : i+n]; mark != "." && mark != "．" || !unicode.IsDigit(prev) {
		return false
	}
	next, _ := utf8.DecodeRuneInString(s[i+n:])
	return unicode.IsDigit(next)
}

// sentenceEnd gives the end of the run of terminators at i with the closing quotes and brackets after it.
func sentenceEnd(s string, i int) int {
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		if !terminator(r) && !closer(r) && !Invisible(r) {
			break
		}
		i += n
	}
	return i
}

// Head gives the offset of a sentence's or a word's first own character: behind opening quotes and brackets, white space
// and invisible characters.
func Head(s string, p Span) int {
	for i := p.Start; i < p.End; {
		r, n := utf8.DecodeRuneInString(s[i:])
		if !opener(r) && !space(r) && !Invisible(r) {
			return i
		}
		i += n
	}
	return p.End
}

// Tail gives the offset after a word's last own character: before closing quotes, brackets and terminators.
func Tail(s string, p Span) int {
	for end := p.End; end > p.Start; {
		r, n := utf8.DecodeLastRuneInString(s[p.Start:end])
		if !closer(r) && !terminator(r) && !Invisible(r) && !strings.ContainsRune(",;:", r) {
			return end
		}
		end -= n
	}
	return p.Start
}

// Foot gives the offset after a sentence's last own character: before closing quotes and brackets, white space and
// invisible characters. Its terminator is its own.
func Foot(s string, p Span) int {
	for end := p.End; end > p.Start; {
		r, n := utf8.DecodeLastRuneInString(s[p.Start:end])
		if !closer(r) && !space(r) && !Invisible(r) {
			return end
		}
		end -= n
	}
	return p.Start
}
