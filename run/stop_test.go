package run

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/store"
)

func TestTerminalFaultStopsTheRun(t *testing.T) {
	b := setup(t, 50)
	b.model.reply = func(ctx context.Context, req model.Request) (model.Reply, error) {
		switch {
		case req.Key.Item == itemID(7):
			return model.Reply{}, fault(model.FaultDenied)
		case req.Key.Item > itemID(7):
			<-ctx.Done() // until the stop cancels what is in flight
			return model.Reply{}, model.Cancelled(ctx, record.Exchange{})
		}
		return right(req), nil
	}
	s, sum, err := b.run()
	stop, ok := errors.AsType[*StopError](err)
	if !ok || stop.Model != "fake/m" || !strings.Contains(err.Error(), "denied: made by the test") || sum.Errors != 1 || sum.Done < 4 || sum.Done > 7 {
		t.Fatalf("got %v (%+v), want a stop at the denied call", err, sum)
	}
	b.model.reply = nil
	b.mustRun()
	b.complete(s.Run, 100)
}

func TestAServerThatIsGoneStopsTheRun(t *testing.T) {
	b := setup(t, 500)
	b.model.reply = func(_ context.Context, req model.Request) (model.Reply, error) {
		return model.Reply{}, fault(model.FaultUnreachable)
	}
	_, sum, err := b.run()
	if stop, ok := errors.AsType[*StopError](err); !ok || stop.InRow != 10 || sum.Errors > 20 {
		t.Errorf("got %v, errors %d", err, sum.Errors)
	}
}

func TestInterrupt(t *testing.T) {
	b := setup(t, 100)
	ctx, cancel := context.WithCancel(t.Context())
	b.model.reply = func(ctx context.Context, req model.Request) (model.Reply, error) {
		if b.model.calls.Load() == 40 {
			cancel()
		}
		if b.model.calls.Load() >= 40 {
			<-ctx.Done()
			return model.Reply{}, model.Cancelled(ctx, record.Exchange{})
		}
		return right(req), nil
	}
	s, err := b.eng.Start(ctx, b.spec)
	if err != nil {
		t.Fatal(err)
	}
	sum, err := s.Execute(ctx)
	s.Close()
	i, ok := errors.AsType[*Interrupted](err)
	if !ok || !errors.Is(err, ErrInterrupted) || i.Planned != 200 || i.Done != sum.Done {
		t.Fatalf("got %v, %+v", err, sum)
	}
	if sum.Done < 36 || sum.Done > 39 || sum.Errors != 0 {
		t.Errorf("done %d, errors %d: what was answered is recorded, what was cancelled is not", sum.Done, sum.Errors)
	}
	b.model.reply = nil
	b.mustRun()
	b.complete(s.Run, 200)
	if n := b.model.calls.Load(); n > 204 {
		t.Errorf("%d calls for 200 attempts and 4 cancelled ones", n)
	}
}

func TestInterruptWhileWaitingToRetry(t *testing.T) {
	b := setup(t, 2)
	b.eng.Retry = Retry{Base: time.Hour, Max: time.Hour}
	b.model.reply = func(context.Context, model.Request) (model.Reply, error) {
		return model.Reply{}, fault(model.FaultBusy)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var waiting atomic.Int64
	b.eng.Observe = func(s Snapshot) {
		if s.Retries == 4 && waiting.Add(1) == 2 {
			cancel()
		}
	}
	s, err := b.eng.Start(ctx, b.spec)
	if err != nil {
		t.Fatal(err)
	}
	sum, err := s.Execute(ctx)
	s.Close()
	if !errors.Is(err, ErrInterrupted) || sum.Errors != 4 || sum.Done != 0 {
		t.Errorf("got %v, %+v", err, sum)
	}
}

func TestSecondSessionIsRefused(t *testing.T) {
	b := setup(t, 5)
	s, err := b.eng.Start(t.Context(), b.spec)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	_, err = newEngine(b.db).Start(t.Context(), b.spec)
	if store.KindOf(err) != store.Held || !strings.Contains(err.Error(), "is working on run "+s.Run.ID) {
		t.Errorf("got %v, want that the run is held", err)
	}
	if _, err := b.eng.Regrade(t.Context(), s.Run, b.set, "bench-1", false, nil); store.KindOf(err) != store.Held {
		t.Errorf("a re-grading beside a session: %v", err)
	}
}

func TestHugeTranscriptIsAnErrorOfOurs(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a gigabyte of memory")
	}
	tried := Tried{Task: store.Task{N: 3, Key: record.Key{Item: "big"}}, Try: 1, Final: true,
		Transcript: record.Transcript{Outcome: record.Answered, Answer: strings.Repeat("x", store.MaxTranscript)}}
	_, err := tried.Pack()
	if err != nil || tried.Final || tried.Transcript.Outcome != record.Error || !strings.Contains(tried.Transcript.Reason, "item big") {
		t.Errorf("got %+v, %v", tried.Transcript, err)
	}
}

func TestFullDiskStopsTheRunAndLosesNothing(t *testing.T) {
	b := setup(t, 400)
	b.db.Close()
	small, err := store.Open(t.Context(), b.path, store.Options{MaxPages: 60})
	if err != nil {
		t.Fatal(err)
	}
	s, err := newEngine(small).Start(t.Context(), b.spec)
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Execute(t.Context())
	if store.KindOf(err) != store.Full || strings.Contains(err.Error(), "\n") {
		t.Errorf("got %v, want one line about a full disk", err)
	}
	if err := errors.Join(s.Close(), small.Close()); err != nil {
		t.Fatal(err)
	}
	if b.db, err = store.Open(t.Context(), b.path, store.Options{}); err != nil {
		t.Fatal(err)
	}
	defer b.db.Close()
	b.eng = newEngine(b.db)
	b.mustRun()
	b.complete(s.Run, 800)
}
