package control_test

import (
	"testing"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/control"
)

// TestTrace: with tools at hand a control is a trace, given one call a turn.
func TestTrace(t *testing.T) {
	m := control.New("reference", func(string) (string, error) {
		return "# a trace\n{\"tool\":\"a.b.get\",\"args\":{\"id\":1}}\n\n{\"tool\":\"assay.submit_answer\",\"args\":{}}\n", nil
	})
	req := model.Request{Tools: []model.Tool{{Name: "a-b-get"}}, Messages: []model.Message{{Role: "user", Text: "work"}}}
	var names []string
	for {
		rep, err := m.Call(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		if len(rep.Calls) == 0 {
			if rep.Finish != model.FinishStop || rep.Answer != "" {
				t.Errorf("the end: %+v", rep)
			}
			break
		}
		names = append(names, rep.Calls[0].Name+rep.Calls[0].Arguments)
		req.Messages = append(req.Messages, rep.Turn(), model.Message{Role: "tool", CallID: rep.Calls[0].ID})
	}
	if len(names) != 2 || names[0] != `a-b-get{"id":1}` || names[1] != "assay-submit_answer{}" {
		t.Errorf("%q", names)
	}
}
