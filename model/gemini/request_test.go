package gemini

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
)

func itoa(n int) string { return strconv.Itoa(n) }

func quoted(s string) string {
	b, _ := jsontext.AppendQuote(nil, s)
	return string(b)
}

func ptr[T any](v T) *T { return &v }

var (
	weather = model.Tool{Name: "get_weather", Description: "The weather.", Input: []byte(`{"type":"object","properties":{"city":{"type":"string"}}}`)}
	pair    = &model.Schema{Name: "pair", JSON: []byte(` {"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]} `)}
)

// TestRequestBytes checks bodies byte for byte: what the protocol asks for is sent, and nothing else.
func TestRequestBytes(t *testing.T) {
	one := []model.Message{{Role: "system", Text: "be brief"}, {Role: "user", Text: "a \"b\"\r\n\x00\u2028<&>é"}}
	const head = `{"systemInstruction":{"parts":[{"text":"be brief"}]},"contents":[{"role":"user","parts":[{"text":"a \"b\"\r\n\u0000` + "\u2028" + `<&>é"}]}]`
	for name, c := range map[string]struct {
		req  model.Request
		want string
	}{
		"bare":     {want: head + `}`},
		"protocol": {req: model.Request{Temperature: ptr(0.0), TopP: ptr(1.0), MaxOutput: 1536, Context: 32768}, want: head + `,"generationConfig":{"temperature":0,"topP":1,"maxOutputTokens":1536}}`},
		"seed":     {req: model.Request{Temperature: ptr(0.7), Seed: ptr(int64(0))}, want: head + `,"generationConfig":{"temperature":0.7,"seed":0}}`},
		"off":      {req: model.Request{Thinking: model.ThinkingOff}, want: head + `,"generationConfig":{"thinkingConfig":{"thinkingBudget":0}}}`},
		"on":       {req: model.Request{Thinking: model.ThinkingOn}, want: head + `,"generationConfig":{"thinkingConfig":{"thinkingBudget":-1,"includeThoughts":true}}}`},
		"effort":   {req: model.Request{Thinking: "low"}, want: head + `,"generationConfig":{"thinkingConfig":{"thinkingLevel":"LOW","includeThoughts":true}}}`},
		"schema": {req: model.Request{Schema: pair, MaxOutput: 5},
			want: head + `,"generationConfig":{"maxOutputTokens":5,"responseMimeType":"application/json","responseJsonSchema":{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}}}`},
		"tools": {req: model.Request{Tools: []model.Tool{weather, {Name: "now"}}},
			want: head + `,"tools":[{"functionDeclarations":[{"name":"get_weather","description":"The weather.","parametersJsonSchema":{"type":"object","properties":{"city":{"type":"string"}}}},{"name":"now"}]}]}`},
	} {
		m := &Model{}
		c.req.Messages = one
		got, err := appendRequest(nil, c.req, m.plan(c.req))
		if err != nil || string(got) != c.want {
			t.Errorf("%s:\n got %s\nwant %s (%v)", name, got, c.want, err)
		}
		var v any
		if err := json.Unmarshal(got, &v); err != nil {
			t.Errorf("%s: not JSON: %v", name, err)
		}
	}
}

// TestConversationBytes checks turns: a native one goes back as it came, one of another provider is written anew, and
// results that follow each other are one turn.
func TestConversationBytes(t *testing.T) {
	const signed = `{ "parts":[{"functionCall":{"name":"f","args":{"a" : 1.50}},"thoughtSignature":"c2ln"}],"role":"model" }`
	for name, c := range map[string]struct {
		turns []model.Message
		want  string
	}{
		"native": {[]model.Message{{Role: "assistant", Text: "other", Native: []byte(signed)}, {Role: "tool", Tool: "f", CallID: "nameless-1-1", Text: "r"}},
			signed + `,{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"r"}}}]}`},
		"foreign native": {[]model.Message{{Role: "assistant", Text: "hi", Thinking: "t", Native: []byte(`[{"type":"text","text":"hi"}]`)}, {Role: "user", Text: "on"}},
			`{"role":"model","parts":[{"text":"hi"}]},{"role":"user","parts":[{"text":"on"}]}`},
		"written anew": {[]model.Message{{Role: "assistant", Text: "let me see", Calls: []record.ToolCall{{ID: "c1", Name: "f", Arguments: ` {"a":1} `}, {ID: "nameless-1-2", Name: "g", Arguments: ""}}},
			{Role: "tool", CallID: "c1", Text: "one"}, {Role: "tool", Tool: "g", CallID: "nameless-1-2", Text: "no \"luck\"", Failed: true}, {Role: "user", Text: "on"}},
			`{"role":"model","parts":[{"text":"let me see"},{"functionCall":{"id":"c1","name":"f","args":{"a":1}}},{"functionCall":{"name":"g"}}]},` +
				`{"role":"user","parts":[{"functionResponse":{"id":"c1","name":"f","response":{"output":"one"}}},{"functionResponse":{"name":"g","response":{"error":"no \"luck\""}}}]},` +
				`{"role":"user","parts":[{"text":"on"}]}`},
		"empty turn": {[]model.Message{{Role: "assistant"}, {Role: "user", Text: "on"}}, `{"role":"model","parts":[{"text":""}]},{"role":"user","parts":[{"text":"on"}]}`},
	} {
		req := user("x")
		req.Messages = append(req.Messages, c.turns...)
		got, err := appendRequest(nil, req, (&Model{}).plan(req))
		if want := `{"contents":[{"role":"user","parts":[{"text":"x"}]},` + c.want + `]}`; err != nil || string(got) != want {
			t.Errorf("%s:\n got %s\nwant %s (%v)", name, got, want, err)
		}
		if !jsontext.Value(got).IsValid() {
			t.Errorf("%s: not JSON", name)
		}
	}
}

func TestRequestsThatCannotBeSent(t *testing.T) {
	s := serve(t, reply{status: 200, body: good(`{"text":"ok"}`)})
	m := at(t, s.URL)
	with := func(change func(*model.Request)) model.Request {
		r := user("x")
		change(&r)
		return r
	}
	for want, req := range map[string]model.Request{
		"no message but the system's":     {Messages: []model.Message{{Role: "system", Text: "x"}}},
		"message 1 is not UTF-8":          user("caf\xe9"),
		"message 2 is the system's":       with(func(r *model.Request) { r.Messages = append(r.Messages, model.Message{Role: "system"}) }),
		`message 2 has the role "robot"`:  with(func(r *model.Request) { r.Messages = append(r.Messages, model.Message{Role: "robot"}) }),
		"result without the tool's name":  with(func(r *model.Request) { r.Messages = append(r.Messages, model.Message{Role: "tool", CallID: "c9"}) }),
		"temperature is not a finite":     with(func(r *model.Request) { r.Temperature = ptr(math.NaN()) }),
		"top_p is not a finite":           with(func(r *model.Request) { r.TopP = ptr(math.Inf(1)) }),
		`schema "s" is not one JSON`:      with(func(r *model.Request) { r.Schema = &model.Schema{Name: "s", JSON: []byte(`[1]`)} }),
		`input schema of the tool "f" is`: with(func(r *model.Request) { r.Tools = []model.Tool{{Name: "f", Input: []byte(`{} {}`)}} }),
		"the name of a tool is not UTF-8": with(func(r *model.Request) { r.Tools = []model.Tool{{Name: "\xff"}} }),
		`description of the tool "f" is`:  with(func(r *model.Request) { r.Tools = []model.Tool{{Name: "f", Description: "\xff"}} }),
		"message 2: the id of a call is not": with(func(r *model.Request) {
			r.Messages = append(r.Messages, model.Message{Role: "tool", CallID: "\xff", Tool: "f"})
		}),
		"message 2: the name of a tool is not": with(func(r *model.Request) {
			r.Messages = append(r.Messages, model.Message{Role: "assistant", Calls: []record.ToolCall{{Name: "\xff"}}})
		}),
		"message 3 is not UTF-8": with(func(r *model.Request) {
			r.Messages = append(r.Messages, model.Message{Role: "assistant", Text: "a"}, model.Message{Role: "tool", Tool: "f", Text: "\xff"})
		}),
		"the effort is not UTF-8": with(func(r *model.Request) { r.Thinking = "\xff" }),
		`arguments of the call to "f" are not one JSON object`: with(func(r *model.Request) {
			r.Messages = append(r.Messages, model.Message{Role: "assistant", Calls: []record.ToolCall{{Name: "f", Arguments: `{"a":`}}})
		}),
	} {
		_, err := m.Call(t.Context(), req)
		if err == nil {
			t.Errorf("%q was sent", want)
			continue
		}
		if f := model.AsFault(err); f.Kind != model.FaultOurs || !strings.Contains(f.Msg, want) || !strings.HasSuffix(f.Exchange.Endpoint, ":generateContent") {
			t.Errorf("%v; want %q", err, want)
		}
		if _, err := m.Prepare(t.Context(), req); err == nil || model.AsFault(err).Kind != model.FaultOurs {
			t.Errorf("Prepare: %v; want %q", err, want)
		}
	}
	for _, r := range s.requests() {
		if r.method != "GET" {
			t.Errorf("%s %s was sent", r.method, r.uri)
		}
	}
}

func TestNew(t *testing.T) {
	const key, other, address = "GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GEMINI_BASE_URL"
	for _, c := range []struct {
		name, url string
		env       []string
		want      string // in the error, or the address of a call
		ok        bool
	}{
		{"x", "", nil, "GEMINI_API_KEY or GOOGLE_API_KEY is not set", false},
		{"x", "", []string{key, testKey}, "https://generativelanguage.googleapis.com/v1beta/models/x", true},
		{"models/x", "", []string{other, testKey}, "https://generativelanguage.googleapis.com/v1beta/models/x", true},
		{"tunedModels/x-1", "", []string{key, testKey}, "https://generativelanguage.googleapis.com/v1beta/tunedModels/x-1", true},
		{"a b?c#d", "http://127.0.0.1:1", nil, "http://127.0.0.1:1/v1beta/models/a%20b%3Fc%23d", true},
		{"x", "http://127.0.0.1:1/v1beta", nil, "http://127.0.0.1:1/v1beta/models/x", true},
		{"x", "http://127.0.0.1:1/v1beta/models/", nil, "http://127.0.0.1:1/v1beta/models/x", true},
		{"x", "http://127.0.0.1:1/v1alpha", nil, "http://127.0.0.1:1/v1alpha/models/x", true},
		{"x", "https://host.example/v1/acc/google-ai-studio", nil, "https://host.example/v1/acc/google-ai-studio/v1beta/models/x", true},
		{"x", "https://aiplatform.googleapis.com/v1/publishers/google", []string{key, testKey}, "https://aiplatform.googleapis.com/v1/publishers/google/models/x", true},
		{"x", "", []string{address, "http://127.0.0.1:1/"}, "http://127.0.0.1:1/v1beta/models/x", true},
		{"x", "http://127.0.0.1:2", []string{address, "http://127.0.0.1:1/"}, "http://127.0.0.1:2/v1beta/models/x", true},
		{"x", "", []string{address, "http://far.example", key, testKey}, "unencrypted to far.example", false},
		{"x", "", []string{address, "https://u:hunter2hunter2@far.example"}, "GOOGLE_GEMINI_BASE_URL: the server's address holds a user", false},
		{"../../x", "http://127.0.0.1:1", nil, "no dots alone", false},
		{"models//x", "http://127.0.0.1:1", nil, "no empty part", false},
	} {
		m, err := New(Options{Spec: model.Spec{Raw: "gemini/" + c.name, Name: c.name, URL: c.url}, Getenv: env(c.env...)})
		switch {
		case c.ok && (err != nil || m.Base+"/"+m.path != c.want):
			t.Errorf("%s at %s: %+v, %v; want %s", c.name, c.url, m, err, c.want)
		case !c.ok && (err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), testKey) || strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), "\n")):
			t.Errorf("%s at %s: %v; want %q", c.name, c.url, err, c.want)
		}
	}
}
