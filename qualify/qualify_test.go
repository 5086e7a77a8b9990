package qualify

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/sandbox"
)

// fakeSet is a bench of one frozen item, x, whose grader is the function given.
type fakeSet struct {
	bench    *bench.Bench
	heads    []bench.Head
	controls []bench.Control
	mutants  []bench.Mutant
	blocked  []bench.Blocked
	judge    func(answer string, n int64) (record.Verdict, error)
	graded   atomic.Int64
}

func (s *fakeSet) Bench() *bench.Bench                      { return s.bench }
func (s *fakeSet) Digest() string                           { return "grader" }
func (s *fakeSet) Heads() iter.Seq[bench.Head]              { return slices.Values(s.heads) }
func (s *fakeSet) Prompt(string) ([]model.Message, error)   { return nil, nil }
func (s *fakeSet) Explain(string) ([]string, error)         { return nil, nil }
func (s *fakeSet) Controls(string) ([]bench.Control, error) { return s.controls, nil }
func (s *fakeSet) Mutants(string) ([]bench.Mutant, error)   { return s.mutants, nil }
func (s *fakeSet) Blocked() []bench.Blocked                 { return s.blocked }
func (s *fakeSet) Index() ([]byte, error)                   { return []byte("index"), nil }
func (s *fakeSet) Executes() (items []string, python bool)  { return nil, false }
func (s *fakeSet) Use(*sandbox.Box, string)                 {}
func (s *fakeSet) Grade(_ context.Context, _ string, t record.Transcript) (record.Verdict, error) {
	return s.judge(t.Answer, s.graded.Add(1))
}

func verdict(broken ...string) record.Verdict {
	v := record.Verdict{State: record.Graded, Pass: len(broken) == 0, Findings: []record.Finding{{Rule: "always", Pass: true}, {Rule: "never-run", Skipped: true}}}
	for _, b := range broken {
		v.Findings = append(v.Findings, record.Finding{Rule: b, Why: "because"})
	}
	return v
}

// right is a grader without a fault: an answer names the rules that it breaks.
func right(answer string, _ int64) (record.Verdict, error) {
	return verdict(strings.Fields(answer)...), nil
}

func sound() *fakeSet {
	s := &fakeSet{
		bench:   &bench.Bench{ID: "b", Version: "1", Families: []bench.Family{{ID: "f", Quota: 1}, {ID: "g", Quota: -1}}, Counts: &bench.Counts{Frozen: 1, Drafted: 1, Exact: 1}},
		heads:   []bench.Head{{ID: "x", Family: "f", Basis: record.Exact, Frozen: true, File: "items/x.yaml"}},
		mutants: []bench.Mutant{{Name: "empty", Answer: "any", Breaks: bench.AnyRule}, {Name: "break", Answer: "", Breaks: bench.NoRule}, {Name: "words/more", Answer: "words lines", Breaks: "words"}},
		judge:   right,
	}
	s.controls = []bench.Control{{Name: "reference", Accept: true, File: "items/x.yaml", Line: 9}, {Name: "reference-2", Accept: true, Answer: " ", File: "items/x.yaml", Line: 10}}
	for i, broken := range []string{"words", "lines", "words lines", "lines words"} {
		s.controls = append(s.controls, bench.Control{Name: fmt.Sprint("negative-", i), Answer: broken, Breaks: strings.Fields(broken), File: "items/x.yaml", Line: 20 + i})
	}
	return s
}

func TestSound(t *testing.T) {
	s := sound()
	var mu sync.Mutex
	var progress []int
	r, err := Check(context.Background(), s, Options{Progress: func(done, total int) { mu.Lock(); progress = append(progress, done, total); mu.Unlock() }})
	if err != nil || !r.Clean() {
		t.Fatalf("%+v, %v", r, err)
	}
	if r.Items != 1 || r.Drafts != 0 || r.Controls != 6 || r.Generated != 3 || r.FalseAccepts != 0 || r.FalseRejects != 0 || r.Bench != "b@1" || r.Grader != "grader" || len(r.PerItem) != 1 || r.PerItem[0].Accept != 2 || r.PerItem[0].Reject != 4 {
		t.Errorf("%+v", r)
	}
	if s.graded.Load() != 2*9 {
		t.Errorf("%d gradings, and each control is judged twice", s.graded.Load())
	}
	if fmt.Sprint(progress) != "[1 1]" {
		t.Errorf("progress %v", progress)
	}
}

// TestFaults has a grader or a bench that is wrong on purpose for each kind of fault.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		name    string
		spoil   func(s *fakeSet)
		kind    string
		accepts int
		rejects int
		faults  int
		says    string
	}{
		{"accepts a negative", func(s *fakeSet) { s.judge = blind("lines") }, "false accept", 1, 0, 3, "items/x.yaml:21: x: negative-1: false accept: accepted, and should break [lines]"},
		{"accepts everything", func(s *fakeSet) { s.judge = func(string, int64) (record.Verdict, error) { return verdict(), nil } }, "false accept", 6, 0, 6, "items/x.yaml: x: empty: false accept: the generated answer"},
		{"refuses a reference", func(s *fakeSet) { s.controls[1].Answer = "lines" }, "false reject", 0, 1, 1, "items/x.yaml:10: x: reference-2: false reject: refused for [lines] (because)"},
		{"refuses what means nothing", func(s *fakeSet) { s.mutants[1].Answer = "lines" }, "false reject", 0, 1, 1, "x: break: false reject: a change that means nothing is refused for [lines]"},
		{"another reason", func(s *fakeSet) { s.controls[2].Answer = "letters" }, "other reason", 0, 0, 1, "items/x.yaml:20: x: negative-0: other reason: breaks [letters], and says that it breaks [words] (because)"},
		{"a reason more", func(s *fakeSet) { s.controls[2].Answer = "words letters" }, "other reason", 0, 0, 1, "breaks [letters words], and says that it breaks [words]"},
		{"a reason less", func(s *fakeSet) { s.controls[4].Answer = "words" }, "other reason", 0, 0, 1, "breaks [words], and says that it breaks [lines words]"},
		{"another reason, generated", func(s *fakeSet) { s.mutants[2].Answer = "lines" }, "other reason", 0, 0, 1, "x: words/more: other reason: breaks [lines], and should break words"},
		{"unstable", func(s *fakeSet) {
			s.judge = func(answer string, n int64) (record.Verdict, error) {
				v, err := right(answer, n)
				v.Diagnostics = map[string]any{"n": n / 9 * 9} // changes once
				return v, err
			}
		}, "unstable", 0, 0, 1, "unstable: two gradings of the same answer differ"},
		{"one reference", func(s *fakeSet) { s.controls = s.controls[1:] }, "controls", 0, 0, 1, "items/x.yaml: x: controls: 1 answers to accept and 4 to refuse; at least 2 and 4 are wanted"},
		{"three negatives", func(s *fakeSet) { s.controls = s.controls[:5] }, "controls", 0, 0, 1, "2 answers to accept and 3 to refuse"},
		{"quota", func(s *fakeSet) { s.bench.Families[0].Quota = 2 }, "quota", 0, 0, 1, "bench.yaml: quota: the family f has 1 frozen items, and its quota is 2"},
		{"a draft does not fill a quota", func(s *fakeSet) { s.heads[0].Frozen = false; s.bench.Counts = nil }, "quota", 0, 0, 1, "the family f has 0 frozen items, and its quota is 1"},
		{"counts", func(s *fakeSet) { s.heads[0].Basis = record.Proxy }, "quota", 0, 0, 1, "counts promises 1 frozen of 1 drafted, 1 exact and 0 proxy, and the items are 1 of 1, 0 and 1"},
		{"blocked", func(s *fakeSet) { s.blocked = []bench.Blocked{{Item: "x", Why: "no fixture"}} }, "blocked", 0, 0, 1, "x: blocked: cannot run: no fixture"},
		{"not graded", func(s *fakeSet) {
			s.judge = func(answer string, n int64) (record.Verdict, error) {
				if answer == "lines" {
					return record.Verdict{State: record.Ungradable, Reason: "no sandbox"}, nil
				}
				return right(answer, n)
			}
		}, "not graded", 0, 0, 1, "items/x.yaml:21: x: negative-1: not graded: no sandbox"},
	} {
		s := sound()
		c.spoil(s)
		r, err := Check(context.Background(), s, Options{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var all []string
		for _, f := range r.Faults {
			all = append(all, f.String())
		}
		text := strings.Join(all, "\n")
		if r.Clean() || len(r.Faults) != c.faults || r.FalseAccepts != c.accepts || r.FalseRejects != c.rejects || !strings.Contains(text, c.says) || !slices.ContainsFunc(r.Faults, func(f Fault) bool { return f.Kind == c.kind }) {
			t.Errorf("%s: %d false accepts, %d false rejects, %d faults:\n%s\nwant %d, %d, %d: %s", c.name, r.FalseAccepts, r.FalseRejects, len(r.Faults), text, c.accepts, c.rejects, c.faults, c.says)
		}
		if _, err := r.Prove(Machine{}, false, at); err == nil {
			t.Errorf("%s: a proof was made", c.name)
		}
	}
}

// blind is a grader that does not see one rule.
func blind(rule string) func(string, int64) (record.Verdict, error) {
	return func(answer string, _ int64) (record.Verdict, error) {
		return verdict(slices.DeleteFunc(strings.Fields(answer), func(w string) bool { return w == rule })...), nil
	}
}

func TestSlowAndOnly(t *testing.T) {
	s := sound()
	s.controls[5].Slow = true
	for slow, want := range map[bool][2]int{false: {5, 1}, true: {6, 0}} {
		r, err := Check(context.Background(), s, Options{Slow: slow})
		if err != nil || !r.Clean() || r.Controls != want[0] || r.SlowLeftOut != want[1] {
			t.Errorf("slow %v: %+v, %v", slow, r, err)
		}
	}
	s.heads = append(s.heads, bench.Head{ID: "y", Family: "g", Basis: record.Proxy, File: "items/y.yaml"})
	s.bench.Counts.Drafted = 2
	r, err := Check(context.Background(), s, Options{Only: []string{"y"}})
	if err != nil || !r.Clean() || len(r.PerItem) != 1 || r.PerItem[0].Item != "y" || r.PerItem[0].Frozen || r.Items != 1 || r.Drafts != 1 {
		t.Errorf("only y: %+v, %v", r, err)
	}
}

func TestGraderBreaks(t *testing.T) {
	s := sound()
	s.judge = func(string, int64) (record.Verdict, error) { return record.Verdict{}, errors.New("disk on fire") }
	if r, err := Check(context.Background(), s, Options{}); err == nil || !strings.Contains(err.Error(), "disk on fire") {
		t.Errorf("%+v, %v", r, err)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errors.New("stopped by hand"))
	if r, err := Check(ctx, sound(), Options{}); err == nil || err.Error() != "stopped by hand" {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestHeadOfAnAnswer(t *testing.T) {
	if got := head(strings.Repeat("é", 40)); got != strings.Repeat("é", 30)+"…" {
		t.Errorf("%q", got)
	}
	if got := head("x" + strings.Repeat("é", 40)); got != "x"+strings.Repeat("é", 29)+"…" {
		t.Errorf("%q", got)
	}
}
