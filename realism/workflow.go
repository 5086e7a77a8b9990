package realism

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/assaybench/assay/realism/likeness"
	"github.com/assaybench/assay/world"
)

const ofWorkflow = "workflow."

var workflowChecks = []check{
	{key: ofWorkflow + "distinctReferenceToolSequences", scope: OfPair, how: Trace, measure: distinctRow("sequence of tool names", func(ctx context.Context, s *Subject) (string, error) {
		names, err := s.sequence(ctx, false)
		return strings.Join(names, " "), err
	})},
	{key: ofWorkflow + "distinctSemanticActionGraphs", scope: OfPair, how: Trace, measure: distinctRow("action graph", func(ctx context.Context, s *Subject) (string, error) {
		g, err := s.action(ctx)
		if err != nil {
			return "", err
		}
		return g.Digest(), nil
	})},
	{key: ofWorkflow + "maximumPairwiseRawSequenceSimilarity", scope: OfPair, how: Trace, measure: boundRow("sequence of calls", func(p *pair) *big.Rat { return p.raw },
		func(p *pair) string {
			return "of the task's own calls " + ratio(p.domain) + ", common subsequence " + ratio(p.common)
		})},
	{key: ofWorkflow + "maximumPairwiseSemanticGraphSimilarity", scope: OfPair, how: Trace, measure: boundRow("action graph", func(p *pair) *big.Rat { return p.graph },
		func(p *pair) string { return "of the whole job " + ratio(p.job) })},
	{key: ofWorkflow + "structuralCloneGate.rawSequenceSimilarityThreshold", scope: OfPair, how: Trace, measure: gateRow},
	{key: ofWorkflow + "structuralCloneGate.identifierNeutralSemanticSimilarityThreshold", scope: OfPair, how: Trace, measure: gateRow},
	{key: ofWorkflow + "structuralCloneGate.comparison", scope: OfRelease, how: Static, measure: comparisonRow},
	{key: ofWorkflow + "structuralCloneGate.pairsAllowed", scope: OfPair, how: Trace, measure: clonesRow},
	{key: ofWorkflow + "structuralCloneGate.rationale", scope: OfPair, how: Trace, measure: rationaleRow},
	{key: ofWorkflow + "semanticIdentityInputsMayEstablishUniqueness", scope: OfPair, how: Trace, measure: maskedRow},
	{key: ofWorkflow + "derivedVariantsCountAsDistinctEmployeeJobs", scope: OfRelease, how: Trace, measure: variantsRow},
	{key: ofWorkflow + "minimumEvidenceReadsPerTask", scope: OfTask, how: Replay, measure: readsRow("evidence reads", func(*Subject, *Read) bool { return true })},
	{key: ofWorkflow + "minimumProviderEvidenceReadsPerTask", scope: OfTask, how: Replay, measure: readsRow("evidence reads through the world's own tools", func(_ *Subject, r *Read) bool { return r.Server != world.BuiltinServer })},
	{key: ofWorkflow + "minimumLiveDomainReadsPerTask", scope: OfTask, how: Replay, measure: readsRow("evidence reads of live records", func(_ *Subject, r *Read) bool { return r.Server != world.BuiltinServer && r.Live })},
	{key: ofWorkflow + "layerSpecificReadMinimumsApplyWhenThatEvidenceLayerExists", scope: OfTask, how: Trace, measure: layersRow},
	{key: ofWorkflow + "minimumIndependentEvidenceSources", scope: OfTask, how: Replay, measure: sourcesRow},
	{key: ofWorkflow + "minimumStateChangingCallsPerTask", scope: OfTask, how: Trace, measure: changesRow},
}

// distinctRow wants something of each task that no other task has.
func distinctRow(what string, of func(context.Context, *Subject) (string, error)) func(context.Context, *Release, Leaf) Row {
	return func(ctx context.Context, r *Release, l Leaf) Row {
		if l.Value == false {
			return allowed(nil)
		}
		first := map[string]*Subject{}
		var ev []Evidence
		for _, s := range r.Tasks {
			k, err := of(ctx, s)
			if err != nil {
				return unmeasured(oneLine(err.Error()))
			}
			if have, ok := first[k]; ok {
				ev = append(ev, Evidence{Pair: pairName(have, s), Note: "the same " + what})
				continue
			}
			first[k] = s
		}
		return judged(len(ev) == 0, len(first), fmt.Sprintf("%d of %d tasks have a %s of their own", len(first), len(r.Tasks), what), ev...)
	}
}

// boundRow bounds a likeness of all pairs; beyond means strictly greater.
func boundRow(what string, of func(*pair) *big.Rat, beside func(*pair) string) func(context.Context, *Release, Leaf) Row {
	return func(ctx context.Context, r *Release, l Leaf) Row {
		bound, ok := r.Standard.Rat(l.Key)
		if !ok {
			return unmeasured("the threshold is no number")
		}
		pairs, err := r.pairs(ctx)
		if err != nil {
			return unmeasured(oneLine(err.Error()))
		}
		list := slices.Clone(pairs)
		slices.SortStableFunc(list, func(p, q *pair) int { return of(q).Cmp(of(p)) })
		worst := new(big.Rat)
		if len(list) > 0 {
			worst = of(list[0])
		}
		over := 0
		var ev []Evidence
		for i, p := range list {
			if of(p).Cmp(bound) > 0 {
				over++
			} else if i >= 3 {
				break
			}
			ev = append(ev, Evidence{Pair: pairName(p.a, p.b), Note: what + " " + ratio(of(p)) + "; " + beside(p)})
		}
		return judged(over == 0, ratio(worst), fmt.Sprintf("%s beyond the bound; the most alike have %s", counted(over, "pair"), ratio(worst)), ev...)
	}
}

// clones gives the pairs beyond both bounds, and those within 0.05 of the gate's corner.
func (r *Release) clones(ctx context.Context) (clones, near []*pair, ok bool, err error) {
	gate, ok := r.gate()
	if !ok {
		return nil, nil, false, nil
	}
	pairs, err := r.pairs(ctx)
	margin := big.NewRat(5, 100)
	for _, p := range pairs {
		if gate.Clone(p.raw, p.job) {
			clones = append(clones, p)
		} else if gate.Near(p.raw, p.job, margin) {
			near = append(near, p)
		}
	}
	return clones, near, true, err
}

func clonesRow(ctx context.Context, r *Release, l Leaf) Row {
	bound, ok := r.Standard.Rat(l.Key)
	clones, near, known, err := r.clones(ctx)
	switch {
	case err != nil:
		return unmeasured(oneLine(err.Error()))
	case !ok || !known:
		return unmeasured("the standard does not set the gate's two bounds and its comparison as they are known here")
	}
	var ev []Evidence
	for _, p := range clones {
		ev = append(ev, Evidence{Pair: pairName(p.a, p.b), Note: "calls " + ratio(p.raw) + ", job " + ratio(p.job) + ": one job under two names"})
	}
	for _, p := range near {
		ev = append(ev, Evidence{Pair: pairName(p.a, p.b), Note: "calls " + ratio(p.raw) + ", job " + ratio(p.job) + ": near the gate's corner"})
	}
	n := len(clones)
	return judged(big.NewRat(int64(n), 1).Cmp(bound) <= 0, n, fmt.Sprintf("%s beyond both bounds, %d near the corner", counted(n, "pair"), len(near)), ev...)
}

// gateRow is one side of the gate: how the pairs lie to it. Being beyond one bound alone is no fault.
func gateRow(ctx context.Context, r *Release, l Leaf) Row {
	bound, ok := r.Standard.Rat(l.Key)
	if !ok {
		return unmeasured("the threshold is no number")
	}
	clones, _, known, err := r.clones(ctx)
	switch {
	case err != nil:
		return unmeasured(oneLine(err.Error()))
	case !known:
		return unmeasured("the standard does not set the gate's two bounds and its comparison as they are known here")
	}
	pairs, _ := r.pairs(ctx)
	worst, over := new(big.Rat), 0
	for _, p := range pairs {
		side := p.raw
		if strings.HasSuffix(l.Key, "identifierNeutralSemanticSimilarityThreshold") {
			side = p.job
		}
		if side.Cmp(worst) > 0 {
			worst = side
		}
		if side.Cmp(bound) > 0 {
			over++
		}
	}
	var ev []Evidence
	for _, p := range clones {
		ev = append(ev, Evidence{Pair: pairName(p.a, p.b), Note: "calls " + ratio(p.raw) + ", job " + ratio(p.job)})
	}
	return judged(len(clones) == 0, ratio(worst), fmt.Sprintf("%s beyond this bound, %d of them beyond the other one, too", counted(over, "pair"), len(clones)), ev...)
}

// comparisonRow shows on the corner itself that both bounds are strict.
func comparisonRow(_ context.Context, _ *Release, l Leaf) Row {
	if l.Value != "strictly-greater-than-both" {
		return unmeasured("the comparison that is known here is strictly-greater-than-both")
	}
	corner := likeness.Gate{Raw: big.NewRat(9, 10), Semantic: big.NewRat(7, 10)}
	above := big.NewRat(901, 1000)
	good := !corner.Clone(corner.Raw, corner.Semantic) && !corner.Clone(above, corner.Semantic) && !corner.Clone(corner.Raw, above) && corner.Clone(above, big.NewRat(701, 1000))
	return judged(good, l.Value, "a pair on a bound is none beyond it, and ratios are compared exactly")
}

// rationaleRow holds the reason of the gate against this release: tools may be shared, and no pair is beyond both bounds.
func rationaleRow(ctx context.Context, r *Release, l Leaf) Row {
	text, _ := l.Value.(string)
	if !KnownWording(l.Key, text) {
		return unmeasured("this standard gives another reason than the gate that is known here")
	}
	clones, _, known, err := r.clones(ctx)
	if err != nil || !known {
		return unmeasured("the gate could not be run")
	}
	return judged(len(clones) == 0, len(clones), "the gate was run on calls and on the job without its names, over all pairs")
}

// maskedRow looks for tasks that are told apart by names alone: alike once the names are taken out, and not before.
func maskedRow(ctx context.Context, r *Release, l Leaf) Row {
	if l.Value == true {
		return allowed(nil)
	}
	pairs, err := r.pairs(ctx)
	if err != nil {
		return unmeasured(oneLine(err.Error()))
	}
	bound, ok := r.Standard.Rat(ofRequest + "maximumPairwiseFiveShingleJaccard")
	if !ok {
		return unmeasured("the standard bounds no likeness of requests, by which uniqueness would be computed again")
	}
	var ev []Evidence
	for _, p := range pairs {
		ga, err := p.a.action(ctx)
		if err != nil {
			return unmeasured(oneLine(err.Error()))
		}
		gb, err := p.b.action(ctx)
		if err != nil {
			return unmeasured(oneLine(err.Error()))
		}
		switch {
		case p.neutral.Cmp(bound) > 0 && p.wording.Cmp(bound) <= 0:
			ev = append(ev, Evidence{Pair: pairName(p.a, p.b), Note: "the requests share " + ratio(p.wording) + ", and " + ratio(p.neutral) + " once names, ids and figures are taken out"})
		case ga.Digest() == gb.Digest():
			ev = append(ev, Evidence{Pair: pairName(p.a, p.b), Note: "one action graph, once names are taken out"})
		}
	}
	return judged(len(ev) == 0, len(ev), fmt.Sprintf("%s told apart by names alone", counted(len(ev), "pair")), ev...)
}

// variantsRow counts the different jobs and holds the number of tasks that the bench names against it.
func variantsRow(ctx context.Context, r *Release, l Leaf) Row {
	if l.Value == true {
		return allowed(nil)
	}
	pairs, err := r.pairs(ctx)
	if err != nil {
		return unmeasured(oneLine(err.Error()))
	}
	bound, ok := r.Standard.Rat(ofRequest + "maximumPairwiseFiveShingleJaccard")
	gate, known := r.gate()
	if !ok || !known {
		return unmeasured("the standard bounds neither the likeness of requests nor clones as they are known here")
	}
	at := map[*Subject]int{}
	for i, s := range r.Tasks {
		at[s] = i
	}
	var same [][2]int
	var ev []Evidence
	for _, p := range pairs {
		why := ""
		switch {
		case p.neutral.Cmp(bound) > 0:
			why = "one request under other names (" + ratio(p.neutral) + ")"
		case gate.Clone(p.raw, p.job):
			why = "a structural clone"
		case p.a.assertions() == p.b.assertions():
			why = "one verifier: it asserts the same of both"
		default:
			continue
		}
		same = append(same, [2]int{at[p.a], at[p.b]})
		ev = append(ev, Evidence{Pair: pairName(p.a, p.b), Note: why})
	}
	jobs := len(likeness.Clusters(len(r.Tasks), same))
	return judged(jobs == len(r.Tasks), map[string]any{"distinct_jobs": jobs, "tasks": len(r.Tasks)}, fmt.Sprintf("%d tasks are %s", len(r.Tasks), counted(jobs, "job")), ev...)
}
