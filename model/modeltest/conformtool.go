package modeltest

import (
	"bytes"
	"maps"
	"slices"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
)

// lookup is the tool that the suite offers.
var lookup = model.Tool{Name: "look_up", Description: "Looks a thing up.",
	Input: []byte(`{"type":"object","properties":{"what":{"type":"string"},"deep":{"type":"array","items":{"type":"integer"}}}}`)}

// oddArguments are objects that something on the way may be tempted to write anew.
var oddArguments = []string{
	`{}`, `{"what":"tea"}`, `{ "what" : "tea" , "deep":[ 1,2 ]}`, `{"what":"日本語 🦊 \u00e9\n"}`, `{"b":1,"a":{"z":[[],{}],"y":null}}`,
	`{"n":1.50,"big":123456789012345678901234567890,"e":1E2}`, `{"what":"<a href=\"x\">&amp;</a>"}`,
}

// brokenArguments are what models write in place of an object.
var brokenArguments = []string{``, `{"what":"te`, `look it up`, `{'what':'tea'}`, `{"what":"a","what":"b"}`, `"tea"`, `[1]`, `{} {}`}

// tools lets a model call a tool, hands it the result, and wants the answer.
func (s Subject) tools(t *testing.T) {
	for _, args := range oddArguments {
		s.round(t, Act{Answer: "final", Calls: []record.ToolCall{{ID: "call_a1", Name: lookup.Name, Arguments: args}}})
	}
	if s.Can&CanRawCalls != 0 {
		for _, args := range brokenArguments {
			s.round(t, Act{Answer: "final", Calls: []record.ToolCall{{ID: "call_a1", Name: lookup.Name, Arguments: args}}})
		}
	}
	s.round(t, Act{Answer: "final", Calls: []record.ToolCall{ // two at once, the same arguments in both
		{ID: "call_a1", Name: lookup.Name, Arguments: `{"what":"tea"}`}, {ID: "call_b2", Name: lookup.Name, Arguments: `{"what":"tea"}`}}})
	s.round(t, Act{Answer: "final", Calls: []record.ToolCall{ // on wires where servers give no identity
		{Name: lookup.Name, Arguments: `{"what":"tea"}`}, {Name: lookup.Name, Arguments: `{"what":"milk"}`}}})
	if s.Can&CanThink != 0 {
		s.round(t, Act{Answer: "final", Thinking: "which tool?\n", Calls: []record.ToolCall{{ID: "call_a1", Name: lookup.Name, Arguments: `{"what":"tea"}`}}})
	}
	t.Run("offered and not called", func(t *testing.T) {
		m := s.open(t, Act{Answer: "no need"})
		req := request("i", 1)
		req.Tools = []model.Tool{lookup}
		rep, err := m.Call(t.Context(), req)
		if tr := s.transcribe(t, req, rep, err); tr.Outcome != record.Answered || tr.Answer != "no need" || rep.Finish != model.FinishStop || len(rep.Calls) != 0 {
			t.Errorf("%s (%s), finish %s, answer %q, calls %v, error %v", tr.Outcome, tr.Reason, rep.Finish, tr.Answer, rep.Calls, err)
		}
		s.setting(t, rep, "tools", "")
	})
}

// round is one call of tools with what follows.
func (s Subject) round(t *testing.T, act Act) {
	name := act.Calls[0].Arguments
	if len(act.Calls) > 1 {
		name = "two at once " + act.Calls[0].ID
	}
	t.Run(name+act.Thinking, func(t *testing.T) {
		m := s.open(t, act)
		req := request("what is it?", 1)
		req.Tools = []model.Tool{lookup}
		rep, err := m.Call(t.Context(), req)
		tr := s.transcribe(t, req, rep, err)
		if err != nil || tr.Outcome != record.Answered || rep.Finish != model.FinishTool || rep.Answer != "" || rep.Thinking != act.Thinking {
			t.Fatalf("%s (%s), finish %s, answer %q, thinking %q, error %v", tr.Outcome, tr.Reason, rep.Finish, rep.Answer, rep.Thinking, err)
		}
		if len(rep.Calls) != len(act.Calls) {
			t.Fatalf("%d calls, want %d: %+v", len(rep.Calls), len(act.Calls), rep.Calls)
		}
		var ids []string
		for i, c := range rep.Calls {
			want := act.Calls[i]
			if c.Name != want.Name || c.Arguments != want.Arguments {
				t.Errorf("call %d is %s %q, want %s %q", i, c.Name, c.Arguments, want.Name, want.Arguments)
			}
			if c.ID == "" || want.ID != "" && c.ID != want.ID || slices.Contains(ids, c.ID) {
				t.Errorf("call %d has the identity %q, want %q or one of its own", i, c.ID, want.ID)
			}
			ids = append(ids, c.ID)
		}
		s.setting(t, rep, "tools", "")
		s.holds(t, "the offer", rep.Exchange, lookup.Name, lookup.Description, string(lookup.Input))

		const said, failed = "it is \"tea\" – 茶\n", "the second look-up failed"
		next := req
		next.Messages = append(slices.Clone(req.Messages), rep.Turn())
		want := []string{lookup.Name, said}
		for i, c := range rep.Calls {
			result := model.Message{Role: "tool", Text: said, CallID: c.ID, Tool: c.Name}
			if i > 0 {
				result.Text, result.Failed = failed, true
				want = append(want, failed)
			}
			next.Messages = append(next.Messages, result)
			want = append(want, c.Arguments)
		}
		rep, err = m.Call(t.Context(), next)
		if tr := s.transcribe(t, next, rep, err); err != nil || tr.Outcome != record.Answered || tr.Answer != act.Answer || rep.Finish != model.FinishStop {
			t.Errorf("with the result: %s (%s), finish %s, answer %q, error %v", tr.Outcome, tr.Reason, rep.Finish, tr.Answer, err)
		}
		if act.Thinking != "" && s.Can&CanSign != 0 {
			want = append(want, Signature)
		}
		s.holds(t, "the request with the result", rep.Exchange, want...)
	})
}

// setting wants a setting to be named with a state that says what became of it.
func (s Subject) setting(t *testing.T, rep model.Reply, name, asked string) {
	t.Helper()
	for _, got := range rep.Settings {
		if got.Name == name && (asked == "" || got.Asked == asked) && (got.State == record.SettingEnforced || got.State == record.SettingAsked) {
			return
		}
	}
	t.Errorf("no setting %q (%s) that is enforced or asked for in %+v", name, asked, rep.Settings)
}

// holds looks for texts in the JSON of a request: as a string, or as a value that is the same but for white space.
func (s Subject) holds(t *testing.T, what string, x record.Exchange, texts ...string) {
	t.Helper()
	if s.Can&HasWire == 0 {
		return
	}
	for _, text := range texts {
		if !holdsText(x.RequestBody, text) {
			t.Errorf("%s does not hold %q: %.2000s", what, text, x.RequestBody)
		}
	}
}

// holdsText reports whether some string or value in a JSON value is text.
func holdsText(v jsontext.Value, text string) bool {
	if v.Kind() == '"' {
		var s string
		return json.Unmarshal(v, &s) == nil && s == text
	}
	same, want := v.Clone(), jsontext.Value(text)
	if same.Compact() == nil && want.Compact() == nil && bytes.Equal(same, want) {
		return true
	}
	var parts []jsontext.Value
	switch v.Kind() {
	case '{':
		var members map[string]jsontext.Value
		if json.Unmarshal(v, &members) != nil {
			return false
		}
		parts = slices.Collect(maps.Values(members))
	case '[':
		if json.Unmarshal(v, &parts) != nil {
			return false
		}
	}
	return slices.ContainsFunc(parts, func(v jsontext.Value) bool { return holdsText(v, text) })
}
