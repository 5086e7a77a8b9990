// Package leaderboard ranks models on one release of agent tasks. A row can only come from Admit: it takes a run of every task
// of exactly this release, without an error of anybody's but the model's, whose trajectories are there and grade again to the
// bytes that were stored. Whatever else there is (a part of a run, a run of an older release, parts of two runs, a control)
// has no row by its type, and shows a dash where a figure would stand.
package leaderboard

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/contract/tasks"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/world"
)

// Release is what runs are held against.
type Release struct {
	Set    *tasks.Set
	Digest string // the bench's
}

// Run is what is left of a run: whose it was, of what, and its attempts.
type Run struct {
	ID       string
	Model    string // provider/name
	Posture  string
	Digest   string // of the bench that it was made on
	Grader   string
	Repeats  int
	Attempts []Attempt
}

// Attempt is one try of one task.
type Attempt struct {
	Run        string // whose it is
	Task       string
	Repeat     int // from 1
	Outcome    record.Outcome
	Transcript *record.Transcript // nil: it is not there
	Verdict    []byte             // as it was stored, canonical JSON
}

// Row is a model's standing on the whole release. The zero Row is of nothing; only Admit makes others.
type Row struct {
	model, posture, run string
	strict, attempts    int
	gated               *big.Rat // mean, from 0 to 100
}

// Model, Posture and RunID say whose the row is.
func (r Row) Model() string   { return r.model }
func (r Row) Posture() string { return r.posture }
func (r Row) RunID() string   { return r.run }

// Strict gives how many attempts met every criterion, of all.
func (r Row) Strict() (passed, of int) { return r.strict, r.attempts }

// Gated gives the mean gated score, from 0 to 100, exactly.
func (r Row) Gated() *big.Rat { return new(big.Rat).Set(r.gated) }

// Shown writes the row's figure; a dash for nothing.
func (r Row) Shown() string {
	if r.attempts == 0 {
		return "-"
	}
	return fmt.Sprintf("%d of %d", r.strict, r.attempts)
}

// controls are providers that are no models.
var controls = []string{"control", "replay", "reference", "oracle"}

// Admit makes a row of a run, or says in one line why there is none.
func Admit(ctx context.Context, rel Release, run Run) (Row, error) {
	provider, _, named := strings.Cut(run.Model, "/")
	switch {
	case !named || slices.Contains(controls, strings.ToLower(provider)):
		return Row{}, fmt.Errorf("%q is no model, and controls are not ranked", run.Model)
	case run.Digest != rel.Digest:
		return Row{}, fmt.Errorf("it was made on the release %.12s, and this one is %.12s", run.Digest, rel.Digest)
	case run.Grader != rel.Set.Digest():
		return Row{}, fmt.Errorf("it was graded by %.12s, and this release is graded by %.12s", run.Grader, rel.Set.Digest())
	case run.Repeats < 1:
		return Row{}, errors.New("it says of no attempt how often it was planned")
	}
	have := map[string]*Attempt{}
	for i := range run.Attempts {
		a := &run.Attempts[i]
		key := fmt.Sprintf("%s#%d", a.Task, a.Repeat)
		switch {
		case a.Run != run.ID:
			return Row{}, fmt.Errorf("the attempt at %s is of the run %s: parts of two runs make no row", key, a.Run)
		case have[key] != nil:
			return Row{}, fmt.Errorf("there are two attempts at %s", key)
		case a.Repeat < 1 || a.Repeat > run.Repeats:
			return Row{}, fmt.Errorf("the attempt at %s was not planned", key)
		}
		have[key] = a
	}
	row := Row{model: run.Model, posture: run.Posture, run: run.ID, gated: new(big.Rat)}
	copied := 0
	for _, t := range rel.Set.Tasks() {
		if !t.Frozen {
			continue
		}
		for k := range run.Repeats {
			key := fmt.Sprintf("%s#%d", t.ID, k+1)
			a := have[key]
			if a == nil {
				return Row{}, fmt.Errorf("%s was not run: a part of a release makes no row", key)
			}
			delete(have, key)
			if err := row.add(ctx, rel, t, a); err != nil {
				return Row{}, fmt.Errorf("%s: %w", key, err)
			}
			if same, err := isReference(t, a.Transcript); err != nil {
				return Row{}, fmt.Errorf("%s: %w", key, err)
			} else if same {
				copied++
			}
		}
	}
	switch {
	case len(have) > 0:
		return Row{}, fmt.Errorf("%d attempts are at tasks that the release does not have", len(have))
	case row.attempts == 0:
		return Row{}, errors.New("the release has no task")
	case copied == row.attempts:
		return Row{}, errors.New("every trajectory is the reference's, call for call: a reference under a model's name is not ranked")
	}
	row.gated.Quo(row.gated, big.NewRat(int64(row.attempts), 1))
	return row, nil
}

// add grades an attempt again, and takes it only when that gives the bytes that were stored.
func (r *Row) add(ctx context.Context, rel Release, t *tasks.Task, a *Attempt) error {
	switch {
	case !ranked(a.Outcome):
		return fmt.Errorf("it ended as %s, which is not the model's, so the run has an attempt that says nothing", a.Outcome)
	case a.Transcript == nil || a.Transcript.Episode == nil:
		return errors.New("its trajectory is not there, so that nobody can look at it or grade it again")
	case !a.Transcript.Episode.Sealed:
		return errors.New("the agent could have seen the sealed part")
	case a.Transcript.Outcome != a.Outcome:
		return errors.New("the transcript ended otherwise than the attempt")
	}
	v, err := rel.Set.Grade(ctx, t.ID, *a.Transcript)
	if err != nil {
		return err
	}
	again, err := record.Canonical(v)
	if err != nil {
		return err
	}
	if !bytes.Equal(again, a.Verdict) {
		return errors.New("graded again, the verdict is another than the stored one")
	}
	if v.State != record.Graded || v.Agent == nil {
		return fmt.Errorf("it could not be graded: %s", v.Reason)
	}
	if v.Strict {
		r.strict++
	}
	if v.GatedScore != nil {
		if score, ok := exact.Rat(*v.GatedScore); ok {
			r.gated.Add(r.gated, score)
		}
	}
	r.attempts++
	return nil
}

// ranked says whether an outcome is the model's own: what it did, refused, was cut off at or was too slow for.
func ranked(o record.Outcome) bool {
	return o == record.Answered || o == record.Refused || o == record.Truncated || o == record.Timeout
}

// isReference says whether an episode makes just the calls of the task's reference.
func isReference(t *tasks.Task, tr *record.Transcript) (bool, error) {
	ref, err := t.Reference()
	if err != nil {
		return false, err
	}
	var events []world.Event
	if err := jsonv2.Unmarshal(tr.Episode.Events, &events); err != nil {
		return false, fmt.Errorf("the events cannot be read: %w", err)
	}
	if len(events) != len(ref) {
		return false, nil
	}
	for i := range ref {
		want, err := record.Canonical(ref[i].Args)
		if err != nil {
			return false, err
		}
		got, err := record.Canonical(events[i].Args)
		if err != nil {
			return false, err
		}
		if events[i].Tool != ref[i].Tool || !bytes.Equal(got, want) {
			return false, nil
		}
	}
	return true, nil
}

// Table is the standing of all: the rows, best first, and what has none, with the reason.
type Table struct {
	Bench   string
	Digest  string
	Rows    []Row
	Outside []Outside
}

// Outside is a run that has no row.
type Outside struct{ Model, Posture, Run, Why string }

// Make admits runs and orders the rows: by strict passes, then by the mean gated score, then by name.
func Make(ctx context.Context, rel Release, runs []Run) (*Table, error) {
	t := &Table{Bench: rel.Set.Bench().Name(), Digest: rel.Digest}
	for _, run := range runs {
		row, err := Admit(ctx, rel, run)
		if cause := context.Cause(ctx); cause != nil {
			return nil, cause
		}
		if err != nil {
			t.Outside = append(t.Outside, Outside{run.Model, run.Posture, run.ID, err.Error()})
			continue
		}
		t.Rows = append(t.Rows, row)
	}
	slices.SortStableFunc(t.Rows, func(a, b Row) int {
		left, right := big.NewRat(int64(a.strict), int64(a.attempts)), big.NewRat(int64(b.strict), int64(b.attempts))
		return cmp.Or(right.Cmp(left), b.gated.Cmp(a.gated), cmp.Compare(a.model, b.model), cmp.Compare(a.posture, b.posture), cmp.Compare(a.run, b.run))
	})
	return t, nil
}
