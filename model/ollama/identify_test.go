package ollama

import (
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
)

func sum(text string) string {
	id := record.Identity{Details: map[string]string{}}
	hash(id, "x", text)
	return id.Details["x_sha256"]
}

func TestIdentify(t *testing.T) {
	full := map[string]string{
		"architecture": "qwen3", "trained_context": "40960", "format": "gguf", "family": "qwen3", "parameter_size": "8.2B", "quantization": "Q4_K_M",
		"capabilities": "completion,thinking,tools", "renderer": "qwen3-renderer", "parser": "qwen3-parser", "template_sha256": sum("{{ .Prompt }}"), "system_sha256": sum("Be brief."),
		"messages_sha256": sum(`[{"role":"user","content":"hi"}]`), "parameters": `repeat_penalty 1; stop "<|im_end|>"; stop "<|im_start|>"; top_k 20`,
		"parameters_sha256": sum("repeat_penalty 1\nstop \"<|im_end|>\"\nstop \"<|im_start|>\"\ntop_k 20"),
	}
	with := func(more ...string) map[string]string {
		out := map[string]string{}
		for k, v := range full {
			out[k] = v
		}
		for i := 0; i+1 < len(more); i += 2 {
			out[more[i]] = more[i+1]
		}
		return out
	}
	const digest = "500a1f067a9f782620b40bee6f7b0c89e17ae61f686b92c24933e4ca4b2b8b41"
	change := func(f func(*server)) *server {
		s := now()
		f(s)
		return s
	}
	// As the server lists it in another order, and with other white space.
	reordered := strings.Replace(showNow, `"parameters":"top_k                          20\n`, `"parameters":"`, 1)
	reordered = strings.Replace(reordered, `repeat_penalty                 1"`, `repeat_penalty 1\ntop_k    20"`, 1)
	for name, c := range map[string]struct {
		server *server
		model  string
		want   record.Identity
	}{
		"loaded": {now(), "qwen3:8b", record.Identity{Model: "qwen3:8b", Digest: digest, Server: "ollama 0.32.15", Context: 8192, Details: with("vram_percent", "75")}},
		"not loaded": {change(func(s *server) { s.ps = `{"models":[]}` }), "qwen3:8b",
			record.Identity{Model: "qwen3:8b", Digest: digest, Server: "ollama 0.32.15", Details: with()}},
		"parameters in another order": {change(func(s *server) { s.show, s.ps = reordered, `{"models":null}` }), "QWEN3:8b",
			record.Identity{Model: "QWEN3:8b", Digest: digest, Server: "ollama 0.32.15", Details: with()}},
		"a server without /api/version and /api/ps": {change(func(s *server) { s.version, s.ps = "", "" }), "qwen3:8b",
			record.Identity{Model: "qwen3:8b", Digest: digest, Server: "ollama", Details: with()}},
		"a server that says little": {&server{version: `{"version":7}`, tags: `{"models":[{"name":"a:latest","digest":null}]}`, show: `{"details":[],"model_info":null,"capabilities":"x","parameters":4}`, ps: `{"models":[{"name":"a:latest"}]}`}, "a",
			record.Identity{Model: "a", Server: "ollama", Details: map[string]string{}}},
		"made of a file": {change(func(s *server) {
			s.show, s.ps = strings.Replace(showNow, `"parent_model":""`, `"parent_model":"/home/alice/.ollama/models/blobs/sha256-a81932"`, 1), `{}`
		}), "qwen3:8b", record.Identity{Model: "qwen3:8b", Digest: digest, Server: "ollama 0.32.15", Details: with("parent_model", "sha256-a81932")}},
		"not listed": {change(func(s *server) { s.tags, s.ps = `{"models":[]}`, `{}` }), "qwen3:8b",
			record.Identity{Model: "qwen3:8b", Server: "ollama 0.32.15", Details: with("listed", "no")}},
		"remote, by the list": {change(func(s *server) {
			s.tags, s.ps = strings.Replace(tagsNow, `"name":"qwen3:8b",`, `"name":"qwen3:8b","remote_model":"qwen3:480b","remote_host":"https://ollama.com:443",`, 1), `{}`
		}), "qwen3:8b", record.Identity{Model: "qwen3:8b", Digest: digest, Server: "ollama 0.32.15", Details: with("remote", "https://ollama.com:443 qwen3:480b")}},
		"remote, by show": {change(func(s *server) {
			s.show, s.ps = `{"remote_model":"gpt-oss:120b","remote_host":"https://ollama.com"}`, `{}`
		}), "qwen3:8b",
			record.Identity{Model: "qwen3:8b", Digest: digest, Server: "ollama 0.32.15", Details: map[string]string{"remote": "https://ollama.com gpt-oss:120b"}}},
		"remote, by its name": {change(func(s *server) { s.show = `{}` }), "gpt-oss:120b-cloud",
			record.Identity{Model: "gpt-oss:120b-cloud", Server: "ollama 0.32.15", Details: map[string]string{"remote": "ollama.com", "listed": "no"}}},
		"escapes in what is said": {&server{version: `{"version":"1\u001b[31m"}`, tags: `{"models":[{"name":"a"}]}`, show: `{"details":{"family":"\u001b]0;x\u0007"}}`, ps: `{}`}, "a",
			record.Identity{Model: "a", Server: `ollama 1\x1b[31m`, Details: map[string]string{"family": `\x1b]0;x\a`}}},
	} {
		m := start(t, c.server, c.model)
		got, err := m.Identify(t.Context())
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v\n got %+v\nwant %+v", name, err, got, c.want)
		}
		if again, err := m.Identify(t.Context()); err != nil || !reflect.DeepEqual(again, got) {
			t.Errorf("%s: a second look differs: %+v, %v", name, again, err)
		}
	}
}

func TestIdentifyFaults(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		ct     string
		body   string
		kind   model.FaultKind
		want   string
	}{
		"no Ollama at all":    {404, "text/plain", "404 page not found", model.FaultNoModel, "is it the address of an Ollama server?"},
		"HTML":                {200, "text/html", "<html>", model.FaultBroken, "the address of an Ollama server?"},
		"JSON of another API": {200, "application/json", `[1]`, model.FaultBroken, "the address of an Ollama server?"},
		"a key is wanted":     {401, "application/json", `{"error":"unauthorized"}`, model.FaultDenied, "check OLLAMA_API_KEY (unauthorized)"},
		"busy":                {503, "application/json", `{"error":"server busy"}`, model.FaultBusy, "server busy"},
	} {
		h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", c.ct)
			w.WriteHeader(c.status)
			_, _ = w.Write([]byte(c.body))
		}))
		m := at(t, h.URL, "qwen3:8b")
		_, err := m.Identify(t.Context())
		if f := model.AsFault(err); err == nil || f.Kind != c.kind || !strings.Contains(f.Msg, c.want) {
			t.Errorf("%s: Identify: %v; want %q", name, err, c.want)
		}
		_, err = m.List(t.Context())
		if f := model.AsFault(err); err == nil || f.Kind != c.kind {
			t.Errorf("%s: List: %v", name, err)
		}
		ready, err := m.Prepare(t.Context(), hello())
		if f := model.AsFault(err); err == nil || f.Kind != c.kind || len(ready.Calls) == 0 {
			t.Errorf("%s: Prepare: %v, %d exchanges", name, err, len(ready.Calls))
		}
		h.Close()
	}
}

func TestList(t *testing.T) {
	got, err := start(t, now(), "x").List(t.Context())
	want := []model.Held{{Name: "other:1b", Digest: "bb", Bytes: 1},
		{Name: "qwen3:8b", Digest: "500a1f067a9f782620b40bee6f7b0c89e17ae61f686b92c24933e4ca4b2b8b41", Context: 40960, Bytes: 5225388164}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
	if got, err := start(t, &server{tags: `{"models":null}`}, "x").List(t.Context()); err != nil || len(got) != 0 {
		t.Errorf("got %+v, %v", got, err)
	}
}

// TestMissingModel: one line that says how to get it and what is there.
func TestMissingModel(t *testing.T) {
	s := now()
	s.show = ""
	for name, want := range map[string]string{
		"qwen3:9b": `does not hold the model "qwen3:9b": "ollama pull qwen3:9b" would get it, if there is such a model; it holds qwen3:8b, other:1b`,
		"qwen3":    `"ollama pull qwen3" would get it`, // which is qwen3:latest, and not another tag
	} {
		m := start(t, s, name)
		_, err := m.Identify(t.Context())
		if f := model.AsFault(err); err == nil || f.Kind != model.FaultNoModel || !f.Terminal() || !strings.Contains(f.Msg, want) || f.Exchange.Status != 404 {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := m.Prepare(t.Context(), hello()); err == nil || model.AsFault(err).Msg != mustFail(t, m) {
			t.Errorf("Prepare: %v", err)
		}
	}
	if s.calls != 0 {
		t.Errorf("%d calls of a model that is not there", s.calls)
	}
	s.tags = `{"models":[{"name":"a1"},{"name":"a2"},{"name":"a3"},{"name":"b\u001b[0m"},{"name":"a5"},{"name":"a6"},{"name":"a7"}]}`
	if _, err := start(t, s, "a").Identify(t.Context()); err == nil || !strings.HasSuffix(err.Error(), "; it holds a1, a2, a3, a5, a6 and 2 more") {
		t.Errorf("got %v", err)
	}
	s.tags = `{"models":[]}`
	if _, err := start(t, s, "a").Identify(t.Context()); err == nil || !strings.HasSuffix(err.Error(), "; it holds no model") {
		t.Errorf("got %v", err)
	}
}

func mustFail(t *testing.T, m *Model) string {
	t.Helper()
	_, err := m.Identify(t.Context())
	if err == nil {
		t.Fatal("it did not fail")
	}
	return model.AsFault(err).Msg
}
