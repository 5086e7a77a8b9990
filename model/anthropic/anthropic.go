// Package anthropic speaks Anthropic's Messages API: the official server, and whatever server of the user's own has the
// same protocol. The client is ours, so that a body is ours byte for byte.
//
// # What is sent
//
// The version header is 2023-06-01, whatever is asked for. Under the next version, 2026-10-21, the API refuses
// temperature and top_p for all models, even at their defaults; under this one each model decides by itself, and a
// posture that asks for neither gets the same from both. One version for all keeps requests comparable.
//
// No table of model names says what a model takes, since such tables age. Prepare asks with everything that the posture
// wants; what the server's own 400 does not accept it leaves out, until the request is taken or is refused for another
// reason. Call leaves the same out and says so in Reply.Settings. That covers sampling (newer models take none; some take
// temperature or top_p but not both; with thinking on, only temperature 1), every way of asking for thinking, effort
// levels, structured output and strict tools.
//
// Thinking "off" is {"type":"disabled"}, or what the server's refusal names in its place (between_tools). "on" is
// adaptive thinking, and a fixed budget on models without it: half of the output limit and at least 1,024 tokens, which
// must be fewer than the limit, since thinking and answer share it. A level is output_config.effort with the same
// thinking. A summary of the thinking is asked for wherever thinking is, since the default differs between models: the
// text shown is that summary, or nothing, and never the text thought; its tokens are in Usage.Thinking. Where a posture
// says nothing of thinking, nothing is sent, and the model's own default holds: newer ones think.
//
// System messages at the head go to the top-level field. The API has no seed, and an output limit must be given. Replies
// are not streamed: a connection that something on the way closes in a long silence is a fault like any other.
//
// # What comes back
//
// stop_reason pause_turn is neither a whole answer nor a cut of the model's doing (a loop of the server's own tools was
// paused, and none are offered here), so it becomes no known Finish and the attempt an error. A block of an unknown type
// is a broken reply and never an empty answer. Text blocks are the answer, joined as they are; think tags in them stay,
// since this protocol has blocks for thinking.
//
// Usage.Prompt is the whole prompt, read from a cache or not. No count is asked for before a call: the counting endpoint
// calls itself an estimate, has limits of its own, and the API refuses a prompt that does not fit, which proves delivery
// without it. That is known of the official server only, so Prompt.Refuses is set for no other.
package anthropic

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/wire"
)

const (
	keyVariable = "ANTHROPIC_API_KEY"
	callPath    = "v1/messages"
	modelsPath  = "v1/models"
	apiVersion  = "2023-06-01"
)

var dialect = wire.Dialect{
	Server: "a server with Anthropic's Messages API", Keys: []string{keyVariable}, Address: "ANTHROPIC_BASE_URL", Default: "https://api.anthropic.com",
	Host: "api.anthropic.com", Example: "http://HOST:PORT", CallPath: callPath,
	Authorize:  func(h http.Header, key string) { h.Set("X-Api-Key", key) },
	Header:     http.Header{"Anthropic-Version": {apiVersion}},
	KeyHeaders: []string{"X-Api-Key"},
	Sort:       sortError,
}

// Options is what New needs to know. Getenv is asked for ANTHROPIC_API_KEY, and for ANTHROPIC_BASE_URL when the spec names
// no server.
type Options = wire.Options

// Model is one model behind one server.
type Model struct {
	*wire.Client

	holds atomic.Int64 // tokens of the context window, 0 while unknown

	mu      sync.Mutex
	learned map[model.Thinking]limits
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
func New(o Options) (*Model, error) {
	c, err := wire.New(o, dialect)
	if err != nil {
		return nil, err
	}
	// The official clients give the address without /v1; those who write it mean the same server.
	c.Base = strings.TrimSuffix(c.Base, "/v1")
	return &Model{Client: c, learned: map[model.Thinking]limits{}}, nil
}

// Call sends one request and waits for the whole reply, for as long as ctx lasts. See model.Model.
func (m *Model) Call(ctx context.Context, req model.Request) (model.Reply, error) {
	rep, f := m.call(ctx, req, m.limits(req.Thinking))
	if f != nil {
		return model.Reply{}, f
	}
	return rep, nil
}

// call is one exchange that leaves out what l says is not accepted.
func (m *Model) call(ctx context.Context, req model.Request, l limits) (model.Reply, *model.Fault) {
	p := newPlan(req, l, m.holds.Load())
	body, err := m.appendRequest(nil, req, p)
	if err != nil {
		return model.Reply{}, m.Ours(err)
	}
	got := m.Send(ctx, http.MethodPost, callPath, body)
	if f := m.fault(ctx, got); f != nil {
		return model.Reply{}, f
	}
	rep, f := m.readReply(got)
	if f != nil {
		return model.Reply{}, f
	}
	rep.Settings = p.settings
	rep.Prompt = model.Prompted{Loaded: m.holds.Load(), Refuses: m.Official}
	return rep, nil
}
