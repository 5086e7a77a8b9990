// Package compat matches as another engine's contracts mean it, for contracts that are imported and judged by their own
// rules. Its decisions are looser than those of package contract; docs/contract-format.md lists where they differ.
package compat

import (
	"math/big"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unsafe"

	"github.com/assaybench/assay/contract/exact"
)

// ResultContains says whether a fragment stands in a result, at any depth. An object's keys must all match in one object; a
// list's elements must each match some element, whatever their order and number. Truth values equal 0 and 1. Both are
// values as exact.Decode gives them.
func ResultContains(actual, fragment any) bool {
	return (&matcher{seen: map[pair]bool{}}).contains(actual, fragment)
}

// matcher remembers what it compared: a fragment may be looked for at any depth on every level, which would otherwise take
// exponential time in a hostile contract.
type matcher struct{ seen map[pair]bool }

// pair is an object or a list of the result, and one of the fragment.
type pair struct {
	have, want     unsafe.Pointer
	haveN, wantN   int
	haveIs, wantIs bool // a list
}

func (m *matcher) contains(actual, fragment any) bool {
	switch fragment.(type) {
	case map[string]any, []any:
	default:
		return exact.Equal(number(actual), number(fragment))
	}
	var k pair
	k.have, k.haveN, k.haveIs = place(actual)
	k.want, k.wantN, k.wantIs = place(fragment)
	if k.have == nil || k.want == nil {
		return m.compare(actual, fragment)
	}
	r, ok := m.seen[k]
	if !ok {
		r = m.compare(actual, fragment)
		m.seen[k] = r
	}
	return r
}

// place tells one object or list from any other that is alive; nil for what has no parts.
func place(v any) (unsafe.Pointer, int, bool) {
	switch x := v.(type) {
	case map[string]any:
		return reflect.ValueOf(x).UnsafePointer(), len(x), false
	case []any:
		return unsafe.Pointer(unsafe.SliceData(x)), len(x), true
	}
	return nil, 0, false
}

func (m *matcher) compare(actual, fragment any) bool {
	switch want := fragment.(type) {
	case map[string]any:
		switch have := actual.(type) {
		case map[string]any:
			if m.holdsKeys(have, want) {
				return true
			}
			for _, v := range have {
				if m.contains(v, fragment) {
					return true
				}
			}
		case []any:
			return slices.ContainsFunc(have, func(v any) bool { return m.contains(v, fragment) })
		}
	case []any:
		have, ok := actual.([]any)
		if !ok {
			return false
		}
		for _, w := range want {
			if !slices.ContainsFunc(have, func(v any) bool { return m.contains(v, w) }) {
				return false
			}
		}
		return true
	}
	return false
}

func (m *matcher) holdsKeys(have, want map[string]any) bool {
	for k, w := range want {
		v, ok := have[k]
		if !ok || !m.contains(v, w) {
			return false
		}
	}
	return true
}

// number takes a truth value as the number that it is in that engine's language.
func number(v any) any {
	b, ok := v.(bool)
	switch {
	case !ok:
		return v
	case b:
		return big.NewRat(1, 1)
	}
	return new(big.Rat)
}

// FactsMatch says whether every fact stands in a text as a run of tokens: small letters and digits of ASCII, everything
// else between them. Without facts any text that is not blank will do. A fact without a token matches nothing.
func FactsMatch(text string, facts []string) bool {
	if strings.TrimSpace(text) == "" {
		return false
	}
	padded := " " + strings.Join(tokens(text), " ") + " "
	for _, f := range facts {
		t := tokens(f)
		if len(t) == 0 || !strings.Contains(padded, " "+strings.Join(t, " ")+" ") {
			return false
		}
	}
	return true
}

func tokens(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}
