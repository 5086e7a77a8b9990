// Package openai speaks to any server with OpenAI's chat completions: the official one, llama.cpp, vLLM, LM Studio and
// whatever else calls itself compatible. Requests are written and replies are read here, byte for byte, bounded and
// strictly, because a benchmark must know what was really said; of the maintained SDK nothing would be left but its
// transport, at a sixth of the time of a whole call. Servers of one protocol differ in what they can prove: Identify finds out which software
// answers, and nothing is claimed for one that does not say.
package openai

import (
	"context"
	"net/http"
	"sync/atomic"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/wire"
)

const (
	keyVariable = "OPENAI_API_KEY"
	callPath    = "chat/completions"
)

var dialect = wire.Dialect{
	Server: "an OpenAI-compatible server", Keys: []string{keyVariable}, Address: "OPENAI_BASE_URL", Default: "https://api.openai.com/v1",
	Host: "api.openai.com", Example: "http://HOST:PORT/v1", Base: "/v1",
	Authorize: func(h http.Header, key string) { h.Set("Authorization", "Bearer "+key) },
}

// Options is what New needs to know. Getenv is asked for OPENAI_API_KEY, and for OPENAI_BASE_URL when the spec names no
// server.
type Options = wire.Options

// Model is one model behind one server.
type Model struct {
	*wire.Client
	server  atomic.Pointer[Server] // what Identify and Prepare found out; nil: nothing yet
	learned Learned
	counts  counts
}

var (
	_ model.Model      = (*Model)(nil)
	_ model.Identifier = (*Model)(nil)
	_ model.Preparer   = (*Model)(nil)
	_ model.Lister     = (*Model)(nil)
	_ model.Closer     = (*Model)(nil)
	_ model.Local      = (*Model)(nil)
)

// New makes the model of a spec. Errors are one line, say what to set, and come before any connection is made.
func New(o Options) (*Model, error) { return Open(o, callPath) }

// Open is New for a package that speaks another call of the same servers, below the same base address: it shares keys,
// faults, identities and lists, and makes its calls by itself.
func Open(o Options, path string) (*Model, error) {
	d := dialect
	d.CallPath = path
	c, err := wire.New(o, d)
	if err != nil {
		return nil, err
	}
	return &Model{Client: c}, nil
}

// Call sends one request and waits for the whole reply, for as long as ctx lasts. See model.Model. Where the server is
// known to be llama.cpp, the prompt is counted first, once for each distinct prompt.
func (m *Model) Call(ctx context.Context, req model.Request) (model.Reply, error) {
	body, cut, err := m.compose(nil, &req)
	if err != nil {
		return model.Reply{}, m.Ours(err)
	}
	exact := m.exact(ctx, body, cut)
	got := m.Send(ctx, http.MethodPost, callPath, body)
	if f := m.Fault(ctx, got); f != nil {
		if rep, ok := Declined(got); ok {
			return rep, nil
		}
		return model.Reply{}, f
	}
	rep, f := m.readReply(got)
	if f != nil {
		return model.Reply{}, f
	}
	s := m.Server()
	rep.Prompt = model.Prompted{Exact: exact, Partial: s.Partial, Loaded: s.Loaded, Refuses: s.Refuses}
	rep.Settings = m.settings(&req, s, Thought(&rep))
	return rep, nil
}
