package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/assaybench/assay/model/modeltest"
)

// sold is a rig with the small bench, a private set and prices before a server that counts 100 tokens of each prompt and so
// many of each reply; with 50 a call costs 0.00105. calls are those for items.
func sold(t *testing.T, output int, scripts map[string][]modeltest.MockReply) (r *rig, model string, calls *atomic.Int64) {
	t.Helper()
	r = newRig(t)
	r.desk(0)
	r.private(secretSet)
	if err := os.MkdirAll(filepath.Join(r.dir, ".assay"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(r.dir, ".assay", "prices.yaml"), []byte(priced), 0o644); err != nil {
		t.Fatal(err)
	}
	d := &dialogues{scripts: scripts}
	calls = new(atomic.Int64)
	model, _ = r.mock(modeltest.MockOptions{Reply: func(q modeltest.MockRequest) modeltest.MockReply {
		if user, _ := said(q.Body); len(user) > 0 && strings.HasPrefix(user[0], "要件: ") { // the others make the model ready
			calls.Add(1)
		}
		rep := d.reply(q)
		rep.PromptTokens, rep.OutputTokens = 100, output
		return rep
	}})
	return r, model, calls
}

// A run with a private set asks once, for both of its runs, and says that an attempt may take several replies.
func TestPrivateIsAskedOnce(t *testing.T) {
	r, model, calls := sold(t, 50, nil)
	args := []string{"run", "./desk", "--unproven", "--no-probe", "-m", model, "--private", "mine.jsonl"}
	got := r.want(2, args...)
	if !strings.Contains(got.err, "openai/mock: 7 attempts, 3 of them at the private set, each of 3 replies at the most, about ") ||
		!strings.Contains(got.err, " at most 43008 of output") || strings.Count(got.err, "this run costs money") != 1 || calls.Load() != 0 {
		t.Errorf("%d requests\n%s", calls.Load(), got.err)
	}
	r.interactive, r.stdin = true, strings.NewReader("y\n")
	got = r.want(0, append(args, "--max-cost", "1")...)
	if strings.Count(got.err, "go on? [y/N]") != 1 || strings.Count(got.err, "the two runs stop at 1.00 USD together") != 1 || !strings.Contains(got.out, "3/3") {
		t.Errorf("%s%s", got.err, got.out)
	}
	r.interactive, r.stdin = false, strings.NewReader("")
	if got = r.want(0, args...); strings.Contains(got.err, "costs money") { // both are finished
		t.Error(got.err)
	}
}

// The two runs share one limit, in all sessions: the sum of both never goes beyond it by more than the call under way, and
// it is said once that it is reached.
func TestPrivateSharesTheLimit(t *testing.T) {
	r, model, calls := sold(t, 50, nil)
	args := []string{"run", "./desk", "--unproven", "--no-probe", "-m", model, "--private", "mine.jsonl", "--yes", "--concurrency", "1"}
	limit := func(code int, amount string, want int64, spent string) {
		t.Helper()
		before := calls.Load()
		got := r.want(code, append(args, "--max-cost", amount)...)
		if n := calls.Load() - before; n != want || code == 3 && (strings.Count(got.err, "is reached") != 1 || !strings.Contains(got.err, "is reached: "+spent+" USD are spent;")) {
			t.Errorf("--max-cost %s: %d calls, want %d\n%s", amount, n, want, got.err)
		}
	}
	limit(3, "0.003", 3, "0.00315")  // in the bench's own run
	limit(3, "0.0055", 3, "0.0063")  // its last call, and two of the private set
	limit(3, "0.0063", 0, "0.0063")  // nothing more
	limit(0, "0.01", 1, "")          // the last
	limit(0, "0.001", 0, "0.001050") // what is finished costs nothing
}

// What the private set's run spent counts before the bench's own goes on.
func TestPrivateSpentCounts(t *testing.T) {
	r, model, calls := sold(t, 50, map[string][]modeltest.MockReply{"C-01": {{Content: "{}", Finish: "because"}}}) // an error whose tokens are counted
	args := []string{"run", "./desk", "--unproven", "--no-probe", "-m", model, "--private", "mine.jsonl", "--yes"}
	r.want(3, args...)
	if n := calls.Load(); n != 7 {
		t.Fatalf("%d calls", n)
	}
	got := r.want(3, append(args, "--max-cost", "0.007")...)
	if n := calls.Load(); n != 7 || !strings.Contains(got.err, "is reached: 0.00735 USD are spent") {
		t.Errorf("%d calls\n%s", n, got.err)
	}
	got = r.want(3, append(args, "--max-cost", "0.0074")...)
	if n := calls.Load(); n != 8 || !strings.Contains(got.err, "0.00735 USD are spent already") || !strings.Contains(got.err, "is reached: 0.0084 USD are spent") {
		t.Errorf("%d calls\n%s", n, got.err)
	}
}

// A reply that no server counted the tokens of is charged all replies that its attempt may have taken.
func TestUncountedRepairs(t *testing.T) {
	r, model, calls := sold(t, 0, nil)
	got := r.want(3, "run", "./desk", "--unproven", "--no-probe", "-m", model, "--yes", "--concurrency", "1", "--max-cost", "0.09")
	// Three replies of 2048 tokens at 15 for a million are 0.09216 for themselves.
	if n := calls.Load(); n != 1 || !strings.Contains(got.err, "is reached: 0.1") {
		t.Errorf("%d calls\n%s", n, got.err)
	}
}
