package realism

import (
	"context"
	"fmt"
)

// orderRow plays the reference's reads in other orders, with more of them, and with one that fails.
func orderRow(ctx context.Context, r *Release, l Leaf) Row {
	if l.Value == true {
		return allowed(nil)
	}
	return byTask(r, func(s *Subject) Row {
		n, why, err := s.accepted(ctx, "other_order", "extra_reads", "failed_read")
		switch {
		case err != nil:
			return unmeasured(oneLine(err.Error()))
		case why != "" && s.Release.Proofs == nil:
			return unmeasured(why)
		case why != "":
			return judged(false, n, why)
		}
		return judged(true, n, fmt.Sprintf("%d other orders and further reads are accepted", n))
	})
}

// causes are the negative controls that break each of the four rules of cause, in the order in which the schema lists them.
var causes = [][]string{{"incomplete_read"}, {"write_before_read"}, {"message_before_change"}, {"missing_readback", "early_readback"}}

func causesRow(ctx context.Context, r *Release, l Leaf) Row {
	rules, ok := listOf(l.Value)
	if !ok || len(rules) != len(causes) {
		return unmeasured("the threshold is not the list of four rules that is known here")
	}
	for i, text := range rules {
		if !KnownWording(fmt.Sprintf("%s#%d", l.Key, i), text) {
			return unmeasured("this standard words a rule otherwise than the schema that is known here: " + clip(text, 80))
		}
	}
	return byTask(r, func(s *Subject) Row {
		row := Row{Result: Pass, Measured: len(causes)}
		for i, names := range causes {
			res, note, err := s.refused(ctx, names...)
			if err != nil {
				return unmeasured(oneLine(err.Error()))
			}
			row.Result = Worse(row.Result, res)
			if res != Pass {
				row.Reason = rules[i] + ": " + note
			}
			row.Evidence = append(row.Evidence, Evidence{Cell: rules[i], Note: note})
		}
		return row
	})
}
