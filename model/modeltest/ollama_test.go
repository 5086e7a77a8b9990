package modeltest

import (
	"strings"
	"testing"
)

func TestOllamaServer(t *testing.T) {
	m := start(t, MockOptions{Wire: WireOllama, Models: []string{"m", "n:8b"}, Server: MockServer{Version: "0.12.0", Capabilities: []string{"completion"}, Template: "T", Parameters: "stop x", Trained: 5000}})
	ask := func(method, path, body string, want ...string) {
		t.Helper()
		_, got := get(t, method, m.URL+path, body)
		for _, text := range want {
			if is := strings.Contains(got, strings.TrimPrefix(text, "!")); is == strings.HasPrefix(text, "!") {
				t.Errorf("%s: %s, want %q", path, got, text)
			}
		}
	}
	chat := func(body string) {
		t.Helper()
		if a := bare(t.Context(), t, m, body); a.status != 200 {
			t.Fatalf("%d %s", a.status, a.body)
		}
	}
	digest := digestOf("the model of the mock")
	ask("GET", "/", "", "Ollama is running")
	ask("GET", "/api/version", "", `{"version":"0.12.0"}`)
	ask("GET", "/api/tags", "", `"name":"m:latest"`, `"name":"n:8b"`, `"digest":"`+digest+`"`, `!remote`)
	ask("POST", "/api/show", `{"model":"m"}`, `"capabilities":["completion"]`, `"template":"T"`, `"parameters":"stop x"`, `"mock.context_length":5000`)
	ask("POST", "/api/show", `{"name":"m:latest"}`, `"capabilities"`)
	ask("POST", "/api/show", `{"model":"other"}`, `{"error":"model 'other' not found"}`)
	ask("POST", "/api/show", `{}`, `model is required`)
	ask("POST", "/api/show", `{`, `invalid`)
	ask("GET", "/api/ps", "", `{"models":[]}`)
	chat(`{"model":"m","messages":[],"options":{"num_ctx":3000}}`) // loads it
	ask("GET", "/api/ps", "", `"name":"m:latest"`, `"context_length":3000`, `"size_vram":2000000000`, `"digest":"`+digest+`"`)
	chat(`{"model":"m:latest","stream":false,"messages":[{"role":"user","content":"x"}],"options":{"num_ctx":90000}}`)
	ask("GET", "/api/ps", "", `"context_length":5000`) // never more than it was made for
	chat(`{"model":"m","messages":[],"keep_alive":0}`)
	ask("GET", "/api/ps", "", `{"models":[]}`)

	a := bare(t.Context(), t, m, `{"model":"m","stream":false,"messages":[]}`)
	if !strings.Contains(string(a.body), `"done":true,"done_reason":"load"`) || strings.Contains(string(a.body), "prompt_eval_count") {
		t.Errorf("a load: %s", a.body)
	}
	a = bare(t.Context(), t, m, `{"model":"m","messages":[{"role":"user","content":"x"}]}`)
	if lines := strings.Split(strings.TrimSuffix(string(a.body), "\n"), "\n"); a.kind() != ollamaStream || len(lines) != 3 || !strings.Contains(lines[0], `"content":"o"},"done":false`) || !strings.Contains(lines[2], `"content":""},"done":true,"done_reason":"stop"`) {
		t.Errorf("a stream: %s %q", a.kind(), lines)
	}
}

func TestOllamaChanges(t *testing.T) {
	for fault, c := range map[Fault]struct{ path, before, after string }{
		"digest-changed":  {"/api/tags", digestOf("the model of the mock"), digestOf(digestOf("the model of the mock"))},
		"version-changed": {"/api/version", "0.32.15", "0.99.0"},
		"context-less":    {"/api/ps", `"context_length":4096`, `"context_length":2048`},
	} {
		m := start(t, MockOptions{Wire: WireOllama, Fault: func(n int64) Fault { return Fault(map[bool]string{true: string(fault)}[n == 2]) }})
		for call := 1; call <= 3; call++ {
			if a := bare(t.Context(), t, m, bareRequests[WireOllama]); a.status != 200 || !strings.Contains(string(a.body), `"content":"ok"`) {
				t.Errorf("%s: call %d: %d %s", fault, call, a.status, a.body)
			}
			want := c.before
			if call >= 2 {
				want = c.after
			}
			if _, got := get(t, "GET", m.URL+c.path, ""); !strings.Contains(got, want) {
				t.Errorf("%s after call %d: %s, want %s", fault, call, got, want)
			}
		}
		if fault.Shows() == "" {
			t.Errorf("%s does not say where it shows", fault)
		}
	}
	m := start(t, MockOptions{Wire: WireOllama, Server: MockServer{Remote: "https://ollama.com:443", Loaded: 777, InCPU: true}})
	if a := bare(t.Context(), t, m, bareRequests[WireOllama]); !strings.Contains(string(a.body), `"remote_model":"m","remote_host":"https://ollama.com:443"`) {
		t.Errorf("%s", a.body)
	}
	for path, want := range map[string]string{"/api/tags": `"remote_host"`, "/api/ps": `"size_vram":1000000000,"context_length":777`} {
		if _, got := get(t, "GET", m.URL+path, ""); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}
