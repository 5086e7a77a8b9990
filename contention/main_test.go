package contention

import (
	"context"
	"fmt"
	"net"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// dialLoopback lets no test speak to another machine.
func dialLoopback(ctx context.Context, network, addr string) (net.Conn, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	if ip := net.ParseIP(host); ip == nil || !ip.IsLoopback() {
		return nil, fmt.Errorf("tests speak to loopback only, not to %s", addr)
	}
	return new(net.Dialer).DialContext(ctx, network, addr)
}

// noSMI is a machine without accelerators.
func noSMI(string) (string, error) { return "", fmt.Errorf("not found") }

// testOptions are for real time: quick, on loopback, without accelerators.
func testOptions(urls ...string) Options {
	return Options{
		URLs: urls, Interval: 20 * time.Millisecond, Timeout: time.Second, Around: 200 * time.Millisecond, Sample: 20 * time.Millisecond,
		Now: time.Now, Dial: dialLoopback, LookPath: noSMI,
	}
}

func start(t testing.TB, o Options) *Watcher {
	t.Helper()
	w, err := Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Stop() })
	return w
}

func ptr[T any](v T) *T { return &v }
