package anthropic

import (
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
)

func TestIdentify(t *testing.T) {
	const full = `{"type":"model","id":"claude-x-20260101","display_name":"Claude X","created_at":"2026-01-01T00:00:00Z","max_input_tokens":200000,"max_tokens":64000,"capabilities":{"batch":{"supported":true},` +
		`"effort":{"supported":true,"low":{"supported":true},"medium":{"supported":true},"high":{"supported":true},"xhigh":{"supported":false},"max":{"supported":true}},` +
		`"thinking":{"supported":true,"types":{"adaptive":{"supported":true},"enabled":{"supported":false}}},"structured_outputs":{"supported":true}}}`
	for name, c := range map[string]struct {
		status int
		body   string
		want   record.Identity
	}{
		"an alias": {200, full, record.Identity{Model: "claude-x-20260101", Server: "test/1", Context: 200000, Details: map[string]string{"listed": "yes", "alias": "claude-x", "display_name": "Claude X",
			"created_at": "2026-01-01T00:00:00Z", "max_tokens": "64000", "effort": "high low max medium", "thinking": "adaptive"}}},
		"its own name":   {200, `{"id":"claude-x","type":"model"}`, record.Identity{Model: "claude-x", Server: "test/1", Details: map[string]string{"listed": "yes"}}},
		"odd fields":     {200, `{"id":"claude-x","display_name":7,"max_input_tokens":"many","capabilities":{"effort":[],"thinking":7}}`, record.Identity{Model: "claude-x", Server: "test/1", Details: map[string]string{"listed": "yes"}}},
		"no such model":  {404, refusal("not_found_error", "model: claude-x"), record.Identity{Model: "claude-x", Server: "test/1", Details: map[string]string{"listed": "no"}}},
		"no such path":   {404, "nothing here", record.Identity{Model: "claude-x", Server: "test/1", Details: map[string]string{"listed": "unknown: GET /v1/models/NAME gives HTTP 404"}}},
		"something else": {200, `{"data":[]}`, record.Identity{Model: "claude-x", Server: "test/1", Details: map[string]string{"listed": "unknown: GET /v1/models/NAME describes no model"}}},
	} {
		srv := serve(t, func(w http.ResponseWriter, _ seen) (int, string) {
			w.Header().Set("Server", "test/1")
			return c.status, c.body
		})
		m := at(t, srv.URL)
		got, err := m.Identify(t.Context())
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v\n got %+v\nwant %+v", name, err, got, c.want)
		}
		if again, err := m.Identify(t.Context()); err != nil || !reflect.DeepEqual(again, got) {
			t.Errorf("%s: a second look differs: %+v, %v", name, again, err)
		}
		if r := srv.requests()[0]; r.method != "GET" || r.uri != "/v1/models/claude-x" || r.body != "" || r.header.Get("X-Api-Key") != testKey || r.header.Get("Anthropic-Version") != "2023-06-01" {
			t.Errorf("%s: asked %+v", name, r)
		}
		if m.holds.Load() != c.want.Context {
			t.Errorf("%s: holds %d", name, m.holds.Load())
		}
	}
}

func TestIdentifyFaults(t *testing.T) {
	for status, want := range map[int]model.FaultKind{401: model.FaultDenied, 529: model.FaultBusy, 500: model.FaultServer} {
		_, err := at(t, say(t, status, "{}").URL).Identify(t.Context())
		if f := model.AsFault(err); err == nil || f.Kind != want {
			t.Errorf("%d: %v", status, err)
		}
	}
}

// TestNamesAreEscaped: a name may hold what a path may not.
func TestNamesAreEscaped(t *testing.T) {
	srv := say(t, 404, "{}")
	m := at(t, srv.URL)
	m.Spec.Name = "a/b?c#d é"
	if _, err := m.Identify(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := srv.requests()[0].uri; got != "/v1/models/a%2Fb%3Fc%23d%20%C3%A9" {
		t.Errorf("asked %s", got)
	}
}

func TestList(t *testing.T) {
	srv := serve(t, func(_ http.ResponseWriter, r seen) (int, string) {
		switch r.uri {
		case "/v1/models?limit=1000":
			return 200, `{"data":[{"id":"a","max_input_tokens":1000000},{"id":"b&c"},{"display_name":"nameless"}],"has_more":true,"first_id":"a","last_id":"b&c"}`
		case "/v1/models?limit=1000&after_id=b%26c":
			return 200, `{"data":[{"id":"d"}],"has_more":false,"first_id":"d","last_id":"d"}`
		}
		return 500, "{}"
	})
	held, err := at(t, srv.URL).List(t.Context())
	if want := []model.Held{{Name: "a", Context: 1000000}, {Name: "b&c"}, {Name: "d"}}; err != nil || !reflect.DeepEqual(held, want) {
		t.Errorf("%+v, %v", held, err)
	}
	for body, want := range map[string]string{`{}`: "no list of models", `[]`: "no list of models", `{"data":[{"id":"a"}],"has_more":true,"last_id":"a"}`: "does not end after 20 pages"} {
		srv := say(t, 200, body)
		held, err := at(t, srv.URL).List(t.Context())
		if f := model.AsFault(err); err == nil || f.Kind != model.FaultBroken || !strings.Contains(f.Msg, want) || held != nil || len(srv.requests()) > maxPages {
			t.Errorf("%s: %v, %v", body, held, err)
		}
	}
	if _, err := at(t, say(t, 401, refusal("authentication_error", "invalid x-api-key")).URL).List(t.Context()); err == nil || model.AsFault(err).Kind != model.FaultDenied {
		t.Errorf("got %v", err)
	}
}

// TestHostileList: names reach terminals.
func TestHostileList(t *testing.T) {
	srv := say(t, 200, fmt.Sprintf(`{"data":[{"id":"a\u001b[31m%s"}]}`, url.QueryEscape(strings.Repeat("x", 1000))))
	held, err := at(t, srv.URL).List(t.Context())
	if err != nil || len(held) != 1 || strings.Contains(held[0].Name, "\x1b") || len(held[0].Name) > 210 {
		t.Errorf("%+v, %v", held, err)
	}
}
