package anthropic

import (
	"fmt"
	"maps"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// maxSchemaDepth bounds how deep a schema is followed; nothing that people write goes so far.
const maxSchemaDepth = 32

// strictable says why a tool's schema cannot be strict, "" if it can. The API refuses the whole request for one strict
// schema outside of its subset ("additionalProperties must be explicitly set to false", no bounds of numbers, lengths or
// counts, no recursion), so only keywords that are surely inside count: a schema that is wrongly left out is recorded as
// not strict, one that is wrongly let in fails every call.
func strictable(schema []byte) string { return strictAt(schema, true, 0) }

func strictAt(schema jsontext.Value, root bool, depth int) string {
	var s map[string]jsontext.Value
	if depth > maxSchemaDepth {
		return "its schema is nested too deep"
	}
	if json.Unmarshal(schema, &s) != nil {
		return "a part of its schema is no object"
	}
	var kind string
	if json.Unmarshal(s["type"], &kind) != nil {
		kind = ""
	}
	if root && kind != "object" {
		return `its schema is not of type "object"`
	}
	for _, name := range slices.Sorted(maps.Keys(s)) {
		v := s[name]
		switch name {
		case "description", "title", "const":
		case "type":
			if kind == "" {
				return "its schema has a type that is no single name"
			}
		case "additionalProperties":
			if string(v) != "false" {
				return "its schema lets further properties in"
			}
		case "required":
			var names []string
			if json.Unmarshal(v, &names) != nil {
				return `its schema has a "required" that is no list of names`
			}
		case "enum":
			var values []jsontext.Value
			if json.Unmarshal(v, &values) != nil || slices.ContainsFunc(values, func(v jsontext.Value) bool { return v.Kind() == '{' || v.Kind() == '[' }) {
				return `its schema has an "enum" of more than plain values`
			}
		case "items":
			if why := strictAt(v, false, depth+1); why != "" {
				return why
			}
		case "anyOf":
			var list []jsontext.Value
			if json.Unmarshal(v, &list) != nil {
				return `its schema has an "anyOf" that is no list`
			}
			for _, v := range list {
				if why := strictAt(v, false, depth+1); why != "" {
					return why
				}
			}
		case "properties":
			var fields map[string]jsontext.Value
			if json.Unmarshal(v, &fields) != nil {
				return `its schema has "properties" that are no object`
			}
			for _, field := range slices.Sorted(maps.Keys(fields)) {
				if why := strictAt(fields[field], false, depth+1); why != "" {
					return why
				}
			}
		default:
			return fmt.Sprintf("its schema has %q", name)
		}
	}
	if _, closed := s["additionalProperties"]; kind == "object" && !closed {
		return `its schema does not say "additionalProperties": false of every object`
	}
	return ""
}
