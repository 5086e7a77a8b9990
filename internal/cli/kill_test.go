//go:build unix

package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/assaybench/assay/model/modeltest"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/store"
)

const (
	killItems   = 60
	killRepeats = 2
)

// TestKill kills runs with SIGKILL at random moments and resumes them: every attempt must be recorded exactly once, and the
// totals are those of the rows. ASSAY_SLOW=1 runs the long form.
func TestKill(t *testing.T) {
	runs := 5
	if os.Getenv("ASSAY_SLOW") == "1" {
		runs = 100
	}
	every, err := modeltest.Every("429:37,500:53")
	if err != nil {
		t.Fatal(err)
	}
	mock, err := modeltest.NewMock(modeltest.MockOptions{Answer: "ANSWER: 42", Delay: 4 * time.Millisecond, Models: []string{"mock"}, Fault: every})
	if err != nil {
		t.Fatal(err)
	}
	defer mock.Close()
	dir := t.TempDir()
	writeKillBench(t, filepath.Join(dir, "bench"))
	seed := time.Now().UnixNano()
	t.Logf("seed %d", seed)
	chance := rand.New(rand.NewPCG(uint64(seed), 1))
	killed := 0
	for n := range runs {
		db := filepath.Join(dir, fmt.Sprintf("%d.db", n))
		for round := 0; ; round++ {
			cmd := command(t, dir, "run", "./bench", "--model", "openai/mock@"+mock.URL, "--concurrency", "8", "--unproven", "--db", db, "--json")
			var out, errs bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &errs
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			var timer *time.Timer
			if round < 3 {
				timer = time.AfterFunc(time.Duration(chance.Int64N(int64(700*time.Millisecond))), func() { cmd.Process.Signal(syscall.SIGKILL) })
			}
			err := cmd.Wait()
			if timer != nil {
				timer.Stop()
			}
			if err == nil {
				checkKilledRun(t, db, out.Bytes())
				break
			}
			if st, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || st.Signal() != syscall.SIGKILL {
				t.Fatalf("run %d, round %d: %v\n%s", n, round, err, errs.String())
			}
			killed++
		}
	}
	t.Logf("%d runs, %d kills", runs, killed)
	if killed < runs/2 {
		t.Errorf("only %d kills in %d runs: the test no longer tests what it should", killed, runs)
	}
}

func command(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "ASSAY_AS_COMMAND=1", "ASSAY_STATE="+filepath.Join(dir, "state"))
	return cmd
}

func writeKillBench(t *testing.T, dir string) {
	t.Helper()
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("bench.yaml", fmt.Sprintf(`id: kill
version: "1"
title: Runs that are killed
shape: prompt
licence: Apache-2.0
attribution: generated
families: [{id: sums, quota: %d}]
protocol:
  repeats: %d
  pass_rule: all
  context: 4096
  default_posture: plain
  postures: {plain: {max_output: 16, timeout: 30s}}
`, killItems, killRepeats))
	for i := range killItems { // every third item is answered wrongly
		want := 42
		if i%3 == 0 {
			want = 43
		}
		write(fmt.Sprintf("items/q%03d.yaml", i), fmt.Sprintf("id: q%03d\nfamily: sums\nbasis: exact\nprompt: \"Question %d. End with ANSWER: N\"\nrules:\n  - answer: {number: %d}\n", i, i, want))
	}
}

// checkKilledRun looks at the rows behind a finished run.
func checkKilledRun(t *testing.T, path string, printed []byte) {
	t.Helper()
	ctx := context.Background()
	db, err := store.Open(ctx, path, store.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	runs := 0
	for r, err := range db.Runs(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		runs++
		seen := map[record.Key]int{}
		passed := map[string]int{}
		for row, err := range db.Rows(ctx, r, r.Plan.Grader) {
			if err != nil {
				t.Fatal(err)
			}
			seen[row.Key]++
			if row.Outcome != record.Answered || row.State != record.Graded {
				t.Errorf("%v ended as %q, %q", row.Key, row.Outcome, row.State)
			}
			if row.Pass {
				passed[row.Key.Item]++
			}
			tries, err := db.Tries(ctx, r, row.N)
			if err != nil {
				t.Fatal(err)
			}
			final := 0
			for _, try := range tries {
				if try.Outcome != record.Error {
					final++
				}
			}
			if final != 1 {
				t.Errorf("%v has %d final tries", row.Key, final)
			}
		}
		if len(seen) != killItems*killRepeats {
			t.Errorf("%d attempts are recorded, want %d", len(seen), killItems*killRepeats)
		}
		for k, n := range seen {
			if n != 1 {
				t.Errorf("%v is recorded %d times", k, n)
			}
		}
		full := 0
		for _, n := range passed {
			if n == killRepeats {
				full++
			}
		}
		var res struct {
			Figures []struct{ Passed, Items int }
		}
		if err := json.Unmarshal(printed, &res); err != nil || len(res.Figures) == 0 {
			t.Fatalf("the results are no JSON with figures: %v", err)
		}
		if res.Figures[0].Passed != full || full != killItems-killItems/3 || res.Figures[0].Items != killItems {
			t.Errorf("printed %d of %d, the rows say %d", res.Figures[0].Passed, res.Figures[0].Items, full)
		}
	}
	if runs != 1 {
		t.Errorf("%d runs in the database, want 1", runs)
	}
}
