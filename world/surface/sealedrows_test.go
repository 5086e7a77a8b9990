package surface_test

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"
)

// TestSealedRows puts rows into the world that no tool shows: a table of its own, and a column beside those that tools give. The
// whole task is then done on each surface, with calls that fail among it, and nothing of the rows is in any answer.
func TestSealedRows(t *testing.T) {
	fsys := richer(t)
	schema := strings.Replace(string(fsys["world/schema.sql"].Data), "status TEXT NOT NULL) STRICT;", "status TEXT NOT NULL, zqx_column TEXT NOT NULL DEFAULT 'ZQX-ONE') STRICT;", 1)
	if !strings.Contains(schema, "ZQX-ONE") {
		t.Fatal("the example's schema has changed")
	}
	fsys["world/schema.sql"].Data = []byte(schema + "CREATE TABLE zqx_table (zqx_id TEXT PRIMARY KEY, note TEXT NOT NULL) STRICT;\n")
	fsys["tasks/ferry-217/sealed/seed/zqx_table.csv"] = newFile("zqx_id,note\nZQX-TWO,ZQX-THREE\n")
	s := serve(t, fsys)
	state, err := s.session.State(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(state)
	if err != nil || strings.Count(string(b), "ZQX-ONE") < 3 || !strings.Contains(string(b), "ZQX-THREE") {
		t.Fatalf("the rows are not in the world: %v %s", err, b)
	}
	looked := 0
	look := func(what string, r reply) {
		t.Helper()
		looked++
		if strings.Contains(strings.ToLower(r.body), "zqx") {
			t.Errorf("%s shows a sealed row: %s", what, r.body)
		}
	}
	rpc := func(method, params string) {
		look(method, s.do("POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":`+params+`}`, "Content-Type", "application/json", "Accept", "application/json, text/event-stream"))
	}
	for _, p := range []string{"/", "/app", "/evidence/", "/api/v1", "/api/v1/tools", "/api/v1/openapi.json", "/api/v1/task", "/api/v1/stores/lots?part=%25&status="} {
		look(p, s.do("GET", p, ""))
	}
	rpc("tools/list", "{}")
	rpc("resources/list", "{}")
	rpc("resources/read", `{"uri":"assay://brief"}`)
	for _, st := range reference(t) {
		look(st.Tool+" by REST", s.do("POST", "/api/v1/tools/"+st.Tool, string(st.Args)))
		look(st.Tool+" once more", s.do("POST", "/api/v1/tools/"+st.Tool, string(st.Args))) // a write that is refused now, a read that is not busy any more
		rpc("tools/call", `{"name":"`+st.Tool+`","arguments":`+string(st.Args)+`}`)
		var args map[string]any
		if err := json.Unmarshal(st.Args, &args); err != nil {
			t.Fatal(err)
		}
		q := url.Values{}
		for k, v := range args {
			if text, ok := v.(string); ok {
				q.Set(k, text)
			}
		}
		look(st.Tool+" in the console", s.do("GET", "/app/"+strings.ReplaceAll(st.Tool, ".", "/")+"?"+q.Encode(), ""))
	}
	look("the events", s.do("GET", "/api/v1/events", ""))
	if looked < 60 || len(s.session.Events()) < 40 {
		t.Errorf("only %d answers were looked at, of %d calls", looked, len(s.session.Events()))
	}
}
