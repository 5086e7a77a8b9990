package kairos

import (
	"math/rand/v2"
	"slices"
	"testing"
)

const hourMs = 3_600_000

// clockHours gives instants as hours since the epoch.
func clockHours(h ...int64) []int64 {
	out := make([]int64, len(h))
	for i, v := range h {
		out[i] = v * hourMs
	}
	return out
}

// hourNote is an annotation of hours since the epoch.
func hourNote(from, to int64, src *source) note {
	n := noteDays(from, to, src)
	if from != minusInf {
		n.from = from * hourMs
	}
	if to != plusInf {
		n.to = to * hourMs
	}
	return n
}

func someHours(t *testing.T, ev *evaluation, opens, closes []int64, notes []note, days *stream) *hours {
	t.Helper()
	h, err := ev.newHours(Span{}, &stream{pts: opens, notes: notes, endless: true}, &stream{pts: closes}, days, ev.runZone)
	if err != nil {
		t.Fatal(err, err.(*Error).args)
	}
	return h
}

// wantAnswers asks at hours, and at a millisecond before each where just is set.
func wantAnswers(t *testing.T, what string, h *hours, want map[int64]string) {
	t.Helper()
	for at, w := range want {
		open, s := h.isOpen(at * hourMs)
		got := "closed"
		if open {
			got = "open"
		}
		if s != nil {
			got = showNotes(s.notes)
			if s.hasWindow {
				t.Errorf("%s: the signal at hour %d has a window", what, at)
			}
		}
		if got != w {
			t.Errorf("%s: at hour %d it is %s, want %s", what, at, got, w)
		}
	}
}

func TestHours(t *testing.T) {
	ev := smallEval(t)
	// Days 0 to 4, of which day 2 is no business day: nine to noon, one to five; on day 3 from nine overnight to two.
	opens := clockHours(9, 13, 33, 37, 57, 61, 81)
	closes := clockHours(12, 17, 36, 41, 60, 65, 98)
	h := someHours(t, ev, opens, closes, nil, dayStream(nil, 0, 1, 3, 4))
	if want := clockHours(9, 13, 33, 37, 81); !slices.Equal(h.bizOpen().pts, want) {
		t.Errorf("openings %v, want %v", h.bizOpen().pts, want)
	}
	if want := clockHours(12, 17, 36, 41, 98); !slices.Equal(h.bizClose().pts, want) {
		t.Errorf("closings %v, want %v", h.bizClose().pts, want)
	}
	if !h.bizOpen().endless || h.bizClose().endless || h.bizOpen().align != (align{}) || h.bizClose().align != (align{}) {
		t.Error("the streams are as endless as their markers, and on no grid")
	}
	wantAnswers(t, "days", h, map[int64]string{0: "closed", 8: "closed", 9: "open", 11: "open", 12: "closed", 13: "open", 17: "closed",
		33: "open", 57: "closed", 59: "closed", 81: "open", 97: "open", 98: "closed", 500: "closed", -50: "closed"})
	if open, _ := h.isOpen(9*hourMs - 1); open {
		t.Error("open before the opening")
	}
	if open, _ := h.isOpen(12*hourMs - 1); !open {
		t.Error("closed before the closing")
	}
}

func TestHoursTouching(t *testing.T) {
	ev := smallEval(t)
	horizon := ev.horizon / hourMs
	all := make([]int64, 30)
	for i := range all {
		all[i] = int64(i)
	}
	days := dayStream(nil, all...)
	tests := []struct {
		name          string
		opens, closes []int64
		days          *stream
		open, close   []int64
		answers       map[int64]string
	}{
		{"closes and opens again at once", []int64{9, 12}, []int64{12, 17}, days, []int64{9, 12}, []int64{17},
			map[int64]string{11: "open", 12: "open", 16: "open", 17: "closed"}},
		{"opens for no time", []int64{9, 20}, []int64{9, 21}, days, []int64{9, 20}, []int64{21},
			map[int64]string{9: "closed", 10: "closed", 20: "open"}},
		{"touching sessions of which the second is not kept", []int64{9, 24}, []int64{24, 30}, dayStream(nil, 0), []int64{9}, []int64{24},
			map[int64]string{23: "open", 24: "closed", 29: "closed"}},
		{"touching sessions of which the first is not kept", []int64{9, 24}, []int64{24, 30}, dayStream(nil, 1), []int64{24}, []int64{30},
			map[int64]string{23: "closed", 24: "open", 29: "open"}},
		{"never closed", []int64{9}, nil, days, []int64{9}, nil, map[int64]string{8: "closed", 9: "open", horizon - 1: "open", horizon: "closed"}},
		{"closed first", []int64{20}, []int64{5, 21}, days, []int64{20}, []int64{21}, map[int64]string{4: "closed", 20: "open"}},
		{"opens beyond the horizon", []int64{9, horizon + 3}, []int64{12}, days, []int64{9}, []int64{12}, map[int64]string{horizon + 4: "closed"}},
		{"closes beyond the horizon", []int64{9}, []int64{horizon + 3}, days, []int64{9}, []int64{horizon + 3},
			map[int64]string{horizon + 2: "open"}},
		{"nothing", nil, nil, days, nil, nil, map[int64]string{5: "closed"}},
	}
	for _, tt := range tests {
		h := someHours(t, ev, clockHours(tt.opens...), clockHours(tt.closes...), nil, tt.days)
		if !slices.Equal(h.bizOpen().pts, clockHours(tt.open...)) || !slices.Equal(h.bizClose().pts, clockHours(tt.close...)) {
			t.Errorf("%s: openings %v, closings %v", tt.name, h.bizOpen().pts, h.bizClose().pts)
		}
		wantAnswers(t, tt.name, h, tt.answers)
	}
	// Before 1970-01-01T00:00Z no session opens.
	h := someHours(t, ev, clockHours(-2, 9), clockHours(3, 12), nil, dayStream(nil, -1, 0))
	if !slices.Equal(h.bizOpen().pts, clockHours(-2, 9)) || !slices.Equal(h.bizClose().pts, clockHours(12)) {
		t.Errorf("before 1970: openings %v, closings %v", h.bizOpen().pts, h.bizClose().pts)
	}
}

func TestHoursUnknown(t *testing.T) {
	ev := smallEval(t)
	markers := []note{hourNote(minusInf, 5, srcX), hourNote(50, plusInf, srcX)}
	days := dayStream([]note{noteDays(1, 2, srcY)}, 0, 1, 3)
	h := someHours(t, ev, clockHours(9, 33, 45), clockHours(17, 41), markers, days)
	wantNotes(t, "openings", h.bizOpen().notes, showNotes([]note{markers[0], noteDays(1, 2, srcY), markers[1]}))
	wantNotes(t, "closings", h.bizClose().notes, showNotes(h.bizOpen().notes))
	before, after, day := showNotes(markers[:1]), showNotes(markers[1:]), showNotes(days.notes)
	wantAnswers(t, "unknown", h, map[int64]string{
		-3: before, // no marker before it
		3:  before, // unknown since the epoch
		8:  before, // since the epoch there may have been an opening
		9:  "open",
		16: "open",
		17: "closed",
		32: "closed",
		33: day, // open, if day 1 is a business day
		41: "closed",
		44: "closed",
		45: day,
		49: day,
		50: after + " " + day, // there may have been a closing
		90: after + " " + day,
	})
}

func TestHoursAlternation(t *testing.T) {
	ev := smallEval(t)
	days := dayStream(nil, 0)
	tests := []struct {
		name          string
		opens, closes []int64
		notes         []note
		want          []any
	}{
		{"two openings", []int64{9, 11}, []int64{12}, nil, []any{"sessionOpens", "sessionCloses", "1970-01-01T11:00"}},
		{"two closings", []int64{9}, []int64{12, 13}, nil, []any{"sessionCloses", "sessionOpens", "1970-01-01T13:00"}},
		{"two leading closings", nil, []int64{12, 13}, nil, []any{"sessionCloses", "sessionOpens", "1970-01-01T13:00"}},
		{"an opening and closing at once change nothing", []int64{9, 10, 11}, []int64{10, 12}, nil, []any{"sessionOpens", "sessionCloses", "1970-01-01T11:00"}},
		{"the second opening after what is unknown", []int64{9, 20, 22}, []int64{}, []note{hourNote(10, 12, srcX)}, []any{"sessionOpens", "sessionCloses", "1970-01-01T22:00"}},
		{"what is unknown breaks the row", []int64{9, 20}, []int64{30}, []note{hourNote(10, 12, srcX)}, nil},
		{"within what is unknown", []int64{9, 10, 11}, []int64{12}, []note{hourNote(9, 12, srcX)}, nil},
		{"before the epoch", []int64{-5, -3, 9}, []int64{12}, nil, nil},
		{"beyond the horizon", []int64{9, 420*24 + 1, 420*24 + 3}, []int64{12}, nil, nil},
		{"known nowhere", []int64{9, 11}, []int64{12}, []note{hourNote(minusInf, plusInf, srcX)}, nil},
		{"known only beyond the horizon", []int64{9, 11}, []int64{12}, []note{hourNote(minusInf, 421*24, srcX)}, nil},
	}
	for _, tt := range tests {
		_, err := ev.newHours(Span{4, 5}, &stream{pts: clockHours(tt.opens...), notes: tt.notes}, &stream{pts: clockHours(tt.closes...)}, days, ev.runZone)
		if tt.want == nil {
			if err != nil {
				t.Errorf("%s: %v", tt.name, err)
			}
			continue
		}
		if e := wantCode(t, tt.name, err, "hours.alternation"); !slices.Equal(e.args, tt.want) || e.Span != (Span{4, 5}) {
			t.Errorf("%s: the error has %v at %v, want %v", tt.name, e.args, e.Span, tt.want)
		}
	}
	in := &stream{pts: clockHours(9)}
	_, err := noStepsLeft(t).newHours(Span{}, in, in, days, ev.runZone)
	wantCode(t, "steps", err, "limit.steps")
	_, err = noPointsLeft(t).newHours(Span{}, in, in, days, ev.runZone)
	wantCode(t, "points", err, "limit.points")
}

// TestHoursInAnyOrder: an answer does not depend on what was asked before.
func TestHoursInAnyOrder(t *testing.T) {
	ev := smallEval(t)
	r := rand.New(rand.NewPCG(21, 22))
	for range 60 {
		ev.points = DefaultLimits().Points
		var opens, closes []int64
		at := r.Int64N(20)
		for at < 900 {
			opens = append(opens, at)
			at += 1 + r.Int64N(10)
			closes = append(closes, at)
			at += r.Int64N(30)
		}
		var business []int64
		for d := range int64(40) {
			if r.IntN(3) > 0 {
				business = append(business, d)
			}
		}
		notes := []note{hourNote(minusInf, r.Int64N(60), srcX), hourNote(500, 500+r.Int64N(60), srcX)}
		o, c, days := clockHours(opens...), clockHours(closes...), dayStream([]note{noteDays(10, 12, srcY)}, business...)
		asked := someHours(t, ev, o, c, notes, days)
		for range 100 {
			q := r.Int64N(950*hourMs) - 20*hourMs
			got, s := asked.isOpen(q)
			want, s2 := someHours(t, ev, o, c, notes, days).isOpen(q)
			if got != want || (s == nil) != (s2 == nil) || s != nil && showNotes(s.notes) != showNotes(s2.notes) {
				t.Fatalf("at %d: %v %v after other questions, %v %v alone", q, got, s, want, s2)
			}
			k := upperBound(o, q) - 1
			inside := k >= 0 && q < c[k]
			if s == nil && got != (inside && slices.Contains(business, o[k]/dayMs)) {
				t.Fatalf("at %d: open %v", q, got)
			}
		}
	}
}

// TestDayFinder compares with the days that the zone gives, around changes of the clock too.
func TestDayFinder(t *testing.T) {
	ev := stageEval(t, "UTC")
	for _, name := range []string{"America/St_Johns", "America/Santiago", "Pacific/Apia", "Asia/Tokyo", "America/Havana"} {
		z, err := ev.zone(Span{}, name)
		if err != nil {
			t.Fatal(err)
		}
		f := dayFinder{days: z.days(ev.horizon), z: z}
		for at := int64(-3 * dayMs); at < ev.horizon+3*dayMs; at += 1_799_000 {
			if got, want := f.floor(at), z.floorDay(at); got != want {
				t.Fatalf("%s: the day of %s starts at %s, want %s", name, z.format(at), z.format(got), z.format(want))
			}
		}
	}
}
