package world

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/assaybench/assay/bench"
)

// Access is what a tool may do to the world.
type Access string

// Accesses.
const (
	Read  Access = "read"
	Write Access = "write"
)

// Tool is one operation of a server, declared whole: what it takes, what it does, what it gives.
type Tool struct {
	Name        string // server.resource.operation or server.operation
	Server      string
	Title       string
	Description string
	Access      Access
	Input       *Schema
	Output      *Schema
	Idempotency string // the input property that makes a repeated call one; "" where there is none
	File        string
	Line        int
	// Touches are the tables that the tool's statements read or change, by name in order, also through views and triggers:
	// measured when they are compiled, not declared. Empty for the built-in tools.
	Touches []string

	ids    []newID
	steps  []step
	result result
}

// newID gives a new row its id: the prefix and the largest number so far plus one.
type newID struct {
	param, table, column, prefix string
	width                        int
	sql                          statement
	node                         *bench.Node
}

// step is a guard, which must hold, or a change.
type step struct {
	guard, run *statement
	rows       int // of run: exactly so many must change; -1 for any number
	code       string
	say        string // {name} stands for a parameter's value
	node       *bench.Node
}

// result is what a tool gives: the columns of one row, or a list of rows.
type result struct {
	row     *statement
	rows    *statement
	missing string
	as      string
	order   string
	sortBy  string
	sorts   []sorting
	page    *paging
	total   bool
	with    []nested
	cols    []string // of rows
	node    *bench.Node
}

type sorting struct{ name, order string }

type paging struct {
	size, cursor string
	def          int
}

type nested struct {
	key string
	result
}

var (
	toolName = regexp.MustCompile(`^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*){1,2}$`)
	codes    = []string{NotFound, Conflict, Denied, Unauthorised, Limit, Invalid}
)

// BuiltinServer is the server of the tools that every world has.
const BuiltinServer = "assay"

func readTools(n *bench.Node, servers []Server) ([]*Tool, error) {
	f := bench.NewFields(n)
	list := f.Need("tools")
	var tools []*Tool
	if list != nil && list.Kind != bench.List {
		f.Fault(list.Errorf("tools is a list"))
	} else if list != nil {
		for _, v := range list.Values {
			t, err := readTool(v)
			f.Fault(err)
			if err != nil {
				continue
			}
			switch {
			case t.Server == BuiltinServer:
				f.Fault(v.Errorf("the server %q is the bench's own; name tools after the world's servers", BuiltinServer))
			case !slices.ContainsFunc(servers, func(s Server) bool { return s.ID == t.Server }):
				f.Fault(v.Errorf("the tool %s belongs to the server %q, which world.yaml does not list", t.Name, t.Server))
			case slices.ContainsFunc(tools, func(o *Tool) bool { return o.Name == t.Name }):
				f.Fault(v.Errorf("the tool %s is declared twice", t.Name))
			}
			tools = append(tools, t)
		}
	}
	for _, s := range servers {
		if !slices.ContainsFunc(tools, func(t *Tool) bool { return t.Server == s.ID }) {
			f.Fault(s.node.Errorf("the server %q has no tool in tools.yaml; each has at least one", s.ID))
		}
	}
	return tools, f.Done()
}

func readTool(n *bench.Node) (*Tool, error) {
	f := bench.NewFields(n)
	t := &Tool{Name: f.NeedText("name"), Title: f.Text("title"), Description: f.NeedText("description"), Access: Access(f.NeedText("access")),
		Idempotency: f.Text("idempotency"), File: n.File, Line: n.Line}
	if t.Name != "" && !toolName.MatchString(t.Name) {
		f.Fault(n.Get("name").Errorf("the tool name %q is not server.operation or server.resource.operation of lowercase letters, digits and _", t.Name))
	}
	t.Server, _, _ = strings.Cut(t.Name, ".")
	if t.Title == "" {
		t.Title = t.Name
	}
	if t.Access != Read && t.Access != Write && t.Access != "" {
		f.Fault(n.Get("access").Errorf("the access %q is not known; known: read, write", t.Access))
	}
	for _, s := range []struct {
		key string
		to  **Schema
	}{{"input", &t.Input}, {"output", &t.Output}} {
		if v := f.Node(s.key); v == nil {
			f.Fault(n.Errorf("the tool %s has no %s schema", t.Name, s.key))
		} else {
			var err error
			*s.to, err = readSchema(v, s.key)
			f.Fault(err)
		}
	}
	if v := f.Node("ids"); v != nil {
		f.Fault(eachKey(v, func(k string, v *bench.Node) error { return t.readID(k, v) }))
	}
	if v := f.Node("steps"); v != nil {
		if v.Kind != bench.List {
			f.Fault(v.Errorf("steps is a list"))
		} else {
			for _, s := range v.Values {
				st, err := readStep(s)
				f.Fault(err)
				t.steps = append(t.steps, st)
			}
		}
	}
	if v := f.Need("result"); v != nil {
		var err error
		t.result, err = readResult(v, false)
		f.Fault(err)
	}
	if err := f.Done(); err != nil {
		return t, err
	}
	return t, t.wellFormed(n)
}

// wellFormed checks what one key alone does not show.
func (t *Tool) wellFormed(n *bench.Node) error {
	runs := slices.ContainsFunc(t.steps, func(s step) bool { return s.run != nil })
	switch {
	case t.Access == Read && runs:
		return n.Errorf("the tool %s is declared read and runs a change; declare it write", t.Name)
	case t.Access == Write && !runs:
		return n.Errorf("the tool %s is declared write and changes nothing; declare it read", t.Name)
	case t.Access == Read && (len(t.ids) > 0 || t.Idempotency != ""):
		return n.Errorf("the tool %s is declared read: ids and idempotency belong to writes", t.Name)
	case t.Idempotency != "" && !t.Input.kinds[t.Idempotency].is("string"):
		return n.Get("idempotency").Errorf("idempotency names an input property that is a string, and %q is none", t.Idempotency)
	}
	r := &t.result
	if p := r.page; p != nil {
		if p.size != "" && !t.Input.kinds[p.size].is("integer") {
			return r.node.Errorf("page.size names an input property that is an integer, and %q is none", p.size)
		}
		if !t.Input.kinds[p.cursor].is("string") {
			return r.node.Errorf("page.cursor names an input property that is a string, and %q is none", p.cursor)
		}
	}
	if r.sortBy != "" {
		if err := t.sortDeclared(); err != nil {
			return err
		}
	}
	return nil
}

// sortDeclared holds the input schema's enum against the sortings: an agent must see every value that is taken.
func (t *Tool) sortDeclared() error {
	r := &t.result
	p, ok := t.Input.compiled.props[r.sortBy]
	if !ok || len(p.enum) == 0 {
		return r.node.Errorf("sort.by names an input property with an enum of the sortings, and %q is none", r.sortBy)
	}
	var want, have []string
	for _, s := range r.sorts {
		want = append(want, s.name)
	}
	for _, v := range p.enum {
		have = append(have, fmt.Sprint(v))
	}
	slices.Sort(want)
	slices.Sort(have)
	if !slices.Equal(want, have) {
		return r.node.Errorf("the sortings are %s and the enum of %q says %s", strings.Join(want, ", "), r.sortBy, strings.Join(have, ", "))
	}
	return nil
}

func (t *Tool) readID(param string, n *bench.Node) error {
	f := bench.NewFields(n)
	id := newID{param: param, table: f.NeedText("table"), column: f.NeedText("column"), prefix: f.Text("prefix"), width: f.Int("width"), node: n}
	if !identifier.MatchString(param) || t.Input != nil && t.Input.Has(param) {
		f.Fault(n.Errorf("the id %q needs a name of its own, of lowercase letters, digits and _", param))
	}
	for _, name := range []string{id.table, id.column} {
		if name != "" && !identifier.MatchString(name) {
			f.Fault(n.Errorf("%q is no name of a table or column", name))
		}
	}
	if id.width < 0 || id.width > 18 {
		f.Fault(n.Errorf("the width is from 0 to 18"))
	}
	t.ids = append(t.ids, id)
	return f.Done()
}

var identifier = regexp.MustCompile(`^[a-z_][a-z0-9_]*$`)

func readStep(n *bench.Node) (step, error) {
	f := bench.NewFields(n)
	s := step{rows: -1, code: f.Text("code"), say: f.Text("error"), node: n}
	g, r := f.Node("guard"), f.Node("run")
	if (g == nil) == (r == nil) {
		f.Fault(n.Errorf("a step is a guard or a run, one of both"))
		return s, f.Done()
	}
	if g != nil {
		s.guard = readSQL(f, g)
		if s.code == "" {
			s.code = Denied
		}
		if s.say == "" {
			f.Fault(n.Errorf("a guard says in error what an employee would be told"))
		}
	} else {
		s.run = readSQL(f, r)
		if f.Node("rows") != nil {
			s.rows = f.Int("rows")
			if s.code == "" {
				s.code = Conflict
			}
			if s.say == "" {
				f.Fault(n.Errorf("a run with rows says in error what an employee would be told when another number of rows changes"))
			}
		}
	}
	if s.code != "" && !slices.Contains(codes, s.code) {
		f.Fault(n.Get("code").Errorf("the code %q is not known; known: %s", s.code, strings.Join(codes, ", ")))
	}
	return s, f.Done()
}

func readSQL(f *bench.Fields, n *bench.Node) *statement {
	text, err := n.AsText()
	f.Fault(err)
	s, err := parseStatement(text)
	if err != nil {
		f.Fault(n.Errorf("%v", err))
	}
	s.node = n
	return &s
}

func eachKey(n *bench.Node, fn func(key string, v *bench.Node) error) error {
	if n.Kind != bench.Map {
		return n.Errorf("a mapping (key: value) is wanted here, and this is %s", n.Kind)
	}
	f := bench.NewFields(n)
	for i, k := range n.Keys {
		f.Node(k.Text)
		f.Fault(fn(k.Text, n.Values[i]))
	}
	return f.Done()
}

func readResult(n *bench.Node, inner bool) (result, error) {
	f := bench.NewFields(n)
	r := result{node: n, missing: f.Text("missing"), as: f.Text("as"), total: f.Bool("total", false)}
	row, rows := f.Node("row"), f.Node("rows")
	if (row == nil) == (rows == nil) {
		f.Fault(n.Errorf("a result is a row or rows, one of both"))
		return r, f.Done()
	}
	if o := f.Node("order"); o != nil {
		names, err := o.AsTexts()
		f.Fault(err)
		r.order = strings.Join(names, ", ")
	}
	if row != nil {
		r.row = readSQL(f, row)
		if r.as != "" || r.order != "" || r.total || n.Get("page") != nil || n.Get("sort") != nil {
			f.Fault(n.Errorf("as, order, sort, page and total belong to rows"))
		}
	} else {
		r.rows = readSQL(f, rows)
		if r.as == "" && !inner {
			f.Fault(n.Errorf("as is missing: the key of the list in the result"))
		}
		if r.missing != "" {
			f.Fault(n.Errorf("missing belongs to a row; a list may be empty"))
		}
		if r.order == "" {
			f.Fault(n.Errorf("order is missing: the columns that the rows are sorted by, so that results never depend on the store"))
		}
	}
	if inner && r.missing != "" {
		f.Fault(n.Errorf("missing belongs to the result's own row; a row inside it is null where there is none"))
	}
	if inner && (r.as != "" || r.total || n.Get("page") != nil || n.Get("sort") != nil || n.Get("with") != nil) {
		f.Fault(n.Errorf("a list inside a result has rows and order alone"))
	}
	if s := f.Node("sort"); s != nil {
		f.Fault(r.readSort(s))
	}
	if p := f.Node("page"); p != nil {
		pf := bench.NewFields(p)
		r.page = &paging{size: pf.Text("size"), cursor: pf.NeedText("cursor"), def: pf.Int("default")}
		if pf.Node("default") == nil {
			r.page.def = 20
		}
		if r.page.def < 1 || r.page.def > maxPage {
			pf.Fault(p.Errorf("default is from 1 to %d", maxPage))
		}
		f.Fault(pf.Done())
	}
	if w := f.Node("with"); w != nil {
		if rows != nil {
			f.Fault(w.Errorf("with belongs to a row"))
		}
		f.Fault(eachKey(w, func(k string, v *bench.Node) error {
			sub, err := readResult(v, true)
			r.with = append(r.with, nested{k, sub})
			return err
		}))
	}
	return r, f.Done()
}

// maxPage bounds what one call gives.
const maxPage = 1000

func (r *result) readSort(n *bench.Node) error {
	f := bench.NewFields(n)
	r.sortBy = f.NeedText("by")
	if a := f.Need("among"); a != nil {
		f.Fault(eachKey(a, func(k string, v *bench.Node) error {
			text, err := v.AsText()
			if err == nil && strings.TrimSpace(text) == "" {
				err = v.Errorf("a sorting names columns")
			}
			r.sorts = append(r.sorts, sorting{k, text})
			return err
		}))
		if len(r.sorts) == 0 {
			f.Fault(a.Errorf("among is empty"))
		}
	}
	return f.Done()
}
