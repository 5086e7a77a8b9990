package publication

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/record"
)

// Set judges a transcript again, and knows what its bench has.
type Set interface {
	Digest() string
	Grade(ctx context.Context, item string, t record.Transcript) (record.Verdict, error)
	Bench() *bench.Bench
	Heads() iter.Seq[bench.Head]
}

// Verified is what re-grading a publication came to.
type Verified struct {
	Digest   string  `json:"digest"` // of the manifest
	Attempts int     `json:"attempts"`
	Graded   int     `json:"graded"` // of these, graded again
	Faults   []Fault `json:"faults"`
	// Unmade are the files that were not made again: another version of the program wrote them, and they say whatever they say.
	Unmade []string `json:"not_made_again"`

	Signatures []Signature `json:"signatures,omitempty"`
}

// Verify grades every transcript again and compares each verdict byte for byte with the one that was published. each, if any,
// is told of every attempt with its transcript. program is the version that verifies. The error is ours; what is wrong with the publication is in the result.
func (p *Publication) Verify(ctx context.Context, g Set, program string, each func(a *Attempt, t *record.Transcript)) (*Verified, error) {
	v := &Verified{Digest: p.Manifest.Digest, Faults: []Fault{}, Unmade: []string{}}
	if g.Digest() != p.Head.Grader {
		v.Faults = append(v.Faults, Fault{HeadFile, 0, fmt.Sprintf("the verdicts are of the grader %.12s, and this program's is %.12s: grade with the version that published (%s)", p.Head.Grader, g.Digest(), oneLine(p.Head.Program))})
		return v, nil
	}
	if v.Faults = append(v.Faults, p.planned(g.Bench())...); len(v.Faults) > 0 {
		return v, nil // the attempts are counted by the plan
	}
	next, stop := iter.Pull(order(&p.Head.Plan, g.Heads()))
	defer stop()
	faults, err := p.Each(func(a *Attempt, t *record.Transcript) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		v.Attempts++
		if each != nil {
			each(a, t)
		}
		fault := func(format string, args ...any) {
			v.Faults = append(v.Faults, Fault{AttemptsFile, a.N + 1, fmt.Sprintf(format, args...)})
		}
		want, ok := next()
		if !ok || a.Key != want.Key {
			fault("%s", misplaced(a, want, ok))
			return errMisplaced // and with it, all that follow
		}
		if what := fits(a, want, t); what != "" {
			fault("%s", what)
			return nil
		}
		has := string(a.Verdict) != "null"
		switch {
		case t == nil && has:
			fault("a verdict without a transcript")
			return nil
		case t != nil && a.Outcome != t.Outcome:
			fault("the outcome is %s, and the transcript's is %s", a.Outcome, t.Outcome)
			return nil
		case !has:
			switch {
			case a.Pass:
				fault("a pass without a verdict")
			case t != nil && t.Outcome == record.Answered && a.Letter != record.LetterUngradable:
				fault("the letter %s without a verdict", a.Letter)
			case t != nil && t.Outcome != record.Answered && a.Letter != record.LetterOf(t.Outcome):
				fault("the letter %s is not that of its outcome, %s", a.Letter, t.Outcome)
			}
			return nil
		}
		now, err := g.Grade(ctx, a.Key.Item, *t)
		if err != nil {
			return fmt.Errorf("attempt %d: %w", a.N, err)
		}
		again, err := record.Canonical(now)
		if err != nil {
			return err
		}
		v.Graded++
		switch {
		case now.State == record.Ungradable:
			fault("it cannot be graded here: %s", oneLine(now.Reason))
		case string(again) != string(a.Verdict):
			fault("graded again, %s gets another verdict (%s, published as %s)", a.Key.Item, now.Letter, a.Letter)
		case now.Pass != a.Pass || now.Letter != a.Letter:
			fault("the letter %s is not its verdict's, %s", a.Letter, now.Letter)
		}
		return nil
	})
	v.Faults = append(v.Faults, faults...)
	if errors.Is(err, errMisplaced) {
		return v, nil
	}
	if _, more := next(); more && err == nil && len(v.Faults) == 0 {
		v.Faults = append(v.Faults, Fault{AttemptsFile, 0, fmt.Sprintf("attempts of the plan are missing after the %d that it has", v.Attempts)})
	}
	if err != nil || len(v.Faults) > 0 {
		return v, err
	}
	unmade, faults, err := p.sameText(program)
	v.Unmade, v.Faults = append(v.Unmade, unmade...), append(v.Faults, faults...)
	return v, err
}
