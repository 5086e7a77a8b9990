// Package run is the engine: it plans a run, starts or resumes it, carries out its attempts and records them.
//
// One attempt goes plan -> call -> transcript -> store -> grader -> verdict -> store. The transcript is committed before
// it is graded, so a process that is killed at any moment loses at most calls that were not yet answered or not yet
// committed; starting again carries out what has no final try and grades what has no verdict. Nothing here assumes
// SQLite, or that one process does all the work: Caller.Attempt, Judge and store.Store.Record are all that a worker
// elsewhere needs. The clock and the randomness come in from outside.
package run

import (
	"context"
	"fmt"
	"iter"
	"sync"
	"time"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/price"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/store"
	"github.com/assaybench/assay/world"
)

// Set is what the engine needs of a bench compiled for its shape; grade.Set has it.
type Set interface {
	Grade(ctx context.Context, item string, t record.Transcript) (record.Verdict, error)
	Bench() *bench.Bench
	Digest() string
	Heads() iter.Seq[bench.Head]
	Prompt(item string) ([]model.Message, error)
}

// Converser is a Set whose replies have a form, and some of whose attempts take more than one call: a reply may be mended
// after its maker is told what is wrong with it. Both are pure functions of the bench and what was said.
type Converser interface {
	// Schema is the JSON Schema of an item's replies.
	Schema(item string) *model.Schema
	// Again says what the model is told after a reply that follows so many earlier ones, and whether it may answer again.
	Again(ctx context.Context, item string, earlier int, answer string) (told string, again bool, err error)
	// Replies is how many replies an attempt can take, and told how many bytes Again tells of one at the most.
	Replies() (most, told int)
}

// Worker is a Set whose attempts are episodes: the model works through tools until it hands in an answer, stops or meets
// a limit.
type Worker interface {
	// Begin makes an episode's world. Each attempt has its own.
	Begin(ctx context.Context, key record.Key) (*world.Session, error)
	// Limits bound an episode.
	Limits() world.Limits
}

// Shaped is a Set whose results need more of the plan than those of other benches.
type Shaped interface {
	// Method names how replies are judged, the same for all benches that are judged alike.
	Method() string
	// Plain reports whether an item leaves nothing open.
	Plain(item string) bool
}

// Entrant is a model of a run with the name that a bench may know it by (the part after the provider).
type Entrant struct {
	Model     model.Model
	BenchName string
}

// Spec is what is asked for: a bench, models, and the choices that the command line offers.
type Spec struct {
	Set      Set
	Digest   string // the bench's, as bench.Inspect computes it
	Source   string // as the user named the bench
	Models   []Entrant
	Postures []string    // by --posture; empty: the bench's own choice
	Repeats  int         // by --repeats; 0: the protocol's
	Only     []string    // items; empty: all frozen ones
	Shard    store.Shard // the zero value is the whole
	// Concurrency is the number of calls at once; 0 means 4, or 1 when a model shares this machine.
	Concurrency int
	New         bool // start another run whatever there is
	NoSchema    bool // leave the form of replies to the prompt; the provider's structured output is not used
	NoProbe     bool // leave out the calls that show whether long prompts reach the models whole; the run says so
	// Allow, if set, is told of each try's outcome and usage, and of each probe's, by the model's index, and ends the session
	// with the error that it gives: what was answered is recorded, and the run can be resumed. It is called concurrently.
	Allow func(model int, outcome record.Outcome, usage record.Usage) error
	// Prices are what each model's tokens cost, by its index, for the limit of cost that a bench may set an episode; nil, or short
	// of a model: not known.
	Prices []*price.Price

	Assay   string   // the program's version
	Proof   string   // "proven" or "unproven"
	Sandbox string   // tier, or why there is none; "" when nothing is executed
	Python  string   // version; "" when none is needed or none is there
	Flags   []string // whatever marks the run, such as "unsafe-no-sandbox"
}

// Engine carries out runs. Now and Rand are required; Rand is called concurrently.
type Engine struct {
	Store   store.Store
	Now     func() time.Time
	Rand    func() uint64
	Observe func(Snapshot) // progress, at most ten times a second, never concurrently; nil: nobody looks
	Note    func(string)   // a line for people, such as a warning, from Start and Execute, never concurrently; nil: nobody reads
	Retry   Retry
	// CheckEvery is how often, while attempts are made, the models are asked whether they are what they were; 0 means
	// every 5 minutes, below 0 only at a session's end.
	CheckEvery time.Duration

	noting sync.Mutex
}

// note tells people a line.
func (e *Engine) note(format string, a ...any) {
	if e.Note != nil {
		e.noting.Lock()
		defer e.noting.Unlock()
		e.Note(fmt.Sprintf(format, a...))
	}
}

// Limits of a plan.
const (
	maxConcurrency     = 4096
	defaultConcurrency = 4
	maxRepeats         = 1000
)

// Bounds of the questions which model answers behind a name.
const (
	identifyTimeout = 30 * time.Second
	partingTimeout  = 10 * time.Second // when the session was stopped and somebody waits for it to end
	checkEvery      = 5 * time.Minute
)

var errIdentifyTimeout = fmt.Errorf("it did not say what it is within %v: see whether its server is up", identifyTimeout)
