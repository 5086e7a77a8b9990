package openai

import (
	"context"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/wire"
	"github.com/assaybench/assay/record"
)

// serve makes a server that gives one body for each path, and 404 for the rest.
func serve(t *testing.T, paths map[string]string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Server", "test/1")
		w.Header().Set("Content-Type", "application/json")
		body, ok := paths[r.URL.Path]
		if !ok {
			w.WriteHeader(404)
			return
		}
		if status, rest, ok := strings.Cut(body, "|"); ok {
			body = rest
			w.WriteHeader(map[string]int{"401": 401, "503": 503}[status])
		}
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(s.Close)
	return s.URL
}

const (
	unexpected = `{"error":"Unexpected endpoint or method. (GET)"}` // LM Studio's answer to any path, with a 200
	lmStudio0  = `{"object":"list","data":[{"id":"other","object":"model","type":"llm","state":"loaded","max_context_length":2048,"loaded_context_length":1024},` +
		`{"id":"mock-1","object":"model","type":"llm","publisher":"p","arch":"llama","compatibility_type":"gguf","quantization":"Q4_K_M","state":"loaded","max_context_length":131072,"loaded_context_length":4096}]}`
	lmStudio1 = `{"models":[{"type":"llm","key":"mock-1","architecture":"gemma3","quantization":{"name":"Q4_0","bits_per_weight":4},"size_bytes":241410208,` +
		`"loaded_instances":[{"id":"mock-1","config":{"context_length":8192}}],"max_context_length":32768,"format":"gguf"}]}`
)

// TestServer looks at what is claimed of each kind of server: what it said, and nothing of one that did not say.
func TestServer(t *testing.T) {
	const models = `{"data":[{"id":"mock-1"}]}`
	props := func(build, more string) map[string]string {
		return map[string]string{"/v1/models": models, "/props": `{"build_info":"` + build + `","default_generation_settings":{"n_ctx":8192}` + more + `}`}
	}
	llama := Server{Software: LlamaCPP, Loaded: 8192, Enforces: true, counts: true, thoughts: "reasoning_content"}
	with := func(s Server, version string, refuses bool) Server {
		s.Version, s.Refuses = version, refuses
		return s
	}
	for name, c := range map[string]struct {
		paths map[string]string
		want  Server
	}{
		"llama.cpp":               {props("b10488-00dc8057", ""), with(llama, "b10488-00dc8057", true)},
		"llama.cpp by version":    {props("v0.4.0", ""), with(llama, "v0.4.0", true)},
		"llama.cpp that may cut":  {props("b6939-cdab", ""), with(llama, "b6939-cdab", false)},
		"llama.cpp of no number":  {props("unknown", ""), with(llama, "unknown", false)},
		"llama.cpp that shifts":   {props("b10488-00dc8057", `,"context_shift":true`), with(llama, "b10488-00dc8057", false)},
		"llama.cpp, no shift":     {props("b10488-00dc8057", `,"context_shift":false`), with(llama, "b10488-00dc8057", true)},
		"vllm":                    {map[string]string{"/v1/models": `{"data":[{"id":"a","owned_by":"vllm"},{"id":"mock-1","owned_by":"vllm","max_model_len":4096}]}`, "/version": `{"version":"0.19.1"}`}, Server{Software: VLLM, Version: "0.19.1", Loaded: 4096, Refuses: true, Enforces: true, thoughts: "reasoning"}},
		"something with versions": {map[string]string{"/v1/models": `{"data":[{"id":"mock-1","owned_by":"sglang","max_model_len":4096}]}`, "/version": `{"version":"1"}`}, Server{}},
		"LM Studio":               {map[string]string{"/v1/models": models, "/api/v0/models": lmStudio0}, Server{Software: LMStudio, Loaded: 4096, Enforces: true}},
		"LM Studio, not loaded":   {map[string]string{"/v1/models": models, "/api/v0/models": `{"data":[{"id":"mock-1","state":"not-loaded","max_context_length":4096}]}`}, Server{Software: LMStudio, Enforces: true}},
		"LM Studio, newer":        {map[string]string{"/v1/models": models, "/api/v1/models": lmStudio1}, Server{Software: LMStudio, Loaded: 8192, Enforces: true}},
		"Ollama":                  {map[string]string{"/v1/models": models, "/api/version": `{"version":"0.30.1"}`}, Server{Software: Ollama, Version: "0.30.1", thoughts: "reasoning"}},
		"Ollama, older":           {map[string]string{"/v1/models": models, "/api/version": `{"version":"0.30.0"}`}, Server{Software: Ollama, Version: "0.30.0", Partial: true, thoughts: "reasoning"}},
		"unknown":                 {map[string]string{"/v1/models": models}, Server{}},
		"no version":              {map[string]string{"/v1/models": models, "/api/version": `{"version":7}`, "/props": `{"build_info":""}`}, Server{}},
	} {
		m := at(t, serve(t, c.paths)+"/v1")
		if s := m.Server(); s != (Server{}) {
			t.Errorf("%s: %+v is known before anything was asked", name, s)
		}
		if _, err := m.Identify(t.Context()); err != nil || m.Server() != c.want {
			t.Errorf("%s: %v\n got %+v\nwant %+v", name, err, m.Server(), c.want)
		}
	}
	m := &Model{Client: &wire.Client{Official: true}}
	if s := m.Server(); s != (Server{Software: Official, Refuses: true, Enforces: true}) {
		t.Errorf("official: %+v", s)
	}
}

func TestVersions(t *testing.T) {
	for v, want := range map[string]bool{"0.30.1": false, "0.30.1-rc2": false, "v0.31.0": false, "1.0.0": false, "0.30.0": true, "0.9.9": true, "0.30": true, "": true, "x.y.z": true} {
		if got := before(v, wholeCounts); got != want {
			t.Errorf("%q: %v", v, got)
		}
	}
	for v, want := range map[string]int{"b7120-4fd1242b": 7120, "7120": 7120, "b0-unknown": 0, "b-5": 0, "": 0, "master": 0, "b99999999999999999999": 0} {
		if got := buildOf(v); got != want {
			t.Errorf("%q: %d", v, got)
		}
	}
}

// TestPatience: a server that hangs on paths that it does not know holds up a run for seconds only.
func TestPatience(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/models" {
			<-r.Context().Done()
			return
		}
		_, _ = w.Write([]byte(`{"data":[{"id":"mock-1"}]}`))
	}))
	defer s.Close()
	m := at(t, s.URL+"/v1")
	began := time.Now()
	id, err := m.Identify(t.Context())
	if took := time.Since(began); err != nil || id.Details["listed"] != "yes" || m.Server() != (Server{}) || took > 2*probePatience {
		t.Errorf("%+v, %v after %v", id, err, took)
	}
	ctx, cancel := context.WithTimeoutCause(t.Context(), 50*time.Millisecond, model.ErrTimeLimit)
	defer cancel()
	if _, err := m.Identify(ctx); err == nil || model.AsFault(err).Kind != model.FaultCancelled {
		t.Errorf("%v", err)
	}
}

func TestList(t *testing.T) {
	const list = `{"object":"list","data":[{"id":"a:8b","digest":"sha256:ab"},{"id":"b","owned_by":"vllm","max_model_len":4096},{"id":"c","meta":{"n_ctx":8192,"n_ctx_train":32768,"size":5000000000}},{"id":"d","meta":[]}]}`
	got, err := at(t, serve(t, map[string]string{"/v1/models": list})+"/v1").List(t.Context())
	want := []model.Held{{Name: "a:8b", Digest: "sha256:ab"}, {Name: "b", Context: 4096}, {Name: "c", Context: 8192, Bytes: 5000000000}, {Name: "d"}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	for body, want := range map[string]model.FaultKind{"401|{}": model.FaultDenied, `{"models":1}`: model.FaultBroken, "<html>": model.FaultBroken} {
		if got, err := at(t, serve(t, map[string]string{"/v1/models": body})+"/v1").List(t.Context()); err == nil || model.AsFault(err).Kind != want || got != nil {
			t.Errorf("%s: %+v, %v", body, got, err)
		}
	}
}

func TestIdentify(t *testing.T) {
	const mine = `{"data":[{"id":"other","digest":"no"},{"id":"mock-1","created":1764000000,"owned_by":"llamacpp","meta":{"n_params":7,"n_ctx_train":4096,"vocab_type":2,"nested":{}}}]}`
	for name, c := range map[string]struct {
		paths map[string]string
		want  record.Identity
	}{
		"llama.cpp": {map[string]string{"/v1/models": mine, "/props": `{"build_info":"b1234-abcdef","total_slots":4,"model_path":"/m.gguf","chat_template":"{{ x }}","default_generation_settings":{"n_ctx":8192}}`},
			record.Identity{Model: "mock-1", Server: "llama.cpp b1234-abcdef", Context: 8192, Details: map[string]string{"listed": "yes", "owned_by": "llamacpp", "meta.n_params": "7", "meta.n_ctx_train": "4096",
				"meta.vocab_type": "2", "model_path": "/m.gguf", "n_ctx": "8192", "total_slots": "4", "chat_template_sha256": "e52c737297f7dad622da7e58f5a16e7437f2716daccb4da859fc567ccd75c9a4"}}},
		"vllm": {map[string]string{"/v1/models": `{"data":[{"id":"mock-1","root":"/data/m","owned_by":"vllm","max_model_len":4096}]}`},
			record.Identity{Model: "mock-1", Server: "test/1", Context: 4096, Details: map[string]string{"listed": "yes", "owned_by": "vllm", "root": "/data/m", "max_model_len": "4096"}}},
		"vllm with a version": {map[string]string{"/v1/models": `{"data":[{"id":"mock-1","owned_by":"vllm","max_model_len":4096}]}`, "/version": `{"version":"0.19.1"}`},
			record.Identity{Model: "mock-1", Server: "vLLM 0.19.1", Context: 4096, Details: map[string]string{"listed": "yes", "owned_by": "vllm", "max_model_len": "4096"}}},
		"ollama": {map[string]string{"/v1/models": `{"data":[{"id":"mock-1","owned_by":"library"}]}`, "/api/version": `{"version":"0.32.15"}`},
			record.Identity{Model: "mock-1", Server: "Ollama 0.32.15", Details: map[string]string{"listed": "yes", "owned_by": "library", "context": "the server's default, which this endpoint cannot set"}}},
		"LM Studio": {map[string]string{"/v1/models": `{"data":[{"id":"mock-1","owned_by":"organization_owner"}]}`, "/props": unexpected, "/api/version": unexpected, "/api/v0/models": lmStudio0},
			record.Identity{Model: "mock-1", Server: "LM Studio", Context: 4096, Details: map[string]string{"listed": "yes", "owned_by": "organization_owner", "max_context_length": "131072", "arch": "llama", "format": "gguf", "quantization": "Q4_K_M"}}},
		"LM Studio, newer": {map[string]string{"/v1/models": `{"data":[{"id":"mock-1"}]}`, "/props": unexpected, "/api/version": unexpected, "/api/v0/models": unexpected, "/api/v1/models": lmStudio1},
			record.Identity{Model: "mock-1", Server: "LM Studio", Context: 8192, Details: map[string]string{"listed": "yes", "max_context_length": "32768", "arch": "gemma3", "format": "gguf", "quantization": "Q4_0"}}},
		"another with such a list": {map[string]string{"/v1/models": `{"data":[{"id":"mock-1"}]}`, "/api/v0/models": `{"data":[{"id":"mock-1"}]}`, "/api/v1/models": `{"models":[{"id":"mock-1"}]}`},
			record.Identity{Model: "mock-1", Server: "test/1", Details: map[string]string{"listed": "yes"}}},
		"with a digest":    {map[string]string{"/v1/models": `{"data":[{"id":"mock-1","digest":"sha256:ab"}]}`}, record.Identity{Model: "mock-1", Digest: "sha256:ab", Server: "test/1", Details: map[string]string{"listed": "yes"}}},
		"not listed":       {map[string]string{"/v1/models": `{"data":[{"id":"other"}]}`}, record.Identity{Model: "mock-1", Server: "test/1", Details: map[string]string{"listed": "no"}}},
		"nothing listed":   {map[string]string{"/v1/models": `{"data":[]}`}, record.Identity{Model: "mock-1", Server: "test/1", Details: map[string]string{"listed": "no"}}},
		"no list":          {map[string]string{"/v1/models": `{"models":1}`}, record.Identity{Model: "mock-1", Server: "test/1", Details: map[string]string{"listed": "unknown: GET /models gives no list"}}},
		"no such path":     {map[string]string{}, record.Identity{Model: "mock-1", Server: "test/1", Details: map[string]string{"listed": "unknown: GET /models gives HTTP 404"}}},
		"props of another": {map[string]string{"/v1/models": `{"data":[]}`, "/props": `<html>`}, record.Identity{Model: "mock-1", Server: "test/1", Details: map[string]string{"listed": "no"}}},
	} {
		m := at(t, serve(t, c.paths)+"/v1")
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
	for body, want := range map[string]model.FaultKind{"401|{}": model.FaultDenied, "503|{}": model.FaultBusy} {
		_, err := at(t, serve(t, map[string]string{"/v1/models": body})+"/v1").Identify(t.Context())
		if f := model.AsFault(err); err == nil || f.Kind != want {
			t.Errorf("%s: %v", body, err)
		}
	}
}
