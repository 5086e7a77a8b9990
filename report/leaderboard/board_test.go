package leaderboard

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/contract/tasks"
	"github.com/assaybench/assay/realism"
)

func release(t *testing.T) (*tasks.Set, string) {
	t.Helper()
	fsys := os.DirFS("../../examples/mooring")
	b, err := bench.Load(fsys, "mooring")
	if err != nil {
		t.Fatal(err)
	}
	set, err := tasks.Compile(b)
	if err != nil {
		t.Fatal(err)
	}
	d, err := bench.Digest(fsys)
	if err != nil {
		t.Fatal(err)
	}
	return set, d
}

// TestTrial: a complete run has a row, and each kind that must not be ranked has none, for its own reason, and shows a dash.
func TestTrial(t *testing.T) {
	set, digest := release(t)
	trials, err := Trial(context.Background(), set, digest)
	if err != nil {
		t.Fatal(err)
	}
	why := map[string]string{
		realism.BoardPartial: "0 of 1 repeats", realism.BoardErrors: "without a result", realism.BoardStale: "another release", realism.BoardSpliced: "another attempt",
		realism.BoardUnopened: "no trajectory", realism.BoardTampered: "cannot be trusted", realism.BoardControl: "a control is no model", realism.BoardDisguised: "the reference's",
	}
	seen := 0
	for _, tr := range trials {
		if tr.Case == realism.BoardComplete {
			if !tr.Row || tr.Shown != "1/1" {
				t.Errorf("a complete run: %+v", tr)
			}
			continue
		}
		seen++
		if tr.Row || tr.Shown != "-" || !strings.Contains(tr.Why, why[tr.Case]) || why[tr.Case] == "" {
			t.Errorf("%s: %+v, want a dash and %q", tr.Case, tr, why[tr.Case])
		}
	}
	if seen != len(why) {
		t.Errorf("%d kinds were tried, want %d", seen, len(why))
	}
}

// TestRanks: equal counts share a rank, and what a model is called stays a text.
func TestRanks(t *testing.T) {
	set, digest := release(t)
	r, err := Open(set, digest)
	if err != nil {
		t.Fatal(err)
	}
	var rows []*Row
	for _, name := range []string{"b/<script>alert(1)</script>|x", "a/two", "c/three"} {
		run, err := r.played(context.Background(), true)
		if err != nil {
			t.Fatal(err)
		}
		run.Plan.Models[0].Name = name
		for i := range run.Episodes {
			run.Episodes[i].Attempt.Key.Model = name
		}
		got, _ := r.Admit(run)
		if len(got) != 0 {
			t.Fatalf("%s: episodes of another model's attempt were taken", name)
		}
		run.Plan.Models[0].Name = trialModel
		for i := range run.Episodes {
			run.Episodes[i].Attempt.Key.Model = trialModel
		}
		got, refused := r.Admit(run)
		if len(got) != 1 {
			t.Fatal(refused)
		}
		got[0].row.model = name
		if name == "c/three" {
			got[0].row.passed["ferry-217"] = 0
		}
		rows = append(rows, got...)
	}
	b := r.Table(rows, []Refusal{{Model: "d/none", Posture: "plain", Run: "r", Why: []string{"<b>"}}})
	var ranks []string
	for _, l := range b.Lines() {
		ranks = append(ranks, l.Rank+" "+l.Strict)
	}
	if got := strings.Join(ranks, ", "); got != "1 1/1, 1 1/1, 3 0/1, - -" {
		t.Errorf("ranks: %s", got)
	}
	var html, md strings.Builder
	if err := b.HTML(&html); err != nil {
		t.Fatal(err)
	}
	if err := b.Markdown(&md); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{html.String(), md.String()} {
		if strings.Contains(text, "<script>") || strings.Contains(text, "<b>") {
			t.Errorf("a name is markup: %s", text)
		}
	}
	if text := md.String(); strings.Index(text, "a/two") > strings.Index(text, "b/") || strings.Index(text, "b/") > strings.Index(text, "c/three") {
		t.Errorf("rows of one rank are not in order of their names: %s", text)
	}
}
