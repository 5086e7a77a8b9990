package model

import (
	"regexp"
	"sync"
)

// Pattern is a regular expression that is compiled at its first use. The providers know some dozens of forms in which servers
// say things, and a command that asks no server should not start later for them.
type Pattern struct {
	source  string
	compile func() *regexp.Regexp
}

// NewPattern makes a pattern. One that is no regular expression panics at its first use.
func NewPattern(source string) *Pattern {
	return &Pattern{source, sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(source) })}
}

// String is the expression.
func (p *Pattern) String() string { return p.source }

// MatchString reports whether s holds a match.
func (p *Pattern) MatchString(s string) bool { return p.compile().MatchString(s) }

// FindStringSubmatch is regexp's own.
func (p *Pattern) FindStringSubmatch(s string) []string { return p.compile().FindStringSubmatch(s) }
