package run

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/store"
)

// Summary is what a session came to; every count is computed from the store's rows.
type Summary struct {
	Run     *store.Run
	Tally   store.Tally // under the run's own grader
	Planned int
	Done    int // attempts with their outcome
	Errors  int // attempts that ended in an error of ours or the provider's: the same request tries them again
	// Drift lists what models and servers say of themselves at the end and did not say at the start, one line each.
	Drift        []string
	GraderFaults int    // answers that the grader failed on, in this session
	GraderFault  string // the first of them
	Elapsed      time.Duration
}

// Execute carries out what is left of the run and grades it. It returns when all is recorded. The error is *Interrupted
// when ctx ended, *StopError when the run had to be stopped, *ChangedError when a model or its server was no longer the
// same, *store.Error when nothing more could be recorded; the summary is good in all cases but the last.
func (s *Session) Execute(ctx context.Context) (Summary, error) {
	e := s.engine
	begun := e.Now()
	x := &execution{session: s, progress: newProgress(s.Run, s.Begin, e.Now), gate: NewGate(len(s.spec.Models), s.concurrency, e.Now),
		rows: make([]inRow, len(s.spec.Models)), warmed: make([]sync.Once, len(s.spec.Models))}
	x.progress.gate = x.gate
	s.gate.Store(x.gate)
	defer s.gate.Store(nil)
	watched := x.watch(e.Observe)
	err := x.carryOut(ctx)
	watched()
	sum := Summary{Run: s.Run, GraderFaults: x.faults, GraderFault: x.fault}
	if s.Status != Finished {
		sum.Drift, err = s.part(ctx, err, x.asked)
		err = x.close(ctx, err)
	}
	tally, terr := e.Store.Tally(context.WithoutCancel(ctx), s.Run, s.Run.Plan.Grader)
	sum.Tally, sum.Planned, sum.Done, sum.Errors = tally, tally.Planned(), tally.Done(), tally.Outcome(record.Error)
	sum.Elapsed = e.Now().Sub(begun)
	if terr != nil && (err == nil || store.KindOf(err) == "") {
		return sum, terr
	}
	if i, ok := errors.AsType[*Interrupted](err); ok {
		i.Done, i.Planned = sum.Done, sum.Planned
	}
	return sum, err
}

// execution is one Execute.
type execution struct {
	session  *Session
	progress *progress

	mu     sync.Mutex
	faults int
	fault  string

	halted context.Context // ended when no further attempt is to be begun
	halt   context.CancelCauseFunc
	rows   []inRow     // by model
	warmed []sync.Once // by model

	asked     []said // what the models said after their last answer; nil: they were not asked
	gate      *Gate
	listeners []*listener
}

// watch starts telling the observer; the returned function tells it the last snapshot and waits until it has it.
func (x *execution) watch(observe func(Snapshot)) (stop func()) {
	if observe == nil {
		return func() {}
	}
	quit, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		x.progress.watch(observe, quit)
	}()
	return func() {
		close(quit)
		<-ended
	}
}

// carryOut grades what an earlier session left without a verdict, then works off the pending attempts.
func (x *execution) carryOut(ctx context.Context) error {
	s := x.session
	if s.Status == Finished {
		return nil
	}
	left := regrading{engine: s.engine, run: s.Run, set: s.spec.Set, digest: s.spec.Digest, each: func(t store.Task, o record.Outcome, v *record.Verdict, fault string) {
		x.graderFault(fault)
		if o == record.Answered {
			x.progress.graded(t.Basis, v.Letter)
		}
	}}
	blank := s.Status == Created && !s.begun
	if !blank {
		if err := left.all(ctx); err != nil {
			return x.ended(ctx, err)
		}
	}
	s.begun = true
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	w := newWriter(s.engine.Store, s.Run, x.progress, inner.Done(), func(err error) { cancel(err) })
	w.recorded, w.graded = s.Recorded, s.Graded
	var writing, grading, working sync.WaitGroup
	writing.Go(w.loop)
	for range runtime.GOMAXPROCS(0) {
		grading.Go(func() { x.grade(inner, w) })
	}
	f := newFeeder(s.concurrency)
	if err := x.listen(inner, cancel); err != nil {
		cancel(err)
	}
	halted, halt := context.WithCancelCause(inner)
	defer halt(nil)
	x.halted, x.halt = halted, halt
	working.Go(func() { x.feed(halted, f, blank, cancel) })
	newCrew(s.concurrency, func(c *crew) { working.Go(func() { x.work(inner, f, w, c, cancel) }) })
	watch, leave := context.WithCancel(inner)
	var watching sync.WaitGroup
	watching.Go(func() { x.watchModels(watch, cancel) })
	working.Wait()
	leave()
	close(w.tries)
	if halted.Err() == nil { // all is answered: while it is recorded, the models are asked for the last time
		watching.Go(func() { x.asked = s.askAll(context.WithoutCancel(ctx), true) })
	}
	writing.Wait()
	grading.Wait()
	watching.Wait()
	if w.err != nil {
		return w.err
	}
	if err := context.Cause(inner); err != nil {
		return x.ended(ctx, err)
	}
	return x.ended(ctx, context.Cause(halted))
}

// ended tells an interrupt by the caller from a stop of our own.
func (x *execution) ended(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if store.KindOf(err) != "" && store.KindOf(err) != store.Cancelled {
		return err
	}
	if _, ok := errors.AsType[*StopError](err); ok {
		return err
	}
	if _, ok := errors.AsType[*ChangedError](err); ok {
		return err
	}
	if ctx.Err() != nil {
		return &Interrupted{Run: x.session.Run}
	}
	return err
}

func (x *execution) work(ctx context.Context, f *feeder, w *writer, crew *crew, cancel context.CancelCauseFunc) {
	s := x.session
	c := &Caller{Set: s.spec.Set, Retry: s.engine.Retry, Rand: s.engine.Rand, Calling: x.progress.calling, NoSchema: s.spec.NoSchema, Prices: s.spec.Prices,
		Hooks: Hooks{Gate: x.gate, Going: x.halted, Resting: crew.rest, Probed: func(m int, posture string) int64 { return s.shown[m][posture] }}}
	for _, l := range x.listeners {
		c.Models = append(c.Models, l)
	}
	emit := func(t Tried) error {
		outcome, usage, broken := t.Transcript.Outcome, t.Transcript.Usage, x.unhonoured(&t.Transcript) // the writer owns the rest from here on
		if err := w.put(t); err != nil {
			return err
		}
		if broken != nil {
			return &StopError{Model: t.Task.Key.Model, Err: broken}
		}
		return x.goOn(t.Task.Model, outcome, usage)
	}
	for t := range f.ready {
		err := x.warm(ctx, t)
		var fault *model.Fault
		if err == nil {
			fault, err = c.Attempt(ctx, t, emit)
		}
		if err == nil {
			err = x.reached(t, fault)
		}
		if stop, ok := errors.AsType[*StopError](err); ok && stop.Fault == nil {
			x.halt(err) // no further attempt is wanted; the calls under way are paid for, and end by themselves
			return
		}
		if err != nil {
			cancel(err)
			return
		}
		if x.halted.Err() != nil {
			return
		}
		if crew.dispensable() {
			return
		}
		f.free()
	}
	w.hurry() // every attempt has its worker: the processors have nothing better to do than to record what is answered
}

// goOn says after a try whether the session may go on.
func (x *execution) goOn(m int, outcome record.Outcome, usage record.Usage) error {
	s := x.session
	name := s.spec.Models[m].Model.Name()
	if where := x.listeners[m].remote.Load(); where != nil {
		return &StopError{Model: name, Err: fmt.Errorf("its server handed the call on to another machine (%s), so a remote model would be measured under a local one's name; name a model that the server holds itself", model.OneLine(*where, 0))}
	}
	if s.spec.Allow == nil {
		return nil
	}
	if err := s.spec.Allow(m, outcome, usage); err != nil {
		return &StopError{Model: name, Err: err}
	}
	return nil
}

func (x *execution) grade(ctx context.Context, w *writer) {
	s := x.session
	for t := range w.toGrade {
		runtime.Gosched() // calls that are ready to go on come first
		j := judged{tried: t}
		v, fault, err := Judge(ctx, s.spec.Set, t.Task, t.Transcript)
		if err == nil {
			x.graderFault(fault)
			j.letter = v.Letter
			j.verdict, err = store.NewVerdict(t.Task.N, v, s.spec.Digest, s.engine.Now().UnixNano())
			if err != nil {
				w.fail(err)
			}
		}
		j.ok = err == nil
		w.verdicts <- j
	}
}

func (x *execution) graderFault(fault string) {
	if fault == "" {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.faults++; x.faults == 1 {
		x.fault = fault
	}
}
