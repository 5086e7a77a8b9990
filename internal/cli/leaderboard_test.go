package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLeaderboardOfExportedRuns: a run by a control has no row whatever it scored, nor has one whose files were touched; the
// reason stands below the table and a dash where the figure would.
func TestLeaderboardOfExportedRuns(t *testing.T) {
	r := newRig(t)
	r.mooring("")
	r.want(0, "run", "./bench", "--unproven", "--model", "control/reference")
	r.want(0, "export", "--run", "latest", "episodes", "-o", "eps")
	got := r.want(0, "leaderboard", "eps", "--bench", "./bench").out
	if !strings.Contains(got, `no row: control/reference, plain, run `) || !strings.Contains(got, "controls are not ranked") || !strings.Contains(got, " -       -") {
		t.Errorf("%s", got)
	}
	name := filepath.Join(r.dir, "eps", "run.json")
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	write := func(text string) {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	model := strings.ReplaceAll(string(b), `"model":"control/reference"`, `"model":"own/bright"`)
	write(model)
	if got := r.want(0, "leaderboard", "eps", "--bench", "./bench", "--json").out; !strings.Contains(got, "a reference under a model's name is not ranked") || !strings.Contains(got, `"rows": []`) {
		t.Errorf("%s", got)
	}
	write(strings.Replace(model, `"gated_score":"100"`, `"gated_score":"99"`, 1))
	if got := r.want(0, "leaderboard", "eps", "--bench", "./bench").out; !strings.Contains(got, "the verdict is another than the stored one") {
		t.Errorf("%s", got)
	}
	write(strings.Replace(model, `"folder":"0000-`, `"folder":"../0000-`, 1))
	if got := r.want(2, "leaderboard", "eps", "--bench", "./bench"); !strings.Contains(got.err, "is no folder of this run") || strings.Count(got.err, "\n") != 1 {
		t.Errorf("%s", got.err)
	}
	write("{")
	r.want(2, "leaderboard", "eps", "--bench", "./bench")
	r.want(2, "leaderboard", "nowhere", "--bench", "./bench")
}
