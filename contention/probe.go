package contention

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"syscall"
	"time"
)

// Kind is how a probe failed. The words are ours: nothing that a service says is kept.
type Kind string

// The kinds of failures.
const (
	Refused   Kind = "refused"    // no one listens
	TimedOut  Kind = "timeout"    // not over within the time limit
	Status4xx Kind = "status 4xx" //
	Status5xx Kind = "status 5xx" // 500 and above
	NoName    Kind = "no such name"
	Untrusted Kind = "tls"    // no agreement, or a certificate that is not trusted
	Closed    Kind = "closed" // closed or reset before the answer was whole
	Other     Kind = "other"  // the answer is not HTTP, no route to the host, and whatever else
)

// kinds lists them in the order in which they are shown.
var kinds = []Kind{Refused, TimedOut, Status4xx, Status5xx, NoName, Untrusted, Closed, Other}

// probed is what one probe saw.
type probed struct {
	kind    Kind          // "" for an answer below 400
	elapsed time.Duration // to the end of the body, or of what is read of it
	cut     bool          // the body was longer than is read
}

// prober makes probes. Each opens a connection of its own, since that is what a user of a service sees who comes anew: the
// name is looked up, the connection stands in the listener's queue, TLS is agreed. A kept connection would measure a
// service as healthy that takes no one in any more.
type prober struct {
	transport *http.Transport
	timeout   time.Duration
	now       func() time.Time
}

func newProber(o Options) *prober {
	return &prober{&http.Transport{
		DialContext:            o.Dial,
		TLSClientConfig:        o.TLS.Clone(), // nil stays nil
		DisableKeepAlives:      true,
		DisableCompression:     true,
		MaxResponseHeaderBytes: headerMax,
	}, o.Timeout, o.Now}
}

// probe asks once. It reports false when the watch itself ended meanwhile, which says nothing about the service.
func (p *prober) probe(ctx context.Context, t *target) (probed, bool) {
	own, cancel := context.WithTimeout(ctx, p.timeout)
	defer cancel()
	begun := p.now()
	status, cut, err := p.get(own, t)
	got := probed{elapsed: max(p.now().Sub(begun), 0), cut: cut}
	switch {
	case ctx.Err() != nil:
		return probed{}, false
	case own.Err() != nil || got.elapsed >= p.timeout:
		got.kind = TimedOut
	case err != nil:
		got.kind = kindOf(err)
	case status >= 500:
		got.kind = Status5xx
	case status >= 400:
		got.kind = Status4xx
	}
	if got.kind == TimedOut {
		// It waited so long and no longer: what it would have taken is not known, only that it is no less.
		got.elapsed = p.timeout
	}
	return got, true
}

// get asks by the transport itself, which follows no redirect, keeps no cookie and puts no URL into its errors.
func (p *prober) get(ctx context.Context, t *target) (status int, cut bool, err error) {
	req := &http.Request{Method: http.MethodGet, URL: t.url, Host: t.url.Host, Header: http.Header{"User-Agent": {"assay-watch"}}}
	resp, err := p.transport.RoundTrip(req.WithContext(ctx))
	if err != nil {
		return 0, false, err
	}
	defer resp.Body.Close()
	n, err := io.Copy(io.Discard, io.LimitReader(resp.Body, bodyMax+1))
	return resp.StatusCode, n > bodyMax, err
}

func kindOf(err error) Kind {
	var name *net.DNSError
	if errors.As(err, &name) {
		if name.IsTimeout {
			return TimedOut
		}
		return NoName
	}
	var slow net.Error
	if errors.As(err, &slow) && slow.Timeout() {
		return TimedOut
	}
	if errors.Is(err, errRefused) || errors.Is(err, syscall.ECONNREFUSED) {
		return Refused
	}
	var (
		verify  *tls.CertificateVerificationError
		header  tls.RecordHeaderError
		alert   tls.AlertError
		unknown x509.UnknownAuthorityError
		host    x509.HostnameError
		invalid x509.CertificateInvalidError
	)
	if errors.As(err, &verify) || errors.As(err, &header) || errors.As(err, &alert) || errors.As(err, &unknown) || errors.As(err, &host) || errors.As(err, &invalid) {
		return Untrusted
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, errReset) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) {
		return Closed
	}
	return Other
}
