package check

import (
	"testing"

	"github.com/assaybench/assay/record"
)

// What a rule can say of an answer.
const (
	yes  = '.' // passed
	no   = 'F' // read and wrong
	dark = 'U' // unread
)

// verdicts is the table of checked verdicts: for a rule, answers and what it must say of each.
var verdicts = []struct {
	rule    string
	answers map[string]rune
}{
	{"words: {exactly: 3}", map[string]rune{"one two three": yes, "one two": no, "one\u00a0two\nthree": yes, "one \u200b two three": yes, "one - two": yes, "one two three four": no}},
	{"words: {max: 2}", map[string]rune{"one": yes, "one two": yes, "one two three": no}},
	{"sentences: {exactly: 4}", map[string]rune{"B. B. B. B.": yes, "B. B. B. B": no, "B... B?! B! B.": yes, "B. B. B.": no, "B. B. B. B. ok": no, "\"B.\" B. B. (B.)": yes, "B 1.5. B. B. B.": yes,
		"B.\r\nB.\r\nB.\r\nB.\r\n": yes, "B. . . B. B. B.": yes, "B. B. B. B. ☺": no}},
	{"lines: {exactly: 3}", map[string]rune{"a\nb\nc": yes, "a\n\n b \r\nc\n\n": yes, "a\nb": no, "a\rb\u2028c": yes, "a\nb\nc\nd": no, "a\n\u200b\nb\nc": yes}},
	{"paragraphs: {exactly: 2}", map[string]rune{"\n\na\nb\n\nc": yes, "a\nb": no, "a\r\n\r\nb": yes, "a\n \nb\n\nc": no}},
	{"characters: {exactly: 5}", map[string]rune{"abcde": yes, " abcde\n": yes, "ab\u200bcde": yes, "ab\r\ncd": yes, "cafés": yes, "abcd": no, "今日は晴れ": yes}},
	{"words_per_line: {max: 2, after: '- '}", map[string]rune{"- a b\n- c": yes, "- a b c": no, "a b": yes, "-a b": yes, "\u200b- a b": yes}},
	{"words_per_sentence: {max: 2}", map[string]rune{"A b. C d.": yes, "A b c. D.": no, "a b c d e f": no, "A b. c d e": no}},
	{"words_per_paragraph: {max: 2}", map[string]rune{"a\nb\n\nc": yes, "a\nb\nc": no}},
	{"characters_per_line: {max: 3}", map[string]rune{"abc\ndéf": yes, "abcd": no}},
	{"sentences_per_paragraph: {max: 1}", map[string]rune{"A.\n\nB.": yes, "A. B.": no, "A.\n\nb": no}},

	{"starts_with: Dear", map[string]rune{"Dear you": yes, "\n Dear you": yes, "\u200bDear": yes, "D\u200bear": yes, "dear you": no, "\"Dear\"": no}},
	{"ends_with: {text: bye, fold_case: true}", map[string]rune{"Good Bye\n": yes, "bye.": no, "bye \u200b": yes}},
	{"starts_each_line: '- '", map[string]rune{"- a\n- b": yes, "- a\n\n- b\n": yes, "- a\r\n- b\r\n": yes, " - a": no, "-a": no, "-\u00a0a": no, "* a": no, "- a\nb": no, "\u200b- a": yes, "\ufeff- a": yes}},
	{"ends_each_line: ';'", map[string]rune{"a;\nb; ": yes, "a;\nb": no}},
	{"starts_each_sentence: B", map[string]rune{"Boats bob. Bells ring.": yes, "“Boats!” (Bells.) Bob": yes, "boats bob.": no, "Boats bob. A bell": no, "**Boats bob.**": no, "... Boats.": no, "B. b.": no}},
	{"ends_each_sentence: '!'", map[string]rune{"A! B!": yes, "“A!” (B!)": yes, "A. B!": no, "A! b": no, "A?!": yes, "A!?": no}},
	{"starts_each_paragraph: A", map[string]rune{"\n\nA b.\nc\n\nAnd": yes, "A b\n\nb": no}},
	{"ends_each_paragraph: '.'", map[string]rune{"A b\nc.\n\nD.": yes, "A.\n\nD": no}},
	{"starts_each_word: {text: r, fold_case: true}", map[string]rune{"“Red” (rivers), ‘run’ “ra": yes, "Red «rivers» [run": yes, "red - river": no, "red blue": no}},
	{"ends_each_word: s", map[string]rune{"cats, dogs. “hats” (bats);": yes, "cats and": no}},

	{"present: Dog", map[string]rune{"hotDOGs": yes, "d\u00adog": yes, "cat": no}},
	{"present: {text: Dog, fold_case: false}", map[string]rune{"Dog": yes, "dog": no}},
	{"present: {all: ['5512', '48.20', march 3]}", map[string]rune{"5512 on March 3: $48.20": yes, "5512 on March\n3: $48.20": yes, "5512: $48.20": no}},
	{"present: {groups: [['28', twenty-eight], [double-six]]}", map[string]rune{"Twenty\u2011eight, double‐six": yes, "28": no, "double-six": no}},
	{"present: {any: ['212'], whole_numbers: true}", map[string]rune{"212": yes, "212lb": yes, "1,212": no, "2125": no, "212.5": no, "$212.": yes, "1,212 and 212": yes}},
	{"present: {text: March 3, whole_numbers: true}", map[string]rune{"March 3": yes, "March 3rd": yes, "march 3, then": yes, "March 30": no, "March 3.5": no}},
	{"present: {lists: [corrections]}", map[string]rune{"The passage doesn't; it Does Not\nmention it": yes, "yes": no}},
	{"absent: dog", map[string]rune{"cat": yes, "DOG": no, "d\u200bog": no, "dogma": no, "d\x00og": no, "d-og": yes}},
	{"absent: {any: ['15'], whole_numbers: true}", map[string]rune{"1500 or 0.15 or 15.5": yes, "15 red": no}},
	{"words_present: {all: [lantern, tide], exactly: 1}", map[string]rune{"Lantern, tide.": yes, "lantern tides": no, "lantern tide lantern": no, "lanterns tide lantern-": yes, "“Tide’s lantern”": yes}},
	{"words_absent: {any: [he]}", map[string]rune{"the she": yes, "and He.": no, "he's": no}},
	{"letters_absent: e", map[string]rune{"A calm night.": yes, "THE": no, "é is another letter": no, "café à": yes, "cafe\u0301": no}},
	{"letters_absent: k", map[string]rune{"\u212a": no, "K": no, "q": yes}},
	{"letters_present: [x, z]", map[string]rune{"A Zoo": yes, "bar": no}},
	{"characters_absent: {any: [',']}", map[string]rune{"a; b": yes, "a, b": no, "a， b": yes}},
	{"characters_absent: {class: digit}", map[string]rune{"three": yes, "3": no, "٣": no, "²": yes}},
	{"characters_present: {class: upper}", map[string]rune{"abC": yes, "abc": no}},

	{"equals: yes", map[string]rune{"yes": yes, " yes\n": yes, "y\u200bes": yes, "Yes": no, "yes.": no, "yes yes": no}},
	{`equals: {text: "a\nb"}`, map[string]rune{"a\nb": yes, "a\r\nb\r\n": yes, "a b": no}},
	{"equals: {any: [a  b], fold_case: true}", map[string]rune{"A b": yes, "a\u00a0B": yes, "ab": no}},
	{"one_line: true", map[string]rune{"grep x": yes, "\n grep x \n\n": yes, "a\nb": dark, "```\na\n```": dark, "```a```": dark, "~~~\na": dark, "a\rb": dark, "a\u2028b": dark, "`a`": yes}},
	{"matches: '(?m)^B.*s$'", map[string]rune{"Bells": yes, "a\r\nBells\r\nb": yes, "Be\u200blls": yes, "bells": no}},
	{"matches: 'end$'", map[string]rune{"the end\n": yes, "the end.": no}},
	{`not_matches: '(?i)\bdog\b'`, map[string]rune{"hotdog": yes, "a DOG": no, "a d\u200bog": no, "a\u00a0dog": no}},
	{`captures: {regex: 'is (\w+)', any: [Four, "4"]}`, map[string]rune{"It is four": yes, "is one, is 4": yes, "is 4, is one": no, "it was": dark}},

	// The last line that begins with ANSWER: binds, wherever it stands.
	{"answer: {number: 71.50}", map[string]rune{
		"ANSWER: 71.50": yes, "ANSWER:71.5": yes, "so\n\nANSWER: $71.50\n": yes, "ANSWER: 71.50\nthat is it": yes, "  ANSWER: 71.50": yes, "ANSWER:\u00a071.50": yes,
		"ANSWER: 3\nANSWER: 71.50": yes, "ANSWER: 71.50\nANSWER: 3": no, "ANSWER: 71.50\r\n": yes, "x\rANSWER: 71.50": yes,
		"ANSWER: 71.50\u200b": yes, "\u200bANSWER: 71.50": yes, "ANS\u200bWER: 71.50": yes, "ANSWER\u2060: 71.50": yes, "ANSWER: 7\u200b1.50": yes,
		"ANSWER: 3\nANSWER\u200b: 71.50": yes, "ANSWER: 71.50\nANSWER\u200b: 3": no,
		"answer: 71.50": dark, "Answer: 71.50": dark, "**ANSWER: 71.50**": dark, "\"ANSWER: 71.50\"": dark, "> ANSWER: 71.50": dark, "- ANSWER: 71.50": dark, "The ANSWER: 71.50": dark, "ANSWER：71.50": dark,
		"ANSWER 71.50": dark, "71.50": dark, "ANSWER: **71.50**": dark, "ANSWER: 71.50 dollars": dark, "ANSWER: 71.50.": dark, "ANSWER: 71.50%": dark, "ANSWER: +71.50": dark, "ANSWER: seventy": dark,
		"ANSWER:": dark, "ANSWER: \nANSWER:": dark, "ANSWER: 71.50\nANSWER:": dark, "ANSWER: 71.50 or 72": dark, "ANSWER: nan": dark, "ANSWER: 7.15e1": dark, "ANSWER: 71.51": no, "ANSWER: -71.50": no,
		"You said:\n> end with ANSWER: <number>\nANSWER: 71.5": yes,
	}},
	{"answer: {number: 6.69, tolerance: 0.005}", map[string]rune{"ANSWER: 6.685": yes, "ANSWER: 6.695": yes, "ANSWER: 6.6951": no, "ANSWER: 6.7": no, "ANSWER: 6.69 m²": dark}},
	{"answer: {number: -5}", map[string]rune{"ANSWER: \u22125": yes, "ANSWER: -$5.00": yes, "ANSWER: –5": dark, "ANSWER: 5": no}},
	{"answer: {date: 2026-01-31, weekday: Saturday}", map[string]rune{"ANSWER: 2026-01-31 Saturday": yes, "ANSWER: 2026-01-31 saturday": yes, "ANSWER: 2026-02-01 Sunday": no,
		"ANSWER: 2026-01-31 Sunday": no, "ANSWER: Saturday 2026-01-31": dark, "ANSWER: 2026-01-31": dark, "ANSWER: 2026-01-32 Saturday": dark}},
	{"answer: {date: 2026-01-31, weekday: Saturday, any_order: true}", map[string]rune{"ANSWER: Saturday, 31 January 2026": yes, "ANSWER: Sunday, 1 February 2026": no, "ANSWER: 31/1/2026 Saturday": dark}},
	{"answer: {choice: B, of: [A, B, C]}", map[string]rune{"ANSWER: B": yes, "ANSWER: b": yes, "ANSWER: C": no, "ANSWER: D": dark, "ANSWER: B or C": dark, "ANSWER: (B)": dark, "ANSWER: $B$": dark, "ANSWER: B\u200b": yes}},
	{"answer: {text: [Paris]}", map[string]rune{"ANSWER: paris": yes, "ANSWER: Paris, France": no, "ANSWER:": dark}},

	// The whole reply is one JSON value.
	{"json: {keys: {n: {type: integer, equals: 28}, s: {type: string, equals: double six, aliases: [double-six]}}}", map[string]rune{
		`{"n": 28, "s": "double six"}`: yes, "{\"s\":\"double-six\",\n\"n\":28}\n": yes, `{"n": -28, "s": "double six"}`: no, `{"n": 28.0, "s": "double six"}`: no, `{"n": "28", "s": "double six"}`: no,
		`{"n": 2.8e1, "s": "double six"}`: no, `{"n": null, "s": "double six"}`: no, `{"n": 28}`: no, `{"n": 28, "s": "double six", "x": 1}`: no, `{"n": 28, "s": "Double six"}`: no,
		`{"n": 28, "n": 28, "s": "double six"}`: dark, "```json\n{\"n\": 28, \"s\": \"double six\"}\n```": dark, `Here: {"n": 28, "s": "double six"}`: dark, `{"n": 28, "s": "double six"} ok`: dark,
		`{"n": 28, "s": "double six"} {}`: dark, `{"n": 28, "s": "double six",}`: dark, `{"n": NaN, "s": "double six"}`: dark, "\ufeff{\"n\": 28, \"s\": \"double six\"}": dark, `[28]`: no, `28`: no, `{"n": 28, "s": "\ud800"}`: dark,
		`{"\u006e": 28, "s": "double\u0020six"}`: yes}},
	{"json: {keys: {l: {type: strings, equals: [ace, deuce], fold_case: true}, b: {type: boolean, equals: true}, p: {type: number, equals: 1.5}}}", map[string]rune{
		`{"l": ["ACE", "deuce"], "b": true, "p": 1.50}`: yes, `{"l": ["deuce", "ace"], "b": true, "p": 1.5}`: no, `{"l": ["ace"], "b": true, "p": 1.5}`: no, `{"l": "ace deuce", "b": true, "p": 1.5}`: no,
		`{"l": ["ace", "deuce"], "b": "true", "p": 1.5}`: no, `{"l": ["ace", "deuce"], "b": true, "p": 15e-1}`: no, `{"l": ["ace", 2], "b": true, "p": 1.5}`: no}},

	{`shell: {cases: [{folder: logs, stdout: "1"}, {folder: logs-b, stdout: "2"}]}`, map[string]rune{"grep -c error a.txt": yes, "\ngrep -c error a.txt  \n": yes, "echo 1": no, "nonsense": no, "sleep 60": no,
		"```\ngrep -c error a.txt\n```": dark, "grep -c error a.txt\n# done": dark}},
	{"python_regex: {cases: [{file: lines.txt, lines: [1, 3], total: 3}]}", map[string]rune{`\d`: yes, `\d\d`: no, "(": no, "(a+)+$": no, "`\n": no, "```\n\\d\n```": dark}},
}

func TestVerdicts(t *testing.T) {
	for _, c := range verdicts {
		set := one(t, "- "+c.rule)
		for answer, want := range c.answers {
			v := set.answer(t, "x", answer)
			if got := []rune(v.Letter)[0]; got != want || v.Pass != (want == yes) || len(v.Findings) != 1 || v.Findings[0].Pass != v.Pass {
				t.Errorf("%s\n\tjudges %q as %c, want %c: %+v", c.rule, answer, got, want, v.Findings)
			}
			checkVerdict(t, answer, v)
		}
	}
}

// fatal is what checkVerdict needs of a test or a fuzz target.
type fatal interface {
	Helper()
	Fatalf(string, ...any)
}

// checkVerdict holds what every verdict owes, whatever the answer.
func checkVerdict(t fatal, answer string, v record.Verdict) {
	t.Helper()
	if v.Pass != (v.Letter == record.LetterPass) || v.Pass && v.State != record.Graded || (v.State == record.Unread) != (v.Letter == record.LetterUnread) {
		t.Fatalf("%.80q: the verdict contradicts itself: %+v", answer, v)
	}
	if v.State != record.Graded && v.Reason == "" {
		t.Fatalf("%.80q: no reason for %s", answer, v.State)
	}
	for _, f := range v.Findings {
		if v.Pass && !f.Pass || f.Rule == "" || !f.Pass && f.Why == "" || f.Pass && f.Why != "" || len(f.Got) > 700 {
			t.Fatalf("%.80q: the finding %+v", answer, f)
		}
		if w := f.Where; w != nil {
			if w.Start < 0 || w.End < w.Start || w.End > len(answer) || w.RuneStart != len([]rune(answer[:w.Start])) || w.RuneEnd != len([]rune(answer[:w.End])) {
				t.Fatalf("%.80q: %s stands at %+v", answer, f.Rule, *w)
			}
		}
	}
}

// TestWhere checks that findings underline what broke.
func TestWhere(t *testing.T) {
	for _, c := range []struct{ rule, answer, at string }{
		{"absent: dog", "Große D\u200bOGS bark", "D\u200bOG"},
		{"words: {max: 2}", "é one two three", "two three"},
		{"sentences: {exactly: 1}", "One. And more", "And more"},
		{"sentences: {exactly: 1}", "One. Two. Three.", "Two. Three."},
		{"starts_each_sentence: B", "Bob. “Ann.”", "Ann.”"},
		{"starts_each_line: '- '", "- a\nb c", "b c"},
		{"letters_absent: e", "Übel", "e"},
		{"words_per_line: {max: 1}", "a\n b c \nd", "b c"},
		{"words_present: {all: [tide], exactly: 1}", "tide, Tide", "Tide"},
		{"one_line: true", "a\nb\nc", "b\nc"},
		{"not_matches: '[0-9]+'", "a\r\n\u200b12 b", "12"},
		{`captures: {regex: 'is (\w+)', any: [four]}`, "é\r\nit is f\u200bive", "f\u200bive"},
		{"answer: {number: 5}", "so\nANSWER: 6 \nbye", "6"},
		{"answer: {number: 5}", "so\nANSWER:", "ANSWER:"},
		{"json: {keys: {a: {type: integer, equals: 1}}}", `{"é":2,"a": 3}`, "3"},
		{"json: {keys: {a: {type: integer, equals: 1}}}", `{"é":"\"","a": 1}`, `"\""`},
	} {
		v := one(t, "- "+c.rule).answer(t, "x", c.answer)
		if w := v.Findings[0].Where; v.Pass || w == nil || c.answer[w.Start:w.End] != c.at {
			t.Errorf("%s on %q: %+v, want the place of %q", c.rule, c.answer, v.Findings[0], c.at)
		}
	}
}
