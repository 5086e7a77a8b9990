package modeltest

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/model"
)

const (
	messageHead = `{"id":"msg_mock","type":"message","role":"assistant","model":"mock-1",`
	messageTail = `,"stop_sequence":null,"usage":{"input_tokens":9,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":1,"service_tier":"standard"}}`
	messageGood = messageHead + `"content":[{"type":"text","text":"ok"}],"stop_reason":"end_turn"` + messageTail
)

func anthropicForm() *form {
	return &form{
		path: "/v1/messages", good: messageGood, count: `"input_tokens":`, streams: "text/event-stream",
		isCall: func(r *http.Request) bool { return r.URL.Path == "/v1/messages" && r.Method == http.MethodPost },
		read:   readMessages, encode: encodeMessage, side: sideAnthropic, refuse: refuseMessages, faults: anthropicFaults,
		key: func(h http.Header) string { return h.Get("X-Api-Key") },
		words: words{
			rejected:  messageError("invalid_request_error", "max_tokens: 999999 > 64000, which is the maximum allowed number of output tokens for mock-1"),
			denied:    messageError("authentication_error", "invalid x-api-key"),
			key:       "invalid x-api-key",
			forbidden: messageError("permission_error", "Your API key does not have permission to use the specified resource."),
			absent:    messageError("not_found_error", "model: x"),
			path:      messageError("not_found_error", "Not Found"),
			busy:      messageError("rate_limit_error", "This request would exceed your organization's rate limit of 50 requests per minute."),
			broken:    messageError("api_error", "Internal server error"),
			loading:   messageError("overloaded_error", "Overloaded"),
			inside:    messageError("api_error", "Internal server error"),
		},
	}
}

func messageError(kind, message string) string {
	return fmt.Sprintf(`{"type":"error","error":{"type":%q,"message":%q},"request_id":"req_mock"}`, kind, message)
}

// contentBlock is what is read of a turn's content.
type contentBlock struct {
	Type      string         `json:"type"`
	Text      string         `json:"text"`
	Signature string         `json:"signature"`
	ID        string         `json:"id"`
	Input     jsontext.Value `json:"input"`
	ToolUseID string         `json:"tool_use_id"`
	Content   jsontext.Value `json:"content"`
}

func readMessages(_ *http.Request, body []byte) (a asked) {
	var req struct {
		Model    string `json:"model"`
		Max      int64  `json:"max_tokens"`
		Stream   bool   `json:"stream"`
		Messages []struct {
			Role    string         `json:"role"`
			Content jsontext.Value `json:"content"`
		} `json:"messages"`
		Tools []struct {
			Name string `json:"name"`
		} `json:"tools"`
		Temperature jsontext.Value `json:"temperature"`
		TopP        jsontext.Value `json:"top_p"`
		Thinking    *struct {
			Type string `json:"type"`
		} `json:"thinking"`
		Output *struct {
			Format jsontext.Value `json:"format"`
			Effort jsontext.Value `json:"effort"`
		} `json:"output_config"`
	}
	if err := json.Unmarshal(body, &req, jsontext.AllowDuplicateNames(true)); err != nil {
		return asked{wrong: "The request body is not valid JSON: " + strings.TrimPrefix(err.Error(), "json: ")}
	}
	a = asked{model: req.Model, stream: req.Stream, output: req.Max, empty: len(req.Messages) == 0}
	var open []string // calls that the next turn must answer
	for i, m := range req.Messages {
		var blocks []contentBlock
		if m.Content.Kind() == '[' && json.Unmarshal(m.Content, &blocks, jsontext.AllowDuplicateNames(true)) != nil {
			a.wrong = fmt.Sprintf("messages.%d.content: Input should be a valid list", i)
		}
		if m.Role == "user" {
			if text := textOf(m.Content); text != "" {
				a.user = text
			}
			a.results, open, a.wrong = readResults(a.results, open, a.wrong, blocks, i)
		}
		if len(open) > 0 && a.wrong == "" {
			a.wrong = fmt.Sprintf("messages.%d: `tool_use` ids were found without `tool_result` blocks immediately after: %s.", i-1, strings.Join(open, ", "))
		}
		open = nil
		for j, b := range blocks {
			switch {
			case m.Role == "assistant" && b.Type == "tool_use" && b.Input.Kind() != '{':
				a.wrong = fmt.Sprintf("messages.%d.content.%d.tool_use.input: Input should be a valid dictionary", i, j)
			case m.Role == "assistant" && b.Type == "tool_use":
				open = append(open, b.ID)
			case b.Type == "thinking" && b.Signature != Signature:
				a.wrong = fmt.Sprintf("messages.%d.content.%d: Invalid `signature` in `thinking` block", i, j)
			case b.Type == "text" && b.Text == "":
				a.wrong = "messages: text content blocks must be non-empty"
			}
		}
	}
	if a.output == 0 && a.wrong == "" {
		a.wrong = "max_tokens: Field required"
	}
	for _, t := range req.Tools {
		a.tools = append(a.tools, t.Name)
	}
	a.note(isThere(req.Temperature), "temperature")
	a.note(isThere(req.TopP), "top_p")
	a.note(a.output > 0, "max_output")
	a.note(req.Thinking != nil && req.Thinking.Type != "disabled" || req.Output != nil && isThere(req.Output.Effort), "thinking")
	a.note(req.Output != nil && isThere(req.Output.Format), "schema")
	a.note(len(a.tools) > 0, "tools")
	return a
}

// readResults takes the results of tools from a turn and holds them against the calls that it must answer.
func readResults(results, open []string, wrong string, blocks []contentBlock, i int) ([]string, []string, string) {
	for j, b := range blocks {
		if b.Type != "tool_result" {
			continue
		}
		if !slices.Contains(open, b.ToolUseID) {
			wrong = fmt.Sprintf("messages.%d.content.%d: unexpected `tool_use_id` found in `tool_result` blocks: %s. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.", i, j, b.ToolUseID)
		}
		open = slices.DeleteFunc(open, func(id string) bool { return id == b.ToolUseID })
		results = append(results, textOf(b.Content))
	}
	return results, open, wrong
}

func refuseMessages(c *call) (int, string) {
	switch a := c.asked; {
	case c.r.Header.Get("Anthropic-Version") == "":
		return 400, messageError("invalid_request_error", "anthropic-version: header is required")
	case a.wrong != "":
		return 400, messageError("invalid_request_error", a.wrong)
	case a.model == "":
		return 400, messageError("invalid_request_error", "model: Field required")
	case a.stream:
		return 400, messageError("invalid_request_error", "the mock does not stream on this wire")
	case !c.m.knows(a.model):
		return 404, messageError("not_found_error", "model: "+a.model)
	}
	return 0, ""
}

var messageFinish = map[model.Finish]string{model.FinishStop: "end_turn", model.FinishLength: "max_tokens", model.FinishTool: "tool_use", model.FinishFilter: "refusal"}

func encodeMessage(r MockReply, a asked) []byte {
	if r.Refusal != "" && r.Finish == "" {
		r.Finish = string(model.FinishRefusal)
	}
	b := append(quote([]byte(`{"id":"msg_mock","type":"message","role":"assistant","model":`), or(a.model, "mock-1")), `,"content":[`...)
	start := len(b)
	block := func(kind string) {
		if len(b) > start {
			b = append(b, ',')
		}
		b = append(append(append(b, `{"type":"`...), kind...), `","`...)
	}
	if r.Thinking != "" {
		block("thinking")
		b = append(quote(append(b, `thinking":`...), r.Thinking), `,"signature":"`+Signature+`"}`...)
	}
	if text := r.Content + r.Refusal; text != "" {
		block("text")
		b = append(quote(append(b, `text":`...), text), '}')
	}
	for i, c := range r.Calls {
		block("tool_use")
		b = quote(append(b, `id":`...), callID(c, "toolu_mock", i))
		b = quote(append(b, `,"name":`...), c.Name)
		b = append(append(append(b, `,"input":`...), argumentsOf(c)...), '}')
	}
	end := r.word(messageFinish)
	b = append(quote(append(b, `],"stop_reason":`...), end), `,"stop_sequence":null`...)
	if end == "refusal" {
		b = append(b, `,"stop_details":{"type":"refusal","category":"cyber","explanation":null}`...)
	}
	b = fmt.Appendf(b, `,"usage":{"input_tokens":%d,"cache_creation_input_tokens":0,"cache_read_input_tokens":%d,"output_tokens":%d,"service_tier":"standard"`,
		r.PromptTokens-r.CachedTokens, r.CachedTokens, r.OutputTokens)
	if r.ThinkingTokens > 0 {
		b = fmt.Appendf(b, `,"output_tokens_details":{"thinking_tokens":%d}`, r.ThinkingTokens)
	}
	return append(b, "}}"...)
}

// sideAnthropic answers the list of models, one of them, and the count of a prompt's tokens.
func sideAnthropic(m *Mock, w http.ResponseWriter, r *http.Request) bool {
	name, one := strings.CutPrefix(r.URL.Path, "/v1/models/")
	switch {
	case r.URL.Path == "/v1/models" && r.Method == http.MethodGet:
		names := m.plainNames()
		b := []byte(`{"data":[`)
		for i, n := range names {
			if i > 0 {
				b = append(b, ',')
			}
			b = m.claude(b, n)
		}
		b = quote(append(b, `],"has_more":false,"first_id":`...), names[0])
		write(w, 200, append(quote(append(b, `,"last_id":`...), names[len(names)-1]), '}'))
	case one && r.Method == http.MethodGet:
		if plain, err := url.PathUnescape(name); err == nil {
			name = plain
		}
		if !m.knows(name) {
			write(w, 404, []byte(messageError("not_found_error", "model: "+name)))
			return true
		}
		write(w, 200, m.claude(nil, name))
	case r.URL.Path == "/v1/messages/count_tokens" && r.Method == http.MethodPost:
		n, err := io.Copy(io.Discard, r.Body)
		if err != nil {
			return true
		}
		write(w, 200, fmt.Appendf(nil, `{"input_tokens":%d}`, 1+n/4))
	default:
		return false
	}
	return true
}

// plainNames are the models that the server lists.
func (m *Mock) plainNames() []string {
	if len(m.opts.Models) == 0 {
		return []string{"mock-1"}
	}
	return m.opts.Models
}

func (m *Mock) claude(b []byte, name string) []byte {
	b = quote(append(b, `{"type":"model","id":`...), name)
	return fmt.Appendf(b, `,"display_name":"Mock","created_at":"2026-08-01T00:00:00Z","max_input_tokens":%d,"max_tokens":64000}`, or(m.opts.Server.Trained, defaultTrained))
}
