package world

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/assaybench/assay/bench"
)

// TestLongSearch: a query and a text that are both long take time by their sum, in scripts with spaces and without.
func TestLongSearch(t *testing.T) {
	began := time.Now()
	for name, letters := range map[string]string{"spaced": "abcdefghij", "unspaced": "山川田中木水火土金日"} {
		r := []rune(letters)
		var text, miss strings.Builder
		for i := range 60_000 {
			for n := i; n > 0; n /= 10 {
				text.WriteRune(r[n%10])
			}
			text.WriteByte(' ')
		}
		miss.WriteString(text.String())
		miss.WriteString("zz" + string(r[0]) + "q")
		for q, want := range map[string]int64{text.String(): 1, miss.String(): 0} {
			got, err := searchSQL(nil, []driver.Value{q, text.String()})
			if err != nil || got != want {
				t.Errorf("%s: %v, %v, want %d", name, got, err, want)
			}
		}
	}
	if d := time.Since(began); d > 8*time.Second {
		t.Errorf("it took %v", d)
	}
	for _, c := range []struct {
		query, text string
		want        int64
	}{
		{"a b c d e f g h i", "abc bcd cde def efg fgh ghi hij ijk", 1}, {"a b c d e f g h x", "abc bcd cde def efg fgh ghi hij ijk", 0},
		{"abcd a b c d e f g h", "abc bcd cde def efg fgh ghi hij", 0}, {"京", "東京都", 1}, {"京 都 東 一 二 三 四 五 六", "東京都 一二三四五六", 1}, {"京 都 東 一 二 三 四 五 七", "東京都 一二三四五六", 0},
	} {
		if got, err := searchSQL(nil, []driver.Value{c.query, c.text}); err != nil || got != c.want {
			t.Errorf("%q in %q: %v, %v", c.query, c.text, got, err)
		}
	}
}

// TestFilesThatAreNone: a pipe in the place of an episode's file is named and never waited for.
func TestFilesThatAreNone(t *testing.T) {
	w, sp := depot(t)
	ctx, root := context.Background(), t.TempDir()
	s, err := w.CreateSession(ctx, sp, root)
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	dir := filepath.Join(root, sp.ID)
	within := func(name string, run func() error) {
		t.Helper()
		path := filepath.Join(dir, name)
		kept, _ := os.ReadFile(path)
		os.Remove(path)
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Skip("no pipes here")
		}
		done := make(chan error, 1)
		go func() { done <- run() }()
		select {
		case err := <-done:
			if err == nil || !strings.Contains(err.Error(), "is no file") {
				t.Errorf("%s: %v", name, err)
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("%s: still waiting", name)
		}
		os.Remove(path)
		if kept != nil {
			os.WriteFile(path, kept, 0o600)
		}
	}
	open := func() error { _, err := w.OpenSession(ctx, sp, root); return err }
	within(episodeFile, open)
	within(worldFile, open)
	within(worldFile+"-wal", open)
	within(BundleFile, func() error { _, err := ReadBundle(os.DirFS(dir)); return err })
}

// TestForeignSchema: a file whose catalogue is not the world's is refused before a row of it is read.
func TestForeignSchema(t *testing.T) {
	w, sp := depot(t)
	ctx := context.Background()
	for _, c := range []struct{ name, text, want string }{
		{"an endless view", "ALTER TABLE lots RENAME TO was; CREATE VIEW lots AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT i AS lot_id, '' AS part, 1 AS qty, '' AS status, '' AS received, 1 AS revision FROM n", "was altered"},
		{"a trigger more", "CREATE TRIGGER more AFTER INSERT ON notes BEGIN DELETE FROM lots; END", `the file holds the trigger "more"`},
		{"an index more", "CREATE INDEX more ON lots (part)", `the file holds the index "more"`},
		{"a table less", "DROP TABLE notes", "the file lacks the table"},
		{"another log", "DROP TRIGGER IF EXISTS assay_count; CREATE TRIGGER assay_count AFTER INSERT ON assay_events BEGIN SELECT 1; END", `the file holds the trigger "assay_count"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := t.TempDir()
			s, err := w.CreateSession(ctx, sp, root)
			if err != nil {
				t.Fatal(err)
			}
			s.Close()
			db, err := sql.Open("sqlite", filepath.Join(root, sp.ID, worldFile))
			if err != nil {
				t.Fatal(err)
			}
			_, err = db.Exec("PRAGMA foreign_keys = 0; PRAGMA legacy_alter_table = 1; " + c.text)
			db.Close()
			if err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			if _, err := w.OpenSession(ctx, sp, root); err == nil || !strings.Contains(err.Error(), c.want) || time.Since(began) > 5*time.Second {
				t.Errorf("%v after %v, want %q", err, time.Since(began), c.want)
			}
		})
	}
}

// TestEndlessTrigger: a seed row whose trigger never ends is named with the trigger.
func TestEndlessTrigger(t *testing.T) {
	defer func(d time.Duration) { callLimit = d }(callLimit)
	callLimit = 300 * time.Millisecond
	m := fstest.MapFS{}
	for k, v := range tree(t) {
		m[k] = v
	}
	schema := string(m["world/schema.sql"].Data) + "\nCREATE TRIGGER forever BEFORE INSERT ON lots BEGIN SELECT count(*) FROM (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT i FROM n); END;\n"
	m["world/schema.sql"] = &fstest.MapFile{Data: []byte(schema)}
	_, err := Load(m, "world", "depot")
	if err == nil || !strings.Contains(err.Error(), "world/seed/lots.csv:2: row 1: the store was still at work on this row after 300ms; look at the table's triggers: forever") {
		t.Errorf("%v", err)
	}
	m["world/schema.sql"] = &fstest.MapFile{Data: append([]byte(nil), append(tree(t)["world/schema.sql"].Data, "\nREINDEX;\n"...)...)}
	if _, err := Load(m, "world", "depot"); err == nil || !strings.Contains(err.Error(), "schema.sql holds CREATE TABLE") {
		t.Errorf("REINDEX: %v", err)
	}
}

// TestManyChanges: a call that would change more than an effect may hold is ended and refused, and nothing of it stands.
func TestManyChanges(t *testing.T) {
	if raceDetector {
		t.Skip("a call may take ten seconds, and writes less in them than the bound under the race detector")
	}
	m := fstest.MapFS{}
	for k, v := range tree(t) {
		m[k] = v
	}
	tools := string(m["world/tools.yaml"].Data) + `
  - name: notes.flood
    description: Writes without an end.
    access: write
    input: {type: object, additionalProperties: false}
    output: {type: object, additionalProperties: false, properties: {n: {type: integer}}}
    steps:
      - run: INSERT INTO notes (note_id, recipient, body) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT 'N' || i, 'u-marta', printf('%100000d', i) FROM n
    result: {row: SELECT count(*) AS n FROM notes}
`
	m["world/tools.yaml"] = &fstest.MapFile{Data: []byte(tools)}
	w, err := Load(m, "world", "depot")
	if err != nil {
		t.Fatal(err)
	}
	_, sp := depot(t)
	const dir = "tasks/lift-4417/public"
	n, err := bench.Parse(dir+"/task.yaml", m[dir+"/task.yaml"].Data)
	if err != nil {
		t.Fatal(err)
	}
	if sp.Task, err = w.ReadTask(n, m, dir); err != nil {
		t.Fatal(err)
	}
	sp.Staged = nil
	s, err := w.NewSession(context.Background(), sp)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	e := ask(t, s, "notes.flood", `{}`)
	if e.Status != Refused || e.Error.Code != Limit || !strings.Contains(e.Error.Message, "more than 64 MiB of records") {
		t.Errorf("%s %+v", e.Status, e.Error)
	}
	if ch, err := s.Changes(context.Background()); err != nil || len(ch) != 0 {
		t.Errorf("%d changes, %v", len(ch), err)
	}
}
