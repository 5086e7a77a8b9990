package s2s

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/check/strictjson"
	"github.com/google/go-cmp/cmp"
)

func TestExportGivesImportedBytesBack(t *testing.T) {
	inputs := map[string][]byte{"small": []byte(small(okItem)), "odd layout": []byte("\n  " + small(okItem) + "\n\n")}
	if published, _ := ours(t); published != nil {
		inputs["ours"] = published
	}
	for name, data := range inputs {
		files, _, err := Import(data, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, lossy, err := Export(newTree(files), About{})
		if err != nil || !bytes.Equal(got, data) || len(lossy) != 0 {
			t.Errorf("%s: not given back: %v, %q", name, err, lossy)
		}
	}
	data := seed(t)
	files, _, err := Import(data, synthetic())
	if err != nil {
		t.Fatal(err)
	}
	if got, _, err := Export(newTree(files), About{}); err != nil || !bytes.Equal(got, data) {
		t.Errorf("the published file is not given back: %v", err)
	}
}

func TestExportRefusesAChangedImport(t *testing.T) {
	files, _, err := Import([]byte(small(okItem)), nil)
	if err != nil {
		t.Fatal(err)
	}
	replace := func(name, old, new string) func(map[string][]byte) {
		return func(m map[string][]byte) {
			if !bytes.Contains(m[name], []byte(old)) {
				t.Fatalf("%s has no %q", name, old)
			}
			m[name] = bytes.Replace(m[name], []byte(old), []byte(new), 1)
		}
	}
	for _, c := range []struct {
		name   string
		change func(map[string][]byte)
		want   string
	}{
		{"prompt", replace("items/x-1.yaml", "How much", "How many"), "items/x-1.yaml was changed since the import"},
		{"manifest", replace("bench.yaml", "CC0", "CC1"), "bench.yaml was changed since the import"},
		{"origin", replace(OriginFile, "nobody", "somebody"), "origin/s2s.json does not have the SHA-256 that bench.yaml records"},
		{"origin gone", func(m map[string][]byte) { delete(m, OriginFile) }, "origin/s2s.json is missing"},
		{"item added", func(m map[string][]byte) { m["items/y.yaml"] = m["items/x-1.yaml"] }, "items/y.yaml was added since the import"},
		{"item swapped", func(m map[string][]byte) { m["items/y.yaml"] = m["items/x-1.yaml"]; delete(m, "items/x-1.yaml") }, "items/y.yaml was added since the import"},
		{"importer", replace("bench.yaml", "importer: 1", "importer: 0"), "imported by another version of the importer"},
	} {
		m := maps.Clone(files)
		c.change(m)
		_, _, err := Export(newTree(m), About{})
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "take origin out of bench.yaml") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	two, _, err := Import([]byte(small(okItem+","+strings.Replace(okItem, "x-1", "x-2", 1))), nil)
	if err != nil {
		t.Fatal(err)
	}
	delete(two, "items/x-2.yaml")
	if _, _, err := Export(newTree(two), About{}); err == nil || !strings.Contains(err.Error(), "items/x-2.yaml was taken away since the import") {
		t.Errorf("an item taken away: %v", err)
	}
}

// TestExportOwn exports the shipped bench and imports what came out: everything that the schema has room for must come back.
func TestExportOwn(t *testing.T) {
	data, dir := ours(t)
	again, lossy, err := Export(dir, About{})
	if err != nil || !bytes.Equal(data, again) {
		t.Fatalf("a second export differs: %v", err)
	}
	all := strings.Join(lossy, "\n")
	for _, w := range []string{"rules: the ", "controls: the ", "fixtures: 7 files", "families: the titles of 8 families", "lists: "} {
		if !strings.Contains(all, w) {
			t.Errorf("lossy does not say %q: %q", w, lossy)
		}
	}
	for _, l := range lossy {
		if strings.Contains(l, "\n") || strings.Contains(l, "no reader knows") {
			t.Errorf("lossy: %q", l)
		}
	}
	fixtures, err := fs.Sub(dir, "fixtures")
	if err != nil {
		t.Fatal(err)
	}
	files, r, err := Import(data, fixtures)
	if err != nil {
		t.Fatal(err)
	}
	if r.Items != 22 || r.Frozen != 20 || r.Exact != 13 || r.Proxy != 7 || len(r.CannotRun) != 0 {
		t.Errorf("read again: %+v", r)
	}
	own, err := bench.Load(dir, "own")
	if err != nil {
		t.Fatal(err)
	}
	back, err := bench.Load(newTree(files), "back")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(own.Protocol, back.Protocol); diff != "" {
		t.Errorf("the protocol changed: %s", diff)
	}
	if diff := cmp.Diff(own.Counts, back.Counts); diff != "" || back.ID != own.ID+"-s2s" || back.Version != own.Version {
		t.Errorf("%s %s: %s", back.ID, back.Version, diff)
	}
	for _, id := range own.IDs() {
		a, err := own.Item(id)
		if err != nil {
			t.Fatal(err)
		}
		b, err := back.Item(id)
		if err != nil {
			t.Fatal(err)
		}
		for _, key := range []string{"prompt", "fixture", "notes"} {
			x, y := a.Node.Get(key), b.Node.Get(key)
			if (x == nil) != (y == nil) || x != nil && x.Text != y.Text {
				t.Errorf("%s: %s changed", id, key)
			}
		}
		if diff := cmp.Diff(a.Node.Get("expect").Any(), b.Node.Get("expect").Any()); diff != "" {
			t.Errorf("%s: expect changed: %s", id, diff)
		}
		if a.Frozen != b.Frozen || a.Basis != b.Basis || a.Family != b.Family {
			t.Errorf("%s: %+v became %+v", id, a.Head, b.Head)
		}
	}
}

const ownBench = `
id: own
version: "2.1"
title: A set
licence: CC0
attribution: us
shape: prompt
families: [{id: f, quota: 1}, {id: g}]
protocol:
  repeats: 3
  pass_rule: all
  context: 1000
  seed: 7
  default_posture: base
  postures:
    base: {max_output: 100, timeout: 1500ms}
    deep: {thinking: "on", max_output: 200, timeout: 9s, models: [plainname, "x:1"]}
    effort: {thinking: high, max_output: 300, timeout: 10s}
`

func ownFS(items map[string]string) fstest.MapFS {
	out := fstest.MapFS{"bench.yaml": {Data: []byte(ownBench)}}
	for id, text := range items {
		out["items/"+id+".yaml"] = &fstest.MapFile{Data: []byte("id: " + id + "\nfamily: f\nbasis: exact\n" + text)}
	}
	return out
}

func TestExportSaysWhatIsLost(t *testing.T) {
	fsys := ownFS(map[string]string{
		"a-1":      "prompt: |-\n  Say it.\n  {passage}\nfixture: p.txt\nrules:\n  - words: {max: 3}\n  - present: hello\n",
		"c2-num-1": "prompt: How much?\nfrozen: false\nexpect: {value: 7, unit: kg, accepted: [\"7\"]}\nrules:\n  - answer: {number: \"7\"}\ncontrols:\n  accept:\n    - answer: \"ANSWER: 7\"\n",
		"c2-num-3": "prompt: How much?\nexpect: {value: 7.50, accepted: [\"7.5\"]}\nrules:\n  - answer: {number: \"7\"}\n",
	})
	data, lossy, err := Export(fsys, About{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"rules: the 4 rules of 3 items have no place in the schema; a reader makes its own of the checker's name and the expect",
		"controls: the 1 controls of 1 items have no place in the schema",
		"fixtures: 1 files are named and not part of the file; hand over the folder fixtures/ beside it",
		"item a-1: it has no expect, so none is written",
		`item a-1: the checker is written as "rules:words+present", which no reader knows; read again, the item cannot run`,
		`item c2-num-1: the expect is not what check_c2_num_1 takes (unknown key "unit" in expect, which check_c2_num_1 may test), so the checker is written as "rules:answer", which no reader knows; read again, the item cannot run`,
		"published_utc: the bench is not frozen, so there is no date; its version stands in the key version",
		"protocol: the seed 7 has no place in the schema",
		"protocol: the timeout 1.5s of the posture base is written as 2 s",
		"protocol: the model plainname of the posture deep has no tag (NAME:TAG), by which a reader would know it in the sentence",
		"protocol: the posture effort has no place in the schema, which knows the default and one with thinking on",
	}
	if diff := cmp.Diff(want, lossy); diff != "" {
		t.Error(diff)
	}
	v, err := strictjson.Parse(string(data))
	if err != nil {
		t.Fatal(err)
	}
	if n := v.Get("items").Values[2].Get("expect").Get("value"); n.Kind != strictjson.Number || n.Text != "7.50" {
		t.Errorf("the number became %+v", n)
	}
	_, r, err := Import(data, fstest.MapFS{"p.txt": {Data: []byte("A passage.")}})
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(blocked(r)) != "[a-1 c2-num-1]" || r.Bench != "own-s2s@2.1" {
		t.Errorf("read again: %+v", r)
	}
}

func TestExportFrozen(t *testing.T) {
	fsys := ownFS(map[string]string{"c2-num-3": "prompt: How much?\nexpect: {value: 7.50, accepted: [\"7.5\"]}\nrules:\n  - answer: {number: \"7\"}\n"})
	freeze, err := bench.NewFreeze(fsys, time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC), "x", 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	fsys[bench.FreezeFile] = &fstest.MapFile{Data: freeze}
	data, _, err := Export(fsys, About{})
	if err != nil || !strings.Contains(string(data), `"published_utc": "2026-05-06T07:08:09Z"`) {
		t.Errorf("%v: %s", err, data)
	}
	if _, r, err := Import(data, nil); err != nil || r.Bench != "own-s2s@2.1" {
		t.Errorf("read again: %+v, %v", r, err)
	}
	fsys["items/c2-num-3.yaml"].Data = append(fsys["items/c2-num-3.yaml"].Data, "notes: changed\n"...)
	if _, _, err := Export(fsys, About{}); err == nil || !strings.Contains(err.Error(), "items/c2-num-3.yaml: differs from FREEZE.json") {
		t.Errorf("a frozen bench that was changed: %v", err)
	}
}

func TestExportRefuses(t *testing.T) {
	premise := ownFS(map[string]string{"a": "x: 1\n"})
	premise["bench.yaml"].Data = bytes.Replace(premise["bench.yaml"].Data, []byte("shape: prompt"), []byte("shape: premise"), 1)
	for _, c := range []struct {
		name string
		fsys fs.FS
		want string
	}{
		{"no bench", os.DirFS(t.TempDir()), "is not a bench"},
		{"shape", premise, `has the shape "premise"`},
		{"no prompt", ownFS(map[string]string{"a": "rules: []\n"}), `the key "prompt" is missing`},
		{"expect", ownFS(map[string]string{"a": "prompt: x\nexpect: [1]\n"}), "expect is a mapping in the schema"},
	} {
		if _, _, err := Export(c.fsys, About{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestTree(t *testing.T) {
	files := map[string][]byte{"a.txt": []byte("a"), "d/e/f.txt": []byte("f"), "d/b.txt": nil}
	if err := fstest.TestFS(newTree(files), "a.txt", "d/e/f.txt", "d/b.txt"); err != nil {
		t.Error(err)
	}
}
