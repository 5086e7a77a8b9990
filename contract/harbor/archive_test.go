package harbor

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"strings"
	"testing"
)

func zipped(t *testing.T, parts ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(parts); i += 2 {
		w, err := z.CreateHeader(&zip.FileHeader{Name: parts[i], Method: zip.Store})
		if err != nil {
			t.Fatal(err)
		}
		w.Write([]byte(parts[i+1]))
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestArchivesInside: whatever packs files is known by what it holds, however it is named or begins; documents are not archives.
func TestArchivesInside(t *testing.T) {
	var tb bytes.Buffer
	tw := tar.NewWriter(&tb)
	tw.WriteHeader(&tar.Header{Name: "a", Size: 1, Mode: 0o644})
	tw.Write([]byte("x"))
	tw.Close()
	old := bytes.Clone(tb.Bytes()) // as tar was before it had a mark
	copy(old[257:265], make([]byte, 8))
	sum := uint64(256)
	for i, c := range old[:512] {
		if i < 148 || i >= 156 {
			sum += uint64(c)
		}
	}
	copy(old[148:156], []byte(strings.Repeat("0", 8)))
	for i, v := 153, sum; v > 0; i, v = i-1, v/8 {
		old[i] = '0' + byte(v%8)
	}
	old[154], old[155] = 0, ' '
	book := zipped(t, "[Content_Types].xml", "<Types/>", "_rels/.rels", "<r/>", "xl/workbook.xml", "<w/>")
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"rar":                      {[]byte("Rar!\x1a\x07\x01\x00xxxx"), "rar"},
		"lzma":                     {append([]byte{0x5d, 0, 0, 0x80, 0}, append(bytes.Repeat([]byte{0xff}, 8), 1, 2, 3)...), "lzma"},
		"lz4":                      {[]byte("\x04\x22\x4d\x18xxxx"), "lz4"},
		".Z":                       {[]byte("\x1f\x9d\x90xxxx"), "compress"},
		"cab":                      {[]byte("MSCF\x00\x00\x00\x00xx"), "cab"},
		"an empty zip":             {zipped(t), "zip"},
		"a zip behind a script":    {append([]byte("#!/bin/sh\nexit 0\n"), zipped(t, "a", "b")...), "zip"},
		"a zip dressed as a book":  {zipped(t, "[Content_Types].xml", "<Types/>", "_rels/.rels", "x", "secret.txt", "x"), "zip"},
		"a book with an archive":   {zipped(t, "[Content_Types].xml", "<Types/>", "_rels/.rels", "x", "xl/media/a.png", "Rar!\x1a\x07\x01\x00"), "zip"},
		"a zip with a mimetype":    {zipped(t, "mimetype", "application/x", "a", "b"), "zip"},
		"tar":                      {tb.Bytes(), "tar"},
		"an old tar":               {old, "tar"},
		"a tar behind other bytes": {append(make([]byte, 512), tb.Bytes()...), "tar"},
		"a workbook":               {book, ""},
		"a text document":          {zipped(t, "mimetype", "application/vnd.oasis.opendocument.text", "META-INF/manifest.xml", "<m/>", "content.xml", "<c/>"), ""},
		"a text":                   {[]byte(strings.Repeat("A line of text.\n", 200)), ""},
		"noughts":                  {make([]byte, 4096), ""},
	} {
		if got := archiveKind(c.data); got != c.want {
			t.Errorf("%s is %q, want %q", name, got, c.want)
		}
	}
}

// TestNamesOfPackages: names that mean another thing on another machine, or to a reader, are refused before anything is written.
func TestNamesOfPackages(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  string
	}{
		{[]string{"tests/test.sh", "tests/test.sh/x"}, "a file and a folder at once"},
		{[]string{"tests/test.sh/x", "tests/test.sh"}, "a file and a folder at once"},
		{[]string{"a", "A/b"}, "differ in case"},
		{[]string{"notes."}, "ends in a dot or a space"},
		{[]string{"dir /x"}, "ends in a dot or a space"},
		{[]string{"dir./x"}, "ends in a dot or a space"},
		{[]string{"a\u202egpj.exe"}, "a character that nobody sees"},
		{[]string{"a\u200bb"}, "a character that nobody sees"},
		{[]string{"a.b c/ü-1.md"}, ""},
	} {
		r := newReader()
		var err error
		for _, n := range c.names {
			if err == nil {
				err = r.add(n, false, strings.NewReader("x"))
			}
		}
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%q: %v, want %q", c.names, err, c.want)
		}
	}
	r := newReader()
	if err := r.add("tests/x", false, strings.NewReader("x")); err != nil {
		t.Fatal(err)
	}
	if err := r.folder("tests/x"); err == nil {
		t.Error("a folder's entry takes the name of a file")
	}
	if err := r.folder("tests"); err != nil {
		t.Error(err)
	}
}
