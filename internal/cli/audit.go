package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/contract/tasks"
	"github.com/assaybench/assay/realism"
	"github.com/assaybench/assay/report/audit"
)

const exitUnmeasured = 4 // an audit found no failure, and something that it could not measure

func newAudit(p *Process) *cobra.Command {
	var standard, markdown, html string
	var keys []string
	var asJSON, all, write bool
	c := &cobra.Command{
		Use: "audit BENCH", Short: "Hold a bench of agent tasks against the realism standard",
		Long: `Measures every requirement of a realism standard on a bench of agent tasks: from its files, from what its references
do, and by changing its worlds and playing again. Each requirement comes to PASS, FAIL, WARN or NOT_MEASURED, with what was measured,
where, how, and a command that measures it again. Thresholds are those of the standard's file, never the program's own.

  assay audit ./bench
  assay audit ./bench --html audit.html
  assay audit ./bench --write
  assay audit ./bench --key employeeRequest --key workflow.minimumEvidenceReadsPerTask

Exit status:
  0  every requirement holds (warnings are printed)
  1  at least one fails
  2  the command line, the bench's files or the standard's file is wrong
  3  a fault of the environment or of ours
  4  none fails, and at least one could not be measured`,
		Args: args(1, 1, "BENCH"),
	}
	f := c.Flags()
	f.StringVar(&standard, "standard", "", "a standard's file (default: the edition that ships inside)")
	f.Var(lists(&keys), "key", "measure these requirements alone: keys, or what stands before a dot in them")
	f.BoolVar(&asJSON, "json", false, "print the report as canonical JSON")
	f.BoolVar(&all, "all", false, "show what passes, too")
	f.BoolVar(&write, "write", false, "keep the report in the bench's folder, as reports/audit.json")
	f.StringVar(&markdown, "markdown", "", "write the report as Markdown to a file")
	f.StringVar(&html, "html", "", "write the report as one HTML page to a file")
	c.RunE = func(c *cobra.Command, a []string) error {
		std := realism.Embedded()
		if c.Flags().Changed("standard") {
			b, err := p.readInput(standard, 2<<20)
			if err != nil {
				return err
			}
			if std, err = realism.ParseStandard(standard, b); err != nil {
				return usage("%v", err)
			}
		}
		o, err := p.open(a[0])
		if err != nil {
			return err
		}
		set, ok := o.set.(*tasks.Set)
		if !ok {
			return usage("%s has the shape %q; the realism standard is about benches of agent tasks", a[0], o.bench.Shape)
		}
		r := realism.Open(set, std, a[0], o.state, version())
		defer r.Close()
		p.replays(r, a[0], set)
		rep, err := realism.Audit(p.Context, r, realism.Options{Keys: keys, Progress: p.auditProgress()})
		if err != nil {
			return auditFault(err)
		}
		if write {
			if rep, err = p.keepAudit(a[0], r, rep, keys); err != nil {
				return err
			}
		}
		if err := p.auditFile(markdown, rep, audit.Markdown); err != nil {
			return err
		}
		if err := p.auditFile(html, rep, audit.HTML); err != nil {
			return err
		}
		if asJSON {
			b, err := rep.Canonical()
			if err != nil {
				return fault(err)
			}
			p.printf("%s\n", b)
		} else if err := audit.Text(p.Stdout, rep, p.Width, all); err != nil {
			return fault(err)
		}
		switch rep.Verdict() {
		case realism.Fail:
			return silent(exitFail)
		case realism.NotMeasured:
			return silent(exitUnmeasured)
		}
		return nil
	}
	return c
}

// keepAudit writes the report into the bench's folder, where it is no part of the bench's digest. One requirement is that a
// stored report equals a fresh one, so that it is measured once more with the report in its place, from what is known already.
func (p *Process) keepAudit(ref string, r *realism.Release, rep *realism.Report, keys []string) (*realism.Report, error) {
	dir := p.path(ref)
	if st, err := os.Stat(dir); !isPath(ref) || err != nil || !st.IsDir() {
		return nil, usage("%s is no folder, into which --write could write", shown(ref))
	}
	if len(keys) > 0 {
		return nil, usage("--write keeps a whole report, and --key asks for a part of one")
	}
	dir = filepath.Join(dir, "reports")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fault(err)
	}
	for range 2 {
		b, err := rep.Canonical()
		if err != nil {
			return nil, fault(err)
		}
		if err := writeFile(filepath.Join(dir, "audit.json"), append(b, '\n')); err != nil {
			return nil, fault(err)
		}
		if rep, err = realism.Audit(p.Context, r, realism.Options{}); err != nil {
			return nil, auditFault(err)
		}
	}
	return rep, nil
}

// auditFault tells what is wrong with the command line or a file from what broke here.
func auditFault(err error) error {
	if _, ok := errors.AsType[*bench.Error](err); ok {
		return usage("%v", err)
	}
	if errors.Is(err, context.Canceled) {
		return fault(errInterrupted)
	}
	return fault(err)
}

// auditFile writes the report to a file, where one is asked for.
func (p *Process) auditFile(name string, rep *realism.Report, write func(io.Writer, *realism.Report) error) error {
	if name == "" {
		return nil
	}
	var b bytes.Buffer
	if err := write(&b, rep); err != nil {
		return fault(err)
	}
	return fault(writeFile(p.path(name), b.Bytes()))
}

// auditProgress tells how far an audit is: on a terminal by a line that counts, elsewhere by one every few seconds.
func (p *Process) auditProgress() func(done, total int, key string) {
	told := p.Now()
	return func(done, total int, key string) {
		switch {
		case p.Terminal && done == total:
			fmt.Fprint(p.Stderr, "\r\x1b[K")
		case p.Terminal:
			fmt.Fprintf(p.Stderr, "\r\x1b[Kmeasuring %d/%d %s", done, total, plain(key))
		case p.Now().Sub(told) >= lineEvery:
			told = p.Now()
			p.notef("measuring %d/%d %s", done, total, key)
		}
	}
}
