package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assaybench/assay/internal/cli"
	"github.com/assaybench/assay/model/modeltest"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/report"
	"github.com/assaybench/assay/run"
	"github.com/assaybench/assay/sandbox"
	"github.com/assaybench/assay/store"
)

// rig runs whole commands in this process, against real HTTP on this machine: nothing of the system's environment is seen,
// no other host can be reached, and the engine's waits are short.
type rig struct {
	testing.TB
	dir         string
	env         map[string]string
	pace        cli.Pace
	ctx         context.Context
	stdin       io.Reader
	interactive bool
	sealing     func(context.Context) (*sandbox.Box, error)
}

func newRig(t testing.TB) *rig {
	t.Helper()
	dir := t.TempDir()
	return &rig{TB: t, dir: dir, ctx: t.Context(), stdin: strings.NewReader(""),
		env:  map[string]string{"ASSAY_STATE": filepath.Join(dir, "state"), "HOME": dir, "PATH": os.Getenv("PATH")},
		pace: quick}
}

// quick are the waits of tests.
var quick = cli.Pace{Retry: run.Retry{Base: time.Millisecond, Max: 2 * time.Millisecond, MaxAfter: 5 * time.Millisecond},
	Beside: run.Beside{Interval: 50 * time.Millisecond, Around: 250 * time.Millisecond, Every: 200 * time.Millisecond}}

// ran is what a command came to.
type ran struct {
	code     int
	out, err string
}

func (r *rig) assay(args ...string) ran {
	r.Helper()
	var out, errs safeBuffer
	code := cli.Main(&cli.Process{Args: args, Getenv: func(name string) string { return r.env[name] }, Stdin: r.stdin, Stdout: &out, Stderr: &errs,
		Now: time.Now, Dir: r.dir, Interactive: r.interactive, Context: r.ctx, Dial: modeltest.Dial, Pace: r.pace, Sealing: r.sealing})
	return ran{code, out.String(), errs.String()}
}

// want runs a command that must end with a code.
func (r *rig) want(code int, args ...string) ran {
	r.Helper()
	got := r.assay(args...)
	if got.code != code {
		r.Fatalf("assay %s: exit %d, want %d\n%s%s", strings.Join(args, " "), got.code, code, got.err, got.out)
	}
	return got
}

// run is want for a run of ./bench without a proof, with its results.
func (r *rig) run(code int, model string, args ...string) (*report.Result, ran) {
	r.Helper()
	got := r.want(code, append([]string{"run", "./bench", "--unproven", "--json", "--model", model}, args...)...)
	res := new(report.Result)
	if err := json.Unmarshal([]byte(got.out), res); err != nil {
		r.Fatalf("the results are no JSON: %v\n%s\n%s", err, got.err, got.out)
	}
	return res, got
}

// result reads the results of a run.
func (r *rig) result(ref string) *report.Result {
	r.Helper()
	res := new(report.Result)
	if err := json.Unmarshal([]byte(r.want(0, "result", ref, "--json").out), res); err != nil {
		r.Fatal(err)
	}
	return res
}

// seen is an attempt as assay result RUN --item tells of it.
type seen struct {
	Item, Posture, Outcome, Reason, Letter, Answer, Finish string
	Repeat                                                 int
	Server                                                 string          `json:"answered_as"`
	Delivery                                               record.Delivery `json:"delivery"`
	Settings                                               []record.Setting
	Usage                                                  record.Usage
	Timing                                                 record.Timing
	Earlier                                                []struct {
		Try             int
		Outcome, Reason string
	} `json:"earlier_tries"`
}

func (r *rig) item(item string) []seen {
	r.Helper()
	var got struct{ Attempts []seen }
	if err := json.Unmarshal([]byte(r.want(0, "result", "latest", "--item", item, "--json").out), &got); err != nil {
		r.Fatal(err)
	}
	return got.Attempts
}

// letters are all letters of an item, for all settings.
func letters(res *report.Result, item string) string {
	var b strings.Builder
	for _, it := range res.Items {
		if it.Item == item {
			for _, s := range it.Settings {
				for _, l := range s.Letters {
					b.WriteString(string(l))
				}
			}
		}
	}
	return b.String()
}

func noted(res *report.Result, text string) bool {
	return slices.ContainsFunc(res.Notes, func(n string) bool { return strings.Contains(n, text) })
}

// latest opens the database and finds the newest run.
func (r *rig) latest() (*store.DB, *store.Run) {
	r.Helper()
	db, err := store.Open(r.Context(), filepath.Join(r.dir, ".assay", "assay.db"), store.Options{ReadOnly: true})
	if err != nil {
		r.Fatal(err)
	}
	r.Cleanup(func() { db.Close() })
	latest, err := db.FindRun(r.Context(), "latest")
	if err != nil {
		r.Fatal(err)
	}
	return db, latest
}

// benchOf says what a bench for tests is like. Every item asks for 42.
type benchOf struct {
	items, repeats, context, output int
	filler                          int    // bytes of text before the question
	protocol                        string // further lines of the protocol
	postures                        string // in place of the one that is plain
	timeout                         string
}

// write puts the bench into ./bench.
func (r *rig) write(b benchOf) {
	r.Helper()
	or := func(n, otherwise int) int {
		if n == 0 {
			return otherwise
		}
		return n
	}
	put := func(name, text string) {
		path := filepath.Join(r.dir, "bench", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			r.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			r.Fatal(err)
		}
	}
	if b.timeout == "" {
		b.timeout = "30s"
	}
	if b.postures == "" {
		b.postures = fmt.Sprintf("    plain: {max_output: %d, timeout: %s}\n", or(b.output, 64), b.timeout)
	}
	put("bench.yaml", fmt.Sprintf("id: asked\nversion: \"1\"\ntitle: What is asked over the wire\nshape: prompt\nlicence: Apache-2.0\nattribution: generated\n"+
		"families: [{id: sums, quota: %d}]\nprotocol:\n  temperature: 0\n  repeats: %d\n  pass_rule: all\n  context: %d\n%s  default_posture: plain\n  postures:\n%s",
		or(b.items, 1), or(b.repeats, 1), or(b.context, 4096), b.protocol, b.postures))
	for i := range or(b.items, 1) {
		put(fmt.Sprintf("items/%s.yaml", itemName(i)), fmt.Sprintf("id: %s\nfamily: sums\nbasis: exact\nprompt: |\n  %sThis is question %s. End with ANSWER: N\nrules:\n  - answer: {number: 42}\n",
			itemName(i), prose(b.filler), itemName(i)))
	}
}

func itemName(i int) string { return fmt.Sprintf("q%03d", i) }

// prose is a line of about so many bytes in which nothing is said twice in a row.
func prose(size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, "Case %d of the ledger was carried over by the clerk to page %d. ", i, 7*i%101)
	}
	return b.String()
}

// asked finds the item that a prompt asks; "" for a prompt that is none of the bench's: one to make ready, or a probe, which
// may have one inside.
func asked(prompt string) string {
	_, rest, ok := strings.Cut(prompt, "This is question ")
	if !ok || !strings.HasPrefix(prompt, "This is question ") && !strings.HasPrefix(prompt, "Case 0 of the ledger") {
		return ""
	}
	item, _, _ := strings.Cut(rest, ".")
	return item
}

// provider is the name of a wire's provider.
func provider(w modeltest.Wire) string {
	if w == modeltest.WireChat {
		return "openai"
	}
	return w.String()
}

// mock starts a mock and gives the model behind it as --model takes it.
func (r *rig) mock(o modeltest.MockOptions) (model string, m *modeltest.Mock) {
	r.Helper()
	if o.Models == nil {
		o.Models = []string{"mock"}
	}
	m, err := modeltest.NewMock(o)
	if err != nil {
		r.Fatal(err)
	}
	r.Cleanup(func() { m.Close() })
	return provider(o.Wire) + "/mock@" + m.URL, m
}

// script answers "ANSWER: 42" but where it is told otherwise, and counts the calls for each item.
type script struct {
	mu    sync.Mutex
	calls map[string]int
	all   []modeltest.MockRequest
	// says is asked for each call for an item, with the number of that call from 1; nil is the right answer.
	says func(item string, call int) modeltest.MockReply
}

func right() modeltest.MockReply { return modeltest.MockReply{Content: "ANSWER: 42", OutputTokens: 4} }

func (s *script) reply(q modeltest.MockRequest) modeltest.MockReply {
	item := asked(q.User)
	s.mu.Lock()
	if s.calls == nil {
		s.calls = map[string]int{}
	}
	s.calls[item]++
	n := s.calls[item]
	s.all = append(s.all, q)
	s.mu.Unlock()
	if item == "" || s.says == nil {
		return right()
	}
	return s.says(item, n)
}

// of is how many calls were made for an item.
func (s *script) of(item string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls[item]
}

// requests are all calls so far, with those that are none of the bench's where beside is true.
func (s *script) requests(beside bool) []modeltest.MockRequest {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []modeltest.MockRequest
	for _, q := range s.all {
		if beside || asked(q.User) != "" {
			out = append(out, q)
		}
	}
	return out
}

// safeBuffer may be written to by several goroutines.
type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}
