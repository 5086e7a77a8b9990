package ollama

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/wire"
	"github.com/assaybench/assay/record"
)

// part is one record of a reply: the whole of it, or a piece of a stream. What decides an outcome is read strictly; what
// only informs (counts, durations, names) never makes a reply unreadable.
type part struct {
	Error   jsontext.Value `json:"error"`
	Done    *bool          `json:"done"`
	Reason  *string        `json:"done_reason"`
	Message *struct {
		Content  string     `json:"content"`
		Thinking string     `json:"thinking"`
		Calls    []toolCall `json:"tool_calls"`
	} `json:"message"`

	Model       wire.Word `json:"model"`
	RemoteModel wire.Word `json:"remote_model"`
	RemoteHost  wire.Word `json:"remote_host"`
	durations
	PromptTokens wire.Count `json:"prompt_eval_count"`
	OutputTokens wire.Count `json:"eval_count"`
}

type toolCall struct {
	ID       wire.Word `json:"id"`
	Function *struct {
		Name      *string        `json:"name"`
		Arguments jsontext.Value `json:"arguments"`
	} `json:"function"`
}

// whole is a reply put together, with its last record.
type whole struct {
	content, thinking strings.Builder
	calls             []record.ToolCall
	last              part
	parts             int
	remote            string
}

// readReply makes a Reply of a 200, or the fault that it is in truth.
func (m *Model) readReply(got *wire.Response, req model.Request, k knowledge) (model.Reply, *model.Fault) {
	broken := func(format string, args ...any) (model.Reply, *model.Fault) {
		return model.Reply{}, m.Broken(got, fmt.Sprintf(format, args...))
	}
	if enc := got.Header("Content-Encoding"); enc != "" && enc != "identity" {
		return broken("the server compressed its reply (%s), which was not asked for", model.OneLine(enc, 40))
	}
	stream := isStream(got.Header("Content-Type"))
	if ct := got.Header("Content-Type"); !stream && !wire.IsJSON(ct) {
		return broken("a 200 with content type %s instead of JSON: is %s the address of an Ollama server?", model.OneLine(ct, 60), m.Base)
	}
	var w whole
	failed, err := w.read(got.ResponseBody)
	switch {
	case failed != nil:
		return model.Reply{}, m.ErrorInside(got, failed)
	case err != nil:
		return broken("the reply is not JSON of the known form: %s", model.OneLine(strings.TrimPrefix(err.Error(), "json: "), 160))
	case w.parts == 0:
		return broken("the reply is empty")
	case !*w.last.Done && (stream || w.parts > 1):
		return broken("the reply ended without its final record")
	case *w.last.Done && (w.last.Reason == nil || *w.last.Reason == ""):
		return broken("the final record has no done_reason: the model's runner closed its connection, or the server is too old to say")
	case *w.last.Done && (*w.last.Reason == "load" || *w.last.Reason == "unload"):
		return broken("the server took the request for one without messages (done_reason %s)", *w.last.Reason)
	}
	return w.reply(got, req, k), nil
}

func isStream(contentType string) bool {
	t, _, _ := strings.Cut(contentType, ";")
	return strings.EqualFold(strings.TrimSpace(t), "application/x-ndjson")
}

// read takes the records of a body: one, or those of a stream. failed is the error that the server reported among them.
func (w *whole) read(body []byte) (failed jsontext.Value, err error) {
	// Broken UTF-8 (a character cut at the output limit) becomes U+FFFD in the answer; the raw bytes are in the exchange.
	d := jsontext.NewDecoder(bytes.NewReader(body), jsontext.AllowInvalidUTF8(true))
	for {
		var p part
		err := json.UnmarshalDecode(d, &p, jsontext.AllowInvalidUTF8(true))
		switch {
		case err == io.EOF:
			return nil, nil
		case err != nil:
			return nil, err
		case wire.IsSet(p.Error):
			return p.Error, nil
		case w.parts > 0 && *w.last.Done:
			return nil, fmt.Errorf("something follows the final record")
		case p.Done == nil:
			return nil, fmt.Errorf(`a record without "done"`)
		case p.Message == nil:
			return nil, fmt.Errorf(`a record without "message"`)
		}
		w.parts++
		w.last = p
		w.content.WriteString(p.Message.Content)
		w.thinking.WriteString(p.Message.Thinking)
		for _, c := range p.Message.Calls {
			if c.Function == nil || c.Function.Name == nil {
				return nil, fmt.Errorf("a tool call without the tool's name")
			}
			w.calls = append(w.calls, record.ToolCall{ID: string(c.ID), Name: *c.Function.Name, Arguments: arguments(c.Function.Arguments)})
		}
		if host, name := string(p.RemoteHost), string(p.RemoteModel); host != "" || name != "" {
			w.remote = strings.TrimSpace(host + " " + name)
		}
	}
}

// arguments are the bytes that the server sent. Servers that only resemble Ollama send them as a text; then they are what
// the text holds.
func arguments(v jsontext.Value) string {
	var s string
	if v.Kind() == '"' && json.Unmarshal(v, &s, jsontext.AllowInvalidUTF8(true)) == nil {
		return s
	}
	return string(v)
}

// reply makes the Reply of what was read.
func (w *whole) reply(got *wire.Response, req model.Request, k knowledge) model.Reply {
	rep := model.Reply{
		Answer: w.content.String(), Thinking: w.thinking.String(), Calls: w.calls, Model: string(w.last.Model), Remote: model.OneLine(w.remote, 200),
		Usage:    record.Usage{Prompt: w.last.PromptTokens.Ptr(), Output: w.last.OutputTokens.Ptr()},
		Timing:   w.last.record(got.Started, got.Elapsed),
		Exchange: got.Exchange,
	}
	if rep.Remote == "" {
		rep.Remote = k.remote
	}
	identify(rep.Calls, req)
	rep.Finish, rep.FinishRaw = w.finish()
	two := twoPasses(req, &rep)
	if thinking, answer, unclosed := model.SplitThinking(rep.Answer); thinking != "" || unclosed || len(answer) != len(rep.Answer) {
		if rep.Thinking != "" && thinking != "" {
			thinking = rep.Thinking + "\n" + thinking
		}
		if thinking != "" {
			rep.Thinking = thinking
		}
		rep.Answer, rep.Unclosed = answer, unclosed
	}
	if two {
		// The counts and durations are those of the second pass alone: the thinking is missing from the output and is counted
		// in the prompt, where it would seem to prove the prompt's delivery. They say nothing of the call and are left out.
		rep.Usage, rep.Timing.Queue, rep.Timing.Prompt, rep.Timing.Output = record.Usage{}, 0, 0, 0
	}
	rep.Prompt = model.Prompted{Partial: !k.countsWhole(rep.Remote), Loaded: k.loaded, Refuses: k.refuses(rep.Remote)}
	rep.Settings = settings(req, &rep, k, two)
	return rep
}

// identify gives calls an identity of their own where the server gives none (those before 0.12.10): their number in the
// conversation, so that equal conversations have equal ones.
func identify(calls []record.ToolCall, req model.Request) {
	n := 0
	for _, msg := range req.Messages {
		n += len(msg.Calls)
	}
	for i := range calls {
		if n++; calls[i].ID == "" {
			calls[i].ID = fmt.Sprintf("call_%d", n)
		}
	}
}

// finish maps the server's words. An unknown one is kept, and is no proof that the reply is whole.
func (w *whole) finish() (model.Finish, string) {
	if !*w.last.Done {
		return model.FinishAborted, "done:false" // the guard against repetition, which has no word
	}
	switch raw := *w.last.Reason; {
	case raw == "stop" && len(w.calls) > 0:
		return model.FinishTool, raw
	case raw == "stop":
		return model.FinishStop, raw
	case raw == "length":
		return model.FinishLength, raw
	default:
		return model.Finish(raw), raw
	}
}

// twoPasses reports whether the server made two requests of one: with a schema it lets the model think freely, cuts it off
// where the answer begins, and asks again with the thinking in the prompt and the answer constrained.
func twoPasses(req model.Request, rep *model.Reply) bool {
	return req.Schema != nil && rep.Thinking != "" && rep.Answer != ""
}
