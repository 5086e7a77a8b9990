package openai

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
)

// completion is what is read of a reply. What decides an outcome is read strictly; what only informs (usage, timings,
// the model's name) never makes a reply unreadable.
type completion struct {
	Error   jsontext.Value `json:"error"`
	Model   word           `json:"model"`
	Choices []choice       `json:"choices"`
	Usage   loose[usage]   `json:"usage"`
	Timings loose[timings] `json:"timings"` // llama.cpp
}

type choice struct {
	Error        jsontext.Value `json:"error"` // routers put a provider's error here
	FinishReason *string        `json:"finish_reason"`
	Message      *struct {
		Content          text `json:"content"`
		Refusal          word `json:"refusal"`
		ReasoningContent word `json:"reasoning_content"` // llama.cpp, DeepSeek, older vLLM
		Reasoning        word `json:"reasoning"`         // vLLM, Ollama, routers
	} `json:"message"`
}

type usage struct {
	Prompt        count `json:"prompt_tokens"`
	Output        count `json:"completion_tokens"`
	PromptDetails loose[struct {
		Cached count `json:"cached_tokens"`
	}] `json:"prompt_tokens_details"`
	OutputDetails loose[struct {
		Reasoning count `json:"reasoning_tokens"`
	}] `json:"completion_tokens_details"`
}

type timings struct {
	PromptMS float64 `json:"prompt_ms"`
	OutputMS float64 `json:"predicted_ms"`
}

// readReply makes a Reply of a 200, or the fault that it is in truth.
func (m *Model) readReply(got *response) (model.Reply, *model.Fault) {
	broken := func(format string, args ...any) (model.Reply, *model.Fault) {
		return model.Reply{}, m.broken(got, fmt.Sprintf(format, args...))
	}
	if enc := got.header("Content-Encoding"); enc != "" && enc != "identity" {
		return broken("the server compressed its reply (%s), which was not asked for", model.OneLine(enc, 40))
	}
	if ct := got.header("Content-Type"); !isJSON(ct) {
		return broken("a 200 with content type %s instead of JSON: is %s the address of a model server?", model.OneLine(ct, 60), m.base)
	}
	var c completion
	// Broken UTF-8 (a character cut at the output limit) becomes U+FFFD in the answer; the raw bytes are in the exchange.
	if err := json.Unmarshal(got.ResponseBody, &c, jsontext.AllowInvalidUTF8(true)); err != nil {
		return broken("the reply is not one whole JSON value of the known form: %s", model.OneLine(strings.TrimPrefix(err.Error(), "json: "), 160))
	}
	if isSet(c.Error) {
		return model.Reply{}, m.errorInside(got, c.Error)
	}
	if len(c.Choices) == 0 {
		return broken("the reply has no choices")
	}
	ch := c.Choices[0]
	if isSet(ch.Error) {
		return model.Reply{}, m.errorInside(got, ch.Error)
	}
	if ch.Message == nil {
		return broken("the reply's choice has no message")
	}
	if ch.FinishReason == nil || *ch.FinishReason == "" {
		return broken("the reply has no finish_reason, so that it may have been cut")
	}
	if *ch.FinishReason == "error" {
		return model.Reply{}, m.errorInside(got, nil)
	}
	rep := model.Reply{
		Answer: string(ch.Message.Content), Thinking: string(ch.Message.ReasoningContent), FinishRaw: *ch.FinishReason, Finish: finishOf(*ch.FinishReason),
		Model: string(c.Model), Usage: c.Usage.v.record(), Exchange: got.Exchange,
		Timing: record.Timing{Started: got.Started, Total: got.Elapsed, Prompt: nanos(c.Timings.v.PromptMS), Output: nanos(c.Timings.v.OutputMS)},
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
	return record.Usage{Prompt: u.Prompt.ptr(), Output: u.Output.ptr(),
		Thinking: u.OutputDetails.v.Reasoning.ptr(), Cached: u.PromptDetails.v.Cached.ptr()}
}

// nanos turns a server's milliseconds into nanoseconds; what is not a sensible time is unknown.
func nanos(ms float64) int64 {
	if !(ms > 0 && ms < 1e9) {
		return 0
	}
	return int64(ms * 1e6)
}

func isSet(v jsontext.Value) bool { return len(v) > 0 && v.Kind() != 'n' }

// isJSON reports whether a media type is JSON. None at all is let through: then the body alone decides.
func isJSON(contentType string) bool {
	t, _, _ := strings.Cut(contentType, ";")
	t = strings.ToLower(strings.TrimSpace(t))
	return t == "" || t == "application/json" || strings.HasSuffix(t, "+json")
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

// word is a string that may be null, absent or of another type, which all mean "not said".
type word string

// UnmarshalJSONFrom implements json.UnmarshalerFrom.
func (w *word) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	*w = ""
	if d.PeekKind() != '"' {
		return d.SkipValue()
	}
	tok, err := d.ReadToken()
	*w = word(tok.String())
	return err
}

// count is a token count; 0 means not said, since servers leave counts out or send 0 for "unknown".
type count int64

// UnmarshalJSONFrom implements json.UnmarshalerFrom.
func (c *count) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	*c = 0
	v, err := d.ReadValue()
	if err != nil {
		return err
	}
	if n, err := strconv.ParseInt(string(v), 10, 64); err == nil && n > 0 {
		*c = count(n)
	}
	return nil
}

func (c count) ptr() *int64 {
	if c == 0 {
		return nil
	}
	n := int64(c)
	return &n
}

// loose is a value that only informs: where it has another form, it is left at zero.
type loose[T any] struct{ v T }

// UnmarshalJSONFrom implements json.UnmarshalerFrom.
func (l *loose[T]) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if d.PeekKind() != '{' {
		return d.SkipValue()
	}
	v, err := d.ReadValue()
	if err != nil {
		return err
	}
	var got T
	if json.Unmarshal(v, &got, jsontext.AllowInvalidUTF8(true)) == nil {
		l.v = got
	}
	return nil
}
