package realism

import (
	"context"
	"math/big"
	"slices"

	"github.com/assaybench/assay/realism/likeness"
	"github.com/assaybench/assay/realism/wording"
)

// pair is two tasks with how alike they are.
type pair struct {
	a, b             *Subject
	wording, neutral *big.Rat // of the requests
	raw              *big.Rat // of the references' calls, as they are
	domain           *big.Rat // of the task's own calls
	common           *big.Rat // by the longest common subsequence
	graph, job       *big.Rat
}

// pairs measures all pairs once, those whose requests are most alike first.
func (r *Release) pairs(ctx context.Context) ([]*pair, error) {
	return once(&r.facts, "pairs", func() ([]*pair, error) {
		var out []*pair
		var failed error
		r.eachPair(func(a, b *Subject) {
			if failed != nil {
				return
			}
			p := &pair{a: a, b: b}
			if failed = p.measure(ctx); failed == nil {
				out = append(out, p)
			}
		})
		slices.SortStableFunc(out, func(p, q *pair) int { return q.wording.Cmp(p.wording) })
		return out, failed
	})
}

func (p *pair) measure(ctx context.Context) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	aIDs, err := p.a.identities(ctx)
	if err != nil {
		return err
	}
	bIDs, err := p.b.identities(ctx)
	if err != nil {
		return err
	}
	p.wording = wording.Alike(p.a.Public.Request, p.b.Public.Request)
	p.neutral = wording.AlikeNeutral(p.a.Public.Request, aIDs, p.b.Public.Request, bIDs)
	if p.raw, p.common, err = sequences(ctx, p.a, p.b, false); err != nil {
		return err
	}
	if p.domain, _, err = sequences(ctx, p.a, p.b, true); err != nil {
		return err
	}
	ga, err := p.a.action(ctx)
	if err != nil {
		return err
	}
	gb, err := p.b.action(ctx)
	if err != nil {
		return err
	}
	p.graph = likeness.Graphs(ga, gb)
	ja, err := p.a.job(ctx)
	if err != nil {
		return err
	}
	jb, err := p.b.job(ctx)
	if err != nil {
		return err
	}
	p.job = wording.Jaccard(ja, jb)
	return nil
}

func sequences(ctx context.Context, a, b *Subject, domain bool) (alike, common *big.Rat, err error) {
	x, err := a.sequence(ctx, domain)
	if err != nil {
		return nil, nil, err
	}
	y, err := b.sequence(ctx, domain)
	if err != nil {
		return nil, nil, err
	}
	return likeness.Sequence(x, y), likeness.Subsequence(x, y), nil
}

// gate is the clone gate as the standard sets it; ok is false where the standard does not set it as it is known here.
func (r *Release) gate() (g likeness.Gate, ok bool) {
	raw, okRaw := r.Standard.Rat("workflow.structuralCloneGate.rawSequenceSimilarityThreshold")
	semantic, okSemantic := r.Standard.Rat("workflow.structuralCloneGate.identifierNeutralSemanticSimilarityThreshold")
	l, _ := r.Standard.Leaf("workflow.structuralCloneGate.comparison")
	return likeness.Gate{Raw: raw, Semantic: semantic}, okRaw && okSemantic && l.Value == "strictly-greater-than-both"
}
