package kairos

import "errors"

// A predicate is asked about every point of a stream, which may be tens of thousands of days or a million minutes. Asking
// it by columns, a block of points at a time, costs a fraction of asking it point by point: each operation runs over a
// whole block. The answers, the annotations and the error are those of asking point by point: a point leaves the
// selection where its evaluation would have ended.

// blockSize is how many points a column holds.
const blockSize = 512

// errScalar says that an expression has no form by columns; the points are then asked about one by one.
var errScalar = errors.New("no form by columns")

// block is what one filter evaluates by columns at a time.
type block struct {
	ev      *evaluation
	pts     []int64
	failure [blockSize]error // why the evaluation of a point ended: a signal or a hard error
	failed  int              // how many points have one
	places  []*places
	came    arrivals
}

// places finds the windows of a block's points, once for all that reads them.
type places struct {
	s     *spans
	i     int // the window that was reached
	index [blockSize]int32
	ready bool
}

// in gives for each point of the block the index of its window, or -1.
func (b *block) in(s *spans) []int32 {
	var p *places
	for _, q := range b.places {
		if q.s == s {
			p = q
			break
		}
	}
	if p == nil {
		p = &places{s: s}
		b.places = append(b.places, p)
	}
	if !p.ready {
		p.find(b.pts)
		p.ready = true
	}
	return p.index[:len(b.pts)]
}

// find walks points and windows side by side; both are in order.
func (p *places) find(pts []int64) {
	start, end := p.s.start, p.s.end
	n := len(start)
	i := p.i // the last window that starts at or before the point, or 0
	for k, t := range pts {
		if i+1 < n && start[i+1] <= t {
			i++
			if i+1 < n && start[i+1] <= t {
				i = max(i, upperBound(start, t)-1)
			}
		}
		if i < n && start[i] <= t && t < end[i] {
			p.index[k] = int32(i)
		} else {
			p.index[k] = -1
		}
	}
	p.i = i
}

// drop ends the evaluation of a point.
func (b *block) drop(i int32, err error) {
	b.failure[i] = err
	b.failed++
}

// alive gives the points of a selection whose evaluation goes on. before is what b.failed was when they all did.
func (b *block) alive(sel []int32, before int) []int32 {
	if b.failed == before {
		return sel
	}
	kept := make([]int32, 0, len(sel))
	for _, i := range sel {
		if b.failure[i] == nil {
			kept = append(kept, i)
		}
	}
	return kept
}

// columnKind is what a column holds.
type columnKind uint8

const (
	columnConst columnKind = iota // one value for all points
	columnNums
	columnBools
	columnPoints // the points of the block themselves
	columnCodes  // indices into a list of values
)

// column is the value of an expression for the points of a selection, at their index in the block.
type column struct {
	kind  columnKind
	value value
	nums  []float64
	bools []bool
	codes []int32
	dict  []value
}

// columnCode gives the column of an expression for a selection of the block's points. The column is good until the
// next call.
type columnCode func(b *block, sel []int32) (column, error)

// columnNodes is how many nodes of a predicate and of the functions that it calls are compiled by columns. Each has columns
// of its own; longer ones are asked point by point.
const columnNodes = 2000

// columns compiles a predicate of one parameter by columns, or gives nil where it has no such form.
func (ev *evaluation) columns(l *lambda) columnCode {
	if l.def != nil || len(l.code.e.Params) != 1 || l.code.size.nodes > columnNodes {
		return nil
	}
	room := columnNodes
	c := &columnCompiler{ev: ev, c: l.code.c, fr: &frame{vals: make([]value, 1), up: l.outer}, regs: []*register{{name: l.code.e.Params[0].Name, points: true}},
		inside: []Expr{l.code.e}, room: &room}
	return c.expr(l.code.e.Body)
}

// newBlock makes a block without points.
func (ev *evaluation) newBlock() *block { return &block{ev: ev, came: arrivals{ev: ev}} }

// filterColumns filters by columns the points that src gives. It gives the points kept, cut to within, and the
// annotations; the error errScalar says that the block that src gave last, and the rest, must be asked about one by one.
func (ev *evaluation) filterColumns(b *block, src pointSource, run columnCode, size measure, within interval, kept []int64, notes []note) ([]int64, []note, error) {
	all := make([]int32, blockSize)
	for k := range all {
		all[k] = int32(k)
	}
	var last *signal
	for {
		if b.pts = src.next(); len(b.pts) == 0 {
			return kept, notes, nil
		}
		if err := ev.step(int64(len(b.pts)) * size.steps()); err != nil {
			return kept, notes, err
		}
		for _, p := range b.places {
			p.ready = false
		}
		if b.failed > 0 {
			clear(b.failure[:])
			b.failed = 0
		}
		b.came.begin()
		col, err := run(b, all[:len(b.pts)])
		if err != nil {
			return kept, notes, err
		}
		if col.kind != columnBools && (col.kind != columnConst || col.value.kind != kindBool) {
			return kept, notes, errScalar
		}
		b.came.settle()
		for k := range b.pts {
			if b.failed == 0 {
				break
			}
			if err := b.failure[k]; err != nil {
				s, ok := err.(*signal)
				if !ok {
					return kept, notes, err
				}
				if s != last {
					last = s
					if notes, err = ev.addSignal(notes, s); err != nil {
						return kept, notes, err
					}
				}
			}
		}
		if b.pts[0] < within.to && b.pts[len(b.pts)-1] >= within.from {
			n := len(kept)
			kept = b.chosen(kept, col)
			if b.pts[0] < within.from || b.pts[len(b.pts)-1] >= within.to {
				new := kept[n:]
				lo, hi := lowerBound(new, within.from), lowerBound(new, within.to)
				kept = append(kept[:n], new[min(lo, hi):hi]...)
			}
		}
	}
}

// chosen appends the points for which a column of truth values is true.
func (b *block) chosen(kept []int64, col column) []int64 {
	if col.kind == columnConst {
		col.bools = nil
		if col.value.int == 0 {
			return kept
		}
	}
	for k, t := range b.pts {
		if (col.bools == nil || col.bools[k]) && (b.failed == 0 || b.failure[k] == nil) {
			kept = append(kept, t)
		}
	}
	return kept
}

// pointSource gives points in blocks: at most blockSize at a time, none at the end.
type pointSource interface{ next() []int64 }

// pointList gives the points of a list; at is where the next block begins, and given how long the last one was.
type pointList struct {
	pts       []int64
	at, given int
}

func (p *pointList) next() []int64 {
	p.at += p.given
	p.given = min(blockSize, len(p.pts)-p.at)
	return p.pts[p.at : p.at+p.given]
}

// ticks gives the points from, from + step, … before end without holding them all.
type ticks struct {
	from, step, end int64
	buf             []int64
}

func (t *ticks) next() []int64 {
	if t.buf == nil {
		t.buf = make([]int64, blockSize)
	} else {
		t.from += int64(len(t.buf)) * t.step
	}
	n := max(0, min(blockSize, (t.end-t.from+t.step-1)/t.step))
	t.buf = t.buf[:n]
	for i := range t.buf {
		t.buf[i] = t.from + int64(i)*t.step
	}
	return t.buf
}

// rest gives all points from the block given last on.
func (t *ticks) rest(ev *evaluation) ([]int64, error) {
	n := max(0, (t.end-t.from+t.step-1)/t.step)
	if err := ev.holdTicks(n); err != nil {
		return nil, err
	}
	pts := make([]int64, n)
	for i := range pts {
		pts[i] = t.from + int64(i)*t.step
	}
	return pts, nil
}

// sequence gives f(0), f(1), … for a function that is asked in this order; by columns where it has such a form and is not
// made anew for each point of a filter around it.
func (ev *evaluation) sequence(f value, at Span) func(n int) (value, error) {
	a := &application{ev: ev, at: at}
	l, _ := f.ref.(*lambda)
	if f.kind != kindLambda || l.def != nil || l.outer != nil || len(l.code.e.Params) != 1 || l.code.guard.active || l.code.size.nodes > columnNodes {
		return func(n int) (value, error) { return a.one(f, number(float64(n))) }
	}
	reg := &register{name: l.code.e.Params[0].Name, col: column{kind: columnNums, nums: make([]float64, blockSize)}}
	room := columnNodes
	c := &columnCompiler{ev: ev, c: l.code.c, fr: &frame{vals: make([]value, 1), up: l.outer}, regs: []*register{reg}, inside: []Expr{l.code.e}, room: &room}
	run := c.expr(l.code.e.Body)
	b := ev.newBlock()
	b.pts = make([]int64, blockSize)
	all := make([]int32, blockSize)
	for k := range all {
		all[k] = int32(k)
	}
	var col column
	return func(n int) (value, error) {
		k := n % blockSize
		if k == 0 && run != nil {
			for i := range reg.col.nums {
				reg.col.nums[i] = float64(n + i)
			}
			clear(b.failure[:])
			b.failed = 0
			b.came.begin()
			l.code.guard.active = true
			var err error
			if col, err = run(b, all); err != nil {
				run = nil
			}
			l.code.guard.active = false
		}
		if run == nil || b.failure[k] != nil {
			return a.one(f, number(float64(n)))
		}
		return b.at(col, int32(k)), nil
	}
}
