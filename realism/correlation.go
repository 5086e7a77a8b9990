package realism

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/assaybench/assay/contract/derive"
)

// correlationRow asks that ids be joined over files and systems, and that a join need a revision or a date.
func correlationRow(ctx context.Context, r *Release, l Leaf) Row {
	if l.Value == false {
		return allowed(nil)
	}
	return byTask(r, func(s *Subject) Row {
		joins, err := s.joins(ctx)
		if err != nil {
			return unmeasured(oneLine(err.Error()))
		}
		twins, err := s.twins(ctx)
		if err != nil {
			return unmeasured(oneLine(err.Error()))
		}
		revision := s.revisionJoin()
		if i := slices.IndexFunc(twins, func(t twin) bool { return t.read }); revision == "" && i >= 0 {
			revision = twins[i].a + " or " + twins[i].b + ", by " + twins[i].by
		}
		measured := map[string]any{"shared_ids": len(joins), "revision_join": revision != ""}
		var ev []Evidence
		for _, j := range joins[:min(len(joins), 5)] {
			ev = append(ev, Evidence{Span: j.id, Note: fmt.Sprintf("stands in %d files and %d systems", j.files, j.systems)})
		}
		if revision != "" {
			ev = append(ev, Evidence{Note: "two candidates are told apart by their revision or date: " + revision})
		}
		switch {
		case len(joins) == 0:
			return judged(false, measured, "no id stands in three files and two systems", ev...)
		case revision == "":
			return judged(false, measured, "no join needs a revision or a date to tell two candidates apart", ev...)
		}
		return judged(true, measured, counted(len(joins), "id")+" joined over files and systems, and a revision that tells candidates apart", ev...)
	})
}

type join struct {
	id             string
	files, systems int
}

// joins are the ids that stand in three files and in two systems: servers that show a record with it, the files being one.
func (s *Subject) joins(ctx context.Context) ([]join, error) {
	cells, err := s.cells(ctx)
	if err != nil {
		return nil, err
	}
	servers := map[string]map[string]bool{} // by table
	for _, t := range s.World.Mounted(s.Public) {
		for _, name := range t.Touches {
			if servers[name] == nil {
				servers[name] = map[string]bool{}
			}
			servers[name][t.Server] = true
		}
	}
	systems := map[string]map[string]bool{}
	for _, c := range cells {
		id, ok := c.value.(string)
		if !ok || recordName.FindString(id) != id || id == "" {
			continue
		}
		if systems[id] == nil {
			systems[id] = map[string]bool{}
		}
		for sv := range servers[c.table] {
			systems[id][sv] = true
		}
	}
	files := map[string]map[string]bool{}
	for _, f := range s.files() {
		if f.Doc == nil {
			continue
		}
		for _, id := range recordName.FindAllString(f.Doc.Text, 5000) {
			if files[id] == nil {
				files[id] = map[string]bool{}
			}
			files[id][f.Path] = true
		}
	}
	var out []join
	for _, id := range slices.Sorted(maps.Keys(files)) {
		if n := len(systems[id]) + 1; len(files[id]) >= 3 && n >= 2 {
			out = append(out, join{id, len(files[id]), n})
		}
	}
	return out, nil
}

// revisionJoin names a derivation that tells rows apart by a date or a revision; "" where there is none.
func (s *Subject) revisionJoin() string {
	c, x := s.Contract(), s.Expected()
	out := ""
	s.exprs(func(name string, e *derive.Expr) {
		if out != "" || e.Query == nil || e.Query.Of.Op != "name" || x.Values[e.Query.Of.Name].Len() < 2 {
			return
		}
		rows, _ := c.Program.Type(e.Query.Of.Name)
		for _, w := range e.Query.Where {
			if rows.Fields[w.Field].Kind == derive.Date || timed.MatchString(w.Field) {
				out = name + ", by " + w.Field
			}
		}
	})
	return out
}
