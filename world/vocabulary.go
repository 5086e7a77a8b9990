package world

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assaybench/assay/bench"
)

// lexeme is a token of SQL that says something.
type lexeme struct {
	kind byte
	text string
}

func (l lexeme) is(word string) bool { return l.kind != '\'' && strings.EqualFold(l.text, word) }

// name gives a word or a quoted name without its quotes.
func (l lexeme) name() string {
	if l.kind == '\'' {
		return strings.Trim(l.text, "\"`[]'")
	}
	return l.text
}

func lexemes(sql string) []lexeme {
	var out []lexeme
	last := byte(' ')
	_ = scanSQL(sql, func(kind byte, token string) error { // what does not scan did not compile
		switch {
		case kind == '\'' && last == '\'' && token[0] == out[len(out)-1].text[0]: // a doubled quote inside a text
			out[len(out)-1].text += token
		case kind != ' ':
			out = append(out, lexeme{kind, token})
		}
		last = kind
		return nil
	})
	return out
}

// listed reads "IN (literal, …)" at the beginning of a text; nil where there is anything else.
func listed(l []lexeme) []string {
	if len(l) < 3 || !l[0].is("IN") || l[1].text != "(" {
		return nil
	}
	var out []string
	for i := 2; i+1 < len(l); i += 2 {
		switch {
		case l[i].kind == '\'' && l[i].text[0] == '\'':
			out = append(out, strings.ReplaceAll(l[i].text[1:len(l[i].text)-1], "''", "'"))
		case l[i].kind == 'w' && allDigits(l[i].text):
			out = append(out, l[i].text)
		default:
			return nil
		}
		if l[i+1].text == ")" {
			return out
		}
		if l[i+1].text != "," {
			return nil
		}
	}
	return nil
}

// vocabularies gives, by table and column, the values that the schema lets a column hold.
func vocabularies(script []piece) map[[2]string][]string {
	out := map[[2]string][]string{}
	for _, p := range script {
		l := lexemes(p.text)
		table := ""
		for i := range l {
			switch {
			case table == "" && i > 0 && l[i-1].is("TABLE"):
				table = strings.ToLower(l[i].name())
			case table != "" && i+3 < len(l) && l[i].is("CHECK") && l[i+1].text == "(":
				if v := listed(l[i+3:]); v != nil {
					out[[2]string{table, strings.ToLower(l[i+2].name())}] = v
				}
			}
		}
	}
	return out
}

// bound gives the columns that a change writes straight from a parameter.
func bound(l []lexeme) (table string, columns map[string]string) {
	columns = map[string]string{}
	switch {
	case len(l) > 4 && (l[0].is("INSERT") || l[0].is("REPLACE")):
		i := slices.IndexFunc(l, func(x lexeme) bool { return x.is("INTO") })
		v := slices.IndexFunc(l, func(x lexeme) bool { return x.is("VALUES") })
		if i < 0 || v < 0 || i+2 >= v {
			return "", nil
		}
		table = l[i+1].name()
		var names []string
		for _, x := range l[i+2 : v] {
			if x.kind == 'w' || x.kind == '\'' {
				names = append(names, x.name())
			}
		}
		depth, n, begin := 0, 0, v+2
		for k := v + 1; k < len(l) && n < len(names); k++ {
			switch {
			case l[k].text == "(":
				depth++
			case l[k].text == ")":
				depth--
			}
			if depth == 1 && l[k].text == "," || depth == 0 {
				if k == begin+1 && l[begin].kind == ':' {
					columns[strings.ToLower(names[n])] = l[begin].text[1:]
				}
				n, begin = n+1, k+1
			}
			if depth == 0 {
				break
			}
		}
	case len(l) > 4 && l[0].is("UPDATE"):
		table = l[1].name()
		for k := 3; k+2 < len(l) && !l[k].is("WHERE"); k++ {
			after := k+3 == len(l) || l[k+3].text == "," || l[k+3].is("WHERE")
			if (l[k-1].is("SET") || l[k-1].text == ",") && l[k+1].text == "=" && l[k+2].kind == ':' && after {
				columns[strings.ToLower(l[k].name())] = l[k+2].text[1:]
			}
		}
	}
	return strings.ToLower(table), columns
}

// vocabulary finds values that a tool enforces and its schema keeps silent about: who is refused without having been told
// what is taken learns to say what passes. It looks at guards that list the values of an input, and at columns that the
// schema lets hold only some values and a change fills from an input.
func (t *Tool) vocabulary(words map[[2]string][]string) error {
	var errs []error
	told := func(n *bench.Node, param string, want []string, exact bool) {
		p := t.Input.compiled.props[param]
		if p == nil {
			return
		}
		if len(p.enum) == 0 {
			errs = append(errs, n.Errorf("%s takes only %s as %s, and its input schema does not say so; declare them as its enum", t.Name, strings.Join(want, ", "), param))
			return
		}
		for _, v := range p.enum {
			if s := fmt.Sprint(v); exact && v != nil && !slices.Contains(want, s) {
				errs = append(errs, n.Errorf("the enum of %s's %s has %q, which the table does not take; it takes %s", t.Name, param, s, strings.Join(want, ", ")))
			}
		}
	}
	for i := range t.steps {
		s := &t.steps[i]
		if s.guard != nil {
			l := lexemes(s.guard.text)
			for k := range l {
				if v := listed(l[k:]); v != nil && k > 0 && l[k-1].kind == ':' {
					told(s.guard.node, l[k-1].text[1:], v, false)
				}
			}
			continue
		}
		table, columns := bound(lexemes(s.run.text))
		for _, c := range sortedNames(columns) {
			if v := words[[2]string{table, c}]; v != nil {
				told(s.run.node, columns[c], v, true)
			}
		}
	}
	return errors.Join(errs...)
}

func sortedNames(m map[string]string) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
