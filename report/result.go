package report

import (
	"strings"

	"github.com/assaybench/assay/price"
	"github.com/assaybench/assay/record"
)

// Result is the results of a run. Its JSON names are part of the command line's contract.
type Result struct {
	Run      string         `json:"run"`
	Bench    string         `json:"bench"`
	Digest   string         `json:"digest"`
	Grader   string         `json:"grader"`
	Figures  []Figure       `json:"figures"`  // by model and posture as planned, exact before proxy
	Families []FamilyFigure `json:"families"` // the same, within each family
	// Detectable is how far two results on these items must lie apart to be told apart, by basis.
	Detectable []Detectable  `json:"detectable"`
	Items      []ItemLetters `json:"items"` // empty for more than ItemsShown items
	Attempts   Attempts      `json:"attempts"`
	Servers    []Server      `json:"servers"` // by model as planned, controls too
	// Contention is what each session did to services beside it, oldest first; empty where nobody looked.
	Contention []Watched `json:"contention"`
	// Accounts are what each session reckoned its calls to cost while it went on, oldest first, with its prices.
	Accounts []price.Account `json:"accounts"`
	Unstable []Unstable      `json:"unstable"`         // the first ItemsShown; figures have the count
	Notes    []string        `json:"notes"`            // what a reader must know beside the figures
	Letters  []Meaning       `json:"-"`                // the letters in Items
	Premise  *Premise        `json:"premise,omitzero"` // of authoring problems only
	// Private: of a private set, of which only counts and letters are shown.
	Private bool `json:"private,omitzero"`

	repeats int
	items   [2]int // by basis
}

// ItemsShown is how many items are listed one by one. Beyond it there are only figures and families, and a note.
const ItemsShown = 200

// Score is how many items passed, on one basis. An item passes only if every one of its repeats passes; it is judged if
// every repeat ended in a result of the model's, and open otherwise. Open items stay in Items and are never counted as
// failed: Interval, the 95 % Wilson interval, is for Passed of Judged, and the whole of 0 to 1 where nothing is judged.
type Score struct {
	Basis    record.Basis `json:"basis"`
	Passed   int          `json:"passed"`
	Items    int          `json:"items"`
	Interval [2]float64   `json:"interval"` // 0 to 1, four decimals
	Judged   int          `json:"judged"`
}

// Figure is the main figure of a model at a posture, on one basis.
type Figure struct {
	Model   string `json:"model"`
	Posture string `json:"posture"`
	Score
	Repeats   int       `json:"repeats"`
	SingleRun bool      `json:"single_run"`        // it rests on one repeat
	Complete  bool      `json:"complete"`          // no open items; others are not ranked
	Control   bool      `json:"control"`           // proves the graders; not ranked
	Unsealed  bool      `json:"unsealed,omitzero"` // the agent could have seen the sealed part; not ranked
	Open      []Open    `json:"open"`              // what became of the items that are not judged
	Unstable  int       `json:"unstable"`          // judged items whose repeats disagree
	Identical Share     `json:"identical"`         // items with the same answer, byte for byte, in every repeat
	PassK     []float64 `json:"pass_k"`            // estimates of pass^1, pass^2 … pass^Repeats over the judged items
	PassAny   []float64 `json:"pass_any"`          // estimates of pass@1 … pass@Repeats, the chance that one of so many passes
	// TolerantUnread counts attempts that are unread by the strict parse and pass by the tolerant one, TolerantWrong those
	// that are wrong by the strict parse and pass by the tolerant one.
	TolerantUnread int `json:"tolerant_unread"`
	TolerantWrong  int `json:"tolerant_wrong"`
	// Answered is the same over the items whose every repeat brought an answer that the strict parse could take: without
	// those that were refused, cut off, timed out or unread.
	Answered Answered `json:"answered"`
	Attempts Counts   `json:"attempts"`
}

// Answered is a score over the items that were answered.
type Answered struct {
	Passed   int        `json:"passed"`
	Items    int        `json:"items"`
	Interval [2]float64 `json:"interval"`
}

// FamilyFigure is the score of a model at a posture in one family, on one basis.
type FamilyFigure struct {
	Family  string `json:"family"`
	Title   string `json:"title"`
	Model   string `json:"model"`
	Posture string `json:"posture"`
	Score
}

// Open is a number of items that are not judged, and why: Kind is "not graded", "undelivered", "error" or "missing".
type Open struct {
	Kind   string `json:"kind"`
	Reason string `json:"reason"`
	Items  int    `json:"items"`
}

// Share is a count with its denominator.
type Share struct {
	Same int `json:"same"`
	Of   int `json:"of"`
}

// Counts is how attempts ended. The seven outcomes, Missing among them, add up to Planned; Unread and Ungradable are part
// of Answered. Counts say nothing of right or wrong.
type Counts struct {
	Planned     int `json:"planned"`
	Answered    int `json:"answered"`
	Unread      int `json:"unread"`
	Ungradable  int `json:"ungradable"`
	Truncated   int `json:"truncated"`
	Refused     int `json:"refused"`
	Timeout     int `json:"timeout"`
	Undelivered int `json:"undelivered"`
	Error       int `json:"error"`
	Missing     int `json:"missing"`
	Retried     int `json:"retried"` // took more than one call
}

// Attempts is how the run's attempts ended, as a whole and for each model at each posture.
type Attempts struct {
	Counts
	Settings []Setting `json:"settings"`
}

// Setting is a model at a posture: how its attempts ended and what they cost.
type Setting struct {
	Model   string `json:"model"`
	Posture string `json:"posture"`
	Control bool   `json:"control"`
	// Unsealed counts attempts whose episode is not known to be sealed: whoever worked in it could have seen what judges it.
	Unsealed int `json:"unsealed_episodes,omitzero"`
	Counts
	Prompt   Tokens  `json:"prompt_tokens"`
	Output   Tokens  `json:"output_tokens"`
	Thinking Tokens  `json:"thinking_tokens"`
	Latency  Latency `json:"latency"`
	// TokensPerSecond is output tokens over latency, prompt processing included, over the attempts that report both; null
	// where none does.
	TokensPerSecond *float64 `json:"tokens_per_second"`
	Cached          Tokens   `json:"cached_tokens"` // the part of Prompt that came from a cache
	// Generation is output tokens over the time of generation alone, a median over the attempts that report both.
	Generation Measure  `json:"generation_tokens_per_second"`
	Times      Times    `json:"times"`
	Delivery   Delivery `json:"delivery"`
	Ready      *Ready   `json:"ready"` // null: it was not made ready
	Probe      *Probe   `json:"probe"` // null: none was made or left out
	// Wishes are the settings that were not plainly sent as the posture asks. Replies counts the attempts with a reply, and
	// SettingsRead those of them whose transcripts were read for it.
	Wishes       []Wish  `json:"posture_settings"`
	Replies      int     `json:"replies"`
	SettingsRead int     `json:"posture_settings_read"`
	Retries      Retries `json:"retries"`
	Cost         *Cost   `json:"cost"` // null: no price known
	// Impossible counts reported tokens and times that cannot be true and are in no sum.
	Impossible int `json:"impossible"`

	program bool
}

// Tokens is a sum and the number of attempts that reported one.
type Tokens struct {
	Sum      int64 `json:"sum"`
	Reported int   `json:"reported"`
}

// Latency is in seconds, without load time, over the attempts that ended by the model's doing, a timeout at the time it
// was cut; Of is their number, and the others are null where it is 0.
type Latency struct {
	Median *float64 `json:"median_s"`
	P95    *float64 `json:"p95_s"`
	Of     int      `json:"of"`
}

// ItemLetters is one item with a letter for each attempt.
type ItemLetters struct {
	Item     string         `json:"item"`
	Family   string         `json:"family"`
	Basis    record.Basis   `json:"basis"`
	Settings []ModelLetters `json:"settings"`
}

// ModelLetters is the letters of one item for a model at a posture, in the order of the repeats. Passed is null for an
// item that is not judged.
type ModelLetters struct {
	Model   string  `json:"model"`
	Posture string  `json:"posture"`
	Letters Letters `json:"letters"`
	Passed  *bool   `json:"passed"`
	// Tolerant counts attempts that do not pass and would by the tolerant reading of their answer.
	Tolerant int `json:"tolerant,omitzero"`
	// Unstable: some repeats passed and some did not, and all have a result.
	Unstable bool `json:"-"`
}

// Letters are the letters of an item's repeats, in their order.
type Letters []record.Letter

func (l Letters) String() string {
	var b strings.Builder
	for _, x := range l {
		b.WriteString(string(x))
	}
	return b.String()
}

// Unstable is an item whose repeats disagree: some passed and some did not.
type Unstable struct {
	Item  string       `json:"item"`
	Basis record.Basis `json:"basis"`
	ModelLetters
}

func (c *Counts) add(d Counts) {
	c.Planned += d.Planned
	c.Answered += d.Answered
	c.Unread += d.Unread
	c.Ungradable += d.Ungradable
	c.Truncated += d.Truncated
	c.Refused += d.Refused
	c.Timeout += d.Timeout
	c.Undelivered += d.Undelivered
	c.Error += d.Error
	c.Missing += d.Missing
	c.Retried += d.Retried
}

// count takes one attempt that has a row. Missing ones are left over at the end.
func (c *Counts) count(r *Row) {
	switch r.Outcome {
	case record.Answered:
		c.Answered++
		switch r.State {
		case record.Unread:
			c.Unread++
		case record.Ungradable, "":
			c.Ungradable++
		}
	case record.Truncated:
		c.Truncated++
	case record.Refused:
		c.Refused++
	case record.Timeout:
		c.Timeout++
	case record.Undelivered:
		c.Undelivered++
	case record.Error:
		c.Error++
	}
	if r.Tries > 1 {
		c.Retried++
	}
}

// close sets what is left of the plan as missing.
func (c *Counts) close(planned int) {
	c.Planned = planned
	c.Missing = planned - c.Answered - c.Truncated - c.Refused - c.Timeout - c.Undelivered - c.Error
}
