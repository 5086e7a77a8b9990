package run

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/store"
)

// Probe is a call before the run that shows whether a prompt like the bench's longest one reaches a model whole: the text of
// that prompt, quoted, with three words that nobody can guess at its head, in its middle and at its tail, which are asked
// for. The bench's own prompts are never changed for it. It is the body of a fact of the kind "probe".
type Probe struct {
	State      string            `json:"state"`                // one of the Probe… constants
	Why        string            `json:"why"`                  // one line
	Longest    int               `json:"longest"`              // bytes of the longest planned prompt, which is the one of the largest weight
	Item       string            `json:"item"`                 // that has it
	Bytes      int               `json:"bytes"`                // of the probe's own prompt
	Weight     int64             `json:"weight"`               // of the probe's own prompt: model.Weigh
	Words      []string          `json:"words"`                // at its head, in its middle and at its tail; two in probes of an older form
	Identity   record.Identity   `json:"identity"`             // of the model at that time
	Transcript record.Transcript `json:"transcript,omitempty"` //
}

// States of a probe.
const (
	ProbeShown       = "shown"       // all words came back in order, and no count speaks against it
	ProbeNotShown    = "not shown"   // they did not, which a weak model may fail at, or a count speaks against it: nothing is claimed
	ProbeUndelivered = "undelivered" // the prompt was refused as too long, or counted as shorter than it can be
	ProbeFailed      = "failed"      // the call failed
	ProbeUnneeded    = "unneeded"    // no planned prompt is long
	ProbeSkipped     = "skipped"     // by request
)

// longPrompt is the size in bytes from which a prompt is worth a probe.
const longPrompt = 4000

// probe makes the probes that are due, records them, and remembers what they showed.
func (s *Session) probe(ctx context.Context) error {
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
	due := slices.DeleteFunc(todo, func(d duty) bool {
		was := before.shown[d]
		same := was != nil && len(identityDifferences(s.spec.Models[d.model].Model.Name(), was.Identity, s.start[d.model].Identity)) == 0
		if same {
			s.reaches(d, was.Weight)
		}
		return same
	})
	if len(due) == 0 || before.unneeded {
		return nil
	}
	long := s.planned(before.item)
	if long.item == "" {
		var most int
		if long, most = s.longest(ctx); ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if most < longPrompt {
			return s.probed(ctx, duty{store.NoIndex, store.NoIndex}, Probe{State: ProbeUnneeded, Why: "no planned prompt is long", Longest: max(long.bytes, 1), Item: long.item})
		}
	}
	for _, d := range due {
		if err := s.probeDuty(ctx, d, long); err != nil {
			return err
		}
	}
	return nil
}

// probeDuty makes one probe, records it and tells of it. An error ends the session.
func (s *Session) probeDuty(ctx context.Context, d duty, long longText) error {
	e, name, posture := s.engine, s.spec.Models[d.model].Model.Name(), s.Run.Plan.Postures[d.posture]
	e.note("model %s, posture %s: asking whether a prompt of %d bytes reaches it whole", name, posture, long.bytes)
	p, f := s.probeModel(ctx, d, long.text)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	p.Longest, p.Item = long.bytes, long.item
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
		e.note("warning: model %s, posture %s: a prompt of %d bytes, as %s has one, did not go through: %s", name, posture, p.Bytes, long.item, p.Why)
	case p.State == ProbeShown:
		s.reaches(d, p.Weight)
	}
	return nil
}

// probes reports whether a model is a server whose prompts can get lost.
func (s *Session) probes(i int) bool { return isServer(s.spec.Models[i].Model) }

// isServer tells a model server from controls, replays and programs.
func isServer(m model.Model) bool {
	if c, ok := m.(model.Control); ok && c.Control() {
		return false
	}
	provider, _, _ := strings.Cut(m.Name(), "/")
	_, identifies := m.(model.Identifier)
	return identifies && provider != "command" && provider != "replay" && provider != "control"
}

// earlier is what earlier sessions of a run found out.
type earlier struct {
	unneeded bool            // no planned prompt is long
	item     string          // that has the longest prompt; "": not known
	shown    map[duty]*Probe // by model and posture
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
		if p.State == ProbeUnneeded {
			out.unneeded = true
		}
		if len(p.Words) != 3 || p.Weight <= 0 {
			continue // of an older form, which chose by bytes and saw no cut in the middle; or nothing was asked
		}
		out.item = p.Item
		if p.State == ProbeShown {
			out.shown[duty{facts[i].Model, facts[i].Posture}] = p
		}
	}
	return out, nil
}

// longText is the text of a planned prompt.
type longText struct {
	item   string // "": there is none
	text   string // of all its messages, with blank lines between
	bytes  int    // of the prompt
	weight int64  // of the prompt
}

// longest finds the planned prompt of the largest weight, and the most bytes that any has, holding two prompts at a time. An
// item whose prompt cannot be made says so when its attempt is made.
func (s *Session) longest(ctx context.Context) (long longText, most int) {
	// The files alone may tell that no prompt is long, which spares reading all of them.
	if within := s.spec.Set.Bench().TextWithin(); within > 0 && within < longPrompt {
		return longText{bytes: int(within)}, int(within)
	}
	plan := &s.Run.Plan
	only := map[string]bool{}
	for _, id := range plan.Only {
		only[id] = true
	}
	chosen := 0
	for h := range s.spec.Set.Heads() {
		if ctx.Err() != nil {
			return longText{}, 0
		}
		if !h.Frozen || len(only) > 0 && !only[h.ID] {
			continue
		}
		mine := inShard(plan.Shard, chosen)
		chosen++
		if !mine {
			continue
		}
		p := s.planned(h.ID)
		most = max(most, p.bytes)
		if p.weight > long.weight || p.weight == long.weight && p.bytes > long.bytes {
			long = p
		}
	}
	return long, most
}

// planned is the text of an item's prompt; nothing where it cannot be made, or for no item.
func (s *Session) planned(item string) (p longText) {
	if item == "" {
		return p
	}
	defer func() {
		if recover() != nil {
			p = longText{}
		}
	}()
	messages, err := s.spec.Set.Prompt(item)
	if err != nil {
		return p
	}
	texts := make([]string, len(messages))
	for i := range messages {
		texts[i] = messages[i].Text
		p.bytes += len(messages[i].Text)
	}
	p.item, p.text, p.weight = strings.Clone(item), strings.Join(texts, "\n\n"), model.Weigh(messages)
	return p
}

// probeModel makes one probe, and again after faults that may pass.
func (s *Session) probeModel(ctx context.Context, d duty, text string) (Probe, *model.Fault) {
	e, m := s.engine, s.spec.Models[d.model].Model
	proto := &s.spec.Set.Bench().Protocol
	q, _ := proto.Posture(s.Run.Plan.Postures[d.posture])
	p := Probe{Words: probeWords(e.Rand, text), Identity: s.start[d.model].Identity}
	messages := []model.Message{{Role: "user", Text: probeText(p.Words, text)}}
	p.Bytes, p.Weight = len(messages[0].Text), model.Weigh(messages)
	if q.Thinking == string(model.ThinkingOff) {
		q.MaxOutput = min(q.MaxOutput, probeOutput)
	}
	req := requestFor(proto, q, messages)
	var calls []record.Exchange
	err := e.persist(ctx, func() error {
		rep, fault := callWithin(ctx, m, req, q.Timeout, unasked)
		if fault != nil {
			calls = append(calls, fault.Exchange)
			p.Transcript = model.Transcribe(req, rep, fault)
			return fault
		}
		p.Transcript = model.Transcribe(req, rep, nil)
		return nil
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

// unasked is the fault of a panic in a call that no item asked for.
func unasked(p any) *model.Fault {
	return &model.Fault{Kind: model.FaultOurs, Msg: "panic in its provider: " + model.OneLine(fmt.Sprint(p), 0)}
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

// reaches notes that prompts of so much weight reach a model at a posture.
func (s *Session) reaches(d duty, weight int64) {
	if s.shown == nil {
		s.shown = map[int]map[string]int64{}
	}
	if s.shown[d.model] == nil {
		s.shown[d.model] = map[string]int64{}
	}
	s.shown[d.model][s.Run.Plan.Postures[d.posture]] = weight
}
