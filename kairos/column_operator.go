package kairos

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
