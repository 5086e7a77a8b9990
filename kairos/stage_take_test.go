package kairos

import "testing"

func TestStride(t *testing.T) {
	tests := []struct {
		n, from int64
		want    []int64
	}{
		{1, 3, []int64{3, 5, 6, 8, 9}},
		{2, 3, []int64{3, 6, 9}},
		{2, 4, []int64{5, 8}},
		{3, -9, []int64{1, 5, 9}},
		{1 << 62, 2, []int64{2}},
		{2, 10, nil},
	}
	for _, tt := range tests {
		in := dayStream(nil, 1, 2, 3, 5, 6, 8, 9)
		in.endless, in.levels = true, []*level{{}}
		got := must(t)(smallEval(t).stride(Span{}, in, tt.n, tt.from*dayMs))
		wantDays(t, "stride", got.pts, tt.want...)
		if !got.endless || len(got.levels) != 1 || got.align != dayGrid {
			t.Errorf("endless %v, %d levels, align %v", got.endless, len(got.levels), got.align)
		}
	}
	in := dayStream([]note{noteDays(0, 3, srcX), noteDays(2, 7, srcY), noteDays(9, 10, srcX)}, 1, 2, 8)
	got := must(t)(smallEval(t).stride(Span{}, in, 2, 3*dayMs))
	wantNoteDays(t, "all later points depend on what is unknown", got.notes, noteDays(0, 3, srcX), noteDays(2, plusInf, srcY),
		noteDays(9, plusInf, srcX))
	got = must(t)(smallEval(t).stride(Span{}, in, 1, 11*dayMs))
	wantNoteDays(t, "nothing unknown after from", got.notes, in.notes...)

	e := wantCode(t, "n", errOf(smallEval(t).stride(Span{}, in, 0, 0)), "stride.n")
	if e.args[0] != int64(0) {
		t.Errorf("the error has %v", e.args)
	}
	wantCode(t, "steps", errOf(noStepsLeft(t).stride(Span{}, in, 2, 0)), "limit.steps")
	wantCode(t, "points", errOf(noPointsLeft(t).stride(Span{}, in, 2, 0)), "limit.points")
}

func TestTake(t *testing.T) {
	notes := []note{noteDays(minusInf, 1, srcX), noteDays(4, 6, srcY), noteDays(8, plusInf, srcX)}
	in := dayStream(notes, 1, 2, 3, 5, 7, 9)
	in.endless = true
	tests := []struct {
		n, from int64
		want    []int64
		notes   []note
	}{
		{2, 2, []int64{2, 3}, []note{noteDays(minusInf, 1, srcX)}},
		{3, 2, []int64{2, 3, 5}, []note{noteDays(minusInf, 1, srcX), noteDays(4, plusInf, srcY)}},
		{6, 1, []int64{1, 2, 3, 5, 7, 9}, []note{noteDays(minusInf, 1, srcX), noteDays(4, plusInf, srcY), noteDays(8, plusInf, srcX)}},
		{1, 0, []int64{1}, []note{noteDays(minusInf, plusInf, srcX)}},
		{7, 7, []int64{7, 9}, []note{noteDays(minusInf, 1, srcX), noteDays(4, 6, srcY), noteDays(8, plusInf, srcX)}},
		{1 << 62, 10, nil, []note{noteDays(minusInf, 1, srcX), noteDays(4, 6, srcY), noteDays(8, plusInf, srcX)}},
		{1, 7, []int64{7}, []note{noteDays(minusInf, 1, srcX), noteDays(4, 6, srcY)}},
	}
	for _, tt := range tests {
		got := must(t)(smallEval(t).take(Span{}, in, tt.n, tt.from*dayMs))
		wantDays(t, "take", got.pts, tt.want...)
		wantNoteDays(t, "take", got.notes, tt.notes...)
		if got.endless || got.align != dayGrid {
			t.Errorf("endless %v, align %v", got.endless, got.align)
		}
	}
	// An annotation that starts exactly on the last point taken still matters.
	got := must(t)(smallEval(t).take(Span{}, dayStream([]note{noteDays(3, 4, srcX)}, 1, 3), 2, 0))
	wantNoteDays(t, "on the last point", got.notes, noteDays(3, plusInf, srcX))

	wantCode(t, "n", errOf(smallEval(t).take(Span{}, in, 0, 0)), "take.n")
	in.levels = []*level{{}}
	wantCode(t, "levels", errOf(smallEval(t).take(Span{}, in, 0, 0)), "take.windowed")
}

func TestTakeLast(t *testing.T) {
	notes := []note{noteDays(minusInf, 1, srcX), noteDays(4, 6, srcY), noteDays(8, plusInf, srcX)}
	in := dayStream(notes, 1, 2, 3, 5, 7, 9)
	tests := []struct {
		n, until int64
		want     []int64
		notes    []note
	}{
		{2, 3, []int64{2, 3}, []note{noteDays(4, 6, srcY), noteDays(8, plusInf, srcX)}},
		{2, 4, []int64{2, 3}, []note{noteDays(minusInf, 6, srcY), noteDays(8, plusInf, srcX)}},
		{1, 6, []int64{5}, []note{noteDays(minusInf, 6, srcY), noteDays(8, plusInf, srcX)}},
		{1, 9, []int64{9}, []note{noteDays(minusInf, plusInf, srcX)}},
		{4, 7, []int64{2, 3, 5, 7}, []note{noteDays(minusInf, 6, srcY), noteDays(8, plusInf, srcX)}},
		{9, 3, []int64{1, 2, 3}, []note{noteDays(minusInf, 1, srcX), noteDays(4, 6, srcY), noteDays(8, plusInf, srcX)}},
		{1 << 62, 0, nil, []note{noteDays(minusInf, 1, srcX), noteDays(4, 6, srcY), noteDays(8, plusInf, srcX)}},
	}
	for _, tt := range tests {
		ev := smallEval(t)
		got := must(t)(ev.takeLast(Span{}, in, tt.n, tt.until*dayMs))
		wantDays(t, "takeLast", got.pts, tt.want...)
		wantNoteDays(t, "takeLast", got.notes, tt.notes...)
		wantWarnings(t, "data that end", ev, "horizon-clip")
	}
	in.endless = true
	ev := smallEval(t)
	got := must(t)(ev.takeLast(Span{}, in, 2, 420*dayMs))
	wantDays(t, "beyond the horizon", got.pts, 7, 9)
	wantWarnings(t, "beyond the horizon", ev, "horizon-clip", "1971-02-25")
	if got.endless {
		t.Error("what was taken is not endless")
	}
	ev = smallEval(t)
	must(t)(ev.takeLast(Span{}, in, 4, 3*dayMs))
	wantWarnings(t, "too few", ev, "horizon-clip", "1970-01-04")
	ev = smallEval(t)
	must(t)(ev.takeLast(Span{}, in, 3, 3*dayMs))
	wantWarnings(t, "just enough", ev, "horizon-clip")

	wantCode(t, "n", errOf(ev.takeLast(Span{}, in, -1, 0)), "takeLast.n")
	in.levels = []*level{{}}
	wantCode(t, "levels", errOf(ev.takeLast(Span{}, in, 0, 0)), "takeLast.windowed")
}
