package gemini

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/wire"
	"github.com/assaybench/assay/record"
)

// appendRequest writes the body of a call: only what the protocol asks for and the model takes, in a fixed order, so that
// equal requests are equal bytes. What the wire cannot carry unchanged is an error.
func appendRequest(b []byte, req model.Request, p plan) ([]byte, error) {
	if b == nil {
		size := 512
		for _, msg := range req.Messages {
			size += len(msg.Text) + len(msg.Text)/8 + len(msg.Native) + 64
		}
		b = make([]byte, 0, size)
	}
	b = append(b, '{')
	messages := req.Messages
	system := 0
	for system < len(messages) && messages[system].Role == "system" {
		system++
	}
	if system == len(messages) {
		return nil, errors.New("the request holds no message but the system's")
	}
	var err error
	if system > 0 {
		b = append(b, `"systemInstruction":{"parts":[`...)
		for i, msg := range messages[:system] {
			b = comma(b, i)
			if b, err = appendText(b, msg.Text, i); err != nil {
				return nil, err
			}
		}
		b = append(b, `]},`...)
	}
	b = append(b, `"contents":[`...)
	if b, err = appendContents(b, messages, system); err != nil {
		return nil, err
	}
	b = append(b, ']')
	if p.tools {
		if b, err = appendTools(append(b, ','), req.Tools); err != nil {
			return nil, err
		}
	}
	if b, err = appendConfig(b, req, p); err != nil {
		return nil, err
	}
	return append(b, '}'), nil
}

func comma(b []byte, i int) []byte {
	if i > 0 {
		b = append(b, ',')
	}
	return b
}

// appendText writes one part of text; i is the message's index, for the error.
func appendText(b []byte, text string, i int) ([]byte, error) {
	b, err := jsontext.AppendQuote(append(b, `{"text":`...), text)
	if err != nil {
		return nil, fmt.Errorf("message %d is not UTF-8, so that it cannot be sent as it is", i+1)
	}
	return append(b, '}'), nil
}

// appendContents writes the turns from index first on. Results of tools that follow each other are one turn, since the
// server wants as many results in the turn after a model's as there were calls in it.
func appendContents(b []byte, messages []model.Message, first int) ([]byte, error) {
	var err error
	for i := first; i < len(messages); i++ {
		b = comma(b, i-first)
		switch msg := messages[i]; msg.Role {
		case "user":
			if b, err = appendText(append(b, `{"role":"user","parts":[`...), msg.Text, i); err != nil {
				return nil, err
			}
			b = append(b, `]}`...)
		case "assistant":
			if isNative(msg.Native) {
				b = append(b, msg.Native...) // signed: one byte changed, and the server refuses it
				continue
			}
			if b, err = appendTurn(b, msg, i); err != nil {
				return nil, err
			}
		case "tool":
			b = append(b, `{"role":"user","parts":[`...)
			for start := i; ; i++ {
				b = comma(b, i-start)
				if b, err = appendResult(b, messages, i); err != nil {
					return nil, err
				}
				if i+1 == len(messages) || messages[i+1].Role != "tool" {
					break
				}
			}
			b = append(b, `]}`...)
		case "system":
			return nil, fmt.Errorf("message %d is the system's, and this server takes such messages at the head only", i+1)
		default:
			return nil, fmt.Errorf("message %d has the role %q, which is none of system, user, assistant and tool", i+1, msg.Role)
		}
	}
	return b, nil
}

// isNative reports whether a turn's native form is one of this wire.
func isNative(native []byte) bool {
	if len(native) == 0 {
		return false
	}
	var c struct {
		Role  string           `json:"role"`
		Parts []jsontext.Value `json:"parts"`
	}
	return json.Unmarshal(native, &c) == nil && c.Role == "model" && len(c.Parts) > 0
}

// appendTurn writes an assistant's turn that no Gemini server wrote. Its thinking is left out, since the server takes
// back only what it signed.
func appendTurn(b []byte, msg model.Message, i int) ([]byte, error) {
	b = append(b, `{"role":"model","parts":[`...)
	n := 0
	var err error
	if msg.Text != "" || len(msg.Calls) == 0 {
		if b, err = appendText(b, msg.Text, i); err != nil {
			return nil, err
		}
		n++
	}
	for _, call := range msg.Calls {
		if b, err = appendCall(comma(b, n), call); err != nil {
			return nil, fmt.Errorf("message %d: %w", i+1, err)
		}
		n++
	}
	return append(b, `]}`...), nil
}

func appendCall(b []byte, call record.ToolCall) ([]byte, error) {
	b, err := appendNames(append(b, `{"functionCall":{`...), call.ID, call.Name)
	if err != nil {
		return nil, err
	}
	if args := strings.TrimSpace(call.Arguments); args != "" {
		if !wire.IsObject([]byte(args)) {
			return nil, fmt.Errorf("the arguments of the call to %q are not one JSON object, and this server takes nothing else", call.Name)
		}
		b = append(append(b, `,"args":`...), args...)
	}
	return append(b, `}}`...), nil
}

// appendResult writes what the tool of message i gave, as the documented keys "output" and "error".
func appendResult(b []byte, messages []model.Message, i int) ([]byte, error) {
	msg := messages[i]
	name := msg.Tool
	for j := i - 1; j >= 0 && name == ""; j-- {
		for _, call := range messages[j].Calls {
			if call.ID == msg.CallID {
				name = call.Name
			}
		}
	}
	if name == "" {
		return nil, fmt.Errorf("message %d is a tool's result without the tool's name, which this server wants", i+1)
	}
	b, err := appendNames(append(b, `{"functionResponse":{`...), msg.CallID, name)
	if err != nil {
		return nil, fmt.Errorf("message %d: %w", i+1, err)
	}
	key := `,"response":{"output":`
	if msg.Failed {
		key = `,"response":{"error":`
	}
	if b, err = jsontext.AppendQuote(append(b, key...), msg.Text); err != nil {
		return nil, fmt.Errorf("message %d is not UTF-8, so that it cannot be sent as it is", i+1)
	}
	return append(b, `}}}`...), nil
}

// appendNames writes the id, where the server gave one, and the name of a call.
func appendNames(b []byte, id, name string) ([]byte, error) {
	var err error
	if id != "" && !strings.HasPrefix(id, nameless) {
		if b, err = jsontext.AppendQuote(append(b, `"id":`...), id); err != nil {
			return nil, errors.New("the id of a call is not UTF-8")
		}
		b = append(b, ',')
	}
	if b, err = jsontext.AppendQuote(append(b, `"name":`...), name); err != nil {
		return nil, errors.New("the name of a tool is not UTF-8")
	}
	return b, nil
}

func appendTools(b []byte, tools []model.Tool) ([]byte, error) {
	b = append(b, `"tools":[{"functionDeclarations":[`...)
	for i, tool := range tools {
		var err error
		if b, err = jsontext.AppendQuote(append(comma(b, i), `{"name":`...), tool.Name); err != nil {
			return nil, errors.New("the name of a tool is not UTF-8")
		}
		if tool.Description != "" {
			if b, err = jsontext.AppendQuote(append(b, `,"description":`...), tool.Description); err != nil {
				return nil, fmt.Errorf("the description of the tool %q is not UTF-8", tool.Name)
			}
		}
		if len(tool.Input) > 0 {
			if !wire.IsObject(tool.Input) {
				return nil, fmt.Errorf("the input schema of the tool %q is not one JSON object", tool.Name)
			}
			b = append(append(b, `,"parametersJsonSchema":`...), bytes.TrimSpace(tool.Input)...)
		}
		b = append(b, '}')
	}
	return append(b, `]}]`...), nil
}

// appendConfig writes generationConfig, with a comma before it, or nothing where nothing is asked for.
func appendConfig(b []byte, req model.Request, p plan) ([]byte, error) {
	start := len(b)
	sep := `,"generationConfig":{`
	field := func(name string) {
		b = append(append(append(b, sep...), name...), ':')
		sep = `,`
	}
	for _, v := range []struct {
		name, field string
		value       *float64
		send        bool
	}{{"temperature", `"temperature"`, req.Temperature, p.temperature}, {"top_p", `"topP"`, req.TopP, p.topP}} {
		switch {
		case v.value != nil && !wire.Finite(*v.value):
			return nil, fmt.Errorf("%s is not a finite number", v.name)
		case v.send:
			field(v.field)
			b = strconv.AppendFloat(b, *v.value, 'g', -1, 64)
		}
	}
	if p.seed {
		field(`"seed"`)
		b = strconv.AppendInt(b, *req.Seed, 10)
	}
	if req.MaxOutput > 0 {
		field(`"maxOutputTokens"`)
		b = strconv.AppendInt(b, int64(req.MaxOutput), 10)
	}
	if p.schema != left {
		if !wire.IsObject(req.Schema.JSON) {
			return nil, fmt.Errorf("the schema %q is not one JSON object", req.Schema.Name)
		}
		schema := bytes.TrimSpace(req.Schema.JSON)
		switch p.schema {
		case 0:
			field(`"responseMimeType"`)
			b = append(b, `"application/json"`...)
			field(`"responseJsonSchema"`)
			b = append(b, schema...)
		default:
			field(`"responseFormat"`)
			b = append(b, `{"text":{"mimeType":"APPLICATION_JSON","schema":`...)
			b = append(append(b, schema...), `}}`...)
		}
	}
	if p.thinking != left {
		field(`"thinkingConfig"`)
		var err error
		if b, err = appendThinking(b, req.Thinking, p.thinking); err != nil {
			return nil, err
		}
	}
	if len(b) > start {
		b = append(b, '}')
	}
	return b, nil
}

// appendThinking writes a form of the posture's wish. Thoughts are asked for wherever thinking is wanted, so that the
// record shows them: without the word they are thought and not shown.
func appendThinking(b []byte, wish model.Thinking, form int) ([]byte, error) {
	switch {
	case wish == model.ThinkingOff:
		return append(b, `{"thinkingBudget":0}`...), nil
	case wish == model.ThinkingOn && form == 0: // -1: as much as the model sees fit; some think only when told so
		return append(b, `{"thinkingBudget":-1,"includeThoughts":true}`...), nil
	case wish == model.ThinkingOn:
		return append(b, `{"includeThoughts":true}`...), nil
	}
	if !utf8.ValidString(string(wish)) {
		return nil, errors.New("the effort is not UTF-8")
	}
	b, err := jsontext.AppendQuote(append(b, `{"thinkingLevel":`...), strings.ToUpper(string(wish)))
	if err != nil {
		return nil, err
	}
	return append(b, `,"includeThoughts":true}`...), nil
}
