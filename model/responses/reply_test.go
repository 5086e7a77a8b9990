package responses

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/wire"
	"github.com/assaybench/assay/record"
)

func read(t testing.TB, body string) (model.Reply, *model.Fault) {
	m := at(t, "http://127.0.0.1:1/v1")
	m.Official = true
	return m.readReply(&wire.Response{Exchange: record.Exchange{Status: 200, ResponseBody: []byte(body), ResponseHeader: map[string][]string{"Content-Type": {"application/json; charset=utf-8"}}}})
}

func completed(output string) string {
	return `{"status":"completed","error":null,"incomplete_details":null,"output":[` + output + `]}`
}

func said(texts ...string) string {
	var parts []string
	for _, s := range texts {
		parts = append(parts, `{"type":"output_text","text":"`+s+`","annotations":[]}`)
	}
	return `{"type":"message","role":"assistant","status":"completed","content":[` + strings.Join(parts, ",") + `]}`
}

func TestReadReply(t *testing.T) {
	const call = `{"type":"function_call","id":"fc_1","call_id":"call_1","name":"f","arguments":"{\"a\": 1"}`
	for name, c := range map[string]struct {
		body, answer, thinking string
		finish                 model.Finish
		raw                    string
		calls                  int
	}{
		"plain":                {completed(said("a")), "a", "", model.FinishStop, "completed", 0},
		"nothing":              {completed(""), "", "", model.FinishStop, "completed", 0},
		"parts and messages":   {completed(said("a", "b") + "," + said("c")), "abc", "", model.FinishStop, "completed", 0},
		"escapes":              {completed(said(`\u0000\ud83e\udd8a\/\r\n`)), "\x00🦊/\r\n", "", model.FinishStop, "completed", 0},
		"broken UTF-8":         {completed(said("a\xf0\x9f")), "a\ufffd\ufffd", "", model.FinishStop, "completed", 0},
		"summary":              {completed(`{"type":"reasoning","id":"rs","summary":[{"type":"summary_text","text":"first"},{"type":"summary_text","text":"then"}],"encrypted_content":"x"},` + said("a")), "a", "first\n\nthen", model.FinishStop, "completed", 0},
		"thought, not summary": {completed(`{"type":"reasoning","summary":[{"type":"summary_text","text":"s"}],"content":[{"type":"reasoning_text","text":"all of it"}]},` + said("a")), "a", "all of it", model.FinishStop, "completed", 0},
		"no summary":           {completed(`{"type":"reasoning","summary":[],"content":null},` + said("a")), "a", "", model.FinishStop, "completed", 0},
		"tags are text here":   {completed(said("<think>t</think>a")), "<think>t</think>a", "", model.FinishStop, "completed", 0},
		"refusal":              {completed(`{"type":"message","content":[{"type":"refusal","refusal":"no"}]}`), "no", "", model.FinishRefusal, "completed", 0},
		"refusal after text":   {completed(`{"type":"message","content":[{"type":"output_text","text":"a"},{"type":"refusal","refusal":"no"}]}`), "a", "", model.FinishRefusal, "completed", 0},
		"call":                 {completed(call), "", "", model.FinishTool, "completed", 1},
		"text and calls":       {completed(said("so") + "," + call + "," + call), "so", "", model.FinishTool, "completed", 2},
		"commentary":           {completed(strings.Replace(said("let me see"), `"role"`, `"phase":"commentary","role"`, 1) + "," + strings.Replace(said("a"), `"role"`, `"phase":"final_answer","role"`, 1)), "a", "", model.FinishStop, "completed", 0},
		"only commentary":      {completed(strings.Replace(said("let me see"), `"role"`, `"phase":"commentary","role"`, 1) + "," + call), "let me see", "", model.FinishTool, "completed", 1},
		"unasked items":        {completed(`{"type":"web_search_call","content":7,"arguments":{"x":1}},` + said("a")), "a", "", model.FinishStop, "completed", 0},
		"limit":                {`{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"output":[` + said("half") + `]}`, "half", "", model.FinishLength, "max_output_tokens", 0},
		"limit while thinking": {`{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"output":[{"type":"reasoning","summary":[{"text":"hm"}]}]}`, "", "hm", model.FinishLength, "max_output_tokens", 0},
		"filter":               {`{"status":"incomplete","incomplete_details":{"reason":"content_filter"},"output":[]}`, "", "", model.FinishFilter, "content_filter", 0},
		"unknown reason":       {`{"status":"incomplete","incomplete_details":{"reason":"steered"},"output":[]}`, "", "", "steered", "steered", 0},
		"cancelled":            {`{"status":"cancelled","output":[]}`, "", "", "cancelled", "cancelled", 0},
		"unknown status":       {`{"status":"because","output":[]}`, "", "", "because", "because", 0},
		"policy":               {`{"status":"failed","error":{"code":"bio_policy","message":"not this"},"output":[]}`, "not this", "", model.FinishFilter, "bio_policy", 0},
		"flagged":              {`{"status":"failed","error":{"code":"invalid_prompt","message":"flagged as violating our usage policy"},"output":[]}`, "flagged as violating our usage policy", "", model.FinishFilter, "invalid_prompt", 0},
		"odd informal fields":  {`{"model":7,"usage":[],"status":"completed","output":[` + said("a") + `]}`, "a", "", model.FinishStop, "completed", 0},
	} {
		rep, f := read(t, c.body)
		if f != nil || rep.Answer != c.answer || rep.Thinking != c.thinking || rep.Finish != c.finish || rep.FinishRaw != c.raw || len(rep.Calls) != c.calls {
			t.Errorf("%s: answer %q, thinking %q, finish %s (%s), calls %+v, fault %v", name, rep.Answer, rep.Thinking, rep.Finish, rep.FinishRaw, rep.Calls, f)
		}
		for _, got := range rep.Calls {
			if got != (record.ToolCall{ID: "call_1", Name: "f", Arguments: `{"a": 1`}) {
				t.Errorf("%s: %+v", name, got)
			}
		}
	}
}

func TestUnreadableReplies(t *testing.T) {
	for body, want := range map[string]struct {
		kind model.FaultKind
		msg  string
	}{
		``:                                     {model.FaultBroken, "not one whole JSON value"},
		completed(said("a"))[:60]:              {model.FaultBroken, "not one whole JSON value"},
		completed(said("a")) + completed(""):   {model.FaultBroken, "not one whole JSON value"},
		`{"status":"completed","status":"x"}`:  {model.FaultBroken, "not one whole JSON value"},
		`{"choices":[]}`:                       {model.FaultBroken, "no status"},
		`{"status":"","output":[]}`:            {model.FaultBroken, "no status"},
		`{"status":7,"output":[]}`:             {model.FaultBroken, "known form"},
		`{"status":"completed"}`:               {model.FaultBroken, "no output"},
		`{"status":"completed","output":null}`: {model.FaultBroken, "no output"},
		`{"status":"completed","output":{}}`:   {model.FaultBroken, "no output"},
		`{"status":"in_progress","output":[]}`: {model.FaultBroken, "status is in_progress"},
		`{"status":"queued","output":[]}`:      {model.FaultBroken, "status is queued"},
		`{"status":"incomplete","output":[]}`:  {model.FaultBroken, "does not say why"},
		completed(`{}`):                        {model.FaultBroken, "item 1 of the reply has no type"},
		completed(`null`):                      {model.FaultBroken, "item 1"},
		completed(`"text"`):                    {model.FaultBroken, "item 1 of the reply is not of the known form"},
		completed(said("a") + `,{"type":"message","content":[{"type":"output_text","text":4}]}`):                                          {model.FaultBroken, "item 2 of the reply is not of the known form"},
		completed(`{"type":"message","content":[{"type":"output_image"}]}`):                                                               {model.FaultBroken, `a part of type "output_image"`},
		completed(`{"type":"message","content":[{"type":"output_text"}]}`):                                                                {model.FaultBroken, "a part of type"},
		completed(`{"type":"message","content":"text"}`):                                                                                  {model.FaultBroken, "known form"},
		completed(`{"type":"function_call","call_id":"c","name":"f"}`):                                                                    {model.FaultBroken, "without a name or arguments"},
		completed(`{"type":"function_call","call_id":"c","arguments":"{}"}`):                                                              {model.FaultBroken, "without a name or arguments"},
		completed(`{"type":"function_call","call_id":"c","name":"f","arguments":{}}`):                                                     {model.FaultBroken, "known form"},
		`{"status":"failed","error":null,"output":[]}`:                                                                                    {model.FaultServer, "an error inside a 200"},
		`{"status":"failed","error":{"code":"server_error","message":"The model failed."}}`:                                               {model.FaultServer, "The model failed."},
		`{"status":"failed","error":{"code":"rate_limit_exceeded","message":"Slow down."}}`:                                               {model.FaultBusy, "busy (Slow down.)"},
		`{"status":"completed","error":{"message":"CUDA out of memory"},"output":[]}`:                                                     {model.FaultServer, "CUDA out of memory"},
		`{"error":"model runner has stopped"}`:                                                                                            {model.FaultServer, "model runner has stopped"},
		`{"status":"failed","error":{"code":"context_length_exceeded","message":"Your input exceeds the context window of this model."}}`: {model.FaultContext, "does not fit"},
	} {
		rep, f := read(t, body)
		if f == nil || f.Kind != want.kind || !strings.Contains(f.Msg, want.msg) || strings.ContainsAny(f.Msg, "\r\n") {
			t.Errorf("%s: %+v, %v; want %s %q", body, rep, f, want.kind, want.msg)
		}
	}
}

func TestUsage(t *testing.T) {
	for usage, want := range map[string][4]int64{ // prompt, output, thinking, cached; 0 for not said
		`null`: {}, `{}`: {}, `{"input_tokens":0}`: {}, `{"input_tokens":-3}`: {}, `{"input_tokens":"9"}`: {},
		`{"input_tokens":75,"input_tokens_details":{"cached_tokens":64},"output_tokens":1186,"output_tokens_details":{"reasoning_tokens":1024},"total_tokens":1261}`: {75, 1186, 1024, 64},
		`{"input_tokens":75,"input_tokens_details":null,"output_tokens":1186,"output_tokens_details":[]}`:                                                            {75, 1186, 0, 0},
	} {
		rep, f := read(t, `{"status":"completed","output":[],"usage":`+usage+`}`)
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

// TestOpenServers: those that leave thinking in the text are read like those of chat completions.
func TestOpenServers(t *testing.T) {
	m := at(t, "http://127.0.0.1:1/v1")
	rep, f := m.readReply(&wire.Response{Exchange: record.Exchange{Status: 200, ResponseBody: []byte(completed(said(`<think>t</think>\n\na`)))}})
	if f != nil || rep.Answer != "a" || rep.Thinking != "t" {
		t.Errorf("%+v, %v", rep, f)
	}
}

func FuzzReadReply(f *testing.F) {
	for _, s := range []string{completed(said("a")), completed(`{"type":"function_call","call_id":"c","name":"f","arguments":"{}"}`), `{"status":"failed","error":{"code":"bio_policy"}}`,
		`{"status":"incomplete","incomplete_details":{"reason":"x"},"output":[{"type":"reasoning","summary":[{"text":"t"}]}]}`, completed(`null`)} {
		f.Add(s, 200)
	}
	m := at(f, "http://127.0.0.1:1/v1")
	f.Fuzz(func(t *testing.T, body string, status int) {
		got := &wire.Response{Exchange: record.Exchange{Status: status, ResponseBody: []byte(body)}}
		fault := m.Fault(context.Background(), got)
		var rep model.Reply
		if fault == nil {
			rep, fault = m.readReply(got)
		}
		if fault != nil {
			if strings.ContainsAny(fault.Msg, "\n\r\x1b") {
				t.Fatalf("more than one line: %q", fault.Msg)
			}
			return
		}
		if rep.FinishRaw == "" || rep.Finish == "" {
			t.Fatalf("%q became the reply %+v", body, rep)
		}
		// What came back must go out again, and be the same.
		next := model.Request{Messages: []model.Message{{Role: "user", Text: "x"}, rep.Turn()}}
		one, err := m.appendRequest(nil, &next)
		two, _ := m.appendRequest(nil, &next)
		if err != nil || !reflect.DeepEqual(one, two) {
			t.Fatalf("%q cannot be handed back: %v", body, err)
		}
	})
}
