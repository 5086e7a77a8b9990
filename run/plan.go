package run

import (
	"iter"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/store"
)

// Plan is what a run will do: a pure function of the bench, the models, the postures, the repeats, the items and the
// shard. The embedded part is what the store keeps, with the ceilings of tokens and time.
type Plan struct {
	store.Plan
	items    items
	protocol *bench.Protocol
}

// NewPlan plans a request. Errors are *UsageError.
func NewPlan(s Spec) (*Plan, error) {
	p, err := outline(s)
	if err != nil {
		return nil, err
	}
	return p, p.fill(s)
}

// outline is the part of a plan that needs no look at the items.
func outline(s Spec) (*Plan, error) {
	b := s.Set.Bench()
	proto := &b.Protocol
	raw, err := record.Canonical(proto)
	if err != nil {
		return nil, usagef("%s: its protocol is not JSON: %v", b.Name(), err)
	}
	p := &Plan{protocol: proto, Plan: store.Plan{
		Bench: b.ID, Version: b.Version, Source: s.Source, Digest: s.Digest, Grader: s.Set.Digest(),
		Protocol: raw, ProtocolDigest: proto.Digest(), PosturesChosen: s.Postures,
		Repeats: proto.Repeats, RepeatsChosen: s.Repeats, Shard: s.Shard, Concurrency: s.Concurrency,
		Assay: s.Assay, Proof: s.Proof, Sandbox: s.Sandbox, Python: s.Python, Flags: sorted(s.Flags), Only: sorted(s.Only),
		Face: b.Face(), Shape: b.Shape,
	}}
	if x, ok := s.Set.(Shaped); ok {
		p.Method = x.Method()
	}
	for _, f := range b.Families {
		p.Families = append(p.Families, store.PlanFamily{ID: f.ID, Title: f.Title})
	}
	if s.Repeats != 0 {
		p.Repeats = s.Repeats
	}
	switch {
	case len(s.Models) == 0:
		return nil, usagef("no model is named; name one with --model provider/model")
	case p.Repeats < 1 || p.Repeats > maxRepeats:
		return nil, usagef("--repeats %d: it must be 1 to %d", s.Repeats, maxRepeats)
	case s.Concurrency < 0 || s.Concurrency > maxConcurrency:
		return nil, usagef("--concurrency %d: it must be 1 to %d", s.Concurrency, maxConcurrency)
	case s.Shard != store.Shard{} && (s.Shard.I < 1 || s.Shard.I > s.Shard.Of):
		return nil, usagef("shard %d of %d: the first number must be 1 to the second", s.Shard.I, s.Shard.Of)
	}
	if p.Concurrency == 0 {
		p.Concurrency = defaultConcurrency
		for _, e := range s.Models {
			if l, ok := e.Model.(model.Local); ok && l.Local() {
				p.Concurrency = 1 // concurrent calls would disturb each other's times
			}
			if l, ok := e.Model.(model.Slots); ok && l.Slots() > 0 {
				p.Concurrency = min(p.Concurrency, l.Slots())
			}
		}
	}
	if err := p.choosePostures(s); err != nil {
		return nil, err
	}
	return p, p.addModels(s)
}

// choosePostures lists the postures in use: the named ones, or in the protocol's order those that some model takes.
func (p *Plan) choosePostures(s Spec) error {
	var known []string
	for _, q := range p.protocol.Postures {
		known = append(known, q.Name)
		if len(s.Postures) > 0 {
			continue
		}
		takes := func(e Entrant) bool { return slices.Contains(q.Models, e.BenchName) }
		if q.Name == p.protocol.DefaultPosture || slices.ContainsFunc(s.Models, takes) {
			p.Postures = append(p.Postures, q.Name)
		}
	}
	for _, name := range s.Postures {
		if !slices.Contains(known, name) {
			return usagef("%s has no posture %q%s", s.Set.Bench().Name(), name, bench.Nearest(name, known))
		}
		if slices.Contains(p.Postures, name) {
			return usagef("the posture %q is named twice", name)
		}
		p.Postures = append(p.Postures, name)
	}
	return nil
}

// addModels gives each model its postures: the named ones for all; else the default, and then those that the bench
// names the model for.
func (p *Plan) addModels(s Spec) error {
	for _, e := range s.Models {
		m := store.PlanModel{Name: e.Model.Name(), Postures: []int{}}
		if slices.ContainsFunc(p.Models, func(o store.PlanModel) bool { return o.Name == m.Name }) {
			return usagef("the model %s is named twice", m.Name)
		}
		if c, ok := e.Model.(model.Control); ok {
			m.Control = c.Control()
		}
		for i, name := range p.Postures {
			q, _ := p.protocol.Posture(name)
			switch {
			case len(s.Postures) > 0, name != p.protocol.DefaultPosture && slices.Contains(q.Models, e.BenchName):
				m.Postures = append(m.Postures, i)
			case name == p.protocol.DefaultPosture:
				m.Postures = slices.Insert(m.Postures, 0, i)
			}
		}
		p.Models = append(p.Models, m)
	}
	return nil
}

// fill goes through the bench's items once and sets what depends on them.
func (p *Plan) fill(s Spec) error {
	name := s.Set.Bench().Name()
	missing := map[string]bool{}
	for _, id := range p.Only {
		missing[id] = true
	}
	chosen := 0
	for h := range s.Set.Heads() {
		if len(p.Only) > 0 && !missing[h.ID] {
			continue
		}
		delete(missing, h.ID)
		if !h.Frozen {
			if len(p.Only) > 0 {
				return usagef("%s: the item %q is a draft (frozen: false), which is never run; assay grade takes it", name, h.ID)
			}
			continue
		}
		if inShard(p.Shard, chosen) {
			p.items.add(h)
			if x, ok := s.Set.(Shaped); ok && x.Plain(h.ID) {
				p.Plain = append(p.Plain, h.ID)
			}
		}
		chosen++
	}
	for _, id := range p.Only { // in order, so that the first one is always the same
		if missing[id] {
			return usagef("%s has no item %q%s", name, id, bench.Nearest(id, s.Set.Bench().IDs()))
		}
	}
	p.Items = p.items.len()
	if p.Items == 0 {
		return usagef("%s: nothing to run: no frozen item is left by the items and the shard chosen", name)
	}
	p.count()
	return nil
}

// inShard reports whether the n-th item chosen, from 0, belongs to a shard. An item's repeats stay in one shard.
func inShard(s store.Shard, n int) bool { return s.Of == 0 || n%s.Of == s.I-1 }

// count sets the number of attempts and the ceilings: all output tokens that may be asked for, and the time when every
// attempt takes its whole limit. Retries after faults are left out, and controls, which generate nothing.
func (p *Plan) count() {
	var total time.Duration
	for _, m := range p.Models {
		n := p.Items * p.Repeats
		for _, i := range m.Postures {
			q, _ := p.protocol.Posture(p.Postures[i])
			p.Attempts += n
			if m.Control {
				continue
			}
			p.MaxOutputTokens += int64(n) * int64(q.MaxOutput)
			total += time.Duration(n) * q.Timeout
		}
	}
	p.MaxTime = int64(total) / int64(p.Concurrency)
}

// List goes through the attempts in their fixed order: model by model, posture by posture, then repeat by repeat over all
// items, so that the repeats of one item lie apart in time.
func (p *Plan) List() iter.Seq[store.Attempt] {
	return func(yield func(store.Attempt) bool) {
		for mi, m := range p.Models {
			for _, pi := range m.Postures {
				for repeat := 1; repeat <= p.Repeats; repeat++ {
					for i := range p.items.len() {
						id, family, basis := p.items.at(i)
						if !yield(store.Attempt{Model: mi, Posture: pi, Repeat: repeat, Item: id, Family: family, Basis: basis}) {
							return
						}
					}
				}
			}
		}
	}
}

// ahead has the bench prepare the items of the first calls while the models are asked what they are and the plan is
// recorded, when the processors have little else to do. The returned function ends it, once there is an item for each of the
// calls that are made at once. What is wrong with an item is told when its attempt is made.
func (p *Plan) ahead(set Set) (end func()) {
	var wg sync.WaitGroup
	var ended atomic.Bool
	wg.Go(func() {
		defer func() { _ = recover() }()
		for i := range min(p.items.len(), maxReady) {
			if i >= p.Concurrency && ended.Load() {
				return
			}
			id, _, _ := p.items.at(i)
			_, _ = set.Prompt(id)
		}
	})
	return func() {
		ended.Store(true)
		wg.Wait()
	}
}

// tasks goes through the attempts of a new run, of which none was made yet.
func (p *Plan) tasks() iter.Seq[store.Task] {
	return func(yield func(store.Task) bool) {
		n := 0
		for a := range p.List() {
			key := record.Key{Model: p.Models[a.Model].Name, Posture: p.Postures[a.Posture], Item: a.Item, Repeat: a.Repeat}
			if !yield(store.Task{N: n, Model: a.Model, Key: key, Family: a.Family, Basis: a.Basis}) {
				return
			}
			n++
		}
	}
}

// tally is the tally of the run before its first attempt.
func (p *Plan) tally() store.Tally {
	counts := make([]int, len(p.items.families))
	for _, k := range p.items.kinds {
		counts[k]++
	}
	var t store.Tally
	for _, m := range p.Models {
		for _, pi := range m.Postures {
			for i, k := range p.items.families {
				t = append(t, store.Line{Model: m.Name, Posture: p.Postures[pi], Family: k.family, Basis: k.basis,
					Letter: record.LetterMissing, Attempts: counts[i] * p.Repeats})
			}
		}
	}
	return t
}

// items keeps what a plan needs of each item in a few bytes more than its id, so that 100,000 of them cost little.
type items struct {
	ids      strings.Builder
	ends     []int // of each id in ids
	kinds    []int32
	families []kind // interned
}

type kind struct {
	family string
	basis  record.Basis
}

func (x *items) len() int { return len(x.ends) }

func (x *items) add(h bench.Head) {
	k := kind{h.Family, h.Basis}
	i := slices.Index(x.families, k)
	if i < 0 {
		i = len(x.families)
		x.families = append(x.families, kind{strings.Clone(h.Family), h.Basis})
	}
	x.ids.WriteString(h.ID)
	x.ends = append(x.ends, x.ids.Len())
	x.kinds = append(x.kinds, int32(i))
}

func (x *items) at(i int) (id, family string, basis record.Basis) {
	start := 0
	if i > 0 {
		start = x.ends[i-1]
	}
	k := x.families[x.kinds[i]]
	return x.ids.String()[start:x.ends[i]], k.family, k.basis
}

// sorted gives the distinct texts in order.
func sorted(texts []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(texts)))
}
