package derive

import (
	"math/big"
)

// maxBits bounds what repeated products can cost.
const maxBits = 4096

// modes are the ways to round: up and down are towards plus and minus infinity, half_up takes a half away from zero, exact
// keeps the fraction.
var modes = []string{"up", "down", "half_up", "half_even", "toward_zero", "exact"}

// Round rounds to so many decimal places.
func Round(r *big.Rat, places int, mode string) *big.Rat {
	if mode == "exact" {
		return r
	}
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(places)), nil)
	num := new(big.Int).Mul(r.Num(), scale)
	quo, rem := new(big.Int).QuoRem(num, r.Denom(), new(big.Int)) // towards zero
	if rem.Sign() != 0 {
		half := new(big.Int).Mul(rem, big.NewInt(2))
		half.Abs(half)
		past := half.Cmp(r.Denom())
		away := false
		switch mode {
		case "up":
			away = r.Sign() > 0
		case "down":
			away = r.Sign() < 0
		case "half_up":
			away = past >= 0
		case "half_even":
			away = past > 0 || past == 0 && quo.Bit(0) == 1
		}
		if away {
			quo.Add(quo, big.NewInt(int64(r.Sign())))
		}
	}
	return new(big.Rat).SetFrac(quo, scale)
}

func bits(r *big.Rat) int { return r.Num().BitLen() + r.Denom().BitLen() }

func small2(e *Expr, r *big.Rat) error {
	if bits(r) > maxBits {
		return e.node.Errorf("%s: the number has more than %d bits; no honest figure has", e.Op, maxBits)
	}
	return nil
}

func fold(f func(a, b *big.Rat) *big.Rat) func(*Expr, []Value) (Value, error) {
	return func(e *Expr, args []Value) (Value, error) {
		sum := args[0].num
		for _, a := range args[1:] {
			sum = f(sum, a.num)
			if err := small2(e, sum); err != nil {
				return Value{}, err
			}
		}
		return NumberOf(sum, args[0].unit), nil
	}
}

func multiply(e *Expr, args []Value) (Value, error) {
	p, u := args[0].num, args[0].unit
	for _, a := range args[1:] {
		p, u = new(big.Rat).Mul(p, a.num), u.Mul(a.unit)
		if err := small2(e, p); err != nil {
			return Value{}, err
		}
	}
	return NumberOf(p, u), nil
}

func divide(e *Expr, args []Value) (Value, error) {
	if args[1].num.Sign() == 0 {
		return Value{}, e.node.Errorf("div: the divisor is zero; guard it with {if: [{eq: […]}, …]}")
	}
	q := Round(new(big.Rat).Quo(args[0].num, args[1].num), e.Place, e.Mode)
	if err := small2(e, q); err != nil {
		return Value{}, err
	}
	return NumberOf(q, args[0].unit.Div(args[1].unit)), nil
}

func unary(f func(*big.Rat) *big.Rat) func(*Expr, []Value) (Value, error) {
	return func(_ *Expr, args []Value) (Value, error) { return NumberOf(f(args[0].num), args[0].unit), nil }
}

// order compares two numbers or two dates.
func order(a, b Value) int {
	if a.kind == Date {
		return int(a.day - b.day)
	}
	return a.num.Cmp(b.num)
}

// bound gives the greater (sign 1) or the lesser (sign -1) of two.
func bound(a, b Value, sign int) Value {
	if order(b, a)*sign > 0 {
		return b
	}
	return a
}

func pick(sign int) func(*Expr, []Value) (Value, error) {
	return func(_ *Expr, args []Value) (Value, error) {
		best := args[0]
		for _, a := range args[1:] {
			best = bound(best, a, sign)
		}
		return best, nil
	}
}

func compare(holds func(int) bool) func(*Expr, []Value) (Value, error) {
	return func(_ *Expr, args []Value) (Value, error) {
		c := 1
		switch {
		case args[0].kind == Number || args[0].kind == Date:
			c = order(args[0], args[1])
		case args[0].Equal(args[1]):
			c = 0
		}
		return BoolOf(holds(c)), nil
	}
}

func addDays(e *Expr, args []Value) (Value, error) {
	n := args[1].num
	if !n.IsInt() || !n.Num().IsInt64() || n.Num().BitLen() > 30 {
		return Value{}, e.node.Errorf("add_days: %s is no whole number of days", args[1])
	}
	d := args[0].day + Day(n.Num().Int64())
	if !d.valid() {
		return Value{}, e.node.Errorf("add_days: the date lies outside the years 1 to 9999")
	}
	return DateOf(d), nil
}

// nextOf gives the earliest of the dates on or after one (strict: after it).
func nextOf(e *Expr, from Value, dates []Value, strict bool) (Value, error) {
	var best *Value
	for _, d := range dates {
		if d.day > from.day || d.day == from.day && !strict {
			if best == nil || d.day < best.day {
				best = &d
			}
		}
	}
	if best == nil {
		return Value{}, e.node.Errorf("next_of: none of %d dates is on or after %s", len(dates), from)
	}
	return *best, nil
}

// Order compares two numbers of one unit or two dates: -1, 0 or 1.
func Order(a, b Value) int {
	return max(-1, min(1, order(a, b)))
}
