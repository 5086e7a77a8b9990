//go:build linux && amd64

package cli_test

import (
	"archive/tar"
	"archive/zip"
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
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/assaybench/assay/contract/harbor"
)

// built is the program as it is shipped: built by the Go command, static. It is built once.
var built = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "assay-built-")
	if err != nil {
		return "", err
	}
	c := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -buildid=", "-o", filepath.Join(dir, "assay"), "../../cmd/assay")
	c.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=")
	if out, err := c.CombinedOutput(); err != nil {
		return "", errors.New(string(out))
	}
	return filepath.Join(dir, "assay"), nil
})

// shipped runs the built program in a folder of its own, with nothing of the environment but that.
type shipped struct {
	testing.TB
	bin, dir string
}

func newShipped(t testing.TB) *shipped {
	t.Helper()
	if testing.Short() {
		t.Skip("the program is built")
	}
	bin, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return &shipped{t, bin, t.TempDir()}
}

func (s *shipped) command(args ...string) *exec.Cmd {
	c := exec.Command(s.bin, args...)
	c.Dir, c.Env = s.dir, []string{"HOME=" + s.dir, "ASSAY_STATE=" + filepath.Join(s.dir, "state")}
	return c
}

func (s *shipped) want(code int, args ...string) ran {
	s.Helper()
	c := s.command(args...)
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	err := c.Run()
	if c.ProcessState == nil || c.ProcessState.ExitCode() != code {
		s.Fatalf("assay %s: %v, want exit %d\n%s%s", strings.Join(args, " "), err, code, errs.String(), out.String())
	}
	return ran{code, out.String(), errs.String()}
}

// tree reads a folder: path to mode and bytes.
func (s *shipped) tree(dir string) map[string]string {
	s.Helper()
	m := map[string]string{}
	root := filepath.Join(s.dir, dir)
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, p)
		m[rel] = info.Mode().String() + "\x00" + string(b)
		return err
	})
	if err != nil {
		s.Fatal(err)
	}
	return m
}

func (s *shipped) same(a, b string) {
	s.Helper()
	x, y := s.tree(a), s.tree(b)
	for n := range x {
		if x[n] != y[n] {
			s.Errorf("%s/%s and %s/%s are not the same", a, n, b, n)
		}
	}
	if len(x) != len(y) || len(x) == 0 {
		s.Errorf("%s has %d files, %s has %d", a, len(x), b, len(y))
	}
}

func exampleBench(t testing.TB) string {
	t.Helper()
	dir, err := filepath.Abs("../../examples/mooring")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

var contentLine = regexp.MustCompile(`(?m)content (?:digest )? ?(sha256:[0-9a-f]{64})`)

func TestHarborRoundTrip(t *testing.T) {
	s := newShipped(t)
	base := "debian@sha256:" + strings.Repeat("a", 64)
	one := s.want(0, "export", exampleBench(t), "harbor", "-o", "one", "--base", base, "--prove")
	s.want(0, "export", exampleBench(t), "harbor", "-o", "two", "--base", base, "--prove")
	s.same("one", "two") // the receipts among them
	if !strings.Contains(one.out, "mooring/ferry-217: proven by process: solution 1, no-op 0; private part ") || strings.Contains(one.err, "incomplete") {
		t.Errorf("%s%s", one.out, one.err)
	}
	b, err := os.ReadFile(filepath.Join(s.dir, "one/receipts/mooring/ferry-217.json"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := harbor.ReadReceipt(b)
	if err != nil || r.Proven() != nil {
		t.Fatal(err, r)
	}
	files, err := harbor.ReadFolder(os.DirFS(filepath.Join(s.dir, "one/mooring/ferry-217")))
	if err != nil || r.Of("mooring/ferry-217", files) != nil {
		t.Errorf("%v: the receipt is not of the package: %v", err, r.Of("mooring/ferry-217", files))
	}

	digest := contentLine.FindStringSubmatch(one.out)
	imported := s.want(0, "import", "harbor", "one/mooring/ferry-217", "-o", "in")
	if got := contentLine.FindStringSubmatch(imported.out); len(got) != 2 || len(digest) != 2 || got[1] != digest[1] || got[1] != r.Content {
		t.Errorf("exported with %q, imported with %q, proven with %s", digest, got, r.Content)
	}
	back := s.want(0, "export", "in", "harbor", "-o", "back")
	if got := contentLine.FindStringSubmatch(back.out); len(got) != 2 || got[1] != r.Content {
		t.Errorf("given back with %q", got)
	}
	s.same("one/mooring/ferry-217", "back")

	s.want(0, "import", "harbor", s.archive("one/mooring/ferry-217", ".tar"), "-o", "in2")
	s.same("in", "in2")
	if got := s.want(2, "export", exampleBench(t), "harbor", "-o", "one"); !strings.Contains(got.err, "the folder is not empty") {
		t.Errorf("%q", got.err)
	}
	if got := s.want(2, "export", exampleBench(t), "harbor", "-o", "no", "--no-binary", "--prove"); strings.Count(got.err, "\n") != 1 {
		t.Errorf("%q", got.err)
	}
}

// archive packs a folder.
func (s *shipped) archive(dir, ext string) string {
	s.Helper()
	name := filepath.Join(s.dir, "packed"+ext)
	f, err := os.Create(name)
	if err != nil {
		s.Fatal(err)
	}
	defer f.Close()
	w := tar.NewWriter(f)
	if err := w.AddFS(os.DirFS(filepath.Join(s.dir, dir))); err != nil {
		s.Fatal(err)
	}
	if err := w.Close(); err != nil {
		s.Fatal(err)
	}
	return name
}

// Each hostile package is refused in one line, and leaves nothing.
func TestHarborRefusesHostilePackages(t *testing.T) {
	s := newShipped(t)
	const task = "schema_version = \"1.4\"\n[task]\nname = \"a/b\"\n"
	zipped := func(entries ...[2]string) string {
		name := filepath.Join(s.TempDir(), "p.zip")
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		for _, e := range append([][2]string{{"task.toml", task}, {"instruction.md", "Do it."}}, entries...) {
			h := &zip.FileHeader{Name: e[0]}
			h.SetMode(0o644)
			if strings.HasPrefix(e[1], "link:") {
				h.SetMode(0o777 | fs.ModeSymlink)
			}
			x, err := w.CreateHeader(h)
			if err != nil {
				t.Fatal(err)
			}
			x.Write([]byte(e[1]))
		}
		w.Close()
		if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return name
	}
	folder := func(edit func(dir string)) string {
		dir := t.TempDir()
		os.WriteFile(filepath.Join(dir, "task.toml"), []byte(task), 0o644)
		os.WriteFile(filepath.Join(dir, "instruction.md"), []byte("Do it."), 0o644)
		edit(dir)
		return dir
	}
	for says, name := range map[string]string{
		"could leave its folder": zipped([2]string{"../evil", "x"}),
		"is absolute":            zipped([2]string{"/etc/passwd", "x"}),
		"holds a backslash":      zipped([2]string{`tests\x`, "x"}),
		"a control character":    zipped([2]string{"tests/\x1b[31m", "x"}),
		"is a link":              zipped([2]string{"tests/l", "link:/etc/passwd"}),
		"differ in case":         zipped([2]string{"Task.toml", "x"}),
		"this file twice":        zipped([2]string{"task.toml", task}),
		"an archive (gzip)":      zipped([2]string{"tests/a.gz", "\x1f\x8b\x08"}),
		"not known; known: 1.0":  folder(func(d string) { os.WriteFile(filepath.Join(d, "task.toml"), []byte("schema_version = \"7\"\n"), 0o644) }),
		"no instruction.md":      folder(func(d string) { os.Remove(filepath.Join(d, "instruction.md")) }),
		"no task.toml":           folder(func(d string) { os.Remove(filepath.Join(d, "task.toml")) }),
		"a link; a package":      folder(func(d string) { os.Symlink("/etc/passwd", filepath.Join(d, "l")) }),
		"neither a file nor":     folder(func(d string) { syscall.Mkfifo(filepath.Join(d, "pipe"), 0o644) }),
		"a digest is declared": folder(func(d string) {
			os.WriteFile(filepath.Join(d, "SHA256SUMS"), []byte(strings.Repeat("0", 64)+"  gone\n"), 0o644)
		}),
		"not that of the file": folder(func(d string) {
			os.WriteFile(filepath.Join(d, "SHA256SUMS"), []byte(strings.Repeat("0", 64)+"  task.toml\n"), 0o644)
		}),
		"larger than": folder(func(d string) {
			os.WriteFile(filepath.Join(d, "big"), nil, 0o644)
			os.Truncate(filepath.Join(d, "big"), 65<<20)
		}),
		"neither a folder nor":    folder(func(string) {}) + "/instruction.md",
		"no such file":            filepath.Join(s.dir, "nothing"),
		"task.toml: toml: line 1": folder(func(d string) { os.WriteFile(filepath.Join(d, "task.toml"), []byte("a = = 1\n"), 0o644) }),
	} {
		got := s.want(2, "import", "harbor", name, "-o", "in")
		if !strings.Contains(got.err, says) || strings.Count(got.err, "\n") != 1 || strings.ContainsRune(got.err, '\x1b') || got.out != "" {
			t.Errorf("%s: %q %q", says, got.err, got.out)
		}
		if _, err := os.Stat(filepath.Join(s.dir, "in")); !errors.Is(err, fs.ErrNotExist) {
			t.Fatalf("%s: something was written", says)
		}
	}
}

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
	if err := json.Unmarshal([]byte(k.log("details.json")), &d); err != nil || d.Gated != "100" || d.Process != "100" || len(d.Criteria) != 22 || d.Strict != 1 || d.Engine != "contract/1" {
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

// A bench whose reference is not rewarded exports, and is not proven.
func TestHarborNotProven(t *testing.T) {
	s := newShipped(t)
	if err := os.CopyFS(filepath.Join(s.dir, "mooring"), os.DirFS(exampleBench(t))); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(s.dir, "mooring/tasks/ferry-217/sealed/reference.jsonl")
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(b), "\n")
	if err := os.WriteFile(name, []byte(strings.Join(lines[:len(lines)-2], "")), 0o644); err != nil { // no answer
		t.Fatal(err)
	}
	got := s.want(1, "export", "./mooring", "harbor", "-o", "out", "--prove")
	if !strings.Contains(got.out, "mooring/ferry-217: NOT PROVEN by process: oracle: the package's own solution is not rewarded; receipt receipts/mooring/ferry-217.json\n") {
		t.Errorf("%s%s", got.out, got.err)
	}
	if b, err = os.ReadFile(filepath.Join(s.dir, "out/receipts/mooring/ferry-217.json")); err != nil {
		t.Fatal(err)
	}
	if r, err := harbor.ReadReceipt(b); err != nil || r.Proven() == nil || r.Oracle.Reward != 0 || r.Oracle.Failed == 0 || r.Oracle.Verdict == r.Noop.Verdict {
		t.Errorf("%v %+v", err, r)
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
