package contention

import (
	"io/fs"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
)

const (
	goodLoadavg = "7.20 3.81 2.42 3/95 32457\n"
	goodStat    = "cpu  1000 50 500 8000 400 0 30 20 7 7\ncpu0 500 25 250 4000 200 0 15 10 7 7\ncpu1 500 25 250 4000 200 0 15 10 0 0\nintr 1 2 3\nctxt 5\n"
	goodMeminfo = "MemTotal:       24684092 kB\nMemFree:        100 kB\nMemAvailable:   1234567 kB\n"
)

func procOf(loadavg, stat, meminfo string) fs.FS {
	m := fstest.MapFS{}
	for name, text := range map[string]string{"loadavg": loadavg, "stat": stat, "meminfo": meminfo} {
		if text != "" {
			m[name] = &fstest.MapFile{Data: []byte(text)}
		}
	}
	return m
}

func TestReadProc(t *testing.T) {
	s, err := readProc(procOf(goodLoadavg, goodStat, goodMeminfo))
	if err != nil {
		t.Fatal(err)
	}
	if *s.load != 720 || s.cpus != 2 {
		t.Errorf("load %d on %d CPUs", *s.load, s.cpus)
	}
	if want := (cpuTicks{busy: 1600, total: 10000}); *s.ticks != want {
		t.Errorf("ticks are %+v, want %+v", *s.ticks, want)
	}
	if want := (Memory{Available: 1234567 * 1024, Total: 24684092 * 1024}); *s.memory != want || want.permille() != 50 {
		t.Errorf("memory is %+v", *s.memory)
	}
}

func TestReadProcTakesWhatThereIs(t *testing.T) {
	s, err := readProc(procOf(goodLoadavg, "", "MemTotal: 5 kB\n"))
	if s.load == nil || *s.load != 720 || s.ticks != nil || s.memory != nil {
		t.Errorf("got %+v", s)
	}
	if err == nil || !strings.Contains(err.Error(), "/proc/stat: is not there") || !strings.Contains(err.Error(), "/proc/meminfo: does not say how much memory") {
		t.Errorf("the error is %v", err)
	}
}

func TestProcRefused(t *testing.T) {
	for _, s := range []string{"", "x", "1", "1.2", "1.234 0", "-1.00", "9999999999.00", "1,00 2", "1.-1", "+1.00", "1.x0"} {
		if v, err := parseLoadavg(s); err == nil {
			t.Errorf("loadavg %q is %d", s, v)
		}
	}
	for _, s := range []string{
		"", "cpu 1 2 3\ncpu0 1\n", "cpu 1 2 3 4\n", "cpu 1 2 3 x\ncpu0 1\n", "cpu 1 2 3 -4\ncpu0 1\n", "cpu0 1 2 3 4\n",
		"cpu 18446744073709551615 2 3 4\ncpu0 1\n", "cpu 1 2 3 4\ncpu 1 2 3 4\ncpu0 1\n", strings.Repeat("x", procMax),
	} {
		if v, _, err := parseStat(s); err == nil {
			t.Errorf("stat %.40q is %v", s, v)
		}
	}
	for _, s := range []string{"", "MemTotal: 1 kB\n", "MemTotal: 0 kB\nMemAvailable: 0 kB\n", "MemTotal: 5 MB\nMemAvailable: 1 kB\n", "MemTotal: -5 kB\nMemAvailable: 1 kB\n", "MemTotal: 99999999999999999 kB\nMemAvailable: 1 kB\n"} {
		if v, err := parseMeminfo(s); err == nil {
			t.Errorf("meminfo %q is %v", s, v)
		}
	}
}

func TestBusyShare(t *testing.T) {
	tests := []struct {
		before, now cpuTicks
		want        int64
		ok          bool
	}{
		{cpuTicks{100, 1000}, cpuTicks{150, 1100}, 500, true},
		{cpuTicks{100, 1000}, cpuTicks{100, 1100}, 0, true},
		{cpuTicks{100, 1000}, cpuTicks{200, 1100}, 1000, true},
		{cpuTicks{100, 1000}, cpuTicks{100, 1000}, 0, false},
		{cpuTicks{100, 1000}, cpuTicks{90, 1100}, 0, false},
		{cpuTicks{100, 1000}, cpuTicks{300, 1100}, 0, false},
		{cpuTicks{100, 1000}, cpuTicks{0, 10}, 0, false},
	}
	for _, tt := range tests {
		if got, ok := tt.now.since(tt.before); got != tt.want || ok != tt.ok {
			t.Errorf("%v since %v is %d, %v; want %d, %v", tt.now, tt.before, got, ok, tt.want, tt.ok)
		}
	}
}

func TestThisMachine(t *testing.T) {
	proc := systemProc()
	if runtime.GOOS != "linux" {
		if proc != nil || !strings.Contains(notKnown(), "not known here") {
			t.Error("a /proc was found")
		}
		return
	}
	s, err := readProc(proc)
	if err != nil {
		t.Fatal(err)
	}
	if s.load == nil || s.ticks == nil || s.ticks.total <= 0 || s.cpus < 1 || s.memory == nil || s.memory.Available <= 0 || s.memory.Available > s.memory.Total {
		t.Errorf("this machine is %+v", s)
	}
}

func FuzzProc(f *testing.F) {
	for _, s := range []string{goodLoadavg, goodStat, goodMeminfo, "cpu\n", "MemTotal:", "cpu0", "9.99"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if v, err := parseLoadavg(s); err == nil && (v < 0 || v > 100*1_000_000_000) {
			t.Errorf("load %d", v)
		}
		if v, cpus, err := parseStat(s); err == nil && (v.busy < 0 || v.busy > v.total || cpus < 1) {
			t.Errorf("ticks %+v, %d CPUs", v, cpus)
		}
		if m, err := parseMeminfo(s); err == nil && (m.Available < 0 || m.Available > m.Total || m.permille() > 1000) {
			t.Errorf("memory %+v", m)
		}
	})
}
