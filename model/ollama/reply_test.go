package ollama

import (
	"slices"
	"strings"
	"testing"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/wire"
	"github.com/assaybench/assay/record"
)

// reader reads replies without a server.
func reader(t testing.TB) *Model {
	m, err := New(Options{Spec: spec("m", "http://127.0.0.1:1")})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func response(contentType, body string) *wire.Response {
	return &wire.Response{Exchange: record.Exchange{Status: 200, ResponseBody: []byte(body), Elapsed: 1e9, ResponseHeader: map[string][]string{"Content-Type": {contentType}}}}
}

func read(t testing.TB, body string, req model.Request, k knowledge) (model.Reply, *model.Fault) {
	return reader(t).readReply(response("application/json; charset=utf-8", body), req, k)
}

// end is a whole reply with that message.
func end(message, reason string) string {
	return `{"model":"m","created_at":"2026-08-21T10:00:00Z","message":{"role":"assistant",` + message + `},"done":true,"done_reason":"` + reason + `"}`
}

func TestReadReply(t *testing.T) {
	for name, c := range map[string]struct {
		body, answer, thinking string
		finish                 model.Finish
		unclosed               bool
	}{
		"plain":               {end(`"content":"a"`, "stop"), "a", "", model.FinishStop, false},
		"empty":               {end(`"content":""`, "stop"), "", "", model.FinishStop, false},
		"no content":          {end(`"x":1`, "stop"), "", "", model.FinishStop, false},
		"escapes":             {end(`"content":"\u0000\ud83e\udd8a\/\r\n\u003cb\u003e"`, "stop"), "\x00🦊/\r\n<b>", "", model.FinishStop, false},
		"half a surrogate":    {end(`"content":"a\ud83e"`, "stop"), "a\ufffd", "", model.FinishStop, false},
		"broken UTF-8":        {end("\"content\":\"a\xf0\x9f\"", "length"), "a\ufffd\ufffd", "", model.FinishLength, false},
		"thinking":            {end(`"content":"a","thinking":"t"`, "stop"), "a", "t", model.FinishStop, false},
		"cut in thinking":     {end(`"content":"","thinking":"t"`, "length"), "", "t", model.FinishLength, false},
		"tags":                {end(`"content":"<think>t</think>\n\na"`, "stop"), "a", "t", model.FinishStop, false},
		"open tag":            {end(`"content":"<think>t"`, "stop"), "", "t", model.FinishStop, true},
		"field and tags":      {end(`"content":"<think>u</think>a","thinking":"t"`, "stop"), "a", "t\nu", model.FinishStop, false},
		"error null":          {strings.Replace(end(`"content":"a"`, "stop"), "{", `{"error":null,`, 1), "a", "", model.FinishStop, false},
		"odd informal fields": {strings.Replace(end(`"content":"a"`, "stop"), `"model":"m"`, `"model":7,"eval_count":"x","total_duration":1.5,"remote_host":[]`, 1), "a", "", model.FinishStop, false},
		"white space around":  {"\r\n " + end(`"content":"a"`, "stop") + " \n", "a", "", model.FinishStop, false},
		"the guard's abort":   {`{"model":"m","message":{"role":"assistant","content":"x x x"},"done":false}`, "x x x", "", model.FinishAborted, false},
		"an unknown reason":   {end(`"content":"a"`, "because"), "a", "", "because", false},
		"a stream all the same": {`{"message":{"role":"assistant","content":"","thinking":"t"},"done":false}` + "\n" + `{"message":{"role":"assistant","content":"a"},"done":false}` + "\n" +
			end(`"content":"b"`, "stop") + "\n", "ab", "t", model.FinishStop, false},
	} {
		rep, f := read(t, c.body, model.Request{}, knowledge{})
		if f != nil || rep.Answer != c.answer || rep.Thinking != c.thinking || rep.Finish != c.finish || rep.Unclosed != c.unclosed || rep.FinishRaw == "" {
			t.Errorf("%s: answer %q, thinking %q, finish %s (%q), unclosed %v, fault %v", name, rep.Answer, rep.Thinking, rep.Finish, rep.FinishRaw, rep.Unclosed, f)
		}
	}
}

func TestUnreadableReplies(t *testing.T) {
	stream := `{"message":{"role":"assistant","content":"a"},"done":false}` + "\n"
	for name, c := range map[string]struct {
		kind       model.FaultKind
		ct, body   string
		wantInside string
	}{
		"nothing":                   {model.FaultBroken, "application/json", "", "the reply is empty"},
		"only white space":          {model.FaultBroken, "application/json", " \n", "the reply is empty"},
		"null":                      {model.FaultBroken, "application/json", "null", "not JSON of the known form"},
		"an array":                  {model.FaultBroken, "application/json", "[" + end(`"content":"a"`, "stop") + "]", "not JSON of the known form"},
		"cut":                       {model.FaultBroken, "application/json", finalNow[:100], "not JSON of the known form"},
		"two replies":               {model.FaultBroken, "application/json", finalNow + finalNow, "something follows the final record"},
		"text behind":               {model.FaultBroken, "application/json", finalNow + "\n<!-- -->", "not JSON of the known form"},
		"twin keys":                 {model.FaultBroken, "application/json", end(`"content":"a","content":"b"`, "stop"), "not JSON of the known form"},
		"content is a number":       {model.FaultBroken, "application/json", end(`"content":4`, "stop"), "not JSON of the known form"},
		"thinking is a number":      {model.FaultBroken, "application/json", end(`"content":"a","thinking":true`, "stop"), "not JSON of the known form"},
		"no message":                {model.FaultBroken, "application/json", `{"done":true,"done_reason":"stop"}`, `without "message"`},
		"no done":                   {model.FaultBroken, "application/json", `{"message":{"content":"a"}}`, `without "done"`},
		"another API's":             {model.FaultBroken, "application/json", `{"choices":[{"message":{"content":"a"}}]}`, `without "done"`},
		"no reason":                 {model.FaultBroken, "application/json", `{"message":{"content":"a"},"done":true}`, "no done_reason"},
		"an empty reason":           {model.FaultBroken, "application/json", end(`"content":"a"`, ""), "no done_reason"},
		"loaded":                    {model.FaultBroken, "application/json", end(`"content":""`, "load"), "without messages (done_reason load)"},
		"a call without a name":     {model.FaultBroken, "application/json", end(`"content":"","tool_calls":[{"function":{"arguments":{}}}]`, "stop"), "without the tool's name"},
		"a call without a function": {model.FaultBroken, "application/json", end(`"content":"","tool_calls":[{}]`, "stop"), "without the tool's name"},
		"HTML":                      {model.FaultBroken, "text/html; charset=utf-8", "<html>", "is http://127.0.0.1:1 the address of an Ollama server?"},
		"stream without its end":    {model.FaultBroken, "application/x-ndjson", stream, "without its final record"},
		"longer one":                {model.FaultBroken, "application/x-ndjson", stream + stream, "without its final record"},
		"the same, called JSON":     {model.FaultBroken, "application/json", stream + stream, "without its final record"},
		"an empty stream":           {model.FaultBroken, "application/x-ndjson", "", "the reply is empty"},
		"an error in mid-stream":    {model.FaultServer, "application/x-ndjson", stream + `{"error":"model runner has unexpectedly stopped"}` + "\n", "an error inside a 200 (model runner has unexpectedly stopped)"},
		"an error after the end":    {model.FaultServer, "application/x-ndjson", finalNow + "\n" + `{"error":"late"}`, "an error inside a 200 (late)"},
		"an error in a 200":         {model.FaultServer, "application/json", `{"error":"an error was encountered while running the model: CUDA error"}`, "an error inside a 200"},
		"an error object":           {model.FaultServer, "application/json", `{"error":{"code":500,"message":"boom"}}`, "an error inside a 200 (boom)"},
		"context in a 200": {model.FaultContext, "application/x-ndjson", stream + `{"error":"the prompt is longer than the context length currently available to the model; shorten the prompt"}`,
			"does not fit the model's context"},
	} {
		rep, f := reader(t).readReply(response(c.ct, c.body), model.Request{}, knowledge{})
		if f == nil || f.Kind != c.kind || !strings.Contains(f.Msg, c.wantInside) || strings.Contains(f.Msg, "\n") {
			t.Errorf("%s: %v (%+v); want %s: %q", name, f, rep, c.kind, c.wantInside)
		}
	}
	got := response("application/json", finalNow)
	got.ResponseHeader["Content-Encoding"] = []string{"br"}
	if _, f := reader(t).readReply(got, model.Request{}, knowledge{}); f == nil || f.Kind != model.FaultBroken || !strings.Contains(f.Msg, "(br)") {
		t.Errorf("compressed: %v", f)
	}
}

func TestToolCalls(t *testing.T) {
	body := end(`"content":"","thinking":"hm","tool_calls":[{"id":"call_k2n1","function":{"index":0,"name":"look","arguments":{ "b":1.50,"a":[1, 2] }}},`+
		`{"function":{"index":1,"name":"time","arguments":{}}},{"id":null,"function":{"name":"raw","arguments":"{\"a\":1"}},{"function":{"name":"none"}}]`, "stop")
	req := model.Request{Messages: []model.Message{{Role: "user"}, {Role: "assistant", Calls: make([]record.ToolCall, 2)}}}
	rep, f := read(t, body, req, knowledge{})
	want := []record.ToolCall{{ID: "call_k2n1", Name: "look", Arguments: `{ "b":1.50,"a":[1, 2] }`}, {ID: "call_4", Name: "time", Arguments: `{}`},
		{ID: "call_5", Name: "raw", Arguments: `{"a":1`}, {ID: "call_6", Name: "none"}}
	if f != nil || !slices.Equal(rep.Calls, want) || rep.Finish != model.FinishTool || rep.FinishRaw != "stop" || rep.Thinking != "hm" {
		t.Errorf("got %+v, %v", rep, f)
	}
	// Over the pieces of a stream.
	rep, f = read(t, `{"message":{"content":"","tool_calls":[{"function":{"name":"a","arguments":{}}}]},"done":false}`+end(`"content":""`, "stop"), model.Request{}, knowledge{})
	if f != nil || len(rep.Calls) != 1 || rep.Finish != model.FinishTool {
		t.Errorf("got %+v, %v", rep, f)
	}
	// A cut call is not one that is ready to be made.
	if rep, f = read(t, strings.Replace(body, `"done_reason":"stop"`, `"done_reason":"length"`, 1), req, knowledge{}); f != nil || rep.Finish != model.FinishLength {
		t.Errorf("got %s, %v", rep.Finish, f)
	}
}

func TestRemote(t *testing.T) {
	at := func(fields string) string {
		return strings.Replace(end(`"content":"a"`, "stop"), `"model":"m"`, fields, 1)
	}
	for fields, want := range map[string]string{
		`"model":"m"`: "", `"model":"m","remote_model":"big:120b","remote_host":"https://ollama.com:443"`: "https://ollama.com:443 big:120b",
		`"remote_host":"https://a"`: "https://a", `"remote_model":"x\ny"`: "x y",
	} {
		if rep, f := read(t, at(fields), model.Request{}, knowledge{}); f != nil || rep.Remote != want {
			t.Errorf("%s: %q, %v", fields, rep.Remote, f)
		}
	}
	if rep, _ := read(t, at(`"model":"m"`), model.Request{}, knowledge{facts: facts{remote: "https://b"}}); rep.Remote != "https://b" {
		t.Errorf("what is known of the model is not in the reply: %q", rep.Remote)
	}
	// Newer servers hand the calls of such names on, and nothing in the reply tells.
	for name, want := range map[string]string{"gpt-oss:120b-cloud": "ollama.com", "qwen3:cloud": "ollama.com", "qwen3": "", "my-cloud": "", "a-cloud:8b": ""} {
		rep, err := start(t, now(), name).Call(t.Context(), hello())
		if err != nil || rep.Remote != want {
			t.Errorf("%s: %q, %v", name, rep.Remote, err)
		}
	}
}

// TestCounts covers counts and durations, sensible and not.
func TestCounts(t *testing.T) {
	const elapsed = 1e9
	for fields, want := range map[string][6]int64{ // prompt, output; load, queue, prompt, output
		`"x":1`: {},
		`"total_duration":10000,"load_duration":3000,"prompt_eval_count":17,"prompt_eval_duration":2000,"eval_count":2,"eval_duration":4000`: {17, 2, 3000, 1000, 2000, 4000},
		`"total_duration":10000`: {0, 0, 0, 10000, 0, 0},
		`"load_duration":3000,"prompt_eval_duration":2000,"eval_duration":4000`:                           {}, // no total to hold them against
		`"total_duration":10000,"load_duration":6000,"prompt_eval_duration":6000`:                         {0, 0, 6000, 0, 6000, 0},
		`"total_duration":10000,"load_duration":20000,"eval_duration":4000`:                               {0, 0, 0, 0, 0, 4000},
		`"total_duration":9000000000000,"load_duration":3000`:                                             {}, // longer than the call
		`"total_duration":-5,"eval_count":-1,"prompt_eval_count":0`:                                       {},
		`"total_duration":99999999999999999999,"prompt_eval_count":99999999999999999999,"eval_count":"2"`: {},
	} {
		body := strings.Replace(end(`"content":"a"`, "stop"), `"model":"m"`, fields, 1)
		rep, f := read(t, body, model.Request{}, knowledge{})
		if f != nil {
			t.Errorf("%s: %v", fields, f)
			continue
		}
		n := func(p *int64) int64 {
			if p == nil {
				return 0
			}
			return *p
		}
		tm := rep.Timing
		if got := [6]int64{n(rep.Usage.Prompt), n(rep.Usage.Output), tm.Load, tm.Queue, tm.Prompt, tm.Output}; got != want || tm.Total != elapsed {
			t.Errorf("%s: %v, total %d; want %v", fields, got, tm.Total, want)
		}
	}
}

// TestTwoPasses: with a schema and thinking the counts and durations are those of half the work.
func TestTwoPasses(t *testing.T) {
	body := strings.Replace(finalNow, `"content":"ok"`, `"content":"{}","thinking":"long thoughts"`, 1)
	req := hello()
	req.Schema = &model.Schema{Name: "s", JSON: []byte(`{}`)}
	rep, f := read(t, body, req, knowledge{})
	if f != nil || rep.Usage != (record.Usage{}) || rep.Timing.Load != 3000 || rep.Timing.Output != 0 || rep.Timing.Prompt != 0 || rep.Timing.Queue != 0 || rep.Timing.Total == 0 {
		t.Errorf("usage %+v, timing %+v, %v", rep.Usage, rep.Timing, f)
	}
	if !slices.ContainsFunc(rep.Settings, func(s record.Setting) bool {
		return s.Name == "max_output" && s.State == record.SettingAsked && strings.Contains(s.Why, "two requests")
	}) {
		t.Errorf("it is not said: %+v", rep.Settings)
	}
	// Without thinking, or cut in it, there is one.
	for _, body := range []string{finalNow, strings.Replace(finalNow, `"content":"ok"`, `"content":"","thinking":"t"`, 1)} {
		if rep, f := read(t, body, req, knowledge{}); f != nil || rep.Usage.Prompt == nil || rep.Timing.Output != 4000 {
			t.Errorf("%s: usage %+v, %v", body, rep.Usage, f)
		}
	}
}

func FuzzReadReply(f *testing.F) {
	m := reader(f)
	for _, s := range []string{finalNow, end(`"content":"a","tool_calls":[{"function":{"name":"n","arguments":{}}}]`, "stop"), `{"error":"x"}`, `{"message":{},"done":false}`,
		`{"message":{"content":"a"},"done":false}` + "\n" + finalNow, "null", `{"message":null,"done":true}`} {
		f.Add(s, 200, false)
		f.Add(s, 400, true)
	}
	f.Fuzz(func(t *testing.T, body string, status int, stream bool) {
		ct := "application/json"
		if stream {
			ct = "application/x-ndjson"
		}
		got := response(ct, body)
		got.Status = status
		fault := m.Fault(t.Context(), got)
		var rep model.Reply
		if fault == nil {
			rep, fault = m.readReply(got, hello(), knowledge{})
		}
		if fault != nil {
			if strings.ContainsAny(fault.Msg, "\n\r\x1b") || fault.Msg == "" {
				t.Fatalf("not one line: %q", fault.Msg)
			}
			return
		}
		if rep.FinishRaw == "" || !strings.Contains(body, "done") || rep.Timing.Queue < 0 || rep.Timing.Load < 0 {
			t.Fatalf("%q became the reply %+v", body, rep)
		}
	})
}
