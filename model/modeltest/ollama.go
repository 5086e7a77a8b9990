package modeltest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/model"
)

const (
	ollamaHead   = `{"model":"mock-1","created_at":"2026-08-21T10:00:00.123456789Z",`
	ollamaGood   = ollamaHead + `"message":{"role":"assistant","content":"ok"},"done":true,"done_reason":"stop","total_duration":5000000,"load_duration":1000000,"prompt_eval_count":9,"prompt_eval_duration":1500000,"eval_count":1,"eval_duration":2000000}`
	ollamaStream = "application/x-ndjson"
)

func ollamaForm() *form {
	return &form{
		path: "/api/chat", good: ollamaGood, count: `"prompt_eval_count":`, streams: ollamaStream,
		isCall: func(r *http.Request) bool { return r.URL.Path == "/api/chat" && r.Method == http.MethodPost },
		read:   readOllama, encode: encodeOllama, answer: answerOllama, side: sideOllama, refuse: refuseOllama, key: bearer, faults: ollamaFaults,
		words: words{
			rejected:  `{"error":"option \"num_ctx\" must be of type integer"}`,
			denied:    `{"error":"unauthorized"}`,
			key:       "unauthorized",
			forbidden: `{"error":"this model requires a subscription, upgrade for access"}`,
			absent:    `{"error":"model 'x' not found"}`,
			path:      "404 page not found",
			busy:      `{"error":"you have reached your hourly usage limit"}`,
			broken:    `{"error":"llama runner process has terminated: exit status 2"}`,
			loading:   `{"error":"server busy, please try again.  maximum pending requests exceeded"}`,
			inside:    `{"error":"an error was encountered while running the model: CUDA error: an illegal memory access was encountered"}`,
		},
	}
}

func readOllama(_ *http.Request, body []byte) (a asked) {
	var req struct {
		Model    string `json:"model"`
		Stream   *bool  `json:"stream"`
		Messages []struct {
			Role    string `json:"role"`
			Content string `json:"content"`
			Calls   []struct {
				Function struct {
					Name      string         `json:"name"`
					Arguments jsontext.Value `json:"arguments"`
				} `json:"function"`
			} `json:"tool_calls"`
		} `json:"messages"`
		Tools []struct {
			Function struct {
				Name string `json:"name"`
			} `json:"function"`
		} `json:"tools"`
		Think     jsontext.Value            `json:"think"`
		Format    jsontext.Value            `json:"format"`
		Options   map[string]jsontext.Value `json:"options"`
		KeepAlive jsontext.Value            `json:"keep_alive"`
	}
	if err := json.Unmarshal(body, &req); err != nil {
		return asked{wrong: strings.TrimPrefix(err.Error(), "json: ")}
	}
	a = asked{model: req.Model, stream: req.Stream == nil || *req.Stream, empty: len(req.Messages) == 0}
	for _, m := range req.Messages {
		switch m.Role {
		case "user":
			a.user = m.Content
		case "tool":
			a.results = append(a.results, m.Content)
		}
		for _, c := range m.Calls {
			if c.Function.Arguments.Kind() != '{' {
				a.wrong = "json: cannot unmarshal string into Go struct field ChatRequest.messages.tool_calls.function.arguments of type api.ToolCallFunctionArguments"
			}
		}
	}
	for _, t := range req.Tools {
		a.tools = append(a.tools, t.Function.Name)
	}
	for name, n := range map[string]*int64{"num_ctx": &a.context, "num_predict": &a.output} {
		if v, ok := req.Options[name]; ok && json.Unmarshal(v, n) != nil {
			a.wrong = fmt.Sprintf("option %q must be of type integer", name)
		}
	}
	a.unload = string(req.KeepAlive) == "0"
	a.note(isThere(req.Options["temperature"]), "temperature")
	a.note(isThere(req.Options["top_p"]), "top_p")
	a.note(isThere(req.Options["seed"]), "seed")
	a.note(a.output > 0, "max_output")
	a.note(a.context > 0, "context")
	a.note(isThere(req.Think) && string(req.Think) != "false", "thinking")
	a.note(isThere(req.Format), "schema")
	a.note(len(a.tools) > 0, "tools")
	return a
}

// ollamaFinish maps what Ollama has no word for to an end without a final record.
var ollamaFinish = map[model.Finish]string{model.FinishTool: "stop", model.FinishFilter: "stop", model.FinishRefusal: "stop"}

// encodeOllama writes a reply as one object, which is also a stream of one record.
func encodeOllama(r MockReply, a asked) []byte {
	return ollamaRecord(r, r.word(ollamaFinish), a)
}

// ollamaRecord writes a whole record: end is "" for one that is not the last, and "aborted" for the last of a reply
// without a final record.
func ollamaRecord(r MockReply, end string, a asked) []byte {
	name := a.model
	if name == "" {
		name = "mock-1"
	}
	b := append(quote([]byte(`{"model":`), name), `,"created_at":"2026-08-21T10:00:00.123456789Z"`...)
	if r.Remote != "" {
		b = quote(append(quote(append(b, `,"remote_model":`...), name), `,"remote_host":`...), r.Remote)
	}
	b = quote(append(b, `,"message":{"role":"assistant","content":`...), r.Content+r.Refusal)
	if r.Thinking != "" {
		b = quote(append(b, `,"thinking":`...), r.Thinking)
	}
	for i, c := range r.Calls {
		b = list(b, i, len(r.Calls), `,"tool_calls":[`, func(b []byte) []byte {
			b = append(b, '{')
			if c.ID != "" {
				b = append(quote(append(b, `"id":`...), c.ID), ',')
			}
			b = quote(fmt.Appendf(b, `"function":{"index":%d,"name":`, i), c.Name)
			return append(append(append(b, `,"arguments":`...), argumentsOf(c)...), "}}"...)
		})
	}
	if end == "" || end == string(model.FinishAborted) {
		return append(b, `},"done":false}`...)
	}
	b = quote(append(b, `},"done":true,"done_reason":`...), end)
	const ms = 1_000_000
	load, prompt, output := 2*ms, 3*ms, 4*ms
	b = fmt.Appendf(b, `,"total_duration":%d,"load_duration":%d`, load+prompt+output+5*ms, load)
	if r.PromptTokens > 0 {
		b = fmt.Appendf(b, `,"prompt_eval_count":%d,"prompt_eval_duration":%d`, r.PromptTokens, prompt)
	}
	if r.OutputTokens > 0 {
		b = fmt.Appendf(b, `,"eval_count":%d,"eval_duration":%d`, r.OutputTokens, output)
	}
	return append(b, '}')
}

// answerOllama answers in one object, or in a stream as long as the reply has parts: thinking, text, calls, and the final
// record.
func answerOllama(c *call) {
	m, r, a := c.m, c.reply, c.asked
	m.load(a)
	if r.Remote == "" {
		r.Remote = m.opts.Server.Remote
	}
	if a.empty { // a request without messages loads the model or unloads it
		r = MockReply{Finish: "load"}
		if a.unload {
			r.Finish = "unload"
		}
	}
	if !a.stream {
		write(c.w, 200, encodeOllama(r, a))
		return
	}
	var records [][]byte
	part := func(p MockReply) {
		p.Remote = r.Remote
		records = append(records, ollamaRecord(p, "", a))
	}
	for s := range pieces(r.Thinking) {
		part(MockReply{Thinking: s})
	}
	for s := range pieces(r.Content + r.Refusal) {
		part(MockReply{Content: s})
	}
	if len(r.Calls) > 0 {
		part(MockReply{Calls: r.Calls})
	}
	if end := r.word(ollamaFinish); end != string(model.FinishAborted) {
		r.Content, r.Refusal, r.Thinking, r.Calls = "", "", "", nil
		records = append(records, ollamaRecord(r, end, a))
	}
	c.lines(records...)
}

// pieces cuts a text into three, between characters.
func pieces(s string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for n := 3; s != ""; n-- {
			cut := (len(s) + n - 1) / n
			for n > 1 && cut < len(s) && !utf8.RuneStart(s[cut]) {
				cut++
			}
			if n == 1 {
				cut = len(s)
			}
			if !yield(s[:cut]) {
				return
			}
			s = s[cut:]
		}
	}
}

// lines sends the records of a stream one by one.
func (c *call) lines(records ...[]byte) {
	c.w.Header().Set("Content-Type", ollamaStream)
	rc := http.NewResponseController(c.w)
	for _, r := range records {
		if _, err := c.w.Write(append(r, '\n')); err != nil || rc.Flush() != nil {
			return
		}
	}
}

// load notes what context the model is now loaded with, as a real server does: as asked, and never more than it was made
// for.
func (m *Mock) load(a asked) {
	n := min(or(a.context, 4096), or(m.opts.Server.Trained, defaultTrained))
	m.state.Lock()
	defer m.state.Unlock()
	if a.unload {
		delete(m.state.loaded, tagged(a.model))
		return
	}
	m.state.loaded[tagged(a.model)] = or(m.opts.Server.Loaded, n)
}

func or[T comparable](v, otherwise T) T {
	var zero T
	if v == zero {
		return otherwise
	}
	return v
}

func refuseOllama(c *call) (int, string) {
	switch a := c.asked; {
	case a.wrong != "":
		return 400, string(append(quote([]byte(`{"error":`), a.wrong), '}'))
	case a.model == "":
		return 400, `{"error":"model is required"}`
	case !c.m.knows(a.model):
		return 404, ollamaAbsent(a.model)
	}
	return 0, ""
}

func ollamaAbsent(name string) string {
	return string(append(quote([]byte(`{"error":`), "model '"+name+"' not found"), '}'))
}

// knows reports whether a model is among those that the mock has; without any, it has every one.
func (m *Mock) knows(name string) bool {
	return len(m.opts.Models) == 0 || slices.ContainsFunc(m.opts.Models, func(n string) bool { return tagged(n) == tagged(name) })
}

// tagged is a model's name with its tag, which is "latest" where none is given.
func tagged(name string) string {
	if strings.Contains(name, ":") {
		return name
	}
	return name + ":latest"
}
