package openai

import (
	"reflect"
	"strings"
	"testing"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/wire"
	"github.com/assaybench/assay/record"
)

func read(body string) (model.Reply, *model.Fault) {
	m, err := New(Options{Spec: model.Spec{Raw: "openai/x", Name: "x", URL: "http://127.0.0.1:1/v1"}})
	if err != nil {
		panic(err)
	}
	return m.readReply(&wire.Response{Exchange: record.Exchange{Status: 200, ResponseBody: []byte(body), ResponseHeader: map[string][]string{"Content-Type": {"application/json; charset=utf-8"}}}})
}

func message(s string) string { return `{"choices":[{"finish_reason":"stop","message":{` + s + `}}]}` }

func TestReadReply(t *testing.T) {
	for name, c := range map[string]struct {
		body, answer, thinking string
		finish                 model.Finish
		unclosed               bool
	}{
		"plain":                     {message(`"content":"a"`), "a", "", model.FinishStop, false},
		"null content":              {message(`"content":null`), "", "", model.FinishStop, false},
		"no content":                {message(`"role":"assistant"`), "", "", model.FinishStop, false},
		"parts":                     {message(`"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]`), "ab", "", model.FinishStop, false},
		"escapes":                   {message(`"content":"\u0000\ud83e\udd8a\/\r\n"`), "\x00🦊/\r\n", "", model.FinishStop, false},
		"half a surrogate":          {message(`"content":"a\ud83e"`), "a\ufffd", "", model.FinishStop, false},
		"broken UTF-8":              {message("\"content\":\"a\xf0\x9f\""), "a\ufffd\ufffd", "", model.FinishStop, false},
		"reasoning_content":         {message(`"content":"a","reasoning_content":"t"`), "a", "t", model.FinishStop, false},
		"reasoning":                 {message(`"content":"a","reasoning":"t","reasoning_content":null`), "a", "t", model.FinishStop, false},
		"both":                      {message(`"content":"a","reasoning":"t","reasoning_content":"t"`), "a", "t", model.FinishStop, false},
		"reasoning of another form": {message(`"content":"a","reasoning":{"x":1},"reasoning_content":[]`), "a", "", model.FinishStop, false},
		"tags":                      {message(`"content":"<think>t</think>\n\na"`), "a", "t", model.FinishStop, false},
		"empty tags":                {message(`"content":"<think>\n\n</think>\n\na"`), "a", "\n\n", model.FinishStop, false},
		"tags without text":         {message(`"content":"<think></think>a"`), "a", "", model.FinishStop, false},
		"open tag":                  {message(`"content":"<think>t"`), "", "t", model.FinishStop, true},
		"field and tags":            {message(`"content":"<think>u</think>a","reasoning":"t"`), "a", "t\nu", model.FinishStop, false},
		"refusal":                   {message(`"content":null,"refusal":"no"`), "no", "", model.FinishRefusal, false},
		"refusal null":              {message(`"content":"a","refusal":null`), "a", "", model.FinishStop, false},
		"error null":                {`{"error":null,"choices":[{"finish_reason":"length","message":{"content":"a"},"error":null}]}`, "a", "", model.FinishLength, false},
		"odd informal fields":       {`{"model":7,"usage":[],"timings":"x","choices":[{"finish_reason":"eos_token","message":{"content":"a"}}]}`, "a", "", model.FinishStop, false},
		"white space around":        {"\r\n " + message(`"content":"a"`) + " \n", "a", "", model.FinishStop, false},
	} {
		rep, f := read(c.body)
		if f != nil || rep.Answer != c.answer || rep.Thinking != c.thinking || rep.Finish != c.finish || rep.Unclosed != c.unclosed {
			t.Errorf("%s: answer %q, thinking %q, finish %s, unclosed %v, fault %v", name, rep.Answer, rep.Thinking, rep.Finish, rep.Unclosed, f)
		}
	}
}

func TestToolCalls(t *testing.T) {
	call := func(id, name, args string) record.ToolCall {
		return record.ToolCall{ID: id, Name: name, Arguments: args}
	}
	for name, c := range map[string]struct {
		body  string
		calls []record.ToolCall
		fault string
	}{
		"one":              {message(`"content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{\"a\": 1}"}}]`), []record.ToolCall{call("c1", "f", `{"a": 1}`)}, ""},
		"two, one broken":  {message(`"tool_calls":[{"id":"c1","function":{"name":"f","arguments":"{'a'"}},{"id":"c2","function":{"name":"g","arguments":""}}]`), []record.ToolCall{call("c1", "f", `{'a'`), call("c2", "g", "")}, ""},
		"an object":        {message(`"tool_calls":[{"id":"c1","function":{"name":"f","arguments":{"a": [1, 2.50]}}}]`), []record.ToolCall{call("c1", "f", `{"a": [1, 2.50]}`)}, ""},
		"no arguments":     {message(`"tool_calls":[{"id":null,"function":{"name":"f"}},{"function":{"name":"g","arguments":null}}]`), []record.ToolCall{call("call_1", "f", ""), call("call_2", "g", "")}, ""},
		"as before tools":  {message(`"content":null,"function_call":{"name":"f","arguments":"{}"}`), []record.ToolCall{call("call_1", "f", "{}")}, ""},
		"null":             {message(`"content":"a","tool_calls":null,"function_call":null`), nil, ""},
		"none":             {message(`"content":"a","tool_calls":[]`), nil, ""},
		"without function": {message(`"tool_calls":[{"id":"c1"}]`), nil, "tool call 1 of the reply names no function"},
		"without name":     {message(`"tool_calls":[{"function":{"name":"f","arguments":""}},{"function":{"arguments":"{}"}}]`), nil, "tool call 2 of the reply names no function"},
		"no list":          {message(`"tool_calls":{"id":"c1"}`), nil, "not one whole JSON value of the known form"},
	} {
		rep, f := read(c.body)
		if c.fault != "" {
			if f == nil || f.Kind != model.FaultBroken || !strings.Contains(f.Msg, c.fault) {
				t.Errorf("%s: %+v, fault %v", name, rep.Calls, f)
			}
			continue
		}
		finish := model.FinishStop
		if len(c.calls) > 0 {
			finish = model.FinishTool // although the server says stop
		}
		if f != nil || !reflect.DeepEqual(rep.Calls, c.calls) || rep.Finish != finish || rep.FinishRaw != "stop" {
			t.Errorf("%s: %+v, finish %s, fault %v", name, rep.Calls, rep.Finish, f)
		}
	}
}

// TestPolicyErrors: a provider that forbids the request has refused it, although it says so by an error.
func TestPolicyErrors(t *testing.T) {
	for body, want := range map[string]string{
		`{"error":{"code":"content_filter","message":"The response was filtered."}}`:                                                    "content_filter",
		`{"error":{"code":"invalid_prompt","message":"Your prompt was flagged as potentially violating our usage policy.","type":"x"}}`: "invalid_prompt",
		`{"error":{"code":"bio_policy","message":"no"}}`:                                                                                "bio_policy",
		`{"error":{"code":"invalid_prompt","message":"Prompt is empty"}}`:                                                               "",
		`{"error":{"code":"unsupported_parameter","message":"Unsupported parameter: 'user_policy' is not supported with this model."}}`: "",
		`{"error":{"code":null,"message":"see our usage policies"}}`:                                                                    "",
	} {
		got := &wire.Response{Exchange: record.Exchange{Status: 400, ResponseBody: []byte(body), Elapsed: 5}}
		rep, ok := Declined(got)
		if ok != (want != "") || rep.FinishRaw != want || ok && (rep.Finish != model.FinishFilter || rep.Timing.Total != 5) {
			t.Errorf("%s: %+v, %v", body, rep, ok)
		}
		if ok {
			if tr := model.Transcribe(longPrompt, rep, nil); tr.Outcome != record.Refused {
				t.Errorf("%s: %s", body, tr.Outcome)
			}
		}
	}
	for body, want := range map[string]bool{
		`{"error":{"code":403,"message":"This model requires moderation. Your input was flagged for \"violence\"."}}`: true,
		`{"error":{"code":403,"message":"Your account is not allowed to use this model."}}`:                           false,
	} {
		rep, ok := Declined(&wire.Response{Exchange: record.Exchange{Status: 403, ResponseBody: []byte(body)}})
		if ok != want || ok && model.Transcribe(longPrompt, rep, nil).Outcome != record.Refused {
			t.Errorf("%s: %+v, %v", body, rep, ok)
		}
	}
	if _, ok := Declined(&wire.Response{Exchange: record.Exchange{Status: 500, ResponseBody: []byte(`{"error":{"code":"content_filter"}}`)}}); ok {
		t.Error("a 500 is no refusal")
	}
}

func TestUsage(t *testing.T) {
	for usage, want := range map[string][4]int64{ // prompt, output, thinking, cached; 0 for not said
		`null`: {}, `{}`: {}, `{"prompt_tokens":0,"completion_tokens":0}`: {}, `{"prompt_tokens":-3}`: {}, `{"prompt_tokens":"9"}`: {}, `{"prompt_tokens":1e3}`: {},
		`{"prompt_tokens":9,"completion_tokens":4,"prompt_tokens_details":null,"completion_tokens_details":null}`:                                  {9, 4, 0, 0},
		`{"prompt_tokens":9,"completion_tokens":4,"prompt_tokens_details":{"cached_tokens":2},"completion_tokens_details":{"reasoning_tokens":3}}`: {9, 4, 3, 2},
		`{"prompt_tokens":9,"prompt_tokens_details":{"cached_tokens":0},"completion_tokens_details":[]}`:                                           {9, 0, 0, 0},
		`{"prompt_tokens":99999999999999999999}`: {},
	} {
		rep, f := read(`{"choices":[{"finish_reason":"stop","message":{"content":"a"}}],"usage":` + usage + `}`)
		if f != nil {
			t.Errorf("%s: %v", usage, f)
			continue
		}
		for i, p := range []*int64{rep.Usage.Prompt, rep.Usage.Output, rep.Usage.Thinking, rep.Usage.Cached} {
			if (p == nil) != (want[i] == 0) || (p != nil && *p != want[i]) {
				t.Errorf("%s: count %d is %v", usage, i, p)
			}
		}
	}
}

func TestTimings(t *testing.T) {
	for details, want := range map[string]int64{"": 7, `,"prompt_tokens_details":{"cached_tokens":3}`: 3} {
		rep, f := read(`{"choices":[{"finish_reason":"stop","message":{"content":"a"}}],"usage":{"prompt_tokens":9` + details + `},"timings":{"cache_n":7}}`)
		if f != nil || rep.Usage.Cached == nil || *rep.Usage.Cached != want {
			t.Errorf("%s: %+v, %v", details, rep.Usage, f)
		}
	}

	rep, f := read(`{"choices":[{"finish_reason":"stop","message":{"content":"a"}}],"timings":{"prompt_ms":12.5,"predicted_ms":1e300}}`)
	if f != nil || rep.Timing.Prompt != 12_500_000 || rep.Timing.Output != 0 {
		t.Errorf("%+v, %v", rep.Timing, f)
	}
}

func TestFinishWords(t *testing.T) {
	for raw, want := range map[string]model.Finish{"stop": model.FinishStop, "length": model.FinishLength, "content_filter": model.FinishFilter,
		"tool_calls": model.FinishTool, "function_call": model.FinishTool, "abort": "abort", "weird": "weird"} {
		if got := finishOf(raw); got != want {
			t.Errorf("%s: %s", raw, got)
		}
	}
}
