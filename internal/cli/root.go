package cli

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/report"
)

// Main runs one command and gives its exit code. A panic is a fault of ours: it is told in one line with its stack below,
// and never ends in 0.
func Main(p *Process) (code int) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(p.Stderr, "assay: a fault of the program itself: %v; please report it with the lines below\n%s", r, debug.Stack())
			code = exitFault
		}
	}()
	if p.stop != nil {
		defer p.stop()
	}
	out := &checked{w: p.Stdout}
	p.Stdout = out
	err := execute(p)
	if told, ok := errors.AsType[*coded](err); out.err != nil && (err == nil || ok && told.silent) {
		err = fault(fmt.Errorf("standard output cannot be written: %w", out.err))
	}
	if err == nil {
		return exitGood
	}
	if c, ok := errors.AsType[*coded](err); !ok || !c.silent {
		for line := range strings.SplitSeq(err.Error(), "\n") {
			fmt.Fprintln(p.Stderr, "assay: "+plain(line))
		}
	}
	return codeOf(err)
}

func execute(p *Process) error {
	root := &cobra.Command{
		Use:   "assay",
		Short: "A workbench for benchmarks that need no judge",
		Long: `Assay runs benchmarks in which every verdict comes from a mechanical rule that anyone can re-run.

Start with:
  assay list                   the benches that ship inside
  assay run chair-trials --model control/reference
                               run one, with the reference answers as the model
  assay check DIR              prove that a bench's graders are right
` + exitHelp,
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       version(),
	}
	setHelp(root)
	root.SetVersionTemplate("assay {{.Version}}\n")
	root.SetArgs(p.Args)
	root.SetIn(p.Stdin)
	root.SetOut(p.Stdout)
	root.SetErr(p.Stderr)
	root.CompletionOptions.HiddenDefaultCmd = true
	root.DisableSuggestions = true // they take five lines
	root.SetHelpCommand(&cobra.Command{
		Use: "help [COMMAND]", Short: "Help about a command",
		RunE: func(_ *cobra.Command, a []string) error {
			c, rest, err := root.Find(a)
			if err != nil || len(rest) > 0 {
				return usage("no command is named %q%s", strings.Join(a, " "), bench.Nearest(strings.Join(a, " "), commands(root)))
			}
			return c.Help()
		},
	})
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usage("%v; see assay %s --help", err, strings.TrimPrefix(c.CommandPath(), "assay "))
	})
	root.AddCommand(newList(p), newShow(p), newRules(p), newCheck(p), newQualify(p), newAudit(p), newRun(p), newGrade(p), newRuns(p), newResult(p), newCompare(p), newView(p), newPublish(p), newVerify(p), newLeaderboard(p),
		newImport(p), newExport(p), newFixtures(p), newPremise(p), newFreeze(p), newNew(p), newDoctor(p), newKairos(p), newWorld(p), newHarbor(p))
	err := root.ExecuteContext(p.Context)
	if err != nil && isCobraUsage(err) {
		if name, ok := strings.CutPrefix(err.Error(), "unknown command "); ok && len(p.Args) > 0 {
			name, _, _ = strings.Cut(name, " for ")
			return usage("unknown command %s%s; see assay --help", name, bench.Nearest(strings.Trim(name, `"`), commands(root)))
		}
		return usage("%v; see assay --help", err)
	}
	return err
}

// commands lists the commands' names.
func commands(root *cobra.Command) []string {
	var out []string
	for _, c := range root.Commands() {
		out = append(out, c.Name())
	}
	return out
}

// isCobraUsage recognises the two errors that cobra makes without a type: an unknown command and a wrong number of
// arguments.
func isCobraUsage(err error) bool {
	if _, ok := errors.AsType[*coded](err); ok {
		return false
	}
	s := err.Error()
	return strings.HasPrefix(s, "unknown command ") || strings.HasPrefix(s, "unknown flag") || strings.HasPrefix(s, "required flag")
}

// args wants between least and most arguments and says what they are.
func args(least, most int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, a []string) error {
		if len(a) < least || len(a) > most {
			return usage("%s wants %s, and got %d arguments; see %s --help", c.CommandPath(), what, len(a), c.CommandPath())
		}
		return nil
	}
}

// checked remembers the first error of writing, so that a full disk or a closed pipe is never exit 0.
type checked struct {
	w   interface{ Write([]byte) (int, error) }
	err error
}

func (c *checked) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	if err != nil && c.err == nil {
		c.err = err
	}
	return n, err
}

// version is the module's version where the build knows it.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "devel"
}

// plain makes a text safe for a terminal: control characters, bidi marks and other invisible ones are written out.
func plain(s string) string { return report.Printable(s) }

// plainText is plain for texts of several lines.
func plainText(s string) string {
	lines := strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	for i := range lines {
		lines[i] = plain(lines[i])
	}
	return strings.Join(lines, "\n")
}
