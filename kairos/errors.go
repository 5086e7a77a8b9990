package kairos

import (
	"fmt"
	"sort"
	"unicode/utf8"
)

// Class says in which phase of an evaluation an error arises, or whose fault it is.
type Class string

const (
	LexError    Class = "lex"      // the text does not divide into tokens
	ParseError  Class = "parse"    // the tokens make no program
	EvalError   Class = "eval"     // the program means nothing, or breaks a rule of the language
	SupplyError Class = "supply"   // data from outside is absent or breaks its contract
	Uncovered   Class = "coverage" // outside a predicate, a value depends on data beyond what its source covers
	LimitError  Class = "limit"    // the evaluation would pass one of its bounds, or was cancelled
)

// Error is a diagnostic: what is wrong, where, and what to do.
type Error struct {
	Code    string // stable, such as "select.no-window"
	Class   Class
	Span    Span // bytes of the source; zero when the fault has no place in it
	Line    int  // from 1; 0 when the fault has no place in the source
	Column  int  // from 1, in UTF-16 code units; a tab counts one
	Message string
	Hint    string // what to do, or empty
	// Japanese is the message in Japanese.
	Japanese string

	args []any
}

// Error gives place, message and hint on one line.
func (e *Error) Error() string {
	s := e.Message
	if e.Hint != "" {
		s += " (" + e.Hint + ")"
	}
	if e.Line > 0 {
		return fmt.Sprintf("%d:%d: %s [%s]", e.Line, e.Column, s, e.Code)
	}
	return s + " [" + e.Code + "]"
}

// fail makes the error of a code at a place; args fill the code's messages. The place in lines and the messages are
// filled in once, by place, when the error leaves the package.
func fail(at Span, code string, args ...any) *Error {
	return &Error{Code: code, Span: at, args: args}
}

// lineStarts gives the offset of the first byte of every line.
func lineStarts(src string) []int {
	starts := []int{0}
	for i := 0; i < len(src); i++ {
		if src[i] == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// lineColumn gives the line and column of a byte offset, both from 1; columns count UTF-16 code units.
func lineColumn(src string, starts []int, offset int) (line, column int) {
	offset = min(max(offset, 0), len(src))
	line = sort.SearchInts(starts, offset+1)
	column = 1
	for _, r := range src[starts[line-1]:offset] {
		if r > 0xFFFF && r != utf8.RuneError {
			column++
		}
		column++
	}
	return line, column
}
