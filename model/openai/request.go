package openai

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/model"
)

// appendRequest writes the body of a call: only what the protocol asks for, in a fixed order, so that equal requests are
// equal bytes. A text that JSON cannot carry unchanged is an error.
func (m *Model) appendRequest(b []byte, req model.Request) ([]byte, error) {
	if len(req.Messages) == 0 {
		return nil, errors.New("the request holds no message")
	}
	size := 256
	for _, msg := range req.Messages {
		size += len(msg.Text) + len(msg.Text)/8 + 32
	}
	if b == nil {
		b = make([]byte, 0, size)
	}
	var err error
	b = append(b, `{"model":`...)
	if b, err = jsontext.AppendQuote(b, m.Spec.Name); err != nil {
		return nil, fmt.Errorf("the model's name is not UTF-8")
	}
	b = append(b, `,"messages":[`...)
	for i, msg := range req.Messages {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"role":`...)
		if b, err = jsontext.AppendQuote(b, msg.Role); err != nil {
			return nil, fmt.Errorf("the role of message %d is not UTF-8", i+1)
		}
		b = append(b, `,"content":`...)
		if b, err = jsontext.AppendQuote(b, msg.Text); err != nil {
			return nil, fmt.Errorf("message %d is not UTF-8, so that it cannot be sent as it is", i+1)
		}
		b = append(b, '}')
	}
	b = append(b, ']')
	for _, p := range []struct {
		name  string
		value *float64
	}{{"temperature", req.Temperature}, {"top_p", req.TopP}} {
		if p.value == nil {
			continue
		}
		if !finite(*p.value) {
			return nil, fmt.Errorf("%s is not a finite number", p.name)
		}
		b = append(append(append(b, `,"`...), p.name...), `":`...)
		b = strconv.AppendFloat(b, *p.value, 'g', -1, 64)
	}
	if req.MaxOutput > 0 {
		if m.Official { // refuses max_tokens for its reasoning models, and both together for all
			b = append(b, `,"max_completion_tokens":`...)
		} else {
			b = append(b, `,"max_tokens":`...)
		}
		b = strconv.AppendInt(b, int64(req.MaxOutput), 10)
	}
	if req.Seed != nil {
		b = append(b, `,"seed":`...)
		b = strconv.AppendInt(b, *req.Seed, 10)
	}
	return m.appendThinking(b, req.Thinking)
}

// appendThinking writes the posture's wish and ends the body. Open servers hand chat_template_kwargs to the model's own
// template, which is what decides whether it thinks; OpenAI's server has no such switch, and its models either think or
// do not, at the effort asked for.
func (m *Model) appendThinking(b []byte, t model.Thinking) ([]byte, error) {
	switch t {
	case model.ThinkingUnset:
	case model.ThinkingOff, model.ThinkingOn:
		if !m.Official {
			b = append(b, `,"chat_template_kwargs":{"enable_thinking":`...)
			b = strconv.AppendBool(b, t == model.ThinkingOn)
			b = append(b, '}')
		}
	default:
		b = append(b, `,"reasoning_effort":`...)
		var err error
		if b, err = jsontext.AppendQuote(b, string(t)); err != nil {
			return nil, fmt.Errorf("the effort is not UTF-8")
		}
	}
	return append(b, '}'), nil
}
