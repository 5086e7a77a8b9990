package cli

import (
	"errors"
	"os"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"github.com/assaybench/assay/contract/derive"
	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/contract/tasks"
	"github.com/assaybench/assay/report/leaderboard"
)

func newLeaderboard(p *Process) *cobra.Command {
	var ref string
	var asJSON bool
	c := &cobra.Command{
		Use: "leaderboard DIR...", Short: "Rank exported runs of one release of agent tasks",
		Long: `Makes a table of runs that "assay export --run RUN episodes" wrote. A row needs every task of exactly this release,
every attempt without an error of ours or the provider's, and trajectories that grade again to the bytes that were stored. All
other runs stand below the table with the reason, and a dash where a figure would be.` + exitHelp,
		Args: args(1, 1000, "DIR..."),
	}
	c.Flags().StringVar(&ref, "bench", "", "the release (default: the shipped bench that the first run names)")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	c.RunE = func(_ *cobra.Command, a []string) error {
		var runs []leaderboard.Run
		for _, dir := range a {
			root, err := os.OpenRoot(p.path(dir))
			if err != nil {
				return usage("%s: %v", shown(dir), reasonOf(err))
			}
			m, list, err := leaderboard.ReadFolder(root.FS())
			err = errors.Join(err, root.Close())
			if err != nil {
				return usage("%s: %v", shown(dir), err)
			}
			if ref == "" {
				ref = m.Bench
			}
			runs = append(runs, list...)
		}
		o, err := p.open(ref)
		if err != nil {
			return err
		}
		set, ok := o.set.(*tasks.Set)
		if !ok {
			return usage("%s is no bench of agent tasks", o.bench.Name())
		}
		t, err := leaderboard.Make(p.Context, leaderboard.Release{Set: set, Digest: o.state.Digest}, runs)
		if err != nil {
			return fault(err)
		}
		if asJSON {
			return p.writeJSON(boardJSON(t))
		}
		p.showBoard(t)
		return nil
	}
	return c
}

// gatedText is a mean gated score with two decimals.
func gatedText(r leaderboard.Row) string { return exact.Decimal(derive.Round(r.Gated(), 2, "half_up")) }

func boardJSON(t *leaderboard.Table) map[string]any {
	rows, outside := []any{}, []any{}
	for _, r := range t.Rows {
		passed, of := r.Strict()
		rows = append(rows, map[string]any{"model": r.Model(), "posture": r.Posture(), "run": r.RunID(), "strict": passed, "attempts": of, "gated": gatedText(r)})
	}
	for _, o := range t.Outside {
		outside = append(outside, map[string]any{"model": o.Model, "posture": o.Posture, "run": o.Run, "why": o.Why})
	}
	return map[string]any{"bench": t.Bench, "digest": t.Digest, "rows": rows, "outside": outside}
}

func (p *Process) showBoard(t *leaderboard.Table) {
	w := table.NewWriter()
	w.SetStyle(table.StyleLight)
	w.Style().Options.DrawBorder, w.Style().Options.SeparateColumns = false, false
	w.Style().Format.Header = text.FormatDefault
	w.AppendHeader(table.Row{"model", "posture", "strict", "gated score", "run"})
	for _, r := range t.Rows {
		w.AppendRow(table.Row{plain(r.Model()), plain(r.Posture()), r.Shown(), gatedText(r), plain(r.RunID())})
	}
	for _, o := range t.Outside {
		w.AppendRow(table.Row{plain(o.Model), plain(o.Posture), "-", "-", plain(o.Run)})
	}
	p.printf("%s\n%s\n", t.Bench, w.Render())
	for _, o := range t.Outside {
		p.printf("no row: %s, %s, run %s: %s\n", plain(o.Model), plain(o.Posture), plain(o.Run), plain(o.Why))
	}
	p.printf("digest %s\n", t.Digest)
}
