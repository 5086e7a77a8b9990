package llamatest

import (
	"encoding/json"
	"strings"
	"testing"
)

func testProps(t *testing.T, s *Server) {
	status, b := get(t, s.BaseURL()+"/props?model=small")
	var props struct {
		Settings struct {
			Context int `json:"n_ctx"`
			Params  struct {
				Temperature float64
				TopK        int `json:"top_k"`
			}
		} `json:"default_generation_settings"`
		Slots    int    `json:"total_slots"`
		Path     string `json:"model_path"`
		Template string `json:"chat_template"`
		Begin    string `json:"bos_token"`
		End      string `json:"eos_token"`
		Build    string `json:"build_info"`
	}
	if err := json.Unmarshal(b, &props); err != nil || status != 200 {
		t.Fatalf("status %d, %v, %s", status, err, b)
	}
	if props.Settings.Context != 64 || props.Settings.Params.Temperature != 0.8 || props.Settings.Params.TopK != 40 || props.Slots != 1 ||
		props.Path != s.File("small") || props.Template != newScript("", nil).jinja() || props.Begin != "<s>" || props.End != "</s>" || props.Build == "" {
		t.Errorf("%+v", props)
	}
	if c := chat(t, s, 200, "right", "?", nil); c.Fingerprint != props.Build {
		t.Errorf("fingerprint %q, build %q", c.Fingerprint, props.Build)
	}
	for url, want := range map[string]int{"/props": 400, "/props?model=nope": 404, "/api/version": 404, "/slots": 404} {
		if status, b := get(t, s.BaseURL()+url); status != want || !strings.Contains(string(b), `"error"`) {
			t.Errorf("%s: status %d, want %d: %s", url, status, want, b)
		}
	}
}

// tool is a tool as both wires offer it.
func tool(name string, properties, required any) fields {
	return fields{"type": "function", "function": fields{"name": name, "description": "About " + name + ".",
		"parameters": fields{"type": "object", "properties": properties, "required": required}}}
}

var tools = []fields{
	tool("tide", fields{"place": fields{"type": "string"}, "days": fields{"type": "array"}}, []string{}),
	tool("moon", fields{"day": fields{"type": "integer"}}, []string{"day"}),
}

// A prompt can be counted before it is sent: rendered, then tokenized with the begin token.
func testCount(t *testing.T, s *Server) {
	question := []fields{{"role": "system", "content": "Bref."}, {"role": "user", "content": "Où est la mer ? <|turn|> 🌊"}}
	tests := []struct {
		model string
		body  fields
		want  string // in the prompt
	}{
		{"right", fields{"messages": question}, "<|system|>Bref.<|turn|><|user|>Où est la mer ? <|turn|> 🌊<|turn|><|assistant|>"},
		{"thinker", fields{"messages": question, "chat_template_kwargs": fields{"enable_thinking": false}}, "<|assistant|><|direct|>"},
		{"stubborn", fields{"messages": question, "chat_template_kwargs": fields{"enable_thinking": false}}, "🌊<|turn|><|assistant|>"},
		{"caller", fields{"messages": question, "tools": tools}, `"name": "moon"`},
		{"caller", fields{"tools": tools, "messages": []fields{
			{"role": "user", "content": "?"},
			{"role": "assistant", "content": "", "tool_calls": []fields{{"id": "a", "type": "function", "function": fields{"name": "tide", "arguments": `{"days":[]}`}}}},
			{"role": "tool", "tool_call_id": "a", "content": "high"},
		}}, `<|assistant|><tool_call>` + "\n" + `{"name": "tide", "arguments": {"days": []}}` + "\n" + `</tool_call><|turn|><|tool|>high<|turn|><|assistant|>`},
		{"right", fields{"messages": []fields{{"role": "user", "content": "?"}, {"role": "assistant", "content": "The t"}}}, "<|assistant|>The t"},
		{"right", fields{"messages": []fields{{"role": "user", "content": []fields{{"type": "text", "text": "a"}, {"type": "text", "text": "b"}}}}}, "<|user|>a\nb<|turn|>"},
	}
	for _, test := range tests {
		test.body["model"], test.body["max_tokens"] = test.model, 1
		status, b := post(t, s.BaseURL()+"/apply-template", test.body)
		var rendered struct{ Prompt string }
		if err := json.Unmarshal(b, &rendered); err != nil || status != 200 || !strings.Contains(rendered.Prompt, test.want) || strings.HasPrefix(rendered.Prompt, "<s>") {
			t.Errorf("%s: status %d, %v, prompt %s, want %q in it", test.model, status, err, b, test.want)
		}
		tokens := tokenize(t, s, fields{"model": test.model, "content": rendered.Prompt, "add_special": true})
		status, b = post(t, s.URL+"/chat/completions", test.body)
		var c completion
		if err := json.Unmarshal(b, &c); err != nil || status != 200 || c.Usage.Prompt != len(tokens) {
			t.Errorf("%s: status %d, %v, counted %d before, then %s", test.model, status, err, len(tokens), b)
		}
	}
	plain, special := fields{"model": "right", "content": "<|turn|>x", "parse_special": false}, fields{"model": "right", "content": "<|turn|>x"}
	if n := len(tokenize(t, s, special)); n != 2 {
		t.Errorf("a mark and a letter are %d tokens, want 2", n)
	}
	if n := len(tokenize(t, s, plain)); n < 5 {
		t.Errorf("a mark read as text and a letter are %d tokens", n)
	}
	if _, b := post(t, s.BaseURL()+"/tokenize", fields{"model": "right", "content": "x", "with_pieces": true}); !strings.Contains(string(b), `"piece":"x"}]}`) {
		t.Errorf("with pieces: %s", b)
	}
}

func tokenize(t fatal, s *Server, body fields) []int {
	status, b := post(t, s.BaseURL()+"/tokenize", body)
	var r struct{ Tokens []int }
	if err := json.Unmarshal(b, &r); err != nil || status != 200 {
		t.Fatalf("tokenize: status %d, %v, %s", status, err, b)
	}
	return r.Tokens
}
