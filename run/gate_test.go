package run

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/store"
)

var tooBusy = &model.Fault{Kind: model.FaultBusy, Status: 429, Msg: "slow down"}

func TestGateFollowsTheServer(t *testing.T) {
	at := time.Unix(1_800_000_000, 0).UTC()
	g := NewGate(1, 8, func() time.Time { return at })
	enter := func(n int) []pass {
		t.Helper()
		out := make([]pass, n)
		for i := range out {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			p, err := g.enter(ctx, 0)
			cancel()
			if err != nil {
				t.Fatal(err)
			}
			out[i] = p
		}
		return out
	}
	leave := func(f *model.Fault, ps ...pass) {
		for _, p := range ps {
			g.leave(p, f)
		}
	}
	limit := func() int { return g.lanes[0].limit }
	steps := []struct {
		name string
		do   func()
		want int
	}{
		{"the ceiling at first", func() {}, 8},
		{"a round trip of busy answers halves it once", func() { leave(tooBusy, enter(8)...) }, 4},
		{"answers to calls of the round before change nothing", func() {
			ps := enter(4)
			leave(tooBusy, ps[0])
			leave(nil, ps[1:]...)
		}, 2},
		{"at least one", func() { leave(tooBusy, enter(1)...); leave(tooBusy, enter(1)...) }, 1},
		{"one call taken makes two", func() { leave(nil, enter(1)...) }, 2},
		{"two more make three", func() { leave(nil, enter(2)...) }, 3},
		{"other faults neither count nor break the row", func() {
			leave(nil, enter(1)...)
			leave(&model.Fault{Kind: model.FaultServer}, enter(3)...)
			leave(nil, enter(2)...)
		}, 4},
		{"never above the ceiling", func() {
			for range 100 {
				leave(nil, enter(4)...)
			}
		}, 8},
	}
	for _, s := range steps {
		if s.do(); limit() != s.want {
			t.Errorf("%s: %d, want %d", s.name, limit(), s.want)
		}
	}
	h := g.history(0)
	var got []int
	for _, c := range h.Changes {
		if !c.At.Equal(at) || c.Why == "" {
			t.Errorf("%+v", c)
		}
		got = append(got, c.Limit)
	}
	if d := cmp.Diff([]int{4, 2, 1, 2, 3, 4, 5, 6, 7, 8}, got); d != "" || h.Least != 1 || h.Last != 8 || h.Ceiling != 8 || h.Busy != 11 || h.Changes[0].Why != "the server was busy: busy (HTTP 429): slow down" {
		t.Errorf("%+v\n%s", h, d)
	}
	if g.flying != 0 || g.lanes[0].flying != 0 || len(g.limits(func(int) string { return "m" })) != 0 {
		t.Errorf("%d calls are left over", g.flying)
	}
	leave(tooBusy, enter(1)...)
	if d := cmp.Diff([]Limit{{"m", 4, 8}}, g.limits(func(int) string { return "m" })); d != "" {
		t.Error(d)
	}
	for range 2 * maxChanges {
		leave(tooBusy, enter(1)...)
		leave(nil, enter(1)...)
	}
	if h := g.history(0); len(h.Changes) != maxChanges || h.Dropped == 0 {
		t.Errorf("%d changes are kept, %d dropped", len(h.Changes), h.Dropped)
	}
}

// TestGateHolds: never more calls than a model's limit and the ceiling over all models, first come first served within a
// model, and nothing is lost when callers give up.
func TestGateHolds(t *testing.T) {
	g := NewGate(2, 3, time.Now)
	a, b := make([]pass, 0), make([]pass, 0)
	for range 2 {
		p, _ := g.enter(t.Context(), 0)
		a = append(a, p)
	}
	p, _ := g.enter(t.Context(), 1)
	b = append(b, p)
	order := make(chan string, 10)
	var wg sync.WaitGroup
	wait := func(name string, ctx context.Context, m int) {
		before := g.waiting()
		wg.Go(func() {
			p, err := g.enter(ctx, m)
			if err != nil {
				order <- name + " gave up: " + err.Error()
				return
			}
			order <- name
			g.leave(p, nil)
		})
		for g.waiting() == before {
			time.Sleep(time.Millisecond)
		}
	}
	quit, giveUp := context.WithCancelCause(t.Context())
	wait("first", t.Context(), 0)
	wait("second", quit, 0)
	wait("third", t.Context(), 1)
	giveUp(errors.New("enough"))
	if got := <-order; got != "second gave up: enough" {
		t.Error(got)
	}
	g.leave(a[0], nil)
	if got := []string{<-order, <-order}; got[0] != "first" || got[1] != "third" {
		t.Errorf("%q", got)
	}
	wg.Wait()
	g.leave(a[1], nil)
	g.leave(b[0], nil)
	if g.flying != 0 || g.waiting() != 0 {
		t.Errorf("%d calls and %d waiting are left over", g.flying, g.waiting())
	}
	var none *Gate
	p, err := none.enter(t.Context(), 0)
	none.leave(p, tooBusy)
	if err != nil || none.limits(nil) != nil {
		t.Error("no gate lets everything through")
	}
}

func (g *Gate) waiting() (n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for i := range g.lanes {
		n += len(g.lanes[i].queue)
	}
	return n
}

// TestGateUnderLoad lets many callers come, fail, give up and go at once.
func TestGateUnderLoad(t *testing.T) {
	g := NewGate(3, 5, time.Now)
	var flying, most atomic.Int64
	var wg sync.WaitGroup
	for i := range 40 {
		wg.Go(func() {
			for j := range 200 {
				ctx, cancel := context.WithCancel(context.Background())
				if (i+j)%7 == 0 {
					time.AfterFunc(time.Duration(j%5)*10*time.Microsecond, cancel)
				}
				p, err := g.enter(ctx, (i+j)%3)
				cancel()
				if err != nil {
					continue
				}
				n := flying.Add(1)
				for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
				}
				f := (*model.Fault)(nil)
				if (i*j)%11 == 0 {
					f = tooBusy
				}
				flying.Add(-1)
				g.leave(p, f)
			}
		})
	}
	wg.Wait()
	if g.flying != 0 || g.waiting() != 0 || most.Load() > 5 {
		t.Errorf("%d flying, %d waiting, at most %d at once", g.flying, g.waiting(), most.Load())
	}
	for i := range g.lanes {
		if l := &g.lanes[i]; l.flying != 0 || l.limit < 1 || l.limit > 5 {
			t.Errorf("model %d: %+v", i, l)
		}
	}
}

// TestBusyServersGetPatience: more tries than other faults get, at the time that the server asked for.
func TestBusyServersGetPatience(t *testing.T) {
	for name, tt := range map[string]struct {
		fault *model.Fault
		retry Retry
		calls int
		after time.Duration
	}{
		"busy":            {&model.Fault{Kind: model.FaultBusy, RetryAfter: 10 * time.Second}, Retry{Base: time.Millisecond}, 8, 70 * time.Second},
		"busy, fewer":     {&model.Fault{Kind: model.FaultBusy, RetryAfter: 10 * time.Second}, Retry{Base: time.Millisecond, BusyTries: 2}, 2, 10 * time.Second},
		"another fault":   {&model.Fault{Kind: model.FaultServer}, Retry{Base: 2, Max: 2}, 3, 2},
		"tries of theirs": {&model.Fault{Kind: model.FaultBusy, RetryAfter: time.Second}, Retry{Base: time.Millisecond, Tries: 10}, 10, 9 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			begun, calls := time.Now(), 0
			c, _, emit := caller(func(context.Context, model.Request) (model.Reply, error) {
				calls++
				return model.Reply{}, tt.fault
			})
			c.Retry = tt.retry
			if f, err := c.Attempt(t.Context(), oneTask, emit); f != tt.fault || err != nil {
				t.Errorf("%s: %v, %v", name, f, err)
			}
			if d := time.Since(begun); calls != tt.calls || d != tt.after {
				t.Errorf("%s: %d calls within %v, want %d and %v", name, calls, d, tt.calls, tt.after)
			}
		})
	}
}

// TestTheGateIsNotTheModelsTime: waiting before the gate costs nothing of the posture's time limit.
func TestTheGateIsNotTheModelsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		c, tried, emit := caller(func(ctx context.Context, req model.Request) (model.Reply, error) {
			<-ctx.Done()
			return model.Reply{}, model.Cancelled(ctx, record.Exchange{})
		})
		c.Gate = NewGate(1, 1, time.Now)
		p, _ := c.Gate.enter(t.Context(), 0)
		time.AfterFunc(time.Hour, func() { c.Gate.leave(p, nil) })
		if _, err := c.Attempt(t.Context(), oneTask, emit); err != nil {
			t.Fatal(err)
		}
		if d := time.Since(begun); d != time.Hour+10*time.Second || (*tried)[0].Transcript.Outcome != record.Timeout {
			t.Errorf("%v, %+v", d, (*tried)[0].Transcript.Outcome)
		}
	})
}

// TestWaitingForARetryHoldsNoPlace: while attempts wait before their next try, others are made, as many at once as before.
func TestWaitingForARetryHoldsNoPlace(t *testing.T) {
	b := setup(t, 30)
	b.spec.Concurrency, b.spec.Repeats = 2, 1
	b.eng.Retry = Retry{Base: 300 * time.Millisecond, Max: 300 * time.Millisecond}
	b.eng.Rand = func() uint64 { return 1 << 60 }
	var failed sync.Map
	var flying, most, during atomic.Int64
	var resting atomic.Bool
	b.model.reply = func(_ context.Context, req model.Request) (model.Reply, error) {
		n := flying.Add(1)
		defer flying.Add(-1)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		if req.Key.Item < itemID(2) {
			if _, twice := failed.LoadOrStore(req.Key.Item, true); !twice {
				time.AfterFunc(100*time.Millisecond, func() { resting.Store(false) })
				resting.Store(true)
				return model.Reply{}, fault(model.FaultServer)
			}
		} else if resting.Load() {
			during.Add(1)
		}
		time.Sleep(time.Millisecond)
		return right(req), nil
	}
	s, _ := b.mustRun()
	b.complete(s.Run, 30)
	if during.Load() < 20 || most.Load() > 2 {
		t.Errorf("%d attempts were made while two waited, and %d at once", during.Load(), most.Load())
	}
}

// TestBusyServerSlowsTheRun: a server that takes two calls at once is found out, nothing is lost, and the history is in the
// run.
func TestBusyServerSlowsTheRun(t *testing.T) {
	b := setup(t, 100)
	b.spec.Concurrency, b.spec.Repeats = 16, 1
	b.eng.Retry = Retry{Base: time.Millisecond, Max: 4 * time.Millisecond, BusyTries: 100}
	var flying atomic.Int64
	b.model.reply = func(_ context.Context, req model.Request) (model.Reply, error) {
		defer flying.Add(-1)
		if flying.Add(1) > 2 {
			time.Sleep(100 * time.Microsecond)
			return model.Reply{}, tooBusy
		}
		time.Sleep(time.Millisecond)
		return right(req), nil
	}
	var slowed atomic.Int64
	b.eng.Observe = func(s Snapshot) {
		for _, l := range s.Limits {
			if l.Model != "fake/m" || l.Ceiling != 16 || l.Limit >= 16 {
				t.Errorf("%+v", l)
			}
			slowed.Add(1)
		}
	}
	s, sum := b.mustRun()
	b.complete(s.Run, 100)
	facts := must(b.db.Facts(t.Context(), s.Run, store.FactConcurrency))
	var h Concurrency
	if len(facts) != 1 || facts[0].Model != 0 {
		t.Fatalf("%+v", facts)
	}
	if err := facts[0].Decode(&h); err != nil || h.Ceiling != 16 || h.Least > 2 || h.Busy == 0 || h.Calls != b.model.calls.Load() || len(h.Changes) < 3 || h.Changes[0].Limit != 8 || slowed.Load() == 0 {
		t.Errorf("%+v, %v, told %d times", h, err, slowed.Load())
	}
	if sum.Errors != 0 {
		t.Errorf("%+v", sum)
	}
}

func BenchmarkGate(b *testing.B) {
	g := NewGate(2, 64, time.Now)
	ctx := context.Background()
	b.RunParallel(func(pb *testing.PB) {
		for i := 0; pb.Next(); i++ {
			p, err := g.enter(ctx, i%2)
			if err != nil {
				panic(fmt.Sprint(err))
			}
			g.leave(p, nil)
		}
	})
}
