package gemini

import "github.com/assaybench/assay/model"

// finishes is what each finishReason of the published list means for an outcome, by the decision table: what the model
// did is an answer to be judged, what the server's rules cut is a refusal, and what nobody can lay at the model's door
// is an error.
//
//	STOP                                             the model ended by itself; with calls in it, it asked for tools
//	MAX_TOKENS                                       the output limit, thinking included
//	SAFETY RECITATION LANGUAGE BLOCKLIST             the server's filters, on what the model wrote:
//	PROHIBITED_CONTENT SPII ESCALATION IMAGE_SAFETY  refused
//	IMAGE_PROHIBITED_CONTENT IMAGE_RECITATION
//	MALFORMED_FUNCTION_CALL MALFORMED_RESPONSE       the model's own doing: it ended with something that is no call and no
//	UNEXPECTED_TOOL_CALL TOO_MANY_TOOL_CALLS         answer, or called what was not offered; what text there is, is judged
//	MISSING_THOUGHT_SIGNATURE                        a fault of the request (readReply)
//	OTHER NO_IMAGE IMAGE_OTHER …_UNSPECIFIED, new    unknown, so an error: neither whole nor why not
//
// Beside the list, promptFeedback.blockReason without candidates is the filter on the prompt: refused (readReply).
var finishes = map[string]model.Finish{
	"STOP":                     model.FinishStop,
	"MAX_TOKENS":               model.FinishLength,
	"SAFETY":                   model.FinishFilter,
	"RECITATION":               model.FinishFilter,
	"LANGUAGE":                 model.FinishFilter,
	"BLOCKLIST":                model.FinishFilter,
	"PROHIBITED_CONTENT":       model.FinishFilter,
	"SPII":                     model.FinishFilter,
	"ESCALATION":               model.FinishFilter,
	"IMAGE_SAFETY":             model.FinishFilter,
	"IMAGE_PROHIBITED_CONTENT": model.FinishFilter,
	"IMAGE_RECITATION":         model.FinishFilter,
	"MALFORMED_FUNCTION_CALL":  model.FinishStop,
	"MALFORMED_RESPONSE":       model.FinishStop,
	"UNEXPECTED_TOOL_CALL":     model.FinishStop,
	"TOO_MANY_TOOL_CALLS":      model.FinishStop,
}

const missingSignature = "MISSING_THOUGHT_SIGNATURE"

// finishOf maps a word of the server. An unknown one is no proof that the reply is whole.
func finishOf(raw string, calls int) model.Finish {
	f, ok := finishes[raw]
	switch {
	case !ok:
		return model.Finish("unknown " + raw) // even where it is a word of ours: this wire's are capitals
	case raw == "STOP" && calls > 0:
		return model.FinishTool
	}
	return f
}
