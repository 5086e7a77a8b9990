package anthropic

import (
	"math"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/wire"
	"github.com/assaybench/assay/record"
)

const closed = `{"type":"object","properties":{"n":{"type":"integer","description":"a count"}},"required":["n"],"additionalProperties":false}`

// TestRequestBytes checks bodies byte for byte, and what is said of each: what the protocol asks for is sent, and nothing
// else.
func TestRequestBytes(t *testing.T) {
	one := []model.Message{{Role: "system", Text: "be brief"}, {Role: "user", Text: "a \"b\"\r\n\x00\u2028<&>é"}}
	const head = `{"model":"claude-x","max_tokens":2000,"system":"be brief","messages":[{"role":"user","content":"a \"b\"\r\n\u0000` + "\u2028" + `<&>é"}]`
	schema := &model.Schema{Name: "answer", JSON: []byte(closed)}
	tools := []model.Tool{{Name: "count", Description: "counts", Input: []byte(closed)}, {Name: "look", Input: []byte(`{"type":"object"}`)}}
	for name, c := range map[string]struct {
		req      model.Request
		limits   limits
		holds    int64
		want     string
		settings []record.Setting
	}{
		"bare":     {want: head + `}`},
		"protocol": {req: model.Request{Temperature: f64(0), TopP: f64(1), Context: 32768}, holds: 200000, want: head + `,"temperature":0,"top_p":1}`},
		"one learned": {req: model.Request{Temperature: f64(0), TopP: f64(0.95)}, limits: limits{partTopP: "Please use only one."}, want: head + `,"temperature":0}`,
			settings: []record.Setting{{Name: "top_p", Asked: "0.95", State: "not accepted", Why: "sampling not accepted: Please use only one."}}},
		"none learned": {req: model.Request{Temperature: f64(0), TopP: f64(1)}, limits: limits{partTopP: "no p", partTemperature: "no t"}, want: head + `}`,
			settings: []record.Setting{{Name: "temperature", Asked: "0", State: "not accepted", Why: "sampling not accepted: no t"},
				{Name: "top_p", Asked: "1", State: "not accepted", Why: "sampling not accepted: no p"}}},
		"seed": {req: model.Request{Seed: i64(7)}, want: head + `}`, settings: []record.Setting{{Name: "seed", Asked: "7", State: "not accepted", Why: "the Messages API has no seed"}}},
		"context": {req: model.Request{Context: 300000}, holds: 200000, want: head + `}`,
			settings: []record.Setting{{Name: "context", Asked: "300000", State: "not accepted", Why: "the model holds 200000 tokens"}}},
		"thinking off": {req: model.Request{Thinking: "off"}, want: head + `,"thinking":{"type":"disabled"}}`},
		"off, never":   {req: model.Request{Thinking: "off"}, limits: limits{partDisabled: "always on"}, want: head + `}`, settings: []record.Setting{{Name: "thinking", Asked: "off", State: "not accepted", Why: "always on"}}},
		"off, between": {req: model.Request{Thinking: "off"}, limits: limits{partDisabled: "use between_tools", offersBetween: "use between_tools"}, want: head + `,"thinking":{"type":"between_tools"}}`,
			settings: []record.Setting{{Name: "thinking", Asked: "off", State: "asked", Why: "the model takes no thinking off; sent was between_tools, its least, which leaves short notes between calls of tools"}}},
		"off, not even between": {req: model.Request{Thinking: "off"}, limits: limits{partDisabled: "use between_tools", offersBetween: "use between_tools", partBetween: "no"}, want: head + `}`,
			settings: []record.Setting{{Name: "thinking", Asked: "off", State: "not accepted", Why: "no"}}},
		"thinking on": {req: model.Request{Thinking: "on"}, want: head + `,"thinking":{"type":"adaptive","display":"summarized"}}`,
			settings: []record.Setting{{Name: "thinking", Asked: "on", State: "asked", Why: "adaptive: the model decides whether and how much it thinks; " + shown}}},
		"on, no display": {req: model.Request{Thinking: "on"}, limits: limits{partDisplay: "?"}, want: head + `,"thinking":{"type":"adaptive"}}`,
			settings: []record.Setting{{Name: "thinking", Asked: "on", State: "asked", Why: "adaptive: the model decides whether and how much it thinks; " + shown}}},
		"on, by budget": {req: model.Request{Thinking: "on"}, limits: limits{partAdaptive: "no"}, want: head + `,"thinking":{"type":"enabled","budget_tokens":1024,"display":"summarized"}}`,
			settings: []record.Setting{{Name: "thinking", Asked: "on", State: "asked", Why: "a fixed budget of 1024 of the 2000 tokens of output, since the model takes no adaptive thinking; " + shown}}},
		"on, no way": {req: model.Request{Thinking: "on"}, limits: limits{partAdaptive: "no", partEnabled: "none at all"}, want: head + `}`,
			settings: []record.Setting{{Name: "thinking", Asked: "on", State: "not accepted", Why: "none at all"}}},
		"a level": {req: model.Request{Thinking: "xhigh"}, want: head + `,"thinking":{"type":"adaptive","display":"summarized"},"output_config":{"effort":"xhigh"}}`,
			settings: []record.Setting{{Name: "thinking", Asked: "xhigh", State: "asked", Why: "a level guides the model and binds it to nothing; " + shown}}},
		"a level, by budget": {req: model.Request{Thinking: "low"}, limits: limits{partAdaptive: "no"}, want: head + `,"thinking":{"type":"enabled","budget_tokens":1024,"display":"summarized"},"output_config":{"effort":"low"}}`,
			settings: []record.Setting{{Name: "thinking", Asked: "low", State: "asked", Why: "a fixed budget of 1024 of the 2000 tokens of output, since the model takes no adaptive thinking; " + shown}}},
		"a level alone": {req: model.Request{Thinking: "low"}, limits: limits{partAdaptive: "no", partEnabled: "none"}, want: head + `,"output_config":{"effort":"low"}}`,
			settings: []record.Setting{{Name: "thinking", Asked: "low", State: "asked", Why: "the level was sent, thinking was not asked for: none"}}},
		"no levels": {req: model.Request{Thinking: "low"}, limits: limits{partEffort: "no effort"}, want: head + `}`,
			settings: []record.Setting{{Name: "thinking", Asked: "low", State: "not accepted", Why: "no effort"}}},
		"schema": {req: model.Request{Schema: schema}, want: head + `,"output_config":{"format":{"type":"json_schema","schema":` + closed + `}}}`,
			settings: []record.Setting{{Name: "schema", Asked: "answer", State: "enforced", Why: "output_config.format; a refusal or a cut reply may still not follow it"}}},
		"schema and level": {req: model.Request{Schema: schema, Thinking: "low"}, want: head + `,"thinking":{"type":"adaptive","display":"summarized"},"output_config":{"effort":"low","format":{"type":"json_schema","schema":` + closed + `}}}`,
			settings: []record.Setting{{Name: "thinking", Asked: "low", State: "asked", Why: "a level guides the model and binds it to nothing; " + shown},
				{Name: "schema", Asked: "answer", State: "enforced", Why: "output_config.format; a refusal or a cut reply may still not follow it"}}},
		"no schemas": {req: model.Request{Schema: schema}, limits: limits{partFormat: "no formats"}, want: head + `}`, settings: []record.Setting{{Name: "schema", Asked: "answer", State: "not accepted", Why: "no formats"}}},
		"tools": {req: model.Request{Tools: tools}, want: head + `,"tools":[{"name":"count","description":"counts","input_schema":` + closed + `,"strict":true},{"name":"look","input_schema":{"type":"object"}}]}`,
			settings: []record.Setting{{Name: "tools", Asked: "2", State: "asked", Why: `the tool look is not strict: its schema does not say "additionalProperties": false of every object`}}},
		"strict tools": {req: model.Request{Tools: tools[:1]}, want: head + `,"tools":[{"name":"count","description":"counts","input_schema":` + closed + `,"strict":true}]}`,
			settings: []record.Setting{{Name: "tools", Asked: "1", State: "enforced", Why: "every tool is strict: names and arguments follow its schema"}}},
		"no strict tools": {req: model.Request{Tools: tools[:1]}, limits: limits{partStrict: "too large"}, want: head + `,"tools":[{"name":"count","description":"counts","input_schema":` + closed + `}]}`,
			settings: []record.Setting{{Name: "tools", Asked: "1", State: "asked", Why: "strict tools not accepted: too large"}}},
	} {
		t.Run(name, func(t *testing.T) {
			m := &Model{Client: &wire.Client{Spec: model.Spec{Name: "claude-x"}}}
			c.req.Messages, c.req.MaxOutput = one, 2000
			p := newPlan(c.req, c.limits, c.holds)
			got, err := m.appendRequest(nil, c.req, p)
			if err != nil || string(got) != c.want {
				t.Errorf("\n got %s\nwant %s (%v)", got, c.want, err)
			}
			if !reflect.DeepEqual(p.settings, c.settings) {
				t.Errorf("settings\n got %+v\nwant %+v", p.settings, c.settings)
			}
			var v any
			if err := json.Unmarshal(got, &v); err != nil {
				t.Errorf("not JSON: %v", err)
			}
		})
	}
}

// TestBudget: half of the output, never under the API's least, and never as much as the whole output.
func TestBudget(t *testing.T) {
	for output, want := range map[int]int{1: 0, 1024: 0, 1025: 1024, 1536: 1024, 2048: 1024, 4096: 2048, 64000: 32000} {
		p := newPlan(model.Request{Thinking: "on", MaxOutput: output}, limits{partAdaptive: "no"}, 0)
		if p.budget != want || p.budget >= output || (want == 0) != (p.settings[0].State == "not accepted") {
			t.Errorf("output %d: budget %d, want %d; %+v", output, p.budget, want, p.settings)
		}
	}
	p := newPlan(model.Request{Thinking: "on", MaxOutput: 1000}, limits{partAdaptive: "no"}, 0)
	if want := "the model thinks by a fixed budget of at least 1024 tokens, and the output limit of 1000 leaves no room for it and an answer"; p.settings[0].Why != want || p.thinking != "" {
		t.Errorf("%+v", p)
	}
}

func TestConversationBytes(t *testing.T) {
	native := `[ {"type":"thinking","thinking":"","signature":"c2ln"},{"type":"text","text":"Look."}, {"type":"tool_use","id":"toolu_1","name":"look","input":{"a":1.0}} ]`
	for name, c := range map[string]struct {
		messages []model.Message
		want     string
	}{
		"two system messages": {[]model.Message{{Role: "system", Text: "a"}, {Role: "system", Text: "b"}, {Role: "user", Text: "c"}},
			`,"system":[{"type":"text","text":"a"},{"type":"text","text":"b"}],"messages":[{"role":"user","content":"c"}]`},
		"two user messages": {[]model.Message{{Role: "user", Text: "a"}, {Role: "user", Text: "b"}},
			`,"messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}]`},
		"turns": {[]model.Message{{Role: "user", Text: "a"}, {Role: "assistant", Text: "b"}, {Role: "user", Text: "c"}},
			`,"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}]`},
		"native": {[]model.Message{{Role: "user", Text: "a"}, {Role: "assistant", Text: "Look.", Native: []byte(native)}, {Role: "tool", CallID: "toolu_1", Tool: "look", Text: "7"}},
			`,"messages":[{"role":"user","content":"a"},{"role":"assistant","content":` + native + `},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"7"}]}]`},
		"native with an empty text": {[]model.Message{{Role: "user", Text: "a"}, {Role: "assistant", Native: []byte(`[{"type":"text","text":""} , {"type":"tool_use","id":"t","name":"n","input":{}}]`)}, {Role: "tool", CallID: "t"}},
			`,"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"n","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":""}]}]`},
		"another provider's turn": {[]model.Message{{Role: "user", Text: "a"}, {Role: "assistant", Text: "b", Thinking: "unsigned", Calls: []record.ToolCall{{ID: "c1", Name: "n", Arguments: `{"x": [1, 2]}`}, {ID: "c2", Name: "m"}},
			Native: []byte(`[{"type":"reasoning","id":"rs_1"}]`)}, {Role: "tool", CallID: "c1", Text: "no such file", Failed: true}, {Role: "tool", CallID: "c2", Text: "ok"}, {Role: "user", Text: "go on"}},
			`,"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"text","text":"b"},{"type":"tool_use","id":"c1","name":"n","input":{"x": [1, 2]}},{"type":"tool_use","id":"c2","name":"m","input":{}}]},` +
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"no such file","is_error":true},{"type":"tool_result","tool_use_id":"c2","content":"ok"},{"type":"text","text":"go on"}]}]`},
		"two assistant messages": {[]model.Message{{Role: "user", Text: "a"}, {Role: "assistant", Text: "b"}, {Role: "assistant", Native: []byte(`[{"type":"text","text":"c"}]`)}, {Role: "user", Text: "d"}},
			`,"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"text","text":"b"},{"type":"text","text":"c"}]},{"role":"user","content":"d"}]`},
	} {
		got, err := appendConversation(nil, c.messages)
		if err != nil || string(got) != c.want {
			t.Errorf("%s:\n got %s\nwant %s (%v)", name, got, c.want, err)
		}
	}
}

func TestRequestsThatCannotBeSent(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	turn := func(m model.Message) []model.Message { return []model.Message{{Role: "user", Text: "x"}, m} }
	srv := say(t, 200, reply(text("ok"), "end_turn"))
	m := at(t, srv.URL)
	for want, req := range map[string]model.Request{
		"no message to answer":            {MaxOutput: 9, Messages: []model.Message{{Role: "system", Text: "x"}}},
		"wants an output limit":           {Messages: user},
		"message 1 is not UTF-8":          {MaxOutput: 9, Messages: []model.Message{{Role: "user", Text: "caf\xe9"}}},
		"temperature is not a finite":     {MaxOutput: 9, Messages: user, Temperature: &nan},
		"top_p is not a finite":           {MaxOutput: 9, Messages: user, TopP: &inf},
		"the effort is not UTF-8":         {MaxOutput: 9, Messages: user, Thinking: "\xff"},
		`has the role "developer"`:        {MaxOutput: 9, Messages: []model.Message{{Role: "developer"}}},
		"message 2 is a system message":   {MaxOutput: 9, Messages: turn(model.Message{Role: "system", Text: "y"})},
		"message 2 is a tool's result":    {MaxOutput: 9, Messages: turn(model.Message{Role: "tool", Text: "y"})},
		"without text or calls":           {MaxOutput: 9, Messages: turn(model.Message{Role: "assistant"})},
		"are not one JSON object":         {MaxOutput: 9, Messages: turn(model.Message{Role: "assistant", Calls: []record.ToolCall{{ID: "1", Name: "n", Arguments: `{"a":`}}})},
		`call to "list" are not one JSON`: {MaxOutput: 9, Messages: turn(model.Message{Role: "assistant", Calls: []record.ToolCall{{ID: "1", Name: "list", Arguments: `[]`}}})},
		"was not UTF-8 when it was":       {MaxOutput: 9, Messages: turn(model.Message{Role: "assistant", Native: []byte("[{\"type\":\"text\",\"text\":\"\xff\"}]")})},
		`schema "s" is not one JSON`:      {MaxOutput: 9, Messages: user, Schema: &model.Schema{Name: "s", JSON: []byte(`{} {}`)}},
		`schema of the tool "t" is not`:   {MaxOutput: 9, Messages: user, Tools: []model.Tool{{Name: "t", Input: []byte(`[]`)}}},
	} {
		_, err := m.Call(t.Context(), req)
		if f := model.AsFault(err); err == nil || f.Kind != model.FaultOurs || !strings.Contains(f.Msg, want) || f.Exchange.Endpoint != "POST "+srv.URL+"/v1/messages" {
			t.Errorf("%v; want %q", err, want)
		}
		if _, err := m.Prepare(t.Context(), req); err == nil || model.AsFault(err).Kind != model.FaultOurs {
			t.Errorf("Prepare: %v; want %q", err, want)
		}
	}
	if n := len(srv.requests()); n != 0 {
		t.Errorf("%d requests were sent", n)
	}
}

// TestWire looks at a request as the server gets it, and at what is recorded of it.
func TestWire(t *testing.T) {
	srv := say(t, 200, reply(text("ok"), "end_turn"))
	m := at(t, srv.URL)
	rep, err := m.Call(t.Context(), model.Request{Messages: user, MaxOutput: 1536, Temperature: f64(0)})
	if err != nil {
		t.Fatal(err)
	}
	got := srv.requests()[0]
	const want = `{"model":"claude-x","max_tokens":1536,"messages":[{"role":"user","content":"x"}],"temperature":0}`
	if got.method != "POST" || got.uri != "/v1/messages" || got.body != want {
		t.Errorf("got %s %s %s", got.method, got.uri, got.body)
	}
	got.header.Del("Content-Length") // net/http's own
	got.header.Del("Accept-Encoding")
	if want := (http.Header{"X-Api-Key": {testKey}, "Anthropic-Version": {"2023-06-01"}, "Content-Type": {"application/json"}, "Accept": {"application/json"}, "User-Agent": {"assay"}}); !reflect.DeepEqual(got.header, want) {
		t.Errorf("header %v", got.header)
	}
	x := rep.Exchange
	if x.Endpoint != "POST "+srv.URL+"/v1/messages" || x.Status != 200 || string(x.RequestBody) != want || x.RequestHeader["X-Api-Key"] != nil || x.RequestHeader["Anthropic-Version"][0] != "2023-06-01" ||
		x.ResponseHeader["Request-Id"][0] != "req_011CSHoEeqs5C35K2UUqR7Fy" || x.Error != "" {
		t.Errorf("recorded %+v", x)
	}
	if rep.Model != "claude-x-20260101" || rep.Timing.Total != x.Elapsed || x.Elapsed <= 0 || rep.Settings != nil || rep.Prompt != (model.Prompted{}) {
		t.Errorf("%+v", rep)
	}
}

// TestRefusesIsKnownOfTheOfficialServerOnly: others with this protocol cut what does not fit.
func TestRefusesIsKnownOfTheOfficialServerOnly(t *testing.T) {
	srv := say(t, 200, reply(text("ok"), "end_turn"))
	m := at(t, srv.URL)
	m.Official = true
	m.holds.Store(200000)
	rep, err := m.Call(t.Context(), model.Request{Messages: user, MaxOutput: 9})
	if err != nil || rep.Prompt != (model.Prompted{Refuses: true, Loaded: 200000}) {
		t.Errorf("%+v, %v", rep.Prompt, err)
	}
}

func TestNew(t *testing.T) {
	for _, c := range []struct {
		url  string
		env  []string
		want string // in the error, or the base address
		ok   bool
	}{
		{"", nil, "ANTHROPIC_API_KEY is not set: set it, or give your own server as anthropic/x@http://HOST:PORT", false},
		{"", []string{keyVariable, testKey}, "https://api.anthropic.com", true},
		{"", []string{keyVariable, testKey, "ANTHROPIC_BASE_URL", "http://127.0.0.1:1/"}, "http://127.0.0.1:1", true},
		{"http://127.0.0.1:2", []string{"ANTHROPIC_BASE_URL", "http://127.0.0.1:1"}, "http://127.0.0.1:2", true},
		{"http://127.0.0.1:2/v1", nil, "http://127.0.0.1:2", true},
		{"http://127.0.0.1:2/gateway", nil, "http://127.0.0.1:2/gateway", true},
		{"http://192.168.1.5:8080", []string{keyVariable, testKey}, "unencrypted to 192.168.1.5:8080", false},
		{"", []string{keyVariable, "two words-and-more"}, "a character that no key has", false},
		{"", []string{"ANTHROPIC_BASE_URL", "127.0.0.1:80"}, "ANTHROPIC_BASE_URL", false},
	} {
		m, err := New(Options{Spec: model.Spec{Raw: "anthropic/x", Provider: "anthropic", Name: "x", URL: c.url}, Getenv: env(c.env...)})
		switch {
		case c.ok && (err != nil || m.Base != c.want || m.Official != (c.want == "https://api.anthropic.com")):
			t.Errorf("%s %v: %v", c.url, len(c.env), err)
		case !c.ok && (err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), testKey) || strings.Contains(err.Error(), "\n")):
			t.Errorf("%s: %v; want %q", c.url, err, c.want)
		}
	}
}

func TestStrictable(t *testing.T) {
	for schema, want := range map[string]string{
		closed: "",
		`{"type":"object","properties":{"a":{"type":"array","items":{"type":"string"}},"b":{"anyOf":[{"type":"null"},{"type":"string","enum":["x","y",null,1]}]},"c":{"const":1,"title":"t"}},"additionalProperties":false}`: "",
		`{"type":"object","additionalProperties":false}`: "",
		`{"type":"object"}`:                                                                                            `does not say "additionalProperties"`,
		`{"type":"object","additionalProperties":true}`:                                                                "lets further properties in",
		`{"type":"object","additionalProperties":{"type":"string"}}`:                                                   "lets further properties in",
		`{"type":"object","properties":{"a":{"type":"object"}},"additionalProperties":false}`:                          `does not say "additionalProperties"`,
		`{"type":"object","properties":{"a":{"type":"array","items":{"type":"object"}}},"additionalProperties":false}`: `does not say "additionalProperties"`,
		`{"type":"object","properties":{"a":{"type":"integer","minimum":1}},"additionalProperties":false}`:             `has "minimum"`,
		`{"type":"object","properties":{"a":{"type":["string","null"]}},"additionalProperties":false}`:                 "no single name",
		`{"type":"object","properties":{"a":{"$ref":"#"}},"additionalProperties":false}`:                               `has "$ref"`,
		`{"type":"object","properties":{"a":{"enum":[{"b":1}]}},"additionalProperties":false}`:                         "more than plain values",
		`{"type":"object","properties":{"a":true},"additionalProperties":false}`:                                       "is no object",
		`{"type":"object","properties":{"a":{"anyOf":[{"pattern":"x"}]}},"additionalProperties":false}`:                `has "pattern"`,
		`{"type":"object","properties":[],"additionalProperties":false}`:                                               "properties",
		`{"type":"object","anyOf":{},"additionalProperties":false}`:                                                    "anyOf",
		`{"type":"object","required":"a","additionalProperties":false}`:                                                "required",
		`{"type":"string"}`: `not of type "object"`,
		`{}`:                `not of type "object"`,
		`[]`:                "is no object",
		strings.Repeat(`{"type":"array","items":`, 40) + `{}` + strings.Repeat(`}`, 40):                                                                             `not of type "object"`,
		`{"type":"object","additionalProperties":false,"properties":{"a":` + strings.Repeat(`{"type":"array","items":`, 40) + `{}` + strings.Repeat(`}`, 40) + `}}`: "too deep",
	} {
		if got := strictable([]byte(schema)); (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("%.120s: %q, want %q", schema, got, want)
		}
	}
}
