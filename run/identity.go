package run

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/store"
)

// identify asks the models that are chosen what answers behind their names; those that cannot say are left as they are.
func (s *Session) identify(ctx context.Context, chosen func(int) bool) error {
	mark, err := s.engine.Store.Mark(ctx)
	if err != nil {
		return err
	}
	for i, m := range s.spec.Models {
		if !chosen(i) {
			continue
		}
		id, err := s.engine.identify(ctx, m.Model)
		if err != nil {
			return &ModelError{Model: m.Model.Name(), Err: err}
		}
		s.start[i] = store.Identity{Model: i, Phase: "start", Taken: s.engine.Now().UTC(), Mark: mark, Identity: id}
	}
	return nil
}

func (e *Engine) identify(ctx context.Context, m model.Model) (id record.Identity, err error) {
	who, ok := m.(model.Identifier)
	if !ok {
		return record.Identity{}, nil
	}
	err = e.persist(ctx, func() error {
		id, err = askIdentity(ctx, who)
		return err
	})
	return id, err
}

func askIdentity(ctx context.Context, who model.Identifier) (id record.Identity, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, identifyTimeout, errIdentifyTimeout)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic while it was asked what it is: %s", model.OneLine(fmt.Sprint(p), 0))
		}
	}()
	return who.Identify(ctx)
}

// identifies reports whether a model of the session can say what it is.
func (s *Session) identifies(i int) bool {
	_, ok := s.spec.Models[i].Model.(model.Identifier)
	return ok
}

func (s *Session) recordIdentities(ctx context.Context, ids []store.Identity) error {
	for i, id := range ids {
		if !s.works(i) || !s.identifies(i) {
			continue
		}
		if err := s.engine.Store.SetIdentity(ctx, s.Run, id); err != nil {
			return err
		}
	}
	return nil
}

// firstIdentities gives what each model was when the run began; nil for one of which nothing was recorded.
func firstIdentities(r *store.Run, ids []store.Identity) []*record.Identity {
	out := make([]*record.Identity, len(r.Plan.Models))
	for _, id := range slices.Backward(ids) {
		if id.Phase == "start" && id.Model >= 0 && id.Model < len(out) {
			out[id.Model] = &id.Identity
		}
	}
	return out
}

// identityDifferences lists what a model and its server say otherwise than before, one line each.
func identityDifferences(name string, was, now record.Identity) []string {
	return compareIdentities(name, was, now, func(was, now string) bool { return was != now })
}

// identityChanges lists what is known to have changed: what one of the two does not say proves nothing.
func identityChanges(name string, was, now record.Identity) []string {
	return compareIdentities(name, was, now, func(was, now string) bool { return was != now && was != "" && now != "" })
}

// identityLosses lists what was known and is not any more.
func identityLosses(name string, was, now record.Identity) []string {
	return compareIdentities(name, was, now, func(was, now string) bool { return was != "" && now == "" })
}

func compareIdentities(name string, was, now record.Identity, counts func(was, now string) bool) []string {
	var d differences
	compare := func(what, was, now string) {
		if counts(was, now) {
			d.compare(name+": "+what, was, now)
		}
	}
	compare("model", was.Model, now.Model)
	compare("model digest", was.Digest, now.Digest)
	compare("server version", was.Server, now.Server)
	if was.Context > 0 && now.Context > 0 { // a model that is not loaded at the moment has none
		compare("context of the loaded model", fmt.Sprint(was.Context), fmt.Sprint(now.Context))
	}
	keys := maps.Clone(was.Details)
	if keys == nil {
		keys = map[string]string{}
	}
	maps.Copy(keys, now.Details)
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		if !slices.Contains(placement, k) {
			compare(k, was.Details[k], now.Details[k])
		}
	}
	return d
}

// placement are the details that say where a model was loaded, not what it is: they are told where they differ, and stop
// nothing.
var placement = []string{"vram_percent"}

func placementDifferences(name string, was, now record.Identity) []string {
	var d differences
	for _, k := range placement {
		if a, b := was.Details[k], now.Details[k]; a != "" && b != "" {
			d.compare(name+": "+k, a, b)
		}
	}
	return d
}

// Drift lists what a run's models and servers said of themselves later in the run and not at its beginning, the names that
// answered where these are several, which attempts are invalid for such a reason, and which were made after a model was
// last asked, one line each, from what was recorded.
func Drift(ctx context.Context, s store.Store, r *store.Run) ([]string, error) {
	ids, err := s.Identities(ctx, r)
	if err != nil {
		return nil, err
	}
	first := map[int]record.Identity{}
	var out []string
	add := func(d string) {
		if d = "changed during the run: " + d; !slices.Contains(out, d) {
			out = append(out, d)
		}
	}
	for _, id := range ids {
		if id.Model < 0 || id.Model >= len(r.Plan.Models) {
			continue
		}
		was, seen := first[id.Model]
		if !seen {
			first[id.Model] = id.Identity
			continue
		}
		name := r.Plan.Models[id.Model].Name
		for _, d := range append(identityDifferences(name, was, id.Identity), placementDifferences(name, was, id.Identity)...) {
			add(d)
		}
	}
	names, err := answeredAs(ctx, s, r)
	if err != nil {
		return nil, err
	}
	for m, all := range names {
		for _, n := range all[min(1, len(all)):] {
			add(fmt.Sprintf("%s: the name that answered: %s -> %s", r.Plan.Models[m].Name, shown(all[0]), shown(n)))
		}
	}
	invalid, err := s.Facts(ctx, r, store.FactInvalid)
	if err != nil {
		return nil, err
	}
	for i := range invalid {
		var inv store.Invalidity
		if err := invalid[i].Decode(&inv); err != nil {
			return nil, err
		}
		out = append(out, r.Plan.Models[invalid[i].Model].Name+": "+inv.String())
	}
	return appendUnasked(ctx, out, s, r, ids)
}

// appendUnasked tells of attempts that were recorded after a model was last asked what it is, in a run to which nothing
// more will come: its process was ended between the last attempt and the last question.
func appendUnasked(ctx context.Context, out []string, s store.Store, r *store.Run, ids []store.Identity) ([]string, error) {
	if pending, err := s.Pending(ctx, r, -1, 1); err != nil || len(pending) > 0 {
		return out, err
	}
	last := map[int]int64{}
	for _, id := range ids {
		last[id.Model] = max(last[id.Model], id.Mark)
	}
	for m := range r.Plan.Models {
		mark, asked := last[m]
		if !asked {
			continue
		}
		n, err := s.Recorded(ctx, r, m, mark, math.MaxInt64)
		if err != nil {
			return nil, err
		}
		if n > 0 {
			out = append(out, fmt.Sprintf("%s: %d attempts were recorded after it was last asked what it is: that it had not changed is not known", r.Plan.Models[m].Name, n))
		}
	}
	return out, nil
}
