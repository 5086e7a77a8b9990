package derive

import (
	"maps"
	"slices"
	"strings"

	"github.com/assaybench/assay/bench"
)

// checker finds the type of every name, depth first.
type checker struct {
	p     *Program
	state map[string]int // 1 under way, 2 done, 3 faulty
	path  []string
	errs  []error
}

// resolve checks a name; ok is false when it is faulty, which is reported once.
func (c *checker) resolve(name string, from *bench.Node) bool {
	switch c.state[name] {
	case 1:
		i := slices.Index(c.path, name)
		c.errs = append(c.errs, from.Errorf("a cycle: %s; a derivation cannot stand on itself", strings.Join(append(slices.Clone(c.path[i:]), name), " → ")))
		return false
	case 2:
		return true
	case 3:
		return false
	}
	in, d := c.p.inputs[name], c.p.defs[name]
	if in == nil && d == nil {
		c.errs = append(c.errs, from.Errorf("there is no input or derivation %q%s", name, bench.Nearest(name, c.known())))
		return false
	}
	c.state[name] = 1
	c.path = append(c.path, name)
	ok := true
	var t Type
	if in != nil {
		for _, dep := range in.Deps {
			ok = c.resolve(dep, in.Node) && ok
		}
		t = in.Type
	} else {
		t, ok = c.expr(d.Expr)
		if ok && d.Unit != nil && t.Kind != Number {
			c.errs = append(c.errs, d.Node.Errorf("%q declares the unit %s and is %s; leave the unit out", name, d.Unit.show(), t))
			ok = false
		} else if ok && d.Unit != nil && *d.Unit != t.Unit {
			c.errs = append(c.errs, d.Node.Errorf("%q declares the unit %s, and its operators give %s", name, d.Unit.show(), t.Unit.show()))
			ok = false
		}
	}
	c.path = c.path[:len(c.path)-1]
	c.state[name] = 3
	if ok {
		c.state[name] = 2
		c.p.types[name] = t
		c.p.order = append(c.p.order, name)
	}
	return ok
}

func (c *checker) known() []string {
	return slices.Sorted(maps.Keys(mergeKeys(c.p)))
}

func mergeKeys(p *Program) map[string]bool {
	out := map[string]bool{}
	for k := range p.inputs {
		out[k] = true
	}
	for k := range p.defs {
		out[k] = true
	}
	return out
}

func (c *checker) fail(n *bench.Node, format string, args ...any) (Type, bool) {
	c.errs = append(c.errs, n.Errorf(format, args...))
	return Type{}, false
}

func (c *checker) expr(e *Expr) (Type, bool) {
	t, ok := c.infer(e)
	e.Type = t
	return t, ok
}

func (c *checker) infer(e *Expr) (Type, bool) {
	switch e.Op {
	case "name":
		if !c.resolve(e.Name, e.node) {
			return Type{}, false
		}
		return c.p.types[e.Name], true
	case "const":
		return Type{Kind: e.Const.kind, Unit: e.Const.unit}, true
	}
	types := make([]Type, len(e.Args))
	good := true
	for i, a := range e.Args {
		t, ok := c.expr(a)
		types[i], good = t, good && ok
	}
	if !good {
		return Type{}, false
	}
	if e.Query != nil {
		return c.query(e, types)
	}
	t, err := operators[e.Op].check(types)
	if err != nil {
		return c.fail(e.node, "%s: %s", e.Op, err)
	}
	return t, true
}

func (c *checker) query(e *Expr, args []Type) (Type, bool) {
	q := e.Query
	rows, ok := c.expr(q.Of)
	if !ok {
		return Type{}, false
	}
	if rows.Kind != Rows {
		return c.fail(q.Of.node, "%s: rows are wanted, and this is %s; declare the input with type: rows", e.Op, rows)
	}
	if len(args) == 1 && args[0].Kind != Date {
		return c.fail(e.Args[0].node, "%s: from is a date, and this is %s", e.Op, args[0])
	}
	known := slices.Sorted(maps.Keys(rows.Fields))
	missing := func(n *bench.Node, name string) (Type, bool) {
		return c.fail(n, "%s: the field %q of %s is not declared%s; write it under the input, as fields: {%s: {type: integer, unit: …}}", e.Op, name, q.Of.Name, bench.Nearest(name, known), name)
	}
	var field Type
	if q.Field != "" {
		if field, ok = rows.Fields[q.Field]; !ok {
			return missing(e.node, q.Field)
		}
	}
	for _, cond := range q.Where {
		t, ok := rows.Fields[cond.Field]
		if !ok {
			return missing(cond.node, cond.Field)
		}
		if t.Kind != Number && t.Kind != Date && cond.Op != "eq" && cond.Op != "ne" && cond.Op != "one_of" {
			return c.fail(cond.node, "%s: %s has no order; compare with a value or one_of", e.Op, t)
		}
		for _, o := range cond.To {
			if o.Op == "literal" {
				v, err := literal(o, t)
				if err != nil {
					c.errs = append(c.errs, err)
					return Type{}, false
				}
				o.Const, o.Type = v, t
				continue
			}
			ot, ok := c.expr(o)
			if !ok {
				return Type{}, false
			}
			if !ot.same(t) {
				return c.fail(o.node, "%s: the field %q is %s, and this is %s", e.Op, cond.Field, t, ot)
			}
		}
	}
	t, err := rowOps[e.Op].check(q, field)
	if err != nil {
		return c.fail(e.node, "%s: %s", e.Op, err)
	}
	return t, true
}
