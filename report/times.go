package report

import (
	"errors"
	"fmt"

	"github.com/assaybench/assay/stats"
)

// Times are what the attempts' time went into, each part a median over the attempts whose server reported it. Attempts that
// ended in an error are in none.
type Times struct {
	Load       Measure `json:"load_s"`       // loading the model, which is in no latency
	Queue      Measure `json:"queue_s"`      // waiting for the server's attention
	Prompt     Measure `json:"prompt_s"`     // reading the prompt
	Generation Measure `json:"generation_s"` // writing the reply, thinking included
	// Reloads counts attempts that waited for their model to be loaded for ReloadLeast or longer, and Longest is the
	// longest of these waits in seconds.
	Reloads int      `json:"reloads"`
	Longest *float64 `json:"reload_longest_s"`
}

// Measure is a median and the number of attempts that it stands on; null where there are none.
type Measure struct {
	Median *float64 `json:"median"`
	Of     int      `json:"of"`
}

// ReloadLeast is the load time in nanoseconds from which an attempt counts as one that waited for its model. Servers report a
// few milliseconds for a model that is there.
const ReloadLeast = 1_000_000_000

// clocks keeps the times of attempts as they come, in seconds; seven digits are more than such a time is good for.
type clocks struct {
	load, queue, prompt, generation []float32
	rates                           []float32 // tokens per second of generation
	reloads                         int
	longest                         int64 // nanoseconds
}

func (c *clocks) add(r *Row, impossible *int) {
	if !r.Outcome.OfModel() {
		return
	}
	for _, t := range []struct {
		ns int64
		to *[]float32
	}{{r.LoadNS, &c.load}, {r.QueueNS, &c.queue}, {r.PromptNS, &c.prompt}, {r.GenerationNS, &c.generation}} {
		switch {
		case t.ns < 0 || t.ns > latencyMax:
			*impossible++
		case t.ns > 0:
			*t.to = append(*t.to, float32(float64(t.ns)/1e9))
		}
	}
	if r.LoadNS >= ReloadLeast && r.LoadNS <= latencyMax {
		c.reloads++
		c.longest = max(c.longest, r.LoadNS)
	}
	if n := r.OutputTokens; n != nil && *n > 0 && *n <= tokensMax && r.GenerationNS > 0 && r.GenerationNS <= latencyMax {
		c.rates = append(c.rates, float32(float64(*n)/(float64(r.GenerationNS)/1e9)))
	}
}

func (c *clocks) close() (t Times, rate Measure, err error) {
	var errs [5]error
	t.Load, errs[0] = medianOf(c.load)
	t.Queue, errs[1] = medianOf(c.queue)
	t.Prompt, errs[2] = medianOf(c.prompt)
	t.Generation, errs[3] = medianOf(c.generation)
	rate, errs[4] = medianOf(c.rates)
	if t.Reloads = c.reloads; c.reloads > 0 {
		t.Longest = new(round4(float64(c.longest) / 1e9))
	}
	return t, rate, errors.Join(errs[:]...)
}

func medianOf(values []float32) (Measure, error) {
	if len(values) == 0 {
		return Measure{}, nil
	}
	xs := make([]float64, len(values))
	for i, v := range values {
		xs[i] = float64(v)
	}
	m, err := stats.Median(xs)
	return Measure{new(round4(m)), len(xs)}, err
}

// reloadWords is "3 attempts waited for their model to be loaded (at most 41.2 s); that time is in no latency"; "" where
// none did.
func (t *Times) reloadWords() string {
	if t.Reloads == 0 {
		return ""
	}
	return fmt.Sprintf("%s waited for the model to be loaded (at most %.1f s); that time is in no latency", attemptWords(t.Reloads), *t.Longest)
}

func attemptWords(n int) string {
	if n == 1 {
		return "1 attempt"
	}
	return thousands(int64(n)) + " attempts"
}
