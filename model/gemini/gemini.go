// Package gemini speaks to Google's Gemini API, and to whatever else has its form, by one call:
// POST models/NAME:generateContent, without a stream. The body is written here byte by byte and the reply is read here
// strictly, without an SDK, because a benchmark must know what was really said.
//
// What the server can and cannot prove: Google's refuses a prompt that does not fit (400 "The input token count … exceeds
// the maximum number of tokens allowed"), and its own count, cached part included, comes with each reply. Its countTokens
// is therefore never asked: a second request for each call would prove nothing more. Of another server in this form it is
// not known that it refuses rather than cuts.
//
// Temperature and top_p are always reported as asked only, since the newer models are documented to take them and leave
// them unused, and no reply shows whether this one did.
package gemini

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/wire"
)

const (
	apiVersion = "/v1beta" // the version that has all that is sent here; v1 lacks thinking and schemas of some models
	keyWanted  = "GEMINI_API_KEY or GOOGLE_API_KEY"
)

var dialect = wire.Dialect{
	Server: "a Gemini server", Keys: []string{"GEMINI_API_KEY", "GOOGLE_API_KEY"}, Address: "GOOGLE_GEMINI_BASE_URL",
	Default: "https://generativelanguage.googleapis.com" + apiVersion, Host: "generativelanguage.googleapis.com",
	Example:    "http://HOST:PORT",
	Authorize:  func(h http.Header, key string) { h.Set("X-Goog-Api-Key", key) }, // never ?key=, which ends up in logs
	KeyHeaders: []string{"X-Goog-Api-Key"},
	Sort:       kindOf,
	Absent:     func(string) string { return ": see assay doctor for those that this key can use" },
}

// Options is what New needs to know. Getenv is asked for GEMINI_API_KEY and GOOGLE_API_KEY, and for
// GOOGLE_GEMINI_BASE_URL when the spec names no server.
type Options = wire.Options

// Model is one model behind one server.
type Model struct {
	*wire.Client
	path    string // "models/NAME", escaped
	google  bool   // the server is Google's own, of which it is known what it does
	learned learned
}

var (
	_ model.Model      = (*Model)(nil)
	_ model.Identifier = (*Model)(nil)
	_ model.Closer     = (*Model)(nil)
	_ model.Local      = (*Model)(nil)
	_ model.Preparer   = (*Model)(nil)
	_ model.Lister     = (*Model)(nil)
)

// New makes the model of a spec. Errors are one line, say what to set, and come before any connection is made. A name
// may be written with or without its "models/".
func New(o Options) (*Model, error) {
	path, err := resource(o.Spec.Name)
	if err != nil {
		return nil, fmt.Errorf("model %q: %w", o.Spec.Raw, err)
	}
	d := dialect
	d.CallPath = path + ":generateContent"
	c, err := wire.New(o, d)
	if err != nil {
		return nil, err
	}
	c.Base = versioned(c.Base)
	u, err := url.Parse(c.Base)
	return &Model{Client: c, path: path, google: err == nil && strings.HasSuffix(strings.ToLower(u.Hostname()), ".googleapis.com")}, nil
}

// resource is the path of a model below the server's address.
func resource(name string) (string, error) {
	if !strings.HasPrefix(name, "models/") && !strings.HasPrefix(name, "tunedModels/") {
		name = "models/" + name
	}
	parts := strings.Split(name, "/")
	for i, p := range parts {
		if p == "" || p == "." || p == ".." {
			return "", fmt.Errorf("a model's name has no empty part and no dots alone between slashes")
		}
		parts[i] = url.PathEscape(p)
	}
	return strings.Join(parts, "/"), nil
}

// ends are what an address may end in instead of gaining a version: a version, or the place of Google's models on the
// platform that serves them by the same calls.
var ends = model.NewPattern(`/(v[0-9]+((alpha|beta)[0-9]*)?|publishers/[^/]+)$`)

// versioned adds /v1beta to an address without a version: GOOGLE_GEMINI_BASE_URL is documented to be without one, and
// people write @URL both ways.
func versioned(base string) string {
	base = strings.TrimSuffix(base, "/models")
	u, err := url.Parse(base)
	if err == nil && ends.MatchString(u.Path) {
		return base
	}
	return base + apiVersion
}

// Call sends one request and waits for the whole reply, for as long as ctx lasts. See model.Model. What Prepare found
// the model not to take is left out, and said in the reply's settings.
func (m *Model) Call(ctx context.Context, req model.Request) (model.Reply, error) {
	p := m.plan(req)
	body, err := appendRequest(nil, req, p)
	if err != nil {
		return model.Reply{}, m.Ours(err)
	}
	got := m.generate(ctx, body)
	if f := m.fault(ctx, got); f != nil {
		return model.Reply{}, f
	}
	rep, f := m.readReply(got, len(req.Messages))
	if f != nil {
		return model.Reply{}, f
	}
	rep.Settings = p.settings
	rep.Prompt = model.Prompted{Loaded: p.inputLimit, Refuses: m.google}
	return rep, nil
}

func (m *Model) generate(ctx context.Context, body []byte) *wire.Response {
	return m.Send(ctx, http.MethodPost, m.path+":generateContent", body)
}
