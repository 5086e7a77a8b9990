package derive

import (
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/assaybench/assay/contract/exact"
)

// operator is one operator over operands: check gives the type of the result or says why the operands do not fit, and eval
// computes.
type operator struct {
	least, most int // operands; most 0: any number
	rounds      bool
	says        string
	check       func(args []Type) (Type, error)
	eval        func(e *Expr, args []Value) (Value, error)
}

// Operators lists the operators, sorted.
func Operators() []string {
	names := slices.Collect(maps.Keys(operators))
	for name := range rowOps {
		if operators[name] == nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Says gives an operator's meaning in a few words, for documents and explanations.
func Says(name string) string {
	if o := operators[name]; o != nil {
		return o.says
	}
	if o := rowOps[name]; o != nil {
		return o.says
	}
	return ""
}

var day = Unit{"day"}

var (
	number = Type{Kind: Number}
	truth  = Type{Kind: Bool}
	date   = Type{Kind: Date}
	text   = Type{Kind: Text}
)

var operators = map[string]*operator{
	"add": {2, 0, false, "the sum", alike(Number), fold(func(a, b *big.Rat) *big.Rat { return new(big.Rat).Add(a, b) })},
	"sub": {2, 2, false, "the first less the second", alike(Number), fold(func(a, b *big.Rat) *big.Rat { return new(big.Rat).Sub(a, b) })},
	"mul": {2, 0, false, "the product; units multiply", units(Unit.Mul), multiply},
	"div": {2, 2, true, "the quotient, rounded as declared; units divide", units(Unit.Div), divide},
	"neg": {1, 1, false, "with the other sign", alike(Number), unary(func(a *big.Rat) *big.Rat { return new(big.Rat).Neg(a) })},
	"abs": {1, 1, false, "without its sign", alike(Number), unary(func(a *big.Rat) *big.Rat { return new(big.Rat).Abs(a) })},
	"min": {2, 0, false, "the least; of rows with a field, the field's least", ordered, pick(-1)},
	"max": {2, 0, false, "the greatest; of rows with a field, the field's greatest", ordered, pick(1)},
	"clamp": {3, 3, false, "the first, brought between the second and the third", ordered, func(e *Expr, a []Value) (Value, error) {
		if order(a[1], a[2]) > 0 {
			return Value{}, e.node.Errorf("clamp: the lower bound %s is above the upper bound %s", a[1], a[2])
		}
		return bound(bound(a[0], a[1], 1), a[2], -1), nil
	}},
	"round": {1, 1, true, "rounded as declared", alike(Number), func(e *Expr, a []Value) (Value, error) {
		return NumberOf(Round(a[0].num, e.Place, e.Mode), a[0].unit), nil
	}},
	"add_days": {2, 2, false, "the date so many days later", dateAndDays, addDays},
	"days_between": {2, 2, false, "the days from the first date to the second, negative when it is earlier", only(Type{Kind: Number, Unit: day}, Date), func(_ *Expr, a []Value) (Value, error) {
		return NumberOf(new(big.Rat).SetInt64(int64(a[1].day-a[0].day)), day), nil
	}},
	"later":   {2, 0, false, "the latest date", only(date, Date), pick(1)},
	"earlier": {2, 0, false, "the earliest date", only(date, Date), pick(-1)},
	"weekday": {1, 1, false, "the day of the week, monday to sunday", only(text, Date), func(_ *Expr, a []Value) (Value, error) { return TextOf(a[0].day.Weekday()), nil }},
	"next_of": {2, 0, false, "of the dates after the first, the earliest on or after it; of rows, their field's", only(date, Date), func(e *Expr, a []Value) (Value, error) {
		return nextOf(e, a[0], a[1:], false)
	}},
	"if":     {3, 3, false, "the second where the first holds, else the third", choose, nil},
	"eq":     {2, 2, false, "whether both are equal", comparable, compare(func(c int) bool { return c == 0 })},
	"ne":     {2, 2, false, "whether they differ", comparable, compare(func(c int) bool { return c != 0 })},
	"lt":     {2, 2, false, "whether the first is less or earlier", comparing, compare(func(c int) bool { return c < 0 })},
	"le":     {2, 2, false, "whether the first is less, earlier or equal", comparing, compare(func(c int) bool { return c <= 0 })},
	"gt":     {2, 2, false, "whether the first is more or later", comparing, compare(func(c int) bool { return c > 0 })},
	"ge":     {2, 2, false, "whether the first is more, later or equal", comparing, compare(func(c int) bool { return c >= 0 })},
	"and":    {2, 0, false, "whether all hold", only(truth, Bool), nil},
	"or":     {2, 0, false, "whether one holds", only(truth, Bool), nil},
	"not":    {1, 1, false, "whether it does not hold", only(truth, Bool), func(_ *Expr, a []Value) (Value, error) { return BoolOf(!a[0].yes), nil }},
	"concat": {1, 0, false, "the texts one after the other; dates and numbers as they are written", written, join},
}

// alike wants operands of one kind and one unit, and gives the same.
func alike(kind Kind) func([]Type) (Type, error) {
	return func(args []Type) (Type, error) {
		for _, a := range args {
			if a.Kind != kind {
				return Type{}, fmt.Errorf("it takes %s, and this is %s", kind, a)
			}
			if a.Unit != args[0].Unit {
				return Type{}, fmt.Errorf("%s and %s do not add or compare; convert one by a factor with a unit, such as {mul: [hours, {const: 60, unit: minute/hour}]}", args[0].Unit.show(), a.Unit.show())
			}
		}
		return Type{Kind: kind, Unit: args[0].Unit}, nil
	}
}

// ordered wants numbers of one unit, or dates.
func ordered(args []Type) (Type, error) {
	if args[0].Kind == Date {
		return alike(Date)(args)
	}
	return alike(Number)(args)
}

func comparing(args []Type) (Type, error) {
	_, err := ordered(args)
	return truth, err
}

// comparable wants two of one kind that can be equal.
func comparable(args []Type) (Type, error) {
	if args[0].Kind == Rows || args[0].Kind == 0 {
		return Type{}, errors.New("rows are not compared; compare a count or a field")
	}
	_, err := alike(args[0].Kind)(args)
	return truth, err
}

func units(join func(Unit, Unit) Unit) func([]Type) (Type, error) {
	return func(args []Type) (Type, error) {
		out := number
		for i, a := range args {
			switch {
			case a.Kind != Number:
				return Type{}, fmt.Errorf("it takes a number, and this is %s", a)
			case i == 0:
				out.Unit = a.Unit
			default:
				out.Unit = join(out.Unit, a.Unit)
			}
		}
		return out, nil
	}
}

func only(result Type, kind Kind) func([]Type) (Type, error) {
	return func(args []Type) (Type, error) {
		_, err := alike(kind)(args)
		return result, err
	}
}

func dateAndDays(args []Type) (Type, error) {
	if args[0].Kind != Date || args[1].Kind != Number || args[1].Unit != day {
		return Type{}, fmt.Errorf("it takes a date and a number of the unit day, and these are %s and %s", args[0], args[1])
	}
	return date, nil
}

func choose(args []Type) (Type, error) {
	if args[0].Kind != Bool {
		return Type{}, fmt.Errorf("its first operand is a condition, and this is %s", args[0])
	}
	if !args[1].same(args[2]) || args[1].Kind == Rows {
		return Type{}, fmt.Errorf("both branches give the same kind and unit, and these are %s and %s", args[1], args[2])
	}
	return args[1], nil
}

func written(args []Type) (Type, error) {
	for _, a := range args {
		if a.Kind != Text && a.Kind != Number && a.Kind != Date {
			return Type{}, fmt.Errorf("it takes texts, numbers and dates, and this is %s", a)
		}
	}
	return text, nil
}

func join(_ *Expr, args []Value) (Value, error) {
	var b strings.Builder
	for _, a := range args {
		switch {
		case a.kind == Number:
			b.WriteString(exact.Decimal(a.num))
		default:
			b.WriteString(a.String())
		}
	}
	return TextOf(b.String()), nil
}
