package cli

import (
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/assaybench/assay/check/s2s"
	"github.com/assaybench/assay/premise"
)

func newImport(p *Process) *cobra.Command {
	var out, fixtures, tools string
	var kairos kairosFlags
	c := &cobra.Command{
		Use: "import FORMAT FILE -o DIR", Short: "Make a bench, or take in a task package or trace",
		Long: `Makes a bench out of a published file or folder. Formats:

  s2s   a bench of the schema s2s-bench-v1: its prompts are kept byte for byte, its checkers become rules, and the
        file itself is kept, so that "assay export DIR s2s" gives it back exactly. --fixtures names the folder with
        the files that its items read; items whose file is missing cannot run, and are listed.

  kairos-premise
        a folder with problems.jsonl and answers.jsonl, and the files that --prelude, --declaration and --skill name,
        and --what-to-return and --rules where they are at hand. Requirements, readings, bodies and texts are kept
        byte for byte; controls are made from the readings. What is not the published set's own is listed.

  harbor
        a Harbor task package, a folder or .zip, .tar, .tar.gz: its files byte for byte below origin/, and harbor.yaml
        with what was understood, what is opaque and what is sealed. Nothing of the package is run.

  trace a trace of tool calls in JSON lines, as other programs record them, into the form of a reference trace (-o FILE).
        Calls that a protocol error answered are named: they were no successes.

  contract
        the sealed contract of another engine, a task file or the sealed part alone, with --tools, the list of tools that
        says which of them write. "assay grade DIR --foreign FILE" judges that engine's episodes by it, by that
        engine's rules, and calls it so.
` + exitHelp,
		Args: args(2, 2, "FORMAT and a file or folder"),
	}
	for _, x := range []struct {
		to         *string
		name, what string
	}{{&kairos.prelude, "prelude", "the prelude's program"}, {&kairos.declaration, "declaration", "the declaration section"}, {&kairos.skill, "skill", "the authoring guide"},
		{&kairos.returns, "what-to-return", "what to return"}, {&kairos.rules, "rules", "the rules"}} {
		c.Flags().StringVar(x.to, x.name, "", "kairos-premise: the file with "+x.what)
	}
	c.Flags().StringVarP(&out, "output", "o", "", "the new bench's folder")
	c.Flags().StringVar(&fixtures, "fixtures", "", "a folder with the items' files")
	c.Flags().StringVar(&tools, "tools", "", "contract: the `FILE` with the list of tools")
	c.RunE = func(_ *cobra.Command, a []string) error {
		foreign := a[0] == "harbor" || a[0] == "trace" || a[0] == "contract"
		if a[0] != "s2s" && a[0] != premise.Format && !foreign {
			return usage("the format %q is not known; known: s2s, %s, harbor, trace, contract", a[0], premise.Format)
		}
		if tools != "" && a[0] != "contract" {
			return usage("--tools goes with the format contract")
		}
		if out == "" {
			return usage("assay import wants the new bench's folder: -o DIR (a file for trace)")
		}
		if foreign && (fixtures != "" || kairos != (kairosFlags{})) {
			return usage("the format %s takes no flag but -o", a[0])
		}
		if a[0] == "trace" {
			return p.importTrace(a[1], out)
		}
		if err := p.emptyFolder(out); err != nil {
			return err
		}
		if a[0] == "contract" {
			return p.importContract(a[1], tools, out)
		}
		if a[0] == "harbor" {
			return p.importHarbor(a[1], out)
		}
		if a[0] == premise.Format {
			if fixtures != "" {
				return usage("--fixtures goes with the format s2s")
			}
			return p.importKairos(a[1], out, kairos)
		}
		if kairos != (kairosFlags{}) {
			return usage("--prelude, --declaration, --skill, --what-to-return and --rules go with the format %s", premise.Format)
		}
		data, err := p.readInput(a[1], importMost)
		if err != nil {
			return err
		}
		var fx fs.FS
		if fixtures != "" {
			if info, err := os.Stat(p.path(fixtures)); err != nil || !info.IsDir() {
				return usage("%s: not a folder; --fixtures names the folder with the items' files", fixtures)
			}
			fx = os.DirFS(p.path(fixtures))
		}
		files, report, err := s2s.Import(data, fx)
		if err != nil {
			return usage("%s: %v", a[1], err)
		}
		if err := p.writeTree(out, files); err != nil {
			return err
		}
		for _, w := range report.Warnings {
			p.notef("warning: %s", w)
		}
		p.printf("%s holds %s, %d frozen (%d exact, %d proxy)\n", out, counted(report.Items, "item"), report.Frozen, report.Exact, report.Proxy)
		if len(report.CannotRun) > 0 {
			p.printf("cannot run:\n")
			for _, b := range report.CannotRun {
				p.printf("  %s: %s\n", b.Item, plain(b.Why))
			}
		}
		p.printf("the bench has no controls, so it runs with --unproven only\n")
		return nil
	}
	return c
}

func newExport(p *Process) *cobra.Command {
	var out, run, db, grader, about string
	var hf harborFlags
	c := &cobra.Command{
		Use: "export BENCH FORMAT -o FILE", Short: "Write a bench in a published format, or what a run recorded",
		Long: `Writes a bench in a published format. Formats:

  s2s   the schema s2s-bench-v1. An imported bench gives the imported file back, byte for byte. Any other bench loses
        its rules and controls, which have no place in that schema; what was left out is listed.

  kairos-premise
        problems.jsonl, answers.jsonl and the texts of the prompt, into a new folder (-o DIR). An imported bench gives
        back what was imported: the same JSON values, the same texts. What has no place in the format is listed.

  harbor
        each frozen agent task as a Harbor package below a new folder (-o DIR), with this program inside, or the one that
        --binary names. --prove runs each from its bytes, without containers: its own solution must be rewarded and an
        agent that does nothing must not; receipts are written beside the packages. An imported package is given back:
        untouched with the same digest, edited with a new version.

With --run RUN it writes what a run recorded. Formats:

  json, jsonl
        everything but raw requests, responses and episodes: the run with its plan and figures, then each attempt with its
        answer and verdict; jsonl has one on each line.
  csv, csv-findings
        a table of attempts, or of what each rule saw in them. Cells that a spreadsheet would take for formulas are text.
  parquet
        both tables, attempts.parquet and findings.parquet, into a new folder (-o DIR).
  junit
        for continuous integration: a suite for each model, posture and basis, a case for each item.
  inspect
        evaluation logs of Inspect, one for each model and posture, into a new folder (-o DIR).
  harbor-result
        the result of a Harbor job, a trial for each attempt.
  episodes
        of agent tasks: one folder for each attempt (-o DIR, new), which "assay grade BENCH --episode" judges
        from its files alone.
` + exitHelp,
		Args: args(1, 2, "BENCH FORMAT, or --run RUN FORMAT"),
	}
	c.Flags().StringVarP(&out, "output", "o", "", "the file to write (- for standard output), or the folder")
	c.Flags().StringVar(&run, "run", "", "write what a run recorded")
	c.Flags().StringVar(&db, "db", "", "the database file of the run (default .assay/assay.db)")
	c.Flags().StringVar(&grader, "grader", "", "--run: the verdicts of this grader's digest (default: the run's own)")
	c.Flags().StringVar(&hf.binary, "binary", "", "harbor: the program, a static executable for linux/amd64 (default: this program)")
	c.Flags().BoolVar(&hf.prove, "prove", false, "harbor: run the packages' solutions and verifiers, and write receipts")
	c.Flags().BoolVar(&hf.noBinary, "no-binary", false, "harbor: write packages without the program, marked incomplete")
	c.Flags().StringVar(&hf.base, "base", "", "harbor: the agent's image, NAME@sha256:DIGEST")
	c.Flags().StringVar(&about, "about", "", "s2s: a JSON `FILE` with hardware, status and published_utc, as the exhibit says them")
	c.Flags().BoolVar(&hf.egress, "egress", false, "harbor: the agent's network reaches the outside")
	c.RunE = func(_ *cobra.Command, a []string) error {
		switch {
		case run != "" && len(a) == 1:
			return p.exportRun(run, db, grader, a[0], out)
		case run != "" || len(a) != 2:
			return usage("assay export wants BENCH FORMAT, or --run RUN FORMAT; see assay export --help")
		}
		if a[1] != "s2s" && a[1] != premise.Format && a[1] != "harbor" {
			return usage("the format %q is not known; known: s2s, %s, harbor", a[1], premise.Format)
		}
		if out == "" {
			return usage("assay export wants the file to write: -o FILE (a folder for %s and harbor)", premise.Format)
		}
		if about != "" && a[1] != "s2s" {
			return usage("--about goes with the format s2s")
		}
		if a[1] == "harbor" {
			return p.exportHarbor(a[0], out, hf)
		}
		if hf != (harborFlags{}) {
			return usage("--binary, --no-binary, --prove, --base and --egress go with the format harbor")
		}
		if a[1] == premise.Format {
			return p.exportKairos(a[0], out)
		}
		fsys, err := p.files(a[0])
		if err != nil {
			return err
		}
		said, err := p.exhibit(a[0], about)
		if err != nil {
			return err
		}
		data, lossy, err := s2s.Export(fsys, said)
		if err != nil {
			return inBench(a[0], err)
		}
		for _, l := range lossy {
			p.notef("left out: %s", l)
		}
		if out == "-" {
			_, err := p.Stdout.Write(data)
			return err
		}
		if err := writeFile(p.path(out), data); err != nil {
			return fault(err)
		}
		p.printf("%s: %d bytes\n", out, len(data))
		return nil
	}
	return c
}
