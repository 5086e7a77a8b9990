package world

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/fstest"
)

// TestBadWorldsFurther: what would only show later, or depend on the machine, is refused at load.
func TestBadWorldsFurther(t *testing.T) {
	for _, c := range []struct{ name, file, old, new, want string }{
		{"clock as a default", "world/schema.sql", "body TEXT NOT NULL)", "body TEXT NOT NULL, made TEXT DEFAULT CURRENT_TIMESTAMP)", "world/schema.sql:11: the function CURRENT_TIMESTAMP is not for worlds"},
		{"clock as a default, in brackets", "world/schema.sql", "body TEXT NOT NULL)", "body TEXT NOT NULL, made TEXT DEFAULT (datetime('now')))", "the function datetime is not for worlds"},
		{"chance as a default", "world/schema.sql", "body TEXT NOT NULL)", "body TEXT NOT NULL, made TEXT DEFAULT (random()))", "the function random is not for worlds"},
		{"clock in a trigger", "world/schema.sql", "'booked ' || NEW.booking_id", "'booked ' || datetime('now')", "world/schema.sql:14: the trigger booked: the function datetime is not for worlds"},
		{"unknown column in a trigger", "world/schema.sql", "'booked ' || NEW.booking_id", "'booked ' || NEW.booking", "world/schema.sql:14: the trigger booked: no such column: NEW.booking"},
		{"view that does not compile", "world/schema.sql", "CREATE TABLE notes", "CREATE VIEW v AS\nSELECT nowhere FROM lots;\nCREATE TABLE notes", "world/schema.sql:11: the view v: no such column: nowhere"},
		{"catalogue in a view", "world/schema.sql", "CREATE TABLE notes", "CREATE VIEW v AS SELECT name FROM sqlite_schema;\nCREATE TABLE notes", "the view v: the table sqlite_"},
		{"pragma in a view", "world/schema.sql", "CREATE TABLE notes", "CREATE VIEW v AS SELECT name FROM pragma_table_list;\nCREATE TABLE notes", "the view v: "},
		{"temporary table", "world/schema.sql", "CREATE TABLE notes", "CREATE TEMP TABLE x (a TEXT PRIMARY KEY) STRICT;\nCREATE TABLE notes", "schema.sql holds CREATE TABLE"},
		{"virtual table", "world/schema.sql", "CREATE TABLE notes", "CREATE VIRTUAL TABLE x USING fts5(a);\nCREATE TABLE notes", "schema.sql holds CREATE TABLE"},
		{"generated column", "world/schema.sql", "body TEXT NOT NULL)", "body TEXT NOT NULL, n INTEGER AS (length(body)))", "the column n of notes is generated"},
		{"vacuum", "world/schema.sql", "CREATE TABLE notes", "VACUUM INTO '/tmp/x';\nCREATE TABLE notes", "world/schema.sql:11: "},
		{"catalogue", "world/tools.yaml", "SELECT lot_id, qty, status, revision FROM lots", "SELECT name AS lot_id, 1 AS qty, type AS status, 1 AS revision FROM sqlite_schema", "is not the world's"},
		{"the store's own tables", "world/tools.yaml", "SELECT lot_id, qty, status, revision FROM lots", "SELECT name AS lot_id, 1 AS qty, type AS status, 1 AS revision FROM pragma_table_list", "world/tools.yaml:60:12: "},
		{"a change that reads", "world/tools.yaml", "INSERT INTO notes (note_id, recipient, body) VALUES (:note_id, :recipient, :body)", "WITH x AS (SELECT 1) SELECT :note_id, :recipient, :body FROM x", "the statement changes nothing"},
		{"a change of the log", "world/tools.yaml", "INSERT INTO notes (note_id, recipient, body)", "INSERT INTO sqlite_sequence (name, seq)", "world/tools.yaml:"},
		{"open part of a schema", "world/tools.yaml", "lot_id: {type: string}}\n    output", "lot_id: {type: string}, more: {type: object}}\n    output", "is open; close it"},
		{"open part under a keyword's name", "world/tools.yaml", "lot_id: {type: string}}\n    output", "lot_id: {type: string}, enum: {type: object}}\n    output", "is open; close it"},
		{"value without a type", "world/tools.yaml", "lot_id: {type: string}}\n    output", "lot_id: {type: string}, more: {description: x}}\n    output", "has no type"},
		{"list of anything", "world/tools.yaml", "lot_id: {type: string}}\n    output", "lot_id: {type: string}, more: {type: array}}\n    output", "does not say what its items are"},
		{"open items", "world/tools.yaml", "lot_id: {type: string}}\n    output", "lot_id: {type: string}, more: {type: array, items: {type: object}}}\n    output", "is open; close it"},
		{"misspelt keyword", "world/tools.yaml", "limit: {type: integer, minimum: 1", "limit: {type: integer, minimun: 1", `"minimun" has no place in the input; did you mean "minimum"?`},
		{"reference", "world/tools.yaml", "limit: {type: integer, minimum: 1", "limit: {type: integer, $ref: '#/x', minimum: 1", `"$ref" has no place in the input`},
		{"pattern that does not compile", "world/tools.yaml", "part: {type: string,", "part: {type: string, pattern: '(', ", "the input is no JSON Schema"},
		{"order with a parameter", "world/tools.yaml", "order: [received, lot_id]", "order: [received, \":part\"]", "an order is the same for every call"},
		{"order with a comment", "world/tools.yaml", "order: [received, lot_id]", "order: [received --]", "an order holds no comment"},
		{"order by an unknown column", "world/tools.yaml", "order: [received, lot_id]", "order: [recieved]", "order: no such column: recieved"},
		{"missing inside", "world/tools.yaml", `slots: {rows: "SELECT day, state FROM road_slots WHERE road = :row_road", order: [day]}`, `slots: {row: "SELECT day, state FROM road_slots WHERE road = :row_road", missing: No}`, "missing belongs to the result's own row"},
		{"an input of a reserved name", "world/tools.yaml", "lot_id: {type: string}}\n    output", "lot_id: {type: string}, today: {type: string}}\n    output", "which is the name of a value of the world's own"},
		{"number that is none", "world/seed/lots.csv", "WS-M4,2,FREE", "WS-M4,0x2,FREE", `"0x2" is no whole number`},
		{"text that is none", "world/seed/lots.csv", "WS-M4,2,FREE", "\xff,2,FREE", "world/seed/lots.csv:3: row 2: column part: a text is not UTF-8"},
		{"a name twice in JSON", "world/seed/road_slots.json", "[", `[{"road":"a","road":"b","day":"c","state":"d"},`, "no name twice"},
		{"a large number in JSON", "world/seed/notes.json", "", `[{"note_id":"1","recipient":"r","body":{"x":1e400}}]`, "world/seed/notes.json"},
		{"two seeds of a table", "world/seed/lots.json", "", "[]", "the table has two seed files"},
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
			if _, err := Load(m, "world", "depot"); err == nil {
				t.Fatal("it was taken")
			} else if !strings.Contains(err.Error(), c.want) {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}

// TestDefaultsThatAreFixed: a default that depends on nothing is taken.
func TestDefaultsThatAreFixed(t *testing.T) {
	const tool = `tools:
  - name: k.add
    description: Add.
    access: write
    input: {type: object, additionalProperties: false}
    output: {type: object, additionalProperties: false, properties: {a: {type: integer}, b: {type: string}, c: {type: number}}}
    steps: [{run: "INSERT INTO t (id) VALUES (1)"}]
    result: {row: "SELECT a, b, c FROM t"}
`
	w, sp := tiny(t, "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER DEFAULT (abs(-7) + 1), b TEXT NOT NULL DEFAULT 'current_time', c REAL DEFAULT -2.5e1) STRICT;", tool, nil)
	s := open(t, w, sp)
	if e := ask(t, s, "k.add", `{}`); string(e.Result) != `{"a":8,"b":"current_time","c":-25}` {
		t.Errorf("%s %v", e.Result, e.Error)
	}
	if e := ask(t, s, "k.add", `{}`); e.Status != Refused || e.Error.Code != Conflict || !strings.Contains(e.Error.Message, "There is such a record already") {
		t.Errorf("%s %v", e.Status, e.Error)
	}
}

// TestTextsThatAreNoJSON: a world that shows a caller's text as JSON makes a fault of that call, whatever the text is.
func TestTextsThatAreNoJSON(t *testing.T) {
	const tools = `tools:
  - name: k.set
    description: Set.
    access: write
    input: {type: object, additionalProperties: false, required: [doc], properties: {doc: {type: string}}}
    output: {type: object, additionalProperties: false, properties: {n: {type: integer}}}
    steps: [{run: "INSERT OR REPLACE INTO t VALUES (1, :doc)"}]
    result: {row: SELECT 1 AS n}
  - name: k.get
    description: Get.
    access: read
    input: {type: object, additionalProperties: false}
    output: {type: object, additionalProperties: false, properties: {doc: {type: object, additionalProperties: false, properties: {x: {type: number, minimum: 1, multipleOf: 0.5}, l: {type: array, uniqueItems: true, items: {type: number}}}}}}
    result: {row: SELECT doc FROM t}
`
	w, sp := tiny(t, "CREATE TABLE t (id INTEGER PRIMARY KEY, doc TEXT NOT NULL) STRICT;", tools, nil)
	s := open(t, w, sp)
	for doc, want := range map[string]Status{
		`{"x":1.5,"l":[1,2]}`: OK, `{"x":1e999999999}`: Fault, `{"l":[` + strings.Repeat(`1,`, 30) + `1e999999999]}`: Fault, `{"x":`: Fault, ``: Fault, `[]`: Fault, `{"x":0}`: Fault,
		`{"y":1}`: Fault, strings.Repeat("[", 100_000): Fault, `{"x":"\u0000"}`: Fault, `{"x":2,"x":1}`: OK,
	} {
		ask(t, s, "k.set", `{"doc":`+quoted(doc)+`}`)
		if e := ask(t, s, "k.get", `{}`); e.Status != want {
			t.Errorf("%.60s: %s %v", doc, e.Status, e.Error)
		}
	}
}

func quoted(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}
