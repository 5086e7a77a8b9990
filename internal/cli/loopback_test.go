package cli_test

import (
	"net"
	"os"
	"strings"
	"testing"

	"github.com/assaybench/assay/model/modeltest"
)

// TestTheSuiteSpeaksToLoopbackOnly: what the tests of the command line run can reach no other host, in this process and in one
// of its own, by a name or an address, and no name is looked up for it.
func TestTheSuiteSpeaksToLoopbackOnly(t *testing.T) {
	t.Parallel()
	for _, addr := range []string{"192.0.2.1:80", "8.8.8.8:53", "[2001:db8::1]:443", "models.example:443", "localhost.example:80", "127.0.0.1.example:80", "0.0.0.0:80", "[::]:80", "10.0.0.1:11434", ":80", "127.0.0.1"} {
		if c, err := modeltest.Dial(t.Context(), "tcp", addr); err == nil {
			c.Close()
			t.Errorf("%s was reached", addr)
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c, err := modeltest.Dial(t.Context(), "tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	c.Close()

	r := newRig(t)
	r.keys(canary)
	r.write(benchOf{items: 1})
	hosts := []string{"openai/x@https://models.example/v1", "responses/x@https://192.0.2.1/v1", "anthropic/claude", "gemini/pro", "openai/gpt", "ollama/x@https://models.example"}
	for _, m := range hosts {
		got := r.want(3, "run", "./bench", "--unproven", "--yes", "--model", m)
		if !strings.Contains(got.err, "tests speak to loopback only") || strings.Contains(got.err, canary) {
			t.Errorf("%s: %s", m, got.err)
		}
	}
	got := r.want(0, "doctor", "--online", "--ports", "none", "--patience", "100ms")
	if strings.Contains(got.out, canary) {
		t.Errorf("%s", got.out)
	}
	mock, _ := r.mock(modeltest.MockOptions{})
	res, _ := r.run(0, mock, "--watch", "http://192.0.2.1/")
	if s := res.Contention[0].Document.Services[0].Before; s == nil || s.Failed != s.N || s.N == 0 {
		t.Errorf("%+v", s)
	}
	// A proxy of the environment would be a way around.
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"} {
		if v := os.Getenv(name); v != "" && !strings.Contains(v, "127.0.0.1") && !strings.Contains(v, "localhost") {
			t.Logf("%s is set; calls to it are refused as well", name)
		}
	}
}
