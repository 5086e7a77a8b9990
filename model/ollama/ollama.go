// Package ollama speaks to Ollama's own API, /api/chat, since its OpenAI-compatible one can set neither the context nor
// whether a prompt that is too long is cut, and cuts it silently.
//
// What is always sent, so that no server version decides it: "truncate": false and "shift": false (a prompt that does not
// fit is refused, and a reply that fills the context ends), options num_ctx and num_predict as the protocol has them,
// repeat_penalty 1 (that is none; versions before 0.32.10 would take 1.1), keep_alive 30m (the model stays loaded between
// attempts, and a forgotten run gives the memory back), and "think" where the posture says anything of it. Where it says
// nothing, nothing is sent, and the server lets a model that can think do so: Reply.Settings says that.
//
// Replies are asked for whole ("stream": false). Only then are the ways of failing told apart: an abort of the server's
// guard against repetition is one JSON value with "done": false, while in a stream it looks like a proxy's cut; an error
// half-way keeps its own HTTP status, while in a stream it is a line under a 200; and the record holds the reply once, not
// 150 bytes for each token. A server that streams nevertheless is read just as strictly.
//
// A context holds prompt and output together. This client cannot count tokens beforehand, so it does not check that
// prompt + num_predict ≤ num_ctx: the server refuses a prompt that alone is too long, and a reply that the context ended
// before num_predict did is recorded as such ("max_output", not honoured).
package ollama

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/wire"
)

const (
	keyVariable  = "OLLAMA_API_KEY"
	hostVariable = "OLLAMA_HOST"
	callPath     = "api/chat"
	cloudHost    = "ollama.com"
)

// dialect is all of a provider but its address, which New finds out.
var dialect = wire.Dialect{
	Server: "an Ollama server", Keys: []string{keyVariable}, Host: cloudHost, Example: "http://HOST:11434", CallPath: callPath,
	Authorize: func(h http.Header, key string) { h.Set("Authorization", "Bearer "+key) },
	Sort:      sortError,
	Absent: func(name string) string {
		return fmt.Sprintf(`; "ollama pull %s" would get it, if there is such a model`, model.OneLine(name, 120))
	},
}

// impossibleName is what the server says of a name that no model can have; "model is required" too, since one is always sent.
var impossibleName = model.NewPattern(`invalid model name|^unqualified name|^model is required$`)

// sortError knows the words that the usual rules would misread.
func sortError(status int, e wire.ServerError) model.FaultKind {
	switch {
	case status == 499: // "request canceled", said to a client that still waits: the server's doing
		return model.FaultServer
	case status == http.StatusBadRequest && impossibleName.MatchString(e.Message):
		return model.FaultNoModel
	}
	return ""
}

// Options is what New needs to know. Getenv is asked for OLLAMA_API_KEY, and for OLLAMA_HOST when the spec names no server.
type Options = wire.Options

// Model is one model behind one server.
type Model struct {
	*wire.Client

	mu    sync.Mutex
	known *facts // of the server and the model, as last looked at; nil before
	// left says for each wish about thinking that the model did not take why not, in the server's words.
	left map[model.Thinking]string
	// loaded is what the server held for one request after it had been asked for a context, by that context, in tokens.
	loaded map[int]int64
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
	d, base, from := dialect, o.Spec.URL, "@URL"
	if base == "" {
		said := ""
		if o.Getenv != nil {
			said = o.Getenv(hostVariable)
		}
		if strings.Contains(said, "@") {
			return nil, fmt.Errorf("model %q: %s holds a user or a password: write HOST:PORT, and the key into %s", o.Spec.Raw, hostVariable, keyVariable)
		}
		var err error
		if base, err = model.ParseURL(hostURL(said)); err != nil {
			return nil, fmt.Errorf("model %q: %s: %w", o.Spec.Raw, hostVariable, err)
		}
		d.Default, from = base, hostVariable
	}
	for _, end := range []string{"/v1", "/api"} {
		if bare, ok := strings.CutSuffix(base, end); ok {
			return nil, fmt.Errorf("model %q: %s: Ollama's own address has no %s at its end: give %s", o.Spec.Raw, from, end, bare)
		}
	}
	c, err := wire.New(o, d)
	if err != nil {
		return nil, err
	}
	return &Model{Client: c, left: map[model.Thinking]string{}, loaded: map[int]int64{}}, nil
}

// Slots is 1: Ollama works on one call of a model at a time unless it was started otherwise (OLLAMA_NUM_PARALLEL), which it
// does not tell.
func (m *Model) Slots() int { return 1 }

// Call sends one request and waits for the whole reply, for as long as ctx lasts. See model.Model. Before Prepare nothing
// is known of the server, so that Reply.Prompt says the least.
func (m *Model) Call(ctx context.Context, req model.Request) (model.Reply, error) {
	rep, f := m.call(ctx, req, m.knowledge(req))
	if f != nil {
		return model.Reply{}, f
	}
	return rep, nil
}

// knowledge is what was learnt before a call that bears on it.
type knowledge struct {
	facts         // the zero value where nothing is known
	isKnown  bool // facts was looked at
	official bool // the server is Ollama's own, not one that anybody can look into
	left     string
	loaded   int64
}

func (m *Model) knowledge(req model.Request) knowledge {
	m.mu.Lock()
	defer m.mu.Unlock()
	k := knowledge{official: m.Official, left: m.left[req.Thinking], loaded: m.loaded[req.Context]}
	if m.known != nil {
		k.facts, k.isKnown = *m.known, true
	}
	if k.remote == "" && cloudName(m.Spec.Name) {
		k.remote = cloudHost
	}
	return k
}

func (m *Model) call(ctx context.Context, req model.Request, k knowledge) (model.Reply, *model.Fault) {
	body, err := appendRequest(nil, m.Spec.Name, req, k.left == "")
	if err != nil {
		return model.Reply{}, m.Ours(err)
	}
	got := m.Send(ctx, http.MethodPost, callPath, body)
	if f := m.Fault(ctx, got); f != nil {
		return model.Reply{}, f
	}
	return m.readReply(got, req, k)
}
