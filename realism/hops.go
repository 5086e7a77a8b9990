package realism

import (
	"context"
	"math/big"
	"slices"
	"strings"

	"github.com/assaybench/assay/contract"
	"github.com/assaybench/assay/contract/control"
	"github.com/assaybench/assay/contract/derive"
)

// Hops are found in what the contract computes, never in what it calls things: each class is a pattern in the graph of
// derivations over kinds of records, and is confirmed by changing the records, or by a negative control, and seeing that the
// graded value moves, or that the control is refused.

// classes are the classes of hops, each with its finder.
var classes = []struct {
	class string
	find  func(ctx context.Context, s *Subject) (Hop, error)
}{
	{"H1", scopeIdentity}, {"H2", requirementDerivation}, {"H3", availability}, {"H4", gapOrBound}, {"H5", externalConstraint},
	{"H6", internalConstraint}, {"H7", alternatives}, {"H8", recommendation}, {"H9", controlComparison}, {"H10", authorityHop},
	{"H11", controlledExecution}, {"H12", communicationHop}, {"H13", exactAnswer},
}

// hops is Release.Hops: every class, found or not.
func hops(ctx context.Context, s *Subject) ([]Hop, error) {
	return once(&s.facts, "hops", func() ([]Hop, error) {
		var out []Hop
		for _, c := range classes {
			h, err := c.find(ctx, s)
			if err != nil {
				return nil, err
			}
			h.Class = c.class
			if h.Pattern == "" {
				h.Pattern = Fail
			}
			if h.Confirmed == "" {
				h.Confirmed = Fail
			}
			out = append(out, h)
		}
		return out, nil
	})
}

// present says whether a hop is there: its pattern stands in the graph, and it is confirmed.
func (h *Hop) present() Result { return Worse(h.Pattern, h.Confirmed) }

// lacking is a hop whose pattern is not there.
func lacking(note string) (Hop, error) { return Hop{Pattern: Fail, Confirmed: Fail, Note: note}, nil }

// requirement is a graded quantity that is computed from several records, one of which says how much is needed.
func (s *Subject) requirements() ([]field, error) {
	var out []field
	for _, f := range s.fields() {
		if f.ref == "" || !s.isNumber(f.ref) || s.Contract().Program.IsInput(s.alias(f.ref)) {
			continue
		}
		list, err := s.stands(f.ref)
		if err != nil {
			return nil, err
		}
		reads, rules := map[string]bool{}, 0
		for _, src := range list {
			reads[src.read.String()] = true
			if src.is("specification", "bom", "contract", "policy") {
				rules++
			}
		}
		if len(reads) >= 2 && rules > 0 && !s.isReadOff(f.ref, list) {
			out = append(out, f)
		}
	}
	return out, nil
}

func (s *Subject) isNumber(name string) bool {
	t, ok := s.Contract().Program.Type(name)
	return ok && t.Kind == derive.Number
}

// isReadOff says whether a value is just one of those that it was made of: read off a header.
func (s *Subject) isReadOff(name string, list []*source) bool {
	v := s.Expected().Values[name]
	return slices.ContainsFunc(list, func(src *source) bool { return s.Expected().Values[src.in.Name].Equal(v) })
}

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

func requirementDerivation(ctx context.Context, s *Subject) (Hop, error) {
	list, err := s.needed()
	if err != nil {
		return Hop{}, err
	}
	if len(list) == 0 {
		return lacking("no graded quantity is computed from two records or more of which one is a specification, a bill of material, a contract or a policy")
	}
	best := Hop{}
	for _, f := range list {
		srcs, err := s.stands(f.ref)
		if err != nil {
			return Hop{}, err
		}
		rules := slices.DeleteFunc(slices.Clone(srcs), func(src *source) bool { return !src.is("specification", "bom", "contract", "policy") })
		h := Hop{Pattern: Pass, Path: arrows(sourceNames(srcs), s.alias(f.ref), "answer."+f.name)}
		said, err := s.anyMoves(ctx, rules, "answer."+f.name, answers(f.name))
		if err != nil {
			return Hop{}, err
		}
		if said != "" {
			h.Confirmed, h.Note = Pass, said
			return h, nil
		}
		h.Note = "no change of " + sourceNames(rules) + " moves it"
		best = h
	}
	return best, nil
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

// proof gives what qualification found of the task; nil where nobody qualified it.
func (s *Subject) proof(ctx context.Context) (*control.Proof, error) {
	if s.Release.Proofs == nil {
		return nil, nil
	}
	return s.Release.Proofs(ctx, s)
}

// refusedReference says why nothing is known of a task's controls.
const refusedReference = "its own verifier refuses the reference, so that nothing can be told from what it refuses"

// refused says whether every control of the names was made and was refused as it must be.
func (s *Subject) refused(ctx context.Context, names ...string) (Result, string, error) {
	p, err := s.proof(ctx)
	if err != nil {
		return Fail, "", err
	}
	if p == nil {
		return NotMeasured, "the negative controls were not run: assay qualify", nil
	}
	if !p.Oracle.Strict {
		return NotMeasured, refusedReference, nil
	}
	var said []string
	for _, name := range names {
		n := 0
		for _, c := range slices.Concat(p.Controls, p.Beside) {
			if c.Name != name {
				continue
			}
			n++
			switch {
			case c.Accept:
			case c.Strict:
				return Fail, name + " is accepted", nil
			case c.Fault != "":
				return Fail, name + ": " + c.Fault, nil
			}
		}
		if n == 0 {
			return Fail, name + " was not made", nil
		}
		said = append(said, name)
	}
	return Pass, "refused: " + strings.Join(said, ", "), nil
}

// chosenOption is the option that is right.
func (s *Subject) chosenOption() *contract.Option {
	for _, o := range s.Contract().Options {
		if o.ID == s.Expected().Chosen {
			return o
		}
	}
	return nil
}
