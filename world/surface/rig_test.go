package surface_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"go.uber.org/goleak"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/contract/tasks"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/world"
	"github.com/assaybench/assay/world/surface"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const example = "../../examples/mooring"

// step is one line of a trace.
type step struct {
	Tool string          `json:"tool"`
	Args json.RawMessage `json:"args"`
}

// reference is the example's own trace.
func reference(t testing.TB) []step {
	t.Helper()
	b, err := os.ReadFile(example + "/tasks/ferry-217/sealed/reference.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var out []step
	for sc := bufio.NewScanner(bytes.NewReader(b)); sc.Scan(); {
		var s step
		if err := json.Unmarshal(sc.Bytes(), &s); err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	if len(out) != 13 {
		t.Fatalf("the reference has %d steps", len(out))
	}
	return out
}

// files are the example's, with others over them.
func files(t testing.TB, over map[string]string) fstest.MapFS {
	t.Helper()
	m := fstest.MapFS{}
	root := os.DirFS(example)
	err := fs.WalkDir(root, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := fs.ReadFile(root, p)
		m[p] = &fstest.MapFile{Data: b}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range over {
		m[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return m
}

// hostile is a file name and a text that try to leave their place in a page.
const hostile = `<script>alert("x")</script>`

// richer is the example with evidence files, a page of hostile text among them, and a staged fault.
func richer(t testing.TB) fstest.MapFS {
	task, err := os.ReadFile(example + "/tasks/ferry-217/public/task.yaml")
	if err != nil {
		t.Fatal(err)
	}
	contract, err := os.ReadFile(example + "/tasks/ferry-217/sealed/contract.yaml")
	if err != nil {
		t.Fatal(err)
	}
	says := strings.NewReplacer("how many drums", "zarquon drums", "which lots are held", "vermicious lots", "the slip is booked", "quixotry booked", "a surplus is no gap", "perihelion")
	return files(t, map[string]string{
		"tasks/ferry-217/sealed/contract.yaml": says.Replace(string(contract)),
		"tasks/ferry-217/public/task.yaml": string(task) + `evidence:
  - {path: letters/ada 1.md, title: Ada's letter, kind: letter, media_type: text/markdown}
  - {path: page.html, title: "` + strings.ReplaceAll(hostile, `"`, `\"`) + `", kind: page}
  - {path: scan.png, title: A scan}
`,
		"tasks/ferry-217/public/evidence/letters/ada 1.md": "The quay is free. Größe: 3 m.\n",
		"tasks/ferry-217/public/evidence/page.html":        hostile,
		"tasks/ferry-217/public/evidence/scan.png":         "\x89PNG\x00\xff",
		"tasks/ferry-217/sealed/faults.yaml":               "faults:\n  - {tool: stores.lots.list, failures: 1, error: The stores are busy with SEALED-SAYING.}\n",
	})
}

func open(t testing.TB, fsys fs.FS) *tasks.Set {
	t.Helper()
	b, err := bench.Load(fsys, "mooring")
	if err != nil {
		t.Fatal(err)
	}
	set, err := tasks.Compile(b)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// served is a session on all its surfaces.
type served struct {
	testing.TB
	set     *tasks.Set
	session *world.Session
	server  *surface.Server
	base    string
	token   string
	client  *http.Client
}

func serve(t testing.TB, fsys fs.FS) *served {
	t.Helper()
	set := open(t, fsys)
	task, err := set.Task("ferry-217")
	if err != nil {
		t.Fatal(err)
	}
	s, err := task.Session(t.Context(), "test")
	if err != nil {
		t.Fatal(err)
	}
	token := surface.NewToken()
	v, err := surface.New(s, token)
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- v.Serve(ctx, ln) }()
	tr := &http.Transport{}
	c := &http.Client{Transport: tr, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	t.Cleanup(func() {
		tr.CloseIdleConnections()
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return &served{t, set, s, v, "http://" + ln.Addr().String(), token, c}
}

// reply is what a request got.
type reply struct {
	status int
	header http.Header
	body   string
}

// do makes a request; headers are pairs, of which "Host" is the host. Without an Authorization among them the token is sent.
func (s *served) do(method, path, body string, headers ...string) reply {
	s.Helper()
	return s.raw(method, path, body, append([]string{"Authorization", "Bearer " + s.token}, headers...)...)
}

func (s *served) raw(method, path, body string, headers ...string) reply {
	s.Helper()
	r, err := http.NewRequest(method, s.base+path, strings.NewReader(body))
	if err != nil {
		s.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		} else {
			r.Header.Set(headers[i], headers[i+1])
		}
	}
	resp, err := s.client.Do(r)
	if err != nil {
		s.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		s.Fatal(err)
	}
	return reply{resp.StatusCode, resp.Header, string(b)}
}

// judge judges what happened so far.
func (s *served) judge() record.Verdict {
	s.Helper()
	return judged(s, s.set, s.session)
}

func judged(t testing.TB, set *tasks.Set, s *world.Session) record.Verdict {
	t.Helper()
	if err := world.VerifyChain(s.Genesis(), s.Events()); err != nil {
		t.Fatal(err)
	}
	ep, err := world.Bundle(t.Context(), s, "answer")
	if err != nil {
		t.Fatal(err)
	}
	v, err := set.Grade(t.Context(), ep.Task, record.Transcript{Outcome: record.Answered, Episode: ep})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// mustPass wants a strict pass.
func mustPass(t testing.TB, v record.Verdict) {
	t.Helper()
	if v.Agent == nil || !v.Strict || !v.Pass {
		t.Fatalf("no strict pass: %+v", v.Findings)
	}
}

// calls lists the surfaces and tools of the events, as surface:tool.
func (s *served) calls() []string {
	var out []string
	for _, e := range s.session.Events() {
		out = append(out, e.Surface+":"+e.Tool)
	}
	return out
}

func (s *served) wantCalls(want ...string) {
	s.Helper()
	if got := s.calls(); !slices.Equal(got, want) {
		s.Errorf("the events are %v, want %v", got, want)
	}
}

func newFile(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
