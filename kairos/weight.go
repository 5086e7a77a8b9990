package kairos

// Evaluating a text once costs about as much as it has nodes, and takes as much of the stack as it is high. Both are known
// before, so that calls are accounted for by what they run and not only by their number: a predicate may have half a
// million nodes, and each function that calls another may be thousands of nodes high.

// Nodes of a text that the step of the call pays for, and how many more cost another one.
const (
	freeNodes    = 32
	nodesPerStep = 2
)

// maxLevels bounds the nodes from the outermost call to the innermost, all texts together. A level takes a few hundred
// bytes of stack, of which a process has a gigabyte and cannot survive the end.
const maxLevels = 150_000

// measure is how large a text is.
type measure struct{ nodes, height int }

// measureOf measures an expression. Long texts between quotes count for what comparing them costs.
func measureOf(e Expr) measure {
	m := measure{nodes: 1}
	if s, ok := e.(*StringLit); ok {
		m.nodes += len(s.Value) / bytesPerNode
	}
	children(e, func(x Expr) {
		in := measureOf(x)
		m.nodes += in.nodes
		m.height = max(m.height, in.height)
	})
	m.height++
	return m
}

// steps is what one evaluation costs.
func (m measure) steps() int64 { return 1 + int64(max(0, m.nodes-freeNodes)/nodesPerStep) }

// bytesPerNode is how much text is compared in the time in which a node is evaluated.
const bytesPerNode = 64

// comparing accounts for n comparisons of a value with others, when these are many or texts are long.
func (ev *evaluation) comparing(v value, n int) error {
	if s, ok := v.ref.(string); ok && len(s) >= bytesPerNode {
		n *= 1 + len(s)/bytesPerNode
	}
	if n <= freeNodes {
		return nil
	}
	return ev.step(int64(n / nodesPerStep))
}

// enterCall accounts for applying a text within the calls around it; every one without an error is followed by a leaveCall.
func (ev *evaluation) enterCall(at Span, m measure) error {
	if err := ev.step(m.steps()); err != nil {
		return err
	}
	if ev.depth >= ev.opts.Limits.Depth || ev.levels+m.height > maxLevels {
		return fail(at, "limit.depth", ev.opts.Limits.Depth)
	}
	ev.depth++
	ev.levels += m.height
	return nil
}

func (ev *evaluation) leaveCall(m measure) {
	ev.depth--
	ev.levels -= m.height
}

// fewNotes is how many annotations are not worth accounting for.
const fewNotes = 16

// noted accounts for walking through so many annotations.
func (ev *evaluation) noted(n int) error {
	if n <= fewNotes {
		return nil
	}
	return ev.step(int64(n))
}

// holdNotes accounts for the annotations, and levels of windows, of a stream that was made of others: going through those costs time, and a list
// that none of them had takes memory, three times as much as points.
func (ev *evaluation) holdNotes(out *stream, in ...*stream) error {
	work, shared := len(out.notes), len(out.notes) == 0
	for _, s := range in {
		work += len(s.notes)
		shared = shared || len(s.notes) > 0 && len(out.notes) > 0 && &s.notes[0] == &out.notes[0]
		if n := len(s.levels); n > 0 {
			work += n + len(s.levels[n-1].notes)
		}
	}
	if err := ev.noted(work * 4); err != nil || shared || len(out.notes) <= fewNotes {
		return err
	}
	return ev.hold(3 * len(out.notes))
}
