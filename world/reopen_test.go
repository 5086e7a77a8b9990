package world

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/record"
)

// TestLogWithoutItsEnd: what was taken off the end of a log leaves a whole chain, and reads leave no trace in the state; it is
// found all the same, and named.
func TestLogWithoutItsEnd(t *testing.T) {
	w, sp := depot(t)
	for name, c := range map[string]struct{ harm, want string }{
		"the last read":          {"DELETE FROM assay_events WHERE seq = 4", "the log ends with event 3, and 4 were recorded: events 4 to 4 were removed"},
		"the last two reads":     {"DELETE FROM assay_events WHERE seq > 2", "the log ends with event 2, and 4 were recorded: events 3 to 4 were removed"},
		"all":                    {"DELETE FROM assay_events", "the log ends with event 0, and 4 were recorded: events 1 to 4 were removed"},
		"the count":              {"DELETE FROM assay_log", "nothing says any more how many events were recorded"},
		"the count and the last": {"DELETE FROM assay_log; DELETE FROM assay_events WHERE seq = 4", "nothing says any more how many events were recorded"},
		"the count is altered":   {"UPDATE assay_log SET events = 3", "the log has 4 events, and 3 were recorded"},
		"the hash is altered":    {"UPDATE assay_log SET last = 'x'", "event 4, the last one, is another than was recorded"},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, root := context.Background(), t.TempDir()
			s, err := w.CreateSession(ctx, sp, root)
			if err != nil {
				t.Fatal(err)
			}
			ask(t, s, "stores.lots.get", `{"lot_id":"WS-91"}`)
			ask(t, s, "stores.lots.release", `{"lot_id":"WS-88","revision":1}`)
			ask(t, s, "stores.lots.get", `{"lot_id":"WS-88"}`)
			ask(t, s, "no.such.tool", `{`)
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			if s, err = w.OpenSession(ctx, sp, root); err != nil {
				t.Fatalf("unharmed: %v", err)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			dir := filepath.Join(root, sp.ID)
			if err := statementOn(c.harm)(dir); err != nil {
				t.Fatal(err)
			}
			if s, err = w.OpenSession(ctx, sp, root); err == nil {
				s.Close()
				t.Fatal("it was opened")
			}
			if !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), dir) || strings.Contains(err.Error(), "\n") {
				t.Errorf("got %v, want %q with the folder, in one line", err, c.want)
			}
		})
	}
}

// TestBundleWithoutItsEnd: an exported episode whose last events were cut off is no episode.
func TestBundleWithoutItsEnd(t *testing.T) {
	w, sp := depot(t)
	s, err := w.NewSession(context.Background(), sp)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ask(t, s, "stores.lots.get", `{"lot_id":"WS-91"}`)
	ask(t, s, "stores.lots.get", `{"lot_id":"WS-88"}`)
	ep, err := Bundle(context.Background(), s, "silent")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "ep")
	if err := WriteBundle(dir, &record.Transcript{Outcome: record.Answered, Episode: ep}); err != nil {
		t.Fatal(err)
	}
	back, err := ReadBundle(os.DirFS(dir))
	if err != nil || string(back.Episode.Events) != string(ep.Events) {
		t.Fatalf("unharmed: %v", err)
	}
	file := filepath.Join(dir, EventsFile)
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	first, second, _ := strings.Cut(string(b), "\n")
	var wrong *Damaged
	for _, c := range []struct{ events, want string }{
		{first + "\n", "events.jsonl has 1 event, and bundle.json says 2"},
		{"", "events.jsonl has 0 events, and bundle.json says 2"},
		{second + first + "\n", "event 2, the last one, is another than bundle.json says"},
	} {
		if err := os.WriteFile(file, []byte(c.events), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadBundle(os.DirFS(dir)); !errors.As(err, &wrong) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}

// TestBundleIsBound: nothing of an exported episode can be changed by itself, and one of a version that could not tell is
// refused with what to do.
func TestBundleIsBound(t *testing.T) {
	w, sp := depot(t)
	s, err := w.NewSession(context.Background(), sp)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ask(t, s, "stores.lots.get", `{"lot_id":"WS-91"}`)
	ask(t, s, "stores.lots.release", `{"lot_id":"WS-88","revision":1}`)
	ep, err := Bundle(context.Background(), s, "silent")
	if err != nil || !ep.Sealed {
		t.Fatalf("%v, sealed %v", err, ep.Sealed)
	}
	ep.Sealed, ep.Agent = false, "command/x"
	dir := filepath.Join(t.TempDir(), "ep")
	if err := WriteBundle(dir, &record.Transcript{Outcome: record.Truncated, Reason: "the limit", Episode: ep}); err != nil {
		t.Fatal(err)
	}
	if back, err := ReadBundle(os.DirFS(dir)); err != nil || back.Outcome != record.Truncated || back.Episode.Sealed || back.Episode.Agent != "command/x" {
		t.Fatalf("unharmed: %+v, %v", back, err)
	}
	for _, c := range []struct{ file, old, new, want string }{
		{BundleFile, `"outcome":"truncated"`, `"outcome":"answered"`, "are not what was written"},
		{BundleFile, `"sealed":false`, `"sealed":true`, "are not what was written"},
		{BundleFile, `"agent":"command/x",`, ``, "are not what was written"},
		{BundleFile, `"ended":"silent"`, `"ended":"answer"`, "are not what was written"},
		{BundleFile, `"reason":"the limit"`, `"reason":""`, "are not what was written"},
		{BundleFile, `"state":"`, `"state":"0`, "are not what was written"},
		{BundleFile, `"digest":"`, `"digest":"0`, "are not what was written"},
		{BundleFile, `"digest":"`, `"former":"`, "bundle.json is not what this program writes: /former: there is no such member"},
		{BundleFile, `"events":2,`, ``, "says 0"},
		{BundleFile, `"last":"`, `"last":"0`, "event 2, the last one, is another"},
		{ChangesFile, `"WS-88"`, `"WS-91"`, "are not what was written"},
		{EventsFile, `"WS-91"`, `"WS-19"`, "event 1 differs from what was recorded"},
	} {
		path := filepath.Join(dir, c.file)
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(b), c.old) {
			t.Fatalf("%s has no %s:\n%s", c.file, c.old, b)
		}
		if err := os.WriteFile(path, []byte(strings.Replace(string(b), c.old, c.new, 1)), 0o644); err != nil {
			t.Fatal(err)
		}
		var wrong *Damaged
		if _, err := ReadBundle(os.DirFS(dir)); !errors.As(err, &wrong) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s, %s: got %v, want %q in one line", c.file, c.new, err, c.want)
		}
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const old = `{"agent":"","ended":"silent","outcome":"answered","reason":"","sealed":true,"seed":"x","session":"s","state":"x","task":"t","world":"w"}`
	if err := os.WriteFile(filepath.Join(dir, BundleFile), []byte(old+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadBundle(os.DirFS(dir)); err == nil || !strings.Contains(err.Error(), "export the episode again: assay export --run RUN episodes -o DIR") {
		t.Errorf("an old bundle: %v", err)
	}
}

// TestServedIsNotKnownToBeSealed: who worked in a world that was served, and what else they could see, nobody knows.
func TestServedIsNotKnownToBeSealed(t *testing.T) {
	w, sp := depot(t)
	s, err := w.CreateSession(context.Background(), sp, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if ep, err := Bundle(context.Background(), s, "silent"); err != nil || ep.Sealed {
		t.Errorf("%v, %+v", err, ep)
	}
}

// TestOtherDefinition: an episode goes on only under the tools, the clock, the schema, the task and the faults that it began
// under, though its first state be the same.
func TestOtherDefinition(t *testing.T) {
	w, sp := depot(t)
	ctx, root := context.Background(), t.TempDir()
	s, err := w.CreateSession(ctx, sp, root)
	if err != nil {
		t.Fatal(err)
	}
	ask(t, s, "stores.lots.get", `{"lot_id":"WS-91"}`)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ file, old, new string }{
		{"world/tools.yaml", "description: Free a held lot.", "description: Free a lot that is held."},
		{"world/world.yaml", "step: 60", "step: 61"},
		{"tasks/lift-4417/public/task.yaml", "role: ", "role: Senior "},
		{"tasks/lift-4417/sealed/faults.yaml", "failures: 1", "failures: 2"},
	} {
		t.Run(c.file, func(t *testing.T) {
			m := tree(t)
			text := string(m[c.file].Data)
			if !strings.Contains(text, c.old) {
				t.Fatalf("%s has no %q:\n%s", c.file, c.old, text)
			}
			m[c.file].Data = []byte(strings.Replace(text, c.old, c.new, 1))
			other, err := Load(m, "world", "depot")
			if err != nil {
				t.Fatal(err)
			}
			const public = "tasks/lift-4417/public"
			n, err := bench.Parse(public+"/task.yaml", m[public+"/task.yaml"].Data)
			if err != nil {
				t.Fatal(err)
			}
			task, err := other.ReadTask(n, m, public)
			if err != nil {
				t.Fatal(err)
			}
			st, err := other.ReadStaged(m, "tasks/lift-4417/sealed")
			if err != nil {
				t.Fatal(err)
			}
			seed, err := other.Seed(ctx, task, st)
			if err != nil {
				t.Fatal(err)
			}
			if seed.SHA256 != s.SeedDigest() {
				t.Fatalf("the change is one of the seed, which is another test's")
			}
			spec := Spec{ID: sp.ID, Task: task, Staged: st}
			o, err := other.OpenSession(ctx, spec, root)
			if err == nil {
				o.Close()
				t.Fatal("it goes on")
			}
			was, is := w.Definition(sp), other.Definition(spec)
			if was == is || !strings.Contains(err.Error(), was[:12]) || !strings.Contains(err.Error(), is[:12]) || strings.Contains(err.Error(), "\n") {
				t.Errorf("not by both digests, in one line: %v", err)
			}
		})
	}
	if s, err = w.OpenSession(ctx, sp, root); err != nil || len(s.Events()) != 1 {
		t.Fatalf("under its own definition: %v", err)
	}
	s.Close()
	// An episode that does not say what it began under is not taken for one that began under this.
	file := filepath.Join(root, sp.ID, episodeFile)
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(string(b), w.Definition(sp), "", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := w.OpenSession(ctx, sp, root); err == nil || !strings.Contains(err.Error(), "does not say by which tools") {
		t.Errorf("without a definition: %v", err)
	}
}

// TestSweep: what a killed process left is removed at the next start; what another one works on, what is new and what is no
// beginning of an episode is not.
func TestSweep(t *testing.T) {
	w, sp := depot(t)
	root := t.TempDir()
	old := time.Now().Add(-time.Hour)
	put := func(rel string, age time.Time) string {
		path := filepath.Join(root, rel)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		for p := path; p != root; p = filepath.Dir(p) {
			if err := os.Chtimes(p, age, age); err != nil {
				t.Fatal(err)
			}
		}
		return path
	}
	gone := []string{put(".new-1/world.db", old), put(".new-2/world.db", old), put("seeds/.abc.db.1234", old)}
	live := put(".new-3/world.db", old)
	stay := []string{live, put(".aside/1/x/world.db", old), put("seeds/abc.db", old), put("old-episode/world.db", old)}
	stay = append(stay, put(".new-4/world.db", time.Now()), put("seeds/.def.db.1234", time.Now()))
	if err := os.Chtimes(filepath.Dir(stay[2]), old, old); err != nil {
		t.Fatal(err)
	}
	release := hold(filepath.Dir(live))
	if s, err := w.CreateSession(context.Background(), sp, root); err != nil {
		t.Fatal(err)
	} else if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, p := range gone {
		if _, err := os.Stat(p); !os.IsNotExist(err) {
			t.Errorf("%s is still there (%v)", p, err)
		}
	}
	for _, p := range stay {
		if _, err := os.Stat(p); err != nil {
			t.Errorf("%s is gone: %v", p, err)
		}
	}
	release()
	sweep(root, time.Now())
	if _, err := os.Stat(live); !os.IsNotExist(err) {
		t.Errorf("after its process ended, %s is still there (%v)", live, err)
	}
}
