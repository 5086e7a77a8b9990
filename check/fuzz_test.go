package check

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/record"
)

// FuzzCompile takes any YAML as an item's file: an error or an item, never a panic, and never an item that an empty answer
// passes.
func FuzzCompile(f *testing.F) {
	for kind, list := range forms {
		f.Add(item("x", "- "+kind+": "+list[len(list)-1], "controls: {accept: [{answer: a b}], reject: [{answer: c, breaks: "+kind+"}]}\n"))
	}
	f.Add("id: x\nfamily: main\nbasis: exact\nfixture: lines.txt\nprompt: '{passage}'\nrules: [json: {keys: {a: {equals: 1}}}]\n")
	f.Fuzz(func(t *testing.T, text string) {
		set, err := load(tree(map[string]string{"x": text}, nil))
		if err != nil {
			if !strings.Contains(err.Error(), "items/x.yaml") {
				t.Fatalf("the error does not name the file: %v", err)
			}
			return
		}
		for _, answer := range []string{"", "\u200b\n", "Boats bob. ANSWER: 5"} {
			v := set.answer(t, "x", answer)
			checkVerdict(t, answer, v)
			if v.Pass && strings.Trim(answer, "\u200b\n") == "" {
				t.Fatalf("an empty answer passes %q", text)
			}
		}
		if _, err := set.Mutants("x"); err != nil {
			t.Fatal(err)
		}
		if _, err := set.Explain("x"); err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzJudge holds any answer against an item with every pure kind of rule.
func FuzzJudge(f *testing.F) {
	var rules []string
	for _, kind := range kindNames() {
		if !kinds[kind].executes {
			for _, form := range forms[kind] {
				rules = append(rules, "- "+kind+": "+form)
			}
		}
	}
	set := one(f, strings.Join(rules, "\n"))
	for _, p := range probes {
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, answer string) {
		v := set.answer(t, "x", answer)
		checkVerdict(t, answer, v)
		if v.Pass {
			t.Fatalf("%q passes rules that contradict each other", answer)
		}
		a, err := record.Canonical(v)
		if err != nil {
			t.Fatal(err)
		}
		b, err := record.Canonical(set.answer(t, "x", answer))
		if err != nil || !bytes.Equal(a, b) {
			t.Fatalf("%q: two gradings differ: %v\n%s\n%s", answer, err, a, b)
		}
	})
}

// mutable are references that pass, with the rules that they pass, so that every near-miss of every kind is made.
var mutable = []struct{ rules, ref string }{
	{"- sentences: {exactly: 2}\n- starts_each_sentence: B\n- absent: {any: [dog, Straße, '15']}\n- letters_absent: [x, ß]\n- ends_each_sentence: .", "Boats bob. “Bells ring.”"},
	{"- words: {exactly: 4}\n- words_present: {all: [tide, lantern], exactly: 1}\n- characters_absent: {any: [',', '!']}\n- words_absent: {any: [night]}", "The tide lifts lantern"},
	{"- lines: {exactly: 2}\n- starts_each_line: '- '\n- words_per_line: {max: 3, after: '- '}\n- characters_absent: {class: digit}\n- characters_per_line: {max: 20}", "- one two three\n- four\n"},
	{"- words: {min: 3, max: 10}\n- present: {groups: [['28', twenty-eight], [suit]]}\n- present: {all: [Double], fold_case: false}\n- characters_present: {class: punctuation}", "Double six: 28, each suit 7."},
	{"- paragraphs: {min: 2, max: 3}\n- words_per_paragraph: {max: 4}\n- sentences_per_paragraph: {max: 2}\n- ends_each_paragraph: .\n- characters: {max: 80}", "One two.\n\nThree. Four."},
	{"- words_per_sentence: {max: 3}\n- ends_with: over.\n- starts_with: {text: ALL, fold_case: true}", "All is well. It is over."},
	{"- starts_each_word: {text: q, fold_case: true}\n- ends_each_word: t\n- letters_present: q", "Quiet quart"},
	{"- ends_each_line: Q\n- starts_each_paragraph: Z\n- matches: '(?m)^Z'\n- not_matches: '[0-9]'", "Zap Q\nQ"},
	{"- answer: {number: 71.50}", "Work.\nANSWER: 3\nANSWER: $71.50"},
	{"- answer: {number: -5, tolerance: 0.5}", "ANSWER: -5.2"},
	{"- answer: {number: 0}", "ANSWER: 0"},
	{"- answer: {date: 2026-02-28, weekday: Saturday}", "ANSWER: 2026-02-28 Saturday"},
	{"- answer: {choice: B, of: [A, B, C]}", "ANSWER: b"},
	{"- answer: {text: Paris}", "ANSWER: paris\n"},
	{"- json: {keys: {s: {type: string, equals: double six}, n: {type: integer, equals: 28}, p: {type: number, equals: 1.5}, b: {type: boolean, equals: true}, l: {type: strings, equals: [a, b]}}}", " {\"s\": \"double six\", \"n\": 28,\n \"p\": 1.50, \"b\": true, \"l\": [\"a\", \"b\"]}\n"},
	{"- json: {keys: {a: {type: string, equals: a}}}", `{"a":"a"}`},
	{"- equals: {any: [yes, no], fold_case: true}", "Yes\n"},
	{"- one_line: true", "x y"},
	{`- captures: {regex: 'is (\w+)', any: [four]}`, "It is four"},
	{`- shell: {cases: [{folder: logs, stdout: "1"}]}`, "grep -c error a.txt"},
	{"- python_regex: {cases: [{file: lines.txt, lines: [1, 3], total: 3}]}", `\d`},
	{"- words: {max: 2000000}", "a b"},
	{"- characters: {max: 999999999999}\n- words_per_line: {max: 999999999999}", "a b"},
}

// TestMutants: each near-miss breaks the rule that made it, and what means nothing breaks nothing.
func TestMutants(t *testing.T) {
	made := map[string]int{}
	for _, c := range mutable {
		set := mustLoad(t, tree(map[string]string{"x": item("x", c.rules, "controls:\n  accept:\n    - answer: "+quoteYAML(c.ref)+"\n")}, nil))
		set.box = fakeBox{}
		if v := set.answer(t, "x", c.ref); !v.Pass {
			t.Errorf("%s\n\trefuses its reference %q: %+v", c.rules, c.ref, v.Findings)
			continue
		}
		mutants, err := set.Mutants("x")
		if err != nil {
			t.Fatal(err)
		}
		again, _ := set.Mutants("x")
		seen := map[string]bool{}
		for i, m := range mutants {
			if again[i] != m {
				t.Errorf("%s: the near-miss %s differs when made twice", c.rules, m.Name)
			}
			if seen[m.Name] {
				t.Errorf("%s: two near-misses are named %s", c.rules, m.Name)
			}
			seen[m.Name] = true
			v := set.answer(t, "x", m.Answer)
			switch m.Breaks {
			case bench.NoRule:
				if !v.Pass {
					t.Errorf("%s: %s must change nothing: %q: %+v", c.rules, m.Name, m.Answer, v.Findings)
				}
			case bench.AnyRule:
				if v.Pass && m.Name != "foreign-prose" && m.Name != "prompt-echo" { // these few rules bound no subject
					t.Errorf("%s: %s passes", c.rules, m.Name)
				}
			default:
				broke := false
				for _, f := range v.Findings {
					broke = broke || f.Rule == m.Breaks && !f.Pass && !f.Skipped
				}
				if !broke || v.Pass {
					t.Errorf("%s: %s must break %s: %.80q: %+v", c.rules, m.Name, m.Breaks, m.Answer, v.Findings)
				}
				made[strings.SplitN(m.Breaks, "#", 2)[0]]++
			}
		}
	}
	for _, kind := range kindNames() {
		if made[kind] == 0 && kind != "captures" && kind != "not_matches" {
			t.Errorf("no near-miss was made for %s", kind)
		}
	}
}

func quoteYAML(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}

// TestManyMutantsStaySmall: what a hostile bench asks for does not make near-misses of gigabytes.
func TestManyMutantsStaySmall(t *testing.T) {
	ref := strings.Repeat("dog tide ", 20_000)
	set := mustLoad(t, tree(map[string]string{"x": item("x", "- words: {max: 100000}\n- present: {any: [tide, tid]}\n- words_present: {all: [dog]}\n- lines: {max: 60000}", "controls: {accept: [{answer: "+quoteYAML(ref)+"}]}\n")}, nil))
	mutants, err := set.Mutants("x")
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, m := range mutants {
		total += len(m.Answer)
	}
	if total > 64<<20 || len(mutants) < 8 {
		t.Errorf("%d near-misses of %d bytes", len(mutants), total)
	}
	if v, err := set.Grade(context.Background(), "x", record.Transcript{Outcome: record.Answered, Answer: ref}); err != nil || !v.Pass {
		t.Errorf("the reference: %+v, %v", v, err)
	}
}
