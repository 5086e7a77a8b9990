package doctor

import (
	"context"
	"fmt"
	"net"
	"sync/atomic"
)

// answerMost bounds what one server may send in all, in bytes: the longest lists of models have about one million.
const answerMost = 8 << 20

var errTooMuch = fmt.Errorf("more than %d MiB, which no list of models has", answerMost>>20)

// allowance is what a server may still send, over all of its connections. The providers read as much as a run may need;
// a look must not.
type allowance struct {
	dial      func(ctx context.Context, network, addr string) (net.Conn, error)
	left      atomic.Int64
	connected atomic.Bool
}

func newAllowance(dial func(ctx context.Context, network, addr string) (net.Conn, error)) *allowance {
	a := &allowance{dial: dial}
	a.left.Store(answerMost)
	return a
}

// Dial opens a connection that counts against the allowance.
func (a *allowance) Dial(ctx context.Context, network, addr string) (net.Conn, error) {
	c, err := a.dial(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	a.connected.Store(true)
	return &limited{c, a}, nil
}

type limited struct {
	net.Conn
	allowance *allowance
}

func (l *limited) Read(p []byte) (int, error) {
	if l.allowance.left.Load() <= 0 {
		return 0, errTooMuch
	}
	n, err := l.Conn.Read(p)
	l.allowance.left.Add(-int64(n))
	return n, err
}
