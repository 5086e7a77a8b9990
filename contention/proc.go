package contention

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"runtime"
	"strconv"
	"strings"
)

// Files of /proc are small; no more of one than this is read.
const procMax = 256 << 10

// notKnown says that this system's load cannot be sampled.
func notKnown() string { return "not known here: there is no /proc on " + runtime.GOOS }

// hostSample is what /proc says at one moment. What it does not say is nil.
type hostSample struct {
	load   *int64 // load average of one minute, in hundredths
	cpus   int64
	ticks  *cpuTicks
	memory *Memory
}

// cpuTicks are the processors' times since the start of the machine, all processors together.
type cpuTicks struct{ busy, total int64 }

// busy gives the share of time, in thousandths, that the processors worked between two readings. Counters can stand still
// or run backwards (the time waiting for disks does); then nothing is known.
func (t cpuTicks) since(before cpuTicks) (permille int64, ok bool) {
	busy, total := t.busy-before.busy, t.total-before.total
	if total <= 0 || busy < 0 || busy > total {
		return 0, false
	}
	return busy * 1000 / total, true
}

// readProc reads what there is. The error says what is missing; what could be read stands all the same.
func readProc(proc fs.FS) (hostSample, error) {
	var s hostSample
	var faults []error
	for _, f := range []struct {
		name string
		into func(string) error
	}{
		{"loadavg", func(text string) error {
			v, err := parseLoadavg(text)
			if err == nil {
				s.load = &v
			}
			return err
		}},
		{"stat", func(text string) error {
			t, cpus, err := parseStat(text)
			if err == nil {
				s.ticks, s.cpus = &t, cpus
			}
			return err
		}},
		{"meminfo", func(text string) error {
			m, err := parseMeminfo(text)
			if err == nil {
				s.memory = &m
			}
			return err
		}},
	} {
		text, err := readSome(proc, f.name)
		if err == nil {
			err = f.into(text)
		}
		if err != nil {
			faults = append(faults, fmt.Errorf("/proc/%s: %w", f.name, err))
		}
	}
	return s, errors.Join(faults...)
}

func readSome(proc fs.FS, name string) (string, error) {
	f, err := proc.Open(name)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return "", errors.New("is not there")
		}
		return "", errors.New("cannot be opened")
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, procMax))
	if err != nil {
		return "", errors.New("cannot be read")
	}
	return string(b), nil
}

// parseLoadavg gives the load average of one minute, in hundredths: "0.27 0.81 2.42 3/95 32457" is 27.
func parseLoadavg(text string) (int64, error) {
	first, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	whole, part, ok := strings.Cut(first, ".")
	if !ok || len(part) != 2 || len(whole) > 9 {
		return 0, errors.New("does not begin with a load average")
	}
	w, err1 := strconv.ParseUint(whole, 10, 32)
	p, err2 := strconv.ParseUint(part, 10, 8)
	if err1 != nil || err2 != nil {
		return 0, errors.New("does not begin with a load average")
	}
	return int64(w*100 + p), nil
}

// ticksMax bounds each counter, so that eight of them add up without overflow.
const ticksMax = 1 << 58

// parseStat gives the processors' times and their number. The fields of the first line are user, nice, system, idle,
// iowait, irq, softirq, steal; those after it are parts of the first two. Idle and waiting for disks is not busy; time
// stolen by other machines on the same hardware is.
func parseStat(text string) (cpuTicks, int64, error) {
	var t cpuTicks
	cpus, found := int64(0), false
	lines := bufio.NewScanner(strings.NewReader(text))
	lines.Buffer(nil, procMax+1)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) == 0 || !strings.HasPrefix(fields[0], "cpu") {
			if found {
				break // the processors come first
			}
			continue
		}
		if fields[0] != "cpu" {
			cpus++
			continue
		}
		if found || len(fields) < 5 {
			return cpuTicks{}, 0, errors.New("has no readable line of all processors")
		}
		found = true
		for i, f := range fields[1:min(len(fields), 9)] {
			v, err := strconv.ParseUint(f, 10, 64)
			if err != nil || v > ticksMax {
				return cpuTicks{}, 0, errors.New("has no readable line of all processors")
			}
			t.total += int64(v)
			if i != 3 && i != 4 {
				t.busy += int64(v)
			}
		}
	}
	if !found || cpus == 0 {
		return cpuTicks{}, 0, errors.New("has no readable line of all processors")
	}
	return t, cpus, nil
}

// parseMeminfo gives the memory that programs could still get without swapping, and all of it.
func parseMeminfo(text string) (Memory, error) {
	got := map[string]int64{}
	for line := range strings.SplitSeq(text, "\n") {
		name, rest, ok := strings.Cut(line, ":")
		if !ok || name != "MemTotal" && name != "MemAvailable" {
			continue
		}
		fields := strings.Fields(rest)
		if len(fields) != 2 || fields[1] != "kB" {
			return Memory{}, fmt.Errorf("has no readable %s", name)
		}
		v, err := strconv.ParseUint(fields[0], 10, 64)
		if err != nil || v > 1<<50 {
			return Memory{}, fmt.Errorf("has no readable %s", name)
		}
		got[name] = int64(v) * 1024
	}
	total, ok1 := got["MemTotal"]
	available, ok2 := got["MemAvailable"]
	if !ok1 || !ok2 || total == 0 {
		return Memory{}, errors.New("does not say how much memory is available")
	}
	return Memory{Available: min(available, total), Total: total}, nil
}
