// Package derive computes what a contract expects: trees of operators over typed values with units. Numbers are exact
// rationals, dates are days of the civil calendar, and everything is checked before a value is seen: unknown names, cycles,
// kinds that do not fit an operator and units that do not add up are faults with file and line.
//
// Nothing here is marshalable: a derivation says what the right answer is, and no public encoder may write it.
package derive

import "errors"

// ErrSealed is what every encoder gets.
var ErrSealed = errors.New("sealed: a derivation belongs to no public file or answer")

// sealed makes every encoder fail on the types that hold it.
type sealed struct{}

// MarshalJSON always fails.
func (sealed) MarshalJSON() ([]byte, error) { return nil, ErrSealed }

// MarshalText always fails.
func (sealed) MarshalText() ([]byte, error) { return nil, ErrSealed }

// MarshalYAML always fails.
func (sealed) MarshalYAML() (any, error) { return nil, ErrSealed }

// GobEncode always fails.
func (sealed) GobEncode() ([]byte, error) { return nil, ErrSealed }
