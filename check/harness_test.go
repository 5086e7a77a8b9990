package check

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/sandbox"
)

const testManifest = `id: tests
version: 1.0.0
title: Tests
licence: CC0-1.0
attribution: nobody
shape: prompt
families:
  - {id: main, title: Main}
protocol: {repeats: 1, pass_rule: all, default_posture: plain, postures: {plain: {max_output: 10, timeout: 10s}}}
lists:
  corrections: [there is no, does not mention]
  drinks: [tea, coffee]
`

// item writes an item's file. rules is a YAML list; more is put behind it.
func item(id, rules, more string) string {
	return fmt.Sprintf("id: %s\nfamily: main\nbasis: exact\nprompt: Say something.\nrules:\n%s\n%s", id, indent(rules), more)
}

func indent(s string) string {
	return "  " + strings.ReplaceAll(strings.TrimSpace(s), "\n", "\n  ")
}

// tree makes a bench's files out of items (id -> file) and others (path -> text).
func tree(items map[string]string, others map[string]string) fstest.MapFS {
	m := fstest.MapFS{
		"bench.yaml":              {Data: []byte(testManifest)},
		"fixtures/logs/a.txt":     {Data: []byte("one\ntwo error\n")},
		"fixtures/logs/sub/b.txt": {Data: []byte("three\n")},
		"fixtures/logs-b/a.txt":   {Data: []byte("error\nerror")},
		"fixtures/lines.txt":      {Data: []byte("alpha 1\nbeta\ngamma 22\n")},
	}
	for id, text := range items {
		m["items/"+id+".yaml"] = &fstest.MapFile{Data: []byte(text)}
	}
	for p, text := range others {
		m[p] = &fstest.MapFile{Data: []byte(text)}
	}
	return m
}

// load loads and compiles.
func load(m fstest.MapFS) (*Set, error) {
	b, err := bench.Load(m, "tests")
	if err != nil {
		return nil, err
	}
	return Compile(b)
}

func mustLoad(t testing.TB, m fstest.MapFS) *Set {
	t.Helper()
	s, err := load(m)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// one compiles a bench of one item, named x, with these rules.
func one(t testing.TB, rules string) *Set {
	t.Helper()
	s := mustLoad(t, tree(map[string]string{"x": item("x", rules, "")}, nil))
	s.box, s.nobox = fakeBox{}, ""
	return s
}

func (s *Set) answer(t testing.TB, item, text string) record.Verdict {
	t.Helper()
	v, err := s.Grade(context.Background(), item, record.Transcript{Outcome: record.Answered, Answer: text})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// fakeBox stands for the sandbox: it knows a few lines and patterns by heart.
type fakeBox struct{ runs *int }

func (fakeBox) Tier() sandbox.Tier                     { return "fake" }
func (fakeBox) Python(context.Context) (string, error) { return "3.0.0-fake", nil }

func (f fakeBox) Run(_ context.Context, j sandbox.Job) (sandbox.Result, error) {
	if f.runs != nil {
		*f.runs++
	}
	if j.Argv[0] == "python3" {
		return runFakePython(j)
	}
	line := j.Argv[len(j.Argv)-1]
	switch line {
	case "grep -c error a.txt":
		n := 0
		for l := range strings.Lines(string(j.Files["a.txt"])) {
			if strings.Contains(l, "error") {
				n++
			}
		}
		return sandbox.Result{Stdout: fmt.Appendf(nil, "%d\n", n)}, nil
	case "sleep 60":
		return sandbox.Result{Exit: 137, Stopped: "15s of wall time", Elapsed: 15 * time.Second}, nil
	case "break":
		return sandbox.Result{}, fmt.Errorf("no more pipes")
	}
	if text, ok := strings.CutPrefix(line, "echo "); ok {
		return sandbox.Result{Stdout: []byte(text + "\n")}, nil
	}
	return sandbox.Result{Exit: 127, Stderr: []byte("bash: " + line + ": command not found\n")}, nil
}

// runFakePython answers as the script does; Go's engine is near enough for the patterns of these tests.
func runFakePython(j sandbox.Job) (sandbox.Result, error) {
	pattern := string(j.Files["pattern"])
	if len(pattern) > 1000 {
		return sandbox.Result{Stdout: []byte(`{"fault": "error: too long"}`)}, nil
	}
	if pattern == "(a+)+$" {
		return sandbox.Result{Exit: 137, Stopped: "15s of wall time"}, nil
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return sandbox.Result{Stdout: []byte(`{"fault": "error: bad pattern"}`)}, nil
	}
	out := struct {
		Lines [][]int `json:"lines"`
	}{}
	for i := range len(j.Files) - 1 {
		found := []int{}
		for n, l := range strings.Split(strings.TrimSuffix(string(j.Files[fmt.Sprintf("case%d", i)]), "\n"), "\n") {
			if re.MatchString(l) {
				found = append(found, n+1)
			}
		}
		out.Lines = append(out.Lines, found)
	}
	b, err := json.Marshal(out)
	return sandbox.Result{Stdout: b}, err
}

// forms has, for every kind of rule, ways in which items can write it. The first is that of the tests that go through all
// kinds; all of them make the golden file of versions.
var forms = map[string][]string{
	"words":                   {"{exactly: 4}", "{min: 2}", "{max: 3}", "{min: 2, max: 5}"},
	"sentences":               {"{exactly: 2}", "{min: 1, max: 3}", "{max: 1}"},
	"lines":                   {"{exactly: 2}", "{max: 3}"},
	"paragraphs":              {"{exactly: 2}", "{min: 2}"},
	"characters":              {"{max: 20}", "{exactly: 11}"},
	"words_per_line":          {"{max: 3}", `{max: 2, after: "- "}`, "{exactly: 2}"},
	"words_per_sentence":      {"{max: 3}", "{min: 2}"},
	"words_per_paragraph":     {"{max: 5}"},
	"characters_per_line":     {"{max: 12}", `{max: 4, after: "> "}`},
	"sentences_per_paragraph": {"{max: 1}", "{exactly: 2}"},
	"starts_with":             {"Boats", "{text: boats, fold_case: true}"},
	"ends_with":               {".", "{text: DONE, fold_case: true}"},
	"starts_each_line":        {`"- "`, "{text: b, fold_case: true}"},
	"ends_each_line":          {".", "{text: E, fold_case: true}"},
	"starts_each_sentence":    {"B", "{text: b, fold_case: true}"},
	"ends_each_sentence":      {"'!'", "{text: D., fold_case: true}"},
	"starts_each_paragraph":   {"B", "{text: b, fold_case: true}"},
	"ends_each_paragraph":     {".", "{text: D., fold_case: true}"},
	"starts_each_word":        {"b", "{text: b, fold_case: true}"},
	"ends_each_word":          {"s", "{text: s, fold_case: true}"},
	"present":                 {"dog", "{all: [dog, cat]}", "{any: [dog, '28']}", "{groups: [[dog, cat], ['28', twenty-eight]]}", "{text: Dog, fold_case: false}", "{any: ['212', March 3], whole_numbers: true}", "{lists: [corrections]}"},
	"absent":                  {"dog", "{any: [dog, cat]}", "{text: Dog, fold_case: false}", "{any: ['212'], whole_numbers: true}", "{lists: [drinks]}"},
	"words_present":           {"{all: [dog]}", "{all: [tide, dog], exactly: 1}", "{all: [Tide], fold_case: false, max: 2, min: 1}"},
	"words_absent":            {"{any: [dog]}", "{any: [Tide], fold_case: false}"},
	"letters_present":         {"e", "[x, é]"},
	"letters_absent":          {"e", "[k, s]"},
	"characters_present":      {"{any: ['!']}", "{class: digit}", "{class: upper}", "{class: non_ascii}"},
	"characters_absent":       {"{any: [',']}", "{class: digit}", "{class: lower}", "{class: punctuation}", "{class: letter}"},
	"equals":                  {"Boats bob.", "{any: [yes, no], fold_case: true}", `{text: "a\nb"}`},
	"one_line":                {"true"},
	"matches":                 {"'[0-9]{2}'", "{regex: '(?m)^B'}"},
	"not_matches":             {"'[0-9]{2}'", `{regex: '(?i)\bdog\b'}`},
	"captures":                {`{regex: "is (\\w+)", any: [four]}`},
	"answer": {"{number: 71.50}", "{number: 6.69, tolerance: 0.005}", "{date: 2026-01-31, weekday: Saturday}", "{date: 2026-01-31, weekday: saturday, any_order: true}",
		"{choice: B, of: [A, B, C]}", "{text: [Paris, the city of Paris]}"},
	"json": {`{keys: {set: {type: string, equals: double six, aliases: [double-six], fold_case: true}, pieces: {type: integer, equals: 28}}}`,
		`{keys: {p: {type: number, equals: 1.50}, ok: {type: boolean, equals: true}, l: {type: strings, equals: [ace, deuce], fold_case: true}}}`},
	"shell":        {`{cases: [{folder: logs, stdout: "1"}]}`, `{cases: [{folder: logs, stdout: "1"}, {folder: logs-b, stdout: "2"}], hardened: [{folder: logs-b, stdout: "2"}], timeout: 5s}`},
	"python_regex": {`{cases: [{file: lines.txt, lines: [1, 3], total: 3}]}`, `{cases: [{file: lines.txt, lines: [], total: 3}], timeout: 1s}`},
}

// TestEveryKindHasForms keeps the tests below from forgetting a kind that is new.
func TestEveryKindHasForms(t *testing.T) {
	if got, want := slices.Sorted(maps.Keys(forms)), kindNames(); !slices.Equal(got, want) {
		t.Fatalf("forms has %v\nand the kinds are %v: give each kind its forms", got, want)
	}
	for kind, list := range forms {
		for _, form := range list {
			set := one(t, "- "+kind+": "+form)
			words, err := set.Explain("x")
			if err != nil || len(words) != 1 || !strings.HasPrefix(words[0], kind+": ") || len(words[0]) < len(kind)+8 {
				t.Errorf("%s: %s is explained as %q, %v", kind, form, words, err)
			}
		}
	}
}

// TestEmptyNeverPasses: "an empty or cut-off answer never passes a must-not-contain rule", nor any other.
func TestEmptyNeverPasses(t *testing.T) {
	for kind, list := range forms {
		for _, form := range list {
			set := one(t, "- "+kind+": "+form)
			for _, answer := range []string{"", " ", "\n\n", "\t\r\n", "\u00a0\u3000", "\u200b\ufeff", "\u2028", "\x00", "\u3164\u2800", "\u00ad\u2060\ufe0f", strings.Repeat("\u200b \n", 1000)} {
				v := set.answer(t, "x", answer)
				if v.Pass || v.State != record.Unread || v.Letter != record.LetterUnread || len(v.Findings) != 1 || v.Findings[0].Rule != "empty" || v.Findings[0].Pass {
					t.Errorf("%s: %s judges %q as %+v", kind, form, answer, v)
				}
			}
			for outcome, letter := range map[record.Outcome]record.Letter{record.Truncated: "C", record.Refused: "R", record.Timeout: "T", record.Undelivered: "D", record.Error: "E"} {
				v, err := set.Grade(context.Background(), "x", record.Transcript{Outcome: outcome, Reason: "why", Answer: "Bob's bell rang. B."})
				if err != nil || v.Pass || v.Letter != letter || v.Reason != "why" {
					t.Errorf("%s: an attempt that was %s is judged %+v, %v", kind, outcome, v, err)
				}
			}
		}
	}
}

// TestUnreadableAnswers goes through what no rule may look at.
func TestUnreadableAnswers(t *testing.T) {
	for kind, list := range forms {
		set := one(t, "- "+kind+": "+list[0])
		for answer, why := range map[string]string{
			"Boats \xff bob.":                     "not UTF-8 (byte 6)",
			"\xc3":                                "not UTF-8 (byte 0)",
			"a\ufffd\xed\xa0\x80":                 "not UTF-8 (byte 4)",
			strings.Repeat("B. ", MaxAnswer/3+1):  fmt.Sprintf("at most %d are read", MaxAnswer),
			strings.Repeat("\xff", MaxAnswer+100): fmt.Sprintf("at most %d are read", MaxAnswer),
		} {
			v := set.answer(t, "x", answer)
			if v.Pass || v.State != record.Unread || !strings.Contains(v.Reason, why) || len(v.Findings) != 0 {
				t.Errorf("%s judges %.20q as %+v", kind, answer, v)
			}
		}
	}
}
