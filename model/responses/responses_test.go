package responses

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/modeltest"
	"github.com/assaybench/assay/record"
)

// A conversation as the official server writes it: a first turn that thinks and calls, a second that answers.
const (
	firstReply = `{
  "id": "resp_67ccd2bed1ec8190b14f964abc0542670bb6a6b452d3795b",
  "object": "response",
  "created_at": 1741476542,
  "status": "completed",
  "completed_at": 1741476543,
  "background": false,
  "error": null,
  "incomplete_details": null,
  "instructions": null,
  "max_output_tokens": 1536,
  "model": "gpt-9-2026-10-01",
  "output": [
    {"id": "rs_67", "type": "reasoning", "summary": [{"type": "summary_text", "text": "**Looking up tides**\n\nI need the place."}], "encrypted_content": "gAAAAABo\/+=="},
    {"id": "fc_67", "type": "function_call", "status": "completed", "arguments": "{\"place\":\"Brest\"}", "call_id": "call_unLAR8MvFNptuiZK6K6HCy5k", "name": "tide"}
  ],
  "parallel_tool_calls": true,
  "previous_response_id": null,
  "reasoning": {"effort": "high", "summary": "detailed"},
  "service_tier": "default",
  "store": false,
  "temperature": 1.0,
  "text": {"format": {"type": "text"}, "verbosity": "medium"},
  "tool_choice": "auto",
  "tools": [],
  "top_p": 1.0,
  "truncation": "disabled",
  "usage": {"input_tokens": 328, "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0}, "output_tokens": 52, "output_tokens_details": {"reasoning_tokens": 32}, "total_tokens": 380},
  "user": null,
  "metadata": {}
}`
	firstItems = `{"id": "rs_67", "type": "reasoning", "summary": [{"type": "summary_text", "text": "**Looking up tides**\n\nI need the place."}], "encrypted_content": "gAAAAABo\/+=="},
    {"id": "fc_67", "type": "function_call", "status": "completed", "arguments": "{\"place\":\"Brest\"}", "call_id": "call_unLAR8MvFNptuiZK6K6HCy5k", "name": "tide"}`
	secondReply = `{"id":"resp_68","object":"response","created_at":1741476550,"status":"completed","error":null,"incomplete_details":null,"model":"gpt-9-2026-10-01",` +
		`"output":[{"id":"msg_68","type":"message","status":"completed","content":[{"type":"output_text","annotations":[],"logprobs":[],"text":"{\"turns\":\"noon\"}"}],"phase":"final_answer","role":"assistant"}],` +
		`"usage":{"input_tokens":400,"input_tokens_details":{"cached_tokens":256},"output_tokens":9,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":409}}`
)

// TestTranscript is a conversation of two turns with every byte of both requests.
func TestTranscript(t *testing.T) {
	s := serve(t, func(n int, _ *http.Request, _ string) (int, string) {
		return 200, []string{firstReply, secondReply}[n-1]
	})
	m := at(t, s.URL)
	m.Official = true
	req := model.Request{Messages: []model.Message{{Role: "system", Text: "You know tides."}, {Role: "user", Text: "When does it turn?"}}, MaxOutput: 1536, Thinking: "high",
		Schema: &model.Schema{Name: "tide", JSON: []byte(`{"type":"object","properties":{"turns":{"type":"string"}},"required":["turns"],"additionalProperties":false}`)},
		Tools:  []model.Tool{{Name: "tide", Description: "When it turns.", Input: []byte(`{"type":"object","properties":{"place":{"type":"string"}},"required":["place"],"additionalProperties":false}`)}}}
	const head = `{"model":"gpt-9","input":[{"role":"system","content":"You know tides."},{"role":"user","content":"When does it turn?"}`
	const tail = `],"store":false,"truncation":"disabled","include":["reasoning.encrypted_content"],"max_output_tokens":1536,` +
		`"tools":[{"type":"function","name":"tide","description":"When it turns.","parameters":{"type":"object","properties":{"place":{"type":"string"}},"required":["place"],"additionalProperties":false},"strict":true}],"tool_choice":"auto",` +
		`"text":{"format":{"type":"json_schema","name":"tide","strict":true,"schema":{"type":"object","properties":{"turns":{"type":"string"}},"required":["turns"],"additionalProperties":false}}},` +
		`"reasoning":{"effort":"high","summary":"auto"}}`

	rep, err := m.Call(t.Context(), req)
	if err != nil || rep.Finish != model.FinishTool || rep.Answer != "" || rep.Thinking != "**Looking up tides**\n\nI need the place." || rep.Model != "gpt-9-2026-10-01" ||
		len(rep.Calls) != 1 || rep.Calls[0] != (record.ToolCall{ID: "call_unLAR8MvFNptuiZK6K6HCy5k", Name: "tide", Arguments: `{"place":"Brest"}`}) {
		t.Fatalf("%+v, %v", rep, err)
	}
	if *rep.Usage.Prompt != 328 || *rep.Usage.Output != 52 || *rep.Usage.Thinking != 32 || rep.Usage.Cached != nil || rep.Prompt != (model.Prompted{Refuses: true}) {
		t.Errorf("usage %+v, prompt %+v", rep.Usage, rep.Prompt)
	}
	for i, want := range []string{"schema", "tools"} {
		if len(rep.Settings) != 2 || rep.Settings[i].Name != want || rep.Settings[i].State != record.SettingEnforced {
			t.Errorf("settings %+v", rep.Settings)
		}
	}
	x := rep.Exchange
	if x.Endpoint != "POST "+s.URL+"/responses" || x.Status != 200 || x.RequestHeader["Authorization"] != nil || x.ResponseHeader["X-Request-Id"][0] != "req_1" || string(x.ResponseBody) != firstReply {
		t.Errorf("recorded %+v", x)
	}

	req.Messages = append(req.Messages, rep.Turn(), model.Message{Role: "tool", CallID: rep.Calls[0].ID, Tool: "tide", Text: "at noon"})
	rep, err = m.Call(t.Context(), req)
	if err != nil || rep.Finish != model.FinishStop || rep.Answer != `{"turns":"noon"}` || rep.Thinking != "" || *rep.Usage.Cached != 256 || rep.Usage.Thinking != nil {
		t.Fatalf("%+v, %v", rep, err)
	}
	for i, want := range []string{head + tail, head + "," + firstItems + `,{"type":"function_call_output","call_id":"call_unLAR8MvFNptuiZK6K6HCy5k","output":"at noon"}` + tail} {
		if s.bodies[i] != want {
			t.Errorf("request %d:\n got %s\nwant %s", i+1, s.bodies[i], want)
		}
		h := s.heads[i]
		if h.Get("Authorization") != "Bearer "+testKey || h.Get("Content-Type") != "application/json" || h.Get("Accept") != "application/json" {
			t.Errorf("headers %v", h)
		}
	}
	for _, v := range []any{rep, m} {
		if where := modeltest.FindSecret(testKey, v); where != "" {
			t.Errorf("the key is in %T: %s", v, where)
		}
	}
}

// TestFaults drives what the server says by a status; replies that are none are in TestUnreadableReplies.
func TestFaults(t *testing.T) {
	apiError := func(message, kind, param, code string) string {
		return `{"error":{"message":"` + message + `","type":"` + kind + `","param":` + param + `,"code":` + code + `}}`
	}
	for name, c := range map[string]struct {
		status  int
		body    string
		outcome record.Outcome
		kind    model.FaultKind
		msg     string
	}{
		"key":       {401, apiError("Incorrect API key provided: "+testKey, "invalid_request_error", "null", `"invalid_api_key"`), record.Error, model.FaultDenied, "check OPENAI_API_KEY (Incorrect API key provided: [key removed])"},
		"forbidden": {403, apiError("Country not supported", "request_forbidden", "null", `"unsupported_country_region_territory"`), record.Error, model.FaultDenied, "Country not supported"},
		"quota":     {429, apiError("You exceeded your current quota", "insufficient_quota", "null", `"insufficient_quota"`), record.Error, model.FaultDenied, "cannot pay"},
		"busy":      {429, apiError("Rate limit reached", "tokens", "null", `"rate_limit_exceeded"`), record.Error, model.FaultBusy, "busy"},
		"server":    {500, apiError("The server had an error", "server_error", "null", "null"), record.Error, model.FaultServer, "had an error"},
		"loading":   {503, `{}`, record.Error, model.FaultBusy, "busy"},
		"gateway":   {502, "<html>", record.Error, model.FaultServer, ""},
		"no model":  {400, apiError("The requested model 'gpt-9' does not exist.", "invalid_request_error", `"model"`, `"model_not_found"`), record.Error, model.FaultNoModel, `does not know the model "gpt-9"`},
		"no path":   {404, `{"detail":"Not Found"}`, record.Error, model.FaultNoModel, "/v1/responses is not there"},
		"context":   {400, apiError("Your input exceeds the context window of this model. Please adjust your input and try again.", "invalid_request_error", `"input"`, `"context_length_exceeded"`), record.Undelivered, model.FaultContext, "does not fit"},
		"rejected":  {400, apiError("Unsupported parameter: 'temperature' is not supported with this model.", "invalid_request_error", `"temperature"`, "null"), record.Error, model.FaultRejected, "Unsupported parameter"},
		"policy":    {400, apiError("Invalid prompt: your prompt was flagged as potentially violating our usage policy.", "invalid_request_error", "null", `"invalid_prompt"`), record.Refused, "", ""},
		"stream":    {200, "event: error\ndata: {}\n\n", record.Error, model.FaultBroken, "not one whole JSON value"},
	} {
		s := serve(t, func(int, *http.Request, string) (int, string) { return c.status, c.body })
		m := at(t, s.URL)
		req := model.Request{Messages: []model.Message{{Role: "user", Text: "x"}}}
		rep, err := m.Call(t.Context(), req)
		tr := model.Transcribe(req, rep, err)
		if tr.Outcome != c.outcome || (err == nil) != (c.kind == "") || err != nil && (model.AsFault(err).Kind != c.kind || !strings.Contains(err.Error(), c.msg) || strings.Contains(err.Error(), "\n")) {
			t.Errorf("%s: %s, %v; want %s %s %q", name, tr.Outcome, err, c.outcome, c.kind, c.msg)
		}
		for _, v := range []any{rep, err, tr, m} {
			if where := modeltest.FindSecret(testKey, v); where != "" {
				t.Errorf("%s: the key is in %T: %s", name, v, where)
			}
		}
		if len(s.bodies) != 1 {
			t.Errorf("%s: %d requests for one call", name, len(s.bodies))
		}
	}
	hang := serve(t, func(_ int, r *http.Request, _ string) (int, string) { <-r.Context().Done(); return 200, "" })
	ctx, cancel := context.WithTimeoutCause(t.Context(), 50*time.Millisecond, model.ErrTimeLimit)
	defer cancel()
	_, err := at(t, hang.URL).Call(ctx, model.Request{Messages: []model.Message{{Role: "user", Text: "x"}}})
	if tr := model.Transcribe(model.Request{}, model.Reply{}, err); tr.Outcome != record.Timeout {
		t.Errorf("%s, %v", tr.Outcome, err)
	}
	if _, err := at(t, "http://127.0.0.1:1/v1").Call(t.Context(), model.Request{Messages: []model.Message{{Role: "user", Text: "x"}}}); err == nil || !strings.Contains(err.Error(), "no server answers at http://127.0.0.1:1/v1 (connection refused)") {
		t.Errorf("no server: %v", err)
	}
}

func TestNew(t *testing.T) {
	for _, c := range []struct {
		url  string
		env  []string
		want string // in the error, or the base address
		ok   bool
	}{
		{"", nil, "OPENAI_API_KEY is not set: set it, or give your own server as responses/gpt-9@http", false},
		{"", []string{"OPENAI_API_KEY", testKey}, "https://api.openai.com/v1", true},
		{"http://127.0.0.1:8080/v1", nil, "http://127.0.0.1:8080/v1", true},
		{"", []string{"OPENAI_BASE_URL", "http://127.0.0.1:1/v1/"}, "http://127.0.0.1:1/v1", true},
		{"http://192.168.1.5:8080/v1", []string{"OPENAI_API_KEY", testKey}, "unencrypted to 192.168.1.5:8080", false},
	} {
		m, err := New(Options{Spec: model.Spec{Raw: "responses/gpt-9", Provider: "responses", Name: "gpt-9", URL: c.url}, Getenv: env(c.env...)})
		switch {
		case c.ok && (err != nil || m.Base != c.want || m.Name() != "responses/gpt-9" || m.Local() != strings.Contains(c.want, "127.0.0.1")):
			t.Errorf("%s %v: %v", c.url, len(c.env), err)
		case !c.ok && (err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), testKey)):
			t.Errorf("%s: %v; want %q", c.url, err, c.want)
		}
	}
}

func TestIdentifyAndList(t *testing.T) {
	m := at(t, serve(t, nil).URL)
	m.Official = true
	id, err := m.Identify(t.Context())
	if err != nil || id.Model != "gpt-9" || id.Details["listed"] != "yes" || id.Details["owned_by"] != "openai" {
		t.Errorf("%+v, %v", id, err)
	}
	if held, err := m.List(t.Context()); err != nil || len(held) != 1 || held[0].Name != "gpt-9" {
		t.Errorf("%+v, %v", held, err)
	}
}
