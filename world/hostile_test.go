package world

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// hostileValues are arguments, as JSON, that a caller might send in the place of a value.
func hostileValues() []string {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	return []string{
		`null`, `true`, `false`, `0`, `-0`, `1`, `-1`, `1.5`, `25.0`, `2.5e1`, `1e400`, `-1e400`, `1e-400`, `1e999999999`, `1e99999999999999999999`, `99999999999999999999`,
		`9223372036854775807`, `9223372036854775808`, `-9223372036854775808`, `9007199254740993`, `0.1234567890123456789`, strings.Repeat("9", 5000), `0.` + strings.Repeat("3", 5000),
		`""`, `" "`, `"WS-91"`, `"LIFT-2"`, `"2031-04-16"`, `"2031-02-30"`, `"u-marta"`, `"FREE"`, `"oldest"`,
		`"' OR 1=1 --"`, `"'; DROP TABLE lots; --"`, `"\"); DELETE FROM lots; --"`, `":lot_id"`, `"?1"`, `"$x"`, `"{lot_id}"`, `"{"`, `"}"`, `"%"`, `"*[^0-9]*"`, `"\\"`,
		`"\u0000"`, `"a\u0000b"`, `"\ud800"`, `"\udc00\ud800"`, `"\ud83d\ude00"`, `"é"`, `"e\u0301"`, `"İ"`, `"ß"`, `"\u202e"`, `"\u2028"`, `"\u001b[31m"`, `"\ufeff"`, "\"\xff\"", "\"\xc0\xaf\"",
		`{}`, `[]`, `[1]`, `["a",null]`, `{"a":1,"a":2}`, `{"\u0061":1,"a":2}`, `{"$blob":"AA=="}`, `{"__proto__":{}}`, deep(60), deep(70), deep(9000), deep(200000),
		`"` + strings.Repeat("x", 300_000) + `"`, `"` + strings.Repeat("é ", 100_000) + `"`, `"` + strings.Repeat("%_", 40_000) + `"`,
	}
}

// hostileArgs are whole arguments.
func hostileArgs(t *Tool) []string {
	out := []string{``, ` `, `null`, `[]`, `""`, `0`, `{`, `{}`, `{}{}`, `{} x`, "\xef\xbb\xbf{}", `{"":1}`, `{"undeclared":1}`, `{"a":1,"a":1}`, `{"\u0000":"\u0000"}`,
		`{"x":"` + strings.Repeat("y", maxArgs) + `"}`, "{\"\xff\":1}", strings.Repeat(`{"a":`, 50_000) + `1` + strings.Repeat(`}`, 50_000)}
	valid := map[string]string{"part": `"WS-M4"`, "lot_id": `"WS-88"`, "revision": `1`, "road": `"LIFT-2"`, "date": `"2031-04-16"`, "unit": `"1"`, "booking_id": `"BK-0001"`,
		"recipient": `"u-marta"`, "body": `"b"`, "file_id": `"SPEC-7"`, "path": `"spec-7.md"`, "id": `"a"`, "n": `1`}
	for _, name := range t.Input.Properties() {
		for _, v := range hostileValues() {
			parts := []string{fmt.Sprintf("%q:%s", name, v)}
			for _, o := range t.Input.Properties() {
				if o != name && valid[o] != "" {
					parts = append(parts, fmt.Sprintf("%q:%s", o, valid[o]))
				}
			}
			out = append(out, "{"+strings.Join(parts, ",")+"}")
		}
	}
	return out
}

// judgeCall checks what must hold of any call, whatever was sent.
func judgeCall(t testing.TB, s *Session, e *Event, args string) {
	t.Helper()
	short := args[:min(len(args), 300)]
	if e.Status == Fault {
		t.Fatalf("%s %s: a caller made a fault of the world: %s", e.Tool, short, e.Error.Message)
	}
	if e.Error != nil && (strings.ContainsAny(e.Error.Message, "\n\x00\x1b") || len(e.Error.Message) > 5000) {
		t.Fatalf("%s %s: the message is no line: %q", e.Tool, short, e.Error.Message)
	}
	i := slices.IndexFunc(s.Tools(), func(t *Tool) bool { return t.Name == e.Tool })
	if i < 0 {
		if e.Status != Rejected {
			t.Fatalf("the unknown tool %q was %s", e.Tool, e.Status)
		}
		return
	}
	tool := s.Tools()[i]
	if len(e.Effect) > 0 && (e.Status != OK || tool.Access != Write) {
		t.Fatalf("%s %s: %s, and changed %d rows", e.Tool, short, e.Status, len(e.Effect))
	}
	if e.Status == OK {
		var v any
		d := json.NewDecoder(strings.NewReader(string(e.Result)))
		d.UseNumber()
		if err := d.Decode(&v); err != nil {
			t.Fatalf("%s: the result is no JSON: %v", e.Tool, err)
		}
		if err := tool.Output.check(v); err != nil {
			t.Fatalf("%s %s: the result is not of its schema: %v", e.Tool, short, err)
		}
	}
	if e.Status != Rejected && strings.TrimSpace(args) != "" { // closed: nothing undeclared came through
		var m map[string]json.RawMessage
		if err := json.Unmarshal([]byte(args), &m); err != nil || m == nil {
			t.Fatalf("%s took what is no object: %s", e.Tool, short)
		}
		for k := range m {
			if !tool.Input.Has(k) {
				t.Fatalf("%s took the undeclared %q", e.Tool, k)
			}
		}
	}
}

// TestHostileArguments puts every hostile value into every property of every tool: no call breaks the session, takes long,
// or makes the store run a statement that is not declared.
func TestHostileArguments(t *testing.T) {
	written(t)
	for name, make := range map[string]func(testing.TB) (*World, Spec){"depot": depot, "kinds": kinds} {
		t.Run(name, func(t *testing.T) {
			w, sp := make(t)
			s, err := w.NewSession(context.Background(), sp)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			tracing.take()
			statuses := map[Status]int{}
			slow, slowest := time.Duration(0), ""
			for i, tool := range s.Tools() {
				if name == "kinds" && i%6 != 0 && !strings.HasPrefix(tool.Name, "assay") {
					continue
				}
				for _, args := range hostileArgs(tool) {
					begin := time.Now()
					e := ask(t, s, tool.Name, args)
					if d := time.Since(begin); d > slow {
						slow, slowest = d, tool.Name+" "+args[:min(len(args), 80)]
					}
					judgeCall(t, s, e, args)
					statuses[e.Status]++
				}
			}
			for _, tool := range []string{"", " ", "stores", "stores.lots.list ", "STORES.LOTS.LIST", "stores.lots.list\x00", "\xff", strings.Repeat("a.", 5000), "assay.", "../x", "'; --"} {
				judgeCall(t, s, ask(t, s, tool, `{}`), `{}`)
			}
			if _, err := s.Changes(context.Background()); err != nil {
				t.Error(err)
			}
			if err := VerifyChain(s.Genesis(), s.Events()); err != nil {
				t.Error(err)
			}
			allowed := declared(w)
			for _, text := range tracing.take() {
				if !allowed[text] {
					t.Errorf("a statement ran that nobody declared: %s", text)
				}
			}
			if slow > 3*time.Second && !raceDetector {
				t.Errorf("%v: %s", slow, slowest)
			}
			if statuses[OK] == 0 || statuses[Rejected] == 0 || statuses[Refused] == 0 {
				t.Errorf("%v", statuses)
			}
			t.Log(statuses, slow, slowest)
		})
	}
}

// FuzzCall sends any arguments to any tool.
func FuzzCall(f *testing.F) {
	w, sp := depot(f)
	allowed := declared(w)
	s, err := w.NewSession(context.Background(), sp)
	if err != nil {
		f.Fatal(err)
	}
	tools := s.Tools()
	s.Close()
	for i, t := range tools {
		for _, a := range hostileArgs(t) {
			if len(a) < 400 {
				f.Add(byte(i), a)
			}
		}
	}
	written(f)
	f.Fuzz(func(t *testing.T, which byte, args string) {
		s, err := w.NewSession(context.Background(), sp)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		tracing.take()
		name := "nothing.at.all"
		if i := int(which); i < len(tools) {
			name = tools[i].Name
		} else if i < 2*len(tools) { // arguments for one tool sent to another
			name = tools[(i+3)%len(tools)].Name
		}
		for range 2 {
			judgeCall(t, s, ask(t, s, name, args), args)
		}
		if e := ask(t, s, "stores.lots.release", `{"lot_id":"WS-88","revision":1}`); name != e.Tool && !e.OK() {
			t.Fatalf("the session is not what it was: %v", e.Error)
		}
		if _, err := s.Changes(context.Background()); err != nil {
			t.Fatal(err)
		}
		if err := VerifyChain(s.Genesis(), s.Events()); err != nil {
			t.Fatal(err)
		}
		for _, text := range tracing.take() {
			if !allowed[text] {
				t.Fatalf("a statement ran that nobody declared: %s", text)
			}
		}
	})
}

// TestMessagesAreTheSame: what is said of a call is recorded, and the same call gets the same words.
func TestMessagesAreTheSame(t *testing.T) {
	w, sp := depot(t)
	args := `{"part":1,"status":2,"query":3,"sort":4,"limit":"5","cursor":6,"b":1,"a":1,"d":1,"c":1,"g":1,"f":1,"e":1}`
	first := ""
	for range 30 {
		s := open(t, w, sp)
		e := ask(t, s, "stores.lots.list", args)
		if first == "" {
			first = e.Hash
		}
		if e.Hash != first || e.Status != Rejected {
			t.Fatalf("another event: %s", e.Error.Message)
		}
	}
}
