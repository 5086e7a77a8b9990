package realism

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assaybench/assay/contract"
)

// dependentRow counts derivations that stand on another derivation or on two sources, and on which something graded stands.
func dependentRow(_ context.Context, r *Release, l Leaf) Row {
	return atLeast(r, l, "dependent derivations", func(s *Subject) (int, []Evidence, error) {
		prog := s.Contract().Program
		graded := map[string]bool{}
		for _, f := range s.fields() {
			if f.ref != "" && f.ref != "decision" {
				for _, n := range prog.Reach(f.ref) {
					if n != f.ref && n != s.alias(f.ref) {
						graded[n] = true
					}
				}
			}
		}
		for _, o := range s.Contract().Options {
			for _, p := range optionParts(o) {
				for _, n := range prog.Reach(p) {
					if n != p {
						graded[n] = true
					}
				}
			}
		}
		n := 0
		for _, name := range prog.Names() {
			if prog.IsInput(name) || !graded[name] {
				continue
			}
			derived, sources := 0, 0
			for _, need := range prog.Needs(name) {
				if prog.IsInput(need) {
					sources++
				} else if len(prog.Inputs(need)) > 0 {
					derived++
				}
			}
			if derived > 0 || sources >= 2 {
				n++
			}
		}
		return n, nil, nil
	})
}

// before measures something of the reads before the first change: what is known to matter, and what could.
func before(ctx context.Context, r *Release, l Leaf, what string, of func(reads []*Read) []string) Row {
	need, ok := r.Standard.whole(l.Key)
	if !ok {
		return unmeasured("the threshold is no whole number")
	}
	return byTask(r, func(s *Subject) Row {
		reads, err := s.reads(ctx)
		if err != nil {
			return unmeasured(oneLine(err.Error()))
		}
		var matter, may []*Read
		for i := range reads {
			d := &reads[i]
			switch {
			case !d.Before:
			case d.Material == nil:
				may = append(may, d)
			case *d.Material:
				matter, may = append(matter, d), append(may, d)
			}
		}
		known := of(matter)
		return enough(need, len(known), len(of(may))-len(known), fmt.Sprintf("%d %s, at least %d are asked for", len(known), what, need), Evidence{Note: clip(orNone(known), 300)})
	})
}

func systemsBeforeRow(ctx context.Context, r *Release, l Leaf) Row {
	return before(ctx, r, l, "systems read before the decision", func(reads []*Read) []string {
		var servers []string
		for _, d := range reads {
			if !slices.Contains(servers, d.Server) {
				servers = append(servers, d.Server)
			}
		}
		slices.Sort(servers)
		return servers
	})
}

func readsBeforeRow(ctx context.Context, r *Release, l Leaf) Row {
	return before(ctx, r, l, "material reads before the decision", func(reads []*Read) []string {
		var out []string
		for _, d := range reads {
			out = append(out, d.Tool)
		}
		return out
	})
}

func alternativesRow(_ context.Context, r *Release, l Leaf) Row {
	return atLeast(r, l, "options", func(s *Subject) (int, []Evidence, error) { return len(s.Contract().Options), nil, nil })
}

// carried are the parts that a standard may ask of an option, as an option of a contract has them.
var carried = map[string]func(o *contract.Option) bool{
	"outcome":         func(o *contract.Option) bool { return o.Outcome != "" },
	"incrementalCost": func(o *contract.Option) bool { return o.Cost != "" },
	"authorityStatus": func(o *contract.Option) bool { return o.Limit != "" || o.Supported != "" },
}

func carryRow(_ context.Context, r *Release, l Leaf) Row {
	of, ok := listOf(l.Value)
	if !ok {
		return unmeasured("the threshold is no list of parts")
	}
	for _, part := range of {
		if carried[part] == nil {
			return unmeasured("what an option's " + part + " is, is not known here")
		}
	}
	return byTask(r, func(s *Subject) Row {
		var ev []Evidence
		n, free := 0, true
		for _, o := range s.Contract().Options {
			var lack []string
			for _, part := range of {
				if !carried[part](o) {
					lack = append(lack, part)
				}
			}
			if len(lack) > 0 {
				ev = append(ev, Evidence{File: sealedFile(s), Cell: "options." + o.ID, Note: "without " + strings.Join(lack, ", ")})
				continue
			}
			n++
			if c, ok := s.Expected().Values[o.Cost]; ok && c.Rat() != nil && c.Rat().Sign() != 0 {
				free = false
			}
		}
		row := judged(n == len(s.Contract().Options) && n > 0, n, fmt.Sprintf("%d of %d options carry %s", n, len(s.Contract().Options), strings.Join(of, ", ")), ev...)
		if row.Result == Pass && free {
			row.Result, row.Reason = Warn, "no option costs anything"
		}
		return row
	})
}

// always says of an option's letter that it has the same part in every task, so that it can be guessed.
func (r *Release) always(of func(s *Subject) []string) string {
	if len(r.Tasks) < 3 {
		return ""
	}
	var common []string
	for i, s := range r.Tasks {
		if i == 0 {
			common = of(s)
			continue
		}
		have := of(s)
		common = slices.DeleteFunc(slices.Clone(common), func(id string) bool { return !slices.Contains(have, id) })
	}
	return strings.Join(common, ", ")
}

func optionRow(r *Release, what string, of func(f optionFacts) []string) Row {
	row := byTask(r, func(s *Subject) Row {
		list := of(s.optionFacts())
		return judged(len(list) > 0, len(list), what+": "+orNone(list), Evidence{File: sealedFile(s), Cell: "options", Note: orNone(list)})
	})
	if same := r.always(func(s *Subject) []string { return of(s.optionFacts()) }); same != "" && row.Result == Pass {
		row.Result, row.Reason = Warn, what+" is "+same+" in every task, so that it can be guessed"
	}
	return row
}

func unauthorisedRow(_ context.Context, r *Release, _ Leaf) Row {
	return optionRow(r, "beyond authority", func(f optionFacts) []string { return f.unauthorised })
}

func inferiorRow(_ context.Context, r *Release, _ Leaf) Row {
	row := byTask(r, func(s *Subject) Row {
		list := s.optionFacts().lesser
		return judged(len(list) > 0, len(list), "worse or unsupported: "+orNone(list))
	})
	return row
}

func outcomesGradedRow(_ context.Context, r *Release, _ Leaf) Row {
	return byTask(r, func(s *Subject) Row {
		n, of := s.optionFacts().outcomesGraded, len(s.Contract().Options)
		return judged(n == of && of > 0, n, fmt.Sprintf("the outcomes of %d of %d options are fields of the answer", n, of))
	})
}
