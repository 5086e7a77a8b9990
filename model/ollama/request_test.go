package ollama

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
)

// TestRequestBytes checks bodies byte for byte.
func TestRequestBytes(t *testing.T) {
	one := []model.Message{{Role: "system", Text: "be brief"}, {Role: "user", Text: "a \"b\"\r\n\x00\u2028<&>é"}}
	const head = `{"model":"mo/del:8b","messages":[{"role":"system","content":"be brief"},{"role":"user","content":"a \"b\"\r\n\u0000` + "\u2028" + `<&>é"}],"stream":false`
	const fixed = `,"truncate":false,"shift":false,"keep_alive":"30m","options":{`
	tool := model.Tool{Name: "look", Description: "Looks \"up\".", Input: []byte(`{ "type":"object" }`)}
	for name, c := range map[string]struct {
		req     model.Request
		noThink bool
		want    string
	}{
		"bare":     {want: head + fixed + `"repeat_penalty":1,"seed":0}}`},
		"protocol": {req: model.Request{Temperature: ptr(0.0), TopP: ptr(1.0), MaxOutput: 1536, Context: 32768}, want: head + fixed + `"num_ctx":32768,"num_predict":1536,"repeat_penalty":1,"temperature":0,"top_p":1,"seed":0}}`},
		"seed":     {req: model.Request{Seed: ptr(int64(-1)), Temperature: ptr(0.7)}, want: head + fixed + `"repeat_penalty":1,"temperature":0.7,"seed":-1}}`},
		"seed 0":   {req: model.Request{Seed: ptr(int64(0))}, want: head + fixed + `"repeat_penalty":1,"seed":0}}`},
		"off":      {req: model.Request{Thinking: model.ThinkingOff}, want: head + `,"think":false` + fixed + `"repeat_penalty":1,"seed":0}}`},
		"on":       {req: model.Request{Thinking: model.ThinkingOn}, want: head + `,"think":true` + fixed + `"repeat_penalty":1,"seed":0}}`},
		"level":    {req: model.Request{Thinking: "low"}, want: head + `,"think":"low"` + fixed + `"repeat_penalty":1,"seed":0}}`},
		"left out": {req: model.Request{Thinking: "low"}, noThink: true, want: head + fixed + `"repeat_penalty":1,"seed":0}}`},
		"schema":   {req: model.Request{Schema: &model.Schema{Name: "s", JSON: []byte("{\"type\": \"object\"}")}}, want: head + `,"format":{"type": "object"}` + fixed + `"repeat_penalty":1,"seed":0}}`},
		"tools": {req: model.Request{Tools: []model.Tool{tool, {Name: "b", Input: []byte(`{}`)}}},
			want: head + `,"tools":[{"type":"function","function":{"name":"look","description":"Looks \"up\".","parameters":{ "type":"object" }}},{"type":"function","function":{"name":"b","parameters":{}}}]` + fixed + `"repeat_penalty":1,"seed":0}}`},
	} {
		c.req.Messages = one
		got, err := appendRequest(nil, "mo/del:8b", c.req, !c.noThink)
		if err != nil || string(got) != c.want {
			t.Errorf("%s:\n got %s\nwant %s (%v)", name, got, c.want, err)
		}
		if !jsontext.Value(got).IsValid() {
			t.Errorf("%s: not JSON: %s", name, got)
		}
	}
}

// TestConversation checks the turns of a conversation with tools: arguments are objects on this wire, and come back as
// they came.
func TestConversation(t *testing.T) {
	req := model.Request{Messages: []model.Message{
		{Role: "user", Text: "weather?"},
		{Role: "assistant", Thinking: "look", Native: []byte("another provider's"), Calls: []record.ToolCall{
			{ID: "call_x1", Name: "weather", Arguments: `{ "city":"Zürich", "days":1.50 }`}, {Name: "time", Arguments: `{}`}}},
		{Role: "tool", Text: "sunny", CallID: "call_x1", Tool: "weather"},
		{Role: "tool", Text: "no clock", CallID: "call_2", Tool: "time", Failed: true},
	}}
	const want = `{"model":"m","messages":[{"role":"user","content":"weather?"},` +
		`{"role":"assistant","content":"","thinking":"look","tool_calls":[{"id":"call_x1","function":{"name":"weather","arguments":{ "city":"Zürich", "days":1.50 }}},{"function":{"name":"time","arguments":{}}}]},` +
		`{"role":"tool","content":"sunny","tool_name":"weather","tool_call_id":"call_x1"},{"role":"tool","content":"no clock","tool_name":"time","tool_call_id":"call_2"}]` +
		`,"stream":false,"truncate":false,"shift":false,"keep_alive":"30m","options":{"repeat_penalty":1,"seed":0}}`
	if got, err := appendRequest(nil, "m", req, true); err != nil || string(got) != want {
		t.Errorf("got %s\nwant %s (%v)", got, want, err)
	}
}

// TestOptionNames holds every option that can be sent against those that the server knows (api/types.go, Options and
// Runner): it only logs others, so that a typo would change nothing and give no error.
func TestOptionNames(t *testing.T) {
	known := strings.Fields("num_keep seed num_predict top_k top_p min_p typical_p repeat_last_n temperature repeat_penalty presence_penalty " +
		"frequency_penalty stop num_ctx num_batch num_gpu main_gpu use_mmap num_thread draft_num_predict")
	top := strings.Fields("model messages stream format keep_alive tools options think truncate shift")
	req := hello()
	req.TopP, req.Thinking, req.Schema, req.Tools = ptr(0.5), "high", &model.Schema{JSON: []byte(`{}`)}, []model.Tool{{Name: "a", Input: []byte(`{}`)}}
	body, err := appendRequest(nil, "m", req, true)
	if err != nil {
		t.Fatal(err)
	}
	var sent map[string]jsontext.Value
	var options map[string]jsontext.Value
	if err := json.Unmarshal(body, &sent); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(sent["options"], &options); err != nil {
		t.Fatal(err)
	}
	if len(sent) != len(top) || len(options) != 6 {
		t.Errorf("%d fields and %d options were sent: %s", len(sent), len(options), body)
	}
	for name := range sent {
		if !slices.Contains(top, name) {
			t.Errorf("the server knows no field %q", name)
		}
	}
	for name := range options {
		if !slices.Contains(known, name) {
			t.Errorf("the server knows no option %q", name)
		}
	}
}

func TestRequestsThatCannotBeSent(t *testing.T) {
	user := []model.Message{{Role: "user", Text: "x"}}
	turn := func(args string) []model.Message {
		return []model.Message{{Role: "assistant", Calls: []record.ToolCall{{Name: "look", Arguments: args}}}}
	}
	s := now()
	m := start(t, s, "qwen3:8b")
	for want, req := range map[string]model.Request{
		"no message":                         {},
		"message 1 is not UTF-8":             {Messages: []model.Message{{Role: "user", Text: "caf\xe9"}}},
		"temperature is not a finite number": {Messages: user, Temperature: ptr(math.NaN())},
		"top_p is not a finite number":       {Messages: user, TopP: ptr(math.Inf(1))},
		"the effort is not UTF-8":            {Messages: user, Thinking: "\xff"},
		"the role of message 1 is not UTF-8": {Messages: []model.Message{{Role: "\xff"}}},
		`the schema "s" is not one JSON obj`: {Messages: user, Schema: &model.Schema{Name: "s", JSON: []byte(`[]`)}},
		`the schema "t" is not one JSON obj`: {Messages: user, Schema: &model.Schema{Name: "t", JSON: []byte(`{}{}`)}},
		`schema of the tool "a" is not one`:  {Messages: user, Tools: []model.Tool{{Name: "a"}}},
		`the call of "look" holds as its`:    {Messages: turn(`{"a":`)},
		"its arguments is not one JSON":      {Messages: turn(`"text"`)},
	} {
		_, err := m.Call(t.Context(), req)
		if f := model.AsFault(err); err == nil || f.Kind != model.FaultOurs || !strings.Contains(f.Msg, want) || f.Exchange.Endpoint == "" {
			t.Errorf("%v; want %q", err, want)
		}
	}
	if len(s.seen) != 0 {
		t.Errorf("%d requests were sent", len(s.seen))
	}
}

// TestWire looks at a call as the server gets it, and at what is recorded of it.
func TestWire(t *testing.T) {
	s := now()
	m := start(t, s, "qwen3:8b")
	rep, err := m.Call(t.Context(), hello())
	if err != nil {
		t.Fatal(err)
	}
	const body = `{"model":"qwen3:8b","messages":[{"role":"user","content":"hi"}],"stream":false,"truncate":false,"shift":false,"keep_alive":"30m",` +
		`"options":{"num_ctx":8192,"num_predict":1536,"repeat_penalty":1,"temperature":0,"seed":7}}`
	if len(s.seen) != 1 || s.seen[0] != "POST /api/chat "+body || s.keys[0] != "Bearer "+testKey {
		t.Errorf("sent %q with %q", s.seen, s.keys)
	}
	x := rep.Exchange
	if string(x.RequestBody) != body || string(x.ResponseBody) != finalNow || x.Endpoint != "POST "+m.Base+"/api/chat" || x.Status != 200 ||
		x.RequestHeader["Authorization"] != nil || x.RequestHeader["Content-Type"][0] != "application/json" || x.Error != "" {
		t.Errorf("recorded %+v", x)
	}
	if rep.Model != "qwen3:8b" || rep.Timing.Total != x.Elapsed || *rep.Usage.Prompt != 17 || *rep.Usage.Output != 2 {
		t.Errorf("got %+v", rep)
	}
	// Before anything is known of the server, the least is said.
	if rep.Prompt != (model.Prompted{Partial: true}) {
		t.Errorf("%+v", rep.Prompt)
	}
}
