package openai

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/wire"
)

// cut marks the parts of a body that decide how the prompt is rendered: what comes before head (the model and the
// messages) and what comes from tail on (tools, schema, thinking). Between them stands how the answer is sampled.
type cut struct{ head, tail int }

// appendRequest writes the body of a call: only what the protocol asks for and the server was not found to refuse, in a
// fixed order, so that equal requests are equal bytes. A text that JSON cannot carry unchanged is an error.
func (m *Model) appendRequest(b []byte, req model.Request) ([]byte, error) {
	b, _, err := m.compose(b, &req)
	return b, err
}

func (m *Model) compose(b []byte, req *model.Request) ([]byte, cut, error) {
	var at cut
	if err := Sendable(req); err != nil {
		return nil, at, err
	}
	s := m.Server()
	size := 256
	for i := range req.Messages {
		size += len(req.Messages[i].Text) + len(req.Messages[i].Text)/8 + 32
	}
	if b == nil {
		b = make([]byte, 0, size)
	}
	var err error
	b = append(b, `{"model":`...)
	if b, err = jsontext.AppendQuote(b, m.Spec.Name); err != nil {
		return nil, at, fmt.Errorf("the model's name is not UTF-8")
	}
	b = append(b, `,"messages":[`...)
	for i := range req.Messages {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = appendMessage(b, i, &req.Messages[i], s.thoughts); err != nil {
			return nil, at, err
		}
	}
	b = append(b, ']')
	at.head = len(b)
	if req.Temperature != nil && m.learned.Takes(req.Thinking, "temperature") {
		b = append(b, `,"temperature":`...)
		b = strconv.AppendFloat(b, *req.Temperature, 'g', -1, 64)
	}
	if req.TopP != nil && m.learned.Takes(req.Thinking, "top_p") {
		b = append(b, `,"top_p":`...)
		b = strconv.AppendFloat(b, *req.TopP, 'g', -1, 64)
	}
	if req.MaxOutput > 0 {
		if limit := m.limit(req.Thinking); limit != "" {
			b = append(append(append(b, `,"`...), limit...), `":`...)
			b = strconv.AppendInt(b, int64(req.MaxOutput), 10)
		}
	}
	if req.Seed != nil && m.learned.Takes(req.Thinking, "seed") {
		b = append(b, `,"seed":`...)
		b = strconv.AppendInt(b, *req.Seed, 10)
	}
	at.tail = len(b)
	if len(req.Tools) > 0 && m.learned.Takes(req.Thinking, "tools") {
		if b, err = appendTools(b, req.Tools, m.strictTools(req.Thinking)); err != nil {
			return nil, at, err
		}
	}
	if req.Schema != nil && m.learned.Takes(req.Thinking, "response_format") {
		b = append(b, `,"response_format":{"type":"json_schema","json_schema":{`...)
		if b, err = AppendSchema(b, req.Schema, m.learned.Takes(req.Thinking, "response_format"+Strict)); err != nil {
			return nil, at, err
		}
		b = append(b, "}}"...)
	}
	b, err = m.appendThinking(b, req.Thinking, s)
	return b, at, err
}

// limit is the field that the output limit goes into, "" where neither is taken.
func (m *Model) limit(t model.Thinking) string {
	fields := [2]string{"max_tokens", "max_completion_tokens"}
	if m.Official { // refuses max_tokens for its reasoning models, and both together for all
		fields[0], fields[1] = fields[1], fields[0]
	}
	for _, f := range fields {
		if m.learned.Takes(t, f) {
			return f
		}
	}
	return ""
}

func (m *Model) strictTools(t model.Thinking) bool {
	return m.Official && m.learned.Takes(t, "tools"+Strict)
}

// appendThinking writes the posture's wish and ends the body. Open servers hand chat_template_kwargs to the model's own
// template, which is what decides whether it thinks; OpenAI's server and Ollama's endpoint have no such switch, but an
// effort, which can be none.
func (m *Model) appendThinking(b []byte, t model.Thinking, s Server) ([]byte, error) {
	effort := ""
	switch {
	case t == model.ThinkingUnset:
	case t != model.ThinkingOff && t != model.ThinkingOn:
		effort = string(t)
	case s.Software == Official || s.Software == Ollama:
		if t == model.ThinkingOff {
			effort = "none"
		}
	case m.learned.Takes(t, "chat_template_kwargs"):
		b = append(b, `,"chat_template_kwargs":{"enable_thinking":`...)
		b = strconv.AppendBool(b, t == model.ThinkingOn)
		b = append(b, '}')
	}
	if effort != "" && m.learned.Takes(t, "reasoning_effort") {
		b = append(b, `,"reasoning_effort":`...)
		var err error
		if b, err = jsontext.AppendQuote(b, effort); err != nil {
			return nil, fmt.Errorf("the effort is not UTF-8")
		}
	}
	return append(b, '}'), nil
}

// appendMessage writes one turn. An assistant's thinking is handed back only in a turn that called tools and only where
// the server is known to take it: there the model goes on with what it thought.
func appendMessage(b []byte, i int, msg *model.Message, thoughts string) ([]byte, error) {
	var err error
	b = append(b, `{"role":`...)
	if b, err = jsontext.AppendQuote(b, msg.Role); err != nil {
		return nil, fmt.Errorf("the role of message %d is not UTF-8", i+1)
	}
	b = append(b, `,"content":`...)
	if b, err = jsontext.AppendQuote(b, msg.Text); err != nil {
		return nil, fmt.Errorf("message %d is not UTF-8, so that it cannot be sent as it is", i+1)
	}
	if len(msg.Calls) > 0 {
		if msg.Thinking != "" && thoughts != "" {
			b = append(append(append(b, `,"`...), thoughts...), `":`...)
			if b, err = jsontext.AppendQuote(b, msg.Thinking); err != nil {
				return nil, fmt.Errorf("the thinking of message %d is not UTF-8, so that it cannot be sent as it is", i+1)
			}
		}
		b = append(b, `,"tool_calls":[`...)
		for j, call := range msg.Calls {
			if j > 0 {
				b = append(b, ',')
			}
			b = append(b, `{"id":`...)
			for _, part := range []struct{ text, after string }{
				{call.ID, `,"type":"function","function":{"name":`}, {call.Name, `,"arguments":`}, {call.Arguments, `}}`}} {
				if b, err = jsontext.AppendQuote(b, part.text); err != nil {
					return nil, fmt.Errorf("call %d of message %d is not UTF-8, so that it cannot be sent as it is", j+1, i+1)
				}
				b = append(b, part.after...)
			}
		}
		b = append(b, ']')
	}
	if msg.Role == "tool" {
		b = append(b, `,"tool_call_id":`...)
		if b, err = jsontext.AppendQuote(b, msg.CallID); err != nil {
			return nil, fmt.Errorf("the call that message %d answers is not UTF-8", i+1)
		}
	}
	return append(b, '}'), nil
}

func appendTools(b []byte, tools []model.Tool, strict bool) ([]byte, error) {
	b = append(b, `,"tools":[`...)
	for i := range tools {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"type":"function","function":{`...)
		var err error
		if b, err = AppendTool(b, &tools[i], strict); err != nil {
			return nil, err
		}
		b = append(b, "}}"...)
	}
	return append(b, `],"tool_choice":"auto"`...), nil
}

// AppendSchema writes the fields of a schema, without the braces around them, as both of OpenAI's calls have them.
func AppendSchema(b []byte, s *model.Schema, strict bool) ([]byte, error) {
	b = append(b, `"name":`...)
	b, err := jsontext.AppendQuote(b, s.Name)
	if err != nil {
		return nil, errors.New("the schema's name is not UTF-8")
	}
	b = strconv.AppendBool(append(b, `,"strict":`...), strict)
	return append(append(b, `,"schema":`...), s.JSON...), nil
}

// AppendTool writes the fields of a function, without the braces around them.
func AppendTool(b []byte, t *model.Tool, strict bool) ([]byte, error) {
	b = append(b, `"name":`...)
	b, err := jsontext.AppendQuote(b, t.Name)
	if err != nil {
		return nil, errors.New("a tool's name is not UTF-8")
	}
	if t.Description != "" {
		if b, err = jsontext.AppendQuote(append(b, `,"description":`...), t.Description); err != nil {
			return nil, fmt.Errorf("the description of the tool %q is not UTF-8", t.Name)
		}
	}
	b = append(append(b, `,"parameters":`...), t.Input...)
	if strict {
		b = append(b, `,"strict":true`...)
	}
	return b, nil
}

// Sendable checks what would make a request that no server can read: numbers that JSON does not have, schemas that are
// not one JSON object, names that are none.
func Sendable(req *model.Request) error {
	if len(req.Messages) == 0 {
		return errors.New("the request holds no message")
	}
	if req.Temperature != nil && !wire.Finite(*req.Temperature) {
		return errors.New("temperature is not a finite number")
	}
	if req.TopP != nil && !wire.Finite(*req.TopP) {
		return errors.New("top_p is not a finite number")
	}
	if req.Schema != nil {
		if !isName(req.Schema.Name) {
			return fmt.Errorf("the schema's name %q is not 1 to 64 letters, digits, _ and -", model.OneLine(req.Schema.Name, 80))
		}
		if !wire.IsObject(req.Schema.JSON) {
			return fmt.Errorf("the schema %s is not one JSON object", req.Schema.Name)
		}
	}
	for i := range req.Tools {
		t := &req.Tools[i]
		if !isName(t.Name) {
			return fmt.Errorf("the tool's name %q is not 1 to 64 letters, digits, _ and -", model.OneLine(t.Name, 80))
		}
		if !wire.IsObject(t.Input) {
			return fmt.Errorf("the arguments' schema of the tool %s is not one JSON object", t.Name)
		}
	}
	return nil
}

func isName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c != '_' && c != '-' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return s != "" && len(s) <= 64
}
