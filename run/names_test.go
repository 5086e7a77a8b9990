package run

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/store"
)

// TestNamesThatAnswered: a name that stands for another snapshot from some moment on is told, across sessions.
func TestNamesThatAnswered(t *testing.T) {
	b := setup(t, 10)
	b.spec.Concurrency, b.spec.Repeats = 1, 1
	b.model.reply = func(_ context.Context, req model.Request) (model.Reply, error) {
		rep := right(req)
		switch n := b.model.calls.Load(); {
		case n == 3:
			return model.Reply{}, fault(model.FaultRejected)
		case n > 10:
			rep.Model = "m-2026-03-01"
		case n > 5:
			rep.Model = "m-2026-02-01\n\x1b[31m"
		default:
			rep.Model = "m-2026-01-01"
		}
		return rep, nil
	}
	s, _ := b.mustRun()
	if drift := must(Drift(t.Context(), b.db, s.Run)); !cmp.Equal(drift, []string{`changed during the run: fake/m: the name that answered: m-2026-01-01 -> m-2026-02-01 \x1b[31m`}) {
		t.Errorf("%q", drift)
	}
	b.mustRun()
	b.complete(s.Run, 10)
	drift := must(Drift(t.Context(), b.db, s.Run))
	if len(drift) != 2 || !strings.HasSuffix(drift[1], "m-2026-01-01 -> m-2026-03-01") {
		t.Errorf("%q", drift)
	}
	if facts := must(b.db.Facts(t.Context(), s.Run, store.FactNames)); len(facts) != 3 {
		t.Errorf("%d facts", len(facts))
	}
}

func TestManyNamesAreBounded(t *testing.T) {
	b := setup(t, 100)
	b.spec.Repeats = 1
	b.model.reply = func(_ context.Context, req model.Request) (model.Reply, error) {
		rep := right(req)
		rep.Model = fmt.Sprint("m", b.model.calls.Load())
		return rep, nil
	}
	s, _ := b.mustRun()
	if facts := must(b.db.Facts(t.Context(), s.Run, store.FactNames)); len(facts) != maxNames {
		t.Errorf("%d facts", len(facts))
	}
}

// TestRemoteModelStopsTheRun: a local name behind which another machine answers.
func TestRemoteModelStopsTheRun(t *testing.T) {
	b := setup(t, 50)
	b.model.reply = func(ctx context.Context, req model.Request) (model.Reply, error) {
		if req.Key.Item < itemID(7) {
			return right(req), nil
		}
		rep := right(req)
		rep.Remote = "https://cloud.example:443"
		return rep, nil
	}
	_, sum, err := b.run()
	stop, ok := errors.AsType[*StopError](err)
	if !ok || stop.Model != "fake/m" || !strings.Contains(err.Error(), "handed the call on to another machine (https://cloud.example:443)") || strings.Contains(err.Error(), "\n") || sum.Done > 16 {
		t.Errorf("%v, %+v", err, sum)
	}
}

// TestAllowStopsTheRun: the try that goes beyond what is allowed is recorded, and the run can be resumed.
func TestAllowStopsTheRun(t *testing.T) {
	b := setup(t, 50)
	b.spec.Concurrency = 1
	b.long(longPrompt) // a probe's usage counts too
	var mu sync.Mutex
	spent := int64(0)
	why := errors.New("0.07 of 0.05 are spent (--max-cost)")
	b.spec.Allow = func(m int, _ record.Outcome, u record.Usage) error {
		mu.Lock()
		defer mu.Unlock()
		if m != 0 || u.Output == nil {
			t.Errorf("model %d, %+v", m, u)
		} else if spent += *u.Output; spent >= 70 {
			return why
		}
		return nil
	}
	s, sum, err := b.run()
	if stop, ok := errors.AsType[*StopError](err); !ok || !errors.Is(err, why) || stop.Fault != nil || sum.Done != 9 ||
		err.Error() != "model fake/m: 0.07 of 0.05 are spent (--max-cost); what was answered is recorded, and the run can be resumed" {
		t.Errorf("%v, %+v", err, sum)
	}
	if _, err := b.eng.Start(t.Context(), b.spec); !errors.Is(err, why) {
		t.Errorf("%v, want that the probe is not paid for", err)
	}
	b.spec.Allow, b.spec.NoProbe = nil, true
	b.model.calls.Store(9)
	b.mustRun()
	b.complete(s.Run, 100)
	if n := b.model.calls.Load(); n != 100 {
		t.Errorf("%d calls", n)
	}
}
