package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/qualify"
)

func newQualify(p *Process) *cobra.Command {
	var f qualifyFlags
	c := &cobra.Command{
		Use: "qualify BENCH", Short: "Prove a bench of agent tasks by executions that must be refused",
		Long: `Admits a bench of agent tasks to runs, by its digest. Every task is executed twelve times, each in a world of its own: its
reference, which must be accepted; the same again, which must give the same episode to the byte; and ten negative controls, each
made from the contract and the reference, each refused for the criteria that it is made to break, and each earning 49 of 100 at
most. Beside them stands what must be refused as well (each required step left out, wrong targets, stuffed texts, stale evidence,
each field wrong alone) and what must be accepted (other orders, more reads, other words).

What was made of a task is kept by the task's digest: after an interruption, or a change of one task, the same command makes what
is missing. Everything that assay check looks at is looked at, too.` + exitHelp,
		Args: args(1, 1, "BENCH"),
	}
	c.Flags().BoolVar(&f.asJSON, "json", false, "print JSON")
	c.Flags().BoolVar(&f.all, "all", false, "print what each execution broke, task by task")
	c.Flags().BoolVar(&f.again, "again", false, "make everything anew, whatever was kept")
	c.Flags().StringSliceVar(&f.only, "only", nil, "tasks; the bench is not admitted by some of them")
	c.Flags().IntVar(&f.jobs, "jobs", 0, "tasks at once (default: as many as there are processors)")
	c.Flags().BoolVarP(&f.quiet, "quiet", "q", false, "no progress")
	c.Flags().StringVar(&f.proofs, "proofs", "", "where to keep the qualification (default: the user's state folder)")
	c.RunE = func(_ *cobra.Command, a []string) error { return p.qualify(a[0], f) }
	return c
}

type qualifyFlags struct {
	asJSON, all, again, quiet bool
	only                      []string
	jobs                      int
	proofs                    string
}

func (p *Process) qualify(ref string, f qualifyFlags) error {
	o, err := p.open(ref)
	if err != nil {
		return err
	}
	if o.bench.Shape != bench.ShapeAgent {
		return usage("%s has the shape %s, and what is qualified are agent tasks; assay check %s proves its graders", o.bench.Name(), o.bench.Shape, ref)
	}
	if f.jobs < 0 {
		return usage("--jobs is at least 1")
	}
	var have []string
	for h := range o.set.Heads() {
		if h.Frozen {
			have = append(have, h.ID)
		}
	}
	for _, id := range f.only {
		if !slices.Contains(have, id) {
			return usage("%s has no frozen task %q%s", o.bench.Name(), id, bench.Nearest(id, have))
		}
	}
	dir := p.proofDir()
	if f.proofs != "" {
		dir = p.path(f.proofs)
	}
	done := 0
	type both struct {
		r   *qualify.AgentReport
		err error
	}
	ran := make(chan both, 1)
	go func() { // beside the check, which is one after another in parts
		r, err := qualify.Agents(p.Context, o.set, o.state.Digest, qualify.AgentOptions{Only: f.only, Kept: qualify.Dir(p.proofDir()), Again: f.again, Workers: f.jobs,
			Progress: func(task string, n, total int, kept bool) {
				done = n
				if !f.quiet {
					p.notef("%d/%d %s: %s", n, total, task, map[bool]string{false: "done", true: "kept from before"}[kept])
				}
			}})
		ran <- both{r, err}
	}()
	checked, err := qualify.Check(p.Context, o.set, qualify.Options{Slow: true, Only: f.only})
	made := <-ran
	if err = errors.Join(made.err, err); err != nil {
		return p.stopped(err, ref, done, len(have))
	}
	r := made.r
	checked.Digest = o.state.Digest
	good := checked.Clean() && r.Clean()
	if good && len(f.only) == 0 {
		if err := p.admit(checked, r, qualify.Dir(dir)); err != nil {
			return fault(fmt.Errorf("the qualification could not be kept: %w", err))
		}
	}
	if err := p.showQualified(checked, r, f); err != nil {
		return err
	}
	if !good {
		return silent(exitFail)
	}
	return nil
}

// admit keeps the report, and the proof that runs ask for.
func (p *Process) admit(checked *qualify.Report, r *qualify.AgentReport, dir qualify.Dir) error {
	proof, err := checked.Prove(qualify.Machine{}, true, p.Now())
	if err == nil {
		err = proof.Qualify(r)
	}
	if err == nil {
		_, err = dir.SaveAgents(r)
	}
	if err == nil {
		_, err = dir.Save(proof)
	}
	return err
}

// stopped says of an interruption what is kept.
func (p *Process) stopped(err error, ref string, done, total int) error {
	if p.Context.Err() != nil || errors.Is(err, context.Canceled) {
		return fault(fmt.Errorf("stopped: %d of %d tasks are kept; assay qualify %s goes on from there", done, total, ref))
	}
	return fault(err)
}

func (p *Process) showQualified(checked *qualify.Report, r *qualify.AgentReport, f qualifyFlags) error {
	admitted := checked.Clean() && r.Clean() && len(f.only) == 0
	faults := r.Faults()
	var others []string // of the check
	for _, x := range checked.Faults {
		others = append(others, x.String())
	}
	if f.asJSON {
		if others == nil {
			others = []string{}
		}
		if faults == nil {
			faults = []string{}
		}
		return p.writeJSON(struct {
			qualify.Summary
			Bench       string              `json:"bench"`
			Digest      string              `json:"digest"`
			Grader      string              `json:"grader"`
			Engine      string              `json:"engine"`
			Admitted    bool                `json:"admitted"`
			FaultList   []string            `json:"fault_list"`
			CheckFaults []string            `json:"check_faults"`
			PerTask     []qualify.TaskProof `json:"per_task"`
		}{r.Summary, r.Bench, r.Digest, r.Grader, r.Engine, admitted, faults, others, r.Tasks})
	}
	p.matrix(r)
	if f.all {
		p.everyControl(r)
	}
	for _, x := range append(others, faults...) {
		p.printf("%s\n", plain(x))
	}
	n := r.Summary
	p.printf("%s: %s, %d executions, %s, %s, %d untargeted, %d not generated\n", r.Bench, counted(n.Tasks, "task"), n.Executions, counted(n.FalseAccepts, "false accept"), counted(n.FalseRejects, "false reject"), n.Untargeted, n.NotGenerated)
	p.printf("  %d/%d omissions detected, %d tried beside; a negative control earns %d at most\n", n.OmissionsDetected, n.Omissions, n.Beside, n.MaxGated)
	p.printf("  digest %s\n  grader %s\n  engine %s\n", r.Digest, r.Grader, r.Engine)
	switch {
	case admitted:
		p.printf("qualified\n")
	case checked.Clean() && r.Clean():
		p.printf("good; the bench is admitted by all its tasks\n")
	default:
		p.printf("not qualified: %s\n", counted(len(others)+len(faults), "fault"))
	}
	return nil
}

// matrix prints control by task how many criteria were broken; ! marks a fault. What is tried beside the ten stands under its
// name once, with how often it was tried.
func (p *Process) matrix(r *qualify.AgentReport) {
	if len(r.Tasks) == 0 {
		return
	}
	for i := range r.Tasks {
		p.printf("%3d %s (%d criteria)\n", i+1, plain(r.Tasks[i].Task), len(r.Tasks[i].Rules))
	}
	head := fmt.Sprintf("%-22s", "")
	for i := range r.Tasks {
		head += fmt.Sprintf(" %7d", i+1)
	}
	p.printf("%s\n", strings.TrimRight(head, " "))
	line := func(name string, cell func(t *qualify.TaskProof) string) {
		out := fmt.Sprintf("%-22s", name)
		for i := range r.Tasks {
			out += fmt.Sprintf(" %7s", cell(&r.Tasks[i]))
		}
		p.printf("%s\n", strings.TrimRight(out, " "))
	}
	run := func(e *qualify.Execution) string {
		switch {
		case e.Fault != "":
			return "!"
		case e.EpisodeDigest == "":
			return "-"
		}
		return "ok"
	}
	line("oracle", func(t *qualify.TaskProof) string { return run(&t.Oracle) })
	line("replay", func(t *qualify.TaskProof) string { return run(&t.Replay) })
	for _, name := range names(r, func(t *qualify.TaskProof) []qualify.Control { return t.Controls }) {
		line(name, func(t *qualify.TaskProof) string {
			i := slices.IndexFunc(t.Controls, func(c qualify.Control) bool { return c.Name == name })
			if i < 0 {
				return "-"
			}
			return fmt.Sprintf("%d%s", len(t.Controls[i].Broke), mark(t.Controls[i].Fault))
		})
	}
	p.printf("%s\n", "beside (as they must be/tried)")
	for _, name := range names(r, func(t *qualify.TaskProof) []qualify.Control { return t.Beside }) {
		line(name, func(t *qualify.TaskProof) string {
			good, all := 0, 0
			for _, c := range t.Beside {
				if c.Name == name {
					all++
					if c.Fault == "" {
						good++
					}
				}
			}
			return tried(good, all)
		})
	}
	for _, what := range []string{"read", "write", "readback"} {
		line("without a "+what, func(t *qualify.TaskProof) string {
			good, all := 0, 0
			for _, o := range t.Omissions {
				if o.What == what {
					all++
					if o.Fault == "" {
						good++
					}
				}
			}
			return tried(good, all)
		})
	}
}

func tried(good, all int) string {
	switch {
	case all == 0:
		return "-"
	case good < all:
		return fmt.Sprintf("%d/%d!", good, all)
	}
	return fmt.Sprintf("%d/%d", good, all)
}

func mark(fault string) string {
	if fault != "" {
		return "!"
	}
	return ""
}

// names gives the names of controls in the order in which they first come.
func names(r *qualify.AgentReport, of func(*qualify.TaskProof) []qualify.Control) []string {
	var out []string
	for i := range r.Tasks {
		for _, c := range of(&r.Tasks[i]) {
			if !slices.Contains(out, c.Name) {
				out = append(out, c.Name)
			}
		}
	}
	return out
}

// everyControl prints each execution with the criteria that it broke.
func (p *Process) everyControl(r *qualify.AgentReport) {
	for i := range r.Tasks {
		t := &r.Tasks[i]
		p.printf("\n%s\n", plain(t.Task))
		for _, c := range slices.Concat(t.Controls, t.Beside) {
			end := fmt.Sprintf("breaks %s; earns %d", strings.Join(c.Broke, ", "), c.Gated)
			if len(c.Broke) == 0 {
				end = "accepted"
			}
			p.printf("  %s: %s\n", plain(qualify.ControlName(&c)), end)
		}
		for _, o := range t.Omissions {
			p.printf("  without call %d, %s: flips %s\n", o.Step, plain(o.Call), strings.Join(o.Flipped, ", "))
		}
	}
	p.printf("\n")
}
