package cli_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assaybench/assay/report"
	"github.com/assaybench/assay/world"
)

// TestReplayKeepsTheMarks: who is never ranked is not ranked by being replayed, under whatever name.
func TestReplayKeepsTheMarks(t *testing.T) {
	r := newRig(t)
	r.mooring("")
	first, _ := r.run(0, "control/reference")
	again, _ := r.run(0, "replay/"+first.Run)
	twice, _ := r.run(0, "replay/"+again.Run)
	for _, res := range []string{first.Run, again.Run, twice.Run} {
		got := r.result(res)
		if !got.Figures[0].Control || !got.Attempts.Settings[0].Control || got.Figures[0].Unsealed {
			t.Errorf("%s: %+v", got.Figures[0].Model, got.Figures[0])
		}
		if text := r.want(0, "result", res).out; !strings.Contains(text, "control, not ranked") || strings.Contains(text, "unsealed") {
			t.Errorf("the mark is not there:\n%s", text)
		}
	}
	// What a control sends is no call of a model's: no limit on tokens, no delivery to prove.
	shown := r.want(0, "result", first.Run, "--item", "ferry-217").out
	for _, not := range []string{"prompt not provable", "output tokens", "Calls of tools"} {
		if strings.Contains(shown, not) {
			t.Errorf("a control's attempt says %q:\n%s", not, shown)
		}
	}
}

// TestReplayKeepsUnsealed: the episode's own flag counts, and not the name of who is said to have worked in it.
func TestReplayKeepsUnsealed(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no sh here to be the agent")
	}
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("no curl here for the agent")
	}
	r := newRig(t)
	r.mooring("")
	program := filepath.Join(r.dir, "agent.sh")
	const text = "#!/bin/sh\ncurl -s -H \"Authorization: Bearer $ASSAY_TOKEN\" -d '{}' \"$ASSAY_API_URL/tools/assay.context\" >/dev/null\n"
	if err := os.WriteFile(program, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	first := new(report.Result)
	if err := json.Unmarshal([]byte(r.want(0, "run", "./bench", "--unproven", "--json", "--agent", "command/"+program, "--agent-unsealed").out), first); err != nil {
		t.Fatal(err)
	}
	if !first.Figures[0].Unsealed {
		t.Fatal("a program that worked unsealed is not marked")
	}
	again, _ := r.run(0, "replay/"+first.Run)
	if !again.Figures[0].Unsealed || again.Attempts.Settings[0].Unsealed != 1 || again.Figures[0].Control || !noted(again, "unsealed") {
		t.Errorf("%+v\n%q", again.Figures[0], again.Notes)
	}
	if text := r.want(0, "result", again.Run).out; !strings.Contains(text, "unsealed, not ranked") {
		t.Errorf("the mark is not there:\n%s", text)
	}
	if got := r.want(0, "result", again.Run, "--item", "ferry-217").out; !strings.Contains(got, "1 event, ended by") || !strings.Contains(got, "unsealed: never ranked") {
		t.Error(got)
	}
}

// TestCutEpisode: an episode whose end was cut off, or whose head was changed, is not judged: one line, exit 3, and as JSON a
// verdict that says so.
func TestCutEpisode(t *testing.T) {
	r := newRig(t)
	r.mooring("")
	r.run(0, "control/reference")
	r.want(0, "export", "--run", "latest", "episodes", "-o", "eps")
	dirs, err := filepath.Glob(filepath.Join(r.dir, "eps", "*"))
	if err != nil || len(dirs) != 1 {
		t.Fatal(dirs, err)
	}
	grade := func(code int, args ...string) ran {
		return r.want(code, append([]string{"grade", "./bench", "--episode", dirs[0]}, args...)...)
	}
	if got := grade(0).out; !strings.Contains(got, ": passes (") {
		t.Fatal(got)
	}
	for _, c := range []struct {
		file string
		harm func(string) string
		want string
	}{
		{world.EventsFile, func(s string) string {
			lines := strings.SplitAfter(s, "\n")
			return strings.Join(lines[:len(lines)-2], "")
		}, "and bundle.json says 13"},
		{world.BundleFile, func(s string) string { return strings.Replace(s, `"answered"`, `"truncated"`, 1) }, "are not what was written"},
		{world.BundleFile, func(s string) string { return strings.Replace(s, `"sealed":true`, `"sealed":false`, 1) }, "are not what was written"},
		{world.ChangesFile, func(string) string { return "" }, "are not what was written"},
		{world.EventsFile, func(s string) string { return strings.Replace(s, "MO-31", "MO-13", 1) }, "differs from what was recorded"},
	} {
		path := filepath.Join(dirs[0], c.file)
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		harmed := c.harm(string(b))
		if harmed == string(b) {
			t.Fatalf("%s was not changed", c.file)
		}
		if err := os.WriteFile(path, []byte(harmed), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := grade(3); got.out != "" || strings.Count(got.err, "\n") != 1 || !strings.Contains(got.err, c.want) || !strings.Contains(got.err, "cannot be judged") {
			t.Errorf("%s: %q %q, want one line with %q", c.file, got.out, got.err, c.want)
		}
		var v struct {
			State, Letter, Reason string
			Pass                  bool
		}
		if got := grade(3, "--json"); json.Unmarshal([]byte(got.out), &v) != nil || v.State != "ungradable" || v.Letter != "?" || v.Pass || !strings.Contains(v.Reason, c.want) {
			t.Errorf("%s: as JSON %s", c.file, got.out)
		}
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestLastSubmissionCounts: check and run judge a trace with two submissions alike, by the last one.
func TestLastSubmissionCounts(t *testing.T) {
	for _, c := range []struct {
		name, header, letter string
		first, readback      bool
	}{
		{name: "second thoughts are wrong", header: "# breaks: answer.gap\n", letter: "F"},
		{name: "second thoughts are right", first: true, letter: "."},
		{name: "what is read between them counts", readback: true, letter: "."},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t)
			r.mooring("")
			text := strings.TrimSpace(r.text("bench/tasks/ferry-217/sealed/reference.jsonl"))
			lines := strings.Split(text, "\n")
			last := lines[len(lines)-1]
			wrong := strings.Replace(last, `"gap":5`, `"gap":6`, 1)
			if wrong == last {
				t.Fatal("the reference has another gap than this test knows")
			}
			trace := append(lines[:len(lines):len(lines)], wrong)
			switch {
			case c.first:
				trace = append(append([]string{}, lines[:len(lines)-1]...), wrong, last)
			case c.readback: // the look back stands after the first answer and before the second
				at := len(lines) - 3
				trace = append(append([]string{}, lines[:at]...), lines[at+1], last, lines[at], last)
			}
			r.put("bench/tasks/ferry-217/sealed/controls/two.jsonl", c.header+strings.Join(trace, "\n")+"\n")
			r.want(0, "check", "./bench")
			res, _ := r.run(0, "control/two")
			if got := letters(res, "ferry-217"); got != c.letter {
				t.Errorf("letters %q, want %q as check has it\n%s", got, c.letter, r.want(0, "result", "latest", "--item", "ferry-217").out)
			}
		})
	}
}

// TestWorldStdioPipe: calls that are piped in and end with the input are made and answered, and are in the episode.
func TestWorldStdioPipe(t *testing.T) {
	r := newRig(t)
	r.mooring("")
	r.stdin = strings.NewReader(strings.Join([]string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"files.read","arguments":{"file_id":"SPEC-4"}}}`,
	}, "\n"))
	got := r.want(0, "world", "serve", "./bench/ferry-217", "--db", "eps", "--episode", "e1", "--stdio")
	if !strings.Contains(got.out, `"id":2,`) || !strings.Contains(got.out, `"ropes_per_drum":4`) || !strings.Contains(got.err, "with 1 event;") {
		t.Errorf("%s\n%s", got.out, got.err)
	}
	// What was served is not known to be sealed, and says so wherever it is judged.
	if shown := r.want(0, "grade", "./bench", "--episode", "eps/e1").out; !strings.Contains(shown, "1 event, ended by: silent; unsealed: the world was served") || !strings.Contains(shown, "  unsealed: never ranked\n") {
		t.Error(shown)
	}
	if v := r.want(0, "grade", "./bench", "--episode", "eps/e1", "--json").out; !strings.Contains(v, `"unsealed": true`) {
		t.Error(v)
	}
}

// TestWorldOfABench: a bench without a task is answered with its tasks.
func TestWorldOfABench(t *testing.T) {
	r := newRig(t)
	r.mooring("")
	for _, ref := range []string{"./bench", "./bench/", "bench"} {
		for _, command := range []string{"serve", "list"} {
			got := r.want(2, "world", command, ref).err
			if !strings.Contains(got, "is a bench; name one of its tasks, BENCH/TASK: ") || !strings.Contains(got, "bench/ferry-217") || strings.Count(got, "\n") != 1 {
				t.Errorf("%s %s: %s", command, ref, got)
			}
		}
	}
}
