package anthropic

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/wire"
)

// appendRequest writes the body of a call: only what the protocol asks for and the server takes, in a fixed order, so
// that equal requests are equal bytes. What JSON or the protocol cannot carry unchanged is an error.
func (m *Model) appendRequest(b []byte, req model.Request, p plan) ([]byte, error) {
	if req.MaxOutput <= 0 {
		return nil, errors.New("the Messages API wants an output limit, and the posture has none: give it one (max_output)")
	}
	if b == nil {
		size := 512
		for _, msg := range req.Messages {
			size += len(msg.Text) + len(msg.Text)/8 + len(msg.Native) + 64
		}
		b = make([]byte, 0, size)
	}
	var err error
	b = append(b, `{"model":`...)
	if b, err = jsontext.AppendQuote(b, m.Spec.Name); err != nil {
		return nil, errors.New("the model's name is not UTF-8")
	}
	b = append(b, `,"max_tokens":`...)
	b = strconv.AppendInt(b, int64(req.MaxOutput), 10)
	if b, err = appendConversation(b, req.Messages); err != nil {
		return nil, err
	}
	for _, s := range []struct {
		name  string
		value *float64
	}{{"temperature", p.temperature}, {"top_p", p.topP}} {
		if s.value == nil {
			continue
		}
		if !wire.Finite(*s.value) {
			return nil, fmt.Errorf("%s is not a finite number", s.name)
		}
		b = append(append(append(b, `,"`...), s.name...), `":`...)
		b = strconv.AppendFloat(b, *s.value, 'g', -1, 64)
	}
	b = appendThinking(b, p)
	if b, err = appendOutput(b, req, p); err != nil {
		return nil, err
	}
	if b, err = appendTools(b, req.Tools, p.strict); err != nil {
		return nil, err
	}
	return append(b, '}'), nil
}

func appendThinking(b []byte, p plan) []byte {
	if p.thinking == "" {
		return b
	}
	b = append(append(append(b, `,"thinking":{"type":"`...), p.thinking...), '"')
	if p.thinking == partEnabled {
		b = append(b, `,"budget_tokens":`...)
		b = strconv.AppendInt(b, int64(p.budget), 10)
	}
	if p.display {
		b = append(b, `,"display":"summarized"`...)
	}
	return append(b, '}')
}

// appendOutput writes output_config, which holds effort and schema. The schema's name has no place on this wire.
func appendOutput(b []byte, req model.Request, p plan) ([]byte, error) {
	if p.effort == "" && !p.format {
		return b, nil
	}
	var err error
	b = append(b, `,"output_config":{`...)
	if p.effort != "" {
		b = append(b, `"effort":`...)
		if b, err = jsontext.AppendQuote(b, p.effort); err != nil {
			return nil, errors.New("the effort is not UTF-8")
		}
	}
	if p.format {
		if !isObject(req.Schema.JSON) {
			return nil, fmt.Errorf("the schema %q is not one JSON object", req.Schema.Name)
		}
		if p.effort != "" {
			b = append(b, ',')
		}
		b = append(append(append(b, `"format":{"type":"json_schema","schema":`...), req.Schema.JSON...), '}')
	}
	return append(b, '}'), nil
}

func appendTools(b []byte, tools []model.Tool, strict []bool) ([]byte, error) {
	if len(tools) == 0 {
		return b, nil
	}
	var err error
	b = append(b, `,"tools":[`...)
	for i, t := range tools {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"name":`...)
		if b, err = jsontext.AppendQuote(b, t.Name); err != nil {
			return nil, fmt.Errorf("the name of tool %d is not UTF-8", i+1)
		}
		if t.Description != "" {
			b = append(b, `,"description":`...)
			if b, err = jsontext.AppendQuote(b, t.Description); err != nil {
				return nil, fmt.Errorf("the description of the tool %q is not UTF-8", t.Name)
			}
		}
		if !isObject(t.Input) {
			return nil, fmt.Errorf("the input schema of the tool %q is not one JSON object", t.Name)
		}
		b = append(append(b, `,"input_schema":`...), t.Input...)
		if strict[i] {
			b = append(b, `,"strict":true`...)
		}
		b = append(b, '}')
	}
	return append(b, ']'), nil
}

// isObject reports whether a text is one JSON object, which may have duplicate names: they are for the reader to judge.
func isObject(v jsontext.Value) bool {
	return v.Kind() == '{' && v.IsValid(jsontext.AllowDuplicateNames(true))
}
