package world

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assaybench/assay/record"
)

// answerSchema makes the closed JSON Schema of an answer: every field, none but those.
func answerSchema(fields []Field) (*Schema, error) {
	props, required := map[string]any{}, []string{}
	for _, f := range fields {
		props[f.Name] = f.schema()
		required = append(required, f.Name)
	}
	slices.Sort(required)
	b, err := record.Canonical(map[string]any{"type": "object", "additionalProperties": false, "required": required, "properties": props})
	if err != nil {
		return nil, err
	}
	s, err := NewSchema(b)
	if err != nil {
		return nil, err
	}
	s.names = nil
	for _, f := range fields {
		s.names = append(s.names, f.Name)
	}
	return s, nil
}

// schema gives a field's JSON Schema. What a value must look like stands in it, so that an agent can see every form that
// is taken.
func (f *Field) schema() map[string]any {
	m := map[string]any{}
	var says []string
	if f.Description != "" {
		says = append(says, strings.TrimSuffix(f.Description, ".")+".")
	}
	switch f.Type {
	case Integer:
		m["type"] = "integer"
	case Decimal:
		m["type"] = "number"
		if f.Places == 0 {
			m["multipleOf"] = 1
		} else {
			m["multipleOf"] = jsonNumber("0." + strings.Repeat("0", f.Places-1) + "1")
		}
		says = append(says, fmt.Sprintf("At most %d decimal places.", f.Places))
	case Date:
		m["type"], m["format"], m["pattern"] = "string", "date", `^\d{4}-\d{2}-\d{2}$`
		says = append(says, "A date, YYYY-MM-DD.")
	case Enum:
		m["type"], m["enum"] = "string", f.Values
	case IDOf:
		m["type"], m["minLength"], m["maxLength"] = "string", 1, 200
		says = append(says, "The id as the system gives it.")
	case Set:
		m["type"], m["uniqueItems"], m["maxItems"], m["items"] = "array", true, 1000, f.Of.schema()
		says = append(says, "In any order; an empty list where there is none.")
	case Boolean:
		m["type"] = "boolean"
	case Text, NoneOrText:
		m["type"], m["minLength"], m["maxLength"] = "string", 1, f.Most
		if f.Type == NoneOrText {
			says = append(says, `Begin with "none" where there is none; an explanation may follow.`)
		}
	}
	if f.Unit != "" {
		says = append(says, "Unit: "+f.Unit+".")
	}
	if len(says) > 0 {
		m["description"] = strings.Join(says, " ")
	}
	return m
}

// jsonNumber is a number with all its digits.
type jsonNumber string

// MarshalJSON writes the digits.
func (n jsonNumber) MarshalJSON() ([]byte, error) { return []byte(n), nil }
