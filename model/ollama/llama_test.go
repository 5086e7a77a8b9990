package ollama

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/assaybench/assay/internal/llamatest"
	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/modeltest"
	"github.com/assaybench/assay/record"
)

// TestLlamaConformance puts the provider through the suite with a real llama.cpp behind the forms of Ollama.
func TestLlamaConformance(t *testing.T) {
	s := llamatest.Start(t, map[string]string{"mock-1": "ok"})
	modeltest.Run(t, modeltest.Subject{
		Can:     modeltest.CanWait | modeltest.HasWire | modeltest.CanSchema | modeltest.CanLearn,
		Secrets: []string{testKey},
		Learns:  []string{"thinking"},
		Answers: []string{"", "ok", "ANSWER: 71.50", "two\r\nlines\n", "日本語 – “curly” 🦊", `{"a": "\u0041"}`},
		New: func(t testing.TB, act modeltest.Act) model.Model {
			script := llamatest.Model{Reply: act.Answer}
			if act.Delay > 0 {
				script.Options = append(script.Options, llamatest.Endless())
			}
			s.Set(t, "mock-1", script)
			return at(t, s.OllamaURL(), "mock-1")
		},
	})
}

// TestLlama is what a session does: prepare, call, and look at how it ended.
func TestLlama(t *testing.T) {
	s := llamatest.StartModels(t, map[string]llamatest.Model{
		"plain":   {Reply: "ANSWER: 42"},
		"thinker": {Reply: "ok", Options: []llamatest.Option{llamatest.Thinking("step by step")}},
		"always":  {Reply: "ok", Options: []llamatest.Option{llamatest.AlwaysThinking("whatever you say")}},
		"small":   {Reply: "ok", Options: []llamatest.Option{llamatest.TrainedContext(1024)}},
		"endless": {Reply: "one two three four five six seven ", Options: []llamatest.Option{llamatest.Endless()}},
		"stutter": {Reply: "x", Options: []llamatest.Option{llamatest.Endless()}},
		"judge":   {Reply: `{"right":true}`, Options: []llamatest.Option{llamatest.Thinking("is it?")}},
		"caller":  {Reply: llamatest.ToolCall("look_up", `{"what": "tea"}`), Options: []llamatest.Option{llamatest.Tools()}},
	})
	schema := &model.Schema{Name: "verdict", JSON: []byte(`{"type":"object","properties":{"right":{"type":"boolean"}},"required":["right"]}`)}
	tools := []model.Tool{{Name: "look_up", Description: "Looks a thing up.", Input: []byte(`{"type":"object","properties":{"what":{"type":"string"}}}`)}}
	for name, c := range map[string]struct {
		model    string
		ask      func(r *model.Request)
		context  int64
		ready    []string // as says wants it
		outcome  record.Outcome
		answer   string // its beginning
		thinking string
		finish   model.Finish
		settings []string
	}{
		"plain":        {model: "plain", context: 2048, outcome: record.Answered, answer: "ANSWER: 42", finish: model.FinishStop},
		"thinking off": {model: "thinker", context: 2048, outcome: record.Answered, answer: "ok", finish: model.FinishStop},
		"thinking on":  {model: "thinker", ask: func(r *model.Request) { r.Thinking = model.ThinkingOn }, context: 2048, outcome: record.Answered, answer: "ok", thinking: "step by step", finish: model.FinishStop},
		"thinking that no switch reaches": {model: "always", context: 2048, ready: []string{"thinking off not honoured: whatever you say"}, outcome: record.Answered, answer: "ok",
			thinking: "whatever you say", finish: model.FinishStop},
		"over the trained context": {model: "small", context: 1024, ready: []string{"context 2048 not honoured: 1024 tokens"}, outcome: record.Answered, answer: "ok", finish: model.FinishStop,
			settings: []string{"context 2048 not honoured: 1024 tokens"}},
		"over the context": {model: "plain", ask: func(r *model.Request) {
			r.Context, r.Messages = 512, []model.Message{{Role: "user", Text: strings.Repeat("many words of a long prompt ", 400)}}
		}, context: 512, outcome: record.Undelivered},
		"output limit": {model: "endless", ask: func(r *model.Request) { r.MaxOutput = 5 }, context: 2048, outcome: record.Truncated, answer: "one two", finish: model.FinishLength},
		"stutter":      {model: "stutter", context: 2048, outcome: record.Truncated, answer: "xxx", finish: model.FinishAborted},
		"schema": {model: "judge", ask: func(r *model.Request) { r.Schema = schema }, context: 2048, ready: []string{"schema verdict enforced: grammar"}, outcome: record.Answered,
			answer: `{"right":true}`, finish: model.FinishStop, settings: []string{"schema verdict enforced: grammar"}},
		"schema and thinking": {model: "judge", ask: func(r *model.Request) { r.Schema, r.Thinking = schema, model.ThinkingOn }, context: 2048,
			ready: []string{"max_output 64 asked: two requests", "schema verdict enforced: once the thinking"}, outcome: record.Answered, answer: `{"right":true}`, thinking: "is it?", finish: model.FinishStop,
			settings: []string{"max_output 64 asked: two requests", "schema verdict enforced: once the thinking"}},
		"tool call": {model: "caller", ask: func(r *model.Request) { r.Tools = tools }, context: 2048, ready: []string{"tools 1 asked: nothing binds"}, outcome: record.Answered, finish: model.FinishTool,
			settings: []string{"tools 1 asked: nothing binds"}},
	} {
		t.Run(name, func(t *testing.T) {
			m := at(t, s.OllamaURL(), c.model)
			req := hello()
			req.Thinking, req.Context, req.MaxOutput = model.ThinkingOff, 2048, 64
			if c.ask != nil {
				c.ask(&req)
			}
			ctx, cancel := context.WithTimeoutCause(t.Context(), time.Minute, model.ErrTimeLimit)
			defer cancel()
			warm := req
			warm.Messages = hello().Messages
			ready, err := m.Prepare(ctx, warm)
			if err != nil || ready.Context != c.context {
				t.Fatalf("context %d, %v", ready.Context, err)
			}
			says(t, "Prepare", ready.Settings, c.ready)
			rep, err := m.Call(ctx, req)
			tr := model.Transcribe(req, rep, err)
			if tr.Outcome != c.outcome || !strings.HasPrefix(rep.Answer, c.answer) || strings.TrimSpace(rep.Thinking) != c.thinking || rep.Finish != c.finish {
				t.Errorf("%s (%s), answer %q, thinking %q, finish %s: %s", tr.Outcome, tr.Reason, rep.Answer, rep.Thinking, rep.Finish, rep.Exchange.ResponseBody)
			}
			says(t, "Call", rep.Settings, c.settings)
			if c.outcome == record.Answered && rep.Prompt != (model.Prompted{Loaded: c.context, Refuses: true}) {
				t.Errorf("%+v", rep.Prompt)
			}
			id, err := m.Identify(ctx)
			if err != nil || id.Context != c.context || len(id.Digest) != 64 || id.Server != "ollama 0.32.15" || id.Details["template_sha256"] == "" {
				t.Errorf("%+v, %v", id, err)
			}
		})
	}
}
