package kairos

import (
	"archive/zip"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestLoadZoneNames(t *testing.T) {
	names := zoneNames()
	if len(names) != 637 || !slices.IsSorted(names) {
		t.Fatalf("%d names, sorted %v; want 637, sorted", len(names), slices.IsSorted(names))
	}
	for _, name := range names {
		for _, spelled := range []string{name, strings.ToLower(name), strings.ToUpper(name)} {
			if spelled != "UTC" && strings.HasPrefix(spelled, "UTC") {
				t.Fatalf("%q would be read as an offset", spelled)
			}
			if z := mustZone(t, spelled); z.name != spelled {
				t.Fatalf("zone %q is called %q", spelled, z.name)
			}
		}
	}
	for _, name := range []string{"", " ", "Local", "local", "localtime", "posixrules", "Factory", "Etc/Unknown", "Asia/Tokio",
		"Asia/Tokyo ", " UTC", "Asia//Tokyo", "Asia", "z", "utc+9", "utc0", "GMT+9", "GMT+09:00", "KST", "EDT", "EST5", "Etc/GMT+13",
		"Etc/GMT-15", "Etc/GMT-09", "UTC\n", "\x00", "Aſia/Tokyo", "日本", "zzz", "../etc/passwd", "9", "09:00", strings.Repeat("A", 1<<16)} {
		if z, err := loadZone(name); err == nil || err.Code != "tz.unknown" || z != nil || err.args[0] != name {
			t.Errorf("loadZone(%.20q) = %v, %v; want tz.unknown", name, z, err)
		}
	}
	for _, name := range []string{"Z", "+", "-", "+9", "+9:00", "+0900", "+09:60", "+15:00", "-15:00", "+09:00 ", "+09-00", "+0a:00",
		"+09:0x", "+１:00", "UTC+9", "UTC+09:00", "UTC0", "UTC ", "+09:00:00", "++9:00", "-Asia"} {
		if z, err := loadZone(name); err == nil || err.Code != "tz.offset-form" || z != nil || err.args[0] != name {
			t.Errorf("loadZone(%q) = %v, %v; want tz.offset-form", name, z, err)
		}
	}
}

func TestLoadZoneTakesAnyName(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	names := zoneNames()
	for range 50_000 {
		b := []byte(names[r.IntN(len(names))])
		for range r.IntN(3) {
			i := r.IntN(len(b))
			b[i] = byte(r.IntN(256))
		}
		b = b[:r.IntN(len(b)+1)]
		z, err := loadZone(string(b))
		if (z == nil) == (err == nil) {
			t.Fatalf("loadZone(%q) = %v, %v", b, z, err)
		}
	}
}

func TestZoneOffsets(t *testing.T) {
	for _, c := range []struct {
		zone, at string
		minutes  int64
	}{
		{"+09:00", "2026-01-01T00:00:00Z", 540},
		{"-05:30", "1700-01-01T00:00:00Z", -330},
		{"-00:00", "2026-01-01T00:00:00Z", 0},
		{"+14:59", "2026-01-01T00:00:00Z", 899},
		{"JST", "2026-01-01T00:00:00Z", 540},
		{"asia/tokyo", "9999-01-01T00:00:00Z", 540},
		{"utc", "2026-01-01T00:00:00Z", 0},
		{"Etc/GMT-9", "2026-01-01T00:00:00Z", 540},
		{"America/New_York", "2026-03-08T06:59:59.999Z", -300},
		{"America/New_York", "2026-03-08T07:00:00Z", -240},
		{"America/New_York", "2026-11-01T06:00:00Z", -300},
		{"America/New_York", "2300-03-11T06:59:59.999Z", -300},
		{"America/New_York", "2300-03-11T07:00:00Z", -240},
		{"America/New_York", "2300-11-04T05:59:59.999Z", -240},
		{"America/New_York", "2300-11-04T06:00:00Z", -300},
		{"Europe/Dublin", "2026-07-01T00:00:00Z", 60},
		{"Europe/Dublin", "9999-12-31T00:00:00Z", 0},
		{"Australia/Lord_Howe", "2026-01-01T00:00:00Z", 660},
		{"Australia/Lord_Howe", "2026-07-01T00:00:00Z", 630},
		{"Africa/Monrovia", "1971-01-01T00:00:00Z", -44}, // -44:30, rounded up
		{"Africa/Monrovia", "1972-01-07T00:44:00Z", -44},
		{"Africa/Monrovia", "1972-01-07T00:45:00Z", 0},
		{"Antarctica/Troll", "1971-07-01T00:00:00Z", 0},
		{"Antarctica/Troll", "2005-07-01T00:00:00Z", 120},
		{"America/Grand_Turk", "2017-01-01T00:00:00Z", -240}, // the rule holds only from 2018 on
		{"Asia/Kathmandu", "1985-12-31T18:29:00Z", 330},
		{"Asia/Kathmandu", "1985-12-31T18:30:00Z", 345},
		{"PST", "2026-07-01T00:00:00Z", -420},
		{"IST", "2026-07-01T00:00:00Z", 330},
		{"SystemV/EST5EDT", "1974-01-06T06:59:00Z", -300},
		{"SystemV/EST5EDT", "1974-01-06T07:00:00Z", -240},
		{"SystemV/EST5EDT", "2026-04-26T07:00:00Z", -240},
		{"SystemV/EST5EDT", "2026-10-25T06:00:00Z", -300},
		{"SystemV/HST10", "2026-07-01T00:00:00Z", -600},
	} {
		if got := mustZone(t, c.zone).offset(instant(t, c.at)); got != c.minutes*60_000 {
			t.Errorf("%s at %s: %d minutes, want %d", c.zone, c.at, got/60_000, c.minutes)
		}
	}
}

// In these years two changes are less than fourteen days apart; both must be there.
func TestZoneShortSummers(t *testing.T) {
	for _, year := range []int{2040, 2072} {
		z := mustZone(t, "Asia/Gaza")
		changes := 0
		for _, s := range z.starts[1:] {
			if y, _, _ := civilFromDays(floorDiv(s, dayMs)); y == year {
				changes++
			}
		}
		if changes != 4 {
			t.Errorf("%d changes in Gaza in %d, want 4", changes, year)
		}
	}
}

// goDatabase gives the compiled zones that come with the Go toolchain, when they are of the version of zones.bin.
func goDatabase(t *testing.T) map[string]*time.Location {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip("no go command to ask for the time zone database")
	}
	dir := filepath.Join(strings.TrimSpace(string(root)), "lib", "time")
	if script, err := os.ReadFile(filepath.Join(dir, "update.bash")); err != nil || !strings.Contains(string(script), "\nDATA=2025c\n") {
		t.Skip("the toolchain's time zone database is not 2025c")
	}
	r, err := zip.OpenReader(filepath.Join(dir, "zoneinfo.zip"))
	if err != nil {
		t.Skip("the toolchain has no zoneinfo.zip")
	}
	defer r.Close()
	locations := map[string]*time.Location{}
	for _, f := range r.File {
		c, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(c)
		if err != nil {
			t.Fatal(err)
		}
		if locations[f.Name], err = time.LoadLocationFromTZData(f.Name, data); err != nil {
			t.Fatal(err)
		}
	}
	return locations
}

// goOffset is the offset that package time gives, rounded to minutes.
func goOffset(l *time.Location, ms int64) int64 {
	_, s := time.UnixMilli(ms).In(l).Zone()
	return floorDiv(int64(s)+30, 60) * 60_000
}

func TestZonesAgreeWithTime(t *testing.T) {
	database := goDatabase(t)
	other := map[string]bool{"Factory": true, "EET": true, "WET": true, "Pacific/Majuro": true} // meant differently on purpose
	hourly := map[string]bool{"America/New_York": true, "Asia/Gaza": true, "Africa/Casablanca": true, "Africa/Cairo": true}
	first, last := daysFromCivil(1969, 1, 1)*dayMs, daysFromCivil(2101, 1, 1)*dayMs
	done := map[string]bool{}
	for name, l := range database {
		data, ok := findZone(name)
		if !ok && !other[name] {
			t.Errorf("%s is missing", name)
		}
		if other[name] || done[data] {
			continue
		}
		done[data] = true
		z := mustZone(t, name)
		check := func(ms int64) {
			if got, want := z.offset(ms), goOffset(l, ms); got != want {
				t.Fatalf("%s at %s: %d, want %d", name, time.UnixMilli(ms).UTC(), got, want)
			}
		}
		for _, s := range z.starts[1:] {
			check(s)
			check(s - 60_000)
		}
		step := int64(5 * dayMs)
		if hourly[name] {
			step = 3_600_000
		}
		for ms := first; ms < last; ms += step {
			check(ms)
		}
		if !z.hasRule {
			for year := 2101; year <= 2400; year += 10 {
				check(daysFromCivil(year, 7, 1) * dayMs)
				check(daysFromCivil(year, 1, 1) * dayMs)
			}
			continue
		}
		for year := 2101; year <= 2400; year++ {
			for _, c := range []yearChange{z.rule.first, z.rule.second} {
				check(c.in(year))
				check(c.in(year) - 1)
			}
		}
	}
	if len(done) < 300 {
		t.Errorf("only %d zones compared", len(done))
	}
}

func BenchmarkLoadZone(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		mustZone(b, "America/New_York")
	}
}
