package premise

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assaybench/assay/bench"
)

// The examples of docs/premise.md are true: the problem checks clean, and so does the line of a private set.
func TestDocs(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "docs", "premise.md"))
	if err != nil {
		t.Fatal(err)
	}
	block := func(begins string) string {
		_, rest, ok := strings.Cut(string(data), "\n"+begins)
		text, _, _ := strings.Cut(rest, "\n```")
		if !ok {
			t.Fatalf("the document has no block that begins with %s", begins)
		}
		return begins + text + "\n"
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "desk"))); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "items", "P-01.yaml"), []byte(block("id: P-01")), 0o644); err != nil {
		t.Fatal(err)
	}
	b, err := bench.Load(os.DirFS(dir), "docs")
	if err != nil {
		t.Fatal(err)
	}
	s, err := Compile(b)
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.SelfCheck(t.Context())
	if err != nil || len(c.Faults) > 0 || c.Controls != 30 || len(c.Warnings) > 0 {
		t.Errorf("%+v, %v", c, err)
	}
	p, err := OpenPrivate(b, "docs.jsonl", []byte(strings.ReplaceAll(block(`{"id":"H-01"`), "\n", "")))
	if err != nil {
		t.Fatal(err)
	}
	if c, err := p.SelfCheck(t.Context()); err != nil || len(c.Faults) > 0 || c.PairsOK != 1 {
		t.Errorf("%+v, %v", c, err)
	}
	own, err := bench.Parse("docs", []byte(block("premise:")))
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range b.Own.Keys {
		if own.Get("premise").Get(k.Text) == nil {
			t.Errorf("the document does not show the key %s", k.Text)
		}
	}
	for _, k := range Kinds {
		if !strings.Contains(string(data), k) {
			t.Errorf("the document does not name the kind %s", k)
		}
	}
}
