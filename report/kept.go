package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/assaybench/assay/record"
)

// Wish is a setting that was not plainly sent as the posture asks, and in how many attempts.
type Wish struct {
	Name     string  `json:"name"`     // "temperature", "thinking", "context", …
	Asked    string  `json:"asked"`    // as the protocol has it
	State    string  `json:"state"`    // "not honoured", "not accepted", "asked" or "enforced"
	Attempts int     `json:"attempts"` // of Of; 0 with Before
	Of       int     `json:"of"`       // attempts with a reply whose transcripts were read
	Before   bool    `json:"before"`   // it was found before the first call, and not in an attempt
	Why      []Cause `json:"why"`
}

// wishes counts the settings of attempts.
type wishes struct {
	replies int // attempts with a reply
	read    int // of these, whose transcripts were read
	kinds   firsts[wish]
}

type wish struct {
	n   int
	why causes
}

const wishesKept = 64

func (w *wishes) add(r *Row) {
	switch r.Outcome {
	case record.Answered, record.Refused, record.Truncated:
	case record.Undelivered:
		if r.PromptTokens == nil {
			return // refused before there was a reply
		}
	default:
		return
	}
	w.replies++
	if r.Detail == nil {
		return
	}
	w.read++
	w.kinds.limit = wishesKept
	seen := map[*wish]bool{}
	for _, s := range r.Detail.Settings {
		k := w.kinds.at(wishName(s))
		if k == nil || seen[k] {
			continue
		}
		seen[k] = true
		k.n++
		k.why.add(s.Why)
	}
}

// wishName joins what tells settings apart; the parts hold no control characters.
func wishName(s record.Setting) string {
	return strings.Join([]string{clip(Printable(s.Name), 64), clip(Printable(s.Asked), 64), clip(Printable(s.State), 64)}, "\x00")
}

// stateOrder puts the gravest first.
var stateOrder = []string{record.SettingNotHonoured, record.SettingNotAccepted, record.SettingAsked, record.SettingEnforced}

// list gives the settings, the gravest first. What was found before the first call is added where no attempt shows it.
func (w *wishes) list(before []record.Setting) []Wish {
	out := []Wish{}
	add := func(name string, n int, why []Cause, before bool) {
		p := strings.SplitN(name, "\x00", 3)
		out = append(out, Wish{Name: p[0], Asked: p[1], State: p[2], Attempts: n, Of: w.read, Before: before, Why: why})
	}
	for _, name := range w.kinds.sorted {
		k := w.kinds.values[name]
		add(name, k.n, k.why.list(), false)
	}
	for _, s := range before[:min(len(before), wishesKept)] {
		name := wishName(s)
		kind, _, _ := strings.Cut(name, "\x00")
		if slices.ContainsFunc(out, func(o Wish) bool { return o.Name == kind }) {
			continue // the attempts say it themselves
		}
		add(name, 0, []Cause{{clip(Printable(s.Why), reasonWidth), 0}}, true)
	}
	slices.SortStableFunc(out, func(a, b Wish) int {
		return cmp.Or(cmp.Compare(slices.Index(stateOrder, a.State), slices.Index(stateOrder, b.State)), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Asked, b.Asked))
	})
	return out
}

// told reports whether people are told of it: what a server makes sure of is as asked, and is worth a line only where the
// bench's answers hang on it.
func (w *Wish) told() bool {
	return w.State != record.SettingEnforced || w.Name == "schema" || w.Name == "tools"
}

// String is the setting on one line: "thinking off: not honoured in 12 of 40 attempts (the reply holds thinking)".
func (w *Wish) String() string {
	what := w.State
	switch w.State {
	case record.SettingNotAccepted:
		what = "not accepted, not sent"
	case record.SettingAsked:
		what = "asked for, not known to be kept"
	case record.SettingEnforced:
		what = "enforced by the server"
	}
	s := strings.TrimSpace(w.Name+" "+w.Asked) + ": " + what
	if w.Before {
		s += ", as found before the first call"
	} else {
		s += fmt.Sprintf(" in %s of %s attempts", thousands(int64(w.Attempts)), thousands(int64(w.Of)))
	}
	if why := causeWords(w.Why); why != "" {
		s += " (" + why + ")"
	}
	return s
}
