package gemini

import (
	"maps"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// supported are the keywords that the reference of responseJsonSchema lists. oneOf is in that list and is missing here:
// it is "interpreted the same as anyOf", which enforces less than it says.
var supported = map[string]bool{
	"$id": true, "$defs": true, "$ref": true, "$anchor": true, "$schema": true, "type": true, "format": true, "title": true,
	"description": true, "enum": true, "items": true, "prefixItems": true, "minItems": true, "maxItems": true, "minimum": true,
	"maximum": true, "anyOf": true, "properties": true, "additionalProperties": true, "required": true, "propertyOrdering": true,
}

// annotations enforce nothing in any reading of JSON Schema.
var annotations = map[string]bool{
	"$comment": true, "default": true, "examples": true, "example": true, "deprecated": true, "readOnly": true, "writeOnly": true,
}

// maxDepth bounds the look into a schema; what lies deeper is reported as ignored.
const maxDepth = 64

// ignored names the keywords of a schema that the server is documented not to enforce, in order.
func ignored(schema []byte) []string {
	found := map[string]bool{}
	look(schema, found, 0)
	return slices.Sorted(maps.Keys(found))
}

func look(v jsontext.Value, found map[string]bool, depth int) {
	var fields map[string]jsontext.Value
	if v.Kind() != '{' || json.Unmarshal(v, &fields) != nil {
		return // true and false are schemas too, and have no keywords
	}
	if depth > maxDepth {
		found["what is nested more than 64 deep"] = true
		return
	}
	for name, sub := range fields {
		switch {
		case name == "properties" || name == "$defs":
			var members map[string]jsontext.Value
			if json.Unmarshal(sub, &members) == nil {
				for _, s := range members {
					look(s, found, depth+1)
				}
			}
		case name == "items" || name == "additionalProperties":
			look(sub, found, depth+1)
		case name == "anyOf" || name == "prefixItems":
			var list []jsontext.Value
			if json.Unmarshal(sub, &list) == nil {
				for _, s := range list {
					look(s, found, depth+1)
				}
			}
		case name == "enum" && !plainEnum(sub):
			found["enum of other than texts and numbers"] = true
		case !supported[name] && !annotations[name]:
			found[name] = true
		}
	}
}

// plainEnum reports whether an enumeration is one "for strings and numbers".
func plainEnum(v jsontext.Value) bool {
	var list []jsontext.Value
	if json.Unmarshal(v, &list) != nil {
		return false
	}
	return !slices.ContainsFunc(list, func(e jsontext.Value) bool { return e.Kind() != '"' && e.Kind() != '0' })
}
