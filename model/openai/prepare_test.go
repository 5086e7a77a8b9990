package openai

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/modeltest"
	"github.com/assaybench/assay/record"
)

// remote makes a model that takes its server for one on another machine, while every connection goes to a server of this
// test on loopback.
func remote(t testing.TB, url string, official bool) *Model {
	t.Helper()
	addr := strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/v1")
	m, err := New(Options{Spec: model.Spec{Raw: "openai/mock-1@http://models.example/v1", Provider: "openai", Name: "mock-1", URL: "http://models.example/v1"},
		Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return modeltest.Dial(ctx, network, addr)
		}})
	if err != nil {
		t.Fatal(err)
	}
	m.Official = official
	t.Cleanup(func() { m.Close() })
	return m
}

// picky is a server that refuses by its rules, in turn, and else answers; it keeps the bodies of calls.
type picky struct {
	mu     sync.Mutex
	bodies []string
	rules  []rule
	reply  string
	paths  []string
}

type rule struct{ holds, body string }

func (p *picky) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	p.paths = append(p.paths, r.URL.Path)
	if r.Method != http.MethodPost {
		if r.URL.Path == "/v1/models" {
			_, _ = io.WriteString(w, `{"data":[{"id":"mock-1"}]}`)
			return
		}
		w.WriteHeader(404)
		return
	}
	b, _ := io.ReadAll(r.Body)
	body := string(b)
	p.bodies = append(p.bodies, body)
	for _, rule := range p.rules {
		if strings.Contains(body, rule.holds) {
			w.WriteHeader(400)
			_, _ = io.WriteString(w, rule.body)
			return
		}
	}
	_, _ = io.WriteString(w, p.reply)
}

const plainReply = `{"choices":[{"finish_reason":"stop","message":{"content":"ok"}}],"usage":{"prompt_tokens":4,"completion_tokens_details":{"reasoning_tokens":0}}}`

var (
	noTemperature = rule{`"temperature"`, refusal("Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.", "temperature", "unsupported_value")}
	noEffort      = rule{`"reasoning_effort"`, refusal("Unsupported parameter: 'reasoning_effort' is not supported with this model.", "reasoning_effort", "unsupported_parameter")}
	noNone        = rule{`"none"`, refusal("Unsupported value: 'reasoning_effort' does not support 'none' with this model.", "reasoning_effort", "unsupported_value")}
	newLimit      = rule{`"max_tokens"`, refusal("Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", "max_tokens", "unsupported_parameter")}
	noSeed        = rule{`"seed"`, `{"detail":[{"loc":["body","seed"],"msg":"extra fields not permitted"}]}`}
	noSchema      = rule{`"strict":true`, refusal("Invalid schema for response_format 's': 'additionalProperties' is required.", "response_format", "")}
	noStrict      = rule{`"strict":true}}]`, refusal("Invalid schema for function 'f'.", "tools[0].function.parameters", "invalid_function_parameters")}
	noKwargs      = rule{`"chat_template_kwargs"`, `{"object":"error","message":"chat_template_kwargs is not supported for this tokenizer","type":"BadRequestError","param":null,"code":400}`}
)

// TestPrepare learns from a server's own errors what a model takes, says so, and leaves it out from then on.
func TestPrepare(t *testing.T) {
	zero, seed := 0.0, int64(7)
	base := model.Request{Messages: []model.Message{{Role: "user", Text: "x"}}, Temperature: &zero, MaxOutput: 100}
	with := func(change func(*model.Request)) model.Request {
		req := base
		change(&req)
		return req
	}
	setting := func(name, asked, state, why string) record.Setting {
		return record.Setting{Name: name, Asked: asked, State: state, Why: why}
	}
	thinking := func(th model.Thinking) model.Request { return with(func(r *model.Request) { r.Thinking = th }) }
	schema := with(func(r *model.Request) {
		r.Schema = &model.Schema{Name: "s", JSON: []byte(`{}`)}
		r.Tools = []model.Tool{{Name: "f", Input: []byte(`{}`)}}
	})
	const na, head = record.SettingNotAccepted, `{"model":"mock-1","messages":[{"role":"user","content":"x"}]`
	for name, c := range map[string]struct {
		official bool
		rules    []rule
		reply    string
		req      model.Request
		tries    int
		body     string // after the head, of the last try and of every call from then on
		want     []record.Setting
	}{
		"takes all":   {false, nil, plainReply, base, 1, `,"temperature":0,"max_tokens":100}`, nil},
		"temperature": {true, []rule{noTemperature}, plainReply, base, 2, `,"max_completion_tokens":100}`, []record.Setting{setting("temperature", "0", na, "does not support 0")}},
		"limit":       {false, []rule{newLimit}, plainReply, base, 2, `,"temperature":0,"max_completion_tokens":100}`, nil},
		"seed":        {false, []rule{noSeed}, plainReply, with(func(r *model.Request) { r.Seed = &seed }), 2, `,"temperature":0,"max_tokens":100}`, []record.Setting{setting("seed", "7", na, "extra fields")}},
		"three at once": {false, []rule{noTemperature, newLimit, noSeed}, plainReply, with(func(r *model.Request) { r.Seed = &seed }), 4, `,"max_completion_tokens":100}`,
			[]record.Setting{setting("temperature", "0", na, "does not support 0"), setting("seed", "7", na, "extra fields")}},
		"off":             {true, nil, plainReply, thinking("off"), 1, `,"temperature":0,"max_completion_tokens":100,"reasoning_effort":"none"}`, nil},
		"off, no effort":  {true, []rule{noEffort}, plainReply, thinking("off"), 2, `,"temperature":0,"max_completion_tokens":100}`, []record.Setting{setting("thinking", "off", record.SettingAsked, "shows no thinking (Unsupported parameter")}},
		"off, and thinks": {true, []rule{noEffort}, strings.Replace(plainReply, `"reasoning_tokens":0`, `"reasoning_tokens":64`, 1), thinking("off"), 2, `,"temperature":0,"max_completion_tokens":100}`, []record.Setting{setting("thinking", "off", na, "Unsupported parameter")}},
		"off cannot be":   {true, []rule{noNone}, plainReply, thinking("off"), 2, `,"temperature":0,"max_completion_tokens":100}`, []record.Setting{setting("thinking", "off", na, "does not support 'none'")}},
		"on":              {true, nil, plainReply, thinking("on"), 1, `,"temperature":0,"max_completion_tokens":100}`, []record.Setting{setting("thinking", "on", record.SettingAsked, "no switch that turns thinking on")}},
		"an effort":       {true, []rule{noEffort}, plainReply, thinking("high"), 2, `,"temperature":0,"max_completion_tokens":100}`, []record.Setting{setting("thinking", "high", na, "reasoning_effort")}},
		"open, off":       {false, []rule{noKwargs}, plainReply, thinking("off"), 2, `,"temperature":0,"max_tokens":100}`, []record.Setting{setting("thinking", "off", na, "chat_template_kwargs is not")}},
		"enforced":        {true, nil, plainReply, schema, 1, `,"temperature":0,"max_completion_tokens":100,"tools":[{"type":"function","function":{"name":"f","parameters":{},"strict":true}}],"tool_choice":"auto","response_format":{"type":"json_schema","json_schema":{"name":"s","strict":true,"schema":{}}}}`, []record.Setting{setting("schema", "s", record.SettingEnforced, "OpenAI constrains"), setting("tools", "f", record.SettingEnforced, "strict functions")}},
		"not so strictly": {true, []rule{noStrict, noSchema}, plainReply, schema, 3, `,"temperature":0,"max_completion_tokens":100,"tools":[{"type":"function","function":{"name":"f","parameters":{}}}],"tool_choice":"auto","response_format":{"type":"json_schema","json_schema":{"name":"s","strict":false,"schema":{}}}}`, []record.Setting{setting("schema", "s", record.SettingAsked, "not taken strictly: Invalid schema"), setting("tools", "f", record.SettingAsked, "not taken strictly: Invalid")}},
		"asked for":       {false, nil, plainReply, schema, 1, `,"temperature":0,"max_tokens":100,"tools":[{"type":"function","function":{"name":"f","parameters":{}}}],"tool_choice":"auto","response_format":{"type":"json_schema","json_schema":{"name":"s","strict":true,"schema":{}}}}`, []record.Setting{setting("schema", "s", record.SettingAsked, "nothing says"), setting("tools", "f", record.SettingAsked, "nothing says")}},
	} {
		p := &picky{rules: c.rules, reply: c.reply}
		s := httptest.NewServer(p)
		defer s.Close()
		m := remote(t, s.URL, c.official)
		if m.Local() {
			t.Fatal("taken for local")
		}
		ready, err := m.Prepare(t.Context(), c.req)
		looks := 1 // GET /models, and what open servers are asked
		if !c.official {
			looks = 5
		}
		if err != nil || len(p.bodies) != c.tries || len(ready.Calls) != c.tries+looks {
			t.Errorf("%s: %v, %d calls, %d exchanges kept", name, err, len(p.bodies), len(ready.Calls))
			continue
		}
		rep, err := m.Call(t.Context(), c.req)
		if err != nil || len(p.bodies) != c.tries+1 {
			t.Errorf("%s: %v after %d calls", name, err, len(p.bodies))
		}
		for _, body := range p.bodies[c.tries-1:] {
			if body != head+c.body {
				t.Errorf("%s:\n sent %s\n want %s", name, body, head+c.body)
			}
		}
		for who, got := range map[string][]record.Setting{"Prepare": ready.Settings, "Call": rep.Settings} {
			if !sameSettings(got, c.want) {
				t.Errorf("%s: %s says %+v\nwant %+v", name, who, got, c.want)
			}
		}
		other := c.req
		other.Thinking = "medium" // of which nothing was learned
		if _, err := m.Call(t.Context(), other); len(c.rules) > 0 && c.rules[0].holds == `"temperature"` && err == nil {
			t.Errorf("%s: what was learned of one posture changed another", name)
		}
	}
}

// sameSettings compares settings; the reason need only hold what is wanted.
func sameSettings(got, want []record.Setting) bool {
	if len(got) != len(want) {
		return false
	}
	for i, g := range got {
		if !strings.Contains(g.Why, want[i].Why) || strings.Contains(g.Why, "\n") {
			return false
		}
		if g.Why = want[i].Why; g != want[i] {
			return false
		}
	}
	return true
}

// TestPrepareRefused: what Prepare cannot get around is a fault that says what to do.
func TestPrepareRefused(t *testing.T) {
	zero := 0.0
	req := model.Request{Messages: []model.Message{{Role: "user", Text: "x"}}, Temperature: &zero, MaxOutput: 1 << 20}
	for name, c := range map[string]struct {
		rule  rule
		calls int
		want  string
	}{
		"too much":      {rule{`"max_tokens"`, refusal("max_tokens is too large: 1048576. This model supports at most 16384 completion tokens.", "max_tokens", "invalid_value")}, 1, "supports at most 16384"},
		"does not help": {rule{`"model"`, refusal("Unsupported parameter: 'temperature'", "temperature", "unsupported_parameter")}, 2, "did not accept the request"},
		"no model":      {rule{`"model"`, refusal("The model 'mock-1' does not exist", "model", "model_not_found")}, 1, `does not know the model "mock-1"`},
	} {
		p := &picky{rules: []rule{c.rule}}
		s := httptest.NewServer(p)
		defer s.Close()
		ready, err := remote(t, s.URL, false).Prepare(t.Context(), req)
		if err == nil || !strings.Contains(err.Error(), c.want) || len(p.bodies) != c.calls || len(ready.Calls) != c.calls+5 {
			t.Errorf("%s: %v, %d calls, %d kept", name, err, len(p.bodies), len(ready.Calls))
		}
	}
	if ready, err := at(t, "http://127.0.0.1:1/v1").Prepare(t.Context(), req); err == nil || model.AsFault(err).Kind != model.FaultUnreachable || len(ready.Calls) != 1 {
		t.Errorf("no server: %v, %+v", err, ready)
	}
}

// TestPrepareLocal: a server on this machine is looked at, and gets no call for it.
func TestPrepareLocal(t *testing.T) {
	req := model.Request{Messages: []model.Message{{Role: "user", Text: "x"}}, Context: 8192, Thinking: model.ThinkingOff, Schema: &model.Schema{Name: "s", JSON: []byte(`{}`)}}
	for name, c := range map[string]struct {
		paths   map[string]string
		context int64
		want    []record.Setting
	}{
		"llama.cpp": {map[string]string{"/props": `{"build_info":"b7000-ab","default_generation_settings":{"n_ctx":4096}}`}, 4096,
			[]record.Setting{{Name: "schema", Asked: "s", State: record.SettingEnforced, Why: "llama.cpp constrains"}}},
		"Ollama": {map[string]string{"/api/version": `{"version":"0.32.0"}`}, 0, []record.Setting{
			{Name: "context", Asked: "8192", State: record.SettingNotAccepted, Why: "Ollama's OpenAI endpoint takes no num_ctx; use ollama/NAME"},
			{Name: "schema", Asked: "s", State: record.SettingAsked, Why: "some models"}}},
		"LM Studio": {map[string]string{"/api/v0/models": lmStudio0}, 4096, []record.Setting{
			{Name: "thinking", Asked: "off", State: record.SettingAsked, Why: "does not say whether"}, {Name: "schema", Asked: "s", State: record.SettingEnforced, Why: "LM Studio"}}},
		"unknown": {map[string]string{}, 0, []record.Setting{{Name: "schema", Asked: "s", State: record.SettingAsked, Why: "nothing says"}}},
	} {
		c.paths["/v1/models"] = `{"data":[{"id":"mock-1"}]}`
		ready, err := at(t, serve(t, c.paths)+"/v1").Prepare(t.Context(), req)
		if err != nil || ready.Context != c.context || !sameSettings(ready.Settings, c.want) {
			t.Errorf("%s: %v, context %d, %+v", name, err, ready.Context, ready.Settings)
		}
		for _, x := range ready.Calls {
			if !strings.HasPrefix(x.Endpoint, "GET ") {
				t.Errorf("%s: %s", name, x.Endpoint)
			}
		}
	}
}

// TestOllamaGivesItselfAway: behind a proxy that hides its own paths, its replies tell what it is.
func TestOllamaGivesItselfAway(t *testing.T) {
	p := &picky{reply: `{"system_fingerprint":"fp_ollama","choices":[{"finish_reason":"stop","message":{"content":"ok"}}],"usage":{"prompt_tokens":4}}`}
	s := httptest.NewServer(p)
	defer s.Close()
	m := at(t, s.URL+"/v1")
	req := model.Request{Messages: []model.Message{{Role: "user", Text: "x"}}, Context: 8192}
	rep, err := m.Call(t.Context(), req)
	want := []record.Setting{{Name: "context", Asked: "8192", State: record.SettingNotAccepted, Why: "Ollama's OpenAI endpoint takes no num_ctx; use ollama/NAME"}}
	if err != nil || !reflect.DeepEqual(rep.Settings, want) || !rep.Prompt.Partial || rep.Prompt.Refuses {
		t.Errorf("%+v, %+v, %v", rep.Settings, rep.Prompt, err)
	}
}

// TestSchemaWithoutReasoningParser: vLLM constrains the thinking of a model whose thinking it does not know.
func TestSchemaWithoutReasoningParser(t *testing.T) {
	req := model.Request{Messages: []model.Message{{Role: "user", Text: "x"}}, Schema: &model.Schema{Name: "s", JSON: []byte(`{}`)}}
	m := &Model{}
	m.Client = at(t, "http://127.0.0.1:1/v1").Client
	for _, c := range []struct {
		thinking model.Thinking
		thought  bool
		want     bool
	}{{"", false, true}, {"on", false, true}, {"on", true, false}, {"off", false, false}} {
		req.Thinking = c.thinking
		got := m.settings(&req, Server{Software: VLLM, Enforces: true}, c.thought)
		if len(got) != 1 || got[0].State != record.SettingEnforced || strings.Contains(got[0].Why, "--reasoning-parser") != c.want {
			t.Errorf("%+v: %+v", c, got)
		}
	}
}
