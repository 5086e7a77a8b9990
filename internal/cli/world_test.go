//go:build unix

package cli_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/assaybench/assay/world"
	"github.com/assaybench/assay/world/surface"
)

// mooring is the example bench, by its absolute path.
func mooring(t testing.TB) string {
	t.Helper()
	dir, err := filepath.Abs("../../examples/mooring")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// worldStep is one line of a trace.
type worldStep struct {
	Tool string
	Args json.RawMessage
}

func mooringReference(t testing.TB) (out []worldStep) {
	t.Helper()
	b, err := os.ReadFile(mooring(t) + "/tasks/ferry-217/sealed/reference.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		var s worldStep
		if err := json.Unmarshal([]byte(line), &s); err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	return out
}

// served is assay world serve in a process of its own.
type served struct {
	testing.TB
	surface.Addresses
	cmd  *exec.Cmd
	errs *bytes.Buffer
}

func startWorld(t *testing.T, dir string, args ...string) *served {
	t.Helper()
	s := &served{TB: t, cmd: command(t, dir, append([]string{"world", "serve", mooring(t) + "/ferry-217", "--db", "eps"}, args...)...), errs: new(bytes.Buffer)}
	s.cmd.Stderr = s.errs
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if s.cmd.ProcessState == nil {
			s.cmd.Process.Kill()
			s.cmd.Wait()
		}
	})
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err != nil {
		s.cmd.Wait()
		t.Fatalf("no line: %v\n%s", err, s.errs)
	}
	if err := json.Unmarshal(line, &s.Addresses); err != nil {
		t.Fatalf("%v: %s", err, line)
	}
	return s
}

// stop interrupts the server, which must end well and say where the episode is.
func (s *served) stop() {
	s.Helper()
	s.cmd.Process.Signal(os.Interrupt)
	if err := s.cmd.Wait(); err != nil {
		s.Fatalf("%v\n%s", err, s.errs)
	}
	if want := filepath.Join("eps", s.Episode) + ", with "; !strings.Contains(s.errs.String(), want) {
		s.Errorf("the end says %q, and not %q", s.errs, want)
	}
}

func (s *served) kill() {
	s.Helper()
	s.cmd.Process.Signal(syscall.SIGKILL)
	s.cmd.Wait()
}

func (s *served) env(r *rig) { r.env["ASSAY_URL"], r.env["ASSAY_TOKEN"] = s.API, s.Token }

// rest makes a call by the interface.
func (s *served) rest(st worldStep) {
	s.Helper()
	r, err := http.NewRequest("POST", s.API+"/tools/"+st.Tool, bytes.NewReader(st.Args))
	if err != nil {
		s.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+s.Token)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		s.Fatal(err)
	}
	defer resp.Body.Close()
	if b, _ := io.ReadAll(resp.Body); resp.StatusCode != 200 {
		s.Fatalf("%s: %d %s", st.Tool, resp.StatusCode, b)
	}
}

// console makes a call by a page, as a browser would: the token once, then the cookie, and the form's own value.
func (s *served) console(st worldStep) {
	s.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		s.Fatal(err)
	}
	c := &http.Client{Jar: jar}
	page := s.Console + "app/" + strings.ReplaceAll(st.Tool, ".", "/")
	var args map[string]any
	dec := json.NewDecoder(bytes.NewReader(st.Args))
	dec.UseNumber()
	if err := dec.Decode(&args); err != nil {
		s.Fatal(err)
	}
	form := url.Values{}
	for k, v := range args {
		list, ok := v.([]any)
		if !ok {
			list = []any{v}
		}
		var lines []string
		for _, e := range list {
			lines = append(lines, fmt.Sprint(e))
		}
		form.Set(k, strings.Join(lines, "\r\n"))
	}
	get := func(query string) string {
		resp, err := c.Get(page + query)
		if err != nil {
			s.Fatal(err)
		}
		defer resp.Body.Close()
		b, _ := io.ReadAll(resp.Body)
		if resp.StatusCode != 200 {
			s.Fatalf("%s: %d %s", st.Tool, resp.StatusCode, b)
		}
		return string(b)
	}
	write := strings.HasSuffix(st.Tool, ".create") || st.Tool == "assay.submit_answer"
	if !write {
		form.Set("token", s.Token)
		get("?" + form.Encode())
		return
	}
	_, rest, _ := strings.Cut(get("?token="+s.Token), `name="assay:form" value="`)
	value, _, _ := strings.Cut(rest, `"`)
	form.Set("assay:form", value)
	resp, err := c.PostForm(page, form)
	if err != nil {
		s.Fatal(err)
	}
	defer resp.Body.Close()
	if b, _ := io.ReadAll(resp.Body); resp.StatusCode != 200 {
		s.Fatalf("%s: %d %s", st.Tool, resp.StatusCode, b)
	}
}

// withToken sends the token with every request.
type withToken string

func (t withToken) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(t))
	return http.DefaultTransport.RoundTrip(r)
}

func (s *served) client(path string) *mcp.ClientSession {
	s.Helper()
	c, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(context.Background(),
		&mcp.StreamableClientTransport{Endpoint: path, HTTPClient: &http.Client{Transport: withToken(s.Token)}}, nil)
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() { c.Close() })
	return c
}

func callMCP(t testing.TB, c *mcp.ClientSession, st worldStep) {
	t.Helper()
	r, err := c.CallTool(context.Background(), &mcp.CallToolParams{Name: st.Tool, Arguments: st.Args})
	if err != nil || r.IsError {
		t.Fatalf("%s: %v %v", st.Tool, err, r)
	}
}

// judge wants a strict pass of an episode, in the order of its surfaces.
func (r *rig) judgeWorld(s *served, surfaces ...string) {
	r.Helper()
	got := r.want(0, "grade", mooring(r), "--episode", filepath.Join("eps", s.Episode), "--json")
	var v struct{ Strict, Pass bool }
	if err := json.Unmarshal([]byte(got.out), &v); err != nil || !v.Strict || !v.Pass {
		r.Errorf("no strict pass: %v\n%s", err, got.out)
	}
	shown := r.want(0, "grade", mooring(r), "--episode", filepath.Join("eps", s.Episode)).out
	for _, name := range surfaces {
		if !strings.Contains(shown, " "+name+" ") {
			r.Errorf("no event is of the surface %s:\n%s", name, shown)
		}
	}
}

// TestWorldMixed spreads the reference's calls over every surface: they are one episode, judged as one.
func TestWorldMixed(t *testing.T) {
	r := newRig(t)
	s := startWorld(t, r.dir)
	s.env(r)
	all := s.client(s.MCP)
	for i, st := range mooringReference(t) {
		server, _, _ := strings.Cut(st.Tool, ".")
		switch i % 5 {
		case 0:
			s.console(st)
		case 1:
			callMCP(t, all, st)
		case 2:
			s.rest(st)
		case 3:
			r.want(0, "world", "call", st.Tool, string(st.Args))
		case 4:
			callMCP(t, s.client(s.Servers[server]), st)
		}
	}
	s.stop()
	r.judgeWorld(s, "mcp", "rest", "cli", "console")
}

// TestWorldKilled kills the server with SIGKILL after every call. The same command goes on, at the same address and with
// the same token, and nothing is lost.
func TestWorldKilled(t *testing.T) {
	r := newRig(t)
	s := startWorld(t, r.dir, "--episode", "e1")
	first := s.Addresses
	addr := strings.TrimSuffix(strings.TrimPrefix(s.Console, "http://"), "/")
	c := s.client(s.MCP)
	steps := mooringReference(t)
	for i, st := range steps {
		if i%2 == 0 {
			callMCP(t, c, st) // the client does not know that the server is another process
		} else {
			s.rest(st)
		}
		s.kill()
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
		s = startWorld(t, r.dir, "--episode", "e1", "--addr", addr)
		if s.Token != first.Token || s.MCP != first.MCP {
			t.Fatalf("after the kill the server is at %v", s.Addresses)
		}
	}
	s.env(r)
	if got := strings.Count(r.want(0, "world", "events").out, "\n"); got != len(steps) {
		t.Errorf("%d events, want %d", got, len(steps))
	}
	s.stop()
	r.judgeWorld(s, "mcp", "rest")
}

// TestWorldStdio is a client that starts the server itself, as most clients do.
func TestWorldStdio(t *testing.T) {
	r := newRig(t)
	cmd := command(t, r.dir, "world", "serve", mooring(t)+"/ferry-217", "--db", "eps", "--stdio", "--episode", "std")
	var errs bytes.Buffer
	cmd.Stderr = &errs
	c, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(context.Background(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, st := range mooringReference(t) {
		callMCP(t, c, st)
	}
	if err := c.Close(); err != nil {
		t.Errorf("%v\n%s", err, &errs)
	}
	if cmd.ProcessState.ExitCode() != 0 {
		t.Errorf("exit %d\n%s", cmd.ProcessState.ExitCode(), &errs)
	}
	r.judgeWorld(&served{Addresses: surface.Addresses{Episode: "std"}}, "mcp")
}

// TestWorldCommands looks at the commands beside serve, and at their exit codes.
func TestWorldCommands(t *testing.T) {
	r := newRig(t)
	task := mooring(t) + "/ferry-217"
	local := r.want(0, "world", "list", task).out
	schema := r.want(0, "world", "schema", task, "files.read").out
	s := startWorld(t, r.dir, "--episode", "e1")
	if got := r.want(2, "world", "list").err; !strings.Contains(got, "$ASSAY_URL") {
		t.Error(got)
	}
	s.env(r)
	if got := r.want(0, "world", "list").out; !strings.Contains(got, "slips.bookings.get\tOne booking.\n") || strings.Count(got, "\n") != strings.Count(local, "\n") || !strings.Contains(local, "slips.bookings.get\tOne booking.\n") {
		t.Errorf("%s\nand of the bench itself\n%s", got, local)
	}
	if got := r.want(0, "world", "schema", "files.read").out; !strings.Contains(got, `"ropes_per_drum"`) || !strings.Contains(schema, `"ropes_per_drum"`) {
		t.Error(got, schema)
	}
	if got := r.want(0, "world", "call", "files.read", `{"file_id":"SPEC-4"}`).out; !strings.Contains(got, `"values":{"ropes_per_drum":4}`) {
		t.Error(got)
	}
	if got := r.want(1, "world", "call", "files.read", `{"file_id":"X"}`).err; got != "assay: not_found: There is no file X.\n" {
		t.Error(got)
	}
	if got := r.want(2, "world", "call", "files.read", `{"file_id":1}`).err; !strings.Contains(got, "invalid_arguments: files.read: file_id: got number, want string") {
		t.Error(got)
	}
	if got := r.want(2, "world", "call", "files.reed").err; !strings.Contains(got, `unknown_tool: there is no tool "files.reed"`) {
		t.Error(got)
	}
	for _, a := range [][]string{{"world", "schema", "files.reed"}, {"world", "schema", task, "files.reed"}} {
		if got := r.want(2, a...).err; !strings.Contains(got, `did you mean "files.read"`) || strings.Count(got, "\n") != 1 {
			t.Error(got)
		}
	}
	for url, want := range map[string]string{s.MCP: s.API, s.Servers["slips"]: s.API, s.Console + "app": "ends in /api/v1"} {
		if got := r.want(2, "world", "list", "--url", url).err; !strings.Contains(got, want) {
			t.Errorf("%s: %s", url, got)
		}
	}
	r.want(0, "world", "list", "--url", s.Console)
	if got := r.want(2, "world", "events", "--token", surface.NewToken()).err; !strings.Contains(got, "--token, or $ASSAY_TOKEN, is what assay world serve printed as token") {
		t.Error(got)
	}
	if got := r.want(0, "world", "events").out; strings.Count(got, "\n") != 4 || !strings.Contains(got, `"surface":"cli"`) {
		t.Error(got)
	}
	// A second server of the same episode, and a reset under it, are refused.
	for _, a := range [][]string{{"world", "serve", task, "--db", "eps", "--episode", "e1"}, {"world", "reset", task, "--db", "eps", "--episode", "e1"},
		{"world", "events", task, "--db", "eps", "--episode", "e1"}} {
		if got := r.want(3, a...).err; !strings.Contains(got, "another process works on the episode") || strings.Count(got, "\n") != 1 {
			t.Error(got)
		}
	}
	if got := r.want(3, "grade", mooring(t), "--episode", "eps/e1").err; !strings.Contains(got, "another process works on the episode") {
		t.Error(got)
	}
	s.stop()
	if got := r.want(3, "world", "call", "files.read", "{}").err; !strings.Contains(got, "does not answer") {
		t.Error(got)
	}
	log := r.want(0, "world", "events", task, "--db", "eps", "--episode", "e1").out
	var events []world.Event
	for line := range strings.Lines(log) {
		e, err := world.ParseEvent([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, *e)
	}
	if len(events) != 4 || world.VerifyChain(events[0].Prev, events) != nil || events[3].Status != world.Rejected {
		t.Errorf("the log of the folder is %s", log)
	}
	for _, bad := range []struct {
		want string
		args []string
	}{
		{"wants --episode ID", []string{"world", "events", task}},
		{"is no episode", []string{"world", "events", task, "--db", "eps", "--episode", "e2"}},
		{"want BENCH/TASK as well", []string{"world", "events", "--episode", "e1"}},
	} {
		if got := r.want(2, bad.args...).err; !strings.Contains(got, bad.want) {
			t.Errorf("%v: %s", bad.args, got)
		}
	}
	r.want(0, "world", "reset", task, "--db", "eps", "--episode", "e1")
	if got := r.want(0, "grade", mooring(t), "--episode", "eps/.aside/1/e1").out; !strings.Contains(got, "Episode e1 of ferry-yard/ferry-217, 4 events") {
		t.Error(got)
	}
	s = startWorld(t, r.dir, "--episode", "e1", "--evidence", "ev")
	s.env(r)
	if got := r.want(0, "world", "events").out; got != "" {
		t.Errorf("the episode did not begin anew: %s", got)
	}
	s.stop()
}

// TestWorldServeTaken: an address or a folder that is taken leaves no episode behind.
func TestWorldServeTaken(t *testing.T) {
	r := newRig(t)
	s := startWorld(t, r.dir, "--episode", "e1")
	addr := strings.TrimSuffix(strings.TrimPrefix(s.Console, "http://"), "/")
	task := mooring(t) + "/ferry-217"
	if got := r.want(2, "world", "serve", task, "--db", "eps", "--episode", "e2", "--addr", addr).err; !strings.Contains(got, "--addr: ") {
		t.Error(got)
	}
	if err := os.WriteFile(filepath.Join(r.dir, "full"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	r.want(2, "world", "serve", task, "--db", "eps", "--episode", "e2", "--evidence", "full")
	if _, err := os.Stat(filepath.Join(r.dir, "eps/e2")); err == nil {
		t.Error("an episode was begun that nobody works in")
	}
	s.stop()
}

// TestOtherWorld: an episode that began in another world ends each command in the same way; it can be put aside, and its name begins
// anew in the world as it is.
func TestOtherWorld(t *testing.T) {
	r := newRig(t)
	if err := os.CopyFS(filepath.Join(r.dir, "b"), os.DirFS(mooring(t))); err != nil {
		t.Fatal(err)
	}
	r.stdin = strings.NewReader("")
	r.want(0, "world", "serve", "./b/ferry-217", "--db", "eps", "--episode", "e1", "--stdio")
	file := filepath.Join(r.dir, "b/world/seed/lots.csv")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, bytes.Replace(text, []byte("LT-9"), []byte("LT-7"), 1), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, a := range [][]string{{"world", "serve", "./b/ferry-217", "--db", "eps", "--episode", "e1"}, {"world", "events", "./b/ferry-217", "--db", "eps", "--episode", "e1"},
		{"grade", "./b", "--episode", "eps/e1"}} {
		if got := r.want(3, a...).err; !strings.Contains(got, "began as another state") || strings.Count(got, "\n") != 1 {
			t.Errorf("%v: %s", a, got)
		}
	}
	r.want(0, "world", "reset", "./b/ferry-217", "--db", "eps", "--episode", "e1")
	if _, err := os.Stat(filepath.Join(r.dir, "eps/.aside/1/e1/world.db")); err != nil {
		t.Error(err)
	}
	r.stdin = strings.NewReader("")
	r.want(0, "world", "serve", "./b/ferry-217", "--db", "eps", "--episode", "e1", "--stdio")
}

// TestWorldServeRefuses is one line and nothing half begun.
func TestWorldServeRefuses(t *testing.T) {
	r := newRig(t)
	task := mooring(t) + "/ferry-217"
	copyTree := func(name, file, from, to string) string {
		dir := filepath.Join(r.dir, name)
		if err := os.CopyFS(dir, os.DirFS(mooring(t))); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		changed := strings.Replace(string(b), from, to, 1)
		if changed == string(b) {
			t.Fatalf("%s holds no %q", file, from)
		}
		if err := os.WriteFile(filepath.Join(dir, file), []byte(changed), 0o644); err != nil {
			t.Fatal(err)
		}
		return dir + "/ferry-217"
	}
	for _, c := range []struct {
		want string
		args []string
	}{
		{"is not BENCH/TASK", []string{"mooring"}},
		{`has no item "ferry-218"; did you mean`, []string{mooring(t) + "/ferry-218"}},
		{"is not of this machine alone", []string{task, "--addr", "0.0.0.0:0"}},
		{"is not HOST:PORT", []string{task, "--addr", "8080"}},
		{"is a name, not a path", []string{task, "--episode", "../x"}},
		{"is not made of letters", []string{task, "--episode", "a b"}},
		{"is no bench of agent tasks", []string{"chair-trials/ch-001"}},
		{"world/tools.yaml:", []string{copyTree("a", "world/tools.yaml", "SELECT order_no, vessel FROM orders WHERE", "SELECT order_no, vessel FROM ordres WHERE")}},
		{"contract.yaml:", []string{copyTree("b", "tasks/ferry-217/sealed/contract.yaml", "tool: slips.bookings.create", "tool: slips.bookings.make")}},
		{"world/seed/", []string{copyTree("c", "world/seed/lots.csv", "LT-3", "LT-8")}},
	} {
		got := r.want(2, append([]string{"world", "serve", "--db", "none"}, c.args...)...)
		if !strings.Contains(got.err, c.want) || strings.Count(got.err, "\n") != 1 || got.out != "" {
			t.Errorf("%v: %q %q, want %q", c.args, got.err, got.out, c.want)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(r.dir, "none", "*")); len(left) > 0 {
		t.Errorf("a refused server left %v", left)
	}
}

// TestWorldReviewer: a reviewer looks at the pages with a token of their own, which outlives the server as the agent's does; the
// judge sees nothing of it.
func TestWorldReviewer(t *testing.T) {
	r := newRig(t)
	s := startWorld(t, r.dir, "--episode", "e1", "--reviewer")
	if len(s.Reviewer) < 32 || s.Reviewer == s.Token {
		t.Fatalf("%+v", s.Addresses)
	}
	look := func() {
		q, err := http.NewRequest("GET", s.Console+"app/maint/orders/get?order_no=MO-31", nil)
		if err != nil {
			t.Fatal(err)
		}
		q.Header.Set("Authorization", "Bearer "+s.Reviewer)
		resp, err := http.DefaultClient.Do(q)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if b, _ := io.ReadAll(resp.Body); resp.StatusCode != 200 || !strings.Contains(string(b), "<dt>Drums</dt>") {
			t.Fatalf("%d %s", resp.StatusCode, b)
		}
	}
	for i, st := range mooringReference(t) {
		if st.Tool != "maint.orders.get" { // what a reviewer reads is nothing that the agent has read
			s.rest(st)
		}
		if i == 2 {
			look()
			first := s.Reviewer
			s.kill()
			s = startWorld(t, r.dir, "--episode", "e1", "--reviewer")
			if s.Reviewer != first {
				t.Error("the reviewer's token is another after the kill")
			}
		}
	}
	s.env(r)
	if got := r.want(0, "world", "events").out; strings.Contains(got, `"tool":"maint.orders.get"`) {
		t.Errorf("the look is among the agent's calls:\n%s", got)
	}
	s.stop()
	var v struct {
		Pass     bool
		Findings []struct {
			Rule string
			Pass bool
		}
	}
	if err := json.Unmarshal([]byte(r.want(0, "grade", mooring(t), "--episode", "eps/e1", "--json").out), &v); err != nil || v.Pass {
		t.Errorf("a reviewer's look was taken for the agent's (%v)", err)
	}
	for _, f := range v.Findings {
		if f.Pass == (f.Rule == "investigation.order") {
			t.Errorf("%s: %v", f.Rule, f.Pass)
		}
	}
	if got := r.want(0, "grade", mooring(t), "--episode", "eps/e1").out; !strings.Contains(got, "console  maint.orders.get") || !strings.Contains(got, "by the harness") {
		t.Errorf("the look is not in the record:\n%s", got)
	}
}
