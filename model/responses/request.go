package responses

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/openai"
)

// leastOutput is the smallest max_output_tokens that the server takes.
const leastOutput = 16

// appendRequest writes the body of a call: only what the protocol asks for and the server was not found to refuse, in a
// fixed order, so that equal requests are equal bytes. A text that JSON cannot carry unchanged is an error.
//
// System messages stay messages, where they stand: "instructions" would put them before all others.
func (m *Model) appendRequest(b []byte, req *model.Request) ([]byte, error) {
	if err := openai.Sendable(req); err != nil {
		return nil, err
	}
	if b == nil {
		size := 512
		for i := range req.Messages {
			size += len(req.Messages[i].Text) + len(req.Messages[i].Text)/8 + len(req.Messages[i].Native) + 32
		}
		b = make([]byte, 0, size)
	}
	w := writer{b: b}
	w.put(`{"model":`).quote(m.Spec.Name, "the model's name")
	w.put(`,"input":[`)
	for i := range req.Messages {
		if i > 0 {
			w.put(",")
		}
		w.message(i+1, &req.Messages[i])
	}
	w.put(`],"store":false,"truncation":"disabled"`)
	if m.learned.Takes(req.Thinking, "include") {
		w.put(`,"include":["reasoning.encrypted_content"]`)
	}
	if req.Temperature != nil && m.learned.Takes(req.Thinking, "temperature") {
		w.put(`,"temperature":`).b = strconv.AppendFloat(w.b, *req.Temperature, 'g', -1, 64)
	}
	if req.TopP != nil && m.learned.Takes(req.Thinking, "top_p") {
		w.put(`,"top_p":`).b = strconv.AppendFloat(w.b, *req.TopP, 'g', -1, 64)
	}
	if req.MaxOutput > 0 {
		w.put(`,"max_output_tokens":`).b = strconv.AppendInt(w.b, int64(max(req.MaxOutput, leastOutput)), 10)
	}
	if len(req.Tools) > 0 && m.learned.Takes(req.Thinking, "tools") {
		w.tools(req.Tools, m.Official && m.learned.Takes(req.Thinking, "tools"+openai.Strict))
	}
	if req.Schema != nil && m.learned.Takes(req.Thinking, "text.format") {
		w.put(`,"text":{"format":{"type":"json_schema",`)
		w.do(func(b []byte) ([]byte, error) {
			return openai.AppendSchema(b, req.Schema, m.learned.Takes(req.Thinking, "text.format"+openai.Strict))
		})
		w.put(`}}`)
	}
	m.reasoning(&w, req.Thinking)
	w.put("}")
	return w.b, w.err
}

// reasoning writes the posture's wish. A summary is asked for where a model is to think: it is the only sight of it. Only
// the official server makes any.
func (m *Model) reasoning(w *writer, t model.Thinking) {
	if t == model.ThinkingUnset || !m.learned.Takes(t, "reasoning") {
		return
	}
	effort := string(t)
	switch t {
	case model.ThinkingOff:
		effort = "none"
	case model.ThinkingOn:
		effort = ""
	}
	open := `,"reasoning":{`
	if effort != "" && m.learned.Takes(t, "reasoning.effort") {
		w.put(open).put(`"effort":`).quote(effort, "the effort")
		open = ","
	}
	if m.Official && effort != "none" && m.learned.Takes(t, "reasoning.summary") {
		w.put(open).put(`"summary":"auto"`)
		open = ","
	}
	if open == "," {
		w.put("}")
	}
}

// writer appends to a body and keeps the first error.
type writer struct {
	b   []byte
	err error
}

func (w *writer) put(s string) *writer {
	w.b = append(w.b, s...)
	return w
}

func (w *writer) do(f func([]byte) ([]byte, error)) {
	if w.err == nil {
		w.b, w.err = f(w.b)
	}
}

// quote writes a text; what names it in an error.
func (w *writer) quote(s, what string) *writer {
	w.do(func(b []byte) ([]byte, error) {
		b, err := jsontext.AppendQuote(b, s)
		if err != nil {
			return nil, fmt.Errorf("%s is not UTF-8, so that it cannot be sent as it is", what)
		}
		return b, nil
	})
	return w
}

// message writes one turn as the items that it is.
func (w *writer) message(n int, msg *model.Message) {
	switch {
	case msg.Role == "tool":
		w.put(`{"type":"function_call_output","call_id":`).quote(msg.CallID, fmt.Sprintf("the call that message %d answers", n))
		w.put(`,"output":`).quote(msg.Text, fmt.Sprintf("message %d", n))
		w.put("}")
		return
	case msg.Role == "assistant":
		if items, ok := native(msg.Native); ok {
			w.put(string(items))
			return
		}
	}
	if msg.Text != "" || len(msg.Calls) == 0 {
		w.put(`{"role":`).quote(msg.Role, fmt.Sprintf("the role of message %d", n))
		w.put(`,"content":`).quote(msg.Text, fmt.Sprintf("message %d", n))
		w.put("}")
	}
	for i, call := range msg.Calls {
		if i > 0 || msg.Text != "" {
			w.put(",")
		}
		what := fmt.Sprintf("call %d of message %d", i+1, n)
		w.put(`{"type":"function_call","call_id":`).quote(call.ID, what)
		w.put(`,"name":`).quote(call.Name, what)
		w.put(`,"arguments":`).quote(call.Arguments, what)
		w.put("}")
	}
}

func (w *writer) tools(tools []model.Tool, strict bool) {
	w.put(`,"tools":[`)
	for i := range tools {
		if i > 0 {
			w.put(",")
		}
		w.put(`{"type":"function",`)
		w.do(func(b []byte) ([]byte, error) { return openai.AppendTool(b, &tools[i], strict) })
		if !strict { // left out, it means true here
			w.put(`,"strict":false`)
		}
		w.put("}")
	}
	w.put(`],"tool_choice":"auto"`)
}

// A turn's own form is the output items as they came, inside an object that says whose they are.
const nativeHead, nativeTail = `{"responses_output":`, `}`

func nativeOf(output jsontext.Value) []byte {
	return append(append(append(make([]byte, 0, len(nativeHead)+len(output)+1), nativeHead...), output...), nativeTail...)
}

// native gives the items of a turn, without the brackets around them; false: the turn is another provider's, or has none.
func native(b []byte) ([]byte, bool) {
	b, ok := bytes.CutPrefix(b, []byte(nativeHead))
	if !ok {
		return nil, false
	}
	b, ok = bytes.CutSuffix(b, []byte(nativeTail))
	if !ok || jsontext.Value(b).Kind() != '[' || !jsontext.Value(b).IsValid() {
		return nil, false
	}
	b = bytes.Trim(b, " \t\r\n")
	b = bytes.Trim(b[1:len(b)-1], " \t\r\n")
	return b, len(b) > 0
}
