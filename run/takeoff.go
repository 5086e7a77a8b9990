package run

import (
	"context"
	"fmt"
	"slices"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/store"
)

// takeOff asks the models what they are, makes them ready, holds them against what they were or records the plan of a new
// run, and probes them.
func (s *Session) takeOff(ctx context.Context, p *Plan, key string) error {
	plan := &p.Plan
	var begin store.Tally // nil: a new run
	if s.Run != nil {
		// What a session that was killed could not settle any more.
		if _, err := s.engine.settle(ctx, s.Run); err != nil {
			return err
		}
		plan = &s.Run.Plan
		var err error
		if begin, err = s.engine.Store.Tally(ctx, s.Run, plan.Grader); err != nil {
			return err
		}
	}
	s.start = make([]store.Identity, len(plan.Models))
	s.todo = duties(plan, begin)
	if err := s.identify(ctx, s.works); err != nil {
		return err
	}
	if err := s.compatible(ctx, p, false); err != nil { // before minutes go into loading the wrong model
		return err
	}
	ready, asked, err := s.prepare(ctx, plan)
	if err != nil {
		return err
	}
	if len(asked) > 0 { // what is loaded is known only now
		if err := s.identify(ctx, func(i int) bool { return asked[i] }); err != nil {
			return err
		}
	}
	if err := s.compatible(ctx, p, true); err != nil {
		return err
	}
	s.asked = asked
	s.crowded()
	if s.Run == nil {
		if err := s.create(ctx, p, key); err != nil {
			return err
		}
	}
	if err := s.recordIdentities(ctx, s.start); err != nil {
		return err
	}
	if err := s.engine.Store.AddFacts(ctx, s.Run, ready...); err != nil {
		return err
	}
	if err := s.probe(ctx); err != nil {
		return err
	}
	if s.Begin = begin; begin == nil {
		s.Begin = p.tally()
	}
	return nil
}

// crowded warns of calls that would wait inside a server while their time runs.
func (s *Session) crowded() {
	for i, m := range s.spec.Models {
		if l, ok := m.Model.(model.Slots); ok && s.works(i) && l.Slots() > 0 && s.concurrency > l.Slots() {
			s.engine.note("warning: model %s: %d calls at once, and its server works on %d at a time unless it was started otherwise: the others wait while their time runs", m.Model.Name(), s.concurrency, l.Slots())
		}
	}
}

// compatible holds what the models say against what the protocol needs and, in an old run, against what they said at its
// beginning. Of a model that is still to be made ready, what depends on its being loaded is left aside.
func (s *Session) compatible(ctx context.Context, p *Plan, ready bool) error {
	for i, id := range s.start {
		if !ready && s.prepares(i) {
			continue
		}
		if err := holds(p.Models[i].Name, id.Context, p.protocol); err != nil {
			return err
		}
	}
	if s.Run == nil {
		return nil
	}
	ids, err := s.engine.Store.Identities(ctx, s.Run)
	if err != nil {
		return err
	}
	var all []string
	for i, was := range firstIdentities(s.Run, ids) {
		if was == nil || !s.works(i) { // killed before the models were recorded, a run has no attempt yet
			continue
		}
		name, now := s.Run.Plan.Models[i].Name, s.start[i].Identity
		if !ready && s.prepares(i) {
			now.Context, now.Details = 0, was.Details
		}
		all = append(all, identityDifferences(name, *was, now)...)
		if changes := identityChanges(name, *was, now); len(changes) > 0 {
			// A session that was killed could not ask any more: what it recorded since it last did may be of either kind.
			tail := doubtful{model: i, after: vouchedFor(s.Run, ids, i), upto: s.start[i].Mark, differences: changes}
			n, err := s.engine.invalidate(ctx, s.Run, tail)
			if err != nil {
				return err
			}
			if n > 0 {
				all = append(all, fmt.Sprintf("%s: %d attempts since it was last known to be unchanged are invalid", name, n))
			}
		}
	}
	if len(all) > 0 {
		return &DifferentError{Run: s.Run, Differences: all}
	}
	return nil
}

// works reports whether a model has attempts to make in this session. Of others nothing is asked.
func (s *Session) works(i int) bool {
	return slices.ContainsFunc(s.todo, func(d duty) bool { return d.model == i })
}

func (s *Session) prepares(i int) bool {
	_, ok := s.spec.Models[i].Model.(model.Preparer)
	return ok
}
