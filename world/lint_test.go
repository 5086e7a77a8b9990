package world

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// vocabularyWorld is the test world with a tool that sets a lot's status to what the caller says, as declared.
func vocabularyWorld(t *testing.T, declared string) (*World, error) {
	m := tree(t)
	text := string(m["world/tools.yaml"].Data)
	text = strings.Replace(text, "required: [lot_id, revision]\n      properties: {lot_id: {type: string}, revision: {type: integer, description: The revision that was read}}",
		"required: [lot_id, to, revision]\n      properties: {lot_id: {type: string}, to: "+declared+", revision: {type: integer}}", 1)
	text = strings.Replace(text, "SET status = 'FREE', revision", "SET status = :to, revision", 1)
	if !strings.Contains(text, "status = :to") || !strings.Contains(text, "to: "+declared) {
		t.Fatal("the test world has changed")
	}
	m["world/tools.yaml"] = &fstest.MapFile{Data: []byte(text)}
	w, err := Load(m, "world", "depot")
	if err != nil {
		t.Fatal(err)
	}
	return w, w.Lint(context.Background())
}

// TestVocabularyIsDeclared: the values that a column takes stand in the schema of the tool that fills it, all that it lists are
// taken, and whoever gives another is told which are.
func TestVocabularyIsDeclared(t *testing.T) {
	if _, err := vocabularyWorld(t, "{type: string}"); err == nil || !strings.Contains(err.Error(), "takes only FREE, HELD as to, and its input schema does not say so") || !strings.Contains(err.Error(), "world/tools.yaml:") {
		t.Errorf("a hidden vocabulary: %v", err)
	}
	if _, err := vocabularyWorld(t, "{type: string, enum: [FREE, HELD, LOST]}"); err == nil || !strings.Contains(err.Error(), `has "LOST", which the table does not take`) {
		t.Errorf("a value too many: %v", err)
	}
	w, err := vocabularyWorld(t, "{type: string, enum: [FREE, HELD]}")
	if err != nil {
		t.Fatal(err)
	}
	_, sp := depot(t)
	s, err := w.NewSession(context.Background(), Spec{ID: "v", Task: sp.Task})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for i, to := range []string{"FREE", "HELD"} { // each value that is declared is taken
		if e := ask(t, s, "stores.lots.release", `{"lot_id":"WS-88","revision":`+string(rune('1'+i))+`,"to":"`+to+`"}`); !e.OK() {
			t.Errorf("%s: %v", to, e.Error)
		}
	}
	e := ask(t, s, "stores.lots.release", `{"lot_id":"WS-88","revision":3,"to":"LOST"}`)
	if e.Status != Rejected || !strings.Contains(e.Error.Message, "FREE") || !strings.Contains(e.Error.Message, "to") {
		t.Errorf("what is taken is not told: %s %v", e.Status, e.Error)
	}
}

func TestBoundColumns(t *testing.T) {
	w := &World{Tables: []*Table{{Name: "t", Columns: []Column{{Name: "a"}, {Name: "b"}, {Name: "c"}, {Name: "d"}}}}}
	for sql, want := range map[string]string{
		"INSERT INTO t (a, b, c) VALUES (:x, upper(:y, 1), :z)":              "a=x c=z",
		`INSERT OR REPLACE INTO "T" ("a") VALUES (:x)`:                       "a=x",
		"INSERT INTO t VALUES (1, :x, 2, coalesce(:y, 1))":                   "b=x d=y",
		"INSERT INTO t (a) VALUES (:x), (:y)":                                "a=x a=y",
		"UPDATE t SET a = :x, b = b + :n, c = :z WHERE d = :w":               "a=x c=z",
		"UPDATE t SET a = :x || 'y'":                                         "",
		"DELETE FROM t WHERE a = :x":                                         "",
		"INSERT INTO t (b, a) SELECT :x, :y FROM t":                          "a=y b=x",
		"INSERT INTO t (a, b) VALUES ((SELECT max(n, 1) FROM u), :x)":        "b=x",
		"INSERT INTO t (a) VALUES (:x) ON CONFLICT (a) DO UPDATE SET a = :y": "a=x a=y",
		"INSERT INTO unknown (a) VALUES (:x)":                                "",
		"INSERT INTO t (a":                                                   "",
	} {
		var parts []string
		for _, b := range w.bindings(&statement{text: sql}) {
			if b.fills {
				parts = append(parts, b.column+"="+b.param)
			}
		}
		slices.Sort(parts)
		if got := strings.Join(parts, " "); got != want {
			t.Errorf("%s fills %q, want %q", sql, got, want)
		}
	}
}
