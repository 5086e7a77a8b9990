package world

import (
	"slices"

	"github.com/assaybench/assay/bench"
)

// keywords are what a tool's schema may be made of; a misspelt one would silently ask for nothing.
var keywords = append([]string{
	"type", "properties", "required", "additionalProperties", "items", "enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
	"multipleOf", "minLength", "maxLength", "pattern", "format", "minItems", "maxItems", "uniqueItems",
}, notes...)

// closed checks that a schema says of every part of a value what it takes: objects let nothing undeclared in, lists say what
// they are made of, and every value has a type.
func closed(n *bench.Node, what string) error {
	if n.Kind != bench.Map {
		return n.Errorf("a schema in the %s is a mapping, and this is %s", what, n.Kind)
	}
	if n.Get("type") == nil {
		return n.Errorf("a value in the %s has no type, and so lets everything in", what)
	}
	if isType(n, "object") {
		if a := n.Get("additionalProperties"); a == nil || a.Text != "false" {
			return n.Errorf("an object in the %s is open; close it with additionalProperties: false", what)
		}
	}
	if isType(n, "array") && n.Get("items") == nil {
		return n.Errorf("a list in the %s does not say what its items are", what)
	}
	for i, k := range n.Keys {
		v := n.Values[i]
		if !slices.Contains(keywords, k.Text) {
			return k.Errorf("%q has no place in the %s%s", k.Text, what, bench.Nearest(k.Text, keywords))
		}
		switch k.Text {
		case "properties":
			if v.Kind != bench.Map {
				return v.Errorf("properties is a mapping")
			}
			for _, p := range v.Values {
				if err := closed(p, what); err != nil {
					return err
				}
			}
		case "items":
			if err := closed(v, what); err != nil {
				return err
			}
		}
	}
	return nil
}

func isType(n *bench.Node, name string) bool {
	t := n.Get("type")
	return t != nil && (t.Kind == bench.Scalar && t.Text == name ||
		t.Kind == bench.List && slices.ContainsFunc(t.Values, func(v *bench.Node) bool { return v.Text == name }))
}
