package world

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/assaybench/assay/bench"
)

// loadedFiles are the files of the test world that FuzzLoad puts texts in the place of.
var loadedFiles = []string{"world/schema.sql", "world/tools.yaml", "world/world.yaml", "world/seed/lots.csv", "world/seed/road_slots.json",
	"tasks/lift-4417/public/task.yaml", "tasks/lift-4417/sealed/faults.yaml", "tasks/lift-4417/sealed/seed/lots.csv"}

// FuzzLoad reads worlds and tasks with one file that is anything: it is taken and works, or it is refused in lines that
// each name a file.
func FuzzLoad(f *testing.F) {
	base := tree(f)
	for i, name := range loadedFiles {
		f.Add(byte(i), string(base[name].Data))
	}
	for _, sql := range []string{"CREATE TABLE t (a TEXT PRIMARY KEY) STRICT", "CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT DEFAULT (random())) STRICT;",
		"CREATE TRIGGER x AFTER INSERT ON lots BEGIN SELECT 1; END", "CREATE VIEW v AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT * FROM n",
		"/*", "'", "CREATE TABLE \"a\"\"b\" (\"c d\" TEXT PRIMARY KEY) STRICT", "BEGIN; END;", ";;;"} {
		f.Add(byte(0), sql)
		f.Add(byte(0), string(base[loadedFiles[0]].Data)+sql)
	}
	for _, y := range []string{"tools: []", "tools: [{}]", "tools: 1", "tools: [{name: a.b, description: d, access: read, input: {type: object, additionalProperties: false}, output: {type: object, additionalProperties: false}, result: {row: SELECT 1}}]", "[", "a: &a [*a]", "\xff"} {
		f.Add(byte(1), y)
		f.Add(byte(2), y)
		f.Add(byte(5), y)
		f.Add(byte(6), y)
	}
	f.Add(byte(4), `[{"road":"a","day":1e400,"state":{"x":[]}}]`)
	f.Add(byte(3), "lot_id,part,qty,status,received\n\"\n")
	f.Fuzz(func(t *testing.T, which byte, text string) {
		m := fstest.MapFS{}
		for k, v := range base {
			m[k] = v
		}
		m[loadedFiles[int(which)%len(loadedFiles)]] = &fstest.MapFile{Data: []byte(text)}
		if err := loadAndCall(m); err != nil {
			if strings.TrimSpace(err.Error()) == "" {
				t.Fatal("an error says nothing")
			}
			for line := range strings.Lines(err.Error()) {
				if !strings.Contains(line, ":") {
					t.Fatalf("a line says no place: %q in %q", line, err)
				}
			}
		}
	})
}

func loadAndCall(m fstest.MapFS) error {
	w, err := Load(m, "world", "depot")
	if err != nil {
		return err
	}
	if err := w.Lint(context.Background()); err != nil {
		return err
	}
	const dir = "tasks/lift-4417/public"
	n, err := bench.Parse(dir+"/task.yaml", m[dir+"/task.yaml"].Data)
	if err != nil {
		return err
	}
	task, err := w.ReadTask(n, m, dir)
	if err != nil {
		return err
	}
	st, err := w.ReadStaged(m, "tasks/lift-4417/sealed")
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	s, err := w.NewSession(ctx, Spec{ID: "s", Task: task, Staged: st})
	if err != nil {
		return err
	}
	defer s.Close()
	for _, t := range s.Tools() {
		for _, args := range []string{"{}", `{"lot_id":"WS-91","road":"LIFT-2","booking_id":"x","file_id":"SPEC-7","revision":1,"path":"spec-7.md"}`} {
			if _, err := s.Call(ctx, Call{Actor: Agent, Surface: "test", Tool: t.Name, Args: []byte(args)}); err != nil {
				panic(fmt.Sprintf("%s: the session broke: %v", t.Name, err))
			}
		}
	}
	if _, err := s.Changes(ctx); err != nil {
		panic(err)
	}
	return nil
}

// FuzzReadEvents reads logs: what is read is written again as the same values, and nothing of it breaks what works on logs.
func FuzzReadEvents(f *testing.F) {
	s := memory(f)
	ask(f, s, "roads.slots.list", `{"road":"LIFT-2"}`)
	ask(f, s, "roads.bookings.create", `{"road":"LIFT-2","date":"2031-04-16","unit":"4417","request_key":"k"}`)
	ask(f, s, "stores.lots.get", `{`)
	var log bytes.Buffer
	for _, e := range s.Events() {
		b, err := e.Canonical()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(b) + "\n")
		log.Write(append(b, '\n'))
	}
	f.Add(log.String())
	f.Add(log.String()[:log.Len()-1])
	for _, v := range []string{`1e20`, `-0.0`, `1e999`, `{"$blob":"AA=="}`, `{"$blob":1}`, `"\ud800"`, `null`, `[]`, `9223372036854775808`, `0.1`} {
		f.Add(`{"effect":[{"table":"t","op":"update","key":{"a":` + v + `},"before":{"a":` + v + `},"after":null}]}` + "\n")
	}
	f.Fuzz(func(t *testing.T, text string) {
		events, err := ReadEvents(strings.NewReader(text))
		if err != nil {
			if strings.Contains(err.Error(), "\n") || !strings.HasPrefix(err.Error(), "line ") {
				t.Fatalf("%q", err)
			}
			return
		}
		Answer(events)
		Net(events)
		_ = VerifyChain("", events)
		for i := range events {
			b, err := events[i].Canonical()
			if err != nil {
				continue
			}
			again, err := ParseEvent(b)
			if err != nil {
				t.Fatalf("%s is not read back: %v", b, err)
			}
			if c, err := again.Canonical(); err != nil || string(b) != string(c) {
				t.Fatalf("%s becomes %s, %v", b, c, err)
			}
			for _, ch := range events[i].Effect {
				ch.Columns()
			}
		}
	})
}

// FuzzReadTrace reads traces.
func FuzzReadTrace(f *testing.F) {
	for _, t := range []string{"", "# no call\n\n", `{"tool":"a","args":{}}`, `{"tool":"a"}` + "\n" + `{"tool":"b","args":{"x":1e400}}`, `{"tool":""}`, `{"tool":"a","tool":"b"}`, `{"tool":"a","more":1}`, "\xff", `{"tool":"a","args":` + strings.Repeat("[", 20_000)} {
		f.Add(t)
	}
	f.Fuzz(func(t *testing.T, text string) {
		calls, err := ReadTrace([]byte(text))
		if err != nil {
			if strings.Contains(err.Error(), "\n") || !strings.HasPrefix(err.Error(), "line ") {
				t.Fatalf("%q", err)
			}
			return
		}
		for _, c := range calls {
			if c.Tool == "" || c.Line < 1 || len(c.Args) > 0 && !c.Args.IsValid() {
				t.Fatalf("%+v of %q", c, text)
			}
		}
	})
}

// FuzzSQLText divides scripts and finds parameters: pieces are what stands in the script, in its order, on the lines that
// are said, and nothing but space and comments is between them.
// pieceAt is where a piece begins: behind white space, comments and empty statements alone.
func pieceAt(text, piece string) int {
	at, found := 0, -1
	_ = scanSQL(text, func(kind byte, token string) error {
		if found < 0 && kind != ' ' && kind != ';' {
			found = at
		}
		at += len(token)
		return nil
	})
	if found < 0 || !strings.HasPrefix(text[found:], piece) {
		return -1
	}
	return found
}

func FuzzSQLText(f *testing.F) {
	b, err := os.ReadFile("testdata/depot/world/schema.sql")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(b))
	for _, s := range []string{kindsSchema, ";", "a;b", "'a;b'", "\"a;b\"", "[a;b]", "`;`", "-- ;\nx", "/*;*/x", "/*/", "--", "CREATE TRIGGER t BEGIN SELECT 1; END; x", "create temp trigger x begin a;b;end;c", ":a :b :a", "':a' :b -- :c", "::a", ":", "?", "?1", "@a", "$a", "a$b", "x'00'", "\x00", "é;ü", "\v", "END;", ":a;;"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		pieces, err := splitScript(text)
		at := 0
		for _, p := range pieces {
			// A piece may stand in a comment before it as well, so that the first place with its text need not be its own.
			i := pieceAt(text[at:], p.text)
			if i < 0 || p.text == "" {
				t.Fatalf("%q is not in %q", p.text, text)
			}
			between := 0
			if err := scanSQL(text[at:at+i], func(kind byte, token string) error {
				if kind != ' ' && kind != ';' {
					between++
				}
				return nil
			}); err == nil && between > 0 {
				t.Fatalf("%q leaves out %q", text, text[at:at+i])
			}
			if line := 1 + strings.Count(text[:at+i], "\n"); line != p.line {
				t.Fatalf("%q is on line %d, not %d", p.text, line, p.line)
			}
			at += i + len(p.text)
		}
		s, perr := parseStatement(text)
		if perr == nil && err == nil && len(pieces) > 1 && !slices.ContainsFunc(pieces, func(p piece) bool { return strings.Contains(strings.ToUpper(p.text), "TRIGGER") }) {
			t.Fatalf("%q is one statement and %d pieces", text, len(pieces))
		}
		if perr == nil {
			for _, p := range s.params {
				if !strings.Contains(s.text, ":"+p) {
					t.Fatalf("%q has no :%s", s.text, p)
				}
			}
		}
	})
}

// FuzzCursor opens cursors: one that was not given is refused, and no two texts stand for one place.
func FuzzCursor(f *testing.F) {
	w, _ := depot(f)
	c := &call{tool: w.Tool("stores.lots.list"), args: map[string]any{"part": "WS-M4"}}
	for _, n := range []int{0, 1, 20, 1 << 40} {
		f.Add(c.cursor(n), n)
	}
	f.Add("", 0)
	f.Add(c.cursor(5)+"\n", 5)
	f.Add(strings.Repeat("A", 1000), 7)
	f.Fuzz(func(t *testing.T, text string, n int) {
		if at, err := c.openCursor(text); err == nil && (at < 0 || c.cursor(at) != text) {
			t.Fatalf("%q opens at %d", text, at)
		}
		if n < 0 || n > 1<<40 {
			return
		}
		if at, err := c.openCursor(c.cursor(n)); err != nil || at != n {
			t.Fatalf("%d comes back as %d, %v", n, at, err)
		}
		other := &call{tool: c.tool, args: map[string]any{"part": "other" + text}}
		if _, err := other.openCursor(c.cursor(n)); err == nil {
			t.Fatal("a cursor of another call was taken")
		}
	})
}
