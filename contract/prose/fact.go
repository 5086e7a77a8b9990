package prose

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/assaybench/assay/contract/derive"
	"github.com/assaybench/assay/contract/exact"
)

// Fact is something to look for. Day and Number, where they are set, say what Text is a form of.
type Fact struct {
	Text   string
	Day    *derive.Day
	Number *big.Rat
}

// Standing is how a fact stands in a text.
type Standing struct {
	Count    int  // places where it stands
	Asserted bool // one of them in a sentence, and not denied in its clause
	Denied   bool // one of them denied
	InProse  bool // one of them in a sentence of words
	Hedged   bool // one of them in a sentence, as one of several that could be meant
}

// Look says how facts stand in a text. all are the facts whose words say nothing about the sentences around them; give
// every fact of the message.
func Look(t *Text, fact Fact, all []Fact) Standing {
	places := t.places(fact)
	st := Standing{Count: len(places)}
	if len(places) == 0 {
		return st
	}
	taken := make([]bool, len(t.tokens))
	for _, f := range all {
		for _, p := range t.places(f) {
			for i := p.from; i < p.to; i++ {
				taken[i] = true
			}
		}
	}
	sentences, clauses := t.sentences(), t.clauses()
	for _, p := range places {
		sentence := within(sentences, p)
		isProse := t.prose(sentence, taken)
		denied := t.denied(sentence, within(clauses, p), p, fact.Number != nil)
		if lead, ok := t.lead(sentences, sentence); ok { // an item of a list is said by the sentence above it
			isProse = isProse || t.prose(lead, taken)
			denied = denied || t.anyDenial(lead)
		}
		st.InProse = st.InProse || isProse
		st.Denied = st.Denied || denied
		hedged := t.hedged(sentence, p, fact)
		st.Hedged = st.Hedged || isProse && hedged
		st.Asserted = st.Asserted || isProse && !denied && !hedged
	}
	return st
}

// Claimed says whether a text claims a fact: it stands there and is not denied in its clause.
func Claimed(t *Text, fact Fact) bool {
	sentences, clauses := t.sentences(), t.clauses()
	return slices.ContainsFunc(t.places(fact), func(p span) bool {
		sentence := within(sentences, p)
		lead, ok := t.lead(sentences, sentence)
		return !t.denied(sentence, within(clauses, p), p, fact.Number != nil) && !(ok && t.anyDenial(lead))
	})
}

// anyDenial says whether a sentence that a list stands under denies anything: what it denies is the list.
func (t *Text) anyDenial(s span) bool {
	for i := s.from; i < s.to; i++ {
		if w := t.tokens[i].Text; negator(w) && !t.numbered(i) || is(refusals, w) || is(refusing, w) {
			return true
		}
	}
	return false
}

// Mentioned says whether a fact stands in a text at all.
func Mentioned(t *Text, fact Fact) bool { return len(t.places(fact)) > 0 }

// Needle is a fact made ready to be looked for in many texts.
type Needle struct {
	fact   Fact
	tokens []string
}

// NewNeedle makes a fact ready.
func NewNeedle(f Fact) Needle {
	n := Needle{fact: f}
	if f.Day == nil && f.Number == nil {
		n.tokens = Tokens(f.Text)
	}
	return n
}

// In says whether the fact stands in a text at all, as Mentioned does.
func (n Needle) In(t *Text) bool {
	if n.fact.Day == nil && n.fact.Number == nil {
		return len(t.find(n.tokens)) > 0
	}
	return Mentioned(t, n.fact)
}

// places gives where a fact stands, in any of its forms.
func (t *Text) places(f Fact) []span {
	switch {
	case f.Day != nil:
		return t.dates(*f.Day)
	case f.Number != nil:
		return t.numbers(f.Number)
	}
	return t.find(Tokens(f.Text))
}

var months = [...]string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"}

// dates finds a day as 2031-04-16, as 16 April 2031, April 16th, 2031, Wed 16 Apr, and as 16/04/2031 where no other day
// could be meant. A year may be left out where none follows.
func (t *Text) dates(d derive.Day) []span {
	y, m, day := d.Date()
	year, num := strconv.Itoa(y), strconv.Itoa(day)
	days := []string{num, "0" + num, num + "st", num + "nd", num + "rd", num + "th"}
	names := []string{months[m-1], months[m-1][:3], "sept"}
	if m != 9 {
		names = names[:2]
	}
	two := func(n int) []string { return []string{strconv.Itoa(n), "0" + strconv.Itoa(n)} }
	var out []span
	at := func(i int, any []string) bool { return i < len(t.tokens) && slices.Contains(any, t.tokens[i].Text) }
	for i := range t.tokens {
		switch {
		case at(i, []string{year}) && at(i+1, append(two(m), pad(m))) && at(i+2, append(two(day), pad(day), pad(day)+"t")):
			if !t.joined(i-1) && !t.joined(i+2) {
				out = append(out, span{i, i + 3})
			}
		case at(i, []string{year}) && at(i+1, append(two(m), pad(m))) && i+2 < len(t.tokens) && strings.HasPrefix(t.tokens[i+2].Text, pad(day)+"t"): // 2031-04-16T09:00
			out = append(out, span{i, i + 3})
		case at(i, days) && at(i+1, []string{"of"}) && at(i+2, names):
			out = t.withYear(out, i, i+3, year)
		case at(i, days) && t.pairOfDays(i) && at(i+t.pair(i), names): // 6 and 7 May, 6–8 May
			out = t.withYear(out, i, i+t.pair(i)+1, year)
		case at(i, days) && at(i+1, names):
			out = t.withYear(out, i, i+2, year)
		case at(i, names) && at(i+1, days):
			out = t.withYear(out, i, i+2, year)
		case day > 12 && at(i+2, []string{year}) && (at(i, two(day)) && at(i+1, append(two(m), pad(m))) || at(i, append(two(m), pad(m))) && at(i+1, two(day))):
			out = append(out, span{i, i + 3})
		}
	}
	return out
}

// pair is how far behind a day the month of a pair of days stands: 6 and 7 May, 6 to 8 May, 6–8 May.
func (t *Text) pair(i int) int {
	if i+1 < len(t.tokens) && is([]string{"and", "or", "to", "until", "till"}, t.tokens[i+1].Text) {
		return 3
	}
	return 2
}

// pairOfDays says whether a second day follows a day before the month.
func (t *Text) pairOfDays(i int) bool {
	second := i + t.pair(i) - 1
	if second >= len(t.tokens) {
		return false
	}
	if second == i+1 {
		if gap := strings.TrimSpace(t.between(i, second)); gap != "-" && gap != "–" && gap != "/" && gap != "&" {
			return false
		}
	}
	digits := strings.TrimRight(t.tokens[second].Text, "stndrh")
	n, err := strconv.Atoi(digits)
	return err == nil && n >= 1 && n <= 31
}

func pad(n int) string {
	if n < 10 {
		return "0" + strconv.Itoa(n)
	}
	return strconv.Itoa(n)
}

// withYear takes the year in; another year makes it another date.
func (t *Text) withYear(out []span, from, to int, year string) []span {
	if to < len(t.tokens) && len(t.tokens[to].Text) == 4 && strings.Trim(t.tokens[to].Text, "0123456789") == "" && strings.Trim(t.between(to-1, to), " ,") == "" {
		if t.tokens[to].Text != year {
			return out
		}
		to++
	}
	return append(out, span{from, to})
}

var small = []string{"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"}

// numbers finds a number by value: 1,200.50 is 1200.5, three is 3. Digits that are part of a name (WS-640) are none.
func (t *Text) numbers(want *big.Rat) []span {
	var out []span
	for i := 0; i < len(t.tokens); {
		if n, to, ok := t.inWords(i); ok {
			if want.Cmp(new(big.Rat).SetInt64(n)) == 0 {
				out = append(out, span{i, to})
			}
			i = to
			continue
		}
		r, to, ok := t.numberAt(i)
		if ok && r.Cmp(want) == 0 && !t.dated(i, to) {
			out = append(out, span{i, to})
		}
		i = max(to, i+1)
	}
	return out
}

var tens = []string{"twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"}

// inWords reads a number in words, up to ninety-nine.
func (t *Text) inWords(i int) (n int64, to int, ok bool) {
	if k := slices.Index(tens, t.tokens[i].Text); k >= 0 {
		n, to = int64(20+10*k), i+1
		if to < len(t.tokens) && (t.between(i, to) == "-" || t.between(i, to) == " " || t.between(i, to) == "‑") {
			if u := slices.Index(small[:10], t.tokens[to].Text); u >= 1 {
				return n + int64(u), to + 1, true
			}
		}
		return n, to, true
	}
	k := slices.Index(small, t.tokens[i].Text)
	return int64(k), i + 1, k >= 0
}

// unitsBehind may stand behind a number without a space: 1200EUR, 5x, 2h.
var unitsBehind = words("eur usd gbp chf sek nok dkk pln x pcs kg g t h d m cm mm km l min")

// bare gives a token without a unit that stands right behind its digits.
func bare(s string) string {
	digits := strings.TrimRight(s, "abcdefghijklmnopqrstuvwxyz")
	if digits != "" && digits != s && is(unitsBehind, s[len(digits):]) {
		return digits
	}
	return s
}

// grouped says whether a mark divides thousands: a comma, an apostrophe, a space that does not break. A plain space may as well
// stand between two numbers.
func grouped(gap string) bool {
	return slices.Contains([]string{",", "'", "’", "\u00a0", "\u202f", "\u2009"}, gap)
}

// dated says whether the digits are a day beside its month, or part of a time of day: 5 May, May 5, 09:30.
func (t *Text) dated(from, to int) bool {
	month := func(i int) bool {
		return i >= 0 && i < len(t.tokens) && slices.ContainsFunc(months[:], func(m string) bool {
			w := t.tokens[i].Text
			return len(w) >= 3 && (w == m || w == m[:3] || w == "sept") && w != "may" || w == "may" && t.capital(i)
		})
	}
	colon := func(i int) bool { return i >= 0 && i+1 < len(t.tokens) && t.between(i, i+1) == ":" }
	return month(from-1) && t.between(from-1, from) == " " || month(to) && t.between(to-1, to) == " " || colon(from-1) || colon(to-1)
}

// counted says whether the word behind a number and a hyphen is what it counts: a 5-day visit, a 5-rope shortfall. Capitals and digits make names.
func (t *Text) counted(to int) bool {
	w := t.word(to)
	return len(w) > 2 && t.between(to-1, to) == "-" && !t.joined(to) && !strings.ContainsFunc(w, func(r rune) bool { return r < 'a' || r > 'z' })
}

// capital says whether a token begins with a capital: May is a month, may a verb.
func (t *Text) capital(i int) bool {
	c := t.s[t.tokens[i].Start]
	return 'A' <= c && c <= 'Z'
}

// numberAt reads the number that begins at a token: digits, groups behind commas, a fraction behind a point.
func (t *Text) numberAt(i int) (r *big.Rat, to int, ok bool) {
	digits := func(j int) bool {
		return j < len(t.tokens) && len(t.tokens[j].Text) <= 40 && strings.Trim(bare(t.tokens[j].Text), "0123456789") == ""
	}
	if !digits(i) {
		return nil, i + 1, false
	}
	text, to := bare(t.tokens[i].Text), i+1
	for len(t.tokens[i].Text) <= 3 && digits(to) && len(bare(t.tokens[to].Text)) == 3 && grouped(t.between(to-1, to)) {
		text, to = text+bare(t.tokens[to].Text), to+1
	}
	if digits(to) && t.between(to-1, to) == "." {
		text, to = text+"."+bare(t.tokens[to].Text), to+1
	}
	before := t.s[:t.tokens[i].Start]
	if strings.HasSuffix(before, "-") || strings.HasSuffix(before, "−") || strings.HasSuffix(before, "_") || strings.HasSuffix(before, ".") {
		sign := strings.TrimRight(before, "-−_.")
		if sign != "" && !strings.HasSuffix(sign, " ") && !strings.HasSuffix(sign, "(") && !strings.HasSuffix(sign, "\n") {
			return nil, to, false // part of a name, or of a date
		}
		if !strings.HasSuffix(before, "_") && !strings.HasSuffix(before, ".") {
			text = "-" + text
		}
	}
	if t.joined(to-1) && !t.counted(to) {
		for t.joined(to - 1) {
			to++
		}
		return nil, to, false
	}
	trimmed := strings.TrimLeft(strings.TrimPrefix(text, "-"), "0")
	if trimmed == "" || trimmed[0] == '.' {
		trimmed = "0" + trimmed
	}
	r, ok = exact.Rat(trimmed)
	if ok && strings.HasPrefix(text, "-") {
		r.Neg(r)
	}
	return r, to, ok
}
