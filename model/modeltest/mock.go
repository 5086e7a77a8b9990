package modeltest

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// MockOptions says how a Mock behaves. The zero value answers "ok" at once.
type MockOptions struct {
	Addr   string        // where to listen, a loopback address; "" is 127.0.0.1 and a free port
	Answer string        // the fixed answer, "ok" when empty and Reply is nil
	Delay  time.Duration // before each answer
	// Reply makes each answer from its request, in place of Answer. It is called concurrently.
	Reply func(MockRequest) MockReply
	// Fault names what goes wrong with the n-th call, counted from 1; nil or "" is nothing. It is called concurrently.
	Fault func(n int64) Fault
	// Models are the names that GET /v1/models lists.
	Models []string
	// Props is the body of GET /props, as llama.cpp's server gives it; "" is a 404.
	Props string
}

// MockRequest is one call as the mock saw it.
type MockRequest struct {
	N      int64 // from 1
	Header http.Header
	Body   []byte
	User   string // the last user message
}

// MockReply is one answer. Counts of 0 are left out, but for PromptTokens, where 0 means a plausible one.
type MockReply struct {
	Content, Thinking, Refusal                               string
	ThinkingField                                            string // "reasoning_content" when empty
	Finish                                                   string // "stop" when empty
	PromptTokens, OutputTokens, ThinkingTokens, CachedTokens int
	Delay                                                    time.Duration
	Fault                                                    Fault
}

// Mock is an OpenAI-compatible server on loopback that behaves or misbehaves as it is told. Its fixed answer is encoded
// once, so that the time of a call is the client's own.
type Mock struct {
	URL string // the base address, with /v1

	opts       MockOptions
	server     *http.Server
	requests   atomic.Int64
	head, tail []byte // of the fixed answer, around the count of prompt tokens
	done       chan struct{}
}

// NewMock starts a mock. Close stops it.
func NewMock(o MockOptions) (*Mock, error) {
	if o.Addr == "" {
		o.Addr = "127.0.0.1:0"
	}
	if host, _, err := net.SplitHostPort(o.Addr); err != nil || !isLoopback(host) {
		return nil, fmt.Errorf("%q is not a loopback address with a port, such as 127.0.0.1:0", o.Addr)
	}
	if o.Answer == "" {
		o.Answer = "ok"
	}
	m := &Mock{opts: o, done: make(chan struct{})}
	const mark = 987654321987654321
	m.head, m.tail, _ = bytes.Cut(encode(MockReply{Content: o.Answer, PromptTokens: mark, OutputTokens: 1 + len(o.Answer)/4}), strconv.AppendInt(nil, mark, 10))
	l, err := net.Listen("tcp", o.Addr)
	if err != nil {
		return nil, err
	}
	m.URL = "http://" + l.Addr().String() + "/v1"
	m.server = &http.Server{Handler: m}
	go func() {
		defer close(m.done)
		_ = m.server.Serve(l) // ends with ErrServerClosed and nothing else, once the listener is there
	}()
	return m, nil
}

// Requests is how many calls have come in, faults included.
func (m *Mock) Requests() int64 { return m.requests.Load() }

// Close stops the mock and cuts what is under way.
func (m *Mock) Close() error {
	err := m.server.Close()
	<-m.done
	return err
}

var (
	jsonType  = []string{"application/json"}
	nameOf    = []string{"assay-mock/1"}
	bodyPool  = sync.Pool{New: func() any { return new(bytes.Buffer) }}
	usageHead = []byte(`,"usage":{"prompt_tokens":`)
)

// ServeHTTP answers the paths of the compatible servers, and GET /mock/requests with the count of calls.
func (m *Mock) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header()["Server"] = nameOf
	switch {
	case r.URL.Path == "/v1/chat/completions" && r.Method == http.MethodPost:
		m.call(w, r)
	case r.URL.Path == "/v1/models" && r.Method == http.MethodGet:
		b := []byte(`{"object":"list","data":[`)
		for i, name := range m.opts.Models {
			if i > 0 {
				b = append(b, ',')
			}
			b, _ = jsontext.AppendQuote(append(b, `{"object":"model","owned_by":"assay","id":`...), name)
			b = append(b, '}')
		}
		write(w, 200, append(b, "]}"...))
	case r.URL.Path == "/props" && m.opts.Props != "":
		write(w, 200, []byte(m.opts.Props))
	case r.URL.Path == "/mock/requests":
		write(w, 200, strconv.AppendInt(nil, m.Requests(), 10))
	default:
		write(w, 404, []byte(`{"detail":"Not Found"}`))
	}
}

func (m *Mock) call(w http.ResponseWriter, r *http.Request) {
	n := m.requests.Add(1)
	buf := bodyPool.Get().(*bytes.Buffer)
	defer bodyPool.Put(buf)
	buf.Reset()
	if _, err := io.Copy(buf, r.Body); err != nil {
		return
	}
	var fault Fault
	if m.opts.Fault != nil {
		fault = m.opts.Fault(n)
	}
	if m.opts.Reply == nil && fault == "" {
		if !pause(r, m.opts.Delay) {
			return
		}
		tokens := int64(1 + buf.Len()/4)
		buf.Reset()
		buf.Write(m.head)
		buf.Write(strconv.AppendInt(buf.AvailableBuffer(), tokens, 10))
		buf.Write(m.tail)
		write(w, 200, buf.Bytes())
		return
	}
	req := MockRequest{N: n, Header: r.Header, Body: bytes.Clone(buf.Bytes())}
	reply := MockReply{Content: m.opts.Answer}
	if m.opts.Reply != nil {
		req.User = lastUser(req.Body)
		reply = m.opts.Reply(req)
	}
	if reply.PromptTokens == 0 {
		reply.PromptTokens = 1 + len(req.Body)/4
	}
	if fault == "" {
		fault = reply.Fault
	}
	if !pause(r, m.opts.Delay+reply.Delay) {
		return
	}
	if fault != "" {
		fault.serve(w, r, reply)
		return
	}
	write(w, 200, encode(reply))
}

// pause waits before an answer; false means that the client has gone.
func pause(r *http.Request, d time.Duration) bool {
	if d <= 0 {
		return true
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-r.Context().Done():
		return false
	}
}

func write(w http.ResponseWriter, status int, body []byte) {
	h := w.Header()
	if h["Content-Type"] == nil {
		h["Content-Type"] = jsonType
	}
	h["Content-Length"] = []string{strconv.Itoa(len(body))}
	if status != 200 {
		w.WriteHeader(status)
	}
	_, _ = w.Write(body) // a client that has gone is no concern of the server
}

// encode writes a reply as the compatible servers do.
func encode(r MockReply) []byte {
	quote := func(b []byte, s string) []byte {
		b, _ = jsontext.AppendQuote(b, s) // broken UTF-8 becomes U+FFFD, as on real servers
		return b
	}
	if r.Finish == "" {
		r.Finish = "stop"
	}
	b := quote([]byte(`{"id":"chatcmpl-mock","object":"chat.completion","model":"mock-1","choices":[{"index":0,"finish_reason":`), r.Finish)
	b = append(b, `,"message":{"role":"assistant","content":`...)
	if r.Refusal != "" && r.Content == "" {
		b = append(b, "null"...)
	} else {
		b = quote(b, r.Content)
	}
	if r.Refusal != "" {
		b = quote(append(b, `,"refusal":`...), r.Refusal)
	}
	if r.Thinking != "" {
		if r.ThinkingField == "" {
			r.ThinkingField = "reasoning_content"
		}
		b = append(quote(append(b, ','), r.ThinkingField), ':')
		b = quote(b, r.Thinking)
	}
	b = append(append(b, `}}]`...), usageHead...)
	b = strconv.AppendInt(b, int64(r.PromptTokens), 10)
	if r.OutputTokens > 0 {
		b = fmt.Appendf(b, `,"completion_tokens":%d`, r.OutputTokens)
	}
	if r.CachedTokens > 0 {
		b = fmt.Appendf(b, `,"prompt_tokens_details":{"cached_tokens":%d}`, r.CachedTokens)
	}
	if r.ThinkingTokens > 0 {
		b = fmt.Appendf(b, `,"completion_tokens_details":{"reasoning_tokens":%d}`, r.ThinkingTokens)
	}
	return append(b, "}}"...)
}

// lastUser finds the last user message of a request.
func lastUser(body []byte) string {
	var req struct {
		Messages []struct {
			Role    string `json:"role"`
			Content string `json:"content"`
		} `json:"messages"`
	}
	if json.Unmarshal(body, &req) != nil {
		return ""
	}
	for i := len(req.Messages) - 1; i >= 0; i-- {
		if req.Messages[i].Role == "user" {
			return req.Messages[i].Content
		}
	}
	return ""
}
