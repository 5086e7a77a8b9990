package wire

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"slices"
	"sync/atomic"
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

	unconnected bool // no connection was had: the server cannot have seen anything of the request
}

// Header is the first value of a response's header, by its canonical name; "" when there is none.
func (r *Response) Header(name string) string {
	if v := r.ResponseHeader[name]; len(v) > 0 {
		return v[0]
	}
	return ""
}

// exchange sends a request and reads its response. It goes straight to the transport, so that no redirect is ever followed;
// what came back is in got, whatever the error.
func (c *Client) exchange(ctx context.Context, method, address string, got *Response) error {
	var reader io.Reader
	if got.RequestBody != nil {
		reader = bytes.NewReader(got.RequestBody)
	}
	req, err := http.NewRequestWithContext(ctx, method, address, reader)
	if err != nil {
		return notSent{err}
	}
	if req.Header = c.dialect.Header.Clone(); req.Header == nil {
		req.Header = http.Header{}
	}
	if got.RequestBody != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	req.Header.Set("Accept", "application/json")
	if _, ok := req.Header["User-Agent"]; !ok {
		req.Header.Set("User-Agent", "assay")
	}
	c.authorize(req.Header)
	got.RequestHeader = make(map[string][]string, len(req.Header))
	for name, values := range req.Header {
		if !secretHeaders[name] && !slices.Contains(c.dialect.KeyHeaders, name) {
			got.RequestHeader[name] = values
		}
	}
	var connected atomic.Bool // asked for while a connection may still be in the making
	begun := ctx.Err() == nil
	res, err := c.transport.RoundTrip(req.WithContext(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { connected.Store(true) }})))
	if err != nil {
		got.unconnected = begun && !connected.Load()
		return err
	}
	got.Status, got.ResponseHeader = res.StatusCode, res.Header
	got.ResponseBody, got.TooBig, err = readBounded(res.Body, res.ContentLength, maxBody)
	return errors.Join(err, res.Body.Close())
}

// notSent is an error of a request that could not be made: ours, and not the server's.
type notSent struct{ error }

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
