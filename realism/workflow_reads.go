package realism

import (
	"context"
	"fmt"
	"maps"
	"math/big"
	"slices"

	"github.com/assaybench/assay/contract"
	"github.com/assaybench/assay/realism/likeness"
	"github.com/assaybench/assay/world"
)

// readsRow counts reads that matter. Where nobody measured what matters, too few reads of any kind fail, and enough of them
// prove nothing.
func readsRow(what string, of func(*Subject, *Read) bool) func(context.Context, *Release, Leaf) Row {
	return func(ctx context.Context, r *Release, l Leaf) Row {
		bound, ok := r.Standard.Rat(l.Key)
		if !ok {
			return unmeasured("the threshold is no number")
		}
		return byTask(r, func(s *Subject) Row {
			reads, err := s.reads(ctx)
			if err != nil {
				return unmeasured(oneLine(err.Error()))
			}
			n := countReads(reads, func(r *Read) bool { return of(s, r) })
			measured := map[string]any{"total": n.total}
			if n.measured {
				measured["material"] = n.material
			}
			var ev []Evidence
			for i := range reads {
				if m := reads[i].Material; m != nil && !*m && of(s, &reads[i]) {
					ev = append(ev, Evidence{File: "tasks/" + s.ID + "/sealed/reference.jsonl", Span: reads[i].Tool + " " + reads[i].Args, Note: "padding: nothing that it shows moves a graded value"})
				}
			}
			switch {
			case big.NewRat(int64(n.total), 1).Cmp(bound) < 0:
				return judged(false, measured, fmt.Sprintf("%d %s", n.total, what), ev...)
			case !n.measured:
				row := unmeasured(fmt.Sprintf("%d %s; which of them matter was not measured", n.total, what))
				row.Measured = measured
				return row
			}
			return judged(big.NewRat(int64(n.material), 1).Cmp(bound) >= 0, measured, fmt.Sprintf("%d of %d %s matter", n.material, n.total, what), ev...)
		})
	}
}

// layersRow says which layers of evidence a task has, and refuses a task that leaves out a layer that its world holds.
func layersRow(ctx context.Context, r *Release, l Leaf) Row {
	if l.Value == false {
		return allowed(nil)
	}
	return byTask(r, func(s *Subject) Row {
		rows, err := s.seedRows(ctx)
		if err != nil {
			return unmeasured(oneLine(err.Error()))
		}
		live, provider := false, false
		for _, t := range s.World.Mounted(s.Public) {
			if t.Access != world.Read || t.Server == world.BuiltinServer {
				continue
			}
			provider = true
			live = live || len(s.liveTables(t.Name)) > 0
		}
		held := false
		for _, t := range rows {
			held = held || !s.holdsFiles(t.Table) && len(t.Rows) > 0
		}
		measured := map[string]any{"provider": provider, "live": live, "files": len(s.Public.Evidence)}
		if held && !live || !provider {
			return judged(false, measured, "the world holds live records and the task mounts no tool that reads them")
		}
		return judged(true, measured, "the minimums of every layer that is there apply")
	})
}

// sourcesRow counts systems of record: servers whose material reads stand on tables that no other counted server's do.
func sourcesRow(ctx context.Context, r *Release, l Leaf) Row {
	bound, ok := r.Standard.Rat(l.Key)
	if !ok {
		return unmeasured("the threshold is no number")
	}
	return byTask(r, func(s *Subject) Row {
		reads, err := s.reads(ctx)
		if err != nil {
			return unmeasured(oneLine(err.Error()))
		}
		known := true
		tables := map[string]map[string]bool{}
		for _, rd := range reads {
			if rd.Server == world.BuiltinServer || rd.Material != nil && !*rd.Material {
				continue
			}
			known = known && rd.Material != nil
			if tables[rd.Server] == nil {
				tables[rd.Server] = map[string]bool{}
			}
			for _, t := range s.tables(rd.Tool) {
				tables[rd.Server][t] = true
			}
		}
		n, ev := independent(tables)
		measured := map[string]any{"servers": len(tables), "independent": n}
		good := big.NewRat(int64(n), 1).Cmp(bound) >= 0
		if good && !known {
			row := unmeasured(fmt.Sprintf("%s by all reads; which of them matter was not measured", counted(n, "independent source")))
			row.Measured = measured
			return row
		}
		return judged(good, measured, counted(n, "independent source"), ev...)
	})
}

// independent counts servers of which no two stand on one table.
func independent(tables map[string]map[string]bool) (int, []Evidence) {
	names := slices.Sorted(maps.Keys(tables))
	var joint [][2]int
	var ev []Evidence
	for i, a := range names {
		for k := i + 1; k < len(names); k++ {
			for t := range tables[a] {
				if tables[names[k]][t] {
					joint = append(joint, [2]int{i, k})
					ev = append(ev, Evidence{Span: a + ", " + names[k], Note: "stand on one table, and are one source"})
					break
				}
			}
		}
	}
	return len(likeness.Clusters(len(names), joint)), ev
}

// changesRow counts the calls that change records and are more than a message.
func changesRow(ctx context.Context, r *Release, l Leaf) Row {
	bound, ok := r.Standard.Rat(l.Key)
	if !ok {
		return unmeasured("the threshold is no number")
	}
	return byTask(r, func(s *Subject) Row {
		p, err := s.Reference(ctx)
		if err != nil {
			return unmeasured(oneLine(err.Error()))
		}
		work := map[string]bool{}
		for _, ch := range s.Contract().Changes {
			if ch.Role != contract.Communication {
				work[ch.Tool] = true
			}
		}
		n := 0
		var ev []Evidence
		for i := range p.Events {
			e := &p.Events[i]
			if e.OK() && len(e.Effect) > 0 && work[e.Tool] && e.Tool != world.ToolSubmit {
				n++
				ev = append(ev, Evidence{Span: e.Tool, Note: fmt.Sprintf("event %d changes %s", e.Seq, counted(len(e.Effect), "row"))})
			}
		}
		if len(p.Final) == 0 {
			n = 0
		}
		return judged(big.NewRat(int64(n), 1).Cmp(bound) >= 0, n, counted(n, "call")+" that change records, messages and the answer left out", ev...)
	})
}
