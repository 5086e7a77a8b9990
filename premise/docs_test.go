package premise

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The line of a private set that docs/premise.md shows checks clean, and all keys and kinds are told of. Its small bench is checked
// by the program itself.
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
	b := desk(t).Bench()
	p, err := OpenPrivate(b, "docs.jsonl", []byte(strings.ReplaceAll(block(`{"id":"H-01"`), "\n", "")))
	if err != nil {
		t.Fatal(err)
	}
	if c, err := p.SelfCheck(t.Context()); err != nil || len(c.Faults) > 0 || c.PairsOK != 1 {
		t.Errorf("%+v, %v", c, err)
	}
	keys := []string{"protocol.repeats", "protocol.pass_rule", "protocol.context", "protocol.default_posture", "protocol.postures"}
	for _, k := range b.Own.Keys {
		keys = append(keys, "premise."+k.Text)
	}
	for _, k := range keys {
		_, name, _ := strings.Cut(k, ".")
		if !strings.Contains(string(data), "| `"+k+"`") && !strings.Contains(string(data), ", `"+name+"` | ") {
			t.Errorf("the document's table lacks the key %s", k)
		}
	}
	for _, k := range Kinds {
		if !strings.Contains(string(data), k) {
			t.Errorf("the document does not name the kind %s", k)
		}
	}
}
