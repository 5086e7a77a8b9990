package openai

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/assaybench/assay/internal/llamatest"
	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/modeltest"
	"github.com/assaybench/assay/record"
)

// llama makes a model over a real llama.cpp, which serves one scripted model.
func llama(t testing.TB, m llamatest.Model, opts ...llamatest.ServerOption) *Model {
	t.Helper()
	return at(t, llamatest.StartModels(t, map[string]llamatest.Model{"mock-1": m}, opts...).URL)
}

// TestLlamaConformance puts the provider through the suite with a real model server behind it.
func TestLlamaConformance(t *testing.T) {
	modeltest.Run(t, modeltest.Subject{
		Can:     modeltest.CanThink | modeltest.CanWait | modeltest.HasWire,
		Secrets: []string{testKey},
		Answers: []string{"", "ok", "ANSWER: 71.50", "two\r\nlines\n", "日本語 – “curly” 🦊", `{"a": "\u0041"}`},
		New: func(t testing.TB, act modeltest.Act) model.Model {
			script := llamatest.Model{Reply: act.Answer}
			if act.Thinking != "" {
				script.Options = append(script.Options, llamatest.Thinking(act.Thinking))
			}
			if act.Delay > 0 {
				script.Options = append(script.Options, llamatest.Endless())
			}
			return llama(t, script)
		},
	})
}

// TestLlama looks at what only a real server shows: counts, limits and what it says of itself.
func TestLlama(t *testing.T) {
	ask := func(t *testing.T, m *Model, req model.Request) (model.Reply, record.Transcript) {
		t.Helper()
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Minute, model.ErrTimeLimit)
		defer cancel()
		rep, err := m.Call(ctx, req)
		return rep, model.Transcribe(req, rep, err)
	}
	zero := 0.0
	short := model.Request{Messages: []model.Message{{Role: "user", Text: "Say it."}}, Temperature: &zero, MaxOutput: 64}
	t.Run("counts", func(t *testing.T) {
		rep, tr := ask(t, llama(t, llamatest.Model{Reply: "ANSWER: 42"}), short)
		if tr.Outcome != record.Answered || tr.Answer != "ANSWER: 42" || rep.Usage.Prompt == nil || *rep.Usage.Prompt < 3 || rep.Usage.Output == nil {
			t.Errorf("%s, %q, usage %+v", tr.Outcome, tr.Answer, rep.Usage)
		}
	})
	t.Run("cut by the limit", func(t *testing.T) {
		req := short
		req.MaxOutput = 2
		_, tr := ask(t, llama(t, llamatest.Model{Reply: "one two three four five six seven"}), req)
		if tr.Outcome != record.Truncated || !strings.HasPrefix("one two three four five six seven", tr.Answer) || tr.Finish != "length" {
			t.Errorf("%s, %q, finish %q", tr.Outcome, tr.Answer, tr.Finish)
		}
	})
	t.Run("over the context", func(t *testing.T) {
		req := short
		req.Messages = []model.Message{{Role: "user", Text: strings.Repeat("many words of a long prompt ", 400)}}
		_, tr := ask(t, llama(t, llamatest.Model{Reply: "ok"}, llamatest.ContextSize(256)), req)
		if tr.Outcome != record.Undelivered || tr.Delivery.State != "undelivered" {
			t.Errorf("%s, %s", tr.Outcome, tr.Reason)
		}
	})
	t.Run("delivered", func(t *testing.T) {
		req := short
		req.Messages = []model.Message{{Role: "user", Text: strings.Repeat("many words of a long prompt ", 100)}}
		m := llama(t, llamatest.Model{Reply: "ok"})
		if _, err := m.Identify(t.Context()); err != nil {
			t.Fatal(err)
		}
		_, tr := ask(t, m, req)
		if tr.Outcome != record.Answered || tr.Delivery.State != model.Delivered || tr.Delivery.Proof != "exact" {
			t.Errorf("%s, %+v", tr.Outcome, tr.Delivery)
		}
	})
	t.Run("thinking switched off", func(t *testing.T) {
		m := llama(t, llamatest.Model{Reply: "ok", Options: []llamatest.Option{llamatest.Thinking("hm")}})
		for posture, want := range map[model.Thinking]string{model.ThinkingOff: "", model.ThinkingOn: "hm"} {
			req := short
			req.Thinking = posture
			if _, tr := ask(t, m, req); tr.Answer != "ok" || strings.TrimSpace(tr.Thinking) != want {
				t.Errorf("thinking %s: %q, thought %q (%s)", posture, tr.Answer, tr.Thinking, tr.Reason)
			}
		}
	})
	t.Run("a model that is not there", func(t *testing.T) {
		m := llama(t, llamatest.Model{Reply: "ok"})
		m.Spec.Name = "another"
		_, err := m.Call(t.Context(), short)
		if f := model.AsFault(err); f.Kind != model.FaultNoModel {
			t.Errorf("got %v", err)
		}
	})
	t.Run("identity", func(t *testing.T) {
		m := llama(t, llamatest.Model{Reply: "ok"}, llamatest.ContextSize(512))
		id, err := m.Identify(t.Context())
		if err != nil || id.Details["listed"] != "yes" || id.Model != "mock-1" || id.Context != 512 || !strings.HasPrefix(id.Server, "llama.cpp ") || len(id.Details["chat_template_sha256"]) != 64 {
			t.Errorf("%+v, %v", id, err)
		}
		if s := m.Server(); s.Software != LlamaCPP || s.Loaded != 512 || !s.Enforces || !s.Refuses {
			t.Errorf("%+v", s)
		}
		held, err := m.List(t.Context())
		if err != nil || len(held) != 1 || held[0].Name != "mock-1" || held[0].Context != 512 || held[0].Bytes == 0 {
			t.Errorf("%+v, %v", held, err)
		}
		t.Logf("identity: %+v, server %+v", id, m.Server())
	})
}

// TestLlamaCount holds the count before the call against the server's own count of the call, for every way in which a
// prompt can be rendered.
func TestLlamaCount(t *testing.T) {
	zero := 0.0
	m := llama(t, llamatest.Model{Reply: "ok", Options: []llamatest.Option{llamatest.Thinking("hm"), llamatest.Tools()}}, llamatest.ContextSize(2048))
	if _, err := m.Prepare(t.Context(), model.Request{Messages: []model.Message{{Role: "user", Text: "x"}}}); err != nil {
		t.Fatal(err)
	}
	user := model.Message{Role: "user", Text: "Say “it”. <|im_end|> </s> 日本語 🦊 <think>"}
	tools := []model.Tool{{Name: "tide", Description: "When it turns.", Input: []byte(`{"type":"object","properties":{"place":{"type":"string"}}}`)}}
	turn := model.Message{Role: "assistant", Text: "Let me look.", Thinking: "hm, hm", Calls: []record.ToolCall{{ID: "c1", Name: "tide", Arguments: `{"place": "Brest"}`}}}
	for name, req := range map[string]model.Request{
		"plain":        {Messages: []model.Message{user}},
		"system":       {Messages: []model.Message{{Role: "system", Text: "Be brief."}, user, {Role: "assistant", Text: "It."}, user}},
		"thinking off": {Messages: []model.Message{user}, Thinking: model.ThinkingOff},
		"thinking on":  {Messages: []model.Message{user}, Thinking: model.ThinkingOn},
		"tools":        {Messages: []model.Message{user}, Tools: tools},
		"a result":     {Messages: []model.Message{user, turn, {Role: "tool", CallID: "c1", Tool: "tide", Text: "at noon"}}, Tools: tools},
		"long":         {Messages: []model.Message{{Role: "user", Text: strings.Repeat("many words of a long prompt ", 60)}}},
	} {
		req.Temperature, req.MaxOutput = &zero, 32
		for try := range 2 { // the second time from what is remembered
			rep, err := m.Call(t.Context(), req)
			if err != nil || rep.Usage.Prompt == nil || rep.Prompt.Exact != *rep.Usage.Prompt || rep.Prompt.Exact < 5 || rep.Prompt.Loaded != 2048 {
				t.Errorf("%s, try %d: counted %+v, used %v, %v", name, try, rep.Prompt, rep.Usage.Prompt, err)
				break
			}
			if len(m.counts.young) == 0 {
				t.Errorf("%s: nothing is remembered", name)
			}
		}
	}
	long := model.Request{Messages: []model.Message{{Role: "user", Text: strings.Repeat("many words of a long prompt ", 800)}}, Temperature: &zero, MaxOutput: 32}
	rep, err := m.Call(t.Context(), long)
	if f := model.AsFault(err); err == nil || f.Kind != model.FaultContext || !strings.Contains(f.Msg, "available context size (2048 tokens)") {
		t.Errorf("over the context: %+v, %v", rep, err)
	}
}

// TestLlamaSchema: a grammar holds a model to the schema, whatever it would have said.
func TestLlamaSchema(t *testing.T) {
	zero := 0.0
	m := llama(t, llamatest.Model{Reply: "I would rather not say.", Options: []llamatest.Option{llamatest.Alternatives(`{"turns":"noon"}`)}})
	req := model.Request{Messages: []model.Message{{Role: "user", Text: "When?"}}, Temperature: &zero, MaxOutput: 200,
		Schema: &model.Schema{Name: "tide", JSON: []byte(`{"type":"object","properties":{"turns":{"type":"string","enum":["noon","midnight"]}},"required":["turns"],"additionalProperties":false}`)}}
	for known, state := range []string{record.SettingAsked, record.SettingEnforced} {
		if known == 1 {
			if _, err := m.Prepare(t.Context(), req); err != nil {
				t.Fatal(err)
			}
		}
		rep, err := m.Call(t.Context(), req)
		var got struct {
			Turns string `json:"turns"`
		}
		if err != nil || json.Unmarshal([]byte(rep.Answer), &got) != nil || got.Turns != "noon" && got.Turns != "midnight" || rep.Finish != model.FinishStop {
			t.Errorf("%q, finish %s, %v", rep.Answer, rep.Finish, err)
		}
		if len(rep.Settings) != 1 || rep.Settings[0].Name != "schema" || rep.Settings[0].State != state {
			t.Errorf("%+v, want %s", rep.Settings, state)
		}
	}
}

// TestLlamaTools lets a model call a tool and hands it the result.
func TestLlamaTools(t *testing.T) {
	zero := 0.0
	const args = `{"place": "a }\"{ b"}`
	m := llama(t, llamatest.Model{Reply: llamatest.ToolCall("tide", args), Options: []llamatest.Option{llamatest.Tools(), llamatest.Thinking("which?")}})
	if _, err := m.Prepare(t.Context(), model.Request{Messages: []model.Message{{Role: "user", Text: "x"}}}); err != nil {
		t.Fatal(err)
	}
	req := model.Request{Messages: []model.Message{{Role: "user", Text: "When?"}}, Temperature: &zero, MaxOutput: 200,
		Tools: []model.Tool{{Name: "tide", Description: "When it turns.", Input: []byte(`{"type":"object","properties":{"place":{"type":"string"}},"required":["place"]}`)}}}
	for turn := range 3 {
		rep, err := m.Call(t.Context(), req)
		if err != nil || rep.Finish != model.FinishTool || len(rep.Calls) != 1 || rep.Calls[0].Name != "tide" || rep.Calls[0].Arguments != args || rep.Calls[0].ID == "" ||
			strings.TrimSpace(rep.Thinking) != "which?" || rep.Answer != "" {
			t.Fatalf("turn %d: %+v, %v", turn, rep, err)
		}
		if rep.Prompt.Exact != *rep.Usage.Prompt {
			t.Errorf("turn %d: counted %d, used %d", turn, rep.Prompt.Exact, *rep.Usage.Prompt)
		}
		req.Messages = append(req.Messages, rep.Turn(), model.Message{Role: "tool", CallID: rep.Calls[0].ID, Tool: "tide", Text: "at noon"})
	}
}
