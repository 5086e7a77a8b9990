package run

import (
	"errors"
	"fmt"
	"strings"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/store"
)

// UsageError is a request that cannot be planned: a misspelt posture, an item that is not there. One line.
type UsageError struct{ Msg string }

func (e *UsageError) Error() string { return e.Msg }

func usagef(format string, a ...any) error { return &UsageError{Msg: fmt.Sprintf(format, a...)} }

// DifferentError refuses to go on with a run whose circumstances are no longer those it was planned under, since its
// results would be of two kinds. Its text lists every difference on a line of its own.
type DifferentError struct {
	Run         *store.Run
	Finished    bool // the run is complete; it was made under other circumstances
	Differences []string
}

func (e *DifferentError) Error() string {
	what := "cannot be resumed: it was begun under other circumstances"
	if e.Finished {
		what = "is finished, and was made under other circumstances"
	}
	return fmt.Sprintf("run %s %s (then -> now)\n  %s\n--new starts another run", e.Run.ID, what, strings.Join(e.Differences, "\n  "))
}

// ErrInterrupted is what an Interrupted is.
var ErrInterrupted = errors.New("interrupted")

// Interrupted says that the run was stopped by its caller; all that was answered is recorded, and the same request
// resumes it.
type Interrupted struct {
	Run           *store.Run
	Done, Planned int
}

func (e *Interrupted) Error() string {
	return fmt.Sprintf("interrupted: run %s has %d of %s; the same command resumes it", e.Run.ID, e.Done, many(e.Planned, "attempt"))
}

// Is makes errors.Is(err, ErrInterrupted) true.
func (e *Interrupted) Is(target error) bool { return target == ErrInterrupted }

// StopError says that the run was stopped because every further call would fail in the same way, or is not wanted. What was
// answered before is recorded; the same request resumes the run once the cause is mended.
type StopError struct {
	Model string
	Fault *model.Fault // nil where no call failed: then Err says why
	// InRow is the number of attempts in a row that ended without a connection or were turned down in the same words; 0 when the one fault was enough.
	InRow int
	Err   error
}

func (e *StopError) Error() string {
	if e.Fault == nil {
		return fmt.Sprintf("model %s: %v; what was answered is recorded, and the run can be resumed", e.Model, e.Err)
	}
	if e.InRow > 0 && e.Fault.Kind != model.FaultUnreachable {
		how := "mend that, then the same command resumes the run"
		if SchemaRefused(e.Fault.Msg) { // which says itself how to go on
			how = "the same command would be refused again"
		}
		return fmt.Sprintf("model %s: %d attempts in a row were turned down in the same way, the last one %v; %s", e.Model, e.InRow, e.Fault, how)
	}
	if e.InRow > 0 {
		return fmt.Sprintf("model %s: no connection in %d attempts in a row, the last one %v; start its server, then the same command resumes the run", e.Model, e.InRow, e.Fault)
	}
	if SchemaRefused(e.Fault.Msg) {
		return fmt.Sprintf("model %s: %v; the same command would be refused again", e.Model, e.Fault)
	}
	return fmt.Sprintf("model %s: %v; once that is mended, the same command, with the same model and address, resumes the run", e.Model, e.Fault)
}

func (e *StopError) Unwrap() error {
	if e.Fault == nil {
		return e.Err
	}
	return e.Fault
}

// ChangedError says that a model or its server was no longer the same in the course of the run. The session is over; the
// attempts since the last check that found it unchanged are no results (store.FactInvalid), and are made again when the
// run is resumed with the model as it was.
type ChangedError struct {
	Run         *store.Run
	Differences []string // with the models' names
	Attempts    int      // that are invalid
}

func (e *ChangedError) Error() string {
	return fmt.Sprintf("run %s: changed while it was made (then -> now): %s; %s invalid that were made since the last check; with the model as it was, the same command makes them again, and --new starts another run",
		e.Run.ID, strings.Join(e.Differences, "; "), many(e.Attempts, "attempt")+is(e.Attempts))
}

// many is a number of things: 1 attempt, 2 attempts.
func many(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

func is(n int) string {
	if n == 1 {
		return " is"
	}
	return " are"
}

// ModelError says that a model could not say what it is before the first call.
type ModelError struct {
	Model string
	Err   error
}

func (e *ModelError) Error() string { return fmt.Sprintf("model %s: %v", e.Model, e.Err) }

func (e *ModelError) Unwrap() error { return e.Err }
