package world

import (
	"slices"

	"github.com/assaybench/assay/bench"
)

// keywords are what a tool's schema may be made of; a misspelt one would silently ask for nothing. References are not
// among them, since a closed schema says by itself what it takes.
var keywords = []string{
	"type", "title", "description", "properties", "required", "additionalProperties", "items", "prefixItems", "enum", "const", "default", "examples",
	"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern", "format", "minItems", "maxItems",
	"uniqueItems", "contains", "minContains", "maxContains", "minProperties", "maxProperties", "dependentRequired", "propertyNames", "deprecated",
	"anyOf", "oneOf", "allOf", "not", "if", "then", "else",
}

// closed checks that a schema says of every part of a value what it takes: objects let nothing undeclared in, lists say what
// they are made of, and every value has a type. A branch of a choice only narrows what stands around it, and may leave the
// type to that.
func closed(n *bench.Node, what string, branch bool) error {
	if n.Kind != bench.Map {
		return n.Errorf("a schema in the %s is a mapping, and this is %s", what, n.Kind)
	}
	if !branch && !hasType(n) {
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
		var err error
		switch k.Text {
		case "properties":
			if v.Kind != bench.Map {
				return v.Errorf("properties is a mapping")
			}
			for _, p := range v.Values {
				if err = closed(p, what, branch); err != nil {
					return err
				}
			}
		case "items":
			if v.Kind == bench.Scalar && v.Text == "false" {
				continue
			}
			err = closed(v, what, branch)
		case "prefixItems", "anyOf", "oneOf", "allOf":
			if v.Kind != bench.List {
				return v.Errorf("%s is a list", k.Text)
			}
			for _, p := range v.Values {
				if err = closed(p, what, k.Text != "prefixItems" || branch); err != nil {
					return err
				}
			}
		case "not", "if", "then", "else", "contains", "propertyNames":
			err = closed(v, what, true)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func isType(n *bench.Node, name string) bool {
	t := n.Get("type")
	return t != nil && (t.Kind == bench.Scalar && t.Text == name ||
		t.Kind == bench.List && slices.ContainsFunc(t.Values, func(v *bench.Node) bool { return v.Text == name }))
}

// hasType says whether a schema names the type of its values, by itself or in each of its branches.
func hasType(n *bench.Node) bool {
	if n.Kind != bench.Map {
		return false
	}
	if n.Get("type") != nil || n.Get("enum") != nil || n.Get("const") != nil {
		return true
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		if v := n.Get(key); v != nil && v.Kind == bench.List && len(v.Values) > 0 && !slices.ContainsFunc(v.Values, func(b *bench.Node) bool { return !hasType(b) }) {
			return true
		}
	}
	v := n.Get("allOf")
	return v != nil && v.Kind == bench.List && slices.ContainsFunc(v.Values, hasType)
}
