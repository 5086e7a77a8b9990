package contract

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/contract/compat"
	"github.com/assaybench/assay/contract/derive"
	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/contract/prose"
	"github.com/assaybench/assay/world"
)

// shows says whether a selector written in YAML recognises a call with this result.
func shows(t *testing.T, selector, args, result string) bool {
	t.Helper()
	n, err := bench.Parse("s.yaml", []byte(selector))
	if err != nil {
		t.Fatal(err)
	}
	p := &parser{c: &Contract{}}
	s, f := p.selector(n)
	p.fail(f.Done())
	if len(p.errs) > 0 {
		t.Fatal(p.errs)
	}
	c := newCall(&world.Event{Actor: world.Agent, Tool: s.Tool, Args: []byte(args), Status: world.OK, Result: []byte(result)})
	return s.matches(c, &scope{x: &Expected{}})
}

// Each row of the table in docs/contract-format.md that speaks of selectors: what the other engine decides, and what we do.
func TestSelectorsDiffer(t *testing.T) {
	for _, c := range []struct {
		name, result, fragment string
		selector               string
		theirs, ours           bool
	}{
		{"deeper", `{"data":{"row":{"id":"A1"}}}`, `{"id":"A1"}`, "{tool: x, result: {/id: A1}}", true, false},
		{"where it is", `{"data":{"row":{"id":"A1"}}}`, `{"id":"A1"}`, "{tool: x, result: {/data/row/id: A1}}", true, true},
		{"a parent's copy", `{"parent":{"id":"A1"},"id":"ZZ"}`, `{"id":"A1"}`, "{tool: x, result: {/id: A1}}", true, false},
		{"false for 0", `{"total":false}`, `{"total":0}`, "{tool: x, result: {/total: 0}}", true, false},
		{"another order", `{"x":[1,2,3]}`, `{"x":[3,1]}`, "{tool: x, result: {/x: {is: [3, 1]}}}", true, false},
		{"some element", `{"x":[1,2,3]}`, `{"x":[3]}`, "{tool: x, result: {/x/*: 3}}", true, true},
		{"one element", `{"rows":[{"id":"A1","s":"x"},{"id":"B2","s":"y"}]}`, `{"id":"A1","s":"y"}`, "{tool: x, result: {/rows/*/id: A1, /rows/*/s: y}}", false, false},
		{"text for number", `{"x":"12"}`, `{"x":12}`, "{tool: x, result: {/x: 12}}", false, false},
		{"by value", `{"x":12.0}`, `{"x":12}`, "{tool: x, result: {/x: 12}}", true, true},
		{"arguments", `{"id":"A1"}`, `{"id":"A1"}`, "{tool: x, args: {q: b}, result: {/id: A1}}", true, false},
	} {
		actual, err := exact.Decode([]byte(c.result))
		if err != nil {
			t.Fatal(err)
		}
		fragment, err := exact.Decode([]byte(c.fragment))
		if err != nil {
			t.Fatal(err)
		}
		if got := compat.ResultContains(actual, fragment); got != c.theirs {
			t.Errorf("%s: theirs is %v, want %v", c.name, got, c.theirs)
		}
		if got := shows(t, c.selector, `{"q":"a"}`, c.result); got != c.ours {
			t.Errorf("%s: ours is %v, want %v", c.name, got, c.ours)
		}
	}
	if _, err := parsePredicate(mustParse(t, "{}")); err == nil {
		t.Error("an empty predicate is taken")
	}
}

func mustParse(t *testing.T, s string) *bench.Node {
	t.Helper()
	n, err := bench.Parse("s.yaml", []byte(s))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// Each row that speaks of texts.
func TestTextsDiffer(t *testing.T) {
	for _, c := range []struct {
		text         string
		facts        []string
		theirs, ours bool
	}{
		{"Visit BF-7101 ends 2026-03-11.", []string{"BF-7101", "2026-03-11"}, true, true},
		{"BF-7101 2026-03-11", []string{"BF-7101", "2026-03-11"}, true, false},
		{"We did NOT book BF-7101; 2026-03-11 was refused.", []string{"BF-7101", "2026-03-11"}, true, false},
		{"BF-71010 ends on 2026-03-11 for us", []string{"BF-7101", "2026-03-11"}, false, false},
		{"Visit BF-7101-2 ends on 2026-03-11 for us", []string{"BF-7101", "2026-03-11"}, true, false},
		{"The café BF-7101 is booked for her.", []string{"caf"}, true, false},
		{"The visit BF-7101 ends on 11 March 2026.", []string{"2026-03-11"}, false, true},
		{"   ", nil, false, false},
	} {
		if got := compat.FactsMatch(c.text, c.facts); got != c.theirs {
			t.Errorf("%q: theirs is %v, want %v", c.text, got, c.theirs)
		}
		s := &scope{x: &Expected{}}
		var all []prose.Fact
		for _, f := range c.facts {
			fact := Fact{Term: Term{Literal: f}, Form: "date"}
			if !strings.HasPrefix(f, "2026") {
				fact.Form = "text"
			}
			w, ok := fact.resolve(s)
			if !ok {
				t.Fatal(f)
			}
			all = append(all, w)
		}
		text := prose.Prepare(c.text)
		ours := !prose.Blank(c.text)
		for _, f := range all {
			ours = ours && prose.Look(text, f, all).Asserted
		}
		if ours != c.ours {
			t.Errorf("%q: ours is %v, want %v", c.text, ours, c.ours)
		}
	}
	// A message that must say nothing is no criterion.
	if _, _, err := compileText(t, edit(t, contractText(t), "facts: [{value: booking.booking_id}, {value: chosen.outcome}, {value: gap}]", "facts: []")); err == nil || !strings.Contains(err.Error(), "name its facts") {
		t.Errorf("a message without facts: %v", err)
	}
}

// The example of docs/contract-format.md is a contract, and every lint and operator of the code stands in the page.
func TestDocument(t *testing.T) {
	b, err := os.ReadFile("../docs/contract-format.md")
	if err != nil {
		t.Fatal(err)
	}
	doc := string(b)
	_, rest, ok := strings.Cut(doc, "```yaml\n")
	example, _, ok2 := strings.Cut(rest, "```")
	if !ok || !ok2 {
		t.Fatal("the document has no example")
	}
	c, lints, err := compileText(t, example)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lints {
		if l.Fault {
			t.Errorf("the example: %s", &l)
		}
	}
	if got := c.weight("answer.gap").RatString(); got != "3" {
		t.Errorf("the example's weight is %s", got)
	}
	x, err := c.Derive(newDepot())
	if err != nil {
		t.Fatal(err)
	}
	if x.Chosen != "A" || x.Values["A.outcome"].String() != "2034-05-16" {
		t.Errorf("the example chooses %s", x.Chosen)
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	codes := 0
	for _, file := range files {
		code, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		for _, name := range names(string(code)) {
			codes++
			if !strings.Contains(doc, "`"+name+"`") {
				t.Errorf("the document says nothing of the lint %s", name)
			}
		}
	}
	if codes < 12 {
		t.Errorf("only %d lints were found in the code", codes)
	}
	for _, name := range slices.Concat(predicateOps, gateNames, derive.Operators()) {
		if !strings.Contains(doc, "`"+name) && !strings.Contains(doc, "{"+name+":") {
			t.Errorf("the document says nothing of %s", name)
		}
	}
}

// names gives the codes of lints that a source file uses.
func names(code string) []string {
	var out []string
	for _, call := range []string{`l.fault("`, `l.warn("`, `put("`} {
		for _, part := range strings.Split(code, call)[1:] {
			name, _, _ := strings.Cut(part, `"`)
			out = append(out, name)
		}
	}
	return out
}
