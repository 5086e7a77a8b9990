package check

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/check/token"
)

// presentRule wants texts in the answer: all of them, any of them, or any of each group. "Lists, required substrings,
// markers and banned phrases match as case-folded substrings."
type presentRule struct {
	All          []string   `json:"all,omitempty"`
	Groups       [][]string `json:"groups,omitempty"` // one group for "any"
	FoldCase     bool       `json:"fold_case"`
	WholeNumbers bool       `json:"whole_numbers"` // digits at a text's ends must not be part of a longer number
	needles      map[string]string
	shown, lists []string // the first group's own texts, and the bench's lists in it, in words
}

func (r *presentRule) params() any { return r }

func (r *presentRule) how() token.Match {
	if r.WholeNumbers {
		return token.WholeNumbers
	}
	return token.Substring
}

func (r *presentRule) words() string {
	var parts []string
	if len(r.All) > 0 {
		parts = append(parts, "contains "+quoteList(r.All, "and"))
	}
	for i := range r.Groups {
		parts = append(parts, "contains at least one of "+r.groupWords(i))
	}
	return strings.Join(parts, "; ") + caseWords(r.FoldCase) + numberWords(r.WholeNumbers)
}

func caseWords(fold bool) string {
	if fold {
		return ", upper or lower case"
	}
	return ", in exactly this case"
}

func numberWords(whole bool) string {
	if whole {
		return ", numbers not as part of longer ones"
	}
	return ""
}

func (r *presentRule) judge(_ context.Context, in *input) result {
	want := r.words()
	has := func(text string) bool {
		_, ok := in.find(r.needles[text], r.FoldCase, r.how())
		return ok
	}
	var missing []string
	for _, t := range r.All {
		if !has(t) {
			missing = append(missing, fmt.Sprintf("%q", t))
		}
	}
	for i, g := range r.Groups {
		if !slices.ContainsFunc(g, has) {
			missing = append(missing, r.groupWords(i))
		}
	}
	if len(missing) > 0 {
		return fail("missing: "+strings.Join(missing, "; "), want, "not there")
	}
	return pass(want, "there")
}

// groupWords words a group of texts.
func (r *presentRule) groupWords(i int) string {
	if i > 0 {
		return quoteList(r.Groups[i], "or")
	}
	return anyWords(r.Groups[i], r.shown, r.lists, "or")
}

// absentRule wants none of its texts in the answer.
type absentRule struct {
	Any          []string `json:"any"`
	FoldCase     bool     `json:"fold_case"`
	WholeNumbers bool     `json:"whole_numbers"`
	needles      map[string]string
	shown, lists []string // its own texts, and the bench's lists, in words
}

func (r *absentRule) params() any { return r }

func (r *absentRule) words() string {
	return "contains none of " + anyWords(r.Any, r.shown, r.lists, "and") + caseWords(r.FoldCase) + numberWords(r.WholeNumbers)
}

func (r *absentRule) judge(_ context.Context, in *input) result {
	how := token.Substring
	if r.WholeNumbers {
		how = token.WholeNumbers
	}
	want := "none of " + quoteList(r.Any, "and")
	for _, t := range r.Any {
		if raw, ok := in.find(r.needles[t], r.FoldCase, how); ok {
			return failAt(raw, fmt.Sprintf("contains %q", t), want, fmt.Sprintf("%q", clip(raw.Of(in.text))))
		}
	}
	return pass(want, "none")
}

// wordsRule counts whole words. "Required words match as whole words, case-folded."
type wordsRule struct {
	Words    []string `json:"words"`
	FoldCase bool     `json:"fold_case"`
	bounds            // for each word
	needles  map[string]string
}

func (r *wordsRule) params() any { return r }

func (r *wordsRule) words() string {
	if r.Max != nil && *r.Max == 0 {
		return "none of the words " + quoteList(r.Words, "and") + " appears" + caseWords(r.FoldCase)
	}
	return fmt.Sprintf("%s as whole words, each %s times%s", quoteList(r.Words, "and"), r.bounds.words(), caseWords(r.FoldCase))
}

func (r *wordsRule) judge(_ context.Context, in *input) result {
	f := in.fold(r.FoldCase)
	want := "each " + r.bounds.words() + " times"
	for _, w := range r.Words {
		found := f.Count(r.needles[w], token.WholeWords)
		if r.allow(len(found)) {
			continue
		}
		why, got := fmt.Sprintf("the word %q stands %d times", w, len(found)), fmt.Sprint(len(found))
		if most, ok := r.most(); ok && len(found) > most {
			return failAt(f.Raw(found[most]), why, want, got)
		}
		return fail(why, want, got)
	}
	return pass(want, "so")
}

func init() {
	register(kind{name: "present", version: 1, mutate: mutatePresent,
		doc:     "wants texts: TEXT, or one of {text: T}, {all: [T…]}, {any: [T…]}, {groups: [[T…]…]}; any takes lists: [NAME…] of the bench's lists too; fold_case: true, whole_numbers: false",
		compile: compilePresent})
	register(kind{name: "absent", version: 1, mutate: mutateAbsent,
		doc:     "bans texts: TEXT, {text: T} or {any: [T…]}, lists: [NAME…]; fold_case: true, whole_numbers: false",
		compile: compileAbsent})
	register(kind{name: "words_present", version: 1, mutate: mutateWords,
		doc: "wants whole words: {all: [W…], exactly|min|max: N for each}; min 1 by default; fold_case: true",
		compile: func(_ *compiler, n *bench.Node) (rule, error) {
			f := bench.NewFields(n)
			r := &wordsRule{bounds: readBounds(f, n), FoldCase: f.Bool("fold_case", true), Words: f.Texts("all")}
			f.Need("all")
			if r.bounds.empty() {
				one := 1
				r.Min = &one
			}
			r.needles = needles(f, n, r.FoldCase, r.Words)
			return r, f.Done()
		}})
	register(kind{name: "words_absent", version: 1, mutate: mutateWords,
		doc: "bans whole words: {any: [W…], fold_case: true}",
		compile: func(_ *compiler, n *bench.Node) (rule, error) {
			f := bench.NewFields(n)
			zero := 0
			r := &wordsRule{bounds: bounds{Max: &zero}, FoldCase: f.Bool("fold_case", true), Words: f.Texts("any")}
			f.Need("any")
			r.needles = needles(f, n, r.FoldCase, r.Words)
			return r, f.Done()
		}})
}

func compilePresent(c *compiler, n *bench.Node) (rule, error) {
	r := &presentRule{FoldCase: true}
	if n.Kind == bench.Scalar {
		text, err := someText(n)
		r.All = []string{text}
		r.needles = map[string]string{text: token.Fold(text, true).Text}
		return r, err
	}
	f := bench.NewFields(n)
	r.FoldCase, r.WholeNumbers = f.Bool("fold_case", true), f.Bool("whole_numbers", false)
	r.All = append(f.Texts("text"), f.Texts("all")...)
	any := f.Texts("any")
	lists, names := c.lists(f)
	r.shown, r.lists = any, names
	if any = slices.Concat(any, lists); len(any) > 0 {
		r.Groups = append(r.Groups, any)
	}
	if g := f.Node("groups"); g != nil {
		if g.Kind != bench.List || len(g.Values) == 0 {
			f.Fault(g.Errorf("groups is a list of lists of texts"))
		}
		for _, v := range g.Values {
			texts, err := v.AsTexts()
			f.Fault(err)
			r.Groups = append(r.Groups, texts)
		}
	}
	if len(r.All)+len(r.Groups) == 0 && n.Kind == bench.Map {
		f.Fault(n.Errorf("give text, all, any, groups or lists"))
	}
	r.needles = needles(f, n, r.FoldCase, append([][]string{r.All}, r.Groups...)...)
	return r, f.Done()
}

func compileAbsent(c *compiler, n *bench.Node) (rule, error) {
	r := &absentRule{FoldCase: true}
	if n.Kind == bench.Scalar {
		text, err := someText(n)
		r.Any = []string{text}
		r.needles = map[string]string{text: token.Fold(text, true).Text}
		return r, err
	}
	f := bench.NewFields(n)
	r.FoldCase, r.WholeNumbers = f.Bool("fold_case", true), f.Bool("whole_numbers", false)
	r.Any = append(f.Texts("text"), f.Texts("any")...)
	lists, names := c.lists(f)
	r.shown, r.lists = r.Any, names
	r.Any = slices.Concat(r.Any, lists)
	if len(r.Any) == 0 && n.Kind == bench.Map {
		f.Fault(n.Errorf("give text, any or lists"))
	}
	r.needles = needles(f, n, r.FoldCase, r.Any)
	return r, f.Done()
}

// lists gives the texts of the bench's lists that a rule names, and the names.
func (c *compiler) lists(f *bench.Fields) (out, names []string) {
	node := f.Node("lists")
	for _, name := range f.Texts("lists") {
		texts, ok := c.bench.Lists[name]
		if !ok {
			known := make([]string, 0, len(c.bench.Lists))
			for k := range c.bench.Lists {
				known = append(known, k)
			}
			f.Fault(node.Errorf("the bench has no list %q%s", name, bench.Nearest(name, sorted(known))))
		}
		out = append(out, texts...)
		names = append(names, fmt.Sprintf("the list %q (%d texts)", name, len(texts)))
	}
	return out, names
}

// anyWords words a choice of texts; those of the bench's lists are named by their list, which is shown once.
func anyWords(texts, shown, lists []string, last string) string {
	switch {
	case len(lists) == 0:
		return quoteList(texts, last)
	case len(shown) == 0:
		return strings.Join(lists, " "+last+" ")
	}
	return quoteList(shown, last) + " " + last + " " + strings.Join(lists, " "+last+" ")
}

// needles folds texts for matching. A text that folds to nothing would stand everywhere or nowhere, so it is a fault, and
// so is one that stands twice in one list.
func needles(f *bench.Fields, n *bench.Node, fold bool, lists ...[]string) map[string]string {
	out := map[string]string{}
	for _, texts := range lists {
		seen := map[string]bool{}
		for _, t := range texts {
			folded := token.Fold(t, fold).Text
			if token.Blank(folded) {
				f.Fault(n.Errorf("an empty text cannot be looked for"))
			}
			if seen[folded] {
				f.Fault(n.Errorf("the text %q stands twice", t))
			}
			seen[folded] = true
			out[t] = folded
		}
	}
	return out
}
