package ics_test

import (
	"strings"
	"testing"

	"github.com/assaybench/assay/kairos"
	"github.com/assaybench/assay/kairos/ics"
)

func vcalendar(events ...string) []byte {
	var b strings.Builder
	b.WriteString("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n")
	for _, e := range events {
		b.WriteString("BEGIN:VEVENT\r\n" + strings.ReplaceAll(e, "\n", "\r\n") + "\r\nEND:VEVENT\r\n")
	}
	b.WriteString("END:VCALENDAR\r\n")
	return []byte(b.String())
}

func TestDays(t *testing.T) {
	y2026 := func(m, d int) kairos.Date { return kairos.Date{Year: 2026, Month: m, Day: d} }
	for _, c := range []struct {
		name    string
		events  []string
		want    string
		outside int
	}{
		{"one day, its end the next", []string{"DTSTART;VALUE=DATE:20260501\nDTEND;VALUE=DATE:20260502\nSUMMARY:May\\, Day: x"}, "2026-05-01", 0},
		{"no end, twice, and out of order", []string{"DTSTART:20261225", "DTSTART;X=\"a:b\":20260101", "DTSTART:20261225"}, "2026-01-01 2026-12-25", 0},
		{"folded lines", []string{"SUMMARY:a long\n  text\nDTSTART;VALUE=\n DATE:2026\n\t0501"}, "2026-05-01", 0},
		{"several days over the range's end", []string{"DTSTART:20261230\nDTEND:20270103"}, "2026-12-30 2026-12-31", 2},
		{"every year, over New Year", []string{"DTSTART:20191231\nDTEND:20200102\nRRULE:FREQ=YEARLY;INTERVAL=1"}, "2026-01-01 2026-12-31", 0},
		{"every leap year", []string{"DTSTART:20240229\nRRULE:FREQ=YEARLY"}, "", 0},
		{"begins later", []string{"DTSTART:20270221\nRRULE:FREQ=YEARLY"}, "", 0},
		{"cancelled", []string{"DTSTART:20260501\nSTATUS:CANCELLED", "DTSTART:20260502\nDTEND:20260502"}, "2026-05-02", 0},
		{"none", nil, "", 0},
	} {
		days, outside, err := ics.Days(vcalendar(c.events...), y2026(1, 1), y2026(12, 31))
		var got []string
		for _, d := range days {
			got = append(got, d.String())
		}
		if err != nil || strings.Join(got, " ") != c.want || outside != c.outside {
			t.Errorf("%s: %v, %d outside, %v", c.name, got, outside, err)
		}
	}
	for text, says := range map[string]string{
		"":     "BEGIN:VCALENDAR",
		"oops": "BEGIN:VCALENDAR",
		string(vcalendar("DTSTART:20260501T090000")):                     `line 4: "20260501T090000" is no day`,
		string(vcalendar("DTSTART:20260230")):                            "is no day",
		string(vcalendar("SUMMARY:x")):                                   "line 3: the event has no DTSTART",
		string(vcalendar("DTSTART:20260501\nRRULE:FREQ=WEEKLY")):         `line 5: the event repeats by "FREQ=WEEKLY"`,
		string(vcalendar("DTSTART:20260501\nEXDATE:20270501")):           "line 5: EXDATE is not read",
		string(vcalendar("DTSTART:20260501\nDTEND:99991231")):            "line 3: the event has more than 400 days",
		string(vcalendar("DTSTART:20260501\nRRULE:FREQ=YEARLY;COUNT=2")): "only FREQ=YEARLY is read",
	} {
		if days, _, err := ics.Days([]byte(text), y2026(1, 1), y2026(12, 31)); err == nil || days != nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%.60q: %v, %v, want %s", text, days, err, says)
		}
	}
}

// What Write makes of a schedule of days, Days reads.
func TestDaysOfOurOwn(t *testing.T) {
	p, err := kairos.Compile("everyDay |> filter(d => dayNo(d) == 25)")
	if err != nil {
		t.Fatal(err)
	}
	from, to := kairos.Date{Year: 2026, Month: 1, Day: 1}, kairos.Date{Year: 2026, Month: 12, Day: 31}
	r, err := p.Eval(t.Context(), kairos.Range{From: from, To: to}, kairos.Options{TZ: "Europe/Berlin"})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := ics.Write(&b, r, ics.Options{Title: "the 25th"}); err != nil {
		t.Fatal(err)
	}
	days, outside, err := ics.Days([]byte(b.String()), from, to)
	if err != nil || outside != 0 || len(days) != 12 || days[11].String() != "2026-12-25" {
		t.Errorf("%v, %d, %v", days, outside, err)
	}
}

func FuzzDays(f *testing.F) {
	f.Add(vcalendar("DTSTART:20191231\nDTEND:20200102\nRRULE:FREQ=YEARLY"))
	f.Add([]byte("BEGIN:VCALENDAR\n \nBEGIN:VEVENT\nDTSTART:00000101\nEND:VEVENT"))
	f.Fuzz(func(t *testing.T, data []byte) {
		first, last := kairos.Date{Year: 2026, Month: 1, Day: 1}, kairos.Date{Year: 2027, Month: 12, Day: 31}
		days, _, err := ics.Days(data, first, last)
		if err != nil && days != nil {
			t.Error("days beside an error")
		}
		for i, d := range days {
			if d.String() < first.String() || d.String() > last.String() || i > 0 && d.String() <= days[i-1].String() {
				t.Fatalf("%v", days)
			}
		}
	})
}
