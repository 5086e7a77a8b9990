package stored

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/contention"
	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/price"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/report"
	"github.com/assaybench/assay/run"
	"github.com/assaybench/assay/store"
)

// facts are what a run's facts come to.
type facts struct {
	plan     *store.Plan
	models   []report.Model
	anyone   *report.Probe // a probe that was left out for all
	accounts []price.Account
	watched  []report.Watched
	private  bool // of a private set: servers' words may hold something of it
}

// readFacts reads everything of a run but its attempts.
func readFacts(ctx context.Context, db store.Store, r *store.Run) (*facts, error) {
	f := &facts{plan: &r.Plan, private: IsPrivate(r)}
	for _, m := range r.Plan.Models {
		rm := report.Model{Name: m.Name, Control: m.Control, Before: map[string]report.Before{}}
		if program, ok := strings.CutPrefix(m.Name, "command/"); ok { // of an agent, with the name of its model behind it
			rm.Server.Asked, rm.Program, rm.Unsealed = program, true, r.Plan.Shape == bench.ShapeAgent && !slices.Contains(r.Plan.Flags, store.FlagSealed)
		} else if spec, err := model.ParseSpec(m.Name); err == nil {
			rm.Server.Asked = spec.Name
		}
		for _, q := range m.Postures {
			if q < 0 || q >= len(r.Plan.Postures) {
				return nil, fmt.Errorf("run %s: its plan names a posture that it does not have", r.ID)
			}
			rm.Postures = append(rm.Postures, r.Plan.Postures[q])
		}
		f.models = append(f.models, rm)
	}
	ids, err := db.Identities(ctx, r)
	if err != nil {
		return nil, err
	}
	for i := range ids {
		f.identity(&ids[i])
	}
	all, err := db.Facts(ctx, r, "")
	if err != nil {
		return nil, err
	}
	for i := range all {
		if err := f.add(&all[i]); err != nil {
			return nil, err
		}
	}
	if f.anyone != nil {
		f.probeLeftOut()
	}
	return f, nil
}

// identity takes one answer to the question what answers behind a name, oldest first.
func (f *facts) identity(id *store.Identity) {
	if id.Model < 0 || id.Model >= len(f.models) {
		return
	}
	s := &f.models[id.Model].Server
	now := &report.Identity{Phase: id.Phase, Taken: id.Taken.UTC(), Model: id.Identity.Model, Digest: id.Digest, Server: id.Server, Context: id.Context, Details: id.Details}
	if now.Details == nil {
		now.Details = map[string]string{}
	}
	s.Checks++
	if s.Start == nil {
		s.Start = now
		return
	}
	s.End = now
	s.Changed = s.Changed || s.Start.Differs(now)
}

// add takes one fact, oldest first. Kinds that say nothing for a reader are left aside.
func (f *facts) add(fact *store.Fact) error {
	switch fact.Kind {
	case store.FactContention:
		return f.contention(fact)
	case store.FactCost:
		var a price.Account
		if err := fact.Decode(&a); err != nil {
			return err
		}
		f.accounts = append(f.accounts, a)
		return nil
	case store.FactProbe:
		return f.probe(fact)
	}
	if fact.Model < 0 || fact.Model >= len(f.models) {
		return nil
	}
	s := &f.models[fact.Model].Server
	switch fact.Kind {
	case store.FactReady:
		return f.ready(fact)
	case store.FactNames:
		var a run.Answered
		if err := fact.Decode(&a); err != nil {
			return err
		}
		if !f.private && !slices.Contains(s.Names, a.Name) {
			s.Names = append(s.Names, a.Name)
		}
	case store.FactConcurrency:
		var c run.Concurrency
		if err := fact.Decode(&c); err != nil {
			return err
		}
		s.Concurrency = append(s.Concurrency, c)
	case store.FactInvalid:
		var inv store.Invalidity
		if err := fact.Decode(&inv); err != nil {
			return err
		}
		s.Invalid = append(s.Invalid, report.Invalid{Attempts: inv.Attempts, Reason: inv.Reason, Differences: inv.Differences, From: inv.From, To: inv.To})
	}
	return nil
}

// before changes what is known of a model at a posture before its first call; nothing where the plan has no such pair.
func (f *facts) before(model, posture int, change func(*report.Before)) {
	if model < 0 || model >= len(f.models) || posture < 0 || posture >= len(f.plan.Postures) {
		return
	}
	name := f.plan.Postures[posture]
	if !slices.Contains(f.models[model].Postures, name) {
		return
	}
	b := f.models[model].Before[name]
	change(&b)
	f.models[model].Before[name] = b
}

func (f *facts) ready(fact *store.Fact) error {
	var r model.Readiness
	if err := fact.Decode(&r); err != nil {
		return err
	}
	f.before(fact.Model, fact.Posture, func(b *report.Before) {
		load := r.Load
		if b.Ready != nil {
			load = max(load, b.Ready.LoadNS) // a later session found it loaded
		}
		b.Ready = &report.Ready{Context: r.Context, LoadNS: load, Settings: append([]record.Setting{}, r.Settings...)}
	})
	return nil
}

// probe takes a probe; the last one that was sent stands, whatever later sessions left out.
func (f *facts) probe(fact *store.Fact) error {
	var p run.Probe
	if err := fact.Decode(&p); err != nil {
		return err
	}
	if f.private {
		p.Why = ""
	}
	probe := &report.Probe{State: p.State, Why: p.Why, Bytes: p.Bytes, Longest: p.Longest, Item: p.Item}
	if fact.Model < 0 {
		f.anyone = probe
		return nil
	}
	f.before(fact.Model, fact.Posture, func(b *report.Before) { b.Probe = probe })
	return nil
}

// probeLeftOut says of each server that has no probe why there is none. Programs, replays and controls are no servers.
func (f *facts) probeLeftOut() {
	for i := range f.models {
		m := &f.models[i]
		provider, _, _ := strings.Cut(m.Name, "/")
		if m.Control || provider == "command" || provider == "replay" || provider == "control" {
			continue
		}
		for _, p := range m.Postures {
			if b := m.Before[p]; b.Probe == nil {
				b.Probe = f.anyone
				m.Before[p] = b
			}
		}
	}
}

// contention takes a session's document. One that this program cannot read is said to be there.
func (f *facts) contention(fact *store.Fact) error {
	body, err := fact.JSON()
	if err != nil {
		return err
	}
	w := report.Watched{Taken: fact.Taken.UTC()}
	if fact.Model >= 0 && fact.Model < len(f.models) {
		w.Model = f.models[fact.Model].Name
	}
	canonical, err := record.Canonical(jsontext.Value(body))
	if err == nil {
		w.Document, err = contention.Decode(canonical)
	}
	if err != nil {
		w.Document, w.Unread = nil, model.OneLine(err.Error(), 0)
	}
	f.watched = append(f.watched, w)
	return nil
}
