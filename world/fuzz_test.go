package world

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
)

// hostile are arguments that have broken others.
var hostile = []string{
	`{}`, `[]`, `null`, `"x"`, `{"lot_id":null}`, `{"lot_id":1e400}`, `{"lot_id":99999999999999999999}`, `{"revision":1e400,"lot_id":"WS-88"}`,
	`{"lot_id":"' OR 1=1; DROP TABLE lots; --"}`, `{"lot_id":"\u0000"}`, `{"lot_id":"\ud800"}`, `{"lot_id":"a","lot_id":"b"}`, `{"part":"WS-M4","limit":0}`,
	`{"part":"WS-M4","limit":50,"cursor":"AAAAAAAAAAA"}`, `{"query":"%_' \" \\ ; -- /* */"}`, `{"road":{"$gt":""},"date":"2031-04-16","unit":"1"}`,
	`{"road":"LIFT-2","date":"2031-04-16","unit":"1","request_key":""}`, `{"recipient":"u-marta","body":""}`, `{"path":"../../sealed/contract.yaml"}`,
	`{"lot_id":"WS-88","revision":1.0000000000000001}`, `{"lot_id":"WS-88","revision":-9223372036854775809}`, `{"lot_id":true}`, "{\"lot_id\":\"\xff\"}", `{"sort":"received; DROP TABLE lots"}`,
	strings.Repeat(`{"a":`, 5000), strings.Repeat("[", 100000), `{"lot_id":` + strings.Repeat("[", 70) + strings.Repeat("]", 70) + `}`,
}

// FuzzCall sends anything to any tool: nothing panics, closed schemas hold, the log accounts for every change, and no
// statement runs that no file declares.
func FuzzCall(f *testing.F) {
	w, sp := depot(f)
	names := []string{ToolContext, ToolEvidence, ToolSubmit, "nosuch", ""}
	for _, t := range w.Tools {
		names = append(names, t.Name)
	}
	for i, h := range hostile {
		f.Add(uint8(i), h)
		f.Add(uint8(i*7), h)
	}
	ctx := context.Background()
	f.Fuzz(func(t *testing.T, tool uint8, args string) {
		s, err := w.NewSession(ctx, sp)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		name := names[int(tool)%len(names)]
		for range 2 { // the second meets what the first left
			e, err := s.Call(ctx, Call{Actor: Agent, Surface: "test", Tool: name, Args: []byte(args)})
			if err != nil {
				t.Fatalf("%s %q: %v", name, args, err)
			}
			checkCall(t, s, e, args)
		}
		if err := VerifyChain(s.Genesis(), s.Events()); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Changes(ctx); err != nil {
			t.Fatal(err)
		}
		for text := range s.d.stmts {
			if !declared(w)[text] {
				t.Fatalf("%s %q ran %q", name, args, text)
			}
		}
	})
}

func checkCall(t *testing.T, s *Session, e *Event, args string) {
	t.Helper()
	switch e.Status {
	case Fault:
		t.Fatalf("%s %q is a fault of the world: %s", e.Tool, args, e.Error.Message)
	case OK:
		tool, no := s.resolve(Call{Tool: e.Tool})
		if no != nil {
			t.Fatalf("%q ran, and is no tool", e.Tool)
		}
		a, err := decodeArgs([]byte(args))
		if err != nil || tool.Input.check(a) != nil {
			t.Fatalf("%s took %q, which its schema does not", e.Tool, args)
		}
		out, err := decodeArgs(e.Result)
		if err != nil || tool.Output.check(out) != nil {
			t.Fatalf("%s gave %s, which its schema does not have", e.Tool, e.Result)
		}
		if tool.Access == Read && len(e.Effect) > 0 {
			t.Fatalf("%s is declared read and changed the world", e.Tool)
		}
	default:
		if e.Error == nil || e.Error.Message == "" || strings.ContainsAny(e.Error.Message, "\n\r\x1b") || len(e.Effect) > 0 {
			t.Fatalf("%s %q: %+v, %d changes", e.Tool, args, e.Error, len(e.Effect))
		}
	}
	if b, err := e.Canonical(); err != nil {
		t.Fatal(err)
	} else if back, err := ParseEvent(b); err != nil {
		t.Fatalf("an event cannot be read back: %v\n%s", err, b)
	} else if again, err := back.Canonical(); err != nil || !bytes.Equal(b, again) {
		t.Fatalf("an event changes when it is read back: %v\n%s\n%s", err, b, again)
	}
}

var declaredOnce struct {
	sync.Mutex
	m map[string]bool
}

// declared are the statements that may run: those of the files, the pages made of them, and the package's own.
func declared(w *World) map[string]bool {
	declaredOnce.Lock()
	defer declaredOnce.Unlock()
	if declaredOnce.m != nil {
		return declaredOnce.m
	}
	m := map[string]bool{}
	for _, text := range []string{"PRAGMA foreign_keys = 1", "PRAGMA query_only = 0", "PRAGMA query_only = 1", "BEGIN IMMEDIATE", "COMMIT", "ROLLBACK"} {
		m[text] = true
	}
	for _, t := range w.Tables {
		var cols []string
		for _, c := range t.Columns {
			cols = append(cols, quoteName(c.Name))
		}
		m["SELECT "+strings.Join(cols, ", ")+" FROM "+quoteName(t.Name)] = true
	}
	rows := func(r *result) {
		m[r.sorted(r.order)] = true
		for _, s := range r.sorts {
			m[r.sorted(s.order)] = true
		}
		m["SELECT count(*) FROM ("+r.rows.text+"\n)"] = true
	}
	for _, t := range w.Tools {
		for _, id := range t.ids {
			m[id.sql.text] = true
		}
		for _, s := range t.steps {
			if s.guard != nil {
				m[s.guard.text] = true
			} else {
				m[s.run.text] = true
			}
		}
		for _, r := range append([]nested{{result: t.result}}, t.result.with...) {
			if r.row != nil {
				m[r.row.text] = true
			} else {
				rows(&r.result)
			}
		}
	}
	declaredOnce.m = m
	return m
}

// FuzzLoad alters the files of a world: it is taken or refused with places, and nothing panics.
func FuzzLoad(f *testing.F) {
	files := []string{"world/world.yaml", "world/tools.yaml", "world/schema.sql", "world/seed/lots.csv", "world/seed/road_slots.json"}
	base := tree(f)
	for i, name := range files {
		f.Add(uint8(i), string(base[name].Data))
	}
	f.Add(uint8(2), "CREATE TABLE a (b INTEGER PRIMARY KEY) STRICT; CREATE TRIGGER t AFTER INSERT ON a BEGIN SELECT 1; END;")
	f.Fuzz(func(t *testing.T, which uint8, text string) {
		if strings.Contains(strings.ToUpper(text), "RECURSIVE") {
			t.Skip("may run long: schema.sql is the author's own")
		}
		m := fstest.MapFS{}
		for k, v := range base {
			m[k] = v
		}
		m[files[int(which)%len(files)]] = &fstest.MapFile{Data: []byte(text)}
		if _, err := Load(m, "world", "depot"); err != nil && strings.TrimSpace(err.Error()) == "" {
			t.Fatal("refused without a word")
		}
	})
}

// FuzzSQLText reads statements and scripts: what is found is in the text.
func FuzzSQLText(f *testing.F) {
	for _, s := range []string{"SELECT :a, ':b', \"c:d\" -- :e\n, :a", "SELECT 1; SELECT 2", "/* x", "'", "[a", "CREATE TRIGGER t BEGIN SELECT ';'; END; CREATE TABLE x(a)", ";;", "$1", "::"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if s, err := parseStatement(text); err == nil {
			for _, p := range s.params {
				if !strings.Contains(text, ":"+p) {
					t.Fatalf("%q has no :%s", text, p)
				}
			}
			if strings.TrimSpace(s.text) == "" {
				t.Fatalf("%q is no statement", text)
			}
		}
		pieces, err := splitScript(text)
		if err != nil {
			return
		}
		at := 0
		for _, p := range pieces {
			i := strings.Index(text[at:], p.text)
			if i < 0 {
				t.Fatalf("%q is not in %q", p.text, text)
			}
			at += i + len(p.text)
		}
	})
}

// FuzzLogs reads events, traces and exported episodes.
func FuzzLogs(f *testing.F) {
	f.Add([]byte("{\"tool\":\"a.b\",\"args\":{}}\n"))
	f.Add([]byte(`{"actor":"agent","args":{},"at":"","effect":[{"table":"a","op":"insert","key":{"a":1},"before":null,"after":{"a":1.5,"b":{"$blob":"AA=="}}}],"error":null,"hash":"","prev":"","replayed":false,"result":null,"seq":1,"session":"","status":"ok","surface":"","tool":"x"}` + "\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if events, err := ReadEvents(bytes.NewReader(b)); err == nil {
			_ = VerifyChain("", events)
			_ = Net(events)
		}
		_, _ = ReadTrace(b)
		if l, err := jsonList(b); err == nil && !json.Valid(l) && !slices.Contains(b, 0xff) {
			t.Fatalf("%q became %q", b, l)
		}
		_, _ = ReadBundle(fstest.MapFS{BundleFile: {Data: b}, EventsFile: {Data: b}, ChangesFile: {Data: b}})
	})
}

// TestHostileCalls is FuzzCall's corpus against every tool, in one session.
func TestHostileCalls(t *testing.T) {
	s := memory(t)
	ctx := context.Background()
	for _, tool := range s.Tools() {
		for _, h := range hostile {
			e, err := s.Call(ctx, Call{Actor: Agent, Surface: "test", Tool: tool.Name, Args: []byte(h)})
			if err != nil {
				t.Fatalf("%s %.100q: %v", tool.Name, h, err)
			}
			checkCall(t, s, e, h)
		}
	}
	if _, err := s.Changes(ctx); err != nil {
		t.Error(err)
	}
}
