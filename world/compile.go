package world

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assaybench/assay/bench"
)

// bare makes an empty database of the world's schema.
func (w *World) bare(ctx context.Context) (*database, error) {
	d, err := openDatabase(ctx, ":memory:", nil)
	if err != nil {
		return nil, err
	}
	for _, p := range w.script {
		d.policy, d.denied = schemas, ""
		if _, err := d.conn.ExecContext(ctx, p.text); err != nil {
			d.close()
			msg := sqlError(err).Error()
			if d.denied != "" {
				msg = d.denied
			}
			return nil, &pieceError{p.line, msg}
		}
	}
	d.policy = engine
	return d, nil
}

// tableError is what is wrong with a table.
type tableError struct{ table, msg string }

func (e *tableError) Error() string { return e.msg }

type pieceError struct {
	line int
	msg  string
}

func (e *pieceError) Error() string { return e.msg }

// compile makes the world's seed database once, and every statement of every tool on it: what does not compile, names an
// unknown column or does more than it may is found before any session begins.
func (w *World) compile(schemaFile string) error {
	ctx := context.Background()
	d, err := w.bare(ctx)
	var pe *pieceError
	if errors.As(err, &pe) {
		return &bench.Error{File: schemaFile, Line: pe.line, Msg: pe.msg}
	} else if err != nil {
		return err
	}
	w.Tables, err = d.tables(ctx)
	if err == nil {
		err = d.wholeSchema(ctx, w)
	}
	d.close()
	if errors.As(err, &pe) {
		return &bench.Error{File: schemaFile, Line: pe.line, Msg: pe.msg}
	} else if err != nil {
		var out []error
		for _, e := range bench.Flat(err) {
			be := &bench.Error{File: schemaFile, Msg: e.Error()}
			var te *tableError
			if errors.As(e, &te) {
				be.Line = w.lineOf("table", te.table)
			}
			out = append(out, be)
		}
		return errors.Join(out...)
	}
	if w.evidence != nil {
		if err := w.evidence.check(w); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(w.Records)) {
		if w.table(name) == nil {
			return w.recordAt[name].Errorf("records: schema.sql has no table %q%s", name, bench.Nearest(name, names(w.Tables)))
		}
	}
	if d, err = w.plant(ctx, nil, nil); err != nil {
		return err
	}
	defer d.close()
	var errs []error
	for _, t := range w.Tools {
		d.read = map[string]bool{}
		errs = append(errs, t.compile(ctx, d, w))
		for _, tb := range w.Tables {
			if d.read[tb.Name] {
				t.Touches = append(t.Touches, tb.Name)
			}
		}
		slices.Sort(t.Touches)
	}
	return errors.Join(errs...)
}

func (e *evidenceTable) check(w *World) error {
	t := w.table(e.table)
	if t == nil {
		return e.node.Errorf("evidence.table: schema.sql has no table %q%s", e.table, bench.Nearest(e.table, names(w.Tables)))
	}
	var have []string
	for _, c := range t.Columns {
		have = append(have, c.Name)
	}
	var errs []error
	for _, property := range slices.Sorted(maps.Keys(e.columns)) {
		if c := e.columns[property]; !t.Has(c) {
			errs = append(errs, e.nodes[property].Errorf("evidence.columns: the table %s has no column %q%s", e.table, c, bench.Nearest(c, have)))
		}
	}
	return errors.Join(errs...)
}

// tables reads what the schema made. Tables are STRICT, so that a column holds what it says, and have a declared key, so
// that a change can name its row.
func (d *database) tables(ctx context.Context) ([]*Table, error) {
	d.policy = engine
	rows, err := d.conn.QueryContext(ctx, "SELECT name, strict FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name")
	if err != nil {
		return nil, sqlError(err)
	}
	var out []*Table
	var errs []error
	for rows.Next() {
		var name string
		var strict bool
		if err := rows.Scan(&name, &strict); err != nil {
			rows.Close()
			return nil, err
		}
		if !strict {
			errs = append(errs, &tableError{name, "the table " + name + " is not STRICT; write ) STRICT; at its end, so that a column holds what it says"})
		}
		out = append(out, &Table{Name: name})
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	for _, t := range out {
		errs = append(errs, d.columns(ctx, t))
	}
	if len(out) == 0 {
		errs = append(errs, errors.New("there is no table"))
	}
	return out, errors.Join(errs...)
}

func (d *database) columns(ctx context.Context, t *Table) error {
	rows, err := d.conn.QueryContext(ctx, `SELECT name, type, "notnull", pk, hidden FROM pragma_table_xinfo(?) ORDER BY cid`, t.Name)
	if err != nil {
		return sqlError(err)
	}
	defer rows.Close()
	type part struct {
		at   int
		name string
	}
	var key []part
	for rows.Next() {
		var c Column
		var pk, hidden int
		if err := rows.Scan(&c.Name, &c.Type, &c.NotNull, &pk, &hidden); err != nil {
			return err
		}
		if hidden != 0 {
			return &tableError{t.Name, fmt.Sprintf("the column %s of %s is generated; worlds have none of those", c.Name, t.Name)}
		}
		if pk > 0 {
			key = append(key, part{pk, c.Name})
		}
		c.NotNull = c.NotNull || pk > 0
		t.Columns = append(t.Columns, c)
	}
	slices.SortFunc(key, func(a, b part) int { return a.at - b.at })
	for _, p := range key {
		t.Key = append(t.Key, p.name)
	}
	if len(t.Key) == 0 {
		return &tableError{t.Name, fmt.Sprintf("the table %s has no PRIMARY KEY, by which a change names its row", t.Name)}
	}
	return rows.Err()
}

// engineParams are what every statement may name beside the tool's input.
var engineParams = []string{"now", "today", "user", "task"}

// compile checks a tool's statements against the schema, and its result against its output schema.
func (t *Tool) compile(ctx context.Context, d *database, w *World) error {
	known := append(append([]string{}, t.Input.names...), engineParams...)
	for _, p := range t.Input.names {
		if slices.Contains(engineParams, p) || strings.HasPrefix(p, "row_") || strings.HasPrefix(p, "assay_") {
			return &bench.Error{File: t.File, Line: t.Line, Msg: fmt.Sprintf("the tool %s has an input %q, which is the name of a value of the world's own", t.Name, p)}
		}
	}
	var errs []error
	for i := range t.ids {
		id := &t.ids[i]
		known = append(known, id.param)
		tb := w.table(id.table)
		if tb == nil || !tb.Has(id.column) {
			errs = append(errs, id.node.Errorf("the id %s of %s: there is no column %s in a table %s", id.param, t.Name, id.column, id.table))
			continue
		}
		sql := fmt.Sprintf("SELECT max(CAST(substr(%[1]s, %[2]d) AS INTEGER)) FROM %[3]s WHERE substr(%[1]s, 1, %[4]d) = %[5]s AND substr(%[1]s, %[2]d) NOT GLOB '*[^0-9]*'",
			quoteName(id.column), len([]rune(id.prefix))+1, quoteName(id.table), len([]rune(id.prefix)), quoteText(id.prefix))
		id.sql = statement{text: sql}
	}
	for i := range t.steps {
		s := &t.steps[i]
		errs = append(errs, s.compile(ctx, d, known))
	}
	errs = append(errs, t.result.compile(ctx, d, known, t.Output, t))
	return errors.Join(errs...)
}

func quoteText(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

func (s *step) compile(ctx context.Context, d *database, known []string) error {
	if s.guard != nil {
		if _, err := d.checked(ctx, reads, s.guard, known); err != nil {
			return err
		}
	} else if _, err := d.checked(ctx, writes, s.run, known); err != nil {
		return err
	}
	return s.saysKnown(known)
}

// saysKnown checks the names in braces of a message.
func (s *step) saysKnown(known []string) error {
	_, err := fill(s.say, func(name string) (any, bool) { return nil, slices.Contains(known, name) })
	if err != nil {
		return s.node.Errorf("error: %v", err)
	}
	return nil
}

// checked compiles a statement, and gives the columns of its rows where it reads.
func (d *database) checked(ctx context.Context, p policy, s *statement, known []string) ([]string, error) {
	at := s.node
	for _, name := range s.params {
		if !slices.Contains(known, name) {
			return nil, at.Errorf("the statement names :%s, which is no input, id or value of the world%s", name, bench.Nearest(name, known))
		}
	}
	for _, name := range s.params {
		if c := name[0]; c == '_' || c >= '0' && c <= '9' || c >= 0x80 {
			return nil, at.Errorf("the statement names :%s; a value's name begins with a letter", name)
		}
	}
	first := strings.ToUpper(firstWord(s.text))
	switch {
	case p == reads && !slices.Contains([]string{"SELECT", "WITH", "VALUES"}, first):
		return nil, at.Errorf("a SELECT is wanted here, and this begins with %q", first)
	case p == writes && !slices.Contains([]string{"INSERT", "UPDATE", "DELETE", "REPLACE", "WITH"}, first):
		return nil, at.Errorf("an INSERT, UPDATE or DELETE is wanted here, and this begins with %q", first)
	}
	if _, err := d.prepare(ctx, p, s.text); err != nil {
		return nil, at.Errorf("%v", err)
	}
	if p != reads {
		if !d.alters {
			return nil, at.Errorf("the statement changes nothing; an INSERT, UPDATE or DELETE is wanted here")
		}
		return nil, nil
	}
	text := "SELECT * FROM (" + s.text + "\n) LIMIT 0"
	st, err := d.prepare(ctx, p, text)
	if err != nil {
		return nil, at.Errorf("%v", err)
	}
	var args []any
	for _, name := range s.params {
		args = append(args, named(name, nil))
	}
	rows, err := st.QueryContext(ctx, args...)
	if err != nil {
		return nil, at.Errorf("%v", sqlError(err))
	}
	defer rows.Close()
	cols, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	for i, c := range cols {
		if slices.Contains(cols[:i], c) {
			return nil, at.Errorf("the statement gives two columns named %q", c)
		}
	}
	return cols, nil
}

func firstWord(sql string) string {
	word := ""
	_ = scanSQL(sql, func(kind byte, token string) error {
		if kind != ' ' && word == "" {
			word = token
		}
		return nil
	})
	return word
}

// compile checks a result's statements, and that its columns are the properties of the schema that describes it.
func (r *result) compile(ctx context.Context, d *database, known []string, out *Schema, t *Tool) error {
	if r.row != nil {
		cols, err := d.checked(ctx, reads, r.row, known)
		if err != nil {
			return err
		}
		if _, err := fill(r.missing, func(name string) (any, bool) { return nil, slices.Contains(known, name) }); err != nil {
			return r.node.Errorf("missing: %v", err)
		}
		inner := slices.Clone(known)
		for _, c := range cols {
			inner = append(inner, "row_"+c)
		}
		for i := range r.with {
			n := &r.with[i]
			if err := n.compileInner(ctx, d, inner, out); err != nil {
				return err
			}
			cols = append(cols, n.key)
		}
		return fits(r.node, cols, out.compiled, t.Name+"'s output")
	}
	cols := []string{r.as}
	if r.page != nil {
		cols = append(cols, "next_cursor")
	}
	if r.total {
		cols = append(cols, "total")
	}
	if err := fits(r.node, cols, out.compiled, t.Name+"'s output"); err != nil {
		return err
	}
	return r.compileRows(ctx, d, known, out.compiled.props[r.as])
}

func (n *nested) compileInner(ctx context.Context, d *database, known []string, out *Schema) error {
	p := out.compiled.props[n.key]
	if p == nil {
		return n.node.Errorf("the output schema has no property %q", n.key)
	}
	if n.row != nil {
		cols, err := d.checked(ctx, reads, n.row, known)
		if err != nil {
			return err
		}
		return fits(n.node, cols, p, n.key)
	}
	return n.compileRows(ctx, d, known, p)
}

func (r *result) compileRows(ctx context.Context, d *database, known []string, list *shape) error {
	cols, err := d.checked(ctx, reads, r.rows, known)
	if err != nil {
		return err
	}
	r.cols = cols
	orders := []string{r.order}
	for _, s := range r.sorts {
		orders = append(orders, s.order)
	}
	for _, o := range orders {
		if err := plainOrder(o); err != nil {
			return r.node.Errorf("order: %v", err)
		}
		if _, err := d.prepare(ctx, reads, r.sorted(o)); err != nil {
			return r.node.Errorf("order: %v", err)
		}
	}
	items := itemsOf(list)
	if items == nil {
		return r.node.Errorf("the output schema says nothing of the elements of the list %q", r.as)
	}
	return fits(r.node, cols, items, "an element of "+r.as)
}

// plainOrder checks that an order names columns and nothing that reaches beyond them.
func plainOrder(order string) error {
	if _, err := parseStatement("SELECT " + order); err != nil {
		return err
	}
	return scanSQL(order, func(kind byte, token string) error {
		switch {
		case kind == ':':
			return fmt.Errorf("%s is a parameter; an order is the same for every call", token)
		case kind == ';', kind == ' ' && strings.TrimSpace(token) != "":
			return errors.New("an order holds no comment and no ;")
		}
		return nil
	})
}

// sorted is the statement of a list in an order, a page of it. Rows that the order leaves equal are sorted by all of their
// columns: otherwise where they stand, and on which page, would be the store's choice.
func (r *result) sorted(order string) string {
	for _, c := range r.cols {
		order += ", " + quoteName(c)
	}
	return "SELECT * FROM (" + r.rows.text + "\n) ORDER BY " + order + " LIMIT :assay_limit OFFSET :assay_offset"
}

func itemsOf(list *shape) *shape {
	if list == nil {
		return nil
	}
	return list.items
}

// fits checks that columns are the properties of a schema: none undeclared, none required and missing.
func fits(at *bench.Node, cols []string, s *shape, what string) error {
	for _, c := range cols {
		if s.props[c] == nil {
			return at.Errorf("the result gives %q, which %s does not declare", c, what)
		}
	}
	for _, c := range s.required {
		if !slices.Contains(cols, c) {
			return at.Errorf("%s requires %q, which the result does not give", what, c)
		}
	}
	return nil
}

// fill puts values in the place of {name} in a message.
func fill(text string, value func(string) (any, bool)) (string, error) {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "{")
		b.WriteString(before)
		if !ok {
			return b.String(), nil
		}
		name, after, ok := strings.Cut(rest, "}")
		v, known := value(name)
		if !ok || !known {
			return "", fmt.Errorf("{%s} names no input, id or value of the world", name)
		}
		if v == nil {
			v = "(none)"
		}
		fmt.Fprint(&b, v)
		text = after
	}
}
