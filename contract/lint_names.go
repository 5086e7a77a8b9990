package contract

import (
	"maps"
	"slices"
	"strings"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/contract/pointer"
)

// parts checks every name of a part of a change (booking.booking_id): the result, a row or the arguments must be able to have it.
func (l *linter) parts() {
	for _, m := range l.c.terms() {
		if m.Ref == "" || l.c.refers(m.Ref) {
			continue
		}
		head, part, _ := strings.Cut(m.Ref, ".")
		ch := l.c.change(head)
		if ch == nil {
			continue
		}
		t := l.c.tools[ch.Tool]
		if t == nil || len(properties(t.output)) == 0 {
			continue // the tool is told elsewhere; of a result that no schema describes nothing is known
		}
		at := pointer.Pointer{}
		for s := range strings.SplitSeq(part, ".") {
			at = append(at, pointer.Part{Name: s})
		}
		if _, found, _ := schemaAt(t.output, at); found {
			continue
		}
		columns := l.columnsOf(ch)
		if _, found, _ := schemaAt(t.input, at); found || slices.Contains(columns, part) {
			continue
		}
		known := map[string]bool{}
		for _, list := range [][]string{properties(t.output), columns, properties(t.input)} {
			for _, name := range list {
				known[head+"."+name] = true
			}
		}
		l.errs = append(l.errs, m.node.Errorf("the change %q has no %q: neither the result of %s, nor a row that it leaves, nor its arguments%s", head, part, ch.Tool,
			bench.Nearest(m.Ref, slices.Sorted(maps.Keys(known)))))
	}
}

// columnsOf gives the columns of the rows that a change may touch: those that it names, else those that may change at all.
func (l *linter) columnsOf(ch *Change) []string {
	tables := map[string]bool{}
	for _, r := range ch.Rows {
		tables[r.Table] = true
	}
	if len(tables) == 0 {
		for _, a := range l.c.Containment {
			tables[a.Table] = true
		}
	}
	var out []string
	for name := range tables {
		out = append(out, l.c.tables[name].Columns...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// identity checks the two places of a look's identity against what the read takes and gives, and what the write gives and changes.
func (l *linter) identity(r *Readback, k *Look) {
	read, ch := l.c.tools[k.Selector.Tool], l.c.change(r.After)
	if read == nil || ch == nil || l.c.tools[ch.Tool] == nil {
		return
	}
	for _, id := range k.Identity {
		if id.Read.Part == "args" {
			l.there(id.node, read.input, id.Read, read.Name+" has no argument")
		} else {
			l.there(id.node, read.output, id.Read, "the result of "+read.Name+" has nothing at")
		}
		if id.Write.Part == "result" {
			l.there(id.node, l.c.tools[ch.Tool].output, id.Write, "the result of "+ch.Tool+" has nothing at")
		} else {
			l.column(id.node, id.Write.Table, id.Write.At[0].Name)
		}
	}
}

func (l *linter) there(n *bench.Node, schema any, at Place, what string) {
	if schema == nil {
		return
	}
	if _, found, _ := schemaAt(schema, at.At); !found {
		var known []string
		for _, name := range properties(schema) {
			known = append(known, at.Part+"."+name)
		}
		l.errs = append(l.errs, n.Errorf("%s %s%s", what, at, bench.Nearest(at.String(), known)))
	}
}
