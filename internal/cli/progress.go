package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/report"
	"github.com/assaybench/assay/run"
	"github.com/assaybench/assay/store"
)

// lineEvery is how often progress is told where no bar can be drawn.
const lineEvery = 5 * time.Second

// announce says what is about to happen.
func (p *Process) announce(s *run.Session, set run.Set, lack string) {
	r := s.Run
	switch s.Status {
	case run.Finished:
		p.notef("run %s is finished; these are its results (--new starts another)", r.ID)
		return
	case run.Resumed:
		p.notef("resuming run %s: %d of %s made", r.ID, s.Begin.Done(), counted(s.Begin.Planned(), "attempt"))
	default:
		settings := 0
		for _, m := range r.Plan.Models {
			settings += len(m.Postures)
		}
		replies, _ := run.Replies(set)
		most := ""
		if r.Plan.MaxOutputTokens > 0 { // controls generate nothing
			most = fmt.Sprintf("; at most %d output tokens and %s", r.Plan.MaxOutputTokens*int64(replies), (time.Duration(r.Plan.MaxTime) * time.Duration(replies)).Round(time.Minute))
		}
		p.notef("run %s: %s x %s x %s = %s, %d at once%s", r.ID, counted(r.Plan.Items, "item"), counted(r.Plan.Repeats, "repeat"),
			strings.Replace(counted(settings, "model and posture"), "model and postures", "models and postures", 1), counted(r.Plan.Attempts, "attempt"), r.Plan.Concurrency, most)
	}
	p.announceDetectable(r, s.Begin)
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

// announceDetectable says how far two results of the run must lie apart to be told apart. Controls are compared with nothing.
func (p *Process) announceDetectable(r *store.Run, t store.Tally) {
	planned, compared := 0, 0
	for _, m := range r.Plan.Models {
		planned += len(m.Postures)
		if !m.Control {
			compared += len(m.Postures)
		}
	}
	if compared == 0 || r.Plan.Repeats == 0 {
		return
	}
	var items [2]int
	for _, l := range t {
		if l.Basis == record.Proxy {
			items[1] += l.Attempts
		} else {
			items[0] += l.Attempts
		}
	}
	for i := range items {
		items[i] /= planned * r.Plan.Repeats
	}
	if list, err := report.Detect(items, r.Plan.Repeats, compared); err == nil { // what cannot be reckoned the results refuse
		if words := report.DetectWords(list); words != "" {
			p.notef("%s", words)
		}
	}
}

// progress tells how far a run is: on a terminal by a bar, which is there while attempts are made and lets notes pass above it,
// elsewhere by a line every few seconds.
type progress struct {
	p *Process

	mu    sync.Mutex
	bars  *mpb.Progress // nil: no bar is drawn
	bar   *mpb.Bar
	shown run.Snapshot // the last one
	moved time.Time    // when something was recorded last
	told  time.Time    // when a line was told last
}

func (p *Process) progress() *progress {
	return &progress{p: p, moved: p.Now(), told: p.Now()}
}

// observe takes a snapshot.
func (g *progress) observe(s run.Snapshot) {
	g.draw(s)
	if s.Last {
		g.finish()
	}
}

func (g *progress) draw(s run.Snapshot) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.p.Now()
	if s.Done != g.shown.Done || s.Retries != g.shown.Retries {
		g.moved = now
	}
	g.shown = s
	if !g.p.Terminal {
		if now.Sub(g.told) >= lineEvery {
			g.told = now
			g.p.notef("%d/%d %s", s.Done, s.Planned, strings.Join(counts(s, now.Sub(g.moved)), ", "))
		}
		return
	}
	if g.bars == nil {
		g.bars = mpb.New(mpb.WithOutput(g.p.Stderr), mpb.WithWidth(28))
		g.bar = g.bars.New(0, mpb.BarStyle().Lbound("[").Filler("=").Tip(">").Padding(" ").Rbound("]"),
			mpb.PrependDecorators(decor.Any(func(decor.Statistics) string {
				s, _ := g.now()
				return fmt.Sprintf("%d/%d ", s.Done, s.Planned)
			})),
			mpb.AppendDecorators(decor.Any(func(decor.Statistics) string {
				s, still := g.now()
				return " " + strings.Join(counts(s, still), ", ")
			})))
	}
	g.bar.SetTotal(int64(s.Planned), false)
	g.bar.SetCurrent(int64(s.Done))
}

// now is the last snapshot, and for how long nothing was recorded. The bar's own goroutine asks for it.
func (g *progress) now() (run.Snapshot, time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.shown, g.p.Now().Sub(g.moved)
}

// note writes a line, above the bar where one is drawn.
func (g *progress) note(line string) {
	g.mu.Lock()
	bars := g.bars
	g.mu.Unlock()
	if bars != nil {
		if _, err := fmt.Fprintln(bars, "assay: "+plain(line)); err == nil {
			return
		}
	}
	g.p.notef("%s", line)
}

// finish takes the bar away; another snapshot draws a new one.
func (g *progress) finish() {
	g.mu.Lock()
	bars, bar := g.bars, g.bar
	g.bars, g.bar = nil, nil
	g.mu.Unlock()
	if bars != nil {
		bar.Abort(true)
		bars.Wait()
	}
}

// stillFor is how long nothing must have been recorded before the progress says so.
const stillFor = 10 * time.Second

// counts words a snapshot: the outcomes, the speed, what is under way and how long it will take; still is for how long nothing
// was recorded.
func counts(s run.Snapshot, still time.Duration) []string {
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
	under := fmt.Sprintf("%d at once", s.InFlight)
	for _, l := range s.Limits {
		under += fmt.Sprintf(", %d at most while %s is busy", l.Limit, l.Model)
	}
	out = append(out, under)
	if still >= stillFor && s.InFlight > 0 {
		out = append(out, "no answer for "+still.Round(time.Second).String())
	}
	if s.Retries > 0 {
		out = append(out, fmt.Sprintf("%d retries", s.Retries))
	}
	if s.ETA > 0 {
		out = append(out, "ETA "+s.ETA.Round(time.Second).String())
	}
	return out
}
