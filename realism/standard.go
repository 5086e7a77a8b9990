package realism

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/bench"
)

// Standard is a realism standard as its file has it.
type Standard struct {
	SHA256  string // of the file's bytes, lowercase hex
	Source  string // how the user named it; "embedded" for the edition that ships inside
	Leaves  []Leaf // in the order of the file
	Missing []string
}

// Leaf is one requirement: a key without further keys below it. Key is the dotted path below requirements
// (employeeRequest.minimumWords) or the header's own key (schemaVersion). Value is a string, a bool, a Number or a []string.
type Leaf struct {
	Key   string
	Value any
	Known bool // false: no check can exist for it
}

// Number is a threshold, exactly as it was written.
type Number = bench.Number

// Bounds on a standard's file, which is foreign input.
const (
	maxStandard = 1 << 20
	maxLeaves   = 2000
	maxNesting  = 12
)

// ParseStandard reads a standard. source opens every message. A key that the schema does not have is kept as a leaf that is
// not known; a known key with a value of another type is an error, as is a file that is no such standard.
func ParseStandard(source string, data []byte) (*Standard, error) {
	fail := func(format string, args ...any) (*Standard, error) {
		return nil, &bench.Error{File: source, Msg: fmt.Sprintf(format, args...)}
	}
	if len(data) > maxStandard {
		return fail("larger than 1 MiB, which no standard is")
	}
	sum := sha256.Sum256(data)
	s := &Standard{SHA256: hex.EncodeToString(sum[:]), Source: source}
	leaves, err := flatten(data)
	if err != nil {
		return fail("%s", oneLine(err.Error()))
	}
	s.Leaves = leaves
	if err := s.version(); err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(s.Leaves, func(l Leaf) bool { return strings.Contains(l.Key, ".") }) {
		return fail("there is nothing under \"requirements\"; a standard without requirements is met by anything")
	}
	types := leafTypes()
	seen := map[string]bool{}
	for i := range s.Leaves {
		l := &s.Leaves[i]
		want, ok := types[l.Key]
		seen[l.Key] = true
		if l.Known = ok; !ok {
			continue
		}
		if got := typeName(l.Value); got != want {
			return fail("%s is %s, and must be %s", l.Key, got, want)
		}
		if n, ok := l.Value.(Number); ok {
			if _, err := rat(n); err != nil {
				return fail("%s: %v", l.Key, err)
			}
		}
	}
	for _, k := range leafOrder() {
		if !seen[k] {
			s.Missing = append(s.Missing, k)
		}
	}
	return s, nil
}

var schemaVersion = regexp.MustCompile(`^[a-z0-9][a-z0-9-]*\.benchmark-realism-standard\.v([0-9]{1,3})$`)

// version refuses a schema of another major version: its keys may mean something else.
func (s *Standard) version() error {
	l, ok := s.Leaf("schemaVersion")
	text, isText := l.Value.(string)
	m := schemaVersion.FindStringSubmatch(text)
	switch {
	case !ok:
		return &bench.Error{File: s.Source, Msg: "schemaVersion is missing; give the file whose schemaVersion ends in benchmark-realism-standard.v5"}
	case !isText || m == nil:
		return &bench.Error{File: s.Source, Msg: fmt.Sprintf("the schemaVersion %s is none of a realism standard; known: NAME.benchmark-realism-standard.v5", clip(fmt.Sprint(l.Value), 80))}
	case m[1] != "5":
		return &bench.Error{File: s.Source, Msg: fmt.Sprintf("this is version %s of the standard's schema, and version 5 is known here", m[1])}
	}
	return nil
}

// Leaf gives a requirement by its key.
func (s *Standard) Leaf(key string) (Leaf, bool) {
	i := slices.IndexFunc(s.Leaves, func(l Leaf) bool { return l.Key == key })
	if i < 0 {
		return Leaf{}, false
	}
	return s.Leaves[i], true
}

// Rat gives a numeric threshold; ok is false where the standard has none of the key.
func (s *Standard) Rat(key string) (r *big.Rat, ok bool) {
	l, found := s.Leaf(key)
	n, isNumber := l.Value.(Number)
	if !found || !isNumber {
		return nil, false
	}
	r, err := rat(n)
	return r, err == nil
}

// plainNumber bounds what a threshold may look like, so that no file makes an endless number.
var plainNumber = regexp.MustCompile(`^[0-9]{1,15}(\.[0-9]{1,15})?$`)

func rat(n Number) (*big.Rat, error) {
	if !plainNumber.MatchString(string(n)) {
		return nil, fmt.Errorf("the threshold %s is no plain decimal of 0 or more", clip(string(n), 40))
	}
	r, _ := new(big.Rat).SetString(string(n))
	return r, nil
}

// typeName says what a value is, for people.
func typeName(v any) string {
	switch v.(type) {
	case string:
		return "a text"
	case bool:
		return "true or false"
	case Number:
		return "a number"
	case []string:
		return "a list of texts"
	}
	return "null, a list of other things, or an empty object"
}

// standardReader flattens the file.
type standardReader struct {
	dec    *jsontext.Decoder
	leaves []Leaf
}

// flatten gives the leaves of a standard's file, of which nothing is known yet.
func flatten(data []byte) ([]Leaf, error) {
	r := &standardReader{dec: jsontext.NewDecoder(bytes.NewReader(data))}
	if r.dec.PeekKind() != '{' {
		return nil, errors.New("a standard is a JSON object; give the file whose schemaVersion ends in benchmark-realism-standard.v5")
	}
	if err := r.object(nil, 0); err != nil {
		return nil, err
	}
	if _, err := r.dec.ReadToken(); err != io.EOF {
		return nil, errors.New("something follows the JSON object")
	}
	return r.leaves, nil
}

// object reads an object; duplicate keys are refused by the decoder.
func (r *standardReader) object(path []string, depth int) error {
	if depth > maxNesting {
		return fmt.Errorf("nested more than %d deep", maxNesting)
	}
	if _, err := r.dec.ReadToken(); err != nil {
		return err
	}
	begin := len(r.leaves)
	for r.dec.PeekKind() != '}' {
		tok, err := r.dec.ReadToken()
		if err != nil {
			return err
		}
		at := append(slices.Clone(path), tok.String())
		if depth == 0 && tok.String() == "requirements" && r.dec.PeekKind() == '{' {
			at = nil
		}
		if r.dec.PeekKind() == '{' {
			if err := r.object(at, depth+1); err != nil {
				return err
			}
			continue
		}
		v, err := r.value()
		if err != nil {
			return err
		}
		if err := r.add(strings.Join(at, "."), v); err != nil {
			return err
		}
	}
	if _, err := r.dec.ReadToken(); err != nil {
		return err
	}
	if len(r.leaves) == begin && depth > 0 && len(path) > 0 {
		return r.add(strings.Join(path, "."), nil)
	}
	return nil
}

func (r *standardReader) add(key string, v any) error {
	if len(r.leaves) == maxLeaves {
		return fmt.Errorf("more than %d requirements", maxLeaves)
	}
	if slices.ContainsFunc(r.leaves, func(l Leaf) bool { return l.Key == key }) {
		return fmt.Errorf("the key %s stands twice", key) // one of them under requirements, or with dots in its name
	}
	r.leaves = append(r.leaves, Leaf{Key: key, Value: v})
	return nil
}

// value reads what is no object; nil stands for what no requirement can be.
func (r *standardReader) value() (any, error) {
	if r.dec.PeekKind() == '[' {
		raw, err := r.dec.ReadValue()
		if err != nil {
			return nil, err
		}
		return texts(raw)
	}
	tok, err := r.dec.ReadToken()
	if err != nil {
		return nil, err
	}
	switch tok.Kind() {
	case '"':
		return tok.String(), nil
	case 't', 'f':
		return tok.Bool(), nil
	case '0':
		return Number(tok.String()), nil
	}
	return nil, nil
}

// texts gives a list's texts, nil where it holds anything else.
func texts(raw jsontext.Value) (any, error) {
	dec := jsontext.NewDecoder(bytes.NewReader(raw))
	if _, err := dec.ReadToken(); err != nil {
		return nil, err
	}
	out := []string{}
	for dec.PeekKind() == '"' {
		tok, err := dec.ReadToken()
		if err != nil {
			return nil, err
		}
		out = append(out, tok.String())
	}
	if dec.PeekKind() != ']' {
		return nil, nil
	}
	return out, nil
}
