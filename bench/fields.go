package bench

import (
	"errors"
	"sort"
	"strconv"
	"strings"
	"time"
)

// Fields reads a mapping key by key, collects every fault it meets, and at Done reports the keys that nobody asked for.
// An unknown key is always a fault: a misspelt parameter must never fall through to "pass".
type Fields struct {
	node *Node
	used map[string]bool
	errs []error
}

// NewFields starts reading a mapping; a node of another kind is a fault that Done reports.
func NewFields(n *Node) *Fields {
	f := &Fields{node: n, used: map[string]bool{}}
	if n.Kind != Map {
		f.Fault(n.Errorf("a mapping (key: value) is wanted here, and this is %s", n.Kind))
	}
	return f
}

// Fault adds a fault of the caller's own.
func (f *Fields) Fault(err error) {
	if err != nil {
		f.errs = append(f.errs, err)
	}
}

// Node gives a key's value and marks it as known; nil when the key is not there.
func (f *Fields) Node(key string) *Node {
	f.used[key] = true
	return f.node.Get(key)
}

// Need is Node with a fault when the key is missing.
func (f *Fields) Need(key string) *Node {
	n := f.Node(key)
	if n == nil && f.node.Kind == Map {
		f.Fault(f.node.Errorf("the key %q is missing", key))
	}
	return n
}

// Text gives a scalar's text; "" when the key is not there.
func (f *Fields) Text(key string) string { return read(f, f.Node(key), (*Node).AsText) }

// NeedText gives a scalar's text, which must be there and not be blank.
func (f *Fields) NeedText(key string) string {
	n := f.Need(key)
	s := read(f, n, (*Node).AsText)
	if n != nil && n.Kind == Scalar && strings.TrimSpace(s) == "" {
		f.Fault(n.Errorf("%q is empty", key))
	}
	return s
}

// Int gives an integer, 0 when the key is not there.
func (f *Fields) Int(key string) int { return read(f, f.Node(key), (*Node).AsInt) }

// Bool gives a boolean, or def when the key is not there.
func (f *Fields) Bool(key string, def bool) bool {
	n := f.Node(key)
	if n == nil {
		return def
	}
	return read(f, n, (*Node).AsBool)
}

// Texts gives a list of texts; a single text counts as a list of one.
func (f *Fields) Texts(key string) []string { return read(f, f.Node(key), (*Node).AsTexts) }

// Duration gives a length of time such as 240s or 10m, 0 when the key is not there.
func (f *Fields) Duration(key string) time.Duration { return read(f, f.Node(key), (*Node).AsDuration) }

func read[T any](f *Fields, n *Node, as func(*Node) (T, error)) (zero T) {
	if n == nil {
		return zero
	}
	v, err := as(n)
	f.Fault(err)
	return v
}

// Done reports everything that was wrong, unknown keys included, or nil.
func (f *Fields) Done() error {
	if f.node.Kind == Map {
		for _, k := range f.node.Keys {
			if !f.used[k.Text] {
				f.Fault(k.Errorf("unknown key %q%s", k.Text, Nearest(k.Text, f.known())))
			}
		}
	}
	return errors.Join(f.errs...)
}

func (f *Fields) known() []string {
	out := make([]string, 0, len(f.used))
	for k := range f.used {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

// AsText gives a scalar's text: "" for a key with nothing behind it. A null that is written out is a fault.
func (n *Node) AsText() (string, error) {
	switch {
	case n.Kind != Scalar:
		return "", n.Errorf("a text is wanted here, and this is %s", n.Kind)
	case n.IsNull() && n.Text != "":
		return "", n.Errorf("a text is wanted here, and this is null; put %q in quotes if it is meant as a text", n.Text)
	}
	return n.Text, nil
}

// AsInt gives a plain decimal integer.
func (n *Node) AsInt() (int, error) {
	if n.Kind == Scalar && !n.Quoted {
		if v, err := strconv.Atoi(n.Text); err == nil && strconv.Itoa(v) == n.Text {
			return v, nil
		}
	}
	return 0, n.Errorf("a whole number is wanted here")
}

// AsBool gives a plain true or false.
func (n *Node) AsBool() (bool, error) {
	if n.Kind == Scalar && !n.Quoted && (n.Text == "true" || n.Text == "false") {
		return n.Text == "true", nil
	}
	return false, n.Errorf("true or false is wanted here")
}

// AsTexts gives a list of texts, of which a single text is the shortest form. An empty list is a fault.
func (n *Node) AsTexts() ([]string, error) {
	if n.Kind == Scalar {
		s, err := n.AsText()
		if err != nil {
			return nil, err
		}
		return []string{s}, nil
	}
	if n.Kind != List || len(n.Values) == 0 {
		return nil, n.Errorf("a text or a list of texts is wanted here")
	}
	out := make([]string, 0, len(n.Values))
	for _, v := range n.Values {
		s, err := v.AsText()
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

// AsDuration gives a positive length of time.
func (n *Node) AsDuration() (time.Duration, error) {
	if n.Kind == Scalar {
		if d, err := time.ParseDuration(n.Text); err == nil && d > 0 {
			return d, nil
		}
	}
	return 0, n.Errorf("a length of time such as 240s or 10m is wanted here")
}

// Nearest gives `; did you mean "…"?` for the known word that is closest to a misspelt one, or "; known: …" when none is
// close, or "" when nothing is known.
func Nearest(word string, known []string) string {
	best, dist := "", len(word)/2+1
	for _, k := range known {
		if d := distance(word, k); d < dist {
			best, dist = k, d
		}
	}
	switch {
	case best != "":
		return "; did you mean " + strconv.Quote(best) + "?"
	case len(known) > 0 && len(known) <= 60:
		return "; known: " + strings.Join(known, ", ")
	}
	return ""
}

// distance is Levenshtein's, over bytes, which is enough for keywords.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diag := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diag
			if a[i-1] != b[j-1] {
				cost++
			}
			diag = row[j]
			row[j] = min(cost, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}
