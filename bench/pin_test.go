package bench

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// TestPinned: a file that changes after the digest was taken is not read as if it had not.
func TestPinned(t *testing.T) {
	dir := t.TempDir()
	m := sample()
	m["fixtures/a.txt"] = m["bench.yaml"]
	if err := os.CopyFS(dir, m); err != nil {
		t.Fatal(err)
	}
	b, err := Load(os.DirFS(dir), "here")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Inspect(); err != nil {
		t.Fatal(err)
	}
	id := b.IDs()[0]
	if _, err := b.Item(id); err != nil {
		t.Fatal(err)
	}
	for _, f := range []struct {
		name string
		read func() error
	}{
		{"items/" + id + ".yaml", func() error { _, err := b.Item(id); return err }},
		{"items/" + id + ".yaml", func() error { _, err := b.Brief(id); return err }},
		{"fixtures/a.txt", func() error { _, err := b.Fixture("a.txt"); return err }},
	} {
		path := filepath.Join(dir, filepath.FromSlash(f.name))
		old, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, append(old, "# changed\n"...), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := f.read(); err == nil || !strings.Contains(err.Error(), f.name+": was changed after the bench was opened") {
			t.Errorf("%s: %v", f.name, err)
		}
		if err := os.WriteFile(path, old, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := f.read(); err != nil {
			t.Errorf("%s, restored: %v", f.name, err)
		}
	}
	// A fixture that was not there is not read either.
	if err := os.WriteFile(filepath.Join(dir, "fixtures", "new.txt"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Fixture("new.txt"); err == nil {
		t.Error("a new fixture is read")
	}
}

// TestTextWithin: no text of an item is longer than the bound, unless fixtures make it so.
func TestTextWithin(t *testing.T) {
	files := fstest.MapFS{"items/long.yaml": {Data: []byte(strings.Repeat(`"\L"`, 400))}, "items/short.yaml": {Data: []byte("x")}}
	for name, want := range map[string]int64{"": 2 * 1600, "fixtures/a.txt": 0} {
		m := maps.Clone(files)
		if name != "" {
			m[name] = &fstest.MapFile{Data: []byte("x")}
		}
		b := &Bench{FS: m, ids: []string{"long", "short"}}
		if _, err := b.Inspect(); err != nil {
			t.Fatal(err)
		}
		if got := b.TextWithin(); got != want {
			t.Errorf("with %q: %d, want %d", name, got, want)
		}
	}
}
