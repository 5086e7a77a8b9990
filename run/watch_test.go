package run

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/store"
)

// changing gives the model an identity that can be swapped while it is asked.
func (b *bundle) changing(digest string) (swap func(digest string)) {
	var now atomic.Pointer[string]
	now.Store(&digest)
	b.model.who = func(int64) (record.Identity, error) {
		return record.Identity{Model: "m", Digest: *now.Load(), Server: "s 1", Details: map[string]string{"template": "t"}}, nil
	}
	return func(digest string) { now.Store(&digest) }
}

func (b *bundle) outcomes(r *store.Run) string {
	b.Helper()
	var out strings.Builder
	for row, err := range b.db.Rows(b.Context(), r, r.Plan.Grader) {
		if err != nil {
			b.Fatal(err)
		}
		out.WriteString(string(row.Letter))
	}
	return out.String()
}

// TestChangedAtTheEnd: a tag that is pulled again during the run, found by the last question. What was recorded since the
// question before it is no result; the same command makes it again, and only with the model as it was.
func TestChangedAtTheEnd(t *testing.T) {
	b := setup(t, 3)
	swap := b.changing("a")
	b.spec.Concurrency = 1
	b.model.reply = func(_ context.Context, req model.Request) (model.Reply, error) {
		if b.model.calls.Load() == 4 {
			swap("b")
		}
		return says(req, "wrong"), nil
	}
	s, sum, err := b.run()
	changed, ok := errors.AsType[*ChangedError](err)
	if !ok || changed.Attempts != 6 || changed.Run.ID != s.Run.ID || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "fake/m: model digest: a -> b") {
		t.Fatalf("got %v", err)
	}
	if sum.Done != 0 || sum.Errors != 6 || len(sum.Drift) != 1 {
		t.Errorf("%+v", sum)
	}
	if got := b.outcomes(s.Run); got != "EEEEEE" {
		t.Errorf("letters %s: an invalid attempt is never scored", got)
	}
	for row, err := range b.db.Rows(t.Context(), s.Run, s.Run.Plan.Grader) {
		if err != nil || row.Outcome != record.Error || row.Reason != "the model or its server changed during the run: fake/m: model digest: a -> b" {
			t.Errorf("%s: %q, %v", row.Outcome, row.Reason, err)
		}
	}
	drift, err := Drift(t.Context(), b.db, s.Run)
	if want := []string{"changed during the run: fake/m: model digest: a -> b",
		"fake/m: 6 attempts are invalid: the model or its server changed during the run: fake/m: model digest: a -> b"}; err != nil || !cmp.Equal(drift, want) {
		t.Errorf("%q, %v", drift, err)
	}
	// The new model does not take the run over.
	if _, err := b.eng.Start(t.Context(), b.spec); err == nil || !strings.Contains(err.Error(), "model digest: a -> b") || strings.Contains(err.Error(), "invalid") {
		t.Errorf("with the new model: %v", err)
	}
	swap("a")
	b.model.reply = nil
	again, sum := b.mustRun()
	if again.Run.ID != s.Run.ID || sum.Done != 6 || sum.Errors != 0 {
		t.Errorf("with the old model: %+v", sum)
	}
	if got := b.outcomes(s.Run); got != "......" {
		t.Errorf("letters %s", got)
	}
	b.onceEach(s.Run, 2)
	if again, err := b.eng.Start(t.Context(), b.spec); err != nil || again.Status != Finished {
		t.Errorf("then: %+v, %v", again, err)
	}
}

// onceEach checks that each attempt has exactly one try that counts, the last one, and so many that ever were final.
func (b *bundle) onceEach(r *store.Run, finals int) {
	b.Helper()
	for n := range r.Plan.Attempts {
		tries, err := b.db.Tries(b.Context(), r, n)
		if err != nil || len(tries) == 0 {
			b.Fatal(tries, err)
		}
		ever := 0
		for _, t := range tries {
			if t.Outcome != record.Error {
				ever++
			}
		}
		if ever != finals || tries[len(tries)-1].Outcome == record.Error {
			b.Errorf("attempt %d: %d final tries, want %d, the last of all among them: %+v", n, ever, finals, tries)
		}
	}
}

// TestChangedInTheMiddle: found while the run is under way, by the questions that are put now and then. What an earlier
// question vouched for stays.
func TestChangedInTheMiddle(t *testing.T) {
	b := setup(t, 400)
	swap := b.changing("a")
	b.spec.Concurrency = 2
	b.eng.CheckEvery = 20 * time.Millisecond
	var made atomic.Int64
	b.model.reply = func(ctx context.Context, req model.Request) (model.Reply, error) {
		time.Sleep(time.Millisecond)
		if made.Add(1) == 200 {
			good := int64(0)
			for good == 0 && ctx.Err() == nil { // until something of the run is vouched for
				ids, err := b.db.Identities(ctx, must(b.db.FindRun(ctx, "latest")))
				if err != nil {
					return model.Reply{}, err
				}
				for _, id := range ids {
					if id.Phase == "check" && id.Mark > 100 {
						good = id.Mark
					}
				}
				time.Sleep(time.Millisecond)
			}
			swap("b")
		}
		return right(req), nil
	}
	s, sum, err := b.run()
	changed, ok := errors.AsType[*ChangedError](err)
	if !ok || changed.Attempts == 0 || sum.Done < 100 || sum.Done+changed.Attempts < 190 {
		t.Fatalf("%v, %+v after %d calls", err, sum, b.model.calls.Load())
	}
	if sum.Errors != changed.Attempts {
		t.Errorf("%d errors, %d attempts are invalid", sum.Errors, changed.Attempts)
	}
	swap("a")
	b.model.reply = nil
	b.mustRun()
	if got := b.outcomes(s.Run); strings.Trim(got, ".") != "" || len(got) != 800 {
		t.Errorf("letters %s", got)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// TestChangedWhenInterrupted: the last question is put when the session is interrupted, too.
func TestChangedWhenInterrupted(t *testing.T) {
	b := setup(t, 50)
	swap := b.changing("a")
	ctx, cancel := context.WithCancel(t.Context())
	b.model.reply = func(ctx context.Context, req model.Request) (model.Reply, error) {
		if b.model.calls.Load() >= 20 {
			swap("b")
			cancel()
			<-ctx.Done()
			return model.Reply{}, model.Cancelled(ctx, record.Exchange{})
		}
		return right(req), nil
	}
	s := must(b.eng.Start(ctx, b.spec))
	sum, err := s.Execute(ctx)
	s.Close()
	if changed, ok := errors.AsType[*ChangedError](err); !ok || changed.Attempts < 16 || sum.Done != 0 || sum.Errors != changed.Attempts {
		t.Fatalf("%v, %+v", err, sum)
	}
	swap("a")
	b.model.reply = nil
	b.mustRun()
	if got := b.outcomes(s.Run); strings.Trim(got, ".") != "" {
		t.Errorf("letters %s", got)
	}
}

// TestOneOddAnswerIsNoChange: what a server says once and takes back, or does not say for once, makes nothing invalid.
func TestOneOddAnswerIsNoChange(t *testing.T) {
	good := record.Identity{Model: "m", Digest: "a", Server: "s 1", Context: 8192, Details: map[string]string{"template": "t"}}
	for name, odd := range map[string]struct {
		id    record.Identity
		err   error
		times int64
		drift string
	}{
		"said once":         {record.Identity{Model: "m", Digest: "b", Server: "s 1"}, nil, 1, ""},
		"not said any more": {record.Identity{Model: "m"}, nil, 9, "model digest: a -> none"},
		"not loaded":        {record.Identity{Model: "m", Digest: "a", Server: "s 1", Details: good.Details}, nil, 9, ""},
		"no answer":         {record.Identity{}, fault(model.FaultRejected), 9, "did not say what it is"},
	} {
		t.Run(name, func(t *testing.T) {
			b := setup(t, 3)
			b.model.who = func(n int64) (record.Identity, error) {
				if n > 1 && n <= 1+odd.times {
					return odd.id, odd.err
				}
				return good, nil
			}
			s, sum := b.mustRun()
			if got := strings.Join(sum.Drift, "; "); sum.Done != 6 || odd.drift == "" && got != "" || !strings.Contains(got, odd.drift) {
				t.Errorf("%+v", sum)
			}
			if facts := must(b.db.Facts(t.Context(), s.Run, store.FactInvalid)); len(facts) != 0 {
				t.Error("attempts are invalid")
			}
		})
	}
}

// TestWhatChangesCount: which differences make attempts invalid, and the loaded context among them.
func TestWhatChangesCount(t *testing.T) {
	was := record.Identity{Model: "m", Digest: "a", Server: "1", Context: 8192, Details: map[string]string{"template": "t", "vram_percent": "100"}}
	for _, tt := range []struct {
		change func(*record.Identity)
		want   string
	}{
		{func(id *record.Identity) {}, ""},
		{func(id *record.Identity) { id.Model = "n" }, "x: model: m -> n"},
		{func(id *record.Identity) { id.Digest = "b" }, "x: model digest: a -> b"},
		{func(id *record.Identity) { id.Server = "2" }, "x: server version: 1 -> 2"},
		{func(id *record.Identity) { id.Context = 4096 }, "x: context of the loaded model: 8192 -> 4096"},
		{func(id *record.Identity) { id.Details = map[string]string{"template": "u"} }, "x: template: t -> u"},
		{func(id *record.Identity) { id.Context = 0 }, ""},
		{func(id *record.Identity) { id.Details = map[string]string{"template": "t", "vram_percent": "50"} }, ""},
		{func(id *record.Identity) { id.Digest, id.Server, id.Details = "", "", nil }, ""},
		{func(id *record.Identity) { id.Details = map[string]string{"template": "t", "more": "x"} }, ""},
	} {
		now := was
		tt.change(&now)
		if got := strings.Join(identityChanges("x", was, now), "; "); got != tt.want {
			t.Errorf("%+v: %q, want %q", now, got, tt.want)
		}
	}
}

// TestSettledAfterAKill: a session that dies between the answer that differs and the conclusion from it, or before it could
// ask at all, is settled by the next one, whatever the model is then.
func TestSettledAfterAKill(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for many commits")
	}
	for k := int64(1); ; k++ {
		for _, after := range []bool{false, true} {
			for _, later := range []string{"a", "b"} {
				if killedWhileChanged(t, k, after, later) {
					continue
				}
				if k < 8 {
					t.Errorf("only %d writes were seen", k-1)
				}
				return
			}
		}
	}
}

// killedWhileChanged stops the store at the k-th write of a run whose model changes after the second attempt, and resumes it
// while the model is as given, and then as it was. It says whether the store died.
func killedWhileChanged(t *testing.T, k int64, after bool, later string) bool {
	t.Helper()
	b := setup(t, 2)
	swap := b.changing("a")
	b.spec.Concurrency = 1
	b.model.reply = func(_ context.Context, req model.Request) (model.Reply, error) {
		time.Sleep(linger + linger/4) // so that nearly every try is a commit of its own
		if b.model.calls.Load() == 3 {
			swap("b")
		}
		return says(req, "wrong"), nil // an answer that must not be scored
	}
	f := &failing{Store: b.db, after: after}
	f.left.Store(k)
	e := newEngine(f)
	s, err := e.Start(t.Context(), b.spec)
	if err == nil {
		_, err = s.Execute(t.Context())
		s.Close()
	}
	died := errors.Is(err, errDied)
	if _, ok := errors.AsType[*ChangedError](err); !ok && !died {
		t.Fatalf("k=%d: %v", k, err)
	}
	what := fmt.Sprintf("k=%d, after=%v, then %q", k, after, later)
	swapped := b.model.calls.Load() >= 3
	b.model.reply = nil
	if s, err := b.eng.Start(t.Context(), b.spec); err == nil && len(s.todo) == 0 { // killed before the last question
		if _, err := s.Execute(t.Context()); err != nil { // nothing is left but to grade
			t.Error(err)
		}
		s.Close()
		if drift := must(Drift(t.Context(), b.db, s.Run)); !died || len(drift) != 1 || !strings.Contains(drift[0], "4 attempts were recorded after it was last asked") {
			t.Errorf("%s: %q", what, drift)
		}
		return died
	} else if err == nil {
		s.Close()
	}
	if later == "b" && swapped { // the new model is refused
		s, err := b.eng.Start(t.Context(), b.spec)
		if err == nil {
			s.Close()
		}
		if _, ok := errors.AsType[*DifferentError](err); !ok {
			t.Errorf("%s: %v, want a refusal", what, err)
		}
		for row := range b.db.Rows(t.Context(), must(b.db.FindRun(t.Context(), "latest")), "grader-1") {
			if row.Outcome == record.Answered {
				t.Errorf("%s: attempt %d counts, and nobody knows who answered", what, row.N)
			}
		}
	}
	swap("a")
	r, sum := b.mustRun()
	// Killed before it asked again, and with the old model back at the next question, nothing shows that it was away.
	if died && later == "a" && swapped {
		seen := false
		for _, id := range must(b.db.Identities(t.Context(), r.Run)) {
			seen = seen || id.Digest == "b"
		}
		if !seen {
			return died
		}
	}
	if got := b.outcomes(r.Run); swapped && got != "...." || sum.Done != 4 || sum.Errors != 0 {
		t.Errorf("%s: letters %s, %+v", what, got, sum)
	}
	return died
}
