package surface_test

import (
	"context"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/assaybench/assay/world/surface"
)

// TestGuard holds requests that are not the agent's away from every surface; none of them reaches the log.
func TestGuard(t *testing.T) {
	s := serve(t, richer(t))
	paths := []string{"/api/v1", "/api/v1/tools/files.read", "/api/v1/openapi.json", "/api/v1/nope/x", "/mcp", "/mcp/files", "/mcp/nope", "/", "/app/files", "/app/submit",
		"/style.css", "/evidence/", "/evidence/page.html", "/nope"}
	none := []string{"Authorization", ""}
	for _, p := range paths {
		for _, c := range []struct {
			name    string
			status  int
			headers []string
		}{
			{"no token", 401, none},
			{"a wrong token", 401, []string{"Authorization", "Bearer " + surface.NewToken()}},
			{"a token cut short", 401, []string{"Authorization", "Bearer " + s.token[:42]}},
			{"another scheme", 401, []string{"Authorization", "Basic " + s.token}},
			{"a wrong cookie", 401, []string{"Authorization", "", "Cookie", "assay=" + s.token}},
			{"another host", 403, []string{"Host", "evil.example"}},
			{"a host like this machine's", 403, []string{"Host", "127.0.0.1.evil.example:80"}},
			{"another origin", 403, []string{"Origin", "http://evil.example"}},
			{"another port", 403, []string{"Origin", "http://127.0.0.1:1"}},
			{"a host behind a port", 403, []string{"Host", "localhost:evil.example"}},
			{"an origin with a fragment", 403, []string{"Origin", s.base + "#x"}},
			{"an origin with a query", 403, []string{"Origin", s.base + "?x"}},
			{"no origin's origin", 403, []string{"Origin", "null"}},
			{"a page of another port", 403, []string{"Sec-Fetch-Site", "same-site", "Sec-Fetch-Mode", "cors"}},
			{"a page elsewhere", 403, []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "cors"}},
		} {
			if r := s.do("GET", p, "", c.headers...); r.status != c.status {
				t.Errorf("%s with %s: %d %s, want %d", p, c.name, r.status, r.body, c.status)
			}
		}
	}
	if r := s.raw("GET", "/?token="+surface.NewToken(), ""); r.status != 401 || r.header.Get("Set-Cookie") != "" {
		t.Errorf("a wrong token in the address: %d %v", r.status, r.header)
	}
	if r := s.raw("GET", "/api/v1?token="+s.token, ""); r.status != 401 {
		t.Errorf("the interface takes the token from the address: %d", r.status)
	}
	if r := s.raw("GET", "/health", ""); r.status != 200 || r.body != "{\"ok\":true}\n" {
		t.Errorf("health: %d %s", r.status, r.body)
	}
	s.wantCalls()
	for _, host := range []string{"localhost", "LOCALHOST:80", "127.0.0.1:9", "[::1]:9", "::1"} {
		if r := s.do("GET", "/api/v1", "", "Host", host); r.status != 200 {
			t.Errorf("the host %s of this machine: %d", host, r.status)
		}
	}
	for path, status := range map[string]int{"/": 200, "/app/stores/lots?part=RP-12": 403} {
		if r := s.do("GET", path, "", "Sec-Fetch-Site", "same-site", "Sec-Fetch-Mode", "navigate"); r.status != status {
			t.Errorf("a link elsewhere to %s: %d", path, r.status)
		}
	}
	if r := s.do("GET", "/api/v1", "", "Origin", s.base); r.status != 200 {
		t.Errorf("our own origin: %d", r.status)
	}
}

// TestSize refuses requests that are too long, without a trace of them.
func TestSize(t *testing.T) {
	s := serve(t, files(t, nil))
	long := `{"file_id":"` + strings.Repeat("a", 5<<20) + `"}`
	if r := s.do("POST", "/api/v1/tools/files.read", long); r.status != 413 {
		t.Errorf("%d %.200s", r.status, r.body)
	}
	rpc := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"files.read","arguments":` + long + `}}`
	if r := s.do("POST", "/mcp", rpc, "Content-Type", "application/json", "Accept", "application/json, text/event-stream"); r.status != 413 {
		t.Errorf("%d %.200s", r.status, r.body)
	}
	s.wantCalls()
	// What fits a request and not a call is the world's to refuse, with a short note of it.
	if r := s.do("POST", "/api/v1/tools/files.read", `{"file_id":"`+strings.Repeat("a", 2<<20)+`"}`); r.status != 400 {
		t.Errorf("%d %.200s", r.status, r.body)
	}
	if e := s.session.Events(); len(e) != 1 || len(e[0].Args) > 4000 {
		t.Errorf("%d events", len(e))
	}
}

// TestCookie lets a browser in by the token once, and takes its forms only with what this server's pages hold.
func TestCookie(t *testing.T) {
	s := serve(t, files(t, nil))
	r := s.raw("GET", "/app/files/read?file_id=SPEC-4&token="+s.token, "")
	if r.status != 303 || r.header.Get("Location") != "/app/files/read?file_id=SPEC-4" {
		t.Fatalf("%d %v", r.status, r.header)
	}
	c, err := http.ParseSetCookie(r.header.Get("Set-Cookie"))
	if err != nil || !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || strings.Contains(c.Value, s.token) {
		t.Fatalf("%v %v", c, err)
	}
	if r := s.raw("GET", "//evil.example/?token="+s.token, ""); strings.HasPrefix(r.header.Get("Location"), "//") {
		t.Errorf("the way leads to %s", r.header.Get("Location"))
	}
	clicked := []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate"} // a link on a page elsewhere
	if r := s.raw("GET", "/?token="+s.token, "", clicked...); r.status != 200 || !strings.Contains(r.body, `content="0; url=/"`) || strings.Contains(r.body, s.token) || r.header.Get("Set-Cookie") == "" {
		t.Errorf("a clicked address: %d %v %s", r.status, r.header, r.body)
	}
	if r := s.raw("GET", "/?token="+surface.NewToken(), "", clicked...); r.status != 401 || r.header.Get("Set-Cookie") != "" {
		t.Errorf("a clicked address with a wrong token: %d", r.status)
	}
	if r := s.raw("GET", "/app/files/read?file_id=SPEC-4&token="+s.token, "", clicked...); r.status != 403 {
		t.Errorf("a clicked address of a call: %d", r.status)
	}
	cookie := c.Name + "=" + c.Value
	if r := s.raw("GET", "/", "", "Cookie", cookie); r.status != 200 {
		t.Errorf("%d %s", r.status, r.body)
	}
	for _, p := range []string{"/api/v1", "/mcp"} {
		if r := s.raw("GET", p, "", "Cookie", cookie); r.status != 401 {
			t.Errorf("%s takes the cookie: %d", p, r.status)
		}
	}
	form := "recipient=u-ada&subject=a&body=b"
	post := func(body string, headers ...string) reply {
		return s.raw("POST", "/app/notes/drafts/create", body, append([]string{"Cookie", cookie, "Content-Type", "application/x-www-form-urlencoded"}, headers...)...)
	}
	for _, bad := range []reply{post(form), post(form + "&assay%3Aform=" + s.token), post("assay:form")} {
		if bad.status != 403 {
			t.Errorf("a form that is not ours: %d %s", bad.status, bad.body)
		}
	}
	s.wantCalls()
	page := s.raw("GET", "/app/notes/drafts/create", "", "Cookie", cookie).body
	_, rest, _ := strings.Cut(page, `name="assay:form" value="`)
	value, _, _ := strings.Cut(rest, `"`)
	if r := post(form+"&assay%3Aform="+value, "Origin", s.base); r.status != 200 || !strings.Contains(r.body, "DR-2") {
		t.Errorf("%d %s", r.status, r.body)
	}
	s.wantCalls("console:notes.drafts.create")
}

// TestStoreFails ends the server with the reason when the world can answer no more, and tells every caller so.
func TestStoreFails(t *testing.T) {
	task, err := open(t, files(t, nil)).Task("ferry-217")
	if err != nil {
		t.Fatal(err)
	}
	sess, err := task.Session(t.Context(), "test")
	if err != nil {
		t.Fatal(err)
	}
	token := surface.NewToken()
	v, err := surface.New(sess, token)
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- v.Serve(context.Background(), ln) }()
	if err := sess.Close(); err != nil {
		t.Fatal(err)
	}
	s := &served{TB: t, base: "http://" + ln.Addr().String(), token: token, client: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}}
	if r := s.do("POST", "/api/v1/tools/files.read", `{"file_id":"SPEC-4"}`); r.status != 500 || !strings.Contains(r.body, `"code":"store"`) {
		t.Errorf("%d %s", r.status, r.body)
	}
	select {
	case err := <-done:
		if err == nil || !strings.Contains(err.Error(), "the session is closed") {
			t.Errorf("the server ended with %v", err)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("the server did not end")
	}
}
