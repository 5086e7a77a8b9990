package anthropic

import (
	"net/http"
	"testing"

	"github.com/assaybench/assay/model"
)

// TestTranscript is one conversation of three turns, written by hand after the published schema: signed thinking, two
// calls at once of which one fails, an answer, a further question. Every request is checked byte for byte.
func TestTranscript(t *testing.T) {
	const (
		input = `{"type":"object","properties":{"path":{"type":"string"}},"required":["path"],"additionalProperties":false}`
		tail  = `,"thinking":{"type":"adaptive","display":"summarized"},"output_config":{"effort":"medium"},` +
			`"tools":[{"name":"read_file","description":"Reads a text file.","input_schema":` + input + `,"strict":true}]}`
		head  = `{"model":"claude-x","max_tokens":16000,"system":"Answer from the files.","messages":[{"role":"user","content":"Which sum is larger?"}`
		first = `[{"type":"thinking","thinking":"I need both files.","signature":"EqQBCgIYAhIkYjQ0"},{"type":"redacted_thinking","data":"EmwKAhgBEgy3va3p"},` +
			`{"type":"text","text":"I read both."},{"type":"tool_use","id":"toolu_01A09q90qw90lq917835lq9","name":"read_file","input":{"path":"a.txt"}},` +
			`{"type":"tool_use","id":"toolu_01B","name":"read_file","input":{ "path" : "b.txt" }}]`
		second = `[{"type":"text","text":"The first: 71.50."}]`
		result = `{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_01A09q90qw90lq917835lq9","content":"71.50"},` +
			`{"type":"tool_result","tool_use_id":"toolu_01B","content":"no such file","is_error":true}]}`
	)
	message := func(content, stop, usage string) string {
		return `{"id":"msg_01XFDUDYJgAACzvnptvVoYEL","type":"message","role":"assistant","model":"claude-x-20260101","content":` + content + `,"stop_reason":"` + stop +
			`","stop_sequence":null,"stop_details":null,"container":null,"usage":` + usage + `}`
	}
	steps := []struct{ want, answer string }{
		{head + `]` + tail, message(first, "tool_use", `{"input_tokens":21,"cache_creation_input_tokens":188086,"cache_read_input_tokens":0,"cache_creation":{"ephemeral_5m_input_tokens":188086,"ephemeral_1h_input_tokens":0},"output_tokens":393,"output_tokens_details":{"thinking_tokens":120},"service_tier":"standard"}`)},
		{head + `,{"role":"assistant","content":` + first + `},` + result + `]` + tail, message(second, "end_turn", `{"input_tokens":21,"cache_read_input_tokens":188086,"cache_creation_input_tokens":0,"output_tokens":9}`)},
		{head + `,{"role":"assistant","content":` + first + `},` + result + `,{"role":"assistant","content":` + second + `},{"role":"user","content":"By how much?"}]` + tail, message(`[{"type":"text","text":"I do not know."}]`, "end_turn", `{"input_tokens":5,"output_tokens":6}`)},
	}
	step := 0
	srv := serve(t, func(_ http.ResponseWriter, r seen) (int, string) {
		if r.method != "POST" || r.uri != "/v1/messages" || r.body != steps[step].want {
			t.Errorf("step %d: %s %s\n got %s\nwant %s", step, r.method, r.uri, r.body, steps[step].want)
		}
		step++
		return 200, steps[step-1].answer
	})
	m := at(t, srv.URL)
	req := model.Request{MaxOutput: 16000, Thinking: "medium", Tools: []model.Tool{{Name: "read_file", Description: "Reads a text file.", Input: []byte(input)}},
		Messages: []model.Message{{Role: "system", Text: "Answer from the files."}, {Role: "user", Text: "Which sum is larger?"}}}
	rep, err := m.Call(t.Context(), req)
	if err != nil || rep.Finish != model.FinishTool || rep.Answer != "I read both." || rep.Thinking != "I need both files." || len(rep.Calls) != 2 || rep.Calls[1].Arguments != `{ "path" : "b.txt" }` ||
		*rep.Usage.Prompt != 188107 || rep.Usage.Cached != nil || *rep.Usage.Output != 393 || *rep.Usage.Thinking != 120 || rep.Model != "claude-x-20260101" {
		t.Fatalf("%+v, %v", rep, err)
	}
	if got := brief(rep.Settings); len(got) != 2 || got[0] != "thinking medium asked" || got[1] != "tools 1 enforced" {
		t.Errorf("settings %q", got)
	}
	req.Messages = append(req.Messages, rep.Turn(), model.Message{Role: "tool", CallID: rep.Calls[0].ID, Tool: "read_file", Text: "71.50"},
		model.Message{Role: "tool", CallID: rep.Calls[1].ID, Tool: "read_file", Text: "no such file", Failed: true})
	if rep, err = m.Call(t.Context(), req); err != nil || rep.Answer != "The first: 71.50." || rep.Finish != model.FinishStop || *rep.Usage.Prompt != 188107 || *rep.Usage.Cached != 188086 {
		t.Fatalf("%+v, %v", rep, err)
	}
	req.Messages = append(req.Messages, rep.Turn(), model.Message{Role: "user", Text: "By how much?"})
	if rep, err = m.Call(t.Context(), req); err != nil || rep.Answer != "I do not know." || step != 3 {
		t.Errorf("%+v, %v, %d steps", rep, err, step)
	}
}
