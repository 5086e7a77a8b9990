package anthropic

import (
	"reflect"
	"strings"
	"testing"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/wire"
	"github.com/assaybench/assay/record"
)

func read(body string) (model.Reply, *model.Fault) {
	m, err := New(Options{Spec: model.Spec{Raw: "anthropic/x@http://127.0.0.1:1", Name: "x", URL: "http://127.0.0.1:1"}})
	if err != nil {
		panic(err)
	}
	return m.readReply(&wire.Response{Exchange: record.Exchange{Status: 200, ResponseBody: []byte(body), ResponseHeader: map[string][]string{"Content-Type": {"application/json; charset=utf-8"}}}})
}

func TestReadReply(t *testing.T) {
	const (
		thought = `{"type":"thinking","thinking":"hm","signature":"EqQB"}`
		call    = `{"type":"tool_use","id":"toolu_01","name":"look","input":{"b": 1.0, "a" : "\u00e9"}}`
	)
	for name, c := range map[string]struct {
		blocks, stop     string
		answer, thinking string
		finish           model.Finish
		calls            []record.ToolCall
	}{
		"plain":             {text("a"), "end_turn", "a", "", model.FinishStop, nil},
		"nothing":           {"", "end_turn", "", "", model.FinishStop, nil},
		"an empty text":     {text(""), "end_turn", "", "", model.FinishStop, nil},
		"two texts":         {text("a") + "," + text("b"), "end_turn", "ab", "", model.FinishStop, nil},
		"escapes":           {`{"type":"text","text":"\u0000\ud83e\udd8a\/\r\n"}`, "end_turn", "\x00🦊/\r\n", "", model.FinishStop, nil},
		"half a surrogate":  {`{"type":"text","text":"a\ud83e"}`, "end_turn", "a\ufffd", "", model.FinishStop, nil},
		"broken UTF-8":      {"{\"type\":\"text\",\"text\":\"a\xf0\x9f\"}", "max_tokens", "a\ufffd\ufffd", "", model.FinishLength, nil},
		"thinking":          {thought + "," + text("a"), "end_turn", "a", "hm", model.FinishStop, nil},
		"thinking twice":    {thought + "," + text("a") + "," + thought + "," + text("b"), "end_turn", "ab", "hm\n\nhm", model.FinishStop, nil},
		"thinking omitted":  {`{"type":"thinking","thinking":"","signature":"EqQB"},` + text("a"), "end_turn", "a", "", model.FinishStop, nil},
		"redacted":          {`{"type":"redacted_thinking","data":"EmwK"},` + text("a"), "end_turn", "a", "", model.FinishStop, nil},
		"think tags stay":   {text("<think>t</think>a"), "end_turn", "<think>t</think>a", "", model.FinishStop, nil},
		"cut in thinking":   {thought, "max_tokens", "", "hm", model.FinishLength, nil},
		"context full":      {text("a"), "model_context_window_exceeded", "a", "", model.FinishContext, nil},
		"stop sequence":     {text("a"), "stop_sequence", "a", "", model.FinishStop, nil},
		"refusal":           {text("I can"), "refusal", "I can", "", model.FinishRefusal, nil},
		"refusal, empty":    {"", "refusal", "", "", model.FinishRefusal, nil},
		"paused":            {text("a"), "pause_turn", "a", "", "pause_turn", nil},
		"a word of its own": {text("a"), "compaction", "a", "", "compaction", nil},
		"citations":         {`{"type":"text","text":"a","citations":null}`, "end_turn", "a", "", model.FinishStop, nil},
		"a call": {text("Look.") + "," + call, "tool_use", "Look.", "", model.FinishTool,
			[]record.ToolCall{{ID: "toolu_01", Name: "look", Arguments: `{"b": 1.0, "a" : "\u00e9"}`}}},
		"a name twice in arguments": {`{"type":"tool_use","id":"t","name":"n","input":{"a":1,"a":2}}`, "tool_use", "", "", model.FinishTool,
			[]record.ToolCall{{ID: "t", Name: "n", Arguments: `{"a":1,"a":2}`}}},
		"arguments that are no object": {`{"type":"tool_use","id":"t","name":"n","input":"{\"a\":"}`, "tool_use", "", "", model.FinishTool,
			[]record.ToolCall{{ID: "t", Name: "n", Arguments: `"{\"a\":"`}}},
	} {
		rep, f := read(reply(c.blocks, c.stop))
		if f != nil || rep.Answer != c.answer || rep.Thinking != c.thinking || rep.Finish != c.finish || rep.FinishRaw != c.stop || !reflect.DeepEqual(rep.Calls, c.calls) || rep.Unclosed {
			t.Errorf("%s: %+v, fault %v", name, rep, f)
		}
		want := "[" + c.blocks + "]"
		if c.blocks == "" {
			want = ""
		}
		if string(rep.Native) != want {
			t.Errorf("%s: native %s, want %s", name, rep.Native, want)
		}
	}
}

func TestRefusalCategory(t *testing.T) {
	rep, f := read(`{"type":"message","content":[],"stop_reason":"refusal","stop_details":{"type":"refusal","category":"cyber","explanation":"…"},"usage":null}`)
	if f != nil || rep.Finish != model.FinishRefusal || rep.FinishRaw != "refusal: cyber" {
		t.Errorf("%+v, %v", rep, f)
	}
	if tr := model.Transcribe(model.Request{}, rep, nil); tr.Outcome != record.Refused || !strings.Contains(tr.Reason, "refusal: cyber") {
		t.Errorf("%+v", tr)
	}
	for _, odd := range []string{`null`, `7`, `{"category":null}`, `{"category":{}}`, `[]`} {
		if rep, f := read(`{"type":"message","content":[],"stop_reason":"refusal","stop_details":` + odd + `}`); f != nil || rep.FinishRaw != "refusal" {
			t.Errorf("%s: %+v, %v", odd, rep, f)
		}
	}
}

// TestPausedIsNoAnswer: neither whole nor cut by the model, so it is measured as neither.
func TestPausedIsNoAnswer(t *testing.T) {
	rep, f := read(reply(text("half"), "pause_turn"))
	if f != nil {
		t.Fatal(f)
	}
	if tr := model.Transcribe(model.Request{}, rep, nil); tr.Outcome != record.Error || !strings.Contains(tr.Reason, "pause_turn") {
		t.Errorf("%+v", tr)
	}
}

func TestRepliesThatAreBroken(t *testing.T) {
	for body, want := range map[string]string{
		``:                   "not one whole JSON value",
		`{`:                  "not one whole JSON value",
		`[]`:                 "not one whole JSON value",
		`null`:               "no message",
		`{}`:                 "no message",
		`{"choices":[]}`:     "no message",
		`{"type":"ping"}`:    `type "ping"`,
		`{"type":"message"}`: "no content",
		`{"type":"message","content":null,"stop_reason":"end_turn"}`:            "no content",
		`{"type":"message","content":"a","stop_reason":"end_turn"}`:             "known form",
		`{"type":"message","content":[]}`:                                       "no stop_reason",
		`{"type":"message","content":[],"stop_reason":null}`:                    "no stop_reason",
		`{"type":"message","content":[],"stop_reason":""}`:                      "no stop_reason",
		`{"type":"message","content":[],"stop_reason":7}`:                       "known form",
		`{"type":"message","content":[],"stop_reason":"tool_use"}`:              "asks for none",
		reply(`{"type":"text"}`, "end_turn"):                                    "without text",
		reply(`{"type":"text","text":null}`, "end_turn"):                        "without text",
		reply(`{"type":"text","text":7}`, "end_turn"):                           "known form",
		reply(`{"text":"a"}`, "end_turn"):                                       `type ""`,
		reply(`null`, "end_turn"):                                               `type ""`,
		reply(`{"type":"server_tool_use","id":"1"}`, "end_turn"):                `type "server_tool_use"`,
		reply(`{"type":"tool_use","name":"n","input":{}}`, "tool_use"):          "without saying which",
		reply(`{"type":"tool_use","id":"1","input":{}}`, "tool_use"):            "without saying which",
		reply(`{"type":"tool_use","id":"1","name":"n"}`, "tool_use"):            "without saying which",
		`{"type":"message","content":[],"content":[],"stop_reason":"end_turn"}`: "duplicate",
		reply(`{"type":"text","text":"a","text":"b"}`, "end_turn"):              "duplicate",
		reply(text("a"), "end_turn") + "x":                                      "not one whole JSON value",
	} {
		rep, f := read(body)
		if f == nil || f.Kind != model.FaultBroken || !strings.Contains(f.Msg, want) || strings.ContainsAny(f.Msg, "\r\n") {
			t.Errorf("%s: %v (%+v), want %q", body, f, rep, want)
		}
	}
}

func TestUsage(t *testing.T) {
	for usage, want := range map[string][4]int64{ // prompt, output, thinking, cached; 0 for not said
		`null`: {}, `{}`: {}, `{"input_tokens":0,"output_tokens":0}`: {}, `{"input_tokens":-3}`: {}, `{"input_tokens":"9"}`: {}, `7`: {},
		`{"input_tokens":9,"output_tokens":4}`: {9, 4, 0, 0},
		`{"input_tokens":9,"output_tokens":4,"cache_read_input_tokens":null,"output_tokens_details":null}`:                                                    {9, 4, 0, 0},
		`{"input_tokens":9,"cache_read_input_tokens":2000,"cache_creation_input_tokens":300,"output_tokens":4,"output_tokens_details":{"thinking_tokens":3}}`: {2309, 4, 3, 2000},
		`{"input_tokens":0,"cache_read_input_tokens":2000}`:                                                                                                   {2000, 0, 0, 2000},
		`{"input_tokens":9223372036854775807,"cache_creation_input_tokens":9223372036854775807}`:                                                              {},
	} {
		rep, f := read(`{"type":"message","content":[],"stop_reason":"end_turn","model":7,"usage":` + usage + `}`)
		if f != nil {
			t.Errorf("%s: %v", usage, f)
			continue
		}
		for i, p := range []*int64{rep.Usage.Prompt, rep.Usage.Output, rep.Usage.Thinking, rep.Usage.Cached} {
			if (p == nil) != (want[i] == 0) || (p != nil && *p != want[i]) {
				t.Errorf("%s: count %d is %v", usage, i, p)
			}
		}
	}
}

func FuzzReadReply(f *testing.F) {
	m, err := New(Options{Spec: model.Spec{Raw: "anthropic/x@http://127.0.0.1:1", Name: "x", URL: "http://127.0.0.1:1"}})
	if err != nil {
		f.Fatal(err)
	}
	for _, s := range []string{reply(text("a"), "end_turn"), reply(`{"type":"tool_use","id":"t","name":"n","input":{"a":1,"a":2}}`, "tool_use"), refusal("overloaded_error", "Overloaded"),
		reply(`{"type":"thinking","thinking":"t","signature":"s"},{"type":"redacted_thinking","data":"d"}`, "max_tokens"), `{"type":"message","content":[null],"stop_reason":"x"}`} {
		f.Add(s, 200)
		f.Add(s, 400)
	}
	f.Fuzz(func(t *testing.T, body string, status int) {
		got := &wire.Response{Exchange: record.Exchange{Status: status, ResponseBody: []byte(body)}}
		if fault := m.fault(t.Context(), got); fault != nil {
			if strings.ContainsAny(fault.Msg, "\n\r\x1b") {
				t.Fatalf("more than one line: %q", fault.Msg)
			}
			return
		}
		rep, fault := m.readReply(got)
		if fault != nil {
			if strings.ContainsAny(fault.Msg, "\n\r\x1b") || fault.Msg == "" {
				t.Fatalf("not one line: %q", fault.Msg)
			}
			return
		}
		if rep.FinishRaw == "" || !strings.Contains(body, "message") {
			t.Fatalf("%q became the reply %+v", body, rep)
		}
		// Whatever came back can be handed back, or is refused with a reason.
		if len(rep.Native) > 0 || rep.Answer != "" {
			if _, err := appendConversation(nil, []model.Message{{Role: "user", Text: "x"}, rep.Turn()}); err != nil && !strings.Contains(err.Error(), "UTF-8") && !strings.Contains(err.Error(), "without text or calls") {
				t.Fatalf("%q cannot be handed back: %v", body, err)
			}
		}
	})
}

func FuzzStrictable(f *testing.F) {
	f.Add([]byte(closed))
	f.Add([]byte(`{"type":"object","properties":{"a":{"anyOf":[{"type":"null"}]}},"additionalProperties":false}`))
	f.Fuzz(func(t *testing.T, schema []byte) {
		if strictable(schema) == "" && !isObject(schema) {
			t.Fatalf("%q is strict and no object", schema)
		}
	})
}
