// Package check is the shape of prompt items: one prompt, one answer, judged by rules over the answer. It compiles the
// rules that an item's YAML holds, judges, and explains them in words. Every rule is a pure function of the answer; the
// two that run something (shell, python_regex) reach the outside only through package sandbox.
package check

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/assaybench/assay/bench"
)

// Item is a compiled prompt item.
type Item struct {
	bench.Head
	Prompt   string // as the model gets it, the passage put in
	Fixture  string // below fixtures/, "" where there is none
	Notes    string
	Checker  string // an imported item's checker name
	Blocked  string // why the item cannot run (imports: an unknown checker, a missing fixture), else ""
	rules    []named
	unruled  bool // the rules could not be compiled: what controls say of them cannot be held against them
	controls []bench.Control
}

const passageMark = "{passage}"

// maxPrompt bounds a prompt with its passage; no model's context holds as much.
const maxPrompt = 64 << 20

// compileItem reads a prompt item. What is wrong with the files is an error; what an import lacks makes the item Blocked.
func compileItem(b *bench.Bench, raw *bench.Item) (*Item, error) {
	f := bench.NewFields(raw.Node)
	for _, k := range bench.CommonKeys {
		f.Node(k)
	}
	it := &Item{Head: raw.Head, Prompt: f.NeedText("prompt"), Fixture: f.Text("fixture"), Notes: f.Text("notes"), Checker: f.Text("checker"),
		Blocked: f.Text("cannot_run")}
	f.Node("expect") // facts for readers and for exports; the rules decide
	if it.Fixture != "" && raw.Node.Get("prompt") != nil {
		f.Fault(it.putPassage(b, raw.Node))
	} else if strings.Contains(it.Prompt, passageMark) {
		f.Fault(raw.Node.Get("prompt").Errorf("the prompt holds %s and the item names no fixture", passageMark))
	}
	rules := f.Node("rules")
	switch {
	case rules == nil && it.Blocked == "":
		f.Fault(raw.Node.Errorf("the key %q is missing", "rules"))
	case rules != nil:
		c := &compiler{bench: b, item: it.Head}
		var err error
		it.rules, err = c.rules(rules)
		if isMissingFixture(err) {
			it.Blocked, err = oneLineError(err), nil
		}
		f.Fault(err)
		it.unruled = err != nil
	}
	if c := f.Node("controls"); c != nil {
		var err error
		it.controls, err = it.readControls(c)
		f.Fault(err)
	}
	return it, f.Done()
}

func (it *Item) putPassage(b *bench.Bench, n *bench.Node) error {
	data, err := b.Fixture(it.Fixture)
	if err != nil {
		if it.Blocked == "" {
			it.Blocked = oneLineError(err)
		}
		return nil
	}
	if !strings.Contains(it.Prompt, passageMark) {
		if it.executes(n) {
			return nil // the fixture is what the reply is run on, not part of the prompt
		}
		return n.Get("prompt").Errorf("the item names a fixture and the prompt holds no %s", passageMark)
	}
	if places := strings.Count(it.Prompt, passageMark); len(it.Prompt)+places*len(data) > maxPrompt {
		return n.Get("prompt").Errorf("the prompt with its passage has more than %d bytes", maxPrompt)
	}
	it.Prompt = strings.ReplaceAll(it.Prompt, passageMark, strings.TrimRight(string(data), "\n"))
	return nil
}

// executes reports whether an item's rules, not yet compiled, run something.
func (it *Item) executes(n *bench.Node) bool {
	rules := n.Get("rules")
	if rules == nil {
		return it.Checker != ""
	}
	for _, r := range rules.Values {
		if r.Kind == bench.Map && len(r.Keys) == 1 {
			if k := kinds[r.Keys[0].Text]; k != nil && k.executes {
				return true
			}
		}
	}
	return false
}

// readControls reads {accept: [{name, answer, slow}…], reject: [{name, answer, breaks, slow}…]}.
func (it *Item) readControls(n *bench.Node) ([]bench.Control, error) {
	f := bench.NewFields(n)
	var out []bench.Control
	seen := map[string]bool{}
	for _, key := range []string{"accept", "reject"} {
		list := f.Node(key)
		if list == nil {
			continue
		}
		if list.Kind != bench.List {
			f.Fault(list.Errorf("%s is a list of controls", key))
			continue
		}
		for i, v := range list.Values {
			c, err := it.readControl(v, key == "accept", i+1)
			f.Fault(err)
			if seen[c.Name] {
				f.Fault(v.Errorf("two controls are named %q", c.Name))
			}
			seen[c.Name] = true
			out = append(out, c)
		}
	}
	return out, f.Done()
}

func (it *Item) readControl(n *bench.Node, accept bool, place int) (bench.Control, error) {
	f := bench.NewFields(n)
	c := bench.Control{Accept: accept, Name: f.Text("name"), Slow: f.Bool("slow", false), File: n.File, Line: n.Line}
	if a := f.Need("answer"); a != nil {
		c.Answer = f.Text("answer")
	}
	if c.Name == "" {
		word := map[bool]string{true: "reference", false: "negative"}[accept]
		c.Name = word
		if place > 1 {
			c.Name = fmt.Sprintf("%s-%d", word, place)
		}
	}
	if !bench.ValidID(c.Name) || c.Name == "empty" {
		f.Fault(n.Errorf("the control's name %q is malformed, or taken by the built-in empty answer", c.Name))
	}
	if accept {
		return c, f.Done()
	}
	f.Need("breaks")
	c.Breaks = f.Texts("breaks")
	for _, b := range c.Breaks {
		if it.Blocked == "" && !it.unruled && len(it.rules) > 0 && !slices.ContainsFunc(it.rules, func(r named) bool { return r.name == b }) && b != emptyRule {
			f.Fault(n.Get("breaks").Errorf("the item has no rule %q%s", b, bench.Nearest(b, it.ruleNames())))
		}
	}
	return c, f.Done()
}

func (it *Item) ruleNames() []string {
	out := make([]string, len(it.rules))
	for i, r := range it.rules {
		out[i] = r.name
	}
	return out
}

// explain gives the rules in words.
func (it *Item) explain() []string {
	if it.Blocked != "" {
		return []string{"cannot run: " + it.Blocked}
	}
	out := make([]string, 0, len(it.rules))
	for _, r := range it.rules {
		out = append(out, r.name+": "+r.rule.words())
	}
	return out
}

// runs reports whether a rule of the item executes something, and whether one needs python.
func (it *Item) runs() (executes, python bool) {
	for _, r := range it.rules {
		executes, python = executes || r.kind.executes, python || r.kind.python
	}
	return executes, python
}

// oneLineError gives the first line of an error, for places that hold one line.
func oneLineError(err error) string {
	s, _, _ := strings.Cut(err.Error(), "\n")
	return s
}

func sorted(s []string) []string {
	sort.Strings(s)
	return s
}

func keys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	return out
}
