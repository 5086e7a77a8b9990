package sandbox

import (
	"fmt"
	"slices"

	"golang.org/x/sys/unix"
)

// The filter is ours and not a library's for two reasons. It must be loaded on
// one thread between other raw system calls, right before execve; and a filter
// that allows by default has to refuse foreign ABIs itself (on amd64 the whole
// i386 table is one "int 0x80" away), where a default-allow policy of the usual
// library would let a foreign architecture through.
//
// It refuses by name and allows the rest, up to the newest call that was
// reviewed: calls of later kernels get ENOSYS.

// condition compares the low 32 bits of an argument; all that are used here
// are int, flags or a command in the kernel's own signature.
type condition struct {
	arg  uint32 // 0 to 5
	high bool   // compare the high 32 bits instead
	op   uint16 // BPF_JEQ or BPF_JSET
	not  bool   // negates op
	val  uint32
}

// rule refuses a system call with an errno, if all conditions hold.
type rule struct {
	nr    uint32
	errno unix.Errno
	when  []condition
}

func equal(arg, val uint32) condition { return condition{arg: arg, op: unix.BPF_JEQ, val: val} }
func notEqual(arg, val uint32) condition {
	return condition{arg: arg, op: unix.BPF_JEQ, not: true, val: val}
}
func anyBit(arg, val uint32) condition { return condition{arg: arg, op: unix.BPF_JSET, val: val} }

// highNotZero is for pointers: with notEqual(arg, 0) it makes two rules for "not NULL".
func highNotZero(arg uint32) condition {
	return condition{arg: arg, high: true, op: unix.BPF_JEQ, not: true}
}

// filterNeeds says what else confines the candidate, hence what the filter owes.
type filterNeeds struct {
	metadata bool // nothing else keeps it from chmod, chown, utime, setxattr by path
	signals  bool // nothing else keeps it from signalling processes of its own user
	network  bool // it has a network of its own, on which it may do what an ordinary program does
}

const (
	newestReviewed = 471 // rseq_slice_yield; later numbers are unknown here

	cloneNew = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC |
		unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET

	fSetSig = 10 // F_SETSIG, absent from x/sys on some architectures
)

// refusals lists what the candidate may not ask of the kernel.
func refusals(need filterNeeds) []rule {
	var rules []rule
	deny := func(errno unix.Errno, nrs ...uint32) {
		for _, nr := range nrs {
			rules = append(rules, rule{nr: nr, errno: errno})
		}
	}
	when := func(nr uint32, errno unix.Errno, conds ...condition) {
		rules = append(rules, rule{nr: nr, errno: errno, when: conds})
	}

	// No socket of any family: also AF_UNIX, since Landlock does not stop a
	// connection to a named socket of the host. Nor io_uring, which would make
	// sockets behind the filter's back.
	if need.network {
		// In a network of its own the families of ordinary programs lead nowhere but there; the others are the kernel's risk.
		for _, nr := range []uint32{unix.SYS_SOCKET, unix.SYS_SOCKETPAIR} {
			when(nr, unix.EAFNOSUPPORT, notEqual(0, unix.AF_UNIX), notEqual(0, unix.AF_INET), notEqual(0, unix.AF_INET6), notEqual(0, unix.AF_NETLINK))
		}
		when(unix.SYS_SOCKET, unix.EAFNOSUPPORT, equal(0, unix.AF_NETLINK), notEqual(2, unix.NETLINK_ROUTE))
	} else {
		deny(unix.EPERM, unix.SYS_SOCKET, unix.SYS_SOCKETPAIR)
	}
	deny(unix.ENOSYS, unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER)

	// No reaching into other processes. ENOSYS where callers have a fallback.
	deny(unix.EPERM, unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_KCMP,
		unix.SYS_PROCESS_MADVISE, unix.SYS_PROCESS_MRELEASE, unix.SYS_MIGRATE_PAGES, unix.SYS_MOVE_PAGES,
		unix.SYS_IOPRIO_SET, unix.SYS_SCHED_SETAFFINITY, unix.SYS_RT_SIGQUEUEINFO, unix.SYS_RT_TGSIGQUEUEINFO)
	deny(unix.ENOSYS, unix.SYS_PIDFD_OPEN, unix.SYS_PIDFD_GETFD, unix.SYS_PIDFD_SEND_SIGNAL)
	when(unix.SYS_PRLIMIT64, unix.EPERM, notEqual(0, 0))
	for _, nr := range []uint32{unix.SYS_SCHED_SETSCHEDULER, unix.SYS_SCHED_SETPARAM, unix.SYS_SCHED_SETATTR} {
		when(nr, unix.EPERM, notEqual(0, 0))
	}
	when(unix.SYS_SETPRIORITY, unix.EPERM, notEqual(0, unix.PRIO_PROCESS))
	when(unix.SYS_SETPRIORITY, unix.EPERM, notEqual(1, 0))
	// A file can be told to send any signal to any process of the user.
	for _, cmd := range []uint32{unix.F_SETOWN, unix.F_SETOWN_EX, fSetSig, unix.F_NOTIFY, unix.F_SETLEASE} {
		when(unix.SYS_FCNTL, unix.EPERM, equal(1, cmd))
	}
	// The supervisor reads the candidate's open files to count disk use.
	when(unix.SYS_PRCTL, unix.EPERM, equal(0, unix.PR_SET_DUMPABLE))

	// No namespace, mount or root of its own. clone3 hides its flags in
	// memory; libc falls back to clone on ENOSYS.
	deny(unix.EPERM, unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT,
		unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK, unix.SYS_MOVE_MOUNT, unix.SYS_OPEN_TREE,
		unix.SYS_OPEN_TREE_ATTR, unix.SYS_MOUNT_SETATTR, unix.SYS_STATMOUNT, unix.SYS_LISTMOUNT, unix.SYS_LISTNS)
	deny(unix.ENOSYS, unix.SYS_CLONE3)
	when(unix.SYS_CLONE, unix.EPERM, anyBit(0, cloneNew))

	// No memory or disk that the limits do not see.
	deny(unix.EPERM, unix.SYS_MEMFD_CREATE, unix.SYS_MEMFD_SECRET, unix.SYS_SHMGET, unix.SYS_SHMAT, unix.SYS_SHMCTL, unix.SYS_SHMDT,
		unix.SYS_MSGGET, unix.SYS_MSGSND, unix.SYS_MSGRCV, unix.SYS_MSGCTL, unix.SYS_SEMGET, unix.SYS_SEMOP, unix.SYS_SEMCTL, unix.SYS_SEMTIMEDOP,
		unix.SYS_MQ_OPEN, unix.SYS_MQ_UNLINK, unix.SYS_MQ_NOTIFY)
	when(unix.SYS_FALLOCATE, unix.EOPNOTSUPP, notEqual(1, 0)) // FALLOC_FL_KEEP_SIZE passes RLIMIT_FSIZE by

	// No watching of host folders, no handles instead of paths.
	if !need.network { // runtimes of agents watch their own folders, and it tells no more than that a system file was read
		deny(unix.EPERM, unix.SYS_INOTIFY_INIT1)
	}
	deny(unix.EPERM, unix.SYS_FANOTIFY_INIT, unix.SYS_FANOTIFY_MARK, unix.SYS_NAME_TO_HANDLE_AT, unix.SYS_OPEN_BY_HANDLE_AT)

	// No terminal to type into, and nothing of the administrator's.
	when(unix.SYS_IOCTL, unix.EPERM, equal(1, unix.TIOCSTI))
	when(unix.SYS_IOCTL, unix.EPERM, equal(1, 0x541c)) // TIOCLINUX
	when(unix.SYS_PERSONALITY, unix.EPERM, notEqual(0, 0), notEqual(0, 0xffffffff))
	deny(unix.EPERM, unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD, unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY,
		unix.SYS_KEXEC_LOAD, unix.SYS_KEXEC_FILE_LOAD, unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE, unix.SYS_REBOOT,
		unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_ACCT, unix.SYS_QUOTACTL, unix.SYS_QUOTACTL_FD, unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME,
		unix.SYS_ADJTIMEX, unix.SYS_CLOCK_ADJTIME, unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME, unix.SYS_SYSLOG, unix.SYS_VHANGUP,
		unix.SYS_LSM_SET_SELF_ATTR)

	if need.metadata {
		deny(unix.EPERM, unix.SYS_FCHMODAT, unix.SYS_FCHMODAT2, unix.SYS_FCHOWNAT, unix.SYS_SETXATTR, unix.SYS_LSETXATTR, unix.SYS_SETXATTRAT,
			unix.SYS_REMOVEXATTR, unix.SYS_LREMOVEXATTR, unix.SYS_REMOVEXATTRAT, unix.SYS_FILE_SETATTR)
		// futimens, which has no path, stays allowed.
		when(unix.SYS_UTIMENSAT, unix.EPERM, notEqual(1, 0))
		when(unix.SYS_UTIMENSAT, unix.EPERM, highNotZero(1))
	}
	if need.signals {
		// kill(0, n), the own process group, and kill(pid, 0), a question, stay.
		when(unix.SYS_KILL, unix.EPERM, notEqual(0, 0), notEqual(1, 0))
		when(unix.SYS_TKILL, unix.EPERM, notEqual(1, 0))
		when(unix.SYS_TGKILL, unix.EPERM, notEqual(2, 0))
	}
	return append(rules, legacyRefusals(need)...)
}

// Offsets in struct seccomp_data, and the words of an argument there. All
// architectures with a table here are little-endian.
const (
	offNR   = 0
	offArch = 4
	offArgs = 16
)

// filterProgram compiles the refusals to BPF. It fails on an architecture
// that has no table.
func filterProgram(need filterNeeds) ([]unix.SockFilter, error) {
	if auditArch == 0 {
		return nil, fmt.Errorf("no table of system calls for this processor architecture")
	}
	stmt := func(code uint16, k uint32) unix.SockFilter { return unix.SockFilter{Code: code, K: k} }
	jump := func(op uint16, k uint32, yes, no uint8) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | op | unix.BPF_K, Jt: yes, Jf: no, K: k}
	}
	load := func(off uint32) unix.SockFilter { return stmt(unix.BPF_LD|unix.BPF_W|unix.BPF_ABS, off) }
	ret := func(v uint32) unix.SockFilter { return stmt(unix.BPF_RET|unix.BPF_K, v) }
	errno := func(e unix.Errno) unix.SockFilter { return ret(unix.SECCOMP_RET_ERRNO | uint32(e)) }

	prog := []unix.SockFilter{
		load(offArch),
		jump(unix.BPF_JEQ, auditArch, 1, 0),
		ret(unix.SECCOMP_RET_KILL_PROCESS), // a foreign ABI
		load(offNR),
		// Also the x32 calls of amd64, which have bit 30 set.
		jump(unix.BPF_JGT, newestReviewed, 0, 1),
		errno(unix.ENOSYS),
	}
	for _, r := range refusals(need) {
		if len(r.when) == 0 {
			prog = append(prog, jump(unix.BPF_JEQ, r.nr, 0, 1), errno(r.errno))
			continue
		}
		// Each condition is two instructions; the first that fails leaves for
		// the reload of the number at the end.
		var body []unix.SockFilter
		for i, c := range r.when {
			off := offArgs + 8*c.arg
			if c.high {
				off += 4
			}
			leave := uint8(2*(len(r.when)-1-i) + 1)
			yes, no := uint8(0), leave
			if c.not {
				yes, no = leave, 0
			}
			body = append(body, load(off), jump(c.op, c.val, yes, no))
		}
		body = append(body, errno(r.errno), load(offNR))
		prog = append(prog, jump(unix.BPF_JEQ, r.nr, 0, uint8(len(body))))
		prog = append(prog, body...)
	}
	return slices.Clip(append(prog, ret(unix.SECCOMP_RET_ALLOW))), nil
}
