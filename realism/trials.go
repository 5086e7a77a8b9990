package realism

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/assaybench/assay/contract/perturb"
	"github.com/assaybench/assay/world"
)

// trials are what changed seeds say of one task. The lab is one session and takes one trial at a time.
type trials struct {
	mu  sync.Mutex
	lab *perturb.Lab
	// moves keeps what was looked for, by read and by what was wanted of it.
	moves map[string]moved
}

type moved struct {
	edit  *perturb.Edit
	names []string
	err   error
}

func (s *Subject) trials(ctx context.Context) (*trials, error) {
	return once(&s.facts, "trials", func() (*trials, error) {
		session, err := s.Session(ctx, "trial")
		if err != nil {
			return nil, err
		}
		lab, err := perturb.New(ctx, session, s.Contract())
		if err != nil {
			return nil, errors.Join(err, session.Close())
		}
		s.Release.opened(lab.Close)
		return &trials{lab: lab, moves: map[string]moved{}}, nil
	})
}

// opened keeps what Close must end.
func (r *Release) opened(end func() error) {
	r.endsMu.Lock()
	defer r.endsMu.Unlock()
	r.ends = append(r.ends, end)
}

// Close ends the worlds that were opened for trials.
func (r *Release) Close() error {
	r.endsMu.Lock()
	defer r.endsMu.Unlock()
	var errs []error
	for _, end := range r.ends {
		errs = append(errs, end())
	}
	r.ends = nil
	return errors.Join(errs...)
}

// weigh tries every evidence read of every task, tasks side by side, the first time that anything asks for one.
func (r *Release) weigh(ctx context.Context) error {
	_, err := once(&r.facts, "weigh", func() (struct{}, error) {
		g, ctx := errgroup.WithContext(ctx)
		g.SetLimit(runtime.GOMAXPROCS(0))
		for _, s := range r.Tasks {
			g.Go(func() error {
				if _, err := s.materials(ctx); err != nil {
					return fmt.Errorf("%s: %w", s.ID, err)
				}
				return nil
			})
		}
		return struct{}{}, g.Wait()
	})
	return err
}

// weighed is Release.Perturb: what each evidence read of the reference is worth, by its event's number.
func weighed(ctx context.Context, s *Subject) (map[int]Material, error) {
	if err := s.Release.weigh(ctx); err != nil {
		return nil, err
	}
	return s.materials(ctx)
}

func (s *Subject) materials(ctx context.Context) (map[int]Material, error) {
	return once(&s.facts, "materials", func() (map[int]Material, error) {
		p, err := s.Reference(ctx)
		if err != nil {
			return nil, err
		}
		t, err := s.trials(ctx)
		if err != nil {
			return nil, err
		}
		var reads []perturb.Read
		var seqs []int
		serves := served(p.Verdict.Findings)
		for i := range p.Events {
			if e := &p.Events[i]; e.Actor == world.Agent && e.OK() && len(e.Effect) == 0 && len(serves[e.Seq]) > 0 {
				reads, seqs = append(reads, perturb.Read{Tool: e.Tool, Args: e.Args}), append(seqs, e.Seq)
			}
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		found, err := t.lab.Materials(ctx, reads)
		if err != nil {
			return nil, err
		}
		out := map[int]Material{}
		for i, f := range found {
			m := Material{Moves: f.Material()}
			switch {
			case m.Moves:
				m.Edit = clip(f.Edit.Says+" moves "+strings.Join(f.Moved, ", "), 300)
			case f.Capped:
				m.Edit = fmt.Sprintf("none of the first %d changes moved anything", f.Tried)
			default:
				m.Edit = fmt.Sprintf("none of %d changes moved anything", f.Tried)
			}
			out[seqs[i]] = m
		}
		return out, nil
	})
}

// moves looks for a change of what a read gives that moves a name that is wanted; what names it for the cache.
func (s *Subject) moves(ctx context.Context, read perturb.Read, what string, want func(name string) bool) (*perturb.Edit, []string, error) {
	t, err := s.trials(ctx)
	if err != nil {
		return nil, nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	key := read.String() + "\x00" + what
	m, ok := t.moves[key]
	if !ok {
		m.edit, m.names, m.err = t.lab.Moves(ctx, read, want)
		t.moves[key] = m
	}
	return m.edit, m.names, m.err
}
