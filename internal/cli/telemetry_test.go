package cli_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// TestTelemetry: a run that is watched sends a span for each call and its own, says nothing of what was asked or answered, and is the
// same run.
func TestTelemetry(t *testing.T) {
	r := newRig(t)
	var mu sync.Mutex
	var bodies []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		b, err := io.ReadAll(q.Body)
		mu.Lock()
		defer mu.Unlock()
		if err != nil || q.URL.Path != "/v1/traces" || q.Header.Get("X-Key") != "a b" || !json.Valid(b) {
			t.Errorf("%s %v: %v", q.URL.Path, q.Header, err)
		}
		bodies = append(bodies, string(b))
	}))
	defer s.Close()
	r.env["OTEL_EXPORTER_OTLP_HEADERS"] = "x-key=a%20b"
	got := r.want(0, "run", "chair-trials", "--model", "control/reference", "--metrics", "127.0.0.1:0", "--otlp", s.URL)
	if !strings.Contains(got.err, "numbers for Prometheus at http://127.0.0.1:") || !strings.Contains(got.err, "the trace of this run is ") || !strings.Contains(got.out, "13/13") {
		t.Errorf("%s%s", got.err, got.out)
	}
	all := strings.Join(bodies, "")
	if n := strings.Count(all, `"traceId"`); n != 41 {
		t.Errorf("%d spans: 40 calls and the run are 41", n)
	}
	if strings.Contains(all, "ANSWER") || !strings.Contains(all, `"assay.item"`) {
		t.Error("the spans hold an answer, or no item")
	}
	// A collector that is not there costs a warning.
	s.Close()
	got = r.want(0, "run", "chair-trials", "--model", "control/reference", "--new", "--otlp", s.URL)
	if !strings.Contains(got.err, "warning: 41 spans did not reach the collector") {
		t.Error(got.err)
	}
	for _, bad := range [][]string{{"--metrics", "0.0.0.0:9464"}, {"--metrics", "9464"}, {"--metrics", "example.org:80"}, {"--otlp", "127.0.0.1:4318"}, {"--otlp", "http://user:secret@127.0.0.1:4318"}, {"--otlp", "file:///etc"}} {
		got := r.want(2, append([]string{"run", "chair-trials", "--model", "control/reference"}, bad...)...)
		if strings.Count(got.err, "\n") != 1 || strings.Contains(got.err, "secret") {
			t.Errorf("%v: %s", bad, got.err)
		}
	}
	r.env["OTEL_EXPORTER_OTLP_HEADERS"] = "no pair"
	r.want(2, "run", "chair-trials", "--model", "control/reference", "--new", "--otlp", "http://127.0.0.1:4318")
}
