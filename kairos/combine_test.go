package kairos

import "testing"

func TestCombine(t *testing.T) {
	a := &stream{pts: onDays(1, 2, 3), align: dayGrid, endless: true, notes: []note{noteDays(0, 5, srcX)}, levels: []*level{{}}}
	b := &stream{pts: onDays(2, 3, 4), align: dayGrid, notes: []note{noteDays(4, 9, srcX), noteDays(4, 6, srcY)}}
	tests := []struct {
		op      byte
		l, r    *stream
		days    []int64
		endless bool
	}{
		{'|', a, b, []int64{1, 2, 3, 4}, true},
		{'|', b, a, []int64{1, 2, 3, 4}, true},
		{'|', b, b, []int64{2, 3, 4}, false},
		{'&', a, b, []int64{2, 3}, false},
		{'&', a, a, []int64{1, 2, 3}, true},
		{'\\', a, b, []int64{1}, true},
		{'\\', b, a, []int64{4}, false},
	}
	for _, tt := range tests {
		ev := smallEval(t)
		before := ev.points
		got := must(t)(ev.combine(Span{}, tt.op, tt.l, tt.r))
		what := string(tt.op)
		wantDays(t, what, got.pts, tt.days...)
		if got.endless != tt.endless || got.align != dayGrid || got.levels != nil {
			t.Errorf("%s: endless %v, align %v, %d levels", what, got.endless, got.align, len(got.levels))
		}
		if before-ev.points != int64(len(tt.days)) {
			t.Errorf("%s: %d points accounted for, want %d", what, before-ev.points, len(tt.days))
		}
	}
	got := must(t)(smallEval(t).combine(Span{}, '&', a, b))
	wantNoteDays(t, "notes of both", got.notes, noteDays(0, 9, srcX), noteDays(4, 6, srcY))
}

func TestCombineAlign(t *testing.T) {
	none, empty := align{}, align{kind: alignVacuous}
	other := align{kind: alignCivil, step: 1, zone: "Asia/Tokyo"}
	tests := []struct {
		op         byte
		l, r, want align
		fails      bool
	}{
		{'|', dayGrid, dayGrid, dayGrid, false},
		{'|', dayGrid, other, none, false},
		{'|', none, none, none, false},
		{'|', dayGrid, none, none, false},
		{'|', empty, other, other, false},
		{'|', other, empty, other, false},
		{'|', empty, none, none, false},
		{'|', empty, empty, empty, false},
		{'&', dayGrid, other, none, true},
		{'\\', dayGrid, other, none, true},
		{'&', none, none, none, true},
		{'\\', none, dayGrid, none, true},
		{'&', empty, none, none, false},
		{'\\', empty, other, other, false},
		{'\\', other, empty, other, false},
	}
	for _, tt := range tests {
		got, err := smallEval(t).combine(Span{3, 4}, tt.op, &stream{align: tt.l}, &stream{align: tt.r})
		what := tt.l.String() + " " + string(tt.op) + " " + tt.r.String()
		if tt.fails {
			e := wantCode(t, what, err, "align.mismatch")
			if e.Span != (Span{3, 4}) || len(e.args) != 4 || e.args[0] != string(tt.op) || e.args[1] != tt.l || e.args[2] != tt.r {
				t.Errorf("%s: the error has %v at %v", what, e.args, e.Span)
			}
			continue
		}
		if s := must(t)(got, err); s.align != tt.want {
			t.Errorf("%s: got %s, want %s", what, s.align, tt.want)
		}
	}
}

func TestCombineLimits(t *testing.T) {
	a := dayStream(nil, 1, 2)
	_, err := noStepsLeft(t).combine(Span{}, '|', a, a)
	wantCode(t, "steps", err, "limit.steps")
	_, err = noPointsLeft(t).combine(Span{}, '|', a, a)
	wantCode(t, "points", err, "limit.points")
}

func TestCheckZone(t *testing.T) {
	tokyo := align{kind: alignCivil, step: 7, phase: 3, zone: "Asia/Tokyo"}
	elapsed := align{kind: alignElapsed, step: 60_000}
	for _, ok := range [][2]align{{dayGrid, dayGrid}, {dayGrid, elapsed}, {elapsed, tokyo}, {align{}, tokyo}, {tokyo, align{kind: alignVacuous}}} {
		if err := checkZone(Span{}, "within", ok[0], ok[1]); err != nil {
			t.Errorf("%v: %v", ok, err)
		}
	}
	e := wantCode(t, "zones", checkZone(Span{}, "within", tokyo, dayGrid), "align.tz-membership")
	if len(e.args) != 3 || e.args[0] != "within" || e.args[1] != "Asia/Tokyo" || e.args[2] != "UTC" {
		t.Errorf("the error has %v", e.args)
	}
}

func TestAlignText(t *testing.T) {
	for want, a := range map[string]align{
		"no grid":   {},
		"no points": {kind: alignVacuous},
		"every 7 days of Asia/Tokyo at T09:30 (phase 3)": {kind: alignCivil, step: 7, phase: 3, off: 34_200_000, zone: "Asia/Tokyo"},
		"the days of UTC at T00:00:05":                   {kind: alignCivil, step: 1, off: 5000, zone: "UTC"},
		"the days of UTC at T00:01:00.250":               {kind: alignCivil, step: 1, off: 60_250, zone: "UTC"},
		"steps of 1m (phase 0.005s)":                     {kind: alignElapsed, step: 60_000, phase: 5},
	} {
		if got := a.String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
