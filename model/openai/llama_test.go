package openai

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
		_, tr := ask(t, llama(t, llamatest.Model{Reply: "ok"}), req)
		if tr.Outcome != record.Answered || tr.Delivery.State != "delivered" {
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
		m := llama(t, llamatest.Model{Reply: "ok"})
		id, err := m.Identify(t.Context())
		if err != nil || id.Details["listed"] != "yes" || id.Model != "mock-1" {
			t.Errorf("%+v, %v", id, err)
		}
		t.Logf("identity: %+v", id)
	})
}
