package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/store"
)

// Gate bounds how many calls are made at once: so many in all, and for each model as many as its server takes. A model's
// limit begins at the ceiling, is halved when its server says that it is busy, and grows by one after as many calls in a
// row as the limit that its server took. A call that was begun before the last halving says nothing about the limit since,
// so one round trip halves it at most once. A nil Gate lets everything through.
type Gate struct {
	now     func() time.Time
	ceiling int

	mu     sync.Mutex
	flying int // calls at this moment
	queued uint64
	lanes  []lane
}

// lane is one model's part of the gate.
type lane struct {
	limit, flying int
	row           int    // calls that were taken since the limit last changed
	round         uint64 // halvings so far
	queue         []*waiting
	log           Concurrency
}

// waiting is a call before the gate; open is closed when it may be made.
type waiting struct {
	turn uint64
	open chan struct{}
	pass pass
}

// pass is what a call that was let through gives back.
type pass struct {
	model int
	round uint64
}

// Concurrency is the history of a model's limit in one session, the body of a fact of the kind "concurrency".
type Concurrency struct {
	Ceiling int           `json:"ceiling"` // the session's
	Least   int           `json:"least"`   //
	Last    int           `json:"last"`    //
	Calls   int64         `json:"calls"`   // that were made
	Busy    int64         `json:"busy"`    // of these, answered with "busy"
	Changes []LimitChange `json:"changes"` // the first ones, in order
	Dropped int           `json:"dropped"` // changes beyond those
}

// LimitChange is one change of a limit.
type LimitChange struct {
	At    time.Time `json:"at"`
	Limit int       `json:"limit"`
	Why   string    `json:"why"`
}

// Limit is what a model's server takes at a moment.
type Limit struct {
	Model          string
	Limit, Ceiling int // calls at once
}

// maxChanges bounds what is kept of a limit's history.
const maxChanges = 1000

// NewGate makes a gate for so many models.
func NewGate(models, ceiling int, now func() time.Time) *Gate {
	g := &Gate{now: now, ceiling: ceiling, lanes: make([]lane, models)}
	for i := range g.lanes {
		g.lanes[i].limit, g.lanes[i].log = ceiling, Concurrency{Ceiling: ceiling, Least: ceiling, Last: ceiling}
	}
	return g
}

// enter waits until a call of the model may be made, or ctx ends. Calls of one model are let through in the order in which
// they came.
func (g *Gate) enter(ctx context.Context, m int) (pass, error) {
	if g == nil || m < 0 || m >= len(g.lanes) {
		return pass{model: -1}, nil
	}
	g.mu.Lock()
	l := &g.lanes[m]
	if len(l.queue) == 0 && g.room(l) {
		p := g.admit(m)
		g.mu.Unlock()
		return p, nil
	}
	g.queued++
	w := &waiting{turn: g.queued, open: make(chan struct{})}
	l.queue = append(l.queue, w)
	g.mu.Unlock()
	select {
	case <-w.open:
		return w.pass, nil
	case <-ctx.Done():
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if i := slices.Index(l.queue, w); i >= 0 {
		l.queue = slices.Delete(l.queue, i, i+1)
	} else { // let through at the same moment
		g.free(w.pass)
		g.wake()
	}
	return pass{}, context.Cause(ctx)
}

// leave ends a call. f is its fault, nil for a reply.
func (g *Gate) leave(p pass, f *model.Fault) {
	if g == nil || p.model < 0 {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	l := &g.lanes[p.model]
	switch {
	case f != nil && f.Kind == model.FaultBusy:
		l.log.Busy++
		l.row = 0
		if p.round == l.round {
			l.round++
			g.change(l, max(1, l.limit/2), "the server was busy: "+model.OneLine(f.Error(), 120))
		}
	case f == nil && p.round == l.round: // other faults say nothing about how much the server takes
		if l.row++; l.row >= l.limit && l.limit < g.ceiling {
			g.change(l, l.limit+1, fmt.Sprintf("%d calls in a row were taken", l.row))
		}
	}
	g.free(p)
	g.wake()
}

func (g *Gate) room(l *lane) bool { return g.flying < g.ceiling && l.flying < l.limit }

func (g *Gate) admit(m int) pass {
	l := &g.lanes[m]
	g.flying++
	l.flying++
	l.log.Calls++
	return pass{m, l.round}
}

func (g *Gate) free(p pass) {
	g.flying--
	g.lanes[p.model].flying--
}

// wake lets through what there is room for, the longest-waiting call first.
func (g *Gate) wake() {
	for g.flying < g.ceiling {
		next := -1
		for m := range g.lanes {
			l := &g.lanes[m]
			if len(l.queue) > 0 && g.room(l) && (next < 0 || l.queue[0].turn < g.lanes[next].queue[0].turn) {
				next = m
			}
		}
		if next < 0 {
			return
		}
		l := &g.lanes[next]
		w := l.queue[0]
		l.queue[0] = nil
		if l.queue = l.queue[1:]; len(l.queue) == 0 {
			l.queue = nil
		}
		w.pass = g.admit(next)
		close(w.open)
	}
}

func (g *Gate) change(l *lane, limit int, why string) {
	l.row = 0
	if limit == l.limit {
		return
	}
	l.limit, l.log.Last, l.log.Least = limit, limit, min(limit, l.log.Least)
	if len(l.log.Changes) >= maxChanges {
		l.log.Dropped++
		return
	}
	l.log.Changes = append(l.log.Changes, LimitChange{g.now().UTC(), limit, why})
}

// limits gives the limits that are below the ceiling now, by the models' indexes.
func (g *Gate) limits(name func(int) string) (out []Limit) {
	if g == nil {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for m := range g.lanes {
		if l := &g.lanes[m]; l.limit < g.ceiling {
			out = append(out, Limit{name(m), l.limit, g.ceiling})
		}
	}
	return out
}

// history gives a model's history so far.
func (g *Gate) history(m int) Concurrency {
	g.mu.Lock()
	defer g.mu.Unlock()
	c := g.lanes[m].log
	c.Changes = slices.Clone(c.Changes)
	return c
}

// close records what the session learnt of how many calls the servers take at once.
func (x *execution) close(ctx context.Context, err error) error {
	if k := store.KindOf(err); k != "" && k != store.Cancelled {
		return err
	}
	s := x.session
	var facts []store.Fact
	for m := range s.spec.Models {
		h := x.gate.history(m)
		if h.Calls == 0 {
			continue
		}
		f, ferr := store.NewFact(store.FactConcurrency, m, store.NoIndex, s.engine.Now(), h)
		if ferr != nil {
			return errors.Join(err, ferr)
		}
		facts = append(facts, f)
	}
	if ferr := s.engine.Store.AddFacts(ctx, s.Run, facts...); ferr != nil {
		return errors.Join(err, ferr)
	}
	return err
}
