package premise

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

func reply(body string, topics ...string) string {
	r := Reply{Body: body, Assumptions: []Assumption{}}
	for _, k := range topics {
		r.Assumptions = append(r.Assumptions, Assumption{k, "said"})
	}
	return r.text()
}

// lines are a comparison as people read it.
func (c *Comparison) lines() string {
	var b strings.Builder
	for _, d := range c.Calendar {
		name := ""
		if d.Holiday != nil {
			name = " " + d.Holiday.English
		}
		fmt.Fprintf(&b, "%s%s %s %v%s|", d.Sign, d.Point, d.Weekday, d.Working, name)
	}
	return b.String()
}

func TestExplainAnswer(t *testing.T) {
	s := desk(t)
	x, err := s.ExplainAnswer(t.Context(), "P-13", reply(`everyDay |> filter(d => weekday(d) == Mon)`, "tz"))
	if err != nil {
		t.Fatal(err)
	}
	if x.Letter != "S" || x.Reading != "monday" || x.Declared || x.OverDeclared != 1 || x.Points != 4 || !x.Working || x.MustDeclare != "roll or holidays" || strings.Join(x.Topics, " ") != "tz" || x.Invalid != "" {
		t.Errorf("%+v", x)
	}
	if len(x.Readings) != 2 || x.Readings[0].Key != "monday" || x.Readings[0].Differences != 0 || x.Readings[0].First != nil {
		t.Fatalf("the nearest reading comes first: %+v", x.Readings)
	}
	c := x.Readings[1]
	if c.Key != "first-business-day" || c.Differences != 2 || *c.First != (Difference{"2026-01-12", "2026-01-13"}) ||
		c.lines() != " 2026-01-05 Mon true|+2026-01-12 Mon false Coming of Age Day|-2026-01-13 Tue true| 2026-01-19 Mon true| 2026-01-26 Mon true|" {
		t.Errorf("%s, first %v", c.lines(), c.First)
	}
	if got := c.First.Words(c.Key); got != "the answer has 2026-01-12 where first-business-day has 2026-01-13" {
		t.Error(got)
	}

	// Times of day, and an answer that ends early or goes on.
	x, err = s.ExplainAnswer(t.Context(), "C-01", reply(`everyDay |> filter(d => weekday(d) == Wed and dayNo(d) < 20) |> at(T09:30)`))
	if err != nil || x.Letter != "W" {
		t.Fatalf("%+v, %v", x, err)
	}
	c = x.Readings[0]
	if c.lines() != " 2026-01-07T09:30 Wed true| 2026-01-14T09:30 Wed true|-2026-01-21T09:30 Wed true|" || c.First.Words(c.Key) != "as-written goes on with 2026-01-21T09:30" {
		t.Errorf("%s, first %v", c.lines(), c.First)
	}
	x, err = s.ExplainAnswer(t.Context(), "P-16", reply(`everyDay |> stride(2, from: 2026-01-05)`, "anchor", "counting"))
	if err != nil || x.Letter != "." || x.Readings[0].Key != "every-2" {
		t.Fatalf("%+v, %v", x, err)
	}
	x, err = s.ExplainAnswer(t.Context(), "P-16", reply(`(everyDay |> stride(2, from: 2026-01-05)) | (everyDay |> filter(d => dayNo(d) == 14))`))
	if err != nil || x.Letter != "X" || x.Readings[0].First.Words("every-2") != "the answer goes on with 2026-01-14" {
		t.Errorf("%+v, %v", x.Readings[0].First, err)
	}

	x, err = s.ExplainAnswer(t.Context(), "P-01", reply("nothing of the kind"))
	if err != nil || x.Letter != "i" || x.Invalid == "" || len(x.Readings) != 0 {
		t.Errorf("%+v, %v", x, err)
	}
	if b, err := json.Marshal(x); err != nil || !strings.Contains(string(b), `"readings":[]`) {
		t.Errorf("%s, %v", b, err)
	}
	if _, err := s.ExplainAnswer(t.Context(), "P-99", "{}"); err == nil {
		t.Error("there is no such problem")
	}
	// A program may give a point for each second; a calendar of that nobody reads.
	c = compare(make([]string, 3000), Reading{Key: "x"}, nil, nil)
	if len(c.Calendar) != calendarMost || c.LeftOut != 2000 || c.Differences != 3000 {
		t.Errorf("%d days, %d left out, %d differences", len(c.Calendar), c.LeftOut, c.Differences)
	}
}

func TestWeekday(t *testing.T) {
	for d := time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC); d.Year() < 2101; d = d.AddDate(0, 0, 13) {
		if got, want := weekday(d.Format(time.DateOnly)), d.Format("Mon"); got != want {
			t.Fatalf("%s is %s, want %s", d.Format(time.DateOnly), got, want)
		}
	}
	if weekday("2026-02-30") != "" {
		t.Error("that day does not exist")
	}
}

// The named holidays are the days that the bench's prelude has off beside weekends.
func TestHolidays(t *testing.T) {
	s := desk(t)
	p := *s.problems[0]
	p.From.Year, p.From.Month, p.From.Day, p.To.Year, p.To.Month, p.To.Day = 2026, 1, 1, 2027, 1, 1
	points, err := s.spec.points(t.Context(), "off", p.From, p.To)
	if err != nil || len(points) != len(japanese) {
		t.Fatalf("%d days off, %d named (%v)", len(points), len(japanese), err)
	}
	for _, d := range points {
		if h, ok := japanese[d]; !ok || h.English == "" || h.Japanese == "" {
			t.Errorf("%s has no name", d)
		}
	}
}

// Japan's holidays are named in benches of Japan's zone alone, and never on a day on which the bench works.
func TestHolidaysOfTheBench(t *testing.T) {
	s := desk(t)
	if len(s.holidays()) == 0 {
		t.Error("a bench in Tokyo has holidays")
	}
	s.spec.tz = "Europe/Berlin"
	if h := s.holidays(); h != nil {
		t.Errorf("a bench in Berlin has %d holidays of Japan", len(h))
	}
	r := Reading{Key: "x", Expected: []string{"2026-01-12"}}
	for _, works := range []bool{true, false} {
		c := compare([]string{"2026-01-12"}, r, map[string]bool{"2026-01-12": works}, japanese)
		if named := c.Calendar[0].Holiday != nil; named == works {
			t.Errorf("a business day: %v, named: %v", works, named)
		}
	}
}
