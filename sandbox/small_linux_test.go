package sandbox

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestParseStat(t *testing.T) {
	const rest = " S 41 5 5 0 -1 4194560 100 0 0 0 7 5 3 1 20 0 9 0 100 0 0"
	want := procStat{state: 'S', ppid: 41, ticks: 16, threads: 9}
	for _, name := range []string{"bash", "a b", ") R 1 1", "(((", "\n)"} {
		if got, ok := parseStat([]byte("77 (" + name + ")" + rest)); !ok || got != want {
			t.Errorf("%q: %+v, %v; want %+v", name, got, ok, want)
		}
	}
	for _, bad := range []string{"", "77", "77 (x)", "77 (x) S 1 2 3"} {
		if got, ok := parseStat([]byte(bad)); ok {
			t.Errorf("%q was read as %+v", bad, got)
		}
	}
	if s, ok := readStat(os.Getpid()); !ok || s.ppid != os.Getppid() || s.threads < 1 {
		t.Errorf("this process: %+v, %v", s, ok)
	}
}

func FuzzParseStat(f *testing.F) {
	f.Add([]byte("77 (bash) S 41 5 5 0 -1 4194560 100 0 0 0 7 5 3 1 20 0 9 0 100 0 0"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if s, ok := parseStat(b); ok && bytes.IndexByte(b, ')') < 0 {
			t.Errorf("%q was read as %+v", b, s)
		}
	})
}

func FuzzParseMapping(f *testing.F) {
	f.Add([]byte("7f00-7f01 rw-s 00000000 fe:00 1234   /tmp/f (deleted)\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if _, ok := parseMapping(b); ok && len(bytes.Fields(b)) < 5 {
			t.Errorf("%q was read", b)
		}
	})
}

func TestParseMapping(t *testing.T) {
	got, ok := parseMapping([]byte("7f00-7f01 rw-s 00000000 fe:1a 1234   /tmp/f (deleted)\n"))
	if !ok || got != (inode{unix.Mkdev(0xfe, 0x1a), 1234}) {
		t.Errorf("%+v, %v", got, ok)
	}
	for _, bad := range []string{"", "a b c d", "a b c 1234 5", "a b c x:1 5", "a b c 1:1 x"} {
		if _, ok := parseMapping([]byte(bad)); ok {
			t.Errorf("%q was read", bad)
		}
	}
	if kb := parsePss([]byte("Rss: 9 kB\nPss:  12 kB\nPss_Anon: 4 kB\n")); kb != 12<<10 {
		t.Errorf("Pss = %d", kb)
	}
}

func TestDescendants(t *testing.T) {
	cmd := exec.Command("/bin/sh", "-c", "sleep 60 & sleep 60 & wait")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "two children", func() bool { return len(children(cmd.Process.Pid)) == 2 })
	root := os.Getpid()
	tree, scan := descendants(root, 100), descendantsByScan(root)
	slices.Sort(tree)
	slices.Sort(scan)
	if len(tree) != 3 || !slices.Equal(tree, scan) {
		t.Errorf("by children files %v, by scan %v; want the same three", tree, scan)
	}
	if few := descendants(root, 1); len(few) != 2 {
		t.Errorf("more than one was enough, got %v", few)
	}
	if n := threadsOf(os.Geteuid()); n < 4 {
		t.Errorf("%d threads of this user, there are at least four", n)
	}
	killTree(root)
	if err := cmd.Wait(); err == nil {
		t.Error("the shell was not killed")
	}
	for _, pid := range tree { // orphans of a shell that died at once: this process is no subreaper
		_ = unix.Kill(pid, unix.SIGKILL)
	}
	waitFor(t, "the end of the tree", func() bool {
		for _, pid := range tree {
			if s, ok := readStat(pid); ok && s.state != 'Z' {
				return false
			}
		}
		return true
	})
}

func TestFolderUsage(t *testing.T) {
	dir := t.TempDir()
	usage := func() (int64, error) {
		return folders{paths: []string{dir}, fileSize: 1 << 20}.usage([]int{os.Getpid()})
	}
	start, err := usage()
	if err != nil {
		t.Fatal(err)
	}
	grown := func(what string, atLeast, atMost int64) {
		t.Helper()
		if n, err := usage(); err != nil || n-start < atLeast || n-start > atMost {
			t.Errorf("%s: %d bytes, %v; want %d to %d", what, n-start, err, atLeast, atMost)
		}
	}
	file := filepath.Join(dir, "f")
	if err := os.WriteFile(file, make([]byte, 300<<10), 0o600); err != nil {
		t.Fatal(err)
	}
	grown("a file", 300<<10, 320<<10)
	if err := os.Link(file, filepath.Join(dir, "again")); err != nil {
		t.Fatal(err)
	}
	grown("a second name", 300<<10, 320<<10)
	if err := os.Truncate(filepath.Join(dir, "again"), 10<<30); err != nil {
		t.Fatal(err)
	}
	grown("a hole", 300<<10, 330<<10)
	if err := os.Symlink("/usr", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	grown("a link to much", 300<<10, 340<<10)
	held, err := os.Create(filepath.Join(dir, "held"))
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	if _, err := held.Write(make([]byte, 500<<10)); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(held.Name()); err != nil {
		t.Fatal(err)
	}
	if err := held.Sync(); err != nil { // blocks are allocated when written
		t.Fatal(err)
	}
	grown("a file without a name", 800<<10, 850<<10)
	mapped, err := unix.Mmap(int(held.Fd()), 0, 4096, unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	grown("the same, mapped too", 800<<10, 850<<10)
	held.Close()
	grown("only mapped", 300<<10+1<<20, 350<<10+1<<20)
	if err := unix.Munmap(mapped); err != nil {
		t.Fatal(err)
	}
	deep := dir
	for range maxDepth + 2 {
		deep += "/d"
	}
	if err := os.MkdirAll(deep, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := usage(); err != errHidden {
		t.Errorf("a deep folder: %v, want errHidden", err)
	}
}

func TestRemoveTree(t *testing.T) {
	dir := t.TempDir()
	outside := filepath.Join(dir, "outside")
	if err := os.WriteFile(outside, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	tree := filepath.Join(dir, "tree")
	// Deeper than a path can be long.
	fd, err := unix.Open(dir, unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	name := "tree"
	for range 3000 {
		if err := unix.Mkdirat(fd, name, 0o700); err != nil {
			t.Fatal(err)
		}
		next, err := unix.Openat(fd, name, unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		if err != nil {
			t.Fatal(err)
		}
		unix.Close(fd)
		fd, name = next, "d"
	}
	if err := unix.Symlinkat(outside, fd, "link"); err != nil {
		t.Fatal(err)
	}
	unix.Close(fd)
	for i := range 700 {
		if err := os.WriteFile(filepath.Join(tree, "\xff\n-"+strconv.Itoa(i)), nil, 0); err != nil {
			t.Fatal(err)
		}
	}
	closed := filepath.Join(tree, movedPrefix+"1", "closed")
	if err := os.MkdirAll(filepath.Join(closed, "in"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{filepath.Join(closed, "in"), closed, tree + "/d"} {
		if err := os.Chmod(p, 0); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // the second time there is nothing
		if err := removeTree(tree); err != nil {
			t.Error(err)
		}
	}
	if left := names(t, dir); !slices.Equal(left, []string{"outside"}) {
		t.Errorf("left: %q", left)
	}
	if err := removeTree(outside); err == nil {
		t.Error("a file was taken for a folder")
	}
}

func TestIDRange(t *testing.T) {
	const wanted, count = 0x6000_0000, 1 << 28
	for _, c := range []struct {
		uidMap      string
		first, size int
	}{
		{"         0          0 4294967295\n", wanted, count},
		{"0 100000 65536\n", 49152, 16384},
		{"0 1000 1\n1 100000 65536\n", 49153, 16384},
		{"0 1000 1\n", 1, 0},
		{"", 0, 0},
	} {
		if first, size := idRange(c.uidMap, wanted, count); first != c.first || size != c.size {
			t.Errorf("%q: %d, %d; want %d, %d", c.uidMap, first, size, c.first, c.size)
		}
	}
	seen := map[int]bool{}
	for slot := range slotCount {
		id, err := candidateID(slot)
		if err != nil {
			t.Skipf("this container maps few ids: %v", err)
		}
		if id < 1000 || seen[id] {
			t.Errorf("slot %d gets %d", slot, id)
		}
		seen[id] = true
	}
}

func TestVersions(t *testing.T) {
	for s, want := range map[string]bwrapVersion{"bubblewrap 0.8.0\n": 8, "bubblewrap 0.11.0": 11, "bubblewrap 1.0": 1000} {
		if got, err := parseBwrapVersion(s); err != nil || got != want {
			t.Errorf("%q: %d, %v; want %d", s, got, err, want)
		}
	}
	for _, s := range []string{"", "bubblewrap", "bubblewrap x.y", "bwrap 0.8.0", "bubblewrap 0.-8", "bubblewrap 8"} {
		if got, err := parseBwrapVersion(s); err == nil {
			t.Errorf("%q was read as %d", s, got)
		}
	}
	for release, want := range map[string]bool{"5.14.0-70.el9": true, "6.1.0-18-amd64": true, "5.4.0": false, "5.13": false, "x": false} {
		if got := releaseAtLeast(release, 5, 14); got != want {
			t.Errorf("%s: %v", release, got)
		}
	}
}

func TestOrderIsReadAsWritten(t *testing.T) {
	files := map[string][]byte{"a": []byte("one"), "b/c\xff": []byte("two")}
	o := order{Tier: TierBwrap, Argv: [][]byte{[]byte("bash"), []byte("\xff\n")}, Work: "/work", Tmp: "/tmp", UID: 7, ABI: 3, Procs: 9,
		Limits: Limits{Wall: time.Second, Disk: 5}, Files: []orderFile{{[]byte("a"), 3}, {[]byte("b/c\xff"), 3}}}
	f, err := writeOrder(o, files)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	got, offset, err := readOrder(f)
	if err != nil || string(got.Argv[1]) != "\xff\n" || string(got.Files[1].Path) != "b/c\xff" || got.Limits != o.Limits || got.UID != 7 || got.Procs != 9 {
		t.Errorf("%+v, %v; want %+v", got, err, o)
	}
	data := make([]byte, 6)
	if _, err := f.ReadAt(data, offset); err != nil || string(data) != "onetwo" {
		t.Errorf("%q, %v", data, err)
	}
	if _, err := f.WriteAt([]byte("x"), 0); err == nil {
		t.Error("the order can be changed after it was given")
	}
	if _, _, err := readOrder(bytes.NewReader([]byte("short"))); err == nil {
		t.Error("a torn order was read")
	}
}

// TestHelperByHand calls the helper as no Run does.
func TestHelperByHand(t *testing.T) {
	for _, mark := range []string{superviseMark, launchMark} {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		out, err := exec.CommandContext(ctx, "/proc/self/exe", mark).CombinedOutput()
		cancel()
		if err == nil || !bytes.Contains(out, []byte("cannot be called by hand")) || bytes.Contains(out, []byte("goroutine")) {
			t.Errorf("%s: %v\n%s", mark, err, out)
		}
	}
}
