package report

import (
	"fmt"
	"slices"

	"github.com/assaybench/assay/record"
)

// warn notes results that are too even to believe without a look. A control is meant to be even.
func (b *builder) warn(r *Result, s int, figures *[2]tally) {
	set := &b.settings[s]
	if set.control {
		return
	}
	if letter, meaning := b.oneLetter(s); letter != "" {
		r.Notes = append(r.Notes, fmt.Sprintf("warning: %s, %s: every item is %s (%s): is the server what it should be? Look at some transcripts before believing it", Printable(set.model), Printable(set.posture), letter, meaning))
		return
	}
	allPassed, allFailed, judged := true, true, 0
	for i := range figures {
		allPassed = allPassed && figures[i].passed == figures[i].judged
		allFailed = allFailed && figures[i].passed == 0
		judged += figures[i].judged
	}
	if judged < 2 || (!allPassed && !allFailed) {
		return
	}
	verdict := "passed"
	if allFailed {
		verdict = "not passed"
	}
	r.Notes = append(r.Notes, fmt.Sprintf("warning: %s, %s: every item has the same verdict (%s); look at some transcripts before believing it", Printable(set.model), Printable(set.posture), verdict))
}

// evenLeast is how many attempts of one letter are worth a warning.
const evenLeast = 10

// oneLetter gives the letter that all attempts of a setting share and that is no pass, with its meaning; "" where they are
// few, or share none, or were not made.
func (b *builder) oneLetter(s int) (record.Letter, string) {
	from, to := b.cell(s, 0), b.cell(s, b.items.len())
	if to-from < evenLeast {
		return "", ""
	}
	letter := b.codes[b.attempts[from]].letter
	for _, n := range b.attempts[from:to] {
		if b.codes[n].letter != letter {
			return "", ""
		}
	}
	if letter == record.LetterMissing || letter == record.LetterPass {
		return "", ""
	}
	for _, m := range append(slices.Clone(b.run.Letters), coreLetters...) {
		if m.Letter == letter {
			return letter, Printable(m.Meaning)
		}
	}
	return letter, "not explained by the bench"
}

// incomplete says of a run that attempts are missing or in error, before anything else.
func (b *builder) incomplete(r *Result) {
	c := &r.Attempts.Counts
	if n := c.Missing + c.Error; n > 0 {
		r.Notes = slices.Insert(r.Notes, 0, fmt.Sprintf("warning: incomplete: %s of %s missing or in error, not a result to rank", thousands(int64(n)), thousands(int64(c.Planned))))
	}
}
