package surface_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/assaybench/assay/world"
	"github.com/assaybench/assay/world/surface"
)

// reviewed is the example served with a reviewer's token; do makes requests without a network.
func reviewed(t *testing.T) (v *surface.Server, s *world.Session, agent, reviewer string, do func(method, path, body string, headers ...string) reply) {
	t.Helper()
	task, err := open(t, files(t, nil)).Task("ferry-217")
	if err != nil {
		t.Fatal(err)
	}
	if s, err = task.Session(t.Context(), "test"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	agent, reviewer = surface.NewToken(), surface.NewToken()
	if v, err = surface.New(s, agent); err != nil {
		t.Fatal(err)
	}
	if err := v.Review(agent); err == nil {
		t.Error("the agent's own token makes a reviewer")
	}
	if err := v.Review(reviewer); err != nil {
		t.Fatal(err)
	}
	return v, s, agent, reviewer, func(method, path, body string, headers ...string) reply {
		r := httptest.NewRequest(method, "http://127.0.0.1"+path, strings.NewReader(body))
		for i := 0; i < len(headers); i += 2 {
			r.Header.Add(headers[i], headers[i+1])
		}
		w := httptest.NewRecorder()
		v.Handler().ServeHTTP(w, r)
		return reply{w.Code, w.Result().Header, w.Body.String()}
	}
}

// TestReviewerIsNoAgent: what somebody looks at who reviews an episode is never an agent's event, moves no clock, shows no
// evidence to the judge and changes nothing.
func TestReviewerIsNoAgent(t *testing.T) {
	v, s, agent, reviewer, do := reviewed(t)
	if a := v.Addresses("http://x"); a.Token != agent || a.Reviewer != reviewer {
		t.Errorf("%+v", a)
	}
	bearer := []string{"Authorization", "Bearer " + reviewer}
	for _, c := range []struct {
		path string
		want string
	}{
		{"/", "MO-31"},
		{"/app/maint/orders?query=217", ">MO-31</a>"},
		{"/app/maint/orders/get?order_no=MO-31", "<dt>Drums</dt>"},
		{"/app/notes/drafts/create", "<form"},
		{"/app/submit", "<form"},
	} {
		if r := do("GET", c.path, "", bearer...); r.status != 200 || !strings.Contains(r.body, c.want) {
			t.Errorf("%s: %d, and not %s", c.path, r.status, c.want)
		}
	}
	for i, e := range s.Events() {
		if e.Actor != world.Harness || e.Surface != "console" || len(e.Effect) > 0 {
			t.Errorf("event %d: a look is %s by %s", i+1, e.Tool, e.Actor)
		}
	}
	n := len(s.Events())
	if n != 2 {
		t.Errorf("%d looks are recorded, want the two that read", n)
	}
	// The agent's first call stands at the clock's first moment, as if nobody had looked.
	if r := do("POST", "/api/v1/tools/maint.orders.get", `{"order_no":"MO-31"}`, "Authorization", "Bearer "+agent); r.status != 200 {
		t.Fatalf("%d %s", r.status, r.body)
	}
	e := s.Events()[n]
	if e.Actor != world.Agent || e.At != s.Events()[0].At {
		t.Errorf("the agent's first call is of %s at %s, and the look before it at %s", e.Actor, e.At, s.Events()[0].At)
	}
	if r := do("GET", "/api/v1/events", "", "Authorization", "Bearer "+agent); strings.Count(r.body, `"tool"`) != 1 {
		t.Errorf("the agent sees looks of others: %s", r.body)
	}
	// A reviewer changes nothing, and calls no tool.
	form := "recipient=u-ada&subject=x&body=y"
	if r := do("POST", "/app/notes/drafts/create", form, append(bearer, "Content-Type", "application/x-www-form-urlencoded")...); r.status != 403 || !strings.Contains(r.body, "A reviewer looks, and changes nothing.") {
		t.Errorf("%d %s", r.status, r.body)
	}
	for _, p := range []string{"/api/v1/tools", "/api/v1/events", "/mcp", "/mcp/slips"} {
		if r := do("GET", p, "", bearer...); r.status != 403 || !strings.Contains(r.body, "the reviewer's token opens the pages alone") {
			t.Errorf("%s: %d %s", p, r.status, r.body)
		}
	}
	if r := do("POST", "/api/v1/tools/notes.drafts.create", `{"recipient":"u-ada","subject":"x","body":"y"}`, bearer...); r.status != 403 {
		t.Errorf("%d %s", r.status, r.body)
	}
	if len(s.Events()) != n+1 {
		t.Errorf("%d events, want %d", len(s.Events()), n+1)
	}
	if err := world.VerifyChain(s.Genesis(), s.Events()); err != nil {
		t.Error(err)
	}
}

// TestReviewerCookie: a browser is the agent's or the reviewer's, by the token that it came with last.
func TestReviewerCookie(t *testing.T) {
	_, s, agent, reviewer, do := reviewed(t)
	jar := map[string]string{}
	visit := func(path string) reply {
		var cookies []string
		for k, v := range jar {
			cookies = append(cookies, k+"="+v)
		}
		r := do("GET", path, "", "Cookie", strings.Join(cookies, "; "))
		for _, line := range r.header.Values("Set-Cookie") {
			pair, rest, _ := strings.Cut(line, ";")
			name, value, _ := strings.Cut(pair, "=")
			if delete(jar, name); !strings.Contains(rest, "Max-Age=0") {
				jar[name] = value
			}
			if !strings.Contains(rest, "HttpOnly") || !strings.Contains(rest, "SameSite=Strict") {
				t.Errorf("the cookie is open: %s", line)
			}
		}
		return r
	}
	for i, c := range []struct {
		token string
		actor world.Actor
	}{{reviewer, world.Harness}, {agent, world.Agent}, {reviewer, world.Harness}} {
		if r := visit("/?token=" + c.token); r.status != 303 || strings.Contains(r.header.Get("Location"), "token") {
			t.Fatalf("%d %v", r.status, r.header)
		}
		if r := visit("/app/maint/orders/get?order_no=MO-31"); r.status != 200 {
			t.Fatalf("%d %s", r.status, r.body)
		}
		if ev := s.Events(); len(ev) != i+1 || ev[i].Actor != c.actor {
			t.Errorf("visit %d: %d events, the last one by %s, want %s", i+1, len(ev), ev[len(ev)-1].Actor, c.actor)
		}
		if len(jar) != 1 {
			t.Errorf("the browser holds %v", jar)
		}
	}
}

// TestRecordAddress: a record's page is found where REST has the record; an address that is nothing gets a page that says so.
func TestRecordAddress(t *testing.T) {
	s := serve(t, files(t, nil))
	r := s.do("GET", "/app/maint/orders/MO-31", "")
	if r.status != 303 || r.header.Get("Location") != "/app/maint/orders/get?order_no=MO-31" {
		t.Errorf("%d %s", r.status, r.header.Get("Location"))
	}
	if r := s.do("GET", "/app/maint/orders/get?order_no=MO-31", ""); r.status != 200 || !strings.Contains(r.body, "<dt>Drums</dt>") {
		t.Errorf("%d %s", r.status, r.body)
	}
	for _, p := range []string{"/app/maint/orders/MO-31/x", "/app/nowhere/orders/MO-31", "/app/maint/nothing/MO-31"} {
		if r := s.do("GET", p, ""); r.status != 404 || !strings.Contains(r.body, "<h1>Not found</h1>") || !strings.Contains(r.body, "To the request and the systems") {
			t.Errorf("%s: %d %s", p, r.status, r.body)
		}
	}
	s.wantCalls("console:maint.orders.get")
}

// TestWrongTokenInABrowser is a page with words, which says nothing of the world.
func TestWrongTokenInABrowser(t *testing.T) {
	s := serve(t, files(t, nil))
	for _, p := range []string{"/", "/?token=" + surface.NewToken(), "/app/maint/orders", "/evidence/"} {
		r := s.raw("GET", p, "", "Accept", "text/html,application/xhtml+xml")
		if r.status != 401 || !strings.Contains(r.header.Get("Content-Type"), "text/html") || !strings.Contains(r.body, "<h1>Not let in</h1>") || !strings.Contains(r.body, "The episode&#39;s token is missing or wrong") ||
			!strings.Contains(r.body, "assay world serve") || strings.Contains(strings.ToLower(r.body), "ferry") {
			t.Errorf("%s: %d %s", p, r.status, r.body)
		}
	}
}

// TestHeadingsOnce: a page does not say its own heading again below it.
func TestHeadingsOnce(t *testing.T) {
	s := serve(t, files(t, nil))
	for _, p := range []string{"/app/maint", "/app/slips", "/app/slips/bookings", "/app/notes", "/app/notes/drafts", "/app/stores", "/app/vendors", "/app/files", "/app/approvals"} {
		r := s.do("GET", p, "")
		_, rest, _ := strings.Cut(r.body, "<h1>")
		title, _, _ := strings.Cut(rest, "</h1>")
		if r.status != 200 || title == "" {
			t.Errorf("%s: %d", p, r.status)
		}
		if strings.Contains(r.body, "<h2>"+title+"</h2>") || strings.Contains(r.body, ">"+title+"</a></h2>") {
			t.Errorf("%s says %q twice", p, title)
		}
	}
}
