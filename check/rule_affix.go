package check

import (
	"context"
	"fmt"
	"strings"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/check/token"
)

// affixRule wants a text at the beginning or the end of the answer, or of each line, sentence, paragraph or word.
type affixRule struct {
	Text     string `json:"text"`
	FoldCase bool   `json:"fold_case"`
	End      bool   `json:"end"`
	Each     string `json:"each"` // "" for the answer as a whole
}

var eachUnits = map[string]string{"line": "lines", "sentence": "sentences", "paragraph": "paragraphs", "word": "words"}

func (r *affixRule) params() any { return r }

func (r *affixRule) words() string {
	what := "the answer"
	if r.Each != "" {
		what = "each " + r.Each
	}
	verb := "begins"
	if r.End {
		verb = "ends"
	}
	s := fmt.Sprintf("%s %s with %q", what, verb, r.Text)
	if r.FoldCase {
		s += ", upper or lower case"
	}
	switch {
	case (r.Each == "sentence" || r.Each == "word") && !r.End:
		s += " (opening quotes and brackets before it are passed over)"
	case r.Each == "sentence":
		s += " (closing quotes and brackets after it are passed over)"
	case r.Each == "word":
		s += " (closing quotes, brackets and punctuation after it are passed over)"
	}
	return s
}

func (r *affixRule) judge(_ context.Context, in *input) result {
	want := r.words()
	for i, p := range r.parts(in.text) {
		own := r.own(in.text, p)
		if r.holds(in.text, own) {
			continue
		}
		why := want + ": not so"
		if r.Each != "" {
			why = fmt.Sprintf("%s %d does not %s with %q", r.Each, i+1, map[bool]string{false: "begin", true: "end"}[r.End], r.Text)
		}
		return failAt(own, why, fmt.Sprintf("%q", r.Text), fmt.Sprintf("%q", clip(own.Of(in.text))))
	}
	return pass(want, "so")
}

// parts gives what must have the affix.
func (r *affixRule) parts(s string) []token.Span {
	if r.Each == "" {
		return []token.Span{token.TrimSpan(s, token.Span{Start: 0, End: len(s)})}
	}
	parts := units[eachUnits[r.Each]].spans(s)
	if r.Each == "sentence" {
		if _, rest := token.Sentences(s); rest.End > rest.Start {
			parts = append(parts, rest) // unfinished, but begun
		}
	}
	return parts
}

// own narrows a part to where its own first or last character stands. Lines are taken as they are, so that a prefix such
// as "- " must stand at the very beginning, but for invisible characters.
func (r *affixRule) own(s string, p token.Span) token.Span {
	switch {
	case r.Each == "sentence" && !r.End, r.Each == "word" && !r.End:
		p.Start = token.Head(s, p)
	case r.Each == "word" && r.End:
		p.End = token.Tail(s, p)
	case r.End:
		p = token.TrimSpan(s, p)
	}
	return p
}

// holds reports whether a part, narrowed to own, has the affix. A sentence's closing quotes and brackets may stand behind it.
func (r *affixRule) holds(s string, own token.Span) bool {
	if r.has(own.Of(s)) {
		return true
	}
	return r.Each == "sentence" && r.End && r.has(s[own.Start:token.Foot(s, own)])
}

func (r *affixRule) has(part string) bool {
	part, text := token.Visible(part), r.Text
	if r.FoldCase {
		part, text = token.Fold(part, true).Text, token.Fold(text, true).Text
	}
	if r.End {
		return strings.HasSuffix(part, text)
	}
	return strings.HasPrefix(part, text)
}

func init() {
	add := func(name, each string, end bool) {
		verb := map[bool]string{false: "begins", true: "ends"}[end]
		what := "the answer"
		if each != "" {
			what = "each " + each
		}
		register(kind{name: name, version: 1, mutate: mutateAffix,
			doc: fmt.Sprintf("%s %s with a text: TEXT or {text: TEXT, fold_case: false}", what, verb),
			compile: func(_ *compiler, n *bench.Node) (rule, error) {
				r := &affixRule{End: end, Each: each}
				return r, textAndFold(n, &r.Text, &r.FoldCase)
			}})
	}
	add("starts_with", "", false)
	add("ends_with", "", true)
	for each := range eachUnits {
		add("starts_each_"+each, each, false)
		add("ends_each_"+each, each, true)
	}
}

// someText reads a text that shows something: one that does not would stand everywhere or nowhere.
func someText(n *bench.Node) (string, error) {
	s, err := n.AsText()
	if err == nil && token.Blank(s) {
		err = n.Errorf("a text is wanted here, and this is empty")
	}
	return token.Visible(s), err
}

// textAndFold reads TEXT or {text: TEXT, fold_case: BOOL}.
func textAndFold(n *bench.Node, text *string, fold *bool) error {
	if n.Kind == bench.Scalar {
		var err error
		*text, err = someText(n)
		return err
	}
	f := bench.NewFields(n)
	if t := f.Need("text"); t != nil {
		var err error
		*text, err = someText(t)
		f.Fault(err)
	}
	*fold = f.Bool("fold_case", false)
	return f.Done()
}
