package kairos

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

func mustZone(t testing.TB, name string) *zone {
	t.Helper()
	z, err := loadZone(name)
	if err != nil {
		t.Fatalf("loadZone(%q): %v", name, err.Code)
	}
	return z
}

// instant reads 2026-01-05T09:30:00Z.
func instant(t testing.TB, s string) int64 {
	t.Helper()
	at, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		t.Fatal(err)
	}
	return at.UnixMilli()
}

// distinctZones loads one zone for each record of the table.
func distinctZones(t testing.TB) []*zone {
	seen := map[string]bool{}
	var zones []*zone
	for _, name := range zoneNames() {
		if data, _ := findZone(name); !seen[data] {
			seen[data] = true
			zones = append(zones, mustZone(t, name))
		}
	}
	if len(zones) < 300 {
		t.Fatalf("only %d distinct zones", len(zones))
	}
	return zones
}

func TestZoneAnchor(t *testing.T) {
	for _, c := range []struct {
		zone, local, want string
		kind              anchorKind
	}{
		{"America/New_York", "2026-03-08T01:59:59.999", "2026-03-08T06:59:59.999Z", anchorUnique},
		{"America/New_York", "2026-03-08T02:00:00", "2026-03-08T07:00:00Z", anchorGap},
		{"America/New_York", "2026-03-08T02:59:59.999", "2026-03-08T07:00:00Z", anchorGap},
		{"America/New_York", "2026-03-08T03:00:00", "2026-03-08T07:00:00Z", anchorUnique},
		{"America/New_York", "2026-11-01T00:59:00", "2026-11-01T04:59:00Z", anchorUnique},
		{"America/New_York", "2026-11-01T01:00:00", "2026-11-01T05:00:00Z", anchorOverlap},
		{"America/New_York", "2026-11-01T01:59:59.999", "2026-11-01T05:59:59.999Z", anchorOverlap},
		{"America/New_York", "2026-11-01T02:00:00", "2026-11-01T07:00:00Z", anchorUnique},
		{"America/New_York", "2400-11-05T01:30:00", "2400-11-05T05:30:00Z", anchorOverlap},
		{"America/New_York", "2400-03-12T02:30:00", "2400-03-12T07:00:00Z", anchorGap},
		{"America/New_York", "1900-06-01T12:00:00", "1900-06-01T17:00:00Z", anchorUnique},
		{"Australia/Lord_Howe", "2026-10-04T02:15:00", "2026-10-03T15:30:00Z", anchorGap},
		{"Australia/Lord_Howe", "2026-04-05T01:45:00", "2026-04-04T14:45:00Z", anchorOverlap},
		{"America/Santiago", "2026-09-06T00:00:00", "2026-09-06T04:00:00Z", anchorGap},
		{"America/Havana", "2026-11-01T00:00:00", "2026-11-01T04:00:00Z", anchorOverlap},
		{"Pacific/Apia", "2011-12-30T00:00:00", "2011-12-30T10:00:00Z", anchorGap},
		{"Pacific/Apia", "2011-12-30T23:59:59", "2011-12-30T10:00:00Z", anchorGap},
		{"Pacific/Apia", "2011-12-31T00:00:00", "2011-12-30T10:00:00Z", anchorUnique},
	} {
		ms, kind := mustZone(t, c.zone).anchor(instant(t, c.local+"Z"))
		if ms != instant(t, c.want) || kind != c.kind {
			t.Errorf("%s in %s: %s, %d; want %s, %d", c.local, c.zone, time.UnixMilli(ms).UTC(), kind, c.want, c.kind)
		}
	}
}

// plainAnchor looks at every segment of the table.
func plainAnchor(z *zone, local int64) (int64, anchorKind) {
	var found []int64
	for i, from := range z.starts {
		to := int64(plusInf)
		if i+1 < len(z.starts) {
			to = z.starts[i+1]
		}
		if u := local - z.offs[i]; from <= u && u < to {
			found = append(found, u)
		}
	}
	if len(found) > 0 {
		return slices.Min(found), map[bool]anchorKind{true: anchorOverlap}[len(found) > 1]
	}
	for i := 1; i < len(z.starts); i++ {
		if s := z.starts[i]; s+z.offs[i-1] <= local && local < s+z.offs[i] {
			return s, anchorGap
		}
	}
	return 0, 99
}

func TestZoneAnchorAgreesWithPlainSearch(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, z := range distinctZones(t) {
		check := func(local int64) {
			ms, kind := z.anchor(local)
			if want, wantKind := plainAnchor(z, local); ms != want || kind != wantKind {
				t.Fatalf("%s: anchor(%d) = %d, %d; want %d, %d", z.name, local, ms, kind, want, wantKind)
			}
		}
		for range 200 {
			check(r.Int64N(130*365*dayMs) - 365*dayMs)
		}
		for range min(200, 8*(len(z.starts)-1)) {
			i := 1 + r.IntN(len(z.starts)-1)
			check(z.starts[i] + z.offs[i-r.IntN(2)] + int64(r.IntN(3)-1)) // at the edges of a gap or an overlap
			check(z.starts[i] + r.Int64N(3*dayMs) - 3*dayMs/2)
		}
	}
}

func TestZoneDayStarts(t *testing.T) {
	for _, c := range []struct {
		zone    string
		y, m, d int
		want    string
	}{
		{"Asia/Tokyo", 2026, 1, 5, "2026-01-04T15:00:00Z"},
		{"Asia/Tokyo", 2026, 1, 36, "2026-02-04T15:00:00Z"},
		{"Asia/Tokyo", 50, 1, 1, "0049-12-31T15:00:00Z"},
		{"America/Santiago", 2026, 9, 6, "2026-09-06T04:00:00Z"},
		{"America/Santiago", 2350, 9, 3, "2350-09-03T04:00:00Z"},
		{"America/Havana", 2026, 11, 1, "2026-11-01T04:00:00Z"},
		{"Pacific/Apia", 2011, 12, 29, "2011-12-29T10:00:00Z"},
		{"Pacific/Apia", 2011, 12, 30, "2011-12-30T10:00:00Z"},
		{"Pacific/Apia", 2011, 12, 31, "2011-12-30T10:00:00Z"},
		{"Pacific/Apia", 2012, 1, 1, "2011-12-31T10:00:00Z"},
	} {
		if got := mustZone(t, c.zone).dayStart(c.y, c.m, c.d); got != instant(t, c.want) {
			t.Errorf("%s %d-%d-%d starts at %s, want %s", c.zone, c.y, c.m, c.d, time.UnixMilli(got).UTC(), c.want)
		}
	}
}

func TestZoneDayArithmetic(t *testing.T) {
	apia := mustZone(t, "Pacific/Apia")
	thursday := apia.dayStart(2011, 12, 29)
	saturday := apia.dayStart(2011, 12, 31)
	for n, want := range map[int]int64{0: thursday, 1: saturday, 2: saturday, 3: apia.dayStart(2012, 1, 1), -1: apia.dayStart(2011, 12, 28)} {
		if got := apia.addDays(thursday, n); got != want {
			t.Errorf("29 December and %d days: %s, want %s", n, apia.format(got), apia.format(want))
		}
	}
	if got := apia.floorDay(saturday - 1); got != thursday {
		t.Errorf("the last millisecond of the 29th belongs to %s", apia.format(got))
	}
	santiago := mustZone(t, "America/Santiago")
	start := santiago.dayStart(2026, 9, 6)
	if got := santiago.wall(start); got != 3_600_000 {
		t.Errorf("the day without midnight starts at %d", got)
	}
	if y, m, d, tod := santiago.local(start - 1); y != 2026 || m != 9 || d != 5 || tod != dayMs-1 {
		t.Errorf("before it, the clock shows %d-%d-%d and %d", y, m, d, tod)
	}
	for tod, want := range map[int64]int64{0: start, 1: start, 1_800_000: start, 3_600_000: start, 7_200_000: start + 3_600_000,
		dayMs: start + 23*3_600_000} {
		if got := santiago.atWall(start, tod); got != want {
			t.Errorf("time %d of it is %s, want %s", tod, santiago.format(got), santiago.format(want))
		}
	}
	york := mustZone(t, "America/New_York")
	if got, want := york.atWall(york.dayStart(2026, 11, 1), 5_400_000), instant(t, "2026-11-01T05:30:00Z"); got != want {
		t.Errorf("half past one is %d, want the first one, %d", got, want)
	}
}

// After midnight was shown twice, an instant of the evening shown twice belongs to the evening's day.
func TestZoneFloorDayAfterLateOverlap(t *testing.T) {
	z := mustZone(t, "America/St_Johns")
	change := instant(t, "2006-10-29T02:31:00Z") // 00:01 becomes 23:01
	if got, want := z.floorDay(change), z.dayStart(2006, 10, 28); got != want {
		t.Errorf("%s, want %s", z.format(got), z.format(want))
	}
	if got, want := z.dayIndex(change), z.dayIndex(z.dayStart(2006, 10, 29)); got != want {
		t.Errorf("index %d, want that of the last start, %d", got, want)
	}
	// A date whose only instants come before its midnight, as no zone has had since 1970, falls back one date.
	odd := &zone{starts: []int64{minusInf, dayMs + 1000, dayMs + 2000}, offs: []int64{0, -2000, 3 * 3_600_000}}
	for ms := dayMs - 5000; ms < dayMs+5000; ms += 100 {
		if got := odd.floorDay(int64(ms)); got > int64(ms) {
			t.Fatalf("the day of %d starts at %d", ms, got)
		}
	}
}

func TestZoneFormat(t *testing.T) {
	for _, c := range []struct{ zone, at, want string }{
		{"Asia/Tokyo", "2026-01-04T15:00:00Z", "2026-01-05"},
		{"Asia/Tokyo", "2026-01-05T00:30:00Z", "2026-01-05T09:30"},
		{"Asia/Tokyo", "2026-01-05T00:30:07Z", "2026-01-05T09:30:07"},
		{"Asia/Tokyo", "2026-01-04T15:00:00.5Z", "2026-01-05T00:00"},
		{"America/Santiago", "2026-09-06T04:00:00Z", "2026-09-06T01:00"},
		{"UTC", "0033-04-03T15:00:59Z", "0033-04-03T15:00:59"},
		{"UTC", "9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59"},
		{"-14:59", "0000-01-01T00:00:00Z", "-0001-12-31T09:01"},
		{"+00:01", "9999-12-31T23:59:00Z", "10000-01-01"},
	} {
		if got := mustZone(t, c.zone).format(instant(t, c.at)); got != c.want {
			t.Errorf("%s in %s: %q, want %q", c.at, c.zone, got, c.want)
		}
	}
	z := mustZone(t, "America/New_York")
	buf := make([]byte, 0, 64)
	ms := instant(t, "2026-01-05T12:34:56Z")
	if n := testing.AllocsPerRun(100, func() { buf = z.appendFormat(buf[:0], ms) }); n != 0 || string(buf) != "2026-01-05T07:34:56" {
		t.Errorf("%q with %v allocations", buf, n)
	}
}

// No instant may make the arithmetic overflow or run for ever.
func TestZoneExtremes(t *testing.T) {
	for _, name := range []string{"UTC", "America/New_York", "+14:00"} {
		z := mustZone(t, name)
		for _, ms := range []int64{minusInf, minusInf + 1, -maxInstant - 1, -maxInstant, maxInstant, maxInstant + 1, plusInf - 1, plusInf} {
			z.offset(ms)
			if u, _ := z.anchor(ms); u < -maxInstant-dayMs || u > maxInstant+dayMs {
				t.Errorf("%s: anchor(%d) = %d", name, ms, u)
			}
			if y, _, _, _ := z.local(ms); y < -271_822 && ms > 0 || y > 275_761 {
				t.Errorf("%s: year %d", name, y)
			}
			if i := z.dayIndex(ms); i < 0 || ms < 0 && i != 0 || ms > 0 && i < 99_999_000 {
				t.Errorf("%s: dayIndex(%d) = %d", name, ms, i)
			}
			if u := z.addDays(z.floorDay(ms), int(ms)); u > maxInstant+dayMs || u < -maxInstant-dayMs {
				t.Errorf("%s: addDays gives %d", name, u)
			}
			z.atWall(ms, ms)
			if s := z.format(ms); len(s) < 10 {
				t.Errorf("%s: %d prints as %q", name, ms, s)
			}
		}
		if got := z.days(minusInf); len(got) != 1 || got[0] != z.dayStart(1970, 1, 1) {
			t.Errorf("%s: days up to the beginning of time: %v", name, got)
		}
	}
}

func BenchmarkZoneFormat(b *testing.B) {
	z := mustZone(b, "America/New_York")
	ms := instant(b, "2026-01-05T12:34:00Z")
	buf := make([]byte, 0, 64)
	b.ReportAllocs()
	for b.Loop() {
		buf = z.appendFormat(buf[:0], ms)
		ms += 60_000
	}
}

func BenchmarkZoneAddDays(b *testing.B) {
	z := mustZone(b, "America/New_York")
	d := z.dayStart(2026, 1, 1)
	for b.Loop() {
		for range 1000 {
			z.addDays(d, 1)
		}
	}
}
