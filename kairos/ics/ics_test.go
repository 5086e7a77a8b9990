package ics_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/assaybench/assay/kairos"
	"github.com/assaybench/assay/kairos/ics"
)

// property is a content line taken apart.
type property struct{ name, params, value string }

// parse reads a calendar as RFC 5545 describes it: CRLF, lines of at most 75 octets, folds taken out, BEGIN and END in
// pairs. It gives the events' properties.
func parse(t *testing.T, text string) (events []map[string]property) {
	t.Helper()
	if strings.Contains(strings.ReplaceAll(text, "\r\n", ""), "\n") || strings.Contains(strings.ReplaceAll(text, "\r\n", ""), "\r") {
		t.Error("a line break is not CRLF")
	}
	lines := strings.Split(text, "\r\n")
	if lines[len(lines)-1] != "" {
		t.Error("the last line has no end")
	}
	for _, l := range lines {
		if len(l) > 75 || !utf8.ValidString(l) {
			t.Errorf("a line of %d octets, or one cut within a character: %q", len(l), l)
		}
	}
	var within []string
	var now map[string]property
	for l := range strings.SplitSeq(strings.TrimSuffix(strings.ReplaceAll(text, "\r\n ", ""), "\r\n"), "\r\n") {
		head, value, ok := strings.Cut(l, ":")
		if !ok {
			t.Fatalf("no property: %q", l)
		}
		name, params, _ := strings.Cut(head, ";")
		switch name {
		case "BEGIN":
			within = append(within, value)
			if value == "VEVENT" {
				now = map[string]property{}
			}
		case "END":
			if len(within) == 0 || within[len(within)-1] != value {
				t.Fatalf("END:%s within %v", value, within)
			}
			if within = within[:len(within)-1]; value == "VEVENT" {
				events = append(events, now)
				now = nil
			}
		default:
			if now == nil {
				continue
			}
			if _, twice := now[name]; twice {
				t.Errorf("%s stands twice", name)
			}
			now[name] = property{name, params, value}
		}
	}
	if len(within) > 0 {
		t.Errorf("no END of %v", within)
	}
	return events
}

func unescape(s string) string {
	return strings.NewReplacer(`\n`, "\n", `\\`, `\`, `\;`, ";", `\,`, ",").Replace(s)
}

const program = `premise JP { calendar-system: Gregorian; tz: "Asia/Tokyo"; wkst: Mon }
@JP
closed = [2026-01-05] covering: 2026-01-01..2026-01-31
closed | (everyDay |> within(month) |> nth(20))
everyInstant |> strideBy(6h, from: 2026-01-05T03:30)
`

func calendar(t *testing.T, from, to kairos.Date, title string) (*kairos.Result, string) {
	t.Helper()
	p, err := kairos.Compile(program)
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.Eval(context.Background(), kairos.Range{From: from, To: to}, kairos.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := ics.Write(&b, r, ics.Options{Title: title, Source: program, Stamp: 1_767_193_200_000}); err != nil {
		t.Fatal(err)
	}
	return r, b.String()
}

func TestCalendarReadsBack(t *testing.T) {
	title := "Ping; every six hours, as far as \\ goes:\n日本語の長い題名です、折り返されるはずですから長く長く書きます\x1b[31m"
	r, text := calendar(t, kairos.Date{Year: 2026, Month: 1, Day: 5}, kairos.Date{Year: 2026, Month: 2, Day: 21}, title)
	events := parse(t, text)
	want := len(r.Listings[0].Points) + len(r.Listings[1].Points)
	if len(events) != want || len(r.Listings[0].Points) != 3 {
		t.Fatalf("%d events, want %d: %v", len(events), want, r.Listings[0].Points)
	}
	ids := map[string]bool{}
	for i, e := range events {
		if ids[e["UID"].value] || len(e["UID"].value) < 20 {
			t.Errorf("event %d has the identifier %q, as another has", i, e["UID"].value)
		}
		ids[e["UID"].value] = true
		if e["DTSTAMP"].value != "20251231T150000Z" {
			t.Errorf("DTSTAMP %q", e["DTSTAMP"].value)
		}
	}
	for i, day := range []string{"20260105", "20260120", "20260220"} {
		if got := events[i]["DTSTART"]; got.value != day || got.params != "VALUE=DATE" {
			t.Errorf("event %d begins %+v, want the day %s", i, got, day)
		}
	}
	for i, at := range []string{"20260104T183000Z", "20260105T003000Z", "20260105T063000Z"} {
		if got := events[3+i]["DTSTART"]; got.value != at || got.params != "" {
			t.Errorf("event %d begins %+v, want %s", 3+i, got, at)
		}
	}
	clean := strings.ReplaceAll(title, "\x1b", " ")
	if got := unescape(events[0]["SUMMARY"].value); got != clean+" (1)" {
		t.Errorf("summary %q, want %q", got, clean+" (1)")
	}
	if got := unescape(events[3]["SUMMARY"].value); got != clean+" (2)" {
		t.Errorf("summary %q", got)
	}
	if e := events[1]; e["STATUS"].value != "" {
		t.Errorf("a point within the coverage is %q", e["STATUS"].value)
	}
	if e := events[2]; e["STATUS"].value != "TENTATIVE" || !strings.Contains(unescape(e["DESCRIPTION"].value), "closed, which covers 2026-01-01..2026-01-31") {
		t.Errorf("a point beyond the coverage: %+v", e)
	}
}

// TestIdentifiersDoNotDependOnTheRange: a later calendar replaces the events of an earlier one.
func TestIdentifiersDoNotDependOnTheRange(t *testing.T) {
	_, a := calendar(t, kairos.Date{Year: 2026, Month: 1, Day: 5}, kairos.Date{Year: 2026, Month: 1, Day: 21}, "x")
	_, b := calendar(t, kairos.Date{Year: 2026, Month: 1, Day: 20}, kairos.Date{Year: 2026, Month: 3, Day: 1}, "x")
	first, second := parse(t, a), parse(t, b)
	if got, want := second[0]["UID"].value, first[1]["UID"].value; got != want || second[0]["DTSTART"].value != "20260120" {
		t.Errorf("%q and %q name the same event", got, want)
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("no room") }

func TestWriteTellsOfABrokenWriter(t *testing.T) {
	r, _ := calendar(t, kairos.Date{Year: 2026, Month: 1, Day: 5}, kairos.Date{Year: 2026, Month: 1, Day: 6}, "x")
	if err := ics.Write(broken{}, r, ics.Options{}); err == nil || err.Error() != "no room" {
		t.Errorf("error %v", err)
	}
}
