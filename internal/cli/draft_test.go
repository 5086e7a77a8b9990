package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// put puts a file below the rig's folder.
func (r *rig) put(name, text string) {
	r.Helper()
	path := filepath.Join(r.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		r.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		r.Fatal(err)
	}
}

func (r *rig) text(name string) string {
	r.Helper()
	b, err := os.ReadFile(filepath.Join(r.dir, name))
	if err != nil {
		r.Fatal(err)
	}
	return string(b)
}

// TestDraftsStopNothing: a task that has just begun to be written is shown with what it lacks, and keeps nothing from working.
func TestDraftsStopNothing(t *testing.T) {
	r := newRig(t)
	r.want(0, "new", "world", "lamps")
	for _, name := range []string{"premise", "starter"} {
		if _, err := os.Stat(filepath.Join(r.dir, "lamps", name)); err == nil {
			t.Errorf("a world was begun with a folder %s", name)
		}
	}
	before := r.want(0, "check", "./lamps").out
	r.want(0, "new", "task", "lamps/second")
	if task := r.text("lamps/tasks/second/public/task.yaml"); strings.Contains(task, "world:") || !strings.Contains(task, `as_of: "2031-03-03"`) {
		t.Error(task)
	}
	r.want(0, "new", "task", "lamps/third")
	r.put("lamps/tasks/third/public/task.yaml", "id: third\nfrozen: false\nanswer: {figure: [\n") // amid writing
	got := r.want(0, "check", "./lamps").out
	for _, want := range []string{"warning: draft: tasks/second/sealed/contract.yaml:", "second: unfinished: ", "nothing says what the answer's field", "third: unfinished: ",
		"1 frozen item (2 drafts)", "warning: bench.yaml: counts promises 1 item with the drafts, and there are 3", "\ngood\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("check does not say %q:\n%s", want, got)
		}
	}
	grader := func(s string) string { return s[strings.Index(s, "  grader "):] }
	if grader(before)[:60] != grader(got)[:60] {
		t.Errorf("drafts changed the grader's digest:\n%s\n%s", before, got)
	}
	if got := r.want(0, "show", "./lamps").out; !strings.Contains(got, "second") || !strings.Contains(got, "(draft: never run or counted)") || !strings.Contains(got, "second is not whole yet: tasks/second/") {
		t.Error(got)
	}
	if got := r.want(0, "show", "./lamps", "--item", "second").out; !strings.Contains(got, "second is not whole yet: tasks/second/") || strings.Contains(got, "third") {
		t.Error(got)
	}
	r.want(0, "rules", "./lamps")
	if got := r.want(0, "run", "./lamps", "--unproven", "--model", "control/reference").out; strings.Contains(got, "second") {
		t.Errorf("a draft was run:\n%s", got)
	}
	r.want(0, "grade", "./lamps", "first", filepath.Join(r.dir, "lamps/tasks/first/sealed/reference.jsonl"))
	r.want(0, "world", "list", "./lamps/first")
	for _, args := range [][]string{{"grade", "./lamps", "second", filepath.Join(r.dir, "lamps/tasks/first/sealed/reference.jsonl")}, {"world", "list", "./lamps/second"}} {
		if got := r.want(2, args...).err; !strings.Contains(got, "second of lamps@1 is a draft that is not whole yet; assay check names what is missing: tasks/second/") || strings.Count(got, "\n") != 1 {
			t.Errorf("%v: %s", args, got)
		}
	}
	// A whole draft with faults is as little in the way: one that asserts what another task asserts, and whose reference fails.
	if err := os.CopyFS(filepath.Join(r.dir, "lamps/tasks/a-copy"), os.DirFS(filepath.Join(r.dir, "lamps/tasks/first"))); err != nil {
		t.Fatal(err)
	}
	r.put("lamps/tasks/a-copy/public/task.yaml", strings.Replace(r.text("lamps/tasks/first/public/task.yaml"), "id: first\n", "id: a-copy\nfrozen: false\n", 1))
	lines := strings.SplitAfter(r.text("lamps/tasks/first/sealed/reference.jsonl"), "\n")
	r.put("lamps/tasks/a-copy/sealed/reference.jsonl", strings.Join(lines[1:], ""))
	got = r.want(0, "check", "./lamps").out
	if !strings.Contains(got, "a-copy") || !strings.Contains(got, "\ngood\n") || !strings.Contains(got, "0 false rejects") {
		t.Error(got)
	}
	// What is frozen is held to everything.
	r.put("lamps/tasks/second/public/task.yaml", strings.Replace(r.text("lamps/tasks/second/public/task.yaml"), "frozen: false", "frozen: true", 1))
	if got := r.want(2, "check", "./lamps").err; !strings.Contains(got, "nothing says what the answer's field") {
		t.Error(got)
	}
}

// TestNewTaskInAnEmptyBench: a bench whose tasks/ is empty gets its first one; one without a world says so.
func TestNewTaskInAnEmptyBench(t *testing.T) {
	r := newRig(t)
	r.want(0, "new", "world", "lamps")
	if err := os.RemoveAll(filepath.Join(r.dir, "lamps/tasks/first")); err != nil {
		t.Fatal(err)
	}
	if got := r.want(2, "check", "./lamps").err; !strings.Contains(got, "the folder tasks/ is empty; assay new task ./lamps/ID begins a task") {
		t.Error(got)
	}
	r.want(0, "new", "task", "lamps/one")
	if got := r.want(1, "check", "./lamps").out; !strings.Contains(got, "draft: tasks/one/") || !strings.Contains(got, "0 frozen items (1 draft)") {
		t.Error(got)
	}
	if err := os.RemoveAll(filepath.Join(r.dir, "lamps/world")); err != nil {
		t.Fatal(err)
	}
	if got := r.want(2, "new", "task", "lamps/two").err; !strings.Contains(got, "neither a folder world/ nor one worlds/NAME/") || strings.Count(got, "\n") != 1 {
		t.Error(got)
	}
}

// TestNewTaskOfTwoWorlds: a task says in which of a bench's worlds it happens, and begins when that one's clock does.
func TestNewTaskOfTwoWorlds(t *testing.T) {
	r := newRig(t)
	r.want(0, "new", "world", "lamps")
	if err := os.Rename(filepath.Join(r.dir, "lamps/world"), filepath.Join(r.dir, "w")); err != nil {
		t.Fatal(err)
	}
	for name, day := range map[string]string{"attic": "2034-11-20", "cellar": "2031-03-03"} {
		if err := os.CopyFS(filepath.Join(r.dir, "lamps/worlds", name), os.DirFS(filepath.Join(r.dir, "w"))); err != nil {
			t.Fatal(err)
		}
		file := "lamps/worlds/" + name + "/world.yaml"
		r.put(file, strings.Replace(r.text(file), "2031-03-03T", day+"T", 1))
	}
	r.want(0, "new", "task", "lamps/second")
	task := r.text("lamps/tasks/second/public/task.yaml")
	if !strings.Contains(task, "world: attic   # or cellar\n") || !strings.Contains(task, `as_of: "2034-11-20"`) {
		t.Error(task)
	}
}

// TestGradeOfNoTrace: what is no trace is a wrong input file, said in words of those who write traces.
func TestGradeOfNoTrace(t *testing.T) {
	r := newRig(t)
	r.mooring("")
	r.run(0, "control/reference")
	r.want(0, "export", "--run", "latest", "episodes", "-o", "eps")
	dirs, err := filepath.Glob(filepath.Join(r.dir, "eps", "*"))
	if err != nil || len(dirs) != 1 {
		t.Fatal(dirs, err)
	}
	r.put("call.jsonl", "# a call\n\n{\"tool\":\"a\",\"argument\":{}}\n")
	r.put("text.jsonl", "all done\n")
	r.put("list.jsonl", "[1]\n")
	r.put("number.jsonl", "{\"tool\":1}\n")
	r.put("nothing.jsonl", "{\"args\":{}}\n")
	for file, want := range map[string]string{
		filepath.Join(dirs[0], "events.jsonl"): "line 1: this is the log of an episode, and no trace; judge the episode with assay grade ./bench --episode DIR",
		"call.jsonl":                           `line 3: "argument" is nothing that a call has; a call is {"tool": "…", "args": {…}}`,
		"text.jsonl":                           "line 1: not JSON, and a call is",
		"list.jsonl":                           "line 1: no JSON object, and a call is",
		"number.jsonl":                         "line 1: the tool is no text",
		"nothing.jsonl":                        "line 1: the call names no tool",
	} {
		got := r.want(2, "grade", "./bench", "ferry-217", file)
		if !strings.Contains(got.err, want) || strings.Count(got.err, "\n") != 1 || strings.Contains(got.err, "Go ") || got.out != "" {
			t.Errorf("%s: %q, want %q", file, got.err, want)
		}
	}
}

// TestFreezeHint: whoever has just proven the graders is not told to prove them.
func TestFreezeHint(t *testing.T) {
	r := newRig(t)
	r.want(0, "new", "bench", "rain")
	if got := r.want(0, "freeze", "rain").err; !strings.Contains(got, "assay check ./rain proves them") {
		t.Errorf("unproven: %q", got)
	}
	r.want(0, "check", "./rain")
	if got := r.want(0, "freeze", "rain", "--again").err; strings.Contains(got, "proves them") {
		t.Errorf("proven: %q", got)
	}
	r.want(0, "new", "world", "lamps")
	if got := r.want(0, "freeze", "lamps").err; !strings.Contains(got, "assay qualify ./lamps proves them") {
		t.Errorf("agent tasks: %q", got)
	}
}
