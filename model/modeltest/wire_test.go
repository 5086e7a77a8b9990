package modeltest

import (
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
)

// TestGoodReplies: every wire's answers are whole, with all that a reply can hold.
func TestGoodReplies(t *testing.T) {
	calls := []record.ToolCall{{ID: "call_1", Name: "x", Arguments: `{ "a":1.50}`}, {Name: "y"}}
	for _, w := range Wires() {
		if err := readers[w]([]byte(forms()[w].good)); err != nil {
			t.Errorf("%s: %v: %s", w, err, forms()[w].good)
		}
		for name, c := range map[string]struct {
			reply MockReply
			want  map[Wire][]string // texts in the body; those of -1 for every wire
		}{
			"fixed":    {MockReply{Content: "a \"b\"\n\u2028"}, map[Wire][]string{-1: {`a \"b\"\n`}}},
			"empty":    {MockReply{}, map[Wire][]string{WireAnthropic: {`"content":[]`}, WireGemini: {`"content":{"role":"model"}`}, WireOllama: {`"content":""`}}},
			"thinking": {MockReply{Content: "ok", Thinking: "hm", ThinkingTokens: 3}, map[Wire][]string{WireChat: {`"reasoning_content":"hm"`, `"reasoning_tokens":3`}, WireOllama: {`"thinking":"hm"`}, WireAnthropic: {`"thinking":"hm","signature":"` + Signature, `"thinking_tokens":3`}, WireGemini: {`{"text":"hm","thought":true}`, Signature, `"thoughtsTokenCount":3`}, WireResponses: {`"text":"hm"`, Signature, `"reasoning_tokens":3`}}},
			"counts":   {MockReply{Content: "ok", PromptTokens: 100, CachedTokens: 30, OutputTokens: 7}, map[Wire][]string{WireChat: {`"prompt_tokens":100,"completion_tokens":7`, `"cached_tokens":30`}, WireOllama: {`"prompt_eval_count":100`, `"eval_count":7`}, WireAnthropic: {`"input_tokens":70`, `"cache_read_input_tokens":30,"output_tokens":7`}, WireGemini: {`"promptTokenCount":100`, `"cachedContentTokenCount":30`, `"candidatesTokenCount":7`}, WireResponses: {`"input_tokens":100`, `"cached_tokens":30`, `"output_tokens":7`}}},
			"length":   {MockReply{Content: "ok", Finish: "length"}, map[Wire][]string{WireChat: {`"length"`}, WireOllama: {`"done_reason":"length"`}, WireAnthropic: {`"stop_reason":"max_tokens"`}, WireGemini: {`"MAX_TOKENS"`}, WireResponses: {`"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"}`}}},
			"refusal":  {MockReply{Refusal: "no"}, map[Wire][]string{WireChat: {`"content":null,"refusal":"no"`}, WireAnthropic: {`"stop_reason":"refusal","stop_sequence":null,"stop_details":{"type":"refusal"`}, WireGemini: {`"PROHIBITED_CONTENT"`}, WireResponses: {`{"type":"refusal","refusal":"no"}`}}},
			"calls": {MockReply{Calls: calls}, map[Wire][]string{WireChat: {`"finish_reason":"tool_calls"`, `"content":null`, `"arguments":"{ \"a\":1.50}"`, `"id":"call_1"`, `"id":"call_mock2"`}, WireOllama: {`"arguments":{ "a":1.50}`, `"done_reason":"stop"`, `{"function":{"index":1,"name":"y","arguments":{}}}`},
				WireAnthropic: {`"stop_reason":"tool_use"`, `"input":{ "a":1.50}`, `"id":"toolu_mock2"`}, WireGemini: {`"finishReason":"STOP"`, `{"functionCall":{"name":"x","args":{ "a":1.50},"id":"call_1"}}`, `{"functionCall":{"name":"y","args":{}}}`}, WireResponses: {`"status":"completed"`, `"arguments":"{ \"a\":1.50}","call_id":"call_1"`, `"call_id":"call_mock2"`}}},
			"own word": {MockReply{Content: "ok", Finish: "because"}, map[Wire][]string{-1: {`"because"`}}},
		} {
			m := start(t, MockOptions{Wire: w, Reply: func(MockRequest) MockReply { return c.reply }})
			a := bare(t.Context(), t, m, bareRequests[w])
			if err := readers[w](a.body); a.status != 200 || a.err != nil || err != nil {
				t.Errorf("%s %s: %d %v %v: %s", w, name, a.status, a.err, err, a.body)
			}
			for _, text := range append(c.want[w], c.want[-1]...) {
				if !strings.Contains(string(a.body), text) {
					t.Errorf("%s %s: no %s in %s", w, name, text, a.body)
				}
			}
		}
	}
}

// TestRequestsAreRead: what the mock tells a test of a request.
func TestRequestsAreRead(t *testing.T) {
	for w, body := range map[Wire]string{
		WireChat:      `{"model":"m","messages":[{"role":"user","content":"what?"},{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"x","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c1","content":"tea"}],"tools":[{"type":"function","function":{"name":"x"}}],"temperature":0,"top_p":1,"seed":1,"max_tokens":5,"reasoning_effort":"low","response_format":{"type":"json_schema"}}`,
		WireOllama:    `{"model":"m","stream":false,"messages":[{"role":"user","content":"what?"},{"role":"assistant","content":"","tool_calls":[{"function":{"name":"x","arguments":{}}}]},{"role":"tool","tool_name":"x","content":"tea"}],"tools":[{"type":"function","function":{"name":"x"}}],"think":"low","format":{},"options":{"temperature":0,"top_p":1,"seed":1,"num_predict":5,"num_ctx":9}}`,
		WireAnthropic: `{"model":"m","max_tokens":5,"messages":[{"role":"user","content":"what?"},{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"` + Signature + `"},{"type":"tool_use","id":"c1","name":"x","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"tea"}]}],"tools":[{"name":"x"}],"temperature":0,"top_p":1,"output_config":{"effort":"low","format":{}}}`,
		WireGemini:    `{"contents":[{"role":"user","parts":[{"text":"what?"}]},{"role":"model","parts":[{"functionCall":{"name":"x","args":{}}}]},{"role":"user","parts":[{"functionResponse":{"name":"x","response":{"output":"tea"}}}]}],"tools":[{"functionDeclarations":[{"name":"x"}]}],"generationConfig":{"temperature":0,"topP":1,"seed":1,"maxOutputTokens":5,"responseJsonSchema":{},"thinkingConfig":{"thinkingLevel":"LOW"}}}`,
		WireResponses: `{"model":"m","input":[{"role":"user","content":[{"type":"input_text","text":"what?"}]},{"type":"reasoning","encrypted_content":"` + Signature + `"},{"type":"function_call","call_id":"c1","name":"x","arguments":"{}"},{"type":"function_call_output","call_id":"c1","output":"tea"}],"tools":[{"type":"function","name":"x"}],"temperature":0,"top_p":1,"max_output_tokens":5,"reasoning":{"effort":"low"},"text":{"format":{"type":"json_schema"}}}`,
	} {
		var got MockRequest
		m := start(t, MockOptions{Wire: w, Reply: func(r MockRequest) MockReply { got = r; return MockReply{} }})
		if a := bare(t.Context(), t, m, body); a.status != 200 {
			t.Errorf("%s: %d %s", w, a.status, a.body)
		}
		want := MockRequest{N: 1, Path: got.Path, Header: got.Header, Body: []byte(body), Model: "m", User: "what?", Tools: []string{"x"}, Results: []string{"tea"}, Settings: got.Settings}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v", w, got)
		}
		for _, s := range []string{"temperature", "top_p", "max_output", "thinking", "schema", "tools"} {
			if !got.Asks(s) {
				t.Errorf("%s: no %s in %v", w, s, got.Settings)
			}
		}
		if seeds := w != WireAnthropic && w != WireResponses; got.Asks("seed") != seeds || got.Asks("context") != (w == WireOllama) {
			t.Errorf("%s: %v", w, got.Settings)
		}
		if a := bare(t.Context(), t, m, bareRequests[w]); a.status != 200 || got.User != "last" || len(got.Tools)+len(got.Results) != 0 || got.Asks("thinking") || got.Asks("schema") {
			t.Errorf("%s: %+v", w, got)
		}
	}
}

// TestRefusals: what the real servers do not take, the mock does not take either.
func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		wire       Wire
		body, want string
	}{
		{WireChat, `{"model":"m","messages":[{"role":"tool","tool_call_id":"c9","content":"tea"}]}`, "preceeding message with 'tool_calls'"},
		{WireChat, `{"model":`, "could not parse"},
		{WireOllama, `{"messages":[]}`, "model is required"},
		{WireOllama, `{"model":"other","messages":[]}`, "model 'other' not found"},
		{WireOllama, `{"model":"m","messages":[{"role":"assistant","content":"","tool_calls":[{"function":{"name":"x","arguments":"{}"}}]}]}`, "cannot unmarshal string"},
		{WireOllama, `{"model":"m","messages":[],"options":{"num_ctx":"big"}}`, "must be of type integer"},
		{WireAnthropic, `{"model":"m","messages":[{"role":"user","content":"x"}]}`, "max_tokens: Field required"},
		{WireAnthropic, `{"model":"other","max_tokens":1,"messages":[{"role":"user","content":"x"}]}`, "model: other"},
		{WireAnthropic, `{"model":"m","max_tokens":1,"stream":true,"messages":[{"role":"user","content":"x"}]}`, "does not stream"},
		{WireAnthropic, `{"model":"m","max_tokens":1,"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"c9","content":"x"}]}]}`, "unexpected `tool_use_id`"},
		{WireAnthropic, `{"model":"m","max_tokens":1,"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"x","input":{}}]},{"role":"user","content":"x"}]}`, "without `tool_result` blocks"},
		{WireAnthropic, `{"model":"m","max_tokens":1,"messages":[{"role":"assistant","content":[{"type":"thinking","thinking":"x","signature":"forged"}]},{"role":"user","content":"x"}]}`, "Invalid `signature`"},
		{WireAnthropic, `{"model":"m","max_tokens":1,"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"x","input":"{}"}]}]}`, "valid dictionary"},
		{WireGemini, `{"contents":[]}`, "contents is not specified"},
		{WireGemini, `{"contents":[{"role":"model","parts":[{"functionCall":{"name":"x","args":{}}}]},{"role":"user","parts":[{"text":"x"}]}]}`, "equal to the number of function call parts"},
		{WireResponses, `{"model":"m"}`, "Missing required parameter: 'input'"},
		{WireResponses, `{"model":"m","input":[{"type":"function_call_output","call_id":"c9","output":"x"}]}`, "No tool call found"},
		{WireResponses, `{"model":"m","input":[{"type":"function_call","call_id":"c1","name":"x","arguments":"{}"},{"role":"user","content":"x"}]}`, "No tool output found"},
		{WireResponses, `{"model":"m","input":[{"type":"function_call","call_id":"c1","name":"x","arguments":{}}]}`, "expected a string"},
		{WireResponses, `{"model":"m","input":[{"type":"reasoning","encrypted_content":"forged"}]}`, "could not be verified"},
	} {
		m := start(t, MockOptions{Wire: c.wire, Models: []string{"m"}})
		if c.wire == WireChat {
			m = start(t, MockOptions{Reply: func(MockRequest) MockReply { return MockReply{} }}) // the fixed answer is given unread
		}
		if a := bare(t.Context(), t, m, c.body); a.status != 400 && a.status != 404 || !strings.Contains(string(a.body), c.want) {
			t.Errorf("%s %s: %d %s, want %q", c.wire, c.body, a.status, a.body, c.want)
		}
	}
	if _, err := NewMock(MockOptions{Wire: 99}); err == nil || !strings.Contains(err.Error(), "Wire(99)") {
		t.Errorf("a wire that is none: %v", err)
	}
}

// get asks for what is no call.
func get(t *testing.T, method, url, body string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(b)
}

func TestModels(t *testing.T) {
	for _, c := range []struct {
		wire         Wire
		method, path string
		body         string
		status       int
		want         []string
	}{
		{WireAnthropic, "GET", "/v1/models", "", 200, []string{`"id":"a/b"`, `"id":"m"`, `"has_more":false`, `"last_id":"m"`}},
		{WireAnthropic, "GET", "/v1/models/m", "", 200, []string{`{"type":"model","id":"m"`, `"max_input_tokens":5000`}},
		{WireAnthropic, "GET", "/v1/models/a%2Fb", "", 200, []string{`"id":"a/b"`}},
		{WireAnthropic, "GET", "/v1/models/other", "", 404, []string{`"message":"model: other"`}},
		{WireAnthropic, "POST", "/v1/messages/count_tokens", "12345678", 200, []string{`{"input_tokens":3}`}},
		{WireAnthropic, "GET", "/v1/nothing", "", 404, []string{"not_found_error"}},
		{WireGemini, "GET", "/models", "", 200, []string{`"name":"models/a/b"`, `"name":"models/m"`}},
		{WireGemini, "GET", "/models/m", "", 200, []string{`"inputTokenLimit":5000`}},
		{WireGemini, "GET", "/models/other", "", 404, []string{"models/other is not found"}},
		{WireGemini, "POST", "/models/m:countTokens", "12345678", 200, []string{`"totalTokens":3`}},
		{WireGemini, "GET", "/nothing", "", 404, []string{"<html>"}},
		{WireResponses, "GET", "/models", "", 200, []string{`"id":"a/b"`, `"id":"m"`}},
		{WireOllama, "GET", "/api/nothing", "", 404, []string{"404 page not found"}},
	} {
		m := start(t, MockOptions{Wire: c.wire, Models: []string{"a/b", "m"}, Server: MockServer{Trained: 5000}})
		status, got := get(t, c.method, m.URL+c.path, c.body)
		for _, text := range c.want {
			if status != c.status || !strings.Contains(got, text) {
				t.Errorf("%s %s: %d %s, want %q", c.wire, c.path, status, got, text)
			}
		}
		if m.Requests() != 0 {
			t.Errorf("%s %s is counted as a call", c.wire, c.path)
		}
	}
}

// TestActs: what an act does on a mock.
func TestActs(t *testing.T) {
	calls := []record.ToolCall{{Name: "x"}}
	for _, c := range []struct {
		act  Act
		req  MockRequest
		want MockReply
	}{
		{Act{Answer: "a", Thinking: "t", Finish: model.FinishLength}, MockRequest{}, MockReply{Content: "a", Thinking: "t", Finish: "length"}},
		{Act{Echo: true}, MockRequest{User: "u"}, MockReply{Content: "u"}},
		{Act{Answer: "no", Finish: model.FinishRefusal}, MockRequest{}, MockReply{Refusal: "no"}},
		{Act{Answer: "a", Calls: calls}, MockRequest{}, MockReply{Content: "a"}},
		{Act{Answer: "a", Calls: calls}, MockRequest{Tools: []string{"x"}}, MockReply{Calls: calls}},
		{Act{Answer: "a", Calls: calls}, MockRequest{Tools: []string{"x"}, Results: []string{""}}, MockReply{Content: "a"}},
		{Act{Answer: "a", Rejects: []string{"temperature"}}, MockRequest{Settings: []string{"temperature"}}, MockReply{Fault: "400-temperature"}},
		{Act{Answer: "a", Rejects: []string{"temperature"}}, MockRequest{Settings: []string{"top_p"}}, MockReply{Content: "a"}},
	} {
		if got := c.act.Reply(c.req); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%+v on %+v: %+v", c.act, c.req, got)
		}
	}
	for _, w := range []Wire{WireChat, WireOllama, WireAnthropic, WireGemini, WireResponses} {
		for _, s := range []string{"temperature", "top_p", "thinking"} {
			is := slices.Contains(FaultsOf(w), Fault("400-"+s))
			if want := s == "thinking" || w != WireOllama; is != want {
				t.Errorf("%s can reject %s: %v", w, s, is)
			}
		}
	}
}

func TestHoldsText(t *testing.T) {
	body := []byte(`{"a":["x\n",{"args":{ "n" : 1.0 }}],"s":"{\"n\":1.0}"}`)
	for text, want := range map[string]bool{"x\n": true, "x": false, `{"n":1.0}`: true, `{"n":1}`: false, `{ "n":1.0}`: true, "a": false, "": false, "1.0": true, `[]`: false} {
		if holdsText(body, text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
	if holdsText([]byte(`{"s":"{\"n\":1.0}"}`), `{"n":1}`) || !holdsText([]byte(`{"s":"{\"n\""}`), `{"n"`) || holdsText([]byte(`{"s"`), "s") {
		t.Error("arguments as text are not told apart")
	}
}

func TestPieces(t *testing.T) {
	for _, s := range []string{"", "a", "ab", "日本語🦊", strings.Repeat("é", 50), "\xff\xfe\xfd\x80\x80\x80"} {
		got := slices.Collect(pieces(s))
		if strings.Join(got, "") != s || len(got) > 3 || slices.Contains(got, "") {
			t.Errorf("%q: %q", s, got)
		}
		for _, p := range got {
			if strings.ToValidUTF8(s, "?") == s && strings.ToValidUTF8(p, "?") != p {
				t.Errorf("%q is cut inside a character: %q", s, got)
			}
		}
	}
}

func TestWireNames(t *testing.T) {
	if s := fmt.Sprint(Wires()); s != "[chat ollama anthropic gemini responses]" {
		t.Error(s)
	}
}
