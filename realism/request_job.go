package realism

import (
	"context"
	"fmt"

	"github.com/assaybench/assay/contract"
)

// objectiveRow asks for one job: one primary change, one decision, and derivations that hang together.
func objectiveRow(_ context.Context, r *Release, l Leaf) Row {
	if l.Value == false {
		return allowed(nil)
	}
	return byTask(r, func(s *Subject) Row {
		c := s.Contract()
		primary := 0
		for _, ch := range c.Changes {
			if ch.Role == contract.Primary {
				primary++
			}
		}
		g := s.Derivations()
		of, _ := g.Components()
		jobs := map[int]bool{} // parts by which something is judged; a read or a figure that nothing uses is no second job
		for i, n := range g.Nodes {
			if n.Kind == "decision" || n.Kind == "option" || n.Graded && n.Kind != "input" && len(inputsOf(c, n.Name)) > 0 {
				jobs[of[i]] = true
			}
		}
		parts := len(jobs)
		measured := map[string]any{"primary_changes": primary, "decisions": 0, "components": parts}
		if c.Decision != nil {
			measured["decisions"] = 1
		}
		var ev []Evidence
		if at := g.Node("decision"); at >= 0 && parts > 1 {
			for i, n := range g.Nodes {
				if of[i] != of[at] && jobs[of[i]] && n.Kind != "input" {
					ev = append(ev, Evidence{File: sealedFile(s), Span: n.Name, Note: "does not hang together with the decision"})
				}
			}
		}
		switch {
		case primary != 1:
			return judged(false, measured, counted(primary, "primary change")+", and one job has one", ev...)
		case c.Decision == nil:
			return judged(false, measured, "nothing is decided", ev...)
		case parts != 1:
			return judged(false, measured, fmt.Sprintf("the derivations fall into %d parts that have nothing to do with each other", parts), ev...)
		}
		return judged(true, measured, "one primary change, one decision, and every derivation hangs together with it", ev...)
	})
}

// sealedFile is the file of a task's contract.
func sealedFile(s *Subject) string { return "tasks/" + s.ID + "/sealed/contract.yaml" }

// requestAuthorityRow asks that what may be done follows from a record: a limit that is read, an option within it that is
// chosen, and one beyond it.
func requestAuthorityRow(_ context.Context, r *Release, l Leaf) Row {
	if l.Value == false {
		return allowed(nil)
	}
	return byTask(r, func(s *Subject) Row {
		c, x := s.Contract(), s.Expected()
		if c.Decision == nil {
			return judged(false, nil, "nothing is decided, so that nothing is within anybody's authority")
		}
		var ev []Evidence
		beyond, inside := 0, false
		for _, o := range c.Options {
			v := x.Option(o.ID)
			read := o.Limit != "" && len(c.Program.Reach(o.Limit)) > 0 && len(inputsOf(c, o.Limit)) > 0
			ev = append(ev, Evidence{File: sealedFile(s), Cell: "options." + o.ID, Note: fmt.Sprintf("%s: cost %s, limit %s", v.Authority, valueText(x, o.Cost), valueText(x, o.Limit))})
			switch {
			case o.ID == x.Chosen:
				inside = v.Authority == contract.Approved && read
			case v.Authority == contract.NeedsApproval && read:
				beyond++
			}
		}
		switch {
		case !inside:
			return judged(false, beyond, "the recommended option is not within a limit that a record gives", ev...)
		case beyond == 0:
			return judged(false, beyond, "no option is beyond a limit that a record gives, so that the limit decides nothing", ev...)
		}
		return judged(true, beyond, "the recommended option is within a recorded limit, and another is beyond it", ev...)
	})
}

// inputsOf are the reads that a value stands on.
func inputsOf(c *contract.Contract, name string) []string {
	if c.Program.IsInput(name) {
		return []string{name}
	}
	return c.Program.Inputs(name)
}

func valueText(x *contract.Expected, name string) string {
	if v, ok := x.Values[name]; ok {
		return v.String()
	}
	return "none"
}
