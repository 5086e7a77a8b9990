package premise

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/check/strictjson"
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

// lineForm is what a problem's line is, for errors.
const lineForm = "{id, prompt, allDay, from, to, ambiguity, interpretations}"

// readLines reads problems, one JSON object a line. name is the file's, for errors. Of a private set's file no error quotes a
// problem, and a member that is not known is an error; of another it is left out and named.
func readLines(name string, data []byte, private bool) (out []line, unknown []string, err error) {
	seen := map[string]int{}
	for i, text := range bytes.Split(data, []byte("\n")) {
		if len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		at := func(format string, args ...any) error {
			return &bench.Error{File: name, Line: i + 1, Msg: fmt.Sprintf(format, args...)}
		}
		m := memberReader{private: private}
		v, err := parseLine(text)
		if err != nil {
			return nil, nil, at("not a problem %s: %v", lineForm, err)
		}
		l, err := m.line(v)
		if err != nil {
			return nil, nil, at("not a problem %s: %v", lineForm, err)
		}
		for _, u := range m.unknown {
			unknown = append(unknown, fmt.Sprintf("%s:%d: the member %q is left out", name, i+1, clip(u, 40)))
		}
		switch {
		case !bench.ValidItem(l.ID):
			return nil, nil, at("the id %s is not made of letters, digits and . _ - inside", m.quote(l.ID))
		case seen[strings.ToLower(l.ID)] > 0:
			return nil, nil, at("the id %s stands on line %d too", l.ID, seen[strings.ToLower(l.ID)])
		}
		if err := m.check(&l); err != nil {
			return nil, nil, at("problem %s%v", l.ID, err)
		}
		seen[strings.ToLower(l.ID)], l.at = i+1, i+1
		out = append(out, l)
	}
	if len(out) == 0 {
		return nil, nil, &bench.Error{File: name, Msg: "it holds no problem; one JSON object a line is wanted"}
	}
	return out, unknown, nil
}

// parseLine reads a line as one JSON value and nothing else. The error quotes nothing.
func parseLine(text []byte) (*strictjson.Value, error) {
	if len(text) > maxLine {
		return nil, fmt.Errorf("the line has %d bytes; at most %d are read", len(text), maxLine)
	}
	return strictjson.Parse(string(text))
}

// check finds what is wrong with a problem that has all its members. The error goes behind the problem's id.
func (m *memberReader) check(l *line) error {
	fault := func(format string, args ...any) error { return fmt.Errorf(": "+format, args...) }
	if strings.TrimSpace(l.Prompt) == "" {
		return fault("%q is empty", "prompt")
	}
	for _, d := range []struct{ name, text string }{{"from", l.From}, {"to", l.To}} {
		if _, ok := kairos.ParseDate(d.text); !ok {
			return fault("%s is a day such as 2026-01-31, and %s is none", d.name, m.quote(d.text))
		}
	}
	switch {
	case l.From >= l.To && m.private:
		return fault("the range does not end after its beginning")
	case l.From >= l.To:
		return fault("the range ends at %s and begins at %s", l.To, l.From)
	}
	for _, e := range l.Ambiguity {
		kinds := strings.Split(e, "|")
		for i, k := range kinds {
			switch {
			case !slices.Contains(Kinds, k):
				return fault("the kind %s is not known%s", m.word(k), bench.Nearest(k, Kinds))
			case slices.Contains(kinds[:i], k):
				return fault("the kind %q stands twice in %q", k, e)
			}
		}
	}
	if len(l.Readings) == 0 {
		return fault("it has no interpretations")
	}
	keys := map[string]bool{}
	for i, r := range l.Readings {
		if err := m.checkReading(r, keys); err != nil {
			return fmt.Errorf(", interpretation %d: %w", i+1, err)
		}
		keys[r.Key] = true
	}
	if len(l.Expected) > 0 && !slices.Equal(l.Expected, l.Readings[0].Expected) {
		return fault("expected is not that of the first interpretation")
	}
	return nil
}

func (m *memberReader) checkReading(r lineReading, keys map[string]bool) error {
	switch {
	case r.Key == "" || !validKey(r.Key):
		return fmt.Errorf("the key %s is empty, too long or not made of what can be seen", m.quote(r.Key))
	case keys[r.Key]:
		return fmt.Errorf("the key %s is that of another interpretation, too", m.quote(r.Key))
	case strings.TrimSpace(r.Assumption) == "":
		return fmt.Errorf("%q is empty", "assumption")
	case m.private && strings.TrimSpace(r.Body) == "": // published bodies stand in another file
		return fmt.Errorf("%q is empty", "body")
	case len(r.Expected) == 0:
		return fmt.Errorf("it has no points")
	}
	for k, x := range r.Expected {
		switch {
		case !validPoint(x):
			return fmt.Errorf("%s is no point such as 2026-01-31 or 2026-01-31T09:30", m.quote(x))
		case k > 0 && x < r.Expected[k-1]:
			return fmt.Errorf("the point %s stands after a later one", m.quote(x))
		}
	}
	return nil
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
	return append(yamlSafe(out), '\n')
}

// yamlSafe writes the characters that JSON may hold as they are, and YAML refuses or takes for line breaks, as escapes, which
// both read alike.
func yamlSafe(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for _, r := range string(text) {
		if r >= 0x7f && r <= 0x9f || r == 0xfeff || r == 0xfffe || r == 0xffff {
			out = fmt.Appendf(out, `\u%04x`, r)
		} else {
			out = utf8.AppendRune(out, r)
		}
	}
	return out
}
