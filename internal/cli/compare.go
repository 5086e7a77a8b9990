package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/assaybench/assay/report"
	"github.com/assaybench/assay/report/compare"
	"github.com/assaybench/assay/report/gate"
	"github.com/assaybench/assay/report/stored"
	"github.com/assaybench/assay/store"
)

func newCompare(p *Process) *cobra.Command {
	var asJSON, markdown bool
	var db, baseline, grader string
	var models, postures, conditions []string
	c := &cobra.Command{
		Use: "compare RUN RUN...", Short: "Hold runs against each other on the same items, regressions first",
		Long: `Pairs the results of runs item by item and says which items passed and do not any more, which do now, and whether that is more
than chance (docs/compare.md). The first RUN is the baseline, unless --baseline names another. A single RUN of several models
or postures is compared within itself, with its first one. A model at a posture is held against the same one of the baseline, else
against the only one that can be meant.

Runs of different benches, protocols, graders or numbers of repeats are refused. RUN is an id, a unique prefix of one, or latest.

Exit status:
  0  compared; regressions are results, not errors
  1  a --gate does not hold
  2  the command line is wrong, or the runs cannot be compared
  3  a fault of the environment or of ours`,
		Args: args(1, 100, "RUN RUN..."),
	}
	c.Flags().StringVar(&baseline, "baseline", "", "the `RUN` that the others are held against (default: the first)")
	c.Flags().Var(lists(&models), "model", "only these models")
	c.Flags().Var(lists(&postures), "posture", "only these postures")
	c.Flags().StringVar(&grader, "grader", "", "the verdicts of this grader's digest (default: each run's own)")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	c.Flags().BoolVar(&markdown, "markdown", false, "print Markdown")
	c.Flags().StringVar(&db, "db", "", "the database file (default .assay/assay.db)")
	c.Flags().StringArrayVar(&conditions, "gate", nil, "a condition, such as exact-regressions==0; exit 1 where it does not hold, repeatable (docs/compare.md)")
	c.RunE = func(_ *cobra.Command, a []string) error {
		if asJSON && markdown {
			return usage("--json and --markdown exclude each other")
		}
		list, err := gates(conditions, append(append([]string{}, gate.Metrics...), gate.PairMetrics...)...)
		if err != nil {
			return err
		}
		s, err := p.reading(db)
		if err != nil {
			return err
		}
		defer s.Close()
		o := compare.Options{Models: models, Postures: postures}
		runs, err := p.toCompare(s, a, baseline, grader, &o)
		if err != nil {
			return err
		}
		cmp, err := compare.New(runs, o)
		if _, ok := errors.AsType[*compare.Refused](err); ok {
			return usage("%v", err)
		}
		if err != nil {
			return fault(err)
		}
		switch {
		case asJSON:
			err = cmp.JSON(p.Stdout)
		case markdown:
			err = cmp.Markdown(p.Stdout)
		default:
			err = cmp.Text(p.Stdout, p.Width)
		}
		if err != nil {
			return fault(err)
		}
		return unmet(list, cmp.Subjects())
	}
	return c
}

// toCompare reads the named runs, and finds the baseline among them; one that is not is put before them.
func (p *Process) toCompare(db store.Store, refs []string, baseline, grader string, o *compare.Options) ([]compare.Run, error) {
	var found []*store.Run
	for _, ref := range refs {
		r, err := p.findRun(db, ref)
		if err != nil {
			return nil, storeError(err)
		}
		found = append(found, r)
	}
	if baseline != "" {
		b, err := p.findRun(db, baseline)
		if err != nil {
			return nil, storeError(err)
		}
		o.Baseline = -1
		for i, r := range found {
			if r.ID == b.ID {
				o.Baseline = i
			}
		}
		if o.Baseline < 0 {
			found, o.Baseline = append([]*store.Run{b}, found...), 0
		}
	}
	var out []compare.Run
	for _, r := range found {
		res, err := p.wholeResult(db, r, grader)
		if err != nil {
			return nil, err
		}
		out = append(out, compare.Run{Result: res, Protocol: r.Plan.ProtocolDigest, Repeats: r.Plan.Repeats, Part: partOf(r)})
	}
	return out, nil
}

// wholeResult reads a run's results with every item, however many there are.
func (p *Process) wholeResult(db store.Store, r *store.Run, grader string) (*report.Result, error) {
	ctx := context.WithoutCancel(p.Context)
	grader, err := p.chooseSet(ctx, db, r, grader)
	if err != nil {
		return nil, err
	}
	res, err := stored.Result(ctx, db, r, stored.Options{Grader: grader, Items: true})
	if err != nil {
		if store.KindOf(err) != "" {
			return nil, storeError(err)
		}
		return nil, fault(fmt.Errorf("run %s: %w", r.ID, err))
	}
	return res, nil
}
