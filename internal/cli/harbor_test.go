//go:build linux && amd64

package cli_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/assaybench/assay/contract/harbor"
)

// built is the program as it is shipped: built by the Go command, static. It is built once, and each test writes it where it wants it.
var built = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "assay-built-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	c := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -buildid=", "-o", filepath.Join(dir, "assay"), "../../cmd/assay")
	c.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=")
	if out, err := c.CombinedOutput(); err != nil {
		return nil, errors.New(string(out))
	}
	return os.ReadFile(filepath.Join(dir, "assay"))
})

// shipped runs the built program in a folder of its own, with nothing of the environment but that.
type shipped struct {
	testing.TB
	bin, dir string
}

func newShipped(t testing.TB) *shipped {
	t.Helper()
	if testing.Short() {
		t.Skip("the program is built")
	}
	program, err := built()
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(t.TempDir(), "assay")
	if err := os.WriteFile(bin, program, 0o755); err != nil {
		t.Fatal(err)
	}
	return &shipped{t, bin, t.TempDir()}
}

func (s *shipped) command(args ...string) *exec.Cmd {
	c := exec.Command(s.bin, args...)
	c.Dir, c.Env = s.dir, []string{"HOME=" + s.dir, "ASSAY_STATE=" + filepath.Join(s.dir, "state")}
	return c
}

func (s *shipped) want(code int, args ...string) ran {
	s.Helper()
	c := s.command(args...)
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	err := c.Run()
	if c.ProcessState == nil || c.ProcessState.ExitCode() != code {
		s.Fatalf("assay %s: %v, want exit %d\n%s%s", strings.Join(args, " "), err, code, errs.String(), out.String())
	}
	return ran{code, out.String(), errs.String()}
}

// tree reads a folder: path to mode and bytes.
func (s *shipped) tree(dir string) map[string]string {
	s.Helper()
	m := map[string]string{}
	root := filepath.Join(s.dir, dir)
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, p)
		m[rel] = info.Mode().String() + "\x00" + string(b)
		return err
	})
	if err != nil {
		s.Fatal(err)
	}
	return m
}

func (s *shipped) same(a, b string) {
	s.Helper()
	x, y := s.tree(a), s.tree(b)
	for n := range x {
		if x[n] != y[n] {
			s.Errorf("%s/%s and %s/%s are not the same", a, n, b, n)
		}
	}
	if len(x) != len(y) || len(x) == 0 {
		s.Errorf("%s has %d files, %s has %d", a, len(x), b, len(y))
	}
}

func exampleBench(t testing.TB) string {
	t.Helper()
	dir, err := filepath.Abs("../../examples/mooring")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

var contentLine = regexp.MustCompile(`(?m)content (?:digest )? ?(sha256:[0-9a-f]{64})`)

func TestHarborRoundTrip(t *testing.T) {
	s := newShipped(t)
	base := "debian@sha256:" + strings.Repeat("a", 64)
	one := s.want(0, "export", exampleBench(t), "harbor", "-o", "one", "--base", base, "--prove")
	s.want(0, "export", exampleBench(t), "harbor", "-o", "two", "--base", base, "--prove")
	s.same("one", "two") // the receipts among them
	if !strings.Contains(one.out, "mooring/ferry-217: proven by process: solution 1, no-op 0; private part ") || strings.Contains(one.err, "incomplete") {
		t.Errorf("%s%s", one.out, one.err)
	}
	b, err := os.ReadFile(filepath.Join(s.dir, "one/receipts/mooring/ferry-217.json"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := harbor.ReadReceipt(b)
	if err != nil || r.Proven() != nil {
		t.Fatal(err, r)
	}
	files, err := harbor.ReadFolder(os.DirFS(filepath.Join(s.dir, "one/mooring/ferry-217")))
	if err != nil || r.Of("mooring/ferry-217", files) != nil {
		t.Errorf("%v: the receipt is not of the package: %v", err, r.Of("mooring/ferry-217", files))
	}

	digest := contentLine.FindStringSubmatch(one.out)
	imported := s.want(0, "import", "harbor", "one/mooring/ferry-217", "-o", "in")
	if got := contentLine.FindStringSubmatch(imported.out); len(got) != 2 || len(digest) != 2 || got[1] != digest[1] || got[1] != r.Content {
		t.Errorf("exported with %q, imported with %q, proven with %s", digest, got, r.Content)
	}
	back := s.want(0, "export", "in", "harbor", "-o", "back")
	if got := contentLine.FindStringSubmatch(back.out); len(got) != 2 || got[1] != r.Content {
		t.Errorf("given back with %q", got)
	}
	s.same("one/mooring/ferry-217", "back")

	s.want(0, "import", "harbor", s.archive("one/mooring/ferry-217", ".tar"), "-o", "in2")
	s.same("in", "in2")
	if got := s.want(2, "export", exampleBench(t), "harbor", "-o", "one"); !strings.Contains(got.err, "the folder is not empty") {
		t.Errorf("%q", got.err)
	}
	if got := s.want(2, "export", exampleBench(t), "harbor", "-o", "no", "--no-binary", "--prove"); strings.Count(got.err, "\n") != 1 {
		t.Errorf("%q", got.err)
	}
}

// archive packs a folder.
func (s *shipped) archive(dir, ext string) string {
	s.Helper()
	name := filepath.Join(s.dir, "packed"+ext)
	f, err := os.Create(name)
	if err != nil {
		s.Fatal(err)
	}
	defer f.Close()
	w := tar.NewWriter(f)
	if err := w.AddFS(os.DirFS(filepath.Join(s.dir, dir))); err != nil {
		s.Fatal(err)
	}
	if err := w.Close(); err != nil {
		s.Fatal(err)
	}
	return name
}

// Each hostile package is refused in one line, and leaves nothing.
func TestHarborRefusesHostilePackages(t *testing.T) {
	s := newShipped(t)
	const task = "schema_version = \"1.4\"\n[task]\nname = \"a/b\"\n"
	zipped := func(entries ...[2]string) string {
		name := filepath.Join(s.TempDir(), "p.zip")
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		for _, e := range append([][2]string{{"task.toml", task}, {"instruction.md", "Do it."}}, entries...) {
			h := &zip.FileHeader{Name: e[0]}
			h.SetMode(0o644)
			if strings.HasPrefix(e[1], "link:") {
				h.SetMode(0o777 | fs.ModeSymlink)
			}
			x, err := w.CreateHeader(h)
			if err != nil {
				t.Fatal(err)
			}
			x.Write([]byte(e[1]))
		}
		w.Close()
		if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return name
	}
	folder := func(edit func(dir string)) string {
		dir := t.TempDir()
		os.WriteFile(filepath.Join(dir, "task.toml"), []byte(task), 0o644)
		os.WriteFile(filepath.Join(dir, "instruction.md"), []byte("Do it."), 0o644)
		edit(dir)
		return dir
	}
	for says, name := range map[string]string{
		"could leave its folder": zipped([2]string{"../evil", "x"}),
		"is absolute":            zipped([2]string{"/etc/passwd", "x"}),
		"holds a backslash":      zipped([2]string{`tests\x`, "x"}),
		"a control character":    zipped([2]string{"tests/\x1b[31m", "x"}),
		"is a link":              zipped([2]string{"tests/l", "link:/etc/passwd"}),
		"differ in case":         zipped([2]string{"Task.toml", "x"}),
		"this file twice":        zipped([2]string{"task.toml", task}),
		"an archive (gzip)":      zipped([2]string{"tests/a.gz", "\x1f\x8b\x08"}),
		"not known; known: 1.0":  folder(func(d string) { os.WriteFile(filepath.Join(d, "task.toml"), []byte("schema_version = \"7\"\n"), 0o644) }),
		"no instruction.md":      folder(func(d string) { os.Remove(filepath.Join(d, "instruction.md")) }),
		"no task.toml":           folder(func(d string) { os.Remove(filepath.Join(d, "task.toml")) }),
		"a link; a package":      folder(func(d string) { os.Symlink("/etc/passwd", filepath.Join(d, "l")) }),
		"neither a file nor":     folder(func(d string) { syscall.Mkfifo(filepath.Join(d, "pipe"), 0o644) }),
		"a digest is declared": folder(func(d string) {
			os.WriteFile(filepath.Join(d, "SHA256SUMS"), []byte(strings.Repeat("0", 64)+"  gone\n"), 0o644)
		}),
		"not that of the file": folder(func(d string) {
			os.WriteFile(filepath.Join(d, "SHA256SUMS"), []byte(strings.Repeat("0", 64)+"  task.toml\n"), 0o644)
		}),
		"larger than": folder(func(d string) {
			os.WriteFile(filepath.Join(d, "big"), nil, 0o644)
			os.Truncate(filepath.Join(d, "big"), 65<<20)
		}),
		"neither a folder nor":    folder(func(string) {}) + "/instruction.md",
		"no such file":            filepath.Join(s.dir, "nothing"),
		"task.toml: toml: line 1": folder(func(d string) { os.WriteFile(filepath.Join(d, "task.toml"), []byte("a = = 1\n"), 0o644) }),
	} {
		got := s.want(2, "import", "harbor", name, "-o", "in")
		if !strings.Contains(got.err, says) || strings.Count(got.err, "\n") != 1 || strings.ContainsRune(got.err, '\x1b') || got.out != "" {
			t.Errorf("%s: %q %q", says, got.err, got.out)
		}
		if _, err := os.Stat(filepath.Join(s.dir, "in")); !errors.Is(err, fs.ErrNotExist) {
			t.Fatalf("%s: something was written", says)
		}
	}
}

// A bench whose reference is not rewarded exports, and is not proven.
func TestHarborNotProven(t *testing.T) {
	s := newShipped(t)
	if err := os.CopyFS(filepath.Join(s.dir, "mooring"), os.DirFS(exampleBench(t))); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(s.dir, "mooring/tasks/ferry-217/sealed/reference.jsonl")
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(b), "\n")
	if err := os.WriteFile(name, []byte(strings.Join(lines[:len(lines)-2], "")), 0o644); err != nil { // no answer
		t.Fatal(err)
	}
	got := s.want(1, "export", "./mooring", "harbor", "-o", "out", "--prove")
	if !strings.Contains(got.out, "mooring/ferry-217: NOT PROVEN by process: oracle: the package's own solution is not rewarded; receipt receipts/mooring/ferry-217.json\n") {
		t.Errorf("%s%s", got.out, got.err)
	}
	if b, err = os.ReadFile(filepath.Join(s.dir, "out/receipts/mooring/ferry-217.json")); err != nil {
		t.Fatal(err)
	}
	if r, err := harbor.ReadReceipt(b); err != nil || r.Proven() == nil || r.Oracle.Reward != 0 || r.Oracle.Failed == 0 || r.Oracle.Verdict == r.Noop.Verdict {
		t.Errorf("%v %+v", err, r)
	}
}
