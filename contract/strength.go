package contract

import (
	"math/big"
	"slices"
	"strings"

	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/contract/prose"
)

// strength is the least that a selector must be: it names a value that the call's own arguments do not hold already, or an
// absence whose question is pinned. Otherwise it proves that a call was made, and not that anything came back.
func (l *linter) strength(s *Selector) {
	if s.Refused != "" {
		if !s.asksSomething() {
			l.fault("weak-selector", s.node, "a refusal of %s shows an absence only of what was asked; pin the arguments", s.Tool)
		}
		return
	}
	if len(s.Result) == 0 {
		l.fault("weak-selector", s.node, "the selector of %s names no part of the result: any call would do; name a value that the arguments do not hold", s.Tool)
		return
	}
	absent := false
	for _, r := range s.Result {
		switch {
		case r.Want.absence():
			absent = true
		case r.Want.shows(s):
			return
		}
	}
	if absent && s.asksSomething() {
		return
	}
	if absent {
		l.fault("weak-selector", s.node, "the selector of %s shows an absence without its question; pin the arguments that were asked", s.Tool)
		return
	}
	l.fault("weak-selector", s.node, "every value that the selector of %s names stands in its own arguments: it shows a call and no content; name another value of the result", s.Tool)
}

// asksSomething says whether some argument is pinned to a value.
func (s *Selector) asksSomething() bool {
	return slices.ContainsFunc(s.Args, func(a Arg) bool {
		return slices.ContainsFunc(a.Want.Tests, func(t Test) bool { return t.Op == "is" || t.Op == "one_of" })
	})
}

// absence says whether a predicate says that there is nothing: an empty list, a count of zero, a key that is not there.
func (p *Predicate) absence() bool {
	return slices.ContainsFunc(p.Tests, func(t Test) bool {
		if t.Op == "empty" || t.Op == "absent" {
			return true
		}
		if t.Op != "is" || t.Terms[0].Ref != "" {
			return false
		}
		switch v := t.Terms[0].Literal.(type) {
		case *big.Rat:
			return v.Sign() == 0
		case []any:
			return len(v) == 0
		case nil:
			return true
		}
		return false
	})
}

// shows says whether a predicate names a value that the arguments do not hold.
func (p *Predicate) shows(s *Selector) bool {
	for _, t := range p.Tests {
		switch t.Op {
		case "any", "words", "not", "absent", "empty":
			continue
		}
		if !slices.ContainsFunc(t.Terms, func(m Term) bool { return s.holds(m) }) {
			return true
		}
	}
	return false
}

// holds says whether the selector's arguments hold a term already.
func (s *Selector) holds(m Term) bool {
	for _, a := range argTerms(s.Args) {
		switch {
		case m.Ref != "" || a.Ref != "":
			if m.Ref == a.Ref {
				return true
			}
		default:
			found := false
			exact.Scalars(a.Literal, func(v any) {
				x, ok1 := v.(string)
				y, ok2 := m.Literal.(string)
				found = found || exact.Equal(v, m.Literal) || ok1 && ok2 && (strings.EqualFold(x, y) || prose.Contains(x, y))
			})
			if found {
				return true
			}
		}
	}
	return false
}
