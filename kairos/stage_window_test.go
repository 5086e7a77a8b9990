package kairos

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestWithin(t *testing.T) {
	ev := smallEval(t)
	outer := &level{name: "year"}
	in := &stream{pts: onDays(1, 2), align: dayGrid, notes: []note{noteDays(0, 1, srcX)}, endless: true,
		levels: make([]*level, 1, 4)}
	in.levels[0] = outer
	w := tiles(onDays(0, 7, 14))
	week := align{kind: alignCivil, step: 7, zone: "UTC"}
	notes := []note{noteDays(7, 9, srcY)}
	got := must(t)(ev.within(Span{}, in, "week", w, week, notes))
	other := must(t)(ev.within(Span{}, in, "month", w, week, nil))
	if len(got.levels) != 2 || got.levels[0] != outer || got.levels[1].name != "week" || got.levels[1].spans != w ||
		got.levels[1].grain != week || got.levels[1].notes[0] != notes[0] || other.levels[1].name != "month" || len(in.levels) != 1 {
		t.Errorf("levels %v", got.levels)
	}
	wantDays(t, "points", got.pts, 1, 2)
	wantNoteDays(t, "notes", got.notes, noteDays(0, 1, srcX))
	if !got.endless || got.align != dayGrid {
		t.Errorf("endless %v, align %v", got.endless, got.align)
	}
	wantWarnings(t, "no gaps", ev, "I5")
}

func TestWithinGaps(t *testing.T) {
	ev := smallEval(t)
	gapped := &spans{start: onDays(0, 3, 8), end: onDays(3, 5, 9)}
	must(t)(ev.within(Span{}, dayStream(nil, 1), "half", gapped, align{}, nil))
	must(t)(ev.within(Span{}, dayStream(nil, 1), "", gapped, align{}, nil))
	wantWarnings(t, "gap", ev, "I5", "1970-01-06", "1970-01-06")
	ev = smallEval(t)
	must(t)(ev.within(Span{}, dayStream(nil, 1), "half", &spans{start: onDays(0, 3), end: onDays(3, 5)}, align{}, nil))
	wantWarnings(t, "windows that touch", ev, "I5")

	_, err := ev.within(Span{}, dayStream(nil, 1), "w", gapped, align{kind: alignCivil, step: 1, zone: "Asia/Tokyo"}, nil)
	wantCode(t, "another zone", err, "align.tz-membership")
	_, err = noStepsLeft(t).within(Span{}, dayStream(nil, 1), "w", gapped, align{}, nil)
	wantCode(t, "steps", err, "limit.steps")
}

func TestSelect(t *testing.T) {
	w := &spans{start: onDays(0, 10, 20, 40), end: onDays(10, 20, 30, 50)}
	lv := &level{name: "w", spans: w, grain: dayGrid}
	pts := []int64{-5, 1, 2, 9, 10, 22, 23, 35, 50}
	tests := []struct {
		which selector
		n     int64
		want  []int64
	}{
		{selFirst, 0, []int64{1, 10, 22}},
		{selLast, 0, []int64{9, 10, 23}},
		{selNth, 1, []int64{1, 10, 22}},
		{selNth, 2, []int64{2, 23}},
		{selNth, 3, []int64{9}},
		{selNth, 4, nil},
		{selNth, 0, nil},
		{selNth, -1, nil},
		{selNth, 1 << 62, nil},
	}
	for _, tt := range tests {
		in := dayStream(nil, pts...)
		in.levels, in.endless = []*level{lv}, true
		got := must(t)(smallEval(t).selectPoints(Span{}, in, tt.which, tt.n, "", false))
		wantDays(t, tt.which.String(), got.pts, tt.want...)
		if len(got.levels) != 0 || !got.endless || got.align != dayGrid {
			t.Errorf("%v: %d levels, endless %v, align %v", tt.which, len(got.levels), got.endless, got.align)
		}
	}
}

func TestSelectLevels(t *testing.T) {
	year := &level{name: "year", spans: tiles(onDays(0, 30, 60))}
	month := &level{name: "month", spans: tiles(onDays(0, 10, 20, 30, 40)), notes: []note{noteDays(12, 13, srcY)}}
	inner := &level{name: "year", spans: tiles(onDays(0, 5, 10))}
	in := dayStream([]note{noteDays(32, 33, srcX)}, 1, 6, 12, 31, 35)
	in.levels = []*level{year, month, inner}
	ev := smallEval(t)

	got := must(t)(ev.selectPoints(Span{}, in, selLast, 0, "", false))
	wantDays(t, "innermost", got.pts, 1, 6)
	if !slices.Equal(got.levels, []*level{year, month}) {
		t.Error("the innermost selection must leave two levels")
	}
	got = must(t)(ev.selectPoints(Span{}, in, selLast, 0, "month", true))
	wantDays(t, "of: month", got.pts, 6, 12, 35)
	if !slices.Equal(got.levels, []*level{year}) {
		t.Error("of: month must leave one level")
	}
	wantNoteDays(t, "notes are stretched to months", got.notes, noteDays(10, 20, srcY), noteDays(30, 40, srcX))
	got = must(t)(ev.selectPoints(Span{}, in, selLast, 0, "year", true))
	wantDays(t, "of: year is the outermost", got.pts, 12, 35)
	if len(in.levels) != 3 {
		t.Error("the input lost levels")
	}

	e := wantCode(t, "unknown level", errOf(ev.selectPoints(Span{}, in, selLast, 0, "week", true)), "select.of-unknown")
	if e.args[0] != "week" || !slices.Equal(e.args[1].([]string), []string{"year", "month", "year"}) {
		t.Errorf("the error has %v", e.args)
	}
	e = wantCode(t, "no level", errOf(ev.selectPoints(Span{}, dayStream(nil, 1), selNth, 2, "", false)), "select.no-window")
	if e.args[0] != "nth" {
		t.Errorf("the error has %v", e.args)
	}
	foreign := dayStream(nil, 1)
	foreign.levels = []*level{{spans: tiles(nil), grain: align{kind: alignCivil, step: 1, zone: "Asia/Tokyo"}}}
	wantCode(t, "zone", errOf(ev.selectPoints(Span{}, foreign, selFirst, 0, "", false)), "align.tz-membership")
	wantCode(t, "steps", errOf(noStepsLeft(t).selectPoints(Span{}, in, selFirst, 0, "", false)), "limit.steps")
	wantCode(t, "points", errOf(noPointsLeft(t).selectPoints(Span{}, in, selFirst, 0, "", false)), "limit.points")
}

func errOf(s *stream, err error) error {
	if s != nil {
		panic("a result together with an error")
	}
	return err
}

// TestSelectAgainstDefinition takes, for each window, the points in it.
func TestSelectAgainstDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for range 3000 {
		s := someSpans(r)
		pts := somePoints(r, 60, 70, true)
		n := 1 + r.Int64N(3)
		var first, last, nth []int64
		for i := range s.start {
			var in []int64
			for _, p := range pts {
				if s.start[i] <= p && p < s.end[i] {
					in = append(in, p)
				}
			}
			if len(in) > 0 {
				first, last = append(first, in[0]), append(last, in[len(in)-1])
			}
			if n <= int64(len(in)) {
				nth = append(nth, in[n-1])
			}
		}
		if got := pickPoints(pts, s, selFirst, 0); !slices.Equal(got, first) {
			t.Fatalf("first of %v in %v: %v, want %v", pts, *s, got, first)
		}
		if got := pickPoints(pts, s, selLast, 0); !slices.Equal(got, last) {
			t.Fatalf("last of %v in %v: %v, want %v", pts, *s, got, last)
		}
		if got := pickPoints(pts, s, selNth, n); !slices.Equal(got, nth) {
			t.Fatalf("nth(%d) of %v in %v: %v, want %v", n, pts, *s, got, nth)
		}
	}
}

// TestSelectReversedHead pins what a clipped head window does that ends before it starts: points before its start are in
// no window for a selector.
func TestSelectReversedHead(t *testing.T) {
	s := tiles([]int64{0, -9, 15, 30})
	if got := pickPoints([]int64{-9, 5, 20}, s, selFirst, 0); !slices.Equal(got, []int64{5, 20}) {
		t.Errorf("got %v", got)
	}
}
