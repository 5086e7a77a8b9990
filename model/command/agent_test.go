//go:build unix

package command

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/sandbox"
)

// box opens the sandbox for agents; nil where this machine has none.
func box(t *testing.T) *sandbox.Box {
	t.Helper()
	b, err := sandbox.OpenAgents(t.Context(), sandbox.Options{})
	if err != nil {
		t.Skipf("no sandbox for agents on this machine: %v", err)
	}
	return b
}

// agentOf writes a script and makes an agent of it.
func agentOf(t *testing.T, script string, a Agent) *command {
	t.Helper()
	path := filepath.Join(t.TempDir(), "program")
	writeProgram(t, path, "#!/bin/sh\n"+script)
	m, err := NewAgent(path, a)
	if err != nil {
		t.Fatal(err)
	}
	c := m.(*command)
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// a world as package agent serves it, without the world.
func place(t *testing.T) (*model.World, *httptest.Server) {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Write([]byte("the world, " + r.Header.Get("Authorization")))
	}))
	t.Cleanup(srv.Close)
	dir := t.TempDir()
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "request"), []byte("Find it."), 0o600), os.MkdirAll(filepath.Join(dir, "evidence", "sub"), 0o700),
		os.WriteFile(filepath.Join(dir, "evidence", "sub", "a b.txt"), []byte("seen"), 0o600)); err != nil {
		t.Fatal(err)
	}
	return &model.World{Env: []string{"ASSAY_API_URL=" + srv.URL, "ASSAY_TOKEN=the-token"}, Address: srv.Listener.Addr().String(),
		Request: filepath.Join(dir, "request"), Evidence: filepath.Join(dir, "evidence")}, srv
}

// TestSealedCall: a sealed program gets its task and its world, and the record gets neither the token nor a key.
func TestSealedCall(t *testing.T) {
	w, _ := place(t)
	c := agentOf(t, `cat; echo; cat "$ASSAY_REQUEST" "$ASSAY_EVIDENCE/sub/a b.txt"; echo; curl -sS -H "Authorization: $ASSAY_TOKEN" "$ASSAY_API_URL/x"; echo; echo "$KEY $ASSAY_ITEM $0"`,
		Agent{Box: box(t), Env: []string{"KEY=hunter2-hunter2"}})
	req := ask("said")
	req.World = w
	rep, err := c.Call(t.Context(), req)
	if want := "said\nFind it.seen\nthe world, the-token\nhunter2-hunter2 it /agent/program\n"; err != nil || rep.Answer != want {
		t.Fatalf("%v:\n got %q\nwant %q", err, rep.Answer, want)
	}
	rep.Answer, rep.Exchange.ResponseBody = "", nil
	for _, secret := range []string{"the-token", "hunter2"} {
		for k, v := range rep.Exchange.RequestHeader {
			if strings.Contains(k+strings.Join(v, " "), secret) {
				t.Errorf("%s is recorded in %s", secret, k)
			}
		}
	}
	if !c.Program() || !c.Sealed() {
		t.Error("it is no sealed program")
	}
}

// TestSealedEndings: how a sealed program ends is told as that of any other, and its limits are told by name.
func TestSealedEndings(t *testing.T) {
	b := box(t)
	defer b.Close()
	for name, c := range map[string]struct {
		script, want string
		kind         model.FaultKind
	}{
		"exit 3":         {"echo one >&2; echo last >&2; exit 3", "exit 3: last", model.FaultServer},
		"silent":         {"exit 1", "exit 1, and nothing on standard error", model.FaultServer},
		"killed":         {"kill -9 $$", "exit 137", model.FaultServer},
		"no interpreter": {"exec /opt/not/there", "--agent-see shows a folder", model.FaultServer},
		"prints a key":   {"echo bad $KEY >&2; exit 1", "bad [value of KEY]", model.FaultServer},
	} {
		t.Setenv("KEY", "hunter2-hunter2") // masked by what this process knows
		path := filepath.Join(t.TempDir(), "program")
		writeProgram(t, path, "#!/bin/sh\n"+c.script+"\n")
		m, err := NewAgent(path, Agent{Box: b, Env: []string{"KEY=hunter2-hunter2"}})
		if err != nil {
			t.Fatal(err)
		}
		_, err = m.Call(t.Context(), ask("x"))
		f := model.AsFault(err)
		if err == nil || f.Kind != c.kind || !strings.Contains(f.Msg, c.want) || strings.ContainsAny(f.Msg, "\n\x1b\x00") {
			t.Errorf("%s: %v; want %q", name, err, c.want)
		}
	}
	c := agentOf(t, "trap '' TERM; sleep 60 & sleep 60", Agent{Box: box(t)})
	limit := errors.New("the limit")
	ctx, cancel := context.WithTimeoutCause(t.Context(), 300*time.Millisecond, limit)
	defer cancel()
	start := time.Now()
	_, err := c.Call(ctx, ask("x"))
	if f := model.AsFault(err); err == nil || f.Kind != model.FaultCancelled || !errors.Is(err, limit) || time.Since(start) > 10*time.Second {
		t.Errorf("%v after %v", err, time.Since(start))
	}
}

// TestReach: how a model's server is found inside.
func TestReach(t *testing.T) {
	for _, c := range []struct{ at, inside, address, server, names, outside, wrong string }{
		{at: "https://api.anthropic.com", inside: "https://api.anthropic.com", address: "127.0.0.1:443", server: "api.anthropic.com", names: "api.anthropic.com", outside: "api.anthropic.com:443"},
		{at: "https://models.example:8443/v1", inside: "https://models.example:8443/v1", address: "127.0.0.1:8443", server: "models.example", names: "models.example", outside: "models.example:8443"},
		{at: "http://127.0.0.1:11434", inside: "http://127.0.0.1:11434", address: "127.0.0.1:11434", outside: "127.0.0.1:11434"},
		{at: "http://localhost:8080/v1", inside: "http://localhost:8080/v1", address: "127.0.0.1:8080", names: "localhost", outside: "localhost:8080"},
		{at: "http://192.168.1.5:8000/v1", inside: "http://127.0.0.1:8000/v1", address: "127.0.0.1:8000", outside: "192.168.1.5:8000"},
		{at: "http://[::1]:8000", inside: "http://127.0.0.1:8000", address: "127.0.0.1:8000", outside: "[::1]:8000"},
		{at: "http://box.lan", inside: "http://box.lan", address: "127.0.0.1:80", names: "box.lan", outside: "box.lan:80"},
		{at: "https://192.168.1.5/v1", wrong: "give its server by name"},
	} {
		dialled := ""
		a := Agent{Model: Thinker{Spec: model.Spec{Raw: "openai/x"}, Endpoint: c.at, Dial: func(_ context.Context, network, addr string) (net.Conn, error) {
			dialled = addr
			return nil, errors.New("not today")
		}}}
		w, err := a.reach()
		if c.wrong != "" {
			if err == nil || !strings.Contains(err.Error(), c.wrong) {
				t.Errorf("%s: %v", c.at, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.at, err)
			continue
		}
		if _, err := w.reach.Dial(t.Context()); err == nil {
			t.Errorf("%s: it was not the dialer that was given", c.at)
		}
		if w.url != c.inside || w.reach.Address != c.address || w.reach.Server != c.server || strings.Join(w.reach.Names, " ") != c.names || dialled != c.outside {
			t.Errorf("%s: %s %+v, dialled %s", c.at, w.url, w.reach, dialled)
		}
	}
}

// TestUnsealedAgent: without a sandbox the program has the environment that it always had, and its version is not asked, which
// could do anything.
func TestUnsealedAgent(t *testing.T) {
	w, _ := place(t)
	mark := filepath.Join(t.TempDir(), "ran")
	t.Setenv("ASSAY_TOKEN", "left over from outside")
	c := agentOf(t, `echo x >> "`+mark+`"; cat "$ASSAY_REQUEST"; echo " $ASSAY_TOKEN $ASSAY_MODEL $MINE"`,
		Agent{Environ: []string{"PATH=" + os.Getenv("PATH"), "MINE=1", "ASSAY_TOKEN=left over"}, Model: Thinker{Spec: model.Spec{Raw: "openai/x", Provider: "openai", Name: "x"}, Endpoint: "https://192.168.1.5"}})
	id, err := c.Identify(t.Context())
	if err != nil || id.Details["sealed"] != "no" || id.Details["agent_version"] != "" || id.Details["agent_model"] != "openai/x" || id.Details["agent"] != "program" || len(id.Digest) != 64 {
		t.Errorf("%+v, %v", id, err)
	}
	if _, err := os.Stat(mark); !os.IsNotExist(err) {
		t.Error("asking what it is ran it")
	}
	req := ask("x")
	req.World = w
	rep, err := c.Call(t.Context(), req)
	if err != nil || rep.Answer != "Find it. the-token openai/x 1\n" {
		t.Errorf("%q, %v", rep.Answer, err)
	}
	if !c.Program() || c.Sealed() || !strings.HasSuffix(c.Name(), "/program with openai/x") {
		t.Errorf("%s, sealed %v", c.Name(), c.Sealed())
	}
	plain, err := New("cat", nil)
	if err != nil {
		t.Fatal(err)
	}
	if p := plain.(model.Program); p.Program() || p.Sealed() {
		t.Error("a program in a model's place works by itself")
	}
	if id, err := plain.(model.Identifier).Identify(t.Context()); err != nil || id.Details != nil {
		t.Errorf("%+v, %v", id, err)
	}
}
