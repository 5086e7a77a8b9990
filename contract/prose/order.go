package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Words that stand before a noun, and what cannot follow them; words that join, and what cannot follow those. All are words of
// a closed class, which English puts in few places: a text whose words were thrown together breaks these rules again and
// again, and one that somebody wrote hardly ever does.
var (
	openNoun   = words("the an a our your their my its")
	afterNoun  = words("the a an of and or but is are was were has have had we they he she that which who because been would should could with from")
	afterAnd   = words("and or but")
	be         = words("is are was were")
	afterBe    = words("is are was were has have had will would can could must should and but or")
	carriers   = words("of for with from at in on by to")
	afterCarry = words("is are was were has had have of we they he she i will would must can could should but because")
	plurals    = words("we they")
	singulars  = words("he she")
	lastNever  = words("the an our your their my and or but because if which a")
	lastSeldom = words("of for with from at by to we they he she who when as is are was were")
	modals     = words("will would can could may must should shall might")
	afterModal = words("of is are was were and or has had a an the by from with for at")
	turners    = words("before after until since during while although whether if because")
	afterTurn  = words("is are was were of has have")
	relative   = words("which who whose whom please very no")
	afterRel   = words("of and or but the a an by from for with")
	common     = words("the an our your their we they it this that these those of and or but is are was were in on at by for from with to as if when which who because please not there here")
)

// Jumbled says whether the words of a text stand in no order that sentences have. It looks at words beside each other alone:
// of a text of some thirty words thrown together it finds almost nine in ten, and of texts that people wrote one in a hundred, such
// as lists of names and of figures.
func (t *Text) Jumbled() bool { return t.Disorder() >= 2+t.Words()/60 }

// Disorder counts what no sentence has: two for what is never right, one for what seldom is. Small letters after a full stop,
// and figures beside figures, count once however often they come: those are habits and tables.
func (t *Text) Disorder() int {
	n, small, figures := 0, 0, 0
	for _, c := range t.sentences() {
		if first, _ := utf8.DecodeRuneInString(t.word(c.from)); unicode.IsLower(first) && c.from > 0 && strings.Contains(t.between(c.from-1, c.from), ". ") {
			small = 1
		}
		for i := c.from; i+1 < c.to; i++ {
			if t.between(i, i+1) == " " && digitsFirst(t.word(i)) && digitsFirst(t.word(i+1)) {
				figures = 1
			}
		}
		n += t.breaksIn(c)
	}
	return n + small + figures
}

func (t *Text) breaksIn(c span) int {
	n := 0
	if last := t.lower(c.to - 1); c.to-c.from > 2 {
		switch {
		case is(lastNever, last):
			n += 2
		case is(lastSeldom, last):
			n++
		}
	}
	title := t.title(c)
	for i := c.from; i+1 < c.to; i++ {
		if t.between(i, i+1) != " " || t.joined(i+1) || t.joined(i-1) {
			continue
		}
		a, b := t.lower(i), t.lower(i+1)
		switch {
		case is(openNoun, a) && is(afterNoun, b):
			n += 2
		case is(afterAnd, a) && is(afterAnd, b):
			n += 2
		case is(be, a) && is(afterBe, b):
			n++
		case is(carriers, a) && is(afterCarry, b):
			n++
		case is(plurals, a) && is(words("is was has"), b), is(singulars, a) && is(words("are were have"), b), a == "we" && is(plurals, b):
			n += 2
		case is(plurals, a) && is(words("of and by the"), b):
			n++
		case is(modals, a) && i > c.from && is(afterModal, b), is(turners, a) && is(afterTurn, b):
			n++
		case is(relative, a) && is(afterRel, b) && !(a == "which" || a == "who" || a == "whose" || a == "whom") || is(words("which who whose whom"), a) && is(words("of and or but a an"), b):
			n++
		case a != "" && a == b && a != "had" && a != "that":
			n += 2
		case a == "a" && vowel(b), a == "an" && b != "" && !vowel(b) && !strings.HasPrefix(b, "h") && !capitals(t.word(i+1)):
			n++
		}
		// A common word with a capital inside a sentence came from the beginning of another.
		if w := t.word(i + 1); !title && len(w) > 1 && w[0] >= 'A' && w[0] <= 'Z' && is(common, strings.ToLower(w)) && !capitals(w) {
			n++
		}
	}
	return n
}

// title says whether most words of a run have a capital in front, as those of headings have.
func (t *Text) title(c span) bool {
	big, all := 0, 0
	for i := c.from; i < c.to; i++ {
		if w := t.word(i); wordy(w) {
			all++
			if w[0] >= 'A' && w[0] <= 'Z' {
				big++
			}
		}
	}
	return big*2 > all
}

// word gives a token as it was written.
func (t *Text) word(i int) string { return t.s[t.tokens[i].Start:t.tokens[i].End] }

// lower gives a token that was written in small letters, or with a capital in front; "" for names in capitals (IT, A).
func (t *Text) lower(i int) string {
	w := t.word(i)
	if w == "" || w[0] >= 'A' && w[0] <= 'Z' && (len(w) == 1 || capitals(w)) {
		return ""
	}
	return t.tokens[i].Text
}

func digitsFirst(w string) bool { return w != "" && '0' <= w[0] && w[0] <= '9' }

func capitals(w string) bool { return w == strings.ToUpper(w) }

func vowel(w string) bool {
	if strings.HasPrefix(w, "u") || strings.HasPrefix(w, "eu") || strings.HasPrefix(w, "one") || w == "" {
		return false // a unit, a one-off
	}
	return strings.ContainsRune("aeio", rune(w[0]))
}
