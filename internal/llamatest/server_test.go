package llamatest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// client is plain HTTP without idle connections, which would outlive a test.
var client = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: time.Minute}

// fields is a JSON object to send.
type fields map[string]any

// completion is the part of a reply or a stream's event that the tests read.
type completion struct {
	Object      string
	Model       string
	Fingerprint string `json:"system_fingerprint"`
	Choices     []struct {
		Message, Delta struct {
			Content   string
			Reasoning string     `json:"reasoning_content"`
			Calls     []toolCall `json:"tool_calls"`
		}
		FinishReason string `json:"finish_reason"`
	}
	Usage *struct {
		Prompt     int `json:"prompt_tokens"`
		Completion int `json:"completion_tokens"`
		Total      int `json:"total_tokens"`
	}
	Timings struct {
		PromptN    int     `json:"prompt_n"`
		PredictedN int     `json:"predicted_n"`
		PromptMS   float64 `json:"prompt_ms"`
	}
	Error struct {
		Code         any
		Type         string
		Message      string
		Param        any
		PromptTokens int `json:"n_prompt_tokens"`
		Context      int `json:"n_ctx"`
	}
}

// toolCall is a call in a message, or a part of one in a stream.
type toolCall struct {
	Index    int
	ID, Type string
	Function struct{ Name, Arguments string }
}

func post(t fatal, url string, body any) (int, []byte) {
	text, ok := body.(string)
	if !ok {
		b, err := json.Marshal(body)
		if err != nil {
			t.Fatalf("%v", err)
		}
		text = string(b)
	}
	resp, err := client.Post(url, "application/json", strings.NewReader(text))
	if err != nil {
		t.Fatalf("%v", err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return resp.StatusCode, b
}

// chat asks model a question, with further fields, and wants status.
func chat(t fatal, s *Server, status int, model, question string, more fields) completion {
	body := fields{"model": model, "temperature": 0, "messages": []fields{{"role": "user", "content": question}}}
	for k, v := range more {
		body[k] = v
	}
	got, b := post(t, s.URL+"/chat/completions", body)
	if got != status {
		t.Fatalf("status %d, want %d: %s", got, status, b)
	}
	var c completion
	if err := json.Unmarshal(b, &c); err != nil {
		t.Fatalf("%v in %s", err, b)
	}
	if status == http.StatusOK && (len(c.Choices) != 1 || c.Usage == nil) {
		t.Fatalf("one choice and the usage wanted: %s", b)
	}
	return c
}

const (
	reply    = "The tide turns at noon.\nIt turns again at midnight.\n\nANSWER: 71.50"
	thoughts = "Twelve hours apart.\nOr nearly."
)

// hardReply has what a tokenizer can trip over: repeats, a zero byte, the space
// mark, end-of-turn marks, and characters whose bytes come in separate tokens.
var hardReply = "aaaa aaaa aaaa\x00▁ <|im_end|></s> \"日本\" 👩‍👩‍👧 \ufffd" + strings.Repeat("é", 60) + "\r\n\n\t"

// callArguments has what counts braces and quotes wrongly if it can.
// A request's schema, whose order it follows, is sorted by encoding/json.
const callArguments = `{"days": [1, {"in": {}}], "place": "a }\"{ b"}`

func startAll(t *testing.T) *Server {
	return StartModels(t, map[string]Model{
		"right":       {Reply: reply},
		"hard:latest": {Reply: hardReply},
		"silent":      {Reply: ""},
		"thinker":     {Reply: reply, Options: []Option{Thinking(thoughts)}},
		"dice":        {Reply: "heads", Options: []Option{Alternatives("tails")}},
		"endless":     {Reply: "and so on, ", Options: []Option{Endless()}},
		"small":       {Reply: "and so on, ", Options: []Option{Endless(), TrainedContext(64)}},
		"stubborn":    {Reply: reply, Options: []Option{AlwaysThinking(thoughts)}},
		"stutter":     {Reply: "go", Options: []Option{Endless()}},
		"record":      {Reply: `{"city":"Brest", "gone": null, "tide": 3.5}`},
		"caller":      {Reply: "Let me look.\n" + ToolCall("tide", callArguments), Options: []Option{Tools()}},
		"twice":       {Reply: ToolCall("tide", `{}`) + "\n" + ToolCall("moon", `{"day": 1}`), Options: []Option{Tools(), Thinking(thoughts)}},
	}, ContextSize(2048))
}

func TestServer(t *testing.T) {
	s := startAll(t)
	t.Run("answer", func(t *testing.T) { testAnswer(t, s) })
	t.Run("limits", func(t *testing.T) { testLimits(t, s) })
	t.Run("context", func(t *testing.T) { testContext(t, s) })
	t.Run("thinking", func(t *testing.T) { testThinking(t, s) })
	t.Run("sampling", func(t *testing.T) { testSampling(t, s) })
	t.Run("stream", func(t *testing.T) { testStream(t, s) })
	t.Run("faults", func(t *testing.T) { testFaults(t, s) })
	t.Run("queue", func(t *testing.T) { testQueue(t, s) })
	t.Run("lists", func(t *testing.T) { testLists(t, s) })
	t.Run("props", func(t *testing.T) { testProps(t, s) })
	t.Run("count before sending", func(t *testing.T) { testCount(t, s) })
	t.Run("schema", func(t *testing.T) { testSchema(t, s) })
	t.Run("tools", func(t *testing.T) { testTools(t, s) })
	t.Run("tools streamed", func(t *testing.T) { testToolStream(t, s) })
	t.Run("ollama prompts", func(t *testing.T) { testOllamaPrompts(t, s) })
	t.Run("ollama lists", func(t *testing.T) { testOllamaLists(t, s) })
	t.Run("ollama loading", func(t *testing.T) { testOllamaLoading(t, s) })
	t.Run("ollama thinking", func(t *testing.T) { testOllamaThinking(t, s) })
	t.Run("ollama schema", func(t *testing.T) { testOllamaSchema(t, s) })
	t.Run("ollama tools", func(t *testing.T) { testOllamaTools(t, s) })
	t.Run("ollama limits", func(t *testing.T) { testOllamaLimits(t, s) })
	t.Run("ollama faults", func(t *testing.T) { testOllamaFaults(t, s) })
}

func testAnswer(t *testing.T, s *Server) {
	for model, want := range map[string]string{"right": reply, "hard:latest": hardReply, "silent": "", "thinker": reply, "dice": "heads"} {
		for _, question := range []string{"When does the tide turn?", "", reply, "<|assistant|><|direct|></s>", "潮は？"} {
			c := chat(t, s, 200, model, question, nil)
			choice := c.Choices[0]
			if choice.Message.Content != want || choice.FinishReason != "stop" || c.Model != model || c.Object != "chat.completion" {
				t.Errorf("%s, %q: answer %q, finish %q, model %q, object %q; want %q", model, question, choice.Message.Content, choice.FinishReason, c.Model, c.Object, want)
			}
			if c.Usage.Prompt < 4 || c.Usage.Completion < 1 || c.Usage.Total != c.Usage.Prompt+c.Usage.Completion {
				t.Errorf("%s, %q: usage %+v", model, question, *c.Usage)
			}
			if c.Timings.PromptN != c.Usage.Prompt || c.Timings.PredictedN != c.Usage.Completion || c.Timings.PromptMS <= 0 {
				t.Errorf("%s, %q: timings %+v do not fit usage %+v", model, question, c.Timings, *c.Usage)
			}
		}
	}
	// A prompt costs four tokens and its words.
	if c := chat(t, s, 200, "right", "", nil); c.Usage.Prompt != 4 {
		t.Errorf("an empty message costs %d tokens, want 4: begin, user, turn, assistant", c.Usage.Prompt)
	}
	// As in llama.cpp's server: what a message says in the template's own marks is read as marks.
	if c := chat(t, s, 200, "right", "<|turn|>", nil); c.Usage.Prompt != 5 {
		t.Errorf("a turn mark in a message costs %d tokens in all, want 5", c.Usage.Prompt)
	}
	parts := fields{"messages": []fields{
		{"role": "system", "content": "Be short."},
		{"role": "user", "content": []fields{{"type": "text", "text": "When"}, {"type": "text", "text": "?"}}},
	}}
	if c := chat(t, s, 200, "right", "", parts); c.Choices[0].Message.Content != reply {
		t.Errorf("answer to a message in parts: %q", c.Choices[0].Message.Content)
	}
}

func testLimits(t *testing.T, s *Server) {
	whole := chat(t, s, 200, "right", "When?", nil).Usage.Completion
	for _, name := range []string{"max_tokens", "max_completion_tokens"} {
		for limit := 1; limit <= whole+1; limit++ {
			c := chat(t, s, 200, "right", "When?", fields{name: limit})
			text, finish := c.Choices[0].Message.Content, c.Choices[0].FinishReason
			switch {
			case limit < whole && (finish != "length" || c.Usage.Completion != limit || !strings.HasPrefix(reply, text)):
				t.Errorf("%s %d: %d tokens %q, finish %q; want a beginning of the reply cut by length", name, limit, c.Usage.Completion, text, finish)
			case limit >= whole && (finish != "stop" || c.Usage.Completion != whole || text != reply):
				t.Errorf("%s %d: %d tokens %q, finish %q; want the whole reply", name, limit, c.Usage.Completion, text, finish)
			}
		}
	}
	c := chat(t, s, 200, "endless", "Go on.", fields{"max_tokens": 400})
	if text := c.Choices[0].Message.Content; c.Choices[0].FinishReason != "length" || c.Usage.Completion != 400 || strings.Count(text, "and so on, ") < 50 {
		t.Errorf("the endless model: %d tokens, finish %q, %q", c.Usage.Completion, c.Choices[0].FinishReason, text)
	}
}

func testContext(t *testing.T, s *Server) {
	long := strings.Repeat("the water and the stone ", 600)
	for _, stream := range []bool{false, true} {
		c := chat(t, s, 400, "right", long, fields{"stream": stream})
		if c.Error.Type != "exceed_context_size_error" || c.Error.Code != 400.0 || c.Error.Context != 2048 || c.Error.PromptTokens < 2048 {
			t.Errorf("stream %v: error %+v", stream, c.Error)
		}
		want := fmt.Sprintf("request (%d tokens) exceeds the available context size (2048 tokens), try increasing it", c.Error.PromptTokens)
		if c.Error.Message != want {
			t.Errorf("message %q, want %q", c.Error.Message, want)
		}
	}
	// Without a limit the context is one: it holds the prompt and the answer.
	c := chat(t, s, 200, "small", "Go on.", nil)
	if c.Choices[0].FinishReason != "length" || c.Usage.Total != 64 {
		t.Errorf("a full context: finish %q, usage %+v; want length at 64 tokens", c.Choices[0].FinishReason, *c.Usage)
	}
	if c := chat(t, s, 400, "small", strings.Repeat("x1", 64), nil); c.Error.Context != 64 {
		t.Errorf("the trained context does not bound the context: %+v", c.Error)
	}
}

func testThinking(t *testing.T, s *Server) {
	c := chat(t, s, 200, "thinker", "When?", nil)
	if m := c.Choices[0].Message; m.Reasoning != thoughts || m.Content != reply {
		t.Errorf("thinking %q, answer %q", m.Reasoning, m.Content)
	}
	for _, off := range []fields{{"chat_template_kwargs": fields{"enable_thinking": false}}, {"reasoning_effort": "none"}} {
		plain := chat(t, s, 200, "thinker", "When?", off)
		if m := plain.Choices[0].Message; m.Reasoning != "" || m.Content != reply || plain.Usage.Completion >= c.Usage.Completion {
			t.Errorf("%v: thinking %q, answer %q", off, m.Reasoning, m.Content)
		}
	}
	for limit := 1; limit < c.Usage.Completion; limit++ {
		cut := chat(t, s, 200, "thinker", "When?", fields{"max_tokens": limit})
		m := cut.Choices[0].Message
		if cut.Choices[0].FinishReason != "length" || !strings.HasPrefix(reply, m.Content) || m.Content != "" && m.Reasoning != thoughts {
			t.Errorf("cut after %d tokens: finish %q, thinking %q, answer %q", limit, cut.Choices[0].FinishReason, m.Reasoning, m.Content)
		}
	}
}

func testSampling(t *testing.T, s *Server) {
	seen := map[string]int{}
	for seed := range 40 {
		more := fields{"temperature": 1, "top_p": 1, "seed": seed}
		first, second := chat(t, s, 200, "dice", "?", more), chat(t, s, 200, "dice", "?", more)
		if a, b := first.Choices[0].Message.Content, second.Choices[0].Message.Content; a != b {
			t.Errorf("seed %d gives %q, then %q", seed, a, b)
		}
		seen[first.Choices[0].Message.Content]++
		more["top_p"] = 0.1
		if c := chat(t, s, 200, "dice", "?", more); c.Choices[0].Message.Content != "heads" {
			t.Errorf("seed %d with top_p 0.1: %q", seed, c.Choices[0].Message.Content)
		}
		if c := chat(t, s, 200, "dice", "?", fields{"seed": seed}); c.Choices[0].Message.Content != "heads" {
			t.Errorf("seed %d at temperature 0: %q", seed, c.Choices[0].Message.Content)
		}
	}
	if seen["heads"] < 8 || seen["tails"] < 8 || len(seen) != 2 {
		t.Errorf("40 seeds at temperature 1 give %v", seen)
	}
}

func testFaults(t *testing.T, s *Server) {
	const hi = `"messages": [{"role": "user", "content": "hi"}]`
	tests := []struct {
		name, path, body string
		status           int
		want             string // in the message
	}{
		{"unknown model", "/chat/completions", `{"model": "nope", ` + hi + `}`, 404, "The model 'nope' does not exist"},
		{"inherited name", "/chat/completions", `{"model": "constructor", ` + hi + `}`, 404, "'constructor'"},
		{"no model", "/chat/completions", `{` + hi + `}`, 400, "model"},
		{"malformed", "/chat/completions", `{"model": `, 400, "not valid JSON"},
		{"empty", "/chat/completions", ``, 400, "not valid JSON"},
		{"not UTF-8", "/chat/completions", "{\"model\": \"\xff\"}", 400, "not valid"},
		{"no object", "/chat/completions", `[1]`, 400, "JSON object"},
		{"no messages", "/chat/completions", `{"model": "right"}`, 400, "messages"},
		{"message without role", "/chat/completions", `{"model": "right", "messages": [{}]}`, 400, "messages[0]"},
		{"null message", "/chat/completions", `{"model": "right", "messages": [null]}`, 400, "messages[0]"},
		{"picture", "/chat/completions", `{"model": "right", "messages": [{"role": "user", "content": [{"type": "image_url"}]}]}`, 400, "must be text"},
		{"limit of zero", "/chat/completions", `{"model": "right", "max_tokens": 0, ` + hi + `}`, 400, "max_tokens"},
		{"limit in words", "/chat/completions", `{"model": "right", "max_tokens": "9", ` + hi + `}`, 400, "max_tokens"},
		{"temperature below zero", "/chat/completions", `{"model": "right", "temperature": -1, ` + hi + `}`, 400, "temperature"},
		{"broken seed", "/chat/completions", `{"model": "right", "seed": 1.5, ` + hi + `}`, 400, "whole number"},
		{"two answers", "/chat/completions", `{"model": "right", "n": 2, ` + hi + `}`, 400, "'n' is not supported"},
		{"thinking in words", "/chat/completions", `{"model": "right", "chat_template_kwargs": {"enable_thinking": "no"}, ` + hi + `}`, 400, "expected boolean, got string"},
		{"reasoning format", "/chat/completions", `{"model": "right", "reasoning_format": "xml", ` + hi + `}`, 400, "Unknown reasoning format: xml"},
		{"tool without a type", "/chat/completions", `{"model": "caller", "tools": [{}], ` + hi + `}`, 400, "Failed to parse tools"},
		{"tool without a name", "/chat/completions", `{"model": "caller", "tools": [{"type": "function", "function": {}}], ` + hi + `}`, 400, "needs a name"},
		{"tools of a model without", "/chat/completions", `{"model": "right", "tools": [{"type": "function", "function": {"name": "f"}}], ` + hi + `}`, 400, "has no tools"},
		{"tool choice", "/chat/completions", `{"model": "caller", "tool_choice": "perhaps", ` + hi + `}`, 400, "Invalid tool_choice: perhaps"},
		{"arguments that are no JSON", "/chat/completions", `{"model": "caller", "messages": [{"role": "assistant", "tool_calls": [{"type": "function", "function": {"name": "f", "arguments": "{"}}]}]}`, 400, "are not JSON"},
		{"unknown format", "/chat/completions", `{"model": "right", "response_format": {"type": "xml"}, ` + hi + `}`, 400, "but got: xml"},
		{"schema in words", "/chat/completions", `{"model": "right", "response_format": {"type": "json_schema", "json_schema": {"schema": "x"}}, ` + hi + `}`, 400, "must be an object"},
		{"schema with a pattern", "/chat/completions", `{"model": "right", "response_format": {"type": "json_schema", "json_schema": {"schema": {"type": "string", "pattern": "^a$"}}}, ` + hi + `}`, 400, "'pattern' is not supported"},
		{"schema that leads nowhere", "/chat/completions", `{"model": "right", "response_format": {"type": "json_schema", "json_schema": {"schema": {"$ref": "#/$defs/a"}}}, ` + hi + `}`, 400, "leads nowhere"},
		{"unknown route", "/completions", `{}`, 404, "no such route"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			status, b := post(t, s.URL+test.path, test.body)
			var c completion
			if err := json.Unmarshal(b, &c); err != nil {
				t.Fatalf("%v in %s", err, b)
			}
			if status != test.status || !strings.Contains(c.Error.Message, test.want) || c.Error.Type == "" {
				t.Errorf("status %d, want %d; error %+v, want %q in it", status, test.status, c.Error, test.want)
			}
		})
	}
	if c := chat(t, s, 404, "nope", "hi", nil); c.Error.Code != "model_not_found" || c.Error.Param != "model" {
		t.Errorf("an unknown model's error is not OpenAI's: %+v", c.Error)
	}
	resp, err := client.Get(s.URL + "/chat/completions")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("GET on completions: status %d", resp.StatusCode)
	}
	chat(t, s, 200, "right", "Still there?", nil)
}

func testQueue(t *testing.T, s *Server) {
	var group sync.WaitGroup
	for i := range 12 {
		model, want := "right", reply
		if i%3 == 0 {
			model, want = "dice", "heads"
		}
		group.Go(func() {
			text, err := json.Marshal(fields{"model": model, "temperature": 0, "messages": []fields{{"role": "user", "content": fmt.Sprint(i)}}})
			if err != nil {
				t.Error(err)
				return
			}
			resp, err := client.Post(s.URL+"/chat/completions", "application/json", bytes.NewReader(text))
			if err != nil {
				t.Error(err)
				return
			}
			defer resp.Body.Close()
			var c completion
			if err := json.NewDecoder(resp.Body).Decode(&c); err != nil || len(c.Choices) != 1 || c.Choices[0].Message.Content != want {
				t.Errorf("request %d: %v, %+v, want %q", i, err, c, want)
			}
		})
	}
	group.Wait()
}

// Random replies, answered by llama.cpp itself. More models than stay loaded.
func TestServerAnyReply(t *testing.T) {
	models := map[string]string{"long": strings.Repeat("A line that comes again.\n", 800)}
	for i := range 24 {
		models[fmt.Sprintf("random/%d", i)] = anyText().Example(i)
	}
	s := Start(t, models)
	for name, want := range models {
		if got := chat(t, s, 200, name, "Well?", nil).Choices[0].Message.Content; got != want {
			t.Errorf("%s answers %q, want %q", name, got, want)
		}
	}
}

var _ fatal = (*rapid.T)(nil)
