//go:build unix

package cli_test

import (
	"bytes"
	"context"
	"io"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// stdioServer is assay world serve --stdio, as a client starts it.
func stdioServer(t *testing.T, r *rig, episode string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	cmd := command(t, r.dir, "world", "serve", mooring(t)+"/ferry-217", "--db", "eps", "--stdio", "--episode", episode)
	errs := new(bytes.Buffer)
	cmd.Stderr = errs
	return cmd, errs
}

// TestWorldOutlivesTheHandshake: a client that bounds its handshake in time does not bound the server's life by that: the process
// and its session go on after the deadline, and end, once, when the client closes.
func TestWorldOutlivesTheHandshake(t *testing.T) {
	r := newRig(t)
	cmd, errs := stdioServer(t, r, "long")
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	c, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(ctx, &mcp.CommandTransport{Command: cmd}, nil)
	cancel()
	if err != nil {
		t.Fatalf("%v\n%s", err, errs)
	}
	time.Sleep(100 * time.Millisecond)
	for i := range 3 {
		res, err := c.CallTool(context.Background(), &mcp.CallToolParams{Name: "assay.context", Arguments: map[string]any{}})
		if err != nil || res.IsError {
			t.Fatalf("call %d after the handshake's context: %v, %+v\n%s", i, err, res, errs)
		}
	}
	start := time.Now()
	if err := c.Close(); err != nil {
		t.Errorf("%v\n%s", err, errs)
	}
	if d := time.Since(start); d > 4*time.Second || cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != 0 {
		t.Errorf("the server ended after %v as %v; the end of its input is to be enough\n%s", d, cmd.ProcessState, errs)
	}
}

// TestWorldEndsWithItsClient: the end of the input ends the server, and so does SIGTERM while the input is open; neither leaves a
// process behind, and the episode can be opened again.
func TestWorldEndsWithItsClient(t *testing.T) {
	for _, how := range []string{"input", "signal"} {
		r := newRig(t)
		cmd, errs := stdioServer(t, r, how)
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(in, `{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n"); err != nil {
			t.Fatal(err)
		}
		b := make([]byte, 1)
		if _, err := out.Read(b); err != nil { // it answers: it is up
			t.Fatalf("%v\n%s", err, errs)
		}
		switch how {
		case "input":
			in.Close()
		case "signal":
			if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
		}
		ended := make(chan error, 1)
		go func() {
			_, _ = io.Copy(io.Discard, out)
			ended <- cmd.Wait()
		}()
		select {
		case err := <-ended:
			// A read of a standard input that stays open cannot be broken off; the test's own process takes that for a leak (97).
			if how == "input" && err != nil || !strings.Contains(errs.String(), "the episode is in ") {
				t.Errorf("%s: %v\n%s", how, err, errs)
			}
		case <-time.After(30 * time.Second):
			cmd.Process.Kill()
			t.Fatalf("%s: the server lives on\n%s", how, errs)
		}
		if cmd.ProcessState == nil || syscall.Kill(cmd.Process.Pid, 0) == nil {
			t.Errorf("%s: a process is left", how)
		}
		if got := r.want(0, "world", "events", mooring(t)+"/ferry-217", "--db", "eps", "--episode", how); strings.Count(got.out, "\n") != 0 {
			t.Errorf("%s: %s", how, got.out)
		}
	}
}
