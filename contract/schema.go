package contract

import (
	"maps"
	"math/big"
	"slices"

	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/contract/pointer"
)

// schemaAt follows a pointer through a JSON Schema. found is false when a closed schema has no such place; known is false
// when the schema says nothing of it.
func schemaAt(schema any, at pointer.Pointer) (sub any, found, known bool) {
	for _, part := range at {
		m, ok := schema.(map[string]any)
		if !ok {
			return nil, true, false
		}
		props, isObject := m["properties"].(map[string]any)
		items, isList := m["items"]
		switch {
		case part.Star && isList:
			schema = items
		case part.Star && isObject:
			return nil, false, true
		case isObject && props[part.Name] != nil:
			schema = props[part.Name]
		case isObject && m["additionalProperties"] == false:
			return nil, false, true
		case isList && !isObject:
			schema = items // an index
		default:
			return nil, true, false
		}
	}
	return schema, true, schema != nil
}

// properties gives the names that an object's schema has.
func properties(schema any) []string {
	m, _ := schema.(map[string]any)
	props, _ := m["properties"].(map[string]any)
	return slices.Sorted(maps.Keys(props))
}

// typesOf gives the types that a schema allows; none when it says nothing.
func typesOf(schema any) []string {
	m, _ := schema.(map[string]any)
	switch t := m["type"].(type) {
	case string:
		return []string{t}
	case []any:
		var out []string
		for _, v := range t {
			if s, ok := v.(string); ok {
				out = append(out, s)
			}
		}
		return out
	}
	return nil
}

// enumOf gives the values that a schema lists.
func enumOf(schema any) []any {
	m, _ := schema.(map[string]any)
	list, _ := m["enum"].([]any)
	return list
}

// fits says whether a literal has a type and a value that the schema allows.
func fits(schema, v any) bool {
	if enum := enumOf(schema); len(enum) > 0 && !slices.ContainsFunc(enum, func(e any) bool { return exact.Equal(e, v) }) {
		return false
	}
	types := typesOf(schema)
	if len(types) == 0 {
		return true
	}
	for _, t := range types {
		switch x := v.(type) {
		case nil:
			if t == "null" {
				return true
			}
		case bool:
			if t == "boolean" {
				return true
			}
		case string:
			if t == "string" {
				return true
			}
		case *big.Rat:
			if t == "number" || t == "integer" && x.IsInt() {
				return true
			}
		case []any:
			if t == "array" {
				return true
			}
		case map[string]any:
			if t == "object" {
				return true
			}
		}
	}
	return false
}

// constrained says whether a schema leaves a text no freedom: an enum, a constant, a pattern or a format.
func constrained(schema any) bool {
	m, _ := schema.(map[string]any)
	for _, k := range []string{"enum", "const", "pattern", "format"} {
		if m[k] != nil {
			return true
		}
	}
	return false
}
