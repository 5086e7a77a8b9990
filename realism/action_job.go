package realism

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assaybench/assay/contract"
	"github.com/assaybench/assay/realism/likeness"
	"github.com/assaybench/assay/realism/wording"
)

// job is what the task is, as a set: its action graph, four-word windows of what its contract says in words, the names of the
// answer's fields, and the tables that it writes.
func (s *Subject) job(ctx context.Context) (map[string]bool, error) {
	return once(&s.facts, "job", func() (map[string]bool, error) {
		g, err := s.action(ctx)
		if err != nil {
			return nil, err
		}
		ids, err := s.identities(ctx)
		if err != nil {
			return nil, err
		}
		out := map[string]bool{}
		for _, b := range []likeness.Bag{g.Nodes, g.Edges} {
			for k := range b {
				out[k] = true
			}
		}
		c := s.Contract()
		var says []string
		for _, v := range c.Investigations {
			says = append(says, v.Says)
		}
		for _, o := range c.Options {
			says = append(says, o.Says)
		}
		for _, ch := range c.Changes {
			says = append(says, ch.Says)
			for _, r := range ch.Rows {
				out["writes "+r.Table] = true
			}
		}
		for _, text := range says {
			for k := range wording.Shingles(wording.Neutral(text, ids), 4) {
				out["says "+k] = true
			}
		}
		for _, f := range s.Public.Answer {
			out["field "+f.Name] = true
		}
		return out, nil
	})
}

// assertions is what the contract asserts, without any name of this case or figure: two tasks of one such text are graded by
// one verifier.
func (s *Subject) assertions() string {
	c := s.Contract()
	var out []string
	args := func(list []contract.Arg) string {
		var names []string
		for _, a := range list {
			names = append(names, a.At.String())
		}
		slices.Sort(names)
		return strings.Join(names, ",")
	}
	for _, v := range c.Investigations {
		for _, sel := range v.AnyOf {
			out = append(out, "reads "+sel.Tool+" ("+args(sel.Args)+") "+args(sel.Result))
		}
	}
	for _, ch := range c.Changes {
		out = append(out, "changes "+ch.Role+" "+ch.Tool+" "+args(ch.Args))
	}
	for _, m := range c.Messages {
		out = append(out, fmt.Sprintf("says %d of %d", len(m.Facts), len(m.Forbid)))
	}
	for _, n := range s.Derivations().Nodes {
		if n.Kind != "decision" {
			out = append(out, fmt.Sprintf("derives %s %v", shape(c, n), n.Graded))
		}
	}
	for _, f := range s.Public.Answer {
		out = append(out, fmt.Sprintf("answers %s %s %s", f.Type, f.Unit, s.filledBy(f.Name)))
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}
