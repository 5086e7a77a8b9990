package bench

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

func TestParseRefuses(t *testing.T) {
	deep := strings.Repeat("[", 66) + strings.Repeat("]", 66)
	bomb := "a: &a [x,x,x,x,x,x,x,x,x]\n"
	for _, l := range "bcdefghi" {
		p := string(l - 1)
		bomb += string(l) + ": &" + string(l) + " [*" + strings.Repeat(p+",*", 8) + p + "]\n"
	}
	for name, c := range map[string]struct{ in, says string }{
		"empty":             {"", "f.yaml: the file is empty"},
		"only a comment":    {"# nothing\n", "f.yaml: the file is empty"},
		"duplicate key":     {"a: 1\nb: 2\na: 3\n", `f.yaml:3:1: the key "a" stands twice (first in line 1)`},
		"nested duplicate":  {"a: [{b: 1, b: 2}]\n", `f.yaml:1:12: the key "b" stands twice`},
		"quoted duplicate":  {"a: 1\n\"a\": 2\n", `f.yaml:2:1: the key "a" stands twice`},
		"escaped duplicate": {"a: 1\n\"\\x61\": 2\n", `f.yaml:2:1: the key "a" stands twice`},
		"anchor":            {"a: &x 1\n", "f.yaml:1:4: anchors and aliases"},
		"alias":             {"a: &x 1\nb: *x\n", "anchors and aliases"},
		"merge key":         {"<<: {a: 1}\n", "f.yaml:1:1: merge keys"},
		"tag":               {"a: !!str 1\n", "f.yaml:1:4: the tag !!str"},
		"local tag":         {"a: !x 1\n", "f.yaml:1:4: the tag !x"},
		"binary":            {"a: !!binary aGk=\n", "the tag !!binary"},
		"tagged key":        {"!!str a: 1\n", "the tag !!str"},
		"complex key":       {"[a, b]: 1\n", "f.yaml:1:1: a key must be plain text"},
		"mapping key":       {"? {a: 1}\n: 2\n", "a key must be plain text"},
		"two documents":     {"a: 1\n---\nb: 2\n", "f.yaml:2:1: a second YAML document"},
		"empty second":      {"a: 1\n---\n", "a second YAML document"},
		"broken second":     {"a: 1\n---\n[", "not YAML"},
		"not YAML":          {"a: [1\nb: 2\n", "f.yaml:"},
		"tab":               {"a:\n\t- b\n", "f.yaml:2:1: not YAML"},
		"deep":              {deep, "nested more than 64 deep"},
		"very deep":         {strings.Repeat("[", 1_000_000), "f.yaml:"},
		"very deep blocks":  {strings.Repeat("- ", 100_000), "f.yaml:"},
		"deep mappings":     {strings.Repeat("{a: ", 20_000), "f.yaml:"},
		"bomb":              {bomb, "anchors and aliases"},
		"not UTF-8":         {"a: \xff\n", "f.yaml: the file is not UTF-8"},
		"UTF-16":            {"\xff\xfea\x00:\x00", "f.yaml: the file is not UTF-8"},
		"control":           {"a: \x01\n", "f.yaml"},
		"too long":          {strings.Repeat("#", maxYAMLBytes+1), "at most"},
	} {
		n, err := Parse("f.yaml", []byte(c.in))
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, %v; want %s", name, n, err, c.says)
			continue
		}
		if _, ok := errors.AsType[*Error](err); !ok || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: the error is %T %q", name, err, err)
		}
	}
}

func TestParseKeepsTexts(t *testing.T) {
	n, err := Parse("f.yaml", []byte("\ufeffdate: 2026-01-31\nnumber: 71.50\nyes: no\nquoted: \"71.50\"\nblock: |\n  a\n  b\nnull: ~\nempty:\nlist: [1, -2.50, 1e3, 007, true, 'true', null]\n"))
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{"date": "2026-01-31", "number": "71.50", "yes": "no", "quoted": "71.50", "block": "a\nb\n", "null": "~", "empty": ""} {
		if got := n.Get(key); got == nil || got.Text != want {
			t.Errorf("%s is %+v, want %q", key, got, want)
		}
	}
	if n.Get("number").Quoted || !n.Get("quoted").Quoted || !n.Get("block").Quoted || !n.Get("null").IsNull() || !n.Get("empty").IsNull() || n.Get("quoted").IsNull() {
		t.Error("quoted or null is wrong")
	}
	if n.Get("quoted").Line != 4 || n.Get("quoted").Column != 9 || n.Get("list").Values[1].Column != 11 {
		t.Errorf("places: %+v %+v", n.Get("quoted"), n.Get("list").Values[1])
	}
	b, err := json.Marshal(n.Get("list").Any())
	if err != nil || string(b) != `[1,-2.50,"1e3","007",true,"true",null]` {
		t.Errorf("the list is %s, %v", b, err)
	}
	if n.Get("list").Get("x") != nil || (*Node)(nil).Get("x") != nil {
		t.Error("Get on what is no mapping")
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{manifest, "a: &b [1]\nc: *b", "- - - -", "? a\n: b\n---\n", "{a: 1, a: 2}", "a: |\n  x\n", "\"\\x00\": 'it''s'", "!!map {}", "%YAML 1.2\n---\na"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		n, err := Parse("f.yaml", data)
		if err != nil {
			if e, ok := errors.AsType[*Error](err); !ok || e.File != "f.yaml" || strings.Contains(err.Error(), "\n") {
				t.Fatalf("%q: the error is %T %q", data, err, err)
			}
			return
		}
		var check func(n *Node, depth int)
		check = func(n *Node, depth int) {
			if n.Line < 1 || n.Column < 1 || depth > maxDepth+1 || n.Kind == Map && len(n.Keys) != len(n.Values) {
				t.Fatalf("%q: %+v at depth %d", data, n, depth)
			}
			for i, v := range n.Values {
				if n.Kind == Map && n.Get(n.Keys[i].Text) != v {
					t.Fatalf("%q: the key %q gives another value", data, n.Keys[i].Text)
				}
				check(v, depth+1)
			}
		}
		check(n, 0)
		if _, err := json.Marshal(n.Any()); err != nil {
			t.Fatalf("%q: %v", data, err)
		}
	})
}

// A text with a colon and without quotes is the commonest fault of these files: it is told where it stands, and how it is mended.
func TestColonInside(t *testing.T) {
	for text, place := range map[string]string{
		"body: bizDay |> roll(Preceding, on: bizDay)\nc: 1\n":                                  "f:1:35: ",
		"a:\n  - key: x\n    body: x |> roll(Preceding, on: bizDay)\n    c: 1\n":               "f:3:34: ",
		"a:\r\n  - key: x\r\n    body: >\r\n      x\r\n    c: roll(Preceding, on: bizDay)\r\n": "f:5:26: ",
		"a:\n  - key: x\n    body: x\n     y\n     roll on: bizDay\n    d: 1\n":                "f:5:13: ",
	} {
		_, err := Parse("f", []byte(text))
		if err == nil || !strings.HasPrefix(err.Error(), place) || !strings.Contains(err.Error(), `put the text in quotes, or on lines of its own below "key: |"`) {
			t.Errorf("%q: %v, want %s", text, err, place)
		}
	}
	if _, err := Parse("f", []byte("a: [1\nb: 2\n")); err == nil || strings.Contains(err.Error(), "in quotes") {
		t.Errorf("another fault: %v", err)
	}
}
