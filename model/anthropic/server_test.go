package anthropic

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/modeltest"
)

const testKey = "sk-ant-api03-0123456789abcdef/+SECRET"

// seen is one request as the server got it.
type seen struct {
	method, uri, body string
	header            http.Header
}

// scripted is a server on loopback that keeps what it gets and answers by a function.
type scripted struct {
	*httptest.Server
	mu   sync.Mutex
	seen []seen
}

func (s *scripted) requests() []seen {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen
}

// serve starts a server. answer gives status and body, or writes by itself and gives status 0.
func serve(t testing.TB, answer func(w http.ResponseWriter, r seen) (int, string)) *scripted {
	t.Helper()
	s := &scripted{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, err := io.ReadAll(r.Body)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		got := seen{r.Method, r.RequestURI, string(b), r.Header.Clone()}
		s.mu.Lock()
		s.seen = append(s.seen, got)
		s.mu.Unlock()
		w.Header().Set("Request-Id", "req_011CSHoEeqs5C35K2UUqR7Fy")
		w.Header().Set("Content-Type", "application/json")
		status, body := answer(w, got)
		if status != 0 {
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// say is a server that gives one answer to everything.
func say(t testing.TB, status int, body string) *scripted {
	return serve(t, func(http.ResponseWriter, seen) (int, string) { return status, body })
}

// at makes a model at an address, which is a loopback address or refused.
func at(t testing.TB, url string) *Model {
	t.Helper()
	m, err := New(Options{Spec: model.Spec{Raw: "anthropic/claude-x@" + url, Provider: "anthropic", Name: "claude-x", URL: url}, Getenv: env(keyVariable, testKey), Dial: modeltest.Dial})
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

// reply is a whole reply of the published form around content blocks.
func reply(blocks, stop string) string {
	return `{"id":"msg_013Zva2CMHLNnXjNJJKqJ2EF","type":"message","role":"assistant","model":"claude-x-20260101","content":[` + blocks + `],"stop_reason":"` + stop +
		`","stop_sequence":null,"stop_details":null,"usage":{"input_tokens":2095,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":503,"service_tier":"standard"}}`
}

func text(s string) string { return fmt.Sprintf(`{"type":"text","text":%s}`, quoted(s)) }

func quoted(s string) string {
	b, err := jsontext.AppendQuote(nil, s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func refusal(kind, message string) string {
	return `{"type":"error","error":{"type":"` + kind + `","message":` + quoted(message) + `},"request_id":"req_011CSHoEeqs5C35K2UUqR7Fy"}`
}

func f64(v float64) *float64 { return &v }

func i64(v int64) *int64 { return &v }

var user = []model.Message{{Role: "user", Text: "x"}}
