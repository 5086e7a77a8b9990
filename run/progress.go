package run

import (
	"maps"
	"sync"
	"time"

	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/store"
)

// Snapshot is how far a run is. Counts are of recorded attempts, those of earlier sessions included.
type Snapshot struct {
	Run      string
	Planned  int
	Done     int                    // attempts with their outcome
	Outcomes map[record.Outcome]int // of each attempt's last try
	// Letters are kept by basis: exact and proxy results are never added together. Answered attempts that wait for their
	// verdict are not among them.
	Letters  map[record.Basis]map[record.Letter]int
	InFlight int // calls at this moment
	Retries  int // of this session
	// Limits are the calls at once that busy servers take, where these are fewer than the session makes.
	Limits []Limit

	OutputTokens    int64   // of this session
	TokensPerSecond float64 // over the last half minute
	Elapsed         time.Duration
	ETA             time.Duration // at the pace of the last half minute; 0 while it is unknown
	Last            bool          // nothing comes after this one
}

// Pace of the snapshots, and the window that rates are taken over.
const (
	observeEvery = 100 * time.Millisecond
	sampleEvery  = time.Second
	samplesKept  = 30
)

// sample is where the session stood at a moment.
type sample struct {
	at     time.Time
	done   int
	tokens int64
}

// progress counts for people's eyes only; whatever is reported in the end is computed from rows.
type progress struct {
	mu      sync.Mutex
	now     func() time.Time
	s       Snapshot
	start   time.Time
	samples []sample
	gate    *Gate
	names   func(int) string // of the models
}

func newProgress(r *store.Run, begin store.Tally, now func() time.Time) *progress {
	p := &progress{now: now, start: now(), names: func(m int) string { return r.Plan.Models[m].Name }, s: Snapshot{Run: r.ID, Planned: begin.Planned(), Done: begin.Done(),
		Outcomes: map[record.Outcome]int{}, Letters: map[record.Basis]map[record.Letter]int{record.Exact: {}, record.Proxy: {}}}}
	for _, l := range begin {
		if l.Outcome == "" {
			continue
		}
		p.s.Outcomes[l.Outcome] += l.Attempts
		if l.Letter != record.LetterUngradable && l.Outcome != record.Error {
			p.s.Letters[l.Basis][l.Letter] += l.Attempts
		}
	}
	p.samples = append(p.samples, sample{at: p.start, done: p.s.Done})
	return p
}

// calling counts calls in flight and retries.
func (p *progress) calling(calls, retries int) {
	p.mu.Lock()
	p.s.InFlight += calls
	p.s.Retries += retries
	p.mu.Unlock()
}

// recorded counts a try that was committed.
func (p *progress) recorded(t *Tried) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if t.Try > 1 {
		p.s.Outcomes[record.Error]-- // the try before was an error, of this session or an earlier one; this one takes its place
	}
	p.s.Outcomes[t.Transcript.Outcome]++
	if t.Final {
		p.s.Done++
		if x := record.LetterOf(t.Transcript.Outcome); x != "" {
			p.s.Letters[t.Task.Basis][x]++
		}
	}
	if n := t.Transcript.Usage.Output; n != nil {
		p.s.OutputTokens += *n
	}
}

// graded counts a verdict that was committed; only answered attempts take their letter from it.
func (p *progress) graded(b record.Basis, x record.Letter) {
	p.mu.Lock()
	p.s.Letters[b][x]++
	p.mu.Unlock()
}

// snapshot gives a copy with the rates of now.
func (p *progress) snapshot() Snapshot {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	s := p.s
	s.Outcomes = maps.Clone(p.s.Outcomes)
	s.Letters = map[record.Basis]map[record.Letter]int{}
	for b, letters := range p.s.Letters {
		s.Letters[b] = maps.Clone(letters)
	}
	s.Limits = p.gate.limits(p.names)
	s.Elapsed = now.Sub(p.start)
	old := p.samples[0]
	if d := now.Sub(old.at).Seconds(); d > 0 {
		s.TokensPerSecond = float64(s.OutputTokens-old.tokens) / d
		if n := s.Done - old.done; n > 0 && s.Planned > s.Done {
			s.ETA = time.Duration(d / float64(n) * float64(s.Planned-s.Done) * float64(time.Second))
		}
	}
	if now.Sub(p.samples[len(p.samples)-1].at) >= sampleEvery {
		p.samples = append(p.samples, sample{now, s.Done, s.OutputTokens})
		if len(p.samples) > samplesKept {
			p.samples = append(p.samples[:0], p.samples[1:]...)
		}
	}
	return s
}

// watch calls observe until stop is closed, and then once more.
func (p *progress) watch(observe func(Snapshot), stop <-chan struct{}) {
	t := time.NewTicker(observeEvery)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			observe(p.snapshot())
		case <-stop:
			s := p.snapshot()
			s.Last = true
			observe(s)
			return
		}
	}
}
