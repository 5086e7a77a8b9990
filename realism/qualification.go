package realism

import (
	"context"
	"fmt"
	"slices"

	"github.com/assaybench/assay/contract/control"
	"github.com/assaybench/assay/qualify"
)

const ofQualification = "qualification."

var qualificationChecks = []check{
	{key: ofQualification + "oracleCoverage", scope: OfRelease, how: Replay, measure: coverageRow(oracleCovers)},
	{key: ofQualification + "deterministicReplayCoverage", scope: OfRelease, how: Replay, measure: coverageRow(replayCovers)},
	{key: ofQualification + "negativeControlsPerTask", scope: OfTask, how: Replay, measure: controlsRow},
	{key: ofQualification + "requiredNegativeControls", scope: OfTask, how: Replay, measure: requiredControlsRow},
	{key: ofQualification + "allNegativeControlsApplicableToEveryTask", scope: OfTask, how: Replay, measure: applicableRow},
	{key: ofQualification + "executionsPerTask", scope: OfTask, how: Replay, measure: executionsRow},
	{key: ofQualification + "falseAcceptsAllowed", scope: OfTask, how: Replay, measure: falseAcceptsRow},
	{key: ofQualification + "harborOracleCoverage", scope: OfTask, how: Replay, measure: harborRow},
	{key: ofQualification + "publishedTreeRoundTrip", scope: OfTask, how: Replay, measure: roundTripRow},
}

// byProof measures each task's proof.
func byProof(ctx context.Context, r *Release, measure func(s *Subject, p *control.Proof) Row) Row {
	return byTask(r, func(s *Subject) Row {
		p, err := s.proof(ctx)
		switch {
		case err != nil:
			return unmeasured(oneLine(err.Error()))
		case p == nil:
			return unmeasured("the bench was not qualified: assay qualify")
		}
		return measure(s, p)
	})
}

func oracleCovers(p *control.Proof) string {
	switch {
	case p.Oracle.EpisodeDigest == "":
		return "the reference was not played"
	case p.Oracle.Fault != "":
		return p.Oracle.Fault
	case !p.Oracle.Strict:
		return "the reference is not accepted"
	}
	return ""
}

func replayCovers(p *control.Proof) string {
	switch {
	case p.Replay.EpisodeDigest == "":
		return "the reference was not played again"
	case p.Replay.Fault != "" && p.Oracle.Strict: // else it tells of the reference, and of no difference
		return p.Replay.Fault
	case p.Replay.EpisodeDigest != p.Oracle.EpisodeDigest:
		return "played again, the episode is another"
	}
	return ""
}

// coverageRow wants the tasks that were executed to be just those that are released, each as it is now, and each well.
func coverageRow(fault func(p *control.Proof) string) func(context.Context, *Release, Leaf) Row {
	return func(ctx context.Context, r *Release, l Leaf) Row {
		text, _ := l.Value.(string)
		if !KnownWording(l.Key, text) {
			return unmeasured("this standard words the coverage otherwise than the schema that is known here")
		}
		all, err := r.agents(ctx)
		if err != nil {
			return unmeasured(oneLine(err.Error()))
		}
		var ev []Evidence
		n := 0
		for _, s := range r.Tasks {
			i := slices.IndexFunc(all.Tasks, func(p control.Proof) bool { return p.Task == s.ID })
			if i < 0 {
				ev = append(ev, Evidence{Task: s.ID, Note: "it was not executed"})
				continue
			}
			now, err := control.Digest(ctx, r.Set, s.Task)
			switch {
			case err != nil:
				return unmeasured(oneLine(err.Error()))
			case now != all.Tasks[i].Digest:
				ev = append(ev, Evidence{Task: s.ID, Note: "the proof is of another state of the task: stale"})
			case fault(&all.Tasks[i]) != "":
				ev = append(ev, Evidence{Task: s.ID, Note: fault(&all.Tasks[i])})
			default:
				n++
			}
		}
		if len(all.Tasks) != len(r.Tasks) {
			ev = append(ev, Evidence{Note: fmt.Sprintf("%d tasks were executed, and %d are released", len(all.Tasks), len(r.Tasks))})
		}
		return judged(len(ev) == 0 && n > 0, n, fmt.Sprintf("%d of %d released tasks", n, len(r.Tasks)), ev...)
	}
}

func controlsRow(ctx context.Context, r *Release, l Leaf) Row {
	bound, ok := r.Standard.whole(l.Key)
	if !ok {
		return unmeasured("the threshold is no whole number")
	}
	return byProof(ctx, r, func(_ *Subject, p *control.Proof) Row {
		made := map[string]bool{} // two controls of the same steps are one
		for _, c := range p.Controls {
			if c.StepsDigest != "" && !c.Accept {
				made[c.StepsDigest] = true
			}
		}
		return judged(len(made) == bound, len(made), fmt.Sprintf("%d negative controls with steps of their own, %d are asked for", len(made), bound))
	})
}

func requiredControlsRow(ctx context.Context, r *Release, l Leaf) Row {
	names, ok := listOf(l.Value)
	if !ok {
		return unmeasured("the threshold is no list of controls")
	}
	return byProof(ctx, r, func(_ *Subject, p *control.Proof) Row {
		var ev []Evidence
		for _, name := range names {
			i := slices.IndexFunc(p.Controls, func(c control.Result) bool { return c.Name == name })
			switch {
			case i < 0:
				ev = append(ev, Evidence{Cell: name, Note: "it was not made"})
			case p.Controls[i].Fault != "":
				ev = append(ev, Evidence{Cell: name, Note: p.Controls[i].Fault})
			}
		}
		return judged(len(ev) == 0, len(names)-len(ev), fmt.Sprintf("%d of %d required controls were refused for what they break", len(names)-len(ev), len(names)), ev...)
	})
}

func applicableRow(ctx context.Context, r *Release, l Leaf) Row {
	if l.Value != true {
		return unmeasured("the threshold is not true")
	}
	return byProof(ctx, r, func(_ *Subject, p *control.Proof) Row {
		var ev []Evidence
		for _, c := range p.Controls {
			if c.StepsDigest == "" || c.Kind == "not generated" {
				ev = append(ev, Evidence{Cell: qualify.ControlName(&c), Note: c.Fault})
			}
		}
		return judged(len(ev) == 0, len(p.Controls)-len(ev), counted(len(ev), "control")+" that could not be made", ev...)
	})
}

func executionsRow(ctx context.Context, r *Release, l Leaf) Row {
	bound, ok := r.Standard.whole(l.Key)
	if !ok {
		return unmeasured("the threshold is no whole number")
	}
	return byProof(ctx, r, func(_ *Subject, p *control.Proof) Row {
		n := 0
		for _, e := range []*control.Execution{&p.Oracle, &p.Replay} {
			if e.EpisodeDigest != "" {
				n++
			}
		}
		for _, c := range p.Controls {
			if c.StepsDigest != "" {
				n++
			}
		}
		return judged(n == bound, n, fmt.Sprintf("%d executions: the reference, its replay and the negative controls; %d beside them are counted apart", n, len(p.Beside)+len(p.Omissions)))
	})
}

// falseAcceptsRow counts what was accepted and had to be refused, wherever it was tried. A negative control that earns half of
// the score is a warning: whoever takes partial credit would be misled.
func falseAcceptsRow(ctx context.Context, r *Release, l Leaf) Row {
	bound, ok := r.Standard.whole(l.Key)
	if !ok {
		return unmeasured("the threshold is no whole number")
	}
	return byProof(ctx, r, func(_ *Subject, p *control.Proof) Row {
		var ev []Evidence
		most := 0
		for _, c := range slices.Concat(p.Controls, p.Beside) {
			if c.Strict && !c.Accept {
				ev = append(ev, Evidence{Cell: qualify.ControlName(&c), Note: "it is accepted"})
			}
		}
		for _, c := range p.Controls {
			most = max(most, c.Gated)
		}
		for _, o := range p.Omissions {
			if o.Strict {
				ev = append(ev, Evidence{Cell: "without " + o.Call, Note: "it is accepted"})
			}
		}
		row := judged(len(ev) <= bound, len(ev), fmt.Sprintf("%d false accepts; a negative control earns %d at most", len(ev), most), ev...)
		if row.Result == Pass && most >= 50 {
			row.Result = Warn
		}
		return row
	})
}

// harborRow wants the exported package of each task to have been run from its own bytes: its solution is rewarded, and an agent
// that does nothing is not. The row says whether containers ran it.
func harborRow(ctx context.Context, r *Release, l Leaf) Row {
	text, _ := l.Value.(string)
	if !KnownWording(l.Key, text) {
		return unmeasured("this standard words the coverage otherwise than the schema that is known here")
	}
	return byPackage(ctx, r, func(p *PackageProof) Row {
		if p.Oracle != 1 || p.Noop != 0 || len(p.Problems) > 0 {
			return judged(false, p.Oracle, fmt.Sprintf("its own solution earns %d, doing nothing %d; %s", p.Oracle, p.Noop, orNone(p.Problems)), Evidence{Cell: p.Content})
		}
		return judged(true, p.Oracle, "the package's own program, solution and verifier ran from its bytes, by "+p.Way, Evidence{Cell: p.Content, Note: "receipt " + p.Receipt})
	})
}

func roundTripRow(ctx context.Context, r *Release, l Leaf) Row {
	text, _ := l.Value.(string)
	if !KnownWording(l.Key, text) {
		return unmeasured("this standard words the round trip otherwise than the schema that is known here")
	}
	return byPackage(ctx, r, func(p *PackageProof) Row {
		return judged(p.Same && len(p.Problems) == 0, p.Files, fmt.Sprintf("%d files, published to a folder and fetched again: the same paths, bytes, modes and digest", p.Files), Evidence{Cell: p.Content, Note: orNone(p.Problems)})
	})
}

// PackageProof is what the exported package of a task did when it was run from its own bytes.
type PackageProof struct {
	Content      string // its digest
	Receipt      string // the receipt's digest
	Way          string // process or container
	Oracle, Noop int    // rewards
	Files        int
	Same         bool // what came back from publication is what was exported
	Private      bool // the agent's user came to nothing of the private part, or the machine has no user for it
	Problems     []string
}

func byPackage(ctx context.Context, r *Release, measure func(p *PackageProof) Row) Row {
	if r.Packages == nil {
		return unmeasured("no package was exported and run: it takes a program for linux/amd64")
	}
	return byTask(r, func(s *Subject) Row {
		p, err := s.packageProof(ctx)
		if err != nil {
			return unmeasured(oneLine(err.Error()))
		}
		return measure(p)
	})
}

func (s *Subject) packageProof(ctx context.Context) (*PackageProof, error) {
	return once(&s.facts, "package", func() (*PackageProof, error) { return s.Release.Packages(ctx, s) })
}
