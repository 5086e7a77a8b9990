package cli

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/assaybench/assay/fixture"
)

func newFixtures(p *Process) *cobra.Command {
	c := &cobra.Command{Use: "fixtures", Short: "Build and check the long documents that items ask about", Long: "Builds and checks fixtures: documents made from prose with one planted sentence, and passages made from a book." + exitHelp}
	c.Args = func(_ *cobra.Command, a []string) error {
		if len(a) > 0 {
			return usage("assay fixtures has no command %q; it has check, build and hoyle", a[0])
		}
		return nil
	}
	c.RunE = func(c *cobra.Command, _ []string) error {
		c.Help()
		return usage("assay fixtures wants a command: check, build or hoyle")
	}
	c.AddCommand(newFixturesCheck(p), newFixturesBuild(p), newFixturesHoyle(p))
	return c
}

func newFixturesCheck(p *Process) *cobra.Command {
	return &cobra.Command{
		Use: "check BENCH", Short: "Rebuild a bench's documents and compare them byte for byte",
		Args: args(1, 1, "BENCH"),
		RunE: func(_ *cobra.Command, a []string) error {
			fsys, err := p.files(a[0])
			if err != nil {
				return err
			}
			if err := fixture.Check(fsys); err != nil {
				p.notef("%s: %v", a[0], err)
				return silent(exitFail)
			}
			p.printf("%s: the documents are what their prose and plan make, with one planted sentence each\n", a[0])
			return nil
		},
	}
}

func newFixturesBuild(p *Process) *cobra.Command {
	return &cobra.Command{
		Use: "build DIR", Short: "Build a bench's documents from fixtures/build.yaml into its folder",
		Args: args(1, 1, "DIR"),
		RunE: func(_ *cobra.Command, a []string) error {
			if info, err := os.Stat(p.path(a[0])); err != nil || !info.IsDir() {
				return usage("%s: not a folder; assay fixtures build wants a bench's folder", a[0])
			}
			files, err := fixture.Build(os.DirFS(p.path(a[0])))
			if err != nil {
				return inBench(a[0], err)
			}
			if err := fixture.Write(p.path(a[0]), files, true); err != nil {
				return fault(err)
			}
			p.printf("%s: %d files built\n", a[0], len(files))
			return nil
		},
	}
}

func newFixturesHoyle(p *Process) *cobra.Command {
	var out string
	c := &cobra.Command{
		Use: "hoyle FILE -o DIR", Short: "Make the published items' documents from the book's text",
		Long: `Makes the passages and long documents that the published items name out of the text of Foster's Complete Hoyle
(Project Gutenberg #53881), by an extraction of this project's own. They are not the published fixtures. A file whose
SHA-256 is not the pinned one is refused.` + exitHelp,
		Args: args(1, 1, "FILE"),
	}
	c.Flags().StringVarP(&out, "output", "o", "", "the folder for the fixtures")
	c.RunE = func(_ *cobra.Command, a []string) error {
		if out == "" {
			return usage("assay fixtures hoyle wants a folder: -o DIR")
		}
		if err := p.emptyFolder(out); err != nil {
			return err
		}
		data, err := p.readInput(a[0], importMost)
		if err != nil {
			return err
		}
		files, _, err := fixture.Hoyle(data, fixture.HoyleOptions{})
		if err != nil {
			return usage("%s: %v", a[0], err)
		}
		if err := p.writeTree(out, files); err != nil {
			return err
		}
		p.printf("%s: %d files; not the published fixtures\n", out, len(files))
		return nil
	}
	return c
}
