package control

import (
	"context"
	"slices"

	"github.com/assaybench/assay/contract"
	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/record"
)

// noop does nothing at all.
func (s *Subject) noop(oracle *Ran) plan {
	p := plan{name: "noop", steps: []Step{}}
	for _, f := range oracle.Verdict.Findings {
		if !f.Vacuous {
			p.breaks = append(p.breaks, f.Rule)
		}
	}
	if len(s.final) == 0 {
		p.why = "the reference changes nothing, so that doing nothing cannot be told from it"
	}
	return p
}

// shortcut does the work and answers, and reads nothing.
func (s *Subject) shortcut() plan {
	p := plan{name: "shortcut", steps: s.keep(func(i int) bool { return !s.isRead(i) })}
	for _, v := range s.c.Investigations {
		p.breaks = append(p.breaks, "investigation."+v.ID)
	}
	p.breaks = append(p.breaks, s.named("readback.")...)
	return p
}

// stateOnly does the work and answers nothing.
func (s *Subject) stateOnly() plan {
	p := plan{name: "state_only", steps: s.keep(func(i int) bool { return !s.isSubmit(i) }), breaks: s.named("decision", "answer."),
		exact: true, also: s.named("readback_before_answer", "message_before_answer")}
	if s.roles.Submit == 0 {
		p.why = "the reference hands in no answer"
	}
	return p
}

// incompleteRead leaves one material read out: one whose omission shows a fault, where there is one.
func (s *Subject) incompleteRead(reads []Omission) plan {
	p := plan{name: "incomplete_read"}
	list := s.materials()
	if len(list) == 0 {
		p.why = "no read of the reference is material: no graded value and no criterion stands on one"
		return p
	}
	pick := 0
	for i := range reads {
		if reads[i].Fault != "" {
			pick = i
			break
		}
	}
	m := list[pick]
	p.form = "without " + s.callText(m.steps[0])
	p.steps, p.breaks, p.exact = s.keep(func(i int) bool { return !slices.Contains(m.steps, i) }), m.shows, true
	return p
}

// writeBeforeRead does the primary change, and what it needs, before the first material read.
func (s *Subject) writeBeforeRead() plan {
	p := plan{name: "write_before_read"}
	list, prim := s.materials(), s.primaries()
	switch {
	case len(prim) == 0:
		p.why = "the contract has no primary change"
		return p
	case len(list) == 0:
		p.why = "no read of the reference is material"
		return p
	}
	to := list[0].steps[0]
	moved := func(i int) bool { return i >= s.first && i <= prim[0].at && s.isWrite(i) }
	for i, st := range s.steps {
		if i == to {
			p.steps = append(p.steps, s.keep(moved)...)
		}
		if !moved(i) {
			p.steps = append(p.steps, st)
		}
	}
	var late []int
	for i := to; i < len(s.steps); i++ {
		late = append(late, i)
	}
	shown := s.shownOnlyBy(late)
	for _, v := range s.c.Investigations {
		if rule := "investigation." + v.ID; slices.Contains(shown, rule) && s.c.BeforeChange(v) {
			p.breaks = append(p.breaks, rule)
		}
	}
	return p
}

// missingReadback does not look again at what the primary changes did.
func (s *Subject) missingReadback() plan {
	p := plan{name: "missing_readback", exact: true, also: s.named("readback_before_answer")}
	prim := s.primaries()
	if len(prim) == 0 {
		p.why = "the contract has no primary change"
		return p
	}
	var looks []int
	for _, r := range s.c.Readbacks {
		if slices.ContainsFunc(prim, func(m made) bool { return m.change.ID == r.After }) {
			p.breaks = append(p.breaks, "readback."+r.ID)
			for _, q := range s.roles.Looks[r.ID] {
				looks = append(looks, q-1)
			}
		}
	}
	if len(looks) == 0 { // no criterion asks for a look: whatever is read after the change is left out
		for i := prim[0].at + 1; i < len(s.steps); i++ {
			if s.isRead(i) {
				looks = append(looks, i)
			}
		}
	}
	if len(looks) == 0 {
		p.why = "the reference does not look at what it changed"
		return p
	}
	for _, r := range s.c.Readbacks { // a look that serves another change as well
		if rule := "readback." + r.ID; !slices.Contains(p.breaks, rule) {
			p.also = append(p.also, rule)
		}
	}
	p.also = append(p.also, s.shownOnlyBy(looks)...)
	p.steps = s.keep(func(i int) bool { return !slices.Contains(looks, i) })
	return p
}

// wrongValue gives one figure on the path to the recommendation wrong, and everything else right.
func (s *Subject) wrongValue(ctx context.Context) (plan, error) {
	p := plan{name: "wrong_value"}
	fields := s.c.PathFields()
	if len(fields) == 0 {
		p.why = "no field of the answer is a value on the path to the recommendation"
		return p, nil
	}
	best, rank := fields[0], 0
	for _, f := range fields { // a figure in between before any other value in between
		if r := s.intermediate(f); r > rank {
			best, rank = f, r
		}
	}
	q, err := s.corrupted(ctx, best, 1)
	q.name = p.name
	return q, err
}

// intermediate says how much a field is a value in between: 0 of what the chosen option comes to, 1 of what a derivation gives,
// 2 where that is a figure.
func (s *Subject) intermediate(field string) int {
	for _, r := range s.c.Answer {
		if r.Field.Name != field || r.Term == nil || !s.c.Program.Has(r.Term.Ref) {
			continue
		}
		if r.Field.Type == contract.IntegerField || r.Field.Type == contract.DecimalField {
			return 2
		}
		return 1
	}
	return 0
}

// wrongDecision recommends another option throughout: the option and all that follows from it.
func (s *Subject) wrongDecision() []plan {
	p := plan{name: "wrong_decision"}
	if s.c.Decision == nil || len(s.x.Options) < 2 {
		p.why = "the contract decides among no options"
		return []plan{p}
	}
	if s.roles.Submit == 0 {
		p.why = "the reference hands in no answer"
		return []plan{p}
	}
	var out []plan
	for _, o := range s.others() {
		x := s.x.Choose(o)
		q := plan{name: p.name, form: "answers " + o, exact: true}
		q.steps, q.breaks = s.answering(s.steps, x)
		if len(q.breaks) == 0 {
			q.steps, q.why = nil, "the answer does not say which option was chosen, nor anything that follows from it"
		}
		out = append(out, q)
	}
	return out
}

// others gives the options that are not right: those that lack authority last, since they are refused for more than one reason.
func (s *Subject) others() []string {
	var out, lacking []string
	for _, o := range s.x.Options {
		switch {
		case o.ID == s.x.Chosen:
		case o.Authority == contract.Approved:
			out = append(out, o.ID)
		default:
			lacking = append(lacking, o.ID)
		}
	}
	return append(out, lacking...)
}

// answering gives the steps with the answer that follows from other expected values, and the criteria that it breaks.
func (s *Subject) answering(steps []Step, x *contract.Expected) (out []Step, breaks []string) {
	is, was := s.c.AnswerUnder(x, s.roles), s.c.AnswerUnder(s.x, s.roles)
	out = slices.Clone(steps)
	last := len(out) - 1
	for last >= 0 && out[last].ref != s.roles.Submit {
		last--
	}
	if last < 0 {
		return out, nil
	}
	for _, rule := range s.rules {
		field := fieldOf(rule, s.c)
		a, ok := is[field]
		b, ok2 := was[field]
		if field == "" || !ok || !ok2 || exact.Equal(a, b) {
			continue
		}
		out[last] = out[last].with(field, as(out[last].Args[field], a))
		breaks = append(breaks, rule)
	}
	return out, breaks
}

// fieldOf gives the field of the answer that a criterion judges.
func fieldOf(rule string, c *contract.Contract) string {
	if rule == "decision" {
		if c.Decision == nil {
			return ""
		}
		return c.Decision.Answer
	}
	if f, ok := cutAnswer(rule); ok {
		return f
	}
	return ""
}

// oracle and replay run the reference, each in a world of its own; the two episodes must be equal to the byte.
func sameEpisode(a, b *record.Episode) bool {
	x, err := record.Canonical(a)
	if err != nil {
		return false
	}
	y, err := record.Canonical(b)
	return err == nil && string(x) == string(y)
}
