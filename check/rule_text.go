package check

import (
	"context"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/check/token"
)

// equalsRule wants the whole answer, trimmed, to be one of its texts.
type equalsRule struct {
	Any      []string `json:"any"`
	FoldCase bool     `json:"fold_case"`
}

func (r *equalsRule) params() any { return r }

func (r *equalsRule) words() string {
	return "the whole answer, trimmed, is " + quoteList(r.Any, "or") + caseWords(r.FoldCase)
}

func (r *equalsRule) judge(_ context.Context, in *input) result {
	got := in.plainText().Text
	for _, t := range r.Any {
		if t = token.Plain(t).Text; got == t || r.FoldCase && token.Fold(got, true).Text == token.Fold(t, true).Text {
			return pass(r.words(), "so")
		}
	}
	return failAt(token.TrimSpan(in.text, token.Span{Start: 0, End: len(in.text)}), "another text", quoteList(r.Any, "or"), fmt.Sprintf("%q", clip(got)))
}

// oneLineRule wants one line and no fence. "A shell or regex reply is one line after trimming; more than one line, or a
// fence, fails strictly."
type oneLineRule struct{}

func (r *oneLineRule) params() any { return struct{}{} }

func (r *oneLineRule) words() string { return "one line after trimming, without a code fence" }

func (r *oneLineRule) judge(_ context.Context, in *input) result {
	if _, res := oneLine(in.text); res != nil {
		return *res
	}
	return pass("one line", "one line")
}

// oneLine gives the one line that a reply is, or the result that says why it is not one.
func oneLine(s string) (token.Span, *result) {
	lines := token.Lines(s)
	p := token.TrimSpan(s, token.Span{Start: 0, End: len(s)})
	if strings.HasPrefix(p.Of(s), "```") || strings.HasPrefix(p.Of(s), "~~~") {
		r := unread("a code fence stands around the reply", "one line, no fence", fmt.Sprintf("%q", clip(p.Of(s))))
		r.where = &p
		return p, &r
	}
	if len(lines) != 1 {
		r := unread(fmt.Sprintf("%d lines, and one was asked for", len(lines)), "one line", fmt.Sprintf("%d lines", len(lines)))
		if len(lines) > 1 {
			r.where = &token.Span{Start: lines[1].Start, End: lines[len(lines)-1].End}
		}
		return p, &r
	}
	return p, nil
}

// patternRule holds a regular expression (RE2 syntax, linear time) against the answer as token.Plain gives it: trimmed, line
// breaks as line feeds, nothing invisible in it.
type patternRule struct {
	Regex string   `json:"regex"`
	Ban   bool     `json:"ban"`
	Any   []string `json:"any,omitempty"` // of the last match's one group, case-folded; then what it must be
	re    *regexp.Regexp
}

func (r *patternRule) params() any { return r }

func (r *patternRule) words() string {
	switch {
	case len(r.Any) > 0:
		return fmt.Sprintf("the last match of the pattern %s has %s in its group (upper or lower case)", r.Regex, quoteList(r.Any, "or"))
	case r.Ban:
		return "nothing matches the pattern " + r.Regex
	}
	return "something matches the pattern " + r.Regex
}

func (r *patternRule) judge(_ context.Context, in *input) result {
	want := r.words()
	plain := in.plainText()
	if len(r.Any) == 0 {
		loc := r.re.FindStringIndex(plain.Text)
		switch {
		case loc == nil && r.Ban:
			return pass(want, "none")
		case loc == nil:
			return fail("nothing matches", want, "none")
		case r.Ban:
			p := plain.Raw(token.Span{Start: loc[0], End: loc[1]})
			return failAt(p, "something matches", want, fmt.Sprintf("%q", clip(p.Of(in.text))))
		}
		return pass(want, fmt.Sprintf("%q", clip(plain.Text[loc[0]:loc[1]])))
	}
	all := r.re.FindAllStringSubmatchIndex(plain.Text, maxMatches+1)
	switch {
	case len(all) == 0 || all[len(all)-1][2] < 0:
		return unread("nothing matches the pattern's group", want, "none")
	case len(all) > maxMatches:
		return unread(fmt.Sprintf("the pattern matches more than %d times", maxMatches), want, "too many")
	}
	m := all[len(all)-1]
	p := plain.Raw(token.Span{Start: m[2], End: m[3]})
	got := token.Fold(p.Of(in.text), true).Text
	if !slices.ContainsFunc(r.Any, func(t string) bool { return token.Fold(t, true).Text == got }) {
		return failAt(p, "the group holds another text", want, fmt.Sprintf("%q", clip(p.Of(in.text))))
	}
	return pass(want, fmt.Sprintf("%q", clip(p.Of(in.text))))
}

// maxMatches bounds the memory that a hostile answer can cause; the last match is sought in no more.
const maxMatches = 100_000

func init() {
	register(kind{name: "equals", version: 1, mutate: mutateWhole,
		doc: "the whole answer, trimmed, is one of the texts: TEXT, {text: T} or {any: [T…], fold_case: false}",
		compile: func(_ *compiler, n *bench.Node) (rule, error) {
			r := &equalsRule{}
			if n.Kind == bench.Scalar {
				text, err := someText(n)
				r.Any = []string{text}
				return r, err
			}
			f := bench.NewFields(n)
			r.Any, r.FoldCase = append(f.Texts("text"), f.Texts("any")...), f.Bool("fold_case", false)
			if n.Kind == bench.Map {
				f.Fault(notBlank(n, r.Any))
			}
			return r, f.Done()
		}})
	register(kind{name: "one_line", version: 1, mutate: mutateOneLine,
		doc: "the reply is one line after trimming, without a code fence: true",
		compile: func(_ *compiler, n *bench.Node) (rule, error) {
			if v, err := n.AsBool(); err != nil || !v {
				return nil, n.Errorf("one_line: true is the only form")
			}
			return &oneLineRule{}, nil
		}})
	for _, ban := range []bool{false, true} {
		name, doc := "matches", "something in the answer matches a pattern (RE2): REGEX or {regex: R}"
		if ban {
			name, doc = "not_matches", "nothing in the answer matches a pattern (RE2): REGEX or {regex: R}"
		}
		register(kind{name: name, version: 1, mutate: mutateWhole, doc: doc,
			compile: func(_ *compiler, n *bench.Node) (rule, error) {
				r := &patternRule{Ban: ban}
				if n.Kind == bench.Scalar {
					text, err := n.AsText()
					if err != nil {
						return nil, err
					}
					return r, r.build(n, text, -1)
				}
				f := bench.NewFields(n)
				if re := f.NeedText("regex"); re != "" {
					f.Fault(r.build(n, re, -1))
				}
				return r, f.Done()
			}})
	}
	register(kind{name: "captures", version: 1, mutate: mutateWhole,
		doc: "the one group of a pattern's last match is one of the texts: {regex: R with exactly one group, any: [T…]}",
		compile: func(_ *compiler, n *bench.Node) (rule, error) {
			f := bench.NewFields(n)
			r := &patternRule{Any: f.Texts("any")}
			if any := f.Need("any"); any != nil {
				f.Fault(notBlank(any, r.Any))
			}
			if re := f.NeedText("regex"); re != "" {
				f.Fault(r.build(n, re, 1))
			}
			return r, f.Done()
		}})
}

func notBlank(n *bench.Node, texts []string) error {
	if len(texts) == 0 {
		return n.Errorf("a text is wanted here")
	}
	for _, t := range texts {
		if token.Blank(t) {
			return n.Errorf("an empty text cannot be the answer: an empty answer never passes")
		}
	}
	return nil
}

// build compiles and lints a pattern: it has exactly the groups that the rule needs (-1: any number), it cannot match the
// empty text, and an alternation beside an anchor stands in a group (`\ban|a|the\b` means something else than it looks).
func (r *patternRule) build(n *bench.Node, pattern string, groups int) error {
	at := n
	if g := n.Get("regex"); g != nil {
		at = g
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return at.Errorf("the pattern cannot be compiled: %s", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	r.Regex, r.re = pattern, re
	if groups >= 0 && re.NumSubexp() != groups {
		return at.Errorf("the pattern has %d groups, and this rule needs exactly %d; write (?:…) for a group that captures nothing", re.NumSubexp(), groups)
	}
	if re.MatchString("") {
		return at.Errorf("the pattern matches the empty text, so it says nothing")
	}
	if tree, err := syntax.Parse(pattern, syntax.Perl); err == nil && looseAlternation(tree) {
		return at.Errorf("an alternation stands beside an anchor without a group, so the anchor binds one branch only; write (?:…|…)")
	}
	return nil
}

// looseAlternation finds a top-level alternation some of whose branches begin or end with an anchor and some do not.
func looseAlternation(re *syntax.Regexp) bool {
	if re.Op != syntax.OpAlternate {
		return false
	}
	first, last := 0, 0
	for _, b := range re.Sub {
		if anchorAt(b, true) {
			first++
		}
		if anchorAt(b, false) {
			last++
		}
	}
	n := len(re.Sub)
	return first > 0 && first < n || last > 0 && last < n
}

func anchorAt(re *syntax.Regexp, head bool) bool {
	switch re.Op {
	case syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText, syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return true
	case syntax.OpConcat:
		if head {
			return anchorAt(re.Sub[0], head)
		}
		return anchorAt(re.Sub[len(re.Sub)-1], head)
	}
	return false
}
