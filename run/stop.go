package run

import (
	"context"
	"fmt"
	"sync"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/store"
)

// inRow counts attempts of one model that failed in a row and in the same way.
type inRow struct {
	mu   sync.Mutex
	what string
	n    int
}

// add counts an attempt; what is "" for one that did not fail so.
func (r *inRow) add(what string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	if what == "" || what != r.what {
		r.what, r.n = what, 0
	}
	if what != "" {
		r.n++
	}
	return r.n
}

// reached stops the run when attempt after attempt of a model finds no server, or has its request turned down with the same
// words, instead of going through all the rest.
func (x *execution) reached(t store.Task, fault *model.Fault) error {
	what := ""
	if fault != nil && fault.Kind == model.FaultUnreachable {
		what = string(fault.Kind)
	}
	if fault != nil && fault.Kind == model.FaultRejected {
		what = fault.Error()
	}
	if n := x.rows[t.Model].add(what); n >= max(10, 2*x.session.concurrency) {
		return &StopError{Model: t.Key.Model, Fault: fault, InRow: n}
	}
	return nil
}

// unhonoured is why a run under a protocol that wants every setting honoured cannot go on after an attempt; nil: it can.
func (x *execution) unhonoured(t *record.Transcript) error {
	proto := &x.session.spec.Set.Bench().Protocol
	if proto.Unhonoured != bench.UnhonouredRefuse {
		return nil
	}
	for _, s := range t.Settings {
		if s.State == record.SettingNotAccepted || s.State == record.SettingNotHonoured {
			hint := ""
			if s.Name == "schema" {
				hint = "; " + withoutSchema
			}
			return fmt.Errorf("%s %s: %s (%s), and the protocol wants every setting honoured (unhonoured: refuse)%s", s.Name, s.Asked, s.State, model.OneLine(s.Why, 0), hint)
		}
	}
	return nil
}

// warm makes a model ready again before its first attempt where others were made ready after it: on one accelerator they take
// each other's place, and loading would count as the attempt's own time.
func (x *execution) warm(ctx context.Context, t store.Task) (err error) {
	s := x.session
	if len(s.asked) < 2 || !s.asked[t.Model] {
		return nil
	}
	x.warmed[t.Model].Do(func() {
		who := s.spec.Models[t.Model].Model.(model.Preparer) // only such a one is asked
		_, err = s.makeReady(ctx, who, t.Key.Posture)
		if err != nil && ctx.Err() == nil {
			err = &StopError{Model: t.Key.Model, Err: fmt.Errorf("it could not be made ready again: %w", err)}
		}
	})
	return err
}
