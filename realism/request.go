package realism

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/assaybench/assay/realism/wording"
)

const ofRequest = "employeeRequest."

var requestChecks = []check{
	{key: ofRequest + "minimumWords", scope: OfTask, how: Static, measure: wordsRow(true)},
	{key: ofRequest + "maximumWords", scope: OfTask, how: Static, measure: wordsRow(false)},
	{key: ofRequest + "exactDuplicatesAllowed", scope: OfPair, how: Static, measure: duplicatesRow},
	{key: ofRequest + "maximumPairwiseFiveShingleJaccard", scope: OfPair, how: Static, measure: shinglesRow},
	{key: ofRequest + "proceduralRecipeAllowed", scope: OfTask, how: Static, measure: recipeRow},
	{key: ofRequest + "toolNamesAllowed", scope: OfTask, how: Static, measure: hitsRow("names of tools or of what they hold", func(s *Subject, t string) []wording.Hit { return wording.ToolNames(t, s.vocabulary()) })},
	{key: ofRequest + "harnessSyntaxAllowed", scope: OfTask, how: Static, measure: hitsRow("what is said to programs", func(_ *Subject, t string) []wording.Hit { return wording.Harness(t) })},
	{key: ofRequest + "gradingLanguageAllowed", scope: OfTask, how: Static, measure: hitsRow("talk of grading", func(_ *Subject, t string) []wording.Hit { return wording.Grading(t) })},
	{key: ofRequest + "mustDescribeBusinessOutcomeNotProcedure", scope: OfTask, how: Static, measure: outcomeRow},
	{key: ofRequest + "singleCoherentOperationalObjectiveRequired", scope: OfTask, how: Static, measure: objectiveRow},
	{key: ofRequest + "taskScopedExecutionAuthorityRequired", scope: OfTask, how: Static, measure: requestAuthorityRow},
}

// wordsRow bounds a request by both counts: from below the lesser, from above the greater.
func wordsRow(least bool) func(context.Context, *Release, Leaf) Row {
	return func(_ context.Context, r *Release, l Leaf) Row {
		bound, ok := r.Standard.Rat(l.Key)
		if !ok {
			return unmeasured("the threshold is no number")
		}
		return byTask(r, func(s *Subject) Row {
			lexical, fields := wording.Lexical(s.Public.Request), wording.Whitespace(s.Public.Request)
			n := min(lexical, fields)
			good := big.NewRat(int64(n), 1).Cmp(bound) >= 0
			if !least {
				n = max(lexical, fields)
				good = big.NewRat(int64(n), 1).Cmp(bound) <= 0
			}
			return judged(good, n, fmt.Sprintf("%d words, %d between white space", lexical, fields), Evidence{File: s.File, Note: fmt.Sprintf("words %d, between white space %d", lexical, fields)})
		})
	}
}

// eachPair goes through all pairs of tasks.
func (r *Release) eachPair(yield func(a, b *Subject)) {
	for i, a := range r.Tasks {
		for _, b := range r.Tasks[i+1:] {
			yield(a, b)
		}
	}
}

func pairName(a, b *Subject) string { return a.ID + " / " + b.ID }

func duplicatesRow(_ context.Context, r *Release, l Leaf) Row {
	bound, ok := r.Standard.Rat(l.Key)
	if !ok {
		return unmeasured("the threshold is no number")
	}
	n := 0
	var ev []Evidence
	r.eachPair(func(a, b *Subject) {
		if wording.SameText(a.Public.Request, b.Public.Request) {
			n++
			ev = append(ev, Evidence{Pair: pairName(a, b), File: b.File, Note: "the same request"})
		}
	})
	return judged(big.NewRat(int64(n), 1).Cmp(bound) <= 0, n, counted(n, "pair")+" of equal requests", ev...)
}

// shinglesRow bounds what any two requests share, as an exact ratio: 18/25 is not beyond 0.72.
func shinglesRow(ctx context.Context, r *Release, l Leaf) Row {
	bound, ok := r.Standard.Rat(l.Key)
	if !ok {
		return unmeasured("the threshold is no number")
	}
	pairs, err := r.pairs(ctx)
	if err != nil {
		return unmeasured(oneLine(err.Error()))
	}
	worst, over := new(big.Rat), 0
	var ev []Evidence
	for _, p := range pairs {
		if p.wording.Cmp(worst) > 0 {
			worst = p.wording
		}
		if p.wording.Cmp(bound) > 0 {
			over++
			ev = append(ev, Evidence{Pair: pairName(p.a, p.b), Note: "share " + ratio(p.wording) + " of their five-word windows"})
		}
	}
	for _, p := range pairs[:min(len(pairs), 3)] {
		if p.wording.Cmp(bound) <= 0 {
			ev = append(ev, Evidence{Pair: pairName(p.a, p.b), Note: "share " + ratio(p.wording) + "; without names " + ratio(p.neutral)})
		}
	}
	return judged(over == 0, ratio(worst), fmt.Sprintf("%s beyond the bound; the most alike share %s", counted(over, "pair"), ratio(worst)), ev...)
}

// ratio writes an exact ratio: 0, 1 or n/d.
func ratio(r *big.Rat) string { return r.RatString() }

// allowed is the row of a requirement that the standard leaves open.
func allowed(measured any) Row { return judged(true, measured, "the standard allows it") }

// methodsTold is from how many told methods on a request gives its procedure away.
const methodsTold = 3

func recipeRow(ctx context.Context, r *Release, l Leaf) Row {
	if l.Value == true {
		return allowed(nil)
	}
	return byTask(r, func(s *Subject) Row {
		c, err := s.asked(ctx)
		if err != nil {
			return unmeasured(oneLine(err.Error()))
		}
		row := Row{Result: Pass}
		found := 0
		for _, t := range s.requestTexts() {
			hits := wording.Recipe(t.Text, c)
			if strings.HasPrefix(t.Field, "answer.") { // a field's own name is no secret in its own description
				hits = slices.DeleteFunc(hits, func(h wording.Hit) bool { return h.Rule == wording.RuleNames || h.Rule == wording.RuleResources })
			}
			methods := 0
			for _, h := range hits {
				result := Fail
				if h.Rule == wording.RuleMethod {
					methods++
					result = Warn
				}
				row.Result = Worse(row.Result, result)
				found++
				row.Evidence = append(row.Evidence, Evidence{File: t.Where, Line: t.Line, Cell: t.Field, Span: t.Text[h.Start:h.End], Note: h.Rule + ": " + h.Note})
			}
			if methods >= methodsTold {
				row.Result = Fail
			}
		}
		row.Measured = found
		switch row.Result {
		case Pass:
			row.Reason = "no list, chain or sequence of orders, and no method"
		case Warn:
			row.Reason = "tells how a graded value comes about"
		default:
			row.Reason = "tells how to work: " + clip(row.Evidence[0].Span, 80)
		}
		return row
	})
}

// hitsRow is a requirement that a rule finds nothing in the request and the title.
func hitsRow(what string, rule func(s *Subject, text string) []wording.Hit) func(context.Context, *Release, Leaf) Row {
	return func(_ context.Context, r *Release, l Leaf) Row {
		if l.Value == true {
			return allowed(nil)
		}
		return byTask(r, func(s *Subject) Row {
			row := Row{Result: Pass, Measured: 0, Reason: "no " + what}
			if strings.HasPrefix(what, "what ") {
				row.Reason = "nothing of " + what
			}
			for _, t := range s.requestTexts()[:2] {
				for _, h := range rule(s, t.Text) {
					row.Result, row.Measured = Fail, row.Measured.(int)+1
					row.Evidence = append(row.Evidence, Evidence{File: t.Where, Cell: t.Field, Span: t.Text[h.Start:h.End], Note: h.Note})
				}
			}
			if row.Result == Fail {
				row.Reason = what + ": " + clip(row.Evidence[0].Span, 80)
			}
			return row
		})
	}
}

// outcomeRow looks for a clause that says what somebody wants to have, and for no recipe beside it. It reads form alone.
func outcomeRow(ctx context.Context, r *Release, l Leaf) Row {
	if l.Value == false {
		return allowed(nil)
	}
	return byTask(r, func(s *Subject) Row {
		c, err := s.asked(ctx)
		if err != nil {
			return unmeasured(oneLine(err.Error()))
		}
		hits := wording.Outcomes(s.Public.Request)
		var ev []Evidence
		for _, h := range hits[:min(len(hits), 5)] {
			ev = append(ev, Evidence{File: s.File, Cell: "request", Span: s.Public.Request[h.Start:h.End], Note: "says what is wanted; found by form alone"})
		}
		recipe := slices.DeleteFunc(wording.Recipe(s.Public.Request, c), func(h wording.Hit) bool { return h.Rule == wording.RuleMethod })
		switch {
		case len(hits) == 0:
			return judged(false, 0, "no clause says what somebody wants to have in the end", ev...)
		case len(recipe) > 0:
			return judged(false, len(hits), "a procedure stands beside the outcome: "+clip(s.Public.Request[recipe[0].Start:recipe[0].End], 80), ev...)
		}
		return judged(true, len(hits), "says what is wanted, and not how", ev...)
	})
}
