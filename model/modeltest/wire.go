package modeltest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
)

// Wire is the protocol that a mock speaks.
type Wire int

// The wires. Mock.URL is the base address as the provider of that wire wants it.
const (
	WireChat      Wire = iota // OpenAI's chat completions, and what is compatible with them: base address …/v1
	WireOllama                // Ollama's own API: base address without a path
	WireAnthropic             // Anthropic's Messages: base address without a path
	WireGemini                // Gemini's generateContent: base address …/v1beta
	WireResponses             // OpenAI's Responses: base address …/v1
)

// Wires lists every wire.
func Wires() []Wire { return []Wire{WireChat, WireOllama, WireAnthropic, WireGemini, WireResponses} }

func (w Wire) String() string {
	if names := []string{"chat", "ollama", "anthropic", "gemini", "responses"}; w >= 0 && int(w) < len(names) {
		return names[w]
	}
	return fmt.Sprintf("Wire(%d)", int(w))
}

// MockServer is what a mock says of itself and of its models, on the wires where a server says such things. The zero
// value is a current server whose models can do everything.
type MockServer struct {
	Version      string   // Ollama: "0.32.15" when empty
	Digest       string   // Ollama: of every model, 64 hex digits; a fixed one when empty
	Capabilities []string // Ollama: completion, tools and thinking when nil
	Template     string   // Ollama: the model's template
	Parameters   string   // Ollama: the Modelfile's parameters, "name value" a line
	Remote       string   // Ollama: not "": the models are served from this other host
	Trained      int64    // tokens of context that the models were made for, 131,072 when 0
	Loaded       int64    // Ollama: tokens of context loaded, whatever was asked for; 0 is what was asked for, Trained at most
	InCPU        bool     // Ollama: only half of the loaded model is in the accelerator's memory
}

// form is what a mock must know of a wire.
type form struct {
	base    string                                   // of the base address: "/v1"
	path    string                                   // of a call
	isCall  func(r *http.Request) bool               // whether a request is a call; all others go to side
	read    func(r *http.Request, body []byte) asked // what a call asks for
	encode  func(r MockReply, a asked) []byte
	answer  func(c *call) // nil: encode, as one JSON body
	side    func(m *Mock, w http.ResponseWriter, r *http.Request) bool
	refuse  func(c *call) (status int, body string) // what the server refuses by itself; a status of 0 is nothing
	key     func(h http.Header) string              // the key that came with a request
	good    string                                  // a whole body that answers "ok"
	count   string                                  // what stands before the count of prompt tokens in it
	words   words
	streams string                     // content type of a streamed reply
	faults  func() map[Fault]behaviour // beside the common ones
}

// words are a wire's own error bodies for the usual statuses: 400, 401, 403, 404 for a model and for a path, 429, 500,
// 503, and inside a 200. What denied says of the key is key.
type words struct{ rejected, denied, key, forbidden, absent, path, busy, broken, loading, inside string }

// pathType is the content type of the answer for a path that is not there.
func (w words) pathType() string {
	switch {
	case strings.HasPrefix(w.path, "{"):
		return jsonType[0]
	case strings.HasPrefix(w.path, "<"):
		return "text/html; charset=UTF-8"
	}
	return "text/plain"
}

// asked is what a mock reads out of a call.
type asked struct {
	model    string
	user     string
	tools    []string
	results  []string
	settings []string
	stream   bool
	context  int64  // num_ctx, 0 where not sent
	output   int64  // output limit, 0 where not sent
	empty    bool   // no messages at all
	unload   bool   // keep_alive 0
	wrong    string // what the real server would not accept of the request, "" for nothing
}

var forms = sync.OnceValue(func() map[Wire]*form {
	return map[Wire]*form{WireChat: chatForm(), WireOllama: ollamaForm(), WireAnthropic: anthropicForm(), WireGemini: geminiForm(), WireResponses: responsesForm()}
})

// quote appends a JSON string. Broken UTF-8 becomes U+FFFD, as on real servers.
func quote(b []byte, s string) []byte {
	b, _ = jsontext.AppendQuote(b, s)
	return b
}

// note collects the names of the settings that a request holds.
func (a *asked) note(is bool, setting string) {
	if is && !slices.Contains(a.settings, setting) {
		a.settings = append(a.settings, setting)
	}
}

// word is a wire's word for how a reply ends.
func (r *MockReply) word(words map[model.Finish]string) string {
	end := r.Finish
	switch {
	case end == "" && len(r.Calls) > 0:
		end = string(model.FinishTool)
	case end == "":
		end = string(model.FinishStop)
	}
	if w, ok := words[model.Finish(end)]; ok {
		return w
	}
	return end
}

// list appends the i-th of n elements of a JSON array, with what comes before and after it.
func list(b []byte, i, n int, open string, element func([]byte) []byte) []byte {
	if i == 0 {
		b = append(b, open...)
	} else {
		b = append(b, ',')
	}
	b = element(b)
	if i == n-1 {
		b = append(b, ']')
	}
	return b
}

// isThere reports whether a value of a request is sent and not null.
func isThere(v jsontext.Value) bool { return len(v) > 0 && v.Kind() != 'n' }

// textOf reads a text that may come as a string or as a list of parts with texts.
func textOf(v jsontext.Value) string {
	var s string
	if json.Unmarshal(v, &s) == nil {
		return s
	}
	var parts []struct {
		Text string `json:"text"`
	}
	_ = json.Unmarshal(v, &parts) // what is neither holds no text
	for _, p := range parts {
		s += p.Text
	}
	return s
}

// callID gives a call the identity that every server of the wire gives, where the test has none.
func callID(c record.ToolCall, prefix string, i int) string {
	if c.ID != "" {
		return c.ID
	}
	return fmt.Sprintf("%s%d", prefix, i+1)
}

// argumentsOf are a call's arguments as the JSON object that some wires want. A test that gives them anything else is
// wrong, and finds out by a reply that cannot be read.
func argumentsOf(c record.ToolCall) string {
	if c.Arguments == "" {
		return "{}"
	}
	return c.Arguments
}
