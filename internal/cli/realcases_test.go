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
	if !strings.Contains(got.out, "ungradable") || !strings.Contains(got.out, "began as another state than the task's world has now") || strings.Contains(got.out, "strict 0") {
		t.Errorf("after:\n%s", got.out)
	}
	if got := r.want(2, "run", "./bench", "--unproven", "--model", "control/reference"); !strings.Contains(got.err, "made under other circumstances") || !strings.Contains(got.err, "bench digest: "+first.Digest) {
		t.Errorf("why it does not go on is not told: %s", got.err)
	}
	r.want(0, "run", "./bench", "--unproven", "--new", "--model", "control/reference")
	second := r.result("latest")
	if first.Run == second.Run || first.Digest == second.Digest {
		t.Errorf("the run %s of %s goes on as %s of %s", first.Run, first.Digest, second.Run, second.Digest)
	}
	if again := r.assay("grade", "--run", first.Run, "./bench"); again.code == 0 {
		t.Errorf("the old run is judged by the new world:\n%s", again.out)
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
