package check

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
)

func digestOf(t *testing.T, text string) string {
	t.Helper()
	return mustLoad(t, tree(map[string]string{"x": text}, nil)).Digest()
}

// TestDigestByHand writes the digest's text out: a line for each rule of each frozen item.
func TestDigestByHand(t *testing.T) {
	set := mustLoad(t, tree(map[string]string{
		"b": item("b", "- sentences: {exactly: 4}\n- absent: Dog\n- absent: {any: [cat], fold_case: false}", ""),
		"a": item("a", "- answer: {number: 71.50}", ""),
		"c": item("c", "- one_line: true", "frozen: false\n"),
	}, nil))
	text := "a\x00answer\x001\x00" + `{"any_order":false,"number":"71.5","tolerance":"0"}` + "\n" +
		"b\x00sentences\x001\x00" + `{"exactly":4,"unit":"sentences"}` + "\n" +
		"b\x00absent\x001\x00" + `{"any":["Dog"],"fold_case":true,"whole_numbers":false}` + "\n" +
		"b\x00absent#2\x001\x00" + `{"any":["cat"],"fold_case":false,"whole_numbers":false}` + "\n"
	sum := sha256.Sum256([]byte(text))
	if got, want := set.Digest(), hex.EncodeToString(sum[:]); got != want {
		t.Errorf("the digest is %s, want %s", got, want)
	}
}

// TestDigestSame: parameters written differently that mean the same are one grader.
func TestDigestSame(t *testing.T) {
	for _, c := range [][]string{
		{"- absent: dog", "- absent: {text: dog}", "- absent: {any: [dog]}", "- absent: {any: dog, fold_case: true, whole_numbers: false}", "- absent:\n    fold_case: true\n    text: 'dog'"},
		{"- present: dog", "- present: {all: [dog]}", "- present: {text: dog, fold_case: true}"},
		{"- present: {any: [there is no, does not mention]}", "- present: {lists: [corrections]}"},
		{"- words_present: {all: [tide]}", "- words_present: {all: tide, min: 1, fold_case: true}"},
		{"- words: {min: 1, max: 3}", "- words: {max: 3, min: 1}"},
		{"- words_per_line: {max: 3}", "- words_per_line: {max: 3, after: ''}"},
		{"- starts_with: a", "- starts_with: {text: a, fold_case: false}"},
		{"- letters_absent: e", "- letters_absent: [e]"},
		{"- equals: a", "- equals: {text: a}", "- equals: {any: [a], fold_case: false}"},
		{"- matches: 'a+'", "- matches: {regex: a+}"},
		{"- answer: {number: 71.50}", "- answer: {number: $71.5, tolerance: 0}", "- answer: {tolerance: 0.00, number: '71.500'}"},
		{"- answer: {date: 2026-01-31, weekday: Saturday}", "- answer: {weekday: saturday, date: '2026-01-31', any_order: false}"},
		{"- json: {keys: {a: {type: number, equals: 1.50}}}", "- json: {keys: {a: {equals: 1.5, type: number, fold_case: false}}}"},
		{`- shell: {cases: [{folder: logs, stdout: "1"}]}`, `- shell: {timeout: 15s, cases: [{stdout: " 1\n", folder: logs}]}`, `- shell: {timeout: 15000ms, cases: [{stdout: "1", folder: logs}]}`},
	} {
		want := digestOf(t, item("x", c[0], ""))
		for _, form := range c[1:] {
			if digestOf(t, item("x", form, "")) != want {
				t.Errorf("%s and %s have different digests", c[0], form)
			}
		}
	}
}

// TestDigestChanges: every parameter of every kind is in the digest.
func TestDigestChanges(t *testing.T) {
	seen := map[string]string{}
	note := func(what, text string) {
		t.Helper()
		d := digestOf(t, text)
		if other, dup := seen[d]; dup {
			t.Errorf("%s and %s have one digest", what, other)
		}
		seen[d] = what
	}
	for kind, list := range forms {
		for _, form := range list {
			note(kind+": "+form, item("x", "- "+kind+": "+form, ""))
		}
	}
	for _, rules := range []string{
		"- words: {exactly: 11}", "- words: {exactly: 12}", "- words: {max: 12}", "- words: {min: 12}", "- words: {min: 11, max: 12}", "- words_per_line: {max: 12}", "- words_per_line: {max: 12, after: x}",
		"- absent: cow", "- absent: {text: cow, fold_case: false}", "- absent: {text: cow, whole_numbers: true}", "- absent: {any: [cow, ox]}", "- absent: {any: [ox, cow]}", "- words_absent: {any: [cow]}",
		"- answer: {number: 5}", "- answer: {number: 5, tolerance: 0.1}", "- answer: {choice: A, of: [A, B]}", "- answer: {choice: B, of: [A, B]}", "- answer: {choice: A, of: [A, B, C]}",
		"- json: {keys: {a: {type: string, equals: b}}}", "- json: {keys: {a: {type: string, equals: b, aliases: [c]}}}", "- json: {keys: {a: {type: string, equals: b, fold_case: true}}}", "- json: {keys: {b: {type: string, equals: b}}}",
		"- json: {keys: {a: {type: number, equals: 1}}}", "- json: {keys: {a: {type: integer, equals: 1}}}",
		"- captures: {regex: '(a)', any: [a]}", "- captures: {regex: '(a)', any: [b]}", "- matches: '(a)'", "- not_matches: '(a)'",
		`- shell: {cases: [{folder: logs, stdout: "7"}]}`, `- shell: {cases: [{folder: logs-b, stdout: "7"}]}`, `- shell: {cases: [{folder: logs, stdout: "7"}], timeout: 16s}`,
		"- one_line: true\n- absent: cow", "- absent: cow\n- one_line: true",
	} {
		note(rules, item("x", rules, ""))
	}
}

// TestDigestLeavesOut: what does not decide does not change the digest.
func TestDigestLeavesOut(t *testing.T) {
	rules := "- absent: cow\n- words: {exactly: 3}"
	want := digestOf(t, item("x", rules, ""))
	for what, text := range map[string]string{
		"notes":      item("x", rules, "notes: something\n"),
		"controls":   item("x", rules, "controls: {accept: [{answer: a b c}], reject: [{answer: a cow b, breaks: absent}]}\n"),
		"the prompt": strings.Replace(item("x", rules, ""), "Say something.", "Say anything.", 1),
		"a comment":  "# comment\n" + item("x", rules, ""),
		"the basis":  strings.Replace(item("x", rules, ""), "exact", "proxy", 1),
		"expect":     item("x", rules, "expect: {words: 3}\n"),
		"checker":    item("x", rules, "checker: check_x\n"),
	} {
		if digestOf(t, text) != want {
			t.Errorf("%s changes the digest", what)
		}
	}
	with := mustLoad(t, tree(map[string]string{"x": item("x", rules, ""), "d": item("d", "- one_line: true", "frozen: false\n")}, nil))
	if with.Digest() != want {
		t.Error("a draft changes the digest")
	}
	more := mustLoad(t, tree(map[string]string{"x": item("x", rules, ""), "d": item("d", "- one_line: true", "")}, nil))
	if more.Digest() == want {
		t.Error("a frozen item does not change the digest")
	}
}
