package check

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"sync"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/sandbox"
)

// Set is a bench of prompt items, compiled. It keeps a few bytes for each item and compiles again when asked, so that its
// memory does not grow with the bench; the items compiled last are kept whole. It is safe for concurrent use.
type Set struct {
	bench    *bench.Bench
	digest   string
	flags    []flags // beside bench.IDs()
	families []string
	blocked  []bench.Blocked
	box      Box
	nobox    string
	read     func(id string) (*bench.Item, error)
	kinds    map[string]int // in use, with their versions
	restored bool           // from an index, which each item is held against when it is compiled

	mu    sync.Mutex
	cache map[string]*Item
	order []string // of the cache, oldest first
	bytes int      // of its prompts
}

// flags is what is kept of each item.
type flags struct {
	family   uint16
	proxy    bool
	frozen   bool
	executes bool
	python   bool
}

// Compiled items are kept up to these bounds: a number, and bytes of prompts.
const (
	cached      = 2048
	cachedBytes = 8 << 20
)

// Compile compiles every item of a bench and reports every fault, in the items' order.
func Compile(b *bench.Bench) (*Set, error) { return compile(b, false) }

// CompileToRun is Compile without a look at the controls, which only proving needs.
func CompileToRun(b *bench.Bench) (*Set, error) { return compile(b, true) }

func newSet(b *bench.Bench) *Set {
	s := &Set{bench: b, flags: make([]flags, len(b.IDs())), cache: map[string]*Item{}, nobox: "no sandbox was opened", read: b.Item, kinds: map[string]int{}}
	for _, f := range b.Families {
		s.families = append(s.families, f.ID)
	}
	return s
}

func compile(b *bench.Bench, brief bool) (*Set, error) {
	if b.Shape != bench.ShapePrompt {
		return nil, &bench.Error{Msg: fmt.Sprintf("%s has the shape %q, which is not that of prompt items", b.Source, b.Shape)}
	}
	ids := b.IDs()
	s := newSet(b)
	if brief {
		s.read = b.Brief
	}
	h := sha256.New()
	var errs []error
	for i, c := range s.compileAll(ids) {
		r := <-c
		if r.err != nil {
			errs = append(errs, r.err)
			continue
		}
		s.flags[i] = r.flags
		if r.blocked != "" {
			s.blocked = append(s.blocked, bench.Blocked{Item: ids[i], Why: r.blocked})
		}
		h.Write(r.canonical)
		for _, k := range r.kinds {
			s.kinds[k.name] = k.version
		}
		if r.item != nil {
			s.keep(r.item)
		}
	}
	s.digest = hex.EncodeToString(h.Sum(nil))
	s.read = b.Brief // the controls have been looked at, or nobody asked for them
	return s, errors.Join(errs...)
}

// compiled is what Compile keeps of one item.
type compiled struct {
	flags     flags
	canonical []byte
	blocked   string
	kinds     []*kind
	item      *Item
	err       error
}

// compileAll compiles in parallel, a bounded number of items ahead, and gives the results in order.
func (s *Set) compileAll(ids []string) iter.Seq2[int, <-chan compiled] {
	workers := runtime.GOMAXPROCS(0)
	return func(yield func(int, <-chan compiled) bool) {
		type job struct {
			i   int
			out chan compiled
		}
		jobs := make(chan job)
		order := make(chan (<-chan compiled), 4*workers)
		stop := make(chan struct{})
		var wg sync.WaitGroup
		for range workers {
			wg.Go(func() {
				for j := range jobs {
					j.out <- s.compileOne(ids[j.i], j.i < cached)
				}
			})
		}
		wg.Go(func() {
			defer close(order)
			defer close(jobs)
			for i := range ids {
				out := make(chan compiled, 1)
				select {
				case order <- out:
				case <-stop:
					return
				}
				jobs <- job{i, out}
			}
		})
		i := 0
		for out := range order {
			if !yield(i, out) {
				close(stop)
				for range order {
				}
				break
			}
			i++
		}
		wg.Wait()
	}
}

func (s *Set) compileOne(id string, keep bool) compiled {
	it, err := s.load(id)
	if err != nil {
		return compiled{err: err}
	}
	c := compiled{blocked: it.Blocked, flags: flags{proxy: it.Basis == record.Proxy, frozen: it.Frozen}}
	for i, f := range s.families {
		if f == it.Family {
			c.flags.family = uint16(i)
		}
	}
	for _, r := range it.rules {
		c.kinds = append(c.kinds, r.kind)
	}
	c.flags.executes, c.flags.python = it.runs()
	if it.Frozen {
		c.canonical, c.err = it.canonical()
	}
	if keep {
		c.item = it
	}
	return c
}

// canonical is the part of the grader's digest that an item makes: one line a rule, of item, name, version and parameters.
func (it *Item) canonical() ([]byte, error) {
	var out []byte
	for _, r := range it.rules {
		p, err := record.Canonical(r.rule.params())
		if err != nil {
			return nil, fmt.Errorf("item %s, rule %s: %w", it.ID, r.name, err)
		}
		out = fmt.Appendf(out, "%s\x00%s\x00%d\x00%s\n", it.ID, r.name, r.kind.version, p)
	}
	return out, nil
}

func (s *Set) load(id string) (*Item, error) {
	raw, err := s.read(id)
	if err != nil {
		return nil, err
	}
	it, err := compileItem(s.bench, raw)
	if err != nil {
		return nil, err
	}
	if i, ok := slices.BinarySearch(s.bench.IDs(), id); s.restored && (!ok || !s.fits(i, it)) {
		return nil, &bench.Error{File: it.File, Msg: "is not what the bench's proof says of it; remove the proof and run assay check"}
	}
	it.controls = nil // read again when asked for; what is kept stays small
	return it, nil
}

// fits reports whether a compiled item is what an index says of it.
func (s *Set) fits(i int, it *Item) bool {
	f := s.flags[i]
	executes, python := it.runs()
	return f.frozen == it.Frozen && f.proxy == (it.Basis == record.Proxy) && s.families[f.family] == it.Family && f.executes == executes && f.python == python && it.Blocked == ""
}

func (s *Set) keep(it *Item) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cache[it.ID] != nil {
		return
	}
	for len(s.order) > 0 && (len(s.order) >= cached || s.bytes+len(it.Prompt) > cachedBytes) {
		s.bytes -= len(s.cache[s.order[0]].Prompt)
		delete(s.cache, s.order[0])
		s.order = s.order[1:]
	}
	s.bytes += len(it.Prompt)
	s.cache[it.ID] = it
	s.order = append(s.order, it.ID)
}

// Item gives a compiled item.
func (s *Set) Item(id string) (*Item, error) {
	s.mu.Lock()
	it := s.cache[id]
	s.mu.Unlock()
	if it != nil {
		return it, nil
	}
	it, err := s.load(id)
	if err == nil {
		s.keep(it)
	}
	return it, err
}

// Bench gives the bench itself.
func (s *Set) Bench() *bench.Bench { return s.bench }

// Digest is the grader's digest.
func (s *Set) Digest() string { return s.digest }

// Blocked lists the frozen items that cannot run.
func (s *Set) Blocked() []bench.Blocked { return s.blocked }

// Heads goes through the items in the bench's order, drafts included.
func (s *Set) Heads() iter.Seq[bench.Head] {
	return func(yield func(bench.Head) bool) {
		for i, id := range s.bench.IDs() {
			f := s.flags[i]
			h := bench.Head{ID: id, Basis: record.Exact, Frozen: f.frozen, File: "items/" + id + ".yaml"}
			if f.proxy {
				h.Basis = record.Proxy
			}
			if int(f.family) < len(s.families) {
				h.Family = s.families[f.family]
			}
			if !yield(h) {
				return
			}
		}
	}
}

// Prompt gives what an item asks.
func (s *Set) Prompt(item string) ([]model.Message, error) {
	it, err := s.Item(item)
	if err != nil {
		return nil, err
	}
	return []model.Message{{Role: "user", Text: it.Prompt}}, nil
}

// Explain gives an item's rules in words.
func (s *Set) Explain(item string) ([]string, error) {
	it, err := s.Item(item)
	if err != nil {
		return nil, err
	}
	return it.explain(), nil
}

// Controls gives an item's own controls, references first.
func (s *Set) Controls(item string) ([]bench.Control, error) {
	raw, err := s.bench.Item(item)
	if err != nil {
		return nil, err
	}
	it, err := compileItem(s.bench, raw)
	if err != nil {
		return nil, err
	}
	return it.controls, nil
}

// Executes lists the frozen items whose rules run something, and whether any needs python3.
func (s *Set) Executes() (items []string, python bool) {
	for i, id := range s.bench.IDs() {
		if f := s.flags[i]; f.frozen && f.executes {
			items = append(items, id)
			python = python || f.python
		}
	}
	return items, python
}

// Runs reports whether an item, draft or frozen, executes something.
func (s *Set) Runs(item string) (bool, error) {
	it, err := s.Item(item)
	if err != nil {
		return false, err
	}
	executes, _ := it.runs()
	return executes, nil
}

// Use gives the sandbox to the rules that need one; reason says why there is none when box is nil.
func (s *Set) Use(box *sandbox.Box, reason string) {
	s.nobox = reason
	s.box = nil
	if box != nil {
		s.box = box
	}
}

// Grade judges a transcript. Only an answered attempt can pass; of one that was cut off or refused the findings are kept,
// and the verdict says by its letter and reason how the attempt ended.
func (s *Set) Grade(ctx context.Context, item string, t record.Transcript) (record.Verdict, error) {
	it, err := s.Item(item)
	if err != nil {
		return record.Verdict{}, err
	}
	v := it.judge(ctx, t.Answer, s.box, s.nobox)
	v.Bench, v.Grader = s.bench.Name(), s.digest
	if t.Outcome != record.Answered {
		v.Diagnostics["would_have_passed"] = v.Pass
		if v.State == record.Ungradable {
			v.Diagnostics["would_have_passed"] = nil // nobody knows
		}
		v.Pass, v.State, v.Letter, v.Reason = false, record.Graded, record.LetterOf(t.Outcome), t.Reason
	}
	return v, ctx.Err()
}
