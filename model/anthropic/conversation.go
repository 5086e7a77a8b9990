package anthropic

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/model"
)

// appendConversation writes the system text and the turns. Messages of one side that follow one another are one turn, as
// the API itself would join them, so that all results of one turn's calls stand together as it wants them.
func appendConversation(b []byte, messages []model.Message) ([]byte, error) {
	first := 0
	for first < len(messages) && messages[first].Role == "system" {
		first++
	}
	if first == len(messages) {
		return nil, errors.New("the request holds no message to answer")
	}
	b, err := appendSystem(b, messages[:first])
	if err != nil {
		return nil, err
	}
	b = append(b, `,"messages":[`...)
	for start := first; start < len(messages); {
		side, err := sideOf(messages[start], start)
		if err != nil {
			return nil, err
		}
		end := start + 1
		for end < len(messages) {
			next, err := sideOf(messages[end], end)
			if err != nil {
				return nil, err
			}
			if next != side {
				break
			}
			end++
		}
		if start > first {
			b = append(b, ',')
		}
		b = append(append(append(b, `{"role":"`...), side...), `","content":`...)
		if b, err = appendTurn(b, messages[start:end], start); err != nil {
			return nil, err
		}
		b = append(b, '}')
		start = end
	}
	return append(b, ']'), nil
}

func appendSystem(b []byte, messages []model.Message) ([]byte, error) {
	if len(messages) == 0 {
		return b, nil
	}
	b = append(b, `,"system":`...)
	if len(messages) == 1 {
		return appendText(b, messages[0].Text, 0)
	}
	b = append(b, '[')
	for i, msg := range messages {
		if i > 0 {
			b = append(b, ',')
		}
		var err error
		if b, err = appendTextBlock(b, msg.Text, i); err != nil {
			return nil, err
		}
	}
	return append(b, ']'), nil
}

// sideOf is the role that a message has on this wire; at counts messages from 0.
func sideOf(msg model.Message, at int) (string, error) {
	switch msg.Role {
	case "user", "tool":
		return "user", nil
	case "assistant":
		return "assistant", nil
	case "system":
		return "", fmt.Errorf("message %d is a system message after others, for which not every Claude model has a place: put it first", at+1)
	}
	return "", fmt.Errorf("message %d has the role %q, which the Messages API does not know", at+1, model.OneLine(msg.Role, 40))
}

// appendTurn writes the content of one turn: a plain text as such, everything else as blocks.
func appendTurn(b []byte, messages []model.Message, at int) ([]byte, error) {
	if msg := messages[0]; len(messages) == 1 && msg.Role != "tool" && (msg.Role == "user" || len(msg.Calls) == 0 && len(msg.Native) == 0 && msg.Text != "") {
		return appendText(b, msg.Text, at)
	}
	if len(messages) == 1 && messages[0].Role == "assistant" {
		blocks, dropped, err := nativeBlocks(messages[0].Native, at)
		if err != nil {
			return nil, err
		}
		if len(blocks) > 0 && !dropped {
			return append(b, messages[0].Native...), nil // byte for byte: thinking is signed
		}
	}
	b = append(b, '[')
	start := len(b)
	for i, msg := range messages {
		var err error
		switch msg.Role {
		case "user":
			b, err = appendTextBlock(separate(b, start), msg.Text, at+i)
		case "tool":
			b, err = appendResult(separate(b, start), msg, at+i)
		default:
			b, err = appendAnswer(b, start, msg, at+i)
		}
		if err != nil {
			return nil, err
		}
	}
	return append(b, ']'), nil
}

// separate puts a comma where something was already written since start.
func separate(b []byte, start int) []byte {
	if len(b) > start {
		return append(b, ',')
	}
	return b
}

// appendAnswer writes an assistant's turn: as this API wrote it where it did, otherwise text and calls. Thinking of
// another provider is left out, since only signed thinking is taken.
func appendAnswer(b []byte, start int, msg model.Message, at int) ([]byte, error) {
	blocks, _, err := nativeBlocks(msg.Native, at)
	if err != nil {
		return nil, err
	}
	if len(blocks) > 0 {
		for _, block := range blocks {
			b = append(separate(b, start), block...)
		}
		return b, nil
	}
	if msg.Text == "" && len(msg.Calls) == 0 {
		return nil, fmt.Errorf("message %d is an assistant's turn without text or calls, which the Messages API does not take", at+1)
	}
	if msg.Text != "" {
		if b, err = appendTextBlock(separate(b, start), msg.Text, at); err != nil {
			return nil, err
		}
	}
	for _, c := range msg.Calls {
		args := c.Arguments
		if args == "" { // a call without arguments, as some servers write it
			args = "{}"
		}
		if !isObject(jsontext.Value(args)) {
			return nil, fmt.Errorf("message %d: the arguments of the call to %q are not one JSON object, and the Messages API carries nothing else", at+1, model.OneLine(c.Name, 80))
		}
		b = append(separate(b, start), `{"type":"tool_use","id":`...)
		if b, err = appendText(b, c.ID, at); err != nil {
			return nil, err
		}
		b = append(b, `,"name":`...)
		if b, err = appendText(b, c.Name, at); err != nil {
			return nil, err
		}
		b = append(append(append(b, `,"input":`...), args...), '}')
	}
	return b, nil
}

func appendResult(b []byte, msg model.Message, at int) ([]byte, error) {
	if msg.CallID == "" {
		return nil, fmt.Errorf("message %d is a tool's result that does not say which call it answers", at+1)
	}
	b, err := appendText(append(b, `{"type":"tool_result","tool_use_id":`...), msg.CallID, at)
	if err != nil {
		return nil, err
	}
	if b, err = appendText(append(b, `,"content":`...), msg.Text, at); err != nil {
		return nil, err
	}
	if msg.Failed {
		b = append(b, `,"is_error":true`...)
	}
	return append(b, '}'), nil
}

func appendTextBlock(b []byte, text string, at int) ([]byte, error) {
	b, err := appendText(append(b, `{"type":"text","text":`...), text, at)
	if err != nil {
		return nil, err
	}
	return append(b, '}'), nil
}

func appendText(b []byte, text string, at int) ([]byte, error) {
	b, err := jsontext.AppendQuote(b, text)
	if err != nil {
		return nil, fmt.Errorf("message %d is not UTF-8, so that it cannot be sent as it is", at+1)
	}
	return b, nil
}

// nativeBlocks are the blocks of a turn that this API wrote, less empty texts, which it writes now and then and does not
// take back (dropped says whether there were any). A turn of another provider has none: Native does not say whose it is,
// so it counts only if it is a list of blocks of the types that readReply knows.
func nativeBlocks(native []byte, at int) (blocks []jsontext.Value, dropped bool, err error) {
	opts := json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	var all []jsontext.Value
	if len(native) == 0 || json.Unmarshal(native, &all, opts) != nil {
		return nil, false, nil
	}
	for _, v := range all {
		var head struct {
			Type string `json:"type"`
			Text string `json:"text"`
		}
		if json.Unmarshal(v, &head, opts) != nil || !knownBlock(head.Type) {
			return nil, false, nil
		}
		if head.Type == "text" && head.Text == "" {
			dropped = true
			continue
		}
		blocks = append(blocks, v)
	}
	if len(blocks) > 0 && !utf8.Valid(native) {
		return nil, false, fmt.Errorf("message %d was not UTF-8 when it was received, so that it cannot be handed back as it was", at+1)
	}
	return blocks, dropped, nil
}
