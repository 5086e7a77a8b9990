package premise

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assaybench/assay/kairos"
)

// clause is a part of a program that may keep points away or move them, with the program without it.
type clause struct {
	text    string
	without string
}

// lintClauses warns of a reading whose points stay the same without one of its clauses: within the range nothing shows
// whether the clause is there.
func (s *Set) lintClauses(ctx context.Context, p *Problem, c *SelfCheck) error {
	for i, r := range p.Readings {
		for _, cl := range clauses(r.Body) {
			points, err := s.spec.points(ctx, cl.without, p.From, p.To)
			if d := (*Diagnostic)(nil); err != nil && !errors.As(err, &d) {
				return err // ctx's, or a fault of ours
			}
			if err == nil && slices.Equal(points, r.Expected) {
				c.warn(fmt.Sprintf("%s: the reading %s has the same points from %v to %v without its clause %s, so it cannot be told from one that leaves it out",
					p.ID, r.Key, p.From, p.To, clip(oneLine(cl.text), 80)),
					fmt.Sprintf("%s: the reading %d has the same points without one of its clauses, so it cannot be told from one that leaves it out", p.ID, i+1))
			}
		}
	}
	return nil
}

// clauses finds the filters, rolls and subtractions of a body.
func clauses(body string) []clause {
	f, err := kairos.Parse(body)
	if err != nil {
		return nil
	}
	var out []clause
	cut := func(at kairos.Span, operator string) {
		i := strings.LastIndex(body[:at.Start], operator)
		if i < 0 {
			return
		}
		out = append(out, clause{body[i:at.End], strings.TrimRight(body[:i], " \t\n") + body[at.End:]})
	}
	for _, st := range f.Stmts {
		var e kairos.Expr
		switch st := st.(type) {
		case *kairos.Body:
			e = st.X
		case *kairos.Binding:
			e = st.Value
		default:
			continue
		}
		kairos.Walk(e, func(e kairos.Expr) {
			switch e := e.(type) {
			case *kairos.Pipe:
				for _, stage := range e.Stages {
					if stage.Name == "filter" || stage.Name == "roll" {
						cut(stage.Span, "|>")
					}
				}
			case *kairos.Combine:
				if e.Op == '\\' {
					cut(e.R.Span(), `\`)
				}
			}
		})
	}
	return out
}
