package surface_test

import (
	"fmt"
	"html"
	"io/fs"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"
)

var (
	token    = regexp.MustCompile(`[\pL\pN_]{5,}`)
	pageLink = regexp.MustCompile(`(?:href|action)="(/[^"]*)"`)
)

// TestSealed walks everything that is served, rightly asked and wrongly, and looks for any word of the sealed part that is
// not in the public one.
func TestSealed(t *testing.T) {
	fsys := richer(t)
	fsys["tasks/ferry-217/sealed/notes.txt"] = fsys["tasks/ferry-217/sealed/contract.yaml"]
	sealed, public := map[string]string{}, map[string]bool{}
	for name, f := range fsys {
		for _, w := range token.FindAllString(string(f.Data), -1) {
			if strings.Contains(name, "/sealed/") {
				sealed[strings.ToLower(w)] = name
			} else {
				public[strings.ToLower(w)] = true
				for part := range strings.SplitSeq(w, "_") { // as pages write names
					public[strings.ToLower(part)] = true
				}
			}
		}
	}
	s := serve(t, fsys)
	said := map[string]bool{"sealed": true} // the word in the addresses that are tried; words of the program itself, in its own messages
	for _, w := range []string{"value", "values", "field", "message", "messages", "change", "option", "options", "limit", "where", "today", "needs", "reads", "contract", "answer", "insert", "update", "order", "orders", "evidence", "result", "process", "input", "inputs", "after"} {
		said[w] = true
	}
	own, err := os.ReadFile("pages/style.css")
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range token.FindAllString(string(own), -1) {
		said[w] = true
	}
	for _, tool := range s.session.Tools() {
		for _, w := range token.FindAllString(tool.Name+" "+tool.Description, -1) {
			said[strings.ToLower(w)] = true
		}
	}
	for _, f := range s.session.Task().Answer { // pages show the fields' names in words
		for w := range strings.SplitSeq(f.Name, "_") {
			said[w] = true
		}
	}
	for w := range public {
		delete(sealed, w)
	}
	for w := range said {
		delete(sealed, w)
	}
	for name := range fsys { // the addresses that are tried below, which messages repeat
		for _, w := range token.FindAllString(name, -1) {
			delete(sealed, strings.ToLower(w))
		}
	}
	for _, must := range []string{"derivations", "slow_ready", "approved", "containment", "investigations", "readbacks", "zarquon", "vermicious", "quixotry", "perihelion"} {
		if sealed[must] == "" {
			t.Fatalf("the word %q is not among the %d sealed ones: the test no longer tests what it should", must, len(sealed))
		}
	}
	looked, words := 0, 0
	look := func(what string, r reply) {
		t.Helper()
		looked++
		text := r.body
		for k, v := range r.header {
			text += "\n" + k + ": " + strings.Join(v, " ")
		}
		plain, err := url.QueryUnescape(text)
		if err != nil {
			plain = ""
		}
		for _, form := range []string{text, html.UnescapeString(text), plain} {
			for _, w := range token.FindAllString(form, -1) {
				words++
				if from := sealed[strings.ToLower(w)]; from != "" {
					t.Fatalf("%s shows %q of %s:\n%s", what, w, from, r.body)
				}
			}
		}
	}
	methods := []string{"GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD"}
	everyWay := func(path string) {
		for _, m := range methods {
			look(m+" "+path, s.do(m, path, "{}"))
		}
		look("without a token "+path, s.raw("GET", path, ""))
		look("wrong host "+path, s.do("GET", path, "", "Host", "evil.example"))
	}
	for _, p := range []string{"/", "/health", "/style.css", "/mcp", "/mcp/", "/evidence", "/evidence/", "/api", "/api/v1", "/api/v1/", "/api/v1/tools", "/api/v1/task", "/api/v1/submit", "/api/v1/events",
		"/api/v1/openapi.json", "/api/v1/contract", "/sealed", "/tasks/ferry-217/sealed/contract.yaml", "/world.db", "/trace", "/debug/pprof/", "/robots.txt", "/pages/tool.html", "/.git/config"} {
		everyWay(p)
	}
	// Ways out of the evidence's folder, as clients that normalise nothing send them.
	for name := range fsys {
		for _, up := range []string{"", "../", "../../", "%2e%2e/", "..%2f", "..%5c", "....//", "%2e%2e%2f%2e%2e%2f"} {
			for _, base := range []string{"/evidence/", "/api/v1/", "/app/", "/"} {
				look(base+up+name, s.do("GET", base+up+(&url.URL{Path: name}).EscapedPath(), ""))
			}
		}
	}
	for _, tool := range s.session.Tools() {
		path := strings.ReplaceAll(tool.Name, ".", "/")
		for _, p := range []string{"/api/v1/tools/" + tool.Name, "/api/v1/" + path, "/app/" + path, "/mcp/" + tool.Server} {
			everyWay(p)
		}
		for _, body := range []string{"", "{", "[]", `{"x":1}`, `{"order_no":{"$ref":"sealed"}}`, strings.Repeat("[", 100), `{"query":"a' OR 1=1 --"}`} {
			look(tool.Name+" "+body, s.do("POST", "/api/v1/tools/"+tool.Name, body))
		}
	}
	// Every page that a page links to.
	seen, todo := map[string]bool{}, []string{"/"}
	for len(todo) > 0 {
		p := todo[0]
		todo = todo[1:]
		if seen[p] || len(seen) > 300 {
			continue
		}
		seen[p] = true
		r := s.do("GET", p, "")
		look("the page "+p, r)
		for _, m := range pageLink.FindAllStringSubmatch(r.body, -1) {
			todo = append(todo, html.UnescapeString(m[1]))
		}
	}
	if len(seen) < 20 {
		t.Errorf("only %d pages were found", len(seen))
	}
	// Every method of the protocol, on every endpoint.
	uris := []string{"assay://brief", "assay://evidence/page.html", "assay://evidence/../sealed/contract.yaml", "assay://x", "assay://sealed/contract.yaml", "file:///etc/passwd"}
	for _, end := range []string{"/mcp", "/mcp/assay", "/mcp/stores"} {
		rpc := func(method, params string) {
			look(end+" "+method+" "+params, s.do("POST", end, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, method, params),
				"Content-Type", "application/json", "Accept", "application/json, text/event-stream", "MCP-Protocol-Version", "2025-11-25"))
		}
		rpc("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}`)
		for _, m := range []string{"ping", "tools/list", "resources/list", "resources/templates/list", "prompts/list", "server/discover", "nope/nope"} {
			rpc(m, `{}`)
		}
		rpc("prompts/get", `{"name":"contract"}`)
		rpc("completion/complete", `{"ref":{"type":"ref/resource","uri":"assay://"},"argument":{"name":"a","value":"b"}}`)
		rpc("logging/setLevel", `{"level":"debug"}`)
		for _, u := range uris {
			rpc("resources/read", fmt.Sprintf(`{"uri":%q}`, u))
			rpc("resources/subscribe", fmt.Sprintf(`{"uri":%q}`, u))
		}
		for _, tool := range s.session.Tools() {
			rpc("tools/call", fmt.Sprintf(`{"name":%q,"arguments":{}}`, tool.Name))
		}
		rpc("tools/call", `{"name":"assay.x","arguments":{}}`)
	}
	// A fault that comes is meant to be seen, and nothing of it was before.
	delete(sealed, "saying")
	// The whole task, whose results are all that an agent may see.
	for _, st := range reference(t)[:11] { // what follows is the reference's own words
		look(st.Tool, s.do("POST", "/api/v1/tools/"+st.Tool, string(st.Args)))
	}
	look("events", s.do("GET", "/api/v1/events", ""))
	t.Logf("%d answers with %d words were held against %d sealed words", looked, words, len(sealed))
	if _, err := fs.Stat(fsys, "tasks/ferry-217/sealed/contract.yaml"); err != nil || looked < 500 {
		t.Errorf("%d answers, %v", looked, err)
	}
}
