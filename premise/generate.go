package premise

import (
	"slices"
	"strings"
)

// givenControl is a control as an item's file has it.
type givenControl struct {
	Name    string   `json:"name"`
	Letter  string   `json:"letter"`
	Reading string   `json:"reading,omitempty"`
	Body    string   `json:"body,omitempty"`
	Answer  string   `json:"answer,omitempty"`
	Declare []string `json:"declare,omitempty"`
	Over    int      `json:"over,omitempty"`
}

// pointless is a body without points. No reading has none, so that it is wrong for every problem.
const pointless = "everyDay |> filter(d => dayNo(d) == 32)"

// generate makes the controls that every problem can have: of problems that come without any, so that a run by controls
// and the check of their letters work for them too.
func (l *line) generate() []givenControl {
	first := l.Readings[0]
	var need, extra []string // the kinds that a reply must declare, and one that belongs to nothing open
	for _, e := range l.Ambiguity {
		kind, _, _ := strings.Cut(e, "|")
		need = append(need, kind)
	}
	for _, k := range Kinds {
		open := slices.ContainsFunc(l.Ambiguity, func(e string) bool { return slices.Contains(strings.Split(e, "|"), k) })
		if !open {
			extra = []string{k}
			break
		}
	}
	more := slices.Concat(need, extra)
	out := []givenControl{
		{Name: "reference", Letter: ".", Reading: first.Key, Declare: need},
		{Name: "overdeclared", Letter: ".", Reading: first.Key, Declare: more, Over: len(extra)},
	}
	if len(need) == 0 {
		out = append(out, givenControl{Name: "silent", Letter: ".", Reading: first.Key},
			givenControl{Name: "wrong", Letter: "W", Body: pointless})
	} else {
		out = append(out, givenControl{Name: "silent", Letter: "S", Reading: first.Key},
			givenControl{Name: "other-kind", Letter: "S", Reading: first.Key, Declare: extra, Over: len(extra)},
			givenControl{Name: "wrong", Letter: "W", Body: pointless, Declare: need},
			givenControl{Name: "wrong-silent", Letter: "X", Body: pointless})
	}
	return append(out, givenControl{Name: "unparsable", Letter: "i", Body: first.Body + "\n|>"},
		givenControl{Name: "not-json", Letter: "i", Answer: "not JSON"})
}
