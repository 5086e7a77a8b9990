package modeltest

import (
	"testing"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
)

// schema asks for an answer in JSON.
func (s Subject) schema(t *testing.T) {
	const answer = `{"n": 1.50, "s":"é"}`
	m := s.open(t, Act{Answer: answer})
	req := request("i", 1)
	req.Schema = &model.Schema{Name: "pair", JSON: []byte(`{"type":"object","properties":{"n":{"type":"number"},"s":{"type":"string"}},"required":["n","s"],"additionalProperties":false}`)}
	rep, err := m.Call(t.Context(), req)
	if tr := s.transcribe(t, req, rep, err); err != nil || tr.Outcome != record.Answered || tr.Answer != answer {
		t.Fatalf("%s (%s), answer %q, error %v", tr.Outcome, tr.Reason, tr.Answer, err)
	}
	s.setting(t, rep, "schema", req.Schema.Name)
	s.holds(t, "the request", rep.Exchange, string(req.Schema.JSON))

	plain := request("i", 2)
	rep, err = m.Call(t.Context(), plain)
	s.transcribe(t, plain, rep, err)
	for _, got := range rep.Settings {
		if got.Name == "schema" || got.Name == "tools" {
			t.Errorf("a request without either has the setting %+v", got)
		}
	}
}

// learns lets Prepare meet a model that does not take a setting; Call must then leave it out and say so.
func (s Subject) learns(t *testing.T) {
	names := s.Learns
	if names == nil {
		names = []string{"temperature"}
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			effort := name == "effort" // thinking at a level, for wires that have no other switch
			if effort {
				name = "thinking"
			}
			m := s.open(t, Act{Answer: "ok", Rejects: []string{name}})
			p, ok := m.(model.Preparer)
			if !ok {
				t.Fatalf("%T cannot prepare", m)
			}
			req, asked := request("i", 1), "0"
			switch {
			case name == "top_p":
				one := 1.0
				req.TopP, asked = &one, "1"
			case effort:
				req.Thinking, asked = "high", "high"
			case name == "thinking":
				req.Thinking, asked = model.ThinkingOn, "on"
			}
			ask := req
			ask.Key = record.Key{}
			ready, err := p.Prepare(t.Context(), ask)
			if err != nil {
				t.Fatalf("Prepare: %v", err)
			}
			s.keepsSecrets(t, ready)
			refused(t, "Prepare", ready.Settings, name, asked)
			if s.Can&HasWire != 0 && len(ready.Calls) < 2 {
				t.Errorf("Prepare kept %d exchanges, of which one must be the refusal", len(ready.Calls))
			}
			rep, err := m.Call(t.Context(), req)
			if tr := s.transcribe(t, req, rep, err); err != nil || tr.Outcome != record.Answered || tr.Answer != "ok" {
				t.Fatalf("Call after Prepare: %s (%s), %v", tr.Outcome, tr.Reason, err)
			}
			refused(t, "Call", rep.Settings, name, asked)
		})
	}
	t.Run("what is accepted", func(t *testing.T) {
		m := s.open(t, Act{Answer: "ok"})
		ready, err := m.(model.Preparer).Prepare(t.Context(), request("i", 1))
		if err != nil {
			t.Fatalf("Prepare: %v", err)
		}
		for _, got := range ready.Settings {
			if got.State == record.SettingNotAccepted {
				t.Errorf("%+v, of a model that takes everything", got)
			}
		}
	})
}

// refused wants a setting to be named as not accepted, once.
func refused(t *testing.T, who string, settings []record.Setting, name, asked string) {
	t.Helper()
	n := 0
	for _, got := range settings {
		if got.Name != name {
			continue
		}
		n++
		if got.State != record.SettingNotAccepted || got.Asked != asked || got.Why == "" {
			t.Errorf("%s: %+v, want it asked %q, not accepted, with a reason", who, got, asked)
		}
	}
	if n != 1 {
		t.Errorf("%s: %s is named %d times in %+v", who, name, n, settings)
	}
}
