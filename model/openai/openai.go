// Package openai speaks to any server with OpenAI's chat completions: the official one, llama.cpp, vLLM, LM Studio and
// whatever else calls itself compatible. Requests go through the maintained SDK with its retries off, so that each try
// is seen and recorded by whoever calls; the response is read here, raw, bounded and strictly, because a benchmark must
// know what was really said.
package openai

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
)

const (
	officialURL = "https://api.openai.com/v1"
	keyVariable = "OPENAI_API_KEY"
	urlVariable = "OPENAI_BASE_URL"
	callPath    = "chat/completions"
)

// Options is what New needs to know. Getenv is asked for OPENAI_API_KEY, and for OPENAI_BASE_URL when the spec names no
// server; nil means that neither is set.
type Options struct {
	Spec        model.Spec
	Getenv      func(string) string
	Concurrency int // calls at once; as many connections are kept open between calls, and 256 at the least
	// Dial opens connections in place of a net.Dialer; tests use it to refuse every host but loopback.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
}

// Model is one model behind one server. It holds the key in closures only, so that no way of printing it shows the key.
type Model struct {
	spec      model.Spec
	base      string // the server's address without a slash at its end
	endpoint  string // method and URL of a call, as an Exchange names it
	official  bool   // OpenAI's own server, which knows other parameters
	local     bool
	keyed     bool
	client    sdk.Client
	transport *http.Transport
	secret    secret
}

var (
	_ model.Model      = (*Model)(nil)
	_ model.Identifier = (*Model)(nil)
	_ model.Closer     = (*Model)(nil)
	_ model.Local      = (*Model)(nil)
)

// New makes the model of a spec. Errors are one line, say what to set, and come before any connection is made.
func New(o Options) (*Model, error) {
	getenv := o.Getenv
	if getenv == nil {
		getenv = func(string) string { return "" }
	}
	base, from := o.Spec.URL, "@URL"
	if base == "" {
		base, from = strings.TrimSpace(getenv(urlVariable)), urlVariable
	}
	if base == "" {
		base, from = officialURL, "the official server"
	}
	base, err := model.ParseURL(base)
	if err != nil {
		return nil, fmt.Errorf("model %q: %s: %w", o.Spec.Raw, from, err)
	}
	u, err := url.Parse(base)
	if err != nil {
		return nil, fmt.Errorf("model %q: %s is not a URL", o.Spec.Raw, from)
	}
	host := strings.ToLower(u.Hostname())
	m := &Model{spec: o.Spec, base: base, endpoint: "POST " + base + "/" + callPath, local: model.Loopback(host),
		official: host == "api.openai.com" || strings.HasSuffix(host, ".api.openai.com")}
	key := strings.TrimSpace(getenv(keyVariable))
	switch {
	case key == "" && m.official:
		return nil, fmt.Errorf("model %q: %s is not set: set it, or give your own server as openai/%s@http://HOST:PORT/v1", o.Spec.Raw, keyVariable, o.Spec.Name)
	case strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }):
		return nil, fmt.Errorf("model %q: %s holds a character that no key has (a space, a line break): set it again", o.Spec.Raw, keyVariable)
	case key != "" && u.Scheme == "http" && !m.local:
		return nil, fmt.Errorf("model %q: %s would go over the network unencrypted to %s: use https, or unset it for this run", o.Spec.Raw, keyVariable, u.Host)
	}
	m.keyed, m.secret = key != "", newSecret(key)
	m.transport = newTransport(o)

	// The client is built by hand and not by NewClient, which would take addresses, keys and headers from the process's
	// own environment behind the back of Getenv.
	opts := []option.RequestOption{
		option.WithBaseURL(base), option.WithHTTPClient(&doer{m.transport}), option.WithMaxRetries(0),
	}
	if key != "" {
		opts = append(opts, option.WithAPIKey(key))
	}
	m.client = sdk.Client{Options: opts}
	return m, nil
}

// Name is the model as the user wrote it.
func (m *Model) Name() string { return m.spec.Raw }

// String is Name; it keeps formatted printing out of the fields.
func (m *Model) String() string { return m.spec.Raw }

// GoString is Name too.
func (m *Model) GoString() string { return m.spec.Raw }

// Local reports whether the server is on this machine, going by its address alone.
func (m *Model) Local() bool { return m.local }

// Close gives the idle connections back.
func (m *Model) Close() error {
	m.transport.CloseIdleConnections()
	return nil
}

// Call sends one request and waits for the whole reply, for as long as ctx lasts. See model.Model.
func (m *Model) Call(ctx context.Context, req model.Request) (model.Reply, error) {
	body, err := m.appendRequest(nil, req)
	if err != nil {
		return model.Reply{}, &model.Fault{Kind: model.FaultOurs, Msg: err.Error(), Exchange: record.Exchange{Endpoint: m.endpoint}, Err: err}
	}
	got := m.send(ctx, http.MethodPost, callPath, m.endpoint, body)
	if f := m.fault(ctx, got); f != nil {
		return model.Reply{}, f
	}
	rep, f := m.readReply(got)
	if f != nil {
		return model.Reply{}, f
	}
	return rep, nil
}

// send makes one exchange through the SDK. What came back is in the result; an error of the SDK counts only where
// nothing was sent, since its own reading of the response is not used.
func (m *Model) send(ctx context.Context, method, path, endpoint string, body []byte) *response {
	got := &response{Exchange: record.Exchange{Endpoint: endpoint, RequestBody: body, Started: time.Now()}}
	var params any
	if body != nil {
		params = body
	}
	err := m.client.Execute(context.WithValue(ctx, responseKey{}, got), method, path, params, nil)
	if got.err == nil && got.Status == 0 {
		got.err = err
		if err == nil {
			got.err = errors.New("the SDK sent nothing")
		}
	}
	got.Elapsed = time.Since(got.Started).Nanoseconds()
	m.secret.clean(&got.Exchange)
	return got
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
