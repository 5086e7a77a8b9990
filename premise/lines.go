package premise

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/kairos"
)

// line is one problem as the published files and private sets have it.
type line struct {
	ID        string        `json:"id"`
	Prompt    string        `json:"prompt"`
	AllDay    bool          `json:"allDay"`
	From      string        `json:"from"`
	To        string        `json:"to"`
	Ambiguity []string      `json:"ambiguity"`
	Expected  []string      `json:"expected,omitempty"` // that of the first reading
	Readings  []lineReading `json:"interpretations"`

	at int // its line in the file
}

type lineReading struct {
	Key        string   `json:"key"`
	Assumption string   `json:"assumption"`
	Body       string   `json:"body,omitempty"`
	Expected   []string `json:"expected"`
}

// maxLine is how long a problem's line may be.
const maxLine = 1 << 20

// readLines reads problems, one JSON object a line. name is the file's, for errors. A member that is not known is an error
// with strict, and is otherwise left out and named.
func readLines(name string, data []byte, strict bool) (out []line, unknown []string, err error) {
	seen := map[string]int{}
	for i, text := range bytes.Split(data, []byte("\n")) {
		if len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		at := func(format string, args ...any) error {
			return &bench.Error{File: name, Line: i + 1, Msg: fmt.Sprintf(format, args...)}
		}
		if len(text) > maxLine {
			return nil, nil, at("the line has %d bytes; a problem has at most %d", len(text), maxLine)
		}
		var l line
		d := json.NewDecoder(bytes.NewReader(text))
		if strict {
			d.DisallowUnknownFields()
		} else {
			for _, m := range strangers(text) {
				unknown = append(unknown, fmt.Sprintf("%s:%d: the member %q is left out", name, i+1, clip(m, 40)))
			}
		}
		if err := d.Decode(&l); err != nil {
			return nil, nil, at("not a problem {id, prompt, allDay, from, to, ambiguity, interpretations}: %v", err)
		}
		if d.More() {
			return nil, nil, at("a second value stands on the line; one problem a line")
		}
		switch {
		case !bench.ValidItem(l.ID):
			return nil, nil, at("the id %q is not made of letters, digits and . _ - inside", clip(l.ID, 40))
		case seen[strings.ToLower(l.ID)] > 0:
			return nil, nil, at("the id %s stands on line %d too", l.ID, seen[strings.ToLower(l.ID)])
		case len(l.Readings) == 0:
			return nil, nil, at("problem %s: it has no interpretations", l.ID)
		}
		for _, d := range []struct{ name, text string }{{"from", l.From}, {"to", l.To}} {
			if _, ok := kairos.ParseDate(d.text); !ok {
				return nil, nil, at("problem %s: %s is a day such as 2026-01-31, and %q is none", l.ID, d.name, clip(d.text, 40))
			}
		}
		for _, e := range l.Ambiguity {
			for _, k := range strings.Split(e, "|") {
				if !slices.Contains(Kinds, k) {
					return nil, nil, at("problem %s: the kind %q is not known%s", l.ID, clip(k, 40), bench.Nearest(k, Kinds))
				}
			}
		}
		for k, r := range l.Readings {
			if len(r.Expected) == 0 {
				return nil, nil, at("problem %s, interpretation %d: it has no points", l.ID, k+1)
			}
		}
		if len(l.Expected) > 0 && strings.Join(l.Expected, " ") != strings.Join(l.Readings[0].Expected, " ") {
			return nil, nil, at("problem %s: expected is not that of the first interpretation", l.ID)
		}
		seen[strings.ToLower(l.ID)], l.at = i+1, i+1
		out = append(out, l)
	}
	if len(out) == 0 {
		return nil, nil, &bench.Error{File: name, Msg: "it holds no problem; one JSON object a line is wanted"}
	}
	return out, unknown, nil
}

// strangers lists the members of a problem's line that are not the format's.
func strangers(text []byte) []string {
	var top map[string]json.RawMessage
	var out []string
	if json.Unmarshal(text, &top) != nil {
		return nil // the error is told by whoever reads it whole
	}
	for _, m := range slices.Sorted(maps.Keys(top)) {
		if !slices.Contains([]string{"id", "prompt", "allDay", "from", "to", "ambiguity", "expected", "interpretations"}, m) {
			out = append(out, m)
		}
	}
	var readings []map[string]json.RawMessage
	if json.Unmarshal(top["interpretations"], &readings) != nil {
		return out
	}
	seen := map[string]bool{}
	for _, r := range readings {
		for _, m := range slices.Sorted(maps.Keys(r)) {
			if !slices.Contains([]string{"key", "assumption", "body", "expected"}, m) && !seen[m] {
				seen[m] = true
				out = append(out, "interpretations[]."+m)
			}
		}
	}
	return out
}

// item writes a problem as an item's file, with controls made from its readings. JSON is YAML.
func (l line) item() []byte {
	family := "unstated"
	if len(l.Ambiguity) == 0 {
		family = "plain"
	}
	type reading struct {
		Key        string   `json:"key"`
		Assumption string   `json:"assumption"`
		Body       string   `json:"body"`
		Expected   []string `json:"expected"`
	}
	rs := []reading{}
	for _, r := range l.Readings {
		rs = append(rs, reading(r))
	}
	if l.Ambiguity == nil {
		l.Ambiguity = []string{}
	}
	out, err := json.MarshalIndent(struct {
		ID         string    `json:"id"`
		Family     string    `json:"family"`
		Basis      string    `json:"basis"`
		Prompt     string    `json:"prompt"`
		AllDay     bool      `json:"all_day"`
		From       string    `json:"from"`
		To         string    `json:"to"`
		Undeclared []string  `json:"undeclared"`
		Readings   []reading `json:"readings"`

		Controls []givenControl `json:"controls"`
	}{l.ID, family, "exact", l.Prompt, l.AllDay, l.From, l.To, l.Ambiguity, rs, l.generate()}, "", "  ")
	if err != nil {
		panic(err) // it is built of texts
	}
	return append(out, '\n')
}
