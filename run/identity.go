package run

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/store"
)

// identify asks every model what answers behind its name.
func (s *Session) identify(ctx context.Context, models []store.PlanModel) error {
	s.start = make([]record.Identity, len(models))
	for i, m := range s.spec.Models {
		id, err := s.engine.identify(ctx, m.Model)
		if err != nil {
			return &ModelError{Model: m.Model.Name(), Err: err}
		}
		s.start[i] = id
	}
	return nil
}

func (e *Engine) identify(ctx context.Context, m model.Model) (id record.Identity, err error) {
	who, ok := m.(model.Identifier)
	if !ok {
		return record.Identity{}, nil
	}
	retry := e.Retry.orDefault()
	for try := 1; ; try++ {
		id, err = askIdentity(ctx, who)
		if err == nil || try >= retry.Tries || !model.AsFault(err).Retryable() {
			return id, err
		}
		if err := wait(ctx, retry.delay(try, model.AsFault(err).RetryAfter, e.Rand())); err != nil {
			return id, err
		}
	}
}

func askIdentity(ctx context.Context, who model.Identifier) (id record.Identity, err error) {
	ctx, cancel := context.WithTimeout(ctx, identifyTimeout)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic while it was asked what it is: %s", model.OneLine(fmt.Sprint(p), 0))
		}
	}()
	return who.Identify(ctx)
}

func (s *Session) recordIdentities(ctx context.Context, phase string, ids []record.Identity) error {
	for i, id := range ids {
		if _, ok := s.spec.Models[i].Model.(model.Identifier); !ok {
			continue
		}
		err := s.engine.Store.SetIdentity(ctx, s.Run, store.Identity{Model: i, Phase: phase, Taken: s.engine.Now().UTC(), Identity: id})
		if err != nil {
			return err
		}
	}
	return nil
}

// firstIdentities gives what each model was when the run began; nil for one of which nothing was recorded.
func (e *Engine) firstIdentities(ctx context.Context, r *store.Run) ([]*record.Identity, error) {
	ids, err := e.Store.Identities(ctx, r)
	out := make([]*record.Identity, len(r.Plan.Models))
	for _, id := range slices.Backward(ids) {
		if id.Phase == "start" && id.Model >= 0 && id.Model < len(out) {
			out[id.Model] = &id.Identity
		}
	}
	return out, err
}

// identifyEnd asks the models again, and records and compares what they say.
func (s *Session) identifyEnd(ctx context.Context) ([]string, error) {
	var drift []string
	for i, m := range s.spec.Models {
		id, err := s.engine.identify(ctx, m.Model)
		if err != nil {
			// All is recorded; a server that went away after its last answer does not undo it.
			drift = append(drift, m.Model.Name()+": did not say at the end what it is: "+model.OneLine(err.Error(), 0))
			continue
		}
		drift = append(drift, identityDifferences(m.Model.Name(), s.start[i], id)...)
		if _, ok := m.Model.(model.Identifier); ok {
			err := s.engine.Store.SetIdentity(ctx, s.Run, store.Identity{Model: i, Phase: "end", Taken: s.engine.Now().UTC(), Identity: id})
			if err != nil {
				return drift, err
			}
		}
	}
	return drift, nil
}

// identityDifferences lists what a model and its server say otherwise than before, one line each.
func identityDifferences(name string, was, now record.Identity) []string {
	var d differences
	d.compare(name+": model", was.Model, now.Model)
	d.compare(name+": model digest", was.Digest, now.Digest)
	d.compare(name+": server version", was.Server, now.Server)
	keys := maps.Clone(was.Details)
	if keys == nil {
		keys = map[string]string{}
	}
	maps.Copy(keys, now.Details)
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		d.compare(name+": "+k, was.Details[k], now.Details[k])
	}
	return d
}

// Drift lists what a run's models and servers said of themselves later in the run and not at its beginning, one line each,
// from what was recorded. Results of such a run are of two kinds.
func Drift(ctx context.Context, s store.Store, r *store.Run) ([]string, error) {
	ids, err := s.Identities(ctx, r)
	if err != nil {
		return nil, err
	}
	first := map[int]record.Identity{}
	var out []string
	for _, id := range ids {
		if id.Model < 0 || id.Model >= len(r.Plan.Models) {
			continue
		}
		was, seen := first[id.Model]
		if !seen {
			first[id.Model] = id.Identity
			continue
		}
		for _, d := range identityDifferences(r.Plan.Models[id.Model].Name, was, id.Identity) {
			if d = "changed during the run: " + d; !slices.Contains(out, d) {
				out = append(out, d)
			}
		}
	}
	return out, nil
}
