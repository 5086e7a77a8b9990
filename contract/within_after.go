package contract

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/assaybench/assay/contract/derive"
)

// after takes the value behind the words of w in a text whose white space is squeezed. The words must stand exactly once,
// as whole words: a second place would make it a guess which one counts.
func (w *Within) after(text string, t derive.Type) (any, error) {
	places := []int{}
	for from := 0; ; {
		i := strings.Index(text[from:], w.After)
		if i < 0 {
			break
		}
		begin, end := from+i, from+i+len(w.After)
		if boundary(text, begin) && boundary(text, end) {
			places = append(places, end)
		}
		from = begin + 1
	}
	if len(places) != 1 {
		return nil, fmt.Errorf("the words %q stand %d times in the text; once is wanted", w.After, len(places))
	}
	rest := strings.TrimLeft(text[places[0]:], " :=|\t")
	if t.Kind == derive.Date {
		words := strings.FieldsFunc(rest, func(r rune) bool { return r == ' ' || r == ',' })
		for n := 1; n <= min(3, len(words)); n++ { // 2031-04-16, or 16 April 2031
			if d, ok := day(strings.TrimRight(strings.Join(words[:n], " "), ".;)")); ok {
				return d.String(), nil
			}
		}
		return nil, fmt.Errorf("no date follows the words %q", w.After)
	}
	for _, sign := range []string{"EUR ", "USD ", "GBP ", "€ ", "€", "$", "£"} {
		if t.Kind == derive.Number {
			rest = strings.TrimPrefix(rest, sign)
		}
	}
	word, _, _ := strings.Cut(rest, " ")
	word = strings.TrimRight(word, ".,;:)!?")
	if t.Kind == derive.Number {
		word = strings.TrimRight(word, "%") // the unit says what it is
	}
	word = strings.Trim(word, "\"'()")
	if word == "" {
		return nil, fmt.Errorf("nothing follows the words %q", w.After)
	}
	return typed(word, t)
}

// boundary tells whether no word goes on across a place of a text.
func boundary(s string, i int) bool {
	inside := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	before, after := strings.LastIndexFunc(s[:i], func(rune) bool { return true }), []rune(s[i:min(len(s), i+4)])
	if before < 0 || len(after) == 0 {
		return true
	}
	return !inside([]rune(s[before:i])[0]) || !inside(after[0])
}

var monthNames = []string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"}

// day reads a date as files write it: 2031-04-16, 20310416, 16 April 2031, April 16 2031. A date that could be two days is none.
func day(s string) (derive.Day, bool) {
	if len(s) > 10 && (s[10] == 'T' || s[10] == ' ') && s[4] == '-' {
		s = s[:10]
	}
	if len(s) == 15 && s[8] == 'T' || len(s) == 16 && s[8] == 'T' && s[15] == 'Z' {
		s = s[:8]
	}
	if len(s) == 8 && strings.Trim(s, "0123456789") == "" {
		s = s[:4] + "-" + s[4:6] + "-" + s[6:]
	}
	if d, ok := derive.ParseDay(s); ok {
		return d, true
	}
	parts := strings.Fields(strings.ToLower(s))
	if len(parts) != 3 {
		return 0, false
	}
	named := func(w string) int {
		return 1 + slices.IndexFunc(monthNames, func(m string) bool { return w == m || w == m[:3] })
	}
	dd, mm := parts[0], named(parts[1])
	if mm == 0 {
		dd, mm = parts[1], named(parts[0])
	}
	n, err := strconv.Atoi(dd)
	if mm == 0 || err != nil || len(dd) > 2 || len(parts[2]) != 4 {
		return 0, false
	}
	return derive.ParseDay(fmt.Sprintf("%s-%02d-%02d", parts[2], mm, n))
}
