package run

import (
	"context"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/grade"
	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/store"
)

var _ Set = grade.Set(nil) // what graders of every shape give is what the engine needs

func TestMain(m *testing.M) {
	if path := os.Getenv(killHelper); path != "" {
		os.Exit(killedRun(path))
	}
	goleak.VerifyTestMain(m)
}

// fakeSet is a bench of n items whose right answer is "right ID"; every third item is proxy.
type fakeSet struct {
	b      *bench.Bench
	n      int
	digest string
	draft  string // id of a draft, "" for none
	prompt func(item string) string
	grade  func(item string, t record.Transcript) (record.Verdict, error)
	graded atomic.Int64
}

func newSet(n int) *fakeSet {
	temperature := 0.0
	return &fakeSet{n: n, digest: "grader-1", b: &bench.Bench{ID: "fake", Version: "1", Protocol: bench.Protocol{
		Temperature: &temperature, Repeats: 2, PassRule: "all", Context: 4096, DefaultPosture: "plain",
		Postures: []bench.Posture{
			{Name: "plain", Thinking: "off", MaxOutput: 100, Timeout: 10 * time.Second},
			{Name: "thinking", Thinking: "on", MaxOutput: 1000, Timeout: 20 * time.Second, Models: []string{"deep", "deeper"}},
			{Name: "extra", MaxOutput: 10, Timeout: time.Second, Models: []string{"deeper"}},
		}}}}
}

func itemID(i int) string { return fmt.Sprintf("item-%06d", i) }

func (s *fakeSet) Bench() *bench.Bench { return s.b }
func (s *fakeSet) Digest() string      { return s.digest }

func (s *fakeSet) Heads() iter.Seq[bench.Head] {
	return func(yield func(bench.Head) bool) {
		for i := range s.n {
			h := bench.Head{ID: itemID(i), Family: fmt.Sprintf("family-%d", i%2), Basis: basisOf(i), Frozen: itemID(i) != s.draft}
			if !yield(h) {
				return
			}
		}
	}
}

func basisOf(i int) record.Basis {
	if i%3 == 2 {
		return record.Proxy
	}
	return record.Exact
}

func (s *fakeSet) Prompt(item string) ([]model.Message, error) {
	text := "say right " + item
	if s.prompt != nil {
		text = s.prompt(item)
	}
	return []model.Message{{Role: "user", Text: text}}, nil
}

func (s *fakeSet) Grade(_ context.Context, item string, t record.Transcript) (record.Verdict, error) {
	s.graded.Add(1)
	if s.grade != nil {
		return s.grade(item, t)
	}
	return s.judge(item, t), nil
}

func (s *fakeSet) judge(item string, t record.Transcript) record.Verdict {
	var i int
	fmt.Sscanf(item, "item-%d", &i)
	v := record.Verdict{Bench: s.b.Name(), Item: item, Grader: s.digest, Frozen: true, State: record.Graded, Letter: record.LetterWrong, Basis: basisOf(i),
		Findings: []record.Finding{{Rule: "says", Pass: t.Answer == "right "+item, Expected: "right " + item, Got: t.Answer}}}
	if t.Answer == "right "+item && t.Outcome == record.Answered {
		v.Pass, v.Letter = true, record.LetterPass
	}
	return v
}

// fakeModel answers right unless reply says otherwise.
type fakeModel struct {
	name  string
	reply func(ctx context.Context, req model.Request) (model.Reply, error)
	id    record.Identity
	idErr error
	who   func(n int64) (record.Identity, error) // in place of id, told how often it was asked
	local bool
	calls atomic.Int64
	ids   atomic.Int64
}

func (m *fakeModel) Name() string { return m.name }
func (m *fakeModel) Local() bool  { return m.local }

func (m *fakeModel) Call(ctx context.Context, req model.Request) (model.Reply, error) {
	m.calls.Add(1)
	if m.reply != nil {
		return m.reply(ctx, req)
	}
	return right(req), nil
}

func (m *fakeModel) Identify(context.Context) (record.Identity, error) {
	n := m.ids.Add(1)
	if m.who != nil {
		return m.who(n)
	}
	return m.id, m.idErr
}

func right(req model.Request) model.Reply { return says(req, "right "+req.Key.Item) }

func says(req model.Request, text string) model.Reply {
	out := int64(7)
	return model.Reply{Answer: text, Finish: model.FinishStop, FinishRaw: "stop", Model: "fake-model", Usage: record.Usage{Output: &out},
		Timing:   record.Timing{Total: 1e6},
		Exchange: record.Exchange{Endpoint: "POST http://127.0.0.1/v1/chat/completions", RequestBody: []byte(`{"model":"fake-model","messages":[{"role":"user","content":"` + req.Messages[0].Text + `"}]}`), Status: 200, ResponseBody: []byte(`{"choices":[{"message":{"content":"` + text + `"},"finish_reason":"stop"}]}`)}}
}

func fault(kind model.FaultKind) error {
	return &model.Fault{Kind: kind, Msg: "made by the test", Exchange: record.Exchange{Endpoint: "POST x"}}
}

type bundle struct {
	*testing.T
	db    *store.DB
	path  string
	set   *fakeSet
	model *fakeModel
	spec  Spec
	eng   *Engine
}

// setup gives a bench of n items, a model that answers right, and an engine that retries without waiting long.
func setup(t *testing.T, n int) *bundle {
	t.Helper()
	b := &bundle{T: t, path: filepath.Join(t.TempDir(), "assay.db"), set: newSet(n), model: &fakeModel{name: "fake/m"}}
	db, err := store.Open(t.Context(), b.path, store.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	b.db = db
	t.Cleanup(func() { db.Close() })
	b.spec = Spec{Set: b.set, Digest: "bench-1", Source: "fake", Models: []Entrant{{b.model, "m"}}, Concurrency: 4, Proof: "proven"}
	b.eng = newEngine(db)
	return b
}

func newEngine(s store.Store) *Engine {
	var n atomic.Uint64
	return &Engine{Store: s, Now: time.Now, Rand: func() uint64 { return n.Add(7919) }, Retry: Retry{Base: time.Millisecond, Max: 2 * time.Millisecond}}
}

// run starts and executes; the session is closed.
func (b *bundle) run() (*Session, Summary, error) {
	b.Helper()
	s, err := b.eng.Start(b.Context(), b.spec)
	if err != nil {
		b.Fatal(err)
	}
	sum, err := s.Execute(b.Context())
	if cerr := s.Close(); cerr != nil {
		b.Fatal(cerr)
	}
	return s, sum, err
}

func (b *bundle) mustRun() (*Session, Summary) {
	b.Helper()
	s, sum, err := b.run()
	if err != nil {
		b.Fatal(err)
	}
	return s, sum
}

// complete checks that every attempt has exactly one final try and its verdict, counted from rows.
func (b *bundle) complete(r *store.Run, want int) {
	b.Helper()
	tally, err := b.db.Tally(b.Context(), r, r.Plan.Grader)
	if err != nil {
		b.Fatal(err)
	}
	if tally.Planned() != want || tally.Done() != want {
		b.Errorf("planned %d, done %d, want %d of both", tally.Planned(), tally.Done(), want)
	}
	if n := tally.Letter(record.Exact, ".") + tally.Letter(record.Proxy, "."); n != want { // the test's own sum, to count rows
		b.Errorf("%d attempts pass, want %d: %+v", n, want, tally)
	}
	for row, err := range b.db.Rows(b.Context(), r, r.Plan.Grader) {
		if err != nil {
			b.Fatal(err)
		}
		tries, err := b.db.Tries(b.Context(), r, row.N)
		if err != nil {
			b.Fatal(err)
		}
		final := 0
		for _, t := range tries {
			if t.Outcome != record.Error {
				final++
			}
		}
		if final != 1 {
			b.Errorf("attempt %d has %d final tries", row.N, final)
		}
	}
}
