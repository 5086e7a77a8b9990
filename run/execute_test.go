package run

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
)

func TestRunToTheEnd(t *testing.T) {
	b := setup(t, 10)
	var last Snapshot
	b.eng.Observe = func(s Snapshot) { last = s }
	s, sum := b.mustRun()
	if s.Status != Created || sum.Planned != 20 || sum.Done != 20 || sum.Errors != 0 {
		t.Errorf("status %s, planned %d, done %d, errors %d", s.Status, sum.Planned, sum.Done, sum.Errors)
	}
	b.complete(s.Run, 20)
	if n := b.model.calls.Load(); n != 20 {
		t.Errorf("%d calls, want 20", n)
	}
	want := map[record.Basis]map[record.Letter]int{record.Exact: {".": 14}, record.Proxy: {".": 6}}
	if d := cmp.Diff(want, last.Letters); d != "" || !last.Last || last.Done != 20 || last.InFlight != 0 || last.OutputTokens != 140 {
		t.Errorf("the last snapshot is %+v\n%s", last, d)
	}
	again, err := b.eng.Start(t.Context(), b.spec)
	if err != nil || again.Status != Finished || again.Run.ID != s.Run.ID {
		t.Fatalf("the same again: %+v, %v", again, err)
	}
	if sum, err := again.Execute(t.Context()); err != nil || sum.Done != 20 {
		t.Errorf("a finished run executes to %+v, %v", sum, err)
	}
	if n := b.model.calls.Load(); n != 20 || b.model.ids.Load() != 2 {
		t.Errorf("%d calls and %d questions, want 20 and 2: a finished run asks nothing", n, b.model.ids.Load())
	}
	b.spec.New = true
	if fresh, _ := b.mustRun(); fresh.Run.ID == s.Run.ID || fresh.Status != Created {
		t.Errorf("--new gave %s, %s", fresh.Run.ID, fresh.Status)
	}
}

func TestTheRequestIsWhatTheProtocolSays(t *testing.T) {
	b := setup(t, 1)
	b.spec.Models = []Entrant{{b.model, "deep"}}
	b.spec.Concurrency = 1
	var reqs []model.Request
	b.model.reply = func(ctx context.Context, req model.Request) (model.Reply, error) {
		deadline, _ := ctx.Deadline()
		left := time.Until(deadline).Round(10 * time.Second)
		if want := map[string]time.Duration{"plain": 10 * time.Second, "thinking": 20 * time.Second}[req.Key.Posture]; left != want {
			t.Errorf("posture %s has %v, want %v", req.Key.Posture, left, want)
		}
		reqs = append(reqs, req)
		return right(req), nil
	}
	b.mustRun()
	temperature := 0.0
	text := []model.Message{{Role: "user", Text: "say right " + itemID(0)}}
	want := []model.Request{}
	for _, p := range []string{"plain", "thinking"} {
		for r := 1; r <= 2; r++ {
			q := model.Request{Key: record.Key{Model: "fake/m", Posture: p, Item: itemID(0), Repeat: r}, Messages: text, Temperature: &temperature, MaxOutput: 100, Context: 4096, Thinking: "off"}
			if p == "thinking" {
				q.MaxOutput, q.Thinking = 1000, "on"
			}
			want = append(want, q)
		}
	}
	if d := cmp.Diff(want, reqs); d != "" {
		t.Error(d)
	}
}

func TestOutcomesAndLetters(t *testing.T) {
	b := setup(t, 10)
	b.spec.Repeats = 1
	b.set.b.Protocol.Postures[0].Timeout = 200 * time.Millisecond
	b.model.reply = func(ctx context.Context, req model.Request) (model.Reply, error) {
		rep := right(req)
		switch req.Key.Item {
		case itemID(0):
			rep.Answer = "wrong"
		case itemID(1):
			rep.Finish, rep.FinishRaw = model.FinishLength, "length"
		case itemID(2):
			rep.Finish = model.FinishRefusal
		case itemID(3):
			<-ctx.Done()
			return model.Reply{}, model.Cancelled(ctx, record.Exchange{})
		case itemID(4):
			return model.Reply{}, fault(model.FaultContext)
		case itemID(5):
			return model.Reply{}, fault(model.FaultRejected)
		case itemID(6):
			panic("the provider broke\nbadly")
		case itemID(7):
			rep.Answer = ""
		case itemID(8):
			<-ctx.Done() // a provider that drops the cause
			return model.Reply{}, &model.Fault{Kind: model.FaultCancelled, Msg: "gone", Err: ctx.Err()}
		}
		return rep, nil
	}
	s, sum := b.mustRun()
	want := "FCRTDEEFT."
	var got strings.Builder
	for row, err := range b.db.Rows(t.Context(), s.Run, s.Run.Plan.Grader) {
		if err != nil {
			t.Fatal(err)
		}
		got.WriteString(string(row.Letter))
		if row.Key.Item == itemID(6) && (!strings.Contains(row.Reason, itemID(6)) || !strings.Contains(row.Reason, "the provider broke badly")) {
			t.Errorf("the panic's reason is %q", row.Reason)
		}
		if row.Key.Item == itemID(1) && (row.State != record.Graded || row.Pass) {
			t.Errorf("a truncated answer is graded for its findings and does not pass: %+v", row)
		}
	}
	if got.String() != want {
		t.Errorf("letters %s, want %s", got.String(), want)
	}
	if sum.Done != 8 || sum.Errors != 2 {
		t.Errorf("done %d, errors %d", sum.Done, sum.Errors)
	}
	// Errors are tried again by the same command; the model's outcomes never are.
	b.model.calls.Store(0)
	b.model.reply = nil
	s2, sum := b.mustRun()
	if s2.Status != Resumed || s2.Run.ID != s.Run.ID || b.model.calls.Load() != 2 || sum.Errors != 0 || sum.Done != 10 {
		t.Errorf("status %s, %d calls, errors %d, done %d", s2.Status, b.model.calls.Load(), sum.Errors, sum.Done)
	}
}

func TestGraderFaultsAreNobodysFailure(t *testing.T) {
	b := setup(t, 6)
	b.spec.Repeats = 1
	b.model.reply = func(_ context.Context, req model.Request) (model.Reply, error) {
		rep := right(req)
		if req.Key.Item == itemID(3) {
			rep.Finish = model.FinishLength
		}
		return rep, nil
	}
	b.set.grade = func(item string, t record.Transcript) (record.Verdict, error) {
		v := b.set.judge(item, t)
		switch item {
		case itemID(0):
			panic("index out of range")
		case itemID(1):
			return v, errors.New("cannot compile")
		case itemID(2):
			v.Basis = record.Exact // the plan says proxy
		case itemID(3):
			v.Pass, v.Letter = true, record.LetterPass // of a truncated attempt
		case itemID(4):
			v.State = record.Unread // and yet it passes
		}
		return v, nil
	}
	s, sum := b.mustRun()
	var got strings.Builder
	for row, err := range b.db.Rows(t.Context(), s.Run, s.Run.Plan.Grader) {
		if err != nil {
			t.Fatal(err)
		}
		got.WriteString(string(row.Letter))
		if row.N < 5 && (row.State != record.Ungradable || row.Pass) {
			t.Errorf("attempt %d: state %s, pass %v", row.N, row.State, row.Pass)
		}
	}
	if got.String() != "???C?." || sum.GraderFaults != 5 || !strings.Contains(sum.GraderFault, "item-") {
		t.Errorf("letters %s, faults %d, first %q", got.String(), sum.GraderFaults, sum.GraderFault)
	}
	// A mended grader of the same digest heals them; a new one adds a set.
	b.set.grade = nil
	flips := map[string]string{}
	re, err := b.eng.Regrade(t.Context(), s.Run, b.set, "bench-1", false, func(f Flip) { flips[f.Key.Item] = string(f.From + f.To) })
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(map[string]string{itemID(0): "?.", itemID(1): "?.", itemID(2): "?.", itemID(4): "?."}, flips); d != "" || re.Graded != 5 || re.Healed != 4 || re.Flips != 4 {
		t.Errorf("healing: %+v\n%s", re, d)
	}
	other := newSet(6)
	other.digest = "grader-2"
	other.grade = func(item string, t record.Transcript) (record.Verdict, error) {
		v := other.judge(item, t)
		if item == itemID(5) {
			v.Pass, v.Letter = false, record.LetterUnread
			v.State = record.Unread
		}
		return v, nil
	}
	clear(flips)
	re, err = b.eng.Regrade(t.Context(), s.Run, other, "bench-1", false, func(f Flip) { flips[f.Key.Item] = string(f.From + f.To) })
	if d := cmp.Diff(map[string]string{itemID(5): ".U"}, flips); err != nil || d != "" || re.Graded != 6 || re.Against != "grader-1" {
		t.Errorf("another grader: %+v, %v\n%s", re, err, d)
	}
	sets, _ := b.db.Sets(t.Context(), s.Run)
	if len(sets) != 2 || sets[0].Grader != "grader-1" || sets[1].Grader != "grader-2" {
		t.Errorf("sets: %+v", sets)
	}
	if _, err := b.eng.Regrade(t.Context(), s.Run, other, "bench-2", false, nil); err == nil || !strings.Contains(err.Error(), "bench-1 -> bench-2") {
		t.Errorf("a re-grading by another bench: %v", err)
	}
}

func TestRetries(t *testing.T) {
	b := setup(t, 4)
	b.spec.Repeats = 1
	var mu sync.Mutex
	seen := map[string]int{}
	b.model.reply = func(_ context.Context, req model.Request) (model.Reply, error) {
		mu.Lock()
		seen[req.Key.Item]++
		n := seen[req.Key.Item]
		mu.Unlock()
		switch {
		case req.Key.Item == itemID(0) && n < 3:
			return model.Reply{}, fault(model.FaultBusy)
		case req.Key.Item == itemID(1):
			return model.Reply{}, fault(model.FaultServer)
		case req.Key.Item == itemID(2):
			return model.Reply{}, fault(model.FaultRejected)
		}
		return says(req, "wrong"), nil // a wrong answer is never asked again
	}
	var last Snapshot
	b.eng.Observe = func(s Snapshot) { last = s }
	s, sum := b.mustRun()
	var got []string
	for n := range 4 {
		tries, err := b.db.Tries(t.Context(), s.Run, n)
		if err != nil {
			t.Fatal(err)
		}
		var o []string
		for _, x := range tries {
			o = append(o, fmt.Sprintf("%d:%s", x.Try, x.Outcome))
		}
		got = append(got, strings.Join(o, " "))
	}
	want := []string{"1:error 2:error 3:answered", "1:error 2:error 3:error", "1:error", "1:answered"}
	if d := cmp.Diff(want, got); d != "" || sum.Done != 2 || sum.Errors != 2 || last.Retries != 4 {
		t.Errorf("done %d, errors %d, retries %d\n%s", sum.Done, sum.Errors, last.Retries, d)
	}
	if d := cmp.Diff(map[record.Outcome]int{record.Answered: 2, record.Error: 2}, last.Outcomes); d != "" {
		t.Error(d)
	}
	// The next session goes on counting tries.
	b.model.reply = nil
	_, sum = b.mustRun()
	tries, _ := b.db.Tries(t.Context(), s.Run, 1)
	if len(tries) != 4 || tries[3].Try != 4 || tries[3].Outcome != record.Answered || sum.Done != 4 {
		t.Errorf("after resuming: %+v", tries)
	}
	if d := cmp.Diff(map[record.Outcome]int{record.Answered: 4, record.Error: 0}, last.Outcomes); d != "" {
		t.Error(d)
	}
}
