// Package contract judges agent tasks by a sealed contract: what must be read, what follows from it, which changes are
// right, how they are looked at again, what a colleague is told, what must not change, and what the answer is.
//
// A contract is compiled against a view of the world and of the task, its expected values are derived by reads on the seed,
// and an episode (events, final difference, answer) is judged against both. Judging is a pure function: the same input gives
// the same bytes on any machine. Causes are judged and not call order: evidence before the first change, changes before
// messages, looks after changes.
//
// The package imports no clock, chance, file or network, and its sealed types cannot be marshalled.
package contract

import (
	"errors"
	"fmt"
)

// ErrSealed is what every encoder gets of a sealed type.
var ErrSealed = errors.New("sealed: a contract belongs to no public file, route or answer")

// Version of what this package decides; it stands in every verdict and is raised by hand when a decision changes.
const Version = "contract/4"

// sealed makes every encoder fail on the types that hold it, and every verb of printing say nothing.
type sealed struct{}

// Format says that there is nothing to see, whatever the verb.
func (sealed) Format(f fmt.State, _ rune) { fmt.Fprint(f, "(sealed)") }

// MarshalJSON always fails.
func (sealed) MarshalJSON() ([]byte, error) { return nil, ErrSealed }

// MarshalText always fails.
func (sealed) MarshalText() ([]byte, error) { return nil, ErrSealed }

// MarshalYAML always fails.
func (sealed) MarshalYAML() (any, error) { return nil, ErrSealed }

// GobEncode always fails.
func (sealed) GobEncode() ([]byte, error) { return nil, ErrSealed }
