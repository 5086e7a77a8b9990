// Package stored makes the results of a run out of a store: it reads the run's rows and facts once and hands them to
// report, which counts them. It is what every view of a run begins with.
package stored

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/contention"
	"github.com/assaybench/assay/report"
	"github.com/assaybench/assay/run"
	"github.com/assaybench/assay/store"
)

// TranscriptsRead is how many attempts a run may plan for their transcripts to be read without being asked for. What they
// alone hold is how a delivery was proved and what became of the posture's settings.
const TranscriptsRead = 2000

// Options choose what is read.
type Options struct {
	Grader string // the digest of the set of verdicts; "" is the run's own
	Full   bool   // read every transcript, however many there are
	Items  bool   // list the letters of every item, however many there are

	alone bool // leave linked runs aside
}

// Result reads a run and makes its results. The error is the store's (*store.Error), or names what in the record cannot be
// true.
func Result(ctx context.Context, db store.Store, r *store.Run, o Options) (*report.Result, error) {
	if o.Grader == "" {
		o.Grader = r.Plan.Grader
	}
	drift, err := run.Drift(ctx, db, r)
	if err != nil {
		return nil, err
	}
	in := report.Run{ID: r.ID, Bench: r.Plan.Bench + "@" + r.Plan.Version, Digest: r.Plan.Digest, Grader: o.Grader, Repeats: r.Plan.Repeats, Planned: r.Plan.Attempts,
		Proven: r.Plan.Proof == "proven", AllItems: o.Items, Notes: append(notes(r, o.Grader), drift...)}
	for _, f := range r.Plan.Families {
		in.Families = append(in.Families, report.Family{ID: f.ID, Title: f.Title})
	}
	facts, err := readFacts(ctx, db, r)
	if err != nil {
		return nil, err
	}
	in.Models, in.Accounts, in.Contention = facts.models, facts.accounts, facts.watched
	in.Letters = Letters(r)
	if in.Premise, err = premiseRun(ctx, db, r, o); err != nil {
		return nil, err
	}
	// Of agent tasks every episode is read, however many: whether it was sealed stands there alone, and decides on ranking.
	rd := &reader{ctx: ctx, db: db, run: r, grader: o.Grader, transcripts: o.Full || r.Plan.Attempts <= TranscriptsRead || r.Plan.Shape == bench.ShapeAgent,
		premises: in.Premise != nil, private: IsPrivate(r)}
	in.Items = rd.items
	res, err := report.Build(in, rd.rows)
	if rd.failed != nil { // the rows ended early for it
		return nil, rd.failed
	}
	if err != nil {
		return nil, err
	}
	flag(res.Contention, rd.timeouts)
	return res, nil
}

// flag finds the attempts that timed out under load in documents whose session did not do so itself. An attempt belongs to
// the session in whose time it began.
func flag(sessions []report.Watched, timeouts []contention.Attempt) {
	for i := range sessions {
		d := sessions[i].Document
		if d == nil || d.Flagged != nil {
			continue
		}
		mine := slices.DeleteFunc(slices.Clone(timeouts), func(a contention.Attempt) bool {
			return a.Started.Before(d.Started) || a.Started.After(d.Ended)
		})
		if len(mine) > 0 {
			d.Flagged = d.Flags(mine, contention.DefaultThresholds())
		}
	}
}

// notes lists what a reader must know beside the figures.
func notes(r *store.Run, grader string) []string {
	out := slices.Clone(r.Plan.Face)
	for _, f := range r.Plan.Flags {
		if f == "unsafe-no-sandbox" {
			f = "unsafe: answers were executed without a sandbox"
		}
		if f == "no-schema" {
			f = "without a schema (--no-schema): the form of replies was left to the prompt"
		}
		if f == store.FlagSealed {
			f = "the agent's program was sealed off: it reached its world and its model's server alone, and saw nothing of the bench"
		}
		if f == store.FlagPrivate {
			continue // the bench's own notice says it
		}
		out = append(out, f)
	}
	if len(r.Plan.Only) > 0 {
		out = append(out, fmt.Sprintf("only %d items were chosen (--only): not a whole run", r.Plan.Items))
	}
	if r.Plan.RepeatsChosen > 0 {
		out = append(out, fmt.Sprintf("%d repeats by --repeats, not the protocol's number", r.Plan.RepeatsChosen))
	}
	if r.Plan.Shape == bench.ShapeAgent && !slices.Contains(r.Plan.Flags, store.FlagSealed) {
		for _, m := range r.Plan.Models {
			if strings.HasPrefix(m.Name, "command/") {
				out = append(out, m.Name+" worked as a program on this machine, where it could have read the sealed part: its episodes are unsealed, and never ranked")
			}
		}
	}
	if grader != r.Plan.Grader {
		out = append(out, "graded again: these are not the verdicts that the run was made with")
		if r.Plan.Shape == bench.ShapePremise && !IsPrivate(r) {
			out = append(out, "private pass and regression pass are left out: they are of runs that have verdicts of their own graders, and stand beside the verdicts that this run was made with")
		}
	}
	return out
}
