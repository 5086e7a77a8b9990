package run

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/store"
)

// Status says what Start found.
type Status string

const (
	Created  Status = "created"
	Resumed  Status = "resumed"
	Finished Status = "finished" // nothing is left to do, and no server was asked anything
)

// Session is a run in the hands of this process, from Start to Close.
type Session struct {
	Run    *store.Run
	Status Status
	Begin  store.Tally // as it was at the start

	// Recorded and Graded, if set before Execute, are told of each try and of each verdict once they are on the disk. They are
	// called by one goroutine that everything waits for, and must not wait themselves.
	Recorded func(Tried)
	Graded   func(store.Task, record.Letter)

	engine *Engine
	spec   Spec
	todo   []duty                   // what this session is to do
	start  []store.Identity         // by model, as of now
	shown  map[int]map[string]int64 // by model and posture: the weight of a prompt that was shown to reach it
	unlock func() error
	begun  bool  // attempts were made: the record is no longer what Start found
	plan   *Plan // of a run that this session created

	asked       map[int]bool         // models whose servers were asked something to make them ready, which may have loaded them
	gate        atomic.Pointer[Gate] // while attempts are made
	concurrency int                  // this session's own: it changes nothing that is recorded
}

// Start finds the newest run of the same request and takes it up where it stopped, or plans another. A run that was made
// under other circumstances is a *DifferentError; a run that another process works on is a *store.Error of kind Held; a
// model that does not say what it is, a *ModelError; a request that cannot be planned, a *UsageError. The caller closes
// the session.
func (e *Engine) Start(ctx context.Context, spec Spec) (*Session, error) {
	p, err := outline(spec)
	if err != nil {
		return nil, err
	}
	key := requestKey(&p.Plan)
	unlock, err := e.Store.Lock(ctx, "start-"+key[:12])
	if err != nil {
		return nil, starting(err)
	}
	s, err := e.start(ctx, spec, p, key)
	if uerr := unlock(); err == nil && uerr != nil {
		s.Close()
		return nil, uerr
	}
	return s, err
}

// starting puts the lock that covers planning into words.
func starting(err error) error {
	held, ok := errors.AsType[*store.Error](err)
	if !ok || held.Kind != store.Held {
		return err
	}
	who := "another process"
	if held.PID > 0 {
		who = fmt.Sprintf("process %d", held.PID)
	}
	return &store.Error{Kind: store.Held, Path: held.Path, PID: held.PID, Err: err, Msg: who + " is starting the same run; wait for it, or stop it"}
}

func (e *Engine) start(ctx context.Context, spec Spec, p *Plan, key string) (*Session, error) {
	s := &Session{engine: e, spec: spec, concurrency: p.Concurrency}
	if !spec.New {
		old, err := e.Store.FindByRequest(ctx, key)
		switch {
		case err == nil:
			done, err := s.takeUp(ctx, old, &p.Plan)
			if err != nil {
				return nil, err
			}
			if done {
				return s, nil
			}
		case store.KindOf(err) != store.NotFound:
			return nil, err
		}
	}
	if s.Run == nil {
		if err := p.fill(spec); err != nil {
			return nil, err
		}
		defer p.ahead(spec.Set)()
	}
	if err := s.takeOff(ctx, p, key); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// takeUp looks at the newest run of the request: it is finished (true), or it is to be resumed and now locked. A finished
// run is compared too, so that a figure of an older bench is never shown as today's.
func (s *Session) takeUp(ctx context.Context, old *store.Run, now *store.Plan) (done bool, err error) {
	e := s.engine
	differences := planDifferences(&old.Plan, now)
	finished, err := e.finished(ctx, old)
	if err != nil {
		return false, err
	}
	if len(differences) > 0 {
		return false, &DifferentError{Run: old, Finished: finished, Differences: differences}
	}
	if !finished {
		if s.unlock, err = e.Store.Lock(ctx, old.RunLock()); err != nil {
			return false, err
		}
		// Asked again: its owner may have finished it before the lock was free.
		if finished, err = e.finished(ctx, old); err != nil {
			return false, errors.Join(err, s.Close())
		}
	}
	s.Run, s.Status = old, Resumed
	if finished {
		s.Status = Finished
		s.Begin, err = e.Store.Tally(ctx, old, old.Plan.Grader)
		return true, errors.Join(err, s.Close())
	}
	return false, nil
}

// finished reports whether nothing is left to call, nothing to grade and nothing to settle.
func (e *Engine) finished(ctx context.Context, r *store.Run) (bool, error) {
	pending, err := e.Store.Pending(ctx, r, -1, 1)
	if err != nil || len(pending) > 0 {
		return false, err
	}
	ungraded, err := e.Store.Ungraded(ctx, r, r.Plan.Grader, false, -1, 1)
	if err != nil || len(ungraded) > 0 {
		return false, err
	}
	unsettled, err := e.unsettled(ctx, r)
	return !unsettled, err
}

func (s *Session) create(ctx context.Context, p *Plan, key string) error {
	e := s.engine
	s.Status = Created
	for try := 0; ; try++ {
		now := e.Now().UTC()
		r := &store.Run{ID: newID(now, e.Rand()), Created: now, Request: key, Plan: p.Plan}
		unlock, err := e.Store.Lock(ctx, r.RunLock())
		if err == nil {
			if err = e.Store.CreateRun(ctx, r, p.List()); err == nil {
				s.Run, s.unlock, s.plan = r, unlock, p
				return nil
			}
			unlock()
		}
		// An id that is taken, by one chance in 32,768 a second, is drawn again.
		if k := store.KindOf(err); (k != store.Duplicate && k != store.Held) || try == 9 {
			return err
		}
	}
}

// Close gives the run back to other processes.
func (s *Session) Close() error {
	if s == nil || s.unlock == nil {
		return nil
	}
	return s.unlock()
}

// requestKey is the same for the same command: bench, models with their servers, and the choices made.
func requestKey(p *store.Plan) string {
	names := make([]string, len(p.Models))
	for i, m := range p.Models {
		names[i] = m.Name
	}
	b, err := record.Canonical(struct {
		Bench    string      `json:"bench"`
		Models   []string    `json:"models"`
		Postures []string    `json:"postures"`
		Repeats  int         `json:"repeats"`
		Only     []string    `json:"only"`
		Shard    store.Shard `json:"shard"`
	}{p.Bench, names, p.PosturesChosen, p.RepeatsChosen, p.Only, p.Shard})
	if err != nil {
		panic("run: a request is always JSON: " + err.Error())
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// planDifferences lists what decides comparability and has changed, one line each.
func planDifferences(was, now *store.Plan) []string {
	var d differences
	d.compare("bench version", was.Version, now.Version)
	d.compare("bench digest", was.Digest, now.Digest)
	d.compare("grader digest", was.Grader, now.Grader)
	d.compare("protocol digest", was.ProtocolDigest, now.ProtocolDigest)
	d.compare("flags", strings.Join(was.Flags, " "), strings.Join(now.Flags, " "))
	return d
}

type differences []string

func (d *differences) compare(what, was, now string) {
	if was != now {
		*d = append(*d, fmt.Sprintf("%s: %s -> %s", what, shown(was), shown(now)))
	}
}

// shown is foreign text on one line; nothing is shown as "none".
func shown(s string) string {
	if s == "" {
		return "none"
	}
	return model.OneLine(s, 100)
}

// newID makes a run's id: the second in seven digits of Crockford's base 32, which sort by time, and three random ones.
func newID(now time.Time, random uint64) string {
	const digits = "0123456789abcdefghjkmnpqrstvwxyz"
	n := uint64(now.Unix())<<15 | random&(1<<15-1)
	var b [10]byte
	for i := len(b) - 1; i >= 0; i-- {
		b[i] = digits[n&31]
		n >>= 5
	}
	return string(b[:])
}
