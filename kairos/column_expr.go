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

func (c *columnCompiler) unary(e *Unary) columnCode {
	x := c.expr(e.X)
	if x == nil || e.Op == "+" {
		return x
	}
	if e.Op == "not" {
		out := make([]bool, blockSize)
		return func(b *block, sel []int32) (column, error) {
			before := b.failed
			col, err := x(b, sel)
			if err != nil {
				return col, err
			}
			err = b.truth(col, b.alive(sel, before), out)
			for _, i := range sel {
				out[i] = !out[i]
			}
			return column{kind: columnBools, bools: out}, err
		}
	}
	out := make([]float64, blockSize)
	buf := make([]float64, blockSize)
	return func(b *block, sel []int32) (column, error) {
		before := b.failed
		col, err := x(b, sel)
		if err != nil {
			return col, err
		}
		sel = b.alive(sel, before)
		nums, one, err := b.number(col, sel, buf)
		if err != nil {
			return col, err
		}
		for _, i := range sel {
			if nums != nil {
				one = nums[i]
			}
			out[i] = -one
		}
		return column{kind: columnNums, nums: out}, nil
	}
}

// truth copies a column that must be of truth values.
func (b *block) truth(col column, sel []int32, out []bool) error {
	switch {
	case len(sel) == 0:
	case col.kind == columnBools:
		for _, i := range sel {
			out[i] = col.bools[i]
		}
	case col.kind == columnConst && col.value.kind == kindBool:
		for _, i := range sel {
			out[i] = col.value.int != 0
		}
	default:
		return errScalar
	}
	return nil
}

// logic compiles `and` and `or`: the right side is asked only about the points that the left side leaves open.
func (c *columnCompiler) logic(e *Binary) columnCode {
	l, r := c.expr(e.L), c.expr(e.R)
	if l == nil || r == nil {
		return nil
	}
	out := make([]bool, blockSize)
	open := make([]int32, 0, blockSize)
	stop := e.Op == "or" // the value of the left side that decides
	return func(b *block, sel []int32) (column, error) {
		before := b.failed
		col, err := l(b, sel)
		if err != nil {
			return col, err
		}
		sel = b.alive(sel, before)
		if err := b.truth(col, sel, out); err != nil {
			return col, err
		}
		open = open[:0]
		for _, i := range sel {
			if out[i] != stop {
				open = append(open, i)
			}
		}
		if len(open) > 0 {
			before = b.failed
			if col, err = r(b, open); err != nil {
				return col, err
			}
			if err := b.truth(col, b.alive(open, before), out); err != nil {
				return col, err
			}
		}
		return column{kind: columnBools, bools: out}, nil
	}
}

// numbers compiles arithmetic and comparisons.
func (c *columnCompiler) numbers(e *Binary) columnCode {
	l, r := c.expr(e.L), c.expr(e.R)
	if l == nil || r == nil {
		return nil
	}
	bufL, bufR := make([]float64, blockSize), make([]float64, blockSize)
	var nums []float64
	var bools []bool
	var op func(a, b float64) float64
	switch e.Op {
	case "<", "<=", ">", ">=":
		bools = make([]bool, blockSize)
	default:
		nums, op = make([]float64, blockSize), arithmetic(e.Op)
	}
	return func(b *block, sel []int32) (column, error) {
		before := b.failed
		lc, err := l(b, sel)
		if err != nil {
			return lc, err
		}
		sel = b.alive(sel, before)
		ln, lone, err := b.number(lc, sel, bufL)
		if err != nil {
			return lc, err
		}
		before = b.failed
		rc, err := r(b, sel)
		if err != nil {
			return rc, err
		}
		sel = b.alive(sel, before)
		rn, rone, err := b.number(rc, sel, bufR)
		if err != nil {
			return rc, err
		}
		if bools != nil {
			compareColumns(e.Op, bools, sel, ln, lone, rn, rone)
			return column{kind: columnBools, bools: bools}, nil
		}
		for _, i := range sel {
			if ln != nil {
				lone = ln[i]
			}
			if rn != nil {
				rone = rn[i]
			}
			nums[i] = op(lone, rone)
		}
		return column{kind: columnNums, nums: nums}, nil
	}
}

func compareColumns(op string, out []bool, sel []int32, ln []float64, l float64, rn []float64, r float64) {
	for _, i := range sel {
		if ln != nil {
			l = ln[i]
		}
		if rn != nil {
			r = rn[i]
		}
		switch op {
		case "<":
			out[i] = l < r
		case "<=":
			out[i] = l <= r
		case ">":
			out[i] = l > r
		default:
			out[i] = l >= r
		}
	}
}

// cond compiles C ? a : b: each branch is asked only about its points.
func (c *columnCompiler) cond(e *Cond) columnCode {
	test, then, other := c.expr(e.C), c.expr(e.Then), c.expr(e.Else)
	if test == nil || then == nil || other == nil {
		return nil
	}
	chosen := make([]bool, blockSize)
	var sides [2][]int32
	sides[0], sides[1] = make([]int32, 0, blockSize), make([]int32, 0, blockSize)
	out := column{nums: make([]float64, blockSize), bools: make([]bool, blockSize), codes: make([]int32, blockSize), dict: make([]value, 2)}
	branches := []columnCode{then, other}
	return func(b *block, sel []int32) (column, error) {
		before := b.failed
		col, err := test(b, sel)
		if err != nil {
			return col, err
		}
		sel = b.alive(sel, before)
		if err := b.truth(col, sel, chosen); err != nil {
			return col, err
		}
		sides[0], sides[1] = sides[0][:0], sides[1][:0]
		for _, i := range sel {
			k := 0
			if !chosen[i] {
				k = 1
			}
			sides[k] = append(sides[k], i)
		}
		kind := columnConst
		consts := 0
		for k, branch := range branches {
			if len(sides[k]) == 0 {
				continue
			}
			before := b.failed
			col, err := branch(b, sides[k])
			if err != nil {
				return col, err
			}
			part := b.alive(sides[k], before)
			if col.kind == columnConst && len(part) > 0 && col.value.kind == kindList {
				out.dict[k] = col.value
				for _, i := range part {
					out.codes[i] = int32(k)
				}
				consts++
				continue
			}
			var of columnKind
			if of, err = out.merge(b, col, part); err != nil {
				return col, err
			}
			if kind != columnConst && of != kind {
				return col, errScalar
			}
			kind = of
		}
		switch {
		case consts > 0 && kind != columnConst:
			return col, errScalar
		case consts > 0:
			return column{kind: columnCodes, codes: out.codes, dict: out.dict}, nil
		case kind == columnConst:
			kind = columnBools // no point is left
		}
		return column{kind: kind, nums: out.nums, bools: out.bools}, nil
	}
}

// merge copies the values of one branch into a column of numbers or truth values.
func (out *column) merge(b *block, col column, sel []int32) (columnKind, error) {
	if nums, one, err := b.number(col, sel, out.nums); err == nil {
		for _, i := range sel {
			if nums != nil {
				one = nums[i]
			}
			out.nums[i] = one
		}
		return columnNums, nil
	}
	return columnBools, b.truth(col, sel, out.bools)
}

// index compiles LIST[i] for lists of numbers.
func (c *columnCompiler) index(e *Index) columnCode {
	list, at := c.expr(e.X), c.expr(e.I)
	if list == nil || at == nil {
		return nil
	}
	buf, out := make([]float64, blockSize), make([]float64, blockSize)
	return func(b *block, sel []int32) (column, error) {
		before := b.failed
		lc, err := list(b, sel)
		if err != nil {
			return lc, err
		}
		sel = b.alive(sel, before)
		before = b.failed
		ic, err := at(b, sel)
		if err != nil {
			return ic, err
		}
		sel = b.alive(sel, before)
		nums, one, err := b.number(ic, sel, buf)
		if err != nil {
			return ic, err
		}
		for _, i := range sel {
			if nums != nil {
				one = nums[i]
			}
			l := b.at(lc, i)
			if l.kind != kindList {
				return lc, errScalar
			}
			elems := l.ref.([]value)
			k := int(one)
			if float64(k) != one || k < 0 || k >= len(elems) || elems[k].kind != kindNumber {
				return lc, errScalar
			}
			out[i] = elems[k].num
		}
		return column{kind: columnNums, nums: out}, nil
	}
}

// equality compiles == and != and in. A column of codes is compared once for each value that a code can mean.
func (c *columnCompiler) equality(e *Binary) columnCode {
	l, r := c.expr(e.L), c.expr(e.R)
	if l == nil || r == nil {
		return nil
	}
	out := make([]bool, blockSize)
	want := e.Op != "!="
	var verdicts []bool
	var judged []value
	return func(b *block, sel []int32) (column, error) {
		before := b.failed
		lc, err := l(b, sel)
		if err != nil {
			return lc, err
		}
		sel = b.alive(sel, before)
		before = b.failed
		rc, err := r(b, sel)
		if err != nil {
			return rc, err
		}
		sel = b.alive(sel, before)
		if len(sel) == 0 {
			return column{kind: columnBools, bools: out}, nil
		}
		if e.Op == "in" && (rc.kind != columnConst || rc.value.kind != kindList) {
			return rc, errScalar
		}
		if e.Op == "in" {
			n := len(sel)
			if lc.kind == columnCodes {
				n = len(lc.dict)
			}
			if err := b.ev.comparing(lc.value, n*len(rc.value.ref.([]value))); err != nil {
				return rc, err
			}
		} else if err := b.ev.comparing(rc.value, len(sel)); err != nil {
			return rc, err
		}
		equal := func(a value, b value) bool {
			if e.Op == "in" {
				return slices.ContainsFunc(b.ref.([]value), func(x value) bool { return same(a, x) })
			}
			return same(a, b)
		}
		if e.Op != "in" && rc.kind == columnCodes && lc.kind == columnConst {
			lc, rc = rc, lc
		}
		switch {
		case lc.kind == columnCodes && rc.kind == columnConst:
			if len(judged) != len(lc.dict) || len(judged) > 0 && &judged[0] != &lc.dict[0] {
				judged = lc.dict
				verdicts = make([]bool, len(lc.dict))
				for k, v := range lc.dict {
					verdicts[k] = equal(v, rc.value) == want
				}
			}
			for _, i := range sel {
				out[i] = verdicts[lc.codes[i]]
			}
		case e.Op != "in" && lc.kind == columnNums && rc.kind == columnConst && rc.value.kind == kindNumber:
			for _, i := range sel {
				out[i] = (lc.nums[i] == rc.value.num) == want
			}
		case lc.kind == columnConst || rc.kind == columnConst || lc.kind == columnNums && rc.kind == columnNums:
			for _, i := range sel {
				out[i] = equal(b.at(lc, i), b.at(rc, i)) == want
			}
		default:
			return lc, errScalar
		}
		return column{kind: columnBools, bools: out}, nil
	}
}

// at gives one value of a column.
func (b *block) at(c column, i int32) value {
	switch c.kind {
	case columnNums:
		return number(c.nums[i])
	case columnBools:
		return boolean(c.bools[i])
	case columnPoints:
		return point(b.pts[i])
	case columnCodes:
		return c.dict[c.codes[i]]
	}
	return c.value
}
