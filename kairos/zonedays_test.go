package kairos

import (
	"math/rand/v2"
	"slices"
	"sort"
	"testing"
)

func TestZoneDaysAgreeWithSteps(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, z := range distinctZones(t) {
		until := (daysFromCivil(2104, 1, 1) + r.Int64N(2000)) * dayMs
		want := []int64{z.dayStart(1970, 1, 1)}
		for want[len(want)-1] < until {
			want = append(want, z.addDays(want[len(want)-1], 1))
		}
		if got := z.days(until); !slices.Equal(got, want) {
			t.Fatalf("%s: the days until %d differ", z.name, until)
		}
		for range 30 {
			i := r.IntN(len(want))
			until := want[i] + r.Int64N(3) - 1
			n := sort.Search(len(want)-1, func(i int) bool { return want[i] >= until }) + 1
			if got := z.days(until); !slices.Equal(got, want[:n]) {
				t.Fatalf("%s: the days until %d are %d, want %d", z.name, until, len(got), n)
			}
		}
		check := func(ms int64) {
			n := max(sort.Search(len(want), func(i int) bool { return want[i] > ms })-1, 0)
			if got := z.dayIndex(ms); got != n {
				t.Fatalf("%s: dayIndex(%d) = %d, want %d", z.name, ms, got, n)
			}
		}
		for range 200 {
			check(want[r.IntN(len(want)-1)] + r.Int64N(3) - 1)
			check(r.Int64N(until) - 1000*dayMs)
		}
		for _, s := range z.starts[1:] {
			check(s + r.Int64N(2*dayMs) - dayMs)
		}
	}
}

func TestZoneDaysSkipped(t *testing.T) {
	for zone, dates := range map[string][3]string{
		"Pacific/Apia":       {"2011-12-29", "2011-12-31", "2012-01-01"},
		"Pacific/Kwajalein":  {"1993-08-20", "1993-08-22", "1993-08-23"},
		"Pacific/Kiritimati": {"1994-12-30", "1995-01-01", "1995-01-02"},
	} {
		z := mustZone(t, zone)
		days := z.days(instant(t, dates[2]+"T00:00:00Z"))
		i := slices.IndexFunc(days, func(ms int64) bool { return z.format(ms) == dates[0] })
		if i < 0 || z.format(days[i+1]) != dates[1] || z.format(days[i+2]) != dates[2] {
			t.Errorf("%s has not the days %v", zone, dates)
			continue
		}
		if z.dayIndex(days[i]) != i || z.dayIndex(days[i+1]) != i+1 || z.dayIndex(days[i+1]-1) != i {
			t.Errorf("%s: indexes %d, %d", zone, z.dayIndex(days[i]), z.dayIndex(days[i+1]))
		}
	}
}

// Changes in quick succession, which the shortcuts of days must not take.
func TestZoneDaysOfOddZones(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	whole := 0
	for range 4000 {
		z := &zone{starts: []int64{minusInf}, offs: []int64{(r.Int64N(27) - 12) * 3_600_000}}
		for at := r.Int64N(5 * dayMs); len(z.starts) < 12; at += 1 + r.Int64N(5*dayMs) {
			z.starts, z.offs = append(z.starts, at), append(z.offs, max(z.offs[len(z.offs)-1]-r.Int64N(4)*3_600_000, -12*3_600_000))
			if r.IntN(2) == 0 {
				z.offs[len(z.offs)-1] = (r.Int64N(27) - 12) * 3_600_000
			}
		}
		z.findSkips()
		want := []int64{z.dayStart(1970, 1, 1)}
		for len(want) < 80 {
			next := z.addDays(want[len(want)-1], 1)
			if next <= want[len(want)-1] {
				break // the clock goes back by days; steps lead nowhere
			}
			want = append(want, next)
		}
		if len(want) < 80 {
			continue
		}
		whole++
		if got := z.days(want[79]); !slices.Equal(got, want) {
			t.Fatalf("%v %v:\n%v, want\n%v", z.starts, z.offs, got, want)
		}
		for range 100 {
			ms := r.Int64N(want[79])
			n := max(sort.Search(len(want), func(i int) bool { return want[i] > ms })-1, 0)
			if got := z.dayIndex(ms); got != n {
				t.Fatalf("%v %v: dayIndex(%d) = %d, want %d", z.starts, z.offs, ms, got, n)
			}
		}
	}
	if whole < 1000 {
		t.Errorf("only %d of the zones have days in order", whole)
	}
}

func BenchmarkZoneDays(b *testing.B) {
	z := mustZone(b, "America/New_York")
	until := instant(b, "2027-07-01T00:00:00Z")
	b.ReportAllocs()
	for b.Loop() {
		if len(z.days(until)) != 21_001 {
			b.Fatal(len(z.days(until)))
		}
	}
}

func BenchmarkZoneDayIndex(b *testing.B) {
	z := mustZone(b, "America/New_York")
	days := z.days(instant(b, "2027-07-01T00:00:00Z"))
	for b.Loop() {
		for i, d := range days[:1000] {
			if z.dayIndex(d) != i {
				b.Fatal(i)
			}
		}
	}
}
