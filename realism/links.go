package realism

import (
	"context"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/contract"
	"github.com/assaybench/assay/contract/derive"
	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/world"
)

// eachLinkGraded hands in the reference's answer with one graded field changed at a time: the criterion of that field must
// fail, and none of another field may.
func (s *Subject) eachLinkGraded(ctx context.Context) Row {
	trace, err := s.Task.Reference()
	if err != nil {
		return unmeasured(oneLine(err.Error()))
	}
	last := -1
	for i, c := range trace {
		if c.Tool == world.ToolSubmit {
			last = i
		}
	}
	if last < 0 {
		return judged(false, 0, "the reference hands in no answer")
	}
	doc, err := exact.Decode(trace[last].Args)
	answer, ok := doc.(map[string]any)
	if err != nil || !ok {
		return judged(false, 0, "the reference's answer is no object")
	}
	whole, err := s.Reference(ctx)
	if err != nil {
		return unmeasured(oneLine(err.Error()))
	}
	var fields []string
	var ends [][]world.TraceCall
	for _, f := range s.Public.Answer {
		other, ok := corrupted(answer[f.Name], s.fieldOf(f.Name))
		if !s.gradedField(f.Name) || !ok {
			continue
		}
		changed := maps.Clone(answer)
		changed[f.Name] = other
		end := slices.Clone(trace[last:])
		end[0].Args = jsontext.Value(exact.JSON(changed))
		fields, ends = append(fields, f.Name), append(ends, end)
	}
	verdicts, err := s.PlayEnds(ctx, trace[:last], ends)
	if err != nil {
		return unmeasured(oneLine(err.Error()))
	}
	tried := len(fields)
	row := Row{Result: Pass}
	for i, name := range fields {
		own, others := fieldFlips(whole.Verdict.Findings, verdicts[i].Findings, name, s.decisionField())
		if !own || len(others) > 0 {
			row.Result = Fail
			what := "changing it alone fails nothing"
			if own {
				what = "changing it alone also fails " + strings.Join(others, ", ")
			}
			row.Evidence = append(row.Evidence, Evidence{File: s.File, Span: name, Note: what})
		}
	}
	row.Measured = tried
	switch {
	case tried == 0:
		return judged(false, 0, "no field of the answer is graded")
	case row.Result == Fail:
		row.Reason = fmt.Sprintf("%s of the answer are not graded each by itself", counted(len(row.Evidence), "field"))
	default:
		row.Reason = fmt.Sprintf("each of the answer's %d graded fields, changed alone, fails its own criterion and no other field's", tried)
	}
	return row
}

// gradedField says whether a field of the answer is graded at all.
func (s *Subject) gradedField(name string) bool {
	return name == s.decisionField() || slices.ContainsFunc(s.Contract().Answer, func(r *contract.AnswerRule) bool { return r.Field.Name == name && !r.Free })
}

// decisionField is the field that names the chosen option; "" where nothing is decided.
func (s *Subject) decisionField() string {
	if d := s.Contract().Decision; d != nil {
		return d.Answer
	}
	return ""
}

func (s *Subject) fieldOf(name string) *world.Field {
	i := slices.IndexFunc(s.Public.Answer, func(f world.Field) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return &s.Public.Answer[i]
}

// fieldFlips says whether the field's own criterion fails now and did not before, and which criteria of other fields do.
func fieldFlips(before, after []record.Finding, name, decision string) (own bool, others []string) {
	passed := map[string]bool{}
	for _, f := range before {
		passed[f.Rule] = f.Pass
	}
	for _, f := range after {
		if f.Pass || !passed[f.Rule] {
			continue
		}
		field, isField := strings.CutPrefix(f.Rule, "answer.")
		switch {
		case isField && field == name, f.Rule == "decision" && name == decision:
			own = true
		case isField:
			others = append(others, field)
		}
	}
	return own, others
}

// corrupted gives another value of a field's own type, as near to the right one as can be.
func corrupted(v any, f *world.Field) (any, bool) {
	if f == nil {
		return nil, false
	}
	switch x := v.(type) {
	case *big.Rat:
		step := big.NewRat(1, 1)
		return new(big.Rat).Add(x, step), true
	case bool:
		return !x, true
	case []any:
		if len(x) > 0 {
			return x[1:], true
		}
		return nil, false
	case string:
		if d, ok := derive.ParseDay(x); ok && f.Type == world.Date {
			return (d + 1).String(), true
		}
		if f.Type == world.Enum {
			for _, w := range f.Values {
				if w != x {
					return w, true
				}
			}
			return nil, false
		}
		return x + "-9", true
	}
	return nil, false
}
