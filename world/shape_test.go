package world

import (
	"strings"
	"testing"
)

// TestShape: what a schema takes and refuses, with what it says. Numbers are compared by value and exactly.
func TestShape(t *testing.T) {
	for _, c := range []struct{ schema, value, want string }{
		{`{"type":"integer","minimum":1,"maximum":50}`, `50.0`, ""},
		{`{"type":"integer"}`, `1e2`, ""},
		{`{"type":"integer"}`, `1.5`, "got number, want integer"},
		{`{"type":"integer"}`, `"1"`, "got string, want integer"},
		{`{"type":"integer"}`, `true`, "got boolean, want integer"},
		{`{"type":"integer","maximum":9223372036854775807}`, `9223372036854775808`, "it must be at most 9223372036854775807"},
		{`{"type":"number","multipleOf":0.01}`, `12345678901234567890.01`, ""},
		{`{"type":"number","multipleOf":0.01}`, `0.30000000000000004`, "it must be a multiple of 0.01"},
		{`{"type":"number","exclusiveMinimum":0}`, `0`, "it must be more than 0"},
		{`{"type":"number"}`, `1e400000`, errNumber.Error()},
		{`{"type":"number","minimum":0}`, `1e400000`, errNumber.Error()},
		{`{"type":["string","null"]}`, `null`, ""},
		{`{"type":"string"}`, `null`, "got null, want string"},
		{`{"type":"string","enum":["a","b"]}`, `"c"`, "value must be one of 'a', 'b'"},
		{`{"type":"integer","enum":[1,2]}`, `2.0`, ""},
		{`{"type":"string","minLength":2,"maxLength":3}`, `"é"`, "1 characters, and at least 2 are wanted"},
		{`{"type":"string","maxLength":3}`, `"ééé"`, ""},
		{`{"type":"string","pattern":"^A-[0-9]+$"}`, `"A-1x"`, "it does not match the pattern"},
		{`{"type":"string","format":"date"}`, `"2031-02-29"`, "it is not a valid date"},
		{`{"type":"string","format":"date"}`, `"2032-02-29"`, ""},
		{`{"type":"array","items":{"type":"integer"},"uniqueItems":true}`, `[1,1.0]`, "elements 1 and 2 are equal"},
		{`{"type":"array","items":{"type":"integer"},"maxItems":1}`, `[1,2]`, "2 elements, and at most 1 are taken"},
		{`{"type":"array","items":{"type":"integer"}}`, `[1,"x"]`, "v.1: got string, want integer"},
		{`{"type":"object","additionalProperties":false,"properties":{"a":{"type":"string"}}}`, `{"b":1}`, "additional property 'b'"},
		{`{"type":"object","additionalProperties":false,"required":["a"],"properties":{"a":{"type":"string"}}}`, `{}`, "missing property 'a'"},
	} {
		s, err := NewSchema([]byte(`{"type":"object","additionalProperties":false,"properties":{"v":` + c.schema + `}}`))
		if err != nil {
			t.Errorf("%s: %v", c.schema, err)
			continue
		}
		v, err := decodeArgs([]byte(`{"v":` + c.value + `}`))
		if err == nil {
			err = s.check(v)
		}
		got := ""
		if err != nil {
			got = err.Error()
		}
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s %s: %q, want %q", c.schema, c.value, got, c.want)
		}
	}
}

// TestShapeRefuses: a keyword that is not known is never silently nothing.
func TestShapeRefuses(t *testing.T) {
	for _, schema := range []string{`{"type":"strnig"}`, `{"type":"string","maxlength":3}`, `{"anyOf":[{"type":"string"}]}`, `{"type":"string","pattern":"("}`,
		`{"type":"number","multipleOf":0}`, `{"type":"string","format":"day"}`, `{"type":"array","minItems":-1}`, `{"type":"object","additionalProperties":true}`,
		`{"type":"object","required":["x"]}`, `{}`, `true`} {
		if _, err := NewSchema([]byte(`{"type":"object","additionalProperties":false,"properties":{"v":` + schema + `}}`)); err == nil {
			t.Errorf("%s was taken", schema)
		}
	}
}
