package world

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/assaybench/assay/record"
)

// Session is one episode's copy of a world. It is safe for concurrent use; calls are answered one after another.
type Session struct {
	mu     sync.Mutex
	id     string
	world  *World
	task   *Task
	staged *Staged
	seed   *Seed
	d      *database
	tools  []*Tool // mounted, sorted by name
	events []Event
	keys   map[string]int // tool NUL idempotency key → index of the event

	highest map[string]int64 // of each series of ids, the largest number that the episode gave
	collect *collector
	failed  []int  // of each staged fault, how often it came
	agents  int    // events of the agent
	file    string // "" in memory
	broken  error
}

// Spec is what a session is of. ID is the caller's; sessions with the same id on the same seed have equal chains.
type Spec struct {
	ID     string
	Task   *Task
	Staged *Staged
}

// NewSession makes a session in memory, for replays and qualification.
func (w *World) NewSession(ctx context.Context, sp Spec) (*Session, error) {
	seed, err := w.Seed(ctx, sp.Task, sp.Staged)
	if err != nil {
		return nil, err
	}
	d, err := openDatabase(ctx, ":memory:", seed.data)
	if err != nil {
		return nil, err
	}
	return w.session(ctx, sp, seed, d)
}

func (w *World) session(ctx context.Context, sp Spec, seed *Seed, d *database) (*Session, error) {
	s := &Session{id: sp.ID, world: w, task: sp.Task, staged: sp.Staged, seed: seed, d: d, keys: map[string]int{}, highest: map[string]int64{}, collect: newCollector(w.Tables)}
	if sp.Staged != nil {
		s.failed = make([]int, len(sp.Staged.faults))
	}
	s.tools = w.toolsOf(sp.Task)
	if err := d.exec(ctx, "PRAGMA foreign_keys = 1"); err != nil {
		d.close()
		return nil, err
	}
	return s, nil
}

// toolsOf gives the tools of a task's sessions, the built-in ones among them, sorted by name.
func (w *World) toolsOf(t *Task) []*Tool {
	tools := append(w.Mounted(t), builtins(t)...)
	slices.SortFunc(tools, func(a, b *Tool) int { return strings.Compare(a.Name, b.Name) })
	return tools
}

// ID is the session's id.
func (s *Session) ID() string { return s.id }

// Task is the task's public part.
func (s *Session) Task() *Task { return s.task }

// World is the world that the session is of.
func (s *Session) World() *World { return s.world }

// Tools gives the mounted tools, the built-in ones among them, sorted by name.
func (s *Session) Tools() []*Tool { return s.tools }

// SeedDigest is the SHA-256 of the database that the session began as.
func (s *Session) SeedDigest() string { return s.seed.SHA256 }

// Genesis is the hash that the first event follows.
func (s *Session) Genesis() string { return Genesis(s.id, s.seed.SHA256) }

// Events gives a copy of the log.
func (s *Session) Events() []Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.events)
}

// clock is the logical time of the next call: the start, and one step for each call of the agent before it and for this.
func (s *Session) clock() time.Time {
	return s.task.start.Add(time.Duration(s.agents+1) * s.world.step)
}

func (s *Session) last() string {
	if len(s.events) == 0 {
		return s.Genesis()
	}
	return s.events[len(s.events)-1].Hash
}

// record seals an event that changed nothing, and keeps it.
func (s *Session) record(ctx context.Context, e *Event) error {
	if err := e.seal(s.last()); err != nil {
		return err
	}
	if err := s.store(ctx, e); err != nil {
		return err
	}
	s.append(e)
	return nil
}

// append takes a recorded event into the log, and remembers what later calls need of it.
func (s *Session) append(e *Event) {
	s.events = append(s.events, *e)
	s.remember(e, len(s.events)-1)
}

func (s *Session) remember(e *Event, i int) {
	if e.Actor == Agent {
		s.agents++
	}
	s.countIDs(e)
	if !e.OK() || e.Replayed {
		return
	}
	if t, no := s.resolve(Call{Tool: e.Tool}); no == nil && t.Idempotency != "" {
		if args, err := decodeArgs(e.Args); err == nil {
			if key, ok := args[t.Idempotency].(string); ok {
				s.keys[t.Name+"\x00"+key] = i
			}
		}
	}
}

// countIDs remembers the numbers of rows that a call made.
func (s *Session) countIDs(e *Event) {
	for _, c := range e.Effect {
		if c.Op != Insert {
			continue
		}
		for _, t := range s.tools {
			for i := range t.ids {
				id := &t.ids[i]
				text, ok := c.After[id.column].(string)
				if digits, has := strings.CutPrefix(text, id.prefix); id.table == c.Table && ok && has && allDigits(digits) {
					if n, err := strconv.ParseInt(digits, 10, 64); err == nil {
						s.highest[id.series()] = max(n, s.highest[id.series()])
					}
				}
			}
		}
	}
}

// State gives every table's rows as they are now.
func (s *Session) State(ctx context.Context) ([]TableRows, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.broken != nil {
		return nil, s.broken
	}
	return s.d.dump(ctx, s.world.Tables)
}

// Changes gives the difference between the baseline and the state as it is now, and checks that the events account for
// all of it. The error says that they do not, and is ours.
func (s *Session) Changes(ctx context.Context) ([]Change, error) {
	m, err := s.moment(ctx)
	if err != nil {
		return nil, err
	}
	return m.changes, nil
}

// moment is a session at one moment: its events, the state that they led to, and the difference to the baseline.
type moment struct {
	events  []Event
	state   []TableRows
	changes []Change
	same    bool // the state is the seed's
}

// moment takes all parts between the same two calls, since callers may still be at work. The error says that the events do
// not account for the state, and is ours.
func (s *Session) moment(ctx context.Context) (*moment, error) {
	m, err := s.both(ctx)
	if err != nil {
		return nil, err
	}
	if m.same {
		m.changes = []Change{}
		return m, nil // no event changed anything either
	}
	m.changes = s.world.Diff(s.seed.base, m.state)
	a, err := record.Canonical(m.changes)
	if err != nil {
		return nil, err
	}
	b, err := record.Canonical(Net(m.events))
	if err != nil {
		return nil, err
	}
	if string(a) != string(b) {
		return nil, errors.New("the world's state is not what its events made of it")
	}
	return m, nil
}

// both reads the state and the log under one lock.
func (s *Session) both(ctx context.Context) (*moment, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.broken != nil {
		return nil, s.broken
	}
	m := &moment{events: slices.Clone(s.events)}
	if same, err := s.untouched(); err != nil || same {
		m.state, m.same = s.seed.base, same
		return m, err
	}
	state, err := s.d.dump(ctx, s.world.Tables)
	m.state = state
	return m, err
}

// untouched says whether a session in memory is still the seed, byte for byte, so that its tables need not be read.
func (s *Session) untouched() (bool, error) {
	if s.file != "" || slices.ContainsFunc(s.events, func(e Event) bool { return len(e.Effect) > 0 }) {
		return false, nil
	}
	b, err := s.d.serialize()
	return err == nil && bytes.Equal(b, s.seed.data), err
}

// Close ends the session. A session in memory is gone, one in a file can be opened again.
func (s *Session) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.broken == errClosed {
		return nil
	}
	s.broken = errClosed
	return s.d.close()
}

var errClosed = errors.New("the session is closed")
