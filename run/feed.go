package run

import (
	"context"
	"iter"
	"runtime"
	"time"

	"github.com/assaybench/assay/store"
)

// feeder hands the pending attempts to the workers, each with its item compiled, so that the next call goes out at once.
// Compiling takes as long as everything else that stands between two calls, so it is done in lulls: after the first attempts,
// and whenever enough are ready, the processors are left to the calls for a while, or until half of what was ready is taken.
type feeder struct {
	ready  chan store.Task
	hungry chan struct{} // told when fewer than half of the attempts that can be ready are
	timer  *time.Timer
}

const (
	pageTasks = 256                   // attempts read from the store at once
	maxReady  = 256                   // attempts that are got ready before a worker is free for them
	lull      = 25 * time.Millisecond // in which the next attempts are not got ready, if there are enough
)

func newFeeder(concurrency int) *feeder {
	f := &feeder{ready: make(chan store.Task, min(2*concurrency, maxReady)), hungry: make(chan struct{}, 1), timer: time.NewTimer(lull)}
	f.timer.Stop()
	return f
}

// free is told by each worker that is through with an attempt and wants another.
func (f *feeder) free() {
	if len(f.ready) < cap(f.ready)/2 {
		select {
		case f.hungry <- struct{}{}:
		default: // it has been told
		}
	}
}

// put waits until there is room, and then through the lull that follows on a wait.
func (f *feeder) put(ctx context.Context, t store.Task) {
	select {
	case f.ready <- t:
		return
	default:
	}
	select {
	case f.ready <- t:
		f.rest(ctx)
	case <-ctx.Done():
	}
}

func (f *feeder) rest(ctx context.Context) {
	f.timer.Reset(lull)
	select {
	case <-f.timer.C:
	case <-f.hungry:
	case <-ctx.Done():
	}
}

// feed goes through the attempts that are to be made. One that ends in an error is not taken again in this session.
func (x *execution) feed(ctx context.Context, f *feeder, blank bool, cancel context.CancelCauseFunc) {
	defer close(f.ready)
	s := x.session
	tasks := x.pending(ctx)
	if blank && s.plan != nil {
		tasks = planned(s.plan)
	}
	sent := 0
	for t, err := range tasks {
		if err != nil {
			cancel(err)
			return
		}
		if sent++; sent > s.concurrency { // idle workers share the work on the first ones
			runtime.Gosched()
			x.ahead(t)
		}
		f.put(ctx, t)
		if sent == s.concurrency {
			f.rest(ctx)
		}
		if ctx.Err() != nil {
			return
		}
	}
}

// planned are the attempts of a run of which nothing is on record but its plan, which need not be read back.
func planned(p *Plan) iter.Seq2[store.Task, error] {
	return func(yield func(store.Task, error) bool) {
		for t := range p.tasks() {
			if !yield(t, nil) {
				return
			}
		}
	}
}

// pending reads the pending attempts page by page.
func (x *execution) pending(ctx context.Context) iter.Seq2[store.Task, error] {
	return func(yield func(store.Task, error) bool) {
		limit := min(x.session.concurrency, pageTasks) // the first ones are waited for
		for after := -1; ; limit = pageTasks {
			page, err := x.session.engine.Store.Pending(ctx, x.session.Run, after, limit)
			if err != nil {
				yield(store.Task{}, err)
				return
			}
			for _, t := range page {
				if !yield(t, nil) {
					return
				}
			}
			if len(page) < limit {
				return
			}
			after = page[len(page)-1].N
		}
	}
}

// ahead has the bench prepare an item while the models are being waited for. What is wrong with the item is told when its
// attempt is made.
func (x *execution) ahead(t store.Task) {
	defer func() { _ = recover() }()
	_, _ = x.session.spec.Set.Prompt(t.Key.Item)
}
