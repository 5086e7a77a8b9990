package llamatest

import (
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"
)

func get(t fatal, url string) (int, []byte) {
	resp, err := client.Get(url)
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
	if status, b := get(t, s.BaseURL()+"/health"); status != 200 || string(b) != `{"status":"ok"}` {
		t.Errorf("health: status %d, %s", status, b)
	}
	status, b := get(t, s.URL+"/models")
	var list struct {
		Object string
		Data   []struct {
			ID, Object string
			OwnedBy    string `json:"owned_by"`
			Meta       struct {
				VocabType int   `json:"vocab_type"`
				Vocab     int   `json:"n_vocab"`
				Context   int   `json:"n_ctx"`
				Trained   int   `json:"n_ctx_train"`
				Width     int   `json:"n_embd"`
				Params    int64 `json:"n_params"`
				Size      int64
				Ftype     string
			}
		}
	}
	if err := json.Unmarshal(b, &list); err != nil || status != 200 || list.Object != "list" || len(list.Data) != len(s.manifest.Models) {
		t.Fatalf("models: status %d, %v, %s", status, err, b)
	}
	for _, m := range list.Data {
		file, err := os.ReadFile(s.File(m.ID))
		if err != nil {
			t.Fatal(err)
		}
		p := parse(t, file)
		var params, size int64
		for _, tensor := range p.tensors {
			n := int64(1)
			for _, d := range tensor.dims {
				n *= int64(d)
			}
			params += n
			size += int64(len(tensor.data))
		}
		trained := int(p.meta["llama.context_length"].(uint32))
		got := m.Meta
		if m.Object != "model" || m.OwnedBy != "llamacpp" || got.VocabType != 1 || got.Vocab != len(p.meta["tokenizer.ggml.tokens"].([]any)) ||
			got.Context != min(trained, 2048) || got.Trained != trained || got.Width != int(p.meta["llama.embedding_length"].(uint32)) ||
			got.Params != params || got.Size != size || got.Ftype != "F16" {
			t.Errorf("%+v is not what the file says: %d parameters in %d bytes", m, params, size)
		}
	}
}
