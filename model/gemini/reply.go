package gemini

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/wire"
	"github.com/assaybench/assay/record"
)

// response is what is read of a reply. What decides an outcome is read strictly; what only informs (usage, the model's
// version) never makes a reply unreadable. responseId stays in the exchange's body.
type response struct {
	Error          jsontext.Value `json:"error"`
	Candidates     []*candidate   `json:"candidates"`
	PromptFeedback *struct {
		BlockReason string `json:"blockReason"`
	} `json:"promptFeedback"`
	Usage        wire.Loose[usage] `json:"usageMetadata"`
	ModelVersion wire.Word         `json:"modelVersion"`
}

type candidate struct {
	Content      jsontext.Value `json:"content"`
	FinishReason *string        `json:"finishReason"`
}

type content struct {
	Role  wire.Word        `json:"role"`
	Parts []jsontext.Value `json:"parts"`
}

type part struct {
	Text         *string       `json:"text"`
	Thought      bool          `json:"thought"`
	FunctionCall *functionCall `json:"functionCall"`
}

type functionCall struct {
	ID   wire.Word      `json:"id"`
	Name string         `json:"name"`
	Args jsontext.Value `json:"args"`
}

// usage counts tokens: the prompt's holds the cached part ("still the total effective prompt size"), and what was
// thought is not in the candidates'.
type usage struct {
	Prompt     wire.Count `json:"promptTokenCount"`
	Cached     wire.Count `json:"cachedContentTokenCount"`
	Candidates wire.Count `json:"candidatesTokenCount"`
	Thoughts   wire.Count `json:"thoughtsTokenCount"`
}

func (u usage) record() record.Usage {
	out := wire.Count(0)
	if u.Candidates <= u.Candidates+u.Thoughts { // no overflow by a hostile count
		out = u.Candidates + u.Thoughts
	}
	return record.Usage{Prompt: u.Prompt.Ptr(), Output: out.Ptr(), Thinking: u.Thoughts.Ptr(), Cached: u.Cached.Ptr()}
}

// readReply makes a Reply of a 200, or the fault that it is in truth. turn is the number of messages before it.
func (m *Model) readReply(got *wire.Response, turn int) (model.Reply, *model.Fault) {
	broken := func(format string, args ...any) (model.Reply, *model.Fault) {
		return model.Reply{}, m.Broken(got, fmt.Sprintf(format, args...))
	}
	if enc := got.Header("Content-Encoding"); enc != "" && enc != "identity" {
		return broken("the server compressed its reply (%s), which was not asked for", model.OneLine(enc, 40))
	}
	if ct := got.Header("Content-Type"); !wire.IsJSON(ct) {
		return broken("a 200 with content type %s instead of JSON: is %s the address of a Gemini server?", model.OneLine(ct, 60), m.Base)
	}
	var r response
	// Broken UTF-8 (a character cut at the output limit) becomes U+FFFD in the answer; the raw bytes are in the exchange.
	if err := json.Unmarshal(got.ResponseBody, &r, jsontext.AllowInvalidUTF8(true)); err != nil {
		return broken("the reply is not one whole JSON value of the known form: %s", said(err))
	}
	if wire.IsSet(r.Error) {
		return model.Reply{}, m.errorInside(got, r.Error)
	}
	rep := model.Reply{
		Model: string(r.ModelVersion), Usage: r.Usage.V.record(), Exchange: got.Exchange,
		Timing: record.Timing{Started: got.Started, Total: got.Elapsed},
	}
	if len(r.Candidates) == 0 {
		if r.PromptFeedback == nil || r.PromptFeedback.BlockReason == "" || strings.HasSuffix(r.PromptFeedback.BlockReason, "_UNSPECIFIED") {
			return broken("the reply has no candidates and no blockReason")
		}
		rep.Finish, rep.FinishRaw = model.FinishFilter, "blockReason "+r.PromptFeedback.BlockReason
		return rep, nil
	}
	c := r.Candidates[0] // one is all that was asked for
	switch {
	case c == nil:
		return broken("the reply's candidate is null")
	case c.FinishReason == nil || *c.FinishReason == "":
		return broken("the reply has no finishReason, so that it may have been cut")
	case *c.FinishReason == missingSignature:
		return model.Reply{}, m.NewFault(model.FaultRejected, got, "the server did not accept the conversation: a thought's signature is missing ("+missingSignature+")")
	}
	if err := readContent(&rep, c.Content, turn); err != nil {
		return broken("the reply's content has not the known form: %s", said(err))
	}
	rep.FinishRaw, rep.Finish = *c.FinishReason, finishOf(*c.FinishReason, len(rep.Calls))
	return rep, nil
}

// lenient is how values inside a reply are read that was whole JSON but for broken characters.
var lenient = jsontext.AllowInvalidUTF8(true)

// readContent takes the model's turn apart: parts with thought:true are thinking, calls are calls, other text is the
// answer. No content and no parts are an empty turn: the server leaves them out where nothing was written.
func readContent(rep *model.Reply, raw jsontext.Value, turn int) error {
	if !wire.IsSet(raw) {
		return nil
	}
	var c content
	if err := json.Unmarshal(raw, &c, lenient); err != nil {
		return err
	}
	var answer, thinking strings.Builder
	for _, v := range c.Parts {
		var p part
		if err := json.Unmarshal(v, &p, lenient); err != nil {
			return err
		}
		switch {
		case p.FunctionCall != nil:
			call, err := p.FunctionCall.record()
			if err != nil {
				return err
			}
			if call.ID == "" {
				call.ID = fmt.Sprintf("%s%d-%d", nameless, turn, len(rep.Calls)+1)
			}
			rep.Calls = append(rep.Calls, call)
		case p.Text == nil:
			if kind := foreign(v); kind != "" {
				return fmt.Errorf("a part holds %q and no text", model.OneLine(kind, 40))
			}
		}
		switch {
		case p.Text == nil:
		case p.Thought:
			thinking.WriteString(*p.Text)
		default:
			answer.WriteString(*p.Text)
		}
	}
	rep.Answer, rep.Thinking = answer.String(), thinking.String()
	rep.Native = native(raw, c)
	splitTags(rep)
	return nil
}

// nameless begins the identity of a call to which the server gave none; it is ours, and never sent.
const nameless = "nameless-"

// signs are what a part may hold beside its data.
var signs = []string{"thought", "thoughtSignature", "partMetadata"}

// foreign names what a part without text holds that cannot be judged as text (an image, code of the server's own tools),
// "" where there is nothing.
func foreign(v jsontext.Value) string {
	var fields map[string]jsontext.Value
	if json.Unmarshal(v, &fields, lenient) != nil {
		return "something else"
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if !slices.Contains(signs, name) && wire.IsSet(fields[name]) {
			return name
		}
	}
	return ""
}

func (f *functionCall) record() (record.ToolCall, error) {
	if f.Name == "" {
		return record.ToolCall{}, fmt.Errorf("a call names no tool")
	}
	args := "{}" // a message without fields is left out on this wire
	if wire.IsSet(f.Args) {
		args = strings.ToValidUTF8(string(f.Args), "\ufffd")
	}
	return record.ToolCall{ID: string(f.ID), Name: f.Name, Arguments: args}, nil
}

// native is the turn as it must be handed back: the server's own bytes, with the role where they lack it. A turn without
// parts cannot be handed back at all.
func native(raw jsontext.Value, c content) []byte {
	switch {
	case len(c.Parts) == 0:
		return nil
	case c.Role == "model":
		return bytes.Clone(raw)
	}
	b := []byte(`{"role":"model","parts":[`)
	for i, p := range c.Parts {
		b = append(comma(b, i), p...)
	}
	return append(b, `]}`...)
}

// splitTags takes a think block off the answer's head that a server left in it, as those do that put this wire before an
// open model.
func splitTags(rep *model.Reply) {
	thinking, answer, unclosed := model.SplitThinking(rep.Answer)
	rep.Answer, rep.Unclosed = answer, unclosed
	switch {
	case thinking == "":
	case rep.Thinking == "":
		rep.Thinking = thinking
	default:
		rep.Thinking += "\n" + thinking
	}
}

// said is an error of reading in one line.
func said(err error) string { return model.OneLine(strings.TrimPrefix(err.Error(), "json: "), 160) }
