package realism

import (
	"context"
	"slices"
)

// The rules of the leaderboard are held by whoever makes it, above this package. It is tried here: runs of this release that
// must give a row, and runs that must not, are put before it, and what it makes of them is measured.

// Cases of a trial of the leaderboard.
const (
	BoardComplete  = "complete"        // every task of exactly this release, without error, with trajectories
	BoardPartial   = "partial"         // a task was not run
	BoardErrors    = "errors"          // an attempt ended in an error of ours or the provider's
	BoardStale     = "stale"           // of an older digest
	BoardSpliced   = "spliced"         // attempts of two runs or digests put together
	BoardUnopened  = "no trajectories" // the transcripts are not there
	BoardTampered  = "tampered"        // a transcript grades to another verdict than the stored one
	BoardControl   = "control"         // by a control or reference
	BoardDisguised = "disguised"       // the reference under a model's name
)

// BoardTrial is what the leaderboard made of one case. Shown is what stands where a figure would.
type BoardTrial struct {
	Case  string
	Row   bool
	Shown string
	Why   string
}

const ofBoard = "leaderboard."

var leaderboardChecks = []check{
	{key: ofBoard + "partialRunRankedAsReleaseResult", scope: OfRelease, how: Replay, measure: boardRow(false, []string{BoardPartial, BoardErrors})},
	{key: ofBoard + "staleReleaseRunRankedAsCurrent", scope: OfRelease, how: Replay, measure: boardRow(false, []string{BoardStale})},
	{key: ofBoard + "modelRowRequiresExactReleaseAndFullTaskCoverage", scope: OfRelease, how: Replay, measure: boardRow(true, []string{BoardPartial, BoardStale, BoardSpliced})},
	{key: ofBoard + "modelRowRequiresInspectableTrajectories", scope: OfRelease, how: Replay, measure: boardRow(true, []string{BoardUnopened, BoardTampered})},
	{key: ofBoard + "referenceControlsRankedAsModels", scope: OfRelease, how: Replay, measure: boardRow(false, []string{BoardControl, BoardDisguised})},
	{key: ofBoard + "missingRunRenderedAsScore", scope: OfRelease, how: Replay, measure: missingRow},
}

// trials asks the leaderboard once.
func (r *Release) trials(ctx context.Context) ([]BoardTrial, error) {
	return once(&r.facts, "board", func() ([]BoardTrial, error) { return r.Board(ctx) })
}

// boardRow wants no row for the cases, and one for a complete run. strict is the standard's value that asks for it.
func boardRow(strict bool, cases []string) func(context.Context, *Release, Leaf) Row {
	return func(ctx context.Context, r *Release, l Leaf) Row {
		if l.Value != strict {
			return allowed(nil)
		}
		if r.Board == nil {
			return unmeasured("no leaderboard was put to the test")
		}
		trials, err := r.trials(ctx)
		if err != nil {
			return unmeasured(oneLine(err.Error()))
		}
		row := Row{Result: Pass, Measured: map[string]any{"tried": len(cases)}, Reason: "a complete run has a row, and none of these has"}
		for _, name := range append([]string{BoardComplete}, cases...) {
			i := slices.IndexFunc(trials, func(t BoardTrial) bool { return t.Case == name })
			if i < 0 {
				return unmeasured("the case " + name + " was not tried")
			}
			t := trials[i]
			row.Evidence = append(row.Evidence, Evidence{Cell: name, Span: t.Shown, Note: t.Why})
			if t.Row != (name == BoardComplete) {
				row.Result, row.Reason = Fail, "a run that is "+name+" has a row"
				if name == BoardComplete {
					row.Reason = "a complete run has no row"
				}
			}
		}
		return row
	}
}

// missingRow wants a dash, and no figure, where nothing was run.
func missingRow(ctx context.Context, r *Release, l Leaf) Row {
	if l.Value == true {
		return allowed(nil)
	}
	if r.Board == nil {
		return unmeasured("no leaderboard was put to the test")
	}
	trials, err := r.trials(ctx)
	if err != nil {
		return unmeasured(oneLine(err.Error()))
	}
	i := slices.IndexFunc(trials, func(t BoardTrial) bool { return t.Case == BoardPartial })
	if i < 0 {
		return unmeasured("the case " + BoardPartial + " was not tried")
	}
	return judged(trials[i].Shown == "-", trials[i].Shown, "what was not run is shown as -", Evidence{Cell: BoardPartial, Span: trials[i].Shown, Note: trials[i].Why})
}
