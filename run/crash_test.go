package run

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/store"
)

// failing is a store that dies at its k-th write, either before it reaches the disk or after, when the caller does not
// learn of it any more.
type failing struct {
	store.Store
	left  atomic.Int64
	after bool
}

var errDied = errors.New("died")

func (f *failing) write(do func() error) error {
	n := f.left.Add(-1)
	if n > 0 {
		return do()
	}
	if n == 0 && f.after {
		if err := do(); err != nil {
			return err
		}
	}
	return &store.Error{Kind: store.Failed, Msg: errDied.Error(), Err: errDied}
}

func (f *failing) Record(ctx context.Context, r *store.Run, b store.Batch) error {
	return f.write(func() error { return f.Store.Record(ctx, r, b) })
}

func (f *failing) CreateRun(ctx context.Context, r *store.Run, a iter.Seq[store.Attempt]) error {
	return f.write(func() error { return f.Store.CreateRun(ctx, r, a) })
}

func (f *failing) SetIdentity(ctx context.Context, r *store.Run, id store.Identity) error {
	return f.write(func() error { return f.Store.SetIdentity(ctx, r, id) })
}

func (f *failing) AddFacts(ctx context.Context, r *store.Run, facts ...store.Fact) error {
	return f.write(func() error { return f.Store.AddFacts(ctx, r, facts...) })
}

func (f *failing) Invalidate(ctx context.Context, r *store.Run, inv *store.Invalidity, taken time.Time) error {
	return f.write(func() error { return f.Store.Invalidate(ctx, r, inv, taken) })
}

// TestExactlyOnceAtEveryBoundary stops the store at every write there is, and resumes.
func TestExactlyOnceAtEveryBoundary(t *testing.T) {
	for _, after := range []bool{false, true} {
		t.Run(fmt.Sprintf("after=%v", after), func(t *testing.T) {
			t.Parallel()
			for k := int64(1); ; k++ {
				b := setup(t, 3)
				b.spec.Concurrency = 1
				// Killed between its plan and its models' identities, a run is resumed as well.
				b.model.id = record.Identity{Model: "m", Digest: "d1", Server: "s 1", Details: map[string]string{"listed": "yes"}}
				b.model.reply = func(_ context.Context, req model.Request) (model.Reply, error) {
					time.Sleep(linger + linger/4) // so that nearly every try is a commit of its own
					return right(req), nil
				}
				f := &failing{Store: b.db, after: after}
				f.left.Store(k)
				died := dies(b, newEngine(f))
				b.model.reply = nil
				s, sum := b.mustRun()
				if sum.Done != 6 || sum.Errors != 0 {
					t.Fatalf("k=%d: %+v", k, sum)
				}
				b.complete(s.Run, 6)
				runs := 0
				for range b.db.Runs(t.Context()) {
					runs++
				}
				if runs != 1 {
					t.Errorf("k=%d: %d runs", k, runs)
				}
				if !died {
					if k < 6 {
						t.Errorf("only %d writes were seen", k-1)
					}
					return
				}
			}
		})
	}
}

// dies runs until the store dies, and says whether it did.
func dies(b *bundle, e *Engine) bool {
	b.Helper()
	s, err := e.Start(b.Context(), b.spec)
	if err == nil {
		_, err = s.Execute(b.Context())
		s.Close()
	}
	if err != nil && !errors.Is(err, errDied) {
		b.Fatal(err)
	}
	return err != nil
}

// TestGradingIsCaughtUp stops between a transcript's commit and its verdict.
func TestGradingIsCaughtUp(t *testing.T) {
	b := setup(t, 300)
	b.spec.Repeats = 1
	f := &failing{Store: b.db}
	f.left.Store(1 << 40)
	b.set.grade = func(item string, tr record.Transcript) (record.Verdict, error) {
		f.left.Store(0) // the first verdict, and all after it, are lost
		return b.set.judge(item, tr), nil
	}
	if !dies(b, newEngine(f)) {
		t.Fatal("the store did not die")
	}
	r, err := b.db.FindRun(t.Context(), "latest")
	if err != nil {
		t.Fatal(err)
	}
	ungraded, err := b.db.Ungraded(t.Context(), r, "grader-1", false, -1, 1000)
	if err != nil || len(ungraded) == 0 {
		t.Fatalf("%d transcripts without a verdict (%v), want some", len(ungraded), err)
	}
	calls := b.model.calls.Load()
	b.set.grade = nil
	b.mustRun()
	b.complete(r, 300)
	if more := b.model.calls.Load() - calls; more+int64(len(ungraded)) != 300 {
		t.Errorf("%d more calls and %d caught up, want 300 together: no transcript is asked for twice", more, len(ungraded))
	}
}

const (
	killHelper   = "ASSAY_RUN_KILL_HELPER"
	killItems    = 300
	killAttempts = 2 * killItems
)

// killedRun is the process that the kill test ends at random moments. It appends the item of each call it makes to a
// file, so that the test can count them.
func killedRun(path string) int {
	db, err := store.Open(context.Background(), path, store.Options{})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 3
	}
	set, m := newSet(killItems), &fakeModel{name: "fake/m"}
	m.reply = func(_ context.Context, req model.Request) (model.Reply, error) {
		time.Sleep(time.Duration(rand.IntN(3)) * time.Millisecond)
		if req.Key.Repeat == 1 && rand.IntN(20) == 0 {
			return model.Reply{}, fault(model.FaultBusy)
		}
		return right(req), nil
	}
	e := &Engine{Store: db, Now: time.Now, Rand: rand.Uint64, Retry: Retry{Base: time.Millisecond, Tries: 10}}
	s, err := e.Start(context.Background(), Spec{Set: set, Digest: "bench-1", Models: []Entrant{{m, "m"}}, Concurrency: 4})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 3
	}
	if _, err := s.Execute(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 3
	}
	fmt.Println(s.Status)
	return 0
}

// TestKilledAtRandomMoments kills a real process again and again and lets another finish: every attempt is recorded
// exactly once, and totals come from rows. ASSAY_SLOW=1 kills a hundred times.
func TestKilledAtRandomMoments(t *testing.T) {
	kills := 5
	if os.Getenv("ASSAY_SLOW") != "" {
		kills = 100
	} else if testing.Short() {
		t.Skip("starts processes")
	}
	rounds, processes := 0, 0
	for done := 0; done < kills; rounds++ {
		killed, begun := killUntilFinished(t, kills-done)
		if done, processes = done+killed, processes+begun; rounds > kills {
			t.Fatalf("only %d kills in %d runs", done, rounds)
		}
	}
	t.Logf("%d kills, %d processes, %d runs", kills, processes, rounds)
}

// killUntilFinished carries out one run by processes of which it kills at most the given number.
func killUntilFinished(t *testing.T, kills int) (killed, begun int) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "assay.db")
	db, err := store.Open(t.Context(), path, store.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for finished := false; !finished; begun++ {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), killHelper+"="+path)
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		var death <-chan time.Time
		if killed < kills {
			death = time.After(time.Duration(5+rand.IntN(120)) * time.Millisecond)
		}
		select {
		case err := <-ended:
			if err != nil {
				t.Fatal(err)
			}
			finished = true
		case <-death:
			cmd.Process.Kill()
			<-ended
			killed++
		}
	}
	r, err := db.FindRun(t.Context(), "latest")
	if err != nil {
		t.Fatal(err)
	}
	b := &bundle{T: t, db: db, path: path}
	b.complete(r, killAttempts)
	verdicts := 0
	for row, err := range db.Rows(t.Context(), r, "grader-1") {
		if err != nil {
			t.Fatal(err)
		}
		if row.State == record.Graded {
			verdicts++
		}
	}
	if verdicts != killAttempts {
		t.Errorf("%d verdicts, want %d", verdicts, killAttempts)
	}
	if err := db.Check(t.Context()); err != nil {
		t.Error(err)
	}
	return killed, begun
}
