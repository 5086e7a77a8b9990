package derive

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/assaybench/assay/contract/exact"
)

// Kind is the kind of a value.
type Kind int

// Kinds. Rows come from reads alone; a Set is a list of values whose order and repetition say nothing.
const (
	Text Kind = iota + 1
	Bool
	Number
	Date
	Set
	Rows
)

func (k Kind) String() string {
	return [...]string{"nothing", "a text", "a truth value", "a number", "a date", "a set", "rows"}[k]
}

// Type is what is known of a value before it is seen.
type Type struct {
	Kind    Kind
	Unit    Unit            // of a number
	Integer bool            // of a number that must be whole when it is read
	Fields  map[string]Type // of rows: the fields that may be spoken of
	Of      *Type           // of a set
}

func (t Type) String() string {
	if t.Kind == Number {
		return "a number (" + t.Unit.show() + ")"
	}
	return t.Kind.String()
}

func (t Type) same(u Type) bool { return t.Kind == u.Kind && t.Unit == u.Unit }

// Value is one value. The zero Value is nothing.
type Value struct {
	sealed
	kind Kind
	text string
	yes  bool
	num  *big.Rat
	unit Unit
	day  Day
	set  []Value
	rows []row
}

// row keeps what was read; fields are taken out of it by their declared type when they are asked for.
type row map[string]any

// TextOf, BoolOf, NumberOf and DateOf make values.
func TextOf(s string) Value { return Value{kind: Text, text: norm.NFC.String(s)} }

// BoolOf makes a truth value.
func BoolOf(b bool) Value { return Value{kind: Bool, yes: b} }

// NumberOf makes a number with a unit.
func NumberOf(r *big.Rat, u Unit) Value { return Value{kind: Number, num: r, unit: u} }

// DateOf makes a date.
func DateOf(d Day) Value { return Value{kind: Date, day: d} }

// SetOf makes a set; equal members count once.
func SetOf(members ...Value) Value {
	s := slices.Clone(members)
	slices.SortFunc(s, func(a, b Value) int { return strings.Compare(a.sortKey(), b.sortKey()) })
	return Value{kind: Set, set: slices.CompactFunc(s, Value.Equal)}
}

func (v Value) sortKey() string { return fmt.Sprint(int(v.kind)) + v.String() }

// Kind gives the value's kind, 0 of nothing.
func (v Value) Kind() Kind { return v.kind }

// Unit gives a number's unit.
func (v Value) Unit() Unit { return v.unit }

// Rat gives a number's value, nil of anything else. It must not be changed.
func (v Value) Rat() *big.Rat { return v.num }

// Day gives a date's day.
func (v Value) Day() (Day, bool) { return v.day, v.kind == Date }

// Truth gives a truth value.
func (v Value) Truth() (value, ok bool) { return v.yes, v.kind == Bool }

// Members gives a set's members, sorted.
func (v Value) Members() []Value { return v.set }

// Len gives the number of rows or members.
func (v Value) Len() int { return len(v.rows) + len(v.set) }

// RowList gives the rows, as package exact holds them; they must not be changed.
func (v Value) RowList() []map[string]any {
	out := make([]map[string]any, len(v.rows))
	for i, r := range v.rows {
		out[i] = r
	}
	return out
}

// Equal compares by kind, unit and value.
func (v Value) Equal(w Value) bool {
	if v.kind != w.kind {
		return false
	}
	switch v.kind {
	case Text:
		return v.text == w.text
	case Bool:
		return v.yes == w.yes
	case Number:
		return v.unit == w.unit && v.num.Cmp(w.num) == 0
	case Date:
		return v.day == w.day
	case Set:
		return slices.EqualFunc(v.set, w.set, Value.Equal)
	case Rows:
		return slices.EqualFunc(v.rows, w.rows, func(a, b row) bool { return exact.Equal(map[string]any(a), map[string]any(b)) })
	}
	return true
}

// JSON gives the value as an argument or a column holds it: texts, numbers, dates as YYYY-MM-DD, truth values, lists.
func (v Value) JSON() any {
	switch v.kind {
	case Text:
		return v.text
	case Bool:
		return v.yes
	case Number:
		return v.num
	case Date:
		return v.day.String()
	case Set:
		list := make([]any, len(v.set))
		for i, m := range v.set {
			list[i] = m.JSON()
		}
		return list
	case Rows:
		list := make([]any, len(v.rows))
		for i, r := range v.rows {
			list[i] = map[string]any(r)
		}
		return list
	}
	return nil
}

// String gives the value for people: 12 set, 2031-04-16, A.
func (v Value) String() string {
	switch v.kind {
	case Text:
		return v.text
	case Number:
		return strings.TrimSpace(exact.Decimal(v.num) + " " + v.unit.text)
	case Date:
		return v.day.String()
	case Set:
		parts := make([]string, len(v.set))
		for i, m := range v.set {
			parts[i] = m.String()
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case Rows:
		return fmt.Sprintf("%d rows", len(v.rows))
	case Bool:
		return fmt.Sprint(v.yes)
	}
	return "nothing"
}

// Read takes what a tool gave as a value of a type. A number may stand as JSON number or, for decimals, as a text of digits;
// a date is a text that begins with YYYY-MM-DD. null is never a value: what is not there is not zero.
func Read(raw any, t Type) (Value, error) {
	switch t.Kind {
	case Text:
		if s, ok := raw.(string); ok {
			return TextOf(s), nil
		}
	case Bool:
		switch b := raw.(type) {
		case bool:
			return BoolOf(b), nil
		}
	case Number:
		r, ok := raw.(*big.Rat)
		if s, isText := raw.(string); isText && !t.Integer {
			r, ok = exact.Rat(strings.TrimSpace(s))
		}
		if ok && (!t.Integer || r.IsInt()) {
			return NumberOf(r, t.Unit), nil
		}
	case Date:
		if s, ok := raw.(string); ok {
			if len(s) > 10 && (s[10] == 'T' || s[10] == ' ') {
				s = s[:10]
			}
			if d, ok := ParseDay(s); ok {
				return DateOf(d), nil
			}
		}
	case Set:
		if list, ok := raw.([]any); ok {
			members := make([]Value, len(list))
			for i, e := range list {
				m, err := Read(e, *t.Of)
				if err != nil {
					return Value{}, err
				}
				members[i] = m
			}
			return SetOf(members...), nil
		}
	case Rows:
		if list, ok := raw.([]any); ok {
			v := Value{kind: Rows, rows: make([]row, len(list))}
			for i, e := range list {
				m, ok := e.(map[string]any)
				if !ok {
					return Value{}, fmt.Errorf("element %d of the list is no object", i)
				}
				v.rows[i] = m
			}
			return v, nil
		}
	}
	want := t.Kind.String()
	if t.Integer {
		want = "a whole number"
	}
	return Value{}, fmt.Errorf("%s is wanted, and the world gives %s", want, clip(exact.Text(raw)))
}

func clip(s string) string {
	if len(s) > 80 {
		return strings.ToValidUTF8(s[:80], "") + "…"
	}
	return s
}
