package kairos

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
