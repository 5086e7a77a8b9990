package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

const secret = "host-secret-5b1e"

// openFolder makes a folder that candidates of any user may pass through, so
// that nothing but the sandbox keeps them out.
func openFolder(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "sandbox-test-")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// host is what a candidate must not read, change, reach or kill.
type host struct {
	dir      string // secret (everyone may read), drop (everyone may write)
	victim   *exec.Cmd
	tcp, udp int
	unix     string
	contacts atomic.Int32 // connections and packets that arrived
	before   os.FileInfo  // of the secret
}

func newHost(t *testing.T) *host {
	t.Helper()
	// Candidates look for this in their environment and in ours.
	t.Setenv("SANDBOX_TEST_KEY", secret)
	h := &host{dir: openFolder(t)}
	path := filepath.Join(h.dir, "secret")
	drop := filepath.Join(h.dir, "drop")
	err := errors.Join(os.WriteFile(path, []byte(secret), 0o644), os.Mkdir(drop, 0o777), os.Chmod(drop, 0o777), os.Chmod(path, 0o644))
	if err != nil {
		t.Fatal(err)
	}
	if h.before, err = os.Stat(path); err != nil {
		t.Fatal(err)
	}
	h.victim = exec.Command("/usr/bin/sleep", "600")
	h.victim.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setsid: true}
	if err := h.victim.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = h.victim.Process.Kill()
		_ = h.victim.Wait()
	})
	h.unix = filepath.Join(h.dir, "socket")
	listen := func(network, addr string) net.Listener {
		l, err := net.Listen(network, addr)
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				h.contacts.Add(1)
				c.Close()
			}
		}()
		t.Cleanup(func() { l.Close(); <-done })
		return l
	}
	h.tcp = listen("tcp", "127.0.0.1:0").Addr().(*net.TCPAddr).Port
	listen("unix", h.unix)
	if err := os.Chmod(h.unix, 0o777); err != nil {
		t.Fatal(err)
	}
	packets, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h.udp = packets.LocalAddr().(*net.UDPAddr).Port
	done := make(chan struct{})
	go func() {
		defer close(done)
		buf := make([]byte, 100)
		for {
			if _, _, err := packets.ReadFrom(buf); err != nil {
				return
			}
			h.contacts.Add(1)
		}
	}()
	t.Cleanup(func() { packets.Close(); <-done })
	return h
}

// unharmed checks everything that candidates attack.
func (h *host) unharmed(t *testing.T) {
	t.Helper()
	path := filepath.Join(h.dir, "secret")
	if b, err := os.ReadFile(path); err != nil || string(b) != secret {
		t.Errorf("the host's file holds %q, %v", b, err)
	}
	if st, err := os.Stat(path); err != nil || st.Mode() != h.before.Mode() || !st.ModTime().Equal(h.before.ModTime()) {
		t.Errorf("the host's file changed: %v, %v", st, err)
	}
	if entries, err := os.ReadDir(filepath.Join(h.dir, "drop")); err != nil || len(entries) != 0 {
		t.Errorf("something was written on the host: %v, %v", entries, err)
	}
	for _, dir := range []string{"/", "/usr", "/usr/bin", "/etc", "/var/tmp", "/tmp", "/dev", "/dev/shm", h.dir} {
		if _, err := os.Lstat(filepath.Join(dir, "sandbox-pwned")); err == nil {
			t.Errorf("%s/sandbox-pwned was written on the host", dir)
		}
	}
	if n := h.contacts.Load(); n != 0 {
		t.Errorf("%d connections or packets left the sandbox", n)
	}
	if s, ok := readStat(h.victim.Process.Pid); !ok || s.state == 'Z' {
		t.Error("a process of the host was killed")
	}
}

// args are $1 to $6 of an attack line, and a token that marks its processes.
func (h *host) args() (args []string, token string) {
	token = fmt.Sprintf("7%d", time.Now().UnixNano()) + strconv.Itoa(int(tokens.Add(1)))
	return []string{h.dir, strconv.Itoa(h.victim.Process.Pid), strconv.Itoa(h.tcp), strconv.Itoa(h.udp), h.unix, token}, token
}

var tokens atomic.Int32

// marked lists processes with the token in their command line.
func marked(token string) []string {
	var found []string
	for _, pid := range allPIDs() {
		b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
		if err == nil && bytes.Contains(b, []byte(token)) {
			found = append(found, strconv.Itoa(pid)+": "+strings.ReplaceAll(string(b), "\x00", " "))
		}
	}
	return found
}

// openForTest opens one tier, or skips where the machine cannot have it.
func openForTest(t testing.TB, tier Tier) *Box {
	t.Helper()
	dir := openFolder(t)
	b, err := Open(context.Background(), Options{Tier: tier, Unsafe: tier == TierUnsafe, Dir: dir})
	var u *Unavailable
	if errors.As(err, &u) {
		t.Skipf("this machine cannot have this tier: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if b.dir != "" {
			waitFor(t, "removal of the jobs' folders", func() bool { return slices.Equal(names(t, b.dir), []string{lockName}) })
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
		if left := names(t, dir); len(left) != 0 {
			t.Errorf("folders left behind by the box: %q", left)
		}
	})
	return b
}

func names(t testing.TB, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

func bash(line string, args ...string) []string {
	return append([]string{"bash", "--noprofile", "--norc", "-c", line, "bash"}, args...)
}

func python(script string, args ...string) []string {
	return append([]string{"python3", "-I", "-c", script}, args...)
}

// tiers runs a test once for each confining tier.
func tiers(t *testing.T, f func(t *testing.T, b *Box)) {
	for _, tier := range []Tier{TierBwrap, TierLandlock} {
		t.Run(string(tier), func(t *testing.T) { f(t, openForTest(t, tier)) })
	}
}

// mustRun runs an honest job.
func mustRun(t *testing.T, b *Box, j Job) Result {
	t.Helper()
	r, err := b.Run(context.Background(), j)
	if err != nil {
		t.Fatalf("%q: %v", j.Argv, err)
	}
	return r
}

// unprivilegedTests are run again as another user when this one is root.
const unprivilegedTests = "^(TestAttacks|TestOldLandlock|TestNeighbours|TestWhatACandidateSees|TestKilledProcess|TestOpenFallsBack)$"

// TestAsUnprivilegedUser runs the tests again as a user of no rights.
func TestAsUnprivilegedUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("these tests are already run by a user other than root")
	}
	dir := openFolder(t)
	uid := uint32(0x5000_0000 + os.Getpid()) // nobody else's, so that only our processes can suffer
	if err := os.Chown(dir, int(uid), int(uid)); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("/proc/self/exe", "-test.run="+unprivilegedTests, "-test.v", "-test.timeout=5m")
	cmd.Env = []string{"TMPDIR=" + dir, "PATH=/usr/bin:/bin"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid}, Pdeathsig: syscall.SIGKILL}
	out, err := cmd.CombinedOutput()
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, "--- SKIP") || strings.Contains(line, "cannot have") {
			t.Log(strings.TrimSpace(line))
		}
	}
	if err != nil || !bytes.Contains(out, []byte("--- PASS: TestAttacks")) {
		t.Errorf("as uid %d: %v\n%s", uid, err, out)
	}
	// Dead ones that the machine's init has yet to wait for do not count.
	for _, pid := range allPIDs() {
		var st syscall.Stat_t
		if syscall.Stat("/proc/"+strconv.Itoa(pid), &st) != nil || st.Uid != uid {
			continue
		}
		if s, ok := readStat(pid); ok && s.state != 'Z' {
			cmdline, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
			t.Errorf("process %d of uid %d is left: %q", pid, uid, cmdline)
		}
	}
}

// holdForTest is another process's part in TestKilledProcess: it runs a job
// that does not end, until it is killed.
func holdForTest() bool {
	tier, token := os.Getenv("SANDBOX_TEST_HOLD"), os.Getenv("SANDBOX_TEST_TOKEN")
	if tier == "" {
		return false
	}
	b, err := Open(context.Background(), Options{Tier: Tier(tier), Dir: os.Getenv("SANDBOX_TEST_DIR")})
	if err == nil {
		_, err = b.Run(context.Background(), Job{
			Argv:   bash(`setsid nohup sleep "300.$1" >/dev/null 2>&1 & (sleep "300.$1"; true) & sleep "300.$1"; true`, token),
			Limits: Limits{Wall: time.Minute},
		})
	}
	fmt.Fprintln(os.Stderr, "the holder ended:", err)
	return true
}
