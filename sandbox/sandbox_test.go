package sandbox

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"time"
)

func TestLimitDefaults(t *testing.T) {
	got, err := Limits{}.withDefaults()
	want := Limits{Wall: 15 * time.Second, CPU: 15 * time.Second, Memory: 512 << 20, FileSize: 16 << 20, Disk: 64 << 20, Output: 1 << 20, Processes: 48}
	if err != nil || got != want {
		t.Errorf("defaults = %+v, %v; want %+v", got, err, want)
	}
	if got, err := (Limits{Wall: time.Second, Processes: 3}).withDefaults(); err != nil || got.CPU != time.Second || got.Processes != 3 {
		t.Errorf("CPU follows Wall: got %+v, %v", got, err)
	}
	for _, l := range []Limits{{Wall: -1}, {CPU: -1}, {Memory: -1}, {FileSize: -1}, {Disk: -1}, {Output: -1}, {Processes: -1}} {
		if _, err := l.withDefaults(); err == nil {
			t.Errorf("%+v accepted", l)
		}
	}
}

func TestSortedPaths(t *testing.T) {
	ok := map[string][]byte{"b": nil, "a/c": nil, "a/b.txt": nil, "ä ö\n": nil, "...": nil, `back\slash`: nil, "-rf": nil}
	got, err := sortedPaths(ok)
	if err != nil || strings.Join(got, "|") != `-rf|...|a/b.txt|a/c|b|back\slash|ä ö`+"\n" {
		t.Errorf("sortedPaths = %q, %v", got, err)
	}
	for _, bad := range []string{"", ".", "..", "/etc/passwd", "../x", "a/../b", "a//b", "a/", "./a", "a/./b", "a\x00b", strings.Repeat("x/", 600) + "x"} {
		if _, err := sortedPaths(map[string][]byte{bad: nil}); err == nil {
			t.Errorf("path %q accepted", bad)
		}
	}
	for _, both := range []map[string][]byte{{"a": nil, "a/b": nil}, {"a/b": nil, "a/b/c/d": nil}} {
		if _, err := sortedPaths(both); err == nil || !strings.Contains(err.Error(), "is a file too") {
			t.Errorf("%v: %v; want a file that is also a folder refused", both, err)
		}
	}
}

func FuzzSortedPaths(f *testing.F) {
	for _, s := range []string{"a", "a/b", "../a", "/", "a\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, p string) {
		got, err := sortedPaths(map[string][]byte{p: nil})
		if err == nil && (len(got) != 1 || got[0] != p || !fs.ValidPath(p) || strings.Contains("/"+p+"/", "/../")) {
			t.Errorf("%q accepted as %q", p, got)
		}
	})
}

func TestRefusedArgv(t *testing.T) {
	long := strings.Repeat("x", maxArg)
	for _, c := range []struct {
		name string
		argv []string
		want string
	}{
		{"plain", []string{"bash", "-c", "echo"}, ""},
		{"longest", []string{long}, ""},
		{"too long", []string{"bash", long + "x"}, "argument 1 is too long"},
		{"NUL", []string{"bash", "-c", "a\x00b"}, "argument 2 holds a NUL byte"},
		{"too many", []string{long, long, long, long, long, long, long, long, long}, "argument list too long"},
	} {
		if got := refusedArgv(c.argv); !strings.HasPrefix(got, c.want) || (c.want == "") != (got == "") {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestErrorsAreOneLine(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{&Unavailable{Reasons: []string{"bwrap: not installed", "landlock: two\nlines"}, Install: "install bubblewrap"},
			"no sandbox: bwrap: not installed; landlock: two | lines; install bubblewrap"},
		{&Unavailable{Reasons: []string{"x"}}, "no sandbox: x"},
		{&NoPython{Reason: "there is none", Install: "install python3"}, "no python3 in the sandbox: there is none; install python3"},
		{&NoProgram{Name: "frob"}, "sandbox: no program frob in /usr/bin or /bin; install it there"},
	} {
		if got := c.err.Error(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
	var u *Unavailable
	if !errors.As(error(&Unavailable{}), &u) {
		t.Error("*Unavailable is not found by errors.As")
	}
}
