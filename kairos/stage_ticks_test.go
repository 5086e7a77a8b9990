package kairos

import (
	"math"
	"slices"
	"testing"
)

func TestStrideByElapsed(t *testing.T) {
	ev := smallEval(t)
	z := ev.runZone
	h := ev.horizon
	width := func(ms float64) *WidthLit { return &WidthLit{Amount: ms, Text: "w"} }
	tests := []struct {
		ms    float64
		from  int64
		step  int64
		phase int64
		want  []int64
	}{
		{1000, h - 2500, 1000, 500, []int64{h - 2500, h - 1500, h - 500}},
		{1000, h - 2000, 1000, 0, []int64{h - 2000, h - 1000}},
		{1000, h, 1000, 0, nil},
		{1000, h + 5, 1000, 5, nil},
		{0.6, h - 2, 1, 0, []int64{h - 2, h - 1}},
		{7, h - 1, 7, (h - 1) % 7, []int64{h - 1}},
		{math.Inf(1), -3, 1 << 53, 1<<53 - 3, []int64{-3}},
	}
	for _, tt := range tests {
		got := must(t)(ev.strideBy(Span{}, width(tt.ms), tt.from, z))
		if !slices.Equal(got.pts, tt.want) {
			t.Errorf("every %v ms from %d: %v, want %v", tt.ms, tt.from, got.pts, tt.want)
		}
		if want := (align{kind: alignElapsed, step: tt.step, phase: tt.phase}); got.align != want || !got.endless || got.notes != nil || got.levels != nil {
			t.Errorf("every %v ms: %+v, want %v", tt.ms, got, want)
		}
	}
	if got := must(t)(ev.strideBy(Span{}, width(dayMs), -3*dayMs, z)); len(got.pts) != 423 || got.pts[0] != -3*dayMs || got.align.phase != 0 {
		t.Errorf("from before the epoch: %d points from %d, phase %d", len(got.pts), got.pts[0], got.align.phase)
	}
}

func TestStrideByErrors(t *testing.T) {
	ev := smallEval(t)
	for code, w := range map[string]*WidthLit{
		"strideBy.zero":     {Civil: true, Text: "0d"},
		"strideBy.fraction": {Civil: true, Amount: 1.5, Text: "1.5d"},
	} {
		if e := wantCode(t, w.Text, errOf(ev.strideBy(Span{}, w, 0, ev.runZone)), code); e.args[0] != w.Text {
			t.Errorf("the error has %v", e.args)
		}
	}
	for _, ms := range []float64{0, 0.4} {
		wantCode(t, "short", errOf(ev.strideBy(Span{}, &WidthLit{Amount: ms}, 0, ev.runZone)), "strideBy.zero")
	}
	wantCode(t, "negative", errOf(ev.strideBy(Span{}, &WidthLit{Amount: -1000}, 0, ev.runZone)), "strideBy.fraction")
	wantCode(t, "not a number", errOf(ev.strideBy(Span{}, &WidthLit{Civil: true, Amount: math.NaN()}, 0, ev.runZone)), "strideBy.fraction")

	// A step of a second over years does not fit; it must fail without its memory.
	ev = stageEval(t, "UTC")
	second := &WidthLit{Amount: 1000, Text: "1s"}
	allocated := testing.AllocsPerRun(1, func() {
		ev.points = DefaultLimits().Points
		wantCode(t, "seconds since 1970", errOf(ev.strideBy(Span{}, second, 0, ev.runZone)), "limit.points")
	})
	if allocated > 20 {
		t.Errorf("%v allocations", allocated)
	}
	wantCode(t, "milliseconds since the year 0", errOf(ev.strideBy(Span{}, &WidthLit{Amount: 1}, -62_167_219_200_000, ev.runZone)), "limit.points")
	wantCode(t, "steps", errOf(noStepsLeft(t).strideBy(Span{}, second, 419*dayMs, ev.runZone)), "limit.steps")
	wantCode(t, "points", errOf(noPointsLeft(t).strideBy(Span{}, &WidthLit{Civil: true, Amount: 1}, 0, ev.runZone)), "limit.points")
}

func TestStrideByDays(t *testing.T) {
	ev := stageEval(t, "UTC")
	paris, err := ev.zone(Span{}, "Europe/Paris")
	if err != nil {
		t.Fatal(err)
	}
	const hour = 3_600_000
	days := func(n float64) *WidthLit { return &WidthLit{Civil: true, Amount: n, Text: "d"} }

	got := must(t)(ev.strideBy(Span{}, days(1), paris.dayStart(2026, 3, 28), paris))
	// Up to 2027-03-08, which begins in Paris an hour before the horizon.
	if want := dates(t, ev, "Europe/Paris", 2026, 3, 28, 346); !slices.Equal(got.pts, want) {
		t.Errorf("days: got %d, want %d", len(got.pts), len(want))
	}
	if got.align != civilDay("Europe/Paris") || !got.endless {
		t.Errorf("align %v, endless %v", got.align, got.endless)
	}

	// The clock leaps from 2 to 3 on 29 March 2026, and goes back from 3 to 2 on 25 October.
	at := func(m, d int, utc int64) int64 { return stageEval(t, "UTC").runZone.dayStart(2026, m, d) + utc }
	got = must(t)(ev.strideBy(Span{}, days(1), at(3, 28, hour+hour/2), paris)) // 02:30
	if want := []int64{at(3, 28, hour+hour/2), at(3, 29, hour), at(3, 30, hour/2)}; !slices.Equal(got.pts[:3], want) {
		t.Errorf("half past two: %v, want %v", got.pts[:3], want)
	}
	if i := slices.Index(got.pts, at(10, 24, hour/2)); i < 0 || got.pts[i+1] != at(10, 25, hour/2) || got.pts[i+2] != at(10, 26, hour+hour/2) {
		t.Error("half past two around 25 October")
	}
	if got.align != (align{kind: alignCivil, step: 1, off: 2*hour + hour/2, zone: "Europe/Paris"}) {
		t.Errorf("align %v", got.align)
	}

	// 2026-01-05 is day 20458 since 1970: 3 modulo 7, which is a Monday as 1970-01-05, day 4, was; days 20458 and 20465.
	utc := ev.runZone
	got = must(t)(ev.strideBy(Span{}, days(7), 20458*dayMs+9*hour, utc))
	if got.pts[0] != 20458*dayMs+9*hour || got.pts[1] != 20465*dayMs+9*hour || len(got.pts) != 61 || got.align.phase != 20458%7 ||
		got.align.step != 7 || got.align.off != 9*hour {
		t.Errorf("weeks: %d points from %v, align %v", len(got.pts), got.pts[:2], got.align)
	}
	got = must(t)(ev.strideBy(Span{}, days(1e300), 20458*dayMs, utc))
	if !slices.Equal(got.pts, []int64{20458 * dayMs}) || got.align.step != 1<<53 {
		t.Errorf("a very long step: %v, align %v", got.pts, got.align)
	}
	got = must(t)(ev.strideBy(Span{}, days(30), -5*dayMs, utc))
	if got.pts[0] != 25*dayMs || got.pts[1] != 55*dayMs || got.align.phase != 25 {
		t.Errorf("before 1970: %v, align %v", got.pts[:2], got.align)
	}
	for _, from := range []int64{ev.horizon, ev.horizon + 90*dayMs, ev.horizon + hour} {
		if got := must(t)(ev.strideBy(Span{}, days(2), from, utc)); len(got.pts) != 0 {
			t.Errorf("from %d, not before the horizon: %v", from, got.pts)
		}
	}
}

// TestDayTicksAgainstClock compares with the wall clock of each day, in zones that change theirs in every way there is.
func TestDayTicksAgainstClock(t *testing.T) {
	ev := stageEval(t, "UTC")
	for _, name := range []string{"Europe/Paris", "America/St_Johns", "Australia/Lord_Howe", "America/Santiago", "Pacific/Apia",
		"Africa/Casablanca", "Asia/Tehran", "America/Havana", "Pacific/Kwajalein", "Asia/Gaza"} {
		z, err := ev.zone(Span{}, name)
		if err != nil {
			t.Fatal(err)
		}
		for _, off := range []int64{1, 600_000, 5_400_000, 9_000_000, 45_000_000, 85_500_000} {
			got, err := ev.dayTicks(1, z.atWall(z.dayStart(1970, 1, 3), off), z)
			if err != nil {
				t.Fatal(err)
			}
			for i, day := range z.days(ev.horizon)[2:] {
				if i < len(got.pts) && got.pts[i] != z.atWall(day, off) {
					t.Fatalf("%s: %d after the start %d of a day is %d, want %d", name, off, day, got.pts[i], z.atWall(day, off))
				}
			}
			if len(got.pts) < 20000 {
				t.Errorf("%s: only %d points", name, len(got.pts))
			}
		}
	}
}
