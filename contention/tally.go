package contention

// tallies collect something for each phase; what a phase never had stays nil.
type tallies[T any] struct {
	list [4]*T
}

// in gives the tally of a phase, made when it is first asked for.
func (t *tallies[T]) in(p Phase) *T {
	at := &t.list[p.rank()]
	if *at == nil {
		*at = new(T)
	}
	return *at
}

// phased sums tallies up for a document.
func phased[T, U any](t *tallies[T], sum func(*T) *U) Phased[U] {
	var out Phased[U]
	for _, p := range []Phase{Before, During, After} {
		if of := t.list[p.rank()]; of != nil {
			*out.at(p) = sum(of)
		}
	}
	return out
}

// probeTally collects the probes of one URL in one phase.
type probeTally struct {
	n, failed, cut, missed int64
	kinds                  map[Kind]int64
	latency                sketch
}

func (t *probeTally) add(p probed) {
	t.n++
	if p.kind != "" {
		t.failed++
		if t.kinds == nil {
			t.kinds = map[Kind]int64{}
		}
		t.kinds[p.kind]++
	}
	if p.cut {
		t.cut++
	}
	if p.timed() {
		t.latency.add(int64(p.elapsed))
	}
}

// timed reports whether a probe counts among the latencies (see Latency).
func (p probed) timed() bool { return p.kind == "" || p.kind == TimedOut }

func (t *probeTally) sum() *Probes {
	out := &Probes{N: t.n, Failed: t.failed, Failures: t.kinds, Cut: t.cut, Missed: t.missed}
	if s := &t.latency; s.n > 0 {
		out.Latency = &Latency{N: s.n, Median: s.median(), P95: s.quantile(95, 100), Worst: s.most}
	}
	return out
}

// add records a probe in a stretch of the timeline.
func (s *ServedRange) add(p probed) {
	s.N++
	if p.kind != "" {
		s.Failed++
	}
	if p.timed() {
		joinTo(&s.Latency, one(int64(p.elapsed)), greatest)
	}
}
