// Package wire is what the providers that speak HTTP share: one exchange with a model server, sent once, read raw and
// bounded, kept without its key, and classified when it failed. What a server's own protocol says stays in its provider.
package wire

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
)

// Options is what New needs of the user. Getenv is asked for keys, and for the server's address when the spec names none;
// nil means that nothing is set.
type Options struct {
	Spec        model.Spec
	Getenv      func(string) string
	Concurrency int // calls at once; as many connections are kept open between calls, and 256 at the least
	// Dial opens connections in place of a net.Dialer; tests use it to refuse every host but loopback.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
}

// Dialect is what New needs to know of a provider.
type Dialect struct {
	Server     string   // the kind of server in words: "an OpenAI-compatible server"
	Keys       []string // environment variables that may hold the key, the first one set counts
	Address    string   // environment variable of the server's address, "" for none
	Default    string   // the server's address when neither the spec nor the environment names one
	Host       string   // host name of the official server, and the end of those of its regions; "" where there is none
	Example    string   // a server of the user's own, as it is written after @
	Base       string   // what every address of such a server ends in, "/v1"; "" where it may end in anything
	CallPath   string   // of a call, for messages
	Authorize  func(h http.Header, key string)
	Header     http.Header // sent with every request
	KeyHeaders []string    // headers beside the usual ones that may hold a key, in canonical form
	// Sort gives the kind of fault behind an error of the provider's own words; "" leaves it to the usual rules. Status 200
	// is asked for errors inside whole replies.
	Sort func(status int, e ServerError) model.FaultKind
	// Absent says what to do about a model that the server does not know; it follows the server's own words.
	Absent func(name string) string
}

// Client exchanges messages with one server. It holds the key in closures only, so that no way of printing it shows the
// key.
type Client struct {
	Spec     model.Spec
	Base     string // the server's address without a slash at its end
	Official bool   // the provider's own server
	Keyed    bool

	local     bool // on this machine, going by its address alone
	dialect   Dialect
	transport *http.Transport
	authorize func(h http.Header)
	secret    secret
}

// New makes the client of a spec. Errors are one line, say what to set, and come before any connection is made.
func New(o Options, d Dialect) (*Client, error) {
	getenv := o.Getenv
	if getenv == nil {
		getenv = func(string) string { return "" }
	}
	base, from := o.Spec.URL, "@URL"
	if base == "" && d.Address != "" {
		base, from = strings.TrimSpace(getenv(d.Address)), d.Address
	}
	if base == "" {
		base, from = d.Default, "the usual server"
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
	c := &Client{Spec: o.Spec, Base: base, local: model.Loopback(host), dialect: d,
		Official: d.Host != "" && (host == d.Host || strings.HasSuffix(host, "."+d.Host))}
	var key, variable string
	for _, name := range d.Keys {
		if key = strings.TrimSpace(getenv(name)); key != "" {
			variable = name
			break
		}
	}
	switch {
	case key == "" && c.Official && len(d.Keys) > 0:
		own := ""
		if d.Example != "" {
			own = fmt.Sprintf(", or give your own server as %s/%s@%s", o.Spec.Provider, o.Spec.Name, d.Example)
		}
		return nil, fmt.Errorf("model %q: %s is not set: set it%s", o.Spec.Raw, strings.Join(d.Keys, " or "), own)
	case strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }):
		return nil, fmt.Errorf("model %q: %s holds a character that no key has (a space, a line break): set it again", o.Spec.Raw, variable)
	case key != "" && u.Scheme == "http" && !c.local:
		return nil, fmt.Errorf("model %q: %s would go over the network unencrypted to %s: use https, or unset it for this run", o.Spec.Raw, variable, u.Host)
	}
	c.Keyed, c.secret = key != "", newSecret(key)
	c.authorize = func(http.Header) {}
	if key != "" && d.Authorize != nil {
		c.authorize = func(h http.Header) { d.Authorize(h, key) }
	}
	c.transport = newTransport(o)
	return c, nil
}

// Name is the model as the user wrote it.
func (c *Client) Name() string { return c.Spec.Raw }

// String is Name; it keeps formatted printing out of the fields.
func (c *Client) String() string { return c.Spec.Raw }

// GoString is Name too.
func (c *Client) GoString() string { return c.Spec.Raw }

// Endpoint is the server's base address.
func (c *Client) Endpoint() string { return c.Base }

// KeyNames are the environment variables that may hold the server's key, the first one set counts.
func (c *Client) KeyNames() []string { return c.dialect.Keys }

// Local reports whether the server is on this machine, going by its address alone.
func (c *Client) Local() bool { return c.local }

// Paid reports whether calls are made on somebody's account: with a key, on a server elsewhere.
func (c *Client) Paid() bool { return c.Keyed && !c.local }

// Close gives the idle connections back.
func (c *Client) Close() error {
	c.transport.CloseIdleConnections()
	return nil
}

// Send makes one exchange: method and path below the base address, with body as JSON where it is not nil. What came back
// is in the result, an error of the transport included; Fault says what it means.
func (c *Client) Send(ctx context.Context, method, path string, body []byte) *Response {
	return c.SendTo(ctx, method, c.Base+"/"+path, body)
}

// SendTo is Send with a whole address, which must be of the same server: the key goes with it.
func (c *Client) SendTo(ctx context.Context, method, address string, body []byte) *Response {
	got := &Response{Exchange: record.Exchange{Endpoint: method + " " + address, RequestBody: body, Started: time.Now()}}
	if err := c.exchange(ctx, method, address, got); got.Err == nil {
		got.Err = err
	}
	got.Elapsed = time.Since(got.Started).Nanoseconds()
	c.secret.clean(&got.Exchange)
	return got
}

// Ours is the fault of a request that cannot be made.
func (c *Client) Ours(err error) *model.Fault {
	return &model.Fault{Kind: model.FaultOurs, Msg: err.Error(), Exchange: record.Exchange{Endpoint: "POST " + c.Base + "/" + c.dialect.CallPath}, Err: err}
}
