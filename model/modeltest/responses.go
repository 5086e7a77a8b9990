package modeltest

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/model"
)

const (
	responseHead = `{"id":"resp_mock","object":"response","created_at":1787300000,"background":false,"model":"mock-1",`
	responseTail = `,"parallel_tool_calls":true,"store":false,"truncation":"disabled","usage":{"input_tokens":9,"input_tokens_details":{"cached_tokens":0},"output_tokens":1,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":10}}`
	responseText = `"output":[{"id":"msg_1","type":"message","status":"completed","role":"assistant","content":[{"type":"output_text","annotations":[],"text":"ok"}]}]`
	responseGood = responseHead + `"status":"completed","error":null,"incomplete_details":null,` + responseText + responseTail
)

func responsesForm() *form {
	f := *chatForm() // the same server, keys and errors; the calls differ
	f.path, f.good, f.count = "/v1/responses", responseGood, `"input_tokens":`
	f.isCall = func(r *http.Request) bool { return r.URL.Path == "/v1/responses" && r.Method == http.MethodPost }
	f.read, f.encode, f.faults = readResponses, encodeResponse, responsesFaults
	f.words.rejected = apiError("Unknown parameter: 'input_text'.", "invalid_request_error", "unknown_parameter")
	f.words.path = apiError("Invalid URL (POST /v1/responses)", "invalid_request_error", "")
	f.words.inside = responseHead + `"status":"failed","error":{"code":"server_error","message":"The server had an error while processing your request."},"incomplete_details":null,"output":[]` + responseTail
	return &f
}

func readResponses(_ *http.Request, body []byte) (a asked) {
	var req struct {
		Model  string         `json:"model"`
		Stream bool           `json:"stream"`
		Input  jsontext.Value `json:"input"`
		Tools  []struct {
			Type string `json:"type"`
			Name string `json:"name"`
		} `json:"tools"`
		Temperature jsontext.Value `json:"temperature"`
		TopP        jsontext.Value `json:"top_p"`
		Max         int64          `json:"max_output_tokens"`
		Reasoning   struct {
			Effort  string         `json:"effort"`
			Summary jsontext.Value `json:"summary"`
		} `json:"reasoning"`
		Text struct {
			Format jsontext.Value `json:"format"`
		} `json:"text"`
	}
	if err := json.Unmarshal(body, &req, jsontext.AllowDuplicateNames(true)); err != nil {
		return asked{wrong: "We could not parse the JSON body of your request. " + strings.TrimPrefix(err.Error(), "json: ")}
	}
	a = asked{model: req.Model, stream: req.Stream, output: req.Max}
	a.readInput(req.Input)
	for _, t := range req.Tools {
		if t.Type == "function" {
			a.tools = append(a.tools, t.Name)
		}
	}
	a.note(isThere(req.Temperature), "temperature")
	a.note(isThere(req.TopP), "top_p")
	a.note(a.output > 0, "max_output")
	effort, summary := req.Reasoning.Effort != "" && req.Reasoning.Effort != "none", isThere(req.Reasoning.Summary)
	a.note(effort, "effort")
	a.note(summary, "summary")
	a.note(effort || summary, "thinking")
	a.note(isThere(req.Text.Format), "schema")
	a.note(len(a.tools) > 0, "tools")
	return a
}

// readInput reads the items of a conversation and holds the results of tools against the calls.
func (a *asked) readInput(v jsontext.Value) {
	if v.Kind() == '"' {
		a.user = textOf(v)
		return
	}
	var items []struct {
		Type      string         `json:"type"`
		Role      string         `json:"role"`
		Content   jsontext.Value `json:"content"`
		CallID    string         `json:"call_id"`
		Output    jsontext.Value `json:"output"`
		Arguments jsontext.Value `json:"arguments"`
		Sealed    jsontext.Value `json:"encrypted_content"`
	}
	if json.Unmarshal(v, &items, jsontext.AllowDuplicateNames(true)) != nil || len(items) == 0 {
		a.wrong = "Missing required parameter: 'input'."
		return
	}
	calls, answered := map[string]bool{}, map[string]bool{}
	for i, it := range items {
		switch {
		case it.Role == "user":
			a.user = textOf(it.Content)
		case it.Type == "function_call" && it.Arguments.Kind() != '"':
			a.wrong = fmt.Sprintf("Invalid type for 'input[%d].arguments': expected a string, but got an object instead.", i)
		case it.Type == "function_call":
			calls[it.CallID] = true
		case it.Type == "function_call_output":
			if !calls[it.CallID] {
				a.wrong = fmt.Sprintf("No tool call found for function call output with call_id %s.", it.CallID)
			}
			answered[it.CallID] = true
			a.results = append(a.results, textOf(it.Output))
		case it.Type == "reasoning" && isThere(it.Sealed) && string(it.Sealed) != `"`+Signature+`"`:
			a.wrong = "The encrypted content could not be verified."
		}
	}
	for id := range calls {
		if !answered[id] {
			a.wrong = fmt.Sprintf("No tool output found for function call %s.", id)
		}
	}
}

// encodeResponse writes a reply. A Finish that model.Finish does not name is a status, or "incomplete/REASON".
func encodeResponse(r MockReply, a asked) []byte {
	status, reason, incomplete := strings.Cut(r.word(responseFinish), "/")
	b := []byte(`{"id":"resp_mock","object":"response","created_at":1787300000,"background":false,"error":null,"model":`)
	b = append(quote(append(quote(b, or(a.model, "mock-1")), `,"status":`...), status), `,"incomplete_details":`...)
	if incomplete {
		b = append(quote(append(b, `{"reason":`...), reason), '}')
	} else {
		b = append(b, "null"...)
	}
	b = append(b, `,"output":[`...)
	start := len(b)
	item := func(head string) {
		if len(b) > start {
			b = append(b, ',')
		}
		b = append(b, head...)
	}
	if r.Thinking != "" {
		item(`{"id":"rs_1","type":"reasoning","encrypted_content":"` + Signature + `","summary":[{"type":"summary_text","text":`)
		b = append(quote(b, r.Thinking), "}]}"...)
	}
	ended := "completed"
	if incomplete {
		ended = "incomplete"
	}
	message := `{"id":"msg_1","type":"message","status":"` + ended + `","role":"assistant","content":[`
	switch {
	case r.Refusal != "":
		item(message + `{"type":"refusal","refusal":`)
		b = append(quote(b, r.Refusal), "}]}"...)
	case r.Content != "" || r.Thinking == "" && len(r.Calls) == 0:
		item(message + `{"type":"output_text","annotations":[],"text":`)
		b = append(quote(b, r.Content), "}]}"...)
	}
	for i, c := range r.Calls {
		item(fmt.Sprintf(`{"id":"fc_%d","type":"function_call","status":%q,"arguments":`, i+1, ended))
		b = quote(append(quote(b, c.Arguments), `,"call_id":`...), callID(c, "call_mock", i))
		b = append(quote(append(b, `,"name":`...), c.Name), '}')
	}
	return fmt.Appendf(b, `],"parallel_tool_calls":true,"store":false,"truncation":"disabled","usage":{"input_tokens":%d,"input_tokens_details":{"cached_tokens":%d},"output_tokens":%d,"output_tokens_details":{"reasoning_tokens":%d},"total_tokens":%d}}`,
		r.PromptTokens, r.CachedTokens, r.OutputTokens, r.ThinkingTokens, r.PromptTokens+r.OutputTokens)
}

var responseFinish = map[model.Finish]string{model.FinishStop: "completed", model.FinishTool: "completed", model.FinishRefusal: "completed",
	model.FinishLength: "incomplete/max_output_tokens", model.FinishFilter: "incomplete/content_filter", model.FinishAborted: "cancelled"}
