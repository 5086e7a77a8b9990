package sandbox

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// procStat is what is used of /proc/PID/stat.
type procStat struct {
	state   byte
	ppid    int
	ticks   int64 // user and system time of it and of the children it waited for
	threads int
}

// readStat reads one process; ok is false when it is gone.
func readStat(pid int) (s procStat, ok bool) {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return s, false
	}
	return parseStat(b)
}

// parseStat reads the fields after the command name. The name is the
// candidate's to choose and can hold spaces and parentheses, hence the last ')'.
func parseStat(b []byte) (s procStat, ok bool) {
	i := bytes.LastIndexByte(b, ')')
	if i < 0 {
		return s, false
	}
	f := bytes.Fields(b[i+1:])
	// proc(5): state is field 3, ppid 4, utime to cstime 14 to 17, num_threads 20.
	const first = 3
	if len(f) <= 20-first {
		return s, false
	}
	num := func(field int) int64 {
		v, err := strconv.ParseInt(string(f[field-first]), 10, 64)
		if err != nil {
			return 0
		}
		return v
	}
	s.state, s.ppid, s.threads = f[0][0], int(num(4)), int(num(20))
	s.ticks = num(14) + num(15) + num(16) + num(17)
	return s, true
}

// clockTick is the unit of procStat.ticks, USER_HZ, 100 on every architecture.
const clockTick = time.Second / 100

// descendants lists the processes below root, parents before children, and
// stops when it has more than enough. A tree that forks meanwhile is seen in
// part; whoever needs all of it asks again.
func descendants(root, enough int) []int {
	level := children(root)
	if level == nil { // a kernel without the children file
		return descendantsByScan(root)
	}
	found := []int{}
	seen := map[int]bool{root: true}
	for len(level) > 0 {
		var next []int
		for _, pid := range level {
			if seen[pid] {
				continue
			}
			seen[pid] = true
			if found = append(found, pid); len(found) > enough {
				return found
			}
			next = append(next, children(pid)...)
		}
		level = next
	}
	return found
}

// children lists the children of all threads of a process; nil when the kernel
// does not tell or the process is gone.
func children(pid int) []int {
	dir := "/proc/" + strconv.Itoa(pid) + "/task"
	tasks, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var pids []int
	for _, t := range tasks {
		b, err := os.ReadFile(dir + "/" + t.Name() + "/children")
		if err != nil {
			continue
		}
		if pids == nil {
			pids = []int{}
		}
		for _, f := range bytes.Fields(b) {
			if n, err := strconv.Atoi(string(f)); err == nil {
				pids = append(pids, n)
			}
		}
	}
	return pids
}

func descendantsByScan(root int) []int {
	kids := map[int][]int{}
	for _, pid := range allPIDs() {
		if s, ok := readStat(pid); ok {
			kids[s.ppid] = append(kids[s.ppid], pid)
		}
	}
	found := []int{}
	for queue := kids[root]; len(queue) > 0; queue = queue[1:] {
		found = append(found, queue[0])
		queue = append(queue, kids[queue[0]]...)
	}
	return found
}

// allPIDs lists every process that /proc shows.
func allPIDs() []int {
	d, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer d.Close()
	names, _ := d.Readdirnames(-1)
	pids := make([]int, 0, len(names))
	for _, n := range names {
		if pid, err := strconv.Atoi(n); err == nil {
			pids = append(pids, pid)
		}
	}
	slices.Sort(pids)
	return pids
}

// threadsOf counts the threads of all processes of a user, which is what
// RLIMIT_NPROC counts.
func threadsOf(uid int) int {
	n := 0
	for _, pid := range allPIDs() {
		var st unix.Stat_t
		if unix.Stat("/proc/"+strconv.Itoa(pid), &st) != nil || int(st.Uid) != uid {
			continue
		}
		if s, ok := readStat(pid); ok {
			n += s.threads
		}
	}
	return n
}

// killTree kills everything below root. Each process is killed before its
// children are read: a killed process cannot fork any more, so the list is
// final. Children of one that dies meanwhile move to their subreaper; whoever
// needs all of them dead asks again.
func killTree(root int) {
	level := children(root)
	if level == nil { // a kernel without the children file
		for _, pid := range descendantsByScan(root) {
			_ = unix.Kill(pid, unix.SIGKILL)
		}
		return
	}
	for len(level) > 0 {
		var next []int
		for _, pid := range level {
			_ = unix.Kill(pid, unix.SIGKILL)
			next = append(next, children(pid)...)
		}
		level = next
	}
}

// reapAll waits for all dead children and says whether none is left at all.
func reapAll() bool {
	for {
		pid, err := unix.Wait4(-1, nil, unix.WNOHANG, nil)
		switch {
		case errors.Is(err, unix.ECHILD):
			return true
		case errors.Is(err, unix.EINTR):
		case err != nil || pid == 0:
			return false
		}
	}
}
