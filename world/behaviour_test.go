package world

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

// itemsTools lists and changes rows of one table in the ways that real systems do.
const itemsTools = `tools:
  - name: k.items.list
    description: Items.
    access: read
    input:
      type: object
      additionalProperties: false
      properties:
        query: {type: string}
        note: {type: [string, "null"]}
        sort: {type: string, enum: [size, name]}
        limit: {type: integer, minimum: 1, maximum: 1000}
        cursor: {type: string}
    output:
      type: object
      additionalProperties: false
      properties:
        next_cursor: {type: [string, "null"]}
        total: {type: integer}
        items:
          type: array
          items:
            type: object
            additionalProperties: false
            properties: {id: {type: string}, name: {type: string}, size: {type: number}, note: {type: [string, "null"]}, price: {type: number}, open: {type: boolean}, tags: {type: array, items: {type: string}}}
    result:
      rows: |
        SELECT id, name, size, note, price, open, tags FROM items
        WHERE search(:query, name, id) AND (:note IS NULL OR note = :note) -- a comment at the end
      as: items
      order: [size]
      sort: {by: sort, among: {size: "size", name: "name COLLATE NOCASE DESC"}}
      page: {size: limit, cursor: cursor, default: 7}
      total: true
  - name: k.items.all
    description: All items.
    access: read
    input: {type: object, additionalProperties: false}
    output: {type: object, additionalProperties: false, properties: {items: {type: array, items: {type: object, additionalProperties: false, properties: {id: {type: string}}}}}}
    result: {rows: SELECT id FROM items, as: items, order: [id]}
  - name: k.items.get
    description: An item and its neighbours.
    access: read
    input: {type: object, additionalProperties: false, properties: {id: {type: string}, small: {type: boolean}, much: {type: number}}, required: [id]}
    output:
      type: object
      additionalProperties: false
      properties:
        id: {type: string}
        name: {type: string}
        next: {type: [object, "null"], additionalProperties: false, properties: {id: {type: string}}}
        near: {type: array, items: {type: object, additionalProperties: false, properties: {id: {type: string}}}}
    result:
      row: SELECT id, name FROM items WHERE id = :id
      missing: "No item {id} is known (small: {small}, much: {much})."
      with:
        next: {row: "SELECT id FROM items WHERE id > :row_id ORDER BY id LIMIT 1"}
        near: {rows: "SELECT id FROM items WHERE :small IS NOT 1 OR id = :row_id", order: [id]}
  - name: k.items.add
    description: A new item.
    access: write
    idempotency: key
    input: {type: object, additionalProperties: false, properties: {name: {type: string}, note: {type: [string, "null"]}, size: {type: number}, open: {type: boolean}, tags: {type: array, items: {type: string}}, key: {type: string}}, required: [name]}
    output: {type: object, additionalProperties: false, properties: {id: {type: string}, size: {type: number}, note: {type: [string, "null"]}, open: {type: boolean}, tags: {type: array, items: {type: string}}}}
    ids: {id: {table: items, column: id, prefix: "IT-", width: 3}}
    steps:
      - run: INSERT INTO items (id, name, note, size, open, tags) VALUES (:id, :name, :note, coalesce(:size, 1), coalesce(:open, 0), coalesce(:tags, '[]'))
    result: {row: "SELECT id, size, note, open, tags FROM items WHERE id = :id"}
  - name: k.items.remove
    description: Take an item away.
    access: write
    input: {type: object, additionalProperties: false, properties: {id: {type: string}}, required: [id]}
    output: {type: object, additionalProperties: false, properties: {left: {type: integer}}}
    steps:
      - {run: "DELETE FROM items WHERE id = :id", rows: 1, code: not_found, error: "No item {id} is known."}
    result: {row: SELECT count(*) AS left FROM items}
  - name: k.items.grow
    description: Make an item larger.
    access: write
    input: {type: object, additionalProperties: false, properties: {id: {type: string}, by: {type: number}, text: {type: string}}, required: [id, by]}
    output: {type: object, additionalProperties: false, properties: {size: {type: [number, "null"]}}}
    steps:
      - run: UPDATE items SET size = size * :by, name = CASE WHEN :text = 'bytes' THEN CAST(x'ff' AS TEXT) ELSE name END WHERE id = :id
    result: {row: "SELECT 1.5 AS size"}
  - name: k.items.text
    description: A text of a length.
    access: read
    input: {type: object, additionalProperties: false, properties: {n: {type: integer}}, required: [n]}
    output: {type: object, additionalProperties: false, properties: {text: {type: string}}}
    result: {row: "SELECT printf('%.*c', :n, 'x') AS text"}
  - name: k.items.count
    description: Count for a long time.
    access: read
    input: {type: object, additionalProperties: false, properties: {n: {type: integer}}, required: [n]}
    output: {type: object, additionalProperties: false, properties: {n: {type: integer}}}
    result: {row: "WITH RECURSIVE c (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < :n) SELECT count(*) AS n FROM c"}
  - name: k.items.slow
    description: Change for a long time.
    access: write
    input: {type: object, additionalProperties: false, properties: {n: {type: integer}}, required: [n]}
    output: {type: object, additionalProperties: false, properties: {n: {type: integer}}}
    steps:
      - run: UPDATE items SET size = 5
      - run: UPDATE items SET size = (WITH RECURSIVE c (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < :n) SELECT count(*) FROM c)
    result: {row: SELECT 1 AS n}
`

const itemsSchema = `CREATE TABLE items (id TEXT PRIMARY KEY, name TEXT NOT NULL, size REAL NOT NULL, note TEXT, price TEXT NOT NULL DEFAULT '0.10', open INTEGER NOT NULL DEFAULT 0, tags TEXT NOT NULL DEFAULT '[]') STRICT;
CREATE INDEX by_size ON items (size);`

func items(t testing.TB, n int) (*World, Spec) {
	t.Helper()
	var seed strings.Builder
	seed.WriteString("id,name,size,note\n")
	for i := range n {
		fmt.Fprintf(&seed, "S-%04d,Name %c,%d,%s\n", i*7919%n, 'a'+i%3, i%2, []string{"", "n"}[i%2])
	}
	return tiny(t, itemsSchema, itemsTools, map[string]string{"items.csv": seed.String()})
}

func open(t testing.TB, w *World, sp Spec) *Session {
	t.Helper()
	s, err := w.NewSession(context.Background(), sp)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// got asks and decodes the result.
func got(t testing.TB, s *Session, tool, args string) map[string]any {
	t.Helper()
	e := ask(t, s, tool, args)
	if !e.OK() {
		t.Fatalf("%s %s: %s", tool, args, e.Error.Message)
	}
	var m map[string]any
	if err := json.Unmarshal(e.Result, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestPagesAreStable: the pages of a list are its rows, each once, in one order, where the declared order leaves most of
// them equal, in whatever size they are asked for.
func TestPagesAreStable(t *testing.T) {
	w, sp := items(t, 101)
	s := open(t, w, sp)
	for _, sort := range []string{"", `"sort":"name",`} {
		var whole []string
		for _, e := range got(t, s, "k.items.list", `{`+sort+`"limit":1000}`)["items"].([]any) {
			whole = append(whole, e.(map[string]any)["id"].(string))
		}
		for _, size := range []int{1, 2, 7, 50, 100, 101, 102} {
			var pages []string
			for cursor := ""; ; {
				m := got(t, s, "k.items.list", fmt.Sprintf(`{%s"limit":%d%s}`, sort, size, cursor))
				for _, e := range m["items"].([]any) {
					pages = append(pages, e.(map[string]any)["id"].(string))
				}
				if m["total"] != 101.0 || len(m["items"].([]any)) > size {
					t.Fatalf("total %v, %d rows", m["total"], len(m["items"].([]any)))
				}
				next, ok := m["next_cursor"].(string)
				if !ok {
					break
				}
				cursor = fmt.Sprintf(`,"cursor":%q`, next)
			}
			if strings.Join(pages, " ") != strings.Join(whole, " ") || len(whole) != 101 {
				t.Fatalf("pages of %d: %d rows, not the list", size, len(pages))
			}
		}
	}
	first := got(t, s, "k.items.list", `{"sort":"name"}`)
	for _, other := range []string{`{"cursor":%q}`, `{"sort":"size","cursor":%q}`, `{"sort":"name","query":"x","cursor":%q}`, `{"sort":"name","cursor":%q}!`} {
		cursor, tail := first["next_cursor"].(string), ""
		if other, tail, _ = strings.Cut(other, "!"); tail == "" && strings.Contains(other, `{"sort":"name","cursor"`) {
			cursor = cursor[:len(cursor)-1] + "_"
		}
		if e := ask(t, s, "k.items.list", fmt.Sprintf(other, cursor)); e.Status != Refused || e.Error.Code != Invalid {
			t.Errorf("%s: %s", other, e.Status)
		}
	}
}

// TestLimits: what a call gives is bounded, and never cut without a word.
func TestLimits(t *testing.T) {
	w, sp := items(t, 1000)
	s := open(t, w, sp)
	if n := len(got(t, s, "k.items.all", `{}`)["items"].([]any)); n != 1000 {
		t.Errorf("%d rows", n)
	}
	if n := len(got(t, s, "k.items.get", `{"id":"S-0001"}`)["near"].([]any)); n != 1000 {
		t.Errorf("%d rows", n)
	}
	got(t, s, "k.items.add", `{"name":"one more"}`)
	for _, c := range [][2]string{{"k.items.all", `{}`}, {"k.items.get", `{"id":"S-0001"}`}} {
		if e := ask(t, s, c[0], c[1]); e.Status != Refused || e.Error.Code != Limit || !strings.Contains(e.Error.Message, "more than 1000 rows") {
			t.Errorf("%s: %s %v", c[0], e.Status, e.Error)
		}
	}
	if n := len(got(t, s, "k.items.text", `{"n":16000000}`)["text"].(string)); n != 16_000_000 {
		t.Errorf("%d bytes", n)
	}
	for _, n := range []string{"17000000", "100000000", "2000000000"} {
		if e := ask(t, s, "k.items.text", `{"n":`+n+`}`); e.Status != Refused || e.Error.Code != Limit {
			t.Errorf("%s bytes: %s %v", n, e.Status, e.Error)
		}
	}
	big := strings.Repeat("é", 250_000)
	got(t, s, "k.items.add", fmt.Sprintf(`{"name":%q}`, big))
	if name := got(t, s, "k.items.get", `{"id":"IT-002","small":true}`)["name"]; name != big {
		t.Errorf("%d bytes came back", len(name.(string)))
	}
	for i := range 34 { // together more than a result may be
		got(t, s, "k.items.add", fmt.Sprintf(`{"name":%q}`, fmt.Sprint(i)+big))
	}
	if e := ask(t, s, "k.items.list", `{"limit":1000}`); e.Status != Refused || e.Error.Code != Limit {
		t.Errorf("%s", e.Status)
	}
	if _, err := s.Changes(context.Background()); err != nil {
		t.Error(err)
	}
}

// TestValues: nothing, the empty text, yes and no, whole and other numbers, and lists come back as they were sent.
func TestValues(t *testing.T) {
	w, sp := items(t, 4)
	s := open(t, w, sp)
	for _, c := range []struct{ args, want string }{
		{`{"name":"a"}`, `{"id":"IT-001","note":null,"open":false,"size":1,"tags":[]}`},
		{`{"name":"a","note":null}`, `{"id":"IT-002","note":null,"open":false,"size":1,"tags":[]}`},
		{`{"name":"a","note":""}`, `{"id":"IT-003","note":"","open":false,"size":1,"tags":[]}`},
		{`{"name":"","open":true,"tags":["x","é\u0022",""]}`, `{"id":"IT-004","note":null,"open":true,"size":1,"tags":["x","é\"",""]}`},
		{`{"name":"a","size":2.50}`, `{"id":"IT-005","note":null,"open":false,"size":2.5,"tags":[]}`},
		{`{"name":"a","size":1e19}`, `{"id":"IT-006","note":null,"open":false,"size":10000000000000000000,"tags":[]}`},
		{`{"name":"a","size":-0.0}`, `{"id":"IT-007","note":null,"open":false,"size":0,"tags":[]}`},
		{`{"name":"a","size":0.1}`, `{"id":"IT-008","note":null,"open":false,"size":0.1,"tags":[]}`},
		{`{"name":"a","size":1e300}`, `{"id":"IT-009","note":null,"open":false,"size":1e+300,"tags":[]}`},
	} {
		if e := ask(t, s, "k.items.add", c.args); string(e.Result) != c.want {
			t.Errorf("%s: %s %v\nwant %s", c.args, e.Result, e.Error, c.want)
		}
	}
	for args, want := range map[string]string{
		`{"name":1}`:                 "name: got number, want string",
		`{"name":null}`:              "name: got null, want string",
		`{"name":"a","open":1}`:      "open: got number, want boolean",
		`{"name":"a","open":"true"}`: "open: got string, want boolean",
		`{"name":"a","size":"1"}`:    "size: got string, want number",
		`{"name":"a","tags":[1]}`:    "tags.0: got number, want string",
		`{"name":"a","nmae":"b"}`:    "known: name, note, size, open, tags, key",
		`{"name":"a","size":1e400}`:  "number",
	} {
		if e := ask(t, s, "k.items.add", args); e.Status != Rejected || e.Error.Code != InvalidArguments || !strings.Contains(e.Error.Message, want) {
			t.Errorf("%s: %s %v, want %q", args, e.Status, e.Error, want)
		}
	}
	if e := ask(t, s, "k.items.list", `{"sort":"colour"}`); !strings.Contains(e.Error.Message, "'size', 'name'") {
		t.Errorf("the values that are taken are not named: %s", e.Error.Message)
	}
	for args, want := range map[string]float64{`{}`: 13, `{"note":null}`: 13, `{"note":"n"}`: 2, `{"note":""}`: 1, `{"query":""}`: 13} {
		if m := got(t, s, "k.items.list", args); m["total"] != want {
			t.Errorf("%s: %v rows, want %v", args, m["total"], want)
		}
	}
	if e := ask(t, s, "k.items.get", `{"id":"{small}","small":true,"much":1234567.5}`); e.Error == nil || e.Error.Message != "No item {small} is known (small: true, much: 1234567.5)." {
		t.Errorf("%v", e.Error)
	}
	if e := ask(t, s, "k.items.get", `{"id":"a\nb"}`); e.Error == nil || e.Error.Message != `No item a\u000ab is known (small: (none), much: (none)).` || e.Error.Code != NotFound {
		t.Errorf("%v", e.Error)
	}
	if m := got(t, s, "k.items.get", `{"id":"S-0003"}`); m["next"] != nil {
		t.Errorf("after the last: %v", m["next"])
	}
}

// TestIDsNeverComeTwice: the id of a row that is gone does not come to mean another, in an episode that was closed, too.
func TestIDsNeverComeTwice(t *testing.T) {
	w, sp := items(t, 2)
	ctx, root := context.Background(), t.TempDir()
	s, err := w.CreateSession(ctx, sp, root)
	if err != nil {
		t.Fatal(err)
	}
	add := func(want string) {
		t.Helper()
		if m := got(t, s, "k.items.add", `{"name":"x"}`); m["id"] != want {
			t.Errorf("%v, want %s", m["id"], want)
		}
	}
	add("IT-001")
	add("IT-002")
	got(t, s, "k.items.remove", `{"id":"IT-002"}`)
	add("IT-003")
	got(t, s, "k.items.remove", `{"id":"IT-003"}`)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s, err = w.OpenSession(ctx, sp, root); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	add("IT-004")
	if e := ask(t, s, "k.items.remove", `{"id":"IT-003"}`); e.Error == nil || e.Error.Code != NotFound || e.Error.Message != "No item IT-003 is known." {
		t.Errorf("%v", e.Error)
	}
}

// TestIdempotencyOverReopen: a key is remembered in the episode's file; a refused call leaves its key free, and the empty
// key is none.
func TestIdempotencyOverReopen(t *testing.T) {
	w, sp := items(t, 2)
	ctx, root := context.Background(), t.TempDir()
	s, err := w.CreateSession(ctx, sp, root)
	if err != nil {
		t.Fatal(err)
	}
	first := ask(t, s, "k.items.add", `{"name":"x","size":2.50,"key":"k"}`)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s, err = w.OpenSession(ctx, sp, root); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if e := ask(t, s, "k.items.add", `{"key":"k","size":25e-1,"name":"x"}`); !e.Replayed || string(e.Result) != string(first.Result) || len(e.Effect) != 0 {
		t.Errorf("%+v", e)
	}
	if e := ask(t, s, "k.items.add", `{"name":"y","key":"k"}`); e.Status != Refused || e.Error.Code != Conflict {
		t.Errorf("%+v", e)
	}
	for range 2 {
		if e := ask(t, s, "k.items.add", `{"name":"x","key":""}`); !e.OK() || e.Replayed {
			t.Errorf("%+v", e)
		}
	}
	if ch, err := s.Changes(ctx); err != nil || len(ch) != 3 {
		t.Errorf("%d changes, %v", len(ch), err)
	}
}

// TestFaultsOfTheWorld: what a world does wrong is a fault of that call alone. Nothing of it stays, and the episode goes on.
func TestFaultsOfTheWorld(t *testing.T) {
	defer func(d time.Duration) { callLimit = d }(callLimit)
	w, sp := items(t, 3)
	for _, kind := range []string{"memory", "file"} {
		t.Run(kind, func(t *testing.T) {
			s := open(t, w, sp)
			if kind == "file" {
				var err error
				if s, err = w.CreateSession(context.Background(), sp, t.TempDir()); err != nil {
					t.Fatal(err)
				}
				defer s.Close()
			}
			for _, c := range []struct {
				tool, args, want string
				status           Status
			}{
				{"k.items.grow", `{"id":"S-0002","by":1e300}`, "", OK},
				{"k.items.grow", `{"id":"S-0002","by":1e300}`, "would hold a number that is not finite", Fault},
				{"k.items.grow", `{"id":"S-0002","by":1,"text":"bytes"}`, "would hold a text that is not UTF-8", Fault},
				{"k.items.count", `{"n":1000000000}`, "took longer than", Fault},
				{"k.items.slow", `{"n":1000000000}`, "took longer than", Fault},
				{"k.items.grow", `{"id":"S-0002","by":2}`, "", OK},
			} {
				callLimit = 10 * time.Second
				if strings.Contains(c.want, "longer") {
					callLimit = 30 * time.Millisecond
				}
				e := ask(t, s, c.tool, c.args)
				if e.Status != c.status || e.Status == Fault && !strings.Contains(e.Error.Message, c.want) || e.Status == Fault && len(e.Effect) != 0 {
					t.Errorf("%s %s: %s %v", c.tool, c.args, e.Status, e.Error)
				}
			}
			if ch, err := s.Changes(context.Background()); err != nil || len(ch) != 1 {
				t.Errorf("%d changes, %v", len(ch), err)
			}
			if err := VerifyChain(s.Genesis(), s.Events()); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestStagedFaultsAreTheEpisodes: each episode meets them anew, in the same calls; those that came before a restart do not
// come again, and a reviewer's calls meet none.
func TestStagedFaultsAreTheEpisodes(t *testing.T) {
	w, sp := depot(t)
	ctx, root := context.Background(), t.TempDir()
	sp.Staged.faults[0].failures = 2
	for i := range 3 {
		sp.ID = fmt.Sprint("e", i)
		s, err := w.CreateSession(ctx, sp, root)
		if err != nil {
			t.Fatal(err)
		}
		if e, err := s.Call(ctx, Call{Actor: Harness, Surface: "console", Tool: "roads.slots.list", Args: []byte(`{"road":"LIFT-2"}`)}); err != nil || !e.OK() {
			t.Errorf("%v %v", e, err)
		}
		if e := ask(t, s, "roads.slots.list", `{"road":"LIFT-9"}`); !e.OK() {
			t.Errorf("another call: %v", e.Error)
		}
		for j := range 3 {
			e := ask(t, s, "roads.slots.list", `{"road":"LIFT-2"}`)
			if want := j < 2; (e.Status == Refused && e.Error.Code == Transient && e.Error.Retryable) != want {
				t.Errorf("episode %d, call %d: %s", i, j, e.Status)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			if s, err = w.OpenSession(ctx, sp, root); err != nil {
				t.Fatal(err)
			}
		}
		s.Close()
	}
}

// TestBaselineIsAfterSeeding: rows of the task's own seed are no change of anybody's.
func TestBaselineIsAfterSeeding(t *testing.T) {
	s := memory(t)
	if ch, err := s.Changes(context.Background()); err != nil || len(ch) != 0 {
		t.Errorf("%d changes of an untouched world, %v", len(ch), err)
	}
	if m := got(t, s, "stores.lots.get", `{"lot_id":"WS-92"}`); m["qty"] != 7.0 {
		t.Errorf("the task's row is not there: %v", m)
	}
}

// TestSearch: words in any order, in any letters.
func TestSearch(t *testing.T) {
	w, _ := depot(t)
	d, err := w.plant(context.Background(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer d.close()
	for _, c := range []struct {
		query, text string
		want        int
	}{
		{"", "anything", 1}, {"  ,;- ", "anything", 1}, {"bearing wheel", "Wheel bearing, large", 1}, {"WHEEL", "wheelset", 1}, {"set", "wheelset", 0},
		{"röntgen", "RÖNTGEN", 1}, {"ro\u0308ntgen", "Röntgen", 1}, {"strasse", "Straße 5", 1}, {"STRASSE 5", "straße 5", 1}, {"ΣΊΣΥΦΟΣ", "σίσυφος", 1},
		{"WS-88", "lot ws 88", 1}, {"88 ws", "WS-88", 1}, {"WS-8", "WS-88", 1}, {"ws-9", "WS-88", 0}, {"wheel missing", "wheel", 0},
		{"京都", "東京都の倉庫", 1}, {"倉庫 東京", "東京都の倉庫", 1}, {"大阪", "東京都の倉庫", 0}, {"ไทย", "ภาษาไทย", 1}, {"naïve", "naive", 0}, {"don't", "don't panic", 1}, {"%", "100 %", 1}, {"12", "qty 120", 1},
	} {
		var n int
		d.policy = engine
		if err := d.conn.QueryRowContext(context.Background(), "SELECT search(?, ?)", c.query, c.text).Scan(&n); err != nil || n != c.want {
			t.Errorf("search(%q, %q) is %d, %v", c.query, c.text, n, err)
		}
	}
}
