package kairos

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestFilterOn(t *testing.T) {
	in := dayStream([]note{noteDays(0, 5, srcX)}, 1, 2, 2, 3, 9)
	in.endless, in.levels = true, []*level{{}}
	axis := dayStream([]note{noteDays(4, 8, srcX)}, 0, 2, 3, 4, 5)
	got := must(t)(smallEval(t).filterOn(Span{}, in, axis))
	wantDays(t, "points", got.pts, 2, 2, 3)
	wantNoteDays(t, "notes", got.notes, noteDays(0, 8, srcX))
	if got.endless || got.align != dayGrid || len(got.levels) != 1 {
		t.Errorf("endless %v, align %v, %d levels", got.endless, got.align, len(got.levels))
	}
	axis.endless = true
	if got := must(t)(smallEval(t).filterOn(Span{}, in, axis)); !got.endless {
		t.Error("both sides are endless")
	}
	empty := &stream{align: align{kind: alignVacuous}}
	if got := must(t)(smallEval(t).filterOn(Span{}, in, empty)); len(got.pts) != 0 || got.align != dayGrid {
		t.Errorf("an empty axis gave %v on %v", got.pts, got.align)
	}
	e := wantCode(t, "align", errOf(smallEval(t).filterOn(Span{}, in, &stream{})), "align.mismatch")
	if e.args[0] != "filter(on:)" {
		t.Errorf("the error has %v", e.args)
	}
	wantCode(t, "steps", errOf(noStepsLeft(t).filterOn(Span{}, in, axis)), "limit.steps")
	wantCode(t, "points", errOf(noPointsLeft(t).filterOn(Span{}, in, axis)), "limit.points")
}

func TestRoll(t *testing.T) {
	tests := []struct {
		name      string
		axis      *stream
		following bool
		points    []int64
		want      []int64
		warned    []string
	}{
		{"following", dayStream(nil, 2, 5, 9, 25), true, []int64{1, 2, 3, 4, 5, 6, 25}, []int64{2, 5, 9, 25}, nil},
		{"preceding", dayStream(nil, 2, 5, 9, 25), false, []int64{2, 3, 4, 5, 6, 30}, []int64{2, 5, 25}, nil},
		{"over many axis points", dayStream(nil, 1, 2, 3, 4, 5, 6, 7, 8, 20), true, []int64{1, 7, 9}, []int64{1, 7, 20}, nil},
		{"following beyond an axis that goes on", dayStream(nil, 2, 20), true, []int64{2, 21, 22}, []int64{2}, []string{"1970-01-22", "1970-01-23"}},
		{"following beyond an axis that ends", dayStream(nil, 2, 19), true, []int64{2, 21}, []int64{2}, nil},
		{"preceding before an axis that goes on", dayStream(nil, 10, 20), false, []int64{3, 11}, []int64{10}, []string{"1970-01-04"}},
		{"preceding before an axis that begins later", dayStream(nil, 11, 20), false, []int64{3, 11}, []int64{11}, nil},
		{"following beyond data", dayStream([]note{noteDays(22, plusInf, srcX)}, 2, 20), true, []int64{21, 22, 40}, nil, []string{"1970-01-22"}},
		{"preceding before data", dayStream([]note{noteDays(minusInf, 9, srcX)}, 10, 20), false, []int64{3, 8, 9}, nil, []string{"1970-01-10"}},
		{"empty axis", dayStream(nil), true, []int64{3}, nil, nil},
		{"empty axis, preceding", dayStream(nil), false, []int64{3}, nil, nil},
	}
	for _, tt := range tests {
		ev := smallEval(t)
		in := dayStream(nil, tt.points...)
		in.endless, in.levels = true, []*level{{}}
		got := must(t)(ev.roll(Span{}, in, tt.following, tt.axis))
		wantDays(t, tt.name, got.pts, tt.want...)
		wantWarnings(t, tt.name, ev, "horizon-clip", tt.warned...)
		if !got.endless || len(got.levels) != 1 || got.align != dayGrid {
			t.Errorf("%s: endless %v, %d levels, align %v", tt.name, got.endless, len(got.levels), got.align)
		}
	}
}

// TestRollNotesOfBoth takes the example of business days over data that begin on day 20: a point before the data may
// have been meant to roll back to a day that is not known.
func TestRollNotesOfBoth(t *testing.T) {
	axis := dayStream([]note{noteDays(minusInf, 20, srcX)}, 19, 20, 21)
	got := must(t)(smallEval(t).roll(Span{}, dayStream([]note{noteDays(30, 31, srcY)}, 20), false, axis))
	after := noteDays(minusInf, 20, srcX)
	after.to++
	wantNoteDays(t, "notes", got.notes, after, noteDays(21, 31, srcY))
}

func TestRollErrors(t *testing.T) {
	in, axis := dayStream(nil, 1, 2, 3), dayStream(nil, 20)
	e := wantCode(t, "align", errOf(smallEval(t).roll(Span{}, in, true, &stream{})), "align.mismatch")
	if e.args[0] != "roll(on:)" {
		t.Errorf("the error has %v", e.args)
	}
	vacuous := &stream{align: align{kind: alignVacuous}}
	if got := must(t)(smallEval(t).roll(Span{}, in, true, vacuous)); got.align != dayGrid || len(got.pts) != 0 {
		t.Errorf("rolling to an empty table gave %v on %v", got.pts, got.align)
	}
	wantCode(t, "steps", errOf(noStepsLeft(t).roll(Span{}, in, true, axis)), "limit.steps")
	wantCode(t, "points", errOf(noPointsLeft(t).roll(Span{}, in, true, axis)), "limit.points")
	wantCode(t, "warnings", errOf(noPointsLeft(t).roll(Span{}, dayStream(nil, 25), true, axis)), "limit.points")
}

func TestRollLaws(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for i := range 3000 {
		ev := smallEval(t)
		ev.from, ev.to = -1, 1000 // the axes end within, so nothing is warned of
		in := &stream{pts: somePoints(r, 60, 300, i%2 == 0), align: dayGrid, notes: someNotes(r, 3, 300)}
		axis := &stream{pts: somePoints(r, 60, 300, false), align: dayGrid, notes: someNotes(r, 3, 300)}
		for _, following := range []bool{true, false} {
			once := must(t)(ev.roll(Span{}, in, following, axis))
			twice := must(t)(ev.roll(Span{}, once, following, axis))
			if !slices.Equal(once.pts, twice.pts) {
				t.Fatalf("rolling %v on %v twice gave %v, then %v", in.pts, axis.pts, once.pts, twice.pts)
			}
			var want []int64
			for _, p := range in.pts {
				k := lowerBound(axis.pts, p)
				if !following {
					k = upperBound(axis.pts, p) - 1
				}
				if k >= 0 && k < len(axis.pts) {
					want = append(want, axis.pts[k])
				}
			}
			if !slices.Equal(once.pts, sortDedupe(want)) {
				t.Fatalf("rolling %v on %v gave %v, want %v", in.pts, axis.pts, once.pts, want)
			}
			// What is unknown of the input lands in what is unknown of the output.
			for _, n := range in.notes {
				for p := max(n.from, 0); p < min(n.to, 400); p++ {
					image := must(t)(ev.roll(Span{}, &stream{pts: []int64{p}, align: dayGrid}, following, axis))
					if len(image.pts) > 0 && !notedAt(once.notes, image.pts[0]) {
						t.Fatalf("%d in %s rolls to %d, outside %s", p, showNotes(in.notes), image.pts[0], showNotes(once.notes))
					}
				}
			}
		}
		if len(ev.warnings) != 0 {
			t.Fatalf("warned of %v", ev.warnings)
		}
	}
}
