package cli

import (
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/assaybench/assay/check/s2s"
)

func newImport(p *Process) *cobra.Command {
	var out, fixtures string
	c := &cobra.Command{
		Use: "import FORMAT FILE -o DIR", Short: "Make a bench out of a published file (formats: s2s)",
		Long: `Makes a bench out of a published file. Formats:

  s2s   a bench of the schema s2s-bench-v1: its prompts are kept byte for byte, its checkers become rules, and the
        file itself is kept, so that "assay export DIR s2s" gives it back exactly. --fixtures names the folder with
        the files that its items read; items whose file is missing cannot run, and are listed.
` + exitHelp,
		Args: args(2, 2, "FORMAT FILE"),
	}
	c.Flags().StringVarP(&out, "output", "o", "", "the new bench's folder")
	c.Flags().StringVar(&fixtures, "fixtures", "", "a folder with the items' files")
	c.RunE = func(_ *cobra.Command, a []string) error {
		if a[0] != "s2s" {
			return usage("the format %q is not known; known: s2s", a[0])
		}
		if out == "" {
			return usage("assay import wants the new bench's folder: -o DIR")
		}
		if err := p.emptyFolder(out); err != nil {
			return err
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
		p.printf("%s holds %d items, %d frozen (%d exact, %d proxy)\n", out, report.Items, report.Frozen, report.Exact, report.Proxy)
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
	var out string
	c := &cobra.Command{
		Use: "export BENCH FORMAT -o FILE", Short: "Write a bench in a published format (formats: s2s)",
		Long: `Writes a bench in a published format. Formats:

  s2s   the schema s2s-bench-v1. An imported bench gives the imported file back, byte for byte. Any other bench loses
        its rules and controls, which have no place in that schema; what was left out is listed.
` + exitHelp,
		Args: args(2, 2, "BENCH FORMAT"),
	}
	c.Flags().StringVarP(&out, "output", "o", "", "the file to write (- for standard output)")
	c.RunE = func(_ *cobra.Command, a []string) error {
		if a[1] != "s2s" {
			return usage("the format %q is not known; known: s2s", a[1])
		}
		if out == "" {
			return usage("assay export wants the file to write: -o FILE")
		}
		fsys, err := p.files(a[0])
		if err != nil {
			return err
		}
		data, lossy, err := s2s.Export(fsys)
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
