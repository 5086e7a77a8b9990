package stored

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/assaybench/assay/contention"
	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/price"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/report"
	"github.com/assaybench/assay/run"
	"github.com/assaybench/assay/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var began = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

type bundle struct {
	*testing.T
	db  *store.DB
	run *store.Run
}

// setup makes a run of two models, the first of them at two postures, over so many items of one family.
func setup(t *testing.T, items int) *bundle {
	t.Helper()
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "assay.db"), store.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	r := &store.Run{ID: "r1", Created: began, Request: "q", Plan: store.Plan{Bench: "b", Version: "1", Digest: "d", Grader: "g", Protocol: []byte("{}"), Proof: "proven",
		Postures: []string{"plain", "thinking"}, Repeats: 1, Items: items, Attempts: 3 * items, Families: []store.PlanFamily{{ID: "f", Title: "F"}},
		Models: []store.PlanModel{{Name: "ollama/gemma4:26b", Postures: []int{0, 1}}, {Name: "command/./mine.sh", Postures: []int{0}}}}}
	err = db.CreateRun(t.Context(), r, func(yield func(store.Attempt) bool) {
		for _, at := range [][2]int{{0, 0}, {0, 1}, {1, 0}} {
			for i := range items {
				if !yield(store.Attempt{Model: at[0], Posture: at[1], Repeat: 1, Item: fmt.Sprintf("i%04d", i), Family: "f", Basis: record.Exact}) {
					return
				}
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return &bundle{t, db, r}
}

func (b *bundle) try(n, try int, t record.Transcript) {
	b.Helper()
	if t.Calls == nil {
		t.Calls = []record.Exchange{}
	}
	packed, err := store.NewTry(n, try, t)
	if err == nil {
		err = b.db.Record(b.Context(), b.run, store.Batch{Tries: []store.Try{packed}})
	}
	if err != nil {
		b.Fatal(err)
	}
}

func (b *bundle) pass(n int) {
	b.Helper()
	v, err := store.NewVerdict(n, record.Verdict{Grader: "g", Pass: true, Letter: record.LetterPass, State: record.Graded, Basis: record.Exact}, "d", 7)
	if err == nil {
		err = b.db.Record(b.Context(), b.run, store.Batch{Verdicts: []store.Verdict{v}})
	}
	if err != nil {
		b.Fatal(err)
	}
}

func (b *bundle) fact(kind string, model, posture int, body any) {
	b.Helper()
	f, err := store.NewFact(kind, model, posture, began, body)
	if err == nil {
		err = b.db.AddFacts(b.Context(), b.run, f)
	}
	if err != nil {
		b.Fatal(err)
	}
}

func (b *bundle) identity(model int, phase, digest string) {
	b.Helper()
	mark, err := b.db.Mark(b.Context())
	if err == nil {
		err = b.db.SetIdentity(b.Context(), b.run, store.Identity{Model: model, Phase: phase, Taken: began, Mark: mark,
			Identity: record.Identity{Model: "gemma4:26b", Digest: digest, Server: "ollama 0.32.1", Context: 32768, Details: map[string]string{"vram_percent": "100"}}})
	}
	if err != nil {
		b.Fatal(err)
	}
}

func (b *bundle) result(o Options) *report.Result {
	b.Helper()
	r, err := Result(b.Context(), b.db, b.run, o)
	if err != nil {
		b.Fatal(err)
	}
	return r
}

func answer(proof string, settings ...record.Setting) record.Transcript {
	return record.Transcript{Outcome: record.Answered, Answer: "42", Usage: record.Usage{Prompt: new(int64(1000)), Output: new(int64(100)), Cached: new(int64(10))},
		Timing:   record.Timing{Started: began.Add(time.Minute), Total: 5e9, Load: 2e9, Queue: 1e8, Prompt: 9e8, Output: 2e9},
		Delivery: record.Delivery{State: "delivered", Proof: proof}, Settings: settings}
}

func busy(text string) record.Transcript {
	return record.Transcript{Outcome: record.Error, Reason: text, Delivery: record.Delivery{State: "not provable", Reason: "no reply"}}
}

// Everything that the store knows of a run arrives in its results.
func TestResult(t *testing.T) {
	b := setup(t, 4)
	b.identity(0, "start", "sha256:aaaaaaaaaaaaaaaa")
	off := record.Setting{Name: "thinking", Asked: "off", State: record.SettingNotHonoured, Why: "the reply holds thinking"}
	b.try(0, 1, busy("busy (HTTP 429): slow down"))
	b.try(0, 2, busy("busy (HTTP 429): slow down"))
	b.try(0, 3, answer("exact", off))
	b.pass(0)
	b.try(1, 1, answer("probe"))
	b.pass(1)
	b.try(2, 1, record.Transcript{Outcome: record.Timeout, Reason: "no final record within the protocol's time", Timing: record.Timing{Started: began.Add(2 * time.Minute), Total: 60e9},
		Delivery: record.Delivery{State: "not provable", Reason: "no reply"}})
	b.try(3, 1, busy("server (HTTP 500): broken"))
	b.identity(0, "end", "sha256:aaaaaaaaaaaaaaaa")
	b.try(4, 1, answer("exact"))
	b.try(8, 1, record.Transcript{Outcome: record.Answered, Answer: "42", Delivery: record.Delivery{State: "not provable", Reason: "the server reported no prompt tokens"}})

	b.fact(store.FactReady, 0, 0, model.Readiness{Context: 32768, Load: 12e9, Settings: []record.Setting{}, Calls: []record.Exchange{}})
	b.fact(store.FactReady, 0, 0, model.Readiness{Context: 32768, Settings: []record.Setting{off}}) // a second session
	b.fact(store.FactProbe, store.NoIndex, store.NoIndex, run.Probe{State: run.ProbeSkipped, Why: "left out by request"})
	b.fact(store.FactProbe, 0, 1, run.Probe{State: run.ProbeShown, Why: "the words at both its ends came back", Bytes: 5000, Longest: 4990, Item: "i0001"})
	b.fact(store.FactNames, 0, store.NoIndex, run.Answered{Name: "gemma4:26b"})
	b.fact(store.FactNames, 0, store.NoIndex, run.Answered{Name: "gemma4:26b-q8"})
	b.fact(store.FactNames, 0, store.NoIndex, run.Answered{Name: "gemma4:26b"})
	b.fact(store.FactConcurrency, 0, store.NoIndex, run.Concurrency{Ceiling: 8, Least: 4, Last: 4, Calls: 7, Busy: 2, Changes: []run.LimitChange{{At: began, Limit: 4, Why: "busy (HTTP 429)"}}})
	b.fact(store.FactCost, store.NoIndex, store.NoIndex, price.Account{File: "old.yaml", Currency: "USD"})
	b.fact(store.FactCost, store.NoIndex, store.NoIndex, price.Account{File: "prices.yaml", Currency: "USD", AsOf: "2026-11-30",
		Models: []price.AccountModel{{Name: "ollama/gemma4:26b", Known: true, Input: 1e12, Cached: 1e12, Output: 2e12}, {Name: "command/./mine.sh"}}})
	b.fact(store.FactContention, 0, store.NoIndex, document())
	b.fact("of another kind", 0, 0, map[string]int{"x": 1})

	r := b.result(Options{})
	s := r.Attempts.Settings[0]
	if diff := cmp.Diff(report.Delivery{Delivered: 2, Exact: 1, Probe: 1, NotProvable: 1, Error: 1, UndeliveredWhy: []report.Cause{}, NotProvableWhy: []report.Cause{{Reason: "no reply", Attempts: 1}}}, s.Delivery); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]report.Wish{{Name: "thinking", Asked: "off", State: "not honoured", Attempts: 1, Of: 2, Why: []report.Cause{{Reason: "the reply holds thinking", Attempts: 1}}}}, s.Wishes); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(report.Retries{Attempts: 1, Calls: 2, Kinds: []report.RetryKind{{Kind: "busy (HTTP 429)", Calls: 2}}}, s.Retries); diff != "" {
		t.Error(diff)
	}
	if s.Retried != 1 || s.Times.Reloads != 2 || *s.Times.Longest != 2 || *s.Generation.Median != 50 || *s.Latency.Median != 3 || s.Cached != (report.Tokens{Sum: 20, Reported: 2}) {
		t.Errorf("times and tokens: %+v", s)
	}
	if s.Ready == nil || s.Ready.LoadNS != 12e9 || len(s.Ready.Settings) != 1 || s.Probe == nil || s.Probe.State != "skipped" {
		t.Errorf("before the first call: %+v, %+v", s.Ready, s.Probe)
	}
	if p := r.Attempts.Settings[1].Probe; p == nil || p.State != "shown" || p.Bytes != 5000 {
		t.Errorf("the probe is %+v", p)
	}
	if p := r.Attempts.Settings[2].Probe; p != nil {
		t.Errorf("a program has a probe: %+v", p)
	}
	if d := r.Attempts.Settings[2].Delivery; d.NotProvable != 1 || d.Missing != 3 {
		t.Errorf("the program's deliveries are %+v", d)
	}
	v := r.Servers[0]
	if v.Asked != "gemma4:26b" || !slices.Equal(v.Names, []string{"gemma4:26b", "gemma4:26b-q8"}) || v.Changed || v.Checks != 2 || v.Start.Phase != "start" || v.End.Phase != "end" ||
		v.End.Details["vram_percent"] != "100" || len(v.Concurrency) != 1 || v.Concurrency[0].Changes[0].Limit != 4 {
		t.Errorf("the server is %+v", v)
	}
	// Three answers of 1,000 in and 100 out at 1 and 2 a million; the timeout's tokens nobody counted, and faults cost nothing.
	if diff := cmp.Diff(&report.Cost{Currency: "USD", Amount: "0.0036", Exact: 3 * 1_200_000_000, Calls: 3, Uncounted: 1}, v.Cost); diff != "" {
		t.Error(diff)
	}
	if len(r.Accounts) != 2 || len(r.Contention) != 1 || r.Contention[0].Document == nil || r.Contention[0].Model != "ollama/gemma4:26b" {
		t.Fatalf("accounts %+v, contention %+v", r.Accounts, r.Contention)
	}
	// The session had not looked at its timeouts; the rows say that there was one, under load.
	if f := r.Contention[0].Document.Flagged; f == nil || f.TimedOut != 1 || len(f.Flags) != 1 || f.Flags[0].Key.Item != "i0002" {
		t.Errorf("flags: %+v", f)
	}
	var text bytes.Buffer
	if err := r.Text(&text, report.Page{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"#3: delivered 0/1, 1 not provable (the server reported no prompt tokens); settings handed to the program", "#1: thinking off: not honoured in 1 of 2 attempts", "answered also as gemma4:26b-q8", "1 attempt timed out; 1 of them while something", "7 of 12 missing or in error", "the load average was 9.00"} {
		if !strings.Contains(strings.Join(strings.Fields(text.String()), " "), want) {
			t.Errorf("no %q in\n%s", want, &text)
		}
	}
}

// document is of a session in which the machine had more to do than it could.
func document() *contention.Document {
	d := &contention.Document{Kind: contention.Version, Started: began, Ended: began.Add(10 * time.Minute),
		Settings: contention.Settings{Interval: 1e9, Timeout: 5e9, Around: 5e9, Sample: 1e9}, Services: []contention.Service{},
		Host: contention.Host{Known: true, CPUs: 2}, Accelerators: contention.Accelerators{List: []contention.Accelerator{}},
		Timeline: contention.Timeline{Step: 600e9, Stretches: []contention.Stretch{{At: 0, Load: &contention.Range{N: 10, Sum: 9000, Worst: 1200}}}}}
	return d
}

// An attempt is flagged in the session in whose time it began, and what a session has found out itself stands.
func TestFlags(t *testing.T) {
	own := &contention.Flagged{TimedOut: 7, Flags: []contention.Flag{}}
	sessions := []report.Watched{{Document: document()}, {Unread: "x"}, {Document: document()}, {Document: document()}}
	sessions[2].Document.Started, sessions[2].Document.Ended = began.Add(time.Hour), began.Add(2*time.Hour)
	sessions[3].Document.Flagged = own
	at := func(d time.Duration) contention.Attempt {
		return contention.Attempt{Outcome: record.Timeout, Started: began.Add(d), Ended: began.Add(d + time.Minute)}
	}
	flag(sessions, []contention.Attempt{at(-time.Minute), at(time.Minute), at(9 * time.Minute), at(30 * time.Minute), at(90 * time.Minute)})
	if a, b := sessions[0].Document.Flagged, sessions[2].Document.Flagged; a == nil || a.TimedOut != 2 || b == nil || b.TimedOut != 1 || sessions[3].Document.Flagged != own {
		t.Errorf("%+v, %+v, %+v", a, b, sessions[3].Document.Flagged)
	}
}

// Attempts that were declared invalid are told apart from faults, made again or not.
func TestInvalidAttempts(t *testing.T) {
	b := setup(t, 2)
	b.identity(0, "start", "sha256:aaaa")
	b.try(0, 1, busy("broken: cut short"))
	b.try(0, 2, answer("exact"))
	b.try(1, 1, answer("exact"))
	inv := &store.Invalidity{Model: 0, Upto: 1 << 40, Reason: "the model or its server changed during the run: digest", Differences: []string{"digest: a -> b"}}
	if err := b.db.Invalidate(b.Context(), b.run, inv, began); err != nil {
		t.Fatal(err)
	}
	b.try(0, 4, answer("exact"))
	b.pass(0)
	b.identity(0, "end", "sha256:bbbb")
	r := b.result(Options{})
	s := r.Attempts.Settings[0]
	if diff := cmp.Diff(report.Retries{Attempts: 1, Calls: 1, Kinds: []report.RetryKind{{Kind: "broken", Calls: 1}}, Invalid: 2}, s.Retries); diff != "" {
		t.Error(diff)
	}
	if s.Counts.Error != 1 || s.Answered != 1 || s.Retried != 1 {
		t.Errorf("%+v", s.Counts)
	}
	v := r.Servers[0]
	if len(v.Invalid) != 1 || v.Invalid[0].Attempts != 2 || !v.Changed || !strings.Contains(strings.Join(r.Notes, "\n"), "2 attempts are invalid") {
		t.Errorf("%+v; notes %q", v.Invalid, r.Notes)
	}
}

// Transcripts of large runs are read only when that is asked for, and the results say so.
func TestTranscriptsOfLargeRuns(t *testing.T) {
	b := setup(t, TranscriptsRead/3+1)
	b.try(0, 1, answer("exact", record.Setting{Name: "seed", Asked: "7", State: record.SettingNotAccepted, Why: "no seed"}))
	b.pass(0)
	if s := b.result(Options{}).Attempts.Settings[0]; s.SettingsRead != 0 || s.Replies != 1 || len(s.Wishes) != 0 || s.Delivery.Unread != 1 {
		t.Errorf("a transcript was read: %+v", s)
	}
	if s := b.result(Options{Full: true}).Attempts.Settings[0]; s.SettingsRead != 1 || len(s.Wishes) != 1 || s.Delivery.Exact != 1 {
		t.Errorf("no transcript was read: %+v", s)
	}
}

func TestContentionOfAnotherVersion(t *testing.T) {
	b := setup(t, 1)
	b.fact(store.FactContention, store.NoIndex, store.NoIndex, map[string]any{"kind": "contention/9"})
	b.fact(store.FactContention, store.NoIndex, store.NoIndex, jsontext.Value(`{"kind":"contention/1","started":"x"}`))
	canonical, err := document().Encode()
	if err != nil {
		t.Fatal(err)
	}
	b.fact(store.FactContention, store.NoIndex, store.NoIndex, jsontext.Value(canonical))
	w := b.result(Options{}).Contention
	if len(w) != 3 || !strings.Contains(w[0].Unread, "contention/9") || w[1].Unread == "" || w[2].Document == nil {
		t.Errorf("%+v", w)
	}
}

func TestResultRefuses(t *testing.T) {
	b := setup(t, 1)
	b.fact(store.FactNames, 0, 0, []int{1})
	if _, err := Result(t.Context(), b.db, b.run, Options{}); store.KindOf(err) != store.Corrupt {
		t.Errorf("a fact that is something else: %v", err)
	}
	b = setup(t, 1)
	b.run.Plan.Models[0].Postures = []int{7}
	if _, err := Result(t.Context(), b.db, b.run, Options{}); err == nil {
		t.Error("a plan that names a posture that it does not have is taken")
	}
	b = setup(t, 1)
	b.run.Plan.Attempts = 9
	if _, err := Result(t.Context(), b.db, b.run, Options{}); err == nil || !strings.Contains(err.Error(), "9 attempts") {
		t.Errorf("a plan of another size: %v", err)
	}
	b = setup(t, 1)
	b.db.Close()
	if _, err := Result(t.Context(), b.db, b.run, Options{}); err == nil {
		t.Error("a closed store has results")
	}
}

// Beside the verdicts of another grader nothing is said of other runs, and the reader is told.
func TestNotesOfAnotherGrader(t *testing.T) {
	r := &store.Run{Plan: store.Plan{Grader: "g", Shape: "premise"}}
	left := func(r *store.Run, grader string) bool {
		return slices.ContainsFunc(notes(r, grader), func(n string) bool { return strings.HasPrefix(n, "private pass and regression pass are left out") })
	}
	if left(r, "g") || !left(r, "h") {
		t.Errorf("%q, %q", notes(r, "g"), notes(r, "h"))
	}
	r.Plan.Flags = []string{store.FlagPrivate} // its own run has no such columns
	if left(r, "h") {
		t.Errorf("%q", notes(r, "h"))
	}
	r.Plan.Flags, r.Plan.Shape = nil, "prompt"
	if left(r, "h") {
		t.Errorf("%q", notes(r, "h"))
	}
}

func TestFaultKind(t *testing.T) {
	for reason, want := range map[string]string{
		"busy (HTTP 429): slow: down":        "busy (HTTP 429)",
		"unreachable: no connection":         "unreachable",
		"no-model (HTTP 404): x":             "no-model (HTTP 404)",
		"busy":                               "",
		"busybody: x":                        "",
		"busy (HTTP 42): x":                  "",
		"busy (HTTP 429) and so on: x":       "",
		"the reply was made elsewhere: x":    "",
		"":                                   "",
		"server (HTTP 500): \x1b[2J: broken": "server (HTTP 500)",
	} {
		if got := faultKind(reason); got != want {
			t.Errorf("%q is of kind %q, want %q", reason, got, want)
		}
	}
}

// BenchmarkResult reads 2,000 attempts with their transcripts, each with a prompt of 40 KB.
func BenchmarkResult(b *testing.B) {
	db, err := store.Open(b.Context(), filepath.Join(b.TempDir(), "assay.db"), store.Options{Create: true})
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	r := &store.Run{ID: "r", Plan: store.Plan{Grader: "g", Protocol: []byte("{}"), Postures: []string{"plain"}, Repeats: 1, Items: TranscriptsRead, Attempts: TranscriptsRead,
		Families: []store.PlanFamily{{ID: "f"}}, Models: []store.PlanModel{{Name: "ollama/m", Postures: []int{0}}}}}
	if err := db.CreateRun(b.Context(), r, func(yield func(store.Attempt) bool) {
		for i := range TranscriptsRead {
			if !yield(store.Attempt{Repeat: 1, Item: fmt.Sprintf("i%04d", i), Family: "f", Basis: record.Exact}) {
				return
			}
		}
	}); err != nil {
		b.Fatal(err)
	}
	var batch store.Batch
	for i := range TranscriptsRead {
		tr := answer("exact")
		var body bytes.Buffer
		for w := range 6000 {
			fmt.Fprintf(&body, "%d %d ", i, w*w%977)
		}
		tr.Calls = []record.Exchange{{RequestBody: body.Bytes()[:40_000]}}
		packed, err := store.NewTry(i, 1, tr)
		if err != nil {
			b.Fatal(err)
		}
		batch.Tries = append(batch.Tries, packed)
	}
	if err := db.Record(b.Context(), r, batch); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := Result(b.Context(), db, r, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
