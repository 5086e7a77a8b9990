package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// How texts are laid out: what looks like the end of a sentence and is none.

var (
	// With a number or an id behind it, a point after one of these shortens a word: booking ref. BK-0001, slip no. 2.
	shortWords = words("ref refs no nos nr fig art sec ch vol p pp approx ca est qty vs")
	titles     = words("mr mrs ms dr prof st")
)

// shortened says whether the point behind a token shortens the word: "ref." before an id, "Mr." before a name, "8 a.m." before a
// word in small letters.
func (t *Text) shortened(i int) bool {
	w, next := t.tokens[i].Text, t.word(i+1)
	first, _ := utf8.DecodeRuneInString(next)
	switch {
	case is(titles, w):
		return true
	case is(shortWords, w):
		return strings.ContainsFunc(next, unicode.IsDigit) || t.joined(i+1)
	case w == "m" && i > 0 && t.joined(i-1) && is([]string{"a", "p"}, t.tokens[i-1].Text), w == "am" || w == "pm":
		return unicode.IsLower(first)
	}
	return false
}

// numbered says whether the "no" at i is short for number.
func (t *Text) numbered(i int) bool {
	if t.tokens[i].Text != "no" || i+1 >= len(t.tokens) {
		return false
	}
	return strings.HasPrefix(t.between(i, i+1), ".") && t.shortened(i)
}

// leastWrapped is the length from which a line is taken for one that was wrapped by hand.
const leastWrapped = 30

// wrapped says whether the line break behind a token was made by hand inside a sentence: one break and nothing else, behind a line
// of some length, before a word in small letters.
func (t *Text) wrapped(i int) bool {
	gap := t.between(i, i+1)
	if strings.Trim(gap, " \t\r\n") != "" || strings.Count(gap, "\n") != 1 {
		return false
	}
	first, _ := utf8.DecodeRuneInString(t.word(i + 1))
	line := t.s[:t.tokens[i].End]
	return unicode.IsLower(first) && len(line)-1-strings.LastIndexByte(line, '\n') >= leastWrapped
}

// lead gives the sentence that a list's item stands under: the one before the first item, which ends in a colon.
func (t *Text) lead(sentences []span, item span) (span, bool) {
	k := -1
	for i, s := range sentences {
		if s == item {
			k = i
		}
	}
	for ; k > 0; k-- {
		gap := t.between(sentences[k].from-1, sentences[k].from)
		_, mark, ok := strings.Cut(gap, "\n")
		mark = strings.TrimSpace(mark)
		if !ok || mark != "-" && mark != "*" && mark != "•" && mark != "–" {
			return span{}, false
		}
		if strings.Contains(gap[:strings.IndexByte(gap, '\n')], ":") {
			return sentences[k-1], true
		}
	}
	return span{}, false
}
