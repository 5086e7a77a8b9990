package world

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assaybench/assay/bench"
)

// Lint finds values that a world enforces and keeps silent about: who is refused without having been told what is
// taken learns to say what passes. An input property of a write tool that fills a column which takes only certain values
// must declare them as its enum, and no others; one that a guard holds against a list must have an enum. The values are
// those of a CHECK, of a guard, or the keys of a small table that the column refers to and that no tool shows. Errors are
// *bench.Error, joined.
func (w *World) Lint(ctx context.Context) error {
	d, err := w.plant(ctx, nil, nil)
	if err != nil {
		return err
	}
	defer d.close()
	refs, err := w.references(ctx, d)
	if err != nil {
		return err
	}
	checks := w.checkedColumns()
	var errs []error
	for _, t := range w.Tools {
		for i := range t.steps {
			s := &t.steps[i]
			if s.guard != nil {
				errs = append(errs, t.lintGuard(s))
				continue
			}
			for _, b := range w.bindings(s.run) {
				if !b.fills || !t.Input.Has(b.param) {
					continue
				}
				at := strings.ToLower(b.table + "." + b.column)
				if values := checks[at]; values != nil {
					errs = append(errs, t.declares(s.run.node, b.param, values, true, "a CHECK of the column "+at))
				} else if r, ok := refs[at]; ok {
					errs = append(errs, t.declares(s.run.node, b.param, r.values, true, fmt.Sprintf("the column %s, which refers to %s", at, r.parent)))
				}
			}
		}
	}
	return errors.Join(errs...)
}

// lintGuard finds SELECT … :p IN ('a', 'b'), in the columns of a guard or in its WHERE.
func (t *Tool) lintGuard(s *step) error {
	ts := tokens(s.guard.text)
	conditions := divided(ts[1:], "FROM", "WHERE", "ORDER", "LIMIT", "UNION")
	for i, tk := range ts {
		if tk.is("WHERE") {
			conditions = append(conditions, divided(ts[i+1:], "ORDER", "LIMIT", "GROUP", "UNION")...)
			break
		}
	}
	for _, name := range t.Input.names {
		for _, c := range conditions {
			values := onlyAmong(c, func(ts []token) int {
				if len(ts) > 0 && ts[0].text == ":"+name {
					return 1
				}
				return 0
			})
			if values != nil {
				if err := t.declares(s.guard.node, name, values, false, "a guard"); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// declares holds the enum of a property against the values that something takes: exactly, or only that there is one. A
// guard may refuse a declared value, and then says why.
func (t *Tool) declares(at *bench.Node, name string, values []string, exactly bool, by string) error {
	p := t.Input.compiled.props[name]
	if t.Input.kinds[name].is("boolean") && len(t.Input.kinds[name].types) == 1 {
		return nil
	}
	list := strings.Join(values, ", ")
	if len(p.enum) == 0 {
		return at.Errorf("%s takes only %s as %s, and its input schema does not say so; declare enum: [%s] (%s)", t.Name, list, name, list, by)
	}
	for _, v := range p.enum {
		if exactly && v != nil && !slices.Contains(values, fmt.Sprint(v)) {
			return at.Errorf("the enum of %s's %s has %q, which the table does not take; it takes %s (%s)", t.Name, name, fmt.Sprint(v), list, by)
		}
	}
	return nil
}

// checkedColumns gives the values of columns that a CHECK of the schema lists, by table.column in lower case.
func (w *World) checkedColumns() map[string][]string {
	out := map[string][]string{}
	for _, p := range w.script {
		ts := tokens(p.text)
		open := slices.IndexFunc(ts, func(t token) bool { return t.text == "(" })
		if open < 1 || !ts[0].is("CREATE") || !slices.ContainsFunc(ts[:open], func(t token) bool { return t.is("TABLE") }) {
			continue
		}
		t := w.tableFold(ts[open-1].name())
		if t == nil {
			continue
		}
		for i := open; i+1 < len(ts); i++ {
			if !ts[i].is("CHECK") || ts[i+1].text != "(" {
				continue
			}
			parts, _ := grouped(ts[i+1:])
			if len(parts) != 1 {
				continue
			}
			for _, c := range t.Columns {
				values := onlyAmong(parts[0], func(ts []token) int {
					if len(ts) > 0 && strings.EqualFold(ts[0].name(), c.Name) {
						return 1
					}
					return 0
				})
				if values != nil {
					out[strings.ToLower(t.Name+"."+c.Name)] = values
				}
			}
		}
	}
	return out
}

// reference is a small table that a column refers to, with its keys.
type reference struct {
	parent string
	values []string
}

// maxListed is how many rows a table may have to be a list of choices.
const maxListed = 20

// references gives the columns that refer to a list of choices which nobody can look up: a small table that no tool
// changes and no result reads.
func (w *World) references(ctx context.Context, d *database) (map[string]reference, error) {
	d.policy = engine
	out := map[string]reference{}
	for _, t := range w.Tables {
		rows, err := d.conn.QueryContext(ctx, `SELECT "table", "from", coalesce("to", ''), id FROM pragma_foreign_key_list(?)`, t.Name)
		if err != nil {
			return nil, sqlError(err)
		}
		type fk struct{ parent, from, to string }
		byID := map[int][]fk{}
		for rows.Next() {
			var f fk
			var id int
			if err := rows.Scan(&f.parent, &f.from, &f.to, &id); err != nil {
				rows.Close()
				return nil, err
			}
			byID[id] = append(byID[id], f)
		}
		if err := rows.Err(); err != nil {
			return nil, sqlError(err)
		}
		for _, parts := range byID {
			p := w.tableFold(parts[0].parent)
			if len(parts) != 1 || p == nil || len(p.Key) != 1 || w.touched(p.Name) {
				continue
			}
			to := parts[0].to
			if to == "" {
				to = p.Key[0]
			}
			values, err := d.texts(ctx, p.Name, to, maxListed+1)
			if err != nil {
				return nil, err
			}
			if len(values) > 0 && len(values) <= maxListed {
				out[strings.ToLower(t.Name+"."+parts[0].from)] = reference{p.Name, values}
			}
		}
	}
	return out, nil
}

// touched says whether a tool shows a table or changes it, by itself or through a view.
func (w *World) touched(table string) bool {
	names := []string{table}
	for _, p := range w.script {
		ts := tokens(p.text)
		if i := slices.IndexFunc(ts, func(t token) bool { return t.is("VIEW") }); i >= 0 && i < 4 && i+1 < len(ts) && slices.ContainsFunc(ts, func(t token) bool { return strings.EqualFold(t.name(), table) }) {
			names = append(names, ts[i+1].name())
		}
	}
	named := func(s *statement) bool {
		return s != nil && slices.ContainsFunc(tokens(s.text), func(t token) bool {
			return slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, t.name()) })
		})
	}
	for _, t := range w.Tools {
		for i := range t.steps {
			if named(t.steps[i].run) {
				return true
			}
		}
		if named(t.result.row) || named(t.result.rows) {
			return true
		}
		for i := range t.result.with {
			if n := &t.result.with[i]; named(n.row) || named(n.rows) {
				return true
			}
		}
	}
	return w.evidence != nil && w.evidence.table == table
}

// texts gives distinct values of a column, as texts, sorted.
func (d *database) texts(ctx context.Context, table, column string, most int) ([]string, error) {
	c := quoteName(column)
	d.policy = engine
	rows, err := d.conn.QueryContext(ctx, fmt.Sprintf("SELECT DISTINCT CAST(%s AS TEXT) FROM %s WHERE %s IS NOT NULL ORDER BY 1 LIMIT %d", c, quoteName(table), c, most))
	if err != nil {
		return nil, sqlError(err)
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, sqlErrorOrNil(rows.Err())
}
