// Package export writes a run in forms that other programs read: JSON, JSON lines, CSV, Parquet, JUnit, the evaluation log
// of Inspect and the job result of Harbor. What a model or a bench wrote stays text in each of them: it becomes no formula in a
// spreadsheet, no escape in a terminal and no markup. Raw requests, responses and episodes are left to publications.
package export

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"

	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/report"
	"github.com/assaybench/assay/store"
)

// Run is a run to be written, with its results, which list every item.
type Run struct {
	DB     store.Store
	Run    *store.Run
	Grader string // the digest of the set of verdicts
	Result *report.Result
	// Prompt gives what an item asks; nil where the bench is not at hand. Only evaluation logs have it.
	Prompt func(item string) (string, error)
}

// Attempt is one planned attempt. Transcript is nil where it was not made, and Verdict where it has none.
type Attempt struct {
	store.Row
	Transcript *record.Transcript
	Verdict    *record.Verdict
	Raw        []byte // the verdict as it was recorded
}

// Attempts goes through all planned attempts in the plan's order, one in memory at a time.
func (r *Run) Attempts(ctx context.Context) iter.Seq2[*Attempt, error] {
	return r.chosen(ctx, func(*store.Row) bool { return true })
}

// chosen is Attempts for those whose row is to be kept.
func (r *Run) chosen(ctx context.Context, keep func(*store.Row) bool) iter.Seq2[*Attempt, error] {
	return func(yield func(*Attempt, error) bool) {
		for row, err := range r.DB.Rows(ctx, r.Run, r.Grader) {
			if err == nil && !keep(&row) {
				continue
			}
			a := &Attempt{Row: row}
			if err == nil {
				err = r.fill(ctx, a)
			}
			if !yield(a, err) || err != nil {
				return
			}
		}
	}
}

func (r *Run) fill(ctx context.Context, a *Attempt) error {
	if a.Try > 0 {
		t, err := r.DB.Transcript(ctx, r.Run, a.N, a.Try)
		if err != nil {
			return err
		}
		a.Transcript = &t
	}
	if a.State == "" {
		return nil
	}
	b, err := r.DB.VerdictJSON(ctx, r.Run, a.N, r.Grader)
	if err != nil {
		return err
	}
	a.Raw, a.Verdict = b, new(record.Verdict)
	if err := json.Unmarshal(b, a.Verdict); err != nil {
		return fmt.Errorf("attempt %d: its verdict is not JSON: %w", a.N, err)
	}
	return nil
}

// bench is the bench's id and version.
func (r *Run) bench() string { return r.Run.Plan.Bench + "@" + r.Run.Plan.Version }

// passed says whether the attempt passed, and whether that is known: an answer has its verdict, and what was refused, cut off or
// timed out did not pass. Nothing is known of what is missing, in error, undelivered or not graded.
func (a *Attempt) passed() (pass, known bool) {
	switch {
	case a.Outcome == record.Answered:
		return a.Pass, a.State == record.Graded || a.State == record.Unread
	case a.Outcome.OfModel():
		return false, true
	}
	return false, false
}

// letter is the attempt's, also where it has no verdict.
func (a *Attempt) letter() string {
	switch {
	case a.Outcome == "":
		return string(record.LetterMissing)
	case a.Outcome != record.Answered:
		return string(record.LetterOf(a.Outcome))
	case a.Letter == "":
		return string(record.LetterUngradable)
	}
	return string(a.Letter)
}
