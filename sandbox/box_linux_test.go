package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

func TestWhatACandidateSees(t *testing.T) {
	tiers(t, func(t *testing.T, b *Box) {
		if v, err := b.Python(context.Background()); err != nil || strings.Count(v, ".") != 2 {
			t.Errorf("Python = %q, %v", v, err)
		}
		files := map[string][]byte{"a/b/data.csv": []byte("x,1\n"), "names with\nbreaks": []byte("\xff"), "empty": nil}
		for _, c := range []struct {
			name, line string
			stdin      string
			want       string
			exit       int
		}{
			{name: "environment", line: `env | grep -v -e ^PWD= -e ^SHLVL= -e ^_= -e ^TMPDIR= | sort; [ -w "$TMPDIR" ] && mktemp > t && echo tmp`,
				want: "HOME=/nonexistent\nLC_ALL=C.UTF-8\nPATH=/usr/bin:/bin\nTZ=UTC\ntmp\n"},
			{name: "files", line: `find . | LC_ALL=C sort | tr '\n' ' '; stat -c '%a %Y %s' a a/b a/b/data.csv empty | tr '\n' ' '; cat names*`,
				want: ". ./a ./a/b ./a/b/data.csv ./empty ./names with breaks " + dirStat + dirStat + "644 1767225600 4 644 1767225600 0 \xff"},
			{name: "no input", line: `read -r x; echo "$?:$x"`, want: "1:\n"},
			{name: "input", line: `head -n 1; cat; cat /dev/stdin`, stdin: "one\ntwo\n", want: "one\ntwo\none\ntwo\n"},
			{name: "substitution", line: `comm -12 <(printf 'a\nb\n') <(printf 'b\nc\n'); cat <<< here`, want: "b\nhere\n"},
			{name: "tools", line: `awk -F, '{print $2 + 1}' a/b/data.csv; sed -i s/x/y/ a/b/data.csv; sort -t, -k2 a/b/data.csv; mv a/b/data.csv d; grep -c y d; touch new; rm new; echo x > /dev/null`, want: "2\ny,1\n1\n"},
			{name: "threads", line: `python3 -c 'import threading; t = threading.Thread(target=lambda: print("ran")); t.start(); t.join()'`, want: "ran\n"},
			{name: "signals", line: `sleep 50 & kill $!; wait $!; echo $?; yes | head -n 1; trap | wc -l`, want: "143\ny\n0\n"},
			{name: "exit", line: `exit 7`, exit: 7},
			{name: "signal", line: `kill -TERM $$`, exit: 128 + 15},
			{name: "abort", line: `exec python3 -c 'import os; os.abort()'`, exit: 128 + 6},
			{name: "not found", line: `frobnicate 2> /dev/null`, exit: 127},
		} {
			r, err := b.Run(context.Background(), Job{Argv: bash(c.line), Files: files, Stdin: []byte(c.stdin)})
			got := string(r.Stdout)
			if c.name == "files" {
				got = normaliseDirSizes(got)
			}
			if err != nil || got != c.want || r.Exit != c.exit || r.Stopped != "" || len(r.Stderr) != 0 {
				t.Errorf("%s: %v, exit %d, stopped %q\n got %q\nwant %q\nstderr %q", c.name, err, r.Exit, r.Stopped, got, c.want, r.Stderr)
			}
		}
	})
}

// The size of a folder depends on the file system.
const dirStat = "755 1767225600 DIR "

func normaliseDirSizes(s string) string {
	for _, size := range []string{"4096", "60", "40"} {
		s = strings.ReplaceAll(s, "755 1767225600 "+size+" ", "755 1767225600 DIR ")
	}
	return s
}

func TestForeignABI(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("int 0x80 is of amd64 only")
	}
	// mov eax, 20 (i386 getpid); int 0x80; ret. Without the check of the
	// architecture every i386 call would pass the filter.
	script := `
import ctypes, mmap
m = mmap.mmap(-1, 4096, prot=7); m.write(b"\xb8\x14\x00\x00\x00\xcd\x80\xc3")
f = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(m)))
print("returned", f())`
	tiers(t, func(t *testing.T, b *Box) {
		r := mustRun(t, b, Job{Argv: python(script)})
		sigsys, sigsegv := 128+int(syscall.SIGSYS), 128+int(syscall.SIGSEGV) // the latter without 32-bit support
		if len(r.Stdout) != 0 || r.Exit != sigsys && r.Exit != sigsegv {
			t.Errorf("exit %d, %q %q; want it killed", r.Exit, r.Stdout, r.Stderr)
		}
	})
}

// TestNeighbours runs jobs at once: honest ones are not disturbed by a fork
// bomb, and nobody finds a neighbour's folder or processes.
func TestNeighbours(t *testing.T) {
	tiers(t, func(t *testing.T, b *Box) {
		ctx, cancel := context.WithCancel(context.Background())
		var wg sync.WaitGroup
		wg.Go(func() {
			_, err := b.Run(ctx, Job{Argv: bash("echo secret-of-a-neighbour > mine; chmod 666 mine; while :; do sleep 0.1; done"), Limits: Limits{Wall: 20 * time.Second}})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("a cancelled run returned %v", err)
			}
		})
		defer wg.Wait()
		defer cancel()
		neighbour := "/nonexistent"
		if b.dir != "" {
			for deadline := time.Now().Add(5 * time.Second); ; time.Sleep(5 * time.Millisecond) {
				found, _ := filepath.Glob(b.dir + "/job-*/work/mine")
				if len(found) == 1 {
					neighbour = filepath.Dir(found[0])
					break
				}
				if time.Now().After(deadline) {
					t.Fatal("the neighbour did not start")
				}
			}
		}
		spy := `cat "$1/mine"; ls "$1" "$1/.." "$1/../.."; echo x > "$1/pwned"; echo x >> "$1/mine"; rm "$1/mine"; chmod 777 "$1/.."; ln -s / "$1/../x"; cat ../../job-*/work/mine; pgrep -a sleep; true`
		r := mustRun(t, b, Job{Argv: bash(spy, neighbour)})
		if len(r.Stdout) != 0 || strings.Contains(string(r.Stderr), "secret-of") {
			t.Errorf("a neighbour saw %q %q", r.Stdout, r.Stderr)
		}
		if neighbour != "/nonexistent" {
			if b, err := os.ReadFile(neighbour + "/mine"); err != nil || string(b) != "secret-of-a-neighbour\n" {
				t.Errorf("the neighbour's file is %q, %v", b, err)
			}
			if left := strings.Join(names(t, neighbour), " "); left != "mine" {
				t.Errorf("the neighbour's folder holds %s", left)
			}
		}
		var jobs sync.WaitGroup
		for i := range 12 {
			jobs.Go(func() {
				if i%4 == 0 {
					r, err := b.Run(context.Background(), Job{Argv: bash(":(){ :|:& };:; sleep 20"), Limits: Limits{Wall: 8 * time.Second}})
					if err != nil || r.Stopped == "" {
						t.Errorf("a fork bomb: %+v, %v", r, err)
					}
					return
				}
				want := fmt.Sprintf("%d\n", i)
				r, err := b.Run(context.Background(), Job{
					Argv:   bash(`for n in {1..20}; do cat given | cat > "f$n"; done; cat f20; ls | wc -l`),
					Files:  map[string][]byte{"given": []byte(want)},
					Limits: Limits{Wall: 25 * time.Second},
				})
				if err != nil || string(r.Stdout) != want+"21\n" || r.Exit != 0 {
					t.Errorf("an honest job: %q %q exit %d stopped %q, %v", r.Stdout, r.Stderr, r.Exit, r.Stopped, err)
				}
			})
		}
		jobs.Wait()
	})
}

// TestKilledProcess kills a process that runs a job with kill -9.
func TestKilledProcess(t *testing.T) {
	for _, tier := range []Tier{TierBwrap, TierLandlock} {
		t.Run(string(tier), func(t *testing.T) {
			b := openForTest(t, tier)
			dir := openFolder(t)
			token := fmt.Sprint(time.Now().UnixNano())
			holder := exec.Command("/proc/self/exe")
			holder.Env = []string{"PATH=/usr/bin:/bin", "TMPDIR=" + os.TempDir(), "SANDBOX_TEST_HOLD=" + string(tier), "SANDBOX_TEST_TOKEN=" + token, "SANDBOX_TEST_DIR=" + dir}
			var complaint strings.Builder
			holder.Stderr = &complaint
			if err := holder.Start(); err != nil {
				t.Fatal(err)
			}
			defer func() { _ = holder.Wait() }()
			defer func() { _ = holder.Process.Kill() }()
			sleeping := func() (n int) {
				for _, p := range marked(token) {
					if strings.Contains(p, ": sleep 300.") {
						n++
					}
				}
				return n
			}
			waitFor(t, "the holder's job", func() bool { return sleeping() == 3 })
			if err := holder.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			waitFor(t, "the end of the job", func() bool { return len(marked(token)) == 0 })
			if tier == TierLandlock {
				// The supervisor removes the job's folder, the next Open the rest.
				waitFor(t, "removal of the job's folder", func() bool {
					left, _ := filepath.Glob(dir + "/" + boxPrefix + "*/job-*")
					return len(left) == 0
				})
				waitFor(t, "removal of the box's folder", func() bool {
					removeStale(dir)
					return len(names(t, dir)) == 0
				})
			}
			if left := names(t, dir); len(left) != 0 {
				t.Errorf("left behind: %q; %s", left, complaint.String())
			}
			if r := mustRun(t, b, Job{Argv: bash("echo on")}); string(r.Stdout) != "on\n" {
				t.Errorf("another box: %+v", r)
			}
		})
	}
}

func waitFor(t testing.TB, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !done(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

func TestRemoveStale(t *testing.T) {
	dir := openFolder(t)
	live, lock, err := newBoxDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	dead, deadLock, err := newBoxDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	young, old, link := filepath.Join(dir, boxPrefix+"young"), filepath.Join(dir, boxPrefix+"old"), filepath.Join(dir, boxPrefix+"link")
	past := time.Now().Add(-time.Hour)
	err = errors.Join(deadLock.Close(), os.Mkdir(young, 0o711), os.Mkdir(old, 0o711), os.Chtimes(old, past, past),
		os.Mkdir(filepath.Join(dir, "other"), 0o755), os.WriteFile(filepath.Join(dir, "other", lockName), nil, 0o600), os.Symlink(filepath.Join(dir, "other"), link))
	if err != nil {
		t.Fatal(err)
	}
	removeStale(dir)
	for path, want := range map[string]bool{live: true, young: true, link: true, filepath.Join(dir, "other", lockName): true, dead: false, old: false} {
		if _, err := os.Lstat(path); (err == nil) != want {
			t.Errorf("%s: %v, want it kept: %v", filepath.Base(path), err, want)
		}
	}
	lock.Close()
}

func TestRunRefuses(t *testing.T) {
	b := openForTest(t, TierUnsafe)
	for _, j := range []Job{
		{},
		{Argv: []string{""}},
		{Argv: bash("true"), Limits: Limits{Wall: -1}},
		{Argv: bash("true"), Files: map[string][]byte{"../x": nil}},
	} {
		if _, err := b.Run(context.Background(), j); err == nil {
			t.Errorf("%+v was run", j)
		}
	}
	for _, a := range []string{"a\x00b", strings.Repeat("x", 200<<10)} {
		r, err := b.Run(context.Background(), Job{Argv: bash(a)})
		if err != nil || r.Exit != exitNoExec || len(r.Stderr) == 0 {
			t.Errorf("an impossible argument: %+v, %v", r, err)
		}
	}
	tiers(t, func(t *testing.T, b *Box) {
		for _, name := range []string{"no-such-program", "./given", "folder/given"} {
			_, err := b.Run(context.Background(), Job{Argv: []string{name}, Files: map[string][]byte{"given": []byte("#!/bin/sh\n"), "folder/given": nil}})
			var missing *NoProgram
			if !errors.As(err, &missing) || missing.Name != name {
				t.Errorf("%s: %v, want *NoProgram", name, err)
			}
		}
		ctx, cancel := context.WithTimeoutCause(context.Background(), 200*time.Millisecond, errors.New("the test's patience"))
		defer cancel()
		begun := time.Now()
		_, err := b.Run(ctx, Job{Argv: bash("sleep 60")})
		if err == nil || !strings.Contains(err.Error(), "the test's patience") || time.Since(begun) > 3*time.Second {
			t.Errorf("a cancelled run returned %v after %v", err, time.Since(begun))
		}
	})
}

func TestUnsafe(t *testing.T) {
	b := openForTest(t, TierUnsafe)
	if b.Tier() != TierUnsafe {
		t.Errorf("tier %s", b.Tier())
	}
	for _, c := range []struct {
		name string
		job  Job
		want Result
	}{
		{"line", Job{Argv: bash(`cat a/b; env | grep -c -e ^HOME=/nonexistent -e ^TZ=UTC; exit 3`), Files: map[string][]byte{"a/b": []byte("x\n")}}, Result{Exit: 3, Stdout: []byte("x\n2\n")}},
		{"time", Job{Argv: bash(`echo on; sleep 30 & sleep 30`), Limits: Limits{Wall: 300 * time.Millisecond}}, Result{Exit: 137, Stdout: []byte("on\n"), Stopped: StoppedTime}},
		{"output", Job{Argv: bash(`yes`), Limits: Limits{Output: 4}}, Result{Exit: 137, Stdout: []byte("y\ny\n"), Stopped: StoppedOutput}},
		{"signal", Job{Argv: bash(`kill -9 $$`)}, Result{Exit: 137}},
	} {
		got, err := b.Run(context.Background(), c.job)
		if err != nil || got.Exit != c.want.Exit || string(got.Stdout) != string(c.want.Stdout) || got.Stopped != c.want.Stopped {
			t.Errorf("%s: %+v, %v; want %+v", c.name, got, err, c.want)
		}
	}
	// The self-test exists to find such a box out.
	if err := selfTest(context.Background(), b, openFolder(t)); err == nil || !strings.Contains(err.Error(), "could read") {
		t.Errorf("the self-test of a box without isolation: %v", err)
	}
}

func TestOpenFallsBack(t *testing.T) {
	fake := filepath.Join(openFolder(t), "bwrap")
	places := bwrapPlaces
	bwrapPlaces = []string{fake}
	t.Cleanup(func() { bwrapPlaces = places })
	for _, c := range []struct{ name, script, want string }{
		{"no user namespaces", "[ \"$1\" = --version ] && { echo bubblewrap 0.9.0; exit; }\necho 'bwrap: setting up uid map: Permission denied' >&2; exit 1", "bwrap: self-test: sandbox: bwrap did not start the command: bwrap: setting up uid map: Permission denied"},
		{"too old", "echo bubblewrap 0.4.1", "bwrap: bubblewrap 0.4.1 is too old, 0.5 is needed"},
		{"not bubblewrap", "echo hello", `bwrap: unreadable version "hello"`},
		{"broken", "exit 3", "--version: exit status 3"},
	} {
		if err := os.WriteFile(fake, []byte("#!/bin/sh\n"+c.script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		_, err := Open(context.Background(), Options{Tier: TierBwrap, Dir: openFolder(t)})
		var u *Unavailable
		if !errors.As(err, &u) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "install bubblewrap") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want *Unavailable with %q", c.name, err, c.want)
		}
		if landlockABI() < minABI {
			continue
		}
		b, err := Open(context.Background(), Options{Dir: openFolder(t)})
		if err != nil || b.Tier() != TierLandlock {
			t.Fatalf("%s: %v, want the landlock tier", c.name, err)
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}
	for _, o := range []Options{{Tier: "other"}, {Tier: TierUnsafe}, {Unsafe: true, Tier: TierBwrap}, {Unsafe: true, Dir: "/nonexistent/x"}} {
		if _, err := Open(context.Background(), o); err == nil {
			t.Errorf("%+v was opened", o)
		}
	}
}

// TestOldBwrap leaves out the options that older versions lack: the watch and
// the filter then do their part.
func TestOldBwrap(t *testing.T) {
	b := openForTest(t, TierBwrap)
	b.version = bwrapOldest
	h := newHost(t)
	for _, a := range attacks {
		switch a.name {
		case "fill the disk", "fill TMPDIR", "fill the disk and end", "namespaces of its own":
			a.run(t, h, b)
		}
	}
}

// TestClosedExecutable runs the helper from a copy in memory, as where a umask
// of 077 keeps the candidate's user from executing this program.
func TestClosedExecutable(t *testing.T) {
	b := openForTest(t, TierBwrap)
	copied, err := memfile("sandbox-helper", 0o755, func(w io.Writer) error {
		exe, err := os.Open("/proc/self/exe")
		if err != nil {
			return err
		}
		defer exe.Close()
		_, err = io.Copy(w, exe)
		return err
	})
	if err != nil {
		t.Skipf("this machine executes nothing from memory: %v", err)
	}
	b.exe.Close()
	b.exe = copied
	if r := mustRun(t, b, Job{Argv: bash("echo on")}); string(r.Stdout) != "on\n" {
		t.Errorf("%+v", r)
	}
}

func BenchmarkRun(b *testing.B) {
	for _, tier := range []Tier{TierBwrap, TierLandlock, TierUnsafe} {
		b.Run(string(tier), func(b *testing.B) {
			box := openForTest(b, tier)
			job := Job{Argv: bash(`grep -c brass inventory.csv`), Files: map[string][]byte{"inventory.csv": []byte("a,brass\nb,iron\n")}}
			before := processorTime()
			for b.Loop() {
				r, err := box.Run(context.Background(), job)
				if err != nil || string(r.Stdout) != "1\n" {
					b.Fatalf("%+v, %v", r, err)
				}
			}
			b.ReportMetric(float64((processorTime()-before).Microseconds())/1000/float64(b.N), "cpu-ms/op")
		})
	}
}

// processorTime is what this process and its dead children used, which a busy
// machine does not change as it does the time on the wall.
func processorTime() time.Duration { return spent() + reapedCPU() }
