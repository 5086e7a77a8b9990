package ollama

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
)

const (
	// keepAlive holds the model between attempts, queues and pauses included, and gives its memory back after the last.
	keepAlive = "30m"
	// repeatPenalty is none at all. It is sent always, since servers before 0.32.10 would otherwise take 1.1.
	repeatPenalty = "1"
)

// appendRequest writes the body of a call: what the package comment says is always sent, and what the protocol asks for, in
// a fixed order, so that equal requests are equal bytes. Without think the wish about thinking is left out. What the wire
// cannot carry unchanged is an error.
func appendRequest(b []byte, name string, req model.Request, think bool) ([]byte, error) {
	if len(req.Messages) == 0 {
		return nil, errors.New("the request holds no message")
	}
	if b == nil {
		b = make([]byte, 0, sizeOf(req))
	}
	w := writer{b: b}
	w.raw(`{"model":`)
	w.quote(name, "the model's name")
	w.raw(`,"messages":[`)
	for i, msg := range req.Messages {
		if i > 0 {
			w.raw(`,`)
		}
		w.message(i, msg)
	}
	w.raw(`],"stream":false`)
	if think {
		w.think(req.Thinking)
	}
	if req.Schema != nil {
		w.raw(`,"format":`)
		w.object(req.Schema.JSON, "the schema "+strconv.Quote(req.Schema.Name))
	}
	if len(req.Tools) > 0 {
		w.raw(`,"tools":[`)
		for i, tool := range req.Tools {
			if i > 0 {
				w.raw(`,`)
			}
			w.tool(tool)
		}
		w.raw(`]`)
	}
	w.raw(`,"truncate":false,"shift":false,"keep_alive":"` + keepAlive + `","options":{`)
	if req.Context > 0 {
		w.raw(`"num_ctx":` + strconv.Itoa(req.Context) + `,`)
	}
	if req.MaxOutput > 0 {
		w.raw(`"num_predict":` + strconv.Itoa(req.MaxOutput) + `,`)
	}
	w.raw(`"repeat_penalty":` + repeatPenalty)
	w.number("temperature", req.Temperature)
	w.number("top_p", req.TopP)
	seed := int64(defaultSeed)
	if req.Seed != nil {
		seed = *req.Seed
	}
	w.raw(`,"seed":` + strconv.FormatInt(seed, 10))
	w.raw(`}}`)
	return w.b, w.err
}

// defaultSeed is sent where the protocol names none: left out, Ollama draws one anew for every call, and repeats at temperature 0
// would differ for one reason more.
const defaultSeed = 0

func sizeOf(req model.Request) int {
	size := 512
	for _, msg := range req.Messages {
		size += len(msg.Text) + len(msg.Text)/8 + len(msg.Thinking) + 64
	}
	for _, tool := range req.Tools {
		size += len(tool.Input) + len(tool.Description) + 128
	}
	if req.Schema != nil {
		size += len(req.Schema.JSON)
	}
	return size
}

// writer keeps the first error.
type writer struct {
	b   []byte
	err error
}

func (w *writer) raw(s string) { w.b = append(w.b, s...) }

func (w *writer) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

// quote writes a text, which JSON carries unchanged only when it is UTF-8.
func (w *writer) quote(s, what string) {
	b, err := jsontext.AppendQuote(w.b, s)
	if err != nil {
		w.fail(fmt.Errorf("%s is not UTF-8, so that it cannot be sent as it is", what))
		return
	}
	w.b = b
}

// object writes JSON as it was given, once it is known to be one object.
func (w *writer) object(v []byte, what string) {
	if value := jsontext.Value(v); !value.IsValid() || value.Kind() != '{' {
		w.fail(fmt.Errorf("%s is not one JSON object", what))
		return
	}
	w.b = append(w.b, v...)
}

func (w *writer) number(name string, v *float64) {
	if v == nil {
		return
	}
	if math.IsNaN(*v) || math.IsInf(*v, 0) {
		w.fail(fmt.Errorf("%s is not a finite number", name))
		return
	}
	w.raw(`,"` + name + `":`)
	w.b = strconv.AppendFloat(w.b, *v, 'g', -1, 64)
}

// message writes one turn. A failed tool has no mark of its own on this wire: its text is what says so.
func (w *writer) message(i int, msg model.Message) {
	what := fmt.Sprintf("message %d", i+1)
	w.raw(`{"role":`)
	w.quote(msg.Role, "the role of "+what)
	w.raw(`,"content":`)
	w.quote(msg.Text, what)
	if msg.Thinking != "" {
		w.raw(`,"thinking":`)
		w.quote(msg.Thinking, "the thinking of "+what)
	}
	if len(msg.Calls) > 0 {
		w.raw(`,"tool_calls":[`)
		for j, call := range msg.Calls {
			if j > 0 {
				w.raw(`,`)
			}
			w.call(call, what)
		}
		w.raw(`]`)
	}
	if msg.Tool != "" {
		w.raw(`,"tool_name":`)
		w.quote(msg.Tool, "the tool's name in "+what)
	}
	if msg.CallID != "" {
		w.raw(`,"tool_call_id":`)
		w.quote(msg.CallID, "the call's id in "+what)
	}
	w.raw(`}`)
}

// call writes a call of an earlier turn. Arguments are an object on this wire; no others can have come from it.
func (w *writer) call(call record.ToolCall, what string) {
	w.raw(`{`)
	if call.ID != "" {
		w.raw(`"id":`)
		w.quote(call.ID, "a call's id in "+what)
		w.raw(`,`)
	}
	w.raw(`"function":{"name":`)
	w.quote(call.Name, "a call's name in "+what)
	w.raw(`,"arguments":`)
	w.object([]byte(call.Arguments), fmt.Sprintf("%s: what the call of %q holds as its arguments", what, model.OneLine(call.Name, 64)))
	w.raw(`}}`)
}

func (w *writer) tool(tool model.Tool) {
	w.raw(`{"type":"function","function":{"name":`)
	w.quote(tool.Name, "a tool's name")
	if tool.Description != "" {
		w.raw(`,"description":`)
		w.quote(tool.Description, "the description of a tool")
	}
	w.raw(`,"parameters":`)
	w.object(tool.Input, fmt.Sprintf("the schema of the tool %q", model.OneLine(tool.Name, 64)))
	w.raw(`}}`)
}

// think writes what the posture says of thinking: off and on are booleans, everything else is a level, whose words the
// server knows best.
func (w *writer) think(t model.Thinking) {
	switch t {
	case model.ThinkingUnset:
	case model.ThinkingOff:
		w.raw(`,"think":false`)
	case model.ThinkingOn:
		w.raw(`,"think":true`)
	default:
		w.raw(`,"think":`)
		w.quote(string(t), "the effort")
	}
}
