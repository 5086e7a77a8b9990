package harbor

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
)

const sampleTOML = `schema_version = "1.4"
[task]
name = "yard/ropes"
version = "1.0.3"
description = "Find a day."
[metadata]
family = "yard"
[odd]
kept = "ü\u0007\"\n"
[[environment.mcp_servers]]
name = "stores"
transport = "streamable-http"
url = "http://world:8765/mcp/stores"
args = []
`

func sample() Files {
	return Files{
		"task.toml":                    {Data: []byte(sampleTOML)},
		"instruction.md":               {Data: []byte("Book the slip.\n\n## Environment\nTools are at http://world.\n")},
		"environment/Dockerfile":       {Data: []byte("FROM scratch\n")},
		"tests/test.sh":                {Data: []byte("#!/bin/sh\nexit 0\n"), Exec: true},
		"tests/contract.json":          {Data: []byte("{}")},
		"tests/__pycache__/x.pyc":      {Data: []byte("cache")},
		"solution/oracle.json":         {Data: []byte(`{"steps":[{"tool":"stores.lots.list","args":{"part":"RP"}}]}`)},
		"notes.txt":                    {Data: []byte("not packaged")},
		"environment/evidence/a.md~":   {Data: []byte("editor")},
		"environment/evidence/spec.md": {Data: []byte("four ropes")},
	}
}

func fsOf(files Files, below string) fstest.MapFS {
	m := fstest.MapFS{}
	for n, f := range files {
		mode := fs.FileMode(0o644)
		if f.Exec {
			mode = 0o755
		}
		m[below+n] = &fstest.MapFile{Data: f.Data, Mode: mode}
	}
	return m
}

func TestContentDigestRule(t *testing.T) {
	h := sha256.New()
	for _, n := range []string{"environment/Dockerfile", "environment/evidence/spec.md", "instruction.md", "solution/oracle.json", "task.toml", "tests/contract.json", "tests/test.sh"} {
		s := sha256.Sum256(sample()[n].Data)
		h.Write([]byte(n + "\x00" + hex.EncodeToString(s[:]) + "\n"))
	}
	want := "sha256:" + hex.EncodeToString(h.Sum(nil))
	if got := ContentDigest(sample()); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	f := sample()
	f["tests/test.sh"] = File{f["tests/test.sh"].Data, false}
	if ContentDigest(f) != want {
		t.Error("the content digest covers modes")
	}
	if bytes.Equal(Manifest(f), Manifest(sample())) {
		t.Error("the manifest does not cover modes")
	}
}

func TestUnderstand(t *testing.T) {
	u, err := Understand(sample())
	if err != nil {
		t.Fatal(err)
	}
	if u.Dialect != Sealed || u.Request != "Book the slip." || !strings.HasPrefix(u.Orientation, "## Environment") || u.Split != "a heading" {
		t.Errorf("%q %q %q %q", u.Dialect, u.Request, u.Orientation, u.Split)
	}
	if len(u.Servers) != 1 || u.Servers[0].URL != "http://world:8765/mcp/stores" || len(u.Oracle) != 1 || u.Oracle[0].Args["part"] != "RP" {
		t.Errorf("%+v %+v", u.Servers, u.Oracle)
	}
	if fmt.Sprint(u.Opaque) != "[tests/test.sh]" || fmt.Sprint(u.NotKnown) != "[odd]" || u.Runnable != "not-measured" {
		t.Errorf("%v %v %s", u.Opaque, u.NotKnown, u.Runnable)
	}
}

func TestDialects(t *testing.T) {
	for want, edit := range map[string]func(Files){
		DataChecks: func(f Files) { f["tests/checks.json"] = File{Data: []byte("[]")} },
		AnswerOnly: func(f Files) { f["tests/expected.json"] = File{Data: []byte("{}")} },
		Opaque:     func(Files) {},
		MultiStep: func(f Files) {
			f["task.toml"] = File{Data: []byte(sampleTOML + "[[steps]]\nname = \"one\"\n")}
			delete(f, "instruction.md")
		},
	} {
		f := sample()
		delete(f, "tests/contract.json")
		edit(f)
		if u, err := Understand(f); err != nil || u.Dialect != want {
			t.Errorf("%s: %+v %v", want, u, err)
		}
	}
}

func TestRoundTrip(t *testing.T) {
	stored, u, err := Import(sample())
	if err != nil {
		t.Fatal(err)
	}
	back, edited, err := Reexport(fsOf(stored, ""))
	if err != nil || edited || ContentDigest(back) != u.Content || len(back) != len(sample()) {
		t.Fatalf("edited %v, %v", edited, err)
	}
	for n, f := range sample() {
		if !bytes.Equal(back[n].Data, f.Data) || back[n].Exec != f.Exec {
			t.Errorf("%s is another", n)
		}
	}
	stored["origin/instruction.md"] = File{Data: []byte("Book slip 3.\n")}
	back, edited, err = Reexport(fsOf(stored, ""))
	if err != nil || !edited {
		t.Fatalf("edited %v, %v", edited, err)
	}
	text := string(back["task.toml"].Data)
	if !strings.Contains(text, `version = "1.0.4"`) || !strings.Contains(text, `parent_digest = "`+u.Content+`"`) || !strings.HasPrefix(text, "schema_version = \"1.4\"\n[task]\nname = \"yard/ropes\"\n") || !strings.Contains(text, `kept = "ü\u0007\"\n"`) {
		t.Errorf("task.toml:\n%s", text)
	}
	delete(stored, "origin/task.toml")
	if _, _, err := Reexport(fsOf(stored, "")); err == nil {
		t.Error("an import without its task.toml is exported")
	}
}

func zipOf(t *testing.T, entries map[string]fs.FileMode) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for n, f := range sample() {
		x, err := w.Create("ropes/" + n)
		if err != nil {
			t.Fatal(err)
		}
		x.Write(f.Data)
	}
	for n, mode := range entries {
		h := &zip.FileHeader{Name: n}
		h.SetMode(mode)
		x, err := w.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		x.Write([]byte("x"))
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestArchives(t *testing.T) {
	files, err := ReadArchive(zipOf(t, nil))
	if err != nil || ContentDigest(files) != ContentDigest(sample()) {
		t.Errorf("zip: %v", err)
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for n, f := range sample() {
		if err := w.WriteHeader(&tar.Header{Name: "./ropes/" + n, Mode: 0o644, Size: int64(len(f.Data)), Typeflag: tar.TypeReg}); err != nil {
			t.Fatal(err)
		}
		w.Write(f.Data)
	}
	w.Close()
	z.Close()
	if files, err = ReadArchive(b.Bytes()); err != nil || ContentDigest(files) != ContentDigest(sample()) {
		t.Errorf("tar.gz: %v", err)
	}
	for name, says := range map[string]string{
		"../evil": "leave its folder", "/etc/passwd": "absolute", `ropes\x`: "backslash", "ropes/a\x01": "control", "ropes/Instruction.md": "differ in case",
		"ropes/a//b": "leave its folder", "C:/x": "absolute", "ropes/TESTS/x": "differ in case", "ropes/\xff": "not UTF-8", "ropes/task.toml": "twice", "ropes/nul\x00x": "control",
	} {
		if _, err := ReadArchive(zipOf(t, map[string]fs.FileMode{name: 0o644})); err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", name, err)
		}
	}
	if _, err := ReadArchive(zipOf(t, map[string]fs.FileMode{"ropes/l": fs.ModeSymlink | 0o777})); err == nil || !strings.Contains(err.Error(), "link") {
		t.Errorf("link: %v", err)
	}
	if _, err := ReadArchive([]byte("no archive")); err == nil {
		t.Error("a text is taken for an archive")
	}
}

func TestRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		edit func(Files)
		says string
	}{
		"schema":  {func(f Files) { f["task.toml"] = File{Data: []byte(`schema_version = "9.0"`)} }, "not known"},
		"toml":    {func(f Files) { f["task.toml"] = File{Data: []byte(`a = = 1`)} }, "task.toml"},
		"no task": {func(f Files) { delete(f, "instruction.md") }, "instruction.md"},
		"digest": {func(f Files) {
			f["tests/manifest.json"] = File{Data: []byte(`[{"path":"test.sh","sha256":"` + strings.Repeat("0", 64) + `"}]`)}
		}, "not that of the file"},
		"sums":     {func(f Files) { f["SHA256SUMS"] = File{Data: []byte(strings.Repeat("0", 64) + "  gone.md\n")} }, "does not hold"},
		"escaping": {func(f Files) { f["SHA256SUMS"] = File{Data: []byte(strings.Repeat("0", 64) + "  ../../gone.md\n")} }, "leave its folder"},
	} {
		f := sample()
		c.edit(f)
		if _, err := Understand(f); err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
	f := sample()
	f["environment/more.zip"] = File{Data: zipOf(t, nil)}
	if _, err := ReadFolder(fsOf(f, "")); err == nil || !strings.Contains(err.Error(), "archive (zip) inside") {
		t.Errorf("nested archive: %v", err)
	}
	f = sample()
	var office bytes.Buffer
	w := zip.NewWriter(&office)
	for _, n := range []string{"xl/workbook.xml", "xl/" + strings.Repeat("long/", 900) + "sheet.xml", "[Content_Types].xml"} {
		x, err := w.Create(n)
		if err != nil {
			t.Fatal(err)
		}
		x.Write([]byte("<x/>"))
	}
	w.Close()
	f["environment/plan.xlsx"] = File{Data: office.Bytes()}
	if _, err := ReadFolder(fsOf(f, "")); err != nil {
		t.Errorf("a workbook is taken for an archive: %v", err)
	}
	m := fsOf(sample(), "")
	m["big"] = &fstest.MapFile{Data: make([]byte, maxFile+1)}
	if _, err := ReadFolder(m); err == nil || !strings.Contains(err.Error(), "larger than") {
		t.Errorf("oversized: %v", err)
	}
	m = fsOf(sample(), "")
	for i := range maxFiles {
		m[fmt.Sprintf("environment/f%d", i)] = &fstest.MapFile{}
	}
	if _, err := ReadFolder(m); err == nil || !strings.Contains(err.Error(), "more than 4000 files") {
		t.Errorf("many: %v", err)
	}
}

func TestSecretsAreNamedNotShown(t *testing.T) {
	f := sample()
	key := "sk-" + strings.Repeat("Ab1", 12)
	f["environment/env"] = File{Data: []byte("a\nKEY=" + key + "\n")}
	u, err := Understand(f)
	if err != nil || len(u.Warnings) != 1 || !strings.HasPrefix(u.Warnings[0], "environment/env:2: ") || strings.Contains(u.Warnings[0], key) {
		t.Errorf("%v %v", u.Warnings, err)
	}
}

func TestSecretsAreFoundAnywhere(t *testing.T) {
	key := "sk-" + strings.Repeat("Ab1", 12)
	for name, c := range map[string]struct {
		text string
		want int // line; 0: none
	}{
		"at the beginning": {key, 1}, "at the end": {strings.Repeat("x\n", 5000) + key, 5001}, "behind many that are none": {strings.Repeat("sk-\n", 3000) + key, 3001},
		"within a word": {"a" + key, 0}, "of a verifier": {"\n\nVERIFIER_TOKEN=\"abcdefghijkl\"", 3}, "two": {"\n" + key + "\n" + key, 2}, "none": {strings.Repeat("sk-\n", 3000), 0},
		"in a program": {"\x7fELF\x00\x00" + strings.Repeat("\x00", 1<<20) + "\n" + key, 2},
	} {
		got := secrets(Files{"f": {Data: []byte(c.text)}})
		switch {
		case c.want == 0 && len(got) > 0, c.want > 0 && (len(got) != 1 || !strings.HasPrefix(got[0], fmt.Sprintf("f:%d: ", c.want))):
			t.Errorf("%s: %v, want line %d", name, got, c.want)
		}
	}
}

func TestTraceDialects(t *testing.T) {
	in := `{"tool":"a.b","args":{"x":1}}
{"name":"a.c","arguments":"{\"y\": 2}"}
{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"a.d","arguments":"{}"}}]}
{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a.e","arguments":{"big":12345678901234567890}}}
{"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"no such tool"}}
{"role":"assistant","content":[{"type":"text","text":"so"},{"type":"tool_use","id":"t","name":"a.f","input":{"z":[1]}}]}
{"jsonrpc":"2.0","id":8,"method":"tools/list"}
`
	tr, err := ReadTrace([]byte(in))
	if err != nil {
		t.Fatal(err)
	}
	got, err := tr.Bytes()
	want := `{"tool":"a.b","args":{"x":1}}
{"tool":"a.c","args":{"y":2}}
{"tool":"a.d","args":{}}
{"tool":"a.e","args":{"big":12345678901234567890}}
{"tool":"a.f","args":{"z":[1]}}
`
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s", err, got)
	}
	if len(tr.Failed) != 1 || !strings.HasPrefix(tr.Failed[0], "call 4 (a.e): the protocol") {
		t.Errorf("%v", tr.Failed)
	}
	for _, bad := range []string{`{"tool":"x","args":"{\"a\":"}`, `{"tool":"x","args":[1]}`, `{"x":1}`, `[]`, `{"tool_calls":[{"function":{"name":""}}]}`} {
		if _, err := ReadTrace([]byte(bad)); err == nil || !strings.HasPrefix(err.Error(), "line 1: ") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

func FuzzPackage(f *testing.F) {
	f.Add([]byte(sampleTOML), "Do it.\n\n## Tools\nx", []byte(`[{"path":"a","sha256":"0"}]`))
	f.Fuzz(func(t *testing.T, task []byte, instruction string, manifest []byte) {
		files := sample()
		files["task.toml"], files["instruction.md"], files["tests/manifest.json"] = File{Data: task}, File{Data: []byte(instruction)}, File{Data: manifest}
		stored, u, err := Import(files)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("an error of several lines: %q", err)
			}
			return
		}
		back, edited, err := Reexport(fsOf(stored, ""))
		if err != nil || edited || ContentDigest(back) != u.Content {
			t.Errorf("does not come back: %v, edited %v", err, edited)
		}
	})
}

func FuzzTrace(f *testing.F) {
	f.Add([]byte(`{"tool":"a","args":{}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		tr, err := ReadTrace(b)
		if err != nil {
			return
		}
		out, err := tr.Bytes()
		if err != nil {
			return
		}
		again, err := ReadTrace(out)
		if err != nil || len(again.Calls) != len(tr.Calls) {
			t.Errorf("%q: %v", out, err)
		}
	})
}
