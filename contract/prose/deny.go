package prose

import (
	"slices"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/check/token"
)

var (
	negators = words("not no never neither nor cannot none nothing nobody unable without")
	// A denial that one of these follows bounds the fact and does not deny it: not before the 16th, no later than.
	bounds = words("before until till earlier sooner later than less fewer more unless only just least")
	// What may stand between a fact and the "not" that denies it.
	auxiliaries = words("is was were are be been being has have had will would could can may might should shall must did does do it this that still yet now also then on for at in the a an")
	finite      = words("is was are were has have had will can could may must shall should does did do")
	refusals    = words("refused rejected declined cancelled canceled denied failed withdrawn impossible unavailable unconfirmed wrong false incorrect untrue")
	articles    = words("the a an this that these those our your its their every any each")
	functions   = words("the a an of to for in on at by with from and or is are was were be been has have had will would can could should may must it we i you they he she this that these those our your their its as not no there until before after once so because but if when which who please")
)

func words(s string) []string { return strings.Fields(s) }

func is(list []string, s string) bool { return slices.Contains(list, s) }

func negator(s string) bool {
	return is(negators, s) || strings.HasSuffix(s, "n't") || s == "dont" || s == "didnt" || s == "wont" || s == "cant" || s == "isnt" || s == "wasnt"
}

// definite says whether "of" belongs to something taken as known: "cannot close the gap of five" does not deny the five.
func (t *Text) definite(clause span, of int) bool {
	for i := of - 1; i >= clause.from && i >= of-3; i-- {
		if is(articles, t.tokens[i].Text) && t.tokens[i].Text != "a" && t.tokens[i].Text != "an" && t.tokens[i].Text != "any" {
			return true
		}
	}
	return false
}

// prose says whether a run of tokens is a sentence of words and no list of keywords: two words beside the facts, and among
// all words one that joins others or has the ending of a verb.
func (t *Text) prose(s span, taken []bool) bool {
	others, joins := 0, false
	for i := s.from; i < s.to; i++ {
		w := t.tokens[i].Text
		if taken[i] || !wordy(w) {
			continue
		}
		others++
		joins = joins || is(functions, w) || len(w) > 3 && (strings.HasSuffix(w, "ed") || strings.HasSuffix(w, "ing") || strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss"))
	}
	return others >= 2 && joins
}

// Sentences counts the sentences of words.
func (t *Text) Sentences() int {
	n := 0
	taken := make([]bool, len(t.tokens))
	for _, s := range t.sentences() {
		if t.prose(s, taken) {
			n++
		}
	}
	return n
}

// Words counts the words of a text as a reader does: what stands between white space or dashes, and holds a letter or a
// digit. D-22, 12 and May are one word each.
func (t *Text) Words() int {
	n := 0
	for _, piece := range strings.FieldsFunc(t.s, func(r rune) bool { return unicode.IsSpace(r) || r == '—' || r == '–' }) {
		if strings.ContainsFunc(piece, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) {
			n++
		}
	}
	return n
}

// Blank says whether a text shows nothing.
func Blank(s string) bool { return token.Blank(s) }

// Serialized says whether a text is data in place of words: a JSON object or list.
func Serialized(s string) bool {
	s = strings.TrimSpace(s)
	return s != "" && (s[0] == '{' || s[0] == '[') && jsontext.Value(s).IsValid()
}

var (
	leads      = words("none no nope nothing nil nobody neither never not na zero")
	idioms     = []string{"no doubt", "no question", "not only", "nothing but", "none other", "no less", "not least", "no fewer"}
	exceptions = words("except excepting excluding besides unless save barring")
)

// Negative says whether a text begins with a plain no: none, nothing, no blocker, there is none. What follows may explain;
// it may make no exception.
func Negative(s string) bool {
	t := Prepare(s)
	k := t.tokens
	for len(k) > 0 && is(words("there is are was were currently at present we i have has had found find see saw know of"), k[0].Text) {
		k = k[1:]
	}
	// "No, …" answers a question that nobody sees: what follows it must be a no as well.
	if len(k) > 1 && is(words("no nope"), k[0].Text) && strings.HasPrefix(strings.TrimSpace(t.s[k[0].End:k[1].Start]), ",") && !Negative(t.s[k[1].Start:]) {
		return false
	}
	if len(k) == 0 || !is(leads, k[0].Text) && !negator(k[0].Text) && !(k[0].Text == "n" && len(k) > 1 && k[1].Text == "a") {
		return false
	}
	if len(k) > 1 && is(idioms, k[0].Text+" "+k[1].Text) {
		return false
	}
	for i := range k {
		if is(exceptions, k[i].Text) || i+1 < len(k) && is([]string{"other than", "apart from", "aside from"}, k[i].Text+" "+k[i+1].Text) {
			return false
		}
	}
	return true
}
