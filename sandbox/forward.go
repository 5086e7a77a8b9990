package sandbox

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"time"
)

const (
	dialTime  = 30 * time.Second
	helloTime = 30 * time.Second // for the first words of a TLS connection
	mostConns = 256              // at once, on one address
)

// forward connects whatever comes to a listener with what r opens, until ctx ends. It returns when all of it is closed.
func forward(ctx context.Context, ln net.Listener, r Reach) {
	var wg sync.WaitGroup
	defer wg.Wait()
	defer context.AfterFunc(ctx, func() { ln.Close() })()
	room := make(chan struct{}, mostConns)
	for {
		in, err := ln.Accept()
		if err != nil {
			if ctx.Err() != nil || errors.Is(err, net.ErrClosed) {
				return
			}
			time.Sleep(10 * time.Millisecond) // out of descriptors, or aborted by its client: the next one may come through
			continue
		}
		select {
		case room <- struct{}{}:
		case <-ctx.Done():
			in.Close()
			return
		}
		wg.Go(func() {
			defer func() { <-room }()
			connect(ctx, in, r)
		})
	}
}

// connect carries one connection.
func connect(ctx context.Context, in net.Conn, r Reach) {
	defer in.Close()
	defer context.AfterFunc(ctx, func() { in.Close() })()
	var first []byte
	if r.Server != "" {
		var ok bool
		if first, ok = hello(in, r.Server); !ok {
			return
		}
	}
	dialing, cancel := context.WithTimeout(ctx, dialTime)
	out, err := r.Dial(dialing)
	cancel()
	if err != nil {
		return // the program sees a closed connection, as of a server that is gone
	}
	defer out.Close()
	defer context.AfterFunc(ctx, func() { out.Close() })()
	if _, err := out.Write(first); err != nil {
		return
	}
	var wg sync.WaitGroup
	wg.Go(func() { pour(out, in) })
	pour(in, out)
	wg.Wait()
}

// pour copies one direction and passes on its end.
func pour(to, from net.Conn) {
	_, err := io.Copy(to, from)
	if w, ok := to.(interface{ CloseWrite() error }); ok && err == nil {
		_ = w.CloseWrite()
		return
	}
	to.Close()
	from.Close()
}

// errHeard ends a handshake whose first words are all that is wanted.
var errHeard = errors.New("heard")

// hello reads the first words of a TLS connection, says whether they ask for a server of that name, and gives them back.
func hello(c net.Conn, name string) (first []byte, ok bool) {
	_ = c.SetReadDeadline(time.Now().Add(helloTime))
	e := &eavesdropper{Conn: c}
	err := tls.Server(e, &tls.Config{GetConfigForClient: func(h *tls.ClientHelloInfo) (*tls.Config, error) {
		ok = strings.EqualFold(h.ServerName, name)
		return nil, errHeard
	}}).Handshake()
	_ = c.SetReadDeadline(time.Time{})
	return e.heard.Bytes(), ok && errors.Is(err, errHeard)
}

// eavesdropper keeps what is read and says nothing.
type eavesdropper struct {
	net.Conn
	heard bytes.Buffer
}

func (e *eavesdropper) Read(p []byte) (int, error) {
	n, err := e.Conn.Read(p)
	e.heard.Write(p[:n])
	return n, err
}

func (e *eavesdropper) Write(p []byte) (int, error) { return len(p), nil }
