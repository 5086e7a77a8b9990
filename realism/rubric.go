package realism

import (
	"context"
	"fmt"
	"slices"
	"strings"

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
		if !proof.Oracle.Strict {
			return unmeasured(refusedReference)
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
