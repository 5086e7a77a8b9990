package check

import (
	"context"
	"fmt"
	"strings"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/check/token"
)

// bounds is how often something may stand: exactly so often, or at least and at most.
type bounds struct {
	Exactly *int `json:"exactly,omitempty"`
	Min     *int `json:"min,omitempty"`
	Max     *int `json:"max,omitempty"`
}

func readBounds(f *bench.Fields, n *bench.Node) bounds {
	var b bounds
	read := func(key string) *int {
		if f.Node(key) == nil {
			return nil
		}
		v := f.Int(key)
		if v < 0 {
			f.Fault(n.Get(key).Errorf("%s cannot be negative", key))
		}
		return &v
	}
	b.Exactly, b.Min, b.Max = read("exactly"), read("min"), read("max")
	switch {
	case b.Exactly != nil && (b.Min != nil || b.Max != nil):
		f.Fault(n.Errorf("exactly stands alone, without min and max"))
	case b.Min != nil && b.Max != nil && *b.Min > *b.Max:
		f.Fault(n.Errorf("min %d is above max %d", *b.Min, *b.Max))
	}
	return b
}

func (b bounds) empty() bool { return b.Exactly == nil && b.Min == nil && b.Max == nil }

func (b bounds) allow(n int) bool {
	return (b.Exactly == nil || n == *b.Exactly) && (b.Min == nil || n >= *b.Min) && (b.Max == nil || n <= *b.Max)
}

func (b bounds) words() string {
	switch {
	case b.Exactly != nil:
		return fmt.Sprintf("exactly %d", *b.Exactly)
	case b.Min != nil && b.Max != nil:
		return fmt.Sprintf("%d to %d", *b.Min, *b.Max)
	case b.Min != nil:
		return fmt.Sprintf("at least %d", *b.Min)
	}
	return fmt.Sprintf("at most %d", *b.Max)
}

// unit is something that can be counted.
type unit struct {
	one, many string
	spans     func(s string) []token.Span // nil for characters
}

var units = map[string]unit{
	"words":      {"word", "words", token.Words},
	"sentences":  {"sentence", "sentences", func(s string) []token.Span { p, _ := token.Sentences(s); return p }},
	"lines":      {"line", "lines", token.Lines},
	"paragraphs": {"paragraph", "paragraphs", token.Paragraphs},
	"characters": {"character", "characters", nil},
}

func (u unit) count(s string) int {
	if u.spans == nil {
		return token.Runes(token.Trim(s))
	}
	return len(u.spans(s))
}

// countRule counts units in the whole answer.
type countRule struct {
	Unit string `json:"unit"`
	bounds
}

func (r *countRule) params() any { return r }

func (r *countRule) words() string {
	u := units[r.Unit]
	s := r.bounds.words() + " " + u.many
	switch r.Unit {
	case "sentences":
		s += " (a run of . ? ! ends one; no text may follow the last)"
	case "lines":
		s += " (blank lines are not counted)"
	case "words":
		s += " (runs of characters between white space)"
	}
	return s
}

func (r *countRule) judge(_ context.Context, in *input) result {
	u := units[r.Unit]
	n := u.count(in.text)
	want, got := r.bounds.words()+" "+u.many, fmt.Sprintf("%d", n)
	if r.Unit == "sentences" {
		if _, rest := token.Sentences(in.text); rest.End > rest.Start {
			return failAt(rest, "text stands after the last sentence's end", want, fmt.Sprintf("%d and the rest %q", n, clip(rest.Of(in.text))))
		}
	}
	if r.allow(n) {
		return pass(want, got)
	}
	why := fmt.Sprintf("%d %s, wanted %s", n, plural(n, u.one, u.many), r.bounds.words())
	if u.spans != nil { // underline what is too much, or the whole where something is missing
		spans := u.spans(in.text)
		if most, ok := r.most(); ok && n > most {
			return failAt(token.Span{Start: spans[most].Start, End: spans[n-1].End}, why, want, got)
		}
	}
	return failAt(token.TrimSpan(in.text, token.Span{Start: 0, End: len(in.text)}), why, want, got)
}

func (b bounds) most() (int, bool) {
	switch {
	case b.Exactly != nil:
		return *b.Exactly, true
	case b.Max != nil:
		return *b.Max, true
	}
	return 0, false
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// perRule counts units inside each larger unit.
type perRule struct {
	Unit  string `json:"unit"`
	Per   string `json:"per"`
	After string `json:"after"` // a prefix that each larger unit has and that is not counted
	bounds
}

func (r *perRule) params() any { return r }

func (r *perRule) words() string {
	s := fmt.Sprintf("each %s has %s %s", units[r.Per].one, r.bounds.words(), units[r.Unit].many)
	if r.After != "" {
		s += fmt.Sprintf(" after %q", r.After)
	}
	return s
}

func (r *perRule) judge(_ context.Context, in *input) result {
	want := r.bounds.words() + " " + units[r.Unit].many
	worst := 0
	parts := units[r.Per].spans(in.text)
	if r.Per == "sentences" {
		if _, rest := token.Sentences(in.text); rest.End > rest.Start {
			parts = append(parts, rest) // unfinished, but begun: without it an answer without a full stop would have nothing to count
		}
	}
	for i, p := range parts {
		part := strings.TrimPrefix(token.Visible(p.Of(in.text)), r.After)
		n := units[r.Unit].count(part)
		if r.Unit == "sentences" {
			if _, rest := token.Sentences(part); rest.End > rest.Start {
				return failAt(token.TrimSpan(in.text, p), fmt.Sprintf("%s %d has text after its last sentence's end", units[r.Per].one, i+1), want, fmt.Sprintf("%d and the rest %q", n, clip(rest.Of(part))))
			}
		}
		if !r.allow(n) {
			return failAt(token.TrimSpan(in.text, p), fmt.Sprintf("%s %d has %d %s", units[r.Per].one, i+1, n, plural(n, units[r.Unit].one, units[r.Unit].many)), want, fmt.Sprint(n))
		}
		worst = max(worst, n)
	}
	return pass(want, fmt.Sprintf("at most %d", worst))
}

func init() {
	for name := range units {
		register(kind{name: name, version: 1, mutate: mutateCount,
			doc:     fmt.Sprintf("counts %s: {exactly: N} or {min: N, max: N}", name),
			compile: func(_ *compiler, n *bench.Node) (rule, error) { return compileCount(name, "", n) }})
	}
	for _, p := range [][2]string{{"words", "line"}, {"words", "sentence"}, {"words", "paragraph"}, {"characters", "line"}, {"sentences", "paragraph"}} {
		many := map[string]string{"line": "lines", "sentence": "sentences", "paragraph": "paragraphs"}[p[1]]
		register(kind{name: p[0] + "_per_" + p[1], version: 1, mutate: mutatePer,
			doc:     fmt.Sprintf("counts %s in each %s: {exactly: N} or {min: N, max: N}, after: PREFIX (not counted)", p[0], p[1]),
			compile: func(_ *compiler, n *bench.Node) (rule, error) { return compileCount(p[0], many, n) }})
	}
}

func compileCount(unit, per string, n *bench.Node) (rule, error) {
	f := bench.NewFields(n)
	b := readBounds(f, n)
	if b.empty() && n.Kind == bench.Map {
		f.Fault(n.Errorf("give exactly, min or max"))
	}
	if per == "" {
		return &countRule{unit, b}, f.Done()
	}
	after := f.Text("after")
	return &perRule{unit, per, after, b}, f.Done()
}
