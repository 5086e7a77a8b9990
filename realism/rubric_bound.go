package realism

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assaybench/assay/contract"
	"github.com/assaybench/assay/record"
)

// decisionOptionsRow counts options that differ from each other in two of outcome, cost and authority at least: one under two
// names is no choice.
func decisionOptionsRow(_ context.Context, r *Release, l Leaf) Row {
	return atLeast(r, l, "options that differ", func(s *Subject) (int, []Evidence, error) {
		c, x := s.Contract(), s.Expected()
		var own []*contract.Option
		var ev []Evidence
		for _, o := range c.Options {
			same := ""
			for _, p := range own {
				n := 0
				for _, pair := range [][2]string{{o.Outcome, p.Outcome}, {o.Cost, p.Cost}} {
					if pair[0] != "" && pair[1] != "" && !x.Values[pair[0]].Equal(x.Values[pair[1]]) {
						n++
					}
				}
				if x.Option(o.ID).Authority != x.Option(p.ID).Authority {
					n++
				}
				if n < 2 {
					same = p.ID
				}
			}
			if same != "" {
				ev = append(ev, Evidence{File: sealedFile(s), Cell: "options." + o.ID, Note: "it differs from " + same + " in less than two of outcome, cost and authority"})
				continue
			}
			own = append(own, o)
		}
		return len(own), ev, nil
	})
}

// selectors gives every selector of a contract with the criterion that it belongs to.
func selectors(c *contract.Contract) map[string][]*contract.Selector {
	out := map[string][]*contract.Selector{}
	for _, v := range c.Investigations {
		out["investigation."+v.ID] = v.AnyOf
	}
	for _, rb := range c.Readbacks {
		for _, look := range rb.AnyOf {
			out["readback."+rb.ID] = append(out["readback."+rb.ID], look.Selector)
		}
	}
	return out
}

func genericRow(_ context.Context, r *Release, l Leaf) Row {
	if l.Value != false {
		return allowed(nil)
	}
	return byTask(r, func(s *Subject) Row {
		var ev []Evidence
		all := selectors(s.Contract())
		for _, name := range slices.Sorted(maps.Keys(all)) {
			for _, sel := range all[name] {
				if len(sel.Result) == 0 && sel.Refused == "" {
					ev = append(ev, Evidence{File: sealedFile(s), Cell: name, Note: "any answered call of " + sel.Tool + " would do"})
				}
			}
		}
		return judged(len(ev) == 0, len(ev), counted(len(ev), "criterion")+" that a mere call of a tool fulfils", ev...)
	})
}

// causalPathRow wants the way from evidence over derivations and options to the change to be told by criteria: every input on
// it is established by an investigation that says what was found out and what it feeds, and the change follows from the choice.
func causalPathRow(_ context.Context, r *Release, l Leaf) Row {
	if l.Value != true {
		return unmeasured("the threshold is not true")
	}
	return byTask(r, func(s *Subject) Row {
		c := s.Contract()
		o := s.chosenOption()
		if o == nil {
			return judged(false, nil, "nothing is recommended, so that there is no way to it")
		}
		way := c.Program.Reach(optionParts(o)...)
		all, err := s.sources()
		if err != nil {
			return unmeasured(oneLine(err.Error()))
		}
		var ev []Evidence
		edges := 0
		for _, in := range way {
			src := all[in]
			if src == nil {
				continue
			}
			edges++
			if !slices.ContainsFunc(c.Investigations, func(v *contract.Investigation) bool {
				return slices.ContainsFunc(v.AnyOf, func(sel *contract.Selector) bool { return sel.Tool == src.in.Tool })
			}) {
				ev = append(ev, Evidence{File: sealedFile(s), Cell: "inputs." + in, Note: "no investigation establishes it"})
			}
		}
		for _, v := range c.Investigations {
			edges++
			switch {
			case len(v.Feeds) == 0:
				ev = append(ev, Evidence{File: sealedFile(s), Cell: "investigation." + v.ID, Note: "it feeds nothing"})
			case len(strings.Fields(v.Says)) < 4:
				ev = append(ev, Evidence{File: sealedFile(s), Cell: "investigation." + v.ID, Note: "it does not say what was found out"})
			}
		}
		follows := false
		for _, ch := range c.Changes {
			if ch.Role == contract.Primary {
				follows = follows || s.followsChoice(ch, way)
			}
		}
		if !follows {
			ev = append(ev, Evidence{File: sealedFile(s), Cell: "changes", Note: "the primary change holds nothing that follows from the choice"})
		}
		g := s.Derivations()
		_, told := g.longest("decision")
		return judged(len(ev) == 0, edges, fmt.Sprintf("%d steps of the way are told by criteria; %d are not", edges-len(ev), len(ev)),
			append(ev, Evidence{File: sealedFile(s), Span: arrows(append(told, "change")...), Note: "the longest way"})...)
	})
}

// followsChoice says whether a change holds a value that the chosen option comes to, or that it stands on.
func (s *Subject) followsChoice(ch *contract.Change, way []string) bool {
	found := false
	s.Contract().ChangeRefs(ch, func(ref string) {
		head, _, _ := strings.Cut(ref, ".")
		if head == "chosen" || head == s.Expected().Chosen || slices.Contains(way, s.alias(ref)) || slices.Contains(way, ref) {
			found = true
		}
	})
	return found
}

// exactSelectorsRow wants every criterion bound to exact arguments, to pointers with values, to rows with columns, or to a field.
func exactSelectorsRow(_ context.Context, r *Release, l Leaf) Row {
	if l.Value != true {
		return unmeasured("the threshold is not true")
	}
	return byTask(r, func(s *Subject) Row {
		c := s.Contract()
		var ev []Evidence
		n := 0
		loose := func(cell, note string) { ev = append(ev, Evidence{File: sealedFile(s), Cell: cell, Note: note}) }
		for name, list := range selectors(c) {
			for _, sel := range list {
				if n++; len(sel.Args)+len(sel.Result) == 0 {
					loose(name, "it names no argument and no place of the result")
				}
			}
		}
		for _, ch := range c.Changes {
			if n++; len(ch.Args) == 0 && len(ch.Rows) == 0 {
				loose("change."+ch.ID, "it names no argument and no row")
			}
			for _, row := range ch.Rows {
				if len(row.Pins) == 0 {
					loose("change."+ch.ID, "a row of "+row.Table+" without a value")
				}
			}
		}
		for _, a := range c.Containment {
			if n++; len(a.Key)+len(a.Values) == 0 {
				loose("containment", "any row of "+a.Table+" may change")
			}
		}
		for _, f := range s.fields() {
			if n++; f.rule != nil && f.rule.Term == nil && f.rule.Want == nil && !f.rule.None && len(f.rule.Facts) == 0 {
				loose("answer."+f.name, "it is held against nothing")
			}
		}
		slices.SortFunc(ev, func(a, b Evidence) int { return strings.Compare(a.Cell+a.Note, b.Cell+b.Note) })
		return judged(len(ev) == 0, n-len(ev), fmt.Sprintf("%d of %d criteria are bound to exact arguments, values, rows or fields", n-len(ev), n), ev...)
	})
}

// deterministicRow plays and judges the reference again: the verdict must be the same bytes.
func deterministicRow(ctx context.Context, r *Release, l Leaf) Row {
	if l.Value != true {
		return unmeasured("the threshold is not true")
	}
	return byTask(r, func(s *Subject) Row { return deterministicOne(ctx, s) })
}

func deterministicOne(ctx context.Context, s *Subject) Row {
	r := s.Release
	return mustRow(once(&s.facts, "deterministic", func() (Row, error) {
		first, err := s.Reference(ctx)
		if err != nil {
			return Row{}, err
		}
		want, err := record.Canonical(first.Verdict)
		if err != nil {
			return Row{}, err
		}
		trace, err := s.Task.Reference()
		if err != nil {
			return Row{}, err
		}
		again, err := s.Play(ctx, trace)
		if err != nil {
			return Row{}, err
		}
		got, err := record.Canonical(again.Verdict)
		if err != nil {
			return Row{}, err
		}
		if string(got) != string(want) {
			return judged(false, 2, "the reference, played and judged twice, gives two verdicts"), nil
		}
		if r.Elsewhere == nil {
			return judged(true, 2, "played and judged twice in this process, with the same bytes"), nil
		}
		places, err := r.Elsewhere(ctx, s, want)
		if err != nil {
			return judged(false, 2, oneLine(err.Error())), nil
		}
		return judged(true, 2+len(places), "played and judged twice here, and in processes with "+strings.Join(places, ", ")+": the same bytes"), nil
	}))
}
