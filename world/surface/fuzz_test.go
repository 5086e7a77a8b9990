package surface_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/assaybench/assay/world"
	"github.com/assaybench/assay/world/surface"
)

// FuzzBody posts bodies of any kind, as JSON, forms and protocol messages. None panics or is a fault of ours, each leaves at most
// one event, and the chain and the state stay whole.
func FuzzBody(f *testing.F) {
	targets := []string{"/mcp", "/mcp/slips", "/api/v1/tools/slips.bookings.create", "/api/v1/submit", "/app/submit", "/app/notes/drafts/create"}
	for _, body := range []string{
		`{"slip":"SLIP-2","day":"2034-05-16","vessel":"217"}`, `{"held":["LT-8",{}],"cost":1e400,"gap":1.0}`, "required_quantity=12&gap=5&held=%5B%22LT-8%22%5D&cost=80.00",
		"recipient=u-ada&subject=a&body=b%0d%0ac&body=2", "%", "{", "[]", "null", "\xff\x00", `{"a":"\ud800"}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"files.read","arguments":{"file_id":"SPEC-4"}}}`,
		`{"jsonrpc":"2.0","id":null,"method":"tools/call","params":{"name":"files.read","arguments":[[[]]]}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"","arguments":null,"_meta":{"progressToken":{}}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"assay://evidence/../sealed"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`,
	} {
		for i := range targets {
			f.Add(uint(i), body)
		}
	}
	task, err := open(f, richer(f)).Task("ferry-217")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, at uint, body string) {
		target := targets[at%uint(len(targets))]
		if len(body) > 100_000 {
			t.Skip()
		}
		s, err := task.Session(t.Context(), "fuzz")
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		token := surface.NewToken()
		v, err := surface.New(s, token)
		if err != nil {
			t.Fatal(err)
		}
		defer v.Close()
		r := httptest.NewRequest("POST", "http://127.0.0.1"+target, strings.NewReader(body))
		kind := "application/json"
		if strings.HasPrefix(target, "/app") {
			kind = "application/x-www-form-urlencoded"
		}
		for k, x := range map[string]string{"Authorization": "Bearer " + token, "Content-Type": kind, "Accept": "application/json, text/event-stream"} {
			r.Header.Set(k, x)
		}
		w := httptest.NewRecorder()
		v.Handler().ServeHTTP(w, r)
		if w.Code >= 500 && w.Code != http.StatusServiceUnavailable { // a staged fault
			t.Errorf("%s %q: %d %s", target, body, w.Code, w.Body)
		}
		got := w.Body.String()
		if strings.HasPrefix(w.Header().Get("Content-Type"), "application/json") && !json.Valid(w.Body.Bytes()) && got != "" {
			t.Errorf("%s %q: no JSON: %s", target, body, got)
		}
		if strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") && strings.Contains(strings.ToLower(got), "<script") {
			t.Errorf("%s %q: a page with a script: %s", target, body, got)
		}
		if strings.Contains(got, token) {
			t.Errorf("%s %q: shows the token", target, body)
		}
		ev := s.Events()
		// A batch of old revisions holds several calls; any other request holds one.
		if len(ev) > 1 && !strings.HasPrefix(strings.TrimSpace(body), "[") {
			t.Errorf("%s %q: %d events", target, body, len(ev))
		}
		for _, e := range ev {
			if e.Status == world.Fault || e.Actor != world.Agent {
				t.Errorf("%s %q: %s of %s: %v", target, body, e.Status, e.Actor, e.Error)
			}
		}
		if err := world.VerifyChain(s.Genesis(), ev); err != nil {
			t.Error(err)
		}
		if _, err := s.Changes(t.Context()); err != nil {
			t.Error(err)
		}
	})
}
