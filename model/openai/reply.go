package openai

import (
	"fmt"
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
}

type choice struct {
	Error        jsontext.Value `json:"error"` // routers put a provider's error here
	FinishReason *string        `json:"finish_reason"`
	Message      *struct {
		Content          text      `json:"content"`
		Refusal          wire.Word `json:"refusal"`
		ReasoningContent wire.Word `json:"reasoning_content"` // llama.cpp, DeepSeek, older vLLM
		Reasoning        wire.Word `json:"reasoning"`         // vLLM, Ollama, routers
	} `json:"message"`
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
	PromptMS float64 `json:"prompt_ms"`
	OutputMS float64 `json:"predicted_ms"`
}

// readReply makes a Reply of a 200, or the fault that it is in truth.
func (m *Model) readReply(got *wire.Response) (model.Reply, *model.Fault) {
	broken := func(format string, args ...any) (model.Reply, *model.Fault) {
		return model.Reply{}, m.Broken(got, fmt.Sprintf(format, args...))
	}
	if enc := got.Header("Content-Encoding"); enc != "" && enc != "identity" {
		return broken("the server compressed its reply (%s), which was not asked for", model.OneLine(enc, 40))
	}
	if ct := got.Header("Content-Type"); !wire.IsJSON(ct) {
		return broken("a 200 with content type %s instead of JSON: is %s the address of a model server?", model.OneLine(ct, 60), m.Base)
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
	if thinking, answer, unclosed := model.SplitThinking(rep.Answer); thinking != "" || unclosed || len(answer) != len(rep.Answer) {
		if rep.Thinking != "" && thinking != "" {
			thinking = rep.Thinking + "\n" + thinking
		}
		if thinking != "" {
			rep.Thinking = thinking
		}
		rep.Answer, rep.Unclosed = answer, unclosed
	}
	if ch.Message.Refusal != "" {
		rep.Finish = model.FinishRefusal
		if rep.Answer == "" {
			rep.Answer = string(ch.Message.Refusal)
		}
	}
	return rep, nil
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
