package openai

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
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

// response is what one exchange gave.
type response struct {
	record.Exchange
	err    error // of the transport, or of reading the body
	tooBig bool  // the body did not end within maxBody
}

type responseKey struct{}

// doer is what the SDK sends requests by. It goes straight to the transport, so that no redirect is ever followed, reads
// the body bounded, and keeps all for Call; the SDK gets the same response with an empty body.
type doer struct{ transport http.RoundTripper }

// Do implements the SDK's HTTPClient.
func (d *doer) Do(req *http.Request) (*http.Response, error) {
	got := req.Context().Value(responseKey{}).(*response)
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
		if !secretHeaders[name] {
			got.RequestHeader[name] = values
		}
	}
	res, err := d.transport.RoundTrip(req)
	if err != nil {
		got.err = err
		return nil, err
	}
	got.Status, got.ResponseHeader = res.StatusCode, res.Header
	got.ResponseBody, got.tooBig, got.err = readBounded(res.Body, res.ContentLength, maxBody)
	if err := res.Body.Close(); err != nil && got.err == nil {
		got.err = err
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
func ended(ctx context.Context, got *response) bool { return got.err != nil && ctx.Err() != nil }
