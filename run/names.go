package run

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/store"
)

// Answered is a name that a server gave for the model that answered, the body of a fact of the kind "names". One is
// recorded when it is first met, so that a name that stands for another model from some moment on is seen.
type Answered struct {
	Name string `json:"name"`
}

// maxNames bounds the names that one session records for a model.
const maxNames = 16

// answeredAs lists the names that answered for each model of a run, in the order in which they were met.
func answeredAs(ctx context.Context, s store.Store, r *store.Run) ([][]string, error) {
	out := make([][]string, len(r.Plan.Models))
	facts, err := s.Facts(ctx, r, store.FactNames)
	if err != nil {
		return nil, err
	}
	for i := range facts {
		var a Answered
		if err := facts[i].Decode(&a); err != nil {
			return nil, err
		}
		if m := facts[i].Model; m >= 0 && m < len(out) && !slices.Contains(out[m], a.Name) {
			out[m] = append(out[m], a.Name)
		}
	}
	return out, nil
}

// listener stands before a model and hears what its replies say of who answered.
type listener struct {
	model.Model
	met     func(name string)     // told of each name that was not met before
	changed func(was, now string) // told when it is not the first

	last   atomic.Pointer[string] // the name heard last: nearly always the next one too
	remote atomic.Pointer[string] // where a reply came from that was made on another machine

	mu    sync.Mutex
	names []string // those on record
	added int
}

// Control says whether the model is none, but a control.
func (l *listener) Control() bool {
	c, ok := l.Model.(model.Control)
	return ok && c.Control()
}

// Program says whether the model is a program that works by itself.
func (l *listener) Program() bool {
	p, ok := l.Model.(model.Program)
	return ok && p.Program()
}

// Sealed is the model's own word.
func (l *listener) Sealed() bool {
	p, ok := l.Model.(model.Program)
	return ok && p.Sealed()
}

func (l *listener) Call(ctx context.Context, req model.Request) (model.Reply, error) {
	rep, err := l.Model.Call(ctx, req)
	if err == nil && rep.Recorded == nil {
		if rep.Remote != "" {
			l.remote.CompareAndSwap(nil, &rep.Remote)
		}
		if last := l.last.Load(); rep.Model != "" && (last == nil || *last != rep.Model) {
			l.heard(rep.Model)
		}
	}
	return rep, err
}

func (l *listener) heard(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last.Store(&name)
	shown := model.OneLine(name, 200)
	if slices.Contains(l.names, shown) || l.added >= maxNames {
		return
	}
	if len(l.names) > 0 {
		l.changed(l.names[len(l.names)-1], shown)
	}
	l.names = append(l.names, shown)
	l.added++
	l.met(shown)
}

// listen puts a listener before each model.
func (x *execution) listen(ctx context.Context, cancel context.CancelCauseFunc) error {
	s := x.session
	known, err := answeredAs(ctx, s.engine.Store, s.Run)
	for i, m := range s.spec.Models {
		l := &listener{Model: m.Model}
		if err == nil {
			l.names = known[i]
		}
		l.changed = func(was, now string) {
			s.engine.note("warning: model %s: replies come under another name now: %s, and before %s; the results say so", m.Model.Name(), now, was)
		}
		l.met = func(name string) {
			f, err := store.NewFact(store.FactNames, i, store.NoIndex, s.engine.Now(), Answered{name})
			if err == nil {
				err = s.engine.Store.AddFacts(ctx, s.Run, f)
			}
			if err != nil {
				cancel(err)
			}
		}
		x.listeners = append(x.listeners, l)
	}
	return err
}
