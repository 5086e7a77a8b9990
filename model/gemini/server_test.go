package gemini

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/modeltest"
)

const testKey = "AIzaTest-0123456789abcdef_SECRET"

// seen is one request as the server saw it.
type seen struct {
	method, uri, key, body string
	header                 http.Header
}

// reply is what the server says to the next request.
type reply struct {
	status int
	body   string
	header map[string]string
}

// server answers requests from a list, the last one again and again, and keeps what it saw.
type server struct {
	*httptest.Server
	mu      sync.Mutex
	replies []reply
	seen    []seen
}

func serve(t testing.TB, replies ...reply) *server {
	t.Helper()
	s := &server{replies: replies}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	s.seen = append(s.seen, seen{r.Method, r.RequestURI, r.Header.Get("X-Goog-Api-Key"), string(body), r.Header})
	next := s.replies[0]
	if len(s.replies) > 1 {
		s.replies = s.replies[1:]
	}
	s.mu.Unlock()
	h := w.Header()
	h.Set("Content-Type", "application/json; charset=UTF-8")
	for name, value := range next.header {
		h.Set(name, value)
	}
	w.WriteHeader(next.status)
	_, _ = io.WriteString(w, next.body)
}

// requests gives what was seen so far.
func (s *server) requests() []seen {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]seen(nil), s.seen...)
}

// at makes a model at an address, which is a loopback address or refused.
func at(t testing.TB, url string, pairs ...string) *Model {
	t.Helper()
	if pairs == nil {
		pairs = []string{"GEMINI_API_KEY", testKey}
	}
	m, err := New(Options{Spec: model.Spec{Raw: "gemini/mock-1@" + url, Provider: "gemini", Name: "mock-1", URL: url}, Getenv: env(pairs...), Dial: modeltest.Dial})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}

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

// user is a request of one user message.
func user(text string) model.Request {
	return model.Request{Messages: []model.Message{{Role: "user", Text: text}}}
}

// good is a whole reply with that content.
func good(parts string) string {
	return `{"candidates":[{"content":{"parts":[` + parts + `],"role":"model"},"finishReason":"STOP","index":0}],` +
		`"usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":2,"totalTokenCount":11},"modelVersion":"mock-1-001","responseId":"r1"}`
}

// refusedBy is an error in Google's form.
func refusedBy(status int, word, message string, details ...string) reply {
	body := `{"error":{"code":` + itoa(status) + `,"message":` + quoted(message) + `,"status":"` + word + `"`
	for i, d := range details {
		if i == 0 {
			body += `,"details":[` + d
		} else {
			body += `,` + d
		}
	}
	if len(details) > 0 {
		body += `]`
	}
	return reply{status: status, body: body + `}}`}
}
