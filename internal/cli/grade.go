package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/check"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/sandbox"
	"github.com/assaybench/assay/world"
)

func newGrade(p *Process) *cobra.Command {
	var asJSON, unsafe bool
	var run, db, private, episode, foreign, tools string
	c := &cobra.Command{
		Use: "grade BENCH ITEM FILE|-", Short: "Grade an answer, a run again (--run) or an episode (--episode)",
		Long: `Grades one answer from a file or from standard input, or, with --run RUN, every recorded transcript of a run that has
no verdict of this program's grader yet: after a rule changed that is all of them, and the new verdicts are kept beside
the old ones, which stay; under the same grader it is what could not be graded before.

Of a bench of agent tasks FILE is a trace, one call {"tool", "args"} a line, which is replayed in a world of its own. With
--episode DIR an exported episode is judged from its files alone, or one that "assay world serve" recorded.

With --foreign FILE an episode of another engine, its world's database or its calls as JSON, is judged by a contract that
"assay import contract" or "assay import harbor" brought, by that engine's rules and never by ours.` + exitHelp,
		Args: args(0, 3, "BENCH ITEM FILE, or --run RUN"),
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the verdict as JSON")
	c.Flags().StringVar(&run, "run", "", "re-grade a run from its transcripts")
	c.Flags().StringVar(&episode, "episode", "", "judge an episode from its folder `DIR`")
	c.Flags().StringVar(&foreign, "foreign", "", "judge an episode of another engine, a `FILE`, by an imported contract")
	c.Flags().StringVar(&tools, "tools", "", "with --foreign: the `FILE` with the list of tools, where the import has none")
	c.Flags().StringVar(&db, "db", "", "the database file of the run (default .assay/assay.db)")
	c.Flags().StringVar(&private, "private", "", "the file of a private set's run, where it lies elsewhere than when the run was made")
	c.Flags().BoolVar(&unsafe, "unsafe-no-sandbox", false, "run the answer without a sandbox (dangerous)")
	c.RunE = func(_ *cobra.Command, a []string) error {
		switch {
		case foreign != "" && run == "" && private == "" && episode == "" && len(a) == 1:
			return p.gradeForeign(a[0], foreign, tools, asJSON)
		case foreign != "":
			return usage("assay grade --foreign wants the folder of the import and nothing more: assay grade DIR --foreign FILE")
		case tools != "":
			return usage("--tools goes with --foreign")
		case episode != "" && run == "" && private == "" && len(a) == 1:
			return p.gradeEpisode(a[0], episode, asJSON)
		case episode != "":
			return usage("assay grade --episode wants the bench and nothing more: assay grade BENCH --episode DIR")
		case run != "" && len(a) <= 1:
			return p.regrade(run, db, strings.Join(a, ""), private, unsafe, asJSON)
		case run == "" && private != "":
			return usage("--private goes with --run: of a private set nothing is graded by hand")
		case run != "" || len(a) != 3:
			return usage("assay grade wants BENCH ITEM FILE (or - for standard input), or --run RUN [BENCH]; see assay grade --help")
		}
		return p.gradeOne(a[0], a[1], a[2], unsafe, asJSON)
	}
	return c
}

func (p *Process) gradeOne(ref, item, file string, unsafe, asJSON bool) error {
	o, err := p.open(ref)
	if err != nil {
		return err
	}
	if !o.bench.Has(item) {
		return usage("%s has no item %q%s", o.bench.Name(), item, bench.Nearest(item, o.bench.IDs()))
	}
	answer, err := p.readAnswer(file)
	if err != nil {
		return err
	}
	if unsafe {
		p.notef("warning: the answer is run without a sandbox; it can do whatever you can")
	}
	box, err := p.boxFor(o, item, unsafe)
	if err != nil {
		return err
	}
	if box != nil {
		defer box.Close()
	}
	if o.bench.Shape == bench.ShapeAgent { // nobody's answer, but an input file
		switch err := world.NoTrace(answer); {
		case errors.Is(err, world.ErrEvents):
			return usage("%s: %v; judge the episode with assay grade %s --episode DIR, the folder that holds it", shown(file), err, ref)
		case err != nil:
			return usage("%s: this is no trace: %v", shown(file), err)
		}
	}
	v, err := o.set.Grade(p.Context, item, record.Transcript{Outcome: record.Answered, Answer: answer})
	if _, ok := errors.AsType[*bench.Error](err); ok {
		return err
	} else if err != nil {
		return fault(err)
	}
	if asJSON {
		if err := p.writeJSON(v); err != nil {
			return err
		}
	} else {
		p.showVerdict(v, answer)
	}
	if v.State == record.Ungradable {
		return silent(exitFault)
	}
	return nil
}

// boxFor opens the sandbox only when the item, draft or frozen, executes something.
func (p *Process) boxFor(o *opened, item string, unsafe bool) (*sandbox.Box, error) {
	if set, ok := o.set.(*check.Set); ok {
		if runs, err := set.Runs(item); err != nil || !runs {
			return nil, err
		}
	}
	box, _, _, err := p.openBox(o, true, unsafe)
	return box, err
}

// readAnswer reads an answer, byte for byte, up to the size that is graded.
func (p *Process) readAnswer(file string) (string, error) {
	var r io.Reader = p.Stdin
	name := "standard input"
	if file != "-" {
		f, err := p.openUnlessStopped(file)
		if err != nil {
			return "", err
		}
		defer f.Close()
		if info, err := f.Stat(); err == nil && info.IsDir() {
			return "", usage("%s: is a folder; give the file that holds the answer", file)
		}
		r, name = f, file
	}
	b, err := p.readUnlessStopped(io.LimitReader(r, check.MaxAnswer+1))
	switch {
	case err != nil:
		return "", fault(fmt.Errorf("%s: %w", name, err))
	case len(b) > check.MaxAnswer:
		return "", usage("%s: the answer is larger than %d bytes (4 MiB), which no answer to an item is; give the answer alone", name, check.MaxAnswer)
	case !utf8.Valid(b):
		return "", usage("%s: the answer is not UTF-8; save it as UTF-8", name)
	}
	return string(b), nil
}

// readUnlessStopped reads all, or ends when the process is told to: nobody may ever write to a terminal or a pipe.
func (p *Process) readUnlessStopped(r io.Reader) ([]byte, error) {
	type all struct {
		data []byte
		err  error
	}
	done := make(chan all, 1)
	go func() {
		data, err := io.ReadAll(r)
		done <- all{data, err}
	}()
	select {
	case a := <-done:
		return a.data, a.err
	case <-p.Context.Done():
		return nil, errInterrupted
	}
}

func (p *Process) showVerdict(v record.Verdict, answer string) {
	word := map[bool]string{true: "passes", false: "does not pass"}[v.Pass]
	p.printf("%s %s: %s (%s, %s, letter %s)\n", v.Bench, v.Item, word, v.State, v.Basis, v.Letter)
	p.showPremise(v)
	p.showScores(v)
	if v.Reason != "" && !told(v) {
		p.printf("  %s\n", plain(v.Reason))
	}
	for _, f := range v.Findings {
		mark := map[bool]string{true: "ok  ", false: "FAIL"}[f.Pass]
		if f.Skipped {
			mark = "-   "
		}
		p.printf("  %s %s", mark, f.Rule)
		if f.Why != "" {
			p.printf(": %s", plain(f.Why))
		}
		p.printf("\n")
		if !f.Pass && f.Where != nil && f.Where.End <= len(answer) && f.Where.End > f.Where.Start {
			p.printf("       at bytes %d to %d: %s\n", f.Where.Start, f.Where.End, plain(clip(answer[f.Where.Start:f.Where.End], 100)))
		}
	}
	if t, ok := v.Diagnostics["tolerant"].(map[string]any); ok {
		p.printf("  diagnostic: without %v it would %s\n", t["undone"], map[bool]string{true: "pass", false: "not pass"}[t["pass"] == true])
	}
	if !v.Frozen {
		p.printf("  this item is a draft: it is never run or counted\n")
	}
	p.printf("  grader %s\n", v.Grader)
}

// told says whether a finding below tells the verdict's reason in the same words.
func told(v record.Verdict) bool {
	return slices.ContainsFunc(v.Findings, func(f record.Finding) bool {
		return !f.Pass && f.Why != "" && strings.HasSuffix(v.Reason, f.Why)
	})
}

// clip cuts a text at a character's boundary.
func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most] + "…"
}
