package gemini

import (
	"reflect"
	"strings"
	"testing"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/modeltest"
	"github.com/assaybench/assay/record"
)

// TestTranscript is one call as the published schema has it, both ways, byte for byte.
func TestTranscript(t *testing.T) {
	s := serve(t, reply{status: 200, header: map[string]string{"Server": "scaffolding on HTTPServer2", "X-Gemini-Service-Tier": "standard"}, body: `{
  "candidates": [
    {
      "content": {
        "parts": [
          {"text": "Weighing the oranges.", "thought": true},
          {"text": "ANSWER: 12", "thoughtSignature": "El4KXAERTTIPPQqmWDQJ"}
        ],
        "role": "model"
      },
      "finishReason": "STOP",
      "index": 0
    }
  ],
  "usageMetadata": {
    "promptTokenCount": 29, "candidatesTokenCount": 5, "totalTokenCount": 118, "cachedContentTokenCount": 16, "thoughtsTokenCount": 84,
    "promptTokensDetails": [{"modality": "TEXT", "tokenCount": 29}], "serviceTier": "standard"
  },
  "modelVersion": "gemini-3.1-pro-preview",
  "responseId": "A9aPatCfJsysjrEPrMTAwQg"
}`})
	m := at(t, s.URL)
	req := model.Request{Messages: []model.Message{{Role: "system", Text: "Be brief."}, {Role: "user", Text: "How many oranges?"}},
		Temperature: ptr(0.0), TopP: ptr(0.95), Seed: ptr(int64(42)), MaxOutput: 1536, Context: 8192, Thinking: "high"}
	rep, err := m.Call(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	got := s.requests()
	const body = `{"systemInstruction":{"parts":[{"text":"Be brief."}]},"contents":[{"role":"user","parts":[{"text":"How many oranges?"}]}],` +
		`"generationConfig":{"temperature":0,"topP":0.95,"seed":42,"maxOutputTokens":1536,"thinkingConfig":{"thinkingLevel":"HIGH","includeThoughts":true}}}`
	if len(got) != 1 || got[0].method != "POST" || got[0].uri != "/v1beta/models/mock-1:generateContent" || got[0].key != testKey || got[0].body != body {
		t.Errorf("sent %+v\nwant %s", got, body)
	}
	if h := got[0].header; h.Get("Content-Type") != "application/json" || h.Get("Accept") != "application/json" || h.Get("Authorization") != "" || h.Get("Accept-Encoding") != "" {
		t.Errorf("header %v", h)
	}
	x := rep.Exchange
	if x.Endpoint != "POST "+s.URL+"/v1beta/models/mock-1:generateContent" || string(x.RequestBody) != body || x.RequestHeader["X-Goog-Api-Key"] != nil || x.Status != 200 || x.Elapsed <= 0 {
		t.Errorf("exchange %+v", x)
	}
	if rep.Answer != "ANSWER: 12" || rep.Thinking != "Weighing the oranges." || rep.Finish != model.FinishStop || rep.FinishRaw != "STOP" || rep.Model != "gemini-3.1-pro-preview" {
		t.Errorf("%+v", rep)
	}
	if u := rep.Usage; *u.Prompt != 29 || *u.Output != 89 || *u.Thinking != 84 || *u.Cached != 16 {
		t.Errorf("usage %+v", u)
	}
	why := "sent; newer Gemini models are documented to take it and leave it unused, and the reply does not show which"
	if want := []record.Setting{{Name: "temperature", Asked: "0", State: record.SettingAsked, Why: why}, {Name: "top_p", Asked: "0.95", State: record.SettingAsked, Why: why}}; !reflect.DeepEqual(rep.Settings, want) {
		t.Errorf("settings %+v", rep.Settings)
	}
	if rep.Prompt != (model.Prompted{}) {
		t.Errorf("of a server that is not Google's nothing is known: %+v", rep.Prompt)
	}
}

// TestToolTranscript is a conversation with two calls at once, whose signed turn goes back as it came.
func TestToolTranscript(t *testing.T) {
	const turn = `{"parts": [{"functionCall": {"id": "fc1", "name": "get_weather", "args": {"city": "Paris"}}, "thoughtSignature": "CiQB0e2Kb+/="},` +
		` {"functionCall": {"id": "fc2", "name": "get_weather", "args": {"city": "London"}}}], "role": "model"}`
	s := serve(t, reply{status: 200, body: `{"candidates": [{"content": ` + turn + `, "finishReason": "STOP", "index": 0}], "usageMetadata": {"promptTokenCount": 60}}`},
		reply{status: 200, body: good(`{"text":"15 and 12 degrees","thoughtSignature":"CiQC"}`)},
		reply{status: 200, body: good(`{"text":"yes"}`)})
	m := at(t, s.URL)
	req := user("Paris and London?")
	req.Tools = []model.Tool{weather}
	rep, err := m.Call(t.Context(), req)
	if err != nil || rep.Finish != model.FinishTool || len(rep.Calls) != 2 || string(rep.Native) != turn {
		t.Fatalf("%+v, %v", rep, err)
	}
	if len(rep.Settings) != 1 || rep.Settings[0].Name != "tools" || rep.Settings[0].Asked != "get_weather" || rep.Settings[0].State != record.SettingAsked {
		t.Errorf("settings %+v", rep.Settings)
	}
	req.Messages = append(req.Messages, rep.Turn(), model.Message{Role: "tool", CallID: "fc1", Tool: "get_weather", Text: "15"}, model.Message{Role: "tool", CallID: "fc2", Tool: "get_weather", Text: "down", Failed: true})
	if rep, err = m.Call(t.Context(), req); err != nil || rep.Answer != "15 and 12 degrees" {
		t.Fatalf("%+v, %v", rep, err)
	}
	req.Messages = append(req.Messages, rep.Turn(), model.Message{Role: "user", Text: "Sure?"})
	if rep, err = m.Call(t.Context(), req); err != nil || rep.Answer != "yes" {
		t.Fatalf("%+v, %v", rep, err)
	}
	const head = `{"contents":[{"role":"user","parts":[{"text":"Paris and London?"}]}`
	const results = `,{"role":"user","parts":[{"functionResponse":{"id":"fc1","name":"get_weather","response":{"output":"15"}}},{"functionResponse":{"id":"fc2","name":"get_weather","response":{"error":"down"}}}]}`
	const tail = `],"tools":[{"functionDeclarations":[{"name":"get_weather","description":"The weather.","parametersJsonSchema":{"type":"object","properties":{"city":{"type":"string"}}}}]}]}`
	for i, want := range []string{head + tail, head + "," + turn + results + tail,
		head + "," + turn + results + `,{"parts":[{"text":"15 and 12 degrees","thoughtSignature":"CiQC"}],"role":"model"},{"role":"user","parts":[{"text":"Sure?"}]}` + tail} {
		if got := s.requests()[i].body; got != want {
			t.Errorf("request %d:\n got %s\nwant %s", i+1, got, want)
		}
	}
}

func TestSchemaSetting(t *testing.T) {
	s := serve(t, reply{status: 200, body: good(`{"text":"{\"a\":1}"}`)})
	m := at(t, s.URL)
	for json, want := range map[string]string{string(pair.JSON): record.SettingEnforced, `{"type":"string","pattern":"^a"}`: record.SettingAsked} {
		req := user("x")
		req.Schema = &model.Schema{Name: "pair", JSON: []byte(json)}
		rep, err := m.Call(t.Context(), req)
		if err != nil || len(rep.Settings) != 1 || rep.Settings[0].Name != "schema" || rep.Settings[0].Asked != "pair" || rep.Settings[0].State != want {
			t.Errorf("%s: %+v, %v", json, rep.Settings, err)
		}
		if want == record.SettingAsked && !strings.Contains(rep.Settings[0].Why, "pattern") {
			t.Errorf("the keyword is not named: %s", rep.Settings[0].Why)
		}
	}
}

// TestWhatIsKnownOfGoogle: only its own servers are known to refuse what does not fit.
func TestWhatIsKnownOfGoogle(t *testing.T) {
	for url, want := range map[string]bool{"": true, "https://aiplatform.googleapis.com/v1/publishers/google": true, "https://googleapis.com.example": false, "http://127.0.0.1:1": false} {
		m, err := New(Options{Spec: model.Spec{Raw: "gemini/x", Name: "x", URL: url}, Getenv: env("GEMINI_API_KEY", testKey), Dial: modeltest.Dial})
		if err != nil || m.google != want {
			t.Errorf("%s: %v, %v", url, m.google, err)
		}
		m.Close()
	}
}
