package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assaybench/assay/model/modeltest"
)

// Defects that benchmarks of agents really had, where they show at the command line. The table of all of them, with the test that
// holds each, is contract/tasks/cases_test.go.

// alter replaces a text in a file of ./bench.
func (r *rig) alter(file, old, new string) {
	r.Helper()
	path := filepath.Join(r.dir, "bench", filepath.FromSlash(file))
	b, err := os.ReadFile(path)
	if err != nil {
		r.Fatal(err)
	}
	if !strings.Contains(string(b), old) {
		r.Fatalf("%s has no %q", file, old)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(b), old, new, 1)), 0o644); err != nil {
		r.Fatal(err)
	}
}

// TestAgentInfrastructure: an account without credit, a server that is gone and one that fails amid the work are no answers: the
// run stops or tries again, says why, exits 3, and shows what is missing as missing.
func TestAgentInfrastructure(t *testing.T) {
	for _, c := range []struct {
		name  string
		fault func(n int64) modeltest.Fault
		says  string
		most  int64 // requests
	}{
		{"no credit from the first call", func(int64) modeltest.Fault { return "402" }, "402", 3},
		{"no credit amid the work", func(n int64) modeltest.Fault {
			if n > 5 {
				return "402"
			}
			return ""
		}, "402", 8},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t)
			r.keys("k")
			calls := r.mooring("")
			m := r.agentServer(modeltest.WireChat, each(calls), c.fault)
			got := r.want(3, "run", "./bench", "--unproven", "--json", "--model", "openai/worker@"+m.URL)
			if !strings.Contains(got.err, c.says) {
				t.Errorf("why is not told: %s", got.err)
			}
			if n := m.Requests(); n > c.most {
				t.Errorf("%d requests of an account without credit", n)
			}
			res := r.result("latest")
			if l := letters(res, "ferry-217"); l != "E" {
				t.Errorf("the letter is %q", l)
			}
			shown := r.want(0, "result", "latest")
			if !strings.Contains(shown.out, "incomplete") && !strings.Contains(shown.out, "missing") {
				t.Errorf("nothing says that it is not whole:\n%s", shown.out)
			}
		})
	}
}

// TestAgentResumes: what a stop left undone is done by the same command, in a world of its own that begins anew.
func TestAgentResumes(t *testing.T) {
	r := newRig(t)
	r.keys("k")
	calls := r.mooring("")
	broke := true
	m := r.agentServer(modeltest.WireChat, each(calls), func(n int64) modeltest.Fault {
		if broke && n > 6 {
			return "402"
		}
		return ""
	})
	model := "openai/worker@" + m.URL
	r.want(3, "run", "./bench", "--unproven", "--model", model)
	broke = false
	r.want(0, "run", "./bench", "--unproven", "--model", model)
	shown := r.want(0, "result", "latest", "--item", "ferry-217")
	if !strings.Contains(shown.out, "13 events, ended by: answer") {
		t.Errorf("the episode is not one whole one:\n%s", shown.out)
	}
}

// TestAgentWorldChanged: when a row of the world changes, the old episode is not judged by the new world, the old run neither goes
// on nor is printed as today's, and is not graded anew.
func TestAgentWorldChanged(t *testing.T) {
	r := newRig(t)
	r.mooring("")
	r.want(0, "run", "./bench", "--unproven", "--model", "control/reference")
	first := r.result("latest")
	r.want(0, "export", "--run", "latest", "episodes", "-o", "eps")
	dir := "eps/0000-ferry-217-control_reference"
	if got := r.want(0, "grade", "./bench", "--episode", dir); !strings.Contains(got.out, "strict 1 of 1") {
		t.Errorf("before:\n%s", got.out)
	}
	r.alter("world/seed/lots.csv", "LT-2,RP-10,30,FREE", "LT-2,RP-10,31,FREE") // it decides nothing, and is another world
	got := r.want(3, "grade", "./bench", "--episode", dir)
	if !strings.Contains(got.err, "cannot be judged") || strings.Count(got.err, "\n") != 1 || !strings.Contains(got.err, "began as another state than the task's world has now") || strings.Contains(got.out, "strict 0") {
		t.Errorf("after:\n%s", got.err)
	}
	if got := r.want(2, "run", "./bench", "--unproven", "--model", "control/reference"); !strings.Contains(got.err, "made under other circumstances") || !strings.Contains(got.err, "bench digest: "+first.Digest) {
		t.Errorf("why it does not go on is not told: %s", got.err)
	}
	r.want(0, "run", "./bench", "--unproven", "--new", "--model", "control/reference")
	second := r.result("latest")
	if first.Run == second.Run || first.Digest == second.Digest {
		t.Errorf("the run %s of %s goes on as %s of %s", first.Run, first.Digest, second.Run, second.Digest)
	}
	again := r.want(2, "grade", "--run", first.Run, "./bench")
	if !strings.Contains(again.err, "its episode of ferry-217 began as another state of the world ferry-yard than mooring@1 has now") || strings.Count(again.err, "\n") != 1 {
		t.Errorf("the old run is judged by the new world, or it is not told in one line: %s%s", again.err, again.out)
	}
}

// TestAgentRegrade: a run is graded again by its own bench alone; under another digest only where that was asked for by naming the
// bench, and where the contracts alone were changed: the episodes happened in the worlds as they were.
func TestAgentRegrade(t *testing.T) {
	for _, c := range []struct {
		name, file, old, new string
		code                 int    // with the bench named
		want                 string // then
	}{
		{"the same", "", "", "", 0, "nothing to grade again"},
		{"a tool", "world/tools.yaml", "description: ", "description: Really. ", 2, "was worked under another definition of the world ferry-yard"},
		{"the request", "tasks/ferry-217/public/task.yaml", "Ada in passenger services needs", "Ada in passenger services wants", 2, "was worked under another definition"},
		{"a row", "world/seed/lots.csv", "LT-2,RP-10,30,FREE", "LT-2,RP-10,31,FREE", 2, "began as another state of the world"},
		{"what decides nothing", "bench.yaml", "title: One agent task, whole and small", "title: One", 2, "its rules are those of the run"},
		{"the contract", "tasks/ferry-217/sealed/contract.yaml", "weight: 2", "weight: 3", 0, "1 of 1 attempt graded by"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t)
			r.mooring("")
			r.want(0, "run", "./bench", "--unproven", "--model", "control/reference")
			first := r.result("latest")
			r.want(0, "export", "--run", "latest", "episodes", "-o", "eps")
			if c.file != "" {
				r.alter(c.file, c.old, c.new)
			}
			unnamed := r.assay("grade", "--run", first.Run)
			if c.file == "" && unnamed.code != 0 || c.file != "" && (unnamed.code != 2 || !strings.Contains(unnamed.err, first.Digest[:12]) || strings.Count(unnamed.err, "\n") != 1) {
				t.Errorf("without its name: exit %d, %s", unnamed.code, unnamed.err)
			}
			got := r.want(c.code, "grade", "--run", first.Run, "./bench")
			if !strings.Contains(got.out+got.err, c.want) || strings.Count(got.out+got.err, "\n") != 1 || c.code != 0 && !strings.Contains(got.err, first.Digest[:12]) {
				t.Errorf("not told in one line, by the digest: %s, want %q", got.out+got.err, c.want)
			}
			// An exported episode goes by the world and the task alone: the rules of today's bench are what it is judged by.
			judged := r.assay("grade", "./bench", "--episode", "eps/0000-ferry-217-control_reference")
			if other := strings.Contains(c.want, "another definition"); other && (judged.code != 3 || !strings.Contains(judged.err, "another definition of the world ferry-yard") || strings.Count(judged.err, "\n") != 1) ||
				!other && c.name != "a row" && judged.code != 0 {
				t.Errorf("the exported episode: exit %d, %s", judged.code, judged.err)
			}
			if after := r.result(first.Run); after.Grader != first.Grader || letters(after, "ferry-217") != "." {
				t.Errorf("the run's own verdicts are touched: %s, %q", after.Grader, letters(after, "ferry-217"))
			}
		})
	}
}

// TestAgentCheckNamesLines: what is wrong with traces stops a bench, each with its file and line.
func TestAgentCheckNamesLines(t *testing.T) {
	r := newRig(t)
	r.mooring("")
	dir := "tasks/ferry-217/sealed/"
	r.alter(dir+"reference.jsonl", `{"tool":"stores.lots.list","args":{"part":"RP-12"}}`, `{"tool":"stores.lots.lits","args":{"part":"RP-12"}}`)
	if err := os.MkdirAll(filepath.Join(r.dir, "bench", dir, "controls"), 0o755); err != nil {
		t.Fatal(err)
	}
	control := "# breaks: containment\n" + `{"tool":"slips.bookings.create","args":{"slip":"SLIP-2","day":"2034-05-11","vessel":"217"}}` + "\n"
	if err := os.WriteFile(filepath.Join(r.dir, "bench", dir, "controls", "protected.jsonl"), []byte(control), 0o644); err != nil {
		t.Fatal(err)
	}
	got := r.want(1, "check", "./bench")
	for _, want := range []string{
		dir + "reference.jsonl:6: ferry-217: self-check: stores.lots.lits was rejected (unknown_tool:",
		dir + "reference.jsonl:13: ferry-217: self-check: assay.submit_answer gives usable_quantity, which follows from lots",
		dir + "controls/protected.jsonl:2: ferry-217: self-check: INCONCLUSIVE: slips.bookings.create was refused (conflict:",
		"0/1 tasks whose traces do what they show",
	} {
		if !strings.Contains(got.out+got.err, want) {
			t.Errorf("not told: %s\n%s%s", want, got.out, got.err)
		}
	}
}
