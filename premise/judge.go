package premise

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assaybench/assay/record"
)

// Names of the findings of a verdict.
const (
	findValid    = "valid"    // the reply reads, and its body evaluates
	findDeclared = "declared" // what the requirement leaves open is declared
	findMatched  = "matched"  // the points are those of an accepted reading
)

// judgement is what follows from one reply. It is small whatever the reply's program gives.
type judgement struct {
	letter   record.Letter
	declared bool
	topics   []string    // the kinds that the reply declares
	reading  *Reading    // the accepted reading whose points these are, or nil
	over     int         // kinds that were declared and belong to nothing open
	points   int         // within the range
	first    []string    // of the points, as a verdict quotes them
	differs  string      // where they depart from the nearest reading, if they are those of none
	invalid  *Diagnostic // why the reply is not validated, or nil
}

// judge holds a reply against a problem, and gives its points as well. Definitions: declared: for every element some kind of
// it is among the topics; matched: the points are those of some accepted reading, character for character; passed: both. The
// error is ctx's.
func (s *spec) judge(ctx context.Context, p *Problem, answer string) (j judgement, points []string, err error) {
	r, err := ReadReply(answer)
	if err != nil {
		return invalid(j, err)
	}
	j.topics = r.Topics()
	j.declared, j.over = p.declares(j.topics)
	if points, err = s.points(ctx, r.Body, p.From, p.To); err != nil {
		return invalid(j, err)
	}
	j.points, j.first = len(points), head(points, shownPoints)
	for i := range p.Readings {
		if slices.Equal(points, p.Readings[i].Expected) {
			j.reading = &p.Readings[i]
			break
		}
	}
	if j.reading == nil {
		j.differs = p.difference(points)
	}
	switch {
	case j.declared && j.reading != nil:
		j.letter = record.LetterPass
	case j.reading != nil:
		j.letter = record.LetterSilent
	case j.declared:
		j.letter = record.LetterDeclaredWrong
	default:
		j.letter = record.LetterUndeclaredWrong
	}
	return j, points, nil
}

// invalid is the judgement of a reply that is not validated; an error that is no diagnostic is no judgement.
func invalid(j judgement, err error) (judgement, []string, error) {
	if !errors.As(err, &j.invalid) {
		return j, nil, err
	}
	j.letter = record.LetterInvalid
	return j, nil, nil
}

// declares says whether every open element is declared, and how many kinds are declared beyond them.
func (p *Problem) declares(topics []string) (all bool, over int) {
	all = true
	for _, e := range p.Undeclared {
		all = all && slices.ContainsFunc(topics, func(t string) bool { return slices.Contains(e, t) })
	}
	for _, t := range topics {
		if !slices.ContainsFunc(p.Undeclared, func(e Element) bool { return slices.Contains(e, t) }) {
			over++
		}
	}
	return all, over
}

// verdict writes a judgement down.
func (p *Problem) verdict(j judgement) record.Verdict {
	v := record.Verdict{Item: p.ID, Frozen: p.Frozen, Basis: p.Basis, State: record.Graded, Letter: j.letter, Pass: j.letter == record.LetterPass,
		Diagnostics: map[string]any{}, Premise: &record.Premise{Declared: j.declared, OverDeclared: j.over}}
	valid := record.Finding{Rule: findValid, Pass: j.invalid == nil, Expected: "a reply that reads and a body that evaluates"}
	declared := record.Finding{Rule: findDeclared, Pass: j.declared, Expected: p.mustDeclare()}
	matched := record.Finding{Rule: findMatched, Expected: "the points of " + p.keys()}
	if j.invalid != nil {
		valid.Why = oneLine(j.invalid.Error())
		v.Reason = "not validated: " + valid.Why
		declared.Skipped, matched.Skipped = true, true
		declared.Pass = false
		v.Findings = []record.Finding{valid, declared, matched}
		return v
	}
	declared.Got = "nothing"
	if len(j.topics) > 0 {
		declared.Got = strings.Join(j.topics, ", ")
	}
	if !j.declared {
		declared.Why = "not everything that the requirement leaves open is declared"
	}
	matched.Got = count(j.points)
	if j.reading != nil {
		matched.Pass, matched.Got = true, j.reading.Key
		v.Premise.Reading = &j.reading.Key
	} else {
		matched.Why = "the points are those of no accepted reading: " + j.differs
	}
	v.Findings = []record.Finding{valid, declared, matched}
	v.Diagnostics["points"] = slices.Clone(j.first)
	return v
}

// shownPoints is how many points a verdict quotes.
const shownPoints = 40

func head(list []string, most int) []string {
	if len(list) > most {
		return append(slices.Clone(list[:most]), fmt.Sprintf("… %d in all", len(list)))
	}
	return slices.Clone(list)
}

func count(n int) string { return many(n, "point") }

// many is a number of things: 1 point, 2 points.
func many(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// mustDeclare says in words what a reply must declare.
func (p *Problem) mustDeclare() string {
	if p.plain() {
		return "nothing: the requirement leaves nothing open"
	}
	var parts []string
	for _, e := range p.Undeclared {
		parts = append(parts, strings.Join(e, " or "))
	}
	return strings.Join(parts, ", and ")
}

func (p *Problem) keys() string {
	var keys []string
	for _, r := range p.Readings {
		keys = append(keys, r.Key)
	}
	return strings.Join(keys, ", or of ")
}

// difference says where points depart from the accepted reading that they follow longest.
func (p *Problem) difference(points []string) string {
	best, at := 0, -1
	for i, r := range p.Readings {
		n := 0
		for n < len(points) && n < len(r.Expected) && points[n] == r.Expected[n] {
			n++
		}
		if n > at {
			best, at = i, n
		}
	}
	r := p.Readings[best]
	switch {
	case at == len(points):
		return fmt.Sprintf("%s goes on with %s", r.Key, r.Expected[at])
	case at == len(r.Expected):
		return fmt.Sprintf("%s is beyond those of %s", clip(points[at], 40), r.Key)
	}
	return fmt.Sprintf("%s where %s has %s", clip(points[at], 40), r.Key, r.Expected[at])
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
