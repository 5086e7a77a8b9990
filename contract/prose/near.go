package prose

import (
	"math/big"
	"strings"
	"unicode"
)

// Counts says whether a text asks so many of a unit: "at least 15 words", "two whole sentences". The number stands before the
// unit, with at most two words between. Of one, the unit's bare name is enough.
func Counts(text string, n int, unit string) bool {
	t := Prepare(text)
	units := []string{unit, unit + "s"}
	for _, p := range t.numbers(big.NewRat(int64(n), 1)) {
		for i := p.to; i < min(p.to+3, len(t.tokens)); i++ {
			if is(units, t.tokens[i].Text) {
				return true
			}
		}
	}
	for i := range t.tokens {
		if n == 1 && is(units, t.tokens[i].Text) {
			return true
		}
	}
	return false
}

// ranges are words behind which a number bounds what may be given: up to 5, at most 5, between 1 and 5.
var ranges = words("to most least than up upto maximum minimum max min between exceed within every per under over above below")

// Beside says whether a number stands close to one of the words that name what it counts, in one clause: up to four words before
// it, or two behind. A number that bounds (at most 5) does not count.
func Beside(text string, n *big.Rat, names map[string]bool) bool {
	t := Prepare(text)
	clauses := t.clauses()
	for _, p := range t.numbers(n) {
		c := within(clauses, p)
		if t.bounded(p) {
			continue
		}
		for i := max(c.from-2, p.from-4, 0); i < min(len(t.tokens), p.to+2); i++ {
			if (i < p.from || i >= p.to && i < c.to) && names[Stem(t.tokens[i].Text)] && (i >= c.from || t.colon(i, p.from)) {
				return true
			}
		}
	}
	return false
}

// colon says whether a colon or an equals sign stands between a token and the number that it names: "gap: 5".
func (t *Text) colon(i, p int) bool {
	return p-i <= 2 && strings.ContainsAny(t.s[t.tokens[i].End:t.tokens[p].Start], ":=") && !strings.ContainsAny(t.s[t.tokens[i].End:t.tokens[p].Start], ".;!?\n")
}

func (t *Text) bounded(p span) bool {
	for i := p.from - 1; i >= 0 && i >= p.from-2; i-- {
		w := t.tokens[i].Text
		if is(ranges, w) {
			return true
		}
		if w != "of" && w != "the" {
			break
		}
	}
	for i := p.to; i < min(p.to+2, len(t.tokens)); i++ {
		if w := t.tokens[i].Text; w == "or" || w == "at" {
			return i+1 < len(t.tokens) && is([]string{"more", "fewer", "less", "most", "least"}, t.tokens[i+1].Text)
		}
	}
	return p.to < len(t.tokens) && t.tokens[p.to].Text == "to" // 1 to 5
}

// Worked says whether a sentence works a number out of others: it stands behind "is", "makes" or an equals sign, and one of the
// others before that; or at least two of the others stand beside it.
func Worked(text string, n *big.Rat, others []*big.Rat) bool {
	t := Prepare(text)
	sentences := t.sentences()
	for _, p := range t.numbers(n) {
		s := within(sentences, p)
		if t.bounded(p) {
			continue
		}
		found := 0
		for _, o := range others {
			for _, q := range t.numbers(o) {
				if s.from <= q.from && q.to <= p.from && p.from-q.to <= 8 && !t.bounded(q) {
					found++
					break
				}
			}
		}
		if found >= 2 || found == 1 && p.from > s.from && (is(words("is are makes make gives give leaves leave equals equal remain remains"), t.tokens[p.from-1].Text) || strings.Contains(t.between(p.from-1, p.from), "=")) {
			return true
		}
	}
	return false
}

// judging are words by which a text says that something is the right answer.
var judging = words("right correct best answer expected choose chosen recommended recommend proper solution pick winner wins preferred")

// conditions make of a right value one that depends: choose A if it is cheaper.
var conditions = words("if when where whenever unless otherwise either whether case")

// Judged says whether a clause calls a value right and names none of the others: "A: which is the right one". Letter case
// counts, since a value of one letter may be an article as well.
func Judged(text, value string, others []string) bool {
	t := Prepare(text)
	for _, c := range t.sentences() {
		mine, other, says, depends := false, false, false, false
		for i := c.from; i < c.to; i++ {
			mine = mine || t.valueAt(i, value)
			for _, o := range others {
				other = other || t.valueAt(i, o)
			}
			depends = depends || is(conditions, t.tokens[i].Text)
			says = says || is(judging, t.tokens[i].Text) && (i == c.from || !negator(t.tokens[i-1].Text))
		}
		if mine && says && !other && !depends {
			return true
		}
	}
	return false
}

// Only says whether a text names one value of a list and none of the others.
func Only(text, value string, others []string) bool {
	t := Prepare(text)
	mine := false
	for i := range t.tokens {
		mine = mine || t.valueAt(i, value)
		for _, o := range others {
			if t.valueAt(i, o) {
				return false
			}
		}
	}
	return mine
}

// valueAt says whether a value stands at a token, in its own letter case; a single letter is no article: a mark follows it, or
// a verb, or nothing.
func (t *Text) valueAt(i int, value string) bool {
	k := Prepare(value).tokens
	if len(k) == 0 || i+len(k) > len(t.tokens) || t.joined(i-1) || t.joined(i+len(k)-1) {
		return false
	}
	if got := t.s[t.tokens[i].Start:t.tokens[i+len(k)-1].End]; got != strings.TrimSpace(value) {
		return false
	}
	if len(value) > 1 || !strings.ContainsFunc(value, unicode.IsLetter) || i+1 == len(t.tokens) {
		return true
	}
	return t.between(i, i+1) != " " || is(finite, t.tokens[i+1].Text)
}

// Stem takes the ending off a word, so that ropes and rope are one.
func Stem(w string) string {
	switch {
	case len(w) > 4 && strings.HasSuffix(w, "ies"):
		return w[:len(w)-3] + "y"
	case len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss"):
		return w[:len(w)-1]
	}
	return w
}

// Names gives the stems of the words of a text that name something: no joining words, nothing of one or two letters, no digits.
func Names(s string) map[string]bool {
	out := map[string]bool{}
	for _, w := range Tokens(s) {
		if len(w) > 2 && wordy(w) && !is(functions, w) && !is(finite, w) && !is(auxiliaries, w) && !is(negators, w) && !is(bounds, w) && !strings.ContainsFunc(w, unicode.IsDigit) {
			out[Stem(w)] = true
		}
	}
	return out
}
