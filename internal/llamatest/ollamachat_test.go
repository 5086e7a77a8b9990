package llamatest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func testOllamaThinking(t *testing.T, s *Server) {
	tests := []struct {
		model, thinking, content string
		think                    any
	}{
		{"thinker", thoughts, reply, nil},
		{"thinker", thoughts, reply, true},
		{"thinker", thoughts, reply, "low"},
		{"thinker", "", reply, false},
		{"right", "", reply, nil},
		{"right", "", reply, false},
		{"stubborn", thoughts, reply, true},
		// It thinks on, and nobody takes it apart.
		{"stubborn", "", thinkOpen + thoughts + thinkClose + reply, false},
	}
	for _, test := range tests {
		for _, stream := range []bool{false, true} {
			more := with(nil)
			more["think"], more["stream"] = test.think, stream
			if last := ask(t, s, 200, test.model, "?", more); last.Message.Thinking != test.thinking || last.Message.Content != test.content {
				t.Errorf("%s, think %v: %+v", test.model, test.think, last.Message)
			}
		}
	}
}

func testOllamaSchema(t *testing.T, s *Server) {
	format := fields{"enum": []string{"yes", "no"}}
	for _, stream := range []bool{false, true} {
		more := with(nil)
		more["format"], more["stream"] = format, stream
		if last := ask(t, s, 200, "right", "?", more); !yesOrNo(last.Message.Content) || last.DoneReason != "stop" {
			t.Errorf("%+v", last)
		}
		// Two passes: the counts are the second's, whose prompt has the thinking at its end.
		plain := ask(t, s, 200, "thinker", "?", with(nil))
		last := ask(t, s, 200, "thinker", "?", more)
		if !yesOrNo(last.Message.Content) || last.Message.Thinking != thoughts || last.PromptEvalCount <= plain.PromptEvalCount+8 || last.EvalCount >= plain.EvalCount {
			t.Errorf("thinking first: %+v, without a schema: %+v", last, plain)
		}
		more["think"] = false
		if last := ask(t, s, 200, "thinker", "?", more); !yesOrNo(last.Message.Content) || last.Message.Thinking != "" || last.PromptEvalCount != plain.PromptEvalCount+1 {
			t.Errorf("thinking off: %+v", last)
		}
		more["format"] = "json"
		if last := ask(t, s, 200, "record", "?", more); last.Message.Content != `{"city":"Brest", "gone": null, "tide": 3.5}` {
			t.Errorf("any object: %+v", last)
		}
	}
}

func testOllamaTools(t *testing.T, s *Server) {
	for _, stream := range []bool{false, true} {
		more := with(nil)
		more["tools"], more["stream"] = tools, stream
		last := ask(t, s, 200, "caller", "?", more)
		calls := last.Message.Calls
		if len(calls) != 1 || last.Message.Content != "Let me look.\n" || last.DoneReason != "stop" {
			t.Fatalf("%+v", last)
		}
		var got, want any
		if json.Unmarshal(calls[0].Function.Arguments, &got) != nil || json.Unmarshal([]byte(callArguments), &want) != nil || fmt.Sprint(got) != fmt.Sprint(want) ||
			calls[0].Function.Name != "tide" || len(calls[0].ID) != len("call_")+8 {
			t.Errorf("%s", calls[0].Function.Arguments)
		}
		last = ask(t, s, 200, "twice", "?", more)
		if calls := last.Message.Calls; len(calls) != 2 || calls[1].Function.Index != 1 || calls[1].Function.Name != "moon" || last.Message.Thinking != thoughts || last.Message.Content != "" {
			t.Errorf("%+v", last.Message)
		}
		// What is no call of a tool that was offered is text, and so is a call that was cut.
		more["tools"] = tools[1:]
		if last := ask(t, s, 200, "caller", "?", more); last.Message.Content != "Let me look.\n"+ToolCall("tide", callArguments) || last.Message.Calls != nil {
			t.Errorf("%+v", last.Message)
		}
		more["tools"] = tools
		more["options"].(fields)["num_predict"] = 10
		if last := ask(t, s, 200, "caller", "?", more); last.Message.Calls != nil || last.DoneReason != "length" || !strings.HasPrefix("Let me look.\n"+ToolCall("tide", callArguments), last.Message.Content) || last.Message.Content == "" {
			t.Errorf("%+v", last)
		}
	}
	// The history reaches the prompt: the call, its arguments an object, and the result.
	history := with(nil)
	history["tools"], history["_debug_render_only"] = tools, true
	history["model"], history["messages"] = "caller", []fields{
		{"role": "user", "content": "?"},
		{"role": "assistant", "content": "", "tool_calls": []fields{{"id": "call_a", "function": fields{"name": "tide", "arguments": fields{"days": []int{2}}}}}},
		{"role": "tool", "content": "high", "tool_name": "tide", "tool_call_id": "call_a"},
	}
	want, err := json.Marshal(ToolCall("tide", `{"days": [2]}`) + "<|turn|><|tool|>high<|turn|><|assistant|>")
	if err != nil {
		t.Fatal(err)
	}
	var rendered struct {
		Info struct {
			Template string `json:"rendered_template"`
		} `json:"_debug_info"`
	}
	var text string
	if _, b := post(t, s.OllamaURL()+"/api/chat", history); json.Unmarshal(b, &rendered) != nil || json.Unmarshal(want, &text) != nil || !strings.HasSuffix(rendered.Info.Template, text) {
		t.Errorf("%s does not end in %s", b, want)
	}
}

func testOllamaLimits(t *testing.T, s *Server) {
	// Without shift the context's end is one; with it, old tokens are dropped and the model goes on to num_predict.
	for _, test := range []struct {
		predict int
		shift   bool
		want    int
	}{{30, false, 30}, {300, true, 300}, {300, false, 64}, {-1, true, 640}} {
		more := with(fields{"num_predict": test.predict})
		more["shift"] = test.shift
		last := ask(t, s, 200, "small", "?", more)
		got := last.EvalCount
		if test.want == 64 {
			got += last.PromptEvalCount // the context holds both
		}
		if got != test.want || last.DoneReason != "length" {
			t.Errorf("num_predict %d, shift %v: %d tokens of %d, %+v", test.predict, test.shift, got, test.want, last)
		}
	}
	// More than 30 equal pieces end a reply without a final record.
	for _, stream := range []bool{false, true} {
		more := with(nil)
		more["stream"] = stream
		last := ask(t, s, 200, "stutter", "?", more)
		if last.Done || last.DoneReason != "" || last.PromptEvalCount != 0 || last.Message.Content != strings.Repeat("go", 31) {
			t.Errorf("%+v", last)
		}
	}
	// A penalty reaches the sampler: what was said has odds of one in six or so.
	for penalty, want := range map[float64]bool{1: true, 20: false} {
		last := ask(t, s, 200, "endless", "?", with(fields{"repeat_penalty": penalty, "num_predict": 60, "temperature": 1, "top_k": 100, "top_p": 1}))
		if got := strings.HasPrefix(strings.Repeat("and so on, ", 20), last.Message.Content); got != want {
			t.Errorf("penalty %v: %q", penalty, last.Message.Content)
		}
	}
	// A name that no option has is ignored, a fraction cut off.
	if last := ask(t, s, 200, "right", "?", with(fields{"num_ctxt": 1, "num_predict": 1.9})); last.EvalCount != 1 || last.DoneReason != "length" {
		t.Errorf("%+v", last)
	}
}

func testOllamaFaults(t *testing.T, s *Server) {
	const hi = `"messages": [{"role": "user", "content": "hi"}]`
	tests := []struct {
		name, path, body string
		status           int
		want             string
	}{
		{"unknown model", "/api/chat", `{"model": "nope", ` + hi + `}`, 404, "model 'nope' not found"},
		{"unknown tag", "/api/chat", `{"model": "hard:1", ` + hi + `}`, 404, "model 'hard:1' not found"},
		{"show of an unknown model", "/api/show", `{"model": "nope"}`, 404, "model 'nope' not found"},
		{"no model", "/api/chat", `{` + hi + `}`, 400, "model is required"},
		{"malformed", "/api/chat", `{"model": `, 400, "not valid JSON"},
		{"thinking of a model that cannot", "/api/chat", `{"model": "right", "think": true, ` + hi + `}`, 400, `"right" does not support thinking`},
		{"thinking in words", "/api/chat", `{"model": "thinker", "think": "much", ` + hi + `}`, 400, `invalid think value: "much"`},
		{"thinking by number", "/api/chat", `{"model": "thinker", "think": 1, ` + hi + `}`, 400, "think must be a boolean or string"},
		{"tools of a model without", "/api/chat", `{"model": "right", "tools": [{"type": "function", "function": {"name": "f"}}], ` + hi + `}`, 400, "registry.ollama.ai/library/right:latest does not support tools"},
		{"option of a wrong type", "/api/chat", `{"model": "right", "options": {"num_ctx": "9"}, ` + hi + `}`, 500, `option "num_ctx" must be of type integer`},
		{"format in words", "/api/chat", `{"model": "right", "format": "xml", ` + hi + `}`, 500, `invalid format: "\"xml\""`},
		{"keep_alive in words", "/api/chat", `{"model": "right", "keep_alive": "long", ` + hi + `}`, 400, "invalid duration"},
		{"stop", "/api/chat", `{"model": "right", "options": {"stop": ["."]}, ` + hi + `}`, 400, "not supported by this test server"},
		{"unknown role", "/api/chat", `{"model": "right", "messages": [{"role": "pope"}]}`, 400, "unknown role"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			status, b := post(t, s.OllamaURL()+test.path, test.body)
			var e struct{ Error string }
			if err := json.Unmarshal(b, &e); err != nil || status != test.status || !strings.Contains(e.Error, test.want) {
				t.Errorf("status %d, want %d; %v; %s, want %q in it", status, test.status, err, b, test.want)
			}
		})
	}
	for path, want := range map[string]int{"/props": 404, "/api/nope": 404, "/api/chat": 405} {
		if status, b := get(t, s.OllamaURL()+path); status != want || strings.Contains(string(b), "{") {
			t.Errorf("%s: status %d, want %d: %s", path, status, want, b)
		}
	}
}
