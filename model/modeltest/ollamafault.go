package modeltest

import (
	"strings"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
)

func ollamaFaults() map[Fault]behaviour {
	const head, message = ollamaHead, ollamaHead + `"message":{"role":"assistant","content":"ok"},`
	changes := func(what, shows string) behaviour {
		b := ending(record.Answered, func(*MockReply) {})
		answer := b.act
		b.act, b.shows = func(c *call) { c.m.change(what); answer(c) }, shows
		return b
	}
	return map[Fault]behaviour{
		// refused
		"404-pull":     failing(model.FaultNoModel, 404, `{"error":"model \"x\" not found, try pulling it first"}`),
		"400-thinking": failing(model.FaultRejected, 400, `{"error":"\"mock-1\" does not support thinking"}`),
		"400-think":    failing(model.FaultRejected, 400, `{"error":"invalid think value: \"xhigh\" (must be \"high\", \"medium\", \"low\", \"max\", true, or false)"}`),
		"400-tools":    failing(model.FaultRejected, 400, `{"error":"registry.ollama.ai/library/mock-1:latest does not support tools"}`),
		"400-chat":     failing(model.FaultRejected, 400, `{"error":"\"mock-1\" does not support chat"}`),
		"403-text":     failing(model.FaultDenied, 403, `{"error":"forbidden"}`),
		"500-memory":   failing(model.FaultServer, 500, `{"error":"model requires more system memory (5.6 GiB) than is available (3.2 GiB)"}`),
		"502-cloud":    failing(model.FaultServer, 502, `{"error":"upstream error"}`),
		"503-queue":    failing(model.FaultBusy, 503, `{"error":"server busy, please try again.  maximum pending requests exceeded"}`, "Retry-After", "3"),
		// the prompt does not fit
		"context-ollama": failing(model.FaultContext, 400, `{"error":"the prompt is longer than the context length currently available to the model; shorten the prompt, adjust the context length in settings, or use a model with a longer context length"}`),
		"context-llama":  failing(model.FaultContext, 400, `{"error":"request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it"}`),
		"context-500":    failing(model.FaultContext, 500, `{"error":"exceed_context_size_error: request (5000 tokens) exceeds the available context size (4096 tokens)"}`),
		"half-context": {outcome: record.Undelivered, act: func(c *call) {
			c.reply.PromptTokens = int(or(c.asked.context, 4096))/2 + 5
			c.answer()
		}},
		// a reply that is none, or has no end
		"error-line": acting(model.FaultServer, func(c *call) {
			const said = `{"error":"an error was encountered while running the model: unexpected EOF"}`
			if !c.asked.stream { // such a server has then sent nothing yet, and still has its status
				write(c.w, 500, []byte(said))
				return
			}
			c.lines(ollamaRecord(MockReply{Content: "half of"}, "", c.asked), []byte(said))
		}),
		"no-final": acting(model.FaultBroken, func(c *call) {
			if !c.asked.stream {
				write(c.w, 200, []byte(strings.TrimSuffix(message, ",")+"}"))
				return
			}
			c.lines(ollamaRecord(MockReply{Content: "half"}, "", c.asked), ollamaRecord(MockReply{Content: " of"}, "", c.asked))
		}),
		"no-final-tools": acting(model.FaultBroken, func(c *call) {
			calls := []record.ToolCall{{Name: "x", Arguments: "{}"}}
			b := ollamaRecord(MockReply{Calls: calls}, "", c.asked)
			if !c.asked.stream {
				write(c.w, 200, []byte(strings.Replace(string(b), `,"done":false`, "", 1)))
				return
			}
			c.lines(b)
		}),
		"repeat-guard":    {outcome: record.Truncated, act: func(c *call) { aborted(c, "") }},
		"done-false":      {outcome: record.Truncated, act: func(c *call) { aborted(c, "half of") }},
		"done-text":       failing(model.FaultBroken, 200, message+`"done":"true","done_reason":"stop"}`),
		"done-null":       failing(model.FaultBroken, 200, message+`"done":null,"done_reason":"stop"}`),
		"no-finish":       failing(model.FaultBroken, 200, message+`"done":true}`),
		"empty-finish":    failing(model.FaultBroken, 200, message+`"done":true,"done_reason":""}`),
		"load":            failing(model.FaultBroken, 200, head+`"message":{"role":"assistant","content":""},"done":true,"done_reason":"load"}`),
		"unload":          failing(model.FaultBroken, 200, head+`"message":{"role":"assistant","content":""},"done":true,"done_reason":"unload"}`),
		"no-message":      failing(model.FaultBroken, 200, head+`"done":true,"done_reason":"stop"}`),
		"null-message":    failing(model.FaultBroken, 200, head+`"message":null,"done":true,"done_reason":"stop"}`),
		"twin-keys":       failing(model.FaultBroken, 200, head+`"message":{"role":"assistant","content":"a","content":"b"},"done":true,"done_reason":"stop"}`),
		"content-number":  failing(model.FaultBroken, 200, head+`"message":{"role":"assistant","content":42},"done":true,"done_reason":"stop"}`),
		"error-and-reply": failing(model.FaultServer, 200, message+`"done":true,"done_reason":"stop","error":"CUDA out of memory"}`),
		"chat-form":       failing(model.FaultBroken, 200, goodBody), // the server speaks another protocol
		// it was not this machine, or not this model
		"remote":          ending(record.Error, func(r *MockReply) { r.Remote = "https://ollama.com:443" }),
		"digest-changed":  changes("digest", "identity"),
		"version-changed": changes("version", "identity"),
		"context-less":    changes("context", "ready"),
		// the model's own doing
		"length-thinking":  ending(record.Truncated, func(r *MockReply) { r.Finish, r.Thinking, r.Content = "length", "and so on", "" }),
		"length-empty":     ending(record.Truncated, func(r *MockReply) { r.Finish, r.Content = "length", "" }),
		"think-open":       ending(record.Truncated, func(r *MockReply) { r.Content = "<think>first, then" }),
		"think":            ending(record.Answered, func(r *MockReply) { r.Content = "<think>thought</think>\n\n" + r.Content }),
		"think-template":   ending(record.Answered, func(r *MockReply) { r.Content = "thought\n</think>\n\n" + r.Content }),
		"thinking-unasked": ending(record.Answered, func(r *MockReply) { r.Thinking = "nobody asked" }),
		"empty":            ending(record.Answered, func(r *MockReply) { r.Content = "" }),
		"finish-unknown":   ending(record.Error, func(r *MockReply) { r.Finish = "because" }),
		"usage-odd":        whole(record.Answered, message+`"done":true,"done_reason":"stop","total_duration":"long","load_duration":-1,"prompt_eval_count":null,"eval_count":1.5}`),
		"usage-none":       whole(record.Answered, message+`"done":true,"done_reason":"stop"}`),
	}
}

// aborted is what the guard against repeated tokens leaves: more than 30 chunks that are the same but for white space, and
// then nothing, no error and no final record.
func aborted(c *call, text string) {
	const blanks = 31
	if !c.asked.stream {
		c.reply.Content, c.reply.Finish = text+strings.Repeat("\n", blanks), string(model.FinishAborted)
		c.answer()
		return
	}
	var records [][]byte
	if text != "" {
		records = append(records, ollamaRecord(MockReply{Content: text}, "", c.asked))
	}
	for range blanks {
		records = append(records, ollamaRecord(MockReply{Content: "\n"}, "", c.asked))
	}
	c.lines(records...)
}
