package world

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/assaybench/assay/bench"
)

func trace(t testing.TB, lines string) []TraceCall {
	t.Helper()
	calls, err := ReadTrace([]byte(lines))
	if err != nil {
		t.Fatal(err)
	}
	return calls
}

// TestExercise measures the test world's tools: with a trace, and with what is made up alone.
func TestExercise(t *testing.T) {
	w, sp := depot(t)
	for name, lines := range map[string]string{
		"a trace": `{"tool":"roads.bookings.create","args":{"road":"LIFT-2","date":"2031-04-16","unit":"4417"}}
{"tool":"roads.bookings.get","args":{"booking_id":"BK-0001"}}
{"tool":"stores.lots.release","args":{"lot_id":"WS-88","revision":1}}`,
		"nothing": "",
	} {
		t.Run(name, func(t *testing.T) {
			uses, err := w.Exercise(context.Background(), []Trial{{Name: "reference", Task: sp.Task, Staged: sp.Staged, Trace: trace(t, lines)}})
			if err != nil {
				t.Fatal(err)
			}
			for _, u := range uses {
				if u.OK == 0 && u.Tool.Name != "roads.bookings.get" || u.Tool.Access == Write && u.Changed == 0 || u.Tool.Access == Read && u.Changed > 0 {
					t.Errorf("%s: %+v", u.Tool.Name, u)
				}
			}
		})
	}
}

// TestExerciseFinds: a write that never changes anything, one that nothing makes work, and a result that breaks its schema
// are named with their place.
func TestExerciseFinds(t *testing.T) {
	m := tree(t)
	tools := string(m["world/tools.yaml"].Data)
	for _, c := range []struct{ name, old, new, want string }{
		{"never changes", "SET status = 'FREE', revision = revision + 1", "SET status = status", "the tool stores.lots.release is declared write and changed nothing in "},
		{"never works", `guard: "SELECT 1 FROM lots WHERE lot_id = :lot_id"`, `guard: "SELECT 0 FROM lots WHERE lot_id = :lot_id"`, "the tool stores.lots.release is declared write and no call of it was answered ("},
		{"breaks its schema", "SELECT lot_id, qty, status, revision FROM lots WHERE", "SELECT lot_id, status AS qty, status, revision FROM lots WHERE", "the column qty: FREE is not of the declared type integer"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if !strings.Contains(tools, c.old) {
				t.Fatalf("no %q", c.old)
			}
			m["world/tools.yaml"].Data = []byte(strings.Replace(tools, c.old, c.new, 1))
			w, err := Load(m, "world", "depot")
			if err != nil {
				t.Fatal(err)
			}
			_, sp := depot(t)
			_, err = w.Exercise(context.Background(), []Trial{{Name: "x", Task: sp.Task}})
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "world/tools.yaml:") {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}

// TestExerciseOfTheExample: the shipped example passes both.
func TestExerciseOfTheExample(t *testing.T) {
	fsys := os.DirFS("../examples/mooring")
	w, err := Load(fsys, "world", "mooring")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Lint(context.Background()); err != nil {
		t.Errorf("lint: %v", err)
	}
	entries, err := os.ReadDir("../examples/mooring/tasks")
	if err != nil {
		t.Fatal(err)
	}
	var trials []Trial
	for _, e := range entries {
		dir := "tasks/" + e.Name()
		b, err := os.ReadFile("../examples/mooring/" + dir + "/public/task.yaml")
		if err != nil {
			t.Fatal(err)
		}
		n, err := bench.Parse("task.yaml", b)
		if err != nil {
			t.Fatal(err)
		}
		task, err := w.ReadTask(n, fsys, dir+"/public")
		if err != nil {
			t.Fatal(err)
		}
		staged, err := w.ReadStaged(fsys, dir+"/sealed")
		if err != nil {
			t.Fatal(err)
		}
		ref, err := os.ReadFile("../examples/mooring/" + dir + "/sealed/reference.jsonl")
		if err != nil {
			t.Fatal(err)
		}
		trials = append(trials, Trial{Name: dir, Task: task, Staged: staged, Trace: trace(t, string(ref))})
	}
	uses, err := w.Exercise(context.Background(), trials)
	if err != nil || len(uses) != len(w.Tools) || len(trials) == 0 {
		t.Errorf("%d tools, %v", len(uses), err)
	}
}

// TestVocabularies: what is enforced is declared, and what is declared is taken.
func TestVocabularies(t *testing.T) {
	const schema = `CREATE TABLE kinds (kind TEXT PRIMARY KEY) STRICT;
CREATE TABLE people (id TEXT PRIMARY KEY) STRICT;
CREATE TABLE jobs (id TEXT PRIMARY KEY, state TEXT NOT NULL CHECK (state IN ('NEW', 'DONE')), level INTEGER CHECK (level IS NULL OR level IN (1, 2)),
  done INTEGER NOT NULL DEFAULT 0 CHECK (done IN (0, 1)), "of" TEXT CHECK ("of" = 'X' OR "of" = 'Y''Z'), kind TEXT REFERENCES kinds, owner TEXT REFERENCES people,
  free TEXT CHECK (length(free) < 9 AND free <> 'no'), CHECK (free IN ('A') OR state = 'NEW')) STRICT;`
	tool := func(input, steps string) string {
		return `tools:
  - name: k.people.list
    description: People.
    access: read
    input: {type: object, additionalProperties: false}
    output: {type: object, additionalProperties: false, properties: {people: {type: array, items: {type: object, additionalProperties: false, properties: {id: {type: string}}}}}}
    result: {rows: SELECT id FROM people, as: people, order: [id]}
  - name: k.jobs.change
    description: A change.
    access: write
    input: {type: object, additionalProperties: false, properties: {` + input + `}}
    output: {type: object, additionalProperties: false, properties: {n: {type: integer}}}
    steps:
` + steps + `
    result: {row: SELECT 1 AS n}
`
	}
	for _, c := range []struct{ name, input, step, want string }{
		{"insert", "s: {type: string}", `{run: "INSERT INTO jobs (id, state) VALUES ('1', :s)"}`, "k.jobs.change takes only NEW, DONE as s, and its input schema does not say so; declare enum: [NEW, DONE] (a CHECK of the column jobs.state)"},
		{"insert without columns", "s: {type: string}", `{run: "INSERT INTO jobs VALUES ('1', :s, NULL, 0, NULL, NULL, NULL, NULL)"}`, "takes only NEW, DONE as s"},
		{"insert of a select", "s: {type: string}", `{run: "INSERT OR REPLACE INTO jobs (id, state) SELECT '1', :s WHERE 1"}`, "takes only NEW, DONE as s"},
		{"update", "s: {type: string}", `{run: "UPDATE jobs SET id = id, state = coalesce(:s, state) WHERE id = '1'"}`, "takes only NEW, DONE as s"},
		{"upsert", "s: {type: string}", `{run: "INSERT INTO jobs (id, state) VALUES ('1', 'NEW') ON CONFLICT DO UPDATE SET state = :s"}`, "takes only NEW, DONE as s"},
		{"numbers", "l: {type: integer}", `{run: "UPDATE jobs SET level = :l"}`, "takes only 1, 2 as l"},
		{"alternatives", "o: {type: string}", `{run: "UPDATE jobs SET \"of\" = :o"}`, "takes only X, Y'Z as o"},
		{"a list of choices", "k: {type: string}", `{run: "UPDATE jobs SET kind = :k"}`, "declare enum: [big, small] (the column jobs.kind, which refers to kinds)"},
		{"guard", "s: {type: string}", `{guard: "SELECT :s IN ('A', 'B')", error: No.}` + "\n      - " + `{run: "UPDATE jobs SET free = :s"}`, "takes only A, B as s, and its input schema does not say so; declare enum: [A, B] (a guard)"},
		{"guard's condition", "s: {type: string}", `{guard: "SELECT 1 FROM jobs WHERE (:s IS NULL OR :s IN ('A', 'B')) AND id = '1'", error: No.}` + "\n      - " + `{run: "UPDATE jobs SET free = :s"}`, "takes only A, B as s, and its input schema does not say so; declare enum: [A, B] (a guard)"},
		{"declared and not taken", "s: {type: string, enum: [NEW, LOST]}", `{run: "UPDATE jobs SET state = :s"}`, `the enum of k.jobs.change's s has "LOST", which the table does not take; it takes NEW, DONE`},
		{"declared", "s: {type: string, enum: [NEW, DONE]}", `{run: "UPDATE jobs SET state = :s"}`, ""},
		{"a part of them", "s: {type: string, enum: [DONE]}", `{run: "UPDATE jobs SET state = :s"}`, ""},
		{"yes or no", "d: {type: boolean}", `{run: "UPDATE jobs SET done = :d"}`, ""},
		{"people can be looked up", "p: {type: string}", `{run: "UPDATE jobs SET owner = :p"}`, ""},
		{"another condition", "f: {type: string}", `{run: "UPDATE jobs SET free = :f"}`, ""},
		{"worked out", "s: {type: boolean}", `{run: "UPDATE jobs SET state = CASE WHEN :s THEN 'DONE' ELSE 'NEW' END"}`, ""},
		{"not among", "s: {type: string}", `{guard: "SELECT :s NOT IN ('A', 'B')", error: No.}` + "\n      - " + `{run: "UPDATE jobs SET free = :s"}`, ""},
		{"or else", "s: {type: string}", `{guard: "SELECT :s IN ('A') OR length(:s) > 3", error: No.}` + "\n      - " + `{run: "UPDATE jobs SET free = :s"}`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, _ := tiny(t, schema, tool(c.input, "      - "+c.step), map[string]string{"kinds.csv": "kind\nbig\nsmall\n", "people.csv": "id\nada\n"})
			err := w.Lint(context.Background())
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "world/tools.yaml:")) {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}
