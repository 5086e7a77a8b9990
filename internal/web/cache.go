package web

import (
	"context"
	"fmt"
	"os"
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

// benchCache keeps the benches that were opened last: compiling one takes up to a second.
type benchCache struct {
	mu    sync.Mutex
	names []string
	open  map[string]*Bench
}

// benchesKept is how many are kept.
const benchesKept = 4

// openBench opens a bench by its name or path. What a run was made with is found by the digest in any case.
func (s *Server) openBench(ctx context.Context, name string) (*Bench, error) {
	s.benches.mu.Lock()
	defer s.benches.mu.Unlock()
	if b := s.benches.open[name]; b != nil {
		return b, nil
	}
	b, err := s.Open(ctx, name)
	if err != nil {
		return nil, &webError{404, "The bench cannot be opened: " + report.Printable(err.Error()) + "."}
	}
	if s.benches.open == nil {
		s.benches.open = map[string]*Bench{}
	}
	if s.benches.names = append(s.benches.names, name); len(s.benches.names) > benchesKept {
		delete(s.benches.open, s.benches.names[0])
		s.benches.names = s.benches.names[1:]
	}
	s.benches.open[name] = b
	return b, nil
}

// benchOf opens the bench that a run was made with. why says in words why there is none, or why it is not the same.
func (s *Server) benchOf(ctx context.Context, r *store.Run) (b *Bench, why string) {
	b, err := s.openBench(ctx, r.Plan.Source)
	if err != nil {
		return nil, err.Error()
	}
	if b.Digest != r.Plan.Digest {
		return nil, "The bench has changed since the run was made: its digest then was " + r.Plan.Digest[:min(12, len(r.Plan.Digest))] + "."
	}
	return b, ""
}
