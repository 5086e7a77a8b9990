//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/assaybench/assay/bench"
)

// TestFolder: a bench's folder is a file system as any other, and a pipe in it is refused at once, also where it took a
// file's place after the bench was opened.
func TestFolder(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"bench.yaml":   "id: b\nversion: \"1\"\ntitle: B\nshape: prompt\nlicence: MIT\nattribution: none\nfamilies: [{id: f, title: F}]\nprotocol:\n  temperature: 0\n  top_p: 1\n  repeats: 1\n  pass_rule: all\n  context: 4096\n  default_posture: plain\n  postures:\n    plain: {thinking: off, max_output: 64, timeout: 60s}\n",
		"items/a.yaml": "id: a\nfamily: f\nbasis: exact\nprompt: P\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	fsys := openFolder(dir)
	if err := fstest.TestFS(fsys, "bench.yaml", "items/a.yaml"); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"../a", "/a", "items/../bench.yaml", ""} {
		if f, err := fsys.Open(name); err == nil {
			f.Close()
			t.Errorf("%q is opened", name)
		}
	}
	if _, err := fsys.Open("items/none.yaml"); err == nil || strings.Contains(err.Error(), dir) {
		t.Errorf("a file that is not there: %v", err)
	}
	b, err := bench.Load(fsys, "here")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Inspect(); err != nil {
		t.Fatal(err)
	}
	if it, err := b.Brief("a"); err != nil || it.Node.Get("prompt").Text != "P" {
		t.Fatalf("%+v, %v", it, err)
	}
	item := filepath.Join(dir, "items", "a.yaml")
	if err := os.Remove(item); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(item, 0o644); err != nil {
		t.Fatal(err)
	}
	read := make(chan error, 1)
	go func() {
		_, err := b.Brief("a")
		read <- err
	}()
	select {
	case err := <-read:
		if err == nil || err.Error() != "items/a.yaml: is not a plain file" {
			t.Errorf("a pipe: %v", err)
		}
	case <-time.After(time.Minute):
		t.Fatal("a pipe is waited for")
	}
}
