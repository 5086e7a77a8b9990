package realism

import (
	"context"
	"math/big"
	"slices"

	"github.com/assaybench/assay/contract/derive"
)

// needed are the requirements that what is usable is netted against. What is observed, sorted out and usable, and what that is
// made of, is no requirement. Where nothing is netted, any other requirement will do.
func (s *Subject) needed() ([]field, error) {
	list, err := s.requirements()
	if err != nil {
		return nil, err
	}
	prog := s.Contract().Program
	good := map[string]bool{}
	any := true
	for _, t := range s.triples() {
		usable := s.alias(t.usable.ref)
		supply := append(prog.Reach(usable), usable, s.alias(t.observed.ref), s.alias(t.excluded.ref))
		var netted []string
		for _, f := range s.fields() {
			if name := s.alias(f.ref); f.ref != "" && f.ref != "decision" && name != usable && slices.Contains(prog.Needs(name), usable) && slices.ContainsFunc(s.ops(f.ref), nets) {
				netted = append(netted, prog.Reach(name)...)
			}
		}
		if len(netted) == 0 {
			continue
		}
		any = false
		for _, f := range list {
			name := s.alias(f.ref)
			good[f.name] = good[f.name] || slices.Contains(netted, name) && !slices.Contains(supply, name) && !slices.Contains(prog.Reach(name), usable)
		}
	}
	return slices.DeleteFunc(list, func(f field) bool { return !any && !good[f.name] }), nil
}

// nets says whether an operator holds one amount against another.
func nets(op string) bool {
	return slices.Contains([]string{"sub", "max", "min", "lt", "le", "gt", "ge", "clamp"}, op)
}

// triple is what was seen, what of it does not count, and what is left; all three graded.
type triple struct{ observed, excluded, usable field }

func (s *Subject) triples() []triple {
	var out []triple
	x := s.Expected()
	var nums []field
	for _, f := range s.fields() {
		if f.ref != "" && s.isNumber(f.ref) && x.Values[f.ref].Rat().Sign() >= 0 {
			nums = append(nums, f)
		}
	}
	prog := s.Contract().Program
	for _, u := range nums {
		for _, o := range nums {
			for _, e := range nums {
				vu, vo, ve := x.Values[u.ref], x.Values[o.ref], x.Values[e.ref]
				if u.name == o.name || u.name == e.name || o.name == e.name || vu.Unit() != vo.Unit() || ve.Unit() != vo.Unit() || ve.Rat().Sign() <= 0 {
					continue
				}
				if new(big.Rat).Sub(vo.Rat(), ve.Rat()).Cmp(vu.Rat()) != 0 || !s.sharedRows(o.ref, e.ref) {
					continue
				}
				reach := prog.Reach(s.alias(u.ref))
				if slices.Contains(reach, s.alias(o.ref)) && slices.Contains(reach, s.alias(e.ref)) || s.sharedRows(o.ref, u.ref) {
					out = append(out, triple{o, e, u})
				}
			}
		}
	}
	return out
}

// sharedRows says whether two values count the same rows.
func (s *Subject) sharedRows(a, b string) bool {
	prog := s.Contract().Program
	other := inputsOf(s.Contract(), b)
	return slices.ContainsFunc(inputsOf(s.Contract(), a), func(in string) bool {
		t, _ := prog.Type(in)
		return (t.Kind == derive.Rows || t.Kind == derive.Set) && slices.Contains(other, in)
	})
}

func availability(ctx context.Context, s *Subject) (Hop, error) {
	list := s.triples()
	if len(list) == 0 {
		return lacking("no three graded values are what was seen, what of it does not count, and the rest, over the same rows")
	}
	best := Hop{}
	for _, t := range list {
		h := Hop{Pattern: Pass, Path: arrows("answer."+t.observed.name+" less answer."+t.excluded.name, "answer."+t.usable.name)}
		srcs, err := s.stands(t.excluded.ref)
		if err != nil {
			return Hop{}, err
		}
		rules := slices.DeleteFunc(srcs, func(src *source) bool { return !src.is("policy", "specification", "contract", "quality", "calendar") })
		said, err := s.anyMoves(ctx, rules, "answer."+t.excluded.name, answers(t.excluded.name))
		if err != nil {
			return Hop{}, err
		}
		if said != "" {
			h.Confirmed, h.Note = Pass, said
			return h, nil
		}
		h.Note = "what does not count follows from no rule whose change moves it"
		best = h
	}
	return best, nil
}

func gapOrBound(ctx context.Context, s *Subject) (Hop, error) {
	needs, err := s.needed()
	if err != nil {
		return Hop{}, err
	}
	prog := s.Contract().Program
	for _, f := range s.fields() {
		if f.ref == "" || f.ref == "decision" || prog.IsInput(s.alias(f.ref)) {
			continue
		}
		name := s.alias(f.ref)
		reach := prog.Reach(name)
		ops := s.ops(f.ref)
		if !slices.ContainsFunc(ops, nets) {
			continue
		}
		for _, need := range needs {
			for _, t := range s.triples() {
				n, u := s.alias(need.ref), s.alias(t.usable.ref)
				if n == u || n == name || u == name || !slices.Contains(reach, n) || !slices.Contains(reach, u) {
					continue
				}
				srcs, err := s.stands(need.ref)
				if err != nil {
					return Hop{}, err
				}
				h := Hop{Pattern: Pass, Path: arrows("answer."+need.name+", answer."+t.usable.name, "answer."+f.name)}
				h.Note, err = s.anyMoves(ctx, srcs, "answer."+f.name, answers(f.name))
				if h.Note != "" {
					h.Confirmed = Pass
				}
				return h, err
			}
		}
	}
	return lacking("no graded value nets what is needed against what is usable")
}
