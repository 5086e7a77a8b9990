package modeltest

import (
	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
)

func anthropicFaults() map[Fault]behaviour {
	rejects := func(message string) behaviour {
		return failing(model.FaultRejected, 400, messageError("invalid_request_error", message))
	}
	// body is a reply with that content and what follows it.
	body := func(content, stop string) string { return messageHead + content + stop + messageTail }
	const text, ended = `"content":[{"type":"text","text":"ok"}]`, `,"stop_reason":"end_turn"`
	return map[Fault]behaviour{
		// what newer models do not take
		"400-temperature":  rejects("`temperature` is deprecated for this model."),
		"400-top_p":        rejects("`top_p` is deprecated for this model."),
		"400-sampling":     rejects("`temperature` and `top_p` cannot both be specified for this model. Please use only one."),
		"400-thinking":     rejects("adaptive thinking is not supported on this model"),
		"400-thinking-off": rejects("\"thinking.type.disabled\" is not supported for this model."),
		"400-budget":       rejects("`max_tokens` must be greater than `thinking.budget_tokens`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking#max-tokens-and-context-window-size-differences-with-extended-thinking"),
		"400-effort":       rejects("This model does not support the effort parameter."),
		"400-tools":        rejects("tools.0.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12"),
		"400-schema":       rejects("output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly set to false"),
		// account and limits
		"400-credit":  failing(model.FaultDenied, 400, messageError("invalid_request_error", "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.")),
		"400-spend":   failing(model.FaultDenied, 400, messageError("invalid_request_error", "You have reached your specified API usage limits. You will regain access on 2026-12-01 at 00:00 UTC.")),
		"402-billing": failing(model.FaultDenied, 402, messageError("billing_error", "Your account has a billing issue.")),
		"429-tokens":  failing(model.FaultBusy, 429, messageError("rate_limit_error", "This request would exceed your organization's rate limit of 30,000 input tokens per minute."), "Retry-After", "12", "Anthropic-Ratelimit-Input-Tokens-Remaining", "0"),
		"529":         failing(model.FaultBusy, 529, messageError("overloaded_error", "Overloaded"), "X-Should-Retry", "true"),
		"504-timeout": failing(model.FaultServer, 504, messageError("timeout_error", "Request timed out")),
		// the prompt does not fit
		"context-anthropic": failing(model.FaultContext, 400, messageError("invalid_request_error", "prompt is too long: 205000 tokens > 200000 maximum")),
		"context-output":    failing(model.FaultContext, 400, messageError("invalid_request_error", "input length and `max_tokens` exceed context limit: 197202 + 8192 > 200000, decrease input length or `max_tokens` and try again")),
		"413-large":         failing(model.FaultContext, 413, messageError("request_too_large", "Request exceeds the maximum size")),
		// a reply that is none
		"error-200-busy": failing(model.FaultBusy, 200, messageError("overloaded_error", "Overloaded")),
		"twin-keys":      failing(model.FaultBroken, 200, body(`"content":[{"type":"text","text":"a","text":"b"}]`, ended)),
		"no-type":        failing(model.FaultBroken, 200, `{"id":"msg_mock","role":"assistant","model":"mock-1",`+text+ended+messageTail),
		"other-type":     failing(model.FaultBroken, 200, `{"id":"msg_mock","type":"completion","role":"assistant","model":"mock-1",`+text+ended+messageTail),
		"no-content":     failing(model.FaultBroken, 200, messageHead+ended[1:]+messageTail),
		"null-content":   failing(model.FaultBroken, 200, body(`"content":null`, ended)),
		"content-text":   failing(model.FaultBroken, 200, body(`"content":"ok"`, ended)),
		"content-number": failing(model.FaultBroken, 200, body(`"content":[{"type":"text","text":42}]`, ended)),
		"content-image":  failing(model.FaultBroken, 200, body(`"content":[{"type":"image","source":{"type":"url","url":"x"}}]`, ended)),
		"block-null":     failing(model.FaultBroken, 200, body(`"content":[null]`, ended)),
		"no-finish":      failing(model.FaultBroken, 200, body(text, "")),
		"null-finish":    failing(model.FaultBroken, 200, body(text, `,"stop_reason":null`)),
		"tools-none":     failing(model.FaultBroken, 200, body(`"content":[]`, `,"stop_reason":"tool_use"`)),
		"tools-nameless": failing(model.FaultBroken, 200, body(`"content":[{"type":"tool_use","id":"toolu_x","input":{}}]`, `,"stop_reason":"tool_use"`)),
		"chat-form":      failing(model.FaultBroken, 200, goodBody), // the server speaks another protocol
		// the model's own doing
		"length-thinking":   ending(record.Truncated, func(r *MockReply) { r.Finish, r.Thinking, r.Content = "length", "and so on", "" }),
		"length-empty":      ending(record.Truncated, func(r *MockReply) { r.Finish, r.Content = "length", "" }),
		"window":            ending(record.Undelivered, func(r *MockReply) { r.Finish = "model_context_window_exceeded" }),
		"refusal":           ending(record.Refused, func(r *MockReply) { r.Refusal, r.Content = "I can't help with that.", "" }),
		"refusal-empty":     ending(record.Refused, func(r *MockReply) { r.Finish, r.Content = "refusal", "" }),
		"pause":             ending(record.Error, func(r *MockReply) { r.Finish = "pause_turn" }),
		"finish-unknown":    ending(record.Error, func(r *MockReply) { r.Finish = "because" }),
		"empty":             ending(record.Answered, func(r *MockReply) { r.Content = "" }),
		"thinking-unasked":  ending(record.Answered, func(r *MockReply) { r.Thinking = "nobody asked" }),
		"thinking-redacted": whole(record.Answered, body(`"content":[{"type":"redacted_thinking","data":"c2VhbGVk"},{"type":"text","text":"ok"}]`, ended)),
		"usage-odd":         whole(record.Answered, messageHead+text+ended+`,"usage":{"input_tokens":"many","cache_read_input_tokens":null,"output_tokens":1.5}}`),
		"usage-none":        whole(record.Answered, messageHead+text+ended+`}`),
	}
}
