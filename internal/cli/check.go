package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/check"
	"github.com/assaybench/assay/qualify"
)

func newCheck(p *Process) *cobra.Command {
	var slow, asJSON, unsafe bool
	var proofDir, private string
	c := &cobra.Command{
		Use: "check BENCH", Short: "Validate files, freeze, quotas and controls, with no model",
		Long: `Proves a bench's graders without any model: every control that the items carry, and near-misses generated from
each item's first reference, are judged twice. It reports what was wrongly accepted and wrongly refused, checks the files against
FREEZE.json and the items against the promised counts, and leaves a proof record, without which a bench does not run. A bench of
agent tasks needs more to be proven: assay qualify.

Of a bench of the shape premise every reading is evaluated, too: its program must give its points. With --private FILE the
readings of a private set are evaluated in place of the bench's own; of what they hold nothing is shown.` + exitHelp,
		Args: args(1, 1, "BENCH"),
	}
	c.Flags().BoolVar(&slow, "slow", false, "run the controls that take seconds by design, too")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	c.Flags().BoolVar(&unsafe, "unsafe-no-sandbox", false, "run answers without a sandbox (dangerous; makes no proof)")
	c.Flags().StringVar(&private, "private", "", "verify a private set of a premise bench instead: JSON lines")
	c.Flags().StringVar(&proofDir, "proofs", "", "where to keep the proof (default: the user's state folder)")
	c.RunE = func(c *cobra.Command, a []string) error {
		o, err := p.open(a[0])
		if err != nil {
			return err
		}
		if c.Flags().Changed("private") {
			return p.checkPrivate(o, private, asJSON)
		}
		box, machine, lack, err := p.box(o, unsafe)
		if err != nil {
			return err
		}
		if box != nil {
			defer box.Close()
		}
		r, err := qualify.Check(p.Context, o.set, qualify.Options{Slow: slow, Progress: p.checkProgress()})
		if err != nil {
			return fault(err)
		}
		r.Digest = o.state.Digest
		p.lint(o, r)
		if lack != "" {
			r.Warnings = append(r.Warnings, lack)
		}
		agent := o.bench.Shape == bench.ShapeAgent
		if r.Clean() && !unsafe && !agent {
			dir := proofDir
			if dir == "" {
				dir = p.proofDir()
			}
			if err := p.prove(r, machine, slow, dir); err != nil {
				r.Warnings = append(r.Warnings, "the proof could not be kept: "+err.Error())
			}
		}
		if err := p.showCheck(r, asJSON); err != nil {
			return err
		}
		if agent && r.Clean() && !asJSON {
			p.printf("next: assay qualify %s, which admits it to runs\n", a[0])
		}
		switch {
		case len(r.Faults) > r.NotGraded:
			return silent(exitFail)
		case r.NotGraded > 0:
			return silent(exitFault)
		}
		return nil
	}
	return c
}

func (p *Process) prove(r *qualify.Report, m qualify.Machine, slow bool, dir string) error {
	proof, err := r.Prove(m, slow, p.Now())
	if err != nil {
		return err
	}
	_, err = qualify.Dir(p.path(dir)).Save(proof)
	return err
}

// lint adds what is suspicious and not wrong.
func (p *Process) lint(o *opened, r *qualify.Report) {
	for h := range o.set.Heads() {
		msgs, err := o.set.Prompt(h.ID)
		if err != nil {
			continue
		}
		for _, m := range msgs {
			for _, w := range check.LintPrompt(m.Text) {
				r.Warnings = append(r.Warnings, h.ID+": "+w)
			}
		}
	}
	if o.state.Freeze == nil {
		r.Warnings = append(r.Warnings, "the bench is not frozen; assay freeze fixes it")
	}
}

// checkProgress draws a counting line on a terminal.
func (p *Process) checkProgress() func(done, total int) {
	if !p.Terminal {
		return nil
	}
	return func(done, total int) {
		fmt.Fprintf(p.Stderr, "\rchecking %d/%d items", done, total)
		if done == total {
			fmt.Fprint(p.Stderr, "\r\x1b[K")
		}
	}
}

func (p *Process) showCheck(r *qualify.Report, asJSON bool) error {
	if asJSON {
		return p.writeJSON(r)
	}
	for _, f := range r.Faults {
		p.printf("%s\n", plain(f.String()))
	}
	for _, w := range r.Warnings {
		p.printf("warning: %s\n", plain(w))
	}
	p.printf("%s: %s (%s), %s, %s\n", r.Bench, counted(r.Items, "frozen item"), counted(r.Drafts, "draft"), counted(r.FalseAccepts, "false accept"), counted(r.FalseRejects, "false reject"))
	p.printf("  %s and %d generated near-miss%s, each judged twice", counted(r.Controls, "control"), r.Generated, map[bool]string{false: "es"}[r.Generated == 1])
	if r.SlowLeftOut > 0 {
		p.printf("; %s left out (--slow runs %s)", counted(r.SlowLeftOut, "slow control"), map[bool]string{true: "it", false: "them"}[r.SlowLeftOut == 1])
	}
	var claims []string
	for _, c := range r.Claims {
		claims = append(claims, fmt.Sprintf("%d/%d %s", c.OK, c.Of, c.Says))
	}
	if len(claims) > 0 {
		p.printf("\n  %s", strings.Join(claims, ", "))
	}
	p.printf("\n  digest %s\n  grader %s\n", r.Digest, r.Grader)
	switch {
	case r.Clean():
		p.printf("good\n")
	case r.NotGraded > 0 && len(r.Faults) == r.NotGraded:
		p.printf("not proven: %s could not be made on this machine\n", counted(r.NotGraded, "judgement"))
	default:
		p.printf("not good: %s\n", counted(len(r.Faults), "fault"))
	}
	return nil
}

func (p *Process) showKinds(asJSON bool) error {
	kinds := check.Kinds()
	if asJSON {
		return p.writeJSON(map[string]any{"kinds": kinds})
	}
	for _, k := range kinds {
		p.printf("%s (version %d)\n", k.Name, k.Version)
		for _, line := range wrap(strings.TrimSpace(k.Doc), p.Width-6) {
			p.printf("    %s\n", line)
		}
	}
	return nil
}
