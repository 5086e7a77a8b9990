package openai

import (
	"math"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/modeltest"
	"github.com/assaybench/assay/model/wire"
	"github.com/assaybench/assay/record"
)

// TestRequestBytes checks bodies byte for byte: what the protocol asks for is sent, and nothing else.
func TestRequestBytes(t *testing.T) {
	f := func(v float64) *float64 { return &v }
	n := func(v int64) *int64 { return &v }
	one := []model.Message{{Role: "system", Text: "be brief"}, {Role: "user", Text: "a \"b\"\r\n\x00\u2028<&>é"}}
	const head = `{"model":"mo/del:8b","messages":[{"role":"system","content":"be brief"},{"role":"user","content":"a \"b\"\r\n\u0000` + "\u2028" + `<&>é"}]`
	for name, c := range map[string]struct {
		official bool
		req      model.Request
		want     string
	}{
		"bare":         {want: head + `}`},
		"protocol":     {req: model.Request{Temperature: f(0), TopP: f(1), MaxOutput: 1536, Context: 32768}, want: head + `,"temperature":0,"top_p":1,"max_tokens":1536}`},
		"official":     {official: true, req: model.Request{Temperature: f(0.7), MaxOutput: 1536}, want: head + `,"temperature":0.7,"max_completion_tokens":1536}`},
		"seed":         {req: model.Request{Seed: n(-1)}, want: head + `,"seed":-1}`},
		"seed 0":       {req: model.Request{Seed: n(0)}, want: head + `,"seed":0}`},
		"thinking off": {req: model.Request{Thinking: model.ThinkingOff}, want: head + `,"chat_template_kwargs":{"enable_thinking":false}}`},
		"thinking on":  {req: model.Request{Thinking: model.ThinkingOn}, want: head + `,"chat_template_kwargs":{"enable_thinking":true}}`},
		"official off": {official: true, req: model.Request{Thinking: model.ThinkingOff}, want: head + `,"reasoning_effort":"none"}`},
		"official on":  {official: true, req: model.Request{Thinking: model.ThinkingOn}, want: head + `}`},
		"schema": {req: model.Request{Seed: n(3), Schema: &model.Schema{Name: "pair-1", JSON: []byte("{\n \"type\": \"object\"}")}, Thinking: model.ThinkingOff},
			want: head + `,"seed":3,"response_format":{"type":"json_schema","json_schema":{"name":"pair-1","strict":true,"schema":{` + "\n" + ` "type": "object"}}},"chat_template_kwargs":{"enable_thinking":false}}`},
		"tools": {req: model.Request{Tools: []model.Tool{{Name: "look_up", Description: "Looks <it> up.", Input: []byte(`{"type":"object"}`)}, {Name: "b", Input: []byte(`{}`)}}},
			want: head + `,"tools":[{"type":"function","function":{"name":"look_up","description":"Looks <it> up.","parameters":{"type":"object"}}},{"type":"function","function":{"name":"b","parameters":{}}}],"tool_choice":"auto"}`},
		"official tools": {official: true, req: model.Request{Tools: []model.Tool{{Name: "b", Input: []byte(`{}`)}}},
			want: head + `,"tools":[{"type":"function","function":{"name":"b","parameters":{},"strict":true}}],"tool_choice":"auto"}`},
		"effort":        {req: model.Request{Thinking: "low"}, want: head + `,"reasoning_effort":"low"}`},
		"official high": {official: true, req: model.Request{Thinking: "high"}, want: head + `,"reasoning_effort":"high"}`},
	} {
		m := &Model{Client: &wire.Client{Spec: model.Spec{Name: "mo/del:8b"}, Official: c.official}}
		c.req.Messages = one
		got, err := m.appendRequest(nil, c.req)
		if err != nil || string(got) != c.want {
			t.Errorf("%s:\n got %s\nwant %s (%v)", name, got, c.want, err)
		}
		var v any
		if err := json.Unmarshal(got, &v); err != nil {
			t.Errorf("%s: not JSON: %v", name, err)
		}
	}
}

// TestTurnBytes checks the turns of a conversation with tools, as servers of each kind take them.
func TestTurnBytes(t *testing.T) {
	turns := []model.Message{
		{Role: "user", Text: "tea?"},
		{Role: "assistant", Text: "so", Thinking: "hm", Native: []byte(`[{"type":"thinking"}]`)},
		{Role: "assistant", Thinking: "which \"one\"", Calls: []record.ToolCall{{ID: "c1", Name: "look_up", Arguments: `{"what": "tea"}`}, {ID: "c2", Name: "b", Arguments: "not\njson"}}},
		{Role: "tool", CallID: "c1", Tool: "look_up", Text: "it is tea"},
		{Role: "tool", CallID: "c2", Tool: "b", Text: "no such", Failed: true},
	}
	const head = `{"model":"x","messages":[{"role":"user","content":"tea?"},{"role":"assistant","content":"so"},{"role":"assistant","content":""`
	const tail = `,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look_up","arguments":"{\"what\": \"tea\"}"}},{"id":"c2","type":"function","function":{"name":"b","arguments":"not\njson"}}]},` +
		`{"role":"tool","content":"it is tea","tool_call_id":"c1"},{"role":"tool","content":"no such","tool_call_id":"c2"}]}`
	for software, thoughts := range map[string]string{"": "", LMStudio: "", LlamaCPP: `,"reasoning_content":"which \"one\""`, VLLM: `,"reasoning":"which \"one\""`} {
		m := &Model{Client: &wire.Client{Spec: model.Spec{Name: "x"}}}
		m.server.Store(&Server{Software: software, thoughts: map[string]string{LlamaCPP: "reasoning_content", VLLM: "reasoning"}[software]})
		got, err := m.appendRequest(nil, model.Request{Messages: turns})
		if want := head + thoughts + tail; err != nil || string(got) != want {
			t.Errorf("%s:\n got %s\nwant %s (%v)", software, got, want, err)
		}
	}
}

// TestThinkingOfKnownServers: what switches thinking is another thing behind Ollama's endpoint.
func TestThinkingOfKnownServers(t *testing.T) {
	user := []model.Message{{Role: "user", Text: "x"}}
	for want, thinking := range map[string]model.Thinking{`,"reasoning_effort":"none"}`: model.ThinkingOff, `"x"}]}`: model.ThinkingOn, `,"reasoning_effort":"high"}`: "high"} {
		m := &Model{Client: &wire.Client{Spec: model.Spec{Name: "x"}}}
		m.server.Store(&Server{Software: Ollama})
		if got, err := m.appendRequest(nil, model.Request{Messages: user, Thinking: thinking}); err != nil || !strings.HasSuffix(string(got), want) {
			t.Errorf("%s: %s, %v", thinking, got, err)
		}
	}
}

func TestRequestsThatCannotBeSent(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	user := []model.Message{{Role: "user", Text: "x"}}
	m, mock := open(t, modeltest.MockOptions{})
	for want, req := range map[string]model.Request{
		"no message":                      {},
		"message 1 is not UTF-8":          {Messages: []model.Message{{Role: "user", Text: "caf\xe9"}}},
		"temperature is not a finite":     {Messages: user, Temperature: &nan},
		"top_p is not a finite":           {Messages: user, TopP: &inf},
		"the effort is not UTF-8":         {Messages: user, Thinking: "\xff"},
		"the role of message 1 is not UT": {Messages: []model.Message{{Role: "\xff"}}},
		"schema's name \"a b\" is not":    {Messages: user, Schema: &model.Schema{Name: "a b", JSON: []byte(`{}`)}},
		"the schema s is not one JSON":    {Messages: user, Schema: &model.Schema{Name: "s", JSON: []byte(`{"a":1`)}},
		"the tool's name \"\" is not":     {Messages: user, Tools: []model.Tool{{Input: []byte(`{}`)}}},
		"schema of the tool t is not one": {Messages: user, Tools: []model.Tool{{Name: "t", Input: []byte(`[]`)}}},
		"the call that message 1 answers": {Messages: []model.Message{{Role: "tool", CallID: "\xff"}}},
		"call 1 of message 1 is not UTF-": {Messages: []model.Message{{Role: "assistant", Calls: []record.ToolCall{{ID: "a", Name: "b", Arguments: "\xff"}}}}},
	} {
		_, err := m.Call(t.Context(), req)
		if f := model.AsFault(err); err == nil || f.Kind != model.FaultOurs || !strings.Contains(f.Msg, want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
	if mock.Requests() != 0 {
		t.Errorf("%d requests were sent", mock.Requests())
	}
}

// TestWire looks at a request as the server gets it.
func TestWire(t *testing.T) {
	// What the SDK would take from the process's own environment must not be sent.
	t.Setenv("OPENAI_ADMIN_KEY", "sk-admin-from-the-environment")
	t.Setenv("OPENAI_API_KEY", "sk-other-from-the-environment")
	t.Setenv("OPENAI_ORG_ID", "org-from-the-environment")
	t.Setenv("OPENAI_BASE_URL", "http://elsewhere.invalid/v1")
	t.Setenv("OPENAI_CUSTOM_HEADERS", "X-From: the-environment")
	var seen modeltest.MockRequest
	m, _ := open(t, modeltest.MockOptions{Reply: func(r modeltest.MockRequest) modeltest.MockReply {
		seen = r
		return modeltest.MockReply{Content: "ok", PromptTokens: 12, OutputTokens: 5, ThinkingTokens: 3, CachedTokens: 4}
	}})
	rep, err := m.Call(t.Context(), longPrompt)
	if err != nil {
		t.Fatal(err)
	}
	if got := seen.Header.Get("Authorization"); got != "Bearer "+testKey {
		t.Errorf("Authorization: %q", got)
	}
	for name, values := range seen.Header {
		if strings.Contains(strings.Join(values, " "), "environment") || strings.HasPrefix(name, "X-Stainless") {
			t.Errorf("header %s: %q was sent", name, values)
		}
	}
	if string(seen.Body) != string(rep.Exchange.RequestBody) || len(seen.Body) == 0 {
		t.Errorf("sent %s, recorded %s", seen.Body, rep.Exchange.RequestBody)
	}
	x := rep.Exchange
	if x.Endpoint != "POST "+m.Base+"/chat/completions" || x.Status != 200 || x.RequestHeader["Content-Type"][0] != "application/json" ||
		x.RequestHeader["Authorization"] != nil || x.ResponseHeader["Server"][0] != "assay-mock/1" || x.Error != "" {
		t.Errorf("recorded %+v", x)
	}
	u := rep.Usage
	if *u.Prompt != 12 || *u.Output != 5 || *u.Thinking != 3 || *u.Cached != 4 || rep.Model != "mock-1" || rep.Timing.Total != x.Elapsed || rep.Timing.Total <= 0 {
		t.Errorf("usage %+v, timing %+v, model %q", u, rep.Timing, rep.Model)
	}
}

func TestNoKeyIsSentWithoutOne(t *testing.T) {
	mock, err := modeltest.NewMock(modeltest.MockOptions{Reply: func(r modeltest.MockRequest) modeltest.MockReply {
		if v, ok := r.Header["Authorization"]; ok {
			t.Errorf("Authorization %q was sent", v)
		}
		return modeltest.MockReply{Content: "ok", Fault: modeltest.Fault(map[bool]string{true: "401"}[r.N == 2])}
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer mock.Close()
	m, err := New(Options{Spec: model.Spec{Raw: "openai/x", Name: "x"}, Getenv: env("OPENAI_BASE_URL", mock.URL), Dial: modeltest.Dial})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if rep, err := m.Call(t.Context(), longPrompt); err != nil || rep.Answer != "ok" {
		t.Errorf("%q, %v", rep.Answer, err)
	}
	if _, err := m.Call(t.Context(), longPrompt); err == nil || !strings.Contains(err.Error(), "wants a key: set OPENAI_API_KEY") {
		t.Errorf("got %v", err)
	}
}
