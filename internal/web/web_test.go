package web_test

import (
	"html"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/assaybench/assay/internal/web"
	"github.com/assaybench/assay/internal/web/viewtest"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/store"
	"github.com/assaybench/assay/world/surface"
)

// TestGuard asks as foreign pages and names do.
func TestGuard(t *testing.T) {
	s := serve(t, nil)
	host := strings.TrimPrefix(s.base, "http://")
	for _, c := range []struct {
		name   string
		method string
		header []string
		want   int
	}{
		{"plain", "GET", nil, 200},
		{"localhost", "GET", []string{"Host", "localhost:8080"}, 200},
		{"a name that was bound anew", "GET", []string{"Host", "evil.example"}, 403},
		{"an address of the network", "GET", []string{"Host", "10.0.0.1:80"}, 403},
		{"own origin", "GET", []string{"Origin", s.base}, 200},
		{"foreign origin", "GET", []string{"Origin", "http://evil.example"}, 403},
		{"null origin", "GET", []string{"Origin", "null"}, 403},
		{"another port's origin", "GET", []string{"Origin", "http://127.0.0.1:1"}, 403},
		{"a foreign page's script", "GET", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "cors"}, 403},
		{"a foreign page's frame", "GET", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe"}, 403},
		{"a link elsewhere", "GET", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}, 200},
		{"a form", "POST", nil, 405},
		{"head", "HEAD", nil, 200},
		{"delete", "DELETE", []string{"Host", host}, 405},
	} {
		got := s.do(c.method, "/", c.header...)
		if got.status != c.want {
			t.Errorf("%s: status %d, want %d", c.name, got.status, c.want)
		}
		if p := got.header.Get("Content-Security-Policy"); !strings.Contains(p, "default-src 'none'") || strings.Contains(p, "unsafe") || strings.Contains(p, "*") {
			t.Errorf("%s: the policy is %q", c.name, p)
		}
		if got.header.Get("X-Content-Type-Options") != "nosniff" || got.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: headers %v", c.name, got.header)
		}
	}
}

// TestToken serves where other machines could ask.
func TestToken(t *testing.T) {
	token := surface.NewToken()
	s := serve(t, func(o *web.Options) { o.Token = token })
	for _, c := range []struct {
		name, path string
		header     []string
		want       int
	}{
		{"no token", "/", nil, 401},
		{"a wrong one", "/?token=" + strings.Repeat("x", len(token)), nil, 401},
		{"in a header", "/", []string{"Authorization", "Bearer " + token}, 200},
		{"a wrong header", "/", []string{"Authorization", "Bearer x"}, 401},
		{"the style, too", "/static/style.css", nil, 401},
		{"the token as the cookie", "/", []string{"Cookie", "assay_view=" + token}, 401},
	} {
		if got := s.get(c.path, c.header...); got.status != c.want {
			t.Errorf("%s: status %d, want %d", c.name, got.status, c.want)
		}
	}
	in := s.get("//evil.example/run/x?a=1&token=" + token)
	to := in.header.Get("Location")
	if in.status != 303 && in.status != 307 || strings.Contains(to, token) && in.status == 303 || strings.HasPrefix(to, "//") {
		t.Errorf("status %d, to %q", in.status, to)
	}
	in = s.get("/run/x?a=1&token=" + token)
	cookie := in.header.Get("Set-Cookie")
	if in.status != 303 || in.header.Get("Location") != "/run/x?a=1" || strings.Contains(cookie, token) || !strings.Contains(cookie, "HttpOnly") || !strings.Contains(cookie, "SameSite=Strict") {
		t.Fatalf("status %d to %q with %q", in.status, in.header.Get("Location"), cookie)
	}
	name, _, _ := strings.Cut(cookie, ";")
	if got := s.get("/", "Cookie", name); got.status != 200 {
		t.Errorf("with the cookie: status %d", got.status)
	}
	for addr, want := range map[string]bool{"127.0.0.1:0": true, "[::1]:80": true, "localhost:1": true, "0.0.0.0:80": false, "10.1.2.3:80": false, ":80": false} {
		if got, err := web.Loopback(addr); err != nil || got != want {
			t.Errorf("Loopback(%q) is %v, %v", addr, got, err)
		}
	}
	if _, err := web.New(web.Options{Token: "short", Open: shipped, Now: time.Now}); err == nil {
		t.Error("a short token was taken")
	}
}

// TestPages reads what pages say of a run whose numbers are known.
func TestPages(t *testing.T) {
	s := serve(t, func(o *web.Options) { o.Open = example })
	for name, path := range everyPage(t, s) {
		want := http.StatusOK
		if name == "lost" {
			want = http.StatusNotFound
		}
		got := s.get(path)
		if got.status != want {
			t.Errorf("%s: status %d: %.300s", path, got.status, got.body)
		}
		for _, bad := range []string{"style=", "<style", "onclick", "ZgotmplZ", "<no value>", "%!"} {
			if strings.Contains(got.body, bad) {
				t.Errorf("%s holds %q", path, bad)
			}
		}
		if n := strings.Count(got.body, "<script"); n != 1 {
			t.Errorf("%s has %d scripts", path, n)
		}
		ids := map[string]bool{}
		for _, id := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(got.body, -1) {
			if ids[id[1]] {
				t.Errorf("%s has the id %q twice", path, id[1])
			}
			ids[id[1]] = true
		}
	}
	// 240 items, 4 attempts each, of which 900 were made.
	s.want("/run/made1/figures", "Items passed, with 95 % intervals", "Family 5", "Latency over the run", "Tokens per second over the run")
	s.want("/run/made1/attempts?letter=-", "1 to 60 of 60")
	s.want("/run/made1/attempts?letter=C", "1 to 5 of 5")
	s.want("/run/made1/attempts?outcome=error&model=1", "1 to 1 of 1", `<a href="/run/made1/attempt/503">`)
	s.want("/run/made1/attempts?order=latency", `<tr><th scope="row"><a href="/run/made1/attempt/899">`) // the longest takes 1,099 ms
	s.want("/run/made1?order=name&page=3", "item-000239", "201 to 240 of 240")
	s.want("/run/premise1/attempt/1/points", `class="day answer`, "the first difference")
	s.want("/run/episode1/attempt/0/episode", "11 reads, 2 writes, 0 answered with no", "insert in bookings", `href="#event-10"`)
	s.want("/run/episode1/attempt/0/episode?at=12", "What differs from the beginning after event 12")
	s.want("/bench/audit?name="+exampleBench, "This audit is of the digest", "reasoningChain")
	s.want("/compare?a=made1&b=made1&bs=1&kind=regression", "regression")
	// 2^-36·(1+36)·2: of 36 exact items that only one passed, 1 is A's.
	s.want("/compare?a=made1&b=made1&bs=1", `<td class="num">1</td><td class="num">35</td>`, `<td class="num">1.1e-09</td>`)
	s.want("/compare?a=made1&b=premise1", "never held against each other")
	for path, want := range map[string]int{"/run/nobody": 404, "/run/made1/attempt/960": 404, "/run/made1/attempt/-1": 404, "/run/made1/attempt/x": 404, "/run/made1?page=0": 400, "/run/made1?model=9": 400, "/run/made1?order=latency": 400,
		"/run/made1/attempts?outcome=lost": 400, "/run/made1/attempt/1/secret": 404, "/run/made1/attempt/1/request-2": 404, "/run/made1?grader=ffff": 404, "/bench": 400, "/bench?name=/etc": 404, "/bench?name=../../examples/other": 404,
		"/bench/item?name=premise-en&id=none": 404, "/bench/audit?name=chair-trials": 404, "/leaderboard": 404, "/compare?a=made1": 404, "/run/made1/attempt/950/answer": 404} {
		if got := s.get(path); got.status != want {
			t.Errorf("%s: status %d, want %d: %.200s", path, got.status, want, got.body)
		}
	}
}

// TestPrivate holds a run of a private set to counts and letters.
func TestPrivate(t *testing.T) {
	s := serve(t, nil)
	p := viewtest.Plan(0)
	p.Flags = []string{store.FlagPrivate}
	s.keep("private1", p, []made{{"item-1", "family-0", record.Transcript{Outcome: record.Refused, Reason: "SECRET", Answer: "SECRET", Timing: record.Timing{Started: viewtest.Start, Total: 1}}, nil}})
	for _, path := range []string{"/", "/run/private1", "/run/private1/attempts", "/run/private1/figures", "/compare?a=private1&b=private1", "/run/private1/attempt/0", "/run/private1/attempt/0/answer"} {
		got := s.get(path)
		if strings.Contains(got.body, "SECRET") {
			t.Errorf("%s shows what was answered", path)
		}
		if strings.Contains(path, "/attempt/") && got.status != http.StatusForbidden {
			t.Errorf("%s: status %d", path, got.status)
		}
	}
	s.want("/run/private1", `<span class="letter cut" title="refused">R</span>`)
}

// TestReadOnly looks at every page and finds the database as it was.
func TestReadOnly(t *testing.T) {
	s := serve(t, func(o *web.Options) { o.Open = example })
	pages := everyPage(t, s)
	before, err := os.ReadFile(s.file)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range pages {
		s.get(path)
	}
	after, err := os.ReadFile(s.file)
	if err != nil {
		t.Fatal(err)
	}
	if string(before) != string(after) {
		t.Error("the database's file was changed by looking")
	}
}

// TestLarge opens a transcript of 20 MB within a second, with a finding at its end, and a text that is no UTF-8.
func TestLarge(t *testing.T) {
	s := serve(t, nil)
	line := "A line of an answer that goes on and on, and says nothing of what was asked for.\n"
	answer := strings.Repeat(line, 20<<20/len(line)) + "\xff\xfe\x1b[2JANSWER: 42"
	end := len(answer)
	v := &record.Verdict{Bench: "made@1", Item: "item-1", Frozen: true, State: record.Graded, Letter: record.LetterWrong, Basis: record.Exact,
		Findings: []record.Finding{{Rule: "answer", Why: "another number", Where: &record.Span{Start: end - 10, End: end}}, {Rule: "far", Where: &record.Span{Start: 10 << 20, End: 10<<20 + 9}}, {Rule: "outside", Where: &record.Span{Start: end, End: end + 5}}}}
	s.keep("large1", viewtest.Plan(0), []made{{"item-1", "family-0", record.Transcript{Outcome: record.Answered, Answer: answer, Thinking: answer, Timing: record.Timing{Started: viewtest.Start, Total: 1}}, v}})
	var best time.Duration
	for range 3 {
		from := time.Now()
		body := s.want("/run/large1/attempt/0", `<mark class="bad">ANSWER: 42</mark><sup><a href="#finding-1"`, "⟦FF⟧⟦FE⟧␛[2J", "All of it as plain text", `<a href="#finding-2"`)
		if took := time.Since(from); best == 0 || took < best {
			best = took
		}
		if len(body) > 400<<10 {
			t.Errorf("the page has %d bytes", len(body))
		}
	}
	t.Logf("a transcript of 40 MB of text opens in %s", best)
	if best > slowest(2*time.Second) { // it holds twice what the bar is set for
		t.Errorf("a transcript of 40 MB of text opens in %s", best)
	}
	got := s.get("/run/large1/attempt/0/answer")
	if got.body != answer || got.header.Get("Content-Type") != "text/plain; charset=utf-8" || !strings.Contains(got.header.Get("Content-Security-Policy"), "sandbox") {
		t.Errorf("the whole answer: %d bytes, %v", len(got.body), got.header)
	}
}

// slowest loosens a bar for machines that do other things, and under the race detector.
func slowest(bar time.Duration) time.Duration {
	if raced {
		return 40 * bar
	}
	return 3 * bar
}

// TestMany opens a run of many attempts. ASSAY_SLOW makes it 100,000.
func TestMany(t *testing.T) {
	items := 2_500
	if os.Getenv("ASSAY_SLOW") == "1" {
		items = 25_000
	}
	s := serve(t, nil)
	if _, err := viewtest.Many(t.Context(), s.db, "many1", items, 4*items); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/run/many1", "/run/many1?page=" + strconv.Itoa(items/100), "/run/many1/attempts", "/run/many1/attempts?page=" + strconv.Itoa(items/25)} {
		from := time.Now()
		s.want(path)
		took := time.Since(from)
		t.Logf("%s of %d attempts: %s", path, 4*items, took)
		if took > slowest(300*time.Millisecond) {
			t.Errorf("%s of %d attempts took %s", path, 4*items, took)
		}
	}
	body := s.want("/run/many1/figures", "many1")
	if !strings.Contains(body, "figures are being counted") && !strings.Contains(body, "By family") {
		t.Error("the figures neither stand there nor are being counted")
	}
}

// TestEscapesAddresses asks with names that mean something in an address.
func TestEscapesAddresses(t *testing.T) {
	s := serve(t, nil)
	p := viewtest.Plan(0)
	odd := `a&b=c#d?e"<f> %2F/../x`
	p.Source = odd
	s.keep("odd1", p, []made{{odd, "family-0", record.Transcript{Outcome: record.Refused, Timing: record.Timing{Started: viewtest.Start, Total: 1}}, nil}})
	body := s.want("/run/odd1/attempt/0")
	found := false
	for _, m := range regexp.MustCompile(`href="(/bench/item[^"]*)"`).FindAllStringSubmatch(body, -1) {
		u, err := url.Parse(html.UnescapeString(m[1]))
		if err == nil && u.Query().Get("name") == odd && u.Query().Get("id") == odd {
			found = true
		}
	}
	if !found {
		t.Error("no link leads to the item")
	}
}
