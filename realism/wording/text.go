// Package wording measures what a text says by its form alone: how long it is, how much of it stands in another one, and
// whether it gives a procedure away, names tools, speaks the language of a harness or of grading. Everything is a function of
// its input, and every ratio is exact.
package wording

import (
	"math/big"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Normal gives the normal form: NFKC, letter case folded, lines ended by LF.
func Normal(s string) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\r\n", "\n")
	s = norm.NFKC.String(cases.Fold().String(norm.NFKC.String(s)))
	return strings.ReplaceAll(s, "\u2019", "'")
}

// SameText says whether two texts are one but for case, white space and the form of quotation marks.
func SameText(a, b string) bool { return squeezed(a) == squeezed(b) }

var quotes = strings.NewReplacer("\u2018", "'", "\u201c", `"`, "\u201d", `"`, "\u2013", "-", "\u2014", "-")

func squeezed(s string) string { return strings.Join(strings.Fields(quotes.Replace(Normal(s))), " ") }

// Whitespace counts the fields between white space.
func Whitespace(s string) int { return len(strings.Fields(s)) }

// Lexical counts words: runs of letters, digits and marks, joined by an apostrophe or hyphen inside. A run of a script that
// puts no space between words counts as half as many words as it has characters, rounded up.
func Lexical(s string) int {
	n := 0
	r := []rune(Normal(s))
	for i := 0; i < len(r); {
		switch {
		case spaceless(r[i]):
			begin, chars := i, 0
			for ; i < len(r) && (spaceless(r[i]) || i > begin && unicode.IsMark(r[i])); i++ {
				if !unicode.IsMark(r[i]) {
					chars++
				}
			}
			n += (chars + 1) / 2
		case wordRune(r[i]):
			n++
			for i < len(r) && wordRune(r[i]) && !spaceless(r[i]) {
				i++
				if i+1 < len(r) && joins(r[i]) && wordRune(r[i+1]) && !spaceless(r[i+1]) {
					i++
				}
			}
		default:
			i++
		}
	}
	return n
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

func joins(r rune) bool { return r == '\'' || r == '-' || r == '\u2010' }

func spaceless(r rune) bool {
	return r == '\u30FC' || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}

// Token is a run of letters and digits, with its place in the text that it was found in.
type Token struct {
	Text       string // in normal form
	Start, End int    // bytes
}

// Tokens gives the runs of letters and digits, apostrophes inside kept.
func Tokens(s string) []Token {
	var out []Token
	begin := -1
	end := func(at int) {
		if begin >= 0 {
			text := strings.Trim(Normal(s[begin:at]), "'")
			if text != "" {
				out = append(out, Token{text, begin, at})
			}
		}
		begin = -1
	}
	for i, r := range s {
		switch {
		case wordRune(r):
			if begin < 0 {
				begin = i
			}
		case begin >= 0 && (r == '\'' || r == '\u2019'):
		default:
			end(i)
		}
	}
	end(len(s))
	return out
}

// Words gives the tokens of a text's normal form.
func Words(s string) []string {
	var out []string
	for _, t := range Tokens(Normal(s)) {
		out = append(out, t.Text)
	}
	return out
}

// Shingles gives the windows of n words, each once; a text of fewer words is one window, an empty one has none.
func Shingles(words []string, n int) map[string]bool {
	out := map[string]bool{}
	if len(words) > 0 && len(words) < n {
		out[strings.Join(words, " ")] = true
	}
	for i := 0; i+n <= len(words); i++ {
		out[strings.Join(words[i:i+n], " ")] = true
	}
	return out
}

// Jaccard gives what two sets share of all that is in either; 1 of two empty sets.
func Jaccard(a, b map[string]bool) *big.Rat {
	both := 0
	for k := range a {
		if b[k] {
			both++
		}
	}
	all := len(a) + len(b) - both
	if all == 0 {
		return big.NewRat(1, 1)
	}
	return big.NewRat(int64(both), int64(all))
}

// Window is how many words a shingle of a request has.
const Window = 5

// Alike gives the share of five-word windows that two texts have in common.
func Alike(a, b string) *big.Rat {
	return Jaccard(Shingles(Words(a), Window), Shingles(Words(b), Window))
}

// Shared gives the parts of a text, as byte spans in order, that lie in a window which the other text has, too.
func Shared(text, other string) [][2]int {
	tokens := Tokens(text)
	theirs := Shingles(Words(other), Window)
	marked := make([]bool, len(tokens))
	words := make([]string, len(tokens))
	for i, t := range tokens {
		words[i] = t.Text
	}
	n := min(Window, len(words))
	for i := 0; n > 0 && i+n <= len(words); i++ {
		if theirs[strings.Join(words[i:i+n], " ")] {
			for k := range n {
				marked[i+k] = true
			}
		}
	}
	var out [][2]int
	for i, t := range tokens {
		switch {
		case !marked[i]:
		case i > 0 && marked[i-1]:
			out[len(out)-1][1] = t.End
		default:
			out = append(out, [2]int{t.Start, t.End})
		}
	}
	return slices.Clip(out)
}
