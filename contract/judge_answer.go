package contract

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/assaybench/assay/contract/derive"
	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/contract/prose"
	"github.com/assaybench/assay/record"
)

// answers judges the last submission, field by field.
func (j *judge) answers() {
	if d := j.c.Decision; d != nil && d.Answer != "" {
		f := record.Finding{Rule: ruleDecision, Category: "decision", Expected: j.x.Chosen, Events: j.answerEvent()}
		v, there := j.answer[d.Answer]
		s, ok := v.(string)
		switch {
		case !there:
			f.Why = j.unanswered(d.Answer)
		case ok && prepare(s) == norm.NFC.String(j.x.Chosen):
			f.Pass, f.Why, f.Got = true, "the right option", s
		default:
			f.Got = clip(exact.Text(v))
			f.Why = "another option is right"
			if o := j.x.Option(s); o != nil && o.Authority != Approved {
				f.Why = fmt.Sprintf("the option is %s", o.Authority)
			}
		}
		j.add(f)
	}
	for _, r := range j.c.Answer {
		if r.Free {
			continue
		}
		f := record.Finding{Rule: "answer." + r.Field.Name, Category: "answer", Expected: j.expectedText(r), Events: j.answerEvent()}
		v, there := j.answer[r.Field.Name]
		if !there {
			f.Why = j.unanswered(r.Field.Name)
		} else {
			f.Got = clip(exact.Text(v))
			f.Pass, f.Why = j.field(r, v)
		}
		j.add(f)
	}
}

func (j *judge) answerEvent() []int {
	if j.answered == math.MaxInt {
		return nil
	}
	return []int{j.answered}
}

func (j *judge) unanswered(name string) string {
	if j.answer == nil {
		return "no answer was submitted"
	}
	return "the answer has no " + name
}

// prepare is how texts are compared: white space at the ends and the way of composing letters say nothing.
func prepare(s string) string { return norm.NFC.String(strings.TrimSpace(s)) }

// field judges one field.
func (j *judge) field(r *AnswerRule, v any) (pass bool, why string) {
	if r.None {
		s, ok := v.(string)
		switch {
		case v == nil:
			return true, "nothing, as it must be"
		case !ok || !prose.Negative(s):
			return false, "it must begin with a plain no"
		}
		if bad := j.forbidden(mentions(r.Forbid), s); len(bad) > 0 {
			return false, strings.Join(bad, "; ")
		}
		return true, "none, as it must be"
	}
	var faults []string
	if r.Term != nil {
		want, ok := j.s.resolve(*r.Term)
		if !ok {
			return false, "what it must be cannot be known, since its change was not made"
		}
		ok, why = sameField(r.Field, want, v, r.Fold)
		if !ok {
			return false, why
		}
	}
	s, isText := v.(string)
	if r.Want != nil && !r.Want.holds(v, true, j.s, inJSON) {
		faults = append(faults, "it must be "+r.Want.String())
	}
	if (len(r.Facts) > 0 || len(r.Forbid) > 0) && !isText {
		return false, "a text is wanted"
	}
	if isText {
		t := prose.Prepare(s)
		for i := range r.Facts {
			w, ok := r.Facts[i].resolve(j.s)
			if !ok || !prose.Claimed(t, w) {
				faults = append(faults, "it does not say "+w.Text)
			}
		}
		faults = append(faults, j.forbidden(r.Forbid, s)...)
	}
	if len(faults) > 0 {
		return false, strings.Join(faults, "; ")
	}
	return true, "right"
}

// mentions forbids any mention: where nothing is the answer, a named record is a contradiction whatever is said of it.
func mentions(facts []Fact) []Fact {
	out := slices.Clone(facts)
	for i := range out {
		out[i].Mention = true
	}
	return out
}

// sameField compares a field with what it must be, by the field's type.
func sameField(f *Field, want resolved, v any, fold bool) (ok bool, why string) {
	switch f.Type {
	case IntegerField, DecimalField:
		got, ok := numberOf(f, v)
		if !ok {
			return false, "a number is wanted"
		}
		w, ok := want.json.(*big.Rat)
		if !ok {
			if w, ok = numberOf(f, want.json); !ok {
				return false, "the contract has no number for it"
			}
		}
		if got.Cmp(w) != 0 {
			return false, "another number is right"
		}
		if f.Type == DecimalField && derive.Round(got, f.Places, "toward_zero").Cmp(got) != 0 {
			return false, fmt.Sprintf("more than %s", plural(f.Places, "decimal place"))
		}
		return true, "right"
	case SetField:
		list, ok := v.([]any)
		if !ok {
			return false, "a list is wanted"
		}
		wants, ok := want.json.([]any)
		if !ok {
			return false, "the contract has no list for it"
		}
		return sameMembers(f.Of, wants, list, fold)
	case BoolField:
		if !exact.Equal(want.json, v) {
			return false, "the other of true and false is right"
		}
		return true, "right"
	}
	s, ok := v.(string)
	if !ok {
		return false, "a text is wanted"
	}
	w := want.text()
	a, b := prepare(s), prepare(w)
	if fold {
		a, b = cases.Fold().String(a), cases.Fold().String(b)
	}
	if a != b {
		return false, "something else is right"
	}
	return true, "right"
}

// sameMembers compares as sets; order and repetition say nothing.
func sameMembers(of *Field, wants, list []any, fold bool) (bool, string) {
	if of == nil {
		of = &Field{Type: TextField}
	}
	in := func(v any, list []any) bool {
		return slices.ContainsFunc(list, func(w any) bool {
			ok, _ := sameField(of, resolved{json: w}, v, fold)
			return ok
		})
	}
	missing, extra := 0, 0
	for _, w := range wants {
		if !slices.ContainsFunc(list, func(v any) bool { ok, _ := sameField(of, resolved{json: w}, v, fold); return ok }) {
			missing++
		}
	}
	for _, v := range list {
		if !in(v, wants) {
			extra++
		}
	}
	if missing+extra > 0 {
		return false, fmt.Sprintf("%d missing, %d too many", missing, extra)
	}
	return true, "right"
}

// numberOf reads a number of an answer: a JSON number, or for decimals a text of digits.
func numberOf(f *Field, v any) (*big.Rat, bool) {
	switch x := v.(type) {
	case *big.Rat:
		return x, f.Type == DecimalField || x.IsInt()
	case string:
		if f.Type == DecimalField {
			return exact.Rat(strings.TrimSpace(x))
		}
	}
	return nil, false
}

// expectedText says what a field must be, for the finding.
func (j *judge) expectedText(r *AnswerRule) string {
	var parts []string
	if r.None {
		parts = append(parts, "none")
	}
	if r.Term != nil {
		if w, ok := j.s.resolve(*r.Term); ok {
			parts = append(parts, strings.TrimSpace(w.text()+" "+r.Field.Unit))
		} else {
			parts = append(parts, r.Term.String())
		}
	}
	if r.Want != nil {
		parts = append(parts, r.Want.String())
	}
	for i := range r.Facts {
		if w, ok := r.Facts[i].resolve(j.s); ok {
			parts = append(parts, "says "+w.Text)
		}
	}
	for i := range r.Forbid {
		if w, ok := r.Forbid[i].resolve(j.s); ok {
			parts = append(parts, "does not say "+w.Text)
		}
	}
	return strings.Join(parts, ", ")
}
