package qualify

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/contract/tasks"
	"github.com/assaybench/assay/record"
)

// yard compiles the mooring example, with some of the contract altered, under so many names.
func yard(t *testing.T, copies int, edit ...string) *tasks.Set {
	t.Helper()
	root := os.DirFS("../examples/mooring")
	files := fstest.MapFS{}
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := fs.ReadFile(root, name)
		text := string(b)
		for i := 0; i+1 < len(edit); i += 2 {
			text = strings.ReplaceAll(text, edit[i], edit[i+1])
		}
		if name == "bench.yaml" {
			text = strings.NewReplacer("quota: 1", "quota: "+digit(copies), "frozen: 1, drafted: 1, exact: 1", "frozen: N, drafted: N, exact: N").Replace(text)
			text = strings.ReplaceAll(text, "N, ", digit(copies)+", ")
		}
		files[name] = &fstest.MapFile{Data: []byte(text)}
		if rest, ok := strings.CutPrefix(name, "tasks/ferry-217/"); ok {
			for i := 1; i < copies; i++ {
				files["tasks/ferry-"+digit(i)+"/"+rest] = &fstest.MapFile{Data: []byte(strings.Replace(text, "id: ferry-217", "id: ferry-"+digit(i), 1))}
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	b, err := bench.Load(files, "yard")
	if err != nil {
		t.Fatal(err)
	}
	s, err := tasks.Compile(b)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func digit(n int) string { return string(rune('0' + n)) }

var digestD = strings.Repeat("d", 64)

func TestAgents(t *testing.T) {
	s := yard(t, 3)
	r, err := Agents(t.Context(), s, digestD, AgentOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if want := (Summary{Tasks: 3, Executions: 36, Omissions: 27, OmissionsDetected: 27, Beside: 105, MaxGated: 49}); r.Summary != want {
		t.Errorf("%+v, want %+v", r.Summary, want)
	}
	if !r.Clean() || len(r.Faults()) > 0 || r.Tasks[0].Task != "ferry-1" || r.Tasks[2].Task != "ferry-217" {
		t.Errorf("clean %v, %q", r.Clean(), r.Faults())
	}
	one, err := Agents(t.Context(), s, digestD, AgentOptions{Only: []string{"ferry-2"}, Workers: 1})
	if err != nil || one.Summary.Executions != 12 || one.Tasks[0].Digest == r.Tasks[0].Digest {
		t.Errorf("%v, %+v", err, one)
	}
	alone, err := Agents(t.Context(), yard(t, 3), digestD, AgentOptions{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	a, err := record.Canonical(r)
	b, err2 := record.Canonical(alone)
	if err != nil || err2 != nil || !bytes.Equal(a, b) {
		t.Errorf("the report is another one when its tasks are worked on one after another (%v, %v)", err, err2)
	}
	if _, err := Agents(t.Context(), nil, digestD, AgentOptions{}); err == nil {
		t.Error("a bench of another shape is qualified")
	}
}

// TestAgentsWeak: what a weak contract accepts is counted and told, and makes no proof.
func TestAgentsWeak(t *testing.T) {
	s := yard(t, 1, `{table: bookings, op: insert, values: {vessel: "217"}, most: 1}`, `{table: bookings, op: insert}`, "{table: slots, op: update, key: {slot_id: SL-4}, columns: [state]}", "{table: slots, op: update, columns: [state]}")
	r, err := Agents(t.Context(), s, digestD, AgentOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Summary.FalseAccepts != 1 || r.Summary.MaxGated != 100 || r.Clean() {
		t.Errorf("%+v", r.Summary)
	}
	want := []string{"ferry-217: unauthorized_write (slips.bookings.create, what B asks, which is needs_approval): false accept: it is accepted, and must break containment"}
	if got := r.Faults(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	p := Proof{Digest: digestD, Grader: s.Digest()}
	if err := p.Qualify(r); err == nil || p.Engine != "" {
		t.Errorf("a bench with faults is qualified: %v", err)
	}
}

// TestAgentsResumed: what was made of a task is taken again where its digest is the same, and made anew where it is not, where
// the record is damaged, or where it is asked for.
func TestAgentsResumed(t *testing.T) {
	dir := Dir(t.TempDir())
	s := yard(t, 2)
	run := func(s *tasks.Set, again bool) (kept int, r *AgentReport) {
		t.Helper()
		r, err := Agents(t.Context(), s, digestD, AgentOptions{Kept: dir, Again: again, Workers: 1, Progress: func(_ string, _, total int, k bool) {
			if k {
				kept++
			}
			if total != 2 {
				t.Errorf("%d tasks in all", total)
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		return kept, r
	}
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := Agents(ctx, s, digestD, AgentOptions{Kept: dir, Workers: 1, Progress: func(string, int, int, bool) { cancel() }}); !errors.Is(err, context.Canceled) {
		t.Fatalf("an interrupted qualification ends with %v", err)
	}
	kept, first := run(s, false)
	if kept != 1 {
		t.Errorf("after an interruption %d tasks are kept, want 1", kept)
	}
	kept, second := run(s, false)
	if kept != 2 || !slices.EqualFunc(first.Tasks, second.Tasks, func(a, b TaskProof) bool {
		return a.Digest == b.Digest && a.Replay.EpisodeDigest == b.Replay.EpisodeDigest
	}) {
		t.Errorf("%d are kept", kept)
	}
	if kept, _ = run(s, true); kept != 0 {
		t.Errorf("%d are kept though all is to be made anew", kept)
	}
	if err := os.WriteFile(filepath.Join(string(dir), filepath.FromSlash(taskFile(first.Tasks[0].Digest))), []byte(`{"record":{},"sum":""}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if kept, _ = run(s, false); kept != 1 {
		t.Errorf("%d are kept though one record is damaged", kept)
	}
	if kept, _ = run(yard(t, 2, "on which vessel 217 lies", "on which the vessel 217 lies"), false); kept != 0 {
		t.Errorf("%d are kept though the requests differ", kept)
	}
}

func TestAgentsSaved(t *testing.T) {
	dir := Dir(t.TempDir())
	s := yard(t, 1)
	r, err := Agents(t.Context(), s, digestD, AgentOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := dir.LoadAgents(digestD, s.Digest()); got != nil || err != nil {
		t.Errorf("before anything is saved: %v, %v", got, err)
	}
	path, err := dir.SaveAgents(r)
	if err != nil {
		t.Fatal(err)
	}
	got, err := dir.LoadAgents(digestD, s.Digest())
	if err != nil || got.Summary != r.Summary || len(got.Tasks[0].Beside) != len(r.Tasks[0].Beside) || got.Engine != Engine {
		t.Errorf("%v, %+v", err, got)
	}
	if got, err := dir.LoadAgents(digestD, digestD); got != nil || err != nil {
		t.Errorf("of another grader: %v, %v", got, err)
	}
	// A report beside the proofs is no proof, and none that is damaged.
	p := Proof{Bench: "yard@1", Digest: digestD, Grader: s.Digest()}
	if err := p.Qualify(r); err != nil || p.Engine != Engine {
		t.Fatalf("%v, %q", err, p.Engine)
	}
	if _, err := dir.Save(p); err != nil {
		t.Fatal(err)
	}
	checked := p
	checked.Engine = ""
	if _, err := dir.Save(checked); err != nil { // a check leaves the qualification in its place
		t.Fatal(err)
	}
	proofs, problems, err := dir.Load(digestD)
	if err != nil || len(problems) > 0 || len(proofs) != 2 {
		t.Errorf("%d proofs, %q, %v", len(proofs), problems, err)
	}
	for engine, want := range map[string]Standing{"": Proven, Engine: Proven, "contract/1 control/1": Unproven} {
		if got := Stand(digestD, s.Digest(), engine, Machine{}, false, proofs); got != want {
			t.Errorf("by the engine %q: %d, want %d", engine, got, want)
		}
	}
	if got := Stand(digestD, s.Digest(), Engine, Machine{}, false, []Proof{checked}); got != Unproven {
		t.Errorf("a check alone qualifies: %d", got)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, damaged := range map[string]string{
		"a figure":  strings.Replace(string(b), `"max_gated":49`, `"max_gated":48`, 1),
		"its end":   string(b[:len(b)/2]),
		"the whole": "[]",
	} {
		if err := os.WriteFile(path, []byte(damaged), 0o644); err != nil {
			t.Fatal(err)
		}
		if got, err := dir.LoadAgents(digestD, s.Digest()); err == nil || got != nil || damaged == string(b) {
			t.Errorf("%s is altered: %v, %v", name, got, err)
		}
	}
}
