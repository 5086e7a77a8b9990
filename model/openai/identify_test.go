package openai

import (
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"github.com/assaybench/assay/model"
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
