package run

import (
	"context"

	"github.com/assaybench/assay/price"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/store"
)

// Forecast is what a request will do before anything is asked of anybody: what is left of the run that it would take up, or
// all of a new one; nothing where the run that it would take up was made under other circumstances, which Start refuses.
// Calls that are to be made beside the attempts (to make a model ready, to probe it) are not in it.
type Forecast struct {
	Run   *store.Run // the one that would be taken up; nil: a new one
	Lines []ForecastLine
}

// toldByTools is how many bytes of results a turn of an agent task is taken to bring; nothing bounds them but the world.
const toldByTools = 4000

// Replies is how many replies an attempt can take, and how many bytes the model is told between two of them.
func Replies(set Set) (most, told int) {
	switch s := set.(type) {
	case Worker: // each reply calls tools, whose results are told with the next one
		return s.Limits().Turns, toldByTools
	case Converser:
		return s.Replies()
	}
	return 1, 0
}

// ForecastLine is a model at a posture.
type ForecastLine struct {
	Model        int    // index into the request's models
	Posture      string //
	Attempts     int    // left to make
	PromptBytes  int64  // of all their prompts
	LongestBytes int64  // of the longest prompt
	MaxOutput    int    // tokens that one call may ask for
	Replies      int    // calls that one attempt can take where none of them fails; more than one where replies may be mended
	ToldBytes    int    // what is said between two of them, at the most
	// Used is what the calls used that were made already and cost something: every try of every attempt, and probes.
	Used []record.Usage
}

// Later is how many bytes and tokens the calls of an attempt after its first can send beyond the prompt, which each of them
// sends again: every reply before, of as many tokens as it may have, and what was said of it.
func (l *ForecastLine) Later() (bytes, tokens int64) {
	earlier := int64(l.Replies) * int64(l.Replies-1) / 2 // 1 reply before the second call, 2 before the third
	return earlier * int64(l.ToldBytes), earlier * int64(l.MaxOutput)
}

// Attempts is the number of all attempts left.
func (f *Forecast) Attempts() int {
	n := 0
	for _, l := range f.Lines {
		n += l.Attempts
	}
	return n
}

// Forecast looks ahead. It reads every planned prompt, so it is asked for only where money is at stake. Errors are those of
// Start.
func (e *Engine) Forecast(ctx context.Context, spec Spec) (*Forecast, error) {
	p, err := NewPlan(spec)
	if err != nil {
		return nil, err
	}
	var total, longest int64
	for i := range p.items.len() {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		id, _, _ := p.items.at(i)
		messages, err := spec.Set.Prompt(id)
		if err != nil {
			continue // its attempt says so
		}
		size := int64(0)
		for _, m := range messages {
			size += int64(len(m.Text))
		}
		total += size
		longest = max(longest, size)
	}
	replies, told := Replies(spec.Set)
	f := new(Forecast)
	for i, m := range p.Models {
		for _, pi := range m.Postures {
			q, _ := p.protocol.Posture(p.Postures[pi])
			f.Lines = append(f.Lines, ForecastLine{Model: i, Posture: q.Name, Attempts: p.Items * p.Repeats,
				PromptBytes: total * int64(p.Repeats), LongestBytes: longest, MaxOutput: q.MaxOutput,
				Replies: replies, ToldBytes: told})
		}
	}
	if spec.New {
		return f, nil
	}
	old, err := e.Store.FindByRequest(ctx, requestKey(&p.Plan))
	switch {
	case store.KindOf(err) == store.NotFound:
		return f, nil
	case err != nil:
		return nil, err
	}
	f.Run = old
	if len(planDifferences(&old.Plan, &p.Plan)) > 0 {
		f.Lines = nil
		return f, nil
	}
	return f, f.deduct(ctx, e.Store)
}

// deduct takes off what the run has already, and notes what that used.
func (f *Forecast) deduct(ctx context.Context, s store.Store) error {
	type place struct{ model, posture string }
	lines := map[place]*ForecastLine{}
	for i := range f.Lines {
		l := &f.Lines[i]
		lines[place{f.Run.Plan.Models[l.Model].Name, l.Posture}] = l
	}
	whole := map[*ForecastLine]int{}
	for row, err := range s.Rows(ctx, f.Run, f.Run.Plan.Grader) {
		if err != nil {
			return err
		}
		l := lines[place{row.Key.Model, row.Key.Posture}]
		if l == nil {
			continue
		}
		whole[l]++
		if row.Outcome != "" && row.Outcome != record.Error {
			l.Attempts--
		}
		if row.Try < 2 {
			l.use(row.Outcome, row.Usage)
			continue
		}
		// Calls that were made again were paid for as well.
		tries, err := s.Tries(ctx, f.Run, row.N)
		if err != nil {
			return err
		}
		for i := range tries {
			l.use(tries[i].Outcome, tries[i].Usage)
		}
	}
	for l, n := range whole {
		if n > 0 {
			l.PromptBytes = l.PromptBytes * int64(l.Attempts) / int64(n)
		}
	}
	return f.deductProbes(ctx, s)
}

// use notes what a call used, where it cost something.
func (l *ForecastLine) use(o record.Outcome, u record.Usage) {
	if o != "" && price.Charged(o, u) {
		l.Used = append(l.Used, u)
	}
}

// deductProbes notes what probes used, as Spec.Allow is told of them.
func (f *Forecast) deductProbes(ctx context.Context, s store.Store) error {
	facts, err := s.Facts(ctx, f.Run, store.FactProbe)
	if err != nil {
		return err
	}
	for i := range facts {
		var p Probe
		if err := facts[i].Decode(&p); err != nil {
			return err
		}
		if facts[i].Posture < 0 || facts[i].Posture >= len(f.Run.Plan.Postures) {
			continue // left out for all
		}
		for j := range f.Lines {
			if l := &f.Lines[j]; l.Model == facts[i].Model && l.Posture == f.Run.Plan.Postures[facts[i].Posture] {
				l.use(p.Transcript.Outcome, p.Transcript.Usage)
			}
		}
	}
	return nil
}
