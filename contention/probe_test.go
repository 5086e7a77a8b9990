package contention

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// raw is a server that does as it likes with each connection, after the request's head was read.
func raw(t *testing.T, do func(c net.Conn)) string {
	t.Helper()
	return connected(t, func(c net.Conn) {
		for in := bufio.NewScanner(c); in.Scan() && in.Text() != ""; {
		}
		do(c)
	})
}

// connected is a server that does as it likes with each connection.
func connected(t *testing.T, do func(c net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	t.Cleanup(func() { l.Close(); <-done })
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				do(c)
			}()
		}
	}()
	return "http://" + l.Addr().String() + "/"
}

// deadPort is an address where no one listens.
func deadPort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return "http://" + l.Addr().String() + "/"
}

func server(t *testing.T, h http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}

func probeOnce(t *testing.T, o Options, url string) probed {
	t.Helper()
	o.URLs = []string{url}
	o, err := o.ready()
	if err != nil {
		t.Fatal(err)
	}
	targets, err := parseTargets(o.URLs)
	if err != nil {
		t.Fatal(err)
	}
	got, ok := newProber(o).probe(t.Context(), targets[0])
	if !ok {
		t.Fatal("the probe was dropped")
	}
	return got
}

func TestProbeKinds(t *testing.T) {
	var elsewhere atomic.Int64
	other := server(t, func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) })
	say := func(text string) func(net.Conn) { return func(c net.Conn) { io.WriteString(c, text) } }
	wait := func(c net.Conn) { io.Copy(io.Discard, c) } // until the other side closes
	tests := []struct {
		name, url string
		want      Kind
		cut       bool
	}{
		{"good", server(t, func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "ok") }).URL, "", false},
		{"moved", server(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other.URL, http.StatusFound) }).URL, "", false},
		{"not found", server(t, http.NotFound).URL, Status4xx, false},
		{"error", server(t, func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(503) }).URL, Status5xx, false},
		{"odd status", raw(t, say("HTTP/1.1 999 x\r\nContent-Length: 0\r\n\r\n")), Status5xx, false},
		{"dead port", deadPort(t), Refused, false},
		{"hangs before the head", raw(t, wait), TimedOut, false},
		{"hangs in the body", raw(t, func(c net.Conn) { say("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")(c); wait(c) }), TimedOut, false},
		{"closes at once", raw(t, func(net.Conn) {}), Closed, false},
		{"closes in the body", raw(t, say("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")), Closed, false},
		{"garbage", raw(t, say("\x1b[31m\x00\xff garbage\r\n\r\n")), Other, false},
		{"broken chunks", raw(t, say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc")), Other, false},
		{"endless head", raw(t, func(c net.Conn) {
			say("HTTP/1.1 200 OK\r\n")(c)
			for i := 0; ; i++ {
				if _, err := fmt.Fprintf(c, "X-%d: %s\r\n", i, strings.Repeat("x", 1000)); err != nil {
					return
				}
			}
		}), Other, false},
		{"endless body", raw(t, func(c net.Conn) {
			say("HTTP/1.1 200 OK\r\n\r\n")(c)
			for {
				if _, err := c.Write(make([]byte, 8<<10)); err != nil {
					return
				}
			}
		}), "", true},
		{"endless body, slowly", raw(t, func(c net.Conn) {
			say("HTTP/1.1 200 OK\r\n\r\n")(c)
			for {
				if _, err := c.Write([]byte("x")); err != nil {
					return
				}
				time.Sleep(5 * time.Millisecond)
			}
		}), TimedOut, false},
		{"not TLS", strings.Replace(connected(t, func(c net.Conn) { say("hello, this is not TLS at all\r\n")(c); wait(c) }), "http:", "https:", 1), Untrusted, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := testOptions()
			if o.Timeout = 10 * time.Second; tt.want == TimedOut {
				o.Timeout = 150 * time.Millisecond
			}
			got := probeOnce(t, o, tt.url)
			if got.kind != tt.want || got.cut != tt.cut {
				t.Errorf("the probe gave %q, cut %v; want %q, %v", got.kind, got.cut, tt.want, tt.cut)
			}
			if tt.want == TimedOut && got.elapsed != o.Timeout {
				t.Errorf("a probe that timed out stands at %v, not at the limit", got.elapsed)
			}
			if got.elapsed <= 0 || got.elapsed > o.Timeout {
				t.Errorf("it took %v", got.elapsed)
			}
		})
	}
	if n := elsewhere.Load(); n != 0 {
		t.Errorf("a redirect was followed %d times", n)
	}
}

func TestProbeTLS(t *testing.T) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Proto) }))
	s.Config.ErrorLog = quiet
	s.StartTLS()
	t.Cleanup(s.Close)
	o := testOptions()
	o.Timeout = 10 * time.Second
	if got := probeOnce(t, o, s.URL); got.kind != Untrusted {
		t.Errorf("a certificate that nobody signed gives %q", got.kind)
	}
	pool := x509.NewCertPool()
	pool.AddCert(s.Certificate())
	o.TLS = &tls.Config{RootCAs: pool}
	if got := probeOnce(t, o, s.URL); got.kind != "" {
		t.Errorf("a trusted certificate gives %q", got.kind)
	}
}

func TestProbeSendsOnlyWhatItMust(t *testing.T) {
	var conns atomic.Int64
	seen := make(chan *http.Request, 8)
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "a", Value: "b"})
		seen <- r
	}))
	s.Config.ConnState = func(_ net.Conn, st http.ConnState) {
		if st == http.StateNew {
			conns.Add(1)
		}
	}
	s.Start()
	t.Cleanup(s.Close)
	t.Setenv("HTTP_PROXY", deadPort(t))
	o := testOptions()
	for range 2 {
		if got := probeOnce(t, o, s.URL+"/p%20q?key=1&x=%0a#frag"); got.kind != "" {
			t.Fatalf("the probe failed: %q", got.kind)
		}
		r := <-seen
		if r.Method != "GET" || r.RequestURI != "/p%20q?key=1&x=%0a" || r.Header.Get("User-Agent") != "assay-watch" || len(r.Header["Cookie"]) != 0 || len(r.Header["Accept-Encoding"]) != 0 || r.ContentLength != 0 {
			t.Errorf("the request is %s %s %v", r.Method, r.RequestURI, r.Header)
		}
	}
	if n := conns.Load(); n != 2 {
		t.Errorf("2 probes used %d connections", n)
	}
}

func TestProbeEndsWithTheWatch(t *testing.T) {
	o, err := testOptions(raw(t, func(c net.Conn) { io.Copy(io.Discard, c) })).ready()
	if err != nil {
		t.Fatal(err)
	}
	targets, err := parseTargets(o.URLs)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	o.Timeout = 30 * time.Second
	if got, ok := newProber(o).probe(ctx, targets[0]); ok {
		t.Errorf("a probe that was ended counts as %+v", got)
	}
}

func TestKindOf(t *testing.T) {
	tests := []struct {
		err  error
		want Kind
	}{
		{&net.OpError{Op: "dial", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}, Refused},
		{&net.OpError{Op: "dial", Err: os.NewSyscallError("connect", errRefused)}, Refused},
		{&net.OpError{Op: "read", Err: os.NewSyscallError("read", errReset)}, Closed},
		{&net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: "x", IsNotFound: true}}, NoName},
		{&net.OpError{Op: "dial", Err: &net.DNSError{Err: "i/o timeout", Name: "x", IsTimeout: true}}, TimedOut},
		{&net.OpError{Op: "dial", Err: os.ErrDeadlineExceeded}, TimedOut},
		{&tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}}, Untrusted},
		{tls.AlertError(40), Untrusted},
		{fmt.Errorf("read: %w", io.ErrUnexpectedEOF), Closed},
		{errors.New("malformed HTTP response"), Other},
	}
	for _, tt := range tests {
		if got := kindOf(tt.err); got != tt.want {
			t.Errorf("%v is %q, want %q", tt.err, got, tt.want)
		}
	}
}
