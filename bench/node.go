package bench

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// Kind is the kind of a Node.
type Kind int

const (
	Scalar Kind = iota
	List
	Map
)

func (k Kind) String() string { return [...]string{"a value", "a list", "a mapping"}[k] }

// Node is one place in a bench's YAML file, with its position. Scalars keep their text: a date stays a date as written,
// and 71.50 keeps its zero. Bench files are foreign input, so anchors, aliases, merge keys, explicit tags, several
// documents and duplicate keys are refused when a file is read, and nesting is bounded.
type Node struct {
	Kind   Kind
	Text   string  // of a scalar
	Quoted bool    // the scalar stood in quotes or in a block: text, never a number, boolean or null
	Keys   []*Node // of a mapping, in order; Keys[i] belongs to Values[i]
	Values []*Node // of a mapping or a list
	File   string
	Line   int
	Column int
}

// Error is a fault in a bench's files: where, and what to do about it in one line.
type Error struct {
	File   string
	Line   int // 0 when the fault is the whole file's
	Column int // 0 when the fault is the whole line's
	Msg    string
}

func (e *Error) Error() string {
	switch {
	case e.File == "":
		return e.Msg
	case e.Line == 0:
		return e.File + ": " + e.Msg
	case e.Column == 0:
		return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Msg)
}

// Errorf makes an Error at the node's place.
func (n *Node) Errorf(format string, args ...any) *Error {
	return &Error{File: n.File, Line: n.Line, Column: n.Column, Msg: fmt.Sprintf(format, args...)}
}

const (
	maxYAMLBytes = 2 << 20 // one file; parsed, the worst kind of file takes 160 times its size
	maxDepth     = 64
)

// Parse reads one YAML document. The error is an *Error.
func Parse(file string, data []byte) (*Node, error) {
	if len(data) > maxYAMLBytes {
		return nil, &Error{File: file, Msg: fmt.Sprintf("the file has %d bytes; at most %d are read", len(data), maxYAMLBytes)}
	}
	if !utf8.Valid(data) {
		return nil, &Error{File: file, Msg: "the file is not UTF-8; save it as UTF-8"}
	}
	dec := yaml.NewDecoder(strings.NewReader(string(data)))
	var doc, more yaml.Node
	if err := dec.Decode(&doc); err != nil {
		return nil, yamlError(file, data, err)
	}
	switch err := dec.Decode(&more); {
	case err == nil:
		return nil, &Error{File: file, Line: more.Line, Column: 1, Msg: "a second YAML document; a file holds one"}
	case !errors.Is(err, io.EOF):
		return nil, yamlError(file, data, err)
	}
	if doc.Kind != yaml.DocumentNode || len(doc.Content) != 1 {
		return nil, &Error{File: file, Msg: "the file is empty"}
	}
	return convert(file, doc.Content[0], 0)
}

func convert(file string, y *yaml.Node, depth int) (*Node, error) {
	n := &Node{File: file, Line: y.Line, Column: y.Column}
	switch {
	case depth > maxDepth:
		return nil, n.Errorf("nested more than %d deep", maxDepth)
	case y.Kind == yaml.AliasNode || y.Anchor != "":
		return nil, n.Errorf("anchors and aliases are not read here; write the value out")
	case y.Style&yaml.TaggedStyle != 0:
		return nil, n.Errorf("the tag %s is not read here; leave it out", y.Tag)
	}
	switch y.Kind {
	case yaml.ScalarNode:
		n.Kind, n.Text = Scalar, y.Value
		n.Quoted = y.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0
	case yaml.SequenceNode:
		n.Kind = List
		for _, c := range y.Content {
			v, err := convert(file, c, depth+1)
			if err != nil {
				return nil, err
			}
			n.Values = append(n.Values, v)
		}
	case yaml.MappingNode:
		n.Kind = Map
		seen := make(map[string]int, len(y.Content)/2)
		for i := 0; i < len(y.Content); i += 2 {
			k, err := convert(file, y.Content[i], depth+1)
			if err != nil {
				return nil, err
			}
			switch {
			case k.Kind != Scalar:
				return nil, k.Errorf("a key must be plain text")
			case k.Text == "<<" && !k.Quoted:
				return nil, k.Errorf("merge keys (<<) are not read here; write the keys out")
			}
			if line, dup := seen[k.Text]; dup {
				return nil, k.Errorf("the key %q stands twice (first in line %d); keep one", k.Text, line)
			}
			seen[k.Text] = k.Line
			v, err := convert(file, y.Content[i+1], depth+1)
			if err != nil {
				return nil, err
			}
			n.Keys, n.Values = append(n.Keys, k), append(n.Values, v)
		}
	default:
		return nil, n.Errorf("this cannot be read")
	}
	return n, nil
}

// yamlError puts the parser's own error ("yaml: line 3: …") into the form of ours.
func yamlError(file string, data []byte, err error) error {
	msg := strings.TrimPrefix(err.Error(), "yaml: ")
	if te, ok := errors.AsType[*yaml.TypeError](err); ok && len(te.Errors) > 0 {
		msg = te.Errors[0]
	}
	if msg == "EOF" {
		return &Error{File: file, Msg: "the file is empty"}
	}
	e := &Error{File: file, Msg: "not YAML: " + msg}
	if rest, ok := strings.CutPrefix(msg, "line "); ok {
		if num, text, ok := strings.Cut(rest, ": "); ok {
			if line, err := strconv.Atoi(num); err == nil {
				e.Line, e.Column, e.Msg = line, 1, "not YAML: "+text
			}
		}
	}
	if strings.HasSuffix(e.Msg, ": mapping values are not allowed in this context") {
		e.colonInside(data)
	}
	return e
}

// colonInside says of a text that holds ": " without quotes what is to be done. The parser leaves the line out where it is
// the first.
func (e *Error) colonInside(data []byte) {
	e.Line = max(e.Line, 1)
	lines := strings.Split(string(data), "\n")
	if e.Line > len(lines) {
		return
	}
	line := strings.TrimSuffix(lines[e.Line-1], "\r")
	at := strings.LastIndex(line, ": ")
	if at < 0 {
		at = strings.LastIndex(line, ":")
	}
	e.Column = max(at, 0) + 1
	e.Msg = `not YAML: a text that holds ": " stands without quotes, so that it is taken for a key; put the text in quotes, or on lines of its own below "key: |"`
}

// Get gives the value of a mapping's key, or nil.
func (n *Node) Get(key string) *Node {
	if n == nil || n.Kind != Map {
		return nil
	}
	for i, k := range n.Keys {
		if k.Text == key {
			return n.Values[i]
		}
	}
	return nil
}

// IsNull reports whether the node is a plain null.
func (n *Node) IsNull() bool {
	return n.Kind == Scalar && !n.Quoted && (n.Text == "" || n.Text == "null" || n.Text == "~")
}

// Any gives the node as plain Go values (map[string]any, []any, string, bool, nil and Number for plain numbers), for
// parts of a file that are carried along and not interpreted.
func (n *Node) Any() any {
	switch n.Kind {
	case List:
		out := make([]any, 0, len(n.Values))
		for _, v := range n.Values {
			out = append(out, v.Any())
		}
		return out
	case Map:
		out := make(map[string]any, len(n.Keys))
		for i, k := range n.Keys {
			out[k.Text] = n.Values[i].Any()
		}
		return out
	}
	switch {
	case n.Quoted:
		return n.Text
	case n.IsNull():
		return nil
	case n.Text == "true":
		return true
	case n.Text == "false":
		return false
	case isNumber(n.Text):
		return Number(n.Text)
	}
	return n.Text
}

// Number is a number exactly as it was written.
type Number string

// MarshalJSON writes the number's own digits.
func (n Number) MarshalJSON() ([]byte, error) { return []byte(n), nil }

// isNumber reports whether s is a number in JSON's grammar.
func isNumber(s string) bool {
	t := strings.TrimPrefix(s, "-")
	whole, frac, point := strings.Cut(t, ".")
	if point && !allDigits(frac) {
		return false
	}
	return allDigits(whole) && (len(whole) == 1 || whole[0] != '0')
}

func allDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
