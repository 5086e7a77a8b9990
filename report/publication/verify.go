package publication

import (
	"context"
	"fmt"

	"github.com/assaybench/assay/record"
)

// Grader judges a transcript again.
type Grader interface {
	Digest() string
	Grade(ctx context.Context, item string, t record.Transcript) (record.Verdict, error)
}

// Verified is what re-grading a publication came to.
type Verified struct {
	Digest   string  `json:"digest"` // of the manifest
	Attempts int     `json:"attempts"`
	Graded   int     `json:"graded"` // of these, graded again
	Faults   []Fault `json:"faults"`

	Signatures []Signature `json:"signatures,omitempty"`
}

// Verify grades every transcript again and compares each verdict byte for byte with the one that was published. each, if any,
// is told of every attempt with its transcript. program is the version that verifies. The error is ours; what is wrong with the publication is in the result.
func (p *Publication) Verify(ctx context.Context, g Grader, program string, each func(a *Attempt, t *record.Transcript)) (*Verified, error) {
	v := &Verified{Digest: p.Manifest.Digest, Faults: []Fault{}}
	if g.Digest() != p.Head.Grader {
		v.Faults = append(v.Faults, Fault{HeadFile, 0, fmt.Sprintf("the verdicts are of the grader %.12s, and this program's is %.12s: grade with the version that published (%s)", p.Head.Grader, g.Digest(), oneLine(p.Head.Program))})
		return v, nil
	}
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
		has := string(a.Verdict) != "null"
		switch {
		case t == nil && has:
			fault("a verdict without a transcript")
			return nil
		case t != nil && a.Outcome != t.Outcome:
			fault("the outcome is %s, and the transcript's is %s", a.Outcome, t.Outcome)
			return nil
		case !has:
			if a.Pass {
				fault("a pass without a verdict")
			}
			return nil
		}
		now, err := g.Grade(ctx, a.Key.Item, *t)
		if err != nil {
			return fmt.Errorf("attempt %d: %w", a.N, err)
		}
		want, err := record.Canonical(now)
		if err != nil {
			return err
		}
		v.Graded++
		switch {
		case now.State == record.Ungradable:
			fault("it cannot be graded here: %s", oneLine(now.Reason))
		case string(want) != string(a.Verdict):
			fault("graded again, %s gets another verdict (%s, published as %s)", a.Key.Item, now.Letter, a.Letter)
		case now.Pass != a.Pass || now.Letter != a.Letter:
			fault("the letter %s is not its verdict's, %s", a.Letter, now.Letter)
		}
		return nil
	})
	v.Faults = append(v.Faults, faults...)
	if err != nil || len(v.Faults) > 0 {
		return v, err
	}
	fault, err := p.samePage(program)
	if fault != nil {
		v.Faults = append(v.Faults, *fault)
	}
	return v, err
}
