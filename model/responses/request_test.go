package responses

import (
	"math"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/wire"
	"github.com/assaybench/assay/record"
)

// bare is a model without a connection, of which requests can be written and replies read.
func bare(official bool) *Model {
	return &Model{Client: &wire.Client{Spec: model.Spec{Name: "gpt-9"}, Official: official}}
}

// TestRequestBytes checks bodies byte for byte: what the protocol asks for is sent, and nothing else.
func TestRequestBytes(t *testing.T) {
	f := func(v float64) *float64 { return &v }
	seed := int64(3)
	one := []model.Message{{Role: "system", Text: "be brief"}, {Role: "user", Text: "a \"b\"\r\n\x00\u2028<&>é"}}
	const head = `{"model":"gpt-9","input":[{"role":"system","content":"be brief"},{"role":"user","content":"a \"b\"\r\n\u0000` + "\u2028" + `<&>é"}],"store":false,"truncation":"disabled","include":["reasoning.encrypted_content"]`
	tools := []model.Tool{{Name: "look_up", Description: "Looks <it> up.", Input: []byte(`{"type":"object"}`)}, {Name: "b", Input: []byte(`{}`)}}
	schema := &model.Schema{Name: "pair", JSON: []byte(`{"type": "object"}`)}
	for name, c := range map[string]struct {
		open bool
		req  model.Request
		want string
	}{
		"bare":         {want: `}`},
		"protocol":     {req: model.Request{Temperature: f(0), TopP: f(0.9), MaxOutput: 1536, Context: 32768, Seed: &seed}, want: `,"temperature":0,"top_p":0.9,"max_output_tokens":1536}`},
		"little":       {req: model.Request{MaxOutput: 3}, want: `,"max_output_tokens":16}`},
		"off":          {req: model.Request{Thinking: model.ThinkingOff}, want: `,"reasoning":{"effort":"none"}}`},
		"on":           {req: model.Request{Thinking: model.ThinkingOn}, want: `,"reasoning":{"summary":"auto"}}`},
		"effort":       {req: model.Request{Thinking: "high"}, want: `,"reasoning":{"effort":"high","summary":"auto"}}`},
		"open, off":    {open: true, req: model.Request{Thinking: model.ThinkingOff}, want: `,"reasoning":{"effort":"none"}}`},
		"open, on":     {open: true, req: model.Request{Thinking: model.ThinkingOn}, want: `}`},
		"open, effort": {open: true, req: model.Request{Thinking: "low"}, want: `,"reasoning":{"effort":"low"}}`},
		"schema":       {req: model.Request{Schema: schema, Thinking: "low"}, want: `,"text":{"format":{"type":"json_schema","name":"pair","strict":true,"schema":{"type": "object"}}},"reasoning":{"effort":"low","summary":"auto"}}`},
		"tools": {req: model.Request{Tools: tools}, want: `,"tools":[{"type":"function","name":"look_up","description":"Looks <it> up.","parameters":{"type":"object"},"strict":true},` +
			`{"type":"function","name":"b","parameters":{},"strict":true}],"tool_choice":"auto"}`},
		"open, tools": {open: true, req: model.Request{Tools: tools[1:]}, want: `,"tools":[{"type":"function","name":"b","parameters":{},"strict":false}],"tool_choice":"auto"}`},
	} {
		c.req.Messages = one
		got, err := bare(!c.open).appendRequest(nil, &c.req)
		if err != nil || string(got) != head+c.want {
			t.Errorf("%s:\n got %s\nwant %s (%v)", name, got, head+c.want, err)
		}
		var v any
		if err := json.Unmarshal(got, &v); err != nil {
			t.Errorf("%s: not JSON: %v", name, err)
		}
	}
}

// TestTurnBytes: a turn of this wire is handed back as it came, byte for byte; one of another is written anew.
func TestTurnBytes(t *testing.T) {
	const output = `[ {"id":"rs_1","type":"reasoning","summary":[],"encrypted_content":"gAAA\u002b=="},` + "\n" + `  {"type":"function_call","id":"fc_1","call_id":"call_1","name":"f","arguments":"{\"a\": 1}","status":"completed"} ]`
	calls := []record.ToolCall{{ID: "call_1", Name: "f", Arguments: `{"a": 1}`}, {ID: "call_2", Name: "g", Arguments: "not\njson"}}
	const written = `{"type":"function_call","call_id":"call_1","name":"f","arguments":"{\"a\": 1}"},{"type":"function_call","call_id":"call_2","name":"g","arguments":"not\njson"}`
	for name, c := range map[string]struct {
		msg  model.Message
		want string
	}{
		"own":            {model.Message{Role: "assistant", Calls: calls[:1], Native: nativeOf([]byte(output))}, strings.TrimSpace(output[1 : len(output)-1])},
		"of another":     {model.Message{Role: "assistant", Calls: calls, Thinking: "hm", Native: []byte(`[{"type":"thinking","signature":"x"}]`)}, written},
		"cut":            {model.Message{Role: "assistant", Calls: calls, Native: nativeOf([]byte(output[:40]))}, written},
		"empty":          {model.Message{Role: "assistant", Text: "so", Native: nativeOf([]byte(`[ ]`))}, `{"role":"assistant","content":"so"}`},
		"text and calls": {model.Message{Role: "assistant", Text: "so", Calls: calls}, `{"role":"assistant","content":"so"},` + written},
		"nothing":        {model.Message{Role: "assistant"}, `{"role":"assistant","content":""}`},
		"a user's":       {model.Message{Role: "user", Text: "x", Native: nativeOf([]byte(output))}, `{"role":"user","content":"x"}`},
		"result":         {model.Message{Role: "tool", CallID: "call_1", Tool: "f", Text: "no \"such\"", Failed: true}, `{"type":"function_call_output","call_id":"call_1","output":"no \"such\""}`},
	} {
		got, err := bare(true).appendRequest(nil, &model.Request{Messages: []model.Message{{Role: "user", Text: "x"}, c.msg}})
		want := `{"model":"gpt-9","input":[{"role":"user","content":"x"},` + c.want + `],"store":false,"truncation":"disabled","include":["reasoning.encrypted_content"]}`
		if err != nil || string(got) != want {
			t.Errorf("%s:\n got %s\nwant %s (%v)", name, got, want, err)
		}
	}
}

func TestRequestsThatCannotBeSent(t *testing.T) {
	nan := math.NaN()
	user := []model.Message{{Role: "user", Text: "x"}}
	for want, req := range map[string]model.Request{
		"no message":                       {},
		"message 1 is not UTF-8":           {Messages: []model.Message{{Role: "user", Text: "caf\xe9"}}},
		"temperature is not a finite":      {Messages: user, Temperature: &nan},
		"the effort is not UTF-8":          {Messages: user, Thinking: "\xff"},
		"the role of message 1 is not UTF": {Messages: []model.Message{{Role: "\xff"}}},
		"the call that message 1 answers":  {Messages: []model.Message{{Role: "tool", CallID: "\xff"}}},
		"call 1 of message 1 is not UTF-8": {Messages: []model.Message{{Role: "assistant", Calls: []record.ToolCall{{ID: "a", Name: "b", Arguments: "\xff"}}}}},
		"the description of the tool":      {Messages: user, Tools: []model.Tool{{Name: "t", Description: "\xff", Input: []byte(`{}`)}}},
		"the schema s is not one JSON":     {Messages: user, Schema: &model.Schema{Name: "s", JSON: []byte(`{"a":1`)}},
	} {
		_, err := at(t, "http://127.0.0.1:1/v1").Call(t.Context(), req)
		if f := model.AsFault(err); err == nil || f.Kind != model.FaultOurs || !strings.Contains(f.Msg, want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
}
