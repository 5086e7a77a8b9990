package sandbox

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// attack is a hostile command. Of bash and python exactly one is set; both get
// the host's folder, a host process, TCP and UDP ports, a socket's path and a
// token as arguments 1 to 6.
type attack struct {
	name    string
	bash    string
	python  string
	limits  Limits   // default: wall 10 s
	stopped []string // what may stop it; nil: nothing does
	stdout  string   // exact, unless it is stopped
	exit    int      // exact, unless it is stopped; -1: any
}

const anyExit = -1

var attacks = []attack{
	// Reading.
	{name: "read /etc/shadow", bash: `cat /etc/shadow /etc/passwd /etc/hosts`, exit: 1},
	{name: "read a file everyone may read", bash: `cat "$1/secret"; head -c 9 < "$1/secret"; ls "$1"; cat "$1/../"*/secret`, stdout: "", exit: anyExit},
	{name: "list the host", bash: `ls /root /home /var /run /opt /srv /mnt /boot /sys /usr/local /dev/pts 2>/dev/null | grep .`, exit: 1},
	{name: "read environments", bash: `cat /proc/*/environ /proc/*/cmdline 2>/dev/null | tr '\0' '\n' | grep -c -e host[-]secret -e SANDBOX[_]TEST; env | grep -c SANDBOX[_]TEST`, stdout: "0\n0\n", exit: 1},
	{name: "open the supervisor", python: `
import os
for pid in (os.getppid(), 1):
    for name, flags in (("mem", os.O_RDWR), ("mem", os.O_RDONLY), ("environ", os.O_RDONLY), ("exe", os.O_WRONLY), ("maps", os.O_RDONLY), ("fd", os.O_RDONLY)):
        try:
            os.open("/proc/%d/%s" % (pid, name), flags); print("opened", name)
        except OSError: pass
    for name in ("root", "cwd", "exe", "fd/3", "fd/4", "fd/5"):
        try: print(os.readlink("/proc/%d/%s" % (pid, name)))
        except OSError: pass
for fd in range(3, 128):
    try: print("inherited", fd, os.fstat(fd))
    except OSError: pass`},
	{name: "links out of the copy", bash: `ln -s /etc/shadow s; cat s; ln -s "$1" host; cat host/secret; echo x > host/drop/x
ln "$1/secret" h; cat h; mv "$1/secret" m; cat m; cp -l "$1/secret" c; cat c; ln -s ../../../.. up; cat up/etc/shadow; rm -f "$1/secret" host/secret; true`},

	// Writing.
	{name: "write outside", bash: `for d in / /usr /usr/bin /etc /var/tmp /dev /dev/shm /proc /sys "$1" "$1/drop"; do echo x > "$d/sandbox-pwned"; mkdir "$d/sandbox-pwned"; done
echo x > /tmp/../etc/sandbox-pwned; echo 1 > /proc/sys/kernel/sysrq; echo b > /proc/sysrq-trigger; rm -rf "$1/drop"; true`},
	{name: "change what is outside", python: `
import os, sys
p = sys.argv[1] + "/secret"
for f in (lambda: os.truncate(p, 0), lambda: os.open(p, os.O_RDONLY | os.O_TRUNC), lambda: os.remove(p), lambda: os.rename(p, "x"), lambda: os.rename("given", p),
          lambda: os.chmod(p, 0), lambda: os.utime(p, (1, 1)), lambda: os.utime(p), lambda: os.chown(p, os.getuid(), os.getgid()), lambda: os.setxattr(p, "user.x", b"y"),
          lambda: os.chmod(sys.argv[1], 0), lambda: os.mkfifo(sys.argv[1] + "/drop/f"), lambda: os.mknod(sys.argv[1] + "/drop/n"), lambda: os.symlink("x", sys.argv[1] + "/drop/s"),
          lambda: os.link("given", sys.argv[1] + "/drop/l"), lambda: os.replace("given", sys.argv[1] + "/drop/r")):
    try: f(); print("done")
    except OSError: pass`},
	{name: "become root", bash: `su -c id root < /dev/null; sudo -n id; passwd -d root; mount -t tmpfs x /usr; chroot / id; true`},

	// Network.
	{name: "open any socket", python: `
import socket
n = 0
for family in range(48):
    for kind in (1, 2, 3, 4, 5, 10):
        try: socket.socket(family, kind); print("socket", family, kind)
        except OSError: n += 1
try: socket.socketpair(); print("pair")
except OSError: n += 1
print(n)`, stdout: "289\n"},
	{name: "reach the host by TCP and UDP", bash: `(exec 3<>"/dev/tcp/127.0.0.1/$3") && echo tcp; echo x > "/dev/udp/127.0.0.1/$4" && echo udp; true`},
	{name: "reach a Unix socket", python: `
import socket, sys
try: s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[5]); print("connected")
except OSError: pass
try: s = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW); print("netlink")
except OSError: pass`},

	// Memory.
	{name: "allocate 10 GB", python: `x = bytearray(10 << 30); print(len(x))`, exit: 1},
	{name: "allocate in many processes", python: `
import os, time
for _ in range(8):
    if os.fork() == 0: x = b"x" * (100 << 20); time.sleep(60)
time.sleep(60)`, limits: Limits{Memory: 256 << 20, Wall: 10 * time.Second}, stopped: []string{StoppedMemory}},
	{name: "share memory", python: `
import os, mmap, time
for _ in range(8):
    if os.fork() == 0: m = mmap.mmap(-1, 100 << 20); [m.write(b"x" * (1 << 20)) for _ in range(100)]; time.sleep(60)
time.sleep(60)`, limits: Limits{Memory: 256 << 20, Wall: 10 * time.Second}, stopped: []string{StoppedMemory}},
	{name: "memory outside processes", python: `
import ctypes, os
c = ctypes.CDLL(None, use_errno=True)
print(c.memfd_create(b"x", 0), c.shmget(0, 1 << 20, 0o1600), c.mq_open(b"/x", 0o102, 0o600, None))`, stdout: "-1 -1 -1\n"},

	// Time.
	{name: "sleep for ever", bash: `sleep infinity`, limits: Limits{Wall: time.Second}, stopped: []string{StoppedTime}},
	{name: "sleep deaf", bash: `trap '' TERM INT HUP XCPU; while :; do sleep 1; done`, limits: Limits{Wall: time.Second}, stopped: []string{StoppedTime}},
	{name: "stop itself", bash: `kill -STOP $$`, limits: Limits{Wall: time.Second}, stopped: []string{StoppedTime}},
	{name: "burn the processor", bash: `while :; do :; done`, limits: Limits{Wall: 9 * time.Second, CPU: 300 * time.Millisecond}, stopped: []string{StoppedTime}},
	{name: "burn it in short processes", bash: `while :; do /bin/true; done`, limits: Limits{Wall: 9 * time.Second, CPU: 300 * time.Millisecond}, stopped: []string{StoppedTime}},
	{name: "catastrophic expression", python: `import re; re.match(r"(a+)+$", "a" * 64 + "b")`, limits: Limits{Wall: time.Second}, stopped: []string{StoppedTime}},

	// Processes.
	{name: "fork bomb", bash: `:(){ :|:& };:; sleep 10`, limits: Limits{Wall: 2 * time.Second}, stopped: []string{StoppedProcesses, StoppedTime}},
	{name: "fork bomb of orphans", python: `
import os
while True:
    try:
        if os.fork() == 0: os.setsid()
    except OSError: pass`, limits: Limits{Wall: 2 * time.Second}, stopped: []string{StoppedProcesses, StoppedTime}},
	{name: "outlive the shell", bash: `setsid nohup sleep "300.$6" > /dev/null 2>&1 & disown; echo left`, stdout: "left\n"},
	{name: "outlive it with its output open", bash: `(setsid sleep "300.$6" &); (trap '' HUP TERM; sleep "301.$6"; sleep "302.$6") & echo left`, stdout: "left\n"},
	{name: "double fork", python: `
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0: os.execv("/usr/bin/sleep", ["sleep", "300." + sys.argv[6]])
    os._exit(0)
time.sleep(0.05); print("left")`, stdout: "left\n"},
	{name: "kill everybody", bash: `kill -9 "$2"; kill -9 -- "-$2"; kill -9 -1; kill -9 1; echo alive`, stdout: "alive\n", exit: anyExit},
	{name: "kill the supervisor", bash: `for s in HUP INT QUIT ILL TRAP ABRT BUS FPE USR1 SEGV PIPE ALRM TERM TSTP XCPU SYS STOP KILL 34 64; do kill -$s $PPID; kill -$s 1; done; echo alive`, stdout: "alive\n"},
	{name: "limit a host process", python: `
import resource, os, sys, fcntl, signal
pid = int(sys.argv[2])
for f in (lambda: resource.prlimit(pid, resource.RLIMIT_CPU, (0, 0)), lambda: os.setpriority(os.PRIO_PROCESS, pid, 19), lambda: os.setpriority(os.PRIO_USER, 0, 19),
          lambda: os.sched_setaffinity(pid, {0}), lambda: fcntl.fcntl(os.pipe()[0], fcntl.F_SETOWN, pid), lambda: fcntl.fcntl(os.pipe()[0], 10, signal.SIGKILL),
          lambda: os.pidfd_open(pid)):
    try: f(); print("done")
    except OSError: pass`},
	{name: "namespaces of its own", bash: `unshare -Ur id; unshare -n true; unshare -m true; python3 -c '
import ctypes; c = ctypes.CDLL(None)
print(c.unshare(0x10000000), c.setns(0, 0), c.syscall(435, 0, 0))'`, stdout: "-1 -1 -1\n"},

	// Disk and output.
	{name: "print 1 GB", bash: `head -c 1G /dev/zero`, limits: Limits{Output: 64 << 10, Wall: 10 * time.Second}, stopped: []string{StoppedOutput}},
	{name: "complain 1 GB", bash: `yes >&2`, limits: Limits{Output: 64 << 10, Wall: 10 * time.Second}, stopped: []string{StoppedOutput}},
	{name: "one huge file", bash: `head -c 1G /dev/zero > big; truncate -s 1T sparse; fallocate -l 1T full; fallocate -n -l 1G kept; du -s --block-size=1M . | cut -f 1`,
		limits: Limits{FileSize: 1 << 20, Wall: 10 * time.Second}, stdout: "2\n", exit: 0},
	{name: "fill the disk", bash: `for i in {1..40}; do head -c 1M /dev/zero > "f$i"; done; sleep 60`, limits: Limits{Disk: 8 << 20, Wall: 10 * time.Second}, stopped: []string{StoppedDisk}},
	{name: "fill the disk and end", bash: `for i in {1..40}; do head -c 1M /dev/zero > "f$i"; done; true`, limits: Limits{Disk: 8 << 20, Wall: 10 * time.Second}, stopped: []string{StoppedDisk}},
	{name: "fill TMPDIR", bash: `for i in {1..40}; do head -c 1M /dev/zero > "$TMPDIR/f$i"; done; sleep 60`, limits: Limits{Disk: 8 << 20, Wall: 10 * time.Second}, stopped: []string{StoppedDisk}},
	{name: "fill a closed folder", bash: `mkdir h; cd h; umask 777; mkdir -m 0300 i; cd i; umask 077; for i in {1..40}; do head -c 1M /dev/zero > "f$i"; done; sleep 60`,
		limits: Limits{Disk: 8 << 20, Wall: 10 * time.Second}, stopped: []string{StoppedDisk}},
	{name: "fill the disk without names", python: `
import os, time
held = []
for i in range(40):
    f = os.open("f", os.O_RDWR | os.O_CREAT); os.remove("f")
    try: os.write(f, b"x" * (1 << 20))
    except OSError: pass
    held.append(f)
time.sleep(60)`, limits: Limits{Disk: 8 << 20, FileSize: 1 << 20, Wall: 10 * time.Second}, stopped: []string{StoppedDisk}},
	{name: "fill the disk behind mappings", python: `
import os, mmap, time
held = []
for i in range(40):
    f = os.open("f", os.O_RDWR | os.O_CREAT); os.remove("f")
    try: os.write(f, b"x" * (1 << 20))
    except OSError: os.ftruncate(f, 4096)
    held.append(mmap.mmap(f, 4096)); os.close(f)
time.sleep(60)`, limits: Limits{Disk: 8 << 20, FileSize: 1 << 20, Wall: 10 * time.Second}, stopped: []string{StoppedDisk}},
	{name: "files without end", python: `
import os
for i in range(40000): os.close(os.open("f%d" % i, os.O_CREAT | os.O_WRONLY))`, stopped: []string{StoppedDisk, StoppedTime}}, // a slow disk takes long for so many,
	{name: "fill the device folder", bash: `for d in /dev /dev/shm /proc / /usr; do head -c 1M /dev/zero > "$d/sandbox-pwned"; done; ls /dev 2> /dev/null | grep -c pwned`, stdout: "0\n", exit: 1},
}

func TestAttacks(t *testing.T) {
	h := newHost(t)
	tiers(t, func(t *testing.T, b *Box) {
		t.Run("lines", func(t *testing.T) { // so that all are done when it returns
			for _, a := range attacks {
				t.Run(a.name, func(t *testing.T) {
					t.Parallel()
					a.run(t, h, b)
				})
			}
		})
		h.unharmed(t)
		waitFor(t, "the end of all helpers", func() bool { return slices.Equal(children(os.Getpid()), []int{h.victim.Process.Pid}) })
	})
}

func (a attack) run(t *testing.T, h *host, b *Box) {
	if a.limits.Wall == 0 {
		a.limits.Wall = 10 * time.Second
	}
	args, token := h.args()
	argv := bash(a.bash, args...)
	if a.python != "" {
		argv = python(a.python, args...)
	}
	begun := time.Now()
	r, err := b.Run(context.Background(), Job{Argv: argv, Files: map[string][]byte{"given": []byte("x\n")}, Limits: a.limits})
	took := time.Since(begun)
	if err != nil {
		t.Fatalf("%v", err)
	}
	if took > a.limits.Wall+time.Second {
		t.Errorf("it took %v, the limit is %v", took, a.limits.Wall)
	}
	if left := marked(token); left != nil {
		// A machine too busy for the killed to die is the one excuse.
		t.Logf("processes are left, for the moment: %q", left)
		waitFor(t, "their end", func() bool { return marked(token) == nil })
	}
	if strings.Contains(string(r.Stdout)+string(r.Stderr), secret) {
		t.Errorf("it got the secret: %q %q", r.Stdout, r.Stderr)
	}
	what := func() string { return "stdout " + quote(r.Stdout) + ", stderr " + quote(r.Stderr) }
	if a.stopped != nil {
		if !slices.Contains(a.stopped, r.Stopped) || r.Exit != exitKilled {
			t.Errorf("stopped %q, exit %d; want %q and %d; %s", r.Stopped, r.Exit, a.stopped, exitKilled, what())
		}
		if r.Stopped == StoppedOutput && max(len(r.Stdout), len(r.Stderr)) != int(a.limits.Output) {
			t.Errorf("%d and %d bytes of output, want one of them %d", len(r.Stdout), len(r.Stderr), a.limits.Output)
		}
		return
	}
	if r.Stopped != "" || a.exit != anyExit && r.Exit != a.exit || string(r.Stdout) != a.stdout {
		t.Errorf("stopped %q, exit %d, want exit %d and stdout %q; %s", r.Stopped, r.Exit, a.exit, a.stdout, what())
	}
}

func quote(b []byte) string {
	s := string(b)
	if len(s) > 600 {
		s = s[:600] + "..."
	}
	return "\"" + s + "\""
}

// TestOldLandlock pretends that the kernel offers only the oldest ABI that is
// accepted: signals are then the filter's to confine.
func TestOldLandlock(t *testing.T) {
	h := newHost(t)
	b := openForTest(t, TierLandlock)
	b.abi = minABI
	for _, a := range attacks {
		switch a.name {
		case "fork bomb", "fork bomb of orphans", "double fork", "outlive the shell", "kill everybody", "kill the supervisor",
			"open any socket", "change what is outside", "limit a host process", "read a file everyone may read":
			a.run(t, h, b)
		}
	}
	h.unharmed(t)
}
