package anthropic

import (
	"net/http"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/modeltest"
	"github.com/assaybench/assay/record"
)

// asks is what a simulated model looks at in a request.
type asks struct {
	Temperature *float64 `json:"temperature"`
	TopP        *float64 `json:"top_p"`
	MaxTokens   int      `json:"max_tokens"`
	Thinking    *struct {
		Type    string `json:"type"`
		Budget  int    `json:"budget_tokens"`
		Display string `json:"display"`
	} `json:"thinking"`
	Output struct {
		Effort string `json:"effort"`
		Format any    `json:"format"`
	} `json:"output_config"`
	Tools []struct {
		Strict bool `json:"strict"`
	} `json:"tools"`
}

func (a asks) thinks(kind string) bool { return a.Thinking != nil && a.Thinking.Type == kind }

// one says what the API says of sampling on models from 4.1 to 4.6.
func (a asks) one() string {
	if a.Temperature != nil && a.TopP != nil {
		return "`temperature` and `top_p` cannot both be specified for this model. Please use only one."
	}
	if (a.thinks("enabled") || a.thinks("adaptive")) && a.Temperature != nil && *a.Temperature != 1 {
		return "`temperature` may only be set to 1 when thinking is enabled or in adaptive mode. Please consult our documentation at https://platform.claude.com/docs/en/build-with-claude/extended-thinking"
	}
	return ""
}

// generations are models as their refusals were published: what each says to a request, "" for taken.
var generations = map[string]func(asks) string{
	"4.5 small": func(a asks) string {
		switch {
		case a.thinks("adaptive"):
			return "adaptive thinking is not supported on this model"
		case a.Output.Effort != "":
			return "This model does not support the effort parameter."
		case a.thinks("enabled") && (a.Thinking.Budget < 1024 || a.Thinking.Budget >= a.MaxTokens):
			return "`max_tokens` must be greater than `thinking.budget_tokens`."
		}
		return a.one()
	},
	"4.6": func(a asks) string {
		if a.Output.Effort == "xhigh" {
			return "This model does not support effort level 'xhigh'. Supported levels: high, low, max, medium."
		}
		return a.one()
	},
	"5.5 always thinking": func(a asks) string {
		switch {
		case a.thinks("disabled"), a.thinks("enabled"):
			return `"thinking.type.` + a.Thinking.Type + `" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.`
		case a.Temperature != nil && *a.Temperature != 1:
			return "`temperature` is deprecated for this model."
		case a.TopP != nil && *a.TopP != 1:
			return "`top_p` is deprecated for this model."
		}
		return ""
	},
	"5.5 between tools": func(a asks) string {
		switch {
		case a.thinks("disabled"):
			return `"thinking.type.disabled" is not supported for this model. To turn thinking off on this model, send "thinking": {"type": "between_tools"}.`
		case a.Temperature != nil:
			return "`temperature` is deprecated for this model."
		}
		return ""
	},
	"old": func(a asks) string {
		switch {
		case a.Thinking != nil && a.Thinking.Type != "disabled":
			return "'claude-x' does not support thinking."
		case a.Output.Format != nil:
			return "'claude-x' does not support output format."
		case a.Output.Effort != "":
			return "output_config: Extra inputs are not permitted"
		case len(a.Tools) > 0 && a.Tools[0].Strict:
			return "tools.0.custom.strict: Extra inputs are not permitted"
		case a.Temperature != nil && a.TopP != nil:
			return ""
		}
		return ""
	},
	"strict parser": func(a asks) string {
		switch {
		case a.Thinking != nil && a.Thinking.Display != "":
			return "thinking." + a.Thinking.Type + ".display: Extra inputs are not permitted"
		case a.thinks("adaptive"):
			return "thinking: Input tag 'adaptive' found using 'type' does not match any of the expected tags: 'disabled', 'enabled'"
		case len(a.Tools) > 0 && a.Tools[0].Strict:
			return "The compiled grammar is too large, which would cause performance issues. Simplify your tool schemas or reduce the number of strict tools."
		case a.Temperature != nil:
			return "temperature: Extra inputs are not permitted"
		}
		return ""
	},
}

// live serves a generation.
func live(t *testing.T, says func(asks) string) *scripted {
	return serve(t, func(_ http.ResponseWriter, r seen) (int, string) {
		if r.method == "GET" {
			return 200, `{"type":"model","id":"claude-x-20260101","display_name":"Claude X","created_at":"2026-01-01T00:00:00Z","max_input_tokens":200000,"max_tokens":64000}`
		}
		var a asks
		if err := json.Unmarshal([]byte(r.body), &a); err != nil {
			return 400, refusal("invalid_request_error", "the request body is not valid JSON: "+err.Error())
		}
		if said := says(a); said != "" {
			return 400, refusal("invalid_request_error", said)
		}
		return 200, whole
	})
}

func TestPrepareLearns(t *testing.T) {
	strict := []model.Tool{{Name: "count", Input: []byte(closed)}}
	schema := &model.Schema{Name: "s", JSON: []byte(closed)}
	for _, c := range []struct {
		generation string
		req        model.Request
		posts      int
		sent       string   // after the messages, in the request that was taken
		settings   []string // "name asked state", in order
	}{
		{"4.5 small", model.Request{Temperature: f64(0), TopP: f64(1), Thinking: "off"}, 2, `,"temperature":0,"thinking":{"type":"disabled"}}`, []string{"top_p 1 not accepted"}},
		{"4.5 small", model.Request{Temperature: f64(0), TopP: f64(1), Thinking: "on"}, 4, `,"thinking":{"type":"enabled","budget_tokens":1024,"display":"summarized"}}`, []string{"temperature 0 not accepted", "top_p 1 not accepted", "thinking on asked"}},
		{"4.5 small", model.Request{Thinking: "high"}, 3, `}`, []string{"thinking high not accepted"}},
		{"4.5 small", model.Request{Temperature: f64(0)}, 1, `,"temperature":0}`, nil},
		{"4.6", model.Request{Temperature: f64(0), Thinking: "high"}, 2, `,"thinking":{"type":"adaptive","display":"summarized"},"output_config":{"effort":"high"}}`, []string{"temperature 0 not accepted", "thinking high asked"}},
		{"4.6", model.Request{Temperature: f64(1), Thinking: "on"}, 1, `,"temperature":1,"thinking":{"type":"adaptive","display":"summarized"}}`, []string{"thinking on asked"}},
		{"4.6", model.Request{Thinking: "xhigh"}, 2, `}`, []string{"thinking xhigh not accepted"}},
		{"5.5 always thinking", model.Request{Temperature: f64(0), TopP: f64(0.9), Thinking: "off"}, 4, `}`, []string{"temperature 0 not accepted", "top_p 0.9 not accepted", "thinking off not accepted"}},
		{"5.5 always thinking", model.Request{Temperature: f64(0), Thinking: "max"}, 2, `,"thinking":{"type":"adaptive","display":"summarized"},"output_config":{"effort":"max"}}`, []string{"temperature 0 not accepted", "thinking max asked"}},
		{"5.5 between tools", model.Request{Temperature: f64(0), Thinking: "off", Seed: i64(1)}, 3, `,"thinking":{"type":"between_tools"}}`, []string{"temperature 0 not accepted", "seed 1 not accepted", "thinking off asked"}},
		{"old", model.Request{Temperature: f64(0), TopP: f64(1), Thinking: "on", Schema: schema, Tools: strict}, 5,
			`,"temperature":0,"top_p":1,"tools":[{"name":"count","input_schema":` + closed + `}]}`, []string{"thinking on not accepted", "schema s not accepted", "tools 1 asked"}},
		{"old", model.Request{Thinking: "low", Schema: schema}, 5, `}`, []string{"thinking low not accepted", "schema s not accepted"}},
		{"strict parser", model.Request{Temperature: f64(0), Thinking: "on", Tools: strict, Schema: schema}, 5,
			`,"thinking":{"type":"enabled","budget_tokens":1024},"output_config":{"format":{"type":"json_schema","schema":` + closed + `}},"tools":[{"name":"count","input_schema":` + closed + `}]}`,
			[]string{"temperature 0 not accepted", "thinking on asked", "schema s enforced", "tools 1 asked"}},
	} {
		t.Run(c.generation+" "+string(c.req.Thinking), func(t *testing.T) {
			srv := live(t, generations[c.generation])
			m := at(t, srv.URL)
			c.req.Messages, c.req.MaxOutput = user, 1536
			ready, err := m.Prepare(t.Context(), c.req)
			if err != nil {
				t.Fatal(err)
			}
			requests := srv.requests()
			if len(requests) != c.posts+1 || len(ready.Calls) != len(requests) || requests[c.posts].uri != "/v1/models/claude-x" {
				t.Errorf("%d requests, want %d and one more; %d recorded", len(requests), c.posts, len(ready.Calls))
			}
			for i, x := range ready.Calls {
				if i < len(requests) && string(x.RequestBody) != requests[i].body {
					t.Errorf("exchange %d: recorded %s, sent %s", i, x.RequestBody, requests[i].body)
				}
			}
			const head = `{"model":"claude-x","max_tokens":1536,"messages":[{"role":"user","content":"x"}]`
			if got := requests[c.posts-1].body; got != head+c.sent {
				t.Errorf("sent\n %s\nwant\n %s", got, head+c.sent)
			}
			if got := brief(ready.Settings); !reflect.DeepEqual(got, c.settings) {
				t.Errorf("settings %q, want %q", got, c.settings)
			}
			if ready.Context != 200000 || ready.Load != 0 {
				t.Errorf("%+v", ready)
			}
			// A call now sends the same at once and says the same; so does a second look.
			rep, err := m.Call(t.Context(), c.req)
			if err != nil || !reflect.DeepEqual(rep.Settings, ready.Settings) || string(rep.Exchange.RequestBody) != head+c.sent || rep.Prompt.Loaded != 200000 {
				t.Errorf("%+v, %v", rep, err)
			}
			again, err := m.Prepare(t.Context(), c.req)
			if err != nil || len(again.Calls) != 1 || !reflect.DeepEqual(again.Settings, ready.Settings) {
				t.Errorf("%+v, %v", again, err)
			}
			for _, v := range []any{ready, m} {
				if where := modeltest.FindSecret(testKey, v); where != "" {
					t.Errorf("the key is in %T: %s", v, where)
				}
			}
		})
	}
}

func brief(settings []record.Setting) (out []string) {
	for _, s := range settings {
		out = append(out, s.Name+" "+s.Asked+" "+s.State)
		if s.Why == "" || strings.ContainsAny(s.Why, "\r\n") {
			out = append(out, "without a reason of one line")
		}
	}
	return out
}

// TestPrepareKeepsPosturesApart: temperature 0 is refused with thinking on, and taken with thinking off.
func TestPrepareKeepsPosturesApart(t *testing.T) {
	srv := live(t, generations["4.6"])
	m := at(t, srv.URL)
	req := func(thinking model.Thinking) model.Request {
		return model.Request{Messages: user, MaxOutput: 4096, Temperature: f64(0), Thinking: thinking}
	}
	var wg sync.WaitGroup
	for _, thinking := range []model.Thinking{"", "off", "on", "low"} {
		wg.Go(func() {
			if _, err := m.Prepare(t.Context(), req(thinking)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for thinking, want := range map[model.Thinking][]string{"": nil, "off": nil, "on": {"temperature 0 not accepted", "thinking on asked"}, "low": {"temperature 0 not accepted", "thinking low asked"}} {
		rep, err := m.Call(t.Context(), req(thinking))
		if err != nil || !reflect.DeepEqual(brief(rep.Settings), want) {
			t.Errorf("%q: %q, %v", thinking, brief(rep.Settings), err)
		}
	}
}

// TestPrepareFaults: what leaving something out cannot mend is a fault of one line, and no endless asking.
func TestPrepareFaults(t *testing.T) {
	schema := &model.Schema{Name: "s", JSON: []byte(`{"type":"object"}`)}
	for name, c := range map[string]struct {
		status int
		body   string
		kind   model.FaultKind
		posts  int
	}{
		"wrong key":        {401, refusal("authentication_error", "invalid x-api-key"), model.FaultDenied, 1},
		"no model":         {404, refusal("not_found_error", "model: claude-x"), model.FaultNoModel, 1},
		"no credit":        {400, refusal("invalid_request_error", "Your credit balance is too low to access the Anthropic API."), model.FaultDenied, 1},
		"output":           {400, refusal("invalid_request_error", "max_tokens: 1536 > 1000, which is the maximum allowed number of output tokens for claude-x"), model.FaultRejected, 1},
		"an open schema":   {400, refusal("invalid_request_error", "output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly set to false"), model.FaultRejected, 1},
		"busy":             {529, refusal("overloaded_error", "Overloaded"), model.FaultBusy, 1},
		"only temperature": {400, refusal("invalid_request_error", "temperature, top_p: not today"), model.FaultRejected, 3},
		"a tool":           {400, refusal("invalid_request_error", "tools.0.custom: For 'object' type, 'additionalProperties' must be explicitly set to false"), model.FaultRejected, 2},
		"everything":       {400, refusal("invalid_request_error", "temperature top_p display thinking.type.x is not supported effort strict"), model.FaultRejected, 7},
		"mute":             {400, "", model.FaultRejected, 1},
		"not a reply":      {200, `{}`, model.FaultBroken, 1},
	} {
		srv := say(t, c.status, c.body)
		ready, err := at(t, srv.URL).Prepare(t.Context(), model.Request{Messages: user, MaxOutput: 1536, Temperature: f64(0), TopP: f64(1), Thinking: "on", Schema: schema,
			Tools: []model.Tool{{Name: "count", Input: []byte(closed)}}})
		if f := model.AsFault(err); err == nil || f.Kind != c.kind || len(srv.requests()) != c.posts || len(ready.Calls) != c.posts-1 || strings.ContainsAny(f.Msg, "\r\n") || len(f.Exchange.RequestBody) == 0 {
			t.Errorf("%s: %v after %d requests, %d before the fault; want %d", name, err, len(srv.requests()), len(ready.Calls), c.posts)
		}
	}
}

// TestPrepareWithoutModels: a server that does not describe its models still serves them.
func TestPrepareWithoutModels(t *testing.T) {
	srv := serve(t, func(_ http.ResponseWriter, r seen) (int, string) {
		if r.method == "GET" {
			return 404, `{"detail":"Not Found"}`
		}
		return 200, whole
	})
	ready, err := at(t, srv.URL).Prepare(t.Context(), model.Request{Messages: user, MaxOutput: 9})
	if err != nil || ready.Context != 0 || len(ready.Calls) != 2 || ready.Settings != nil {
		t.Errorf("%+v, %v", ready, err)
	}
}
