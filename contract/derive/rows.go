package derive

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/assaybench/assay/contract/exact"
)

// rowOp is one operator over rows. check sees the type of the field that counts (the zero Type without one), eval the
// values of that field in the rows that fit.
type rowOp struct {
	field bool
	says  string
	check func(q *Query, field Type) (Type, error)
	eval  func(e *Expr, vals []Value, n int, args []Value) (Value, error)
}

var rowOps = map[string]*rowOp{
	"sum": {true, "the sum of a field over the rows that fit", wantNumber, func(e *Expr, vals []Value, _ int, _ []Value) (Value, error) {
		sum := new(big.Rat)
		for _, v := range vals {
			sum.Add(sum, v.num)
			if err := small2(e, sum); err != nil {
				return Value{}, err
			}
		}
		return NumberOf(sum, e.Type.Unit), nil
	}},
	"count": {false, "how many rows fit", func(q *Query, _ Type) (Type, error) {
		if q.unit != nil {
			return Type{Kind: Number, Unit: *q.unit}, nil
		}
		return number, nil
	}, func(e *Expr, _ []Value, n int, _ []Value) (Value, error) {
		return NumberOf(new(big.Rat).SetInt64(int64(n)), e.Type.Unit), nil
	}},
	"exists": {false, "whether a row fits", func(*Query, Type) (Type, error) { return truth, nil },
		func(_ *Expr, _ []Value, n int, _ []Value) (Value, error) { return BoolOf(n > 0), nil }},
	"min": {true, "", wantOrdered, extreme(-1)},
	"max": {true, "", wantOrdered, extreme(1)},
	"first": {true, "a field of the first row that fits, in the order in which the world gives rows", same, func(e *Expr, vals []Value, _ int, _ []Value) (Value, error) {
		if len(vals) == 0 {
			return Value{}, none(e)
		}
		return vals[0], nil
	}},
	"lookup": {true, "a field of the one row that fits", same, func(e *Expr, vals []Value, _ int, _ []Value) (Value, error) {
		switch len(vals) {
		case 0:
			return Value{}, none(e)
		case 1:
			return vals[0], nil
		}
		return Value{}, e.node.Errorf("lookup: %d rows fit, and it wants one; narrow where, or write first", len(vals))
	}},
	"collect": {true, "a field of all rows that fit, as a set", func(_ *Query, f Type) (Type, error) { return Type{Kind: Set, Of: &f}, nil },
		func(_ *Expr, vals []Value, _ int, _ []Value) (Value, error) { return SetOf(vals...), nil }},
	"next_of": {true, "", func(_ *Query, f Type) (Type, error) {
		if f.Kind != Date {
			return Type{}, fmt.Errorf("it takes a field of dates, and this is %s", f)
		}
		return date, nil
	}, func(e *Expr, vals []Value, _ int, args []Value) (Value, error) {
		return nextOf(e, args[0], vals, e.Query.Strict)
	}},
}

func none(e *Expr) error {
	return e.node.Errorf("%s: no row fits; what is not there is not zero: use count or exists, or correct where", e.Op)
}

func same(_ *Query, f Type) (Type, error) { return f, nil }

func wantNumber(_ *Query, f Type) (Type, error) {
	if f.Kind != Number {
		return Type{}, fmt.Errorf("it takes a field of numbers, and this is %s", f)
	}
	return Type{Kind: Number, Unit: f.Unit}, nil
}

func wantOrdered(_ *Query, f Type) (Type, error) {
	if f.Kind != Number && f.Kind != Date {
		return Type{}, fmt.Errorf("it takes a field of numbers or dates, and this is %s", f)
	}
	return f, nil
}

func extreme(sign int) func(*Expr, []Value, int, []Value) (Value, error) {
	return func(e *Expr, vals []Value, _ int, _ []Value) (Value, error) {
		if len(vals) == 0 {
			return Value{}, none(e)
		}
		return pick(sign)(e, vals)
	}
}

// fits says whether a row satisfies every condition; compared, if any, is told what was compared.
func (q *Query) fits(r row, operands [][]Value, fields map[string]Type, compared func(a, b Value)) (bool, error) {
	for i, c := range q.Where {
		raw, has := r[c.Field]
		if !has {
			return false, c.node.Errorf("a row that was read has no field %q", c.Field)
		}
		if raw == nil { // null is equal to nothing, and neither less nor more
			if c.Op == "ne" {
				continue
			}
			return false, nil
		}
		v, err := Read(raw, fields[c.Field])
		if err != nil {
			return false, c.node.Errorf("the field %q: %s", c.Field, err)
		}
		if compared != nil {
			for _, o := range operands[i] {
				compared(v, o)
			}
		}
		if !slices.ContainsFunc(operands[i], func(o Value) bool { return c.holds(v, o) }) {
			return false, nil
		}
	}
	return true, nil
}

func (c *Cond) holds(v, o Value) bool {
	switch c.Op {
	case "eq", "one_of":
		return v.Equal(o)
	case "ne":
		return !v.Equal(o)
	}
	d := order(v, o)
	switch c.Op {
	case "lt":
		return d < 0
	case "le":
		return d <= 0
	case "gt":
		return d > 0
	}
	return d >= 0
}

// literal reads an operand of where as the field that it is compared with.
func literal(e *Expr, t Type) (Value, error) {
	v, err := Read(exact.FromNode(e.node), t)
	if err != nil {
		return Value{}, e.node.Errorf("the value %s does not fit the field, which is %s; put a text in quotes", exact.Text(exact.FromNode(e.node)), t)
	}
	return v, nil
}
