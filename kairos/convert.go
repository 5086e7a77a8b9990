package kairos

import (
	"math"
	"strconv"
)

// notNumber is the error for a value where a number is needed.
func notNumber(v value, at Span) error {
	return fail(at, "value.not-number", v.kind, aboutNumber(v.kind))
}

func asNumber(v value, at Span) (float64, error) {
	if v.kind != kindNumber {
		return 0, notNumber(v, at)
	}
	return v.num, nil
}

// asCount gives a number that must be a whole one; code is the error when it is not.
func asCount(v value, at Span, code string) (int64, error) {
	n, err := asNumber(v, at)
	if err != nil {
		return 0, err
	}
	if n != math.Trunc(n) || math.Abs(n) > 1<<53 {
		return 0, fail(at, code, formatNumber(n))
	}
	return int64(n), nil
}

func asPoint(v value, at Span) (int64, error) {
	switch v.kind {
	case kindPoint:
		return v.int, nil
	case kindTime:
		return 0, fail(at, "value.time-literal-position")
	}
	return 0, fail(at, "value.not-point", v.kind, aboutPoint(v.kind))
}

// asLabel gives a string, which enumeration labels are.
func asLabel(v value, at Span) (string, error) {
	if v.kind != kindString {
		return "", fail(at, "value.not-label", v.kind)
	}
	return v.ref.(string), nil
}

// formatNumber writes a number the shortest way, as messages show it.
func formatNumber(n float64) string {
	if math.Abs(n) < 1e21 {
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	return strconv.FormatFloat(n, 'g', -1, 64)
}

// stream takes a value as a sequence of points. name is the bare name that the value was written as, for its level of
// windows, or empty.
func (ev *evaluation) stream(v value, name string, at Span) (*stream, error) {
	switch v.kind {
	case kindStream:
		return v.ref.(*stream), nil
	case kindWindows:
		w := v.ref.(*windows)
		if name == "" {
			name = w.name
		}
		units := w.units
		for len(units) > 0 && units[len(units)-1] >= ev.horizon {
			units = units[:len(units)-1]
		}
		return &stream{pts: ev.near(units), lost: ev.lost, align: w.grain, endless: true,
			levels: []*level{{name: name, spans: w.spans, labels: labels{fn: w.label}, grain: w.grain}}}, nil
	case kindTable:
		t := v.ref.(*table)
		ev.use(t.src, t.concluded)
		return &stream{pts: t.pts, align: t.align, notes: t.notes()}, nil
	case kindPoint:
		return &stream{pts: []int64{v.int}}, nil
	case kindInstant:
		return nil, fail(at, "value.everyInstant")
	}
	return nil, fail(at, "value.not-stream", v.kind, aboutStream(v))
}

// notes are the annotations of a table: the complement of its coverage.
func (t *table) notes() []note {
	if t.cached == nil {
		src := t.src
		if src.name == "" {
			src.name = AnonymousTable
		}
		notes := uncoveredNotes(src.cover, &src)
		t.cached = &notes
	}
	return *t.cached
}

// AnonymousTable is the source of a table that is bound to no name, in annotations and coverage; the reference has it so.
const AnonymousTable = "(無名テーブル)"

// spansOf takes a value as windows: what generators make, a cycle, or the innermost level of a stream.
func spansOf(v value, at Span) (*spans, error) {
	switch v.kind {
	case kindWindows:
		return v.ref.(*windows).spans, nil
	case kindCycle:
		return v.ref.(*cycle).spans, nil
	case kindStream:
		if s := v.ref.(*stream); len(s.levels) > 0 {
			return s.levels[len(s.levels)-1].spans, nil
		}
	}
	return nil, fail(at, "value.not-window", v.kind)
}

// grainOf is the grid of a value's windows: none for a cycle.
func grainOf(v value) align {
	switch v.kind {
	case kindWindows:
		return v.ref.(*windows).grain
	case kindStream:
		if s := v.ref.(*stream); len(s.levels) > 0 {
			return s.levels[len(s.levels)-1].grain
		}
	}
	return align{}
}

// windowNotes are the annotations of a value's windows; windows of generators have none.
func windowNotes(v value) []note {
	if v.kind == kindStream {
		if s := v.ref.(*stream); len(s.levels) > 0 {
			return s.levels[len(s.levels)-1].notes
		}
	}
	return nil
}

// partition takes a value as what generators make.
func partition(v value, at Span) (*windows, error) {
	if v.kind != kindWindows {
		return nil, fail(at, "value.not-partition", v.kind)
	}
	return v.ref.(*windows), nil
}

// coverageEntry is a source that the evaluation used.
type coverageEntry struct {
	src       source
	concluded bool
}

type coverageKey struct{ name, covering, asof string }

func keyOf(src source) coverageKey { return coverageKey{src.name, src.covering, src.asof} }

// use notes for the coverage summary that a source was used.
func (ev *evaluation) use(src source, concluded bool) {
	if src.name == "" {
		src.name = AnonymousTable
	}
	key := keyOf(src)
	if !ev.covered[key] {
		ev.covered[key] = true
		ev.coverage = append(ev.coverage, coverageEntry{src, concluded})
	}
}
