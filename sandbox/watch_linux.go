package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

const (
	watchEvery = 20 * time.Millisecond
	// A look takes processor time itself, of which the watch takes at most a
	// fifth. Not wall time: a busy candidate must not be looked at less often.
	watchShare = 5
)

// watch measures the candidate's tree against its limits.
type watch struct {
	limits Limits
	disk   disk
	start  int64 // disk usage of the fresh copy
}

// newWatch measures the fresh copy.
func newWatch(limits Limits, d disk) (*watch, error) {
	start, err := d.usage(nil)
	if errors.Is(err, errHidden) {
		return nil, fmt.Errorf("the job's files are more than %d, or nested deeper than %d", maxEntries, maxDepth)
	}
	if err != nil {
		return nil, err
	}
	return &watch{limits: limits, disk: d, start: start}, nil
}

// begin watches until the process ends, and tells the first excess.
//
// Two goroutines look, apart from each other and from whoever keeps the time:
// reading a process's files can wait for a lock that the process holds, and in
// a fork bomb that one may not run for seconds. Counting waits for nobody.
func (w *watch) begin() <-chan string {
	found := make(chan string, 2)
	look := func(exceeded func() string) {
		for {
			before := spent()
			if why := exceeded(); why != "" {
				found <- why
				return
			}
			time.Sleep(max(watchEvery, watchShare*(spent()-before)))
		}
	}
	go look(w.tooMany)
	go look(w.tooMuch)
	return found
}

// tooMany counts the processes below this one. Dead ones that nobody waited for
// count too, as they do for the kernel.
func (w *watch) tooMany() string {
	if len(descendants(os.Getpid(), w.limits.Processes)) > w.limits.Processes {
		return StoppedProcesses
	}
	return ""
}

// tooMuch measures what they use.
func (w *watch) tooMuch() string {
	pids := descendants(os.Getpid(), w.limits.Processes)
	var tasks int
	var ticks, resident int64
	for _, pid := range pids {
		if s, ok := readStat(pid); ok {
			tasks += s.threads
			ticks += s.ticks
			resident += residentBytes(pid)
		}
	}
	if tasks > w.limits.Processes {
		return StoppedProcesses
	}
	if resident > w.limits.Memory && proportionalBytes(pids) > w.limits.Memory {
		return StoppedMemory
	}
	if time.Duration(ticks)*clockTick+reapedCPU() > w.limits.CPU {
		return StoppedTime
	}
	used, err := w.disk.usage(pids)
	if err != nil || used-w.start > w.limits.Disk {
		return StoppedDisk
	}
	return ""
}

// exceededAtEnd looks once more when all are dead, so that a candidate which
// ended between two looks is held to the limits that leave a trace.
func (w *watch) exceededAtEnd() string {
	if reapedCPU() > w.limits.CPU {
		return StoppedTime
	}
	used, err := w.disk.usage(nil)
	if err != nil || used-w.start > w.limits.Disk {
		return StoppedDisk
	}
	return ""
}

// spent is the processor time of this process itself.
func spent() time.Duration {
	var ru unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &ru) != nil {
		return 0
	}
	return time.Duration(ru.Utime.Nano() + ru.Stime.Nano())
}

// reapedCPU is the processor time of the children that this process waited
// for, with all that they waited for.
func reapedCPU() time.Duration {
	var ru unix.Rusage
	if unix.Getrusage(unix.RUSAGE_CHILDREN, &ru) != nil {
		return 0
	}
	return time.Duration(ru.Utime.Nano() + ru.Stime.Nano())
}

// residentBytes counts pages that a process shares with others in full.
func residentBytes(pid int) int64 {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/statm")
	if err != nil {
		return 0
	}
	f := bytes.Fields(b)
	if len(f) < 2 {
		return 0
	}
	n, err := strconv.ParseInt(string(f[1]), 10, 64)
	if err != nil {
		return 0
	}
	return n * int64(os.Getpagesize())
}

// proportionalBytes divides shared pages among those that share them. It is
// exact but dear, so it is asked only when residentBytes looks bad; where it is
// not to be had, residentBytes stands.
func proportionalBytes(pids []int) int64 {
	var total int64
	for _, pid := range pids {
		b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/smaps_rollup")
		if err != nil {
			total += residentBytes(pid)
			continue
		}
		total += parsePss(b)
	}
	return total
}

// parsePss reads the line "Pss:  123 kB".
func parsePss(b []byte) int64 {
	for line := range bytes.Lines(b) {
		if rest, ok := bytes.CutPrefix(line, []byte("Pss:")); ok {
			if f := bytes.Fields(rest); len(f) == 2 {
				if kb, err := strconv.ParseInt(string(f[0]), 10, 64); err == nil {
					return kb << 10
				}
			}
		}
	}
	return 0
}
