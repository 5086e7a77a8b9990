package main

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/assaybench/assay/model/modeltest"
)

// started runs the mock and gives the address that it prints.
func started(t *testing.T, args ...string) string {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	out, in := io.Pipe()
	code := make(chan int, 1)
	go func() {
		code <- serve(ctx, args, in, io.Discard)
		in.Close()
	}()
	t.Cleanup(func() {
		stop()
		if got := <-code; got != 0 {
			t.Errorf("%v: exit %d", args, got)
		}
	})
	line := make([]byte, 256)
	n, err := out.Read(line)
	if err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	return strings.TrimSpace(string(line[:n]))
}

func get(t *testing.T, method, url, body string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header = http.Header{"Content-Type": {"application/json"}, "Anthropic-Version": {"2023-06-01"}, "X-Api-Key": {"none"}}
	res, err := (&http.Client{Transport: &http.Transport{DialContext: modeltest.Dial, DisableKeepAlives: true}}).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestWires: each wire answers where its provider asks, with what its flags say.
func TestWires(t *testing.T) {
	for wire, c := range map[string]struct {
		base, path, body, want string
	}{
		"chat":      {"/v1", "/chat/completions", `{"model":"mock-1","messages":[{"role":"user","content":"?"}]}`, `"content":"tea"`},
		"ollama":    {"", "/api/chat", `{"model":"mock-1","stream":false,"messages":[{"role":"user","content":"?"}]}`, `"content":"tea"`},
		"anthropic": {"", "/v1/messages", `{"model":"mock-1","max_tokens":5,"messages":[{"role":"user","content":"?"}]}`, `"text":"tea"`},
		"gemini":    {"/v1beta", "/models/mock-1:generateContent", `{"contents":[{"role":"user","parts":[{"text":"?"}]}]}`, `"text":"tea"`},
		"responses": {"/v1", "/responses", `{"model":"mock-1","input":[{"role":"user","content":[{"type":"input_text","text":"?"}]}]}`, `"text":"tea"`},
	} {
		t.Run(wire, func(t *testing.T) {
			url := started(t, "-wire", wire, "-answer", "tea")
			if !strings.HasPrefix(url, "http://127.0.0.1:") || !strings.HasSuffix(url, c.base) {
				t.Errorf("the address is %q, want one that ends in %q", url, c.base)
			}
			if got := get(t, "POST", url+c.path, c.body); !strings.Contains(got, c.want) {
				t.Errorf("no %s in %s", c.want, got)
			}
			if got := get(t, "GET", strings.TrimSuffix(url, c.base)+"/mock/requests", ""); got != "1" {
				t.Errorf("%q calls are counted, want 1", got)
			}
		})
	}
}

// TestServerFacts: what the flags of a server say is what it says of itself.
func TestServerFacts(t *testing.T) {
	url := started(t, "-wire", "ollama", "-version", "0.11.0", "-digest", strings.Repeat("ab", 32), "-capabilities", "completion", "-template", "T {{ .Prompt }}",
		"-parameters", "stop x", "-trained", "8192", "-loaded", "2048", "-in-cpu", "-models", "a,b:1", "-faults", "500:2")
	const call = `{"model":"a","stream":false,"messages":[{"role":"user","content":"?"}],"options":{"num_ctx":4096}}`
	for _, c := range []struct{ method, path, body, want string }{
		{"GET", "/api/version", "", `"0.11.0"`},
		{"GET", "/api/tags", "", `"b:1"`},
		{"GET", "/api/tags", "", `"digest":"` + strings.Repeat("ab", 32)},
		{"POST", "/api/show", `{"model":"a"}`, `"capabilities":["completion"]`},
		{"POST", "/api/show", `{"model":"a"}`, `"parameters":"stop x","template":"T {{ .Prompt }}"`},
		{"POST", "/api/show", `{"model":"a"}`, `"mock.context_length":8192`},
		{"POST", "/api/show", `{"model":"c"}`, `not found`},
		{"POST", "/api/chat", call, `"content":"ok"`},
		{"POST", "/api/chat", call, `"error"`}, // the second call fails
		{"GET", "/api/ps", "", `"context_length":2048`},
		{"GET", "/api/ps", "", `"size_vram":1000000000`},
	} {
		if got := get(t, c.method, url+c.path, c.body); !strings.Contains(got, c.want) {
			t.Errorf("%s %s: no %s in %s", c.method, c.path, c.want, got)
		}
	}
	remote := started(t, "-wire", "ollama", "-remote", "https://elsewhere.invalid")
	if got := get(t, "POST", remote+"/api/show", `{"model":"mock-1"}`); !strings.Contains(got, `"remote_host":"https://elsewhere.invalid"`) {
		t.Errorf("no remote host in %s", got)
	}
	chat := started(t, "-props", `{"total_slots":1}`, "-echo")
	if got := get(t, "GET", strings.TrimSuffix(chat, "/v1")+"/props", ""); got != `{"total_slots":1}` {
		t.Errorf("/props says %s", got)
	}
	if got := get(t, "POST", chat+"/chat/completions", `{"model":"m","messages":[{"role":"user","content":"parrot"}]}`); !strings.Contains(got, "parrot") {
		t.Errorf("no echo in %s", got)
	}
}

// TestWrongFlags: what cannot be meant is one line and exit 2.
func TestWrongFlags(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"-wire telnet", `no wire "telnet"; there are chat, ollama`},
		{"-version 1", "-version: the wire chat has no use for it"},
		{"-wire gemini -props {} -loaded 1", "-loaded, -props: the wire gemini"},
		{"-wire ollama -faults context-vllm", `no fault "context-vllm"`},
		{"-faults 429:x", "not a whole number"},
		{"-addr 0.0.0.0:0", "not a loopback address"},
		{"tea", `unexpected argument "tea"`},
		{"-nonsense", "not defined"},
	} {
		var errs strings.Builder
		if code := serve(t.Context(), strings.Fields(c.args), io.Discard, &errs); code != 2 || !strings.Contains(errs.String(), c.want) {
			t.Errorf("%s: exit %d, %q, want %q", c.args, code, errs.String(), c.want)
		}
	}
	var out strings.Builder
	if code := serve(t.Context(), []string{"-wire", "ollama", "-list"}, &out, io.Discard); code != 0 || !strings.Contains(out.String(), "digest-changed") || !strings.Contains(out.String(), "repeat-guard") {
		t.Errorf("-list: exit %d, %s", code, out.String())
	}
}
