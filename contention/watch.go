package contention

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
)

var errStopped = errors.New("contention: the watch has been stopped")

// Watcher measures in the background from Start to Stop, or until its context ends. Its methods may be called from
// everywhere at once.
type Watcher struct {
	opts    Options
	targets []*target
	prober  *prober
	smi     string // path of nvidia-smi; "" where there is none
	started time.Time
	ctx     context.Context
	cancel  context.CancelFunc
	wg      sync.WaitGroup

	mu      sync.Mutex
	stay    *stay // the phase that it is in
	rank    int   // of the last phase entered
	periods Phased[Period]
	probes  []tallies[probeTally] // one for each target
	host    hostState
	cards   cardState
	speeds  tallies[speedTally]
	speedOf SpeedOf
	line    timeline
	doc     *Document // set by Stop
}

// stay is one stretch of time in one phase. All but the first four members are guarded by the watcher's lock.
type stay struct {
	phase   Phase
	entered time.Time
	limit   time.Duration // no probe begins later than this; 0: no limit
	over    chan struct{} // closed when the phase is left

	left   bool
	flying int           // probes that are on their way
	landed chan struct{} // closed when the phase was left and no probe is on its way
}

func newStay(p Phase, now time.Time, limit time.Duration) *stay {
	return &stay{phase: p, entered: now, limit: limit, over: make(chan struct{}), landed: make(chan struct{})}
}

// Start begins to sample the host. Nothing is probed before the first phase is entered.
func Start(ctx context.Context, opts Options) (*Watcher, error) {
	o, err := opts.ready()
	if err != nil {
		return nil, err
	}
	targets, err := parseTargets(o.URLs)
	if err != nil {
		return nil, err
	}
	now := o.Now()
	w := &Watcher{
		opts: o, targets: targets, prober: newProber(o), started: now,
		stay:   newStay(Idle, now, 0),
		probes: make([]tallies[probeTally], len(targets)),
		line:   timeline{start: now.Round(0), step: o.Sample},
	}
	w.ctx, w.cancel = context.WithCancel(ctx)
	for i, t := range targets {
		w.wg.Go(func() { w.watch(i, t) })
	}
	if o.Proc == nil {
		w.host.note = notKnown()
	} else {
		w.wg.Go(func() { w.every(o.Sample, w.sampleHost) })
	}
	// Looked up once: what appears in the middle of a run would change what its figures mean.
	if path, err := o.LookPath(smiName); err != nil {
		w.cards.note = "not known here: no " + smiName + " was found"
	} else {
		w.smi = path
		w.wg.Go(func() { w.every(2*o.Sample, w.sampleCards) })
	}
	return w, nil
}

// Phase leaves the present phase and enters another: Before, During and After in this order, each at most once, and Idle
// at any time. Probes that are on their way belong to the phase that they began in.
func (w *Watcher) Phase(p Phase) error {
	_, err := w.enter(p, 0)
	return err
}

// Hold enters a phase, stays there for the time that Options.Around gives, and leaves it for Idle when its last probe is
// over, so that what follows cannot disturb it. It returns early, with the context's error, when a context ends.
func (w *Watcher) Hold(ctx context.Context, p Phase) error {
	if _, err := w.enter(p, w.opts.Around); err != nil {
		return err
	}
	timer := time.NewTimer(w.opts.Around)
	defer timer.Stop()
	err := wait(ctx, w.ctx, timer.C)
	was, enterErr := w.enter(Idle, 0)
	if err != nil {
		return err
	}
	if enterErr != nil {
		return enterErr
	}
	return wait(ctx, w.ctx, was.landed)
}

// wait waits for a channel, or gives the error of the first context that ends.
func wait[T any](ctx, own context.Context, c <-chan T) error {
	select {
	case <-c:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-own.Done():
		return own.Err()
	}
}

// enter gives the phase that was left.
func (w *Watcher) enter(p Phase, limit time.Duration) (*stay, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.doc != nil:
		return nil, errStopped
	case p != Idle && p.rank() == 0:
		return nil, fmt.Errorf("contention: there is no phase %q", clip(printable(string(p)), 32))
	case p != Idle && p.rank() <= w.rank:
		return nil, fmt.Errorf("contention: the phase %q comes too late: the order is %s, %s, %s, each once", p, Before, During, After)
	}
	now, was := w.opts.Now(), w.stay
	w.leave(now)
	w.stay = newStay(p, now, limit)
	if p != Idle {
		w.rank = p.rank()
		*w.periods.at(p) = &Period{utc(now), utc(now)}
	}
	return was, nil
}

// leave ends the present phase.
func (w *Watcher) leave(now time.Time) {
	s := w.stay
	if p := w.periods.In(s.phase); p != nil {
		p.To = utc(now)
	}
	s.left = true
	close(s.over)
	if s.flying == 0 {
		close(s.landed)
	}
}

// watch probes one service through all phases.
func (w *Watcher) watch(i int, t *target) {
	slots := make(chan struct{}, flyingMax)
	for {
		w.mu.Lock()
		s := w.stay
		w.mu.Unlock()
		if s.phase != Idle {
			w.tick(i, t, s, slots)
		}
		select {
		case <-s.over:
		case <-w.ctx.Done():
			return
		}
	}
}

// tick begins probes at fixed times, whether or not those before are over: a service that hangs must not be asked less
// often for it, or its worst times would hardly count. The services are asked one after the other within an interval.
func (w *Watcher) tick(i int, t *target, s *stay, slots chan struct{}) {
	at := w.opts.Interval * time.Duration(i) / time.Duration(len(w.targets))
	timer := time.NewTimer(0)
	defer timer.Stop()
	<-timer.C
	for ; s.limit == 0 || at < s.limit; at += w.opts.Interval {
		late := w.opts.Now().Sub(s.entered) - at
		if n := late / w.opts.Interval; n > 0 { // this program itself was given no time
			if s.limit != 0 {
				n = min(n, (s.limit-at+w.opts.Interval-1)/w.opts.Interval) // no more than were due in this phase
			}
			w.missed(i, s.phase, int64(n))
			at += n * w.opts.Interval
			if s.limit != 0 && at >= s.limit {
				return
			}
			late = 0
		}
		timer.Reset(max(-late, 0))
		select {
		case <-timer.C:
		case <-s.over:
			return
		case <-w.ctx.Done():
			return
		}
		select {
		case slots <- struct{}{}:
		default:
			w.missed(i, s.phase, 1)
			continue
		}
		if !w.launch(s) {
			return
		}
		w.wg.Go(func() {
			begun := w.opts.Now()
			got, ok := w.prober.probe(w.ctx, t)
			<-slots
			w.land(i, s, begun, got, ok)
		})
	}
}

// launch counts a probe as on its way, unless the phase was left.
func (w *Watcher) launch(s *stay) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if s.left {
		return false
	}
	s.flying++
	return true
}

// land records a probe.
func (w *Watcher) land(i int, s *stay, begun time.Time, got probed, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if ok {
		w.probes[i].in(s.phase).add(got)
		w.line.at(begun).service(int64(i)).add(got)
	}
	if s.flying--; s.flying == 0 && s.left {
		close(s.landed)
	}
}

func (w *Watcher) missed(i int, p Phase, n int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.probes[i].in(p).missed += n
}

// every does something now and then again at each interval.
func (w *Watcher) every(interval time.Duration, do func() (more bool)) {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for do() {
		select {
		case <-ticker.C:
		case <-w.ctx.Done():
			return
		}
	}
}

// Stop ends the watch, waits for all that it started, and gives what was seen. It can be called again, and after the
// context ended, with the same document.
func (w *Watcher) Stop() *Document {
	w.cancel()
	w.wg.Wait()
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.doc == nil {
		w.leave(w.opts.Now())
		w.doc = w.document()
	}
	return w.doc
}

// document sums everything up.
func (w *Watcher) document() *Document {
	d := &Document{
		Kind: Version, Started: utc(w.started), Ended: utc(w.opts.Now()), Periods: w.periods,
		Settings: Settings{
			Interval: int64(w.opts.Interval), Timeout: int64(w.opts.Timeout), Around: int64(w.opts.Around), Sample: int64(w.opts.Sample),
			Concurrency: int64(w.opts.Concurrency),
		},
		Services:     []Service{},
		Host:         w.host.sum(),
		Accelerators: w.cards.sum(),
		Speed:        Speed{w.speedOf, phased(&w.speeds, (*speedTally).phase)},
		Timeline:     Timeline{int64(w.line.step), append([]Stretch{}, w.line.list...)},
	}
	if d.Ended.Before(d.Started) {
		d.Ended = d.Started // the clock was set back meanwhile
	}
	for i, t := range w.targets {
		d.Services = append(d.Services, Service{t.label, phased(&w.probes[i], (*probeTally).sum)})
	}
	return d
}

// utc is a time as documents hold it.
func utc(t time.Time) time.Time { return t.Round(0).UTC() }

// oneLine makes one line of joined errors.
func oneLine(err error) string { return clip(strings.ReplaceAll(err.Error(), "\n", "; "), 200) }
