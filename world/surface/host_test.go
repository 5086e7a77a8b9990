package surface

import "testing"

// TestLoopbackHost: a name or an address of this machine and a port of digits; nothing may stand where a client puts a port or a zone.
func TestLoopbackHost(t *testing.T) {
	for host, want := range map[string]bool{"localhost": true, "localhost.:80": true, "127.0.0.1:65535": true, "[::1]:9": true, "::1": true, "[::ffff:127.0.0.1]": true,
		"localhost:evil.com": false, "127.0.0.1:": false, "localhost:+80": false, "localhost:65536": false, "[::1%25evil]": false, "[::1%evil]:80": false, "::1%lo": false, "": false, "10.0.0.1": false} {
		if got := LoopbackHost(host); got != want {
			t.Errorf("%q: %v, want %v", host, got, want)
		}
	}
}
