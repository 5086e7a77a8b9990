package responses

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/openai"
	"github.com/assaybench/assay/model/wire"
	"github.com/assaybench/assay/record"
)

// response is what is read of a reply. What decides an outcome is read strictly; what only informs never makes a reply
// unreadable.
type response struct {
	Error      jsontext.Value `json:"error"`
	Status     *string        `json:"status"`
	Incomplete *struct {
		Reason wire.Word `json:"reason"`
	} `json:"incomplete_details"`
	Output jsontext.Value    `json:"output"`
	Model  wire.Word         `json:"model"`
	Usage  wire.Loose[usage] `json:"usage"`
}

type usage struct {
	Input        wire.Count `json:"input_tokens"` // cached ones included
	Output       wire.Count `json:"output_tokens"`
	InputDetails wire.Loose[struct {
		Cached wire.Count `json:"cached_tokens"`
	}] `json:"input_tokens_details"`
	OutputDetails wire.Loose[struct {
		Reasoning wire.Count `json:"reasoning_tokens"`
	}] `json:"output_tokens_details"`
}

// item is one output item: a message, a thought or a call; what else there is was not asked for.
type item struct {
	Type      string    `json:"type"`
	Phase     wire.Word `json:"phase"`   // of a message
	Content   []part    `json:"content"` // of a message, of a thought
	Summary   []part    `json:"summary"` // of a thought
	CallID    wire.Word `json:"call_id"` // of a call
	Name      wire.Word `json:"name"`
	Arguments *string   `json:"arguments"`
}

type part struct {
	Type    string  `json:"type"`
	Text    *string `json:"text"`
	Refusal *string `json:"refusal"`
}

// readReply makes a Reply of a 200, or the fault that it is in truth.
func (m *Model) readReply(got *wire.Response) (model.Reply, *model.Fault) {
	broken := func(format string, args ...any) (model.Reply, *model.Fault) {
		return model.Reply{}, m.Broken(got, fmt.Sprintf(format, args...))
	}
	if f := openai.Head(m.Client, got); f != nil {
		return model.Reply{}, f
	}
	var r response
	// Broken UTF-8 becomes U+FFFD in the answer; the raw bytes are in the exchange.
	if err := json.Unmarshal(got.ResponseBody, &r, jsontext.AllowInvalidUTF8(true)); err != nil {
		return broken("the reply is not one whole JSON value of the known form: %s", model.OneLine(strings.TrimPrefix(err.Error(), "json: "), 160))
	}
	rep := model.Reply{Model: string(r.Model), Usage: r.Usage.V.record(), Exchange: got.Exchange, Timing: record.Timing{Started: got.Started, Total: got.Elapsed}}
	if wire.IsSet(r.Error) {
		e := wire.ReadError(got.ResponseBody)
		switch {
		case e.Code == "rate_limit_exceeded":
			return model.Reply{}, m.NewFault(model.FaultBusy, got, "the server is busy ("+model.OneLine(e.Message, 240)+")")
		case !openai.IsPolicy(e.Code, e.Message):
			return model.Reply{}, m.ErrorInside(got, r.Error)
		}
		rep.Finish, rep.FinishRaw, rep.Answer = model.FinishFilter, e.Code, e.Message
		return rep, nil
	}
	if r.Status == nil || *r.Status == "" {
		return broken("the reply has no status, so that it may have been cut")
	}
	switch rep.FinishRaw = *r.Status; *r.Status {
	case "completed":
		rep.Finish = model.FinishStop
	case "incomplete":
		if r.Incomplete == nil || r.Incomplete.Reason == "" {
			return broken("the reply is incomplete and does not say why")
		}
		rep.FinishRaw = string(r.Incomplete.Reason)
		rep.Finish = finishOf(rep.FinishRaw)
	case "failed":
		return model.Reply{}, m.ErrorInside(got, nil)
	case "in_progress", "queued":
		return broken("the reply's status is %s, so that it is not whole", *r.Status)
	default:
		// "cancelled" too: the server stopped, and nothing says that it was the model's doing.
		rep.Finish = model.Finish(*r.Status)
	}
	var items []jsontext.Value
	if r.Output.Kind() != '[' || json.Unmarshal(r.Output, &items, jsontext.AllowInvalidUTF8(true)) != nil {
		return broken("the reply has no output")
	}
	if err := readItems(&rep, items); err != nil {
		return broken("%s", err)
	}
	if len(items) > 0 {
		rep.Native = nativeOf(r.Output)
	}
	if !m.Official {
		openai.Apart(&rep)
	}
	return rep, nil
}

// readItems takes over what the model said, thought and wants called. Commentary between calls is no answer beside one
// that is labelled so; it stays in the exchange.
func readItems(rep *model.Reply, items []jsontext.Value) error {
	var answer, comment, refusal, thinking []string
	final := false
	for i, v := range items {
		it, err := readItem(v)
		if err != nil {
			return fmt.Errorf("item %d of the reply is not of the known form: %s", i+1, model.OneLine(strings.TrimPrefix(err.Error(), "json: "), 160))
		}
		switch it.Type {
		case "message":
			for _, p := range it.Content {
				switch {
				case p.Type == "output_text" && p.Text != nil && it.Phase == "commentary":
					comment = append(comment, *p.Text)
				case p.Type == "output_text" && p.Text != nil:
					answer, final = append(answer, *p.Text), true
				case p.Type == "refusal" && p.Refusal != nil:
					refusal = append(refusal, *p.Refusal)
				default:
					return fmt.Errorf("the message holds a part of type %q", model.OneLine(p.Type, 60))
				}
			}
		case "reasoning":
			parts := it.Content // the thought itself, which open servers give; the official one sums it up
			if len(parts) == 0 {
				parts = it.Summary
			}
			for _, p := range parts {
				if p.Text != nil {
					thinking = append(thinking, *p.Text)
				}
			}
		case "function_call":
			if it.Name == "" || it.Arguments == nil {
				return fmt.Errorf("item %d of the reply is a call without a name or arguments", i+1)
			}
			rep.Calls = append(rep.Calls, record.ToolCall{ID: string(it.CallID), Name: string(it.Name), Arguments: *it.Arguments})
		case "":
			return fmt.Errorf("item %d of the reply has no type", i+1)
		}
	}
	if !final {
		answer = comment
	}
	rep.Answer, rep.Thinking = strings.Join(answer, ""), strings.Join(thinking, "\n\n")
	switch {
	case len(refusal) > 0:
		rep.Finish = model.FinishRefusal
		if rep.Answer == "" {
			rep.Answer = strings.Join(refusal, "")
		}
	case len(rep.Calls) > 0 && rep.Finish == model.FinishStop:
		rep.Finish = model.FinishTool
	}
	return nil
}

// readItem reads an item of a kind that is known, and of any other its type alone.
func readItem(v jsontext.Value) (item, error) {
	var kind struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(v, &kind, jsontext.AllowInvalidUTF8(true)); err != nil {
		return item{}, err
	}
	it := item{Type: kind.Type}
	switch kind.Type {
	case "message", "reasoning", "function_call":
		err := json.Unmarshal(v, &it, jsontext.AllowInvalidUTF8(true))
		return it, err
	}
	return it, nil
}

// finishOf maps the reasons of an incomplete reply. An unknown one is kept, and is no proof of anything.
func finishOf(reason string) model.Finish {
	switch reason {
	case "max_output_tokens":
		return model.FinishLength
	case "content_filter":
		return model.FinishFilter
	}
	return model.Finish(reason)
}

func (u usage) record() record.Usage {
	return record.Usage{Prompt: u.Input.Ptr(), Output: u.Output.Ptr(), Thinking: u.OutputDetails.V.Reasoning.Ptr(), Cached: u.InputDetails.V.Cached.Ptr()}
}
