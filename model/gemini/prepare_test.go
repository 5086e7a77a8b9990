package gemini

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
)

const cardJSON = `{"name":"models/mock-1","baseModelId":"mock","version":"001","displayName":"Mock 1","description":"long","inputTokenLimit":1048576,"outputTokenLimit":65536,` +
	`"supportedGenerationMethods":["generateContent","countTokens"],"temperature":1,"topP":0.95,"topK":64,"maxTemperature":2,"thinking":true}`

// taste is a server that refuses what its model does not take.
type taste struct {
	mu     sync.Mutex
	refuse func(config map[string]any, body map[string]any) string // the message of a 400, "" for none
	card   string
	think  bool // thinks whatever was asked
	calls  []string
}

func (s *taste) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	raw, _ := io.ReadAll(r.Body)
	w.Header().Set("Content-Type", "application/json")
	if r.Method == http.MethodGet {
		if s.card == "" {
			http.Error(w, `{"detail":"Not Found"}`, 404)
			return
		}
		_, _ = io.WriteString(w, s.card)
		return
	}
	s.mu.Lock()
	s.calls = append(s.calls, string(raw))
	s.mu.Unlock()
	var body map[string]any
	_ = json.Unmarshal(raw, &body)
	config, _ := body["generationConfig"].(map[string]any)
	if message := s.refuse(config, body); message != "" {
		w.WriteHeader(400)
		_, _ = io.WriteString(w, refusedBy(400, "INVALID_ARGUMENT", message).body)
		return
	}
	out := good(`{"text":"ok"}`)
	if s.think {
		out = strings.Replace(out, `"candidatesTokenCount":2`, `"candidatesTokenCount":2,"thoughtsTokenCount":77`, 1)
	}
	_, _ = io.WriteString(w, out)
}

func has(config map[string]any, path ...string) bool {
	for i, p := range path {
		v, ok := config[p]
		if !ok || i == len(path)-1 {
			return ok
		}
		config, _ = v.(map[string]any)
	}
	return false
}

func budget(config map[string]any) any {
	t, _ := config["thinkingConfig"].(map[string]any)
	return t["thinkingBudget"]
}

const invalid = "Request contains an invalid argument."

// TestPrepareLearns meets models that refuse one thing or another, in the words that the server has for it.
func TestPrepareLearns(t *testing.T) {
	full := func(thinking model.Thinking) model.Request {
		r := user("x")
		r.Temperature, r.TopP, r.Seed, r.MaxOutput, r.Context, r.Thinking = ptr(0.0), ptr(0.9), ptr(int64(7)), 1536, 8192, thinking
		return r
	}
	structured := full(model.ThinkingUnset)
	structured.Schema, structured.Tools = pair, []model.Tool{weather}
	for name, c := range map[string]struct {
		req    model.Request
		refuse func(config, body map[string]any) string
		think  bool
		want   string // settings after Prepare: name=state
		sent   string // what the next call sends as generationConfig and tools
		calls  int    // of generateContent
	}{
		"takes all": {full(model.ThinkingOff), func(_, _ map[string]any) string { return "" }, false,
			"temperature=asked top_p=asked", `{"temperature":0,"topP":0.9,"seed":7,"maxOutputTokens":1536,"thinkingConfig":{"thinkingBudget":0}}`, 1},
		"cannot stop thinking": {full(model.ThinkingOff), func(c, _ map[string]any) string {
			if budget(c) == 0.0 {
				return "Budget 0 is invalid. This model only works in thinking mode."
			}
			return ""
		}, true, "temperature=asked top_p=asked thinking=not accepted", `{"temperature":0,"topP":0.9,"seed":7,"maxOutputTokens":1536}`, 2},
		"says nothing of what it refuses": {full(model.ThinkingOff), func(c, _ map[string]any) string {
			if budget(c) == 0.0 {
				return invalid
			}
			return ""
		}, false, "temperature=asked top_p=asked thinking=not accepted", `{"temperature":0,"topP":0.9,"seed":7,"maxOutputTokens":1536}`, 2},
		"takes off and thinks": {full(model.ThinkingOff), func(_, _ map[string]any) string { return "" }, true,
			"temperature=asked top_p=asked thinking=not honoured", `{"temperature":0,"topP":0.9,"seed":7,"maxOutputTokens":1536,"thinkingConfig":{"thinkingBudget":0}}`, 1},
		"has no thinking, off": {full(model.ThinkingOff), func(c, _ map[string]any) string {
			if has(c, "thinkingConfig") {
				return "Thinking is not enabled for models/mock-1"
			}
			return ""
		}, false, "temperature=asked top_p=asked thinking=enforced", `{"temperature":0,"topP":0.9,"seed":7,"maxOutputTokens":1536}`, 2},
		"has no thinking, on": {full(model.ThinkingOn), func(c, _ map[string]any) string {
			if has(c, "thinkingConfig") {
				return "Unable to submit request because the model does not support thinking."
			}
			return ""
		}, false, "temperature=asked top_p=asked thinking=not accepted", `{"temperature":0,"topP":0.9,"seed":7,"maxOutputTokens":1536}`, 2},
		"has levels alone, on": {full(model.ThinkingOn), func(c, _ map[string]any) string {
			if has(c, "thinkingConfig", "thinkingBudget") {
				return "thinking_budget is not supported for this model."
			}
			return ""
		}, false, "temperature=asked top_p=asked thinking=asked", `{"temperature":0,"topP":0.9,"seed":7,"maxOutputTokens":1536,"thinkingConfig":{"includeThoughts":true}}`, 2},
		"has budgets alone, low": {full("low"), func(c, _ map[string]any) string {
			if has(c, "thinkingConfig", "thinkingLevel") {
				return "Thinking level is not supported for this model."
			}
			return ""
		}, false, "temperature=asked top_p=asked thinking=not accepted", `{"temperature":0,"topP":0.9,"seed":7,"maxOutputTokens":1536}`, 2},
		"not that level": {full("minimal"), func(c, _ map[string]any) string {
			if has(c, "thinkingConfig", "thinkingLevel") {
				return "'minimal' is not a supported thinking level for this model. Allowed values are: medium, low, high."
			}
			return ""
		}, false, "temperature=asked top_p=asked thinking=not accepted", `{"temperature":0,"topP":0.9,"seed":7,"maxOutputTokens":1536}`, 2},
		"no sampling": {full(model.ThinkingUnset), func(c, _ map[string]any) string {
			if has(c, "temperature") || has(c, "topP") {
				return "Sampling parameters (temperature, top_p, top_k) are not supported for this model."
			}
			return ""
		}, false, "temperature=not accepted top_p=not accepted", `{"seed":7,"maxOutputTokens":1536}`, 3},
		"no top_p, unnamed": {full("low"), func(c, _ map[string]any) string {
			if has(c, "topP") {
				return invalid
			}
			return ""
		}, false, "temperature=asked top_p=not accepted", `{"temperature":0,"seed":7,"maxOutputTokens":1536,"thinkingConfig":{"thinkingLevel":"LOW","includeThoughts":true}}`, 3},
		"no seed": {full(model.ThinkingUnset), func(c, _ map[string]any) string {
			if has(c, "seed") {
				return "seed is not supported"
			}
			return ""
		}, false, "temperature=asked top_p=asked seed=not accepted", `{"temperature":0,"topP":0.9,"maxOutputTokens":1536}`, 2},
		"no seed, unnamed": {full("low"), func(c, _ map[string]any) string {
			if has(c, "seed") {
				return invalid
			}
			return ""
		}, false, "temperature=asked top_p=asked seed=not accepted", `{"temperature":0,"topP":0.9,"maxOutputTokens":1536,"thinkingConfig":{"thinkingLevel":"LOW","includeThoughts":true}}`, 5},
		"no schema in any form, unnamed": {structured, func(c, b map[string]any) string {
			if has(c, "responseMimeType") || has(c, "responseFormat") {
				return invalid
			}
			return ""
		}, false, "temperature=asked top_p=asked schema=not accepted tools=asked", `{"temperature":0,"topP":0.9,"seed":7,"maxOutputTokens":1536}tools`, 10},
		"no tools, unnamed": {structured, func(_, b map[string]any) string {
			if has(b, "tools") {
				return invalid
			}
			return ""
		}, false, "temperature=asked top_p=asked schema=enforced tools=not accepted",
			`{"temperature":0,"topP":0.9,"seed":7,"maxOutputTokens":1536,"responseMimeType":"application/json","responseJsonSchema":{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}}`, 6},
		"no schema with tools": {structured, func(c, b map[string]any) string {
			if has(b, "tools") && (has(c, "responseMimeType") || has(c, "responseFormat")) {
				return "Function calling with a response mime type: 'application/json' is unsupported"
			}
			return ""
		}, false, "temperature=asked top_p=asked schema=not accepted tools=asked", `{"temperature":0,"topP":0.9,"seed":7,"maxOutputTokens":1536}tools`, 3},
		"the other form of a schema": {structured, func(c, _ map[string]any) string {
			if has(c, "responseJsonSchema") {
				return `Invalid JSON payload received. Unknown name "responseJsonSchema" at 'generation_config': Cannot find field.`
			}
			return ""
		}, false, "temperature=asked top_p=asked schema=enforced tools=asked",
			`{"temperature":0,"topP":0.9,"seed":7,"maxOutputTokens":1536,"responseFormat":{"text":{"mimeType":"APPLICATION_JSON","schema":{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}}}}tools`, 2},
		"no tools": {structured, func(_, b map[string]any) string {
			if has(b, "tools") {
				return "Function calling is not enabled for models/mock-1"
			}
			return ""
		}, false, "temperature=asked top_p=asked schema=enforced tools=not accepted",
			`{"temperature":0,"topP":0.9,"seed":7,"maxOutputTokens":1536,"responseMimeType":"application/json","responseJsonSchema":{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}}`, 2},
	} {
		t.Run(name, func(t *testing.T) {
			s := &taste{refuse: c.refuse, card: cardJSON, think: c.think}
			server := httptest.NewServer(s)
			defer server.Close()
			m := at(t, server.URL)
			defer m.Close()
			ready, err := m.Prepare(t.Context(), c.req)
			if err != nil {
				t.Fatal(err)
			}
			if got := states(ready.Settings); got != c.want || len(s.calls) != c.calls || len(ready.Calls) != c.calls+1 || ready.Context != 1048576 {
				t.Errorf("%s after %d calls (%d kept), want %s after %d; context %d", got, len(s.calls), len(ready.Calls), c.want, c.calls, ready.Context)
			}
			rep, err := m.Call(t.Context(), c.req)
			want := strings.Replace(c.want, " thinking=not honoured", "", 1) // which Transcribe finds in each reply
			if err != nil || states(rep.Settings) != want || rep.Prompt.Loaded != 1048576 {
				t.Errorf("call: %v, %s, loaded %d", err, states(rep.Settings), rep.Prompt.Loaded)
			}
			for _, set := range rep.Settings {
				if set.Why == "" || set.Asked == "" || strings.ContainsAny(set.Why, "\n\x1b") {
					t.Errorf("%+v", set)
				}
			}
			sent := s.calls[len(s.calls)-1]
			config := strings.TrimSuffix(sent[strings.Index(sent, `"generationConfig":`)+len(`"generationConfig":`):], "}")
			if strings.Contains(sent, `"tools":`) {
				config += "tools"
			}
			if config != c.sent {
				t.Errorf("sent %s\nwant %s", config, c.sent)
			}
			if again, err := m.Prepare(t.Context(), c.req); err != nil || len(again.Calls) != 2 {
				t.Errorf("a second Prepare makes %d exchanges, %v", len(again.Calls), err)
			}
		})
	}
}

func states(settings []record.Setting) string {
	var out []string
	for _, s := range settings {
		out = append(out, s.Name+"="+s.State)
	}
	return strings.Join(out, " ")
}

// TestRefusalsAreOfOneValue: what one posture cannot have, another may.
func TestRefusalsAreOfOneValue(t *testing.T) {
	s := &taste{card: cardJSON, refuse: func(c, _ map[string]any) string {
		if budget(c) == 0.0 {
			return "Budget 0 is invalid. This model only works in thinking mode."
		}
		return ""
	}}
	server := httptest.NewServer(s)
	defer server.Close()
	m := at(t, server.URL)
	defer m.Close()
	off, low := user("x"), user("x")
	off.Thinking, low.Thinking = model.ThinkingOff, "low"
	if _, err := m.Prepare(t.Context(), off); err != nil {
		t.Fatal(err)
	}
	rep, err := m.Call(t.Context(), low)
	if err != nil || len(rep.Settings) != 0 || !strings.Contains(s.calls[len(s.calls)-1], `"thinkingLevel":"LOW"`) {
		t.Errorf("%+v, %v", rep.Settings, err)
	}
}

func TestPrepareLimits(t *testing.T) {
	server := httptest.NewServer(&taste{card: strings.NewReplacer("1048576", "4096", "65536", "1024").Replace(cardJSON), refuse: func(_, _ map[string]any) string { return "" }})
	defer server.Close()
	m := at(t, server.URL)
	defer m.Close()
	req := user("x")
	req.MaxOutput, req.Context = 1536, 8192
	ready, err := m.Prepare(t.Context(), req)
	want := []record.Setting{{Name: "max_output", Asked: "1536", State: record.SettingAsked, Why: "the model writes at most 1024 tokens"},
		{Name: "context", Asked: "8192", State: record.SettingNotAccepted, Why: "the model takes at most 4096 tokens of input"}}
	if err != nil || fmt.Sprint(ready.Settings) != fmt.Sprint(want) || ready.Context != 4096 {
		t.Errorf("%+v, %v", ready, err)
	}
}

func TestPrepareFaults(t *testing.T) {
	none := func(_, _ map[string]any) string { return "" }
	for name, c := range map[string]struct {
		server http.Handler
		kind   model.FaultKind
		says   string
		calls  int
	}{
		"refuses everything":       {&taste{card: cardJSON, refuse: func(_, _ map[string]any) string { return invalid }}, model.FaultRejected, invalid, 4},
		"names what was not asked": {&taste{card: cardJSON, refuse: func(_, _ map[string]any) string { return "seed and top_p are bad" }}, model.FaultRejected, "seed and top_p", 4},
		"output limit": {&taste{card: cardJSON, refuse: func(c, _ map[string]any) string {
			if has(c, "maxOutputTokens") {
				return "maxOutputTokens must be in the range [1, 1024]."
			}
			return ""
		}}, model.FaultRejected, "maxOutputTokens must be", 4},
		"no generateContent": {&taste{card: strings.Replace(cardJSON, `"generateContent","countTokens"`, `"embedContent"`, 1), refuse: none}, model.FaultNoModel, "does not answer generateContent; it takes embedContent", 0},
		"no model":           {&server{replies: []reply{refusedBy(404, "NOT_FOUND", "models/mock-1 is not found for API version v1beta")}}, model.FaultNoModel, `does not know the model "mock-1"`, 0},
		"denied":             {&server{replies: []reply{refusedBy(400, "INVALID_ARGUMENT", "API key not valid.", reason("API_KEY_INVALID"))}}, model.FaultDenied, "API key not valid", 0},
		"busy":               {&server{replies: []reply{{200, cardJSON, nil}, refusedBy(429, "RESOURCE_EXHAUSTED", "x", retryIn("5s"))}}, model.FaultBusy, "busy", 1},
		"broken":             {&server{replies: []reply{{200, cardJSON, nil}, {200, `{"candidates":[]}`, nil}}}, model.FaultBroken, "no candidates", 1},
	} {
		t.Run(name, func(t *testing.T) {
			s := httptest.NewServer(c.server)
			defer s.Close()
			m := at(t, s.URL)
			defer m.Close()
			req := user("x")
			req.Temperature, req.Thinking, req.MaxOutput = ptr(0.0), "low", 2048
			ready, err := m.Prepare(t.Context(), req)
			if err == nil || model.AsFault(err).Kind != c.kind || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v; want %s %q", err, c.kind, c.says)
			}
			keepsKey(t, ready, err)
			if s, ok := c.server.(*taste); ok && len(s.calls) > c.calls {
				t.Errorf("%d calls, at most %d wanted", len(s.calls), c.calls)
			}
		})
	}
}

// TestPrepareEnds: a server that changes its mind without end is given up.
func TestPrepareEnds(t *testing.T) {
	calls := 0
	server := httptest.NewServer(&taste{card: cardJSON, refuse: func(_, _ map[string]any) string {
		calls++
		switch calls {
		case 2, 8:
			return ""
		case 13:
			return "the response schema is bad"
		}
		return invalid
	}})
	defer server.Close()
	m := at(t, server.URL)
	defer m.Close()
	req := user("x")
	req.Temperature, req.TopP, req.Seed, req.Thinking, req.Schema, req.Tools = ptr(0.0), ptr(0.9), ptr(int64(7)), model.ThinkingOn, pair, []model.Tool{weather}
	ready, err := m.Prepare(t.Context(), req)
	if err == nil || model.AsFault(err).Kind != model.FaultRejected || !strings.Contains(err.Error(), "in any of 16 forms") || calls != maxTries || len(ready.Calls) != maxTries+1 {
		t.Errorf("%v after %d calls, %d kept", err, calls, len(ready.Calls))
	}
}

// TestPrepareWithoutCard: a server that knows no GET models/NAME is asked all the same.
func TestPrepareWithoutCard(t *testing.T) {
	server := httptest.NewServer(&taste{refuse: func(_, _ map[string]any) string { return "" }})
	defer server.Close()
	m := at(t, server.URL)
	defer m.Close()
	ready, err := m.Prepare(t.Context(), user("x"))
	if err != nil || ready.Context != 0 || len(ready.Calls) != 2 {
		t.Errorf("%+v, %v", ready, err)
	}
}
