package tasks

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/world"
)

// TestUngradable: an episode that is not whole, not of this task or not of this world is ours to explain: no failure, no score.
func TestUngradable(t *testing.T) {
	ctx := context.Background()
	m := files(t)
	s, task := compiled(t, m)
	lines := reference(m)
	change := func(ep *record.Episode, old, new string) {
		if !strings.Contains(string(ep.Events), old) {
			t.Fatalf("the events have no %q", old)
		}
		ep.Events = []byte(strings.Replace(string(ep.Events), old, new, 1))
	}
	for _, c := range []struct {
		name  string
		spoil func(ep *record.Episode)
		want  string
	}{
		{"a result altered", func(ep *record.Episode) { change(ep, `"drums":3`, `"drums":4`) }, "event 3 differs from what was recorded"},
		{"an answer altered", func(ep *record.Episode) { change(ep, `"gap":5`, `"gap":6`) }, "event 13 differs from what was recorded"},
		{"an event left out", func(ep *record.Episode) {
			i, j := strings.Index(string(ep.Events), `{"actor"`), strings.Index(string(ep.Events), `,{"actor"`)
			ep.Events = append(append([]byte{}, ep.Events[:i]...), ep.Events[j+1:]...)
		}, "the log lacks events or holds some twice"},
		{"the end torn off", func(ep *record.Episode) { ep.Events = ep.Events[:len(ep.Events)/2] }, "the episode's events cannot be read"},
		{"the last events gone", func(ep *record.Episode) {
			ep.Events = append(append([]byte{}, ep.Events[:strings.LastIndex(string(ep.Events), `,{"actor"`)]...), ']')
			ep.Events = append(append([]byte{}, ep.Events[:strings.LastIndex(string(ep.Events), `,{"actor"`)]...), ']') // the note, which changed the world
		}, "that no event made"},
		{"changes torn", func(ep *record.Episode) { ep.Changes = []byte("[{") }, "the episode's changes cannot be read"},
		{"changes gone", func(ep *record.Episode) { ep.Changes = []byte("[]") }, "the state at the end is not what the episode's changes make of its beginning"},
		{"another state", func(ep *record.Episode) { ep.State = strings.Repeat("0", 64) }, "the state at the end is not what"},
		{"another session's log", func(ep *record.Episode) { ep.Session = "other" }, "event 1 does not follow the one before it"},
		{"another beginning", func(ep *record.Episode) { ep.Seed = strings.Repeat("1", 64) }, "the episode began as another state than the task's world has now (111111111111, not "},
		{"another task", func(ep *record.Episode) { ep.Task = "ferry-9" }, "the episode is of ferry-yard/ferry-9"},
		{"another world", func(ep *record.Episode) { ep.World = "yard" }, "the episode is of yard/ferry-217"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ep := episode(t, task, "x", lines)
			c.spoil(ep)
			v, err := s.Grade(ctx, ferry, record.Transcript{Outcome: record.Answered, Episode: ep})
			if err != nil {
				t.Fatal(err)
			}
			if v.State != record.Ungradable || v.Letter != record.LetterUngradable || v.Pass || len(v.Findings) > 0 || v.Score != nil || !strings.Contains(v.Reason, c.want) {
				t.Errorf("%s %s, pass %v, %d findings: %q", v.State, v.Letter, v.Pass, len(v.Findings), v.Reason)
			}
			if a := v.Agent; a != nil && (a.Strict || a.GatedScore != nil || a.ProcessScore != nil) {
				t.Errorf("it has scores: %+v", a)
			}
		})
	}
	// What could not run is no failure either, and a cancelled judgement is none at all.
	for _, o := range []record.Outcome{record.Error, record.Undelivered} {
		v, err := s.Grade(ctx, ferry, record.Transcript{Outcome: o, Reason: "the server was gone", Episode: episode(t, task, "x", lines[:4])})
		if err != nil || v.State != record.Ungradable || v.Pass || v.Agent.GatedScore != nil || v.Reason == "" {
			t.Errorf("%s: %s %q, %v", o, v.State, v.Reason, err)
		}
	}
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := s.Grade(gone, ferry, record.Transcript{Outcome: record.Answered, Answer: strings.Join(lines, "\n")}); err == nil {
		t.Error("a judgement that was broken off is one")
	}
}

// TestBoundToTheWorld: an episode is judged by the world that it happened in. When a row, a contract or the task's own text
// changes, the verdict says so by its digests, or there is none.
func TestBoundToTheWorld(t *testing.T) {
	ctx := context.Background()
	m := files(t)
	s, task := compiled(t, m)
	tr := record.Transcript{Outcome: record.Answered, Episode: episode(t, task, "x", reference(m))}
	v, err := s.Grade(ctx, ferry, tr)
	if err != nil || !v.Pass {
		t.Fatalf("%v, %v", broken(v), err)
	}
	for _, c := range []struct {
		name, file, old, new string
		graded, grader, task bool // judged still; by another grader; of another task text
	}{
		{"a row that decides nothing", "world/seed/lots.csv", "LT-2,RP-10,30,FREE", "LT-2,RP-10,31,FREE", false, true, false},
		{"a row behind the answer", "world/seed/lots.csv", "LT-3,RP-12,7,FREE", "LT-3,RP-12,6,FREE", false, true, false},
		{"the contract", keyFile, "weight: 4", "weight: 5", true, true, false},
		{"the request", taskFile, "a hopeful one", "a hopeful day", true, false, true},
		{"layout of the contract", keyFile, "weight: 4", "weight:   4  # much", true, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := files(t)
			edit(t, m, c.file, c.old, c.new)
			k, _ := compiled(t, m)
			w, err := k.Grade(ctx, ferry, tr)
			if err != nil {
				t.Fatal(err)
			}
			if graded := w.State == record.Graded; graded != c.graded || !graded && (w.Pass || !strings.Contains(w.Reason, "began as another state than the task's world has now")) {
				t.Errorf("%s %q", w.State, w.Reason)
			}
			if (k.Digest() != s.Digest()) != c.grader || w.Grader != k.Digest() {
				t.Errorf("the grader is %s and was %s", w.Grader, s.Digest())
			}
			if c.graded && (w.Agent.Task != v.Agent.Task) != c.task {
				t.Errorf("the task's digest is %s and was %s", w.Agent.Task, v.Agent.Task)
			}
		})
	}
}

// TestBoundToTheDay: the task's day and its evidence files decide the key, so that an episode of another day, or one that read
// another file, is not judged by it.
func TestBoundToTheDay(t *testing.T) {
	ctx := context.Background()
	m := files(t)
	evidence := "tasks/" + ferry + "/public/evidence/spec.md"
	put(m, evidence, "A drum takes 4 ropes.\n")
	edit(t, m, taskFile, "answer:\n", "evidence:\n  - {path: spec.md}\nanswer:\n")
	_, task := compiled(t, m)
	lines := reference(m)
	read := slices.Concat([]string{`{"tool":"assay.evidence","args":{"path":"spec.md"}}`}, lines)
	for _, c := range []struct{ name, file, old, new, want string }{
		{"another day", taskFile, `as_of: "2034-05-02"`, `as_of: "2034-05-03"`, "the episode began at 2034-05-02T09:01:00, and the task begins at 2034-05-03T09:01:00 now"},
		{"another file", evidence, "takes 4", "takes 5", "event 1 read the evidence file spec.md as another one than the task has now"},
		{"another time of day", "world/world.yaml", "T09:00:00", "T10:00:00", "the task begins at 2034-05-02T10:01:00 now"},
	} {
		n := maps.Clone(m)
		edit(t, n, c.file, c.old, c.new)
		s, _ := compiled(t, n)
		v, err := s.Grade(ctx, ferry, record.Transcript{Outcome: record.Answered, Episode: episode(t, task, "x", read)})
		if err != nil || v.State != record.Ungradable || v.Pass || !strings.Contains(v.Reason, c.want) {
			t.Errorf("%s: %s %q, %v", c.name, v.State, v.Reason, err)
		}
		if c.name == "another file" { // an episode that never read it is what it was
			if v, err := s.Grade(ctx, ferry, record.Transcript{Outcome: record.Answered, Episode: episode(t, task, "x", lines)}); err != nil || !v.Pass {
				t.Errorf("%s, not read: %s %q, %v", c.name, v.State, v.Reason, err)
			}
		}
	}
}

// TestTwoVersionsSideBySide: fifty sessions of each of two versions of a world, in files and in memory, while both are compiled
// again and again: none sees another, each is judged by its own version, and a copy that is torn is no session.
func TestTwoVersionsSideBySide(t *testing.T) {
	ctx, root := context.Background(), t.TempDir()
	old := files(t)
	changed := files(t)
	edit(t, changed, "world/seed/lots.csv", "LT-3,RP-12,7,FREE", "LT-3,RP-12,8,FREE")
	a, taskA := compiled(t, old)
	b, taskB := compiled(t, changed)
	lines := map[*Set][]string{a: reference(old), b: with(t, reference(changed), `"usable_quantity":7`, `"usable_quantity":8`, `"gap":5`, `"gap":4`, "wait for 5 ropes", "wait for 4 ropes")}
	var mu sync.Mutex
	seeds := map[*Set]map[string]bool{a: {}, b: {}}
	var wg sync.WaitGroup
	for _, v := range []struct {
		set, other *Set
		task       *Task
		tag        string
	}{{a, b, taskA, "a"}, {b, a, taskB, "b"}} {
		for i := range 50 {
			wg.Go(func() {
				id := fmt.Sprintf("%s-%02d", v.tag, i)
				open := v.task.World.NewSession
				if i%2 == 1 {
					open = func(ctx context.Context, sp world.Spec) (*world.Session, error) {
						return v.task.World.CreateSession(ctx, sp, root)
					}
				}
				s, err := open(ctx, v.task.Spec(id))
				if err != nil {
					t.Error(err)
					return
				}
				defer s.Close()
				trace, err := world.ReadTrace([]byte(strings.Join(lines[v.set], "\n")))
				if err == nil {
					err = world.Replay(ctx, s, trace)
				}
				if err != nil {
					t.Error(err)
					return
				}
				ep, err := world.Bundle(ctx, s, "answer")
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				seeds[v.set][ep.Seed] = true
				mu.Unlock()
				tr := record.Transcript{Outcome: record.Answered, Episode: ep}
				if got, err := v.set.Grade(ctx, ferry, tr); err != nil || !got.Pass {
					t.Errorf("%s fails %v: %s %v", id, broken(got), got.Reason, err)
				}
				if i%10 == 0 {
					if got, err := v.other.Grade(ctx, ferry, tr); err != nil || got.State != record.Ungradable {
						t.Errorf("%s is judged by another version: %s %v", id, got.State, err)
					}
				}
			})
		}
		wg.Go(func() { // the seed is made anew under them
			for range 3 {
				m := old
				if v.tag == "b" {
					m = changed
				}
				if k, err := compile(m); err != nil || k.Digest() != v.set.Digest() {
					t.Errorf("the same files are another grader: %v", err)
				}
			}
		})
	}
	wg.Wait()
	if len(seeds[a]) != 1 || len(seeds[b]) != 1 {
		t.Errorf("%d and %d beginnings of one world each", len(seeds[a]), len(seeds[b]))
	}
	for seed := range seeds[a] {
		if seeds[b][seed] {
			t.Error("two versions begin as one")
		}
	}
	// A session of one version does not open as one of the other, nor does a torn copy open at all.
	if s, err := taskB.World.OpenSession(ctx, taskB.Spec("a-01"), root); err == nil {
		s.Close()
		t.Error("a session of another version was opened")
	}
	var file string
	entries, err := os.ReadDir(filepath.Join(root, "a-03"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Size() > 8192 {
			file = filepath.Join(root, "a-03", e.Name())
		}
	}
	if file == "" {
		t.Fatal("the session has no database")
	}
	if err := os.Truncate(file, 4096); err != nil {
		t.Fatal(err)
	}
	if s, err := taskA.World.OpenSession(ctx, taskA.Spec("a-03"), root); err == nil {
		s.Close()
		t.Error("a torn copy was opened")
	}
}
