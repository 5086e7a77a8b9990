package llamatest

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
)

// events reads a stream to its end and checks that it is one.
func events(t *testing.T, s *Server, body fields) (chunks []completion, done bool) {
	t.Helper()
	_, b := post(t, s.URL+"/chat/completions", body)
	for line := range strings.SplitSeq(strings.TrimSuffix(string(b), "\n\n"), "\n\n") {
		data, ok := strings.CutPrefix(line, "data: ")
		if !ok || done {
			t.Fatalf("line %q (after [DONE]: %v)", line, done)
		}
		if data == "[DONE]" {
			done = true
			continue
		}
		var c completion
		if err := json.Unmarshal([]byte(data), &c); err != nil {
			t.Fatalf("%v in %q", err, data)
		}
		chunks = append(chunks, c)
	}
	return chunks, done
}

func testStream(t *testing.T, s *Server) {
	for model, want := range map[string]string{"right": reply, "hard:latest": hardReply, "silent": "", "thinker": reply} {
		body := fields{"model": model, "temperature": 0, "stream": true, "messages": []fields{{"role": "user", "content": "When?"}}}
		whole := chat(t, s, 200, model, "When?", nil)
		for _, usage := range []bool{false, true} {
			body["stream_options"] = fields{"include_usage": usage}
			chunks, done := events(t, s, body)
			var text, thinking, finish string
			var last completion
			for _, c := range chunks {
				if c.Object != "chat.completion.chunk" || c.Model != model {
					t.Errorf("%s: chunk %+v", model, c)
				}
				for _, choice := range c.Choices {
					if finish != "" {
						t.Errorf("%s: a choice after finish_reason", model)
					}
					text += choice.Delta.Content
					thinking += choice.Delta.Reasoning
					finish = choice.FinishReason
				}
				last = c
			}
			if !done || text != want || finish != "stop" || thinking != whole.Choices[0].Message.Reasoning {
				t.Errorf("%s: done %v, text %q, thinking %q, finish %q", model, done, text, thinking, finish)
			}
			if usage != (last.Usage != nil) || usage && (len(last.Choices) != 0 || *last.Usage != *whole.Usage) {
				t.Errorf("%s: last chunk %+v, usage asked: %v", model, last, usage)
			}
			if model == "right" && len(chunks) < 8 {
				t.Errorf("only %d chunks: not sent as they came", len(chunks))
			}
		}
	}
}

func testLists(t *testing.T, s *Server) {
	for url, want := range map[string]string{s.URL + "/models": `"id":"hard:latest"`, s.Root + "/health": `{"status":"ok"}`} {
		resp, err := client.Get(url)
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != 200 || !strings.Contains(string(b), want) {
			t.Errorf("%s: status %d, %v, %s", url, resp.StatusCode, err, b)
		}
	}
}

// ollamaReply is a line of Ollama's chat.
type ollamaReply struct {
	Message         struct{ Role, Content, Thinking string }
	Done            bool
	DoneReason      string `json:"done_reason"`
	PromptEvalCount int    `json:"prompt_eval_count"`
	EvalCount       int    `json:"eval_count"`
	Error           string
}

func testOllama(t *testing.T, s *Server) {
	long := strings.Repeat("the water and the stone ", 100)
	tests := []struct {
		name           string
		more           fields
		status         int
		text, thinking string
		reason         string
		prompt         int // 0: any
	}{
		{"plain", fields{"stream": false}, 200, reply, thoughts, "stop", 0},
		{"streamed unless told otherwise", fields{}, 200, reply, thoughts, "stop", 0},
		{"no thinking", fields{"think": false}, 200, reply, "", "stop", 0},
		{"limit", fields{"think": false, "options": fields{"num_predict": 1}}, 200, "The", "", "length", 0},
		// Ollama cuts to n - (n - keep)/2 tokens, keep being 4 and the begin token, and says nothing.
		{"long prompt", fields{"options": fields{"num_ctx": 128}, "messages": []fields{{"role": "user", "content": long}}}, 200, reply, thoughts, "stop", 67},
		{"long prompt, not to be cut", fields{"truncate": false, "options": fields{"num_ctx": 128}, "messages": []fields{{"role": "user", "content": long}}}, 400, "", "", "", 0},
		{"oldest message dropped", fields{"options": fields{"num_ctx": 128}, "messages": []fields{{"role": "user", "content": long}, {"role": "user", "content": ""}}}, 200, reply, thoughts, "stop", 4},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			body := fields{"model": "thinker", "messages": []fields{{"role": "user", "content": "When?"}}}
			for k, v := range test.more {
				body[k] = v
			}
			status, b := post(t, s.Root+"/api/chat", body)
			if status != test.status {
				t.Fatalf("status %d: %s", status, b)
			}
			var text, thinking string
			var last ollamaReply
			for line := range bytes.Lines(b) {
				last = ollamaReply{}
				if err := json.Unmarshal(line, &last); err != nil {
					t.Fatalf("%v in %s", err, line)
				}
				text += last.Message.Content
				thinking += last.Message.Thinking
			}
			if status != 200 {
				if !strings.Contains(last.Error, "exceeds the available context size (128 tokens)") {
					t.Errorf("error %q", last.Error)
				}
				return
			}
			if text != test.text || thinking != test.thinking || !last.Done || last.DoneReason != test.reason || last.EvalCount < 1 {
				t.Errorf("text %q, thinking %q, last line %+v", text, thinking, last)
			}
			if test.prompt > 0 && last.PromptEvalCount != test.prompt {
				t.Errorf("%d prompt tokens, want %d", last.PromptEvalCount, test.prompt)
			}
		})
	}
}
