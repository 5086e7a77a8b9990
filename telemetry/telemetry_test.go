package telemetry

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/assaybench/assay/record"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var begun = time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)

func count(n int64) *int64 { return &n }

func try(item string, outcome record.Outcome, took time.Duration) Try {
	return Try{Run: "r1", Bench: "b@1", Model: "openai/m@http://127.0.0.1:1/v1", Posture: "plain", Item: item, Basis: record.Exact, Repeat: 1, Try: 1, Final: true, Outcome: outcome,
		Usage: record.Usage{Prompt: count(10), Output: count(3)}, Started: begun, Took: took, Answered: "m-1", Finish: "stop"}
}

func TestMetrics(t *testing.T) {
	m := NewMetrics("r1", "b@1", 4)
	m.Observe(try("a", record.Answered, 300*time.Millisecond))
	m.Observe(try("b", record.Answered, 500*time.Millisecond))
	retried := try("c", record.Error, 0)
	retried.Final, retried.Model = false, "evil\"\n\\name"
	m.Observe(retried)
	m.Graded(Verdict{"openai/m@http://127.0.0.1:1/v1", record.Exact, record.LetterPass})
	m.Graded(Verdict{"openai/m@http://127.0.0.1:1/v1", record.Proxy, record.LetterPass})
	s := httptest.NewServer(m)
	defer s.Close()
	res, err := http.Get(s.URL + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(res.Body)
	if err != nil || res.Header.Get("Content-Type") != "text/plain; version=0.0.4; charset=utf-8" {
		t.Fatalf("%v, %v", err, res.Header)
	}
	res.Body.Close()
	for _, want := range []string{
		`assay_run_info{run="r1",bench="b@1"} 1`,
		`assay_attempts_planned 4`,
		`assay_attempts_total{model="openai/m@http://127.0.0.1:1/v1",outcome="answered"} 2`,
		`assay_calls_total{model="evil\"\n\\name",outcome="error"} 1`,
		`assay_tokens_total{model="openai/m@http://127.0.0.1:1/v1",kind="input"} 20`,
		`assay_verdicts_total{model="openai/m@http://127.0.0.1:1/v1",basis="exact",letter="."} 1`,
		`assay_verdicts_total{model="openai/m@http://127.0.0.1:1/v1",basis="proxy",letter="."} 1`,
		`assay_call_duration_seconds_bucket{model="openai/m@http://127.0.0.1:1/v1",le="0.25"} 0`,
		`assay_call_duration_seconds_bucket{model="openai/m@http://127.0.0.1:1/v1",le="0.5"} 2`,
		`assay_call_duration_seconds_bucket{model="openai/m@http://127.0.0.1:1/v1",le="+Inf"} 2`,
		`assay_call_duration_seconds_sum{model="openai/m@http://127.0.0.1:1/v1"} 0.8`,
	} {
		if !strings.Contains(string(body), want+"\n") {
			t.Errorf("no line %s in\n%s", want, body)
		}
	}
	if strings.Contains(string(body), `attempts_total{model="evil`) {
		t.Error("a call that is tried again counts as an attempt")
	}
	for _, c := range []struct {
		method, path string
		want         int
	}{{"POST", "/metrics", 405}, {"GET", "/", 404}} {
		r, err := http.NewRequest(c.method, s.URL+c.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != c.want {
			t.Errorf("%s %s: %d", c.method, c.path, res.StatusCode)
		}
	}
	http.DefaultClient.CloseIdleConnections()
}

// collector keeps what it is sent.
type collector struct {
	mu    sync.Mutex
	spans []span
	auth  string
	code  int
}

func (c *collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var in struct {
		ResourceSpans []struct {
			ScopeSpans []struct{ Spans []span }
		}
	}
	if r.URL.Path != "/v1/traces" || r.Header.Get("Content-Type") != "application/json" || json.NewDecoder(r.Body).Decode(&in) != nil {
		http.Error(w, "bad", 400)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.auth = r.Header.Get("Authorization")
	if c.code != 0 {
		http.Error(w, "no", c.code)
		return
	}
	for _, rs := range in.ResourceSpans {
		for _, ss := range rs.ScopeSpans {
			c.spans = append(c.spans, ss.Spans...)
		}
	}
}

func TestTraces(t *testing.T) {
	c := &collector{}
	s := httptest.NewServer(c)
	defer s.Close()
	client := &http.Client{}
	defer client.CloseIdleConnections()
	tr := NewTraces(s.URL+"/", map[string]string{"Authorization": "Bearer x"}, client, func() time.Time { return begun }, "r1", "b@1", "1.0")
	for range batchMost + 1 {
		tr.Observe(try("a\xff", record.Answered, time.Second))
	}
	tr.Observe(try("b", record.Timeout, time.Second))
	if lost, err := tr.Close(); lost != 0 || err != nil {
		t.Fatalf("%d lost, %v", lost, err)
	}
	if len(c.spans) != batchMost+3 || c.auth != "Bearer x" {
		t.Fatalf("%d spans, %q", len(c.spans), c.auth)
	}
	first, root := c.spans[0], c.spans[len(c.spans)-1]
	if first.TraceID != tr.ID() || len(first.TraceID) != 32 || len(first.SpanID) != 16 || first.ParentID != root.SpanID || root.ParentID != "" || root.Name != "run b@1" {
		t.Errorf("%+v, %+v", first, root)
	}
	if first.Name != "chat m" || first.Kind != 3 || first.Start != "1764579600000000000" && first.Start != nano(begun) || first.End != nano(begun.Add(time.Second)) {
		t.Errorf("%+v", first)
	}
	have := map[string]string{}
	for _, a := range first.Attributes {
		b, err := json.Marshal(a.Value)
		if err != nil {
			t.Fatal(err)
		}
		have[a.Key] = string(b)
	}
	for k, want := range map[string]string{"gen_ai.operation.name": `{"stringValue":"chat"}`, "gen_ai.provider.name": `{"stringValue":"openai"}`, "gen_ai.request.model": `{"stringValue":"m"}`, "gen_ai.response.model": `{"stringValue":"m-1"}`,
		"gen_ai.usage.input_tokens": `{"intValue":"10"}`, "gen_ai.usage.output_tokens": `{"intValue":"3"}`, "gen_ai.response.finish_reasons": `{"arrayValue":{"values":[{"stringValue":"stop"}]}}`, "assay.repeat": `{"intValue":"1"}`} {
		if have[k] != want {
			t.Errorf("%s is %s, want %s", k, have[k], want)
		}
	}
	if late := c.spans[batchMost+1]; late.Status.Code != 2 {
		t.Errorf("a timeout is no error: %+v", late)
	}
}

// A collector that fails loses spans and no time.
func TestTracesFail(t *testing.T) {
	c := &collector{code: 503}
	s := httptest.NewServer(c)
	client := &http.Client{}
	tr := NewTraces(s.URL, nil, client, func() time.Time { return begun }, "r1", "b@1", "1.0")
	for range queueMost + 2*batchMost {
		tr.Observe(try("a", record.Answered, time.Second))
	}
	lost, err := tr.Close()
	if lost < queueMost || err == nil || !strings.Contains(err.Error(), "answers 503") {
		t.Errorf("%d lost, %v", lost, err)
	}
	client.CloseIdleConnections()
	s.Close()
	tr = NewTraces(s.URL, nil, client, func() time.Time { return begun }, "r1", "b@1", "1.0")
	tr.Observe(try("a", record.Answered, time.Second))
	if lost, err := tr.Close(); lost != 2 || err == nil {
		t.Errorf("nobody listens: %d lost, %v", lost, err)
	}
}
