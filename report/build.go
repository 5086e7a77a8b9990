package report

import (
	"fmt"
	"iter"
	"math"

	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/stats"
)

// Build makes the results of a run from its rows, in any order. It reads them once and keeps some twenty bytes for each
// attempt, and four more for each time that its server reports. The error is that of rows, or names the run and what in its plan or in a row cannot be true.
func Build(run Run, rows iter.Seq2[Row, error]) (*Result, error) {
	b, err := newBuilder(&run)
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", Printable(run.ID), err)
	}
	for row, err := range rows {
		if err != nil {
			return nil, err
		}
		if err := b.add(&row); err != nil {
			k := row.Key
			return nil, fmt.Errorf("run %s: the attempt at %q by %q, posture %q, repeat %d: %w", Printable(run.ID), k.Item, k.Model, k.Posture, k.Repeat, err)
		}
	}
	return b.result()
}

// setting is a model at a posture with what was counted of it as the rows came.
type setting struct {
	model, posture           string
	control, unsealed        bool
	at                       int       // of the model in the run
	counts                   [2]Counts // by basis
	unreadPass, wrongPass    [2]int    // by basis: passing by the tolerant parse only
	prompt, output, thinking Tokens
	latency                  []int64 // nanoseconds
	pacedTokens, pacedMicros int64   // of attempts that report both tokens and time
	unsealedEpisodes         int     // attempts whose episode is not known to be sealed
	impossible               int     // counts and times left out
	cached                   Tokens
	clocks                   clocks
	deliveries               deliveries
	wishes                   wishes
	retries                  retries
	costs                    costs
}

type builder struct {
	run      *Run
	items    *catalog
	settings []setting
	byKey    map[[2]string]int
	codes    []code // what the bytes in attempts mean; 0 is an attempt without a row
	attempts []uint8
	answers  []uint64          // hashes, 0 for none; nil for a single repeat
	why      []uint32          // reason numbers; nil until there is one
	premises []*record.Premise // beside attempts, of authoring problems only
	reasons  *reasons
}

type code struct {
	class    class
	letter   record.Letter
	answered bool // with something that the strict parse could take
	tolerant bool // not passed, and would be by the tolerant parse
}

func newBuilder(run *Run) (*builder, error) {
	if err := run.check(); err != nil {
		return nil, err
	}
	items, err := newCatalog(run.Items, run.Families)
	if err != nil {
		return nil, err
	}
	b := &builder{run: run, items: items, byKey: map[[2]string]int{}, reasons: newReasons(), codes: []code{{class: classAbsent, letter: record.LetterMissing}}}
	for i, m := range run.Models {
		for _, p := range m.Postures {
			b.byKey[[2]string{m.Name, p}] = len(b.settings)
			b.settings = append(b.settings, setting{model: m.Name, posture: p, control: m.Control, unsealed: m.Unsealed, at: i, costs: costs{price: run.priceOf(i)}})
		}
	}
	cells := len(b.settings) * items.len()
	if cells > 0 && run.Repeats > math.MaxInt32/cells {
		return nil, fmt.Errorf("it plans more than %d attempts", math.MaxInt32)
	}
	n := cells * run.Repeats
	if n != run.Planned {
		return nil, fmt.Errorf("its plan holds %d attempts, but %d models at their postures, %d items and %d repeats make %d", run.Planned, len(b.settings), items.len(), run.Repeats, n)
	}
	b.attempts = make([]uint8, n)
	if run.Repeats > 1 {
		b.answers = make([]uint64, n)
	}
	if run.Premise != nil {
		b.premises = make([]*record.Premise, n)
	}
	return b, nil
}

func (b *builder) add(r *Row) error {
	s, ok := b.byKey[[2]string{r.Key.Model, r.Key.Posture}]
	if !ok {
		return fmt.Errorf("the plan does not have that model at that posture")
	}
	item, ok := b.items.find(r.Key.Item)
	if !ok {
		return fmt.Errorf("the plan does not have that item")
	}
	if r.Key.Repeat < 1 || r.Key.Repeat > b.run.Repeats {
		return fmt.Errorf("the plan has the repeats 1 to %d", b.run.Repeats)
	}
	at := b.cell(s, item) + r.Key.Repeat - 1
	if b.attempts[at] != 0 {
		return fmt.Errorf("it is recorded twice")
	}
	c, letter, err := r.read()
	if err != nil {
		return err
	}
	n, err := b.code(code{c, letter, r.Outcome == record.Answered && r.State == record.Graded, r.Tolerant && r.Outcome == record.Answered && c == classFailed})
	if err != nil {
		return err
	}
	b.attempts[at] = n
	if b.premises != nil {
		b.premises[at] = r.Premise
	}
	if b.answers != nil && r.Outcome == record.Answered {
		b.answers[at] = hash(r.AnswerHash)
	}
	if !c.judged() {
		if r.Outcome == record.Answered && r.State == "" {
			r.Reason = "no verdict yet" // what the row has is why the answer ended
		}
		if no := b.reasons.add(r.Reason); no != 0 {
			if b.why == nil {
				b.why = make([]uint32, len(b.attempts))
			}
			b.why[at] = no
		}
	}
	b.settings[s].add(r, c, b.items.basis[item])
	return nil
}

// cell is where the repeats of an item at a setting begin.
func (b *builder) cell(setting, item int) int {
	return (setting*b.items.len() + item) * b.run.Repeats
}

func (b *builder) code(c code) (uint8, error) {
	for i, have := range b.codes {
		if have == c {
			return uint8(i), nil
		}
	}
	if len(b.codes) > math.MaxUint8 {
		return 0, fmt.Errorf("the run has more than %d kinds of letters", math.MaxUint8)
	}
	b.codes = append(b.codes, c)
	return uint8(len(b.codes) - 1), nil
}

func (s *setting) add(r *Row, c class, basis uint8) {
	s.counts[basis].count(r)
	if r.Unsealed {
		s.unsealedEpisodes++
	}
	if r.Tolerant && r.Outcome == record.Answered && c == classFailed {
		if r.State == record.Unread {
			s.unreadPass[basis]++
		} else {
			s.wrongPass[basis]++
		}
	}
	s.sum(&s.prompt, r.PromptTokens)
	s.sum(&s.thinking, r.ThinkingTokens)
	s.sum(&s.cached, r.CachedTokens)
	s.clocks.add(r, &s.impossible)
	s.deliveries.add(r)
	s.wishes.add(r)
	s.retries.add(r)
	s.costs.add(r)
	output := s.sum(&s.output, r.OutputTokens)
	switch {
	case r.LatencyNS < 0 || r.LatencyNS > latencyMax:
		s.impossible++
	case r.LatencyNS > 0 && r.Outcome.OfModel():
		s.latency = append(s.latency, r.LatencyNS)
		if output {
			s.pacedTokens += *r.OutputTokens
			s.pacedMicros += r.LatencyNS / 1000
		}
	}
}

// sum adds a count that a server reported, and says whether there was a possible one.
func (s *setting) sum(to *Tokens, n *int64) bool {
	if n == nil {
		return false
	}
	if *n < 0 || *n > tokensMax {
		s.impossible++
		return false
	}
	to.Sum += *n
	to.Reported++
	return true
}

// hash is FNV-1a of a digest's text; it is never 0 for a text that is there.
func hash(digest string) uint64 {
	if digest == "" {
		return 0
	}
	h := uint64(14695981039346656037)
	for i := range len(digest) {
		h = (h ^ uint64(digest[i])) * 1099511628211
	}
	return max(h, 1)
}

// mark gives what a class is to the reduction of repeats.
func (c class) mark() stats.Mark {
	switch c {
	case classPassed:
		return stats.Passed
	case classFailed:
		return stats.Failed
	}
	return stats.Open
}

// kind names a class for the list of open items.
func (c class) kind() string {
	switch c {
	case classUngraded:
		return "not graded"
	case classUndelivered:
		return "undelivered"
	case classError:
		return "error"
	}
	return "missing"
}
