package run

import (
	"context"
	"fmt"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/store"
)

// Judge grades one transcript. A grader that fails, panics or contradicts itself never takes the run down and never
// decides anything: its verdict is ungradable with the reason, and a later grading heals it; fault is that reason. The
// error is ctx's alone: nothing was graded.
func Judge(ctx context.Context, set Set, task store.Task, t record.Transcript) (v record.Verdict, fault string, err error) {
	v, fault = gradeGuarded(ctx, set, task, t)
	if ctx.Err() != nil {
		return record.Verdict{}, "", context.Cause(ctx)
	}
	if fault == "" {
		fault = contradiction(set, task, t.Outcome, &v)
	}
	if fault == "" {
		return v, "", nil
	}
	fault = fmt.Sprintf("item %s: the grader %s", task.Key.Item, fault)
	return record.Verdict{Bench: set.Bench().Name(), Item: task.Key.Item, Grader: set.Digest(), Frozen: true, State: record.Ungradable,
		Letter: record.LetterUngradable, Basis: task.Basis, Reason: fault, Findings: []record.Finding{}}, fault, nil
}

func gradeGuarded(ctx context.Context, set Set, task store.Task, t record.Transcript) (v record.Verdict, fault string) {
	defer func() {
		if p := recover(); p != nil {
			fault = "panicked: " + model.OneLine(fmt.Sprint(p), 0)
		}
	}()
	v, err := set.Grade(ctx, task.Key.Item, t)
	if err != nil {
		return v, "failed: " + model.OneLine(err.Error(), 0)
	}
	return v, ""
}

// contradiction says what is wrong with a verdict, "" when nothing is. Only an answered attempt can pass: "truncated
// never passes, findings kept as a diagnostic".
func contradiction(set Set, task store.Task, o record.Outcome, v *record.Verdict) string {
	switch {
	case v.Pass && o != record.Answered:
		return fmt.Sprintf("let an attempt pass that ended %s", o)
	case v.Pass && v.State != record.Graded:
		return fmt.Sprintf("let an answer pass that is %s", v.State)
	case v.Item != task.Key.Item:
		return fmt.Sprintf("judged the item %q", v.Item)
	case v.Basis != task.Basis:
		return fmt.Sprintf("says the basis %q, and the plan %q", v.Basis, task.Basis)
	case v.Grader != set.Digest():
		return fmt.Sprintf("says the digest %q, and its set %q", v.Grader, set.Digest())
	case v.Letter == "" || (v.State != record.Graded && v.State != record.Unread && v.State != record.Ungradable):
		return fmt.Sprintf("gave the state %q and the letter %q", v.State, v.Letter)
	}
	return ""
}
