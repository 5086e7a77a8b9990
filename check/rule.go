package check

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"strings"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/check/token"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/sandbox"
)

// A rule is one compiled test of an answer: a small pure function. Rules that run something reach the outside only
// through input.box.
type rule interface {
	// judge looks at an answer that is not blank.
	judge(ctx context.Context, in *input) result
	// words says the rule in words, for authors and readers, from the same object that judges.
	words() string
	// params gives the rule's parameters with defaults filled in; their canonical JSON goes into the grader's digest.
	params() any
}

// result is what one rule saw.
type result struct {
	state record.State // Graded, Unread or Ungradable
	pass  bool
	why   string
	where *token.Span // in the raw answer
	want  string
	got   string
	diag  map[string]any // never binding
}

func pass(want, got string) result {
	return result{state: record.Graded, pass: true, want: want, got: got}
}

func fail(why, want, got string) result {
	return result{state: record.Graded, why: why, want: want, got: got}
}

func failAt(p token.Span, why, want, got string) result {
	return result{state: record.Graded, why: why, where: &p, want: want, got: got}
}

func unread(why, want, got string) result {
	return result{state: record.Unread, why: why, want: want, got: got}
}

func ungradable(why string) result {
	return result{state: record.Ungradable, why: why}
}

// input is an answer on its way through the rules of one item.
type input struct {
	text   string
	folds  [2]*token.Folded
	marked [2]struct {
		text        token.Folded
		looked, any bool
	}
	plain  *token.Folded
	box    Box
	nobox  string // why box is nil
	diagno bool   // this is the tolerant pass: diagnostics of diagnostics are left out
}

// Box is what the execution rules need of a sandbox.
type Box interface {
	Run(ctx context.Context, j sandbox.Job) (sandbox.Result, error)
	Python(ctx context.Context) (string, error)
	Tier() sandbox.Tier
}

// find gives the first place in the raw answer where a folded text stands, with emphasis marks taken as written or passed
// over: "there is **no** such" holds "there is no such", whether that is wanted or banned.
func (in *input) find(needle string, foldCase bool, how token.Match) (token.Span, bool) {
	f := in.fold(foldCase)
	if p, ok := f.Index(needle, how, 0); ok {
		return f.Raw(p), true
	}
	i := 0
	if foldCase {
		i = 1
	}
	if !in.marked[i].looked {
		in.marked[i].text, in.marked[i].any = f.Unmarked()
		in.marked[i].looked = true
	}
	if m := &in.marked[i]; m.any {
		if p, ok := m.text.Index(needle, how, 0); ok {
			return m.text.Raw(p), true
		}
	}
	return token.Span{}, false
}

// sandboxTries is how often a run in the sandbox is begun when the sandbox itself fails, before the answer is ungradable.
const sandboxTries = 3

// execute runs a job. What the candidate does is in the result and is never repeated; only a fault of the sandbox's own is,
// since the machine may have been short of something for a moment.
func (in *input) execute(ctx context.Context, j sandbox.Job) (res sandbox.Result, err error) {
	for range sandboxTries {
		if res, err = in.box.Run(ctx, j); err == nil || ctx.Err() != nil {
			break
		}
		if _, missing := errors.AsType[*sandbox.NoProgram](err); missing {
			break
		}
	}
	return res, err
}

// fold gives the answer ready for substring matching, made once.
func (in *input) fold(foldCase bool) *token.Folded {
	i := 0
	if foldCase {
		i = 1
	}
	if in.folds[i] == nil {
		f := token.Fold(in.text, foldCase)
		in.folds[i] = &f
	}
	return in.folds[i]
}

// plainText gives the answer ready for patterns and whole comparison, made once.
func (in *input) plainText() *token.Folded {
	if in.plain == nil {
		f := token.Plain(in.text)
		in.plain = &f
	}
	return in.plain
}

// kind is a kind of rule that items can use.
type kind struct {
	name     string
	version  int // raised by hand whenever what the kind decides changes; a golden test guards it
	doc      string
	compile  func(c *compiler, n *bench.Node) (rule, error)
	mutate   func(r rule, ref string) []mutation // near-misses that must break the rule; nil: none of its own
	executes bool
	python   bool
}

var kinds = map[string]*kind{}

func register(k kind) {
	if kinds[k.name] != nil {
		panic("check: rule kind registered twice: " + k.name)
	}
	kinds[k.name] = &k
}

func kindNames() []string {
	out := make([]string, 0, len(kinds))
	for n := range kinds {
		out = append(out, n)
	}
	sort.Strings(out)
	return out
}

// KindDoc describes one kind of rule.
type KindDoc struct {
	Name    string `json:"name"`
	Version int    `json:"version"`
	Doc     string `json:"doc"`
}

// Kinds lists every kind of rule, sorted by name.
func Kinds() []KindDoc {
	out := make([]KindDoc, 0, len(kinds))
	for _, n := range kindNames() {
		out = append(out, KindDoc{n, kinds[n].version, kinds[n].doc})
	}
	return out
}

// named is a rule with its name in the item.
type named struct {
	name string // the kind's, with #2 … where a kind stands more than once
	kind *kind
	rule rule
}

// compiler turns an item's rule nodes into rules.
type compiler struct {
	bench *bench.Bench
	item  bench.Head
}

// rules compiles an item's rules: a list whose entries each have one key, the kind.
func (c *compiler) rules(n *bench.Node) ([]named, error) {
	if n.Kind != bench.List || len(n.Values) == 0 {
		return nil, n.Errorf("rules is a list with at least one rule, such as \"- words: {exactly: 30}\"")
	}
	var out []named
	var errs []error
	seen := map[string]int{}
	for _, v := range n.Values {
		if v.Kind != bench.Map || len(v.Keys) != 1 {
			errs = append(errs, v.Errorf("a rule has one key, its kind, such as \"- words: {exactly: 30}\""))
			continue
		}
		k := kinds[v.Keys[0].Text]
		if k == nil {
			errs = append(errs, v.Keys[0].Errorf("unknown rule %q%s", v.Keys[0].Text, bench.Nearest(v.Keys[0].Text, kindNames())))
			continue
		}
		r, err := k.compile(c, v.Values[0])
		if err != nil {
			errs = append(errs, err)
			continue
		}
		seen[k.name]++
		name := k.name
		if seen[k.name] > 1 {
			name = fmt.Sprintf("%s#%d", k.name, seen[k.name])
		}
		out = append(out, named{name, k, r})
	}
	return out, errors.Join(errs...)
}

// quoteList writes texts for people: "a", "b" or "c".
func quoteList(texts []string, last string) string {
	q := make([]string, len(texts))
	for i, t := range texts {
		q[i] = fmt.Sprintf("%q", t)
	}
	if len(q) < 2 {
		return strings.Join(q, "")
	}
	return strings.Join(q[:len(q)-1], ", ") + " " + last + " " + q[len(q)-1]
}

// clip bounds what a finding quotes of an answer.
func clip(s string) string {
	const most = 120
	if len(s) <= most {
		return s
	}
	cut := most
	for cut > 0 && s[cut]&0xC0 == 0x80 {
		cut--
	}
	return s[:cut] + "…"
}
