package kairos

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
)

// stageEval makes an evaluation of the days from 2026-01-01 up to 2026-02-01, as kernels need it.
func stageEval(t testing.TB, tz string) *evaluation {
	t.Helper()
	ev := &evaluation{ctx: context.Background(), opts: Options{Limits: DefaultLimits()}, zones: map[string]*zone{},
		steps: DefaultLimits().Steps, points: DefaultLimits().Points}
	z, err := ev.zone(Span{}, tz)
	if err != nil {
		t.Fatal(err)
	}
	ev.runZone = z
	ev.from, ev.to, ev.epoch = z.dayStart(2026, 1, 1), z.dayStart(2026, 2, 1), z.dayStart(1970, 1, 1)
	ev.horizon = ev.to + 400*dayMs
	return ev
}

// smallEval is in UTC, of the days 10 up to 20 after the epoch, where a day is dayMs: short enough for values written
// out by hand.
func smallEval(t testing.TB) *evaluation {
	ev := stageEval(t, "UTC")
	ev.from, ev.to = 10*dayMs, 20*dayMs
	ev.horizon = ev.to + 400*dayMs
	return ev
}

// onDays makes points, and windows, of days after the epoch.
func onDays(days ...int64) []int64 {
	out := make([]int64, len(days))
	for i, d := range days {
		out[i] = d * dayMs
	}
	return out
}

// noteDays makes an annotation of days after the epoch.
func noteDays(from, to int64, src *source) note {
	n := note{minusInf, plusInf, src}
	if from != minusInf {
		n.from = from * dayMs
	}
	if to != plusInf {
		n.to = to * dayMs
	}
	return n
}

var dayGrid = align{kind: alignCivil, step: 1, zone: "UTC"}

func dayStream(notes []note, days ...int64) *stream {
	return &stream{pts: onDays(days...), align: dayGrid, notes: notes}
}

func wantDays(t *testing.T, what string, got []int64, days ...int64) {
	t.Helper()
	if !slices.Equal(got, onDays(days...)) {
		shown := make([]float64, len(got))
		for i, p := range got {
			shown[i] = float64(p) / dayMs
		}
		t.Errorf("%s: got the days %v, want %v", what, shown, days)
	}
}

// wantNoteDays compares annotations, with ends in days and a ' for a millisecond later.
func wantNoteDays(t *testing.T, what string, got []note, want ...note) {
	t.Helper()
	if showNotes(got) != showNotes(want) {
		t.Errorf("%s: got %s, want %s", what, showNotes(got), showNotes(want))
	}
}

func wantCode(t *testing.T, what string, err error, code string) *Error {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("%s: got the error %v, want %s", what, err, code)
	}
	if e.Code != code {
		t.Fatalf("%s: got the error %s %v, want %s", what, e.Code, e.args, code)
	}
	return e
}

// wantWarnings compares codes, and that each warning names the day it is about.
func wantWarnings(t *testing.T, what string, ev *evaluation, code string, dates ...string) {
	t.Helper()
	if len(ev.warnings) != len(dates) {
		t.Fatalf("%s: got the warnings %v, want %d", what, ev.warnings, len(dates))
	}
	for i, w := range ev.warnings {
		if w.Code != code || !strings.Contains(w.Message, dates[i]) {
			t.Errorf("%s: got the warning %v, want %s about %s", what, w, code, dates[i])
		}
	}
}

// noStepsLeft and noPointsLeft make evaluations whose bounds are used up.
func noStepsLeft(t *testing.T) *evaluation {
	ev := smallEval(t)
	ev.steps = 0
	return ev
}

func noPointsLeft(t *testing.T) *evaluation {
	ev := smallEval(t)
	ev.points = 0
	return ev
}

func must(t *testing.T) func(s *stream, err error) *stream {
	return func(s *stream, err error) *stream {
		t.Helper()
		if err != nil {
			t.Fatal(err, err.(*Error).args)
		}
		return s
	}
}

// String is for the messages of these tests.
func (a align) String() string { return shownAlign(a, english) }
