package exact

import (
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Text writes a value as JSON with sorted keys; equal values give equal texts. Numbers are decimals where they have one of
// bounded length, else fractions.
func Text(v any) string {
	var b strings.Builder
	write(&b, v)
	return b.String()
}

func write(b *strings.Builder, v any) {
	switch x := v.(type) {
	case nil:
		b.WriteString("null")
	case bool:
		b.WriteString(strconv.FormatBool(x))
	case string:
		b.WriteString(strconv.Quote(x))
	case *big.Rat:
		b.WriteString(Decimal(x))
	case Huge:
		b.WriteString(string(x))
	case []any:
		b.WriteByte('[')
		for i, e := range x {
			if i > 0 {
				b.WriteByte(',')
			}
			write(b, e)
		}
		b.WriteByte(']')
	case map[string]any:
		b.WriteByte('{')
		for i, k := range slices.Sorted(maps.Keys(x)) {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(strconv.Quote(k))
			b.WriteByte(':')
			write(b, x[k])
		}
		b.WriteByte('}')
	}
}

// Decimal writes a number exactly: 12, -0.5, or 1/3 where no decimal ends.
func Decimal(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	if n, exact := r.FloatPrec(); exact {
		return r.FloatString(n)
	}
	return r.RatString()
}

// Scalars calls yield with every scalar inside a value, in the order of sorted keys.
func Scalars(v any, yield func(any)) {
	switch x := v.(type) {
	case []any:
		for _, e := range x {
			Scalars(e, yield)
		}
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(x)) {
			Scalars(x[k], yield)
		}
	default:
		yield(v)
	}
}

// JSON writes a value as JSON, with sorted keys. A number that no decimal ends is written as a text of its fraction.
func JSON(v any) []byte {
	switch x := v.(type) {
	case string:
		b, err := jsontext.AppendQuote(nil, x)
		if err != nil { // no valid UTF-8
			b, _ = jsontext.AppendQuote(nil, strings.ToValidUTF8(x, "\uFFFD"))
		}
		return b
	case *big.Rat:
		if d := Decimal(x); !strings.Contains(d, "/") {
			return []byte(d)
		}
		return JSON(Decimal(x))
	case []any:
		b := []byte{'['}
		for i, e := range x {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(b, JSON(e)...)
		}
		return append(b, ']')
	case map[string]any:
		b := []byte{'{'}
		for i, k := range slices.Sorted(maps.Keys(x)) {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(append(append(b, JSON(k)...), ':'), JSON(x[k])...)
		}
		return append(b, '}')
	}
	return []byte(Text(v))
}
