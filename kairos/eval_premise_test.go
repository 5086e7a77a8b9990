package kairos

import (
	"strings"
	"testing"
)

func TestPremises(t *testing.T) {
	runCases(t, []evalCase{
		{name: "inline members", src: "everyDay", rng: "2026-01-30 2026-02-02", want: "2026-01-30 2026-01-31 2026-02-01"},
		{name: "empty range", src: "everyDay", rng: "2026-01-30 2026-01-30", want: ""},
		{name: "range the wrong way round", src: "everyDay", rng: "2026-02-02 2026-01-30", want: ""},
		{name: "no premise in force", head: "-", src: "everyDay", rng: "2026-01-01 2026-01-03", want: "2026-01-01 2026-01-02"},
		{name: "unknown preamble", src: "^@Nobody\neveryDay", err: "premise.undefined-preamble"},
		{name: "epoch in a preamble", src: "@JP ^epoch: 1970-01-01\neveryDay", err: "premise.epoch-in-preamble"},
		{name: "core word in a premise", head: "-", src: "premise P {\n  ^roll = 1\n}", err: "premise.core-word"},
		{name: "core word at the top", src: "^everyDay = 1", err: "premise.core-word"},
		{name: "unknown base", head: "-", src: "premise P = ^Nobody with { x = 1 }", err: "premise.undefined"},
		{name: "other stage than rephase", head: "-", src: "premise P = Gregorian |> ^shift(1)", err: "premise.stage-unsupported"},
		{name: "data without zone", head: "-", src: "premise P { calendar-system: Gregorian\n  ^x = [2026-01-01] }", err: "premise.tz-required"},
		{name: "range without zone", head: "-", src: "premise P { a = 1 ^x = [a..a] }", err: "premise.tz-required"},
		{name: "covering without zone", head: "-", src: "premise P { ^x = [] covering: 2026..2026 }", err: "premise.tz-required"},
		{name: "external without zone", head: "-", src: "premise P { ^x = external(kind: dates) }", err: "premise.tz-required"},
		{name: "zone of the base will do", head: "-",
			src:  "premise P { calendar-system: Gregorian; tz: \"Asia/Tokyo\" }\npremise Q = P with { x = [2026-01-05] }\n@P\nQ.x",
			want: "2026-01-05", notes: []string{"2026-01-01..2026-01-05 Q.x [2026-01-05..2026-01-05]", "2026-01-05..2026-02-01 Q.x [2026-01-05..2026-01-05]"}},
		{name: "other epoch", head: "-", src: "premise P { epoch: ^2000-01-01 }", err: "premise.epoch-unsupported"},
		{name: "epoch that is no date", head: "-", src: "premise P { epoch: ^Mon }", err: "premise.epoch-unsupported"},
		{name: "usual epoch", head: "-", src: "premise P { calendar-system: Gregorian; epoch: 1970-01-01 }\n@P\nyearStart", want: "2026-01-01"},
		{name: "premise defined again", head: "-",
			src:  "premise P { calendar-system: Gregorian; a = 2026-01-05 }\npremise Q = P with { b = 1 }\npremise P { calendar-system: Gregorian; a = 2026-01-06 }\n@Q calendar-system: Gregorian\nQ.a | P.a",
			want: "2026-01-05 2026-01-06"},
		{name: "word of the base", head: "-", src: "premise P { calendar-system: Gregorian }\n@P calendar-system: Fiscal\nyearStart",
			rng: "2026-01-01 2027-01-01", want: "2026-04-01"},
	})
}

func TestPreambles(t *testing.T) {
	two := "premise A { calendar-system: Gregorian; wkst: Mon }\npremise W { calendar-system: Gregorian; wkst: Wed }\n"
	runCases(t, []evalCase{
		{name: "the next preamble governs", head: "-", src: two + "@A\nweekStart\n@W\nweekStart", rng: "2026-01-01 2026-01-15", want: "2026-01-07 2026-01-14"},
		{name: "block", head: "-", src: two + "@A\n@W { weekStart }\nweekStart", rng: "2026-01-01 2026-01-15", want: "2026-01-05 2026-01-12"},
		{name: "member after the name", head: "-", src: two + "@A wkst: Fri\nweekStart", rng: "2026-01-01 2026-01-15", want: "2026-01-02 2026-01-09"},
		{name: "binding inside a block is global", head: "-", src: two + "@A { x = 2026-01-08 }\n@W\nx", want: "2026-01-08"},
		{name: "premise inside a block is global", head: "-", src: two + "@A { premise X { calendar-system: Gregorian } }\n@X\nyearStart", want: "2026-01-01"},
		{name: "anonymous", head: "-", src: "premise { calendar-system: Gregorian; wkst: Sat }\nweekStart", rng: "2026-01-01 2026-01-15", want: "2026-01-03 2026-01-10"},
		{name: "anonymous keeps its bindings", head: "-", src: "premise { calendar-system: Gregorian; x = 2026-01-01 }\nx", want: "2026-01-01"},
		{name: "members of the base come along", head: "-", src: two + "premise D = W with { z = 1 }\n@D\neveryDay", rng: "2026-01-01 2026-01-03", want: "2026-01-01 2026-01-02"},
		{name: "the defining premise's members win", head: "-",
			src:  two + "premise F = Gregorian with { wkst: Fri; f = weekStart }\n@W\nF.f",
			rng:  "2026-01-01 2026-01-15",
			want: "2026-01-02 2026-01-09"},
		{name: "the convention of a member", head: "-",
			src: "premise P { calendar-system: Gregorian; granularity: day; roll: Following }\n@P\n([2026-01-03] covering: ..) |> roll(on: ([2026-01-01, 2026-01-09] covering: ..))", want: "2026-01-09"},
		{name: "member as a value", src: "everyDay |> filter(d => weekday(d) == wkst)", rng: "2026-01-01 2026-01-15", want: "2026-01-05 2026-01-12"},
		{name: "member that refers to itself", head: "-", src: "premise P { calendar-system: Gregorian; wkst: wkst }\n@P\nweekStart", err: "name.binding-cycle"},
		{name: "axis member", src: "@JP axis: weekStart\n[2026-01-07] covering: ..\n([2026-01-07] covering: ..) |> roll(Following)", want: "2026-01-12"},
		{name: "axis missing", src: "everyDay |> ^roll(Following)", err: "axis.missing"},
		{name: "axis of filter", src: "@JP axis: weekStart\neveryDay |> filter", rng: "2026-01-01 2026-01-15", want: "2026-01-05 2026-01-12"},
		{name: "axis of shift", src: "@JP axis: weekStart\n([2026-01-05] covering: ..) |> shift(2)", want: "2026-01-19"},
		{name: "unknown calendar system means none", head: "-", src: "premise P { calendar-system: Nobody }\n@P\n^everyDay", err: "name.unresolved"},
	})
}

// January 2026 begins on a Thursday, July on a Wednesday.
func TestRephase(t *testing.T) {
	runCases(t, []evalCase{
		{name: "year from July", head: "-", src: "premise P = Gregorian |> rephase(6, on: year, unit: month)\n@P calendar-system: P\nyearStart",
			rng: "2026-01-01 2027-01-01", want: "2026-07-01"},
		{name: "back again", head: "-", src: "premise P = Fiscal |> rephase(-3, on: year, unit: month)\n@P calendar-system: P\nyearStart",
			rng: "2026-01-01 2027-01-01", want: "2026-01-01"},
		{name: "label is kept", head: "-", src: "premise P = Fiscal |> rephase(+3, on: year, unit: month)\n@P calendar-system: P\nyear(2026) |> take(1, from: 2026-01-01)",
			rng: "2026-01-01 2027-01-01", want: "2026-07-01"},
		{name: "two of them", head: "-", src: "premise P = Gregorian with { w = day span (_ => 7) } |> rephase(1, on: year, unit: month) |> rephase(3, on: quarter, unit: month)", err: "rephase.shape"},
		{name: "arguments missing", head: "-", src: "premise P = Gregorian |> ^rephase(6, on: year)", err: "rephase.args"},
		{name: "no such window", head: "-", src: "premise P = Gregorian |> rephase(6, on: ^decade, unit: month)", err: "rephase.no-window"},
		{name: "other unit", head: "-", src: "premise P = Gregorian |> rephase(6, on: ^year, unit: day)", err: "rephase.shape"},
		{name: "length that varies", head: "-", src: "premise P = Gregorian |> rephase(6, on: ^month, unit: day)", err: "rephase.k-not-const"},
		{name: "delta not written out", head: "-", src: "premise P = Gregorian |> rephase(^epochYear, on: year, unit: month)", err: "rephase.const"},
		{name: "phase not written out", head: "-", src: "premise G = Gregorian with { w = day span (_ => 7) phase: ^epochYear }\npremise P = G |> rephase(1, on: w, unit: day)", err: "rephase.const"},
		{name: "weeks of any phase", head: "-", src: "premise G = Gregorian with { w = day span (_ => 7) phase: 4 }\npremise P = G |> rephase(-2, on: w, unit: day)\n@P calendar-system: P\nw |> first",
			rng: "2026-01-01 2026-01-20", want: "2026-01-03 2026-01-10 2026-01-17"},
	})
}

// The order in which a program is looked at: an error of the text before one of meaning, the run's own before both.
func TestOrderOfErrors(t *testing.T) {
	runCases(t, []evalCase{
		{name: "lexical before syntax", src: "premise premise\nx = \"open", err: "lex.string-unclosed"},
		{name: "syntax before meaning", src: "nobody\n)", err: "parse.expression-expected"},
		{name: "unknown zone of the run", src: "everyDay", tz: "Mars/Olympus", err: "tz.unknown"},
		{name: "offset of the run", src: "everyDay", tz: "+9", err: "tz.offset-form"},
		{name: "before 1970", src: "everyDay", rng: "1969-12-31 1970-02-01", err: "run.before-epoch"},
		{name: "from 1970", src: "everyDay", rng: "1970-01-01 1970-01-03", want: "1970-01-01 1970-01-02"},
		{name: "the first error ends it", src: "everyDay\n^nobody\n", err: "name.unresolved"},
		{name: "what is not used is not looked at", src: "x = nobody |> roll(1, 2)\neveryDay", rng: "2026-01-01 2026-01-02", want: "2026-01-01"},
	})
	for _, d := range []Date{{2026, 2, 29}, {2026, 13, 1}, {-1, 1, 1}, {10000, 1, 1}, {2026, 1, 0}} {
		p, err := Compile(jp + "everyDay")
		if err != nil {
			t.Fatal(err)
		}
		if _, err = p.Eval(t.Context(), Range{From: d, To: Date{2026, 3, 1}}, Options{}); err == nil || !strings.Contains(err.Error(), "run.bad-range-date") {
			t.Errorf("%v: %v", d, err)
		}
	}
}

func TestListings(t *testing.T) {
	src := jp + "monthStart\nx = yearStart\n(everyDay |> filter(d => dayNo(d) == 2))\n"
	r, err := evalSource(src, "2026-01-01 2026-03-01", Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"2026-01-01 2026-02-01", "2026-01-02 2026-02-02"}
	texts := []string{"monthStart", "(everyDay |> filter(d => dayNo(d) == 2))"}
	if len(r.Listings) != len(want) {
		t.Fatalf("%d listings", len(r.Listings))
	}
	for i, l := range r.Listings {
		if got := strings.Join(r.Texts(l.Points), " "); got != want[i] {
			t.Errorf("listing %d: %s, want %s", i, got, want[i])
		}
		if got := src[l.Span.Start:l.Span.End]; got != texts[i] {
			t.Errorf("listing %d is of %q, want %q", i, got, texts[i])
		}
		if r.Text(l.Points[0]) != strings.Fields(want[i])[0] {
			t.Errorf("Text and Texts differ for %d", l.Points[0])
		}
	}
	if r, err = evalSource(jp+"x = 1", "", Options{}); err != nil || len(r.Listings) != 0 {
		t.Errorf("a program without body: %v %v", r, err)
	}
}
