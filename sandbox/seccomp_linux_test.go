package sandbox

import (
	"testing"

	"golang.org/x/sys/unix"
)

// call is one system call as the filter sees it.
type call struct {
	arch, nr uint32
	args     [6]uint64
}

// evaluate runs a classic BPF program, so that every rule is checked without
// making the call.
func evaluate(t *testing.T, prog []unix.SockFilter, c call) uint32 {
	t.Helper()
	word := func(off uint32) uint32 {
		switch {
		case off == offNR:
			return c.nr
		case off == offArch:
			return c.arch
		case off >= offArgs && off < offArgs+48 && off%4 == 0:
			v := c.args[(off-offArgs)/8]
			return uint32(v >> (8 * ((off - offArgs) % 8)))
		}
		t.Fatalf("load from %d", off)
		return 0
	}
	var a uint32
	for pc := 0; pc < len(prog); pc++ {
		in := prog[pc]
		yes := false
		switch in.Code {
		case unix.BPF_LD | unix.BPF_W | unix.BPF_ABS:
			a = word(in.K)
			continue
		case unix.BPF_RET | unix.BPF_K:
			return in.K
		case unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K:
			yes = a == in.K
		case unix.BPF_JMP | unix.BPF_JGT | unix.BPF_K:
			yes = a > in.K
		case unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K:
			yes = a&in.K != 0
		default:
			t.Fatalf("instruction %d has code %#x", pc, in.Code)
		}
		if yes {
			pc += int(in.Jt)
		} else {
			pc += int(in.Jf)
		}
	}
	t.Fatal("the program ends without a verdict")
	return 0
}

func TestFilter(t *testing.T) {
	if auditArch == 0 {
		t.Skip("no table of system calls for this architecture")
	}
	plain, err := filterProgram(filterNeeds{})
	if err != nil {
		t.Fatal(err)
	}
	full, err := filterProgram(filterNeeds{metadata: true, signals: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(full) > 4096 {
		t.Errorf("%d instructions, the kernel takes 4096", len(full))
	}
	const allow = unix.SECCOMP_RET_ALLOW
	errno := func(e unix.Errno) uint32 { return unix.SECCOMP_RET_ERRNO | uint32(e) }
	eperm := errno(unix.EPERM)
	args := func(a ...uint64) (r [6]uint64) { copy(r[:], a); return }
	const minus1 = 0xffff_ffff_ffff_ffff
	for _, c := range []struct {
		name        string
		nr          uint32
		args        [6]uint64
		plain, full uint32
	}{
		{"read", unix.SYS_READ, args(), allow, allow},
		{"execve", unix.SYS_EXECVE, args(), allow, allow},
		{"socket", unix.SYS_SOCKET, args(unix.AF_UNIX), eperm, eperm},
		{"socketpair", unix.SYS_SOCKETPAIR, args(unix.AF_UNIX), eperm, eperm},
		{"io_uring", unix.SYS_IO_URING_SETUP, args(), errno(unix.ENOSYS), errno(unix.ENOSYS)},
		{"ptrace", unix.SYS_PTRACE, args(), eperm, eperm},
		{"clone", unix.SYS_CLONE, args(unix.CLONE_VM | unix.CLONE_THREAD), allow, allow},
		{"clone in a user namespace", unix.SYS_CLONE, args(unix.CLONE_NEWUSER | 17), eperm, eperm},
		{"clone in a network namespace", unix.SYS_CLONE, args(unix.CLONE_NEWNET), eperm, eperm},
		{"clone3", unix.SYS_CLONE3, args(), errno(unix.ENOSYS), errno(unix.ENOSYS)},
		{"unshare", unix.SYS_UNSHARE, args(unix.CLONE_NEWUSER), eperm, eperm},
		{"own limits", unix.SYS_PRLIMIT64, args(0), allow, allow},
		{"another's limits", unix.SYS_PRLIMIT64, args(1234), eperm, eperm},
		{"own priority", unix.SYS_SETPRIORITY, args(unix.PRIO_PROCESS, 0), allow, allow},
		{"another's priority", unix.SYS_SETPRIORITY, args(unix.PRIO_PROCESS, 7), eperm, eperm},
		{"the user's priority", unix.SYS_SETPRIORITY, args(unix.PRIO_USER, 0), eperm, eperm},
		{"affinity", unix.SYS_SCHED_SETAFFINITY, args(0), eperm, eperm},
		{"own scheduler", unix.SYS_SCHED_SETSCHEDULER, args(0), allow, allow},
		{"another's scheduler", unix.SYS_SCHED_SETSCHEDULER, args(9), eperm, eperm},
		{"F_GETFL", unix.SYS_FCNTL, args(3, unix.F_GETFL), allow, allow},
		{"F_SETOWN", unix.SYS_FCNTL, args(3, unix.F_SETOWN, 1), eperm, eperm},
		{"F_SETSIG", unix.SYS_FCNTL, args(3, fSetSig, 9), eperm, eperm},
		{"PR_SET_NAME", unix.SYS_PRCTL, args(unix.PR_SET_NAME), allow, allow},
		{"PR_SET_DUMPABLE", unix.SYS_PRCTL, args(unix.PR_SET_DUMPABLE), eperm, eperm},
		{"TCGETS", unix.SYS_IOCTL, args(0, unix.TCGETS), allow, allow},
		{"TIOCSTI", unix.SYS_IOCTL, args(0, unix.TIOCSTI), eperm, eperm},
		{"TIOCSTI with high bits", unix.SYS_IOCTL, args(0, 1<<32|unix.TIOCSTI), eperm, eperm},
		{"fallocate", unix.SYS_FALLOCATE, args(3, 0), allow, allow},
		{"fallocate keeping size", unix.SYS_FALLOCATE, args(3, 1), errno(unix.EOPNOTSUPP), errno(unix.EOPNOTSUPP)},
		{"personality, a question", unix.SYS_PERSONALITY, args(0xffffffff), allow, allow},
		{"personality, no ASLR", unix.SYS_PERSONALITY, args(0x40000), eperm, eperm},
		{"memfd", unix.SYS_MEMFD_CREATE, args(), eperm, eperm},
		{"fchmod", unix.SYS_FCHMOD, args(), allow, allow},
		{"fchmodat", unix.SYS_FCHMODAT, args(), allow, eperm},
		{"futimens", unix.SYS_UTIMENSAT, args(3, 0), allow, allow},
		{"utimensat by path", unix.SYS_UTIMENSAT, args(3, 0x1000), allow, eperm},
		{"utimensat by a high path", unix.SYS_UTIMENSAT, args(3, 0x7f00_0000_0000), allow, eperm},
		{"kill the own group", unix.SYS_KILL, args(0, 9), allow, allow},
		{"kill, a question", unix.SYS_KILL, args(77, 0), allow, allow},
		{"kill a process", unix.SYS_KILL, args(77, 9), allow, eperm},
		{"kill everybody", unix.SYS_KILL, args(minus1, 9), allow, eperm},
		{"tgkill", unix.SYS_TGKILL, args(77, 77, 9), allow, eperm},
		{"newest", newestReviewed, args(), allow, allow},
		{"not reviewed", newestReviewed + 1, args(), errno(unix.ENOSYS), errno(unix.ENOSYS)},
		{"x32", 0x40000000 | unix.SYS_READ, args(), errno(unix.ENOSYS), errno(unix.ENOSYS)},
	} {
		if got := evaluate(t, plain, call{auditArch, c.nr, c.args}); got != c.plain {
			t.Errorf("%s: %#x, want %#x", c.name, got, c.plain)
		}
		if got := evaluate(t, full, call{auditArch, c.nr, c.args}); got != c.full {
			t.Errorf("%s, full filter: %#x, want %#x", c.name, got, c.full)
		}
	}
	for _, arch := range []uint32{unix.AUDIT_ARCH_I386, unix.AUDIT_ARCH_ARM, 0} {
		if got := evaluate(t, plain, call{arch: arch, nr: 20}); got != unix.SECCOMP_RET_KILL_PROCESS {
			t.Errorf("a call of ABI %#x: %#x, want the process killed", arch, got)
		}
	}
	// Every unconditional refusal refuses, and nothing else is refused with
	// arguments of all zeros.
	refused := map[uint32]uint32{}
	for _, r := range refusals(filterNeeds{metadata: true, signals: true}) {
		if len(r.when) == 0 {
			refused[r.nr] = errno(r.errno)
		}
	}
	for nr := uint32(0); nr <= newestReviewed; nr++ {
		want, ok := refused[nr]
		if !ok {
			want = allow
		}
		if got := evaluate(t, full, call{arch: auditArch, nr: nr}); got != want {
			t.Errorf("call %d: %#x, want %#x", nr, got, want)
		}
	}
}
