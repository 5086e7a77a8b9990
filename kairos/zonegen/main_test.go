package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// toolchain gives the directory of a database of the version that the table was made from.
func toolchain(t *testing.T) string {
	dir, err := timeDir()
	if err != nil {
		t.Skip("no go command to ask for the time zone database")
	}
	if v, err := databaseVersion(dir); err != nil || v != databaseWanted {
		t.Skipf("the toolchain's time zone database is %q (%v), the table's is %s", v, err, databaseWanted)
	}
	return dir
}

func TestTableIsUpToDate(t *testing.T) {
	toolchain(t)
	out := filepath.Join(t.TempDir(), "zones.bin")
	if err := run(out); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("../zones.bin")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Fatalf("zones.bin is out of date: %d bytes, want %d", len(want), len(got))
	}
	if len(want) > 200_000 {
		t.Errorf("%d bytes", len(want))
	}
}

func TestCompiled(t *testing.T) {
	files, err := readZip(filepath.Join(toolchain(t), "zoneinfo.zip"))
	if err != nil {
		t.Fatal(err)
	}
	h, err := compiled(files["Asia/Tokyo"])
	if err != nil {
		t.Fatal(err)
	}
	if h.initial != 540 || len(h.changes) != 0 || h.rule != nil {
		t.Errorf("Tokyo: %+v", h)
	}
	if h, err = compiled(files["Africa/Monrovia"]); err != nil {
		t.Fatal(err)
	}
	minute := time.Date(1972, 1, 7, 0, 45, 0, 0, time.UTC).Unix() / 60
	if h.initial != -44 || !slices.Equal(h.changes, []change{{minute, 0}}) {
		t.Errorf("Monrovia: %+v", h)
	}
	if h, err = compiled(files["America/New_York"]); err != nil {
		t.Fatal(err)
	}
	if want := []yearly{{3, 2, 0, 420, -240}, {11, 1, 0, 360, -300}}; !slices.Equal(h.rule, want) || h.last() != -240 {
		t.Errorf("New York: %+v after %d", h.rule, h.last())
	}
	data := files["America/New_York"]
	for _, bad := range [][]byte{nil, data[:20], data[:44], data[:100], data[:len(data)-1], data[:len(data)-30],
		append([]byte("TZif1"), data[5:]...), append([]byte("xxxx"), data[4:]...)} {
		if h, err := compiled(bad); err == nil {
			t.Errorf("%d damaged bytes give %+v", len(bad), h)
		}
	}
}

func TestSetRule(t *testing.T) {
	for _, c := range []struct {
		rule string
		last int
		want []yearly
	}{
		{"JST-9", 540, nil},
		{"<+0545>-5:45", 345, nil},
		{"EST5EDT,M3.2.0,M11.1.0", 0, []yearly{{3, 2, 0, 420, -240}, {11, 1, 0, 360, -300}}},
		{"IST-1GMT0,M10.5.0,M3.5.0/1", 0, []yearly{{3, 5, 0, 60, 60}, {10, 5, 0, 60, 0}}},
		{"<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", 0, []yearly{{4, 1, 0, -540, 630}, {10, 1, 0, -510, 660}}},
		{"EET-2EEST,M3.4.4/50,M10.4.4/50", 0, []yearly{{3, 4, 4, 2880, 180}, {10, 4, 4, 2820, 120}}},
		{"<-02>2<-01>,M3.5.0/-1,M10.5.0/+0:00:00", 0, []yearly{{3, 5, 0, 60, -60}, {10, 5, 0, 60, -120}}},
	} {
		h := &history{initial: c.last}
		if err := h.setRule(c.rule); err != nil || !slices.Equal(h.rule, c.want) {
			t.Errorf("%s: %v, %v; want %v", c.rule, h.rule, err, c.want)
		}
	}
	for _, rule := range []string{"", "JST", "JST-9", "X5", "<+0", "EST5EDT", "EST5EDT,M3.2.0", "EST5EDT,M3.2.0,M11.1.0,", "EST5EDT,J60,J300",
		"EST5EDT,M3.2,M11.1.0", "EST5EDT,M3.2.0/,M11.1.0", "EST5EDT,M3.2.0/0:00:01,M11.1.0", "EST5EDT4:00:30,M3.2.0,M11.1.0", "EST5.5"} {
		h := &history{initial: 7}
		if err := h.setRule(rule); err == nil || !strings.Contains(err.Error(), "rule") {
			t.Errorf("%q gives %v, %v", rule, h.rule, err)
		}
	}
}

func TestAdd(t *testing.T) {
	h := &history{initial: 5, from: firstMinute}
	h.add(firstMinute-10, 6)
	h.add(firstMinute+10, 6)
	h.add(firstMinute+20, 7)
	h.add(firstMinute+20, 8)
	h.add(firstMinute+30, 9)
	h.add(firstMinute+30, 8)
	h.add(firstMinute+40, 8)
	if want := []change{{firstMinute + 20, 8}}; h.initial != 6 || !slices.Equal(h.changes, want) || h.from != firstMinute+40 {
		t.Errorf("%+v", h)
	}
}

func TestAmendNeedsTargets(t *testing.T) {
	if err := amend(map[string]*history{}); err == nil {
		t.Error("aliases of nothing are accepted")
	}
}

func TestSystemV(t *testing.T) {
	h := &history{initial: -480, from: firstMinute}
	h.saveDaylight(8)
	got := map[string]int{}
	for _, c := range h.changes {
		got[time.Unix(c.minute*60, 0).UTC().Format("2006-01-02T15:04")] = c.off
	}
	for at, off := range map[string]int{"1969-04-27T10:00": -420, "1973-10-28T09:00": -480, "1974-01-06T10:00": -420,
		"1974-11-24T09:00": -480, "1975-02-23T10:00": -420, "1975-10-26T09:00": -480} {
		if got[at] != off {
			t.Errorf("%s: %d, want %d", at, got[at], off)
		}
	}
	if len(h.changes) != 14 {
		t.Errorf("%d changes, want 14", len(h.changes))
	}
}

func TestMissingDatabase(t *testing.T) {
	dir := t.TempDir()
	if _, err := databaseVersion(dir); err == nil {
		t.Error("no script, no error")
	}
	if err := os.WriteFile(filepath.Join(dir, "update.bash"), []byte("CODE=2025c\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if v, err := databaseVersion(dir); err == nil {
		t.Errorf("a script without the version gives %q", v)
	}
	if _, err := build(filepath.Join(dir, "zoneinfo.zip")); err == nil {
		t.Error("no zip file, no error")
	}
}

func TestEncodeBounds(t *testing.T) {
	zones := map[string]*history{}
	for i := range 70 {
		zones[strings.Repeat(string(rune('a'+i%26)), 1000+i)] = &history{}
	}
	if _, err := encode(zones); err == nil {
		t.Error("70,000 bytes of names are accepted")
	}
}
