// Package strictjson reads an answer as exactly one JSON value (RFC 8259) and keeps where each part stands. It refuses what
// lenient readers let go: duplicate keys, NaN, trailing commas, text or a second value behind the first, a byte order
// mark, bytes that are not UTF-8, lone surrogates, and nesting deeper than any honest answer.
package strictjson

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Kind is the kind of a value.
type Kind byte

const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

func (k Kind) String() string {
	return [...]string{"null", "a boolean", "a number", "a string", "a list", "an object"}[k]
}

// Value is one JSON value with its place in the text, by byte offsets, half open.
type Value struct {
	Kind   Kind
	Text   string   // a string's text unescaped; a number's, boolean's or null's own characters
	Names  []string // of an object, in order
	Values []*Value // of an object or an array
	Start  int
	End    int
}

// Get gives an object's member, or nil.
func (v *Value) Get(name string) *Value {
	for i, n := range v.Names {
		if n == name {
			return v.Values[i]
		}
	}
	return nil
}

// What an answer may hold; no honest one comes near.
const (
	maxDepth  = 200
	maxValues = 100_000
)

// Fault is what is wrong with a text that is not one JSON value.
type Fault byte

const (
	NotJSON     Fault = iota // no JSON at the place
	NoValue                  // the place holds no value
	KeyTwice                 // a key stands twice at the place
	EndsInside               // the text ends inside the value
	ByteOrder                // a byte order mark stands before the value
	Fence                    // a code fence stands around the value
	SecondValue              // a second value or text follows the value at the place
	TextFollows              // text follows the value at the place
	TooDeep                  // nested deeper than any honest answer
	TooMany                  // more values than any honest answer has
)

// Error is the error of Parse.
type Error struct {
	Fault Fault
	At    int64 // the byte, from 0, for faults that have a place
}

// Most is the bound that a text is beyond, for TooDeep and TooMany.
func (e *Error) Most() int {
	if e.Fault == TooDeep {
		return maxDepth
	}
	return maxValues
}

func (e *Error) Error() string {
	switch e.Fault {
	case NoValue:
		return fmt.Sprintf("no value at byte %d", e.At)
	case KeyTwice:
		return fmt.Sprintf("a key stands twice at byte %d", e.At)
	case EndsInside:
		return "the text ends inside the value"
	case ByteOrder:
		return "a byte order mark stands before the value"
	case Fence:
		return "a code fence stands around the value"
	case SecondValue:
		return fmt.Sprintf("a second value or text follows at byte %d", e.At)
	case TextFollows:
		return fmt.Sprintf("text follows the value at byte %d", e.At)
	case TooDeep:
		return fmt.Sprintf("nested more than %d deep", e.Most())
	case TooMany:
		return fmt.Sprintf("more than %d values", e.Most())
	}
	return fmt.Sprintf("not JSON at byte %d", e.At)
}

// Parse reads s. The error is an *Error: one line that says what is wrong and at which byte.
func Parse(s string) (*Value, error) {
	dec := jsontext.NewDecoder(strings.NewReader(s), jsontext.AllowDuplicateNames(false), jsontext.AllowInvalidUTF8(false))
	p := parser{dec: dec, text: s}
	v, err := p.value(0)
	if err != nil {
		return nil, err
	}
	switch _, err := dec.ReadToken(); {
	case err == io.EOF:
		return v, nil
	case strings.TrimSpace(s[v.End:]) != "" && startsValue(strings.TrimSpace(s[v.End:])):
		return nil, &Error{SecondValue, int64(v.End)}
	default:
		return nil, &Error{TextFollows, int64(v.End)}
	}
}

func startsValue(s string) bool { return strings.ContainsRune("{[\"-0123456789tfn", rune(s[0])) }

type parser struct {
	dec    *jsontext.Decoder
	text   string
	values int
}

func (p *parser) value(depth int) (*Value, error) {
	if depth > maxDepth {
		return nil, &Error{Fault: TooDeep}
	}
	if p.values++; p.values > maxValues {
		return nil, &Error{Fault: TooMany}
	}
	tok, err := p.dec.ReadToken()
	if err != nil {
		return nil, p.explain(err)
	}
	v := &Value{End: int(p.dec.InputOffset())}
	switch tok.Kind() {
	case 'n':
		v.Kind, v.Text = Null, "null"
	case 't', 'f':
		v.Kind, v.Text = Bool, tok.String()
	case '0':
		v.Kind, v.Text = Number, tok.String()
	case '"':
		v.Kind, v.Text = String, tok.String()
	case '[':
		v.Kind = Array
		v.Start = v.End - 1
		for p.dec.PeekKind() != ']' {
			e, err := p.value(depth + 1)
			if err != nil {
				return nil, err
			}
			v.Values = append(v.Values, e)
		}
	case '{':
		v.Kind = Object
		v.Start = v.End - 1
		for p.dec.PeekKind() != '}' {
			name, err := p.dec.ReadToken()
			if err != nil {
				return nil, p.explain(err)
			}
			n := name.String()
			e, err := p.value(depth + 1)
			if err != nil {
				return nil, err
			}
			v.Names, v.Values = append(v.Names, n), append(v.Values, e)
		}
	default:
		return nil, &Error{NoValue, int64(v.End)}
	}
	if v.Kind == Array || v.Kind == Object {
		if _, err := p.dec.ReadToken(); err != nil {
			return nil, p.explain(err)
		}
		v.End = int(p.dec.InputOffset())
		return v, nil
	}
	v.Start = p.start(v)
	return v, nil
}

// start finds where a scalar that ends at v.End begins.
func (p *parser) start(v *Value) int {
	if v.Kind != String {
		return v.End - len(v.Text)
	}
	for i := v.End - 2; i >= 0; i-- { // the opening quote is the last one before End that no backslash escapes
		if p.text[i] != '"' {
			continue
		}
		slashes := 0
		for j := i - 1; j >= 0 && p.text[j] == '\\'; j-- {
			slashes++
		}
		if slashes%2 == 0 {
			return i
		}
	}
	return 0
}

func (p *parser) explain(err error) error {
	at := p.dec.InputOffset()
	if se, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		at = se.ByteOffset
	}
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		return &Error{KeyTwice, at}
	case err == io.EOF, errors.Is(err, io.ErrUnexpectedEOF):
		return &Error{Fault: EndsInside}
	case strings.HasPrefix(p.text, "\ufeff"):
		return &Error{Fault: ByteOrder}
	case strings.HasPrefix(strings.TrimSpace(p.text), "```"):
		return &Error{Fault: Fence}
	}
	return &Error{NotJSON, at}
}
