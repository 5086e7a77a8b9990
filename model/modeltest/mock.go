package modeltest

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/assaybench/assay/record"
)

// MockOptions says how a Mock behaves. The zero value answers "ok" at once, in the form of chat completions.
type MockOptions struct {
	Wire   Wire
	Addr   string        // where to listen, a loopback address; "" is 127.0.0.1 and a free port
	Answer string        // the fixed answer, "ok" when empty and Reply is nil
	Delay  time.Duration // before each answer
	// Reply makes each answer from its request, in place of Answer. It is called concurrently.
	Reply func(MockRequest) MockReply
	// Fault names what goes wrong with the n-th call, counted from 1; nil or "" is nothing. It is called concurrently.
	// A fault that the wire does not have is a bug of the test, and panics.
	Fault func(n int64) Fault
	// Models are the names that the server lists and knows. The Ollama, Anthropic and Gemini forms know every name when it
	// is empty, and list "mock-1" then.
	Models []string
	Server MockServer
	// Props is the body of GET /props, as llama.cpp's server gives it; "" is a 404.
	Props string
}

// MockRequest is one call as the mock saw it.
type MockRequest struct {
	N       int64 // from 1
	Path    string
	Header  http.Header
	Body    []byte
	Model   string
	User    string   // the last user message
	Tools   []string // names of the tools that it offers
	Results []string // texts of all tools' results that it holds, in order
	// Settings are the names of what it asks for: temperature, top_p, seed, max_output, context, thinking (switched on, or
	// a level), schema, tools.
	Settings []string
}

// Asks reports whether a setting is in the request.
func (r MockRequest) Asks(setting string) bool { return slices.Contains(r.Settings, setting) }

// MockReply is one answer, in a form for all wires. Counts of 0 are left out, but for PromptTokens, where 0 means a
// plausible one.
type MockReply struct {
	Content, Thinking, Refusal string
	Calls                      []record.ToolCall // an empty ID is left out where the wire can, and filled where it cannot
	ThinkingField              string            // chat: "reasoning_content" when empty
	Remote                     string            // Ollama: the host that answered in this one's stead; Server.Remote when empty
	// Finish is a model.Finish, which becomes the wire's own word for it, or such a word itself; "" is the word for
	// FinishStop, or for FinishTool where there are calls.
	Finish                                                   string
	PromptTokens, OutputTokens, ThinkingTokens, CachedTokens int
	Delay                                                    time.Duration
	Fault                                                    Fault
}

// Signature is what signs a model's thinking on the wires that do so; a turn that is handed back must hold it.
const Signature = "c2lnbmVkLWJ5LXRoZS1tb2Nr"

// Mock is a model server on loopback that behaves or misbehaves as it is told. Its fixed answer as chat completion is
// encoded once, so that the time of a call is the client's own.
type Mock struct {
	URL string // the base address, as the provider of its wire wants it

	opts       MockOptions
	form       *form
	server     *http.Server
	requests   atomic.Int64
	head, tail []byte // of the fixed answer, around the count of prompt tokens
	done       chan struct{}
	state      state
}

// state is what a server remembers between requests.
type state struct {
	sync.Mutex
	loaded  map[string]int64 // context of each model that is loaded
	changed map[string]bool  // what faults have changed for good: "digest", "version", "context"
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
	f := forms()[o.Wire]
	if f == nil {
		return nil, fmt.Errorf("there is no wire %s", o.Wire)
	}
	m := &Mock{opts: o, form: f, done: make(chan struct{}), state: state{loaded: map[string]int64{}, changed: map[string]bool{}}}
	const mark = 987654321987654321
	m.head, m.tail, _ = bytes.Cut(f.encode(MockReply{Content: o.Answer, PromptTokens: mark, OutputTokens: 1 + len(o.Answer)/4}, asked{}), strconv.AppendInt(nil, mark, 10))
	l, err := net.Listen("tcp", o.Addr)
	if err != nil {
		return nil, err
	}
	m.URL = "http://" + l.Addr().String() + f.base
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
	jsonType = []string{"application/json"}
	nameOf   = []string{"assay-mock/1"}
	bodyPool = sync.Pool{New: func() any { return new(bytes.Buffer) }}
)

// ServeHTTP answers the paths of the wire, and GET /mock/requests with the count of calls.
func (m *Mock) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header()["Server"] = nameOf
	switch {
	case m.form.isCall(r):
		m.call(w, r)
	case r.URL.Path == "/mock/requests":
		write(w, 200, strconv.AppendInt(nil, m.Requests(), 10))
	case !m.form.side(m, w, r):
		w.Header().Set("Content-Type", m.form.words.pathType())
		write(w, 404, []byte(m.form.words.path))
	}
}

// call is one request while it is answered.
type call struct {
	w     http.ResponseWriter
	r     *http.Request
	m     *Mock
	asked asked
	reply MockReply
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
	if m.opts.Wire == WireChat && m.opts.Reply == nil && fault == "" {
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
	body := bytes.Clone(buf.Bytes()) // a test may keep it
	c := &call{w: w, r: r, m: m, asked: m.form.read(r, body), reply: MockReply{Content: m.opts.Answer}}
	if m.opts.Reply != nil {
		c.reply = m.opts.Reply(MockRequest{N: n, Path: r.URL.Path, Header: r.Header, Body: body, Model: c.asked.model, User: c.asked.user,
			Tools: c.asked.tools, Results: c.asked.results, Settings: c.asked.settings})
	}
	if c.reply.PromptTokens == 0 {
		c.reply.PromptTokens = plausible(len(body), c.asked)
	}
	if fault == "" {
		fault = c.reply.Fault
	}
	if !pause(r, m.opts.Delay+c.reply.Delay) {
		return
	}
	if fault != "" {
		fault.serve(c)
		return
	}
	if status, body := m.form.refuse(c); status != 0 {
		write(w, status, []byte(body))
		return
	}
	c.answer()
}

// plausible counts the tokens of a prompt as a tokenizer of running text would, and never more than fit into what was
// asked for.
func plausible(bytes int, a asked) int {
	n := 1 + bytes/4
	if room := int(a.context - a.output); a.context > 0 && n > room {
		n = max(room, 1+bytes/12)
	}
	return n
}

// answer sends the reply in the wire's form.
func (c *call) answer() {
	if c.m.form.answer != nil {
		c.m.form.answer(c)
		return
	}
	write(c.w, 200, c.m.form.encode(c.reply, c.asked))
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
