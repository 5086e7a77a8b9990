package contract

import (
	"slices"
	"strings"
)

// looks wants a look to cover what the change is graded by: every column and argument that the change pins and the look can show
// stands in the look's result, or in that of another look at the same change.
func (l *linter) looks() {
	for _, r := range l.c.Readbacks {
		ch := l.c.change(r.After)
		if ch == nil {
			continue
		}
		var elsewhere []string // what every way of another readback of this change covers
		for _, o := range l.c.Readbacks {
			if o != r && o.After == r.After && len(o.AnyOf) > 0 {
				covered := o.AnyOf[0].covers()
				for _, k := range o.AnyOf[1:] {
					more := k.covers()
					covered = slices.DeleteFunc(covered, func(s string) bool { return !slices.Contains(more, s) })
				}
				elsewhere = append(elsewhere, covered...)
			}
		}
		for _, k := range r.AnyOf {
			t := l.c.tools[k.Selector.Tool]
			if t == nil {
				continue
			}
			have := append(k.covers(), elsewhere...)
			var missing []string
			for _, name := range ch.pinned(l.looked(ch, t)) {
				if !slices.Contains(have, name) && shown(t.output, name) {
					missing = append(missing, name)
				}
			}
			if len(missing) > 0 && len(k.Selector.Result) > 0 {
				l.fault("weak-readback", k.Selector.node, "the change %q is graded by %s, which %s shows and the look %q does not compare; name it under result", ch.ID, strings.Join(missing, ", "), t.Name, r.ID)
			}
		}
	}
}

// looked gives the tables, of those whose rows a change leaves, that a look shows: the one whose columns stand in its result most.
// What another row holds under the same name is no business of this look.
func (l *linter) looked(ch *Change, t *tool) map[string]bool {
	most, out := 0, map[string]bool{}
	for _, r := range ch.Rows {
		n := 0
		for _, c := range l.c.tables[r.Table].Columns {
			if shown(t.output, c) {
				n++
			}
		}
		if n > most {
			most, out = n, map[string]bool{}
		}
		if n == most {
			out[r.Table] = true
		}
	}
	return out
}

// pinned gives the names of arguments, and of columns of some tables, that a change binds to a value, sorted.
func (ch *Change) pinned(tables map[string]bool) []string {
	var out []string
	add := func(name string, p *Predicate) {
		if p.binds() {
			out = append(out, name)
		}
	}
	for _, a := range ch.Args {
		if n := len(a.At); n > 0 {
			add(a.At[n-1].Name, a.Want)
		}
	}
	for _, r := range ch.Rows {
		for _, p := range r.Pins {
			if !tables[r.Table] {
				break
			}
			add(p.Column, p.Want)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// binds says whether a predicate says what a value is, and not only that there is one, or how long it is.
func (p *Predicate) binds() bool {
	return slices.ContainsFunc(p.Tests, func(t Test) bool { return t.Op != "any" && t.Op != "words" && t.Op != "absent" })
}

// covers gives the names that a look compares: in its result, in its question, in its identity.
func (k *Look) covers() []string {
	var out []string
	for _, list := range [][]Arg{k.Selector.Args, k.Selector.Result} {
		for _, a := range list {
			if len(a.At) > 0 && a.Want.binds() {
				out = append(out, a.At[len(a.At)-1].Name)
			}
		}
	}
	for _, id := range k.Identity {
		if n := len(id.Read.At); n > 0 {
			out = append(out, id.Read.At[n-1].Name)
		}
	}
	return out
}

// shown says whether a schema has a property of a name, at any depth.
func shown(schema any, name string) bool {
	m, _ := schema.(map[string]any)
	props, _ := m["properties"].(map[string]any)
	if props[name] != nil {
		return true
	}
	for _, sub := range props {
		if shown(sub, name) {
			return true
		}
	}
	return m["items"] != nil && shown(m["items"], name)
}
