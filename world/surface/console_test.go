package surface_test

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/assaybench/assay/world"
)

// TestConsoleForms looks at the inputs that schemas become, and at the calls that forms become.
func TestConsoleForms(t *testing.T) {
	s := serve(t, files(t, nil))
	answer := s.do("GET", "/app/submit", "").body
	for _, want := range []string{
		`<input type="number" id="f-required_quantity" name="required_quantity" value="" step="1"`,
		`<input type="number" id="f-cost" name="cost" value="" step="any"`,
		`<select id="f-option" name="option" aria-describedby="f-option-hint" required>`,
		`<option value="A">A</option>`,
		`<input type="text" id="f-outcome_date" name="outcome_date" value="" autocomplete="off" pattern="\d{4}-\d{2}-\d{2}"`,
		`<textarea id="f-held" name="held" rows="4" aria-describedby="f-held-hint">`,
		`<label for="f-held">held (required)</label>`,
	} {
		if !strings.Contains(answer, want) {
			t.Errorf("the answer form lacks %s\n%s", want, answer)
		}
	}
	if !strings.Contains(s.do("GET", "/app/notes/drafts/create", "").body, `<textarea id="f-body" name="body" rows="6" required>`) {
		t.Error("a long text has no area of its own")
	}
	s.wantCalls() // forms are no calls
	form := url.Values{"required_quantity": {"12"}, "usable_quantity": {"7"}, "gap": {"5"}, "option": {"A"}, "outcome_date": {"2034-05-16"}, "cost": {"80.00"},
		"held": {"LT-8\r\n\r\n LT-9\r\n"}, "record": {"BK-0001"}}
	r := s.do("POST", "/app/submit", form.Encode(), "Content-Type", "application/x-www-form-urlencoded")
	if r.status != 200 || !strings.Contains(r.body, "The answer was handed in.") {
		t.Errorf("%d %s", r.status, r.body)
	}
	e := s.session.Events()[0]
	if want := `{"cost":80.00,"gap":5,"held":["LT-8","LT-9"],"option":"A","outcome_date":"2034-05-16","record":"BK-0001","required_quantity":12,"usable_quantity":7}`; !sameJSON(t, e.Args, []byte(want)) {
		t.Errorf("the form became %s", e.Args)
	}
	// Nothing held is an empty list, and a number that is none is told to the person with the form as it was.
	form.Set("held", " ")
	form.Set("gap", "five")
	r = s.do("POST", "/app/submit", form.Encode(), "Content-Type", "application/x-www-form-urlencoded")
	if r.status != 400 || !strings.Contains(r.body, "gap: got string, want integer") || !strings.Contains(r.body, `value="five"`) || strings.Contains(r.body, "held:") {
		t.Errorf("%d %s", r.status, r.body)
	}
}

// TestConsolePages looks at what pages show, what they link to, and which of them are calls.
func TestConsolePages(t *testing.T) {
	s := serve(t, files(t, nil))
	for _, p := range []string{"/", "/app", "/app/task", "/app/slips", "/app/slips/bookings", "/app/stores/lots", "/app/files/read", "/evidence/", "/style.css"} {
		if r := s.do("GET", p, ""); r.status != 200 {
			t.Errorf("%s: %d", p, r.status)
		}
	}
	if b := s.do("GET", "/", "").body; !strings.Contains(b, "Wren Hale, yard planner (u-wren)") || !strings.Contains(b, `<a href="/app/slips">Slips and their bookings</a>`) || !strings.Contains(b, "MO-31") {
		t.Error(b)
	}
	s.wantCalls()
	for _, c := range []struct {
		path   string
		status int
		want   []string
	}{
		{"/app/maint/orders?query=217", 200, []string{`<a href="/app/maint/orders/get?order_no=MO-31">MO-31</a>`, `<th scope="col">Vessel</th>`, `value="217"`}},
		{"/app/stores/lots?part=RP-12&limit=1&status=", 200, []string{`<a href="/app/stores/lots/list?cursor=`, "Next page", "<td>LT-3</td>"}},
		{"/app/maint/orders/get?order_no=MO-31", 200, []string{"<dt>Drums</dt><dd>3</dd>"}},
		{"/app/maint/orders/get?order_no=%3Cb%3E", 404, []string{"There is no order &lt;b&gt;.", `value="&lt;b&gt;"`}},
		{"/app/stores/lots?part=RP-12&limit=x", 400, []string{"limit: got string, want integer"}},
		{"/app/files/search?query=", 400, []string{"missing property"}},
	} {
		n := len(s.session.Events())
		r := s.do("GET", c.path, "")
		if r.status != c.status {
			t.Errorf("%s: %d", c.path, r.status)
		}
		for _, w := range c.want {
			if !strings.Contains(r.body, w) {
				t.Errorf("%s lacks %s\n%s", c.path, w, r.body)
			}
		}
		if ev := s.session.Events(); len(ev) != n+1 || ev[n].Surface != "console" || ev[n].Actor != world.Agent {
			t.Errorf("%s is %d calls", c.path, len(ev)-n)
		}
	}
	n := len(s.session.Events())
	for path, status := range map[string]int{"/app/nope": 404, "/app/slips/nope": 404, "/app/notes/drafts/nope/x": 404, "/app/slips/bookings/nope": 303, "/favicon.ico": 404, "/app/a/b/c/d": 404} {
		if r := s.do("GET", path, ""); r.status != status {
			t.Errorf("%s: %d", path, r.status)
		}
	}
	for _, p := range []string{"/", "/app/slips", "/app/maint/orders/get", "/style.css"} {
		if r := s.do("POST", p, ""); r.status != 405 || r.header.Get("Allow") != "GET" {
			t.Errorf("POST %s: %d", p, r.status)
		}
	}
	if len(s.session.Events()) != n {
		t.Error("a page that is not there, or is only read, left an event")
	}
	// The next page of a list is the next page.
	first := s.do("GET", "/app/stores/lots?part=RP-12&limit=1", "").body
	_, rest, _ := strings.Cut(first, `<a href="/app/stores/lots/list?cursor=`)
	href, _, _ := strings.Cut(rest, `"`)
	second := s.do("GET", "/app/stores/lots/list?cursor="+strings.ReplaceAll(href, "&amp;", "&"), "").body
	if !strings.Contains(second, "<td>LT-8</td>") || strings.Contains(second, "<td>LT-3</td>") {
		t.Error(second)
	}
}

// TestConsoleReadback leads from what was made to the record of it.
func TestConsoleReadback(t *testing.T) {
	s := serve(t, files(t, nil))
	r := s.do("POST", "/app/slips/bookings/create", "slip=SLIP-2&day=2034-05-16&vessel=217&request_key=", "Content-Type", "application/x-www-form-urlencoded")
	if r.status != 200 || !strings.Contains(r.body, `<a href="/app/slips/bookings/get?booking_id=BK-0001">See BK-0001</a>`) {
		t.Fatalf("%d %s", r.status, r.body)
	}
	if e := s.session.Events()[0]; !sameJSON(t, e.Args, []byte(`{"slip":"SLIP-2","day":"2034-05-16","vessel":"217"}`)) {
		t.Errorf("the form became %s", e.Args)
	}
	r = s.do("POST", "/app/slips/bookings/create", "slip=SLIP-2&day=2034-05-16&vessel=217", "Content-Type", "application/x-www-form-urlencoded")
	if r.status != 422 || !strings.Contains(r.body, "SLIP-2 is taken on 2034-05-16.") || !strings.Contains(r.body, `value="2034-05-16"`) {
		t.Errorf("%d %s", r.status, r.body)
	}
}

// TestConsoleEscapes shows hostile texts as texts, under a policy that runs nothing.
func TestConsoleEscapes(t *testing.T) {
	s := serve(t, richer(t))
	body, _ := json.Marshal(map[string]string{"recipient": "u-ada", "subject": hostile, "body": hostile})
	s.do("POST", "/api/v1/tools/notes.drafts.create", string(body))
	for _, p := range []string{"/", "/evidence/", "/app/maint/orders?query=" + url.QueryEscape(hostile), "/app/maint/orders/get?order_no=" + url.QueryEscape(hostile),
		"/app/notes/drafts/create?subject=" + url.QueryEscape(`"><script>`), "/app/" + url.PathEscape(hostile)} {
		r := s.do("GET", p, "")
		if strings.Contains(strings.ToLower(r.body), "<script") {
			t.Errorf("%s holds a script\n%s", p, r.body)
		}
		if csp := r.header.Get("Content-Security-Policy"); !strings.HasPrefix(csp, "default-src 'none'") || strings.Contains(csp, "script") {
			t.Errorf("%s: %s", p, csp)
		}
	}
	r := s.do("GET", "/evidence/page.html", "")
	if r.status != 200 || r.body != hostile || r.header.Get("Content-Type") != "text/plain; charset=utf-8" || !strings.HasPrefix(r.header.Get("Content-Security-Policy"), "sandbox") ||
		r.header.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("%d %v %s", r.status, r.header, r.body)
	}
}

// TestEvidence serves the files as they are, and records each reading.
func TestEvidence(t *testing.T) {
	s := serve(t, richer(t))
	for path, want := range map[string]string{"letters/ada%201.md": "The quay is free. Größe: 3 m.\n", "scan.png": "\x89PNG\x00\xff"} {
		if r := s.do("GET", "/evidence/"+path, ""); r.status != 200 || r.body != want {
			t.Errorf("%s: %d %q", path, r.status, r.body)
		}
	}
	for path, status := range map[string]int{"nope.md": 404, "..%2f..%2fsealed%2fcontract.yaml": 404, "letters": 404, "letters/": 404} {
		if r := s.do("GET", "/evidence/"+path, ""); r.status != status {
			t.Errorf("%s: %d %q", path, r.status, r.body)
		}
	}
	if r := s.do("POST", "/evidence/scan.png", ""); r.status != 405 || r.header.Get("Allow") != "GET" {
		t.Errorf("%d", r.status)
	}
	if got := s.calls(); len(got) != 6 || got[0] != "evidence:assay.evidence" {
		t.Errorf("%v", got)
	}
}
