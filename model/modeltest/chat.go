package modeltest

import (
	"fmt"
	"net/http"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
)

const (
	goodHead = `{"id":"x","object":"chat.completion","model":"mock-1","choices":[{"index":0,`
	goodBody = goodHead + `"finish_reason":"stop","message":{"role":"assistant","content":"ok"}}],"usage":{"prompt_tokens":9}}`
	llamaLog = `{"error":{"code":400,"type":"exceed_context_size_error","message":"request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it","n_prompt_tokens":5000,"n_ctx":4096}}`
)

func chatForm() *form {
	return &form{
		base: "/v1", path: "/v1/chat/completions", good: goodBody, count: `"prompt_tokens":`, streams: "text/event-stream",
		isCall: func(r *http.Request) bool { return r.URL.Path == "/v1/chat/completions" && r.Method == http.MethodPost },
		read:   readChat, encode: encodeChat, side: sideChat, refuse: refuseChat, key: bearer, faults: chatFaults,
		words: words{
			rejected:  apiError("Unsupported parameter: 'temperature'", "invalid_request_error", "unsupported_parameter"),
			denied:    apiError("Incorrect API key provided", "invalid_request_error", "invalid_api_key"),
			key:       "Incorrect API key provided",
			forbidden: `{"error":"forbidden"}`,
			absent:    apiError("The model 'x' does not exist or you do not have access to it.", "invalid_request_error", "model_not_found"),
			path:      `{"detail":"Not Found"}`,
			busy:      apiError("Rate limit reached", "requests", "rate_limit_exceeded"),
			broken:    apiError("The server had an error", "server_error", ""),
			loading:   `{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}`,
			inside:    apiError("CUDA out of memory", "server_error", ""),
		},
	}
}

// bearer is the key of those who send it as a bearer's token.
func bearer(h http.Header) string {
	const scheme = "Bearer "
	if a := h.Get("Authorization"); len(a) > len(scheme) {
		return a[len(scheme):]
	}
	return ""
}

func apiError(message, kind, code string) string {
	return fmt.Sprintf(`{"error":{"message":%q,"type":%q,"param":null,"code":%q}}`, message, kind, code)
}

func sideChat(m *Mock, w http.ResponseWriter, r *http.Request) bool {
	switch {
	case r.URL.Path == "/v1/models" && r.Method == http.MethodGet:
		b := []byte(`{"object":"list","data":[`)
		for i, name := range m.opts.Models {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(quote(append(b, `{"object":"model","owned_by":"assay","id":`...), name), '}')
		}
		write(w, 200, append(b, "]}"...))
	case r.URL.Path == "/props" && m.opts.Props != "":
		write(w, 200, []byte(m.opts.Props))
	default:
		return false
	}
	return true
}

// encodeChat writes a reply as the compatible servers do.
func encodeChat(r MockReply, _ asked) []byte {
	b := quote([]byte(`{"id":"chatcmpl-mock","object":"chat.completion","model":"mock-1","choices":[{"index":0,"finish_reason":`), r.word(chatFinish))
	b = append(b, `,"message":{"role":"assistant","content":`...)
	if r.Content == "" && (r.Refusal != "" || len(r.Calls) > 0) {
		b = append(b, "null"...)
	} else {
		b = quote(b, r.Content)
	}
	if r.Refusal != "" {
		b = quote(append(b, `,"refusal":`...), r.Refusal)
	}
	if r.Thinking != "" {
		if r.ThinkingField == "" {
			r.ThinkingField = "reasoning_content"
		}
		b = append(quote(append(b, ','), r.ThinkingField), ':')
		b = quote(b, r.Thinking)
	}
	for i, c := range r.Calls {
		b = list(b, i, len(r.Calls), `,"tool_calls":[`, func(b []byte) []byte {
			b = quote(append(b, `{"id":`...), callID(c, "call_mock", i))
			b = quote(append(b, `,"type":"function","function":{"name":`...), c.Name)
			return append(quote(append(b, `,"arguments":`...), c.Arguments), "}}"...)
		})
	}
	b = append(b, `}}],"usage":{"prompt_tokens":`...)
	b = strconv.AppendInt(b, int64(r.PromptTokens), 10)
	if r.OutputTokens > 0 {
		b = fmt.Appendf(b, `,"completion_tokens":%d`, r.OutputTokens)
	}
	if r.CachedTokens > 0 {
		b = fmt.Appendf(b, `,"prompt_tokens_details":{"cached_tokens":%d}`, r.CachedTokens)
	}
	if r.ThinkingTokens > 0 {
		b = fmt.Appendf(b, `,"completion_tokens_details":{"reasoning_tokens":%d}`, r.ThinkingTokens)
	}
	return append(b, "}}"...)
}

var chatFinish = map[model.Finish]string{model.FinishTool: "tool_calls", model.FinishFilter: "content_filter", model.FinishAborted: "abort"}

func readChat(_ *http.Request, body []byte) (a asked) {
	var req struct {
		Model    string `json:"model"`
		Stream   bool   `json:"stream"`
		Messages []struct {
			Role    string         `json:"role"`
			Content jsontext.Value `json:"content"`
			Calls   []struct {
				ID string `json:"id"`
			} `json:"tool_calls"`
			CallID string `json:"tool_call_id"`
		} `json:"messages"`
		Tools []struct {
			Function struct {
				Name string `json:"name"`
			} `json:"function"`
		} `json:"tools"`
		Temperature jsontext.Value `json:"temperature"`
		TopP        jsontext.Value `json:"top_p"`
		Seed        jsontext.Value `json:"seed"`
		Max         int64          `json:"max_tokens"`
		MaxNew      int64          `json:"max_completion_tokens"`
		Effort      jsontext.Value `json:"reasoning_effort"`
		Template    jsontext.Value `json:"chat_template_kwargs"`
		Format      jsontext.Value `json:"response_format"`
	}
	if err := json.Unmarshal(body, &req); err != nil {
		return asked{wrong: "We could not parse the JSON body of your request."}
	}
	a = asked{model: req.Model, stream: req.Stream, output: max(req.Max, req.MaxNew), empty: len(req.Messages) == 0}
	calls := map[string]bool{}
	for _, m := range req.Messages {
		switch m.Role {
		case "user":
			a.user = textOf(m.Content)
		case "assistant":
			clear(calls)
			for _, c := range m.Calls {
				calls[c.ID] = true
			}
		case "tool":
			if !calls[m.CallID] {
				a.wrong = "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."
			}
			a.results = append(a.results, textOf(m.Content))
		}
	}
	for _, t := range req.Tools {
		a.tools = append(a.tools, t.Function.Name)
	}
	a.note(isThere(req.Temperature), "temperature")
	a.note(isThere(req.TopP), "top_p")
	a.note(isThere(req.Seed), "seed")
	a.note(a.output > 0, "max_output")
	a.note(isThere(req.Effort) && string(req.Effort) != `"none"` || isThere(req.Template), "thinking")
	a.note(isThere(req.Format), "schema")
	a.note(len(a.tools) > 0, "tools")
	return a
}

func refuseChat(c *call) (int, string) {
	if c.asked.wrong != "" {
		return 400, apiError(c.asked.wrong, "invalid_request_error", "")
	}
	return 0, ""
}

func chatFaults() map[Fault]behaviour {
	return map[Fault]behaviour{
		"404-model-vllm": failing(model.FaultNoModel, 404, `{"object":"error","message":"The model `+"`x`"+` does not exist.","type":"NotFoundError","param":null,"code":404}`),
		"400-model":      failing(model.FaultNoModel, 400, apiError("no such thing", "invalid_request_error", "model_not_found")),
		"429-quota":      failing(model.FaultDenied, 429, apiError("You exceeded your current quota", "insufficient_quota", "insufficient_quota")),
		// what reasoning models do not take
		"400-temperature": failing(model.FaultRejected, 400, `{"error":{"message":"Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.","type":"invalid_request_error","param":"temperature","code":"unsupported_value"}}`),
		"400-top_p":       failing(model.FaultRejected, 400, `{"error":{"message":"Unsupported parameter: 'top_p' is not supported with this model.","type":"invalid_request_error","param":"top_p","code":"unsupported_parameter"}}`),
		"400-thinking":    failing(model.FaultRejected, 400, `{"error":{"message":"Unrecognized request argument supplied: reasoning_effort","type":"invalid_request_error","param":null,"code":null}}`),
		// broken servers
		"error-200-text": failing(model.FaultServer, 200, `{"error":"model runner has stopped"}`),
		"choice-error":   failing(model.FaultServer, 200, goodHead+`"error":{"code":502,"message":"upstream"},"finish_reason":"error","message":{"content":""}}]}`),
		"finish-error":   failing(model.FaultServer, 200, goodHead+`"finish_reason":"error","message":{"content":"half"}}]}`),
		// the prompt does not fit
		"context-llama":  failing(model.FaultContext, 400, llamaLog),
		"context-vllm":   failing(model.FaultContext, 400, `{"object":"error","message":"This model's maximum context length is 4096 tokens. However, you requested 6536 tokens (5000 in the messages, 1536 in the completion). Please reduce the length of the messages or completion.","type":"BadRequestError","param":null,"code":400}`),
		"context-openai": failing(model.FaultContext, 400, apiError("Input tokens exceed the configured limit", "invalid_request_error", "context_length_exceeded")),
		"context-200":    failing(model.FaultContext, 200, llamaLog),
		"context-ollama": failing(model.FaultContext, 400, `{"error":{"message":"the prompt is longer than the context length currently available to the model","type":"invalid_request_error","param":null,"code":null}}`),
		// a reply that is none
		"twin-keys":      failing(model.FaultBroken, 200, goodHead+`"finish_reason":"stop","message":{"content":"a","content":"b"}}]}`),
		"no-choices":     failing(model.FaultBroken, 200, `{"id":"x","object":"chat.completion","usage":{"prompt_tokens":9}}`),
		"empty-choices":  failing(model.FaultBroken, 200, `{"choices":[]}`),
		"no-message":     failing(model.FaultBroken, 200, goodHead+`"finish_reason":"stop"}]}`),
		"no-finish":      failing(model.FaultBroken, 200, goodHead+`"message":{"role":"assistant","content":"ok"}}]}`),
		"null-finish":    failing(model.FaultBroken, 200, goodHead+`"finish_reason":null,"message":{"role":"assistant","content":"ok"}}]}`),
		"content-number": failing(model.FaultBroken, 200, goodHead+`"finish_reason":"stop","message":{"content":42}}]}`),
		"content-image":  failing(model.FaultBroken, 200, goodHead+`"finish_reason":"stop","message":{"content":[{"type":"image_url","image_url":"x"}}]}}]}`),
		// the model's own doing
		"length-thinking": ending(record.Truncated, func(r *MockReply) { r.Finish, r.Thinking, r.Content = "length", "and so on", "" }),
		"think-open":      ending(record.Truncated, func(r *MockReply) { r.Content = "<think>first, then" }),
		"think":           ending(record.Answered, func(r *MockReply) { r.Content = "<think>thought</think>\n\n" + r.Content }),
		"think-template":  ending(record.Answered, func(r *MockReply) { r.Content = "thought\n</think>\n\n" + r.Content }),
		"abort":           ending(record.Error, func(r *MockReply) { r.Finish = "abort" }),
		"refusal":         ending(record.Refused, func(r *MockReply) { r.Refusal, r.Content = "I can't help with that.", "" }),
		"filter":          ending(record.Refused, func(r *MockReply) { r.Finish, r.Content = "content_filter", "" }),
		"finish-unknown":  ending(record.Error, func(r *MockReply) { r.Finish = "because" }),
		"empty":           ending(record.Answered, func(r *MockReply) { r.Content = "" }),
		"usage-odd":       whole(record.Answered, goodHead+`"finish_reason":"stop","message":{"content":"ok"}}],"usage":{"prompt_tokens":"many","completion_tokens":-1,"prompt_tokens_details":[]}}`),
		"usage-none":      whole(record.Answered, goodHead+`"finish_reason":"stop","message":{"content":"ok"}}]}`),
		"tools":           ending(record.Answered, func(r *MockReply) { r.Finish, r.Content = "tool_calls", "" }),
	}
}
