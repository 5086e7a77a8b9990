package modeltest

import (
	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
)

func geminiFaults() map[Fault]behaviour {
	// Details of errors, in the forms of google.rpc.
	const (
		typeOf    = `{"@type":"type.googleapis.com/google.rpc.`
		badKey    = typeOf + `ErrorInfo","reason":"API_KEY_INVALID","domain":"googleapis.com","metadata":{"service":"generativelanguage.googleapis.com"}}`
		retryIn   = typeOf + `RetryInfo","retryDelay":"37s"}`
		perMinute = typeOf + `QuotaFailure","violations":[{"quotaMetric":"generativelanguage.googleapis.com/generate_content_requests","quotaId":"GenerateRequestsPerMinutePerProjectPerModel","quotaValue":"10"}]}`
		perDay    = typeOf + `QuotaFailure","violations":[{"quotaMetric":"generativelanguage.googleapis.com/generate_content_free_tier_requests","quotaId":"GenerateRequestsPerDayPerProjectPerModel-FreeTier","quotaValue":"50"}]}`
		disabled  = typeOf + `ErrorInfo","reason":"SERVICE_DISABLED","domain":"googleapis.com"}`
		badField  = typeOf + `BadRequest","fieldViolations":[{"field":"generation_config.response_json_schema","description":"Unsupported keyword: patternProperties"}]}`
	)
	refuses := func(kind model.FaultKind, code int, status, message string, details ...string) behaviour {
		return failing(kind, code, geminiError(code, status, message, details...))
	}
	// body is a reply of one candidate that holds these members.
	body := func(candidate string) string { return `{"candidates":[{` + candidate + `}],` + geminiUsage }
	const text, stop = `"content":{"parts":[{"text":"ok"}],"role":"model"}`, `"finishReason":"STOP","index":0`
	cut := func(reason string) behaviour {
		return ending(record.Refused, func(r *MockReply) { r.Finish, r.Content = reason, "" })
	}
	// wrote is an end that is the model's own doing: what it wrote is no answer.
	wrote := func(reason string) behaviour {
		return whole(record.Answered, body(`"content":{},"finishReason":"`+reason+`","index":0,"finishMessage":"Malformed function call: print(default_api.x("`))
	}
	return map[Fault]behaviour{
		// the key and the account
		"400-key":      refuses(model.FaultDenied, 400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", badKey),
		"400-location": refuses(model.FaultDenied, 400, "FAILED_PRECONDITION", "User location is not supported for the API use."),
		"403-disabled": refuses(model.FaultDenied, 403, "PERMISSION_DENIED", "Generative Language API has not been used in project 1 before or it is disabled.", disabled),
		"403-nokey":    refuses(model.FaultDenied, 403, "PERMISSION_DENIED", "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API."),
		"429-quota":    refuses(model.FaultDenied, 429, "RESOURCE_EXHAUSTED", "You exceeded your current quota, please check your plan and billing details.", perDay),
		"429-info":     refuses(model.FaultBusy, 429, "RESOURCE_EXHAUSTED", "You exceeded your current quota, please check your plan and billing details.", perMinute, retryIn),
		// what it does not take
		"400-temperature":  refuses(model.FaultRejected, 400, "INVALID_ARGUMENT", "Request contains an invalid argument."), // it says no more
		"400-top_p":        refuses(model.FaultRejected, 400, "INVALID_ARGUMENT", "Request contains an invalid argument."),
		"400-thinking":     refuses(model.FaultRejected, 400, "INVALID_ARGUMENT", "Thinking is not supported for this model."),
		"400-thinking-off": refuses(model.FaultRejected, 400, "INVALID_ARGUMENT", "Budget 0 is invalid. This model only works in thinking mode."),
		"400-schema":       refuses(model.FaultRejected, 400, "INVALID_ARGUMENT", "Request contains an invalid argument.", badField),
		"400-field":        refuses(model.FaultRejected, 400, "INVALID_ARGUMENT", "Invalid JSON payload received. Unknown name \"responseJsonSchema\" at 'generation_config': Cannot find field."),
		"400-tools":        refuses(model.FaultRejected, 400, "INVALID_ARGUMENT", "Function calling is not enabled for models/mock-1"),
		"416-range":        refuses(model.FaultRejected, 416, "OUT_OF_RANGE", "The request is out of range."),
		// servers
		"499-cancelled": refuses(model.FaultServer, 499, "CANCELLED", "The operation was cancelled."),
		"500-list":      failing(model.FaultServer, 500, "["+geminiError(500, "INTERNAL", "An internal error has occurred.")+"]"),
		"504-deadline":  refuses(model.FaultServer, 504, "DEADLINE_EXCEEDED", "Deadline expired before operation could complete."),
		// the prompt does not fit
		"context-gemini": refuses(model.FaultContext, 400, "INVALID_ARGUMENT", "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."),
		"context-200":    failing(model.FaultContext, 200, geminiError(400, "INVALID_ARGUMENT", "The input token count exceeds the maximum number of tokens allowed (1048576).")),
		// a reply that is none
		"twin-keys":        failing(model.FaultBroken, 200, body(`"content":{"parts":[{"text":"a","text":"b"}],"role":"model"},`+stop)),
		"no-candidates":    failing(model.FaultBroken, 200, `{`+geminiUsage),
		"empty-candidates": failing(model.FaultBroken, 200, `{"candidates":[],`+geminiUsage),
		"null-candidate":   failing(model.FaultBroken, 200, `{"candidates":[null],`+geminiUsage),
		"no-finish":        failing(model.FaultBroken, 200, body(text+`,"index":0`)),
		"null-finish":      failing(model.FaultBroken, 200, body(text+`,"finishReason":null`)),
		"content-text":     failing(model.FaultBroken, 200, body(`"content":"ok",`+stop)),
		"content-number":   failing(model.FaultBroken, 200, body(`"content":{"parts":[{"text":42}],"role":"model"},`+stop)),
		"content-image":    failing(model.FaultBroken, 200, body(`"content":{"parts":[{"inlineData":{"mimeType":"image/png","data":"eA=="}}],"role":"model"},`+stop)),
		"tools-nameless":   failing(model.FaultBroken, 200, body(`"content":{"parts":[{"functionCall":{"args":{}}}],"role":"model"},`+stop)),
		"chat-form":        failing(model.FaultBroken, 200, goodBody), // the server speaks another protocol
		// the filters, on the prompt and on the answer
		"blocked":       whole(record.Refused, `{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"},`+geminiUsage),
		"blocked-other": whole(record.Refused, `{"promptFeedback":{"blockReason":"OTHER","blockReasonMessage":"no"},`+geminiUsage),
		"safety":        cut("SAFETY"),
		"safety-half":   ending(record.Refused, func(r *MockReply) { r.Finish, r.Content = "SAFETY", "half of" }),
		"recitation":    cut("RECITATION"),
		"blocklist":     cut("BLOCKLIST"),
		"prohibited":    cut("PROHIBITED_CONTENT"),
		"spii":          cut("SPII"),
		// the model's own doing
		"malformed-call":   wrote("MALFORMED_FUNCTION_CALL"),
		"unexpected-call":  wrote("UNEXPECTED_TOOL_CALL"),
		"length-thinking":  ending(record.Truncated, func(r *MockReply) { r.Finish, r.Thinking, r.Content = "length", "and so on", "" }),
		"length-empty":     ending(record.Truncated, func(r *MockReply) { r.Finish, r.Content = "length", "" }),
		"think-open":       ending(record.Truncated, func(r *MockReply) { r.Content = "<think>first, then" }),
		"empty":            ending(record.Answered, func(r *MockReply) { r.Content = "" }),
		"thinking-unasked": ending(record.Answered, func(r *MockReply) { r.Thinking = "nobody asked" }),
		"other":            ending(record.Error, func(r *MockReply) { r.Finish, r.Content = "OTHER", "" }),
		"finish-unknown":   ending(record.Error, func(r *MockReply) { r.Finish = "BECAUSE" }),
		"usage-odd":        whole(record.Answered, `{"candidates":[{`+text+`,`+stop+`}],"usageMetadata":{"promptTokenCount":"many","candidatesTokenCount":-1}}`),
		"usage-none":       whole(record.Answered, `{"candidates":[{`+text+`,`+stop+`}]}`),
	}
}
