// Package record holds the values that every other part of Assay passes around and stores: what was asked and what came
// back (Transcript), how it ended (Outcome), what the rules saw (Finding) and what follows from that (Verdict), with
// their canonical JSON. It imports nothing from this project, and nothing in it has a clock, a file or a network.
package record

// Basis says what a verdict stands on. Results of different bases are never added together.
type Basis string

const (
	Exact Basis = "exact" // the rules decide correctness
	Proxy Basis = "proxy" // the rules only measure shape
)

// Valid reports whether b is one of the two bases.
func (b Basis) Valid() bool { return b == Exact || b == Proxy }

// Outcome is how an attempt ended. Answered, Refused, Truncated and Timeout are the model's; Undelivered (the prompt did
// not reach the model whole) and Error (ours or the provider's) never are.
type Outcome string

const (
	Answered    Outcome = "answered"
	Refused     Outcome = "refused"
	Truncated   Outcome = "truncated"
	Timeout     Outcome = "timeout"
	Undelivered Outcome = "undelivered"
	Error       Outcome = "error"
)

// Valid reports whether o is one of the six outcomes.
func (o Outcome) Valid() bool {
	switch o {
	case Answered, Refused, Truncated, Timeout, Undelivered, Error:
		return true
	}
	return false
}

// OfModel reports whether the outcome is the model's own, and so counts among its results.
func (o Outcome) OfModel() bool {
	switch o {
	case Answered, Refused, Truncated, Timeout:
		return true
	}
	return false
}

// Letter is the one-letter sign of an attempt, as tables show it. For prompt items and agent tasks it follows from the
// outcome and, for an answered attempt, from the verdict (Letter below).
type Letter string

const (
	LetterPass        Letter = "."
	LetterWrong       Letter = "F"
	LetterUnread      Letter = "U"
	LetterTimeout     Letter = "T"
	LetterTruncated   Letter = "C"
	LetterRefused     Letter = "R"
	LetterUndelivered Letter = "D"
	LetterError       Letter = "E"
	LetterMissing     Letter = "-"
	// LetterUngradable marks an answered attempt that this machine could not grade (no sandbox, no python3); re-grading heals it.
	LetterUngradable Letter = "?"

	// Of authoring problems, beside LetterPass: what was left open was not declared, the points are those of no accepted
	// reading, both, or the reply could not be validated.
	LetterSilent          Letter = "S"
	LetterDeclaredWrong   Letter = "W"
	LetterUndeclaredWrong Letter = "X"
	LetterInvalid         Letter = "i"
)

// LetterOf gives the letter of an outcome that is not Answered, and "" for Answered, whose letter is the verdict's.
func LetterOf(o Outcome) Letter {
	switch o {
	case Refused:
		return LetterRefused
	case Truncated:
		return LetterTruncated
	case Timeout:
		return LetterTimeout
	case Undelivered:
		return LetterUndelivered
	case Error:
		return LetterError
	}
	return ""
}

// Key names one attempt inside a run: one model answering one item once, at one posture. Repeat counts from 1.
type Key struct {
	Model   string `json:"model"`
	Posture string `json:"posture"`
	Item    string `json:"item"`
	Repeat  int    `json:"repeat"`
}
