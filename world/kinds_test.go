package world

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/record"
)

// kindsSchema has every kind of table, key, column and side effect that a world may be made of.
const kindsSchema = `
CREATE TABLE plain (id TEXT PRIMARY KEY, n INTEGER, r REAL, t TEXT, b BLOB, a ANY, u TEXT UNIQUE) STRICT;
CREATE TABLE whole (id INTEGER PRIMARY KEY, t TEXT) STRICT;
CREATE TABLE counted (id INTEGER PRIMARY KEY AUTOINCREMENT, t TEXT) STRICT;
CREATE TABLE bare (t TEXT, x TEXT NOT NULL, y INTEGER NOT NULL, r REAL, PRIMARY KEY (y, x)) STRICT, WITHOUT ROWID;
CREATE TABLE pairs (note TEXT, x TEXT NOT NULL, y INTEGER NOT NULL, PRIMARY KEY (x, y)) STRICT;
CREATE TABLE folded (id TEXT PRIMARY KEY COLLATE NOCASE, t TEXT) STRICT;
CREATE TABLE parents (id TEXT PRIMARY KEY, t TEXT) STRICT;
CREATE TABLE children (id TEXT PRIMARY KEY, parent TEXT REFERENCES parents (id) ON DELETE CASCADE ON UPDATE CASCADE, t TEXT) STRICT;
CREATE TABLE orphans (id TEXT PRIMARY KEY, parent TEXT REFERENCES parents (id) ON DELETE SET NULL ON UPDATE CASCADE) STRICT;
CREATE TABLE later (id TEXT PRIMARY KEY, parent TEXT REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED) STRICT;
CREATE TABLE told (n INTEGER PRIMARY KEY, what TEXT NOT NULL) STRICT;
CREATE TABLE ruled (id TEXT PRIMARY KEY, state TEXT NOT NULL CHECK (state IN ('NEW', 'DONE')), n INTEGER NOT NULL) STRICT;
CREATE VIEW shown AS SELECT id, t FROM whole;
CREATE TRIGGER shown_in INSTEAD OF INSERT ON shown BEGIN INSERT INTO whole (id, t) VALUES (NEW.id, NEW.t); END;
CREATE TRIGGER gone AFTER DELETE ON children BEGIN INSERT INTO told (what) VALUES ('gone ' || OLD.id); END;
CREATE TRIGGER kept BEFORE UPDATE OF n ON ruled WHEN NEW.n < OLD.n BEGIN SELECT RAISE(ABORT, 'A number never falls.'); END;
CREATE TRIGGER undone BEFORE INSERT ON ruled WHEN NEW.n = 13 BEGIN SELECT RAISE(ROLLBACK, 'Not thirteen.'); END;
CREATE TRIGGER passed BEFORE INSERT ON ruled WHEN NEW.n = 14 BEGIN SELECT RAISE(IGNORE); END;
`

// kindsRuns are the changes of its write tools, by name.
var kindsRuns = []struct{ name, sql string }{
	{"plain_insert", "INSERT INTO plain (id, n, r, t, b, a, u) VALUES (:id, :n, :r, :t, CAST(:t AS BLOB), :n, :u)"},
	{"plain_replace", "INSERT OR REPLACE INTO plain (id, n, r, t, u) VALUES (:id, :n, :r, :t, :u)"},
	{"plain_upsert", "INSERT INTO plain (id, n, r, u) VALUES (:id, :n, :r, :u) ON CONFLICT (id) DO UPDATE SET n = excluded.n + 1, a = excluded.r"},
	{"plain_ignore", "INSERT OR IGNORE INTO plain (id, n, u) VALUES (:id, :n, :u)"},
	{"plain_update", "UPDATE plain SET n = n + :n, r = :n, t = :t WHERE id >= :id"},
	{"plain_rename", "UPDATE OR REPLACE plain SET id = :to WHERE id = :id"},
	{"plain_back", "UPDATE plain SET t = t WHERE 1"},
	{"plain_empty", "DELETE FROM plain"},
	{"plain_delete", "DELETE FROM plain WHERE id = :id"},
	{"whole_insert", "INSERT OR REPLACE INTO whole (id, t) VALUES (:n, :t)"},
	{"whole_next", "INSERT INTO whole (t) VALUES (:t)"},
	{"whole_move", "UPDATE OR REPLACE whole SET id = id + 1 WHERE id = :n"},
	{"whole_view", "INSERT INTO shown (id, t) VALUES (:n, :t)"},
	{"counted_insert", "INSERT INTO counted (t) VALUES (:t)"},
	{"counted_delete", "DELETE FROM counted WHERE id = :n"},
	{"bare_insert", "INSERT OR REPLACE INTO bare (x, y, t, r) VALUES (:id, :n, :t, :n)"},
	{"bare_update", "UPDATE bare SET t = :t, r = r + :r WHERE x = :id"},
	{"bare_move", "UPDATE OR REPLACE bare SET y = y + 1 WHERE x = :id"},
	{"bare_delete", "DELETE FROM bare WHERE y = :n"},
	{"pairs_insert", "INSERT OR REPLACE INTO pairs VALUES (:t, :id, :n)"},
	{"pairs_move", "UPDATE OR REPLACE pairs SET x = :to, y = y + 1 WHERE y = :n"},
	{"pairs_delete", "DELETE FROM pairs WHERE x = :id RETURNING y"},
	{"folded_insert", "INSERT OR REPLACE INTO folded VALUES (:id, :t)"},
	{"folded_case", "UPDATE folded SET id = upper(id)"},
	{"parents_insert", "INSERT OR IGNORE INTO parents VALUES (:id, :t)"},
	{"parents_replace", "INSERT OR REPLACE INTO parents VALUES (:id, :t)"},
	{"parents_rename", "UPDATE parents SET id = :to WHERE id = :id"},
	{"parents_delete", "DELETE FROM parents WHERE id = :id"},
	{"children_insert", "INSERT OR REPLACE INTO children VALUES (:to, :id, :t)"},
	{"orphans_insert", "INSERT OR REPLACE INTO orphans VALUES (:to, :id)"},
	{"later_insert", "INSERT OR REPLACE INTO later VALUES (:to, :id)"},
	{"ruled_insert", "INSERT INTO ruled VALUES (:id, CASE WHEN :n > 8 THEN 'ODD' ELSE 'NEW' END, :n)"},
	{"ruled_special", "INSERT INTO ruled VALUES (:id, 'NEW', 13 + (:n > 4))"},
	{"ruled_rollback", "INSERT OR ROLLBACK INTO ruled VALUES (:id, 'NEW', :n)"},
	{"ruled_update", "UPDATE ruled SET n = :n WHERE id = :id"},
}

// kinds makes that world, with a task.
func kinds(t testing.TB) (*World, Spec) {
	t.Helper()
	var tools strings.Builder
	tools.WriteString("tools:\n")
	for _, r := range kindsRuns {
		fmt.Fprintf(&tools, `  - name: k.%s
    description: A change.
    access: write
    input:
      type: object
      additionalProperties: false
      properties: {id: {type: string}, to: {type: string}, n: {type: integer}, r: {type: number}, t: {type: [string, "null"]}, u: {type: [string, "null"]}}
    output: {type: object, additionalProperties: false, properties: {ok: {type: integer}}}
    steps:
      - run: %q
    result: {row: "SELECT 1 AS ok"}
`, r.name, r.sql)
	}
	return tiny(t, kindsSchema, tools.String(), nil)
}

// tiny makes a world of a schema and tools of the one server k, with a task.
func tiny(t testing.TB, schema, tools string, seeds map[string]string) (*World, Spec) {
	t.Helper()
	w, sp, err := tinyLoad(schema, tools, seeds)
	if err != nil {
		t.Fatal(err)
	}
	return w, sp
}

func tinyLoad(schema, tools string, seeds map[string]string) (*World, Spec, error) {
	m := fstest.MapFS{
		"world/world.yaml": {Data: []byte("id: tiny\nname: Tiny\norganisation: {id: t, name: Tiny}\nclock: {start: \"2031-04-01T09:00:00\"}\nservers: {k: Kinds}\nusers:\n  - {id: u, name: U, role: clerk}\n")},
		"world/schema.sql": {Data: []byte(schema)},
		"world/tools.yaml": {Data: []byte(tools)},
	}
	for name, text := range seeds {
		m["world/seed/"+name] = &fstest.MapFile{Data: []byte(text)}
	}
	w, err := Load(m, "world", "tiny")
	if err != nil {
		return nil, Spec{}, err
	}
	n, err := bench.Parse("task.yaml", []byte("id: t-1\nfamily: f\nbasis: exact\ntitle: T\nrole: clerk\nuser: u\nas_of: \"2031-04-07\"\nrequest: Do it.\nanswer:\n  note: {type: text}\n"))
	if err != nil {
		return nil, Spec{}, err
	}
	task, err := w.ReadTask(n, m, "tasks/t-1/public")
	return w, Spec{ID: "tiny", Task: task}, err
}

// TestEffectsOfAllKinds makes changes of all kinds by chance, and holds what the store reported of each call against the
// difference of the states before and after it.
func TestEffectsOfAllKinds(t *testing.T) {
	w, sp := kinds(t)
	rounds := 12
	if slow() {
		rounds = 200
	}
	seen := map[string]int{}
	for seed := range rounds {
		rnd := rand.New(rand.NewPCG(uint64(seed), 6))
		s, err := w.NewSession(context.Background(), sp)
		if err != nil {
			t.Fatal(err)
		}
		before := state(t, s)
		for range 120 {
			r := kindsRuns[rnd.IntN(len(kindsRuns))]
			args := fmt.Sprintf(`{"id":"%c","to":"%c","n":%d,"r":%s,"t":%s,"u":%s}`, "aAbBcd"[rnd.IntN(6)], "aAbBcd"[rnd.IntN(6)], rnd.IntN(12),
				[]string{"1", "2.5", "1e19", "1e300", "-0.0", "9007199254740993"}[rnd.IntN(6)], []string{"null", `"x"`, `""`, `"é\u2028"`}[rnd.IntN(4)], []string{"null", `"p"`, `"q"`}[rnd.IntN(3)])
			e := ask(t, s, "k."+r.name, args)
			after := state(t, s)
			want, err := record.Canonical(w.Diff(before, after))
			if err != nil {
				t.Fatal(err)
			}
			got, err := record.Canonical(e.Effect)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != string(want) {
				t.Fatalf("round %d: %s %s (%s)\nreported %s\nhappened %s", seed, r.name, args, e.Status, got, want)
			}
			if e.Status == Fault || e.Status == Rejected {
				t.Fatalf("%s %s: %s", r.name, args, e.Error.Message)
			}
			if len(e.Effect) > 0 {
				seen[r.name]++
			} else if e.Status == Refused {
				seen[r.name+" refused"]++
			}
			before = after
		}
		if _, err := s.Changes(context.Background()); err != nil {
			t.Fatalf("round %d: %v", seed, err)
		}
		if err := VerifyChain(s.Genesis(), s.Events()); err != nil {
			t.Fatal(err)
		}
		for i, e := range s.Events() { // each event comes back from its line as it was
			b, err := e.Canonical()
			if err != nil {
				t.Fatal(err)
			}
			back, err := ParseEvent(b)
			if err != nil {
				t.Fatalf("event %d: %v", i+1, err)
			}
			if again, err := back.Canonical(); err != nil || string(again) != string(b) {
				t.Fatalf("event %d: %s is read as %s, %v", i+1, b, again, err)
			}
		}
		s.Close()
	}
	for _, r := range kindsRuns {
		if seen[r.name] == 0 && r.name != "plain_back" && r.name != "ruled_special" {
			t.Errorf("%s never changed anything: %v", r.name, seen[r.name+" refused"])
		}
	}
	for _, name := range []string{"later_insert", "ruled_insert", "ruled_special", "ruled_rollback", "ruled_update", "children_insert", "plain_insert", "whole_view"} {
		if seen[name+" refused"] == 0 {
			t.Errorf("%s was never refused", name)
		}
	}
}

func state(t testing.TB, s *Session) []TableRows {
	t.Helper()
	st, err := s.State(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return st
}
