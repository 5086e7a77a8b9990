package bench

import (
	"archive/zip"
	"bytes"
	"io"
	"io/fs"
	"strings"
	"testing"
)

type entry struct {
	name, data string
	mode       fs.FileMode
}

func archive(t testing.TB, entries ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate}
		h.SetMode(e.mode | 0o644)
		f, err := w.CreateHeader(h)
		if err == nil && !strings.HasSuffix(e.name, "/") {
			_, err = io.WriteString(f, e.data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestOpenZip(t *testing.T) {
	for name, entries := range map[string][]entry{
		"at the root":   {{"bench.yaml", manifest, 0}, {"items/a.yaml", itemFile("a"), 0}},
		"in one folder": {{"sample-1.2/", "", fs.ModeDir}, {"sample-1.2/items/", "", fs.ModeDir}, {"sample-1.2/bench.yaml", manifest, 0}, {"sample-1.2/items/a.yaml", itemFile("a"), 0}},
		"other order":   {{"s/items/a.yaml", itemFile("a"), 0}, {"s/bench.yaml", manifest, 0}, {"s/items/", "", fs.ModeDir}, {"s/", "", fs.ModeDir}},
	} {
		fsys, err := OpenZip(archive(t, entries...))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		b, err := Load(fsys, "x.zip")
		if err != nil || len(b.IDs()) != 1 {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if _, err := b.Item("a"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		want, _ := Digest(b.FS)
		other, err := OpenZip(archive(t, entry{"bench.yaml", manifest, 0}, entry{"items/a.yaml", itemFile("a"), 0}))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Digest(other); err != nil || got != want {
			t.Errorf("%s: the digest depends on the archive's layout: %s, %s, %v", name, got, want, err)
		}
	}
}

func TestOpenZipRefuses(t *testing.T) {
	m := entry{"bench.yaml", manifest, 0}
	for name, c := range map[string]struct {
		entries []entry
		says    string
	}{
		"traversal":           {[]entry{m, {"../evil", "x", 0}}, `the path "../evil", which could leave its folder`},
		"inner traversal":     {[]entry{m, {"items/../../evil", "x", 0}}, "could leave its folder"},
		"absolute":            {[]entry{m, {"/etc/passwd", "x", 0}}, "could leave its folder"},
		"backslash":           {[]entry{m, {`items\a.yaml`, "x", 0}}, "could leave its folder"},
		"dot":                 {[]entry{m, {"./a", "x", 0}}, "could leave its folder"},
		"double slash":        {[]entry{m, {"items//a.yaml", "x", 0}}, "could leave its folder"},
		"link":                {[]entry{m, {"items/a.yaml", "/etc/passwd", fs.ModeSymlink}}, "neither a file nor a folder"},
		"device":              {[]entry{m, {"items/a.yaml", "", fs.ModeDevice}}, "neither a file nor a folder"},
		"twice":               {[]entry{m, m}, `holds both "bench.yaml" and "bench.yaml"`},
		"case":                {[]entry{m, {"Bench.yaml", "x", 0}}, `holds both "bench.yaml" and "Bench.yaml"`},
		"folders' case":       {[]entry{m, {"items/a.yaml", "x", 0}, {"Items/b.yaml", "x", 0}}, `holds both "items" and "Items"`},
		"file and folder":     {[]entry{m, {"items", "x", 0}, {"items/a.yaml", "x", 0}}, `holds both "items" and "items"`},
		"folder and file":     {[]entry{m, {"items/a.yaml", "x", 0}, {"items", "x", 0}}, `holds both "items" and "items"`},
		"folder, then a file": {[]entry{m, {"items/", "", fs.ModeDir}, {"items", "x", 0}}, `holds both "items" and "items"`},
		"deep":                {[]entry{m, {strings.Repeat("a/", 200) + "b", "x", 0}}, "folders more than 100 deep"},
	} {
		if _, err := OpenZip(archive(t, c.entries...)); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %s", name, err, c.says)
		}
	}
	if _, err := OpenZip([]byte("PK nothing")); err == nil || !strings.Contains(err.Error(), "not a zip archive") {
		t.Errorf("no archive: %v", err)
	}
	if _, err := OpenZip(nil); err == nil {
		t.Error("nothing opens")
	}
}

// TestZipBomb: an archive that unpacks to too much is refused by what it says, and by what it does where it lies.
func TestZipBomb(t *testing.T) {
	honest := archive(t, entry{"bench.yaml", manifest, 0}, entry{"fixtures/big", strings.Repeat("\x00", maxFileBytes/16), 0})
	if _, err := OpenZip(honest); err != nil {
		t.Fatal(err)
	}
	// The sizes of the central directory are patched: one file says that it has 300 MB, then that it has ten bytes.
	at := bytes.LastIndex(honest, []byte("PK\x01\x02"))
	size := honest[at+24 : at+28]
	copy(size, []byte{0, 0, 0, 0x13})
	if _, err := OpenZip(honest); err == nil || !strings.Contains(err.Error(), "unpacks to more than a bench may hold") {
		t.Errorf("a file of 300 MB: %v", err)
	}
	copy(size, []byte{10, 0, 0, 0})
	fsys, err := OpenZip(honest)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Digest(fsys); err == nil {
		t.Error("a file that unpacks to more than it says is read")
	}
	var many []entry
	for _, c := range "abcdefghijklmnopqrst" {
		many = append(many, entry{"f/" + string(c), "x", 0})
	}
	data := archive(t, append(many, entry{"bench.yaml", manifest, 0})...)
	for i := 0; ; {
		j := bytes.Index(data[i:], []byte("PK\x01\x02"))
		if j < 0 {
			break
		}
		copy(data[i+j+24:], []byte{0, 0, 0, 0x0f}) // 240 MiB each
		i += j + 4
	}
	if _, err := OpenZip(data); err == nil || !strings.Contains(err.Error(), "unpacks to more than a bench may hold") {
		t.Errorf("21 files of 240 MiB: %v", err)
	}
}

func FuzzOpenZip(f *testing.F) {
	f.Add(archive(f, entry{"bench.yaml", manifest, 0}, entry{"items/a.yaml", itemFile("a"), 0}))
	f.Add(archive(f, entry{"s/", "", fs.ModeDir}, entry{"s/bench.yaml", manifest, 0}, entry{"s/items/a.yaml", "x", 0}))
	f.Add(archive(f, entry{"a", "x", 0}, entry{"A", "y", 0}))
	f.Fuzz(func(t *testing.T, data []byte) {
		fsys, err := OpenZip(data)
		if err != nil {
			return
		}
		n := 0
		err = Files(fsys, func(file File) error {
			if n++; !fs.ValidPath(file.Path) || len(file.SHA256) != 64 || strings.Contains(file.Path, `\`) {
				t.Fatalf("the file %+v", file)
			}
			return nil
		})
		if err != nil {
			return
		}
		if b, err := Load(fsys, "x.zip"); err == nil {
			for _, id := range b.IDs() {
				if it, err := b.Item(id); err == nil && it.ID != id {
					t.Fatalf("the item %s is %+v", id, it)
				}
			}
		}
	})
}
