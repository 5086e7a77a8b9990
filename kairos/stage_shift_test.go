package kairos

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestShiftWindows(t *testing.T) {
	// Months of 31, 28, 31 and 30 days.
	months := tiles(onDays(0, 31, 59, 90, 120))
	tests := []struct {
		name   string
		n      int64
		points []int64
		want   []int64
		warned []string
	}{
		{"first days", 1, []int64{0, 31, 59}, []int64{31, 59, 90}, nil},
		{"back", -1, []int64{31, 60}, []int64{0, 32}, nil},
		{"31 January and a month is 3 March", 1, []int64{27, 30, 31, 32}, []int64{58, 59, 60, 61}, nil},
		{"points meet and stay two", 1, []int64{28, 29, 30, 31, 32}, []int64{59, 59, 60, 60, 61}, nil},
		{"beyond the last window", 2, []int64{0, 59, 90}, []int64{59}, []string{"1970-03-01", "1970-04-01"}},
		{"before the first window", -2, []int64{0, 31, 59}, []int64{0}, []string{"1970-01-01", "1970-02-01"}},
		{"by very much", 1 << 62, []int64{0}, nil, []string{"1970-01-01"}},
		{"back by very much", -1 << 63, []int64{0}, nil, []string{"1970-01-01"}},
		{"outside what is computed", 1, []int64{-1, 0, 420}, []int64{31}, []string{"1969-12-31", "1971-02-25"}},
	}
	for _, tt := range tests {
		ev := smallEval(t)
		in := dayStream(nil, tt.points...)
		in.endless, in.levels = true, []*level{{}}
		got := must(t)(ev.shiftWindows(Span{}, in, tt.n, months, dayGrid, ""))
		wantDays(t, tt.name, got.pts, tt.want...)
		wantWarnings(t, tt.name, ev, "horizon-clip", tt.warned...)
		if got.align != dayGrid || !got.endless || len(got.levels) != 1 {
			t.Errorf("%s: align %v, endless %v, %d levels", tt.name, got.align, got.endless, len(got.levels))
		}
	}
	ev := smallEval(t)
	got := must(t)(ev.shiftWindows(Span{}, dayStream([]note{noteDays(3, 5, srcX)}, 0), 1, months, align{}, ""))
	if got.align != (align{}) {
		t.Errorf("units on another grid leave the alignment %v", got.align)
	}
	wantNoteDays(t, "notes stay and move", got.notes, noteDays(3, 5, srcX), noteDays(34, 36, srcX))

	e := wantCode(t, "in no window", errOf(ev.shiftWindows(Span{}, dayStream(nil, 130), 1, months, dayGrid, "")), "shift.outside-unit")
	if e.args[0] != "1970-05-11" {
		t.Errorf("the error has %v", e.args)
	}
	in := dayStream(nil, 0)
	wantCode(t, "steps", errOf(noStepsLeft(t).shiftWindows(Span{}, in, 1, months, dayGrid, "")), "limit.steps")
	wantCode(t, "points", errOf(noPointsLeft(t).shiftWindows(Span{}, in, 1, months, dayGrid, "")), "limit.points")
	wantCode(t, "warnings", errOf(noPointsLeft(t).shiftWindows(Span{}, in, -1, months, dayGrid, "")), "limit.points")
	wantCode(t, "warnings", errOf(noPointsLeft(t).shiftWindows(Span{}, dayStream(nil, -1), 1, months, dayGrid, "")), "limit.points")
}

// TestFloor: the days of a zone west of the run's begin after the epoch, which is no fault of the point.
func TestFloor(t *testing.T) {
	west := align{kind: alignCivil, step: 1, zone: "-10:00"}
	days := tiles([]int64{10 * 3_600_000, 34 * 3_600_000, 58 * 3_600_000})
	in := &stream{pts: []int64{0, 9 * 3_600_000, 10 * 3_600_000}, align: dayGrid}
	ev := smallEval(t)
	got := must(t)(ev.shiftWindows(Span{}, in, 1, days, west, ""))
	if !slices.Equal(got.pts, []int64{34 * 3_600_000}) || got.align != (align{}) {
		t.Errorf("shift gave %v on %v", got.pts, got.align)
	}
	got = must(t)(ev.snapTo(Span{}, in, days, west, nil))
	if !slices.Equal(got.pts, []int64{10 * 3_600_000}) || got.align != west {
		t.Errorf("snapTo gave %v on %v", got.pts, got.align)
	}
	wantWarnings(t, "floor", ev, "horizon-clip", "1970-01-01", "1970-01-01T09:00", "1970-01-01", "1970-01-01T09:00")

	// Where the windows are unknown, that is the reason.
	got = must(t)(smallEval(t).snapTo(Span{}, in, days, west, []note{{5, 20, srcX}, {8 * 3_600_000, 9*3_600_000 + 1, srcX}}))
	wantNotes(t, "notes", got.notes, "X[28800000,32400001)")

	bad := align{kind: alignCivil, step: 1, zone: "No/Where"}
	wantCode(t, "zone", errOf(ev.shiftWindows(Span{}, in, 1, days, bad, "")), "tz.unknown")
	wantCode(t, "zone", errOf(ev.snapTo(Span{}, in, days, bad, nil)), "tz.unknown")
}

func TestShiftAxis(t *testing.T) {
	past, future := noteDays(minusInf, 8, srcX), noteDays(40, plusInf, srcX)
	tests := []struct {
		name   string
		axis   *stream
		n      int64
		points []int64
		want   []int64
		warned []string
		notes  []note
	}{
		{"on", dayStream(nil, 1, 4, 5, 8), 1, []int64{1, 5}, []int64{4, 8}, nil, nil},
		{"back", dayStream(nil, 1, 4, 5, 8), -2, []int64{5, 8}, []int64{1, 4}, nil, nil},
		{"by nothing", dayStream(nil, 1, 4, 5, 8), 0, []int64{1, 8}, []int64{1, 8}, nil, nil},
		{"repeated points stay", dayStream(nil, 1, 4, 5), 1, []int64{1, 1, 4}, []int64{4, 4, 5}, nil, nil},
		{"beyond an axis that ends", dayStream(nil, 1, 4, 19), 1, []int64{4, 19}, []int64{19}, nil, nil},
		{"beyond an axis that goes on", dayStream(nil, 1, 4, 20), 1, []int64{4, 20}, []int64{20}, []string{"1970-01-21"}, nil},
		{"before an axis that begins", dayStream(nil, 11, 12), -1, []int64{11, 12}, []int64{11}, nil, nil},
		{"before an axis that goes on", dayStream(nil, 10, 12), -1, []int64{10, 12}, []int64{10}, []string{"1970-01-11"}, nil},
		{"beyond data", dayStream([]note{future}, 1, 40), 1, []int64{1, 40}, []int64{40}, nil, []note{future}},
		{"before data", dayStream([]note{noteDays(minusInf, 1, srcY), past}, 1, 40), -1, []int64{1, 40}, []int64{1}, nil,
			[]note{noteDays(minusInf, 1, srcY), past}},
		{"not on the axis, where it is not known", dayStream([]note{past, future}, 10, 12), 1, []int64{3, 7, 10, 41}, []int64{12}, nil,
			[]note{past, future}},
		{"by very much", dayStream(nil, 1, 4, 19), 1 << 62, []int64{1}, nil, nil, nil},
		{"back by very much", dayStream(nil, 11, 12), -1 << 63, []int64{11}, nil, nil, nil},
		{"over many axis points", dayStream(nil, 1, 2, 3, 4, 5, 6, 7, 8, 9), 1, []int64{1, 6}, []int64{2, 7}, nil, nil},
	}
	for _, tt := range tests {
		ev := smallEval(t)
		in := dayStream(nil, tt.points...)
		in.endless, in.levels = true, []*level{{}}
		got := must(t)(ev.shiftAxis(Span{}, in, tt.n, tt.axis, ""))
		wantDays(t, tt.name, got.pts, tt.want...)
		wantWarnings(t, tt.name, ev, "horizon-clip", tt.warned...)
		wantNoteDays(t, tt.name, got.notes, tt.notes...)
		if got.align != dayGrid || !got.endless || len(got.levels) != 1 {
			t.Errorf("%s: align %v, endless %v, %d levels", tt.name, got.align, got.endless, len(got.levels))
		}
	}
	axis := dayStream(nil, 1, 5, 20)
	got := must(t)(smallEval(t).shiftAxis(Span{}, dayStream([]note{noteDays(0, 2, srcY)}, 1), 1, axis, ""))
	moved := noteDays(5, 5, srcY)
	moved.to++
	wantNoteDays(t, "notes stay and move", got.notes, noteDays(0, 2, srcY), moved)

	vacuous := &stream{align: align{kind: alignVacuous}}
	if got := must(t)(smallEval(t).shiftAxis(Span{}, dayStream(nil), 1, vacuous, "")); got.align != vacuous.align {
		t.Errorf("the alignment is %v, want the axis's", got.align)
	}
	e := wantCode(t, "off the axis", errOf(smallEval(t).shiftAxis(Span{}, dayStream(nil, 2), 1, axis, "")), "shift.off-axis")
	if e.args[0] != "1970-01-03" {
		t.Errorf("the error has %v", e.args)
	}
	wantCode(t, "beyond the axis", errOf(smallEval(t).shiftAxis(Span{}, dayStream(nil, 30), 1, axis, "")), "shift.off-axis")
	wantCode(t, "empty axis", errOf(smallEval(t).shiftAxis(Span{}, dayStream(nil, 30), 1, dayStream(nil), "")), "shift.off-axis")
	wantCode(t, "align", errOf(smallEval(t).shiftAxis(Span{}, dayStream(nil, 2), 1, &stream{}, "")), "align.mismatch")
	wantCode(t, "steps", errOf(noStepsLeft(t).shiftAxis(Span{}, axis, 1, axis, "")), "limit.steps")
	wantCode(t, "points", errOf(noPointsLeft(t).shiftAxis(Span{}, dayStream(nil, 1), 1, axis, "")), "limit.points")
	wantCode(t, "warnings", errOf(noPointsLeft(t).shiftAxis(Span{}, dayStream(nil, 20), 1, axis, "")), "limit.points")
}

func TestShiftInverse(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	for range 3000 {
		ev := smallEval(t)
		axis := &stream{pts: somePoints(r, 40, 300, false), align: dayGrid}
		if len(axis.pts) < 8 {
			continue
		}
		in := &stream{align: dayGrid, pts: retainPoints(axis.pts[3:len(axis.pts)-3], somePoints(r, 200, 300, false))}
		n := r.Int64N(7) - 3
		there := must(t)(ev.shiftAxis(Span{}, in, n, axis, ""))
		if back := must(t)(ev.shiftAxis(Span{}, there, -n, axis, "")); !slices.Equal(back.pts, in.pts) {
			t.Fatalf("%v by %d on %v is %v, and back %v", in.pts, n, axis.pts, there.pts, back.pts)
		}
		// Windows of equal length: every distance from a start fits into every window.
		s := tiles([]int64{0, 40, 80, 120, 160, 200, 240, 280, 320, 360})
		in = &stream{align: dayGrid, pts: somePoints(r, 40, 100, true)}
		for i := range in.pts {
			in.pts[i] += 130
		}
		there = must(t)(ev.shiftWindows(Span{}, in, n, s, dayGrid, ""))
		if back := must(t)(ev.shiftWindows(Span{}, there, -n, s, dayGrid, "")); !slices.Equal(back.pts, in.pts) {
			t.Fatalf("%v by %d windows is %v, and back %v", in.pts, n, there.pts, back.pts)
		}
		for i, p := range there.pts {
			if p != in.pts[i]+40*n {
				t.Fatalf("%d by %d windows of 40 is %d", in.pts[i], n, p)
			}
		}
	}
}

// TestShiftNotesCoverImages: where a point in an annotation lands, the result is annotated. With windows of different
// lengths the language does not promise it: the end of an annotation can land beyond the window that it moves to.
func TestShiftNotesCoverImages(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 20))
	for range 2000 {
		ev := smallEval(t)
		notes := someNotes(r, 3, 100)
		axis := &stream{pts: somePoints(r, 30, 100, false), align: dayGrid}
		s := &spans{}
		for at := r.Int64N(20); at < 90; at += 7 + r.Int64N(2)*r.Int64N(9) {
			s.start, s.end = append(s.start, at), append(s.end, at+7)
		}
		n := r.Int64N(9) - 4
		byAxis := must(t)(ev.shiftAxis(Span{}, &stream{align: dayGrid, notes: notes}, n, axis, "")).notes
		byWindows := must(t)(ev.shiftWindows(Span{}, &stream{align: dayGrid, notes: notes}, n, s, dayGrid, "")).notes
		for _, p := range axis.pts {
			k := int64(lowerBound(axis.pts, p)) + n
			if notedAt(notes, p) && k >= 0 && k < int64(len(axis.pts)) && !notedAt(byAxis, axis.pts[k]) {
				t.Fatalf("%d in %s moves by %d to %d on %v, outside %s", p, showNotes(notes), n, axis.pts[k], axis.pts, showNotes(byAxis))
			}
		}
		for p := range int64(100) {
			i := s.find(p)
			if k := int64(i) + n; i >= 0 && notedAt(notes, p) && k >= 0 && k < int64(s.len()) &&
				!notedAt(byWindows, s.start[k]+p-s.start[i]) {
				t.Fatalf("%d in %s moves by %d windows of %v outside %s", p, showNotes(notes), n, *s, showNotes(byWindows))
			}
		}
	}
}

func TestSnapTo(t *testing.T) {
	weeks := tiles(onDays(0, 7, 14, 21))
	week := align{kind: alignCivil, step: 7, zone: "UTC"}
	ev := smallEval(t)
	in := dayStream([]note{noteDays(8, 16, srcX)}, -2, 0, 3, 8, 9, 20, 421)
	in.endless, in.levels = true, []*level{{}}
	got := must(t)(ev.snapTo(Span{}, in, weeks, week, nil))
	wantDays(t, "starts, each once", got.pts, 0, 7, 14)
	wantWarnings(t, "outside what is computed", ev, "horizon-clip", "1969-12-30", "1971-02-26")
	wantNoteDays(t, "notes", got.notes, noteDays(7, 14, srcX))
	if got.align != week || !got.endless || len(got.levels) != 1 {
		t.Errorf("align %v, endless %v, %d levels", got.align, got.endless, len(got.levels))
	}
	unknown := []note{noteDays(minusInf, 3, srcX), noteDays(21, plusInf, srcY), noteDays(22, 23, srcX)}
	got = must(t)(smallEval(t).snapTo(Span{}, dayStream(nil, 3, 30), weeks, align{}, unknown))
	wantDays(t, "dropped where windows are not known", got.pts, 0)
	wantNoteDays(t, "only what was missed", got.notes, noteDays(21, plusInf, srcY))

	e := wantCode(t, "in no window", errOf(ev.snapTo(Span{}, dayStream(nil, 30), weeks, week, nil)), "snapTo.outside")
	if e.args[0] != "1970-01-31" {
		t.Errorf("the error has %v", e.args)
	}
	wantCode(t, "steps", errOf(noStepsLeft(t).snapTo(Span{}, dayStream(nil, 1), weeks, week, nil)), "limit.steps")
	wantCode(t, "points", errOf(noPointsLeft(t).snapTo(Span{}, dayStream(nil, 1), weeks, week, nil)), "limit.points")
	wantCode(t, "warnings", errOf(noPointsLeft(t).snapTo(Span{}, dayStream(nil, -1), weeks, week, nil)), "limit.points")
}
