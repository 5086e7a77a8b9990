package contract

import (
	"math/big"
	"slices"
	"strings"

	"github.com/assaybench/assay/contract/derive"
	"github.com/assaybench/assay/contract/exact"
)

// sameAs compares by type. In a column a derived number may stand as a text of digits, and a truth value as 0 or 1.
func sameAs(want resolved, v any, w where) bool {
	if want.typed.Kind() == derive.Set {
		list, ok := v.([]any)
		return ok && sameSet(want.typed, list)
	}
	if exact.Equal(want.json, v) {
		return true
	}
	if w != inColumn {
		return false
	}
	switch want.typed.Kind() {
	case derive.Number:
		s, ok := v.(string)
		if !ok {
			return false
		}
		r, ok := exact.Rat(s)
		return ok && r.Cmp(want.typed.Rat()) == 0
	case derive.Bool:
		r, ok := v.(*big.Rat)
		yes, _ := want.typed.Truth()
		return ok && r.IsInt() && r.Num().IsInt64() && (r.Num().Int64() == 1 && yes || r.Sign() == 0 && !yes)
	}
	return false
}

// sameSet compares a derived set with a list; order and repetition say nothing.
func sameSet(want derive.Value, list []any) bool {
	members := want.Members()
	for _, m := range members {
		if !slices.ContainsFunc(list, func(e any) bool { return exact.Equal(e, m.JSON()) }) {
			return false
		}
	}
	for _, e := range list {
		if !slices.ContainsFunc(members, func(m derive.Value) bool { return exact.Equal(e, m.JSON()) }) {
			return false
		}
	}
	return true
}

// ordering compares two numbers, or two dates or times of the same form.
func ordering(a, b any) (int, bool) {
	switch x := a.(type) {
	case *big.Rat:
		y, ok := b.(*big.Rat)
		if !ok {
			return 0, false
		}
		return x.Cmp(y), true
	case string:
		y, ok := b.(string)
		if !ok || len(x) < 10 || len(y) < 10 {
			return 0, false
		}
		if _, ok := derive.ParseDay(x[:10]); !ok {
			return 0, false
		}
		if _, ok := derive.ParseDay(y[:10]); !ok {
			return 0, false
		}
		if len(x) != len(y) { // a date against a time: by day
			return strings.Compare(x[:10], y[:10]), true
		}
		return strings.Compare(x, y), true
	}
	return 0, false
}
