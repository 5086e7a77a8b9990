package prose

import "strings"

// How a sentence can deny what it says. The lists are closed: what they do not hold is no denial, and
// docs/contract-format.md says what that misses.
var (
	// Somebody refuses as he writes: I refuse to book it, we deny that it is so.
	refusing = words("refuse refuses refusing decline declines declining deny denies denying reject rejects dispute disputes doubt doubts")
	// With "that" behind it, one of these denies the whole statement: it is false that, not true that, it is not so that.
	untrue = words("false untrue wrong incorrect impossible refused denied deny denies refuse refuses reject rejects rejected dispute disputes doubt doubts")
	truth  = words("true so correct right case certain sure likely possible agreed given")
	// What a statement is called when it is taken back: … is something that we will not do, … which is not true.
	things   = words("something anything nothing thing what claim statement rumour rumor")
	pronouns = words("i we you they he she it nobody")
	pointing = words("which that this")
	// What ends the reach of a denial within a sentence.
	contrasts = words("but however instead yet whereas although though while because")
	// A number of things that have not come is a number of things that are wanted: it is bounded, and not denied.
	arrival = words("received arrived arrive come came delivered reached got here there")
)

// denied says whether the sentence of what stands at p denies it: in the clause of p, before p in the whole sentence ("it is
// false that …") or behind it ("… is something that I refuse to make"). A number of things that are not yet there is not denied.
func (t *Text) denied(sentence, clause, p span, number bool) bool {
	return t.deniedBefore(clause, p, number) || t.deniedBehind(clause, p, number) || t.falseThat(sentence, p) || t.takenBack(sentence, clause, p)
}

// deniedBefore looks from p back to the beginning of its clause.
func (t *Text) deniedBefore(clause, p span, number bool) bool {
	if t.ahead(clause, p) {
		return true
	}
	for i := p.from - 1; i >= clause.from; i-- {
		w := t.tokens[i].Text
		if is(bounds, w) || w == "of" && i == p.from-1 && t.definite(clause, i) {
			return false
		}
		switch {
		case negator(w) && (t.numbered(i) || t.needless(i, p)):
			return false
		case negator(w):
			return !number || !t.awaited(i, p.from)
		case is(refusing, w):
			return true
		case is(refusals, w) && (i == clause.from || !is(articles, t.tokens[i-1].Text)) && (p.from-i <= 3 || is([]string{"to", "that"}, t.tokens[i+1].Text)):
			return true
		}
	}
	return false
}

// deniedBehind looks from p on, past what may stand between a fact and the "not" that denies it.
func (t *Text) deniedBehind(clause, p span, number bool) bool {
	from := p.to
	if number && from < clause.to && wordy(t.tokens[from].Text) && !negator(t.tokens[from].Text) && !is(auxiliaries, t.tokens[from].Text) && !is(refusals, t.tokens[from].Text) {
		from++ // what is counted: 5 ropes are not needed
	}
	for i := from; i < clause.to; i++ {
		w := t.tokens[i].Text
		if negator(w) {
			if number && t.awaited(i, clause.to) {
				return false
			}
			if i+1 >= clause.to {
				return true
			}
			next := t.tokens[i+1].Text
			other := i == from && (is(articles, next) || '0' <= next[0] && next[0] <= '9') // for 16 May not 9 May
			return !other && !is(bounds, next)
		}
		if is(refusals, w) {
			return i > from && is(auxiliaries, t.tokens[i-1].Text) || i == from
		}
		if !is(auxiliaries, w) {
			return false
		}
	}
	return false
}

// awaited says whether the "not" at i speaks of things that have not come yet: "not yet", or a verb of coming close behind.
func (t *Text) awaited(i, to int) bool {
	if i > 0 && t.tokens[i-1].Text == "still" && !is([]string{"no", "never", "none"}, t.tokens[i].Text) {
		return true
	}
	for k := i + 1; k < min(to, i+4, len(t.tokens)); k++ {
		if w := t.tokens[k].Text; w == "yet" || is(arrival, w) {
			return true
		}
	}
	return false
}

// falseThat says whether p stands in a statement that its own sentence calls false before it: it is false that, it is not so
// that, we deny that. It reaches to the end of the sentence, or to a word of contrast.
func (t *Text) falseThat(sentence, p span) bool {
	for i := p.from - 1; i > sentence.from; i-- {
		w := t.tokens[i].Text
		if is(contrasts, w) || strings.ContainsAny(t.between(i, i+1), ";:") {
			return false
		}
		if w != "that" {
			continue
		}
		before := t.tokens[i-1].Text
		if is(untrue, before) && !t.negatedAt(sentence, i-1) || is(truth, before) && t.negatedAt(sentence, i-1) {
			return true
		}
	}
	return false
}

// negatedAt says whether a "not" stands right before a token, over "the" and "very".
func (t *Text) negatedAt(sentence span, i int) bool {
	for k := i - 1; k >= sentence.from && k >= i-3; k-- {
		if w := t.tokens[k].Text; negator(w) {
			return true
		} else if !is([]string{"the", "very", "quite", "a", "any", "longer"}, w) {
			return false
		}
	}
	return false
}

// takenBack says whether the sentence takes back, behind p, what it said: "… is something that I refuse to make", "… which is
// not true", "… I deny".
func (t *Text) takenBack(sentence, clause, p span) bool {
	for i := p.to; i < sentence.to; i++ {
		w := t.tokens[i].Text
		if is(contrasts, w) || i > p.to && strings.Contains(t.between(i-1, i), ";") {
			return false
		}
		if is(things, w) && t.names(clause, p, i) {
			for k := i + 1; k < min(sentence.to, i+6); k++ {
				if negator(t.tokens[k].Text) || is(refusing, t.tokens[k].Text) || is(refusals, t.tokens[k].Text) {
					return true
				}
			}
			if w == "nothing" && i+1 < sentence.to && t.tokens[i+1].Text == "that" {
				return true // … is nothing that we did
			}
		}
		if i < clause.to && is(refusing, w) && is(pronouns, t.tokens[i-1].Text) && i > p.to {
			return true
		}
		if (is(pointing, w) || w == "it") && i+2 < sentence.to && is(finite, t.tokens[i+1].Text) {
			next := t.tokens[i+2].Text
			if is([]string{"false", "untrue", "incorrect"}, next) || w != "it" && is([]string{"wrong", "refused", "rejected", "denied"}, next) || negator(next) && i+3 < sentence.to && (is(truth, t.tokens[i+3].Text) || t.tokens[i+3].Text == "the" && i+4 < sentence.to && t.tokens[i+4].Text == "case") {
				return true
			}
		}
	}
	return false
}

// names says whether the thing at i is what the fact's own clause is said to be, or what stands behind its comma: "… is
// something", "…, a thing". Of "there is something" it is not.
func (t *Text) names(clause, p span, i int) bool {
	if i > p.to && is(articles, t.tokens[i-1].Text) {
		i--
	}
	if i == clause.to {
		return t.between(i-1, i) == ", "
	}
	return i > p.to && i < clause.to && is(finite, t.tokens[i-1].Text) && t.tokens[i-2].Text != "there"
}

var (
	waiting  = words("still yet remain remains left due awaiting waiting")
	more     = words("further more extra additional other")
	dues     = words("approval approvals payment payments charge charges cost costs fee fees surcharge surcharges action signature permission deposit")
	todo     = words("pay do sign add approve")
	behindIt = words("for on with about")
)

// ahead says whether what stands at p is still to come: ropes that are still to be delivered were not delivered.
func (t *Text) ahead(clause, p span) bool {
	if p.from-2 < clause.from || t.tokens[p.from-1].Text != "be" || t.tokens[p.from-2].Text != "to" {
		return false
	}
	for i := max(clause.from, p.from-5); i < p.from-2; i++ {
		if is(waiting, t.tokens[i].Text) {
			return true
		}
	}
	return false
}

// needless says whether the "no" at i says that nothing is owed for what stands at p, which denies the debt and not the record: no
// further approval is needed for it, there is nothing to pay for it.
func (t *Text) needless(i int, p span) bool {
	k := i + 1
	for k < p.from && is(more, t.tokens[k].Text) {
		k++
	}
	owed := t.tokens[i].Text == "no" && k < p.from && is(dues, t.tokens[k].Text) ||
		t.tokens[i].Text == "nothing" && k+1 < p.from && t.tokens[k].Text == "to" && is(todo, t.tokens[k+1].Text)
	last := p.from - 1
	for last > k && (is(articles, t.tokens[last].Text) || is(words("booking order record"), t.tokens[last].Text)) {
		last--
	}
	return owed && is(behindIt, t.tokens[last].Text)
}
