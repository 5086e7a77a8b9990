package realism

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assaybench/assay/contract"
	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/world"
)

const ofRubric = "rubric."

var rubricChecks = []check{
	{key: ofRubric + "minimumSpecificCriteriaPerTask", scope: OfTask, how: Replay, measure: criteriaRow},
	{key: ofRubric + "requiredCategories", scope: OfTask, how: Trace, measure: categoriesRow},
	{key: ofRubric + "minimumDecisionOptions", scope: OfTask, how: Static, measure: decisionOptionsRow},
	{key: ofRubric + "genericToolCalledCriteriaAllowed", scope: OfTask, how: Static, measure: genericRow},
	{key: ofRubric + "mustExplainCausalDecisionPath", scope: OfTask, how: Static, measure: causalPathRow},
	{key: ofRubric + "exactArgumentsOrStateSelectorsRequired", scope: OfTask, how: Static, measure: exactSelectorsRow},
	{key: ofRubric + "deterministic", scope: OfTask, how: Replay, measure: deterministicRow},
	{key: ofRubric + "llmJudgeCalls", scope: OfRelease, how: Replay, measure: judgeCallsRow},
}

// criteriaRow counts criteria that do not hold of an untouched world, that are not twice there, and that some control broke.
func criteriaRow(ctx context.Context, r *Release, l Leaf) Row {
	bound, ok := r.Standard.whole(l.Key)
	if !ok {
		return unmeasured("the threshold is no whole number")
	}
	return byTask(r, func(s *Subject) Row {
		p, err := s.Reference(ctx)
		if err != nil {
			return unmeasured(oneLine(err.Error()))
		}
		proof, err := s.proof(ctx)
		if err != nil {
			return unmeasured(oneLine(err.Error()))
		}
		if proof == nil {
			return unmeasured("which criteria can fail is known from the negative controls alone: assay qualify")
		}
		flips := map[string]bool{}
		for _, c := range slices.Concat(proof.Controls, proof.Beside) {
			for _, b := range c.Broke {
				flips[b] = true
			}
		}
		for _, o := range proof.Omissions {
			for _, b := range o.Flipped {
				flips[b] = true
			}
		}
		seen := map[string]string{}
		var ev []Evidence
		n, all := 0, 0
		for _, f := range p.Verdict.Findings {
			all++
			same := f.Category + "\x00" + f.Expected
			note := ""
			switch {
			case f.Vacuous:
				note = "it holds of the untouched world"
			case seen[same] != "" && !strings.HasPrefix(f.Rule, "answer."): // two fields may ask for one value; what they are is said elsewhere
				note = "the same as " + seen[same]
			case !flips[f.Rule]:
				note = "no control breaks it"
			}
			seen[same] = f.Rule
			if note != "" {
				ev = append(ev, Evidence{File: sealedFile(s), Cell: f.Rule, Note: note})
				continue
			}
			n++
		}
		return judged(n >= bound, n, fmt.Sprintf("%d of %d criteria are specific and were broken by some control; at least %d are asked for", n, all, bound), ev...)
	})
}

// categories gives the required categories that a finding belongs to, by what it is held against and not by its label.
func (s *Subject) categories(f *record.Finding, events []world.Event) []string {
	kind, id, _ := strings.Cut(f.Rule, ".")
	switch kind {
	case "investigation":
		out := []string{"investigation"}
		for _, seq := range f.Events {
			if seq < 1 || seq > len(events) {
				continue
			}
			e := &events[seq-1]
			kinds, _ := s.kindsOf(e.Tool, e.Args)
			if slices.Contains(kinds, "approval") {
				out = append(out, "authority")
			}
			if s.finds(e) {
				out = append(out, "identity")
			}
			if s.asksByFound(e, events) {
				out = append(out, "correlation")
			}
		}
		return out
	case "readback", "order", "rejections", "readback_before_answer", "message_before_answer":
		return []string{"procedure"}
	case "change":
		return []string{"state"}
	case "message":
		return []string{"state"}
	case "authority":
		return []string{"authority"}
	case "containment", "no_transient_changes":
		return []string{"containment"}
	case "decision":
		return []string{"decision", "answer"}
	case "answer":
		out := []string{"answer"}
		for _, fd := range s.fields() {
			if fd.name != id || fd.rule == nil || fd.rule.Term == nil {
				continue
			}
			head, part, _ := strings.Cut(fd.rule.Term.Ref, ".")
			switch {
			case head == "chosen":
				out = append(out, "decision")
			case s.Expected().Option(head) != nil && slices.Contains([]string{"outcome", "cost", "authority"}, part):
				out = append(out, "alternatives")
			}
		}
		return out
	}
	return nil
}

// finds says whether a read found records by something else than their key: a search for the subject.
func (s *Subject) finds(e *world.Event) bool {
	t := s.World.Tool(e.Tool)
	if t == nil || !e.OK() {
		return false
	}
	doc, err := exact.Decode(e.Result)
	if err != nil {
		return false
	}
	asked := map[any]bool{}
	if args, err := exact.Decode(e.Args); err == nil {
		exact.Scalars(args, func(v any) {
			if text, ok := v.(string); ok {
				asked[text] = true
			}
		})
	}
	keys := map[string]bool{}
	for _, tr := range s.baseRows() {
		tb := s.table(tr.Table)
		if tb == nil || len(tb.Key) != 1 || !slices.Contains(t.Touches, tr.Table) {
			continue
		}
		for _, row := range tr.Rows {
			if k, ok := row[tb.Key[0]].(string); ok {
				keys[k] = true
			}
		}
	}
	found := false
	exact.Scalars(doc, func(v any) {
		if text, ok := v.(string); ok && keys[text] && !asked[text] {
			found = true
		}
	})
	return found
}

// asksByFound says whether a read asks by something that only an earlier result gave: two records held together.
func (s *Subject) asksByFound(e *world.Event, events []world.Event) bool {
	args, err := exact.Decode(e.Args)
	if err != nil {
		return false
	}
	known := s.Public.Request
	for _, h := range s.Public.Handles {
		known += " " + h.Value
	}
	found := false
	exact.Scalars(args, func(v any) {
		text, ok := v.(string)
		if !ok || len(text) < 3 || strings.Contains(known, text) {
			return
		}
		for i := range events {
			if p := &events[i]; p.Seq < e.Seq && p.OK() && p.Tool != world.ToolContext && holds(p.Result, text) {
				found = true
			}
		}
	})
	return found
}

func (s *Subject) baseRows() []world.TableRows {
	rows, err := s.seedRows(context.Background())
	if err != nil {
		return nil // the rows that need them say so
	}
	return rows
}

func categoriesRow(ctx context.Context, r *Release, l Leaf) Row {
	of, ok := listOf(l.Value)
	if !ok {
		return unmeasured("the threshold is no list of categories")
	}
	return byTask(r, func(s *Subject) Row {
		p, err := s.Reference(ctx)
		if err != nil {
			return unmeasured(oneLine(err.Error()))
		}
		count := map[string]int{}
		for i := range p.Verdict.Findings {
			f := &p.Verdict.Findings[i]
			if f.Vacuous {
				continue
			}
			for _, c := range s.categories(f, p.Events) {
				count[c]++
			}
		}
		// Containment and authority hold of a world in which nothing was done; they are of the right type all the same, and the
		// negative controls show that they can fail.
		for i := range p.Verdict.Findings {
			if f := &p.Verdict.Findings[i]; f.Vacuous {
				for _, c := range s.categories(f, p.Events) {
					if c == "containment" || c == "authority" {
						count[c]++
					}
				}
			}
		}
		var lack, said []string
		for _, c := range of {
			if count[c] == 0 {
				lack = append(lack, c)
			}
			said = append(said, fmt.Sprintf("%s %d", c, count[c]))
		}
		return judged(len(lack) == 0, len(of)-len(lack), "without "+orNone(lack), Evidence{File: sealedFile(s), Note: strings.Join(said, ", ")})
	})
}

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
