package kairos

import (
	"fmt"
	"slices"
	"testing"
)

// showSpans prints windows in days.
func showSpans(s *spans) string {
	out := ""
	for i := range s.start {
		out += fmt.Sprintf("[%v,%v)", float64(s.start[i])/dayMs, float64(s.end[i])/dayMs)
	}
	return out
}

func TestSegmentWindows(t *testing.T) {
	const h = 420 // the horizon of smallEval, in days
	covered := []note{noteDays(minusInf, 0, srcX), noteDays(30, plusInf, srcX)}
	tests := []struct {
		name           string
		marker         *stream
		edges, empties string
		points         []int64
		windows        string
		tiled          bool
		left           []int64
		notes          []note
	}{
		{"rule marker, drop", dayStream(nil, 10, 20), "drop", "keep", []int64{5, 10, 25, 500}, fmt.Sprintf("[10,20)[20,%d)", h), true,
			[]int64{10, 25}, nil},
		{"rule marker, clip", dayStream(nil, 10, 20), "clip", "keep", []int64{5, 10, 25, 500}, fmt.Sprintf("[0,10)[10,20)[20,%d)", h), true,
			[]int64{5, 10, 25, 500}, nil},
		{"empties: drop", dayStream(nil, 10, 20, 30), "drop", "drop", []int64{12, 13, 31}, fmt.Sprintf("[10,20)[30,%d)", h), false,
			[]int64{12, 13, 31}, nil},
		{"empties: drop at the front", dayStream(nil, 10, 20, 30), "drop", "drop", []int64{22, 31}, fmt.Sprintf("[20,30)[30,%d)", h), true,
			[]int64{22, 31}, nil},
		{"empties: drop of all", dayStream(nil, 10, 20), "drop", "drop", []int64{5}, "", true, nil, nil},
		{"empties: error with all full", dayStream(nil, 10, 20), "drop", "error", []int64{10, 20}, fmt.Sprintf("[10,20)[20,%d)", h), true,
			[]int64{10, 20}, nil},
		{"data: the cover ends the last window", dayStream(covered, 10, 20), "drop", "keep", []int64{5, 25, 35}, "[10,20)[20,30)", true,
			[]int64{25}, []note{noteDays(minusInf, 10, srcX), noteDays(30, plusInf, srcX)}},
		{"data, clip: no gap at the front", dayStream(covered, 10, 20), "clip", "keep", []int64{5, 25, 35}, fmt.Sprintf("[0,10)[10,20)[20,30)[30,%d)", h), true,
			[]int64{5, 25, 35}, covered},
		{"data: gaps of dropped windows", dayStream(covered, 10, 15, 20), "drop", "drop", []int64{10, 25}, "[10,15)[20,30)", false,
			[]int64{10, 25}, []note{noteDays(minusInf, 10, srcX), noteDays(15, 20, srcX), noteDays(30, plusInf, srcX)}},
		{"last marker not covered", dayStream([]note{noteDays(20, plusInf, srcX)}, 10, 20), "drop", "keep", []int64{12, 20}, "[10,20)", true,
			[]int64{12}, []note{noteDays(0, 10, srcX), noteDays(20, plusInf, srcX)}},
		{"only marker, not covered", dayStream([]note{noteDays(minusInf, plusInf, srcX)}, 10), "drop", "keep", []int64{10}, "", true,
			nil, []note{noteDays(minusInf, plusInf, srcX)}},
		{"only marker, not covered, clip", dayStream([]note{noteDays(minusInf, plusInf, srcX)}, 10), "clip", "keep", []int64{10},
			fmt.Sprintf("[0,10)[10,%d)", h), true, []int64{10}, []note{noteDays(minusInf, plusInf, srcX)}},
		{"marker at the horizon", dayStream(nil, 10, h), "clip", "keep", []int64{3}, fmt.Sprintf("[0,10)[10,%d)", h), true, []int64{3}, nil},
		{"marker beyond the horizon", dayStream(nil, 10, h+5), "clip", "keep", []int64{3}, fmt.Sprintf("[0,10)[10,%d)", h+5), true, []int64{3}, nil},
		{"the clipped head may be empty", dayStream(nil, 0, 10), "clip", "keep", []int64{3}, fmt.Sprintf("[0,0)[0,10)[10,%d)", h), true, []int64{3}, nil},
		{"marker before the epoch", dayStream(nil, -2, 10), "clip", "keep", []int64{3}, fmt.Sprintf("[0,-2)[-2,10)[10,%d)", h), true, []int64{3}, nil},
		{"marker before the epoch, dropped", dayStream(nil, -2, 10), "clip", "drop", []int64{-1, 13}, fmt.Sprintf("[-2,10)[10,%d)", h), true,
			[]int64{-1, 13}, nil},
		{"repeated marker", dayStream(nil, 10, 10, 20), "drop", "keep", []int64{10}, fmt.Sprintf("[10,10)[10,20)[20,%d)", h), true, []int64{10}, nil},
		{"error with nothing before the first marker", dayStream(nil, 10, 20), "error", "keep", []int64{-3, 10, 25}, fmt.Sprintf("[10,20)[20,%d)", h), true,
			[]int64{-3, 10, 25}, nil},
		{"error with points only before the cover", dayStream([]note{noteDays(minusInf, 8, srcX)}, 10), "error", "keep", []int64{3, 7, 10}, fmt.Sprintf("[10,%d)", h), true,
			[]int64{3, 7, 10}, []note{noteDays(minusInf, 10, srcX)}},
	}
	for _, tt := range tests {
		ev := smallEval(t)
		in := dayStream([]note{noteDays(1, 2, srcY)}, tt.points...)
		in.levels, in.endless = []*level{{name: "year"}}, true
		fn := new(lambda)
		got := must(t)(ev.segmentBy(Span{}, in, segmentArgs{marker: tt.marker, edges: tt.edges, empties: tt.empties, label: fn}))
		if len(got.levels) != 2 || len(in.levels) != 1 {
			t.Fatalf("%s: %d levels", tt.name, len(got.levels))
		}
		l := got.levels[1]
		if s := showSpans(l.spans); s != tt.windows || l.spans.tiled != tt.tiled {
			t.Errorf("%s: windows %s, tiled %v; want %s", tt.name, s, l.spans.tiled, tt.windows)
		}
		wantDays(t, tt.name, got.pts, tt.left...)
		wantNoteDays(t, tt.name, l.notes, tt.notes...)
		wantNoteDays(t, tt.name, got.notes, joinNotes([]note{noteDays(1, 2, srcY)}, tt.marker.notes)...)
		if l.name != "" || l.grain != dayGrid || l.labels.fn != fn || got.align != dayGrid || !got.endless {
			t.Errorf("%s: level %+v, align %v, endless %v", tt.name, l, got.align, got.endless)
		}
	}
}

// TestSegmentGapSource: the gap at the front speaks for the marker's first annotation that ends before the windows.
func TestSegmentGapSource(t *testing.T) {
	marker := dayStream([]note{noteDays(minusInf, 50, srcX), noteDays(minusInf, 60, srcY), noteDays(80, 90, srcX)}, 70, 75)
	got := must(t)(smallEval(t).segmentBy(Span{}, dayStream(nil, 70), segmentArgs{marker: marker, edges: "drop", empties: "keep"}))
	wantNoteDays(t, "gap", got.levels[0].notes, noteDays(minusInf, 50, srcX), noteDays(minusInf, 60, srcY),
		noteDays(60, 70, srcX), noteDays(80, 90, srcX))
	marker = dayStream([]note{noteDays(80, 90, srcY), noteDays(85, 95, srcX)}, 70, 75)
	got = must(t)(smallEval(t).segmentBy(Span{}, dayStream(nil, 70), segmentArgs{marker: marker, edges: "drop", empties: "keep"}))
	wantNoteDays(t, "no annotation before the windows", got.levels[0].notes, noteDays(0, 70, srcY), noteDays(80, 90, srcY),
		noteDays(85, 95, srcX))
}

func TestSegmentErrors(t *testing.T) {
	in := dayStream(nil, 5, 12)
	data := dayStream([]note{noteDays(minusInf, 3, srcX)}, 10, 20)
	tests := []struct {
		name string
		args segmentArgs
		code string
		want []any
	}{
		{"no markers", segmentArgs{marker: dayStream(nil), edges: "drop", empties: "keep"}, "segment.marker-empty", nil},
		{"edges", segmentArgs{marker: data, edges: "keep", empties: "keep"}, "segment.edges-unknown", []any{"keep"}},
		{"empties", segmentArgs{marker: data, edges: "drop", empties: "clip"}, "segment.empties-unknown", []any{"clip"}},
		{"a point before the first marker", segmentArgs{marker: data, edges: "error", empties: "keep"}, "segment.edges-error",
			[]any{"1970-01-06", "1970-01-11"}},
		{"an empty window", segmentArgs{marker: dayStream(nil, 0, 10, 15, 20), edges: "drop", empties: "error"}, "segment.empties-error",
			[]any{2, "1970-01-16", "1970-01-21"}},
		{"only the last is empty", segmentArgs{marker: dayStream(nil, 0, 10, 20), edges: "drop", empties: "error"}, "segment.empties-error",
			[]any{1, "1970-01-21", "1971-02-25"}},
		{"an empty clipped head", segmentArgs{marker: dayStream(nil, 0, 10), edges: "clip", empties: "error"}, "segment.empties-error",
			[]any{1, "1970-01-01", "1970-01-01"}},
	}
	for _, tt := range tests {
		_, err := smallEval(t).segmentBy(Span{1, 2}, in, tt.args)
		e := wantCode(t, tt.name, err, tt.code)
		if !slices.Equal(e.args, tt.want) || e.Span != (Span{1, 2}) {
			t.Errorf("%s: the error has %v at %v, want %v", tt.name, e.args, e.Span, tt.want)
		}
	}
	args := segmentArgs{marker: data, edges: "drop", empties: "drop"}
	wantCode(t, "steps", errOf(noStepsLeft(t).segmentBy(Span{}, in, args)), "limit.steps")
	wantCode(t, "points", errOf(noPointsLeft(t).segmentBy(Span{}, in, args)), "limit.points")
	ev := smallEval(t)
	ev.points = 5 // enough for the borders, not for what is left when the empty window is gone
	wantCode(t, "points", errOf(ev.segmentBy(Span{}, in, segmentArgs{marker: data, edges: "drop", empties: "drop"})), "limit.points")
}

func TestSegmentLabels(t *testing.T) {
	closed := []note{noteDays(minusInf, 3, srcX), noteDays(30, plusInf, srcX)}
	marker := dayStream(closed, 10, 15, 20)
	args := func(change func(a *segmentArgs)) segmentArgs {
		a := segmentArgs{marker: marker, edges: "drop", empties: "keep", hasLabels: true, labelSpan: Span{7, 9},
			labels: []value{number(1), number(2), number(3)}}
		change(&a)
		return a
	}
	got := must(t)(smallEval(t).segmentBy(Span{}, dayStream(nil, 12), args(func(a *segmentArgs) {})))
	if l := got.levels[0].labels; len(l.list) != 3 || l.list[2].num != 3 || l.cycle || l.fn != nil {
		t.Errorf("labels %+v", l)
	}
	for anchor, first := range map[int64]int{10: 0, 14: 0, 15: 1, 19: 1, 20: 2, 29: 2} {
		got := must(t)(smallEval(t).segmentBy(Span{}, dayStream(nil, 12), args(func(a *segmentArgs) {
			a.cycle, a.anchor, a.labels = true, anchor*dayMs, []value{text("a"), text("b")}
		})))
		if l := got.levels[0].labels; !l.cycle || l.first != first || len(l.list) != 2 {
			t.Errorf("cycle anchored on day %d: %+v, want the first in window %d", anchor, l, first)
		}
	}

	endless := dayStream(closed, 10, 15, 20)
	endless.endless = true
	holed := dayStream([]note{noteDays(12, 13, srcX)}, 10, 15, 20)
	headless := dayStream([]note{noteDays(minusInf, 11, srcX)}, 10, 15, 20)
	tests := []struct {
		name   string
		change func(a *segmentArgs)
		code   string
		want   []any
	}{
		{"both", func(a *segmentArgs) { a.label, a.edges = new(lambda), "clip" }, "segment.labels-and-label", nil},
		{"clip", func(a *segmentArgs) { a.edges, a.empties = "clip", "drop" }, "segment.labels-clip", nil},
		{"drop", func(a *segmentArgs) { a.empties, a.marker = "drop", endless }, "segment.labels-drop", nil},
		{"rule", func(a *segmentArgs) { a.marker, a.labels = endless, nil }, "segment.labels-endless", nil},
		{"a hole between markers", func(a *segmentArgs) { a.marker, a.labels = holed, nil }, "segment.labels-coverage",
			[]any{"1970-01-11", "1970-01-21"}},
		{"the first marker is not covered", func(a *segmentArgs) { a.marker = headless }, "segment.labels-coverage",
			[]any{"1970-01-11", "1970-01-21"}},
		{"empty", func(a *segmentArgs) { a.labels = nil }, "segment.labels-empty", nil},
		{"not a scalar", func(a *segmentArgs) { a.labels = []value{text("a"), point(3), number(1)} }, "segment.labels-value", []any{2, kindPoint}},
		{"mixed", func(a *segmentArgs) { a.labels = []value{text("a"), text("b"), boolean(true)} }, "segment.labels-mixed",
			[]any{kindString, kindBool, 3}},
		{"length", func(a *segmentArgs) { a.labels = a.labels[:2] }, "segment.labels-length", []any{2, 3}},
		{"anchor before", func(a *segmentArgs) { a.cycle, a.anchor = true, 9*dayMs }, "segment.labels-anchor",
			[]any{"1970-01-10", "1970-01-11", 3}},
		{"anchor at the end of the cover", func(a *segmentArgs) { a.cycle, a.anchor = true, 30*dayMs }, "segment.labels-anchor",
			[]any{"1970-01-31", "1970-01-11", 3}},
		{"cycle of nothing", func(a *segmentArgs) { a.cycle, a.labels = true, nil }, "segment.labels-empty", nil},
	}
	for _, tt := range tests {
		_, err := smallEval(t).segmentBy(Span{1, 2}, dayStream(nil, 12), args(tt.change))
		if e := wantCode(t, tt.name, err, tt.code); !slices.Equal(e.args, tt.want) {
			t.Errorf("%s: the error has %v, want %v", tt.name, e.args, tt.want)
		}
	}
}
