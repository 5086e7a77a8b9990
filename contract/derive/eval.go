package derive

import "slices"

// eval computes an expression that Compile has checked.
func (r *Run) eval(e *Expr) (Value, error) {
	switch e.Op {
	case "name":
		return r.Value(e.Name)
	case "const", "literal":
		return e.Const, nil
	case "if": // only the branch that is taken is computed
		cond, err := r.eval(e.Args[0])
		if err != nil {
			return Value{}, err
		}
		if cond.yes {
			return r.eval(e.Args[1])
		}
		return r.eval(e.Args[2])
	case "and", "or": // as far as needed, so that a condition can guard the next
		for _, a := range e.Args {
			v, err := r.eval(a)
			if err != nil || v.yes == (e.Op == "or") {
				return v, err
			}
		}
		return BoolOf(e.Op == "and"), nil
	}
	args := make([]Value, len(e.Args))
	for i, a := range e.Args {
		v, err := r.eval(a)
		if err != nil {
			return Value{}, err
		}
		args[i] = v
	}
	if e.Query == nil {
		if slices.Contains(comparators, e.Op) {
			r.pairs(args)
		}
		return operators[e.Op].eval(e, args)
	}
	return r.query(e, args)
}

// comparators are the operators whose value turns on which of their operands is the greater, or on their being equal.
var comparators = []string{"eq", "ne", "lt", "le", "gt", "ge", "min", "max", "clamp", "later", "earlier", "next_of"}

func (r *Run) pairs(vals []Value) {
	if r.Compared == nil || len(vals) > maxPairs {
		return
	}
	for i := range vals {
		for _, b := range vals[:i] {
			r.Compared(vals[i], b)
		}
	}
}

const maxPairs = 50 // operands of which every two are told; more would say little

func (r *Run) query(e *Expr, args []Value) (Value, error) {
	q := e.Query
	rows, err := r.eval(q.Of)
	if err != nil {
		return Value{}, err
	}
	operands := make([][]Value, len(q.Where))
	for i, c := range q.Where {
		for _, o := range c.To {
			v, err := r.eval(o)
			if err != nil {
				return Value{}, err
			}
			operands[i] = append(operands[i], v)
		}
	}
	fields := q.Of.Type.Fields
	var vals []Value
	n := 0
	for _, row := range rows.rows {
		ok, err := q.fits(row, operands, fields, r.Compared)
		if err != nil {
			return Value{}, err
		}
		if !ok {
			continue
		}
		n++
		if q.Field == "" {
			continue
		}
		raw, has := row[q.Field]
		if !has || raw == nil {
			return Value{}, e.node.Errorf("%s: a row that fits has no value in the field %q; leave it out with where, or correct the seed", e.Op, q.Field)
		}
		v, err := Read(raw, fields[q.Field])
		if err != nil {
			return Value{}, e.node.Errorf("%s: the field %q: %s", e.Op, q.Field, err)
		}
		vals = append(vals, v)
	}
	if slices.Contains(comparators, e.Op) {
		r.pairs(append(slices.Clip(vals), args...))
	}
	return rowOps[e.Op].eval(e, vals, n, args)
}
