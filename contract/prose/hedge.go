package prose

import (
	"math/big"
	"strings"
)

// fillers may stand between the values of an alternative: either on the 5th or, perhaps, on the 6th.
var fillers = words("on by at in the a of to from for possibly maybe perhaps even else also option day about around roughly some")

// hedged says whether a fact stands as one of several: "12 or 14", "either the 5th or the 6th of May", "BK-1/BK-2". Whoever names every
// value that could be meant has named none. "5 or more" bounds, and is no alternative.
func (t *Text) hedged(sentence, p span, fact Fact) bool {
	return t.alternative(sentence, p, fact, 1) || t.alternative(sentence, p, fact, -1)
}

// alternative walks from a fact in one direction, over values of its kind, commas, fillers and at most two words in a row that say
// what is counted, and looks for an "or" with another value of the kind behind it.
func (t *Text) alternative(s, p span, fact Fact, way int) bool {
	or, run := false, 0
	i := p.to
	if way < 0 {
		i = p.from - 1
	}
	for i >= s.from && i < s.to {
		gap := t.gapBefore(i, way)
		if strings.ContainsAny(gap, ".;:!?()\n") {
			return false
		}
		or = or || strings.Contains(gap, "/")
		if to, other := t.valueLike(i, way, fact); to > 0 {
			if or && other {
				return true
			}
			i, run = i+way*to, 0
			continue
		}
		switch w := t.tokens[i].Text; {
		case w == "or":
			or, run = true, 0
		case w == "either", is(fillers, w):
		case is(enders, w):
			return false
		case wordy(w) && run < 2 && or == (way < 0): // what is counted stands behind its number
			run++
		default:
			return false
		}
		i += way
	}
	return false
}

// enders end an alternative: what follows is said of something else.
var enders = words("and but so because while which who that then if when more fewer less later earlier sooner is are was were will would not no")

// gapBefore is what stands between a token and the one that the walk came from.
func (t *Text) gapBefore(i, way int) string {
	if way > 0 && i > 0 {
		return t.between(i-1, i)
	}
	if way < 0 && i+1 < len(t.tokens) {
		return t.between(i, i+1)
	}
	return ""
}

// valueLike says how many tokens a value of the fact's kind takes that begins (or, walking back, ends) at a token, 0 where none
// does, and whether it is another one than the fact.
func (t *Text) valueLike(i, way int, fact Fact) (n int, other bool) {
	switch {
	case fact.Number != nil:
		return t.numberLike(i, way, fact.Number)
	case fact.Day != nil:
		n := t.dayLike(i, way)
		return n, n > 0
	}
	want := Tokens(fact.Text)
	if len(want) == 0 {
		return 0, false
	}
	shape := shapeOf(strings.Join(want, "-"))
	for _, k := range []int{len(want), 1} {
		from := i
		if way < 0 {
			from = i - k + 1
		}
		if from < 0 || from+k > len(t.tokens) {
			continue
		}
		var have []string
		for _, x := range t.tokens[from : from+k] {
			have = append(have, x.Text)
		}
		if got := strings.Join(have, "-"); shape != "" && shapeOf(got) == shape {
			return k, got != strings.Join(want, "-")
		}
	}
	return 0, false
}

// shapeOf is an id without its digits, so that BK-0001 and BK-0002 are alike; "" of what has no digit: two words are alike in
// nothing that could be told here.
func shapeOf(s string) string {
	out := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return -1
		}
		return r
	}, s)
	if out == s {
		return ""
	}
	return out + "#"
}

func (t *Text) numberLike(i, way int, want *big.Rat) (int, bool) {
	if way > 0 {
		if n, to, ok := t.inWords(i); ok {
			return to - i, want.Cmp(new(big.Rat).SetInt64(n)) != 0
		}
		if r, to, ok := t.numberAt(i); ok && !t.dated(i, to) {
			return to - i, r.Cmp(want) != 0
		}
		return 0, false
	}
	for from := i; from >= 0 && from > i-4; from-- {
		if n, to, ok := t.inWords(from); ok && to == i+1 {
			return to - from, want.Cmp(new(big.Rat).SetInt64(n)) != 0
		}
		if r, to, ok := t.numberAt(from); ok && to == i+1 && !t.dated(from, to) {
			return to - from, r.Cmp(want) != 0
		}
	}
	return 0, false
}

// dayLike takes a day of a month for another one: 5 May, May 5th, 2034-05-05, the 5th; the fact's own places were passed already. A
// bare number is a day before an "or" alone: 9 or 16 May.
func (t *Text) dayLike(i, way int) int {
	part := func(j int) bool {
		if j < 0 || j >= len(t.tokens) {
			return false
		}
		w := strings.TrimRight(t.tokens[j].Text, "stndrh")
		return w != "" && strings.Trim(w, "0123456789") == "" || t.month(j)
	}
	n, sure := 0, false
	for n < 3 && part(i+way*n) && (n == 0 || strings.Trim(t.gapBefore(i+way*n, way), " -,") == "") {
		w := t.tokens[i+way*n].Text
		sure = sure || t.month(i+way*n) || strings.Trim(w, "0123456789") != ""
		n++
	}
	if sure || n == 3 || n == 1 && way < 0 && i+1 < len(t.tokens) && t.tokens[i+1].Text == "or" {
		return n
	}
	return 0
}

func (t *Text) month(i int) bool {
	w := t.tokens[i].Text
	for _, m := range months {
		if w == m || len(w) >= 3 && w == m[:3] || w == "sept" {
			return true
		}
	}
	return false
}
