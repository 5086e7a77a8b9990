package run

import (
	"cmp"
	"context"
	"time"

	"github.com/assaybench/assay/model"
)

// Retry says how often and when a call that failed by a declared fault is made again. Zero fields mean the defaults.
type Retry struct {
	Tries     int           // calls at most, in one session; default 3
	BusyTries int           // calls at most while the server says that it is busy; default 8
	Base      time.Duration // before the second try; doubles with each further one; default 500 ms
	Max       time.Duration // of a delay of our own; default 30 s
	MaxAfter  time.Duration // of a delay that the server asked for; default 2 min
}

func (r Retry) orDefault() Retry {
	return Retry{
		Tries:     cmp.Or(r.Tries, 3),
		BusyTries: max(cmp.Or(r.BusyTries, 8), r.Tries),
		Base:      cmp.Or(r.Base, 500*time.Millisecond),
		Max:       cmp.Or(r.Max, 30*time.Second),
		MaxAfter:  cmp.Or(r.MaxAfter, 2*time.Minute),
	}
}

// of is the number of calls at most when the last one ended in f: a busy server asks for patience, and gets it.
func (r Retry) of(f *model.Fault) int {
	if f.Kind == model.FaultBusy {
		return r.BusyTries
	}
	return r.Tries
}

// persist makes a call by itself, outside any attempt, and again after faults that may pass.
func (e *Engine) persist(ctx context.Context, call func() error) error {
	retry := e.Retry.orDefault()
	for try := 1; ; try++ {
		err := call()
		if err == nil || ctx.Err() != nil {
			return err
		}
		f := model.AsFault(err)
		if !f.Retryable() || try >= retry.of(f) {
			return err
		}
		if err := wait(ctx, retry.delay(try, f.RetryAfter, e.Rand())); err != nil {
			return err
		}
	}
}

// delay is the wait after the failed try of that number (from 1): exponential, of which the upper half is drawn by lot
// so that callers do not come back all at once, and never less than what the server asked for within the bound.
func (r Retry) delay(try int, after time.Duration, random uint64) time.Duration {
	d := r.Max
	if shift := try - 1; shift < 30 && r.Base<<shift < r.Max {
		d = r.Base << shift
	}
	half := d / 2
	if half > 0 {
		d = half + time.Duration(random%uint64(half+1))
	}
	return max(d, min(after, r.MaxAfter))
}

// wait waits, or ends early with ctx's error.
func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
