package derive

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Unit is a product of powers of base units: "set", "set/axle", "EUR*day^-1". Equal units add and compare; a product
// multiplies them and a quotient divides them. The zero Unit is that of a bare number.
type Unit struct{ text string } // canonical: factors by name, then / and divisors by name

const maxPower = 9

// ParseUnit reads factors joined by * and /, each a name with an optional whole power: set, set/axle, m^2, 1/day.
func ParseUnit(s string) (Unit, error) {
	powers := map[string]int{}
	if strings.TrimSpace(s) == "" {
		return Unit{}, nil
	}
	sign, rest := 1, s
	for {
		i := strings.IndexAny(rest, "*/")
		factor := rest
		if i >= 0 {
			factor = rest[:i]
		}
		name, power, has := strings.Cut(strings.TrimSpace(factor), "^")
		n := 1
		if has {
			v, err := strconv.Atoi(power)
			if err != nil || v == 0 || v > maxPower || v < -maxPower {
				return Unit{}, fmt.Errorf("the unit %q: the power %q is no whole number from 1 to %d", s, power, maxPower)
			}
			n = v
		}
		if name != "1" {
			if !unitName(name) {
				return Unit{}, fmt.Errorf("the unit %q: %q is no name of a unit; names are letters, digits and _, and are joined by * and /", s, name)
			}
			powers[name] += sign * n
		}
		if i < 0 {
			break
		}
		sign = 1
		if rest[i] == '/' {
			sign = -1
		}
		rest = rest[i+1:]
	}
	return makeUnit(powers), nil
}

func unitName(s string) bool {
	for i, r := range s {
		if !unicode.IsLetter(r) && r != '_' && r != '%' && r != '€' && r != '$' && r != '£' && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return s != ""
}

func makeUnit(powers map[string]int) Unit {
	var over, under []string
	for _, name := range slices.Sorted(maps.Keys(powers)) {
		n := powers[name]
		switch {
		case n > 0:
			over = append(over, power(name, n))
		case n < 0:
			under = append(under, power(name, -n))
		}
	}
	text := strings.Join(over, "*")
	if len(under) > 0 {
		if text == "" {
			text = "1"
		}
		text += "/" + strings.Join(under, "/")
	}
	return Unit{text}
}

func power(name string, n int) string {
	if n == 1 {
		return name
	}
	return name + "^" + strconv.Itoa(n)
}

func (u Unit) powers() map[string]int {
	out := map[string]int{}
	sign := 1
	for _, f := range strings.FieldsFunc(strings.ReplaceAll(strings.ReplaceAll(u.text, "*", " * "), "/", " / "), unicode.IsSpace) {
		switch f {
		case "*":
			sign = 1
		case "/":
			sign = -1
		case "1":
		default:
			name, p, has := strings.Cut(f, "^")
			n := 1
			if has {
				n, _ = strconv.Atoi(p) // canonical text, written by makeUnit
			}
			out[name] += sign * n
		}
	}
	return out
}

// Mul gives the unit of a product.
func (u Unit) Mul(v Unit) Unit { return u.join(v, 1) }

// Div gives the unit of a quotient.
func (u Unit) Div(v Unit) Unit { return u.join(v, -1) }

func (u Unit) join(v Unit, sign int) Unit {
	p := u.powers()
	for name, n := range v.powers() {
		p[name] += sign * n
	}
	return makeUnit(p)
}

// String gives the canonical text, "" of a bare number.
func (u Unit) String() string { return u.text }

// show is String for messages.
func (u Unit) show() string {
	if u.text == "" {
		return "no unit"
	}
	return u.text
}
