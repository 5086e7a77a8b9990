package kairos

import (
	"context"
	"strings"
	"testing"
)

func TestNext(t *testing.T) {
	const head = "premise JP { calendar-system: Gregorian; tz: \"Asia/Tokyo\"; wkst: Mon }\n@JP\n"
	next := func(src string, from Date, n, years int) (string, Date, string) {
		p, err := Compile(head + src)
		if err != nil {
			t.Fatal(err)
		}
		r, to, err := p.Next(context.Background(), from, n, years, Options{})
		if err != nil {
			return "", to, err.(*Error).Code
		}
		return strings.Join(r.Texts(r.Listings[0].Points), " "), to, ""
	}
	for _, c := range []struct {
		src      string
		from     Date
		n, years int
		want     string
		to       Date
		code     string
	}{
		{"everyDay |> within(month) |> last", Date{2026, 2, 10}, 2, 10, "2026-02-28 2026-03-31", Date{2026, 4, 1}, ""},
		{"everyInstant |> strideBy(8h, from: 2026-01-01T01:00)", Date{2026, 1, 1}, 2, 10, "2026-01-01T01:00 2026-01-01T09:00", Date{2026, 1, 2}, ""},
		{"[2026-09-01] covering: 2026..2026", Date{2026, 8, 1}, 3, 3, "2026-09-01", Date{2029, 8, 1}, ""},
		{"[2026-09-01] covering: 2026..2026", Date{2024, 2, 29}, 3, 1, "", Date{2025, 3, 1}, ""},
		{"[2030-05-05] covering: ..", Date{2026, 8, 1}, 1, 9, "2030-05-05", Date{2030, 5, 6}, ""}, // within the eighth year, not the fourth
		{"x = everyDay", Date{2026, 8, 1}, 1, 1, "", Date{2027, 8, 1}, "run.no-body"},
		{"everyDay\neveryDay", Date{2026, 8, 1}, 1, 1, "", Date{2027, 8, 1}, "run.many-bodies"},
		{"everyDay", Date{2026, 8, 1}, 0, 1, "", Date{2026, 8, 1}, "run.next-count"},
		{"everyDay", Date{2026, 8, 1}, -1, 1, "", Date{2026, 8, 1}, "run.next-count"},
		{"everyDay", Date{2026, 8, 1}, 1, 0, "", Date{2026, 8, 1}, "run.next-count"},
		{"nosuch", Date{2026, 8, 1}, 1, 1, "", Date{2027, 8, 1}, "name.unresolved"},
		{"[2026-09-01] covering: ..", Date{9998, 1, 1}, 1, 8, "", Date{9999, 12, 31}, ""}, // no range goes further
		{"everyDay", Date{9999, 12, 29}, 9, 1 << 40, "9999-12-29 9999-12-30", Date{9999, 12, 31}, ""},
		{"[2026-09-01] covering: ..", Date{10000, 1, 1}, 1, 8, "", Date{9999, 12, 31}, "run.bad-range-date"},
	} {
		got, to, code := next(c.src, c.from, c.n, c.years)
		if got != c.want || to != c.to || code != c.code {
			t.Errorf("%s from %v, %d within %d years: %q to %v, %s; want %q to %v, %s", c.src, c.from, c.n, c.years, got, to, code, c.want, c.to, c.code)
		}
	}
}

func TestClock(t *testing.T) {
	z, err := LoadZone("")
	if err != nil {
		t.Fatal(err)
	}
	if got := z.Date(1_767_193_199_999); got != (Date{2025, 12, 31}) {
		t.Errorf("before midnight in Tokyo it is %v", got)
	}
	if got := z.Date(1_767_193_200_000); got != (Date{2026, 1, 1}) {
		t.Errorf("at midnight in Tokyo it is %v", got)
	}
	if got := z.Start(Date{2026, 1, 1}); got != 1_767_193_200_000 {
		t.Errorf("the day begins at %d", got)
	}
	if got := z.Text(1_767_193_200_000 + 5_400_000); got != "2026-01-01T01:30" {
		t.Errorf("printed %s", got)
	}
	if _, err := LoadZone("Asia/Tokio"); err == nil || err.(*Error).Code != "tz.unknown" {
		t.Errorf("Asia/Tokio: %v", err)
	}
	for in, code := range map[string]string{"2026-02-28": "", "2026-02-29": "run.bad-range-date", "2026-1-1": "run.bad-range-date", "": "run.bad-range-date"} {
		_, err := ReadDate(in)
		got := ""
		if err != nil {
			got = err.(*Error).Code
		}
		if got != code {
			t.Errorf("%q: %q, want %q", in, got, code)
		}
	}
	for d, want := range map[Date]int{{1970, 1, 1}: 4, {1969, 12, 31}: 3, {2000, 2, 29}: 2, {2026, 12, 6}: 0, {1600, 1, 1}: 6, {9999, 12, 31}: 5} {
		if got := d.Weekday(); got != want {
			t.Errorf("%v is the day %d of the week, want %d", d, got, want)
		}
	}
	if got := (Date{2026, 12, 31}).AddDays(1); got != (Date{2027, 1, 1}) {
		t.Errorf("the day after is %v", got)
	}
	if got := (Date{2024, 2, 29}).AddYears(4); got != (Date{2028, 2, 29}) {
		t.Errorf("four years later it is %v", got)
	}
}
