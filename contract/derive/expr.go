package derive

import (
	"fmt"
	"slices"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/contract/exact"
)

// Expr is one node of an operator tree. Op is "name", "const" or an operator of Operators.
type Expr struct {
	sealed
	Op    string
	Name  string  // of a name: an input or another derivation
	Const Value   // of a const
	Why   string  // of a const: where the figure comes from
	Args  []*Expr // operands, in order
	Query *Query  // of an operator over rows
	Mode  string  // of div and round: how to round
	Place int     // of div and round: decimal places kept
	Type  Type    // known after Compile
	node  *bench.Node
}

// Query is what an operator over rows looks at.
type Query struct {
	sealed
	Of     *Expr  // rows
	Field  string // the field whose value counts; "" for count and exists
	Where  []Cond // all must hold
	Strict bool   // of next_of: after, and not on, the date
	unit   *Unit  // of count: the unit of the number
}

// Cond is a condition on one field of a row.
type Cond struct {
	sealed
	Field string
	Op    string  // eq ne lt le gt ge one_of
	To    []*Expr // one operand, or several of one_of
	node  *bench.Node
}

// Node gives the place of the expression in its file.
func (e *Expr) Node() *bench.Node { return e.node }

// Walk calls yield with the expression and everything below it.
func (e *Expr) Walk(yield func(*Expr)) {
	yield(e)
	for _, a := range e.Args {
		a.Walk(yield)
	}
	if e.Query != nil {
		e.Query.Of.Walk(yield)
		for _, c := range e.Query.Where {
			for _, t := range c.To {
				t.Walk(yield)
			}
		}
	}
}

// Parse reads an expression: the name of an input or derivation, {const: …, unit: …, why: …}, or {operator: operands}.
func Parse(n *bench.Node) (*Expr, error) {
	if n.Kind == bench.Scalar {
		if _, isText := exact.FromNode(n).(string); isText && !n.Quoted && n.Text != "" {
			return &Expr{Op: "name", Name: n.Text, node: n}, nil
		}
		return nil, n.Errorf("a name is wanted here; write a figure or a text as {const: %s, unit: …, why: …}", orX(n.Text))
	}
	if n.Kind == bench.List {
		return nil, n.Errorf("an operator is missing before this list; write {add: […]} or another operator")
	}
	if n.Get("const") != nil {
		return parseConst(n)
	}
	if len(n.Keys) != 1 {
		return nil, n.Errorf("one operator is wanted here, with its operands behind it, and this mapping has %d keys", len(n.Keys))
	}
	name, body := n.Keys[0].Text, n.Values[0]
	if body.Kind == bench.Map && rowOps[name] != nil {
		return parseQuery(name, n, body)
	}
	op := operators[name]
	if op == nil {
		return nil, n.Keys[0].Errorf("unknown operator %q%s", name, bench.Nearest(name, Operators()))
	}
	e := &Expr{Op: name, node: n}
	if op.rounds {
		return parseRounded(e, body)
	}
	list := []*bench.Node{body}
	if body.Kind == bench.List {
		list = body.Values
	}
	if len(list) < op.least || op.most > 0 && len(list) > op.most {
		return nil, body.Errorf("%s takes %s, and this has %d", name, op.count(), len(list))
	}
	for _, v := range list {
		a, err := Parse(v)
		if err != nil {
			return nil, err
		}
		e.Args = append(e.Args, a)
	}
	return e, nil
}

func orX(s string) string {
	if s == "" {
		return "…"
	}
	return s
}

// parseConst reads a figure that stands in the contract itself. The unit "date" makes a date of a text.
func parseConst(n *bench.Node) (*Expr, error) {
	f := bench.NewFields(n)
	raw, unit, why := f.Node("const"), f.Text("unit"), f.Text("why")
	if err := f.Done(); err != nil {
		return nil, err
	}
	e := &Expr{Op: "const", Why: why, node: n}
	t := Type{Kind: Text}
	switch x := exact.FromNode(raw).(type) {
	case bool:
		t.Kind = Bool
	case string:
		if _, ok := ParseDay(x); ok && !raw.Quoted {
			t.Kind = Date
		}
	case nil, []any, map[string]any:
		return nil, raw.Errorf("a constant is a number, a text, a date or true or false")
	default:
		t.Kind = Number
	}
	if unit != "" && t.Kind != Number {
		return nil, n.Errorf("only a number has a unit; leave it out")
	}
	u, err := ParseUnit(unit)
	if err != nil {
		return nil, n.Get("unit").Errorf("%s", err)
	}
	t.Unit = u
	if why == "" && (t.Kind == Number || t.Kind == Date) {
		return nil, n.Errorf("the constant %s stands bare; say under why where it comes from", exact.Text(exact.FromNode(raw)))
	}
	if e.Const, err = Read(exact.FromNode(raw), t); err != nil {
		return nil, raw.Errorf("%s", err)
	}
	return e, nil
}

// Constant makes an expression of a value that the program itself knows. n is where faults of it are told.
func Constant(v Value, why string, n *bench.Node) *Expr {
	return &Expr{Op: "const", Const: v, Why: why, node: n}
}

// parseRounded reads div and round, which say how they round.
func parseRounded(e *Expr, body *bench.Node) (*Expr, error) {
	if body.Kind != bench.Map {
		return nil, body.Errorf("%s says how it rounds; write {%s: {of: …, round: up, places: 0}}", e.Op, e.Op)
	}
	f := bench.NewFields(body)
	of, mode, places := f.Need("of"), f.NeedText("round"), f.Int("places")
	if err := f.Done(); err != nil {
		return nil, err
	}
	if !slices.Contains(modes, mode) {
		return nil, body.Get("round").Errorf("unknown way to round %q%s", mode, bench.Nearest(mode, modes))
	}
	if places < 0 || places > 12 {
		return nil, body.Get("places").Errorf("places goes from 0 to 12")
	}
	want := operators[e.Op].least
	list := []*bench.Node{of}
	if of.Kind == bench.List {
		list = of.Values
	}
	if len(list) != want {
		return nil, of.Errorf("%s takes %s, and this has %d", e.Op, operators[e.Op].count(), len(list))
	}
	e.Mode, e.Place = mode, places
	for _, v := range list {
		a, err := Parse(v)
		if err != nil {
			return nil, err
		}
		e.Args = append(e.Args, a)
	}
	return e, nil
}

func (o *operator) count() string {
	switch {
	case o.least == o.most && o.least == 1:
		return "one operand"
	case o.least == o.most:
		return fmt.Sprintf("%d operands", o.least)
	}
	return fmt.Sprintf("at least %d operands", o.least)
}
