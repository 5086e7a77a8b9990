package cli

import (
	"errors"
	"strings"

	"github.com/spf13/pflag"
)

// list is a flag that takes several names, separated by commas or given again and again. A line break in one is refused: lists
// that a script makes hold them, and a list of which only the first line counts would run something else than was meant.
type list struct {
	names *[]string
	set   bool
}

var _ pflag.Value = (*list)(nil)

func lists(to *[]string) *list { return &list{names: to} }

// Set implements pflag.Value.
func (l *list) Set(s string) error {
	if strings.ContainsAny(s, "\r\n") {
		return errors.New("a line break in a list; separate its names by commas")
	}
	if !l.set {
		*l.names, l.set = nil, true
	}
	*l.names = append(*l.names, strings.Split(s, ",")...)
	return nil
}

// Type implements pflag.Value.
func (l *list) Type() string { return "strings" }

// String implements pflag.Value.
func (l *list) String() string {
	if l.names == nil {
		return ""
	}
	return strings.Join(*l.names, ",")
}
