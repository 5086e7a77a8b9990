package bench

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

const manifest = `id: sample
version: 1.2.0
title: Sample
licence: CC-BY-4.0
attribution: somebody
shape: prompt
families:
  - {id: one, title: One, quota: 2}
  - {id: two}
counts: {frozen: 2, drafted: 3, exact: 1, proxy: 1}
protocol:
  temperature: 0
  top_p: 1
  seed: 7
  repeats: 2
  pass_rule: all
  context: 32768
  default_posture: plain
  postures:
    plain: {max_output: 1536, timeout: 240s}
    thinking: {thinking: "on", max_output: 4096, timeout: 10m, models: [big, bigger]}
lists:
  drinks: [tea, coffee]
limits: [small]
origin: {schema: s2s, at: 2026-01-31}
`

func itemFile(id string) string {
	return "id: " + id + "\nfamily: one\nbasis: exact\nprompt: p\n"
}

func sample() fstest.MapFS {
	m := fstest.MapFS{"bench.yaml": {Data: []byte(manifest)}}
	for _, id := range []string{"b-2", "a", "b.1"} {
		m["items/"+id+".yaml"] = &fstest.MapFile{Data: []byte(itemFile(id))}
	}
	return m
}

func TestLoad(t *testing.T) {
	b, err := Load(sample(), "here")
	if err != nil {
		t.Fatal(err)
	}
	p := b.Protocol
	thinking, ok := p.Posture("thinking")
	switch {
	case b.Name() != "sample@1.2.0" || b.Source != "here" || b.Title != "Sample" || b.Licence != "CC-BY-4.0" || b.Attribution != "somebody" || b.Shape != ShapePrompt:
		t.Errorf("the head is %+v", b)
	case fmt.Sprint(b.IDs()) != "[a b-2 b.1]" || !b.Has("a") || b.Has("c"):
		t.Errorf("the items are %v", b.IDs())
	case len(b.Families) != 2 || b.Families[0] != (Family{"one", "One", 2}) || b.Families[1] != (Family{"two", "", -1}):
		t.Errorf("the families are %v", b.Families)
	case *b.Counts != Counts{2, 3, 1, 1}:
		t.Errorf("the counts are %v", *b.Counts)
	case *p.Temperature != 0 || *p.TopP != 1 || *p.Seed != 7 || p.Repeats != 2 || p.PassRule != "all" || p.Context != 32768 || p.DefaultPosture != "plain" || len(p.Postures) != 2:
		t.Errorf("the protocol is %+v", p)
	case !ok || thinking.Thinking != "on" || thinking.MaxOutput != 4096 || thinking.Timeout != 10*time.Minute || fmt.Sprint(thinking.Models) != "[big bigger]":
		t.Errorf("the posture is %+v", thinking)
	case fmt.Sprint(b.Lists) != "map[drinks:[tea coffee]]" || fmt.Sprint(b.Limits) != "[small]" || b.Origin.Get("at").Text != "2026-01-31":
		t.Errorf("lists %v, limits %v, origin %v", b.Lists, b.Limits, b.Origin)
	}
	it, err := b.Item("b.1")
	if err != nil || it.ID != "b.1" || !it.Frozen || it.File != "items/b.1.yaml" || it.Node.Get("prompt").Line != 4 {
		t.Errorf("the item is %+v, %v", it, err)
	}
	if _, err := b.Item("b-3"); err == nil || !strings.Contains(err.Error(), `sample@1.2.0 has no item "b-3"; did you mean "b-2"?`) {
		t.Errorf("an unknown item: %v", err)
	}
	if _, ok := p.Posture("fast"); ok {
		t.Error("an unknown posture is known")
	}
}

func TestManifestFaults(t *testing.T) {
	for _, c := range []struct{ old, new, says string }{
		{"id: sample", "id: Sample", `bench.yaml:1:5: the id "Sample"`},
		{"id: sample", "id: a..b", `bench.yaml:1:5: the id "a..b"`},
		{"id: sample", "id: ''", `bench.yaml:1:5: "id" is empty`},
		{"version: 1.2.0", "version: 1@2", "bench.yaml:2:10: a version has no @"},
		{"version: 1.2.0\n", "", `bench.yaml:1:1: the key "version" is missing`},
		{"title: Sample", "title: ~", `bench.yaml:3:8: a text is wanted here, and this is null`},
		{"title: Sample", "titel: Sample", `bench.yaml:3:1: unknown key "titel"; did you mean "title"?`},
		{"licence: CC-BY-4.0\n", "", `the key "licence" is missing`},
		{"shape: prompt", "shape: quiz", `bench.yaml:6:8: the shape "quiz" is not known`},
		{"{id: two}", "{id: one}", `bench.yaml:9:5: the family id "one" is malformed or stands twice`},
		{"{id: two}", "{id: two, quota: -1}", "bench.yaml:9:22: a quota cannot be negative"},
		{"{id: two}", "{id: two, quota: many}", "bench.yaml:9:22: a whole number"},
		{"{id: two}", "{id: two, size: 3}", `unknown key "size"`},
		{"{id: two}", "two", "bench.yaml:9:5: a mapping"},
		{"exact: 1, proxy", "proxy", `the key "exact" is missing`},
		{"temperature: 0", "temperature: -1", "a temperature cannot be negative"},
		{"temperature: 0", "temperature: cold", "a number is wanted for temperature"},
		{"temperature: 0", "temperature: .nan", "a number is wanted for temperature"},
		{"top_p: 1", "top_p: 1.5", "top_p lies above 0 and is at most 1"},
		{"seed: 7", "seed: seven", "a whole number"},
		{"repeats: 2", "repeats: 0", "repeats must be 1 to 1000"},
		{"repeats: 2", "repeats: 1001", "repeats must be 1 to 1000"},
		{"pass_rule: all", "pass_rule: any", `the pass rule "any" is not known`},
		{"pass_rule: all\n  ", "", `the key "pass_rule" is missing`},
		{"context: 32768", "context: 1\n  unhonoured: ignore", "unhonoured is record or refuse"},
		{"context: 32768", "context: 1\n  unhonoured: [record]", "a text is wanted here"},
		{"context: 32768", "context: -1", "cannot be negative"},
		{"default_posture: plain", "default_posture: plane", `the default posture "plane" is not among the postures`},
		{"{max_output: 1536, timeout: 240s}", "{max_output: 0, timeout: 240s}", "posture plain: max_output (tokens) must be at least 1"},
		{"{max_output: 1536, timeout: 240s}", "{max_output: 1536}", "posture plain: a timeout such as 240s is missing"},
		{"{max_output: 1536, timeout: 240s}", "{max_output: 1536, timeout: 240}", "a length of time"},
		{"{max_output: 1536, timeout: 240s}", "{max_output: 1536, timeout: -5s}", "a length of time"},
		{`thinking: "on"`, "thinking: deep", "thinking is off, on, or an effort"},
		{"drinks: [tea, coffee]", "drinks: []", "a text or a list of texts"},
		{"drinks: [tea, coffee]", "drinks: [tea, '']", `the list "drinks" holds an empty text`},
		{"limits: [small]", "limits: {a: b}", "a text or a list of texts"},
	} {
		m := sample()
		text := strings.Replace(manifest, c.old, c.new, 1)
		if text == manifest {
			t.Fatalf("%q is not in the manifest", c.old)
		}
		m["bench.yaml"] = &fstest.MapFile{Data: []byte(text)}
		if _, err := Load(m, "here"); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q instead of %q: %v\n\twant %s", c.new, c.old, err, c.says)
		}
	}
}

func TestNotABench(t *testing.T) {
	for name, c := range map[string]struct {
		m    fstest.MapFS
		says string
	}{
		"no bench.yaml": {fstest.MapFS{"a": {}}, "here is not a bench: bench.yaml does not exist; a bench is a folder or .zip with a bench.yaml"},
		"empty":         {fstest.MapFS{"bench.yaml": {}}, "bench.yaml: the file is empty"},
		"no items":      {fstest.MapFS{"bench.yaml": {Data: []byte(manifest)}}, "here: there is no items/ folder"},
		"other file":    {fstest.MapFS{"bench.yaml": {Data: []byte(manifest)}, "items/a.yml": {}}, "items/a.yml: not an item file"},
		"capitals":      {fstest.MapFS{"bench.yaml": {Data: []byte(manifest)}, "items/aB.yaml": {}, "items/Ab.yaml": {}}, `two items are named "ab" but for capitals`},
		"a capital":     {fstest.MapFS{"bench.yaml": {Data: []byte(manifest)}, "items/ab.yaml": {}, "items/Ab.yaml": {}}, `two items are named "ab" but for capitals`},
		"a folder":      {fstest.MapFS{"bench.yaml": {Data: []byte(manifest)}, "items/a.yaml/b": {}}, "items/a.yaml: not an item file"},
		"hidden":        {fstest.MapFS{"bench.yaml": {Data: []byte(manifest)}, "items/.DS_Store": {}}, "items/.DS_Store: not an item file"},
	} {
		if _, err := Load(c.m, "here"); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %s", name, err, c.says)
		}
	}
}

func TestValidID(t *testing.T) {
	for _, id := range []string{"a", "0", "c2-cw-1", "a.b", "a_b", strings.Repeat("a", 100)} {
		if !ValidID(id) {
			t.Errorf("%q must be valid", id)
		}
	}
	for _, id := range []string{"", "A", "a b", "-a", "a-", ".", "..", "a..b", "a/b", "a\\b", "é", "a\x00", "a\n", ".a", "a.", strings.Repeat("a", 101)} {
		if ValidID(id) {
			t.Errorf("%q must not be valid", id)
		}
	}
}

func TestValidItem(t *testing.T) {
	for id, valid := range map[string]bool{"P-01": true, "a": true, "A": true, "": false, "-A": false, "A b": false, "Ä": false} {
		if ValidItem(id) != valid {
			t.Errorf("%q: %v", id, !valid)
		}
	}
}

func TestFixture(t *testing.T) {
	m := sample()
	m["fixtures/a/b.txt"] = &fstest.MapFile{Data: []byte("text")}
	b, err := Load(m, "here")
	if err != nil {
		t.Fatal(err)
	}
	if data, err := b.Fixture("a/b.txt"); err != nil || string(data) != "text" {
		t.Errorf("%q, %v", data, err)
	}
	for name, says := range map[string]string{"../bench.yaml": "not a path below fixtures/", "/etc/passwd": "not a path below", ".": "not a path below", "": "not a path below", "a/../../bench.yaml": "not a path below",
		"none": "fixtures/none: does not exist", "a": "fixtures/a: "} {
		if data, err := b.Fixture(name); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %q, %v", name, data, err)
		}
	}
}

func TestProtocolDigest(t *testing.T) {
	b, err := Load(sample(), "here")
	if err != nil {
		t.Fatal(err)
	}
	want := b.Protocol.Digest()
	if len(want) != 64 {
		t.Fatalf("the digest is %q", want)
	}
	for name, change := range map[string]func(*Protocol){
		"temperature": func(p *Protocol) { p.Temperature = nil },
		"repeats":     func(p *Protocol) { p.Repeats++ },
		"context":     func(p *Protocol) { p.Context++ },
		"seed":        func(p *Protocol) { v := int64(1<<53 + 1); p.Seed = &v },
		"timeout":     func(p *Protocol) { p.Postures[0].Timeout++ },
		"models":      func(p *Protocol) { p.Postures[1].Models = nil },
	} {
		again, err := Load(sample(), "there")
		if err != nil {
			t.Fatal(err)
		}
		if again.Protocol.Digest() != want {
			t.Fatal("the digest of the same protocol differs")
		}
		change(&again.Protocol)
		if again.Protocol.Digest() == want {
			t.Errorf("%s is not in the digest", name)
		}
	}
}

func TestNearest(t *testing.T) {
	known := []string{"exactly", "max", "min"}
	for word, want := range map[string]string{"exacty": `; did you mean "exactly"?`, "mx": `; did you mean "max"?`, "zebra": "; known: exactly, max, min"} {
		if got := Nearest(word, known); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", word, got, want)
		}
	}
	if Nearest("a", nil) != "" {
		t.Error("with nothing known there is nothing to say")
	}
}
