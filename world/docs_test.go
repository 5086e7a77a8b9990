package world

import (
	"context"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/assaybench/assay/bench"
)

// TestDocumentedWorld loads the world that docs/worlds.md is made of, and makes its calls.
func TestDocumentedWorld(t *testing.T) {
	text, err := os.ReadFile("../docs/worlds.md")
	if err != nil {
		t.Fatal(err)
	}
	m := fstest.MapFS{"tasks/saw-1/public/evidence/rules.md": {Data: []byte("# Rules\n")}}
	for _, b := range regexp.MustCompile("(?ms)^```[a-z]+ file=(\\S+)\n(.*?)^```$").FindAllSubmatch(text, -1) {
		m[string(b[1])] = &fstest.MapFile{Data: b[2]}
	}
	if len(m) != 10 {
		t.Fatalf("%d files", len(m))
	}
	w, err := Load(m, "world", "desk")
	if err != nil {
		t.Fatal(err)
	}
	const dir = "tasks/saw-1/"
	n, err := bench.Parse(dir+"public/task.yaml", m[dir+"public/task.yaml"].Data)
	if err != nil {
		t.Fatal(err)
	}
	task, err := w.ReadTask(n, m, dir+"public")
	if err != nil {
		t.Fatal(err)
	}
	staged, err := w.ReadStaged(m, dir+"sealed")
	if err != nil {
		t.Fatal(err)
	}
	calls := trace(t, string(m["calls"].Data))
	s := open(t, w, Spec{ID: "docs", Task: task, Staged: staged})
	wants := []string{"", `"loan":null,"revision":4,"state":"IN"`, `{"items":[{"available":true,"fee":3.1,"item_id":"IT-003","name":"Säge für Rohre"}],"next_cursor":null,"total":1}`,
		`"text":"# Rules\n"`, `{"due":"2033-02-12","loan_id":"LN-0008","made_at":"2033-02-07T08:35:00","made_by":"u-ruth"}`,
		`{"history":[{"extra":["blade"],"loan_id":"LN-0008"}],"item_id":"IT-001","loan":{"due":"2033-02-12","loan_id":"LN-0008"},"revision":5,"state":"OUT"}`, `{"sent":1}`, `"accepted":true`}
	for i, c := range calls {
		e := ask(t, s, c.Tool, string(c.Args))
		if e.OK() != (i > 0) || i == 0 && e.Error.Code != Transient || !strings.Contains(string(e.Result), wants[i]) {
			t.Errorf("%s: %s %s %v", c.Tool, e.Status, e.Result, e.Error)
		}
	}
	if ch, err := s.Changes(context.Background()); err != nil || len(ch) != 3 || len(calls) != len(wants) {
		t.Errorf("%d changes, %v", len(ch), err)
	}
	if _, err := w.Exercise(context.Background(), []Trial{{Name: "calls", Task: task, Staged: staged, Trace: calls}}); err != nil {
		t.Error(err)
	}
	for _, list := range [][]string{keywords, formats, codes, evidenceProps, TaskKeys, engineParams} { // each is told of
		for _, word := range list {
			if !strings.Contains(string(text), word) {
				t.Errorf("the page does not tell of %q", word)
			}
		}
	}
	for _, f := range fieldTypes {
		if !strings.Contains(string(text), "| `"+string(f)+"` |") {
			t.Errorf("the page does not tell of the field type %s", f)
		}
	}
}
