package run

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"time"

	"github.com/assaybench/assay/contention"
	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/store"
)

// Beside says what is watched beside a session's calls: live services on the same machine, and the model's own speed.
type Beside struct {
	URLs []string
	// Interval and Around are contention.Options' own; zero values take its defaults.
	Interval, Around time.Duration
	// Every is the time between two calibration calls under the run; 0: fifty times as long as one took alone, and 10 s at
	// the least, so that they are a small part of the load.
	Every time.Duration
	// Dial opens the connections to the services; nil is a net.Dialer.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
}

// Check refuses what cannot be watched in a session of spec, before anything is asked of anybody. Errors are *UsageError.
func (b Beside) Check(spec Spec) error {
	if err := contention.Check(b.URLs); err != nil {
		return usagef("%v", err)
	}
	// In less than an interval some services would not be probed at all, since they take turns.
	if least := cmp.Or(b.Interval, time.Second); b.Around != 0 && (b.Around < least || b.Around > mostAround) {
		return usagef("services are watched for %v to %v before and after a run, not for %v", least, mostAround, b.Around)
	}
	one := ""
	for _, m := range spec.Models {
		switch name := m.Model.Name(); {
		case !isServer(m.Model):
		case one != "":
			return usagef("services are watched beside one model at a time, since the figures of several would be mixed; run %s and %s apart", one, name)
		default:
			one = name
		}
	}
	if one == "" {
		return usagef("services are watched beside a model server, and none of the models is one: %s", noServers)
	}
	return nil
}

// noServers are the models whose calls nobody else has to make way for.
const noServers = "controls, replays and programs are measured without --watch and --calibrate"

// mostAround bounds Around, as contention.Options does.
const mostAround = 10 * time.Minute

const (
	calibrations     = 3 // calls before the run, and as many after it
	calibrationLimit = 2 * time.Minute
	calibrationMax   = 96 // tokens of output
	leastEvery       = 10 * time.Second
)

// calibrationPrompt makes a model of any kind write until its limit.
const calibrationPrompt = "Write the numbers from one to two hundred as English words, separated by commas, and nothing else."

// ExecuteBeside is Execute between two looks at the services and at the model alone. The document is recorded with the run,
// and nil when the watch could not begin.
func (s *Session) ExecuteBeside(ctx context.Context, b Beside) (Summary, *contention.Document, error) {
	if s.Status == Finished {
		sum, err := s.Execute(ctx)
		return sum, nil, err
	}
	if err := b.Check(s.spec); err != nil {
		return Summary{Run: s.Run}, nil, err
	}
	c, err := s.calibration()
	if err != nil {
		return Summary{Run: s.Run}, nil, err
	}
	w, err := contention.Start(ctx, contention.Options{URLs: b.URLs, Interval: b.Interval, Around: b.Around, Concurrency: s.concurrency, Now: s.engine.Now, Dial: b.Dial})
	if err != nil {
		return Summary{Run: s.Run}, nil, usagef("%v", err)
	}
	defer w.Stop()
	s.engine.note("watching %s before the run", b.what())
	alone, err := c.around(ctx, w, contention.Before)
	if err != nil {
		return Summary{Run: s.Run}, nil, c.interrupted(ctx, err)
	}
	if err := w.Phase(contention.During); err != nil {
		return Summary{Run: s.Run}, nil, err
	}
	begun := s.engine.Now()
	every := b.Every
	if every == 0 {
		every = max(leastEvery, 50*alone)
	}
	stop := c.under(ctx, w, every)
	sum, runErr := s.Execute(ctx)
	stop()
	if ctx.Err() == nil && runErr == nil {
		s.engine.note("watching %s after the run", b.what())
		if _, err := c.around(ctx, w, contention.After); err != nil {
			s.engine.note("warning: what came after the run was not watched whole: %s", model.OneLine(err.Error(), 0))
		}
	}
	doc := w.Stop()
	attempts, err := s.made(ctx, begun)
	if err == nil {
		doc.Flagged = doc.Flags(attempts, contention.DefaultThresholds())
		err = s.keep(ctx, store.FactContention, c.model, doc)
	}
	if runErr == nil {
		runErr = err
	}
	return sum, doc, runErr
}

// Keep records a fact of the whole run, such as what it cost.
func (s *Session) Keep(ctx context.Context, kind string, body any) error {
	return s.keep(ctx, kind, store.NoIndex, body)
}

func (s *Session) keep(ctx context.Context, kind string, m int, body any) error {
	f, err := store.NewFact(kind, m, store.NoIndex, s.engine.Now().UTC(), body)
	if err != nil {
		return err
	}
	return s.engine.Store.AddFacts(context.WithoutCancel(ctx), s.Run, f)
}

// made lists the attempts of this session that have their outcome.
func (s *Session) made(ctx context.Context, since time.Time) ([]contention.Attempt, error) {
	var out []contention.Attempt
	for row, err := range s.engine.Store.Rows(context.WithoutCancel(ctx), s.Run, s.Run.Plan.Grader) {
		if err != nil {
			return nil, err
		}
		if t := row.Timing; row.Try > 0 && !t.Started.Before(since) {
			out = append(out, contention.Attempt{Key: row.Key, Outcome: row.Outcome, Started: t.Started, Ended: t.Started.Add(time.Duration(t.Total))})
		}
	}
	return out, nil
}

// calibration measures the speed of the session's one model.
type calibration struct {
	session *Session
	model   int
	req     model.Request
	limit   time.Duration
	of      contention.SpeedOf // of the first call that was timed: the two kinds cannot be compared
}

// calibration finds the model to measure: the one server among the models, as Beside.Check has it.
func (s *Session) calibration() (*calibration, error) {
	c := &calibration{session: s, model: -1}
	for _, d := range s.todo {
		if !s.probes(d.model) || d.model == c.model {
			continue
		}
		proto := &s.spec.Set.Bench().Protocol
		q, _ := proto.Posture(s.Run.Plan.Postures[d.posture])
		c.model = d.model
		c.req = requestFor(proto, q, []model.Message{{Role: "user", Text: calibrationPrompt}})
		c.req.MaxOutput = min(c.req.MaxOutput, calibrationMax)
		c.limit = min(q.Timeout, calibrationLimit)
	}
	if c.model < 0 {
		return nil, usagef("services are watched beside a model server, and none has attempts left to make: %s", noServers)
	}
	return c, nil
}

// what is watched, in words.
func (b Beside) what() string {
	switch n := len(b.URLs); n {
	case 0:
		return "the model's own speed"
	case 1:
		return "1 service and the model's own speed"
	default:
		return fmt.Sprintf("%d services and the model's own speed", n)
	}
}

// around watches the services for a while, and then measures the model with nothing beside it. It gives the time of one
// calibration call.
func (c *calibration) around(ctx context.Context, w *contention.Watcher, p contention.Phase) (time.Duration, error) {
	if err := w.Hold(ctx, p); err != nil {
		return 0, err
	}
	var longest time.Duration
	for range calibrations {
		took, err := c.measure(ctx, w, p)
		if err != nil {
			return 0, err
		}
		longest = max(longest, took)
	}
	return longest, nil
}

// under measures now and then until it is stopped.
func (c *calibration) under(ctx context.Context, w *contention.Watcher, every time.Duration) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		// The first one comes early, so that short runs have a figure too.
		for next := every / 10; wait(ctx, next) == nil; next = every {
			if _, err := c.measure(ctx, w, contention.During); err != nil {
				return
			}
		}
	}()
	return func() {
		cancel()
		<-done
	}
}

// measure makes one calibration call. A call that fails is counted, and an error is only what ends the watch.
func (c *calibration) measure(ctx context.Context, w *contention.Watcher, p contention.Phase) (time.Duration, error) {
	// Under the run it takes its turn among the run's calls, so that the server never has more of them than it was to have.
	gate := c.session.gate.Load()
	place, err := gate.enter(ctx, c.model)
	if err != nil {
		return 0, err
	}
	begun := c.session.engine.Now()
	rep, fault := callWithin(ctx, c.session.spec.Models[c.model].Model, c.req, c.limit, unasked)
	took := c.session.engine.Now().Sub(begun)
	outcome := record.Answered
	if fault != nil {
		outcome = record.Error
	}
	gate.leave(place, fault)
	if ctx.Err() != nil {
		return 0, context.Cause(ctx)
	}
	if allow := c.session.spec.Allow; allow != nil {
		if err := allow(c.model, outcome, rep.Usage); err != nil {
			return 0, &StopError{Model: c.session.spec.Models[c.model].Model.Name(), Err: err}
		}
	}
	m := contention.Measure{Failed: true}
	if fault == nil && rep.Usage.Output != nil && *rep.Usage.Output > 0 {
		m = contention.Measure{Of: contention.Total, Tokens: *rep.Usage.Output, Elapsed: took}
		if rep.Timing.Output > 0 {
			m.Of, m.Elapsed = contention.Generation, time.Duration(rep.Timing.Output)
		}
		if c.of == "" {
			c.of = m.Of
		}
		m.Failed = m.Of != c.of
	}
	if err := w.Speed(p, m); err != nil {
		// A speed that cannot be (a clock that stood still, a count that is nonsense) is a call that gave none.
		if err := w.Speed(p, contention.Measure{Failed: true}); err != nil {
			return 0, err
		}
	}
	return took, nil
}

func (c *calibration) interrupted(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return &Interrupted{Run: c.session.Run, Done: c.session.Begin.Done(), Planned: c.session.Begin.Planned()}
	}
	return fmt.Errorf("watching before the run: %w", err)
}

// underLoad puts the machine's load at that moment beside an attempt that ran out of time.
func underLoad(t *record.Transcript) {
	if t.Outcome != record.Timeout {
		return
	}
	if l, ok := contention.HostNow(time.Time{}); ok {
		t.Reason += " (this machine then: " + l.String() + ")"
	}
}
