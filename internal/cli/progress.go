package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/run"
)

// lineEvery is how often progress is told where no bar can be drawn.
const lineEvery = 5 * time.Second

// announce says what is about to happen.
func (p *Process) announce(s *run.Session, lack string) {
	r := s.Run
	switch s.Status {
	case run.Finished:
		p.notef("run %s is finished; these are its results (--new starts another)", r.ID)
		return
	case run.Resumed:
		p.notef("resuming run %s: %d of %d attempts are there", r.ID, s.Begin.Done(), s.Begin.Planned())
	default:
		settings := 0
		for _, m := range r.Plan.Models {
			settings += len(m.Postures)
		}
		p.notef("run %s: %d items x %d repeats x %d models and postures = %d attempts, %d at once; at most %d output tokens and %s", r.ID, r.Plan.Items, r.Plan.Repeats,
			settings, r.Plan.Attempts, r.Plan.Concurrency, r.Plan.MaxOutputTokens, time.Duration(r.Plan.MaxTime).Round(time.Minute))
	}
	if r.Plan.Proof != "proven" {
		p.notef("warning: the graders are not proven; the results will say so")
	}
	if slices.Contains(r.Plan.Flags, "unsafe-no-sandbox") {
		p.notef("warning: answers are run without a sandbox; they can do whatever you can")
	}
	if lack != "" {
		p.notef("warning: some items will not be graded: %s", lack)
	}
}

// progress gives an observer that draws a bar on a terminal, or tells a line every few seconds elsewhere.
func (p *Process) progress() (observe func(run.Snapshot), finish func()) {
	if !p.Terminal {
		last := p.Now()
		return func(s run.Snapshot) {
			if now := p.Now(); now.Sub(last) >= lineEvery {
				last = now
				p.notef("%d/%d %s", s.Done, s.Planned, strings.Join(counts(s), ", "))
			}
		}, func() {}
	}
	bars := mpb.New(mpb.WithOutput(p.Stderr), mpb.WithWidth(28))
	var now atomic.Pointer[run.Snapshot] // drawn by another goroutine
	now.Store(&run.Snapshot{})
	bar := bars.New(0, mpb.BarStyle().Lbound("[").Filler("=").Tip(">").Padding(" ").Rbound("]"),
		mpb.PrependDecorators(decor.Any(func(decor.Statistics) string { return fmt.Sprintf("%d/%d ", now.Load().Done, now.Load().Planned) })),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return " " + strings.Join(counts(*now.Load()), ", ") })))
	return func(s run.Snapshot) {
			now.Store(&s)
			bar.SetTotal(int64(s.Planned), false)
			bar.SetCurrent(int64(s.Done))
		}, func() {
			bar.Abort(true)
			bars.Wait()
		}
}

// counts words a snapshot: the outcomes, the speed, what is under way and how long it will take.
func counts(s run.Snapshot) []string {
	var out []string
	for _, o := range slices.Sorted(maps.Keys(s.Outcomes)) {
		if n := s.Outcomes[o]; n > 0 {
			out = append(out, fmt.Sprintf("%d %s", n, o))
		}
	}
	for _, b := range []record.Basis{record.Exact, record.Proxy} {
		if n := s.Letters[b][record.LetterPass]; n > 0 {
			out = append(out, fmt.Sprintf("%d %s passed", n, b))
		}
	}
	if s.TokensPerSecond >= 0.5 {
		out = append(out, fmt.Sprintf("%.0f tokens/s", s.TokensPerSecond))
	}
	out = append(out, fmt.Sprintf("%d at once", s.InFlight))
	if s.Retries > 0 {
		out = append(out, fmt.Sprintf("%d retries", s.Retries))
	}
	if s.ETA > 0 {
		out = append(out, "ETA "+s.ETA.Round(time.Second).String())
	}
	return out
}
