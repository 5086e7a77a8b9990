package contract

import (
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/assaybench/assay/contract/derive"
	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/contract/prose"
)

// told is what an agent had been shown so far.
type told struct {
	numbers map[string]bool // in decimal form
	texts   map[string]bool // as they came
	keys    map[string]bool // single names, by their tokens
	long    []*prose.Text   // what is more than one word
	parts   map[string]bool // of dates: "2034", "05", "5"
}

func newTold() *told {
	return &told{numbers: map[string]bool{}, texts: map[string]bool{}, keys: map[string]bool{}, parts: map[string]bool{}}
}

func (t *told) value(v any) {
	exact.Scalars(v, func(v any) {
		switch x := v.(type) {
		case *big.Rat:
			t.numbers[exact.Decimal(x)] = true
		case string:
			t.text(x)
		}
	})
}

func tokenKey(s string) string { return strings.Join(prose.Tokens(s), " ") }

func (t *told) text(s string) {
	if s == "" || t.texts[s] {
		return
	}
	t.texts[s] = true
	if r, ok := exact.Rat(s); ok {
		t.numbers[exact.Decimal(r)] = true
	}
	list := pieces(s)
	if len(list) > 1 {
		t.long = append(t.long, prose.Prepare(s))
	} else {
		t.keys[tokenKey(s)] = true
	}
	for _, piece := range list {
		day, _, _ := strings.Cut(piece, "T") // a time begins with its day
		if _, ok := derive.ParseDay(day); !ok {
			continue
		}
		t.keys[tokenKey(day)] = true
		for part := range strings.SplitSeq(day, "-") {
			n, _ := strconv.Atoi(part)
			t.parts[part], t.parts[strconv.Itoa(n)] = true, true
		}
	}
}

// all says whether everything in a value was shown.
func (t *told) all(v any) bool {
	yes := true
	exact.Scalars(v, func(v any) {
		switch x := v.(type) {
		case *big.Rat:
			yes = yes && t.number(x)
		case string:
			yes = yes && t.shown(x)
		}
	})
	return yes
}

func (t *told) mentioned(f prose.Fact) bool {
	n := prose.NewNeedle(f)
	return slices.ContainsFunc(t.long, n.In)
}

func (t *told) number(r *big.Rat) bool {
	return t.numbers[exact.Decimal(r)] || t.mentioned(prose.Fact{Number: r})
}

func (t *told) shown(s string) bool {
	if t.texts[s] || t.keys[tokenKey(s)] || t.mentioned(prose.Fact{Text: s}) {
		return true
	}
	d, ok := derive.ParseDay(s)
	return ok && t.mentioned(prose.Fact{Day: &d})
}

// unknown gives what of a value an agent could not know, "" for nothing. One word that stands for a record, a person or a state
// must have been shown; one that the agent words by itself (worded) need not.
func (t *told) unknown(v any, read, worded bool) string {
	switch x := v.(type) {
	case *big.Rat:
		if !read && !t.number(x) {
			return exact.Decimal(x)
		}
	case string:
		return t.unknownText(x, read, worded)
	}
	return ""
}

func (t *told) unknownText(s string, read, worded bool) string {
	list := pieces(s)
	if t.shown(s) {
		return ""
	}
	for _, piece := range list {
		digit := strings.ContainsFunc(piece, unicode.IsDigit)
		_, day := derive.ParseDay(piece)
		switch {
		case t.shown(piece), read && day:
		case len(list) == 1 && (digit || !read && (!worded || strings.ContainsAny(piece, "-_/:@."))):
			return piece
		case digit && !t.figures(piece):
			return piece
		}
	}
	return ""
}

// figures says whether the parts of a word that hold digits were shown: of "5-day" the 5.
func (t *told) figures(piece string) bool {
	for _, tok := range prose.Tokens(piece) {
		if !strings.ContainsFunc(tok, unicode.IsDigit) || t.parts[tok] || t.shown(tok) {
			continue
		}
		r, ok := exact.Rat(strings.TrimRight(tok, "stndrh")) // 16th
		if !ok || !t.number(r) && !t.parts[exact.Decimal(r)] {
			return false
		}
	}
	return true
}

// pieces gives a text's words without the marks around them.
func pieces(s string) []string {
	var out []string
	for _, f := range strings.Fields(s) {
		if f = strings.TrimFunc(f, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }); f != "" {
			out = append(out, f)
		}
	}
	return out
}
