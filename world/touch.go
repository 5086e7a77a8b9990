package world

import (
	"slices"
	"strings"
)

// Touches gives the tables that a tool's statements name, sorted: what a call of it reads or writes. It is read off the
// statements themselves, and so does not depend on what the tool is called.
func (w *World) Touches(t *Tool) []string {
	names := map[string]string{}
	for _, tb := range w.Tables {
		names[strings.ToLower(tb.Name)] = tb.Name
	}
	var out []string
	for _, s := range t.statements() {
		list := tokens(s.text)
		for i, tok := range list {
			name, ok := names[strings.ToLower(tok.name())]
			if !ok || i > 0 && (list[i-1].text == "." || list[i-1].is("AS")) || i+1 < len(list) && list[i+1].text == "(" {
				continue // a column of that name, an alias, or a function
			}
			if opensTable(list, i) {
				out = append(out, name)
			}
		}
	}
	for _, id := range t.ids {
		out = append(out, id.table)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// opensTable says whether a name stands where a statement names a table: behind FROM, JOIN, INTO or UPDATE, or behind a comma
// in such a list.
func opensTable(list []token, i int) bool {
	inside := 0 // parentheses that were closed on the way, whose inside is another statement's
	for k := i - 1; k >= 0; k-- {
		t := list[k]
		switch {
		case t.text == ")":
			inside++
		case t.text == "(" && inside > 0:
			inside--
		case inside > 0:
		case t.is("FROM"), t.is("JOIN"), t.is("INTO"), t.is("UPDATE"), t.is("TABLE"):
			return true
		case t.text == "(":
			return false
		case t.text == ",", t.is("AS"), t.name() != "" && !clauseWord[strings.ToUpper(t.text)]:
			continue
		default:
			return false
		}
	}
	return false
}

// clauseWord are words that end a list of tables.
var clauseWord = map[string]bool{"SELECT": true, "WHERE": true, "ON": true, "USING": true, "SET": true, "GROUP": true, "ORDER": true, "BY": true, "HAVING": true,
	"LIMIT": true, "VALUES": true, "AND": true, "OR": true, "CASE": true, "WHEN": true, "THEN": true, "ELSE": true, "IN": true, "IS": true, "NOT": true, "UNION": true}

// statements are all statements of a tool.
func (t *Tool) statements() []statement {
	var out []statement
	for _, s := range t.steps {
		for _, p := range []*statement{s.guard, s.run} {
			if p != nil {
				out = append(out, *p)
			}
		}
	}
	var walk func(r *result)
	walk = func(r *result) {
		for _, p := range []*statement{r.row, r.rows} {
			if p != nil {
				out = append(out, *p)
			}
		}
		for i := range r.with {
			walk(&r.with[i].result)
		}
	}
	walk(&t.result)
	return out
}
