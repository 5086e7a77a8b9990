package check

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/assaybench/assay/record"
)

const verdictsGolden = "testdata/verdicts.golden"

// goldenSet has an item of each temper.
func goldenSet(t testing.TB) *Set {
	s := mustLoad(t, tree(map[string]string{
		"notice": item("notice", "- sentences: {exactly: 2}\n- starts_each_sentence: B\n- absent: dog", ""),
		"sum":    item("sum", "- answer: {number: 71.50}", ""),
		"object": item("object", "- json: {keys: {pieces: {type: integer, equals: 28}}}", ""),
		"count":  item("count", `- absent: zebra`+"\n"+`- shell: {cases: [{folder: logs, stdout: "1"}], hardened: [{folder: logs-b, stdout: "2"}]}`, ""),
		"lines":  item("lines", "- python_regex: {cases: [{file: lines.txt, lines: [1, 3], total: 3}]}", ""),
	}, nil))
	s.box, s.nobox = fakeBox{}, ""
	return s
}

var goldenAnswers = []struct{ item, answer string }{
	{"notice", "Boats bob. Bells ring."},
	{"notice", "Bär und Dög. A D\u200bOG…"},
	{"notice", ""},
	{"notice", "B. \xff"},
	{"sum", "Thinking.\nANSWER: $71.5\nthat is all"},
	{"sum", "**ANSWER: 71.50**<|eot|>"},
	{"sum", "ANSWER: 71.51"},
	{"object", "{\"pieces\": 28}"},
	{"object", "```json\n{\"pieces\": 28}\n```"},
	{"object", "{\"pieces\": 28, \"pieces\": 28}"},
	{"count", "grep -c error a.txt"},
	{"count", "echo 1"},
	{"count", "echo zebra"},
	{"count", "sleep 60"},
	{"count", "break"},
	{"lines", `\d`},
	{"lines", `(a+)+$`},
}

func judgeGolden(t testing.TB, s *Set) []byte {
	var out bytes.Buffer
	for _, c := range goldenAnswers {
		b, err := record.Canonical(s.answer(t, c.item, c.answer))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&out, "%s %q\n%s\n", c.item, c.answer, b)
	}
	return out.Bytes()
}

// TestVerdictBytes holds verdicts against the golden file, byte for byte.
func TestVerdictBytes(t *testing.T) {
	got := judgeGolden(t, goldenSet(t))
	if *update {
		if err := os.WriteFile(verdictsGolden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(verdictsGolden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		a, b := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
		for i := range min(len(a), len(b)) {
			if a[i] != b[i] {
				t.Fatalf("line %d is\n%s\nand the golden file has\n%s", i+1, a[i], b[i])
			}
		}
		t.Fatalf("%d lines, and the golden file has %d", len(a), len(b))
	}
}

// TestParallelVerdicts judges the same answers 50 times at once: same bytes.
func TestParallelVerdicts(t *testing.T) {
	s := goldenSet(t)
	want := judgeGolden(t, s)
	got := make([][]byte, 50)
	var wg sync.WaitGroup
	for i := range got {
		wg.Go(func() {
			if i%2 == 1 {
				got[i] = judgeGolden(t, goldenSet(t)) // compiled anew
				return
			}
			got[i] = judgeGolden(t, s)
		})
	}
	wg.Wait()
	for i, g := range got {
		if !bytes.Equal(g, want) {
			t.Fatalf("grading %d differs", i)
		}
	}
}

// TestZoneAndLocale runs the golden test again in processes with other zones and locales.
func TestZoneAndLocale(t *testing.T) {
	for _, env := range [][]string{{"TZ=Pacific/Kiritimati", "LC_ALL=tr_TR.UTF-8"}, {"TZ=America/St_Johns", "LC_ALL=C"}, {"TZ=", "LANG=ar_EG.UTF-8", "LC_ALL=ar_EG.UTF-8"}} {
		cmd := exec.Command(os.Args[0], "-test.run=^(TestVerdictBytes|TestVersions)$", "-test.count=1")
		cmd.Env = append(os.Environ(), env...)
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "PASS") {
			t.Errorf("%v: %v\n%s", env, err, out)
		}
	}
}

// TestUngradable: without a sandbox the verdict says so, and what is refused anyway is refused on every machine.
func TestUngradable(t *testing.T) {
	s := mustLoad(t, tree(map[string]string{"x": item("x", `- shell: {cases: [{folder: logs, stdout: "1"}]}`+"\n- absent: zebra", ""),
		"y": item("y", "- python_regex: {cases: [{file: lines.txt, lines: [1], total: 3}]}", "")}, nil))
	s.Use(nil, "no sandbox: install bubblewrap")
	for _, id := range []string{"x", "y"} {
		if v := s.answer(t, id, "echo 1"); v.Pass || v.State != record.Ungradable || v.Letter != "?" || v.Reason != "no sandbox: install bubblewrap" {
			t.Errorf("%s: %+v", id, v)
		}
		if v := s.answer(t, id, "a\nb"); v.State != record.Unread {
			t.Errorf("%s: two lines are %+v", id, v)
		}
	}
	without := s.answer(t, "x", "echo zebra")
	runs := 0
	s.box = fakeBox{runs: &runs}
	with := s.answer(t, "x", "echo zebra")
	a, _ := record.Canonical(without)
	b, _ := record.Canonical(with)
	if !bytes.Equal(a, b) || with.Letter != record.LetterWrong || runs != 0 || !with.Findings[0].Skipped || with.Findings[0].Rule != "shell" {
		t.Errorf("what is refused anyway is run, or judged otherwise without a sandbox:\n%s\n%s (%d runs)", a, b, runs)
	}
	if v := s.answer(t, "y", "(a+)+$"); v.Letter != record.LetterWrong || runs != 1 || v.Diagnostics["python"] != "3.0.0-fake" {
		t.Errorf("a pattern beyond its limit: %+v (%d runs)", v, runs)
	}
	items, python := s.Executes()
	if fmt.Sprint(items) != "[x y]" || !python {
		t.Errorf("Executes says %v, %v", items, python)
	}
	if v, err := s.Grade(context.Background(), "nope", record.Transcript{}); err == nil || v.Pass {
		t.Error("an unknown item is graded")
	}
}

// TestTolerant: the tolerant parse stands beside the verdict and never changes it.
func TestTolerant(t *testing.T) {
	s := goldenSet(t)
	for _, c := range []struct {
		item, answer string
		pass         bool
		undone       string
	}{
		{"object", "```json\n{\"pieces\": 28}\n```", true, "[code fence]"},
		{"object", "Sure:\n```\n{\"pieces\": 28}\n```\nDone.", true, "[code fence]"},
		{"object", "\ufeff{\"pieces\": 28}", true, "[byte order mark]"},
		{"object", "{\"pieces\": 28}<|im_end|><|eot|>", true, "[end mark <|eot|> end mark <|im_end|>]"},
		{"object", "```json\n{\"pieces\": 29}\n```", false, "[code fence]"},
		{"sum", "**ANSWER: 71.50**", true, "[marks around the answer line]"},
		{"sum", "**ANSWER:** 71.50", true, "[marks around the answer line]"},
		{"sum", "answer: 71.50.", true, "[marks around the answer line]"},
		{"sum", "ANSWER: $\\boxed{71.50}$", true, "[marks around the answer line]"},
		{"sum", "> \"ANSWER: `71.50`\"", true, "[marks around the answer line]"},
		{"count", "```bash\ngrep -c error a.txt\n```", true, "[code fence]"},
		{"sum", strings.Repeat("</s>", 10_000), false, "[end mark </s>]"},
	} {
		v := s.answer(t, c.item, c.answer)
		d, ok := v.Diagnostics["tolerant"].(map[string]any)
		if v.Pass || !ok || d["pass"] != c.pass || fmt.Sprint(d["undone"]) != c.undone {
			t.Errorf("%s %.60q: pass %v, %v", c.item, c.answer, v.Pass, v.Diagnostics)
		}
	}
	for _, answer := range []string{"{\"pieces\": 28}", "{\"pieces\": 29}", "```\n```", "```\na\n```\n```\nb\n```", ""} {
		if v := s.answer(t, "object", answer); v.Diagnostics["tolerant"] != nil {
			t.Errorf("%q: nothing to undo, and %v", answer, v.Diagnostics)
		}
	}
}
