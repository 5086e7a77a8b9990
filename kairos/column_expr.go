package kairos

import "slices"

// columnCompiler turns the text of a predicate into code by columns. Functions that it calls are compiled in place, with
// their parameters in registers.
type columnCompiler struct {
	ev     *evaluation
	c      *compiler
	fr     *frame // for the parts that do not depend on the points
	regs   []*register
	inside []Expr // the functions whose text this is, outermost first
	room   *int   // how many more nodes may be compiled
}

// register is a parameter: the block's points, or the column of an argument.
type register struct {
	name   string
	points bool
	col    column
}

func (c *columnCompiler) register(name string) *register {
	for _, r := range c.regs {
		if r.name == name {
			return r
		}
	}
	return nil
}

// depends says whether an expression reads a register.
func (c *columnCompiler) depends(e Expr) bool {
	found := false
	Walk(e, func(x Expr) {
		switch x := x.(type) {
		case *NameRef:
			found = found || c.register(x.Name) != nil
		case *Wildcard:
			found = found || c.register("_") != nil
		}
	})
	return found
}

// expr compiles an expression; nil when it has no form by columns.
func (c *columnCompiler) expr(e Expr) columnCode {
	if *c.room--; *c.room < 0 {
		return nil
	}
	if !c.depends(e) {
		return c.fixed(e)
	}
	if c.c.sc.members.has("calendar") && slices.ContainsFunc(c.regs, func(r *register) bool { return reservedWord(r.name) }) {
		return nil // the name is an error where it is used
	}
	if code := c.keyed(e); code != nil {
		return code
	}
	return c.plain(e)
}

func (c *columnCompiler) plain(e Expr) columnCode {
	switch e := e.(type) {
	case *NameRef:
		return c.parameter(e.Name)
	case *Wildcard:
		return c.parameter("_")
	case *Unary:
		return c.unary(e)
	case *Binary:
		switch e.Op {
		case "and", "or":
			return c.logic(e)
		case "==", "!=", "in":
			return c.equality(e)
		}
		return c.numbers(e)
	case *Cond:
		return c.cond(e)
	case *Call:
		return c.call(e)
	case *Index:
		return c.index(e)
	}
	return nil
}

func (c *columnCompiler) parameter(name string) columnCode {
	r := c.register(name)
	if r.points {
		return func(*block, []int32) (column, error) { return column{kind: columnPoints}, nil }
	}
	return func(*block, []int32) (column, error) { return r.col, nil }
}

// fixed compiles a part that has one value for all points. It is evaluated when the first point needs it.
func (c *columnCompiler) fixed(e Expr) columnCode {
	run, fr := c.c.expr(e), c.fr
	done := false
	var col column
	return func(b *block, sel []int32) (column, error) {
		if done || len(sel) == 0 {
			return col, nil
		}
		n := len(c.ev.warnings)
		v, err := run(fr)
		again := c.ev.warnsAgain(n)
		b.came.came(sel[0])
		if again {
			return column{}, errScalar
		}
		if err != nil {
			for _, i := range sel {
				b.drop(i, err)
			}
			return column{}, nil
		}
		col, done = column{value: v}, true
		return col, nil
	}
}

// number gives the column as numbers: a slice by index, or one number for all. Points whose value is none fail.
func (b *block) number(col column, sel []int32, buf []float64) (nums []float64, one float64, err error) {
	switch {
	case col.kind == columnNums:
		return col.nums, 0, nil
	case len(sel) == 0:
		return nil, 0, nil
	case col.kind == columnConst && col.value.kind == kindNumber:
		return nil, col.value.num, nil
	case col.kind == columnCodes:
		for _, i := range sel {
			v := col.dict[col.codes[i]]
			if v.kind != kindNumber {
				return nil, 0, errScalar
			}
			buf[i] = v.num
		}
		return buf, 0, nil
	}
	return nil, 0, errScalar
}
