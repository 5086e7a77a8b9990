package openai

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/modeltest"
	"github.com/assaybench/assay/record"
)

// exchange is one call of a transcript: what must be sent, byte for byte, and what a server of that kind answers.
type exchange struct {
	req  model.Request
	sent string
	got  string
	want model.Reply // Answer, Thinking, Calls, Finish, FinishRaw, Model and Settings' states
}

// TestTranscripts goes through exchanges written after the servers' own published forms.
func TestTranscripts(t *testing.T) {
	zero := 0.0
	tide := model.Tool{Name: "tide", Description: "When it turns.", Input: []byte(`{"type":"object","properties":{"place":{"type":"string"}},"required":["place"],"additionalProperties":false}`)}
	schema := &model.Schema{Name: "tide", JSON: []byte(`{"type":"object","properties":{"turns":{"type":"string"}},"required":["turns"],"additionalProperties":false}`)}
	system, user := model.Message{Role: "system", Text: "You know tides."}, model.Message{Role: "user", Text: "When does it turn?"}
	call := []record.ToolCall{{ID: "call_abc123", Name: "tide", Arguments: "{\n\"place\": \"Brest\"\n}"}}
	const head = `{"model":"mock-1","messages":[{"role":"system","content":"You know tides."},{"role":"user","content":"When does it turn?"}`
	const tools = `,"tools":[{"type":"function","function":{"name":"tide","description":"When it turns.","parameters":{"type":"object","properties":{"place":{"type":"string"}},"required":["place"],"additionalProperties":false},"strict":true}}],"tool_choice":"auto"`
	const format = `,"response_format":{"type":"json_schema","json_schema":{"name":"tide","strict":true,"schema":{"type":"object","properties":{"turns":{"type":"string"}},"required":["turns"],"additionalProperties":false}}}`
	for name, c := range map[string]struct {
		official bool
		server   Server
		calls    []exchange
	}{
		"official": {official: true, calls: []exchange{
			{model.Request{Messages: []model.Message{system, user}, MaxOutput: 1536, Thinking: "high", Tools: []model.Tool{tide}, Schema: schema},
				head + `],"max_completion_tokens":1536` + tools + format + `,"reasoning_effort":"high"}`,
				`{"id":"chatcmpl-B9MHDbslfkBeAs8l4bebGdFOJ6PeG","object":"chat.completion","created":1741570283,"model":"gpt-9-2026-10-01","choices":[{"index":0,"message":{"role":"assistant","content":null,` +
					`"tool_calls":[{"id":"call_abc123","type":"function","function":{"name":"tide","arguments":"{\n\"place\": \"Brest\"\n}"}}],"refusal":null,"annotations":[]},"logprobs":null,"finish_reason":"tool_calls"}],` +
					`"usage":{"prompt_tokens":82,"completion_tokens":81,"total_tokens":163,"prompt_tokens_details":{"cached_tokens":0,"audio_tokens":0},"completion_tokens_details":{"reasoning_tokens":64,"audio_tokens":0,"accepted_prediction_tokens":0,"rejected_prediction_tokens":0}},"service_tier":"default","system_fingerprint":null}`,
				model.Reply{Finish: model.FinishTool, FinishRaw: "tool_calls", Model: "gpt-9-2026-10-01", Calls: call, Settings: []record.Setting{{Name: "schema", State: record.SettingEnforced}, {Name: "tools", State: record.SettingEnforced}}}},
			{model.Request{Messages: []model.Message{system, user, {Role: "assistant", Calls: call}, {Role: "tool", CallID: "call_abc123", Tool: "tide", Text: `{"turns":"noon"}`}}, MaxOutput: 1536, Thinking: "high", Tools: []model.Tool{tide}, Schema: schema},
				head + `,{"role":"assistant","content":"","tool_calls":[{"id":"call_abc123","type":"function","function":{"name":"tide","arguments":"{\n\"place\": \"Brest\"\n}"}}]},` +
					`{"role":"tool","content":"{\"turns\":\"noon\"}","tool_call_id":"call_abc123"}],"max_completion_tokens":1536` + tools + format + `,"reasoning_effort":"high"}`,
				`{"id":"chatcmpl-2","object":"chat.completion","created":1741570290,"model":"gpt-9-2026-10-01","choices":[{"index":0,"message":{"role":"assistant","content":null,"refusal":"I'm sorry, I cannot assist with that request."},"logprobs":null,"finish_reason":"stop"}],"usage":{"prompt_tokens":120,"completion_tokens":11,"total_tokens":131}}`,
				model.Reply{Finish: model.FinishRefusal, FinishRaw: "stop", Model: "gpt-9-2026-10-01", Answer: "I'm sorry, I cannot assist with that request.", Settings: []record.Setting{{Name: "schema", State: record.SettingEnforced}, {Name: "tools", State: record.SettingEnforced}}}},
		}},
		"vLLM": {server: Server{Software: VLLM, Loaded: 32768, Refuses: true, Enforces: true, thoughts: "reasoning"}, calls: []exchange{
			{model.Request{Messages: []model.Message{system, user}, Temperature: &zero, MaxOutput: 1536, Thinking: model.ThinkingOn, Schema: schema},
				head + `],"temperature":0,"max_tokens":1536` + format + `,"chat_template_kwargs":{"enable_thinking":true}}`,
				`{"id":"chatcmpl-9f","object":"chat.completion","created":1764000000,"model":"mock-1","choices":[{"index":0,"message":{"role":"assistant","content":"{\"turns\": \"noon\"}","refusal":null,"annotations":null,"audio":null,"function_call":null,"tool_calls":[],"reasoning":"Tides, then.\n"},"logprobs":null,"finish_reason":"stop","stop_reason":null,"token_ids":null}],` +
					`"service_tier":null,"system_fingerprint":null,"usage":{"prompt_tokens":40,"total_tokens":60,"completion_tokens":20,"prompt_tokens_details":null},"prompt_logprobs":null,"prompt_token_ids":null,"kv_transfer_params":null}`,
				model.Reply{Finish: model.FinishStop, FinishRaw: "stop", Model: "mock-1", Answer: `{"turns": "noon"}`, Thinking: "Tides, then.\n", Settings: []record.Setting{{Name: "schema", State: record.SettingEnforced}}}},
		}},
		"LM Studio": {server: Server{Software: LMStudio, Loaded: 4096, Enforces: true}, calls: []exchange{
			{model.Request{Messages: []model.Message{system, user}, Temperature: &zero, MaxOutput: 1536, Context: 4096, Thinking: model.ThinkingOff},
				head + `],"temperature":0,"max_tokens":1536,"chat_template_kwargs":{"enable_thinking":false}}`,
				`{"id":"chatcmpl-i3","object":"chat.completion","created":1731990317,"model":"mock-1","choices":[{"index":0,"logprobs":null,"finish_reason":"stop","message":{"role":"assistant","content":"At noon.","tool_calls":[]}}],"usage":{"prompt_tokens":24,"completion_tokens":53,"total_tokens":77},"stats":{},"system_fingerprint":"mock-1"}`,
				model.Reply{Finish: model.FinishStop, FinishRaw: "stop", Model: "mock-1", Answer: "At noon.", Settings: []record.Setting{{Name: "thinking", State: record.SettingAsked}}}},
		}},
	} {
		p := &picky{}
		s := httptest.NewServer(p)
		defer s.Close()
		m := at(t, s.URL+"/v1")
		m.Official = c.official
		m.server.Store(&c.server)
		for i, x := range c.calls {
			p.reply = x.got
			rep, err := m.Call(t.Context(), x.req)
			if err != nil || rep.Answer != x.want.Answer || rep.Thinking != x.want.Thinking || rep.Finish != x.want.Finish || rep.FinishRaw != x.want.FinishRaw || rep.Model != x.want.Model || len(rep.Calls) != len(x.want.Calls) {
				t.Errorf("%s %d: %+v, %v", name, i, rep, err)
				continue
			}
			for j, got := range rep.Calls {
				if got != x.want.Calls[j] {
					t.Errorf("%s %d: %+v", name, i, got)
				}
			}
			states := len(rep.Settings) == len(x.want.Settings)
			for j := 0; states && j < len(rep.Settings); j++ {
				states = rep.Settings[j].Name == x.want.Settings[j].Name && rep.Settings[j].State == x.want.Settings[j].State && rep.Settings[j].Why != ""
			}
			if !states {
				t.Errorf("%s %d: settings %+v", name, i, rep.Settings)
			}
			if rep.Prompt.Loaded != c.server.Loaded || rep.Prompt.Refuses != (c.official || c.server.Refuses) {
				t.Errorf("%s %d: %+v", name, i, rep.Prompt)
			}
			if sent := p.bodies[i]; sent != x.sent || string(rep.Exchange.ResponseBody) != x.got {
				t.Errorf("%s %d:\n sent %s\n want %s", name, i, sent, x.sent)
			}
			if where := modeltest.FindSecret(testKey, rep); where != "" || strings.Contains(p.bodies[i], testKey) {
				t.Errorf("%s %d: the key is in the reply: %s", name, i, where)
			}
		}
	}
}
