//go:build linux && amd64

package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/assaybench/assay/contract"
	"github.com/assaybench/assay/contract/harbor"
)

// packaged is a package's world, served from its own part by its own program.
type packaged struct {
	*shipped
	pkg, run string // the package's folder and that of the run, absolute
	cmd      *exec.Cmd
	at       struct{ API, MCP, Token, Console string }
}

func newPackaged(t testing.TB) *packaged {
	t.Helper()
	s := newShipped(t)
	s.want(0, "export", exampleBench(t), "harbor", "-o", "out")
	run, err := os.MkdirTemp("", "assay-run-") // a socket's path is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(run) })
	k := &packaged{shipped: s, pkg: filepath.Join(s.dir, "out/mooring/ferry-217"), run: run}
	k.bin = filepath.Join(k.pkg, "environment/assay")
	k.serve()
	return k
}

func (k *packaged) private() string { return filepath.Join(k.run, "private") }
func (k *packaged) handoff() string { return filepath.Join(k.run, "world.json") }
func (k *packaged) logs() string    { return filepath.Join(k.run, "logs") }

func (k *packaged) serve() {
	k.Helper()
	os.Remove(k.handoff())
	k.cmd = k.command("harbor", "serve", filepath.Join(k.pkg, "environment/world/bench"), "ferry-217", "--addr", "127.0.0.1:0", "--private", k.private(), "--handoff", k.handoff())
	var errs safeBuffer
	k.cmd.Stderr = &errs
	if err := k.cmd.Start(); err != nil {
		k.Fatal(err)
	}
	cmd := k.cmd
	k.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	for range 2000 {
		if b, err := os.ReadFile(k.handoff()); err == nil {
			if err := json.Unmarshal(b, &k.at); err != nil {
				k.Fatal(err)
			}
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	k.Fatalf("the world is not ready: %s", errs.String())
}

// script runs one of the package's scripts with the program alone on its path.
func (k *packaged) script(name string, args ...string) (code int, out string) {
	k.Helper()
	c := exec.Command("/bin/sh", append([]string{filepath.Join(k.pkg, name)}, args...)...)
	c.Dir = k.run
	c.Env = []string{"PATH=/nothing", "ASSAY_PROGRAM=" + k.bin, "ASSAY_HANDOFF=" + k.handoff(), "ASSAY_PRIVATE=" + k.private(), "ASSAY_TESTS=" + filepath.Join(k.pkg, "tests"), "VERIFIER_LOG_DIR=" + k.logs()}
	b, err := c.CombinedOutput()
	if c.ProcessState == nil {
		k.Fatal(err)
	}
	return c.ProcessState.ExitCode(), string(b)
}

func (k *packaged) log(name string) string {
	b, err := os.ReadFile(filepath.Join(k.logs(), name))
	if err != nil {
		return "none"
	}
	return string(b)
}

func TestHarborPackageRuns(t *testing.T) {
	k := newPackaged(t)
	if code, out := k.script("environment/tool", "stores.lots.list", "{}"); code != 2 || !strings.Contains(out, "part") {
		t.Errorf("a wrong call: %d %s", code, out)
	}
	if code, out := k.script("solution/solve.sh"); code != 0 || !strings.Contains(out, "13 calls were made; 0 were refused") {
		t.Fatalf("%d %s", code, out)
	}
	// What an agent may have left where the reward goes: an open folder, a reward, a link to elsewhere.
	if err := os.Mkdir(k.logs(), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Chmod(k.logs(), 0o777), os.Symlink("../elsewhere", filepath.Join(k.logs(), "reward.txt")), os.WriteFile(filepath.Join(k.logs(), "reward.json"), []byte(`{"reward":7}`), 0o644)); err != nil {
		t.Fatal(err)
	}
	if code, out := k.script("tests/test.sh"); code != 0 {
		t.Fatalf("%d %s", code, out)
	}
	if info, err := os.Lstat(filepath.Join(k.logs(), "reward.txt")); err != nil || !info.Mode().IsRegular() {
		t.Errorf("the reward is written through a link: %v", err)
	}
	if info, err := os.Stat(k.logs()); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("the folder of the reward stays open: %v", info.Mode())
	}
	if k.log("reward.txt") != "1\n" || k.log("reward.json") != "{\"reward\":1}\n" || k.log("error.json") != "none" {
		t.Errorf("%q %q %q", k.log("reward.txt"), k.log("reward.json"), k.log("error.json"))
	}
	var d harbor.Details
	if err := json.Unmarshal([]byte(k.log("details.json")), &d); err != nil || d.Gated != "100" || d.Process != "100" || len(d.Criteria) != 22 || d.Strict != 1 || d.Engine != contract.Version {
		t.Errorf("%v %+v", err, d)
	}
	// From the files that the verifier left, the bench's own grading comes to the same verdict.
	again := k.want(0, "grade", filepath.Join(k.pkg, "tests/bench")+"/", "--episode", filepath.Join(k.logs(), "episode"), "--json")
	var x, y map[string]any
	if json.Unmarshal([]byte(again.out), &x) != nil || json.Unmarshal([]byte(k.log("verdict.json")), &y) != nil || x["trace_digest"] != y["trace_digest"] || x["final_state_digest"] != y["final_state_digest"] || x["strict"] != true {
		t.Errorf("%s\n%s", again.out, k.log("verdict.json"))
	}
	// The agent's part is over: nothing that it left running changes what is judged.
	if resp, err := http.Get(k.at.Console); err == nil {
		resp.Body.Close()
		t.Errorf("the world still answers an agent: %s", resp.Status)
	}
	verdict := k.log("verdict.json")
	if code, out := k.script("tests/test.sh"); code != 0 || k.log("verdict.json") != verdict {
		t.Errorf("judged again: %d %s\n%s\n%s", code, out, verdict, k.log("verdict.json"))
	}
	if err := k.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := k.cmd.Wait(); err != nil {
		t.Errorf("the world ended with %v", err)
	}
	// Without a world there is no reward, and not the earlier one either.
	if code, out := k.script("tests/test.sh"); code != 3 || k.log("reward.txt") != "none" || k.log("reward.json") != "none" || !strings.Contains(k.log("error.json"), "the world does not answer its verifier") {
		t.Errorf("%d %s: %s, %s", code, out, k.log("reward.json"), k.log("error.json"))
	}
}

// What the documentation says is done by hand.
func TestHarborDocsByHand(t *testing.T) {
	s := newShipped(t)
	s.want(0, "export", exampleBench(t), "harbor", "-o", "out")
	doc, err := os.ReadFile("../../docs/harbor.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(doc), "\nBy hand, in a package's folder")
	_, rest, ok2 := strings.Cut(rest, "```sh\n")
	script, _, ok3 := strings.Cut(rest, "```")
	if !ok || !ok2 || !ok3 {
		t.Fatal("the documentation has no such part any more")
	}
	c := exec.Command("/bin/sh", "-ec", script+"wait\n")
	c.WaitDelay = 20 * time.Second
	c.Dir, c.Env = filepath.Join(s.dir, "out/mooring/ferry-217"), []string{"TASK=ferry-217", "PATH=" + os.Getenv("PATH"), "HOME=" + s.dir}
	if out, err := c.CombinedOutput(); err != nil || !strings.Contains(string(out), "\n1\n") {
		t.Errorf("%v\n%s", err, out)
	}
}

// The MCP server that task.toml declares, spoken to by an agent's own client over standard input and output.
func TestHarborPackageSpeaksMCP(t *testing.T) {
	k := newPackaged(t)
	cs, err := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "1"}, nil).Connect(t.Context(), &mcp.CommandTransport{Command: k.command("harbor", "mcp", k.handoff())}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer cs.Close()
	tools, err := cs.ListTools(t.Context(), nil)
	if err != nil || len(tools.Tools) < 8 {
		t.Fatalf("%v %v", tools, err)
	}
	r, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "maint.orders.search", Arguments: map[string]any{"query": "217"}})
	if err != nil || r.IsError {
		t.Fatalf("%v %v", r, err)
	}
	if b, err := json.Marshal(r.StructuredContent); err != nil || !strings.Contains(string(b), "MO-31") {
		t.Errorf("%s %v", b, err)
	}
	if r, err = cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "maint.orders.get", Arguments: map[string]any{"order_no": "MO-0"}}); err != nil || !r.IsError {
		t.Errorf("an order that does not exist: %v %v", r, err)
	}
}

// ask asks over the socket of the private channel.
func (k *packaged) ask(method, path, token string) int {
	k.Helper()
	c := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", filepath.Join(k.private(), "verifier.sock"))
	}}}
	r, err := http.NewRequest(method, "http://world"+path, nil)
	if err != nil {
		k.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	resp, err := c.Do(r)
	if err != nil {
		k.Fatal(err)
	}
	resp.Body.Close()
	return resp.StatusCode
}

func TestHarborPrivateChannel(t *testing.T) {
	k := newPackaged(t)
	token := func() string {
		b, err := os.ReadFile(filepath.Join(k.private(), "token"))
		if err != nil || len(bytes.TrimSpace(b)) != 43 {
			t.Fatalf("%q %v", b, err)
		}
		return string(bytes.TrimSpace(b))
	}
	first := token()
	if first == k.at.Token {
		t.Error("the agent has the verifier's token")
	}
	for name, want := range map[string]fs.FileMode{"": 0o700 | fs.ModeDir, "token": 0o600, "verifier.sock": 0o600 | fs.ModeSocket, "episodes": 0o700 | fs.ModeDir} {
		if info, err := os.Stat(filepath.Join(k.private(), name)); err != nil || info.Mode() != want {
			t.Errorf("private/%s has the mode %v, want %v: %v", name, info.Mode(), want, err)
		}
	}
	for _, wrong := range []string{"", "x", k.at.Token, first[:42], first + "x"} {
		if got := k.ask("POST", "/end", wrong); got != http.StatusUnauthorized {
			t.Errorf("the token %q: status %d", wrong, got)
		}
	}
	if got := k.ask("GET", "/health", first); got != http.StatusOK {
		t.Errorf("health: %d", got)
	}
	if got := k.ask("GET", "/end", first); got != http.StatusNotFound {
		t.Errorf("another method: %d", got)
	}
	k.want(0, "harbor", "health", k.private())
	// No surface of the agent's shows it, and the verifier's token opens none of them.
	for _, path := range []string{"", "health", "api/v1/tools", "api/v1/openapi.json", "api/v1/events", "evidence/", "end", "private/token"} {
		for _, bearer := range []string{k.at.Token, first} {
			r, err := http.NewRequest("GET", k.at.Console+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Authorization", "Bearer "+bearer)
			resp, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			b.ReadFrom(resp.Body)
			resp.Body.Close()
			if bytes.Contains(b.Bytes(), []byte(first)) {
				t.Errorf("/%s shows the verifier's token", path)
			}
			if bearer == first && resp.StatusCode == http.StatusOK && path != "health" && path != "" {
				t.Errorf("/%s opens to the verifier's token", path)
			}
		}
	}
	if b, err := os.ReadFile(k.handoff()); err != nil || bytes.Contains(b, []byte(first)) || bytes.Contains(b, []byte("private")) {
		t.Errorf("the agent is handed %s", b)
	}
	// A world that is killed goes on with what it had; another episode has another token.
	if code, out := k.script("environment/tool", "maint.orders.search", `{"query":"217"}`); code != 0 {
		t.Fatal(code, out)
	}
	agents := k.at.Token
	k.cmd.Process.Kill()
	k.cmd.Wait()
	k.serve()
	if token() != first || k.at.Token != agents {
		t.Error("a world that goes on has other tokens")
	}
	if code, out := k.script("tests/test.sh"); code != 0 || k.log("reward.txt") != "0\n" {
		t.Errorf("%d %s %q", code, out, k.log("reward.txt"))
	}
	if b, err := os.ReadFile(filepath.Join(k.logs(), "episode/events.jsonl")); err != nil || bytes.Count(b, []byte("\n")) != 1 {
		t.Errorf("what was done before the kill: %s %v", b, err)
	}
	k.cmd.Process.Kill()
	k.cmd.Wait()
	if err := os.RemoveAll(k.private()); err != nil {
		t.Fatal(err)
	}
	k.serve()
	if token() == first || k.at.Token == agents {
		t.Error("another episode has the same token")
	}
	for n, f := range k.tree("out") {
		if strings.Contains(f, first) || strings.Contains(f, token()) {
			t.Errorf("a token stands in %s", n)
		}
	}
}
