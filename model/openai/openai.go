// Package openai speaks to any server with OpenAI's chat completions: the official one, llama.cpp, vLLM, LM Studio and
// whatever else calls itself compatible. Requests go through the maintained SDK with its retries off, so that each try
// is seen and recorded by whoever calls; the response is read here, raw, bounded and strictly, because a benchmark must
// know what was really said.
package openai

import (
	"context"
	"math"
	"net/http"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/wire"
)

const (
	keyVariable = "OPENAI_API_KEY"
	callPath    = "chat/completions"
)

var dialect = wire.Dialect{
	Server: "an OpenAI-compatible server", Keys: []string{keyVariable}, Address: "OPENAI_BASE_URL", Default: "https://api.openai.com/v1",
	Host: "api.openai.com", Example: "http://HOST:PORT/v1", Base: "/v1", CallPath: callPath,
	Authorize: func(h http.Header, key string) { h.Set("Authorization", "Bearer "+key) },
}

// Options is what New needs to know. Getenv is asked for OPENAI_API_KEY, and for OPENAI_BASE_URL when the spec names no
// server.
type Options = wire.Options

// Model is one model behind one server.
type Model struct {
	*wire.Client
	endpoint string // method and URL of a call, as an Exchange names it
	sdk      sdk.Client
}

var (
	_ model.Model      = (*Model)(nil)
	_ model.Identifier = (*Model)(nil)
	_ model.Closer     = (*Model)(nil)
	_ model.Local      = (*Model)(nil)
)

// New makes the model of a spec. Errors are one line, say what to set, and come before any connection is made.
func New(o Options) (*Model, error) {
	c, err := wire.New(o, dialect)
	if err != nil {
		return nil, err
	}
	m := &Model{Client: c, endpoint: "POST " + c.Base + "/" + callPath}
	// The client is built by hand and not by NewClient, which would take addresses, keys and headers from the process's
	// own environment behind the back of Getenv.
	opts := []option.RequestOption{option.WithBaseURL(c.Base), option.WithHTTPClient(c.Doer()), option.WithMaxRetries(0)}
	c.WithKey(func(key string) {
		if key != "" {
			opts = append(opts, option.WithAPIKey(key))
		}
	})
	m.sdk = sdk.Client{Options: opts}
	return m, nil
}

// Call sends one request and waits for the whole reply, for as long as ctx lasts. See model.Model.
func (m *Model) Call(ctx context.Context, req model.Request) (model.Reply, error) {
	body, err := m.appendRequest(nil, req)
	if err != nil {
		return model.Reply{}, m.Ours(err)
	}
	got := m.send(ctx, http.MethodPost, callPath, m.endpoint, body)
	if f := m.Fault(ctx, got); f != nil {
		return model.Reply{}, f
	}
	rep, f := m.readReply(got)
	if f != nil {
		return model.Reply{}, f
	}
	return rep, nil
}

// send makes one exchange through the SDK.
func (m *Model) send(ctx context.Context, method, path, endpoint string, body []byte) *wire.Response {
	got := wire.NewResponse(endpoint, body)
	var params any
	if body != nil {
		params = body
	}
	m.Done(got, m.sdk.Execute(got.With(ctx), method, path, params, nil))
	return got
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
