package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assaybench/assay/model/providers"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/report"
	"github.com/assaybench/assay/report/gate"
	"github.com/assaybench/assay/report/stored"
	"github.com/assaybench/assay/run"
	"github.com/assaybench/assay/store"
)

// dbPath is the database's file.
func (p *Process) dbPath(flag string) string {
	if flag == "" {
		flag = filepath.Join(".assay", "assay.db")
	}
	path := p.path(flag)
	if rel, err := filepath.Rel(p.Dir, path); err == nil && !strings.HasPrefix(rel, "..") && p.sameDir() {
		return rel // shorter in messages
	}
	return path
}

// sameDir reports whether Dir is the process's own working folder, so that relative paths mean the same.
func (p *Process) sameDir() bool {
	abs, err := filepath.Abs(".")
	return err == nil && abs == p.Dir
}

// reading opens an existing database to read.
func (p *Process) reading(flag string) (*store.DB, error) {
	db, err := store.Open(p.Context, p.dbPath(flag), store.Options{ReadOnly: true})
	if err != nil {
		return nil, storeError(err)
	}
	return db, nil
}

// storeError gives a store's error its exit code: a run that is not there is a wrong command line.
func storeError(err error) error {
	switch store.KindOf(err) {
	case store.NotFound, store.Ambiguous, store.NoRuns, store.NoFolder:
		return usage("%v", err)
	}
	return fault(err)
}

func newRuns(p *Process) *cobra.Command {
	var asJSON bool
	var db string
	c := &cobra.Command{
		Use: "runs", Short: "The runs that were made here", Long: "Lists the runs in the database, newest first." + exitHelp,
		Args: args(0, 0, "no arguments"),
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	c.Flags().StringVar(&db, "db", "", "the database file (default .assay/assay.db)")
	c.RunE = func(*cobra.Command, []string) error {
		s, err := p.reading(db)
		if err != nil {
			return err
		}
		defer s.Close()
		type line struct {
			ID      string   `json:"id"`
			Created string   `json:"created"`
			Bench   string   `json:"bench"`
			Models  []string `json:"models"`
			Done    int      `json:"done"`
			Planned int      `json:"planned"`
			Proof   string   `json:"proof"`
			Private bool     `json:"private,omitzero"` // of a private set, beside another run
		}
		out := []line{}
		for r, err := range s.Runs(p.Context) {
			if err != nil {
				return storeError(err)
			}
			t, err := s.Tally(p.Context, r, r.Plan.Grader)
			if err != nil {
				return storeError(err)
			}
			l := line{ID: r.ID, Created: r.Created.UTC().Format("2006-01-02 15:04:05Z"), Bench: r.Plan.Bench + "@" + r.Plan.Version, Done: t.Done(), Planned: t.Planned(), Proof: r.Plan.Proof, Private: stored.IsPrivate(r)}
			for _, m := range r.Plan.Models {
				l.Models = append(l.Models, m.Name)
			}
			out = append(out, l)
		}
		if asJSON {
			return p.writeJSON(map[string]any{"runs": out})
		}
		for _, l := range out {
			p.printf("%s  %s  %s  %d of %s  %s\n", l.ID, l.Created, plain(l.Bench), l.Done, counted(l.Planned, "attempt"), plain(strings.Join(l.Models, ", ")))
		}
		return nil
	}
	return c
}

func newResult(p *Process) *cobra.Command {
	var asJSON, markdown, full, items bool
	var db, grader, item string
	var conditions []string
	c := &cobra.Command{
		Use: "result RUN", Short: "A run's results, by model, posture, family and item",
		Long: `Prints a run's results: figures, what the servers did, families, items, attempts, times and cost, and what was
beside the run. RUN is an id, a unique prefix of one, or latest. docs/results.md explains every part.
` + exitHelp,
		Args: args(1, 100, "RUN, or RUN... with --items"),
	}
	c.Flags().BoolVar(&items, "items", false, "what one or more runs say of the bench's items instead: which nobody passes, and so on (docs/compare.md)")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	c.Flags().BoolVar(&markdown, "markdown", false, "print Markdown")
	c.Flags().StringVar(&db, "db", "", "the database file (default .assay/assay.db)")
	c.Flags().StringVar(&item, "item", "", "the attempts at one item instead: what was answered, and what each rule saw")
	c.Flags().BoolVar(&full, "full", false, fmt.Sprintf("read every transcript, also of more than %d attempts", stored.TranscriptsRead))
	c.Flags().StringVar(&grader, "grader", "", "the verdicts of this grader's digest (default: the run's own)")
	c.Flags().StringArrayVar(&conditions, "gate", nil, gateHelp)
	c.RunE = func(_ *cobra.Command, a []string) error {
		list, err := gates(conditions, gate.Metrics...)
		if err != nil {
			return err
		}
		switch {
		case len(a) > 1 && !items:
			return usage("assay result shows one run; --items puts several together, and assay compare compares them")
		case items && (markdown || full || item != "" || len(list) > 0):
			return usage("--items goes with --json, --db and --grader alone")
		}
		if len(list) > 0 && item != "" {
			return usage("--gate goes with the results of a whole run; leave --item off")
		}
		s, err := p.reading(db)
		if err != nil {
			return err
		}
		defer s.Close()
		if items {
			return p.itemReport(s, a, grader, asJSON)
		}
		r, err := p.findRun(s, a[0])
		if err != nil {
			return storeError(err)
		}
		if asJSON && markdown {
			return usage("--json and --markdown exclude each other")
		}
		if item != "" {
			return p.printAttempts(r, s, item, grader, asJSON)
		}
		if err := p.printStored(r, s, grader, asJSON, markdown, full); err != nil || len(list) == 0 {
			return err
		}
		if grader, err = p.chooseSet(context.WithoutCancel(p.Context), s, r, grader); err != nil {
			return err
		}
		return p.gated(r, s, grader, list)
	}
	return c
}

// printResult prints what a run came to.
func (p *Process) printResult(r *store.Run, db store.Store, grader string, asJSON, markdown bool) error {
	return p.printStored(r, db, grader, asJSON, markdown, false)
}

// printStored is printResult; full reads every transcript, however many there are.
func (p *Process) printStored(r *store.Run, db store.Store, grader string, asJSON, markdown, full bool) error {
	ctx := context.WithoutCancel(p.Context)
	grader, err := p.chooseSet(ctx, db, r, grader)
	if err != nil {
		return err
	}
	res, err := stored.Result(ctx, db, r, stored.Options{Grader: grader, Full: full})
	if err != nil {
		if store.KindOf(err) != "" {
			return storeError(err)
		}
		return fault(err)
	}
	switch {
	case asJSON:
		return res.JSON(p.Stdout)
	case markdown:
		return res.Markdown(p.Stdout)
	}
	return res.Text(p.Stdout, report.Page{Columns: p.Width, Colour: p.Width > 0 && p.Getenv("NO_COLOR") == ""})
}

// chooseSet finds the set of verdicts that a digest's beginning names; "" is the run's own.
func (p *Process) chooseSet(ctx context.Context, db store.Store, r *store.Run, grader string) (string, error) {
	if grader == "" {
		return r.Plan.Grader, nil
	}
	sets, err := db.Sets(ctx, r)
	if err != nil {
		return "", storeError(err)
	}
	var have []string
	for _, s := range sets {
		if strings.HasPrefix(s.Grader, grader) {
			return s.Grader, nil
		}
		have = append(have, s.Grader[:min(12, len(s.Grader))])
	}
	return "", usage("run %s has no verdicts of the grader %q; it has %s", r.ID, grader, strings.Join(have, ", "))
}

// latestAsked is the latest run that asked somebody, and not of a private set.
func (p *Process) latestAsked(db store.Store) (*store.Run, error) {
	for r, err := range db.Runs(p.Context) {
		if err != nil {
			return nil, err
		}
		if !stored.IsPrivate(r) && !slices.ContainsFunc(r.Plan.Models, func(m store.PlanModel) bool { return strings.HasPrefix(m.Name, "replay/") }) {
			return r, nil
		}
	}
	return nil, &store.Error{Kind: store.NotFound, Msg: "there is no run to replay"}
}

// replay looks attempts up in a recorded run of one model.
func (p *Process) replay(db store.Store, ref string) (providers.Recorded, error) {
	r, err := db.FindRun(p.Context, ref)
	if err != nil {
		return providers.Recorded{}, err
	}
	if len(r.Plan.Models) != 1 {
		return providers.Recorded{}, fmt.Errorf("run %s has %d models; a run of one model can be replayed", r.ID, len(r.Plan.Models))
	}
	type place struct {
		posture, item string
		repeat        int
	}
	index := map[place]int{}
	for row, err := range db.Rows(p.Context, r, r.Plan.Grader) {
		if err != nil {
			return providers.Recorded{}, err
		}
		if row.Try > 0 {
			index[place{row.Key.Posture, row.Key.Item, row.Key.Repeat}] = row.N
		}
	}
	lookup := func(ctx context.Context, k record.Key) (record.Transcript, bool, error) {
		n, ok := index[place{k.Posture, k.Item, k.Repeat}]
		if !ok {
			return record.Transcript{}, false, nil
		}
		t, err := db.Transcript(ctx, r, n, 0)
		return t, err == nil, err
	}
	return providers.Recorded{Lookup: lookup, Control: r.Plan.Models[0].Control}, nil
}

// regrade grades a run's transcripts again.
func (p *Process) regrade(ref, dbFlag, benchRef, private string, unsafe, asJSON bool) error {
	db, err := store.Open(p.Context, p.dbPath(dbFlag), store.Options{})
	if err != nil {
		return storeError(err)
	}
	defer db.Close()
	r, err := p.findRun(db, ref)
	if err != nil {
		return storeError(err)
	}
	named := benchRef != ""
	if !named {
		benchRef = r.Plan.Source
	}
	o, err := p.openGraded(db, r, benchRef, private)
	if err != nil {
		return err
	}
	if unsafe && !slices.Contains(r.Plan.Flags, "unsafe-no-sandbox") {
		return usage("run %s was made with a sandbox, and its results could not say that they were graded without one; leave --unsafe-no-sandbox off", r.ID)
	}
	if unsafe {
		p.notef("warning: answers are run without a sandbox; they can do whatever you can")
	}
	if r.Plan.Digest != o.state.Digest {
		if err := p.sameWorlds(db, r, o); err != nil {
			return err
		}
	}
	box, _, _, err := p.box(o, unsafe)
	if err != nil {
		return err
	}
	if box != nil {
		defer box.Close()
	}
	type flip struct {
		record.Key
		From record.Letter `json:"from"`
		To   record.Letter `json:"to"`
	}
	flips := []flip{}
	out, err := p.engine(db).Regrade(p.Context, r, o.set, o.state.Digest, named, func(f run.Flip) {
		flips = append(flips, flip{f.Key, f.From, f.To})
	})
	if err != nil {
		return explainRun(err)
	}
	if asJSON {
		err = p.writeJSON(map[string]any{"run": r.ID, "grader": out.Grader, "graded": out.Graded, "healed": out.Healed, "ungradable": out.Ungradable, "flips": flips})
	} else {
		if out.Graded == 0 {
			p.printf("run %s: nothing to grade again: every answer has its verdict of this grader (%.12s)\n", r.ID, out.Grader)
		} else {
			p.printf("run %s: %d of %s graded by %.12s; %d of them could not be graded before; %d changed\n", r.ID, out.Graded, counted(r.Plan.Attempts, "attempt"), out.Grader, out.Healed, len(flips))
		}
		for _, f := range flips {
			p.printf("  %s %s %s #%d: %s -> %s\n", plain(f.Model), f.Posture, f.Item, f.Repeat, f.From, f.To)
		}
	}
	if err == nil && (out.Ungradable > 0 || out.Faults > 0) {
		p.notef("%d answers could not be graded on this machine", out.Ungradable+out.Faults)
		return silent(exitFault)
	}
	return err
}
