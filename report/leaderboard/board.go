// Package leaderboard ranks models on one release of a bench of agent tasks. A row is made by Admit alone, of a complete run of
// exactly this release whose every trajectory can be opened and is graded again to the same bytes; there is no other way to
// one, so that a partial, stale, spliced or control run cannot be ranked by an oversight.
package leaderboard

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/contract/tasks"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/report/publication"
	"github.com/assaybench/assay/stats"
	"github.com/assaybench/assay/store"
	"github.com/assaybench/assay/world"
)

// Release is what rows are of: one bench at one digest, judged by one grader.
type Release struct {
	Name   string // id@version
	Digest string
	set    *tasks.Set
	tasks  []string
	calls  map[string]string // of each task, the reference's calls in one text
}

// Open makes a release of a compiled bench.
func Open(set *tasks.Set, digest string) (*Release, error) {
	r := &Release{Name: set.Bench().Name(), Digest: digest, set: set, calls: map[string]string{}}
	for _, t := range set.Tasks() {
		if !t.Frozen {
			continue
		}
		trace, err := t.Reference()
		if err != nil {
			return nil, err
		}
		var b strings.Builder
		for _, c := range trace {
			b.WriteString(callText(c.Tool, c.Args))
		}
		r.tasks, r.calls[t.ID] = append(r.tasks, t.ID), b.String()
	}
	if len(r.tasks) == 0 {
		return nil, fmt.Errorf("%s has no released task", r.Name)
	}
	return r, nil
}

// Tasks are the released tasks.
func (r *Release) Tasks() []string { return slices.Clone(r.tasks) }

// Row is one model at one posture. Its fields are set by Admit alone.
type Row struct{ row row }

type row struct {
	model, posture, run, publication string
	repeats                          int
	passed                           map[string]int // of each task, the repeats that passed
	gated                            *big.Rat       // mean over tasks and repeats
}

// Model, Posture and Run say whose row it is.
func (r *Row) Model() string       { return r.row.model }
func (r *Row) Posture() string     { return r.row.posture }
func (r *Row) Run() string         { return r.row.run }
func (r *Row) Publication() string { return r.row.publication }
func (r *Row) Repeats() int        { return r.row.repeats }

// Strict gives how many tasks passed in every repeat, of how many, with a 95 % interval.
func (r *Row) Strict() (passed, of int, ci stats.Interval) {
	for _, n := range r.row.passed {
		if n == r.row.repeats {
			passed++
		}
	}
	of = len(r.row.passed)
	ci, err := stats.Wilson(passed, of)
	if err != nil {
		panic(err) // more passed than there are
	}
	return passed, of, ci
}

// Task gives how many repeats of a task passed.
func (r *Row) Task(id string) int { return r.row.passed[id] }

// Gated is the mean of the gated scores, a decimal with one place; it ranks nothing.
func (r *Row) Gated() string { return r.row.gated.FloatString(1) }

// Refusal says why a model of a run has no row. Shown is what stands in its place in a table: a dash, never a figure.
type Refusal struct {
	Model, Posture, Run, Publication string
	Why                              []string
}

// Shown is a dash.
func (Refusal) Shown() string { return "-" }

// Episode is one attempt as a run recorded it.
type Episode struct {
	Attempt    *publication.Attempt
	Transcript *record.Transcript
}

// Run is a run that asks for rows.
type Run struct {
	Plan        store.Plan
	ID          string
	Publication string // its digest
	Episodes    []Episode
	Faults      []string // that verifying found: then no model of the run has a row
}

// Admit gives a row, or a refusal, for each model and posture of a run.
func (r *Release) Admit(run *Run) (rows []*Row, refused []Refusal) {
	for m, pm := range run.Plan.Models {
		for _, pi := range pm.Postures {
			if pi < 0 || pi >= len(run.Plan.Postures) {
				continue
			}
			posture := run.Plan.Postures[pi]
			row, why := r.admit(run, m, posture)
			if len(why) > 0 {
				refused = append(refused, Refusal{pm.Name, posture, run.ID, run.Publication, why})
				continue
			}
			rows = append(rows, &Row{*row})
		}
	}
	return rows, refused
}

func (r *Release) admit(run *Run, m int, posture string) (*row, []string) {
	p, pm := &run.Plan, &run.Plan.Models[m]
	var why []string
	no := func(format string, args ...any) { why = append(why, fmt.Sprintf(format, args...)) }
	if len(run.Faults) > 0 {
		no("the publication cannot be trusted: %s", run.Faults[0])
	}
	if p.Digest != r.Digest {
		no("it is of another release: digest %.12s, not %.12s", p.Digest, r.Digest)
	}
	if p.Grader != r.set.Digest() {
		no("it was judged by another grader: %.12s, not %.12s", p.Grader, r.set.Digest())
	}
	if pm.Control || strings.HasPrefix(pm.Name, "control/") {
		no("a control is no model")
	}
	if p.Proof != "proven" {
		no("the bench was not qualified when the run was made")
	}
	if p.Repeats < 1 {
		no("it plans no repeat")
	}
	if len(p.Only) > 0 || (p.Shard != store.Shard{} && p.Shard.Of > 1) {
		no("only a part of the release was planned")
	}
	if len(why) > 0 {
		return nil, why
	}
	out := &row{model: pm.Name, posture: posture, run: run.ID, publication: run.Publication, repeats: p.Repeats, passed: map[string]int{}, gated: new(big.Rat)}
	seen := map[string]map[int]bool{}
	disguised, n := 0, 0
	for _, e := range run.Episodes {
		a := e.Attempt
		if a.Key.Model != pm.Name || a.Key.Posture != posture {
			continue
		}
		if seen[a.Key.Item] == nil {
			seen[a.Key.Item] = map[int]bool{}
		}
		if seen[a.Key.Item][a.Key.Repeat] {
			no("the attempt %s/%d stands twice", a.Key.Item, a.Key.Repeat)
			continue
		}
		seen[a.Key.Item][a.Key.Repeat] = true
		if w := r.usable(e); w != "" {
			no("%s/%d: %s", a.Key.Item, a.Key.Repeat, w)
			continue
		}
		n++
		if r.calls[a.Key.Item] == callsOf(e.Transcript) {
			disguised++
		}
		if a.Pass {
			out.passed[a.Key.Item]++
		}
		if g, ok := gatedOf(a); ok {
			out.gated.Add(out.gated, g)
		}
	}
	for _, id := range r.tasks {
		if _, ok := out.passed[id]; !ok {
			out.passed[id] = 0
		}
		if len(seen[id]) != p.Repeats {
			no("%s: %d of %d repeats were run", id, len(seen[id]), p.Repeats)
		}
	}
	for id := range seen {
		if !slices.Contains(r.tasks, id) {
			no("%s is no task of the release", id)
		}
	}
	if n > 0 && disguised == n {
		no("its calls are the reference's, one by one, in every task: a reference under a model's name")
	}
	if len(why) > 0 {
		slices.Sort(why)
		return nil, why
	}
	out.gated.Quo(out.gated, big.NewRat(int64(n), 1))
	return out, nil
}

// usable says why an attempt cannot stand in a row; "" where it can.
func (r *Release) usable(e Episode) string {
	a, t := e.Attempt, e.Transcript
	switch {
	case a.Outcome == record.Error || a.Outcome == record.Undelivered || a.Outcome == "":
		return fmt.Sprintf("it ended without a result (%s)", orMissing(string(a.Outcome)))
	case t == nil || t.Episode == nil || len(t.Episode.Events) == 0:
		return "there is no trajectory to open"
	case !t.Episode.Sealed:
		return "the agent could have seen the sealed part"
	case t.Episode.Task != a.Key.Item:
		return "its trajectory is of the task " + t.Episode.Task
	case t.Episode.Session != tasks.SessionName(a.Key):
		return "its trajectory is of another attempt"
	}
	tk, err := r.set.Task(a.Key.Item)
	if err != nil {
		return "it is no task of the release"
	}
	if now := tk.World.Definition(tk.Spec(t.Episode.Session)); t.Episode.Rules != now {
		return "it was worked under another definition of the task"
	}
	return ""
}

func orMissing(s string) string {
	if s == "" {
		return "not run"
	}
	return s
}

// callsOf writes the calls of an episode as the reference's are written.
func callsOf(t *record.Transcript) string {
	var b strings.Builder
	var events []world.Event
	if err := json.Unmarshal(t.Episode.Events, &events); err != nil {
		return ""
	}
	for i := range events {
		if e := &events[i]; e.Actor == world.Agent {
			b.WriteString(callText(e.Tool, e.Args))
		}
	}
	return b.String()
}

// callText writes a call so that equal calls are equal texts, however their arguments are spaced and ordered.
func callText(tool string, args []byte) string {
	v := jsontext.Value(slices.Clone(args))
	if err := v.Canonicalize(jsontext.CanonicalizeRawInts(false)); err != nil {
		v = jsontext.Value(args)
	}
	return tool + " " + string(v) + "\n"
}

func gatedOf(a *publication.Attempt) (*big.Rat, bool) {
	v, err := store.DecodeVerdict(a.Verdict)
	if err != nil || v.GatedScore == nil {
		return nil, false
	}
	g, ok := new(big.Rat).SetString(*v.GatedScore)
	return g, ok
}

// Read opens a publication's run: verified by grading it again, with every attempt.
func (r *Release) Read(ctx context.Context, p *publication.Publication) (*Run, error) {
	run := &Run{Plan: p.Head.Plan, ID: p.Head.Run, Publication: p.Manifest.Digest}
	if p.Head.Plan.Digest != r.Digest {
		return run, nil // of another release: it is not judged by this one's rules
	}
	v, err := p.Verify(ctx, r.set, "", func(a *publication.Attempt, t *record.Transcript) {
		run.Episodes = append(run.Episodes, Episode{a, t})
	})
	if err != nil {
		return nil, err
	}
	for _, f := range v.Faults {
		run.Faults = append(run.Faults, f.String())
	}
	return run, nil
}
