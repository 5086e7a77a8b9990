package world

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/record"
)

// Schema is a closed JSON Schema of a tool's arguments or result.
type Schema struct {
	JSON     jsontext.Value // canonical
	compiled *shape
	names    []string // of the properties, as declared
	kinds    map[string]propKind
	required []string
}

// propKind is what a property's JSON type means for SQL.
type propKind struct {
	types    []string // string, integer, number, boolean, object, array; without null
	nullable bool
}

func (k propKind) is(t string) bool { return slices.Contains(k.types, t) }

// Properties gives the names of a schema's properties in the order of their declaration.
func (s *Schema) Properties() []string { return s.names }

// Has says whether a schema has a property.
func (s *Schema) Has(name string) bool { return slices.Contains(s.names, name) }

// readSchema compiles a schema from a node of a file. Every object in it must be closed: what is not declared is refused,
// so that a misspelt argument is never silently nothing.
func readSchema(n *bench.Node, what string) (*Schema, error) {
	if n.Kind != bench.Map {
		return nil, n.Errorf("the %s is a JSON Schema of an object", what)
	}
	if err := closed(n, what); err != nil {
		return nil, err
	}
	if t := n.Get("type"); t == nil || t.Kind != bench.Scalar || t.Text != "object" {
		return nil, n.Errorf("the %s is a JSON Schema of an object: type: object", what)
	}
	b, err := record.Canonical(n.Any())
	if err != nil {
		return nil, n.Errorf("the %s cannot be written as JSON: %v", what, err)
	}
	s, err := NewSchema(b)
	if err != nil {
		var errs []error
		for _, e := range bench.Flat(err) {
			errs = append(errs, placed(n, what, e))
		}
		return nil, errors.Join(errs...)
	}
	s.names = nil // in the order of the file
	if p := n.Get("properties"); p != nil {
		for _, k := range p.Keys {
			s.names = append(s.names, k.Text)
		}
	}
	return s, nil
}

// placed puts a schema's fault where the schema's file has it.
func placed(n *bench.Node, what string, err error) error {
	var se *shapeError
	if !errors.As(err, &se) {
		return n.Errorf("the %s is no JSON Schema: %v", what, err)
	}
	at := n
	for _, key := range se.path {
		next := at.Get(key)
		if next == nil {
			break
		}
		at = next
	}
	return at.Errorf("the %s is no JSON Schema: %v", what, err)
}

// NewSchema compiles a JSON Schema of an object: the part of draft 2020-12 that says what a value looks like (type, enum,
// const, properties, required, additionalProperties, items, lengths, bounds, multipleOf, pattern, format). References and
// combinators are refused.
func NewSchema(text []byte) (*Schema, error) {
	doc, err := decodeJSON(text)
	if err != nil {
		return nil, err
	}
	compiled, err := compileShape(doc, nil)
	if err != nil {
		return nil, err
	}
	s := &Schema{JSON: text, compiled: compiled, kinds: map[string]propKind{}, required: compiled.required}
	for name, p := range compiled.props {
		if len(p.types) == 0 {
			return nil, fmt.Errorf("the property %q has no type", name)
		}
		s.kinds[name] = propKind{p.types, p.nullable}
		s.names = append(s.names, name)
	}
	slices.Sort(s.names)
	return s, nil
}

// decodeJSON reads JSON with all digits of its numbers.
func decodeJSON(b []byte) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, errors.New("something stands behind the JSON value")
	}
	return v, nil
}

// Bounds of what a caller may send.
const (
	maxArgs  = 1 << 20
	maxDepth = 64
)

// decodeArgs reads the arguments of a call: one JSON object without a name twice, numbers with all their digits.
func decodeArgs(b []byte) (map[string]any, error) {
	if len(b) > maxArgs {
		return nil, fmt.Errorf("the arguments are longer than %d bytes", maxArgs)
	}
	if len(strings.TrimSpace(string(b))) == 0 {
		return map[string]any{}, nil
	}
	v := jsontext.Value(b)
	if !v.IsValid() {
		return nil, errors.New("the arguments are not a JSON object (UTF-8, no name twice)")
	}
	if depthOf(b) > maxDepth {
		return nil, fmt.Errorf("the arguments are nested deeper than %d levels", maxDepth)
	}
	doc, err := decodeJSON(b)
	if err != nil {
		return nil, errors.New("the arguments are not a JSON object")
	}
	m, ok := doc.(map[string]any)
	if !ok {
		return nil, errors.New("the arguments are not a JSON object")
	}
	return m, storable(m)
}

// storable refuses what the store would not keep as it is: U+0000 in texts, which it would cut there, and numbers that are
// out of any range.
func storable(v any) error {
	switch x := v.(type) {
	case string:
		if strings.IndexByte(x, 0) >= 0 {
			return errors.New("a text holds the character U+0000, which no text may")
		}
	case json.Number:
		if !kept(string(x)) {
			return errNumber
		}
	case []any:
		for _, e := range x {
			if err := storable(e); err != nil {
				return err
			}
		}
	case map[string]any:
		for k, e := range x {
			if err := storable(k); err != nil {
				return err
			}
			if err := storable(e); err != nil {
				return err
			}
		}
	}
	return nil
}

func depthOf(b []byte) int {
	depth, most, quoted := 0, 0, false
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
			most = max(most, depth)
		case c == '}' || c == ']':
			depth--
		}
	}
	return most
}

// check validates a value; the error says in one line what is wrong and where, and names the values that are taken.
func (s *Schema) check(v any) error {
	var flaws []flaw
	s.compiled.check("", v, &flaws)
	if len(flaws) == 0 {
		return nil
	}
	var says []string
	for _, f := range flaws {
		text := f.says
		if f.at != "" {
			text = oneLine(f.at[1:], 200) + ": " + text
		}
		says = append(says, text)
	}
	slices.Sort(says)
	return errors.New(oneLine(strings.Join(slices.Compact(says), "; "), 1000) + s.hint(says))
}

// hint names the known properties where an unknown one was sent.
func (s *Schema) hint(says []string) string {
	if !slices.ContainsFunc(says, func(t string) bool { return strings.Contains(t, "additional propert") }) {
		return ""
	}
	return "; known: " + strings.Join(s.names, ", ")
}

// oneLine makes a text of a caller's safe to stand in a line: control characters quoted, at most n bytes.
func oneLine(s string, n int) string {
	var b strings.Builder
	for _, r := range s {
		if b.Len() >= n {
			b.WriteString("…")
			break
		}
		if r < 0x20 || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x2028 || r == 0x2029 {
			fmt.Fprintf(&b, "\\u%04x", r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// plain turns a decoded argument into what a statement's parameter takes: text, whole number, real number or null.
func plain(v any) (any, error) {
	switch x := v.(type) {
	case nil, string:
		return x, nil
	case bool:
		if x {
			return int64(1), nil
		}
		return int64(0), nil
	case json.Number:
		return number(string(x))
	default: // an array or an object
		b, err := record.Canonical(x)
		if err != nil {
			return nil, err
		}
		return string(b), nil
	}
}
