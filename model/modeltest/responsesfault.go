package modeltest

import (
	"slices"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
)

func responsesFaults() map[Fault]behaviour {
	const completed, text = `"status":"completed","error":null,"incomplete_details":null,`, responseText
	// body is a reply that holds these members.
	body := func(members string) string { return responseHead + members + responseTail }
	message := func(content string) string {
		return body(completed + `"output":[{"id":"msg_1","type":"message","status":"completed","role":"assistant","content":` + content + `}]`)
	}
	failed := func(code, message string) string {
		return body(`"status":"failed","error":{"code":"` + code + `","message":"` + message + `"},"incomplete_details":null,"output":[]`)
	}
	untaken := func(param string) string {
		return `{"error":{"message":"Unsupported parameter: '` + param + `' is not supported with this model.","type":"invalid_request_error","param":"` + param + `","code":"unsupported_parameter"}}`
	}
	return map[Fault]behaviour{
		// what it does not take
		"400-temperature": failing(model.FaultRejected, 400, `{"error":{"message":"Unsupported parameter: 'temperature' is not supported with this model.","type":"invalid_request_error","param":"temperature","code":null}}`),
		"400-top_p":       failing(model.FaultRejected, 400, untaken("top_p")),
		"400-thinking": acting(model.FaultRejected, func(c *call) {
			param := "reasoning.effort"
			if !slices.Contains(c.asked.settings, "effort") && slices.Contains(c.asked.settings, "summary") {
				param = "reasoning.summary"
			}
			write(c.w, 400, []byte(untaken(param)))
		}),
		"400-effort": failing(model.FaultRejected, 400, `{"error":{"message":"Unsupported value: 'minimal' is not supported with the 'mock-1' model. Supported values are: 'none', 'low', 'medium', and 'high'.","type":"invalid_request_error","param":"reasoning.effort","code":"unsupported_value"}}`),
		"400-schema": failing(model.FaultRejected, 400, `{"error":{"message":"Invalid schema for response_format 'pair': In context=(), 'additionalProperties' is required to be supplied and to be false.","type":"invalid_request_error","param":"text.format.schema","code":"invalid_json_schema"}}`),
		"400-model":  failing(model.FaultNoModel, 400, apiError("The requested model 'x' does not exist.", "invalid_request_error", "model_not_found")),
		"429-quota":  failing(model.FaultDenied, 429, apiError("You exceeded your current quota, please check your plan and billing details.", "insufficient_quota", "insufficient_quota")),
		// the prompt does not fit
		"context-openai": failing(model.FaultContext, 400, `{"error":{"message":"Your input exceeds the context window of this model. Please adjust your input and try again.","type":"invalid_request_error","param":"input","code":"context_length_exceeded"}}`),
		"failed-context": failing(model.FaultContext, 200, failed("context_length_exceeded", "Your input exceeds the context window of this model. Please adjust your input and try again.")),
		// an end that is none
		"failed-busy":       failing(model.FaultBusy, 200, failed("rate_limit_exceeded", "Rate limit reached for mock-1. Please try again in 6s.")),
		"failed-bare":       failing(model.FaultServer, 200, body(`"status":"failed","error":null,"incomplete_details":null,"output":[]`)),
		"error-and-reply":   failing(model.FaultServer, 200, body(`"status":"completed","error":{"code":"server_error","message":"the stream broke"},`+text)),
		"in-progress":       failing(model.FaultBroken, 200, body(`"status":"in_progress","error":null,"incomplete_details":null,"output":[]`)),
		"queued":            failing(model.FaultBroken, 200, body(`"status":"queued","error":null,"incomplete_details":null,"output":[]`)),
		"incomplete-bare":   failing(model.FaultBroken, 200, body(`"status":"incomplete","error":null,"incomplete_details":null,`+text)),
		"cancelled":         ending(record.Error, func(r *MockReply) { r.Finish = "cancelled" }),
		"finish-unknown":    ending(record.Error, func(r *MockReply) { r.Finish = "because" }),
		"incomplete-reason": ending(record.Error, func(r *MockReply) { r.Finish = "incomplete/because" }),
		// a reply that is none
		"twin-keys":      failing(model.FaultBroken, 200, message(`[{"type":"output_text","text":"a","text":"b"}]`)),
		"no-finish":      failing(model.FaultBroken, 200, body(`"error":null,`+text)),
		"null-finish":    failing(model.FaultBroken, 200, body(`"status":null,"error":null,`+text)),
		"status-number":  failing(model.FaultBroken, 200, body(`"status":200,"error":null,`+text)),
		"no-output":      failing(model.FaultBroken, 200, body(`"status":"completed","error":null`)),
		"null-output":    failing(model.FaultBroken, 200, body(completed+`"output":null`)),
		"output-text":    failing(model.FaultBroken, 200, body(completed+`"output":"ok"`)),
		"output-null":    failing(model.FaultBroken, 200, body(completed+`"output":[null]`)),
		"item-typeless":  failing(model.FaultBroken, 200, body(completed+`"output":[{"id":"x"}]`)),
		"content-number": failing(model.FaultBroken, 200, message(`[{"type":"output_text","text":42}]`)),
		"content-image":  failing(model.FaultBroken, 200, message(`[{"type":"output_image","image_url":"x"}]`)),
		"tools-nameless": failing(model.FaultBroken, 200, body(completed+`"output":[{"id":"fc_1","type":"function_call","call_id":"call_x","arguments":"{}"}]`)),
		"chat-form":      failing(model.FaultBroken, 200, goodBody), // the server speaks another protocol
		// the model's own doing
		"length-thinking":  ending(record.Truncated, func(r *MockReply) { r.Finish, r.Thinking, r.Content = "length", "and so on", "" }),
		"length-empty":     ending(record.Truncated, func(r *MockReply) { r.Finish, r.Content = "length", "" }),
		"filter":           ending(record.Refused, func(r *MockReply) { r.Finish, r.Content = "filter", "" }),
		"filter-half":      ending(record.Refused, func(r *MockReply) { r.Finish, r.Content = "filter", "half of" }),
		"refusal":          ending(record.Refused, func(r *MockReply) { r.Refusal, r.Content = "I can't help with that.", "" }),
		"empty":            ending(record.Answered, func(r *MockReply) { r.Content = "" }),
		"output-empty":     whole(record.Answered, body(completed+`"output":[]`)),
		"thinking-only":    ending(record.Answered, func(r *MockReply) { r.Thinking, r.Content = "and so on", "" }),
		"thinking-unasked": ending(record.Answered, func(r *MockReply) { r.Thinking = "nobody asked" }),
		"usage-odd":        whole(record.Answered, responseHead+completed+text+`,"usage":{"input_tokens":"many","output_tokens":-1,"output_tokens_details":[]}}`),
		"usage-none":       whole(record.Answered, responseHead+completed+text+`,"usage":null}`),
	}
}
