package realism

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assaybench/assay/contract"
	"github.com/assaybench/assay/contract/derive"
	"github.com/assaybench/assay/world"
)

func (s *Subject) table(name string) *world.Table {
	for _, t := range s.World.Tables {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// optionFacts counts what the options come to.
type optionFacts struct {
	complete, computed   int
	unauthorised, lesser []string
	outcomesGraded       int
}

func (s *Subject) optionFacts() optionFacts {
	c, x := s.Contract(), s.Expected()
	var f optionFacts
	for _, o := range c.Options {
		if o.Outcome != "" && o.Cost != "" && (o.Limit != "" || o.Supported != "") {
			f.complete++
		}
		if o.Outcome != "" && o.Cost != "" && len(inputsOf(c, o.Outcome)) > 0 && len(inputsOf(c, o.Cost)) > 0 && (o.Limit == "" || len(inputsOf(c, o.Limit)) > 0) {
			f.computed++
		}
		v := x.Option(o.ID)
		switch {
		case v.Authority == contract.NeedsApproval:
			f.unauthorised = append(f.unauthorised, o.ID)
		case o.ID != x.Chosen:
			f.lesser = append(f.lesser, o.ID)
		}
		if o.Outcome != "" && len(s.gradedBy(o.ID+".outcome")) > 0 {
			f.outcomesGraded++
		}
	}
	return f
}

// alternatives wants three options whose outcome, cost and authority are computed from the world.
func alternatives(_ context.Context, s *Subject) (Hop, error) {
	f := s.optionFacts()
	n := len(s.Contract().Options)
	h := Hop{Path: fmt.Sprintf("%d options, %d complete, %d of them computed from records; beyond authority %s; worse or unsupported %s",
		n, f.complete, f.computed, orNone(f.unauthorised), orNone(f.lesser))}
	if n < 3 || f.complete < n || len(f.unauthorised) == 0 || len(f.lesser) == 0 {
		h.Note = "three options with outcome, cost and authority are wanted, one of them beyond authority and one worse or unsupported"
		return h, nil
	}
	h.Pattern, h.Confirmed = Pass, Pass
	if f.computed < n {
		h.Confirmed, h.Note = Fail, "an option's outcome, cost or limit follows from no record"
	}
	return h, nil
}

func orNone(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ", ")
}

// recommendation wants the option and its outcome graded, and another coherent choice refused.
func recommendation(ctx context.Context, s *Subject) (Hop, error) {
	c := s.Contract()
	if c.Decision == nil || c.Decision.Answer == "" || s.chosenOption() == nil {
		return lacking("no option is recommended in the answer")
	}
	o := s.chosenOption()
	graded := s.gradedBy(o.ID + ".outcome")
	if len(graded) == 0 {
		return lacking("the outcome of the option that is recommended is not graded")
	}
	h := Hop{Pattern: Pass, Path: arrows("the first by "+strings.Join(c.Decision.Order, ", ")+" among "+c.Decision.Among, "answer."+c.Decision.Answer, "answer."+graded[0])}
	var err error
	h.Confirmed, h.Note, err = s.refused(ctx, "wrong_decision")
	return h, err
}

// controlComparison wants a day or figure of the business, from a record of its own, against which the outcome stands as a
// signed difference and as a word, both graded.
func controlComparison(ctx context.Context, s *Subject) (Hop, error) {
	o := s.chosenOption()
	if o == nil || o.Outcome == "" {
		return lacking("nothing is recommended that could be compared")
	}
	c := s.Contract()
	all, err := s.sources()
	if err != nil {
		return Hop{}, err
	}
	outcome := s.alias(o.Outcome)
	var differences, words []field
	for _, f := range s.fields() {
		if f.ref == "" || f.ref == "decision" || !slices.Contains(c.Program.Reach(f.ref), outcome) || s.alias(f.ref) == outcome {
			continue
		}
		t, ok := c.Program.Type(f.ref)
		switch {
		case !ok:
		case t.Kind == derive.Number && slices.ContainsFunc(s.ops(f.ref), func(op string) bool { return op == "days_between" || op == "sub" }):
			differences = append(differences, f)
		case t.Kind == derive.Text || t.Kind == derive.Bool:
			words = append(words, f)
		}
	}
	before := c.Program.Inputs(outcome)
	for _, d := range differences {
		for _, in := range c.Program.Inputs(d.ref) {
			src := all[in]
			if slices.Contains(before, in) || src == nil {
				continue // it makes the outcome, and is no measure of it
			}
			for _, w := range words {
				if !slices.Contains(c.Program.Inputs(w.ref), in) {
					continue
				}
				h := Hop{Pattern: Pass, Path: arrows(in+" against "+outcome, "answer."+d.name+", answer."+w.name)}
				for _, f := range []field{d, w} {
					said, err := s.anyMoves(ctx, []*source{src}, "answer."+f.name, answers(f.name))
					if err != nil {
						return Hop{}, err
					}
					if said == "" {
						h.Note = "no change of " + in + " moves answer." + f.name
						return h, nil
					}
					h.Note = said
				}
				h.Confirmed = Pass
				return h, nil
			}
		}
	}
	return lacking("no record of its own says against what the outcome is held, with a signed difference and a word for it that are graded")
}

// authorityHop wants the limit of what may be done to be read, to decide an option, and what is beyond it to be refused.
func authorityHop(ctx context.Context, s *Subject) (Hop, error) {
	c := s.Contract()
	var srcs []*source
	for _, o := range c.Options {
		if o.Limit == "" {
			continue
		}
		list, err := s.stands(o.Limit)
		if err != nil {
			return Hop{}, err
		}
		for _, src := range list {
			if src.is("approval", "policy", "contract") && !slices.Contains(srcs, src) {
				srcs = append(srcs, src)
			}
		}
	}
	if len(srcs) == 0 {
		return lacking("no option is held against a limit that an approval, a policy or a contract gives")
	}
	var fields []string
	for _, f := range s.fields() {
		if r := f.rule; r != nil && r.Term != nil && strings.HasSuffix(r.Term.Ref, ".authority") {
			fields = append(fields, f.name)
		}
	}
	for _, o := range c.Options {
		if o.Limit != "" {
			fields = append(fields, s.gradedBy(o.Limit)...)
		}
	}
	if len(fields) == 0 {
		return lacking("no field of the answer says what may be done")
	}
	h := Hop{Pattern: Pass, Path: arrows(sourceNames(srcs), "authority of the options", "answer."+fields[0])}
	said, err := s.anyMoves(ctx, srcs, "authority", part("authority"))
	if err != nil {
		return Hop{}, err
	}
	if said == "" {
		h.Note = "no change of " + sourceNames(srcs) + " changes what may be done"
		return h, nil
	}
	var more string
	h.Confirmed, more, err = s.refused(ctx, "unauthorized_write")
	h.Note = said + "; " + more
	return h, err
}
