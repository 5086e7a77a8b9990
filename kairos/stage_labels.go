package kairos

// segmentLabels checks that labels can be put on the windows of a marker, so that which window has which label cannot
// change unnoticed, and gives them.
func (ev *evaluation) segmentLabels(at Span, a segmentArgs, cover []interval) (labels, error) {
	m := a.marker.pts
	first, last := m[0], m[len(m)-1]
	switch {
	case a.label != nil:
		return labels{}, fail(at, "segment.labels-and-label")
	case a.edges == "clip":
		return labels{}, fail(at, "segment.labels-clip")
	case a.empties == "drop":
		return labels{}, fail(at, "segment.labels-drop")
	case a.marker.endless:
		return labels{}, fail(at, "segment.labels-endless")
	}
	home, ok := intervalAt(cover, first)
	if !ok || last >= home.to {
		return labels{}, fail(at, "segment.labels-coverage", ev.format(first), ev.format(last))
	}
	if a.evaluate != nil {
		if err := a.evaluate(&a); err != nil {
			return labels{}, err
		}
	}
	if err := checkLabels(a.labelSpan, a.labels); err != nil {
		return labels{}, err
	}
	if !a.cycle {
		if len(a.labels) != len(m) {
			return labels{}, fail(a.labelSpan, "segment.labels-length", len(a.labels), len(m))
		}
		return labels{list: a.labels}, nil
	}
	if a.anchor < first || a.anchor >= home.to {
		return labels{}, fail(a.labelSpan, "segment.labels-anchor", ev.format(a.anchor), ev.format(first), len(a.labels))
	}
	return labels{list: a.labels, cycle: true, first: upperBound(m, a.anchor) - 1}, nil
}

// checkLabels fails unless the list has elements, all of them scalars of one type.
func checkLabels(at Span, list []value) error {
	if len(list) == 0 {
		return fail(at, "segment.labels-empty")
	}
	for i, v := range list {
		if !v.scalar() {
			return fail(at, "segment.labels-value", i+1, v.kind)
		}
	}
	for i, v := range list {
		if v.kind != list[0].kind {
			return fail(at, "segment.labels-mixed", list[0].kind, v.kind, i+1)
		}
	}
	return nil
}
