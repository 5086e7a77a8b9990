package control

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assaybench/assay/contract"
	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/world"
)

// wrongTargets does each change on a real but wrong record that the world takes: each argument that names a record, in turn.
// A primary change must have one.
func (s *Subject) wrongTargets(ctx context.Context) ([]plan, error) {
	var out []plan
	for _, ch := range s.c.Changes {
		at := s.roles.Changes[ch.ID] - 1
		if at < 0 {
			continue
		}
		found := 0
		byArg := map[string][]write{}
		for _, w := range s.siblingWrites(at) {
			if w.id {
				byArg[w.arg] = append(byArg[w.arg], w)
			}
		}
		for _, arg := range sortedKeys(byArg) {
			i, err := s.replaceable(ctx, at, stepsOf(byArg[arg]))
			if err != nil {
				return nil, err
			}
			if i >= 0 {
				steps := slices.Clone(s.steps)
				steps[at] = byArg[arg][i].step
				found++
				out = append(out, plan{name: "wrong_target", form: ch.ID + ": " + byArg[arg][i].form, steps: steps, breaks: []string{"change." + ch.ID}, changes: true, loose: true})
			}
		}
		if ch.Role == contract.Primary && found == 0 {
			out = append(out, plan{name: "wrong_target", form: ch.ID, why: "the world takes the change on no other record than the right one, so that a wrong target is never put to the test"})
		}
	}
	return out, nil
}

func stepsOf(list []write) []Step {
	out := make([]Step, len(list))
	for i := range list {
		out[i] = list[i].step
	}
	return out
}

// replaceable finds the first of some calls that the world takes in the place of a write of the reference, and that does
// something else than it; -1 for none.
func (s *Subject) replaceable(ctx context.Context, at int, tries []Step) (int, error) {
	was := effectRows(s.ref[at].Effect)
	return s.probe(ctx, s.steps[:at], tries, func(e *world.Event) bool { return len(e.Effect) > 0 && effectRows(e.Effect) != was })
}

// effectRows gives the rows that a call left, as a text that is equal where they are.
func effectRows(effect []world.Change) string {
	var b strings.Builder
	for _, c := range effect {
		fmt.Fprintf(&b, "%s %s %s %s\n", c.Op, c.Table, rowText(c.Key), rowText(c.After))
	}
	return b.String()
}

// executed does what other options ask, and answers so: the second form of a wrong decision. Only options whose write the
// world takes are tried.
func (s *Subject) executed(ctx context.Context) ([]plan, error) {
	var out []plan
	if s.c.Decision == nil {
		return nil, nil
	}
	for _, o := range s.others() {
		x := s.x.Choose(o)
		p := plan{name: "wrong_decision", form: "does " + o, changes: true, loose: true}
		p.steps, p.breaks = s.answering(s.steps, x)
		done := false
		for _, m := range s.primaries() {
			if st, ok := s.stepUnder(m, x); ok {
				p.steps[m.at], done = st, true
				p.breaks = append(p.breaks, "change."+m.change.ID)
			}
		}
		if !done {
			continue
		}
		s.retell(p.steps, x)
		events, err := s.events(ctx, p.steps)
		if err != nil {
			return nil, err
		}
		ok := true
		for _, m := range s.primaries() {
			ok = ok && events[m.at].OK()
		}
		if ok {
			out = append(out, p)
		}
	}
	return out, nil
}

// changedValues does a primary change with each of its other arguments wrong in turn: what the contract pins and no record is
// named by.
func (s *Subject) changedValues(ctx context.Context) ([]plan, error) {
	var out []plan
	for _, m := range s.primaries() {
		for _, g := range s.c.ArgsUnder(m.change, s.x, s.roles) {
			was, ok := g.At.Get(s.steps[m.at].Args)
			if !ok || len(g.At) != 1 {
				continue
			}
			arg := g.At[0].Name
			vals, id := s.siblings(s.steps[m.at].Tool, arg, was)
			if id {
				continue // a wrong target
			}
			var tries []Step
			for _, v := range append(vals, near(was)...) {
				tries = append(tries, s.steps[m.at].with(arg, v))
			}
			i, err := s.replaceable(ctx, m.at, tries)
			if err != nil {
				return nil, err
			}
			if i >= 0 {
				steps := slices.Clone(s.steps)
				steps[m.at] = tries[i]
				out = append(out, plan{name: "wrong_argument", form: fmt.Sprintf("%s: %s %s", m.change.ID, arg, exact.Text(tries[i].Args[arg])), steps: steps, breaks: []string{"change." + m.change.ID}, changes: true, loose: true})
			}
		}
	}
	return out, nil
}
