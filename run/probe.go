package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/store"
)

// Probe is a call before the run that shows whether a prompt as long as the bench's longest one reaches a model whole: two
// words that nobody can guess, one at its head and one at its tail, are asked for. The bench's own prompts are never
// changed for it. It is the body of a fact of the kind "probe".
type Probe struct {
	State      string            `json:"state"`                // one of the Probe… constants
	Why        string            `json:"why"`                  // one line
	Longest    int               `json:"longest"`              // bytes of the longest planned prompt
	Item       string            `json:"item"`                 // that has it
	Bytes      int               `json:"bytes"`                // of the probe's own prompt
	Words      []string          `json:"words"`                // at its head and its tail
	Identity   record.Identity   `json:"identity"`             // of the model at that time
	Transcript record.Transcript `json:"transcript,omitempty"` //
}

// States of a probe.
const (
	ProbeShown       = "shown"       // both words came back: both ends of such a prompt reach the model
	ProbeNotShown    = "not shown"   // they did not, which a weak model may fail at: nothing is claimed
	ProbeUndelivered = "undelivered" // the prompt was refused as too long, or counted as shorter than it is
	ProbeFailed      = "failed"      // the call failed
	ProbeUnneeded    = "unneeded"    // no planned prompt is long
	ProbeSkipped     = "skipped"     // by request
)

// longPrompt is the size in bytes from which a prompt is worth a probe.
const longPrompt = 4000

// probe makes the probes that are due, records them, and remembers what they showed.
func (s *Session) probe(ctx context.Context) error {
	e := s.engine
	todo := slices.DeleteFunc(slices.Clone(s.todo), func(d duty) bool { return !s.probes(d.model) })
	if len(todo) == 0 {
		return nil
	}
	before, err := s.probesBefore(ctx)
	if err != nil {
		return err
	}
	if s.spec.NoProbe {
		return s.probed(ctx, duty{store.NoIndex, store.NoIndex}, Probe{State: ProbeSkipped, Why: "left out by request"})
	}
	size, item := before.longest, before.item
	if size == 0 {
		if size, item = s.longest(ctx); ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	if size < longPrompt {
		if before.longest > 0 {
			return nil
		}
		return s.probed(ctx, duty{store.NoIndex, store.NoIndex}, Probe{State: ProbeUnneeded, Why: "no planned prompt is long", Longest: max(size, 1), Item: item})
	}
	for _, d := range todo {
		name, posture := s.spec.Models[d.model].Model.Name(), s.Run.Plan.Postures[d.posture]
		if was := before.shown[d]; was != nil && len(identityDifferences(name, was.Identity, s.start[d.model].Identity)) == 0 {
			s.reaches(d, was.Bytes)
			continue
		}
		e.note("model %s, posture %s: asking whether a prompt of %d bytes reaches it whole", name, posture, size)
		p, f := s.probeModel(ctx, d, size)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		p.Longest, p.Item = size, item
		if err := s.probed(ctx, d, p); err != nil {
			return err
		}
		if s.spec.Allow != nil {
			if err := s.spec.Allow(d.model, p.Transcript.Outcome, p.Transcript.Usage); err != nil {
				return &StopError{Model: name, Err: err}
			}
		}
		switch {
		case f != nil && f.Terminal():
			return &ModelError{Model: name, Err: fmt.Errorf("posture %s: %w", posture, f)}
		case p.State == ProbeUndelivered, p.State == ProbeFailed:
			e.note("warning: model %s, posture %s: a prompt of %d bytes, as %s has one, did not go through: %s", name, posture, p.Bytes, item, p.Why)
		case p.State == ProbeShown:
			s.reaches(d, p.Bytes)
		}
	}
	return nil
}

// probes reports whether a model is a server whose prompts can get lost.
func (s *Session) probes(i int) bool {
	m := s.spec.Models[i].Model
	if c, ok := m.(model.Control); ok && c.Control() || !s.identifies(i) {
		return false
	}
	provider, _, _ := strings.Cut(m.Name(), "/")
	return provider != "command" && provider != "replay" && provider != "control"
}

// earlier is what earlier sessions of a run found out.
type earlier struct {
	longest int
	item    string
	shown   map[duty]*Probe
}

func (s *Session) probesBefore(ctx context.Context) (earlier, error) {
	out := earlier{shown: map[duty]*Probe{}}
	facts, err := s.engine.Store.Facts(ctx, s.Run, store.FactProbe)
	if err != nil {
		return out, err
	}
	for i := range facts {
		p := new(Probe)
		if err := facts[i].Decode(p); err != nil {
			return out, err
		}
		p.Transcript = record.Transcript{}
		if p.Longest > 0 {
			out.longest, out.item = p.Longest, p.Item
		}
		if p.State == ProbeShown {
			out.shown[duty{facts[i].Model, facts[i].Posture}] = p
		}
	}
	return out, nil
}

// longest finds the longest planned prompt, holding one at a time. An item whose prompt cannot be made says so when its
// attempt is made.
func (s *Session) longest(ctx context.Context) (size int, item string) {
	// The files alone may tell that no prompt is long, which spares reading all of them.
	if most := s.spec.Set.Bench().TextWithin(); most > 0 && most < longPrompt {
		return int(most), ""
	}
	plan := &s.Run.Plan
	only := map[string]bool{}
	for _, id := range plan.Only {
		only[id] = true
	}
	chosen := 0
	for h := range s.spec.Set.Heads() {
		if ctx.Err() != nil {
			return 0, ""
		}
		if !h.Frozen || len(only) > 0 && !only[h.ID] {
			continue
		}
		mine := inShard(plan.Shard, chosen)
		chosen++
		if !mine {
			continue
		}
		if n := promptBytes(s.spec.Set, h); n > size {
			size, item = n, strings.Clone(h.ID)
		}
	}
	return size, item
}

func promptBytes(set Set, h bench.Head) (n int) {
	defer func() { _ = recover() }()
	messages, err := set.Prompt(h.ID)
	if err != nil {
		return 0
	}
	for i := range messages {
		n += len(messages[i].Text)
	}
	return n
}

// probeModel makes one probe, and again after faults that may pass.
func (s *Session) probeModel(ctx context.Context, d duty, size int) (Probe, *model.Fault) {
	e, m := s.engine, s.spec.Models[d.model].Model
	proto := &s.spec.Set.Bench().Protocol
	q, _ := proto.Posture(s.Run.Plan.Postures[d.posture])
	p := Probe{Words: []string{probeWord(e.Rand()), probeWord(e.Rand())}, Identity: s.start[d.model].Identity}
	for p.Words[1] == p.Words[0] {
		p.Words[1] = probeWord(e.Rand())
	}
	text := probePrompt(p.Words[0], p.Words[1], size)
	p.Bytes = len(text)
	if q.Thinking == string(model.ThinkingOff) {
		q.MaxOutput = min(q.MaxOutput, probeOutput)
	}
	req := requestFor(proto, q, []model.Message{{Role: "user", Text: text}})
	var calls []record.Exchange
	err := e.persist(ctx, func() error {
		rep, err := probeOnce(ctx, m, req, q)
		if err != nil {
			calls = append(calls, model.AsFault(err).Exchange)
		}
		p.Transcript = model.Transcribe(req, rep, err)
		return err
	})
	var f *model.Fault
	if err != nil {
		f = model.AsFault(err)
		calls = calls[:len(calls)-1] // it is in the transcript
	}
	p.Transcript.Calls = append(calls, p.Transcript.Calls...)
	p.State, p.Why = probeState(&p)
	return p, f
}

// probeOutput bounds the answer to a probe of a model that does not think first.
const probeOutput = 64

func probeOnce(ctx context.Context, m model.Model, req model.Request, q bench.Posture) (rep model.Reply, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, q.Timeout, model.ErrTimeLimit)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			err = &model.Fault{Kind: model.FaultOurs, Msg: "panic in its provider: " + model.OneLine(fmt.Sprint(p), 0)}
		}
	}()
	rep, err = m.Call(ctx, req)
	if f, ok := errors.AsType[*model.Fault](err); ok && f.Kind == model.FaultCancelled && model.TimedOut(ctx) && !errors.Is(f.Err, model.ErrTimeLimit) {
		f.Err = errors.Join(model.ErrTimeLimit, f.Err)
	}
	return rep, err
}

// probeState judges a probe. A server's count that is too low stands above words that came back: a prompt that is cut in
// its middle keeps both its ends.
func probeState(p *Probe) (state, why string) {
	t := &p.Transcript
	head, tail := strings.Contains(strings.ToLower(t.Answer+"\n"+t.Thinking), p.Words[0]), strings.Contains(strings.ToLower(t.Answer+"\n"+t.Thinking), p.Words[1])
	switch {
	case t.Outcome == record.Undelivered:
		return ProbeUndelivered, t.Reason
	case t.Outcome == record.Error:
		return ProbeFailed, t.Reason
	case head && tail:
		return ProbeShown, "the words at both its ends came back"
	case head:
		return ProbeNotShown, "the word at its tail did not come back"
	case tail:
		return ProbeNotShown, "the word at its head did not come back"
	}
	return ProbeNotShown, "neither word came back (" + string(t.Outcome) + ")"
}

// probed records a probe.
func (s *Session) probed(ctx context.Context, d duty, p Probe) error {
	now := s.engine.Now()
	f, err := store.NewFact(store.FactProbe, d.model, d.posture, now, p)
	if store.KindOf(err) == store.TooLarge {
		p.Transcript.Calls = bodiless(p.Transcript.Calls)
		p.Transcript.Answer, p.Transcript.Thinking = cut(p.Transcript.Answer), cut(p.Transcript.Thinking)
		f, err = store.NewFact(store.FactProbe, d.model, d.posture, now, p)
	}
	if err != nil {
		return err
	}
	return s.engine.Store.AddFacts(ctx, s.Run, f)
}

func cut(s string) string { return s[:min(len(s), 1<<16)] }

// reaches notes that prompts of so many bytes reach a model at a posture.
func (s *Session) reaches(d duty, bytes int) {
	if s.shown == nil {
		s.shown = map[int]map[string]int{}
	}
	if s.shown[d.model] == nil {
		s.shown[d.model] = map[string]int{}
	}
	s.shown[d.model][s.Run.Plan.Postures[d.posture]] = bytes
}
