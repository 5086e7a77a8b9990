package derive

import (
	"slices"

	"github.com/assaybench/assay/bench"
)

func parseQuery(name string, n, body *bench.Node) (*Expr, error) {
	op := rowOps[name]
	f := bench.NewFields(body)
	q := &Query{}
	of := f.Need("of")
	if op.field {
		q.Field = f.NeedText("field")
	}
	where := f.Node("where")
	var from *bench.Node
	if name == "next_of" {
		from = f.Need("from")
		q.Strict = f.Bool("strict", false)
	}
	if name == "count" {
		if u := f.Node("unit"); u != nil {
			unit, err := ParseUnit(u.Text)
			if err != nil {
				f.Fault(u.Errorf("%s", err))
			}
			q.unit = &unit
		}
	}
	if err := f.Done(); err != nil {
		return nil, err
	}
	e := &Expr{Op: name, Query: q, node: n}
	var err error
	if q.Of, err = Parse(of); err != nil {
		return nil, err
	}
	if from != nil {
		a, err := Parse(from)
		if err != nil {
			return nil, err
		}
		e.Args = []*Expr{a}
	}
	if where == nil {
		return e, nil
	}
	if where.Kind != bench.Map || len(where.Keys) == 0 {
		return nil, where.Errorf("where is a mapping of fields to values, such as {status: FREE}")
	}
	for i, k := range where.Keys {
		conds, err := parseCond(k.Text, where.Values[i])
		if err != nil {
			return nil, err
		}
		q.Where = append(q.Where, conds...)
	}
	return e, nil
}

var comparisons = []string{"eq", "ne", "lt", "le", "gt", "ge"}

// parseCond reads what stands behind a field of where: a literal, {value: NAME}, {one_of: […]} or comparisons.
func parseCond(field string, n *bench.Node) ([]Cond, error) {
	switch n.Kind {
	case bench.Scalar:
		return []Cond{{Field: field, Op: "eq", To: []*Expr{{Op: "literal", node: n}}, node: n}}, nil
	case bench.List:
		return nil, n.Errorf("write {one_of: […]} where several values will do")
	}
	if len(n.Keys) == 0 {
		return nil, n.Errorf("an empty condition holds of everything; leave it out")
	}
	var out []Cond
	for i, k := range n.Keys {
		v := n.Values[i]
		c := Cond{Field: field, Op: k.Text, node: n}
		switch {
		case k.Text == "one_of":
			if v.Kind != bench.List || len(v.Values) == 0 {
				return nil, v.Errorf("one_of takes a list of values")
			}
			for _, m := range v.Values {
				o, err := operand(m)
				if err != nil {
					return nil, err
				}
				c.To = append(c.To, o)
			}
		case k.Text == "value":
			c.Op = "eq"
			fallthrough
		case slices.Contains(comparisons, k.Text):
			o, err := operand(v)
			if err != nil {
				return nil, err
			}
			if k.Text == "value" {
				if o, err = Parse(v); err != nil {
					return nil, err
				}
			}
			c.To = []*Expr{o}
		default:
			return nil, k.Errorf("unknown condition %q%s", k.Text, bench.Nearest(k.Text, append([]string{"value", "one_of"}, comparisons...)))
		}
		out = append(out, c)
	}
	return out, nil
}

// operand is a literal, or {value: EXPRESSION}.
func operand(n *bench.Node) (*Expr, error) {
	if n.Kind == bench.Scalar {
		return &Expr{Op: "literal", node: n}, nil
	}
	if n.Kind == bench.Map && len(n.Keys) == 1 && n.Keys[0].Text == "value" {
		return Parse(n.Values[0])
	}
	if n.Kind == bench.Map {
		return Parse(n)
	}
	return nil, n.Errorf("a value is wanted here, or {value: NAME}")
}
