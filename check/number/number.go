// Package number reads numbers as answers write them, in one documented grammar, and compares them exactly: no float is
// ever involved.
//
//	number   = [ sign ] [ "$" ] [ sign ] digits [ "." digits ]     with at most one sign
//	sign     = "-" | "−" (U+2212)
//	digits   = "0"…"9" and more, or one to three of them and then groups of three behind commas
//
// White space around the number, and between "$" and it, is let go. Everything else is unread: a plus, a percent sign, a
// unit, an exponent, nan, a bare point, commas in other places.
package number

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
)

// maxDigits bounds the work that a hostile answer can cause; no honest answer comes near it.
const maxDigits = 1000

// Decimal is an exact decimal number: coef divided by ten to the power scale.
type Decimal struct {
	coef  big.Int
	scale int
}

// ErrUnread is wrapped by every error of Parse.
var ErrUnread = errors.New("not a number")

// Parse reads a number.
func Parse(s string) (Decimal, error) {
	t := strings.TrimSpace(s)
	if len(t) > 2*maxDigits {
		return Decimal{}, fmt.Errorf("%w: more than %d digits", ErrUnread, maxDigits)
	}
	t, neg := cutSign(t)
	if rest, ok := strings.CutPrefix(t, "$"); ok {
		t = strings.TrimSpace(rest)
		if !neg {
			t, neg = cutSign(t)
		}
	}
	whole, frac, point := strings.Cut(t, ".")
	if point && !digits(frac) {
		return Decimal{}, fmt.Errorf("%w: %q", ErrUnread, clip(s))
	}
	whole, ok := ungroup(whole)
	if !ok {
		return Decimal{}, fmt.Errorf("%w: %q", ErrUnread, clip(s))
	}
	if len(whole)+len(frac) > maxDigits {
		return Decimal{}, fmt.Errorf("%w: more than %d digits", ErrUnread, maxDigits)
	}
	var d Decimal
	d.coef.SetString(whole+frac, 10)
	d.scale = len(frac)
	if neg {
		d.coef.Neg(&d.coef)
	}
	return d, nil
}

func cutSign(s string) (string, bool) {
	for _, sign := range []string{"-", "−"} {
		if rest, ok := strings.CutPrefix(s, sign); ok {
			return rest, true
		}
	}
	return s, false
}

// ungroup takes the commas out of "1,234,567"; commas anywhere else make it no number.
func ungroup(s string) (string, bool) {
	if !strings.Contains(s, ",") {
		return s, digits(s)
	}
	groups := strings.Split(s, ",")
	for i, g := range groups {
		if !digits(g) || i > 0 && len(g) != 3 || len(g) > 3 {
			return "", false
		}
	}
	return strings.Join(groups, ""), true
}

func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

func clip(s string) string {
	if len(s) > 60 {
		return strings.ToValidUTF8(s[:60], "") + "…"
	}
	return s
}

// Cmp compares by value: -1, 0 or 1.
func (d Decimal) Cmp(e Decimal) int {
	a, b := align(d, e)
	return a.Cmp(b)
}

// Within reports whether d lies within tolerance of e; the bounds belong to it.
func (d Decimal) Within(e, tolerance Decimal) bool {
	a, b := align(d, e)
	diff := Decimal{scale: max(d.scale, e.scale)}
	diff.coef.Sub(a, b)
	diff.coef.Abs(&diff.coef)
	return diff.Cmp(tolerance) <= 0
}

// Add gives the exact sum.
func (d Decimal) Add(e Decimal) Decimal {
	a, b := align(d, e)
	sum := Decimal{scale: max(d.scale, e.scale)}
	sum.coef.Add(a, b)
	return sum
}

// Unit gives one unit of the last written place: 0.01 for 71.50.
func (d Decimal) Unit() Decimal {
	u := Decimal{scale: d.scale}
	u.coef.SetInt64(1)
	return u
}

// Negative reports whether d is below zero.
func (d Decimal) Negative() bool { return d.coef.Sign() < 0 }

// String writes the number with all its places and no grouping.
func (d Decimal) String() string {
	s := d.coef.String()
	sign := ""
	if s[0] == '-' {
		sign, s = "-", s[1:]
	}
	if d.scale == 0 {
		return sign + s
	}
	if len(s) <= d.scale {
		s = strings.Repeat("0", d.scale-len(s)+1) + s
	}
	return sign + s[:len(s)-d.scale] + "." + s[len(s)-d.scale:]
}

// Plain writes the number in its shortest form: no trailing zeros behind the point, no leading ones, no negative zero.
func (d Decimal) Plain() string {
	s := d.String()
	if d.scale > 0 {
		s = strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// align gives both coefficients at the larger scale.
func align(d, e Decimal) (a, b *big.Int) {
	raise := func(x Decimal, scale int) *big.Int {
		p := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale-x.scale)), nil)
		return p.Mul(p, &x.coef)
	}
	scale := max(d.scale, e.scale)
	return raise(d, scale), raise(e, scale)
}
