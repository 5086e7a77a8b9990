package realism

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

const ofChain = "reasoningChain."

var chainChecks = append(hopChecks(),
	check{key: ofChain + "mandatoryHopClasses", scope: OfTask, how: Replay, measure: mandatoryRow},
	check{key: ofChain + "constraintHopClasses", scope: OfTask, how: Replay, measure: constraintClassesRow},
	check{key: ofChain + "minimumConstraintHops", scope: OfTask, how: Replay, measure: constraintHopsRow},
	check{key: ofChain + "spineHopClasses", scope: OfTask, how: Replay, measure: spineRow},
	check{key: ofChain + "minimumChainDepth", scope: OfTask, how: Replay, measure: depthRow},
	check{key: ofChain + "minimumDependentDerivations", scope: OfTask, how: Static, measure: dependentRow},
	check{key: ofChain + "minimumSourceSystemsBeforeDecision", scope: OfTask, how: Replay, measure: systemsBeforeRow},
	check{key: ofChain + "minimumEvidenceReadsBeforeDecision", scope: OfTask, how: Replay, measure: readsBeforeRow},
	check{key: ofChain + "minimumAlternatives", scope: OfTask, how: Static, measure: alternativesRow},
	check{key: ofChain + "alternativeMustCarry", scope: OfTask, how: Static, measure: carryRow},
	check{key: ofChain + "requiresUnauthorizedAlternative", scope: OfTask, how: Static, measure: unauthorisedRow},
	check{key: ofChain + "requiresInferiorOrUnsupportedAlternative", scope: OfTask, how: Static, measure: inferiorRow},
	check{key: ofChain + "allAlternativeOutcomesGraded", scope: OfTask, how: Static, measure: outcomesGradedRow},
	check{key: ofChain + "minimumGradedAnswerFields", scope: OfTask, how: Static, measure: gradedFieldsRow},
	check{key: ofChain + "intermediateValuesGraded", scope: OfTask, how: Static, measure: intermediateRow},
	check{key: ofChain + "llmJudgeCalls", scope: OfRelease, how: Replay, measure: judgeCallsRow},
	check{key: ofChain + "auditReport", scope: OfRelease, how: Replay, phase: 1, measure: storedReportRow},
	check{key: ofChain + "auditCommand", scope: OfRelease, how: Static, measure: commandRow},
)

// whole gives a threshold that is a whole number.
func (s *Standard) whole(key string) (int, bool) {
	r, ok := s.Rat(key)
	if !ok || !r.IsInt() || !r.Num().IsInt64() {
		return 0, false
	}
	return int(r.Num().Int64()), true
}

// atLeast makes a row of a count that each task must reach.
func atLeast(r *Release, l Leaf, what string, count func(s *Subject) (int, []Evidence, error)) Row {
	bound, ok := r.Standard.whole(l.Key)
	if !ok {
		return unmeasured("the threshold is no whole number")
	}
	return byTask(r, func(s *Subject) Row {
		n, ev, err := count(s)
		if err != nil {
			return unmeasured(oneLine(err.Error()))
		}
		return judged(n >= bound, n, fmt.Sprintf("%d %s, at least %d are asked for", n, what, bound), ev...)
	})
}

// hopChecks are the thirteen classes, each a requirement of its own.
func hopChecks() []check {
	var out []check
	for _, c := range classes {
		out = append(out, check{key: ofChain + "hopClasses." + c.class, scope: OfTask, how: Replay, measure: func(ctx context.Context, r *Release, l Leaf) Row {
			if text, ok := l.Value.(string); !ok || !KnownWording(l.Key, text) {
				return unmeasured("this standard words the class otherwise than the schema that is known here")
			}
			return byTask(r, func(s *Subject) Row {
				h, err := s.hop(ctx, c.class)
				if err != nil {
					return unmeasured(oneLine(err.Error()))
				}
				return Row{Result: h.present(), Measured: map[string]any{"pattern": string(h.Pattern), "confirmed": string(h.Confirmed)},
					Reason: h.Note, Evidence: []Evidence{{File: sealedFile(s), Span: h.Path, Note: h.Note}}}
			})
		}})
	}
	return out
}

func (s *Subject) hop(ctx context.Context, class string) (*Hop, error) {
	if s.Release.Hops == nil {
		return nil, fmt.Errorf("hops were not measured")
	}
	list, err := s.Release.Hops(ctx, s)
	if err != nil {
		return nil, err
	}
	for i := range list {
		if list[i].Class == class {
			return &list[i], nil
		}
	}
	return nil, fmt.Errorf("no class of hop is called %s", class)
}

// presentOf gives which of some classes a task has, which nobody could measure, and which it lacks.
func (s *Subject) presentOf(ctx context.Context, of []string) (have, open, lack []string, err error) {
	for _, class := range of {
		h, err := s.hop(ctx, class)
		if err != nil {
			return nil, nil, nil, err
		}
		switch h.present() {
		case Pass:
			have = append(have, class)
		case NotMeasured:
			open = append(open, class)
		default:
			lack = append(lack, class)
		}
	}
	return have, open, lack, nil
}

// listOf reads a leaf that is a list of texts.
func listOf(v any) ([]string, bool) {
	list, ok := v.([]any)
	if !ok {
		s, ok := v.([]string)
		return s, ok
	}
	var out []string
	for _, e := range list {
		s, ok := e.(string)
		if !ok {
			return nil, false
		}
		out = append(out, s)
	}
	return out, true
}

func (r *Release) listAt(key string) ([]string, bool) {
	l, ok := r.Standard.Leaf(key)
	if !ok {
		return nil, false
	}
	return listOf(l.Value)
}

func mandatoryRow(ctx context.Context, r *Release, l Leaf) Row {
	of, ok := listOf(l.Value)
	if !ok {
		return unmeasured("the threshold is no list of classes")
	}
	return byTask(r, func(s *Subject) Row {
		have, open, lack, err := s.presentOf(ctx, of)
		if err != nil {
			return unmeasured(oneLine(err.Error()))
		}
		return enough(len(of), len(have), len(open), fmt.Sprintf("%d of %d mandatory classes; without %s", len(have), len(of), orNone(slices.Concat(open, lack))))
	})
}

// constraintClassesRow holds the list itself: each of its classes must be one that is known, and measured.
func constraintClassesRow(ctx context.Context, r *Release, l Leaf) Row {
	of, ok := listOf(l.Value)
	if !ok {
		return unmeasured("the threshold is no list of classes")
	}
	return byTask(r, func(s *Subject) Row {
		have, open, _, err := s.presentOf(ctx, of)
		if err != nil {
			return unmeasured(oneLine(err.Error()))
		}
		row := enough(1, len(have), len(open), fmt.Sprintf("%s of %s", orNone(have), strings.Join(of, ", ")))
		row.Measured = strings.Join(have, " ")
		return row
	})
}

func constraintHopsRow(ctx context.Context, r *Release, l Leaf) Row {
	of, ok := r.listAt(ofChain + "constraintHopClasses")
	if !ok {
		return unmeasured("the standard does not list the constraint classes")
	}
	need, ok := r.Standard.whole(l.Key)
	if !ok {
		return unmeasured("the threshold is no whole number")
	}
	return byTask(r, func(s *Subject) Row {
		have, open, lack, err := s.presentOf(ctx, of)
		if err != nil {
			return unmeasured(oneLine(err.Error()))
		}
		return enough(need, len(have), len(open), fmt.Sprintf("%d constraint hops, at least %d are asked for; without %s", len(have), need, orNone(slices.Concat(open, lack))))
	})
}

// enough judges a count of classes of which some may not have been measured: where those could make up for what is missing,
// nobody knows.
func enough(need, n, open int, reason string, ev ...Evidence) Row {
	row := judged(n >= need, n, reason, ev...)
	if n < need && n+open >= need {
		row.Result = NotMeasured
	}
	return row
}

func spineRow(ctx context.Context, r *Release, l Leaf) Row {
	of, ok := listOf(l.Value)
	if !ok {
		return unmeasured("the threshold is no list of classes")
	}
	need, ok := r.Standard.whole(ofChain + "minimumChainDepth")
	if !ok {
		return unmeasured("the standard sets no depth of the chain")
	}
	return byTask(r, func(s *Subject) Row {
		have, open, lack, err := s.presentOf(ctx, of)
		if err != nil {
			return unmeasured(oneLine(err.Error()))
		}
		return enough(need, len(have), len(open), fmt.Sprintf("%d of the %d classes of the spine; without %s", len(have), len(of), orNone(slices.Concat(open, lack))))
	})
}

// depthRow wants as many classes of the spine, and as long a path from evidence to the recommendation: eight leaves beside each
// other are no chain.
func depthRow(ctx context.Context, r *Release, l Leaf) Row {
	of, ok := r.listAt(ofChain + "spineHopClasses")
	if !ok {
		return unmeasured("the standard does not list the classes of the spine")
	}
	need, ok := r.Standard.whole(l.Key)
	if !ok {
		return unmeasured("the threshold is no whole number")
	}
	return byTask(r, func(s *Subject) Row {
		have, open, _, err := s.presentOf(ctx, of)
		if err != nil {
			return unmeasured(oneLine(err.Error()))
		}
		longest, way := s.Derivations().longest("decision")
		n := min(len(have), longest)
		ev := Evidence{File: sealedFile(s), Span: arrows(way...), Note: fmt.Sprintf("%d edges from evidence to the recommendation; %d classes of the spine", longest, len(have))}
		return enough(need, n, min(len(open), longest-n), fmt.Sprintf("%d steps of the chain, at least %d are asked for", n, need), ev)
	})
}

// longest gives the longest path to a node, in edges, and its nodes' names.
func (g *Graph) longest(to string) (int, []string) {
	at := g.Node(to)
	if at < 0 {
		return 0, nil
	}
	depth := g.Depth()
	way := []string{to}
	for n := at; depth[n] > 0; {
		for _, e := range g.Edges {
			if e[1] == n && depth[e[0]] == depth[n]-1 {
				n = e[0]
				break
			}
		}
		way = append(way, g.Nodes[n].Name)
	}
	slices.Reverse(way)
	return depth[at], way
}
