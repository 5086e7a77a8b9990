package openai

import (
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
