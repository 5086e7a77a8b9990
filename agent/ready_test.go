package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/assaybench/assay/world"
)

// envOf is what a program of a host sees.
func envOf(h *Host) map[string]string {
	env := map[string]string{"ASSAY_REQUEST": h.World.Request, "ASSAY_EVIDENCE": h.World.Evidence}
	for _, e := range h.World.Env {
		k, v, _ := strings.Cut(e, "=")
		env[k] = v
	}
	return env
}

// lessTools stands before a world's server and takes tools out of its lists.
func lessTools(t *testing.T, to string, keep func(name string) bool) string {
	t.Helper()
	u, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: u.Scheme, Host: u.Host})
	proxy.ModifyResponse = func(r *http.Response) error {
		b, err := io.ReadAll(r.Body)
		if err != nil {
			return err
		}
		var m map[string]any
		if json.Unmarshal(b, &m) == nil {
			if res, ok := m["result"].(map[string]any); ok {
				if list, ok := res["tools"].([]any); ok {
					res["tools"] = slices.DeleteFunc(list, func(x any) bool { return !keep(x.(map[string]any)["name"].(string)) })
					if b, err = json.Marshal(m); err != nil {
						return err
					}
				}
			}
		}
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(b)), int64(len(b))
		r.Header.Del("Content-Length")
		return nil
	}
	srv := httptest.NewServer(proxy)
	t.Cleanup(srv.Close)
	return srv.URL + u.Path
}

// TestFewerTools: a server that lists fewer tools than the task has, or none at all, is a fault of the environment that names
// them, and no agent is let in.
func TestFewerTools(t *testing.T) {
	h, _ := served(t, world.Limits{})
	env := envOf(h)
	tools := h.s.Tools()
	for name, c := range map[string]struct {
		keep func(string) bool
		want string
	}{
		"all":  {func(string) bool { return true }, ""},
		"one":  {func(n string) bool { return n != "assay.submit_answer" }, "these are missing: assay.submit_answer"},
		"none": {func(string) bool { return false }, "offers 0 of the task's"},
	} {
		err := offersAll(context.Background(), lessTools(t, env["ASSAY_MCP_URL"], c.keep), env["ASSAY_TOKEN"], tools)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n")) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	if err := offersAll(context.Background(), env["ASSAY_MCP_URL"], "wrong", tools); err == nil || !strings.Contains(err.Error(), "does not answer") {
		t.Errorf("with a wrong token: %v", err)
	}
	if h.Begun() || len(h.s.Events()) != 0 {
		t.Error("asking for the tools is in the log")
	}
}

// TestClientOutlivesItsHandshake: a client's session is not tied to the context that it was connected under: the deadline of
// the handshake passes, and its calls are answered still. The server's end, not a client's, ends the service.
func TestClientOutlivesItsHandshake(t *testing.T) {
	h, _ := served(t, world.Limits{})
	env := envOf(h)
	connect := func() *mcp.ClientSession {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel() // the handshake is over, and so is its context
		s, err := mcp.NewClient(&mcp.Implementation{Name: "t", Version: "1"}, nil).Connect(ctx, &mcp.StreamableClientTransport{Endpoint: env["ASSAY_MCP_URL"],
			HTTPClient: &http.Client{Transport: bearer{env["ASSAY_TOKEN"], http.DefaultTransport}}, MaxRetries: -1, DisableStandaloneSSE: true}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	first, second := connect(), connect()
	call := func(s *mcp.ClientSession) {
		t.Helper()
		r, err := s.CallTool(context.Background(), &mcp.CallToolParams{Name: "assay.context", Arguments: map[string]any{}})
		if err != nil || r.IsError {
			t.Fatalf("%v, %+v", err, r)
		}
	}
	time.Sleep(50 * time.Millisecond)
	call(first)
	call(second)
	ended := make(chan error, 1)
	go func() { ended <- first.Close() }()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("closing a client's session hangs")
	}
	call(second) // another client's end is nobody else's
	second.Close()
	call(connect())
	if n := len(h.s.Events()); n != 4 {
		t.Errorf("%d events of 4 calls", n)
	}
}
