// Package exact holds JSON values as a contract compares them: types never cross (a boolean is no number, a text is no
// number), numbers are equal by value to the last digit (12 equals 12.0), and texts are equal in Unicode's composed form.
//
// A value is nil, bool, string (NFC), *big.Rat, Huge, []any or map[string]any of such values. No float decides anything.
package exact

import (
	"bytes"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/text/unicode/norm"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/world"
)

// Bounds on what hostile input can cost. A number beyond them is no number that a contract could mean.
const (
	maxDigits = 400
	maxExp    = 400
	maxDepth  = 200
)

// Huge is a number with more digits than are computed with. It equals only the same digits.
type Huge string

// Decode reads one JSON value. The error says what is no JSON, or that it nests too deep.
func Decode(raw []byte) (any, error) {
	d := jsontext.NewDecoder(bytes.NewReader(raw))
	v, err := decode(d, 0)
	if err != nil {
		return nil, err
	}
	if rest := bytes.TrimSpace(raw[d.InputOffset():]); len(rest) > 0 {
		return nil, fmt.Errorf("text follows the JSON value")
	}
	return v, nil
}

func decode(d *jsontext.Decoder, depth int) (any, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("the JSON nests more than %d deep", maxDepth)
	}
	tok, err := d.ReadToken()
	if err != nil {
		return nil, fmt.Errorf("no JSON: %w", err)
	}
	switch tok.Kind() {
	case 'n':
		return nil, nil
	case 't', 'f':
		return tok.Bool(), nil
	case '"':
		return norm.NFC.String(tok.String()), nil
	case '0':
		return Number(tok.String()), nil
	case '[':
		list := []any{}
		for d.PeekKind() != ']' {
			v, err := decode(d, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err := d.ReadToken()
		return list, err
	case '{':
		m := map[string]any{}
		for d.PeekKind() != '}' {
			name, err := d.ReadToken()
			if err != nil {
				return nil, fmt.Errorf("no JSON: %w", err)
			}
			key := norm.NFC.String(name.String())
			v, err := decode(d, depth+1)
			if err != nil {
				return nil, err
			}
			m[key] = v
		}
		_, err := d.ReadToken()
		return m, err
	}
	return nil, fmt.Errorf("no JSON")
}

// Number gives the value of a JSON number: a *big.Rat, or Huge.
func Number(text string) any {
	if r, ok := Rat(text); ok {
		return r
	}
	return Huge(text)
}

// Rat reads a number in JSON's grammar, within the bounds.
func Rat(text string) (*big.Rat, bool) {
	mant, exp, has := strings.Cut(strings.ToLower(text), "e")
	if has {
		e, err := strconv.Atoi(exp)
		if err != nil || e > maxExp || e < -maxExp {
			return nil, false
		}
	}
	t := strings.TrimPrefix(mant, "-")
	whole, frac, point := strings.Cut(t, ".")
	if !digits(whole) || point && !digits(frac) || len(mant) > maxDigits {
		return nil, false
	}
	r, ok := new(big.Rat).SetString(text)
	return r, ok
}

func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// Column gives the value of a table's column as the store and the log hold it. A REAL counts as the shortest decimal that
// reads back as it, which is also how a tool's result writes it; bytes are {"$blob": base64}, as in the log.
func Column(v any) any {
	switch x := v.(type) {
	case nil, bool, *big.Rat, Huge, []any:
		return x
	case string:
		return norm.NFC.String(x)
	case int64:
		return new(big.Rat).SetInt64(x)
	case int:
		return new(big.Rat).SetInt64(int64(x))
	case float64:
		return Number(strconv.FormatFloat(x, 'g', -1, 64))
	case world.Blob:
		raw, err := x.MarshalJSON()
		if err != nil {
			return Huge("blob")
		}
		d, err := Decode(raw)
		if err != nil {
			return Huge("blob")
		}
		return d
	case map[string]any:
		m := make(map[string]any, len(x))
		for k, w := range x {
			m[k] = Column(w)
		}
		return m
	}
	return Huge(fmt.Sprint(v)) // nothing that a store holds; equal to nothing a contract says
}

// FromNode gives a place of a file as such a value: plain numbers, true, false and null are what they look like, everything
// in quotes is text.
func FromNode(n *bench.Node) any {
	switch n.Kind {
	case bench.List:
		list := make([]any, len(n.Values))
		for i, v := range n.Values {
			list[i] = FromNode(v)
		}
		return list
	case bench.Map:
		m := make(map[string]any, len(n.Keys))
		for i, k := range n.Keys {
			m[norm.NFC.String(k.Text)] = FromNode(n.Values[i])
		}
		return m
	}
	switch v := n.Any().(type) {
	case nil, bool:
		return v
	case bench.Number:
		return Number(string(v))
	}
	return norm.NFC.String(n.Text)
}

// Equal compares by type and value. Lists are equal element by element, objects key by key.
func Equal(a, b any) bool {
	switch x := a.(type) {
	case nil:
		return b == nil
	case bool:
		y, ok := b.(bool)
		return ok && x == y
	case string:
		y, ok := b.(string)
		return ok && x == y
	case Huge:
		y, ok := b.(Huge)
		return ok && x == y
	case *big.Rat:
		y, ok := b.(*big.Rat)
		return ok && x.Cmp(y) == 0
	case []any:
		y, ok := b.([]any)
		return ok && slices.EqualFunc(x, y, Equal)
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for k, v := range x {
			if w, has := y[k]; !has || !Equal(v, w) {
				return false
			}
		}
		return true
	}
	return false
}
