package llamatest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func testSchema(t *testing.T, s *Server) {
	object := func(required []string, properties fields) fields {
		return fields{"type": "object", "properties": properties, "required": required}
	}
	verdict := fields{"enum": []any{"yes", "no", 3}} // of equals, the model's choice
	city := object([]string{"city"}, fields{"city": fields{"type": "string"}, "tide": fields{"type": "number"}, "gone": fields{"type": []string{"string", "null"}}})
	list := fields{"$defs": fields{"node": object([]string{"next"}, fields{"next": fields{"anyOf": []any{fields{"$ref": "#/$defs/node"}, fields{"type": "null"}}}})}, "$ref": "#/$defs/node"}
	tests := []struct {
		name, model string
		schema      fields
		want        string // "" for any
		valid       func(v any) bool
	}{
		// The script says something else: what comes was enforced.
		{"enum", "right", verdict, "", func(v any) bool { return v == "yes" || v == "no" || v == 3.0 }},
		{"const", "hard:latest", fields{"const": fields{"a": []int{1}}}, `{"a":[1]}`, nil},
		{"boolean", "right", fields{"type": "boolean"}, "", func(v any) bool { _, ok := v.(bool); return ok }},
		{"nested", "right", object([]string{"deep"}, fields{"deep": object([]string{"v"}, fields{"v": verdict})}), "", func(v any) bool {
			return fmt.Sprint(v) == "map[deep:map[v:yes]]" || fmt.Sprint(v) == "map[deep:map[v:no]]" || fmt.Sprint(v) == "map[deep:map[v:3]]"
		}},
		{"recursive", "right", list, "", func(v any) bool { _, ok := v.(map[string]any)["next"]; return ok }},
		{"list", "right", fields{"type": "array", "items": verdict, "minItems": 2, "maxItems": 2}, "", func(v any) bool { return len(v.([]any)) == 2 }},
		{"tuple", "right", fields{"prefixItems": []any{fields{"const": 1}, fields{"const": nil}}}, `[1,null]`, nil},
		{"date", "right", fields{"type": "string", "format": "date"}, "", func(v any) bool { return len(v.(string)) == 10 && v.(string)[4] == '-' }},
		// The script answers by the schema: its answer comes through.
		{"fitting", "record", city, `{"city":"Brest", "gone": null, "tide": 3.5}`, nil},
		{"fitting any object", "record", fields{}, `{"city":"Brest", "gone": null, "tide": 3.5}`, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := chat(t, s, 200, test.model, "?", fields{"max_tokens": 200, "response_format": fields{"type": "json_schema", "json_schema": fields{"name": "s", "schema": test.schema}}})
			text := c.Choices[0].Message.Content
			if c.Choices[0].FinishReason != "stop" || test.want != "" && strings.Join(strings.Fields(text), "") != strings.Join(strings.Fields(test.want), "") {
				t.Errorf("finish %q, answer %q, want %q", c.Choices[0].FinishReason, text, test.want)
			}
			var v any
			if err := json.Unmarshal([]byte(text), &v); err != nil || test.valid != nil && !test.valid(v) {
				t.Errorf("answer %q, %v", text, err)
			}
		})
	}
	if c := chat(t, s, 200, "record", "?", fields{"response_format": fields{"type": "json_object"}}); c.Choices[0].Message.Content != `{"city":"Brest", "gone": null, "tide": 3.5}` {
		t.Errorf("json_object: %q", c.Choices[0].Message.Content)
	}
	// Thinking is free, what comes after it is held.
	for _, off := range []bool{false, true} {
		c := chat(t, s, 200, "thinker", "?", fields{"chat_template_kwargs": fields{"enable_thinking": !off}, "response_format": fields{"type": "json_schema", "json_schema": fields{"schema": fields{"enum": []string{"yes", "no"}}}}})
		if m := c.Choices[0].Message; !yesOrNo(m.Content) || off != (m.Reasoning == "") || !off && m.Reasoning != thoughts {
			t.Errorf("a thinking model, thinking off %v: thinking %q, answer %q", off, m.Reasoning, m.Content)
		}
	}
}

// yesOrNo reports whether a text is one of the two, as JSON.
func yesOrNo(text string) bool {
	text = strings.TrimSpace(text)
	return text == `"yes"` || text == `"no"`
}

func testTools(t *testing.T, s *Server) {
	type called struct{ name, arguments string }
	tests := []struct {
		name, model               string
		more                      fields
		content, thinking, finish string
		calls                     []called
	}{
		{"a call", "caller", fields{"tools": tools}, "Let me look.\n", "", "tool_calls", []called{{"tide", callArguments}}},
		{"no tools offered", "caller", nil, "Let me look.\n" + ToolCall("tide", callArguments), "", "stop", nil},
		{"not to be called", "caller", fields{"tools": tools, "tool_choice": "none"}, "Let me look.\n" + ToolCall("tide", callArguments), "", "stop", nil},
		{"one of two calls", "twice", fields{"tools": tools}, "", thoughts, "tool_calls", []called{{"tide", `{}`}}},
		{"two calls", "twice", fields{"tools": tools, "parallel_tool_calls": true}, "", thoughts, "tool_calls", []called{{"tide", `{}`}, {"moon", `{"day": 1}`}}},
		{"two calls without thinking", "twice", fields{"tools": tools, "parallel_tool_calls": true, "reasoning_effort": "none"}, "", "", "tool_calls", []called{{"tide", `{}`}, {"moon", `{"day": 1}`}}},
		{"none made", "twice", fields{"tools": tools, "max_tokens": 3}, "", "", "length", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := chat(t, s, 200, test.model, "?", test.more)
			m := c.Choices[0].Message
			var calls []called
			for _, call := range m.Calls {
				calls = append(calls, called{call.Function.Name, call.Function.Arguments})
				if call.Type != "function" || len(call.ID) != 32 {
					t.Errorf("call %+v", call)
				}
			}
			if m.Content != test.content || !strings.HasPrefix(m.Reasoning, test.thinking) || c.Choices[0].FinishReason != test.finish || fmt.Sprint(calls) != fmt.Sprint(test.calls) {
				t.Errorf("content %q, thinking %q, finish %q, calls %v", m.Content, m.Reasoning, c.Choices[0].FinishReason, calls)
			}
		})
	}
	// The arguments are held to the schema, and a call can be demanded.
	day := []fields{tool("moon", fields{"day": fields{"enum": []int{7}}}, []string{"day"})}
	c := chat(t, s, 200, "caller", "?", fields{"tools": day, "tool_choice": "required", "max_tokens": 200})
	if m := c.Choices[0].Message; len(m.Calls) != 1 || m.Calls[0].Function.Name != "moon" || strings.Join(strings.Fields(m.Calls[0].Function.Arguments), "") != `{"day":7}` || m.Content != "" {
		t.Errorf("a demanded call: %+v", m)
	}
	// A call that the limit cuts keeps what there was of it.
	whole := chat(t, s, 200, "caller", "?", fields{"tools": tools}).Usage.Completion
	for limit := 1; limit < whole; limit++ {
		c := chat(t, s, 200, "caller", "?", fields{"tools": tools, "max_tokens": limit})
		m := c.Choices[0].Message
		ok := c.Choices[0].FinishReason == "length" && strings.HasPrefix("Let me look.\n"+callOpen, m.Content) && len(m.Calls) <= 1
		for _, call := range m.Calls {
			ok = ok && call.Function.Name == "tide" && strings.HasPrefix(callArguments, call.Function.Arguments)
		}
		if !ok {
			t.Errorf("cut after %d tokens: %+v", limit, c.Choices[0])
		}
	}
}

func testToolStream(t *testing.T, s *Server) {
	chunks, done := events(t, s, fields{"model": "twice", "temperature": 0, "stream": true, "tools": tools, "parallel_tool_calls": true, "messages": []fields{{"role": "user", "content": "?"}}})
	var names, arguments [2]string
	var thinking, finish string
	for _, c := range chunks {
		for _, choice := range c.Choices {
			thinking += choice.Delta.Reasoning
			finish = choice.FinishReason
			for _, call := range choice.Delta.Calls {
				if (call.ID == "") != (call.Function.Name == "") || call.Index < 0 || call.Index > 1 {
					t.Fatalf("part of a call %+v", call)
				}
				names[call.Index] += call.Function.Name
				arguments[call.Index] += call.Function.Arguments
			}
		}
	}
	if !done || finish != "tool_calls" || thinking != thoughts || names != [2]string{"tide", "moon"} || arguments != [2]string{`{}`, `{"day": 1}`} {
		t.Errorf("done %v, finish %q, thinking %q, names %q, arguments %q", done, finish, thinking, names, arguments)
	}
}
