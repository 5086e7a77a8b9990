package check

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/check/number"
	"github.com/assaybench/assay/check/strictjson"
	"github.com/assaybench/assay/check/token"
)

// jsonRule wants the whole answer to be one JSON object with exactly these keys, types and values.
type jsonRule struct {
	Keys []jsonKey `json:"keys"`
}

type jsonKey struct {
	Name     string   `json:"name"`
	Type     string   `json:"type"` // string, integer, number, boolean, strings (an ordered list)
	Equals   []string `json:"equals"`
	Aliases  []string `json:"aliases,omitempty"` // of a string
	FoldCase bool     `json:"fold_case"`         // of strings
}

// params writes numbers in one way: "28" and "28.0" are one rule.
func (r *jsonRule) params() any {
	c := jsonRule{Keys: slices.Clone(r.Keys)}
	for i, k := range c.Keys {
		if k.Type == "integer" || k.Type == "number" {
			d, err := number.Parse(k.Equals[0])
			if err == nil {
				c.Keys[i].Equals = []string{d.Plain()}
			}
		}
	}
	return &c
}

func (r *jsonRule) words() string {
	parts := make([]string, len(r.Keys))
	for i, k := range r.Keys {
		parts[i] = k.words()
	}
	return "the whole answer is one JSON object, strictly read, with exactly the keys " + strings.Join(parts, "; ")
}

func (k jsonKey) words() string {
	var s string
	switch k.Type {
	case "string":
		s = quoteList(append([]string{k.Equals[0]}, k.Aliases...), "or")
	case "strings":
		s = "the list [" + strings.Join(quoteEach(k.Equals), ", ") + "] in this order"
	default:
		s = "the " + k.Type + " " + k.Equals[0]
	}
	if k.FoldCase {
		s += " (upper or lower case)"
	}
	return fmt.Sprintf("%q = %s", k.Name, s)
}

func quoteEach(texts []string) []string {
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = fmt.Sprintf("%q", t)
	}
	return out
}

func (r *jsonRule) judge(_ context.Context, in *input) result {
	v, err := strictjson.Parse(in.text)
	if err != nil {
		return unread("not one JSON value, strictly read: "+err.Error(), "one JSON object", fmt.Sprintf("%q", clip(in.text)))
	}
	if v.Kind != strictjson.Object {
		return failAt(span(v), "the JSON value is "+v.Kind.String()+", not an object", "one JSON object", clip(in.text))
	}
	for _, k := range r.Keys {
		m := v.Get(k.Name)
		if m == nil {
			return failAt(span(v), fmt.Sprintf("the key %q is missing", k.Name), k.words(), "missing")
		}
		if why := k.differs(m); why != "" {
			return failAt(span(m), fmt.Sprintf("%q %s", k.Name, why), k.words(), clip(in.text[m.Start:m.End]))
		}
	}
	for i, name := range v.Names {
		if !slices.ContainsFunc(r.Keys, func(k jsonKey) bool { return k.Name == name }) {
			return failAt(span(v.Values[i]), fmt.Sprintf("the key %q was not asked for", clip(name)), fmt.Sprintf("exactly %d keys", len(r.Keys)), fmt.Sprintf("%d keys", len(v.Names)))
		}
	}
	return pass("exactly these keys and values", "so")
}

func span(v *strictjson.Value) token.Span { return token.Span{Start: v.Start, End: v.End} }

// differs says how a value differs from what is wanted, or "".
func (k jsonKey) differs(v *strictjson.Value) string {
	switch k.Type {
	case "string":
		if v.Kind != strictjson.String {
			return "is " + v.Kind.String() + ", not a string"
		}
		if !k.equal(v.Text, append([]string{k.Equals[0]}, k.Aliases...)...) {
			return "is another text"
		}
	case "boolean":
		if v.Kind != strictjson.Bool || v.Text != k.Equals[0] {
			return "is not " + k.Equals[0]
		}
	case "integer", "number":
		if v.Kind != strictjson.Number {
			return "is " + v.Kind.String() + ", not a number"
		}
		if k.Type == "integer" && strings.ContainsAny(v.Text, ".eE") {
			return "is not written as an integer"
		}
		got, err := number.Parse(v.Text)
		want, _ := number.Parse(k.Equals[0])
		switch {
		case err != nil:
			return "is not written as a plain number (no exponent)"
		case got.Cmp(want) != 0:
			return "is another number"
		}
	case "strings":
		if v.Kind != strictjson.Array {
			return "is " + v.Kind.String() + ", not a list"
		}
		if len(v.Values) != len(k.Equals) {
			return fmt.Sprintf("has %d entries, not %d", len(v.Values), len(k.Equals))
		}
		for i, e := range v.Values {
			if e.Kind != strictjson.String || !k.equal(e.Text, k.Equals[i]) {
				return fmt.Sprintf("has another entry at place %d", i+1)
			}
		}
	}
	return ""
}

func (k jsonKey) equal(got string, wants ...string) bool {
	got = token.Trim(got)
	for _, w := range wants {
		if w = token.Trim(w); got == w || k.FoldCase && token.Fold(got, true).Text == token.Fold(w, true).Text {
			return true
		}
	}
	return false
}

func init() {
	register(kind{name: "json", version: 1, mutate: mutateJSON,
		doc:     "the whole answer is one JSON object with exactly these keys: {keys: {NAME: {type: string|integer|number|boolean|strings, equals: VALUE, aliases: […], fold_case: false}}}",
		compile: func(_ *compiler, n *bench.Node) (rule, error) { return compileJSON(n) }})
}

func compileJSON(n *bench.Node) (rule, error) {
	f := bench.NewFields(n)
	r := &jsonRule{}
	if ks := f.Need("keys"); ks != nil {
		if ks.Kind != bench.Map || len(ks.Keys) == 0 {
			f.Fault(ks.Errorf("keys is a mapping of names to {type, equals}"))
		} else {
			for i, k := range ks.Keys {
				key, err := compileJSONKey(k.Text, ks.Values[i])
				f.Fault(err)
				r.Keys = append(r.Keys, key)
			}
		}
	}
	return r, f.Done()
}

func compileJSONKey(name string, n *bench.Node) (jsonKey, error) {
	f := bench.NewFields(n)
	k := jsonKey{Name: name, Type: f.NeedText("type"), FoldCase: f.Bool("fold_case", false), Aliases: f.Texts("aliases")}
	eq := f.Need("equals")
	if eq == nil {
		return k, f.Done()
	}
	var err error
	switch k.Type {
	case "strings":
		if eq.Kind != bench.List {
			err = eq.Errorf("equals is a list of texts here")
		} else {
			k.Equals, err = eq.AsTexts()
		}
	case "string", "boolean", "integer", "number":
		var s string
		s, err = eq.AsText()
		k.Equals = []string{s}
		if err == nil {
			err = k.fits(eq, s)
		}
	case "": // missing or empty, and reported
	default:
		err = n.Get("type").Errorf("the type %q is not known; known: string, integer, number, boolean, strings", k.Type)
	}
	f.Fault(err)
	if len(k.Aliases) > 0 && k.Type != "string" {
		f.Fault(n.Get("aliases").Errorf("aliases are for the type string"))
	}
	return k, f.Done()
}

func (k jsonKey) fits(n *bench.Node, s string) error {
	_, err := number.Parse(s)
	switch {
	case k.Type == "boolean" && s != "true" && s != "false":
		return n.Errorf("equals is true or false here")
	case (k.Type == "integer" || k.Type == "number") && err != nil, k.Type == "integer" && strings.Contains(s, "."):
		return n.Errorf("equals is not of the type %s", k.Type)
	}
	return nil
}
