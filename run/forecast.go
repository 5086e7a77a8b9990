package run

import (
	"context"

	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/store"
)

// Forecast is what a request will do before anything is asked of anybody: what is left of the run that it would take up, or
// all of a new one. Calls that are made beside the attempts (to make a model ready, to probe it) are not in it.
type Forecast struct {
	Run   *store.Run // the one that would be taken up; nil: a new one
	Lines []ForecastLine
}

// ForecastLine is a model at a posture.
type ForecastLine struct {
	Model        int    // index into the request's models
	Posture      string //
	Attempts     int    // left to make
	PromptBytes  int64  // of all their prompts
	LongestBytes int64  // of the longest prompt
	MaxOutput    int    // tokens that one attempt may ask for
	Used         []record.Usage
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
	f := new(Forecast)
	for i, m := range p.Models {
		for _, pi := range m.Postures {
			q, _ := p.protocol.Posture(p.Postures[pi])
			f.Lines = append(f.Lines, ForecastLine{Model: i, Posture: q.Name, Attempts: p.Items * p.Repeats,
				PromptBytes: total * int64(p.Repeats), LongestBytes: longest, MaxOutput: q.MaxOutput})
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
	case len(planDifferences(&old.Plan, &p.Plan)) > 0:
		return f, nil // Start refuses it, and says why
	}
	f.Run = old
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
			l.Used = append(l.Used, row.Usage)
		}
	}
	for l, n := range whole {
		if n > 0 {
			l.PromptBytes = l.PromptBytes * int64(l.Attempts) / int64(n)
		}
	}
	return nil
}
