package bench

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

func hexSum(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// TestDigestByHand writes the definition out: "lowercase hex SHA-256 over lines path NUL sha256hex(file) LF, sorted by path,
// over every file but FREEZE.json and reports/".
func TestDigestByHand(t *testing.T) {
	m := fstest.MapFS{
		"a/b":           {Data: []byte("2")},
		"a.b":           {Data: []byte("1")},
		"a-b/c":         {Data: []byte("0")},
		"a0":            {Data: []byte("4")},
		"a/b.x":         {Data: []byte("3")},
		"Z":             {Data: []byte("")},
		"é":             {Data: []byte("\r\n")},
		"FREEZE.json":   {Data: []byte("left out")},
		"reports/a":     {Data: []byte("left out")},
		"reports/b/c":   {Data: []byte("left out")},
		"reports.txt":   {Data: []byte("5")},
		"x/FREEZE.json": {Data: []byte("6")},
		"x/reports/a":   {Data: []byte("7")},
		".hidden":       {Data: []byte("8")},
		".git/HEAD":     {Data: []byte("left out")},
		".assay/a.db":   {Data: []byte("left out")},
	}
	text := ""
	for _, f := range []struct{ path, data string }{{".hidden", "8"}, {"Z", ""}, {"a-b/c", "0"}, {"a.b", "1"}, {"a/b", "2"}, {"a/b.x", "3"}, {"a0", "4"}, {"reports.txt", "5"}, {"x/FREEZE.json", "6"}, {"x/reports/a", "7"}, {"é", "\r\n"}} {
		text += f.path + "\x00" + hexSum(f.data) + "\n"
	}
	got, err := Digest(m)
	if err != nil || got != hexSum(text) {
		t.Fatalf("the digest is %s, %v; want %s", got, err, hexSum(text))
	}
	// The same tree on disk, and one whose digest was computed by hand with sha256sum: one file "a" that holds "x".
	dir := t.TempDir()
	if err := os.CopyFS(dir, m); err != nil {
		t.Fatal(err)
	}
	if disk, err := Digest(os.DirFS(dir)); err != nil || disk != got {
		t.Errorf("on disk the digest is %s, %v", disk, err)
	}
	const byHand = "b71899f0e13a58405ecef8ed7b7e0930a32f40e799828f8716ea8ace8e8ca782"
	if one, err := Digest(fstest.MapFS{"a": {Data: []byte("x")}}); err != nil || one != byHand {
		t.Errorf("the digest of a=x is %s, %v", one, err)
	}
	// The same bytes under other names are another bench.
	other := maps.Clone(m)
	other["a/c"] = other["a/b"]
	delete(other, "a/b")
	if d, err := Digest(other); err != nil || d == got {
		t.Errorf("a renamed file gives the same digest (%v)", err)
	}
}

func TestFilesRefuses(t *testing.T) {
	for name, m := range map[string]fstest.MapFS{
		"link":         {"a": {Mode: fs.ModeSymlink, Data: []byte("b")}},
		"device":       {"a": {Mode: fs.ModeDevice}},
		"pipe":         {"x/a": {Mode: fs.ModeNamedPipe}},
		"backslash":    {"a\\b": {}},
		"line break":   {"a\nb": {}},
		"in a folder":  {"a\\b/c": {}},
		"in reports/":  {"reports/a\nb": {}},
		"NUL":          {"a\x00b": {}},
		"link on disk": nil,
	} {
		var fsys fs.FS = m
		if m == nil {
			dir := t.TempDir()
			if err := os.Symlink("/etc", filepath.Join(dir, "folder")); err != nil {
				t.Skip("no links here: ", err)
			}
			fsys = os.DirFS(dir)
		}
		if d, err := Digest(fsys); err == nil {
			t.Errorf("%s: the digest is %s", name, d)
		}
	}
}

var frozenAt = time.Date(2026, 3, 1, 12, 0, 0, 0, time.FixedZone("elsewhere", 3*3600))

func frozen(t *testing.T) fstest.MapFS {
	t.Helper()
	m := sample()
	m["fixtures/a.txt"] = &fstest.MapFile{Data: []byte("text")}
	data, err := NewFreeze(m, frozenAt, strings.Repeat("a", 64), 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	m[FreezeFile] = &fstest.MapFile{Data: data}
	return m
}

func TestFreeze(t *testing.T) {
	m := frozen(t)
	st, err := Inspect(m)
	if err != nil {
		t.Fatal(err)
	}
	d, _ := Digest(m)
	if fz := st.Freeze; st.Digest != d || fz.Digest != d || fz.FrozenAt != "2026-03-01T09:00:00Z" || fz.Grader != strings.Repeat("a", 64) || fz.Frozen != 2 || fz.Drafted != 3 || fz.Files != nil {
		t.Errorf("%+v %+v", st, st.Freeze)
	}
	again, err := NewFreeze(m, frozenAt, strings.Repeat("a", 64), 2, 3)
	if err != nil || string(again) != string(m[FreezeFile].Data) {
		t.Error("freezing twice gives other bytes")
	}
	delete(m, FreezeFile)
	if st, err := Inspect(m); err != nil || st.Freeze != nil || st.Digest != d {
		t.Errorf("not frozen: %+v, %v", st, err)
	}
}

func TestFreezeNamesTheFile(t *testing.T) {
	for name, c := range map[string]struct {
		change func(m fstest.MapFS)
		says   string
	}{
		"changed":       {func(m fstest.MapFS) { m["items/a.yaml"] = &fstest.MapFile{Data: []byte("other")} }, "items/a.yaml: differs from FREEZE.json"},
		"changed blank": {func(m fstest.MapFS) { m["fixtures/a.txt"] = &fstest.MapFile{Data: []byte("text\n")} }, "fixtures/a.txt: differs"},
		"added":         {func(m fstest.MapFS) { m["items/c.yaml"] = &fstest.MapFile{} }, "items/c.yaml: is not in FREEZE.json"},
		"removed":       {func(m fstest.MapFS) { delete(m, "fixtures/a.txt") }, "fixtures/a.txt: is in FREEZE.json and not among the bench's files"},
		"two removed":   {func(m fstest.MapFS) { delete(m, "items/b-2.yaml"); delete(m, "items/a.yaml") }, "items/a.yaml: is in FREEZE.json"},
		"a report that is frozen": {func(m fstest.MapFS) {
			m["reports/r"] = &fstest.MapFile{}
			edit(m, `"files": {`, `"files": {"reports/r": "`+hexSum("")+`",`)
		}, "reports/r: is in FREEZE.json and not among"},
		"digest":       {func(m fstest.MapFS) { edit(m, `"digest": "`, `"digest": "0`) }, "FREEZE.json: has a digest that its own files do not give"},
		"unknown key":  {func(m fstest.MapFS) { edit(m, `"frozen":`, `"more": 1, "frozen":`) }, "FREEZE.json: not a freeze"},
		"twice":        {func(m fstest.MapFS) { edit(m, `"frozen":`, `"frozen": 9, "frozen":`) }, "FREEZE.json: not a freeze"},
		"text after":   {func(m fstest.MapFS) { m[FreezeFile].Data = append(m[FreezeFile].Data, "{}"...) }, "FREEZE.json: not a freeze: there is text after it"},
		"cut off":      {func(m fstest.MapFS) { m[FreezeFile].Data = m[FreezeFile].Data[:40] }, "FREEZE.json: not a freeze"},
		"empty object": {func(m fstest.MapFS) { m[FreezeFile].Data = []byte("{}") }, "is not in FREEZE.json"},
		"null":         {func(m fstest.MapFS) { m[FreezeFile].Data = []byte("null") }, "is not in FREEZE.json"},
		"empty":        {func(m fstest.MapFS) { m[FreezeFile].Data = nil }, "FREEZE.json: not a freeze"},
	} {
		m := frozen(t)
		c.change(m)
		if st, err := Inspect(m); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %+v, %v; want %s", name, st, err, c.says)
		}
	}
	// What lies beside the bench's files does not touch them.
	m := frozen(t)
	m["reports/table.md"] = &fstest.MapFile{Data: []byte("x")}
	if _, err := Inspect(m); err != nil {
		t.Error(err)
	}
}

func edit(m fstest.MapFS, old, new string) {
	text := string(m[FreezeFile].Data)
	if !strings.Contains(text, old) {
		panic(fmt.Sprintf("%q is not in %s", old, text))
	}
	m[FreezeFile] = &fstest.MapFile{Data: []byte(strings.Replace(text, old, new, 1))}
}
