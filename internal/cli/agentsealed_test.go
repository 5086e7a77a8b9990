package cli_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assaybench/assay/model/modeltest"
	"github.com/assaybench/assay/sandbox"
)

// probe tries to get at what an agent must not have, and prints what it got. It works on the task first, so that its episode
// is one, and what it printed is in the transcript.
const probe = `
import socket, urllib.error
call("maint.orders.get", {"order_no": "MO-31"})
got = {}
def attempt(name, f):
    try:
        got[name] = f()
    except Exception as e:
        got[name] = "no: " + type(e).__name__
def connect(host, port):
    socket.create_connection((host, port), 3).close()
    return "reached"
attempt("bench", lambda: os.listdir(@BENCH@))
attempt("contract", lambda: open(@BENCH@ + "/tasks/ferry-217/sealed/contract.yaml").read())
attempt("store", lambda: open(@DIR@ + "/.assay/assay.db", "rb").read(16).hex())
attempt("folder", lambda: os.listdir(@DIR@))
attempt("state", lambda: os.listdir(@DIR@ + "/state"))
attempt("program", lambda: open(@EXE@, "rb").read(4).hex())
attempt("keeper", lambda: open("/proc/1/exe", "rb").read(4).hex())
attempt("keeper's memory", lambda: open("/proc/1/maps").read(100))
attempt("other port", lambda: connect("127.0.0.1", @OTHER@))
attempt("name", lambda: socket.getaddrinfo("example.com", 80))
attempt("net", lambda: connect("192.0.2.1", 80))
attempt("metadata", lambda: connect("169.254.169.254", 80))
attempt("write request", lambda: open(os.environ["ASSAY_REQUEST"], "w").write("x"))
attempt("write evidence", lambda: open(os.environ["ASSAY_EVIDENCE"] + "/x", "w").write("x"))
attempt("write program", lambda: open(sys.argv[0], "r+").close())
attempt("evidence", lambda: [sorted(os.listdir(os.environ["ASSAY_EVIDENCE"])), open(os.environ["ASSAY_EVIDENCE"] + "/more/ein Bild.txt").read()])
attempt("home", lambda: [os.environ["HOME"], os.getcwd(), os.listdir(os.environ["HOME"])])
attempt("write home", lambda: open(os.environ["HOME"] + "/x", "w").write("x"))
attempt("environment", lambda: sorted(k for k in os.environ if k != "LC_CTYPE"))
attempt("model", lambda: [os.environ.get("ASSAY_MODEL"), os.environ.get("ASSAY_MODEL_PROVIDER"), os.environ.get("ASSAY_MODEL_NAME"), os.environ.get("OPENAI_API_KEY")])
def think():
    q = urllib.request.Request(os.environ["ASSAY_MODEL_URL"] + "/chat/completions", json.dumps({"model": os.environ["ASSAY_MODEL_NAME"], "stream": False,
        "messages": [{"role": "user", "content": "hello"}]}).encode(), {"Authorization": "Bearer " + os.environ["OPENAI_API_KEY"], "Content-Type": "application/json"})
    return urllib.request.urlopen(q).status
attempt("thought", think)
print(json.dumps(got))
`

// TestAgentIsSealed: a program that looks for the bench, the store, this program, other services and the net gets at nothing but its
// world, its model's server and an empty home; without a sandbox the same program gets at all of it, so that the test shows
// something.
func TestAgentIsSealed(t *testing.T) {
	sealable := canSeal(t)
	other, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	_, otherPort, err := net.SplitHostPort(other.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	look := func(t *testing.T, args ...string) (got map[string]any, r *rig, m *modeltest.Mock) {
		r = newRig(t)
		r.keys("k-of-the-model")
		r.mooring("")
		evidence := filepath.Join(r.dir, "bench", "tasks", "ferry-217", "public", "evidence")
		if err := os.MkdirAll(filepath.Join(evidence, "more"), 0o755); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"berth-log.txt", "more/ein Bild.txt"} {
			if err := os.WriteFile(filepath.Join(evidence, name), []byte("as it was"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		spec, m := r.mock(modeltest.MockOptions{Answer: "hi"})
		text := strings.NewReplacer("@BENCH@", quoted(filepath.Join(r.dir, "bench")), "@DIR@", quoted(r.dir), "@EXE@", quoted(exe), "@OTHER@", otherPort).Replace(probe)
		path := r.program(text)
		if err := os.Chmod(r.dir, 0o755); err != nil { // nothing but the sandbox is to keep it out
			t.Fatal(err)
		}
		r.runAgent(0, append([]string{"--agent", "command:" + path, "--model", spec}, args...)...)
		a := r.item("ferry-217")
		if err := json.Unmarshal([]byte(a[0].Answer), &got); err != nil {
			t.Fatalf("%q: %v", a[0].Answer, err)
		}
		return got, r, m
	}
	never := []string{"bench", "contract", "store", "folder", "state", "program", "keeper", "keeper's memory", "other port", "name", "net", "metadata", "write request", "write evidence", "write program"}
	t.Run("sealed", func(t *testing.T) {
		if !sealable {
			t.Skip("no sandbox for agents on this machine")
		}
		got, r, m := look(t, "--agent-env", "GIVEN=1")
		for _, name := range never {
			if s, ok := got[name].(string); !ok || !strings.HasPrefix(s, "no: ") {
				t.Errorf("%s: %v", name, got[name])
			}
		}
		text := func(name string) string {
			b, err := json.Marshal(got[name])
			if err != nil {
				t.Fatal(err)
			}
			return string(b)
		}
		for name, want := range map[string]string{
			"evidence": `[["berth-log.txt","more"],"as it was"]`, "home": `["/work","/work",[]]`, "write home": "1", "thought": "200",
			"model":       `["openai/mock@` + m.URL + `","openai","mock","k-of-the-model"]`,
			"environment": `["ASSAY_API_URL","ASSAY_CONSOLE_URL","ASSAY_CONTEXT","ASSAY_EVIDENCE","ASSAY_ITEM","ASSAY_MAX_OUTPUT","ASSAY_MCP_URL","ASSAY_MODEL","ASSAY_MODEL_NAME","ASSAY_MODEL_PROVIDER","ASSAY_MODEL_URL","ASSAY_POSTURE","ASSAY_REPEAT","ASSAY_REQUEST","ASSAY_TEMPERATURE","ASSAY_TOKEN","GIVEN","HOME","LC_ALL","OPENAI_API_KEY","PATH","TMPDIR","TZ"]`,
		} {
			if text(name) != want {
				t.Errorf("%s: %s, want %s", name, text(name), want)
			}
		}
		_, run := r.latest()
		if run.Plan.Sandbox != "bwrap" || len(run.Plan.Flags) != 1 || run.Plan.Flags[0] != "agent-sealed" {
			t.Errorf("the plan says sandbox %q, flags %q", run.Plan.Sandbox, run.Plan.Flags)
		}
		if n := m.Requests(); n == 0 {
			t.Error("the model's server was asked nothing")
		}
	})
	t.Run("unsealed", func(t *testing.T) {
		got, _, _ := look(t, "--agent-unsealed")
		for _, name := range []string{"bench", "contract", "store", "folder", "program", "other port"} {
			if s, ok := got[name].(string); ok && strings.HasPrefix(s, "no: ") {
				t.Errorf("%s: %v: the sealed test shows nothing", name, got[name])
			}
		}
	})
}

// quoted is a text as Python writes it.
func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// TestAgentSeesWhatItIsShown: a folder is shown, and the bench and the store are hidden where it holds them.
func TestAgentSeesWhatItIsShown(t *testing.T) {
	if !canSeal(t) {
		t.Skip("no sandbox for agents on this machine")
	}
	r := newRig(t)
	r.mooring("")
	if err := os.Mkdir(filepath.Join(r.dir, "lib"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(r.dir, "lib", "helper.txt"), []byte("a part of it"), 0o644); err != nil {
		t.Fatal(err)
	}
	path := r.program(`
call("maint.orders.get", {"order_no": "MO-31"})
d = @DIR@
print(json.dumps([open(d + "/lib/helper.txt").read(), os.listdir(d + "/bench"), os.path.exists(d + "/.assay/assay.db"), sys.argv[0] == d + "/agent.py"]))
`)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.ReplaceAll(string(b), "@DIR@", quoted(r.dir))), 0o755); err != nil {
		t.Fatal(err)
	}
	for p := r.dir; p != os.TempDir() && p != "/"; p = filepath.Dir(p) { // a sealed program is not root
		if err := os.Chmod(p, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	r.runAgent(0, "--agent", "command/"+path, "--agent-see", r.dir)
	if got := r.item("ferry-217")[0].Answer; strings.TrimSpace(got) != `["a part of it", [], false, true]` {
		t.Errorf("it saw %s", got)
	}
	got := r.want(3, "run", "./bench", "--unproven", "--new", "--agent", "command/"+path, "--agent-see", filepath.Join(r.dir, "bench", "world"))
	if !strings.Contains(got.err, "which an agent must not see") {
		t.Errorf("a part of the bench is shown: %s", got.err)
	}
}

// TestAgentIdentity: the run's record says which program worked, by its name, its bytes, its version and its model.
func TestAgentIdentity(t *testing.T) {
	sealable := canSeal(t)
	r := newRig(t)
	r.keys("k")
	r.mooring("")
	path := r.program("")
	text := "#!/usr/bin/python3\nimport sys\nif sys.argv[1:] == ['--version']:\n    print('worker 4.2.1')\n    sys.exit(0)\nopen('/tmp/was-here', 'w')\n"
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	whole := []byte(text + strings.TrimPrefix(string(b), "#!/usr/bin/python3\n") + "call('maint.orders.get', {'order_no': 'MO-31'})\n")
	if err := os.WriteFile(path, whole, 0o755); err != nil {
		t.Fatal(err)
	}
	spec, _ := r.mock(modeltest.MockOptions{Answer: "hi"})
	res, _ := r.runAgent(0, "--agent", "command/"+path, "--model", spec)
	sum := sha256.Sum256(whole)
	id := res.Servers[0].Start
	if id == nil || id.Digest != hex.EncodeToString(sum[:]) || id.Details["agent"] != "agent.py" || id.Details["agent_model"] != spec {
		t.Fatalf("the identity is %+v", id)
	}
	if want := map[bool]string{true: "worker 4.2.1"}[sealable]; id.Details["agent_version"] != want {
		t.Errorf("the version is %q, want %q", id.Details["agent_version"], want)
	}
	if res.Figures[0].Model != "command/"+path+" with "+spec {
		t.Errorf("the model is %q", res.Figures[0].Model)
	}
	// Another program under the same name does not go on with the run.
	if err := os.WriteFile(path, append(whole, "# changed\n"...), 0o755); err != nil {
		t.Fatal(err)
	}
	if res2, _ := r.runAgent(0, "--agent", "command/"+path, "--model", spec, "--new"); res2.Run == res.Run || res2.Servers[0].Start.Digest == id.Digest {
		t.Error("the changed program is taken for the old one")
	}
}

// TestAgentWithoutASandbox: where there is none, the run says why, marks itself and is never ranked; nobody has to choose.
func TestAgentWithoutASandbox(t *testing.T) {
	r := newRig(t)
	r.mooring("")
	r.sealing = func(context.Context) (*sandbox.Box, error) {
		return nil, &sandbox.Unavailable{Reasons: []string{"bwrap: not installed"}, Install: "install bubblewrap"}
	}
	path := r.program("for c in REFERENCE:\n    call(c['tool'], c['args'])\n")
	res, got := r.runAgent(0, "--agent", "command/"+path)
	if !strings.Contains(got.err, "works unsealed, and its episodes are never ranked: no sandbox: bwrap: not installed; install bubblewrap") || !noted(res, "never ranked") || !res.Figures[0].Unsealed {
		t.Errorf("%s\n%q", got.err, res.Notes)
	}
	if l := letters(res, "ferry-217"); l != "." {
		t.Errorf("letters %q", l)
	}
}

// TestAgentFlags: what is no agent, or none for a bench, is refused in one line that says what to write.
func TestAgentFlags(t *testing.T) {
	r := newRig(t)
	r.mooring("")
	path := r.program("")
	b := newRig(t)
	b.write(benchOf{})
	for _, c := range []struct {
		r    *rig
		args []string
		want string
	}{
		{r, []string{"--agent", "mine"}, "write builtin, or command/PATH"},
		{r, []string{"--agent", "command/"}, "write builtin, or command/PATH"},
		{r, []string{"--agent", ""}, "--agent is empty"},
		{r, []string{"--agent", "command/" + path + "-not"}, "no such file"},
		{r, []string{"--agent", "builtin"}, "no model is named"},
		{r, []string{"--model", "command/" + path}, "let it work by itself: --agent command/" + path},
		{r, []string{"--agent", "builtin", "--model", "control/reference", "--agent-unsealed"}, "are of a program"},
		{r, []string{"--agent", "command/" + path, "--model", "control/reference"}, "thinks with a model of a server"},
		{r, []string{"--agent", "command/" + path, "--model", "openai/x"}, "OPENAI_API_KEY is not set"},
		{r, []string{"--agent", "command/" + path, "--agent-unsealed", "--agent-see", r.dir}, "of a sealed program"},
		{r, []string{"--agent", "command/" + path, "--agent-env", "NOT_SET_HERE"}, "NOT_SET_HERE: it is not set here"},
		{r, []string{"--agent", "command/" + path, "--agent-env", "ASSAY_TOKEN=x"}, "a name of this program's own"},
		{r, []string{"--agent", "command/" + path, "--agent-see", "./nowhere"}, "--agent-see ./nowhere is no folder"},
		{b, []string{"--agent", "command/" + path}, "is no bench of agent tasks; there a program takes a model's place"},
		{b, []string{"--agent", "builtin", "--model", "control/empty"}, "is no bench of agent tasks; leave it off"},
	} {
		got := c.r.want(2, append([]string{"run", "./bench", "--unproven"}, c.args...)...)
		if !strings.Contains(got.err, c.want) || strings.Count(got.err, "\n") != 1 {
			t.Errorf("%q: %s, want %q in one line", c.args, got.err, c.want)
		}
	}
	if got := r.want(0, "run", "./bench", "--unproven", "--agent", "builtin", "--model", "control/reference"); got.code != 0 {
		t.Error(got.err)
	}
}
