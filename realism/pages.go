package realism

import (
	"context"
	"math/big"
	"slices"

	"github.com/assaybench/assay/realism/wording"
)

// shownPairs is how many pairs a report shows.
const shownPairs = 20

// pages fills what a report shows of each pair and of each task.
func (r *Release) pages(ctx context.Context, rep *Report) error {
	pairs, err := r.pairs(ctx)
	if err != nil {
		return err
	}
	gate, known := r.gate()
	list := slices.Clone(pairs)
	worst := func(p *pair) *big.Rat {
		out := p.wording
		for _, x := range []*big.Rat{p.neutral, p.raw, p.graph, p.job} {
			if x.Cmp(out) > 0 {
				out = x
			}
		}
		return out
	}
	slices.SortStableFunc(list, func(p, q *pair) int { return worst(q).Cmp(worst(p)) })
	for _, p := range list[:min(len(list), shownPairs)] {
		a, b := p.a.Public.Request, p.b.Public.Request
		rep.Pairs = append(rep.Pairs, Pair{A: p.a.ID, B: p.b.ID, Wording: ratio(p.wording), Neutral: ratio(p.neutral), Sequence: ratio(p.raw), Domain: ratio(p.domain),
			Common: ratio(p.common), Graph: ratio(p.graph), Job: ratio(p.job), Clone: known && gate.Clone(p.raw, p.job),
			Shared: sharedSegments(a, b), SharedWith: sharedSegments(b, a)})
	}
	for _, s := range r.Tasks {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		page, err := s.page(ctx)
		if err != nil {
			return err
		}
		rep.Pages = append(rep.Pages, page)
	}
	return nil
}

func sharedSegments(a, b string) []Segment {
	var hits []wording.Hit
	for _, at := range wording.Shared(a, b) {
		hits = append(hits, wording.Hit{Rule: "shared", Start: at[0], End: at[1]})
	}
	return segments(a, hits)
}

// segments divides a text at its hits. Where two overlap the first one by place wins.
func segments(s string, hits []wording.Hit) []Segment {
	hits = slices.Clone(hits)
	slices.SortStableFunc(hits, func(a, b wording.Hit) int { return a.Start - b.Start })
	out := []Segment{}
	at := 0
	for _, h := range hits {
		if h.Start < at {
			continue
		}
		if h.Start > at {
			out = append(out, Segment{Text: s[at:h.Start]})
		}
		out = append(out, Segment{Text: s[h.Start:h.End], Rule: h.Rule})
		at = h.End
	}
	if at < len(s) {
		out = append(out, Segment{Text: s[at:]})
	}
	return out
}

func (s *Subject) page(ctx context.Context) (TaskPage, error) {
	p := TaskPage{Task: s.ID, Title: s.Public.Title, Graph: *s.Derivations(), Reads: []Read{}, Hops: []Hop{}, Controls: []ControlRow{}, Leaks: []Evidence{}, Files: []FileFact{}}
	c, err := s.asked(ctx)
	if err != nil {
		return p, err
	}
	t := s.Public.Request
	p.Request = segments(t, slices.Concat(wording.Recipe(t, c), wording.ToolNames(t, s.vocabulary()), wording.Harness(t), wording.Grading(t), wording.Outcomes(t)))
	reads, err := s.reads(ctx)
	if err != nil {
		return p, err
	}
	p.Reads = append(p.Reads, reads...)
	leaks, _, err := s.leaks(ctx)
	if err != nil {
		return p, err
	}
	p.Leaks = append(p.Leaks, leaks[:min(len(leaks), maxEvidence)]...)
	for _, f := range s.files() {
		fact := FileFact{Path: f.Path, Kind: f.Kind, Size: f.Size, SHA256: f.SHA256}
		if f.Err != nil {
			fact.Problem = oneLine(f.Err.Error())
		} else {
			fact.Format = string(f.Doc.Format)
		}
		p.Files = append(p.Files, fact)
	}
	if s.Release.Hops != nil {
		hops, err := s.Release.Hops(ctx, s)
		if err != nil {
			return p, err
		}
		p.Hops = append(p.Hops, hops...)
	}
	if s.Release.Controls != nil {
		controls, err := s.Release.Controls(ctx, s)
		if err != nil {
			return p, err
		}
		p.Controls = append(p.Controls, controls...)
	}
	return p, nil
}
