package realism

import (
	"context"
	"slices"

	"github.com/assaybench/assay/contract/derive"
)

// constraint finds a source of some kinds whose change moves the outcome of an option.
func (s *Subject) constraint(ctx context.Context, kinds ...string) (*source, string, error) {
	all, err := s.sources()
	if err != nil {
		return nil, "", err
	}
	for _, in := range s.Contract().Inputs {
		src := all[in.Name]
		if !src.is(kinds...) {
			continue
		}
		said, err := s.anyMoves(ctx, []*source{src}, "option outcome", part("outcome"))
		if said != "" || err != nil {
			return src, said, err
		}
	}
	return nil, "", nil
}

func externalConstraint(ctx context.Context, s *Subject) (Hop, error) {
	src, said, err := s.constraint(ctx, "confirmation")
	if err != nil {
		return Hop{}, err
	}
	if src == nil {
		return lacking("no confirmation of a third party moves the outcome of an option")
	}
	return Hop{Pattern: Pass, Confirmed: Pass, Path: arrows(src.in.Name, "option outcome"), Note: said}, nil
}

func internalConstraint(ctx context.Context, s *Subject) (Hop, error) {
	kinds := []string{"calendar", "capacity", "schedule", "maintenance"}
	src, said, err := s.constraint(ctx, kinds...)
	if err != nil {
		return Hop{}, err
	}
	if src == nil {
		return lacking("no calendar, capacity, schedule or maintenance record moves the outcome of an option")
	}
	h := Hop{Pattern: Pass, Confirmed: Pass, Path: arrows(src.in.Name, "option outcome"), Note: said}
	blocked, err := s.blockedEarlier(kinds)
	if err != nil {
		return Hop{}, err
	}
	if blocked == "" {
		h.Confirmed, h.Note = Fail, "nothing earlier than the outcome that is recommended is closed or kept for others"
		return h, nil
	}
	h.Note += "; " + blocked
	return h, nil
}

// blockedEarlier finds a row of those records that lies before the recommended outcome and that the derivation sorts out.
func (s *Subject) blockedEarlier(kinds []string) (string, error) {
	all, err := s.sources()
	if err != nil {
		return "", err
	}
	c, x := s.Contract(), s.Expected()
	var outcome derive.Day
	for _, o := range c.Options {
		if o.ID == x.Chosen && o.Outcome != "" {
			d, ok := x.Values[o.Outcome].Day()
			if !ok {
				return "the outcome is no day, so that nothing lies before it", nil
			}
			outcome = d
		}
	}
	out := ""
	for _, name := range c.Program.Names() {
		e := c.Program.Expr(name)
		if e == nil {
			continue
		}
		e.Walk(func(e *derive.Expr) {
			if e.Query == nil || e.Query.Of.Op != "name" || out != "" {
				return
			}
			src := all[e.Query.Of.Name]
			if src == nil || !src.is(kinds...) {
				return
			}
			for _, w := range e.Query.Where {
				if d, field, ok := sortedOut(x.Values[src.in.Name], src.in.Type, w, outcome); ok {
					out = src.in.Name + " has " + d + ", which " + field + " sorts out"
				}
			}
		})
	}
	return out, nil
}

// sortedOut looks for a row with a date before the outcome that fails one condition of literals.
func sortedOut(rows derive.Value, t derive.Type, w derive.Cond, outcome derive.Day) (day, field string, ok bool) {
	if w.Op != "eq" && w.Op != "ne" && w.Op != "one_of" {
		return "", "", false
	}
	var want []any
	for _, to := range w.To {
		if to.Op == "name" {
			return "", "", false
		}
		want = append(want, to.Const.JSON())
	}
	for _, r := range rows.RowList() {
		v, has := r[w.Field].(string)
		if !has || slices.Contains(want, any(v)) != (w.Op == "ne") {
			continue
		}
		for name, ft := range t.Fields {
			if ft.Kind != derive.Date {
				continue
			}
			if d, err := derive.Read(r[name], ft); err == nil {
				if at, _ := d.Day(); at < outcome {
					return at.String(), w.Field, true
				}
			}
		}
	}
	return "", "", false
}
