package responses

import (
	"net/http"
	"strings"
	"testing"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
)

type rule struct{ holds, body string }

func refusal(message, param string) string {
	return `{"error":{"message":"` + message + `","type":"invalid_request_error","param":"` + param + `","code":null}}`
}

// TestPrepare learns from the server's own errors what a model takes, says so, and leaves it out from then on.
func TestPrepare(t *testing.T) {
	var (
		noTemperature = rule{`"temperature"`, refusal("Unsupported parameter: 'temperature' is not supported with this model.", "temperature")}
		noInclude     = rule{`"include"`, refusal("Encrypted content is not supported with this model.", "include")}
		noReasoning   = rule{`"effort"`, refusal("Unsupported parameter: 'reasoning.effort' is not supported with this model.", "reasoning.effort")}
		noNone        = rule{`"none"`, refusal("Unsupported value: 'none' is not supported with the 'gpt-9' model. Supported values are: 'low' and 'high'.", "reasoning.effort")}
		noSummary     = rule{`"summary"`, refusal("Your organization must be verified to generate reasoning summaries.", "reasoning.summary")}
		noSummaries   = rule{`"summary"`, refusal("Unsupported parameter: 'reasoning.summary' is not supported with this model.", "reasoning.summary")}
		noSchema      = rule{`"name":"s","strict":true`, refusal("Invalid schema for response_format 's': 'additionalProperties' is required.", "text.format.schema")}
	)
	zero, seed := 0.0, int64(7)
	req := func(change func(*model.Request)) model.Request {
		r := model.Request{Messages: []model.Message{{Role: "user", Text: "x"}}, MaxOutput: 100}
		change(&r)
		return r
	}
	thinking := func(th model.Thinking) model.Request { return req(func(r *model.Request) { r.Thinking = th }) }
	setting := func(name, asked, state, why string) record.Setting {
		return record.Setting{Name: name, Asked: asked, State: state, Why: why}
	}
	const na, asked = record.SettingNotAccepted, record.SettingAsked
	const head, store, include, limit = `{"model":"gpt-9","input":[{"role":"user","content":"x"}]`, `,"store":false,"truncation":"disabled"`, `,"include":["reasoning.encrypted_content"]`, `,"max_output_tokens":100`
	plain := strings.Replace(secondReply, `"reasoning_tokens":0`, `"reasoning_tokens":0`, 1)
	thinks := strings.Replace(secondReply, `"reasoning_tokens":0`, `"reasoning_tokens":64`, 1)
	for name, c := range map[string]struct {
		open  bool
		rules []rule
		reply string
		req   model.Request
		tries int
		body  string // of the last try and of every call from then on
		want  []record.Setting
	}{
		"takes all":       {false, nil, plain, req(func(r *model.Request) { r.Temperature = &zero }), 1, store + include + `,"temperature":0` + limit + `}`, nil},
		"temperature":     {false, []rule{noTemperature}, plain, req(func(r *model.Request) { r.Temperature = &zero }), 2, store + include + limit + `}`, []record.Setting{setting("temperature", "0", na, "is not supported")}},
		"an older model":  {false, []rule{noInclude}, plain, req(func(r *model.Request) { r.Temperature = &zero }), 2, store + `,"temperature":0` + limit + `}`, nil},
		"no seed":         {false, nil, plain, req(func(r *model.Request) { r.Seed = &seed }), 1, store + include + limit + `}`, []record.Setting{setting("seed", "7", na, "has no seed")}},
		"little":          {false, nil, plain, req(func(r *model.Request) { r.MaxOutput = 5 }), 1, store + include + `,"max_output_tokens":16}`, []record.Setting{setting("max_output", "5", na, "16 was sent")}},
		"off":             {false, nil, plain, thinking("off"), 1, store + include + limit + `,"reasoning":{"effort":"none"}}`, nil},
		"off cannot be":   {false, []rule{noNone}, thinks, thinking("off"), 2, store + include + limit + `}`, []record.Setting{setting("thinking", "off", na, "Supported values are")}},
		"off, no effort":  {false, []rule{noReasoning, noInclude}, plain, thinking("off"), 3, store + limit + `}`, []record.Setting{setting("thinking", "off", asked, "shows no thinking")}},
		"off, and thinks": {false, []rule{noReasoning}, thinks, thinking("off"), 2, store + include + limit + `}`, []record.Setting{setting("thinking", "off", na, "is not supported")}},
		"on":              {false, nil, thinks, thinking("on"), 1, store + include + limit + `,"reasoning":{"summary":"auto"}}`, []record.Setting{setting("thinking", "on", asked, "no switch")}},
		"on, unverified":  {false, []rule{noSummary}, thinks, thinking("on"), 2, store + include + limit + `}`, []record.Setting{setting("thinking", "on", asked, "no switch")}},
		"on, cannot":      {false, []rule{noSummaries}, plain, thinking("on"), 2, store + include + limit + `}`, []record.Setting{setting("thinking", "on", na, "is not supported")}},
		"high":            {false, []rule{noSummary}, thinks, thinking("high"), 2, store + include + limit + `,"reasoning":{"effort":"high"}}`, nil},
		"high, cannot":    {false, []rule{noReasoning, noSummaries}, plain, thinking("high"), 3, store + include + limit + `}`, []record.Setting{setting("thinking", "high", na, "is not supported")}},
		"schema": {false, []rule{noSchema}, plain, req(func(r *model.Request) { r.Schema = &model.Schema{Name: "s", JSON: []byte(`{}`)} }), 2,
			store + include + limit + `,"text":{"format":{"type":"json_schema","name":"s","strict":false,"schema":{}}}}`, []record.Setting{setting("schema", "s", asked, "not taken strictly: Invalid schema")}},
		"open": {true, nil, plain, req(func(r *model.Request) {
			r.Schema, r.Tools = &model.Schema{Name: "s", JSON: []byte(`{}`)}, []model.Tool{{Name: "f", Input: []byte(`{}`)}}
		}), 1, store + include + limit + `,"tools":[{"type":"function","name":"f","parameters":{},"strict":false}],"tool_choice":"auto","text":{"format":{"type":"json_schema","name":"s","strict":true,"schema":{}}}}`,
			[]record.Setting{setting("schema", "s", asked, "nothing says"), setting("tools", "f", asked, "nothing says")}},
	} {
		s := serve(t, func(_ int, _ *http.Request, body string) (int, string) {
			for _, r := range c.rules {
				if strings.Contains(body, r.holds) {
					return 400, r.body
				}
			}
			return 200, c.reply
		})
		m := remote(t, s.URL, !c.open)
		ready, err := m.Prepare(t.Context(), c.req)
		if err != nil || len(s.bodies) != c.tries || len(ready.Calls) < c.tries+1 {
			t.Errorf("%s: %v, %d calls, %d exchanges kept", name, err, len(s.bodies), len(ready.Calls))
			continue
		}
		rep, err := m.Call(t.Context(), c.req)
		if err != nil || len(s.bodies) != c.tries+1 || rep.Prompt.Refuses == c.open {
			t.Errorf("%s: %v after %d calls, %+v", name, err, len(s.bodies), rep.Prompt)
		}
		for _, body := range s.bodies[c.tries-1:] {
			if body != head+c.body {
				t.Errorf("%s:\n sent %s\n want %s", name, body, head+c.body)
			}
		}
		for who, got := range map[string][]record.Setting{"Prepare": ready.Settings, "Call": rep.Settings} {
			if !sameSettings(got, c.want) {
				t.Errorf("%s: %s says %+v\nwant %+v", name, who, got, c.want)
			}
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

func TestPrepareRefused(t *testing.T) {
	req := model.Request{Messages: []model.Message{{Role: "user", Text: "x"}}, MaxOutput: 1 << 20}
	s := serve(t, func(int, *http.Request, string) (int, string) {
		return 400, refusal("max_output_tokens is too large: 1048576. This model supports at most 128000 completion tokens.", "max_output_tokens")
	})
	ready, err := remote(t, s.URL, true).Prepare(t.Context(), req)
	if err == nil || model.AsFault(err).Kind != model.FaultRejected || !strings.Contains(err.Error(), "at most 128000") || len(s.bodies) != 1 || len(ready.Calls) != 2 {
		t.Errorf("%v, %d calls", err, len(s.bodies))
	}
}

// TestPrepareLocal: a server on this machine is looked at, and gets no call for it.
func TestPrepareLocal(t *testing.T) {
	s := serve(t, nil)
	ready, err := at(t, s.URL).Prepare(t.Context(), model.Request{Messages: []model.Message{{Role: "user", Text: "x"}}, Thinking: model.ThinkingOn})
	if err != nil || len(s.bodies) != 0 || len(ready.Settings) != 1 || ready.Settings[0].Name != "thinking" {
		t.Errorf("%v, %d calls, %+v", err, len(s.bodies), ready.Settings)
	}
}
