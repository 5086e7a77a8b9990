package check

import (
	"fmt"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

// TestLoadErrors: "an unknown rule, an unknown key, a misspelt parameter, an empty rule list, a pattern without the group
// that it needs: a load error naming file, line and key".
func TestLoadErrors(t *testing.T) {
	for _, c := range []struct{ rules, at, says string }{
		{"[]", "6:3", "at least one rule"},
		{"words", "6:3", "at least one rule"},
		{"- words", "6:5", "a rule has one key"},
		{"- {}", "6:5", "a rule has one key"},
		{"- words: {exactly: 3}\n  lines: {exactly: 1}", "6:5", "a rule has one key"},
		{"- wrods: {exactly: 3}", "6:5", `unknown rule "wrods"; did you mean "words"?`},
		{"- words: {exactly: 3}\n- sentence: {exactly: 3}", "7:5", `unknown rule "sentence"; did you mean "sentences"?`},

		{"- words: {exacty: 3}", "6:13", `unknown key "exacty"; did you mean "exactly"?`},
		{"- words: {}", "6:12", "give exactly, min or max"},
		{"- words: 3", "6:12", "a mapping"},
		{"- words: {exactly: three}", "6:22", "a whole number"},
		{"- words: {exactly: '3'}", "6:22", "a whole number"},
		{"- words: {exactly: -1}", "6:22", "cannot be negative"},
		{"- words: {exactly: 3, min: 2}", "6:12", "exactly stands alone"},
		{"- words: {min: 3, max: 2}", "6:12", "min 3 is above max 2"},
		{"- words: {exactly: 99999999999999999999}", "6:22", "a whole number"},
		{"- words: {exactly: 3, after: '- '}", "6:25", `unknown key "after"`},
		{"- words_per_line: {max: 3, affter: x}", "6:30", `unknown key "affter"; did you mean "after"?`},

		{"- starts_with: ''", "6:18", "this is empty"},
		{"- starts_with: \"\\u200b\"", "6:18", "this is empty"},
		{"- starts_with: null", "6:18", "this is null"},
		{"- starts_with: {text: ''}", "6:25", "this is empty"},
		{"- starts_with: {fold_case: true}", "6:18", `the key "text" is missing`},
		{"- starts_with: {text: a, fold: true}", "6:28", `unknown key "fold"`},
		{"- starts_with: {text: a, fold_case: yes}", "6:39", "true or false"},
		{"- starts_with: [a]", "6:18", "a mapping"},

		{"- present: ''", "6:14", "this is empty"},
		{"- present: {all: []}", "6:20", "a text or a list of texts"},
		{"- present: {any: ['']}", "6:14", "an empty text"},
		{"- present: {any: [\"\\u200b\"]}", "6:14", "an empty text"},
		{"- present: {any: [a, A]}", "6:14", "stands twice"},
		{"- present: {fold_case: true}", "6:14", "give text, all, any, groups or lists"},
		{"- present: {al: [a]}", "6:15", `unknown key "al"; did you mean "all"?`},
		{"- present: {groups: []}", "6:23", "groups is a list"},
		{"- present: {groups: [[]]}", "6:24", "a text or a list of texts"},
		{"- present: {groups: a}", "6:23", "groups is a list"},
		{"- present: {lists: [correction]}", "6:22", `the bench has no list "correction"; did you mean "corrections"?`},
		{"- absent: {text: dog, foldcase: true}", "6:25", `unknown key "foldcase"; did you mean "fold_case"?`},
		{"- absent: ~", "6:13", "this is null"},
		{"- absent:", "6:12", "this is empty"},
		{"- absent: {any: []}", "6:19", "a text or a list of texts"},
		{"- words_present: {any: [a]}", "6:20", `the key "all" is missing`},
		{"- words_present: {all: [a], exactly: 1, max: 1}", "6:20", "exactly stands alone"},
		{"- words_absent: {any: [a], max: 1}", "6:30", `unknown key "max"`},

		{"- letters_absent: ee", "6:21", "is not one letter"},
		{"- letters_absent: '1'", "6:21", "is not one letter"},
		{"- letters_absent: []", "6:21", "a text or a list of texts"},
		{"- characters_absent: {any: [ab]}", "6:24", "is not one visible character"},
		{"- characters_absent: {any: [\"\\u200b\"]}", "6:24", "is not one visible character"},
		{"- characters_absent: {class: digits}", "6:32", `unknown class "digits"; did you mean "digit"?`},
		{"- characters_absent: {class: digit, any: [a]}", "6:24", "either any or class"},
		{"- characters_absent: {}", "6:24", "either any or class"},

		{"- equals: ' '", "6:13", "this is empty"},
		{"- equals: {any: [a, '']}", "6:13", "an empty answer never passes"},
		{"- equals: {}", "6:13", "a text is wanted here"},
		{"- one_line: false", "6:15", "one_line: true is the only form"},
		{"- one_line: {}", "6:15", "one_line: true is the only form"},

		{"- matches: '('", "6:14", "the pattern cannot be compiled"},
		{"- matches: ''", "6:14", "matches the empty text"},
		{"- matches: 'a*'", "6:14", "matches the empty text"},
		{"- matches: '^$'", "6:14", "matches the empty text"},
		{"- matches: '\\ban|a|the\\b'", "6:14", "an alternation stands beside an anchor"},
		{"- matches: '^a|b'", "6:14", "an alternation stands beside an anchor"},
		{"- matches: {regex: 'a|b$'}", "6:22", "an alternation stands beside an anchor"},
		{"- matches: {regexp: a}", "6:14", `the key "regex" is missing`},
		{"- matches: '(?=a)'", "6:14", "the pattern cannot be compiled"},
		{"- captures: {regex: 'a b', any: [a]}", "6:23", "the pattern has 0 groups, and this rule needs exactly 1"},
		{"- captures: {regex: '(a) (b)', any: [a]}", "6:23", "the pattern has 2 groups"},
		{"- captures: {regex: '(?:a)', any: [a]}", "6:23", "the pattern has 0 groups"},
		{"- captures: {regex: '.*([A-E])?', any: [A]}", "6:23", "matches the empty text"},
		{"- captures: {regex: '(a)'}", "6:15", `the key "any" is missing`},
		{"- captures: {regex: '(a)', any: ['']}", "6:35", "an empty text cannot be the answer"},

		{"- answer: {}", "6:13", "exactly one of number, date, choice, text"},
		{"- answer: {number: 5, choice: A, of: [A, B]}", "6:13", "exactly one of number, date, choice, text"},
		{"- answer: {number: 29%}", "6:22", "not a number"},
		{"- answer: {number: 5, tolerance: -1}", "6:36", "a tolerance is a number of at least 0"},
		{"- answer: {choice: A, of: [A, B], tolerance: 1}", "6:13", "tolerance goes with number"},
		{"- answer: {date: 2026-02-30, weekday: Monday}", "6:20", "is no date"},
		{"- answer: {date: 2026-01-31, weekday: Sunday}", "6:13", "2026-01-31 is a Saturday"},
		{"- answer: {date: 2026-01-31}", "6:13", "is a Saturday"},
		{"- answer: {choice: D, of: [A, B]}", "6:13", "the right one among them"},
		{"- answer: {choice: A, of: [A]}", "6:13", "at least two choices"},
		{"- answer: {choice: A, of: [A, B, b]}", "6:29", "stands twice"},
		{"- answer: {text: ['']}", "6:20", "an empty answer never passes"},
		{"- answer: {nubmer: 5}", "6:14", `unknown key "nubmer"; did you mean "number"?`},

		{"- json: {keys: {}}", "6:18", "keys is a mapping"},
		{"- json: {}", "6:11", `the key "keys" is missing`},
		{"- json: {keys: {a: {equals: 1}}}", "6:22", `the key "type" is missing`},
		{"- json: {keys: {a: {type: integer}}}", "6:22", `the key "equals" is missing`},
		{"- json: {keys: {a: {type: int, equals: 1}}}", "6:29", `the type "int" is not known`},
		{"- json: {keys: {a: {type: integer, equals: 1.5}}}", "6:46", "not of the type integer"},
		{"- json: {keys: {a: {type: boolean, equals: yes}}}", "6:46", "true or false"},
		{"- json: {keys: {a: {type: strings, equals: a}}}", "6:46", "a list of texts"},
		{"- json: {keys: {a: {type: strings, equals: []}}}", "6:46", "a list of texts"},
		{"- json: {keys: {a: {type: integer, equals: 1, aliases: [2]}}}", "6:58", "aliases are for the type string"},
		{"- json: {keys: {a: {type: string, equals: b, alias: [c]}}}", "6:48", `unknown key "alias"; did you mean "aliases"?`},
		{"- json: {keys: {a: {type: string, equals: b}, a: {type: string, equals: b}}}", "6:49", `the key "a" stands twice`},

		{"- shell: {cases: []}", "6:20", "cases is a list"},
		{"- shell: {}", "6:12", `the key "cases" is missing`},
		{"- shell: {cases: [{folder: logs}]}", "6:21", `the key "stdout" is missing`},
		{"- shell: {cases: [{folder: ../logs, stdout: a}]}", "6:30", "is not a path below fixtures/"},
		{"- shell: {cases: [{folder: logs, stdout: a}], timeout: 6m}", "6:58", "at most 5m0s"},
		{"- shell: {cases: [{folder: logs, stdout: a}], timeout: soon}", "6:58", "a length of time"},
		{"- python_regex: {cases: []}", "6:27", "cases is a list"},
		{"- python_regex: {cases: [{file: lines.txt, lines: [4], total: 3}]}", "6:28", "from 1 to total"},
		{"- python_regex: {cases: [{file: lines.txt, lines: [1], total: 4}]}", "6:28", "has 3 lines, and the item says 4"},
		{"- python_regex: {cases: [{file: lines.txt, lines: 1, total: 3}]}", "6:53", "a list of line numbers"},
	} {
		_, err := load(tree(map[string]string{"x": item("x", c.rules, "")}, nil))
		want := "items/x.yaml:" + c.at + ": "
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s\n\tgives %v\n\twant %s… %s", c.rules, err, want, c.says)
		}
	}
}

// TestEveryParameterIsChecked misspells each parameter of each form of each kind, so that a new kind cannot let one through.
func TestEveryParameterIsChecked(t *testing.T) {
	for kind, list := range forms {
		for _, form := range list {
			if !strings.HasPrefix(form, "{") {
				form = "{text: " + form + "}" // for kinds that have no such form, an unknown key too
				if kind == "one_line" || strings.HasPrefix(kind, "letters") {
					continue
				}
			}
			bad := "{qx_unknown: 1, " + form[1:]
			_, err := load(tree(map[string]string{"x": item("x", "- "+kind+": "+bad, "")}, nil))
			if err == nil || !strings.Contains(err.Error(), `unknown key "qx_unknown"`) || !strings.Contains(err.Error(), "items/x.yaml:6:") {
				t.Errorf("%s: %s gives %v", kind, bad, err)
			}
		}
		for _, nothing := range []string{"", "{}", "[]", "''", "~", "[{}]", "{'': ''}"} {
			if _, err := load(tree(map[string]string{"x": item("x", "- "+kind+": "+nothing, "")}, nil)); err == nil {
				t.Errorf("%s: %q compiles", kind, nothing)
			}
		}
	}
}

func TestItemErrors(t *testing.T) {
	good := "- words: {exactly: 3}"
	for _, c := range []struct{ name, text, says string }{
		{"no rules", "id: x\nfamily: main\nbasis: exact\nprompt: p\n", `items/x.yaml:1:1: the key "rules" is missing`},
		{"no prompt", "id: x\nfamily: main\nbasis: exact\nrules: [words: {exactly: 1}]\n", `the key "prompt" is missing`},
		{"blank prompt", "id: x\nfamily: main\nbasis: exact\nprompt: ' '\nrules: [words: {exactly: 1}]\n", `items/x.yaml:4:9: "prompt" is empty`},
		{"unknown key", item("x", good, "promt: y\n"), `items/x.yaml:7:1: unknown key "promt"; did you mean "prompt"?`},
		{"wrong id", item("y", good, ""), `items/x.yaml:1:5: the id is "y" and the file's name says "x"`},
		{"unknown family", strings.Replace(item("x", good, ""), "main", "mian", 1), `items/x.yaml:2:9: the family "mian"`},
		{"unknown basis", strings.Replace(item("x", good, ""), "exact\n", "guess\n", 1), `items/x.yaml:3:8: the basis "guess"`},
		{"frozen is no boolean", item("x", good, "frozen: no\n"), "items/x.yaml:7:9: true or false"},
		{"passage without fixture", strings.Replace(item("x", good, ""), "Say", "Read {passage} and say", 1), "items/x.yaml:4:9: the prompt holds {passage}"},
		{"fixture without passage", item("x", good, "fixture: lines.txt\n"), "the item names a fixture and the prompt holds no {passage}"},
		{"controls of the wrong kind", item("x", good, "controls: {accept: a}\n"), "items/x.yaml:7:20: accept is a list"},
		{"control without answer", item("x", good, "controls: {accept: [{name: a}]}\n"), `the key "answer" is missing`},
		{"unknown control key", item("x", good, "controls: {accept: [{answer: a, breaks: [words]}]}\n"), `items/x.yaml:7:33: unknown key "breaks"`},
		{"negative without rule", item("x", good, "controls: {reject: [{answer: a}]}\n"), `the key "breaks" is missing`},
		{"negative with unknown rule", item("x", good, "controls: {reject: [{answer: a, breaks: [word]}]}\n"), `the item has no rule "word"; did you mean "words"?`},
		{"two controls of one name", item("x", good, "controls: {accept: [{name: a, answer: a b c}, {name: a, answer: a b d}]}\n"), `two controls are named "a"`},
		{"a control named empty", item("x", good, "controls: {accept: [{name: empty, answer: a}]}\n"), `"empty" is malformed, or taken`},
		{"a duplicate key", item("x", good, "notes: a\nnotes: b\n"), `items/x.yaml:8:1: the key "notes" stands twice (first in line 7)`},
		{"an alias", item("x", good, "notes: &a b\n"), "items/x.yaml:7:8: anchors and aliases"},
	} {
		if _, err := load(tree(map[string]string{"x": c.text}, nil)); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v\n\twant %s", c.name, err, c.says)
		}
	}
}

// TestAllFaultsAtOnce: every fault of every item is reported, in order.
func TestAllFaultsAtOnce(t *testing.T) {
	defer goleak.VerifyNone(t)
	items := map[string]string{}
	for i := range 20 {
		items[fmt.Sprintf("i%02d", i)] = item(fmt.Sprintf("i%02d", i), "- wrods: {}\n- absent: ''", "")
	}
	_, err := load(tree(items, nil))
	if err == nil {
		t.Fatal("no error")
	}
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != 40 || !strings.HasPrefix(lines[0], "items/i00.yaml:6:5") || !strings.HasPrefix(lines[39], "items/i19.yaml:7:") {
		t.Errorf("%d lines, from %q to %q", len(lines), lines[0], lines[len(lines)-1])
	}
}

func TestMissingFixtureBlocks(t *testing.T) {
	s := mustLoad(t, tree(map[string]string{
		"p": "id: p\nfamily: main\nbasis: exact\nfixture: none.txt\nprompt: '{passage}'\nrules: [words: {exactly: 1}]\n",
		"s": item("s", `- shell: {cases: [{folder: none, stdout: "1"}]}`, ""),
		"r": item("r", "- python_regex: {cases: [{file: none.txt, lines: [1], total: 1}]}", ""),
		"i": "id: i\nfamily: main\nbasis: exact\nprompt: p\nchecker: check_me\ncannot_run: the checker check_me is not known\n",
		"z": item("z", "- words: {exactly: 1}", ""),
	}, nil))
	got := map[string]string{}
	for _, b := range s.Blocked() {
		got[b.Item] = b.Why
	}
	if len(got) != 4 || !strings.Contains(got["p"], "fixtures/none.txt") || !strings.Contains(got["s"], "no files below fixtures/") || got["i"] != "the checker check_me is not known" || got["r"] == "" {
		t.Errorf("blocked: %v", got)
	}
	if v := s.answer(t, "i", "anything"); v.Pass || v.Letter != "?" || v.Reason == "" {
		t.Errorf("a blocked item judges %+v", v)
	}
}

func TestPromptHoldsThePassage(t *testing.T) {
	s := mustLoad(t, tree(map[string]string{"p": "id: p\nfamily: main\nbasis: proxy\nfrozen: false\nfixture: lines.txt\nprompt: \"Read:\\n{passage}\\nEnd.\"\nrules: [words: {exactly: 1}]\n"}, nil))
	m, err := s.Prompt("p")
	if err != nil || len(m) != 1 || m[0].Text != "Read:\nalpha 1\nbeta\ngamma 22\nEnd." || m[0].Role != "user" {
		t.Errorf("the prompt is %v, %v", m, err)
	}
	_, err = load(tree(map[string]string{"p": "id: p\nfamily: main\nbasis: exact\nfixture: big.txt\nprompt: '" + strings.Repeat("{passage}", 1000) + "'\nrules: [words: {exactly: 1}]\n"},
		map[string]string{"fixtures/big.txt": strings.Repeat("x", 100_000)}))
	if err == nil || !strings.Contains(err.Error(), "has more than") {
		t.Errorf("a prompt of 100 MB: %v", err)
	}
	if got := LintPrompt("End with a line:\nANSWER: \n"); len(got) != 1 {
		t.Errorf("a bare ANSWER: gives %v", got)
	}
	if got := LintPrompt("End with a line such as ANSWER: 12.50"); len(got) != 0 {
		t.Errorf("a form gives %v", got)
	}
}
