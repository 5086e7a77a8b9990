package web

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/assaybench/assay/report"
	"github.com/assaybench/assay/report/stored"
	"github.com/assaybench/assay/store"
)

// change is equal for equal contents of the store's file: whatever is recorded changes the file or its log.
func (s *Server) change() string {
	var out string
	for _, name := range []string{s.Store.Path(), s.Store.Path() + "-wal"} {
		if st, err := os.Stat(name); err == nil {
			out += fmt.Sprintf("%x.%x-", st.ModTime().UnixNano(), st.Size())
		}
	}
	return out
}

// counted is what was counted of a run.
type counted struct {
	result *report.Result
	times  *course
	err    error
}

// counting is the work of counting a run once, which several pages may wait for.
type counting struct {
	change string
	done   chan struct{}
	counted
}

// figureCache keeps what was counted last of a few runs. Counting 100,000 attempts takes seconds, and no page waits for it
// longer than a reader would.
type figureCache struct {
	mu   sync.Mutex
	runs map[string]*counting
	keys []string // the oldest first
}

// runsKept is how many runs' figures are kept.
const runsKept = 8

// count gives a run's figures, where they are there within a time, and else what was counted before, or nil; fresh says which.
// What is begun goes on, and a later page has it.
func (s *Server) count(ctx context.Context, r *store.Run, grader string, within time.Duration) (c *counted, fresh bool) {
	key, now := r.ID+" "+grader, s.change()
	s.figures.mu.Lock()
	if s.figures.runs == nil {
		s.figures.runs = map[string]*counting{}
	}
	work := s.figures.runs[key]
	old := work
	busy := work != nil && !closed(work.done)
	if work == nil || work.change != now && !busy {
		work = &counting{change: now, done: make(chan struct{})}
		if old == nil {
			if s.figures.keys = append(s.figures.keys, key); len(s.figures.keys) > runsKept {
				delete(s.figures.runs, s.figures.keys[0])
				s.figures.keys = s.figures.keys[1:]
			}
		}
		s.figures.runs[key] = work
		s.work.Add(1)
		go s.countNow(work, r, grader)
	}
	s.figures.mu.Unlock()
	t := time.NewTimer(within)
	defer t.Stop()
	select {
	case <-work.done:
		return &work.counted, work.change == now
	case <-ctx.Done():
	case <-t.C:
	}
	if old != nil && closed(old.done) {
		return &old.counted, false
	}
	return nil, false
}

func closed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func (s *Server) countNow(work *counting, r *store.Run, grader string) {
	defer s.work.Done()
	defer close(work.done)
	res, err := stored.Result(s.ending, s.Store, r, stored.Options{Grader: grader})
	if err != nil {
		work.err = err
		return
	}
	work.result = res
	work.times, work.err = readCourse(s.ending, s.Store, r, grader, res)
}

// benchCache keeps the benches that were opened last: compiling one takes up to seconds.
type benchCache struct {
	mu    sync.Mutex
	names []string // the oldest first
	open  map[string]*opening
}

// opening is the work of opening a bench once.
type opening struct {
	done  chan struct{}
	since time.Time
	bench *Bench
	err   error
}

// How many benches are kept, and how long one that lies outside of the program, where it may be changed.
const (
	benchesKept = 4
	benchFresh  = 30 * time.Second
)

// errOpening says that a bench is not there yet.
var errOpening error = &webError{http.StatusServiceUnavailable, "The bench is being opened: what it says stands here when the page is loaded again."}

// openBench opens a bench by its name or path, or gives errOpening where that takes longer than a time. What a run was made
// with is found by the digest in any case.
func (s *Server) openBench(ctx context.Context, name string, within time.Duration) (*Bench, error) {
	s.benches.mu.Lock()
	o := s.benches.open[name]
	if o != nil && closed(o.done) && (o.err != nil || strings.ContainsAny(name, `/\.`)) && s.Now().Sub(o.since) > benchFresh {
		o = nil
	}
	if o == nil {
		if s.benches.open == nil {
			s.benches.open = map[string]*opening{}
		}
		o = &opening{done: make(chan struct{}), since: s.Now()}
		if s.benches.open[name] == nil {
			if s.benches.names = append(s.benches.names, name); len(s.benches.names) > benchesKept {
				delete(s.benches.open, s.benches.names[0])
				s.benches.names = s.benches.names[1:]
			}
		}
		s.benches.open[name] = o
		s.opening.Add(1)
		go func() {
			defer s.opening.Done()
			defer close(o.done)
			o.bench, o.err = s.Open(s.ending, name)
		}()
	}
	s.benches.mu.Unlock()
	t := time.NewTimer(within)
	defer t.Stop()
	select {
	case <-o.done:
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-t.C:
		return nil, errOpening
	}
	if o.err != nil {
		return nil, &webError{http.StatusNotFound, "The bench cannot be opened: " + report.Printable(o.err.Error()) + "."}
	}
	return o.bench, nil
}

// How long a page waits for a bench: one that is about it, and one that has other things to show.
const (
	benchLong  = 30 * time.Second
	benchShort = 300 * time.Millisecond
)

// benchOf opens the bench that a run was made with. why says in words why there is none, or why it is not the same.
func (s *Server) benchOf(ctx context.Context, r *store.Run, within time.Duration) (b *Bench, why string) {
	if r.Plan.Source == "" {
		return nil, "The bench was withheld."
	}
	b, err := s.openBench(ctx, r.Plan.Source, within)
	if err != nil {
		return nil, err.Error()
	}
	if b.Digest != r.Plan.Digest {
		return nil, "The bench has changed since the run was made: its digest then was " + r.Plan.Digest[:min(12, len(r.Plan.Digest))] + "."
	}
	return b, ""
}
