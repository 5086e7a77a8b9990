package check

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/assaybench/assay/bench"
)

var yamlBlock = regexp.MustCompile("(?ms)^```yaml\n(.*?)^```$")

func document(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile("../docs/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestRulesDocument: every kind has a heading, every example compiles and judges as it says.
func TestRulesDocument(t *testing.T) {
	text := document(t, "rules.md")
	headings := ""
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "### ") {
			headings += line
		}
	}
	shown := map[string]bool{}
	judged := 0
	for _, m := range yamlBlock.FindAllStringSubmatch(text, -1) {
		set := one(t, m[1])
		it, err := set.Item("x")
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range it.rules {
			shown[r.kind.name] = true
		}
		for line := range strings.Lines(m[1]) {
			word, quoted, ok := strings.Cut(strings.TrimSpace(line), ": ")
			if !ok || word != "# passes" && word != "# fails" {
				continue
			}
			var answer string
			if err := json.Unmarshal([]byte(quoted), &answer); err != nil {
				t.Errorf("%s: %v", line, err)
				continue
			}
			judged++
			if v := set.answer(t, "x", answer); v.Pass != (word == "# passes") {
				t.Errorf("%s%s: pass is %v: %+v", m[1], line, v.Pass, v.Findings)
			}
		}
	}
	for _, k := range Kinds() {
		if !strings.Contains(headings, "`"+k.Name+"`") {
			t.Errorf("docs/rules.md has no heading for %s", k.Name)
		}
		if !shown[k.Name] {
			t.Errorf("docs/rules.md has no example of %s", k.Name)
		}
		if k.Doc == "" || k.Version < 1 {
			t.Errorf("%s has no description or no version", k.Name)
		}
	}
	if judged < 60 {
		t.Errorf("only %d answers were judged", judged)
	}
}

var namedBlock = regexp.MustCompile("(?ms)^`([^`\n]+)`:\n\n```(?:yaml|json)\n(.*?)^```$")

// TestFormatDocument builds a bench out of the document's named blocks and loads it.
func TestFormatDocument(t *testing.T) {
	text := document(t, "bench-format.md")
	m := fstest.MapFS{}
	for _, b := range namedBlock.FindAllStringSubmatch(text, -1) {
		m[b[1]] = &fstest.MapFile{Data: []byte(b[2])}
	}
	for _, p := range []string{"bench.yaml", "items/notice-1.yaml", "items/passage-1.yaml", "items/count-1.yaml"} {
		if m[p] == nil {
			t.Fatalf("docs/bench-format.md does not show %s", p)
		}
	}
	m["fixtures/passages/harbour.txt"] = &fstest.MapFile{Data: []byte("The harbour has 12 berths.\n")}
	m["fixtures/logs/app.log"] = &fstest.MapFile{Data: []byte("one error\nfine\n")}
	m["fixtures/logs-b/app.log"] = &fstest.MapFile{Data: []byte("error\nerror\n")}
	shown := m["FREEZE.json"]
	delete(m, "FREEZE.json")
	set := mustLoad(t, m)
	if len(set.Blocked()) > 0 {
		t.Errorf("blocked: %v", set.Blocked())
	}
	set.box = fakeBox{}
	for h := range set.Heads() {
		controls, err := set.Controls(h.ID)
		if err != nil {
			t.Fatal(err)
		}
		accept, reject := 0, 0
		for _, c := range controls {
			v := set.answer(t, h.ID, c.Answer)
			var broken []string
			for _, f := range v.Findings {
				if !f.Pass && !f.Skipped {
					broken = append(broken, f.Rule)
				}
			}
			if v.Pass != c.Accept || fmt.Sprint(broken) != fmt.Sprint(c.Breaks) {
				t.Errorf("%s, %s: pass %v, broken %v, want %v", h.ID, c.Name, v.Pass, broken, c.Breaks)
			}
			if c.Accept {
				accept++
			} else {
				reject++
			}
		}
		if h.ID == "notice-1" && (accept < 2 || reject < 4) {
			t.Errorf("%s shows %d and %d controls", h.ID, accept, reject)
		}
	}
	if shown == nil {
		t.Fatal("docs/bench-format.md does not show FREEZE.json")
	}
	// The freeze shown is one of another tree: it must be read, and name the file that differs.
	m["FREEZE.json"] = shown
	if _, err := bench.Inspect(m); err == nil || !strings.Contains(err.Error(), "differs from FREEZE.json") && !strings.Contains(err.Error(), "is not in FREEZE.json") {
		t.Errorf("the freeze shown: %v", err)
	}
}
