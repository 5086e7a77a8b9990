package cli

import (
	"errors"
	"fmt"

	"github.com/assaybench/assay/bench"
)

// Exit codes, as every command's help lists them.
const (
	exitGood  = 0
	exitFail  = 1 // a check failed
	exitUsage = 2 // the command line or an input file is wrong
	exitFault = 3 // a fault of ours or of the environment, or something that could not be graded
)

const exitHelp = `
Exit status:
  0  good (wrong answers are results, not errors)
  1  a check failed
  2  the command line or an input file is wrong
  3  a fault of the environment or of ours; attempts left missing; something
     that could not be graded`

var errInterrupted = errors.New("interrupted")

// coded is an error with its exit code. A silent one has already been told.
type coded struct {
	code   int
	err    error
	silent bool
}

func (c *coded) Error() string { return c.err.Error() }
func (c *coded) Unwrap() error { return c.err }

// usage is a wrong command line or input.
func usage(format string, args ...any) error {
	return &coded{code: exitUsage, err: fmt.Errorf(format, args...)}
}

// fault is a fault of the environment or of ours.
func fault(err error) error {
	if err == nil {
		return nil
	}
	return &coded{code: exitFault, err: err}
}

// silent ends with a code when everything has been said.
func silent(code int) error {
	if code == exitGood {
		return nil
	}
	return &coded{code: code, err: fmt.Errorf("exit %d", code), silent: true}
}

// codeOf gives the exit code of an error: its own, 2 for what is wrong with a bench's files, else 3.
func codeOf(err error) int {
	if err == nil {
		return exitGood
	}
	if c, ok := errors.AsType[*coded](err); ok {
		return c.code
	}
	if _, ok := errors.AsType[*bench.Error](err); ok {
		return exitUsage
	}
	return exitFault
}
