package wire

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"slices"
	"time"

	"github.com/assaybench/assay/record"
)

// maxBody bounds a response: far more than any model says within a protocol's output limit.
const maxBody = 64 << 20

const leastIdle = 256

// newTransport keeps a connection for every concurrent call. It has no time limit of its own but for getting connected:
// how long a model may take is the protocol's business and comes with the context. Compression is off, so that the
// recorded bytes are those of the wire.
func newTransport(o Options) *http.Transport {
	t := &http.Transport{
		MaxIdleConnsPerHost: max(leastIdle, o.Concurrency), IdleConnTimeout: 90 * time.Second,
		DisableCompression: true, ForceAttemptHTTP2: true, TLSHandshakeTimeout: 20 * time.Second, MaxResponseHeaderBytes: 1 << 20,
		DialContext: o.Dial, Proxy: http.ProxyFromEnvironment,
	}
	if t.DialContext == nil {
		t.DialContext = (&net.Dialer{Timeout: 20 * time.Second, KeepAlive: 30 * time.Second}).DialContext
	}
	return t
}

// Response is what one exchange gave.
type Response struct {
	record.Exchange
	Err    error // of the transport, or of reading the body
	TooBig bool  // the body did not end within its bound, 64 MB
}

// NewResponse begins an exchange. With puts it where a Doer finds it.
func NewResponse(endpoint string, body []byte) *Response {
	return &Response{Exchange: record.Exchange{Endpoint: endpoint, RequestBody: body, Started: time.Now()}}
}

// With gives the context with which a request must be sent for this response to be filled.
func (r *Response) With(ctx context.Context) context.Context {
	return context.WithValue(ctx, responseKey{}, r)
}

// Header is the first value of a response's header, by its canonical name; "" when there is none.
func (r *Response) Header(name string) string {
	if v := r.ResponseHeader[name]; len(v) > 0 {
		return v[0]
	}
	return ""
}

type responseKey struct{}

// Doer sends requests for a client, or for an SDK in its stead. It goes straight to the transport, so that no redirect is
// ever followed, reads the body bounded, and keeps all in the Response of the request's context; an SDK gets the same
// response with an empty body.
type Doer struct{ c *Client }

// Doer is what requests are sent by.
func (c *Client) Doer() *Doer { return &Doer{c} }

// Do implements the SDKs' HTTPClient.
func (d *Doer) Do(req *http.Request) (*http.Response, error) {
	got := req.Context().Value(responseKey{}).(*Response)
	for name := range req.Header {
		if len(name) > 12 && name[:12] == "X-Stainless-" { // facts about this machine that no server needs
			delete(req.Header, name)
		}
	}
	if got.RequestBody != nil {
		// The SDK wraps the body in a type that net/http does not know; it would then send the header in a packet of its own.
		req.Body = io.NopCloser(bytes.NewReader(got.RequestBody))
	}
	got.RequestHeader = make(map[string][]string, len(req.Header))
	for name, values := range req.Header {
		if !secretHeaders[name] && !slices.Contains(d.c.dialect.KeyHeaders, name) {
			got.RequestHeader[name] = values
		}
	}
	res, err := d.c.transport.RoundTrip(req)
	if err != nil {
		got.Err = err
		return nil, err
	}
	got.Status, got.ResponseHeader = res.StatusCode, res.Header
	got.ResponseBody, got.TooBig, got.Err = readBounded(res.Body, res.ContentLength, maxBody)
	if err := res.Body.Close(); err != nil && got.Err == nil {
		got.Err = err
	}
	res.Body = http.NoBody
	return res, nil
}

// readBounded reads at most limit bytes; more is reported once limit bytes are there. A declared length is believed only
// as far as a megabyte, since it costs the sender nothing to write a large one.
func readBounded(r io.Reader, declared int64, limit int) (body []byte, tooBig bool, err error) {
	size := int64(4096)
	if declared >= 0 {
		size = min(declared, 1<<20) + 1 // one more, so that the end is seen without growing
	}
	body = make([]byte, 0, size)
	for {
		n, err := r.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		switch {
		case len(body) > limit:
			return body[:limit], true, nil
		case err == io.EOF:
			return body, false, nil
		case err != nil:
			return body, false, err
		case len(body) == cap(body):
			body = append(body, 0)[:len(body)]
		}
	}
}

// ended reports whether the context's end is why an exchange failed.
func ended(ctx context.Context, got *Response) bool { return got.Err != nil && ctx.Err() != nil }
