package kairos

import "slices"

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
