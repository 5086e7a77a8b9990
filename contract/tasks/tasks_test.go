package tasks

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/world"
)

const (
	ferry     = "ferry-217"
	sealedDir = "tasks/ferry-217/sealed/"
	refFile   = sealedDir + "reference.jsonl"
	keyFile   = sealedDir + "contract.yaml"
	taskFile  = "tasks/ferry-217/public/task.yaml"
)

// files gives the example bench, to be altered.
func files(t testing.TB) fstest.MapFS {
	t.Helper()
	m := fstest.MapFS{}
	root := "../../examples/mooring"
	err := filepath.WalkDir(root, func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(p)
		rel, _ := filepath.Rel(root, p)
		m[filepath.ToSlash(rel)] = &fstest.MapFile{Data: b}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// put writes a file.
func put(m fstest.MapFS, name, text string) { m[name] = &fstest.MapFile{Data: []byte(text)} }

// edit replaces a text that must stand in a file.
func edit(t testing.TB, m fstest.MapFS, name, old, new string) {
	t.Helper()
	f := m[name]
	if f == nil || !strings.Contains(string(f.Data), old) {
		t.Fatalf("%s has no %q", name, old)
	}
	put(m, name, strings.Replace(string(f.Data), old, new, 1))
}

func compile(m fstest.MapFS) (*Set, error) {
	b, err := bench.Load(m, "mooring")
	if err != nil {
		return nil, err
	}
	return Compile(b)
}

func compiled(t testing.TB, m fstest.MapFS) (*Set, *Task) {
	t.Helper()
	s, err := compile(m)
	if err != nil {
		t.Fatal(err)
	}
	return s, s.Tasks()[0]
}

// reference gives the lines of the reference trace.
func reference(m fstest.MapFS) []string {
	return strings.Split(strings.TrimSpace(string(m[refFile].Data)), "\n")
}

// with gives lines with a text replaced wherever it stands, which it must.
func with(t testing.TB, lines []string, pairs ...string) []string {
	t.Helper()
	all := strings.Join(lines, "\n")
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(all, pairs[i]) {
			t.Fatalf("the trace has no %q", pairs[i])
		}
		all = strings.ReplaceAll(all, pairs[i], pairs[i+1])
	}
	return strings.Split(all, "\n")
}

// grade judges a trace.
func grade(t testing.TB, s *Set, lines ...string) record.Verdict {
	t.Helper()
	v, err := s.Grade(context.Background(), s.Tasks()[0].ID, record.Transcript{Outcome: record.Answered, Answer: strings.Join(lines, "\n") + "\n"})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// broken gives the criteria that a verdict fails.
func broken(v record.Verdict) []string {
	out := []string{}
	for _, f := range v.Findings {
		if !f.Pass {
			out = append(out, f.Rule)
		}
	}
	return out
}

func finding(t testing.TB, v record.Verdict, rule string) record.Finding {
	t.Helper()
	for _, f := range v.Findings {
		if f.Rule == rule {
			return f
		}
	}
	t.Fatalf("the verdict has no %s: %v %s", rule, v.State, v.Reason)
	return record.Finding{}
}

// faults gives what the bench's own check finds, a fault a line.
func faults(t testing.TB, s *Set) []string {
	t.Helper()
	c, err := s.Claims(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	out := []string{}
	for _, f := range c.Faults {
		out = append(out, f.Place+": "+f.Item+": "+f.Msg)
	}
	return out
}

// episode works through a trace in a session and gives what the world recorded.
func episode(t testing.TB, task *Task, name string, lines []string) *record.Episode {
	t.Helper()
	ctx := context.Background()
	s, err := task.Session(ctx, name)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	trace, err := world.ReadTrace([]byte(strings.Join(lines, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	if err := world.Replay(ctx, s, trace); err != nil {
		t.Fatal(err)
	}
	ep, err := world.Bundle(ctx, s, "answer")
	if err != nil {
		t.Fatal(err)
	}
	return ep
}

// TestCompileRefuses: what is wrong with a bench of agent tasks is told with its place, before anything runs.
func TestCompileRefuses(t *testing.T) {
	for _, c := range []struct{ name, file, old, new, want string }{
		{"no contract", keyFile, "", "\x00", "tasks/ferry-217/sealed/contract.yaml: the contract cannot be read: the file is missing"},
		{"no reference", refFile, "", "\x00", "tasks/ferry-217/sealed/reference.jsonl: the trace cannot be read: the file is missing"},
		{"a reference that breaks something", refFile, `{"tool":"assay.context"`, "# breaks: change.booking\n{\"tool\":\"assay.context\"", "reference.jsonl: the reference breaks nothing"},
		{"a line that is no call", refFile, `{"tool":"maint.orders.search"`, `{"tol":"maint.orders.search"`, "reference.jsonl: line 2: \"tol\" is nothing that a call has"},
		{"a file that is no control", sealedDir + "controls/notes.txt", "", "x", "sealed/controls/notes.txt: no control; controls are NAME.jsonl"},
		{"an unknown tool", keyFile, "tool: vendors.offers.list, args: {part: RP-12}, result", "tool: vendors.offers.lost, args: {part: RP-12}, result", `contract.yaml:51:14: the world has no tool "vendors.offers.lost"; did you mean "vendors.offers.list"?`},
		{"an unknown table", keyFile, "{table: drafts, op: insert, values: {recipient: u-ada}, most: 1}", "{table: draft, op: insert, values: {recipient: u-ada}, most: 1}", `the world has no table "draft"`},
		{"a key that nobody knows", keyFile, "investigations:", "investigation:", `unknown key "investigation"; did you mean "investigations"?`},
		{"another name for the world", taskFile, "title: New", "world: ../x\ntitle: New", "task.yaml:4:8: the world"},
		{"no turn at all", "bench.yaml", "turns: 60", "turns: 0", "bench.yaml:12:11: turns and calls are at least 1"},
		{"a setting that nobody knows", "bench.yaml", "agent:\n", "agent:\n  budget: 3\n", `unknown key "budget"`},
		{"an unknown table of seed rows", sealedDir + "seed/lotz.csv", "", "lot_id\nx\n", `sealed/seed/lotz.csv: the table "lotz" is not in schema.sql; did you mean "lots"?`},
		{"a staged fault of no tool", sealedDir + "faults.yaml", "", "faults:\n  - {tool: stores.lots.get, failures: 1, error: Busy.}\n", `sealed/faults.yaml:2:12: the world has no tool "stores.lots.get"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := files(t)
			switch {
			case c.new == "\x00":
				delete(m, c.file)
			case c.old == "":
				put(m, c.file, c.new)
			default:
				edit(t, m, c.file, c.old, c.new)
			}
			_, err := compile(m)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}

// TestBrief: the request is the employee's situation, with nothing of the sealed part.
func TestBrief(t *testing.T) {
	s, task := compiled(t, files(t))
	asked, err := s.Prompt(ferry)
	if err != nil || len(asked) != 2 || asked[0].Role != "system" || asked[1].Role != "user" {
		t.Fatalf("%+v, %v", asked, err)
	}
	want := "Lowwater Ferries\nYou are: Wren Hale, yard planner (u-wren)\nToday: 2034-05-02\norder: MO-31\npart: RP-12\n\nAda in passenger services"
	if got := asked[1].Text; got != Brief(task.World, task.Public) || !strings.HasPrefix(got, want) {
		t.Errorf("the brief is\n%s", got)
	}
	for _, secret := range []string{"2034-05-16", "SPEC-4", "SL-4", "BK-0001", "OF-1"} {
		if strings.Contains(asked[0].Text+asked[1].Text, secret) {
			t.Errorf("the brief gives %s away", secret)
		}
	}
	if _, err := s.Prompt("ferry-218"); err == nil || !strings.Contains(err.Error(), `did you mean "ferry-217"?`) {
		t.Errorf("an unknown task: %v", err)
	}
	m := files(t)
	edit(t, m, "bench.yaml", "agent:\n", "agent:\n  system: You work at the yard.\n")
	s, _ = compiled(t, m)
	if asked, err = s.Prompt(ferry); err != nil || asked[0].Text != "You work at the yard." {
		t.Errorf("%q, %v", asked[0].Text, err)
	}
}

// TestRecordedAndReplayed: an episode that was recorded, one that was exported and read again, and one that is replayed from its
// trace are judged to the same bytes.
func TestRecordedAndReplayed(t *testing.T) {
	ctx := context.Background()
	m := files(t)
	s, task := compiled(t, m)
	lines := reference(m)
	wrong := with(t, lines, `"gap":5`, `"gap":6`)
	for name, lines := range map[string][]string{"the reference": lines, "a wrong answer": wrong, "reads alone": lines[:9]} {
		replayed := grade(t, s, lines...)
		tr := record.Transcript{Outcome: record.Answered, Episode: episode(t, task, "replay", lines)}
		recorded, err := s.Grade(ctx, ferry, tr)
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join(t.TempDir(), "episode")
		if err := world.WriteBundle(dir, &tr); err != nil {
			t.Fatal(err)
		}
		back, err := world.ReadBundle(os.DirFS(dir))
		if err != nil {
			t.Fatal(err)
		}
		read, err := s.Grade(ctx, ferry, *back)
		if err != nil {
			t.Fatal(err)
		}
		a, _ := record.Canonical(replayed)
		b, _ := record.Canonical(recorded)
		c, err := record.Canonical(read)
		if err != nil || !bytes.Equal(a, b) || !bytes.Equal(b, c) {
			t.Errorf("%s: the verdicts differ:\n%s\n%s\n%s", name, a, b, c)
		}
		if replayed.Pass != (name == "the reference") || replayed.State != record.Graded {
			t.Errorf("%s: pass %v, %s %s", name, replayed.Pass, replayed.State, replayed.Reason)
		}
	}
}

// TestMutants: what is made of the reference is refused, each for something, and none is the reference itself.
func TestMutants(t *testing.T) {
	m := files(t)
	s, _ := compiled(t, m)
	list, err := s.Mutants(ferry)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, mu := range list {
		names = append(names, mu.Name)
		if v := grade(t, s, mu.Answer); v.Pass || v.State != record.Graded || len(broken(v)) == 0 {
			t.Errorf("%s: pass %v, %s", mu.Name, v.Pass, v.State)
		}
	}
	want := "noop shortcut state-only answer-only reads-only without-call-10 without-call-12 without-call-13 write-before-read constants-1 constants-2"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("mutants are\n%s\nwant\n%s", got, want)
	}
	// A reference that only writes has no part without reads to try: what is the reference again is left out.
	var kept []string
	for _, l := range reference(m) {
		if strings.Contains(l, ".create") || strings.Contains(l, "submit") {
			kept = append(kept, l)
		}
	}
	put(m, refFile, strings.Join(kept, "\n")+"\n")
	s, _ = compiled(t, m)
	if list, err = s.Mutants(ferry); err != nil || slices.ContainsFunc(list, func(mu bench.Mutant) bool { return mu.Name == "shortcut" || mu.Name == "write-before-read" }) {
		t.Errorf("the reference stands among its own mutants: %v", err)
	}
}

// TestControlHeader: a control's first lines say what it breaks; one that says nothing is another right way.
func TestControlHeader(t *testing.T) {
	m := files(t)
	delete(m, sealedDir+"controls/counts-held-lots.jsonl")
	lines := reference(m)
	put(m, sealedDir+"controls/two.jsonl", "# an order that was never read\n# breaks: change.note,  message.told, order\n"+strings.Join(slices.Delete(slices.Clone(lines), 11, 12), "\n"))
	put(m, sealedDir+"controls/other-way.jsonl", strings.Join(append([]string{lines[4], lines[8]}, lines...), "\n"))
	s, _ := compiled(t, m)
	list, err := s.Controls(ferry)
	if err != nil || len(list) != 3 {
		t.Fatalf("%d controls, %v", len(list), err)
	}
	for i, want := range []string{"reference true []", "other-way true []", "two false [change.note message.told order]"} {
		if got := fmt.Sprintf("%s %v %v", list[i].Name, list[i].Accept, list[i].Breaks); got != want {
			t.Errorf("control %d is %s, want %s", i, got, want)
		}
		if list[i].File != sealedDir+map[bool]string{true: "reference.jsonl", false: "controls/" + list[i].Name + ".jsonl"}[i == 0] {
			t.Errorf("%s stands in %s", list[i].Name, list[i].File)
		}
		v := grade(t, s, list[i].Answer)
		if v.Pass != list[i].Accept || !slices.Equal(slices.Sorted(slices.Values(broken(v))), append([]string{}, list[i].Breaks...)) {
			t.Errorf("%s: pass %v, breaks %v", list[i].Name, v.Pass, broken(v))
		}
	}
	if got := faults(t, s); len(got) > 0 {
		t.Errorf("faults: %q", got)
	}
}

// TestControlOfNoCriterion: a control that names a criterion which the contract does not have claims nothing, and is told so.
func TestControlOfNoCriterion(t *testing.T) {
	m := files(t)
	put(m, sealedDir+"controls/typo.jsonl", "# forgot something\n# breaks: change.note, change.bokking\n"+strings.Join(reference(m)[:11], "\n"))
	want := sealedDir + `controls/typo.jsonl:2: the contract has no criterion "change.bokking"; did you mean "change.booking"?`
	if _, err := compile(m); err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

// TestNoNegativeControl: a bench whose tasks have no control that must be refused shows nothing of what its contracts refuse.
func TestNoNegativeControl(t *testing.T) {
	warned := func(m fstest.MapFS) bool {
		s, _ := compiled(t, m)
		c, err := s.Claims(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return slices.ContainsFunc(c.Warnings, func(w string) bool { return strings.HasSuffix(w, "[no-negative-control]") })
	}
	m := files(t)
	if warned(m) {
		t.Error("the example has a control that must be refused, and the check does not see it")
	}
	for name := range m {
		if strings.HasPrefix(name, sealedDir+"controls/") {
			delete(m, name)
		}
	}
	if !warned(m) {
		t.Error("without any control that must be refused nothing is said")
	}
	put(m, sealedDir+"controls/other-way.jsonl", strings.Join(append([]string{reference(m)[4]}, reference(m)...), "\n"))
	if !warned(m) {
		t.Error("another right way is taken for a control that must be refused")
	}
}

// TestGradesAtOnce: a set is used by many at once, each of whom gets the verdict of its own episode.
func TestGradesAtOnce(t *testing.T) {
	m := files(t)
	s, _ := compiled(t, m)
	lines := reference(m)
	wrong := with(t, lines, `"option":"A"`, `"option":"B"`)
	good, bad := grade(t, s, lines...), grade(t, s, wrong...)
	want := map[bool]string{}
	for ok, v := range map[bool]record.Verdict{true: good, false: bad} {
		b, err := record.Canonical(v)
		if err != nil || v.Pass != ok {
			t.Fatalf("pass %v, %v", v.Pass, err)
		}
		want[ok] = string(b)
	}
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			ok, trace := i%2 == 0, lines
			if !ok {
				trace = wrong
			}
			for range 3 {
				v, err := s.Grade(context.Background(), ferry, record.Transcript{Outcome: record.Answered, Answer: strings.Join(trace, "\n")})
				b, _ := record.Canonical(v)
				if err != nil || string(b) != want[ok] {
					t.Errorf("another verdict: %v, %s", err, b)
				}
				if _, err := s.Mutants(ferry); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

// TestSealedNowhere: no verb of printing and no encoder gives anything of the sealed part, from any type that the package
// hands out.
func TestSealedNowhere(t *testing.T) {
	m := files(t)
	put(m, sealedDir+"seed/lots.csv", "lot_id,part,qty,status\nLT-77,RP-12,1,HELD\n")
	put(m, sealedDir+"faults.yaml", "faults:\n  - {tool: stores.lots.list, failures: 1, error: The store rests.}\n")
	s, task := compiled(t, m)
	secrets := []string{"2034-05-16", "SPEC-4", "LT-77", "The store rests", "BK-0001", "ropes_per_drum", "u-ada"}
	sess, err := task.Session(context.Background(), "x")
	if err != nil {
		t.Fatal(err)
	}
	defer sess.Close()
	for name, v := range map[string]any{"set": s, "set's value": *s, "task": task, "task's value": *task, "tasks": s.Tasks(), "in a struct": struct{ T *Task }{task}, "in a map": map[string]any{"t": *task},
		"lints": task.Lints, "spec": task.Spec("x"), "contract": task.contract, "contract's value": *task.contract, "expected": *task.expected, "staged": task.staged, "inputs": task.contract.Inputs} {
		var texts []string
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
			texts = append(texts, fmt.Sprintf(verb, v))
		}
		if b, err := json.Marshal(v); err == nil {
			texts = append(texts, string(b))
			if name != "lints" || len(task.Lints) > 0 {
				t.Errorf("%s is written as JSON: %.200s", name, b)
			}
		}
		for _, text := range texts {
			for _, secret := range secrets {
				if strings.Contains(text, secret) || strings.Contains(text, fmt.Sprintf("%x", secret)) {
					t.Errorf("%s prints %s: %.300s", name, secret, text)
				}
			}
		}
	}
}
