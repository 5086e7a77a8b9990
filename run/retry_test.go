package run

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/store"
)

func TestDelay(t *testing.T) {
	r := Retry{}.orDefault()
	tests := []struct {
		try       int
		after     time.Duration
		low, high time.Duration
	}{
		{1, 0, 250 * time.Millisecond, 500 * time.Millisecond},
		{2, 0, 500 * time.Millisecond, time.Second},
		{5, 0, 4 * time.Second, 8 * time.Second},
		{7, 0, 15 * time.Second, 30 * time.Second},
		{1000, 0, 15 * time.Second, 30 * time.Second},
		{1, 5 * time.Second, 5 * time.Second, 5 * time.Second},
		{1, time.Hour, 2 * time.Minute, 2 * time.Minute},
		{1, -time.Second, 250 * time.Millisecond, 500 * time.Millisecond},
	}
	for _, tt := range tests {
		var random uint64
		for range 1000 {
			random = random*6364136223846793005 + 1442695040888963407
			if d := r.delay(tt.try, tt.after, random); d < tt.low || d > tt.high {
				t.Fatalf("try %d, after %v: %v is not within %v and %v", tt.try, tt.after, d, tt.low, tt.high)
			}
		}
		if r.delay(tt.try, tt.after, 0) != tt.low {
			t.Errorf("try %d: the least delay is %v, want %v", tt.try, r.delay(tt.try, tt.after, 0), tt.low)
		}
	}
}

// caller gives a Caller over one fake model, and the tries that it emits.
func caller(reply func(ctx context.Context, req model.Request) (model.Reply, error)) (*Caller, *[]Tried, func(Tried) error) {
	var tried []Tried
	c := &Caller{Set: newSet(1), Models: []model.Model{&fakeModel{name: "fake/m", reply: reply}}, Rand: func() uint64 { return 0 }}
	return c, &tried, func(x Tried) error { tried = append(tried, x); return nil }
}

var oneTask = store.Task{Key: record.Key{Model: "fake/m", Posture: "plain", Item: itemID(0), Repeat: 1}, Basis: record.Exact, Tries: 2}

func TestRetryAfterIsObeyed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		var at []time.Duration
		c, tried, emit := caller(func(_ context.Context, req model.Request) (model.Reply, error) {
			at = append(at, time.Since(begun))
			if len(at) < 3 {
				return model.Reply{}, &model.Fault{Kind: model.FaultBusy, Status: 429, RetryAfter: 9 * time.Second, Msg: "slow down"}
			}
			return right(req), nil
		})
		if f, err := c.Attempt(t.Context(), oneTask, emit); f != nil || err != nil {
			t.Fatal(f, err)
		}
		if len(at) != 3 || at[1] != 9*time.Second || at[2] != 18*time.Second {
			t.Errorf("calls at %v, want 0s, 9s, 18s", at)
		}
		for i, x := range *tried {
			if x.Try != 3+i || x.Final != (i == 2) {
				t.Errorf("try %d: number %d, final %v", i, x.Try, x.Final)
			}
		}
	})
}

func TestProtocolTimeLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		c, tried, emit := caller(func(ctx context.Context, _ model.Request) (model.Reply, error) {
			<-ctx.Done()
			return model.Reply{}, model.Cancelled(ctx, record.Exchange{})
		})
		if f, err := c.Attempt(t.Context(), oneTask, emit); f != nil || err != nil {
			t.Fatal(f, err)
		}
		if d := time.Since(begun); d != 10*time.Second || len(*tried) != 1 || (*tried)[0].Transcript.Outcome != record.Timeout {
			t.Errorf("after %v: %+v, want one timeout after 10s", d, *tried)
		}
	})
}

func TestInterruptIsNoOutcome(t *testing.T) {
	why := errors.New("the user said so")
	for name, fail := range map[string]func(ctx context.Context) error{
		"cancelled":        func(ctx context.Context) error { return model.Cancelled(ctx, record.Exchange{}) },
		"a broken reply":   func(context.Context) error { return fault(model.FaultBroken) },
		"an unknown error": func(ctx context.Context) error { return ctx.Err() },
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			c, tried, emit := caller(func(ctx context.Context, _ model.Request) (model.Reply, error) {
				cancel(why)
				<-ctx.Done()
				return model.Reply{}, fail(ctx)
			})
			if _, err := c.Attempt(ctx, oneTask, emit); !errors.Is(err, why) || len(*tried) != 0 {
				t.Errorf("got %v and %d tries, want the cause and none", err, len(*tried))
			}
		})
	}
	// A reply that came in all the same is kept.
	ctx, cancel := context.WithCancel(t.Context())
	c, tried, emit := caller(func(_ context.Context, req model.Request) (model.Reply, error) {
		cancel()
		return right(req), nil
	})
	if _, err := c.Attempt(ctx, oneTask, emit); err != nil || len(*tried) != 1 || !(*tried)[0].Final {
		t.Errorf("got %v and %+v, want the answer", err, *tried)
	}
}

func TestReplayedErrorIsNotRetried(t *testing.T) {
	calls := 0
	c, tried, emit := caller(func(context.Context, model.Request) (model.Reply, error) {
		calls++
		return model.Reply{Recorded: &record.Transcript{Outcome: record.Error, Reason: "as recorded"}}, nil
	})
	f, err := c.Attempt(t.Context(), oneTask, emit)
	if f != nil || err != nil || calls != 1 || len(*tried) != 1 || (*tried)[0].Final {
		t.Errorf("fault %v, error %v, %d calls, tries %+v", f, err, calls, *tried)
	}
}

func TestPlanAndBenchDisagree(t *testing.T) {
	c, tried, emit := caller(nil)
	task := oneTask
	task.Key.Posture = "gone"
	f, err := c.Attempt(t.Context(), task, emit)
	if err != nil || f == nil || f.Kind != model.FaultOurs || len(*tried) != 1 || (*tried)[0].Transcript.Outcome != record.Error {
		t.Errorf("fault %v, error %v, tries %+v", f, err, *tried)
	}
}
