package realism

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/contract/control"
	"github.com/assaybench/assay/contract/tasks"
	"github.com/assaybench/assay/qualify"
)

// Release is a bench of agent tasks that is held against a standard.
type Release struct {
	Set      *tasks.Set
	Standard *Standard
	Ref      string // how the user named the bench, for the commands that reproduce a row
	State    bench.State
	Version  string // of this program
	Tasks    []*Subject
	Drafts   []string // tasks that are not released, and so not audited

	// What replaying adds. Where one is nil nobody measured it, and the rows that need it say so.
	Perturb  func(ctx context.Context, s *Subject) (map[int]Material, error) // of each read of the reference, by its event's number
	Hops     func(ctx context.Context, s *Subject) ([]Hop, error)
	Controls func(ctx context.Context, s *Subject) ([]ControlRow, error)
	// Packages exports a task's package, runs it from its own bytes, and says what it did.
	Packages func(ctx context.Context, s *Subject) (*PackageProof, error)
	// Elsewhere judges the reference in other processes, with other time zones and languages, and gives these; the error says
	// where the verdict was another than want.
	Elsewhere func(ctx context.Context, s *Subject, want []byte) (places []string, err error)
	Proofs    func(ctx context.Context, s *Subject) (*control.Proof, error) // what qualification found of the task

	qualified func(ctx context.Context) (*qualify.AgentReport, error)

	endsMu sync.Mutex
	ends   []func() error // of worlds that were opened for trials

	// Board puts runs before the leaderboard, which stands above this package.
	Board func(ctx context.Context) ([]BoardTrial, error)

	facts sync.Map       // what checks share, by key: see once
	rows  map[string]Row // what is measured already, for requirements that join others
}

// Material says whether some edit of what a read shows moves a graded value, and by which edit it was seen.
type Material struct {
	Moves bool
	Edit  string
}

// Subject is one released task. What is measured of it is measured once.
type Subject struct {
	*tasks.Task
	Release *Release

	facts sync.Map
}

// Open makes a release of a compiled bench. version is this program's.
func Open(set *tasks.Set, std *Standard, ref string, st bench.State, version string) *Release {
	r := &Release{Set: set, Standard: std, Ref: ref, State: st, Version: version, Perturb: weighed, Hops: hops, rows: map[string]Row{}}
	for _, t := range set.Tasks() {
		if !t.Frozen {
			r.Drafts = append(r.Drafts, t.ID)
			continue
		}
		r.Tasks = append(r.Tasks, &Subject{Task: t, Release: r})
	}
	return r
}

// once computes a fact of a release or a task one time, whoever asks first.
func once[T any](facts *sync.Map, key string, make func() (T, error)) (T, error) {
	type fact struct {
		sync.Once
		v   T
		err error
	}
	got, _ := facts.LoadOrStore(key, new(fact))
	f := got.(*fact)
	f.Do(func() { f.v, f.err = make() })
	return f.v, f.err
}

// Reference plays the task's reference in a fresh world.
func (s *Subject) Reference(ctx context.Context) (*tasks.Played, error) {
	return once(&s.facts, "reference", func() (*tasks.Played, error) {
		trace, err := s.Task.Reference()
		if err != nil {
			return nil, err
		}
		return s.Play(ctx, trace)
	})
}

// Task gives a subject by its task's id.
func (r *Release) Task(id string) (*Subject, bool) {
	for _, s := range r.Tasks {
		if s.ID == id {
			return s, true
		}
	}
	return nil, false
}

func clip(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

func oneLine(s string) string { return clip(strings.Join(strings.Fields(s), " "), 300) }

// counted says a number with its noun.
func counted(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}
