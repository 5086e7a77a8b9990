package leaderboard

import (
	"context"
	"math/big"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/contract/tasks"
	"github.com/assaybench/assay/realism"
	"github.com/assaybench/assay/record"
)

func mooring(t testing.TB) Release {
	t.Helper()
	b, err := bench.Load(os.DirFS("../../examples/mooring"), "mooring")
	if err != nil {
		t.Fatal(err)
	}
	set, err := tasks.Compile(b)
	if err != nil {
		t.Fatal(err)
	}
	st, err := b.Inspect()
	if err != nil {
		t.Fatal(err)
	}
	return Release{set, st.Digest}
}

func TestTrials(t *testing.T) {
	list, err := Trials(context.Background(), mooring(t))
	if err != nil {
		t.Fatal(err)
	}
	why := map[string]string{
		realism.BoardComplete: "has a row", realism.BoardPartial: "ferry-217#1 was not run", realism.BoardErrors: "it ended as error", realism.BoardStale: "it was made on the release",
		realism.BoardSpliced: "parts of two runs", realism.BoardUnopened: "its trajectory is not there", realism.BoardTampered: "the verdict is another", realism.BoardControl: "no model",
		realism.BoardDisguised: "under a model's name",
	}
	if len(list) != len(why) {
		t.Errorf("%d cases, want %d", len(list), len(why))
	}
	for _, c := range list {
		complete := c.Case == realism.BoardComplete
		if c.Row != complete || !strings.Contains(c.Why, why[c.Case]) || (c.Shown == "-") == complete {
			t.Errorf("%s: %+v, want %q", c.Case, c, why[c.Case])
		}
	}
}

func TestAdmitRefuses(t *testing.T) {
	rel := mooring(t)
	whole, err := rel.played(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	for want, edit := range map[string]func(r *Run){
		"graded by":                   func(r *Run) { r.Grader = "x" },
		"two attempts at ferry-217#1": func(r *Run) { r.Attempts = append(r.Attempts, r.Attempts[0]) },
		"ferry-217#2 was not run":     func(r *Run) { r.Repeats = 2 },
		"ferry-217#2 was not planned": func(r *Run) { r.Attempts[0].Repeat = 2 },
		"1 attempts are at tasks":     func(r *Run) { r.Attempts = append(r.Attempts, r.Attempts[0]); r.Attempts[1].Task = "ferry-9" },
		"could have seen the sealed part": func(r *Run) {
			tr := *r.Attempts[0].Transcript
			ep := *tr.Episode
			ep.Sealed = false
			tr.Episode = &ep
			r.Attempts[0].Transcript = &tr
		},
		"ended as undelivered":              func(r *Run) { r.Attempts[0].Outcome = record.Undelivered },
		"otherwise than the attempt":        func(r *Run) { r.Attempts[0].Outcome = record.Timeout },
		`"nobody" is no model`:              func(r *Run) { r.Model = "nobody" },
		`"Replay/x" is no model`:            func(r *Run) { r.Model = "Replay/x" },
		"of no attempt how often":           func(r *Run) { r.Repeats = 0 },
		"the verdict is another than the s": func(r *Run) { r.Attempts[0].Verdict = append([]byte(" "), r.Attempts[0].Verdict...) },
	} {
		r := whole
		r.Attempts = slices.Clone(whole.Attempts)
		edit(&r)
		row, err := Admit(t.Context(), rel, r)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") || row.Shown() != "-" {
			t.Errorf("%v, want %q; shown %s", err, want, row.Shown())
		}
	}
}

func TestTable(t *testing.T) {
	rel := mooring(t)
	good, err := rel.played(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	part := good
	part.ID, part.Attempts = "part", nil
	table, err := Make(t.Context(), rel, []Run{part, good})
	if err != nil {
		t.Fatal(err)
	}
	if len(table.Rows) != 1 || table.Rows[0].Shown() != "1 of 1" || table.Rows[0].Gated().Cmp(big.NewRat(100, 1)) != 0 || table.Rows[0].RunID() != "trial" {
		t.Errorf("rows: %+v", table.Rows)
	}
	if len(table.Outside) != 1 || table.Outside[0].Run != "part" || !strings.Contains(table.Outside[0].Why, "was not run") {
		t.Errorf("outside: %+v", table.Outside)
	}
}
