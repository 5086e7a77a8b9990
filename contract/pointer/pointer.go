// Package pointer reads JSON pointers (RFC 6901) in which a whole part `*` stands for any element of a list, and matches
// several of them together: pointers that share a `*` speak of the same element.
package pointer

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"
)

const (
	maxParts = 32
	maxBytes = 1000
)

// Pointer is a path into a JSON value. The empty pointer is the value itself.
type Pointer []Part

// Part is one step of a pointer.
type Part struct {
	Name string // the key, or the decimal index of a list's element
	Star bool   // any element
}

// Parse reads a pointer. It is empty, or begins with "/".
func Parse(s string) (Pointer, error) {
	if s == "" {
		return Pointer{}, nil
	}
	if len(s) > maxBytes {
		return nil, fmt.Errorf("a pointer of %d bytes; at most %d are read", len(s), maxBytes)
	}
	if s[0] != '/' {
		return nil, fmt.Errorf("the pointer %q does not begin with /; write /%s", s, s)
	}
	var p Pointer
	for _, part := range strings.Split(s[1:], "/") {
		if part == "*" {
			p = append(p, Part{Star: true})
			continue
		}
		name, err := unescape(part)
		if err != nil {
			return nil, fmt.Errorf("the pointer %q: %w", s, err)
		}
		p = append(p, Part{Name: norm.NFC.String(name)})
	}
	if len(p) > maxParts {
		return nil, fmt.Errorf("the pointer %q has %d parts; at most %d are read", s, len(p), maxParts)
	}
	return p, nil
}

func unescape(s string) (string, error) {
	if !strings.Contains(s, "~") {
		return s, nil
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '~' {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch {
		case i < len(s) && s[i] == '0':
			b.WriteByte('~')
		case i < len(s) && s[i] == '1':
			b.WriteByte('/')
		default:
			return "", errors.New("~ must be followed by 0 (for ~) or 1 (for /)")
		}
	}
	return b.String(), nil
}

// String writes the pointer as Parse reads it.
func (p Pointer) String() string {
	var b strings.Builder
	for _, part := range p {
		b.WriteByte('/')
		switch {
		case part.Star:
			b.WriteByte('*')
		default:
			b.WriteString(strings.NewReplacer("~", "~0", "/", "~1").Replace(part.Name))
		}
	}
	return b.String()
}

// Stars counts the parts that stand for any element.
func (p Pointer) Stars() int {
	n := 0
	for _, part := range p {
		if part.Star {
			n++
		}
	}
	return n
}

// Get follows a pointer without `*`. ok is false where nothing is there.
func (p Pointer) Get(v any) (any, bool) {
	for _, part := range p {
		w, ok := Step(v, part)
		if !ok {
			return nil, false
		}
		v = w
	}
	return v, true
}

// Step follows one part that is no `*`.
func Step(v any, part Part) (any, bool) {
	if part.Star {
		return nil, false
	}
	switch x := v.(type) {
	case map[string]any:
		w, ok := x[part.Name]
		return w, ok
	case []any:
		i, err := strconv.Atoi(part.Name)
		if err != nil || strconv.Itoa(i) != part.Name || i < 0 || i >= len(x) {
			return nil, false
		}
		return x[i], true
	}
	return nil, false
}

// All gives every value that the pointer reaches, in order.
func (p Pointer) All(v any) []any {
	if len(p) == 0 {
		return []any{v}
	}
	if !p[0].Star {
		w, ok := Step(v, p[0])
		if !ok {
			return nil
		}
		return p[1:].All(w)
	}
	list, _ := v.([]any)
	var out []any
	for _, e := range list {
		out = append(out, p[1:].All(e)...)
	}
	return out
}

// Test says whether what a pointer reached will do. There is false where the pointer reached nothing.
type Test func(v any, there bool) bool

// Pattern is a set of pointers with what each must reach; one tree, so that a `*` which several share binds one element.
type Pattern struct{ root branch }

type branch struct {
	tests []Test
	parts []Part
	next  []*branch
}

// Add adds a pointer and its test.
func (p *Pattern) Add(at Pointer, test Test) {
	b := &p.root
	for _, part := range at {
		i := slices.Index(b.parts, part)
		if i < 0 {
			b.parts, b.next = append(b.parts, part), append(b.next, &branch{})
			i = len(b.parts) - 1
		}
		b = b.next[i]
	}
	b.tests = append(b.tests, test)
}

// Match says whether some choice of one element for each `*` satisfies every pointer.
func (p *Pattern) Match(v any) bool { return p.root.match(v, true) }

func (b *branch) match(v any, there bool) bool {
	for _, t := range b.tests {
		if !t(v, there) {
			return false
		}
	}
	for i, part := range b.parts {
		if !b.next[i].under(v, there, part) {
			return false
		}
	}
	return true
}

func (b *branch) under(v any, there bool, part Part) bool {
	if !there {
		return b.match(nil, false)
	}
	if !part.Star {
		w, ok := Step(v, part)
		return b.match(w, ok)
	}
	list, ok := v.([]any)
	if !ok || len(list) == 0 {
		return b.match(nil, false)
	}
	return slices.ContainsFunc(list, func(e any) bool { return b.match(e, true) })
}
