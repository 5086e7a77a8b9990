package explain_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/assaybench/assay/kairos"
	"github.com/assaybench/assay/kairos/explain"
)

var year = kairos.Range{From: kairos.Date{Year: 2026, Month: 1, Day: 1}, To: kairos.Date{Year: 2027, Month: 1, Day: 1}}

func run(t *testing.T, src string) (*explain.Report, error) {
	t.Helper()
	p, err := kairos.Compile(src)
	if err != nil {
		t.Fatal(err)
	}
	return explain.Run(context.Background(), p, year, kairos.Options{})
}

// lines writes steps as "DEPTH TEXT: IN RANGE -LOST +GAINED".
func lines(steps []explain.Step) []string {
	var out []string
	for _, s := range steps {
		out = append(out, fmt.Sprintf("%d %s: %d -%d +%d", s.Depth, s.Text, len(s.InRange), s.Lost, s.Gained))
	}
	return out
}

const head = "premise JP { calendar-system: Gregorian; tz: \"Asia/Tokyo\"; wkst: Mon\n  nonWorking = satSun\n  satSun = everyDay |> filter(d => weekday(d) == Sat or weekday(d) == Sun) }\n" +
	"premise P { calendar-system: Gregorian; tz: \"Asia/Tokyo\"; wkst: Mon; calendar: JP }\n@P\n"

func TestSteps(t *testing.T) {
	rep, err := run(t, head+`payday = everyDay # every day
  |> within(month)   # of a month
  |> nth(25) |> roll(Preceding, on: bizDay)
payday
(payday | monthEnd) \ bizDay
`)
	if err != nil {
		t.Fatal(err)
	}
	if len(rep.Bodies) != 2 || len(rep.Bodies[0].Points) != 12 {
		t.Fatalf("%d bodies: %+v", len(rep.Bodies), rep.Bodies)
	}
	if got := lines(rep.Bodies[0].Steps); !slices.Equal(got, []string{"0 payday: 12 -0 +0"}) {
		t.Errorf("the first body: %q", got)
	}
	if got := lines(rep.Bodies[1].Steps); len(got) != 5 || got[0] != "2 payday: 12 -0 +0" || !strings.HasSuffix(got[2], "+12") || !strings.HasPrefix(got[3], "1 bizDay: 261 ") {
		t.Errorf("the second body: %q", got)
	}
	want := map[string][]string{
		"JP.satSun": {"0 everyDay: 365 -0 +0", "1 |> filter(d => weekday(d) == Sat or weekday(d) == Sun): 104 -261 +0"},
		"payday": {"0 everyDay: 365 -0 +0", "1 |> within(month): 365 -0 +0", "1 |> nth(25): 12 -353 +0",
			"1 |> roll(Preceding, on: bizDay): 12 -4 +4"},
	}
	var names []string
	for _, d := range rep.Defs {
		names = append(names, d.Name)
		if w := want[d.Name]; w != nil && !slices.Equal(lines(d.Steps), w) {
			t.Errorf("%s: %q, want %q", d.Name, lines(d.Steps), w)
		}
	}
	if !slices.Equal(names, []string{"JP.satSun", "payday"}) {
		t.Errorf("definitions %q", names)
	}
	if d := rep.Defs[1]; d.Line != 6 || d.Steps[2].Points < 600 {
		t.Errorf("payday is on line 6, and counts since 1970: %+v", d)
	}
}

// TestSeveralEvaluations: a definition with a parameter is evaluated for each argument.
func TestSeveralEvaluations(t *testing.T) {
	rep, err := run(t, head+"f(x) = x |> within(month) |> first\nf(everyDay) | f(bizDay)\n")
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(rep.Defs, func(p explain.Part) bool { return p.Name == "f" })
	if i < 0 || len(rep.Defs[i].Steps) != 3 {
		t.Fatalf("definitions %+v", rep.Defs)
	}
	if s := rep.Defs[i].Steps[2]; s.Times != 2 || !s.Differ || len(s.InRange) != 12 {
		t.Errorf("first: %d times, differ %v, %d points", s.Times, s.Differ, len(s.InRange))
	}
}

// TestUpToAnError: what was computed before an error is reported with it.
func TestUpToAnError(t *testing.T) {
	rep, err := run(t, head+"everyDay |> within(month) |> nth(0.5)\neveryDay\n")
	if e, ok := errors.AsType[*kairos.Error](err); !ok || e.Code != "select.nth-whole" {
		t.Fatalf("error %v", err)
	}
	if rep.Result != nil || len(rep.Bodies) != 1 || len(rep.Bodies[0].Steps) != 2 {
		t.Errorf("report %+v", rep)
	}
}

// TestLongTextsAreCut: the steps of a long chain hold its operands one within the other; their texts are cut.
func TestLongTextsAreCut(t *testing.T) {
	src := "everyDay" + strings.Repeat(" | # その日\n  everyDay", 400)
	p, err := kairos.Compile(src)
	if err != nil {
		t.Fatal(err)
	}
	r := kairos.Range{From: kairos.Date{Year: 2026, Month: 1, Day: 1}, To: kairos.Date{Year: 2026, Month: 1, Day: 3}}
	rep, err := explain.Run(context.Background(), p, r, kairos.Options{})
	if err != nil {
		t.Fatal(err)
	}
	steps := rep.Bodies[0].Steps
	last := steps[len(steps)-1]
	if want := "everyDay" + strings.Repeat(" | everyDay", 14); !strings.HasPrefix(last.Text, want) || !strings.HasSuffix(last.Text, " …") || len(last.Text) > 410 || len(last.InRange) != 2 {
		t.Errorf("%d steps, the last %q with %d points", len(steps), last.Text, len(last.InRange))
	}
	for _, s := range steps {
		if strings.Contains(s.Text, "#") || !utf8.ValidString(s.Text) {
			t.Fatalf("%q", s.Text)
		}
	}
}
