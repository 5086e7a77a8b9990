package responses

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/modeltest"
)

const testKey = "sk-test-0123456789abcdef/+SECRET"

func env(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i+1 < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

// at makes a model at an address, which is a loopback address or refused.
func at(t testing.TB, url string) *Model {
	t.Helper()
	m, err := New(Options{Spec: model.Spec{Raw: "responses/gpt-9@" + url, Provider: "responses", Name: "gpt-9", URL: url}, Getenv: env("OPENAI_API_KEY", testKey), Dial: modeltest.Dial})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}

// remote makes a model that takes its server for one on another machine, while every connection goes to a server of this
// test on loopback.
func remote(t testing.TB, url string, official bool) *Model {
	t.Helper()
	addr := strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/v1")
	m, err := New(Options{Spec: model.Spec{Raw: "responses/gpt-9@http://models.example/v1", Provider: "responses", Name: "gpt-9", URL: "http://models.example/v1"},
		Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return modeltest.Dial(ctx, network, addr)
		}})
	if err != nil {
		t.Fatal(err)
	}
	m.Official = official // the client is shared with what looks at the server
	t.Cleanup(func() { m.Close() })
	return m
}

// server answers calls by a function of the request and its body, and lists one model; it keeps what it was sent.
type server struct {
	URL    string
	answer func(n int, r *http.Request, body string) (status int, reply string)

	mu     sync.Mutex
	bodies []string
	heads  []http.Header
}

func serve(t testing.TB, answer func(n int, r *http.Request, body string) (int, string)) *server {
	t.Helper()
	s := &server{answer: answer}
	h := httptest.NewServer(s)
	t.Cleanup(h.Close)
	s.URL = h.URL + "/v1"
	return s
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b, _ := io.ReadAll(r.Body)
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Request-Id", "req_1")
	if r.URL.Path == "/v1/models" {
		_, _ = io.WriteString(w, `{"object":"list","data":[{"id":"gpt-9","object":"model","created":1,"owned_by":"openai"}]}`)
		return
	}
	if r.URL.Path != "/v1/responses" || r.Method != http.MethodPost {
		w.WriteHeader(404)
		return
	}
	s.mu.Lock()
	s.bodies, s.heads = append(s.bodies, string(b)), append(s.heads, r.Header)
	n := len(s.bodies)
	s.mu.Unlock()
	status, reply := s.answer(n, r, string(b))
	w.WriteHeader(status)
	_, _ = io.WriteString(w, reply)
}
