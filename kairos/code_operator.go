package kairos

import "math"

func (c *compiler) unary(e *Unary) code {
	if e.Op == "not" {
		return boxed(c.test(e))
	}
	x := c.expr(e.X)
	if e.Op == "+" {
		return x
	}
	return func(fr *frame) (value, error) {
		v, err := x(fr)
		if err != nil {
			return v, err
		}
		n, err := asNumber(v, e.X.Span())
		return number(-n), err
	}
}

// boxed makes code of a test.
func boxed(t func(*frame) (bool, error)) code {
	return func(fr *frame) (value, error) {
		b, err := t(fr)
		return boolean(b), err
	}
}

func (c *compiler) binary(e *Binary) code {
	switch e.Op {
	case "and", "or", "==", "!=", "<", "<=", ">", ">=", "in":
		return boxed(c.test(e))
	}
	l, r := c.expr(e.L), c.expr(e.R)
	op := arithmetic(e.Op)
	return func(fr *frame) (value, error) {
		a, err := l(fr)
		if err != nil {
			return a, err
		}
		b, err := r(fr)
		if err != nil {
			return b, err
		}
		if a.kind != kindNumber {
			return value{}, notNumber(a, e.L.Span())
		}
		if b.kind != kindNumber {
			return value{}, notNumber(b, e.R.Span())
		}
		return number(op(a.num, b.num)), nil
	}
}

func arithmetic(op string) func(a, b float64) float64 {
	switch op {
	case "+":
		return func(a, b float64) float64 { return a + b }
	case "-":
		return func(a, b float64) float64 { return a - b }
	case "*":
		return func(a, b float64) float64 { return a * b }
	case "/":
		return func(a, b float64) float64 { return a / b }
	case "div":
		return func(a, b float64) float64 { return math.Floor(a / b) }
	default: // mod
		return modulo
	}
}

// modulo is the remainder that has the sign of b; it is not a number when b is zero.
func modulo(a, b float64) float64 {
	const safe = 1 << 53
	if x, y := int64(a), int64(b); float64(x) == a && float64(y) == b && y != 0 && x < safe && x > -safe && y < safe && y > -safe {
		m := x % y
		if m != 0 && (m < 0) != (y < 0) {
			m += y
		}
		return float64(m)
	}
	return math.Mod(math.Mod(a, b)+b, b)
}

// test compiles an expression that must be true or false.
func (c *compiler) test(e Expr) func(*frame) (bool, error) {
	switch e := e.(type) {
	case *Unary:
		if e.Op == "not" {
			x := c.test(e.X)
			return func(fr *frame) (bool, error) {
				b, err := x(fr)
				return !b, err
			}
		}
	case *Binary:
		switch e.Op {
		case "and":
			l, r := c.test(e.L), c.test(e.R)
			return func(fr *frame) (bool, error) {
				if b, err := l(fr); err != nil || !b {
					return false, err
				}
				return r(fr)
			}
		case "or":
			l, r := c.test(e.L), c.test(e.R)
			return func(fr *frame) (bool, error) {
				if b, err := l(fr); err != nil || b {
					return b, err
				}
				return r(fr)
			}
		case "==", "!=":
			l, r, want := c.expr(e.L), c.expr(e.R), e.Op == "=="
			return func(fr *frame) (bool, error) {
				a, err := l(fr)
				if err != nil {
					return false, err
				}
				b, err := r(fr)
				if err != nil {
					return false, err
				}
				if err := c.ev.comparing(a, 1); err != nil {
					return false, err
				}
				return same(a, b) == want, nil
			}
		case "<", "<=", ">", ">=":
			return c.compare(e)
		case "in":
			return c.in(e)
		}
	}
	x := c.expr(e)
	return func(fr *frame) (bool, error) {
		v, err := x(fr)
		if err != nil {
			return false, err
		}
		if v.kind != kindBool {
			return false, fail(e.Span(), "value.not-bool", v.kind)
		}
		return v.int != 0, nil
	}
}

func (c *compiler) compare(e *Binary) func(*frame) (bool, error) {
	l, r := c.expr(e.L), c.expr(e.R)
	var op func(a, b float64) bool
	switch e.Op {
	case "<":
		op = func(a, b float64) bool { return a < b }
	case "<=":
		op = func(a, b float64) bool { return a <= b }
	case ">":
		op = func(a, b float64) bool { return a > b }
	default:
		op = func(a, b float64) bool { return a >= b }
	}
	return func(fr *frame) (bool, error) {
		a, err := l(fr)
		if err != nil {
			return false, err
		}
		b, err := r(fr)
		if err != nil {
			return false, err
		}
		if a.kind != kindNumber {
			return false, notNumber(a, e.L.Span())
		}
		if b.kind != kindNumber {
			return false, notNumber(b, e.R.Span())
		}
		return op(a.num, b.num), nil
	}
}

func (c *compiler) in(e *Binary) func(*frame) (bool, error) {
	l, r := c.expr(e.L), c.expr(e.R)
	return func(fr *frame) (bool, error) {
		a, err := l(fr)
		if err != nil {
			return false, err
		}
		b, err := r(fr)
		if err != nil {
			return false, err
		}
		if b.kind != kindList {
			return false, fail(e.R.Span(), "value.in-non-list", b.kind)
		}
		list := b.ref.([]value)
		if err := c.ev.comparing(a, len(list)); err != nil {
			return false, placed(err, e.span)
		}
		for _, x := range list {
			if same(a, x) {
				return true, nil
			}
		}
		return false, nil
	}
}

// same is the equality of values: scalars by type and value, points by instant, times by time of day; any two others are
// the same only when they are one.
func same(a, b value) bool {
	if a.kind != b.kind {
		return false
	}
	switch a.kind {
	case kindNumber:
		return a.num == b.num
	case kindBool, kindPoint, kindTime:
		return a.int == b.int
	case kindString:
		return a.ref.(string) == b.ref.(string)
	case kindNone, kindList:
		return false
	}
	return a.ref == b.ref
}
