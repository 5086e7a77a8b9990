package check

import (
	"testing"
	"time"
)

// TestCivilAgainstTime walks every day of nine centuries, leap rules of 1600, 1700, 1800, 1900, 2000 and 2100 included.
func TestCivilAgainstTime(t *testing.T) {
	d := civil{1590, 1, 1}
	for at := time.Date(1590, 1, 1, 0, 0, 0, 0, time.UTC); at.Year() < 2500; at = at.AddDate(0, 0, 1) {
		if d != (civil{at.Year(), int(at.Month()), at.Day()}) || d.weekday() != at.Weekday().String() || d.String() != at.Format(time.DateOnly) {
			t.Fatalf("got %s %s, want %s", d, d.weekday(), at.Format("2006-01-02 Monday"))
		}
		if back, ok := parseISO(d.String()); !ok || back != d {
			t.Fatalf("%s does not read back", d)
		}
		d = d.next()
	}
}

func TestParseISO(t *testing.T) {
	for _, s := range []string{"", "2026-1-31", "2026-02-29", "1900-02-29", "2026-04-31", "2026-13-01", "2026-00-10", "2026-01-00", "0000-01-01", "2026/01/31", "2026-01-31 ",
		" 2026-01-31", "26-01-31", "２０26-01-1", "2026-01-3a", "+026-01-31", "2026-01-311"} {
		if d, ok := parseISO(s); ok {
			t.Errorf("%q was read as %s", s, d)
		}
	}
	for _, s := range []string{"2000-02-29", "2024-02-29", "0001-01-01", "9999-12-31"} {
		if d, ok := parseISO(s); !ok || d.String() != s {
			t.Errorf("%q was read as %s, %v", s, d, ok)
		}
	}
}

func TestReadDate(t *testing.T) {
	for _, c := range []struct {
		in          string
		strict, any bool
	}{
		{"2026-01-31 Saturday", true, true},
		{"2026-01-31  saturday", true, true},
		{"2026-01-31\u00a0SATURDAY", true, true},
		{"Saturday 2026-01-31", false, true},
		{"2026-01-31, Saturday", false, true},
		{"2026-01-31 (Sat)", false, true},
		{"2026-01-31 Sat.", false, true},
		{"Saturday, 31 January 2026", false, true},
		{"Saturday, January 31, 2026", false, true},
		{"January 31st, 2026 (Saturday)", false, true},
		{"Saturday the 31st of January 2026", false, true},
		{"31 Jan. 2026, Sat", false, true},
		{"31 jan 2026 saturday", false, true},
		{"2026-01-31", false, false},
		{"Saturday", false, false},
		{"2026-01-31 Saturday Sunday", false, false},
		{"2026-01-31 Satur day", false, false},
		{"2026-02-30 Saturday", false, false},
		{"31/01/2026 Saturday", false, false},
		{"Saturday 31 January", false, false},
		{"Saturday 31 January 2026 or 1 February 2026", false, false},
		{"", false, false},
	} {
		for _, any := range []bool{false, true} {
			want := map[bool]bool{false: c.strict, true: c.any}[any]
			d, day, ok := readDate(c.in, any)
			if ok != want || ok && (d != civil{2026, 1, 31} || day != "Saturday") {
				t.Errorf("readDate(%q, %v) = %s %q %v, want %v", c.in, any, d, day, ok, want)
			}
		}
	}
}
