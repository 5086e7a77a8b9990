package anthropic

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/wire"
	"github.com/assaybench/assay/record"
)

// message is what is read of a reply. What decides an outcome is read strictly; what only informs (usage, the model's
// name) never makes a reply unreadable.
type message struct {
	Type        wire.Word      `json:"type"`
	Error       jsontext.Value `json:"error"`
	Model       wire.Word      `json:"model"`
	Content     jsontext.Value `json:"content"`
	StopReason  *string        `json:"stop_reason"`
	StopDetails wire.Loose[struct {
		Category wire.Word `json:"category"`
	}] `json:"stop_details"`
	Usage wire.Loose[usage] `json:"usage"`
}

type block struct {
	Type     string         `json:"type"`
	Text     *string        `json:"text"`
	Thinking wire.Word      `json:"thinking"` // "" where it is omitted
	ID       string         `json:"id"`
	Name     string         `json:"name"`
	Input    jsontext.Value `json:"input"`
}

type usage struct {
	Input         wire.Count `json:"input_tokens"` // the part that no cache had to do with
	CacheRead     wire.Count `json:"cache_read_input_tokens"`
	CacheCreation wire.Count `json:"cache_creation_input_tokens"`
	Output        wire.Count `json:"output_tokens"`
	Details       wire.Loose[struct {
		Thinking wire.Count `json:"thinking_tokens"`
	}] `json:"output_tokens_details"`
}

// knownBlock reports whether readReply understands a content block of a type.
func knownBlock(kind string) bool {
	switch kind {
	case "text", "thinking", "redacted_thinking", "tool_use":
		return true
	}
	return false
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
	msg, blocks, err := readMessage(got.ResponseBody)
	switch {
	case err != nil:
		return broken("the reply is not one whole JSON value of the known form: %s", model.OneLine(strings.TrimPrefix(err.Error(), "json: "), 160))
	case msg.Type == "error" || wire.IsSet(msg.Error):
		return model.Reply{}, m.errorInside(got, msg.Error)
	case msg.Type != "message":
		return broken("the reply is no message (type %q): is %s the address of a server with the Messages API?", model.OneLine(string(msg.Type), 40), m.Base)
	case blocks == nil:
		return broken("the reply has no content")
	case msg.StopReason == nil || *msg.StopReason == "":
		return broken("the reply has no stop_reason, so that it may have been cut")
	}
	rep := model.Reply{
		Finish: finishOf(*msg.StopReason), FinishRaw: *msg.StopReason, Model: string(msg.Model), Usage: msg.Usage.V.record(), Exchange: got.Exchange,
		Timing: record.Timing{Started: got.Started, Total: got.Elapsed},
	}
	if c := msg.StopDetails.V.Category; c != "" {
		rep.FinishRaw += ": " + model.OneLine(string(c), 60)
	}
	var answer, thinking []string
	for _, b := range blocks {
		switch b.Type {
		case "text":
			if b.Text == nil {
				return broken("the reply has a text block without text")
			}
			answer = append(answer, *b.Text)
		case "thinking":
			if b.Thinking != "" {
				thinking = append(thinking, string(b.Thinking))
			}
		case "redacted_thinking": // encrypted; it is in Native
		case "tool_use":
			if b.ID == "" || b.Name == "" || len(b.Input) == 0 {
				return broken("the reply asks for a tool without saying which, under which id and with what")
			}
			rep.Calls = append(rep.Calls, record.ToolCall{ID: b.ID, Name: b.Name, Arguments: string(b.Input)})
		default:
			return broken("the reply has a block of type %q, which may be a part of the answer and is not known here", model.OneLine(b.Type, 40))
		}
	}
	if rep.Finish == model.FinishTool && len(rep.Calls) == 0 {
		return broken("the reply stopped for a tool and asks for none")
	}
	rep.Answer, rep.Thinking = strings.Join(answer, ""), strings.Join(thinking, "\n\n")
	if len(blocks) > 0 {
		rep.Native = msg.Content
	}
	return rep, nil
}

// readMessage reads the JSON. Broken UTF-8 (a character cut at the output limit) becomes U+FFFD; the raw bytes are in the
// exchange. A name that stands twice makes a reply unreadable but inside a call's arguments, which are raw text.
func readMessage(body []byte) (message, []block, error) {
	msg, blocks, err := decodeMessage(body, jsontext.AllowInvalidUTF8(true))
	if e, ok := errors.AsType[*jsontext.SyntacticError](err); ok && errors.Is(e, jsontext.ErrDuplicateName) && insideInput.MatchString(string(e.JSONPointer)) {
		return decodeMessage(body, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	}
	return msg, blocks, err
}

var insideInput = model.NewPattern(`^/content/\d+/input/`)

func decodeMessage(body []byte, opts ...json.Options) (msg message, blocks []block, err error) {
	if err := json.Unmarshal(body, &msg, opts...); err != nil {
		return msg, nil, err
	}
	if wire.IsSet(msg.Content) {
		blocks = []block{}
		err = json.Unmarshal(msg.Content, &blocks, opts...)
	}
	return msg, blocks, err
}

// finishOf maps the API's words. An unknown one is kept, pause_turn with them: it is no proof that the reply is whole.
func finishOf(raw string) model.Finish {
	switch raw {
	case "end_turn", "stop_sequence":
		return model.FinishStop
	case "model_context_window_exceeded":
		return model.FinishContext
	case "max_tokens":
		return model.FinishLength
	case "tool_use":
		return model.FinishTool
	case "refusal":
		return model.FinishRefusal
	}
	return model.Finish(raw)
}

// maxTokens bounds a count that can be true; sums of three stay far inside an int64.
const maxTokens = 1 << 50

// record gives the whole prompt: "Total input tokens in a request is the summation of input_tokens,
// cache_creation_input_tokens, and cache_read_input_tokens."
func (u usage) record() record.Usage {
	out := record.Usage{Output: u.Output.Ptr(), Thinking: u.Details.V.Thinking.Ptr(), Cached: u.CacheRead.Ptr()}
	if max(u.Input, u.CacheRead, u.CacheCreation) <= maxTokens {
		out.Prompt = (u.Input + u.CacheRead + u.CacheCreation).Ptr()
	}
	return out
}
