package llamatest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// ollamaReply is a line of Ollama's chat.
type ollamaReply struct {
	Model   string
	Created string `json:"created_at"`
	Message struct {
		Role, Content, Thinking string
		Calls                   []struct {
			ID       string
			Function struct {
				Index     int
				Name      string
				Arguments json.RawMessage
			}
		} `json:"tool_calls"`
	}
	Done            bool
	DoneReason      string `json:"done_reason"`
	Total           int64  `json:"total_duration"`
	Load            int64  `json:"load_duration"`
	PromptEvalCount int    `json:"prompt_eval_count"`
	PromptEval      int64  `json:"prompt_eval_duration"`
	EvalCount       int    `json:"eval_count"`
	Eval            int64  `json:"eval_duration"`
	Error           string
}

// ask sends a question to Ollama's chat and returns the last line, with the
// text, the thinking and the calls of all lines in it.
func ask(t *testing.T, s *Server, status int, model, question string, more fields) ollamaReply {
	t.Helper()
	body := fields{"model": model, "messages": []fields{{"role": "user", "content": question}}}
	for k, v := range more {
		body[k] = v
	}
	got, b := post(t, s.OllamaURL()+"/api/chat", body)
	if got != status {
		t.Fatalf("status %d, want %d: %s", got, status, b)
	}
	var last ollamaReply
	for line := range bytes.Lines(b) {
		next := ollamaReply{}
		if err := json.Unmarshal(line, &next); err != nil || last.Done {
			t.Fatalf("%v in %s (after the final line: %v)", err, line, last.Done)
		}
		next.Message.Content = last.Message.Content + next.Message.Content
		next.Message.Thinking = last.Message.Thinking + next.Message.Thinking
		next.Message.Calls = append(last.Message.Calls, next.Message.Calls...)
		last = next
	}
	if status == 200 && (last.Model != model || last.Message.Role != "assistant" || last.Created == "") {
		t.Errorf("%+v", last)
	}
	return last
}

// with are options that make an answer certain.
func with(options fields) fields {
	all := fields{"temperature": 0, "seed": 1, "num_ctx": 2048, "num_predict": 256, "repeat_penalty": 1}
	for k, v := range options {
		all[k] = v
	}
	return fields{"stream": false, "options": all}
}

var longPrompt = strings.Repeat("the water and the stone ", 100)

func testOllamaPrompts(t *testing.T, s *Server) {
	long := fields{"role": "user", "content": longPrompt}
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
		{"long prompt", fields{"options": fields{"num_ctx": 128}, "messages": []fields{long}}, 200, reply, thoughts, "stop", 67},
		{"long prompt, more kept", fields{"options": fields{"num_ctx": 128, "num_keep": 60}, "messages": []fields{long}}, 200, reply, thoughts, "stop", 95},
		{"oldest message dropped", fields{"options": fields{"num_ctx": 128}, "messages": []fields{long, {"role": "user", "content": ""}}}, 200, reply, thoughts, "stop", 4},
		{"system message kept", fields{"options": fields{"num_ctx": 128}, "messages": []fields{{"role": "system", "content": "x"}, long, {"role": "user", "content": ""}}}, 200, reply, thoughts, "stop", 7},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			last := ask(t, s, test.status, "thinker", "When?", test.more)
			if last.Message.Content != test.text || last.Message.Thinking != test.thinking || !last.Done || last.DoneReason != test.reason || last.EvalCount < 1 {
				t.Errorf("%+v", last)
			}
			if test.prompt > 0 && last.PromptEvalCount != test.prompt {
				t.Errorf("%d prompt tokens, want %d", last.PromptEvalCount, test.prompt)
			}
		})
	}
	// The count is that of llama.cpp's own wire for the same prompt.
	want := chat(t, s, 200, "thinker", longPrompt, nil).Usage.Prompt
	if got := ask(t, s, 200, "thinker", longPrompt, with(nil)).PromptEvalCount; got != want {
		t.Errorf("%d prompt tokens, %d by the other wire", got, want)
	}
	// What llama.cpp says of a prompt that is not to be cut is handed on as a text.
	for _, stream := range []bool{false, true} {
		var refused struct {
			Error struct {
				Code         int
				Type         string
				PromptTokens int `json:"n_prompt_tokens"`
				Context      int `json:"n_ctx"`
			}
		}
		last := ask(t, s, 400, "thinker", longPrompt, fields{"stream": stream, "truncate": false, "options": fields{"num_ctx": 128}})
		if err := json.Unmarshal([]byte(last.Error), &refused); err != nil || refused.Error.Code != 400 || refused.Error.Type != "exceed_context_size_error" ||
			refused.Error.PromptTokens != want || refused.Error.Context != 128 {
			t.Errorf("%v, %s", err, last.Error)
		}
	}
	if last := ask(t, s, 400, "thinker", longPrompt, fields{"shift": false, "options": fields{"num_ctx": 128}}); !strings.HasPrefix(last.Error, "the prompt is longer than the context length") {
		t.Errorf("cut in two minds: %s", last.Error)
	}
	if _, b := post(t, s.OllamaURL()+"/api/chat", fields{"model": "thinker", "think": false, "_debug_render_only": true, "messages": []fields{{"role": "user", "content": "?"}}}); !strings.Contains(string(b), `"rendered_template":"<|user|>?<|turn|><|assistant|><|direct|>"`) {
		t.Errorf("rendered only: %s", b)
	}
}

func testOllamaLists(t *testing.T, s *Server) {
	if status, b := get(t, s.OllamaURL()+"/api/version"); status != 200 || string(b) != `{"version":"0.32.15"}` {
		t.Errorf("version: status %d, %s", status, b)
	}
	if status, b := get(t, s.OllamaURL()+"/"); status != 200 || string(b) != "Ollama is running" {
		t.Errorf("root: status %d, %s", status, b)
	}
	type details struct {
		Format, Family string
		ParameterSize  string `json:"parameter_size"`
		Quantization   string `json:"quantization_level"`
		Context        int    `json:"context_length"`
	}
	var tags struct {
		Models []struct {
			Name, Model, Digest string
			Size                int64
			Modified            time.Time `json:"modified_at"`
			Details             details
			Capabilities        []string
		}
	}
	if _, b := get(t, s.OllamaURL()+"/api/tags"); json.Unmarshal(b, &tags) != nil || len(tags.Models) != len(s.manifest.Models) {
		t.Fatalf("tags: %s", b)
	}
	digests := map[string]string{}
	able := map[string]string{}
	for _, m := range tags.Models {
		name := strings.TrimSuffix(m.Name, ":latest")
		if name == "hard" {
			name = m.Name
		}
		file, err := os.ReadFile(s.File(name))
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(file)
		if m.Name != m.Model || !strings.Contains(m.Name, ":") || m.Digest != hex.EncodeToString(sum[:]) || m.Size != int64(len(file)) || time.Since(m.Modified) > time.Hour ||
			m.Details.Format != "gguf" || m.Details.Family != "llama" || m.Details.Quantization != "F16" || !strings.HasSuffix(m.Details.ParameterSize, "K") {
			t.Errorf("%+v", m)
		}
		digests[m.Name] = m.Digest
		able[m.Name] = strings.Join(m.Capabilities, " ")
	}
	if len(digests) != len(s.manifest.Models) {
		t.Errorf("two models of one name: %v", digests)
	}
	for name, want := range map[string]string{"right:latest": "completion", "thinker:latest": "completion thinking", "caller:latest": "completion tools", "twice:latest": "completion tools thinking"} {
		if able[name] != want {
			t.Errorf("%s can do %q, want %q", name, able[name], want)
		}
	}
	var show struct {
		Template     string
		Details      details
		Info         map[string]any `json:"model_info"`
		Capabilities []string
	}
	for key, name := range map[string]string{"model": "small:latest", "name": "small"} {
		if status, b := post(t, s.OllamaURL()+"/api/show", fields{key: name}); status != 200 || json.Unmarshal(b, &show) != nil {
			t.Fatalf("show: status %d, %s", status, b)
		}
		tokens, there := show.Info["tokenizer.ggml.tokens"]
		if show.Template != newScript("", nil).jinja() || show.Info["llama.context_length"] != 64.0 || show.Info["general.architecture"] != "llama" || show.Info["llama.attention.key_length"] != 32.0 || show.Info["llama.attention.layer_norm_rms_epsilon"] != 1e-6 ||
			show.Info["general.name"] != nil || show.Info["tokenizer.chat_template"] != nil || !there || tokens != nil || fmt.Sprint(show.Capabilities) != "[completion]" || show.Details.Quantization != "F16" {
			t.Errorf("show: %+v", show)
		}
	}
	if _, b := post(t, s.OllamaURL()+"/api/show", fields{"model": "small", "verbose": true}); !strings.Contains(string(b), `"tokenizer.ggml.tokens":["<unk>"`) {
		t.Error("show does not tell the tokens when it is to be verbose")
	}
}

// running is what /api/ps says of a model; nil when it is not loaded.
type running struct {
	Name, Digest string
	Size         int64
	VRAM         *int64    `json:"size_vram"`
	Context      int       `json:"context_length"`
	Expires      time.Time `json:"expires_at"`
}

func ps(t *testing.T, s *Server, name string) *running {
	t.Helper()
	var list struct{ Models []running }
	if _, b := get(t, s.OllamaURL()+"/api/ps"); json.Unmarshal(b, &list) != nil {
		t.Fatalf("ps: %s", b)
	}
	for _, m := range list.Models {
		if m.Name == name {
			return &m
		}
	}
	return nil
}

func testOllamaLoading(t *testing.T, s *Server) {
	unload := func() {
		t.Helper()
		if last := ask(t, s, 200, "right", "", fields{"messages": []fields{}, "keep_alive": 0}); last.DoneReason != "unload" || ps(t, s, "right:latest") != nil {
			t.Fatalf("%+v, %+v", last, ps(t, s, "right:latest"))
		}
	}
	unload()
	first, second, other := ask(t, s, 200, "right", "?", with(nil)), ask(t, s, 200, "right", "?", with(nil)), ask(t, s, 200, "right", "?", with(fields{"num_ctx": 1024}))
	// A model of 1 MB loads in some 10 ms, and finding one loaded takes none.
	if first.Load < int64(time.Millisecond) || other.Load < int64(time.Millisecond) || second.Load > first.Load/2 || second.Load > other.Load/2 {
		t.Errorf("loading took %d ns, then %d, and %d with another context", first.Load, second.Load, other.Load)
	}
	for _, r := range []ollamaReply{first, second, other} {
		if r.Message.Content != reply || r.PromptEval <= 0 || r.Eval <= 0 || r.Total < r.Load+r.PromptEval+r.Eval {
			t.Errorf("%+v", r)
		}
	}
	for name, test := range map[string]struct{ asked, want int }{"right": {1024, 1024}, "small": {2048, 64}, "endless": {0, 2048}} {
		ask(t, s, 200, name, "?", with(fields{"num_ctx": test.asked, "num_predict": 4}))
		m := ps(t, s, name+":latest")
		if m == nil || m.Context != test.want || m.VRAM == nil || *m.VRAM != 0 || m.Size < 300_000 || len(m.Digest) != 64 {
			t.Errorf("%s, context %d: %+v, want context %d", name, test.asked, m, test.want)
		}
	}
	for keep, want := range map[any]time.Duration{"1h30m": 90 * time.Minute, 20: 20 * time.Second, nil: 5 * time.Minute} {
		more := with(nil)
		more["keep_alive"] = keep
		ask(t, s, 200, "right", "?", more)
		if m := ps(t, s, "right:latest"); m == nil || time.Until(m.Expires) > want || time.Until(m.Expires) < want-10*time.Second {
			t.Errorf("kept for %v: %+v", keep, m)
		}
	}
	more := with(nil)
	more["keep_alive"] = "100ms"
	ask(t, s, 200, "right", "?", more)
	for range 100 {
		if ps(t, s, "right:latest") == nil {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if m := ps(t, s, "right:latest"); m != nil {
		t.Errorf("not gone when its time was up: %+v", m)
	}
	if last := ask(t, s, 200, "right", "", fields{"messages": []fields{}, "keep_alive": -1}); last.DoneReason != "load" || ps(t, s, "right:latest") == nil {
		t.Errorf("loaded for ever: %+v", last)
	}
	unload()
}

func TestOllamaVersions(t *testing.T) {
	start := func(version string) *Server {
		return StartModels(t, map[string]Model{"right": {Reply: reply}}, OllamaVersion(version))
	}
	long := func(s *Server, status int) ollamaReply {
		t.Helper()
		more := with(fields{"num_ctx": 128})
		more["truncate"], more["shift"] = false, false
		return ask(t, s, status, "right", longPrompt, more)
	}
	// counts are those of three prompts by Ollama, the second of which is the first again, and by llama.cpp.
	counts := func(s *Server) (n, want [3]int) {
		for i, question := range []string{"When does it turn?", "When does it turn?", "When?"} {
			n[i] = ask(t, s, 200, "right", question, with(nil)).PromptEvalCount
			want[i] = chat(t, s, 200, "right", question, nil).Usage.Prompt
		}
		return n, want
	}
	cached := start("0.30.0")
	if got, want := counts(cached); got[0] != want[0] || got[1] != 1 || got[2] < 1 || got[2] >= want[2] {
		t.Errorf("0.30.0 counts %v, without its cache %v", got, want)
	}
	before := start("0.17.4-rc1")
	if got, want := counts(before); got != want {
		t.Errorf("0.17.4 counts %v, want %v", got, want)
	}
	if last := long(before, 400); last.Error != "the input length exceeds the context length" {
		t.Errorf("0.17.4 refuses with %q", last.Error)
	}
	old := start("0.12.4")
	if last := long(old, 200); last.PromptEvalCount != 67 || last.Message.Content != reply {
		t.Errorf("0.12.4 does not cut: %+v", last)
	}
	if _, b := get(t, old.OllamaURL()+"/api/version"); string(b) != `{"version":"0.12.4"}` {
		t.Errorf("version %s", b)
	}
}

func TestSet(t *testing.T) {
	s := Start(t, map[string]string{"right": "before"})
	digest := func() string {
		var tags struct{ Models []struct{ Digest string } }
		if _, b := get(t, s.OllamaURL()+"/api/tags"); json.Unmarshal(b, &tags) != nil || len(tags.Models) != 1 {
			t.Fatalf("%s", b)
		}
		return tags.Models[0].Digest
	}
	first := digest()
	if last := ask(t, s, 200, "right", "?", with(nil)); last.Message.Content != "before" {
		t.Fatalf("%+v", last)
	}
	s.Set(t, "right", Model{Reply: "after", Options: []Option{Thinking("hm")}})
	if last := ask(t, s, 200, "right", "?", with(nil)); last.Message.Content != "after" || last.Message.Thinking != "hm" || last.Load < int64(time.Millisecond) {
		t.Errorf("%+v", last)
	}
	if second := digest(); second == first {
		t.Errorf("the digest is still %s", second)
	}
	s.Set(t, "small/one", Model{Reply: "more", Options: []Option{TrainedContext(128)}})
	if last := ask(t, s, 200, "small/one:latest", "?", with(nil)); last.Message.Content != "more" || ps(t, s, "small/one:latest").Context != 128 {
		t.Errorf("a further model: %+v", last)
	}
}

func TestOneModel(t *testing.T) {
	s := Start(t, map[string]string{"right": "after"})
	// One model needs no name on llama.cpp's wire.
	if status, b := get(t, s.BaseURL()+"/props"); status != 200 || !strings.Contains(string(b), `"model_alias":"right"`) {
		t.Errorf("props: status %d, %s", status, b)
	}
	if _, b := post(t, s.URL+"/chat/completions", fields{"messages": []fields{{"role": "user", "content": "?"}}}); !strings.Contains(string(b), `"content":"after"`) {
		t.Errorf("without a model's name: %s", b)
	}
}
