package realism

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// egressStatusRow tells what is so: no network is asked to be cut off, and whether it is depends on how an agent is run.
func egressStatusRow(_ context.Context, r *Release, l Leaf) Row {
	if l.Value != false {
		return unmeasured("the standard asks for a cut network, which the run of an agent decides and not the release")
	}
	return judged(true, "not required", "the standard does not ask for it; a program that works a task is cut off where the machine can, and the run's record says whether it was")
}

// disclosed are the groups of words of which a description of the stand-ins has one each: that they are stand-ins, what reading
// and writing do, and what they refuse.
var disclosed = []struct {
	of    string
	words []string
}{
	{"that the systems are stand-ins", []string{"stand-in", "stands in", "simulat", "mock", "not the real", "imitat", "model of", "no real", "copies of"}},
	{"what reading does", []string{"read", "list", "search"}},
	{"what writing does", []string{"write", "change", "creat", "draft"}},
	{"limits", []string{"limit", "at most", "page", "maximum"}},
	{"faults", []string{"fault", "error", "refus", "again", "retry", "conflict"}},
}

func disclosureRow(ctx context.Context, r *Release, l Leaf) Row {
	if l.Value != true {
		return unmeasured("the threshold is not true")
	}
	return byTask(r, func(s *Subject) Row {
		list := slices.Clone(s.visible())
		table, column := s.World.EvidenceTable("text")
		if rows, err := s.seedRows(ctx); err == nil {
			for _, tr := range rows {
				for _, row := range tr.Rows {
					if t, ok := row[column].(string); ok && tr.Table == table {
						list = append(list, text{Where: "world/seed/" + table, Text: t})
					}
				}
			}
		}
		best, lack := "", []string{"a document"}
		for _, t := range list {
			low := strings.ToLower(t.Text)
			var without []string
			for _, d := range disclosed {
				if !slices.ContainsFunc(d.words, func(w string) bool { return strings.Contains(low, w) }) {
					without = append(without, d.of)
				}
			}
			if len(t.Text) > 200 && (best == "" || len(without) < len(lack)) && (len(without) == 0 || !slices.Contains(without, disclosed[0].of)) {
				best, lack = t.Where, without
			}
		}
		return judged(best != "" && len(lack) == 0, best, "the document that says what the systems are lacks "+orNone(lack), Evidence{File: best})
	})
}

// scopedRow wants each row that the reference changed to be named by the contract, and each that may change to be pinned.
func scopedRow(ctx context.Context, r *Release, l Leaf) Row {
	if l.Value != true {
		return unmeasured("the threshold is not true")
	}
	return byTask(r, func(s *Subject) Row {
		if ok, why := pinnedRows(s); !ok {
			return judged(false, nil, why, Evidence{File: sealedFile(s), Cell: "containment"})
		}
		p, err := s.Reference(ctx)
		if err != nil {
			return unmeasured(oneLine(err.Error()))
		}
		for _, f := range p.Verdict.Findings {
			if f.Rule == "containment" && !f.Pass {
				return judged(false, len(p.Final), f.Why)
			}
		}
		res, note, err := s.refused(ctx, "unauthorized_write")
		if err != nil {
			return unmeasured(oneLine(err.Error()))
		}
		return Row{Result: res, Measured: len(p.Final), Reason: fmt.Sprintf("%d rows changed, each pinned by the contract; %s", len(p.Final), note)}
	})
}
