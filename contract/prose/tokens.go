// Package prose judges what a text to a colleague says, by structure alone: which facts stand in it as whole tokens, in
// sentences, not denied in their own clause. It understands nothing; docs/contract-format.md says what that can and cannot
// tell. The words it knows are English ones.
package prose

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/assaybench/assay/check/token"
)

// Token is a run of letters, digits and their marks, case folded, in composed form. Start and End are byte offsets into the
// text that was split.
type Token struct {
	Text       string
	Start, End int
}

// Text is a text prepared for judging.
type Text struct {
	s      string
	tokens []Token
}

// Prepare splits a text. Invisible characters count for nothing.
func Prepare(s string) *Text {
	s = norm.NFC.String(token.Visible(s))
	t := &Text{s: s}
	fold := cases.Fold()
	start := -1
	flush := func(end int) {
		if start >= 0 {
			t.tokens = append(t.tokens, Token{fold.String(s[start:end]), start, end})
		}
		start = -1
	}
	for i, r := range s {
		switch {
		case unicode.IsLetter(r) || unicode.IsNumber(r) || start >= 0 && unicode.IsMark(r):
			if start < 0 {
				start = i
			}
		case (r == '\'' || r == '’') && start >= 0 && letterAt(s, i+len(string(r))):
			// don't, colleague's: one word
		default:
			flush(i)
		}
	}
	flush(len(s))
	for i := range t.tokens {
		word := strings.ReplaceAll(t.tokens[i].Text, "’", "'")
		t.tokens[i].Text = strings.TrimSuffix(word, "'s") // BK-0001's and BK-0001 are one name
	}
	return t
}

func letterAt(s string, i int) bool {
	for _, r := range s[min(i, len(s)):] {
		return unicode.IsLetter(r)
	}
	return false
}

// Tokens gives a text's tokens.
func Tokens(s string) []string {
	t := Prepare(s)
	out := make([]string, len(t.tokens))
	for i, k := range t.tokens {
		out[i] = k.Text
	}
	return out
}

// Words counts the words of a text, as Text.Words does.
func Words(s string) int { return Prepare(s).Words() }

// Lettered counts the tokens of a text that hold a letter: an id or a date alone is no wording.
func Lettered(s string) int {
	n := 0
	for _, k := range Prepare(s).tokens {
		if wordy(k.Text) {
			n++
		}
	}
	return n
}

func wordy(s string) bool { return strings.ContainsFunc(s, unicode.IsLetter) }

// Contains says whether a fact stands in a text as a run of whole tokens.
func Contains(text, fact string) bool {
	return len(Prepare(text).find(Tokens(fact))) > 0
}

// span is a run of tokens, half open.
type span struct{ from, to int }

// find gives the places where the tokens stand as whole tokens. A run that goes on through a hyphen, an underscore or a
// point is another name: BF-7101-2 holds no BF-7101, and 640.5 no 640.
func (t *Text) find(want []string) []span {
	if len(want) == 0 {
		return nil
	}
	var out []span
	for i := 0; i+len(want) <= len(t.tokens); i++ {
		ok := true
		for j, w := range want {
			ok = ok && t.tokens[i+j].Text == w
		}
		if ok && !t.joined(i-1) && !t.joined(i+len(want)-1) {
			out = append(out, span{i, i + len(want)})
		}
	}
	return out
}

// joined says whether token i and the next are parts of one name.
func (t *Text) joined(i int) bool {
	if i < 0 || i+1 >= len(t.tokens) {
		return false
	}
	gap := t.s[t.tokens[i].End:t.tokens[i+1].Start]
	return gap == "-" || gap == "_" || gap == "." || gap == "‑"
}

// between gives the text between two tokens.
func (t *Text) between(i, j int) string { return t.s[t.tokens[i].End:t.tokens[j].Start] }

// sentences gives the runs of tokens that stand in one sentence or line.
func (t *Text) sentences() []span {
	return t.split(func(at int, gap string) bool {
		if strings.ContainsAny(gap, "!?…\n\r") {
			return !t.wrapped(at)
		}
		i := strings.IndexByte(gap, '.')
		return i >= 0 && i+1 < len(gap) && !t.shortened(at) // a point that something follows before the next token
	})
}

// clauses gives the runs of tokens that no mark, no "but", and no "and" with a verb of its own behind it divides.
func (t *Text) clauses() []span {
	out := t.split(func(at int, gap string) bool {
		i := strings.IndexByte(gap, '.')
		return strings.ContainsAny(gap, ",;:!?…\n\r()—–") && !t.wrapped(at) || i >= 0 && i+1 < len(gap) && !t.shortened(at) || strings.Contains(gap, " - ")
	})
	var parts []span
	for _, c := range out {
		from := c.from
		for i := c.from; i < c.to; i++ {
			if t.tokens[i].Text == "and" && i > from && t.verbAfter(i, c.to) {
				parts = append(parts, span{from, i})
				from = i
			}
			if slices.Contains([]string{"but", "whereas", "although", "though", "while", "instead", "because", "so"}, t.tokens[i].Text) && (i == c.from || !negator(t.tokens[i-1].Text)) {
				if i > from {
					parts = append(parts, span{from, i})
				}
				from = i
			}
		}
		parts = append(parts, span{from, c.to})
	}
	return parts
}

// verbAfter says whether a verb that everybody knows stands between a token and the next "and".
func (t *Text) verbAfter(i, to int) bool {
	for i++; i < to && t.tokens[i].Text != "and"; i++ {
		if is(finite, t.tokens[i].Text) {
			return true
		}
	}
	return false
}

func (t *Text) split(at func(i int, gap string) bool) []span {
	var out []span
	from := 0
	for i := range t.tokens {
		if i+1 == len(t.tokens) || at(i, t.between(i, i+1)) {
			out = append(out, span{from, i + 1})
			from = i + 1
		}
	}
	return out
}

func within(list []span, s span) span {
	for _, c := range list {
		if c.from <= s.from && s.from < c.to {
			return c
		}
	}
	return s
}
