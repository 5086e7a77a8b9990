package openai

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/wire"
	"github.com/assaybench/assay/record"
)

// completion is what is read of a reply. What decides an outcome is read strictly; what only informs (usage, timings,
// the model's name) never makes a reply unreadable.
type completion struct {
	Error   jsontext.Value      `json:"error"`
	Model   wire.Word           `json:"model"`
	Choices []choice            `json:"choices"`
	Usage   wire.Loose[usage]   `json:"usage"`
	Timings wire.Loose[timings] `json:"timings"` // llama.cpp
	Ollama  isOllama            `json:"system_fingerprint"`
}

type choice struct {
	Error        jsontext.Value `json:"error"` // routers put a provider's error here
	FinishReason *string        `json:"finish_reason"`
	Message      *struct {
		Content          text      `json:"content"`
		Refusal          wire.Word `json:"refusal"`
		ReasoningContent wire.Word `json:"reasoning_content"` // llama.cpp, DeepSeek, older vLLM
		Reasoning        wire.Word `json:"reasoning"`         // vLLM, Ollama, routers
		Calls            []call    `json:"tool_calls"`
		Call             *function `json:"function_call"` // before there were tools
	} `json:"message"`
}

type call struct {
	ID       wire.Word `json:"id"`
	Function *function `json:"function"`
}

type function struct {
	Name      string    `json:"name"`
	Arguments arguments `json:"arguments"`
}

type usage struct {
	Prompt        wire.Count `json:"prompt_tokens"`
	Output        wire.Count `json:"completion_tokens"`
	PromptDetails wire.Loose[struct {
		Cached wire.Count `json:"cached_tokens"`
	}] `json:"prompt_tokens_details"`
	OutputDetails wire.Loose[struct {
		Reasoning wire.Count `json:"reasoning_tokens"`
	}] `json:"completion_tokens_details"`
}

type timings struct {
	PromptMS float64    `json:"prompt_ms"`
	OutputMS float64    `json:"predicted_ms"`
	Cached   wire.Count `json:"cache_n"`
}

// readReply makes a Reply of a 200, or the fault that it is in truth.
func (m *Model) readReply(got *wire.Response) (model.Reply, *model.Fault) {
	broken := func(format string, args ...any) (model.Reply, *model.Fault) {
		return model.Reply{}, m.Broken(got, fmt.Sprintf(format, args...))
	}
	if f := Head(m.Client, got); f != nil {
		return model.Reply{}, f
	}
	var c completion
	// Broken UTF-8 (a character cut at the output limit) becomes U+FFFD in the answer; the raw bytes are in the exchange.
	if err := json.Unmarshal(got.ResponseBody, &c, jsontext.AllowInvalidUTF8(true)); err != nil {
		return broken("the reply is not one whole JSON value of the known form: %s", model.OneLine(strings.TrimPrefix(err.Error(), "json: "), 160))
	}
	if wire.IsSet(c.Error) {
		return model.Reply{}, m.ErrorInside(got, c.Error)
	}
	if len(c.Choices) == 0 {
		return broken("the reply has no choices")
	}
	ch := c.Choices[0]
	if wire.IsSet(ch.Error) {
		return model.Reply{}, m.ErrorInside(got, ch.Error)
	}
	if ch.Message == nil {
		return broken("the reply's choice has no message")
	}
	if ch.FinishReason == nil || *ch.FinishReason == "" {
		return broken("the reply has no finish_reason, so that it may have been cut")
	}
	if *ch.FinishReason == "error" {
		return model.Reply{}, m.ErrorInside(got, nil)
	}
	rep := model.Reply{
		Answer: string(ch.Message.Content), Thinking: string(ch.Message.ReasoningContent), FinishRaw: *ch.FinishReason, Finish: finishOf(*ch.FinishReason),
		Model: string(c.Model), Usage: c.Usage.V.record(), Exchange: got.Exchange,
		Timing: record.Timing{Started: got.Started, Total: got.Elapsed, Prompt: nanos(c.Timings.V.PromptMS), Output: nanos(c.Timings.V.OutputMS)},
	}
	if rep.Thinking == "" {
		rep.Thinking = string(ch.Message.Reasoning)
	}
	Apart(&rep)
	if rep.Usage.Cached == nil {
		rep.Usage.Cached = c.Timings.V.Cached.Ptr()
	}
	if bool(c.Ollama) && !m.Official {
		if known := m.server.Load(); known == nil || known.Software == "" {
			s := ollama("")
			m.server.CompareAndSwap(known, &s)
		}
	}
	if err := readCalls(&rep, ch.Message.Calls, ch.Message.Call); err != nil {
		return broken("%s", err)
	}
	if ch.Message.Refusal != "" {
		rep.Finish = model.FinishRefusal
		if rep.Answer == "" {
			rep.Answer = string(ch.Message.Refusal)
		}
	}
	return rep, nil
}

// readCalls takes over what the model wants called. Calls that come with a plain stop are calls all the same.
func readCalls(rep *model.Reply, calls []call, old *function) error {
	if len(calls) == 0 && old != nil {
		calls = []call{{Function: old}}
	}
	for i, c := range calls {
		if c.Function == nil || c.Function.Name == "" {
			return fmt.Errorf("tool call %d of the reply names no function", i+1)
		}
		if c.ID == "" { // some servers give none, and yet want one in the result
			c.ID = wire.Word(fmt.Sprintf("call_%d", i+1))
		}
		rep.Calls = append(rep.Calls, record.ToolCall{ID: string(c.ID), Name: c.Function.Name, Arguments: string(c.Function.Arguments)})
	}
	if len(calls) > 0 && rep.Finish == model.FinishStop {
		rep.Finish = model.FinishTool
	}
	return nil
}

// Head checks what must be true of a 200 before its body is read: JSON, as the server sent it.
func Head(c *wire.Client, got *wire.Response) *model.Fault {
	if enc := got.Header("Content-Encoding"); enc != "" && enc != "identity" {
		return c.Broken(got, fmt.Sprintf("the server compressed its reply (%s), which was not asked for", model.OneLine(enc, 40)))
	}
	if ct := got.Header("Content-Type"); !wire.IsJSON(ct) {
		return c.Broken(got, fmt.Sprintf("a 200 with content type %s instead of JSON: is %s the address of a model server?", model.OneLine(ct, 60), c.Base))
	}
	return nil
}

// Apart takes thinking that the server left in the answer out of it.
func Apart(rep *model.Reply) {
	thinking, answer, unclosed := model.SplitThinking(rep.Answer)
	if thinking == "" && !unclosed && len(answer) == len(rep.Answer) {
		return
	}
	if rep.Thinking != "" && thinking != "" {
		thinking = rep.Thinking + "\n" + thinking
	}
	if thinking != "" {
		rep.Thinking = thinking
	}
	rep.Answer, rep.Unclosed = answer, unclosed
}

// Thought reports whether a reply shows thinking, in its text or in its counts.
func Thought(rep *model.Reply) bool { return rep.Thinking != "" || rep.Usage.Thinking != nil }

// policy is what providers call a request that their own rules forbid: a refusal of the answer, and no fault on the way
// to it, although it comes as an error. invalid_prompt is one when the message says so.
var (
	policy      = model.NewPattern(`^(content_filter|content_policy_violation|.*_policy|.*_policy_violation)$`)
	policyWords = model.NewPattern(`(?i)usage polic|content polic|flagged`)
)

// moderated is how routers say that a moderation stands before the model and held the prompt back.
var moderated = model.NewPattern(`(?i)moderation.*flagged|flagged.*moderation|input was flagged`)

// IsPolicy reports whether an error says that the provider's rules forbid the request.
func IsPolicy(code, message string) bool {
	return policy.MatchString(code) || code == "invalid_prompt" && policyWords.MatchString(message)
}

// Declined makes the reply of a 400 or a 403 by which a provider declined to answer; false: it is none.
func Declined(got *wire.Response) (model.Reply, bool) {
	if got.Status != http.StatusBadRequest && got.Status != http.StatusForbidden { // a router's moderation comes as 403
		return model.Reply{}, false
	}
	e := wire.ReadError(got.ResponseBody)
	if !IsPolicy(e.Code, e.Message) && (got.Status != http.StatusForbidden || !moderated.MatchString(e.Message)) {
		return model.Reply{}, false
	}
	return model.Reply{Answer: e.Message, Finish: model.FinishFilter, FinishRaw: e.Code, Exchange: got.Exchange,
		Timing: record.Timing{Started: got.Started, Total: got.Elapsed}}, true
}

// finishOf maps the words of the compatible servers. An unknown one is kept, and is no proof that the reply is whole.
func finishOf(raw string) model.Finish {
	switch raw {
	case "stop", "eos", "eos_token", "stop_sequence", "end_turn":
		return model.FinishStop
	case "length", "max_tokens", "model_length":
		return model.FinishLength
	case "content_filter", "safety":
		return model.FinishFilter
	case "refusal":
		return model.FinishRefusal
	case "tool_calls", "function_call":
		return model.FinishTool
	}
	// "abort" and "cancelled" too: the server stopped, and nothing says that it was the model's doing.
	return model.Finish(raw)
}

func (u usage) record() record.Usage {
	return record.Usage{Prompt: u.Prompt.Ptr(), Output: u.Output.Ptr(),
		Thinking: u.OutputDetails.V.Reasoning.Ptr(), Cached: u.PromptDetails.V.Cached.Ptr()}
}

// nanos turns a server's milliseconds into nanoseconds; what is not a sensible time is unknown.
func nanos(ms float64) int64 {
	if !(ms > 0 && ms < 1e9) {
		return 0
	}
	return int64(ms * 1e6)
}

// arguments are those of a tool call as the server sent them: a text, or, against the protocol, a value.
type arguments string

// UnmarshalJSONFrom implements json.UnmarshalerFrom.
func (a *arguments) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if d.PeekKind() == '"' {
		tok, err := d.ReadToken()
		*a = arguments(tok.String())
		return err
	}
	v, err := d.ReadValue()
	if *a = arguments(v); !wire.IsSet(v) {
		*a = ""
	}
	return err
}

// isOllama is a fingerprint that is always the same.
type isOllama bool

// UnmarshalJSONFrom implements json.UnmarshalerFrom.
func (o *isOllama) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	v, err := d.ReadValue()
	*o = string(v) == `"fp_ollama"`
	return err
}

// text is message content: a string, null, or a list of text parts. Anything else is an error, never an empty answer.
type text string

// UnmarshalJSONFrom implements json.UnmarshalerFrom.
func (t *text) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	switch d.PeekKind() {
	case '"':
		tok, err := d.ReadToken()
		*t = text(tok.String())
		return err
	case 'n':
		*t = ""
		return d.SkipValue()
	case '[':
		var parts []struct {
			Type string  `json:"type"`
			Text *string `json:"text"`
		}
		if err := json.UnmarshalDecode(d, &parts); err != nil {
			return err
		}
		var b strings.Builder
		for _, p := range parts {
			if p.Type != "text" || p.Text == nil {
				return fmt.Errorf("content holds a part of type %q", p.Type)
			}
			b.WriteString(*p.Text)
		}
		*t = text(b.String())
		return nil
	}
	return fmt.Errorf("content is neither a text nor null")
}
