package world

import (
	"slices"
	"strings"
)

// token is one token of SQL, white space and comments left out. kind is as scanSQL has it.
type token struct {
	kind byte
	text string
}

func tokens(sql string) []token {
	var out []token
	at, ended := 0, -1
	_ = scanSQL(sql, func(kind byte, text string) error {
		n := len(out)
		switch {
		case kind == ' ':
		case kind == '\'' && ended == at && out[n-1].kind == kind && out[n-1].text[0] == text[0]: // a doubled quote inside
			out[n-1].text += text
			ended = at + len(text)
		default:
			out = append(out, token{kind, text})
			ended = at + len(text)
		}
		at += len(text)
		return nil
	})
	return out
}

func (t token) is(word string) bool { return strings.EqualFold(t.text, word) }

// name gives the name that a token stands for, without quotes; "" of other tokens.
func (t token) name() string {
	switch {
	case t.kind == 'w' && !(t.text[0] >= '0' && t.text[0] <= '9'):
		return t.text
	case t.kind == '\'' && t.text[0] != '\'':
		return t.text[1 : len(t.text)-1]
	}
	return ""
}

// literal gives the value of a text or whole number that stands in SQL.
func (t token) literal() (string, bool) {
	switch {
	case t.kind == '\'' && t.text[0] == '\'':
		return strings.ReplaceAll(t.text[1:len(t.text)-1], "''", "'"), true
	case t.kind == 'w' && allDigits(t.text):
		return t.text, true
	}
	return "", false
}

// binding says that a statement holds a parameter against a column, or fills the column from it.
type binding struct {
	param, table, column string
	fills                bool
}

// bindings reads what can be read off a statement: column = :param anywhere, and what INSERT and UPDATE fill.
func (w *World) bindings(s *statement) []binding {
	ts := tokens(s.text)
	var out []binding
	for i := 0; i+2 < len(ts); i++ {
		if ts[i].name() != "" && ts[i+1].text == "=" && ts[i+2].kind == ':' {
			out = append(out, binding{param: ts[i+2].text[1:], column: ts[i].name()})
		}
		if ts[i].kind == ':' && ts[i+1].text == "=" && ts[i+2].name() != "" {
			out = append(out, binding{param: ts[i].text[1:], column: ts[i+2].name()})
		}
	}
	for i, t := range ts {
		switch {
		case t.is("INTO") && i+1 < len(ts):
			return append(out, w.inserted(ts[i+1:])...)
		case t.is("SET") && i > 0:
			return append(out, w.updated(ts[i-1].name(), ts[i+1:])...)
		}
	}
	return out
}

// inserted reads TABLE (columns) VALUES (…), (…) or TABLE (columns) SELECT ….
func (w *World) inserted(ts []token) []binding {
	t := w.tableFold(ts[0].name())
	if t == nil {
		return nil
	}
	ts = ts[1:]
	if len(ts) > 1 && ts[0].is("AS") {
		ts = ts[2:]
	}
	var cols []string
	for _, c := range t.Columns {
		cols = append(cols, c.Name)
	}
	if len(ts) > 0 && ts[0].text == "(" {
		parts, rest := grouped(ts)
		cols = nil
		for _, p := range parts {
			cols = append(cols, p[0].name())
		}
		ts = rest
	}
	var out []binding
	take := func(parts [][]token) {
		for i, p := range parts {
			if name := filler(p); name != "" && i < len(cols) {
				out = append(out, binding{param: name, table: t.Name, column: cols[i], fills: true})
			}
		}
	}
	switch {
	case len(ts) > 0 && ts[0].is("VALUES"):
		for ts = ts[1:]; len(ts) > 0 && ts[0].text == "("; {
			var parts [][]token
			parts, ts = grouped(ts)
			take(parts)
			if len(ts) > 0 && ts[0].text == "," {
				ts = ts[1:]
			}
		}
	case len(ts) > 0 && ts[0].is("SELECT"):
		take(divided(ts[1:], "FROM", "WHERE", "ORDER", "LIMIT", "UNION"))
	}
	for i, tk := range ts { // ON CONFLICT … DO UPDATE SET
		if tk.is("SET") {
			out = append(out, w.updated(t.Name, ts[i+1:])...)
			break
		}
	}
	return out
}

// updated reads column = …, column = … up to WHERE.
func (w *World) updated(table string, ts []token) []binding {
	t := w.tableFold(table)
	if t == nil {
		return nil
	}
	var out []binding
	for _, p := range divided(ts, "WHERE", "FROM", "RETURNING") {
		if len(p) > 2 && p[1].text == "=" {
			if name := filler(p[2:]); name != "" {
				out = append(out, binding{param: name, table: t.Name, column: p[0].name(), fills: true})
			}
		}
	}
	return out
}

// filler gives the parameter that an expression passes on as it is: :p, or coalesce(:p, …), whose other values are the
// author's.
func filler(p []token) string {
	if len(p) == 1 && p[0].kind == ':' {
		return p[0].text[1:]
	}
	if len(p) > 3 && (p[0].is("coalesce") || p[0].is("ifnull")) && p[1].text == "(" && p[2].kind == ':' && p[3].text == "," {
		return p[2].text[1:]
	}
	return ""
}

// grouped divides what stands in a pair of brackets by its commas, and gives what follows them.
func grouped(ts []token) (parts [][]token, rest []token) {
	depth := 0
	for i, t := range ts {
		switch t.text {
		case "(":
			depth++
		case ")":
			if depth--; depth == 0 {
				return divided(ts[1:i]), ts[i+1:]
			}
		}
	}
	return nil, nil
}

// divided divides tokens by the commas outside of brackets, up to one of the words.
func divided(ts []token, until ...string) [][]token {
	var out [][]token
	var part []token
	depth := 0
	for _, t := range ts {
		if depth == 0 && t.kind == 'w' && slices.ContainsFunc(until, t.is) {
			break
		}
		switch {
		case t.text == "(":
			depth++
		case t.text == ")":
			depth--
		case t.text == "," && depth == 0:
			if part != nil {
				out = append(out, part)
			}
			part = nil
			continue
		}
		part = append(part, t)
	}
	if part != nil {
		out = append(out, part)
	}
	return out
}

func (w *World) tableFold(name string) *Table {
	for _, t := range w.Tables {
		if strings.EqualFold(t.Name, name) {
			return t
		}
	}
	return nil
}

// onlyAmong finds what a condition lets a value be, which subject tells from others: subject IN (literals), or subject =
// literal OR …, with nothing beside it but that it may be null, and further conditions joined by AND.
func onlyAmong(ts []token, subject func([]token) int) []string {
	ts = unwrapped(ts)
	for _, conj := range splitWord(ts, "AND") {
		if inner := unwrapped(conj); len(inner) < len(conj) {
			if values := onlyAmong(inner, subject); values != nil {
				return values
			}
			continue
		}
		var values []string
		ok := true
		for _, alt := range splitWord(conj, "OR") {
			alt = unwrapped(alt)
			n := subject(alt)
			if n == 0 {
				ok = false
				break
			}
			rest := alt[n:]
			switch {
			case len(rest) == 2 && rest[0].is("IS") && rest[1].is("NULL"):
			case len(rest) == 2 && rest[0].text == "=":
				v, lit := rest[1].literal()
				ok = ok && lit
				values = append(values, v)
			case len(rest) > 2 && rest[0].is("IN") && rest[1].text == "(":
				parts, after := grouped(rest[1:])
				ok = ok && len(after) == 0
				for _, p := range parts {
					v, lit := p[0].literal()
					ok = ok && lit && len(p) == 1
					values = append(values, v)
				}
			default:
				ok = false
			}
		}
		if ok && len(values) > 0 {
			return values
		}
	}
	return nil
}

// unwrapped takes brackets off that stand around the whole.
func unwrapped(ts []token) []token {
	for len(ts) > 1 && ts[0].text == "(" {
		if _, rest := grouped(ts); len(rest) > 0 || ts[len(ts)-1].text != ")" {
			break
		}
		ts = ts[1 : len(ts)-1]
	}
	return ts
}

// splitWord divides tokens by a word outside of brackets.
func splitWord(ts []token, word string) [][]token {
	var out [][]token
	depth, from := 0, 0
	for i, t := range ts {
		switch {
		case t.text == "(":
			depth++
		case t.text == ")":
			depth--
		case depth == 0 && t.kind == 'w' && t.is(word):
			out = append(out, ts[from:i])
			from = i + 1
		}
	}
	return append(out, ts[from:])
}
