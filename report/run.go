// Package report turns the rows of a run into its results: figures, families, letters by item, counts of attempts, and
// their text, Markdown and JSON. It is a pure function of the rows: the same rows in any order give the same bytes.
//
// A figure has one basis. Exact and proxy results are counted in tallies of their own from the first row on, and nothing
// here adds two figures or two tallies.
package report

import (
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/assaybench/assay/price"
	"github.com/assaybench/assay/record"
)

// Run is what a run planned: every model at each of its postures answers every item Repeats times. Rows that the plan
// does not hold are refused, and planned attempts without a row are missing, so that denominators come from the plan and
// never from what happened to arrive.
type Run struct {
	ID       string
	Bench    string // id@version
	Digest   string // of the bench
	Grader   string // the grader's digest
	Models   []Model
	Repeats  int      // attempts for each item, model and posture; at least 1
	Planned  int      // attempts in the stored plan; must agree with Models, Items and Repeats
	Proven   bool     // the bench's graders had their proof when the run began
	Notes    []string // whatever limits the results: a partial choice of items, an unsafe sandbox
	Families []Family // in the bench's order
	Items    iter.Seq[Item]
	Letters  []Meaning // letters of the bench's shape beside record's own
	AllItems bool      // list the letters of every item, however many there are
	// What was learnt beside the attempts.
	Accounts   []price.Account // of costs by session, oldest first; none: no prices were known
	Contention []Watched       // by session, oldest first
	Premise    *PremiseRun     // of authoring problems; nil for other benches
}

// Model is a model of the run, by the name that rows carry, with the postures that were planned for it.
type Model struct {
	Name     string
	Control  bool // a control proves the graders and is never ranked
	Program  bool // it is a program of the user's own and no server: nobody knows what it does with its settings
	Unsealed bool // it is an agent that could have seen the sealed part; never ranked
	Postures []string
	Server   Server            // what it and its server were; the zero value where nothing is known
	Before   map[string]Before // by posture: what was found before the first call
}

// Family is a named group of items.
type Family struct{ ID, Title string }

// Item is a planned item.
type Item struct {
	ID     string
	Family string
	Basis  record.Basis
}

// Meaning explains a letter.
type Meaning struct {
	Letter  record.Letter `json:"letter"`
	Meaning string        `json:"meaning"`
}

// Row is one attempt and its verdict. Outcome "" is an attempt that has not been made; State "" is one without a verdict.
type Row struct {
	Key      record.Key
	Outcome  record.Outcome
	Reason   string // one line: why it is not graded, or why it ended as it did
	State    record.State
	Letter   record.Letter // of an answered attempt; "" takes the letter that follows from State and Pass
	Pass     bool
	Tolerant bool // the tolerant parse passes; says something only where the strict one does not
	// AnswerHash is a digest of the raw answer's bytes; "" where there is none.
	AnswerHash string
	Tries      int // calls that it took, retries included
	// Tokens are as the server reported them; nil where it did not. Cached is the part of Prompt that came from a cache.
	PromptTokens, OutputTokens, ThinkingTokens, CachedTokens *int64
	LatencyNS                                                int64 // without load time; 0 unknown
	// The parts of the time, 0 unknown. Latency has all but Load.
	LoadNS, QueueNS, PromptNS, GenerationNS int64
	Delivery                                string          // "delivered", "undelivered" or "not provable"
	Detail                                  *Detail         // nil: its transcript was not read
	Again                                   []Again         // its calls before the last one
	Unsealed                                bool            // its episode is not known to be sealed: never ranked
	Premise                                 *record.Premise // of the verdict on an authoring problem; nil for others
}

// Detail is what a transcript says beside its row.
type Detail struct {
	Proof    string // of "delivered": "exact", "refuses" or "probe"
	Reason   string // why the delivery is not proved
	Settings []record.Setting
}

// The most of a count or a time that a row can believably report: a hundred billion tokens, a year of nanoseconds. More,
// or less than nothing, is a server's or a clock's mistake; it is left out of sums, counted and noted.
const (
	tokensMax  = 100_000_000_000
	latencyMax = 365 * 24 * 3600 * 1_000_000_000
)

// class is what an attempt came to, for the reduction of repeats. The zero value is an attempt without a row.
type class uint8

const (
	classAbsent class = iota
	classMissing
	classError
	classUndelivered
	classUngraded
	classFailed
	classPassed
)

// judged reports whether the attempt is a result of the model's.
func (c class) judged() bool { return c == classFailed || c == classPassed }

var coreLetters = []Meaning{
	{record.LetterPass, "passed"},
	{record.LetterWrong, "wrong"},
	{record.LetterUnread, "unread: the strict parse could not take the answer"},
	{record.LetterTimeout, "timed out"},
	{record.LetterTruncated, "cut off at a limit"},
	{record.LetterRefused, "refused"},
	{record.LetterUndelivered, "undelivered: the prompt did not reach the model whole"},
	{record.LetterError, "error: ours or the provider's"},
	{record.LetterUngradable, "not graded here; grading again heals it"},
	{record.LetterMissing, "missing"},
}

// Meanings are the letters that every bench has, and those of a bench's shape, which win.
func Meanings(own []Meaning) []Meaning {
	out := slices.Clone(own)
	for _, m := range coreLetters {
		if !slices.ContainsFunc(own, func(o Meaning) bool { return o.Letter == m.Letter }) {
			out = append(out, m)
		}
	}
	return out
}

// read classifies a row. A row that contradicts itself is an error: it would be counted as something that it is not.
func (r *Row) read() (class, record.Letter, error) {
	if r.Pass && (r.Outcome != record.Answered || r.State != record.Graded) {
		return 0, "", fmt.Errorf("it is recorded as passed, but with the outcome %q and the state %q", r.Outcome, r.State)
	}
	switch r.Outcome {
	case "":
		if r.State != "" {
			return 0, "", fmt.Errorf("it has a verdict (%q) without having been made", r.State)
		}
		return classMissing, record.LetterMissing, nil
	case record.Error:
		return classError, record.LetterError, nil
	case record.Undelivered:
		return classUndelivered, record.LetterUndelivered, nil
	case record.Refused, record.Truncated, record.Timeout:
		return classFailed, record.LetterOf(r.Outcome), nil
	case record.Answered:
		return r.readVerdict()
	}
	return 0, "", fmt.Errorf("the outcome %q is not known", r.Outcome)
}

func (r *Row) readVerdict() (class, record.Letter, error) {
	c, letter := classFailed, r.Letter
	switch r.State {
	case record.Ungradable, "":
		return classUngraded, record.LetterUngradable, nil
	case record.Unread:
		if letter == "" {
			letter = record.LetterUnread
		}
	case record.Graded:
		if r.Pass {
			c = classPassed
		}
		if letter == "" && r.Pass {
			letter = record.LetterPass
		} else if letter == "" {
			letter = record.LetterWrong
		}
	default:
		return 0, "", fmt.Errorf("the state %q is not known", r.State)
	}
	if len(letter) != 1 || letter[0] <= ' ' || letter[0] > '~' {
		return 0, "", fmt.Errorf("the letter %q is not one printable ASCII character", letter)
	}
	for _, m := range coreLetters {
		if m.Letter == letter && (letter == record.LetterPass) != r.Pass {
			return 0, "", fmt.Errorf("the letter %q (%s) contradicts pass=%v", letter, m.Meaning, r.Pass)
		}
	}
	return c, letter, nil
}

// check looks for what would make a plan mean something else than it says.
func (run *Run) check() error {
	var errs []error
	if run.Repeats < 1 {
		errs = append(errs, fmt.Errorf("it plans %d repeats; at least 1 is needed", run.Repeats))
	}
	if len(run.Models) == 0 {
		errs = append(errs, errors.New("it names no model"))
	}
	seen := map[[2]string]bool{}
	for _, m := range run.Models {
		if len(m.Postures) == 0 {
			errs = append(errs, fmt.Errorf("the model %q has no posture", m.Name))
		}
		for _, p := range m.Postures {
			if seen[[2]string{m.Name, p}] {
				errs = append(errs, fmt.Errorf("the model %q is planned twice at posture %q", m.Name, p))
			}
			seen[[2]string{m.Name, p}] = true
		}
	}
	if run.Items == nil {
		errs = append(errs, errors.New("it names no items"))
	}
	return errors.Join(errs...)
}
