package run

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/store"
)

// Group commit: many finished tries go into one transaction, since each transaction waits for the disk.
const (
	linger     = 25 * time.Millisecond // what is recorded waits at most so long, and the commit before it
	lastLinger = 2 * time.Millisecond  // the same once no further call is to be made
	maxBatch   = 1024                  // rows in one transaction
	queueLen   = 1024                  // tries handed over while a commit runs, so that workers go on
	maxPending = 2 << 20               // bytes of tries between their call and their verdict; memory stays flat by it
	leastShare = 16                    // tries that are worth a goroutine of their own to pack them
	maxBytes   = maxPending / 4        // bytes of tries in one transaction: a quarter, so that the rest can come in meanwhile
)

// writer is the single goroutine that commits what workers and graders hand over: tries, then, once these are on the
// disk, the verdicts over them. It never waits for a grader, so the two cannot wait for each other.
type writer struct {
	store    store.Store
	run      *store.Run
	progress *progress
	stopped  <-chan struct{} // closed: no more grading
	fail     func(error)     // told of the first error
	recorded func(Tried)     // see Session; may be nil
	graded   func(store.Task, record.Letter)

	hurried  sync.Once
	hurrying chan struct{} // closed: no further call is to be made
	tries    chan Tried
	toGrade  chan Tried
	verdicts chan judged
	budget   *semaphore.Weighted

	batch   store.Batch
	bytes   int64   // weight of the batch's tries
	fresh   []Tried // of the batch, to be graded once it is committed
	done    []judged
	queue   []Tried // committed, waiting for a grader
	grading int     // with a grader now
	err     error
}

// judged is what a grader hands back; ok is false when it was interrupted.
type judged struct {
	tried   Tried
	verdict store.Verdict
	letter  record.Letter
	ok      bool
}

func newWriter(s store.Store, r *store.Run, p *progress, stopped <-chan struct{}, fail func(error)) *writer {
	return &writer{store: s, run: r, progress: p, stopped: stopped, fail: fail,
		hurrying: make(chan struct{}), tries: make(chan Tried, queueLen), toGrade: make(chan Tried), verdicts: make(chan judged, 64), budget: semaphore.NewWeighted(maxPending)}
}

// put hands a try over. It waits only while maxPending is used up, which the writer and the graders always work off.
func (w *writer) put(t Tried) error {
	t.weight = weight(&t)
	if err := w.budget.Acquire(context.Background(), t.weight); err != nil {
		return err
	}
	w.tries <- t
	return nil
}

// hurry has what is answered recorded without much delay: no call is kept waiting by it any more.
func (w *writer) hurry() { w.hurried.Do(func() { close(w.hurrying) }) }

// weight is a try's memory, bounded so that a giant takes the whole budget and no more.
func weight(t *Tried) int64 {
	n := 2048 + len(t.Transcript.Answer) + len(t.Transcript.Thinking)
	for i := range t.Transcript.Calls {
		n += len(t.Transcript.Calls[i].RequestBody) + len(t.Transcript.Calls[i].ResponseBody)
	}
	return min(int64(n), maxPending)
}

// loop runs until tries is closed and everything is written and graded, then closes toGrade.
func (w *writer) loop() {
	defer close(w.toGrade)
	timer := time.NewTimer(linger)
	timer.Stop()
	armed, wait := false, linger
	tries, stopped, hurrying := w.tries, w.stopped, w.hurrying
	for {
		if tries == nil && (len(w.fresh) > 0 || w.grading == 0 && len(w.queue) == 0) {
			w.flush() // nothing more will join the batch: do not linger
			if w.grading == 0 && len(w.queue) == 0 {
				timer.Stop()
				return
			}
		}
		if waiting := w.size() > 0; waiting != armed {
			if armed = waiting; waiting {
				timer.Reset(wait)
			} else {
				timer.Stop()
			}
		}
		var toGrade chan Tried
		var next Tried
		if len(w.queue) > 0 {
			toGrade, next = w.toGrade, w.queue[0]
		}
		select {
		case t, ok := <-tries:
			if !ok {
				tries = nil
				break
			}
			w.add(t)
		case toGrade <- next:
			w.pop()
			w.grading++
		case j := <-w.verdicts:
			w.grading--
			w.judged(j)
		case <-timer.C:
			w.flush()
		case <-hurrying:
			hurrying, wait = nil, lastLinger
			if armed {
				timer.Reset(wait)
			}
		case <-stopped:
			stopped = nil // interrupted: what waits for a grader is graded when the run is resumed
			w.dropQueue()
		}
		if w.size() >= maxBatch || w.bytes >= maxBytes {
			w.flush()
		}
	}
}

func (w *writer) size() int { return len(w.fresh) + len(w.batch.Verdicts) }

func (w *writer) add(t Tried) {
	w.fresh = append(w.fresh, t)
	w.bytes += t.weight
}

func (w *writer) judged(j judged) {
	if !j.ok {
		w.release(&j.tried)
		return
	}
	w.batch.Verdicts = append(w.batch.Verdicts, j.verdict)
	w.done = append(w.done, j)
}

func (w *writer) pop() {
	w.queue[0] = Tried{}
	if w.queue = w.queue[1:]; len(w.queue) == 0 {
		w.queue = nil
	}
}

func (w *writer) dropQueue() {
	for i := range w.queue {
		w.release(&w.queue[i])
	}
	w.queue = nil
}

func (w *writer) release(t *Tried) { w.budget.Release(t.weight) }

// pack makes the records of the batch's tries, on all processors where it pays. It is done here and not by whoever made
// the calls, so that each next call goes out at once, and the work falls into the time in which answers are waited for.
func (w *writer) pack() error {
	n := len(w.fresh)
	w.batch.Tries = slices.Grow(w.batch.Tries[:0], n)[:n]
	left := w.batch.Tries
	var group errgroup.Group
	for part := range slices.Chunk(w.fresh, max(leastShare, (n+runtime.GOMAXPROCS(0)-1)/runtime.GOMAXPROCS(0))) {
		tries := left[:len(part)]
		left = left[len(part):]
		group.Go(func() error {
			for i := range part {
				runtime.Gosched() // calls that are ready to go on come first
				var err error
				if tries[i], err = part[i].Pack(); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return group.Wait()
}

// flush commits the batch. After a failure nothing is written any more, and what comes in is let go: the run stops, and
// a resumed one makes those calls again.
func (w *writer) flush() {
	if w.size() == 0 {
		return
	}
	if w.err == nil {
		if w.err = w.pack(); w.err == nil {
			w.err = w.store.Record(context.Background(), w.run, w.batch)
		}
		if w.err != nil {
			w.fail(w.err)
		}
	}
	stopped := w.err != nil
	select {
	case <-w.stopped:
		stopped = true
	default:
	}
	for i := range w.fresh {
		t := &w.fresh[i]
		if w.err == nil {
			w.progress.recorded(t)
			if w.recorded != nil {
				w.recorded(*t)
			}
		}
		if !stopped && gradable(t.Transcript) {
			w.queue = append(w.queue, *t)
		} else {
			w.release(t)
		}
	}
	for i := range w.done {
		j := &w.done[i]
		if w.err == nil && j.tried.Transcript.Outcome == record.Answered {
			w.progress.graded(j.tried.Task.Basis, j.letter)
			if w.graded != nil {
				w.graded(j.tried.Task, j.letter)
			}
		}
		w.release(&j.tried)
	}
	clear(w.fresh)
	clear(w.done)
	clear(w.batch.Tries)
	clear(w.batch.Verdicts)
	w.fresh, w.done, w.batch.Tries, w.batch.Verdicts, w.bytes = w.fresh[:0], w.done[:0], w.batch.Tries[:0], w.batch.Verdicts[:0], 0
}
