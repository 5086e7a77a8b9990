package contract

import (
	"slices"
	"strings"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/contract/prose"
)

// Predicate says what one value must be; all its tests must hold.
type Predicate struct {
	sealed
	Tests []Test
	node  *bench.Node
}

// Test is one test: is, not, one_of, any, absent, empty, lt, le, gt, ge, contains, words.
type Test struct {
	sealed
	Op    string
	Terms []Term
	Words int
}

var predicateOps = []string{"is", "value", "not", "one_of", "any", "absent", "empty", "lt", "le", "gt", "ge", "contains", "text"}

// parsePredicate reads a literal, {value: NAME}, or a mapping of tests.
func parsePredicate(n *bench.Node) (*Predicate, error) {
	p := &Predicate{node: n}
	if n.Kind != bench.Map {
		p.Tests = []Test{{Op: "is", Terms: []Term{{Literal: exact.FromNode(n), node: n}}}}
		return p, nil
	}
	if len(n.Keys) == 0 {
		return nil, n.Errorf("an empty predicate holds of everything; write any: true if that is meant")
	}
	for i, k := range n.Keys {
		t, err := parseTest(k, n.Values[i])
		if err != nil {
			return nil, err
		}
		p.Tests = append(p.Tests, t)
	}
	return p, nil
}

func parseTest(k, v *bench.Node) (Test, error) {
	t := Test{Op: k.Text}
	switch k.Text {
	case "value":
		s, err := v.AsText()
		if err != nil {
			return t, err
		}
		t.Op, t.Terms = "is", []Term{{Ref: s, node: v}}
	case "is":
		t.Terms = []Term{{Literal: exact.FromNode(v), node: v}}
	case "not", "lt", "le", "gt", "ge":
		term, err := parseTerm(v)
		if err != nil {
			return t, err
		}
		t.Terms = []Term{term}
	case "one_of", "contains":
		list := []*bench.Node{v}
		if v.Kind == bench.List {
			list = v.Values
		}
		if len(list) == 0 {
			return t, v.Errorf("%s takes at least one value", k.Text)
		}
		for _, m := range list {
			term, err := parseTerm(m)
			if err != nil {
				return t, err
			}
			if s, ok := term.Literal.(string); k.Text == "contains" && term.Ref == "" && (!ok || len(prose.Tokens(s)) == 0) {
				return t, m.Errorf("contains takes texts that hold a letter or a digit; put a number in quotes")
			}
			t.Terms = append(t.Terms, term)
		}
	case "any", "absent", "empty":
		yes, err := v.AsBool()
		if err != nil {
			return t, err
		}
		if !yes {
			return t, v.Errorf("%s is true or not written", k.Text)
		}
	case "text":
		f := bench.NewFields(v)
		t.Op, t.Words = "words", f.Int("min_words")
		if t.Words < 1 {
			f.Fault(v.Errorf("text wants min_words of at least 1"))
		}
		return t, f.Done()
	default:
		return t, k.Errorf("unknown predicate %q%s; write {is: …} for an object", k.Text, bench.Nearest(k.Text, predicateOps))
	}
	return t, nil
}

// parseTerm reads a literal or {value: NAME}.
func parseTerm(n *bench.Node) (Term, error) {
	if n.Kind == bench.Map {
		f := bench.NewFields(n)
		ref := f.NeedText("value")
		return Term{Ref: ref, node: n}, f.Done()
	}
	return Term{Literal: exact.FromNode(n), node: n}, nil
}

// terms gives every term of the predicate.
func (p *Predicate) terms() []Term {
	var out []Term
	for _, t := range p.Tests {
		out = append(out, t.Terms...)
	}
	return out
}

// where is what a predicate looks at; a table holds dates, decimals and truth values in its own way.
type where int

const (
	inJSON where = iota
	inColumn
)

// holds says whether a value will do.
func (p *Predicate) holds(v any, there bool, s *scope, w where) bool {
	for _, t := range p.Tests {
		if !t.holds(v, there, s, w) {
			return false
		}
	}
	return true
}

func (t *Test) holds(v any, there bool, s *scope, w where) bool {
	if t.Op == "absent" {
		return !there
	}
	if !there {
		return false
	}
	switch t.Op {
	case "any":
		return v != nil
	case "empty":
		list, ok := v.([]any)
		return ok && len(list) == 0
	case "words":
		text, ok := v.(string)
		return ok && prose.Words(text) >= t.Words
	case "is", "one_of":
		return slices.ContainsFunc(t.Terms, func(m Term) bool { return m.equals(v, s, w) })
	case "not":
		got, ok := s.resolve(m0(t))
		return ok && !sameAs(got, v, w)
	case "contains":
		text, ok := v.(string)
		return ok && !slices.ContainsFunc(t.Terms, func(m Term) bool {
			got, ok := s.resolve(m)
			return !ok || !prose.Contains(text, got.text())
		})
	}
	got, ok := s.resolve(m0(t))
	if !ok {
		return false
	}
	c, ok := ordering(v, got.json)
	if !ok {
		return false
	}
	switch t.Op {
	case "lt":
		return c < 0
	case "le":
		return c <= 0
	case "gt":
		return c > 0
	}
	return c >= 0
}

func m0(t *Test) Term { return t.Terms[0] }

func (m Term) equals(v any, s *scope, w where) bool {
	got, ok := s.resolve(m)
	return ok && sameAs(got, v, w)
}

// String says the predicate in words.
func (p *Predicate) String() string {
	parts := make([]string, len(p.Tests))
	for i, t := range p.Tests {
		parts[i] = t.String()
	}
	return strings.Join(parts, " and ")
}

func (t *Test) String() string {
	names := make([]string, len(t.Terms))
	for i, m := range t.Terms {
		names[i] = m.String()
	}
	list := strings.Join(names, ", ")
	switch t.Op {
	case "is":
		return list
	case "not":
		return "not " + list
	case "one_of":
		return "one of " + list
	case "any":
		return "anything"
	case "absent":
		return "not there"
	case "empty":
		return "an empty list"
	case "contains":
		return "a text that holds " + list
	case "words":
		return "a text of at least " + plural(t.Words, "word")
	}
	return map[string]string{"lt": "less than ", "le": "at most ", "gt": "more than ", "ge": "at least "}[t.Op] + list
}

// String says the term: the literal, or the name of the value.
func (m Term) String() string {
	if m.Ref != "" {
		return "‹" + m.Ref + "›"
	}
	return exact.Text(m.Literal)
}
