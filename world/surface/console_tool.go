package surface

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"

	"github.com/assaybench/assay/world"
)

// toolView is a tool's page: its form, and what a call gave.
type toolView struct {
	Description, Action, Button string
	Write, ShowForm             bool
	Fields                      []field
	Error, Done                 string
	Result                      *shown
	Links                       []link
}

// toolPage shows a tool's form, and calls it: a read where the address says with what or nothing is wanted, a write where
// the form was sent.
func (v *Server) toolPage(w http.ResponseWriter, r *http.Request, t *tool, crumbs []link) {
	if crumbs == nil {
		crumbs = []link{{To: "/", Text: "The request"}, {Text: t.Title}}
	}
	view := toolView{Description: t.Description, Action: t.page(), Write: !t.readOnly(), ShowForm: true, Button: t.Title}
	sent := r.URL.Query()
	call := t.readOnly() && (len(sent) > 0 || len(t.required) == 0)
	if r.Method == http.MethodPost {
		if t.readOnly() {
			v.onlyGet(w, r, nil)
			return
		}
		if err := r.ParseForm(); err != nil {
			v.show(w, bodyStatus(err), messagePage, "Not possible", crumbs, "The form cannot be read, or is too long.")
			return
		}
		sent, call = r.PostForm, true
	}
	view.Fields = t.fields(sent)
	status := http.StatusOK
	if call {
		e, err := v.call(r.Context(), Console, "", t.Name, t.formArgs(sent))
		if err != nil {
			v.show(w, http.StatusInternalServerError, messagePage, "Not possible", crumbs, "The system cannot answer. What was done before stands.")
			return
		}
		status = statusOf(e)
		if t.readOnly() && e.Error != nil && e.Error.Code == world.NotFound {
			status = http.StatusNotFound
		}
		v.fill(&view, t, e, sent)
	}
	v.show(w, status, toolPage, t.Title, crumbs, view)
}

// fill puts what a call gave into a page.
func (v *Server) fill(view *toolView, t *tool, e *world.Event, sent url.Values) {
	if !e.OK() {
		view.Error = e.Error.Message
		if e.Error.Retryable {
			view.Error += " Try again."
		}
		return
	}
	dec := json.NewDecoder(bytes.NewReader(e.Result))
	dec.UseNumber()
	var result any
	if err := dec.Decode(&result); err != nil {
		view.Error = "The result cannot be shown."
		return
	}
	obj, _ := result.(map[string]any)
	if next, ok := obj["next_cursor"].(string); ok && t.readOnly() && t.prop("cursor") != nil {
		q := url.Values{}
		for k, vs := range sent {
			q[k] = vs
		}
		q.Set("cursor", next)
		view.Links = append(view.Links, link{To: t.page() + "?" + q.Encode(), Text: "Next page"})
	}
	if !t.readOnly() {
		view.ShowForm, view.Done = false, "Done."
		if t.Name == world.ToolSubmit {
			view.Done = "The answer was handed in. A later one takes its place."
		}
		for _, k := range slices.Sorted(maps.Keys(obj)) {
			if to := v.detail(t, k, obj[k]); to != "" {
				view.Links = append(view.Links, link{To: to, Text: "See " + scalar(obj[k])})
			}
		}
		view.Links = append(view.Links, link{To: t.page(), Text: t.Title + " once more"})
	}
	delete(obj, "next_cursor")
	s := v.shown(t, "", result)
	view.Result = &s
}

// shown is a value as a page shows it: exactly one of its parts, or a text with perhaps a link.
type shown struct {
	Text, Link string
	Pairs      []pair
	List       []shown
	Table      *table
}

type pair struct {
	Name  string
	Value shown
}

type table struct {
	Caption string
	Columns []string
	Rows    [][]shown
}

func (v *Server) shown(t *tool, key string, x any) shown {
	switch x := x.(type) {
	case map[string]any:
		var s shown
		for _, k := range v.columns(t, []any{x}) {
			s.Pairs = append(s.Pairs, pair{words(k), v.shown(t, k, x[k])})
		}
		if s.Pairs == nil {
			s.Text = "–"
		}
		return s
	case []any:
		return v.shownList(t, key, x)
	case nil:
		return shown{Text: "–"}
	}
	return shown{Text: scalar(x), Link: v.detail(t, key, x)}
}

func (v *Server) shownList(t *tool, key string, list []any) shown {
	if len(list) == 0 {
		return shown{Text: "None."}
	}
	if slices.ContainsFunc(list, func(e any) bool { _, ok := e.(map[string]any); return !ok }) {
		var s shown
		for _, e := range list {
			s.List = append(s.List, v.shown(t, key, e))
		}
		return s
	}
	tb := &table{Caption: words(key)}
	names := v.columns(t, list)
	for _, k := range names {
		tb.Columns = append(tb.Columns, words(k))
	}
	for _, e := range list {
		row := e.(map[string]any)
		var cells []shown
		for _, k := range names {
			cells = append(cells, v.shown(t, k, row[k]))
		}
		tb.Rows = append(tb.Rows, cells)
	}
	return shown{Table: tb}
}

// columns gives the keys of rows, those that lead to a record of their own first.
func (v *Server) columns(t *tool, rows []any) []string {
	set := map[string]bool{}
	for _, r := range rows {
		for k := range r.(map[string]any) {
			set[k] = true
		}
	}
	names := slices.Sorted(maps.Keys(set))
	slices.SortStableFunc(names, func(a, b string) int {
		x, y := v.getter(t, a) != nil, v.getter(t, b) != nil
		switch {
		case x == y:
			return 0
		case x:
			return -1
		}
		return 1
	})
	return names
}

// detail is the address of the record that a value names, "" where it names none.
func (v *Server) detail(t *tool, key string, x any) string {
	g := v.getter(t, key)
	text := scalar(x)
	if g == nil || text == "" {
		return ""
	}
	return g.page() + "?" + url.Values{key: {text}}.Encode()
}

// getter is the tool that reads the one record which a key names: a read that wants this key alone. The same resource's comes
// first, then the same system's; of other systems there must be exactly one, or the key says too little.
func (v *Server) getter(t *tool, key string) *tool {
	var same, near, far []*tool
	for _, s := range v.systems {
		for _, g := range s.Tools {
			if g == t || !g.readOnly() || len(g.required) != 1 || g.required[0] != key || g.Server == world.BuiltinServer || v.lists(g) {
				continue
			}
			switch {
			case g.Server == t.Server && g.resource == t.resource:
				same = append(same, g)
			case g.Server == t.Server:
				near = append(near, g)
			default:
				far = append(far, g)
			}
		}
	}
	for _, c := range [][]*tool{same, near} {
		if len(c) > 0 {
			return c[0]
		}
	}
	if len(far) == 1 {
		return far[0]
	}
	return nil
}

// lists says whether a tool gives many records.
func (v *Server) lists(t *tool) bool {
	return t.operation == "list" || t.operation == "search" || t.Output.Has("next_cursor") || t.Output.Has("total")
}

// scalar is a value that stands in one place.
func scalar(x any) string {
	switch x := x.(type) {
	case string:
		return x
	case json.Number:
		return x.String()
	case bool:
		if x {
			return "yes"
		}
		return "no"
	}
	return ""
}
