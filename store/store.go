// Package store keeps runs: what was planned, every call that was made with its transcript, every verdict, and what was
// learnt beside them (facts). The book of record is append-only: a try, a verdict and a fact are written once and never
// changed (only an ungradable verdict may be replaced by a later grading), and every total is computed from rows, so that
// no counter can disagree with them.
//
// Store is the interface that the engine works through; DB is its SQLite implementation. An attempt's state follows from
// its tries: none, it is missing; the last one an error, it is to be tried again; otherwise that try is final, and a key
// of the database makes a second final try impossible. Where attempts turn out to be no results (the model changed while
// they were made), a further try says so: an error, after which the attempt can be made once more and no oftener.
package store

import (
	"context"
	"github.com/go-json-experiment/json/jsontext"
	"iter"
	"time"

	"github.com/assaybench/assay/record"
)

// Store is the book of record. All methods are safe for concurrent use. Errors are *Error.
type Store interface {
	// CreateRun records a run and all its attempts in one transaction and fills in the run's key. An id that is taken is
	// an Error of kind Duplicate.
	CreateRun(ctx context.Context, r *Run, attempts iter.Seq[Attempt]) error
	// FindRun finds a run by its id, a unique prefix of it, or "latest". Kinds NotFound and Ambiguous.
	FindRun(ctx context.Context, ref string) (*Run, error)
	// FindByRequest finds the newest run with a request key. Kind NotFound when there is none.
	FindByRequest(ctx context.Context, key string) (*Run, error)
	// Runs goes through all runs, newest first.
	Runs(ctx context.Context) iter.Seq2[*Run, error]

	// SetIdentity adds what a model and its server said of themselves.
	SetIdentity(ctx context.Context, r *Run, id Identity) error
	// Identities lists what SetIdentity added, oldest first.
	Identities(ctx context.Context, r *Run) ([]Identity, error)

	// AddFacts adds facts, all of them or none, and fills in their Seq. Facts lists those of a kind, oldest first; "" means
	// all.
	AddFacts(ctx context.Context, r *Run, facts ...Fact) error
	Facts(ctx context.Context, r *Run, kind string) ([]Fact, error)
	// Mark is where the record ends: every try that is recorded later than now lies after it.
	Mark(ctx context.Context) (int64, error)
	// Recorded counts the attempts of a model (by the plan's index) whose final try was recorded after one mark and not
	// after another.
	Recorded(ctx context.Context, r *Run, model int, after, upto int64) (int, error)
	// Invalidate declares the attempts that Recorded counts to be no results, with a fact of the kind FactInvalid, and
	// fills in how many these are. Each gets a further try, an error with the reason, and can be made again. Where there
	// are none, nothing is recorded.
	Invalidate(ctx context.Context, r *Run, inv *Invalidity, taken time.Time) error

	// Pending gives attempts without a final try, in the plan's order, with numbers above after (-1 for the first page).
	Pending(ctx context.Context, r *Run, after, limit int) ([]Task, error)
	// Ungraded gives attempts whose final try can be graded and has no verdict under the grader, in the plan's order;
	// with heal, those with an ungradable verdict too.
	Ungraded(ctx context.Context, r *Run, grader string, heal bool, after, limit int) ([]Task, error)
	// FindTask finds the attempt of a key, whatever became of it. Kind NotFound when the plan has none.
	FindTask(ctx context.Context, r *Run, key record.Key) (Task, error)
	// Record writes a batch in one transaction: all of it or nothing. A second final try of an attempt, a try after the
	// final one, and a second verdict (unless the first is ungradable) are Errors of kind Duplicate; a verdict without a
	// final try, or a pass for a try that did not answer, of kind Misuse.
	Record(ctx context.Context, r *Run, b Batch) error

	// Tally counts attempts by model, posture, basis, family, outcome and letter, from rows.
	Tally(ctx context.Context, r *Run, grader string) (Tally, error)
	// Rows goes through all attempts in the plan's order with their last try and their verdict under the grader. It holds
	// no more than a page in memory and no lock between pages.
	Rows(ctx context.Context, r *Run, grader string) iter.Seq2[Row, error]
	// Tries lists the tries of one attempt, first to last.
	Tries(ctx context.Context, r *Run, n int) ([]TryRow, error)
	// Transcript reads one try's transcript; try 0 means the last one. Kind NotFound when there is none.
	Transcript(ctx context.Context, r *Run, n, try int) (record.Transcript, error)
	// Sets lists the run's sets of verdicts, oldest first.
	Sets(ctx context.Context, r *Run) ([]Set, error)
	// VerdictJSON reads one verdict's JSON as it was recorded. Kind NotFound when there is none.
	VerdictJSON(ctx context.Context, r *Run, n int, grader string) ([]byte, error)

	// Lock takes a named lock (see RunLock) that ends with the process at the latest; unlock gives it back. Kind Held,
	// with the holder's pid, when another process has it.
	Lock(ctx context.Context, name string) (unlock func() error, err error)
	Close() error
}

var _ Store = (*DB)(nil)

// Run is one run as it was planned.
type Run struct {
	ID      string    // short, sorts by time
	Created time.Time // UTC
	Request string    // the request key: equal for equal commands
	Plan    Plan

	key int64
}

// RunLock is the name of the lock that the one process working on a run holds.
func (r *Run) RunLock() string { return "run-" + r.ID }

// attemptKey gives the names behind an attempt's numbers.
func (r *Run) attemptKey(model, posture int, item string, repeat int) (record.Key, bool) {
	if model < 0 || model >= len(r.Plan.Models) || posture < 0 || posture >= len(r.Plan.Postures) {
		return record.Key{}, false
	}
	return record.Key{Model: r.Plan.Models[model].Name, Posture: r.Plan.Postures[posture], Item: item, Repeat: repeat}, true
}

// Plan is what was decided before the first call, and what it was decided under. It is stored as canonical JSON.
type Plan struct {
	Bench           string         `json:"bench"`           // id
	Version         string         `json:"version"`         //
	Source          string         `json:"source"`          // as the user named the bench
	Digest          string         `json:"digest"`          // the bench's
	Grader          string         `json:"grader"`          // the grader's digest at planning; its set of verdicts is the run's own
	Protocol        jsontext.Value `json:"protocol"`        //
	ProtocolDigest  string         `json:"protocol_digest"` //
	Postures        []string       `json:"postures"`        // attempts name a posture by its index here
	PosturesChosen  []string       `json:"postures_chosen"` // by --posture; empty: the bench's own choice
	Models          []PlanModel    `json:"models"`          // attempts name a model by its index here
	Repeats         int            `json:"repeats"`         // each item, at each posture, for each model
	RepeatsChosen   int            `json:"repeats_chosen"`  // by --repeats; 0: the protocol's
	Only            []string       `json:"only"`            // items; empty: all frozen ones
	Shard           Shard          `json:"shard"`           //
	Concurrency     int            `json:"concurrency"`     // calls at once
	Items           int            `json:"items"`           // frozen items chosen
	Attempts        int            `json:"attempts"`        //
	MaxOutputTokens int64          `json:"max_output"`      // ceiling over all attempts, retries left out
	MaxTime         int64          `json:"max_time_ns"`     // nanoseconds; ceiling at that concurrency, retries left out
	Assay           string         `json:"assay"`           // the program's version
	Proof           string         `json:"proof"`           // "proven" or "unproven"
	Sandbox         string         `json:"sandbox"`         // tier, or why there is none; "" when nothing is executed
	Python          string         `json:"python"`          // version; "" when none is needed or none is there
	Flags           []string       `json:"flags"`           // whatever marks the run: "unsafe-no-sandbox", …
	Families        []PlanFamily   `json:"families"`        // in the bench's order
	Face            []string       `json:"face"`            // what the bench says of itself beside every figure: notice, caveats, limits

	Shape  string   `json:"shape,omitempty"`  // of the bench: "prompt", "premise"; "" in old plans
	Method string   `json:"method,omitempty"` // how replies are judged, the same for all benches that are judged alike; "" where the shape has none
	Plain  []string `json:"plain,omitempty"`  // the items that leave nothing open, of the shape premise
}

// PlanFamily is a family of items.
type PlanFamily struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

// PlanModel is one model of a plan.
type PlanModel struct {
	Name     string `json:"name"`     // provider/model, with @URL where one was given
	Postures []int  `json:"postures"` // indexes into Plan.Postures
	Control  bool   `json:"control"`  // a reference or negative control: never ranked
}

// Shard is the part I of Of; the zero value is the whole.
type Shard struct {
	I  int `json:"i"`
	Of int `json:"of"`
}

// Attempt is one planned attempt; Model and Posture are indexes into the plan.
type Attempt struct {
	Model, Posture, Repeat int
	Item, Family           string
	Basis                  record.Basis
}

// Task is an attempt to work on.
type Task struct {
	N      int // its number in the plan
	Model  int // index into Plan.Models
	Key    record.Key
	Family string
	Basis  record.Basis
	Tries  int // made so far
}

// Identity is what a model and its server said of themselves at the start of a session, in its course or at its end.
type Identity struct {
	Model int    // index into Plan.Models
	Phase string // "start", "check" or "end"
	Taken time.Time
	Mark  int64 // a place in the record (Store.Mark): what stands before it was answered before the question was put
	record.Identity
}

// Batch is what one transaction records, tries first.
type Batch struct {
	Tries    []Try
	Verdicts []Verdict
}

// Set is a set of verdicts under one grader's digest.
type Set struct {
	Grader  string
	Digest  string // of the bench that was graded by
	Created time.Time
}

// Row is one attempt with its last try and its verdict, as reports read it.
type Row struct {
	N      int
	Key    record.Key
	Family string
	Basis  record.Basis
	Letter record.Letter
	Pass   bool
	State  record.State // "" without a verdict
	TryRow              // the last try; Try is 0 and Outcome "" when there was none
}

// TryRow is one try without its transcript.
type TryRow struct {
	Try           int // counts from 1
	Outcome       record.Outcome
	Reason        string
	Usage         record.Usage
	Timing        record.Timing
	Delivery      string
	AnswerBytes   int64
	ThinkingBytes int64
	AnswerSum     [16]byte // the first half of the answer's SHA-256, to tell equal answers
}
