package kairos

import (
	"slices"
	"testing"
)

// dates gives the starts of n dates of a zone, from one on.
func dates(t *testing.T, ev *evaluation, zone string, y, m, d, n int) []int64 {
	t.Helper()
	z, err := ev.zone(Span{}, zone)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]int64, n)
	for i := range out {
		out[i] = z.dayStart(y, m, d+i)
	}
	return out
}

func civilDay(zone string) align { return align{kind: alignCivil, step: 1, zone: zone} }

func TestRebaseKernel(t *testing.T) {
	const utcApril5 = 1_775_347_200_000 // 2026-04-05T00:00Z
	ev := stageEval(t, "UTC")
	in := &stream{pts: []int64{utcApril5 - 9*3_600_000, utcApril5 + 15*3_600_000}, align: civilDay("Asia/Tokyo"), endless: true,
		levels: []*level{{}}}
	got := must(t)(ev.rebase(Span{}, in, "Europe/Paris")) // UTC+2 since 29 March
	if want := []int64{utcApril5 - 2*3_600_000, utcApril5 + 22*3_600_000}; !slices.Equal(got.pts, want) {
		t.Errorf("5 and 6 April of Tokyo in Paris: %v, want %v", got.pts, want)
	}
	if got.align != civilDay("Europe/Paris") || !got.endless || len(got.levels) != 1 {
		t.Errorf("align %v, endless %v, %d levels", got.align, got.endless, len(got.levels))
	}
}

// TestRebaseEveryDay compares whole decades with dates counted one by one.
func TestRebaseEveryDay(t *testing.T) {
	ev := stageEval(t, "UTC")
	for _, zones := range [][2]string{{"Asia/Tokyo", "America/New_York"}, {"America/New_York", "Asia/Tokyo"}, {"Europe/Paris", "UTC"},
		{"America/Santiago", "Australia/Lord_Howe"}, {"Pacific/Apia", "UTC"}} {
		for _, from := range []int{1965, 1970, 1980, 2012} {
			days := 5000
			if zones[0] == "Pacific/Apia" && from == 1980 {
				days = 11000 // up to some days before it skipped one
			}
			in := &stream{pts: dates(t, ev, zones[0], from, 1, 1, days), align: civilDay(zones[0])}
			if from == 1980 {
				in.pts = slices.Concat(in.pts[:100], in.pts[200:])
			}
			want := dates(t, ev, zones[1], from, 1, 1, days)
			if from == 1980 {
				want = slices.Concat(want[:100], want[200:])
			}
			got := must(t)(ev.rebase(Span{}, in, zones[1]))
			if !slices.Equal(got.pts, want) {
				t.Errorf("%v from %d: got %d points, want %d, or not the same ones", zones, from, len(got.pts), len(want))
			}
		}
	}
}

func TestRebaseHorizon(t *testing.T) {
	ev := stageEval(t, "UTC") // up to 2027-03-08
	for _, zones := range [][2]string{{"Asia/Tokyo", "UTC"}, {"UTC", "Asia/Tokyo"}, {"Asia/Tokyo", "America/New_York"}} {
		in := &stream{pts: dates(t, ev, zones[0], 2027, 3, 1, 20), align: civilDay(zones[0])}
		var want []int64
		for _, p := range dates(t, ev, zones[1], 2027, 3, 1, 20) {
			if p < ev.horizon {
				want = append(want, p)
			}
		}
		if got := must(t)(ev.rebase(Span{}, in, zones[1])); !slices.Equal(got.pts, want) || len(want) < 6 || len(want) > 9 {
			t.Errorf("%v: %v, want %v", zones, got.pts, want)
		}
	}
}

func TestRebaseUnchanged(t *testing.T) {
	ev := stageEval(t, "UTC")
	for name, in := range map[string]*stream{
		"empty table": {align: align{kind: alignVacuous}, notes: []note{{3, 4, srcX}}},
		"same zone":   {align: civilDay("No/Where"), pts: []int64{5}},
	} {
		if got := must(t)(ev.rebase(Span{}, in, "No/Where")); got != in {
			t.Errorf("%s: got another stream", name)
		}
	}
	in := &stream{align: civilDay("Asia/Tokyo")}
	if got := must(t)(ev.rebase(Span{}, in, "UTC")); len(got.pts) != 0 || got.align != civilDay("UTC") {
		t.Errorf("no points: %v on %v", got.pts, got.align)
	}
}

func TestRebaseErrors(t *testing.T) {
	ev := stageEval(t, "UTC")
	for _, a := range []align{{}, {kind: alignElapsed, step: dayMs}, {kind: alignCivil, step: 7, zone: "UTC"},
		{kind: alignCivil, step: 1, off: 1, zone: "UTC"}, {kind: alignCivil, step: 1}} {
		e := wantCode(t, a.String(), errOf(ev.rebase(Span{}, &stream{align: a}, "UTC")), "rebase.input-align")
		if e.args[0] != a {
			t.Errorf("the error has %v", e.args)
		}
	}
	tokyo := &stream{align: civilDay("Asia/Tokyo"), pts: dates(t, ev, "Asia/Tokyo", 2011, 12, 29, 3)}
	e := wantCode(t, "skipped", errOf(ev.rebase(Span{}, tokyo, "Pacific/Apia")), "rebase.missing-date")
	if e.args[0] != "2011-12-30" || e.args[1] != "Pacific/Apia" {
		t.Errorf("the error has %v", e.args)
	}
	wantCode(t, "zone", errOf(ev.rebase(Span{}, tokyo, "No/Where")), "tz.unknown")
	wantCode(t, "zone", errOf(ev.rebase(Span{}, &stream{align: civilDay("No/Where")}, "UTC")), "tz.unknown")
	ev.steps = 0
	wantCode(t, "steps", errOf(ev.rebase(Span{}, tokyo, "UTC")), "limit.steps")
	ev = stageEval(t, "UTC")
	ev.points = 0
	wantCode(t, "points", errOf(ev.rebase(Span{}, tokyo, "UTC")), "limit.points")
}

func TestRebaseNotes(t *testing.T) {
	ev := stageEval(t, "UTC")
	tokyo, utc := dates(t, ev, "Asia/Tokyo", 2026, 1, 1, 10), dates(t, ev, "UTC", 2026, 1, 1, 10)
	rebase := func(notes ...note) []note {
		return must(t)(ev.rebase(Span{}, &stream{align: civilDay("Asia/Tokyo"), notes: notes}, "UTC")).notes
	}
	wantNoteDays(t, "whole days", rebase(note{tokyo[1], tokyo[3], srcX}), note{utc[1], utc[3], srcX})
	wantNoteDays(t, "parts of days grow", rebase(note{tokyo[1] + 1, tokyo[3] + 1, srcX}), note{utc[1], utc[4], srcX})
	wantNoteDays(t, "infinite", rebase(note{minusInf, tokyo[3], srcX}, note{tokyo[5], plusInf, srcY}),
		note{minusInf, utc[3], srcX}, note{utc[5], plusInf, srcY})

	// 2011-12-30 does not exist in Apia.
	tokyo, apia := dates(t, ev, "Asia/Tokyo", 2011, 12, 28, 5), dates(t, ev, "Pacific/Apia", 2011, 12, 28, 5)
	in := &stream{align: civilDay("Asia/Tokyo"), notes: []note{{tokyo[0], tokyo[2], srcX}, {tokyo[2], tokyo[3], srcY}}}
	wantNoteDays(t, "around a skipped date", must(t)(ev.rebase(Span{}, in, "Pacific/Apia")).notes,
		note{apia[0], apia[3], srcX}, note{apia[1], apia[3], srcY})
}
