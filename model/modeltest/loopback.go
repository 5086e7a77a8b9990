package modeltest

import (
	"context"
	"fmt"
	"net"

	"github.com/assaybench/assay/model"
)

// Dial connects to this machine and fails for every other host, so that no test can speak to anyone by accident. Names
// but localhost are refused without a look-up.
func Dial(ctx context.Context, network, addr string) (net.Conn, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	if !isLoopback(host) {
		return nil, fmt.Errorf("tests speak to loopback only, not to %s", addr)
	}
	var d net.Dialer
	return d.DialContext(ctx, network, addr)
}

func isLoopback(host string) bool { return model.Loopback(host) }
