package surface

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
)

// queryArgs makes a call's arguments of a query string, by the tool's schema: numbers, truth values, lists and objects are
// read as what the schema says. Blanks are left out. What cannot be read stays a text, so that the schema says what is wrong
// with it.
func (t *tool) queryArgs(q url.Values) []byte {
	args := map[string]any{}
	for name, values := range q {
		values = slices.DeleteFunc(slices.Clone(values), func(s string) bool { return strings.TrimSpace(s) == "" })
		if len(values) == 0 {
			continue
		}
		p := t.prop(name)
		switch {
		case p == nil && len(values) == 1:
			args[name] = values[0] // the schema is closed, and says so
		case p == nil:
			args[name] = values
		case p.Type == "array":
			args[name] = p.list(values)
		case len(values) > 1:
			args[name] = values // given twice; the schema wants one
		default:
			args[name] = p.value(values[0])
		}
	}
	return encodeArgs(args)
}

func encodeArgs(args map[string]any) []byte {
	b, err := json.Marshal(args)
	if err != nil { // texts, lists of them and valid JSON
		panic(err)
	}
	return b
}

// value reads one text as the property's type.
func (p *prop) value(text string) any {
	trimmed := strings.TrimSpace(text)
	switch p.Type {
	case "integer", "number":
		if isNumber(trimmed) {
			return json.RawMessage(trimmed)
		}
	case "boolean":
		switch strings.ToLower(trimmed) {
		case "true":
			return true
		case "false":
			return false
		}
	case "object", "array":
		if json.Valid([]byte(trimmed)) {
			return json.RawMessage(trimmed)
		}
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}

// list reads a list: JSON where it is one, else each value as an element.
func (p *prop) list(values []string) any {
	if len(values) == 1 && strings.HasPrefix(strings.TrimSpace(values[0]), "[") {
		return p.value(values[0])
	}
	out := []any{}
	for _, s := range values {
		if p.Items == nil {
			out = append(out, strings.ToValidUTF8(s, "\uFFFD"))
			continue
		}
		out = append(out, p.Items.value(s))
	}
	return out
}

// isNumber says whether a text is a number as JSON writes it.
func isNumber(s string) bool {
	return s != "" && (s[0] == '-' || s[0] >= '0' && s[0] <= '9') && json.Valid([]byte(s))
}
