package world

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/assaybench/assay/bench"
)

// tree gives the test world's files, to be altered.
func tree(t testing.TB) fstest.MapFS {
	t.Helper()
	m := fstest.MapFS{}
	root := "testdata/depot"
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(p)
		rel, _ := filepath.Rel(root, p)
		m[filepath.ToSlash(rel)] = &fstest.MapFile{Data: b}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestBadWorlds: a world with a fault is refused whole, in one line that says where and what.
func TestBadWorlds(t *testing.T) {
	for _, c := range []struct{ name, file, old, new, want string }{
		{"schema does not compile", "world/schema.sql", "CREATE TABLE notes (", "CREATE TABEL notes (", `world/schema.sql:11: near "TABEL": syntax error`},
		{"table without a key", "world/schema.sql", "note_id TEXT PRIMARY KEY", "note_id TEXT", "the table notes has no PRIMARY KEY"},
		{"table that is not strict", "world/schema.sql", "body TEXT NOT NULL) STRICT", "body TEXT NOT NULL)", "the table notes is not STRICT"},
		{"reserved name", "world/schema.sql", "CREATE TABLE log_lines", "CREATE TABLE assay_lines", "kept for the program's own tables"},
		{"rows in the schema", "world/schema.sql", "CREATE TABLE notes", "INSERT INTO lots VALUES (1);\nCREATE TABLE notes", "schema.sql holds CREATE TABLE"},
		{"pragma in the schema", "world/schema.sql", "CREATE TABLE notes", "PRAGMA user_version = 3;\nCREATE TABLE notes", "schema.sql holds CREATE TABLE"},
		{"attach", "world/schema.sql", "CREATE TABLE notes", "ATTACH '/tmp/x' AS y;\nCREATE TABLE notes", "schema.sql holds CREATE TABLE"},
		{"statement does not compile", "world/tools.yaml", "SELECT lot_id, qty, status, revision FROM lots", "SELECT lot_id, qty, status revision, FROM lots", "world/tools.yaml:60:12: near"},
		{"unknown column in a guard", "world/tools.yaml", `guard: "SELECT 1 FROM lots WHERE lot_id = :lot_id"`, `guard: "SELECT 1 FROM lots WHERE lot_no = :lot_id"`, "no such column: lot_no"},
		{"unknown parameter", "world/tools.yaml", "WHERE lot_id = :lot_id AND revision = :revision", "WHERE lot_id = :lot AND revision = :revision", "names :lot, which is no input"},
		{"positional parameter", "world/tools.yaml", "WHERE lot_id = :lot_id AND revision = :revision", "WHERE lot_id = ? AND revision = :revision", "parameters are written :name"},
		{"two statements", "world/tools.yaml", "WHERE lot_id = :lot_id AND revision = :revision", "WHERE lot_id = :lot_id AND revision = :revision; DELETE FROM lots", "a ; divides this"},
		{"a read that writes", "world/tools.yaml", `result: {rows: "SELECT day, state FROM road_slots WHERE road = :road"`, `result: {rows: "WITH x AS (SELECT 1) DELETE FROM lots RETURNING lot_id AS day, part AS state"`, "world/tools.yaml"},
		{"declared read and runs a change", "world/tools.yaml", "description: Free a held lot.\n    access: write", "description: Free a held lot.\n    access: read", "declared read and runs a change"},
		{"declared write and changes nothing", "world/tools.yaml", "description: One lot.\n    access: read", "description: One lot.\n    access: write", "declared write and changes nothing"},
		{"clock of the machine", "world/tools.yaml", "VALUES (:booking_id, :road, :date, :unit, :now, :user)", "VALUES (:booking_id, :road, :date, :unit, datetime('now'), :user)", "the function datetime is not for worlds"},
		{"chance", "world/tools.yaml", "SELECT lot_id, qty, status, revision FROM lots", "SELECT lot_id, random() AS qty, status, revision FROM lots", "the function random is not for worlds"},
		{"extension", "world/tools.yaml", "SELECT lot_id, qty, status, revision FROM lots", "SELECT load_extension('x') AS lot_id, qty, status, revision FROM lots", "load_extension"},
		{"open schema", "world/tools.yaml", "additionalProperties: false\n      properties:\n        part", "properties:\n        part", "is open; close it"},
		{"no input schema", "world/tools.yaml", "    input:\n      type: object\n      additionalProperties: false\n      required: [file_id]\n      properties: {file_id: {type: string}}\n", "", "has no input schema"},
		{"undeclared result", "world/tools.yaml", "SELECT file_id, title, content FROM files", "SELECT file_id, title, content, path FROM files", `gives "path", which drive.files.read's output does not declare`},
		{"missing result", "world/tools.yaml", "SELECT lot_id, status, revision FROM lots WHERE", "SELECT lot_id, status FROM lots WHERE", `requires "revision"`},
		{"sorting that the schema hides", "world/tools.yaml", `oldest: "received, lot_id", newest`, `price: "price, lot_id", oldest: "received, lot_id", newest`, "the enum of"},
		{"unknown key", "world/tools.yaml", "missing: No lot", "mising: No lot", `unknown key "mising"`},
		{"unknown server", "world/world.yaml", "  notes: Notes to colleagues\n", "", `the server "notes", which world.yaml does not list`},
		{"server without tools", "world/world.yaml", "  drive: Shared files\n", "  drive: Shared files\n  mail: Mail\n", `world/world.yaml:10:9: the server "mail" has no tool`},
		{"clock", "world/world.yaml", `"2031-04-01T09:00:00"`, `"2031-04-01 9:00"`, "the clock's start is written"},
		{"evidence table", "world/world.yaml", "table: files", "table: flies", `no table "flies"`},
		{"record kind", "world/world.yaml", "evidence: {", "records: {lots: stok}\nevidence: {", `"stok" is no kind of record; did you mean "stock"?`},
		{"record table", "world/world.yaml", "evidence: {", "records: {lotz: stock}\nevidence: {", `records: schema.sql has no table "lotz"; did you mean "lots"?`},
		{"seed of an unknown table", "world/seed/lotz.csv", "", "a\n1\n", `world/seed/lotz.csv: the table "lotz" is not in schema.sql; did you mean "lots"?`},
		{"seed column", "world/seed/lots.csv", "lot_id,part", "lot_no,part", `world/seed/lots.csv:2: row 1: the table lots has no column "lot_no"`},
		{"seed value", "world/seed/lots.csv", "WS-M4,2,FREE", "WS-M4,two,FREE", `world/seed/lots.csv:3: row 2: column qty: "two" is no whole number`},
		{"seed that breaks a check", "world/seed/lots.csv", "WS-M4,2,FREE", "WS-M4,2,LOST", `world/seed/lots.csv:3: row 2: CHECK constraint failed`},
		{"seed with a key twice", "world/seed/lots.csv", "WS-92", "WS-91", `row 3: UNIQUE constraint failed`},
		{"seed that breaks a reference", "world/seed/road_bookings.csv", "", "booking_id,road,day,unit,made_at\nBK-1,LIFT-9,2031-01-01,1,x\n", "world/seed/road_bookings.csv: a row of road_bookings refers to a row of road_slots that does not exist"},
		{"no seed file", "world/seed/notes.txt", "", "x", "seeds are TABLE.csv or TABLE.json"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := tree(t)
			old := ""
			if f := m[c.file]; f != nil {
				old = string(f.Data)
			}
			if !strings.Contains(old, c.old) {
				t.Fatalf("%s has no %q", c.file, c.old)
			}
			text := c.new
			if c.old != "" {
				text = strings.Replace(old, c.old, c.new, 1)
			}
			m[c.file] = &fstest.MapFile{Data: []byte(text)}
			w, err := Load(m, "world", "depot")
			if err == nil {
				t.Fatal("it was taken")
			}
			_ = w
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
			for line := range strings.Lines(err.Error()) {
				if !strings.Contains(line, ":") {
					t.Errorf("a line says no place: %q", line)
				}
			}
		})
	}
}

// TestBadTasks does the same for tasks.
func TestBadTasks(t *testing.T) {
	for _, c := range []struct{ name, file, old, new, want string }{
		{"unknown server", "public/task.yaml", "answer:\n", "servers: [stores, mail]\nanswer:\n", `the server "mail"`},
		{"unknown user", "public/task.yaml", "user: u-planner", "user: u-nobody", `the user "u-nobody"`},
		{"date", "public/task.yaml", `"2031-04-07"`, `"7 April"`, "as_of is a date"},
		{"unknown table", "public/task.yaml", "table: lots", "table: lotz", `no table "lotz"`},
		{"unknown type", "public/task.yaml", "type: date", "type: day", `the type "day" is not known`},
		{"evidence that is missing", "public/task.yaml", "path: spec-7.md", "path: spec-8.md", `the evidence file "spec-8.md" is not in`},
		{"evidence that is not listed", "public/evidence/more.md", "", "x", "is not listed in evidence"},
		{"unknown tool", "sealed/faults.yaml", "roads.slots.list", "roads.slot.list", `no tool "roads.slot.list"`},
		{"unknown argument", "sealed/faults.yaml", "{road: LIFT-2}", "{rod: LIFT-2}", `takes no "rod"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := tree(t)
			const dir = "tasks/lift-4417/"
			old := ""
			if f := m[dir+c.file]; f != nil {
				old = string(f.Data)
			}
			text := c.new
			if c.old != "" {
				if !strings.Contains(old, c.old) {
					t.Fatalf("no %q", c.old)
				}
				text = strings.Replace(old, c.old, c.new, 1)
			}
			m[dir+c.file] = &fstest.MapFile{Data: []byte(text)}
			w, err := Load(m, "world", "depot")
			if err != nil {
				t.Fatal(err)
			}
			n, err := bench.Parse(dir+"public/task.yaml", m[dir+"public/task.yaml"].Data)
			if err != nil {
				t.Fatal(err)
			}
			_, err = w.ReadTask(n, m, dir+"public")
			if err == nil {
				_, err = w.ReadStaged(m, dir+"sealed")
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}
