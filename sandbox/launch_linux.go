package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

const (
	openFiles  = 128
	agentFiles = 4096 // of an agent, which may be a runtime with a server in it
	stackSize  = 8 << 20
)

// launch confines itself and becomes the candidate. It never returns.
//
// All of it happens on one thread, which is the only one that survives execve;
// so the raw system calls, which act on one thread, are enough.
func launch() {
	runtime.LockOSThread()
	parent := os.Getppid()
	orderFile, status := inherited()
	if err := unix.CloseRange(3, ^uint(0), unix.CLOSE_RANGE_CLOEXEC); err != nil {
		fault(status, fmt.Errorf("close_range: %w", err))
	}
	o, _, err := readOrder(orderFile)
	if err != nil {
		fault(status, err)
	}
	if _, err := lookup(string(o.Argv[0])); err != nil {
		send(status, report{Fault: oneLine(err.Error()), Missing: string(o.Argv[0])})
		os.Exit(exitHelper)
	}
	x, err := prepareExec(o)
	if err != nil {
		fault(status, err)
	}
	if err := confine(o, parent); err != nil {
		fault(status, err)
	}
	send(status, report{Launched: true})
	x.run(int(status.Fd()))
}

// searchPath is PATH inside; it does not depend on the machine's.
var searchPath = [...]string{"/usr/bin", "/bin"}

func lookup(name string) (string, error) {
	candidates := []string{name}
	if !filepath.IsAbs(name) {
		candidates = nil
		for _, dir := range searchPath {
			candidates = append(candidates, dir+"/"+name)
		}
		if strings.Contains(name, "/") {
			candidates = nil // relative paths lead into the candidate's own folder
		}
	}
	for _, path := range candidates {
		if st, err := os.Stat(path); err == nil && !st.IsDir() && unix.Access(path, unix.X_OK) == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("no program %q in /usr/bin or /bin", name)
}

// confine gives up, in this order, what is needed to give up the rest.
func confine(o order, parent int) error {
	if o.Agent { // what the supervisor needed for its listeners
		if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
			return fmt.Errorf("prctl: %w", err)
		}
	}
	// If memory runs out, the kernel should take the candidate first.
	if err := os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("oom_score_adj: %w", err)
	}
	if err := leaveOneCPU(); err != nil {
		return err
	}
	ruleset := -1
	if o.Tier == TierLandlock {
		var err error
		if ruleset, err = landlockRuleset(o.ABI, o.Work, o.Tmp); err != nil {
			return err
		}
	}
	if o.UID != 0 {
		// Raw calls change this thread only: the package syscall would change all.
		id := uintptr(o.UID)
		if _, _, errno := unix.RawSyscall(unix.SYS_SETGROUPS, 0, 0, 0); errno != 0 {
			return fmt.Errorf("setgroups: %w", errno)
		}
		if _, _, errno := unix.RawSyscall(unix.SYS_SETRESGID, id, id, id); errno != 0 {
			return fmt.Errorf("setresgid %d: %w", id, errno)
		}
		if _, _, errno := unix.RawSyscall(unix.SYS_SETRESUID, id, id, id); errno != 0 {
			return fmt.Errorf("setresuid %d: %w", id, errno)
		}
	}
	// After the change of user, which clears it. The supervisor dying first
	// would orphan the candidate; it is pid 1 in the bwrap tier.
	if err := unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0); err != nil {
		return fmt.Errorf("prctl: %w", err)
	}
	if os.Getppid() != parent {
		return errors.New("the supervisor is gone")
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("no_new_privs: %w", err)
	}
	if ruleset >= 0 {
		return restrictSelf(ruleset)
	}
	return nil
}

// leaveOneCPU keeps the candidate off one processor, where there are several:
// a fork bomb must not starve the supervisor that is to stop it. The filter
// refuses to change that.
func leaveOneCPU() error {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return fmt.Errorf("sched_getaffinity: %w", err)
	}
	if set.Count() < 2 {
		return nil
	}
	for cpu := len(set)*64 - 1; cpu >= 0; cpu-- {
		if set.IsSet(cpu) {
			set.Clear(cpu)
			break
		}
	}
	if err := unix.SchedSetaffinity(0, &set); err != nil {
		return fmt.Errorf("sched_setaffinity: %w", err)
	}
	return nil
}

// resourceLimit is an argument of prlimit64.
type resourceLimit struct {
	resource uintptr
	value    unix.Rlimit
}

func resourceLimits(o order) []resourceLimit {
	same := func(resource int, v uint64) resourceLimit {
		return resourceLimit{uintptr(resource), unix.Rlimit{Cur: v, Max: v}}
	}
	// The supervisor counts the whole tree's CPU time; this is for the case
	// that one process outruns it, a second later.
	files := uint64(openFiles)
	if o.Agent {
		files = agentFiles
	}
	cpu := uint64((o.CPU+time.Second-1)/time.Second) + 1
	return []resourceLimit{
		same(unix.RLIMIT_CORE, 0),
		same(unix.RLIMIT_MEMLOCK, 0),
		same(unix.RLIMIT_MSGQUEUE, 0),
		same(unix.RLIMIT_RTPRIO, 0),
		same(unix.RLIMIT_STACK, stackSize),
		same(unix.RLIMIT_NOFILE, files),
		same(unix.RLIMIT_CPU, cpu),
		same(unix.RLIMIT_FSIZE, uint64(o.FileSize)),
		same(unix.RLIMIT_NPROC, uint64(o.Procs)),
	}
}

// shell sets the limit on address space and executes the program. This process
// cannot do it: a Go program has other threads, and larger mappings than the
// limit, and may fail at any allocation between setting it and execve.
const shell = "/bin/sh"

func shellArgs(o order) []string {
	line := fmt.Sprintf(`ulimit -v %d && unset PWD OLDPWD SHLVL && exec "$@"`, o.Memory>>10)
	if o.Agent { // runtimes reserve more address space than any machine has memory, and use little of it; that is watched
		line = `unset PWD OLDPWD SHLVL && exec "$@"`
	}
	args := []string{"sh", "-c", line, "sh"}
	for _, a := range o.Argv {
		args = append(args, string(a))
	}
	return args
}

// environment is all that the candidate gets.
func environment(o order) []string {
	env := []string{"PATH=/usr/bin:/bin", "HOME=/nonexistent", "LC_ALL=C.UTF-8", "TZ=UTC", "TMPDIR=" + o.Tmp}
	if !o.Agent {
		return env
	}
	env[1] = "HOME=" + o.Work
	for _, b := range o.Env {
		kv := string(b)
		name, _, _ := strings.Cut(kv, "=")
		env = slices.DeleteFunc(env, func(have string) bool { return strings.HasPrefix(have, name+"=") })
		env = append(env, kv)
	}
	return env
}

// execution is everything that the last steps need, made beforehand: the
// runtime's own system calls should not meet the limits and the filter.
type execution struct {
	limits  []resourceLimit
	filter  []unix.SockFilter
	prog    unix.SockFprog
	path    *byte
	argv    []*byte
	envv    []*byte
	failure []byte // the report if execve fails
}

func prepareExec(o order) (*execution, error) {
	x := &execution{limits: resourceLimits(o)}
	needs := filterNeeds{network: o.Agent}
	if o.Tier == TierLandlock {
		needs = filterNeeds{metadata: true, signals: o.ABI < abiScoped && o.UID == 0}
	}
	var err error
	if x.filter, err = filterProgram(needs); err != nil {
		return nil, err
	}
	x.prog = unix.SockFprog{Len: uint16(len(x.filter)), Filter: &x.filter[0]}
	if x.path, err = syscall.BytePtrFromString(shell); err != nil {
		return nil, err
	}
	if x.argv, err = syscall.SlicePtrFromStrings(shellArgs(o)); err != nil {
		return nil, err
	}
	if x.envv, err = syscall.SlicePtrFromStrings(environment(o)); err != nil {
		return nil, err
	}
	x.failure = []byte(`{"Fault":"the last step before the program failed (limits, seccomp or execve)"}` + "\n")
	return x, nil
}

// run sets the limits, loads the filter and executes the program, with no
// allocation, no lock and no call of the scheduler in between.
//
//go:norace
func (x *execution) run(status int) {
	// A parent that ignores SIGHUP or SIGINT (nohup does) hands that down; the
	// candidate starts with every signal at its default, and none blocked.
	var act [4]uint64 // struct sigaction of all zeros: SIG_DFL
	for sig := uintptr(1); sig <= 64; sig++ {
		unix.RawSyscall6(unix.SYS_RT_SIGACTION, sig, uintptr(unsafe.Pointer(&act)), 0, 8, 0, 0)
	}
	var mask uint64
	unix.RawSyscall6(unix.SYS_RT_SIGPROCMASK, unix.SIG_SETMASK, uintptr(unsafe.Pointer(&mask)), 0, 8, 0, 0)

	ok := true
	for i := range x.limits {
		_, _, errno := unix.RawSyscall6(unix.SYS_PRLIMIT64, 0, x.limits[i].resource, uintptr(unsafe.Pointer(&x.limits[i].value)), 0, 0, 0)
		ok = ok && errno == 0
	}
	_, _, errno := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&x.prog)))
	if ok && errno == 0 {
		unix.RawSyscall(unix.SYS_EXECVE, uintptr(unsafe.Pointer(x.path)), uintptr(unsafe.Pointer(&x.argv[0])), uintptr(unsafe.Pointer(&x.envv[0])))
	}
	unix.RawSyscall(unix.SYS_WRITE, uintptr(status), uintptr(unsafe.Pointer(&x.failure[0])), uintptr(len(x.failure)))
	for {
		unix.RawSyscall(unix.SYS_EXIT_GROUP, exitHelper, 0, 0)
	}
}
