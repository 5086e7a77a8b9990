package kairos

import (
	"testing"
	"time"
)

func TestCivilDaysAgreeWithTime(t *testing.T) {
	day := time.Date(-4801, 1, 1, 0, 0, 0, 0, time.UTC)
	n := day.Unix() / 86400
	for day.Year() < 10410 {
		y, m, d := day.Date()
		if got := daysFromCivil(y, int(m), d); got != n {
			t.Fatalf("daysFromCivil(%d, %d, %d) = %d, want %d", y, m, d, got, n)
		}
		gy, gm, gd := civilFromDays(n)
		if gy != y || gm != int(m) || gd != d {
			t.Fatalf("civilFromDays(%d) = %d-%d-%d, want %d-%d-%d", n, gy, gm, gd, y, m, d)
		}
		day = day.AddDate(0, 0, 1)
		n++
	}
}

func TestCivilDaysCountOn(t *testing.T) {
	for _, c := range []struct {
		y, m, d int
		want    string
	}{
		{2026, 1, 32, "2026-02-01"},
		{2026, 3, 0, "2026-02-28"},
		{2024, 2, 366, "2025-01-31"},
		{2026, 13, 1, "2027-01-01"},
		{2026, 0, 31, "2025-12-31"},
		{2026, -11, 5, "2025-01-05"},
		{2026, 26, -1, "2028-01-30"},
		{0, 3, 0, "0000-02-29"},
		{99, 12, 31, "0099-12-31"},
	} {
		y, m, d := civilFromDays(daysFromCivil(c.y, c.m, c.d))
		if got := time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC).Format(time.DateOnly); got != c.want {
			t.Errorf("%d-%d-%d counts on to %s, want %s", c.y, c.m, c.d, got, c.want)
		}
	}
}

func TestValidDate(t *testing.T) {
	for year := -400; year <= 2401; year++ {
		for month := -1; month <= 14; month++ {
			for day := -1; day <= 33; day++ {
				y, m, d := civilFromDays(daysFromCivil(year, month, day))
				want := y == year && m == month && d == day
				if got := validDate(year, month, day); got != want {
					t.Fatalf("validDate(%d, %d, %d) = %v", year, month, day, got)
				}
			}
		}
	}
	for year, want := range map[int]bool{1900: false, 2000: true, 2023: false, 2024: true, 2100: false, 0: true, -4: true} {
		if validDate(year, 2, 29) != want {
			t.Errorf("29 February %d: %v", year, !want)
		}
	}
}

func TestFloorDiv(t *testing.T) {
	for _, c := range [][3]int64{{7, 3, 2}, {6, 3, 2}, {0, 3, 0}, {-1, 3, -1}, {-3, 3, -1}, {-4, 3, -2}} {
		if got := floorDiv(c[0], c[1]); got != c[2] {
			t.Errorf("floorDiv(%d, %d) = %d, want %d", c[0], c[1], got, c[2])
		}
	}
}
